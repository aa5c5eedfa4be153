/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sentence-item.h"

G_BEGIN_DECLS

#define EAR_TYPE_SENTENCE_LIST (ear_sentence_list_get_type ())
G_DECLARE_FINAL_TYPE (EarSentenceList, ear_sentence_list, EAR, SENTENCE_LIST, GObject)

EarSentenceList *ear_sentence_list_new (EarTranscript *transcript);

G_END_DECLS
