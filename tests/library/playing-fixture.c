/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "playing-fixture.h"

#include "ear-player-private.h"
#include "ear-test-made.h"
#include "ear-test-wait.h"

static GstElement *
make_sink_cb (GObject *owner)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  g_object_set (sink, "sync", TRUE, NULL);

  return sink;
}

void
play_silently (EarPlayer *player)
{
  ear_player_set_sink (player, make_sink_cb, NULL);
}

static const char feed[] =
    "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\""
    " xmlns:psc=\"http://podlove.org/simple-chapters\"><channel><title>P</title>"
    "<item><guid>overstated</guid><title>Overstated</title><itunes:duration>90</itunes:duration>"
    "<enclosure url=\"/overstated.wav\" type=\"audio/wav\" length=\"1440132\"/></item>"
    "<item><guid>first</guid><title>First</title><itunes:duration>31</itunes:duration>"
    "<enclosure url=\"/first.wav\" type=\"audio/wav\" length=\"1\"/></item>"
    "<item><guid>second</guid><title>Second</title><itunes:duration>30</itunes:duration>"
    "<enclosure url=\"/second.wav\" type=\"audio/wav\" length=\"1\"/>"
    "<psc:chapters><psc:chapter start=\"0\" title=\"A\"/><psc:chapter start=\"12\" title=\"B\"/>"
    "</psc:chapters></item></channel></rss>";

void
playing_fixture_set_up (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "/overstated.wav", "/first.wav", "/second.wav" };
  g_autoptr (GBytes) sound = ear_test_made_sound (PLAYING_LENGTH / SECOND);
  EarEpisode **const episodes[] = { &fixture->overstated, &fixture->first, &fixture->second };

  set_up (fixture, data);
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    ear_test_server_put_bytes (fixture->server, paths[i], "audio/wav", sound);
  put_text (fixture, "/feed.xml", feed);
  follow_served (fixture);
  play_silently (fixture->player);
  /* Settings outlive a library in the memory of this program. */
  g_object_set (fixture->parts->settings, "continuous", TRUE, "rate", 1.0, "trim-silence", FALSE,
                "level-volume", FALSE, NULL);
  fixture->list =
      open_list (fixture, ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL));
  EAR_TEST_WAIT_UNTIL (has_rows (fixture->list, G_N_ELEMENTS (episodes)));
  for (guint i = 0; i < G_N_ELEMENTS (episodes); i++)
    *episodes[i] = g_list_model_get_item (G_LIST_MODEL (fixture->list), i);
}

/* Adds bytes to the overstated episode up to the size in its feed, but no sound. */
void
enlarge_overstated (Fixture *fixture)
{
  static const guint8 nothing[2 * 480000] = { 0 };
  g_autoptr (GBytes) sound = ear_test_made_sound (PLAYING_LENGTH / SECOND);
  GByteArray *whole = g_byte_array_new ();

  g_byte_array_append (whole, g_bytes_get_data (sound, NULL), (guint) g_bytes_get_size (sound));
  g_byte_array_append (whole, nothing, sizeof nothing);
  g_autoptr (GBytes) bytes = g_byte_array_free_to_bytes (whole);
  ear_test_server_put_bytes (fixture->server, "/overstated.wav", "audio/wav", bytes);
}

/* Sets the length of the first episode, which must not have been played yet. */
void
lengthen_first (Fixture *fixture, gint64 length)
{
  g_autoptr (GBytes) sound = ear_test_made_sound ((guint) (length / SECOND));

  ear_test_server_put_bytes (fixture->server, "/first.wav", "audio/wav", sound);
  ear_episode_set_duration (fixture->first, length);
  ear_catalogue_set_duration (fixture->parts->catalogue, fixture->first, length);
}

void
wait_for_state (Fixture *fixture, EarPlayerState state)
{
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == state);
}

void
wait_past (Fixture *fixture, gint64 position)
{
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) > position);
}

/* Returns once the episode plays from a position. */
void
playing_fixture_play (Fixture *fixture, EarEpisode *episode, gint64 position)
{
  ear_playback_controller_seek (fixture->control, episode, fixture->list, position);
  ear_player_play (fixture->player);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
}

/* Starts the episode at its stored position. */
void
play_episode (Fixture *fixture, EarEpisode *episode)
{
  ear_playback_controller_play (fixture->control, episode, fixture->list);
}

gboolean
is_playing (Fixture *fixture, EarEpisode *episode)
{
  return ear_player_get_episode (fixture->player) == episode &&
         ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING;
}

guint
count_queue (Fixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ear_queue_get_list (fixture->parts->queue)));
}

/* Adds the episode to the end of Up Next. */
void
queue_episode (Fixture *fixture, EarEpisode *episode)
{
  const guint n = count_queue (fixture);
  g_autoptr (GPtrArray) episodes = g_ptr_array_new ();

  g_ptr_array_add (episodes, episode);
  ear_queue_add_last (fixture->parts->queue, episodes);
  EAR_TEST_WAIT_UNTIL (count_queue (fixture) == n + 1);
}
