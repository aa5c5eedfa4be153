/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

AdwDialog *ear_alert_new (const char *heading);

G_END_DECLS
