/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-state-util.h"

#include "ear-state-keeper.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define ADDRESS "https://example.org/feed.xml"
#define OTHER "https://example.org/other.xml"
#define SECOND G_TIME_SPAN_SECOND

static EarEpisodeState *
told (Fixture *fixture, const char *guid)
{
  EarEpisodeState *state = g_hash_table_lookup (fixture->states, guid);

  g_assert_nonnull (state);

  return state;
}

static gboolean
was_told (gpointer data)
{
  return ((Fixture *) data)->n_podcast_changed > 0;
}

static void
flush (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  state_test_flush (fixture->store, &error);
  g_assert_no_error (error);
}

typedef struct
{
  Fixture *fixture;
  const char *name;
  const char *text;
} Wanted;

static gboolean
has_text (gpointer data)
{
  const Wanted *wanted = data;
  g_autofree char *text = fixture_read (wanted->fixture, wanted->name, NULL);

  return text != NULL && strstr (text, wanted->text) != NULL;
}

/* Until the store has written something by itself. */
static void
wait_for_text (Fixture *fixture, const char *name, const char *text)
{
  Wanted wanted = { fixture, name, text };

  g_assert_true (state_test_wait (has_text, &wanted));
}

/* A podcast's file with one episode, as another machine may write it. */
static char *
file_of (const char *guid, const char *members)
{
  return g_strdup_printf ("{\"version\": 1, \"kind\": \"podcast\", \"addresses\": [\"" ADDRESS "\"], \"episodes\": {\"%s\": {%s}}}", guid, members);
}

static char *
stamped (gint64 stamp)
{
  g_autofree char *text = ear_state_json_format_stamp (stamp);

  return g_strdup_printf ("\"updated\": \"%s\"", text);
}

static void
test_new (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarStateStore) none = g_object_new (EAR_TYPE_STATE_STORE, NULL);
  g_autofree char *directory = NULL;
  guint delay;

  g_assert_finalize_object (ear_state_store_new (fixture->path));
  /* Nothing was set, so nothing is made. */
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));

  g_object_get (none, "directory", &directory, "delay", &delay, NULL);
  g_assert_null (directory);
  g_assert_cmpuint (delay, ==, 500);
}

static void
test_file (void)
{
  static const char expected[] =
    "{\n"
    "  \"version\": 1,\n"
    "  \"kind\": \"podcast\",\n"
    "  \"addresses\": [\n"
    "    \"https://example.org/feed.xml\"\n"
    "  ],\n"
    "  \"title\": \"A podcast\",\n"
    "  \"settings\": {},\n"
    "  \"episodes\": {\n"
    "    \"g1\": {\n"
    "      \"title\": \"Episode g1\",\n"
    "      \"enclosure\": \"https://example.org/g1.mp3\",\n"
    "      \"position\": {\n"
    "        \"value\": 12.345,\n"
    "        \"updated\": \"2026-01-02T03:04:05.000006Z\"\n"
    "      },\n"
    "      \"listened\": {\n"
    "        \"value\": true,\n"
    "        \"updated\": \"2026-01-02T03:04:06.000000Z\"\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";
  const gint64 then = G_GINT64_CONSTANT (1767323045000006);
  const EarEpisodeState state = { .position = 12345000, .position_updated = then, .listened = TRUE, .listened_updated = then + SECOND - 6 };
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = state_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = state_test_name (ADDRESS);
  g_autofree char *path = g_build_filename (fixture->path, name, NULL);
  g_autofree char *text = NULL;
  struct stat info;

  fixture_open (fixture, 60000);
  ear_state_store_set_episode (fixture->store, episode, &state);
  flush (fixture);
  text = fixture_read (fixture, name, NULL);
  g_assert_cmpstr (text, ==, expected);

  /* Addresses may have passwords in them. */
  g_assert_cmpint (stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);

  fixture_close (fixture);
  fixture_open (fixture, 60000);
  ear_state_store_load_podcast (fixture->store, ADDRESS);
  flush (fixture);
  g_assert_cmpuint (fixture->n_podcast_changed, ==, 1);
  g_assert_cmpuint (g_hash_table_size (fixture->states), ==, 1);
  g_assert_cmpmem (told (fixture, "g1"), sizeof state, &state, sizeof state);
  g_assert_cmpuint (fixture_count (fixture, ".tmp"), ==, 0);
}

static guint
count_renames (int notify, const char *name)
{
  char buffer[65536] __attribute__ ((aligned (__alignof__ (struct inotify_event))));
  guint n = 0;
  gssize length;

  while ((length = read (notify, buffer, sizeof buffer)) > 0)
    for (char *at = buffer; at < buffer + length; at += sizeof (struct inotify_event) + ((struct inotify_event *) at)->len)
      n += ((struct inotify_event *) at)->len > 0 && g_str_equal (((struct inotify_event *) at)->name, name);

  return n;
}

/* Many changes are one write; and a flush is one too. */
static void
test_coalescing (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = state_test_new_episode (ADDRESS, "g1");
  g_autoptr (EarEpisode) other = state_test_new_episode (ADDRESS, "g2");
  g_autofree char *name = state_test_name (ADDRESS);
  int notify = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);

  g_assert_cmpint (g_mkdir_with_parents (fixture->path, 0700), ==, 0);
  g_assert_cmpint (inotify_add_watch (notify, fixture->path, IN_MOVED_TO), >=, 0);
  fixture_open (fixture, 300);
  for (guint i = 1; i <= 100; i++)
    state_test_set_position (fixture->store, i % 2 ? episode : other, i * SECOND);
  state_test_run_for (100);
  g_assert_cmpuint (count_renames (notify, name), ==, 0);
  state_test_run_for (600);
  g_assert_cmpuint (count_renames (notify, name), ==, 1);

  for (guint i = 1; i <= 100; i++)
    state_test_set_liked (fixture->store, episode, i % 2);
  flush (fixture);
  g_assert_cmpuint (count_renames (notify, name), ==, 1);
  state_test_run_for (600);
  g_assert_cmpuint (count_renames (notify, name), ==, 0);

  /* What we wrote ourselves is no news. */
  g_assert_cmpuint (fixture->n_podcast_changed, ==, 0);
  close (notify);
}

static void
test_dispose_writes (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = state_test_new_episode (ADDRESS, "g1");
  g_autoptr (JsonObject) written = NULL;

  fixture_open (fixture, 60000);
  state_test_set_liked (fixture->store, episode, TRUE);
  fixture_close (fixture);
  written = fixture_parse_episode (fixture, ADDRESS, "g1");
  g_assert_true (json_object_get_boolean_member (json_object_get_object_member (written, "liked"), "value"));
}

/* Members of a newer version and of other programs stay, wherever they are. */
static void
test_unknown_members (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = state_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = state_test_name (ADDRESS);
  g_autoptr (JsonObject) root = NULL;
  JsonObject *one, *position;

  fixture_write (fixture, name,
                 "{\"version\": 9, \"kind\": \"podcast\", \"mood\": {\"a\": [1, null, 2.5]}, \"settings\": {\"speed\": {\"value\": 1.5}},"
                 " \"addresses\": [\"" ADDRESS "\", \"https://elsewhere.example/\", 7], \"title\": \"Old\", \"episodes\": {"
                 "  \"g0\": {\"title\": \"gone\", \"stars\": 5},"
                 "  \"g1\": {\"stars\": 4, \"position\": {\"value\": 1, \"device\": \"phone\", \"updated\": \"2026-01-01T00:00:00Z\"}},"
                 "  \"odd\": 17}}");
  fixture_open (fixture, 60000);
  state_test_set_position (fixture->store, episode, 90 * SECOND);
  flush (fixture);

  root = fixture_parse (fixture, name);
  g_assert_cmpint (json_object_get_int_member (root, "version"), ==, 9);
  g_assert_cmpstr (json_object_get_string_member (root, "title"), ==, "A podcast");
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (json_object_get_object_member (root, "mood"), "a")), ==, 3);
  g_assert_true (json_object_has_member (json_object_get_object_member (root, "settings"), "speed"));
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (root, "addresses")), ==, 3);
  one = json_object_get_object_member (json_object_get_object_member (root, "episodes"), "g1");
  position = json_object_get_object_member (one, "position");
  g_assert_cmpint (json_object_get_int_member (one, "stars"), ==, 4);
  g_assert_cmpstr (json_object_get_string_member (position, "device"), ==, "phone");
  g_assert_cmpfloat (json_object_get_double_member (position, "value"), ==, 90.0);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (json_object_get_object_member (root, "episodes"), "g0"), "stars"), ==, 5);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (root, "episodes"), "odd"), ==, 17);
}

/* Changes from outside: only what is newer is told, and what is older put right again. */
static void
test_outside (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = state_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = state_test_name (ADDRESS);
  const gint64 now = g_get_real_time ();
  g_autofree char *older = stamped (now - 3600 * SECOND);
  g_autofree char *newer = stamped (now + 3600 * SECOND);
  g_autofree char *members = g_strdup_printf ("\"position\": {\"value\": 5, %s}, \"listened\": {\"value\": true, %s}", older, newer);
  g_autofree char *text = file_of ("g1", members);
  g_autoptr (JsonObject) written = NULL;

  fixture_open (fixture, 20);
  ear_state_store_load_podcast (fixture->store, ADDRESS);
  state_test_set_position (fixture->store, episode, 77 * SECOND);
  flush (fixture);

  fixture_write (fixture, name, text);
  g_assert_true (state_test_wait (was_told, fixture));
  g_assert_true (told (fixture, "g1")->listened);
  g_assert_cmpint (told (fixture, "g1")->listened_updated, ==, now + 3600 * SECOND);
  g_assert_cmpint (told (fixture, "g1")->position_updated, ==, 0);
  g_assert_cmpint (told (fixture, "g1")->liked_updated, ==, 0);

  wait_for_text (fixture, name, "\"value\": 77.0");
  written = fixture_parse_episode (fixture, ADDRESS, "g1");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (written, "position"), "value"), ==, 77.0);
  g_assert_true (json_object_get_boolean_member (json_object_get_object_member (written, "listened"), "value"));
  g_assert_cmpuint (fixture->n_podcast_changed, ==, 1);
}

/* A person changes a value in an editor and leaves the stamp: that is meant. */
static void
test_edited_by_hand (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = state_test_name (ADDRESS);
  g_autofree char *path = g_build_filename (fixture->path, name, NULL);
  g_autofree char *before = file_of ("g1", "\"listened\": {\"value\": false, \"updated\": \"2026-01-02T00:00:00Z\"}");
  g_autofree char *after = file_of ("g1", "\"listened\": {\"value\": true, \"updated\": \"2026-01-02T00:00:00Z\"}");
  g_autoptr (JsonObject) written = NULL;
  FILE *file;

  fixture_write (fixture, name, before);
  fixture_open (fixture, 20);
  ear_state_store_load_podcast (fixture->store, ADDRESS);
  flush (fixture);
  g_assert_false (told (fixture, "g1")->listened);
  fixture_forget (fixture);

  /* In place, and in two parts: what is found in between is no damage. */
  file = fopen (path, "w");
  fwrite (after, 1, 40, file);
  fflush (file);
  g_usleep (400 * 1000);
  fputs (after + 40, file);
  fclose (file);
  g_assert_true (state_test_wait (was_told, fixture));
  g_assert_true (told (fixture, "g1")->listened);
  wait_for_text (fixture, name, "2026-01-02T00:00:00.000001Z");
  written = fixture_parse_episode (fixture, ADDRESS, "g1");
  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (written, "listened"), "updated"), ==, "2026-01-02T00:00:00.000001Z");
  g_assert_cmpuint (fixture->set_aside->len, ==, 0);
}

#define N_OF_TWO 60

static gboolean
are_all_told (gpointer data)
{
  return g_hash_table_size (((Fixture *) data)->states) == N_OF_TWO;
}

/* Two instances on one folder, of the same podcast, taking turns and at once. */
static void
test_two_stores (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarStateStore) other = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);

  fixture_open (fixture, 5);
  other = g_object_new (EAR_TYPE_STATE_STORE, "directory", fixture->path, "delay", 3, NULL);
  ear_state_store_load_podcast (fixture->store, ADDRESS);
  ear_state_store_load_podcast (other, ADDRESS);
  for (guint i = 0; i < N_OF_TWO; i++)
    {
      g_autofree char *guid = g_strdup_printf ("g%u", i);
      EarEpisode *episode = state_test_new_episode (ADDRESS, guid);

      g_ptr_array_add (episodes, episode);
      state_test_set_position (i % 2 ? fixture->store : other, episode, (i + 1) * SECOND);
      state_test_set_liked (i % 2 ? other : fixture->store, episode, TRUE);
      state_test_run_for (i % 7);
    }
  /* One of them is changed by both: the last one wins. */
  for (guint i = 0; i < 20; i++)
    {
      state_test_set_position (i % 2 ? fixture->store : other, episodes->pdata[0], (100 + i) * SECOND);
      state_test_run_for (i % 5);
    }
  flush (fixture);
  state_test_flush (other, &error);
  g_assert_no_error (error);

  for (guint i = 0; i < N_OF_TWO; i++)
    {
      const char *guid = ear_episode_get_guid (episodes->pdata[i]);
      g_autoptr (JsonObject) written = fixture_parse_episode (fixture, ADDRESS, guid);

      g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (written, "position"), "value"), ==, i == 0 ? 119.0 : i + 1.0);
      g_assert_true (json_object_get_boolean_member (json_object_get_object_member (written, "liked"), "value"));
    }
  /* What the other one did was told. */
  g_assert_true (state_test_wait (are_all_told, fixture));
  g_ptr_array_unref (episodes);
}

static void
test_clock (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) soon = state_test_new_episode (ADDRESS, "soon");
  g_autoptr (EarEpisode) late = state_test_new_episode (ADDRESS, "late");
  g_autoptr (EarEpisode) old = state_test_new_episode (ADDRESS, "old");
  g_autofree char *name = state_test_name (ADDRESS);
  const gint64 ahead = g_get_real_time () + 3600 * SECOND;
  const EarEpisodeState stale = { .liked = FALSE, .liked_updated = g_get_real_time () - 60 * SECOND };
  g_autofree char *hour = stamped (ahead);
  g_autofree char *text = g_strdup_printf ("{\"version\": 1, \"kind\": \"podcast\", \"episodes\": {\"soon\": {\"liked\": {\"value\": true, %s}},"
                                           " \"late\": {\"liked\": {\"value\": true, \"updated\": \"2101-01-01T00:00:00Z\"}},"
                                           " \"old\": {\"liked\": {\"value\": true, %s}}}}",
                                           hour, hour);
  g_autoptr (JsonObject) a = NULL, b = NULL, c = NULL;
  g_autofree char *after = ear_state_json_format_stamp (ahead + 1);

  fixture_write (fixture, name, text);
  fixture_open (fixture, 60000);
  ear_state_store_load_podcast (fixture->store, ADDRESS);
  state_test_set_liked (fixture->store, soon, FALSE);
  state_test_set_liked (fixture->store, late, FALSE);
  ear_state_store_set_episode (fixture->store, old, &stale);
  flush (fixture);

  /* Nobody downstream is told a stamp that nothing could ever beat. */
  g_assert_cmpint (told (fixture, "late")->liked_updated, ==, EAR_STATE_OLDEST);
  a = fixture_parse_episode (fixture, ADDRESS, "soon");
  b = fixture_parse_episode (fixture, ADDRESS, "late");
  c = fixture_parse_episode (fixture, ADDRESS, "old");
  g_assert_false (json_object_get_boolean_member (json_object_get_object_member (a, "liked"), "value"));
  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (a, "liked"), "updated"), ==, after);
  g_assert_false (json_object_get_boolean_member (json_object_get_object_member (b, "liked"), "value"));
  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (b, "liked"), "updated"), <, after);
  g_assert_true (json_object_get_boolean_member (json_object_get_object_member (c, "liked"), "value"));
}

/* An episode whose guid the feed changed is found by the other name. */
static void
test_aliases (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = state_test_new_episode (ADDRESS, "new");
  g_autofree char *name = state_test_name (ADDRESS);
  g_autofree char *text = file_of ("old", "\"aliases\": [\"new\", 5, null], \"position\": {\"value\": 5, \"updated\": \"2026-01-02T00:00:00Z\"}");
  g_autoptr (JsonObject) written = NULL, root = NULL;

  fixture_write (fixture, name, text);
  fixture_open (fixture, 60000);
  ear_state_store_load_podcast (fixture->store, ADDRESS);
  state_test_set_position (fixture->store, episode, 8 * SECOND);
  flush (fixture);
  g_assert_cmpint (told (fixture, "new")->position, ==, 5 * SECOND);
  g_assert_cmpint (told (fixture, "old")->position, ==, 5 * SECOND);
  written = fixture_parse_episode (fixture, ADDRESS, "old");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (written, "position"), "value"), ==, 8.0);
  root = fixture_parse (fixture, name);
  g_assert_cmpuint (json_object_get_size (json_object_get_object_member (root, "episodes")), ==, 1);
}

/* Synchronising programs keep both of two files that were changed at once. */
static void
test_conflict_copies (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = state_test_name (ADDRESS);
  g_autofree char *hash = g_strndup (name, 32);
  g_autofree char *syncthing = g_strconcat (hash, ".sync-conflict-20260102-030405-ABCDEFG.json", NULL);
  g_autofree char *nextcloud = g_strconcat (hash, " (conflicted copy 2026-01-02 030405).json", NULL);
  g_autofree char *ours = file_of ("g1", "\"position\": {\"value\": 5, \"updated\": \"2026-01-02T00:00:00Z\"}");
  g_autofree char *theirs = file_of ("g1", "\"position\": {\"value\": 6, \"updated\": \"2026-01-03T00:00:00Z\"}");
  g_autofree char *third = file_of ("g2", "\"liked\": {\"value\": true, \"updated\": \"2026-01-03T00:00:00Z\"}");

  fixture_write (fixture, name, ours);
  fixture_write (fixture, syncthing, theirs);
  fixture_write (fixture, "now.sync-conflict-20260102-030405-ABCDEFG.json",
                 "{\"version\": 1, \"kind\": \"now\", \"address\": \"" OTHER "\", \"guid\": \"o1\", \"position\": {\"value\": 9, \"updated\": \"2026-01-03T00:00:00Z\"}}");
  fixture_open (fixture, 20);
  ear_state_store_load_podcast (fixture->store, ADDRESS);
  ear_state_store_load_podcast (fixture->store, OTHER);
  flush (fixture);
  g_assert_cmpint (told (fixture, "g1")->position, ==, 6 * SECOND);
  g_assert_cmpint (told (fixture, "o1")->position, ==, 9 * SECOND);

  /* And one that comes later */
  fixture_forget (fixture);
  fixture_write (fixture, nextcloud, third);
  g_assert_true (state_test_wait (was_told, fixture));
  g_assert_true (told (fixture, "g2")->liked);
  g_assert_cmpuint (g_hash_table_size (fixture->states), ==, 1);
  g_assert_cmpuint (fixture_count (fixture, ".merged-"), ==, 3);
  g_assert_cmpuint (fixture_count (fixture, "conflict"), ==, 3);
}

static void
test_now (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) first = state_test_new_episode (ADDRESS, "g1");
  g_autoptr (EarEpisode) second = state_test_new_episode (OTHER, "g2");
  g_autofree char *first_name = state_test_name (ADDRESS);
  g_autofree char *name = state_test_name (OTHER);
  g_autofree char *address = NULL, *guid = NULL, *text = NULL;
  g_autoptr (JsonObject) now = NULL, written = NULL;
  gint64 position;
  gsize length;

  fixture_open (fixture, 20);
  g_assert_false (state_test_load_now (fixture->store, &address, &guid, &position));
  g_assert_null (address);
  ear_state_store_set_now (fixture->store, first, 5 * SECOND);
  ear_state_store_set_now (fixture->store, first, 10 * SECOND);
  ear_state_store_set_now (fixture->store, second, 1 * SECOND);
  ear_state_store_set_now (fixture->store, second, 6123456);
  wait_for_text (fixture, "now.json", "\"value\": 6.123456");
  wait_for_text (fixture, first_name, "\"value\": 10.0");

  text = fixture_read (fixture, "now.json", &length);
  g_assert_cmpuint (length, <, 1024);
  now = fixture_parse (fixture, "now.json");
  g_assert_cmpstr (json_object_get_string_member (now, "guid"), ==, "g2");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (now, "position"), "value"), ==, 6.123456);
  /* The episode before is in its podcast's file; this one not before pause, switch or exit. */
  written = fixture_parse_episode (fixture, ADDRESS, "g1");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (written, "position"), "value"), ==, 10.0);
  g_assert_cmpuint (fixture_count (fixture, name), ==, 0);

  /* As if it had been killed: only now.json is there. */
  fixture_close (fixture);
  g_assert_cmpuint (fixture_count (fixture, name), ==, 1);
  g_clear_pointer (&written, json_object_unref);
  written = fixture_parse_episode (fixture, OTHER, "g2");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (written, "position"), "value"), ==, 6.123456);
  g_clear_pointer (&text, g_free);
  text = g_build_filename (fixture->path, name, NULL);
  g_assert_cmpint (g_remove (text), ==, 0);
  fixture_open (fixture, 20);
  g_assert_true (state_test_load_now (fixture->store, &address, &guid, &position));
  g_assert_cmpstr (address, ==, OTHER);
  g_assert_cmpstr (guid, ==, "g2");
  g_assert_cmpint (position, ==, 6123456);
  flush (fixture);
  g_assert_cmpuint (fixture_count (fixture, name), ==, 1);

  /* A newer position in the podcast's file is the one to go on from. */
  state_test_set_position (fixture->store, second, 50 * SECOND);
  fixture_close (fixture);
  fixture_open (fixture, 20);
  g_clear_pointer (&address, g_free);
  g_clear_pointer (&guid, g_free);
  g_assert_true (state_test_load_now (fixture->store, &address, &guid, &position));
  g_assert_cmpint (position, ==, 50 * SECOND);
}

/* Two instances play: now.json is the last one's, and the other one's position is kept too. */
static void
test_now_of_two (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarStateStore) other = NULL;
  g_autoptr (EarEpisode) first = state_test_new_episode (ADDRESS, "g1");
  g_autoptr (EarEpisode) second = state_test_new_episode (OTHER, "g2");
  g_autofree char *name = state_test_name (ADDRESS);
  g_autoptr (JsonObject) a = NULL;

  fixture_open (fixture, 20);
  other = g_object_new (EAR_TYPE_STATE_STORE, "directory", fixture->path, "delay", 20, NULL);
  ear_state_store_set_now (other, first, 33 * SECOND);
  wait_for_text (fixture, "now.json", "\"value\": 33.0");
  ear_state_store_set_now (fixture->store, second, 44 * SECOND);
  wait_for_text (fixture, name, "\"value\": 33.0");
  a = fixture_parse_episode (fixture, ADDRESS, "g1");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (a, "position"), "value"), ==, 33.0);
}

static void
ignore_event (EarStateEvent *event, gpointer user_data)
{
  ear_state_event_free (event);
}

static void
play (EarStateKeeper *keeper, const char *address, const char *guid, gint64 position)
{
  EarStateDeed *deed = g_new0 (EarStateDeed, 1);
  g_autoptr (GError) error = NULL;

  deed->address = g_strdup (address);
  deed->guid = g_strdup (guid);
  deed->done = g_get_real_time ();
  deed->state.position = position;
  deed->state.position_updated = deed->done;
  ear_state_keeper_set_now (keeper, deed);
  g_assert_true (ear_state_keeper_write_now (keeper, &error));
  g_assert_no_error (error);
}

static void
assert_position (Fixture *fixture, const char *address, const char *guid, double position)
{
  g_autoptr (JsonObject) episode = fixture_parse_episode (fixture, address, guid);

  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (episode, "position"), "value"), ==, position);
}

/* Whoever is killed as soon as now.json is the next episode's has lost nothing of the one before, nor of
 * what another instance had left there. */
static void
test_now_killed (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  EarStateKeeper *keeper = ear_state_keeper_new (fixture->path, ignore_event, NULL);

  play (keeper, ADDRESS, "g1", 10 * SECOND);
  play (keeper, OTHER, "g2", 1 * SECOND);
  ear_state_keeper_free (keeper);
  assert_position (fixture, ADDRESS, "g1", 10);

  keeper = ear_state_keeper_new (fixture->path, ignore_event, NULL);
  play (keeper, ADDRESS, "g3", 5 * SECOND);
  ear_state_keeper_free (keeper);
  assert_position (fixture, OTHER, "g2", 1);
}

static gboolean
subscriptions_told (gpointer data)
{
  return ((Fixture *) data)->n_subscriptions_changed > 0;
}

static void
test_subscriptions (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarSubscription) follow = ear_subscription_new (ADDRESS, NULL, "A podcast", TRUE, g_get_real_time ());
  g_autoptr (EarSubscription) unfollow = ear_subscription_new (ADDRESS, NULL, NULL, FALSE, 0);
  g_autoptr (EarSubscription) rename = ear_subscription_new (ADDRESS, OTHER, "A new title", TRUE, 0);
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;
  gboolean first_start;

  fixture_open (fixture, 20);
  all = state_test_load_subscriptions (fixture->store, &first_start, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 0);
  g_assert_true (first_start);
  ear_state_store_set_subscription (fixture->store, follow);
  rename->updated = g_get_real_time ();
  ear_state_store_set_subscription (fixture->store, rename);
  g_clear_pointer (&all, g_ptr_array_unref);
  flush (fixture);

  fixture_close (fixture);
  fixture_open (fixture, 20);
  all = state_test_load_subscriptions (fixture->store, &first_start, &error);
  g_assert_no_error (error);
  g_assert_false (first_start);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpstr (((EarSubscription *) all->pdata[0])->address, ==, ADDRESS);
  g_assert_cmpstr (((EarSubscription *) all->pdata[0])->feed_address, ==, OTHER);
  g_assert_cmpstr (((EarSubscription *) all->pdata[0])->title, ==, "A new title");
  g_assert_cmpint (((EarSubscription *) all->pdata[0])->updated, ==, follow->updated);
  g_assert_true (((EarSubscription *) all->pdata[0])->followed);
  unfollow->updated = g_get_real_time ();
  ear_state_store_set_subscription (fixture->store, unfollow);
  g_clear_pointer (&all, g_ptr_array_unref);

  /* Unfollowed, it is not a first start; and stays unfollowed. */
  fixture_close (fixture);
  fixture_open (fixture, 20);
  all = state_test_load_subscriptions (fixture->store, &first_start, &error);
  g_assert_no_error (error);
  g_assert_false (first_start);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_false (((EarSubscription *) all->pdata[0])->followed);
  g_assert_cmpuint (fixture->n_subscriptions_changed, ==, 0);
}

static void
test_subscriptions_outside (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarSubscription) unfollow = ear_subscription_new (ADDRESS, NULL, "A podcast", FALSE, g_get_real_time ());
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) root = NULL;
  JsonObject *podcasts;

  fixture_open (fixture, 20);
  ear_state_store_set_subscription (fixture->store, unfollow);
  flush (fixture);
  /* An older file of another machine, with additions by hand and by an enemy */
  fixture_write (fixture, "subscriptions.json",
                 "{\"version\": 2, \"kind\": \"subscriptions\", \"folders\": [], \"podcasts\": {"
                 " \"" ADDRESS "\": {\"stars\": 5, \"followed\": {\"value\": true, \"updated\": \"2026-01-01T00:00:00Z\"}},"
                 " \"" OTHER "\": {},"
                 " \"javascript:alert(1)\": {}, \"file:///etc/passwd\": {\"followed\": true}, \"\": {}, \"https://a.example/\": 5,"
                 " \"https://b.example/\": {\"title\": 5, \"feed\": \"file:///etc/passwd\", \"followed\": true},"
                 " \"https://c.example/\": {\"followed\": \"maybe\"}}}");
  g_assert_true (state_test_wait (subscriptions_told, fixture));
  g_assert_cmpuint (fixture->subscriptions->len, ==, 3);
  for (guint i = 0; i < fixture->subscriptions->len; i++)
    {
      const EarSubscription *one = fixture->subscriptions->pdata[i];

      g_assert_cmpint (one->followed, ==, !g_str_equal (one->address, ADDRESS));
      g_assert_null (one->feed_address);
    }
  wait_for_text (fixture, "subscriptions.json", "\"value\": false");
  root = fixture_parse (fixture, "subscriptions.json");
  podcasts = json_object_get_object_member (root, "podcasts");
  g_assert_true (json_object_has_member (root, "folders"));
  g_assert_cmpint (json_object_get_int_member (root, "version"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (podcasts, ADDRESS), "stars"), ==, 5);
  g_assert_false (json_object_get_boolean_member (json_object_get_object_member (json_object_get_object_member (podcasts, ADDRESS), "followed"), "value"));
  g_assert_cmpuint (fixture->n_subscriptions_changed, ==, 1);
}

/* State but no subscriptions: somebody was here before, and nothing is followed on their behalf. */
static void
test_first_start (void)
{
  static const char *const names[] = { "now.json", "subscriptions.json.damaged-20260101T000000.000000Z", "0123456789abcdef0123456789abcdef.json" };
  gboolean first_start;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (Fixture) fixture = fixture_new ();
      g_autoptr (GPtrArray) all = NULL;
      g_autoptr (GError) error = NULL;

      fixture_write (fixture, names[i], "{}");
      fixture_open (fixture, 20);
      all = state_test_load_subscriptions (fixture->store, &first_start, &error);
      g_assert_no_error (error);
      g_assert_false (first_start);
    }
}

static void
result_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* Cancelling only means that nobody waits: what was set is written all the same. */
static void
test_cancel (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = state_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = state_test_name (ADDRESS);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 60000);
  state_test_set_liked (fixture->store, episode, TRUE);
  ear_state_store_flush_async (fixture->store, cancellable, result_cb, &result);
  g_cancellable_cancel (cancellable);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (ear_state_store_flush_finish (fixture->store, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_object (&result);
  g_assert_cmpuint (fixture_count (fixture, name), ==, 1);
}

/* The last reference goes while the thread still has something to answer. */
static void
test_dropped_early (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();

  for (guint i = 0; i < 50; i++)
    {
      EarStateStore *store = ear_state_store_new (fixture->path);
      gpointer watched = store;

      g_object_add_weak_pointer (G_OBJECT (store), &watched);
      ear_state_store_flush_async (store, NULL, NULL, NULL);
      ear_state_store_load_podcast (store, ADDRESS);
      ear_state_store_load_now_async (store, NULL, NULL, NULL);
      g_object_unref (store);
      while (watched != NULL)
        g_main_context_iteration (NULL, TRUE);
    }
}

static void
test_symlinked_folder (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = state_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = state_test_name (ADDRESS);
  g_autofree char *real = g_build_filename (fixture->top, "synchronised", NULL);
  g_autofree char *parent = g_path_get_dirname (fixture->path);
  g_autofree char *path = g_build_filename (real, name, NULL);

  g_assert_cmpint (g_mkdir (real, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (parent, 0700), ==, 0);
  g_assert_cmpint (symlink (real, fixture->path), ==, 0);
  fixture_open (fixture, 20);
  state_test_set_liked (fixture->store, episode, TRUE);
  flush (fixture);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_IS_SYMLINK));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/state-store/new", test_new);
  g_test_add_func ("/state-store/file", test_file);
  g_test_add_func ("/state-store/coalescing", test_coalescing);
  g_test_add_func ("/state-store/dispose-writes", test_dispose_writes);
  g_test_add_func ("/state-store/unknown-members", test_unknown_members);
  g_test_add_func ("/state-store/outside", test_outside);
  g_test_add_func ("/state-store/edited-by-hand", test_edited_by_hand);
  g_test_add_func ("/state-store/two-stores", test_two_stores);
  g_test_add_func ("/state-store/clock", test_clock);
  g_test_add_func ("/state-store/aliases", test_aliases);
  g_test_add_func ("/state-store/conflict-copies", test_conflict_copies);
  g_test_add_func ("/state-store/now", test_now);
  g_test_add_func ("/state-store/now-of-two", test_now_of_two);
  g_test_add_func ("/state-store/now-killed", test_now_killed);
  g_test_add_func ("/state-store/subscriptions", test_subscriptions);
  g_test_add_func ("/state-store/subscriptions-outside", test_subscriptions_outside);
  g_test_add_func ("/state-store/first-start", test_first_start);
  g_test_add_func ("/state-store/cancel", test_cancel);
  g_test_add_func ("/state-store/dropped-early", test_dropped_early);
  g_test_add_func ("/state-store/symlinked-folder", test_symlinked_folder);

  return g_test_run ();
}
