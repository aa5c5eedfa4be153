/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-command-line.h"
#include "ear-library.h"

G_BEGIN_DECLS

/**
 * EarErrorTopic:
 * @EAR_ERROR_TOPIC_FEED: fetching a followed podcast
 * @EAR_ERROR_TOPIC_SEARCH: looking up a podcast
 * @EAR_ERROR_TOPIC_FILE: reading a file
 * @EAR_ERROR_TOPIC_SYNC: syncing
 *
 * The task that failed.
 */
typedef enum
{
  EAR_ERROR_TOPIC_FEED,
  EAR_ERROR_TOPIC_SEARCH,
  EAR_ERROR_TOPIC_FILE,
  EAR_ERROR_TOPIC_SYNC,
} EarErrorTopic;

/**
 * EarCommandLineErrorFunc:
 * @error: the error
 * @topic: the task that failed
 *
 * Returns: (transfer full): translated sentences for the listener
 */
typedef char *(*EarCommandLineErrorFunc) (const GError *error,
                                          EarErrorTopic topic);

/* The process that runs verbs. */
typedef struct
{
  EarLibrary *library;       /* (nullable): open library, if any */
  GApplication *application; /* (nullable): with the actions play-pause and quit */
  GCancellable *cancellable; /* canceled when the library closes; the caller then tries again */
  EarCommandLineErrorFunc describe;
  void (*ended) (GApplicationCommandLine *invocation, gpointer user_data); /* (nullable) */
  gpointer user_data;        /* user data of @ended */
} EarCommandLineHost;

int ear_command_line_answer (GApplicationCommandLine  *invocation,
                             const EarCommandLineHost *host);

G_END_DECLS
