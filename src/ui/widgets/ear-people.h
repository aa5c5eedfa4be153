/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"

G_BEGIN_DECLS

char *ear_people_format (GPtrArray *persons);
char *ear_people_format_of_episode (EarEpisode *episode);

G_END_DECLS
