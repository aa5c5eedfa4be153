/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-op.h"

/* @podcast: row id of the op's podcast, or 0
 * @data: (transfer full): data for the functions of its kind */
EarCatalogueOp *
ear_catalogue_op_new (const EarCatalogueOpKind *kind, gint64 podcast, gpointer data)
{
  EarCatalogueOp *self = g_atomic_rc_box_new0 (EarCatalogueOp);

  self->kind = kind;
  self->flags = kind->flags;
  self->podcast = podcast;
  self->data = data;

  return self;
}

EarCatalogueOp *
ear_catalogue_op_ref (EarCatalogueOp *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
op_clear (gpointer data)
{
  EarCatalogueOp *self = data;

  if (self->kind->data_free != NULL && self->data != NULL)
    self->kind->data_free (self->data);
}

void
ear_catalogue_op_unref (EarCatalogueOp *self)
{
  g_atomic_rc_box_release_full (self, op_clear);
}
