/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-backup.h"

G_BEGIN_DECLS

GPtrArray *ear_backup_rotation_choose (GPtrArray *backups,
                                       GTimeZone *zone,
                                       gint64     now);

G_END_DECLS
