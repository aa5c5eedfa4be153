/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes-view.h"

G_BEGIN_DECLS

struct _EarNotesView
{
  GtkWidget parent_instance;

  /* Owned */
  EarNotes *notes;
  GHashTable *episodes; /* (nullable) (element-type utf8 EarEpisode): what is shown here, by addresses that are linked */
  char *place; /* (nullable): the address that time stamps are times of */
  EarLibrary *library; /* (nullable) */
  char *search;        /* (nullable): the words that are marked */
  GArray *marks;       /* (nullable) (element-type EarNotesMark): where they are, block by block */
  GCancellable *finding;
  char *link; /* (nullable): what the menu is for */
  GtkAdjustment *adjustment; /* (nullable): what tells when more of long notes is wanted */

  /* Borrowed */
  GtkWidget *spare; /* (nullable): the first child that shows nothing; so do all after it */
  GtkWidget *menu;  /* (nullable): the first child, before those that show blocks */

  gboolean with_pictures; /* those of these notes are loaded without a click */
  guint n_built;
  gsize lines_built; /* these have so many lines, about */
  guint stay;        /* source: until the rest is built */
  guint tick;        /* while it is */
  guint shedding;    /* source: while there are more spare widgets than are kept */

  EarNotesPlace anchor; /* where a selection over several blocks was begun */
  EarNotesPlace cursor; /* and where it ends: the same, where there is none */
  gboolean is_pressed;  /* the button of the pointer */
  gboolean selecting;   /* the pointer has left the block where it was pressed */
};

/* ear-notes-view.c */
GtkWidget *ear_notes_view_get_first (EarNotesView *self);
void       ear_notes_view_follow    (EarNotesView *self,
                                     const char   *address);

/* ear-notes-view-select.c */
void     ear_notes_view_init_selection  (EarNotesView  *self);
void     ear_notes_view_select          (EarNotesView  *self,
                                         EarNotesPlace  anchor,
                                         EarNotesPlace  cursor);
void     ear_notes_view_clear_labels    (EarNotesView  *self);
gboolean ear_notes_view_get_selection   (EarNotesView  *self,
                                         EarNotesRange *range);
void     ear_notes_view_draw_selection  (EarNotesView  *self,
                                         GtkSnapshot   *snapshot);
gboolean ear_notes_view_find_place      (EarNotesView  *self,
                                         double         x,
                                         double         y,
                                         gboolean       letter,
                                         EarNotesPlace *place);

/* ear-notes-view-menu.c */
void ear_notes_view_init_menu (EarNotesView      *self);
void ear_notes_view_bind_menu (EarNotesViewClass *klass);

G_END_DECLS
