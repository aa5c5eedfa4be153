/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-speech-filter.h"

#include "ear-speech.h"

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define FORMAT "F32LE"
#else
#define FORMAT "F32BE"
#endif

#define CAPS \
  "audio/x-raw, format = (string) " FORMAT ", layout = (string) interleaved, rate = (int) [ 1, max ], " \
  "channels = (int) [ 1, max ]"

/* The size of the buffers sent: with longer ones, a change of speed would
 * be heard late. */
#define PIECE 20 /* per second */

/* Sound beyond these is not speech, and buffering it would fill the memory. */
#define MOST_RATE 384000
#define MOST_CHANNELS 8

/* Demuxers round times. Larger differences are gaps. */
#define JITTER (20 * GST_MSECOND)

#define EAR_TYPE_SPEECH_FILTER (ear_speech_filter_get_type ())
G_DECLARE_FINAL_TYPE (EarSpeechFilter, ear_speech_filter, EAR, SPEECH_FILTER, GstElement)

/**
 * EarSpeechFilter:
 *
 * The element around #EarSpeech. Running time excludes the parts left out: after each cut
 * comes a segment that starts at the next position of the recording and continues the
 * running time, so that the sink reports positions of the recording. If both filters are
 * off, buffers pass untouched.
 */
struct _EarSpeechFilter
{
  GstElement parent_instance;

  /* Borrowed from the element */
  GstPad *sink;
  GstPad *src;

  /* Any thread, atomic */
  int trim;
  int level;

  /* The streaming thread only. Owned */
  EarSpeech *speech; /* (nullable): NULL before there are caps, and for unsupported ones */

  int rate;               /* frames per second */
  int channels;
  GstSegment segment;     /* segment sent last */
  GstClockTime begun;     /* time of the first frame pushed */
  guint64 pushed;         /* frames since then */
  GstClockTime reached;   /* end of the sound sent */
  guint32 seqnum;
};

G_DEFINE_FINAL_TYPE (EarSpeechFilter, ear_speech_filter, GST_TYPE_ELEMENT)

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
                                                                     GST_STATIC_CAPS (CAPS));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
                                                                    GST_STATIC_CAPS (CAPS));

static GstClockTime
to_time (EarSpeechFilter *self, guint64 frames)
{
  return gst_util_uint64_scale (frames, GST_SECOND, (guint64) self->rate);
}

/* The next sound does not continue the last one. */
static void
reset (EarSpeechFilter *self)
{
  if (self->speech != NULL)
    ear_speech_reset (self->speech);
  self->begun = GST_CLOCK_TIME_NONE;
  self->pushed = 0;
}

/* Sends a segment: the recording continues at @time, right after the
 * sound sent before. */
static void
skip_to (EarSpeechFilter *self, GstClockTime time, GstClockTime cut)
{
  GstSegment segment = self->segment;
  GstEvent *event;
  guint64 running = gst_segment_to_running_time (&segment, GST_FORMAT_TIME, MAX (self->reached, segment.start));
  guint64 place = gst_segment_to_stream_time (&segment, GST_FORMAT_TIME, time);

  gst_element_post_message (GST_ELEMENT (self),
                            gst_message_new_element (GST_OBJECT (self),
                                                     gst_structure_new ("earmark-cut", "length", G_TYPE_INT64,
                                                                        (gint64) (cut / GST_USECOND), NULL)));
  if (segment.format != GST_FORMAT_TIME || !GST_CLOCK_TIME_IS_VALID (running) || !GST_CLOCK_TIME_IS_VALID (place))
    return;

  segment.base = running;
  segment.offset = 0;
  segment.start = segment.position = time;
  segment.time = place;
  self->segment = segment;
  event = gst_event_new_segment (&segment);
  gst_event_set_seqnum (event, self->seqnum);
  gst_pad_push_event (self->src, event);
}

/* Sends the finished sound. */
static GstFlowReturn
send (EarSpeechFilter *self)
{
  const gsize most = MAX (1, (gsize) self->rate / PIECE);
  GstFlowReturn flow = GST_FLOW_OK;
  const float *samples;
  guint64 first;
  gsize n, cut;

  while (flow == GST_FLOW_OK && (n = ear_speech_peek (self->speech, most, &samples, &first, &cut)) > 0)
    {
      GstBuffer *buffer = gst_buffer_new_memdup (samples, n * (gsize) self->channels * sizeof *samples);

      ear_speech_take (self->speech, n);
      GST_BUFFER_PTS (buffer) = self->begun + to_time (self, first);
      GST_BUFFER_DURATION (buffer) = self->begun + to_time (self, first + n) - GST_BUFFER_PTS (buffer);
      if (cut > 0)
        skip_to (self, GST_BUFFER_PTS (buffer), to_time (self, cut));
      self->reached = GST_BUFFER_PTS (buffer) + GST_BUFFER_DURATION (buffer);
      flow = gst_pad_push (self->src, buffer);
    }

  return flow;
}

/* Sends all sound that waits, because nothing follows it. */
static GstFlowReturn
drain (EarSpeechFilter *self)
{
  GstFlowReturn flow = GST_FLOW_OK;

  if (self->speech != NULL && GST_CLOCK_TIME_IS_VALID (self->begun))
    {
      ear_speech_drain (self->speech);
      flow = send (self);
    }
  reset (self);

  return flow;
}

static gboolean
is_continuation (EarSpeechFilter *self, GstClockTime time)
{
  const GstClockTime expected = self->begun + to_time (self, self->pushed);

  return !GST_CLOCK_TIME_IS_VALID (time) || ABS (GST_CLOCK_DIFF (expected, time)) <= (GstClockTimeDiff) JITTER;
}

static GstFlowReturn
push (EarSpeechFilter *self, GstBuffer *buffer)
{
  const GstClockTime time = GST_BUFFER_PTS (buffer);
  GstMapInfo map;
  gsize n;

  if (GST_CLOCK_TIME_IS_VALID (self->begun) && !is_continuation (self, time))
    {
      GstFlowReturn flow = drain (self);

      if (flow != GST_FLOW_OK)
        return flow;
    }
  if (!GST_CLOCK_TIME_IS_VALID (self->begun))
    self->begun = GST_CLOCK_TIME_IS_VALID (time) ? time : GST_CLOCK_TIME_IS_VALID (self->reached) ? self->reached : 0;
  if (gst_buffer_map (buffer, &map, GST_MAP_READ))
    {
      n = map.size / ((gsize) self->channels * sizeof (float));
      ear_speech_push (self->speech, (const float *) map.data, n);
      self->pushed += n;
      gst_buffer_unmap (buffer, &map);
    }

  return send (self);
}

static GstFlowReturn
chain_cb (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  EarSpeechFilter *self = EAR_SPEECH_FILTER (parent);
  GstFlowReturn flow;

  if (self->speech == NULL)
    return gst_pad_push (self->src, buffer);

  ear_speech_set_trim (self->speech, g_atomic_int_get (&self->trim));
  ear_speech_set_level (self->speech, g_atomic_int_get (&self->level));
  if (ear_speech_is_idle (self->speech))
    {
      ear_speech_pass (self->speech);
      self->begun = GST_CLOCK_TIME_NONE;
      self->pushed = 0;
      if (GST_BUFFER_PTS_IS_VALID (buffer) && GST_BUFFER_DURATION_IS_VALID (buffer))
        self->reached = GST_BUFFER_PTS (buffer) + GST_BUFFER_DURATION (buffer);
      return gst_pad_push (self->src, buffer);
    }

  flow = push (self, buffer);
  gst_buffer_unref (buffer);

  return flow;
}

static void
take_caps (EarSpeechFilter *self, GstCaps *caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  int rate, channels;

  if (!gst_structure_get_int (structure, "rate", &rate) || !gst_structure_get_int (structure, "channels", &channels) ||
      (rate == self->rate && channels == self->channels))
    return;

  g_clear_pointer (&self->speech, ear_speech_free);
  self->rate = rate;
  self->channels = channels;
  if (rate <= MOST_RATE && channels <= MOST_CHANNELS)
    self->speech = ear_speech_new ((guint) channels, (guint) rate);
}

static gboolean
event_cb (GstPad *pad, GstObject *parent, GstEvent *event)
{
  EarSpeechFilter *self = EAR_SPEECH_FILTER (parent);
  GstCaps *caps;

  switch ((guint) GST_EVENT_TYPE (event))
    {
    case GST_EVENT_CAPS:
      drain (self);
      gst_event_parse_caps (event, &caps);
      take_caps (self, caps);
      break;
    case GST_EVENT_SEGMENT:
      drain (self);
      gst_event_copy_segment (event, &self->segment);
      self->seqnum = gst_event_get_seqnum (event);
      self->reached = self->segment.start;
      break;
    case GST_EVENT_EOS:
    case GST_EVENT_GAP:
      drain (self);
      break;
    case GST_EVENT_FLUSH_STOP:
      reset (self);
      break;
    default:
      break;
    }

  return gst_pad_event_default (pad, parent, event);
}

static GstStateChangeReturn
ear_speech_filter_change_state (GstElement *element, GstStateChange transition)
{
  EarSpeechFilter *self = EAR_SPEECH_FILTER (element);
  GstStateChangeReturn result = GST_ELEMENT_CLASS (ear_speech_filter_parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    {
      reset (self);
      g_clear_pointer (&self->speech, ear_speech_free);
      self->rate = self->channels = 0;
    }

  return result;
}

static void
ear_speech_filter_finalize (GObject *object)
{
  g_clear_pointer (&EAR_SPEECH_FILTER (object)->speech, ear_speech_free);

  G_OBJECT_CLASS (ear_speech_filter_parent_class)->finalize (object);
}

static void
ear_speech_filter_class_init (EarSpeechFilterClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ear_speech_filter_finalize;
  element_class->change_state = ear_speech_filter_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Speech filter", "Filter/Effect/Audio",
                                         "Shortens pauses and levels voices", "Earmark");
}

static void
ear_speech_filter_init (EarSpeechFilter *self)
{
  self->sink = gst_pad_new_from_static_template (&sink_template, "sink");
  self->src = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_chain_function (self->sink, chain_cb);
  gst_pad_set_event_function (self->sink, event_cb);
  GST_PAD_SET_PROXY_CAPS (self->sink);
  GST_PAD_SET_PROXY_CAPS (self->src);
  gst_element_add_pad (GST_ELEMENT (self), self->sink);
  gst_element_add_pad (GST_ELEMENT (self), self->src);
  gst_segment_init (&self->segment, GST_FORMAT_TIME);
  self->begun = self->reached = GST_CLOCK_TIME_NONE;
}

/* Returns: (transfer floating): a filter with both functions off */
GstElement *
ear_speech_filter_new (void)
{
  return g_object_new (EAR_TYPE_SPEECH_FILTER, NULL);
}

/* Sets whether to shorten pauses, from the next buffer on. Any thread. */
void
ear_speech_filter_set_trim (GstElement *element, gboolean trim)
{
  g_atomic_int_set (&EAR_SPEECH_FILTER (element)->trim, trim);
}

/* Sets whether to bring voices to one loudness. Any thread. */
void
ear_speech_filter_set_level (GstElement *element, gboolean level)
{
  g_atomic_int_set (&EAR_SPEECH_FILTER (element)->level, level);
}

/* Returns: microseconds of the recording left out; 0 for other messages */
gint64
ear_speech_filter_parse_cut (GstMessage *message)
{
  gint64 length = 0;

  if (gst_message_has_name (message, "earmark-cut"))
    gst_structure_get_int64 (gst_message_get_structure (message), "length", &length);

  return MAX (0, length);
}
