/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by ear-lists.c and ear-lists-verbs.c */

#include "ear-lists.h"
#include "ear-records.h"

G_BEGIN_DECLS

struct _EarLists
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarRecords *records;
  EarNotices *notices;
  GListStore *all;     /* (element-type EarList): in order */
  GHashTable *by_id;   /* (element-type utf8 EarList): borrowed */
  GHashTable *touched; /* (element-type EarList): lists to publish */
  GSource *resolve;    /* (nullable): finds the podcasts of all members again */

  gboolean changing; /* several records are being set; publish afterwards */
};

void ear_lists_set_records (EarLists *self, GPtrArray *records);

G_END_DECLS
