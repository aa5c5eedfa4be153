/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-op.h"

G_BEGIN_DECLS

/* What the op of a check has as its data. */
typedef struct
{
  EarPodcastFacts *facts; /* (nullable) */
  EarFeedCheck *check;
} EarCheckData;

/* Checks of feeds that can be stored later, for use on one thread. */
typedef struct _EarDeferredChecks EarDeferredChecks;

EarDeferredChecks *ear_deferred_checks_new      (void);
void               ear_deferred_checks_free     (EarDeferredChecks *self);
void               ear_deferred_checks_add      (EarDeferredChecks *self,
                                                 EarCatalogueOp    *op);
void               ear_deferred_checks_take     (EarDeferredChecks *self,
                                                 GPtrArray         *ops);
gint64             ear_deferred_checks_get_time (EarDeferredChecks *self);

G_END_DECLS
