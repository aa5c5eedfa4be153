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
#include "ear-services.h"
#include "ear-settings.h"
#include "ear-sleep-timer.h"
#include "ear-subscriptions.h"
#include "ear-sync.h"

G_BEGIN_DECLS

#define EAR_TYPE_LIBRARY (ear_library_get_type ())
G_DECLARE_FINAL_TYPE (EarLibrary, ear_library, EAR, LIBRARY, GObject)

/* The composition root: it creates the parts of the application without a window,
 * connects them and provides them to callers. Passed on as a construct property. Main
 * thread only. Its parts are listed in `ear-services.h`. */
EarLibrary *ear_library_new (const char *data_directory, const char *cache_directory);
void ear_library_open_ahead (EarLibrary *self);
gboolean ear_library_lock (EarLibrary *self, GError **error);
gboolean ear_library_open (EarLibrary *self, GError **error);
void ear_library_start (EarLibrary *self, GFile *welcome, gboolean in_background);
void ear_library_start_headless (EarLibrary *self);
void ear_library_save_memory (EarLibrary *self);
void ear_library_close_async (EarLibrary *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean ear_library_close_finish (EarLibrary *self, GAsyncResult *result, GError **error);

const char *ear_library_get_data_directory (EarLibrary *self);
#define EAR_LIBRARY_DECLARE_GET(Class, name, get_type)                                             \
  Class *ear_library_get_##name (EarLibrary *self);
EAR_SERVICES (EAR_LIBRARY_DECLARE_GET)
#undef EAR_LIBRARY_DECLARE_GET
EarDiscovery *ear_library_create_discovery (EarLibrary *self);
EarChapterFinder *ear_library_create_chapter_finder (EarLibrary *self);
EarSeries *ear_library_create_series (EarLibrary *self);

G_END_DECLS
