/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_LIST_DIALOG (ear_list_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarListDialog, ear_list_dialog, EAR, LIST_DIALOG, AdwDialog)

void ear_list_dialog_present (EarLibrary *library, GtkWidget *window, EarList *list);

G_END_DECLS
