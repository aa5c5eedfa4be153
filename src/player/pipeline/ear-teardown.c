/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-teardown.h"

#include "ear-playbin.h"

/*
 * To take a pipeline down while its threads are still putting it together is what GStreamer (1.26)
 * and libsoup (3.6) do not survive: a request that is cancelled in the moment in which its answer
 * comes has its stream closed after its connection has gone (soup_message_io_skip()), queues
 * join the thread that they are on, and pads are taken from elements that they are not on yet. One
 * of forty quick changes from episode to episode crashed on a busy machine. So a pipeline that is
 * being opened, or on its way to another place, comes to rest first, on a thread of its own.
 */

/* How long whoever wants to have nothing left waits for all of them: microseconds. */
#define LAST_PATIENCE (G_USEC_PER_SEC / 2)

#define STEP (5 * GST_MSECOND)

/* Who goes through a list by a key that is held down leaves no more behind than that. */
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

/* Takes it down when it is at rest, or has failed, or that time is over.
 * @playbin: (transfer full): a playbin that is silent, and not at rest; nobody listens to its bus
 * @tempo: (transfer full): what it plays through
 * @patience: how long it may take to come to rest, also where a server says nothing: microseconds */
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

/* Waits until nothing is left of any of them, and lets none take longer than a moment. */
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
