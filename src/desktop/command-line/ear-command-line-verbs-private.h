/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by ear-command-line-verbs.c and ear-command-line-exchange.c. */

#include "ear-command-line-verbs.h"

G_BEGIN_DECLS

/* State of an invocation, attached to it */
typedef struct
{
  EarCommandLine *line;
  EarLibrary *library;
  EarCommandLineHost host;
  gboolean ended;

  GPtrArray *podcasts; /* (element-type EarPodcast): podcasts being fetched */
  guint n_running;
  GString *news;
  guint n_with_news;
  guint n_new;
} EarCommand;

EarCommand *ear_command_get             (gpointer invocation);
void        ear_command_end             (GApplicationCommandLine *invocation,
                                         EarCommandStatus         status);
void        ear_command_fail            (GApplicationCommandLine *invocation,
                                         const char              *message);
void        ear_command_fail_with_error (GApplicationCommandLine *invocation,
                                         const GError            *error,
                                         EarErrorTopic            topic);
guint       ear_command_tell_failures   (GApplicationCommandLine *invocation,
                                         GPtrArray               *podcasts);

/* ear-command-line-exchange.c */
void ear_command_import          (GApplicationCommandLine *invocation);
void ear_command_export          (GApplicationCommandLine *invocation);
void ear_command_tell_statistics (GApplicationCommandLine *invocation);
void ear_command_tell_links      (GApplicationCommandLine *invocation);

G_END_DECLS
