/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-userdata-file.h"
#include "ear-subscription.h"

G_BEGIN_DECLS

typedef struct _EarSubscriptionFile EarSubscriptionFile;

EarSubscriptionFile *ear_subscription_file_new (EarJsonFolder *folder);
void ear_subscription_file_free (EarSubscriptionFile *self);
gboolean ear_subscription_file_is_dirty (EarSubscriptionFile *self);
gboolean ear_subscription_file_refresh (EarSubscriptionFile *self, GError **error);
void ear_subscription_file_set (EarSubscriptionFile *self, const EarSubscription *subscription,
                                gint64 done);
gboolean ear_subscription_file_write (EarSubscriptionFile *self, GError **error);
gboolean ear_subscription_file_take_news (EarSubscriptionFile *self);
GPtrArray *ear_subscription_file_dup_all (EarSubscriptionFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSubscriptionFile, ear_subscription_file_free)

G_END_DECLS
