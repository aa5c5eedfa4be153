/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-schema.h"
#include "ear-catalogue.h"
#include "ear-database.h"
#include "ear-thread.h"
#include "ear-writer.h"

G_BEGIN_DECLS

typedef struct _EarCatalogueReader EarCatalogueReader;

EarCatalogueReader *ear_catalogue_reader_new (EarDatabase *database, GMainContext *context,
                                              EarWorkerPriority priority);
void ear_catalogue_reader_save_memory (EarCatalogueReader *self);
gboolean ear_catalogue_reader_close (EarCatalogueReader *self);

/* Health of the file, and its checks and copies */
typedef struct
{
  /* Owned */
  char *path;
  EarCatalogueReader *reader; /* (nullable): for checks and copies; made on demand */
  char *set_aside;       /* (nullable): path of the damaged file */

  gboolean was_unclean;  /* when it was opened: the last session was killed, or found damage */
  gboolean is_replaced;  /* the last file was lost */
  gboolean is_restored;  /* the file is a copy from some time ago */
  gboolean is_checking;
  gboolean was_checked;
  gboolean is_damaged;   /* the file will be replaced when it is closed */
} EarCatalogueHealth;

/* A podcast, hidden or not */
typedef struct
{
  EarCatalogue *catalogue; /* borrowed: it cancels the purges before it is freed */
  EarPodcast *podcast;
  EarFeedCheck *check;
  guint purge;         /* source that will purge it, while it is hidden; otherwise 0 */
  gboolean touched;    /* a preview with marks */
} EarKnownPodcast;

struct _EarCatalogue
{
  GObject parent_instance;

  /* Owned */
  GMainContext *context;
  EarMainQueue *main_queue;
  EarWriter *writer;      /* (nullable): %NULL for queries only */
  EarCatalogueReader *reader;
  EarCatalogueReader *notes_reader; /* (nullable): for notes, runs no searches; made on demand */
  EarDatabase *pages;     /* (nullable): the main thread's own connection, read-only */
  GListStore *podcasts;   /* the followed ones, by title */
  GHashTable *by_id;      /* row id: EarKnownPodcast, hidden ones included */
  GHashTable *episodes;   /* row id: LiveEpisode, a weak reference */
  GHashTable *downloads;  /* (element-type utf8 EarDownloadKind) (nullable): by podcast and guid;
                           * %NULL until known */
  GHashTable *lists;      /* (element-type utf8 GRefString): members of the listener's own lists */
  EarCatalogueHealth health;  /* health of the file */
  EarTextFunc text_func;

  gint64 next_podcast;
  guint purge_delay; /* milliseconds */
  guint n_new;
  guint n_in_progress;
  gboolean has_liked;
  gboolean has_heard;
  gboolean closed;
};

/* Podcasts */
gboolean ear_catalogue_load_podcasts (EarCatalogue *self, EarDatabase *database, GError **error);
void ear_catalogue_free_known (gpointer known);
EarPodcast *ear_catalogue_lookup_podcast (EarCatalogue *self, gint64 id);
void ear_catalogue_place_podcasts (EarCatalogue *self);
gboolean ear_catalogue_is_hidden (EarCatalogue *self, gint64 podcast);
void ear_catalogue_touch (EarCatalogue *self, EarPodcast *podcast);
void ear_catalogue_take_check (EarCatalogue *self, EarPodcast *podcast, EarFeedCheck *check);

EarCatalogueReader *ear_catalogue_ensure_reader (EarCatalogue *self, EarCatalogueReader **reader,
                                                 EarWorkerPriority priority);
void ear_catalogue_complete_query (EarCatalogue *self, EarEpisodeQuery *query);

/* Episodes */
EarEpisode *ear_catalogue_lookup_live (EarCatalogue *self, gint64 id);
GPtrArray *ear_catalogue_load_page (EarCatalogue *self, const gint64 *ids, guint n_ids);
void ear_catalogue_reload (EarCatalogue *self, GArray *ids, gboolean marks);
void ear_catalogue_acknowledge (EarCatalogue *self, gint64 id);
void ear_catalogue_free_live (gpointer live);

void ear_catalogue_find_namesakes (EarCatalogue *self);

/* Health of the file */
gboolean ear_catalogue_set_aside (const char *path, gboolean is_outdated, GError **error);
gboolean ear_catalogue_replace_file (EarCatalogue *self);
void ear_catalogue_note_error (EarCatalogue *self, const GError *error);

G_END_DECLS
