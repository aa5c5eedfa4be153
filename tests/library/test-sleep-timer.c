/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "playing-fixture.h"

/* The sleep timer: choices, the fade, ends of episodes, and chapters */

/* Seconds at which chapters of the podcast begin; the listener skips the ad. */
#define AD 12
#define TALK 20
#define LAST 26

static EarSleepTimer *timer; /* owned by the library */
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
    *episodes[i] = dup_by_guid (fixture, podcast, guids[i]);
  timer = fixture->parts->sleep_timer;
}

static void
tear_down_timer (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&parted);
  g_clear_object (&slow);
  g_clear_object (&halved);
  g_clear_object (&gone);
  tear_down (fixture, data);
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

static gboolean
has_chapters (Fixture *fixture)
{
  GPtrArray *chapters = ear_chapter_control_get_chapters (fixture->parts->chapter_control);

  return chapters->len >= 2;
}

static void
play_chapters (Fixture *fixture, EarEpisode *episode, double seconds)
{
  play (fixture, episode, seconds);
  EAR_TEST_WAIT_UNTIL (has_chapters (fixture));
}

static void
skip_chapter (Fixture *fixture, const char *title)
{
  ear_chapter_control_set_skips (fixture->parts->chapter_control, ear_episode_get_podcast (parted),
                                 title, TRUE);
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

/* Returns once the timer sleeps, with a fade of three seconds in the first episode. */
static void
sleep_from (Fixture *fixture, double seconds)
{
  play (fixture, fixture->first, seconds);
  ear_sleep_timer_start (timer, 6 * SECOND);
  assert_sleeps (fixture, fixture->first, wait_for_fade (fixture));
}

static void
assert_choice (const char *choice)
{
  g_assert_cmpstr (ear_sleep_timer_get_choice (timer), ==, choice);
}

static void
test_choices (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = { "",     "0",       "-1",   "721",
                                       "1.5",  "15 ",     " 15",  "99999999999999999999",
                                       "0x10", "Episode", "sleep" };

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

/* The sound fades, pauses, and returns to where the fade began; the volume setting
 * stays. */
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
  g_assert_cmpfloat (ear_player_get_fade (fixture->player), ==, 1);
  g_assert_cmpfloat (ear_player_get_volume (fixture->player), ==, 0.7);
  g_assert_cmpuint (n_told, ==, 0);
  ASSERT_POSITION (fixture, began);
  assert_choice ("off");
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
  gint64 place = ear_player_get_position (fixture->player);
  g_assert_cmpfloat (ear_player_get_fade (fixture->player), ==, 1);
  assert_choice ("off");
  ear_test_spin (1500);
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) - place), <, SECOND / 10);

  /* While paused the timer ends without moving the position. */
  ear_sleep_timer_start (timer, SECOND / 2);
  EAR_TEST_WAIT_UNTIL (is_off (fixture));
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) - place), <, SECOND / 10);
}

/* A seek during the fade sets the final position. */
static void
test_jump (Fixture *fixture, gconstpointer data)
{
  play (fixture, fixture->first, 15);
  ear_sleep_timer_start (timer, 4 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_fade (fixture->player) < 0.9);
  ear_player_seek (fixture->player, 5 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_PAUSED);
  EAR_TEST_WAIT_UNTIL (ABS (ear_player_get_position (fixture->player) - 5 * SECOND) < SECOND / 2);
}

/* The episode plays to its end, and no other follows, once; neither does one after the last
 * chapter. */
static void
test_episode (Fixture *fixture, gconstpointer data)
{
  ear_sleep_timer_choose (timer, "episode");
  play (fixture, fixture->first, 28);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  ear_test_spin (200);
  g_assert_true (ear_player_get_episode (fixture->player) == fixture->first);
  g_assert_true (ear_episode_get_listened (fixture->first));
  assert_choice ("off");

  play (fixture, fixture->first, 28);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == fixture->second);

  ear_sleep_timer_choose (timer, "chapter");
  play_chapters (fixture, fixture->second, 28);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  assert_choice ("off");
}

/* --- When the episode ends during the fade, and at chapters ------------------------------ */

/* The episode ends during the fade: no other one starts, and playing later continues at
 * its end, then with the next one. */
static void
test_end (Fixture *fixture, gconstpointer queued)
{
  if (queued != NULL)
    queue_episode (fixture, parted);
  sleep_from (fixture, 24.5);
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) ==
                       (queued != NULL ? parted : fixture->second));
}

/* The same when the listener skips the end of the episode */
static void
test_end_skipped (Fixture *fixture, gconstpointer data)
{
  lengthen_first (fixture, 40 * SECOND);
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_END, 8);
  sleep_from (fixture, 26.5);
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
}

/* A failing episode that starts during the fade is not skipped. */
static void
test_failure (Fixture *fixture, gconstpointer data)
{
  queue_episode (fixture, gone);
  play (fixture, fixture->first, 28);
  ear_sleep_timer_start (timer, 9 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_FAILED);
  g_assert_true (ear_player_get_episode (fixture->player) == gone);
  g_assert_true (fades (fixture));
  EAR_TEST_WAIT_UNTIL (is_off (fixture));
  ear_test_spin (300);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_FAILED);
  g_assert_true (ear_player_get_episode (fixture->player) == gone);
}

/* The chapter is followed by a short one, and the end. */
static void
test_chapter_before_last (Fixture *fixture, gconstpointer data)
{
  queue_episode (fixture, fixture->first);
  play_chapters (fixture, parted, LAST - 1);
  ear_sleep_timer_choose (timer, "chapter");
  wait_for_fade (fixture);
  assert_sleeps (fixture, parted, LAST * SECOND);
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
  play_chapters (fixture, parted, AD - 2);
  ear_player_pause (fixture->player);
  ear_sleep_timer_choose (timer, "chapter");
  count_wakes ();
  g_assert_cmpuint (count_wakes (), <, 6);

  ear_player_play (fixture->player);
  g_assert_cmpint (wait_for_fade (fixture), >=, AD * SECOND);
}

/* A chapter skipped behind the chosen one is not played after the pause either, wherever
 * positions are reported. */
static void
test_chapter_before_skipped (Fixture *fixture, gconstpointer data)
{
  skip_chapter (fixture, "Ad");
  for (guint i = 0; i < 4; i++)
    {
      play_chapters (fixture, parted, AD - 0.9 + 0.13 * i);
      ear_sleep_timer_choose (timer, "chapter");
      EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) >= TALK * SECOND - SECOND / 3);
      EAR_TEST_WAIT_UNTIL (fades (fixture) ||
                           ear_player_get_position (fixture->player) > (TALK + 2) * SECOND);
      g_assert_true (fades (fixture));
      if (i < 3)
        ear_sleep_timer_choose (timer, "off");
    }
  assert_sleeps (fixture, parted, TALK * SECOND);
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

/* Only a skipped chapter follows the chosen one. */
static void
test_chapter_before_end (Fixture *fixture, gconstpointer data)
{
  skip_chapter (fixture, "Ad");
  queue_episode (fixture, fixture->first);
  play_chapters (fixture, halved, AD - 1);
  ear_sleep_timer_choose (timer, "chapter");
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  ear_test_spin (300);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_ENDED);
  g_assert_true (ear_player_get_episode (fixture->player) == halved);
  g_assert_true (is_off (fixture));
}

/* A jump to another chapter makes the timer wait for the end of that one, however long
 * the seek takes. */
static void
test_chapter_jump (Fixture *fixture, gconstpointer data)
{
  play_chapters (fixture, slow, 5);
  ear_sleep_timer_choose (timer, "chapter");
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
  play_chapters (fixture, parted, AD - 0.125);
  ear_sleep_timer_choose (timer, "chapter");
  g_assert_cmpint (wait_for_fade (fixture), <, (AD + 2) * SECOND);
}

/* Skipping a chapter during the fade does not count as a seek by the listener. */
static void
test_skipping (Fixture *fixture, gconstpointer data)
{
  skip_chapter (fixture, "Ad");
  play_chapters (fixture, parted, AD - 3.5);
  ear_sleep_timer_start (timer, 9 * SECOND / 2);
  gint64 began = wait_for_fade (fixture);
  g_assert_cmpint (began, <, AD * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) >= TALK * SECOND - SECOND / 3);
  g_assert_true (fades (fixture));
  assert_sleeps (fixture, parted, began);
}

/* Volume and mute changed during the fade stay as the listener set them. */
static void
test_volume (Fixture *fixture, gconstpointer data)
{
  play (fixture, fixture->first, 5);
  ear_sleep_timer_start (timer, 3 * SECOND);
  wait_for_fade (fixture);
  g_object_set (fixture->player, "volume", 0.4, "muted", TRUE, NULL);
  ear_test_spin (300);
  g_assert_true (fades (fixture));
  EAR_TEST_WAIT_UNTIL (is_off (fixture));
  g_assert_true (ear_test_get_boolean (fixture->player, "muted"));
  g_assert_cmpfloat (ear_player_get_volume (fixture->player), ==, 0.4);
  g_assert_cmpfloat (ear_player_get_fade (fixture->player), ==, 1);
}

/* Extending the timer after the chapter adds minutes, in which the episode may end. */
static void
test_chapter_extended (Fixture *fixture, gconstpointer data)
{
  play_chapters (fixture, parted, LAST - 0.5);
  ear_sleep_timer_choose (timer, "chapter");
  wait_for_fade (fixture);
  ear_sleep_timer_extend (timer);
  g_assert_false (fades (fixture));
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), >=, 15 * 60);
  queue_episode (fixture, fixture->first);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == fixture->first);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  g_assert_false (fades (fixture));
  g_assert_false (is_off (fixture));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, func)                                                                      \
  g_test_add ("/sleep-timer/" path, Fixture, GINT_TO_POINTER (data), set_up_timer, func,           \
              tear_down_timer)

  ADD ("choices", FALSE, test_choices);
  ADD ("fades", FALSE, test_fades);
  ADD ("awake", FALSE, test_awake);
  ADD ("jump", FALSE, test_jump);
  ADD ("episode", FALSE, test_episode);

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
