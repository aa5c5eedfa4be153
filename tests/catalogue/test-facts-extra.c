/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-columns.h"

#include <glib/gstdio.h>

/* Facts without a column, to their stored form and back */

typedef struct
{
  char *folder;
  char *path;
  EarDatabase *database;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-extra-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->folder, "extra.db", NULL);
  fixture->database = ear_database_open (fixture->path, EAR_DATABASE_READ_WRITE, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  ear_database_close (fixture->database);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_remove (path);
    }
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

/* A statement at a row whose only column holds the bytes */
static EarStatement *
select_bytes (Fixture *fixture, const void *bytes, gsize length)
{
  EarStatement *statement = ear_database_prepare (fixture->database, "SELECT ?");

  if (bytes != NULL)
    sqlite3_bind_blob64 (statement, 1, bytes, length, SQLITE_TRANSIENT);
  g_assert_true (ear_database_step (fixture->database, statement));

  return statement;
}

static EarEpisodeFacts *
read_episode (Fixture *fixture, GVariant *extra)
{
  g_autoptr (EarStatement) statement = select_bytes (fixture, g_variant_get_data (extra), g_variant_get_size (extra));
  EarEpisodeFacts *facts = ear_episode_facts_new ();

  g_ptr_array_add (facts->enclosures, ear_enclosure_new ());
  ear_facts_extra_read (statement, 0, TRUE, facts);

  return facts;
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
make_episode (void)
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
  g_autoptr (EarEpisodeFacts) facts = make_episode ();
  g_autoptr (EarEpisodeFacts) nothing = ear_episode_facts_new ();
  g_autoptr (GVariant) extra = ear_facts_extra_write (TRUE, facts);
  g_autoptr (EarEpisodeFacts) read = read_episode (fixture, extra);
  g_autoptr (GVariant) again = ear_facts_extra_write (TRUE, read);
  EarAlternate *alternate;
  EarSoundbite *soundbite;

  g_assert_true (g_variant_equal (extra, again));
  g_assert_cmpstr (read->season_name, ==, "Spring");
  g_assert_cmpstr (read->podlove_address, ==, "https://example.org/c.psc");
  g_assert_cmpstr (read->comments_address, ==, "https://example.org/talk");
  g_assert_cmpuint (read->enclosures->len, ==, 2);
  g_assert_cmpint (((EarEnclosure *) g_ptr_array_index (read->enclosures, 1))->size, ==, 7);
  alternate = g_ptr_array_index (read->alternates, 0);
  g_assert_cmpstr (alternate->language, ==, "de");
  g_assert_null (alternate->title);
  g_assert_cmpint (alternate->bitrate, ==, 64000);
  g_assert_cmpint (alternate->height, ==, 720);
  g_assert_true (alternate->is_default);
  g_assert_cmpint (alternate->group, ==, 3);
  soundbite = g_ptr_array_index (read->soundbites, 0);
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
  g_autoptr (EarStatement) statement = select_bytes (fixture, g_variant_get_data (extra), g_variant_get_size (extra));
  g_autoptr (GVariant) again = NULL;
  g_autoptr (GVariant) copied = NULL;
  EarLiveItem *live;

  ear_facts_extra_read (statement, 0, FALSE, read);
  again = ear_facts_extra_write (FALSE, read);
  g_assert_true (g_variant_equal (extra, again));
  copied = ear_facts_extra_write (FALSE, copy);
  g_assert_true (g_variant_equal (extra, copied));

  g_assert_cmpstr (read->medium, ==, "music");
  g_assert_cmpstr (read->license, ==, "cc-by-4.0");
  g_assert_cmpstr (read->location, ==, "Kyoto");
  g_assert_cmpstr (read->update_text, ==, "Every Monday");
  g_assert_cmpint (read->update_interval, ==, 604800);
  g_assert_cmpstr (((EarRemoteItem *) g_ptr_array_index (read->podroll, 0))->title, ==, "Another");
  g_assert_null (((EarRemoteItem *) g_ptr_array_index (read->podroll, 0))->feed_address);
  live = g_ptr_array_index (read->live_items, 0);
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
  g_autoptr (EarEpisodeFacts) facts = make_episode ();
  g_autoptr (GVariant) extra = ear_facts_extra_write (TRUE, facts);
  gsize length = g_variant_get_size (extra);

  for (int round = 0; round < 500; round++)
    {
      g_autofree guint8 *bytes = g_memdup2 (g_variant_get_data (extra), length);
      g_autoptr (EarStatement) statement = NULL;
      g_autoptr (EarEpisodeFacts) read = ear_episode_facts_new ();

      for (int i = 0; i < 8; i++)
        bytes[g_rand_int_range (random, 0, (gint32) length)] = (guint8) g_rand_int (random);
      statement = select_bytes (fixture, bytes, (gsize) g_rand_int_range (random, 0, (gint32) length + 1));
      ear_facts_extra_read (statement, 0, TRUE, read);
      for (guint i = 0; i < read->persons->len; i++)
        {
          const EarPerson *person = g_ptr_array_index (read->persons, i);

          g_assert_true (person->name == NULL || g_utf8_validate (person->name, -1, NULL));
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/facts-extra/episode", Fixture, NULL, set_up, test_episode, tear_down);
  g_test_add ("/facts-extra/podcast", Fixture, NULL, set_up, test_podcast, tear_down);
  g_test_add ("/facts-extra/damaged", Fixture, NULL, set_up, test_damaged, tear_down);

  return g_test_run ();
}
