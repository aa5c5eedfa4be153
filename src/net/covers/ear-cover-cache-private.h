/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the files of EarCoverCache share. */

#include "ear-cover-cache.h"
#include "ear-cover-files.h"
#include "ear-cover-header.h"
#include "ear-image-store.h"
#include "ear-thread.h"

G_BEGIN_DECLS

/* One thread reads our own small files; one decodes originals, one at a time, so that their memory does
 * not add up. */
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
  GHashTable *loads;    /* address to EarCoverLoad */
  GHashTable *checked;  /* addresses that were asked again for */
  GHashTable *given;    /* what pictures are called that have no address, to EarCoverGiven */
  GQueue waiting;       /* of EarCoverLoad that are to be fetched */
  GCancellable *cancellable;

  guint n_fetched; /* at the moment */
  gboolean pruned;
};

typedef struct _EarCoverLoad EarCoverLoad;

/* A picture that somebody has given us, as a file would have it */
typedef struct
{
  GBytes *bytes;
  guint n_givers;
} EarCoverGiven;

typedef void (*EarCoverLoadFunc) (EarCoverLoad *load);

/* A cover that is being loaded for everybody who wants it. It lives until it is done, even if it is in
 * `loads` no more since nobody wants it any longer. What is in progress belongs to a worker while that has
 * something to do. */
struct _EarCoverLoad
{
  EarCoverCache *cache;
  char *address;
  EarCoverSize size;
  GPtrArray *waiters;
  GCancellable *cancellable;
  gboolean checking; /* it was found, and may be another one by now; nobody waits for it */

  /* In progress */
  EarCoverLoadFunc work;
  EarCoverLoadFunc next;
  EarCoverLoadFunc fetched;
  EarCoverFacts *facts;
  GBytes *given; /* (nullable): what is to be decoded, in place of what is fetched */
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
