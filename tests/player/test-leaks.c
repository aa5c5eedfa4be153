/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether GStreamer objects leak, counted by GStreamer's leaks tracer. */

#include "player-fixture.h"

/* Buffers and events depend on these, and the sanitizers check them. */
#define KINDS "GstElement,GstPad,GstBus"

static GstTracer *
find_tracer (void)
{
  g_autolist (GstTracer) tracers = gst_tracing_get_active_tracers ();

  for (GList *l = tracers; l != NULL; l = l->next)
    if (g_str_equal (G_OBJECT_TYPE_NAME (l->data), "GstLeaksTracer"))
      return g_object_ref (l->data);

  return NULL;
}

/* Call only when there should be none: freeing the tracer's list drops references that it
 * never took (GStreamer 1.26). */
static guint
count_objects (GstTracer *tracer)
{
  GstStructure *info = NULL;
  const GValue *list;
  guint count = 0;

  g_signal_emit_by_name (tracer, "get-live-objects", &info);
  if (info == NULL)
    return 0;

  list = gst_structure_get_value (info, "live-objects-list");
  for (guint i = 0; list != NULL && i < gst_value_list_get_size (list); i++)
    {
      const GstStructure *object = gst_value_get_structure (gst_value_list_get_value (list, i));
      GstObject *left = g_value_get_object (gst_structure_get_value (object, "object"));

      g_test_message ("there: %s", GST_OBJECT_NAME (left));
      count++;
    }
  gst_structure_free (info);

  return count;
}

static void
play_a_bit (PlayerFixture *fixture, const char *path)
{
  player_fixture_open (fixture, path, 10);
  ear_player_play (fixture->player);
  PLAYER_WAIT_UNTIL (ear_player_get_state (fixture->player) != EAR_PLAYER_LOADING);
  player_fixture_wait (50);
}

static void
test_leaks (void)
{
  PlayerFixture fixture = { 0 };
  g_autoptr (GstTracer) tracer = NULL;

  player_fixture_set_up (&fixture, NULL);
  play_a_bit (&fixture, "/minute.cbr.mp3");
  ear_player_set_rate (fixture.player, 1.5);
  ear_player_seek (fixture.player, 30 * G_USEC_PER_SEC);
  player_fixture_wait (200);
  play_a_bit (&fixture, "/minute.opus");
  play_a_bit (&fixture, "/~redirect/minute.m4a");
  play_a_bit (&fixture, "/~status=404/minute.m4a");
  play_a_bit (&fixture, "/~html/minute.m4a");
  play_a_bit (&fixture, "/minute.wav");
  ear_player_seek (fixture.player, 30 * G_USEC_PER_SEC);
  player_fixture_tear_down (&fixture, NULL);
  /* A worker thread may still be creating a pipeline. */
  player_fixture_wait (300);

  tracer = find_tracer ();
  g_assert_nonnull (tracer);
  g_assert_cmpuint (count_objects (tracer), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GST_TRACERS", "leaks(filters=\"" KINDS "\")", TRUE);
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/player/leaks", test_leaks);

  return g_test_run ();
}
