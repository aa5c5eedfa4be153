/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-library.c and its topics, the files ear-library-*.c, share. */

#include "ear-library.h"

#include "ear-downloader.h"
#include "ear-import.h"
#include "ear-play-order.h"
#include "ear-refresh-schedule.h"
#include "ear-refresher.h"
#include "ear-state-store.h"
#include "ear-subscriptions.h"
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
  EarCatalogue *catalogue;
  GThread *reading;     /* (nullable): opens the catalogue before it is wanted */
  EarStateStore *state;
  EarSubscriptions *subscriptions;
  EarKeyring *keyring;
  EarRefresher *refresher;
  EarRefreshSchedule *schedule;
  EarPlayer *player;
  EarHistory *history;
  EarPlayOrder *order;
  EarUpkeep *upkeep;
  EarDownloader *downloader;
  GNetworkMonitor *network;
  EarImport *import;      /* (nullable): the one that runs, or ran last */
  GPtrArray *directories; /* (element-type EarDirectory) (nullable): made when first asked */
  GHashTable *newcomers; /* (element-type EarPodcast): followed lately, and have no rows yet */
  GHashTable *former;   /* (element-type utf8 EarPodcast): by the address it may have had before, until that is read */
  GHashTable *grown;    /* (element-type EarPodcast): got rows that their state is not applied to yet */
  GHashTable *arrived;  /* (element-type EarPodcast GArray): row ids of news, until the refresh that brings them ends */
  GMemoryMonitor *memory;
  GCancellable *cancellable;
  char *last_address;   /* what was in the player the last time, until it is there again */
  char *last_guid;
  char *tried_media;    /* (nullable): whose server has not said yet whether it takes what the listener has typed */
  gint64 last_position;
  guint settling;       /* source, until a start has come to rest */
  gboolean told_no_room; /* for episodes, since all were stored the last time */
  gint64 not_stored_told; /* when it was said last that a password cannot be kept, monotonic; or 0 */
  gboolean got_rows;     /* since the refresher was at rest: some episodes were stored, */
  gboolean lost_rows;    /* and some were not */
  gboolean errand;      /* nothing but what is asked for is done */
  gboolean unattended;  /* nobody is there to see how it begins */
};

/* The object */
void        ear_library_forward_parts   (EarLibrary *self);

/* Opening */
void        ear_library_forget_ahead    (EarLibrary *self);
gboolean    ear_library_has_old_logins  (EarLibrary *self);
void        ear_library_remove_old_logins (EarLibrary *self);
void        ear_library_keep_old_logins (EarLibrary *self);

/* Its parts */
void        ear_library_follow_parts    (EarLibrary *self);
void        ear_library_follow_settings (EarLibrary *self);
void        ear_library_follow_player   (EarLibrary *self);
void        ear_library_tell_player     (EarLibrary *self);
void        ear_library_load_podcast    (EarLibrary *self,
                                         EarPodcast *podcast);

/* Downloads */
void        ear_library_follow_downloader (EarLibrary *self);
char       *ear_library_describe_removed_downloads (guint n);
EarUndo    *ear_library_create_downloads_undo (EarLibrary *self,
                                               GPtrArray  *records,
                                               const char *message);
void        ear_library_open_media      (EarLibrary *self,
                                         EarEpisode *episode,
                                         gint64      position);

/* Podcasts that come back */
void        ear_library_find_former     (EarLibrary *self,
                                         EarPodcast *podcast);
void        ear_library_take_former     (EarLibrary *self,
                                         const char *address,
                                         GHashTable *states);

/* News */
GHashTable *ear_library_new_arrivals    (void);
void        ear_library_note_arrivals   (EarLibrary *self,
                                         gint64      podcast_id,
                                         GArray     *ids);
void        ear_library_tell_arrivals   (EarLibrary *self,
                                         EarPodcast *podcast);

G_END_DECLS
