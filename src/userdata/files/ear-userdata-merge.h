/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-userdata-shape.h"

G_BEGIN_DECLS

gboolean ear_userdata_merge (JsonObject *into, JsonObject *from, gint64 now);

gboolean ear_episode_state_take_edited (EarEpisodeState *into, const EarEpisodeState *from,
                                        EarEpisodeState *news);
void ear_episode_state_doubt (EarEpisodeState *state, gint64 now);

gint64 ear_userdata_next_stamp (gint64 given, gint64 done, gint64 known, gboolean same, gint64 now);

G_END_DECLS
