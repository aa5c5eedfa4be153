/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-subscriptions.c and its topics, the files ear-subscriptions-*.c, share. */

#include "ear-subscriptions.h"

G_BEGIN_DECLS

struct _EarSubscriptions
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarKeyring *keyring;
  EarUserdataStore *state;
  EarRefresher *refresher;
  EarHttp *http;
  EarSettings *settings;
  EarNotices *notices;
  GFile *welcome;        /* until the first start has been dealt with */
  GHashTable *early;     /* (element-type utf8) (nullable): followed before the file was read */
  GPtrArray *former;     /* (element-type EarSubscription): not followed any more */
  GHashTable *newcomers; /* (element-type EarPodcast): followed lately, and have no rows yet */
  GHashTable *grown;     /* (element-type EarPodcast): got rows that their state is not applied to yet */
  GHashTable *sought;    /* (element-type utf8 EarPodcast): by the address it may have had before, until that is read */
  GCancellable *cancellable;

  gboolean stopped;
};

/* The object */
void ear_subscriptions_keep                  (EarSubscriptions *self,
                                              EarPodcast       *podcast,
                                              const char       *feed_address,
                                              const char       *folder,
                                              gboolean          followed);
void ear_subscriptions_emit_followed         (EarSubscriptions *self,
                                              EarPodcast       *podcast);

/* Where podcasts stand */
void ear_subscriptions_take_folder           (EarSubscriptions *self,
                                              EarPodcast       *podcast,
                                              const char       *folder);

/* What the listener wants for a podcast */
void ear_subscriptions_load_state            (EarSubscriptions *self,
                                              EarPodcast       *podcast);
void ear_subscriptions_take_settings         (EarSubscriptions         *self,
                                              const char               *address,
                                              const EarPodcastSettings *settings);

/* Podcasts that come back */
void ear_subscriptions_take_up_state    (EarSubscriptions *self,
                                         EarPodcast       *podcast);
void ear_subscriptions_note_rows        (EarSubscriptions *self,
                                         gint64            podcast_id,
                                         GArray           *ids);
void ear_subscriptions_greet_rows       (EarSubscriptions *self,
                                         EarPodcast       *podcast);
void ear_subscriptions_take_predecessor (EarSubscriptions *self,
                                         const char       *address,
                                         GHashTable       *states);

G_END_DECLS
