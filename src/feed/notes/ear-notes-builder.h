/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"

G_BEGIN_DECLS

/* Private to feed/: builds show notes from pieces of text and what stands between them. */

typedef struct _EarNotesBuilder EarNotesBuilder;

EarNotesBuilder *ear_notes_builder_new              (const char      *base,
                                                     gint64           duration,
                                                     gboolean         keep_lines);
void             ear_notes_builder_free             (EarNotesBuilder *self);
void             ear_notes_builder_add_text         (EarNotesBuilder *self,
                                                     const char      *text);
void             ear_notes_builder_add_break        (EarNotesBuilder *self);
void             ear_notes_builder_end_paragraph    (EarNotesBuilder *self);
void             ear_notes_builder_change_table     (EarNotesBuilder *self,
                                                     int              change);
void             ear_notes_builder_begin_row        (EarNotesBuilder *self);
void             ear_notes_builder_begin_cell       (EarNotesBuilder *self);
void             ear_notes_builder_set_heading      (EarNotesBuilder *self,
                                                     guint            level);
void             ear_notes_builder_begin_list       (EarNotesBuilder *self,
                                                     guint            number);
void             ear_notes_builder_end_list         (EarNotesBuilder *self);
void             ear_notes_builder_begin_item       (EarNotesBuilder *self);
void             ear_notes_builder_end_item         (EarNotesBuilder *self);
void             ear_notes_builder_change_quote     (EarNotesBuilder *self,
                                                     int              change);
void             ear_notes_builder_set_preformatted (EarNotesBuilder *self,
                                                     gboolean         preformatted);
void             ear_notes_builder_add_rule         (EarNotesBuilder *self);
void             ear_notes_builder_add_image        (EarNotesBuilder *self,
                                                     const char      *reference,
                                                     const char      *text);
void             ear_notes_builder_set_link         (EarNotesBuilder *self,
                                                     gboolean         in_link,
                                                     const char      *reference);
void             ear_notes_builder_change_style     (EarNotesBuilder *self,
                                                     EarNotesStyle    style,
                                                     int              change);
void             ear_notes_builder_change_hidden    (EarNotesBuilder *self,
                                                     int              change);
gboolean         ear_notes_builder_is_full          (EarNotesBuilder *self);
EarNotes        *ear_notes_builder_finish           (EarNotesBuilder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarNotesBuilder, ear_notes_builder_free)

G_END_DECLS
