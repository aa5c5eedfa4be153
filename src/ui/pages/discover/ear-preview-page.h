/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_PREVIEW_PAGE (ear_preview_page_get_type ())
G_DECLARE_FINAL_TYPE (EarPreviewPage, ear_preview_page, EAR, PREVIEW_PAGE, AdwNavigationPage)

EarPreviewPage *ear_preview_page_new (EarLibrary *library, const char *address, const char *title,
                                      gboolean asks);

G_END_DECLS
