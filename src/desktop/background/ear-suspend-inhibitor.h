/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player.h"

G_BEGIN_DECLS

#define EAR_TYPE_SUSPEND_INHIBITOR (ear_suspend_inhibitor_get_type ())
G_DECLARE_FINAL_TYPE (EarSuspendInhibitor, ear_suspend_inhibitor, EAR, SUSPEND_INHIBITOR, GObject)

EarSuspendInhibitor *ear_suspend_inhibitor_new        (EarPlayer       *player,
                                                       GDBusConnection *session);
gboolean             ear_suspend_inhibitor_get_active (EarSuspendInhibitor *self);

G_END_DECLS
