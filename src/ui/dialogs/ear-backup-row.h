/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-backup.h"

#include <adwaita.h>

G_BEGIN_DECLS

GtkWidget *ear_backup_row_new (EarBackup *backup);

G_END_DECLS
