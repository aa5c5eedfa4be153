/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-lists.c and ear-lists-verbs.c share. */

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
  GListStore *all;     /* (element-type EarList): in their order */
  GHashTable *by_id;   /* (element-type utf8 EarList): borrowed, both */
  GHashTable *touched; /* (element-type EarList): what is in them is to be told */
  GSource *resolve;    /* (nullable): finds the podcasts of all members again, soon */

  gboolean changing; /* several records are set, before anybody is told */
};

void ear_lists_set_records (EarLists  *self,
                            GPtrArray *records);

G_END_DECLS
