/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "ear-backups.h"
#include "ear-error.h"
#include "served-library.h"

/* Automatic copies, and restoring a library from them */

/* Whether there is one copy of the catalogue and one backup, both complete */
static gboolean
has_copies (Fixture *fixture)
{
  g_autofree char *backups = g_build_filename (fixture->data, "backups", NULL);

  return count_files (fixture->data, ".copy") == 1 && count_files (backups, ".json.gz") == 1 &&
         count_files (fixture->data, ".partial") == 0;
}

/* Opens the parts of a closed library without the library, which has a schedule of its own.
 * @delay: until the copies are due, in milliseconds */
static void
open_parts (Fixture *fixture, EarServices *parts, guint delay)
{
  g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_autofree char *state = g_build_filename (fixture->data, "state", NULL);

  parts->catalogue = ear_catalogue_read (catalogue, g_main_context_default (), NULL);
  ear_catalogue_begin (parts->catalogue);
  parts->state = ear_userdata_store_new (state, EAR_USERDATA_DELAY);
  parts->player = ear_player_new ("test");
  parts->refresher = g_object_new (EAR_TYPE_REFRESHER, NULL);
  parts->notices = ear_notices_new ();
  parts->history = ear_history_new (parts);
  parts->backups = ear_backups_new (parts);
  ear_backups_start (parts->backups, delay);
}

static void
close_parts (EarServices *parts)
{
  ear_backups_stop (parts->backups);
  ear_test_finalize (g_steal_pointer (&parts->backups));
  ear_catalogue_close (parts->catalogue);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  ear_services_clear (parts);
}

/* Stopped while working: it must not hang or leave partial files. */
static void
test_ended (Fixture *fixture, gconstpointer data)
{
  close_library (fixture);
  for (guint i = 0; i < 10; i++)
    {
      EarServices parts = { 0 };

      open_parts (fixture, &parts, 1);
      for (guint j = 0; j < i; j++)
        {
          g_main_context_iteration (NULL, FALSE);
          g_usleep (1000);
        }
      if (i % 2 == 0)
        ear_catalogue_close (parts.catalogue);
      close_parts (&parts);
    }
  g_assert_cmpuint (count_files (fixture->data, ".partial"), ==, 0);
}

/* Saves or restores a backup. Returns: (nullable): the error */
static GError *
run (Fixture *fixture, void (*start) (EarBackups *, GFile *, GAsyncReadyCallback, gpointer),
     const char *path)
{
  EarBackups *backups = fixture->parts->backups;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  g_clear_object (&fixture->undo);
  start (backups, file, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_assert_cmpint (ear_backups_finish (backups, result, &error), ==, error == NULL);
  g_test_message ("%s", error != NULL ? error->message : "no error");

  return error;
}

/* Whether this is the only played episode. A recently unfollowed podcast is in the catalogue,
 * and counted, but hidden from lists until the writer shows it again: one or two milliseconds. */
static gboolean
is_only_played (Fixture *fixture, const char *number)
{
  g_autoptr (EarEpisodeList) all = list_all (fixture);
  g_autoptr (EarEpisodeList) played =
      open_list (fixture, query_podcast (fixture, EAR_FILTER_PLAYED, EAR_SORT_NEWEST));

  return has_rows (all, 20) && are_episodes (played, number);
}

/* Restored marks show in the existing rows, and can be undone. */
static void
test_restore (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "copy.json.gz", NULL);
  EarEpisode *first = get_lamp (fixture, 1);
  g_autoptr (GAsyncResult) result = NULL;

  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  g_assert_null (run (fixture, ear_backups_save_async, path));
  ear_backups_list_async (fixture->parts->backups, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_autoptr (GPtrArray) backups = ear_backups_list_finish (result, NULL);
  g_assert_cmpuint (backups->len, ==, 1);
  EarBackup *backup = backups->pdata[0];
  g_assert_cmpuint (backup->n_podcasts, ==, 1);
  g_assert_cmpuint (backup->n_episodes, ==, 1);

  set_mark (fixture, 1, EAR_MARK_LISTENED, FALSE);
  set_mark (fixture, 2, EAR_MARK_LISTENED, TRUE);
  g_assert_null (run (fixture, ear_backups_restore_async, path));
  g_assert_nonnull (fixture->undo);
  EAR_TEST_WAIT_UNTIL (is_only_played (fixture, "1") && ear_episode_get_listened (first));
  ear_undo_run (fixture->undo);
  EAR_TEST_WAIT_UNTIL (is_only_played (fixture, "2") && !ear_episode_get_listened (first));
  g_assert_cmpstr (fixture->notices->str, ==, "");

  /* A podcast that was unfollowed meanwhile comes back with its marks. */
  unfollow (fixture);
  g_assert_null (run (fixture, ear_backups_restore_async, path));
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture) && is_settled (fixture));
  EAR_TEST_WAIT_UNTIL (is_only_played (fixture, "1"));
  g_assert_nonnull (fixture->undo);
  ear_undo_run (fixture->undo);
  EAR_TEST_WAIT_UNTIL (!has_podcast (fixture));

  write_text (path, "no backup");
  g_autoptr (GError) damaged = run (fixture, ear_backups_restore_async, path);
  g_assert_error (damaged, EAR_ERROR, EAR_ERROR_DAMAGED);
  g_assert_null (fixture->undo);
  g_autoptr (GError) not_saved = run (fixture, ear_backups_save_async, fixture->folder);
  g_assert_nonnull (not_saved);
}

/* Both copies are made once they are due, and not again. Then the whole procedure without a
 * network: damage, a copy with fewer marks, and the missing marks from the state files */
static void
test_copy_and_marks (Fixture *fixture, gconstpointer data)
{
  const gint64 start = g_get_monotonic_time ();
  g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
  EarServices parts = { 0 };

  close_library (fixture);
  open_parts (fixture, &parts, 5);
  EAR_TEST_WAIT_UNTIL (has_copies (fixture));
  /* Waits as long again, and 100 ms more. */
  ear_test_spin ((guint) ((g_get_monotonic_time () - start) / 1000) + 100);
  g_assert_true (has_copies (fixture));
  close_parts (&parts);

  open_library (fixture, NULL);
  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  close_library (fixture);
  ear_test_server_stop (fixture->server);
  write_text (catalogue, "spoilt");
  open_library (fixture, NULL);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 20);
  EAR_TEST_WAIT_UNTIL (is_only_played (fixture, "1"));
  EAR_TEST_WAIT_UNTIL (strstr (fixture->notices->str, "replaced by an earlier copy") != NULL);
}

static gboolean
has_mark_on_disk (const char *path)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, "\"listened\"") != NULL;
}

/* Without a backup, a damaged state file gets its marks from the catalogue. */
static void
test_damaged_state (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = dup_state_path (fixture);

  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  close_library (fixture);
  g_autofree char *text = read_text (path);
  strstr (text, "\"listened\"")[1] = '\xff';
  write_text (path, text);
  g_assert_false (has_mark_on_disk (path));
  open_library (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (has_mark_on_disk (path));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test)                                                                            \
  g_test_add ("/upkeep/" path, Fixture, GUINT_TO_POINTER (20), set_up_feed, test, tear_down)
  ADD ("ended", test_ended);
  ADD ("restore", test_restore);
  ADD ("copy-and-marks", test_copy_and_marks);
  ADD ("damaged-state", test_damaged_state);

  return g_test_run ();
}
