/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"

G_BEGIN_DECLS

/**
 * EarPodcastOrder:
 * @EAR_PODCAST_ORDER_TITLE: by title
 * @EAR_PODCAST_ORDER_NEWEST: the one with the newest episode first
 * @EAR_PODCAST_ORDER_BY_HAND: in the listener's own order, and by title where he has none
 *
 * In which order the podcasts are listed.
 */
typedef enum
{
  EAR_PODCAST_ORDER_TITLE,
  EAR_PODCAST_ORDER_NEWEST,
  EAR_PODCAST_ORDER_BY_HAND,
} EarPodcastOrder;

EarPodcastOrder ear_podcast_order_from_name (const char      *name);
int             ear_podcast_order_compare   (EarPodcast      *a,
                                             EarPodcast      *b,
                                             EarPodcastOrder  order);
GPtrArray      *ear_podcast_order_group      (GPtrArray *podcasts);
gboolean        ear_podcast_order_find_place (GPtrArray *podcasts,
                                              guint      position,
                                              guint      n,
                                              int       *place,
                                              int       *step);

/* Between two that are given a place together, so that others find one between them */
#define EAR_PODCAST_ORDER_STEP (1 << 14)

G_END_DECLS
