/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-event.h"
#include "ear-database.h"
#include "ear-episode-record.h"
#include "ear-marks.h"
#include "ear-podcast-settings.h"

G_BEGIN_DECLS

/*
 * What can be done to the catalogue, in SQL; used by the writer thread alone. Between
 * begin and commit each function adds what it did to the event.
 */
typedef struct _EarCatalogueTables EarCatalogueTables;

/* Whether somebody waits for what is done to end. */
typedef gboolean (*EarStopFunc) (gpointer user_data);

EarCatalogueTables *ear_catalogue_tables_new        (EarDatabase        *database,
                                                   GError            **error);
void               ear_catalogue_tables_free       (EarCatalogueTables  *self);
gboolean           ear_catalogue_tables_begin      (EarCatalogueTables  *self,
                                                   GError            **error);
EarCatalogueEvent *ear_catalogue_tables_get_event  (EarCatalogueTables  *self);
EarCatalogueEvent *ear_catalogue_tables_commit     (EarCatalogueTables  *self,
                                                   GError            **error);
void               ear_catalogue_tables_roll_back  (EarCatalogueTables  *self);
void               ear_catalogue_tables_close     (EarCatalogueTables  *self,
                                                   gboolean             damaged);

gboolean           ear_catalogue_tables_renew_texts    (EarCatalogueTables *self,
                                                        GError            **error);
EarCatalogueEvent *ear_catalogue_tables_index_texts    (EarCatalogueTables *self,
                                                        EarStopFunc         is_to_stop,
                                                        gpointer            user_data,
                                                        gboolean           *more);
gboolean           ear_catalogue_tables_is_indexing    (EarCatalogueTables *self);
gint64             ear_catalogue_tables_tidy           (EarCatalogueTables *self);
gboolean           ear_catalogue_tables_has_long_log   (EarCatalogueTables *self);
gboolean           ear_catalogue_tables_follow         (EarCatalogueTables *self,
                                                        gint64              podcast,
                                                        const char         *address,
                                                        const char         *title,
                                                        gint64              followed,
                                                        GError            **error);
gboolean           ear_catalogue_tables_set_hidden     (EarCatalogueTables *self,
                                                        gint64              podcast,
                                                        gint64              hidden,
                                                        gint64              now,
                                                        GError            **error);
gboolean           ear_catalogue_tables_purge          (EarCatalogueTables *self,
                                                        gint64              podcast,
                                                        gboolean           *done,
                                                        GError            **error);
void               ear_catalogue_tables_begin_response (EarCatalogueTables *self,
                                                        gint64              podcast);
void               ear_catalogue_tables_spoil_response (EarCatalogueTables *self,
                                                        gint64              podcast);
gboolean           ear_catalogue_tables_put_batch      (EarCatalogueTables *self,
                                                        gint64              podcast,
                                                        EarPodcastFacts    *facts,
                                                        GPtrArray          *records,
                                                        GError            **error);
gboolean           ear_catalogue_tables_put_check      (EarCatalogueTables *self,
                                                        gint64              podcast,
                                                        EarPodcastFacts    *facts,
                                                        const EarFeedCheck *check,
                                                        GError            **error);
gboolean           ear_catalogue_tables_put_state      (EarCatalogueTables    *self,
                                                        gint64                 episode,
                                                        const EarEpisodeState *state,
                                                        GError               **error);
gboolean           ear_catalogue_tables_put_states     (EarCatalogueTables *self,
                                                        gint64              podcast,
                                                        GHashTable         *states,
                                                        GError            **error);
gboolean           ear_catalogue_tables_put_settings   (EarCatalogueTables       *self,
                                                        gint64                    podcast,
                                                        const EarPodcastSettings *settings,
                                                        GError                  **error);
EarMarks          *ear_catalogue_tables_mark           (EarCatalogueTables    *self,
                                                        GArray                *ids,
                                                        const EarEpisodeQuery *query,
                                                        gint64                 older_than,
                                                        const EarEpisodeState *state,
                                                        GError               **error);
gboolean           ear_catalogue_tables_list_marks     (EarCatalogueTables *self,
                                                        EarMarksFunc        func,
                                                        gpointer            user_data,
                                                        GError            **error);
gboolean           ear_catalogue_tables_put_duration   (EarCatalogueTables *self,
                                                        gint64              episode,
                                                        gint64              duration,
                                                        GError            **error);
gboolean           ear_catalogue_tables_has_downloads  (EarCatalogueTables *self,
                                                        GPtrArray          *marks);
gboolean           ear_catalogue_tables_put_downloads  (EarCatalogueTables *self,
                                                        GPtrArray          *marks,
                                                        gboolean            whole,
                                                        GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueTables, ear_catalogue_tables_free)

G_END_DECLS
