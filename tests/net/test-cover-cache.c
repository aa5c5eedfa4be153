/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cover-fixture.h"

#include "ear-cover-cache-private.h"
#include "ear-error.h"
#include "net-pictures.h"

#include <glib/gstdio.h>
#ifdef __linux__
#include <sys/resource.h>
#endif

/* Covers from the web to the row */

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

/* A picture without a URL can be loaded by its name while a caller supplies it, or if
 * there is a file of it. */
static void
test_given (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) picture = net_picture_new (600, 600, FALSE, "jpeg");
  g_autoptr (GBytes) text = g_bytes_new_static ("no picture of any kind, but long enough to be one", 48);
  g_auto (Cover) cover = { 0 };

  load (fixture, "in-media:1", EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS);

  ear_cover_cache_give (fixture->cache, "in-media:1", picture);
  ear_cover_cache_give (fixture->cache, "in-media:1", picture);
  ear_cover_cache_take_back (fixture->cache, "in-media:1");
  load (fixture, "in-media:1", EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
  load (fixture, "in-media:1", EAR_COVER_LARGE, &cover);
  assert_cover (&cover, 512, 512);
  g_assert_cmpuint (count_files (fixture->directory, ".jpg"), ==, 2);

  ear_cover_cache_take_back (fixture->cache, "in-media:1");
  ear_cover_cache_save_memory (fixture->cache);
  load (fixture, "in-media:1", EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS);

  /* A supplied picture has the same checks as a fetched one. */
  ear_cover_cache_give (fixture->cache, "in-media:2", text);
  load (fixture, "in-media:2", EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_FAILED);
  ear_cover_cache_take_back (fixture->cache, "in-media:2");
  g_assert_cmpuint (count_files (fixture->directory, ".part"), ==, 0);
  g_assert_cmpuint (count_requests (fixture), ==, 0);
}

/* A cover dropped to save memory is loaded from its file again. */
static void
test_save_memory (Fixture *fixture, gconstpointer data)
{
  g_autofree char *url = url_of (fixture, 1, "/cover.jpg");
  g_auto (Cover) cover = { 0 };

  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load (fixture, url, EAR_COVER_SMALL, &cover);
  ear_cover_cache_save_memory (fixture->cache);
  g_assert_null (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_SMALL));
  /* A widget that shows it keeps it. */
  assert_cover (&cover, 128, 128);

  load (fixture, url, EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
  g_assert_nonnull (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_SMALL));
  g_assert_cmpuint (count_requests (fixture), ==, 1);
}

/* The other size of a fetched cover stays in its file until it is requested. */
static void
test_one_size (Fixture *fixture, gconstpointer data)
{
  g_autofree char *url = url_of (fixture, 1, "/cover.jpg");
  g_auto (Cover) cover = { 0 };

  put (fixture, "/cover.jpg", net_picture_new (600, 600, FALSE, "jpeg"));
  load (fixture, url, EAR_COVER_SMALL, &cover);
  g_assert_nonnull (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_SMALL));
  g_assert_null (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_LARGE));

  load (fixture, url, EAR_COVER_LARGE, &cover);
  assert_cover (&cover, 512, 512);
  g_assert_nonnull (ear_cover_cache_peek (fixture->cache, url, EAR_COVER_LARGE));
  g_assert_cmpuint (count_requests (fixture), ==, 1);
}

/* Both sizes at once, neither in memory */
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

/* Four at a time: twelve loads of 150 ms take three times that. */
static void
test_few_at_once (Fixture *fixture, gconstpointer data)
{
  Cover covers[12] = { 0 };
  guint n_asked;
  gint64 begin = g_get_monotonic_time ();

  put (fixture, "/cover.jpg", net_picture_new (200, 200, FALSE, "jpeg"));
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    {
      g_autofree char *path = g_strdup_printf ("/~delay=150/cover.jpg?%" G_GSIZE_FORMAT, i);
      g_autofree char *url = url_of (fixture, 1 + i % 3, path);

      start (fixture, url, EAR_COVER_SMALL, &covers[i]);
    }
  net_sleep (100);
  n_asked = count_requests (fixture);
  /* Allow more if this thread was delayed. */
  g_assert_cmpint (n_asked, <=, 4 * (1 + (g_get_monotonic_time () - begin) / 150000));
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++)
    {
      await (&covers[i]);
      assert_cover (&covers[i], 128, 128);
      cover_clear (&covers[i]);
    }
  g_assert_cmpint (g_get_monotonic_time () - begin, >=, 440000);
  g_assert_cmpuint (count_requests (fixture), ==, 12);
}

static void
test_cancel_one (Fixture *fixture, gconstpointer data)
{
  g_autofree char *url = url_of (fixture, 1, "/~hold/cover.jpg");
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
  ear_test_server_set_holding (fixture->net.server, FALSE);
  await (&patient);
  assert_cover (&patient, 128, 128);
}

/* A load without waiters is not completed; a later request fetches the cover. */
static void
test_cancel_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) picture = net_picture_new (1000, 1000, FALSE, "jpeg");
  g_autofree char *url = url_of (fixture, 1, "/~times=1/~slow=2000/cover.jpg");
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
  g_assert_true (ear_test_server_wait_idle (fixture->net.server, 20000));
  request = ear_test_server_dup_last_request (fixture->net.server, "/~times=1/~slow=2000/cover.jpg");
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
      g_autofree char *path = g_strdup_printf ("/~mute/cover.jpg?%" G_GSIZE_FORMAT, i);
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

/* The complete path: from the network through the file to both sizes. Three simultaneous
 * covers are decoded one after the other. */
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

#ifdef __linux__
static void
niceness_once (gpointer data)
{
  g_atomic_int_set ((int *) data, getpriority (PRIO_PROCESS, 0));
}

/* Cached covers are read at normal priority; decoding a new picture yields to parsing and
 * storing feeds. */
static void
test_niceness (Fixture *fixture, gconstpointer data)
{
  int niceness[EAR_COVER_N_WORKERS] = { -100, -100 };

  for (int i = 0; i < EAR_COVER_N_WORKERS; i++)
    {
      ear_thread_push (fixture->cache->workers[i], niceness_once, &niceness[i]);
      while (g_atomic_int_get (&niceness[i]) == -100)
        g_usleep (1000);
    }
  g_assert_cmpint (niceness[EAR_COVER_WORKER_FILES], ==, getpriority (PRIO_PROCESS, 0));
  g_assert_cmpint (niceness[EAR_COVER_WORKER_DECODER], >, 10);
}
#endif

int
main (int argc, char **argv)
{
  static const CoverTest tests[] = {
#ifdef __linux__
    { "/cover-cache/niceness", test_niceness },
#endif
    { "/cover-cache/load", test_load },
    { "/cover-cache/given", test_given },
    { "/cover-cache/save-memory", test_save_memory },
    { "/cover-cache/one-size", test_one_size },
    { "/cover-cache/both-sizes", test_both_sizes },
    { "/cover-cache/coalesced", test_coalesced },
    { "/cover-cache/few-at-once", test_few_at_once },
    { "/cover-cache/cancel/one", test_cancel_one },
    { "/cover-cache/cancel/all", test_cancel_all },
    { "/cover-cache/cancel/random", test_cancel_at_random },
    { "/cover-cache/dispose", test_dispose },
    { "/cover-cache/memory-limit", test_memory_limit },
    { "/cover-cache/peak", test_peak },
  };

  return run_cover_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
