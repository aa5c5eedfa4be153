/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-listening.h"
#include "ear-records.h"

G_BEGIN_DECLS

#define EAR_STATISTICS_DAYS 30
#define EAR_STATISTICS_MONTHS 12

/* Time listened to a podcast */
typedef struct
{
  char *hash;    /* hash of its first URL */
  char *address; /* (nullable): its first URL */
  char *title;   /* (nullable): its latest title */
  EarListened listened;

  char *id; /* id of the record that has the title */
} EarListenedPodcast;

/* Sums of the time listened. Immutable. */
typedef struct
{
  GDate today;
  EarListened total;
  EarListened days[EAR_STATISTICS_DAYS];     /* the last one is today */
  EarListened months[EAR_STATISTICS_MONTHS]; /* the last one is this month */
  /* (element-type EarListenedPodcast): most heard first */
  GPtrArray *podcasts;
  guint days_in_a_row;                       /* up to today, or yesterday if none yet */
  guint most_in_a_row;

  GHashTable *all; /* EarListened by Julian day */
} EarStatistics;

EarStatistics *ear_statistics_new (EarRecords *records, GDateTime *now);
void ear_statistics_free (EarStatistics *self);
gboolean ear_statistics_is_empty (EarStatistics *self);
GVariant *ear_statistics_to_variant (EarStatistics *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStatistics, ear_statistics_free)

G_END_DECLS
