/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-id-sequence.h"

G_BEGIN_DECLS

typedef struct _EarIdGrowth EarIdGrowth;

EarIdGrowth *ear_id_growth_new            (EarIdSequence *ids,
                                           GMainContext  *context);
void         ear_id_growth_free           (EarIdGrowth   *self);
GArray      *ear_id_growth_start          (EarIdGrowth   *self,
                                           GArray        *all,
                                           guint          n_first);
void         ear_id_growth_stop           (EarIdGrowth   *self);
guint        ear_id_growth_count_at_once  (EarIdGrowth   *self,
                                           GArray        *all,
                                           guint          n_shown);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarIdGrowth, ear_id_growth_free)

G_END_DECLS
