/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a multiqueue keeps filling while nothing takes data from it. */

#include "ear-multiqueue.h"

#include <gst/gst.h>

#define PATIENCE (10 * G_USEC_PER_SEC)

typedef struct
{
  GstElement *multiqueue;
  GstPad *in;   /* upstream of the queue */
  GstPad *out;  /* downstream of the queue */

  GMutex lock;
  GCond changed;
  gboolean open;    /* downstream accepts data */
  guint waiting;    /* buffers waiting downstream */
  guint queries;    /* that passed the queue */
  gboolean asked;   /* the query has returned */
  gboolean answer;
} Fixture;

static GstFlowReturn
chain_cb (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  Fixture *fixture = gst_pad_get_element_private (pad);

  g_mutex_lock (&fixture->lock);
  fixture->waiting++;
  g_cond_broadcast (&fixture->changed);
  while (!fixture->open)
    g_cond_wait (&fixture->changed, &fixture->lock);
  g_mutex_unlock (&fixture->lock);
  gst_buffer_unref (buffer);

  return GST_FLOW_OK;
}

static gboolean
query_cb (GstPad *pad, GstObject *parent, GstQuery *query)
{
  Fixture *fixture = gst_pad_get_element_private (pad);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return gst_pad_query_default (pad, parent, query);

  g_mutex_lock (&fixture->lock);
  fixture->queries++;
  g_mutex_unlock (&fixture->lock);

  return TRUE;
}

static void
set_up (Fixture *fixture, gconstpointer buffering)
{
  g_autoptr (GstPad) sink = NULL;
  g_autoptr (GstPad) src = NULL;

  g_mutex_init (&fixture->lock);
  g_cond_init (&fixture->changed);
  fixture->multiqueue = gst_object_ref_sink (gst_element_factory_make ("multiqueue", NULL));
  ear_multiqueue_keep_filling (fixture->multiqueue);
  g_object_set (fixture->multiqueue, "use-buffering", GPOINTER_TO_INT (buffering), NULL);

  sink = gst_element_request_pad_simple (fixture->multiqueue, "sink_0");
  src = gst_element_get_static_pad (fixture->multiqueue, "src_0");
  fixture->in = gst_object_ref_sink (gst_pad_new ("src", GST_PAD_SRC));
  fixture->out = gst_object_ref_sink (gst_pad_new ("sink", GST_PAD_SINK));
  gst_pad_set_element_private (fixture->out, fixture);
  gst_pad_set_chain_function (fixture->out, chain_cb);
  gst_pad_set_query_function (fixture->out, query_cb);
  g_assert_cmpint (gst_pad_link (fixture->in, sink), ==, GST_PAD_LINK_OK);
  g_assert_cmpint (gst_pad_link (src, fixture->out), ==, GST_PAD_LINK_OK);

  gst_pad_set_active (fixture->in, TRUE);
  gst_pad_set_active (fixture->out, TRUE);
  gst_element_set_state (fixture->multiqueue, GST_STATE_PLAYING);
}

static void
let_through (Fixture *fixture)
{
  g_mutex_lock (&fixture->lock);
  fixture->open = TRUE;
  g_cond_broadcast (&fixture->changed);
  g_mutex_unlock (&fixture->lock);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  let_through (fixture);
  gst_element_set_state (fixture->multiqueue, GST_STATE_NULL);
  gst_pad_set_active (fixture->in, FALSE);
  gst_pad_set_active (fixture->out, FALSE);
  g_clear_object (&fixture->multiqueue);
  g_clear_object (&fixture->in);
  g_clear_object (&fixture->out);
  g_mutex_clear (&fixture->lock);
  g_cond_clear (&fixture->changed);
}

static void
push_buffer (Fixture *fixture)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (fixture->in, gst_event_new_stream_start ("test"));
  gst_pad_push_event (fixture->in, gst_event_new_segment (&segment));
  g_assert_cmpint (gst_pad_push (fixture->in, gst_buffer_new_allocate (NULL, 100, NULL)), ==, GST_FLOW_OK);

  /* The buffer waits downstream, so the queue is empty. */
  g_mutex_lock (&fixture->lock);
  while (fixture->waiting == 0)
    g_assert_true (g_cond_wait_until (&fixture->changed, &fixture->lock, g_get_monotonic_time () + PATIENCE));
  g_mutex_unlock (&fixture->lock);
}

/* Queries as a source does, in its thread. */
static gpointer
ask_thread (gpointer user_data)
{
  Fixture *fixture = user_data;
  g_autoptr (GstCaps) caps = gst_caps_new_empty_simple ("audio/mpeg");
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  gboolean answer = gst_pad_peer_query (fixture->in, query);

  g_mutex_lock (&fixture->lock);
  fixture->asked = TRUE;
  fixture->answer = answer;
  g_cond_broadcast (&fixture->changed);
  g_mutex_unlock (&fixture->lock);

  return NULL;
}

static gboolean
wait_for_answer (Fixture *fixture)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE;
  gboolean asked;

  g_mutex_lock (&fixture->lock);
  while (!fixture->asked && g_cond_wait_until (&fixture->changed, &fixture->lock, deadline))
    ;
  asked = fixture->asked;
  g_mutex_unlock (&fixture->lock);

  return asked;
}

/* No data is taken before the queue is full, and it cannot fill before
 * the source continues. */
static void
test_filling (Fixture *fixture, gconstpointer data)
{
  GThread *thread;
  gboolean asked;

  push_buffer (fixture);
  thread = g_thread_new ("source", ask_thread, fixture);
  asked = wait_for_answer (fixture);
  let_through (fixture);
  g_thread_join (thread);

  g_assert_true (asked);
  g_assert_false (fixture->answer);
  g_assert_cmpuint (fixture->queries, ==, 0);
}

/* Queries pass if nothing waits for the queue to fill. */
static void
test_passing (Fixture *fixture, gconstpointer data)
{
  GThread *thread;

  push_buffer (fixture);
  let_through (fixture);
  thread = g_thread_new ("source", ask_thread, fixture);
  g_assert_true (wait_for_answer (fixture));
  g_thread_join (thread);

  g_assert_true (fixture->answer);
  g_assert_cmpuint (fixture->queries, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add ("/player/multiqueue/filling", Fixture, GINT_TO_POINTER (TRUE), set_up, test_filling, tear_down);
  g_test_add ("/player/multiqueue/passing", Fixture, GINT_TO_POINTER (FALSE), set_up, test_passing, tear_down);

  return g_test_run ();
}
