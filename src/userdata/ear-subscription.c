/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscription.h"

/* @address: address that the podcast was first followed at
 * @followed: whether it is followed; %FALSE once the listener has unfollowed it
 * @updated: when the listener changed @followed, Unix microseconds
 * Returns: (transfer full): a subscription */
EarSubscription *
ear_subscription_new (const char *address, const char *feed_address, const char *title,
                      gboolean followed, gint64 updated)
{
  EarSubscription *self = g_atomic_rc_box_new0 (EarSubscription);

  self->address = g_strdup (address);
  self->feed_address = g_strdup (feed_address);
  self->title = g_strdup (title);
  self->followed = !!followed;
  self->updated = updated;

  return self;
}

static void
clear (EarSubscription *self)
{
  ear_texts_clear (self, &self->folder);
}

EAR_DEFINE_REF_COUNTED (EarSubscription, ear_subscription, clear)
