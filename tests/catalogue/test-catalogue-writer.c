/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"
#include "ear-catalogue-private.h"

#include "ear-test-process.h"
#include "ear-test-threads.h"

#include <string.h>

#ifdef __linux__
#include <sys/resource.h>
#endif

/* The writer, its queue, and the readers at the same time */

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_TITLE, NULL);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL, before = NULL, after = NULL;
  g_autoptr (GError) error = NULL;

  fill (fixture, "one", "e", 2000);
  ear_catalogue_read_async (fixture->catalogue, ear_read_query (query, 0), cancelled, ear_test_result_cb, &result);
  g_cancellable_cancel (cancelled);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_assert_null (ear_catalogue_read_finish (fixture->catalogue, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  /* Queries on a closed catalogue fail at once. */
  ear_catalogue_read_async (fixture->catalogue, ear_read_query (query, 0), NULL, ear_test_result_cb, &before);
  ear_catalogue_close (fixture->catalogue);
  ear_catalogue_read_async (fixture->catalogue, ear_read_query (query, 0), NULL, ear_test_result_cb, &after);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (ear_catalogue_read_finish (fixture->catalogue, after, NULL));
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
      const char *prefix = ear_test_format ("%u/%u", feeder->number, i);
      g_autoptr (GPtrArray) episodes = make_episodes (prefix, 100, NEWEST);

      ear_catalogue_store_batch (feeder->catalogue, feeder->podcast, NULL, episodes);
    }

  return NULL;
}

/* Many threads add batches; closing waits until everything is stored, and may be repeated. */
static void
test_threads (Fixture *fixture, gconstpointer data)
{
  GThread *threads[4];
  Feeder feeders[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      EarPodcast *podcast = follow (fixture, ear_test_format ("%u", i));

      feeders[i] = (Feeder) { fixture->catalogue, ear_podcast_get_id (podcast), i };
      threads[i] = g_thread_new ("feed", feed_thread, &feeders[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  ear_catalogue_close (fixture->catalogue);
  ear_catalogue_close (fixture->catalogue);
  g_assert_cmpuint (fixture->n_new, ==, 8000);
  assert_number (fixture, "SELECT count (*) FROM episode", 8000);
  assert_number (fixture, "SELECT value FROM meta WHERE key = 'exit'", 1);
}

/* Memory of the batches in the queue, at most */
#define QUEUE_BYTES (16 * 1024 * 1024)

static gsize
get_queued_bytes (EarCatalogue *catalogue)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&catalogue->writer->mutex);

  return catalogue->writer->n_bytes;
}

/* Stores episodes whose notes exceed the queue together: each waits for the one before.
 * Returns: the most bytes in the queue after a batch */
static gpointer
feed_large_thread (gpointer data)
{
  const Feeder *feeder = data;
  g_autofree char *notes = g_strnfill (6 * 1024 * 1024, 'a');
  gsize most = 0;

  for (guint i = 0; i < 4; i++)
    {
      const char *guid = ear_test_format ("%u/%u", feeder->number, i);
      g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);

      g_ptr_array_add (episodes, make_episode (guid, "Large", NEWEST, notes));
      ear_catalogue_store_batch (feeder->catalogue, feeder->podcast, NULL, episodes);
      most = MAX (most, get_queued_bytes (feeder->catalogue));
    }

  return GSIZE_TO_POINTER (most);
}

/* Batches wait for room in the queue, and no longer once the catalogue is closed. */
static void
test_room (Fixture *fixture, gconstpointer data)
{
  Feeder feeder = { fixture->catalogue, ear_podcast_get_id (follow (fixture, "one")), 1 };

  const gsize most = GPOINTER_TO_SIZE (g_thread_join (g_thread_new ("feed", feed_large_thread, &feeder)));
  g_assert_cmpuint (most, >, 0);
  g_assert_cmpuint (most, <=, QUEUE_BYTES);
  flush (fixture->catalogue);
  g_assert_cmpuint (fixture->n_new, ==, 4);

  feeder.number = 2;
  GThread *thread = g_thread_new ("feed", feed_large_thread, &feeder);
  ear_catalogue_close (fixture->catalogue);
  g_thread_join (thread);
}

static void
find_longest_cb (EarCatalogue *catalogue, gint64 podcast, EarEpisodeChange what, guint n_new, guint *longest)
{
  *longest = MAX (*longest, n_new);
}

/* A transaction takes about half of a full queue, so that there is space for the next batches
 * meanwhile. The writer cannot begin before the queue is full. */
static void
test_transactions (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (EarDatabase) other = ear_database_open (fixture->path, EAR_DATABASE_READ_WRITE, NULL);
  g_autofree char *notes = g_strnfill (QUEUE_BYTES / 32, 'a');
  guint n_all = 0, longest = 0;

  flush (fixture->catalogue);
  g_signal_connect (fixture->catalogue, "episodes-changed::inserted", G_CALLBACK (find_longest_cb), &longest);
  ear_database_exec (other, "BEGIN IMMEDIATE");
  ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
  while (get_queued_bytes (fixture->catalogue) < QUEUE_BYTES / 16 * 14)
    store_one (fixture->catalogue, podcast,
               make_episode (ear_test_format ("%u", n_all++), "Large", NEWEST, notes));
  ear_database_exec (other, "ROLLBACK");
  flush (fixture->catalogue);
  g_assert_cmpuint (fixture->n_new, ==, n_all);
  g_assert_cmpuint (longest, <=, n_all * 2 / 3);
  g_signal_handlers_disconnect_by_data (fixture->catalogue, &longest);
  ear_database_close (g_steal_pointer (&other));
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

/* Stores much, then two episodes. Returns: the number of transactions for those two */
static guint
store_two_after_many (Fixture *fixture, EarPodcast *podcast, guint number)
{
  const char *first = ear_test_format ("first of %u", number);
  const char *second = ear_test_format ("second of %u", number);
  g_autoptr (GPtrArray) many = make_episodes (ear_test_format ("%u", number), 500, NEWEST);
  guint n_told = 0;
  gulong handler = g_signal_connect_swapped (fixture->catalogue, "episodes-changed::inserted",
                                             G_CALLBACK (ear_test_count_cb), &n_told);

  store (fixture->catalogue, podcast, many);
  EAR_TEST_WAIT_UNTIL (n_told > 0);
  n_told = 0;
  store_one (fixture->catalogue, podcast, make_episode (first, first, NEWEST, NULL));
  g_usleep (5000);
  store_one (fixture->catalogue, podcast, make_episode (second, second, NEWEST, NULL));
  flush (fixture->catalogue);
  g_signal_handler_disconnect (fixture->catalogue, handler);

  return n_told;
}

/* Batches in quick succession share a transaction, in one of several attempts. */
static void
test_rest (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  guint number = 0;

  while (store_two_after_many (fixture, podcast, number++) != 1)
    g_assert_cmpuint (number, <, 50);
}

/* Writes forever, and prints the number of stored episodes after each flush. */
G_NORETURN static void
write_child (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCatalogue) catalogue = open_catalogue (path, &error);
  guint n_stored = 0;

  g_assert_no_error (error);
  for (guint round = (guint) g_get_real_time ();; round++)
    {
      const char *address = ear_test_format ("https://example.org/%u", round % 7);
      const char *prefix = ear_test_format ("e%u", round);
      const char *guid = ear_test_format ("%s-1", prefix);
      g_autoptr (GPtrArray) episodes = make_episodes (prefix, 1 + round % 40, NEWEST - round % 1000);
      EarPodcast *podcast = ear_catalogue_follow (catalogue, address, NULL);

      store (catalogue, podcast, episodes);
      finish_answer (catalogue, podcast, prefix, prefix, FALSE);
      g_autoptr (EarEpisode) episode = get_episode (catalogue, podcast, guid);
      n_stored += episodes->len;
      set_listened (catalogue, episode, TRUE);
      if (round % 11 == 0)
        ear_catalogue_unfollow (catalogue, podcast);
      g_print ("%u\n", n_stored);
    }
}

/* Killed at any moment, the catalogue is intact, and has everything reported as stored. */
static void
test_killed_writer (Fixture *fixture, gconstpointer data)
{
  const guint n_rounds = g_test_slow () ? 100 : 25;
  gint64 n_before = 0;

  fixture_close (fixture);
  for (guint i = 0; i < n_rounds; i++)
    {
      g_auto (GStrv) lines = ear_test_run_and_kill (g_test_rand_int_range (0, 60000), "--write", fixture->path, NULL);
      const gint64 n_stored = g_ascii_strtoll (lines[g_strv_length (lines) - 1], NULL, 10);

      /* The catalogue's own check finds no damage. */
      fixture_open (fixture);
      flush (fixture->catalogue);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      assert_log (fixture, "");
      fixture_close (fixture);

      assert_whole (fixture->path);
      const gint64 n_now = read_number (fixture->path, "SELECT count (*) FROM episode");
      g_assert_cmpint (n_now, >=, n_before + n_stored);
      n_before = n_now;
      assert_number (fixture, "SELECT count (*) FROM episode_text", n_now);
      assert_number (fixture, "SELECT count (*) FROM notes", n_now);
    }
}

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
    { "/catalogue-threads/transactions", test_transactions },
    { "/catalogue/rest", test_rest },
    { "/catalogue/kill", test_killed_writer },
  };

  if (argc == 3 && strcmp (argv[1], "--write") == 0)
    write_child (argv[2]);

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
