/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-bookmarks.h"

G_BEGIN_DECLS

#define EAR_TYPE_BOOKMARKS_VIEW (ear_bookmarks_view_get_type ())
G_DECLARE_FINAL_TYPE (EarBookmarksView, ear_bookmarks_view, EAR, BOOKMARKS_VIEW, AdwBin)

GtkWidget *ear_bookmarks_view_new (EarBookmarks *bookmarks);
void ear_bookmarks_view_set_search (EarBookmarksView *self, const char *search);

G_END_DECLS
