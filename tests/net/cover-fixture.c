/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cover-fixture.h"

#include "ear-test-folder.h"

void
cover_clear (Cover *cover)
{
  g_clear_object (&cover->cancellable);
  g_clear_pointer (&cover->image, ear_image_unref);
  g_clear_error (&cover->error);
  cover->done = FALSE;
}

guint
count_files (const char *path, const char *suffix)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_suffix (name, suffix);

  return n;
}

void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *parent = g_dir_make_tmp ("earmark-covers-XXXXXX", NULL);

  net_fixture_set_up (&fixture->net, NULL);
  fixture->directory = g_build_filename (parent, "covers", NULL);
  fixture->cache = ear_cover_cache_new (fixture->net.http, fixture->directory);
}

/* Condition for net_wait() */
gboolean
is_alone (gpointer data)
{
  return G_OBJECT (data)->ref_count == 1;
}

void
close_cache (Fixture *fixture)
{
  /* Background jobs without waiters hold a reference for a moment. */
  g_assert_true (net_wait (is_alone, fixture->cache, 60000));
  g_assert_finalize_object (g_steal_pointer (&fixture->cache));
}

void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *parent = g_path_get_dirname (fixture->directory);

  close_cache (fixture);
  net_fixture_tear_down (&fixture->net, NULL);
  ear_test_folder_remove (parent);
  g_free (fixture->directory);
}

/* Simulates a restart of the application. */
void
start_anew (Fixture *fixture)
{
  close_cache (fixture);
  fixture->cache = ear_cover_cache_new (fixture->net.http, fixture->directory);
}

void
put (Fixture *fixture, const char *path, GBytes *picture_taken)
{
  ear_test_server_put_bytes (fixture->net.server, path, "image/jpeg", picture_taken);
  g_bytes_unref (picture_taken);
}

char *
url_of (Fixture *fixture, guint address, const char *path)
{
  return ear_test_server_dup_url (fixture->net.server, address, path);
}

guint
count_requests (Fixture *fixture)
{
  return ear_test_server_count_requests (fixture->net.server, NULL);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Cover *cover = user_data;

  g_assert_false (cover->done);
  cover->image = ear_cover_cache_load_finish (EAR_COVER_CACHE (source), result, &cover->error);
  g_assert_true ((cover->image == NULL) == (cover->error != NULL));
  cover->done = TRUE;
}

static gboolean
is_done (gpointer data)
{
  return ((Cover *) data)->done;
}

void
start (Fixture *fixture, const char *url, EarCoverSize size, Cover *cover)
{
  ear_cover_cache_load_async (fixture->cache, url, size, cover->cancellable, loaded_cb, cover);
}

void
await (Cover *cover)
{
  g_assert_true (net_wait (is_done, cover, 60000));
}

void
load (Fixture *fixture, const char *url, EarCoverSize size, Cover *cover)
{
  cover_clear (cover);
  start (fixture, url, size, cover);
  await (cover);
}

void
load_path (Fixture *fixture, const char *path, EarCoverSize size, Cover *cover)
{
  g_autofree char *url = url_of (fixture, 1, path);

  load (fixture, url, size, cover);
}

void
assert_cover (Cover *cover, int width, int height)
{
  g_assert_no_error (cover->error);
  g_assert_cmpint (cover->image->width, ==, width);
  g_assert_cmpint (cover->image->height, ==, height);
}

/* Each test has a fixture of its own. */
int
run_cover_tests (int argc, char **argv, const CoverTest *tests, gsize n)
{
  net_main_init (&argc, &argv);
  for (gsize i = 0; i < n; i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);

  return g_test_run ();
}
