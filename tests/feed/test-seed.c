/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "feed-reader.h"
#include "seed-links.h"

#include "ear-link.h"
#include "ear-date.h"
#include "ear-reference.h"
#include "ear-show-notes.h"

#include <string.h>

/* Tests with the feed that a new installation opens with. The feed is stored outside of
 * the repository; its sentences belong to the podcast. */

typedef struct
{
  GPtrArray *items; /* (element-type EarEpisodeFacts) */
  EarFeedParser *parser;
} Seed;

static void
item_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  g_ptr_array_add (user_data, ear_episode_facts_ref (facts));
}

/* Returns: %FALSE, with the test skipped, if the feed is missing */
static gboolean
open_seed (Seed *seed, gsize chunk)
{
  const char *shared = g_getenv ("EARMARK_SHARED");
  g_autofree char *path = shared != NULL ? g_build_filename (shared, "seeds", "pytorch-developer-podcast.rss.xml", NULL) : NULL;
  g_autofree char *contents = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  if (path == NULL || !g_file_get_contents (path, &contents, &length, NULL))
    {
      g_test_skip ("The seed feed is not there: set EARMARK_SHARED to the folder that holds seeds/");
      return FALSE;
    }
  seed->items = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  seed->parser = ear_feed_parser_new ("https://feeds.simplecast.com/OB5FkIl8", "application/xml", item_cb, seed->items);
  for (gsize at = 0; at < length; at += chunk)
    g_assert_true (ear_feed_parser_push (seed->parser, (const guint8 *) contents + at, MIN (chunk, length - at), &error));
  g_assert_true (ear_feed_parser_finish (seed->parser, &error));
  g_assert_no_error (error);

  return TRUE;
}

static void
close_seed (Seed *seed)
{
  ear_feed_parser_free (seed->parser);
  g_ptr_array_unref (seed->items);
}

static void
test_podcast (void)
{
  Seed seed;
  EarPodcastFacts *facts;

  if (!open_seed (&seed, 16384))
    return;
  facts = ear_feed_parser_get_podcast (seed.parser);
  g_assert_false (ear_feed_parser_get_damaged (seed.parser));
  g_assert_cmpstr (facts->title, ==, "PyTorch Developer Podcast");
  g_assert_cmpstr (facts->link, ==, "https://pytorch-dev-podcast.simplecast.com/");
  g_assert_cmpuint (strlen (facts->description), ==, 160);
  g_assert_true (g_str_has_prefix (facts->image, "https://image.simplecastcdn.com/images/8cefde76"));
  g_assert_cmpstr (facts->language, ==, "en");
  g_assert_cmpstr (facts->author, ==, "Edward Yang, Team PyTorch");
  g_assert_cmpstr (facts->copyright, ==, "2021 - PyTorch Developer Podcast");
  g_assert_cmpstr (facts->generator, ==, "https://simplecast.com");
  g_assert_cmpstr (facts->owner_name, ==, "PyTorch");
  g_assert_nonnull (strchr (facts->owner_email, '@'));
  g_assert_cmpstr (facts->type, ==, "episodic");
  g_assert_cmpstr (facts->new_address, ==, "https://feeds.simplecast.com/OB5FkIl8");
  g_assert_null (facts->next_address);
  g_assert_cmpint (facts->published, ==, ear_date_parse ("2024-08-04T01:47:46Z"));
  g_assert_cmpint (facts->explicit_content, ==, EAR_EXPLICIT_NO);
  g_assert_false (facts->complete);
  g_assert_cmpuint (facts->categories->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (facts->categories, 0), ==, "Technology");
  g_assert_cmpuint (facts->keywords->len, ==, 3);
  g_assert_cmpstr (g_ptr_array_index (facts->keywords, 1), ==, "machine learning");
  close_seed (&seed);
}

static void
test_first_episode (void)
{
  Seed seed;
  EarEpisodeFacts *facts;
  EarEnclosure *enclosure;

  if (!open_seed (&seed, 1))
    return;
  facts = g_ptr_array_index (seed.items, 0);
  enclosure = g_ptr_array_index (facts->enclosures, 0);
  g_assert_cmpstr (facts->guid, ==, "6c91edbc-8b45-41f7-8ae4-11cb850f71ac");
  g_assert_cmpstr (facts->title, ==, "Compiler collectives");
  g_assert_cmpstr (facts->link, ==, "https://pytorch-dev-podcast.simplecast.com/episodes/compiler-collectives-gPI5muII");
  g_assert_cmpstr (facts->author, ==, "PyTorch");
  g_assert_true (g_str_has_prefix (facts->notes, "<p>"));
  g_assert_nonnull (strstr (facts->notes, "<a href=\"https://github.com/pytorch/pytorch/pull/130935\">"));
  g_assert_cmpstr (facts->notes_base, ==, facts->link);
  g_assert_cmpuint (strlen (facts->subtitle), ==, 313);
  g_assert_cmpint (facts->published, ==, ear_date_parse ("2024-08-04T01:47:46Z"));
  g_assert_cmpint (facts->duration, ==, (gint64) (16 * 60 + 33) * G_USEC_PER_SEC);
  g_assert_cmpstr (facts->number, ==, "83");
  g_assert_cmpint (facts->season, ==, 0);
  g_assert_cmpint (facts->type, ==, EAR_EPISODE_FULL);
  g_assert_cmpint (facts->explicit_content, ==, EAR_EXPLICIT_NO);
  g_assert_cmpuint (facts->enclosures->len, ==, 1);
  g_assert_true (g_str_has_suffix (enclosure->address, "/default_tc.mp3?aid=rss_feed&feed=OB5FkIl8"));
  g_assert_cmpstr (enclosure->mime_type, ==, "audio/mpeg");
  g_assert_cmpint (enclosure->size, ==, 15898472);
  close_seed (&seed);
}

/* Holds for each of the 83 episodes */
static void
test_every_episode (void)
{
  Seed seed;
  g_autoptr (GHashTable) guids = g_hash_table_new (g_str_hash, g_str_equal);

  if (!open_seed (&seed, 7))
    return;
  g_assert_cmpuint (seed.items->len, ==, 83);
  g_assert_cmpuint (ear_feed_parser_get_n_items (seed.parser), ==, 83);
  for (guint i = 0; i < seed.items->len; i++)
    {
      EarEpisodeFacts *facts = g_ptr_array_index (seed.items, i);
      EarEpisodeFacts *next = i + 1 < seed.items->len ? g_ptr_array_index (seed.items, i + 1) : NULL;
      g_autoptr (EarNotes) notes = ear_show_notes_parse (facts->notes, facts->notes_base, facts->duration);
      EarEnclosure *enclosure = g_ptr_array_index (facts->enclosures, 0);

      g_assert_true (g_hash_table_add (guids, facts->guid));
      g_assert_nonnull (facts->title);
      g_assert_cmpint (facts->duration, >, 5 * 60 * G_USEC_PER_SEC);
      g_assert_cmpint (facts->duration, <, (gint64) 60 * 60 * G_USEC_PER_SEC);
      g_assert_cmpint (g_ascii_strtoll (facts->number, NULL, 10), ==, 83 - i);
      g_assert_cmpint (enclosure->size, >, 1000000);
      g_assert_true (g_str_has_prefix (enclosure->address, "https://"));
      g_assert_true (next == NULL || next->published <= facts->published);
      g_assert_cmpuint (notes->blocks->len, >, 0);
    }
  close_seed (&seed);
}

static GPtrArray *
list_links (const char *source, const char *base)
{
  g_autoptr (EarNotes) notes = ear_show_notes_parse (source, base, EAR_DURATION_UNKNOWN);

  return ear_notes_list_links (notes);
}

static void
assert_link (const EarLinkFacts *link, const SeedLink *expected)
{
  g_auto (GStrv) words = g_strsplit (link->words != NULL ? link->words : "", " ", -1);
  const guint n_words = g_strv_length (words);

  g_test_message ("%u: %s, %s: %s", expected->episode, link->heading, link->words, link->address);
  g_assert_cmpstr (link->address, ==, expected->address);
  g_assert_cmpstr (link->heading, ==, expected->heading);
  g_assert_cmpuint (n_words, ==, expected->n_words);
  g_assert_cmpstr (words[0], ==, expected->first);
  g_assert_cmpstr (words[n_words - 1], ==, expected->last);
}

/* Exactly the links found by hand */
static void
test_links (void)
{
  Seed seed;
  gsize at = 0;

  if (!open_seed (&seed, 65536))
    return;
  for (guint i = 0; i < seed.items->len && at < G_N_ELEMENTS (seed_links); i++)
    {
      EarEpisodeFacts *facts = g_ptr_array_index (seed.items, i);
      g_autoptr (GPtrArray) links = NULL;

      if (seed_links[at].episode != 83 - i)
        continue;
      links = list_links (facts->notes, facts->notes_base);
      for (guint j = 0; j < links->len; j++)
        {
          g_assert_cmpuint (at, <, G_N_ELEMENTS (seed_links));
          g_assert_cmpuint (seed_links[at].episode, ==, 83 - i);
          assert_link (g_ptr_array_index (links, j), &seed_links[at++]);
        }
    }
  g_assert_cmpuint (at, ==, G_N_ELEMENTS (seed_links));
  close_seed (&seed);
}

#define HEADING "Further reading"

/* Returns: the notes from the heading to the next one, as in the feed; NULL if there is
 *   none */
static char *
find_section (const char *source)
{
  const char *start = strstr (source, HEADING);
  const char *end = start != NULL ? strstr (start, "<p><strong>") : NULL;

  return start != NULL ? g_strndup (start, end != NULL ? (gsize) (end - start) : strlen (start)) : NULL;
}

static char *
replace (const char *text, const char *expression, const char *by)
{
  g_autoptr (GRegex) regex = g_regex_new (expression, G_REGEX_DOTALL, 0, NULL);

  return g_regex_replace (regex, text, -1, 0, by, 0, NULL);
}

/* Returns: the URLs in a section, each once, found by another method than the code under
 *   test */
static GPtrArray *
list_addresses (const char *section)
{
  GPtrArray *addresses = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *linked = replace (section, "<a href=\"([^\"]*)\"[^>]*>.*?</a>", " \\1 ");
  g_autofree char *plain = replace (linked, "<[^>]*>", " ");
  g_autofree char *text = replace (plain, "&amp;", "&");
  g_autoptr (GRegex) regex = g_regex_new ("https?://\\S*[^\\s.,;]", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  for (g_regex_match (regex, text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *address = g_match_info_fetch (match, 0);

      if (!g_ptr_array_find_with_equal_func (addresses, address, g_str_equal, NULL))
        g_ptr_array_add (addresses, g_steal_pointer (&address));
    }

  return addresses;
}

static guint
count (const char *text, const char *part)
{
  guint n = 0;

  for (const char *found = strstr (text, part); found != NULL; found = strstr (found + 1, part))
    n++;

  return n;
}

/* Returns: the number of list items between the heading and the next one */
static guint
count_items (EarNotes *notes, const char *title)
{
  gboolean is_there = FALSE;
  guint n_items = 0;

  for (guint i = 0; i < notes->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (notes->blocks, i);
      g_autofree char *text = ear_notes_block_to_text (block);

      if (is_there && block->type != EAR_NOTES_LIST_ITEM)
        {
          g_test_message ("%s: behind the list: %s", title, text);
          break;
        }
      n_items += is_there;
      is_there = is_there || g_str_has_prefix (text, HEADING);
    }
  g_assert_true (is_there);

  return n_items;
}

/* Each list of further reading is parsed as a list, with one item for each item of the
 * feed and a link for each URL in it. */
static void
test_further_reading (void)
{
  Seed seed;
  guint n_lists = 0;
  guint n_links = 0;

  if (!open_seed (&seed, 65536))
    return;
  for (guint i = 0; i < seed.items->len; i++)
    {
      EarEpisodeFacts *facts = g_ptr_array_index (seed.items, i);
      g_autofree char *section = find_section (facts->notes);
      g_autoptr (EarNotes) notes = NULL;
      g_autoptr (GPtrArray) addresses = NULL;
      g_autoptr (GPtrArray) links = NULL;
      guint n_found = 0;

      if (section == NULL)
        continue;
      notes = ear_show_notes_parse (facts->notes, facts->notes_base, facts->duration);
      addresses = list_addresses (section);
      links = ear_notes_list_links (notes);
      /* Two episodes have a single link after the heading, on the same line. */
      g_assert_cmpuint (count_items (notes, facts->title), ==, MAX (count (section, "<li>"), 1));
      for (guint j = 0; j < links->len; j++)
        {
          const EarLinkFacts *link = g_ptr_array_index (links, j);

          /* One list contains another one with its own heading. */
          if (g_strcmp0 (link->heading, HEADING) != 0 && (n_found == 0 || n_found == addresses->len))
            continue;
          g_assert_cmpuint (n_found, <, addresses->len);
          g_assert_cmpstr (link->address, ==, g_ptr_array_index (addresses, n_found));
          g_assert_true (link->words != NULL && *link->words != '\0');
          n_found++;
        }
      g_assert_cmpuint (n_found, ==, addresses->len);
      n_links += n_found;
      n_lists++;
    }
  g_test_message ("%u lists, %u links", n_lists, n_links);
  g_assert_cmpuint (n_lists, ==, 53);
  close_seed (&seed);
}

/* Returns: the text of an episode on a page that has lost its tags, and so most spaces
 *   between its links: "Ep 33Title", a line with the notes, and one that begins with the
 *   date */
static char *
find_on_page (const char *page, const char *title)
{
  g_autofree char *head = g_strdup_printf ("%s\n\n", title);
  const char *found = strstr (page, head);
  const char *end = found != NULL ? strstr (found + strlen (head), "\n\n") : NULL;

  return end != NULL ? g_strndup (found + strlen (head), end - found - strlen (head)) : NULL;
}

static gboolean
has_link (GPtrArray *links, const EarLinkFacts *link)
{
  for (guint i = 0; i < links->len; i++)
    {
      const EarLinkFacts *other = g_ptr_array_index (links, i);

      if (g_str_equal (other->address, link->address) && g_strcmp0 (other->words, link->words) == 0 &&
          g_strcmp0 (other->heading, link->heading) == 0)
        return TRUE;
    }

  return FALSE;
}

/* Lists that have run together are split again. Of 97 URLs, the page has shortened nine
 * ("https://github.com/.../Export.h"). For four of the others, the start or end of the
 * URL or of its words is ambiguous ("in its formulas.Conjugate views", "strategyRFC"). */
static void
test_run_together (void)
{
  Seed seed;
  g_autofree char *path = NULL;
  g_autofree char *page = NULL;
  guint n_whole = 0;
  guint n_right = 0;

  if (!open_seed (&seed, 65536))
    return;
  path = g_build_filename (g_getenv ("EARMARK_SHARED"), "seeds", "play-podcasts-page.txt", NULL);
  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  for (guint i = 0; i < seed.items->len; i++)
    {
      EarEpisodeFacts *facts = g_ptr_array_index (seed.items, i);
      g_autofree char *text = find_on_page (page, facts->title);
      g_autoptr (GPtrArray) links = list_links (facts->notes, facts->notes_base);
      g_autoptr (GPtrArray) found = text != NULL ? list_links (text, NULL) : NULL;

      for (guint j = 0; found != NULL && j < links->len; j++)
        {
          const EarLinkFacts *link = g_ptr_array_index (links, j);

          n_whole += strstr (text, link->address) != NULL;
          n_right += has_link (found, link);
        }
    }
  g_test_message ("%u of %u links", n_right, n_whole);
  g_assert_cmpuint (n_whole, ==, 88);
  g_assert_cmpuint (n_right, >=, 84);
  close_seed (&seed);
}

/* Episodes to listen to first, stated in two ways by the notes */
static void
test_references (void)
{
  static const char *const expected[][3] = {
    { "Unbacked SymInts", "Zero-one specialization", "after" },
    { "Weak references", "Reference counting", "first" },
    { "Weak references", "PyObject preservation", "first" },
    { "Tensor subclasses and Liskov substitution principle", "Multiple dispatch in __torch_function__", "refers" },
    { "Batching", "TensorIterator", "refers" },
    { "Batching", "vmap", "refers" },
  };
  static const char *const kinds[] = { "refers", "first", "after" };
  g_autoptr (GHashTable) targets = ear_reference_targets_new ();
  Seed seed;
  guint n_found = 0;

  if (!open_seed (&seed, 65536))
    return;
  for (guint i = 0; i < seed.items->len; i++)
    {
      EarEpisodeFacts *facts = g_ptr_array_index (seed.items, i);

      ear_reference_targets_add (targets, i + 1, facts->link, ((EarEnclosure *) g_ptr_array_index (facts->enclosures, 0))->address);
      ear_reference_targets_name (targets, i + 1, facts->title, facts->number);
    }
  for (guint i = 0; i < seed.items->len; i++)
    {
      EarEpisodeFacts *facts = g_ptr_array_index (seed.items, i);
      g_autoptr (EarNotes) notes = ear_show_notes_parse (facts->notes, facts->notes_base, 0);
      g_autoptr (GPtrArray) references = ear_references_find (notes, i + 1, targets);

      for (guint j = 0; j < references->len; j++, n_found++)
        {
          const EarReference *reference = g_ptr_array_index (references, j);
          EarEpisodeFacts *other = g_ptr_array_index (seed.items, reference->episode - 1);

          g_test_message ("%s -> %s (%s)", facts->title, other->title, kinds[reference->kind]);
          g_assert_cmpuint (n_found, <, G_N_ELEMENTS (expected));
          g_assert_cmpstr (facts->title, ==, expected[n_found][0]);
          g_assert_cmpstr (other->title, ==, expected[n_found][1]);
          g_assert_cmpstr (kinds[reference->kind], ==, expected[n_found][2]);
        }
    }
  g_assert_cmpuint (n_found, ==, G_N_ELEMENTS (expected));
  close_seed (&seed);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/seed/podcast", test_podcast);
  g_test_add_func ("/feed/seed/first-episode", test_first_episode);
  g_test_add_func ("/feed/seed/every-episode", test_every_episode);
  g_test_add_func ("/feed/seed/links", test_links);
  g_test_add_func ("/feed/seed/further-reading", test_further_reading);
  g_test_add_func ("/feed/seed/run-together", test_run_together);
  g_test_add_func ("/feed/seed/references", test_references);

  return g_test_run ();
}
