/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include "ear-time.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file of a podcast: its episodes' marks and its settings, here and on other machines */

#define NOTIFICATIONS EAR_PODCAST_SETTING_NOTIFICATIONS
#define INTERVAL EAR_PODCAST_SETTING_REFRESH_INTERVAL
#define FILTER EAR_PODCAST_SETTING_FILTER
#define SORT EAR_PODCAST_SETTING_SORT

/* A podcast's file with one episode, as another machine may write it */
#define FILE_OF(guid, members) PODCAST_FILE ("\"" guid "\": {" members "}")

static void
test_file (Fixture *fixture, gconstpointer data)
{
  const gint64 then = G_GINT64_CONSTANT (1767323045000006);
  const EarEpisodeState state = { .position = 12345000, .position_updated = then, .listened = TRUE, .listened_updated = then + SECOND - 6 };
  g_autoptr (EarEpisode) episode = new_episode (ADDRESS, "g1");
  g_autofree char *text = NULL;
  struct stat info;

  fixture_open (fixture, 60000);
  set_state (fixture->store, episode, &state);
  flush (fixture->store, NULL);
  text = fixture_read (fixture, ADDRESS);
  /* Where a file that is cut off has them still */
  g_assert_true (g_str_has_prefix (text, "{\n  \"version\": 1,\n  \"kind\": \"podcast\",\n"));
  fixture_wait_for_text (fixture, ADDRESS,
                         "\n        \"value\": 12.345,\n"
                         "        \"updated\": \"2026-01-02T03:04:05.000006Z\"\n");
  assert_json (fixture, ADDRESS, "episodes g1 title", "Episode g1");
  assert_json (fixture, ADDRESS, "episodes g1 listened updated", "2026-01-02T03:04:06.000000Z");

  /* URLs may contain passwords. */
  g_assert_cmpint (stat (fixture_get_path (fixture, ADDRESS), &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);

  fixture_close (fixture);
  fixture_load (fixture);
  g_assert_cmpuint (fixture->n_podcast_changed, ==, 1);
  g_assert_cmpuint (g_hash_table_size (fixture->states), ==, 1);
  g_assert_cmpmem (fixture_get_told (fixture, "g1"), sizeof state, &state, sizeof state);
  g_assert_cmpuint (fixture_count (fixture, ".tmp"), ==, 0);
}

static guint
count_renames (int notify, const char *name)
{
  char buffer[65536] __attribute__ ((aligned (__alignof__ (struct inotify_event))));
  guint n = 0;
  gssize length;

  while ((length = read (notify, buffer, sizeof buffer)) > 0)
    for (char *at = buffer; at < buffer + length; at += sizeof (struct inotify_event) + ((struct inotify_event *) at)->len)
      n += ((struct inotify_event *) at)->len > 0 && g_str_equal (((struct inotify_event *) at)->name, name);

  return n;
}

/* Many changes make one write, and so does a flush. */
static void
test_coalescing (Fixture *fixture, gconstpointer data)
{
  const char *name = name_of (ADDRESS);
  g_autofd int notify = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);

  g_assert_cmpint (g_mkdir_with_parents (fixture->path, 0700), ==, 0);
  g_assert_cmpint (inotify_add_watch (notify, fixture->path, IN_MOVED_TO), >=, 0);
  fixture_open (fixture, 300);
  for (guint i = 1; i <= 100; i++)
    set_position (fixture->store, ADDRESS, i % 2 ? "g1" : "g2", i * SECOND);
  ear_test_spin (100);
  g_assert_cmpuint (count_renames (notify, name), ==, 0);
  ear_test_spin (600);
  g_assert_cmpuint (count_renames (notify, name), ==, 1);

  for (guint i = 1; i <= 100; i++)
    set_mark (fixture->store, ADDRESS, "g1", EAR_MARK_LIKED, i % 2);
  flush (fixture->store, NULL);
  g_assert_cmpuint (count_renames (notify, name), ==, 1);
  ear_test_spin (600);
  g_assert_cmpuint (count_renames (notify, name), ==, 0);

  /* The store does not report its own writes as changes. */
  g_assert_cmpuint (fixture->n_podcast_changed, ==, 0);
}

/* Only newer values from outside are reported, and older ones are overwritten. */
static void
test_outside (Fixture *fixture, gconstpointer data)
{
  const gint64 later = g_get_real_time () + 3600 * SECOND;
  g_autofree char *stamp = ear_stamp_format (later);
  const char *text = ear_test_format (FILE_OF ("g1", "\"position\": " STAMPED ("5", "2026-01-02")
                                                          ", \"listened\": {\"value\": true, \"updated\": \"%s\"}"), stamp);

  fixture_load (fixture);
  set_position (fixture->store, ADDRESS, "g1", 77 * SECOND);
  flush (fixture->store, NULL);

  fixture_write (fixture, ADDRESS, text);
  EAR_TEST_WAIT_UNTIL (fixture->n_podcast_changed > 0);
  const EarEpisodeState *told = fixture_get_told (fixture, "g1");
  g_assert_true (told->listened);
  g_assert_cmpint (told->listened_updated, ==, later);
  g_assert_cmpint (told->position_updated, ==, 0);
  g_assert_cmpint (told->liked_updated, ==, 0);

  fixture_wait_for_text (fixture, ADDRESS, "\"value\": 77.0");
  assert_json (fixture, ADDRESS, "episodes g1 position value", "77.0");
  assert_json (fixture, ADDRESS, "episodes g1 listened value", "true");
  g_assert_cmpuint (fixture->n_podcast_changed, ==, 1);
}

/* A person edits a value and leaves the stamp: the change counts. */
static void
test_edited_by_hand (Fixture *fixture, gconstpointer data)
{
  static const char after[] = FILE_OF ("g1", "\"listened\": " STAMPED ("true", "2026-01-02"));

  fixture_write (fixture, ADDRESS, FILE_OF ("g1", "\"listened\": " STAMPED ("false", "2026-01-02")));
  fixture_load (fixture);
  g_assert_false (fixture_get_told (fixture, "g1")->listened);
  fixture_forget (fixture);

  /* Written in place, and in two parts: the incomplete file does not count as damaged. */
  FILE *file = fopen (fixture_get_path (fixture, ADDRESS), "w");
  fwrite (after, 1, 40, file);
  fflush (file);
  g_usleep (400 * 1000);
  fputs (after + 40, file);
  fclose (file);
  EAR_TEST_WAIT_UNTIL (fixture->n_podcast_changed > 0);
  g_assert_true (fixture_get_told (fixture, "g1")->listened);
  fixture_wait_for_text (fixture, ADDRESS, "2026-01-02T00:00:00.000001Z");
  assert_json (fixture, ADDRESS, "episodes g1 listened updated", "2026-01-02T00:00:00.000001Z");
  g_assert_cmpuint (fixture->set_aside->len, ==, 0);
}

#define N_OF_TWO 60

/* Two instances in one folder, for the same podcast, taking turns and at once */
static void
test_two_stores (Fixture *fixture, gconstpointer data)
{
  fixture_open (fixture, 5);
  g_autoptr (EarUserdataStore) other = ear_userdata_store_new (fixture->path, 3);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  ear_userdata_store_load_podcast (other, ADDRESS);
  for (guint i = 0; i < N_OF_TWO; i++)
    {
      const char *guid = ear_test_format ("g%u", i);

      set_position (i % 2 ? fixture->store : other, ADDRESS, guid, (i + 1) * SECOND);
      like (i % 2 ? other : fixture->store, ADDRESS, guid);
      ear_test_spin (i % 7);
    }
  /* Both change one episode: the last change wins. */
  for (guint i = 0; i < 20; i++)
    {
      set_position (i % 2 ? fixture->store : other, ADDRESS, "g0", (100 + i) * SECOND);
      ear_test_spin (i % 5);
    }
  flush (fixture->store, NULL);
  flush (other, NULL);

  for (guint i = 0; i < N_OF_TWO; i++)
    {
      const char *position = ear_test_format ("%u.0", i == 0 ? 119 : i + 1);

      assert_json (fixture, ADDRESS, ear_test_format ("episodes g%u position value", i), position);
      assert_json (fixture, ADDRESS, ear_test_format ("episodes g%u liked value", i), "true");
    }
  /* The other instance's changes were reported. */
  EAR_TEST_WAIT_UNTIL (g_hash_table_size (fixture->states) == N_OF_TWO);
}

static void
test_clock (Fixture *fixture, gconstpointer data)
{
  const gint64 ahead = g_get_real_time () + 3600 * SECOND;
  const EarEpisodeState stale = { .liked = FALSE, .liked_updated = g_get_real_time () - 60 * SECOND };
  g_autoptr (EarEpisode) old = new_episode (ADDRESS, "old");
  g_autofree char *hour = ear_stamp_format (ahead);
  g_autofree char *after = ear_stamp_format (ahead + 1);
  const char *text = ear_test_format (PODCAST_FILE ("\"soon\": {\"liked\": {\"value\": true, \"updated\": \"%s\"}},"
                                                         "\"late\": {\"liked\": " STAMPED ("true", "2101-01-01") "},"
                                                         "\"old\": {\"liked\": {\"value\": true, \"updated\": \"%s\"}}"), hour, hour);

  fixture_write (fixture, ADDRESS, text);
  fixture_open (fixture, 60000);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  set_mark (fixture->store, ADDRESS, "soon", EAR_MARK_LIKED, FALSE);
  set_mark (fixture->store, ADDRESS, "late", EAR_MARK_LIKED, FALSE);
  set_state (fixture->store, old, &stale);
  flush (fixture->store, NULL);

  /* No stamp is passed on that later ones could never exceed. */
  g_assert_cmpint (fixture_get_told (fixture, "late")->liked_updated, ==, EAR_STAMP_OLDEST);
  assert_json (fixture, ADDRESS, "episodes soon liked value", "false");
  assert_json (fixture, ADDRESS, "episodes soon liked updated", after);
  assert_json (fixture, ADDRESS, "episodes late liked value", "false");
  g_autofree char *late = fixture_get (fixture, ADDRESS, "episodes late liked updated");
  g_assert_cmpstr (late, <, after);
  assert_json (fixture, ADDRESS, "episodes old liked value", "true");
}

static void
rename_episode (Fixture *fixture, const char *guid, const char *alias)
{
  const EarEpisodeState none = { 0 };
  g_autoptr (EarMarks) marks = ear_marks_new (&none, 0);

  ear_marks_add_podcast (marks, ADDRESS, NULL, NULL);
  ear_marks_add (marks, 0, (EarMarkedEpisode) { .guid = guid, .alias = alias });
  ear_userdata_store_keep (fixture->store, marks);
}

/* An episode whose guid the feed changed is found by its other guids. */
static void
test_aliases (Fixture *fixture, gconstpointer data)
{
  fixture_write (fixture, ADDRESS, FILE_OF ("old", "\"aliases\": [\"new\", 5, null], \"position\": " STAMPED ("5", "2026-01-02")));
  fixture_open (fixture, 60000);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  set_position (fixture->store, ADDRESS, "new", 8 * SECOND);
  flush (fixture->store, NULL);
  g_assert_cmpint (fixture_get_told (fixture, "new")->position, ==, 5 * SECOND);
  g_assert_cmpint (fixture_get_told (fixture, "old")->position, ==, 5 * SECOND);
  assert_json (fixture, ADDRESS, "episodes old position value", "8.0");
  assert_json (fixture, ADDRESS, "episodes #", "1");

  /* Two changes before the next write */
  rename_episode (fixture, "old", "newer");
  rename_episode (fixture, "old", "newest");
  rename_episode (fixture, "without marks", "other");
  flush (fixture->store, NULL);
  assert_json (fixture, ADDRESS, "episodes old aliases", "[\"new\",5,null,\"newer\",\"newest\"]");
  assert_json (fixture, ADDRESS, "episodes #", "1");
}

/* Synchronizing programs keep both of two files that were changed at once: of now.json, and while
 * the program runs. Others are in the corpus. */
static void
test_conflict_copies (Fixture *fixture, gconstpointer data)
{
  const char *nextcloud = ear_test_format ("%.32s (conflicted copy 2026-01-02 030405).json", name_of (ADDRESS));

  fixture_write (fixture, "now.sync-conflict-20260102-030405-ABCDEFG.json",
                 "{\"version\": 1, \"kind\": \"now\", \"address\": \"" OTHER "\", \"guid\": \"o1\", \"position\": " STAMPED ("9", "2026-01-03") "}");
  fixture_open (fixture, 20);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  ear_userdata_store_load_podcast (fixture->store, OTHER);
  flush (fixture->store, NULL);
  g_assert_cmpint (fixture_get_told (fixture, "o1")->position, ==, 9 * SECOND);

  /* A conflict copy that arrives later */
  fixture_forget (fixture);
  fixture_write (fixture, nextcloud, FILE_OF ("g2", "\"liked\": " STAMPED ("true", "2026-01-03")));
  EAR_TEST_WAIT_UNTIL (fixture->n_podcast_changed > 0);
  g_assert_true (fixture_get_told (fixture, "g2")->liked);
  g_assert_cmpuint (g_hash_table_size (fixture->states), ==, 1);
  g_assert_cmpuint (fixture_count (fixture, ".merged-"), ==, 2);
  g_assert_cmpuint (fixture_count (fixture, "conflict"), ==, 2);
}

/* Canceling only ends the wait: the data is written all the same. */
static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 60000);
  like (fixture->store, ADDRESS, "g1");
  ear_userdata_store_back_up_async (fixture->store, EAR_BACKUP_BY_HAND, cancellable, ear_test_result_cb, &result);
  g_cancellable_cancel (cancellable);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  ear_userdata_store_finish (fixture->store, result, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_object (&result);
  g_assert_cmpuint (fixture_count (fixture, ADDRESS), ==, 1);
}

/* A store is dropped before its thread answers; its folder is not created. */
static void
test_dropped_early (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 50; i++)
    {
      EarUserdataStore *store = ear_userdata_store_new (fixture->path, EAR_USERDATA_DELAY);

      ear_userdata_store_ask_async (store, EAR_USERDATA_FLUSH, NULL, NULL);
      ear_userdata_store_load_podcast (store, ADDRESS);
      ear_userdata_store_ask_async (store, EAR_USERDATA_NOW, NULL, NULL);
      ear_test_finalize (store);
    }
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

static void
test_symlinked_folder (Fixture *fixture, gconstpointer data)
{
  const char *real = ear_test_format ("%s/synchronised", fixture->top);
  g_autofree char *parent = g_path_get_dirname (fixture->path);

  g_assert_cmpint (g_mkdir (real, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (parent, 0700), ==, 0);
  g_assert_cmpint (symlink (real, fixture->path), ==, 0);
  fixture_open (fixture, 20);
  like (fixture->store, ADDRESS, "g1");
  flush (fixture->store, NULL);
  const char *path = ear_test_format ("%s/%s", real, name_of (ADDRESS));
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_IS_SYMLINK));
}

/* --- Settings of one podcast ---------------------------------------------------------- */

static void
set (EarUserdataStore *store, EarPodcastSetting setting, int value, gint64 stamp)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, ADDRESS);
  EarPodcastSettings settings;

  ear_podcast_set_title (podcast, "The Lighthouse Hour");
  ear_podcast_settings_init (&settings);
  settings.values[setting] = value;
  settings.updated[setting] = stamp;
  ear_userdata_store_set_settings (store, podcast, &settings);
  flush (store, NULL);
}

static void
load_settings (Fixture *fixture)
{
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  EAR_TEST_WAIT_UNTIL (fixture->n_settings_changed > 0);
}

/* Two machines with one folder: of each setting, the later change counts, in either order of writing.
 * A backup restores everything, whatever was set since, and whatever another machine's clock shows. */
static void
test_settings (Fixture *fixture, gconstpointer data)
{
  const gint64 now = g_get_real_time ();
  g_autofree char *later = ear_stamp_format (now + 1);

  fixture_open (fixture, 10);
  set (fixture->store, SORT, 1, now - 10 * SECOND);
  set (fixture->store, NOTIFICATIONS, FALSE, now - 2 * SECOND);
  g_assert_cmpuint (fixture->n_settings_changed, ==, 0);
  assert_json (fixture, ADDRESS, "title", "The Lighthouse Hour");
  g_autoptr (EarUserdataStore) other = ear_userdata_store_new (fixture->path, 10);
  set (other, SORT, 3, now - 4 * SECOND);
  set (other, NOTIFICATIONS, TRUE, now - 30 * SECOND);
  load_settings (fixture);
  set (fixture->store, INTERVAL, 15, now);
  assert_json (fixture, ADDRESS, "settings sort value", "longest");
  assert_json (fixture, ADDRESS, "settings notifications value", "false");
  assert_json (fixture, ADDRESS, "settings refresh-interval value", "15");
  g_assert_cmpint (fixture->settings.values[SORT], ==, 3);

  g_autoptr (EarBackup) backup = back_up (fixture->store, EAR_BACKUP_BY_HAND, NULL);
  set (fixture->store, INTERVAL, 0, now + 1);
  set (fixture->store, FILTER, 2, now + 1);
  fixture_reopen (fixture);
  fixture_forget (fixture);
  load_settings (fixture);
  g_assert_cmpint (fixture->settings.values[INTERVAL], ==, 0);
  g_assert_cmpint (fixture->settings.values[FILTER], ==, 2);
  g_assert_cmpint (fixture->settings.values[NOTIFICATIONS], ==, FALSE);

  fixture_forget (fixture);
  restore (fixture->store, backup->path, FALSE, NULL);
  assert_json (fixture, ADDRESS, "settings refresh-interval value", "15");
  assert_json (fixture, ADDRESS, "settings filter value", "all");
  g_autofree char *interval = fixture_get (fixture, ADDRESS, "settings refresh-interval updated");
  g_autofree char *filter = fixture_get (fixture, ADDRESS, "settings filter updated");
  g_assert_cmpstr (interval, >, later);
  g_assert_cmpstr (filter, >, later);
  EAR_TEST_WAIT_UNTIL (fixture->n_settings_changed > 0);
  g_assert_cmpint (fixture->settings.values[INTERVAL], ==, 15);
}

/* Only valid values get into the file. Values unknown to this version stay until the listener sets
 * another one, and a member that is no object is only replaced when there is a value to store. */
static void
test_settings_unknown (Fixture *fixture, gconstpointer data)
{
  static const char *const members[] = { "[1,2]", "null" };

  fixture_open (fixture, 10);
  set (fixture->store, FILTER, 99, g_get_real_time ());
  set (fixture->store, INTERVAL, -7, g_get_real_time ());
  g_assert_cmpuint (fixture_count (fixture, ".json"), ==, 0);
  fixture_close (fixture);

  fixture_write (fixture, ADDRESS, STATE_FILE ("podcast", "settings", "\"tempo\": " STAMPED ("1.5", "2026-11-21") ", "
                                               "\"filter\": {\"value\": \"starred\", \"by\": \"phone\", \"updated\": \"2026-11-21T02:00:00Z\"}"));
  fixture_open (fixture, 10);
  set (fixture->store, INTERVAL, 60, g_get_real_time ());
  assert_json (fixture, ADDRESS, "settings filter value", "starred");
  assert_json (fixture, ADDRESS, "settings tempo value", "1.5");
  set (fixture->store, FILTER, 3, g_get_real_time ());
  assert_json (fixture, ADDRESS, "settings filter value", "liked");
  assert_json (fixture, ADDRESS, "settings filter by", "phone");

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      fixture_close (fixture);
      fixture_write (fixture, ADDRESS, ear_test_format ("{\"version\": 1, \"kind\": \"podcast\", \"settings\": %s}", members[i]));
      fixture_open (fixture, 10);
      like (fixture->store, ADDRESS, "g1");
      flush (fixture->store, NULL);
      assert_json (fixture, ADDRESS, "settings", members[i]);
      set (fixture->store, NOTIFICATIONS, FALSE, g_get_real_time ());
      assert_json (fixture, ADDRESS, "settings notifications value", "false");
    }
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/userdata-store/file", test_file },
    { "/userdata-store/coalescing", test_coalescing },
    { "/userdata-store/outside", test_outside },
    { "/userdata-store/edited-by-hand", test_edited_by_hand },
    { "/userdata-store/two-stores", test_two_stores },
    { "/userdata-store/clock", test_clock },
    { "/userdata-store/aliases", test_aliases },
    { "/userdata-store/conflict-copies", test_conflict_copies },
    { "/userdata-store/cancel", test_cancel },
    { "/userdata-store/dropped-early", test_dropped_early },
    { "/userdata-store/symlinked-folder", test_symlinked_folder },
    { "/userdata-settings/settings", test_settings },
    { "/userdata-settings/unknown", test_settings_unknown },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
