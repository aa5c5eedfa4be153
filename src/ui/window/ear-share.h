/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "ear-episode.h"
#include "ear-notices.h"

G_BEGIN_DECLS

void ear_open_address (GtkWidget *widget, const char *address);
void ear_show_in_folder (GtkWidget *widget, const char *path);
void ear_copy_text (GtkWidget *widget, const char *text);
void ear_copy_address (GtkWidget *widget, const char *address, gboolean is_private);
void ear_show_code (GtkWidget *widget, EarEpisode *episode, gint64 time);
void ear_export_choose (GtkWidget *widget, EarNotices *notices, const char *dialog_name,
                        const char *name, GBytes *bytes, const char *done, const char *failed);

G_END_DECLS
