/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "import-fixture.h"

#include "ear-test-folder.h"
#include "library-fixture.h"

#define TIMEOUT (60 * G_USEC_PER_SEC)

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

void
wait_for (Fixture *fixture, Condition condition)
{
  const gint64 end = g_get_monotonic_time () + TIMEOUT;
  guint tick = g_timeout_add (10, tick_cb, NULL);

  while (!condition (fixture) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
  g_assert_true (condition (fixture));
}

gboolean
is_done (Fixture *fixture)
{
  return fixture->done;
}

static void
undo_offered_cb (Fixture *fixture, EarUndo *undo)
{
  g_set_object (&fixture->undo, undo);
}

char *
dup_path (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->folder, name, NULL);
}

void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *data_folder = NULL;
  g_autofree char *cache_folder = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-import-XXXXXX", &error);
  g_assert_no_error (error);
  data_folder = dup_path (fixture, "data");
  cache_folder = dup_path (fixture, "cache");
  fixture->server = ear_test_server_new ();
  ear_test_server_set_addresses (fixture->server, 20);
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  fixture->library = ear_library_new (data_folder, cache_folder);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (undo_offered_cb), fixture);
  g_assert_true (ear_library_open (fixture->library, &error));
  ear_library_start (fixture->library, NULL);
}

void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->undo);
  g_clear_error (&fixture->error);
  library_fixture_close (&fixture->library);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static void
imported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_imported = ear_importer_read_finish (EAR_IMPORTER (source), result, &fixture->error);
  fixture->done = TRUE;
}

/* Returns once the file is read; the podcasts listed there arrive later. */
void
import_file (Fixture *fixture, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  fixture->done = FALSE;
  g_clear_error (&fixture->error);
  ear_importer_read_async (ear_library_get_importer (fixture->library), file, NULL, imported_cb, fixture);
  wait_for (fixture, is_done);
}

void
import_text (Fixture *fixture, const char *text)
{
  g_autofree char *path = dup_path (fixture, "in.opml");
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  import_file (fixture, path);
}

gboolean
import_is_finished (Fixture *fixture)
{
  EarImporter *importer = ear_library_get_importer (fixture->library);

  return ear_importer_get_finished (importer);
}

guint
count_podcasts (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_library_get_podcasts (fixture->library));
}
