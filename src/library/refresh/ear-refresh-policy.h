/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-error.h"

G_BEGIN_DECLS

/**
 * EarRefreshReason:
 * @EAR_REFRESH_SCHEDULED: nobody asks, it is time
 * @EAR_REFRESH_START: the program was started
 * @EAR_REFRESH_ALL: the listener asks for all podcasts
 * @EAR_REFRESH_ONE: the listener asks for this podcast
 *
 * Why a feed is to be checked.
 */
typedef enum
{
  EAR_REFRESH_SCHEDULED,
  EAR_REFRESH_START,
  EAR_REFRESH_ALL,
  EAR_REFRESH_ONE,
} EarRefreshReason;

/* What is known of a podcast when it is decided whether to check its feed. */
typedef struct
{
  const EarFeedCheck *check;
  const char *address;
  gboolean complete; /* the feed says that there will be no more */
} EarRefreshSubject;

gboolean ear_refresh_policy_is_unreached (const GError *error);
gint64   ear_refresh_policy_get_next     (const EarRefreshSubject *subject,
                                          gint64                   interval,
                                          gint64                   now);
gboolean ear_refresh_policy_is_due       (const EarRefreshSubject *subject,
                                          EarRefreshReason         reason,
                                          gint64                   interval,
                                          gint64                   now);
void     ear_refresh_policy_note_failure (EarFeedCheck *check,
                                          const char   *address,
                                          int           code,
                                          gint64        retry_after,
                                          gint64        now);
void     ear_refresh_policy_note_success (EarFeedCheck *check,
                                          gint64        now);

G_END_DECLS
