/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_QR_CODE (ear_qr_code_get_type ())
G_DECLARE_FINAL_TYPE (EarQrCode, ear_qr_code, EAR, QR_CODE, GtkWidget)

/*
 * A QR code, as large as there is room, for the camera of another device: dark on light in all styles, each module the same whole
 * number of the screen's pixels. Properties:
 *   text  char*  (nullable) what it says
 */

G_END_DECLS
