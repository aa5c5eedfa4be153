/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-transcript.h"

G_BEGIN_DECLS

#define EAR_TYPE_SENTENCE_ITEM (ear_sentence_item_get_type ())
G_DECLARE_FINAL_TYPE (EarSentenceItem, ear_sentence_item, EAR, SENTENCE_ITEM, GObject)

EarSentenceItem *ear_sentence_item_new (EarTranscript *transcript, guint index);
guint ear_sentence_item_get_index (EarSentenceItem *self);
const EarSentence *ear_sentence_item_get_sentence (EarSentenceItem *self);
gboolean ear_sentence_item_is_new_voice (EarSentenceItem *self);
gint64 ear_sentence_item_get_last (EarSentenceItem *self);

#define EAR_TYPE_SENTENCE_LIST (ear_sentence_list_get_type ())
G_DECLARE_FINAL_TYPE (EarSentenceList, ear_sentence_list, EAR, SENTENCE_LIST, GObject)

EarSentenceList *ear_sentence_list_new (EarTranscript *transcript);

G_END_DECLS
