/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "ear-bookmarks.h"

G_BEGIN_DECLS

void ear_bookmarks_choose_export (EarBookmarks *bookmarks,
                                  const char   *format,
                                  GtkWindow    *window);
void ear_bookmark_edit_note (EarBookmarks *bookmarks, EarBookmark *bookmark, GtkWidget *parent);

G_END_DECLS
