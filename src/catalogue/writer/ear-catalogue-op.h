/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-event.h"

G_BEGIN_DECLS

/**
 * EarCatalogueOpFlags:
 * @EAR_OP_URGENT: a change by the listener: does not wait for further batches
 * @EAR_OP_BATCH: episodes of a feed, which wait for space in the queue
 * @EAR_OP_BEGINS_RESPONSE: more of the podcast's feed will come
 * @EAR_OP_ENDS_RESPONSE: the end of the podcast's feed
 * @EAR_OP_CAN_WAIT: not worth a transaction of its own
 * @EAR_OP_ADDS_PODCAST: inserts the podcast's row, and is repeated until that succeeds
 * @EAR_OP_NEEDS_PODCAST: needs the podcast's row
 * @EAR_OP_REMOVES_PODCAST: makes the insertion of the podcast's row needless
 * @EAR_OP_LEAVES_ROOM: the file needs upkeep afterwards
 * @EAR_OP_RENEWS_TEXTS: the full text index is rebuilt afterwards
 * @EAR_OP_FLUSH: only reports that all earlier ops are done
 *
 * How the writer and its queue treat an op.
 */
typedef enum
{
  EAR_OP_URGENT = 1 << 0,
  EAR_OP_BATCH = 1 << 1,
  EAR_OP_BEGINS_RESPONSE = 1 << 2,
  EAR_OP_ENDS_RESPONSE = 1 << 3,
  EAR_OP_CAN_WAIT = 1 << 4,
  EAR_OP_ADDS_PODCAST = 1 << 5,
  EAR_OP_NEEDS_PODCAST = 1 << 6,
  EAR_OP_REMOVES_PODCAST = 1 << 7,
  EAR_OP_LEAVES_ROOM = 1 << 8,
  EAR_OP_RENEWS_TEXTS = 1 << 9,
  EAR_OP_FLUSH = 1 << 10,
} EarCatalogueOpFlags;

typedef struct _EarCatalogueOp EarCatalogueOp;
typedef struct _EarCatalogueTables EarCatalogueTables;

/* A kind of op; its functions run on the writer thread. */
typedef struct
{
  EarCatalogueOpFlags flags;
  GDestroyNotify data_free; /* (nullable) */

  /* Performs the op, within a transaction. */
  gboolean (*perform)   (EarCatalogueTables *tables,
                         EarCatalogueOp     *op,
                         GError            **error);

  /* (nullable): whether it would change anything; called only if there is nothing
   * else to do. */
  gboolean (*is_needed) (EarCatalogueTables *tables,
                         EarCatalogueOp     *op);

  /* (nullable): adds its result to the event: success, or failure with @error. */
  void     (*tell)      (EarCatalogueTables *tables,
                         EarCatalogueOp     *op,
                         EarCatalogueEvent  *event,
                         const GError       *error);
} EarCatalogueOpKind;

/* An operation for the writer thread */
struct _EarCatalogueOp
{
  const EarCatalogueOpKind *kind;
  EarCatalogueOpFlags flags; /* those of its kind, and its own */
  gint64 podcast;            /* or 0 */
  gint64 episode;            /* row id, or 0 */
  gint64 value;              /* meaning depends on the kind */
  gpointer data;
  guint n_episodes;          /* in a batch */
  gsize size;                /* memory of the batch in bytes, approximately */
  gboolean again;            /* set by an op done in part: the rest comes after all waiting ops */
};

EarCatalogueOp *ear_catalogue_op_new   (const EarCatalogueOpKind *kind,
                                        gint64                    podcast,
                                        gpointer                  data);
EarCatalogueOp *ear_catalogue_op_ref   (EarCatalogueOp           *self);
void            ear_catalogue_op_unref (EarCatalogueOp           *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueOp, ear_catalogue_op_unref)

G_END_DECLS
