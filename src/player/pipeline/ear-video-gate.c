/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-video-gate.h"

/* A gate before the video decoder. While nobody watches, no buffer passes and nothing is
 * decoded. The gate keeps the buffers since the last keyframe, which a decoder needs to
 * start in the middle, so that the picture appears at once when somebody watches.
 *
 * GStreamer could deselect the stream instead (GST_EVENT_SELECT_STREAMS), but then
 * decodebin3 and playsink rebuild their pads, which is audible, and the picture starts at
 * the next keyframe, up to ten seconds later. */

/* Buffers pass at the speed of the sound, and not as fast as they arrive: those from the
 * web are half a minute ahead. */
#define LEAD (200 * GST_MSECOND)

/* Limits of the buffers kept; usually some seconds. */
#define KEPT_SIZE (16 * 1024 * 1024)
#define KEPT_LENGTH 1500

/* The largest picture, in pixels. One takes 14 MB, and a decoder has a dozen. */
#define LARGEST (4096 * 2304)

typedef struct
{
  EarVideoGateState *state;
  GstPad *pad; /* borrowed: has this probe */

  /* The streaming thread only */
  GstSegment segment;
  GQueue kept;
  gsize size;
  gboolean closed;
  gboolean broken; /* nothing can be decoded before the next keyframe */
  gboolean ours;   /* the buffer is one that was kept */

  int too_large;
} Gate;

static void
clear_kept (Gate *self)
{
  g_queue_clear_full (&self->kept, (GDestroyNotify) gst_buffer_unref);
  self->size = 0;
}

static void
gate_free (gpointer data)
{
  Gate *self = data;

  clear_kept (self);
  ear_video_gate_state_unref (self->state);
  g_free (self);
}

static gboolean
is_needless (gpointer data)
{
  Gate *self = data;

  return GST_PAD_IS_FLUSHING (self->pad) || g_atomic_int_get (&self->state->stopped) ||
         ear_video_output_get_watched (self->state->output);
}

static GstClockTime
find_time (Gate *self, GstBuffer *buffer)
{
  GstClockTime time = GST_BUFFER_PTS_IS_VALID (buffer) ? GST_BUFFER_PTS (buffer) : GST_BUFFER_DTS (buffer);

  if (!GST_CLOCK_TIME_IS_VALID (time) || self->segment.format != GST_FORMAT_TIME)
    return GST_CLOCK_TIME_NONE;

  return gst_segment_to_stream_time (&self->segment, GST_FORMAT_TIME, time);
}

static void
keep (Gate *self, GstBuffer *buffer)
{
  const gboolean whole = !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);

  if (whole)
    {
      clear_kept (self);
      self->broken = FALSE;
    }
  if (self->broken)
    return;

  if (self->size + gst_buffer_get_size (buffer) > KEPT_SIZE || self->kept.length >= KEPT_LENGTH)
    {
      clear_kept (self);
      self->broken = TRUE;
      return;
    }
  self->size += gst_buffer_get_size (buffer);
  g_queue_push_tail (&self->kept, gst_buffer_ref (buffer));
}

/* Sends the kept buffers to the decoder, which drops frames that are too late. */
static void
catch_up (Gate *self)
{
  GstFlowReturn flow = GST_FLOW_OK;
  gboolean first = TRUE;
  GstBuffer *buffer;

  self->ours = TRUE;
  while (flow == GST_FLOW_OK && (buffer = g_queue_pop_head (&self->kept)) != NULL)
    {
      if (first)
        {
          buffer = gst_buffer_make_writable (buffer);
          GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
          first = FALSE;
        }
      flow = gst_pad_chain (self->pad, buffer);
    }
  self->ours = FALSE;
  clear_kept (self);
}

static void
note_reached (Gate *self, GstBuffer *buffer, GstClockTime time)
{
  GstClockTime end = time + (GST_BUFFER_DURATION_IS_VALID (buffer) ? GST_BUFFER_DURATION (buffer) : 0);
  const int reached = (int) MIN (end / GST_MSECOND, G_MAXINT);

  if (reached > g_atomic_int_get (&self->state->reached))
    g_atomic_int_set (&self->state->reached, reached);
}

static GstPadProbeReturn
take_buffer (Gate *self, GstBuffer *buffer)
{
  GstClockTime time;

  if (self->ours)
    {
      g_atomic_int_inc (&self->state->decoded);
      return GST_PAD_PROBE_OK;
    }

  time = find_time (self, buffer);
  if (GST_CLOCK_TIME_IS_VALID (time))
    {
      note_reached (self, buffer, time);
      if (time > LEAD && !is_needless (self))
        ear_timeline_wait (self->state->timeline, time - LEAD, is_needless, self);
    }
  if (g_atomic_int_get (&self->too_large))
    return GST_PAD_PROBE_DROP;
  if (!ear_video_output_get_watched (self->state->output))
    {
      self->closed = TRUE;
      g_atomic_int_set (&self->state->stale, TRUE);
      keep (self, buffer);
      return GST_PAD_PROBE_DROP;
    }

  if (self->closed)
    {
      catch_up (self);
      self->closed = FALSE;
    }
  if (self->broken && GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT))
    return GST_PAD_PROBE_DROP;
  self->broken = FALSE;
  g_atomic_int_inc (&self->state->decoded);

  return GST_PAD_PROBE_OK;
}

static gboolean
is_too_large (GstEvent *event)
{
  const GstStructure *structure;
  int width = 0, height = 0;
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  structure = gst_caps_get_structure (caps, 0);
  gst_structure_get_int (structure, "width", &width);
  gst_structure_get_int (structure, "height", &height);

  return (gint64) width * height > LARGEST;
}

/* Posts a message whether there is a picture. */
static void
tell (GstPad *pad, gboolean present)
{
  g_autoptr (GstElement) decoder = gst_pad_get_parent_element (pad);
  GstStructure *structure = gst_structure_new ("picture", "present", G_TYPE_BOOLEAN, present, NULL);

  if (decoder != NULL)
    gst_element_post_message (decoder, gst_message_new_application (GST_OBJECT (decoder), structure));
  else
    gst_structure_free (structure);
}

/* Announces a small size, so that the decoder allocates nothing for pictures that
 * it never gets. */
static GstEvent *
shrink (GstEvent *event)
{
  g_autoptr (GstCaps) small = NULL;
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  small = gst_caps_copy (caps);
  gst_caps_set_simple (small, "width", G_TYPE_INT, 16, "height", G_TYPE_INT, 16, NULL);
  gst_event_unref (event);

  return gst_event_new_caps (small);
}

static void
take_event (Gate *self, GstPad *pad, GstPadProbeInfo *info)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);

  switch ((guint) GST_EVENT_TYPE (event))
    {
    case GST_EVENT_CAPS:
      g_atomic_int_set (&self->too_large, is_too_large (event));
      tell (pad, !g_atomic_int_get (&self->too_large));
      if (g_atomic_int_get (&self->too_large))
        info->data = shrink (event);
      break;
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &self->segment);
      break;
    case GST_EVENT_FLUSH_START:
      ear_timeline_wake (self->state->timeline);
      break;
    case GST_EVENT_FLUSH_STOP:
      clear_kept (self);
      self->broken = FALSE;
      break;
    default:
      break;
    }
}

static GstPadProbeReturn
gate_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    return take_buffer (user_data, GST_PAD_PROBE_INFO_BUFFER (info));

  take_event (user_data, pad, info);

  return GST_PAD_PROBE_OK;
}

/* Trusts the decoder's size of the picture more than the announced one. */
static GstPadProbeReturn
decoded_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Gate *self = user_data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    return g_atomic_int_get (&self->too_large) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;

  if (is_too_large (GST_PAD_PROBE_INFO_EVENT (info)))
    {
      g_atomic_int_set (&self->too_large, TRUE);
      tell (pad, FALSE);
    }

  return GST_PAD_PROBE_OK;
}

EarVideoGateState *
ear_video_gate_state_new (EarVideoOutput *output)
{
  EarVideoGateState *self = g_atomic_rc_box_new0 (EarVideoGateState);

  self->output = g_object_ref (output);
  self->timeline = ear_timeline_new ();
  self->stale = TRUE;

  return self;
}

EarVideoGateState *
ear_video_gate_state_ref (EarVideoGateState *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
state_clear (gpointer data)
{
  EarVideoGateState *self = data;

  g_object_unref (self->output);
  ear_timeline_free (self->timeline);
}

void
ear_video_gate_state_unref (EarVideoGateState *self)
{
  g_atomic_rc_box_release_full (self, state_clear);
}

/* Adds a gate before a decoder. Any thread.
 * @state: shared by the gates of the pipeline
 * @decoder: a decoder that has not started */
void
ear_video_gate_add (EarVideoGateState *state, GstElement *decoder)
{
  g_autoptr (GstPad) door = gst_element_get_static_pad (decoder, "sink");
  g_autoptr (GstPad) exit = gst_element_get_static_pad (decoder, "src");
  Gate *gate;

  if (door == NULL)
    return;

  gate = g_new0 (Gate, 1);
  gate->state = ear_video_gate_state_ref (state);
  gate->pad = door;
  gst_segment_init (&gate->segment, GST_FORMAT_UNDEFINED);
  gst_pad_add_probe (door,
                     GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH,
                     gate_probe_cb, gate, gate_free);
  /* The pads of a decoder live equally long. */
  if (exit != NULL)
    gst_pad_add_probe (exit, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, decoded_probe_cb, gate,
                       NULL);
}
