/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cover-fixture.h"

#include "ear-cover-files.h"
#include "net-pictures.h"

/* Storage and revalidation of covers */

static void
test_from_files (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };

  put (fixture, "/cover.png", net_picture_new (700, 350, TRUE, "png"));
  load_path (fixture, "/cover.png", EAR_COVER_SMALL, &cover);
  start_anew (fixture);
  /* One size after the other, each from its own file */
  load_path (fixture, "/cover.png", EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 64);
  g_assert_true (cover.image->has_alpha);
  load_path (fixture, "/cover.png", EAR_COVER_LARGE, &cover);
  assert_cover (&cover, 512, 256);
  g_assert_cmpuint (count_requests (fixture), ==, 1);
}

static void
damage (Fixture *fixture, const char *contents, gssize length)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->directory, name, NULL);

      g_file_set_contents (path, contents, length, NULL);
    }
}

static void
test_damaged_files (Fixture *fixture, gconstpointer data)
{
  static const char *const contents[] = { "", "\xff\xd8\xff\xe0", "{\"version\": [[[", "{\"retry\": \"x\", \"etag\": {}}", "[]" };
  g_auto (Cover) cover = { 0 };

  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load_path (fixture, "/cover.jpg", EAR_COVER_SMALL, &cover);
  for (gsize i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      start_anew (fixture);
      damage (fixture, contents[i], -1);
      load_path (fixture, "/cover.jpg", EAR_COVER_SMALL, &cover);
      assert_cover (&cover, 128, 128);
      g_assert_cmpuint (count_requests (fixture), ==, i + 2);
    }
}

/* If the folder cannot be created, covers are shown but not stored. */
static void
test_no_folder (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  g_autofree char *url = url_of (fixture, 1, "/cover.jpg");

  close_cache (fixture);
  fixture->cache = ear_cover_cache_new (fixture->net.http, "/dev/null/covers");
  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load (fixture, url, EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
  g_assert_null (ear_cover_cache_dup_path (fixture->cache, url));
  load (fixture, url, EAR_COVER_LARGE, &cover);
  assert_cover (&cover, 300, 300);
  /* Without storage, each size is fetched separately. */
  g_assert_cmpuint (count_requests (fixture), ==, 2);
}

static void
make_old (Fixture *fixture, const char *url)
{
  g_autoptr (EarCoverFacts) facts = ear_cover_files_load_facts (fixture->directory, url);

  g_assert_cmpint (ABS (facts->fetched - g_get_real_time () / G_USEC_PER_SEC), <, 100);
  g_assert_nonnull (facts->etag);
  facts->fetched -= 8 * 24 * 60 * 60;
  ear_cover_files_save_facts (fixture->directory, url, facts, NULL);
}

static void
changed_cb (EarCoverCache *cache, const char *address, char **changed)
{
  g_assert_null (*changed);
  *changed = g_strdup (address);
}

static gboolean
is_set (gpointer data)
{
  return *(char **) data != NULL;
}

static void
test_still_the_same (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  g_autofree char *url = url_of (fixture, 1, "/cover.jpg");
  g_autofree char *changed = NULL;
  g_autoptr (EarTestRequest) request = NULL;
  g_autoptr (EarCoverFacts) facts = NULL;

  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load (fixture, url, EAR_COVER_SMALL, &cover);
  start_anew (fixture);
  make_old (fixture, url);
  g_signal_connect (fixture->cache, "changed", G_CALLBACK (changed_cb), &changed);
  load (fixture, url, EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
  g_assert_true (net_wait (is_alone, fixture->cache, 60000));
  request = ear_test_server_dup_last_request (fixture->net.server, "/cover.jpg");
  g_assert_cmpuint (request->status, ==, 304);
  g_assert_null (changed);
  facts = ear_cover_files_load_facts (fixture->directory, url);
  g_assert_cmpint (ABS (facts->fetched - g_get_real_time () / G_USEC_PER_SEC), <, 100);
  g_assert_nonnull (facts->etag);
}

static void
test_changed (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  g_autofree char *url = url_of (fixture, 1, "/cover.jpg");
  g_autofree char *changed = NULL;

  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load (fixture, url, EAR_COVER_SMALL, &cover);
  start_anew (fixture);
  make_old (fixture, url);
  put (fixture, "/cover.jpg", net_picture_new (300, 150, FALSE, "jpeg"));
  g_signal_connect (fixture->cache, "changed", G_CALLBACK (changed_cb), &changed);

  /* The old picture at once, then the new one */
  load (fixture, url, EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
  g_assert_true (net_wait (is_set, &changed, 60000));
  g_assert_cmpstr (changed, ==, url);
  g_assert_cmpint (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_SMALL)->height, ==, 64);
}

static void
test_prune (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load_path (fixture, "/cover.jpg", EAR_COVER_SMALL, &cover);
  g_assert_cmpuint (ear_cover_files_prune (fixture->directory, now - 1000), ==, 0);
  g_assert_cmpuint (count_files (fixture->directory, ""), ==, 3);
  g_assert_cmpuint (ear_cover_files_prune (fixture->directory, now + 1000), ==, 1);
  g_assert_cmpuint (count_files (fixture->directory, ""), ==, 0);
  g_assert_cmpuint (ear_cover_files_prune ("/nonexistent", now), ==, 0);
}

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(gint64 *) user_data = ear_cover_cache_measure_finish (EAR_COVER_CACHE (source), result, &error);
  g_assert_no_error (error);
}

static gint64
measure (Fixture *fixture)
{
  gint64 size = -1;

  ear_cover_cache_measure_async (fixture->cache, NULL, measured_cb, &size);
  while (size < 0)
    g_main_context_iteration (NULL, TRUE);

  return size;
}

static void
cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = ear_cover_cache_clear_finish (EAR_COVER_CACHE (source), result, NULL);
}

/* Measures and deletes the cache's own files; covers can be fetched again. */
static void
test_clear (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  g_auto (Cover) again = { 0 };
  g_autofree char *other = g_build_filename (fixture->directory, "notes.jpg", NULL);
  gboolean cleared = FALSE;

  g_assert_cmpint (measure (fixture), ==, 0);
  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load_path (fixture, "/cover.jpg", EAR_COVER_SMALL, &cover);
  g_assert_cmpint (measure (fixture), >, 1000);
  g_assert_true (g_file_set_contents (other, "mine", -1, NULL));
  ear_cover_cache_clear_async (fixture->cache, NULL, cleared_cb, &cleared);
  while (!cleared)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (measure (fixture), ==, 0);
  g_assert_cmpuint (count_files (fixture->directory, ""), ==, 1);
  load_path (fixture, "/cover.jpg", EAR_COVER_LARGE, &again);
  g_assert_no_error (again.error);
}

int
main (int argc, char **argv)
{
  static const CoverTest tests[] = {
    { "/cover-files/from-files", test_from_files },
    { "/cover-files/damaged-files", test_damaged_files },
    { "/cover-files/no-folder", test_no_folder },
    { "/cover-files/still-the-same", test_still_the_same },
    { "/cover-files/changed", test_changed },
    { "/cover-files/prune", test_prune },
    { "/cover-files/clear", test_clear },
  };

  return run_cover_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
