/* SPDX-License-Identifier: GPL-3.0-or-later */

/* When a time of the media is heard, from the sound that arrives at the output. */

#include "ear-timeline.h"

/* Adds a second of sound in pieces of 20 ms, as a sink receives it. */
static void
add_second (EarTimeline *timeline, GstClockTime time, GstClockTime running, double rate)
{
  for (guint i = 0; i < 50; i++)
    ear_timeline_add (timeline, time + (GstClockTime) (i * 20 * GST_MSECOND * rate), running + i * 20 * GST_MSECOND, rate);
}

static void
assert_heard (EarTimeline *timeline, GstClockTime time, GstClockTime expected)
{
  GstClockTime running;
  double rate;

  g_assert_true (ear_timeline_find (timeline, time, &running, &rate));
  g_assert_cmpint (ABS (GST_CLOCK_DIFF (running, expected)), <=, GST_MSECOND);
}

static void
test_empty (void)
{
  g_autoptr (EarTimeline) timeline = ear_timeline_new ();
  GstClockTime running;
  double rate;

  g_assert_false (ear_timeline_find (timeline, 0, &running, &rate));
  add_second (timeline, GST_SECOND, 0, 1);
  assert_heard (timeline, GST_SECOND, 0);
  ear_timeline_begin (timeline);
  g_assert_false (ear_timeline_find (timeline, GST_SECOND, &running, &rate));
}

/* A seek to 10 s, a second at speed 1, then at 2. */
static void
test_rate (void)
{
  g_autoptr (EarTimeline) timeline = ear_timeline_new ();
  GstClockTime running;
  double rate;

  add_second (timeline, 10 * GST_SECOND, 0, 1);
  add_second (timeline, 11 * GST_SECOND, GST_SECOND, 2);
  assert_heard (timeline, 10 * GST_SECOND + 500 * GST_MSECOND, 500 * GST_MSECOND);
  assert_heard (timeline, 12 * GST_SECOND, GST_SECOND + 500 * GST_MSECOND);
  /* Later times are extrapolated. */
  assert_heard (timeline, 15 * GST_SECOND, 3 * GST_SECOND);
  /* A time before all sound has passed. */
  assert_heard (timeline, 9 * GST_SECOND, 0);
  g_assert_true (ear_timeline_find (timeline, 12 * GST_SECOND, &running, &rate));
  g_assert_cmpfloat (rate, ==, 2);
}

/* Two seconds of silence are cut. */
static void
test_cut (void)
{
  g_autoptr (EarTimeline) timeline = ear_timeline_new ();

  add_second (timeline, 0, 0, 1);
  add_second (timeline, 3 * GST_SECOND, GST_SECOND, 1);
  assert_heard (timeline, 900 * GST_MSECOND, 900 * GST_MSECOND);
  assert_heard (timeline, 2 * GST_SECOND, GST_SECOND);
  assert_heard (timeline, 3 * GST_SECOND + 100 * GST_MSECOND, GST_SECOND + 100 * GST_MSECOND);
}

/* With many changes of speed nothing grows, and the newest stays right. */
static void
test_many (void)
{
  g_autoptr (EarTimeline) timeline = ear_timeline_new ();
  GstClockTime time = 0;

  for (guint i = 0; i < 1000; i++)
    {
      double rate = i % 2 == 0 ? 1 : 2;

      add_second (timeline, time, i * GST_SECOND, rate);
      time += (GstClockTime) (GST_SECOND * rate);
    }
  assert_heard (timeline, time - GST_SECOND, 999 * GST_SECOND + 500 * GST_MSECOND);
}

static gboolean
give_up_cb (gpointer user_data)
{
  return g_atomic_int_get ((int *) user_data);
}

static gpointer
wait_thread (gpointer data)
{
  gpointer *args = data;

  ear_timeline_wait (args[0], 5 * GST_SECOND, give_up_cb, args[1]);

  return NULL;
}

/* New sound, the end of the sound, and a wake-up release waiting threads. */
static void
test_wait (void)
{
  for (guint way = 0; way < 3; way++)
    {
      g_autoptr (EarTimeline) timeline = ear_timeline_new ();
      int gave_up = FALSE;
      gpointer args[] = { timeline, &gave_up };
      GThread *thread = g_thread_new ("wait", wait_thread, args);

      g_usleep (1000);
      if (way == 0)
        ear_timeline_add (timeline, 5 * GST_SECOND, 0, 1);
      else if (way == 1)
        ear_timeline_end (timeline);
      else
        {
          g_atomic_int_set (&gave_up, TRUE);
          ear_timeline_wake (timeline);
        }
      g_thread_join (thread);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  g_test_add_func ("/player/timeline/empty", test_empty);
  g_test_add_func ("/player/timeline/rate", test_rate);
  g_test_add_func ("/player/timeline/cut", test_cut);
  g_test_add_func ("/player/timeline/many", test_many);
  g_test_add_func ("/player/timeline/wait", test_wait);

  return g_test_run ();
}
