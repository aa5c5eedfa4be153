/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-folders.h"
#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_CHOOSER (ear_chooser_get_type ())
G_DECLARE_FINAL_TYPE (EarChooser, ear_chooser, EAR, CHOOSER, AdwDialog)

void ear_list_chooser_present (EarLibrary *library, GtkWidget *parent, GPtrArray *episodes);
void ear_folder_chooser_present (EarLibrary *library, GtkWidget *parent, EarPodcast *podcast);
void ear_folder_rename (EarLibrary *library, GtkWidget *parent, EarFolder *folder);

G_END_DECLS
