/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include "ear-userdata-keeper.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A child plays and is killed at random moments. The child stores its position 50 times
 * as often as the program does, and may lose the last one, and no more. */

#define ADDRESS "https://example.org/feed.xml"
#define SECOND G_TIME_SPAN_SECOND
#define KILLS 30
#define STEP 20 /* ms, for a second of playing */
#define LATE 120 /* ms; a machine delayed for longer is too busy to be judged by STEP */

/* --- The child ---------------------------------------------------------------------- */

typedef struct
{
  EarUserdataStore *store;
  EarEpisode *episode;
  gint64 place;
} Player;

static gboolean
step_cb (gpointer user_data)
{
  Player *player = user_data;
  g_autofree char *line = NULL;

  player->place += SECOND;
  ear_userdata_store_set_now (player->store, player->episode, player->place, TRUE);
  line = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", player->place, g_get_monotonic_time ());
  if (write (STDOUT_FILENO, line, strlen (line)) < 0)
    _exit (1);

  return G_SOURCE_CONTINUE;
}

/* Writes now.json only once, as if the disk were busy forever. */
static int
play (const char *directory, gint64 first)
{
  Player player = { .store = ear_userdata_store_new (directory), .episode = userdata_test_new_episode (ADDRESS, "g1"), .place = first };

  ear_userdata_store_set_now (player.store, player.episode, first, TRUE);
  userdata_test_flush (player.store, NULL);
  g_timeout_add (STEP, step_cb, &player);
  while (TRUE)
    g_main_context_iteration (NULL, TRUE);

  return 0;
}

/* --- The killer --------------------------------------------------------------------- */

/* Returns: the last position that the child printed at least one step before it was
 * killed */
static gint64
play_and_kill (Fixture *fixture, gint64 from, guint after, gboolean *late)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *first = g_strdup_printf ("%" G_GINT64_FORMAT, from);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, self, "--play", fixture->path, first, NULL);
  g_autoptr (GDataInputStream) lines = NULL;
  gint64 told = from, killed, when = 0;
  char *line;

  g_assert_no_error (error);
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (child));
  line = g_data_input_stream_read_line (lines, NULL, NULL, NULL);
  g_assert_nonnull (line);
  g_usleep (after * G_TIME_SPAN_MILLISECOND);
  killed = g_get_monotonic_time ();
  g_subprocess_force_exit (child);
  for (; line != NULL; line = g_data_input_stream_read_line (lines, NULL, NULL, NULL))
    {
      gint64 place;

      g_assert_cmpint (sscanf (line, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, &place, &when), ==, 2);
      if (killed - when > LATE * G_TIME_SPAN_MILLISECOND)
        told = place;
      g_free (line);
    }
  g_subprocess_wait (child, NULL, NULL);
  *late = killed - when > (STEP + LATE) * G_TIME_SPAN_MILLISECOND;

  return told;
}

static gint64
load (Fixture *fixture)
{
  g_autofree char *address = NULL, *guid = NULL;
  gint64 position;

  fixture_open (fixture, 20);
  g_assert_true (userdata_test_load_now (fixture->store, &address, &guid, &position));
  g_assert_cmpstr (address, ==, ADDRESS);
  g_assert_cmpstr (guid, ==, "g1");
  fixture_close (fixture);

  return position;
}

static void
test_kill (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  gint64 place = 0, most = 0;

  for (guint i = 0; i < KILLS; i++)
    {
      gboolean late;
      const gint64 told = play_and_kill (fixture, place, g_random_int_range (0, 15 * STEP), &late);

      place = load (fixture);
      if (!late)
        most = MAX (most, told - place);
      g_assert_cmpint (place, >=, told - (late ? 60 : 1) * SECOND);
    }
  g_test_message ("of %d kills, none lost more than %.0f s", KILLS, (double) most / SECOND);
}

/* --- The position file -------------------------------------------------------------- */

static void
ignore_event (EarUserdataMessage *message, gpointer user_data)
{
  ear_userdata_message_free (message);
}

static gboolean
set_episode (EarUserdataKeeper *keeper, const char *guid, gint64 position, GError **error)
{
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, guid);
  const EarEpisodeState state = { .position = position, .position_updated = g_get_real_time () };
  g_autoptr (EarMarks) marks = ear_marks_new_for_episode (episode, &state);
  EarUserdataMessage request = { .marks = marks };

  ear_userdata_keeper_set_now (keeper, &request);

  return ear_userdata_keeper_write (keeper, error);
}

static void
set (EarUserdataKeeper *keeper, gint64 position)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (set_episode (keeper, "g1", position, &error));
  g_assert_no_error (error);
}

/* Plays until @place, seeks to @back unless that is -1, and is killed. */
static void
play_until (Fixture *fixture, gint64 now, gint64 place, gint64 back)
{
  EarUserdataKeeper *keeper = ear_userdata_keeper_new (fixture->path, ignore_event, NULL);

  set (keeper, now);
  set (keeper, place);
  if (back >= 0)
    set (keeper, back);
  ear_userdata_keeper_free (keeper);
}

static void
test_newest (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");

  play_until (fixture, 5 * SECOND, 7 * SECOND, -1);
  g_assert_cmpint (load (fixture), ==, 7 * SECOND);

  /* A later change is newer. */
  fixture_open (fixture, 20);
  userdata_test_set_position (fixture->store, episode, 2 * SECOND);
  fixture_close (fixture);
  g_assert_cmpint (load (fixture), ==, 2 * SECOND);
}

/* The clock is set back, while playing or before: the position file still counts as newer
 * than now.json. */
static void
test_clock (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  const EarEpisodeState ahead = { .position = 3 * SECOND, .position_updated = g_get_real_time () + G_TIME_SPAN_HOUR };

  fixture_open (fixture, 20);
  ear_userdata_store_adopt_episode (fixture->store, ear_episode_get_podcast (episode), "g1", NULL, NULL, &ahead);
  fixture_close (fixture);
  play_until (fixture, 5 * SECOND, 7 * SECOND, -1);
  g_assert_cmpint (load (fixture), ==, 7 * SECOND);
  /* A seek right after the line was written is newer than the line. */
  play_until (fixture, 8 * SECOND, 9 * SECOND, 1 * SECOND);
  g_assert_cmpint (load (fixture), ==, 1 * SECOND);
}

/* Damaged content counts as no position. */
static void
test_damaged (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *path = g_strconcat (fixture->path, ".place", NULL);
  g_autofree char *line = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  play_until (fixture, 5 * SECOND, 7 * SECOND, -1);
  g_file_get_contents (path, &line, &length, &error);
  g_assert_no_error (error);
  g_assert_null (strstr (line, "example"));
  for (gsize i = 0; i < length; i += 7)
    {
      const char whole = line[i];

      line[i] ^= 1;
      g_file_set_contents (path, line, (gssize) length, &error);
      g_assert_no_error (error);
      g_assert_cmpint (load (fixture), ==, 5 * SECOND);
      line[i] = whole;
      g_file_set_contents (path, line, (gssize) i, &error);
      g_assert_no_error (error);
      g_assert_cmpint (load (fixture), ==, 5 * SECOND);
    }
}

/* On a full disk, the line of the episode that now.json names is still overwritten, and that of
 * another episode does not replace it. */
static void
test_disk_full (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarUserdataMessage) reply = ear_userdata_message_new (EAR_USERDATA_REQUEST);
  g_autoptr (GError) error = NULL;
  EarUserdataKeeper *keeper;
  struct rlimit limit, full;

  play_until (fixture, 5 * SECOND, 7 * SECOND, -1);
  keeper = ear_userdata_keeper_new (fixture->path, ignore_event, NULL);
  ear_userdata_keeper_load_now (keeper, reply);
  g_assert_cmpint (reply->position, ==, 7 * SECOND);

  /* The line is shorter than this limit, and now.json is longer. */
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  full = limit;
  full.rlim_cur = 100;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &full), ==, 0);
  g_assert_false (set_episode (keeper, "g1", 8 * SECOND, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  g_assert_false (set_episode (keeper, "g2", 1 * SECOND, NULL));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_cmpint (load (fixture), ==, 8 * SECOND);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &full), ==, 0);
  g_assert_false (set_episode (keeper, "g1", 9 * SECOND, NULL));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_cmpint (load (fixture), ==, 9 * SECOND);
  ear_userdata_keeper_free (keeper);
}

int
main (int argc, char **argv)
{
  if (argc == 4 && g_str_equal (argv[1], "--play"))
    return play (argv[2], g_ascii_strtoll (argv[3], NULL, 10));

  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/userdata-place/killed", test_kill);
  g_test_add_func ("/userdata-place/newest", test_newest);
  g_test_add_func ("/userdata-place/clock", test_clock);
  g_test_add_func ("/userdata-place/damaged", test_damaged);
  g_test_add_func ("/userdata-place/disk-full", test_disk_full);

  return g_test_run ();
}
