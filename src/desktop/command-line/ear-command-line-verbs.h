/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-command-line.h"
#include "ear-library.h"

G_BEGIN_DECLS

/**
 * EarErrorTopic:
 * @EAR_ERROR_TOPIC_FEED: a podcast that is followed was fetched
 * @EAR_ERROR_TOPIC_SEARCH: a podcast was looked for
 * @EAR_ERROR_TOPIC_FILE: a file was read
 *
 * What was being done when it failed.
 */
typedef enum
{
  EAR_ERROR_TOPIC_FEED,
  EAR_ERROR_TOPIC_SEARCH,
  EAR_ERROR_TOPIC_FILE,
} EarErrorTopic;

/**
 * EarCommandLineErrorFunc:
 * @error: what went wrong
 * @topic: what was being done
 *
 * Returns: (transfer full): translated sentences for the listener
 */
typedef char *(*EarCommandLineErrorFunc) (const GError *error,
                                          EarErrorTopic topic);

/* Who carries out verbs. */
typedef struct
{
  EarLibrary *library;       /* (nullable): if there is one that is open */
  GApplication *application; /* (nullable): plays what its window shows, and quits */
  GCancellable *cancellable; /* cancelled when the library closes: who asked is to ask again */
  EarCommandLineErrorFunc describe;
  void (*ended) (GApplicationCommandLine *invocation, gpointer user_data); /* (nullable) */
  gpointer user_data;        /* for @ended */
} EarCommandLineHost;

int ear_command_line_answer (GApplicationCommandLine  *invocation,
                             const EarCommandLineHost *host);

G_END_DECLS
