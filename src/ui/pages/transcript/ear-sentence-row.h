/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-transcript.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_SENTENCE_ROW (ear_sentence_row_get_type ())
G_DECLARE_FINAL_TYPE (EarSentenceRow, ear_sentence_row, EAR, SENTENCE_ROW, GtkWidget)

guint ear_sentence_row_get_index (EarSentenceRow *self);
void ear_sentence_row_show (EarSentenceRow *self, EarTranscript *transcript, guint index,
                            gint64 shift, const char *search);

G_END_DECLS
