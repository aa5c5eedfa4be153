/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "ear-library.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "library-fixture.h"

/* Marking, liking and unfollowing, with undo; also in the state files */

#define TIMEOUT (60 * G_USEC_PER_SEC)

typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  EarPodcast *podcast;
  GPtrArray *undos; /* (element-type EarUndo): offered so far, in order */
} Fixture;

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* Polls the condition. */
#define wait_for(condition) \
  G_STMT_START \
  { \
    gint64 end_ = g_get_monotonic_time () + TIMEOUT; \
    guint tick_ = g_timeout_add (10, tick_cb, NULL); \
    while (!(condition) && g_get_monotonic_time () < end_) \
      g_main_context_iteration (NULL, TRUE); \
    g_source_remove (tick_); \
    g_assert_true (condition); \
  } \
  G_STMT_END

static void
undo_offered_cb (EarNotices *notices, EarUndo *undo, Fixture *fixture)
{
  g_ptr_array_add (fixture->undos, g_object_ref (undo));
}

static void
open_library (Fixture *fixture)
{
  g_autofree char *data = g_build_filename (fixture->folder, "data", NULL);
  g_autofree char *cache = g_build_filename (fixture->folder, "cache", NULL);
  g_autoptr (GError) error = NULL;

  fixture->library = ear_library_new (data, cache);
  g_assert_true (ear_library_open (fixture->library, &error));
  g_assert_no_error (error);
  g_signal_connect (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (undo_offered_cb), fixture);
  ear_library_start (fixture->library, NULL);
}

static void
close_library (Fixture *fixture)
{
  /* An undo on offer holds the library. */
  g_ptr_array_set_size (fixture->undos, 0);
  library_fixture_close (&fixture->library);
}

static void
put_feed (Fixture *fixture, guint n)
{
  g_autoptr (GString) feed = g_string_new ("<rss version=\"2.0\"><channel><title>The Lighthouse Hour</title>");

  for (guint i = n; i > 0; i--)
    g_string_append_printf (feed,
                            "<item><guid>lamp-%u</guid><title>Lamp %u</title><pubDate>Mon, %02u Jan 2024 12:00:00 +0000</pubDate>"
                            "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/></item>",
                            i, i, i, i);
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed->str);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = NULL;
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-marks-XXXXXX", NULL);
  fixture->undos = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->server = ear_test_server_new ();
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  put_feed (fixture, 10);
  open_library (fixture);
  address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  fixture->podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  wait_for (ear_podcast_get_n_episodes (fixture->podcast) == 10 && !ear_podcast_get_refreshing (fixture->podcast));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_library (fixture);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  g_ptr_array_unref (fixture->undos);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static EarEpisodeQuery *
query_all (Fixture *fixture, EarEpisodeFilter filter)
{
  return ear_episode_query_new (ear_podcast_get_id (fixture->podcast), filter, EAR_SORT_NEWEST, NULL);
}

static EarEpisodeList *
list_all (Fixture *fixture)
{
  g_autoptr (EarEpisodeQuery) query = query_all (fixture, EAR_FILTER_ALL);
  EarEpisodeList *list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);

  wait_for (g_list_model_get_n_items (G_LIST_MODEL (list)) == 10);

  return list;
}

static EarEpisode *
get_episode (EarEpisodeList *list, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (list), position);
}

static EarUndo *
get_undo (Fixture *fixture, guint n)
{
  wait_for (fixture->undos->len == n);

  return g_ptr_array_index (fixture->undos, n - 1);
}

/* Deletes the catalogue: all marks then come from the state file. */
static void
lose_catalogue (Fixture *fixture)
{
  g_autofree char *data = g_build_filename (fixture->folder, "data", NULL);
  g_autoptr (GDir) dir = NULL;
  g_autofree char *address = g_strdup (ear_podcast_get_address (fixture->podcast));
  const char *name;

  close_library (fixture);
  dir = g_dir_open (data, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (data, name, NULL);

      if (g_str_has_prefix (name, "catalogue"))
        g_unlink (path);
    }
  open_library (fixture);
  wait_for (g_list_model_get_n_items (ear_library_get_podcasts (fixture->library)) == 1);
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_library_get_podcasts (fixture->library), 0);
  fixture->podcast = podcast;
  g_assert_cmpstr (ear_podcast_get_address (podcast), ==, address);
  wait_for (ear_podcast_get_n_episodes (podcast) == 10);
}

/* Marks all episodes as played; undo leaves the one that was played before. */
static void
test_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (EarEpisodeQuery) query = query_all (fixture, EAR_FILTER_ALL);
  g_autoptr (EarEpisode) first = get_episode (list, 0);
  g_autoptr (EarEpisode) second = get_episode (list, 1);

  ear_history_set_mark (ear_library_get_history (fixture->library), second, EAR_MARK_LISTENED, TRUE);
  wait_for (ear_podcast_get_n_unplayed (fixture->podcast) == 9);
  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .query = query }, EAR_MARK_LISTENED, TRUE);
  g_assert_cmpstr (ear_undo_get_message (get_undo (fixture, 2)), ==, "9 episodes marked as played");
  g_assert_true (ear_episode_get_listened (first));
  g_assert_cmpuint (ear_podcast_get_n_unplayed (fixture->podcast), ==, 0);

  /* Without an episode left to mark there is no undo. */
  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .query = query }, EAR_MARK_LISTENED, TRUE);
  ear_undo_run (get_undo (fixture, 2));
  wait_for (ear_podcast_get_n_unplayed (fixture->podcast) == 9);
  g_assert_false (ear_episode_get_listened (first));
  g_assert_true (ear_episode_get_listened (second));
  g_assert_cmpuint (fixture->undos->len, ==, 2);

  g_clear_object (&first);
  g_clear_object (&second);
  g_clear_object (&list);
  lose_catalogue (fixture);
  wait_for (ear_podcast_get_n_unplayed (fixture->podcast) == 9);
}

/* Marks all episodes older than one, also in the state file. */
static void
test_older (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (EarEpisodeQuery) query = query_all (fixture, EAR_FILTER_UNPLAYED);
  g_autoptr (EarEpisode) third = get_episode (list, 2);

  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .query = query, .older_than = third }, EAR_MARK_LISTENED, TRUE);
  g_assert_cmpstr (ear_undo_get_message (get_undo (fixture, 1)), ==, "7 episodes marked as played");
  g_assert_false (ear_episode_get_listened (third));
  g_clear_object (&third);
  g_clear_object (&list);
  lose_catalogue (fixture);
  wait_for (ear_podcast_get_n_unplayed (fixture->podcast) == 3);
}

static void
test_some (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (EarEpisode) fourth = get_episode (list, 3);
  g_autoptr (EarEpisode) eighth = get_episode (list, 7);
  const gint64 both[] = { ear_episode_list_get_id (list, 3), ear_episode_list_get_id (list, 7) };
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (gint64));

  g_array_append_vals (ids, both, G_N_ELEMENTS (both));
  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .ids = ids }, EAR_MARK_LISTENED, TRUE);
  /* The mark is visible at once, before it is stored. */
  g_assert_true (ear_episode_get_listened (eighth));
  ear_undo_run (get_undo (fixture, 1));
  wait_for (ear_podcast_get_n_unplayed (fixture->podcast) == 10);
  g_assert_false (ear_episode_get_listened (fourth));
  /* A second undo does nothing. */
  ear_undo_run (get_undo (fixture, 1));

  g_array_append_vals (one, both, 1);
  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .ids = one }, EAR_MARK_LISTENED, TRUE);
  g_assert_cmpstr (ear_undo_get_message (get_undo (fixture, 2)), ==, "1 episode marked as played");
  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .ids = one }, EAR_MARK_LISTENED, FALSE);
  g_assert_cmpstr (ear_undo_get_message (get_undo (fixture, 3)), ==, "1 episode marked as unplayed");
}

/* Episodes that were liked before stay liked after undo, also in the state files. */
static void
test_liking_some (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (EarEpisode) fourth = get_episode (list, 3);
  g_autoptr (EarEpisode) eighth = get_episode (list, 7);
  const gint64 both[] = { ear_episode_list_get_id (list, 3), ear_episode_list_get_id (list, 7) };
  g_autoptr (GArray) ids = g_array_append_vals (g_array_new (FALSE, FALSE, sizeof (gint64)), both, G_N_ELEMENTS (both));

  ear_history_set_mark (ear_library_get_history (fixture->library), fourth, EAR_MARK_LIKED, TRUE);
  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .ids = ids }, EAR_MARK_LIKED, TRUE);
  /* The like is visible at once, before it is stored. */
  g_assert_true (ear_episode_get_liked (eighth));
  g_assert_cmpstr (ear_undo_get_message (get_undo (fixture, 2)), ==, "1 episode liked");
  ear_undo_run (get_undo (fixture, 2));
  wait_for (!ear_episode_get_liked (eighth));
  g_assert_true (ear_episode_get_liked (fourth));
  g_assert_false (ear_episode_get_listened (fourth));

  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .ids = ids }, EAR_MARK_LIKED, FALSE);
  g_assert_cmpstr (ear_undo_get_message (get_undo (fixture, 3)), ==, "1 episode unliked");
  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .ids = ids }, EAR_MARK_LIKED, TRUE);
  g_assert_cmpstr (ear_undo_get_message (get_undo (fixture, 4)), ==, "2 episodes liked");
  g_clear_object (&fourth);
  g_clear_object (&eighth);
  g_clear_object (&list);
  lose_catalogue (fixture);
  list = list_all (fixture);
  fourth = get_episode (list, 3);
  eighth = get_episode (list, 7);
  wait_for (ear_episode_get_liked (fourth) && ear_episode_get_liked (eighth));
}

/* A single mark shows no notice, as it is visible, but can be undone. */
static void
test_one (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (EarEpisode) episode = get_episode (list, 4);

  ear_history_set_mark (ear_library_get_history (fixture->library), episode, EAR_MARK_LISTENED, TRUE);
  ear_history_set_mark (ear_library_get_history (fixture->library), episode, EAR_MARK_LISTENED, TRUE);
  wait_for (ear_podcast_get_n_unplayed (fixture->podcast) == 9);
  g_assert_null (ear_undo_get_message (get_undo (fixture, 1)));
  g_assert_cmpuint (fixture->undos->len, ==, 1);
  ear_undo_run (get_undo (fixture, 1));
  g_assert_false (ear_episode_get_listened (episode));
  wait_for (ear_podcast_get_n_unplayed (fixture->podcast) == 10);
  g_clear_object (&episode);
  g_clear_object (&list);
  lose_catalogue (fixture);
  wait_for (ear_podcast_get_n_unplayed (fixture->podcast) == 10);
}

static void
test_liked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (EarEpisode) episode = get_episode (list, 4);

  ear_history_set_mark (ear_library_get_history (fixture->library), episode, EAR_MARK_LIKED, TRUE);
  ear_history_set_mark (ear_library_get_history (fixture->library), episode, EAR_MARK_LIKED, TRUE);
  g_assert_true (ear_episode_get_liked (episode));
  /* A click did it and a click reverts it: no message. */
  g_assert_null (ear_undo_get_message (get_undo (fixture, 1)));
  ear_undo_run (get_undo (fixture, 1));
  g_assert_false (ear_episode_get_liked (episode));
  ear_history_set_mark (ear_library_get_history (fixture->library), episode, EAR_MARK_LIKED, TRUE);
  g_clear_object (&episode);
  g_clear_object (&list);
  lose_catalogue (fixture);

  g_autoptr (EarEpisodeQuery) query = query_all (fixture, EAR_FILTER_LIKED);
  g_autoptr (EarEpisodeList) liked = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  wait_for (g_list_model_get_n_items (G_LIST_MODEL (liked)) == 1);
  g_autoptr (EarEpisode) again = get_episode (liked, 0);
  g_assert_cmpstr (ear_episode_get_title (again), ==, "Lamp 6");
}

/* Undo restores the rows, the marks, and the episode in the player. */
static void
test_unfollow (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (EarEpisodeQuery) query = query_all (fixture, EAR_FILTER_ALL);
  g_autoptr (EarEpisode) playing = get_episode (list, 1);
  EarPlayer *player = ear_library_get_player (fixture->library);
  const guint n_requests = ear_test_server_count_requests (fixture->server, "/feed.xml");

  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .query = query, .older_than = playing }, EAR_MARK_LISTENED, TRUE);
  get_undo (fixture, 1);
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), playing,
                                list);
  g_assert_true (ear_player_get_episode (player) == playing);
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), fixture->podcast);
  g_assert_cmpuint (g_list_model_get_n_items (ear_library_get_podcasts (fixture->library)), ==, 0);
  g_assert_false (ear_podcast_get_followed (fixture->podcast));
  g_assert_null (ear_player_get_episode (player));
  g_assert_cmpstr (ear_undo_get_message (get_undo (fixture, 2)), ==, "Unfollowed “The Lighthouse Hour”");
  wait_for (g_list_model_get_n_items (G_LIST_MODEL (list)) == 0);

  ear_undo_run (get_undo (fixture, 2));
  g_assert_true (ear_podcast_get_followed (fixture->podcast));
  wait_for (g_list_model_get_n_items (G_LIST_MODEL (list)) == 10);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (fixture->podcast), ==, 2);
  g_assert_cmpstr (ear_podcast_get_title (fixture->podcast), ==, "The Lighthouse Hour");
  g_assert_true (ear_player_get_episode (player) == playing);
  /* The server is only asked for changes: no full fetch. */
  wait_for (ear_test_server_count_requests (fixture->server, "/feed.xml") > n_requests &&
            !ear_podcast_get_refreshing (fixture->podcast));
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, "/feed.xml");
  g_assert_cmpuint (request->status, ==, 304);

  g_clear_object (&playing);
  g_clear_object (&list);
  lose_catalogue (fixture);
  wait_for (ear_podcast_get_n_unplayed (fixture->podcast) == 2);
}

static void
copy_catalogue (const char *from, const char *to)
{
  static const char *const names[] = { "catalogue.db", "catalogue.db-wal" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (from, names[i], NULL);
      g_autoptr (GFile) source = g_file_new_for_path (path);
      g_autoptr (GFile) target = g_file_new_build_filename (to, names[i], NULL);
      g_autoptr (GError) error = NULL;

      if (!g_file_copy (source, target, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error))
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
    }
}

static void
remove_states (const char *data)
{
  g_autofree char *state = g_build_filename (data, "state", NULL);
  g_autoptr (GDir) dir = g_dir_open (state, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (state, name, NULL);

      if (!g_str_equal (name, "subscriptions.json"))
        g_unlink (path);
    }
}

/* Earmark is killed when the catalogue has the marks and the state files do not: the next
 * start writes them. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "data", NULL);
  g_autofree char *killed = g_build_filename (fixture->folder, "killed", NULL);
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (EarEpisodeQuery) query = query_all (fixture, EAR_FILTER_ALL);
  g_autoptr (EarEpisode) third = get_episode (list, 2);

  ear_history_set_mark (ear_library_get_history (fixture->library), third, EAR_MARK_LIKED, TRUE);
  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .query = query }, EAR_MARK_LISTENED, TRUE);
  get_undo (fixture, 2);
  g_assert_cmpint (g_mkdir (killed, 0700), ==, 0);
  copy_catalogue (folder, killed);
  g_clear_object (&third);
  g_clear_object (&list);
  close_library (fixture);
  remove_states (folder);
  copy_catalogue (killed, folder);

  open_library (fixture);
  wait_for (g_list_model_get_n_items (ear_library_get_podcasts (fixture->library)) == 1);
  fixture->podcast = g_list_model_get_item (ear_library_get_podcasts (fixture->library), 0);
  g_object_unref (fixture->podcast);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (fixture->podcast), ==, 0);
  lose_catalogue (fixture);
  wait_for (ear_podcast_get_n_unplayed (fixture->podcast) == 0);
  list = list_all (fixture);
  third = get_episode (list, 2);
  wait_for (ear_episode_get_liked (third));
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/marks/all", test_all);
  ADD ("/marks/older", test_older);
  ADD ("/marks/some", test_some);
  ADD ("/marks/liking-some", test_liking_some);
  ADD ("/marks/one", test_one);
  ADD ("/marks/liked", test_liked);
  ADD ("/marks/unfollow", test_unfollow);
  ADD ("/marks/killed", test_killed);

  return g_test_run ();
}
