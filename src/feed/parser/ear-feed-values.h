/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

char    *ear_feed_dup_author   (const char *source);
char    *ear_feed_dup_guid     (const char *text);
char    *ear_feed_dup_word     (const char *text);
gboolean ear_feed_is_mailbox   (const char *text);
gsize    ear_feed_measure_notes (const char *text);
int      ear_feed_read_boolean (const char *text);
int      ear_feed_read_number  (const char *text);
gint64   ear_feed_read_size    (const char *text);

G_END_DECLS
