/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-discovery-input.h"
#include "ear-player.h"
#include "ear-sidebar-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Closures of the templates: pure functions, whose first argument is the object of the
 * binding and unused. The ones that only templates use are static.
 */
void ear_closures_bind (GtkWidgetClass *widget_class);
void ear_closures_add (GtkBuilderCScope *scope);

char *ear_closure_chapters_title (gpointer object, guint n_chapters, guint n_rows, gboolean narrow);
char *ear_closure_links_title (gpointer object, guint n_links, gboolean narrow);
char *ear_closure_page_title (gpointer object, const char *title);
char *ear_closure_download_room (gpointer object, guint n_done, guint64 size);
char *ear_closure_scope_label (gpointer object, gboolean is_podcast, const char *title);
char *ear_closure_search_error_body (gpointer object, const GError *error, EarDiscoveryInput input);
char *ear_closure_media_error_button (gpointer object, const GError *error);
GtkJustification ear_closure_title_justify (gpointer object, const char *text);
double ear_closure_part (gpointer object, guint done, guint total);
char *ear_closure_refresh_label (gpointer object, guint done, guint total);
char *ear_closure_listened_label (gpointer object, gboolean listened);
char *ear_closure_download_label (gpointer object, EarDownload download);
char *ear_closure_download_error (gpointer object, const GError *error);
char *ear_closure_download_hint (gpointer object, EarDownload download, const GError *error);
char *ear_closure_player_icon (gpointer object, EarPlayerState state);
char *ear_closure_player_tooltip (gpointer object, EarPlayerState state, int buffering);
char *ear_closure_player_page (gpointer object, EarPlayerState state, gboolean waiting);
char *ear_closure_whose_playback (gpointer object, gboolean own, double rate);
double ear_closure_fraction (gpointer object, gint64 position, gint64 duration);
char *ear_closure_sleep_label (gpointer object, const char *choice, guint remaining);
char *ear_closure_sleep_words (gpointer object, const char *choice, guint remaining);
char *ear_closure_volume_icon (gpointer object, double volume, gboolean muted);
char *ear_closure_play_label (gpointer object, EarPlayback playback, gint64 position,
                              gboolean listened);
char *ear_closure_skip_icon (gpointer object, guint seconds, const char *direction);
char *ear_closure_back_label (gpointer object, guint seconds);
char *ear_closure_forward_label (gpointer object, guint seconds);

G_END_DECLS
