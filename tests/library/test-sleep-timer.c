/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "playing-fixture.h"

/* The sleep timer: choices, the fade, ends of episodes, and chapters */

/* Seconds at which chapters of the podcast begin; the listener skips the ad. */
#define AD 12
#define TALK 20
#define LAST 26

static EarSleepTimer *timer; /* owned by the library */
/* Held by the fixture */
static EarEpisode *parted;   /* its last chapter is short */
static EarEpisode *slow;     /* the same, from a server that takes two seconds to answer */
static EarEpisode *halved;   /* has only the first two chapters */
static EarEpisode *gone;     /* its server takes seconds to answer that the file is gone */

#define HALF "<psc:chapter start=\"0\" title=\"A\"/><psc:chapter start=\"12\" title=\"Ad\"/>"
#define REST "<psc:chapter start=\"20\" title=\"Talk\"/><psc:chapter start=\"26\" title=\"Last\"/>"

#define ITEM(name, path, chapters)                                                                 \
  "<item><guid>" name "</guid><title>" name "</title>"                                             \
  "<enclosure url=\"" path "\" type=\"audio/wav\" length=\"1\"/>"                                  \
  "<psc:chapters>" chapters "</psc:chapters></item>"
#define ITEMS                                                                                      \
  ITEM ("parted", "/first.wav", HALF REST)                                                         \
  ITEM ("slow", "/~delay=2000/first.wav", HALF REST)                                               \
  ITEM ("halved", "/first.wav", HALF)                                                              \
  ITEM ("gone", "/~delay=2600/~status=404/gone.wav", "")

static void
set_up_timer (Fixture *fixture, gconstpointer data)
{
  EarEpisode **const episodes[] = { &parted, &slow, &halved, &gone };
  static const char *const guids[] = { "parted", "slow", "halved", "gone" };

  playing_fixture_set_up (fixture, data);
  put_text (fixture, "/parted.xml", RSS ("Q", ITEMS));
  EarPodcast *podcast = follow (fixture, "/parted.xml");
  EAR_TEST_WAIT_UNTIL (has_rows (fixture->list, 7));
  for (guint i = 0; i < G_N_ELEMENTS (episodes); i++)
    *episodes[i] = fixture->lamps[i] = dup_by_guid (fixture, podcast, guids[i]);
  timer = fixture->parts->sleep_timer;
}

static void
play (Fixture *fixture, EarEpisode *episode, double seconds)
{
  playing_fixture_play (fixture, episode, (gint64) (seconds * SECOND));
}

static gboolean
fades (Fixture *fixture)
{
  return ear_player_get_fade (fixture->player) < 1;
}

/* Returns the position at which the fade began. */
static gint64
wait_for_fade (Fixture *fixture)
{
  EAR_TEST_WAIT_UNTIL (fades (fixture));

  return ear_player_get_position (fixture->player);
}

static gboolean
is_off (Fixture *fixture)
{
  return g_str_equal (ear_sleep_timer_get_choice (timer), "off");
}

/* Plays an episode whose chapters are known then. */
static void
play_chapters (Fixture *fixture, EarEpisode *episode, double seconds)
{
  EarChapterControl *control = fixture->parts->chapter_control;

  play (fixture, episode, seconds);
  EAR_TEST_WAIT_UNTIL (ear_chapter_control_get_chapters (control)->len >= 2);
}

/* Plays an episode up to the end of the chapter at a time. */
static void
sleep_in_chapter (Fixture *fixture, EarEpisode *episode, double seconds)
{
  play_chapters (fixture, episode, seconds);
  ear_sleep_timer_choose (timer, "chapter");
}

static void
skip_chapter (Fixture *fixture, const char *title)
{
  ear_chapter_control_set_skips (fixture->parts->chapter_control, ear_episode_get_podcast (parted),
                                 title, TRUE);
}

/* The timer has ended in @episode, with the volume restored, and no other episode starts. */
static void
assert_stays (Fixture *fixture, EarEpisode *episode, EarPlayerState state)
{
  EAR_TEST_WAIT_UNTIL (is_off (fixture));
  wait_for_state (fixture, state);
  ear_test_spin (300);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, state);
  g_assert_true (ear_player_get_episode (fixture->player) == episode);
  g_assert_cmpfloat (ear_player_get_fade (fixture->player), ==, 1);
}

/* The timer has paused @episode at a position. */
static void
assert_sleeps (Fixture *fixture, EarEpisode *episode, gint64 position)
{
  assert_stays (fixture, episode, EAR_PLAYER_PAUSED);
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) - position), <, SECOND / 3);
}

static void
assert_choice (const char *choice)
{
  g_assert_cmpstr (ear_sleep_timer_get_choice (timer), ==, choice);
}

static void
test_choices (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = { "",    "0",    "-1",      "721",   "1.5",  "15 ",
                                       " 15", "0x10", "Episode", "sleep", "99999999999999999999" };

  assert_choice ("off");
  ear_sleep_timer_choose (timer, "15");
  assert_choice ("15");
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 15 * 60);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_false (ear_sleep_timer_is_choice (wrong[i]));
      ear_sleep_timer_choose (timer, wrong[i]);
      assert_choice ("15");
    }
  ear_sleep_timer_choose (timer, "episode");
  assert_choice ("episode");
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 0);
  ear_sleep_timer_choose (timer, "off");
  assert_choice ("off");

  ear_sleep_timer_extend (timer);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 15 * 60);
  ear_sleep_timer_extend (timer);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 30 * 60);
  for (guint i = 0; i < 100; i++)
    ear_sleep_timer_extend (timer);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 720 * 60);
  ear_sleep_timer_choose (timer, "off");
}

/* The sound fades, pauses, and returns to where the fade began; the volume stays. */
static void
test_fades (Fixture *fixture, gconstpointer data)
{
  double lowest = 1, level = 1;
  guint n_told = 0;

  play (fixture, fixture->first, 5);
  ear_player_set_volume (fixture->player, 0.7);
  g_signal_connect_swapped (fixture->player, "notify::volume", G_CALLBACK (ear_test_count_cb),
                            &n_told);
  ear_sleep_timer_start (timer, 4500 * G_TIME_SPAN_MILLISECOND);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 5);
  gint64 began = wait_for_fade (fixture);
  while (ear_player_get_state (fixture->player) != EAR_PLAYER_PAUSED)
    {
      lowest = MIN (lowest, ear_player_get_fade (fixture->player));
      g_assert_cmpfloat (ear_player_get_fade (fixture->player), <=, level);
      level = ear_player_get_fade (fixture->player);
      ear_test_spin (20);
    }
  g_assert_cmpfloat (lowest, <, 0.2);
  g_assert_cmpfloat (ear_player_get_volume (fixture->player), ==, 0.7);
  g_assert_cmpuint (n_told, ==, 0);
  assert_sleeps (fixture, fixture->first, began);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 0);
  EAR_TEST_WAIT_UNTIL (ABS (ear_episode_get_position (fixture->first) - began) < SECOND / 2);
}

/* The listener can extend the timer; pausing by hand ends it. */
static void
test_awake (Fixture *fixture, gconstpointer data)
{
  play (fixture, fixture->first, 5);
  ear_sleep_timer_start (timer, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_fade (fixture->player) < 0.8);
  ear_sleep_timer_extend (timer);
  g_assert_cmpfloat (ear_player_get_fade (fixture->player), ==, 1);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), >=, 15 * 60);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PLAYING);

  ear_sleep_timer_start (timer, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_fade (fixture->player) < 0.8);
  ear_player_pause (fixture->player);
  const gint64 position = ear_player_get_position (fixture->player);
  g_assert_cmpfloat (ear_player_get_fade (fixture->player), ==, 1);
  assert_choice ("off");
  ear_test_spin (1500);
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) - position), <, SECOND / 10);

  /* While paused the timer ends without moving the position. */
  ear_sleep_timer_start (timer, SECOND / 2);
  assert_sleeps (fixture, fixture->first, position);

  /* A seek during the fade sets the final position. */
  play (fixture, fixture->first, 15);
  ear_sleep_timer_start (timer, 4 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_fade (fixture->player) < 0.9);
  ear_player_seek (fixture->player, 5 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_PAUSED);
  EAR_TEST_WAIT_UNTIL (ABS (ear_player_get_position (fixture->player) - 5 * SECOND) < SECOND / 2);
}

/* No other episode follows this one, once, and none after the last chapter. */
static void
test_episode (Fixture *fixture, gconstpointer data)
{
  ear_sleep_timer_choose (timer, "episode");
  play (fixture, fixture->first, 28);
  assert_stays (fixture, fixture->first, EAR_PLAYER_ENDED);
  g_assert_true (ear_episode_get_listened (fixture->first));

  play (fixture, fixture->first, 28);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == fixture->second);

  ear_sleep_timer_choose (timer, "chapter");
  play_chapters (fixture, fixture->second, 28);
  assert_stays (fixture, fixture->second, EAR_PLAYER_ENDED);
}

/* --- When the episode ends during the fade, and at chapters ------------------------------ */

/* The episode ends during the fade: no other one starts, and playing later continues at
 * its end, then with the next one. The same when the listener skips the end of the episode. */
static void
test_end (Fixture *fixture, gconstpointer queued)
{
  if (queued != NULL)
    {
      queue_episode (fixture, parted);
      lengthen_first (fixture, 40 * SECOND);
      set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_END, 10);
    }
  play (fixture, fixture->first, 24.5);
  ear_sleep_timer_start (timer, 6 * SECOND);
  assert_sleeps (fixture, fixture->first, wait_for_fade (fixture));
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) ==
                       (queued != NULL ? parted : fixture->second));
}

/* The minutes continue from one episode to the next, until the fade begins. */
static void
test_between (Fixture *fixture, gconstpointer data)
{
  queue_episode (fixture, parted);
  play (fixture, fixture->first, 28.5);
  ear_sleep_timer_start (timer, 9 * SECOND / 2);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == parted);
  g_assert_false (fades (fixture));
  assert_sleeps (fixture, parted, wait_for_fade (fixture));

  /* A failing episode that starts during the fade is not skipped. */
  ear_queue_clear (fixture->parts->queue);
  EAR_TEST_WAIT_UNTIL (count_queue (fixture) == 0);
  queue_episode (fixture, gone);
  play (fixture, fixture->first, 28);
  ear_sleep_timer_start (timer, 9 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_FAILED);
  g_assert_true (fades (fixture));
  assert_stays (fixture, gone, EAR_PLAYER_FAILED);
}

/* Number of main loop iterations in four seconds */
static guint
count_wakes (void)
{
  guint over = 0, n;

  g_timeout_add_once (4000, (GSourceOnceFunc) ear_test_count_cb, &over);
  for (n = 0; over == 0; n++)
    g_main_context_iteration (NULL, TRUE);

  return n;
}

static void
test_chapter (Fixture *fixture, gconstpointer data)
{
  /* A paused timer does not wake the computer; later the chapter still ends it. */
  play_chapters (fixture, parted, AD - 2);
  ear_player_pause (fixture->player);
  ear_sleep_timer_choose (timer, "chapter");
  count_wakes ();
  g_assert_cmpuint (count_wakes (), <, 6);

  ear_player_play (fixture->player);
  g_assert_cmpint (wait_for_fade (fixture), >=, AD * SECOND);
  ear_sleep_timer_choose (timer, "off");

  /* The chapter is followed by a short one, and the end. */
  queue_episode (fixture, fixture->first);
  sleep_in_chapter (fixture, parted, LAST - 1);
  wait_for_fade (fixture);
  assert_sleeps (fixture, parted, LAST * SECOND);

  /* Extending the timer after the chapter adds minutes, in which the episode may end. */
  sleep_in_chapter (fixture, parted, LAST - 0.5);
  wait_for_fade (fixture);
  ear_sleep_timer_extend (timer);
  g_assert_false (fades (fixture));
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), >=, 15 * 60);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == fixture->first);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  g_assert_false (fades (fixture));
  g_assert_false (is_off (fixture));
}

static void
test_chapter_before_skipped (Fixture *fixture, gconstpointer data)
{
  skip_chapter (fixture, "Ad");
  /* The skipped chapter does not play, wherever positions are reported. */
  for (guint i = 0; i < 4; i++)
    {
      sleep_in_chapter (fixture, parted, AD - 0.9 + 0.13 * i);
      EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) >= TALK * SECOND - SECOND / 3);
      EAR_TEST_WAIT_UNTIL (fades (fixture) ||
                           ear_player_get_position (fixture->player) > (TALK + 2) * SECOND);
      g_assert_true (fades (fixture));
      if (i < 3)
        ear_sleep_timer_choose (timer, "off");
    }
  assert_sleeps (fixture, parted, TALK * SECOND);

  /* Only a skipped chapter follows the chosen one. */
  queue_episode (fixture, fixture->first);
  sleep_in_chapter (fixture, halved, AD - 1);
  assert_stays (fixture, halved, EAR_PLAYER_ENDED);
}

/* A chapter skipped before the chosen one does not count as the chosen one. */
static void
test_chapter_after_skipped (Fixture *fixture, gconstpointer data)
{
  skip_chapter (fixture, "A");
  ear_sleep_timer_choose (timer, "chapter");
  ear_playback_controller_play (fixture->control, parted, fixture->list);
  wait_past (fixture, (AD + 1) * SECOND);
  g_assert_false (fades (fixture));
  ear_player_seek (fixture->player, (TALK - 1) * SECOND);
  g_assert_cmpint (wait_for_fade (fixture), >=, TALK * SECOND);
}

/* After a jump the timer waits for the end of that chapter, however long the seek takes. */
static void
test_chapter_jump (Fixture *fixture, gconstpointer data)
{
  sleep_in_chapter (fixture, slow, 5);
  ear_test_spin (600);
  ear_player_seek (fixture->player, (TALK - 1) * SECOND);
  g_assert_cmpint (wait_for_fade (fixture), >=, TALK * SECOND);
  ear_sleep_timer_choose (timer, "off");

  /* A jump close to the chapter's end, and choosing the timer there */
  ear_player_seek (fixture->player, 5 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING &&
                       ear_player_get_position (fixture->player) < AD * SECOND);
  ear_sleep_timer_choose (timer, "chapter");
  ear_player_seek (fixture->player, AD * SECOND - SECOND / 8);
  g_assert_cmpint (wait_for_fade (fixture), <, (AD + 2) * SECOND);
  ear_sleep_timer_choose (timer, "off");
  sleep_in_chapter (fixture, parted, AD - 0.125);
  g_assert_cmpint (wait_for_fade (fixture), <, (AD + 2) * SECOND);
}

/* Skipping a chapter during the fade does not count as a seek by the listener. Volume and mute
 * stay as they are set meanwhile. */
static void
test_skipping (Fixture *fixture, gconstpointer data)
{
  skip_chapter (fixture, "Ad");
  play_chapters (fixture, parted, AD - 3.5);
  ear_sleep_timer_start (timer, 9 * SECOND / 2);
  gint64 began = wait_for_fade (fixture);
  g_assert_cmpint (began, <, AD * SECOND);
  g_object_set (fixture->player, "volume", 0.4, "muted", TRUE, NULL);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) >= TALK * SECOND - SECOND / 3);
  g_assert_true (fades (fixture));
  assert_sleeps (fixture, parted, began);
  g_assert_true (ear_test_get_boolean (fixture->player, "muted"));
  g_assert_cmpfloat (ear_player_get_volume (fixture->player), ==, 0.4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, func)                                                                      \
  g_test_add ("/sleep-timer/" path, Fixture, GINT_TO_POINTER (data), set_up_timer, func, tear_down)
  ADD ("choices", FALSE, test_choices);
  ADD ("fades", FALSE, test_fades);
  ADD ("awake", FALSE, test_awake);
  ADD ("episode", FALSE, test_episode);
  ADD ("end", FALSE, test_end);
  ADD ("end-skipped-before-up-next", TRUE, test_end);
  ADD ("between", FALSE, test_between);
  ADD ("chapter", FALSE, test_chapter);
  ADD ("chapter-before-skipped", FALSE, test_chapter_before_skipped);
  ADD ("chapter-after-skipped", FALSE, test_chapter_after_skipped);
  ADD ("chapter-jump", FALSE, test_chapter_jump);
  ADD ("skipping", FALSE, test_skipping);

  return g_test_run ();
}
