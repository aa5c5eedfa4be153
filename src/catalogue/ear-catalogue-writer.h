/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-tables.h"
#include "ear-thread.h"

G_BEGIN_DECLS

/* Ops on their way from any thread to the writer thread */
typedef struct _EarOpQueue EarOpQueue;

EarOpQueue *ear_op_queue_new (void);
void ear_op_queue_free (EarOpQueue *self);
EarCatalogueOp *ear_op_queue_push (EarOpQueue *self, EarCatalogueOp *op);
gboolean ear_op_queue_take (EarOpQueue *self, GQueue *taken, gint64 wake_time);
void ear_op_queue_release (EarOpQueue *self, EarCatalogueOp *op);
void ear_op_queue_close (EarOpQueue *self);

typedef struct _EarCatalogueWriter EarCatalogueWriter;

EarCatalogueWriter *ear_catalogue_writer_new (EarCatalogueTables *tables, EarMainQueue *main_queue);
void ear_catalogue_writer_push (EarCatalogueWriter *self, EarCatalogueOp *op);
void ear_catalogue_writer_close (EarCatalogueWriter *self, gboolean damaged);
void ear_catalogue_writer_free (EarCatalogueWriter *self);

G_END_DECLS
