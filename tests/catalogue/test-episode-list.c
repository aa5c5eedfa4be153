/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include "ear-episode-list.h"

/* A copy of the list, updated by items-changed alone, and a log of these signals */
typedef struct
{
  EarCatalogue *catalogue;
  EarEpisodeList *list;
  GArray *ids;
  GString *log;
} Mirror;

static gint64
get_id_at (GListModel *model, guint position)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (model, position);

  g_assert_true (EAR_IS_EPISODE (episode));

  return ear_episode_get_id (episode);
}

static void
items_changed_cb (GListModel *model, guint position, guint removed, guint added, Mirror *mirror)
{
  g_string_append_printf (mirror->log, "%u-%u+%u ", position, removed, added);
  g_assert_cmpuint (position + removed, <=, mirror->ids->len);
  if (removed > 0)
    g_array_remove_range (mirror->ids, position, removed);
  for (guint i = position; i < position + added; i++)
    {
      gint64 id = get_id_at (model, i);

      g_array_insert_val (mirror->ids, i, id);
    }
  /* Holds at every step, not only at the end. */
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, mirror->ids->len);
  if (mirror->ids->len < 3000)
    for (guint i = 0; i < mirror->ids->len; i++)
      g_assert_cmpint (get_id_at (model, i), ==, g_array_index (mirror->ids, gint64, i));
}

static Mirror *
mirror_new_for_query (Fixture *fixture, const EarEpisodeQuery *query)
{
  Mirror *mirror = g_new (Mirror, 1);

  mirror->catalogue = fixture->catalogue;
  mirror->list = ear_episode_list_new_with_query (fixture->catalogue, query);
  mirror->ids = ear_ids_new ();
  mirror->log = g_string_new (NULL);
  g_signal_connect (mirror->list, "items-changed", G_CALLBACK (items_changed_cb), mirror);
  g_assert_true (ear_episode_list_get_loading (mirror->list));

  return mirror;
}

static Mirror *
mirror_new (Fixture *fixture, EarPodcast *podcast, EarEpisodeFilter filter, EarEpisodeSort sort, const char *search)
{
  const gint64 id = podcast != NULL ? ear_podcast_get_id (podcast) : 0;
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (id, filter, sort, search);

  return mirror_new_for_query (fixture, query);
}

static void
mirror_free (Mirror *mirror)
{
  g_assert_finalize_object (mirror->list);
  g_array_unref (mirror->ids);
  g_string_free (mirror->log, TRUE);
  g_free (mirror);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Mirror, mirror_free)

static gboolean
has_answer (Mirror *mirror, const EarEpisodeQuery *query)
{
  g_autoptr (GArray) expected = read_now (mirror->catalogue, ear_read_query (query, 0));

  while (g_main_context_iteration (NULL, FALSE))
    ;

  return !ear_episode_list_get_loading (mirror->list) && expected->len == mirror->ids->len &&
         (expected->len == 0 ||
          memcmp (expected->data, mirror->ids->data, expected->len * sizeof (gint64)) == 0);
}

/* Waits until the list matches the query, and stays so. */
static void
settle (Mirror *mirror)
{
  const EarEpisodeQuery *query = ear_episode_list_get_query (mirror->list);

  EAR_TEST_WAIT_UNTIL (has_answer (mirror, query));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (mirror->list)), ==, mirror->ids->len);
}

static void
expect_changes (Mirror *mirror, const char *expected)
{
  settle (mirror);
  g_assert_cmpstr (mirror->log->str, ==, expected);
  g_string_truncate (mirror->log, 0);
}

static Mirror *
show (Fixture *fixture, EarPodcast *podcast, EarEpisodeFilter filter, EarEpisodeSort sort, const char *search)
{
  Mirror *mirror = mirror_new (fixture, podcast, filter, sort, search);

  settle (mirror);
  g_string_truncate (mirror->log, 0);

  return mirror;
}

static Mirror *
show_all (Fixture *fixture, EarPodcast *podcast)
{
  return show (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
}

static void
test_new (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  EarEpisodeList *list = g_object_new (EAR_TYPE_EPISODE_LIST, NULL);

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 0);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 0));
  g_assert_true (g_list_model_get_item_type (G_LIST_MODEL (list)) == EAR_TYPE_EPISODE);
  g_assert_null (ear_episode_list_get_query (list));
  g_assert_false (ear_episode_list_get_loading (list));
  g_assert_finalize_object (list);

  /* A list that waits for an answer can be freed. */
  list = ear_episode_list_new_with_query (fixture->catalogue, query);
  g_assert_true (ear_episode_query_equal (ear_episode_list_get_query (list), query));
  g_assert_finalize_object (list);
  flush (fixture->catalogue);
}

static void
asking_cb (EarEpisodeList *list, GParamSpec *pspec, guint *n_told)
{
  ++*n_told;
  g_assert_true (ear_episode_list_get_asking (list) || g_list_model_get_n_items (G_LIST_MODEL (list)) >= 3);
}

static void
inserted_cb (EarEpisodeList *list)
{
  g_assert_true (ear_episode_list_get_asking (list));
}

/* `asking` is set when handlers of a change run, even if the list waits to ask again. */
static void
test_asking (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("one", 3, NEWEST);
  g_autoptr (GPtrArray) more = make_episodes ("more", 2, NEWEST + 2 * DAY);
  g_autoptr (Mirror) mirror = show_all (fixture, podcast);
  guint n_told = 0;

  g_assert_false (ear_episode_list_get_asking (mirror->list));
  g_signal_connect (mirror->list, "notify::asking", G_CALLBACK (asking_cb), &n_told);
  store (fixture->catalogue, podcast, episodes);
  settle (mirror);
  g_assert_cmpuint (mirror->ids->len, ==, 3);
  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_asking (mirror->list));
  g_assert_cmpuint (n_told, >=, 2);
  g_signal_connect_swapped (fixture->catalogue, "episodes-changed::inserted", G_CALLBACK (inserted_cb), mirror->list);
  store (fixture->catalogue, podcast, more);
  settle (mirror);
  g_assert_cmpuint (mirror->ids->len, ==, 5);
  g_signal_handlers_disconnect_by_func (fixture->catalogue, inserted_cb, mirror->list);
}

/* A refresh with two new episodes inserts two rows and moves nothing else. */
static void
test_two_new (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "one", 30);
  EarPodcast *other = fill (fixture, "two", "two", 10);
  g_autoptr (GPtrArray) news = make_episodes ("new", 2, NEWEST + 2 * DAY);
  g_autoptr (Mirror) one = show_all (fixture, podcast);
  g_autoptr (Mirror) all = show (fixture, NULL, EAR_FILTER_UNPLAYED, EAR_SORT_OLDEST, NULL);
  g_autoptr (Mirror) unrelated = show_all (fixture, other);

  store (fixture->catalogue, podcast, news);
  expect_changes (one, "0-0+2 ");
  expect_changes (all, "40-0+2 ");
  expect_changes (unrelated, "");

  /* Two insertions in the middle, from one batch */
  store_all (fixture->catalogue, podcast, make_episode ("b1", "B", NEWEST - 5 * DAY - 10, NULL),
             make_episode ("b2", "B", NEWEST - 9 * DAY - 10, NULL), NULL);
  expect_changes (one, "8-0+1 13-0+1 ");

  /* An edited date moves one row. */
  store_later (fixture->catalogue, other, make_episode ("two-5", "Moved", NEWEST + DAY, NULL));
  expect_changes (unrelated, "5-1+0 0-0+1 ");
}

/* An episode that no longer matches is removed alone; irrelevant changes move nothing. */
static void
test_filtered (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "one", 30);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "one-20");
  g_autoptr (Mirror) unplayed = show (fixture, podcast, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL);
  g_autoptr (Mirror) all = show_all (fixture, podcast);
  g_autoptr (Mirror) begun = show (fixture, NULL, EAR_FILTER_IN_PROGRESS, EAR_SORT_NEWEST, NULL);

  set_mark (fixture, podcast, "one-20", EAR_MARK_POSITION, 5, 1);
  expect_changes (begun, "0-0+1 ");
  set_mark (fixture, podcast, "one-20", EAR_MARK_POSITION, 6, 1);
  expect_changes (begun, "");
  expect_changes (unplayed, "");

  set_listened (fixture->catalogue, episode, TRUE);
  expect_changes (unplayed, "10-1+0 ");
  expect_changes (begun, "0-1+0 ");
  set_listened (fixture->catalogue, episode, FALSE);
  expect_changes (unplayed, "10-0+1 ");
  expect_changes (all, "");
}

static void
test_unfollowed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarPodcast) podcast = g_object_ref (fill (fixture, "one", "one", 5));

  fill (fixture, "two", "two", 5);
  g_autoptr (Mirror) all = show_all (fixture, NULL);
  g_autoptr (Mirror) one = show_all (fixture, podcast);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  settle (all);
  g_assert_cmpuint (all->ids->len, ==, 5);
  EAR_TEST_WAIT_UNTIL (one->ids->len == 0);
  follow (fixture, "one");
  settle (all);
  settle (one);
  g_assert_cmpuint (one->ids->len, ==, 5);
  g_assert_cmpuint (all->ids->len, ==, 10);
}

/* A search shows its newest hits, adds the best ones above, and later all others; also while a refresh brings
 * more. */
static void
test_ranked (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "p");

  /* The oldest ones match best. */
  for (guint i = 0; i < 200; i++)
    store_one (fixture->catalogue, podcast,
               make_episode (ear_test_format ("p-%u", i), i < 150 ? "Words" : "Tensor",
                             NEWEST - i * DAY, "about a tensor"));
  g_autoptr (GArray) newest = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "tensor", 0);
  g_autoptr (GArray) ranked = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, "tensor", 0);
  const gint64 best = g_array_index (ranked, gint64, 0);
  g_assert_cmpint (best, ==, g_array_index (newest, gint64, 150));

  g_autoptr (Mirror) mirror = mirror_new (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, "tensor");
  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_loading (mirror->list));
  g_assert_cmpuint (mirror->ids->len, ==, 50);
  g_assert_cmpint (g_array_index (mirror->ids, gint64, 30), ==, g_array_index (newest, gint64, 30));
  EAR_TEST_WAIT_UNTIL (mirror->ids->len == 100);
  g_assert_true (ear_episode_list_get_asking (mirror->list));
  for (guint i = 0; i < 100; i++)
    g_assert_cmpint (g_array_index (mirror->ids, gint64, i), ==, g_array_index (ranked, gint64, i));
  expect_changes (mirror, "0-0+50 0-0+50 100-0+100 ");
  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_asking (mirror->list));

  /* A postponed query is interrupted: later reads do not wait for it. */
  g_autoptr (Mirror) postponed = mirror_new (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, "tensor");
  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_loading (postponed->list));
  ear_episode_list_postpone (postponed->list);
  g_array_unref (read_now (fixture->catalogue, ear_read_query (ear_episode_list_get_query (mirror->list), 0)));
  g_assert_cmpuint (postponed->ids->len, ==, 50);
  g_assert_true (ear_episode_list_get_asking (postponed->list));
  expect_changes (postponed, "0-0+50 0-0+50 100-0+100 ");
  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_asking (postponed->list));
  ear_episode_list_postpone (postponed->list);
  g_assert_false (ear_episode_list_get_asking (postponed->list));

  store_one (fixture->catalogue, podcast, make_episode ("new", "Tensor", NEWEST + DAY, NULL));
  settle (mirror);
  g_assert_cmpuint (mirror->ids->len, ==, 201);
}

/* The first screen comes alone, then all others at once; a list in the window gets the rows that
 * GtkListView makes in advance in steps. Each property is announced once for a change. */
static void
test_first_screen (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    guint n_first;
    const char *changes, *notified;
  } cases[] = {
    { 0, "0-0+24 24-0+9976 ", "n-items loading n-items asking " },
    { 10, "0-0+10 10-0+60 70-0+60 130-0+60 190-0+9810 ",
      "n-items loading n-items n-items n-items n-items asking " },
  };
  const gint64 podcast = ear_podcast_get_id (fill (fixture, "one", "one", 10000));

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EarEpisodeQuery) query =
          ear_episode_query_new (podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
      g_autoptr (GString) notified = g_string_new (NULL);

      query->n_first = cases[i].n_first;
      g_autoptr (Mirror) mirror = mirror_new_for_query (fixture, query);
      g_signal_connect (mirror->list, "notify", G_CALLBACK (notify_cb), notified);
      EAR_TEST_WAIT_UNTIL (mirror->ids->len > 0);
      g_assert_false (ear_episode_list_get_loading (mirror->list));
      g_assert_true (ear_episode_list_get_asking (mirror->list));
      expect_changes (mirror, cases[i].changes);
      g_assert_cmpstr (notified->str, ==, cases[i].notified);
    }
}

/* Objects exist for rows in view, shared by all users, one page at a time. */
static void
test_objects (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "one", 2000);
  g_autoptr (Mirror) mirror = show_all (fixture, podcast);
  GListModel *model = G_LIST_MODEL (mirror->list);
  EarEpisode *held = g_list_model_get_item (model, 100);
  const gint64 id = ear_episode_get_id (held);
  guint position;

  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (model, i);

      g_assert_cmpstr (ear_episode_get_guid (episode), ==, ear_test_format ("one-%u", 2000 - i));
      g_assert_true (ear_episode_get_podcast (episode) == podcast);
    }
  g_autoptr (EarEpisode) again = ear_catalogue_dup_episode (fixture->catalogue, id);
  g_assert_true (again == held);
  g_clear_object (&again);

  /* The list holds some pages, not all. */
  g_autoptr (EarEpisode) last = g_list_model_get_item (model, 1999);
  g_assert_cmpuint (G_OBJECT (last)->ref_count, ==, 2);
  g_assert_cmpuint (G_OBJECT (held)->ref_count, ==, 1);
  g_object_unref (held);

  g_assert_true (ear_episode_list_find (mirror->list, id, &position));
  g_assert_cmpuint (position, ==, 100);
  g_assert_false (ear_episode_list_find (mirror->list, 123456, NULL));

  /* A list may outlive its catalogue. */
  ear_catalogue_close (fixture->catalogue);
  for (guint i = 0; i < 2000; i++)
    g_assert_cmpint (get_id_at (model, i), ==, g_array_index (mirror->ids, gint64, i));
}

static void
failed_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer n_failed)
{
  ++*(guint *) n_failed;
}

/* Queries fail while the table is renamed; the next change causes another query. */
static void
test_unanswered (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "one", 5);
  guint n_failed = 0;
  const guint handler = g_log_set_handler ("earmark-catalogue", G_LOG_LEVEL_MESSAGE, failed_cb, &n_failed);
  g_autoptr (Mirror) mirror = show (fixture, podcast, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL);

  execute (fixture->path, "PRAGMA legacy_alter_table = ON; ALTER TABLE episode RENAME TO away");
  g_signal_emit_by_name (fixture->catalogue, "episodes-changed", ear_podcast_get_id (podcast), EAR_CHANGE_LISTENED, 0);
  EAR_TEST_WAIT_UNTIL (n_failed > 0);
  execute (fixture->path, "PRAGMA legacy_alter_table = ON; ALTER TABLE away RENAME TO episode;"
                          "UPDATE episode SET listened = 1 WHERE guid = 'one-2'");
  g_assert_cmpuint (mirror->ids->len, ==, 5);
  g_signal_emit_by_name (fixture->catalogue, "episodes-changed", ear_podcast_get_id (podcast), EAR_CHANGE_LISTENED, 0);
  settle (mirror);
  g_assert_cmpuint (mirror->ids->len, ==, 4);
  g_log_remove_handler ("earmark-catalogue", handler);
}

/* Random changes in random order; the mirror is right at every step. */
static void
test_random (Fixture *fixture, gconstpointer data)
{
  enum { N_PODCASTS = 3, N_LISTS = 5, N_ROUNDS = 120 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  EarPodcast *podcasts[N_PODCASTS];

  for (guint i = 0; i < N_PODCASTS; i++)
    {
      const char *name = ear_test_format ("p%u", i);

      podcasts[i] = fill (fixture, name, name, 60);
      finish_answer (fixture->catalogue, podcasts[i], name, NULL, FALSE);
    }
  Mirror *mirrors[N_LISTS] = {
    show_all (fixture, NULL),
    show (fixture, podcasts[0], EAR_FILTER_UNPLAYED, EAR_SORT_OLDEST, NULL),
    show (fixture, NULL, EAR_FILTER_LIKED, EAR_SORT_TITLE, NULL),
    show (fixture, podcasts[1], EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL),
    show (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "episode 1"),
  };
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      EarPodcast *podcast = podcasts[g_rand_int_range (rand, 0, N_PODCASTS)];
      const char *guid = ear_test_format ("%s-%d", ear_podcast_get_title (podcast),
                                          g_rand_int_range (rand, 1, 90));
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode_by_guid (fixture->catalogue, podcast, guid);
      const char *title = ear_test_format ("Episode %d", g_rand_int_range (rand, 0, 20));
      const int change = episode != NULL ? g_rand_int_range (rand, 0, 4) : 3;
      EarEpisodeState state = { 0 };

      if (change < 2)
        {
          const EarMark mark = change == 0 ? EAR_MARK_LISTENED : EAR_MARK_LIKED;

          state.values[mark] = g_rand_boolean (rand);
          state.updated[mark] = round + 1;
          ear_catalogue_set_state (fixture->catalogue, episode, &state);
        }
      else if (change == 2)
        ear_catalogue_set_duration (fixture->catalogue, episode, g_rand_int_range (rand, 1, 1000) * G_USEC_PER_SEC);
      else
        store_later (fixture->catalogue, podcast,
                     make_episode (guid, title, NEWEST - g_rand_int_range (rand, 0, 100) * DAY, title));
      if (round % 10 == 9)
        for (guint i = 0; i < N_LISTS; i++)
          settle (mirrors[i]);
      else if (round % 3 == 0)
        while (g_main_context_iteration (NULL, FALSE))
          ;
    }
  for (guint i = 0; i < N_LISTS; i++)
    mirror_free (mirrors[i]);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/episode-list/new", test_new },
    { "/episode-list/asking", test_asking },
    { "/episode-list/two-new", test_two_new },
    { "/episode-list/filtered", test_filtered },
    { "/episode-list/unfollowed", test_unfollowed },
    { "/episode-list/ranked", test_ranked },
    { "/episode-list/first-screen", test_first_screen },
    { "/episode-list/objects", test_objects },
    { "/episode-list/unanswered", test_unanswered },
    { "/episode-list/random", test_random },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
