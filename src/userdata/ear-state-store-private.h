/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-state-store.c, ear-state-store-backups.c and ear-state-store-deeds.c share. */

#include "ear-state-store.h"
#include "ear-state-worker.h"

G_BEGIN_DECLS

struct _EarStateStore
{
  GObject parent_instance;

  /* Owned */
  char *directory;
  guint delay;
  EarStateWorker *worker;

  guint n_set; /* subscriptions, since the start */
};

G_END_DECLS
