/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-catalogue-private.h"
#include "ear-catalogue-tables.h"
#include "ear-database.h"
#include "ear-episode-search.h"
#include "ear-episode-sql.h"
#include "ear-test-wait.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

/* Texts of large first responses are indexed later, and found at once. */

#define N_EPISODES 600

static const char set_mark[] = "INSERT OR REPLACE INTO meta (key, value) VALUES ('texts', 9223372036854775807)";

static const char *const searches[] = {
  "ten", "tensor", "te", "t", "sorsor", "sor gra", "graten ten", "tensor tensor", "ten-sor", "pi-po le", "sor-gra te", "café", "CAFE cre",
  "uber", "über", "__init__", "foo-bar", "foo-b", "bold", "boldly", "nothing", "x<y", "Ten \"sor\" NOT gra", "p1", "part1 ten",
  "ten_sor", "__ten", "gra_ten", "ten-ten", "ten.sor", "gra-ten", "tenSor", "po",
};

static EarEpisodeFacts *
make_random (GRand *rand, guint number)
{
  static const char *const titles[] = { "Ten tensor", "Café Crème", "sorgra", "Über alles", "ten-sor and pi", "Nothing", "graten: ten",
                                        "GraTen of __ten_sor__", "PiPoLE, ÜberTen" };
  static const char *const ends[] = { "caf&eacute; cr&egrave;me", "<b>bo</b>ld", "foo-bar", "foo bar", "__init__ ten&shy;sor", "x&lt;y ÜBER",
                                      "ten.tenSor sor_gra_ten" };
  g_autofree char *guid = g_strdup_printf ("g%u", number);
  g_autofree char *text = make_text (rand, (guint) g_rand_int_range (rand, 1, 150));
  g_autofree char *notes = g_strconcat (text, ends[g_rand_int_range (rand, 0, G_N_ELEMENTS (ends))], NULL);
  g_autofree char *title = g_strdup_printf ("%s part%u", titles[g_rand_int_range (rand, 0, G_N_ELEMENTS (titles))], number % 3);

  return make_episode (guid, title, NEWEST - g_rand_int_range (rand, 0, 1000000), g_rand_int_range (rand, 0, 10) > 0 ? notes : NULL);
}

static EarPodcast *
fill (Fixture *fixture, const char *name, guint n_episodes)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  EarPodcast *podcast = follow (fixture, name);

  for (guint i = 0; i < n_episodes; i++)
    g_ptr_array_add (episodes, make_random (rand, i));
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, name, NULL, TRUE);
  flush (fixture->catalogue);

  return podcast;
}

static gint64
count_late (Fixture *fixture)
{
  return read_number (fixture->path, "SELECT (SELECT count (*) FROM episode) - (SELECT count (*) FROM episode_text_docsize)");
}

static void
wait_until_indexed (Fixture *fixture)
{
  wait_for_number (fixture, "SELECT count (*) FROM meta WHERE key = 'texts'", 0);
  g_assert_cmpint (count_late (fixture), ==, 0);
}

/* Results of all searches in each list and order */
static GPtrArray *
find_all (Fixture *fixture)
{
  static const EarEpisodeFilter filters[] = { EAR_FILTER_ALL, EAR_FILTER_HISTORY };
  static const guint limits[] = { 0, 40 };
  g_autoptr (EarDatabase) database = ear_database_open (fixture->path, EAR_DATABASE_READ_ONLY, NULL);
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  g_assert_true (ear_episode_sql_register (database, NULL));
  g_assert_true (ear_search_score_register (database, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (searches); i++)
    for (int sort = EAR_SORT_NEWEST; sort <= EAR_SORT_RANKED; sort++)
      for (gsize k = 0; k < G_N_ELEMENTS (filters); k++)
        for (gint64 podcast = 0; podcast < 2; podcast++)
          for (gsize j = 0; j < G_N_ELEMENTS (limits); j++)
            {
              g_autoptr (EarEpisodeQuery) query =
                  ear_episode_query_new (podcast, filters[k], (EarEpisodeSort) sort, searches[i]);
              g_autoptr (GError) error = NULL;
              GArray *ids = ear_episode_search_run (database, query, limits[j], &error);

              g_assert_no_error (error);
              g_ptr_array_add (all, ids);
            }

  return all;
}

static void
expect_same (GPtrArray *all, GPtrArray *expected)
{
  guint n_found = 0;

  for (guint i = 0; i < expected->len; i++)
    {
      GArray *ids = g_ptr_array_index (all, i);
      GArray *wanted = g_ptr_array_index (expected, i);

      n_found += wanted->len;
      g_assert_cmpmem (ids->data, ids->len * sizeof (gint64), wanted->data, wanted->len * sizeof (gint64));
    }
  g_assert_cmpuint (n_found, >, 5000);
}

/* With none, some or all of the texts in the index, results and their order are the
 * same. */
static void
test_same (Fixture *fixture, gconstpointer data)
{
  static const char *const parts[] = {
    "DELETE FROM episode_text WHERE rowid IN (SELECT sort_key FROM episode WHERE id % 3 = 0)",
    "DELETE FROM episode_text WHERE rowid < (SELECT sort_key FROM episode WHERE id = 200)",
    "DELETE FROM episode_text",
  };
  g_autoptr (GPtrArray) expected = NULL;

  fill (fixture, "one", N_EPISODES);
  fill (fixture, "two", 200);
  wait_until_indexed (fixture);
  fixture_close (fixture);
  read_number (fixture->path, "UPDATE episode SET listened = id % 2, liked = id % 5 = 0, position_updated = (id * 7919) % 1000");
  expected = find_all (fixture);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GPtrArray) all = NULL;

      read_number (fixture->path, parts[i]);
      read_number (fixture->path, set_mark);
      g_assert_cmpint (count_late (fixture), >, 100);
      all = find_all (fixture);
      expect_same (all, expected);
    }
  fixture_open (fixture);
  wait_until_indexed (fixture);
  fixture_close (fixture);
  {
    g_autoptr (GPtrArray) all = find_all (fixture);

    expect_same (all, expected);
  }
}

static void
assert_found (Fixture *fixture, const char *search, guint n_found)
{
  g_autoptr (GArray) ids = NULL;

  if (fixture->catalogue == NULL)
    fixture_open (fixture);
  ids = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, search);
  g_assert_cmpuint (ids->len, ==, n_found);
}

/* Rows are stored first; few texts are indexed at once. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", N_EPISODES);
  g_autoptr (GArray) ids = NULL;

  g_assert_cmpint (count_late (fixture), ==, N_EPISODES);
  ids = run_query (fixture->catalogue, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "part1");
  g_assert_cmpuint (ids->len, ==, N_EPISODES / 3);
  wait_until_indexed (fixture);
  store_one (fixture->catalogue, follow (fixture, "two"), make_episode ("few", "One", NEWEST, NULL));
  flush (fixture->catalogue);
  g_assert_cmpint (count_late (fixture), ==, 0);
}

/* Following a podcast with older episodes does not make searches and steps scan newer
 * rows, and a stale index entry at a row's key does not count as that row. */
static void
test_older (Fixture *fixture, gconstpointer data)
{
  const guint n_older = 400;
  const gint64 newest = NEWEST - 2000000;
  /* The first key of its second */
  g_autofree char *stale =
      g_strdup_printf ("INSERT INTO episode_text (rowid, title) VALUES (%" G_GINT64_FORMAT ", 'stale')", newest * 4 + 3);
  g_autofree char *is_there =
      g_strdup_printf ("SELECT count (*) FROM episode WHERE sort_key = %" G_GINT64_FORMAT, newest * 4 + 3);
  g_autoptr (GPtrArray) episodes = make_episodes ("older", n_older, newest);
  EarPodcast *podcast;

  fill (fixture, "one", N_EPISODES);
  wait_until_indexed (fixture);
  read_number (fixture->path, stale);
  podcast = follow (fixture, "two");
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "two", NULL, TRUE);
  fixture_close (fixture);
  g_assert_cmpint (read_number (fixture->path, is_there), ==, 1);
  g_assert_cmpint (count_late (fixture), >, 0);
  g_assert_cmpint (read_number (fixture->path, "SELECT value FROM meta WHERE key = 'texts'"), <=, newest * 4 + 4);
  assert_found (fixture, "older", n_older);
  wait_until_indexed (fixture);
  assert_found (fixture, "older", n_older);
  assert_found (fixture, "stale", 0);
}

/* Episodes that are edited, redated or deleted before they are indexed */
static void
test_changed (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", N_EPISODES);
  EarPodcast *other = fill (fixture, "two", N_EPISODES);

  fixture_close (fixture);
  read_number (fixture->path, "DELETE FROM episode_text");
  read_number (fixture->path, set_mark);
  fixture_open (fixture);
  podcast = ear_catalogue_get_podcast (fixture->catalogue, 1);
  other = ear_catalogue_get_podcast (fixture->catalogue, 2);
  store_one (fixture->catalogue, podcast, make_episode ("g1", "Renamed", NEWEST - 77, "with other words"));
  store_one (fixture->catalogue, podcast, make_episode ("g2", "Moved", NEWEST + 1000000, "of another day"));
  flush (fixture->catalogue);
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "renamed", "g1");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "moved day", "g2");
  ear_catalogue_unfollow (fixture->catalogue, other);
  flush (fixture->catalogue);
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "renamed", "g1");
  wait_until_indexed (fixture);
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "renamed", "g1");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "moved day", "g2");
}

/* Closed before anything was indexed, then unfollowed: purging works without index
 * entries, and the next session indexes the rest. */
static void
test_closed (Fixture *fixture, gconstpointer data)
{
  fill (fixture, "one", N_EPISODES);
  fill (fixture, "two", N_EPISODES);
  fixture_close (fixture);
  g_assert_cmpint (count_late (fixture), >, N_EPISODES);
  fixture_open (fixture);
  ear_catalogue_set_purge_delay (fixture->catalogue, 1);
  ear_catalogue_unfollow (fixture->catalogue, ear_catalogue_get_podcast (fixture->catalogue, 2));
  wait_for_number (fixture, "SELECT count (*) FROM podcast", 1);
  g_assert_cmpint (count_late (fixture), ==, N_EPISODES);
  wait_until_indexed (fixture);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode_text_docsize"), ==, N_EPISODES);
}

/* Marking a search marks all results, in the index or not. */
static void
test_marked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, "part1");

  fill (fixture, "one", N_EPISODES);
  g_assert_cmpint (count_late (fixture), ==, N_EPISODES);
  ear_catalogue_mark_async (fixture->catalogue, &(EarMarkTarget) { .query = query }, EAR_MARK_LISTENED, TRUE, NULL, NULL);
  flush (fixture->catalogue);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode WHERE listened = 1"), ==, N_EPISODES / 3);
}

static gboolean
stop_after (gpointer user_data)
{
  guint *n_left = user_data;

  return *n_left == 0 || --*n_left == 0;
}

/* A step of up to @n_texts texts. Returns: its error or NULL */
static GError *
index_some (EarCatalogueTables *tables, guint n_texts, gboolean *more)
{
  guint n_left = n_texts + 1;
  g_autoptr (EarCatalogueEvent) event = ear_catalogue_tables_index_texts (tables, stop_after, &n_left, more);

  g_assert_true (event->stopped_indexing == (event->error != NULL));

  return g_steal_pointer (&event->error);
}

/* A step ends as soon as requested, keeps its work, and indexes nothing twice; a full
 * disk loses nothing. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  EarCatalogueTables *tables;
  EarDatabase *database;
  gboolean more = TRUE;
  gint64 n_pages;

  fill (fixture, "one", N_EPISODES);
  fixture_close (fixture);
  g_assert_cmpint (count_late (fixture), ==, N_EPISODES);
  database = ear_database_open (fixture->path, EAR_DATABASE_READ_WRITE, NULL);
  g_assert_true (ear_episode_sql_register (database, NULL));
  tables = ear_catalogue_tables_new (database, NULL);
  for (guint n = 1; n <= 10; n++)
    {
      g_assert_no_error (index_some (tables, 7, &more));
      g_assert_true (more);
      g_assert_cmpint (count_late (fixture), ==, N_EPISODES - 7 * n);
    }

  g_assert_true (ear_database_get_int (database, NULL, &n_pages, "PRAGMA page_count", ""));
  {
    g_autofree char *full = g_strdup_printf ("PRAGMA max_page_count = %" G_GINT64_FORMAT, n_pages);
    g_autoptr (GError) error = NULL;

    g_assert_true (ear_database_exec (database, full, NULL));
    error = index_some (tables, G_MAXUINT - 1, &more);
    g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
    g_assert_false (more);
    g_assert_true (ear_catalogue_tables_is_indexing (tables));
    g_assert_cmpint (count_late (fixture), ==, N_EPISODES - 70);
    g_assert_true (ear_database_exec (database, "PRAGMA max_page_count = 1000000", NULL));
  }
  for (more = TRUE; more;)
    g_assert_no_error (index_some (tables, 100, &more));
  g_assert_false (ear_catalogue_tables_is_indexing (tables));
  g_assert_cmpint (count_late (fixture), ==, 0);
  g_assert_true (ear_database_exec (database, "INSERT INTO episode_text (episode_text) VALUES ('integrity-check')", NULL));
  ear_catalogue_tables_free (tables);
  fixture_open (fixture);
  {
    g_autoptr (GArray) ids = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "part1");

    g_assert_cmpuint (ids->len, ==, N_EPISODES / 3);
  }
}

static void
failed_cb (EarCatalogue *catalogue, GError *error, gboolean lost_episodes, guint *n_failures)
{
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  ++*n_failures;
}

/* A disk that is full for some seconds is reported once, and indexing resumes in the same
 * session. */
static void
test_full (Fixture *fixture, gconstpointer data)
{
  struct rlimit limit, full;
  guint n_failures = 0;
  gint64 start;

  fill (fixture, "one", N_EPISODES);
  fixture_close (fixture);
  g_assert_cmpint (count_late (fixture), ==, N_EPISODES);
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  full = limit;
  full.rlim_cur = 1;
  fixture_open (fixture);
  g_signal_connect (fixture->catalogue, "failed", G_CALLBACK (failed_cb), &n_failures);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &full), ==, 0);
  EAR_TEST_WAIT_UNTIL (n_failures > 0);
  /* Time for another attempt */
  start = g_get_monotonic_time ();
  EAR_TEST_WAIT_UNTIL (g_get_monotonic_time () > start + 1500 * G_TIME_SPAN_MILLISECOND);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_cmpint (count_late (fixture), ==, N_EPISODES);
  wait_until_indexed (fixture);
  g_assert_cmpuint (n_failures, ==, 1);
}

static int
interrupt_cb (gpointer data)
{
  return 1;
}

/* A canceled search stops in the middle of the rows, and the next one starts from the
 * beginning. */
static void
test_interrupted (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_RANKED, "zebra");
  g_autoptr (EarDatabase) database = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = NULL;

  fill (fixture, "one", N_EPISODES);
  fixture_close (fixture);
  g_assert_cmpint (count_late (fixture), ==, N_EPISODES);
  database = ear_database_open (fixture->path, EAR_DATABASE_READ_ONLY, NULL);
  g_assert_true (ear_episode_sql_register (database, NULL));
  g_assert_true (ear_search_score_register (database, NULL));
  sqlite3_progress_handler (ear_database_get_handle (database), 2000, interrupt_cb, NULL);
  ids = ear_episode_search_run (database, query, 0, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (ids);
  sqlite3_progress_handler (ear_database_get_handle (database), 0, NULL, NULL);
  g_clear_error (&error);
  ids = ear_episode_search_run (database, query, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ids->len, ==, 0);
}

/* The listener's actions wait for no step; the longest wait is printed. */
static void
test_waiting (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", 5000);
  gint64 longest = 0;
  guint n_marks;

  for (n_marks = 0; read_number (fixture->path, "SELECT count (*) FROM meta WHERE key = 'texts'") > 0 && n_marks < 1000; n_marks++)
    {
      g_autofree char *guid = g_strdup_printf ("g%u", n_marks);
      g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, guid);
      gint64 start = g_get_monotonic_time ();

      set_listened (fixture->catalogue, episode, TRUE);
      flush (fixture->catalogue);
      longest = MAX (longest, g_get_monotonic_time () - start);
      g_usleep (30000);
    }
  g_assert_cmpuint (n_marks, >, 0);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode WHERE listened = 1"), ==, n_marks);
  g_assert_cmpint (count_late (fixture), ==, 0);
  g_test_message ("show: a mark waited %.0f ms at most of %u, while 5000 texts were put into the index", longest / 1000.0, n_marks);
}

/* A flush, as at exit, does not wait either: a step that could take all texts ends before
 * that. */
static void
test_flushed (Fixture *fixture, gconstpointer data)
{
  const guint n_episodes = 2800;
  guint n_between = 0;
  gint64 n_late;

  fill (fixture, "one", n_episodes);
  for (n_late = n_episodes; n_late > 0;)
    {
      g_usleep (5000);
      flush (fixture->catalogue);
      n_late = count_late (fixture);
      n_between += n_late > 0 && n_late < n_episodes;
    }
  g_assert_cmpuint (n_between, >, 0);
}

/* Returns: the occurrences of the last word, by the tokenizer alone */
static guint
count_last (EarSearchWords *words, const char *text)
{
  g_autoptr (GArray) hits = ear_search_words_find (words, text);
  guint n = 0;

  for (guint i = 0; i < hits->len; i++)
    n += g_array_index (hits, EarSearchHit, i).word + 1 == ear_search_words_get_n (words);

  return n;
}

/* Texts skipped by comparing bytes contain nothing that the tokenizer would find. */
static void
test_bytes (Fixture *fixture, gconstpointer data)
{
  static const char *const pieces[] = {
    "ten", "TEN", "sor", "Tensor", " ", " ", " ", "-", "’", "–", "…", "\302\240", "\302\255", "é", "e\314\201", "É", "ｔｅｎ", "ß", "ſ", "K",
    "_", "a", "s", "İ", "日本", "\342\200\215", "\342\201\240", "\342\200", "\377", "\302\252", ".", "1", "²",
  };
  static const char *const typed[] = { "ten", "tensor", "TENSOR", "te s", "é", "cafe", "ten-sor", "ten’sor", "k", "s", "ss", "ten", "日", "i", "_a", "ª" };
  g_autoptr (EarDatabase) database = ear_database_open (fixture->path, EAR_DATABASE_READ_ONLY, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  guint n_found = 0;
  guint n_passed_over = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (typed); i++)
    {
      g_autoptr (EarSearchWords) words = ear_search_words_new (database, typed[i], NULL);

      for (guint round = 0; round < 3000; round++)
        {
          g_autoptr (GString) text = g_string_new (NULL);

          for (gint n = g_rand_int_range (rand, 0, 8); n > 0; n--)
            g_string_append (text, pieces[g_rand_int_range (rand, 0, G_N_ELEMENTS (pieces))]);
          /* Only the last token of a word with several is counted. */
          if (strpbrk (typed[i], "-\342") == NULL)
            g_assert_cmpuint (ear_search_words_count_last (words, text->str), ==, count_last (words, text->str));
          if (ear_search_words_match (words, NULL, text->str))
            {
              n_found++;
              if (!ear_search_words_may_match (words, NULL, text->str))
                g_error ("“%s” would not be found in “%s”", typed[i], text->str);
              g_assert_true (ear_search_words_may_match (words, text->str, "nothing"));
            }
          else if (!ear_search_words_may_match (words, NULL, text->str))
            n_passed_over++;
        }
      g_assert_false (ear_search_words_may_match (words, "Od, mud… – “go”", NULL));
    }
  g_assert_cmpuint (n_found, >, 2000);
  g_assert_cmpuint (n_passed_over, >, 5000);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-late/same", test_same },
    { "/catalogue-late/many", test_many },
    { "/catalogue-late/older", test_older },
    { "/catalogue-late/changed", test_changed },
    { "/catalogue-late/closed", test_closed },
    { "/catalogue-late/marked", test_marked },
    { "/catalogue-late/stopped", test_stopped },
    { "/catalogue-late/full", test_full },
    { "/catalogue-late/interrupted", test_interrupted },
    { "/catalogue-late/waiting", test_waiting },
    { "/catalogue-late/flushed", test_flushed },
    { "/catalogue-late/bytes", test_bytes },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
