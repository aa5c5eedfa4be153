/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_LINKS_VIEW (ear_links_view_get_type ())
G_DECLARE_FINAL_TYPE (EarLinksView, ear_links_view, EAR, LINKS_VIEW, AdwBin)

GtkWidget *ear_links_view_new (EarLibrary *library);
void ear_links_view_set_search (EarLinksView *self, const char *search);

G_END_DECLS
