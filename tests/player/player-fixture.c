/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "player-fixture.h"

#include <string.h>

static void
state_cb (EarPlayer *player, GParamSpec *pspec, PlayerFixture *fixture)
{
  g_string_append_c (fixture->states, "EDLPNF"[ear_player_get_state (player)]);
  fixture->since = g_get_monotonic_time ();
}

static void
position_cb (EarPlayer *player, GParamSpec *pspec, PlayerFixture *fixture)
{
  fixture->lowest = MIN (fixture->lowest, ear_player_get_position (player));
}

static void
seeked_cb (EarPlayer *player, gint64 position, PlayerFixture *fixture)
{
  fixture->seeked++;
  fixture->seeked_position = position;
  fixture->since = g_get_monotonic_time ();
}

static void
ended_cb (EarPlayer *player, PlayerFixture *fixture)
{
  fixture->ended++;
}

/* A race in GStreamer (1.26): data on its way into a multiqueue while another
 * thread takes the pipeline down causes a warning for each event that is
 * missing: stream-start, segment. */
static gboolean
is_fatal (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  return g_strcmp0 (domain, "GStreamer") != 0 || strstr (message, "<multiqueue") == NULL ||
         strstr (message, "Got data flow before ") == NULL;
}

/* A warning that does not end the test must not look like a failed case either. */
static void
log_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  if (is_fatal (domain, level, message, NULL))
    g_log_default_handler (domain, level, message, NULL);
  else
    g_test_message ("%s", message);
}

void
player_fixture_set_up (PlayerFixture *fixture, gconstpointer data)
{
  /* The folders that a test has instead of the system's lack the MIME database. */
  static const char *const mime_dirs[] = { "/usr/share/mime", NULL };
  g_autoptr (GError) error = NULL;

  g_content_type_set_mime_dirs (mime_dirs);
  g_test_log_set_fatal_handler (is_fatal, NULL);
  fixture->log_handler =
      g_log_set_handler ("GStreamer", G_LOG_LEVEL_WARNING | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION, log_cb, NULL);
  fixture->server = ear_test_server_new ();
  ear_test_server_set_root (fixture->server, g_getenv ("EAR_CLIPS"));
  ear_test_server_set_addresses (fixture->server, 2);
  ear_test_server_start (fixture->server, &error);
  g_assert_no_error (error);

  fixture->sound = ear_test_sound_new ();
  fixture->episode = ear_episode_new (1, NULL, "guid");
  fixture->states = g_string_new (NULL);
  fixture->lowest = G_MAXINT64;

  fixture->player = ear_player_new ("Earmark/test");
  ear_player_set_sink (fixture->player, ear_test_sound_make_sink, G_OBJECT (fixture->sound));
  ear_player_set_timeout (fixture->player, 2);
  g_signal_connect (fixture->player, "notify::state", G_CALLBACK (state_cb), fixture);
  g_signal_connect (fixture->player, "notify::position", G_CALLBACK (position_cb), fixture);
  g_signal_connect (fixture->player, "seeked", G_CALLBACK (seeked_cb), fixture);
  g_signal_connect (fixture->player, "ended", G_CALLBACK (ended_cb), fixture);
}

void
player_fixture_tear_down (PlayerFixture *fixture, gconstpointer data)
{
  g_log_remove_handler ("GStreamer", fixture->log_handler);
  g_assert_finalize_object (g_steal_pointer (&fixture->player));
  /* A pipeline in creation may still hold a reference. */
  g_clear_object (&fixture->sound);
  g_clear_object (&fixture->episode);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  g_string_free (g_steal_pointer (&fixture->states), TRUE);
}

/* @path: a path on the server, or a URL */
void
player_fixture_open (PlayerFixture *fixture, const char *path, double position)
{
  g_autofree char *address = NULL;

  address = *path == '/' ? ear_test_server_dup_url (fixture->server, 1, path) : g_strdup (path);
  ear_player_open (fixture->player, fixture->episode, NULL, address,
                   (gint64) (position * G_USEC_PER_SEC));
}

void
player_fixture_open_file (PlayerFixture *fixture, const char *name, double position)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), name, NULL);

  ear_player_open (fixture->player, fixture->episode, path, NULL,
                   (gint64) (position * G_USEC_PER_SEC));
}

/* Plays as fast as possible from the next opening on. */
void
player_fixture_hurry (PlayerFixture *fixture)
{
  ear_test_sound_set_hurried (fixture->sound, TRUE);
}

static gboolean
timeout_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;

  return G_SOURCE_REMOVE;
}

void
player_fixture_wait (guint milliseconds)
{
  gboolean done = FALSE;

  g_timeout_add (milliseconds, timeout_cb, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

void
player_fixture_await (PlayerFixture *fixture, EarPlayerState state)
{
  gint64 give_up = g_get_monotonic_time () + 15 * G_USEC_PER_SEC;

  while (ear_player_get_state (fixture->player) != state && g_get_monotonic_time () < give_up)
    player_fixture_wait (5);

  if (ear_player_get_state (fixture->player) == EAR_PLAYER_FAILED && state != EAR_PLAYER_FAILED)
    g_test_message ("failed: %s", ear_player_get_error (fixture->player)->message);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, state);
}

/* Clears the sound and waits for new sound of this length. */
void
player_fixture_fresh (PlayerFixture *fixture, guint milliseconds)
{
  ear_test_sound_clear (fixture->sound);
  PLAYER_WAIT_UNTIL (ear_test_sound_get_heard (fixture->sound) >= milliseconds * 1000);
}

/* Returns the position heard, in seconds. */
double
player_fixture_hear (PlayerFixture *fixture)
{
  EarTimeToneReading reading = { 0 };

  /* A single moment may be unclear, but not the pitch of half a second. */
  for (guint i = 0; i < 25; i++)
    {
      if (ear_test_sound_read (fixture->sound, &reading) && ABS (reading.pitch - 1) < 0.015)
        break;
      player_fixture_wait (20);
    }
  g_test_message ("heard %.3f s, pitch %.3f, position %.3f s", reading.time, reading.pitch,
                  player_fixture_position (fixture));
  PLAYER_ASSERT_NEAR (reading.pitch, 1.0, 0.015);

  /* The reading is for the middle of the window that ends now. */
  return reading.time + EAR_TIME_TONE_WINDOW / 2 / 44100.0 * ear_player_get_rate (fixture->player);
}

/* Returns the position that the player reports, in seconds. */
double
player_fixture_position (PlayerFixture *fixture)
{
  return (double) ear_player_get_position (fixture->player) / G_USEC_PER_SEC;
}

/* Asserts that the audible and the reported position are within @margin seconds, with
 * retries for a busy computer.
 * Returns: the audible position */
double
player_fixture_agree (PlayerFixture *fixture, double margin)
{
  double heard = player_fixture_hear (fixture);

  for (guint i = 0; i < 5 && ABS (heard - player_fixture_position (fixture)) > margin; i++)
    {
      player_fixture_wait (70);
      heard = player_fixture_hear (fixture);
    }
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), heard, margin);

  return heard;
}

/* Asserts that @heard follows from a start at @place, in seconds, when playback last
 * started or moved. */
void
player_fixture_began_at (PlayerFixture *fixture, double heard, double place)
{
  double passed = (double) (g_get_monotonic_time () - fixture->since) / G_USEC_PER_SEC;

  g_assert_cmpfloat (heard, >, place - 0.5);
  g_assert_cmpfloat (heard, <, place + passed * ear_player_get_rate (fixture->player) + 0.5);
}

/* Opens media that must not play, and checks the error. */
void
player_fixture_expect (PlayerFixture *fixture, const char *path, EarError code)
{
  player_fixture_open (fixture, path, 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_test_message ("%s: %s", path, ear_player_get_error (fixture->player)->message);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, (int) code);
  g_assert_cmpuint (fixture->ended, ==, 0);
}
