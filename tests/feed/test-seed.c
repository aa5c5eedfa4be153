/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "feed-reader.h"

#include "ear-date.h"
#include "ear-show-notes.h"

#include <string.h>

/* The feed that the app opens on. It lies beside the repository; its sentences are not ours. */

typedef struct
{
  GPtrArray *items; /* (element-type EarEpisodeFacts) */
  EarFeedParser *parser;
} Seed;

/* How many spans lead out of the notes; neighbouring spans of one link count once. */
static guint
count_links (EarNotes *notes)
{
  guint count = 0;

  for (guint i = 0; i < notes->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (notes->blocks, i);
      const char *before = NULL;

      if (block->type == EAR_NOTES_IMAGE || block->names_image)
        continue;
      for (guint j = 0; j < block->spans->len; j++)
        {
          const EarNotesSpan *span = g_ptr_array_index (block->spans, j);

          if (span->link != NULL && g_strcmp0 (span->link, before) != 0)
            count++;
          before = span->link;
        }
    }

  return count;
}

static void
item_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  g_ptr_array_add (user_data, ear_episode_facts_ref (facts));
}

/* FALSE, and the test is skipped, where the feed is not there. */
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

/* What holds of every one of the 83 */
static void
test_every_episode (void)
{
  Seed seed;
  g_autoptr (GHashTable) guids = g_hash_table_new (g_str_hash, g_str_equal);
  guint links = 0;

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
      links += count_links (notes);
    }
  /* "Further reading" */
  g_assert_cmpuint (links, >, 150);
  close_seed (&seed);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/seed/podcast", test_podcast);
  g_test_add_func ("/feed/seed/first-episode", test_first_episode);
  g_test_add_func ("/feed/seed/every-episode", test_every_episode);

  return g_test_run ();
}
