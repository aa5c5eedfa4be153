/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_BACKUPS_DIALOG (ear_backups_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarBackupsDialog, ear_backups_dialog, EAR, BACKUPS_DIALOG, AdwDialog)

EarBackupsDialog *ear_backups_dialog_new (EarBackups *backups);

G_END_DECLS
