/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _EarTestConnections EarTestConnections;

EarTestConnections *ear_test_connections_new    (void);
EarTestConnections *ear_test_connections_ref    (EarTestConnections *self);
void                ear_test_connections_unref  (EarTestConnections *self);
gboolean            ear_test_connections_add    (EarTestConnections *self,
                                                 GSocket            *socket);
void                ear_test_connections_remove (EarTestConnections *self,
                                                 gconstpointer       socket);
guint               ear_test_connections_count  (EarTestConnections *self);
void                ear_test_connections_shut   (EarTestConnections *self);

G_END_DECLS
