/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _EarBookmarks EarBookmarks;
typedef struct _EarCatalogue EarCatalogue;
typedef struct _EarChapterControl EarChapterControl;
typedef struct _EarDocuments EarDocuments;
typedef struct _EarDownloader EarDownloader;
typedef struct _EarHistory EarHistory;
typedef struct _EarHttp EarHttp;
typedef struct _EarKeyring EarKeyring;
typedef struct _EarLists EarLists;
typedef struct _EarLogins EarLogins;
typedef struct _EarNotices EarNotices;
typedef struct _EarPlayOrder EarPlayOrder;
typedef struct _EarPlayer EarPlayer;
typedef struct _EarRefresher EarRefresher;
typedef struct _EarSettings EarSettings;
typedef struct _EarSkipEnds EarSkipEnds;
typedef struct _EarSubscriptions EarSubscriptions;
typedef struct _EarUserdataStore EarUserdataStore;

/* The parts of the library that others are built on. A constructor takes references to
 * those that its object needs; parts that are created later are %NULL. */
typedef struct
{
  EarSettings *settings;
  EarNotices *notices;
  EarHttp *http;
  EarKeyring *keyring;
  GNetworkMonitor *network;
  EarPlayer *player;
  EarPlayOrder *order;
  EarHistory *history;
  EarSkipEnds *skip_ends;
  EarCatalogue *catalogue;
  EarUserdataStore *state;
  EarRefresher *refresher;
  EarDownloader *downloader;
  EarDocuments *documents;
  EarChapterControl *chapter_control;
  EarLists *lists;
  EarLogins *logins;
  EarSubscriptions *subscriptions;
  EarBookmarks *bookmarks;
} EarServices;

G_END_DECLS
