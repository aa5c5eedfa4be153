/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* A podcast in subscriptions.json. Any thread; immutable once built */
typedef struct
{
  char *address;      /* address that the podcast was first followed at */
  char *feed_address; /* (nullable): present address of the feed */
  char *title;        /* (nullable) */
  char *folder;       /* (nullable): names joined by "/"; %NULL or "": in no folder */
  gint64 folder_updated; /* when the listener set the folder, Unix microseconds; 0: unknown */
  gboolean followed;  /* %FALSE: a tombstone */
  gint64 updated;     /* Unix microseconds */
} EarSubscription;

EarSubscription *ear_subscription_new (const char *address, const char *feed_address,
                                       const char *title, gboolean followed, gint64 updated);
EarSubscription *ear_subscription_ref (EarSubscription *self);
void ear_subscription_unref (EarSubscription *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSubscription, ear_subscription_unref)

G_END_DECLS
