/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *ear_notification_text_clean (const char *text,
                                   gsize       limit);

G_END_DECLS
