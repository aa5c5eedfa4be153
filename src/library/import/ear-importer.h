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

/* Follows many podcasts. Main thread only. Properties of the current or last import, all
 * notify:
 *   total     uint        number of podcasts
 *   done      uint        number of podcasts fetched, failed or followed before
 *   n-failed  uint        number of podcasts that could not be fetched until now
 *   n-omitted uint        number of omissions
 *   finished  boolean     all podcasts are fetched or have failed, or it was stopped
 *   dismissed boolean     writable: the listener has seen the result, which no window, not even
 *                         a new one, shows any more
 * Signals:
 *   started ()  another import: the failures and omissions are its own */
#define EAR_TYPE_IMPORTER (ear_importer_get_type ())
G_DECLARE_FINAL_TYPE (EarImporter, ear_importer, EAR, IMPORTER, GObject)

EarImporter *ear_importer_new (const EarServices *services);
void ear_importer_add (EarImporter *self, GPtrArray *podcasts);
void ear_importer_read_async (EarImporter *self, GFile *file, GAsyncReadyCallback callback,
                              gpointer user_data);
int ear_importer_read_finish (EarImporter *self, GAsyncResult *result, GError **error);
void ear_importer_stop (EarImporter *self);
guint ear_importer_get_total (EarImporter *self);
guint ear_importer_get_n_repeated (EarImporter *self);
GListModel *ear_importer_get_failures (EarImporter *self);
GPtrArray *ear_importer_get_omissions (EarImporter *self);
gboolean ear_importer_get_finished (EarImporter *self);
GPtrArray *ear_importer_get_added (EarImporter *self);
void ear_importer_unfollow_failed (EarImporter *self);

G_END_DECLS
