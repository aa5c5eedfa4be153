/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <unistd.h>
#include <utime.h>

#include "downloads-fixture.h"
#include "ear-address.h"
#include "ear-documents.h"
#include "ear-error.h"
#include "ear-library-private.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* Chapters and transcripts that episodes link to: fetched and stored */

#define CHAPTERS(title) "{\"version\":\"1.2.0\",\"chapters\":[{\"startTime\":0,\"title\":\"" title "\"}]}"

/* A captive portal answers every request with this page. */
#define PORTAL "<!DOCTYPE html><html><body><p>Sign in to the hotel</p></body></html>"

/* Serves an episode with a chapters file, behind these wrappers, and three transcripts,
 * which are missing. */
static void
begin (Fixture *fixture, const char *wrappers)
{
  g_autoptr (GBytes) sound = make_sound (1, 20000);
  g_autofree char *feed =
    g_strdup_printf ("<rss version=\"2.0\" xmlns:podcast=\"https://podcastindex.org/namespace/1.0\"><channel><title>The Lighthouse Hour</title>"
                     "<item><guid>lamp-1</guid><title>Lamp 1</title><enclosure url=\"/1.mp3\" type=\"audio/mpeg\" length=\"1000\"/>"
                     "<podcast:chapters url=\"%s/1.json\" type=\"application/json+chapters\"/>"
                     "<podcast:transcript url=\"/1.html\" type=\"text/html\"/><podcast:transcript url=\"/1.srt\" type=\"application/x-subrip\"/>"
                     "<podcast:transcript url=\"/1.vtt\" type=\"text/vtt\"/></item></channel></rss>", wrappers);

  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed);
  ear_test_server_put (fixture->server, "/1.json", "application/json", CHAPTERS ("Lamps"));
  ear_test_server_put_bytes (fixture->server, "/1.mp3", "audio/mpeg", sound);
  open_and_wait (fixture, NULL);
  if (!has_podcast (fixture))
    follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
}

typedef struct
{
  gboolean answered;
  EarChapters *chapters;
  EarTranscript *transcript;
  GError *error;
} Answer;

static void
answer_clear (Answer *answer)
{
  g_clear_pointer (&answer->chapters, ear_chapters_unref);
  g_clear_pointer (&answer->transcript, ear_transcript_unref);
  g_clear_error (&answer->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  answer->chapters = ear_documents_load_finish (result, &answer->error);
  answer->answered = TRUE;
}

static const char *
get_address (EarEpisode *episode)
{
  return ear_episode_get_facts (episode)->chapters_address;
}

static Answer
load (Fixture *fixture)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, 1);
  Answer answer = { 0 };

  ear_documents_load_async (ear_library_get_documents (fixture->library), episode, EAR_DOCUMENT_CHAPTERS, NULL, loaded_cb, &answer);
  EAR_TEST_WAIT_UNTIL (answer.answered);

  return answer;
}

/* @title: of the only chapter */
static void
expect (Fixture *fixture, const char *title)
{
  g_auto (Answer) answer = load (fixture);

  g_assert_no_error (answer.error);
  g_assert_cmpuint (ear_chapters_get_count (answer.chapters), ==, 1);
  g_assert_cmpstr (ear_chapters_get (answer.chapters, 0)->title, ==, title);
}

static void
expect_error (Fixture *fixture, EarError code)
{
  g_auto (Answer) answer = load (fixture);

  g_assert_null (answer.chapters);
  g_assert_error (answer.error, EAR_ERROR, (int) code);
}

static char *
dup_path_of (Fixture *fixture, const char *address)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, 1);
  g_autofree char *key = ear_episode_dup_key (episode);
  g_autofree char *name = ear_documents_dup_name (key, address);

  return g_build_filename (fixture->data, "documents", name, NULL);
}

static char *
dup_path (Fixture *fixture)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, 1);

  return dup_path_of (fixture, get_address (episode));
}

static gboolean
exists (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static guint
count_requests (Fixture *fixture)
{
  return ear_test_server_count_requests (fixture->server, "/1.json");
}

/* A document is requested once, and again if an earlier version stored a useless file. */
static void
test_load (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  begin (fixture, "");
  expect (fixture, "Lamps");
  expect (fixture, "Lamps");
  g_assert_cmpuint (count_requests (fixture), ==, 1);

  library_fixture_close (&fixture->library);
  open_and_wait (fixture, NULL);
  expect (fixture, "Lamps");
  g_assert_cmpuint (count_requests (fixture), ==, 1);

  path = dup_path (fixture);
  g_assert_true (g_file_set_contents (path, PORTAL, -1, NULL));
  expect (fixture, "Lamps");
  expect (fixture, "Lamps");
  g_assert_cmpuint (count_requests (fixture), ==, 2);
}

/* An HTML page is not stored: the next load requests the document again. */
static void
test_page (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  begin (fixture, "");
  ear_test_server_put (fixture->server, "/1.json", "text/html", PORTAL);
  expect_error (fixture, EAR_ERROR_DAMAGED);
  path = dup_path (fixture);
  g_assert_false (exists (path));
  ear_test_server_put (fixture->server, "/1.json", "application/json", CHAPTERS ("Lamps"));
  expect (fixture, "Lamps");
}

static void
test_failed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  begin (fixture, "/lost");
  ear_test_server_put_way (fixture->server, "/lost/1.json", "/~status=404/1.json");
  expect_error (fixture, EAR_ERROR_NOT_FOUND);
  path = dup_path (fixture);
  g_assert_false (exists (path));

  ear_test_server_put_way (fixture->server, "/lost/1.json", "/1.json");
  expect (fixture, "Lamps");
  g_assert_true (exists (path));
}

static void
test_too_large (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) large = g_bytes_new_take (g_malloc0 (EAR_DOCUMENT_LIMIT + 1), EAR_DOCUMENT_LIMIT + 1);

  begin (fixture, "");
  ear_test_server_put_bytes (fixture->server, "/1.json", "application/json", large);
  expect_error (fixture, EAR_ERROR_TOO_LARGE);
}

static void
test_cut_off (Fixture *fixture, gconstpointer data)
{
  begin (fixture, "/~cut=10");
  expect_error (fixture, EAR_ERROR_INCOMPLETE);
}

/* The login of the podcast is sent to its own server only. */
static void
test_login (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLogin) login = ear_login_new (EAR_TEST_USER, EAR_TEST_PASSWORD);
  const char *other = "https://example.org/1.json";

  begin (fixture, "/~status=401");
  ear_keyring_try (fixture->library->services.keyring, ear_podcast_get_address (get_podcast (fixture)), other, login);
  expect_error (fixture, EAR_ERROR_UNAUTHORIZED);

  ear_keyring_try (fixture->library->services.keyring, ear_podcast_get_address (get_podcast (fixture)),
                   ear_podcast_get_feed_address (get_podcast (fixture)), login);
  expect (fixture, "Lamps");
}

static void
make_old (const char *path, guint days)
{
  const struct utimbuf then = { .modtime =
                                    g_get_real_time () / G_USEC_PER_SEC - days * 24 * 60 * 60 };

  g_assert_cmpint (utime (path, &then), ==, 0);
}

/* A symbolic link in place of the file is neither read nor written through. */
static void
test_hostile_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autofree char *elsewhere = g_build_filename (fixture->folder, "elsewhere", NULL);
  g_autofree char *text = NULL;

  begin (fixture, "");
  expect (fixture, "Lamps");
  path = dup_path (fixture);
  g_assert_true (g_file_set_contents (elsewhere, "secret", -1, NULL));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink (elsewhere, path), ==, 0);
  expect (fixture, "Lamps");
  g_assert_true (g_file_get_contents (elsewhere, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "secret");
}

static void
download (Fixture *fixture)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, 1);

  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
}

/* A document is fetched with a download. */
static void
test_download (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  begin (fixture, "");
  path = dup_path (fixture);
  download (fixture);
  EAR_TEST_WAIT_UNTIL (exists (path));
  ear_test_server_remove (fixture->server, "/1.json");
  expect (fixture, "Lamps");
  g_assert_cmpuint (count_requests (fixture), ==, 1);
}

static void
reopen (Fixture *fixture)
{
  library_fixture_close (&fixture->library);
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_loaded (ear_library_get_downloader (fixture->library)));
}

/* Old documents are deleted, except those of downloads and other programs. */
static void
test_old (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *path = NULL;
  g_autofree char *foreign = g_build_filename (fixture->data, "documents", "letter.txt", NULL);

  begin (fixture, "");
  path = dup_path (fixture);
  download (fixture);
  EAR_TEST_WAIT_UNTIL (exists (path));
  g_assert_true (g_file_set_contents (foreign, "Dear", -1, NULL));
  make_old (path, 100);
  make_old (foreign, 100);
  reopen (fixture);
  ear_test_spin (100);
  g_assert_true (exists (path));

  episode = dup_episode (fixture, 1);
  ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
  g_clear_object (&episode);
  reopen (fixture);
  EAR_TEST_WAIT_UNTIL (!exists (path));
  g_assert_true (exists (foreign));
}

#define VTT "WEBVTT\n\n00:00:01.000 --> 00:00:05.000\nTerns came first.\n"
#define SRT "1\n00:00:01,000 --> 00:00:05,000\nTerns came second.\n"

static void
transcript_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  answer->transcript = ear_documents_load_finish (result, &answer->error);
  answer->answered = TRUE;
}

static Answer
load_transcript (Fixture *fixture)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, 1);
  Answer answer = { 0 };

  ear_documents_load_async (ear_library_get_documents (fixture->library), episode, EAR_DOCUMENT_TRANSCRIPT, NULL,
                            transcript_loaded_cb, &answer);
  EAR_TEST_WAIT_UNTIL (answer.answered);

  return answer;
}

/* @text: the first sentence */
static void
expect_said (Fixture *fixture, const char *text)
{
  g_auto (Answer) answer = load_transcript (fixture);

  g_assert_no_error (answer.error);
  g_assert_cmpstr (ear_transcript_get (answer.transcript, 0)->text, ==, text);
}

static void
expect_nothing_said (Fixture *fixture, EarError code)
{
  g_auto (Answer) answer = load_transcript (fixture);

  g_assert_null (answer.transcript);
  g_assert_error (answer.error, EAR_ERROR, (int) code);
}

static char *
dup_transcript_path (Fixture *fixture, const char *name)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, name);

  return dup_path_of (fixture, address);
}

static gboolean
finds (Fixture *fixture, const char *words)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, words);
  g_autoptr (EarEpisodeList) list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);

  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_loading (list));

  return g_list_model_get_n_items (G_LIST_MODEL (list)) == 1;
}

/* If the best transcript is missing, the next one is used, until the best is
 * available. */
static void
test_next_transcript (Fixture *fixture, gconstpointer data)
{
  g_autofree char *next = NULL;

  begin (fixture, "");
  expect_nothing_said (fixture, EAR_ERROR_NOT_FOUND);
  ear_test_server_put (fixture->server, "/1.srt", "application/x-subrip", SRT);
  expect_said (fixture, "Terns came second.");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/1.vtt"), ==, 2);
  expect_said (fixture, "Terns came second.");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/1.vtt"), ==, 2);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/1.srt"), ==, 2);
  EAR_TEST_WAIT_UNTIL (finds (fixture, "terns second"));

  ear_test_server_put (fixture->server, "/1.vtt", "text/vtt", VTT);
  next = dup_transcript_path (fixture, "/1.srt");
  make_old (next, 8);
  reopen (fixture);
  EAR_TEST_WAIT_UNTIL (!exists (next));
  expect_said (fixture, "Terns came first.");
}

/* A page in place of the best transcript does not count; the error of the best one is
 * reported. */
static void
test_transcript_page (Fixture *fixture, gconstpointer data)
{
  g_autofree char *best = NULL;

  begin (fixture, "");
  ear_test_server_put (fixture->server, "/1.vtt", "text/html", PORTAL);
  ear_test_server_put (fixture->server, "/1.html", "text/html", PORTAL);
  expect_nothing_said (fixture, EAR_ERROR_WEB_PAGE);
  ear_test_server_put (fixture->server, "/1.srt", "application/x-subrip", SRT);
  expect_said (fixture, "Terns came second.");
  best = dup_transcript_path (fixture, "/1.vtt");
  g_assert_false (exists (best));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/documents/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("load", test_load);
  ADD ("page", test_page);
  ADD ("failed", test_failed);
  ADD ("too-large", test_too_large);
  ADD ("cut-off", test_cut_off);
  ADD ("login", test_login);
  ADD ("hostile-file", test_hostile_file);
  ADD ("download", test_download);
  ADD ("old", test_old);
  ADD ("next-transcript", test_next_transcript);
  ADD ("transcript-page", test_transcript_page);

  return g_test_run ();
}
