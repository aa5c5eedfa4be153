/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notices.h"
#include "ear-queue.h"
#include "ear-services.h"
#include "ear-subscriptions.h"

G_BEGIN_DECLS

/* A podcast, or some of its episodes, that could not be imported */
typedef struct
{
  char *title;         /* of the podcast */
  const char *reason;  /* (nullable) */
  GPtrArray *episodes; /* (element-type utf8): titles, if only these could not be imported */
} EarImportOmission;

char *ear_import_omission_describe (const EarImportOmission *self);

/* Follows many podcasts. Main thread only. Properties, all notify:
 *   total     uint        number of podcasts
 *   done      uint        number of podcasts fetched, failed or followed before
 *   n-failed  uint        number of podcasts that could not be fetched until now
 *   n-omitted uint        number of omissions
 *   finished  boolean     nothing is left to do
 *   dismissed boolean     the listener has seen the result
 * Signals:
 *   finished ()  all podcasts are fetched or have failed, or the import was stopped */
#define EAR_TYPE_IMPORT (ear_import_get_type ())
G_DECLARE_FINAL_TYPE (EarImport, ear_import, EAR, IMPORT, GObject)

void ear_import_stop (EarImport *self);
guint ear_import_get_total (EarImport *self);
guint ear_import_get_done (EarImport *self);
guint ear_import_get_n_repeated (EarImport *self);
GListModel *ear_import_get_failures (EarImport *self);
GPtrArray *ear_import_get_omissions (EarImport *self);
gboolean ear_import_get_finished (EarImport *self);
void ear_import_dismiss (EarImport *self);
GPtrArray *ear_import_get_added (EarImport *self);

/* Property: import, EarImport, the current or last one; NULL before the first */
#define EAR_TYPE_IMPORTER (ear_importer_get_type ())
G_DECLARE_FINAL_TYPE (EarImporter, ear_importer, EAR, IMPORTER, GObject)

EarImporter *ear_importer_new (const EarServices *services, EarQueue *queue);
EarImport *ear_importer_add (EarImporter *self, GPtrArray *podcasts);
void ear_importer_read_async (EarImporter *self, GFile *file, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
int ear_importer_read_finish (EarImporter *self, GAsyncResult *result, GError **error);
EarImport *ear_importer_get_import (EarImporter *self);
void ear_importer_unfollow_failed (EarImporter *self, EarImport *import);

G_END_DECLS
