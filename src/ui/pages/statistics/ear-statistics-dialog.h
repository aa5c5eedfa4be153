/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_STATISTICS_DIALOG (ear_statistics_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarStatisticsDialog, ear_statistics_dialog, EAR, STATISTICS_DIALOG, AdwDialog)

EarStatisticsDialog *ear_statistics_dialog_new (EarLibrary *library);

G_END_DECLS
