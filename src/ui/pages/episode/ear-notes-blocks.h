/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-cover-cache.h"
#include "ear-notes.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The widgets that show blocks of show notes */

char *ear_notes_block_to_markup (const EarNotesBlock *block, const char *address);
GtkTextDirection ear_notes_block_get_direction (const EarNotesBlock *block);
gboolean ear_notes_seek_address (const char *link, const char *address, gint64 *time);

GtkWidget *ear_notes_block_create (const EarNotesBlock *block, const char *address);
GtkWidget *ear_notes_block_get_label (GtkWidget *widget);
void ear_notes_block_highlight (GtkWidget *widget, guint index, GArray *marks,
                                const EarNotesRange *selection);
gboolean ear_notes_block_load_picture (GtkWidget *widget, EarCoverCache *covers,
                                       const char *address, gboolean asked);

G_END_DECLS
