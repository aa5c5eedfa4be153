/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "ear-dialog.h"
#include "ear-test-folder.h"
#include "library-fixture.h"

/* The debug information of About helps to find a fault, and has no private data. */

#define PRIVATE "http://maria:sesame@127.0.0.1:1/members/8f14e45fceea167a5a36dedd4bea2543/feed.xml?token=0123456789abcdef"

typedef struct
{
  char *folder;
  EarLibrary *library;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *data_folder = NULL;
  g_autofree char *cache_folder = NULL;
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-about-XXXXXX", &error);
  g_assert_no_error (error);
  data_folder = g_build_filename (fixture->folder, "data", NULL);
  cache_folder = g_build_filename (fixture->folder, "cache", NULL);
  fixture->library = ear_library_new (data_folder, cache_folder);
  g_assert_true (ear_library_open (fixture->library, &error));
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  library_fixture_close (&fixture->library);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static void
assert_without (const char *text, const char *secret)
{
  g_autofree char *lower = g_utf8_strdown (text, -1);
  g_autofree char *lower_secret = secret != NULL ? g_utf8_strdown (secret, -1) : NULL;

  if (lower_secret != NULL && *lower_secret != '\0' && strstr (lower, lower_secret) != NULL)
    g_error ("\"%s\" is in the debug information:\n%s", secret, text);
}

static void
test_private (Fixture *fixture, gconstpointer data)
{
  static const char *const secrets[] = { "maria", "sesame", "127.0.0.1", "members", "8f14e45f", "0123456789abcdef", "token",
                                         "http", "Therapy", "Ordinary", "feed.xml", "anna-of-the-hill", "/home", "/tmp", "@" };
  g_autofree char *text = NULL;

  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), PRIVATE, "Therapy for Maria");
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:1/plain", "Ordinary");
  text = ear_about_dup_debug_info (fixture->library, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (secrets); i++)
    assert_without (text, secrets[i]);
  assert_without (text, fixture->folder);
  assert_without (text, g_get_home_dir ());
}

static void
assert_has (const char *text, const char *words)
{
  if (strstr (text, words) == NULL)
    g_error ("\"%s\" is not in the debug information:\n%s", words, text);
}

static void
test_useful (Fixture *fixture, gconstpointer data)
{
  static const char *const words[] = { "Earmark " EAR_VERSION, "Sandbox: ", "GTK: 4.", "libadwaita: 1.", "GLib: 2.", "libsoup: 3.",
                                       "GStreamer: 1.", "SQLite: 3.", "libxml2: 2.", "Podcasts: 1, of which 1 are private",
                                       "Last check: never", "failed with error 30: 1", "catalogue.db: ", "refresh-interval: 60", "notifications: TRUE" };
  g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, EAR_ERROR_OTHER_PODCAST, "");
  g_autofree char *text = NULL;

  ear_podcast_set_error (ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library),
                                                   PRIVATE, "Therapy for Maria"),
                         error);
  text = ear_about_dup_debug_info (fixture->library, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    assert_has (text, words[i]);
}

int
main (int argc, char *argv[])
{
  g_setenv ("HOME", "/home/anna-of-the-hill", TRUE);
  g_setenv ("USER", "anna-of-the-hill", TRUE);
  g_setenv ("LOGNAME", "anna-of-the-hill", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/about/private", Fixture, NULL, set_up, test_private, tear_down);
  g_test_add ("/about/useful", Fixture, NULL, set_up, test_useful, tear_down);

  return g_test_run ();
}
