/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-library.c and its topics, the files ear-library-*.c, share. */

#include "ear-library.h"

#include "ear-auto-downloads.h"
#include "ear-download-cleaner.h"
#include "ear-download-place.h"
#include "ear-link-collector.h"
#include "ear-podcast-merger.h"
#include "ear-records.h"
#include "ear-skip-ends.h"
#include "ear-userdata-store.h"
#include "ear-upkeep.h"

G_BEGIN_DECLS

struct _EarLibrary
{
  GObject parent_instance;

  /* Owned */
  char *data_directory;
  char *cache_directory;
  int lock; /* a file descriptor, or -1: see ear_library_lock() */
  EarSettings *settings;
  EarNotices *notices;
  EarHttp *http;
  EarCoverCache *covers;
  EarPlayer *player;
  EarPlayOrder *order;
  EarHistory *history;
  EarPlaybackSettings *playback_settings;
  EarSkipEnds *skip_ends;
  EarKeyring *keyring;
  GNetworkMonitor *network;
  GMemoryMonitor *memory;
  GPtrArray *directories; /* (element-type EarDirectory) (nullable): made when first asked */
  GThread *reading;       /* (nullable): opens the catalogue before it is wanted */
  guint settling;         /* source, until a start has come to rest */

  /* Owned, once it is open */
  EarCatalogue *catalogue;
  EarUserdataStore *state;
  EarRefresher *refresher;
  EarRefreshSchedule *schedule; /* until it is closed */
  EarDownloader *downloader;
  EarDownloadPlace *download_place;
  EarAutoDownloads *auto_downloads;
  EarDownloadCleaner *cleaner;
  EarDocuments *documents;
  EarLogins *logins;
  EarPlayControl *play_control;
  EarQueue *queue;
  EarBookmarks *bookmarks;
  EarReadingList *reading_list;
  EarLinkCollector *link_collector;
  EarLists *lists;
  EarSleepTimer *sleep_timer;
  EarChapterControl *chapter_control;
  EarRecords *skipped_chapters;
  EarRecords *listening_records;
  EarListening *listening;
  EarListeningMeter *listening_meter;
  EarSubscriptions *subscriptions;
  EarPodcastMerger *merger;
  EarImporter *importer;
  EarArrivals *arrivals;
  EarBackups *backups;
  EarUpkeep *upkeep;    /* until it is closed */
  GListModel *podcasts; /* of the catalogue */

  gboolean errand;     /* nothing but what is asked for is done */
  gboolean unattended; /* nobody is there to see how it begins */

  /* Of what befalls its files */
  gboolean told_no_room; /* for episodes, since all were stored the last time */
  gboolean got_rows;     /* since the refresher was at rest: some episodes were stored, */
  gboolean lost_rows;    /* and some were not */
};

void ear_library_notify_parts (EarLibrary *self);
void ear_library_follow_parts (EarLibrary *self);
void ear_library_follow_files (EarLibrary *self);
void ear_library_forget_ahead (EarLibrary *self);

G_END_DECLS
