/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-import.h"

G_BEGIN_DECLS

EarImportFailure *ear_import_failure_new (EarPodcast   *podcast,
                                          const GError *error);

/* Whom to call for the podcasts of one list */
typedef struct _EarImportCaller EarImportCaller;

/* One podcast of a list */
typedef struct
{
  char *address;
  char *title;
  char *folder;
  EarImportCaller *caller; /* (nullable): still to be called */
  gint64 since;            /* being fetched since, in monotonic time */
  gboolean from_page;      /* a web page in the list has linked to it */
} EarImportItem;

EarImportCaller *ear_import_caller_new   (EarImportFunc   func,
                                          gpointer        user_data,
                                          GDestroyNotify  destroy);
void             ear_import_caller_unref (EarImportCaller *self);
EarImportItem   *ear_import_item_new     (const char      *address,
                                          const char      *title,
                                          const char      *folder,
                                          EarImportCaller *caller);
void             ear_import_item_call    (EarImportItem   *self,
                                          EarPodcast      *podcast);
void             ear_import_item_unref   (EarImportItem   *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarImportItem, ear_import_item_unref)

G_END_DECLS
