/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * EarCommandLineErrorFunc:
 * @error: what went wrong
 * @looked_for: whether a podcast was looked for, and not one of those that are followed fetched
 *
 * Returns: (transfer full): translated sentences for the listener
 */
typedef char *(*EarCommandLineErrorFunc) (const GError *error,
                                          gboolean      looked_for);

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
