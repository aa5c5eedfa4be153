/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"
#include "ear-notes.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_NOTES_VIEW (ear_notes_view_get_type ())
G_DECLARE_FINAL_TYPE (EarNotesView, ear_notes_view, EAR, NOTES_VIEW, GtkWidget)

void ear_notes_view_set_notes (EarNotesView *self, EarNotes *notes, const char *address);
void ear_notes_view_set_search (EarNotesView *self, const char *search);
void ear_notes_view_set_episodes (EarNotesView *self, GHashTable *episodes);
void ear_notes_view_load_pictures (EarNotesView *self);
char *ear_notes_view_describe_link (EarNotesView *self, const char *address);

void ear_notes_view_select (EarNotesView *self, EarNotesPlace anchor, EarNotesPlace cursor);
gboolean ear_notes_view_get_selection (EarNotesView *self, EarNotesRange *range);
gboolean ear_notes_view_find_position (EarNotesView *self, double x, double y, gboolean letter,
                                       EarNotesPlace *position);

G_END_DECLS
