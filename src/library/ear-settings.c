/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-settings.h"

#include "ear-property.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gsettingsbackend.h>
#include <string.h>

#define SCHEMA "io.github.earmark_app.Earmark"
#define GROUP "io/github/earmark_app/Earmark"

/* Seconds without changes before a write: without dconf, as in a sandbox, each write waits
 * for the disk. */
#define REST_SECONDS 2

/* Ignore smaller changes, rounding errors in values that come back from the player. */
#define EPSILON 0.0001

/* The settings as typed properties, to which widgets bind: one for each key of the schema. No
 * other code knows the keys. Changes are written after some seconds without further ones, and
 * at the end. */
struct _EarSettings
{
  GObject parent_instance;

  /* Owned */
  GSettings *settings; /* in delay-apply mode */
  guint apply_source;
};

G_DEFINE_FINAL_TYPE (EarSettings, ear_settings, G_TYPE_OBJECT)

static void
ear_settings_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarSettings *self = EAR_SETTINGS (object);
  g_autoptr (GVariant) current = g_settings_get_value (self->settings, pspec->name);
  g_auto (GValue) converted = G_VALUE_INIT;

  g_dbus_gvariant_to_gvalue (current, &converted);
  g_value_copy (&converted, value);
}

/* A change is notified by GSettings, as is one by another program. */
static void
ear_settings_set_property (GObject *object, guint property_id, const GValue *value,
                           GParamSpec *pspec)
{
  EarSettings *self = EAR_SETTINGS (object);
  g_autoptr (GVariant) current = g_settings_get_value (self->settings, pspec->name);
  g_autoptr (GVariant) changed = g_dbus_gvalue_to_gvariant (value, g_variant_get_type (current));

  if (g_variant_equal (current, changed) ||
      (G_VALUE_HOLDS_DOUBLE (value) &&
       ABS (g_variant_get_double (current) - g_value_get_double (value)) < EPSILON))
    return;

  g_settings_set_value (self->settings, pspec->name, changed);
}

/* Writes pending changes. */
void
ear_settings_apply (EarSettings *self)
{
  g_clear_handle_id (&self->apply_source, g_source_remove);
  g_settings_apply (self->settings);
}

static void
apply_cb (gpointer user_data)
{
  EarSettings *self = user_data;

  self->apply_source = 0;
  ear_settings_apply (self);
}

/* Combines changes into one write, while the listener clicks from podcast to podcast or
 * drags the volume or the window size. */
static void
changed_cb (EarSettings *self, const char *key)
{
  ear_notify (self, key);
  if (!g_settings_get_has_unapplied (self->settings))
    return;

  g_clear_handle_id (&self->apply_source, g_source_remove);
  self->apply_source = g_timeout_add_seconds_once (REST_SECONDS, apply_cb, self);
}

/* Returns: (transfer full) (nullable): all lines of @text that a key file can have; %NULL if
 *   @text is a key file, so that it is not damaged */
char *
ear_settings_salvage (const char *text, gsize length)
{
  g_autoptr (GString) readable = g_string_new ("[" GROUP "]\n");
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *without_zeros = g_strndup (text, length);
  g_auto (GStrv) lines = NULL;

  if (g_utf8_validate_len (text, length, NULL) &&
      g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL))
    return NULL;

  for (gsize i = 0; i < length; i++)
    without_zeros[i] = text[i] != '\0' ? text[i] : '\n';
  lines = g_strsplit (without_zeros, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *alone = g_strconcat ("[group]\n", lines[i], NULL);

      if (g_utf8_validate (lines[i], -1, NULL) &&
          g_key_file_load_from_data (file, alone, (gsize) -1, G_KEY_FILE_NONE, NULL))
        g_string_append_printf (readable, "%s\n", lines[i]);
    }

  return g_string_free_and_steal (g_steal_pointer (&readable));
}

/* Without dconf, GIO uses a key file. GIO reads a damaged file up to the damage, and replaces
 * the file at the next change. So a copy is kept, and all readable lines are written back.
 * Returns: (transfer full): the default backend, or a new one that has read the mended file */
static GSettingsBackend *
create_backend (void)
{
  g_autoptr (GSettingsBackend) backend = g_settings_backend_get_default ();
  g_autofree char *path =
      g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", "keyfile", NULL);
  g_autofree char *damaged = g_strconcat (path, ".damaged", NULL);
  g_autofree char *text = NULL;
  g_autofree char *readable = NULL;
  gsize length;

  if (!g_str_equal (G_OBJECT_TYPE_NAME (backend), "GKeyfileSettingsBackend") ||
      !g_file_get_contents (path, &text, &length, NULL))
    return g_steal_pointer (&backend);
  readable = ear_settings_salvage (text, length);
  if (readable == NULL ||
      !g_file_set_contents_full (damaged, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT,
                                 0600, NULL) ||
      !g_file_set_contents_full (path, readable, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL))
    return g_steal_pointer (&backend);
  g_message ("The settings were damaged; they are kept as %s", damaged);

  return g_keyfile_settings_backend_new (path, "/", NULL);
}

static void
ear_settings_release (EarSettings *self)
{
  if (self->settings == NULL)
    return;
  ear_settings_apply (self);
  g_settings_sync ();
  g_clear_object (&self->settings);
}

/* Makes the property of a key. Keys for numbers have a range. */
static GParamSpec *
create_property (const char *name, GSettingsSchemaKey *key)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY;
  g_autoptr (GVariant) value = g_settings_schema_key_get_default_value (key);
  g_autoptr (GVariant) range = g_settings_schema_key_get_range (key);
  g_autoptr (GVariant) bounds = NULL;
  const char type = *g_variant_get_type_string (value);
  const char *kind;
  double least, most;
  int first, last;
  guint lowest, highest;

  g_variant_get (range, "(&sv)", &kind, &bounds);
  g_assert (strchr ("iud", type) == NULL || g_str_equal (kind, "range"));
  switch (type)
    {
    case 'b':
      return g_param_spec_boolean (name, NULL, NULL, g_variant_get_boolean (value), flags);
    case 'i':
      g_variant_get (bounds, "(ii)", &first, &last);
      return g_param_spec_int (name, NULL, NULL, first, last, g_variant_get_int32 (value), flags);
    case 'u':
      g_variant_get (bounds, "(uu)", &lowest, &highest);
      return g_param_spec_uint (name, NULL, NULL, lowest, highest, g_variant_get_uint32 (value),
                                flags);
    case 'd':
      g_variant_get (bounds, "(dd)", &least, &most);
      return g_param_spec_double (name, NULL, NULL, least, most, g_variant_get_double (value),
                                  flags);
    case 's':
      return g_param_spec_string (name, NULL, NULL, g_variant_get_string (value, NULL), flags);
    case 'a':
      return g_param_spec_boxed (name, NULL, NULL, G_TYPE_STRV, flags);
    default:
      g_assert_not_reached ();
    }
}

static void
ear_settings_class_init (EarSettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  g_autoptr (GSettingsSchema) schema = g_settings_schema_source_lookup (
      g_settings_schema_source_get_default (), SCHEMA, TRUE);
  g_auto (GStrv) keys = g_settings_schema_list_keys (schema);

  object_class->get_property = ear_settings_get_property;
  object_class->set_property = ear_settings_set_property;
  ear_class_set_release (klass, ear_settings_release);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, keys[i]);

      g_object_class_install_property (object_class, i + 1, create_property (keys[i], key));
    }
}

static void
ear_settings_init (EarSettings *self)
{
  g_autoptr (GSettingsBackend) backend = create_backend ();

  self->settings = g_settings_new_with_backend (SCHEMA, backend);
  g_settings_delay (self->settings);
  g_signal_connect_swapped (self->settings, "changed", G_CALLBACK (changed_cb), self);
}

EarSettings *
ear_settings_new (void)
{
  return g_object_new (EAR_TYPE_SETTINGS, NULL);
}

gboolean
ear_settings_get_boolean (EarSettings *self, const char *name)
{
  return g_settings_get_boolean (self->settings, name);
}

guint
ear_settings_get_uint (EarSettings *self, const char *name)
{
  return g_settings_get_uint (self->settings, name);
}

char *
ear_settings_dup_string (EarSettings *self, const char *name)
{
  return g_settings_get_string (self->settings, name);
}

/* Returns: a podcast's own value of a setting; without one, the value of the key that has the
 *   name of the setting */
int
ear_settings_get_for (EarSettings *self, EarPodcast *podcast, EarPodcastSetting setting)
{
  const int own = ear_podcast_get_setting (podcast, setting);
  g_auto (GValue) inherited = G_VALUE_INIT;

  if (own != EAR_SETTING_INHERIT)
    return own;
  g_value_init (&inherited, G_TYPE_INT);
  g_object_get_property (G_OBJECT (self), ear_podcast_setting_types[setting].name, &inherited);

  return g_value_get_int (&inherited);
}
