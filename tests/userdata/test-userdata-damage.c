/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include "ear-userdata-file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define ADDRESS "https://example.org/feed.xml"
#define OTHER "https://example.org/other.xml"
#define SECOND G_TIME_SPAN_SECOND
#define GOOD "{\"version\": 1, \"kind\": \"podcast\", \"episodes\": {\"g1\": {\"liked\": {\"value\": true, \"updated\": \"2026-01-02T00:00:00Z\"}}}}"

static gboolean
is_liked (Fixture *fixture, const char *address, const char *guid)
{
  g_autoptr (JsonObject) episode = fixture_parse_episode (fixture, address, guid);

  return json_object_get_boolean_member (json_object_get_object_member (episode, "liked"), "value");
}

static void
check_set_aside (Fixture *fixture, const char *content, gsize length)
{
  g_autofree char *kept = NULL;
  gsize kept_length = 0;

  g_assert_cmpuint (fixture->set_aside->len, ==, 1);
  kept = fixture_read (fixture, fixture->set_aside->pdata[0], &kept_length);
  g_assert_cmpmem (kept, kept_length, content, length);
}

/* Any damaged content is set aside unchanged, and everything else works. */
static void
test_content (gconstpointer data)
{
  const char *content = data;
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g2");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (GError) error = NULL;

  fixture_write (fixture, name, content);
  fixture_age (fixture, name, 60);
  fixture_open (fixture, 20);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  userdata_test_set_liked (fixture->store, episode, TRUE);
  userdata_test_flush (fixture->store, &error);
  g_assert_no_error (error);
  check_set_aside (fixture, content, strlen (content));
  g_assert_true (is_liked (fixture, ADDRESS, "g2"));
  g_assert_cmpuint (fixture->n_failed, ==, 0);
  g_assert_cmpuint (fixture->n_podcast_changed, ==, 0);
}

/* The same file is damaged again: the content set aside first is not overwritten. */
static void
test_twice (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g2");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 20);
  userdata_test_set_liked (fixture->store, episode, TRUE);
  userdata_test_flush (fixture->store, &error);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *content = g_strdup_printf ("damage %u", i);
      g_autofree char *kept = NULL;

      fixture_write (fixture, name, content);
      fixture_age (fixture, name, 60);
      ear_userdata_store_load_podcast (fixture->store, ADDRESS);
      userdata_test_flush (fixture->store, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (fixture->set_aside->len, ==, i + 1);
      kept = fixture_read (fixture, fixture->set_aside->pdata[i], NULL);
      g_assert_cmpstr (kept, ==, content);
    }
  g_assert_cmpuint (fixture_count (fixture, ".damaged-"), ==, 5);

  /* Data in memory is not lost with the file. */
  userdata_test_set_position (fixture->store, episode, 5 * SECOND);
  userdata_test_flush (fixture->store, &error);
  g_assert_no_error (error);
  g_assert_true (is_liked (fixture, ADDRESS, "g2"));
}

/* Something other than a regular file under a file's name */
static void
test_no_file (gconstpointer data)
{
  const char *kind = data;
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g2");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *path = g_build_filename (fixture->path, name, NULL);
  g_autoptr (GError) error = NULL;
  int file;

  g_assert_cmpint (g_mkdir_with_parents (fixture->path, 0700), ==, 0);
  if (g_str_equal (kind, "folder"))
    g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  else if (g_str_equal (kind, "pipe"))
    g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  else if (g_str_equal (kind, "device"))
    g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  else if (g_str_equal (kind, "loop"))
    g_assert_cmpint (symlink (name, path), ==, 0);
  else
    {
      file = open (path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
      g_assert_cmpint (ftruncate (file, 65 * 1024 * 1024), ==, 0);
      close (file);
      fixture_age (fixture, name, 60);
    }
  fixture_open (fixture, 20);
  userdata_test_set_liked (fixture->store, episode, TRUE);
  userdata_test_flush (fixture->store, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture->set_aside->len, ==, 1);
  g_assert_true (is_liked (fixture, ADDRESS, "g2"));
}

static void
test_unreadable (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g2");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *path = g_build_filename (fixture->path, name, NULL);
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("root may read everything");
      return;
    }
  fixture_write (fixture, name, GOOD);
  g_assert_cmpint (chmod (path, 0), ==, 0);
  fixture_open (fixture, 20);
  userdata_test_set_liked (fixture->store, episode, TRUE);
  userdata_test_flush (fixture->store, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture->set_aside->len, ==, 1);
}

/* The other files, too; a damaged now.json does not prevent the start. */
static void
test_other_files (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;
  gboolean first_start;

  fixture_write (fixture, "subscriptions.json", "{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {");
  fixture_write (fixture, "now.json", "\x01\x02");
  fixture_age (fixture, "subscriptions.json", 60);
  fixture_age (fixture, "now.json", 60);
  fixture_open (fixture, 20);
  all = userdata_test_load_subscriptions (fixture->store, &first_start, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 0);
  g_assert_false (first_start);
  g_assert_false (userdata_test_load_now (fixture->store, NULL, NULL, NULL));
  g_assert_cmpuint (fixture->set_aside->len, ==, 2);
}

static void
test_hostile_now (void)
{
  static const char *const texts[] = {
    "{\"kind\": \"now\"}",
    "{\"kind\": \"now\", \"address\": \"file:///etc/passwd\", \"guid\": \"g\", \"position\": {\"value\": 1}}",
    "{\"kind\": \"now\", \"address\": \"" ADDRESS "\", \"guid\": \"\", \"position\": {\"value\": 1}}",
    "{\"kind\": \"now\", \"address\": \"" ADDRESS "\", \"guid\": [], \"position\": {\"value\": 1}}",
    "{\"kind\": \"now\", \"address\": \"" ADDRESS "\", \"guid\": \"g\", \"position\": {\"value\": -1}}",
    "{\"kind\": \"now\", \"address\": \"" ADDRESS "\", \"guid\": \"g\", \"position\": {\"value\": 1e40}}",
    "{\"kind\": \"now\", \"address\": 5, \"guid\": \"g\", \"position\": 1}",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (Fixture) fixture = fixture_new ();

      fixture_write (fixture, "now.json", texts[i]);
      fixture_open (fixture, 20);
      g_assert_false (userdata_test_load_now (fixture->store, NULL, NULL, NULL));
      g_assert_cmpuint (fixture->set_aside->len, ==, 0);
    }
}

/* 20,000 episodes: long, but no attack */
static void
test_long_file (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g7");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (GString) text = g_string_new ("{\"version\": 1, \"kind\": \"podcast\", \"episodes\": {");
  g_autoptr (GError) error = NULL;
  gint64 start;

  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (text, "%s\"g%u\": {\"aliases\": [], \"title\": \"Episode %u\", \"position\": {\"value\": %u.5, \"updated\": \"2026-01-02T00:00:00Z\"},"
                                  " \"listened\": {\"value\": true, \"updated\": \"2026-01-02T00:00:00Z\"}}",
                            i > 0 ? "," : "", i, i, i);
  g_string_append (text, "}}");
  fixture_write (fixture, name, text->str);
  fixture_open (fixture, 20);
  start = g_get_monotonic_time ();
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  userdata_test_set_position (fixture->store, episode, SECOND);
  userdata_test_flush (fixture->store, &error);
  g_assert_no_error (error);
  g_test_message ("%.3f s", (g_get_monotonic_time () - start) / 1e6);
  g_assert_cmpuint (g_hash_table_size (fixture->states), ==, 20000);
  g_assert_cmpuint (fixture->set_aside->len, ==, 0);
}

static gboolean
has_failed (gpointer data)
{
  return ((Fixture *) data)->n_failed > 0;
}

static gboolean
is_written (gpointer data)
{
  g_autofree char *name = userdata_test_name (OTHER);

  return fixture_count (data, name) == 1;
}

/* A full disk is reported once; writing is tried again, and nothing is lost or
 * damaged. */
static void
test_disk_full (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) first = userdata_test_new_episode (ADDRESS, "g1");
  g_autoptr (EarEpisode) second = userdata_test_new_episode (OTHER, "g2");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;
  struct rlimit limit, full;

  fixture_open (fixture, 20);
  userdata_test_set_liked (fixture->store, first, TRUE);
  userdata_test_flush (fixture->store, &error);
  g_assert_no_error (error);
  before = fixture_read (fixture, name, NULL);

  /* No file may grow beyond 64 bytes: writing fails in the middle. */
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  full = limit;
  full.rlim_cur = 64;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &full), ==, 0);
  userdata_test_set_position (fixture->store, first, 9 * SECOND);
  ear_userdata_store_set_now (fixture->store, first, 9 * SECOND, TRUE);
  userdata_test_set_liked (fixture->store, second, TRUE);
  g_assert_true (userdata_test_wait (has_failed, fixture));
  g_assert_cmpint (fixture->failed_code, ==, EAR_ERROR_NO_SPACE);
  g_assert_false (userdata_test_flush (fixture->store, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  userdata_test_run_for (200);
  g_assert_cmpuint (fixture->n_failed, ==, 1);
  after = fixture_read (fixture, name, NULL);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpuint (fixture_count (fixture, ".tmp"), ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);

  /* Automatically, without another request */
  g_assert_true (userdata_test_wait (is_written, fixture));
  userdata_test_run_for (100);
  g_assert_true (is_liked (fixture, OTHER, "g2"));
  g_assert_true (is_liked (fixture, ADDRESS, "g1"));
  g_assert_cmpuint (fixture_count (fixture, "now.json"), ==, 1);
  g_clear_pointer (&after, g_free);
  after = fixture_read (fixture, name, NULL);
  g_assert_nonnull (strstr (after, "\"value\": 9.0"));
}

/* The folder cannot be created; works for root, too, whom no permission stops. */
static void
test_no_folder (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (OTHER, "g2");
  g_autofree char *parent = g_path_get_dirname (fixture->path);
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;
  gboolean first_start = TRUE;

  g_assert_true (g_file_set_contents (parent, "in the way", -1, NULL));
  fixture_open (fixture, 20);
  all = userdata_test_load_subscriptions (fixture->store, &first_start, &error);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_FAILED);
  g_assert_false (first_start);
  userdata_test_set_liked (fixture->store, episode, TRUE);
  g_assert_true (userdata_test_wait (has_failed, fixture));
  g_assert_cmpint (g_remove (parent), ==, 0);
  g_assert_true (userdata_test_wait (is_written, fixture));
  g_assert_true (is_liked (fixture, OTHER, "g2"));
}

/* After many failures the next attempt is far away, but a flush succeeds before it. */
static void
test_recovered (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) first = userdata_test_new_episode (ADDRESS, "g1");
  g_autoptr (EarEpisode) second = userdata_test_new_episode (OTHER, "g2");
  g_autofree char *parent = g_path_get_dirname (fixture->path);
  gint64 start;

  g_assert_true (g_file_set_contents (parent, "in the way", -1, NULL));
  fixture_open (fixture, 300);
  userdata_test_set_liked (fixture->store, first, TRUE);
  for (guint i = 0; i < 5; i++)
    g_assert_false (userdata_test_flush (fixture->store, NULL));
  /* Until the store's own attempt, after which the next one is 30 s away */
  userdata_test_run_for (600);
  g_assert_cmpint (g_remove (parent), ==, 0);
  fixture_flush (fixture);

  start = g_get_monotonic_time ();
  userdata_test_set_liked (fixture->store, second, TRUE);
  g_assert_true (userdata_test_wait (is_written, fixture));
  g_assert_cmpint (g_get_monotonic_time () - start, <, 15 * SECOND);
}

static void
test_read_only_folder (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (OTHER, "g2");

  if (geteuid () == 0)
    {
      g_test_skip ("root may write everywhere");
      return;
    }
  g_assert_cmpint (g_mkdir_with_parents (fixture->path, 0700), ==, 0);
  g_assert_cmpint (chmod (fixture->path, 0500), ==, 0);
  fixture_open (fixture, 20);
  userdata_test_set_liked (fixture->store, episode, TRUE);
  g_assert_true (userdata_test_wait (has_failed, fixture));
  g_assert_cmpint (fixture->failed_code, ==, EAR_ERROR_NO_SPACE);
  g_assert_cmpint (chmod (fixture->path, 0700), ==, 0);
  g_assert_true (userdata_test_wait (is_written, fixture));
}

/* The folder is moved away at run time: it is created again, with everything, and watched
 * again. */
static void
test_folder_vanishes (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) first = userdata_test_new_episode (ADDRESS, "g1");
  g_autoptr (EarEpisode) second = userdata_test_new_episode (ADDRESS, "g2");
  g_autofree char *away = g_strconcat (fixture->path, ".old", NULL);
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 20);
  userdata_test_set_liked (fixture->store, first, TRUE);
  userdata_test_flush (fixture->store, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_rename (fixture->path, away), ==, 0);
  userdata_test_set_liked (fixture->store, second, TRUE);
  userdata_test_flush (fixture->store, &error);
  g_assert_no_error (error);
  g_assert_true (is_liked (fixture, ADDRESS, "g1"));
  g_assert_true (is_liked (fixture, ADDRESS, "g2"));

  text = g_strdup ("{\"version\": 1, \"kind\": \"podcast\", \"episodes\": {\"g3\": {\"liked\": {\"value\": true, \"updated\": \"2026-01-02T00:00:00Z\"}}}}");
  fixture_write (fixture, name, text);
  for (guint i = 0; i < 100 && fixture->n_podcast_changed == 0; i++)
    userdata_test_run_for (20);
  g_assert_true (g_hash_table_contains (fixture->states, "g3"));
}

/* Temporary files left by a crash do no harm, and old ones are deleted. */
static void
test_leftovers (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;

  fixture_write (fixture, ".earmark-AAAAAA.tmp", "{\"half\": ");
  fixture_write (fixture, ".earmark-BBBBBB.tmp", "{\"half\": ");
  fixture_write (fixture, "else.tmp", "not ours");
  fixture_age (fixture, ".earmark-AAAAAA.tmp", 2 * 24 * 60 * 60);
  fixture_age (fixture, "else.tmp", 2 * 24 * 60 * 60);
  fixture_open (fixture, 20);
  all = userdata_test_load_subscriptions (fixture->store, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture_count (fixture, "AAAAAA"), ==, 0);
  g_assert_cmpuint (fixture_count (fixture, "BBBBBB"), ==, 1);
  g_assert_cmpuint (fixture_count (fixture, "else.tmp"), ==, 1);
}

/* Another process holds the lock for a while: the main thread does not wait, and the data
 * is written afterwards. */
static void
test_lock (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (OTHER, "g2");
  g_autofree char *path = g_build_filename (fixture->path, ".lock", NULL);
  g_autoptr (GError) error = NULL;
  int lock;

  g_assert_cmpint (g_mkdir_with_parents (fixture->path, 0700), ==, 0);
  lock = open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  g_assert_cmpint (flock (lock, LOCK_EX), ==, 0);
  fixture_open (fixture, 10);
  userdata_test_set_liked (fixture->store, episode, TRUE);
  userdata_test_run_for (300);
  g_assert_false (is_written (fixture));
  close (lock);
  userdata_test_flush (fixture->store, &error);
  g_assert_no_error (error);
  g_assert_true (is_written (fixture));
}

static void
add_long_text (JsonObject *root)
{
  g_autofree char *text = g_strnfill (65 * 1024 * 1024, 'x');

  json_object_set_string_member (root, "note", text);
}

static void
add_many_values (JsonObject *root)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < 600000; i++)
    json_array_add_array_element (array, json_array_new ());
  json_object_set_array_member (root, "notes", array);
}

/* Data too large to be read again is not written: the old content stays. */
static void
test_too_much (void)
{
  static void (*const funcs[]) (JsonObject *) = { add_long_text, add_many_values };
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (EarJsonFolder) folder = ear_json_folder_new (fixture->path, NULL, NULL);
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (folder, name);

  fixture_write (fixture, name, GOOD);
  for (gsize i = 0; i < G_N_ELEMENTS (funcs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonObject) root = NULL;
      g_autofree char *text = NULL;

      root = ear_userdata_file_open (file, &error);
      g_assert_no_error (error);
      funcs[i] (root);
      g_assert_false (ear_userdata_file_close (file, root, TRUE, &error));
      g_assert_error (error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
      text = fixture_read (fixture, name, NULL);
      g_assert_cmpstr (text, ==, GOOD);
    }
  g_assert_cmpuint (fixture_count (fixture, "tmp"), ==, 0);
}

int
main (int argc, char **argv)
{
  static const char *const contents[] = {
    "",
    "\n",
    "not JSON",
    "{\"version\": 1, \"kind\": \"podcast\", \"episodes\": {\"g1\": {\"liked\": {\"val",
    "[]",
    "{}",
    "{\"version\": 1, \"kind\": \"subscriptions\"}",
    "{\"version\": \"one\", \"kind\": \"podcast\"}",
    "{\"version\": 1, \"kind\": \"podcast\", \"episodes\": []}",
    "\xff\xfe{\"kind\": \"podcast\"}",
    "{\"kind\": \"podcast\", \"x\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}",
  };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      g_autofree char *path = g_strdup_printf ("/userdata-damage/content/%u", i);

      g_test_add_data_func (path, contents[i], test_content);
    }
  g_test_add_func ("/userdata-damage/twice", test_twice);
  g_test_add_data_func ("/userdata-damage/folder", "folder", test_no_file);
  g_test_add_data_func ("/userdata-damage/pipe", "pipe", test_no_file);
  g_test_add_data_func ("/userdata-damage/device", "device", test_no_file);
  g_test_add_data_func ("/userdata-damage/loop", "loop", test_no_file);
  g_test_add_data_func ("/userdata-damage/too-large", "too large", test_no_file);
  g_test_add_func ("/userdata-damage/unreadable", test_unreadable);
  g_test_add_func ("/userdata-damage/other-files", test_other_files);
  g_test_add_func ("/userdata-damage/hostile-now", test_hostile_now);
  g_test_add_func ("/userdata-damage/long-file", test_long_file);
  g_test_add_func ("/userdata-damage/too-much", test_too_much);
  g_test_add_func ("/userdata-damage/disk-full", test_disk_full);
  g_test_add_func ("/userdata-damage/no-folder", test_no_folder);
  g_test_add_func ("/userdata-damage/recovered", test_recovered);
  g_test_add_func ("/userdata-damage/read-only-folder", test_read_only_folder);
  g_test_add_func ("/userdata-damage/folder-vanishes", test_folder_vanishes);
  g_test_add_func ("/userdata-damage/leftovers", test_leftovers);
  g_test_add_func ("/userdata-damage/lock", test_lock);

  return g_test_run ();
}
