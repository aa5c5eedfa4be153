/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"
#include "ear-columns.h"
#include "ear-database.h"
#include "ear-episode-query.h"
#include "ear-episode-sql.h"
#include "ear-facts.h"
#include "ear-feed-check.h"
#include "ear-known-episodes.h"
#include "ear-mark.h"
#include "ear-marks.h"
#include "ear-podcast-settings.h"
#include "ear-transcript.h"

G_BEGIN_DECLS

/* Changes of one podcast in one transaction. Empty arrays are %NULL. */
typedef struct
{
  gint64 podcast;
  GArray *inserted;  /* (element-type gint64) */
  GArray *changed;   /* (element-type gint64): sorted once the event is closed */
  GArray *removed;   /* (element-type gint64) */
  GArray *arrived;   /* (element-type gint64): inserted ones that are news */
  GArray *rewritten; /* (element-type gint64): episodes with new facts */
  GArray *marked;    /* (element-type gint64): episodes marked by others than their objects */
  GHashTable *renamed; /* (element-type utf8 utf8): the feed's present guids, by guid */
  EarEpisodeChange what;
  EarPodcastFacts *facts; /* (nullable) */
  EarFeedCheck *check;    /* (nullable) */
  gboolean counted;
  guint n_episodes;
  guint n_unplayed;
} EarPodcastEvent;

/* Result of an op, for its caller's task */
typedef struct
{
  GTask *task;
  EarMarks *marks; /* (nullable): the marked episodes */
  GError *error;   /* (nullable) */
} EarDoneEvent;

/* Changes of one transaction, on their way from the writer to the main thread */
typedef struct
{
  GPtrArray *podcasts;     /* (element-type EarPodcastEvent) */
  GHashTable *by_podcast;  /* row id: EarPodcastEvent */
  GArray *acknowledged;    /* (element-type gint64): episodes, once per stored state */
  GPtrArray *done;         /* (element-type EarDoneEvent) */
  GError *error;           /* (nullable) */
  gboolean lost_episodes;    /* because of `error`, until they are fetched again */
  gboolean replaced;       /* the file, before the session */
  gboolean linked;         /* links of episodes were stored, or are outdated */
  EarEpisodeTotals *totals; /* (nullable): unchanged */
  gint64 first_inserted;   /* row ids from here on are new */
} EarCatalogueEvent;

EarCatalogueEvent *ear_catalogue_event_new (gint64 first_inserted);
void ear_catalogue_event_free (EarCatalogueEvent *self);
EarPodcastEvent *ear_catalogue_event_get (EarCatalogueEvent *self, gint64 podcast);
void ear_podcast_event_insert (EarPodcastEvent *self, gint64 id);
void ear_podcast_event_append (GArray **ids, gint64 id);
void ear_podcast_event_change (EarPodcastEvent *self, gint64 id, EarEpisodeChange what);
void ear_podcast_event_rewrite (EarPodcastEvent *self, gint64 id, EarEpisodeChange what);
void ear_podcast_event_rename (EarPodcastEvent *self, const char *guid, const char *alias);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueEvent, ear_catalogue_event_free)

/* How the writer and its queue treat an op */
typedef enum
{
  EAR_OP_BATCH = 1 << 0, /* episodes of a feed, which wait for space in the queue */
  EAR_OP_CAN_WAIT = 1 << 1, /* not worth a transaction of its own */
  EAR_OP_ADDS_PODCAST = 1 << 2, /* inserts the podcast's row: repeated until that succeeds */
  EAR_OP_LEAVES_ROOM = 1 << 3, /* notes may have to be scanned, and the file needs upkeep */
  EAR_OP_FLUSH = 1 << 4, /* only reports that all earlier ops are done */
  EAR_OP_ACKNOWLEDGED = 1 << 5, /* the episode's object waits for the end of the op */
} EarCatalogueOpFlags;

typedef struct _EarCatalogueOp EarCatalogueOp;
typedef struct _EarCatalogueTables EarCatalogueTables;

/* Performs an op, within a transaction on the writer thread. After an error of the database, its
 * changes are rolled back: it need not end at once. */
typedef void EarWriteFunc (EarCatalogueTables *tables, EarCatalogueOp *op);

/* A write: an operation for the writer thread. Its function names the members that it
 * needs besides the row ids. */
struct _EarCatalogueOp
{
  EarWriteFunc *perform;   /* (nullable) */
  EarCatalogueOpFlags flags;
  gint64 podcast;          /* row id, or 0 */
  gint64 episode;          /* row id, or 0 */
  gint64 value;
  guint n_episodes;        /* in a batch */
  gsize size;              /* memory of the batch in bytes, approximately */

  /* Owned */
  char *text;
  char *title;
  EarPodcastFacts *facts;
  EarFeedCheck *check;
  GPtrArray *items;
  gpointer data;
  GDestroyNotify data_free;
  GTask *task;             /* (nullable): returns once the op is committed, or has failed */

  /* Output */
  EarMarks *marks;         /* (nullable): result of the task */
  gboolean again;          /* done in part: the rest comes after all waiting ops */
};

EarCatalogueOp *ear_catalogue_op_new (EarCatalogueOp values);
EarCatalogueOp *ear_catalogue_op_ref (EarCatalogueOp *self);
void ear_catalogue_op_unref (EarCatalogueOp *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueOp, ear_catalogue_op_unref)

/* Kinds of texts with times */
typedef enum
{
  EAR_MOMENTS_SENTENCES,
  EAR_MOMENTS_CHAPTERS,
} EarMomentsKind;

/* Name of a podcast's folder among its settings; no setting has that name. */
#define EAR_CATALOGUE_FOLDER "folder"

/* SQL operations on the catalogue, for the writer thread only. Between begin and commit
 * each function adds its changes to the event. Functions with an op perform it. */

/* Episodes to mark */
typedef struct
{
  GArray *ids;            /* (nullable) (element-type gint64) */
  EarEpisodeQuery *query; /* (nullable): without ids */
  EarEpisodeState state;  /* one mark, with a stamp */
} EarMarking;

/* A receiver of all marks */
typedef struct
{
  EarMarksFunc func;
  GObject *object;
} EarMarksReview;

EarCatalogueTables *ear_catalogue_tables_new (EarDatabase *database, GError **error);
void ear_catalogue_tables_free (EarCatalogueTables *self);
void ear_catalogue_tables_begin (EarCatalogueTables *self);
EarCatalogueEvent *ear_catalogue_tables_commit (EarCatalogueTables *self, GError **error);
void ear_catalogue_tables_roll_back (EarCatalogueTables *self);
void ear_catalogue_tables_close (EarCatalogueTables *self, gboolean damaged);

gint64 ear_catalogue_tables_tidy (EarCatalogueTables *self);
gboolean ear_catalogue_tables_has_unscanned (EarCatalogueTables *self, GError **error);
void ear_catalogue_tables_spoil_response (EarCatalogueTables *self, gint64 podcast);

EarWriteFunc ear_catalogue_tables_follow;
EarWriteFunc ear_catalogue_tables_set_hidden;
EarWriteFunc ear_catalogue_tables_purge;
EarWriteFunc ear_catalogue_tables_begin_response;
EarWriteFunc ear_catalogue_tables_put_batch;
EarWriteFunc ear_catalogue_tables_put_check;
EarWriteFunc ear_catalogue_tables_put_state;
EarWriteFunc ear_catalogue_tables_put_states;
EarWriteFunc ear_catalogue_tables_put_settings;
EarWriteFunc ear_catalogue_tables_put_folder;
EarWriteFunc ear_catalogue_tables_mark;
EarWriteFunc ear_catalogue_tables_list_marks;
EarWriteFunc ear_catalogue_tables_put_duration;
EarWriteFunc ear_catalogue_tables_put_moments;
EarWriteFunc ear_catalogue_tables_scan;
EarWriteFunc ear_catalogue_tables_put_downloads;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueTables, ear_catalogue_tables_free)

/* A sort key is a second and a number within it, and is unique. The key is also the row
 * id of the full text index, where each bit costs: there are few numbers within a second,
 * and further episodes get keys of the seconds before. */
#define EAR_KEYS_PER_SECOND 4

/* State of a feed's unfinished response */
typedef struct
{
  gint64 podcast;
  gint64 begun;      /* Unix seconds */
  gint64 n_answers;  /* number of the feed's stored responses */
  gint64 followed;   /* Unix seconds */
  gint64 newest;     /* newest sort key before this response: a date, or when it came */
  gboolean settled;  /* further episodes are fresh */
  gboolean restored; /* the podcast is of a copy that replaced a lost file; no response since */
  GHashTable *seen; /* row ids of the episodes */
  EarKnownEpisodes *items; /* the same episodes, for finding duplicates */
  EarKnownEpisodes *known; /* (nullable): the episodes known when the first new guid came */
  GPtrArray *suspects;     /* (element-type EarEpisodeRecord): maybe known; stored last */
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
} EarTextChange;

struct _EarCatalogueTables
{
  /* Owned */
  EarDatabase *database;
  EarCatalogueEvent *event; /* (nullable): of the open transaction */
  GHashTable *answers;      /* row id of the podcast: EarAnswer */
  GArray *text_changes;     /* (element-type EarTextChange) */
  GPtrArray *held;          /* (element-type EarEpisodeRecord): of the text changes */

  EarLinksFunc links_func; /* (nullable): without it, no notes are scanned */
  gint64 tidy_delay; /* idle time before notes are scanned, and then upkeep, in microseconds */
  gint64 next_id;  /* id of the next episode: never used twice in a session */
  gboolean unclean; /* the file is marked as in use */
};

EarAnswer *ear_catalogue_tables_get_response (EarCatalogueTables *self, gint64 podcast);
void ear_catalogue_tables_take_waiting (EarCatalogueTables *self, gint64 podcast, gint64 episode,
                                        const char *guid);
void ear_catalogue_tables_change_text (EarCatalogueTables *self, gint64 podcast, gint64 key,
                                       EarEpisodeRecord *record);
void ear_catalogue_tables_freshen_newest (EarCatalogueTables *self, gint64 podcast);
void ear_catalogue_tables_forget_links (EarCatalogueTables *self, gint64 episode, gint64 key);
void ear_catalogue_tables_forget_chapters (EarCatalogueTables *self, gint64 episode);
void ear_catalogue_tables_drop_links (EarCatalogueTables *self);

/* Titles of chapters, each with its time, for searches */
EarTranscript *ear_chapter_titles_new (EarChapters *chapters);

G_END_DECLS
