/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-bookmarks.h"
#include "ear-item-row.h"

G_BEGIN_DECLS

#define EAR_TYPE_BOOKMARK_ROW (ear_bookmark_row_get_type ())
G_DECLARE_FINAL_TYPE (EarBookmarkRow, ear_bookmark_row, EAR, BOOKMARK_ROW, EarItemRow)

GtkWidget *ear_bookmark_row_new (EarBookmarks *bookmarks, EarBookmark *bookmark, gboolean within);

#define EAR_TYPE_BOOKMARKS_VIEW (ear_bookmarks_view_get_type ())
G_DECLARE_FINAL_TYPE (EarBookmarksView, ear_bookmarks_view, EAR, BOOKMARKS_VIEW, AdwBin)

GtkWidget *ear_bookmarks_view_new (EarBookmarks *bookmarks);

G_END_DECLS
