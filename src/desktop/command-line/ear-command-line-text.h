/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

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

char *ear_command_line_dup_printable   (const char *text);
char *ear_command_line_dup_clock       (gint64 time);
char *ear_command_line_dup_status      (GVariant *status);
char *ear_command_line_dup_status_json (GVariant *status);
char *ear_command_line_dup_refreshed   (GVariant               *reply,
                                        EarCommandLineErrorFunc describe,
                                        char                  **failures);
char *ear_command_line_dup_imported    (GVariant               *reply,
                                        EarCommandLineErrorFunc describe,
                                        char                  **failures);

G_END_DECLS
