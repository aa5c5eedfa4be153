/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-teardown.h"

#include "ear-playbin.h"

/* GStreamer (1.26) and libsoup (3.6) crash when a pipeline is taken down while its
 * threads still build it: a request that is canceled at the moment of its response closes
 * a stream whose connection is gone (soup_message_io_skip()), queues join the thread they
 * run on, and pads are removed from elements before they were added. One of forty quick
 * changes between episodes crashed on a busy machine. So a pipeline that is opening or
 * seeking first comes to rest, on a thread of its own. */

/* Microseconds that ear_teardown_finish() lets playbins come to rest. */
#define LAST_PATIENCE (G_USEC_PER_SEC / 2)

#define STEP (5 * GST_MSECOND)

/* A key held down in a list leaves no more pipelines than this. */
#define MANY 12

typedef struct
{
  GstElement *playbin;
  EarTempo *tempo;
  guint beginnings;
  guint number;
  gint64 until;
} Teardown;

/* Under the lock */
static GMutex lock;
static GCond changed;
static guint begun;
static guint under_way;
static gint64 last_moment = G_MAXINT64;

static gboolean
may_wait (Teardown *self)
{
  G_MUTEX_AUTO_LOCK (&lock, locker);

  return begun - self->number < MANY && g_get_monotonic_time () < MIN (self->until, last_moment);
}

static gboolean
is_at_rest (Teardown *self)
{
  return ear_tempo_get_beginnings (self->tempo) != self->beginnings &&
         gst_element_get_state (self->playbin, NULL, NULL, 0) != GST_STATE_CHANGE_ASYNC;
}

static void
come_to_rest (Teardown *self, GstBus *bus)
{
  g_autoptr (GstMessage) message = NULL;

  while (message == NULL && !is_at_rest (self) && may_wait (self))
    message = gst_bus_timed_pop_filtered (bus, STEP, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
}

static gpointer
teardown_thread (gpointer data)
{
  Teardown *self = data;
  g_autoptr (GstBus) bus = gst_element_get_bus (self->playbin);

  come_to_rest (self, bus);
  ear_playbin_end (self->playbin);
  g_object_unref (self->tempo);
  g_free (self);

  g_mutex_lock (&lock);
  under_way--;
  g_cond_broadcast (&changed);
  g_mutex_unlock (&lock);

  return NULL;
}

/* Ends a playbin once it is at rest, has failed, or @patience is over.
 * @playbin: (transfer full): a silent playbin that opens or seeks; its bus has no watch
 * @tempo: (transfer full): its filter
 * @beginnings: ear_tempo_get_beginnings() before the seek
 * @patience: how long to wait, also for a silent server: microseconds */
void
ear_teardown_begin (GstElement *playbin, EarTempo *tempo, guint beginnings, gint64 patience)
{
  Teardown *self = g_new0 (Teardown, 1);

  self->playbin = playbin;
  self->tempo = tempo;
  self->beginnings = beginnings;
  self->until = g_get_monotonic_time () + patience;
  g_mutex_lock (&lock);
  self->number = ++begun;
  under_way++;
  g_mutex_unlock (&lock);

  g_thread_unref (g_thread_new ("teardown", teardown_thread, self));
}

/* Waits until all playbins have ended, and gives them little time for it. */
void
ear_teardown_finish (void)
{
  g_mutex_lock (&lock);
  last_moment = g_get_monotonic_time () + LAST_PATIENCE;
  while (under_way > 0)
    g_cond_wait (&changed, &lock);
  last_moment = G_MAXINT64;
  g_mutex_unlock (&lock);
}
