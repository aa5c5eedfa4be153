/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast-settings.h"

G_BEGIN_DECLS

/**
 * EarUserdataEventType:
 * @EAR_USERDATA_EVENT_PODCAST: news of the podcast `address`, in `states`
 * @EAR_USERDATA_EVENT_SETTINGS: what is wanted for the podcast `address`, in `settings`
 * @EAR_USERDATA_EVENT_SUBSCRIPTIONS: there are other `subscriptions`
 * @EAR_USERDATA_EVENT_DAMAGED: `file` was moved to `set_aside`
 * @EAR_USERDATA_EVENT_FAILED: the files cannot be written, for `error`
 * @EAR_USERDATA_EVENT_REPLY: `task` is done; what was asked for is in the other members
 *
 * What the thread of the files tells.
 */
typedef enum
{
  EAR_USERDATA_EVENT_PODCAST,
  EAR_USERDATA_EVENT_SETTINGS,
  EAR_USERDATA_EVENT_SUBSCRIPTIONS,
  EAR_USERDATA_EVENT_DAMAGED,
  EAR_USERDATA_EVENT_FAILED,
  EAR_USERDATA_EVENT_REPLY,
} EarUserdataEventType;

typedef struct
{
  EarUserdataEventType type;
  char *address;
  char *guid;
  gint64 position;
  GHashTable *states;
  EarPodcastSettings settings;
  GPtrArray *subscriptions;
  guint n_set; /* how many were set here before `subscriptions` were told */
  gboolean first_start;
  char *file;
  char *set_aside;
  gboolean restored; /* something older has taken the place of `file` */
  gboolean exact;    /* asked: for a backup in `file` */
  GError *error;
  GTask *task;
} EarUserdataEvent;

EarUserdataEvent *ear_userdata_event_new  (EarUserdataEventType type);
void              ear_userdata_event_free (EarUserdataEvent *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarUserdataEvent, ear_userdata_event_free)

G_END_DECLS
