/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"
#include "ear-test-wait.h"

#include "ear-catalogue-private.h"

#include <glib/gstdio.h>

static void
test_new (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarCatalogue) closed = g_object_new (EAR_TYPE_CATALOGUE, NULL);

  g_assert_cmpuint (g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue)), ==, 0);
  g_assert_null (ear_catalogue_dup_episode (fixture->catalogue, 1));
  g_assert_cmpint (read_number (fixture->path, "PRAGMA application_id"), ==, 0x4541524d);
  g_assert_cmpint (read_number (fixture->path, "PRAGMA user_version"), ==, 17);
  g_autofree char *mode = read_text (fixture->path, "PRAGMA journal_mode");
  g_assert_cmpstr (mode, ==, "wal");

  /* A catalogue that was never opened accepts all calls and does nothing. */
  g_assert_null (ear_catalogue_dup_episode (closed, 1));
  ear_catalogue_begin_response (closed, 1);
  flush (closed);
  g_assert_finalize_object (g_steal_pointer (&closed));
}

static void
test_follow (Fixture *fixture, gconstpointer data)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (fixture->catalogue);
  EarPodcast *zebra = follow (fixture, "Zebra");
  EarPodcast *apple = follow (fixture, "apple");
  g_autoptr (EarPodcast) first = g_list_model_get_item (podcasts, 0);
  gint64 id = ear_podcast_get_id (zebra);

  g_assert_true (first == apple);
  g_assert_true (follow (fixture, "Zebra") == zebra);
  g_assert_cmpuint (g_list_model_get_n_items (podcasts), ==, 2);
  g_assert_true (ear_catalogue_get_podcast (fixture->catalogue, id) == zebra);
  g_assert_true (ear_catalogue_find_podcast (fixture->catalogue, "https://example.org/apple") == apple);
  g_assert_null (ear_catalogue_find_podcast (fixture->catalogue, "https://example.org/pear"));

  fixture_close (fixture);
  fixture_open (fixture);
  zebra = ear_catalogue_get_podcast (fixture->catalogue, id);
  g_assert_cmpstr (ear_podcast_get_title (zebra), ==, "Zebra");
  g_assert_cmpstr (ear_podcast_get_address (zebra), ==, "https://example.org/Zebra");
  g_assert_cmpint (ear_podcast_get_id (follow (fixture, "pear")), >, id);
}

static EarPodcast *
find (Fixture *fixture, const char *address)
{
  return ear_catalogue_find_podcast (fixture->catalogue, address);
}

/* A podcast is found by any spelling of its current or earlier address; an exact match
 * takes precedence. */
static void
test_addresses (Fixture *fixture, gconstpointer data)
{
  const EarFeedCheck move = { .feed_address = (char *) "https://cdn.example/one" };
  const EarFeedCheck move_on = { .feed_address = (char *) "https://cdn.example/two" };
  EarPodcast *podcast = ear_catalogue_follow (fixture->catalogue, "https://example.org/feed", "One");
  const gint64 id = ear_podcast_get_id (podcast);
  EarPodcast *other;

  g_assert_true (find (fixture, "https://example.org/feed") == podcast);
  g_assert_true (find (fixture, "http://www.example.org//feed/") == podcast);
  g_assert_true (ear_catalogue_follow (fixture->catalogue, "http://example.org/feed", NULL) == podcast);
  g_assert_true (ear_catalogue_preview (fixture->catalogue, "http://example.org/feed/", NULL) == podcast);
  g_assert_null (find (fixture, "https://example.org/feed?token=1"));
  g_assert_null (find (fixture, "https://me:secret@example.org/feed"));
  g_assert_null (ear_catalogue_find_known (fixture->catalogue, "http://example.org/feed"));

  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (podcast), NULL, &move);
  g_assert_true (find (fixture, "http://cdn.example/one/") == podcast);
  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (podcast), NULL, &move_on);
  g_assert_true (find (fixture, "https://cdn.example/two") == podcast);
  g_assert_null (find (fixture, "https://cdn.example/one"));
  other = ear_catalogue_follow (fixture->catalogue, "https://cdn.example/one", "Other");
  g_assert_true (other != podcast);
  g_assert_true (find (fixture, "http://cdn.example/one") == other);

  /* An unfollowed podcast is only found by its exact address, until it is purged. */
  ear_catalogue_set_purge_delay (fixture->catalogue, 1);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_assert_null (find (fixture, "http://example.org/feed"));
  g_assert_true (ear_catalogue_follow (fixture->catalogue, "https://example.org/feed", NULL) == podcast);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  while (ear_catalogue_lookup_podcast (fixture->catalogue, id) != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (find (fixture, "https://example.org/feed"));
  g_assert_null (find (fixture, "https://cdn.example/two"));
  g_assert_true (find (fixture, "https://cdn.example/one") == other);
}

/* As many podcasts as long lists have are followed and found. */
static void
test_thousands (Fixture *fixture, gconstpointer data)
{
  const guint n = 2000;
  const gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *address = g_strdup_printf ("https://example.org/%u", i);

      g_assert_null (find (fixture, address));
      ear_catalogue_follow (fixture->catalogue, address, NULL);
    }
  g_assert_cmpuint (g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue)), ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *address = g_strdup_printf ("http://www.example.org/%u/", i);

      g_assert_nonnull (find (fixture, address));
    }
  g_test_message ("%u podcasts were followed and found in %" G_GINT64_FORMAT " ms", n, (g_get_monotonic_time () - start) / 1000);
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
  g_autoptr (EarEpisode) episode = NULL;
  EarEpisodeFacts *read;

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
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "a");
  read = ear_episode_get_facts (episode);

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
  g_autoptr (EarFeedCheck) read = NULL;
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

  fixture_close (fixture);
  fixture_open (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, "https://example.org/moved");
  g_assert_nonnull (podcast);
  g_assert_cmpstr (ear_podcast_get_address (podcast), ==, "https://example.org/one");
  g_assert_cmpstr (ear_podcast_get_facts (podcast)->description, ==, "<p>About</p>");
  g_assert_cmpint (ear_podcast_get_facts (podcast)->explicit_content, ==, EAR_EXPLICIT_YES);
  g_assert_true (ear_podcast_get_facts (podcast)->complete);
  g_assert_cmpstr (g_ptr_array_index (ear_podcast_get_facts (podcast)->categories, 0), ==, "Technology");
  g_assert_cmpuint (ear_podcast_get_facts (podcast)->funding->len, ==, 1);
  read = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_cmpstr (read->etag, ==, "\"1\"");
  g_assert_null (read->last_modified);
  g_assert_cmpint (read->checked, ==, 77);
}

static void
test_insert (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "inserted 1: 3; ");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 3);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "e-3 e-2 e-1");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL, "e-1 e-2 e-3");

  /* Without a function for links, nothing is scanned. */
  ear_catalogue_scan (fixture->catalogue);
  flush (fixture->catalogue);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (links) FROM episode"), ==, 0);
}

/* A refresh without changes writes nothing and emits no signal. */
static void
test_unchanged (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 50, NEWEST);
  g_autoptr (GPtrArray) again = make_episodes ("e", 50, NEWEST);
  g_autofree char *log_path = g_strconcat (fixture->path, "-wal", NULL);
  const gint64 start = g_get_monotonic_time ();
  GStatBuf before, after;

  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  fixture_forget (fixture);
  g_assert_cmpint (g_stat (log_path, &before), ==, 0);

  store (fixture->catalogue, podcast, again);
  flush (fixture->catalogue);
  g_assert_cmpint (g_stat (log_path, &after), ==, 0);
  g_assert_cmpstr (fixture->log->str, ==, "");
  /* The file is optimized two seconds after the last write, unless this thread was
   * delayed for longer. */
  if (g_get_monotonic_time () - start < G_USEC_PER_SEC)
    {
      g_assert_cmpint (before.st_size, ==, after.st_size);
      g_assert_cmpint (before.st_mtim.tv_nsec, ==, after.st_mtim.tv_nsec);
      g_assert_cmpint (before.st_mtim.tv_sec, ==, after.st_mtim.tv_sec);
    }

  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "");
}

/* 304 responses cause no signal; the time is known at once. */
static void
test_not_modified (Fixture *fixture, gconstpointer data)
{
  enum { N = 20 };
  EarPodcast *podcasts[N];

  for (guint i = 0; i < N; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      podcasts[i] = follow (fixture, name);
      finish_answer (fixture->catalogue, podcasts[i], name, "\"tag\"", TRUE);
    }
  flush (fixture->catalogue);

  for (guint i = 0; i < N; i++)
    {
      EarFeedCheck check = { .checked = 1800000000 };

      ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (podcasts[i]), NULL, &check);
    }
  g_assert_cmpint (ear_podcast_get_checked (podcasts[N - 1]), ==, 1800000000);
  flush (fixture->catalogue);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM podcast_check WHERE checked = 1800000000"), ==, N);
  g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (fixture->catalogue, podcasts[3]);
  g_assert_cmpstr (check->etag, ==, "\"tag\"");
  g_assert_cmpint (check->checked, ==, 1800000000);
  g_assert_cmpstr (fixture->log->str, ==, "");
}

/* A 304 response and a move are stored together, in either order: the ETag of one server
 * is not sent to the other. */
static void
test_not_modified_and_moved (Fixture *fixture, gconstpointer data)
{
  const EarFeedCheck same = { .checked = 1800000000 };
  const EarFeedCheck moved = { .feed_address = (char *) "https://elsewhere.example/feed" };
  EarPodcast *one = follow (fixture, "one");
  EarPodcast *two = follow (fixture, "two");

  finish_answer (fixture->catalogue, one, "One", "\"tag\"", TRUE);
  finish_answer (fixture->catalogue, two, "Two", "\"tag\"", TRUE);
  flush (fixture->catalogue);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM podcast_check WHERE etag IS NULL"), ==, 0);
  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (one), NULL, &same);
  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (two), NULL, &moved);
  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (one), NULL, &moved);
  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (two), NULL, &same);
  /* Gives the writer time to take and postpone them. */
  g_usleep (100000);
  flush (fixture->catalogue);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM podcast_check WHERE etag IS NULL AND checked = 1800000000"
                                               " AND feed_address = 'https://elsewhere.example/feed'"), ==, 2);
}

static void
notify_cb (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  g_string_append_printf (user_data, "%s ", pspec->name);
}

/* An edit keeps the row, the listener's marks, and the live object. */
static void
test_edit (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (GString) notified = g_string_new (NULL);
  EarEpisodeState state = { .position = 5, .position_updated = 100 };

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "e-2");
  ear_catalogue_set_state (fixture->catalogue, episode, &state);
  finish_answer (fixture->catalogue, podcast, "One", NULL, FALSE);
  flush (fixture->catalogue);
  fixture_forget (fixture);

  g_signal_connect (episode, "notify", G_CALLBACK (notify_cb), notified);
  store_one (fixture->catalogue, podcast, make_episode ("e-2", "New title", NEWEST - DAY, "<p>Zebras</p>"));
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "changed 1: 1; ");
  g_assert_cmpint (g_array_index (fixture->changed, gint64, 0), ==, ear_episode_get_id (episode));
  g_assert_nonnull (strstr (notified->str, "name title "));
  g_assert_cmpstr (ear_episode_get_title (episode), ==, "New title");
  g_assert_cmpint (ear_episode_get_position (episode), ==, 5);
  g_autofree char *notes = load_notes (fixture->catalogue, episode);
  g_assert_cmpstr (notes, ==, "<p>Zebras</p>");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "zebras", "e-2");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "e-3 e-1");
  assert_query (fixture, podcast, EAR_FILTER_IN_PROGRESS, EAR_SORT_NEWEST, NULL, "e-2");
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
base_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_free (ear_catalogue_load_notes_finish (EAR_CATALOGUE (source), result, user_data, NULL));
}

static void
assert_base (Fixture *fixture, EarPodcast *podcast, const char *expected, gint64 n_stored)
{
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "e");
  g_autofree char *base = NULL;

  ear_catalogue_read_async (fixture->catalogue, ear_read_notes (episode), NULL, base_loaded_cb, &base);
  EAR_TEST_WAIT_UNTIL (base != NULL);
  g_assert_cmpstr (base, ==, expected);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (base) FROM notes"), ==, n_stored);
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

static void
test_date_edit (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);

  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", NULL, FALSE);
  store_one (fixture->catalogue, podcast, make_episode ("e-1", "Episode 1 of e", NEWEST + DAY, "<p>Words of the <b>notes</b></p>"));
  flush (fixture->catalogue);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "e-1 e-3 e-2");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "e-1 e-3 e-2");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, "words", "e-2 e-3 e-1");
}

/* A shrinking feed removes no episodes. */
static void
test_shrink (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 5, NEWEST);
  g_autoptr (GPtrArray) fewer = make_episodes ("e", 5, NEWEST);
  g_autoptr (GPtrArray) back = make_episodes ("e", 5, NEWEST);

  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  g_ptr_array_set_size (fewer, 2);
  store (fixture->catalogue, podcast, fewer);
  finish_answer (fixture->catalogue, podcast, "One", NULL, FALSE);
  flush (fixture->catalogue);

  store (fixture->catalogue, podcast, fewer);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "e-5 e-4 e-3 e-2 e-1");
  g_assert_cmpuint (fixture->inserted->len, ==, 5);

  store (fixture->catalogue, podcast, back);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_assert_cmpuint (fixture->inserted->len, ==, 5);
}

/* All holders of an episode share one object, which is freed with the last of them. */
static void
test_identity_map (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarEpisode *episode;
  EarEpisode *again;
  gint64 id;

  store_one (fixture->catalogue, podcast, make_episode ("a", "A", NEWEST, NULL));
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "a");
  id = ear_episode_get_id (episode);
  again = ear_catalogue_dup_episode (fixture->catalogue, id);
  g_assert_true (episode == again);
  g_assert_true (ear_episode_get_podcast (episode) == podcast);
  g_assert_true (ear_catalogue_lookup_live (fixture->catalogue, id) == episode);
  g_object_unref (again);
  g_assert_finalize_object (episode);
  g_assert_null (ear_catalogue_lookup_live (fixture->catalogue, id));

  /* An episode may outlive the catalogue. */
  episode = ear_catalogue_dup_episode (fixture->catalogue, id);
  fixture_close (fixture);
  g_assert_finalize_object (episode);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue/new", test_new },
    { "/catalogue/follow", test_follow },
    { "/catalogue/facts", test_facts },
    { "/catalogue/podcast-facts", test_podcast_facts },
    { "/catalogue/insert", test_insert },
    { "/catalogue/unchanged", test_unchanged },
    { "/catalogue/not-modified", test_not_modified },
    { "/catalogue/not-modified/moved", test_not_modified_and_moved },
    { "/catalogue/edit", test_edit },
    { "/catalogue/base", test_base },
    { "/catalogue/date-edit", test_date_edit },
    { "/catalogue/shrink", test_shrink },
    { "/catalogue/addresses", test_addresses },
    { "/catalogue/thousands", test_thousands },
    { "/catalogue/identity-map", test_identity_map },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
