/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_DISCOVER_PAGE (ear_discover_page_get_type ())
G_DECLARE_FINAL_TYPE (EarDiscoverPage, ear_discover_page, EAR, DISCOVER_PAGE, AdwNavigationPage)

EarDiscoverPage *ear_discover_page_new (EarLibrary *library, EarPodcast *like);
void             ear_discover_page_look_for (EarDiscoverPage *self, const char *text);
const char      *ear_discover_page_get_category_name (const char *category);

G_END_DECLS
