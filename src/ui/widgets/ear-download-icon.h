/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_DOWNLOAD_ICON (ear_download_icon_get_type ())
G_DECLARE_FINAL_TYPE (EarDownloadIcon, ear_download_icon, EAR, DOWNLOAD_ICON, GtkWidget)

G_END_DECLS
