/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-search-words.h"
#include "ear-snippet.h"

G_BEGIN_DECLS

EarSnippet *ear_snippet_make (EarSearchWords *words,
                              const char     *title,
                              const char     *notes);

G_END_DECLS
