/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include <string.h>

/* Settings of one podcast: reading, merging and storing */

#define ADDRESS "https://example.org/feed.xml"
/* 2026-11-21T06:40:12.123456Z */
#define NOW G_GINT64_CONSTANT (1795243212123456)
#define S1 "\"updated\": \"2026-11-21T01:00:00.000000Z\""
#define S2 "\"updated\": \"2026-11-21T02:00:00.000000Z\""
#define FUTURE "\"updated\": \"2099-01-01T00:00:00.000000Z\""

#define NOTIFICATIONS EAR_PODCAST_SETTING_NOTIFICATIONS
#define INTERVAL EAR_PODCAST_SETTING_REFRESH_INTERVAL
#define FILTER EAR_PODCAST_SETTING_FILTER
#define SORT EAR_PODCAST_SETTING_SORT

static JsonObject *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonObject *root = ear_json_parse (text, strlen (text), &error);

  g_assert_no_error (error);

  return root;
}

static char *
print (JsonObject *root)
{
  gsize length;

  return ear_json_print (root, &length);
}

/* Hostile and hand-made members, and whether each is accepted: notifications off, a check
 * each quarter of an hour, only unplayed episodes, oldest first */
static const struct
{
  const char *settings;
  const char *taken; /* one letter for each of the four, "-" for ignored ones */
} files[] = {
  { "{}", "----" },
  { "{\"notifications\": {\"value\": false, " S1 "}, \"refresh-interval\": {\"value\": 15, " S1 "}, "
    "\"filter\": {\"value\": \"unplayed\", " S1 "}, \"sort\": {\"value\": \"oldest\", " S1 "}}", "nifs" },
  { "{\"notifications\": false, \"refresh-interval\": 15, \"filter\": \"unplayed\", \"sort\": \"oldest\"}", "nifs" },
  { "{\"notifications\": {\"value\": 0, " S1 "}, \"refresh-interval\": {\"value\": \"15\", " S1 "}, "
    "\"filter\": {\"value\": 1, " S1 "}, \"sort\": {\"value\": [\"oldest\"], " S1 "}}", "----" },
  { "{\"notifications\": null, \"refresh-interval\": null, \"filter\": null, \"sort\": null}", "----" },
  { "{\"notifications\": [], \"refresh-interval\": {}, \"filter\": {\"value\": {}}, \"sort\": {\"updated\": []}}", "----" },
  { "{\"refresh-interval\": {\"value\": 15.0, " S1 "}}", "-i--" },
  { "{\"refresh-interval\": {\"value\": 15.5, " S1 "}}", "----" },
  { "{\"refresh-interval\": {\"value\": -2, " S1 "}}", "----" },
  { "{\"refresh-interval\": {\"value\": 10081, " S1 "}}", "----" },
  { "{\"refresh-interval\": {\"value\": 4294967311, " S1 "}}", "----" },
  { "{\"refresh-interval\": {\"value\": 9223372036854775807, " S1 "}}", "----" },
  { "{\"refresh-interval\": {\"value\": 1e300, " S1 "}}", "----" },
  { "{\"filter\": {\"value\": \"starred\", " S1 "}, \"sort\": {\"value\": \"\", " S1 "}}", "----" },
  { "{\"notifications\": {\"value\": false, \"updated\": {}}, \"sort\": {\"value\": \"oldest\", \"updated\": \"soon\"}}", "n--s" },
  { "{\"filter\": {\"value\": \"unplayed\", " FUTURE "}}", "--f-" },
  { "[]", "----" },
  { "\"settings\"", "----" },
  { "null", "----" },
};

static void
test_read (void)
{
  static const int said[] = { FALSE, 15, 1, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"settings\": %s}", files[i].settings);
      g_autoptr (JsonObject) root = parse (text);
      EarPodcastSettings settings;

      userdata_test_read_settings (root, NOW, &settings);
      for (guint n = 0; n < G_N_ELEMENTS (said); n++)
        {
          const gboolean taken = files[i].taken[n] != '-';

          g_assert_cmpint (settings.values[n], ==, taken ? said[n] : ear_podcast_setting_get_usual (n));
          g_assert_cmpint (settings.updated[n] > 0, ==, taken);
          g_assert_cmpint (settings.updated[n], <=, NOW);
        }
    }
}

/* Values unknown to this version stay until the listener sets another one. */
static void
test_write (void)
{
  g_autoptr (JsonObject) root = parse ("{\"settings\": {\"tempo\": {\"value\": 1.5, " S1 "}, "
                                       "\"filter\": {\"value\": \"starred\", \"by\": \"phone\", " S2 "}}}");
  g_autofree char *before = print (root);
  g_autofree char *after = NULL;
  g_autofree char *again = NULL;
  g_autofree char *said = NULL;
  EarPodcastSettings settings;

  ear_podcast_settings_init (&settings);
  g_assert_false (userdata_test_write_settings (root, &settings, NOW));
  after = print (root);
  g_assert_cmpstr (after, ==, before);

  settings.values[INTERVAL] = 60;
  settings.updated[INTERVAL] = NOW - 1;
  g_assert_true (userdata_test_write_settings (root, &settings, NOW));
  g_assert_false (userdata_test_write_settings (root, &settings, NOW));
  again = print (root);
  g_assert_nonnull (strstr (again, "\"starred\""));
  g_assert_nonnull (strstr (again, "\"tempo\""));

  settings.values[FILTER] = 3;
  settings.updated[FILTER] = NOW - 1;
  g_assert_true (userdata_test_write_settings (root, &settings, NOW));
  said = print (root);
  g_assert_nonnull (strstr (said, "\"liked\""));
  g_assert_nonnull (strstr (said, "\"phone\""));
}

/* A member that is no object is only replaced when there is a value to store. */
static void
test_damaged_member (void)
{
  g_autoptr (JsonObject) root = parse ("{\"settings\": [1, 2]}");
  EarPodcastSettings settings, found;

  ear_podcast_settings_init (&settings);
  g_assert_false (userdata_test_write_settings (root, &settings, NOW));
  g_assert_nonnull (ear_json_get_array (root, "settings"));
  settings.values[NOTIFICATIONS] = FALSE;
  settings.updated[NOTIFICATIONS] = NOW - 1;
  g_assert_true (userdata_test_write_settings (root, &settings, NOW));
  userdata_test_read_settings (root, NOW, &found);
  g_assert_false (found.values[NOTIFICATIONS]);
  g_assert_cmpint (found.updated[NOTIFICATIONS], ==, NOW - 1);
}

static void
test_take_newer (void)
{
  EarPodcastSettings into, from;

  ear_podcast_settings_init (&into);
  ear_podcast_settings_init (&from);
  g_assert_false (ear_podcast_settings_take_newer (&into, &from));

  into.values[FILTER] = 1;
  into.updated[FILTER] = 10;
  into.updated[SORT] = 20;
  from.values[FILTER] = 2;
  from.updated[FILTER] = 10;
  from.values[SORT] = 3;
  from.updated[SORT] = 21;
  g_assert_true (ear_podcast_settings_take_newer (&into, &from));
  g_assert_cmpint (into.values[FILTER], ==, 1);
  g_assert_cmpint (into.values[SORT], ==, 3);
  g_assert_cmpint (into.values[NOTIFICATIONS], ==, TRUE);
}

typedef struct
{
  EarPodcastSettings settings; /* all values received */
  guint n_told;
} Told;

static void
settings_changed_cb (EarUserdataStore *store, const char *address, const EarPodcastSettings *settings, Told *told)
{
  g_assert_cmpstr (address, ==, ADDRESS);
  g_assert_true (ear_podcast_settings_take_newer (&told->settings, settings));
  told->n_told++;
}

static void
listen_to (Fixture *fixture, Told *told)
{
  fixture_open (fixture, 10);
  ear_podcast_settings_init (&told->settings);
  told->n_told = 0;
  g_signal_connect (fixture->store, "settings-changed", G_CALLBACK (settings_changed_cb), told);
}

static void
say (EarUserdataStore *store, EarPodcastSetting setting, int value, gint64 stamp)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, ADDRESS);
  EarPodcastSettings settings;
  g_autoptr (GError) error = NULL;

  ear_podcast_set_title (podcast, "The Lighthouse Hour");
  ear_podcast_settings_init (&settings);
  settings.values[setting] = value;
  settings.updated[setting] = stamp;
  ear_userdata_store_set_settings (store, podcast, &settings);
  g_assert_true (userdata_test_flush (store, &error));
  g_assert_no_error (error);
}

static gboolean
is_told (gpointer told)
{
  return ((Told *) told)->n_told > 0;
}

static EarPodcastSettings
read_file (Fixture *fixture)
{
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autoptr (JsonObject) root = fixture_parse (fixture, name);
  EarPodcastSettings settings;

  userdata_test_read_settings (root, g_get_real_time (), &settings);

  return settings;
}

static void
test_kept (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
  Told told;

  listen_to (fixture, &told);
  say (fixture->store, INTERVAL, 15, g_get_real_time ());
  say (fixture->store, FILTER, 2, g_get_real_time ());
  fixture_close (fixture);
  g_assert_cmpuint (told.n_told, ==, 0);

  g_autoptr (JsonObject) root = fixture_parse (fixture, name);
  g_assert_cmpstr (json_object_get_string_member (root, "title"), ==, "The Lighthouse Hour");

  listen_to (fixture, &told);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  g_assert_true (userdata_test_wait (is_told, &told));
  g_assert_cmpint (told.settings.values[INTERVAL], ==, 15);
  g_assert_cmpint (told.settings.values[FILTER], ==, 2);
  g_assert_cmpint (told.settings.updated[SORT], ==, 0);
}

/* Two machines with one folder: of each setting, the later change counts, in either order
 * of writing. */
static void
test_two_machines (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  const gint64 now = g_get_real_time ();
  g_autoptr (EarUserdataStore) other = NULL;
  EarPodcastSettings settings;
  Told told;

  listen_to (fixture, &told);
  say (fixture->store, SORT, 1, now - 10 * G_TIME_SPAN_SECOND);
  say (fixture->store, NOTIFICATIONS, FALSE, now - 2 * G_TIME_SPAN_SECOND);
  other = g_object_new (EAR_TYPE_USERDATA_STORE, "directory", fixture->path, "delay", 10, NULL);
  say (other, SORT, 3, now - 4 * G_TIME_SPAN_SECOND);
  say (other, NOTIFICATIONS, TRUE, now - 30 * G_TIME_SPAN_SECOND);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  g_assert_true (userdata_test_wait (is_told, &told));
  say (fixture->store, INTERVAL, 0, now);

  settings = read_file (fixture);
  g_assert_cmpint (settings.values[SORT], ==, 3);
  g_assert_false (settings.values[NOTIFICATIONS]);
  g_assert_cmpint (settings.values[INTERVAL], ==, 0);
  g_assert_cmpint (told.settings.values[SORT], ==, 3);
}

/* A conflict copy that a synchronizing program has put beside the file */
static void
test_conflicting_copy (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *copy = g_strdup_printf ("%.32s.sync-conflict-20261121-010101-ABCDEFG.json", name);
  EarPodcastSettings settings;
  Told told;

  listen_to (fixture, &told);
  say (fixture->store, INTERVAL, 15, g_get_real_time ());
  fixture_close (fixture);
  fixture_write (fixture, copy,
                 "{\"version\": 1, \"kind\": \"podcast\", \"addresses\": [\"" ADDRESS "\"], \"settings\": "
                 "{\"refresh-interval\": {\"value\": 60, " S1 "}, \"sort\": {\"value\": \"title\", " S1 "}, \"speed\": 2}}");
  fixture_age (fixture, copy, 600);

  listen_to (fixture, &told);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  g_assert_true (userdata_test_wait (is_told, &told));
  fixture_close (fixture);
  settings = read_file (fixture);
  g_assert_cmpint (settings.values[INTERVAL], ==, 15);
  g_assert_cmpint (settings.values[SORT], ==, 2);
}

/* Restores everything, whatever was set since, and whatever another machine's clock
 * shows. */
static void
test_restore (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = NULL;
  g_autoptr (GError) error = NULL;
  const gint64 now = g_get_real_time ();
  EarPodcastSettings settings;
  Told told;

  listen_to (fixture, &told);
  say (fixture->store, INTERVAL, 15, now);
  backup = userdata_test_back_up (fixture->store, EAR_BACKUP_BY_HAND, &error);
  g_assert_no_error (error);
  say (fixture->store, INTERVAL, 0, now + 1);
  say (fixture->store, FILTER, 2, now + 1);

  g_assert_true (userdata_test_restore (fixture->store, backup->path, FALSE, &error));
  g_assert_no_error (error);
  settings = read_file (fixture);
  g_assert_cmpint (settings.values[INTERVAL], ==, 15);
  g_assert_cmpint (settings.values[FILTER], ==, 0);
  g_assert_cmpint (settings.updated[INTERVAL], >, now + 1);
  g_assert_cmpint (settings.updated[FILTER], >, now + 1);
  g_assert_true (userdata_test_wait (is_told, &told));
  g_assert_cmpint (told.settings.values[INTERVAL], ==, 15);
}

/* Only valid values get into the file. */
static void
test_refused (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  EarPodcastSettings settings;

  fixture_open (fixture, 10);
  say (fixture->store, FILTER, 99, g_get_real_time ());
  say (fixture->store, INTERVAL, -7, g_get_real_time ());
  g_assert_cmpuint (fixture_count (fixture, ".json"), ==, 0);
  say (fixture->store, FILTER, 1, g_get_real_time ());
  settings = read_file (fixture);
  g_assert_cmpint (settings.values[FILTER], ==, 1);
  g_assert_cmpint (settings.updated[INTERVAL], ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/userdata-settings/read", test_read);
  g_test_add_func ("/userdata-settings/write", test_write);
  g_test_add_func ("/userdata-settings/damaged-member", test_damaged_member);
  g_test_add_func ("/userdata-settings/take-newer", test_take_newer);
  g_test_add_func ("/userdata-settings/kept", test_kept);
  g_test_add_func ("/userdata-settings/two-machines", test_two_machines);
  g_test_add_func ("/userdata-settings/conflicting-copy", test_conflicting_copy);
  g_test_add_func ("/userdata-settings/restore", test_restore);
  g_test_add_func ("/userdata-settings/refused", test_refused);

  return g_test_run ();
}
