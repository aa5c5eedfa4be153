/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-import.h"
#include "ear-notices.h"
#include "ear-services.h"

G_BEGIN_DECLS

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
