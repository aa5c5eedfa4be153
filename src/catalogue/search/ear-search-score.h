/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-search-words.h"

G_BEGIN_DECLS

/* Number of the newest hits that are ranked; the others follow by age. */
#define EAR_SEARCH_SCORE_LIMIT 10000

gboolean ear_search_score_register (EarDatabase     *database,
                                    GError         **error);
gboolean ear_search_score_text     (EarSearchWords  *words,
                                    const char      *title,
                                    const char      *notes,
                                    double          *score);

G_END_DECLS
