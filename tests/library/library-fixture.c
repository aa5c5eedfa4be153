/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "library-fixture.h"

#include <glib/gstdio.h>

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

void
library_fixture_remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR))
        library_fixture_remove_folder (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}
