/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-keyring.h"
#include "ear-state-store.h"

G_BEGIN_DECLS

#define EAR_TYPE_SUBSCRIPTIONS (ear_subscriptions_get_type ())
G_DECLARE_FINAL_TYPE (EarSubscriptions, ear_subscriptions, EAR, SUBSCRIPTIONS, GObject)

EarSubscriptions *ear_subscriptions_new      (EarCatalogue  *catalogue,
                                              EarKeyring    *keyring,
                                              EarStateStore *state);
void              ear_subscriptions_start    (EarSubscriptions *self,
                                              GFile            *welcome);
EarPodcast       *ear_subscriptions_follow   (EarSubscriptions *self,
                                              const char       *address,
                                              const char       *title);
EarPodcast       *ear_subscriptions_follow_in (EarSubscriptions *self,
                                              const char       *address,
                                              const char       *title,
                                              const char       *folder);
EarPodcast       *ear_subscriptions_follow_again (EarSubscriptions *self,
                                              const char       *address,
                                              const char       *title);
void              ear_subscriptions_unfollow (EarSubscriptions *self,
                                              EarPodcast       *podcast);
char            **ear_subscriptions_dup_former (EarSubscriptions *self,
                                                EarPodcast       *podcast);
void              ear_subscriptions_set_feed_address (EarSubscriptions *self,
                                                      EarPodcast       *podcast,
                                                      const char       *address);

G_END_DECLS
