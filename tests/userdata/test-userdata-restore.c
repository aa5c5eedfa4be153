/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include "ear-backup.h"
#include "ear-test-folder.h"
#include "ear-time.h"

#include <string.h>

/* Restoring: everything becomes as it was, whatever other machines have stored */

#define LATER "https://example.org/later.xml"

/* The initial state: two podcasts, one episode started, one liked, one played */
static EarBackup *
prepare (Fixture *fixture)
{
  fixture_open (fixture, 20);
  follow (fixture->store, ADDRESS, TRUE);
  follow (fixture->store, OTHER, TRUE);
  set_position (fixture->store, ADDRESS, "begun", 60 * SECOND);
  like (fixture->store, ADDRESS, "liked");
  set_mark (fixture->store, ADDRESS, "heard", EAR_MARK_LISTENED, TRUE);

  return back_up (fixture->store, EAR_BACKUP_BY_HAND, NULL);
}

/* The later state: everything marked, a podcast unfollowed, another one followed */
static void
make_a_mess (Fixture *fixture)
{
  static const char *const guids[] = { "begun", "liked", "heard", "new" };

  for (gsize i = 0; i < G_N_ELEMENTS (guids); i++)
    set_mark (fixture->store, ADDRESS, guids[i], EAR_MARK_LISTENED, TRUE);
  set_position (fixture->store, ADDRESS, "begun", 0);
  set_mark (fixture->store, ADDRESS, "liked", EAR_MARK_LIKED, FALSE);
  set_mark (fixture->store, OTHER, "untouched", EAR_MARK_LISTENED, TRUE);
  set_position (fixture->store, LATER, "later", 5 * SECOND);
  follow (fixture->store, OTHER, FALSE);
  follow (fixture->store, LATER, TRUE);
  put_into_folder (fixture->store, "News");
  flush (fixture->store, NULL);
  fixture_forget (fixture);
}

#define assert_mark(fixture, address, mark, expected) \
  assert_json (fixture, address, "episodes " mark " value", expected)
#define assert_followed(fixture, address, expected) \
  assert_json (fixture, "subscriptions.json", "podcasts " address " followed value", expected)

/* Compares the initial and the later state. Episodes without marks have none again. */
static void
expect_state (Fixture *fixture, gboolean later)
{
  assert_mark (fixture, ADDRESS, "begun position", later ? "0.0" : "60.0");
  assert_mark (fixture, ADDRESS, "begun listened", later ? "true" : "false");
  assert_mark (fixture, ADDRESS, "liked liked", later ? "false" : "true");
  assert_mark (fixture, ADDRESS, "liked listened", later ? "true" : "false");
  assert_mark (fixture, ADDRESS, "heard listened", "true");
  assert_mark (fixture, ADDRESS, "new listened", later ? "true" : "false");
  assert_mark (fixture, OTHER, "untouched listened", later ? "true" : "false");
  assert_json (fixture, "subscriptions.json", "podcasts " ADDRESS " folder value",
               later ? "News" : "");
  assert_followed (fixture, ADDRESS, "true");
  assert_followed (fixture, OTHER, later ? "false" : "true");
}

static void
expect_as_it_was (Fixture *fixture)
{
  expect_state (fixture, FALSE);
}

static void
expect_mess (Fixture *fixture)
{
  expect_state (fixture, TRUE);
  assert_mark (fixture, LATER, "later position", "5.0");
  assert_followed (fixture, LATER, "true");
}

static void
test_restore (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarBackup) backup = prepare (fixture);

  make_a_mess (fixture);
  g_autoptr (EarBackup) before = back_up (fixture->store, EAR_BACKUP_BY_HAND, NULL);
  restore (fixture->store, backup->path, FALSE, NULL);
  expect_as_it_was (fixture);
  /* A podcast followed since then stays, with its marks. */
  assert_followed (fixture, LATER, "true");
  assert_mark (fixture, LATER, "later position", "5.0");

  /* Signals carry stamps. */
  g_assert_cmpint (fixture_get_told (fixture, "begun")->position, ==, 60 * SECOND);
  g_assert_cmpint (fixture_get_told (fixture, "begun")->position_updated, >, 0);
  g_assert_cmpint (fixture_get_told (fixture, "new")->listened_updated, >, 0);
  g_assert_false (fixture_get_told (fixture, "new")->listened);
  g_assert_false (g_hash_table_contains (fixture->states, "heard"));
  g_assert_cmpuint (fixture->n_subscriptions_changed, ==, 1);

  /* And back */
  restore (fixture->store, before->path, TRUE, NULL);
  expect_mess (fixture);
  restore (fixture->store, backup->path, TRUE, NULL);
  expect_as_it_was (fixture);
  assert_followed (fixture, LATER, "false");

  /* The result survives a restart, and new changes count. */
  fixture_reopen (fixture);
  g_autoptr (GPtrArray) all = load_subscriptions (fixture->store, NULL);
  g_assert_cmpuint (all->len, ==, 3);
  expect_as_it_was (fixture);
  set_position (fixture->store, ADDRESS, "begun", 90 * SECOND);
  flush (fixture->store, NULL);
  assert_mark (fixture, ADDRESS, "begun position", "90.0");

  /* On a new machine, or after everything was lost */
  fixture_close (fixture);
  ear_test_folder_remove (fixture->path);
  fixture_open (fixture, 20);
  restore (fixture->store, backup->path, FALSE, NULL);
  assert_mark (fixture, ADDRESS, "begun position", "60.0");
  assert_followed (fixture, OTHER, "true");
}

/* Another machine's copy of the mistake arrives later: the restored state is newer, even if the clock
 * there is ahead, or was days ahead here. */
static void
test_other_machine (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autofree char *stamp = ear_stamp_format (g_get_real_time () + 2 * G_TIME_SPAN_HOUR);
  const char *text = ear_test_format (PODCAST_FILE ("\"begun\": {\"listened\": {\"value\": true, \"updated\": \"%s\"}}"), stamp);
  const char *conflict = name_of_copy (ADDRESS);
  const gint64 ahead = g_get_real_time () + 3 * G_TIME_SPAN_DAY;
  const EarEpisodeState done = { .position = 5 * SECOND, .position_updated = ahead, .listened = TRUE, .listened_updated = ahead };
  g_autoptr (EarEpisode) begun = new_episode (ADDRESS, "begun");

  fixture_write (fixture, conflict, text);
  fixture_reopen (fixture);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  flush (fixture->store, NULL);
  assert_mark (fixture, ADDRESS, "begun listened", "true");
  restore (fixture->store, backup->path, FALSE, NULL);
  assert_mark (fixture, ADDRESS, "begun listened", "false");
  fixture_write (fixture, conflict, text);
  fixture_reopen (fixture);
  flush (fixture->store, NULL);
  assert_mark (fixture, ADDRESS, "begun listened", "false");

  ear_userdata_store_adopt_episode (fixture->store, ear_episode_get_podcast (begun), "begun", NULL, NULL, &done);
  flush (fixture->store, NULL);
  assert_mark (fixture, ADDRESS, "begun listened", "true");
  fixture_forget (fixture);
  restore (fixture->store, backup->path, FALSE, NULL);
  flush (fixture->store, NULL);
  assert_mark (fixture, ADDRESS, "begun position", "60.0");
  assert_mark (fixture, ADDRESS, "begun listened", "false");
  g_assert_cmpint (fixture_get_told (fixture, "begun")->position, ==, 60 * SECOND);
  g_assert_cmpint (fixture_get_told (fixture, "begun")->listened_updated, >, 0);
  g_assert_false (fixture_get_told (fixture, "begun")->listened);
}

/* Members and files of a later version stay, or come back. */
static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  fixture_write (fixture, ADDRESS, "{\"version\": 9, \"kind\": \"podcast\", \"old\": 1, \"episodes\": {\"a\": {\"rating\": 5, \"liked\": true}}}");
  fixture_open (fixture, 20);
  g_autoptr (EarBackup) backup = back_up (fixture->store, EAR_BACKUP_BY_HAND, NULL);
  fixture_close (fixture);
  fixture_write (fixture, ADDRESS, "{\"version\": 9, \"kind\": \"podcast\", \"new\": 2, \"episodes\": {\"a\": {\"mood\": 3}, \"b\": 7, \"c\": {\"aliases\": [1, {}, \"a\"]}}}");
  fixture_open (fixture, 20);
  restore (fixture->store, backup->path, FALSE, NULL);
  assert_json (fixture, ADDRESS, "old", "1");
  assert_json (fixture, ADDRESS, "new", "2");
  assert_json (fixture, ADDRESS, "episodes a rating", "5");
  assert_json (fixture, ADDRESS, "episodes a mood", "3");
  assert_mark (fixture, ADDRESS, "c liked", "true");
}

/* --- Invalid backups ---------------------------------------------------------------- */

static GOutputStream *
open_packed (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GOutputStream) plain = G_OUTPUT_STREAM (g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL));
  g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1);

  return g_converter_output_stream_new (plain, G_CONVERTER (gzip));
}

static void
put (GOutputStream *stream, const void *data, gsize size)
{
  g_autoptr (GError) error = NULL;

  g_output_stream_write_all (stream, data, size, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
put_file (GOutputStream *stream, const char *name, const char *content)
{
  const char *text = ear_test_format ("{\"file\": \"%s\", \"size\": %" G_GSIZE_FORMAT "}\n%s\n", name,
                                      strlen (content), content);

  put (stream, text, strlen (text));
}

#define ABOUT "{\"version\": 1, \"kind\": \"backup\"}\n"

static void
close_packed (GOutputStream *stream)
{
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
}

#define ANY_ERROR -1

static void
check_refused (Fixture *fixture, const char *path, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (restore (fixture->store, path, FALSE, &error));
  g_assert_nonnull (error);
  if (code != ANY_ERROR)
    g_assert_error (error, EAR_ERROR, code);
}

/* A backup that is cut off, or of which a byte is changed, changes nothing, wherever that is. */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarBackup) backup = prepare (fixture);
  const char *path = ear_test_format ("%s/damaged.json.gz", fixture->top);
  g_autofree char *content = NULL, *before = NULL;
  gsize size;

  make_a_mess (fixture);
  before = fixture_read (fixture, ADDRESS);
  const guint n_files = fixture_count (fixture, ".");
  g_assert_true (g_file_get_contents (backup->path, &content, &size, NULL));
  for (gsize cut = 0; cut < size; cut += 1 + size / 97)
    {
      g_assert_true (g_file_set_contents (path, content, (gssize) cut, NULL));
      check_refused (fixture, path, EAR_ERROR_DAMAGED);
      expect_mess (fixture);
      assert_file (fixture, ADDRESS, before);
    }
  for (gsize at = 10; at < size - 8; at += 1 + size / 61)
    {
      content[at] ^= 0x55;
      g_assert_true (g_file_set_contents (path, content, (gssize) size, NULL));
      content[at] ^= 0x55;
      check_refused (fixture, path, ANY_ERROR);
      expect_mess (fixture);
      assert_file (fixture, ADDRESS, before);
    }
  g_assert_cmpuint (fixture_count (fixture, "."), ==, n_files);
}

/* Something other than a backup is refused, and writes nothing. */
static void
test_no_backup (Fixture *fixture, gconstpointer data)
{
  const char *path = ear_test_format ("%s/file", fixture->top);

  fixture_open (fixture, 20);
  check_refused (fixture, path, ANY_ERROR);
  check_refused (fixture, fixture->top, ANY_ERROR);
  g_assert_true (g_file_set_contents (path, "no backup", -1, NULL));
  check_refused (fixture, path, ANY_ERROR);
  g_assert_cmpuint (fixture_count (fixture, ".json"), ==, 0);
}

/* The backup that is made before a restore removes the oldest one, which is being restored. */
static void
test_oldest (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarBackup) oldest = NULL;

  fixture_open (fixture, 20);
  for (guint i = 0; i < 5; i++)
    {
      set_position (fixture->store, ADDRESS, "g1", (i + 1) * SECOND);
      g_autoptr (EarBackup) backup = back_up (fixture->store, EAR_BACKUP_BEFORE_RESTORING, NULL);
      if (oldest == NULL)
        oldest = g_steal_pointer (&backup);
    }
  set_position (fixture->store, ADDRESS, "g1", 60 * SECOND);
  restore (fixture->store, oldest->path, FALSE, NULL);
  assert_mark (fixture, ADDRESS, "g1 position", "1.0");
  g_assert_false (g_file_test (oldest->path, G_FILE_TEST_EXISTS));
}

/* Names that lead elsewhere, files that are not ours, and files of the wrong kind */
static void
test_hostile (Fixture *fixture, gconstpointer data)
{
  static const char *const files[] = {
    "../../evil.json", "evil",
    "/etc/evil.json", "evil",
    "state/../subscriptions.json",
    "{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {\"file:///etc/passwd\": {\"followed\": true},"
    " \"https://example.org/good.xml\": {\"followed\": true}, \"https://example.org/x\": 7}}",
    "state/.lock", "evil",
    "state/now.json", "{\"kind\": \"now\"}",
    "state/0123456789abcdef0123456789abcdef.json", "[]",
    "state/0123456789abcdef0123456789abcdee.json", "{\"version\": 1, \"kind\": \"subscriptions\"}",
    "state/strange.json", "{}",
    "state/", "",
    NULL,
  };
  static const char first[] = "{\"version\": 1, \"kind\": \"backup\", \"podcasts\": -5,"
                              " \"episodes\": 1e300, \"made\": \"never\"}\n";
  const char *path = ear_test_format ("%s/made.json.gz", fixture->top);
  g_autoptr (GOutputStream) stream = open_packed (path);
  g_autoptr (GError) error = NULL;

  put (stream, first, strlen (first));
  for (gsize i = 0; files[i] != NULL; i += 2)
    put_file (stream, files[i], files[i + 1]);
  close_packed (stream);
  g_autoptr (EarBackup) about = ear_backup_file_open (path, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (about->n_podcasts, ==, 0);
  fixture_open (fixture, 20);
  restore (fixture->store, path, FALSE, NULL);
  g_assert_false (g_file_test (ear_test_format ("%s/evil.json", fixture->top), G_FILE_TEST_EXISTS));
  g_assert_cmpuint (fixture_count (fixture, "evil"), ==, 0);
  g_assert_cmpuint (fixture_count (fixture, "strange"), ==, 0);
  g_assert_cmpuint (fixture_count (fixture, "0123456789"), ==, 0);
  g_autoptr (GPtrArray) all = load_subscriptions (fixture->store, NULL);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpstr (((EarSubscription *) g_ptr_array_index (all, 0))->address, ==, "https://example.org/good.xml");
}

/* More files than anybody follows podcasts */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  const char *path = ear_test_format ("%s/many.json.gz", fixture->top);
  g_autoptr (GOutputStream) stream = open_packed (path);
  g_autoptr (GError) error = NULL;

  put (stream, ABOUT, strlen (ABOUT));
  for (guint i = 0; i <= 100000; i++)
    put_file (stream, ear_test_format ("%u", i), "");
  close_packed (stream);
  g_autoptr (GHashTable) contents = ear_backup_file_read (path, &error);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
  g_assert_cmpuint (g_hash_table_size (contents), ==, 100000);
}

#define MEGABYTE (1024 * 1024)
#define SIZE(size) ABOUT "{\"file\": \"subscriptions.json\", \"size\": " size "}\n{}\n"

/* Backups with a claimed size that is too large, negative or no number, with an endless line in
 * place of the description or after it, with 600 MB of zeros, and with an endless number of empty
 * files. Each is @begin, and then @n times @head, @length bytes of @filler, and @tail. */
static void
test_bombs (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *begin;
    EarError expected;
    guint n;
    const char *head;
    char filler;
    gsize length;
    const char *tail;
  } table[] = {
    { SIZE ("1e300"), EAR_ERROR_TOO_LARGE },
    { SIZE ("70000000"), EAR_ERROR_TOO_LARGE },
    { SIZE ("-1"), EAR_ERROR_DAMAGED },
    { SIZE ("\"7\""), EAR_ERROR_DAMAGED },
    { SIZE ("1000"), EAR_ERROR_DAMAGED },
    { SIZE ("[]"), EAR_ERROR_DAMAGED },
    { "", EAR_ERROR_DAMAGED, 70, "", '\0', MEGABYTE, "" },
    { ABOUT, EAR_ERROR_DAMAGED, 70, "", '\0', MEGABYTE, "" },
    { ABOUT, EAR_ERROR_TOO_LARGE, 10, "{\"file\": \"0123456789abcdef0123456789abcdef.json\", \"size\": 62914560}\n", '\0', 60 * MEGABYTE, "\n" },
    { ABOUT, EAR_ERROR_TOO_LARGE, 11000, "{\"file\": \"", 'n', 60000, "\", \"size\": 0}\n\n" },
  };
  const char *path = ear_test_format ("%s/bomb.json.gz", fixture->top);

  fixture_open (fixture, 20);
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (GOutputStream) stream = open_packed (path);
      g_autofree char *filler = g_malloc (table[i].length + 1);

      g_test_message ("%" G_GSIZE_FORMAT ": %s", i, table[i].begin);
      memset (filler, table[i].filler, table[i].length);
      put (stream, table[i].begin, strlen (table[i].begin));
      for (guint n = 0; n < table[i].n; n++)
        {
          put (stream, table[i].head, strlen (table[i].head));
          put (stream, filler, table[i].length);
          put (stream, table[i].tail, strlen (table[i].tail));
        }
      close_packed (stream);
      check_refused (fixture, path, table[i].expected);
    }
}

G_NORETURN static void
restore_child (const char *directory, const char *first, const char *second)
{
  g_autoptr (EarUserdataStore) store = ear_userdata_store_new (directory, EAR_USERDATA_DELAY);

  g_print ("begun\n");
  while (TRUE)
    {
      restore (store, first, TRUE, NULL);
      restore (store, second, TRUE, NULL);
    }
}

/* Killed in the middle, every file is intact, and restoring again completes it. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarBackup) backup = prepare (fixture);

  make_a_mess (fixture);
  g_autoptr (EarBackup) mess = back_up (fixture->store, EAR_BACKUP_BY_HAND, NULL);
  for (guint i = 0; i < 20; i++)
    {
      fixture_close (fixture);
      g_strfreev (ear_test_run_and_kill (g_test_rand_int_range (0, 30000), "--restore", fixture->path,
                                         backup->path, mess->path, NULL));
      fixture_open (fixture, 20);
      restore (fixture->store, i % 2 == 0 ? backup->path : mess->path, TRUE, NULL);
      g_assert_cmpuint (fixture->set_aside->len, ==, 0);
      if (i % 2 == 0)
        expect_as_it_was (fixture);
      else
        expect_mess (fixture);
    }
}

/* A full disk is reported, the old state stays, and restoring works later. */
static void
test_disk_full (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autoptr (GError) error = NULL;

  make_a_mess (fixture);
  ear_test_limit_files (64);
  g_assert_false (restore (fixture->store, backup->path, TRUE, &error));
  ear_test_limit_files (0);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  expect_mess (fixture);

  fixture_reopen (fixture);
  g_assert_cmpuint (fixture->set_aside->len, ==, 0);
  expect_mess (fixture);
  restore (fixture->store, backup->path, TRUE, NULL);
  expect_as_it_was (fixture);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/userdata-restore/restore", test_restore },
    { "/userdata-restore/other-machine", test_other_machine },
    { "/userdata-restore/unknown", test_unknown },
    { "/userdata-restore/damaged", test_damaged },
    { "/userdata-restore/no-backup", test_no_backup },
    { "/userdata-restore/oldest", test_oldest },
    { "/userdata-restore/hostile", test_hostile },
    { "/userdata-restore/many", test_many },
    { "/userdata-restore/bombs", test_bombs },
    { "/userdata-restore/killed", test_killed },
    { "/userdata-restore/disk-full", test_disk_full },
  };

  if (argc == 5 && strcmp (argv[1], "--restore") == 0)
    restore_child (argv[2], argv[3], argv[4]);

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
