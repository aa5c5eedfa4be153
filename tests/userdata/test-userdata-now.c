/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include "ear-userdata-keeper.h"

#include <glib/gstdio.h>

/* The current position, which is written every few seconds to a file of its own */

#define ADDRESS "https://example.org/feed.xml"
#define OTHER "https://example.org/other.xml"
#define SECOND G_TIME_SPAN_SECOND

static void
test_now (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) first = userdata_test_new_episode (ADDRESS, "g1");
  g_autoptr (EarEpisode) second = userdata_test_new_episode (OTHER, "g2");
  g_autofree char *first_name = userdata_test_name (ADDRESS);
  g_autofree char *name = userdata_test_name (OTHER);
  g_autofree char *address = NULL, *guid = NULL, *text = NULL;
  g_autoptr (JsonObject) now = NULL, written = NULL;
  gint64 position;
  gsize length;

  fixture_open (fixture, 20);
  g_assert_false (userdata_test_load_now (fixture->store, &address, &guid, &position));
  g_assert_null (address);
  ear_userdata_store_set_now (fixture->store, first, 5 * SECOND, TRUE);
  ear_userdata_store_set_now (fixture->store, first, 10 * SECOND, TRUE);
  ear_userdata_store_set_now (fixture->store, second, 6123456, TRUE);
  fixture_wait_for_text (fixture, "now.json", "\"value\": 6.123456");
  fixture_wait_for_text (fixture, first_name, "\"value\": 10.0");

  text = fixture_read (fixture, "now.json", &length);
  g_assert_cmpuint (length, <, 1024);
  now = fixture_parse (fixture, "now.json");
  g_assert_cmpstr (json_object_get_string_member (now, "guid"), ==, "g2");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (now, "position"), "value"), ==, 6.123456);
  /* The previous episode is in its podcast's file; the current one only after a pause, a
   * switch or the exit. */
  written = fixture_parse_episode (fixture, ADDRESS, "g1");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (written, "position"), "value"), ==, 10.0);
  g_assert_cmpuint (fixture_count (fixture, name), ==, 0);

  /* As if the process had been killed: only now.json exists. */
  fixture_close (fixture);
  g_assert_cmpuint (fixture_count (fixture, name), ==, 1);
  g_clear_pointer (&written, json_object_unref);
  written = fixture_parse_episode (fixture, OTHER, "g2");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (written, "position"), "value"), ==, 6.123456);
  g_clear_pointer (&text, g_free);
  text = g_build_filename (fixture->path, name, NULL);
  g_assert_cmpint (g_remove (text), ==, 0);
  fixture_open (fixture, 20);
  g_assert_true (userdata_test_load_now (fixture->store, &address, &guid, &position));
  g_assert_cmpstr (address, ==, OTHER);
  g_assert_cmpstr (guid, ==, "g2");
  g_assert_cmpint (position, ==, 6123456);
  fixture_flush (fixture);
  g_assert_cmpuint (fixture_count (fixture, name), ==, 1);

  /* A newer position in the podcast's file takes precedence. */
  userdata_test_set_position (fixture->store, second, 50 * SECOND);
  fixture_close (fixture);
  fixture_open (fixture, 20);
  g_clear_pointer (&address, g_free);
  g_clear_pointer (&guid, g_free);
  g_assert_true (userdata_test_load_now (fixture->store, &address, &guid, &position));
  g_assert_cmpint (position, ==, 50 * SECOND);
}

/* While one episode plays, only the position line changes; now.json and the podcast's file
 * get the position when everything is written. */
static void
test_now_playing (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  g_autofree char *line_path = g_strconcat (fixture->path, ".place", NULL);
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *before = NULL, *during = NULL, *address = NULL, *guid = NULL;
  g_autofree char *line = NULL;
  gint64 position;

  fixture_open (fixture, 20);
  ear_userdata_store_set_now (fixture->store, episode, 5 * SECOND, TRUE);
  fixture_wait_for_text (fixture, "now.json", "\"value\": 5.0");
  before = fixture_read (fixture, "now.json", NULL);
  ear_userdata_store_set_now (fixture->store, episode, 10 * SECOND, TRUE);
  while (line == NULL)
    {
      userdata_test_run_for (5);
      g_file_get_contents (line_path, &line, NULL, NULL);
    }
  during = fixture_read (fixture, "now.json", NULL);
  g_assert_cmpstr (during, ==, before);
  g_assert_cmpuint (fixture_count (fixture, name), ==, 0);

  /* The line counts after a kill. */
  {
    g_autoptr (EarUserdataStore) other = g_object_new (EAR_TYPE_USERDATA_STORE, "directory", fixture->path, NULL);

    g_assert_true (userdata_test_load_now (other, &address, &guid, &position));
    g_assert_cmpint (position, ==, 10 * SECOND);
  }
  fixture_flush (fixture);
  fixture_wait_for_text (fixture, "now.json", "\"value\": 10.0");
}

/* Two instances play: now.json belongs to the last one, and the other one's position is
 * kept, too. */
static void
test_now_of_two (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarUserdataStore) other = NULL;
  g_autoptr (EarEpisode) first = userdata_test_new_episode (ADDRESS, "g1");
  g_autoptr (EarEpisode) second = userdata_test_new_episode (OTHER, "g2");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (JsonObject) a = NULL;

  fixture_open (fixture, 20);
  other = g_object_new (EAR_TYPE_USERDATA_STORE, "directory", fixture->path, "delay", 20, NULL);
  ear_userdata_store_set_now (other, first, 33 * SECOND, TRUE);
  fixture_wait_for_text (fixture, "now.json", "\"value\": 33.0");
  ear_userdata_store_set_now (fixture->store, second, 44 * SECOND, TRUE);
  fixture_wait_for_text (fixture, name, "\"value\": 33.0");
  a = fixture_parse_episode (fixture, ADDRESS, "g1");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (a, "position"), "value"), ==, 33.0);
}

static void
ignore_event (EarUserdataMessage *message, gpointer user_data)
{
  ear_userdata_message_free (message);
}

static void
set (EarUserdataKeeper *keeper, const char *address, const char *guid, gint64 position)
{
  const EarEpisodeState state = { .position = position, .position_updated = g_get_real_time () };
  const EarMarkedEpisode episode = { .guid = guid };
  g_autoptr (EarMarks) marks = ear_marks_new (&state, state.position_updated);
  EarUserdataMessage request = { .marks = marks };

  ear_marks_add_podcast (marks, 0, address, NULL, NULL);
  ear_marks_add (marks, 0, 0, episode);
  ear_userdata_keeper_set_now (keeper, &request);
}

static void
write_all (EarUserdataKeeper *keeper)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ear_userdata_keeper_write (keeper, &error));
  g_assert_no_error (error);
}

static void
play (EarUserdataKeeper *keeper, const char *address, const char *guid, gint64 position)
{
  set (keeper, address, guid, position);
  write_all (keeper);
}

static void
assert_position (Fixture *fixture, const char *address, const char *guid, double position)
{
  g_autoptr (JsonObject) episode = fixture_parse_episode (fixture, address, guid);

  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (episode, "position"), "value"), ==, position);
}

/* A kill right after now.json changes to the next episode loses neither the previous
 * one's position, nor the one that another instance had left there. */
static void
test_now_killed (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  EarUserdataKeeper *keeper = ear_userdata_keeper_new (fixture->path, ignore_event, NULL);

  play (keeper, ADDRESS, "g1", 10 * SECOND);
  play (keeper, OTHER, "g2", 1 * SECOND);
  ear_userdata_keeper_free (keeper);
  assert_position (fixture, ADDRESS, "g1", 10);

  keeper = ear_userdata_keeper_new (fixture->path, ignore_event, NULL);
  play (keeper, ADDRESS, "g3", 5 * SECOND);
  ear_userdata_keeper_free (keeper);
  assert_position (fixture, OTHER, "g2", 1);
}

static void
flush (EarUserdataKeeper *keeper)
{
  EarUserdataMessage reply = { 0 };

  ear_userdata_keeper_flush (keeper, &reply);
  g_assert_no_error (reply.error);
}

static void
assert_now (Fixture *fixture, const char *guid, double position)
{
  g_autoptr (JsonObject) now = fixture_parse (fixture, "now.json");

  g_assert_cmpstr (json_object_get_string_member (now, "guid"), ==, guid);
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (now, "position"), "value"), ==, position);
}

/* @user_data: (inout): the folder that another machine writes to, once; %NULL: not yet, or done */
static void
replace_now (EarUserdataMessage *message, gpointer user_data)
{
  Fixture **folder = user_data;

  if (*folder != NULL)
    fixture_write (*folder, "now.json", "{\"version\": 1, \"kind\": \"now\", \"address\": \"" OTHER "\", \"guid\": \"g9\","
                                        " \"position\": {\"value\": 33, \"updated\": \"2026-01-02T00:00:00Z\"}}");
  *folder = NULL;
  ear_userdata_message_free (message);
}

/* Another machine writes its episode to now.json while the podcasts' files are written here. */
static void
test_now_meanwhile (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
  Fixture *folder = NULL;
  EarUserdataKeeper *keeper = ear_userdata_keeper_new (fixture->path, replace_now, &folder);

  play (keeper, ADDRESS, "g1", 10 * SECOND);
  set (keeper, ADDRESS, "g3", 5 * SECOND);
  /* The file has news, which are reported once it is written. */
  fixture_write (fixture, name, "{\"version\": 1, \"kind\": \"podcast\", \"episodes\": {\"g2\": {\"liked\": {\"value\": true, \"updated\": \"2026-01-02T00:00:00Z\"}}}}");
  folder = fixture;
  write_all (keeper);
  g_assert_null (folder);
  assert_now (fixture, "g3", 5);
  assert_position (fixture, OTHER, "g9", 33);
  ear_userdata_keeper_free (keeper);
}

/* A machine whose episode is paused leaves another machine's episode in now.json. */
static void
test_now_paused (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  EarUserdataKeeper *paused = ear_userdata_keeper_new (fixture->path, ignore_event, NULL);
  EarUserdataKeeper *other = ear_userdata_keeper_new (fixture->path, ignore_event, NULL);

  play (paused, ADDRESS, "g1", 10 * SECOND);
  play (paused, ADDRESS, "g1", 11 * SECOND);
  assert_now (fixture, "g1", 10);
  flush (paused);
  assert_now (fixture, "g1", 11);
  play (other, OTHER, "g2", 1 * SECOND);
  flush (paused);
  assert_now (fixture, "g2", 1);
  ear_userdata_keeper_free (other);
  ear_userdata_keeper_free (paused);
}

/* Two machines play, and the line cannot be written: now.json gets the position, but not each. */
static void
test_now_rarely (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *line = g_strconcat (fixture->path, ".place", NULL);
  EarUserdataKeeper *keeper = ear_userdata_keeper_new (fixture->path, ignore_event, NULL);
  EarUserdataKeeper *other = ear_userdata_keeper_new (fixture->path, ignore_event, NULL);

  g_assert_cmpint (g_mkdir_with_parents (line, 0700), ==, 0);
  play (keeper, ADDRESS, "g1", 10 * SECOND);
  play (keeper, ADDRESS, "g1", 11 * SECOND);
  assert_now (fixture, "g1", 10);
  play (other, OTHER, "g2", 1 * SECOND);
  play (keeper, ADDRESS, "g1", 12 * SECOND);
  assert_now (fixture, "g2", 1);
  userdata_test_run_for (5000);
  play (keeper, ADDRESS, "g1", 17 * SECOND);
  assert_now (fixture, "g1", 17);
  ear_userdata_keeper_free (other);
  ear_userdata_keeper_free (keeper);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/userdata-now/now", test_now);
  g_test_add_func ("/userdata-now/now-playing", test_now_playing);
  g_test_add_func ("/userdata-now/now-of-two", test_now_of_two);
  g_test_add_func ("/userdata-now/now-killed", test_now_killed);
  g_test_add_func ("/userdata-now/now-meanwhile", test_now_meanwhile);
  g_test_add_func ("/userdata-now/now-paused", test_now_paused);
  g_test_add_func ("/userdata-now/now-rarely", test_now_rarely);

  return g_test_run ();
}
