/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"

G_BEGIN_DECLS

/* Private to feed/: the text of one block of notes while it is built. */

typedef struct _EarNotesPieces EarNotesPieces;

typedef EarNotesBlock *(*EarNotesNextBlock) (gpointer user_data);

EarNotesPieces *ear_notes_pieces_new      (void);
void            ear_notes_pieces_free     (EarNotesPieces *self);
void            ear_notes_pieces_append   (EarNotesPieces *self,
                                           const char     *text,
                                           gsize           length,
                                           EarNotesStyle   style,
                                           gboolean        in_link,
                                           const char     *link);
gboolean        ear_notes_pieces_has_room_for_links (EarNotesPieces *self);
void            ear_notes_pieces_count_link (EarNotesPieces *self,
                                           const char     *link);
gsize           ear_notes_pieces_get_size (EarNotesPieces *self);
void            ear_notes_pieces_drop_last (EarNotesPieces *self);
gboolean        ear_notes_pieces_trim     (EarNotesPieces *self);
void            ear_notes_pieces_move_to  (EarNotesPieces *self,
                                           EarNotesBlock  *block,
                                           gint64          duration,
                                           EarNotesNextBlock next,
                                           gpointer        user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarNotesPieces, ear_notes_pieces_free)

G_END_DECLS
