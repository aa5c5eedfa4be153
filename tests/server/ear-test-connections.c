/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-connections.h"

/* Open connections of a server. The last reference to a connection over TLS may be
 * dropped by the thread of its handshake. So a socket leaves this set under the lock,
 * before it is freed, and can be used while the lock is held. */
struct _EarTestConnections
{
  GMutex lock;
  GHashTable *sockets; /* borrowed GSocket, to itself */
};

/**
 * ear_test_connections_new:
 *
 * Returns: (transfer full): an empty set
 */
EarTestConnections *
ear_test_connections_new (void)
{
  EarTestConnections *self = g_atomic_rc_box_new0 (EarTestConnections);

  g_mutex_init (&self->lock);
  self->sockets = g_hash_table_new (NULL, NULL);

  return self;
}

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

void
ear_test_connections_unref (EarTestConnections *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/**
 * ear_test_connections_add:
 * @self: connections
 * @socket: a socket; must be removed before it is freed
 *
 * Returns: whether it was not in the set yet
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

void
ear_test_connections_remove (EarTestConnections *self,
                             gconstpointer       socket)
{
  g_mutex_lock (&self->lock);
  g_hash_table_remove (self->sockets, socket);
  g_mutex_unlock (&self->lock);
}

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
 * Shuts down all sockets.
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
