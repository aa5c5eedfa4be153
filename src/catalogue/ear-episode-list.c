/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-list.h"

#include "ear-catalogue-private.h"
#include "ear-episode-count.h"
#include "ear-episode-sql.h"
#include "ear-id-sequence.h"
#include "ear-property.h"

/* More rows than a list view holds, so that scrolling makes each object once */
#define EAR_EPISODE_LIST_N_PAGES 8

struct _EarEpisodeList
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarEpisodeQuery *query;
  EarQueryWatch *watch;    /* (nullable) */
  GCancellable *cancellable;
  GMainContext *context;
  EarIdSequence *ids;      /* the ids shown */
  GPtrArray *pages[EAR_EPISODE_LIST_N_PAGES]; /* (nullable) (element-type EarEpisode): read last */
  GArray *growing_to;      /* (nullable) (element-type gint64): the ids that @ids grows to */
  GSource *growth_source;  /* (nullable) */
  GSource *requery_source; /* (nullable) */

  guint oldest_page;
  guint in_sight; /* row in the middle of the visible ones; 0 at the top */
  guint serial;   /* of the query; results of earlier ones are ignored */
  gboolean asking; /* a query is running */
  gboolean told_asking;
  gboolean dirty; /* changed since the query was sent */
  gboolean loading;
  gint64 rest_until; /* monotonic time */
};

/* The length of the list, and its live objects. A list grows step by step from the first
 * ids of a result to all of them, so that no frame waits for it. Reading one row also
 * reads the rows around it, and keeps their objects for a while. */

/* A list view makes about two hundred widgets, visible or not, at up to 1 ms each: they
 * are added a few per frame. Further rows take about 1 µs each. */
#define WIDGETS 220
#define WIDGETS_STEP 8
#define STEP 4000
#define STEP_INTERVAL 20 /* milliseconds: one frame comes between two steps */
#define FIRST_INTERVAL 100

/* Rows that a list view reads on either side of the visible ones: a hundred,
 * plus whole pages. */
#define ROWS_AROUND (3 * EAR_EPISODE_ROWS_PAGE)

static guint
get_step (guint n_shown)
{
  return n_shown < WIDGETS ? WIDGETS_STEP : STEP;
}

/* Stops growing, and leaves the sequence unchanged. */
static void
stop_growing (EarEpisodeList *self)
{
  if (self->growth_source != NULL)
    g_source_destroy (self->growth_source);
  g_clear_pointer (&self->growth_source, g_source_unref);
  g_clear_pointer (&self->growing_to, g_array_unref);
}

static gboolean
grow_cb (gpointer user_data)
{
  EarEpisodeList *self = user_data;
  g_autoptr (GArray) all = g_array_ref (self->growing_to);
  const guint n_shown = ear_id_sequence_get_n_ids (self->ids);
  const guint n_new = MIN (all->len - n_shown, get_step (n_shown));

  if (n_shown + n_new == all->len)
    stop_growing (self);
  /* Handlers of the change may stop the growth. */
  ear_id_sequence_extend (self->ids, all, n_new);

  return G_SOURCE_CONTINUE;
}

/* Starts growing to another result.
 * @all: (element-type gint64): the final sequence
 * Returns: (transfer full) (element-type gint64): the ids to show at once */
static GArray *
start_growing (EarEpisodeList *self, GArray *all, guint n_first)
{
  const guint n_ids = MIN (n_first, all->len);
  GArray *first = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n_ids);

  stop_growing (self);
  if (n_ids > 0)
    g_array_append_vals (first, all->data, n_ids);
  if (n_ids == all->len)
    return first;

  self->growing_to = g_array_ref (all);
  self->growth_source = g_timeout_source_new (STEP_INTERVAL);
  g_source_set_priority (self->growth_source, G_PRIORITY_DEFAULT_IDLE);
  g_source_set_ready_time (self->growth_source,
                           g_get_monotonic_time () + FIRST_INTERVAL * G_TIME_SPAN_MILLISECOND);
  g_source_set_static_name (self->growth_source, "[earmark] episode list grows");
  g_source_set_callback (self->growth_source, grow_cb, self, NULL);
  g_source_attach (self->growth_source, self->context);

  return first;
}

/* @all: (element-type gint64): the final sequence
 * Returns: number of its ids to show at once: all, if the list has grown and @all is only
 * a little longer */
static guint
count_at_once (EarEpisodeList *self, GArray *all, guint n_shown)
{
  return self->growing_to == NULL && all->len <= n_shown + get_step (n_shown)
             ? all->len
             : MIN (n_shown, all->len);
}

/* The row was deleted from the catalogue; the list will learn of it soon. */
static EarEpisode *
make_placeholder (gint64 id)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (0, "");

  return ear_episode_new (id, podcast, "");
}

/* Returns the ids of the page that begins at @start, up to the end of the list. */
static guint
get_page_ids (EarEpisodeList *self, guint start, gint64 *page)
{
  const guint n_all = ear_id_sequence_get_n_ids (self->ids);
  const guint n_ids = start < n_all ? MIN (n_all - start, EAR_EPISODE_ROWS_PAGE) : 0;

  for (guint i = 0; i < n_ids; i++)
    page[i] = ear_id_sequence_get (self->ids, start + i);

  return n_ids;
}

/* Scrolling will need the adjacent pages next. */
static GPtrArray *
load_page (EarEpisodeList *self, guint start)
{
  gint64 page[EAR_EPISODE_ROWS_PAGE];
  GPtrArray *episodes = ear_catalogue_load_page (self->catalogue, page,
                                                 get_page_ids (self, start, page));

  ear_catalogue_prefetch_page (self->catalogue, page,
                               get_page_ids (self, start + EAR_EPISODE_ROWS_PAGE, page));
  if (start >= EAR_EPISODE_ROWS_PAGE)
    ear_catalogue_prefetch_page (self->catalogue, page,
                                 get_page_ids (self, start - EAR_EPISODE_ROWS_PAGE, page));

  return episodes;
}

/* Returns: (transfer full): the episode at the position, live or loaded with the
 * rows around it */
static EarEpisode *
dup_episode (EarEpisodeList *self, guint position)
{
  const gint64 id = ear_id_sequence_get (self->ids, position);
  EarEpisode *live = ear_catalogue_lookup_live (self->catalogue, id);
  GPtrArray *page;

  if (live != NULL)
    return g_object_ref (live);

  page = load_page (self, position - position % EAR_EPISODE_ROWS_PAGE);
  g_clear_pointer (&self->pages[self->oldest_page], g_ptr_array_unref);
  self->pages[self->oldest_page] = page;
  self->oldest_page = (self->oldest_page + 1) % EAR_EPISODE_LIST_N_PAGES;
  for (guint i = 0; i < page->len; i++)
    if (ear_episode_get_id (g_ptr_array_index (page, i)) == id)
      return g_object_ref (g_ptr_array_index (page, i));

  return make_placeholder (id);
}

/* Releases all objects: other rows will be shown. */
static void
drop_pages (EarEpisodeList *self)
{
  for (guint i = 0; i < EAR_EPISODE_LIST_N_PAGES; i++)
    g_clear_pointer (&self->pages[i], g_ptr_array_unref);
}

/* Returns the number of rows. */
static guint
get_rows_around (GArray *ids, guint position, guint *first)
{
  const guint end = position < ids->len ? position + ROWS_AROUND : ids->len;

  *first = position > ROWS_AROUND ? position - ROWS_AROUND : 0;

  return MIN (end, ids->len) - MIN (*first, ids->len);
}

/* @ids: (element-type gint64): a result of the catalogue
 * Returns: whether the rows around @position need no disk access: the reader thread has
 * read the first ones before it returned the result, or all of them are live */
static gboolean
is_fetched (EarEpisodeList *self, GArray *ids, guint position)
{
  guint first;
  const guint n_ids = get_rows_around (ids, position, &first);

  if (first + n_ids <= EAR_EPISODE_ROWS_PREFETCHED)
    return TRUE;
  for (guint i = first; i < first + n_ids; i++)
    if (ear_catalogue_lookup_live (self->catalogue, g_array_index (ids, gint64, i)) == NULL)
      return FALSE;

  return TRUE;
}

/* Reads the rows around @position ahead, on the reader thread.
 * @ids: (element-type gint64): the ids to be shown */
static void
prefetch_async (EarEpisodeList *self, GArray *ids, guint position, GAsyncReadyCallback callback,
                gpointer user_data)
{
  guint first;
  const guint n_ids = get_rows_around (ids, position, &first);

  ear_catalogue_prefetch_async (self->catalogue, self->catalogue->reader,
                                &g_array_index (ids, gint64, first), n_ids, self->cancellable,
                                callback, user_data);
}

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
    n_shown = MAX (n_shown, MAX (ear_id_sequence_get_n_ids (self->ids),
                                 in_sight > 0 ? in_sight + ROWS_BEHIND : 0));
  else
    n_shown = MAX (n_shown, ear_id_sequence_get_n_covered (self->ids, all));

  return count_at_once (self, all, n_shown);
}

static void
take_first_answer (EarEpisodeList *self, GArray *ids)
{
  g_autoptr (GArray) start = start_growing (self, ids, ear_episode_query_get_n_first (self->query));

  drop_pages (self);
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
  const gboolean anew = begins_with_best (self, question) &&
                        !ear_id_sequence_is_start_of (self->ids, ids);
  const guint in_sight = ear_episode_query_is_ranked (self->query) ? predict (self, ids) : 0;
  g_autoptr (GArray) start = start_growing (self, ids, get_n_shown (self, ids, in_sight));

  if (anew)
    ear_id_sequence_replace (self->ids, start);
  else
    ear_id_sequence_change_to (self->ids, start, self->in_sight);
}

/* Showing the result may start another query. */
static void answered_cb (GObject *source, GAsyncResult *result, gpointer user_data);

/* Notifies of EarEpisodeList:asking if it has changed. */
static void
notify_asking (EarEpisodeList *self)
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
  ear_catalogue_query_async (self->catalogue, query, limit, self->cancellable, answered_cb,
                             question);
  notify_asking (self);
}

/* Cancels a scheduled repetition of the query. */
static void
stop_asking (EarEpisodeList *self)
{
  if (self->requery_source != NULL)
    g_source_destroy (self->requery_source);
  g_clear_pointer (&self->requery_source, g_source_unref);
}

static gboolean
requery_cb (gpointer user_data)
{
  EarEpisodeList *self = user_data;

  stop_asking (self);
  ask (self, 0, TRUE);

  return G_SOURCE_REMOVE;
}

/* Runs a new query.
 * @limit: number of rows to read first, or 0 for all */
static void
ear_episode_list_ask (EarEpisodeList *self, guint limit)
{
  ask (self, limit, FALSE);
}

/* Repeats the query after a change: at once after a quiet time, otherwise after a rest. */
static void
ask_again (EarEpisodeList *self)
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
  notify_asking (self);
}

static void
show_answer (EarEpisodeList *self, const Question *question, GArray *ids)
{
  /* The first query was limited, or something has changed since. */
  const gboolean more = question->limit > 0 && (ids->len == question->limit ||
                                                is_newest_only (self->query, question->limit));

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
    ask_again (self);
}

/* Notify that no query is running only after its result is shown. */
static void
take_answer (EarEpisodeList *self, const Question *question, GArray *ids)
{
  show_answer (self, question, ids);
  notify_asking (self);
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
  if (is_fetched (self, ids, in_sight))
    return FALSE;
  question->ids = g_array_ref (ids);
  prefetch_async (self, ids, in_sight, prefetched_cb, question);

  return TRUE;
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  g_autoptr (EarEpisodeList) self = g_weak_ref_get (&question->list);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
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
            ask_again (self);
          notify_asking (self);
          return;
        }
    }

  if (prefetch_first (self, question, ids))
    question = NULL;
  else
    take_answer (self, question, ids);
}

static GType
ear_episode_list_get_item_type (GListModel *model)
{
  return EAR_TYPE_EPISODE;
}

static guint
ear_episode_list_get_n_items (GListModel *model)
{
  return ear_id_sequence_get_n_ids (EAR_EPISODE_LIST (model)->ids);
}

static gpointer
ear_episode_list_get_item (GListModel *model, guint position)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (model);

  if (position >= ear_id_sequence_get_n_ids (self->ids))
    return NULL;

  return dup_episode (self, position);
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = ear_episode_list_get_item_type;
  iface->get_n_items = ear_episode_list_get_n_items;
  iface->get_item = ear_episode_list_get_item;
}

/* The episodes that a query finds, as a list model over an array of row ids.
 * Objects are made for the rows that are read, a page at a time. When the catalogue
 * reports a change that may affect the result, the query is repeated, and only the rows
 * that differ come or go. */
G_DEFINE_FINAL_TYPE_WITH_CODE (EarEpisodeList,
                               ear_episode_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

static void
ids_changed_cb (guint position, guint n_removed, guint n_added, gpointer user_data)
{
  EarEpisodeList *self = user_data;

  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
  if (n_removed != n_added)
    g_object_notify (G_OBJECT (self), "n-items");
}

static void
ear_episode_list_dispose (GObject *object)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (object);

  g_cancellable_cancel (self->cancellable);
  stop_asking (self);
  stop_growing (self);
  ear_id_sequence_free (self->ids);
  self->ids = ear_id_sequence_new (ids_changed_cb, self);
  drop_pages (self);
  g_clear_pointer (&self->watch, ear_query_watch_free);
  g_clear_pointer (&self->query, ear_episode_query_free);
  g_clear_object (&self->catalogue);

  G_OBJECT_CLASS (ear_episode_list_parent_class)->dispose (object);
}

static void
ear_episode_list_finalize (GObject *object)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->ids, ear_id_sequence_free);
  g_clear_pointer (&self->context, g_main_context_unref);

  G_OBJECT_CLASS (ear_episode_list_parent_class)->finalize (object);
}

static void
ear_episode_list_class_init (EarEpisodeListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Whether the query has no result yet */
    { "loading", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodeList, loading) },
    /* Whether a query is running, or will be repeated because of a change */
    { "asking", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_episode_list_get_asking) },
    { "n-items", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (ear_episode_list_get_n_items) },
  };

  object_class->dispose = ear_episode_list_dispose;
  object_class->finalize = ear_episode_list_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_episode_list_init (EarEpisodeList *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->cancellable = g_cancellable_new ();
  self->ids = ear_id_sequence_new (ids_changed_cb, self);
}

/* Without a catalogue the list is empty. */
EarEpisodeList *
ear_episode_list_new (EarCatalogue *catalogue)
{
  EarEpisodeList *self = g_object_new (EAR_TYPE_EPISODE_LIST, NULL);

  if (!g_set_object (&self->catalogue, catalogue))
    return self;
  self->watch = ear_query_watch_new (catalogue, &self->query, (EarQueryWatchFunc) ask_again,
                                     G_OBJECT (self));

  return self;
}

/* Returns: (transfer full): a list that follows the catalogue's changes */
EarEpisodeList *
ear_episode_list_new_with_query (EarCatalogue *catalogue, const EarEpisodeQuery *query)
{
  EarEpisodeList *self = ear_episode_list_new (catalogue);

  ear_episode_list_set_query (self, query);

  return self;
}

/* Returns: (transfer none) (nullable): the list's query */
const EarEpisodeQuery *
ear_episode_list_get_query (EarEpisodeList *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), NULL);

  return self->query;
}

static void
empty_list (EarEpisodeList *self)
{
  g_autoptr (GArray) nothing = g_array_new (FALSE, FALSE, sizeof (gint64));

  stop_growing (self);
  ear_id_sequence_replace (self->ids, nothing);
}

/* Sets the query. The rows stay until its result is there; a running earlier query is
 * not waited for.
 * @query: (nullable): the new value; %NULL empties the list */
void
ear_episode_list_set_query (EarEpisodeList *self, const EarEpisodeQuery *query)
{
  gboolean loading;
  gboolean changed;

  g_return_if_fail (EAR_IS_EPISODE_LIST (self));

  if (ear_episode_query_equal (self->query, query))
    return;

  g_clear_pointer (&self->query, ear_episode_query_free);
  self->query = query != NULL ? ear_episode_query_copy (query) : NULL;
  self->serial++;
  self->asking = FALSE;
  stop_asking (self);
  loading = query != NULL && self->catalogue != NULL;
  changed = self->loading != loading;
  self->loading = loading;
  /* If an index has the order, the first rows are known at once; otherwise all rows have
   * to be sorted. */
  if (loading)
    ear_episode_list_ask (
        self, ear_episode_query_is_in_order (query) ? ear_episode_query_get_n_first (query) : 0);
  else
    notify_asking (self);

  if (changed)
    g_object_notify (G_OBJECT (self), "loading");
  if (self->query == NULL)
    empty_list (self);
}

gboolean
ear_episode_list_get_loading (EarEpisodeList *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), FALSE);

  return self->loading;
}

gboolean
ear_episode_list_get_asking (EarEpisodeList *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), FALSE);

  return self->asking || self->requery_source != NULL;
}

/* Returns the episode of a row without making an object.
 * Returns: row id of the episode */
gint64
ear_episode_list_get_id (EarEpisodeList *self, guint position)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), 0);
  g_return_val_if_fail (position < ear_id_sequence_get_n_ids (self->ids), 0);

  return ear_id_sequence_get (self->ids, position);
}

/* Finds an episode without making an object.
 * @id: row id of an episode
 * @position: (out) (optional): its position
 * Returns: whether the list has it */
gboolean
ear_episode_list_find (EarEpisodeList *self, gint64 id, guint *position)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), FALSE);

  return ear_id_sequence_find (self->ids, id, position);
}

/* Sets the scroll position: when hits are ranked, the view stays there, and the rows
 * around it are read ahead. At the top, the best hits become visible.
 * @position: the row in the middle of the visible ones, or 0 at the top */
void
ear_episode_list_set_in_sight (EarEpisodeList *self, guint position)
{
  g_return_if_fail (EAR_IS_EPISODE_LIST (self));

  self->in_sight = position;
}
