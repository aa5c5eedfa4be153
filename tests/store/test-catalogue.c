/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-catalogue-private.h"
#include "ear-episode-sql.h"
#include "ear-test-wait.h"

#include <glib/gstdio.h>
#include <string.h>

static void
test_new (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarCatalogue) closed = g_object_new (EAR_TYPE_CATALOGUE, NULL);

  g_assert_cmpuint (g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue)), ==, 0);
  g_assert_null (ear_catalogue_dup_episode (fixture->catalogue, 1));
  g_assert_cmpint (read_number (fixture->path, "PRAGMA application_id"), ==, 0x4541524d);
  g_assert_cmpint (read_number (fixture->path, "PRAGMA user_version"), ==, 4);
  g_autofree char *mode = read_text (fixture->path, "PRAGMA journal_mode");
  g_assert_cmpstr (mode, ==, "wal");

  /* One that was never opened takes everything and does nothing. */
  g_assert_null (ear_catalogue_dup_episode (closed, 1));
  ear_catalogue_begin_answer (closed, 1);
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

/* Every fact that a feed can tell comes back as it was. */
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
  /* The parser may go on with its facts. */
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
}

/* A refresh that brings the same again writes nothing and tells nothing. */
static void
test_unchanged (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 50, NEWEST);
  g_autoptr (GPtrArray) again = make_episodes ("e", 50, NEWEST);
  g_autofree char *log_path = g_strconcat (fixture->path, "-wal", NULL);
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
  g_assert_cmpint (before.st_size, ==, after.st_size);
  g_assert_cmpint (before.st_mtim.tv_nsec, ==, after.st_mtim.tv_nsec);
  g_assert_cmpint (before.st_mtim.tv_sec, ==, after.st_mtim.tv_sec);

  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "");
}

/* Many 304s make one transaction, and no signal; the time is known at once. */
static void
test_not_modified (Fixture *fixture, gconstpointer data)
{
  enum { N = 20 };
  EarPodcast *podcasts[N];
  g_autofree char *log_path = g_strconcat (fixture->path, "-wal", NULL);
  GStatBuf before, now;

  for (guint i = 0; i < N; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      podcasts[i] = follow (fixture, name);
      finish_answer (fixture->catalogue, podcasts[i], name, "\"tag\"", TRUE);
    }
  flush (fixture->catalogue);
  g_assert_cmpint (g_stat (log_path, &before), ==, 0);

  for (guint i = 0; i < N; i++)
    {
      EarFeedCheck check = { .checked = 1800000000 };

      ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (podcasts[i]), NULL, &check);
    }
  while (ear_podcast_get_checked (podcasts[N - 1]) != 1800000000)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (g_stat (log_path, &now), ==, 0);
  g_assert_cmpint (before.st_size, ==, now.st_size);

  flush (fixture->catalogue);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM podcast_check WHERE checked = 1800000000"), ==, N);
  g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (fixture->catalogue, podcasts[3]);
  g_assert_cmpstr (check->etag, ==, "\"tag\"");
  g_assert_cmpint (check->checked, ==, 1800000000);
  g_assert_cmpstr (fixture->log->str, ==, "");
}

static void
copy_to (const char *from, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (from, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
}

static goffset
get_size (const char *path)
{
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);

  return info.st_size;
}

/* What a crash has left in the log goes to where it belongs without anything new being stored. */
static void
test_long_log (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (EarCatalogue) crashed = NULL;
  g_autofree char *log = g_strconcat (fixture->path, "-wal", NULL);
  g_autofree char *folder = g_build_filename (fixture->folder, "crashed", NULL);
  g_autofree char *path = g_build_filename (folder, "catalogue.db", NULL);
  g_autofree char *left = g_build_filename (folder, "catalogue.db-wal", NULL);

  for (guint i = 0; i < 400; i++)
    {
      g_autofree char *guid = g_strdup_printf ("e-%u", i);
      g_autofree char *text = make_text (rand, 3000);

      g_ptr_array_add (episodes, make_episode (guid, guid, NEWEST - i, text));
    }
  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  copy_to (fixture->path, folder, "catalogue.db");
  copy_to (log, folder, "catalogue.db-wal");
  g_assert_cmpint (get_size (left), >, 4 * 1024 * 1024);

  crashed = ear_catalogue_open (path, NULL);
  g_assert_nonnull (crashed);
  EAR_TEST_WAIT_UNTIL (get_size (left) == 0);
  g_assert_cmpint (read_number (path, "SELECT count (*) FROM episode"), ==, 400);
  ear_catalogue_close (crashed);
}

static void
notify_cb (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  g_string_append_printf (user_data, "%s ", pspec->name);
}

/* An edit keeps the row, what the listener did, and the live object. */
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
  g_assert_cmpstr (notified->str, ==, "name title ");
  g_assert_cmpstr (ear_episode_get_title (episode), ==, "New title");
  g_assert_cmpint (ear_episode_get_position (episode), ==, 5);
  g_autofree char *notes = load_notes (fixture->catalogue, episode);
  g_assert_cmpstr (notes, ==, "<p>Zebras</p>");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "zebras", "e-2");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "e-3 e-1");
  assert_query (fixture, podcast, EAR_FILTER_IN_PROGRESS, EAR_SORT_NEWEST, NULL, "e-2");
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

/* A feed that shrinks loses nothing; what it does not carry any more is marked, once. */
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
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode WHERE gone = 1"), ==, 0);

  store (fixture->catalogue, podcast, fewer);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode WHERE gone = 1"), ==, 3);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "e-5 e-4 e-3 e-2 e-1");
  g_assert_cmpuint (fixture->inserted->len, ==, 5);

  store (fixture->catalogue, podcast, back);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode WHERE gone = 1"), ==, 0);
  g_assert_cmpuint (fixture->inserted->len, ==, 5);
}

/* A first answer that was cut off comes again: what it had brought is the same, edited or not. */
static void
test_first_again (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);
  g_autoptr (GPtrArray) again = make_episodes ("e", 4, NEWEST + DAY);
  EarEpisodeFacts *edited = g_ptr_array_index (again, 1);

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  fixture_forget (fixture);
  g_set_str (&edited->title, "Edited");
  ear_catalogue_begin_answer (fixture->catalogue, ear_podcast_get_id (podcast));
  store (fixture->catalogue, podcast, again);
  flush (fixture->catalogue);

  g_assert_cmpuint (fixture->inserted->len, ==, 1);
  g_assert_cmpuint (fixture->changed->len, ==, 1);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 4);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode_text_docsize"), ==, 4);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "edited", "e-3");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "e-4 e-3 e-2 e-1");
}

/* Without a guid: the enclosure, else title and day, else the link; with nothing, nothing. */
static void
test_identity (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
      EarEpisodeFacts *enclosed = make_episode ("x", "Enclosed", NEWEST, NULL);
      EarEpisodeFacts *dated = ear_episode_facts_new ();
      EarEpisodeFacts *linked = ear_episode_facts_new ();

      g_clear_pointer (&enclosed->guid, g_free);
      dated->title = g_strdup ("Dated");
      dated->guid = g_strdup ("");
      dated->published = NEWEST - DAY;
      linked->link = g_strdup ("https://example.org/linked");
      linked->published = NEWEST - 2 * DAY;
      g_ptr_array_add (episodes, enclosed);
      g_ptr_array_add (episodes, dated);
      g_ptr_array_add (episodes, linked);
      g_ptr_array_add (episodes, ear_episode_facts_new ());
      store (fixture->catalogue, podcast, episodes);
      finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
    }
  flush (fixture->catalogue);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL,
                "https://example.org/audio/x.mp3 Dated 2023-11-13 https://example.org/linked");
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "https://example.org/audio/x.mp3");
  g_assert_null (ear_episode_get_facts (episode)->guid);
}

static EarEpisodeFacts *
make_twin (const char *title, const char *enclosure, gint64 published)
{
  EarEpisodeFacts *facts = make_episode ("same", title, published, NULL);
  EarEnclosure *first = g_ptr_array_index (facts->enclosures, 0);

  g_set_str (&first->address, enclosure);

  return facts;
}

/* Two items of one guid are two episodes if they play different things, again and again. */
static void
test_twins (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  for (guint round = 0; round < 3; round++)
    {
      g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);

      g_ptr_array_add (episodes, make_twin ("First", "https://example.org/1.mp3", NEWEST));
      g_ptr_array_add (episodes, make_twin ("Second", "https://example.org/2.mp3", NEWEST - 1));
      g_ptr_array_add (episodes, make_twin ("First, told twice", "https://example.org/1.mp3", NEWEST - 2));
      ear_catalogue_begin_answer (fixture->catalogue, ear_podcast_get_id (podcast));
      store (fixture->catalogue, podcast, episodes);
      /* The second answer is cut off. */
      if (round != 1)
        finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
      flush (fixture->catalogue);
    }
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "same https://example.org/2.mp3");
  g_assert_cmpuint (fixture->inserted->len, ==, 2);
}

/* Newest first, also where many are of one second or have no date. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  enum { N = 200 };
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  g_autoptr (GArray) newest = NULL;
  g_autoptr (GArray) oldest = NULL;
  gint64 dates[] = { NEWEST, EAR_DATE_UNKNOWN, NEWEST - 60, 0, -5 * 365 * DAY, G_MAXINT64, G_MININT64 + 1, NEWEST };

  for (guint i = 0; i < N; i++)
    {
      g_autofree char *guid = g_strdup_printf ("%u", i);

      g_ptr_array_add (episodes, make_episode (guid, guid, dates[i % G_N_ELEMENTS (dates)], NULL));
    }
  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  newest = run_query (fixture->catalogue, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  oldest = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL);
  g_assert_cmpuint (newest->len, ==, N);
  for (guint i = 0; i < N; i++)
    {
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode (fixture->catalogue, g_array_index (newest, gint64, i));
      g_autoptr (EarEpisode) next =
          i + 1 < N ? ear_catalogue_dup_episode (fixture->catalogue, g_array_index (newest, gint64, i + 1)) : NULL;

      g_assert_cmpint (g_array_index (oldest, gint64, N - 1 - i), ==, g_array_index (newest, gint64, i));
      if (next == NULL)
        continue;
      g_assert_cmpint (ear_episode_get_facts (episode)->published, >=, ear_episode_get_facts (next)->published);
      if (ear_episode_get_facts (episode)->published == ear_episode_get_facts (next)->published)
        g_assert_cmpint (ear_episode_get_id (episode), <, ear_episode_get_id (next));
    }
}

/* Of a feed without dates, what comes later stands above what came before. */
static void
test_undated (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);

  for (guint i = 0; i < episodes->len; i++)
    ((EarEpisodeFacts *) g_ptr_array_index (episodes, i))->published = EAR_DATE_UNKNOWN;
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  store_one (fixture->catalogue, podcast, make_episode ("new", "New", EAR_DATE_UNKNOWN, NULL));
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "new e-3 e-2 e-1");
}

static void
test_sorts (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  const char *titles[] = { "Part 10", "part 9", "Äpfel", "Zebra" };
  g_autoptr (EarEpisode) measured = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      EarEpisodeFacts *facts = make_episode (titles[i], titles[i], NEWEST - i * DAY, NULL);

      facts->duration = (i + 1) * G_USEC_PER_SEC;
      g_ptr_array_add (episodes, facts);
    }
  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL, "Zebra Äpfel part 9 Part 10");
  g_autofree char *by_title = describe_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_TITLE, NULL);
  g_assert_nonnull (strstr (by_title, "part 9 Part 10"));

  measured = get_episode (fixture->catalogue, podcast, "Part 10");
  ear_catalogue_set_duration (fixture->catalogue, measured, 60 * G_USEC_PER_SEC);
  g_assert_cmpint (ear_episode_get_duration (measured), ==, 60 * G_USEC_PER_SEC);
  flush (fixture->catalogue);
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL, "Part 10 Zebra Äpfel part 9");

  /* The feed does not know better, after a restart neither. */
  g_clear_object (&measured);
  fixture_close (fixture);
  fixture_open (fixture);
  podcast = ear_catalogue_get_podcast (fixture->catalogue, 1);
  measured = get_episode (fixture->catalogue, podcast, "Part 10");
  g_assert_cmpint (ear_episode_get_duration (measured), ==, 60 * G_USEC_PER_SEC);
}

static char *
explain_query (const char *path, const EarEpisodeQuery *query)
{
  g_autoptr (EarDatabase) database = ear_database_open (path, EAR_DATABASE_READ_ONLY, NULL);
  g_autofree char *sql = g_strconcat ("EXPLAIN QUERY PLAN ", ear_episode_sql_get (query), NULL);
  g_autoptr (GString) plan = g_string_new (NULL);
  sqlite3_stmt *statement = NULL;

  g_assert_true (ear_episode_sql_register (database, NULL));
  g_assert_cmpint (sqlite3_prepare_v2 (ear_database_get_handle (database), sql, -1, &statement, NULL), ==, SQLITE_OK);
  while (sqlite3_step (statement) == SQLITE_ROW)
    g_string_append_printf (plan, "%s\n", sqlite3_column_text (statement, 3));
  sqlite3_finalize (statement);

  return g_string_free_and_steal (g_steal_pointer (&plan));
}

/* Lists come from an index in their order: nothing is sorted, no row is read. */
static void
test_plans (Fixture *fixture, gconstpointer data)
{
  for (gint64 podcast = 0; podcast < 2; podcast++)
    for (int filter = EAR_FILTER_ALL; filter <= EAR_FILTER_HISTORY; filter++)
      for (int sort = EAR_SORT_NEWEST; sort <= EAR_SORT_OLDEST; sort++)
        for (int search = 0; search < 2; search++)
          {
            g_autoptr (EarEpisodeQuery) query =
                ear_episode_query_new (podcast, (EarEpisodeFilter) filter, (EarEpisodeSort) sort, search ? "word" : NULL);
            g_autofree char *plan = explain_query (fixture->path, query);

            /* What was heard last is not what the index of texts has its hits by. */
            if (!search || filter != EAR_FILTER_HISTORY)
              g_assert_null (strstr (plan, "TEMP B-TREE FOR ORDER BY"));
            if (!search)
              g_assert_nonnull (strstr (plan, "USING COVERING INDEX episode_"));
          }
}

static void
test_filters (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 4, NEWEST);
  g_autoptr (EarEpisode) begun = NULL;
  g_autoptr (EarEpisode) listened = NULL;
  g_autoptr (EarEpisode) liked = NULL;
  EarEpisodeState begin = { .position = 7, .position_updated = 10 };
  EarEpisodeState like = { .liked = TRUE, .liked_updated = 10 };

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  fixture_forget (fixture);
  begun = get_episode (fixture->catalogue, podcast, "e-4");
  listened = get_episode (fixture->catalogue, podcast, "e-3");
  liked = get_episode (fixture->catalogue, podcast, "e-2");
  ear_catalogue_set_state (fixture->catalogue, begun, &begin);
  set_listened (fixture->catalogue, listened, TRUE);
  ear_catalogue_set_state (fixture->catalogue, liked, &like);
  g_assert_true (ear_episode_get_listened (listened));
  flush (fixture->catalogue);

  g_assert_cmpuint (fixture->changed->len, ==, 3);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 3);
  assert_query (fixture, podcast, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, "e-4 e-2 e-1");
  assert_query (fixture, NULL, EAR_FILTER_UNPLAYED, EAR_SORT_OLDEST, NULL, "e-1 e-2 e-4");
  assert_query (fixture, NULL, EAR_FILTER_IN_PROGRESS, EAR_SORT_NEWEST, NULL, "e-4");
  assert_query (fixture, podcast, EAR_FILTER_LIKED, EAR_SORT_NEWEST, NULL, "e-2");
  assert_query (fixture, podcast, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, "episode", "e-4 e-2 e-1");

  set_listened (fixture->catalogue, listened, FALSE);
  flush (fixture->catalogue);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 4);
}

/* The same again is stored with its new stamp, and is no news. */
static void
test_state_again (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (EarEpisode) episode = NULL;
  EarEpisodeState state = { .listened = TRUE, .listened_updated = 10 };

  store_one (fixture->catalogue, podcast, make_episode ("a", "A", NEWEST, NULL));
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "a");
  ear_catalogue_set_state (fixture->catalogue, episode, &state);
  flush (fixture->catalogue);
  fixture_forget (fixture);
  state.listened_updated = 20;
  ear_catalogue_set_state (fixture->catalogue, episode, &state);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "");
  g_assert_cmpint (read_number (fixture->path, "SELECT listened_updated FROM episode"), ==, 20);
}

static void
add_state (GHashTable *states, const char *guid, EarEpisodeState state)
{
  g_hash_table_insert (states, g_strdup (guid), g_memdup2 (&state, sizeof state));
}

/* From the files: member by member what is newer, also before the feed brings the episode. */
static void
test_apply_state (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 2, NEWEST);
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (EarEpisode) episode = NULL;
  EarEpisodeState own = { .listened = TRUE, .listened_updated = 100, .position = 9, .position_updated = 100 };

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "e-1");
  ear_catalogue_set_state (fixture->catalogue, episode, &own);
  flush (fixture->catalogue);
  fixture_forget (fixture);

  add_state (states, "e-1",
             (EarEpisodeState) { .listened = FALSE, .listened_updated = 50, .position = 4, .position_updated = 200,
                                 .liked = TRUE, .liked_updated = 1 });
  add_state (states, "later", (EarEpisodeState) { .listened = TRUE, .listened_updated = 5, .liked = TRUE });
  add_state (states, "never", (EarEpisodeState) { 0 });
  ear_catalogue_apply_state (fixture->catalogue, ear_podcast_get_id (podcast), states);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "changed 1: 1; ");
  g_assert_true (ear_episode_get_listened (episode));
  g_assert_true (ear_episode_get_liked (episode));
  g_assert_cmpint (ear_episode_get_position (episode), ==, 4);

  fixture_forget (fixture);
  ear_catalogue_apply_state (fixture->catalogue, ear_podcast_get_id (podcast), states);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "");

  /* What waits survives a restart. */
  g_clear_object (&episode);
  fixture_close (fixture);
  fixture_open (fixture);
  podcast = ear_catalogue_get_podcast (fixture->catalogue, 1);
  store_one (fixture->catalogue, podcast, make_episode ("later", "Later", NEWEST, NULL));
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "later");
  g_assert_true (ear_episode_get_listened (episode));
  g_assert_false (ear_episode_get_liked (episode));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 1);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM waiting_state"), ==, 0);
}

/* The clock was ahead when it was stored, and is right again: what comes from the files is newer then,
 * unless nobody knows when that was set. */
static void
test_apply_after_clock (Fixture *fixture, gconstpointer data)
{
  const gint64 now = g_get_real_time ();
  const gint64 ahead = now + 3 * G_TIME_SPAN_DAY;
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 1, NEWEST);
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (EarEpisode) episode = NULL;
  EarEpisodeState own = { .listened = TRUE, .listened_updated = ahead, .liked = TRUE, .liked_updated = ahead };

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "e-1");
  ear_catalogue_set_state (fixture->catalogue, episode, &own);
  flush (fixture->catalogue);

  add_state (states, "e-1", (EarEpisodeState) { .listened = FALSE, .listened_updated = now, .liked = FALSE, .liked_updated = 1 });
  ear_catalogue_apply_state (fixture->catalogue, ear_podcast_get_id (podcast), states);
  flush (fixture->catalogue);
  g_assert_false (ear_episode_get_listened (episode));
  g_assert_true (ear_episode_get_liked (episode));
  g_assert_cmpint (read_number (fixture->path, "SELECT listened_updated FROM episode"), ==, now);
}

/* Everybody who holds an episode holds the same one; nobody keeps it for nothing. */
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

  /* One that outlives the catalogue is nobody's problem. */
  episode = ear_catalogue_dup_episode (fixture->catalogue, id);
  fixture_close (fixture);
  g_assert_finalize_object (episode);
}

static void
test_unfollow (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);
  g_autoptr (GPtrArray) others = make_episodes ("o", 2, NEWEST);
  g_autoptr (EarEpisode) playing = NULL;
  gint64 id = ear_podcast_get_id (podcast);

  store (fixture->catalogue, podcast, episodes);
  store (fixture->catalogue, other, others);
  flush (fixture->catalogue);
  playing = get_episode (fixture->catalogue, podcast, "e-2");
  fixture_forget (fixture);

  g_object_ref (podcast);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_assert_null (ear_catalogue_get_podcast (fixture->catalogue, id));
  g_assert_null (ear_catalogue_find_podcast (fixture->catalogue, "https://example.org/one"));
  g_assert_cmpuint (g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue)), ==, 1);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "removed 1: 3; ");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "o-2 o-1");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "o-2 o-1");

  /* A batch that was still on its way is nobody's news. */
  fixture_forget (fixture);
  store_one (fixture->catalogue, podcast, make_episode ("late", "Late", NEWEST + DAY, NULL));
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "");

  /* Undone: all is there at once, and the same objects. */
  g_assert_true (follow (fixture, "one") == podcast);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "inserted 1: 4; ");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 4);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "e-3 e-2 e-1");
  g_autoptr (EarEpisode) again = get_episode (fixture->catalogue, podcast, "e-2");
  g_assert_true (again == playing);
  g_object_unref (podcast);
}

static void
forgotten_cb (char **forgotten, const char *address)
{
  g_assert_null (*forgotten);
  *forgotten = g_strdup (address);
}

static void
test_purge (Fixture *fixture, gconstpointer data)
{
  g_autofree char *forgotten = NULL;
  g_autofree char *address = NULL;

  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 1200, NEWEST);
  g_autoptr (GPtrArray) others = make_episodes ("o", 3, NEWEST);
  gint64 id = ear_podcast_get_id (podcast);

  store (fixture->catalogue, podcast, episodes);
  store (fixture->catalogue, other, others);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_signal_connect_swapped (fixture->catalogue, "podcast-forgotten", G_CALLBACK (forgotten_cb), &forgotten);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  address = g_strdup (ear_podcast_get_address (podcast));
  ear_catalogue_follow (fixture->catalogue, address, NULL);
  ear_catalogue_set_purge_delay (fixture->catalogue, 1);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_assert_null (forgotten);
  wait_for_number (fixture, "SELECT count (*) FROM podcast", 1);
  g_assert_cmpstr (forgotten, ==, address);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), ==, 3);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM notes"), ==, 3);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM podcast_check"), ==, 1);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode_text WHERE episode_text MATCH 'words'"), ==, 3);

  /* Followed again, it is a new podcast, whatever is left of the old one. */
  podcast = follow (fixture, "one");
  g_assert_cmpint (ear_podcast_get_id (podcast), >, id);
  store_one (fixture->catalogue, podcast, make_episode ("e-1", "E", NEWEST, NULL));
  flush (fixture->catalogue);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 1);
}

/* What was unfollowed before a restart is kept hidden, can still come back, and goes then. */
static void
test_purge_after_restart (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);

  store (fixture->catalogue, podcast, episodes);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  fixture_close (fixture);
  fixture_open (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue)), ==, 0);
  podcast = follow (fixture, "one");
  flush (fixture->catalogue);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "e-3 e-2 e-1");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);
}

/* Of what was purged in part when the program ended, the rest is no excuse for a feed to bring nothing. */
static void
test_purge_interrupted (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3000, NEWEST);
  g_autoptr (EarFeedCheck) check = NULL;
  g_autofree char *forgotten = NULL;

  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  flush (fixture->catalogue);
  g_signal_connect_swapped (fixture->catalogue, "podcast-forgotten", G_CALLBACK (forgotten_cb), &forgotten);
  ear_catalogue_set_purge_delay (fixture->catalogue, 1);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  while (forgotten == NULL)
    g_main_context_iteration (NULL, TRUE);
  fixture_close (fixture);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), <, 3000);

  fixture_open (fixture);
  podcast = follow (fixture, "one");
  check = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_null (check != NULL ? check->etag : NULL);
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3000);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode WHERE fresh"), ==, 1);
}

static void
cancelled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = ear_catalogue_query_finish (EAR_CATALOGUE (source), result, &error);

  g_string_append (user_data, ids != NULL ? "answered " : error->code == G_IO_ERROR_CANCELLED ? "cancelled " : "failed ");
}

static guint
count_words (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == ' ';

  return n;
}

static void
test_supersede (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 2000, NEWEST);
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_TITLE, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GString) answers = g_string_new (NULL);

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  /* The reader may be so quick that it has answered one before the next is asked. */
  while (strstr (answers->str, "cancelled") == NULL)
    {
      g_string_truncate (answers, 0);
      for (guint i = 0; i < 5; i++)
        ear_catalogue_query_async (fixture->catalogue, query, 0, cancellable, cancelled_cb, answers);
      while (count_words (answers->str) < 5)
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (g_str_has_suffix (answers->str, "answered "));
      g_assert_null (strstr (answers->str, "failed"));
    }

  g_string_truncate (answers, 0);
  ear_catalogue_query_async (fixture->catalogue, query, 0, cancelled, cancelled_cb, answers);
  g_cancellable_cancel (cancelled);
  while (answers->len == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (answers->str, ==, "cancelled ");

  /* Nobody waits for ever for a catalogue that was closed. */
  g_string_truncate (answers, 0);
  ear_catalogue_query_async (fixture->catalogue, query, 0, NULL, cancelled_cb, answers);
  ear_catalogue_close (fixture->catalogue);
  ear_catalogue_query_async (fixture->catalogue, query, 0, NULL, cancelled_cb, answers);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_nonnull (strstr (answers->str, "failed "));
  g_assert_null (ear_catalogue_dup_episode (fixture->catalogue, 1));
  flush (fixture->catalogue);
}

typedef struct
{
  EarCatalogue *catalogue;
  gint64 podcast;
  guint number;
} Feeder;

static gpointer
feed_thread (gpointer data)
{
  Feeder *feeder = data;

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *prefix = g_strdup_printf ("%u/%u", feeder->number, i);
      g_autoptr (GPtrArray) episodes = make_episodes (prefix, 100, NEWEST);

      ear_catalogue_store_batch (feeder->catalogue, feeder->podcast, NULL, episodes);
    }

  return NULL;
}

/* Many threads bring batches; the queue stays short, nothing is lost. */
static void
test_threads (Fixture *fixture, gconstpointer data)
{
  GThread *threads[4];
  Feeder feeders[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      feeders[i] = (Feeder) { fixture->catalogue, ear_podcast_get_id (follow (fixture, name)), i };
      threads[i] = g_thread_new ("feed", feed_thread, &feeders[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  flush (fixture->catalogue);
  g_assert_cmpuint (fixture->inserted->len, ==, 8000);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), ==, 8000);
  g_assert_cmpint (read_number (fixture->path, "SELECT sum (n_episodes) FROM podcast_count"), ==, 8000);
}

static void
test_close_drains (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *prefix = g_strdup_printf ("%u", i);
      g_autoptr (GPtrArray) episodes = make_episodes (prefix, 50, NEWEST);

      store (fixture->catalogue, podcast, episodes);
    }
  ear_catalogue_close (fixture->catalogue);
  ear_catalogue_close (fixture->catalogue);
  g_assert_cmpuint (fixture->inserted->len, ==, 500);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), ==, 500);
  g_assert_cmpint (read_number (fixture->path, "SELECT value FROM meta WHERE key = 'exit'"), ==, 1);
}

/* What the listener wants for a podcast is known at the next start, and goes with it. */
static void
test_settings (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autofree char *address = g_strdup (ear_podcast_get_address (podcast));
  EarPodcastSettings settings;

  ear_podcast_settings_init (&settings);
  settings.values[EAR_PODCAST_SETTING_REFRESH_INTERVAL] = 15;
  settings.updated[EAR_PODCAST_SETTING_REFRESH_INTERVAL] = 20;
  settings.values[EAR_PODCAST_SETTING_SORT] = 2;
  settings.updated[EAR_PODCAST_SETTING_SORT] = 20;
  g_assert_true (ear_catalogue_set_settings (fixture->catalogue, podcast, &settings));
  g_assert_false (ear_catalogue_set_settings (fixture->catalogue, podcast, &settings));
  settings.values[EAR_PODCAST_SETTING_SORT] = 1;
  settings.updated[EAR_PODCAST_SETTING_SORT] = 19;
  g_assert_false (ear_catalogue_set_settings (fixture->catalogue, podcast, &settings));
  g_assert_cmpint (ear_podcast_get_refresh_interval (podcast), ==, 15);

  fixture_close (fixture);
  fixture_open (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, address);
  g_assert_cmpint (ear_podcast_get_refresh_interval (podcast), ==, 15);
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "title");
  g_assert_true (ear_podcast_get_notifications (podcast));
  g_assert_cmpint (ear_podcast_get_settings (podcast)->updated[EAR_PODCAST_SETTING_SORT], ==, 20);

  ear_catalogue_set_purge_delay (fixture->catalogue, 1);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  wait_for_number (fixture, "SELECT count (*) FROM podcast", 0);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM podcast_setting"), ==, 0);
}

/* What a later version, or somebody else, has put there is left alone. */
static void
test_foreign_settings (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autofree char *address = g_strdup (ear_podcast_get_address (podcast));
  g_autoptr (EarDatabase) database = NULL;
  g_autoptr (GError) error = NULL;

  fixture_close (fixture);
  database = ear_database_open (fixture->path, EAR_DATABASE_READ_WRITE, &error);
  g_assert_no_error (error);
  g_assert_true (ear_database_exec (database,
                                    "INSERT INTO podcast_setting SELECT id, 'filter', 77, 5 FROM podcast;"
                                    "INSERT INTO podcast_setting SELECT id, 'speed', 150, 5 FROM podcast;"
                                    "INSERT INTO podcast_setting SELECT id, 'sort', -1, 5 FROM podcast;"
                                    "INSERT INTO podcast_setting SELECT id, 'notifications', 'no', 5 FROM podcast;"
                                    "INSERT INTO podcast_setting VALUES (4711, 'sort', 1, 5)",
                                    &error));
  g_assert_no_error (error);
  ear_database_close (g_steal_pointer (&database));
  fixture_open (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, address);
  g_assert_cmpstr (ear_podcast_get_filter (podcast), ==, "all");
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "newest");
}

/* While much is written, nothing is copied to where it belongs; that is done when all is quiet. */
static void
test_growing_log (Fixture *fixture, gconstpointer data)
{
  enum { N = 80, NOTES = 1024 * 1024 };
  EarPodcast *podcast = follow (fixture, "one");
  g_autofree char *log_path = g_strconcat (fixture->path, "-wal", NULL);
  g_autofree char *notes = g_strnfill (NOTES, 'x');
  const gint64 before = get_size (fixture->path);

  for (guint i = 0; i < N; i++)
    {
      g_autofree char *guid = g_strdup_printf ("long-%u", i);
      g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);

      g_ptr_array_add (episodes, make_episode (guid, guid, NEWEST - i, notes));
      store (fixture->catalogue, podcast, episodes);
    }
  flush (fixture->catalogue);
  g_assert_cmpint (get_size (log_path), >, (gint64) N * NOTES);
  g_assert_cmpint (get_size (fixture->path), ==, before);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM notes"), ==, N);

  EAR_TEST_WAIT_UNTIL (get_size (log_path) == 0);
  g_assert_cmpint (get_size (fixture->path), >, (gint64) N * NOTES);
}

static void
test_query_type (void)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (3, EAR_FILTER_LIKED, EAR_SORT_TITLE, "x");
  g_autoptr (EarEpisodeQuery) copy = ear_episode_query_copy (query);
  g_autoptr (EarEpisodeQuery) empty = ear_episode_query_new (3, EAR_FILTER_LIKED, EAR_SORT_TITLE, "");

  g_assert_true (ear_episode_query_equal (query, copy));
  g_assert_false (ear_episode_query_equal (query, empty));
  g_assert_false (ear_episode_query_equal (query, NULL));
  g_assert_true (ear_episode_query_equal (NULL, NULL));
  g_assert_null (empty->search);
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
    { "/catalogue/growing-log", test_growing_log },
    { "/catalogue/long-log", test_long_log },
    { "/catalogue/edit", test_edit },
    { "/catalogue/date-edit", test_date_edit },
    { "/catalogue/shrink", test_shrink },
    { "/catalogue/first-again", test_first_again },
    { "/catalogue/identity", test_identity },
    { "/catalogue/twins", test_twins },
    { "/catalogue/order", test_order },
    { "/catalogue/undated", test_undated },
    { "/catalogue/sorts", test_sorts },
    { "/catalogue/plans", test_plans },
    { "/catalogue/filters", test_filters },
    { "/catalogue/state-again", test_state_again },
    { "/catalogue/apply-state", test_apply_state },
    { "/catalogue/apply-after-clock", test_apply_after_clock },
    { "/catalogue/identity-map", test_identity_map },
    { "/catalogue/unfollow", test_unfollow },
    { "/catalogue/purge", test_purge },
    { "/catalogue/purge-after-restart", test_purge_after_restart },
    { "/catalogue/purge-interrupted", test_purge_interrupted },
    { "/catalogue/settings", test_settings },
    { "/catalogue/foreign-settings", test_foreign_settings },
    { "/catalogue/supersede", test_supersede },
    { "/catalogue/threads", test_threads },
    { "/catalogue/close-drains", test_close_drains },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/catalogue/query", test_query_type);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
