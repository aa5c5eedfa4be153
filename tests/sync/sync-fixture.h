/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The server for syncing of server.py, which runs as a process of its own */
typedef struct _SyncServer SyncServer;

SyncServer *sync_server_new (void);
const char *sync_server_get_address (SyncServer *self);
char *sync_server_ask (SyncServer *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void sync_server_tell (SyncServer *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
guint sync_server_count (SyncServer *self);
void sync_server_free (SyncServer *self);

G_END_DECLS
