/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include "ear-backup.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/* Making backups: content, number and interruptions */

static guint
count_backup_files (Fixture *fixture, const char *suffix)
{
  g_autofree char *path = ear_backup_folder_dup_path (fixture->path);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_suffix (name, suffix);

  return n;
}

static const EarBackup *
peek (GPtrArray *list, guint position)
{
  return g_ptr_array_index (list, position);
}

static void
do_something (Fixture *fixture, const char *guid)
{
  set_position (fixture->store, ADDRESS, guid, 7 * SECOND);
}

/* Opens the store, and backs up after a change. */
static EarBackup *
begin (Fixture *fixture)
{
  fixture_open (fixture, 20);
  do_something (fixture, "g1");

  return back_up (fixture->store, EAR_BACKUP_DAILY, NULL);
}

static void
test_make (Fixture *fixture, gconstpointer data)
{
  const gint64 now = g_get_real_time ();

  fixture_open (fixture, 20);
  g_autoptr (GPtrArray) none = list_backups (fixture->store);
  g_assert_cmpuint (none->len, ==, 0);
  follow (fixture->store, ADDRESS, TRUE);
  follow (fixture->store, OTHER, FALSE);
  do_something (fixture, "g1");
  do_something (fixture, "g2");
  g_autoptr (EarBackup) first = back_up (fixture->store, EAR_BACKUP_DAILY, NULL);
  g_assert_cmpuint (first->n_podcasts, ==, 1);
  g_assert_cmpuint (first->n_episodes, ==, 2);
  g_assert_cmpint (first->made, >=, now);

  /* Without changes the last backup is returned. */
  g_autoptr (EarBackup) same = back_up (fixture->store, EAR_BACKUP_BEFORE_RESTORING, NULL);
  g_assert_cmpstr (same->path, ==, first->path);
  g_assert_cmpuint (count_backup_files (fixture, ".json.gz"), ==, 1);

  do_something (fixture, "g3");
  g_autoptr (EarBackup) daily = back_up (fixture->store, EAR_BACKUP_DAILY, NULL);
  g_assert_cmpstr (daily->path, ==, first->path);
  g_autoptr (EarBackup) second = back_up (fixture->store, EAR_BACKUP_BY_HAND, NULL);
  g_assert_cmpstr (second->path, !=, first->path);
  g_autoptr (GPtrArray) all = list_backups (fixture->store);
  g_assert_cmpuint (all->len, ==, 2);
  g_assert_cmpint (peek (all, 0)->reason, ==, EAR_BACKUP_BY_HAND);
  g_assert_cmpuint (peek (all, 0)->n_episodes, ==, 3);
  g_assert_cmpint (peek (all, 1)->reason, ==, EAR_BACKUP_DAILY);
  g_assert_cmpstr (peek (all, 1)->digest, ==, first->digest);

  /* Old ones are removed. */
  for (guint i = 0; i < 9; i++)
    {
      do_something (fixture, ear_test_format ("more-%u", i));
      ear_backup_unref (back_up (fixture->store, EAR_BACKUP_BY_HAND, NULL));
    }
  g_assert_cmpuint (count_backup_files (fixture, ".json.gz"), ==, 6);
  g_assert_cmpuint (count_backup_files (fixture, ".tmp"), ==, 0);
}

/* While a backup is made, positions are stored. */
static void
test_beside (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = ear_backup_folder_dup_path (fixture->path);
  EarJsonFolder folder = { .path = path };
  g_autofd int lock = ear_json_folder_lock (&folder, NULL);
  g_autoptr (GAsyncResult) result = NULL;

  fixture_open (fixture, 20);
  do_something (fixture, "g1");
  ear_userdata_store_back_up_async (fixture->store, EAR_BACKUP_DAILY, NULL, ear_test_result_cb, &result);
  ear_test_spin (100);
  flush (fixture->store, NULL);
  g_assert_null (result);

  g_clear_fd (&lock, NULL);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_autoptr (EarBackup) backup = ear_userdata_store_finish (fixture->store, result, NULL);
  g_assert_cmpuint (backup->n_episodes, ==, 1);
  g_clear_object (&result);
}

/* gzip can unpack a backup, and its files are the same to the byte. */
static void
test_unpack (Fixture *fixture, gconstpointer data)
{
  g_autofree char *gzip = g_find_program_in_path ("gzip");
  const char *name = name_of (ADDRESS);
  g_autofree char *is = NULL;
  g_autoptr (GError) error = NULL;

  if (gzip == NULL)
    {
      g_test_skip ("there is no gzip");
      return;
    }
  fixture_open (fixture, 20);
  follow (fixture->store, ADDRESS, TRUE);
  for (guint i = 0; i < 100; i++)
    do_something (fixture, ear_test_format ("guid-%u", i));
  g_autoptr (EarBackup) backup = back_up (fixture->store, EAR_BACKUP_DAILY, NULL);
  g_spawn_sync (fixture->top, (char *[]) { gzip, (char *) "-dc", backup->path, NULL }, NULL,
                G_SPAWN_DEFAULT, NULL, NULL, &is, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *was = fixture_read (fixture, name);
  const char *expected = ear_test_format ("\n{\"file\":\"%s\",\"size\":%" G_GSIZE_FORMAT "}\n%s",
                                          name, strlen (was), was);
  g_assert_nonnull (strstr (is, expected));
}

/* A backup leaves out damaged files, those of other programs, and the position. */
static void
test_what_is_in_it (Fixture *fixture, gconstpointer data)
{
  const char *const absent[] = { name_of (OTHER), "now.json", "notes.json", "bad.json",
                                 ".hidden.json" };

  fixture_damage (fixture, OTHER, "{\"version\": 1, \"kind\": ");
  fixture_write (fixture, "bad.json", "[1, 2]");
  fixture_write (fixture, "notes.json", "{\"mine\": true}");
  fixture_write (fixture, ".hidden.json", "{\"version\": 1, \"kind\": \"podcast\"}");
  fixture_write (fixture, "queue.json", "{\"version\": 1, \"kind\": \"queue\", \"items\": []}");
  fixture_open (fixture, 20);
  play (fixture->store, ADDRESS, "g1", 9 * SECOND);
  g_autoptr (EarBackup) backup = back_up (fixture->store, EAR_BACKUP_DAILY, NULL);
  g_assert_cmpuint (backup->n_episodes, ==, 1);
  g_autoptr (GHashTable) contents = ear_backup_file_read (backup->path, NULL);
  g_assert_true (g_hash_table_contains (contents, name_of (ADDRESS)));
  /* A file of a later version, perhaps */
  g_assert_true (g_hash_table_contains (contents, "queue.json"));
  for (gsize i = 0; i < G_N_ELEMENTS (absent); i++)
    g_assert_false (g_hash_table_contains (contents, absent[i]));
}

static void
check_rotation (const char *const *dates, EarBackupReason reason, const char *expected)
{
  g_autoptr (GPtrArray) backups = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_backup_unref);
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
  g_autoptr (GDateTime) today = g_date_time_new_utc (2026, 11, 21, 12, 0, 0);
  g_autoptr (GString) left = g_string_new (NULL);

  for (gsize i = 0; dates[i] != NULL; i++)
    {
      const char *iso = ear_test_format ("2026-%s:00Z", dates[i]);
      g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (iso, NULL);

      g_ptr_array_add (backups, ear_backup_new (dates[i], reason, g_date_time_to_unix_usec (date)));
    }
  g_autoptr (GPtrArray) superfluous =
      ear_backup_folder_choose_superfluous (backups, zone, g_date_time_to_unix_usec (today));
  for (guint i = 0; i < superfluous->len; i++)
    g_ptr_array_remove (backups, g_ptr_array_index (superfluous, i));
  for (guint i = 0; i < backups->len; i++)
    g_string_append_printf (left, "%s%.5s", i > 0 ? " " : "", peek (backups, i)->path);
  g_assert_cmpstr (left->str, ==, expected);
}

static void
test_rotation (Fixture *fixture, gconstpointer data)
{
  /* Newest first; 21 November 2026 is a Saturday. */
  static const char *const every_day[] = {
    "11-21T10:00", "11-21T08:00", "11-20T10:00", "11-19T10:00", "11-18T10:00", "11-17T10:00", "11-16T10:00", "11-15T10:00",
    "11-15T01:00", "11-14T10:00", "11-13T10:00", "11-12T10:00", "11-08T10:00", "11-07T10:00", "11-01T10:00", "10-31T10:00",
    "10-25T10:00", "10-18T10:00", "10-11T10:00", NULL };
  static const char *const rarely[] = { "11-21T10:00", "10-21T10:00", "08-01T10:00", "01-01T10:00", NULL };
  static const char *const jumped[] = { "12-30T10:00", "12-29T10:00", "12-28T10:00", "12-27T10:00", "12-26T10:00", "12-25T10:00",
                                        "12-24T10:00", "11-21T10:00", "11-20T10:00", "11-19T10:00", NULL };
  static const char *const often[] = { "11-21T10:00", "11-21T09:00", "11-21T08:00", "11-21T07:00", "11-21T06:00", "11-21T05:00",
                                       "11-21T04:00", NULL };

  check_rotation (every_day, EAR_BACKUP_DAILY, "11-21 11-20 11-19 11-18 11-17 11-16 11-15 11-14 11-08 11-01 10-25");
  check_rotation (rarely, EAR_BACKUP_DAILY, "11-21 10-21 08-01 01-01");
  check_rotation (often, EAR_BACKUP_DAILY, "11-21");
  check_rotation (often, EAR_BACKUP_BY_HAND, "11-21 11-21 11-21 11-21 11-21");
  check_rotation (often, EAR_BACKUP_BEFORE_RESTORING, "11-21 11-21 11-21 11-21 11-21");
  /* The clock was a month ahead for a week. */
  check_rotation (jumped, EAR_BACKUP_DAILY, "12-30 12-29 12-28 12-27 12-26 11-21 11-20 11-19");
}

/* --- Interruptions ------------------------------------------------------------------ */

/* The folder of the backups cannot be created, which works for root, too; then the disk is full. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = ear_backup_folder_dup_path (fixture->path);
  g_autoptr (GError) error = NULL, full = NULL;

  fixture_open (fixture, 20);
  do_something (fixture, "g1");
  flush (fixture->store, NULL);
  g_assert_true (g_file_set_contents (path, "in the way", -1, NULL));
  g_assert_null (back_up (fixture->store, EAR_BACKUP_DAILY, &error));
  g_assert_nonnull (error);
  g_autoptr (GPtrArray) none = list_backups (fixture->store);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (fixture->n_failed, ==, 0);
  g_assert_cmpint (g_unlink (path), ==, 0);

  g_autoptr (EarBackup) before = back_up (fixture->store, EAR_BACKUP_DAILY, NULL);
  do_something (fixture, "g2");
  flush (fixture->store, NULL);
  ear_test_limit_files (64);
  g_assert_null (back_up (fixture->store, EAR_BACKUP_BY_HAND, &full));
  ear_test_limit_files (0);
  g_assert_error (full, EAR_ERROR, EAR_ERROR_NO_SPACE);
  g_assert_cmpuint (count_backup_files (fixture, ".tmp"), ==, 0);
  g_autoptr (GPtrArray) all = list_backups (fixture->store);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpstr (peek (all, 0)->path, ==, before->path);
  g_autoptr (EarBackup) after = back_up (fixture->store, EAR_BACKUP_BY_HAND, NULL);
  g_assert_cmpuint (after->n_episodes, ==, 2);
}

/* A child that changes something and backs it up, again and again, as another instance
 * would: each time with a new store, which would not restore a value that another one overwrote */
static int
work (const char *directory, const char *prefix, const char *n)
{
  g_print ("begun\n");
  for (int i = 0; i < atoi (n); i++)
    {
      g_autoptr (EarUserdataStore) store = ear_userdata_store_new (directory, EAR_USERDATA_DELAY);

      like (store, ADDRESS, ear_test_format ("%s-%d", prefix, i));
      ear_backup_unref (back_up (store, EAR_BACKUP_BY_HAND, NULL));
    }

  return 0;
}

static GSubprocess *
start_child (Fixture *fixture, const char *prefix)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  GSubprocess *child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error, program, "--work", fixture->path, prefix, "40", NULL);

  g_assert_no_error (error);

  return child;
}

static void
assert_all_whole (Fixture *fixture)
{
  g_autoptr (GPtrArray) all = list_backups (fixture->store);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (all->len, ==, count_backup_files (fixture, ".json.gz"));
  for (guint i = 0; i < all->len; i++)
    {
      g_autoptr (GHashTable) contents = ear_backup_file_read (peek (all, i)->path, &error);
      GHashTableIter iter;
      gpointer content;

      g_assert_no_error (error);
      g_hash_table_iter_init (&iter, contents);
      while (g_hash_table_iter_next (&iter, NULL, &content))
        {
          gsize length;
          const char *bytes = g_bytes_get_data (content, &length);
          g_autoptr (JsonObject) root = ear_json_parse (bytes, length, &error);

          g_assert_no_error (error);
        }
    }
}

/* Two instances, and a program that synchronizes the folder, at the same time */
static void
test_two_instances (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) first = start_child (fixture, "one");
  g_autoptr (GSubprocess) second = start_child (fixture, "two");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 50; i++)
    {
      fixture_write (fixture, OTHER, ear_test_format (PODCAST_FILE ("\"s%u\": {\"liked\": true}"), i));
      g_usleep (2000);
    }
  g_assert_true (g_subprocess_wait_check (first, NULL, &error));
  g_assert_true (g_subprocess_wait_check (second, NULL, &error));
  g_assert_no_error (error);
  fixture_open (fixture, 20);
  assert_all_whole (fixture);
  assert_json (fixture, ADDRESS, "episodes #", "80");
}

/* Killed during a backup: the earlier ones stay intact, and the next one works. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 25; i++)
    g_strfreev (ear_test_run_and_kill (g_test_rand_int_range (0, 30000), "--work", fixture->path,
                                       ear_test_format ("r%u", i), "9999", NULL));
  fixture_open (fixture, 20);
  assert_all_whole (fixture);
  do_something (fixture, "after");
  g_autoptr (EarBackup) backup = back_up (fixture->store, EAR_BACKUP_DAILY, NULL);
  assert_all_whole (fixture);
}

/* --- Replacing a damaged file ------------------------------------------------------- */

static void
load_damaged (Fixture *fixture, const char *text)
{
  fixture_damage (fixture, ADDRESS, text);
  fixture_load (fixture);
  g_assert_cmpuint (fixture->set_aside->len, ==, 1);
  g_assert_cmpuint (fixture->n_restored, ==, 1);
  assert_json (fixture, ADDRESS, "episodes #", "1");
  assert_json (fixture, ADDRESS, "episodes g1 position value", "7.0");
  g_assert_true (g_hash_table_contains (fixture->states, "g1"));
}

/* The newest backup with an intact copy of the file is used, which is reported. */
static void
test_damaged_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarBackup) first = begin (fixture);

  do_something (fixture, "g2");
  g_autoptr (EarBackup) second = back_up (fixture->store, EAR_BACKUP_BY_HAND, NULL);
  do_something (fixture, "g3");
  fixture_close (fixture);
  g_assert_true (g_file_set_contents (second->path, "spoilt", -1, NULL));
  load_damaged (fixture, "{\"version\": 1, \"kind\": ");
}

/* A small backup without its end: it is listed, and its files replace damaged ones. Data in memory is
 * newer than any backup. */
static void
test_damaged_backup (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarBackup) backup = begin (fixture);
  g_autofree char *packed = NULL;
  gsize length;

  fixture_close (fixture);
  g_assert_true (g_file_get_contents (backup->path, &packed, &length, NULL));
  g_assert_true (g_file_set_contents (backup->path, packed, (gssize) length - 1, NULL));
  load_damaged (fixture, "spoilt");
  g_autoptr (GPtrArray) all = list_backups (fixture->store);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpuint (peek (all, 0)->n_episodes, ==, 1);

  do_something (fixture, "g2");
  flush (fixture->store, NULL);
  fixture_damage (fixture, ADDRESS, "spoilt");
  do_something (fixture, "g3");
  flush (fixture->store, NULL);
  g_assert_cmpuint (fixture->n_restored, ==, 2);
  assert_json (fixture, ADDRESS, "episodes #", "3");
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/userdata-backups/rotation", test_rotation },
    { "/userdata-backups/make", test_make },
    { "/userdata-backups/beside", test_beside },
    { "/userdata-backups/unpack", test_unpack },
    { "/userdata-backups/what-is-in-it", test_what_is_in_it },
    { "/userdata-backups/no-room", test_no_room },
    { "/userdata-backups/two-instances", test_two_instances },
    { "/userdata-backups/killed", test_killed },
    { "/userdata-backups/damaged-file", test_damaged_file },
    { "/userdata-backups/damaged-backup", test_damaged_backup },
  };

  if (argc == 5 && strcmp (argv[1], "--work") == 0)
    return work (argv[2], argv[3], argv[4]);

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
