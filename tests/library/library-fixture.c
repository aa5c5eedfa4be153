/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "library-fixture.h"

#include "ear-test-wait.h"

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ear_library_close_finish (EAR_LIBRARY (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

/* Writes everything; nothing else may hold the library. */
void
library_fixture_close (EarLibrary **library)
{
  gboolean closed = FALSE;

  ear_library_close_async (*library, closed_cb, &closed);
  EAR_TEST_WAIT_UNTIL (closed);
  ear_test_finalize (g_steal_pointer (library));
}
