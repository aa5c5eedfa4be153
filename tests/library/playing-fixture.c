/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "playing-fixture.h"

#include "ear-player-private.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

#include <string.h>

#define RATE 8000

static GstElement *
make_sink_cb (GObject *owner)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  g_object_set (sink, "sync", TRUE, NULL);

  return sink;
}

/* 8 bits a sample, one channel */
static GBytes *
create_silence (gint64 length)
{
  static const guint8 head[] = "RIFF----WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data----";
  const guint32 n_bytes = (guint32) (length / G_TIME_SPAN_SECOND) * RATE;
  const guint32 sizes[] = { GUINT32_TO_LE (36 + n_bytes), GUINT32_TO_LE (n_bytes) };
  guint8 *bytes = g_malloc (44 + n_bytes);

  memcpy (bytes, head, 44);
  memcpy (bytes + 4, &sizes[0], 4);
  memcpy (bytes + 40, &sizes[1], 4);
  memset (bytes + 44, 128, n_bytes);

  return g_bytes_new_take (bytes, 44 + n_bytes);
}

static void
serve (PlayingFixture *fixture)
{
  g_autoptr (GBytes) silence = create_silence (PLAYING_LENGTH);
  g_autoptr (GError) error = NULL;

  fixture->server = ear_test_server_new ();
  ear_test_server_set_addresses (fixture->server, 2);
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  ear_test_server_put_bytes (fixture->server, "/overstated.wav", "audio/wav", silence);
  ear_test_server_put_bytes (fixture->server, "/first.wav", "audio/wav", silence);
  ear_test_server_put_bytes (fixture->server, "/second.wav", "audio/wav", silence);
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml",
                       "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\""
                       " xmlns:psc=\"http://podlove.org/simple-chapters\"><channel><title>P</title>"
                       "<item><guid>overstated</guid><title>Overstated</title><itunes:duration>90</itunes:duration>"
                       "<enclosure url=\"/overstated.wav\" type=\"audio/wav\" length=\"720132\"/></item>"
                       "<item><guid>first</guid><title>First</title><itunes:duration>31</itunes:duration>"
                       "<enclosure url=\"/first.wav\" type=\"audio/wav\" length=\"1\"/></item>"
                       "<item><guid>second</guid><title>Second</title><itunes:duration>30</itunes:duration>"
                       "<enclosure url=\"/second.wav\" type=\"audio/wav\" length=\"1\"/><psc:chapters><psc:chapter start=\"0\" title=\"A\"/>"
                       "<psc:chapter start=\"12\" title=\"B\"/></psc:chapters></item></channel></rss>");
}

void
playing_fixture_set_up (PlayingFixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL);
  g_autofree char *address = NULL;
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-playing-XXXXXX", &error);
  g_assert_no_error (error);
  serve (fixture);
  fixture->library = library_fixture_open (fixture->folder);
  fixture->player = ear_library_get_player (fixture->library);
  fixture->control = ear_library_get_playback_controller (fixture->library);
  ear_player_set_sink (fixture->player, make_sink_cb, NULL);
  address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_assert_nonnull (ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL));
  fixture->list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) == 3);
  fixture->overstated = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  fixture->first = g_list_model_get_item (G_LIST_MODEL (fixture->list), 1);
  fixture->second = g_list_model_get_item (G_LIST_MODEL (fixture->list), 2);
}

void
playing_fixture_tear_down (PlayingFixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->overstated);
  g_clear_object (&fixture->first);
  g_clear_object (&fixture->second);
  g_clear_object (&fixture->list);
  library_fixture_close (&fixture->library);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

/* Gives the overstated episode as many bytes as its feed says, with no more sound than
 * before. */
void
playing_fixture_enlarge (PlayingFixture *fixture)
{
  static const guint8 nothing[3 * 8000 * 30 - 240000] = { 0 };
  g_autoptr (GBytes) silence = create_silence (PLAYING_LENGTH);
  GByteArray *whole = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;

  g_byte_array_append (whole, g_bytes_get_data (silence, NULL), (guint) g_bytes_get_size (silence));
  g_byte_array_append (whole, nothing, sizeof nothing);
  bytes = g_byte_array_free_to_bytes (whole);
  ear_test_server_put_bytes (fixture->server, "/overstated.wav", "audio/wav", bytes);
}

/* Sets the length of the first episode, which must not have been played yet. */
void
playing_fixture_lengthen (PlayingFixture *fixture, gint64 length)
{
  g_autoptr (GBytes) silence = create_silence (length);

  ear_test_server_put_bytes (fixture->server, "/first.wav", "audio/wav", silence);
  ear_episode_set_duration (fixture->first, length);
  ear_catalogue_set_duration (ear_library_get_catalogue (fixture->library), fixture->first, length);
}

void
playing_fixture_set_setting (PlayingFixture *fixture, EarPodcastSetting setting, int value)
{
  ear_subscriptions_set_setting (ear_library_get_subscriptions (fixture->library), ear_episode_get_podcast (fixture->first), setting,
                                 value);
}

/* Returns once the episode plays. */
void
playing_fixture_play (PlayingFixture *fixture, EarEpisode *episode, gint64 position)
{
  ear_playback_controller_seek (fixture->control, episode, fixture->list, position);
  ear_player_play (fixture->player);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
}
