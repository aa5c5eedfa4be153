/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-application.h"
#include "ear-window.h"

G_BEGIN_DECLS

/* ear-application.c */
void ear_application_quit           (EarApplication *self);
EarLibrary *ear_application_need_library (EarApplication *self);
EarWindow  *ear_application_need_window  (EarApplication *self);
gboolean    ear_application_put_off      (EarApplication *self,
                                          const char     *action,
                                          GVariant       *parameter);

/* ear-application-actions.c */
void ear_application_add_actions    (EarApplication *self);
void ear_application_follow_library (EarApplication *self);

/* ear-outside-actions.c */
void ear_application_add_outside_actions (EarApplication *self);

/* ear-exchange-actions.c */
void ear_application_add_exchange_actions (EarApplication *self);

G_END_DECLS
