/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by ear-subscriptions.c and ear-subscriptions-folders.c */

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
  GHashTable *newcomers; /* (element-type EarPodcast): followed, not fetched yet */
  GHashTable *merged;    /* (element-type utf8 EarPodcast): the kept ones, by dropped address */
  GCancellable *cancellable;

  gboolean stopped;
};

void ear_subscriptions_store (EarSubscriptions *self, EarPodcast *podcast, const char *feed_address,
                              const char *folder, gboolean followed);

G_END_DECLS
