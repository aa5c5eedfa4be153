/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include "ear-columns.h"

/* Facts of feeds, to their stored form and back */

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

/* Facts with a value in every column, and with members of all kinds beside them */
static EarEpisodeFacts *
make_full_episode (void)
{
  EarEpisodeFacts *facts = make_episode ("a", "Title & <more>", NEWEST, "<p>Notes</p>");
  EarEnclosure *second = ear_enclosure_new ();
  EarChapter *chapter = ear_chapter_new ();
  EarTranscriptLink *transcript = ear_transcript_link_new ();

  facts->link = g_strdup ("https://example.org/a");
  facts->author = g_strdup ("Somebody");
  facts->image = g_strdup ("https://example.org/a.png");
  facts->season = 3;
  facts->number = g_strdup ("12.5");
  facts->type = EAR_EPISODE_BONUS;
  facts->explicit_content = EAR_EXPLICIT_NO;
  facts->season_name = g_strdup ("Spring");
  facts->chapters_address = g_strdup ("https://example.org/c.json");
  second->address = g_strdup ("https://example.org/2.ogg");
  second->size = 7;
  g_ptr_array_add (facts->enclosures, second);
  chapter->start = 5 * G_USEC_PER_SEC;
  chapter->title = g_strdup ("Übersicht");
  chapter->hidden = TRUE;
  g_ptr_array_add (facts->chapters, chapter);
  transcript->address = g_strdup ("https://example.org/a.vtt");
  transcript->mime_type = g_strdup ("text/vtt");
  transcript->language = g_strdup ("en");
  g_ptr_array_add (facts->transcripts, transcript);
  g_ptr_array_add (facts->persons, make_person ("Ada"));
  g_ptr_array_add (facts->persons, make_person ("\xff"));
  g_ptr_array_add (facts->funding, make_funding ("https://example.org/give"));

  return facts;
}

/* Compares the stored form of facts without a column with the text of a GVariant. */
static void
assert_extra (gboolean is_episode, gconstpointer facts, const char *stored)
{
  g_autoptr (GVariant) extra = ear_facts_extra_write (is_episode, facts);
  g_autoptr (GVariant) expected = g_variant_parse (G_VARIANT_TYPE_VARDICT, stored, NULL, NULL, NULL);

  g_assert_cmpvariant (extra, expected);
}

/* All facts of an episode are read back unchanged. */
static void
test_episode (Fixture *fixture, gconstpointer data)
{
  static const char stored[] =
    "{'enclosures': <[('https://example.org/2.ogg', '', int64 7)]>,"
    " 'chapters': <[(int64 5000000, 'Übersicht', '', '', true)]>,"
    " 'transcripts': <[('https://example.org/a.vtt', 'text/vtt', 'en')]>,"
    " 'persons': <[('Ada', 'host', 'https://example.org/p.png', ''), ('\357\277\275', 'host', 'https://example.org/p.png', '')]>,"
    " 'funding': <[('https://example.org/give', '')]>,"
    " 'chapters-address': <'https://example.org/c.json'>,"
    " 'season-name': <'Spring'>}";
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (EarEpisodeFacts) facts = make_full_episode ();
  g_autoptr (EarEpisodeFacts) nothing = ear_episode_facts_new ();

  store_one (fixture->catalogue, podcast, ear_episode_facts_ref (facts));
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "a");
  EarEpisodeFacts *read = ear_episode_get_facts (episode);

  g_assert_cmpstr (read->guid, ==, "a");
  g_assert_cmpstr (read->title, ==, "Title & <more>");
  g_assert_cmpstr (read->link, ==, "https://example.org/a");
  g_assert_cmpstr (read->author, ==, "Somebody");
  g_assert_cmpstr (read->image, ==, "https://example.org/a.png");
  g_assert_cmpint (read->published, ==, NEWEST);
  g_assert_cmpint (ear_episode_get_duration (episode), ==, 20 * 60 * G_USEC_PER_SEC);
  g_assert_cmpint (read->season, ==, 3);
  g_assert_cmpstr (read->number, ==, "12.5");
  g_assert_cmpint (read->type, ==, EAR_EPISODE_BONUS);
  g_assert_cmpint (read->explicit_content, ==, EAR_EXPLICIT_NO);
  g_assert_null (read->notes);
  ear_test_assert_text (load_notes (fixture->catalogue, episode, NULL), "<p>Notes</p>");
  g_assert_cmpstr (ear_episode_get_enclosure (episode)->address, ==, "https://example.org/audio/a.mp3");

  /* Facts without a column */
  assert_extra (TRUE, facts, stored);
  assert_extra (TRUE, read, stored);
  g_assert_cmpuint (read->enclosures->len, ==, 2);
  g_assert_null (((EarEnclosure *) g_ptr_array_index (read->enclosures, 1))->mime_type);

  /* One enclosure has columns, and there are no other facts: nothing is stored. */
  g_ptr_array_add (nothing->enclosures, ear_enclosure_new ());
  g_assert_null (ear_facts_extra_write (TRUE, nothing));
}

static EarPodcastFacts *
make_full_podcast (void)
{
  EarPodcastFacts *facts = ear_podcast_facts_new ();
  EarRemoteItem *item = ear_remote_item_new ();

  facts->title = g_strdup ("The Show");
  facts->description = g_strdup ("<p>About</p>");
  facts->author = g_strdup ("Ada");
  facts->language = g_strdup ("en");
  facts->explicit_content = EAR_EXPLICIT_YES;
  facts->complete = TRUE;
  facts->license = g_strdup ("cc-by-4.0");
  facts->location = g_strdup ("Kyoto");
  facts->update_text = g_strdup ("Every Monday");
  g_ptr_array_add (facts->categories, g_strdup ("Arts"));
  g_ptr_array_add (facts->keywords, g_strdup ("one"));
  g_ptr_array_add (facts->persons, make_person ("Ada"));
  g_ptr_array_add (facts->funding, make_funding ("https://example.org/give"));
  item->feed_guid = g_strdup ("c0ffee");
  item->title = g_strdup ("Another");
  g_ptr_array_add (facts->podroll, item);

  return facts;
}

/* All facts of a podcast are known at the next start, with those of its check. */
static void
test_podcast (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  static const char stored[] =
    "{'categories': <['Arts']>, 'keywords': <['one']>,"
    " 'persons': <[('Ada', 'host', 'https://example.org/p.png', '')]>,"
    " 'funding': <[('https://example.org/give', '')]>,"
    " 'podroll': <[('c0ffee', '', '', '', 'Another')]>,"
    " 'license': <'cc-by-4.0'>, 'location': <'Kyoto'>, 'update-text': <'Every Monday'>}";
  g_autoptr (EarPodcastFacts) facts = make_full_podcast ();
  EarFeedCheck check = { .feed_address = (char *) "https://example.org/moved", .etag = (char *) "\"1\"", .checked = 77 };

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
  const EarPodcastFacts *read = ear_podcast_get_facts (podcast);
  g_assert_cmpstr (read->description, ==, "<p>About</p>");
  g_assert_cmpint (read->explicit_content, ==, EAR_EXPLICIT_YES);
  g_assert_true (read->complete);
  assert_extra (FALSE, read, stored);
  g_assert_null (((EarRemoteItem *) g_ptr_array_index (read->podroll, 0))->feed_address);

  g_autoptr (EarFeedCheck) known = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_cmpstr (known->etag, ==, "\"1\"");
  g_assert_null (known->last_modified);
  g_assert_cmpint (known->checked, ==, 77);
}

/* A damaged file may hold anything. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDatabase) database = ear_database_open (fixture->path, EAR_DATABASE_READ_ONLY, NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (77);
  g_autoptr (EarEpisodeFacts) facts = make_full_episode ();
  g_autoptr (GVariant) extra = ear_facts_extra_write (TRUE, facts);
  const gint32 length = (gint32) g_variant_get_size (extra);

  for (int round = 0; round < 500; round++)
    {
      g_autofree guint8 *bytes = g_memdup2 (g_variant_get_data (extra), length);
      g_autoptr (EarEpisodeFacts) read = ear_episode_facts_new ();
      g_autoptr (EarStatement) statement = ear_database_prepare (database, "SELECT ?");

      for (int i = 0; i < 8; i++)
        bytes[g_rand_int_range (random, 0, length)] = (guint8) g_rand_int (random);
      sqlite3_bind_blob64 (statement, 1, bytes, (sqlite3_uint64) g_rand_int_range (random, 0, length + 1), SQLITE_TRANSIENT);
      g_assert_true (ear_database_step (database, statement));
      ear_facts_extra_read (statement, 0, TRUE, read);
      for (guint i = 0; i < read->persons->len; i++)
        {
          const EarPerson *person = g_ptr_array_index (read->persons, i);

          g_assert_true (person->name == NULL || g_utf8_validate (person->name, -1, NULL));
        }
    }
}

/* The base of links in notes: the page of the episode, which is stored once, or another */
static void
test_base (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *notes, *base, *page, *expected;
    gint64 n_stored;
  } responses[] = {
    { "Notes", "https://example.org/1", "https://example.org/1", "https://example.org/1", 0 },
    { "Notes", "https://example.org/2", "https://example.org/2", "https://example.org/2", 0 },
    /* The notes are unchanged, with another episode's URL. */
    { "Notes", "https://example.org/2", "https://example.org/3", "https://example.org/2", 1 },
    { "Edited", "https://example.org/3", "https://example.org/3", "https://example.org/3", 0 },
    { "Edited", "https://example.org/", NULL, "https://example.org/", 1 },
  };
  EarPodcast *podcast = follow (fixture, "one");

  for (gsize i = 0; i < G_N_ELEMENTS (responses); i++)
    {
      EarEpisodeFacts *facts = make_episode ("e", "Title", NEWEST, responses[i].notes);
      g_autofree char *base = NULL;

      g_test_message ("%s of %s", responses[i].base, responses[i].page);
      facts->link = g_strdup (responses[i].page);
      facts->notes_base = g_strdup (responses[i].base);
      store_one (fixture->catalogue, podcast, facts);
      finish_answer (fixture->catalogue, podcast, "One", NULL, FALSE);
      g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "e");
      g_free (load_notes (fixture->catalogue, episode, &base));
      g_assert_cmpstr (base, ==, responses[i].expected);
      assert_number (fixture, "SELECT count (base) FROM notes", responses[i].n_stored);
    }
}

int
main (int argc, char *argv[])
{
  static const FixtureTest tests[] = {
    { "/catalogue-facts/episode", test_episode },
    { "/catalogue-facts/podcast", test_podcast },
    { "/catalogue-facts/damaged", test_damaged },
    { "/catalogue-facts/base", test_base },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
