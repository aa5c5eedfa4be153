/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"

G_BEGIN_DECLS

GPtrArray *ear_transcript_list_links (EarEpisode *episode);
gboolean ear_transcript_is_named (EarEpisode *episode);

G_END_DECLS
