/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-json-folder.h"
#include "ear-userdata-shape.h"

G_BEGIN_DECLS

typedef struct _EarUserdataFile EarUserdataFile;

/* Learns from a file, and adds what the file lacks; returns %TRUE if that
 * changed the file. */
typedef gboolean (*EarReconcile) (JsonObject *root, gpointer user_data);

EarUserdataFile *ear_userdata_file_new (EarJsonFolder *folder, const char *name, const char *kind);
void ear_userdata_file_free (EarUserdataFile *self);
gboolean ear_userdata_file_is_changed (EarUserdataFile *self);
JsonObject *ear_userdata_file_read (EarUserdataFile *self, GError **error);
JsonObject *ear_userdata_file_peek (EarUserdataFile *self);
gboolean ear_userdata_file_refresh (EarUserdataFile *self, EarReconcile learn, gpointer user_data,
                                    GError **error);
gboolean ear_userdata_file_update (EarUserdataFile *self, EarReconcile reconcile,
                                   gpointer user_data, GError **error);
gboolean ear_userdata_file_absorb (EarUserdataFile *self, const char *copy, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarUserdataFile, ear_userdata_file_free)

G_END_DECLS
