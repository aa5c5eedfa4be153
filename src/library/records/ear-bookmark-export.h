/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-bookmarks.h"
#include "ear-reading-list.h"

G_BEGIN_DECLS

GBytes *ear_bookmark_export_markdown (GListModel *bookmarks, const char *heading);
GBytes *ear_bookmark_export_json (GListModel *bookmarks);

char *ear_link_dup_markdown (EarLink *link);
void ear_link_export_async (EarReadingList *list, GPtrArray *links, const char *heading,
                            GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
GBytes *ear_link_export_finish (EarReadingList *list, GAsyncResult *result, GError **error);

G_END_DECLS
