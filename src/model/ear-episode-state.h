/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-mark.h"

G_BEGIN_DECLS

EarEpisodeState ear_episode_state_new_mark   (EarMark                mark,
                                              gint64                 value);
gboolean        ear_episode_state_is_empty   (const EarEpisodeState *self);
gboolean        ear_episode_state_take_newer (EarEpisodeState       *into,
                                              const EarEpisodeState *from,
                                              EarEpisodeState       *news);
void            ear_episode_state_leave_out  (EarEpisodeState       *self,
                                              const EarEpisodeState *others);
EarMark         ear_episode_state_find_mark  (const EarEpisodeState *self);
gint64          ear_episode_state_get_latest (const EarEpisodeState *self);

G_END_DECLS
