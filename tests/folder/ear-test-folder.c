/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-folder.h"

#include <glib/gstdio.h>

/* Removes a folder with all its content. Targets of links stay. */
void
ear_test_folder_remove (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        ear_test_folder_remove (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}
