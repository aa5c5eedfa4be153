/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-list.h"
#include "ear-episode-pages.h"
#include "ear-id-growth.h"

G_BEGIN_DECLS

struct _EarEpisodeList
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarEpisodeQuery *query;
  GCancellable *cancellable;
  GMainContext *context;
  EarIdSequence *ids;      /* what the list shows */
  EarEpisodePages *pages;  /* (nullable): of what somebody looks at */
  EarIdGrowth *growth;     /* of @ids */
  GSource *requery_source; /* (nullable) */

  guint in_sight; /* position in the middle of what somebody looks at; 0 at the top */
  guint serial;   /* of the query; answers to earlier ones are not for us */
  gboolean asking; /* a query is on its way */
  gboolean told_asking;
  gboolean dirty; /* something has changed since it was sent */
  gboolean loading;
  gint64 rest_until; /* monotonic time */
};

void ear_episode_list_notify_asking (EarEpisodeList *self);
void ear_episode_list_ask           (EarEpisodeList *self,
                                     guint           limit);
void ear_episode_list_ask_again     (EarEpisodeList *self);
void ear_episode_list_stop_asking   (EarEpisodeList *self);

G_END_DECLS
