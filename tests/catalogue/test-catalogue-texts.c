/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-error.h"

#include <gio/gio.h>
#include <string.h>

/* A damaged full text index is rebuilt on its own, while everything else works. */

#define N_EPISODES 6000

static void
queried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* Returns: the number of episodes that a word finds, or -1 if searching fails */
static gint
search (Fixture *fixture, const char *word)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, word);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GArray) ids = NULL;
  g_autoptr (GError) error = NULL;

  ear_catalogue_query_async (fixture->catalogue, query, 0, NULL, queried_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  ids = ear_catalogue_read_finish (fixture->catalogue, result, &error);
  if (error != NULL)
    g_test_message ("Searching fails: %s", error->message);

  return ids != NULL ? (gint) ids->len : -1;
}

static void
fill (Fixture *fixture)
{
  EarPodcast *podcast = follow (fixture, "one");

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *prefix = g_strdup_printf ("part%u", i);
      g_autoptr (GPtrArray) episodes = make_episodes (prefix, N_EPISODES / 3, NEWEST - i * 1000 * DAY);

      store (fixture->catalogue, podcast, episodes);
    }
  flush (fixture->catalogue);
}

static void
wait_until_indexed (Fixture *fixture)
{
  while (fixture->indexed < 1)
    g_main_context_iteration (NULL, TRUE);
}

static void
expect_all (Fixture *fixture)
{
  g_assert_cmpint (search (fixture, "words"), ==, N_EPISODES);
  g_assert_cmpint (search (fixture, "part1"), ==, N_EPISODES / 3);
  g_assert_cmpint (search (fixture, "episode 77 part2"), ==, 1);
  g_assert_null (strstr (fixture->log->str, "damage"));
}

static void
expect_whole_file (Fixture *fixture)
{
  g_autofree char *answer = NULL;

  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM meta WHERE key = 'texts'"), ==, 0);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode_text_docsize"), ==,
                   read_number (fixture->path, "SELECT count (*) FROM episode"));
  answer = read_text (fixture->path, "PRAGMA integrity_check");
  g_assert_cmpstr (answer, ==, "ok");
}

/* Damage shows during a search, or in a thorough check of the file. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  fill (fixture);
  fixture_close (fixture);
  read_number (fixture->path, data);
  read_number (fixture->path, "UPDATE meta SET value = 2 WHERE key = 'exit'");
  fixture_forget (fixture);
  fixture_open (fixture);
  ear_catalogue_check_integrity (fixture->catalogue);
  wait_until_indexed (fixture);
  expect_all (fixture);
  g_assert_cmpuint (fixture->n_indexing, >=, 3);
  fixture_close (fixture);
  expect_whole_file (fixture);
  fixture_open (fixture);
  expect_all (fixture);
}

/* A search finds the damage; the rows stay available, and new episodes are found. */
static void
test_at_work (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) episodes = make_episodes ("fresh", 50, NEWEST + 1000 * DAY);
  g_autoptr (GPtrArray) edited = make_episodes ("part0", 20, NEWEST);
  EarPodcast *podcast;

  fill (fixture);
  fixture_close (fixture);
  read_number (fixture->path, "UPDATE episode_text_data SET block = x'ff' WHERE id > 100");
  fixture_forget (fixture);
  fixture_open (fixture);
  g_assert_cmpint (search (fixture, "words"), ==, -1);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, "https://example.org/one");
  while (fixture->n_indexing == 0)
    g_main_context_iteration (NULL, TRUE);
  store (fixture->catalogue, podcast, episodes);
  for (guint i = 0; i < edited->len; i++)
    {
      EarEpisodeFacts *facts = g_ptr_array_index (edited, i);

      g_free (facts->notes);
      facts->notes = g_strdup ("edited words");
    }
  store (fixture->catalogue, podcast, edited);
  while (fixture->indexed < 1)
    {
      g_autoptr (GArray) ids = run_query (fixture->catalogue, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);

      g_assert_cmpuint (ids->len, >=, N_EPISODES);
      g_assert_cmpint (search (fixture, "words"), <=, N_EPISODES + 50);
      g_main_context_iteration (NULL, FALSE);
    }
  flush (fixture->catalogue);
  g_assert_cmpint (search (fixture, "words"), ==, N_EPISODES + 50);
  g_assert_cmpint (search (fixture, "fresh"), ==, 50);
  g_assert_cmpint (search (fixture, "edited"), ==, 20);
  fixture_close (fixture);
  expect_whole_file (fixture);
}

/* With damage beyond the index the whole file is replaced, without an endless loop. */
static void
test_more_than_texts (Fixture *fixture, gconstpointer data)
{
  fill (fixture);
  fixture_close (fixture);
  spoil_page_with (fixture->path, "Episode 250 of part0");
  read_number (fixture->path, "UPDATE episode_text_data SET block = x'ff' WHERE id > 100");
  fixture_forget (fixture);
  fixture_open (fixture);
  g_assert_cmpint (search (fixture, "words"), ==, -1);
  expect_told (fixture, "*damage found; ");
  g_assert_cmpuint (fixture->n_indexing, ==, 0);
}

/* Closed during the rebuild: the next session continues it from any point. */
static void
test_closed (Fixture *fixture, gconstpointer data)
{
  gboolean is_done = FALSE;

  fill (fixture);
  fixture_close (fixture);
  read_number (fixture->path, "UPDATE episode_text_data SET block = x'ff' WHERE id > 100");
  fixture_open (fixture);
  g_assert_cmpint (search (fixture, "words"), ==, -1);
  for (guint i = 0; !is_done; i++)
    {
      g_assert_cmpuint (i, <, 100);
      fixture->n_indexing = 0;
      while (fixture->n_indexing == 0)
        g_main_context_iteration (NULL, TRUE);
      fixture_close (fixture);
      is_done = fixture->indexed >= 1;
      fixture_open (fixture);
    }
  expect_all (fixture);
  fixture_close (fixture);
  expect_whole_file (fixture);
}

/* Damage that stops the rebuild is found, though the index itself is not complete yet. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  fill (fixture);
  fixture_close (fixture);
  read_number (fixture->path, "INSERT INTO episode_text (episode_text) VALUES ('delete-all')");
  read_number (fixture->path, "INSERT INTO meta (key, value) VALUES ('texts', 9223372036854775807)");
  spoil_page_with (fixture->path, "Episode 250 of part2");
  fixture_forget (fixture);
  fixture_open (fixture);
  while (strstr (fixture->log->str, "failed") == NULL)
    g_main_context_iteration (NULL, TRUE);
  /* Some progress was made before. */
  g_assert_cmpuint (fixture->n_indexing, >=, 1);
  while (strstr (fixture->log->str, "damage found") == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
said_cb (EarCatalogue *catalogue, double indexed)
{
  g_print ("%f\n", indexed);
}

G_NORETURN static void
index_child (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCatalogue) catalogue = ear_catalogue_open (path, &error);

  g_assert_no_error (error);
  g_signal_connect (catalogue, "indexing", G_CALLBACK (said_cb), NULL);
  g_print ("begun\n");
  ear_catalogue_check_integrity (catalogue);
  while (TRUE)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_killed (Fixture *fixture, gconstpointer data)
{
  fill (fixture);
  fixture_close (fixture);
  read_number (fixture->path, "UPDATE episode_text_data SET block = x'ff' WHERE id > 100");
  read_number (fixture->path, "UPDATE meta SET value = 2 WHERE key = 'exit'");
  for (guint i = 0; i < 12; i++)
    {
      g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
      g_autoptr (GSubprocess) child =
          g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL, program, "--index",
                            fixture->path, NULL);
      g_autoptr (GDataInputStream) output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (child));
      g_autofree char *line = g_data_input_stream_read_line (output, NULL, NULL, NULL);

      g_assert_cmpstr (line, ==, "begun");
      g_usleep ((gulong) g_test_rand_int_range (0, 30000));
      g_subprocess_force_exit (child);
      g_subprocess_wait (child, NULL, NULL);
    }
  fixture_forget (fixture);
  fixture_open (fixture);
  /* The child may never have reached the thorough check, or the last one may have
   * finished. */
  ear_catalogue_check_integrity (fixture->catalogue);
  while (fixture->indexed < 1 && search (fixture, "words") != N_EPISODES)
    g_main_context_iteration (NULL, FALSE);
  wait_for_number (fixture, "SELECT count (*) FROM meta WHERE key = 'texts'", 0);
  flush (fixture->catalogue);
  expect_all (fixture);
  fixture_close (fixture);
  expect_whole_file (fixture);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*func) (Fixture *fixture, gconstpointer data);
    const char *data;
  } tests[] = {
    { "damaged/blocks", test_damaged, "UPDATE episode_text_data SET block = x'ff' WHERE id > 100" },
    { "damaged/structure", test_damaged, "UPDATE episode_text_data SET block = x'00112233445566' WHERE id = 10" },
    { "damaged/no-structure", test_damaged, "DELETE FROM episode_text_data WHERE id = 10" },
    { "damaged/half", test_damaged, "UPDATE episode_text_data SET block = substr (block, 1, length (block) / 2) WHERE id > 100" },
    { "damaged/no-blocks", test_damaged, "DELETE FROM episode_text_data WHERE id > 100" },
    { "damaged/index", test_damaged, "UPDATE episode_text_idx SET pgno = pgno + 1000" },
    { "damaged/version", test_damaged, "UPDATE episode_text_config SET v = 99 WHERE k = 'version'" },
    { "damaged/no-config", test_damaged, "DROP TABLE episode_text_config" },
    { "damaged/no-data", test_damaged, "DROP TABLE episode_text_data" },
    { "at-work", test_at_work, NULL },
    { "more-than-texts", test_more_than_texts, NULL },
    { "closed", test_closed, NULL },
    { "stopped", test_stopped, NULL },
    { "killed", test_killed, NULL },
  };

  if (argc == 3 && strcmp (argv[1], "--index") == 0)
    index_child (argv[2]);

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/catalogue-texts/", tests[i].path, NULL);

      g_test_add (path, Fixture, tests[i].data, fixture_set_up, tests[i].func, fixture_tear_down);
    }

  return g_test_run ();
}
