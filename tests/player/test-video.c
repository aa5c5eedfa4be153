/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Video episodes: whether the picture matches the sound, at any speed and after seeks,
 * and whether none is decoded while nobody watches. */

#include "player-fixture.h"

#include "ear-picture.h"
#include "ear-player-internal.h"
#include "ear-time-picture.h"

/* Largest difference of picture and sound: seconds. A picture lasts a twenty-fifth
 * of a second. */
#define MARGIN 0.05
#define LENGTH (1.0 / EAR_TIME_PICTURE_RATE)

typedef struct
{
  PlayerFixture base;
  EarVideoOutput *output;
  guint frames;
  double time;   /* of the last picture; -1: none */
  double behind; /* how far it was behind the sound; negative: ahead */
} Fixture;

static void
frame_cb (EarVideoOutput *output, Fixture *fixture)
{
  const EarVideoFrame *frame = ear_video_output_get_frame (output);
  int number;

  if (frame == NULL)
    return;

  fixture->frames++;
  number = ear_time_picture_read (g_bytes_get_data (frame->bytes, NULL), frame->width, frame->height, frame->stride);
  g_assert_cmpint (number, >=, 0);
  fixture->time = number * LENGTH;
  fixture->behind = player_fixture_position (&fixture->base) - fixture->time;
}

static EarEpisode *
new_episode (const char *type)
{
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();
  EarEnclosure *enclosure = ear_enclosure_new ();
  EarEpisode *episode = ear_episode_new (1, NULL, "guid");

  enclosure->address = g_strdup ("http://localhost/film");
  enclosure->mime_type = g_strdup (type);
  g_ptr_array_add (facts->enclosures, enclosure);
  ear_episode_set_facts (episode, facts);

  return episode;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  player_fixture_set_up (&fixture->base, data);
  g_clear_object (&fixture->base.episode);
  fixture->base.episode = new_episode ("video/webm");
  fixture->output = ear_video_output_new (FALSE);
  fixture->time = -1;
  g_signal_connect (fixture->output, "frame", G_CALLBACK (frame_cb), fixture);
  ear_player_set_video_output (fixture->base.player, fixture->output);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  player_fixture_tear_down (&fixture->base, data);
  g_signal_handlers_disconnect_by_data (fixture->output, fixture);
  g_clear_object (&fixture->output);
}

static guint
get_decoded (Fixture *fixture)
{
  EarPipeline *pipeline = fixture->base.player->pipeline;

  return pipeline != NULL ? ear_pipeline_get_decoded (pipeline) : 0;
}

static void
play (Fixture *fixture, const char *name, double position)
{
  player_fixture_open_file (&fixture->base, name, position);
  ear_player_play (fixture->base.player);
  player_fixture_await (&fixture->base, EAR_PLAYER_PLAYING);
  PLAYER_WAIT_UNTIL (ear_player_get_video (fixture->base.player));
}

static void
await_frames (Fixture *fixture, guint n)
{
  guint before = fixture->frames;

  PLAYER_WAIT_UNTIL (fixture->frames >= before + n);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  return *(const double *) a < *(const double *) b ? -1 : 1;
}

/* Returns the median, because on a busy computer some frames are late on
 * their way here. */
static double
measure (Fixture *fixture)
{
  double behind[15];

  for (gsize i = 0; i < G_N_ELEMENTS (behind); i++)
    {
      await_frames (fixture, 1);
      behind[i] = fixture->behind;
    }
  qsort (behind, G_N_ELEMENTS (behind), sizeof *behind, compare_doubles);

  return behind[G_N_ELEMENTS (behind) / 2];
}

static void
check_picture (Fixture *fixture)
{
  double behind = measure (fixture);

  for (guint i = 0; i < 5 && (behind < -MARGIN || behind > LENGTH + MARGIN); i++)
    behind = measure (fixture);
  g_test_message ("at %.2f the picture is %.3f s behind the sound", ear_player_get_rate (fixture->base.player), behind);
  g_assert_cmpfloat (behind, >, -MARGIN);
  g_assert_cmpfloat (behind, <, LENGTH + MARGIN);
}

static void
check_sync (Fixture *fixture)
{
  check_picture (fixture);
  player_fixture_agree (&fixture->base, 0.2);
}

static void
test_sync (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player = fixture->base.player;

  ear_video_output_watch (fixture->output);
  play (fixture, data, 0);
  check_sync (fixture);

  ear_player_set_rate (player, 2);
  player_fixture_wait (300);
  check_sync (fixture);
  ear_player_set_rate (player, 0.5);
  player_fixture_wait (300);
  check_sync (fixture);

  ear_player_seek (player, 17 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->base.seeked == 1);
  player_fixture_await (&fixture->base, EAR_PLAYER_PLAYING);
  player_fixture_wait (200);
  check_sync (fixture);
  g_assert_cmpfloat (fixture->time, >=, 17 - LENGTH);
  ear_player_set_rate (player, 1.5);
  player_fixture_wait (200);
  check_sync (fixture);
  g_assert_cmpstr (fixture->base.states->str, ==, "DLPLP");
}

/* If pauses are cut from the sound, the same is cut from the picture. The rest of a
 * pause is silent, so this relies on player-place, which compares the reported and
 * the audible position. */
static void
test_trimmed (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player = fixture->base.player;
  gint64 saved = 0;

  g_object_set (player, "trim-silence", TRUE, NULL);
  ear_video_output_watch (fixture->output);
  play (fixture, data, 0);
  for (guint i = 1; i < 4; i++)
    {
      const gint64 before = saved;

      PLAYER_WAIT_UNTIL ((g_object_get (player, "time-saved", &saved, NULL), saved > before));
      check_picture (fixture);
    }
  ear_player_set_rate (player, 1.7);
  player_fixture_wait (300);
  check_picture (fixture);
  ear_player_seek (player, 17 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->base.seeked == 1);
  player_fixture_await (&fixture->base, EAR_PLAYER_PLAYING);
  player_fixture_wait (200);
  check_picture (fixture);
  g_assert_cmpfloat (fixture->time, >=, 17 - LENGTH);
  g_assert_cmpint (saved, >, 3 * G_USEC_PER_SEC);
}

/* While paused, the picture stays, and follows seeks. */
static void
test_pause (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player = fixture->base.player;
  guint frames;

  ear_video_output_watch (fixture->output);
  play (fixture, data, 8);
  await_frames (fixture, 5);
  ear_player_pause (player);
  player_fixture_wait (200);
  frames = fixture->frames;
  player_fixture_wait (200);
  g_assert_cmpuint (fixture->frames, ==, frames);
  PLAYER_ASSERT_NEAR (fixture->time, player_fixture_position (&fixture->base), 0.2);

  ear_player_seek (player, 20 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->base.seeked == 1);
  PLAYER_WAIT_UNTIL (ABS (fixture->time - 20) < LENGTH + MARGIN);
  ear_player_play (player);
  player_fixture_await (&fixture->base, EAR_PLAYER_PLAYING);
  check_sync (fixture);
}

/* While nobody watches, not a single picture is decoded, to the end. */
static void
test_hidden (Fixture *fixture, gconstpointer data)
{
  player_fixture_hurry (&fixture->base);
  play (fixture, data, 26);
  while (fixture->base.ended == 0)
    {
      g_assert_cmpuint (get_decoded (fixture), ==, 0);
      g_assert_cmpint (ear_player_get_state (fixture->base.player), !=, EAR_PLAYER_FAILED);
      player_fixture_wait (5);
    }
  g_assert_cmpuint (fixture->frames, ==, 0);
  g_assert_false (ear_player_get_video (fixture->base.player));
}

/* The picture returns at once when a viewer does, and not with the next keyframe, up to
 * 4 s later. */
static void
test_look_away (Fixture *fixture, gconstpointer data)
{
  guint decoded;

  ear_video_output_watch (fixture->output);
  play (fixture, data, 0);
  check_sync (fixture);
  for (guint i = 0; i < 3; i++)
    {
      ear_video_output_unwatch (fixture->output);
      player_fixture_wait (400);
      decoded = get_decoded (fixture);
      fixture->frames = 0;
      player_fixture_wait (1100);
      g_assert_cmpuint (get_decoded (fixture), ==, decoded);
      g_assert_cmpuint (fixture->frames, ==, 0);

      ear_video_output_watch (fixture->output);
      player_fixture_wait (700);
      g_test_message ("%u pictures in 0.7 s", fixture->frames);
      check_sync (fixture);
    }
}

/* The same from a server, whose data is half a minute ahead. */
static void
test_web (Fixture *fixture, gconstpointer data)
{
  player_fixture_open (&fixture->base, "/film.webm", 3);
  ear_player_play (fixture->base.player);
  player_fixture_await (&fixture->base, EAR_PLAYER_PLAYING);
  PLAYER_WAIT_UNTIL (ear_player_get_video (fixture->base.player));
  player_fixture_wait (1000);
  g_assert_cmpuint (get_decoded (fixture), ==, 0);
  ear_video_output_watch (fixture->output);
  await_frames (fixture, 1);
  g_assert_cmpfloat (fixture->time, <, 8);
  check_sync (fixture);

  ear_video_output_unwatch (fixture->output);
  ear_player_seek (fixture->base.player, 20 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->base.seeked == 1);
  player_fixture_await (&fixture->base, EAR_PLAYER_PLAYING);
  ear_video_output_watch (fixture->output);
  player_fixture_wait (300);
  check_sync (fixture);
}

/* While paused no data arrives, but a new viewer still gets a picture. */
static void
test_look_paused (Fixture *fixture, gconstpointer data)
{
  play (fixture, data, 11);
  player_fixture_wait (200);
  ear_player_pause (fixture->base.player);
  player_fixture_wait (200);
  g_assert_cmpuint (fixture->frames, ==, 0);
  ear_video_output_watch (fixture->output);
  await_frames (fixture, 1);
  PLAYER_ASSERT_NEAR (fixture->time, player_fixture_position (&fixture->base), LENGTH + MARGIN);
  g_assert_cmpuint (fixture->base.seeked, ==, 0);
  ear_player_play (fixture->base.player);
  player_fixture_await (&fixture->base, EAR_PLAYER_PLAYING);
  check_sync (fixture);
}

/* An episode that the feed calls audio has no picture. */
static void
test_sound (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->base.episode);
  fixture->base.episode = new_episode ("audio/webm");
  ear_video_output_watch (fixture->output);
  player_fixture_open_file (&fixture->base, data, 5);
  ear_player_play (fixture->base.player);
  player_fixture_await (&fixture->base, EAR_PLAYER_PLAYING);
  player_fixture_wait (500);
  g_assert_false (ear_player_get_video (fixture->base.player));
  g_assert_cmpuint (fixture->frames, ==, 0);
}

/* A picture that is damaged, too large or without a decoder does not keep the
 * sound from playing. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  const gboolean huge = strstr (data, "huge") != NULL;

  ear_video_output_watch (fixture->output);
  player_fixture_open_file (&fixture->base, data, 2);
  ear_player_play (fixture->base.player);
  player_fixture_await (&fixture->base, EAR_PLAYER_PLAYING);
  player_fixture_fresh (&fixture->base, 500);
  player_fixture_agree (&fixture->base, 0.2);
  if (huge)
    g_assert_false (ear_player_get_video (fixture->base.player));
  ear_player_seek (fixture->base.player, 8 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->base.seeked == 1);
  PLAYER_WAIT_UNTIL (fixture->base.ended == 1);
  g_assert_cmpuint (fixture->frames, ==, 0);
}

static void
set_rank (const char *name, guint rank)
{
  g_autoptr (GstPluginFeature) feature = gst_registry_lookup_feature (gst_registry_get (), name);

  if (feature != NULL)
    gst_plugin_feature_set_rank (feature, rank);
}

static void
test_no_decoder (Fixture *fixture, gconstpointer data)
{
  gst_init (NULL, NULL);
  set_rank ("vp8dec", GST_RANK_NONE);
  set_rank ("avdec_vp8", GST_RANK_NONE);
  ear_video_output_watch (fixture->output);
  player_fixture_open_file (&fixture->base, data, 5);
  ear_player_play (fixture->base.player);
  player_fixture_await (&fixture->base, EAR_PLAYER_PLAYING);
  player_fixture_fresh (&fixture->base, 500);
  player_fixture_agree (&fixture->base, 0.2);
  g_assert_false (ear_player_get_video (fixture->base.player));
  set_rank ("vp8dec", GST_RANK_PRIMARY);
  set_rank ("avdec_vp8", GST_RANK_SECONDARY);
}

static void
test_no_sound_decoder (Fixture *fixture, gconstpointer data)
{
  gst_init (NULL, NULL);
  set_rank ("vorbisdec", GST_RANK_NONE);
  set_rank ("avdec_vorbis", GST_RANK_NONE);
  player_fixture_open_file (&fixture->base, data, 0);
  ear_player_play (fixture->base.player);
  player_fixture_await (&fixture->base, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->base.player), EAR_ERROR, EAR_ERROR_CODEC);
  set_rank ("vorbisdec", GST_RANK_PRIMARY);
  set_rank ("avdec_vorbis", GST_RANK_SECONDARY);
}

/* A video without sound is an error. */
static void
test_mute (Fixture *fixture, gconstpointer data)
{
  player_fixture_open_file (&fixture->base, data, 0);
  ear_player_play (fixture->base.player);
  player_fixture_await (&fixture->base, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->base.player), EAR_ERROR, EAR_ERROR_NO_MEDIA);
}

/* A picture that lasts longer than the sound counts as the end, and not as
 * a lost connection. */
static void
test_longer (Fixture *fixture, gconstpointer data)
{
  player_fixture_hurry (&fixture->base);
  player_fixture_open_file (&fixture->base, data, 9);
  ear_player_play (fixture->base.player);
  PLAYER_WAIT_UNTIL (fixture->base.ended == 1);
}

/* Videos are opened and left in quick succession, shown and hidden: nothing
 * leaks or hangs. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "film.webm", "film.ogv", "film.mp4", "film.damaged.webm" };
  gboolean watched = FALSE;

  for (guint i = 0; i < 40; i++)
    {
      player_fixture_open_file (&fixture->base, names[i % 4], (i * 7) % 20);
      ear_player_play (fixture->base.player);
      if (i % 3 == 0)
        {
          watched = !watched;
          (watched ? ear_video_output_watch : ear_video_output_unwatch) (fixture->output);
        }
      player_fixture_wait (i * 37 % 250);
      if (i % 5 == 0)
        ear_player_seek (fixture->base.player, (i * 3) % 20 * G_USEC_PER_SEC);
    }
  ear_player_stop (fixture->base.player);
  g_assert_null (ear_video_output_get_frame (fixture->output));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, data, func) g_test_add ("/player/video" path, Fixture, data, set_up, func, tear_down)

  ADD ("/sync/webm", "film.webm", test_sync);
  ADD ("/sync/ogv", "film.ogv", test_sync);
  ADD ("/sync/mp4", "film.mp4", test_sync);
  ADD ("/trimmed", "film.pauses.webm", test_trimmed);
  ADD ("/pause/webm", "film.webm", test_pause);
  ADD ("/pause/ogv", "film.ogv", test_pause);
  ADD ("/pause/mp4", "film.mp4", test_pause);
  ADD ("/hidden/webm", "film.webm", test_hidden);
  ADD ("/hidden/ogv", "film.ogv", test_hidden);
  ADD ("/hidden/mp4", "film.mp4", test_hidden);
  ADD ("/look-away", "film.webm", test_look_away);
  ADD ("/look-paused", "film.webm", test_look_paused);
  ADD ("/web", "film.webm", test_web);
  ADD ("/sound", "film.webm", test_sound);
  ADD ("/damaged", "film.damaged.webm", test_damaged);
  ADD ("/huge", "film.huge.webm", test_damaged);
  ADD ("/no-decoder", "film.webm", test_no_decoder);
  ADD ("/no-sound-decoder", "film.webm", test_no_sound_decoder);
  ADD ("/mute", "film.mute.webm", test_mute);
  ADD ("/longer", "film.long.webm", test_longer);
  ADD ("/many", NULL, test_many);

  return g_test_run ();
}
