/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by the files ear-subscriptions*.c */

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
  GFile *welcome;        /* until the first start is complete */
  GHashTable *early;     /* (element-type utf8) (nullable): followed before loading */
  GPtrArray *former;     /* (element-type EarSubscription): not followed any more */
  GHashTable *newcomers; /* (element-type EarPodcast): new, without rows */
  GHashTable *grown;     /* (element-type EarPodcast): new rows, state not applied */
  GHashTable *sought;    /* (element-type utf8 EarPodcast): by former address */
  GCancellable *cancellable;

  gboolean stopped;
};

/* ear-subscriptions.c */
void ear_subscriptions_keep (EarSubscriptions *self, EarPodcast *podcast, const char *feed_address,
                             const char *folder, gboolean followed);
void ear_subscriptions_emit_followed (EarSubscriptions *self, EarPodcast *podcast);

/* ear-subscriptions-folders.c */
void ear_subscriptions_take_folder (EarSubscriptions *self, EarPodcast *podcast,
                                    const char *folder);

/* ear-subscriptions-settings.c */
void ear_subscriptions_load_state (EarSubscriptions *self, EarPodcast *podcast);
void ear_subscriptions_take_settings (EarSubscriptions *self, const char *address,
                                      const EarPodcastSettings *settings);

/* ear-subscriptions-former.c */
void ear_subscriptions_take_up_state (EarSubscriptions *self, EarPodcast *podcast);
void ear_subscriptions_note_rows (EarSubscriptions *self, gint64 podcast_id, GArray *ids);
void ear_subscriptions_greet_rows (EarSubscriptions *self, EarPodcast *podcast);
void ear_subscriptions_take_predecessor (EarSubscriptions *self, const char *address,
                                         GHashTable *states);

G_END_DECLS
