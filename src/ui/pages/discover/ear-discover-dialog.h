/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_DISCOVER_DIALOG (ear_discover_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarDiscoverDialog, ear_discover_dialog, EAR, DISCOVER_DIALOG, AdwDialog)

EarDiscoverDialog *ear_discover_dialog_new (EarLibrary *library, EarPodcast *like,
                                            const char *text);
void ear_discover_dialog_type (EarDiscoverDialog *self, const char *text);
void ear_discover_dialog_preview (EarDiscoverDialog *self, EarPodcast *podcast);

G_END_DECLS
