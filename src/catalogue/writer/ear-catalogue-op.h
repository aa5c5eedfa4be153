/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-event.h"

G_BEGIN_DECLS

/**
 * EarCatalogueOpFlags:
 * @EAR_OP_URGENT: the listener did it: it does not wait for what more feeds may say
 * @EAR_OP_BATCH: episodes of a feed, which wait for room in the queue
 * @EAR_OP_BEGINS_RESPONSE: more of the podcast's feed is to come
 * @EAR_OP_ENDS_RESPONSE: nothing more of it comes
 * @EAR_OP_CAN_WAIT: alone it is not worth a transaction
 * @EAR_OP_ADDS_PODCAST: makes the podcast's row, and is tried again until that is there
 * @EAR_OP_NEEDS_PODCAST: comes after what makes the row
 * @EAR_OP_REMOVES_PODCAST: the row need not be made any more
 * @EAR_OP_LEAVES_ROOM: the file is to be put in order after it
 * @EAR_OP_RENEWS_TEXTS: the full text index is made anew after it
 * @EAR_OP_FLUSH: there is nothing to do but to tell that all before it is done
 *
 * How the writer and its queue treat what is to be done.
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

/* One kind of op; its functions run on the writer thread. */
typedef struct
{
  EarCatalogueOpFlags flags;
  GDestroyNotify data_free; /* (nullable) */

  /* Does it, within a transaction. */
  gboolean (*perform)   (EarCatalogueTables *tables,
                         EarCatalogueOp     *op,
                         GError            **error);

  /* (nullable): whether it would change anything; asked only where nothing else is to be done. */
  gboolean (*is_needed) (EarCatalogueTables *tables,
                         EarCatalogueOp     *op);

  /* (nullable): adds to the event what came of it: it was stored, or failed with @error. */
  void     (*tell)      (EarCatalogueTables *tables,
                         EarCatalogueOp     *op,
                         EarCatalogueEvent  *event,
                         const GError       *error);
} EarCatalogueOpKind;

/* Something that the writer thread is to do. */
struct _EarCatalogueOp
{
  const EarCatalogueOpKind *kind;
  EarCatalogueOpFlags flags; /* those of its kind, and its own */
  gint64 podcast;            /* or 0 */
  gint64 episode;            /* row id of one, or 0 */
  gint64 value;              /* what its kind says */
  gpointer data;
  guint n_episodes;          /* that a batch has */
  gsize size;                /* bytes of memory that they hold, about */
  gboolean again;            /* set by what performs a part of it: the rest comes after whatever waits */
};

EarCatalogueOp *ear_catalogue_op_new   (const EarCatalogueOpKind *kind,
                                        gint64                    podcast,
                                        gpointer                  data);
EarCatalogueOp *ear_catalogue_op_ref   (EarCatalogueOp           *self);
void            ear_catalogue_op_unref (EarCatalogueOp           *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueOp, ear_catalogue_op_unref)

G_END_DECLS
