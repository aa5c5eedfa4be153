/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-multiqueue.h"

/* Serialized queries (allocation, drain) wait in a multiqueue until downstream answers.
 * While the multiqueue is filling, nothing downstream answers, because playback waits
 * until it is full. So multiqueue refuses the queries then, with one exception (GStreamer
 * 1.26 and 1.29, gst_multi_queue_sink_query()): when it is empty it accepts them,
 * although the data that it passed on last may still wait for the next queue, which is
 * full. The thread that reads from the network then waits for an answer, the answer for
 * playback, and playback for the network: slow connections stopped forever after the
 * first second, in one of fifty starts on a busy machine. The source sends such a query
 * when something is linked behind it, and copes without an answer, as usual. */
static GstPadProbeReturn
query_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_autoptr (GstElement) multiqueue = gst_pad_get_parent_element (pad);
  gboolean buffering = FALSE;

  if (multiqueue == NULL || !GST_QUERY_IS_SERIALIZED (GST_PAD_PROBE_INFO_QUERY (info)))
    return GST_PAD_PROBE_OK;

  /* A multiqueue without buffering only keeps streams in step, and playback never
   * waits for it. */
  g_object_get (multiqueue, "use-buffering", &buffering, NULL);

  return buffering ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static void
pad_added_cb (GstElement *multiqueue, GstPad *pad, gpointer user_data)
{
  if (GST_PAD_IS_SINK (pad))
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, query_probe_cb, NULL, NULL);
}

/* Refuses serialized queries, which would keep the multiqueue from filling. */
void
ear_multiqueue_keep_filling (GstElement *multiqueue)
{
  g_signal_connect (multiqueue, "pad-added", G_CALLBACK (pad_added_cb), NULL);
}
