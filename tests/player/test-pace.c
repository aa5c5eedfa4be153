/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The speed filter: whether sound plays at the right speed and pitch, without a missing
 * or extra sample at changes, and whether its times are those of the sound. */

#include "ear-tempo.h"
#include "ear-time-tone.h"

#include <math.h>

#define RATE 44100

/* How early scaletempo's times usually are, and the largest deviation from that, however
 * often the speed changes: seconds. Outputs tolerate 40 ms. */
#define EARLY 0.015
#define JITTER 0.008

/* The difference of reported and audible position, seconds: at the median of many
 * readings, and at most. */
#define MARGIN 0.035
#define MOST 0.15

/* Hz */
#define TONE 440.0

/* Reads every fifth piece: all of them would take long. */
#define EACH 5

typedef struct
{
  EarTempo *tempo;
  GstElement *filter;
  GstPad *in;
  GstPad *out;
  GstSegment segment;
  GArray *samples;  /* float: output */
  GArray *pieces;   /* Piece */
  guint64 sent;     /* samples */
} Fixture;

typedef struct
{
  guint64 index;
  double running; /* seconds */
  double place;
  double rate;
} Piece;

static gboolean
event_cb (GstPad *pad, GstObject *parent, GstEvent *event)
{
  Fixture *fixture = gst_pad_get_element_private (pad);

  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    gst_event_copy_segment (event, &fixture->segment);
  gst_event_unref (event);

  return TRUE;
}

static GstFlowReturn
chain_cb (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  Fixture *fixture = gst_pad_get_element_private (pad);
  const guint64 time = GST_BUFFER_PTS (buffer);
  Piece piece = { .index = fixture->samples->len, .rate = fixture->segment.rate * fixture->segment.applied_rate };
  GstMapInfo map;

  piece.running = (double) gst_segment_to_running_time (&fixture->segment, GST_FORMAT_TIME, time) / GST_SECOND;
  piece.place = (double) gst_segment_to_stream_time (&fixture->segment, GST_FORMAT_TIME, time) / GST_SECOND;
  g_array_append_val (fixture->pieces, piece);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_array_append_vals (fixture->samples, map.data, map.size / sizeof (float));
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);

  return GST_FLOW_OK;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string ("audio/x-raw,format=F32LE,layout=interleaved,channels=1,rate="
                                                   G_STRINGIFY (RATE));
  g_autoptr (GstPad) sink = NULL;
  g_autoptr (GstPad) src = NULL;
  GstSegment segment;

  fixture->samples = g_array_new (FALSE, FALSE, sizeof (float));
  fixture->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
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

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (fixture->in, gst_event_new_stream_start ("test"));
  gst_pad_push_event (fixture->in, gst_event_new_caps (caps));
  gst_pad_push_event (fixture->in, gst_event_new_segment (&segment));
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
  g_array_unref (fixture->samples);
  g_array_unref (fixture->pieces);
}

/* @frame: samples per buffer, as from a decoder */
static void
send_sound (Fixture *fixture, double seconds, guint frame)
{
  for (guint64 end = fixture->sent + (guint64) (seconds * RATE); fixture->sent < end; fixture->sent += frame)
    {
      g_autofree gint16 *values = g_new (gint16, frame);
      float *samples = g_new (float, frame);
      GstBuffer *buffer = gst_buffer_new_wrapped (samples, frame * sizeof *samples);

      ear_time_tone_write (values, frame, fixture->sent, RATE);
      for (guint i = 0; i < frame; i++)
        samples[i] = values[i] / 32768.0f;
      GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (fixture->sent, GST_SECOND, RATE);
      GST_BUFFER_DURATION (buffer) = gst_util_uint64_scale (frame, GST_SECOND, RATE);
      g_assert_cmpint (gst_pad_push (fixture->in, buffer), ==, GST_FLOW_OK);
    }
}

/* Asserts that the output lasts as long as its times claim: nothing is
 * missing or doubled. */
static void
check_flow (Fixture *fixture, guint first)
{
  const Piece *begin = &g_array_index (fixture->pieces, Piece, 0);
  double missing = 0;

  for (guint i = first; i < fixture->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (fixture->pieces, Piece, i);

      missing += piece->running - begin->running - (double) (piece->index - begin->index) / RATE;
    }
  missing /= fixture->pieces->len - first;
  g_test_message ("%.1f ms are missing", missing * 1000);
  g_assert_cmpfloat_with_epsilon (missing, first > 0 ? -EARLY : 0, JITTER);
}

/* @first: the first piece at the current speed */
static void
check_place (Fixture *fixture, guint first)
{
  double ahead = 0, pitch = 0;
  guint n = 0;

  for (guint i = first; i + 3 < fixture->pieces->len; i += EACH)
    {
      const Piece *piece = &g_array_index (fixture->pieces, Piece, i);
      const double half = EAR_TIME_TONE_WINDOW / 2.0 / RATE;
      EarTimeToneReading reading;

      if (piece->index + EAR_TIME_TONE_WINDOW > fixture->samples->len ||
          !ear_time_tone_read ((const float *) fixture->samples->data + piece->index, EAR_TIME_TONE_WINDOW, RATE, &reading) ||
          fabs (reading.pitch - 1) > 0.03)
        continue;
      g_assert_cmpfloat_with_epsilon (piece->place + half * piece->rate, reading.time, MOST);
      ahead += piece->place + half * piece->rate - reading.time;
      pitch += reading.pitch;
      n++;
    }
  g_assert_cmpuint (n, >, 10);
  g_test_message ("speed %.2f: told is %.1f ms ahead, pitch %.4f", g_array_index (fixture->pieces, Piece, first).rate,
                  ahead / n * 1000, pitch / n);
  g_assert_cmpfloat_with_epsilon (ahead / n, 0, MARGIN);
  g_assert_cmpfloat_with_epsilon (pitch / n, 1, 0.01);
}

/* @data: samples per buffer of a decoder: MP3, AAC, Opus */
static void
test_pace (Fixture *fixture, gconstpointer data)
{
  static const double rates[] = { 1, 1.5, 1, 0.8, 2.5, 1, 1.25, 0.5, 4, 0.5, 4, 0.5, 2, 0.5, 3, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      guint first = fixture->pieces->len;

      ear_tempo_set_rate (fixture->tempo, rates[i]);
      send_sound (fixture, 3 * MAX (1, rates[i]), GPOINTER_TO_UINT (data));
      check_place (fixture, first);
      check_flow (fixture, first);
    }
}

static void
send_sine (Fixture *fixture, double level, double seconds, guint frame)
{
  const guint64 end = fixture->sent + (guint64) (seconds * RATE);

  for (; fixture->sent < end; fixture->sent += frame)
    {
      float *samples = g_new (float, frame);
      GstBuffer *buffer = gst_buffer_new_wrapped (samples, frame * sizeof *samples);

      for (guint i = 0; i < frame; i++)
        samples[i] = (float) (level * sin (2 * G_PI * TONE * (double) (fixture->sent + i) / RATE));
      GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (fixture->sent, GST_SECOND, RATE);
      GST_BUFFER_DURATION (buffer) = gst_util_uint64_scale (frame, GST_SECOND, RATE);
      g_assert_cmpint (gst_pad_push (fixture->in, buffer), ==, GST_FLOW_OK);
    }
}

static void
send_tone (Fixture *fixture, double seconds, guint frame)
{
  send_sine (fixture, 0.5, seconds, frame);
}

/* The tone continues at each change of speed, including the first: its level never drops
 * within 2 ms, and no sample is far from the previous one. */
static void
test_tone (Fixture *fixture, gconstpointer data)
{
  static const double rates[] = { 1.1, 0.5, 1.7, 4, 0.9, 1.25, 3, 0.75 };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      const guint window = RATE / 500;
      const float *samples;
      double steepest = 0, lowest = 1;

      if (i > 0)
        {
          tear_down (fixture, NULL);
          *fixture = (Fixture) { 0 };
          set_up (fixture, NULL);
        }
      send_tone (fixture, 0.5 + i * 0.003, GPOINTER_TO_UINT (data));
      ear_tempo_set_rate (fixture->tempo, rates[i]);
      send_tone (fixture, 1, GPOINTER_TO_UINT (data));
      ear_tempo_set_rate (fixture->tempo, 1);
      send_tone (fixture, 0.5, GPOINTER_TO_UINT (data));

      samples = (const float *) fixture->samples->data;
      for (guint j = 1; j < fixture->samples->len; j++)
        steepest = MAX (steepest, fabs (samples[j] - samples[j - 1]));
      for (guint j = 0; j + window < fixture->samples->len; j += window / 2)
        {
          double highest = 0;

          for (guint k = j; k < j + window; k++)
            highest = MAX (highest, fabs (samples[k]));
          lowest = MIN (lowest, highest);
        }
      g_test_message ("speed %.2f: steepest %.3f, lowest peak %.3f", rates[i], steepest, lowest);
      g_assert_cmpfloat (lowest, >, 0.4);
      g_assert_cmpfloat (steepest, <, 1.5 * 2 * G_PI * TONE / RATE * 0.5);
    }
}

/* After a seek no sound from before it is heard, at any speed. */
static void
test_jump (Fixture *fixture, gconstpointer data)
{
  static const double rates[] = { 1, 1.5, 0.5, 3, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      const float *samples;
      float highest = 0;
      GstSegment segment;

      ear_tempo_set_rate (fixture->tempo, rates[i]);
      send_tone (fixture, 1, GPOINTER_TO_UINT (data));
      gst_pad_push_event (fixture->in, gst_event_new_flush_start ());
      gst_pad_push_event (fixture->in, gst_event_new_flush_stop (TRUE));
      gst_segment_init (&segment, GST_FORMAT_TIME);
      segment.start = gst_util_uint64_scale (fixture->sent, GST_SECOND, RATE);
      segment.time = segment.position = segment.start;
      gst_pad_push_event (fixture->in, gst_event_new_segment (&segment));
      g_array_set_size (fixture->samples, 0);
      send_sine (fixture, 0, 0.5, GPOINTER_TO_UINT (data));
      g_assert_cmpuint (fixture->samples->len, >, RATE / 10);
      samples = (const float *) fixture->samples->data;
      for (guint j = 0; j < fixture->samples->len; j++)
        highest = MAX (highest, fabsf (samples[j]));
      g_test_message ("speed %.2f: highest %.3f", rates[i], highest);
      g_assert_cmpfloat (highest, <, 0.001);
    }
}

int
main (int argc, char *argv[])
{
  /* AAC, Opus, and the shortest buffers of an Opus encoder */
  static const guint frames[] = { 1024, 882, 110 };

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add ("/player/pace/mp3", Fixture, GUINT_TO_POINTER (1152), set_up, test_pace, tear_down);
  g_test_add ("/player/pace/m4a", Fixture, GUINT_TO_POINTER (1024), set_up, test_pace, tear_down);
  g_test_add ("/player/pace/opus", Fixture, GUINT_TO_POINTER (882), set_up, test_pace, tear_down);

  for (gsize i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      g_autofree char *path = g_strdup_printf ("/player/pace/tone/%u", frames[i]);

      g_test_add (path, Fixture, GUINT_TO_POINTER (frames[i]), set_up, test_tone, tear_down);
    }

  g_test_add ("/player/pace/jump", Fixture, GUINT_TO_POINTER (1024), set_up, test_jump, tear_down);

  return g_test_run ();
}
