/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "library-fixture.h"

#include "ear-test-wait.h"

/* Opens and starts a library that keeps all its files in @folder. */
EarLibrary *
library_fixture_open (const char *folder)
{
  g_autofree char *data = g_build_filename (folder, "data", NULL);
  g_autofree char *cache = g_build_filename (folder, "cache", NULL);
  EarLibrary *library = ear_library_new (data, cache);
  g_autoptr (GError) error = NULL;

  ear_library_open (library, &error);
  g_assert_no_error (error);
  ear_library_start (library, NULL, FALSE);

  return library;
}

/* Writes everything; the caller must hold the last reference to the library. */
void
library_fixture_close (EarLibrary **library)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  ear_library_close_async (*library, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  ear_library_close_finish (*library, result, &error);
  g_assert_no_error (error);
  g_clear_object (&result);
  ear_test_finalize (g_steal_pointer (library));
}
