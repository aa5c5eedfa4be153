/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include "ear-userdata-keeper.h"

#include <glib/gstdio.h>
#include <string.h>

/* The current position, which is written every few seconds to files of its own: now.json, and a
 * line beside the folder */

static const char *
get_line_path (Fixture *fixture)
{
  return ear_test_format ("%s.place", fixture->path);
}

static void
test_now (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = NULL, *guid = NULL;
  gint64 position;

  fixture_open (fixture, 20);
  g_assert_false (load_now (fixture->store, &address, NULL, &position));
  g_assert_null (address);
  play (fixture->store, ADDRESS, "g1", 5 * SECOND);
  play (fixture->store, ADDRESS, "g1", 10 * SECOND);
  play (fixture->store, OTHER, "g2", 6123456);
  fixture_wait_for_text (fixture, "now.json", "\"value\": 6.123456");
  fixture_wait_for_text (fixture, ADDRESS, "\"value\": 10.0");

  g_autofree char *text = fixture_read (fixture, "now.json");
  g_assert_cmpuint (strlen (text), <, 1024);
  assert_json (fixture, "now.json", "guid", "g2");
  assert_json (fixture, "now.json", "position value", "6.123456");
  /* Only the previous episode is in its podcast's file before a pause, or the exit. */
  assert_json (fixture, ADDRESS, "episodes g1 position value", "10.0");
  g_assert_cmpuint (fixture_count (fixture, OTHER), ==, 0);

  /* As if the process had been killed: only now.json exists. */
  fixture_close (fixture);
  assert_json (fixture, OTHER, "episodes g2 position value", "6.123456");
  g_assert_cmpint (g_remove (fixture_get_path (fixture, OTHER)), ==, 0);
  fixture_open (fixture, 20);
  g_assert_true (load_now (fixture->store, &address, &guid, &position));
  g_assert_cmpstr (address, ==, OTHER);
  g_assert_cmpstr (guid, ==, "g2");
  g_assert_cmpint (position, ==, 6123456);
  flush (fixture->store, NULL);
  g_assert_cmpuint (fixture_count (fixture, OTHER), ==, 1);

  /* A newer position in the podcast's file takes precedence. */
  set_position (fixture->store, OTHER, "g2", 50 * SECOND);
  fixture_reopen (fixture);
  g_assert_true (load_now (fixture->store, NULL, NULL, &position));
  g_assert_cmpint (position, ==, 50 * SECOND);
}

/* --- What the store's thread does ----------------------------------------------------- */

static void
ignore_event (EarUserdataMessage *message, gpointer user_data)
{
  ear_userdata_message_free (message);
}

static EarUserdataKeeper *
keeper_new (Fixture *fixture)
{
  return ear_userdata_keeper_new (fixture->path, ignore_event, NULL);
}

static void
set (EarUserdataKeeper *keeper, const char *address, const char *guid, gint64 position)
{
  g_autoptr (EarEpisode) episode = new_episode (address, guid);
  const EarEpisodeState state = { .position = position, .position_updated = g_get_real_time () };
  g_autoptr (EarMarks) marks = ear_episode_make_marks (episode, &state);
  EarUserdataMessage request = { .marks = marks };

  ear_userdata_keeper_set_now (keeper, &request);
}

static void
advance (EarUserdataKeeper *keeper, const char *address, const char *guid, gint64 position)
{
  g_autoptr (GError) error = NULL;

  set (keeper, address, guid, position);
  g_assert_true (ear_userdata_keeper_write (keeper, &error));
  g_assert_no_error (error);
}

/* A kill right after now.json changes to the next episode loses neither the previous
 * one's position, nor the one that another instance had left there. */
static void
test_now_killed (Fixture *fixture, gconstpointer data)
{
  EarUserdataKeeper *keeper = keeper_new (fixture);

  advance (keeper, ADDRESS, "g1", 10 * SECOND);
  advance (keeper, OTHER, "g2", 1 * SECOND);
  ear_userdata_keeper_free (keeper);
  assert_json (fixture, ADDRESS, "episodes g1 position value", "10.0");

  keeper = keeper_new (fixture);
  advance (keeper, ADDRESS, "g3", 5 * SECOND);
  ear_userdata_keeper_free (keeper);
  assert_json (fixture, OTHER, "episodes g2 position value", "1.0");
}

static void
flush_keeper (EarUserdataKeeper *keeper)
{
  EarUserdataMessage reply = { 0 };

  ear_userdata_keeper_flush (keeper, &reply);
  g_assert_no_error (reply.error);
}

static void
assert_now (Fixture *fixture, const char *guid, const char *position)
{
  assert_json (fixture, "now.json", "guid", guid);
  assert_json (fixture, "now.json", "position value", position);
}

/* @user_data: (inout): the folder that another machine writes to, once; %NULL: not yet, or done */
static void
replace_now (EarUserdataMessage *message, gpointer user_data)
{
  Fixture **folder = user_data;

  if (*folder != NULL)
    fixture_write (*folder, "now.json", "{\"version\": 1, \"kind\": \"now\", \"address\": \"" OTHER "\", \"guid\": \"g9\","
                                        " \"position\": " STAMPED ("33", "2026-01-02") "}");
  *folder = NULL;
  ear_userdata_message_free (message);
}

/* Another machine writes its episode to now.json while the podcasts' files are written here. */
static void
test_now_meanwhile (Fixture *fixture, gconstpointer data)
{
  Fixture *folder = NULL;
  EarUserdataKeeper *keeper = ear_userdata_keeper_new (fixture->path, replace_now, &folder);

  advance (keeper, ADDRESS, "g1", 10 * SECOND);
  set (keeper, ADDRESS, "g3", 5 * SECOND);
  /* The file has news, which are reported once it is written. */
  fixture_write (fixture, ADDRESS, PODCAST_FILE ("\"g2\": {\"liked\": " STAMPED ("true", "2026-01-02") "}"));
  folder = fixture;
  g_assert_true (ear_userdata_keeper_write (keeper, NULL));
  g_assert_null (folder);
  assert_now (fixture, "g3", "5.0");
  assert_json (fixture, OTHER, "episodes g9 position value", "33.0");
  ear_userdata_keeper_free (keeper);
}

/* A machine whose episode is paused leaves another machine's episode in now.json. */
static void
test_now_paused (Fixture *fixture, gconstpointer data)
{
  EarUserdataKeeper *paused = keeper_new (fixture);
  EarUserdataKeeper *other = keeper_new (fixture);

  advance (paused, ADDRESS, "g1", 10 * SECOND);
  advance (paused, ADDRESS, "g1", 11 * SECOND);
  assert_now (fixture, "g1", "10.0");
  flush_keeper (paused);
  assert_now (fixture, "g1", "11.0");
  advance (other, OTHER, "g2", 1 * SECOND);
  flush_keeper (paused);
  assert_now (fixture, "g2", "1.0");
  ear_userdata_keeper_free (other);
  ear_userdata_keeper_free (paused);
}

/* Two machines play, and the line cannot be written: now.json gets the position, but not each. */
static void
test_now_rarely (Fixture *fixture, gconstpointer data)
{
  EarUserdataKeeper *keeper = keeper_new (fixture);
  EarUserdataKeeper *other = keeper_new (fixture);

  g_assert_cmpint (g_mkdir_with_parents (get_line_path (fixture), 0700), ==, 0);
  advance (keeper, ADDRESS, "g1", 10 * SECOND);
  advance (keeper, ADDRESS, "g1", 11 * SECOND);
  assert_now (fixture, "g1", "10.0");
  advance (other, OTHER, "g2", 1 * SECOND);
  advance (keeper, ADDRESS, "g1", 12 * SECOND);
  assert_now (fixture, "g2", "1.0");
  ear_test_spin (5000);
  advance (keeper, ADDRESS, "g1", 17 * SECOND);
  assert_now (fixture, "g1", "17.0");
  ear_userdata_keeper_free (other);
  ear_userdata_keeper_free (keeper);
}

/* --- The line ------------------------------------------------------------------------- */

static gint64
load (Fixture *fixture)
{
  g_autofree char *address = NULL, *guid = NULL;
  gint64 position;

  fixture_open (fixture, 20);
  g_assert_true (load_now (fixture->store, &address, &guid, &position));
  g_assert_cmpstr (address, ==, ADDRESS);
  g_assert_cmpstr (guid, ==, "g1");
  fixture_close (fixture);

  return position;
}

/* Plays until @place, seeks to @back unless that is -1, and is killed. */
static void
play_until (Fixture *fixture, gint64 now, gint64 place, gint64 back)
{
  EarUserdataKeeper *keeper = keeper_new (fixture);

  advance (keeper, ADDRESS, "g1", now);
  advance (keeper, ADDRESS, "g1", place);
  if (back >= 0)
    advance (keeper, ADDRESS, "g1", back);
  ear_userdata_keeper_free (keeper);
}

/* The clock is set back, while playing or before: the line still counts as newer than now.json, and a
 * later change as newer than the line. */
static void
test_clock (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = new_episode (ADDRESS, "g1");
  const EarEpisodeState ahead = { .position = 3 * SECOND, .position_updated = g_get_real_time () + G_TIME_SPAN_HOUR };

  fixture_open (fixture, 20);
  ear_userdata_store_adopt_episode (fixture->store, ear_episode_get_podcast (episode), "g1", NULL, NULL, &ahead);
  fixture_close (fixture);
  play_until (fixture, 5 * SECOND, 7 * SECOND, -1);
  g_assert_cmpint (load (fixture), ==, 7 * SECOND);
  /* A seek right after the line was written is newer than the line. */
  play_until (fixture, 8 * SECOND, 9 * SECOND, 1 * SECOND);
  g_assert_cmpint (load (fixture), ==, 1 * SECOND);
  fixture_open (fixture, 20);
  set_position (fixture->store, ADDRESS, "g1", 2 * SECOND);
  fixture_close (fixture);
  g_assert_cmpint (load (fixture), ==, 2 * SECOND);
}

/* Damaged content counts as no position. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  const char *path = get_line_path (fixture);
  g_autofree char *line = NULL;
  gsize length;

  play_until (fixture, 5 * SECOND, 7 * SECOND, -1);
  g_assert_true (g_file_get_contents (path, &line, &length, NULL));
  g_assert_null (strstr (line, "example"));
  for (gsize i = 0; i < length; i += 7)
    {
      line[i] ^= 1;
      g_assert_true (g_file_set_contents (path, line, (gssize) length, NULL));
      g_assert_cmpint (load (fixture), ==, 5 * SECOND);
      line[i] ^= 1;
      g_assert_true (g_file_set_contents (path, line, (gssize) i, NULL));
      g_assert_cmpint (load (fixture), ==, 5 * SECOND);
    }
}

/* The file size limit is above the size of the line, and below that of now.json. */
static void
advance_with_full_disk (EarUserdataKeeper *keeper, const char *guid, gint64 position)
{
  g_autoptr (GError) error = NULL;

  ear_test_limit_files (100);
  set (keeper, ADDRESS, guid, position);
  g_assert_false (ear_userdata_keeper_write (keeper, &error));
  ear_test_limit_files (0);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
}

/* On a full disk, the line of the episode that now.json names is still overwritten, and that of
 * another episode does not replace it. */
static void
test_disk_full (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarUserdataMessage) reply = g_new0 (EarUserdataMessage, 1);

  play_until (fixture, 5 * SECOND, 7 * SECOND, -1);
  EarUserdataKeeper *keeper = keeper_new (fixture);
  ear_userdata_keeper_load_now (keeper, reply);
  g_assert_cmpint (((EarMarks *) reply->result)->state.position, ==, 7 * SECOND);

  advance_with_full_disk (keeper, "g1", 8 * SECOND);
  advance_with_full_disk (keeper, "g2", 1 * SECOND);
  g_assert_cmpint (load (fixture), ==, 8 * SECOND);
  advance_with_full_disk (keeper, "g1", 9 * SECOND);
  g_assert_cmpint (load (fixture), ==, 9 * SECOND);
  ear_userdata_keeper_free (keeper);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/userdata-now/now", test_now },
    { "/userdata-now/now-killed", test_now_killed },
    { "/userdata-now/now-meanwhile", test_now_meanwhile },
    { "/userdata-now/now-paused", test_now_paused },
    { "/userdata-now/now-rarely", test_now_rarely },
    { "/userdata-place/clock", test_clock },
    { "/userdata-place/damaged", test_damaged },
    { "/userdata-place/disk-full", test_disk_full },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
