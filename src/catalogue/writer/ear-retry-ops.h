/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-op.h"

G_BEGIN_DECLS

gboolean ear_retry_ops_concern (GPtrArray            *retries,
                               const EarCatalogueOp *op);
void     ear_retry_ops_add     (GPtrArray            *retries,
                               EarCatalogueOp       *op);

G_END_DECLS
