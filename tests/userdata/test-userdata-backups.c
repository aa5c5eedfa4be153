/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include "ear-backup.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Making backups: content, number and interruptions */

#define ADDRESS "https://example.org/feed.xml"
#define OTHER "https://example.org/other.xml"
#define SECOND G_TIME_SPAN_SECOND

static char *
dup_backups_path (Fixture *fixture)
{
  return ear_backup_folder_dup_path (fixture->path);
}

static guint
count_backup_files (Fixture *fixture, const char *suffix)
{
  g_autofree char *path = dup_backups_path (fixture);
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

static EarBackup *
back_up (Fixture *fixture, EarBackupReason reason)
{
  g_autoptr (GError) error = NULL;
  EarBackup *backup = userdata_test_back_up (fixture->store, reason, &error);

  g_assert_no_error (error);

  return backup;
}

static void
do_something (Fixture *fixture, const char *guid)
{
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, guid);

  userdata_test_set_position (fixture->store, episode, 7 * SECOND);
}

static void
test_make (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) first = NULL;
  g_autoptr (EarBackup) same = NULL;
  g_autoptr (EarBackup) daily = NULL;
  g_autoptr (EarBackup) second = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GPtrArray) all = NULL;
  const gint64 now = g_get_real_time ();

  fixture_open (fixture, 20);
  none = userdata_test_list_backups (fixture->store);
  g_assert_cmpuint (none->len, ==, 0);
  userdata_test_follow (fixture->store, ADDRESS, TRUE);
  userdata_test_follow (fixture->store, OTHER, FALSE);
  do_something (fixture, "g1");
  do_something (fixture, "g2");
  first = back_up (fixture, EAR_BACKUP_DAILY);
  g_assert_cmpuint (first->n_podcasts, ==, 1);
  g_assert_cmpuint (first->n_episodes, ==, 2);
  g_assert_cmpint (first->made, >=, now);

  /* Without changes the last backup is returned. */
  same = back_up (fixture, EAR_BACKUP_BEFORE_RESTORING);
  g_assert_cmpstr (same->path, ==, first->path);
  g_assert_cmpuint (count_backup_files (fixture, ".json.gz"), ==, 1);

  do_something (fixture, "g3");
  daily = back_up (fixture, EAR_BACKUP_DAILY);
  g_assert_cmpstr (daily->path, ==, first->path);
  second = back_up (fixture, EAR_BACKUP_BY_HAND);
  g_assert_cmpstr (second->path, !=, first->path);
  all = userdata_test_list_backups (fixture->store);
  g_assert_cmpuint (all->len, ==, 2);
  g_assert_cmpint (peek (all, 0)->reason, ==, EAR_BACKUP_BY_HAND);
  g_assert_cmpuint (peek (all, 0)->n_episodes, ==, 3);
  g_assert_cmpint (peek (all, 1)->reason, ==, EAR_BACKUP_DAILY);
  g_assert_cmpstr (peek (all, 1)->digest, ==, first->digest);
}

static void
result_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* While a backup is made, positions are stored. */
static void
test_beside (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *path = dup_backups_path (fixture);
  g_autoptr (EarJsonFolder) folder = ear_json_folder_new (path, NULL, NULL);
  g_autofd int lock = ear_json_folder_lock (folder, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (EarBackup) backup = NULL;

  fixture_open (fixture, 20);
  do_something (fixture, "g1");
  ear_userdata_store_back_up_async (fixture->store, EAR_BACKUP_DAILY, NULL, result_cb, &result);
  userdata_test_run_for (100);
  fixture_flush (fixture);
  g_assert_null (result);

  g_clear_fd (&lock, NULL);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  backup = ear_userdata_store_back_up_finish (fixture->store, result, NULL);
  g_assert_cmpuint (backup->n_episodes, ==, 1);
}

/* gzip can unpack a backup, and its files are the same to the byte. */
static void
test_unpack (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = NULL;
  g_autofree char *gzip = g_find_program_in_path ("gzip");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *head = NULL;
  g_autofree char *is = NULL;
  g_autofree char *was = NULL;
  g_autoptr (GError) error = NULL;
  const char *found;

  if (gzip == NULL)
    {
      g_test_skip ("there is no gzip");
      return;
    }
  fixture_open (fixture, 20);
  userdata_test_follow (fixture->store, ADDRESS, TRUE);
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *guid = g_strdup_printf ("guid-%u", i);

      do_something (fixture, guid);
    }
  backup = back_up (fixture, EAR_BACKUP_DAILY);
  g_spawn_sync (fixture->top, (char *[]) { gzip, (char *) "-dc", backup->path, NULL }, NULL,
                G_SPAWN_DEFAULT, NULL, NULL, &is, NULL, NULL, &error);
  g_assert_no_error (error);
  was = fixture_read (fixture, name, NULL);
  head = g_strdup_printf ("\n{\"file\":\"%s\",\"size\":%" G_GSIZE_FORMAT "}\n", name, strlen (was));
  found = strstr (is, head);
  g_assert_nonnull (found);
  g_assert_true (g_str_has_prefix (found + strlen (head), was));
}

/* A backup leaves out damaged files, files of other programs, and the current
 * position. */
static void
test_what_is_in_it (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = NULL;
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *other = userdata_test_name (OTHER);
  g_autoptr (GHashTable) contents = NULL;
  static const char *const absent[] = { "now.json", "notes.json", "bad.json", ".hidden.json", "link.json" };

  fixture_write (fixture, other, "{\"version\": 1, \"kind\": ");
  fixture_write (fixture, "bad.json", "[1, 2]");
  fixture_write (fixture, "notes.json", "{\"mine\": true}");
  fixture_write (fixture, ".hidden.json", "{\"version\": 1, \"kind\": \"podcast\"}");
  fixture_write (fixture, "queue.json", "{\"version\": 1, \"kind\": \"queue\", \"items\": []}");
  fixture_age (fixture, other, 60);
  fixture_open (fixture, 20);
  ear_userdata_store_set_now (fixture->store, episode, 9 * SECOND, TRUE);
  backup = back_up (fixture, EAR_BACKUP_DAILY);
  g_assert_cmpuint (backup->n_episodes, ==, 1);
  contents = ear_backup_file_read (backup->path, NULL);
  g_assert_true (g_hash_table_contains (contents, name));
  /* A file of a later version, perhaps */
  g_assert_true (g_hash_table_contains (contents, "queue.json"));
  g_assert_false (g_hash_table_contains (contents, other));
  for (gsize i = 0; i < G_N_ELEMENTS (absent); i++)
    g_assert_false (g_hash_table_contains (contents, absent[i]));
}

static char *
rotate (const char *const *dates, EarBackupReason reason)
{
  g_autoptr (GPtrArray) backups = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_backup_unref);
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
  g_autoptr (GDateTime) today = g_date_time_new_utc (2026, 11, 21, 12, 0, 0);
  const gint64 now = g_date_time_to_unix_usec (today);
  g_autoptr (GPtrArray) superfluous = NULL;
  GString *left = g_string_new (NULL);

  for (gsize i = 0; dates[i] != NULL; i++)
    {
      g_autofree char *iso = g_strconcat ("2026-", dates[i], ":00Z", NULL);
      g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (iso, NULL);

      g_assert_nonnull (date);
      g_ptr_array_add (backups, ear_backup_new (dates[i], reason, g_date_time_to_unix_usec (date)));
    }
  superfluous = ear_backup_folder_choose_superfluous (backups, zone, now);
  for (guint i = 0; i < superfluous->len; i++)
    g_ptr_array_remove (backups, g_ptr_array_index (superfluous, i));
  for (guint i = 0; i < backups->len; i++)
    g_string_append_printf (left, "%s%.5s", i > 0 ? " " : "", peek (backups, i)->path);

  return g_string_free (left, FALSE);
}

static void
test_rotation (void)
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
  g_autofree char *first = rotate (every_day, EAR_BACKUP_DAILY);
  g_autofree char *second = rotate (rarely, EAR_BACKUP_DAILY);
  g_autofree char *third = rotate (often, EAR_BACKUP_DAILY);
  g_autofree char *fourth = rotate (often, EAR_BACKUP_BY_HAND);
  g_autofree char *fifth = rotate (often, EAR_BACKUP_BEFORE_RESTORING);
  /* The clock was a month ahead for a week. */
  g_autofree char *sixth = rotate (jumped, EAR_BACKUP_DAILY);

  g_assert_cmpstr (sixth, ==, "12-30 12-29 12-28 12-27 12-26 11-21 11-20 11-19");
  g_assert_cmpstr (first, ==, "11-21 11-20 11-19 11-18 11-17 11-16 11-15 11-14 11-08 11-01 10-25");
  g_assert_cmpstr (second, ==, "11-21 10-21 08-01 01-01");
  g_assert_cmpstr (third, ==, "11-21");
  g_assert_cmpstr (fourth, ==, "11-21 11-21 11-21 11-21 11-21");
  g_assert_cmpstr (fifth, ==, "11-21 11-21 11-21 11-21 11-21");
}

static void
test_rotated (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();

  fixture_open (fixture, 20);
  for (guint i = 0; i < 9; i++)
    {
      g_autofree char *guid = g_strdup_printf ("g%u", i);

      do_something (fixture, guid);
      ear_backup_unref (back_up (fixture, EAR_BACKUP_BY_HAND));
    }
  g_assert_cmpuint (count_backup_files (fixture, ".json.gz"), ==, 5);
  g_assert_cmpuint (count_backup_files (fixture, ".tmp"), ==, 0);
}

/* --- Interruptions ------------------------------------------------------------------ */

static void
test_disk_full (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) before = NULL;
  g_autoptr (EarBackup) after = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;
  struct rlimit limit, full;

  fixture_open (fixture, 20);
  do_something (fixture, "g1");
  before = back_up (fixture, EAR_BACKUP_DAILY);
  do_something (fixture, "g2");
  g_assert_true (userdata_test_flush (fixture->store, &error));

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  full = limit;
  full.rlim_cur = 64;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &full), ==, 0);
  g_assert_null (userdata_test_back_up (fixture->store, EAR_BACKUP_BY_HAND, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  g_assert_cmpuint (count_backup_files (fixture, ".tmp"), ==, 0);
  all = userdata_test_list_backups (fixture->store);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpstr (peek (all, 0)->path, ==, before->path);
  after = back_up (fixture, EAR_BACKUP_BY_HAND);
  g_assert_cmpuint (after->n_episodes, ==, 2);
}

/* The folder of the backups cannot be created: works for root, too, whom no permission
 * stops. */
static void
test_no_folder (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *path = dup_backups_path (fixture);
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 20);
  do_something (fixture, "g1");
  g_assert_true (userdata_test_flush (fixture->store, &error));
  g_assert_true (g_file_set_contents (path, "in the way", -1, NULL));
  g_assert_null (userdata_test_back_up (fixture->store, EAR_BACKUP_DAILY, &error));
  g_assert_nonnull (error);
  all = userdata_test_list_backups (fixture->store);
  g_assert_cmpuint (all->len, ==, 0);
  g_assert_cmpuint (fixture->n_failed, ==, 0);
}

static void
test_read_only_folder (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *data = g_path_get_dirname (fixture->path);
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("root may write everywhere");
      return;
    }
  fixture_open (fixture, 20);
  do_something (fixture, "g1");
  g_assert_true (userdata_test_flush (fixture->store, &error));
  g_assert_cmpint (g_chmod (data, 0500), ==, 0);
  g_assert_null (userdata_test_back_up (fixture->store, EAR_BACKUP_DAILY, &error));
  g_assert_cmpint (g_chmod (data, 0700), ==, 0);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
}

/* A child that changes something and backs it up, again and again, as another instance
 * would */
static int
work (const char *directory, const char *prefix)
{
  g_autoptr (EarUserdataStore) store = ear_userdata_store_new (directory);

  g_print ("begun\n");
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *guid = g_strdup_printf ("%s-%u", prefix, i);
      g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, guid);
      g_autoptr (EarBackup) backup = NULL;
      g_autoptr (GError) error = NULL;

      userdata_test_set_liked (store, episode, TRUE);
      backup = userdata_test_back_up (store, EAR_BACKUP_BY_HAND, &error);
      g_assert_no_error (error);
    }

  return 0;
}

static GSubprocess *
start_child (Fixture *fixture, const char *prefix)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  GSubprocess *child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "--work", fixture->path, prefix, NULL);
  g_autoptr (GDataInputStream) output = NULL;
  g_autofree char *line = NULL;

  g_assert_no_error (error);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (child));
  line = g_data_input_stream_read_line (output, NULL, NULL, NULL);
  g_assert_cmpstr (line, ==, "begun");

  return child;
}

static void
assert_all_whole (Fixture *fixture)
{
  g_autoptr (GPtrArray) all = userdata_test_list_backups (fixture->store);
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
          const char *text = g_bytes_get_data (content, &length);
          g_autoptr (JsonObject) root = ear_json_parse (text, length, &error);

          g_assert_no_error (error);
        }
    }
}

/* Two instances, and a program that synchronizes the folder, at the same time */
static void
test_two_instances (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *other = userdata_test_name (OTHER);
  g_autoptr (GSubprocess) first = start_child (fixture, "one");
  g_autoptr (GSubprocess) second = start_child (fixture, "two");
  g_autoptr (JsonObject) root = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"version\": 1, \"kind\": \"podcast\", \"episodes\": {\"s%u\": {\"liked\": true}}}", i);

      fixture_write (fixture, other, text);
      g_usleep (2000);
    }
  g_assert_true (g_subprocess_wait_check (first, NULL, &error));
  g_assert_true (g_subprocess_wait_check (second, NULL, &error));
  g_assert_no_error (error);
  fixture_open (fixture, 20);
  assert_all_whole (fixture);
  root = fixture_parse (fixture, name);
  g_assert_cmpuint (json_object_get_size (json_object_get_object_member (root, "episodes")), ==, 80);
}

/* Killed during a backup: the earlier ones stay intact, and the next one works. */
static void
test_killed (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = NULL;

  for (guint i = 0; i < 25; i++)
    {
      g_autofree char *prefix = g_strdup_printf ("r%u", i);
      g_autoptr (GSubprocess) child = start_child (fixture, prefix);

      g_usleep ((gulong) g_test_rand_int_range (0, 30000));
      g_subprocess_force_exit (child);
      g_subprocess_wait (child, NULL, NULL);
    }
  fixture_open (fixture, 20);
  assert_all_whole (fixture);
  do_something (fixture, "after");
  backup = back_up (fixture, EAR_BACKUP_DAILY);
  g_assert_nonnull (backup);
  assert_all_whole (fixture);
}

/* --- Replacing a damaged file ------------------------------------------------------- */

static gboolean
is_known (Fixture *fixture, const char *guid)
{
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (JsonObject) root = fixture_parse (fixture, name);

  return json_object_has_member (json_object_get_object_member (root, "episodes"), guid);
}

/* The newest backup with an intact copy of the file is used, and the listener is
 * notified. */
static void
test_damaged_file (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (EarBackup) first = NULL;
  g_autoptr (EarBackup) second = NULL;
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 20);
  do_something (fixture, "g1");
  first = back_up (fixture, EAR_BACKUP_BY_HAND);
  do_something (fixture, "g2");
  second = back_up (fixture, EAR_BACKUP_BY_HAND);
  do_something (fixture, "g3");
  fixture_close (fixture);
  g_assert_true (g_file_set_contents (second->path, "spoilt", -1, NULL));
  fixture_write (fixture, name, "{\"version\": 1, \"kind\": ");
  fixture_age (fixture, name, 60);

  fixture_open (fixture, 20);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  userdata_test_flush (fixture->store, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture->set_aside->len, ==, 1);
  g_assert_cmpuint (fixture->n_restored, ==, 1);
  g_assert_true (is_known (fixture, "g1"));
  g_assert_false (is_known (fixture, "g2"));
  g_assert_true (g_hash_table_contains (fixture->states, "g1"));
}

/* A small backup without its end: it is listed, and its files replace damaged ones. */
static void
test_damaged_backup (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (EarBackup) backup = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autofree char *packed = NULL;
  gsize length;

  fixture_open (fixture, 20);
  do_something (fixture, "g1");
  backup = back_up (fixture, EAR_BACKUP_DAILY);
  fixture_close (fixture);
  g_assert_true (g_file_get_contents (backup->path, &packed, &length, NULL));
  g_assert_true (g_file_set_contents (backup->path, packed, (gssize) length - 1, NULL));
  fixture_write (fixture, name, "spoilt");
  fixture_age (fixture, name, 60);

  fixture_open (fixture, 20);
  all = userdata_test_list_backups (fixture->store);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpuint (peek (all, 0)->n_episodes, ==, 1);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  fixture_flush (fixture);
  g_assert_cmpuint (fixture->n_restored, ==, 1);
  g_assert_true (is_known (fixture, "g1"));
}

static void
test_damaged_subscriptions (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 20);
  userdata_test_follow (fixture->store, ADDRESS, TRUE);
  userdata_test_follow (fixture->store, OTHER, TRUE);
  backup = back_up (fixture, EAR_BACKUP_DAILY);
  fixture_close (fixture);
  fixture_write (fixture, "subscriptions.json", "");
  fixture_age (fixture, "subscriptions.json", 60);
  fixture_open (fixture, 20);
  all = userdata_test_load_subscriptions (fixture->store, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 2);
  g_assert_cmpuint (fixture->n_restored, ==, 1);
}

/* The data in memory is newer than any backup. */
static void
test_damaged_while_running (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (EarBackup) backup = NULL;
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 20);
  do_something (fixture, "g1");
  backup = back_up (fixture, EAR_BACKUP_DAILY);
  do_something (fixture, "g2");
  g_assert_true (userdata_test_flush (fixture->store, &error));
  fixture_write (fixture, name, "spoilt");
  fixture_age (fixture, name, 60);
  do_something (fixture, "g3");
  g_assert_true (userdata_test_flush (fixture->store, &error));
  g_assert_cmpuint (fixture->n_restored, ==, 1);
  g_assert_true (is_known (fixture, "g1"));
  g_assert_true (is_known (fixture, "g2"));
  g_assert_true (is_known (fixture, "g3"));
}

int
main (int argc, char **argv)
{
  if (argc == 4 && strcmp (argv[1], "--work") == 0)
    return work (argv[2], argv[3]);

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/userdata-backups/make", test_make);
  g_test_add_func ("/userdata-backups/beside", test_beside);
  g_test_add_func ("/userdata-backups/unpack", test_unpack);
  g_test_add_func ("/userdata-backups/what-is-in-it", test_what_is_in_it);
  g_test_add_func ("/userdata-backups/rotation", test_rotation);
  g_test_add_func ("/userdata-backups/rotated", test_rotated);
  g_test_add_func ("/userdata-backups/disk-full", test_disk_full);
  g_test_add_func ("/userdata-backups/no-folder", test_no_folder);
  g_test_add_func ("/userdata-backups/read-only-folder", test_read_only_folder);
  g_test_add_func ("/userdata-backups/two-instances", test_two_instances);
  g_test_add_func ("/userdata-backups/killed", test_killed);
  g_test_add_func ("/userdata-backups/damaged-file", test_damaged_file);
  g_test_add_func ("/userdata-backups/damaged-backup", test_damaged_backup);
  g_test_add_func ("/userdata-backups/damaged-subscriptions", test_damaged_subscriptions);
  g_test_add_func ("/userdata-backups/damaged-while-running", test_damaged_while_running);

  return g_test_run ();
}
