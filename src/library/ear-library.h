/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-backups.h"
#include "ear-bookmarks.h"
#include "ear-catalogue.h"
#include "ear-chapter-control.h"
#include "ear-cover-cache.h"
#include "ear-discovery.h"
#include "ear-documents.h"
#include "ear-downloader.h"
#include "ear-episode-list.h"
#include "ear-history.h"
#include "ear-importer.h"
#include "ear-listening.h"
#include "ear-lists.h"
#include "ear-logins.h"
#include "ear-notices.h"
#include "ear-play-order.h"
#include "ear-playback-controller.h"
#include "ear-playback-settings.h"
#include "ear-player.h"
#include "ear-queue.h"
#include "ear-reading-list.h"
#include "ear-refresher.h"
#include "ear-series.h"
#include "ear-settings.h"
#include "ear-sleep-timer.h"
#include "ear-subscriptions.h"
#include "ear-sync.h"

G_BEGIN_DECLS

#define EAR_TYPE_LIBRARY (ear_library_get_type ())
G_DECLARE_FINAL_TYPE (EarLibrary, ear_library, EAR, LIBRARY, GObject)

/* The composition root: it creates the parts of the application without a window,
 * connects them and provides them to callers. Passed on as a construct property. Main
 * thread only. Each part is a property, for templates, of the name of its getter; those that
 * need the catalogue are %NULL until the library is open. */
EarLibrary *ear_library_new (const char *data_directory, const char *cache_directory);
void ear_library_open_ahead (EarLibrary *self);
gboolean ear_library_lock (EarLibrary *self, GError **error);
gboolean ear_library_open (EarLibrary *self, GError **error);
void ear_library_start (EarLibrary *self, GFile *welcome);
void ear_library_start_headless (EarLibrary *self);
void ear_library_set_in_background (EarLibrary *self, gboolean in_background);
void ear_library_save_memory (EarLibrary *self);
void ear_library_close_async (EarLibrary *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean ear_library_close_finish (EarLibrary *self, GAsyncResult *result, GError **error);

const char *ear_library_get_data_directory (EarLibrary *self);
EarPlayer *ear_library_get_player (EarLibrary *self);
EarPlayOrder *ear_library_get_order (EarLibrary *self);
EarHistory *ear_library_get_history (EarLibrary *self);
EarSettings *ear_library_get_settings (EarLibrary *self);
EarCoverCache *ear_library_get_covers (EarLibrary *self);
EarNotices *ear_library_get_notices (EarLibrary *self);
EarCatalogue *ear_library_get_catalogue (EarLibrary *self);
EarSubscriptions *ear_library_get_subscriptions (EarLibrary *self);
EarRefresher *ear_library_get_refresher (EarLibrary *self);
EarImporter *ear_library_get_importer (EarLibrary *self);
EarDownloader *ear_library_get_downloader (EarLibrary *self);
EarDocuments *ear_library_get_documents (EarLibrary *self);
EarLogins *ear_library_get_logins (EarLibrary *self);
EarPlaybackController *ear_library_get_playback_controller (EarLibrary *self);
EarListening *ear_library_get_listening (EarLibrary *self);
EarQueue *ear_library_get_queue (EarLibrary *self);
EarBookmarks *ear_library_get_bookmarks (EarLibrary *self);
EarReadingList *ear_library_get_reading_list (EarLibrary *self);
EarLists *ear_library_get_lists (EarLibrary *self);
EarSleepTimer *ear_library_get_sleep_timer (EarLibrary *self);
EarChapterControl *ear_library_get_chapter_control (EarLibrary *self);
EarBackups *ear_library_get_backups (EarLibrary *self);
EarSync *ear_library_get_sync (EarLibrary *self);
GListModel *ear_library_get_podcasts (EarLibrary *self);
EarDiscovery *ear_library_create_discovery (EarLibrary *self);
EarChapterFinder *ear_library_create_chapter_finder (EarLibrary *self);
EarSeries *ear_library_create_series (EarLibrary *self);

G_END_DECLS
