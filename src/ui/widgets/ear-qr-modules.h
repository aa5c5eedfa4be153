/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the standard (ISO/IEC 18004) wants to be free around a code, in modules */
#define EAR_QR_QUIET_ZONE 4

gboolean ear_qr_modules_available (void);
GBytes  *ear_qr_modules_encode    (const char *text,
                                   guint      *side);

G_END_DECLS
