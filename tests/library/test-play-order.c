/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-test-wait.h"
#include "library-fixture.h"
#include "served-library.h"

/* The next episode, by the list from which the current one was started */

/* As many episodes as a daily podcast has in a year */
#define MANY 365

/* Episodes on days of January 2024 and the following months; episode 4 is a blog post
 * without media. */
static void
put_episodes (Fixture *fixture, guint n)
{
  g_autoptr (GString) feed = g_string_new (
      "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>The Lighthouse Hour</title>");

  for (guint i = n; i > 0; i--)
    {
      g_autoptr (GDateTime) first = g_date_time_new_utc (2024, 1, 1, 12, 0, 0);
      g_autoptr (GDateTime) date = g_date_time_add_days (first, (int) i);
      g_autofree char *text = g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ");

      g_string_append_printf (
          feed, "<item><guid>lamp-%u</guid><title>Lamp %c</title><pubDate>%s</pubDate>", i,
          (char) ('z' - i % 26), text);
      if (i != 4)
        g_string_append_printf (
            feed, "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/>", i);
      g_string_append (feed, "</item>\n");
    }
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed->str);
}

static void
set_up_episodes (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, NULL);
  put_episodes (fixture, GPOINTER_TO_UINT (data));
  open_and_wait (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
}

static EarEpisode *
dup_episode (Fixture *fixture, guint number)
{
  g_autofree char *guid = g_strdup_printf ("lamp-%u", number);

  return ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (fixture->library),
                                            get_podcast (fixture), guid);
}

static void
set_mark (Fixture *fixture, guint number, EarMark mark, gint64 value)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, number);

  ear_history_set_mark (ear_library_get_history (fixture->library), episode, mark, value);
}

/* Returns: 0 for no next episode */
static guint
get_next (Fixture *fixture)
{
  EarPlayOrder *order = ear_library_get_order (fixture->library);
  g_autoptr (EarEpisode) next = ear_play_order_dup_next (order);

  g_assert_cmpint (ear_play_order_get_can_go_next (order), ==, next != NULL);

  return next != NULL ? (guint) atoi (ear_episode_get_guid (next) + strlen ("lamp-")) : 0;
}

static gboolean
is_in_player (Fixture *fixture, guint number)
{
  EarEpisode *episode = ear_player_get_episode (ear_library_get_player (fixture->library));
  g_autofree char *guid = g_strdup_printf ("lamp-%u", number);

  return episode != NULL && g_str_equal (ear_episode_get_guid (episode), guid);
}

#define ASSERT_NEXT(number) EAR_TEST_WAIT_UNTIL (get_next (fixture) == (number))

/* @query: (transfer full) */
static void
play_from (Fixture *fixture, guint number, EarEpisodeQuery *query)
{
  g_autoptr (EarEpisodeList) list =
      ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  g_autoptr (EarEpisode) episode = dup_episode (fixture, number);

  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_loading (list));
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                list);
  ear_player_pause (ear_library_get_player (fixture->library));
  ear_episode_query_free (query);
}

static EarEpisodeQuery *
in_podcast (Fixture *fixture, EarEpisodeFilter filter, EarEpisodeSort sort)
{
  return ear_episode_query_new (ear_podcast_get_id (get_podcast (fixture)), filter, sort, NULL);
}

/* A podcast continues with later episodes in any sort order, and never with played or
 * removed ones. */
static void
test_podcast (Fixture *fixture, gconstpointer data)
{
  static const EarEpisodeSort sorts[] = { EAR_SORT_NEWEST, EAR_SORT_OLDEST, EAR_SORT_TITLE,
                                          EAR_SORT_LONGEST };

  for (gsize i = 0; i < G_N_ELEMENTS (sorts); i++)
    {
      play_from (fixture, 2, in_podcast (fixture, EAR_FILTER_ALL, sorts[i]));
      ASSERT_NEXT (3);
    }
  play_from (fixture, 3, in_podcast (fixture, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST));
  ASSERT_NEXT (5);
  set_mark (fixture, 5, EAR_MARK_LISTENED, TRUE);
  ASSERT_NEXT (6);
  set_mark (fixture, 6, EAR_MARK_REMOVED, TRUE);
  ASSERT_NEXT (0);
  set_mark (fixture, 6, EAR_MARK_REMOVED, FALSE);
  ASSERT_NEXT (6);
  /* The row of the current episode leaves the list. */
  set_mark (fixture, 3, EAR_MARK_LISTENED, TRUE);
  ASSERT_NEXT (6);
  play_from (fixture, 6, in_podcast (fixture, EAR_FILTER_ALL, EAR_SORT_NEWEST));
  ASSERT_NEXT (0);
  /* The current episode is played again; the next unplayed one is far behind the played
   * ones. */
  play_from (fixture, 3, in_podcast (fixture, EAR_FILTER_ALL, EAR_SORT_NEWEST));
  ASSERT_NEXT (6);
}

static void
test_far (Fixture *fixture, gconstpointer data)
{
  for (guint i = 1; i < MANY; i++)
    set_mark (fixture, i, EAR_MARK_LISTENED, TRUE);
  play_from (fixture, 1, in_podcast (fixture, EAR_FILTER_ALL, EAR_SORT_NEWEST));
  ASSERT_NEXT (MANY);
}

/* A list continues in its own order, also when the current row leaves it. */
static void
test_list (Fixture *fixture, gconstpointer data)
{
  static const EarEpisodeFilter filters[] = { EAR_FILTER_ALL, EAR_FILTER_UNPLAYED,
                                              EAR_FILTER_IN_PROGRESS };

  for (guint i = 1; i <= 6; i++)
    set_mark (fixture, i, EAR_MARK_POSITION, G_TIME_SPAN_MINUTE);
  for (gsize i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      play_from (fixture, 6, ear_episode_query_new (0, filters[i], EAR_SORT_NEWEST, NULL));
      ASSERT_NEXT (5);
      set_mark (fixture, 5, EAR_MARK_LISTENED, TRUE);
      ASSERT_NEXT (3);
      set_mark (fixture, 6, EAR_MARK_LISTENED, TRUE);
      ASSERT_NEXT (3);
      set_mark (fixture, 3, EAR_MARK_REMOVED, TRUE);
      ASSERT_NEXT (2);
      for (guint j = 3; j <= 6; j++)
        {
          set_mark (fixture, j, EAR_MARK_LISTENED, FALSE);
          set_mark (fixture, j, EAR_MARK_REMOVED, FALSE);
        }
    }
  play_from (fixture, 3, ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL));
  ASSERT_NEXT (5);
}

/* A search result counts as a list, also within one podcast. */
static void
test_search (Fixture *fixture, gconstpointer data)
{
  play_from (fixture, 5,
             ear_episode_query_new (ear_podcast_get_id (get_podcast (fixture)), EAR_FILTER_ALL,
                                    EAR_SORT_NEWEST, "lamp"));
  ASSERT_NEXT (3);
  set_mark (fixture, 3, EAR_MARK_LISTENED, TRUE);
  ASSERT_NEXT (2);
}

static void
queue (Fixture *fixture, guint number)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, number);
  g_autoptr (GPtrArray) episodes = g_ptr_array_new ();

  g_ptr_array_add (episodes, episode);
  ear_queue_add_last (ear_library_get_queue (fixture->library), episodes);
}

/* Up Next comes first; then the list continues where it was left. An episode chosen in Up
 * Next is followed by the rest of Up Next. */
static void
test_queue (Fixture *fixture, gconstpointer data)
{
  EarPlaybackController *control = ear_library_get_playback_controller (fixture->library);

  play_from (fixture, 6, ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL));
  ASSERT_NEXT (5);
  queue (fixture, 1);
  ASSERT_NEXT (1);
  ear_playback_controller_next (control);
  g_assert_true (is_in_player (fixture, 1));
  ASSERT_NEXT (5);
  ear_playback_controller_previous (control);
  g_assert_true (is_in_player (fixture, 6));
  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  ASSERT_NEXT (5);

  queue (fixture, 2);
  queue (fixture, 3);
  ASSERT_NEXT (2);
  play_from (fixture, 2, ear_episode_query_new (0, EAR_FILTER_QUEUED, EAR_SORT_NEWEST, NULL));
  ASSERT_NEXT (3);
  ear_playback_controller_next (control);
  g_assert_true (is_in_player (fixture, 3));
  ASSERT_NEXT (0);
  /* Pausing and resuming change nothing. */
  ear_playback_controller_toggle (control, NULL, NULL);
  ear_playback_controller_toggle (control, NULL, NULL);
  ASSERT_NEXT (0);
}

static void
reopen (Fixture *fixture, guint number)
{
  /* A seek makes the next start open this episode. */
  ear_player_seek (ear_library_get_player (fixture->library), G_TIME_SPAN_SECOND);
  library_fixture_close (&fixture->library);
  open_library (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (is_in_player (fixture, number));
}

/* The next episode is the same after a restart. */
static void
test_restart (Fixture *fixture, gconstpointer data)
{
  play_from (fixture, 5, ear_episode_query_new (0, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL));
  ASSERT_NEXT (3);
  reopen (fixture, 5);
  ASSERT_NEXT (3);
  play_from (fixture, 5, in_podcast (fixture, EAR_FILTER_ALL, EAR_SORT_NEWEST));
  ASSERT_NEXT (6);
  reopen (fixture, 5);
  ASSERT_NEXT (6);
}

/* The current episode may have left the list that it was chosen in, as a begun one leaves
 * the new ones. After a restart, the list continues from its start. */
static void
test_restart_left (Fixture *fixture, gconstpointer data)
{
  set_mark (fixture, 5, EAR_MARK_LIKED, TRUE);
  set_mark (fixture, 3, EAR_MARK_LIKED, TRUE);
  play_from (fixture, 5, ear_episode_query_new (0, EAR_FILTER_LIKED, EAR_SORT_NEWEST, NULL));
  ASSERT_NEXT (3);
  set_mark (fixture, 5, EAR_MARK_LIKED, FALSE);
  ASSERT_NEXT (3);
  reopen (fixture, 5);
  ASSERT_NEXT (3);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/play-order/podcast", Fixture, GUINT_TO_POINTER (6), set_up_episodes, test_podcast,
              tear_down);
  g_test_add ("/play-order/far", Fixture, GUINT_TO_POINTER (MANY), set_up_episodes, test_far,
              tear_down);
  g_test_add ("/play-order/list", Fixture, GUINT_TO_POINTER (6), set_up_episodes, test_list,
              tear_down);
  g_test_add ("/play-order/search", Fixture, GUINT_TO_POINTER (6), set_up_episodes, test_search,
              tear_down);
  g_test_add ("/play-order/queue", Fixture, GUINT_TO_POINTER (6), set_up_episodes, test_queue,
              tear_down);
  g_test_add ("/play-order/restart", Fixture, GUINT_TO_POINTER (6), set_up_episodes, test_restart,
              tear_down);
  g_test_add ("/play-order/restart-left", Fixture, GUINT_TO_POINTER (6), set_up_episodes,
              test_restart_left, tear_down);

  return g_test_run ();
}
