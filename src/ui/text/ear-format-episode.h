/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"

G_BEGIN_DECLS

char *ear_format_download (EarEpisode *episode);
const char *ear_format_row_podcast (EarEpisode *episode);
char *ear_format_row (EarEpisode *episode, gboolean heard, gint64 now);
char *ear_format_row_spoken (EarEpisode *episode, gboolean mixed, gboolean heard);
char *ear_format_result (EarEpisode *episode, gint64 now);
char *ear_format_episode (EarEpisode *episode);
char *ear_people_format (GPtrArray *persons);
char *ear_people_format_of_episode (EarEpisode *episode);

G_END_DECLS
