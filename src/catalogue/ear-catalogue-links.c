/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-chapter-titles.h"
#include "ear-link-address.h"
#include "ear-link-rows.h"
#include "ear-link.h"

/* Main thread: links of episodes. The catalogue does not parse notes: EarLinkCollector
 * requests unscanned notes, some at a time, and passes back their links. The chapters of
 * feeds go the same way, so that a first fetch does not wait for their index. */

/* Limits of notes read at once, and of their bytes: a click on an episode
 * waits for them. */
#define UNLINKED_STEP 200
#define UNLINKED_BYTES (1024 * 1024)

/* --- Reader thread ------------------------------------------------------------------- */

static void
unlinked_free (gpointer data)
{
  EarUnlinked *self = data;

  g_free (self->notes);
  g_free (self->base);
  g_clear_pointer (&self->chapters, ear_transcript_unref);
  g_clear_pointer (&self->links, g_ptr_array_unref);
  g_free (self);
}

typedef struct
{
  GPtrArray *notes;
  gboolean later;
} Unlinked;

static void
unlinked_answer_free (gpointer data)
{
  Unlinked *answer = data;

  g_clear_pointer (&answer->notes, g_ptr_array_unref);
  g_free (answer);
}

/* The first of the columns for chapters */
#define CHAPTERS 5

static gsize
add_unlinked (GPtrArray *notes, EarStatement *statement)
{
  EarUnlinked *one = g_new0 (EarUnlinked, 1);

  one->episode = sqlite3_column_int64 (statement, 0);
  one->text_digest = sqlite3_column_int64 (statement, 1);
  one->digest = sqlite3_column_int64 (statement, 2);
  one->notes = ear_statement_dup_text (statement, 3);
  one->base = ear_statement_dup_text (statement, 4);
  one->chapters = ear_chapter_titles_read (statement, CHAPTERS);
  g_ptr_array_add (notes, one);

  return (gsize) (sqlite3_column_bytes (statement, 3) + sqlite3_column_bytes (statement, CHAPTERS + 1));
}

/* Returns nothing while the writer indexes texts: that makes them searchable,
 * and comes first. */
static gpointer
read_unlinked (EarDatabase *database, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (unlinked_free);
  g_autoptr (EarStatement) statement = NULL;
  Unlinked *answer;
  gint64 later = 0;
  gboolean row = TRUE;
  gsize size = 0;

  if (!ear_database_get_int (database, error, &later, "SELECT 1 FROM meta WHERE key = 'texts'", ""))
    return NULL;
  statement = ear_database_query (
      database, error,
      "SELECT episode.id, text_digest, digest, text, coalesce (base, link), " EAR_CHAPTER_TITLES_COLUMNS " FROM episode INDEXED BY episode_unlinked"
      " LEFT JOIN notes ON notes.episode = episode.id WHERE links IS NULL ORDER BY sort_key DESC LIMIT ?1", "i", UNLINKED_STEP);
  while (later == 0 && size < UNLINKED_BYTES && row)
    if (!ear_database_step (database, statement, &row, error))
      return NULL;
    else if (row)
      size += add_unlinked (notes, statement);

  answer = g_new0 (Unlinked, 1);
  answer->notes = g_steal_pointer (&notes);
  answer->later = later != 0;

  return answer;
}

static gpointer
find_links (EarDatabase *database, gpointer data, GError **error)
{
  return ear_link_rows_find (database, data, error);
}

static gpointer
read_links (EarDatabase *database, gpointer data, GError **error)
{
  GArray *places = data;

  return ear_link_rows_read (database, (const EarLinkPlace *) (gpointer) places->data, places->len, error);
}

static gpointer
read_hosts (EarDatabase *database, gpointer data, GError **error)
{
  return ear_link_rows_list_hosts (database, error);
}

typedef struct
{
  gint64 podcast;
  GPtrArray *links; /* (element-type EarLink) */
} RepeatedQuery;

static void
repeated_query_free (gpointer data)
{
  RepeatedQuery *query = data;

  g_ptr_array_unref (query->links);
  g_free (query);
}

static gpointer
find_repeated (EarDatabase *database, gpointer data, GError **error)
{
  const RepeatedQuery *query = data;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) repeated = NULL;
  GPtrArray *links;

  for (guint i = 0; i < query->links->len; i++)
    {
      const gint64 id = ear_link_address_make_id (ear_link_get_key (g_ptr_array_index (query->links, i)));

      g_array_append_val (ids, id);
    }
  repeated = ear_link_rows_find_repeated (database, query->podcast, ids, error);
  if (repeated == NULL)
    return NULL;

  links = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0, at = 0; i < ids->len && at < repeated->len; i++)
    if (g_array_index (ids, gint64, i) == g_array_index (repeated, gint64, at))
      {
        g_ptr_array_add (links, g_object_ref (g_ptr_array_index (query->links, i)));
        at++;
      }

  return links;
}

/* --- Writer thread ------------------------------------------------------------------- */

static void
links_to_store_free (gpointer data)
{
  EarLinksToStore *self = data;

  g_ptr_array_unref (self->episodes);
  g_clear_object (&self->task);
  g_free (self);
}

static void
tell_of_links (EarCatalogueTables *tables, EarCatalogueOp *op, EarCatalogueEvent *event, const GError *error)
{
  EarLinksToStore *data = op->data;

  /* The main thread reads the task's data only after it has the event. */
  g_task_set_task_data (data->task, GINT_TO_POINTER (error != NULL), NULL);
  g_ptr_array_add (event->flushed, g_steal_pointer (&data->task));
}

static const EarCatalogueOpKind links_kind = {
  .flags = EAR_OP_LEAVES_ROOM,
  .data_free = links_to_store_free,
  .perform = ear_catalogue_tables_put_links,
  .tell = tell_of_links,
};

/* --- Main thread --------------------------------------------------------------------- */

/**
 * ear_catalogue_list_unlinked_async:
 * @callback: called with some notes
 *
 * Requests the notes of some unscanned episodes, newest first.
 */
void
ear_catalogue_list_unlinked_async (EarCatalogue *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ear_catalogue_ask (self, ear_catalogue_ensure_notes_reader (self), read_unlinked, NULL, NULL, unlinked_answer_free,
                     ear_catalogue_list_unlinked_async, cancellable, callback, user_data);
}

/**
 * ear_catalogue_list_unlinked_finish:
 * @later: (out): whether the writer has more urgent work: call again later
 *
 * Returns: (transfer full) (nullable) (element-type EarUnlinked): the notes; none if
 *   all are scanned
 */
GPtrArray *
ear_catalogue_list_unlinked_finish (EarCatalogue *self, GAsyncResult *result, gboolean *later, GError **error)
{
  Unlinked *answer;
  GPtrArray *notes = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  answer = ear_catalogue_take_answer (self, result, error);
  *later = answer != NULL && answer->later;
  if (answer != NULL)
    {
      notes = g_steal_pointer (&answer->notes);
      unlinked_answer_free (answer);
    }

  return notes;
}

/**
 * ear_catalogue_store_links_async:
 * @notes: (element-type EarUnlinked): notes with their links
 * @callback: called when the links are stored
 *
 * Stores links of episodes. Notes that have changed by now will be listed again.
 */
void
ear_catalogue_store_links_async (EarCatalogue *self, GPtrArray *notes, GAsyncReadyCallback callback, gpointer user_data)
{
  EarLinksToStore *data;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (notes != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_store_links_async);
  if (self->closed || self->writer == NULL)
    {
      g_task_set_task_data (task, GINT_TO_POINTER (TRUE), NULL);
      g_task_return_boolean (task, TRUE);
      return;
    }
  data = g_new0 (EarLinksToStore, 1);
  data->episodes = g_ptr_array_ref (notes);
  data->task = g_steal_pointer (&task);
  ear_catalogue_push (self, ear_catalogue_op_new (&links_kind, 0, data));
}

/* Returns: whether the links are stored */
gboolean
ear_catalogue_store_links_finish (EarCatalogue *self, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_get_task_data (G_TASK (result)) == NULL && g_task_propagate_boolean (G_TASK (result), NULL);
}

/**
 * ear_catalogue_query_links_async:
 * @query: a query
 * @callback: called with the result
 *
 * Queries links, on a reader thread.
 */
void
ear_catalogue_query_links_async (EarCatalogue *self, const EarLinkQuery *query, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (query != NULL);

  ear_catalogue_ask (self, self->reader, find_links, ear_link_query_copy (query), (GDestroyNotify) ear_link_query_free,
                     (GDestroyNotify) g_array_unref, ear_catalogue_query_links_async, cancellable, callback, user_data);
}

/* Returns: (transfer full) (nullable) (element-type EarLinkPlace): references to the
 * links, or %NULL on an error */
GArray *
ear_catalogue_query_links_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return ear_catalogue_take_answer (self, result, error);
}

/**
 * ear_catalogue_load_links_async:
 * @places: (array length=n_places): some results of a query
 * @callback: called with the links
 *
 * Loads links, on a reader thread.
 */
void
ear_catalogue_load_links_async (EarCatalogue *self, const EarLinkPlace *places, guint n_places, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  GArray *wanted = g_array_sized_new (FALSE, FALSE, sizeof (EarLinkPlace), n_places);

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  g_array_append_vals (wanted, places, n_places);
  ear_catalogue_ask (self, self->reader, read_links, wanted, (GDestroyNotify) g_array_unref, (GDestroyNotify) g_ptr_array_unref,
                     ear_catalogue_load_links_async, cancellable, callback, user_data);
}

/* Returns: (transfer full) (nullable) (element-type EarLink): the links that still exist,
 * or %NULL on an error */
GPtrArray *
ear_catalogue_load_links_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return ear_catalogue_take_answer (self, result, error);
}

/* Requests the hosts with the most links. */
void
ear_catalogue_list_link_hosts_async (EarCatalogue *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ear_catalogue_ask (self, self->reader, read_hosts, NULL, NULL, (GDestroyNotify) g_strfreev, ear_catalogue_list_link_hosts_async,
                     cancellable, callback, user_data);
}

/* Returns: (transfer full) (nullable): the hosts, those with the most links first, or
 * %NULL on an error */
GStrv
ear_catalogue_list_link_hosts_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return ear_catalogue_take_answer (self, result, error);
}

/**
 * ear_catalogue_find_repeated_links_async:
 * @podcast: the id of a podcast
 * @links: (element-type EarLink): the links of one of its episodes
 *
 * Finds the links that most episodes of the podcast have: sponsors, privacy, support.
 */
void
ear_catalogue_find_repeated_links_async (EarCatalogue *self, gint64 podcast, GPtrArray *links, GCancellable *cancellable,
                                         GAsyncReadyCallback callback, gpointer user_data)
{
  RepeatedQuery *query;

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  query = g_new0 (RepeatedQuery, 1);
  query->podcast = podcast;
  query->links = g_ptr_array_ref (links);
  ear_catalogue_ask (self, ear_catalogue_ensure_notes_reader (self), find_repeated, query, repeated_query_free,
                     (GDestroyNotify) g_ptr_array_unref, ear_catalogue_find_repeated_links_async, cancellable, callback, user_data);
}

/* Returns: (transfer full) (nullable) (element-type EarLink): those of the links, in
 * their order, or %NULL on an error */
GPtrArray *
ear_catalogue_find_repeated_links_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return ear_catalogue_take_answer (self, result, error);
}
