/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_PODCAST_PAGE (ear_podcast_page_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastPage, ear_podcast_page, EAR, PODCAST_PAGE, AdwNavigationPage)

EarEpisode     *ear_podcast_page_get_episode (EarPodcastPage *self);
void            ear_podcast_page_set_episode (EarPodcastPage *self,
                                              EarEpisode     *episode);
EarEpisodeList *ear_podcast_page_get_list    (EarPodcastPage *self);
void            ear_podcast_page_begin_search (EarPodcastPage *self);

G_END_DECLS
