/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-application.h"

G_BEGIN_DECLS

/* ear-application.c */
void ear_application_quit           (EarApplication *self);

/* ear-application-actions.c */
void ear_application_add_actions    (EarApplication *self);
void ear_application_follow_library (EarApplication *self);

/* ear-exchange-actions.c */
void ear_application_add_exchange_actions (EarApplication *self);

G_END_DECLS
