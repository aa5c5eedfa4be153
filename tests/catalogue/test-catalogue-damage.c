/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include "ear-error.h"

/* Damaged catalogues, those of other versions, failing writes, and reading alone */

#define EXIT "SELECT value FROM meta WHERE key = 'exit'"

/* Opens the catalogue again, which is a new one that works. */
static void
reopen_damaged (Fixture *fixture)
{
  fixture_reopen (fixture);
  expect_told (fixture, "damaged catalogue.db.damaged; ");
  g_assert_cmpint (count_podcasts (fixture->catalogue), ==, 0);
  store_one (fixture->catalogue, follow (fixture, "new"), make_episode ("a", "A", NEWEST, NULL));
  assert_log (fixture, "inserted 1: 1; ");
}

/* A file of an earlier version is set aside silently, until the new one has a copy. */
static void
test_older_version (Fixture *fixture, gconstpointer data)
{
  const char *log = ear_test_format ("%s.version-wal", fixture->path);

  g_assert_true (make_copy (fixture->catalogue, NULL));
  fixture_close (fixture);
  read_number (fixture->path, "PRAGMA user_version = 15");
  fixture_open (fixture);
  g_assert_true (g_file_set_contents (log, "of the earlier version", -1, NULL));
  store_one (fixture->catalogue, follow (fixture, "new"), make_episode ("a", "A", NEWEST, NULL));
  assert_log (fixture, "inserted 1: 1; ");
  g_assert_cmpint (ear_catalogue_get_last_copy (fixture->catalogue), ==, 0);
  g_assert_cmpuint (count_files (fixture, ".version"), ==, 1);
  g_assert_true (make_copy (fixture->catalogue, NULL));
  g_assert_cmpuint (count_files (fixture, ".version"), ==, 0);
  g_assert_false (g_file_test (log, G_FILE_TEST_EXISTS));
}

/* A catalogue of a later version is reported, and left unchanged to the byte. An unreadable file is
 * not damaged: it stays, too. */
static void
test_newer_version (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);
  g_autofree char *folder = g_path_get_dirname (fixture->path);
  g_autoptr (GError) error = NULL;

  fixture_close (fixture);
  read_number (fixture->path, "PRAGMA user_version = 1000");
  g_autoptr (GBytes) before = g_file_load_bytes (file, NULL, NULL, NULL);
  g_assert_null (ear_catalogue_read (fixture->path, g_main_context_default (), &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NEWER);
  g_autoptr (GBytes) after = g_file_load_bytes (file, NULL, NULL, NULL);
  g_assert_true (g_bytes_equal (before, after));
  g_assert_cmpuint (count_files (fixture, "."), ==, 0);

  g_clear_error (&error);
  g_assert_null (ear_catalogue_read (folder, g_main_context_default (), &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  g_assert_true (g_file_test (folder, G_FILE_TEST_IS_DIR));
}

/* Changes a letter of a guid, in the index or in the row. All pages stay valid. */
static void
spoil_guid (const char *path, const char *guid)
{
  const gsize length = strlen (guid);
  g_autofree char *content = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  char *found = memmem (content, size, guid, length);
  while (found != NULL && (found[-1] == '/' || found[length] == '.'))
    found = memmem (found + 1, (gsize) (content + size - found - 1), guid, length);
  g_assert_nonnull (found);
  found[length - 1] = 'x';
  g_assert_true (g_file_set_contents (path, content, (gssize) size, NULL));
}

/* The catalogue opens at once, and the damage is found later. */
static void
test_found_later (Fixture *fixture, gconstpointer data)
{
  fill (fixture, "one", "e", 500);
  fixture_close (fixture);
  read_number (fixture->path, "UPDATE meta SET value = 0");
  if (g_str_equal (data, "pages"))
    spoil_page_with (fixture->path, "Episode 250 of e");
  else
    spoil_guid (fixture->path, "e-250");
  fixture_forget (fixture);
  fixture_open (fixture);
  g_assert_cmpint (count_podcasts (fixture->catalogue), ==, 1);
  ear_catalogue_check_integrity (fixture->catalogue);
  expect_told (fixture, "damage found; ");
  reopen_damaged (fixture);
}

/* A file is marked as in use until a regular exit. An intact catalogue raises no alarm. */
static void
test_whole (Fixture *fixture, gconstpointer data)
{
  static const char *const exits[] = { "UPDATE meta SET value = 0", "UPDATE meta SET value = 2", "UPDATE meta SET value = 'x'" };

  assert_number (fixture, EXIT, 1);
  fill (fixture, "one", "e", 500);
  assert_number (fixture, EXIT, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (exits); i++)
    {
      fixture_close (fixture);
      read_number (fixture->path, exits[i]);
      fixture_forget (fixture);
      fixture_open (fixture);
      ear_catalogue_check_integrity (fixture->catalogue);
      /* The copy is made after the check. */
      g_assert_true (make_copy (fixture->catalogue, NULL));
      assert_log (fixture, "");
    }
  fixture_close (fixture);
  assert_number (fixture, EXIT, 1);
}

/* Damage found during normal use starts a check at once. */
static void
test_damage_at_work (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL);
  g_autoptr (GAsyncResult) result = NULL;

  fill (fixture, "one", "e", 2000);
  fixture_close (fixture);
  spoil_page_with (fixture->path, "Episode 1000 of e");
  fixture_forget (fixture);
  fixture_open (fixture);
  ear_catalogue_read_async (fixture->catalogue, ear_read_query (query, 0), NULL, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_assert_null (ear_catalogue_read_finish (fixture->catalogue, result, NULL));
  g_clear_object (&result);
  expect_told (fixture, "damage found; ");
  reopen_damaged (fixture);
}

static void
assert_etag (Fixture *fixture, EarPodcast *podcast, const char *etag)
{
  flush (fixture->catalogue);
  g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_cmpstr (check->etag, ==, etag);
}

/* A full disk is reported, nothing is stored in part, and the feed is requested again. */
static void
test_failure (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);

  /* One episode that cannot be stored stands for a full disk. */
  fill_disk (fixture, "INSERT ON episode WHEN NEW.guid = 'e-2'");
  store (fixture->catalogue, podcast, episodes);
  store_one (fixture->catalogue, podcast, make_episode ("good", "Good", NEWEST + 1, NULL));
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  flush (fixture->catalogue);
  g_assert_true (g_str_has_prefix (fixture->log->str, "failed 0, episodes lost; inserted 1: 1; "));
  assert_newest (fixture, podcast, "good");
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "One");
  assert_etag (fixture, podcast, NULL);

  free_disk (fixture);
  fixture_forget (fixture);
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  assert_log (fixture, "inserted 1: 3; ");
  assert_etag (fixture, podcast, "\"tag\"");
}

/* The feed is requested again, too, if the transaction of a part could not even begin. */
static void
test_failed_begin (Fixture *fixture, gconstpointer data)
{
  const gint64 id = ear_podcast_get_id (follow (fixture, "one"));
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);

  fixture_reopen (fixture);
  EarPodcast *podcast = ear_catalogue_get_podcast (fixture->catalogue, id);
  /* The first transaction marks the file as in use before all else. */
  fill_disk (fixture, "UPDATE ON meta");
  store (fixture->catalogue, podcast, episodes);
  assert_log (fixture, "failed 0, episodes lost; ");
  free_disk (fixture);
  store_one (fixture->catalogue, podcast, make_episode ("good", "Good", NEWEST + 1, NULL));
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  assert_newest (fixture, podcast, "good");
  assert_etag (fixture, podcast, NULL);
}

/* A failure does not affect another response of the same transaction. */
static void
test_failed_neighbor (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *neighbor = follow (fixture, "two");
  EarEpisodeFacts *renamed = with_media (make_episode ("new", "Title", NEWEST, NULL),
                                         "https://example.org/audio/old.mp3");

  store_one (fixture->catalogue, neighbor, make_episode ("old", "Title", NEWEST, NULL));
  finish_answer (fixture->catalogue, neighbor, "Two", "\"1\"", TRUE);
  store_later (fixture->catalogue, neighbor, renamed);
  fill_disk (fixture, "INSERT ON episode WHEN NEW.guid = 'bad'");
  store_one (fixture->catalogue, podcast, make_episode ("bad", "Bad", NEWEST, NULL));
  finish_answer (fixture->catalogue, neighbor, "Two", "\"2\"", TRUE);
  assert_etag (fixture, neighbor, "\"2\"");
  assert_newest (fixture, NULL, "old");
}

/* The disk was full when the podcast was followed, and is not any more before its feed
 * ends: lost episodes are reported, and the feed is requested again. */
static void
test_late_row (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);

  fill_disk (fixture, "INSERT ON podcast");
  EarPodcast *podcast = follow (fixture, "one");
  /* Reported once, though storing it is tried again. */
  assert_log (fixture, "failed 0, episodes lost; ");
  assert_log (fixture, "failed 0, episodes lost; ");
  ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);

  free_disk (fixture);
  store_one (fixture->catalogue, podcast, make_episode ("older", "Older", NEWEST - 9 * DAY, NULL));
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  assert_newest (fixture, podcast, "older");
  assert_etag (fixture, podcast, NULL);

  ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  assert_etag (fixture, podcast, "\"tag\"");
}

/* Media URLs and guids, which are uploaded by sync, are valid UTF-8 even in a damaged file. */
static void
test_invalid_text (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "e", 1);
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_media_marks_free);

  read_number (fixture->path, "UPDATE episode SET enclosure = 'https://example.org/' || CAST (x'ff' AS TEXT),"
                              " feed_guid = 'b' || CAST (x'ff' AS TEXT)");
  g_ptr_array_add (places, ear_media_marks_new (ear_podcast_get_id (podcast), "https://example.org/\uFFFD", NULL));
  g_autoptr (GPtrArray) found = read_now (fixture->catalogue, ear_read_media (places, G_MAXINT64));
  g_assert_cmpuint (found->len, ==, 1);
  const EarMediaMarks *marks = g_ptr_array_index (found, 0);
  g_assert_cmpstr (marks->media, ==, "https://example.org/\uFFFD");
  g_assert_cmpstr (marks->feed_guid, ==, "b\uFFFD");
}

/* --- A program started for one query alone opens the catalogue read-only -------------- */

static void
fill_with_fog (Fixture *fixture)
{
  EarPodcast *podcast = follow (fixture, "first");

  store_all (fixture->catalogue, podcast, make_episode ("a", "Fog", NEWEST, "<p>A ship</p>"),
             make_episode ("b", "Oil", NEWEST - DAY, "<p>No fog</p>"), NULL);
  flush (fixture->catalogue);
}

static void
assert_finds_all (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCatalogue) peeked = ear_catalogue_peek (fixture->path, &error);

  g_assert_no_error (error);
  ear_test_assert_text (describe_query (peeked, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "fog"),
                        "a b");
}

/* Read beside another program, and alone. Requests to the writer are ignored. */
static void
test_peek (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);

  fill_with_fog (fixture);
  assert_finds_all (fixture);
  fixture_close (fixture);
  assert_finds_all (fixture);

  g_autoptr (GBytes) before = g_file_load_bytes (file, NULL, NULL, NULL);
  g_autoptr (EarCatalogue) peeked = ear_catalogue_peek (fixture->path, NULL);
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_catalogue_get_podcasts (peeked), 0);
  g_autoptr (EarEpisode) episode = get_episode (peeked, podcast, "a");
  set_listened (peeked, episode, TRUE);
  flush (peeked);
  g_clear_object (&episode);
  g_clear_object (&podcast);
  ear_test_finalize (g_steal_pointer (&peeked));
  g_autoptr (GBytes) after = g_file_load_bytes (file, NULL, NULL, NULL);
  g_assert_true (g_bytes_equal (before, after));
}

static void
refuse_to_peek (const char *path)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ear_catalogue_peek (path, &error));
  g_assert_nonnull (error);
}

/* No file is created, migrated or set aside. */
static void
test_peek_refuses (Fixture *fixture, gconstpointer data)
{
  const char *folder = ear_test_format ("%s/missing", fixture->folder);

  refuse_to_peek (ear_test_format ("%s/catalogue.db", folder));
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));

  fill_with_fog (fixture);
  fixture_close (fixture);
  execute (fixture->path, "PRAGMA user_version = 1");
  refuse_to_peek (fixture->path);
  execute (fixture->path, "PRAGMA user_version = 999");
  refuse_to_peek (fixture->path);
  g_assert_true (g_file_set_contents (fixture->path, "no database", -1, NULL));
  refuse_to_peek (fixture->path);
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-damage/older-version", test_older_version },
    { "/catalogue-damage/newer-version", test_newer_version },
    { "/catalogue-damage/found-later/pages", test_found_later, "pages" },
    { "/catalogue-damage/found-later/index", test_found_later, "index" },
    { "/catalogue-damage/damage-at-work", test_damage_at_work },
    { "/catalogue-damage/whole", test_whole },
    { "/catalogue-damage/failure", test_failure },
    { "/catalogue-damage/failed-begin", test_failed_begin },
    { "/catalogue-damage/failed-neighbor", test_failed_neighbor },
    { "/catalogue-damage/late-row", test_late_row },
    { "/catalogue-damage/invalid-text", test_invalid_text },
    { "/catalogue-peek/finds", test_peek },
    { "/catalogue-peek/refuses", test_peek_refuses },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
