/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-state-keeper.h"
#include "ear-state-now.h"
#include "ear-subscription-file.h"

G_BEGIN_DECLS

struct _EarStateKeeper
{
  /* Owned */
  EarStateFolder *folder;
  GHashTable *documents; /* (element-type utf8 EarStateDocument), by the name of the file */
  EarSubscriptionFile *subscriptions;
  guint n_set; /* subscriptions, since the start */
  EarStateNow *now;
  GPtrArray *left; /* (element-type EarStateDocument): of what now.json may be the only one to know; not owned */

  /* Borrowed */
  EarStateTell tell;
  gpointer user_data;
};

EarStateDocument *ear_state_keeper_need_document (EarStateKeeper *self,
                                                  const char     *address);
void              ear_state_keeper_apply_deed    (EarStateKeeper     *self,
                                                  const EarStateDeed *deed);
void              ear_state_keeper_tell_news     (EarStateKeeper   *self,
                                                  EarStateDocument *document);
gboolean          ear_state_keeper_absorb_now    (EarStateKeeper *self,
                                                  const char     *copy,
                                                  GError        **error);

G_END_DECLS
