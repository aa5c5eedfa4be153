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
  GHashTable *documents; /* (element-type utf8 EarUserdataDocument), by the name of the file */
  EarSubscriptionFile *subscriptions;
  guint n_set; /* subscriptions, since the start */
  EarRecordFile *records[EAR_N_RECORD_KINDS];
  guint n_records_set[EAR_N_RECORD_KINDS]; /* since the start */
  EarUserdataFile *now_file;
  char *place_path; /* of the place line */
  EarMarks *now; /* (nullable): what is played, one episode */
  EarEpisodeState now_state; /* where it is */
  gboolean is_now_dirty;     /* it is not in its file yet */
  GPtrArray *left; /* (element-type EarUserdataDocument): of what now.json may be the only one to know; not owned */

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
