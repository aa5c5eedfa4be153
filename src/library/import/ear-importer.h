/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notices.h"
#include "ear-services.h"
#include "ear-subscriptions.h"

G_BEGIN_DECLS

/* Follows many podcasts. Main thread only. Properties, all notify:
 *   total     uint        number of podcasts
 *   done      uint        number of podcasts fetched, failed or followed before
 *   n-failed  uint        number of podcasts that could not be fetched until now
 *   finished  boolean     nothing is left to do
 *   dismissed boolean     the listener has seen the result
 * Signals:
 *   taken-up (EarPodcast *podcast, char *address)  a podcast of the list is followed, now or
 *     before; its URL in the list
 *   finished ()  all podcasts are fetched or have failed, or the import was stopped */
#define EAR_TYPE_IMPORT (ear_import_get_type ())
G_DECLARE_FINAL_TYPE (EarImport, ear_import, EAR, IMPORT, GObject)

void ear_import_stop (EarImport *self);
guint ear_import_get_total (EarImport *self);
guint ear_import_get_done (EarImport *self);
guint ear_import_get_n_repeated (EarImport *self);
GListModel *ear_import_get_failures (EarImport *self);
gboolean ear_import_get_finished (EarImport *self);
void ear_import_dismiss (EarImport *self);
GPtrArray *ear_import_get_added (EarImport *self);

/* Property: import, EarImport, the current or last one; NULL before the first */
#define EAR_TYPE_IMPORTER (ear_importer_get_type ())
G_DECLARE_FINAL_TYPE (EarImporter, ear_importer, EAR, IMPORTER, GObject)

EarImporter *ear_importer_new (const EarServices *services);
EarImport *ear_importer_add (EarImporter *self, GPtrArray *outlines);
void ear_importer_read_async (EarImporter *self, GFile *file, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
int ear_importer_read_finish (EarImporter *self, GAsyncResult *result, GError **error);
EarImport *ear_importer_get_import (EarImporter *self);
void ear_importer_unfollow_failed (EarImporter *self, EarImport *import);

G_END_DECLS
