/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"
#include "ear-search-words.h"

G_BEGIN_DECLS

/* An episode that the full text index lacks yet */
typedef struct
{
  gint64 id;
  gint64 key; /* sort key */
  gboolean matches; /* %FALSE: the tokenizer has to check */
} EarUnindexedRow;

gboolean ear_unindexed_rows_exist      (EarDatabase           *database,
                                        gboolean              *exist,
                                        GError               **error);
void     ear_unindexed_rows_append_sql (GString               *sql,
                                        const EarEpisodeQuery *query);
GArray  *ear_unindexed_rows_find       (EarDatabase           *database,
                                        const EarEpisodeQuery *query,
                                        EarSearchWords        *words,
                                        gboolean               all,
                                        GError               **error);
gboolean ear_unindexed_row_score       (const EarUnindexedRow *row,
                                        EarDatabase           *database,
                                        EarSearchWords        *words,
                                        gboolean              *found,
                                        double                *score,
                                        GError               **error);

G_END_DECLS
