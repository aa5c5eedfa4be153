/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <unistd.h>
#include <utime.h>

#include "downloads-fixture.h"
#include "ear-address.h"
#include "ear-documents.h"
#include "ear-error.h"

/* Chapters and transcripts that episodes link to: fetched and stored */

/* A captive portal answers every request with this page. */
#define PORTAL "<!DOCTYPE html><html><body><p>Sign in to the hotel</p></body></html>"

#define VTT "WEBVTT\n\n00:00:01.000 --> 00:00:05.000\nTerns came first.\n"
#define SRT "1\n00:00:01,000 --> 00:00:05,000\nTerns came second.\n"

/* Serves an episode with a chapters file at @way, and three missing transcripts. */
static void
begin (Fixture *fixture, const char *way)
{
  put_sounds (fixture, 1, "");
  put_text (fixture, "/feed.xml",
            RSS ("The Lighthouse Hour",
                 "<item><guid>lamp-1</guid><title>Lamp 1</title>"
                 "<enclosure url=\"/audio/1.mp3\" type=\"audio/mpeg\" length=\"1000\"/>"
                 "<podcast:chapters url=\"/chapters.json\" type=\"application/json+chapters\"/>"
                 "<podcast:transcript url=\"/1.html\" type=\"text/html\"/>"
                 "<podcast:transcript url=\"/1.srt\" type=\"application/x-subrip\"/>"
                 "<podcast:transcript url=\"/1.vtt\" type=\"text/vtt\"/></item>"));
  ear_test_server_put (fixture->server, "/1.json", "application/json",
                       "{\"version\":\"1.2.0\","
                       "\"chapters\":[{\"startTime\":0,\"title\":\"Lamps\"}]}");
  ear_test_server_put (fixture->server, "/portal", "text/html", PORTAL);
  ear_test_server_put_way (fixture->server, "/chapters.json", way);
  follow_served (fixture);
}

static gpointer
load (Fixture *fixture, EarDocumentKind kind, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  ear_documents_load_async (fixture->parts->documents, get_lamp (fixture, 1), kind, NULL,
                            ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);

  return ear_documents_load_finish (result, error);
}

static void
expect_chapters (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) chapters = load (fixture, EAR_DOCUMENT_CHAPTERS, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (chapters->len, ==, 1);
  g_assert_cmpstr (ear_chapters_get (chapters, 0)->title, ==, "Lamps");
}

/* @text: the first sentence */
static void
expect_said (Fixture *fixture, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarTranscript) transcript = load (fixture, EAR_DOCUMENT_TRANSCRIPT, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (ear_transcript_get (transcript, 0)->text, ==, text);
}

static void
expect_error (Fixture *fixture, EarDocumentKind kind, EarError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (load (fixture, kind, &error));
  g_assert_error (error, EAR_ERROR, (int) code);
}

static char *
dup_path (Fixture *fixture, const char *name)
{
  g_autofree char *key = ear_episode_dup_key (get_lamp (fixture, 1));
  g_autofree char *file = ear_documents_dup_name (key, get_url (fixture, name));

  return g_build_filename (fixture->data, "documents", file, NULL);
}

/* A document is requested once, and again if an earlier version stored a useless file. */
static void
test_load (Fixture *fixture, gconstpointer data)
{
  g_autofree char *elsewhere = g_build_filename (fixture->folder, "elsewhere", NULL);

  begin (fixture, "/1.json");
  expect_chapters (fixture);
  expect_chapters (fixture);
  g_assert_cmpuint (count_requests (fixture, "/chapters.json"), ==, 1);

  restart (fixture);
  expect_chapters (fixture);
  g_assert_cmpuint (count_requests (fixture, "/chapters.json"), ==, 1);

  g_autofree char *path = dup_path (fixture, "/chapters.json");
  write_text (path, PORTAL);
  expect_chapters (fixture);
  expect_chapters (fixture);
  g_assert_cmpuint (count_requests (fixture, "/chapters.json"), ==, 2);

  /* A symbolic link in place of the file is neither read nor written through. */
  write_text (elsewhere, "secret");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink (elsewhere, path), ==, 0);
  expect_chapters (fixture);
  g_autofree char *text = read_text (elsewhere);
  g_assert_cmpstr (text, ==, "secret");
}

/* A useless answer is not stored: the next load requests the document again. */
static void
test_failed (Fixture *fixture, gconstpointer data)
{
  static const struct { const char *way; EarError code; } cases[] = {
    { "/portal", EAR_ERROR_DAMAGED },
    { "/~status=404/1.json", EAR_ERROR_NOT_FOUND },
    { "/large", EAR_ERROR_TOO_LARGE },
    { "/~cut=10/1.json", EAR_ERROR_INCOMPLETE },
  };
  const gsize size = EAR_DOCUMENT_LIMIT + 1;
  g_autoptr (GBytes) large = g_bytes_new_take (g_malloc0 (size), size);

  ear_test_server_put_bytes (fixture->server, "/large", "application/json", large);
  begin (fixture, "/1.json");
  g_autofree char *path = dup_path (fixture, "/chapters.json");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].way);
      ear_test_server_put_way (fixture->server, "/chapters.json", cases[i].way);
      expect_error (fixture, EAR_DOCUMENT_CHAPTERS, cases[i].code);
      g_assert_true (is_missing (path));

      ear_test_server_put_way (fixture->server, "/chapters.json", "/1.json");
      expect_chapters (fixture);
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
}

/* The login of the podcast is sent to its own server only. */
static void
test_login (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLogin) login = ear_login_new (EAR_TEST_USER, EAR_TEST_PASSWORD);
  const char *address = get_url (fixture, "/feed.xml");

  begin (fixture, "/~status=401/1.json");
  EarKeyring *keyring = fixture->parts->keyring;
  ear_keyring_try (keyring, address, "https://example.org/1.json", login);
  expect_error (fixture, EAR_DOCUMENT_CHAPTERS, EAR_ERROR_UNAUTHORIZED);
  ear_keyring_try (keyring, address, address, login);
  expect_chapters (fixture);
}

static void
make_old (const char *path, guint days)
{
  const time_t then = (time_t) (g_get_real_time () / G_USEC_PER_SEC) - days * 24 * 60 * 60;
  const struct utimbuf times = { .modtime = then };

  g_assert_cmpint (utime (path, &times), ==, 0);
}

static void
restart_and_load (Fixture *fixture)
{
  restart (fixture);
  wait_until_loaded (fixture);
}

/* A document is fetched with a download. Old documents are deleted, except those of downloads
 * and other programs. */
static void
test_download (Fixture *fixture, gconstpointer data)
{
  g_autofree char *foreign = g_build_filename (fixture->data, "documents", "letter.txt", NULL);

  begin (fixture, "/1.json");
  g_autofree char *path = dup_path (fixture, "/chapters.json");
  download (fixture, 1);
  EAR_TEST_WAIT_UNTIL (!is_missing (path));
  ear_test_server_put_way (fixture->server, "/chapters.json", "/missing");
  expect_chapters (fixture);
  g_assert_cmpuint (count_requests (fixture, "/chapters.json"), ==, 1);

  write_text (foreign, "Dear");
  make_old (path, 100);
  make_old (foreign, 100);
  restart_and_load (fixture);
  ear_test_spin (100);
  g_assert_false (is_missing (path));

  ear_downloader_remove (get_downloader (fixture), get_lamp (fixture, 1));
  restart_and_load (fixture);
  EAR_TEST_WAIT_UNTIL (is_missing (path));
  g_assert_false (is_missing (foreign));
}

/* If the best transcript is missing, or a page is in its place, the next one is used, until the
 * best is available. Without any, the error of the best one is reported. */
static void
test_next_transcript (Fixture *fixture, gconstpointer data)
{
  begin (fixture, "/1.json");
  g_autofree char *best = dup_path (fixture, "/1.vtt");
  g_autofree char *next = dup_path (fixture, "/1.srt");
  ear_test_server_put (fixture->server, "/1.vtt", "text/html", PORTAL);
  ear_test_server_put (fixture->server, "/1.html", "text/html", PORTAL);
  expect_error (fixture, EAR_DOCUMENT_TRANSCRIPT, EAR_ERROR_WEB_PAGE);
  ear_test_server_remove (fixture->server, "/1.html");
  ear_test_server_put (fixture->server, "/1.srt", "application/x-subrip", SRT);
  expect_said (fixture, "Terns came second.");
  g_assert_true (is_missing (best));
  g_assert_cmpint (g_unlink (next), ==, 0);
  restart (fixture);

  ear_test_server_clear_log (fixture->server);
  ear_test_server_remove (fixture->server, "/1.vtt");
  ear_test_server_remove (fixture->server, "/1.srt");
  expect_error (fixture, EAR_DOCUMENT_TRANSCRIPT, EAR_ERROR_NOT_FOUND);
  ear_test_server_put (fixture->server, "/1.srt", "application/x-subrip", SRT);
  for (guint i = 0; i < 2; i++)
    {
      expect_said (fixture, "Terns came second.");
      g_assert_cmpuint (count_requests (fixture, "/1.vtt"), ==, 2);
    }
  g_assert_cmpuint (count_requests (fixture, "/1.srt"), ==, 2);
  g_autoptr (EarEpisodeList) found = list_episodes (fixture, 0, EAR_FILTER_ALL, "terns second");
  EAR_TEST_WAIT_UNTIL (are_episodes (found, "1"));
  g_clear_object (&found);

  ear_test_server_put (fixture->server, "/1.vtt", "text/vtt", VTT);
  make_old (next, 8);
  restart_and_load (fixture);
  EAR_TEST_WAIT_UNTIL (is_missing (next));
  expect_said (fixture, "Terns came first.");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/documents/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("load", test_load);
  ADD ("failed", test_failed);
  ADD ("login", test_login);
  ADD ("download", test_download);
  ADD ("next-transcript", test_next_transcript);

  return g_test_run ();
}
