/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-backup.h"
#include "ear-catalogue.h"
#include "ear-history.h"
#include "ear-notices.h"
#include "ear-player.h"
#include "ear-refresher.h"
#include "ear-services.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

#define EAR_TYPE_BACKUPS (ear_backups_get_type ())
G_DECLARE_FINAL_TYPE (EarBackups, ear_backups, EAR, BACKUPS, GObject)

EarBackups *ear_backups_new (const EarServices *services);
void ear_backups_start (EarBackups *self, guint pause);
void ear_backups_stop (EarBackups *self);
void ear_backups_list_async (EarBackups *self, GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *ear_backups_list_finish (GAsyncResult *result, GError **error);
void ear_backups_save_async (EarBackups *self, GFile *target, GAsyncReadyCallback callback,
                             gpointer user_data);
void ear_backups_restore_async (EarBackups *self, GFile *file, GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean ear_backups_finish (EarBackups *self, GAsyncResult *result, GError **error);

G_END_DECLS
