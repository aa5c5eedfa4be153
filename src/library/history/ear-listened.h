/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

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
char *ear_listened_dup_id (const GDate *day, const char *podcast, const char *machine);
char *ear_listened_dup_former_id (const char *machine);
char *ear_listened_dup_podcast (const char *id);
void ear_listened_foreach (const char *id, GVariant *value, EarListenedFunc func,
                           gpointer user_data);
GVariant *ear_listened_add_day (GVariant *value, const char *address, const char *title, guint day,
                                const EarListened *listened);
GVariant *ear_listened_new_former (gint64 by_trimming);

G_END_DECLS
