/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-folder.h"
#include "ear-settings.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define EAR_TYPE_FOLDER_LIST (ear_folder_list_get_type ())
G_DECLARE_FINAL_TYPE (EarFolderList, ear_folder_list, EAR, FOLDER_LIST, GObject)

EarFolderList *ear_folder_list_new (GListModel *podcasts, EarSettings *settings);

G_END_DECLS
