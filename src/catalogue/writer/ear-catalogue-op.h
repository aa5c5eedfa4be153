/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"
#include "ear-episode-state.h"
#include "ear-facts.h"
#include "ear-feed-check.h"
#include "ear-marks.h"
#include "ear-podcast-settings.h"

G_BEGIN_DECLS

typedef enum
{
  EAR_OP_FOLLOW,
  EAR_OP_SET_HIDDEN,
  EAR_OP_PURGE,
  EAR_OP_BEGIN_ANSWER,
  EAR_OP_BATCH,
  EAR_OP_CHECK,
  EAR_OP_STATE,
  EAR_OP_STATES,
  EAR_OP_DURATION,
  EAR_OP_SETTINGS,
  EAR_OP_MARK,
  EAR_OP_DOWNLOADS,
  EAR_OP_RENEW_TEXTS,
  EAR_OP_FLUSH,
} EarCatalogueOpType;

/* Something that the writer thread is to do; the members that its type needs are set. */
typedef struct
{
  EarCatalogueOpType type;
  gint64 podcast;
  gint64 episode;
  gint64 value; /* Unix seconds of following or unfollowing; duration; whether the downloads are all */
  gint64 time;  /* Unix seconds of now */
  char *address;
  char *title;
  EarPodcastFacts *facts;
  GPtrArray *records; /* (element-type EarEpisodeRecord) */
  EarFeedCheck *check;
  EarEpisodeState state;
  GHashTable *states;
  EarPodcastSettings settings;
  GArray *ids;            /* (nullable) (element-type gint64): episodes to mark */
  EarEpisodeQuery *query; /* (nullable): without ids */
  EarMarks *marks;        /* what was done */
  GPtrArray *downloads;   /* (element-type EarDownloadMark) */
  guint n_before;         /* how many states were stored in the same transaction before */
  GTask *task;
  gsize size; /* bytes of memory that the records hold, about */
} EarCatalogueOp;

EarCatalogueOp *ear_catalogue_op_new  (EarCatalogueOpType type,
                                       gint64             podcast);
EarCatalogueOp *ear_catalogue_op_new_follow (gint64      podcast,
                                             const char *address,
                                             const char *title,
                                             gint64      followed);
void            ear_catalogue_op_free (EarCatalogueOp    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueOp, ear_catalogue_op_free)

G_END_DECLS
