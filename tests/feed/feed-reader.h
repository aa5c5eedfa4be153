/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-feed-parser.h"
#include "ear-notes.h"

G_BEGIN_DECLS

char *feed_reader_dump       (const char   *data,
                              gsize         length,
                              gsize         chunk,
                              const char   *content_type);
void  feed_reader_check      (const char   *name,
                              const char   *data,
                              gsize         length,
                              const char   *content_type,
                              const char   *expected);
char *feed_reader_dump_notes (EarNotes     *notes);

G_END_DECLS
