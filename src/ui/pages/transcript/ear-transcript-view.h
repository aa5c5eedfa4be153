/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_TRANSCRIPT_VIEW (ear_transcript_view_get_type ())
G_DECLARE_FINAL_TYPE (EarTranscriptView, ear_transcript_view, EAR, TRANSCRIPT_VIEW, AdwBin)

gboolean ear_transcript_view_find (EarTranscriptView *self);
void ear_transcript_view_show_at (EarTranscriptView *self, gint64 time);

G_END_DECLS
