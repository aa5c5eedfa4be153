/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-application.h"
#include "ear-window.h"

G_BEGIN_DECLS

struct _EarApplication
{
  AdwApplication parent_instance;

  /* Owned */
  EarLibrary *library;
  EarLibrary *ahead;       /* (nullable): the one that will be opened, already being read */
  GCancellable *finding;   /* (nullable): the episode that was named last from outside */
  GPtrArray *notices;      /* what there was to say while there was no window */
  GPtrArray *wanted_files; /* (element-type GFile): what is to be opened as soon as there is a window again */
  gboolean started;
  gboolean closing;
  gboolean wanted_again;   /* was activated while closing */
  char *watched;           /* (nullable) */
  gboolean in_background;
  gboolean background_refused;
  gboolean told_refusal;
  gboolean told_failure;
  guint begin_source;
  char *late_action;       /* (nullable): was asked for while closing, or updating */
  GVariant *late_parameter;
  gboolean mended;         /* the library was opened again because it was damaged */
  GtkWindow *update_window; /* (nullable): while an earlier version's library is updated */
  guint close_source;
  guint pause_source;
  guint signal_sources[2];
};

/* ear-application.c */
void        ear_application_quit              (EarApplication *self);
void        ear_application_start_soon        (EarApplication *self);
EarLibrary *ear_application_ensure_library    (EarApplication *self);
void        ear_application_update_background (EarApplication *self);
void        ear_application_update_watched    (EarApplication *self);

/* ear-application-window.c */
EarWindow *ear_application_get_window    (EarApplication *self);
EarWindow *ear_application_open_window   (EarApplication *self);
EarWindow *ear_application_ensure_window (EarApplication *self);
void       ear_application_show_notice   (EarApplication *self,
                                          const char     *message,
                                          gboolean        lasting);

/* ear-application-life.c */
gboolean    ear_application_open_library   (EarApplication *self,
                                            EarLibrary     *library);
void        ear_application_update_library (EarApplication *self,
                                            EarLibrary     *library);
void        ear_application_close_library  (EarApplication *self);
void        ear_application_consider_closing (EarApplication *self);
void        ear_application_open_ahead     (EarApplication *self);
EarLibrary *ear_application_make_library   (EarApplication *self);
gboolean    ear_application_is_playing     (EarApplication *self);
gboolean    ear_application_stays          (EarApplication *self);
gboolean    ear_application_put_off        (EarApplication *self,
                                            const char     *action,
                                            GVariant       *parameter);

/* ear-application-actions.c */
void ear_application_add_actions    (EarApplication *self);
void ear_application_follow_library (EarApplication *self);

/* ear-remote-actions.c */
void ear_application_add_remote_actions (EarApplication *self);

/* ear-opml-actions.c */
void ear_application_add_opml_actions (EarApplication *self);

G_END_DECLS
