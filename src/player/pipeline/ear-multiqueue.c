/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-multiqueue.h"

/*
 * Queries that keep their place among the data (what memory to allocate, whether all is
 * drained) wait in a multiqueue until what comes after it has answered. While it is being
 * filled nothing comes after it: playing waits until it is full. So it refuses them then, but
 * for one case (GStreamer 1.26 and 1.29, gst_multi_queue_sink_query()): where it is empty it
 * takes them, although what it has handed on last may still be waiting at the next queue, which
 * is full. Then the thread that reads from the network waits for an answer, the answer for
 * playing, and playing for the network: slow connections stopped for good after the first
 * second, in one of fifty beginnings on a busy machine. The source asks when something
 * is linked anew behind it, and does well without an answer, as it mostly has to.
 */
static GstPadProbeReturn
query_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_autoptr (GstElement) multiqueue = gst_pad_get_parent_element (pad);
  gboolean buffering = FALSE;

  if (multiqueue == NULL || !GST_QUERY_IS_SERIALIZED (GST_PAD_PROBE_INFO_QUERY (info)))
    return GST_PAD_PROBE_OK;

  /* Others keep streams together only, and are never waited for. */
  g_object_get (multiqueue, "use-buffering", &buffering, NULL);

  return buffering ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static void
pad_added_cb (GstElement *multiqueue, GstPad *pad, gpointer user_data)
{
  if (GST_PAD_IS_SINK (pad))
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, query_probe_cb, NULL, NULL);
}

/* Sees to it that nothing which waits for an answer keeps it from being filled. */
void
ear_multiqueue_keep_filling (GstElement *multiqueue)
{
  g_signal_connect (multiqueue, "pad-added", G_CALLBACK (pad_added_cb), NULL);
}
