/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The speed filter and segments: whether sound starts at once after a seek, whatever
 * segment the demuxer sends. */

#include "ear-tempo.h"

#define RATE 8000

typedef struct
{
  EarTempo *tempo;
  GstElement *filter;
  GstPad *in;
  GstPad *out;
  GstSegment segment; /* last segment received */
  guint64 first;      /* running time of its first sound */
  guint64 place;      /* stream time of its first sound */
} Fixture;

static gboolean
event_cb (GstPad *pad, GstObject *parent, GstEvent *event)
{
  Fixture *fixture = gst_pad_get_element_private (pad);

  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    {
      gst_event_copy_segment (event, &fixture->segment);
      fixture->first = GST_CLOCK_TIME_NONE;
    }
  gst_event_unref (event);

  return TRUE;
}

static GstFlowReturn
chain_cb (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  Fixture *fixture = gst_pad_get_element_private (pad);
  guint64 start = 0, stop = 0;

  if (!GST_CLOCK_TIME_IS_VALID (fixture->first) &&
      gst_segment_clip (&fixture->segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer),
                        GST_BUFFER_PTS (buffer) + GST_BUFFER_DURATION (buffer), &start, &stop) && stop > start)
    {
      fixture->first = gst_segment_to_running_time (&fixture->segment, GST_FORMAT_TIME, start);
      fixture->place = gst_segment_to_stream_time (&fixture->segment, GST_FORMAT_TIME, start);
    }
  gst_buffer_unref (buffer);

  return GST_FLOW_OK;
}

static void
send_segment (Fixture *fixture, GstClockTime start)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = segment.position = start;
  g_assert_true (gst_pad_push_event (fixture->in, gst_event_new_segment (&segment)));
}

static void
send_sound (Fixture *fixture, GstClockTime from, guint seconds)
{
  for (guint i = 0; i < seconds * 10; i++)
    {
      GstBuffer *buffer = gst_buffer_new_allocate (NULL, RATE / 10 * sizeof (gint16), NULL);

      gst_buffer_memset (buffer, 0, 0, RATE / 10 * sizeof (gint16));
      GST_BUFFER_PTS (buffer) = from + i * (GST_SECOND / 10);
      GST_BUFFER_DURATION (buffer) = GST_SECOND / 10;
      g_assert_cmpint (gst_pad_push (fixture->in, buffer), ==, GST_FLOW_OK);
    }
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string ("audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate="
                                                   G_STRINGIFY (RATE));
  g_autoptr (GstPad) sink = NULL;
  g_autoptr (GstPad) src = NULL;

  fixture->tempo = ear_tempo_new ();
  fixture->filter = gst_object_ref (ear_tempo_get_filter (fixture->tempo));
  fixture->in = gst_object_ref_sink (gst_pad_new ("src", GST_PAD_SRC));
  fixture->out = gst_object_ref_sink (gst_pad_new ("sink", GST_PAD_SINK));
  gst_pad_set_element_private (fixture->out, fixture);
  gst_pad_set_event_function (fixture->out, event_cb);
  gst_pad_set_chain_function (fixture->out, chain_cb);
  sink = gst_element_get_static_pad (fixture->filter, "sink");
  src = gst_element_get_static_pad (fixture->filter, "src");
  g_assert_cmpint (gst_pad_link (fixture->in, sink), ==, GST_PAD_LINK_OK);
  g_assert_cmpint (gst_pad_link (src, fixture->out), ==, GST_PAD_LINK_OK);
  gst_pad_set_active (fixture->in, TRUE);
  gst_pad_set_active (fixture->out, TRUE);
  gst_element_set_state (fixture->filter, GST_STATE_PLAYING);

  gst_pad_push_event (fixture->in, gst_event_new_stream_start ("test"));
  gst_pad_push_event (fixture->in, gst_event_new_caps (caps));
  send_segment (fixture, 0);
  send_sound (fixture, 0, 1);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gst_element_set_state (fixture->filter, GST_STATE_NULL);
  gst_pad_set_active (fixture->in, FALSE);
  gst_pad_set_active (fixture->out, FALSE);
  g_clear_object (&fixture->tempo);
  g_clear_object (&fixture->filter);
  g_clear_object (&fixture->in);
  g_clear_object (&fixture->out);
}

typedef struct
{
  double told;    /* position that the demuxer claims, seconds */
  double sound;   /* real position of its sound */
  double heard;   /* first position heard */
  double silence; /* silence before it */
} Jump;

/* Seeks to 59.5 s. */
static const Jump jumps[] = {
  { 58.3, 58.3, 59.5, 0 },
  { 59.5, 57.7, 59.5, 0 },
  { 20.8, 57.7, 59.5, 0 },
  { 20.8, 60.1, 60.1, 0 },
  { 20.8, 40.0, 40.0, 0 },
  /* This much may be missing. */
  { 59.5, 61.0, 61.0, 1.5 },
};

static void
test_jump (Fixture *fixture, gconstpointer data)
{
  const Jump *jump = data;

  ear_tempo_begin_at (fixture->tempo, 59500 * GST_MSECOND);
  gst_pad_push_event (fixture->in, gst_event_new_flush_start ());
  gst_pad_push_event (fixture->in, gst_event_new_flush_stop (TRUE));
  send_segment (fixture, (GstClockTime) (jump->told * GST_SECOND));
  send_sound (fixture, (GstClockTime) (jump->sound * GST_SECOND), 4);

  g_assert_true (GST_CLOCK_TIME_IS_VALID (fixture->first));
  g_assert_cmpfloat_with_epsilon ((double) fixture->first / GST_SECOND, jump->silence, 0.1);
  g_assert_cmpfloat_with_epsilon ((double) fixture->place / GST_SECOND, jump->heard, 0.1);
  /* Sound before the segment is dropped on the way. */
  g_assert_cmpfloat_with_epsilon ((double) ear_tempo_get_landed (fixture->tempo) / GST_SECOND,
                                  MAX (jump->told, jump->sound), 0.1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (gsize i = 0; i < G_N_ELEMENTS (jumps); i++)
    {
      g_autofree char *path = g_strdup_printf ("/player/tempo/jump/%" G_GSIZE_FORMAT, i + 1);

      g_test_add (path, Fixture, &jumps[i], set_up, test_jump, tear_down);
    }

  return g_test_run ();
}
