/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-tables.h"
#include "ear-known-episodes.h"

G_BEGIN_DECLS

/* A sort key is a second and a number within it, and is unique. The key is also the row
 * id of the full text index, where each bit costs: there are few numbers within a second,
 * and further episodes get keys of the seconds before. */
#define EAR_KEYS_PER_SECOND 4

/* An episode of a response, for sorting those of one date in the order of the feed */
typedef struct
{
  gint64 id;
  gint64 published; /* Unix seconds, or EAR_DATE_UNKNOWN */
  gint64 key;
  guint place;    /* index in the feed; G_MAXUINT: no longer in it */
  gboolean moved; /* new, or with another date */
} EarOrdered;

/* State of a feed's unfinished response */
typedef struct
{
  gint64 podcast;
  gint64 begun;     /* Unix seconds */
  guint n_items;    /* number of the feed's items so far */
  GHashTable *seen; /* row ids of the episodes */
  EarKnownEpisodes *items; /* the same episodes, for finding duplicates */
  GArray *order;           /* (element-type EarOrdered): the same, by index in the feed */
  EarKnownEpisodes *known; /* (nullable): the episodes known when the first new guid came */
  GPtrArray *suspects;     /* (element-type EarEpisodeRecord): maybe known with another guid; stored last */
  GArray *suspect_places;  /* (element-type guint): their indexes in the feed */
  gsize suspects_size;     /* bytes, approximately */
  gboolean partial; /* the list of seen episodes was cleared in between */
  gboolean spoilt;  /* a part of it could not be stored */
  gboolean paged;   /* its further pages are being read */
  gboolean over;    /* ended; freed with the commit, as the transaction may be repeated in parts */
} EarAnswer;

/* A row of the full text index to be written. Rows are inserted by row id: otherwise the
 * index would write its data after each. */
typedef struct
{
  gint64 key;
  gint64 podcast;
  EarEpisodeRecord *record; /* (nullable): %NULL removes the row. Lives until the commit */
  gboolean can_wait; /* of a first response: indexed later if there are many */
} EarTextChange;

struct _EarCatalogueTables
{
  /* Owned */
  EarDatabase *database;
  EarCatalogueEvent *event; /* (nullable): of the open transaction */
  GHashTable *answers;      /* row id of the podcast: EarAnswer */
  GHashTable *waiting;      /* row ids of podcasts that have rows in waiting_state */
  GArray *text_changes;     /* (element-type EarTextChange) */
  GPtrArray *held;          /* (element-type EarEpisodeRecord): of the text changes, until the commit */

  gint64 next_id;  /* id of the next episode: never used twice in a session */
  gboolean unclean; /* the file is marked as in use */
  gboolean is_indexing; /* the full text index lacks texts */
  gboolean is_renewing; /* because it is being rebuilt */
};

EarAnswer *ear_catalogue_tables_get_response     (EarCatalogueTables *self,
                                                  gint64              podcast);
gboolean   ear_catalogue_tables_take_waiting     (EarCatalogueTables *self,
                                                  gint64              podcast,
                                                  gint64              episode,
                                                  const char         *guid,
                                                  GError            **error);
void       ear_catalogue_tables_change_text      (EarCatalogueTables *self,
                                                  gint64              podcast,
                                                  gint64              key,
                                                  EarEpisodeRecord   *record,
                                                  gboolean            can_wait);
gboolean   ear_catalogue_tables_put_off_texts    (EarCatalogueTables *self,
                                                  GError            **error);
gboolean   ear_catalogue_tables_load_indexing    (EarCatalogueTables *self,
                                                  GError            **error);
gboolean   ear_catalogue_tables_put_text         (EarCatalogueTables *self,
                                                  gint64              key,
                                                  gint64              podcast,
                                                  const char         *title,
                                                  const char         *notes,
                                                  GError            **error);
gboolean   ear_catalogue_tables_find_key         (EarCatalogueTables *self,
                                                  gint64              published,
                                                  gint64              n_answers,
                                                  gboolean            arrives,
                                                  gint64              now,
                                                  gint64             *key,
                                                  GError            **error);
gboolean   ear_catalogue_tables_keeps_key        (gint64 key,
                                                  gint64 published);
gboolean   ear_catalogue_tables_order_answer     (EarCatalogueTables *self,
                                                  EarAnswer          *answer,
                                                  GError            **error);
gboolean   ear_catalogue_tables_merge_episode    (EarCatalogueTables *self,
                                                  gint64              episode,
                                                  gint64              into,
                                                  GError            **error);
gboolean   ear_catalogue_tables_merge_state      (EarCatalogueTables    *self,
                                                  gint64                 episode,
                                                  const EarEpisodeState *state,
                                                  GError               **error);
gboolean   ear_catalogue_tables_resolve_suspects (EarCatalogueTables *self,
                                                  EarAnswer          *answer,
                                                  GError            **error);
gboolean   ear_catalogue_tables_put_podcast      (EarCatalogueTables *self,
                                                  gint64              podcast,
                                                  EarPodcastFacts    *facts,
                                                  GError            **error);
gboolean   ear_catalogue_tables_freshen_newest   (EarCatalogueTables *self,
                                                  gint64              podcast,
                                                  GError            **error);
gboolean   ear_catalogue_tables_forget_links     (EarCatalogueTables *self,
                                                  gint64              episode,
                                                  gint64              key,
                                                  GError            **error);
gboolean   ear_catalogue_tables_offer_chapters   (EarCatalogueTables *self,
                                                  gint64              podcast,
                                                  gint64              episode,
                                                  EarTranscript      *titles,
                                                  GError            **error);
gboolean   ear_catalogue_tables_tell_chapters    (EarCatalogueTables *self,
                                                  gint64              episode,
                                                  gint64             *digest,
                                                  GError            **error);
gboolean   ear_catalogue_tables_forget_chapters  (EarCatalogueTables *self,
                                                  gint64              episode,
                                                  gint64              digest,
                                                  GError            **error);
gboolean   ear_catalogue_tables_drop_links       (EarCatalogueTables *self,
                                                  GError            **error);
gboolean   ear_catalogue_tables_set_gone         (EarCatalogueTables *self,
                                                  gint64              episode,
                                                  gboolean            gone,
                                                  GError            **error);

G_END_DECLS
