/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-cover-cache.h"
#include "ear-notes.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What a block of notes is shown by. A widget of one kind can show any block of that kind. */
typedef enum
{
  EAR_NOTES_WIDGET_TEXT,
  EAR_NOTES_WIDGET_HEADING,
  EAR_NOTES_WIDGET_ITEM,
  EAR_NOTES_WIDGET_NUMBERED_ITEM,
  EAR_NOTES_WIDGET_PREFORMATTED,
  EAR_NOTES_WIDGET_RULE,
  EAR_NOTES_WIDGET_IMAGE,
} EarNotesWidgetKind;

/**
 * EarNotesLinkFunc:
 * @label: the label with the link
 * @address: where it leads
 * @user_data: data of the owner
 *
 * Opens a link of the notes.
 *
 * Returns: %TRUE
 */
typedef gboolean (*EarNotesLinkFunc) (GtkWidget  *label,
                                      const char *address,
                                      gpointer    user_data);

EarNotesWidgetKind ear_notes_block_get_kind   (const EarNotesBlock *block);
GtkWidget         *ear_notes_widget_new       (EarNotesWidgetKind   kind,
                                               EarNotesLinkFunc     func,
                                               GObject             *owner);
EarNotesWidgetKind ear_notes_widget_get_kind  (GtkWidget           *widget);
GtkWidget         *ear_notes_widget_get_label (GtkWidget           *widget);
void               ear_notes_widget_fill      (GtkWidget           *widget,
                                               const EarNotesBlock *block,
                                               const char          *place);

/* ear-notes-picture.c */
GtkWidget *ear_notes_picture_new   (GtkWidget     *label);
void       ear_notes_picture_fill  (GtkWidget     *widget,
                                    const char    *description);
gboolean   ear_notes_picture_load  (GtkWidget     *widget,
                                    EarCoverCache *covers,
                                    const char    *address,
                                    gboolean       asked);

void       ear_notes_widget_set_marks  (GtkWidget           *widget,
                                        const EarNotesMark  *marks,
                                        guint                n_marks);

G_END_DECLS
