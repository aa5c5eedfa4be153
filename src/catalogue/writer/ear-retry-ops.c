/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-retry-ops.h"

/*
 * Without its row, nothing that comes of a podcast could be stored until the next start: what adds it
 * is tried again. What is done to the row meanwhile would find none, and comes after it.
 */

/**
 * ear_retry_ops_concern:
 * @retries: (element-type EarCatalogueOp): what is to be tried again
 */
gboolean
ear_retry_ops_concern (GPtrArray *retries, const EarCatalogueOp *op)
{
  if (!(op->flags & EAR_OP_NEEDS_PODCAST))
    return FALSE;
  for (guint i = 0; i < retries->len; i++)
    if (((EarCatalogueOp *) g_ptr_array_index (retries, i))->podcast == op->podcast)
      return TRUE;

  return FALSE;
}

/**
 * ear_retry_ops_add:
 * @retries: (element-type EarCatalogueOp): what is to be tried again
 * @op: one that adds a podcast and failed, or one that concerns its row
 *
 * Keeps what it says, in place of what one of its kind has said before. Of a podcast that is to
 * be purged nothing is kept: its row need not come any more.
 */
void
ear_retry_ops_add (GPtrArray *retries, EarCatalogueOp *op)
{
  for (guint i = retries->len; i > 0; i--)
    {
      const EarCatalogueOp *earlier = g_ptr_array_index (retries, i - 1);

      if (earlier->podcast == op->podcast && ((op->flags & EAR_OP_REMOVES_PODCAST) || op->kind == earlier->kind))
        g_ptr_array_remove_index (retries, i - 1);
    }
  if (!(op->flags & EAR_OP_REMOVES_PODCAST))
    g_ptr_array_add (retries, ear_catalogue_op_ref (op));
}
