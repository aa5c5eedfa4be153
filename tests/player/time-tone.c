/* SPDX-License-Identifier: GPL-3.0-or-later */

/* earmark-time-tone: creates sound that contains its own time, and reads the
 * time from sound.
 *
 *    earmark-time-tone make SECONDS FORMAT FILE   wav, wav-pauses, mp3-cbr, mp3-vbr, mp3-bare,
 *                                                 opus, vorbis, flac, m4a, m4a-late;
 *                                                 with a picture that contains its own time:
 *                                                 webm, ogv, mp4, webm-long (the sound ends half
 *                                                 way), webm-mute (without sound), webm-pauses,
 *                                                 webm-damaged, webm-huge
 *    earmark-time-tone read [RATE]                reads S16 mono from standard input, prints a
 *                                                 line every 50 ms: seconds, pitch, level */

#include "ear-time-picture.h"
#include "ear-time-tone.h"
#include "ear-xing.h"

#include <gst/gst.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#define SAMPLE_RATE 44100

/* Pipelines from pictures to the element `mux`. */
#define GRAY "caps=video/x-raw,format=GRAY8,width=192,height=108,framerate=25/1 ! videoconvert ! "
#define VP8 GRAY "vp8enc deadline=1 keyframe-max-dist=100 target-bitrate=500000"
/* Raw data instead, which no decoder accepts. */
#define NO_VP8(size) "caps=video/x-vp8," size ",framerate=25/1"

static const struct
{
  const char *name;
  const char *pipeline;
  const char *picture; /* (nullable) */
} formats[] = {
  { "wav", "wavenc" },
  /* Silent for the last two of every four seconds. */
  { "wav-pauses", "wavenc" },
  { "mp3-cbr", "lamemp3enc target=bitrate cbr=true bitrate=64" },
  { "mp3-vbr", "lamemp3enc target=quality quality=6" },
  /* Variable bit rate without a table of contents. */
  { "mp3-bare", "lamemp3enc target=quality quality=6" },
  { "opus", "audioresample ! opusenc bitrate=48000 ! oggmux" },
  { "vorbis", "vorbisenc bitrate=48000 ! oggmux" },
  { "flac", "flacenc" },
  { "m4a", "avenc_aac bitrate=64000 ! aacparse ! mp4mux faststart=true" },
  /* The index comes after the sound, as many recorders leave it. */
  { "m4a-late", "avenc_aac bitrate=64000 ! aacparse ! mp4mux" },
  { "webm", "vorbisenc ! queue ! webmmux name=mux", VP8 },
  { "ogv", "vorbisenc ! queue ! oggmux name=mux", GRAY "theoraenc quality=40 keyframe-force=50" },
  { "mp4", "avenc_aac bitrate=64000 ! aacparse ! queue ! mp4mux name=mux faststart=true", GRAY "avenc_mpeg4 gop-size=50" },
  { "webm-pauses", "vorbisenc ! queue ! webmmux name=mux", VP8 },
  { "webm-long", "vorbisenc ! queue ! webmmux name=mux", VP8 },
  { "webm-mute", "fakesink webmmux name=mux", VP8 },
  { "webm-damaged", "vorbisenc ! queue ! webmmux name=mux", NO_VP8 ("width=192,height=108") },
  { "webm-huge", "vorbisenc ! queue ! webmmux name=mux", NO_VP8 ("width=16000,height=9000") },
};

static GstElement *
new_pipeline (const char *format, const char *path, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (formats[i].name, format))
      {
        g_autofree char *picture = NULL;
        g_autofree char *text = NULL;
        GstElement *pipeline;

        if (formats[i].picture != NULL)
          picture = g_strdup_printf ("appsrc name=picture format=time %s ! queue ! mux.", formats[i].picture);
        text = g_strdup_printf ("appsrc name=in format=time "
                                "caps=audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate=%d "
                                "! audioconvert ! %s ! filesink name=out %s",
                                SAMPLE_RATE, formats[i].pipeline, picture != NULL ? picture : "");
        pipeline = gst_parse_launch (text, error);

        if (pipeline != NULL)
          {
            g_autoptr (GstElement) out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
            g_object_set (out, "location", path, NULL);
          }
        return pipeline;
      }

  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "no such format: %s", format);
  return NULL;
}

static void
push_sound (GstElement *pipeline, guint64 total, gboolean pauses)
{
  g_autoptr (GstElement) in = gst_bin_get_by_name (GST_BIN (pipeline), "in");
  GstFlowReturn flow = GST_FLOW_OK;

  for (guint64 first = 0; first < total && flow == GST_FLOW_OK; first += SAMPLE_RATE)
    {
      gsize n = MIN (SAMPLE_RATE, total - first);
      gint16 *samples = g_new (gint16, n);
      GstBuffer *buffer;

      if (pauses && first / SAMPLE_RATE % 4 >= 2)
        memset (samples, 0, n * sizeof *samples);
      else
        ear_time_tone_write (samples, n, first, SAMPLE_RATE);
      buffer = gst_buffer_new_wrapped (samples, n * sizeof *samples);
      GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (first, GST_SECOND, SAMPLE_RATE);
      GST_BUFFER_DURATION (buffer) = gst_util_uint64_scale (n, GST_SECOND, SAMPLE_RATE);
      g_signal_emit_by_name (in, "push-buffer", buffer, &flow);
      gst_buffer_unref (buffer);
    }
  g_signal_emit_by_name (in, "end-of-stream", &flow);
}

static void
push_pictures (GstElement *pipeline, guint total)
{
  g_autoptr (GstElement) in = gst_bin_get_by_name (GST_BIN (pipeline), "picture");
  const gsize size = EAR_TIME_PICTURE_WIDTH * EAR_TIME_PICTURE_HEIGHT;
  GstFlowReturn flow = GST_FLOW_OK;

  for (guint i = 0; in != NULL && i < total && flow == GST_FLOW_OK; i++)
    {
      guint8 *gray = g_malloc (size);
      GstBuffer *buffer;

      ear_time_picture_write (gray, i);
      buffer = gst_buffer_new_wrapped (gray, size);
      GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (i, GST_SECOND, EAR_TIME_PICTURE_RATE);
      GST_BUFFER_DURATION (buffer) = GST_SECOND / EAR_TIME_PICTURE_RATE;
      g_signal_emit_by_name (in, "push-buffer", buffer, &flow);
      gst_buffer_unref (buffer);
    }
  if (in != NULL)
    g_signal_emit_by_name (in, "end-of-stream", &flow);
}

static gboolean
make (double seconds, const char *format, const char *path, GError **error)
{
  g_autoptr (GstElement) pipeline = new_pipeline (format, path, error);
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;

  if (pipeline == NULL)
    return FALSE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  push_sound (pipeline, (guint64) (seconds * SAMPLE_RATE / (g_str_equal (format, "webm-long") ? 2 : 1)),
              g_str_has_suffix (format, "-pauses"));
  push_pictures (pipeline, (guint) (seconds * EAR_TIME_PICTURE_RATE));
  bus = gst_element_get_bus (pipeline);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, error, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_EOS)
    return FALSE;

  return !g_str_equal (format, "mp3-vbr") || ear_xing_prepend (path, error);
}

static void
read_sound (guint sample_rate)
{
  float window[EAR_TIME_TONE_WINDOW] = { 0 };
  gsize step = sample_rate / 20;
  g_autofree gint16 *samples = g_new (gint16, step);

  while (fread (samples, sizeof *samples, step, stdin) == step)
    {
      gsize kept = step < EAR_TIME_TONE_WINDOW ? EAR_TIME_TONE_WINDOW - step : 0;
      EarTimeToneReading reading;

      memmove (window, window + EAR_TIME_TONE_WINDOW - kept, kept * sizeof *window);
      for (gsize i = kept; i < EAR_TIME_TONE_WINDOW; i++)
        window[i] = samples[step - EAR_TIME_TONE_WINDOW + i] / 32768.0f;

      if (ear_time_tone_read (window, EAR_TIME_TONE_WINDOW, sample_rate, &reading))
        printf ("%.3f %.3f %.3f\n", reading.time, reading.pitch, reading.level);
      else
        printf ("- - %.3f\n", reading.level);
      fflush (stdout);
    }
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "C");
  if (argc == 5 && g_str_equal (argv[1], "make"))
    {
      gst_init (NULL, NULL);
      if (make (g_ascii_strtod (argv[2], NULL), argv[3], argv[4], &error))
        return 0;
      fprintf (stderr, "earmark-time-tone: %s\n", error->message);
      return 1;
    }
  if ((argc == 2 || argc == 3) && g_str_equal (argv[1], "read"))
    {
      read_sound (argc == 3 ? (guint) g_ascii_strtoull (argv[2], NULL, 10) : SAMPLE_RATE);
      return 0;
    }

  fprintf (stderr, "usage: earmark-time-tone make SECONDS FORMAT FILE | read [RATE]\n");
  return 2;
}
