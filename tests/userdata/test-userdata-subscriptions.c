/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include <glib/gstdio.h>

/* Followed podcasts, here and on other machines */

#define ADDRESS "https://example.org/feed.xml"
#define OTHER "https://example.org/other.xml"

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
  all = userdata_test_load_subscriptions (fixture->store, &first_start, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 0);
  g_assert_true (first_start);
  ear_userdata_store_set_subscription (fixture->store, follow);
  rename->updated = g_get_real_time ();
  ear_userdata_store_set_subscription (fixture->store, rename);
  g_clear_pointer (&all, g_ptr_array_unref);
  fixture_flush (fixture);

  fixture_close (fixture);
  fixture_open (fixture, 20);
  all = userdata_test_load_subscriptions (fixture->store, &first_start, &error);
  g_assert_no_error (error);
  g_assert_false (first_start);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_cmpstr (((EarSubscription *) all->pdata[0])->address, ==, ADDRESS);
  g_assert_cmpstr (((EarSubscription *) all->pdata[0])->feed_address, ==, OTHER);
  g_assert_cmpstr (((EarSubscription *) all->pdata[0])->title, ==, "A new title");
  g_assert_cmpint (((EarSubscription *) all->pdata[0])->updated, ==, follow->updated);
  g_assert_true (((EarSubscription *) all->pdata[0])->followed);
  unfollow->updated = g_get_real_time ();
  ear_userdata_store_set_subscription (fixture->store, unfollow);
  g_clear_pointer (&all, g_ptr_array_unref);

  /* Unfollowed, the podcast stays unfollowed, and the next start is not a first start. */
  fixture_close (fixture);
  fixture_open (fixture, 20);
  all = userdata_test_load_subscriptions (fixture->store, &first_start, &error);
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
  ear_userdata_store_set_subscription (fixture->store, unfollow);
  fixture_flush (fixture);
  /* An older file of another machine, with additions by hand and hostile ones */
  fixture_write (fixture, "subscriptions.json",
                 "{\"version\": 2, \"kind\": \"subscriptions\", \"folders\": [], \"podcasts\": {"
                 " \"" ADDRESS "\": {\"stars\": 5, \"followed\": {\"value\": true, \"updated\": \"2026-01-01T00:00:00Z\"}},"
                 " \"" OTHER "\": {},"
                 " \"javascript:alert(1)\": {}, \"file:///etc/passwd\": {\"followed\": true}, \"\": {}, \"https://a.example/\": 5,"
                 " \"https://b.example/\": {\"title\": 5, \"feed\": \"file:///etc/passwd\", \"followed\": true},"
                 " \"https://c.example/\": {\"followed\": \"maybe\"}}}");
  g_assert_true (userdata_test_wait (subscriptions_told, fixture));
  g_assert_cmpuint (fixture->subscriptions->len, ==, 3);
  for (guint i = 0; i < fixture->subscriptions->len; i++)
    {
      const EarSubscription *one = fixture->subscriptions->pdata[i];

      g_assert_cmpint (one->followed, ==, !g_str_equal (one->address, ADDRESS));
      g_assert_null (one->feed_address);
    }
  fixture_wait_for_text (fixture, "subscriptions.json", "\"value\": false");
  root = fixture_parse (fixture, "subscriptions.json");
  podcasts = json_object_get_object_member (root, "podcasts");
  g_assert_true (json_object_has_member (root, "folders"));
  g_assert_cmpint (json_object_get_int_member (root, "version"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (podcasts, ADDRESS), "stars"), ==, 5);
  g_assert_false (json_object_get_boolean_member (json_object_get_object_member (json_object_get_object_member (podcasts, ADDRESS), "followed"), "value"));
  g_assert_cmpuint (fixture->n_subscriptions_changed, ==, 1);
}

/* The file changes just when something is set here: the signal's list has both changes,
 * also pending ones. */
static void
test_subscriptions_crossed (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarSubscription) moved = ear_subscription_new (ADDRESS, OTHER, "A podcast", TRUE, 0);

  fixture_open (fixture, 20);
  userdata_test_follow (fixture->store, ADDRESS, TRUE);
  userdata_test_follow (fixture->store, OTHER, TRUE);
  fixture_flush (fixture);
  fixture_write (fixture, "subscriptions.json",
                 "{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {\"" ADDRESS "\": {}, \"" OTHER "\": {},"
                 " \"https://c.example/\": {}}}");
  moved->updated = g_get_real_time ();
  ear_userdata_store_set_subscription (fixture->store, moved);
  for (guint i = 0; i < 100; i++)
    userdata_test_follow (fixture->store, ADDRESS, TRUE);
  userdata_test_follow (fixture->store, OTHER, FALSE);
  g_assert_true (userdata_test_wait (subscriptions_told, fixture));
  g_assert_cmpuint (fixture->subscriptions->len, ==, 3);
  for (guint i = 0; i < fixture->subscriptions->len; i++)
    {
      const EarSubscription *one = fixture->subscriptions->pdata[i];

      g_assert_cmpint (one->followed, ==, !g_str_equal (one->address, OTHER));
      g_assert_cmpstr (one->feed_address, ==, g_str_equal (one->address, ADDRESS) ? OTHER : NULL);
    }
  fixture_flush (fixture);
  userdata_test_run_for (300);
  g_assert_cmpuint (fixture->n_subscriptions_changed, ==, 1);
}

/* The file is deleted at run time: the next one has all of its content. */
static void
test_subscriptions_lost (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarSubscription) first = ear_subscription_new (ADDRESS, OTHER, "A podcast", TRUE, g_get_real_time ());
  g_autoptr (EarSubscription) second = ear_subscription_new (OTHER, NULL, "Another one", TRUE, g_get_real_time ());
  g_autofree char *path = g_build_filename (fixture->path, "subscriptions.json", NULL);
  g_autoptr (GPtrArray) all = NULL;
  const EarSubscription *found;
  gboolean first_start;

  first->folder = g_strdup ("News");
  first->folder_updated = g_get_real_time ();
  fixture_open (fixture, 20);
  ear_userdata_store_set_subscription (fixture->store, first);
  fixture_flush (fixture);
  g_assert_cmpint (g_unlink (path), ==, 0);
  ear_userdata_store_set_subscription (fixture->store, second);
  fixture_flush (fixture);

  fixture_close (fixture);
  fixture_open (fixture, 20);
  all = userdata_test_load_subscriptions (fixture->store, &first_start, NULL);
  g_assert_cmpuint (all->len, ==, 2);
  found = all->pdata[0];
  g_assert_cmpstr (found->address, ==, ADDRESS);
  g_assert_true (found->followed);
  g_assert_cmpstr (found->title, ==, "A podcast");
  g_assert_cmpstr (found->feed_address, ==, OTHER);
  g_assert_cmpstr (found->folder, ==, "News");
}

static const EarSubscription *
load_first (Fixture *fixture, GPtrArray **all)
{
  gboolean first_start;

  g_clear_pointer (all, g_ptr_array_unref);
  *all = userdata_test_load_subscriptions (fixture->store, &first_start, NULL);
  g_assert_cmpuint ((*all)->len, ==, 1);

  return (*all)->pdata[0];
}

static void
put_into (Fixture *fixture, const char *folder)
{
  g_autoptr (EarSubscription) subscription = ear_subscription_new (ADDRESS, NULL, NULL, TRUE, g_get_real_time ());

  subscription->folder = g_strdup (folder);
  subscription->folder_updated = g_get_real_time ();
  ear_userdata_store_set_subscription (fixture->store, subscription);
  fixture_flush (fixture);
}

#define ENTRY(folder) \
  "{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {\"" ADDRESS "\": {" folder \
  ", \"followed\": {\"value\": true, \"updated\": \"2026-01-01T00:00:00Z\"}}}}"

/* The folder has its own stamp: following does not affect it, and the newer one counts.
 * Earlier versions wrote no stamp. */
static void
test_folders (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarSubscription) follow = ear_subscription_new (ADDRESS, NULL, "A podcast", TRUE, g_get_real_time ());
  g_autoptr (GPtrArray) all = NULL;

  fixture_write (fixture, "subscriptions.json", ENTRY ("\"folder\": \"Old\""));
  fixture_open (fixture, 20);
  g_assert_cmpstr (load_first (fixture, &all)->folder, ==, "Old");
  ear_userdata_store_set_subscription (fixture->store, follow);
  fixture_flush (fixture);
  g_assert_cmpstr (load_first (fixture, &all)->folder, ==, "Old");

  put_into (fixture, "2024");
  fixture_close (fixture);
  fixture_open (fixture, 20);
  g_assert_cmpstr (load_first (fixture, &all)->folder, ==, "2024");

  /* Another machine, earlier, and then later; there the podcast is in no folder. */
  fixture_write (fixture, "subscriptions.json", ENTRY ("\"folder\": {\"value\": \"Theirs\", \"updated\": \"2026-01-01T00:00:00Z\"}"));
  g_assert_cmpstr (load_first (fixture, &all)->folder, ==, "2024");
  put_into (fixture, NULL);
  fixture_close (fixture);
  fixture_open (fixture, 20);
  g_assert_null (load_first (fixture, &all)->folder);
  g_assert_cmpint (load_first (fixture, &all)->folder_updated, >, 0);

  /* Hand-made and hostile values */
  fixture_write (fixture, "subscriptions.json", ENTRY ("\"folder\": [\"a\"]"));
  g_assert_null (load_first (fixture, &all)->folder);
  fixture_write (fixture, "subscriptions.json", ENTRY ("\"folder\": {\"value\": 5, \"updated\": \"2099-01-01T00:00:00Z\"}"));
  g_assert_null (load_first (fixture, &all)->folder);
}

/* A podcast whose "followed" is unreadable is left alone. Without that member it would be
 * followed, so nothing else of it is written when another program removes it. */
static void
test_unreadable (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (JsonObject) root = NULL;
  JsonObject *podcasts;
  gboolean first_start;

  fixture_write (fixture, "subscriptions.json",
                 "{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {\"" ADDRESS "\": {\"followed\": \"maybe\","
                 " \"title\": \"A podcast\", \"folder\": {\"value\": \"News\", \"updated\": \"2026-01-01T00:00:00Z\"}}}}");
  fixture_open (fixture, 20);
  all = userdata_test_load_subscriptions (fixture->store, &first_start, NULL);
  g_assert_cmpuint (all->len, ==, 0);
  fixture_write (fixture, "subscriptions.json", "{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {}}");
  userdata_test_follow (fixture->store, OTHER, TRUE);
  fixture_flush (fixture);
  root = fixture_parse (fixture, "subscriptions.json");
  podcasts = json_object_get_object_member (root, "podcasts");
  g_assert_true (json_object_has_member (podcasts, OTHER));
  g_assert_false (json_object_has_member (podcasts, ADDRESS));
}

/* State without subscriptions is no first start: no welcome podcast is followed. */
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
      all = userdata_test_load_subscriptions (fixture->store, &first_start, &error);
      g_assert_no_error (error);
      g_assert_false (first_start);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/userdata-subscriptions/subscriptions", test_subscriptions);
  g_test_add_func ("/userdata-subscriptions/subscriptions-outside", test_subscriptions_outside);
  g_test_add_func ("/userdata-subscriptions/subscriptions-crossed", test_subscriptions_crossed);
  g_test_add_func ("/userdata-subscriptions/subscriptions-lost", test_subscriptions_lost);
  g_test_add_func ("/userdata-subscriptions/subscriptions-folders", test_folders);
  g_test_add_func ("/userdata-subscriptions/unreadable", test_unreadable);
  g_test_add_func ("/userdata-subscriptions/first-start", test_first_start);

  return g_test_run ();
}
