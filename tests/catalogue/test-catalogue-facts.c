/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-columns.h"

/* Facts of feeds, to their stored form and back */

/* Reads the stored form of facts without a column, as from a row. */
static void
read_extra (Fixture *fixture, const void *bytes, gsize length, gboolean is_episode, gpointer facts)
{
  g_autoptr (EarDatabase) database = ear_database_open (fixture->path, EAR_DATABASE_READ_ONLY, NULL);
  g_autoptr (EarStatement) statement = ear_database_prepare (database, "SELECT ?");

  sqlite3_bind_blob64 (statement, 1, bytes, length, SQLITE_TRANSIENT);
  g_assert_true (ear_database_step (database, statement));
  ear_facts_extra_read (statement, 0, is_episode, facts);
}

static EarPerson *
make_person (const char *name)
{
  EarPerson *person = ear_person_new ();

  person->name = g_strdup (name);
  person->role = g_strdup ("host");
  person->image = g_strdup ("https://example.org/p.png");

  return person;
}

static EarFunding *
make_funding (const char *address)
{
  EarFunding *funding = ear_funding_new ();

  funding->address = g_strdup (address);

  return funding;
}

static EarEpisodeFacts *
make_extra_facts (void)
{
  EarEpisodeFacts *facts = ear_episode_facts_new ();
  EarAlternate *alternate = ear_alternate_new ();
  EarSoundbite *soundbite = ear_soundbite_new ();
  EarEnclosure *second = ear_enclosure_new ();

  facts->season_name = g_strdup ("Spring");
  facts->chapters_address = g_strdup ("https://example.org/c.json");
  facts->podlove_address = g_strdup ("https://example.org/c.psc");
  facts->comments_address = g_strdup ("https://example.org/talk");
  g_ptr_array_add (facts->enclosures, ear_enclosure_new ());
  second->address = g_strdup ("https://example.org/2.ogg");
  second->size = 7;
  g_ptr_array_add (facts->enclosures, second);
  alternate->address = g_strdup ("https://example.org/a.opus");
  alternate->language = g_strdup ("de");
  alternate->bitrate = 64000;
  alternate->height = 720;
  alternate->is_default = TRUE;
  alternate->group = 3;
  g_ptr_array_add (facts->alternates, alternate);
  soundbite->start = 90 * G_USEC_PER_SEC;
  soundbite->duration = 30 * G_USEC_PER_SEC;
  soundbite->title = g_strdup ("The best part");
  g_ptr_array_add (facts->soundbites, soundbite);
  g_ptr_array_add (facts->persons, make_person ("Ada"));
  g_ptr_array_add (facts->persons, make_person ("\xff"));
  g_ptr_array_add (facts->funding, make_funding ("https://example.org/give"));

  return facts;
}

static void
test_episode (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeFacts) facts = make_extra_facts ();
  g_autoptr (EarEpisodeFacts) nothing = ear_episode_facts_new ();
  g_autoptr (EarEpisodeFacts) read = ear_episode_facts_new ();
  g_autoptr (GVariant) extra = ear_facts_extra_write (TRUE, facts);

  g_ptr_array_add (read->enclosures, ear_enclosure_new ());
  read_extra (fixture, g_variant_get_data (extra), g_variant_get_size (extra), TRUE, read);
  g_autoptr (GVariant) again = ear_facts_extra_write (TRUE, read);
  g_assert_true (g_variant_equal (extra, again));
  g_assert_cmpstr (read->season_name, ==, "Spring");
  g_assert_cmpstr (read->podlove_address, ==, "https://example.org/c.psc");
  g_assert_cmpstr (read->comments_address, ==, "https://example.org/talk");
  g_assert_cmpuint (read->enclosures->len, ==, 2);
  g_assert_cmpint (((EarEnclosure *) g_ptr_array_index (read->enclosures, 1))->size, ==, 7);
  const EarAlternate *alternate = g_ptr_array_index (read->alternates, 0);
  g_assert_cmpstr (alternate->language, ==, "de");
  g_assert_null (alternate->title);
  g_assert_cmpint (alternate->bitrate, ==, 64000);
  g_assert_cmpint (alternate->height, ==, 720);
  g_assert_true (alternate->is_default);
  g_assert_cmpint (alternate->group, ==, 3);
  const EarSoundbite *soundbite = g_ptr_array_index (read->soundbites, 0);
  g_assert_cmpint (soundbite->start, ==, 90 * G_USEC_PER_SEC);
  g_assert_cmpstr (soundbite->title, ==, "The best part");
  g_assert_cmpuint (read->persons->len, ==, 2);
  g_assert_cmpstr (((EarPerson *) g_ptr_array_index (read->persons, 1))->name, ==, "\357\277\275");
  g_assert_cmpstr (((EarFunding *) g_ptr_array_index (read->funding, 0))->address, ==, "https://example.org/give");

  /* One enclosure has columns, and there are no other facts: nothing is stored. */
  g_ptr_array_add (nothing->enclosures, ear_enclosure_new ());
  g_assert_null (ear_facts_extra_write (TRUE, nothing));
}

static EarPodcastFacts *
make_podcast (void)
{
  EarPodcastFacts *facts = ear_podcast_facts_new ();
  EarRemoteItem *item = ear_remote_item_new ();
  EarLiveItem *live = ear_live_item_new ();
  EarTrailer *trailer = ear_trailer_new ();
  EarFeedText *text = ear_feed_text_new ();

  facts->medium = g_strdup ("music");
  facts->license = g_strdup ("cc-by-4.0");
  facts->location = g_strdup ("Kyoto");
  facts->update_text = g_strdup ("Every Monday");
  facts->update_interval = 604800;
  g_ptr_array_add (facts->categories, g_strdup ("Arts"));
  g_ptr_array_add (facts->keywords, g_strdup ("one"));
  g_ptr_array_add (facts->persons, make_person ("Ada"));
  g_ptr_array_add (facts->funding, make_funding ("https://example.org/give"));
  item->feed_guid = g_strdup ("c0ffee");
  item->title = g_strdup ("Another");
  g_ptr_array_add (facts->podroll, item);
  live->status = g_strdup ("pending");
  live->start = 1000;
  g_ptr_array_add (facts->live_items, live);
  trailer->address = g_strdup ("https://example.org/t.mp3");
  trailer->season = 2;
  g_ptr_array_add (facts->trailers, trailer);
  text->text = g_strdup ("Nothing but text");
  g_ptr_array_add (facts->texts, text);

  return facts;
}

static void
test_podcast (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarPodcastFacts) facts = make_podcast ();
  g_autoptr (EarPodcastFacts) copy = ear_podcast_facts_copy (facts);
  g_autoptr (EarPodcastFacts) read = ear_podcast_facts_new ();
  g_autoptr (GVariant) extra = ear_facts_extra_write (FALSE, facts);
  g_autoptr (GVariant) copied = ear_facts_extra_write (FALSE, copy);

  read_extra (fixture, g_variant_get_data (extra), g_variant_get_size (extra), FALSE, read);
  g_autoptr (GVariant) again = ear_facts_extra_write (FALSE, read);
  g_assert_true (g_variant_equal (extra, again));
  g_assert_true (g_variant_equal (extra, copied));

  g_assert_cmpstr (read->medium, ==, "music");
  g_assert_cmpstr (read->license, ==, "cc-by-4.0");
  g_assert_cmpstr (read->location, ==, "Kyoto");
  g_assert_cmpstr (read->update_text, ==, "Every Monday");
  g_assert_cmpint (read->update_interval, ==, 604800);
  g_assert_cmpstr (((EarRemoteItem *) g_ptr_array_index (read->podroll, 0))->title, ==, "Another");
  g_assert_null (((EarRemoteItem *) g_ptr_array_index (read->podroll, 0))->feed_address);
  const EarLiveItem *live = g_ptr_array_index (read->live_items, 0);
  g_assert_cmpint (live->start, ==, 1000);
  g_assert_cmpint (live->end, ==, EAR_DATE_UNKNOWN);
  g_assert_cmpint (((EarTrailer *) g_ptr_array_index (read->trailers, 0))->season, ==, 2);
  g_assert_cmpstr (((EarFeedText *) g_ptr_array_index (read->texts, 0))->text, ==, "Nothing but text");
}

/* A damaged file may hold anything. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (77);
  g_autoptr (EarEpisodeFacts) facts = make_extra_facts ();
  g_autoptr (GVariant) extra = ear_facts_extra_write (TRUE, facts);
  const gint32 length = (gint32) g_variant_get_size (extra);

  for (int round = 0; round < 500; round++)
    {
      g_autofree guint8 *bytes = g_memdup2 (g_variant_get_data (extra), length);
      g_autoptr (EarEpisodeFacts) read = ear_episode_facts_new ();

      for (int i = 0; i < 8; i++)
        bytes[g_rand_int_range (random, 0, length)] = (guint8) g_rand_int (random);
      read_extra (fixture, bytes, (gsize) g_rand_int_range (random, 0, length + 1), TRUE, read);
      for (guint i = 0; i < read->persons->len; i++)
        {
          const EarPerson *person = g_ptr_array_index (read->persons, i);

          g_assert_true (person->name == NULL || g_utf8_validate (person->name, -1, NULL));
        }
    }
}

/* All facts from a feed are read back unchanged. */
static void
test_facts (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarEpisodeFacts *facts = make_episode ("a", "Title & <more>", NEWEST, "<p>Notes</p>");
  EarChapter *chapter = ear_chapter_new ();
  EarTranscriptLink *transcript = ear_transcript_link_new ();
  EarPerson *person = ear_person_new ();
  EarEnclosure *second = ear_enclosure_new ();

  facts->link = g_strdup ("https://example.org/a");
  facts->author = g_strdup ("Somebody");
  facts->image = g_strdup ("https://example.org/a.png");
  facts->subtitle = g_strdup ("One line");
  facts->season = 3;
  facts->number = g_strdup ("12.5");
  facts->type = EAR_EPISODE_BONUS;
  facts->explicit_content = EAR_EXPLICIT_NO;
  facts->chapters_address = g_strdup ("https://example.org/chapters.json");
  second->address = g_strdup ("https://example.org/a.opus");
  second->size = 5;
  g_ptr_array_add (facts->enclosures, second);
  chapter->start = 5 * G_USEC_PER_SEC;
  chapter->title = g_strdup ("Übersicht");
  chapter->hidden = TRUE;
  g_ptr_array_add (facts->chapters, chapter);
  transcript->address = g_strdup ("https://example.org/a.vtt");
  transcript->mime_type = g_strdup ("text/vtt");
  transcript->language = g_strdup ("en");
  g_ptr_array_add (facts->transcripts, transcript);
  person->name = g_strdup ("Ada");
  person->role = g_strdup ("host");
  g_ptr_array_add (facts->persons, person);

  store_one (fixture->catalogue, podcast, facts);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "a");
  EarEpisodeFacts *read = ear_episode_get_facts (episode);

  g_assert_cmpstr (read->guid, ==, "a");
  g_assert_cmpstr (read->title, ==, "Title & <more>");
  g_assert_cmpstr (read->link, ==, "https://example.org/a");
  g_assert_cmpstr (read->author, ==, "Somebody");
  g_assert_cmpstr (read->image, ==, "https://example.org/a.png");
  g_assert_cmpstr (read->subtitle, ==, "One line");
  g_assert_cmpint (read->published, ==, NEWEST);
  g_assert_cmpint (ear_episode_get_duration (episode), ==, 20 * 60 * G_USEC_PER_SEC);
  g_assert_cmpint (read->season, ==, 3);
  g_assert_cmpstr (read->number, ==, "12.5");
  g_assert_cmpint (read->type, ==, EAR_EPISODE_BONUS);
  g_assert_cmpint (read->explicit_content, ==, EAR_EXPLICIT_NO);
  g_assert_cmpstr (read->chapters_address, ==, "https://example.org/chapters.json");
  g_assert_null (read->notes);
  g_assert_cmpuint (read->enclosures->len, ==, 2);
  g_assert_cmpstr (ear_episode_get_enclosure (episode)->address, ==, "https://example.org/audio/a.mp3");
  g_assert_cmpstr (((EarEnclosure *) g_ptr_array_index (read->enclosures, 1))->address, ==, "https://example.org/a.opus");
  g_assert_null (((EarEnclosure *) g_ptr_array_index (read->enclosures, 1))->mime_type);
  g_assert_cmpint (((EarChapter *) g_ptr_array_index (read->chapters, 0))->start, ==, 5 * G_USEC_PER_SEC);
  g_assert_cmpstr (((EarChapter *) g_ptr_array_index (read->chapters, 0))->title, ==, "Übersicht");
  g_assert_true (((EarChapter *) g_ptr_array_index (read->chapters, 0))->hidden);
  g_assert_cmpstr (((EarTranscriptLink *) g_ptr_array_index (read->transcripts, 0))->language, ==, "en");
  g_assert_cmpstr (((EarPerson *) g_ptr_array_index (read->persons, 0))->role, ==, "host");
  g_autofree char *notes = load_notes (fixture->catalogue, episode);
  g_assert_cmpstr (notes, ==, "<p>Notes</p>");
}

static void
test_podcast_facts (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();
  EarFeedCheck check = { .feed_address = (char *) "https://example.org/moved", .etag = (char *) "\"1\"", .checked = 77 };
  EarFunding *funding = ear_funding_new ();

  facts->title = g_strdup ("The Show");
  facts->description = g_strdup ("<p>About</p>");
  facts->author = g_strdup ("Ada");
  facts->language = g_strdup ("en");
  facts->explicit_content = EAR_EXPLICIT_YES;
  facts->complete = TRUE;
  g_ptr_array_add (facts->categories, g_strdup ("Technology"));
  funding->address = g_strdup ("https://example.org/give");
  g_ptr_array_add (facts->funding, funding);
  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (podcast), facts, &check);
  /* The parser may change its facts after storing them. */
  g_set_str (&facts->title, "Something else");
  flush (fixture->catalogue);
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "The Show");
  g_assert_cmpint (ear_podcast_get_checked (podcast), ==, 77);

  fixture_reopen (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, "https://example.org/moved");
  g_assert_nonnull (podcast);
  g_assert_cmpstr (ear_podcast_get_address (podcast), ==, "https://example.org/one");
  g_assert_cmpstr (ear_podcast_get_facts (podcast)->description, ==, "<p>About</p>");
  g_assert_cmpint (ear_podcast_get_facts (podcast)->explicit_content, ==, EAR_EXPLICIT_YES);
  g_assert_true (ear_podcast_get_facts (podcast)->complete);
  g_assert_cmpstr (g_ptr_array_index (ear_podcast_get_facts (podcast)->categories, 0), ==, "Technology");
  g_assert_cmpuint (ear_podcast_get_facts (podcast)->funding->len, ==, 1);
  g_autoptr (EarFeedCheck) read = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_cmpstr (read->etag, ==, "\"1\"");
  g_assert_null (read->last_modified);
  g_assert_cmpint (read->checked, ==, 77);
}

static void
store_based (Fixture *fixture, EarPodcast *podcast, const char *notes, const char *base, const char *link)
{
  EarEpisodeFacts *facts = make_episode ("e", "Title", NEWEST, notes);

  facts->link = g_strdup (link);
  facts->notes_base = g_strdup (base);
  store_one (fixture->catalogue, podcast, facts);
  finish_answer (fixture->catalogue, podcast, "One", NULL, FALSE);
  flush (fixture->catalogue);
}

static void
assert_base (Fixture *fixture, EarPodcast *podcast, const char *expected, gint64 n_stored)
{
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "e");
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *base = NULL;

  ear_catalogue_read_async (fixture->catalogue, ear_read_notes (episode), NULL, keep_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_free (ear_catalogue_load_notes_finish (fixture->catalogue, result, &base, NULL));
  g_assert_cmpstr (base, ==, expected);
  assert_number (fixture, "SELECT count (base) FROM notes", n_stored);
}

/* The base of links in notes: the episode's own page, which is stored once, or another
 * URL */
static void
test_base (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  store_based (fixture, podcast, "Notes", "https://example.org/1", "https://example.org/1");
  assert_base (fixture, podcast, "https://example.org/1", 0);
  store_based (fixture, podcast, "Notes", "https://example.org/2", "https://example.org/2");
  assert_base (fixture, podcast, "https://example.org/2", 0);
  /* The notes are unchanged, with another episode's URL. */
  store_based (fixture, podcast, "Notes", "https://example.org/2", "https://example.org/3");
  assert_base (fixture, podcast, "https://example.org/2", 1);
  store_based (fixture, podcast, "Edited", "https://example.org/3", "https://example.org/3");
  assert_base (fixture, podcast, "https://example.org/3", 0);
  store_based (fixture, podcast, "Edited", "https://example.org/", NULL);
  assert_base (fixture, podcast, "https://example.org/", 1);
}

int
main (int argc, char *argv[])
{
  static const FixtureTest tests[] = {
    { "/catalogue/facts", test_facts },
    { "/catalogue/podcast-facts", test_podcast_facts },
    { "/catalogue/base", test_base },
    { "/facts-extra/episode", test_episode },
    { "/facts-extra/podcast", test_podcast },
    { "/facts-extra/damaged", test_damaged },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
