/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"

G_BEGIN_DECLS

char     *ear_mpris_metadata_dup_track_id (EarEpisode *episode);
GVariant *ear_mpris_metadata_new          (EarEpisode *episode,
                                           gint64      duration,
                                           const char *cover_path);

G_END_DECLS
