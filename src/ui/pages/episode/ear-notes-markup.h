/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

char *ear_notes_block_to_markup (const EarNotesBlock *block, const char *place);
GtkTextDirection ear_notes_block_get_direction (const EarNotesBlock *block);
gboolean ear_notes_seek_address (const char *address, const char *place, gint64 *time);

G_END_DECLS
