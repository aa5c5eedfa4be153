/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_FIRST_STEPS (ear_first_steps_get_type ())
G_DECLARE_FINAL_TYPE (EarFirstSteps, ear_first_steps, EAR, FIRST_STEPS, AdwBin)

gboolean   ear_first_steps_are_wanted (EarLibrary *library);
GtkWidget *ear_first_steps_new        (EarLibrary *library);

G_END_DECLS
