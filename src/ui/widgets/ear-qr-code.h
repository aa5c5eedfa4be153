/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Light modules around a code that the standard (ISO/IEC 18004) requires */
#define EAR_QR_CODE_QUIET_ZONE 4

GBytes *ear_qr_code_encode (const char *text, guint scale, guint *side);
GdkTexture *ear_qr_code_create_texture (const char *text);

G_END_DECLS
