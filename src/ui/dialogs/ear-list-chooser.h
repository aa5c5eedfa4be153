/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_LIST_CHOOSER (ear_list_chooser_get_type ())
G_DECLARE_FINAL_TYPE (EarListChooser, ear_list_chooser, EAR, LIST_CHOOSER, AdwDialog)

void ear_list_chooser_present (EarLibrary *library,
                               GtkWidget  *parent,
                               GPtrArray  *episodes);

G_END_DECLS
