/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-bookmarks.h"

G_BEGIN_DECLS

#define EAR_TYPE_BOOKMARK_ROW (ear_bookmark_row_get_type ())
G_DECLARE_FINAL_TYPE (EarBookmarkRow, ear_bookmark_row, EAR, BOOKMARK_ROW, AdwBin)

EarBookmarkRow *ear_bookmark_row_new (EarBookmarks *bookmarks, gboolean within);
EarBookmark *ear_bookmark_row_get_bookmark (EarBookmarkRow *self);
void ear_bookmark_row_set_bookmark (EarBookmarkRow *self, EarBookmark *bookmark);
void ear_bookmark_row_show (EarBookmarkRow *self);
void ear_bookmark_row_remove (EarBookmarkRow *self);

G_END_DECLS
