/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_NOTIFIER (ear_notifier_get_type ())
G_DECLARE_FINAL_TYPE (EarNotifier, ear_notifier, EAR, NOTIFIER, GObject)

/* Id of the notification about new episodes. */
#define EAR_NOTIFIER_ID "new-episodes"

EarNotifier *ear_notifier_new         (EarLibrary   *library,
                                       GApplication *application);
void         ear_notifier_set_watched (EarNotifier *self,
                                       const char  *collection);
void         ear_notifier_set_breath  (EarNotifier *self,
                                       guint        milliseconds);

G_END_DECLS
