/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"
#include "ear-search-words.h"

G_BEGIN_DECLS

GArray *ear_notes_finder_find (EarSearchWords *words,
                               EarNotes       *notes);

G_END_DECLS
