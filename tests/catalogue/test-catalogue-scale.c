/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-episode-list.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A large library: times are printed, not asserted; `EARMARK_TEST_EPISODES` makes it
 * larger. */

#define PER_PODCAST 500

/* Sanitizers make everything slow. */
#ifdef __SANITIZE_ADDRESS__
#define N_EPISODES 4000
#else
#define N_EPISODES 20000
#endif

static gint64
get_rss_mb (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return usage.ru_maxrss / 1024;
}

/* CPU time of a thread so far, in seconds: on a busy machine more reliable than the
 * clock */
static double
get_thread_seconds (const char *name)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  const char *id;

  while (dir != NULL && (id = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", id, "stat", NULL);
      g_autofree char *stat = NULL;
      unsigned long user = 0, system = 0;
      const char *fields;

      if (!g_file_get_contents (path, &stat, NULL, NULL) || strstr (stat, name) == NULL)
        continue;
      fields = strrchr (stat, ')');
      if (fields != NULL && sscanf (fields, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2)
        return (double) (user + system) / (double) sysconf (_SC_CLK_TCK);
    }

  return 0;
}

static guint
get_n_episodes (void)
{
  const char *wanted = g_getenv ("EARMARK_TEST_EPISODES");

  return wanted != NULL ? (guint) g_ascii_strtoull (wanted, NULL, 10) : N_EPISODES;
}

static GPtrArray *
make_feed (GRand *rand, guint podcast, gsize *bytes)
{
  GPtrArray *episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);

  for (guint i = 0; i < PER_PODCAST; i++)
    {
      g_autofree char *guid = g_strdup_printf ("urn:uuid:%08x-0000-%04x-8000-0123456789ab", podcast, i);
      g_autofree char *title = g_strdup_printf ("Episode %u: tensor number %u", PER_PODCAST - i, podcast);
      g_autofree char *notes = make_text (rand, 180);
      EarEpisodeFacts *facts =
          make_episode (guid, title, 1700000000 - i * 7 * 86400 - g_rand_int_range (rand, 0, 86400), notes);

      facts->link = g_strdup_printf ("https://example.org/%u/episodes/%s", podcast, guid);
      facts->subtitle = g_utf8_substring (notes, 3, 203);
      facts->author = g_strdup ("Somebody");
      facts->number = g_strdup_printf ("%u", PER_PODCAST - i);
      g_ptr_array_add (episodes, facts);
      *bytes += strlen (notes);
    }

  return episodes;
}

static double
time_query (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFilter filter, EarEpisodeSort sort, const char *search, guint limit, guint *n_found)
{
  g_autoptr (GTimer) timer = g_timer_new ();
  g_autoptr (GArray) ids = NULL;

  if (limit == 0)
    ids = run_query (catalogue, podcast, filter, sort, search);
  else
    ids = run_query_limited (catalogue, podcast, filter, sort, search, limit);
  *n_found = ids->len;

  return g_timer_elapsed (timer, NULL) * 1000;
}

static void
print_query (EarCatalogue *catalogue, const char *name, EarPodcast *podcast, EarEpisodeFilter filter, EarEpisodeSort sort, const char *search, guint limit)
{
  guint n_found;
  double ms = time_query (catalogue, podcast, filter, sort, search, limit, &n_found);

  g_test_message ("%s: %.1f ms, %u found", name, ms, n_found);
}

static void
print_queries (EarCatalogue *catalogue, EarPodcast *podcast)
{
  print_query (catalogue, "all, newest", NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, 0);
  print_query (catalogue, "all, newest, 40", NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, 40);
  print_query (catalogue, "unplayed, newest", NULL, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, 0);
  print_query (catalogue, "all, by title", NULL, EAR_FILTER_ALL, EAR_SORT_TITLE, NULL, 0);
  print_query (catalogue, "all, longest", NULL, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL, 0);
  print_query (catalogue, "one, newest", podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, 0);
  for (const char *const *search = (const char *const[]) { "t", "te", "ten", "tensor", "matrix kernel", "episode", "number 17", "g", "gradi", NULL }; *search != NULL; search++)
    {
      g_autofree char *name = g_strdup_printf ("search \"%s\", 50 newest", *search);
      g_autofree char *in_one = g_strdup_printf ("search \"%s\" in one, 50 newest", *search);

      g_autofree char *ranked = g_strdup_printf ("search \"%s\", best 1000", *search);
      g_autofree char *all = g_strdup_printf ("search \"%s\", all by rank", *search);

      print_query (catalogue, name, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, *search, 50);
      print_query (catalogue, ranked, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, *search, 1000);
      print_query (catalogue, all, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, *search, 0);
      print_query (catalogue, in_one, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, *search, 50);
    }
}

static void
first_changed_cb (GListModel *model, guint position, guint removed, guint added, double *ms)
{
  if (*ms == 0)
    *ms = (double) g_get_monotonic_time () / 1000;
}

static guint
count_unplayed (EarCatalogue *catalogue)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (catalogue);
  guint n_unplayed = 0;

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      n_unplayed += ear_podcast_get_n_unplayed (podcast);
    }

  return n_unplayed;
}

/* The cost of a list on the main thread */
static void
print_list (EarCatalogue *catalogue)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL);
  double start = (double) g_get_monotonic_time () / 1000;
  g_autoptr (EarEpisodeList) list = ear_episode_list_new_with_query (catalogue, query);
  GListModel *model = G_LIST_MODEL (list);
  g_autoptr (EarEpisode) episode = NULL;
  double first = 0, longest = 0, pages, before;
  guint n_all;

  g_signal_connect (list, "items-changed", G_CALLBACK (first_changed_cb), &first);
  n_all = count_unplayed (catalogue);
  while (g_list_model_get_n_items (model) < n_all)
    {
      before = (double) g_get_monotonic_time () / 1000;
      if (g_main_context_iteration (NULL, FALSE))
        longest = MAX (longest, (double) g_get_monotonic_time () / 1000 - before);
    }
  g_test_message ("list: first rows after %.1f ms, all %u after %.1f ms, %.2f ms at once at most", first - start, n_all,
                  (double) g_get_monotonic_time () / 1000 - start, longest);

  before = (double) g_get_monotonic_time () / 1000;
  for (guint i = 0; i < 6400 && i < n_all; i++)
    g_object_unref (g_list_model_get_item (model, i));
  pages = ((double) g_get_monotonic_time () / 1000 - before) / 100;
  g_test_message ("a page of 64 rows: %.3f ms", pages);

  episode = g_list_model_get_item (model, n_all / 2);
  longest = 0;
  start = (double) g_get_monotonic_time () / 1000;
  set_listened (catalogue, episode, TRUE);
  while (g_list_model_get_n_items (model) == n_all)
    {
      before = (double) g_get_monotonic_time () / 1000;
      if (g_main_context_iteration (NULL, FALSE))
        longest = MAX (longest, (double) g_get_monotonic_time () / 1000 - before);
    }
  g_test_message ("one row goes: after %.1f ms, %.2f ms at once at most", (double) g_get_monotonic_time () / 1000 - start,
                  longest);
}

static void
test_scale (Fixture *fixture, gconstpointer data)
{
  const guint n_podcasts = MAX (get_n_episodes () / PER_PODCAST, 1);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GTimer) timer = g_timer_new ();
  double generating = 0;
  gsize bytes = 0;
  GStatBuf status;
  EarPodcast *podcast = NULL;

  for (guint i = 0; i < n_podcasts; i++)
    {
      g_autofree char *address = g_strdup_printf ("https://example.org/%u", i);
      double start = g_timer_elapsed (timer, NULL);
      g_autoptr (GPtrArray) episodes = make_feed (rand, i, &bytes);

      generating += g_timer_elapsed (timer, NULL) - start;
      podcast = ear_catalogue_follow (fixture->catalogue, address, NULL);
      store (fixture->catalogue, podcast, episodes);
      finish_answer (fixture->catalogue, podcast, address, NULL, TRUE);
    }
  flush (fixture->catalogue);
  g_test_message ("%u episodes, %.1f MB of notes: stored in %.2f s, of which %.2f s making them up; %" G_GINT64_FORMAT " MB at most",
                  n_podcasts * PER_PODCAST, (double) bytes / 1e6, g_timer_elapsed (timer, NULL), generating, get_rss_mb ());
  g_test_message ("the writer's processor time: %.2f s", get_thread_seconds ("catalogue-write"));
  g_assert_cmpuint (fixture->inserted->len, ==, n_podcasts * PER_PODCAST);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, PER_PODCAST);

  print_queries (fixture->catalogue, podcast);
  print_list (fixture->catalogue);

  g_timer_start (timer);
  fixture_close (fixture);
  g_test_message ("closed in %.0f ms", g_timer_elapsed (timer, NULL) * 1000);
  g_stat (fixture->path, &status);
  g_test_message ("%.1f MB of file", (double) status.st_size / 1e6);
  g_timer_start (timer);
  fixture_open (fixture);
  g_test_message ("opened in %.1f ms", g_timer_elapsed (timer, NULL) * 1000);
  print_query (fixture->catalogue, "first 40 rows after that", NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, 40);
}

static void
count_cb (guint *n_told)
{
  (*n_told)++;
}

/* Stores much, then two episodes in quick succession. Returns: the number of transactions
 * that took those two */
static guint
store_two_after_many (Fixture *fixture, EarPodcast *podcast, guint number)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (number);
  g_autofree char *first = g_strdup_printf ("first of %u", number);
  g_autofree char *second = g_strdup_printf ("second of %u", number);
  gsize bytes = 0;
  g_autoptr (GPtrArray) many = make_feed (rand, number, &bytes);
  guint n_told = 0;
  gulong handler = g_signal_connect_swapped (fixture->catalogue, "episodes-inserted", G_CALLBACK (count_cb), &n_told);

  store (fixture->catalogue, podcast, many);
  while (n_told == 0)
    g_main_context_iteration (NULL, TRUE);
  n_told = 0;
  store_one (fixture->catalogue, podcast, make_episode (first, first, NEWEST, NULL));
  g_usleep (5000);
  store_one (fixture->catalogue, podcast, make_episode (second, second, NEWEST, NULL));
  flush (fixture->catalogue);
  g_signal_handler_disconnect (fixture->catalogue, handler);

  return n_told;
}

/* Batches in quick succession share a transaction. The speed of the threads depends on the
 * machine, so the test makes several attempts. */
static void
test_rest (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  guint number = 0;

  while (store_two_after_many (fixture, podcast, number++) != 1)
    g_assert_cmpuint (number, <, 50);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/catalogue/scale", Fixture, NULL, fixture_set_up, test_scale, fixture_tear_down);
  g_test_add ("/catalogue/rest", Fixture, NULL, fixture_set_up, test_rest, fixture_tear_down);

  return g_test_run ();
}
