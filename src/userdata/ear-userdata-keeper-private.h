/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-record-file.h"
#include "ear-userdata-keeper.h"
#include "ear-userdata-now.h"
#include "ear-subscription-file.h"

G_BEGIN_DECLS

struct _EarUserdataKeeper
{
  /* Owned */
  EarJsonFolder *folder;
  GHashTable *documents; /* (element-type utf8 EarUserdataDocument): by file name */
  EarSubscriptionFile *subscriptions;
  guint n_set; /* number of subscriptions set since the start */
  EarRecordFile *records[EAR_N_RECORD_KINDS];
  guint n_records_set[EAR_N_RECORD_KINDS]; /* number set since the start */
  EarUserdataFile *now_file;
  char *place_path; /* path of the position line */
  EarMarks *now; /* (nullable): the current episode */
  EarEpisodeState now_state; /* its position */
  gboolean is_now_dirty;     /* @now is not written yet */
  GPtrArray *left; /* (element-type EarUserdataDocument): only now.json may have their
                    * latest position; not owned */

  /* Borrowed */
  EarUserdataTell tell;
  gpointer user_data;
};

EarUserdataDocument *ear_userdata_keeper_ensure_document (EarUserdataKeeper *self,
                                                          const char        *address);
void                 ear_userdata_keeper_notify_news     (EarUserdataKeeper   *self,
                                                          EarUserdataDocument *document);
void                 ear_userdata_keeper_settle          (EarUserdataKeeper *self);
gboolean             ear_userdata_keeper_absorb_now      (EarUserdataKeeper *self,
                                                          const char        *copy,
                                                          GError           **error);

G_END_DECLS
