/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-mark.h"
#include "ear-userdata-file.h"

G_BEGIN_DECLS

EarMarks *ear_userdata_now_read (EarUserdataFile *file, GError **error);
gboolean ear_userdata_now_write (EarUserdataFile *file, const EarMarks *marks, EarMarks **replaced,
                                 GError **error);

gboolean ear_position_line_write (const char *path, const EarMarks *marks, gboolean sync);
EarMarks *ear_position_line_read (const char *path, const char *address, const char *guid);

G_END_DECLS
