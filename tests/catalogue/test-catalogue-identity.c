/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

/* The identity of episodes, also in feeds that rename them */

static EarEpisodeFacts *
make_named (const char *guid, const char *title, gint64 published, const char *enclosure)
{
  EarEpisodeFacts *facts = make_episode (guid, title, published, "<p>Words</p>");

  g_set_str (&((EarEnclosure *) g_ptr_array_index (facts->enclosures, 0))->address, enclosure);

  return facts;
}

static char *
number (const char *pattern, guint n)
{
  g_auto (GStrv) parts = g_strsplit (pattern, "#", 2);

  return g_strdup_printf ("%s%u%s", parts[0], n, parts[1]);
}

/* Stores a response of five episodes. # stands for the number of the episode. */
static void
answer (Fixture *fixture, EarPodcast *podcast, const char *guid, const char *title, const char *enclosure, gboolean whole)
{
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);

  for (guint i = 5; i > 0; i--)
    {
      g_autofree char *guid_here = number (guid, i);
      g_autofree char *title_here = number (title, i);
      g_autofree char *enclosure_here = number (enclosure, i);

      g_ptr_array_add (episodes, make_named (guid_here, title_here, NEWEST + i * DAY, enclosure_here));
    }
  store_answer (fixture->catalogue, podcast, episodes, whole);
  flush (fixture->catalogue);
}

static void
renamed_cb (EarCatalogue *catalogue, gint64 podcast, GHashTable *names, GString *log)
{
  GHashTableIter iter;
  gpointer guid, alias;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &guid, &alias))
    g_string_append_printf (log, "%s is %s; ", (char *) guid, (char *) alias);
}

#define OLD "old-1 old-2 old-3 old-4 old-5"
#define assert_old(fixture, podcast) \
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL, OLD); \
  g_assert_cmpuint ((fixture)->inserted->len, ==, 5)

static EarPodcast *
begin (Fixture *fixture)
{
  EarPodcast *podcast = follow (fixture, "one");

  answer (fixture, podcast, "old-#", "Part #", "https://a.example/#.mp3", TRUE);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "old-3");
  set_listened (fixture->catalogue, episode, TRUE);
  flush (fixture->catalogue);

  return podcast;
}

/* New guids, again and again; no episode counts as new, and the state stays. */
static void
test_guids (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  g_autoptr (GString) renamed = g_string_new (NULL);
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  static const char *const later[] = { "new-#", "third-#", "old-#" };
  EarEpisodeState liked = { .liked = TRUE, .liked_updated = 5 };

  g_signal_connect (fixture->catalogue, "episodes-renamed", G_CALLBACK (renamed_cb), renamed);
  fixture_forget (fixture);
  g_array_set_size (fixture->inserted, 5);
  answer (fixture, podcast, "new-#", "Part #", "https://a.example/#.mp3", TRUE);
  assert_old (fixture, podcast);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 4);
  g_assert_cmpstr (renamed->str, ==, "old-3 is new-3; ");
  /* No signals: nothing has changed for the listener. */
  assert_log (fixture, "");
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "new-2");
  g_assert_cmpstr (ear_episode_get_guid (episode), ==, "old-2");
  g_assert_cmpstr (ear_episode_get_facts (episode)->guid, ==, "new-2");

  /* A state file's entry for the new guid applies to the same episode. */
  g_hash_table_insert (states, g_strdup ("new-2"), g_memdup2 (&liked, sizeof liked));
  ear_catalogue_apply_state (fixture->catalogue, ear_podcast_get_id (podcast), states);
  flush (fixture->catalogue);
  g_assert_true (ear_episode_get_liked (episode));
  g_clear_object (&episode);

  for (gsize i = 0; i < G_N_ELEMENTS (later); i++)
    answer (fixture, podcast, later[i], "Part #", "https://a.example/#.mp3", TRUE);
  answer (fixture, podcast, "new-#", "Part #, edited", "https://a.example/#.mp3", FALSE);
  assert_old (fixture, podcast);
  g_autoptr (EarEpisode) edited = get_episode (fixture->catalogue, podcast, "old-1");
  g_assert_cmpstr (ear_episode_get_title (edited), ==, "Part 1, edited");
  assert_number (fixture, "SELECT count (*) FROM episode", 5);
}

/* New media URLs, with or without new guids */
static void
test_enclosures (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);

  answer (fixture, podcast, "old-#", "Part #", "https://cdn.example/#.mp3?token=1", TRUE);
  assert_old (fixture, podcast);
  answer (fixture, podcast, "both-#", "Part #", "https://other.example/#.mp3", TRUE);
  assert_old (fixture, podcast);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "old-3");
  g_assert_cmpstr (ear_episode_get_enclosure (episode)->address, ==, "https://other.example/3.mp3");
  g_assert_true (ear_episode_get_listened (episode));
}

/* With everything changed they are different episodes. */
static void
test_others (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);

  answer (fixture, podcast, "x-#", "Chapter #", "https://other.example/#.mp3", TRUE);
  assert_number (fixture, "SELECT count (*) FROM episode", 10);
}

/* Similar episodes are different ones if the response contains both. */
static void
test_alike (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  const char *const guids[] = { "news-3", "news-2", "news-1", "video-3", "video-2" };

  store_one (fixture->catalogue, podcast, make_named ("news-1", "News", NEWEST, "https://a.example/news.mp3"));
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  for (guint round = 2; round <= 3; round++)
    {
      ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
      for (guint i = 3 - round; i < 3; i++)
        {
          const gint64 published = NEWEST + (2 - i) * 3600;

          /* The URL and the title are always the same; beside each there is a video of
           * the same second. */
          store_one (fixture->catalogue, podcast, make_named (guids[i], "News", published, "https://a.example/news.mp3"));
          if (i < 2)
            store_one (fixture->catalogue, podcast, make_named (guids[i + 3], "News", published, "https://a.example/news.mp4"));
        }
      finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
      flush (fixture->catalogue);
    }
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "news-3 video-3 video-2 news-2 news-1");
}

/* A response that breaks off in the middle leaves nothing in part. */
static void
test_broken_off (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);

  ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
  store_all (fixture->catalogue, podcast,
             make_named ("new-5", "Part 5", NEWEST + 5 * DAY, "https://a.example/5.mp3"),
             make_named ("new-6", "Part 6", NEWEST + 6 * DAY, "https://a.example/6.mp3"), NULL);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL, OLD " new-6");
  answer (fixture, podcast, "new-#", "Part #", "https://a.example/#.mp3", TRUE);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL, OLD " new-6");
}

/* A feed of ten thousand similar episodes, with new guids each time, takes a bounded
 * time. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  enum { N = 3000 };
  EarPodcast *podcast = follow (fixture, "one");

  for (guint round = 0; round < 3; round++)
    {
      g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);

      for (guint i = 0; i < N; i++)
        {
          g_autofree char *guid = g_strdup_printf ("%u-%u", round, i);

          g_ptr_array_add (episodes, make_named (guid, "Always the same", NEWEST - i, "https://a.example/same.mp3"));
        }
      store_answer (fixture->catalogue, podcast, episodes, TRUE);
    }
  flush (fixture->catalogue);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), <=, 3 * N);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), >=, N);
}

static GPtrArray *
find_keys (Fixture *fixture, const char *const *keys)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  flush (fixture->catalogue);
  ear_catalogue_read_async (fixture->catalogue, ear_read_keys (keys), NULL, keep_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  GPtrArray *found = ear_catalogue_find_keys_finish (fixture->catalogue, result, &error);
  g_assert_no_error (error);

  return found;
}

static void
assert_key (Fixture *fixture, const char *key, const char *guid)
{
  g_autoptr (GPtrArray) found = find_keys (fixture, (const char *const[]) { key, NULL });
  EarEpisode *episode = g_ptr_array_index (found, 0);

  g_assert_cmpstr (episode != NULL ? ear_episode_get_guid (episode) : NULL, ==, guid);
}

/* Several keys at once are returned in their order, also when one is given twice. */
static void
test_several_keys (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  g_autoptr (EarEpisode) first = get_episode (fixture->catalogue, podcast, "old-3");
  g_autoptr (EarEpisode) second = get_episode (fixture->catalogue, podcast, "old-1");
  g_autofree char *first_key = ear_episode_dup_key (first);
  g_autofree char *second_key = ear_episode_dup_key (second);
  const char *const keys[] = { first_key, "00000000000000000000000000000000", second_key, "", first_key, NULL };
  EarEpisode *const expected[] = { first, NULL, second, NULL, first };
  g_autoptr (GPtrArray) found = find_keys (fixture, keys);

  g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < found->len; i++)
    g_assert_true (g_ptr_array_index (found, i) == expected[i]);
}

/* Keys from other programs, valid and invented */
static void
test_keys (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "old-3");
  g_autofree char *key = ear_episode_dup_key (episode);
  g_autofree char *other = g_strdup (key);

  g_clear_object (&episode);
  assert_key (fixture, key, "old-3");
  assert_key (fixture, "00000000000000000000000000000000", NULL);
  assert_key (fixture, "", NULL);
  assert_key (fixture, "' OR 1 = 1 --", NULL);
  other[0] = g_ascii_toupper (key[0]) != key[0] ? g_ascii_toupper (key[0]) : 'G';
  assert_key (fixture, other, NULL);

  /* Episodes of an unfollowed podcast are not found by key. */
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  assert_key (fixture, key, NULL);
}

/* A first response that was cut off is fetched again: its episodes are recognized, edited
 * or not. */
static void
test_first_again (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "e", 3);
  g_autoptr (GPtrArray) again = make_episodes ("e", 4, NEWEST + DAY);
  EarEpisodeFacts *edited = g_ptr_array_index (again, 1);

  fixture_forget (fixture);
  g_set_str (&edited->title, "Edited");
  ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
  store (fixture->catalogue, podcast, again);
  assert_number (fixture, "SELECT count (*) FROM episode_text_docsize", 4);
  g_assert_cmpuint (fixture->inserted->len, ==, 1);
  g_assert_cmpuint (fixture->changed->len, ==, 1);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 4);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "edited", "e-3");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "e-4 e-3 e-2 e-1");
}

/* Without a guid: the enclosure, else title and day, else the link; without any of these
 * there is no episode. */
static void
test_identity (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  for (guint round = 0; round < 2; round++)
    {
      EarEpisodeFacts *enclosed = make_episode ("x", "Enclosed", NEWEST, NULL);
      EarEpisodeFacts *dated = ear_episode_facts_new ();
      EarEpisodeFacts *linked = ear_episode_facts_new ();

      g_clear_pointer (&enclosed->guid, g_free);
      dated->title = g_strdup ("Dated");
      dated->guid = g_strdup ("");
      dated->published = NEWEST - DAY;
      linked->link = g_strdup ("https://example.org/linked");
      linked->published = NEWEST - 2 * DAY;
      store_all (fixture->catalogue, podcast, enclosed, dated, linked, ear_episode_facts_new (), NULL);
      finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
    }
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL,
                "https://example.org/audio/x.mp3 Dated 2023-11-13 https://example.org/linked");
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "https://example.org/audio/x.mp3");
  g_assert_null (ear_episode_get_facts (episode)->guid);
}

/* Two items with one guid are two episodes if their media differ, in every response. */
static void
test_twins (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  for (guint round = 0; round < 3; round++)
    {
      ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
      store_all (fixture->catalogue, podcast,
                 make_named ("same", "First", NEWEST, "https://example.org/1.mp3"),
                 make_named ("same", "Second", NEWEST - 1, "https://example.org/2.mp3"),
                 make_named ("same", "First, told twice", NEWEST - 2, "https://example.org/1.mp3"), NULL);
      /* The second response is cut off. */
      if (round != 1)
        finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
      flush (fixture->catalogue);
    }
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "same https://example.org/2.mp3");
  g_assert_cmpuint (fixture->inserted->len, ==, 2);
}

static void
answer_with (Fixture *fixture, EarPodcast *podcast, const char *const *items, gsize n)
{
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);

  for (gsize i = 0; i < n; i++)
    {
      g_auto (GStrv) parts = g_strsplit (items[i], " ", 4);

      g_ptr_array_add (episodes, make_named (parts[0], parts[3], NEWEST + g_ascii_strtoll (parts[2], NULL, 10) * DAY, parts[1]));
    }
  store_answer (fixture->catalogue, podcast, episodes, TRUE);
  flush (fixture->catalogue);
}

#define ANSWER(fixture, podcast, ...) \
  G_STMT_START \
  { \
    const char *const items_[] = { __VA_ARGS__ }; \
    answer_with (fixture, podcast, items_, G_N_ELEMENTS (items_)); \
  } \
  G_STMT_END

/* One episode that a feed lists twice: guid, enclosure, day and title of the items */
static const char *const listed_twice[][2] = {
  /* Supporters get it two days earlier, at another URL. */
  { "well https://a.example/early.mp3 0 The Well", "well https://a.example/public.mp3 2 The Well" },
  { "well https://a.example/public.mp3 2 The Well", "well https://a.example/early.mp3 0  The Well " },
  { "well https://a.example/1.mp3 0 The Well", "well https://a.example/1.mp3 0 The Well, mended" },
  { "well https://a.example/1.mp3 0 The Well", "http://a.example/?p=1 https://a.example/1.mp3 0 The Well" },
  { "well https://a.example/1.mp3 0 The Well", "http://a.example/?p=1 https://a.example/1.mp3 0 The Well (again)" },
};

/* Whether the duplicate comes first, is added later, or is the only one left: it is one
 * episode, announced once. */
static void
test_listed_twice (Fixture *fixture, gconstpointer data)
{
  static const char other[] = "other https://a.example/other.mp3 -9 Other";

  for (gsize i = 0; i < G_N_ELEMENTS (listed_twice); i++)
    {
      g_autofree char *name = g_strdup_printf ("podcast-%" G_GSIZE_FORMAT, i);
      EarPodcast *podcast = follow (fixture, name);
      const char *first = listed_twice[i][0], *second = listed_twice[i][1];

      ANSWER (fixture, podcast, first, second, other);
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 2);
      ANSWER (fixture, podcast, second, first, other);
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 2);
      ANSWER (fixture, podcast, second, other);
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 2);
      ANSWER (fixture, podcast, "new https://a.example/new.mp3 12 New", first, second);
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);
    }
}

/* A premium feed has one placeholder file for many episodes: different titles on
 * different days are different episodes. */
static void
test_one_enclosure (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  for (guint round = 0; round < 2; round++)
    ANSWER (fixture, podcast, "c https://a.example/join.mp3 9 Third", "b https://a.example/join.mp3 5 Second",
            "a https://a.example/join.mp3 0 First");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "c b a");
}

/* Episodes of one date have different keys, in the order of the feed, also where a later
 * response has new ones above, between or below the known ones. */
static void
test_one_date (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");

  ANSWER (fixture, other, "x https://b.example/x.mp3 1 X", "y https://b.example/y.mp3 1 Y");
  ANSWER (fixture, podcast, "b https://a.example/b.mp3 1 Beta", "a https://a.example/a.mp3 1 Alpha");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "b a");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL, "a b");
  ANSWER (fixture, podcast, "c https://a.example/c.mp3 1 Gamma", "b https://a.example/b.mp3 1 Beta",
          "a https://a.example/a.mp3 1 Alpha");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "c b a");
  ANSWER (fixture, podcast, "e https://a.example/e.mp3 1 Epsilon", "d https://a.example/d.mp3 1 Delta",
          "c https://a.example/c.mp3 1 Gamma", "f https://a.example/f.mp3 1 Zeta",
          "b https://a.example/b.mp3 1 Beta", "a https://a.example/a.mp3 1 Alpha",
          "g https://a.example/g.mp3 1 Eta");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "e d c f b a g");
  assert_query (fixture, other, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "x y");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "Alpha", "a");
  assert_number (fixture, "SELECT count (*) - count (DISTINCT sort_key) FROM episode", 0);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-identity/first-again", test_first_again },
    { "/catalogue-identity/without-guid", test_identity },
    { "/catalogue-identity/twins", test_twins },
    { "/catalogue-identity/listed-twice", test_listed_twice },
    { "/catalogue-identity/one-enclosure", test_one_enclosure },
    { "/catalogue-identity/one-date", test_one_date },
    { "/catalogue-identity/guids", test_guids },
    { "/catalogue-identity/enclosures", test_enclosures },
    { "/catalogue-identity/others", test_others },
    { "/catalogue-identity/alike", test_alike },
    { "/catalogue-identity/broken-off", test_broken_off },
    { "/catalogue-identity/many", test_many },
    { "/catalogue-identity/keys", test_keys },
    { "/catalogue-identity/several-keys", test_several_keys },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
