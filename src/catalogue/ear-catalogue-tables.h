/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue-event.h"
#include "ear-chapters.h"
#include "ear-columns.h"
#include "ear-database.h"
#include "ear-episode-query.h"
#include "ear-known-episodes.h"
#include "ear-marks.h"
#include "ear-podcast-settings.h"
#include "ear-transcript.h"

G_BEGIN_DECLS

/**
 * EarCatalogueOpFlags:
 * @EAR_OP_URGENT: a change by the listener: does not wait for further batches
 * @EAR_OP_BATCH: episodes of a feed, which wait for space in the queue
 * @EAR_OP_BEGINS_RESPONSE: more of the podcast's feed will come
 * @EAR_OP_ENDS_RESPONSE: the end of the podcast's feed
 * @EAR_OP_CAN_WAIT: not worth a transaction of its own
 * @EAR_OP_ADDS_PODCAST: inserts the podcast's row, and is repeated until that succeeds
 * @EAR_OP_NEEDS_PODCAST: needs the podcast's row
 * @EAR_OP_REMOVES_PODCAST: makes the insertion of the podcast's row needless
 * @EAR_OP_LEAVES_ROOM: the file needs upkeep afterwards
 * @EAR_OP_FLUSH: only reports that all earlier ops are done
 * @EAR_OP_ACKNOWLEDGED: the episode's object waits for the end of the op
 *
 * How the writer and its queue treat an op.
 */
typedef enum
{
  EAR_OP_URGENT = 1 << 0,
  EAR_OP_BATCH = 1 << 1,
  EAR_OP_BEGINS_RESPONSE = 1 << 2,
  EAR_OP_ENDS_RESPONSE = 1 << 3,
  EAR_OP_CAN_WAIT = 1 << 4,
  EAR_OP_ADDS_PODCAST = 1 << 5,
  EAR_OP_NEEDS_PODCAST = 1 << 6,
  EAR_OP_REMOVES_PODCAST = 1 << 7,
  EAR_OP_LEAVES_ROOM = 1 << 8,
  EAR_OP_FLUSH = 1 << 9,
  EAR_OP_ACKNOWLEDGED = 1 << 10,
} EarCatalogueOpFlags;

typedef struct _EarCatalogueOp EarCatalogueOp;
typedef struct _EarCatalogueTables EarCatalogueTables;

/* Performs an op, within a transaction on the writer thread. */
typedef gboolean (*EarWriteFunc) (EarCatalogueTables *tables, EarCatalogueOp *op, GError **error);

/* Whether an op would change anything */
typedef gboolean (*EarWriteCheck) (EarCatalogueTables *tables, EarCatalogueOp *op);

/* A write: an operation for the writer thread. Its function names the members that it
 * needs besides the row ids. */
struct _EarCatalogueOp
{
  EarWriteFunc perform;    /* (nullable) */
  EarWriteCheck is_needed; /* (nullable): called only if there is nothing else to do */
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
  guint n_before;          /* single states stored before in the same transaction */
  gboolean again;          /* done in part: the rest comes after all waiting ops */
};

EarCatalogueOp *ear_catalogue_op_new (EarWriteFunc perform, EarCatalogueOpFlags flags,
                                      gint64 podcast);
void ear_catalogue_op_unref (EarCatalogueOp *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueOp, ear_catalogue_op_unref)

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

EarCatalogueTables *ear_catalogue_tables_new (EarDatabase *database, GError **error);
void ear_catalogue_tables_free (EarCatalogueTables *self);
gboolean ear_catalogue_tables_begin (EarCatalogueTables *self, GError **error);
EarCatalogueEvent *ear_catalogue_tables_commit (EarCatalogueTables *self, GError **error);
void ear_catalogue_tables_roll_back (EarCatalogueTables *self);
void ear_catalogue_tables_close (EarCatalogueTables *self, gboolean damaged);

gint64 ear_catalogue_tables_tidy (EarCatalogueTables *self);
gboolean ear_catalogue_tables_has_long_log (EarCatalogueTables *self);
void ear_catalogue_tables_spoil_response (EarCatalogueTables *self, gint64 podcast);

gboolean ear_catalogue_tables_follow (EarCatalogueTables *self, EarCatalogueOp *op, GError **error);
gboolean ear_catalogue_tables_set_hidden (EarCatalogueTables *self, EarCatalogueOp *op,
                                          GError **error);
gboolean ear_catalogue_tables_purge (EarCatalogueTables *self, EarCatalogueOp *op, GError **error);
gboolean ear_catalogue_tables_begin_response (EarCatalogueTables *self, EarCatalogueOp *op,
                                              GError **error);
gboolean ear_catalogue_tables_put_batch (EarCatalogueTables *self, EarCatalogueOp *op,
                                         GError **error);
gboolean ear_catalogue_tables_put_check (EarCatalogueTables *self, EarCatalogueOp *op,
                                         GError **error);
gboolean ear_catalogue_tables_put_state (EarCatalogueTables *self, EarCatalogueOp *op,
                                         GError **error);
gboolean ear_catalogue_tables_put_states (EarCatalogueTables *self, EarCatalogueOp *op,
                                          GError **error);
gboolean ear_catalogue_tables_put_settings (EarCatalogueTables *self, EarCatalogueOp *op,
                                            GError **error);
gboolean ear_catalogue_tables_put_folder (EarCatalogueTables *self, EarCatalogueOp *op,
                                          GError **error);
gboolean ear_catalogue_tables_mark (EarCatalogueTables *self, EarCatalogueOp *op, GError **error);
gboolean ear_catalogue_tables_list_marks (EarCatalogueTables *self, EarMarksFunc func,
                                          gpointer user_data, GError **error);
gboolean ear_catalogue_tables_put_duration (EarCatalogueTables *self, EarCatalogueOp *op,
                                            GError **error);
gboolean ear_catalogue_tables_needs_transcript (EarCatalogueTables *self, EarCatalogueOp *op);
gboolean ear_catalogue_tables_put_transcript (EarCatalogueTables *self, EarCatalogueOp *op,
                                              GError **error);
gboolean ear_catalogue_tables_needs_chapters (EarCatalogueTables *self, EarCatalogueOp *op);
gboolean ear_catalogue_tables_put_chapters (EarCatalogueTables *self, EarCatalogueOp *op,
                                            GError **error);
gboolean ear_catalogue_tables_put_links (EarCatalogueTables *self, EarCatalogueOp *op,
                                         GError **error);
gboolean ear_catalogue_tables_needs_downloads (EarCatalogueTables *self, EarCatalogueOp *op);
gboolean ear_catalogue_tables_put_downloads (EarCatalogueTables *self, EarCatalogueOp *op,
                                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueTables, ear_catalogue_tables_free)

/* A sort key is a second and a number within it, and is unique. The key is also the row
 * id of the full text index, where each bit costs: there are few numbers within a second,
 * and further episodes get keys of the seconds before. */
#define EAR_KEYS_PER_SECOND 4

/* State of a feed's unfinished response */
typedef struct
{
  gint64 podcast;
  gint64 begun;     /* Unix seconds */
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
  GHashTable *waiting;      /* row ids of podcasts that have rows in waiting_state */
  GArray *text_changes;     /* (element-type EarTextChange) */
  GPtrArray *held;          /* (element-type EarEpisodeRecord): of the text changes */

  gint64 next_id;  /* id of the next episode: never used twice in a session */
  gboolean unclean; /* the file is marked as in use */
};

EarAnswer *ear_catalogue_tables_get_response (EarCatalogueTables *self, gint64 podcast);
gboolean ear_catalogue_tables_take_waiting (EarCatalogueTables *self, gint64 podcast,
                                            gint64 episode, const char *guid, GError **error);
void ear_catalogue_tables_change_text (EarCatalogueTables *self, gint64 podcast, gint64 key,
                                       EarEpisodeRecord *record);
gboolean ear_catalogue_tables_merge_state (EarCatalogueTables *self, gint64 episode,
                                           const EarEpisodeState *state, GError **error);
gboolean ear_catalogue_tables_freshen_newest (EarCatalogueTables *self, gint64 podcast,
                                              GError **error);
gboolean ear_catalogue_tables_forget_links (EarCatalogueTables *self, gint64 episode, gint64 key,
                                            GError **error);
gboolean ear_catalogue_tables_tell_chapters (EarCatalogueTables *self, gint64 episode,
                                             gint64 *digest, GError **error);
gboolean ear_catalogue_tables_forget_chapters (EarCatalogueTables *self, gint64 episode,
                                               gint64 digest, GError **error);
gboolean ear_catalogue_tables_drop_links (EarCatalogueTables *self, GError **error);

/* Titles of chapters, each with its time, for searches */

/* Columns of the table episode for ear_chapter_titles_read() */
#define EAR_CHAPTER_TITLES_COLUMNS "measured, extra"

EarTranscript *ear_chapter_titles_new (EarChapters *chapters);
EarTranscript *ear_chapter_titles_read (EarStatement *statement, int column);

G_END_DECLS
