/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-bookmarks.h"
#include "ear-reading-list.h"

G_BEGIN_DECLS

GBytes *ear_bookmark_export_markdown (GListModel *bookmarks, const char *heading);
GBytes *ear_bookmark_export_json (GListModel *bookmarks);

char *ear_link_dup_markdown (EarLink *link);
GBytes *ear_link_export (EarReadingList *list, GPtrArray *links, const char *heading);

G_END_DECLS
