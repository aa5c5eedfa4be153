/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-test-wait.h"
#include "playing-fixture.h"

/* The sleep timer when the episode ends during the fade, and at chapters */

#define SECOND G_TIME_SPAN_SECOND

/* Seconds at which chapters of the podcast begin; the listener skips the ad. */
#define AD 12
#define TALK 20
#define LAST 26

typedef struct
{
  PlayingFixture playing;
  EarSleepTimer *timer; /* owned by the library */
  EarPlayer *player;    /* owned by the library */
  EarEpisode *parted;   /* its last chapter is short */
  EarEpisode *slow;     /* the same, from a server that takes two seconds to answer */
  EarEpisode *halved;   /* has only the first two chapters */
  EarEpisode *gone;     /* its server takes seconds to answer that the file is gone */
} Fixture;

#define CHAPTERS \
  "<psc:chapters><psc:chapter start=\"0\" title=\"A\"/><psc:chapter start=\"12\" title=\"Ad\"/>" \
  "<psc:chapter start=\"20\" title=\"Talk\"/><psc:chapter start=\"26\" title=\"Last\"/></psc:chapters>"

static void
serve_chapters (EarTestServer *server)
{
  ear_test_server_put (server, "/parted.xml", "application/rss+xml",
                       "<rss version=\"2.0\" xmlns:psc=\"http://podlove.org/simple-chapters\"><channel><title>Q</title>"
                       "<item><guid>parted</guid><title>Parted</title>"
                       "<enclosure url=\"/first.wav\" type=\"audio/wav\" length=\"1\"/>" CHAPTERS "</item>"
                       "<item><guid>slow</guid><title>Slow</title>"
                       "<enclosure url=\"/~delay=2000/first.wav\" type=\"audio/wav\" length=\"1\"/>" CHAPTERS "</item>"
                       "<item><guid>halved</guid><title>Halved</title>"
                       "<enclosure url=\"/first.wav\" type=\"audio/wav\" length=\"1\"/>"
                       "<psc:chapters><psc:chapter start=\"0\" title=\"A\"/><psc:chapter start=\"12\" title=\"Ad\"/></psc:chapters>"
                       "</item><item><guid>gone</guid><title>Gone</title>"
                       "<enclosure url=\"/~delay=2600/~status=404/gone.wav\" type=\"audio/wav\" length=\"1\"/></item></channel></rss>");
}

static EarPodcast *
follow (Fixture *fixture)
{
  PlayingFixture *playing = &fixture->playing;
  g_autofree char *address = ear_test_server_dup_url (playing->server, 1, "/parted.xml");
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (playing->list));
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (playing->library), address, NULL);

  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (playing->list)) == n + 4);

  return podcast;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  EarCatalogue *catalogue;
  EarPodcast *podcast;

  playing_fixture_set_up (&fixture->playing, data);
  serve_chapters (fixture->playing.server);
  podcast = follow (fixture);
  catalogue = ear_library_get_catalogue (fixture->playing.library);
  fixture->parted = ear_catalogue_dup_episode_by_guid (catalogue, podcast, "parted");
  fixture->slow = ear_catalogue_dup_episode_by_guid (catalogue, podcast, "slow");
  fixture->halved = ear_catalogue_dup_episode_by_guid (catalogue, podcast, "halved");
  fixture->gone = ear_catalogue_dup_episode_by_guid (catalogue, podcast, "gone");
  fixture->timer = ear_library_get_sleep_timer (fixture->playing.library);
  fixture->player = fixture->playing.player;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->parted);
  g_clear_object (&fixture->slow);
  g_clear_object (&fixture->halved);
  g_clear_object (&fixture->gone);
  playing_fixture_tear_down (&fixture->playing, data);
}

static void
play (Fixture *fixture, EarEpisode *episode, double seconds)
{
  playing_fixture_play (&fixture->playing, episode, (gint64) (seconds * SECOND));
}

static gboolean
is (Fixture *fixture, EarPlayerState state)
{
  return ear_player_get_state (fixture->player) == state;
}

static gboolean
fades (Fixture *fixture)
{
  return ear_player_get_fade (fixture->player) < 1;
}

static gboolean
is_off (Fixture *fixture)
{
  return g_str_equal (ear_sleep_timer_get_choice (fixture->timer), "off");
}

static gboolean
has_chapters (Fixture *fixture)
{
  return ear_chapters_get_count (ear_chapter_control_get_chapters (ear_library_get_chapter_control (fixture->playing.library))) >= 2;
}

static void
play_chapters (Fixture *fixture, EarEpisode *episode, double seconds)
{
  play (fixture, episode, seconds);
  EAR_TEST_WAIT_UNTIL (has_chapters (fixture));
}

static void
skip_ads (Fixture *fixture)
{
  ear_chapter_control_set_skips (ear_library_get_chapter_control (fixture->playing.library), ear_episode_get_podcast (fixture->parted), "Ad", TRUE);
}

static void
set_up_next (Fixture *fixture, EarEpisode *episode)
{
  EarQueue *queue = ear_library_get_queue (fixture->playing.library);
  g_autoptr (GPtrArray) episodes = g_ptr_array_new ();

  g_ptr_array_add (episodes, episode);
  ear_queue_add_next (queue, episodes);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (ear_queue_get_list (queue))) == 1);
}

/* The timer has paused @episode at @place, with the volume restored, and no other episode
 * starts. */
static void
assert_sleeps (Fixture *fixture, EarEpisode *episode, gint64 place)
{
  EAR_TEST_WAIT_UNTIL (is_off (fixture));
  ear_test_spin (300);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  g_assert_true (ear_player_get_episode (fixture->player) == episode);
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) - place), <, SECOND / 3);
  g_assert_cmpfloat (ear_player_get_fade (fixture->player), ==, 1);
}

/* The episode ends during the fade: no other one starts, and playing later continues at
 * its end, then with the next one. */
static void
test_end (Fixture *fixture, gconstpointer data)
{
  EarEpisode *first = fixture->playing.first;
  const gboolean queued = GPOINTER_TO_INT (data);
  gint64 began;

  if (queued)
    set_up_next (fixture, fixture->parted);
  play (fixture, first, 24.5);
  ear_sleep_timer_start (fixture->timer, 6 * SECOND);
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  began = ear_player_get_position (fixture->player);
  assert_sleeps (fixture, first, began);

  ear_playback_controller_toggle (fixture->playing.control, NULL, NULL);
  EAR_TEST_WAIT_UNTIL (is (fixture, EAR_PLAYER_PLAYING));
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == (queued ? fixture->parted : fixture->playing.second));
}

/* The same when the listener skips the end of the episode */
static void
test_end_skipped (Fixture *fixture, gconstpointer data)
{
  EarEpisode *first = fixture->playing.first;
  gint64 began;

  playing_fixture_lengthen (&fixture->playing, 40 * SECOND);
  playing_fixture_set_setting (&fixture->playing, EAR_PODCAST_SETTING_SKIP_END, 8);
  play (fixture, first, 26.5);
  ear_sleep_timer_start (fixture->timer, 6 * SECOND);
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  began = ear_player_get_position (fixture->player);
  assert_sleeps (fixture, first, began);
}

/* The minutes continue from one episode to the next, until the fade begins. */
static void
test_between (Fixture *fixture, gconstpointer data)
{
  gint64 began;

  set_up_next (fixture, fixture->parted);
  play (fixture, fixture->playing.first, 28.5);
  ear_sleep_timer_start (fixture->timer, 9 * SECOND / 2);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == fixture->parted);
  g_assert_false (fades (fixture));
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  began = ear_player_get_position (fixture->player);
  assert_sleeps (fixture, fixture->parted, began);
}

/* A failing episode that starts during the fade is not skipped. */
static void
test_failure (Fixture *fixture, gconstpointer data)
{
  set_up_next (fixture, fixture->gone);
  play (fixture, fixture->playing.first, 28);
  ear_sleep_timer_start (fixture->timer, 9 * SECOND);
  EAR_TEST_WAIT_UNTIL (is (fixture, EAR_PLAYER_FAILED));
  g_assert_true (ear_player_get_episode (fixture->player) == fixture->gone);
  g_assert_true (fades (fixture));
  EAR_TEST_WAIT_UNTIL (is_off (fixture));
  ear_test_spin (300);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_FAILED);
  g_assert_true (ear_player_get_episode (fixture->player) == fixture->gone);
}

/* The chapter is followed by a short one, and the end. */
static void
test_chapter_before_last (Fixture *fixture, gconstpointer data)
{
  set_up_next (fixture, fixture->playing.first);
  play_chapters (fixture, fixture->parted, LAST - 1);
  ear_sleep_timer_choose (fixture->timer, "chapter");
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  assert_sleeps (fixture, fixture->parted, LAST * SECOND);
}

static void
set_over_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

/* Number of main loop iterations in four seconds */
static guint
count_wakes (void)
{
  gboolean over = FALSE;
  guint n = 0;

  g_timeout_add_once (4000, set_over_cb, &over);
  for (; !over; n++)
    g_main_context_iteration (NULL, TRUE);

  return n;
}

/* A paused timer does not wake the computer; the chapter still ends the timer once
 * playing resumes. */
static void
test_chapter_paused (Fixture *fixture, gconstpointer data)
{
  play_chapters (fixture, fixture->parted, AD - 2);
  ear_player_pause (fixture->player);
  ear_sleep_timer_choose (fixture->timer, "chapter");
  count_wakes ();
  g_assert_cmpuint (count_wakes (), <, 6);

  ear_player_play (fixture->player);
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, AD * SECOND);
}

/* A chapter skipped behind the chosen one is not played after the pause either, wherever
 * positions are reported. */
static void
test_chapter_before_skipped (Fixture *fixture, gconstpointer data)
{
  skip_ads (fixture);
  for (guint i = 0; i < 4; i++)
    {
      play_chapters (fixture, fixture->parted, AD - 0.9 + 0.13 * i);
      ear_sleep_timer_choose (fixture->timer, "chapter");
      EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) >= TALK * SECOND - SECOND / 3);
      EAR_TEST_WAIT_UNTIL (fades (fixture) || ear_player_get_position (fixture->player) > (TALK + 2) * SECOND);
      g_assert_true (fades (fixture));
      if (i < 3)
        ear_sleep_timer_choose (fixture->timer, "off");
    }
  assert_sleeps (fixture, fixture->parted, TALK * SECOND);
}

/* A chapter skipped before the chosen one does not count as the chosen one. */
static void
test_chapter_after_skipped (Fixture *fixture, gconstpointer data)
{
  ear_chapter_control_set_skips (ear_library_get_chapter_control (fixture->playing.library), ear_episode_get_podcast (fixture->parted), "A", TRUE);
  ear_sleep_timer_choose (fixture->timer, "chapter");
  ear_playback_controller_play (fixture->playing.control, fixture->parted, fixture->playing.list);
  EAR_TEST_WAIT_UNTIL (is (fixture, EAR_PLAYER_PLAYING) && ear_player_get_position (fixture->player) > (AD + 1) * SECOND);
  g_assert_false (fades (fixture));
  ear_player_seek (fixture->player, (TALK - 1) * SECOND);
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, TALK * SECOND);
}

/* Only a skipped chapter follows the chosen one. */
static void
test_chapter_before_end (Fixture *fixture, gconstpointer data)
{
  skip_ads (fixture);
  set_up_next (fixture, fixture->playing.first);
  play_chapters (fixture, fixture->halved, AD - 1);
  ear_sleep_timer_choose (fixture->timer, "chapter");
  EAR_TEST_WAIT_UNTIL (is (fixture, EAR_PLAYER_ENDED));
  ear_test_spin (300);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_ENDED);
  g_assert_true (ear_player_get_episode (fixture->player) == fixture->halved);
  g_assert_true (is_off (fixture));
}

/* A jump to another chapter makes the timer wait for the end of that one, however long
 * the seek takes. */
static void
test_chapter_jump (Fixture *fixture, gconstpointer data)
{
  play_chapters (fixture, fixture->slow, 5);
  ear_sleep_timer_choose (fixture->timer, "chapter");
  ear_test_spin (600);
  ear_player_seek (fixture->player, (TALK - 1) * SECOND);
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, TALK * SECOND);
  ear_sleep_timer_choose (fixture->timer, "off");

  /* A jump close to the chapter's end, and choosing the timer there */
  ear_player_seek (fixture->player, 5 * SECOND);
  EAR_TEST_WAIT_UNTIL (is (fixture, EAR_PLAYER_PLAYING) && ear_player_get_position (fixture->player) < AD * SECOND);
  ear_sleep_timer_choose (fixture->timer, "chapter");
  ear_player_seek (fixture->player, AD * SECOND - SECOND / 8);
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  g_assert_cmpint (ear_player_get_position (fixture->player), <, (AD + 2) * SECOND);
  ear_sleep_timer_choose (fixture->timer, "off");
  play_chapters (fixture, fixture->parted, AD - 0.125);
  ear_sleep_timer_choose (fixture->timer, "chapter");
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  g_assert_cmpint (ear_player_get_position (fixture->player), <, (AD + 2) * SECOND);
}

/* Skipping a chapter during the fade does not count as a seek by the listener. */
static void
test_skipping (Fixture *fixture, gconstpointer data)
{
  gint64 began;

  skip_ads (fixture);
  play_chapters (fixture, fixture->parted, AD - 3.5);
  ear_sleep_timer_start (fixture->timer, 9 * SECOND / 2);
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  began = ear_player_get_position (fixture->player);
  g_assert_cmpint (began, <, AD * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) >= TALK * SECOND - SECOND / 3);
  g_assert_true (fades (fixture));
  assert_sleeps (fixture, fixture->parted, began);
}

/* Volume and mute changed during the fade stay as the listener set them. */
static void
test_volume (Fixture *fixture, gconstpointer data)
{
  gboolean muted;

  play (fixture, fixture->playing.first, 5);
  ear_sleep_timer_start (fixture->timer, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  g_object_set (fixture->player, "volume", 0.4, "muted", TRUE, NULL);
  ear_test_spin (300);
  g_assert_true (fades (fixture));
  EAR_TEST_WAIT_UNTIL (is_off (fixture));
  g_object_get (fixture->player, "muted", &muted, NULL);
  g_assert_true (muted);
  g_assert_cmpfloat (ear_player_get_volume (fixture->player), ==, 0.4);
  g_assert_cmpfloat (ear_player_get_fade (fixture->player), ==, 1);
}

/* Extending the timer after the chapter adds minutes, in which the episode may end. */
static void
test_chapter_extended (Fixture *fixture, gconstpointer data)
{
  play_chapters (fixture, fixture->parted, LAST - 0.5);
  ear_sleep_timer_choose (fixture->timer, "chapter");
  EAR_TEST_WAIT_UNTIL (fades (fixture));
  ear_sleep_timer_extend (fixture->timer);
  g_assert_false (fades (fixture));
  g_assert_cmpuint (ear_sleep_timer_get_remaining (fixture->timer), >=, 15 * 60);
  set_up_next (fixture, fixture->playing.first);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == fixture->playing.first);
  EAR_TEST_WAIT_UNTIL (is (fixture, EAR_PLAYER_PLAYING));
  g_assert_false (fades (fixture));
  g_assert_false (is_off (fixture));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, func) g_test_add ("/sleep-timer-ends/" path, Fixture, GINT_TO_POINTER (data), set_up, func, tear_down)

  ADD ("end", FALSE, test_end);
  ADD ("end-before-up-next", TRUE, test_end);
  ADD ("end-skipped", FALSE, test_end_skipped);
  ADD ("between", FALSE, test_between);
  ADD ("failure", FALSE, test_failure);
  ADD ("chapter-paused", FALSE, test_chapter_paused);
  ADD ("chapter-before-last", FALSE, test_chapter_before_last);
  ADD ("chapter-before-skipped", FALSE, test_chapter_before_skipped);
  ADD ("chapter-after-skipped", FALSE, test_chapter_after_skipped);
  ADD ("chapter-before-end", FALSE, test_chapter_before_end);
  ADD ("chapter-jump", FALSE, test_chapter_jump);
  ADD ("chapter-extended", FALSE, test_chapter_extended);
  ADD ("skipping", FALSE, test_skipping);
  ADD ("volume", FALSE, test_volume);

  return g_test_run ();
}
