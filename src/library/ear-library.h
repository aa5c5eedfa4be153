/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-backup.h"
#include "ear-catalogue.h"
#include "ear-cover-cache.h"
#include "ear-discovery.h"
#include "ear-episode-list.h"
#include "ear-history.h"
#include "ear-import.h"
#include "ear-notes.h"
#include "ear-notices.h"
#include "ear-player.h"
#include "ear-refresh-pause.h"
#include "ear-settings.h"
#include "ear-takeover.h"

G_BEGIN_DECLS

#define EAR_TYPE_LIBRARY (ear_library_get_type ())
G_DECLARE_FINAL_TYPE (EarLibrary, ear_library, EAR, LIBRARY, GObject)

/*
 * The one composition root: everything that the application has and does, without a
 * window. Handed down by construct property. Main thread only. Properties:
 *   data-directory   string      construct-only: state/ and catalogue.db live in it
 *   cache-directory  string      construct-only: covers live in it
 *   podcasts         GListModel  of EarPodcast, by title
 *   player           EarPlayer
 *   settings         EarSettings
 *   covers           EarCoverCache
 *   history          EarHistory  what the listener did with episodes, and takes back
 *   notices          EarNotices  what the listener is told, and what he can take back
 *   episode          EarEpisode  read-only: what is in the player, NULL for nothing
 *   online           gboolean    read-only: whether there is a network
 *   refreshing       gboolean    read-only: whether any feed is being fetched
 *   refresh-total    guint       read-only: how many podcasts are being checked in this go, those that
 *                                are done included; 0 when none is. Those that are checked because
 *                                it is time are not counted: nobody waits for them
 *   refresh-done     guint       read-only: how many of them are done; both notify ten times a second at most
 *   refresh-waiting  GStrv       read-only: the servers that are waited for while nothing has come for some seconds, else NULL
 *   refresh-pause    EarRefreshPause  read-only: why podcasts are not checked by themselves at the moment
 *   can-go-next      gboolean    read-only: whether another episode follows in the list played from
 *   can-go-previous  gboolean    read-only
 *   import           EarImport   read-only: the import that runs, or ran last; NULL before the first
 *   downloader       EarDownloader  read-only: what is on this machine, once it is open
 *   n-downloads      guint       read-only: how many episodes are being downloaded, or wait for it
 *   downloading      gboolean    read-only: whether any of them is being fetched now
 *   n-new            guint       read-only: how many episodes EAR_FILTER_NEW shows
 *   n-in-progress    guint       read-only: how many EAR_FILTER_IN_PROGRESS shows
 *
 * Signals:
 *   episodes-arrived (EarPodcast *podcast, GPtrArray<EarEpisode> *episodes, guint n_episodes)
 *       a check has brought episodes that are news: a few of them, newest first, and how many
 *   started ()
 *       what is followed is known, after ear_library_start() or ear_library_start_for_errand()
 *   damaged ()
 *       the catalogue is damaged, and mended when the library is opened again
 */
EarLibrary     *ear_library_new              (const char *data_directory,
                                              const char *cache_directory);
gboolean        ear_library_needs_update     (EarLibrary *self);
void            ear_library_update_async     (EarLibrary          *self,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
gboolean        ear_library_update_finish    (EarLibrary    *self,
                                              GAsyncResult  *result,
                                              GError       **error);
void            ear_library_open_ahead       (EarLibrary  *self);
gboolean        ear_library_lock             (EarLibrary *self,
                                              GError    **error);
gboolean        ear_library_open             (EarLibrary  *self,
                                              GError     **error);
void            ear_library_start            (EarLibrary *self,
                                              GFile      *welcome);
void            ear_library_start_for_errand (EarLibrary *self);
void            ear_library_set_unattended   (EarLibrary *self,
                                              gboolean    unattended);
void            ear_library_save_memory      (EarLibrary *self);
void            ear_library_close_async      (EarLibrary          *self,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
gboolean        ear_library_close_finish     (EarLibrary    *self,
                                              GAsyncResult  *result,
                                              GError       **error);

GListModel     *ear_library_get_podcasts     (EarLibrary *self);
EarPlayer      *ear_library_get_player       (EarLibrary *self);
EarSettings    *ear_library_get_settings     (EarLibrary *self);
EarCoverCache  *ear_library_get_covers       (EarLibrary *self);
EarHistory     *ear_library_get_history      (EarLibrary *self);
EarNotices     *ear_library_get_notices      (EarLibrary *self);
EarEpisode     *ear_library_get_episode      (EarLibrary *self);
gboolean        ear_library_get_online       (EarLibrary *self);
gboolean        ear_library_get_can_go_next  (EarLibrary *self);
gboolean        ear_library_get_can_go_previous (EarLibrary *self);

EarPodcast     *ear_library_follow           (EarLibrary *self,
                                              const char *address,
                                              const char *title);
EarPodcast     *ear_library_add              (EarLibrary *self,
                                              const char *address,
                                              const char *title);
void            ear_library_unfollow         (EarLibrary *self,
                                              EarPodcast *podcast);
void            ear_library_set_podcast_notifications    (EarLibrary *self,
                                                          EarPodcast *podcast,
                                                          gboolean    notifications);
void            ear_library_set_podcast_refresh_interval (EarLibrary *self,
                                                          EarPodcast *podcast,
                                                          int         minutes);
void            ear_library_set_podcast_arrangement      (EarLibrary *self,
                                                          EarPodcast *podcast,
                                                          const char *filter,
                                                          const char *sort);
void            ear_library_try_podcast_address_async    (EarLibrary          *self,
                                                          EarPodcast          *podcast,
                                                          const char          *address,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
char           *ear_library_try_podcast_address_finish   (EarLibrary    *self,
                                                          GAsyncResult  *result,
                                                          char         **other,
                                                          GError       **error);
void            ear_library_set_podcast_address          (EarLibrary *self,
                                                          EarPodcast *podcast,
                                                          const char *address);
void            ear_library_refresh          (EarLibrary *self,
                                              EarPodcast *podcast);
void            ear_library_refresh_all      (EarLibrary *self);
void            ear_library_stop_refresh     (EarLibrary *self);
void            ear_library_sign_in_async    (EarLibrary          *self,
                                              EarPodcast          *podcast,
                                              const char          *user,
                                              const char          *password,
                                              GCancellable        *cancellable,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
gboolean        ear_library_sign_in_finish   (EarLibrary          *self,
                                              GAsyncResult        *result,
                                              GError             **error);

EarDiscovery   *ear_library_create_discovery (EarLibrary *self);
EarPodcast     *ear_library_find_podcast     (EarLibrary *self,
                                              const char *address);
EarPodcast     *ear_library_recognize        (EarLibrary         *self,
                                              EarDiscoveryResult *result);
EarPodcast     *ear_library_preview          (EarLibrary *self,
                                              const char *address,
                                              const char *title);
void            ear_library_end_preview      (EarLibrary *self,
                                              EarPodcast *podcast);

EarImport      *ear_library_import             (EarLibrary *self,
                                                GPtrArray  *outlines);
void            ear_library_import_file_async  (EarLibrary          *self,
                                                GFile               *file,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
int             ear_library_import_file_finish (EarLibrary    *self,
                                                GAsyncResult  *result,
                                                GError       **error);
void            ear_library_find_takeovers_async  (EarLibrary          *self,
                                                   GCancellable        *cancellable,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
GPtrArray      *ear_library_find_takeovers_finish (EarLibrary    *self,
                                                   GAsyncResult  *result,
                                                   GError       **error);
EarImport      *ear_library_get_import         (EarLibrary *self);
void            ear_library_unfollow_failed    (EarLibrary *self,
                                                EarImport  *import);
guint           ear_library_count_private      (EarLibrary *self);
void            ear_library_export_async       (EarLibrary          *self,
                                                gboolean             with_private,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
GBytes         *ear_library_export_finish      (EarLibrary    *self,
                                                GAsyncResult  *result,
                                                GError       **error);
void            ear_library_export_file_async  (EarLibrary          *self,
                                                GFile               *file,
                                                gboolean             replace,
                                                gboolean             with_private,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
gboolean        ear_library_export_file_finish (EarLibrary    *self,
                                                GAsyncResult  *result,
                                                GError       **error);

void            ear_library_find_episode_async  (EarLibrary          *self,
                                                const char          *key,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
EarEpisode     *ear_library_find_episode_finish (EarLibrary    *self,
                                                GAsyncResult  *result,
                                                GError       **error);
EarEpisodeList *ear_library_create_list      (EarLibrary            *self,
                                              const EarEpisodeQuery *query);
void            ear_library_load_notes_async (EarLibrary          *self,
                                              EarEpisode          *episode,
                                              GCancellable        *cancellable,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
void            ear_library_load_description_async (EarLibrary          *self,
                                                    EarPodcast          *podcast,
                                                    GCancellable        *cancellable,
                                                    GAsyncReadyCallback  callback,
                                                    gpointer             user_data);
EarNotes       *ear_library_load_notes_finish (EarLibrary    *self,
                                               GAsyncResult  *result,
                                               GError       **error);
gint64          ear_library_get_latest_date   (EarLibrary    *self,
                                               EarPodcast    *podcast);

void            ear_library_load_snippet_async (EarLibrary          *self,
                                                EarEpisode          *episode,
                                                const char          *search,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
EarSnippet     *ear_library_load_snippet_finish (EarLibrary    *self,
                                                 GAsyncResult  *result,
                                                 GError       **error);

void            ear_library_find_in_notes_async (EarLibrary          *self,
                                                 EarNotes            *notes,
                                                 const char          *search,
                                                 GCancellable        *cancellable,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
GArray         *ear_library_find_in_notes_finish (EarLibrary    *self,
                                                  GAsyncResult  *result,
                                                  GError       **error);

void            ear_library_play             (EarLibrary     *self,
                                              EarEpisode     *episode,
                                              EarEpisodeList *list);
void            ear_library_resume_async     (EarLibrary          *self,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
gboolean        ear_library_resume_finish    (EarLibrary    *self,
                                              GAsyncResult  *result,
                                              GError       **error);
gboolean        ear_library_can_resume       (EarLibrary    *self);
void            ear_library_toggle           (EarLibrary     *self,
                                              EarEpisode     *episode,
                                              EarEpisodeList *list);
void            ear_library_skip_back        (EarLibrary        *self);
void            ear_library_skip_forward     (EarLibrary        *self);
void            ear_library_seek             (EarLibrary     *self,
                                              EarEpisode     *episode,
                                              EarEpisodeList *list,
                                              gint64          position);
void            ear_library_next             (EarLibrary *self);
void            ear_library_previous         (EarLibrary *self);

void            ear_library_download         (EarLibrary *self,
                                              EarEpisode *episode);
void            ear_library_remove_download  (EarLibrary *self,
                                              EarEpisode *episode);
guint           ear_library_remove_downloads (EarLibrary *self);
void            ear_library_download_many    (EarLibrary *self,
                                              GArray     *ids);
void            ear_library_remove_many_downloads (EarLibrary *self,
                                                   GArray     *ids);
const char     *ear_library_get_downloads_path (EarLibrary *self);
guint           ear_library_get_n_downloads  (EarLibrary *self);
gboolean        ear_library_get_downloading  (EarLibrary *self);
char           *ear_library_dup_download_path (EarLibrary *self,
                                               EarEpisode *episode);

char           *ear_library_dup_report       (EarLibrary *self);
void            ear_library_list_backups_async    (EarLibrary          *self,
                                                  GCancellable        *cancellable,
                                                  GAsyncReadyCallback  callback,
                                                  gpointer             user_data);
GListModel     *ear_library_list_backups_finish   (EarLibrary    *self,
                                                  GAsyncResult  *result,
                                                  GError       **error);
void            ear_library_save_backup_async     (EarLibrary          *self,
                                                  GFile               *target,
                                                  GCancellable        *cancellable,
                                                  GAsyncReadyCallback  callback,
                                                  gpointer             user_data);
gboolean        ear_library_save_backup_finish    (EarLibrary    *self,
                                                  GAsyncResult  *result,
                                                  GError       **error);
void            ear_library_restore_backup_async  (EarLibrary          *self,
                                                  GFile               *file,
                                                  GAsyncReadyCallback  callback,
                                                  gpointer             user_data);
gboolean        ear_library_restore_backup_finish (EarLibrary    *self,
                                                  GAsyncResult  *result,
                                                  GError       **error);

G_END_DECLS
