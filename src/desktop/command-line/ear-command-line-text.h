/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Status of a running Earmark. All strings are borrowed, and untrusted. */
typedef struct
{
  const char *state;   /* nick of EarPlayerState, for example "playing" */
  const char *key;     /* (nullable): key of the loaded episode */
  const char *title;   /* (nullable) */
  const char *podcast; /* (nullable) */
  const char *chapter; /* (nullable): title of the current chapter */
  gint64 position;     /* microseconds */
  gint64 duration;     /* microseconds, 0 if unknown */
  gboolean listened;
  gboolean liked;
  gboolean downloaded;
  double speed;
  guint n_podcasts;
  guint n_new;
  guint n_begun;
  guint n_downloads;
  gboolean refreshing;
  gint64 checked;      /* Unix seconds of the last check, 0 for never */
} EarCommandLineReport;

char *ear_command_line_dup_printable   (const char *text);
char *ear_command_line_dup_sentence    (const char *text);
void  ear_command_line_begin_printing  (void);
void  ear_command_line_print_error     (const char *message);
char *ear_command_line_dup_status      (const EarCommandLineReport *report);
char *ear_command_line_dup_status_json (const EarCommandLineReport *report);
void  ear_command_line_append_news     (GString            *text,
                                        guint               nth,
                                        const char         *podcast,
                                        guint               n_episodes,
                                        const char * const *titles);
void  ear_command_line_append_failure  (GString    *text,
                                        guint       nth,
                                        const char *podcast,
                                        const char *reason);
void  ear_command_line_append_rest     (GString *text,
                                        guint    n_failures);
char *ear_command_line_dup_checked     (guint n_checked,
                                        guint n_new);
void  ear_command_line_append_waiting  (GString    *text,
                                        guint       nth,
                                        const char *podcast,
                                        gboolean    gone,
                                        gint64      until);
char *ear_command_line_dup_imported    (guint n_listed,
                                        guint n_added,
                                        guint n_repeated);

G_END_DECLS
