/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-sound.h"

#define SAMPLE_RATE 44100

/* Sound outputs play buffers without a gap if they are at most this far apart, as
 * GStreamer's base class does. */
#define JITTER (40 * GST_MSECOND)

/* A larger delay means that a listener would have heard a gap, and that the clock is
 * ahead of the sound. */
#define LATE (10 * GST_MSECOND)

/* A stride of scaletempo, microseconds */
#define STRIDE 30000

/* Strides around a moment, and evenly spread readings taken in them. */
#define AROUND_STRIDES 4
#define AROUND_READINGS 16

/* A buffer, with the times when it was due and when it arrived. */
typedef struct
{
  guint64 index;
  gint64 due; /* monotonic, nanoseconds; -1: unknown */
  gint64 came;
} Piece;

struct _EarTestSound
{
  GObject parent_instance;

  /* Any thread, under the lock */
  GMutex lock;
  GArray *samples;       /* float, since the last clear */
  GArray *pieces;        /* Piece, since the last clear */
  guint64 last_index;    /* of the buffer that started to sound last */
  gint64 last_time;      /* when that was, monotonic */
  gboolean hurried;
  guint sinks;
  guint jumps;
  guint misled;          /* how many of the next seeks to mislead */
  gint64 misled_by;      /* by how much, in nanoseconds */
};

G_DEFINE_FINAL_TYPE (EarTestSound, ear_test_sound, G_TYPE_OBJECT)

static gint64
find_due (GstElement *sink, GstBuffer *buffer, GstPad *pad)
{
  g_autoptr (GstEvent) event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  const GstSegment *segment;
  guint64 time;

  if (event == NULL)
    return -1;
  gst_event_parse_segment (event, &segment);
  time = gst_segment_to_running_time (segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));

  return GST_CLOCK_TIME_IS_VALID (time) ? (gint64) (gst_element_get_base_time (sink) + time) : -1;
}

/* Called in a streaming thread when a buffer starts to sound. */
static void
handoff_cb (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer user_data)
{
  EarTestSound *self = user_data;
  Piece piece = { 0, find_due (sink, buffer, pad), g_get_monotonic_time () * GST_USECOND };
  GstMapInfo map;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return;

  g_mutex_lock (&self->lock);
  self->last_index = self->samples->len;
  self->last_time = g_get_monotonic_time ();
  piece.index = self->samples->len;
  g_array_append_val (self->pieces, piece);
  g_array_append_vals (self->samples, map.data, map.size / sizeof (float));
  g_mutex_unlock (&self->lock);

  gst_buffer_unmap (buffer, &map);
}

/* Sees a seek on its way from the sink to the demuxer. */
static GstPadProbeReturn
seek_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EarTestSound *self = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstFormat format;
  GstSeekFlags flags;
  GstSeekType start_type, stop_type;
  gint64 start, stop, by = 0;
  double rate;

  if (GST_EVENT_TYPE (event) != GST_EVENT_SEEK)
    return GST_PAD_PROBE_OK;

  g_mutex_lock (&self->lock);
  self->jumps++;
  if (self->misled > 0)
    {
      self->misled--;
      by = self->misled_by;
    }
  g_mutex_unlock (&self->lock);

  gst_event_parse_seek (event, &rate, &format, &flags, &start_type, &start, &stop_type, &stop);
  info->data = gst_event_new_seek (rate, format, flags, start_type, start + by, stop_type, stop);
  gst_event_set_seqnum (GST_EVENT (info->data), gst_event_get_seqnum (event));
  gst_event_unref (event);

  return GST_PAD_PROBE_OK;
}

static void
ear_test_sound_finalize (GObject *object)
{
  EarTestSound *self = EAR_TEST_SOUND (object);

  g_array_unref (self->samples);
  g_array_unref (self->pieces);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (ear_test_sound_parent_class)->finalize (object);
}

static void
ear_test_sound_class_init (EarTestSoundClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_test_sound_finalize;
}

static void
ear_test_sound_init (EarTestSound *self)
{
  g_mutex_init (&self->lock);
  self->samples = g_array_new (FALSE, FALSE, sizeof (float));
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
}

/**
 * ear_test_sound_new:
 *
 * Returns: (transfer full): an output that plays in real time
 */
EarTestSound *
ear_test_sound_new (void)
{
  return g_object_new (EAR_TYPE_TEST_SOUND, NULL);
}

/**
 * ear_test_sound_set_hurried:
 * @self: an output
 * @hurried: whether the next sinks play as fast as sound arrives
 */
void
ear_test_sound_set_hurried (EarTestSound *self, gboolean hurried)
{
  g_mutex_lock (&self->lock);
  self->hurried = hurried;
  g_mutex_unlock (&self->lock);
}

/**
 * ear_test_sound_make_sink:
 * @owner: the output, which must outlive the sink
 *
 * An EarPlayerSinkFunc.
 *
 * Returns: (transfer floating): a sink that feeds @owner
 */
GstElement *
ear_test_sound_make_sink (GObject *owner)
{
  EarTestSound *self = EAR_TEST_SOUND (owner);
  g_autofree char *text = NULL;
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GstPad) pad = NULL;
  GstElement *bin;

  g_mutex_lock (&self->lock);
  text = g_strdup_printf ("audioconvert ! audioresample ! "
                          "audio/x-raw,format=F32LE,layout=interleaved,channels=1,rate=%d ! "
                          "fakesink name=ear sync=%d signal-handoffs=true",
                          SAMPLE_RATE, !self->hurried);
  self->sinks++;
  g_mutex_unlock (&self->lock);

  bin = gst_parse_bin_from_description (text, TRUE, NULL);
  g_assert_nonnull (bin);
  sink = gst_bin_get_by_name (GST_BIN (bin), "ear");
  g_signal_connect (sink, "handoff", G_CALLBACK (handoff_cb), self);
  pad = gst_element_get_static_pad (bin, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, seek_cb, self, NULL);

  return bin;
}

/**
 * ear_test_sound_clear:
 * @self: an output
 *
 * Forgets all sound.
 */
void
ear_test_sound_clear (EarTestSound *self)
{
  g_mutex_lock (&self->lock);
  g_array_set_size (self->samples, 0);
  g_array_set_size (self->pieces, 0);
  self->last_index = 0;
  g_mutex_unlock (&self->lock);
}

/**
 * ear_test_sound_get_heard:
 * @self: an output
 *
 * Returns: the microseconds of sound since the last clear
 */
guint64
ear_test_sound_get_heard (EarTestSound *self)
{
  guint64 n;

  g_mutex_lock (&self->lock);
  n = self->samples->len;
  g_mutex_unlock (&self->lock);

  return n * G_USEC_PER_SEC / SAMPLE_RATE;
}

/**
 * ear_test_sound_get_sinks:
 * @self: an output
 *
 * Returns: how many sinks were created
 */
guint
ear_test_sound_get_sinks (EarTestSound *self)
{
  guint sinks;

  g_mutex_lock (&self->lock);
  sinks = self->sinks;
  g_mutex_unlock (&self->lock);

  return sinks;
}

/**
 * ear_test_sound_mislead:
 * @self: an output
 * @jumps: how many of the next seeks to mislead
 * @seconds: how far past their target they land
 *
 * Simulates a demuxer that does not find the position.
 */
void
ear_test_sound_mislead (EarTestSound *self, guint jumps, double seconds)
{
  g_mutex_lock (&self->lock);
  self->jumps = 0;
  self->misled = jumps;
  self->misled_by = (gint64) (seconds * GST_SECOND);
  g_mutex_unlock (&self->lock);
}

/**
 * ear_test_sound_get_jumps:
 * @self: an output
 *
 * Returns: the number of seeks since [method@EarTestSound.mislead]
 */
guint
ear_test_sound_get_jumps (EarTestSound *self)
{
  guint jumps;

  g_mutex_lock (&self->lock);
  jumps = self->jumps;
  g_mutex_unlock (&self->lock);

  return jumps;
}

/**
 * ear_test_sound_read:
 * @self: an output
 * @reading: (out): the sound heard right now
 *
 * Reads the last EAR_TIME_TONE_WINDOW samples up to now.
 *
 * Returns: %FALSE if there was too little sound since the last clear
 */
gboolean
ear_test_sound_read (EarTestSound *self, EarTimeToneReading *reading)
{
  guint64 end;
  gboolean read = FALSE;

  *reading = (EarTimeToneReading) { 0 };
  g_mutex_lock (&self->lock);
  /* The last buffer has started, but not all of it has sounded. */
  end = self->last_index + (guint64) (g_get_monotonic_time () - self->last_time) * SAMPLE_RATE / G_USEC_PER_SEC;
  end = MIN (end, self->samples->len);
  if (end >= EAR_TIME_TONE_WINDOW)
    read = ear_time_tone_read ((const float *) self->samples->data, end, SAMPLE_RATE, reading);
  g_mutex_unlock (&self->lock);

  return read;
}

/* Returns the end of a piece. Under the lock. */
static guint64
find_end (EarTestSound *self, guint number)
{
  return number + 1 < self->pieces->len ? g_array_index (self->pieces, Piece, number + 1).index : self->samples->len;
}

/* Returns the piece that sounded at a time, or the last one before it; the number of
 * pieces if there is none. Under the lock. */
static guint
find_piece (EarTestSound *self, gint64 time)
{
  for (guint i = self->pieces->len; i-- > 0;)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);

      if (piece->due >= 0 && piece->due <= time && piece->came <= time)
        return i;
    }

  return self->pieces->len;
}

/* Whether there is no gap between two samples. Under the lock. */
static gboolean
is_whole (EarTestSound *self, guint64 from, guint64 to)
{
  for (guint i = 1; i < self->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);
      gint64 expected = piece[-1].due + (gint64) ((piece->index - piece[-1].index) * GST_SECOND / SAMPLE_RATE);

      if (piece->index > from && piece->index < to && ABS (piece->due - expected) > (gint64) JITTER)
        return FALSE;
    }

  return TRUE;
}

/**
 * ear_test_sound_read_at:
 * @self: an output
 * @when: monotonic time, microseconds
 * @reading: (out): the sound heard at that time
 *
 * Uses the time at which each sample was due. Reads EAR_TIME_TONE_WINDOW samples, half of
 * them before and half of them after @when.
 *
 * Returns: %FALSE if they have not arrived yet, or not without a gap and in time, as on
 *   a busy computer
 */
gboolean
ear_test_sound_read_at (EarTestSound *self, gint64 when, EarTimeToneReading *reading)
{
  const guint64 half = EAR_TIME_TONE_WINDOW / 2;
  const Piece *piece;
  guint number;
  guint64 middle;
  gboolean read = FALSE;

  *reading = (EarTimeToneReading) { 0 };
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  number = find_piece (self, when * GST_USECOND);
  if (number == self->pieces->len)
    return FALSE;
  piece = &g_array_index (self->pieces, Piece, number);
  middle = piece->index + (guint64) (when * GST_USECOND - piece->due) * SAMPLE_RATE / GST_SECOND;
  /* Scaletempo's times are off by some milliseconds, which no output plays: it continues
   * with the next piece. */
  while (number + 1 < self->pieces->len && middle >= find_end (self, number))
    number++;
  if (piece->came - piece->due > (gint64) LATE || middle > find_end (self, number))
    return FALSE;
  piece = &g_array_index (self->pieces, Piece, number);
  if (piece->came - piece->due > (gint64) LATE)
    return FALSE;
  if (middle >= half && middle + half <= self->samples->len && is_whole (self, middle - half, middle + half))
    read = ear_time_tone_read ((const float *) self->samples->data + middle - half, EAR_TIME_TONE_WINDOW, SAMPLE_RATE,
                               reading);

  return read;
}

/**
 * ear_test_sound_read_around:
 * @self: an output
 * @when: monotonic time, microseconds
 * @rate: the speed
 * @time: (out): the position heard around @when, in seconds of the recording
 *
 * Averages the sound of two strides of scaletempo before and after @when. Scaletempo
 * plays 30 ms as recorded and cuts at the seam, so that a single moment is early or late
 * by up to half of that; all of them together are not.
 *
 * Returns: %FALSE if half of the sound was not clear
 */
gboolean
ear_test_sound_read_around (EarTestSound *self, gint64 when, double rate, double *time)
{
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < AROUND_READINGS; i++)
    {
      /* Evenly spread, in the middle of the part that each stands for */
      const gint64 offset = AROUND_STRIDES * STRIDE * (2 * (gint64) i + 1 - AROUND_READINGS) / (2 * AROUND_READINGS);
      EarTimeToneReading reading;

      if (!ear_test_sound_read_at (self, when + offset, &reading) || reading.level < 0.2 || ABS (reading.pitch - 1) > 0.05)
        continue;
      sum += reading.time - (double) offset / G_USEC_PER_SEC * rate;
      n++;
    }
  if (n <= AROUND_READINGS / 2)
    return FALSE;
  *time = sum / n;

  return TRUE;
}

/**
 * ear_test_sound_get_behind:
 * @self: an output
 *
 * Returns: for how many microseconds there has been no sound to play, as on a busy
 *   computer; 0 if there is some
 */
gint64
ear_test_sound_get_behind (EarTestSound *self)
{
  const Piece *last;
  gint64 end = G_MAXINT64;

  g_mutex_lock (&self->lock);
  if (self->pieces->len > 0)
    {
      last = &g_array_index (self->pieces, Piece, self->pieces->len - 1);
      end = last->due / (gint64) GST_USECOND + (gint64) ((self->samples->len - last->index) * G_USEC_PER_SEC / SAMPLE_RATE);
    }
  g_mutex_unlock (&self->lock);

  return MAX (0, g_get_monotonic_time () - end);
}

/**
 * ear_test_sound_read_whole:
 * @self: an output that hurries
 * @path: (type filename): a recording of time tones
 * @place: seconds
 *
 * Plays a recording from its beginning, without a player.
 *
 * Returns: the delay of the sound at @place in seconds, which encoders add at the start
 */
double
ear_test_sound_read_whole (EarTestSound *self, const char *path, double place)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("filesrc name=file ! decodebin ! audioconvert name=sound", NULL);
  g_autoptr (GstElement) file = gst_bin_get_by_name (GST_BIN (pipeline), "file");
  g_autoptr (GstElement) sound = gst_bin_get_by_name (GST_BIN (pipeline), "sound");
  GstElement *sink = ear_test_sound_make_sink (G_OBJECT (self));
  const gsize middle = (gsize) (place * SAMPLE_RATE);
  EarTimeToneReading reading;

  g_object_set (file, "location", path, NULL);
  gst_bin_add (GST_BIN (pipeline), sink);
  gst_element_link (sound, sink);
  ear_test_sound_clear (self);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (ear_test_sound_get_heard (self) < (place + 1) * G_USEC_PER_SEC)
    g_usleep (5000);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_assert_true (ear_time_tone_read ((const float *) self->samples->data + middle - EAR_TIME_TONE_WINDOW / 2,
                                     EAR_TIME_TONE_WINDOW, SAMPLE_RATE, &reading));

  return place - reading.time;
}

/**
 * ear_test_sound_read_range:
 * @self: an output
 * @first: (out): the first position heard, seconds
 * @lowest: (out): the earliest position heard
 * @highest: (out): the latest position heard
 *
 * Reads all sound since the last clear. Unclear moments (the first frames after a seek,
 * seams) do not count.
 *
 * Returns: %FALSE if no sound was clear
 */
gboolean
ear_test_sound_read_range (EarTestSound *self, double *first, double *lowest, double *highest)
{
  gboolean any = FALSE;

  g_mutex_lock (&self->lock);
  for (gsize i = 0; i + EAR_TIME_TONE_WINDOW <= self->samples->len; i += EAR_TIME_TONE_WINDOW / 2)
    {
      EarTimeToneReading reading;

      if (!ear_time_tone_read ((const float *) self->samples->data + i, EAR_TIME_TONE_WINDOW, SAMPLE_RATE, &reading) ||
          reading.level < 0.2 || ABS (reading.pitch - 1) > 0.01)
        continue;
      if (!any)
        *first = *lowest = *highest = reading.time;
      *lowest = MIN (*lowest, reading.time);
      *highest = MAX (*highest, reading.time);
      any = TRUE;
    }
  g_mutex_unlock (&self->lock);

  return any;
}

/**
 * ear_test_sound_read_last:
 * @self: an output
 * @reading: (out): the last sound heard
 *
 * Like [method@EarTestSound.read], for an output that hurries.
 *
 * Returns: %FALSE if there was too little sound
 */
gboolean
ear_test_sound_read_last (EarTestSound *self, EarTimeToneReading *reading)
{
  gboolean read;

  g_mutex_lock (&self->lock);
  read = ear_time_tone_read ((const float *) self->samples->data, self->samples->len, SAMPLE_RATE, reading);
  g_mutex_unlock (&self->lock);

  return read;
}
