/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_WELCOME_PAGE (ear_welcome_page_get_type ())
G_DECLARE_FINAL_TYPE (EarWelcomePage, ear_welcome_page, EAR, WELCOME_PAGE, AdwBin)

G_END_DECLS
