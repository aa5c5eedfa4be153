/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include <sqlite3.h>
#include <string.h>

/* Results of queries, their order and their indexes */

/* Newest first, also for many episodes of one second or without a date */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  enum { N = 200 };
  const gint64 dates[8] = { NEWEST, EAR_DATE_UNKNOWN, NEWEST - 60, 0, -5 * 365 * DAY, G_MAXINT64, G_MININT64 + 1, NEWEST };
  EarPodcast *podcast = follow (fixture, "one");

  for (guint i = 0; i < N; i++)
    store_one (fixture->catalogue, podcast,
               make_episode (ear_test_format ("%u", i), NULL, dates[i % 8], NULL));
  g_autoptr (GArray) newest = run_query (fixture->catalogue, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, 0);
  g_autoptr (GArray) oldest = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL, 0);
  g_assert_cmpuint (newest->len, ==, N);
  for (guint i = 0; i < N; i++)
    g_assert_cmpint (g_array_index (oldest, gint64, N - 1 - i), ==, g_array_index (newest, gint64, i));
  for (guint i = 0; i + 1 < N; i++)
    {
      const gint64 id = g_array_index (newest, gint64, i), next_id = g_array_index (newest, gint64, i + 1);
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode (fixture->catalogue, id);
      g_autoptr (EarEpisode) next = ear_catalogue_dup_episode (fixture->catalogue, next_id);
      const gint64 published = ear_episode_get_facts (episode)->published;

      g_assert_cmpint (published, >=, ear_episode_get_facts (next)->published);
      if (published == ear_episode_get_facts (next)->published)
        g_assert_cmpint (id, <, next_id);
    }
}

/* Future dates count as now, which is one time for a whole response. */
static void
test_one_time (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  store_one (fixture->catalogue, podcast, make_episode ("first", "First", G_MAXINT64, NULL));
  flush (fixture->catalogue);
  g_usleep (1100 * 1000);
  store_one (fixture->catalogue, podcast, make_episode ("second", "Second", G_MAXINT64, NULL));
  assert_newest (fixture, podcast, "first second");

  /* The next response has another time. */
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_usleep (1100 * 1000);
  store_one (fixture->catalogue, podcast, make_episode ("third", "Third", G_MAXINT64, NULL));
  assert_newest (fixture, podcast, "third first second");
}

static void
finish (Fixture *fixture, EarPodcast *podcast, gboolean whole)
{
  finish_answer (fixture->catalogue, podcast, "One", NULL, whole);
}

/* Stores the episodes as part of the feed itself, not of a further page. */
static void
store_document (Fixture *fixture, EarPodcast *podcast, GPtrArray *episodes)
{
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();

  ear_catalogue_store_batch (fixture->catalogue, ear_podcast_get_id (podcast), facts, episodes);
}

static void
respond (Fixture *fixture, EarPodcast *podcast, GPtrArray *episodes, gboolean whole)
{
  store_document (fixture, podcast, episodes);
  finish (fixture, podcast, whole);
}

static gint64
get_newest (Fixture *fixture, EarPodcast *podcast)
{
  g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (fixture->catalogue, podcast);

  return check->newest;
}

/* The rest of a response that was cut off, and older pages, may be of any age: they are
 * not sorted above today's episodes. */
static void
test_undated_archive (Fixture *fixture, gconstpointer data)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");
  g_autoptr (GPtrArray) dated = make_episodes ("d", 2, now - 60 * 60);
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 5, NEWEST);
  g_autoptr (GPtrArray) first = g_ptr_array_new ();
  g_autoptr (GPtrArray) next = make_episodes ("new", 1, EAR_DATE_UNKNOWN);

  respond (fixture, other, dated, TRUE);
  for (guint i = 0; i < episodes->len; i++)
    ((EarEpisodeFacts *) g_ptr_array_index (episodes, i))->published = EAR_DATE_UNKNOWN;
  g_ptr_array_add (first, g_ptr_array_index (episodes, 0));
  g_ptr_array_add (first, g_ptr_array_index (episodes, 1));
  respond (fixture, podcast, first, FALSE);
  respond (fixture, podcast, episodes, TRUE);
  assert_newest (fixture, NULL, "d-2 d-1 e-5 e-4 e-3 e-2 e-1");
  g_assert_cmpint (get_newest (fixture, podcast), ==, 0);

  store_document (fixture, podcast, episodes);
  store_one (fixture->catalogue, podcast, make_episode ("page", "Page", EAR_DATE_UNKNOWN, NULL));
  finish (fixture, podcast, TRUE);
  assert_newest (fixture, NULL, "d-2 d-1 e-5 e-4 e-3 e-2 e-1 page");
  g_assert_cmpint (get_newest (fixture, podcast), ==, 0);

  respond (fixture, podcast, next, FALSE);
  assert_newest (fixture, NULL, "new-1 d-2 d-1 e-5 e-4 e-3 e-2 e-1 page");
  g_assert_cmpint (get_newest (fixture, podcast), >=, now - 10);
}

/* Moving the date ahead does not make an episode new again, or move it to the top. */
static void
test_moved_ahead (Fixture *fixture, gconstpointer data)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const char *key = "SELECT sort_key FROM episode WHERE guid = 'ahead'";
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, now - 60 * 60);

  g_ptr_array_add (episodes, make_episode ("ahead", "Ahead", now + 80 * DAY, NULL));
  respond (fixture, podcast, episodes, TRUE);
  assert_newest (fixture, podcast, "ahead e-3 e-2 e-1");
  const gint64 before = read_number (fixture->path, key);

  g_ptr_array_set_size (episodes, 0);
  g_ptr_array_add (episodes, make_episode ("ahead", "Ahead", now + 81 * DAY, NULL));
  g_ptr_array_add (episodes, make_episode ("e-1", "Moved ahead", now + 81 * DAY, NULL));
  respond (fixture, podcast, episodes, FALSE);
  assert_number (fixture, key, before);
  assert_newest (fixture, podcast, "ahead e-3 e-2 e-1");

  /* A plausible date moves it. */
  store_one (fixture->catalogue, podcast, make_episode ("ahead", "Ahead", now - DAY, NULL));
  assert_newest (fixture, podcast, "e-3 ahead e-2 e-1");
}

/* A date years ahead is a mistake, or a trick to stay on top, and counts as today. A
 * missing date counts as today, too, unless the podcast may have had the episode for
 * long. */
static void
test_wrong_dates (Fixture *fixture, gconstpointer data)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 2, NEWEST);

  g_ptr_array_add (episodes, make_episode ("ahead", "Ahead", NEWEST + 80 * 365 * DAY, NULL));
  g_ptr_array_add (episodes, make_episode ("no date", "No date", EAR_DATE_UNKNOWN, NULL));
  store (fixture->catalogue, podcast, episodes);
  finish (fixture, podcast, TRUE);
  assert_newest (fixture, podcast, "ahead e-2 e-1 no date");
  g_assert_cmpint (get_newest (fixture, podcast), >=, now - 10);
  g_assert_cmpint (get_newest (fixture, podcast), <=, now + 600);

  /* From a clock or time zone other than ours */
  store_one (fixture->catalogue, podcast, make_episode ("soon", "Soon", now + DAY / 2, NULL));
  finish (fixture, podcast, FALSE);
  assert_newest (fixture, podcast, "soon ahead e-2 e-1 no date");

  g_ptr_array_set_size (episodes, 0);
  g_ptr_array_add (episodes, make_episode ("later", "Later", EAR_DATE_UNKNOWN, NULL));
  g_ptr_array_add (episodes, make_episode ("e-2", "Has lost its date", EAR_DATE_UNKNOWN, NULL));
  g_ptr_array_add (episodes, make_episode ("no date", "Has a date now", NEWEST + DAY, NULL));
  store_document (fixture, podcast, episodes);
  g_autofree char *found = describe_query (fixture->catalogue, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_assert_true (g_str_equal (found, "soon later ahead no date e-2 e-1") || g_str_equal (found, "soon ahead later no date e-2 e-1"));
}

static void
test_sorts (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  static const char *const titles[] = { "Part 10", "part 9", "Äpfel", "Zebra" };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      EarEpisodeFacts *facts = make_episode (titles[i], titles[i], NEWEST - i * DAY, NULL);

      facts->duration = (i + 1) * G_USEC_PER_SEC;
      store_one (fixture->catalogue, podcast, facts);
    }
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL, "Zebra Äpfel part 9 Part 10");
  g_autofree char *by_title = describe_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_TITLE, NULL);
  g_assert_nonnull (strstr (by_title, "part 9 Part 10"));

  /* The player measures an episode whose object does not show the feed's new duration yet. */
  g_autoptr (EarEpisode) measured = get_episode (fixture->catalogue, podcast, "Part 10");
  EarEpisodeFacts *edited = make_episode ("Part 10", "Part 10", NEWEST, NULL);
  edited->duration = 5 * G_USEC_PER_SEC;
  store_later (fixture->catalogue, podcast, edited);
  while (read_number (fixture->path, "SELECT count (*) FROM episode WHERE duration = 5000000") == 0)
    g_usleep (1000);
  ear_catalogue_set_duration (fixture->catalogue, measured, 60 * G_USEC_PER_SEC);
  g_assert_cmpint (ear_episode_get_duration (measured), ==, 60 * G_USEC_PER_SEC);
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL, "Part 10 Zebra Äpfel part 9");
  g_assert_cmpint (ear_episode_get_duration (measured), ==, 60 * G_USEC_PER_SEC);

  /* The feed's duration does not replace the measured one, also after a restart. */
  g_clear_object (&measured);
  fixture_reopen (fixture);
  podcast = ear_catalogue_get_podcast (fixture->catalogue, 1);
  measured = get_episode (fixture->catalogue, podcast, "Part 10");
  g_assert_cmpint (ear_episode_get_duration (measured), ==, 60 * G_USEC_PER_SEC);
}

/* Lists come from an index in their order: no sorting, and no rows are read. */
static void
test_plans (Fixture *fixture, gconstpointer data)
{
  for (gint64 podcast = 0; podcast < 2; podcast++)
    for (int filter = EAR_FILTER_ALL; filter <= EAR_FILTER_DOWNLOADS; filter++)
      for (int sort = EAR_SORT_NEWEST; sort <= EAR_SORT_OLDEST; sort++)
        for (int search = 0; search < 2; search++)
          {
            g_autoptr (EarEpisodeQuery) query =
                ear_episode_query_new (podcast, (EarEpisodeFilter) filter, (EarEpisodeSort) sort, search ? "word" : NULL);
            g_autofree char *plan = explain_query (fixture->path, query);

            /* The text index has no order of listening, or of downloads. */
            if (!search || (filter != EAR_FILTER_HISTORY && filter != EAR_FILTER_DOWNLOADS))
              g_assert_null (strstr (plan, "TEMP B-TREE FOR ORDER BY"));
            if (!search)
              g_assert_nonnull (strstr (plan, "USING COVERING INDEX episode_"));
          }
}

/* Data dropped from memory is read from the file again. */
static void
test_save_memory (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "e", 4);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "e-1");

  g_free (load_notes (fixture->catalogue, episode, NULL));
  const gint64 used = sqlite3_memory_used ();
  ear_catalogue_save_memory (fixture->catalogue);
  /* Some builds of SQLite do not count memory. */
  if (used > 0)
    g_assert_cmpint (sqlite3_memory_used (), <, used);

  g_free (load_notes (fixture->catalogue, episode, NULL));
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL, "e-1 e-2 e-3 e-4");
}

/* The guids that a narrowed query for all episodes finds */
static char *
describe_narrowed (Fixture *fixture, const char *search, EarEpisodeConditions terms)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, search);

  ear_episode_query_narrow (query, &terms);
  g_autoptr (EarEpisodeQuery) copy = ear_episode_query_copy (query);
  g_assert_true (ear_episode_query_equal (query, copy));
  g_assert_false (ear_episode_query_is_whole (copy));
  g_autoptr (GArray) ids = read_now (fixture->catalogue, ear_read_query (copy, 0));

  return describe_ids (fixture->catalogue, ids);
}

#define assert_narrowed(fixture, search, expected, ...) \
  ear_test_assert_text (describe_narrowed (fixture, search, (EarEpisodeConditions) { __VA_ARGS__ }), \
                        expected)

/* Filters, alone and with the conditions of a narrowed query */
static void
test_filters (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  store_all (fixture->catalogue, podcast, make_episode ("a", "fog", NEWEST, NULL),
             make_episode ("b", "fog", NEWEST - DAY, NULL),
             make_episode ("c", "oil", NEWEST - 2 * DAY, NULL),
             make_episode ("d", "fog", EAR_DATE_UNKNOWN, NULL), NULL);
  g_autoptr (EarEpisode) heard = get_episode (fixture->catalogue, podcast, "b");
  fixture_forget (fixture);
  set_mark (fixture, podcast, "a", EAR_MARK_POSITION, 7, 10);
  set_listened (fixture->catalogue, heard, TRUE);
  set_mark (fixture, podcast, "c", EAR_MARK_LIKED, TRUE, 10);
  g_assert_true (ear_episode_get_listened (heard));
  assert_query (fixture, podcast, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, "a c d");
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 3);
  assert_query (fixture, NULL, EAR_FILTER_UNPLAYED, EAR_SORT_OLDEST, NULL, "d c a");
  assert_query (fixture, NULL, EAR_FILTER_IN_PROGRESS, EAR_SORT_NEWEST, NULL, "a");
  assert_query (fixture, podcast, EAR_FILTER_LIKED, EAR_SORT_NEWEST, NULL, "c");
  assert_query (fixture, podcast, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, "fog", "a d");

  assert_narrowed (fixture, NULL, "b", .filters = 1u << EAR_FILTER_PLAYED);
  assert_narrowed (fixture, "fog", "a d", .filters = 1u << EAR_FILTER_UNPLAYED);
  /* Both at once match nothing. */
  assert_narrowed (fixture, NULL, "", .filters = 1u << EAR_FILTER_PLAYED | 1u << EAR_FILTER_UNPLAYED);
  assert_narrowed (fixture, NULL, "a b", .after = NEWEST - DAY);
  assert_narrowed (fixture, NULL, "c", .before = NEWEST - DAY);
  assert_narrowed (fixture, "fog", "b", .after = NEWEST - DAY, .before = NEWEST);

  set_listened (fixture->catalogue, heard, FALSE);
  flush (fixture->catalogue);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 4);

  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (3, EAR_FILTER_LIKED, EAR_SORT_TITLE, "x");
  g_autoptr (EarEpisodeQuery) empty = ear_episode_query_new (3, EAR_FILTER_LIKED, EAR_SORT_TITLE, "");
  g_assert_false (ear_episode_query_equal (query, empty));
  g_assert_false (ear_episode_query_equal (query, NULL));
  g_assert_true (ear_episode_query_equal (NULL, NULL));
  g_assert_null (empty->search);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-queries/order", test_order },
    { "/catalogue-queries/one-time", test_one_time },
    { "/catalogue-queries/undated-archive", test_undated_archive },
    { "/catalogue-queries/wrong-dates", test_wrong_dates },
    { "/catalogue-queries/moved-ahead", test_moved_ahead },
    { "/catalogue-queries/sorts", test_sorts },
    { "/catalogue-queries/plans", test_plans },
    { "/catalogue-queries/filters", test_filters },
    { "/catalogue-queries/save-memory", test_save_memory },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
