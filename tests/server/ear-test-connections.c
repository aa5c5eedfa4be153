/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-connections.h"

/* The connections of a server that are open. The last one to let go of a connection over TLS may
 * be the thread that made the handshake: so a socket leaves this set under its lock, before it is
 * freed, and may be used by whoever has found it there and holds the lock. */
struct _EarTestConnections
{
  GMutex lock;
  GHashTable *sockets; /* borrowed GSocket, to itself */
};

/**
 * ear_test_connections_new:
 *
 * Returns: (transfer full): none
 */
EarTestConnections *
ear_test_connections_new (void)
{
  EarTestConnections *self = g_atomic_rc_box_new0 (EarTestConnections);

  g_mutex_init (&self->lock);
  self->sockets = g_hash_table_new (NULL, NULL);

  return self;
}

/**
 * ear_test_connections_ref:
 * @self: connections
 *
 * Returns: (transfer full): the same
 */
EarTestConnections *
ear_test_connections_ref (EarTestConnections *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  EarTestConnections *self = data;

  g_hash_table_unref (self->sockets);
  g_mutex_clear (&self->lock);
}

/**
 * ear_test_connections_unref:
 * @self: (transfer full): connections
 */
void
ear_test_connections_unref (EarTestConnections *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/**
 * ear_test_connections_add:
 * @self: connections
 * @socket: one that has to be removed before it is freed
 *
 * Returns: whether it was not there yet
 */
gboolean
ear_test_connections_add (EarTestConnections *self,
                          GSocket            *socket)
{
  gboolean added;

  g_mutex_lock (&self->lock);
  added = g_hash_table_add (self->sockets, socket);
  g_mutex_unlock (&self->lock);

  return added;
}

/**
 * ear_test_connections_remove:
 * @self: connections
 * @socket: one of them
 */
void
ear_test_connections_remove (EarTestConnections *self,
                             gconstpointer       socket)
{
  g_mutex_lock (&self->lock);
  g_hash_table_remove (self->sockets, socket);
  g_mutex_unlock (&self->lock);
}

/**
 * ear_test_connections_count:
 * @self: connections
 *
 * Returns: how many are open
 */
guint
ear_test_connections_count (EarTestConnections *self)
{
  guint count;

  g_mutex_lock (&self->lock);
  count = g_hash_table_size (self->sockets);
  g_mutex_unlock (&self->lock);

  return count;
}

/**
 * ear_test_connections_shut:
 * @self: connections
 *
 * Hangs up on everybody.
 */
void
ear_test_connections_shut (EarTestConnections *self)
{
  GHashTableIter iter;
  gpointer socket;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->sockets);
  while (g_hash_table_iter_next (&iter, &socket, NULL))
    g_socket_shutdown (socket, TRUE, TRUE, NULL);
  g_mutex_unlock (&self->lock);
}
