/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-library.h"
#include "ear-notes.h"

G_BEGIN_DECLS

#define EAR_TYPE_EPISODE_LINKS (ear_episode_links_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeLinks, ear_episode_links, EAR, EPISODE_LINKS, AdwBin)

void ear_episode_links_set_notes (EarEpisodeLinks *self, EarEpisode *episode, EarNotes *notes);

G_END_DECLS
