/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-list.h"

#include "ear-catalogue-private.h"
#include "ear-episode-sql.h"
#include "ear-property.h"

#include <string.h>

/* More rows than a list view holds, so that scrolling makes each object once */
#define N_PAGES 8

/* Rows in the first frame of a new list, if the window does not set the number; a search
 * gets more, at no extra cost. */
#define FIRST_STEP 24
#define SEARCH_STEP 50

/* The best rows of a search, known after the newest ones: another number, so that the two answers
 * differ */
#define BEST_STEP 60

/* Rows added from frame to frame to a list in the window, up to those that GtkListView makes in
 * advance. All at once, they take a quarter of a second on a slow computer. */
#define STEP 60
#define LAST_STEP 200
#define STEP_INTERVAL 20

/* Milliseconds from the best rows of a search to all others, which take the window a seventh of a
 * second: the listener may go on typing. */
#define SEARCH_REST 500

/* Milliseconds between an answer and the next query: changes come many times a second
 * during a refresh. */
#define REST 100

/* The episodes that a query finds, as a list model over an array of row ids. The first
 * screen is read before the whole result. Objects are made for the rows that are read, a
 * page at a time. When the catalogue reports a change that may affect the result, the
 * query is repeated, and only the rows that differ come or go. */
struct _EarEpisodeList
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarEpisodeQuery *query;
  GCancellable *cancellable; /* (nullable): of the last query */
  GArray *ids;      /* (element-type gint64): the rows */
  GPtrArray *pages; /* (element-type GPtrArray): pages of EarEpisode, read last */

  guint limit; /* of the last query, or the next one; 0: all rows */
  guint rest;  /* source */
  gboolean is_running;
  gboolean is_outdated; /* rows are missing, or something has changed since the query was sent */
  gboolean loading;
  gboolean asking;
};

static GType
ear_episode_list_get_item_type (GListModel *model)
{
  return EAR_TYPE_EPISODE;
}

static guint
ear_episode_list_get_n_items (GListModel *model)
{
  return EAR_EPISODE_LIST (model)->ids->len;
}

/* Reads the rows around @position, whose objects the page keeps. */
static void
load_page (EarEpisodeList *self, guint position)
{
  const guint start = position - position % EAR_EPISODE_ROWS_PAGE;

  if (self->pages->len == N_PAGES)
    g_ptr_array_remove_index (self->pages, 0);
  g_ptr_array_add (self->pages, ear_catalogue_load_page (
                                    self->catalogue, &g_array_index (self->ids, gint64, start),
                                    MIN (self->ids->len - start, EAR_EPISODE_ROWS_PAGE)));
}

static gpointer
ear_episode_list_get_item (GListModel *model, guint position)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (model);
  g_autoptr (EarPodcast) no_podcast = NULL;
  EarEpisode *live;
  gint64 id;

  if (position >= self->ids->len)
    return NULL;

  id = ear_episode_list_get_id (self, position);
  live = ear_catalogue_lookup_live (self->catalogue, id);
  if (live == NULL)
    {
      load_page (self, position);
      live = ear_catalogue_lookup_live (self->catalogue, id);
    }
  if (live != NULL)
    return g_object_ref (live);

  /* The row was deleted from the catalogue; the list will learn of it soon. */
  no_podcast = ear_podcast_new (0, "");

  return ear_episode_new (id, no_podcast, "");
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = ear_episode_list_get_item_type;
  iface->get_n_items = ear_episode_list_get_n_items;
  iface->get_item = ear_episode_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (EarEpisodeList,
                               ear_episode_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

/* --- Changes of the rows ------------------------------------------------------------ */

static void
splice (EarEpisodeList *self, guint position, guint n_removed, const gint64 *ids, guint n_added)
{
  g_array_remove_range (self->ids, position, n_removed);
  g_array_insert_vals (self->ids, position, ids, n_added);
  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
  if (n_removed != n_added)
    g_object_notify (G_OBJECT (self), "n-items");
}

/* Finds the longest rising subsequence (patience sorting).
 * @n: at least 1
 * Returns: its length; its members are moved to the start of @places */
static guint
select_rising (guint *places, guint n)
{
  g_autofree guint *ends = g_new (guint, n);     /* by length: its last member */
  g_autofree guint *previous = g_new (guint, n); /* by member: its predecessor */
  guint length = 0;
  guint member;

  for (guint i = 0; i < n; i++)
    {
      guint low = 0, high = length;

      while (low < high)
        {
          const guint middle = (low + high) / 2;

          if (places[ends[middle]] < places[i])
            low = middle + 1;
          else
            high = middle;
        }
      previous[i] = low > 0 ? ends[low - 1] : 0;
      ends[low] = i;
      length = MAX (length, low + 1);
    }
  member = ends[length - 1];
  for (guint i = length; i > 0; i--)
    {
      ends[i - 1] = places[member];
      member = previous[member];
    }
  memcpy (places, ends, length * sizeof *places);

  return length;
}

/* Finds the ids that need not move, as many as possible.
 * @n_kept: (out): number of places
 * Returns: (transfer full): their places in @after, rising */
static guint *
find_kept (const gint64 *before, guint n_before, const gint64 *after, guint n_after, guint *n_kept)
{
  g_autoptr (GHashTable) places = g_hash_table_new (g_int64_hash, g_int64_equal);
  guint *kept = g_new (guint, n_before);
  guint n = 0;

  for (guint i = 0; i < n_after; i++)
    g_hash_table_insert (places, (gpointer) &after[i], GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < n_before; i++)
    {
      const guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, &before[i]));

      if (place > 0)
        kept[n++] = place - 1;
    }
  *n_kept = n > 0 ? select_rising (kept, n) : 0;

  return kept;
}

/* Shows other rows: removes those that are gone, then inserts the new ones, run by run.
 * All others stay, and keep selection, focus and scroll position.
 * @target: (element-type gint64): the new rows */
static void
change_to (EarEpisodeList *self, GArray *target)
{
  const gint64 *after = (const gint64 *) (gpointer) target->data;
  const gint64 *before = (const gint64 *) (gpointer) self->ids->data;
  const guint n_common = MIN (self->ids->len, target->len);
  g_autofree guint *kept = NULL; /* places in @after, from @first on */
  guint n_kept, end, n_last = 0, first = 0;

  while (first < n_common && before[first] == after[first])
    first++;
  while (first + n_last < n_common &&
         before[self->ids->len - n_last - 1] == after[target->len - n_last - 1])
    n_last++;
  kept = find_kept (before + first, self->ids->len - n_last - first, after + first,
                    target->len - n_last - first, &n_kept);

  end = self->ids->len - n_last;
  for (guint i = n_kept + 1; i > 0; i--)
    {
      guint start = end;

      while (start > first && (i == 1 || ear_episode_list_get_id (self, start - 1) !=
                                             after[first + kept[i - 2]]))
        start--;
      if (start < end)
        splice (self, start, end - start, NULL, 0);
      end = start - 1;
    }
  for (guint i = 0, start = first; i <= n_kept; i++)
    {
      end = i < n_kept ? first + kept[i] : target->len - n_last;
      if (start < end)
        splice (self, start, 0, after + start, end - start);
      start = end + 1;
    }
}

/* Adds the rows that are shown already, below the best ones.
 * @best: (element-type gint64): some rows */
static void
add_shown (EarEpisodeList *self, GArray *best)
{
  const guint n_best = best->len;

  for (guint i = 0; i < self->ids->len; i++)
    {
      const gint64 id = ear_episode_list_get_id (self, i);
      guint at = 0;

      while (at < n_best && g_array_index (best, gint64, at) != id)
        at++;
      if (at == n_best)
        g_array_append_val (best, id);
    }
}

/* --- Queries ------------------------------------------------------------------------ */

static void answered_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static void
update_asking (EarEpisodeList *self)
{
  ear_property_set_boolean (self, "asking", self->is_running || self->is_outdated);
}

/* @limit: number of rows to read, or 0 for all */
static void
ask (EarEpisodeList *self, guint limit)
{
  EarRead read = ear_read_query (self->query, limit);

  /* The newest hits are known before all are ranked. */
  if (limit == SEARCH_STEP && ear_episode_query_is_ranked (self->query))
    read.query->sort = EAR_SORT_NEWEST;
  self->limit = limit;
  self->is_running = TRUE;
  self->is_outdated = FALSE;
  ear_cancellable_clear (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  ear_catalogue_read_async (self->catalogue, read, self->cancellable, answered_cb, self);
  update_asking (self);
}

static void
ask_again (EarEpisodeList *self)
{
  self->is_outdated = TRUE;
  if (!self->is_running && self->rest == 0)
    ask (self, 0);
  else
    update_asking (self);
}

static void
rested_cb (gpointer user_data)
{
  EarEpisodeList *self = user_data;

  self->rest = 0;
  if (self->is_outdated)
    ask (self, self->limit < LAST_STEP ? self->limit : 0);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  g_autoptr (EarEpisodeList) self = NULL;
  gboolean ranked;
  guint limit;

  /* The list is gone, or the query was postponed. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  self = g_object_ref (user_data);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED))
    g_message ("A list of episodes cannot be loaded: %s", error->message);
  self->is_running = FALSE;
  ranked = ear_episode_query_is_ranked (self->query);
  limit = self->limit;
  if (ids != NULL && ranked && limit == BEST_STEP)
    add_shown (self, ids);
  /* After an error the rows stay. */
  if (ids != NULL)
    change_to (self, ids);
  ear_property_set_boolean (self, "loading", FALSE);
  /* After the rows: the reader would take the processor from them. */
  if (ids != NULL && ranked && limit == SEARCH_STEP)
    ask (self, ids->len < SEARCH_STEP ? 0 : BEST_STEP);
  if (self->is_running || self->rest != 0)
    return;
  if (ids == NULL || limit == 0 || (!ranked && ids->len < limit))
    {
      self->limit = 0;
      self->rest = g_timeout_add_once (REST, rested_cb, self);
    }
  else if (!ranked && self->query->n_first == 0)
    ask (self, 0);
  else
    {
      self->limit = ranked ? 0 : limit + STEP;
      self->rest = g_timeout_add_once (ranked ? SEARCH_REST : STEP_INTERVAL, rested_cb, self);
      self->is_outdated = TRUE;
    }
  update_asking (self);
}

/* Interrupts a running query, and runs it again after a rest, unless another list takes the place
 * of this one. */
void
ear_episode_list_postpone (EarEpisodeList *self)
{
  g_return_if_fail (EAR_IS_EPISODE_LIST (self));

  if (!self->asking)
    return;
  ear_cancellable_clear (&self->cancellable);
  g_clear_handle_id (&self->rest, g_source_remove);
  self->rest = g_timeout_add_once (SEARCH_REST, rested_cb, self);
  self->is_running = FALSE;
  self->is_outdated = TRUE;
}

/* --- Changes of the catalogue ------------------------------------------------------- */

static void
episodes_changed_cb (EarEpisodeList *self, gint64 podcast, EarEpisodeChange what)
{
  if ((podcast == 0 || self->query->podcast == 0 || self->query->podcast == podcast) &&
      (ear_episode_filter_get_interest (self->query) & what) != 0)
    ask_again (self);
}

static void
list_changed_cb (EarEpisodeList *self, const char *list)
{
  if (g_strcmp0 (self->query->list, list) == 0)
    ask_again (self);
}

static void
ear_episode_list_release (EarEpisodeList *self)
{
  ear_cancellable_clear (&self->cancellable);
  g_clear_handle_id (&self->rest, g_source_remove);
  g_array_set_size (self->ids, 0);
  g_ptr_array_set_size (self->pages, 0);
  g_clear_object (&self->catalogue);
}

static void
ear_episode_list_finalize (GObject *object)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (object);

  g_clear_pointer (&self->query, ear_episode_query_free);
  g_array_unref (self->ids);
  g_ptr_array_unref (self->pages);

  G_OBJECT_CLASS (ear_episode_list_parent_class)->finalize (object);
}

static void
ear_episode_list_class_init (EarEpisodeListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Whether the query has no result yet */
    EAR_READABLE (EarEpisodeList, loading, G_TYPE_BOOLEAN),
    /* Whether a query is running, or will be repeated because of a change */
    EAR_READABLE (EarEpisodeList, asking, G_TYPE_BOOLEAN),
    { "n-items", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (ear_episode_list_get_n_items) },
  };

  ear_class_set_release (klass, ear_episode_list_release);
  object_class->finalize = ear_episode_list_finalize;

  ear_class_add_properties (klass, properties);
}

static void
ear_episode_list_init (EarEpisodeList *self)
{
  self->ids = ear_ids_new ();
  self->pages = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
}

/* Returns: (transfer full): a list that follows the catalogue's changes */
EarEpisodeList *
ear_episode_list_new_with_query (EarCatalogue *catalogue, const EarEpisodeQuery *query)
{
  EarEpisodeList *self = g_object_new (EAR_TYPE_EPISODE_LIST, NULL);
  const guint n_first = query->search != NULL  ? SEARCH_STEP
                        : query->n_first > 0 ? query->n_first
                                             : FIRST_STEP;

  self->catalogue = g_object_ref (catalogue);
  self->query = ear_episode_query_copy (query);
  ear_connect (catalogue, "episodes-changed", episodes_changed_cb, self);
  ear_connect (catalogue, "list-changed", list_changed_cb, self);
  self->loading = TRUE;
  /* If an index has the order, the first rows are known at once; otherwise all rows have
   * to be sorted. */
  ask (self, ear_episode_query_is_in_order (query) ? n_first : 0);

  return self;
}

const EarEpisodeQuery *
ear_episode_list_get_query (EarEpisodeList *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), NULL);

  return self->query;
}

EAR_DEFINE_GET (EarEpisodeList, ear_episode_list, gboolean, loading)
EAR_DEFINE_GET (EarEpisodeList, ear_episode_list, gboolean, asking)

/* Returns the episode of a row without making an object.
 * Returns: row id of the episode */
gint64
ear_episode_list_get_id (EarEpisodeList *self, guint position)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), 0);
  g_return_val_if_fail (position < self->ids->len, 0);

  return g_array_index (self->ids, gint64, position);
}

/* Finds an episode without making an object.
 * Returns: whether the list has it */
gboolean
ear_episode_list_find (EarEpisodeList *self, gint64 id, guint *position)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), FALSE);

  for (guint i = 0; i < self->ids->len; i++)
    if (g_array_index (self->ids, gint64, i) == id)
      {
        if (position != NULL)
          *position = i;
        return TRUE;
      }

  return FALSE;
}
