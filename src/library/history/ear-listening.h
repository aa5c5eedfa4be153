/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"
#include "ear-records.h"
#include "ear-settings.h"
#include "ear-statistics.h"

#include <glib.h>

G_BEGIN_DECLS

/* Time listened and time saved, in microseconds */
typedef struct
{
  gint64 time;
  gint64 by_speed;    /* time saved by a speed above normal */
  gint64 by_trimming; /* duration of trimmed silence, at the speed in use */
} EarListened;

/* Receives the values of a Julian day; 0: before days were counted */
typedef void (*EarListenedFunc) (guint32            julian,
                                 const EarListened *listened,
                                 gpointer           user_data);

void ear_listened_add (EarListened *self, const EarListened *other);
char *ear_listened_dup_podcast (const char *id);
void ear_listened_foreach (const char *id, GVariant *value, EarListenedFunc func,
                           gpointer user_data);

#define EAR_TYPE_LISTENING (ear_listening_get_type ())
G_DECLARE_FINAL_TYPE (EarListening, ear_listening, EAR, LISTENING, GObject)

/* Counts the time listened. Properties:
 *   loaded       boolean   read-only; the records are loaded
 *   by-trimming  gint64    read-only; microseconds saved by trimming silence, in total
 * Signals:
 *   changed ()  the statistics changed */
EarListening *ear_listening_new (EarRecords *records, EarSettings *settings);
gboolean ear_listening_is_loaded (EarListening *self);
void ear_listening_add (EarListening *self, EarPodcast *podcast, GDateTime *until,
                        const EarListened *heard);
void ear_listening_keep (EarListening *self);
EarStatistics *ear_listening_create_statistics (EarListening *self, GDateTime *now);
GBytes *ear_listening_export (EarListening *self, GDateTime *now);

G_END_DECLS
