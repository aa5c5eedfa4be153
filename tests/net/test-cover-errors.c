/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cover-fixture.h"

#include "ear-cover-files.h"
#include "ear-error.h"
#include "net-pictures.h"

#include <string.h>

/* Missing and invalid covers */

static void
assert_failures (Fixture *fixture, const char *url, guint expected)
{
  g_autoptr (EarCoverFacts) facts = ear_cover_files_load_facts (fixture->directory, url);

  g_assert_cmpuint (facts->failures, ==, expected);
}

/* Ends the pause after N_FAILURES failures, which must last PAUSE seconds. */
static void
pass_pause (Fixture *fixture, const char *url, guint n_failures, gint64 pause)
{
  g_autoptr (EarCoverFacts) facts = ear_cover_files_load_facts (fixture->directory, url);
  const gint64 left = facts->retry - g_get_real_time () / G_USEC_PER_SEC;

  g_assert_cmpuint (facts->failures, ==, n_failures);
  g_assert_cmpint (left, <=, pause);
  g_assert_cmpint (left, >, pause - 30);
  facts->retry = 0;
  ear_cover_files_save_facts (fixture->directory, url, facts, NULL);
}

static void
test_missing (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  g_autofree char *url = url_of (fixture, 1, "/cover.jpg");

  load (fixture, url, EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_NOT_FOUND);
  /* No retry for the next row or after a restart */
  for (guint i = 0; i < 5; i++)
    {
      load (fixture, url, i % 2, &cover);
      g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_FAILED);
    }
  start_anew (fixture);
  load (fixture, url, EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_FAILED);
  g_assert_cmpuint (count_requests (fixture), ==, 1);

  /* The pause doubles with each failure, up to a week. */
  for (guint i = 1; i < 20; i++)
    {
      pass_pause (fixture, url, i, MIN (G_GINT64_CONSTANT (30) << (i - 1), 7 * 24 * 60 * 60));
      load (fixture, url, EAR_COVER_SMALL, &cover);
      g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_NOT_FOUND);
      g_assert_cmpuint (count_requests (fixture), ==, 1 + i);
    }

  pass_pause (fixture, url, 20, 7 * 24 * 60 * 60);
  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load (fixture, url, EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
  assert_failures (fixture, url, 0);
}

/* A temporary error is retried soon, and success resets the failures. */
static void
test_server_error (Fixture *fixture, gconstpointer data)
{
  g_auto (Cover) cover = { 0 };
  g_autofree char *url = url_of (fixture, 1, "/~500then=1/cover.jpg");

  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  load (fixture, url, EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_SERVER);
  load (fixture, url, EAR_COVER_SMALL, &cover);
  g_assert_error (cover.error, EAR_ERROR, EAR_ERROR_FAILED);
  g_assert_cmpuint (count_requests (fixture), ==, 1);
  pass_pause (fixture, url, 1, 30);
  start_anew (fixture);
  load (fixture, url, EAR_COVER_SMALL, &cover);
  assert_cover (&cover, 128, 128);
  assert_failures (fixture, url, 0);
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

/* A fetch reads only a few bytes of a file that is not a picture, and at most 20 MB of
 * one that starts like a picture. */
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

int
main (int argc, char **argv)
{
  static const CoverTest tests[] = {
    { "/cover-errors/missing", test_missing },
    { "/cover-errors/server-error", test_server_error },
    { "/cover-errors/hostile", test_hostile },
    { "/cover-errors/endless", test_endless },
    { "/cover-errors/cut-off", test_cut_off },
    { "/cover-errors/unsafe", test_unsafe },
  };

  return run_cover_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
