/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-op.h"

G_BEGIN_DECLS

gboolean ear_owed_ops_concern (GPtrArray            *owed,
                               const EarCatalogueOp *op);
void     ear_owed_ops_add     (GPtrArray            *owed,
                               EarCatalogueOp       *op);

G_END_DECLS
