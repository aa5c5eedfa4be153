/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-fuzz.h"

#include <string.h>

/* Runs the files that fuzzers have found (found/NAME), and those that they start from
 * (seeds/NAME), through their targets. Each file is a test. */

typedef struct
{
  const char *name;
  EarFuzzFunc function;
} Target;

static const Target targets[] = {
  { "backup", ear_fuzz_backup },
  { "bus", ear_fuzz_bus },
  { "chapters", ear_fuzz_chapters },
  { "command", ear_fuzz_command },
  { "copies", ear_fuzz_copies },
  { "cover", ear_fuzz_cover },
  { "directory", ear_fuzz_directory },
  { "downloads", ear_fuzz_downloads },
  { "facts", ear_fuzz_facts },
  { "feed", ear_fuzz_feed },
  { "headers", ear_fuzz_headers },
  { "import", ear_fuzz_import },
  { "input", ear_fuzz_input },
  { "notes", ear_fuzz_notes },
  { "opml", ear_fuzz_opml },
  { "page", ear_fuzz_page },
  { "records", ear_fuzz_records },
  { "references", ear_fuzz_references },
  { "salvage", ear_fuzz_salvage },
  { "search", ear_fuzz_search },
  { "settings", ear_fuzz_settings },
  { "state", ear_fuzz_state },
  { "transcript", ear_fuzz_transcript },
  { "values", ear_fuzz_values },
};

typedef struct
{
  EarFuzzFunc function;
  char *path;
} Case;

static void
case_free (gpointer data)
{
  Case *one = data;

  g_free (one->path);
  g_free (one);
}

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *content = NULL;
  gsize length;

  g_file_get_contents (one->path, &content, &length, &error);
  g_assert_no_error (error);
  one->function ((const guint8 *) content, length);
}

static void
add_folder (const char *kind, const Target *target)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fuzz", kind, target->name, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *test = g_strdup_printf ("/fuzz/%s/%s/%s", kind, target->name, name);
      Case *one = g_new0 (Case, 1);

      one->function = target->function;
      one->path = g_build_filename (path, name, NULL);
      g_test_add_data_func_full (test, one, test_case, case_free);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      add_folder ("found", &targets[i]);
      add_folder ("seeds", &targets[i]);
    }

  return g_test_run ();
}
