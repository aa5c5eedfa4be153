/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include <glib/gstdio.h>

/* Followed podcasts, and records: bookmarks, lists and all else with a file of its own */

#define BOOKMARKS "bookmarks.json"
#define NOTE(note) "{\"note\": \"" note "\"}"

static void
listen (Fixture *fixture)
{
  fixture_forget (fixture);
  fixture_open (fixture, 20);
  ear_userdata_store_load_records (fixture->store, EAR_RECORD_BOOKMARK);
  EAR_TEST_WAIT_UNTIL (fixture->n_bookmarks_changed > 0);
  fixture->n_bookmarks_changed = 0;
}

/* @old: (nullable): the value of which the other members stay */
static void
set (Fixture *fixture, const char *id, const char *note, GVariant *old)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, old);
  g_variant_dict_insert (&dict, "note", "s", note);
  g_variant_dict_insert (&dict, "time", "d", 12.0);
  ear_userdata_store_set_record (fixture->store, EAR_RECORD_BOOKMARK,
                                 ear_record_new (id, g_variant_dict_end (&dict), g_get_real_time ()));
}

static void
clear (Fixture *fixture, const char *id)
{
  ear_userdata_store_set_record (fixture->store, EAR_RECORD_BOOKMARK, ear_record_new (id, NULL, g_get_real_time ()));
}

/* @expected: (nullable): the note of a bookmark that was received */
static void
assert_note (Fixture *fixture, const char *id, const char *expected)
{
  GVariant *value = g_hash_table_lookup (fixture->bookmarks, id);
  const char *note = NULL;

  g_assert_true (g_hash_table_contains (fixture->bookmarks, id));
  if (value != NULL)
    g_variant_lookup (value, "note", "&s", &note);
  g_assert_cmpstr (note, ==, expected);
}

/* A stored record exists in the next session; a removed one does not, and stays away. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  listen (fixture);
  g_assert_cmpuint (g_hash_table_size (fixture->bookmarks), ==, 0);
  set (fixture, "a", "First", NULL);
  set (fixture, "b", "Second", NULL);
  set (fixture, "a", "First, \"changed\"", NULL);
  clear (fixture, "b");
  fixture_close (fixture);

  listen (fixture);
  assert_note (fixture, "a", "First, \"changed\"");
  g_assert_cmpfloat (ear_record_get_number (g_hash_table_lookup (fixture->bookmarks, "a"), "time", 0), ==, 12);
  assert_note (fixture, "b", NULL);
  assert_json (fixture, BOOKMARKS, "kind", "bookmarks");

  /* A record of another machine that is changed here keeps its unknown members. */
  fixture_write (fixture, BOOKMARKS, BOOKMARKS_FILE ("\"theirs\": " STAMPED ("{\"note\": \"Theirs\", \"deep\": {\"list\": [1, 2.5, null]}}", "2026-01-01")));
  EAR_TEST_WAIT_UNTIL (fixture->n_bookmarks_changed > 0);
  assert_note (fixture, "theirs", "Theirs");
  set (fixture, "theirs", "Ours", g_hash_table_lookup (fixture->bookmarks, "theirs"));
  fixture_wait_for_text (fixture, BOOKMARKS, "Ours");
  assert_json (fixture, BOOKMARKS, "records theirs value deep list", "[1,2.5,null]");
}

/* Peeking changes no damaged files, and no conflict copies of another machine. */
static void
test_peeked (Fixture *fixture, gconstpointer data)
{
  static const char broken[] = "{\"version\": 1, \"kind\": \"bookmarks\", \"records\": {";
  const char *missing = fixture_get_path (fixture, "missing");
  g_autoptr (GPtrArray) none = ear_userdata_peek_records (missing, EAR_RECORD_BOOKMARK);

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_false (g_file_test (missing, G_FILE_TEST_EXISTS));
  fixture_write (fixture, BOOKMARKS, BOOKMARKS_FILE ("\"a\": " STAMPED (NOTE ("Peeked"), "2026-01-01") ", \"b\": 5"));
  g_autoptr (GPtrArray) records = ear_userdata_peek_records (fixture->path, EAR_RECORD_BOOKMARK);
  g_assert_cmpuint (records->len, ==, 1);
  g_assert_cmpstr (((EarRecord *) g_ptr_array_index (records, 0))->id, ==, "a");
  fixture_write (fixture, BOOKMARKS, broken);
  g_autoptr (GPtrArray) damaged = ear_userdata_peek_records (fixture->path, EAR_RECORD_BOOKMARK);
  g_assert_cmpuint (damaged->len, ==, 0);
  assert_file (fixture, BOOKMARKS, broken);
}

/* Restoring drops all later changes, except for the listening time. */
static void
test_restored (Fixture *fixture, gconstpointer data)
{
  listen (fixture);
  set (fixture, "changed", "Before", NULL);
  set (fixture, "removed", "There", NULL);
  g_autoptr (EarBackup) backup = back_up (fixture->store, EAR_BACKUP_BY_HAND, NULL);
  set (fixture, "changed", "After", NULL);
  clear (fixture, "removed");
  set (fixture, "added", "New", NULL);
  ear_userdata_store_set_record (fixture->store, EAR_RECORD_LISTENING,
                                 ear_record_new ("2026-11", g_variant_new ("a{sv}", NULL), g_get_real_time ()));
  flush (fixture->store, NULL);
  fixture_forget (fixture);

  restore (fixture->store, backup->path, FALSE, NULL);
  EAR_TEST_WAIT_UNTIL (fixture->n_bookmarks_changed > 0);
  assert_note (fixture, "changed", "Before");
  assert_note (fixture, "removed", "There");
  assert_note (fixture, "added", NULL);
  assert_json (fixture, "listening.json", "records 2026-11 value", "{}");
}

/* --- Followed podcasts --------------------------------------------------------------- */

#define SUBSCRIPTIONS "subscriptions.json"

/* Opens the folder again. Returns: (transfer none): the podcast that is first in its list */
static const EarSubscription *
load_first (Fixture *fixture, guint n_expected)
{
  if (fixture->store != NULL)
    fixture_close (fixture);
  fixture_open (fixture, 20);
  g_clear_pointer (&fixture->subscriptions, g_ptr_array_unref);
  fixture->subscriptions = load_subscriptions (fixture->store, NULL);
  g_assert_cmpuint (fixture->subscriptions->len, ==, n_expected);

  return fixture->subscriptions->pdata[0];
}

static void
set_subscription (Fixture *fixture, const char *address, const char *feed, const char *title, gboolean followed)
{
  ear_userdata_store_set_subscription (fixture->store,
                                       ear_subscription_new (address, feed, title, followed, g_get_real_time ()));
}

/* Followed podcasts are kept; if the file is deleted at run time, the next one has them all. */
static void
test_subscriptions (Fixture *fixture, gconstpointer data)
{
  const gint64 start = g_get_real_time ();
  fixture_open (fixture, 20);
  g_autoptr (GPtrArray) none = load_subscriptions (fixture->store, NULL);
  g_assert_cmpuint (none->len, ==, 0);
  set_subscription (fixture, ADDRESS, NULL, "A podcast", TRUE);
  const gint64 followed = g_get_real_time ();
  set_subscription (fixture, ADDRESS, OTHER, "A new title", TRUE);
  put_into_folder (fixture->store, "News");
  flush (fixture->store, NULL);
  g_assert_cmpint (g_unlink (fixture_get_path (fixture, SUBSCRIPTIONS)), ==, 0);
  set_subscription (fixture, OTHER, NULL, "Another one", TRUE);
  flush (fixture->store, NULL);

  const EarSubscription *found = load_first (fixture, 2);
  g_assert_cmpstr (found->address, ==, ADDRESS);
  g_assert_cmpstr (found->feed_address, ==, OTHER);
  g_assert_cmpstr (found->title, ==, "A new title");
  g_assert_cmpstr (found->folder, ==, "News");
  g_assert_cmpint (found->updated, >=, start);
  g_assert_cmpint (found->updated, <=, followed);
  g_assert_true (found->followed);

  /* Unfollowed, the podcast stays unfollowed, and the next start is not a first start. */
  set_subscription (fixture, ADDRESS, NULL, NULL, FALSE);
  g_assert_false (load_first (fixture, 2)->followed);
  g_assert_cmpuint (fixture->n_subscriptions_changed, ==, 0);
}

static void
test_subscriptions_outside (Fixture *fixture, gconstpointer data)
{
  fixture_open (fixture, 20);
  set_subscription (fixture, ADDRESS, NULL, "A podcast", FALSE);
  flush (fixture->store, NULL);
  /* An older file of another machine, with additions by hand and hostile ones */
  fixture_write (fixture, SUBSCRIPTIONS,
                 "{\"version\": 2, \"kind\": \"subscriptions\", \"folders\": [], \"podcasts\": {"
                 " \"" ADDRESS "\": {\"stars\": 5, \"followed\": " STAMPED ("true", "2026-01-01") "},"
                 " \"" OTHER "\": {},"
                 " \"javascript:alert(1)\": {}, \"file:///etc/passwd\": {\"followed\": true}, \"\": {}, \"https://a.example/\": 5,"
                 " \"https://b.example/\": {\"title\": 5, \"feed\": \"file:///etc/passwd\", \"followed\": true},"
                 " \"https://c.example/\": {\"followed\": \"maybe\"}}}");
  EAR_TEST_WAIT_UNTIL (fixture->n_subscriptions_changed > 0);
  g_assert_cmpuint (fixture->subscriptions->len, ==, 3);
  for (guint i = 0; i < fixture->subscriptions->len; i++)
    {
      const EarSubscription *one = fixture->subscriptions->pdata[i];

      g_assert_cmpint (one->followed, ==, !g_str_equal (one->address, ADDRESS));
      g_assert_null (one->feed_address);
    }
  fixture_wait_for_text (fixture, SUBSCRIPTIONS, "\"value\": false");
  assert_json (fixture, SUBSCRIPTIONS, "folders", "[]");
  assert_json (fixture, SUBSCRIPTIONS, "version", "2");
  assert_json (fixture, SUBSCRIPTIONS, "podcasts " ADDRESS " stars", "5");
  assert_json (fixture, SUBSCRIPTIONS, "podcasts " ADDRESS " followed value", "false");
  g_assert_cmpuint (fixture->n_subscriptions_changed, ==, 1);
}

/* The file changes just when something is set here: the signal has all changes. */
static void
test_subscriptions_crossed (Fixture *fixture, gconstpointer data)
{
  fixture_open (fixture, 20);
  follow (fixture->store, ADDRESS, TRUE);
  follow (fixture->store, OTHER, TRUE);
  flush (fixture->store, NULL);
  fixture_write (fixture, SUBSCRIPTIONS, SUBSCRIPTIONS_FILE ("\"" ADDRESS "\": {}, \"" OTHER "\": {}, \"https://c.example/\": {}"));
  set_subscription (fixture, ADDRESS, OTHER, "A podcast", TRUE);
  for (guint i = 0; i < 100; i++)
    follow (fixture->store, ADDRESS, TRUE);
  follow (fixture->store, OTHER, FALSE);
  EAR_TEST_WAIT_UNTIL (fixture->n_subscriptions_changed > 0);
  g_assert_cmpuint (fixture->subscriptions->len, ==, 3);
  for (guint i = 0; i < fixture->subscriptions->len; i++)
    {
      const EarSubscription *one = fixture->subscriptions->pdata[i];

      g_assert_cmpint (one->followed, ==, !g_str_equal (one->address, OTHER));
      g_assert_cmpstr (one->feed_address, ==, g_str_equal (one->address, ADDRESS) ? OTHER : NULL);
    }
  flush (fixture->store, NULL);
  ear_test_spin (300);
  g_assert_cmpuint (fixture->n_subscriptions_changed, ==, 1);
}

/* An entry of another machine */
#define ENTRY(folder) SUBSCRIPTIONS_FILE ("\"" ADDRESS "\": {\"folder\": " folder ", \"followed\": " STAMPED ("true", "2026-01-01") "}")

/* The folder has its own stamp: following does not affect it, and the newer one counts.
 * Earlier versions wrote no stamp. */
static void
test_folders (Fixture *fixture, gconstpointer data)
{
  static const char *const hostile[] = { ENTRY ("[\"a\"]"), ENTRY (STAMPED ("5", "2099-01-01")) };

  fixture_write (fixture, SUBSCRIPTIONS, ENTRY ("\"Old\""));
  g_assert_cmpstr (load_first (fixture, 1)->folder, ==, "Old");
  set_subscription (fixture, ADDRESS, NULL, "A podcast", TRUE);
  flush (fixture->store, NULL);
  g_assert_cmpstr (load_first (fixture, 1)->folder, ==, "Old");

  put_into_folder (fixture->store, "2024");
  g_assert_cmpstr (load_first (fixture, 1)->folder, ==, "2024");

  /* Another machine, earlier, and then later; there the podcast is in no folder. */
  fixture_write (fixture, SUBSCRIPTIONS, ENTRY (STAMPED ("\"Theirs\"", "2026-01-01")));
  g_autoptr (GPtrArray) all = load_subscriptions (fixture->store, NULL);
  g_assert_cmpstr (((EarSubscription *) all->pdata[0])->folder, ==, "2024");
  put_into_folder (fixture->store, NULL);
  g_assert_null (load_first (fixture, 1)->folder);
  g_assert_cmpint (((EarSubscription *) fixture->subscriptions->pdata[0])->folder_updated, >, 0);

  for (gsize i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      fixture_write (fixture, SUBSCRIPTIONS, hostile[i]);
      g_autoptr (GPtrArray) found = load_subscriptions (fixture->store, NULL);
      g_assert_cmpuint (found->len, ==, 1);
      g_assert_null (((EarSubscription *) found->pdata[0])->folder);
    }
}

/* A podcast whose "followed" is unreadable is left alone. Without that member it would be
 * followed, so nothing else of it is written when another program removes it. */
static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  fixture_write (fixture, SUBSCRIPTIONS,
                 SUBSCRIPTIONS_FILE ("\"" ADDRESS "\": {\"followed\": \"maybe\", \"title\": \"A podcast\", \"folder\": " STAMPED ("\"News\"", "2026-01-01") "}"));
  fixture_open (fixture, 20);
  g_autoptr (GPtrArray) all = load_subscriptions (fixture->store, NULL);
  g_assert_cmpuint (all->len, ==, 0);
  fixture_write (fixture, SUBSCRIPTIONS, SUBSCRIPTIONS_FILE (""));
  follow (fixture->store, OTHER, TRUE);
  flush (fixture->store, NULL);
  assert_json (fixture, SUBSCRIPTIONS, "podcasts " OTHER " followed value", "true");
  assert_json (fixture, SUBSCRIPTIONS, "podcasts " ADDRESS, NULL);
}

int
main (int argc, char *argv[])
{
  static const FixtureTest tests[] = {
    { "/userdata-records/kept", test_kept },
    { "/userdata-records/peeked", test_peeked },
    { "/userdata-records/restored", test_restored },
    { "/userdata-subscriptions/subscriptions", test_subscriptions },
    { "/userdata-subscriptions/outside", test_subscriptions_outside },
    { "/userdata-subscriptions/crossed", test_subscriptions_crossed },
    { "/userdata-subscriptions/folders", test_folders },
    { "/userdata-subscriptions/unreadable", test_unreadable },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
