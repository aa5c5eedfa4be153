/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"
#include "ear-catalogue-private.h"
#include "ear-episode-list.h"
#include "ear-test-wait.h"

#include <string.h>

/* A search finds episodes by their transcripts. */

static void
store_transcript (Fixture *fixture, EarPodcast *podcast, const char *guid, const char *first, const char *second)
{
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, guid);
  g_autoptr (EarTranscript) transcript = ear_transcript_new ();

  ear_transcript_add (transcript, 0, G_USEC_PER_SEC, NULL, first);
  ear_transcript_add (transcript, 7 * G_USEC_PER_SEC, 9 * G_USEC_PER_SEC, "Ann", second);
  ear_catalogue_store_transcript (fixture->catalogue, episode, transcript);
  flush (fixture->catalogue);
}

static EarPodcast *
begin (Fixture *fixture)
{
  EarPodcast *podcast = follow (fixture, "one");

  store_one (fixture->catalogue, podcast, make_episode ("a", "About lamps", NEWEST, "<p>Notes on lighthouses</p>"));
  store_one (fixture->catalogue, podcast, make_episode ("b", "About ships", NEWEST - 1, "<p>And a keeper</p>"));
  store_one (fixture->catalogue, podcast, make_episode ("c", "About fog", NEWEST - 2, NULL));
  flush (fixture->catalogue);
  store_transcript (fixture, podcast, "a", "Good evening.", "The keeper & his <lamp> are here.");
  store_transcript (fixture, podcast, "c", "A keeper of bees.", "Another café.");

  return podcast;
}

static void
test_found (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  EarPodcast *other = follow (fixture, "two");

  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "bees", "c");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "keeper", "a b c");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_OLDEST, "keeper", "c b a");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_TITLE, "keeper", "c a b");
  /* Matches in the title or the notes come first. */
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, "keeper", "b a c");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "CAFE", "c");
  assert_query (fixture, other, EAR_FILTER_ALL, EAR_SORT_NEWEST, "keeper", "");
  assert_query (fixture, NULL, EAR_FILTER_LIKED, EAR_SORT_NEWEST, "keeper", "");
  /* All words in one sentence, the last one as a prefix */
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "keeper lam", "a");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "evening keeper", "");
  /* Names of speakers and times are not searched. */
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "Ann", "");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "7000000", "");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "\" OR text : *", "");
}

static void
test_limited (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GArray) ids = NULL;

  begin (fixture);
  ids = run_query_limited (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "keeper", 2);
  g_assert_cmpuint (ids->len, ==, 2);
}

/* A new transcript replaces the old one, and is purged with the episode. */
static void
test_replaced (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);

  store_transcript (fixture, podcast, "c", "A keeper of bees.", "Another café.");
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM sentence_text"), ==, 4);
  store_transcript (fixture, podcast, "c", "Nothing of that.", "Any more.");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "bees", "");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "nothing", "c");
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM sentence_text"), ==, 4);
}

static void
snippet_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(EarSnippet **) user_data = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, NULL);
}

static EarSnippet *
load_snippet (Fixture *fixture, EarPodcast *podcast, const char *guid, const char *search)
{
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, guid);
  EarSnippet *snippet = NULL;

  ear_catalogue_read_async (fixture->catalogue, ear_read_snippet (episode, search), NULL, snippet_cb, &snippet);
  EAR_TEST_WAIT_UNTIL (snippet != NULL);

  return snippet;
}

static void
test_snippet (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  g_autoptr (EarSnippet) said = load_snippet (fixture, podcast, "a", "keeper lamp");
  g_autoptr (EarSnippet) noted = load_snippet (fixture, podcast, "a", "lighthouses");

  g_assert_cmpstr (said->text, ==, "The keeper & his <lamp> are here.");
  g_assert_cmpint (said->time, ==, 7 * G_USEC_PER_SEC);
  g_assert_cmpuint (said->ranges->len, ==, 2);
  /* Matches in the notes are shown from there. */
  g_assert_cmpstr (noted->text, ==, "Notes on lighthouses");
  g_assert_cmpint (noted->time, ==, -1);
  g_assert_cmpint (said->kind, ==, EAR_SNIPPET_TRANSCRIPT);
  g_assert_cmpint (noted->kind, ==, EAR_SNIPPET_NOTES);
}

static void
shift (Fixture *fixture, EarEpisode *episode, gint64 by)
{
  const EarEpisodeState state = ear_episode_state_new_mark (EAR_MARK_SHIFT, by);

  ear_catalogue_set_state (fixture->catalogue, episode, &state);
  flush (fixture->catalogue);
}

/* The snippet's time includes the transcript's shift; a sentence shifted before the
 * start, or without a time, has none. */
static void
test_time (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "a");
  g_autoptr (EarEpisode) other = get_episode (fixture->catalogue, podcast, "b");
  g_autoptr (EarTranscript) untimed = ear_transcript_new ();
  g_autoptr (EarSnippet) later = NULL, earlier = NULL, plain = NULL;

  shift (fixture, episode, 30 * G_USEC_PER_SEC);
  later = load_snippet (fixture, podcast, "a", "keeper lamp");
  g_assert_cmpint (later->time, ==, 37 * G_USEC_PER_SEC);
  shift (fixture, episode, -30 * G_USEC_PER_SEC);
  earlier = load_snippet (fixture, podcast, "a", "keeper lamp");
  g_assert_cmpint (earlier->time, ==, -1);

  ear_transcript_add (untimed, -1, -1, NULL, "The anchor is lost.");
  ear_catalogue_store_transcript (fixture->catalogue, other, untimed);
  shift (fixture, other, 30 * G_USEC_PER_SEC);
  plain = load_snippet (fixture, podcast, "b", "anchor lost");
  g_assert_cmpint (plain->kind, ==, EAR_SNIPPET_TRANSCRIPT);
  g_assert_cmpint (plain->time, ==, -1);
}

static void
store_chapters (Fixture *fixture, EarPodcast *podcast, const char *guid, const char *first, const char *second)
{
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, guid);
  g_autoptr (EarChapters) chapters = ear_chapters_new ();

  ear_chapters_add (chapters, 0, first);
  ear_chapters_add (chapters, 90 * G_USEC_PER_SEC, second);
  ear_catalogue_store_chapters (fixture->catalogue, episode, chapters);
  flush (fixture->catalogue);
}

/* A search finds episodes by the titles of their chapters, which are purged with them. */
static void
test_chapters (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  g_autoptr (EarSnippet) snippet = NULL;

  store_chapters (fixture, podcast, "b", NULL, "The anchor & the <chain>");
  store_chapters (fixture, podcast, "c", "Of lighthouses", "Fog_Horns");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "anchor chain", "b");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "horns", "c");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_OLDEST, "lighthouses", "c a");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, "lighthouses", "a c");
  assert_query (fixture, NULL, EAR_FILTER_LIKED, EAR_SORT_NEWEST, "anchor", "");
  snippet = load_snippet (fixture, podcast, "b", "chain");
  g_assert_cmpint (snippet->kind, ==, EAR_SNIPPET_CHAPTER);
  g_assert_cmpstr (snippet->text, ==, "The anchor & the <chain>");
  g_assert_cmpint (snippet->time, ==, 90 * G_USEC_PER_SEC);

  store_chapters (fixture, podcast, "b", NULL, "The rope");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "anchor", "");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "rope", "b");
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM chapter_text"), ==, 3);
  ear_catalogue_set_purge_delay (fixture->catalogue, 0);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  wait_for_number (fixture, "SELECT count (*) FROM chapter_text", 0);
}

static void
set_bookmark (Fixture *fixture, const char *address, const char *guid, const char *text)
{
  g_autoptr (GPtrArray) bookmarks = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_bookmark_text_free);

  g_ptr_array_add (bookmarks, ear_bookmark_text_new (address, "nowhere", 0, "Of keepers"));
  g_ptr_array_add (bookmarks, ear_bookmark_text_new (address, guid, 5 * G_USEC_PER_SEC, text));
  ear_catalogue_set_bookmarks (fixture->catalogue, bookmarks);
}

/* A search finds episodes by their bookmarks, and shows those first. */
static void
test_bookmarks (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  const char *address = ear_podcast_get_address (podcast);
  g_autoptr (EarSnippet) snippet = NULL;
  g_autoptr (EarSnippet) none = NULL;

  set_bookmark (fixture, address, "b", "Remember the keeper of Bell_Rock");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "remember rock", "b");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, "keeper", "c b a");
  assert_query (fixture, NULL, EAR_FILTER_LIKED, EAR_SORT_NEWEST, "rock", "");
  snippet = load_snippet (fixture, podcast, "b", "keeper");
  g_assert_cmpint (snippet->kind, ==, EAR_SNIPPET_BOOKMARK);
  g_assert_cmpstr (snippet->text, ==, "Remember the keeper of Bell_Rock");
  g_assert_cmpint (snippet->time, ==, 5 * G_USEC_PER_SEC);
  none = load_snippet (fixture, podcast, "c", "rock");
  g_assert_null (none->text);
  set_bookmark (fixture, "https://example.org/another", "b", "Remember");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "remember", "");
}

static gboolean
has (EarEpisodeList *list, guint n_episodes)
{
  return !ear_episode_list_get_asking (list) && g_list_model_get_n_items (G_LIST_MODEL (list)) == n_episodes;
}

/* An open search adds new matches, and drops removed ones. */
static void
test_on_screen (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  const char *address = ear_podcast_get_address (podcast);
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, "harbour");
  g_autoptr (EarEpisodeList) list = ear_episode_list_new_with_query (fixture->catalogue, query);

  EAR_TEST_WAIT_UNTIL (has (list, 0));
  set_bookmark (fixture, address, "b", "The harbour");
  EAR_TEST_WAIT_UNTIL (has (list, 1));
  store_transcript (fixture, podcast, "a", "In the harbour.", "Good night.");
  EAR_TEST_WAIT_UNTIL (has (list, 2));
  store_chapters (fixture, podcast, "c", "Fog", "A harbour");
  EAR_TEST_WAIT_UNTIL (has (list, 3));
  store_one (fixture->catalogue, podcast, make_episode ("d", "The harbour", NEWEST - 3, NULL));
  EAR_TEST_WAIT_UNTIL (has (list, 4));
  set_bookmark (fixture, address, "b", "Nothing of that");
  EAR_TEST_WAIT_UNTIL (has (list, 3));
  store_transcript (fixture, podcast, "a", "Elsewhere.", "Good night.");
  EAR_TEST_WAIT_UNTIL (has (list, 2));
}

/* Filters of an open search do the same. */
static void
test_filtered_on_screen (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "a");
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, "keeper");
  g_autoptr (EarEpisodeList) unplayed = NULL;
  g_autoptr (EarEpisodeList) liked = NULL;

  ear_episode_query_set_terms (query, &(EarEpisodeConditions) { .filters = 1u << EAR_FILTER_UNPLAYED });
  unplayed = ear_episode_list_new_with_query (fixture->catalogue, query);
  EAR_TEST_WAIT_UNTIL (has (unplayed, 3));
  set_listened (fixture->catalogue, episode, TRUE);
  EAR_TEST_WAIT_UNTIL (has (unplayed, 2));
  ear_episode_query_set_terms (query, &(EarEpisodeConditions) { .filters = 1u << EAR_FILTER_LIKED });
  liked = ear_episode_list_new_with_query (fixture->catalogue, query);
  EAR_TEST_WAIT_UNTIL (has (liked, 0));
  ear_catalogue_set_state (fixture->catalogue, episode, &(EarEpisodeState) { .liked = TRUE, .liked_updated = g_get_real_time () });
  EAR_TEST_WAIT_UNTIL (has (liked, 1));
}

int
main (int argc, char *argv[])
{
  static const FixtureTest tests[] = {
    { "/catalogue/transcripts/found", test_found },
    { "/catalogue/transcripts/limited", test_limited },
    { "/catalogue/transcripts/replaced", test_replaced },
    { "/catalogue/transcripts/snippet", test_snippet },
    { "/catalogue/transcripts/chapters", test_chapters },
    { "/catalogue/transcripts/time", test_time },
    { "/catalogue/transcripts/bookmarks", test_bookmarks },
    { "/catalogue/transcripts/on-screen", test_on_screen },
    { "/catalogue/transcripts/filtered-on-screen", test_filtered_on_screen },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
