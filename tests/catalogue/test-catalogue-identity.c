/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include <string.h>

/* The identity of episodes, also in feeds that rename them */

static void
renamed_cb (EarCatalogue *catalogue, EarMarks *names, GString *log)
{
  const GArray *episodes = ear_marks_get_podcast (names)->episodes;

  for (guint i = 0; i < episodes->len; i++)
    {
      const EarMarkedEpisode *episode = &g_array_index (episodes, EarMarkedEpisode, i);

      g_string_append_printf (log, "%s is %s; ", episode->guid, episode->alias);
    }
}

/* Adds an item "guid media day title". # stands for @number. */
static void
add_item (GPtrArray *episodes, const char *item, const char *number)
{
  g_auto (GStrv) pieces = g_strsplit (item, "#", -1);
  g_autofree char *numbered = g_strjoinv (number, pieces);
  g_auto (GStrv) parts = g_strsplit (numbered, " ", 4);
  const char *site = strstr (parts[1], "//") != NULL ? "" : "https://a.example/";
  const gint64 published = NEWEST + (gint64) (g_ascii_strtod (parts[2], NULL) * DAY);

  g_ptr_array_add (episodes, with_media (make_episode (parts[0], parts[3], published, NULL),
                                         ear_test_format ("%s%s", site, parts[1])));
}

/* Stores a response with these items, separated by semicolons. An item with # stands for five of
 * them, the newest first; a response that begins with ~ is cut off. */
static void
respond (Fixture *fixture, EarPodcast *podcast, const char *response)
{
  static const char *const numbers[] = { "5", "4", "3", "2", "1" };
  const gboolean is_cut = *response == '~';
  g_auto (GStrv) items = g_strsplit (response + is_cut, "; ", -1);
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);

  for (guint i = 0; items[i] != NULL; i++)
    for (guint n = 0; n < (strchr (items[i], '#') != NULL ? G_N_ELEMENTS (numbers) : 1); n++)
      add_item (episodes, items[i], numbers[n]);
  ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
  store (fixture->catalogue, podcast, episodes);
  if (!is_cut)
    finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
}

#define PARTS "old-# # # Part #"
#define OLD "old-5 old-4 old-3 old-2 old-1"

static EarPodcast *
begin (Fixture *fixture)
{
  EarPodcast *podcast = follow (fixture, "one");

  respond (fixture, podcast, PARTS);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "old-3");
  set_listened (fixture->catalogue, episode, TRUE);
  flush (fixture->catalogue);

  return podcast;
}

/* Responses of a feed, and all its episodes after each of them, the newest first */
typedef struct
{
  const char *response;
  const char *expected;
} Step;

static void
test_responses (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  for (const Step *step = data; step->response != NULL; step++)
    {
      g_test_message ("%s", step->response);
      respond (fixture, podcast, step->response);
      assert_newest (fixture, podcast, step->expected);
    }
  assert_number (fixture, "SELECT count (*) - count (DISTINCT sort_key) FROM episode", 0);
  /* No episode was announced twice. */
  g_assert_cmpint (fixture->n_new, ==, read_number (fixture->path, "SELECT count (*) FROM episode"));
}

/* New media URLs, with or without new guids */
static const Step enclosures[] = {
  { PARTS, OLD },
  { "old-# https://cdn.example/#.mp3?token=1 # Part #", OLD },
  { "both-# https://other.example/#.mp3 # Part #", OLD },
  { NULL },
};

/* With everything changed they are different episodes. */
static const Step others[] = {
  { PARTS, OLD },
  { "x-# https://other.example/#.mp3 # Chapter #", "x-5 old-5 x-4 old-4 x-3 old-3 x-2 old-2 x-1 old-1" },
  { NULL },
};

/* Similar episodes are different ones if the response contains both. The URL and the title are
 * always the same; beside each there is a video of the same second. */
static const Step alike[] = {
  { "news-1 news.mp3 0 News", "news-1" },
  { "news-2 news.mp3 0.04 News; video-2 news.mp4 0.04 News; news-1 news.mp3 0 News", "video-2 news-2 news-1" },
  { "news-3 news.mp3 0.08 News; video-3 news.mp4 0.08 News; news-2 news.mp3 0.04 News; "
    "video-2 news.mp4 0.04 News; news-1 news.mp3 0 News",
    "news-3 video-3 video-2 news-2 news-1" },
  { NULL },
};

/* A response that breaks off in the middle leaves nothing in part. */
static const Step broken_off[] = {
  { PARTS, OLD },
  { "~new-5 5 5 Part 5; new-6 6 6 Part 6", "new-6 " OLD },
  { "new-# # # Part #", "new-6 " OLD },
  { NULL },
};

/* Two items with one guid are two episodes if their media differ, in every response. */
#define TWINS "same 1.mp3 0.2 First; same 2.mp3 0.1 Second; same 1.mp3 0 First, told twice"
static const Step twins[] = {
  { TWINS, "same https://a.example/2.mp3" },
  { "~" TWINS, "same https://a.example/2.mp3" },
  { TWINS, "same https://a.example/2.mp3" },
  { NULL },
};

/* A premium feed has one placeholder file for many episodes: different titles on
 * different days are different episodes. */
static const Step one_enclosure[] = {
  { "c join 9 Third; b join 5 Second; a join 0 First", "c b a" },
  { "c join 9 Third; b join 5 Second; a join 0 First", "c b a" },
  { NULL },
};

/* Episodes of one date have different keys, in the order of the feed, also where a later
 * response has new ones above, between or below the known ones. */
static const Step one_date[] = {
  { "b b 1 Beta; a a 1 Alpha", "b a" },
  { "c c 1 Gamma; b b 1 Beta; a a 1 Alpha", "c b a" },
  { "e e 1 Epsilon; d d 1 Delta; c c 1 Gamma; f f 1 Zeta; b b 1 Beta; a a 1 Alpha; g g 1 Eta", "e d c f b a g" },
  { NULL },
};

/* One episode that a feed lists twice. Whether the duplicate comes first, is added later, or is the
 * only one left: it is one episode, announced once. */
#define LISTED_TWICE(name, guid, first, second) \
  static const Step name[] = { \
    { first "; " second "; other other -9 Other", guid " other" }, \
    { second "; " first "; other other -9 Other", guid " other" }, \
    { second "; other other -9 Other", guid " other" }, \
    { "new new 12 New; " first "; " second, "new " guid " other" }, \
    { NULL }, \
  }

/* Supporters get it two days earlier, at another URL. */
LISTED_TWICE (early_first, "well", "well early 0 The Well", "well public 2 The Well");
LISTED_TWICE (early_last, "well", "well public 2 The Well", "well early 0  The Well ");
LISTED_TWICE (same_guid, "well", "well 1 0 The Well", "well 1 0 The Well, mended");
LISTED_TWICE (other_guid, "well", "well 1 0 The Well", "http://a.example/?p=1 1 0 The Well");
LISTED_TWICE (other_title, "well", "well 1 0 The Well", "http://a.example/?p=1 1 0 The Well (again)");

/* New guids, again and again; no episode counts as new, and the state stays. */
static void
test_guids (Fixture *fixture, gconstpointer data)
{
  static const char *const later[] = { "new-# # # Part #", "third-# # # Part #", PARTS, "new-# # # Part #, edited",
                                      "both-# https://other.example/#.mp3 # Part #, edited" };
  EarPodcast *podcast = begin (fixture);
  g_autoptr (GString) renamed = g_string_new (NULL);
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  EarEpisodeState liked = { .liked = TRUE, .liked_updated = 5 };

  g_signal_connect (fixture->catalogue, "episodes-renamed", G_CALLBACK (renamed_cb), renamed);
  fixture_forget (fixture);
  respond (fixture, podcast, "new-# # # Part #");
  assert_newest (fixture, podcast, OLD);
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
    respond (fixture, podcast, later[i]);
  assert_newest (fixture, podcast, OLD);
  g_assert_cmpuint (fixture->n_new, ==, 0);
  g_autoptr (EarEpisode) edited = get_episode (fixture->catalogue, podcast, "old-1");
  g_autoptr (EarEpisode) listened = get_episode (fixture->catalogue, podcast, "old-3");
  g_assert_cmpstr (ear_episode_get_title (edited), ==, "Part 1, edited");
  g_assert_cmpstr (ear_episode_get_enclosure (listened)->address, ==, "https://other.example/3.mp3");
  g_assert_true (ear_episode_get_listened (listened));
  assert_number (fixture, "SELECT count (*) FROM episode", 5);
}

static GPtrArray *
find_keys (Fixture *fixture, const char *const *keys)
{
  g_autoptr (GAsyncResult) result = NULL;

  flush (fixture->catalogue);
  ear_catalogue_read_async (fixture->catalogue, ear_read_keys (keys), NULL, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);

  return ear_catalogue_find_keys_finish (fixture->catalogue, result, NULL);
}

/* Keys from other programs, valid and invented, are looked up in their order. Episodes of an unfollowed podcast are not found. */
static void
test_keys (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  g_autoptr (EarEpisode) first = get_episode (fixture->catalogue, podcast, "old-3");
  g_autoptr (EarEpisode) second = get_episode (fixture->catalogue, podcast, "old-1");
  g_autofree char *first_key = ear_episode_dup_key (first);
  g_autofree char *second_key = ear_episode_dup_key (second);
  g_autofree char *other = g_ascii_strup (first_key, -1);
  const char *const keys[] = { first_key, "00000000000000000000000000000000", second_key, "", "' OR 1 = 1 --", other, NULL };
  EarEpisode *const expected[] = { first, NULL, second, NULL, NULL, NULL };

  g_autoptr (GPtrArray) found = find_keys (fixture, keys);
  g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < found->len; i++)
    g_assert_true (g_ptr_array_index (found, i) == expected[i]);

  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_autoptr (GPtrArray) none = find_keys (fixture, (const char *const[]) { first_key, NULL });
  g_assert_null (g_ptr_array_index (none, 0));
}

/* Episodes of a first response that was cut off are recognized, edited or not. */
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
  g_assert_cmpuint (fixture->n_new, ==, 1);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 4);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "edited", "e-3");
  assert_newest (fixture, podcast, "e-4 e-3 e-2 e-1");
}

/* Without a guid: the enclosure, else title and day, else the link; else no episode */
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

/* Episodes of another podcast with the same date stay apart, also in searches. */
static void
test_one_date_of_two (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");

  respond (fixture, other, "x x 1 X; y y 1 Y");
  respond (fixture, podcast, "b b 1 Beta; a a 1 Alpha");
  respond (fixture, podcast, "c c 1 Gamma; b b 1 Beta; a a 1 Alpha");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL, "a b c");
  assert_newest (fixture, other, "x y");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "Alpha", "a");
  assert_number (fixture, "SELECT count (*) - count (DISTINCT sort_key) FROM episode", 0);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-identity/first-again", test_first_again },
    { "/catalogue-identity/without-guid", test_identity },
    { "/catalogue-identity/twins", test_responses, twins },
    { "/catalogue-identity/listed-twice/early-first", test_responses, early_first },
    { "/catalogue-identity/listed-twice/early-last", test_responses, early_last },
    { "/catalogue-identity/listed-twice/same-guid", test_responses, same_guid },
    { "/catalogue-identity/listed-twice/other-guid", test_responses, other_guid },
    { "/catalogue-identity/listed-twice/other-title", test_responses, other_title },
    { "/catalogue-identity/one-enclosure", test_responses, one_enclosure },
    { "/catalogue-identity/one-date", test_responses, one_date },
    { "/catalogue-identity/one-date/others-between", test_one_date_of_two },
    { "/catalogue-identity/guids", test_guids },
    { "/catalogue-identity/enclosures", test_responses, enclosures },
    { "/catalogue-identity/others", test_responses, others },
    { "/catalogue-identity/alike", test_responses, alike },
    { "/catalogue-identity/broken-off", test_responses, broken_off },
    { "/catalogue-identity/keys", test_keys },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
