/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-episode.h"

G_BEGIN_DECLS

#define EAR_TYPE_PHONE_DIALOG (ear_phone_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarPhoneDialog, ear_phone_dialog, EAR, PHONE_DIALOG, AdwDialog)

gboolean ear_phone_dialog_can_show (EarEpisode *episode);
EarPhoneDialog *ear_phone_dialog_new (EarEpisode *episode, gint64 time, gboolean with_private);

G_END_DECLS
