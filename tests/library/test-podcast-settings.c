/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "ear-address.h"
#include "ear-library.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* Settings of one podcast in a library: after restarts, unfollowing and the loss of the
 * catalogue. No feed is fetched. */

#define ADDRESS "http://127.0.0.1:1/a"
#define OTHER "http://127.0.0.1:1/b"

typedef struct
{
  char *folder;
  char *data;
  char *cache;
  EarLibrary *library;
} Fixture;

static void
open_library (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  fixture->library = ear_library_new (fixture->data, fixture->cache);
  g_assert_true (ear_library_open (fixture->library, &error));
  g_assert_no_error (error);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-settings-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->data = g_build_filename (fixture->folder, "data", NULL);
  fixture->cache = g_build_filename (fixture->folder, "cache", NULL);
  open_library (fixture);
  ear_library_start (fixture->library, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->library != NULL)
    library_fixture_close (&fixture->library);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->data);
  g_free (fixture->cache);
}

static EarPodcast *
find (Fixture *fixture, const char *address)
{
  GListModel *podcasts = ear_library_get_podcasts (fixture->library);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (g_str_equal (ear_podcast_get_address (podcast), address))
        return podcast;
    }

  return NULL;
}

static void
count_cb (guint *n)
{
  (*n)++;
}

/* Each property notifies once, and only if its value changes. */
static void
test_properties (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), ADDRESS, "A");
  guint notifications = 0, interval = 0, filter = 0, sort = 0;

  g_signal_connect_swapped (podcast, "notify::notifications", G_CALLBACK (count_cb), &notifications);
  g_signal_connect_swapped (podcast, "notify::refresh-interval", G_CALLBACK (count_cb), &interval);
  g_signal_connect_swapped (podcast, "notify::filter", G_CALLBACK (count_cb), &filter);
  g_signal_connect_swapped (podcast, "notify::sort", G_CALLBACK (count_cb), &sort);
  for (guint i = 0; i < 2; i++)
    {
      ear_subscriptions_set_setting (ear_library_get_subscriptions (fixture->library), podcast, EAR_PODCAST_SETTING_NOTIFICATIONS, FALSE);
      ear_subscriptions_set_setting (ear_library_get_subscriptions (fixture->library), podcast, EAR_PODCAST_SETTING_REFRESH_INTERVAL, 0);
      ear_subscriptions_set_arrangement (ear_library_get_subscriptions (fixture->library), podcast, "liked", "newest");
    }
  ear_subscriptions_set_arrangement (ear_library_get_subscriptions (fixture->library), podcast, "nothing known", "");
  g_assert_cmpuint (notifications, ==, 1);
  g_assert_cmpuint (interval, ==, 1);
  g_assert_cmpuint (filter, ==, 1);
  g_assert_cmpuint (sort, ==, 0);
  g_assert_false (ear_podcast_get_notifications (podcast));
  g_assert_cmpint (ear_podcast_get_refresh_interval (podcast), ==, 0);
  g_assert_cmpstr (ear_podcast_get_filter (podcast), ==, "liked");
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "newest");
}

static void
set_some (Fixture *fixture, EarPodcast *podcast)
{
  ear_subscriptions_set_setting (ear_library_get_subscriptions (fixture->library), podcast, EAR_PODCAST_SETTING_NOTIFICATIONS, FALSE);
  ear_subscriptions_set_setting (ear_library_get_subscriptions (fixture->library), podcast, EAR_PODCAST_SETTING_REFRESH_INTERVAL, 15);
  ear_subscriptions_set_arrangement (ear_library_get_subscriptions (fixture->library), podcast, "unplayed", "oldest");
}

static gboolean
are_set (Fixture *fixture)
{
  EarPodcast *podcast = find (fixture, ADDRESS);

  return podcast != NULL && !ear_podcast_get_notifications (podcast) && ear_podcast_get_refresh_interval (podcast) == 15 &&
         g_str_equal (ear_podcast_get_filter (podcast), "unplayed") && g_str_equal (ear_podcast_get_sort (podcast), "oldest");
}

/* The next start knows them before any file is read; without a catalogue they are known
 * soon after. */
static void
test_restart (Fixture *fixture, gconstpointer data)
{
  g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);

  set_some (fixture, ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), ADDRESS, "A"));
  library_fixture_close (&fixture->library);
  open_library (fixture);
  g_assert_true (are_set (fixture));
  library_fixture_close (&fixture->library);

  g_assert_cmpint (g_remove (catalogue), ==, 0);
  open_library (fixture);
  g_assert_null (find (fixture, ADDRESS));
  ear_library_start (fixture->library, NULL);
  EAR_TEST_WAIT_UNTIL (are_set (fixture));
  library_fixture_close (&fixture->library);
  open_library (fixture);
  g_assert_true (are_set (fixture));
}

/* Following a podcast again restores its settings. */
static void
test_unfollow (Fixture *fixture, gconstpointer data)
{
  g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);

  set_some (fixture, ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), ADDRESS, "A"));
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), find (fixture, ADDRESS));
  g_assert_null (find (fixture, ADDRESS));
  library_fixture_close (&fixture->library);
  /* As if the row had been deleted a minute later */
  g_assert_cmpint (g_remove (catalogue), ==, 0);

  open_library (fixture);
  ear_library_start (fixture->library, NULL);
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), ADDRESS, "A");
  EAR_TEST_WAIT_UNTIL (are_set (fixture));
}

int
main (int argc, char *argv[])
{
  /* Like dconf, one store for the whole program, without delay */
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/podcast-settings/properties", test_properties);
  ADD ("/podcast-settings/restart", test_restart);
  ADD ("/podcast-settings/unfollow", test_unfollow);
#undef ADD

  return g_test_run ();
}
