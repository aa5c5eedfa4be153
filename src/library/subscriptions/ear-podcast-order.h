/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"

G_BEGIN_DECLS

/* The order in which podcasts are listed.
 * @EAR_PODCAST_ORDER_TITLE: by title
 * @EAR_PODCAST_ORDER_NEWEST: newest episode first
 * @EAR_PODCAST_ORDER_BY_HAND: the listener's own order; by title for podcasts without a
 *   position */
typedef enum
{
  EAR_PODCAST_ORDER_TITLE,
  EAR_PODCAST_ORDER_NEWEST,
  EAR_PODCAST_ORDER_BY_HAND,
} EarPodcastOrder;

EarPodcastOrder ear_podcast_order_from_name (const char *name);
int ear_podcast_order_compare (EarPodcast *a, EarPodcast *b, EarPodcastOrder order);
GPtrArray *ear_podcast_order_group (GPtrArray *podcasts);
gboolean ear_podcast_order_find_place (GPtrArray *podcasts, guint position, guint n, int *place,
                                       int *step);

/* Distance of positions given together, which leaves room for others in between */
#define EAR_PODCAST_ORDER_STEP (1 << 14)

G_END_DECLS
