/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-error.h"

G_BEGIN_DECLS

/* Reasons for a check. Their order matters: the listener waits for those from
 * %EAR_REFRESH_START on.
 * @EAR_REFRESH_SCHEDULED: the schedule
 * @EAR_REFRESH_ONLINE: the network is back
 * @EAR_REFRESH_START: the start of the program
 * @EAR_REFRESH_ALL: a request for all podcasts by the listener
 * @EAR_REFRESH_ONE: a request for this podcast by the listener */
typedef enum
{
  EAR_REFRESH_SCHEDULED,
  EAR_REFRESH_ONLINE,
  EAR_REFRESH_START,
  EAR_REFRESH_ALL,
  EAR_REFRESH_ONE,
} EarRefreshReason;

/* The data of a podcast that a decision depends on */
typedef struct
{
  const EarFeedCheck *check;
  const char *address;
  gboolean complete; /* the feed is marked as complete */
} EarRefreshSubject;

gboolean ear_refresh_policy_is_unreached (const GError *error);
gint64 ear_refresh_policy_get_next (const EarRefreshSubject *subject, gint64 interval, gint64 now);
gboolean ear_refresh_policy_is_due (const EarRefreshSubject *subject, EarRefreshReason reason,
                                    gint64 interval, gint64 now);
void ear_refresh_policy_note_failure (EarFeedCheck *check, const char *address, int code,
                                      gint64 retry_after, gint64 now);
void ear_refresh_policy_note_success (EarFeedCheck *check, gint64 now);

G_END_DECLS
