/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "ear-bookmarks.h"
#include "ear-episode.h"

G_BEGIN_DECLS

/* Sharing. Before a private address is shared, the listener is asked. */
void ear_copy_address (GtkWidget *widget, const char *address, gboolean is_private);
void ear_copy_quote   (GtkWidget *widget, EarBookmarks *bookmarks, EarEpisode *episode, gint64 time);
void ear_show_code    (GtkWidget *widget, EarEpisode *episode, gint64 time);

G_END_DECLS
