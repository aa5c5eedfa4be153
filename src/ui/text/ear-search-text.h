/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-search-filter.h"

G_BEGIN_DECLS

/* Returns: why a search finds nothing, in the listener's words */
char *ear_search_text_trouble (const EarSearchFilter *search);

G_END_DECLS
