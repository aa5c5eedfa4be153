/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "download-fixture.h"
#include "ear-download-content.h"
#include "ear-error.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Downloads that are rejected or incomplete */

#define NOBODY 65534

static void
test_page (void)
{
  static const struct
  {
    const char *type;
    const char *data;
    gsize length;
    gboolean page;
  } cases[] = {
    { "audio/mpeg", "ID3\x04\0\0", 6, FALSE },
    { "AUDIO/MPEG; x=y", "any\1thing", 9, FALSE },
    { "audio/mpeg", "files/episode1.mp3", 18, TRUE },
    { "audio/mpeg", "\xc3\x89pisode 1", 10, TRUE },
    { "audio/mpeg", "\xc9pisode 1", 9, FALSE },
    { "video/mp4", "\0\0\0\x20" "ftypisom", 12, FALSE },
    { "application/octet-stream", "OggS\0\2", 6, FALSE },
    { "application/ogg", "OggS\0\2", 6, FALSE },
    { NULL, "\xff\xfb\x90\x64", 4, FALSE },
    { "", "\xff\xfb\x90\x64", 4, FALSE },
    { "text/plain", "ID3\x04\0\0", 6, FALSE },
    { "text/html", "OggS\0\2", 6, FALSE },
    { "text/html; charset=utf-8", "Sign in", 7, TRUE },
    { "text/plain", "No such episode.", 16, TRUE },
    { "Text/HTML", "", 0, TRUE },
    { "application/json", "{}", 2, TRUE },
    { "application/problem+json", "{}", 2, TRUE },
    { "application/xhtml+xml ; charset=x", "<x/>", 4, TRUE },
    { "application/xml", "<Error>", 7, TRUE },
    { "application/rss+xml", "<rss>", 5, TRUE },
    { NULL, "<!DOCTYPE html>", 15, TRUE },
    { "application/octet-stream", "\xef\xbb\xbf\r\n <Html lang", 14, TRUE },
    { "audio/mpeg", "<!-- page --><html>", 19, TRUE },
    { "audio/mpeg", "<!doctyp", 8, TRUE },
    { "audio/mpeg", "   ", 3, FALSE },
    { "audio/mpeg", "", 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      /* An exact allocation detects reads past the end. */
      g_autofree guint8 *data = g_malloc (MAX (cases[i].length, 1));

      memcpy (data, cases[i].data, cases[i].length);
      g_test_message ("%" G_GSIZE_FORMAT ": %s", i, cases[i].type);
      g_assert_cmpint (ear_download_find_content ("https://e.org/a", cases[i].type, data,
                                                  cases[i].length) == EAR_MEDIA_CONTENT_PAGE,
                       ==, cases[i].page);
    }
}

static void
assert_fails (Fixture *fixture, const char *path, EarError code)
{
  g_autoptr (Download) download = download_new (fixture, path);

  g_test_message ("%s", path);
  download_run (download, fixture);
  g_assert_error (download->error, EAR_ERROR, (int) code);
  g_assert_null (strstr (download->error->message, "hush"));
}

static void
test_pages (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = {
    "/~html/episode.mp3?token=hush",
    "/~type=application%2Foctet-stream/~html/episode.mp3",
    "/~type=audio%2Fmpeg/~html/episode.mp3",
    "/~type=/~html/episode.mp3",
    "/~redirect=302/~html/episode.mp3",
    "/gone.txt",
    "/gone.json",
    "/demo.xml",
  };
  g_autoptr (Download) plain = download_new (fixture, "/~type=text%2Fplain/episode.mp3");

  ear_test_server_put (fixture->net.server, "/gone.txt", NULL, "This episode is gone.");
  ear_test_server_put (fixture->net.server, "/gone.json", NULL, "{\"error\": \"gone\"}");
  ear_test_server_put (fixture->net.server, "/demo.xml", NULL, "<rss/>");
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      assert_fails (fixture, paths[i], EAR_ERROR_WEB_PAGE);
      download_assert_none (fixture);
    }

  /* Audio is recognized by its bytes under any type. */
  download_run (plain, fixture);
  download_assert_done (plain, fixture);
}

/* Pictures and documents are rejected under any type. */
static void
test_pictures (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *path;
    const char *bytes;
    gsize length;
  } files[] = {
    { "/cover.png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1", 24 },
    { "/cover.mp3", "\xff\xd8\xff\xe0\0\x10JFIF", 10 },
    { "/cover", "<svg xmlns='http://www.w3.org/2000/svg'/>", 41 },
    { "/notes", "%PDF-1.4\n", 9 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree guint8 *padded = g_malloc0 (300000);
      g_autoptr (GBytes) small = g_bytes_new (files[i].bytes, files[i].length);
      g_autoptr (GBytes) large = NULL;
      g_autofree char *typed = g_strdup_printf ("/~type=audio%%2Fmpeg%s", files[i].path);
      g_autofree char *chunked = g_strdup_printf ("/~nolength%s", files[i].path);

      memcpy (padded, files[i].bytes, files[i].length);
      large = g_bytes_new (padded, 300000);
      ear_test_server_put_bytes (fixture->net.server, files[i].path, "audio/mpeg", small);
      assert_fails (fixture, typed, EAR_ERROR_NOT_A_FEED);
      download_assert_none (fixture);
      ear_test_server_put_bytes (fixture->net.server, files[i].path, "application/octet-stream",
                                 large);
      assert_fails (fixture, chunked, EAR_ERROR_NOT_A_FEED);
      download_assert_none (fixture);
      assert_fails (fixture, files[i].path, EAR_ERROR_NOT_A_FEED);
      download_assert_none (fixture);
    }
}

static void
put_playlist (Fixture *fixture, const char *path, const char *format)
{
  g_autofree char *there = ear_test_server_dup_url (fixture->net.server, 2, "/episode.mp3");
  g_auto (GStrv) parts = g_strsplit (format, "@", -1);
  g_autofree char *text = g_strjoinv (there, parts);

  ear_test_server_put (fixture->net.server, path, "audio/mpeg", text);
}

/* A playlist of a single file is followed. */
static void
test_playlists (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *path;
    const char *text; /* with @ for the episode at another host */
    EarError code;    /* 0: the episode is downloaded */
  } lists[] = {
    { "/one.mp3", "@\n", 0 },
    { "/one.m3u", "#EXTM3U\r\n#EXTINF:60,The episode\r\n@\r\n", 0 },
    { "/relative.m3u", "episode.mp3", 0 },
    { "/twice.m3u", "@\n@\n", 0 },
    { "/one.pls", "[playlist]\nFile1=@\nTitle1=x\nNumberOfEntries=1\n", 0 },
    { "/nested.m3u", "#EXTM3U\n/one.pls\n", 0 },
    { "/loop.m3u", "#EXTM3U\n/loop.m3u\n", EAR_ERROR_REDIRECTS },
    { "/two.m3u", "#EXTM3U\n@?1\n@?2\n", EAR_ERROR_STREAM_ONLY },
    { "/none.m3u", "#EXTM3U\n", EAR_ERROR_NOT_A_FEED },
    { "/hls.m3u8", "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:10,\n@\n", EAR_ERROR_STREAM_ONLY },
    { "/hls.mp3", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\n@\n", EAR_ERROR_STREAM_ONLY },
    { "/lost.m3u", "#EXTM3U\n/nowhere.mp3\n", EAR_ERROR_NOT_FOUND },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    put_playlist (fixture, lists[i].path, lists[i].text);
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autoptr (Download) download = download_new (fixture, lists[i].path);

      if (lists[i].code != 0)
        {
          assert_fails (fixture, lists[i].path, lists[i].code);
          download_assert_none (fixture);
          continue;
        }
      g_test_message ("%s", lists[i].path);
      download_run (download, fixture);
      download_assert_done (download, fixture);
      g_unlink (fixture->path);
    }
}

/* Each attempt fetches the playlist again, and resumes the media file. */
static void
test_playlist_goes_on (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = NULL;
  g_autoptr (Download) last = NULL;
  g_autofree char *text =
      ear_test_server_dup_url (fixture->net.server, 2, "/~times=1/~cut=400000/episode.mp3");
  g_autofree char *sent = NULL;
  gint64 begun;

  ear_test_server_put (fixture->net.server, "/one.m3u", "audio/x-mpegurl", text);
  first = download_new (fixture, "/one.m3u");
  download_add_login (first);
  download_run (first, fixture);
  g_assert_error (first->error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
  begun = download_assert_begun (fixture, fixture->sound);
  /* The login is sent only to the first host. */
  sent = download_dup_sent (fixture, "/~times=1/~cut=400000/episode.mp3", "Authorization");
  g_assert_null (sent);

  last = download_new_after (fixture, "/one.m3u", first);
  download_run (last, fixture);
  download_assert_done (last, fixture);
  g_assert_cmpint (last->first_byte, ==, begun - OVERLAP);
}

/* The page of a captive portal must not replace an existing part. */
static void
test_page_in_between (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = download_new (fixture, "/~cut=400000/episode.mp3");
  g_autoptr (Download) page = NULL;
  g_autoptr (Download) last = NULL;
  gint64 begun;

  download_run (first, fixture);
  begun = download_assert_begun (fixture, fixture->sound);
  page = download_new_after (fixture, "/~html/episode.mp3", first);
  download_run (page, fixture);
  g_assert_error (page->error, EAR_ERROR, EAR_ERROR_WEB_PAGE);
  g_assert_cmpuint (page->heads, ==, 0);
  g_assert_cmpint (download_assert_begun (fixture, fixture->sound), ==, begun);

  last = download_new_after (fixture, "/episode.mp3", first);
  download_run (last, fixture);
  download_assert_done (last, fixture);
  g_assert_cmpint (last->first_byte, ==, begun - OVERLAP);
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  ear_test_server_put (fixture->net.server, "/empty.mp3", "audio/mpeg", "");
  assert_fails (fixture, "/empty.mp3", EAR_ERROR_NO_MEDIA);
  download_assert_none (fixture);
  assert_fails (fixture, "/~nolength/empty.mp3", EAR_ERROR_NO_MEDIA);
  assert_fails (fixture, "/~status=204/empty.mp3", EAR_ERROR_NO_MEDIA);
  download_assert_none (fixture);
}

static void
test_too_large (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) begun = download_new (fixture, "/~cut=400000/episode.mp3");
  static const char *const paths[] = {
    "/episode.mp3",
    "/~nolength/episode.mp3",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (Download) download = download_new (fixture, paths[i]);

      download->request->max_bytes = 999999;
      download_run (download, fixture);
      g_assert_error (download->error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
      download_assert_none (fixture);
    }

  /* The existing part counts toward the limit. */
  download_run (begun, fixture);
  g_assert_cmpint (download_assert_begun (fixture, fixture->sound), >, 0);
  for (gint64 max_bytes = 1000000; max_bytes >= 999999; max_bytes--)
    {
      g_autoptr (Download) rest = download_new_after (fixture, "/episode.mp3", begun);

      download_put_file (fixture, fixture->sound, 400000);
      rest->request->max_bytes = max_bytes;
      download_run (rest, fixture);
      if (max_bytes == 1000000)
        {
          download_assert_done (rest, fixture);
          continue;
        }
      g_assert_error (rest->error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
      download_assert_none (fixture);
    }
}

/* libsoup does not check the length when it reads to the end of the connection. */
static void
test_too_short (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = download_new (fixture, "/~header=Connection:close/~cut=400000/episode.mp3");
  g_autoptr (Download) second = NULL;
  g_autoptr (Download) third = NULL;
  gint64 begun;

  download_run (first, fixture);
  g_assert_error (first->error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
  begun = download_assert_begun (fixture, fixture->sound);

  second = download_new_after (fixture, "/~header=Connection:close/~cut=100000/episode.mp3", first);
  download_run (second, fixture);
  g_assert_error (second->error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
  g_assert_cmpint (second->first_byte, ==, begun - OVERLAP);
  g_assert_cmpint (download_assert_begun (fixture, fixture->sound), >, begun);

  third = download_new_after (fixture, "/episode.mp3", second);
  download_run (third, fixture);
  download_assert_done (third, fixture);

  g_unlink (fixture->path);
  assert_fails (fixture, "/~wronglength=5000/episode.mp3", EAR_ERROR_INCOMPLETE);
}

static void
test_statuses (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) busy = download_new (fixture, "/~status=503/episode.mp3");

  assert_fails (fixture, "/nothing.mp3?token=hush", EAR_ERROR_NOT_FOUND);
  download_assert_none (fixture);
  assert_fails (fixture, "/~loop/episode.mp3", EAR_ERROR_REDIRECTS);
  download_run (busy, fixture);
  g_assert_error (busy->error, EAR_ERROR, EAR_ERROR_BUSY);
  g_assert_cmpint (busy->retry_after, ==, 60);
  download_assert_none (fixture);
}

static void
test_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "other", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_set_contents (other, "somebody's", -1, NULL));
  g_assert_cmpint (symlink (other, fixture->path), ==, 0);
  assert_fails (fixture, "/episode.mp3", EAR_ERROR_FAILED);
  g_assert_true (g_file_get_contents (other, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "somebody's");
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_IS_SYMLINK));
  g_unlink (fixture->path);

  /* A pipe must not block, either. */
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  assert_fails (fixture, "/episode.mp3", EAR_ERROR_FAILED);
  g_unlink (fixture->path);
  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  assert_fails (fixture, "/episode.mp3", EAR_ERROR_FAILED);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->net.server, NULL), ==, 0);
}

static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  const gboolean root = geteuid () == 0;

  /* Root may write everywhere. */
  if (root && seteuid (NOBODY) != 0)
    {
      g_test_skip ("there is nobody else to be");
      return;
    }
  g_assert_true (root || g_chmod (fixture->folder, 0500) == 0);
  assert_fails (fixture, "/episode.mp3", EAR_ERROR_NO_SPACE);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->net.server, NULL), ==, 0);
  if (root)
    g_assert_cmpint (seteuid (0), ==, 0);
  g_assert_cmpint (g_chmod (fixture->folder, 0700), ==, 0);
}

/* The disk is full, although there seemed to be enough space. */
static void
test_full (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = download_new (fixture, "/episode.mp3");
  g_autoptr (Download) second = NULL;
  struct rlimit before, limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  limit = before;
  limit.rlim_cur = 500000;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  download_run (first, fixture);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  signal (SIGXFSZ, SIG_DFL);
  g_assert_error (first->error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  g_assert_cmpint (download_assert_begun (fixture, fixture->sound), ==, 500000);

  second = download_new_after (fixture, "/episode.mp3", first);
  download_run (second, fixture);
  download_assert_done (second, fixture);
  g_assert_cmpint (second->first_byte, ==, 500000 - OVERLAP);
}

static void
test_no_folder (Fixture *fixture, gconstpointer data)
{
  g_rmdir (fixture->folder);
  assert_fails (fixture, "/episode.mp3", EAR_ERROR_FAILED);
}

static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) first = download_new (fixture, "/~cut=400000/episode.mp3");
  g_autoptr (Download) full = NULL;
  g_autoptr (Download) none = download_new (fixture, "/episode.mp3");

  none->request->reserve = G_MAXINT64;
  download_run (none, fixture);
  g_assert_error (none->error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  download_assert_none (fixture);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->net.server, NULL), ==, 0);

  download_run (first, fixture);
  full = download_new_after (fixture, "/episode.mp3", first);
  full->request->reserve = G_MAXINT64;
  download_run (full, fixture);
  g_assert_error (full->error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  download_assert_begun (fixture, fixture->sound);
}

/* The listener deletes the file during the download. */
static void
test_removed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Download) download = download_new (fixture, "/~slow=1000000/episode.mp3");

  download_start (download, fixture);
  download_wait_for (download, 100000);
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  download_wait (download);
  g_assert_error (download->error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
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
    { "/download/pages", test_pages },
    { "/download/pages/in-between", test_page_in_between },
    { "/download/pictures", test_pictures },
    { "/download/playlists", test_playlists },
    { "/download/playlists/goes-on", test_playlist_goes_on },
    { "/download/empty", test_empty },
    { "/download/too-large", test_too_large },
    { "/download/too-short", test_too_short },
    { "/download/statuses", test_statuses },
    { "/download/disk/link", test_link },
    { "/download/disk/read-only", test_read_only },
    { "/download/disk/full", test_full },
    { "/download/disk/no-folder", test_no_folder },
    { "/download/disk/no-room", test_no_room },
    { "/download/disk/removed", test_removed },
  };

  net_main_init (&argc, &argv);
  g_test_add_func ("/download/page", test_page);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, download_set_up, tests[i].test, download_tear_down);

  return g_test_run ();
}
