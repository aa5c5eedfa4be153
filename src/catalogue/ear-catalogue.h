/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"
#include "ear-episode-query.h"
#include "ear-episode.h"
#include "ear-feed-check.h"
#include "ear-mark.h"
#include "ear-podcast.h"
#include "ear-reference.h"
#include "ear-snippet.h"
#include "ear-transcript.h"

G_BEGIN_DECLS

/* Episodes to mark in one transaction */
typedef struct
{
  GArray *ids;                  /* (nullable) (element-type gint64): row ids; immutable */
  const EarEpisodeQuery *query; /* (nullable): their list; without @ids, all that it finds */
  EarEpisode *older_than;       /* (nullable): only episodes older than this one */
} EarMarkTarget;

/* A member of one of the listener's own lists; its row may not exist. */
typedef struct
{
  gint64 podcast;    /* row id */
  const char *guid;  /* the stored one, or the feed's present one */
  const char *alias; /* (nullable): another one, for a catalogue that was rebuilt */
} EarListMember;

/* The notes of an episode in the feed */
typedef struct
{
  char *text;     /* (nullable): HTML or plain text */
  char *base;     /* (nullable): base of relative links */
  gint64 episode; /* row id */
} EarEpisodeNotes;

void ear_episode_notes_free (EarEpisodeNotes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarEpisodeNotes, ear_episode_notes_free)

typedef struct
{
  GHashTable *targets; /* possible targets */
  /* (element-type EarEpisodeNotes): those that may link to the episode: its own podcast's, then
   * others'; oldest first */
  GPtrArray *mentions;
} EarReferenceSource;

/* Position and played of an episode that has media */
typedef struct
{
  gint64 podcast;  /* row id */
  char *guid;      /* (nullable): %NULL in one to find */
  char *feed_guid; /* (nullable): the guid that the feed has now, if it has one */
  char *media;     /* address */
  gint64 duration; /* microseconds, 0: unknown */
  EarEpisodeState state;
  GArray *places;  /* (nullable) (element-type guint): indices of those to find that are it;
                    * %NULL in one to find */
} EarMediaMarks;

EarMediaMarks *ear_media_marks_new (gint64 podcast, const char *media, const char *feed_guid);
void ear_media_marks_free (EarMediaMarks *self);

void ear_reference_source_free (EarReferenceSource *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarReferenceSource, ear_reference_source_free)

/* Returns: (transfer full): the text of notes, which may be HTML */
typedef char *(*EarTextFunc) (const char *notes);

typedef struct _EarDatabase EarDatabase;

/* A read: an operation for a reader's thread. Its function uses the members that are set. */
typedef struct _EarRead EarRead;
struct _EarRead
{
  /* Runs on the thread, unless it was cancelled before.
   * Returns: (transfer full) (nullable): the result; dropped after an error of the database */
  gpointer (*func) (EarDatabase *database, const EarRead *read);

  GDestroyNotify result_free; /* frees an unused result */
  gboolean is_quick;          /* runs on the reader that runs no searches */
  gint64 podcast;             /* row ids */
  gint64 episode;
  gint64 links[2];            /* ids of links */
  gint64 since;               /* Unix microseconds */
  guint limit;

  /* Owned */
  EarEpisodeQuery *query;
  EarLinkQuery *link_query;
  EarNotes *notes;
  GArray *ids;
  GPtrArray *items;
  GStrv keys;
  char *title;
  char *text;

  /* Set by the catalogue */
  EarTextFunc text_func;
  struct _EarCatalogueReader *reader; /* borrowed */
  gpointer result;
  GError *error;
};

EarRead ear_read_query (const EarEpisodeQuery *query, guint limit);
EarRead ear_read_series (EarPodcast *podcast);
EarRead ear_read_resumable (guint limit);
EarRead ear_read_notes (EarEpisode *episode);
EarRead ear_read_snippet (EarEpisode *episode, const char *search);
EarRead ear_read_matches (EarNotes *notes, const char *search);
EarRead ear_read_references (EarEpisode *episode, GArray *podcasts);
EarRead ear_read_keys (const char *const *keys);
EarRead ear_read_media (GPtrArray *places, gint64 since);
EarRead ear_read_link_refs (const EarLinkQuery *query);
EarRead ear_read_links (const EarLinkRef *places, guint n_places);
EarRead ear_read_link_hosts (void);
EarRead ear_read_repeated_links (gint64 podcast, GPtrArray *links);

#define EAR_TYPE_CATALOGUE (ear_catalogue_get_type ())
G_DECLARE_FINAL_TYPE (EarCatalogue, ear_catalogue, EAR, CATALOGUE, GObject)

/*
 * catalogue.db: the feeds' data. One writer thread, one reader thread and a read-only
 * connection of the main thread, which only ever reads pages of rows by primary key.
 *
 * Properties, read-only, counted off the main thread:
 *   n-new          guint  number of episodes in EAR_FILTER_NEW
 *   n-in-progress  guint  number of episodes in EAR_FILTER_IN_PROGRESS
 *   has-liked  gboolean   whether EAR_FILTER_LIKED has any
 *   has-heard  gboolean   whether EAR_FILTER_HISTORY has any
 *
 * Signals, on the main thread, after the transaction has been committed:
 *   episodes-changed (gint64 podcast, EarEpisodeChange what, guint n_new)
 *       with the detail "inserted" if EAR_CHANGE_INSERTED is set; n_new is the number of
 *       new rows; podcast is 0 if the listener's bookmarks have changed (EAR_CHANGE_MOMENTS)
 *   episodes-arrived (gint64 podcast, GArray<gint64> *ids)
 *       new ones that are news: published since the podcast is followed, and never
 *       in the catalogue before
 *   episodes-renamed (EarMarks *names)
 *       episodes of a podcast with marks that have another guid in their feed now, their alias
 *   list-changed (char *list)
 *       one of the listener's own lists has other members
 *   links-changed ()
 *       links of episodes were stored, or are outdated
 *   podcast-forgotten (char *address)
 *       unfollowed or previewed too long ago to undo it
 *   damaged (char *set_aside)
 *       the file was damaged, and was moved to this path; an earlier copy, or an empty
 *       file, has replaced it. From the main loop: there is time to connect
 *   damage-found ()
 *       the file is damaged, and will be replaced when it is opened again
 *   failed (GError *error, gboolean episodes)
 *       data could not be stored (disk full ...): episodes of a feed, which are fetched
 *       again, or other data
 * Live EarEpisode and EarPodcast objects are up to date before a signal.
 */
EarCatalogue *ear_catalogue_read (const char *path, GMainContext *context, GError **error);
void ear_catalogue_set_notes_funcs (EarCatalogue *self, EarTextFunc text, EarLinksFunc links);
void ear_catalogue_begin (EarCatalogue *self);
EarCatalogue *ear_catalogue_peek (const char *path, GError **error);
void ear_catalogue_close (EarCatalogue *self);
void ear_catalogue_save_memory (EarCatalogue *self);
gboolean ear_catalogue_is_restored (EarCatalogue *self);
gint64 ear_catalogue_get_last_copy (EarCatalogue *self);
void ear_catalogue_check_integrity (EarCatalogue *self);
void ear_catalogue_copy_async (EarCatalogue *self, GAsyncReadyCallback callback,
                               gpointer user_data);
GListModel *ear_catalogue_get_podcasts (EarCatalogue *self);
EarPodcast *ear_catalogue_find_podcast (EarCatalogue *self, const char *address);
EarPodcast *ear_catalogue_find_known (EarCatalogue *self, const char *address);
EarPodcast *ear_catalogue_find_exactly (EarCatalogue *self, const char *address);
EarPodcast *ear_catalogue_get_podcast (EarCatalogue *self, gint64 id);
guint ear_catalogue_get_n_new (EarCatalogue *self);
guint ear_catalogue_get_n_in_progress (EarCatalogue *self);

/* Main thread */
EarEpisode *ear_catalogue_dup_episode (EarCatalogue *self, gint64 id);
EarEpisode *ear_catalogue_dup_episode_by_guid (EarCatalogue *self, EarPodcast *podcast,
                                               const char *guid);
void ear_catalogue_read_async (EarCatalogue *self, EarRead read, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);
gpointer ear_catalogue_read_finish (EarCatalogue *self, GAsyncResult *result, GError **error);
void ear_catalogue_set_list (EarCatalogue *self, const char *list, GPtrArray *members);

EarEpisode *ear_catalogue_find_key_finish (EarCatalogue *self, GAsyncResult *result,
                                           GError **error);
GPtrArray *ear_catalogue_find_keys_finish (EarCatalogue *self, GAsyncResult *result,
                                           GError **error);

/* Main thread: queued to the writer thread */
EarPodcast *ear_catalogue_follow (EarCatalogue *self, const char *address, const char *title);
EarPodcast *ear_catalogue_follow_exactly (EarCatalogue *self, const char *address,
                                          const char *title);
void ear_catalogue_unfollow (EarCatalogue *self, EarPodcast *podcast);
EarPodcast *ear_catalogue_preview (EarCatalogue *self, const char *address, const char *title);
void ear_catalogue_end_preview (EarCatalogue *self, EarPodcast *podcast);
void ear_catalogue_set_state (EarCatalogue *self, EarEpisode *episode,
                              const EarEpisodeState *state);
gboolean ear_catalogue_set_settings (EarCatalogue *self, EarPodcast *podcast,
                                     const EarPodcastSettings *settings);
void ear_catalogue_set_folder (EarCatalogue *self, EarPodcast *podcast, const char *folder);
void ear_catalogue_mark_async (EarCatalogue *self, const EarMarkTarget *target, EarMark mark,
                               gint64 value, GAsyncReadyCallback callback, gpointer user_data);
void ear_catalogue_review_marks (EarCatalogue *self, gboolean always, EarMarksFunc func,
                                 GObject *object);
void ear_catalogue_set_duration (EarCatalogue *self, EarEpisode *episode, gint64 duration);
void ear_catalogue_set_downloads (EarCatalogue *self, GPtrArray *marks, gboolean whole);
void ear_catalogue_store_transcript (EarCatalogue *self, EarEpisode *episode,
                                     EarTranscript *transcript);
void ear_catalogue_store_chapters (EarCatalogue *self, EarEpisode *episode, GPtrArray *chapters);
void ear_catalogue_set_bookmarks (EarCatalogue *self, GPtrArray *bookmarks);
void ear_catalogue_store_check (EarCatalogue *self, gint64 podcast, EarPodcastFacts *facts,
                                const EarFeedCheck *check);
EarFeedCheck *ear_catalogue_dup_check (EarCatalogue *self, EarPodcast *podcast);
void ear_catalogue_flush_async (EarCatalogue *self, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data);
EarMarks *ear_catalogue_write_finish (EarCatalogue *self, GAsyncResult *result, GError **error);

/* Any thread */
void ear_catalogue_begin_response (EarCatalogue *self, gint64 podcast);
void ear_catalogue_store_batch (EarCatalogue *self, gint64 podcast, EarPodcastFacts *facts,
                                GPtrArray *episodes);
void ear_catalogue_apply_state (EarCatalogue *self, gint64 podcast, GHashTable *states);

G_END_DECLS
