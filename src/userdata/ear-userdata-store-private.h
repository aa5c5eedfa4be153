/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-userdata-store.c, ear-userdata-store-backups.c and ear-userdata-store-changes.c share. */

#include "ear-userdata-store.h"
#include "ear-userdata-worker.h"

G_BEGIN_DECLS

struct _EarUserdataStore
{
  GObject parent_instance;

  /* Owned */
  char *directory;
  guint delay;
  EarUserdataWorker *worker;

  guint n_set; /* subscriptions, since the start */
};

G_END_DECLS
