/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-op.h"
#include "ear-database.h"
#include "ear-episode-record.h"
#include "ear-link-query.h"
#include "ear-marks.h"
#include "ear-podcast-settings.h"

G_BEGIN_DECLS

/* Name of a podcast's folder among its settings; no setting has that name. */
#define EAR_CATALOGUE_FOLDER "folder"

/* SQL operations on the catalogue, for the writer thread only. Between begin and commit
 * each function adds its changes to the event. Functions with an op perform it; their
 * comments describe its data. */

/* A podcast to follow, or to preview; the op's value is the time of following in Unix
 * seconds, or 0 for a preview. */
typedef struct
{
  char *address;
  char *title; /* (nullable) */
} EarNewPodcast;

/* A part of a feed's response */
typedef struct
{
  EarPodcastFacts *facts; /* (nullable) */
  GPtrArray *records;     /* (element-type EarEpisodeRecord) */
} EarBatch;

/* The end of a feed's response */
typedef struct
{
  EarPodcastFacts *facts; /* (nullable): the feed's facts; %NULL for a 304 or no response */
  EarFeedCheck *check;
} EarCheckData;

/* Marking many episodes */
typedef struct
{
  GArray *ids;            /* (nullable) (element-type gint64) */
  EarEpisodeQuery *query; /* (nullable): without ids */
  gint64 older_than;      /* row id, or 0 */
  EarEpisodeState state;  /* one mark, with a stamp */
  GTask *task;
  EarMarks *marks;        /* (nullable): the changed marks */
  guint n_before;         /* single states stored before in the same transaction */
} EarMarking;

/* Links of several episodes */
typedef struct
{
  GPtrArray *episodes; /* (element-type EarUnlinked) */
  GTask *task;         /* (nullable): completed when they are stored */
} EarLinksToStore;

/* Whether to stop, because somebody waits. */
typedef gboolean (*EarStopFunc) (gpointer user_data);

EarCatalogueTables *ear_catalogue_tables_new        (EarDatabase        *database,
                                                   GError            **error);
void               ear_catalogue_tables_free       (EarCatalogueTables  *self);
gboolean           ear_catalogue_tables_begin      (EarCatalogueTables  *self,
                                                   GError            **error);
EarCatalogueEvent *ear_catalogue_tables_commit     (EarCatalogueTables  *self,
                                                   GError            **error);
void               ear_catalogue_tables_roll_back  (EarCatalogueTables  *self);
void               ear_catalogue_tables_close     (EarCatalogueTables  *self,
                                                   gboolean             damaged);

EarCatalogueEvent *ear_catalogue_tables_index_texts    (EarCatalogueTables *self,
                                                        EarStopFunc         is_to_stop,
                                                        gpointer            user_data,
                                                        gboolean           *more);
gboolean           ear_catalogue_tables_is_indexing    (EarCatalogueTables *self);
gint64             ear_catalogue_tables_tidy           (EarCatalogueTables *self);
gboolean           ear_catalogue_tables_has_long_log   (EarCatalogueTables *self);
void               ear_catalogue_tables_spoil_response (EarCatalogueTables *self,
                                                        gint64              podcast);

gboolean ear_catalogue_tables_renew_texts (EarCatalogueTables *self,
                                           EarCatalogueOp     *op,
                                           GError            **error);
gboolean ear_catalogue_tables_follow (EarCatalogueTables *self,
                                      EarCatalogueOp     *op,
                                      GError            **error);
gboolean ear_catalogue_tables_set_hidden (EarCatalogueTables *self,
                                          EarCatalogueOp     *op,
                                          GError            **error);
gboolean ear_catalogue_tables_purge (EarCatalogueTables *self,
                                     EarCatalogueOp     *op,
                                     GError            **error);
gboolean ear_catalogue_tables_begin_response (EarCatalogueTables *self,
                                              EarCatalogueOp     *op,
                                              GError            **error);
gboolean ear_catalogue_tables_put_batch (EarCatalogueTables *self,
                                         EarCatalogueOp     *op,
                                         GError            **error);
gboolean ear_catalogue_tables_put_check (EarCatalogueTables *self,
                                         EarCatalogueOp     *op,
                                         GError            **error);
gboolean ear_catalogue_tables_put_state (EarCatalogueTables *self,
                                         EarCatalogueOp     *op,
                                         GError            **error);
gboolean ear_catalogue_tables_put_states (EarCatalogueTables *self,
                                          EarCatalogueOp     *op,
                                          GError            **error);
gboolean ear_catalogue_tables_put_settings (EarCatalogueTables *self,
                                            EarCatalogueOp     *op,
                                            GError            **error);
gboolean ear_catalogue_tables_put_folder   (EarCatalogueTables *self,
                                            EarCatalogueOp     *op,
                                            GError            **error);
gboolean ear_catalogue_tables_mark (EarCatalogueTables *self,
                                    EarCatalogueOp     *op,
                                    GError            **error);
gboolean           ear_catalogue_tables_list_marks     (EarCatalogueTables *self,
                                                        EarMarksFunc        func,
                                                        gpointer            user_data,
                                                        GError            **error);
gboolean ear_catalogue_tables_put_duration (EarCatalogueTables *self,
                                            EarCatalogueOp     *op,
                                            GError            **error);
gboolean ear_catalogue_tables_needs_transcript (EarCatalogueTables *self,
                                                EarCatalogueOp     *op);
gboolean ear_catalogue_tables_put_transcript (EarCatalogueTables *self,
                                              EarCatalogueOp     *op,
                                              GError            **error);
gboolean ear_catalogue_tables_needs_chapters (EarCatalogueTables *self,
                                              EarCatalogueOp     *op);
gboolean ear_catalogue_tables_put_chapters (EarCatalogueTables *self,
                                            EarCatalogueOp     *op,
                                            GError            **error);
gboolean ear_catalogue_tables_put_links (EarCatalogueTables *self,
                                         EarCatalogueOp     *op,
                                         GError            **error);
gboolean ear_catalogue_tables_needs_downloads (EarCatalogueTables *self,
                                               EarCatalogueOp     *op);
gboolean ear_catalogue_tables_put_downloads (EarCatalogueTables *self,
                                             EarCatalogueOp     *op,
                                             GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueTables, ear_catalogue_tables_free)

G_END_DECLS
