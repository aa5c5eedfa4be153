/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_FOLDER_CHOOSER (ear_folder_chooser_get_type ())
G_DECLARE_FINAL_TYPE (EarFolderChooser, ear_folder_chooser, EAR, FOLDER_CHOOSER, AdwDialog)

void ear_folder_chooser_present (EarLibrary *library,
                                 GtkWidget  *parent,
                                 EarPodcast *podcast);

G_END_DECLS
