/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-settings-file.h"

#include "ear-thread.h"

#include <glib/gstdio.h>
#include <string.h>

/* The file backend of GIO, by the name of its extension, which GSETTINGS_BACKEND accepts,
 * too */
#define KEY_FILE "keyfile"

#define GROUP "io/github/earmark_app/Earmark"

/* A settings backend for systems without dconf, such as a sandbox. GIO's own writes a
 * file in the thread that sets a value, which then waits for the disk: 20 ms on a virtual
 * machine, 850 ms during other writes. This one uses the same file, but writes it on a
 * thread. Values written by other processes are kept, and take effect at the next start. */
struct _EarSettingsFile
{
  GSettingsBackend parent_instance;

  /* Owned */
  GKeyFile *values;
  GKeyFile *changes; /* not written yet; an empty value removes a key */
  EarThread *thread;
};

G_DEFINE_FINAL_TYPE (EarSettingsFile, ear_settings_file, G_TYPE_SETTINGS_BACKEND)

static char *
build_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", "keyfile", NULL);
}

/* Loads the file. A damaged one is kept beside the one that will replace it. */
static GKeyFile *
load (const char *path)
{
  GKeyFile *values = g_key_file_new ();
  g_autofree char *damaged = g_strconcat (path, ".damaged", NULL);
  g_autoptr (GError) error = NULL;

  if (!g_key_file_load_from_file (values, path, G_KEY_FILE_KEEP_COMMENTS, &error) &&
      error->domain == G_KEY_FILE_ERROR)
    {
      g_message ("The settings were damaged (%s); they are kept as %s", error->message, damaged);
      g_rename (path, damaged);
      g_key_file_unref (values);
      values = g_key_file_new ();
    }

  return values;
}

static const char *
get_name (const char *key)
{
  return strrchr (key, '/') + 1;
}

/* Data of a write */
typedef struct
{
  GKeyFile *changes;
  GTask *task; /* (nullable): completed after the write */
} Write;

static void
write_file (gpointer data)
{
  g_autofree Write *write = data;
  g_autoptr (GKeyFile) changes = write->changes;
  g_autoptr (GTask) task = write->task;
  g_autofree char *path = build_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_auto (GStrv) names = g_key_file_get_keys (changes, GROUP, NULL, NULL);
  g_autoptr (GKeyFile) values = names != NULL ? load (path) : NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *value = g_key_file_get_value (changes, GROUP, names[i], NULL);

      if (*value != '\0')
        g_key_file_set_value (values, GROUP, names[i], value);
      else
        g_key_file_remove_key (values, GROUP, names[i], NULL);
    }
  if (names != NULL)
    {
      text = g_key_file_to_data (values, &length, NULL);
      g_mkdir_with_parents (folder, 0700);
      if (!g_file_set_contents_full (path, text, (gssize) length,
                                     G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                     0600, &error))
        g_info ("The settings could not be written: %s", error->message);
    }
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

static void
set_value (EarSettingsFile *self, const char *key, GVariant *value)
{
  g_autofree char *text = value != NULL ? g_variant_print (value, FALSE) : g_strdup ("");

  g_key_file_set_value (self->values, GROUP, get_name (key), text);
  g_key_file_set_value (self->changes, GROUP, get_name (key), text);
}

static GVariant *
ear_settings_file_read (GSettingsBackend *backend, const char *key, const GVariantType *type,
                        gboolean default_value)
{
  EarSettingsFile *self = EAR_SETTINGS_FILE (backend);
  g_autofree char *text =
      default_value ? NULL : g_key_file_get_value (self->values, GROUP, get_name (key), NULL);

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
  g_clear_pointer (&self->changes, g_key_file_unref);
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

  self->values = load (path);
  self->changes = g_key_file_new ();
  self->thread = ear_thread_new ("settings", EAR_WORKER_ANSWERS);
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
  self->changes = g_key_file_new ();
  ear_thread_push (self->thread, write_file, write);
}
