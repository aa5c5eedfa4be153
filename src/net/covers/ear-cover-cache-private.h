/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-cover-cache.c and ear-cover-cache-files.c share. */

#include "ear-cover-cache.h"
#include "ear-cover-workers.h"
#include "ear-image-store.h"

G_BEGIN_DECLS

struct _EarCoverCache
{
  GObject parent_instance;

  /* Owned */
  EarHttp *http;
  char *directory;
  EarImageStore *store;
  EarCoverWorkers *workers;
  GHashTable *loads;    /* address to Load */
  GHashTable *checked;  /* addresses that were asked again for */
  GCancellable *cancellable;

  gboolean pruned;
};

void ear_cover_cache_prune_once (EarCoverCache *self);

G_END_DECLS
