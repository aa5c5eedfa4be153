/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Enclose a text whose direction may differ from the text around it. */
#define EAR_FIRST_STRONG_ISOLATE "\u2068"
#define EAR_POP_ISOLATE "\u2069"

char *ear_format_date (gint64 published, gint64 now);
char *ear_format_day (int day, gint64 now);
char *ear_format_date_long (gint64 published);
char *ear_format_moment (gint64 then);
char *ear_format_duration (gint64 duration);
char *ear_format_duration_spoken (gint64 duration);
char *ear_format_clock (gint64 time);
char *ear_format_clock_spoken (gint64 time);
char *ear_format_time_left (gint64 duration, gint64 position);
char *ear_format_size (gint64 bytes);
char *ear_format_episodes (guint n_episodes);
char *ear_format_ago (gint64 then, gint64 now);
char *ear_format_synced (gint64 then, gint64 now);
char *ear_format_interval (int minutes);
char *ear_format_rate (double rate);
char *ear_format_percent (int percent);
char *ear_format_short (const char *text, glong n_letters);
char *ear_format_number (int season, const char *number);
GtkTextDirection ear_format_find_direction (const char *text);
char *ear_format_join_parts (const char *const *parts, gsize n_parts);
char *ear_format_speak_parts (const char *const *parts, gsize n_parts);

#define EAR_FORMAT_PARTS(...) \
  (const char *const[]) { __VA_ARGS__ }, \
      sizeof ((const char *const[]) { __VA_ARGS__ }) / sizeof (const char *)

/* Join texts, as ear_format_join_parts() and ear_format_speak_parts() do. */
#define ear_format_join(...) ear_format_join_parts (EAR_FORMAT_PARTS (__VA_ARGS__))
#define ear_format_speak(...) ear_format_speak_parts (EAR_FORMAT_PARTS (__VA_ARGS__))

G_END_DECLS
