/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-tempo.h"

/* More than this before the place asked for is no rounding of a demuxer any more. */
#define TRIM_LIMIT (3 * GST_SECOND)

/**
 * EarTempo:
 *
 * Plays faster or slower with the pitch kept: an audio filter around scaletempo,
 * which takes its speed from the rate of the segment that it is in.
 *
 * A seek with another rate would do it too, but flushes what is heard, is refused by
 * some demuxers and goes wrong in others. So everything before scaletempo always runs
 * at 1.0, and the segments are rewritten at its door: those that come by get our rate,
 * and when the rate changes in mid-stream, a segment of our own that begins with the
 * next buffer continues the running time of the one before. Nothing is flushed, and
 * the positions that the sink reports stay exact.
 */
struct _EarTempo
{
  GObject parent_instance;

  /* Owned */
  GstElement *filter;
  GstPad *door; /* scaletempo's sink pad */
  gulong probe;

  /* Any thread, under the lock */
  GMutex lock;
  double rate;
  guint beginnings;
  GstClockTime start;  /* where the last seek was meant to go */
  GstClockTime landed; /* where the first sound after it is from, once it has come */

  /* The streaming thread only */
  GstSegment upstream;  /* the last segment that came */
  GstSegment current;   /* what scaletempo was told in its place */
  GstClockTime reached; /* end of the last buffer, in the time of both */
  guint32 seqnum;
  gboolean flushed;     /* running time begins anew with the next segment */
  gboolean ours;        /* the event at the door was made by ourselves */
};

G_DEFINE_FINAL_TYPE (EarTempo, ear_tempo, G_TYPE_OBJECT)

static double
read_rate (EarTempo *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  return self->rate;
}

/* What lies before the place that was asked for is left out. Ogg over HTTP begins up to
 * a second before it. */
static void
begin (EarTempo *self, GstSegment *segment)
{
  GstClockTime skipped;

  g_mutex_lock (&self->lock);
  self->beginnings++;
  self->landed = GST_CLOCK_TIME_NONE;
  if (GST_CLOCK_TIME_IS_VALID (self->start) && self->start > segment->start)
    {
      skipped = self->start - segment->start;
      if (skipped <= TRIM_LIMIT && (!GST_CLOCK_TIME_IS_VALID (segment->stop) || self->start < segment->stop))
        {
          segment->start += skipped;
          segment->time += skipped;
          segment->position = segment->start;
        }
    }
  g_mutex_unlock (&self->lock);
}

/* Returns the place that was meant if that is the first sound after a seek. */
static GstClockTime
take_landing (EarTempo *self, GstClockTime time)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  if (GST_CLOCK_TIME_IS_VALID (self->landed))
    return GST_CLOCK_TIME_NONE;
  self->landed = time;

  return self->start;
}

/* The running time in the current segment of a time in the stream. */
static guint64
running_time (EarTempo *self, GstClockTime time)
{
  if (!GST_CLOCK_TIME_IS_VALID (time) || time < self->current.start)
    time = self->current.start;

  return self->current.base + (guint64) ((double) (time - self->current.start) / self->current.rate);
}

/* What comes from here on is in a segment of our own. */
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
  self->current = segment;

  event = gst_event_new_segment (&segment);
  gst_event_set_seqnum (event, self->seqnum);
  self->ours = TRUE;
  gst_pad_send_event (pad, event);
  self->ours = FALSE;
}

static void
change_rate (EarTempo *self, GstPad *pad, GstBuffer *buffer, double rate)
{
  GstClockTime start = GST_BUFFER_PTS (buffer);

  /* A buffer without a time continues the last one. */
  if (!GST_CLOCK_TIME_IS_VALID (start))
    start = self->reached;
  if (!GST_CLOCK_TIME_IS_VALID (start) || start < self->current.start)
    start = self->current.start;

  begin_segment (self, pad, start, running_time (self, start), rate);
}

/* Over HTTP, oggdemux looks for a place in steps, and now and then tells of one of these as if
 * it were the place that it has found (GStreamer 1.26): all the time from there to the first
 * sound would be silence, half a minute and more. */
static void
take_first (EarTempo *self, GstPad *pad, GstClockTime time)
{
  GstClockTime meant = take_landing (self, time);

  if (!GST_CLOCK_TIME_IS_VALID (meant) || time < self->current.start || time - self->current.start <= TRIM_LIMIT)
    return;

  g_debug ("a segment from %" GST_TIME_FORMAT " begins at %" GST_TIME_FORMAT, GST_TIME_ARGS (self->current.start),
           GST_TIME_ARGS (time));
  if (meant > time && meant - time <= TRIM_LIMIT)
    time = meant;
  begin_segment (self, pad, time, self->current.base, self->current.rate);
}

static GstPadProbeReturn
rewrite_segment (EarTempo *self, GstPadProbeInfo *info)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstSegment segment;

  gst_event_copy_segment (event, &segment);
  if (segment.format != GST_FORMAT_TIME)
    return GST_PAD_PROBE_OK;

  /* A pad that is linked anew gets its events again: that is no new segment, and
     may not undo one of ours. */
  if (!self->flushed && gst_segment_is_equal (&segment, &self->upstream))
    return GST_PAD_PROBE_DROP;

  self->upstream = segment;
  self->seqnum = gst_event_get_seqnum (event);
  segment.rate = read_rate (self);
  /* Upstream counts running time at 1.0; what was heard took another time. */
  if (self->flushed)
    begin (self, &segment);
  else
    segment.base = running_time (self, self->reached);
  self->current = segment;
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
    }
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_SEGMENT)
    {
      if (!self->ours)
        return rewrite_segment (self, info);
    }
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_FLUSH_STOP)
    {
      self->flushed = TRUE;
    }

  return GST_PAD_PROBE_OK;
}

static void
add_ghost_pad (GstElement *bin, GstElement *child, const char *name)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (child, name);

  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
}

static void
fill_filter (EarTempo *self)
{
  GstElement *before = gst_element_factory_make ("audioconvert", NULL);
  GstElement *scaletempo = gst_element_factory_make ("scaletempo", NULL);
  GstElement *after = gst_element_factory_make ("audioconvert", NULL);

  if (before == NULL || scaletempo == NULL || after == NULL)
    {
      g_clear_pointer (&before, gst_object_unref);
      g_clear_pointer (&scaletempo, gst_object_unref);
      g_clear_pointer (&after, gst_object_unref);
      return;
    }

  self->filter = gst_object_ref_sink (gst_bin_new ("tempo"));
  gst_bin_add_many (GST_BIN (self->filter), before, scaletempo, after, NULL);
  gst_element_link_many (before, scaletempo, after, NULL);
  add_ghost_pad (self->filter, before, "sink");
  add_ghost_pad (self->filter, after, "src");

  self->door = gst_element_get_static_pad (scaletempo, "sink");
  self->probe = gst_pad_add_probe (self->door,
                                   GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
                                     GST_PAD_PROBE_TYPE_EVENT_FLUSH,
                                   tempo_probe_cb, self, NULL);
}

static void
ear_tempo_dispose (GObject *object)
{
  EarTempo *self = EAR_TEMPO (object);

  if (self->probe != 0)
    gst_pad_remove_probe (self->door, self->probe);
  self->probe = 0;
  g_clear_pointer (&self->door, gst_object_unref);
  g_clear_pointer (&self->filter, gst_object_unref);

  G_OBJECT_CLASS (ear_tempo_parent_class)->dispose (object);
}

static void
ear_tempo_finalize (GObject *object)
{
  g_mutex_clear (&EAR_TEMPO (object)->lock);

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
  self->start = GST_CLOCK_TIME_NONE;
  self->landed = GST_CLOCK_TIME_NONE;
  self->flushed = TRUE;
  self->reached = GST_CLOCK_TIME_NONE;
  gst_segment_init (&self->upstream, GST_FORMAT_TIME);
  gst_segment_init (&self->current, GST_FORMAT_TIME);
}

/* Makes a filter for one pipeline; it is not to be used in a second one. The pipeline
 * has to be at rest when the last reference goes.
 * Returns: (transfer full): a tempo at rate 1.0 */
EarTempo *
ear_tempo_new (void)
{
  return g_object_new (EAR_TYPE_TEMPO, NULL);
}

/* The element to put where the sound goes through, once. It is made at the first call.
 * Returns: (transfer none) (nullable): the filter, or %NULL where this installation of
 *   GStreamer lacks its parts */
GstElement *
ear_tempo_get_filter (EarTempo *self)
{
  g_return_val_if_fail (EAR_IS_TEMPO (self), NULL);

  if (self->filter == NULL)
    fill_filter (self);

  return self->filter;
}

/* Sets the speed, from any thread. It is heard with the next buffer that comes by.
 * @rate: how fast to play, above 0; 1.0 as recorded */
void
ear_tempo_set_rate (EarTempo *self, double rate)
{
  g_return_if_fail (EAR_IS_TEMPO (self));
  g_return_if_fail (rate > 0);

  g_mutex_lock (&self->lock);
  self->rate = rate;
  g_mutex_unlock (&self->lock);
}

/* Counts how often the stream has begun, or begun anew at another place. May be called
 * from any thread. It is how a jump is told from what was going on before it: some
 * demuxers do not yet begin with it when they are asked to.
 * Returns: the number of segments that came first, or first after a flush */
guint
ear_tempo_get_beginnings (EarTempo *self)
{
  g_return_val_if_fail (EAR_IS_TEMPO (self), 0);

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  return self->beginnings;
}

/* Where the stream has really begun, or begun anew, whatever its segment says. May be
 * called from any thread.
 * Returns: the time of its first sound; %GST_CLOCK_TIME_NONE if none has come yet */
GstClockTime
ear_tempo_get_landed (EarTempo *self)
{
  g_return_val_if_fail (EAR_IS_TEMPO (self), GST_CLOCK_TIME_NONE);

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  return self->landed;
}

/* Makes it exact where the demuxer goes to a place a little before it. */
void
ear_tempo_begin_at (EarTempo *self, GstClockTime start)
{
  g_return_if_fail (EAR_IS_TEMPO (self));

  g_mutex_lock (&self->lock);
  self->start = start;
  g_mutex_unlock (&self->lock);
}
