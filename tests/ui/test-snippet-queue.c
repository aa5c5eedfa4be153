/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-snippet-queue.h"

#define N_EPISODES 4

/* A library of which the episodes of one podcast say "garden" in their notes. */
typedef struct
{
  Fixture store;
  EarLibrary *library;
  EarEpisodeList *list;
  EarSnippetQueue *queue;
} Found;

/* One row of a list, which asks for its snippet. */
typedef struct
{
  const char *name;
  GString *log;
  char *text; /* (nullable): of the last answer */
} Row;

static gboolean
has_rows (Found *found)
{
  return g_list_model_get_n_items (G_LIST_MODEL (found->list)) == N_EPISODES;
}

static void
wait_until (gboolean (*holds) (Found *), Found *found)
{
  const gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (!holds (found) && g_get_monotonic_time () < deadline)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_true (holds (found));
}

static void
set_up (Found *found, gconstpointer data)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autofree char *folder = NULL;
  g_autoptr (GError) error = NULL;
  EarPodcast *podcast;

  fixture_set_up (&found->store, data);
  podcast = follow (&found->store, "podcast");
  for (guint i = 0; i < N_EPISODES; i++)
    {
      g_autofree char *name = g_strdup_printf ("episode %u", i);
      g_autofree char *notes = g_strdup_printf ("<p>Of the garden number %u and of the river.</p>", i);

      store_one (found->store.catalogue, podcast, make_episode (name, name, NEWEST - i * DAY, notes));
    }
  flush (found->store.catalogue);
  fixture_close (&found->store);

  folder = g_path_get_dirname (found->store.path);
  found->library = ear_library_new (folder, found->store.folder);
  g_assert_true (ear_library_open (found->library, &error));
  g_assert_no_error (error);
  found->list = ear_episode_list_new_with_query (ear_library_get_catalogue (found->library), query);
  wait_until (has_rows, found);
  found->queue = g_object_new (EAR_TYPE_SNIPPET_QUEUE, NULL);
}

static void
closed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  ear_library_close_finish (EAR_LIBRARY (object), result, NULL);
  *(gboolean *) user_data = TRUE;
}

static void
tear_down (Found *found, gconstpointer data)
{
  gboolean closed = FALSE;

  /* Answers that are still on their way hold the queue. */
  ear_snippet_queue_set_search (found->queue, NULL, NULL);
  ear_library_close_async (found->library, closed_cb, &closed);
  while (!closed || g_main_context_pending (NULL))
    g_main_context_iteration (NULL, TRUE);
  g_clear_object (&found->list);
  g_assert_finalize_object (found->queue);
  g_clear_object (&found->library);
  fixture_tear_down (&found->store, data);
}

static void
row_clear (Row *row)
{
  g_free (row->text);
}

static void
answered_cb (const EarSnippet *snippet, gpointer user_data)
{
  Row *row = user_data;

  g_string_append_printf (row->log, "%s%s ", row->name, snippet != NULL && snippet->text != NULL ? "" : "?");
  g_free (row->text);
  row->text = snippet != NULL ? g_strdup (snippet->text) : NULL;
}

static void
ask (Found *found, guint position, Row *row)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (found->list), position);

  ear_snippet_queue_add (found->queue, episode, answered_cb, row);
}

static void
wait_for (GString *log, const char *expected)
{
  const gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (log->len < strlen (expected) && g_get_monotonic_time () < deadline)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_cmpstr (log->str, ==, expected);
}

static void
test_new (Found *found, gconstpointer data)
{
  g_autoptr (GString) log = g_string_new (NULL);
  Row row = { "a", log, NULL };

  g_assert_null (ear_snippet_queue_get_search (found->queue));
  ear_snippet_queue_remove (found->queue, &row);
  /* Without words nobody is asked, and nobody gets an answer. */
  ask (found, 0, &row);
  ear_snippet_queue_set_search (found->queue, found->library, NULL);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpstr (log->str, ==, "");
}

/* One after the other, each about its own episode. */
static void
test_in_order (Found *found, gconstpointer data)
{
  g_autoptr (GString) log = g_string_new (NULL);
  Row rows[3] = { { "a", log, NULL }, { "b", log, NULL }, { "c", log, NULL } };

  ear_snippet_queue_set_search (found->queue, found->library, "garden");
  g_assert_cmpstr (ear_snippet_queue_get_search (found->queue), ==, "garden");
  for (guint i = 0; i < 3; i++)
    ask (found, i, &rows[i]);
  wait_for (log, "a b c ");
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *number = g_strdup_printf ("garden number %u", i);

      g_assert_nonnull (strstr (rows[i].text, number));
      row_clear (&rows[i]);
    }
}

static void
test_removed (Found *found, gconstpointer data)
{
  g_autoptr (GString) log = g_string_new (NULL);
  Row rows[4] = { { "a", log, NULL }, { "b", log, NULL }, { "c", log, NULL }, { "d", log, NULL } };

  ear_snippet_queue_set_search (found->queue, found->library, "garden");
  for (guint i = 0; i < 4; i++)
    ask (found, i, &rows[i]);
  /* One that is on its way, and one that waits. */
  ear_snippet_queue_remove (found->queue, &rows[0]);
  ear_snippet_queue_remove (found->queue, &rows[2]);
  wait_for (log, "b d ");
  for (guint i = 0; i < 4; i++)
    row_clear (&rows[i]);
}

/* A row that was bound to another episode wants to know of that one only. */
static void
test_asked_again (Found *found, gconstpointer data)
{
  g_autoptr (GString) log = g_string_new (NULL);
  Row first = { "a", log, NULL };
  Row second = { "b", log, NULL };

  ear_snippet_queue_set_search (found->queue, found->library, "garden");
  ask (found, 0, &first);
  ask (found, 1, &second);
  ask (found, 2, &second);
  ask (found, 3, &first);
  wait_for (log, "b a ");
  g_assert_nonnull (strstr (second.text, "number 2"));
  g_assert_nonnull (strstr (first.text, "number 3"));
  row_clear (&first);
  row_clear (&second);
}

static void
changed_cb (EarSnippetQueue *queue, GParamSpec *pspec, GString *log)
{
  g_string_append_printf (log, "[%s] ", ear_snippet_queue_get_search (queue));
}

/* The next key does not wait behind the rows of the last one. */
static void
test_other_words (Found *found, gconstpointer data)
{
  g_autoptr (GString) log = g_string_new (NULL);
  Row rows[3] = { { "a", log, NULL }, { "b", log, NULL }, { "c", log, NULL } };

  g_signal_connect (found->queue, "notify::search", G_CALLBACK (changed_cb), log);
  ear_snippet_queue_set_search (found->queue, found->library, "garden");
  for (guint i = 0; i < 3; i++)
    ask (found, i, &rows[i]);
  ear_snippet_queue_set_search (found->queue, found->library, "garden");
  ear_snippet_queue_set_search (found->queue, found->library, "river");
  ask (found, 3, &rows[1]);
  wait_for (log, "[garden] [river] b ");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpstr (log->str, ==, "[garden] [river] b ");
  g_assert_nonnull (strstr (rows[1].text, "river"));
  g_signal_handlers_disconnect_by_data (found->queue, log);
  row_clear (&rows[1]);
}

/* The words may be in a bookmark now, or not any more: all rows look again. */
static void
test_stale (Found *found, gconstpointer data)
{
  g_autoptr (GString) log = g_string_new (NULL);
  g_autoptr (GPtrArray) bookmarks = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_bookmark_text_free);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (found->list), 0);
  g_autoptr (EarChapters) chapters = ear_chapters_new ();

  g_ptr_array_add (bookmarks, ear_bookmark_text_new ("https://example.org/podcast", "episode 0", 0, "The garden"));
  ear_snippet_queue_set_search (found->queue, found->library, "garden");
  g_signal_connect (found->queue, "notify::search", G_CALLBACK (changed_cb), log);
  ear_catalogue_set_bookmarks (ear_library_get_catalogue (found->library), bookmarks);
  wait_for (log, "[garden] ");
  ear_chapters_add (chapters, 0, "A garden");
  ear_catalogue_store_chapters (ear_library_get_catalogue (found->library), episode, chapters);
  wait_for (log, "[garden] [garden] ");
  /* Nobody looks for anything any more. */
  ear_catalogue_set_bookmarks (ear_library_get_catalogue (found->library), bookmarks);
  ear_snippet_queue_set_search (found->queue, found->library, NULL);
  wait_for (log, "[garden] [garden] [(null)] ");
  g_signal_handlers_disconnect_by_data (found->queue, log);
}

/* Whoever is gone while an answer is on its way is not called. */
static void
test_goes (Found *found, gconstpointer data)
{
  g_autoptr (GString) log = g_string_new (NULL);
  Row row = { "a", log, NULL };
  EarSnippetQueue *queue = g_object_new (EAR_TYPE_SNIPPET_QUEUE, NULL);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (found->list), 0);

  ear_snippet_queue_set_search (queue, found->library, "garden");
  ear_snippet_queue_add (queue, episode, answered_cb, &row);
  g_object_run_dispose (G_OBJECT (queue));
  g_object_add_weak_pointer (G_OBJECT (queue), (gpointer *) &queue);
  g_object_unref (queue);
  while (queue != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (log->str, ==, "");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/snippet-queue/" name, Found, NULL, set_up, function, tear_down)
  ADD ("new", test_new);
  ADD ("in-order", test_in_order);
  ADD ("removed", test_removed);
  ADD ("asked-again", test_asked_again);
  ADD ("other-words", test_other_words);
  ADD ("stale", test_stale);
  ADD ("goes", test_goes);

  return g_test_run ();
}
