/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_APPLICATION (ear_application_get_type ())
G_DECLARE_FINAL_TYPE (EarApplication, ear_application, EAR, APPLICATION, AdwApplication)

EarApplication *ear_application_new         (void);
EarLibrary     *ear_application_get_library (EarApplication *self);

G_END_DECLS
