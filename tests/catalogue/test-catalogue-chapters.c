/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"
#include "ear-catalogue-private.h"


/* A search finds episodes by the chapters in their feed, before anyone has opened
 * them. */

#define MINUTE (60 * G_USEC_PER_SEC)

static GPtrArray *
list_no_links (const char *notes, const char *base)
{
  return g_ptr_array_new ();
}

/* @titles: of chapters, separated by slashes, a minute each */
static EarEpisodeFacts *
make_chaptered (const char *guid, const char *titles)
{
  EarEpisodeFacts *facts = make_episode (guid, guid, NEWEST, "<p>Notes</p>");
  g_auto (GStrv) parts = g_strsplit (titles, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      EarChapter *chapter = ear_chapter_new ();

      chapter->start = i * MINUTE;
      chapter->title = g_strdup (parts[i]);
      g_ptr_array_add (facts->chapters, chapter);
    }

  return facts;
}

/* Stores the episode as part of a later response of its feed. */
static void
edit (Fixture *fixture, EarPodcast *podcast, EarEpisodeFacts *take)
{
  ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
  store_one (fixture->catalogue, podcast, take);
  flush (fixture->catalogue);
}

/* Stores chapters as if the episode had been opened. */
static void
know (Fixture *fixture, EarPodcast *podcast, const char *guid, const char *titles)
{
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, guid);
  g_autoptr (EarEpisodeFacts) facts = make_chaptered (guid, titles);
  g_autoptr (EarChapters) chapters = ear_chapters_new_from_list (facts->chapters);

  ear_catalogue_store_chapters (fixture->catalogue, episode, chapters);
  flush (fixture->catalogue);
}

static EarPodcast *
begin (Fixture *fixture)
{
  EarPodcast *podcast = follow (fixture, "one");

  store_one (fixture->catalogue, podcast, make_episode ("plain", "Without", NEWEST - 1, "<p>Notes</p>"));
  store_one (fixture->catalogue, podcast, make_chaptered ("a", "Anchors/Chains"));
  flush (fixture->catalogue);

  return podcast;
}

#define ASSERT_FOUND(fixture, search, expected) assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, search, expected)

static void
test_found (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  EarEpisodeFacts *facts = make_chaptered ("b", "Bells/Hidden/Beyond");
  EarEpisodeFacts *heard = make_chaptered ("c", "Corks/Cellar");
  g_autoptr (EarEpisode) episode = NULL;

  ((EarChapter *) g_ptr_array_index (facts->chapters, 1))->hidden = TRUE;
  ((EarChapter *) g_ptr_array_index (facts->chapters, 2))->start = 30 * MINUTE;
  store_one (fixture->catalogue, podcast, facts);
  ((EarChapter *) g_ptr_array_index (heard->chapters, 1))->start = 30 * MINUTE;
  store_one (fixture->catalogue, podcast, heard);
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "c");
  ear_catalogue_set_duration (fixture->catalogue, episode, 21 * MINUTE);
  flush (fixture->catalogue);
  g_assert_cmpuint (scan_notes (fixture), ==, 4);
  ASSERT_FOUND (fixture, "chains", "a");
  ASSERT_FOUND (fixture, "bells", "b");
  /* Hidden chapters are not found, nor those behind the end of the media; the feed's
   * duration leaves none out. */
  ASSERT_FOUND (fixture, "hidden", "");
  ASSERT_FOUND (fixture, "beyond", "b");
  ASSERT_FOUND (fixture, "corks", "c");
  ASSERT_FOUND (fixture, "cellar", "");
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM chaptered"), ==, 3);
}

/* Unchanged chapters in a later response are not scanned again. */
static void
test_edited (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  EarEpisodeFacts *facts = make_chaptered ("a", "Anchors/Chains");

  scan_notes (fixture);
  g_set_str (&facts->author, "Another");
  edit (fixture, podcast, facts);
  g_assert_cmpuint (scan_notes (fixture), ==, 0);
  ASSERT_FOUND (fixture, "chains", "a");

  edit (fixture, podcast, make_chaptered ("a", "Anchors/Ropes"));
  ASSERT_FOUND (fixture, "chains", "");
  g_assert_cmpuint (scan_notes (fixture), ==, 1);
  ASSERT_FOUND (fixture, "ropes", "a");

  edit (fixture, podcast, make_episode ("a", "a", NEWEST, "<p>Notes</p>"));
  ASSERT_FOUND (fixture, "ropes", "");
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM chaptered"), ==, 0);

  edit (fixture, podcast, make_chaptered ("a", "Knots"));
  scan_notes (fixture);
  ASSERT_FOUND (fixture, "knots", "a");
}

/* Chapters from a file or document are more complete, and stay until the feed has others. */
static void
test_fuller (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);

  know (fixture, podcast, "a", "Hook/Line/Sinker");
  scan_notes (fixture);
  ASSERT_FOUND (fixture, "sinker", "a");
  ASSERT_FOUND (fixture, "chains", "");
  edit (fixture, podcast, make_chaptered ("a", "Anchors/Ropes"));
  scan_notes (fixture);
  ASSERT_FOUND (fixture, "sinker", "");
  ASSERT_FOUND (fixture, "ropes", "a");
}

int
main (int argc, char *argv[])
{
  static const FixtureTest tests[] = {
    { "/catalogue/chapters/found", test_found },
    { "/catalogue/chapters/edited", test_edited },
    { "/catalogue/chapters/fuller", test_fuller },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_links_func = list_no_links;
  fixture_tidy_delay = G_TIME_SPAN_DAY;
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
