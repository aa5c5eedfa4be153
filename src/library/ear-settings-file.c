/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-settings-file.h"

#include "ear-thread.h"

#include <string.h>
#include <unistd.h>

/* The file backend of GIO, by the name of its extension, which GSETTINGS_BACKEND accepts,
 * too */
#define KEY_FILE "keyfile"

/* A settings backend for systems without dconf, such as a sandbox. GIO's own writes a
 * file in the thread that sets a value, which then waits for the disk: 20 ms on a virtual
 * machine, 850 ms during other writes. This one uses the same file, but writes it on a
 * thread. Values written by other processes are kept, and take effect at the next start. */
struct _EarSettingsFile
{
  GSettingsBackend parent_instance;

  /* Owned */
  GKeyFile *values;
  GHashTable *changes; /* by path; the new value as text, or %NULL to remove it */
  EarThread *thread;
};

G_DEFINE_FINAL_TYPE (EarSettingsFile, ear_settings_file, G_TYPE_SETTINGS_BACKEND)

/* Splits a path: `/io/github/earmark_app/Earmark/rate` is `rate` in the group
 * `io/github/earmark_app/Earmark`. */
static char *
split (const char *key, const char **name)
{
  const char *slash = strrchr (key, '/');

  *name = slash + 1;

  return g_strndup (key + 1, (gsize) MAX (slash - key - 1, 0));
}

static void
set_text (GKeyFile *values, const char *key, const char *text)
{
  const char *name;
  g_autofree char *group = split (key, &name);

  if (text != NULL)
    g_key_file_set_value (values, group, name, text);
  else
    g_key_file_remove_key (values, group, name, NULL);
}

static char *
build_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", "keyfile", NULL);
}

static gboolean
is_readable (const char *line, const char *group)
{
  g_autoptr (GKeyFile) scratch = g_key_file_new ();
  g_autofree char *text = g_strconcat (group, "\n", line, NULL);

  return g_utf8_validate (line, -1, NULL) &&
         g_key_file_load_from_data (scratch, text, (gsize) -1, G_KEY_FILE_NONE, NULL);
}

/* Copies the readable lines. Lines below a damaged group header are dropped, as their
 * group is unknown. */
static char *
salvage (const char *text, gsize length)
{
  GString *good = g_string_new (NULL);
  gboolean in_group = FALSE;

  for (const char *at = text, *end = text + length; at < end;)
    {
      const char *next = memchr (at, '\n', (gsize) (end - at));
      g_autofree char *line = g_strndup (at, (gsize) ((next != NULL ? next : end) - at));
      const gboolean is_whole = strlen (line) == (gsize) ((next != NULL ? next : end) - at);

      if (*line == '[')
        in_group = is_whole && is_readable (line, "");
      if (in_group && is_whole && is_readable (line, *line == '[' ? "" : "[group]"))
        g_string_append_printf (good, "%s\n", line);
      at = next != NULL ? next + 1 : end;
    }

  return g_string_free_and_steal (good);
}

/* Loads a damaged file as far as possible. GKeyFile rejects a whole file for one bad
 * line, so all other settings would be lost with the next change.
 * Returns: %FALSE if the file is damaged */
static gboolean
load (GKeyFile *values, const char *path, GKeyFileFlags flags)
{
  g_autofree char *text = NULL;
  g_autofree char *good = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL) ||
      g_key_file_load_from_data (values, text, length, flags, NULL))
    return TRUE;
  good = salvage (text, length);
  g_key_file_load_from_data (values, good, (gsize) -1, flags, NULL);

  return FALSE;
}

/* Keeps the damaged file beside the one that replaces it. */
static void
keep_damaged (const char *path)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *stamp = g_date_time_format (now, "%Y%m%dT%H%M%S.%fZ");
  g_autofree char *to = g_strdup_printf ("%s.damaged-%s", path, stamp);

  if (link (path, to) == 0)
    g_message ("The settings were damaged; the file is kept as %s", to);
}

/* Data of a write */
typedef struct
{
  GHashTable *changes;
  GTask *task; /* (nullable): completed after the write */
} Write;

static void
write_file (gpointer data)
{
  g_autofree Write *write = data;
  g_autoptr (GHashTable) changes = write->changes;
  g_autoptr (GTask) task = write->task;
  g_autofree char *path = build_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GKeyFile) values = g_key_file_new ();
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GHashTableIter iter;
  gpointer key, value;
  gboolean is_good;
  gsize length;

  is_good = load (values, path, G_KEY_FILE_KEEP_COMMENTS);
  g_hash_table_iter_init (&iter, changes);
  while (g_hash_table_iter_next (&iter, &key, &value))
    set_text (values, key, value);
  text = g_key_file_to_data (values, &length, NULL);
  g_mkdir_with_parents (folder, 0700);
  if (!is_good && g_hash_table_size (changes) > 0)
    keep_damaged (path);
  if (g_hash_table_size (changes) > 0 &&
      !g_file_set_contents_full (path, text, (gssize) length,
                                 G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600,
                                 &error))
    g_info ("The settings could not be written: %s", error->message);
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

static GHashTable *
new_changes (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
set_value (EarSettingsFile *self, const char *key, GVariant *value)
{
  char *text = value != NULL ? g_variant_print (value, FALSE) : NULL;

  set_text (self->values, key, text);
  g_hash_table_insert (self->changes, g_strdup (key), text);
}

static GVariant *
ear_settings_file_read (GSettingsBackend *backend, const char *key, const GVariantType *type,
                        gboolean default_value)
{
  EarSettingsFile *self = EAR_SETTINGS_FILE (backend);
  const char *name;
  g_autofree char *group = split (key, &name);
  g_autofree char *text =
      default_value ? NULL : g_key_file_get_value (self->values, group, name, NULL);

  /* GKeyFile accepts any bytes as value, g_variant_parse() only UTF-8. */
  return text != NULL && g_utf8_validate (text, -1, NULL)
             ? g_variant_parse (type, text, NULL, NULL, NULL)
             : NULL;
}

static gboolean
ear_settings_file_get_writable (GSettingsBackend *backend, const char *key)
{
  return TRUE;
}

static gboolean
ear_settings_file_write (GSettingsBackend *backend, const char *key, GVariant *value,
                         gpointer origin)
{
  set_value (EAR_SETTINGS_FILE (backend), key, value);
  g_settings_backend_changed (backend, key, origin);
  ear_settings_file_flush (EAR_SETTINGS_FILE (backend), NULL);

  return TRUE;
}

static void
ear_settings_file_reset (GSettingsBackend *backend, const char *key, gpointer origin)
{
  ear_settings_file_write (backend, key, NULL, origin);
}

static gboolean
set_cb (gpointer key, gpointer value, gpointer user_data)
{
  set_value (user_data, key, value);

  return FALSE;
}

static gboolean
ear_settings_file_write_tree (GSettingsBackend *backend, GTree *tree, gpointer origin)
{
  g_tree_foreach (tree, set_cb, backend);
  g_settings_backend_changed_tree (backend, tree, origin);
  ear_settings_file_flush (EAR_SETTINGS_FILE (backend), NULL);

  return TRUE;
}

static void
ear_settings_file_finalize (GObject *object)
{
  EarSettingsFile *self = EAR_SETTINGS_FILE (object);

  ear_settings_file_stop (self);
  g_clear_pointer (&self->changes, g_hash_table_unref);
  g_clear_pointer (&self->values, g_key_file_unref);

  G_OBJECT_CLASS (ear_settings_file_parent_class)->finalize (object);
}

static void
ear_settings_file_class_init (EarSettingsFileClass *klass)
{
  GSettingsBackendClass *backend_class = G_SETTINGS_BACKEND_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ear_settings_file_finalize;
  backend_class->read = ear_settings_file_read;
  backend_class->get_writable = ear_settings_file_get_writable;
  backend_class->write = ear_settings_file_write;
  backend_class->write_tree = ear_settings_file_write_tree;
  backend_class->reset = ear_settings_file_reset;
}

static void
ear_settings_file_init (EarSettingsFile *self)
{
  g_autofree char *path = build_path ();

  self->values = g_key_file_new ();
  self->changes = new_changes ();
  self->thread = ear_thread_new ("settings", EAR_WORKER_ANSWERS);
  load (self->values, path, G_KEY_FILE_NONE);
}

/* Returns: (transfer full) (nullable): a backend for GIO's file; %NULL if the settings
 * are stored elsewhere, where writes do not block */
EarSettingsFile *
ear_settings_file_new (void)
{
  g_autoptr (GSettingsBackend) backend = g_settings_backend_get_default ();
  GIOExtension *key_file = g_io_extension_point_get_extension_by_name (
    g_io_extension_point_lookup (G_SETTINGS_BACKEND_EXTENSION_POINT_NAME), KEY_FILE);

  if (key_file == NULL || G_OBJECT_TYPE (backend) != g_io_extension_get_type (key_file))
    return NULL;

  return g_object_new (EAR_TYPE_SETTINGS_FILE, NULL);
}

/* Waits until all changes are written, and writes nothing more. */
void
ear_settings_file_stop (EarSettingsFile *self)
{
  g_clear_pointer (&self->thread, ear_thread_stop);
}

/* @task: (transfer full) (nullable): completed after all changes are written */
void
ear_settings_file_flush (EarSettingsFile *self, GTask *task)
{
  Write *write = g_new (Write, 1);

  write->changes = g_steal_pointer (&self->changes);
  write->task = task;
  self->changes = new_changes ();
  ear_thread_push (self->thread, write_file, write);
}
