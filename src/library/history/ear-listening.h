/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player.h"
#include "ear-podcast.h"
#include "ear-records.h"
#include "ear-services.h"
#include "ear-settings.h"

G_BEGIN_DECLS

/* Time listened and time saved, in microseconds */
typedef struct
{
  gint64 time;
  gint64 by_speed;    /* time saved by a speed above normal */
  gint64 by_trimming; /* duration of trimmed silence, at the speed in use */
} EarListened;

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
  GPtrArray *podcasts; /* (element-type EarListenedPodcast): most heard first */
  guint days_in_a_row; /* up to today, or yesterday if none yet */
  guint most_in_a_row;

  GTree *all;          /* EarListened by Julian day */
  GHashTable *by_hash; /* (element-type utf8 EarListenedPodcast) */
} EarStatistics;

void ear_statistics_free (EarStatistics *self);
gboolean ear_statistics_is_empty (EarStatistics *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStatistics, ear_statistics_free)

#define EAR_TYPE_LISTENING (ear_listening_get_type ())
G_DECLARE_FINAL_TYPE (EarListening, ear_listening, EAR, LISTENING, GObject)

/* Counts the time listened. Properties, read-only:
 *   by-trimming  gint64    microseconds saved by trimming silence, in total
 *   of-episode   gint64    those in the current episode, since it was opened
 * Signals:
 *   changed ()  the statistics changed */
EarListening *ear_listening_new (const EarServices *services);
EarRecords *ear_listening_get_records (EarListening *self);
void ear_listening_add (EarListening *self, EarPodcast *podcast, GDateTime *until,
                        const EarListened *heard);
void ear_listening_keep (EarListening *self);
EarStatistics *ear_listening_create_statistics (EarListening *self, GDateTime *now);
GBytes *ear_listening_export (EarListening *self, GDateTime *now);

G_END_DECLS
