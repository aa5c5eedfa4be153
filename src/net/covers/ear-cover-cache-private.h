/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by the source files of EarCoverCache */

#include "ear-cover-cache.h"
#include "ear-cover-files.h"
#include "ear-cover-header.h"
#include "ear-image-store.h"
#include "ear-thread.h"

G_BEGIN_DECLS

/* One thread reads the small cached files. Another decodes originals one at a time, so
 * that their memory does not add up. */
typedef enum
{
  EAR_COVER_WORKER_FILES,
  EAR_COVER_WORKER_DECODER,
} EarCoverWorker;

#define EAR_COVER_N_WORKERS 2

struct _EarCoverCache
{
  GObject parent_instance;

  /* Owned */
  EarHttp *http;
  char *directory;
  EarImageStore *store;
  EarThread *workers[EAR_COVER_N_WORKERS];
  GHashTable *loads;    /* URL to EarCoverLoad */
  GHashTable *checked;  /* URLs revalidated in this session */
  GHashTable *given;    /* name of a picture without a URL to EarCoverGiven */
  GQueue waiting;       /* of EarCoverLoad, waiting to be fetched */
  GCancellable *cancellable;

  guint n_fetched; /* fetches in progress */
  gboolean pruned;
};

typedef struct _EarCoverLoad EarCoverLoad;

/* The file contents of a picture supplied by a caller */
typedef struct
{
  GBytes *bytes;
  guint n_givers;
} EarCoverGiven;

typedef void (*EarCoverLoadFunc) (EarCoverLoad *load);

/* The load of one cover for all of its waiters. It lives until it is finished, even if no
 * waiter is left and it has been removed from `loads`. The members in progress belong to
 * a worker while that is running. */
struct _EarCoverLoad
{
  EarCoverCache *cache;
  char *address;
  EarCoverSize size;
  GPtrArray *waiters;
  GCancellable *cancellable;
  gboolean checking; /* revalidates a cached cover; has no waiters */

  /* In progress */
  EarCoverLoadFunc work;
  EarCoverLoadFunc next;
  EarCoverLoadFunc fetched;
  EarCoverFacts *facts;
  GBytes *given; /* (nullable): picture to decode instead of a fetched one */
  int scratch;
  guint8 magic[EAR_COVER_MAGIC_LENGTH];
  gsize magic_length;

  /* Output */
  EarImage *images[EAR_COVER_N_SIZES];
  GError *error;
};

void     ear_cover_load_look     (EarCoverLoad    *load,
                                  EarCoverLoadFunc next);
gboolean ear_cover_load_is_stale (EarCoverLoad    *load);
void     ear_cover_load_fetch    (EarCoverLoad    *load,
                                  EarCoverLoadFunc fetched);
void     ear_cover_load_take     (EarCoverLoad    *load,
                                  GBytes          *bytes,
                                  EarCoverLoadFunc taken);

void     ear_cover_cache_prune_once (EarCoverCache *self);

G_END_DECLS
