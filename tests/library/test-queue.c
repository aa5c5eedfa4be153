/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "ear-address.h"
#include "ear-error.h"
#include "ear-play-order.h"
#include "ear-player-private.h"
#include "ear-queue.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "playing-fixture.h"
#include "served-library.h"

/* Up Next: order, persistence, and playing from it */

static EarQueue *
get_queue (Fixture *fixture)
{
  return ear_library_get_queue (fixture->library);
}

/* The numbers of the episodes in the queue */
static char *
print_queue (Fixture *fixture)
{
  GListModel *list = G_LIST_MODEL (ear_queue_get_list (get_queue (fixture)));
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (list, i);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", strrchr (ear_episode_get_guid (episode), '-') + 1);
    }

  return g_string_free_and_steal (g_steal_pointer (&text));
}

static gboolean
is_queue (Fixture *fixture, const char *expected)
{
  g_autofree char *text = print_queue (fixture);

  return g_str_equal (text, expected);
}

#define ASSERT_QUEUE(expected) EAR_TEST_WAIT_UNTIL (is_queue (fixture, expected))

static EarEpisode *
dup_episode (Fixture *fixture, guint number)
{
  g_autofree char *guid = g_strdup_printf ("lamp-%u", number);

  return ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (fixture->library), get_podcast (fixture), guid);
}

/* The episodes with these numbers, up to a 0 */
static GPtrArray *
list_episodes (Fixture *fixture, const guint *numbers)
{
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);

  for (; *numbers != 0; numbers++)
    g_ptr_array_add (episodes, dup_episode (fixture, *numbers));

  return episodes;
}

#define EPISODES(...) ((const guint[]) { __VA_ARGS__, 0 })

static void
add_last (Fixture *fixture, const guint *numbers)
{
  g_autoptr (GPtrArray) episodes = list_episodes (fixture, numbers);

  ear_queue_add_last (get_queue (fixture), episodes);
}

static void
add_next (Fixture *fixture, const guint *numbers)
{
  g_autoptr (GPtrArray) episodes = list_episodes (fixture, numbers);

  ear_queue_add_next (get_queue (fixture), episodes);
}

/* Moves in front of another episode, or to the end for 0. */
static void
move (Fixture *fixture, guint number, guint before)
{
  g_autoptr (GPtrArray) episodes = list_episodes (fixture, EPISODES (number));
  g_autoptr (EarEpisode) other = before != 0 ? dup_episode (fixture, before) : NULL;

  ear_queue_insert (get_queue (fixture), episodes, other);
}

static void
keep_undo_cb (EarNotices *notices, EarUndo *undo, EarUndo **kept)
{
  g_set_object (kept, undo);
}

/* Stores the latest undo in @kept. */
static void
watch_undo (Fixture *fixture, EarUndo **kept)
{
  g_signal_connect (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (keep_undo_cb), kept);
}

static void
set_up_queue (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, data);
  put_feed (fixture, 1, 9);
  open_and_wait (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
}

/* Each action, and its undo */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarUndo) undo = NULL;
  g_autoptr (GPtrArray) two = NULL;

  watch_undo (fixture, &undo);
  add_last (fixture, EPISODES (3, 1));
  ASSERT_QUEUE ("3 1");
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "2 episodes added to Up Next");
  add_last (fixture, EPISODES (5));
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "Added to Up Next");
  add_next (fixture, EPISODES (7, 8));
  ASSERT_QUEUE ("7 8 3 1 5");
  /* A queued episode moves to its new position. */
  add_last (fixture, EPISODES (8));
  ASSERT_QUEUE ("7 3 1 5 8");
  ear_undo_run (undo);
  ASSERT_QUEUE ("7 8 3 1 5");
  add_next (fixture, EPISODES (5, 5));
  ASSERT_QUEUE ("5 7 8 3 1");

  move (fixture, 5, 3);
  ASSERT_QUEUE ("7 8 5 3 1");
  g_assert_null (ear_undo_get_message (undo));
  move (fixture, 5, 5);
  move (fixture, 5, 0);
  ASSERT_QUEUE ("7 8 3 1 5");
  /* An episode that is not in the queue */
  move (fixture, 1, 9);
  ASSERT_QUEUE ("7 8 3 5 1");
  move (fixture, 1, 5);
  ASSERT_QUEUE ("7 8 3 1 5");
  move (fixture, 5, 7);
  ASSERT_QUEUE ("5 7 8 3 1");
  ear_undo_run (undo);
  ASSERT_QUEUE ("7 8 3 1 5");

  two = list_episodes (fixture, EPISODES (8, 1, 9));
  ear_queue_remove (get_queue (fixture), two);
  ASSERT_QUEUE ("7 3 5");
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "2 episodes removed from Up Next");
  ear_queue_clear (get_queue (fixture));
  ASSERT_QUEUE ("");
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "3 episodes removed from Up Next");
  ear_undo_run (undo);
  ASSERT_QUEUE ("7 3 5");
}

/* Any number of episodes can be inserted between the same two. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  add_last (fixture, EPISODES (1, 2, 3, 4));
  ASSERT_QUEUE ("1 2 3 4");
  for (guint i = 0; i < 30; i++)
    {
      move (fixture, 4, 2);
      ASSERT_QUEUE ("1 4 2 3");
      move (fixture, 3, 4);
      ASSERT_QUEUE ("1 3 4 2");
      move (fixture, 2, 3);
      ASSERT_QUEUE ("1 2 3 4");
    }
}

/* A largest possible order number, from a wrong clock or another program, does not block
 * the end of the queue. */
static void
test_far_ahead (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) far = NULL;

  add_last (fixture, EPISODES (1, 2));
  ASSERT_QUEUE ("1 2");
  far = dup_episode (fixture, 3);
  ear_history_set_mark (ear_library_get_history (fixture->library), far, EAR_MARK_QUEUED, G_MAXINT64);
  ASSERT_QUEUE ("1 2 3");
  add_last (fixture, EPISODES (4, 5));
  ASSERT_QUEUE ("1 2 3 4 5");
  add_last (fixture, EPISODES (2));
  ASSERT_QUEUE ("1 3 4 5 2");
}

/* A played episode leaves the queue, and a queued one becomes unplayed. */
static void
test_listened (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = NULL;
  g_autoptr (EarUndo) undo = NULL;

  add_last (fixture, EPISODES (1, 2));
  ASSERT_QUEUE ("1 2");
  first = dup_episode (fixture, 1);
  watch_undo (fixture, &undo);
  ear_history_set_mark (ear_library_get_history (fixture->library), first, EAR_MARK_LISTENED, TRUE);
  ASSERT_QUEUE ("2");
  g_assert_false (ear_queue_has (first));
  ear_undo_run (undo);
  ASSERT_QUEUE ("1 2");

  ear_history_set_mark (ear_library_get_history (fixture->library), first, EAR_MARK_LISTENED, TRUE);
  ASSERT_QUEUE ("2");
  add_last (fixture, EPISODES (1));
  ASSERT_QUEUE ("2 1");
  g_assert_false (ear_episode_get_listened (first));
  ear_undo_run (undo);
  g_assert_true (ear_episode_get_listened (first));
  ASSERT_QUEUE ("2");
}

static void
remove_catalogue (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->data, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->data, name, NULL);

      if (g_str_has_prefix (name, "catalogue"))
        g_unlink (path);
    }
}

/* The queue is in the state files as well as in the catalogue, which can be lost. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  add_last (fixture, EPISODES (4, 2, 6));
  ASSERT_QUEUE ("4 2 6");
  move (fixture, 6, 4);
  ASSERT_QUEUE ("6 4 2");
  library_fixture_close (&fixture->library);
  open_and_wait (fixture, NULL);
  ASSERT_QUEUE ("6 4 2");
  library_fixture_close (&fixture->library);
  remove_catalogue (fixture);
  open_and_wait (fixture, NULL);
  ASSERT_QUEUE ("6 4 2");
  /* New episodes are added after them. */
  add_last (fixture, EPISODES (9));
  ASSERT_QUEUE ("6 4 2 9");
}

/* The file of the podcast: the one whose name is a hash */
static char *
dup_state_path (Fixture *fixture)
{
  g_autofree char *hash = ear_address_hash (ear_podcast_get_address (get_podcast (fixture)), NULL);
  g_autofree char *name = g_strconcat (hash, ".json", NULL);

  return g_build_filename (fixture->data, "state", name, NULL);
}

static char *
read_file (const char *path)
{
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));

  return text;
}

/* Two computers started from one queue, and each has changed it without knowing about the
 * other. */
static void
test_merged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = dup_state_path (fixture);
  g_autofree char *both = NULL;
  g_autofree char *elsewhere = NULL;
  g_autoptr (GPtrArray) removed = g_ptr_array_new_with_free_func (g_object_unref);

  add_last (fixture, EPISODES (1, 2, 3));
  ASSERT_QUEUE ("1 2 3");
  library_fixture_close (&fixture->library);
  both = read_file (path);

  open_and_wait (fixture, NULL);
  ASSERT_QUEUE ("1 2 3");
  move (fixture, 3, 1);
  g_ptr_array_add (removed, dup_episode (fixture, 2));
  ear_queue_remove (get_queue (fixture), removed);
  g_ptr_array_set_size (removed, 0);
  add_last (fixture, EPISODES (8));
  ASSERT_QUEUE ("3 1 8");
  library_fixture_close (&fixture->library);
  elsewhere = read_file (path);

  /* The other computer has none of that, neither in its files nor in its catalogue. */
  g_assert_true (g_file_set_contents (path, both, -1, NULL));
  remove_catalogue (fixture);
  open_and_wait (fixture, NULL);
  ASSERT_QUEUE ("1 2 3");
  add_last (fixture, EPISODES (9));
  ASSERT_QUEUE ("1 2 3 9");
  g_assert_true (g_file_set_contents (path, elsewhere, -1, NULL));
  /* Both were added at the end. */
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "3 1 8 9") || is_queue (fixture, "3 1 9 8"));
  library_fixture_close (&fixture->library);
  remove_catalogue (fixture);
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "3 1 8 9") || is_queue (fixture, "3 1 9 8"));
}

/* --- Playing from the queue --------------------------------------------------------- */

#define ASSERT_PLAYS(episode) EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == (episode) && \
                                                   ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING)

static void
queue (PlayingFixture *fixture, EarEpisode *episode)
{
  EarQueue *up_next = ear_library_get_queue (fixture->library);
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (ear_queue_get_list (up_next)));
  g_autoptr (GPtrArray) episodes = g_ptr_array_new ();

  g_ptr_array_add (episodes, episode);
  ear_queue_add_last (up_next, episodes);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (ear_queue_get_list (up_next))) == n + 1);
}

static guint
count_queue (PlayingFixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ear_queue_get_list (ear_library_get_queue (fixture->library))));
}

/* The queue takes precedence over the current list, also when the list has ended; played
 * episodes leave the queue. */
static void
test_plays_next (PlayingFixture *fixture, gconstpointer data)
{
  g_object_set (ear_library_get_settings (fixture->library), "continuous", FALSE, NULL);
  queue (fixture, fixture->second);
  queue (fixture, fixture->overstated);
  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - G_TIME_SPAN_SECOND);
  ASSERT_PLAYS (fixture->second);
  g_assert_true (ear_episode_get_listened (fixture->first));
  g_assert_cmpuint (count_queue (fixture), ==, 2);
  ear_player_seek (fixture->player, PLAYING_LENGTH - G_TIME_SPAN_SECOND);
  ASSERT_PLAYS (fixture->overstated);
  EAR_TEST_WAIT_UNTIL (count_queue (fixture) == 1);
  g_assert_cmpint (ear_episode_get_mark (fixture->second, EAR_MARK_QUEUED), ==, 0);
  /* The queue ends after its last episode. */
  g_assert_false (ear_play_order_is_next_queued (ear_library_get_order (fixture->library)));
}

/* Next goes through the queue, starting behind the current episode, and is only available
 * if an episode follows. */
static void
test_skips (PlayingFixture *fixture, gconstpointer data)
{
  EarPlayOrder *order = ear_library_get_order (fixture->library);

  /* The last episode of its list */
  playing_fixture_play (fixture, fixture->second, 0);
  g_assert_false (ear_play_order_get_can_go_next (order));
  queue (fixture, fixture->second);
  g_assert_false (ear_play_order_is_next_queued (order));
  queue (fixture, fixture->first);
  g_assert_true (ear_play_order_get_can_go_next (order));
  ear_playback_controller_next (fixture->control);
  ASSERT_PLAYS (fixture->first);
  /* A skipped episode stays queued, and does not come next again. */
  g_assert_cmpuint (count_queue (fixture), ==, 2);
  g_assert_false (ear_play_order_is_next_queued (order));
  queue (fixture, fixture->overstated);
  /* An episode that leaves the queue while it plays still marks its position there. */
  {
    g_autoptr (GPtrArray) playing = g_ptr_array_new ();

    g_ptr_array_add (playing, fixture->first);
    ear_queue_remove (ear_library_get_queue (fixture->library), playing);
    EAR_TEST_WAIT_UNTIL (count_queue (fixture) == 2);
  }
  ear_playback_controller_next (fixture->control);
  ASSERT_PLAYS (fixture->overstated);
}

/* A started episode resumes at its position when its turn comes. */
static void
test_resumed (PlayingFixture *playing, gconstpointer data)
{
  ear_history_set_mark (ear_library_get_history (playing->library), playing->second, EAR_MARK_POSITION, 20 * G_TIME_SPAN_SECOND);
  queue (playing, playing->second);
  playing_fixture_play (playing, playing->first, 28 * G_TIME_SPAN_SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (playing->player) == playing->second);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (playing->player) == EAR_PLAYER_PLAYING);
  g_assert_cmpint (ear_player_get_position (playing->player), >=, 15 * G_TIME_SPAN_SECOND);
}

static void
keep_notice_cb (EarNotices *notices, const char *message, gboolean lasting, char **notice)
{
  g_set_str (notice, message);
}

/* A failed episode stays in Up Next, and is not tried again after each one that follows;
 * it is not skipped if the listener starts it, or if it is the last. */
static void
test_passes_over (PlayingFixture *playing, gconstpointer data)
{
  EarPlayOrder *order = ear_library_get_order (playing->library);
  g_autofree char *notice = NULL;

  g_object_set (ear_library_get_settings (playing->library), "continuous", TRUE, NULL);
  g_signal_connect (ear_library_get_notices (playing->library), "notice", G_CALLBACK (keep_notice_cb), &notice);
  ear_test_server_remove (playing->server, "/overstated.wav");
  queue (playing, playing->overstated);
  playing_fixture_play (playing, playing->first, PLAYING_LENGTH - 4 * G_TIME_SPAN_SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (playing->player) == playing->second &&
                       ear_player_get_state (playing->player) == EAR_PLAYER_PLAYING);
  g_assert_nonnull (strstr (notice, ear_episode_get_title (playing->overstated)));
  g_signal_handlers_disconnect_by_data (ear_library_get_notices (playing->library), &notice);
  g_assert_cmpuint (count_queue (playing), ==, 1);
  g_assert_false (ear_play_order_is_next_queued (order));

  ear_playback_controller_play (playing->control, playing->overstated, playing->list);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (playing->player) == EAR_PLAYER_FAILED);
  ear_test_spin (100);
  g_assert_true (ear_player_get_episode (playing->player) == playing->overstated);
  g_assert_error (ear_player_get_error (playing->player), EAR_ERROR, EAR_ERROR_NOT_FOUND);
}

/* If no following episode can be played, the last one shows the error. */
static void
test_passes_over_all (PlayingFixture *playing, gconstpointer data)
{
  g_object_set (ear_library_get_settings (playing->library), "continuous", TRUE, NULL);
  ear_test_server_remove (playing->server, "/first.wav");
  ear_test_server_remove (playing->server, "/second.wav");
  playing_fixture_play (playing, playing->overstated, PLAYING_LENGTH - 4 * G_TIME_SPAN_SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (playing->player) == playing->second &&
                       ear_player_get_state (playing->player) == EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (playing->player), EAR_ERROR, EAR_ERROR_NOT_FOUND);
}

/* Another podcast, with its own speed and filters, from a slow server */
static EarEpisode *
dup_other (PlayingFixture *playing)
{
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (playing->library);
  g_autofree char *address = ear_test_server_dup_url (playing->server, 1, "/other.xml");
  EarPodcast *podcast;
  EarEpisode *episode;

  ear_test_server_put (playing->server, "/other.xml", "application/rss+xml",
                       "<rss version=\"2.0\"><channel><title>Q</title><item><guid>other</guid><title>Other</title>"
                       "<enclosure url=\"/~delay=400/first.wav\" type=\"audio/wav\" length=\"1\"/></item></channel></rss>");
  podcast = ear_subscriptions_follow (subscriptions, address, NULL);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (playing->list)) == 4);
  episode = ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (playing->library), podcast, "other");
  ear_subscriptions_set_setting (subscriptions, podcast, EAR_PODCAST_SETTING_SPEED, 150);
  ear_subscriptions_set_setting (subscriptions, podcast, EAR_PODCAST_SETTING_TRIM_SILENCE, TRUE);
  ear_subscriptions_set_setting (subscriptions, podcast, EAR_PODCAST_SETTING_LEVEL_VOLUME, TRUE);

  return episode;
}

/* The next episode begins with the speed and the filters of its own podcast. */
static void
test_own (PlayingFixture *playing, gconstpointer data)
{
  g_autoptr (EarEpisode) other = dup_other (playing);
  gboolean trim, level;

  queue (playing, other);
  playing_fixture_play (playing, playing->first, 24 * G_TIME_SPAN_SECOND);
  g_assert_cmpfloat (ear_player_get_rate (playing->player), ==, 1);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (playing->player) == other && ear_player_get_state (playing->player) == EAR_PLAYER_PLAYING);
  g_assert_cmpfloat (ear_player_get_rate (playing->player), ==, 1.5);
  g_object_get (playing->player, "trim-silence", &trim, "level-volume", &level, NULL);
  g_assert_true (trim && level);
}

static gboolean
fails (PlayingFixture *playing, const char *guid)
{
  return g_str_equal (ear_episode_get_guid (ear_player_get_episode (playing->player)), guid) &&
         ear_player_get_state (playing->player) == EAR_PLAYER_FAILED;
}

/* A server that has lost all files does not get a request for each of them. */
static void
test_passes_over_three (PlayingFixture *playing, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (playing->server, 1, "/lost.xml");
  g_autoptr (GString) feed = g_string_new ("<rss version=\"2.0\"><channel><title>L</title>");
  EarPodcast *podcast;

  for (guint i = 1; i <= 5; i++)
    g_string_append_printf (feed, "<item><guid>lost-%u</guid><title>%u</title><enclosure url=\"/lost-%u.wav\" type=\"audio/wav\" length=\"1\"/></item>",
                            i, i, i);
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (playing->server, "/lost.xml", "application/rss+xml", feed->str);
  podcast = ear_subscriptions_follow (ear_library_get_subscriptions (playing->library), address, NULL);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (playing->list)) == 8);
  for (guint i = 1; i <= 5; i++)
    {
      g_autofree char *guid = g_strdup_printf ("lost-%u", i);
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (playing->library), podcast, guid);

      queue (playing, episode);
    }
  playing_fixture_play (playing, playing->first, PLAYING_LENGTH - 4 * G_TIME_SPAN_SECOND);
  EAR_TEST_WAIT_UNTIL (fails (playing, "lost-4"));
  ear_test_spin (200);
  g_assert_true (fails (playing, "lost-4"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/queue/order", Fixture, NULL, set_up_queue, test_order, tear_down);
  g_test_add ("/queue/no-room", Fixture, NULL, set_up_queue, test_no_room, tear_down);
  g_test_add ("/queue/far-ahead", Fixture, NULL, set_up_queue, test_far_ahead, tear_down);
  g_test_add ("/queue/listened", Fixture, NULL, set_up_queue, test_listened, tear_down);
  g_test_add ("/queue/kept", Fixture, NULL, set_up_queue, test_kept, tear_down);
  g_test_add ("/queue/merged", Fixture, NULL, set_up_queue, test_merged, tear_down);
  g_test_add ("/queue/plays-next", PlayingFixture, NULL, playing_fixture_set_up, test_plays_next, playing_fixture_tear_down);
  g_test_add ("/queue/skips", PlayingFixture, NULL, playing_fixture_set_up, test_skips, playing_fixture_tear_down);
#define ADD(name, function) \
  g_test_add ("/queue/" name, PlayingFixture, NULL, playing_fixture_set_up, function, playing_fixture_tear_down)
  ADD ("resumed", test_resumed);
  ADD ("passes-over", test_passes_over);
  ADD ("passes-over-all", test_passes_over_all);
  ADD ("passes-over-three", test_passes_over_three);
  ADD ("own", test_own);

  return g_test_run ();
}
