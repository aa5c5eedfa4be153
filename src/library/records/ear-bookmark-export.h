/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-bookmark.h"

G_BEGIN_DECLS

char *ear_bookmark_dup_quotation (EarBookmark *bookmark);
GBytes *ear_bookmark_export_markdown (GListModel *bookmarks, const char *heading);
GBytes *ear_bookmark_export_json (GListModel *bookmarks);

G_END_DECLS
