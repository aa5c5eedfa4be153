/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-refresher.h"

G_BEGIN_DECLS

/* Why there are no scheduled checks.
 * @EAR_REFRESH_PAUSE_NONE: checks are scheduled
 * @EAR_REFRESH_PAUSE_POWER: power-saver mode
 * @EAR_REFRESH_PAUSE_METERED: metered network */
typedef enum
{
  EAR_REFRESH_PAUSE_NONE,
  EAR_REFRESH_PAUSE_POWER,
  EAR_REFRESH_PAUSE_METERED,
} EarRefreshPause;

#define EAR_TYPE_REFRESH_SCHEDULE (ear_refresh_schedule_get_type ())
G_DECLARE_FINAL_TYPE (EarRefreshSchedule, ear_refresh_schedule, EAR, REFRESH_SCHEDULE, GObject)

EarRefreshSchedule *ear_refresh_schedule_new (EarRefresher *refresher, GNetworkMonitor *network,
                                              GPowerProfileMonitor *power);
void ear_refresh_schedule_start (EarRefreshSchedule *self);
void ear_refresh_schedule_plan (EarRefreshSchedule *self);
void ear_refresh_schedule_begin (EarRefreshSchedule *self);
void ear_refresh_schedule_stop (EarRefreshSchedule *self);
gint64 ear_refresh_schedule_get_next (EarRefreshSchedule *self);
guint ear_refresh_schedule_run (EarRefreshSchedule *self);

G_END_DECLS
