/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-settings.h"

#include "ear-podcast-settings.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gsettingsbackend.h>
#include <string.h>

#define SCHEMA "io.github.earmark_app.Earmark"
#define GROUP "io/github/earmark_app/Earmark"

/* Seconds without changes before a write: without dconf, as in a sandbox, each write waits
 * for the disk. */
#define REST_SECONDS 2

/* The settings as typed properties, to which widgets bind. No other code knows the keys.
 * Changes are written after some seconds without further ones, and at the end. */
struct _EarSettings
{
  GObject parent_instance;

  /* Owned */
  GSettings *settings; /* in delay-apply mode */
  GValue *values;      /* indexed by property id */
  guint apply_source;
};

G_DEFINE_FINAL_TYPE (EarSettings, ear_settings, G_TYPE_OBJECT)

#define N_PROPERTIES 32

static GParamSpec *props[N_PROPERTIES + 1];

static void
ear_settings_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  g_value_copy (&EAR_SETTINGS (object)->values[property_id], value);
}

static void
ear_settings_set_property (GObject *object, guint property_id, const GValue *value,
                           GParamSpec *pspec)
{
  GValue *own = &EAR_SETTINGS (object)->values[property_id];

  if (g_param_values_cmp (pspec, own, value) == 0)
    return;

  g_value_copy (value, own);
  g_object_notify_by_pspec (object, pspec);
}

/* Writes pending changes. */
void
ear_settings_apply (EarSettings *self)
{
  g_return_if_fail (EAR_IS_SETTINGS (self));

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
apply_later (EarSettings *self)
{
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
ear_settings_constructed (GObject *object)
{
  EarSettings *self = EAR_SETTINGS (object);
  g_autoptr (GSettingsBackend) backend = create_backend ();

  G_OBJECT_CLASS (ear_settings_parent_class)->constructed (object);

  self->settings = g_settings_new_with_backend (SCHEMA, backend);
  g_settings_delay (self->settings);
  for (guint i = 1; i <= N_PROPERTIES; i++)
    g_settings_bind (self->settings, props[i]->name, self, props[i]->name, G_SETTINGS_BIND_DEFAULT);
  /* Connect after the bindings, which have just set all properties. */
  g_signal_connect (self, "notify", G_CALLBACK (apply_later), NULL);
}

static void
ear_settings_dispose (GObject *object)
{
  EarSettings *self = EAR_SETTINGS (object);

  ear_settings_apply (self);
  g_settings_sync ();

  G_OBJECT_CLASS (ear_settings_parent_class)->dispose (object);
}

static void
ear_settings_finalize (GObject *object)
{
  EarSettings *self = EAR_SETTINGS (object);

  g_clear_object (&self->settings);
  for (guint i = 1; i <= N_PROPERTIES; i++)
    g_value_unset (&self->values[i]);
  g_free (self->values);

  G_OBJECT_CLASS (ear_settings_parent_class)->finalize (object);
}

static void
ear_settings_class_init (EarSettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  GParamSpec *const pspecs[N_PROPERTIES] = {
    g_param_spec_double ("volume", NULL, NULL, 0, 1, 1, flags),
    g_param_spec_double ("rate", NULL, NULL, 0.5, 4, 1, flags),
    g_param_spec_boolean ("trim-silence", NULL, NULL, FALSE, flags),
    g_param_spec_boolean ("level-volume", NULL, NULL, FALSE, flags),
    g_param_spec_uint ("skip-back", NULL, NULL, 1, 600, 10, flags),
    g_param_spec_uint ("skip-forward", NULL, NULL, 1, 600, 30, flags),
    g_param_spec_uint ("refresh-interval", NULL, NULL, 0, 10080, 60, flags),
    g_param_spec_boolean ("refresh-on-metered", NULL, NULL, FALSE, flags),
    g_param_spec_boolean ("notifications", NULL, NULL, TRUE, flags),
    g_param_spec_boolean ("background-refresh", NULL, NULL, FALSE, flags),
    g_param_spec_boolean ("keep-playing", NULL, NULL, TRUE, flags),
    g_param_spec_boolean ("continuous", NULL, NULL, TRUE, flags),
    g_param_spec_boolean ("rewind-after-pause", NULL, NULL, TRUE, flags),
    g_param_spec_boolean ("media-keys-chapters", NULL, NULL, FALSE, flags),
    g_param_spec_boolean ("remove-played", NULL, NULL, FALSE, flags),
    g_param_spec_uint ("remove-after", NULL, NULL, 0, 3650, 0, flags),
    g_param_spec_uint ("keep-free", NULL, NULL, 0, 10000000, 250, flags),
    g_param_spec_string ("downloads-folder", NULL, NULL, "", flags),
    g_param_spec_string ("downloads-folder-left", NULL, NULL, "", flags),
    g_param_spec_string ("country", NULL, NULL, "", flags),
    g_param_spec_int ("window-width", NULL, NULL, 0, G_MAXINT, 1200, flags),
    g_param_spec_int ("window-height", NULL, NULL, 0, G_MAXINT, 760, flags),
    g_param_spec_boolean ("window-maximized", NULL, NULL, FALSE, flags),
    g_param_spec_string ("podcast-order", NULL, NULL, "title", flags),
    g_param_spec_boxed ("folded-folders", NULL, NULL, G_TYPE_STRV, flags),
    g_param_spec_boxed ("arranged-folders", NULL, NULL, G_TYPE_STRV, flags),
    g_param_spec_string ("selected-collection", NULL, NULL, "", flags),
    g_param_spec_string ("shown-pane", NULL, NULL, "episodes", flags),
    g_param_spec_uint ("download-newest", NULL, NULL, 0, EAR_DOWNLOAD_NEWEST_LIMIT, 0, flags),
    g_param_spec_boolean ("queue-new", NULL, NULL, FALSE, flags),
    g_param_spec_string ("playing-from", NULL, NULL, "", flags),
    g_param_spec_string ("machine", NULL, NULL, "", flags),
  };

  object_class->get_property = ear_settings_get_property;
  object_class->set_property = ear_settings_set_property;
  object_class->constructed = ear_settings_constructed;
  object_class->dispose = ear_settings_dispose;
  object_class->finalize = ear_settings_finalize;

  /* Ignore rounding errors in values that come back from the player. */
  G_PARAM_SPEC_DOUBLE (pspecs[0])->epsilon = 0.0001;
  G_PARAM_SPEC_DOUBLE (pspecs[1])->epsilon = 0.0001;
  memcpy (&props[1], pspecs, sizeof pspecs);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_settings_init (EarSettings *self)
{
  self->values = g_new0 (GValue, N_PROPERTIES + 1);
  for (guint i = 1; i <= N_PROPERTIES; i++)
    {
      g_value_init (&self->values[i], props[i]->value_type);
      g_param_value_set_default (props[i], &self->values[i]);
    }
}

EarSettings *
ear_settings_new (void)
{
  return g_object_new (EAR_TYPE_SETTINGS, NULL);
}
