/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-listened.h"
#include "ear-records.h"

G_BEGIN_DECLS

#define EAR_STATISTICS_DAYS 30
#define EAR_STATISTICS_MONTHS 12

/* What was heard of one podcast */
typedef struct
{
  char *hash;    /* of its first address */
  char *address; /* (nullable): that */
  char *title;   /* (nullable): as it was called the last time */
  EarListened listened;

  char *id; /* of the record that says how it is called */
} EarListenedPodcast;

/*
 * What was heard, summed up. Does not change.
 */
typedef struct
{
  GDate today;
  EarListened total;
  EarListened days[EAR_STATISTICS_DAYS];     /* the last one is today */
  EarListened months[EAR_STATISTICS_MONTHS]; /* the last one is this month */
  GPtrArray *podcasts;                       /* (element-type EarListenedPodcast): what was heard most first */
  guint days_in_a_row;                       /* up to today or, as today is not over, yesterday */
  guint most_in_a_row;

  GHashTable *all; /* by the Julian day: EarListened */
} EarStatistics;

EarStatistics *ear_statistics_new        (EarRecords    *records,
                                          GDateTime     *now);
void           ear_statistics_free       (EarStatistics *self);
gboolean       ear_statistics_is_empty   (EarStatistics *self);
GVariant      *ear_statistics_to_variant (EarStatistics *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStatistics, ear_statistics_free)

G_END_DECLS
