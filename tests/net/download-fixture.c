/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "download-fixture.h"

#include "ear-test-folder.h"

#include <glib/gstdio.h>
#include <string.h>

#define SOUND_LENGTH 1000000

/* Returns: random bytes that start like audio */
GBytes *
download_make_sound (gsize length, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint8 *data = g_malloc (length);

  for (gsize i = 0; i < length; i++)
    data[i] = (guint8) g_rand_int_range (rand, 0, 256);
  memcpy (data, "ID3\x04\x00\x00\x00\x00\x00\x00", 10);

  return g_bytes_new_take (data, length);
}

void
download_set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  net_fixture_set_up (&fixture->net, data);
  fixture->folder = g_dir_make_tmp ("earmark-download-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->folder, "episode.mp3.part", NULL);
  fixture->sound = download_make_sound (SOUND_LENGTH, 1);
  ear_test_server_put_bytes (fixture->net.server, "/episode.mp3", "audio/mpeg", fixture->sound);
}

void
download_tear_down (Fixture *fixture, gconstpointer data)
{
  net_fixture_tear_down (&fixture->net, data);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
  g_bytes_unref (fixture->sound);
}

Download *
download_new (Fixture *fixture, const char *path)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->net.server, 1, path);
  Download *download = g_new0 (Download, 1);

  download->request = ear_download_request_new (url, fixture->path);
  download->request->progress = ear_download_progress_new ();

  return download;
}

/* Returns: a download that knows only the facts of the earlier one's head, as after a
 *   crash */
Download *
download_new_after (Fixture *fixture, const char *path, const Download *earlier)
{
  Download *download = download_new (fixture, path);

  download->request->etag = g_strdup (earlier->etag);
  download->request->last_modified = g_strdup (earlier->last_modified);

  return download;
}

/* Adds a login to the URL. */
void
download_add_login (Download *download)
{
  char **address = &download->request->address;
  g_autofree char *plain = g_steal_pointer (address);

  *address = g_strconcat ("http://" EAR_TEST_USER ":" EAR_TEST_PASSWORD "@",
                          plain + strlen ("http://"), NULL);
}

void
download_free (Download *download)
{
  ear_download_request_free (download->request);
  g_clear_object (&download->cancellable);
  g_free (download->etag);
  g_free (download->last_modified);
  g_clear_pointer (&download->result, ear_http_response_unref);
  g_clear_error (&download->error);
  g_free (download);
}

/* On a worker thread */
static gboolean
take_head (const EarDownloadHead *head, gpointer user_data, GError **error)
{
  Download *download = user_data;
  GStatBuf info;

  g_assert_false (g_main_context_is_owner (NULL));
  g_assert_cmpint (g_stat (download->request->path, &info), ==, 0);
  download->heads++;
  download->size_at_head = info.st_size;
  download->first_byte = head->first_byte;
  download->total = head->total;
  g_set_str (&download->etag, head->etag);
  g_set_str (&download->last_modified, head->last_modified);
  if (!download->refuse_head)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "cannot be noted");

  return FALSE;
}

static void
downloaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Download *download = user_data;

  download->retry_after = ear_download_file_get_retry_after (EAR_HTTP (source), result);
  download->result = ear_download_file_finish (EAR_HTTP (source), result, &download->error);
  g_assert_true ((download->result == NULL) == (download->error != NULL));
  download->done = TRUE;
}

void
download_start (Download *download, Fixture *fixture)
{
  download->request->head_func = take_head;
  download->request->head_data = download;
  ear_download_file_async (fixture->net.http, download->request, download->cancellable, downloaded_cb, download);
}

static gboolean
is_done (gpointer data)
{
  return ((Download *) data)->done;
}

void
download_wait (Download *download)
{
  g_assert_true (net_wait (is_done, download, 60000));
  /* Let the workers' tasks drop their references. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

void
download_run (Download *download, Fixture *fixture)
{
  download_start (download, fixture);
  download_wait (download);
}

void
download_wait_for (Download *download, gint64 received)
{
  gint64 there = 0, total;

  while (there < received && !download->done)
    {
      net_sleep (20);
      ear_download_progress_get (download->request->progress, &there, &total);
    }
  g_assert_false (download->done);
}

static GBytes *
read_file (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  char *text;
  gsize length;

  g_file_get_contents (fixture->path, &text, &length, &error);
  g_assert_no_error (error);

  return g_bytes_new_take (text, length);
}

void
download_assert_file (Fixture *fixture, GBytes *expected)
{
  g_autoptr (GBytes) bytes = read_file (fixture);

  g_assert_cmpuint (g_bytes_get_size (bytes), ==, g_bytes_get_size (expected));
  g_assert_true (g_bytes_equal (bytes, expected));
}

/* Asserts that the file is a prefix of @expected.
 * Returns: its length */
gint64
download_assert_begun (Fixture *fixture, GBytes *expected)
{
  g_autoptr (GBytes) bytes = read_file (fixture);
  const gsize length = g_bytes_get_size (bytes);

  g_assert_cmpuint (length, >, OVERLAP);
  g_assert_cmpuint (length, <, g_bytes_get_size (expected));
  g_assert_cmpint (memcmp (g_bytes_get_data (bytes, NULL), g_bytes_get_data (expected, NULL), length), ==, 0);

  return length;
}

void
download_assert_none (Fixture *fixture)
{
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

void
download_put_file (Fixture *fixture, GBytes *bytes, gsize length)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (fixture->path, g_bytes_get_data (bytes, NULL), length, &error);
  g_assert_no_error (error);
}

char *
download_dup_sent (Fixture *fixture, const char *path, const char *header)
{
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->net.server, path);

  g_assert_nonnull (request);

  return g_strdup (ear_test_request_get_header (request, header));
}
