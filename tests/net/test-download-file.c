/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "download-fixture.h"
#include "ear-error.h"

#include <glib/gstdio.h>
#include <string.h>

/* Downloads in one or several parts */

static void
test_progress (void)
{
  g_autoptr (EarDownloadProgress) progress = ear_download_progress_new ();
  g_autoptr (EarDownloadProgress) same = ear_download_progress_ref (progress);
  gint64 received, total;

  ear_download_progress_get (progress, &received, &total);
  g_assert_cmpint (received, ==, 0);
  g_assert_cmpint (total, ==, 0);
  ear_download_progress_set (same, G_GINT64_CONSTANT (5000000000), G_GINT64_CONSTANT (6000000000));
  ear_download_progress_get (progress, &received, &total);
  g_assert_cmpint (received, ==, G_GINT64_CONSTANT (5000000000));
  g_assert_cmpint (total, ==, G_GINT64_CONSTANT (6000000000));
}

static void
test_whole (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) download = download_new (fixture, "/episode.mp3");
  g_autofree char *encoding = NULL;
  g_autofree char *range = NULL;
  GStatBuf info;
  gint64 received, total;

  download_run (download, fixture);
  download_assert_done (download, fixture);
  g_assert_cmpint (download->result->total, ==, g_bytes_get_size (fixture->sound));
  g_assert_cmpstr (download->result->content_type, ==, "audio/mpeg");
  g_assert_cmpstr (download->result->final_address, ==, download->request->address);
  g_assert_cmpstr (download->result->etag, ==, download->etag);

  g_assert_cmpuint (download->heads, ==, 1);
  g_assert_cmpint (download->size_at_head, ==, 0);
  g_assert_cmpint (download->first_byte, ==, 0);
  g_assert_cmpint (download->total, ==, g_bytes_get_size (fixture->sound));
  g_assert_nonnull (download->etag);
  g_assert_nonnull (download->last_modified);
  ear_download_progress_get (download->request->progress, &received, &total);
  g_assert_cmpint (received, ==, total);
  g_assert_cmpint (total, ==, download->total);

  g_assert_cmpint (g_stat (fixture->path, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);
  encoding = download_dup_sent (fixture, "/episode.mp3", "Accept-Encoding");
  g_assert_cmpstr (encoding, ==, "identity");
  range = download_dup_sent (fixture, "/episode.mp3", "Range");
  g_assert_null (range);
}

/* Starts a download that is cut off. */
static Download *
begin (Fixture *fixture, const char *wrappers)
{
  g_autofree char *path = g_strconcat (wrappers, "/~cut=400000/episode.mp3", NULL);
  Download *download = download_new (fixture, path);

  download_run (download, fixture);
  g_assert_error (download->error, EAR_ERROR, EAR_ERROR_INCOMPLETE);

  return download;
}

/* The second request asks for the missing rest and a small overlap. */
static void
assert_asked_for_rest (Fixture *fixture, const char *path, gint64 begun, const char *condition)
{
  g_autofree char *expected = g_strdup_printf ("bytes=%" G_GINT64_FORMAT "-", begun - OVERLAP);
  g_autofree char *range = download_dup_sent (fixture, path, "Range");
  g_autofree char *if_range = download_dup_sent (fixture, path, "If-Range");
  g_autofree char *if_none_match = download_dup_sent (fixture, path, "If-None-Match");
  g_autofree char *since = download_dup_sent (fixture, path, "If-Modified-Since");

  g_assert_cmpstr (range, ==, expected);
  g_assert_cmpstr (if_range, ==, condition);
  g_assert_null (if_none_match);
  g_assert_null (since);
}

static void
assert_goes_on (Fixture *fixture, const Download *first, const char *path, const char *condition)
{
  const gint64 begun = download_assert_begun (fixture, fixture->sound);
  g_autoptr (Download) second = download_new_after (fixture, path, first);
  g_autoptr (EarTestRequest) request = NULL;

  download_run (second, fixture);
  download_assert_done (second, fixture);
  g_assert_cmpint (second->result->total, ==, g_bytes_get_size (fixture->sound));
  assert_asked_for_rest (fixture, path, begun, condition);
  g_assert_cmpuint (second->heads, ==, 1);
  g_assert_cmpint (second->first_byte, ==, begun - OVERLAP);
  g_assert_cmpint (second->size_at_head, ==, begun);
  g_assert_cmpint (second->total, ==, g_bytes_get_size (fixture->sound));
  g_assert_cmpstr (second->etag, ==, first->etag);
  g_assert_cmpstr (second->result->last_modified, ==, first->last_modified);

  g_assert_true (ear_test_server_wait_idle (fixture->net.server, 60000));
  request = ear_test_server_dup_last_request (fixture->net.server, path);
  g_assert_cmpuint (request->status, ==, 206);
  g_assert_cmpuint (request->bytes_sent, ==, g_bytes_get_size (fixture->sound) - begun + OVERLAP);
}

static void
test_goes_on (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "");

  assert_goes_on (fixture, first, "/episode.mp3", first->etag);
}

static void
test_goes_on_by_date (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "/~noetag");

  assert_goes_on (fixture, first, "/~noetag/episode.mp3", first->last_modified);
}

/* A weak tag is the same for other bytes. */
static void
test_weak_etag (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "/~noetag/~header=ETag:W%2F%22x%22");

  g_assert_cmpstr (first->etag, ==, "W/\"x\"");
  assert_goes_on (fixture, first, "/~noetag/~header=ETag:W%2F%22x%22/episode.mp3", first->last_modified);
}

static void
test_several_pieces (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) last = begin (fixture, "");
  guint pieces = 1;

  while (last->error != NULL)
    {
      g_autoptr (Download) next = download_new_after (fixture, "/~cut=200000/episode.mp3", last);
      const gint64 begun = download_assert_begun (fixture, fixture->sound);

      g_assert_error (last->error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
      download_run (next, fixture);
      assert_asked_for_rest (fixture, "/~cut=200000/episode.mp3", begun, next->etag);
      download_free (last);
      last = g_steal_pointer (&next);
      g_assert_cmpuint (++pieces, <, 20);
    }
  download_assert_done (last, fixture);
  g_assert_cmpuint (pieces, >, 2);
}

/* Without validators there is no proof that the rest belongs to the part. */
static void
test_no_validators (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "/~noetag/~nodate/~header=ETag:W%2F%22x%22");
  g_autoptr (Download) second = download_new_after (fixture, "/episode.mp3", first);
  g_autofree char *range = NULL;

  g_assert_null (first->etag);
  g_assert_null (first->last_modified);
  download_assert_none (fixture);

  download_put_file (fixture, fixture->sound, 500000);
  download_run (second, fixture);
  download_assert_done (second, fixture);
  range = download_dup_sent (fixture, "/episode.mp3", "Range");
  g_assert_null (range);
  g_assert_cmpint (second->size_at_head, ==, 0);
}

/* Asserts that the download starts again with an empty file and succeeds. */
static void
assert_begins_anew (Fixture *fixture, const Download *first, const char *path, guint requests)
{
  g_autoptr (Download) second = download_new_after (fixture, path, first);
  g_autofree char *range = NULL;

  ear_test_server_clear_log (fixture->net.server);
  download_run (second, fixture);
  download_assert_done (second, fixture);
  g_assert_cmpint (second->first_byte, ==, 0);
  g_assert_cmpint (second->size_at_head, ==, 0);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->net.server, NULL), ==, requests);
  range = download_dup_sent (fixture, path, "Range");
  g_assert_true ((range == NULL) == (requests > 1));
}

static void
test_changed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "");

  g_bytes_unref (fixture->sound);
  fixture->sound = download_make_sound (900000, 2);
  ear_test_server_put_bytes (fixture->net.server, "/episode.mp3", "audio/mpeg", fixture->sound);
  assert_begins_anew (fixture, first, "/episode.mp3", 1);
}

static void
test_no_ranges (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "");

  assert_begins_anew (fixture, first, "/~norange/episode.mp3", 1);
  assert_begins_anew (fixture, first, "/~nolength/~norange/episode.mp3", 1);
}

static void
test_no_such_range (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "");
  g_autoptr (GBytes) longer = download_make_sound (2000000, 3);
  g_autofree guint8 *bytes = g_memdup2 (g_bytes_get_data (longer, NULL), 2000000);
  g_autoptr (GBytes) more = NULL;

  assert_begins_anew (fixture, first, "/~times=1/~status=416/episode.mp3", 2);

  /* The existing file is longer than the whole. */
  download_put_file (fixture, longer, 2000000);
  assert_begins_anew (fixture, first, "/episode.mp3", 2);

  /* The requested range exists and is equal, but ends before the existing file. */
  memcpy (bytes, g_bytes_get_data (fixture->sound, NULL), g_bytes_get_size (fixture->sound));
  more = g_bytes_new (bytes, 1000000 + OVERLAP - 100);
  download_put_file (fixture, more, g_bytes_get_size (more));
  assert_begins_anew (fixture, first, "/episode.mp3", 2);
}

static void
test_no_such_range_for_ever (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "");
  g_autoptr (Download) second = download_new_after (fixture, "/~status=416/episode.mp3", first);

  ear_test_server_clear_log (fixture->net.server);
  download_run (second, fixture);
  g_assert_error (second->error, EAR_ERROR, EAR_ERROR_SERVER);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->net.server, NULL), ==, 2);
}

/* Ranges other than the requested one; their bodies are the status texts. */
static void
test_wrong_range (Fixture *fixture, gconstpointer data)
{
  static const char *const wrappers[] = {
    "/~type=audio%2Fmpeg",
    "/~type=audio%2Fmpeg/~header=Content-Range:bytes%200-19%2F1000000",
    "/~type=audio%2Fmpeg/~header=Content-Range:bytes%20999980-999999%2F1000000",
    "/~type=audio%2Fmpeg/~header=Content-Range:bytes%20*%2F1000000",
    "/~type=audio%2Fmpeg/~header=Content-Range:nonsense",
    "/~type=multipart%2Fbyteranges;boundary=x",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrappers); i++)
    {
      g_autofree char *path = g_strconcat ("/~times=1", wrappers[i], "/~status=206/episode.mp3", NULL);
      g_autofree char *for_ever = g_strconcat (wrappers[i], "/~status=206/episode.mp3", NULL);
      g_autoptr (Download) first = begin (fixture, "");
      g_autoptr (Download) second = download_new_after (fixture, for_ever, first);
      const gint64 begun = download_assert_begun (fixture, fixture->sound);

      /* A wrong range is not written. A body from the start might be media, but is the
       * server's text here. */
      g_test_message ("%s", wrappers[i]);
      download_run (second, fixture);
      if (strstr (wrappers[i], "bytes%200-19") != NULL)
        g_assert_error (second->error, EAR_ERROR, EAR_ERROR_WEB_PAGE);
      else
        g_assert_error (second->error, EAR_ERROR, EAR_ERROR_SERVER);
      g_assert_cmpint (download_assert_begun (fixture, fixture->sound), ==, begun);

      ear_test_server_clear_log (fixture->net.server);
      download_put_file (fixture, fixture->sound, begun);
      assert_begins_anew (fixture, first, path, 2);
    }
}

/* The same tag with other bytes */
static void
test_other_rest (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "");
  g_autoptr (GBytes) other = download_make_sound (700000, 4);

  download_put_file (fixture, other, 700000);
  assert_begins_anew (fixture, first, "/episode.mp3", 2);
}

/* A crash after the last byte, before the end of the download was recorded */
static void
test_nothing_missing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "");
  g_autoptr (Download) second = download_new_after (fixture, "/episode.mp3", first);

  download_put_file (fixture, fixture->sound, g_bytes_get_size (fixture->sound));
  download_run (second, fixture);
  download_assert_done (second, fixture);
  assert_asked_for_rest (fixture, "/episode.mp3", g_bytes_get_size (fixture->sound), first->etag);
  g_assert_cmpint (second->first_byte, >, 0);
}

static void
test_little_there (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "");
  g_autoptr (Download) second = download_new_after (fixture, "/episode.mp3", first);
  g_autofree char *range = NULL;

  download_put_file (fixture, fixture->sound, 10);
  download_run (second, fixture);
  download_assert_done (second, fixture);
  range = download_dup_sent (fixture, "/episode.mp3", "Range");
  g_assert_null (range);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = download_new (fixture, "/~slow=400000/episode.mp3");
  g_autoptr (Download) early = download_new (fixture, "/episode.mp3");

  /* Canceled before the first request */
  early->cancellable = g_cancellable_new ();
  g_cancellable_cancel (early->cancellable);
  download_run (early, fixture);
  g_assert_error (early->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  download_assert_none (fixture);

  first->cancellable = g_cancellable_new ();
  download_start (first, fixture);
  download_wait_for (first, 100000);
  g_cancellable_cancel (first->cancellable);
  download_wait (first);
  g_assert_error (first->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_goes_on (fixture, first, "/episode.mp3", first->etag);
}

/* A download survives the end of the program. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = download_new (fixture, "/~slow=400000/episode.mp3");

  download_start (first, fixture);
  download_wait_for (first, 100000);
  ear_http_stop (fixture->net.http);
  download_wait (first);
  g_assert_error (first->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  download_assert_begun (fixture, fixture->sound);
}

static void
test_redirected (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "/~redirect=302,2");
  const gint64 begun = download_assert_begun (fixture, fixture->sound);
  g_autoptr (Download) second = download_new_after (fixture, "/~redirect=302,2/~403agent/episode.mp3", first);
  g_autoptr (GPtrArray) requests = NULL;
  g_autofree char *url = ear_test_server_dup_url (fixture->net.server, 2, "/~403agent/episode.mp3");

  /* The request as a browser is resumed as well. */
  ear_test_server_clear_log (fixture->net.server);
  download_run (second, fixture);
  download_assert_done (second, fixture);
  g_assert_cmpstr (second->result->final_address, ==, url);
  assert_asked_for_rest (fixture, "/~403agent/episode.mp3", begun, first->etag);
  requests = ear_test_server_dup_requests (fixture->net.server);
  g_assert_cmpuint (requests->len, ==, 3);
  for (guint i = 0; i < requests->len; i++)
    g_assert_nonnull (ear_test_request_get_header (requests->pdata[i], "Range"));
}

static void
test_credentials (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = begin (fixture, "");
  g_autoptr (Download) without = download_new_after (fixture, "/~status=401/episode.mp3", first);
  g_autoptr (Download) with = download_new_after (fixture, "/~status=401/episode.mp3", first);
  const gint64 begun = download_assert_begun (fixture, fixture->sound);

  download_run (without, fixture);
  g_assert_error (without->error, EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
  g_assert_cmpint (download_assert_begun (fixture, fixture->sound), ==, begun);

  download_add_login (with);
  download_run (with, fixture);
  download_assert_done (with, fixture);
  g_assert_cmpint (with->first_byte, ==, begun - OVERLAP);
}

/* The server compresses the body unasked: offsets in it differ from those in the file. */
static void
test_compressed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) whole = download_new (fixture, "/~gzip/episode.mp3");
  g_autoptr (Download) cut = NULL;
  g_autoptr (Download) between = NULL;

  download_run (whole, fixture);
  download_assert_done (whole, fixture);
  g_assert_null (whole->etag);
  g_assert_null (whole->last_modified);
  g_assert_cmpint (whole->total, ==, -1);

  cut = begin (fixture, "/~gzip");
  download_assert_none (fixture);

  /* The file was uncompressed when the download started. */
  download_put_file (fixture, fixture->sound, 300000);
  between = download_new_after (fixture, "/~gzip/episode.mp3", whole);
  between->request->etag = g_strdup ("\"before\"");
  download_run (between, fixture);
  download_assert_done (between, fixture);
  g_assert_cmpint (between->size_at_head, ==, 0);
}

static void
test_no_length (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) download = download_new (fixture, "/~nolength/episode.mp3");

  download_run (download, fixture);
  download_assert_done (download, fixture);
  g_assert_cmpint (download->total, ==, -1);
}

/* If the facts of the file cannot be stored, nothing is written. */
static void
test_head_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) download = download_new (fixture, "/episode.mp3");

  download->refuse_head = TRUE;
  download_run (download, fixture);
  g_assert_error (download->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  download_assert_none (fixture);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } tests[] = {
    { "/download/whole", test_whole },
    { "/download/goes-on", test_goes_on },
    { "/download/goes-on/by-date", test_goes_on_by_date },
    { "/download/goes-on/weak-etag", test_weak_etag },
    { "/download/goes-on/several-pieces", test_several_pieces },
    { "/download/goes-on/nothing-missing", test_nothing_missing },
    { "/download/goes-on/redirected", test_redirected },
    { "/download/goes-on/credentials", test_credentials },
    { "/download/anew/no-validators", test_no_validators },
    { "/download/anew/changed", test_changed },
    { "/download/anew/no-ranges", test_no_ranges },
    { "/download/anew/no-such-range", test_no_such_range },
    { "/download/anew/no-such-range/for-ever", test_no_such_range_for_ever },
    { "/download/anew/wrong-range", test_wrong_range },
    { "/download/anew/other-rest", test_other_rest },
    { "/download/anew/little-there", test_little_there },
    { "/download/cancelled", test_cancelled },
    { "/download/stopped", test_stopped },
    { "/download/compressed", test_compressed },
    { "/download/no-length", test_no_length },
    { "/download/head-refused", test_head_refused },
  };

  net_main_init (&argc, &argv);
  g_test_add_func ("/download/progress", test_progress);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, download_set_up, tests[i].test, download_tear_down);

  return g_test_run ();
}
