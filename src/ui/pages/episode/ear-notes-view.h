/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"
#include "ear-notes.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_NOTES_VIEW (ear_notes_view_get_type ())
G_DECLARE_FINAL_TYPE (EarNotesView, ear_notes_view, EAR, NOTES_VIEW, GtkWidget)

void  ear_notes_view_set_notes     (EarNotesView *self,
                                    EarNotes     *notes,
                                    const char   *place);
void  ear_notes_view_set_search    (EarNotesView *self,
                                    const char   *search);
void  ear_notes_view_load_pictures (EarNotesView *self);
void  ear_notes_view_set_episodes  (EarNotesView *self,
                                    GHashTable   *episodes);
char *ear_notes_view_describe_link (EarNotesView *self,
                                    const char   *address);

G_END_DECLS
