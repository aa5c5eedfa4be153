/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-list.h"
#include "ear-history.h"

G_BEGIN_DECLS

/* Up Next. Main thread only. Properties, read-only:
 *   n-episodes  guint   their number
 *   left        gint64  their remaining time in microseconds */
#define EAR_TYPE_QUEUE (ear_queue_get_type ())
G_DECLARE_FINAL_TYPE (EarQueue, ear_queue, EAR, QUEUE, GObject)

EarQueue *ear_queue_new (const EarServices *services);
EarEpisodeList *ear_queue_get_list (EarQueue *self);
gint64 ear_queue_get_last (EarQueue *self);
gboolean ear_queue_has (EarEpisode *episode);
void ear_queue_add_next (EarQueue *self, GPtrArray *episodes);
void ear_queue_add_last (EarQueue *self, GPtrArray *episodes);
void ear_queue_add_new (EarQueue *self, GPtrArray *episodes);
void ear_queue_insert (EarQueue *self, GPtrArray *episodes, EarEpisode *before);
void ear_queue_remove (EarQueue *self, GPtrArray *episodes);
void ear_queue_clear (EarQueue *self);

G_END_DECLS
