/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-transcript.h"

G_BEGIN_DECLS

EarTranscript *ear_transcript_read           (GBytes        *bytes,
                                              const char    *mime_type,
                                              GError       **error);
EarTranscript *ear_transcript_make_sentences (EarTranscript *cues,
                                              gint64         duration);
GPtrArray     *ear_transcript_rank           (GPtrArray     *links,
                                              const char    *language);

G_END_DECLS
