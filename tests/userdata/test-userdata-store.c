/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include "ear-time.h"

#include <glib/gstdio.h>
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

/* A podcast's file with one episode, as another machine may write it */
static char *
file_of (const char *guid, const char *members)
{
  return g_strdup_printf ("{\"version\": 1, \"kind\": \"podcast\", \"addresses\": [\"" ADDRESS "\"], \"episodes\": {\"%s\": {%s}}}", guid, members);
}

static char *
stamped (gint64 stamp)
{
  g_autofree char *text = ear_stamp_format (stamp);

  return g_strdup_printf ("\"updated\": \"%s\"", text);
}

static void
test_new (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarUserdataStore) none = g_object_new (EAR_TYPE_USERDATA_STORE, NULL);
  g_autofree char *directory = NULL;
  guint delay;

  g_assert_finalize_object (ear_userdata_store_new (fixture->path));
  /* No folder is created, as nothing was set. */
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
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *path = g_build_filename (fixture->path, name, NULL);
  g_autofree char *text = NULL;
  struct stat info;

  fixture_open (fixture, 60000);
  ear_userdata_store_set_episode (fixture->store, episode, &state);
  fixture_flush (fixture);
  text = fixture_read (fixture, name, NULL);
  g_assert_cmpstr (text, ==, expected);

  /* URLs may contain passwords. */
  g_assert_cmpint (stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);

  fixture_close (fixture);
  fixture_open (fixture, 60000);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  fixture_flush (fixture);
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

/* Many changes make one write, and so does a flush. */
static void
test_coalescing (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  g_autoptr (EarEpisode) other = userdata_test_new_episode (ADDRESS, "g2");
  g_autofree char *name = userdata_test_name (ADDRESS);
  int notify = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);

  g_assert_cmpint (g_mkdir_with_parents (fixture->path, 0700), ==, 0);
  g_assert_cmpint (inotify_add_watch (notify, fixture->path, IN_MOVED_TO), >=, 0);
  fixture_open (fixture, 300);
  for (guint i = 1; i <= 100; i++)
    userdata_test_set_position (fixture->store, i % 2 ? episode : other, i * SECOND);
  userdata_test_run_for (100);
  g_assert_cmpuint (count_renames (notify, name), ==, 0);
  userdata_test_run_for (600);
  g_assert_cmpuint (count_renames (notify, name), ==, 1);

  for (guint i = 1; i <= 100; i++)
    userdata_test_set_liked (fixture->store, episode, i % 2);
  fixture_flush (fixture);
  g_assert_cmpuint (count_renames (notify, name), ==, 1);
  userdata_test_run_for (600);
  g_assert_cmpuint (count_renames (notify, name), ==, 0);

  /* The store does not report its own writes as changes. */
  g_assert_cmpuint (fixture->n_podcast_changed, ==, 0);
  close (notify);
}

static void
test_dispose_writes (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  g_autoptr (JsonObject) written = NULL;

  fixture_open (fixture, 60000);
  userdata_test_set_liked (fixture->store, episode, TRUE);
  fixture_close (fixture);
  written = fixture_parse_episode (fixture, ADDRESS, "g1");
  g_assert_true (json_object_get_boolean_member (json_object_get_object_member (written, "liked"), "value"));
}

/* Unknown members, of newer versions and of other programs, stay at every level. */
static void
test_unknown_members (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (JsonObject) root = NULL;
  JsonObject *one, *position;

  fixture_write (fixture, name,
                 "{\"version\": 9, \"kind\": \"podcast\", \"mood\": {\"a\": [1, null, 2.5]}, \"settings\": {\"speed\": {\"value\": 1.5}},"
                 " \"addresses\": [\"" ADDRESS "\", \"https://elsewhere.example/\", 7], \"title\": \"Old\", \"episodes\": {"
                 "  \"g0\": {\"title\": \"gone\", \"stars\": 5},"
                 "  \"g1\": {\"stars\": 4, \"position\": {\"value\": 1, \"device\": \"phone\", \"updated\": \"2026-01-01T00:00:00Z\"}},"
                 "  \"odd\": 17}}");
  fixture_open (fixture, 60000);
  userdata_test_set_position (fixture->store, episode, 90 * SECOND);
  fixture_flush (fixture);

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

/* Changes from outside: only newer values are reported, and older ones are overwritten
 * again. */
static void
test_outside (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = userdata_test_name (ADDRESS);
  const gint64 now = g_get_real_time ();
  g_autofree char *older = stamped (now - 3600 * SECOND);
  g_autofree char *newer = stamped (now + 3600 * SECOND);
  g_autofree char *members = g_strdup_printf ("\"position\": {\"value\": 5, %s}, \"listened\": {\"value\": true, %s}", older, newer);
  g_autofree char *text = file_of ("g1", members);
  g_autoptr (JsonObject) written = NULL;

  fixture_open (fixture, 20);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  userdata_test_set_position (fixture->store, episode, 77 * SECOND);
  fixture_flush (fixture);

  fixture_write (fixture, name, text);
  g_assert_true (userdata_test_wait (fixture_was_told, fixture));
  g_assert_true (told (fixture, "g1")->listened);
  g_assert_cmpint (told (fixture, "g1")->listened_updated, ==, now + 3600 * SECOND);
  g_assert_cmpint (told (fixture, "g1")->position_updated, ==, 0);
  g_assert_cmpint (told (fixture, "g1")->liked_updated, ==, 0);

  fixture_wait_for_text (fixture, name, "\"value\": 77.0");
  written = fixture_parse_episode (fixture, ADDRESS, "g1");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (written, "position"), "value"), ==, 77.0);
  g_assert_true (json_object_get_boolean_member (json_object_get_object_member (written, "listened"), "value"));
  g_assert_cmpuint (fixture->n_podcast_changed, ==, 1);
}

/* A person edits a value and leaves the stamp: the change counts. */
static void
test_edited_by_hand (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *path = g_build_filename (fixture->path, name, NULL);
  g_autofree char *before = file_of ("g1", "\"listened\": {\"value\": false, \"updated\": \"2026-01-02T00:00:00Z\"}");
  g_autofree char *after = file_of ("g1", "\"listened\": {\"value\": true, \"updated\": \"2026-01-02T00:00:00Z\"}");
  g_autoptr (JsonObject) written = NULL;
  FILE *file;

  fixture_write (fixture, name, before);
  fixture_open (fixture, 20);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  fixture_flush (fixture);
  g_assert_false (told (fixture, "g1")->listened);
  fixture_forget (fixture);

  /* Written in place, and in two parts: the incomplete file does not count as damaged. */
  file = fopen (path, "w");
  fwrite (after, 1, 40, file);
  fflush (file);
  g_usleep (400 * 1000);
  fputs (after + 40, file);
  fclose (file);
  g_assert_true (userdata_test_wait (fixture_was_told, fixture));
  g_assert_true (told (fixture, "g1")->listened);
  fixture_wait_for_text (fixture, name, "2026-01-02T00:00:00.000001Z");
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

/* Two instances in one folder, for the same podcast, taking turns and at once */
static void
test_two_stores (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarUserdataStore) other = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);

  fixture_open (fixture, 5);
  other = g_object_new (EAR_TYPE_USERDATA_STORE, "directory", fixture->path, "delay", 3, NULL);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  ear_userdata_store_load_podcast (other, ADDRESS);
  for (guint i = 0; i < N_OF_TWO; i++)
    {
      g_autofree char *guid = g_strdup_printf ("g%u", i);
      EarEpisode *episode = userdata_test_new_episode (ADDRESS, guid);

      g_ptr_array_add (episodes, episode);
      userdata_test_set_position (i % 2 ? fixture->store : other, episode, (i + 1) * SECOND);
      userdata_test_set_liked (i % 2 ? other : fixture->store, episode, TRUE);
      userdata_test_run_for (i % 7);
    }
  /* Both change one episode: the last change wins. */
  for (guint i = 0; i < 20; i++)
    {
      userdata_test_set_position (i % 2 ? fixture->store : other, episodes->pdata[0], (100 + i) * SECOND);
      userdata_test_run_for (i % 5);
    }
  fixture_flush (fixture);
  userdata_test_flush (other, &error);
  g_assert_no_error (error);

  for (guint i = 0; i < N_OF_TWO; i++)
    {
      const char *guid = ear_episode_get_guid (episodes->pdata[i]);
      g_autoptr (JsonObject) written = fixture_parse_episode (fixture, ADDRESS, guid);

      g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (written, "position"), "value"), ==, i == 0 ? 119.0 : i + 1.0);
      g_assert_true (json_object_get_boolean_member (json_object_get_object_member (written, "liked"), "value"));
    }
  /* The other instance's changes were reported. */
  g_assert_true (userdata_test_wait (are_all_told, fixture));
  g_ptr_array_unref (episodes);
}

static void
test_clock (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) soon = userdata_test_new_episode (ADDRESS, "soon");
  g_autoptr (EarEpisode) late = userdata_test_new_episode (ADDRESS, "late");
  g_autoptr (EarEpisode) old = userdata_test_new_episode (ADDRESS, "old");
  g_autofree char *name = userdata_test_name (ADDRESS);
  const gint64 ahead = g_get_real_time () + 3600 * SECOND;
  const EarEpisodeState stale = { .liked = FALSE, .liked_updated = g_get_real_time () - 60 * SECOND };
  g_autofree char *hour = stamped (ahead);
  g_autofree char *text = g_strdup_printf ("{\"version\": 1, \"kind\": \"podcast\", \"episodes\": {\"soon\": {\"liked\": {\"value\": true, %s}},"
                                           " \"late\": {\"liked\": {\"value\": true, \"updated\": \"2101-01-01T00:00:00Z\"}},"
                                           " \"old\": {\"liked\": {\"value\": true, %s}}}}",
                                           hour, hour);
  g_autoptr (JsonObject) a = NULL, b = NULL, c = NULL;
  g_autofree char *after = ear_stamp_format (ahead + 1);

  fixture_write (fixture, name, text);
  fixture_open (fixture, 60000);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  userdata_test_set_liked (fixture->store, soon, FALSE);
  userdata_test_set_liked (fixture->store, late, FALSE);
  ear_userdata_store_set_episode (fixture->store, old, &stale);
  fixture_flush (fixture);

  /* No stamp is passed on that later ones could never exceed. */
  g_assert_cmpint (told (fixture, "late")->liked_updated, ==, EAR_STAMP_OLDEST);
  a = fixture_parse_episode (fixture, ADDRESS, "soon");
  b = fixture_parse_episode (fixture, ADDRESS, "late");
  c = fixture_parse_episode (fixture, ADDRESS, "old");
  g_assert_false (json_object_get_boolean_member (json_object_get_object_member (a, "liked"), "value"));
  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (a, "liked"), "updated"), ==, after);
  g_assert_false (json_object_get_boolean_member (json_object_get_object_member (b, "liked"), "value"));
  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (b, "liked"), "updated"), <, after);
  g_assert_true (json_object_get_boolean_member (json_object_get_object_member (c, "liked"), "value"));
}

/* An episode whose guid the feed changed is found by its other guid. */
static void
test_aliases (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "new");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *text = file_of ("old", "\"aliases\": [\"new\", 5, null], \"position\": {\"value\": 5, \"updated\": \"2026-01-02T00:00:00Z\"}");
  g_autoptr (JsonObject) written = NULL, root = NULL;

  fixture_write (fixture, name, text);
  fixture_open (fixture, 60000);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  userdata_test_set_position (fixture->store, episode, 8 * SECOND);
  fixture_flush (fixture);
  g_assert_cmpint (told (fixture, "new")->position, ==, 5 * SECOND);
  g_assert_cmpint (told (fixture, "old")->position, ==, 5 * SECOND);
  written = fixture_parse_episode (fixture, ADDRESS, "old");
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (written, "position"), "value"), ==, 8.0);
  root = fixture_parse (fixture, name);
  g_assert_cmpuint (json_object_get_size (json_object_get_object_member (root, "episodes")), ==, 1);
}

/* Synchronizing programs keep both of two files that were changed at once. */
static void
test_conflict_copies (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
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
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  ear_userdata_store_load_podcast (fixture->store, OTHER);
  fixture_flush (fixture);
  g_assert_cmpint (told (fixture, "g1")->position, ==, 6 * SECOND);
  g_assert_cmpint (told (fixture, "o1")->position, ==, 9 * SECOND);

  /* A conflict copy that arrives later */
  fixture_forget (fixture);
  fixture_write (fixture, nextcloud, third);
  g_assert_true (userdata_test_wait (fixture_was_told, fixture));
  g_assert_true (told (fixture, "g2")->liked);
  g_assert_cmpuint (g_hash_table_size (fixture->states), ==, 1);
  g_assert_cmpuint (fixture_count (fixture, ".merged-"), ==, 3);
  g_assert_cmpuint (fixture_count (fixture, "conflict"), ==, 3);
}

static void
result_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* Canceling only ends the wait: the data is written all the same. */
static void
test_cancel (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 60000);
  userdata_test_set_liked (fixture->store, episode, TRUE);
  ear_userdata_store_flush_async (fixture->store, cancellable, result_cb, &result);
  g_cancellable_cancel (cancellable);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (ear_userdata_store_finish (fixture->store, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_object (&result);
  g_assert_cmpuint (fixture_count (fixture, name), ==, 1);
}

/* The last reference is dropped while the thread still has answers to send. */
static void
test_dropped_early (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();

  for (guint i = 0; i < 50; i++)
    {
      EarUserdataStore *store = ear_userdata_store_new (fixture->path);
      gpointer watched = store;

      g_object_add_weak_pointer (G_OBJECT (store), &watched);
      ear_userdata_store_flush_async (store, NULL, NULL, NULL);
      ear_userdata_store_load_podcast (store, ADDRESS);
      ear_userdata_store_load_now_async (store, NULL, NULL, NULL);
      g_object_unref (store);
      while (watched != NULL)
        g_main_context_iteration (NULL, TRUE);
    }
}

static void
test_symlinked_folder (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *real = g_build_filename (fixture->top, "synchronised", NULL);
  g_autofree char *parent = g_path_get_dirname (fixture->path);
  g_autofree char *path = g_build_filename (real, name, NULL);

  g_assert_cmpint (g_mkdir (real, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (parent, 0700), ==, 0);
  g_assert_cmpint (symlink (real, fixture->path), ==, 0);
  fixture_open (fixture, 20);
  userdata_test_set_liked (fixture->store, episode, TRUE);
  fixture_flush (fixture);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_IS_SYMLINK));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/userdata-store/new", test_new);
  g_test_add_func ("/userdata-store/file", test_file);
  g_test_add_func ("/userdata-store/coalescing", test_coalescing);
  g_test_add_func ("/userdata-store/dispose-writes", test_dispose_writes);
  g_test_add_func ("/userdata-store/unknown-members", test_unknown_members);
  g_test_add_func ("/userdata-store/outside", test_outside);
  g_test_add_func ("/userdata-store/edited-by-hand", test_edited_by_hand);
  g_test_add_func ("/userdata-store/two-stores", test_two_stores);
  g_test_add_func ("/userdata-store/clock", test_clock);
  g_test_add_func ("/userdata-store/aliases", test_aliases);
  g_test_add_func ("/userdata-store/conflict-copies", test_conflict_copies);
  g_test_add_func ("/userdata-store/cancel", test_cancel);
  g_test_add_func ("/userdata-store/dropped-early", test_dropped_early);
  g_test_add_func ("/userdata-store/symlinked-folder", test_symlinked_folder);

  return g_test_run ();
}
