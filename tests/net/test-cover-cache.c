/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-cover-cache.h"
#include "ear-cover-files.h"
#include "ear-cover-workers.h"
#include "ear-error.h"
#include "ear-test-folder.h"
#include "net-fixture.h"
#include "net-pictures.h"

#include <glib/gstdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/resource.h>
#endif

/* Covers from the web to the row, and what is kept of them. */

typedef struct
{
  NetFixture net;
  char *directory;
  EarCoverCache *cache;
} Fixture;

/* One load and what came of it */
typedef struct
{
  GCancellable *cancellable;
  EarImage *image;
  GError *error;
  gboolean done;
} Cover;

static void
cover_clear (Cover *cover)
{
  g_clear_object (&cover->cancellable);
  g_clear_pointer (&cover->image, ear_image_unref);
  g_clear_error (&cover->error);
  cover->done = FALSE;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cover, cover_clear)

static guint
count_files (const char *path, const char *suffix)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_suffix (name, suffix);

  return n;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *parent = g_dir_make_tmp ("earmark-covers-XXXXXX", NULL);

  net_fixture_set_up (&fixture->net, NULL);
  fixture->directory = g_build_filename (parent, "covers", NULL);
  fixture->cache = ear_cover_cache_new (fixture->net.http, fixture->directory);
}

static gboolean
is_alone (gpointer data)
{
  return G_OBJECT (data)->ref_count == 1;
}

static void
close_cache (Fixture *fixture)
{
  /* Jobs that nobody waits for hold a reference for a moment. */
  g_assert_true (net_wait (is_alone, fixture->cache, 10000));
  g_assert_finalize_object (g_steal_pointer (&fixture->cache));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *parent = g_path_get_dirname (fixture->directory);

  close_cache (fixture);
  net_fixture_tear_down (&fixture->net, NULL);
  ear_test_folder_remove (parent);
  g_free (fixture->directory);
}

/* As if the application had been started anew. */
static void
start_anew (Fixture *fixture)
{
  close_cache (fixture);
  fixture->cache = ear_cover_cache_new (fixture->net.http, fixture->directory);
}

static void
put (Fixture *fixture, const char *path, GBytes *picture_taken)
{
  ear_test_server_put_bytes (fixture->net.server, path, "image/jpeg", picture_taken);
  g_bytes_unref (picture_taken);
}

static char *
url_of (Fixture *fixture, guint address, const char *path)
{
  return ear_test_server_dup_url (fixture->net.server, address, path);
}

static guint
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

static void
start (Fixture *fixture, const char *url, EarCoverSize size, Cover *cover)
{
  ear_cover_cache_load_async (fixture->cache, url, size, cover->cancellable, loaded_cb, cover);
}

static void
await (Cover *cover)
{
  g_assert_true (net_wait (is_done, cover, 30000));
}

static void
load (Fixture *fixture, const char *url, EarCoverSize size, Cover *cover)
{
  cover_clear (cover);
  start (fixture, url, size, cover);
  await (cover);
}

static void
load_path (Fixture *fixture, const char *path, EarCoverSize size, Cover *cover)
{
  g_autofree char *url = url_of (fixture, 1, path);

  load (fixture, url, size, cover);
}

static void
assert_cover (Cover *cover, int width, int height)
{
  g_assert_no_error (cover->error);
  g_assert_cmpint (cover->image->width, ==, width);
  g_assert_cmpint (cover->image->height, ==, height);
}

/* --- Loading -------------------------------------------------------------------------- */

static void
test_load (Fixture *fixture, gconstpointer data)
{
  g_autofree char *url = url_of (fixture, 1, "/cover.jpg");
  g_auto (Cover) small = { 0 };
  g_auto (Cover) large = { 0 };
  g_autofree char *path = NULL;
  const guint8 *pixels;
  GStatBuf status;

  put (fixture, "/cover.jpg", net_picture_new (1400, 1400, FALSE, "jpeg"));
  g_assert_null (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_SMALL));
  g_assert_null (ear_cover_cache_peek (fixture->cache, NULL, EAR_COVER_SMALL));
  g_assert_null (ear_cover_cache_dup_path (fixture->cache, url));

  load (fixture, url, EAR_COVER_SMALL, &small);
  assert_cover (&small, 128, 128);
  pixels = g_bytes_get_data (small.image->pixels, NULL);
  g_assert_cmpint (pixels[64 * small.image->stride + 20 * 3], >, 180);
  g_assert_cmpint (pixels[64 * small.image->stride + 100 * 3], <, 70);
  g_assert_true (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_SMALL) == small.image);

  load (fixture, url, EAR_COVER_LARGE, &large);
  assert_cover (&large, 512, 512);
  g_assert_true (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_LARGE) == large.image);
  g_assert_cmpuint (count_requests (fixture), ==, 1);

  path = ear_cover_cache_dup_path (fixture->cache, url);
  g_assert_nonnull (path);
  g_assert_true (g_str_has_prefix (path, fixture->directory));
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_size, <, 100000);
  g_assert_cmpuint (count_files (fixture->directory, ".jpg"), ==, 2);
  g_assert_cmpuint (count_files (fixture->directory, ".part"), ==, 0);
}

/* What is let go of for want of memory comes back from its file. */
static void
test_save_memory (Fixture *fixture, gconstpointer data)
{
  g_autofree char *url = url_of (fixture, 1, "/cover.jpg");
  g_auto (Cover) cover = { 0 };

  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load (fixture, url, EAR_COVER_SMALL, &cover);
  ear_cover_cache_save_memory (fixture->cache);
  g_assert_null (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_SMALL));
  /* Who shows it has it still. */
  assert_cover (&cover, 128, 128);

  load (fixture, url, EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
  g_assert_nonnull (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_SMALL));
  g_assert_cmpuint (count_requests (fixture), ==, 1);
}

static void
test_from_files (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };

  put (fixture, "/cover.png", net_picture_new (700, 350, TRUE, "png"));
  load_path (fixture, "/cover.png", EAR_COVER_SMALL, &cover);
  start_anew (fixture);
  /* The one after the other, each from its own file. */
  load_path (fixture, "/cover.png", EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 64);
  g_assert_true (cover.image->has_alpha);
  load_path (fixture, "/cover.png", EAR_COVER_LARGE, &cover);
  assert_cover (&cover, 512, 256);
  g_assert_cmpuint (count_requests (fixture), ==, 1);
}

/* Both sizes at once, while neither is in memory. */
static void
test_both_sizes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *url = url_of (fixture, 1, "/cover.jpg");
  g_auto (Cover) first = { 0 };
  g_auto (Cover) small = { 0 };
  g_auto (Cover) large = { 0 };

  put (fixture, "/cover.jpg", net_picture_new (600, 600, FALSE, "jpeg"));
  load (fixture, url, EAR_COVER_SMALL, &first);
  start_anew (fixture);
  start (fixture, url, EAR_COVER_SMALL, &small);
  start (fixture, url, EAR_COVER_LARGE, &large);
  await (&small);
  await (&large);
  assert_cover (&small, 128, 128);
  assert_cover (&large, 512, 512);
  g_assert_cmpuint (count_requests (fixture), ==, 1);
}

static void
test_coalesced (Fixture *fixture, gconstpointer data)
{
  g_autofree char *url = url_of (fixture, 1, "/~delay=100/cover.jpg");
  Cover covers[20] = { 0 };

  put (fixture, "/cover.jpg", net_picture_new (600, 600, FALSE, "jpeg"));
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    start (fixture, url, i % 2, &covers[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    {
      await (&covers[i]);
      assert_cover (&covers[i], i % 2 == 0 ? 128 : 512, i % 2 == 0 ? 128 : 512);
      cover_clear (&covers[i]);
    }
  g_assert_cmpuint (count_requests (fixture), ==, 1);
}

/* Four at a time: twelve that take 150 ms each take three times that. */
static void
test_few_at_once (Fixture *fixture, gconstpointer data)
{
  Cover covers[12] = { 0 };
  gint64 begin = g_get_monotonic_time ();

  put (fixture, "/cover.jpg", net_picture_new (200, 200, FALSE, "jpeg"));
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    {
      g_autofree char *path = g_strdup_printf ("/~delay=150/cover.jpg?%" G_GSIZE_FORMAT, i);
      g_autofree char *url = url_of (fixture, 1 + i % 3, path);

      start (fixture, url, EAR_COVER_SMALL, &covers[i]);
    }
  net_sleep (100);
  g_assert_cmpuint (count_requests (fixture), <=, 4);
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    {
      await (&covers[i]);
      assert_cover (&covers[i], 128, 128);
      cover_clear (&covers[i]);
    }
  g_assert_cmpint (g_get_monotonic_time () - begin, >=, 440000);
  g_assert_cmpuint (count_requests (fixture), ==, 12);
}

/* --- Cancelling ------------------------------------------------------------------------ */

static void
test_cancel_one (Fixture *fixture, gconstpointer data)
{
  g_autofree char *url = url_of (fixture, 1, "/~delay=600/cover.jpg");
  g_auto (Cover) patient = { 0 };
  g_auto (Cover) impatient = { .cancellable = g_cancellable_new () };

  put (fixture, "/cover.jpg", net_picture_new (200, 200, FALSE, "jpeg"));
  start (fixture, url, EAR_COVER_SMALL, &impatient);
  start (fixture, url, EAR_COVER_SMALL, &patient);
  net_sleep (50);
  g_cancellable_cancel (impatient.cancellable);
  await (&impatient);
  g_assert_error (impatient.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (patient.done);
  await (&patient);
  assert_cover (&patient, 128, 128);
}

/* When nobody wants it any more, it is not fetched to its end; whoever comes later gets
 * it. */
static void
test_cancel_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) picture = net_picture_new (1000, 1000, FALSE, "jpeg");
  g_autofree char *url = url_of (fixture, 1, "/~times=1/~slow=10000/cover.jpg");
  g_auto (Cover) first = { .cancellable = g_cancellable_new () };
  g_auto (Cover) second = { .cancellable = g_cancellable_new () };
  g_auto (Cover) later = { 0 };
  g_autoptr (EarTestRequest) request = NULL;

  put (fixture, "/cover.jpg", g_bytes_ref (picture));
  start (fixture, url, EAR_COVER_SMALL, &first);
  start (fixture, url, EAR_COVER_LARGE, &second);
  net_sleep (200);
  g_cancellable_cancel (first.cancellable);
  g_cancellable_cancel (second.cancellable);
  await (&first);
  await (&second);
  g_assert_true (ear_test_server_wait_idle (fixture->net.server, 2000));
  request = ear_test_server_dup_last_request (fixture->net.server, "/~times=1/~slow=10000/cover.jpg");
  g_assert_cmpuint (request->bytes_sent, <, g_bytes_get_size (picture));

  load (fixture, url, EAR_COVER_SMALL, &later);
  assert_cover (&later, 128, 128);
}

static void
test_cancel_at_random (Fixture *fixture, gconstpointer data)
{
  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  for (guint i = 0; i < 100; i++)
    {
      Cover covers[6] = { 0 };

      for (gsize j = 0; j < G_N_ELEMENTS (covers); j++)
        {
          g_autofree char *path = g_strdup_printf ("/cover.jpg?%u", g_random_int_range (0, 3) + i);
          g_autofree char *url = url_of (fixture, 1 + j % 3, path);

          covers[j].cancellable = g_cancellable_new ();
          start (fixture, url, j % 2, &covers[j]);
        }
      net_sleep (g_random_int_range (0, 6));
      for (gsize j = 0; j < G_N_ELEMENTS (covers); j++)
        g_cancellable_cancel (covers[j].cancellable);
      for (gsize j = 0; j < G_N_ELEMENTS (covers); j++)
        {
          await (&covers[j]);
          g_assert_true (covers[j].error == NULL || g_error_matches (covers[j].error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
          cover_clear (&covers[j]);
        }
    }
}

static void
test_dispose (Fixture *fixture, gconstpointer data)
{
  Cover covers[8] = { 0 };

  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    {
      g_autofree char *path = g_strdup_printf ("/~delay=2000/cover.jpg?%" G_GSIZE_FORMAT, i);
      g_autofree char *url = url_of (fixture, 1, path);

      start (fixture, url, EAR_COVER_SMALL, &covers[i]);
    }
  net_sleep (50);
  g_object_run_dispose (G_OBJECT (fixture->cache));
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    {
      await (&covers[i]);
      g_assert_error (covers[i].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      cover_clear (&covers[i]);
    }
}

/* --- Failing ---------------------------------------------------------------------------- */

static void
test_missing (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  g_autofree char *url = url_of (fixture, 1, "/cover.jpg");
  g_autoptr (EarCoverFacts) facts = NULL;

  load (fixture, url, EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_NOT_FOUND);
  /* Neither for the next row, nor after the next start. */
  for (guint i = 0; i < 5; i++)
    {
      load (fixture, url, i % 2, &cover);
      g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_NOT_FOUND);
    }
  start_anew (fixture);
  load (fixture, url, EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_FAILED);
  g_assert_cmpuint (count_requests (fixture), ==, 1);

  /* But after an hour. */
  facts = ear_cover_files_load_facts (fixture->directory, url);
  g_assert_cmpuint (facts->failures, ==, 1);
  g_assert_cmpint (facts->retry, >, g_get_real_time () / G_USEC_PER_SEC + 3500);
  facts->retry -= 3700;
  ear_cover_files_save_facts (fixture->directory, url, facts, NULL);
  start_anew (fixture);
  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load (fixture, url, EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
}

/* What may be better the next time is not held against a cover after a new start. */
static void
test_server_error (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };

  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load_path (fixture, "/~500then=1/cover.jpg", EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_SERVER);
  load_path (fixture, "/~500then=1/cover.jpg", EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_SERVER);
  g_assert_cmpuint (count_requests (fixture), ==, 1);
  start_anew (fixture);
  load_path (fixture, "/~500then=1/cover.jpg", EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
}

static void
test_hostile (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  const char *name;

  for (guint i = 0;; i++)
    {
      GBytes *picture = net_picture_hostile (i, &name);
      g_autofree char *path = g_strdup_printf ("/%s.jpg", name);

      if (picture == NULL)
        break;
      put (fixture, path, picture);
      load_path (fixture, path, EAR_COVER_SMALL, &cover);
      g_assert_null (cover.image);
      g_assert_true (cover.error->domain == EAR_ERROR);
      g_assert_true (cover.error->code == EAR_ERROR_FAILED || cover.error->code == EAR_ERROR_TOO_LARGE);
    }
  g_assert_cmpuint (count_files (fixture->directory, ".jpg"), ==, 0);
  g_assert_cmpuint (count_files (fixture->directory, ".png"), ==, 0);
  g_assert_cmpuint (count_files (fixture->directory, ".part"), ==, 0);
}

/* No more than a few bytes are taken of what is no picture, and no more than 20 MB of
 * what begins like one. */
static void
test_endless (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  g_autofree guint8 *bytes = g_malloc0 (21 * 1024 * 1024);
  g_autoptr (EarTestRequest) request = NULL;

  load_path (fixture, "/~endless/generated/feed-1.xml", EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_FAILED);

  memcpy (bytes, "\x89PNG\r\n\x1a\n", 8);
  put (fixture, "/large.png", g_bytes_new (bytes, 21 * 1024 * 1024));
  load_path (fixture, "/large.png", EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
}

static void
test_cut_off (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };

  put (fixture, "/cover.jpg", net_picture_new (1000, 1000, FALSE, "jpeg"));
  load_path (fixture, "/~cut=5000/cover.jpg", EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
}

static void
test_unsafe (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };

  load (fixture, "file:///etc/passwd", EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS);
  load (fixture, "", EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS);
}

/* --- Keeping ---------------------------------------------------------------------------- */

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

/* A folder that cannot be there: covers are shown, and not kept. */
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
  g_assert_cmpuint (count_requests (fixture), ==, 1);
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
  g_assert_true (net_wait (is_alone, fixture->cache, 5000));
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

  /* The old one at once, then the new one. */
  load (fixture, url, EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
  g_assert_true (net_wait (is_set, &changed, 5000));
  g_assert_cmpstr (changed, ==, url);
  g_assert_cmpint (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_SMALL)->height, ==, 64);
}

static void
test_memory_limit (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  guint kept = 0;

  put (fixture, "/cover.jpg", net_picture_new (512, 512, FALSE, "jpeg"));
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *path = g_strdup_printf ("/cover.jpg?%u", i);

      load_path (fixture, path, EAR_COVER_LARGE, &cover);
      assert_cover (&cover, 512, 512);
    }
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *path = g_strdup_printf ("/cover.jpg?%u", i);
      g_autofree char *url = url_of (fixture, 1, path);

      kept += ear_cover_cache_peek (fixture->cache, url, EAR_COVER_LARGE) != NULL;
    }
  /* 786 KB each */
  g_assert_cmpuint (kept, >=, 25);
  g_assert_cmpuint (kept, <=, 32);
}

/* All of it: from the network over the file to both sizes. Three at once are decoded one
 * after the other. */
static void
test_peak (Fixture *fixture, gconstpointer data)
{
  Cover covers[3] = { 0 };
  g_auto (Cover) first = { 0 };
  glong before, peak;

#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("memory is not what it was under the address sanitizer");
  return;
#endif
  put (fixture, "/small.png", net_picture_new (300, 300, TRUE, "png"));
  put (fixture, "/cover.png", net_picture_new (3000, 3000, TRUE, "png"));
  put (fixture, "/cover.jpg", net_picture_new (3000, 3000, FALSE, "jpeg"));
  load_path (fixture, "/small.png", EAR_COVER_LARGE, &first);

  g_assert_true (net_memory_reset ());
  before = net_memory_get_now ();
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    {
      g_autofree char *url = url_of (fixture, 1 + i, i == 1 ? "/cover.jpg" : "/cover.png");

      start (fixture, url, EAR_COVER_LARGE, &covers[i]);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    {
      await (&covers[i]);
      assert_cover (&covers[i], 512, 512);
    }
  peak = net_memory_get_peak () - before;
  g_test_message ("peak %ld KB, kept %ld KB", peak, net_memory_get_now () - before);
  g_assert_cmpint (peak, >, 20 * 1024);
  g_assert_cmpint (peak, <, 40 * 1000);
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    cover_clear (&covers[i]);
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

/* What is there is counted, and removed but for what is not ours; it can be had again. */
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

#ifdef __linux__
static void
niceness_work (GTask *task, gpointer data)
{
  g_task_return_int (task, getpriority (PRIO_PROCESS, 0));
}

static void
niceness_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(int *) user_data = (int) g_task_propagate_int (G_TASK (result), NULL);
}

/* What is in our files is wanted at once; a picture from the web lets those go first who read and store feeds. */
static void
test_niceness (Fixture *fixture, gconstpointer data)
{
  int niceness[EAR_COVER_N_WORKERS] = { -100, -100 };
  EarCoverWorkers *workers = ear_cover_workers_new (1);

  for (int i = 0; i < EAR_COVER_N_WORKERS; i++)
    {
      ear_cover_workers_run (workers, (EarCoverWorker) i, niceness_work, NULL, NULL, NULL, niceness_cb, &niceness[i]);
      while (niceness[i] == -100)
        g_main_context_iteration (NULL, TRUE);
    }
  ear_cover_workers_free (workers);
  g_assert_cmpint (niceness[EAR_COVER_WORKER_FILES], ==, getpriority (PRIO_PROCESS, 0));
  g_assert_cmpint (niceness[EAR_COVER_WORKER_DECODER], >=, 10);
}
#endif

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } tests[] = {
#ifdef __linux__
    /* The first one: threads of pools that are gone are used again by others, as nice as they are. */
    { "/cover-cache/niceness", test_niceness },
#endif
    { "/cover-cache/load", test_load },
    { "/cover-cache/save-memory", test_save_memory },
    { "/cover-cache/from-files", test_from_files },
    { "/cover-cache/both-sizes", test_both_sizes },
    { "/cover-cache/coalesced", test_coalesced },
    { "/cover-cache/few-at-once", test_few_at_once },
    { "/cover-cache/cancel/one", test_cancel_one },
    { "/cover-cache/cancel/all", test_cancel_all },
    { "/cover-cache/cancel/random", test_cancel_at_random },
    { "/cover-cache/dispose", test_dispose },
    { "/cover-cache/missing", test_missing },
    { "/cover-cache/server-error", test_server_error },
    { "/cover-cache/hostile", test_hostile },
    { "/cover-cache/endless", test_endless },
    { "/cover-cache/cut-off", test_cut_off },
    { "/cover-cache/unsafe", test_unsafe },
    { "/cover-cache/damaged-files", test_damaged_files },
    { "/cover-cache/no-folder", test_no_folder },
    { "/cover-cache/still-the-same", test_still_the_same },
    { "/cover-cache/changed", test_changed },
    { "/cover-cache/memory-limit", test_memory_limit },
    { "/cover-cache/peak", test_peak },
    { "/cover-cache/prune", test_prune },
    { "/cover-cache/clear", test_clear },
  };

  net_main_init (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);

  return g_test_run ();
}
