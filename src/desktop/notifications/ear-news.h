/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"

G_BEGIN_DECLS

typedef struct _EarNews EarNews;

EarNews    *ear_news_new              (GSourceOnceFunc changed,
                                       gpointer        user_data);
void        ear_news_free             (EarNews    *self);
void        ear_news_add              (EarNews    *self,
                                       EarPodcast *podcast,
                                       GPtrArray  *episodes,
                                       guint       n_episodes);
void        ear_news_clear            (EarNews    *self);
void        ear_news_forget_podcast   (EarNews    *self,
                                       const char *name);
guint       ear_news_get_n_episodes   (EarNews    *self);
guint       ear_news_get_n_podcasts   (EarNews    *self);
EarPodcast *ear_news_get_podcast      (EarNews    *self,
                                       guint       position);
guint       ear_news_get_n_of_podcast (EarNews    *self,
                                       guint       position);
EarEpisode *ear_news_get_only_episode (EarNews    *self);
EarEpisode *ear_news_get_newest       (EarNews    *self);

G_END_DECLS
