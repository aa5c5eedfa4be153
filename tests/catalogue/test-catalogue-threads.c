/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-test-threads.h"
#include "ear-test-wait.h"

#include <glib/gstdio.h>
#include <string.h>

#ifdef __linux__
#include <sys/resource.h>
#endif

/* The writer and the readers at the same time */

static void
cancelled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);

  g_string_append (user_data, ids != NULL ? "answered " : error->code == G_IO_ERROR_CANCELLED ? "cancelled " : "failed ");
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 2000, NEWEST);
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_TITLE, NULL);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GString) answers = g_string_new (NULL);

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  ear_catalogue_read_async (fixture->catalogue, ear_read_query (query, 0), cancelled, cancelled_cb, answers);
  g_cancellable_cancel (cancelled);
  while (answers->len == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (answers->str, ==, "cancelled ");

  /* Queries on a closed catalogue fail at once. */
  g_string_truncate (answers, 0);
  ear_catalogue_read_async (fixture->catalogue, ear_read_query (query, 0), NULL, cancelled_cb, answers);
  ear_catalogue_close (fixture->catalogue);
  ear_catalogue_read_async (fixture->catalogue, ear_read_query (query, 0), NULL, cancelled_cb, answers);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_nonnull (strstr (answers->str, "failed "));
  g_assert_null (ear_catalogue_dup_episode (fixture->catalogue, 1));
  flush (fixture->catalogue);
}

typedef struct
{
  EarCatalogue *catalogue;
  gint64 podcast;
  guint number;
} Feeder;

static gpointer
feed_thread (gpointer data)
{
  Feeder *feeder = data;

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *prefix = g_strdup_printf ("%u/%u", feeder->number, i);
      g_autoptr (GPtrArray) episodes = make_episodes (prefix, 100, NEWEST);

      ear_catalogue_store_batch (feeder->catalogue, feeder->podcast, NULL, episodes);
    }

  return NULL;
}

/* Many threads add batches; the queue stays short, and nothing is lost. */
static void
test_threads (Fixture *fixture, gconstpointer data)
{
  GThread *threads[4];
  Feeder feeders[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      feeders[i] = (Feeder) { fixture->catalogue, ear_podcast_get_id (follow (fixture, name)), i };
      threads[i] = g_thread_new ("feed", feed_thread, &feeders[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  flush (fixture->catalogue);
  g_assert_cmpuint (fixture->inserted->len, ==, 8000);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), ==, 8000);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), ==, 8000);
}

/* Stores episodes whose notes exceed the queue together: each waits for the one before. */
static gpointer
feed_large_thread (gpointer data)
{
  const Feeder *feeder = data;
  g_autofree char *notes = g_strnfill (6 * 1024 * 1024, 'a');

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *guid = g_strdup_printf ("%u/%u", feeder->number, i);
      g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);

      g_ptr_array_add (episodes, make_episode (guid, "Large", NEWEST, notes));
      ear_catalogue_store_batch (feeder->catalogue, feeder->podcast, NULL, episodes);
    }

  return NULL;
}

/* Batches wait for room in the queue, and no longer once the catalogue is closed. */
static void
test_room (Fixture *fixture, gconstpointer data)
{
  Feeder feeder = { fixture->catalogue, ear_podcast_get_id (follow (fixture, "one")), 1 };
  GThread *thread;

  g_thread_join (g_thread_new ("feed", feed_large_thread, &feeder));
  flush (fixture->catalogue);
  g_assert_cmpuint (fixture->inserted->len, ==, 4);

  feeder.number = 2;
  thread = g_thread_new ("feed", feed_large_thread, &feeder);
  ear_catalogue_close (fixture->catalogue);
  g_thread_join (thread);
}

static void
test_close_drains (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *prefix = g_strdup_printf ("%u", i);
      g_autoptr (GPtrArray) episodes = make_episodes (prefix, 50, NEWEST);

      store (fixture->catalogue, podcast, episodes);
    }
  ear_catalogue_close (fixture->catalogue);
  ear_catalogue_close (fixture->catalogue);
  g_assert_cmpuint (fixture->inserted->len, ==, 500);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), ==, 500);
  g_assert_cmpint (read_number (fixture->path, "SELECT value FROM meta WHERE key = 'exit'"), ==, 1);
}

#ifdef __linux__
/* Frames and searches have normal priority, refreshes a lower one. */
static void
test_niceness (Fixture *fixture, gconstpointer data)
{
  follow (fixture, "one");
  flush (fixture->catalogue);
  g_assert_cmpint (ear_test_get_niceness ("catalogue-write"), >=, 10);
  g_assert_cmpint (ear_test_get_niceness ("catalogue-read"), ==, getpriority (PRIO_PROCESS, 0));
}
#endif

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
#ifdef __linux__
    { "/catalogue-threads/niceness", test_niceness },
#endif
    { "/catalogue-threads/cancelled", test_cancelled },
    { "/catalogue-threads/threads", test_threads },
    { "/catalogue-threads/room", test_room },
    { "/catalogue-threads/close-drains", test_close_drains },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
