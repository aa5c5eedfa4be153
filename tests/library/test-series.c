/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-play-order.h"
#include "ear-series.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "served-library.h"

/* A podcast that is played from its first episode on: the listener's progress, the next
 * episode, and the sort order */

#define MINUTE G_TIME_SPAN_MINUTE

/* A trailer, four episodes of ten minutes, and between them a bonus episode */
static void
put_series (Fixture *fixture, const char *type)
{
  static const char *const kinds[] = { "trailer", "full", "full", "bonus", "full", "full" };
  g_autoptr (GString) feed = g_string_new ("<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">"
                                           "<channel><title>The Lighthouse Hour</title>");

  g_string_append_printf (feed, "<itunes:type>%s</itunes:type>", type);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_string_append_printf (feed,
                            "<item><guid>lamp-%u</guid><title>Lamp %u</title><pubDate>Mon, %02u Jan 2024 12:00:00 +0000</pubDate>"
                            "<itunes:episodeType>%s</itunes:episodeType><itunes:duration>600</itunes:duration>"
                            "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/></item>\n",
                            i, i, 1 + i, kinds[i], i);
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed->str);
}

static void
set_up_type (Fixture *fixture, const char *type)
{
  set_up (fixture, NULL);
  put_series (fixture, type);
  open_and_wait (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
}

static void
set_up_series (Fixture *fixture, gconstpointer data)
{
  set_up_type (fixture, "Serial");
}

static void
set_up_episodic (Fixture *fixture, gconstpointer data)
{
  set_up_type (fixture, "episodic");
}

static EarEpisode *
dup_episode (Fixture *fixture, guint number)
{
  g_autofree char *guid = g_strdup_printf ("lamp-%u", number);

  return ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (fixture->library), get_podcast (fixture), guid);
}

static void
set_mark (Fixture *fixture, guint number, EarMark mark, gint64 value)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, number);

  ear_history_set_mark (ear_library_get_history (fixture->library), episode, mark, value);
}

/* "played/all left minutes, next", with "-" for no next episode */
static char *
print_series (EarSeries *series)
{
  g_autoptr (EarEpisode) next = NULL;
  guint n_episodes, n_heard;
  gint64 left;

  g_object_get (series, "n-episodes", &n_episodes, "n-heard", &n_heard, "left", &left, "next", &next, NULL);

  return g_strdup_printf ("%u/%u %d %s", n_heard, n_episodes, (int) (left / MINUTE), next != NULL ? ear_episode_get_guid (next) : "-");
}

static gboolean
is_series (EarSeries *series, const char *expected)
{
  g_autofree char *text = print_series (series);

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

/* Playing continues after the last played episode, and returns to skipped ones at the
 * end. */
static void
test_progress (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarSeries) series = create_series (fixture);

  ASSERT_SERIES ("0/4 40 lamp-1");
  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  ASSERT_SERIES ("1/4 30 lamp-2");
  /* Trailers and bonus episodes count neither as played nor as the listener's
   * progress. */
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
}

static void
test_speed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarSeries) series = create_series (fixture);
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (fixture->library);

  ASSERT_SERIES ("0/4 40 lamp-1");
  g_object_set (ear_library_get_settings (fixture->library), "rate", 2.0, NULL);
  ASSERT_SERIES ("0/4 20 lamp-1");
  ear_subscriptions_set_setting (subscriptions, get_podcast (fixture), EAR_PODCAST_SETTING_SPEED, 50);
  ASSERT_SERIES ("0/4 80 lamp-1");
  ear_subscriptions_set_setting (subscriptions, get_podcast (fixture), EAR_PODCAST_SETTING_SPEED, EAR_PLAYBACK_INHERIT);
  g_object_set (ear_library_get_settings (fixture->library), "rate", 1.0, NULL);
  ASSERT_SERIES ("0/4 40 lamp-1");
  /* The podcast is no longer a series. */
  ear_subscriptions_set_series (subscriptions, get_podcast (fixture), FALSE);
  ASSERT_SERIES ("0/0 0 -");
}

/* The feed or the listener makes a podcast a series; the sort order follows until the
 * listener chooses another one. */
static void
test_setting (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = get_podcast (fixture);
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (fixture->library);
  guint n_series = 0;
  guint n_sorts = 0;

  g_assert_true (ear_podcast_get_series (podcast));
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "oldest");
  g_signal_connect_swapped (podcast, "notify::series", G_CALLBACK (count_signal_cb), &n_series);
  g_signal_connect_swapped (podcast, "notify::sort", G_CALLBACK (count_signal_cb), &n_sorts);

  ear_subscriptions_set_arrangement (subscriptions, podcast, "all", "newest");
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "newest");
  g_assert_true (ear_podcast_get_series (podcast));
  ear_subscriptions_set_series (subscriptions, podcast, FALSE);
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "newest");
  g_assert_cmpuint (n_series, ==, 1);
  g_assert_cmpuint (n_sorts, ==, 1);
  ear_subscriptions_set_series (subscriptions, podcast, TRUE);
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "oldest");
  ear_subscriptions_set_series (subscriptions, podcast, TRUE);
  g_assert_cmpuint (n_series, ==, 2);
  g_assert_cmpuint (n_sorts, ==, 2);
  g_signal_handlers_disconnect_by_data (podcast, &n_series);
  g_signal_handlers_disconnect_by_data (podcast, &n_sorts);

  /* The setting survives a restart, whatever the feed says. */
  put_series (fixture, "episodic");
  library_fixture_close (&fixture->library);
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_true (ear_podcast_get_series (get_podcast (fixture)));
  g_assert_cmpstr (ear_podcast_get_sort (get_podcast (fixture)), ==, "oldest");
}

/* The feed turns into a series. */
static void
test_feed (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = get_podcast (fixture);

  g_assert_false (ear_podcast_get_series (podcast));
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "newest");
  put_series (fixture, "serial");
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), podcast, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_series (podcast));
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "oldest");
}

static void
continued_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  char **told = user_data;

  *told = g_strdup (ear_playback_controller_resume_finish (EAR_PLAYBACK_CONTROLLER (source), result, &error) ? "plays" : "nothing");
}

static char *
go_on (Fixture *fixture)
{
  char *told = NULL;

  ear_playback_controller_continue_async (ear_library_get_playback_controller (fixture->library),
                                          get_podcast (fixture), continued_cb, &told);
  EAR_TEST_WAIT_UNTIL (told != NULL);

  return told;
}

static gboolean
is_next (Fixture *fixture, const char *expected)
{
  g_autoptr (EarEpisode) next = ear_play_order_dup_next (ear_library_get_order (fixture->library));

  return g_strcmp0 (next != NULL ? ear_episode_get_guid (next) : NULL, expected) == 0;
}

static void
play_from (Fixture *fixture, guint number, EarEpisodeSort sort)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (ear_podcast_get_id (get_podcast (fixture)), EAR_FILTER_ALL, sort, NULL);
  g_autoptr (EarEpisodeList) list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  g_autoptr (EarEpisode) episode = dup_episode (fixture, number);

  EAR_TEST_WAIT_UNTIL (has_rows (list, 6));
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                list);
}

/* The next episode is that of the series in every list order, without trailers and bonus
 * episodes. */
static void
test_plays (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player = ear_library_get_player (fixture->library);
  g_autofree char *told = go_on (fixture);
  g_autofree char *told_at_end = NULL;
  g_autoptr (EarSeries) series = create_series (fixture);

  g_assert_cmpstr (told, ==, "plays");
  g_assert_cmpstr (ear_episode_get_guid (ear_player_get_episode (player)), ==, "lamp-1");
  EAR_TEST_WAIT_UNTIL (is_next (fixture, "lamp-2"));
  play_from (fixture, 2, EAR_SORT_NEWEST);
  EAR_TEST_WAIT_UNTIL (is_next (fixture, "lamp-4"));
  play_from (fixture, 3, EAR_SORT_TITLE);
  EAR_TEST_WAIT_UNTIL (is_next (fixture, "lamp-4"));
  play_from (fixture, 5, EAR_SORT_NEWEST);
  EAR_TEST_WAIT_UNTIL (is_next (fixture, NULL));
  for (guint i = 0; i < 6; i++)
    set_mark (fixture, i, EAR_MARK_LISTENED, TRUE);
  ASSERT_SERIES ("4/4 0 -");
  told_at_end = go_on (fixture);
  g_assert_cmpstr (told_at_end, ==, "nothing");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/series/progress", Fixture, NULL, set_up_series, test_progress, tear_down);
  g_test_add ("/series/speed", Fixture, NULL, set_up_series, test_speed, tear_down);
  g_test_add ("/series/setting", Fixture, NULL, set_up_series, test_setting, tear_down);
  g_test_add ("/series/feed", Fixture, NULL, set_up_episodic, test_feed, tear_down);
  g_test_add ("/series/plays", Fixture, NULL, set_up_series, test_plays, tear_down);

  return g_test_run ();
}
