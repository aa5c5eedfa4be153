/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-speech-filter.h"

#include <locale.h>
#include <stdio.h>

/* earmark-speech FILTERS IN OUT.wav: applies the filters for voices to a file, in
 * a real pipeline.
 *
 * FILTERS is `trim`, `level`, `both` or `none`. Prints each cut as a line `cut FROM TO`,
 * in seconds of the recording. */

static GstPadProbeReturn
probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstClockTime *reached = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  if (GST_CLOCK_TIME_IS_VALID (*reached) && GST_CLOCK_DIFF (*reached, GST_BUFFER_PTS (buffer)) > GST_MSECOND)
    printf ("cut %.6f %.6f\n", (double) *reached / GST_SECOND, (double) GST_BUFFER_PTS (buffer) / GST_SECOND);
  *reached = GST_BUFFER_PTS (buffer) + GST_BUFFER_DURATION (buffer);

  return GST_PAD_PROBE_OK;
}

static void
linked_cb (GstElement *decoder, GstPad *pad, GstElement *converter)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (converter, "sink");

  if (!gst_pad_is_linked (sink))
    gst_pad_link (pad, sink);
}

static GstElement *
new_pipeline (const char *filters, const char *in, const char *out, GstClockTime *reached)
{
  GstElement *pipeline = gst_pipeline_new (NULL);
  GstElement *source = gst_element_factory_make ("filesrc", NULL);
  GstElement *decoder = gst_element_factory_make ("decodebin", NULL);
  GstElement *converter = gst_element_factory_make ("audioconvert", NULL);
  GstElement *filter = ear_speech_filter_new ();
  GstElement *writer = gst_element_factory_make ("wavenc", NULL);
  GstElement *sink = gst_element_factory_make ("filesink", NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "src");

  g_object_set (source, "location", in, NULL);
  g_object_set (sink, "location", out, NULL);
  ear_speech_filter_set_trim (filter, g_str_equal (filters, "trim") || g_str_equal (filters, "both"));
  ear_speech_filter_set_level (filter, g_str_equal (filters, "level") || g_str_equal (filters, "both"));
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, probe_cb, reached, NULL);
  gst_bin_add_many (GST_BIN (pipeline), source, decoder, converter, filter, writer, sink, NULL);
  gst_element_link (source, decoder);
  gst_element_link_many (converter, filter, writer, sink, NULL);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (linked_cb), converter);

  return pipeline;
}

int
main (int argc, char *argv[])
{
  GstClockTime reached = GST_CLOCK_TIME_NONE;
  g_autoptr (GError) error = NULL;
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstBus) bus = NULL;

  setlocale (LC_ALL, "C");
  if (argc != 4)
    {
      fprintf (stderr, "usage: earmark-speech trim|level|both|none IN OUT.wav\n");
      return 2;
    }
  gst_init (NULL, NULL);
  pipeline = gst_object_ref_sink (new_pipeline (argv[1], argv[2], argv[3], &reached));
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    return 0;

  gst_message_parse_error (message, &error, NULL);
  fprintf (stderr, "earmark-speech: %s\n", error->message);

  return 1;
}
