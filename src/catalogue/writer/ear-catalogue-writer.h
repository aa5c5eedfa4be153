/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-tables.h"
#include "ear-main-queue.h"

G_BEGIN_DECLS

typedef struct _EarCatalogueWriter EarCatalogueWriter;

EarCatalogueWriter *ear_catalogue_writer_new   (EarCatalogueTables  *tables,
                                                EarMainQueue        *main_queue);
void                ear_catalogue_writer_push  (EarCatalogueWriter  *self,
                                                EarCatalogueOp      *op);
void                ear_catalogue_writer_close (EarCatalogueWriter  *self,
                                                gboolean             damaged);
void                ear_catalogue_writer_free  (EarCatalogueWriter  *self);

G_END_DECLS
