/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include "ear-backup.h"
#include "ear-time.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

/* Restoring: everything becomes as it was, whatever other machines have stored, and back
 * again */

#define ADDRESS "https://example.org/feed.xml"
#define OTHER "https://example.org/other.xml"
#define LATER "https://example.org/later.xml"
#define SECOND G_TIME_SPAN_SECOND

static EarBackup *
back_up (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  EarBackup *backup = userdata_test_back_up (fixture->store, EAR_BACKUP_BY_HAND, &error);

  g_assert_no_error (error);

  return backup;
}

static void
restore (Fixture *fixture, EarBackup *backup, gboolean exact)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (userdata_test_restore (fixture->store, backup->path, exact, &error));
  g_assert_no_error (error);
}

static EarEpisodeState
get_state (Fixture *fixture, const char *address, const char *guid)
{
  g_autoptr (JsonObject) episode = fixture_parse_episode (fixture, address, guid);
  EarEpisodeState state = { 0 };
  JsonObject *member;

  if (json_object_has_member (episode, "position"))
    {
      member = json_object_get_object_member (episode, "position");
      state.position = (gint64) (json_object_get_double_member (member, "value") * SECOND);
      state.position_updated = ear_stamp_parse (json_object_get_string_member (member, "updated"), 0);
    }
  if (json_object_has_member (episode, "listened"))
    state.listened = json_object_get_boolean_member (json_object_get_object_member (episode, "listened"), "value");
  if (json_object_has_member (episode, "liked"))
    state.liked = json_object_get_boolean_member (json_object_get_object_member (episode, "liked"), "value");

  return state;
}

static gboolean
is_followed (Fixture *fixture, const char *address)
{
  g_autoptr (JsonObject) root = fixture_parse (fixture, "subscriptions.json");
  JsonObject *podcasts = json_object_get_object_member (root, "podcasts");

  if (!json_object_has_member (podcasts, address))
    return FALSE;

  return json_object_get_boolean_member (
      json_object_get_object_member (json_object_get_object_member (podcasts, address), "followed"), "value");
}

/* The initial state: two podcasts, one episode started, one liked, one played */
static EarBackup *
prepare (Fixture *fixture)
{
  g_autoptr (EarEpisode) begun = userdata_test_new_episode (ADDRESS, "begun");
  g_autoptr (EarEpisode) liked = userdata_test_new_episode (ADDRESS, "liked");
  g_autoptr (EarEpisode) heard = userdata_test_new_episode (ADDRESS, "heard");

  fixture_open (fixture, 20);
  userdata_test_follow (fixture->store, ADDRESS, TRUE);
  userdata_test_follow (fixture->store, OTHER, TRUE);
  userdata_test_set_position (fixture->store, begun, 60 * SECOND);
  userdata_test_set_liked (fixture->store, liked, TRUE);
  userdata_test_set_listened (fixture->store, heard, TRUE);

  return back_up (fixture);
}

/* The later state: everything marked, a podcast unfollowed, another one followed */
static void
make_a_mess (Fixture *fixture)
{
  static const char *const guids[] = { "begun", "liked", "heard", "new" };
  g_autoptr (EarEpisode) begun = userdata_test_new_episode (ADDRESS, "begun");
  g_autoptr (EarEpisode) liked = userdata_test_new_episode (ADDRESS, "liked");
  g_autoptr (EarEpisode) untouched = userdata_test_new_episode (OTHER, "untouched");
  g_autoptr (EarEpisode) later = userdata_test_new_episode (LATER, "later");
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (guids); i++)
    {
      g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, guids[i]);

      userdata_test_set_listened (fixture->store, episode, TRUE);
    }
  userdata_test_set_position (fixture->store, begun, 0);
  userdata_test_set_liked (fixture->store, liked, FALSE);
  userdata_test_set_listened (fixture->store, untouched, TRUE);
  userdata_test_set_position (fixture->store, later, 5 * SECOND);
  userdata_test_follow (fixture->store, OTHER, FALSE);
  userdata_test_follow (fixture->store, LATER, TRUE);
  g_assert_true (userdata_test_flush (fixture->store, &error));
  fixture_forget (fixture);
}

static void
expect_as_it_was (Fixture *fixture)
{
  g_assert_cmpint (get_state (fixture, ADDRESS, "begun").position, ==, 60 * SECOND);
  g_assert_false (get_state (fixture, ADDRESS, "begun").listened);
  g_assert_true (get_state (fixture, ADDRESS, "liked").liked);
  g_assert_false (get_state (fixture, ADDRESS, "liked").listened);
  g_assert_true (get_state (fixture, ADDRESS, "heard").listened);
  /* Episodes without marks have none again. */
  g_assert_false (get_state (fixture, ADDRESS, "new").listened);
  g_assert_false (get_state (fixture, OTHER, "untouched").listened);
  g_assert_true (is_followed (fixture, ADDRESS));
  g_assert_true (is_followed (fixture, OTHER));
}

static void
expect_mess (Fixture *fixture)
{
  g_assert_cmpint (get_state (fixture, ADDRESS, "begun").position, ==, 0);
  g_assert_true (get_state (fixture, ADDRESS, "begun").listened);
  g_assert_false (get_state (fixture, ADDRESS, "liked").liked);
  g_assert_true (get_state (fixture, ADDRESS, "new").listened);
  g_assert_true (get_state (fixture, OTHER, "untouched").listened);
  g_assert_cmpint (get_state (fixture, LATER, "later").position, ==, 5 * SECOND);
  g_assert_false (is_followed (fixture, OTHER));
  g_assert_true (is_followed (fixture, LATER));
}

static void
test_restore (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autoptr (EarBackup) before = NULL;
  EarEpisodeState *told;

  make_a_mess (fixture);
  before = back_up (fixture);
  restore (fixture, backup, FALSE);
  expect_as_it_was (fixture);
  /* A podcast followed since then stays, with its marks. */
  g_assert_true (is_followed (fixture, LATER));
  g_assert_cmpint (get_state (fixture, LATER, "later").position, ==, 5 * SECOND);

  /* Signals carry stamps. */
  told = g_hash_table_lookup (fixture->states, "begun");
  g_assert_nonnull (told);
  g_assert_cmpint (told->position, ==, 60 * SECOND);
  g_assert_cmpint (told->position_updated, >, 0);
  told = g_hash_table_lookup (fixture->states, "new");
  g_assert_nonnull (told);
  g_assert_cmpint (told->listened_updated, >, 0);
  g_assert_false (told->listened);
  g_assert_false (g_hash_table_contains (fixture->states, "heard"));
  g_assert_cmpuint (fixture->n_subscriptions_changed, ==, 1);

  /* And back */
  restore (fixture, before, TRUE);
  expect_mess (fixture);
  restore (fixture, backup, TRUE);
  expect_as_it_was (fixture);
  g_assert_false (is_followed (fixture, LATER));
}

static void
put_into (Fixture *fixture, const char *folder)
{
  g_autoptr (EarSubscription) subscription = ear_subscription_new (ADDRESS, NULL, NULL, TRUE, g_get_real_time ());

  subscription->folder = g_strdup (folder);
  subscription->folder_updated = g_get_real_time ();
  ear_userdata_store_set_subscription (fixture->store, subscription);
}

static void
expect_folder (Fixture *fixture, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = userdata_test_load_subscriptions (fixture->store, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (((EarSubscription *) all->pdata[i])->address, ADDRESS))
      g_assert_cmpstr (((EarSubscription *) all->pdata[i])->folder, ==, expected);
}

/* Restoring sets and clears folders. */
static void
test_folder (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) none = prepare (fixture);
  g_autoptr (EarBackup) news = NULL;

  put_into (fixture, "News");
  news = back_up (fixture);
  put_into (fixture, "Other");
  restore (fixture, news, FALSE);
  expect_folder (fixture, "News");
  restore (fixture, none, FALSE);
  expect_folder (fixture, NULL);
}

/* The result survives a restart. */
static void
test_lasts (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autoptr (EarEpisode) begun = userdata_test_new_episode (ADDRESS, "begun");
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;

  make_a_mess (fixture);
  restore (fixture, backup, FALSE);
  fixture_close (fixture);
  fixture_open (fixture, 20);
  all = userdata_test_load_subscriptions (fixture->store, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 3);
  expect_as_it_was (fixture);

  /* New changes count. */
  userdata_test_set_position (fixture->store, begun, 90 * SECOND);
  g_assert_true (userdata_test_flush (fixture->store, &error));
  g_assert_cmpint (get_state (fixture, ADDRESS, "begun").position, ==, 90 * SECOND);
}

/* On a new machine, or after everything was lost */
static void
test_nothing_there (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (Fixture) fresh = fixture_new ();
  g_autoptr (EarBackup) backup = prepare (fixture);

  fixture_open (fresh, 20);
  restore (fresh, backup, FALSE);
  g_assert_cmpint (get_state (fresh, ADDRESS, "begun").position, ==, 60 * SECOND);
  g_assert_true (get_state (fresh, ADDRESS, "heard").listened);
  g_assert_true (is_followed (fresh, ADDRESS));
  g_assert_true (is_followed (fresh, OTHER));
}

/* Another machine's copy of the mistake arrives later: the restored state is newer, even
 * if the clock there is ahead. */
static void
test_other_machine (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (GDateTime) ahead = g_date_time_add_hours (now, 2);
  g_autofree char *stamp = g_date_time_format (ahead, "%Y-%m-%dT%H:%M:%SZ");
  g_autofree char *text = g_strdup_printf ("{\"version\": 1, \"kind\": \"podcast\", \"episodes\": {\"begun\": {"
                                           "\"listened\": {\"value\": true, \"updated\": \"%s\"}}}}", stamp);
  g_autofree char *conflict = g_strdup_printf ("%.32s.sync-conflict-20261121-120000-ABCDEFG.json", name);
  g_autoptr (GError) error = NULL;

  fixture_write (fixture, conflict, text);
  fixture_close (fixture);
  fixture_open (fixture, 20);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  g_assert_true (userdata_test_flush (fixture->store, &error));
  g_assert_true (get_state (fixture, ADDRESS, "begun").listened);
  restore (fixture, backup, FALSE);
  g_assert_false (get_state (fixture, ADDRESS, "begun").listened);
  fixture_write (fixture, conflict, text);
  fixture_close (fixture);
  fixture_open (fixture, 20);
  g_assert_true (userdata_test_flush (fixture->store, &error));
  g_assert_false (get_state (fixture, ADDRESS, "begun").listened);
}

/* Changes stamped while the clock was ahead do not win over a restore after it was
 * corrected. */
static void
test_clock (void)
{
  const gint64 ahead = g_get_real_time () + 3 * G_TIME_SPAN_DAY;
  const EarEpisodeState done = { .position = 5 * SECOND, .position_updated = ahead, .listened = TRUE, .listened_updated = ahead };
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autoptr (EarEpisode) begun = userdata_test_new_episode (ADDRESS, "begun");
  const EarEpisodeState *told;
  g_autoptr (GError) error = NULL;

  ear_userdata_store_adopt_episode (fixture->store, ear_episode_get_podcast (begun), "begun", NULL, NULL, &done);
  g_assert_true (userdata_test_flush (fixture->store, &error));
  g_assert_true (get_state (fixture, ADDRESS, "begun").listened);
  fixture_forget (fixture);
  restore (fixture, backup, FALSE);
  g_assert_true (userdata_test_flush (fixture->store, &error));
  g_assert_cmpint (get_state (fixture, ADDRESS, "begun").position, ==, 60 * SECOND);
  g_assert_false (get_state (fixture, ADDRESS, "begun").listened);
  told = g_hash_table_lookup (fixture->states, "begun");
  g_assert_nonnull (told);
  g_assert_cmpint (told->position, ==, 60 * SECOND);
  g_assert_cmpint (told->listened_updated, >, 0);
  g_assert_false (told->listened);
}

/* Members and files of a later version stay, or come back. */
static void
test_unknown (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (EarBackup) backup = NULL;
  g_autoptr (JsonObject) root = NULL;

  fixture_write (fixture, name, "{\"version\": 9, \"kind\": \"podcast\", \"old\": 1, \"episodes\": {\"a\": {\"rating\": 5, \"liked\": true}}}");
  fixture_open (fixture, 20);
  backup = back_up (fixture);
  fixture_close (fixture);
  fixture_write (fixture, name, "{\"version\": 9, \"kind\": \"podcast\", \"new\": 2, \"episodes\": {\"a\": {\"mood\": 3}, \"b\": 7, \"c\": {\"aliases\": [1, {}, \"a\"]}}}");
  fixture_open (fixture, 20);
  restore (fixture, backup, FALSE);
  root = fixture_parse (fixture, name);
  g_assert_cmpint (json_object_get_int_member (root, "old"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (root, "new"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (json_object_get_object_member (root, "episodes"), "a"), "rating"), ==, 5);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (json_object_get_object_member (root, "episodes"), "a"), "mood"), ==, 3);
  g_assert_true (get_state (fixture, ADDRESS, "c").liked);
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
put_file (GOutputStream *stream, const char *name, const char *content, gsize size)
{
  g_autofree char *line = g_strdup_printf ("{\"file\": \"%s\", \"size\": %" G_GSIZE_FORMAT "}\n", name, size);

  put (stream, line, strlen (line));
  put (stream, content, size);
  put (stream, "\n", 1);
}

#define ABOUT "{\"version\": 1, \"kind\": \"backup\"}\n"

static char *
write_backup (Fixture *fixture, const char *about, const char *const *names, const char *const *contents)
{
  char *path = g_build_filename (fixture->top, "made.json.gz", NULL);
  g_autoptr (GOutputStream) stream = open_packed (path);

  put (stream, about, strlen (about));
  for (gsize i = 0; names[i] != NULL; i++)
    put_file (stream, names[i], contents[i], strlen (contents[i]));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));

  return path;
}

static char *
read_all (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GString *all = g_string_new (NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort_values (names, (GCompareFunc) g_strcmp0);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *text = fixture_read (fixture, g_ptr_array_index (names, i), NULL);

      g_string_append_printf (all, "%s: %s\n", (char *) g_ptr_array_index (names, i), text);
    }

  return g_string_free (all, FALSE);
}

/* A truncated backup changes nothing, whatever its length. */
static void
test_truncated (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autofree char *path = g_build_filename (fixture->top, "cut.json.gz", NULL);
  g_autofree char *content = NULL;
  g_autofree char *before = NULL;
  gsize size;

  make_a_mess (fixture);
  before = read_all (fixture);
  g_assert_true (g_file_get_contents (backup->path, &content, &size, NULL));
  for (gsize cut = 0; cut < size; cut += 1 + size / 97)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *after = NULL;

      g_assert_true (g_file_set_contents (path, content, (gssize) cut, NULL));
      g_assert_false (userdata_test_restore (fixture->store, path, FALSE, &error));
      g_assert_error (error, EAR_ERROR, EAR_ERROR_DAMAGED);
      after = read_all (fixture);
      g_assert_cmpstr (before, ==, after);
    }
}

/* A changed byte makes the backup invalid, or only affects its description. */
static void
test_flipped (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autofree char *path = g_build_filename (fixture->top, "flipped.json.gz", NULL);
  g_autofree char *content = NULL;
  g_autofree char *before = NULL;
  guint n_refused = 0;
  guint n = 0;
  gsize size;

  make_a_mess (fixture);
  before = read_all (fixture);
  g_assert_true (g_file_get_contents (backup->path, &content, &size, NULL));
  for (gsize at = 10; at < size - 8; at += 1 + size / 61, n++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *after = NULL;

      content[at] ^= 0x55;
      g_assert_true (g_file_set_contents (path, content, (gssize) size, NULL));
      content[at] ^= 0x55;
      if (userdata_test_restore (fixture->store, path, FALSE, &error))
        continue;
      n_refused++;
      after = read_all (fixture);
      g_assert_cmpstr (before, ==, after);
    }
  g_test_message ("%u of %u were refused", n_refused, n);
  g_assert_cmpuint (n_refused, ==, n);
}

/* A backup's description, and a file in it */
static char *
dup_about (const char *digest, guint n_podcasts)
{
  g_autofree char *member = digest != NULL ? g_strdup_printf (", \"digest\": \"%s\"", digest) : g_strdup ("");

  return g_strdup_printf ("{\"version\": 1, \"kind\": \"backup\", \"podcasts\": %u, \"episodes\": 0%s}\n", n_podcasts, member);
}

#define GOOD \
  "{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {\"https://example.org/good.xml\": " \
  "{\"followed\": {\"value\": true, \"updated\": \"2026-01-02T00:00:00.000000Z\"}}}}"

static char *
dup_digest (const char *name, const char *content)
{
  g_autoptr (GChecksum) digest = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (digest, (const guchar *) name, (gssize) strlen (name) + 1);
  g_checksum_update (digest, (const guchar *) content, (gssize) strlen (content));

  return g_strdup (g_checksum_get_string (digest));
}

/* The backup is complete, but does not match its description: nothing is changed. */
static void
test_digest (void)
{
  static const char *const no_names[] = { NULL };
  static const char *const names[] = { "subscriptions.json", NULL };
  static const char *const contents[] = { GOOD };
  g_autofree char *right = dup_digest (names[0], contents[0]);
  g_autofree char *other_name = dup_digest ("subscriptions.jso", contents[0]);
  g_autofree char *other_content = dup_digest (names[0], "{}");
  const struct
  {
    const char *digest;
    guint n_podcasts;
    gboolean with_file;
    gboolean accepted;
  } table[] = {
    { right, 3, FALSE, FALSE },        { NULL, 3, FALSE, FALSE }, { "", 1, TRUE, FALSE },   { other_name, 1, TRUE, FALSE },
    { other_content, 1, TRUE, FALSE }, { NULL, 0, FALSE, TRUE },  { right, 1, TRUE, TRUE }, { NULL, 1, TRUE, TRUE },
  };
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autofree char *before = NULL;

  make_a_mess (fixture);
  before = read_all (fixture);
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *about = dup_about (table[i].digest, table[i].n_podcasts);
      g_autofree char *path = write_backup (fixture, about, table[i].with_file ? names : no_names, contents);
      g_autoptr (GError) error = NULL;
      g_autofree char *after = NULL;

      g_test_message ("%u", (guint) i);
      g_assert_true (userdata_test_restore (fixture->store, path, FALSE, &error) == table[i].accepted);
      if (table[i].accepted)
        continue;
      g_assert_error (error, EAR_ERROR, EAR_ERROR_DAMAGED);
      after = read_all (fixture);
      g_assert_cmpstr (before, ==, after);
    }
  g_assert_true (is_followed (fixture, "https://example.org/good.xml"));
}

static void
test_no_backup (gconstpointer data)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *path = g_build_filename (fixture->top, "file", NULL);
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 20);
  if (g_str_equal (data, "folder"))
    g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  else if (!g_str_equal (data, "missing"))
    g_assert_true (g_file_set_contents (path, data, -1, NULL));
  g_assert_false (userdata_test_restore (fixture->store, path, FALSE, &error));
  g_assert_nonnull (error);
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS) && fixture_count (fixture, ".json") > 0);
}

/* The backup that is made before a restore removes the oldest one, which is being restored. */
static void
test_oldest (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarEpisode) episode = userdata_test_new_episode (ADDRESS, "g1");
  g_autoptr (EarBackup) oldest = NULL;

  fixture_open (fixture, 20);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EarBackup) backup = NULL;

      userdata_test_set_position (fixture->store, episode, (i + 1) * SECOND);
      backup = userdata_test_back_up (fixture->store, EAR_BACKUP_BEFORE_RESTORING, &error);
      g_assert_no_error (error);
      if (oldest == NULL)
        oldest = g_steal_pointer (&backup);
    }
  userdata_test_set_position (fixture->store, episode, 60 * SECOND);
  restore (fixture, oldest, FALSE);
  g_assert_cmpint (get_state (fixture, ADDRESS, "g1").position, ==, SECOND);
  g_assert_false (g_file_test (oldest->path, G_FILE_TEST_EXISTS));
}

/* Names that lead elsewhere, files that are not ours, and files of the wrong kind */
static void
test_hostile (void)
{
  static const char *const names[] = {
    "../../evil.json", "/etc/evil.json", "state/../subscriptions.json", "state/.lock", "state/now.json",
    "state/0123456789abcdef0123456789abcdef.json", "state/0123456789abcdef0123456789abcdee.json", "state/strange.json",
    "state/", NULL };
  static const char *const contents[] = {
    "evil", "evil",
    "{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {\"file:///etc/passwd\": {\"followed\": true},"
    " \"https://example.org/good.xml\": {\"followed\": true}, \"https://example.org/x\": 7}}",
    "evil", "{\"kind\": \"now\"}", "[]", "{\"version\": 1, \"kind\": \"subscriptions\"}", "{}", "" };
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *path = write_backup (fixture, "{\"version\": 1, \"kind\": \"backup\", \"podcasts\": -5, \"episodes\": 1e300, \"made\": \"never\"}\n",
                                        names, contents);
  g_autofree char *evil = g_build_filename (fixture->top, "evil.json", NULL);
  g_autoptr (EarBackup) about = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;

  about = ear_backup_file_open (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (about->n_podcasts, ==, 0);
  fixture_open (fixture, 20);
  g_assert_true (userdata_test_restore (fixture->store, path, FALSE, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (evil, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (fixture_count (fixture, "evil"), ==, 0);
  g_assert_cmpuint (fixture_count (fixture, "strange"), ==, 0);
  g_assert_cmpuint (fixture_count (fixture, "0123456789"), ==, 0);
  all = userdata_test_load_subscriptions (fixture->store, NULL, &error);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpstr (((EarSubscription *) g_ptr_array_index (all, 0))->address, ==, "https://example.org/good.xml");
}

/* More files than anybody follows podcasts */
static void
test_many (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *path = g_build_filename (fixture->top, "many.json.gz", NULL);
  g_autoptr (GOutputStream) stream = open_packed (path);
  g_autoptr (GHashTable) contents = NULL;
  g_autoptr (GError) error = NULL;

  put (stream, ABOUT, strlen (ABOUT));
  for (guint i = 0; i <= 100000; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      put_file (stream, name, "", 0);
    }
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  contents = ear_backup_file_read (path, &error);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
  g_assert_cmpuint (g_hash_table_size (contents), ==, 100000);
}

/* Zeros that are 600 MB when unpacked */
static void
test_bomb (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *path = g_build_filename (fixture->top, "bomb.json.gz", NULL);
  g_autoptr (GOutputStream) stream = open_packed (path);
  g_autoptr (GError) error = NULL;
  g_autofree char *zeros = g_malloc0 (60 * 1024 * 1024);

  fixture_open (fixture, 20);
  put (stream, ABOUT, strlen (ABOUT));
  for (guint i = 0; i < 10; i++)
    put_file (stream, "0123456789abcdef0123456789abcdef.json", zeros, 60 * 1024 * 1024);
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  g_assert_false (userdata_test_restore (fixture->store, path, FALSE, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
}

/* A file with a claimed size that is too large, or negative */
static void
test_size (void)
{
  static const struct
  {
    const char *size;
    EarError expected;
  } table[] = { { "1e300", EAR_ERROR_TOO_LARGE },  { "70000000", EAR_ERROR_TOO_LARGE }, { "-1", EAR_ERROR_DAMAGED },
                { "\"7\"", EAR_ERROR_DAMAGED }, { "1000", EAR_ERROR_DAMAGED },          { "[]", EAR_ERROR_DAMAGED } };
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *path = g_build_filename (fixture->top, "size.json.gz", NULL);

  fixture_open (fixture, 20);
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *text = g_strdup_printf (ABOUT "{\"file\": \"subscriptions.json\", \"size\": %s}\n{}\n", table[i].size);
      g_autoptr (GOutputStream) stream = open_packed (path);
      g_autoptr (GError) error = NULL;

      put (stream, text, strlen (text));
      g_assert_true (g_output_stream_close (stream, NULL, NULL));
      g_assert_false (userdata_test_restore (fixture->store, path, FALSE, &error));
      g_assert_error (error, EAR_ERROR, (int) table[i].expected);
    }
}

/* An endless line, in place of the description and after it */
static void
test_tail (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *path = g_build_filename (fixture->top, "tail.json.gz", NULL);
  g_autofree char *zeros = g_malloc0 (1024 * 1024);

  fixture_open (fixture, 20);
  for (guint with_about = 0; with_about < 2; with_about++)
    {
      g_autoptr (GOutputStream) stream = open_packed (path);
      g_autoptr (GError) error = NULL;

      if (with_about)
        put (stream, ABOUT, strlen (ABOUT));
      for (guint i = 0; i < 70; i++)
        put (stream, zeros, 1024 * 1024);
      g_assert_true (g_output_stream_close (stream, NULL, NULL));
      g_assert_false (userdata_test_restore (fixture->store, path, FALSE, &error));
      g_assert_error (error, EAR_ERROR, EAR_ERROR_DAMAGED);
    }
}

static int
restore_child (const char *directory, const char *first, const char *second)
{
  g_autoptr (EarUserdataStore) store = ear_userdata_store_new (directory);

  g_print ("begun\n");
  while (TRUE)
    {
      g_autoptr (GError) error = NULL;

      userdata_test_restore (store, first, TRUE, &error);
      g_assert_no_error (error);
      userdata_test_restore (store, second, TRUE, &error);
      g_assert_no_error (error);
    }

  return 0;
}

/* Killed in the middle, every file is intact, and restoring again completes it. */
static void
test_killed (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autoptr (EarBackup) mess = NULL;
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);

  make_a_mess (fixture);
  mess = back_up (fixture);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GSubprocess) child = NULL;
      g_autoptr (GDataInputStream) output = NULL;
      g_autofree char *line = NULL;

      fixture_close (fixture);
      child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "--restore", fixture->path,
                                backup->path, mess->path, NULL);
      g_assert_no_error (error);
      output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (child));
      line = g_data_input_stream_read_line (output, NULL, NULL, NULL);
      g_usleep ((gulong) g_test_rand_int_range (0, 30000));
      g_subprocess_force_exit (child);
      g_subprocess_wait (child, NULL, NULL);

      fixture_open (fixture, 20);
      restore (fixture, i % 2 == 0 ? backup : mess, TRUE);
      g_assert_cmpuint (fixture->set_aside->len, ==, 0);
      if (i % 2 == 0)
        expect_as_it_was (fixture);
      else
        expect_mess (fixture);
    }
}

/* A full disk is reported, the old state stays, and restoring works later. */
static void
test_disk_full (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = prepare (fixture);
  g_autoptr (GError) error = NULL;
  struct rlimit limit, full;

  make_a_mess (fixture);
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  full = limit;
  full.rlim_cur = 64;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &full), ==, 0);
  g_assert_false (userdata_test_restore (fixture->store, backup->path, TRUE, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  expect_mess (fixture);

  fixture_close (fixture);
  fixture_open (fixture, 20);
  g_assert_cmpuint (fixture->set_aside->len, ==, 0);
  expect_mess (fixture);
  restore (fixture, backup, TRUE);
  expect_as_it_was (fixture);
}

/* An endless number of empty files */
static void
test_flood (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *path = g_build_filename (fixture->top, "flood.json.gz", NULL);
  g_autoptr (GOutputStream) stream = open_packed (path);
  g_autofree char *name = g_strnfill (60000, 'n');
  g_autoptr (GError) error = NULL;

  fixture_open (fixture, 20);
  put (stream, ABOUT, strlen (ABOUT));
  for (guint i = 0; i < 11000; i++)
    put_file (stream, name, "", 0);
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  g_assert_false (userdata_test_restore (fixture->store, path, FALSE, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
}

int
main (int argc, char **argv)
{
  static const char *const no_backups[] = { "missing", "folder", "", "no backup", "\x1f\x8b\x08\x00\x01\x01\x01\x01\x01\x01\x01" };

  if (argc == 5 && strcmp (argv[1], "--restore") == 0)
    return restore_child (argv[2], argv[3], argv[4]);

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/userdata-restore/restore", test_restore);
  g_test_add_func ("/userdata-restore/folder", test_folder);
  g_test_add_func ("/userdata-restore/lasts", test_lasts);
  g_test_add_func ("/userdata-restore/nothing-there", test_nothing_there);
  g_test_add_func ("/userdata-restore/other-machine", test_other_machine);
  g_test_add_func ("/userdata-restore/clock", test_clock);
  g_test_add_func ("/userdata-restore/unknown", test_unknown);
  g_test_add_func ("/userdata-restore/truncated", test_truncated);
  g_test_add_func ("/userdata-restore/flipped", test_flipped);
  g_test_add_func ("/userdata-restore/digest", test_digest);
  for (gsize i = 0; i < G_N_ELEMENTS (no_backups); i++)
    {
      g_autofree char *path = g_strdup_printf ("/userdata-restore/no-backup/%zu", i);

      g_test_add_data_func (path, no_backups[i], test_no_backup);
    }
  g_test_add_func ("/userdata-restore/oldest", test_oldest);
  g_test_add_func ("/userdata-restore/hostile", test_hostile);
  g_test_add_func ("/userdata-restore/many", test_many);
  g_test_add_func ("/userdata-restore/bomb", test_bomb);
  g_test_add_func ("/userdata-restore/flood", test_flood);
  g_test_add_func ("/userdata-restore/size", test_size);
  g_test_add_func ("/userdata-restore/tail", test_tail);
  g_test_add_func ("/userdata-restore/killed", test_killed);
  g_test_add_func ("/userdata-restore/disk-full", test_disk_full);

  return g_test_run ();
}
