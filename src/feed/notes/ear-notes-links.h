/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarNotesMatch:
 * @start: start in the text, in bytes
 * @length: length in bytes
 * @link: (nullable) (owned): the URL, or %NULL for a time stamp
 * @time: the time in microseconds, or -1 for a URL
 *
 * A URL or a time in plain text.
 */
typedef struct
{
  gsize start;
  gsize length;
  char *link;
  gint64 time;
} EarNotesMatch;

gboolean ear_notes_find_link (const char    *text,
                              gsize          from,
                              gint64         duration,
                              EarNotesMatch *match);
gsize    ear_notes_trim_address (const char    *address,
                                 gsize          length,
                                 gsize          least);
gsize    ear_notes_get_bullet_length (const char *text);
char    *ear_notes_resolve_link      (const char *base,
                                      const char *reference);

G_END_DECLS
