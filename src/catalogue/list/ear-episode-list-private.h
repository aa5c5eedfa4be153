/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-list.h"
#include "ear-id-sequence.h"
#include "ear-query-watch.h"

G_BEGIN_DECLS

/* More rows than a list view holds, so that scrolling makes each object once */
#define EAR_EPISODE_LIST_N_PAGES 8

struct _EarEpisodeList
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarEpisodeQuery *query;
  EarQueryWatch *watch;    /* (nullable) */
  GCancellable *cancellable;
  GMainContext *context;
  EarIdSequence *ids;      /* the ids shown */
  GPtrArray *pages[EAR_EPISODE_LIST_N_PAGES]; /* (nullable) (element-type EarEpisode): read last */
  GArray *growing_to;      /* (nullable) (element-type gint64): the ids that @ids grows to */
  GSource *growth_source;  /* (nullable) */
  GSource *requery_source; /* (nullable) */

  guint oldest_page;
  guint in_sight; /* row in the middle of the visible ones; 0 at the top */
  guint serial;   /* of the query; results of earlier ones are ignored */
  gboolean asking; /* a query is running */
  gboolean told_asking;
  gboolean dirty; /* changed since the query was sent */
  gboolean loading;
  gint64 rest_until; /* monotonic time */
};

void ear_episode_list_notify_asking (EarEpisodeList *self);
void ear_episode_list_ask           (EarEpisodeList *self,
                                     guint           limit);
void ear_episode_list_ask_again     (EarEpisodeList *self);
void ear_episode_list_stop_asking   (EarEpisodeList *self);

GArray     *ear_episode_list_start_growing  (EarEpisodeList     *self,
                                             GArray             *all,
                                             guint               n_first);
void        ear_episode_list_stop_growing   (EarEpisodeList     *self);
guint       ear_episode_list_count_at_once  (EarEpisodeList     *self,
                                             GArray             *all,
                                             guint               n_shown);
EarEpisode *ear_episode_list_dup_episode    (EarEpisodeList     *self,
                                             guint               position);
void        ear_episode_list_drop_pages     (EarEpisodeList     *self);
gboolean    ear_episode_list_is_fetched     (EarEpisodeList     *self,
                                             GArray             *ids,
                                             guint               position);
void        ear_episode_list_prefetch_async (EarEpisodeList     *self,
                                             GArray             *ids,
                                             guint               position,
                                             GAsyncReadyCallback callback,
                                             gpointer            user_data);

G_END_DECLS
