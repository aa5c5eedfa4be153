/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-ogg.h"

/*
 * Over HTTP, oggdemux learns the duration by a look at the end: it asks how many bytes
 * there are, leaves it to a thread of its own to seek there, and drops what still comes
 * until then. If the rest of a small file comes before that thread has run, the end of it
 * is taken for the end of the look, and the duration stays unknown for good: then it
 * refuses every jump. So that one end is dropped like the sound before it.
 */
typedef enum
{
  LOOK_AHEAD,   /* not begun */
  LOOK_AWAITED, /* its seek is left to the other thread */
  LOOK_DONE,
} Look;

typedef struct
{
  int look; /* atomic: flushes and queries come from several threads */
} Guard;

static GstPadProbeReturn
query_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Guard *guard = user_data;
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  GstFormat format;
  gint64 length;

  /* On its way back, that is answered. */
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

/* Where no seek is possible there is nothing to wait for. */
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
      g_atomic_int_compare_and_exchange (&guard->look, LOOK_AWAITED, LOOK_DONE);
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

static void
release (gpointer guard, GClosure *closure)
{
  g_atomic_rc_box_release (guard);
}

/* Sees to it that it learns the duration over HTTP, however fast the sound comes. */
void
ear_ogg_keep_end (GstElement *demuxer)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (demuxer, "sink");
  Guard *guard = g_atomic_rc_box_new0 (Guard);

  g_signal_connect_data (pad, "linked", G_CALLBACK (linked_cb), g_atomic_rc_box_acquire (guard), release, 0);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH, event_probe_cb,
                     guard, g_atomic_rc_box_release);
}
