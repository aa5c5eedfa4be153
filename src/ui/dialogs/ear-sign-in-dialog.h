/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_SIGN_IN_DIALOG (ear_sign_in_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarSignInDialog, ear_sign_in_dialog, EAR, SIGN_IN_DIALOG, AdwDialog)

EarSignInDialog *ear_sign_in_dialog_new (EarLogins *logins, EarPodcast *podcast);

G_END_DECLS
