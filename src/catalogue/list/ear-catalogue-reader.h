/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"

G_BEGIN_DECLS

/**
 * EarReadFunc:
 * @database: a read-only connection
 * @data: the task's data
 * @error: return location
 *
 * Runs a query on a reader's thread; not called for a cancelled query.
 *
 * Returns: (transfer full) (nullable): the result
 */
typedef gpointer (*EarReadFunc) (EarDatabase *database,
                                 gpointer     data,
                                 GError     **error);

typedef struct _EarCatalogueReader EarCatalogueReader;

EarCatalogueReader *ear_catalogue_reader_new        (EarDatabase        *database,
                                                     GMainContext       *context);
void                ear_catalogue_reader_ask        (EarCatalogueReader *self,
                                                     GTask              *task,
                                                     EarReadFunc         func,
                                                     GDestroyNotify      answer_free);
void                ear_catalogue_reader_supersede  (EarCatalogueReader *self,
                                                     GCancellable       *cancellable,
                                                     EarReadFunc         func);
void                ear_catalogue_reader_save_memory (EarCatalogueReader *self);
gboolean            ear_catalogue_reader_close      (EarCatalogueReader *self);
void                ear_catalogue_reader_free       (EarCatalogueReader *self);

G_END_DECLS
