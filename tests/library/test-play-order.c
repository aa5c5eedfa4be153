/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "served-library.h"

/* The next episode, by the list from which the current one was started; and podcasts that are
 * played from their first episode on: the listener's progress, and the sort order */

#define MINUTE G_TIME_SPAN_MINUTE

/* As many episodes as a daily podcast has in a year */
#define MANY 365

/* Serves episodes on the days of 2024.
 * @type: (nullable): of a podcast with a trailer, a bonus episode, and ten minutes each; %NULL:
 *   episode 4 is a blog post without media */
static void
put_episodes (Fixture *fixture, guint first, guint last, const char *type)
{
  static const char *const kinds[] = { "trailer", "full", "full", "bonus", "full", "full" };
  g_autoptr (GDateTime) start = g_date_time_new_utc (2024, 1, 1, 12, 0, 0);
  g_autoptr (GString) items = g_string_new (NULL);

  for (guint i = first; i <= last; i++)
    {
      g_autoptr (GDateTime) date = g_date_time_add_days (start, (int) i);
      g_autofree char *text = g_date_time_format_iso8601 (date);

      g_string_append_printf (items,
                              "<item><guid>lamp-%u</guid><title>Lamp %c</title>"
                              "<pubDate>%s</pubDate>",
                              i, (char) ('z' - i % 26), text);
      if (type != NULL)
        g_string_append_printf (items,
                                "<itunes:episodeType>%s</itunes:episodeType>"
                                "<itunes:duration>600</itunes:duration>",
                                kinds[i]);
      if (type != NULL || i != 4)
        g_string_append_printf (
            items, "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/>", i);
      g_string_append (items, "</item>\n");
    }
  put_format (fixture, "/feed.xml", RSS ("The Lighthouse Hour", "<itunes:type>%s</itunes:type>%s"),
              type != NULL ? type : "episodic", items->str);
}

static void
set_up_episodes (Fixture *fixture, gconstpointer n)
{
  set_up (fixture, NULL);
  put_episodes (fixture, 1, GPOINTER_TO_UINT (n), NULL);
  follow_served (fixture);
}

/* @episode: (nullable) */
static guint
get_number (EarEpisode *episode)
{
  return episode != NULL ? (guint) atoi (ear_episode_get_guid (episode) + strlen ("lamp-")) : 0;
}

/* Returns: 0 for no next episode */
static guint
get_next (Fixture *fixture)
{
  g_autoptr (EarEpisode) next = ear_play_order_dup_next (fixture->parts->order);

  g_assert_cmpint (ear_play_order_get_can_go_next (fixture->parts->order), ==, next != NULL);

  return get_number (next);
}

/* Each step of a test names the next episode after it, or 0. */
#define ASSERT_NEXT(number) EAR_TEST_WAIT_UNTIL (get_next (fixture) == (number))

static guint
get_current (Fixture *fixture)
{
  return get_number (ear_player_get_episode (fixture->parts->player));
}

/* @query: (transfer full) */
static void
play_from (Fixture *fixture, guint number, EarEpisodeQuery *query, guint next)
{
  g_autoptr (EarEpisodeList) list = open_list (fixture, query);
  g_autoptr (EarEpisode) episode = dup_lamp (fixture, number);

  ear_playback_controller_play (fixture->parts->playback_controller, episode, list);
  ear_player_pause (fixture->parts->player);
  ASSERT_NEXT (next);
}

static void
play_from_podcast (Fixture *fixture, guint number, EarEpisodeSort sort, guint next)
{
  play_from (fixture, number, query_podcast (fixture, EAR_FILTER_ALL, sort), next);
}

static void
play_from_list (Fixture *fixture, guint number, EarEpisodeFilter filter, EarEpisodeSort sort,
                guint next)
{
  play_from (fixture, number, ear_episode_query_new (0, filter, sort, NULL), next);
}

static void
mark_as (Fixture *fixture, guint number, EarMark mark, gboolean value, guint next)
{
  set_mark (fixture, number, mark, value);
  ASSERT_NEXT (next);
}

/* A podcast continues with later episodes in any sort order, never with played or removed ones. */
static void
test_podcast (Fixture *fixture, gconstpointer data)
{
  static const EarEpisodeSort sorts[] = { EAR_SORT_NEWEST, EAR_SORT_OLDEST, EAR_SORT_TITLE,
                                          EAR_SORT_LONGEST };

  for (gsize i = 0; i < G_N_ELEMENTS (sorts); i++)
    play_from_podcast (fixture, 2, sorts[i], 3);
  play_from (fixture, 3, query_podcast (fixture, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST), 5);
  mark_as (fixture, 5, EAR_MARK_LISTENED, TRUE, 6);
  mark_as (fixture, 6, EAR_MARK_REMOVED, TRUE, 0);
  mark_as (fixture, 6, EAR_MARK_REMOVED, FALSE, 6);
  /* The row of the current episode leaves the list. */
  mark_as (fixture, 3, EAR_MARK_LISTENED, TRUE, 6);
  play_from_podcast (fixture, 6, EAR_SORT_NEWEST, 0);
  /* A played episode is played again; the next unplayed one is far behind it. */
  play_from_podcast (fixture, 3, EAR_SORT_NEWEST, 6);
}

static void
test_far (Fixture *fixture, gconstpointer data)
{
  for (guint i = 1; i < MANY; i++)
    set_mark (fixture, i, EAR_MARK_LISTENED, TRUE);
  play_from_podcast (fixture, 1, EAR_SORT_NEWEST, MANY);
}

/* A list continues in its own order, also when the current row leaves it. */
static void
test_list (Fixture *fixture, gconstpointer data)
{
  static const EarEpisodeFilter filters[] = { EAR_FILTER_ALL, EAR_FILTER_UNPLAYED,
                                              EAR_FILTER_IN_PROGRESS };

  for (guint i = 1; i <= 6; i++)
    set_mark (fixture, i, EAR_MARK_POSITION, MINUTE);
  for (gsize i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      play_from_list (fixture, 6, filters[i], EAR_SORT_NEWEST, 5);
      mark_as (fixture, 5, EAR_MARK_LISTENED, TRUE, 3);
      mark_as (fixture, 6, EAR_MARK_LISTENED, TRUE, 3);
      mark_as (fixture, 3, EAR_MARK_REMOVED, TRUE, 2);
      for (guint j = 3; j <= 6; j++)
        {
          set_mark (fixture, j, EAR_MARK_LISTENED, FALSE);
          set_mark (fixture, j, EAR_MARK_REMOVED, FALSE);
        }
    }
  play_from_list (fixture, 3, EAR_FILTER_ALL, EAR_SORT_OLDEST, 5);

  /* A search result counts as a list, also within one podcast. */
  EarEpisodeQuery *found = query_podcast (fixture, EAR_FILTER_ALL, EAR_SORT_NEWEST);
  found->search = g_strdup ("lamp");
  play_from (fixture, 5, found, 3);
  mark_as (fixture, 3, EAR_MARK_LISTENED, TRUE, 2);

  /* There is no previous episode if none of those before has media. */
  set_mark (fixture, 4, EAR_MARK_LIKED, TRUE);
  set_mark (fixture, 2, EAR_MARK_LIKED, TRUE);
  play_from_list (fixture, 2, EAR_FILTER_LIKED, EAR_SORT_NEWEST, 0);
  EAR_TEST_WAIT_UNTIL (has_rows (ear_play_order_get_list (fixture->parts->order), 2));
  g_assert_false (ear_play_order_get_can_go_previous (fixture->parts->order));
  set_mark (fixture, 5, EAR_MARK_LIKED, TRUE);
  EAR_TEST_WAIT_UNTIL (ear_play_order_get_can_go_previous (fixture->parts->order));
}

/* Up Next comes first; then the list continues where it was left. An episode chosen in Up
 * Next is followed by the rest of Up Next. */
static void
test_queue (Fixture *fixture, gconstpointer data)
{
  EarPlaybackController *control = fixture->parts->playback_controller;

  play_from_list (fixture, 6, EAR_FILTER_ALL, EAR_SORT_NEWEST, 5);
  ear_queue_add_last (fixture->parts->queue, LAMPS (1));
  ASSERT_NEXT (1);
  ear_playback_controller_next (control);
  g_assert_cmpuint (get_current (fixture), ==, 1);
  ASSERT_NEXT (5);
  ear_playback_controller_previous (control);
  g_assert_cmpuint (get_current (fixture), ==, 6);
  mark_as (fixture, 1, EAR_MARK_LISTENED, TRUE, 5);

  ear_queue_add_last (fixture->parts->queue, LAMPS (2, 3));
  ASSERT_NEXT (2);
  play_from_list (fixture, 2, EAR_FILTER_QUEUED, EAR_SORT_NEWEST, 3);
  ear_playback_controller_next (control);
  g_assert_cmpuint (get_current (fixture), ==, 3);
  ASSERT_NEXT (0);
  /* Pausing and resuming change nothing. */
  ear_playback_controller_toggle (control, NULL, NULL);
  ear_playback_controller_toggle (control, NULL, NULL);
  ASSERT_NEXT (0);
}

static void
restart_in (Fixture *fixture, guint number, guint next)
{
  /* A seek makes the next start open this episode. */
  ear_player_seek (fixture->parts->player, G_TIME_SPAN_SECOND);
  close_library (fixture);
  open_library (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (get_current (fixture) == number);
  ASSERT_NEXT (next);
}

/* The next episode is the same after a restart. */
static void
test_restart (Fixture *fixture, gconstpointer data)
{
  play_from_list (fixture, 5, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, 3);
  restart_in (fixture, 5, 3);
  play_from_podcast (fixture, 5, EAR_SORT_NEWEST, 6);
  restart_in (fixture, 5, 6);

  /* The current episode may have left the list that it was chosen in, as a begun one leaves
   * the new ones. After a restart, the list continues from its start. */
  set_mark (fixture, 5, EAR_MARK_LIKED, TRUE);
  set_mark (fixture, 3, EAR_MARK_LIKED, TRUE);
  play_from_list (fixture, 5, EAR_FILTER_LIKED, EAR_SORT_NEWEST, 3);
  mark_as (fixture, 5, EAR_MARK_LIKED, FALSE, 3);
  restart_in (fixture, 5, 3);
}

/* --- Series ------------------------------------------------------------------------- */

static void
set_up_series (Fixture *fixture, gconstpointer type)
{
  set_up (fixture, NULL);
  put_episodes (fixture, 0, 5, type);
  follow_served (fixture);
}

/* "played/all left minutes, next", with 0 for no next episode */
static gboolean
is_series (EarSeries *series, const char *expected)
{
  g_autoptr (EarEpisode) next = NULL;
  g_autofree char *text = NULL;
  guint n_episodes, n_heard;
  gint64 left;
  double speed;

  g_object_get (series, "n-episodes", &n_episodes, "n-heard", &n_heard, "left", &left, "speed",
                &speed, "next", &next, NULL);
  text = g_strdup_printf ("%u/%u %d %s", n_heard, n_episodes, (int) (left / speed / MINUTE),
                          next != NULL ? ear_episode_get_guid (next) : "-");

  return g_str_equal (text, expected);
}

#define ASSERT_SERIES(expected) EAR_TEST_WAIT_UNTIL (is_series (series, expected))

static EarSeries *
create_series (Fixture *fixture)
{
  EarSeries *series = ear_library_create_series (fixture->library);

  g_object_set (series, "podcast", get_podcast (fixture), NULL);

  return series;
}

/* Playing continues after the last played episode, and at the end with the skipped ones. */
static void
test_progress (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarSeries) series = create_series (fixture);
  guint n_speeds = 0;

  ASSERT_SERIES ("0/4 40 lamp-1");
  g_object_set (fixture->parts->settings, "rate", 2.0, NULL);
  ASSERT_SERIES ("0/4 20 lamp-1");
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SPEED, 50);
  ASSERT_SERIES ("0/4 80 lamp-1");
  g_autoptr (EarSeries) later = create_series (fixture);
  EAR_TEST_WAIT_UNTIL (is_series (later, "0/4 80 lamp-1"));
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SPEED, EAR_SETTING_INHERIT);
  g_object_set (fixture->parts->settings, "rate", 1.0, NULL);
  ASSERT_SERIES ("0/4 40 lamp-1");

  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  ASSERT_SERIES ("1/4 30 lamp-2");
  /* Trailers and bonus episodes are not counted. */
  set_mark (fixture, 0, EAR_MARK_LISTENED, TRUE);
  set_mark (fixture, 3, EAR_MARK_POSITION, 5 * MINUTE);
  set_mark (fixture, 4, EAR_MARK_POSITION, 4 * MINUTE);
  ASSERT_SERIES ("1/4 26 lamp-4");
  set_mark (fixture, 4, EAR_MARK_LISTENED, TRUE);
  ASSERT_SERIES ("2/4 20 lamp-5");
  set_mark (fixture, 5, EAR_MARK_LISTENED, TRUE);
  ASSERT_SERIES ("3/4 10 lamp-2");
  set_mark (fixture, 2, EAR_MARK_LISTENED, TRUE);
  ASSERT_SERIES ("4/4 0 -");

  /* The podcast is no longer a series. */
  ear_subscriptions_set_series (fixture->parts->subscriptions, get_podcast (fixture), FALSE);
  ASSERT_SERIES ("0/0 0 -");
  g_signal_connect_swapped (series, "notify::speed", G_CALLBACK (ear_test_count_cb), &n_speeds);
  g_object_set (series, "podcast", NULL, NULL);
  g_assert_cmpuint (n_speeds, ==, 1);
}

static void
assert_series (Fixture *fixture, gboolean series, const char *sort)
{
  g_assert_cmpint (ear_podcast_get_series (get_podcast (fixture)), ==, series);
  g_assert_cmpstr (ear_podcast_get_sort (get_podcast (fixture)), ==, sort);
}

/* The sort order follows the series, until the listener chooses another one. */
static void
test_setting (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = get_podcast (fixture);
  EarSubscriptions *subscriptions = fixture->parts->subscriptions;
  guint n_series = 0, n_sorts = 0;

  /* The feed turns into a series. */
  assert_series (fixture, FALSE, "newest");
  put_episodes (fixture, 0, 5, "serial");
  refresh (fixture);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_series (podcast));
  assert_series (fixture, TRUE, "oldest");
  g_signal_connect_swapped (podcast, "notify::series", G_CALLBACK (ear_test_count_cb), &n_series);
  g_signal_connect_swapped (podcast, "notify::sort", G_CALLBACK (ear_test_count_cb), &n_sorts);
  ear_subscriptions_set_arrangement (subscriptions, podcast, "all", "newest");
  assert_series (fixture, TRUE, "newest");
  ear_subscriptions_set_series (subscriptions, podcast, FALSE);
  assert_series (fixture, FALSE, "newest");
  g_assert_cmpuint (n_series, ==, 1);
  g_assert_cmpuint (n_sorts, ==, 1);
  for (guint i = 0; i < 2; i++)
    {
      ear_subscriptions_set_series (subscriptions, podcast, TRUE);
      assert_series (fixture, TRUE, "oldest");
    }
  g_assert_cmpuint (n_series, ==, 2);
  g_assert_cmpuint (n_sorts, ==, 2);

  /* The setting survives a restart, whatever the feed says. */
  put_episodes (fixture, 0, 5, "episodic");
  restart (fixture);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  assert_series (fixture, TRUE, "oldest");
}

/* Continues the series. Returns: whether an episode plays */
static gboolean
continue_series (Fixture *fixture)
{
  EarPlaybackController *control = fixture->parts->playback_controller;
  g_autoptr (GAsyncResult) result = NULL;

  ear_playback_controller_continue_async (control, get_podcast (fixture), ear_test_result_cb,
                                          &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);

  return ear_playback_controller_resume_finish (control, result, NULL);
}

/* In any list order, the next episode is that of the series: no trailer and no bonus episode. */
static void
test_plays (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarSeries) series = create_series (fixture);

  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (continue_series (fixture));
      g_assert_cmpuint (get_current (fixture), ==, 1);
    }
  ASSERT_NEXT (2);
  play_from_podcast (fixture, 2, EAR_SORT_NEWEST, 4);
  play_from_podcast (fixture, 3, EAR_SORT_TITLE, 4);
  play_from_podcast (fixture, 5, EAR_SORT_NEWEST, 0);
  for (guint i = 0; i < 6; i++)
    set_mark (fixture, i, EAR_MARK_LISTENED, TRUE);
  ASSERT_SERIES ("4/4 0 -");
  g_assert_false (continue_series (fixture));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, n, test)                                                                         \
  g_test_add ("/play-order/" path, Fixture, GUINT_TO_POINTER (n), set_up_episodes, test, tear_down)
  ADD ("podcast", 6, test_podcast);
  ADD ("far", MANY, test_far);
  ADD ("list", 6, test_list);
  ADD ("queue", 6, test_queue);
  ADD ("restart", 6, test_restart);
#undef ADD
#define ADD(path, type, test)                                                                      \
  g_test_add ("/play-order/series/" path, Fixture, type, set_up_series, test, tear_down)
  ADD ("progress", "Serial", test_progress);
  ADD ("setting", "episodic", test_setting);
  ADD ("plays", "Serial", test_plays);
#undef ADD

  return g_test_run ();
}
