/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sidebar-item.h"
#include "ear-discovery-input.h"
#include "ear-player.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * What the templates compute from properties: pure functions, the first argument of
 * which is the object that the binding is of, and is never looked at.
 */
void ear_closures_bind (GtkWidgetClass   *widget_class);
void ear_closures_add  (GtkBuilderCScope *scope);

gboolean    ear_closure_not              (gpointer       object,
                                          gboolean       value);
gboolean    ear_closure_neither          (gpointer       object,
                                          gboolean       first,
                                          gboolean       second);
gboolean    ear_closure_shows_video      (gpointer       object,
                                          gboolean       video,
                                          gboolean       narrow,
                                          GObject       *episode,
                                          GObject       *playing);
char       *ear_closure_text_of_playing  (gpointer       object,
                                          const char    *text,
                                          GObject       *episode,
                                          GObject       *playing);
gboolean    ear_closure_both             (gpointer       object,
                                          gboolean       first,
                                          gboolean       second);
gboolean    ear_closure_only_first       (gpointer       object,
                                          gboolean       first,
                                          gboolean       second);
gboolean    ear_closure_is_set           (gpointer       object,
                                          GObject       *value);
gboolean    ear_closure_has_text         (gpointer       object,
                                          const char    *text);
char       *ear_closure_first_text       (gpointer       object,
                                          const char    *first,
                                          const char    *second);
char       *ear_closure_chapters_title   (gpointer       object,
                                          guint          n_chapters,
                                          guint          n_rows,
                                          gboolean       narrow);
char       *ear_closure_links_title      (gpointer       object,
                                          guint          n_links,
                                          gboolean       narrow);
gboolean    ear_closure_is_positive      (gpointer       object,
                                          guint          number);
GtkOrientation ear_closure_narrow_orientation (gpointer  object,
                                               gboolean  narrow);

char       *ear_closure_count            (gpointer       object,
                                          guint          count);
gboolean    ear_closure_is_history       (gpointer       object,
                                          EarSidebarItem *collection);
gboolean    ear_closure_is_arranged       (gpointer       object,
                                           EarSidebarItem *collection);
char       *ear_closure_selected_label   (gpointer       object,
                                          guint          n_selected);
gboolean    ear_closure_is_single        (gpointer       object,
                                          GObject       *episode,
                                          int            n_ticked);
char       *ear_closure_single_or_none   (gpointer       object,
                                          GObject       *episode,
                                          int            n_ticked);
gboolean    ear_closure_has_pane_status  (gpointer       object,
                                          gboolean       choosable,
                                          GObject       *episode,
                                          int            n_ticked);
char       *ear_closure_pane_title       (gpointer       object,
                                          int            n_ticked);
char       *ear_closure_pane_words       (gpointer       object,
                                          int            n_ticked);
char       *ear_closure_scope_label      (gpointer       object,
                                          gboolean       counts_new,
                                          const char    *title);
char       *ear_closure_some_or_none     (gpointer       object,
                                          GObject       *value);
char       *ear_closure_download_room    (gpointer       object,
                                          guint          n_done,
                                          guint64        size);
char       *ear_closure_view_summary     (gpointer       object,
                                          EarSidebarItem *collection,
                                          guint          n_done,
                                          guint64        size,
                                          gint64         to_come,
                                          guint          n_queued,
                                          gint64         left);
char       *ear_closure_page_title       (gpointer       object,
                                          const char    *title);
char       *ear_closure_refresh_page     (gpointer       object,
                                          gboolean       refreshing,
                                          gboolean       narrow);
char       *ear_closure_podcast_facts    (gpointer       object,
                                          guint          n_episodes);
char       *ear_closure_series           (gpointer       object,
                                          guint          n_heard,
                                          guint          n_episodes,
                                          gint64         left,
                                          double         speed);
char       *ear_closure_error_title      (gpointer       object,
                                          const GError  *error);
char       *ear_closure_feed_error_body  (gpointer       object,
                                          const GError  *error);
char       *ear_closure_n_listed         (gpointer       object,
                                          guint          n_listed);
char       *ear_closure_search_error_body (gpointer          object,
                                           const GError     *error,
                                           EarDiscoveryInput input);
char       *ear_closure_media_error      (gpointer       object,
                                          const GError  *error);
char       *ear_closure_media_error_button (gpointer     object,
                                          const GError  *error);
char       *ear_closure_media_retry_label  (gpointer     object,
                                            const GError *error);
char       *ear_closure_media_retry_action (gpointer     object,
                                            const GError *error);
char       *ear_closure_sign_in_words    (gpointer       object,
                                          const char    *title);

char       *ear_closure_player_icon      (gpointer       object,
                                          EarPlayerState state);
char       *ear_closure_player_tooltip   (gpointer       object,
                                          EarPlayerState state,
                                          int            buffering);
gboolean    ear_closure_player_waits     (gpointer       object,
                                          EarPlayerState state);
gboolean    ear_closure_is_failed        (gpointer       object,
                                          EarPlayerState state);
char       *ear_closure_player_page      (gpointer       object,
                                          EarPlayerState state,
                                          gboolean       waiting);
char       *ear_closure_waiting_or       (gpointer       object,
                                          gboolean       waiting,
                                          const char    *text);
char       *ear_closure_rate             (gpointer       object,
                                          double         rate);
char       *ear_closure_time_saved       (gpointer       object,
                                          gint64         episode,
                                          gint64         total);
char       *ear_closure_whose_playback   (gpointer       object,
                                          gboolean       own,
                                          double         rate);
double      ear_closure_fraction         (gpointer       object,
                                          gint64         position,
                                          gint64         duration);
GtkJustification ear_closure_title_justify (gpointer object,
                                          const char    *text);
double      ear_closure_part             (gpointer       object,
                                          guint          done,
                                          guint          total);
char       *ear_closure_refresh_label    (gpointer       object,
                                          guint          done,
                                          guint          total,
                                          char         **waiting);
char       *ear_closure_sleep_label      (gpointer       object,
                                          const char    *choice,
                                          guint          remaining);
char       *ear_closure_sleep_words      (gpointer       object,
                                          const char    *choice,
                                          guint          remaining);
char       *ear_closure_volume_icon      (gpointer       object,
                                          double         volume,
                                          gboolean       muted);

char       *ear_closure_play_label       (gpointer       object,
                                          EarPlayback    playback,
                                          gint64         position,
                                          gint64         duration,
                                          gboolean       listened);
char       *ear_closure_play_icon        (gpointer       object,
                                          EarPlayback    playback);
char       *ear_closure_listened_label   (gpointer       object,
                                          gboolean       listened);
char       *ear_closure_queued_label     (gpointer       object,
                                          gboolean       queued);
char       *ear_closure_liked_icon       (gpointer       object,
                                          gboolean       liked);
char       *ear_closure_download_label   (gpointer       object,
                                          EarDownload    download);
char       *ear_closure_download_icon    (gpointer object, EarDownload download);
gboolean    ear_closure_download_failed  (gpointer       object,
                                          EarDownload    download);
char       *ear_closure_download_error   (gpointer       object,
                                          const GError  *error);
char       *ear_closure_download_hint    (gpointer       object,
                                          EarDownload    download,
                                          const GError  *error);
char       *ear_closure_download_retry_action (gpointer  object,
                                          const GError  *error);
char       *ear_closure_episode_image    (gpointer       object,
                                          const char    *own,
                                          const char    *podcast);

char       *ear_closure_back_icon        (gpointer       object,
                                          guint          seconds);
char       *ear_closure_forward_icon     (gpointer       object,
                                          guint          seconds);
char       *ear_closure_back_label       (gpointer       object,
                                          guint          seconds);
char       *ear_closure_forward_label    (gpointer       object,
                                          guint          seconds);

G_END_DECLS
