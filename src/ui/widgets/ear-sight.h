/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* How far down stands what is heard now: what follows is of more interest than what was. */
#define EAR_SIGHT_NOW (1.0 / 3)

AdwAnimation *ear_sight_glide (GtkScrolledWindow *scroller, double value) G_GNUC_WARN_UNUSED_RESULT;
gboolean      ear_sight_has (GtkWidget *widget);
void          ear_sight_bring (GtkWidget *widget, double place);

G_END_DECLS
