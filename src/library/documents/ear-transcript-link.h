/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"

G_BEGIN_DECLS

EarTranscriptLink *ear_transcript_find_link (EarEpisode *episode);

G_END_DECLS
