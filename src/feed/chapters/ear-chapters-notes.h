/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"
#include "ear-notes.h"

G_BEGIN_DECLS

GPtrArray *ear_chapters_from_notes (EarNotes *notes);

G_END_DECLS
