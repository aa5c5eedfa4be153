/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-tempo.h"

#include "ear-fade.h"
#include "ear-speech-filter.h"

#include <math.h>

/* At exactly 1.0 scaletempo (GStreamer 1.26) turns to passthrough and keeps the sound
 * it holds: some 60 ms are missing then, and are heard at the next change of speed,
 * perhaps an hour later. So once it has worked, it continues at a rate that nobody can
 * tell from 1.0. */
#define ALMOST_ONE (1.0 + 1e-9)

/* Scaletempo starts with a fade-in of 6 ms. In the middle of a sound that is a
 * click, so the start of its output is replaced by its input, the same sound at
 * full level: seconds. */
#define FADED_IN 0.01

/* Scaletempo's output comes in strides, each blended with the next: seconds. */
#define STRIDE 0.03
#define OVERLAP 0.006

/* A distance to the target that no demuxer's rounding explains. */
#define TRIM_LIMIT (3 * GST_SECOND)

/* Scaletempo's output is from this much later in the recording than its times
 * claim, at the median and at any speed: it searches the sound that follows for
 * the best fit. `player-random` measures the difference between the reported and
 * the audible position. */
#define SCALETEMPO_AHEAD (18 * GST_MSECOND)

/* The most sound that scaletempo holds, in seconds: enough for a stride, its overlap and
 * its search. And how much of the sound to come it may have counted as used: a stride at
 * the highest speed. */
#define MOST_HELD 0.05
#define MOST_OWED 0.12

/* Spans remembered: all that may still be heard. */
#define SPANS 64

/* Sound sent on at one speed and without a gap. */
typedef struct
{
  GstClockTime running; /* when it is heard */
  GstClockTime place;   /* position of its start in the recording */
  double rate;
} Span;

/**
 * EarTempo:
 *
 * Changes the speed and keeps the pitch: an audio filter around scaletempo, which takes
 * its speed from the rate of the current segment.
 *
 * A seek with another rate would work too, but it flushes the sound, some demuxers refuse
 * it and others get it wrong. So everything before scaletempo runs at 1.0, and segments
 * are rewritten at scaletempo's sink pad: they get the current rate, and when the rate
 * changes in mid-stream, a new segment that begins with the next buffer continues the
 * running time. Nothing is flushed.
 *
 * #EarSpeechFilter comes before scaletempo and leaves some of the recording out. A sink
 * computes its position from the last segment it received, although that is heard only
 * after what the sink has buffered, a fifth of a second later. So EarTempo remembers
 * the spans that passed and finds the position for a running time. The fade
 * (`ear-fade.c`) comes last.
 */
struct _EarTempo
{
  GObject parent_instance;

  /* Owned */
  GstElement *filter;
  GstElement *speech;
  GstPad *door; /* scaletempo's sink pad */
  GstPad *exit; /* scaletempo's source pad */
  GstPad *entry; /* sink pad of the filter's first element */
  gulong probe;
  gulong entry_probe;
  gulong exit_probe;

  /* Any thread, under the lock */
  GMutex lock;
  double rate;
  gboolean trim;
  gboolean level;
  gboolean at_work;    /* scaletempo has had another speed than 1.0 */
  guint beginnings;
  GstClockTime start;  /* target of the last seek */
  gboolean reading_on; /* drop everything before @start, however long it is */
  GstClockTime landed; /* time of the first sound after the seek, once it arrived */
  GArray *spans;       /* of Span, in order */
  GstClockTime end;    /* running time of the end of what passed */

  /* The streaming thread only */
  GstSegment upstream;  /* last segment received */
  GstSegment current;   /* segment sent to scaletempo in its place */
  GstClockTime reached; /* end of the last buffer, in the time of both */
  guint32 seqnum;
  gboolean flushed;     /* running time restarts with the next segment */
  gboolean ours;        /* the event at @door is our own */
  GByteArray *first;    /* Owned: first input of scaletempo, up to its first output */
  gsize first_size;     /* bytes to collect; 0 after the first output */
  gboolean stale;       /* scaletempo holds sound from before the last seek */
  double mute;          /* seconds of it: held, and after the first output, left to mute */
  double held;          /* seconds of sound in scaletempo; negative: it will leave as much out */
};

G_DEFINE_FINAL_TYPE (EarTempo, ear_tempo, G_TYPE_OBJECT)

static double
read_rate (EarTempo *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  if (self->rate != 1.0)
    self->at_work = TRUE;
  else if (self->at_work)
    return ALMOST_ONE;

  return self->rate;
}

/* Leaves out sound before the target. Ogg over HTTP starts up to a second before it. */
static void
leave_out_lead (EarTempo *self, GstSegment *segment)
{
  GstClockTime skipped;

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  if (!GST_CLOCK_TIME_IS_VALID (self->start) || self->start <= segment->time)
    return;
  skipped = self->start - segment->time;
  if ((skipped > TRIM_LIMIT && !self->reading_on) ||
      (GST_CLOCK_TIME_IS_VALID (segment->stop) && segment->start + skipped >= segment->stop))
    return;

  segment->start += skipped;
  segment->time += skipped;
  segment->position = segment->start;
}

static void
begin (EarTempo *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  self->beginnings++;
  self->landed = GST_CLOCK_TIME_NONE;
  g_array_set_size (self->spans, 0);
}

/* Scaletempo is about to leave passthrough. EarSpeechFilter ensures that the
 * samples are floats. */
static void
begin_work (EarTempo *self)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (self->door);
  const GstStructure *structure = caps != NULL ? gst_caps_get_structure (caps, 0) : NULL;
  int rate, channels;

  g_byte_array_set_size (self->first, 0);
  self->first_size = 0;
  if (structure != NULL && gst_structure_get_int (structure, "rate", &rate) &&
      gst_structure_get_int (structure, "channels", &channels))
    self->first_size = (gsize) (FADED_IN * rate) * (gsize) channels * sizeof (float);
}

/* Makes @segment the current one. */
static void
set_current (EarTempo *self, const GstSegment *segment)
{
  const Span span = { .running = segment->base, .place = segment->time, .rate = segment->rate };

  if (!self->flushed && self->current.format == GST_FORMAT_TIME && self->current.rate == 1.0 &&
      segment->rate != 1.0 && GST_CLOCK_TIME_IS_VALID (self->reached))
    begin_work (self);
  self->current = *segment;
  if (segment->format != GST_FORMAT_TIME)
    return;

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  if (self->spans->len == SPANS)
    g_array_remove_index (self->spans, 0);
  g_array_append_val (self->spans, span);
  self->end = span.running;
}

/* The time stamps of HLS count from elsewhere than its beginning. */
static GstClockTime
stream_time (EarTempo *self, GstClockTime stamp)
{
  guint64 time;

  return gst_segment_to_stream_time_full (&self->upstream, GST_FORMAT_TIME, stamp, &time) > 0
             ? time
             : stamp;
}

/* Records the stream time of the first sound after a seek.
 * Returns: the target of the seek; %GST_CLOCK_TIME_NONE if there was sound before */
static GstClockTime
take_landing (EarTempo *self, GstClockTime time)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  if (GST_CLOCK_TIME_IS_VALID (self->landed))
    return GST_CLOCK_TIME_NONE;
  self->landed = time;

  return self->start;
}

/* Converts a stream time to the running time in the current segment. */
static guint64
running_time (EarTempo *self, GstClockTime time)
{
  if (!GST_CLOCK_TIME_IS_VALID (time) || time < self->current.start)
    time = self->current.start;

  return self->current.base + (guint64) ((double) (time - self->current.start) / self->current.rate);
}

/* Starts a segment of our own. */
static void
begin_segment (EarTempo *self, GstPad *pad, GstClockTime start, guint64 base, double rate)
{
  GstSegment segment = self->current;
  GstEvent *event;

  segment.base = base;
  segment.time = gst_segment_to_stream_time (&self->upstream, GST_FORMAT_TIME, start);
  if (!GST_CLOCK_TIME_IS_VALID (segment.time))
    segment.time = start;
  segment.start = segment.position = start;
  segment.offset = 0;
  segment.rate = rate;
  set_current (self, &segment);

  event = gst_event_new_segment (&segment);
  gst_event_set_seqnum (event, self->seqnum);
  self->ours = TRUE;
  gst_pad_send_event (pad, event);
  self->ours = FALSE;
}

/* Scaletempo plays the sound it holds at the new speed, and forgets the sound it was to
 * leave out. Its times account for neither, and with each change the sound would be off
 * by up to another tenth of a second, until the sink inserts silence.
 * Returns: what to add to the running time of the next sound, in seconds */
static double
take_held (EarTempo *self, double rate)
{
  const double held = CLAMP (self->held, -MOST_OWED, MOST_HELD);

  self->held = MAX (held, 0);

  return self->held / rate - held / self->current.rate;
}

static void
change_rate (EarTempo *self, GstPad *pad, GstBuffer *buffer, double rate)
{
  GstClockTime start = GST_BUFFER_PTS (buffer);
  double base;

  /* A buffer without a time continues the last one. */
  if (!GST_CLOCK_TIME_IS_VALID (start))
    start = self->reached;
  if (!GST_CLOCK_TIME_IS_VALID (start) || start < self->current.start)
    start = self->current.start;

  base = (double) running_time (self, start) + take_held (self, rate) * GST_SECOND;
  begin_segment (self, pad, start, (guint64) MAX (base, 0), rate);
}

/* Counts the part of a buffer inside the segment as held by scaletempo. */
static void
note_taken (EarTempo *self, GstBuffer *buffer)
{
  GstClockTime length = GST_BUFFER_DURATION_IS_VALID (buffer) ? GST_BUFFER_DURATION (buffer) : 0;

  if (GST_BUFFER_PTS_IS_VALID (buffer) && GST_BUFFER_PTS (buffer) < self->current.start)
    length -= MIN (length, self->current.start - GST_BUFFER_PTS (buffer));
  self->held += (double) length / GST_SECOND;
}

static void
keep_first (EarTempo *self, GstBuffer *buffer)
{
  GstMapInfo map;

  if (self->first->len >= self->first_size || !gst_buffer_map (buffer, &map, GST_MAP_READ))
    return;

  g_byte_array_append (self->first, map.data,
                       (guint) MIN (map.size, self->first_size - self->first->len));
  gst_buffer_unmap (buffer, &map);
}

/* Replaces the fade-in of the first output. */
static void
restore_first (EarTempo *self, GstPadProbeInfo *info)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));

  gst_buffer_fill (buffer, 0, self->first->data, self->first->len);
  info->data = buffer;
  g_byte_array_set_size (self->first, 0);
  self->first_size = 0;
}

/* After a seek, scaletempo first plays sound from before it. Each stride uses as much of
 * that as the speed demands, and the last one plays the rest.
 * @held: sound from before the seek, seconds
 * Returns: how long it is heard, seconds */
static double
find_mute (double held, double rate)
{
  const double strides = floor (held / (STRIDE * rate));

  return strides * STRIDE + MIN (STRIDE, held - strides * STRIDE * rate) + OVERLAP;
}

static void
mute_stale (EarTempo *self, GstPadProbeInfo *info)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  const double length = (double) GST_BUFFER_DURATION (buffer) / GST_SECOND;
  const double samples = (double) gst_buffer_get_size (buffer) / sizeof (float);
  const gsize muted = (gsize) (samples * MIN (1, self->mute / length));

  gst_buffer_memset (buffer, 0, 0, muted * sizeof (float));
  info->data = buffer;
  self->mute -= length;
}

static GstPadProbeReturn
exit_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EarTempo *self = user_data;
  GstBuffer *buffer;

  if (gst_buffer_get_size (GST_PAD_PROBE_INFO_BUFFER (info)) > 0)
    {
      if (self->first_size > 0)
        restore_first (self, info);
      if (self->stale)
        self->mute = find_mute (self->mute, self->current.rate);
      self->stale = FALSE;
      if (self->mute > 0 && GST_BUFFER_DURATION_IS_VALID (GST_PAD_PROBE_INFO_BUFFER (info)))
        mute_stale (self, info);
    }
  buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  if (GST_BUFFER_DURATION_IS_VALID (buffer))
    self->held -= (double) GST_BUFFER_DURATION (buffer) / GST_SECOND * self->current.rate;

  return GST_PAD_PROBE_OK;
}

/* Over HTTP, oggdemux searches for a position in steps, and now and then reports a step
 * as if it were the result (GStreamer 1.26). The time from there to the first sound, half
 * a minute and more, would be silence. */
static void
take_first (EarTempo *self, GstPad *pad, GstClockTime time)
{
  const GstClockTime landed = stream_time (self, time);
  const GstClockTime meant = take_landing (self, landed);

  if (!GST_CLOCK_TIME_IS_VALID (meant) || time < self->current.start || time - self->current.start <= TRIM_LIMIT)
    return;

  g_debug ("a segment from %" GST_TIME_FORMAT " begins at %" GST_TIME_FORMAT, GST_TIME_ARGS (self->current.start),
           GST_TIME_ARGS (time));
  if (meant > landed && meant - landed <= TRIM_LIMIT)
    time += meant - landed;
  begin_segment (self, pad, time, self->current.base, self->current.rate);
}

static void
note_end (EarTempo *self)
{
  const guint64 end = running_time (self, self->reached);

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  self->end = end;
}

static GstPadProbeReturn
rewrite_segment (EarTempo *self, GstPadProbeInfo *info)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstSegment segment;

  gst_event_copy_segment (event, &segment);
  if (segment.format != GST_FORMAT_TIME)
    return GST_PAD_PROBE_OK;

  /* A pad that is linked again gets its events again. The repeated segment is not a new
   * one, and must not undo one of ours. */
  if (!self->flushed && gst_segment_is_equal (&segment, &self->upstream))
    return GST_PAD_PROBE_DROP;

  self->upstream = segment;
  self->seqnum = gst_event_get_seqnum (event);
  segment.rate = read_rate (self);
  /* Upstream counts running time at 1.0, but the sound took another time. */
  if (self->flushed)
    begin (self);
  else
    segment.base = running_time (self, self->reached);
  leave_out_lead (self, &segment);
  set_current (self, &segment);
  self->reached = segment.start;
  self->flushed = FALSE;

  info->data = gst_event_new_segment (&segment);
  gst_event_set_seqnum (GST_EVENT (info->data), self->seqnum);
  gst_event_unref (event);

  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
tempo_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EarTempo *self = user_data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    {
      GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
      double rate = read_rate (self);

      if (!self->flushed && rate != self->current.rate)
        change_rate (self, pad, buffer, rate);
      if (GST_BUFFER_PTS_IS_VALID (buffer))
        {
          take_first (self, pad, GST_BUFFER_PTS (buffer));
          self->reached = GST_BUFFER_PTS (buffer);
        }
      if (GST_BUFFER_DURATION_IS_VALID (buffer))
        self->reached += GST_BUFFER_DURATION (buffer);
      note_taken (self, buffer);
      note_end (self);
      keep_first (self, buffer);
    }
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_SEGMENT)
    {
      if (!self->ours)
        return rewrite_segment (self, info);
    }
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_FLUSH_STOP)
    {
      self->flushed = TRUE;
      self->first_size = 0;
      /* Forget sound that was flushed on its way. */
      self->held = CLAMP (self->held, -MOST_OWED, MOST_HELD);
      self->stale = self->current.rate != 1.0;
      self->mute = self->stale ? MAX (self->held, 0) : 0;
    }

  return GST_PAD_PROBE_OK;
}

/* Drops buffers before the position to read on to, before the filters for voices. */
static GstPadProbeReturn
entry_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EarTempo *self = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstClockTime end = GST_BUFFER_PTS (buffer);

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  if (!self->reading_on || !GST_BUFFER_PTS_IS_VALID (buffer))
    return GST_PAD_PROBE_OK;
  if (GST_BUFFER_DURATION_IS_VALID (buffer))
    end += GST_BUFFER_DURATION (buffer);
  if (end <= self->start)
    return GST_PAD_PROBE_DROP;
  self->reading_on = FALSE;

  return GST_PAD_PROBE_OK;
}

static void
add_ghost_pad (GstElement *bin, GstElement *child, const char *name)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (child, name);

  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
}

static void
apply_speech (EarTempo *self)
{
  if (self->speech == NULL)
    return;

  ear_speech_filter_set_trim (self->speech, self->trim);
  ear_speech_filter_set_level (self->speech, self->level);
}

static void
take_speech (EarTempo *self, GstElement *speech)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  self->speech = gst_object_ref_sink (speech);
  apply_speech (self);
}

static void
fill_filter (EarTempo *self)
{
  GstElement *before = gst_element_factory_make ("audioconvert", NULL);
  GstElement *scaletempo = gst_element_factory_make ("scaletempo", NULL);
  GstElement *after = gst_element_factory_make ("audioconvert", NULL);
  GstElement *fade = ear_fade_new ();

  if (before == NULL || scaletempo == NULL || after == NULL || fade == NULL)
    {
      g_clear_pointer (&before, gst_object_unref);
      g_clear_pointer (&scaletempo, gst_object_unref);
      g_clear_pointer (&after, gst_object_unref);
      g_clear_pointer (&fade, gst_object_unref);
      return;
    }

  self->filter = gst_object_ref_sink (gst_bin_new ("tempo"));
  take_speech (self, ear_speech_filter_new ());
  gst_bin_add_many (GST_BIN (self->filter), before, self->speech, scaletempo, after, fade, NULL);
  gst_element_link_many (before, self->speech, scaletempo, after, fade, NULL);
  add_ghost_pad (self->filter, before, "sink");
  add_ghost_pad (self->filter, fade, "src");

  self->entry = gst_element_get_static_pad (before, "sink");
  self->entry_probe =
      gst_pad_add_probe (self->entry, GST_PAD_PROBE_TYPE_BUFFER, entry_probe_cb, self, NULL);
  self->door = gst_element_get_static_pad (scaletempo, "sink");
  self->probe = gst_pad_add_probe (self->door,
                                   GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
                                     GST_PAD_PROBE_TYPE_EVENT_FLUSH,
                                   tempo_probe_cb, self, NULL);
  self->exit = gst_element_get_static_pad (scaletempo, "src");
  self->exit_probe = gst_pad_add_probe (self->exit, GST_PAD_PROBE_TYPE_BUFFER, exit_probe_cb, self, NULL);
}

static void
ear_tempo_dispose (GObject *object)
{
  EarTempo *self = EAR_TEMPO (object);

  if (self->probe != 0)
    gst_pad_remove_probe (self->door, self->probe);
  if (self->exit_probe != 0)
    gst_pad_remove_probe (self->exit, self->exit_probe);
  if (self->entry_probe != 0)
    gst_pad_remove_probe (self->entry, self->entry_probe);
  self->probe = self->exit_probe = self->entry_probe = 0;
  g_clear_pointer (&self->entry, gst_object_unref);
  g_clear_pointer (&self->door, gst_object_unref);
  g_clear_pointer (&self->exit, gst_object_unref);
  g_clear_pointer (&self->filter, gst_object_unref);
  g_clear_pointer (&self->speech, gst_object_unref);

  G_OBJECT_CLASS (ear_tempo_parent_class)->dispose (object);
}

static void
ear_tempo_finalize (GObject *object)
{
  EarTempo *self = EAR_TEMPO (object);

  g_clear_pointer (&self->spans, g_array_unref);
  g_clear_pointer (&self->first, g_byte_array_unref);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (ear_tempo_parent_class)->finalize (object);
}

static void
ear_tempo_class_init (EarTempoClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_tempo_dispose;
  object_class->finalize = ear_tempo_finalize;
}

static void
ear_tempo_init (EarTempo *self)
{
  g_mutex_init (&self->lock);
  self->rate = 1.0;
  self->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  self->first = g_byte_array_new ();
  self->start = GST_CLOCK_TIME_NONE;
  self->landed = GST_CLOCK_TIME_NONE;
  self->flushed = TRUE;
  self->reached = GST_CLOCK_TIME_NONE;
  gst_segment_init (&self->upstream, GST_FORMAT_TIME);
  gst_segment_init (&self->current, GST_FORMAT_TIME);
}

/* Creates the filter of one pipeline; it cannot be reused. The pipeline must be in state
 * NULL when the last reference is dropped.
 * Returns: (transfer full): a tempo at rate 1.0 */
EarTempo *
ear_tempo_new (void)
{
  return g_object_new (EAR_TYPE_TEMPO, NULL);
}

/* The filter element, for use in one pipeline; created at the first call.
 * Returns: (transfer none) (nullable): the filter, or %NULL if a plugin of
 * GStreamer is missing */
GstElement *
ear_tempo_get_filter (EarTempo *self)
{
  g_return_val_if_fail (EAR_IS_TEMPO (self), NULL);

  if (self->filter == NULL)
    fill_filter (self);

  return self->filter;
}

/* Sets the speed from the next buffer on. Any thread.
 * @rate: the speed, above 0; 1.0 as recorded */
void
ear_tempo_set_rate (EarTempo *self, double rate)
{
  g_return_if_fail (EAR_IS_TEMPO (self));
  g_return_if_fail (rate > 0);

  g_mutex_lock (&self->lock);
  self->rate = rate;
  g_mutex_unlock (&self->lock);
}

/* Sets the filters for voices from the next buffer on. Any thread.
 * @trim: whether to shorten pauses
 * @level: whether to bring voices to one loudness */
void
ear_tempo_set_speech (EarTempo *self, gboolean trim, gboolean level)
{
  g_return_if_fail (EAR_IS_TEMPO (self));

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  self->trim = trim;
  self->level = level;
  apply_speech (self);
}

static GstClockTime
find_in_span (const Span *span, GstClockTime running)
{
  return span->place + (GstClockTime) ((double) (running - span->running) * span->rate);
}

/* Finds the position that is heard at a time. Any thread.
 * @running: a running time of the pipeline
 * @place: (out): the position in the recording
 * Returns: %FALSE if unknown */
gboolean
ear_tempo_find_place (EarTempo *self, GstClockTime running, GstClockTime *place)
{
  g_return_val_if_fail (EAR_IS_TEMPO (self), FALSE);

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  running = MIN (running, self->end);
  for (guint i = self->spans->len; i > 0; i--)
    {
      const Span *span = &g_array_index (self->spans, Span, i - 1);

      if (span->running > running)
        continue;
      *place = find_in_span (span, running);
      if (span->rate != 1.0)
        *place = MIN (*place + SCALETEMPO_AHEAD, find_in_span (span, self->end));
      return TRUE;
    }

  return FALSE;
}

/* Counts how often the stream has started, at first or after a flush. Any
 * thread. Distinguishes a seek from the time before it: some demuxers do not
 * start a seek when asked.
 * Returns: the number of segments that came first, or first after a flush */
guint
ear_tempo_get_beginnings (EarTempo *self)
{
  g_return_val_if_fail (EAR_IS_TEMPO (self), 0);

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  return self->beginnings;
}

/* The time at which the stream has really started, whatever its segment
 * claims. Any thread.
 * Returns: the time of the first sound; %GST_CLOCK_TIME_NONE if none has arrived */
GstClockTime
ear_tempo_get_landed (EarTempo *self)
{
  g_return_val_if_fail (EAR_IS_TEMPO (self), GST_CLOCK_TIME_NONE);

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  return self->landed;
}

/* Sets the exact start for a demuxer that seeks to slightly before it. */
void
ear_tempo_begin_at (EarTempo *self, GstClockTime start)
{
  g_return_if_fail (EAR_IS_TEMPO (self));

  g_mutex_lock (&self->lock);
  self->start = start;
  g_mutex_unlock (&self->lock);
}

/* Starts at a position of a stream that cannot seek: everything before it is dropped as
 * fast as it arrives.
 * @self: a tempo whose pipeline has not started */
void
ear_tempo_read_on_to (EarTempo *self, GstClockTime start)
{
  g_return_if_fail (EAR_IS_TEMPO (self));

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  self->start = start;
  self->reading_on = TRUE;
}
