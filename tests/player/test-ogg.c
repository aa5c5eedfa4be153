/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether Ogg's demuxer learns the duration if all of a small file arrives before it
 * looks at the end, as over a fast connection to a busy machine. */

#include "ear-ogg.h"

#include <gst/gst.h>

#define PATIENCE (20 * G_USEC_PER_SEC)

typedef struct
{
  GstElement *demuxer;
  GstElement *sink;
  GstPad *pad; /* source pad of the connection */
  char *data;
  gsize length;

  GMutex lock;
  GCond changed;
  gboolean held;  /* seeks are blocked */
  GstEvent *seek; /* last seek received */
} Fixture;

static gboolean
query_cb (GstPad *pad, GstObject *parent, GstQuery *query)
{
  Fixture *fixture = gst_pad_get_element_private (pad);
  GstFormat format;

  if (GST_QUERY_TYPE (query) == GST_QUERY_DURATION)
    {
      gst_query_parse_duration (query, &format, NULL);
      if (format != GST_FORMAT_BYTES)
        return FALSE;
      gst_query_set_duration (query, format, (gint64) fixture->length);
      return TRUE;
    }
  if (GST_QUERY_TYPE (query) == GST_QUERY_SEEKING)
    {
      gst_query_parse_seeking (query, &format, NULL, NULL, NULL);
      gst_query_set_seeking (query, format, format == GST_FORMAT_BYTES, 0, (gint64) fixture->length);
      return TRUE;
    }

  return FALSE;
}

/* Runs in the demuxer's thread. */
static gboolean
event_cb (GstPad *pad, GstObject *parent, GstEvent *event)
{
  Fixture *fixture = gst_pad_get_element_private (pad);

  if (GST_EVENT_TYPE (event) == GST_EVENT_SEEK)
    {
      g_mutex_lock (&fixture->lock);
      while (fixture->held)
        g_cond_wait (&fixture->changed, &fixture->lock);
      gst_event_replace (&fixture->seek, event);
      g_cond_broadcast (&fixture->changed);
      g_mutex_unlock (&fixture->lock);
    }
  gst_event_unref (event);

  return TRUE;
}

static void
pad_added_cb (GstElement *demuxer, GstPad *pad, gpointer user_data)
{
  Fixture *fixture = user_data;
  g_autoptr (GstPad) door = gst_element_get_static_pad (fixture->sink, "sink");

  g_assert_cmpint (gst_pad_link (pad, door), ==, GST_PAD_LINK_OK);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), "minute.opus", NULL);
  g_autoptr (GstPad) door = NULL;

  g_mutex_init (&fixture->lock);
  g_cond_init (&fixture->changed);
  fixture->held = TRUE;
  g_assert_true (g_file_get_contents (path, &fixture->data, &fixture->length, NULL));

  fixture->demuxer = gst_object_ref_sink (gst_element_factory_make ("oggdemux", NULL));
  fixture->sink = gst_object_ref_sink (gst_element_factory_make ("fakesink", NULL));
  g_object_set (fixture->sink, "async", FALSE, "sync", FALSE, NULL);
  g_signal_connect (fixture->demuxer, "pad-added", G_CALLBACK (pad_added_cb), fixture);
  ear_ogg_keep_end (fixture->demuxer);

  fixture->pad = gst_object_ref_sink (gst_pad_new ("src", GST_PAD_SRC));
  gst_pad_set_element_private (fixture->pad, fixture);
  gst_pad_set_query_function (fixture->pad, query_cb);
  gst_pad_set_event_function (fixture->pad, event_cb);
  door = gst_element_get_static_pad (fixture->demuxer, "sink");
  g_assert_cmpint (gst_pad_link (fixture->pad, door), ==, GST_PAD_LINK_OK);

  gst_pad_set_active (fixture->pad, TRUE);
  gst_element_set_state (fixture->sink, GST_STATE_PLAYING);
  gst_element_set_state (fixture->demuxer, GST_STATE_PLAYING);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gst_element_set_state (fixture->demuxer, GST_STATE_NULL);
  gst_element_set_state (fixture->sink, GST_STATE_NULL);
  gst_pad_set_active (fixture->pad, FALSE);
  gst_event_replace (&fixture->seek, NULL);
  g_clear_object (&fixture->demuxer);
  g_clear_object (&fixture->sink);
  g_clear_object (&fixture->pad);
  g_free (fixture->data);
  g_mutex_clear (&fixture->lock);
  g_cond_clear (&fixture->changed);
}

/* Sends a range of bytes and an end, in answer to the seek with this number. */
static void
send_from (Fixture *fixture, gint64 first, gint64 last, guint32 seqnum)
{
  GstSegment segment;
  GstEvent *event;
  GstFlowReturn flow = GST_FLOW_OK;

  gst_segment_init (&segment, GST_FORMAT_BYTES);
  segment.start = segment.time = segment.position = (guint64) first;
  event = gst_event_new_segment (&segment);
  gst_event_set_seqnum (event, seqnum);
  gst_pad_push_event (fixture->pad, event);

  for (gint64 at = first; at < last && flow == GST_FLOW_OK; at += 4096)
    {
      gsize size = (gsize) MIN (4096, last - at);
      GstBuffer *buffer = gst_buffer_new_memdup (fixture->data + at, size);

      GST_BUFFER_OFFSET (buffer) = (guint64) at;
      flow = gst_pad_push (fixture->pad, buffer);
    }
  event = gst_event_new_eos ();
  gst_event_set_seqnum (event, seqnum);
  gst_pad_push_event (fixture->pad, event);
}

/* Answers one seek as a server does. */
static void
answer_seek (Fixture *fixture)
{
  g_autoptr (GstEvent) seek = NULL;
  gint64 deadline = g_get_monotonic_time () + PATIENCE;
  gint64 first, last;
  guint32 seqnum;
  GstEvent *event;

  g_mutex_lock (&fixture->lock);
  fixture->held = FALSE;
  g_cond_broadcast (&fixture->changed);
  while (fixture->seek == NULL)
    g_assert_true (g_cond_wait_until (&fixture->changed, &fixture->lock, deadline));
  seek = g_steal_pointer (&fixture->seek);
  g_mutex_unlock (&fixture->lock);

  seqnum = gst_event_get_seqnum (seek);
  gst_event_parse_seek (seek, NULL, NULL, NULL, NULL, &first, NULL, &last);
  if (last < 0)
    last = (gint64) fixture->length;

  event = gst_event_new_flush_start ();
  gst_event_set_seqnum (event, seqnum);
  gst_pad_push_event (fixture->pad, event);
  event = gst_event_new_flush_stop (TRUE);
  gst_event_set_seqnum (event, seqnum);
  gst_pad_push_event (fixture->pad, event);
  send_from (fixture, first, last, seqnum);
}

static void
test_late_look (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GstPad) door = gst_element_get_static_pad (fixture->sink, "sink");
  gint64 duration = -1;

  gst_pad_push_event (fixture->pad, gst_event_new_stream_start ("test"));
  send_from (fixture, 0, (gint64) fixture->length, gst_util_seqnum_next ());
  /* The seeks to the end and back. */
  answer_seek (fixture);
  g_assert_false (GST_PAD_IS_EOS (door));
  answer_seek (fixture);
  /* The end of the played data passes. */
  g_assert_true (GST_PAD_IS_EOS (door));

  g_assert_true (gst_element_query_duration (fixture->sink, GST_FORMAT_TIME, &duration));
  g_assert_cmpfloat_with_epsilon ((double) duration / GST_SECOND, 60, 0.3);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add ("/player/ogg/late-look", Fixture, NULL, set_up, test_late_look, tear_down);

  return g_test_run ();
}
