/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backups.h"
#include "ear-library.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "library-fixture.h"

#include <string.h>

/* Automatic copies, and restoring a library from them */

typedef struct
{
  char *folder;
  char *data;
  char *cache;
  char *catalogue;
  char *backups;
  EarTestServer *server;
  EarLibrary *library;
  EarUndo *undo;
  GString *notices;
} Fixture;

typedef gboolean (*Condition) (Fixture *fixture);

/* Without a time limit: the test runner has one. */
static void
wait_for (Fixture *fixture, Condition condition)
{
  while (!condition (fixture))
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

static void
notice_cb (Fixture *fixture, const char *message)
{
  g_string_append_printf (fixture->notices, "%s; ", message);
}

static void
undo_offered_cb (Fixture *fixture, EarUndo *undo)
{
  g_set_object (&fixture->undo, undo);
}

static void
open_library (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  fixture->library = ear_library_new (fixture->data, fixture->cache);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (notice_cb), fixture);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (undo_offered_cb), fixture);
  g_assert_true (ear_library_open (fixture->library, &error));
  g_assert_no_error (error);
  ear_library_start (fixture->library, NULL);
}

static void
result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
put_feed (Fixture *fixture)
{
  g_autoptr (GString) feed = g_string_new ("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Lamps</title>");

  for (guint i = 1; i <= 20; i++)
    g_string_append_printf (feed, "<item><guid>lamp-%u</guid><title>Lamp %u</title>"
                                  "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/></item>\n", i, i, i);
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed->str);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-upkeep-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->data = g_build_filename (fixture->folder, "data", NULL);
  fixture->cache = g_build_filename (fixture->folder, "cache", NULL);
  fixture->catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
  fixture->backups = g_build_filename (fixture->data, "backups", NULL);
  fixture->notices = g_string_new (NULL);
  fixture->server = ear_test_server_new ();
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  put_feed (fixture);
}

/* Drops the undo first, as it holds the library. */
static void
close_library (Fixture *fixture)
{
  g_clear_object (&fixture->undo);
  library_fixture_close (&fixture->library);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->library != NULL)
    close_library (fixture);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->data);
  g_free (fixture->cache);
  g_free (fixture->catalogue);
  g_free (fixture->backups);
  g_string_free (fixture->notices, TRUE);
}

static EarPodcast *
get_podcast (Fixture *fixture)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_library_get_podcasts (fixture->library), 0);

  return podcast;
}

static gboolean
has_checked (Fixture *fixture)
{
  EarPodcast *podcast = get_podcast (fixture);

  return podcast != NULL && ear_podcast_get_n_episodes (podcast) == 20 && !ear_podcast_get_refreshing (podcast);
}

static guint
count_files (const char *folder, const char *part)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += strstr (name, part) != NULL && !g_str_has_suffix (name, ".partial") && !g_str_has_suffix (name, ".tmp");

  return n;
}

static gboolean
has_copies (Fixture *fixture)
{
  return count_files (fixture->data, ".copy") == 1 && count_files (fixture->backups, ".json.gz") == 1;
}

/* Returns: NULL while it is not in the list */
static EarEpisode *
find_episode (Fixture *fixture, const char *guid)
{
  g_autoptr (EarEpisodeQuery) query =
    ear_episode_query_new (ear_podcast_get_id (get_podcast (fixture)), EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisodeList) list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);

  while (ear_episode_list_get_loading (list))
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), i);

      if (g_str_equal (ear_episode_get_guid (episode), guid))
        return g_steal_pointer (&episode);
    }

  return NULL;
}

static EarEpisode *
get_episode (Fixture *fixture, const char *guid)
{
  EarEpisode *episode = find_episode (fixture, guid);

  g_assert_nonnull (episode);

  return episode;
}

static void
follow (Fixture *fixture)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");

  open_library (fixture);
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  wait_for (fixture, has_checked);
}

typedef struct
{
  EarCatalogue *catalogue;
  EarUserdataStore *state;
  EarPlayer *player;
  EarHttp *http;
  EarRefresher *refresher;
  EarUpkeep *upkeep;
} Parts;

/* Opens the parts of a library without the library, which has a schedule of its own. */
static void
open_parts (Fixture *fixture, Parts *parts)
{
  g_autofree char *state = g_build_filename (fixture->data, "state", NULL);

  parts->catalogue = ear_catalogue_open (fixture->catalogue, NULL);
  parts->state = ear_userdata_store_new (state);
  parts->player = ear_player_new ("test");
  parts->http = ear_http_new ("test");
  parts->refresher = g_object_new (EAR_TYPE_REFRESHER, NULL);
  parts->upkeep = ear_upkeep_new (parts->catalogue, parts->state, parts->player, parts->refresher);
}

static void
close_parts (Parts *parts)
{
  ear_upkeep_stop (parts->upkeep);
  g_object_add_weak_pointer (G_OBJECT (parts->upkeep), (gpointer *) &parts->upkeep);
  g_object_unref (parts->upkeep);
  while (parts->upkeep != NULL)
    g_main_context_iteration (NULL, FALSE);
  ear_catalogue_close (parts->catalogue);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (parts->refresher);
  g_object_unref (parts->player);
  ear_http_stop (parts->http);
  g_object_unref (parts->http);
  g_object_unref (parts->state);
  g_object_unref (parts->catalogue);
}

/* Both copies are made once they are due, and not again. */
static void
test_made (Fixture *fixture, gconstpointer data)
{
  Parts parts;
  const gint64 start = g_get_monotonic_time ();

  follow (fixture);
  close_library (fixture);
  open_parts (fixture, &parts);
  ear_upkeep_start (parts.upkeep, 5);
  wait_for (fixture, has_copies);
  /* Waits as long again, and 100 ms more. */
  for (gint64 end = 2 * g_get_monotonic_time () - start + 100000; g_get_monotonic_time () < end;)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_true (has_copies (fixture));
  close_parts (&parts);
}

/* Stopped while working: it must not hang or leave partial files. */
static void
test_ended (Fixture *fixture, gconstpointer data)
{
  follow (fixture);
  close_library (fixture);
  for (guint i = 0; i < 10; i++)
    {
      Parts parts;

      open_parts (fixture, &parts);
      ear_upkeep_start (parts.upkeep, 1);
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

static GPtrArray *
list_backups (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;

  ear_backups_list_async (ear_library_get_backups (fixture->library), NULL, result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);

  return ear_backups_list_finish (result, NULL);
}

static gboolean
save (Fixture *fixture, const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;

  ear_backups_save_async (ear_library_get_backups (fixture->library), file, NULL, result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);

  return ear_backups_save_finish (ear_library_get_backups (fixture->library), result, error);
}

static gboolean
restore (Fixture *fixture, const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;

  ear_backups_restore_async (ear_library_get_backups (fixture->library), file, result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);

  return ear_backups_restore_finish (ear_library_get_backups (fixture->library), result, error);
}

/* A recently unfollowed podcast is in the catalogue, and counted, but hidden from lists
 * until the writer shows it again: one or two milliseconds. */
static gboolean
is_first_listened (Fixture *fixture)
{
  g_autoptr (EarEpisode) first = find_episode (fixture, "lamp-1");
  g_autoptr (EarEpisode) second = find_episode (fixture, "lamp-2");

  return first != NULL && second != NULL && ear_episode_get_listened (first) && !ear_episode_get_listened (second);
}

static gboolean
is_second_listened (Fixture *fixture)
{
  g_autoptr (EarEpisode) first = find_episode (fixture, "lamp-1");
  g_autoptr (EarEpisode) second = find_episode (fixture, "lamp-2");

  return first != NULL && second != NULL && !ear_episode_get_listened (first) && ear_episode_get_listened (second);
}

static gboolean
has_podcast (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_library_get_podcasts (fixture->library)) == 1;
}

static gboolean
has_no_podcast (Fixture *fixture)
{
  return !has_podcast (fixture);
}

/* Restored marks show in the existing rows, and can be undone. */
static void
test_restore (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "copy.json.gz", NULL);
  g_autoptr (EarEpisode) first = NULL;
  g_autoptr (EarEpisode) second = NULL;
  g_autoptr (EarBackup) backup = NULL;
  g_autoptr (GPtrArray) backups = NULL;
  g_autoptr (GError) error = NULL;

  follow (fixture);
  first = get_episode (fixture, "lamp-1");
  second = get_episode (fixture, "lamp-2");
  ear_history_set_mark (ear_library_get_history (fixture->library), first, EAR_MARK_LISTENED, TRUE);
  g_assert_true (save (fixture, path, &error));
  g_assert_no_error (error);
  backups = list_backups (fixture);
  g_assert_cmpuint (backups->len, ==, 1);
  backup = ear_backup_ref (g_ptr_array_index (backups, 0));
  g_assert_cmpuint (backup->n_podcasts, ==, 1);
  g_assert_cmpuint (backup->n_episodes, ==, 1);

  ear_history_set_mark (ear_library_get_history (fixture->library), first, EAR_MARK_LISTENED, FALSE);
  ear_history_set_mark (ear_library_get_history (fixture->library), second, EAR_MARK_LISTENED, TRUE);
  g_assert_true (restore (fixture, path, &error));
  g_assert_no_error (error);
  g_assert_nonnull (fixture->undo);
  wait_for (fixture, is_first_listened);
  g_assert_true (ear_episode_get_listened (first));
  ear_undo_run (fixture->undo);
  wait_for (fixture, is_second_listened);
  g_assert_false (ear_episode_get_listened (first));
  g_assert_cmpstr (fixture->notices->str, ==, "");
}

/* A podcast that was unfollowed meanwhile comes back with its marks. */
static void
test_restore_podcast (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "copy.json.gz", NULL);
  g_autoptr (EarEpisode) first = NULL;
  g_autoptr (GError) error = NULL;

  follow (fixture);
  first = get_episode (fixture, "lamp-1");
  ear_history_set_mark (ear_library_get_history (fixture->library), first, EAR_MARK_LISTENED, TRUE);
  g_assert_true (save (fixture, path, &error));
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), get_podcast (fixture));
  wait_for (fixture, has_no_podcast);
  g_clear_object (&first);
  g_clear_object (&fixture->undo);
  g_assert_true (restore (fixture, path, &error));
  g_assert_no_error (error);
  wait_for (fixture, has_podcast);
  wait_for (fixture, has_checked);
  wait_for (fixture, is_first_listened);
  g_assert_nonnull (fixture->undo);
  ear_undo_run (fixture->undo);
  wait_for (fixture, has_no_podcast);
}

static void
test_restore_nothing (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "copy.json.gz", NULL);
  g_autoptr (GError) error = NULL;

  follow (fixture);
  g_assert_true (g_file_set_contents (path, "no backup", -1, NULL));
  g_assert_false (restore (fixture, path, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_DAMAGED);
  g_assert_null (fixture->undo);
  g_clear_error (&error);
  g_assert_false (save (fixture, fixture->folder, &error));
  g_assert_nonnull (error);
}

static gboolean
is_told_of_copy (Fixture *fixture)
{
  return strstr (fixture->notices->str, "replaced by an earlier copy") != NULL;
}

/* The whole procedure without a network: damage, a copy with fewer marks, and the missing
 * marks from the state files */
static void
test_copy_and_marks (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = NULL;
  Parts parts;

  follow (fixture);
  close_library (fixture);
  open_parts (fixture, &parts);
  ear_upkeep_start (parts.upkeep, 5);
  wait_for (fixture, has_copies);
  close_parts (&parts);

  open_library (fixture);
  first = get_episode (fixture, "lamp-1");
  ear_history_set_mark (ear_library_get_history (fixture->library), first, EAR_MARK_LISTENED, TRUE);
  g_clear_object (&first);
  close_library (fixture);
  ear_test_server_stop (fixture->server);
  g_assert_true (g_file_set_contents (fixture->catalogue, "spoilt", -1, NULL));

  open_library (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 20);
  wait_for (fixture, is_first_listened);
  wait_for (fixture, is_told_of_copy);
}

/* The content of the state file of the only podcast */
static char *
read_state (Fixture *fixture, char **path)
{
  g_autofree char *folder = g_build_filename (fixture->data, "state", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  char *text = NULL;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (strlen (name) == strlen (".json") + 32 && g_str_has_suffix (name, ".json"))
      {
        g_free (*path);
        *path = g_build_filename (folder, name, NULL);
        g_free (text);
        g_file_get_contents (*path, &text, NULL, NULL);
      }

  return text;
}

static gboolean
has_mark_on_disk (Fixture *fixture)
{
  g_autofree char *path = NULL;
  g_autofree char *text = read_state (fixture, &path);

  return text != NULL && strstr (text, "\"listened\"") != NULL;
}

/* A state file that was damaged before there is a backup gets its marks from the
 * catalogue. */
static void
test_damaged_state (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  EarEpisode *first;

  follow (fixture);
  first = get_episode (fixture, "lamp-1");
  ear_history_set_mark (ear_library_get_history (fixture->library), first, EAR_MARK_LISTENED, TRUE);
  g_object_unref (first);
  wait_for (fixture, has_mark_on_disk);
  close_library (fixture);
  text = read_state (fixture, &path);
  strstr (text, "\"listened\"")[1] = '\xff';
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_false (has_mark_on_disk (fixture));

  open_library (fixture);
  wait_for (fixture, has_mark_on_disk);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*func) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/upkeep/made", test_made },
    { "/upkeep/ended", test_ended },
    { "/upkeep/restore", test_restore },
    { "/upkeep/restore-podcast", test_restore_podcast },
    { "/upkeep/restore-nothing", test_restore_nothing },
    { "/upkeep/copy-and-marks", test_copy_and_marks },
    { "/upkeep/damaged-state", test_damaged_state },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);

  return g_test_run ();
}
