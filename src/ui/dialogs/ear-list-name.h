/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-folder.h"
#include "ear-library.h"

G_BEGIN_DECLS

void ear_list_name_ask_new (EarLibrary *library,
                            GtkWidget  *parent,
                            GPtrArray  *episodes);
void ear_list_name_ask     (EarLibrary *library,
                            GtkWidget  *parent,
                            EarList    *list);
void ear_list_name_ask_folder (EarLibrary *library,
                               GtkWidget  *parent,
                               EarFolder  *folder);

G_END_DECLS
