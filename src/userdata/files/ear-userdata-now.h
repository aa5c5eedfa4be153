/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-userdata-document.h"

G_BEGIN_DECLS

EarMarks *ear_userdata_now_read (EarUserdataFile *file, GError **error);
gboolean ear_userdata_now_write (EarUserdataFile *file, const EarMarks *marks,
                                 const EarEpisodeState *state, EarMarks **found, GError **error);

G_END_DECLS
