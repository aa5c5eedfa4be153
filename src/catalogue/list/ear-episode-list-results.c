/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-list-private.h"

#include "ear-catalogue-private.h"
#include "ear-episode-sql.h"

/* The list's queries, and the transition to their results */

/* A search first shows the newest hits, and then the best of them once they are known. */
#define RANKED_STEP 1000

/* A list view holds a hundred rows on either side of the visible ones. */
#define ROWS_BEHIND 120

/* Limits repeated queries during a refresh to 1 / REST_FACTOR of the time. */
#define REST_FACTOR 8
#define REST_MIN (50 * G_TIME_SPAN_MILLISECOND)
#define REST_MAX (2 * G_TIME_SPAN_SECOND)

/* A running query; it has a weak reference to the list. */
typedef struct
{
  GWeakRef list;
  GArray *ids; /* (nullable) (element-type gint64): its result, while visible rows are read */
  guint serial;
  guint limit;
  gboolean again; /* repeated because of a change */
  gint64 sent;    /* monotonic time */
} Question;

static void
question_free (Question *question)
{
  g_weak_ref_clear (&question->list);
  g_clear_pointer (&question->ids, g_array_unref);
  g_free (question);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

/* Whether a result of that size is the newest episodes only, in place of the best. */
static gboolean
is_newest_only (const EarEpisodeQuery *query, guint limit)
{
  return ear_episode_query_is_ranked (query) && limit == ear_episode_query_get_n_first (query);
}

/* Returns the number of ids of a new result to show at once: up to the last row already
 * shown, or for a sorted search up to the rows to be visible; all of them if there are
 * only a few more. */
static guint
get_n_shown (EarEpisodeList *self, GArray *all, guint in_sight)
{
  guint n_shown = ear_episode_query_get_n_first (self->query);

  if (ear_episode_query_is_ranked (self->query))
    n_shown = MAX (n_shown, MAX (ear_id_sequence_get_n_ids (self->ids), in_sight > 0 ? in_sight + ROWS_BEHIND : 0));
  else
    n_shown = MAX (n_shown, ear_id_sequence_get_n_covered (self->ids, all));

  return ear_episode_list_count_at_once (self, all, n_shown);
}

static void
take_first_answer (EarEpisodeList *self, GArray *ids)
{
  g_autoptr (GArray) start = ear_episode_list_start_growing (self, ids, ear_episode_query_get_n_first (self->query));

  ear_episode_list_drop_pages (self);
  self->loading = FALSE;
  ear_id_sequence_replace (self->ids, start);
  g_object_notify (G_OBJECT (self), "loading");
}

/* At the top, the best hits should be visible at once; if rows stayed, the list view
 * would scroll with them. */
static gboolean
begins_with_best (EarEpisodeList *self, const Question *question)
{
  return question->limit == RANKED_STEP && self->in_sight == 0;
}

/* Returns the position in the result that should be visible; 0 at the top. */
static guint
predict (EarEpisodeList *self, GArray *ids)
{
  return self->in_sight > 0 ? ear_id_sequence_predict (self->ids, ids, self->in_sight) : 0;
}

static void
take_next_answer (EarEpisodeList *self, const Question *question, GArray *ids)
{
  const gboolean anew = begins_with_best (self, question) && !ear_id_sequence_is_start_of (self->ids, ids);
  const guint in_sight = ear_episode_query_is_ranked (self->query) ? predict (self, ids) : 0;
  g_autoptr (GArray) start = ear_episode_list_start_growing (self, ids, get_n_shown (self, ids, in_sight));

  if (anew)
    ear_id_sequence_replace (self->ids, start);
  else
    ear_id_sequence_change_to (self->ids, start, self->in_sight);
}

/* Showing the result may start another query. */
static void answered_cb (GObject *source, GAsyncResult *result, gpointer user_data);

/**
 * ear_episode_list_notify_asking: (skip)
 * @self: a list
 *
 * Notifies of [property@EarEpisodeList:asking] if it has changed.
 */
void
ear_episode_list_notify_asking (EarEpisodeList *self)
{
  if (ear_episode_list_get_asking (self) == self->told_asking)
    return;

  self->told_asking = !self->told_asking;
  g_object_notify (G_OBJECT (self), "asking");
}

static void
ask (EarEpisodeList *self, guint limit, gboolean again)
{
  Question *question = g_new0 (Question, 1);
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_copy (self->query);

  /* The newest hits are known before all are found and ranked. */
  if (is_newest_only (query, limit))
    query->sort = EAR_SORT_NEWEST;

  g_weak_ref_init (&question->list, self);
  question->serial = self->serial;
  question->limit = limit;
  question->again = again;
  question->sent = g_get_monotonic_time ();
  self->asking = TRUE;
  self->dirty = FALSE;
  ear_catalogue_query_async (self->catalogue, query, limit, self->cancellable, answered_cb, question);
  ear_episode_list_notify_asking (self);
}

static gboolean
requery_cb (gpointer user_data)
{
  EarEpisodeList *self = user_data;

  ear_episode_list_stop_asking (self);
  ask (self, 0, TRUE);

  return G_SOURCE_REMOVE;
}

/**
 * ear_episode_list_ask: (skip)
 * @self: a list with a query and a catalogue
 * @limit: number of rows to read first, or 0 for all
 *
 * Runs a new query.
 */
void
ear_episode_list_ask (EarEpisodeList *self, guint limit)
{
  ask (self, limit, FALSE);
}

/**
 * ear_episode_list_stop_asking: (skip)
 * @self: a list
 *
 * Cancels a scheduled repetition of the query.
 */
void
ear_episode_list_stop_asking (EarEpisodeList *self)
{
  if (self->requery_source != NULL)
    g_source_destroy (self->requery_source);
  g_clear_pointer (&self->requery_source, g_source_unref);
}

/**
 * ear_episode_list_ask_again: (skip)
 * @self: a list
 *
 * Repeats the query after a change: at once after a quiet time, otherwise after a rest.
 */
void
ear_episode_list_ask_again (EarEpisodeList *self)
{
  gint64 rest = self->rest_until - g_get_monotonic_time ();

  self->dirty = TRUE;
  if (self->query == NULL || self->asking || self->requery_source != NULL)
    return;
  if (rest <= 0)
    {
      ask (self, 0, TRUE);
      return;
    }
  self->requery_source = g_timeout_source_new ((guint) (rest / G_TIME_SPAN_MILLISECOND) + 1);
  g_source_set_static_name (self->requery_source, "[earmark] episode list asks again");
  g_source_set_callback (self->requery_source, requery_cb, self, NULL);
  g_source_attach (self->requery_source, self->context);
  ear_episode_list_notify_asking (self);
}

static void
show_answer (EarEpisodeList *self, const Question *question, GArray *ids)
{
  /* The first query was limited, or something has changed since. */
  const gboolean more = question->limit > 0 && (ids->len == question->limit || is_newest_only (self->query, question->limit));

  self->asking = FALSE;
  if (self->loading)
    take_first_answer (self, ids);
  else
    take_next_answer (self, question, ids);
  if (question->serial != self->serial)
    return;
  if (more)
    ask (self, is_newest_only (self->query, question->limit) ? RANKED_STEP : 0, FALSE);
  else if (self->dirty)
    ear_episode_list_ask_again (self);
}

/* Notify that no query is running only after its result is shown. */
static void
take_answer (EarEpisodeList *self, const Question *question, GArray *ids)
{
  show_answer (self, question, ids);
  ear_episode_list_notify_asking (self);
}

static void
prefetched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  g_autoptr (EarEpisodeList) self = g_weak_ref_get (&question->list);

  if (self != NULL && question->serial == self->serial)
    take_answer (self, question, question->ids);
}

/* Reads the rows that will be visible after a new order ahead, on the reader thread: the
 * list view would otherwise wait for each. */
static gboolean
prefetch_first (EarEpisodeList *self, Question *question, GArray *ids)
{
  guint in_sight;

  if (self->loading || self->in_sight == 0 || !ear_episode_query_is_ranked (self->query))
    return FALSE;
  in_sight = predict (self, ids);
  if (ear_episode_list_is_fetched (self, ids, in_sight))
    return FALSE;
  question->ids = g_array_ref (ids);
  ear_episode_list_prefetch_async (self, ids, in_sight, prefetched_cb, question);

  return TRUE;
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  g_autoptr (EarEpisodeList) self = g_weak_ref_get (&question->list);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = ear_catalogue_query_finish (EAR_CATALOGUE (source), result, &error);
  const gint64 now = g_get_monotonic_time ();

  if (self == NULL || question->serial != self->serial)
    return;
  if (question->again)
    self->rest_until = now + CLAMP (REST_FACTOR * (now - question->sent), REST_MIN, REST_MAX);
  if (ids == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
          !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED))
        g_message ("A list of episodes cannot be loaded: %s", error->message);
      ids = g_array_new (FALSE, FALSE, sizeof (gint64));
      if (!self->loading)
        {
          /* After an error the rows stay; a change in the meantime still
           * repeats the query. */
          self->asking = FALSE;
          if (self->dirty)
            ear_episode_list_ask_again (self);
          ear_episode_list_notify_asking (self);
          return;
        }
    }

  if (prefetch_first (self, question, ids))
    question = NULL;
  else
    take_answer (self, question, ids);
}

