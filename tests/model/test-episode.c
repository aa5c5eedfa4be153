/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-episode.h"
#include "ear-test-wait.h"

static EarEpisodeFacts *
make_facts (const char *title, gint64 duration)
{
  EarEpisodeFacts *facts = ear_episode_facts_new ();

  facts->title = g_strdup (title);
  facts->duration = duration;

  return facts;
}

static void
count_notify_cb (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  GHashTable *counts = user_data;
  const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, pspec->name));

  g_hash_table_insert (counts, (char *) pspec->name, GUINT_TO_POINTER (n + 1));
}

/* The numbers of notifications of an object, by property */
static GHashTable *
count_notify (gpointer object)
{
  GHashTable *counts = g_hash_table_new (g_str_hash, g_str_equal);

  g_signal_connect (object, "notify", G_CALLBACK (count_notify_cb), counts);

  return counts;
}

static void
assert_count (GHashTable *counts, const char *property, guint expected)
{
  g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (counts, property)), ==, expected);
}

static EarEpisode *
new_episode (const char *feed)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, feed);

  return ear_episode_new (7, podcast, "guid");
}

static void
test_facts_notify (void)
{
  g_autoptr (EarEpisode) episode = new_episode ("https://example.org/feed");
  g_autoptr (EarEpisodeFacts) first = make_facts ("One", 60 * G_USEC_PER_SEC);
  g_autoptr (EarEpisodeFacts) edited = make_facts ("Two", 60 * G_USEC_PER_SEC);
  g_autoptr (EarEpisodeFacts) shorter = make_facts ("Two", EAR_DURATION_UNKNOWN);

  ear_episode_set_facts (episode, first);
  g_assert_cmpstr (ear_episode_get_title (episode), ==, "One");
  g_assert_cmpint (ear_episode_get_duration (episode), ==, 60 * G_USEC_PER_SEC);

  g_autoptr (GHashTable) counts = count_notify (episode);
  ear_episode_set_facts (episode, edited);
  assert_count (counts, "duration", 0);
  assert_count (counts, "title", 1);

  /* A length measured by the player stays when the feed has none. */
  ear_episode_set_facts (episode, shorter);
  g_assert_cmpint (ear_episode_get_duration (episode), ==, 60 * G_USEC_PER_SEC);
}

/* Each mark is a property, which notifies about its own change and no other. */
static void
test_marks (void)
{
  const int bounds[EAR_N_MARKS] = { [EAR_MARK_LISTENED] = 1, [EAR_MARK_LIKED] = 1, [EAR_MARK_SHIFT] = -1, [EAR_MARK_REMOVED] = 1 };
  g_autoptr (EarEpisode) episode = new_episode ("https://example.org/feed");
  g_autoptr (GHashTable) counts = count_notify (episode);

  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      const char *name = ear_mark_types[i].name;
      g_auto (GValue) value = G_VALUE_INIT;

      ear_episode_set_mark (episode, i, 1);
      g_object_get_property (G_OBJECT (episode), name, &value);
      g_object_set_property (G_OBJECT (episode), name, &value);
      g_assert_cmpint (ear_mark_types[i].kind == EAR_VALUE_FLAG ? g_value_get_boolean (&value) : g_value_get_int64 (&value), ==, 1);
      assert_count (counts, name, 1);
      g_assert_cmpint (ear_mark_bound (i, -1), ==, bounds[i]);
    }
  for (guint i = 0; i < 2; i++)
    {
      ear_episode_set_position (episode, 5);
      ear_episode_set_playback (episode, EAR_PLAYBACK_PLAYING);
      ear_episode_set_duration (episode, 9);
    }
  assert_count (counts, "position", 2);
  assert_count (counts, "playback", 1);
  assert_count (counts, "duration", 1);
  g_assert_cmpuint (g_hash_table_size (counts), ==, EAR_N_MARKS + 2);
  g_assert_cmpint (ear_mark_bound (EAR_MARK_SHIFT, G_MININT64), ==, -EAR_POSITION_LIMIT);
}

/* Row ids change when the catalogue is rebuilt; the key must not. */
static void
test_key (void)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, "https://example.org/feed");
  g_autoptr (EarPodcast) again = ear_podcast_new (99, "https://example.org/feed");
  g_autoptr (EarEpisode) episode = ear_episode_new (7, podcast, "guid");
  g_autoptr (EarEpisode) later = ear_episode_new (8, again, "guid");
  g_autoptr (EarEpisode) other = ear_episode_new (7, podcast, "another");
  g_autofree char *key = ear_episode_dup_key (episode);
  g_autofree char *other_key = ear_episode_dup_key (other);

  ear_test_assert_text (ear_episode_dup_key (later), key);
  g_assert_cmpstr (key, !=, other_key);
  g_assert_cmpint (ear_episode_get_id (episode), ==, 7);
  g_assert_cmpstr (ear_episode_get_guid (episode), ==, "guid");
  g_assert_true (ear_episode_get_podcast (episode) == podcast);
  g_assert_null (ear_episode_get_enclosure (episode));
  g_assert_finalize_object (g_steal_pointer (&episode));
}

/* Episodes may have no titles, and podcasts have none before their first response. */
static void
test_names (void)
{
  g_autoptr (EarEpisode) episode = new_episode ("https://somebody:secret@example.org/feed?token=1");
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  g_autoptr (EarEpisodeFacts) facts = make_facts ("One", EAR_DURATION_UNKNOWN);

  g_assert_cmpstr (ear_podcast_get_name (podcast), ==, "example.org");
  g_assert_null (ear_podcast_get_title (podcast));
  g_assert_cmpstr (ear_episode_get_name (episode), ==, "example.org");

  ear_podcast_set_title (podcast, "A podcast");
  g_assert_cmpstr (ear_podcast_get_name (podcast), ==, "A podcast");
  g_assert_cmpstr (ear_episode_get_name (episode), ==, "A podcast");

  g_autoptr (GHashTable) own_counts = count_notify (episode);
  ear_episode_set_facts (episode, facts);
  assert_count (own_counts, "name", 1);
  g_assert_cmpstr (ear_episode_get_name (episode), ==, "One");
}

#define FEED "https://example.org/feed"
#define PRIVATE "https://example.org/feed?auth=7"
#define SOUND "https://example.org/a.mp3"
#define PAGE "https://example.org/a"

/* The link leads to the page, or else to the sound; private links are marked, and not shared. */
static void
test_address (void)
{
  static const struct
  {
    const char *feed, *sound, *page, *link, *shared;
    gboolean link_private, media_private;
  } tests[] = {
    { FEED, SOUND, PAGE, PAGE, SOUND, FALSE, FALSE },
    { FEED, SOUND, NULL, SOUND, SOUND, FALSE, FALSE },
    { FEED, NULL, PAGE, PAGE, PAGE, FALSE, FALSE },
    { FEED, NULL, NULL, NULL, NULL, FALSE, FALSE },
    { FEED, SOUND, "javascript:alert(1)", SOUND, SOUND, FALSE, FALSE },
    { FEED, "file:///etc/passwd", NULL, NULL, NULL, FALSE, FALSE },
    { FEED, SOUND "?token=7", PAGE, PAGE, PAGE, FALSE, TRUE },
    { PRIVATE, SOUND, PAGE, PAGE, PAGE, FALSE, TRUE },
    { PRIVATE, SOUND, PAGE "?auth=7", PAGE "?auth=7", NULL, TRUE, TRUE },
    { PRIVATE, SOUND, NULL, SOUND, NULL, TRUE, TRUE },
    { "https://u:p@example.org/feed", SOUND, PAGE "?token=7", PAGE "?token=7", NULL, TRUE, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autoptr (EarEpisode) episode = new_episode (tests[i].feed);
      g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();

      g_test_message ("%s, %s, %s", tests[i].feed, tests[i].sound, tests[i].page);
      facts->link = g_strdup (tests[i].page);
      if (tests[i].sound != NULL)
        {
          EarEnclosure *enclosure = ear_enclosure_new ();

          enclosure->address = g_strdup (tests[i].sound);
          g_ptr_array_add (facts->enclosures, enclosure);
        }
      ear_episode_set_facts (episode, facts);
      g_assert_cmpstr (ear_episode_get_address (episode, EAR_ADDRESS_LINK), ==, tests[i].link);
      g_assert_cmpstr (ear_episode_get_public_address (episode), ==, tests[i].shared);
      g_assert_cmpint (ear_episode_is_address_private (episode, EAR_ADDRESS_LINK), ==, tests[i].link_private);
      g_assert_cmpint (ear_episode_is_address_private (episode, EAR_ADDRESS_MEDIA), ==, tests[i].media_private);
    }
}

/* Each setter notifies once per change. */
static void
test_podcast (void)
{
  static const char *const properties[] = { "title", "name", "feed-address", "has-namesake", "checked", "refreshing",
                                            "n-episodes", "n-unplayed", "n-new", "followed" };
  EarPodcast *podcast = ear_podcast_new (1, "https://example.org/feed");
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "x");
  g_autoptr (GHashTable) counts = count_notify (podcast);
  g_autofree char *first = NULL, *moved = NULL;
  EarPodcastSetting setting;
  guint n_episodes;

  g_assert_false (ear_podcast_setting_find ("unknown", &setting));
  /* Before the first response the feed's address is the followed address, for bindings, too. */
  g_object_get (podcast, "feed-address", &first, NULL);
  g_assert_cmpstr (first, ==, "https://example.org/feed");
  facts->image = g_strdup ("https://example.org/cover.png");
  for (guint i = 0; i < 2; i++)
    {
      ear_podcast_set_title (podcast, "As subscribed");
      ear_podcast_set_feed_address (podcast, "https://example.com/feed");
      ear_podcast_set_has_namesake (podcast, TRUE);
      ear_podcast_set_checked (podcast, 7);
      ear_podcast_set_refreshing (podcast, TRUE);
      ear_podcast_set_n_episodes (podcast, 3);
      ear_podcast_set_n_unplayed (podcast, 2);
      ear_podcast_set_n_new (podcast, 1);
      ear_podcast_set_followed (podcast, TRUE);
    }
  g_assert_cmpuint (g_hash_table_size (counts), ==, G_N_ELEMENTS (properties));
  for (gsize i = 0; i < G_N_ELEMENTS (properties); i++)
    assert_count (counts, properties[i], 1);
  g_object_get (podcast, "feed-address", &moved, "n-episodes", &n_episodes, NULL);
  g_assert_cmpstr (moved, ==, "https://example.com/feed");
  g_assert_cmpuint (n_episodes, ==, 3);
  /* Facts without a title leave the title. */
  ear_podcast_set_facts (podcast, facts);
  assert_count (counts, "image", 1);
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "As subscribed");

  ear_podcast_set_error (podcast, error);
  g_assert_error (ear_podcast_get_error (podcast), G_IO_ERROR, G_IO_ERROR_FAILED);
  ear_podcast_set_error (podcast, NULL);
  ear_podcast_set_error (podcast, NULL);
  assert_count (counts, "error", 2);
  g_assert_finalize_object (podcast);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/episode/facts-notify", test_facts_notify);
  g_test_add_func ("/episode/marks", test_marks);
  g_test_add_func ("/episode/key", test_key);
  g_test_add_func ("/episode/address", test_address);
  g_test_add_func ("/podcast/names", test_names);
  g_test_add_func ("/podcast/podcast", test_podcast);

  return g_test_run ();
}
