/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"
#include "ear-address.h"
#include "ear-catalogue-private.h"
#include "ear-link-list.h"
#include "ear-link.h"

#include <glib/gstdio.h>
#include <string.h>

/* Links and chapters in notes: the episodes that were scanned, the reading list of all links,
 * and the search for chapters */

/* Notes in this test are URLs separated by spaces. */
static GPtrArray *
find_links (const char *notes, const char *base)
{
  GPtrArray *links = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_link_facts_free);
  g_auto (GStrv) addresses = g_strsplit (notes != NULL ? notes : "", " ", -1);

  for (guint i = 0; addresses[i] != NULL; i++)
    {
      g_autofree char *address = ear_address_resolve (base, addresses[i]);

      if (address == NULL)
        continue;
      g_autofree char *key = ear_link_address_dup_key (address);
      EarLinkFacts *facts = g_new0 (EarLinkFacts, 1);
      facts->address = g_strdup (address);
      facts->words = g_strdup_printf ("Page %u", i);
      facts->kind = ear_link_kind_find (address);
      facts->id = ear_link_address_make_id (key);
      g_ptr_array_add (links, facts);
    }

  return links;
}

#define PR "https://github.com/a/b/pull/1"
#define PAPER "https://arxiv.org/abs/1"
#define PAGE "https://example.org/page"

static EarPodcast *
begin (Fixture *fixture)
{
  EarPodcast *podcast = follow (fixture, "one");

  store_all (fixture->catalogue, podcast,
             make_episode ("a", "First", NEWEST - 2, PAGE " " PR),
             make_episode ("b", "Second", NEWEST - 1, PAPER " http://www.example.org/page/"),
             make_episode ("c", "Third", NEWEST, NULL), NULL);

  return podcast;
}

/* The hosts and paths of a list, with the number of episodes that link there */
static char *
describe (EarCatalogue *catalogue, const EarLinkQuery *query)
{
  g_autoptr (EarLinkList) list = ear_link_list_new (catalogue);
  g_autoptr (GString) text = g_string_new (NULL);

  flush (catalogue);
  ear_link_list_set_query (list, query);
  EAR_TEST_WAIT_UNTIL (!ear_link_list_get_asking (list));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    {
      g_autoptr (EarLink) link = g_list_model_get_item (G_LIST_MODEL (list), i);

      g_string_append_printf (text, "%s%s*%u", i > 0 ? " " : "", link->key, link->n_episodes);
    }

  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* The fields of a query; of any kind, unless one is given */
#define ALL .kind = -1

#define ASSERT_LINKS(fixture, expected, ...) \
  ear_test_assert_text (describe ((fixture)->catalogue, &(EarLinkQuery) { __VA_ARGS__ }), expected)

/* A page linked by several episodes is listed once, at the newest of them. */
static void
test_merged (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  g_autoptr (EarLinkList) list = ear_link_list_new (fixture->catalogue);
  g_autoptr (EarEpisode) second = get_episode (fixture->catalogue, podcast, "b");
  g_autofree char *key = ear_episode_dup_key (second);

  ASSERT_LINKS (fixture, "", ALL);
  g_assert_cmpuint (scan_notes (fixture), ==, 3);
  g_assert_cmpuint (scan_notes (fixture), ==, 0);
  ASSERT_LINKS (fixture, "arxiv.org/abs/1*1 example.org/page*2 github.com/a/b/pull/1*1", ALL);
  ear_link_list_set_query (list, &(EarLinkQuery) { ALL });
  EAR_TEST_WAIT_UNTIL (!ear_link_list_get_asking (list));
  g_autoptr (EarLink) link = g_list_model_get_item (G_LIST_MODEL (list), 1);
  g_assert_cmpstr (link->words, ==, "Page 1");
  g_assert_cmpstr (link->title, ==, "Second");
  g_assert_cmpstr (link->podcast, ==, "one");
  g_assert_cmpstr (link->episode, ==, key);

  store_one (fixture->catalogue, follow (fixture, "two"), make_episode ("x", "Other", NEWEST - 5, PAPER));
  g_assert_cmpuint (scan_notes (fixture), ==, 1);
  ASSERT_LINKS (fixture, "arxiv.org/abs/1*2 example.org/page*2 github.com/a/b/pull/1*1", ALL);
  assert_number (fixture, "SELECT count (DISTINCT link) FROM mention", 3);

  /* A match in the text of a link is shown with that text. */
  store_one (fixture->catalogue, podcast, make_episode ("d", "Fourth", NEWEST, PAGE " and, further down, Page 0 and more"));
  scan_notes (fixture);
  g_autoptr (EarSnippet) snippet = load_snippet (fixture->catalogue, podcast, "d", "page 0");
  g_assert_cmpint (snippet->kind, ==, EAR_SNIPPET_LINK);
  g_assert_cmpstr (snippet->text, ==, "Page 0");
  g_assert_cmpint (snippet->time, ==, -1);
}

static void
test_filtered (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  EarPodcast *other = follow (fixture, "two");
  g_autoptr (GArray) marked = ear_ids_new ();
  g_autoptr (GArray) none = ear_ids_new ();
  const gint64 ids[] = { ear_link_address_make_id ("example.org/page"), -1 };
  const gint64 one = ear_podcast_get_id (podcast);
  char *github = (char *) "github.com";
  g_autoptr (EarEpisode) first = get_episode (fixture->catalogue, podcast, "a");

  store_one (fixture->catalogue, other, make_episode ("x", "Other", NEWEST - 5, PAPER));
  scan_notes (fixture);
  g_array_append_vals (marked, ids, G_N_ELEMENTS (ids));
  ASSERT_LINKS (fixture, "arxiv.org/abs/1*2", .kind = EAR_LINK_PAPER);
  ASSERT_LINKS (fixture, "example.org/page*2", .kind = EAR_LINK_OTHER);
  ASSERT_LINKS (fixture, "", .kind = EAR_LINK_BLOG);
  ASSERT_LINKS (fixture, "github.com/a/b/pull/1*1", .host = github, ALL);
  ASSERT_LINKS (fixture, "", .host = (char *) "nowhere.example", ALL);
  ASSERT_LINKS (fixture, "arxiv.org/abs/1*1", ALL, .podcast = ear_podcast_get_id (other));
  ASSERT_LINKS (fixture, "example.org/page*2", ALL, .only = marked);
  ASSERT_LINKS (fixture, "", ALL, .only = none);
  ASSERT_LINKS (fixture, "arxiv.org/abs/1*2 github.com/a/b/pull/1*1", ALL, .without = marked);
  ASSERT_LINKS (fixture, "github.com/a/b/pull/1*1", .without = marked, .podcast = one, .host = github, ALL);
  ASSERT_LINKS (fixture, "example.org/page*1", .search = (char *) "PAGE 1 Example", ALL);
  ASSERT_LINKS (fixture, "example.org/page*1", .search = (char *) "Example        page  1", ALL);
  ASSERT_LINKS (fixture, "example.org/page*1", .search = (char *) "example page 1 page 1 page 1 page 1 page", ALL);
  ASSERT_LINKS (fixture, "", .search = (char *) "page%", ALL);
  ASSERT_LINKS (fixture, "arxiv.org/abs/1*2 example.org/page*2 github.com/a/b/pull/1*1", .search = (char *) "  ", ALL);

  ASSERT_LINKS (fixture, "", .listened = TRUE, ALL);
  set_listened (fixture->catalogue, first, TRUE);
  ASSERT_LINKS (fixture, "example.org/page*1 github.com/a/b/pull/1*1", .listened = TRUE, ALL);

  /* Links of an unfollowed podcast are in no list, and are purged with it. */
  fixture->catalogue->purge_delay = 1000;
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  ASSERT_LINKS (fixture, "arxiv.org/abs/1*1", ALL);
  wait_for_number (fixture, "SELECT count (*) FROM mention", 1);
  wait_for_number (fixture, "SELECT count (*) FROM site", 1);
}

/* An edited episode is scanned again. Relative links start from the base of the notes, else from the
 * episode's own page. */
static void
test_edited (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);

  scan_notes (fixture);
  store_later (fixture->catalogue, podcast, make_episode ("a", "First", NEWEST - 2, PR "/files"));
  ASSERT_LINKS (fixture, "arxiv.org/abs/1*1 example.org/page*1", ALL);
  g_assert_cmpuint (scan_notes (fixture), ==, 1);
  ASSERT_LINKS (fixture, "arxiv.org/abs/1*1 example.org/page*1 github.com/a/b/pull/1/files*1", ALL);

  /* A redated episode is scanned again, too. */
  store_later (fixture->catalogue, podcast, make_episode ("a", "First", NEWEST + 100, PR "/files"));
  g_assert_cmpuint (scan_notes (fixture), ==, 1);
  ASSERT_LINKS (fixture, "github.com/a/b/pull/1/files*1 arxiv.org/abs/1*1 example.org/page*1", ALL);

  EarPodcast *other = follow (fixture, "two");
  EarEpisodeFacts *own_base = make_episode ("x", "First", NEWEST - 1, "page");
  EarEpisodeFacts *other_base = make_episode ("y", "Second", NEWEST, "page");
  own_base->link = g_strdup ("https://example.org/1/");
  own_base->notes_base = g_strdup (own_base->link);
  other_base->link = g_strdup (own_base->link);
  other_base->notes_base = g_strdup ("https://example.org/2/");
  store_all (fixture->catalogue, other, own_base, other_base, NULL);
  scan_notes (fixture);
  ASSERT_LINKS (fixture, "example.org/2/page*1 example.org/1/page*1", ALL, .podcast = ear_podcast_get_id (other));
}

/* The episodes with notes that may link to an episode, in their order */
static char *
list_mentions (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisode *episode)
{
  g_autoptr (GArray) podcasts = ear_ids_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  const gint64 id = ear_podcast_get_id (podcast);
  EarReferenceSource *source;

  g_array_append_val (podcasts, id);
  source = read_now (catalogue, ear_read_references (episode, podcasts));
  for (guint i = 0; i < source->mentions->len; i++)
    {
      const EarEpisodeNotes *mention = g_ptr_array_index (source->mentions, i);
      g_autoptr (EarEpisode) other = ear_catalogue_dup_episode (catalogue, mention->episode);

      g_assert_nonnull (mention->text);
      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", ear_episode_get_title (other));
    }
  ear_reference_source_free (source);

  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* Episodes of other podcasts also refer to an episode, by its page or its media file,
 * unless their podcast was unfollowed. */
static void
test_referred (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");
  EarEpisodeFacts *facts = make_episode ("a", "First", NEWEST - 10, PR);

  facts->link = g_strdup (PAGE);
  store_all (fixture->catalogue, podcast, facts, make_episode ("b", "Own", NEWEST - 1, PAGE), NULL);
  store_all (fixture->catalogue, other,
             make_episode ("x", "Media", NEWEST - 2, PAPER " https://example.org/audio/a.mp3"),
             make_episode ("y", "Both", NEWEST - 3, PAGE " https://example.org/audio/a.mp3"),
             make_episode ("z", "Neither", NEWEST - 4, PAPER " " PAGE "/more"), NULL);
  scan_notes (fixture);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "a");
  ear_test_assert_text (list_mentions (fixture->catalogue, podcast, episode), "Own Both Media");
  ear_catalogue_unfollow (fixture->catalogue, other);
  ear_test_assert_text (list_mentions (fixture->catalogue, podcast, episode), "Own");
}

/* Hosts are sorted by their number of pages, not of episodes, by http or https. */
static void
test_hosts (Fixture *fixture, gconstpointer data)
{
  store_all (fixture->catalogue, follow (fixture, "one"),
             make_episode ("a", "First", NEWEST, PR " https://github.com/a/b " PAPER),
             make_episode ("b", "Second", NEWEST - 1, PAPER " http://a.example/1 https://a.example/2"),
             make_episode ("c", "Third", NEWEST - 2, PAPER " https://a.example/3"), NULL);
  scan_notes (fixture);
  g_auto (GStrv) hosts = read_now (fixture->catalogue, ear_read_link_hosts ());
  ear_test_assert_text (g_strjoinv (" ", hosts), "a.example github.com arxiv.org");
}

/* Only rows in view are loaded; observers see new links arrive. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (EarLinkList) list = ear_link_list_new (fixture->catalogue);
  GListModel *model = G_LIST_MODEL (list);

  for (guint i = 0; i < 450; i++)
    store_one (fixture->catalogue, podcast,
               make_episode (ear_test_format ("%u", i), NULL, NEWEST - i,
                             ear_test_format ("https://example.org/%u", i)));
  scan_notes (fixture);
  ear_link_list_set_query (list, &(EarLinkQuery) { ALL });
  ear_link_list_set_watching (list, TRUE);
  EAR_TEST_WAIT_UNTIL (!ear_link_list_get_asking (list));
  g_assert_cmpuint (ear_link_list_get_n_links (list), ==, 450);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 30);
  for (guint n = 60; n <= 450; n += 30)
    {
      g_autoptr (EarLink) last = g_list_model_get_item (model, g_list_model_get_n_items (model) - 1);

      EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (model) == n);
    }
  g_autoptr (EarLink) first = g_list_model_get_item (model, 0);
  g_assert_cmpstr (first->key, ==, "example.org/0");

  store_one (fixture->catalogue, podcast, make_episode ("new", "New", NEWEST + 10, PR));
  scan_notes (fixture);
  EAR_TEST_WAIT_UNTIL (ear_link_list_get_n_links (list) == 451 && !ear_link_list_get_asking (list));
  g_autoptr (EarLink) same = g_list_model_get_item (model, 1);
  g_assert_true (same == first);
}

static void
assert_repeated (Fixture *fixture, EarPodcast *podcast, GPtrArray *links, const char *expected)
{
  const gint64 id = ear_podcast_get_id (podcast);
  g_autoptr (GPtrArray) repeated = read_now (fixture->catalogue, ear_read_repeated_links (id, links));

  g_assert_cmpuint (repeated->len, ==, expected != NULL ? 1 : 0);
  if (expected != NULL)
    g_assert_cmpstr (((EarLink *) g_ptr_array_index (repeated, 0))->address, ==, expected);
}

/* A link is repeated if most of enough episodes with links have it. */
static void
test_repeated (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  EarPodcast *other = follow (fixture, "two");
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (links, ear_link_new (PR, NULL, NULL, EAR_LINK_PULL_REQUEST));
  g_ptr_array_add (links, ear_link_new (PAGE, NULL, NULL, EAR_LINK_OTHER));
  scan_notes (fixture);
  assert_repeated (fixture, podcast, links, NULL);

  store_all (fixture->catalogue, podcast, make_episode ("d", "Fourth", NEWEST - 3, PAGE),
             make_episode ("e", "Fifth", NEWEST - 4, PR), NULL);
  store_one (fixture->catalogue, other, make_episode ("x", "Other", NEWEST - 5, PR));
  scan_notes (fixture);
  assert_repeated (fixture, podcast, links, PAGE);
  assert_repeated (fixture, other, links, NULL);
}

static void
reopen (Fixture *fixture, gint64 tidy_delay)
{
  fixture_close (fixture);
  fixture_tidy_delay = tidy_delay;
  fixture_open (fixture);
  fixture_tidy_delay = G_TIME_SPAN_DAY;
}

/* An episode that is stored only at the end of the response is scanned after it. */
static void
test_adopted (Fixture *fixture, gconstpointer data)
{
  EarEpisodeFacts *renamed = with_media (make_episode ("new", "Title", NEWEST, PAGE " " PR),
                                         "https://example.org/audio/old.mp3");

  reopen (fixture, G_TIME_SPAN_MILLISECOND);
  EarPodcast *podcast = follow (fixture, "one");
  store_one (fixture->catalogue, podcast, make_episode ("old", "Title", NEWEST, PAGE));
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  store_later (fixture->catalogue, podcast, renamed);
  flush (fixture->catalogue);
  wait_for_number (fixture, "SELECT links FROM episode", 1);
  /* The upkeep that follows the batch finds nothing. */
  g_usleep (100000);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  wait_for_number (fixture, "SELECT links FROM episode", 2);
}

/* An episode that cannot be scanned is reported, and scanned again with the next ones. */
static void
test_failed (Fixture *fixture, gconstpointer data)
{
  const char *log_path = ear_test_format ("%s-wal", fixture->path);
  GStatBuf info = { 0 };

  reopen (fixture, G_TIME_SPAN_MILLISECOND);
  EarPodcast *podcast = follow (fixture, "one");
  fill_disk (fixture, "UPDATE OF links ON episode");
  store_one (fixture->catalogue, podcast, make_episode ("a", "First", NEWEST, PAGE));
  EAR_TEST_WAIT_UNTIL (strstr (fixture->log->str, "failed 0; ") != NULL);

  /* The copy is made after the check that the first failure has started, which would keep
   * the log from being emptied. */
  g_assert_true (make_copy (fixture->catalogue, NULL));
  fixture_forget (fixture);
  store_one (fixture->catalogue, podcast, make_episode ("b", "Second", NEWEST - 1, PAPER));
  EAR_TEST_WAIT_UNTIL (strstr (fixture->log->str, "failed 0; ") != NULL);
  EAR_TEST_WAIT_UNTIL (g_stat (log_path, &info) == 0 && info.st_size == 0);

  free_disk (fixture);
  store_one (fixture->catalogue, podcast, make_episode ("c", "Third", NEWEST - 2, PR));
  wait_for_number (fixture, "SELECT count (links) FROM episode", 3);
}

#define MINUTE (60 * G_USEC_PER_SEC)

/* @titles: of chapters, separated by slashes, a minute each */
static EarEpisodeFacts *
make_chaptered (const char *guid, const char *titles)
{
  EarEpisodeFacts *facts = make_episode (guid, guid, NEWEST, NULL);
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

static EarPodcast *
begin_chaptered (Fixture *fixture)
{
  EarPodcast *podcast = follow (fixture, "one");

  store_all (fixture->catalogue, podcast, make_episode ("plain", "Without", NEWEST - 1, NULL),
             make_chaptered ("a", "Anchors/Chains"), NULL);
  flush (fixture->catalogue);

  return podcast;
}

#define ASSERT_FOUND(fixture, search, expected) \
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, search, expected)

/* A search finds episodes by the chapters in their feed, before anyone has opened them. */
static void
test_chapters_found (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin_chaptered (fixture);
  EarEpisodeFacts *facts = make_chaptered ("b", "Bells/Hidden/Beyond");
  EarEpisodeFacts *heard = make_chaptered ("c", "Corks/Cellar");

  ((EarChapter *) g_ptr_array_index (facts->chapters, 1))->hidden = TRUE;
  ((EarChapter *) g_ptr_array_index (facts->chapters, 2))->start = 30 * MINUTE;
  ((EarChapter *) g_ptr_array_index (heard->chapters, 1))->start = 30 * MINUTE;
  store_all (fixture->catalogue, podcast, facts, heard, NULL);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "c");
  ear_catalogue_set_duration (fixture->catalogue, episode, 21 * MINUTE);
  g_assert_cmpuint (scan_notes (fixture), ==, 4);
  ASSERT_FOUND (fixture, "chains", "a");
  ASSERT_FOUND (fixture, "bells", "b");
  /* Hidden chapters are not found, nor those behind the end of the media; the feed's
   * duration leaves none out. */
  ASSERT_FOUND (fixture, "hidden", "");
  ASSERT_FOUND (fixture, "beyond", "b");
  ASSERT_FOUND (fixture, "corks", "c");
  ASSERT_FOUND (fixture, "cellar", "");
  assert_number (fixture, "SELECT count (*) FROM chaptered", 3);
}

/* Unchanged chapters in a later response are not scanned again, but any edit is announced. */
static void
test_chapters_edited (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin_chaptered (fixture);
  EarEpisodeFacts *facts = make_chaptered ("a", "Anchors/Chains");

  scan_notes (fixture);
  g_set_str (&facts->author, "Another");
  g_set_str (&facts->season_name, "Autumn");
  fixture_forget (fixture);
  store_later (fixture->catalogue, podcast, facts);
  assert_log (fixture, "changed 1; ");
  g_assert_cmpuint (scan_notes (fixture), ==, 0);
  ASSERT_FOUND (fixture, "chains", "a");

  store_later (fixture->catalogue, podcast, make_chaptered ("a", "Anchors/Ropes"));
  ASSERT_FOUND (fixture, "chains", "");
  g_assert_cmpuint (scan_notes (fixture), ==, 1);
  ASSERT_FOUND (fixture, "ropes", "a");

  store_later (fixture->catalogue, podcast, make_episode ("a", "a", NEWEST, NULL));
  ASSERT_FOUND (fixture, "ropes", "");
  assert_number (fixture, "SELECT count (*) FROM chaptered", 0);

  store_later (fixture->catalogue, podcast, make_chaptered ("a", "Knots"));
  scan_notes (fixture);
  ASSERT_FOUND (fixture, "knots", "a");

  /* Chapters from a file or document are more complete, and stay until the feed has others. */
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "a");
  g_autoptr (EarEpisodeFacts) fuller = make_chaptered ("a", "Hook/Line/Sinker");
  ear_catalogue_store_chapters (fixture->catalogue, episode, fuller->chapters);
  scan_notes (fixture);
  ASSERT_FOUND (fixture, "sinker", "a");
  ASSERT_FOUND (fixture, "knots", "");
  store_later (fixture->catalogue, podcast, make_chaptered ("a", "Anchors/Ropes"));
  scan_notes (fixture);
  ASSERT_FOUND (fixture, "sinker", "");
  ASSERT_FOUND (fixture, "ropes", "a");
}

int
main (int argc, char *argv[])
{
  const FixtureTest tests[] = {
    { "/catalogue-links/merged", test_merged },
    { "/catalogue-links/filtered", test_filtered },
    { "/catalogue-links/edited", test_edited },
    { "/catalogue-links/referred", test_referred },
    { "/catalogue-links/hosts", test_hosts },
    { "/catalogue-links/many", test_many },
    { "/catalogue-links/repeated", test_repeated },
    { "/catalogue-links/adopted", test_adopted },
    { "/catalogue-links/failed", test_failed },
    { "/catalogue/chapters/found", test_chapters_found },
    { "/catalogue/chapters/edited", test_chapters_edited },
  };

  fixture_links_func = find_links;
  fixture_tidy_delay = G_TIME_SPAN_DAY;

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
