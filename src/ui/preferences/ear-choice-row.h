/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_CHOICE_ROW (ear_choice_row_get_type ())
G_DECLARE_FINAL_TYPE (EarChoiceRow, ear_choice_row, EAR, CHOICE_ROW, AdwComboRow)

const char *ear_setting_row_get_property (gpointer row);

G_END_DECLS
