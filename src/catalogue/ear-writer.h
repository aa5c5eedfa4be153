/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"
#include "ear-columns.h"
#include "ear-database.h"
#include "ear-episode-query.h"
#include "ear-episode-sql.h"
#include "ear-facts.h"
#include "ear-feed-check.h"
#include "ear-mark.h"
#include "ear-podcast-settings.h"
#include "ear-thread.h"
#include "ear-transcript.h"

G_BEGIN_DECLS

/* Changes of one podcast in one transaction. Empty arrays are %NULL. */
typedef struct
{
  gint64 podcast;
  EarEpisodeChange what;
  guint n_new;       /* number of new rows */
  GArray *arrived;   /* (element-type gint64): new ones that are news */
  GArray *rewritten; /* (element-type gint64): episodes with new facts */
  GArray *marked;    /* (element-type gint64): episodes marked by others than their objects */
  EarMarks *renamed;   /* (nullable): episodes that have another guid in the feed now */
  EarPodcastFacts *facts; /* (nullable) */
  EarFeedCheck *check;    /* (nullable) */
  gboolean counted;
  guint n_episodes;
  guint n_unplayed;
} EarPodcastEvent;

/* Changes of one transaction, on their way from the writer to the main thread */
typedef struct
{
  GPtrArray *podcasts;    /* (element-type EarPodcastEvent) */
  GPtrArray *done;        /* (element-type EarCatalogueOp): those that somebody waits for */
  GError *error;          /* (nullable) */
  gboolean lost_episodes; /* because of `error`, until they are fetched again */
  gboolean replaced;      /* the file, before the session */
  gboolean linked;        /* links of episodes were stored, or are outdated */
  EarEpisodeTotals *totals; /* (nullable): unchanged */
} EarCatalogueEvent;

EarCatalogueEvent *ear_catalogue_event_new (void);
void ear_catalogue_event_free (EarCatalogueEvent *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueEvent, ear_catalogue_event_free)

/* How the writer and its queue treat an op */
typedef enum
{
  EAR_OP_BATCH = 1 << 0, /* episodes of a feed, which wait for space in the queue */
  EAR_OP_CAN_WAIT = 1 << 1, /* not worth a transaction of its own */
  EAR_OP_ADDS_PODCAST = 1 << 2, /* inserts the podcast's row: repeated until that succeeds */
  EAR_OP_LEAVES_ROOM = 1 << 3, /* notes may have to be scanned, and the file needs upkeep */
  EAR_OP_ACKNOWLEDGED = 1 << 4, /* the episode's object waits for the end of the op */
} EarCatalogueOpFlags;

typedef struct _EarCatalogueOp EarCatalogueOp;
typedef struct _EarWriter EarWriter;

/* Performs an op, within a transaction on the writer thread. After an error of the database, its
 * changes are rolled back: it need not end at once. */
typedef void EarWriteFunc (EarWriter *writer, EarCatalogueOp *op);

/* A write: an operation for the writer thread. Its function names the members that it
 * needs besides the row ids. */
struct _EarCatalogueOp
{
  EarWriteFunc *perform;   /* (nullable): without it, the task waits for all earlier ops */
  EarCatalogueOpFlags flags;
  gint64 podcast;          /* row id, or 0 */
  gint64 episode;          /* row id, or 0 */
  gint64 value;
  EarEpisodeState state;
  EarMarksFunc func;
  gsize size;              /* memory of the batch in bytes, approximately */

  /* Owned */
  char *text;
  char *title;
  EarPodcastFacts *facts;
  EarFeedCheck *check;
  GPtrArray *items;
  GArray *ids;
  EarEpisodeQuery *query;
  gpointer data;
  GDestroyNotify data_free;
  GTask *task;             /* (nullable): returns once the op is committed, or has failed */

  /* Output */
  EarMarks *marks;         /* (nullable): result of the task */
  GError *error;           /* (nullable) */
  gboolean again;          /* done in part: the rest comes after all waiting ops */
};

/* Kinds of texts with times */
typedef enum
{
  EAR_MOMENTS_SENTENCES,
  EAR_MOMENTS_CHAPTERS,
} EarMomentsKind;

/* Name of a podcast's folder among its settings; no setting has that name. */
#define EAR_CATALOGUE_FOLDER "folder"

EarWriter *ear_writer_new (EarDatabase *database, GError **error);
void ear_writer_start (EarWriter *self, EarMainQueue *main_queue);
void ear_writer_push (EarWriter *self, EarCatalogueOp op);
void ear_writer_close (EarWriter *self, gboolean damaged);
void ear_writer_free (EarWriter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarWriter, ear_writer_free)

/* SQL operations on the catalogue, for the writer thread only. Within a transaction each
 * function adds its changes to the event. Functions with an op perform it. */
EarWriteFunc ear_writer_follow;
EarWriteFunc ear_writer_set_hidden;
EarWriteFunc ear_writer_purge;
EarWriteFunc ear_writer_begin_response;
EarWriteFunc ear_writer_put_batch;
EarWriteFunc ear_writer_put_check;
EarWriteFunc ear_writer_put_state;
EarWriteFunc ear_writer_put_states;
EarWriteFunc ear_writer_put_settings;
EarWriteFunc ear_writer_put_folder;
EarWriteFunc ear_writer_mark;
EarWriteFunc ear_writer_list_marks;
EarWriteFunc ear_writer_put_duration;
EarWriteFunc ear_writer_put_moments;
EarWriteFunc ear_writer_scan;
EarWriteFunc ear_writer_put_downloads;
EarWriteFunc ear_writer_put_bookmarks;

/* A sort key is a second and a number within it, and is unique. The key is also the row
 * id of the full text index, where each bit costs: there are few numbers within a second,
 * and further episodes get keys of the seconds before. */
#define EAR_KEYS_PER_SECOND 4

/* A row of the full text index to be written. Rows are inserted by row id: otherwise the
 * index would write its data after each. */
typedef struct
{
  gint64 key;
  gint64 podcast;
  EarEpisodeRecord *record; /* (nullable): owned; %NULL removes the row */
} EarTextChange;

/* The writer thread. Any thread pushes ops; the writer performs all waiting ones in one
 * transaction, commits, and posts the changes to the main queue. It never waits while a
 * transaction is open. */
struct _EarWriter
{
  /* Owned, used on the writer thread only, or before its start */
  EarDatabase *database;
  EarCatalogueEvent *event; /* (nullable): of the open transaction */
  GHashTable *answers;      /* unfinished responses, by row id of the podcast */
  GArray *text_changes;     /* (element-type EarTextChange) */
  GPtrArray *retries;       /* (element-type EarCatalogueOp): ops to repeat */
  EarLinksFunc links_func;  /* (nullable): without it, no notes are scanned */
  gint64 tidy_delay; /* idle time before notes are scanned, and then upkeep, in microseconds */
  gint64 tidy_time;  /* monotonic time; -1: no upkeep needed */
  gint64 next_id;    /* id of the next episode: never used twice in a session */
  gboolean scan_failed; /* notes are scanned again once more episodes come */
  gboolean unclean;  /* the file is marked as in use */
  gboolean damaged;  /* set before the queue is closed */

  /* Owned, protected by the mutex */
  GMutex mutex;
  GCond changed;
  GQueue ops;      /* (element-type EarCatalogueOp) */
  gsize n_bytes;   /* bytes in the queue, and in the present transaction */
  gint64 due;      /* monotonic time at which the next transaction begins */
  gboolean closed;

  GThread *thread; /* (nullable): owned */
  EarMainQueue *main_queue; /* borrowed */
};

EarPodcastEvent *ear_writer_get_event (EarWriter *self, gint64 podcast);
EarPodcastEvent *ear_writer_add_change (EarWriter *self, gint64 podcast, EarEpisodeChange what);
GHashTable *ear_writer_make_answers (EarDatabase *database);
void ear_writer_spoil_answer (EarWriter *self, gint64 podcast);
void ear_writer_settle_answers (EarWriter *self, gboolean stored);
gboolean ear_writer_has_unscanned (EarWriter *self, GError **error);
void ear_writer_add_marks (EarWriter *self, EarMarks **marks, gint64 episode);
void ear_writer_take_waiting (EarWriter *self, gint64 podcast, gint64 episode, const char *guid);
void ear_writer_change_text (EarWriter *self, gint64 podcast, gint64 key,
                             EarEpisodeRecord *record);
void ear_writer_freshen_newest (EarWriter *self, gint64 podcast);
void ear_writer_forget_links (EarWriter *self, gint64 episode, gint64 key);
void ear_writer_forget_chapters (EarWriter *self, gint64 episode);
void ear_writer_drop_links (EarWriter *self);

/* Titles of chapters, each with its time, for searches */
EarTranscript *ear_chapter_titles_new (GPtrArray *chapters);

G_END_DECLS
