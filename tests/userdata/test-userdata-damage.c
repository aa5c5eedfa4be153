/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Damaged files, full disks, and folders that are missing or in the way */

#define GOOD PODCAST_FILE ("\"g1\": {\"liked\": " STAMPED ("true", "2026-01-02") "}")

#define assert_liked(fixture, address, guid) \
  assert_json (fixture, address, "episodes " guid " liked value", "true")

/* The same file is damaged again: the content set aside first is not overwritten. */
static void
test_twice (Fixture *fixture, gconstpointer data)
{
  fixture_open (fixture, 20);
  like (fixture->store, ADDRESS, "g2");
  flush (fixture->store, NULL);
  for (guint i = 0; i < 5; i++)
    {
      const char *content = ear_test_format ("damage %u", i);

      fixture_damage (fixture, ADDRESS, content);
      ear_userdata_store_load_podcast (fixture->store, ADDRESS);
      flush (fixture->store, NULL);
      g_assert_cmpuint (fixture->set_aside->len, ==, i + 1);
      assert_file (fixture, fixture->set_aside->pdata[i], content);
    }
  g_assert_cmpuint (fixture_count (fixture, ".damaged-"), ==, 5);

  /* Data in memory is not lost with the file. */
  set_position (fixture->store, ADDRESS, "g2", 5 * SECOND);
  flush (fixture->store, NULL);
  assert_liked (fixture, ADDRESS, "g2");
}

/* Something other than a readable regular file under a file's name */
static void
test_no_file (Fixture *fixture, gconstpointer kind)
{
  const char *path = fixture_get_path (fixture, ADDRESS);

  g_assert_cmpint (g_mkdir_with_parents (fixture->path, 0700), ==, 0);
  if (g_str_equal (kind, "folder"))
    g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  else if (g_str_equal (kind, "pipe"))
    g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  else if (g_str_equal (kind, "device"))
    g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  else if (g_str_equal (kind, "loop"))
    g_assert_cmpint (symlink (path, path), ==, 0);
  else if (g_str_equal (kind, "unreadable") && geteuid () == 0)
    {
      g_test_skip ("root may read everything");
      return;
    }
  else
    {
      fixture_write (fixture, ADDRESS, GOOD);
      g_assert_cmpint (g_str_equal (kind, "unreadable") ? chmod (path, 0) : truncate (path, 65 * 1024 * 1024), ==, 0);
      fixture_age (fixture, ADDRESS, 60);
    }
  fixture_open (fixture, 20);
  like (fixture->store, ADDRESS, "g2");
  flush (fixture->store, NULL);
  g_assert_cmpuint (fixture->set_aside->len, ==, 1);
  assert_liked (fixture, ADDRESS, "g2");
}

/* A now.json that names no episode is ignored, and not damaged. */
static void
test_hostile_now (Fixture *fixture, gconstpointer members)
{
  fixture_write (fixture, "now.json",
                 ear_test_format ("{\"kind\": \"now\"%s}", (const char *) members));
  fixture_open (fixture, 20);
  g_assert_false (load_now (fixture->store, NULL, NULL, NULL));
  g_assert_cmpuint (fixture->set_aside->len, ==, 0);
}

/* 20,000 episodes: long, but no attack */
static void
test_long_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) episodes = g_string_new (NULL);

  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (episodes, "%s\"g%u\": {\"aliases\": [], \"title\": \"Episode %u\", \"position\": "
                            STAMPED ("%u.5", "2026-01-02") ", \"listened\": " STAMPED ("true", "2026-01-02") "}",
                            i > 0 ? "," : "", i, i, i);
  fixture_write (fixture, ADDRESS, ear_test_format (PODCAST_FILE ("%s"), episodes->str));
  fixture_load (fixture);
  set_position (fixture->store, ADDRESS, "g7", SECOND);
  flush (fixture->store, NULL);
  g_assert_cmpuint (g_hash_table_size (fixture->states), ==, 20000);
  g_assert_cmpuint (fixture->set_aside->len, ==, 0);
}

/* A full disk is reported once; writing is tried again, and nothing is lost. */
static void
test_disk_full (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 20);
  like (fixture->store, ADDRESS, "g1");
  flush (fixture->store, NULL);
  g_autofree char *before = fixture_read (fixture, ADDRESS);

  ear_test_limit_files (64);
  set_position (fixture->store, ADDRESS, "g1", 9 * SECOND);
  play (fixture->store, ADDRESS, "g1", 9 * SECOND);
  like (fixture->store, OTHER, "g2");
  EAR_TEST_WAIT_UNTIL (fixture->n_failed > 0);
  g_assert_cmpint (fixture->failed_code, ==, EAR_ERROR_NO_SPACE);
  g_assert_false (flush (fixture->store, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  ear_test_spin (200);
  g_assert_cmpuint (fixture->n_failed, ==, 1);
  assert_file (fixture, ADDRESS, before);
  g_assert_cmpuint (fixture_count (fixture, ".tmp"), ==, 0);
  ear_test_limit_files (0);

  /* Automatically, without another request */
  fixture_wait_for_text (fixture, OTHER, "true");
  fixture_wait_for_text (fixture, ADDRESS, "\"value\": 9.0");
  assert_liked (fixture, OTHER, "g2");
  assert_liked (fixture, ADDRESS, "g1");
  EAR_TEST_WAIT_UNTIL (fixture_count (fixture, "now.json") == 1);
  assert_json (fixture, ADDRESS, "episodes g1 position value", "9.0");
}

/* The folder cannot be created; works for root, too, whom no permission stops. Each position fails
 * to read its podcast's file, but the listener hears of it once. After many failures the next
 * attempt is far away, but a flush succeeds before it, and later changes are written without such a
 * delay: before another store writes, which waits for 20 s. */
static void
test_no_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *parent = g_path_get_dirname (fixture->path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (parent, "in the way", -1, NULL));
  fixture_open (fixture, 300);
  g_autoptr (GPtrArray) all = load_subscriptions (fixture->store, &error);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_BUSY);
  for (guint i = 1; i <= 5; i++)
    {
      g_autoptr (GError) failure = NULL;

      play (fixture->store, ADDRESS, "g1", i * SECOND);
      g_assert_false (flush (fixture->store, &failure));
    }
  /* Until the store's own attempt, after which the next one is 30 s away */
  ear_test_spin (1100);
  g_assert_cmpuint (fixture->n_failed, ==, 1);
  g_assert_cmpint (g_remove (parent), ==, 0);
  flush (fixture->store, NULL);
  assert_json (fixture, ADDRESS, "episodes g1 position value", "5.0");

  g_autoptr (EarUserdataStore) slow = ear_userdata_store_new (fixture->path, 20000);
  like (slow, OTHER, "slow");
  like (fixture->store, OTHER, "g2");
  EAR_TEST_WAIT_UNTIL (fixture_count (fixture, OTHER) == 1);
  assert_json (fixture, OTHER, "episodes g2 liked value", "true");
  assert_json (fixture, OTHER, "episodes slow", NULL);
}

static void
test_read_only_folder (Fixture *fixture, gconstpointer data)
{
  if (geteuid () == 0)
    {
      g_test_skip ("root may write everywhere");
      return;
    }
  g_assert_cmpint (g_mkdir_with_parents (fixture->path, 0700), ==, 0);
  g_assert_cmpint (chmod (fixture->path, 0500), ==, 0);
  fixture_open (fixture, 20);
  like (fixture->store, OTHER, "g2");
  EAR_TEST_WAIT_UNTIL (fixture->n_failed > 0);
  g_assert_cmpint (fixture->failed_code, ==, EAR_ERROR_NO_SPACE);
  g_assert_cmpint (chmod (fixture->path, 0700), ==, 0);
  EAR_TEST_WAIT_UNTIL (fixture_count (fixture, OTHER) == 1);
}

/* The folder is moved away: it is created again, with everything, and watched again. */
static void
test_folder_vanishes (Fixture *fixture, gconstpointer data)
{
  fixture_open (fixture, 20);
  like (fixture->store, ADDRESS, "g1");
  flush (fixture->store, NULL);
  g_assert_cmpint (g_rename (fixture->path, ear_test_format ("%s.old", fixture->path)), ==, 0);
  like (fixture->store, ADDRESS, "g2");
  flush (fixture->store, NULL);
  assert_liked (fixture, ADDRESS, "g1");
  assert_liked (fixture, ADDRESS, "g2");

  fixture_write (fixture, ADDRESS, PODCAST_FILE ("\"g3\": {\"liked\": " STAMPED ("true", "2026-01-02") "}"));
  EAR_TEST_WAIT_UNTIL (g_hash_table_contains (fixture->states, "g3"));
}

/* Temporary files left by a crash do no harm, and old ones are deleted. */
static void
test_leftovers (Fixture *fixture, gconstpointer data)
{
  fixture_write (fixture, ".earmark-AAAAAA.tmp", "{\"half\": ");
  fixture_write (fixture, ".earmark-BBBBBB.tmp", "{\"half\": ");
  fixture_write (fixture, "else.tmp", "not ours");
  fixture_age (fixture, ".earmark-AAAAAA.tmp", 2 * 24 * 60 * 60);
  fixture_age (fixture, "else.tmp", 2 * 24 * 60 * 60);
  fixture_open (fixture, 20);
  g_autoptr (GPtrArray) all = load_subscriptions (fixture->store, NULL);
  g_assert_cmpuint (fixture_count (fixture, "AAAAAA"), ==, 0);
  g_assert_cmpuint (fixture_count (fixture, "BBBBBB"), ==, 1);
  g_assert_cmpuint (fixture_count (fixture, "else.tmp"), ==, 1);
}

/* Another process holds the lock: nobody waits, and the data is written afterwards. */
static void
test_lock (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_mkdir_with_parents (fixture->path, 0700), ==, 0);
  const char *path = fixture_get_path (fixture, ".lock");
  g_autofd int lock = open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  g_assert_cmpint (flock (lock, LOCK_EX), ==, 0);
  fixture_open (fixture, 10);
  like (fixture->store, OTHER, "g2");
  ear_test_spin (300);
  g_assert_cmpuint (fixture_count (fixture, OTHER), ==, 0);
  g_clear_fd (&lock, NULL);
  flush (fixture->store, NULL);
  g_assert_cmpuint (fixture_count (fixture, OTHER), ==, 1);
}

/* Data too large to be read again is not written: the old content stays. */
static void
test_too_much (Fixture *fixture, gconstpointer kind)
{
  g_autofree char *note = g_strnfill (65 * 1024 * 1024, 'x');
  EarJsonFolder folder = { .path = fixture->path };
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (&folder, name_of (ADDRESS));
  g_autoptr (GError) error = NULL;
  JsonArray *array = json_array_new ();

  fixture_write (fixture, ADDRESS, GOOD);
  g_autoptr (JsonObject) root = ear_userdata_file_open (file, &error);
  g_assert_no_error (error);
  if (g_str_equal (kind, "text"))
    json_object_set_string_member (root, "note", note);
  for (guint i = 0; g_str_equal (kind, "values") && i < 600000; i++)
    json_array_add_array_element (array, json_array_new ());
  json_object_set_array_member (root, "notes", array);
  g_assert_false (ear_userdata_file_close (file, root, TRUE, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
  assert_file (fixture, ADDRESS, GOOD);
  g_assert_cmpuint (fixture_count (fixture, "tmp"), ==, 0);
}

#define NOW(guid, position) ", \"address\": \"" ADDRESS "\", \"guid\": " guid ", \"position\": {\"value\": " position "}"

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/userdata-damage/twice", test_twice },
    { "/userdata-damage/folder", test_no_file, "folder" },
    { "/userdata-damage/pipe", test_no_file, "pipe" },
    { "/userdata-damage/device", test_no_file, "device" },
    { "/userdata-damage/loop", test_no_file, "loop" },
    { "/userdata-damage/too-large", test_no_file, "too large" },
    { "/userdata-damage/unreadable", test_no_file, "unreadable" },
    { "/userdata-damage/hostile-now/nothing", test_hostile_now, "" },
    { "/userdata-damage/hostile-now/file", test_hostile_now,
      ", \"address\": \"file:///etc/passwd\", \"guid\": \"g\", \"position\": {\"value\": 1}" },
    { "/userdata-damage/hostile-now/empty-guid", test_hostile_now, NOW ("\"\"", "1") },
    { "/userdata-damage/hostile-now/no-guid", test_hostile_now, NOW ("[]", "1") },
    { "/userdata-damage/hostile-now/negative", test_hostile_now, NOW ("\"g\"", "-1") },
    { "/userdata-damage/hostile-now/huge", test_hostile_now, NOW ("\"g\"", "1e40") },
    { "/userdata-damage/hostile-now/number", test_hostile_now, ", \"address\": 5, \"guid\": \"g\", \"position\": 1" },
    { "/userdata-damage/long-file", test_long_file },
    { "/userdata-damage/too-much/text", test_too_much, "text" },
    { "/userdata-damage/too-much/values", test_too_much, "values" },
    { "/userdata-damage/disk-full", test_disk_full },
    { "/userdata-damage/no-folder", test_no_folder },
    { "/userdata-damage/read-only-folder", test_read_only_folder },
    { "/userdata-damage/folder-vanishes", test_folder_vanishes },
    { "/userdata-damage/leftovers", test_leftovers },
    { "/userdata-damage/lock", test_lock },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
