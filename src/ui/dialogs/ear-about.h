/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

AdwDialog *ear_about_dialog_new (EarLibrary *library, GtkWidget *parent);
char *ear_about_dup_debug_info (EarLibrary *library, GtkWidget *parent);

G_END_DECLS
