/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-ogg.h"

#include <string.h>

/* Over HTTP, oggdemux learns the duration from the end of the file: it asks for the size,
 * leaves the seek there to a thread of its own, and drops data until then. If the rest of
 * a small file arrives before that thread runs, oggdemux takes its end for the end of the
 * search. The duration then stays unknown, and every seek is refused. Earmark drops that
 * first end of stream, as oggdemux drops the data before it.
 *
 * Also, oggdemux takes the first page of the last buffer for the last page (GStreamer
 * 1.26, gst_ogg_pad_handle_push_mode_state()). It ignores the pages after it, which stay
 * in its stream and are played after it has returned to the start: a clip of ten seconds
 * whose second half came in one buffer began at 5.7 s. Earmark passes on the last page of
 * each buffer separately. */
typedef enum
{
  LOOK_AHEAD,   /* not started */
  LOOK_AWAITED, /* the other thread has yet to seek */
  LOOK_BEGUN,   /* oggdemux reads data only for its times */
  LOOK_DONE,
} Look;

typedef struct
{
  int look; /* atomic: flushes and queries come from several threads */
  gboolean splitting; /* streaming thread only */
} Guard;

static GstPadProbeReturn
query_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Guard *guard = user_data;
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  GstFormat format;
  gint64 length;

  /* Look at the query when it returns with its answer. */
  if (!(info->type & GST_PAD_PROBE_TYPE_PULL) || GST_QUERY_TYPE (query) != GST_QUERY_DURATION)
    return GST_PAD_PROBE_OK;

  gst_query_parse_duration (query, &format, &length);
  if (format == GST_FORMAT_BYTES && length > 0)
    g_atomic_int_compare_and_exchange (&guard->look, LOOK_AHEAD, LOOK_AWAITED);
  else if (format == GST_FORMAT_TIME && length >= 0)
    g_atomic_int_set (&guard->look, LOOK_DONE);

  return GST_PAD_PROBE_OK;
}

static void
linked_cb (GstPad *pad, GstPad *peer, gpointer user_data)
{
  gst_pad_add_probe (peer, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, query_probe_cb, g_atomic_rc_box_acquire (user_data),
                     g_atomic_rc_box_release);
}

/* There is no search if the source cannot seek. */
static gboolean
is_seekable (GstPad *pad)
{
  g_autoptr (GstQuery) query = gst_query_new_seeking (GST_FORMAT_BYTES);
  gboolean seekable = FALSE;

  if (gst_pad_peer_query (pad, query))
    gst_query_parse_seeking (query, NULL, &seekable, NULL, NULL);

  return seekable;
}

static GstPadProbeReturn
event_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Guard *guard = user_data;

  switch ((guint) GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)))
    {
    case GST_EVENT_FLUSH_STOP:
      if (!g_atomic_int_compare_and_exchange (&guard->look, LOOK_AWAITED, LOOK_BEGUN))
        g_atomic_int_compare_and_exchange (&guard->look, LOOK_BEGUN, LOOK_DONE);
      break;
    case GST_EVENT_EOS:
      if (g_atomic_int_get (&guard->look) == LOOK_AWAITED && is_seekable (pad))
        {
          g_debug ("the end of Ogg comes before the look at it");
          return GST_PAD_PROBE_DROP;
        }
      break;
    default:
      break;
    }

  return GST_PAD_PROBE_OK;
}

/* Returns: the offset of the last page that begins in @buffer; 0 if there is none
 * after the start */
static gsize
find_last_page (GstBuffer *buffer)
{
  static const char capture[] = { 'O', 'g', 'g', 'S' };
  GstMapInfo map;
  gsize last = 0;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return 0;
  for (gsize i = map.size; i > sizeof capture && last == 0; i--)
    if (memcmp (map.data + i - sizeof capture, capture, sizeof capture) == 0)
      last = i - sizeof capture;
  gst_buffer_unmap (buffer, &map);

  return last;
}

static GstPadProbeReturn
buffer_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Guard *guard = user_data;
  g_autoptr (GstBuffer) whole = NULL;
  GstFlowReturn flow;
  gsize last;

  if (guard->splitting || g_atomic_int_get (&guard->look) != LOOK_BEGUN)
    return GST_PAD_PROBE_OK;
  last = find_last_page (GST_PAD_PROBE_INFO_BUFFER (info));
  if (last == 0)
    return GST_PAD_PROBE_OK;

  whole = GST_PAD_PROBE_INFO_BUFFER (info);
  info->data = NULL;
  guard->splitting = TRUE;
  flow = gst_pad_chain (pad, gst_buffer_copy_region (whole, GST_BUFFER_COPY_ALL, 0, last));
  guard->splitting = FALSE;
  if (flow != GST_FLOW_OK)
    {
      GST_PAD_PROBE_INFO_FLOW_RETURN (info) = flow;
      return GST_PAD_PROBE_HANDLED;
    }
  info->data = gst_buffer_copy_region (whole, GST_BUFFER_COPY_ALL, last, (gsize) -1);

  return GST_PAD_PROBE_OK;
}

static void
release (gpointer guard, GClosure *closure)
{
  g_atomic_rc_box_release (guard);
}

/* Makes oggdemux learn the right duration over HTTP and start at the beginning, however
 * fast data arrives. */
void
ear_ogg_keep_end (GstElement *demuxer)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (demuxer, "sink");
  Guard *guard = g_atomic_rc_box_new0 (Guard);

  g_signal_connect_data (pad, "linked", G_CALLBACK (linked_cb), g_atomic_rc_box_acquire (guard), release, 0);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_PUSH, buffer_probe_cb,
                     g_atomic_rc_box_acquire (guard), g_atomic_rc_box_release);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH, event_probe_cb,
                     guard, g_atomic_rc_box_release);
}
