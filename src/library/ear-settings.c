/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-settings.h"

#include "ear-address.h"
#include "ear-settings-file.h"

#define SCHEMA "io.github.earmark_app.Earmark"

/* Filter and order by a hash of the podcast's address: now they are kept with the podcast. */
#define OLD_ARRANGEMENTS "arrangements"

/* Where there is no dconf, as in a sandbox, each write has the disk busy: not for each click. */
#define REST_SECONDS 2

/**
 * EarSettings:
 *
 * The settings as typed properties. Nothing else in the program knows the names of
 * the keys; widgets bind to these properties. What is set is kept once nothing more was
 * set for some seconds, and at the end.
 */
struct _EarSettings
{
  GObject parent_instance;

  /* Owned */
  EarSettingsFile *file; /* NULL where dconf keeps them */
  GSettings *settings;   /* in delay-apply mode */
  guint apply_source;
  double volume;
  double rate;
  int skip_back;
  int skip_forward;
  int refresh_interval;
  gboolean refresh_on_metered;
  gboolean notifications;
  gboolean background_refresh;
  gboolean keep_playing;
  gboolean continuous;
  gboolean remove_played;
  gboolean first_steps;
  int window_width;
  int window_height;
  gboolean window_maximized;
  char *selected_collection;
  char *shown_pane;
};

G_DEFINE_FINAL_TYPE (EarSettings, ear_settings, G_TYPE_OBJECT)

typedef enum
{
  PROP_VOLUME = 1,
  PROP_RATE,
  PROP_SKIP_BACK,
  PROP_SKIP_FORWARD,
  PROP_REFRESH_INTERVAL,
  PROP_REFRESH_ON_METERED,
  PROP_NOTIFICATIONS,
  PROP_BACKGROUND_REFRESH,
  PROP_KEEP_PLAYING,
  PROP_CONTINUOUS,
  PROP_REMOVE_PLAYED,
  PROP_FIRST_STEPS,
  PROP_WINDOW_WIDTH,
  PROP_WINDOW_HEIGHT,
  PROP_WINDOW_MAXIMIZED,
  PROP_SELECTED_COLLECTION,
  PROP_SHOWN_PANE,
} EarSettingsProperty;

static GParamSpec *props[PROP_SHOWN_PANE + 1];

static void
set_double (EarSettings *self, double *field, double value, EarSettingsProperty property)
{
  if (G_APPROX_VALUE (*field, value, 0.0001))
    return;

  *field = value;
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static void
set_int (EarSettings *self, int *field, int value, EarSettingsProperty property)
{
  if (*field == value)
    return;

  *field = value;
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static void
set_string (EarSettings *self, char **field, const char *value, EarSettingsProperty property)
{
  if (g_set_str (field, value))
    g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static void
ear_settings_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarSettings *self = EAR_SETTINGS (object);

  switch ((EarSettingsProperty) property_id)
    {
    case PROP_VOLUME:
      g_value_set_double (value, self->volume);
      break;
    case PROP_RATE:
      g_value_set_double (value, self->rate);
      break;
    case PROP_SKIP_BACK:
      g_value_set_uint (value, (guint) self->skip_back);
      break;
    case PROP_SKIP_FORWARD:
      g_value_set_uint (value, (guint) self->skip_forward);
      break;
    case PROP_REFRESH_INTERVAL:
      g_value_set_uint (value, (guint) self->refresh_interval);
      break;
    case PROP_REFRESH_ON_METERED:
      g_value_set_boolean (value, self->refresh_on_metered);
      break;
    case PROP_NOTIFICATIONS:
      g_value_set_boolean (value, self->notifications);
      break;
    case PROP_BACKGROUND_REFRESH:
      g_value_set_boolean (value, self->background_refresh);
      break;
    case PROP_KEEP_PLAYING:
      g_value_set_boolean (value, self->keep_playing);
      break;
    case PROP_CONTINUOUS:
      g_value_set_boolean (value, self->continuous);
      break;
    case PROP_REMOVE_PLAYED:
      g_value_set_boolean (value, self->remove_played);
      break;
    case PROP_FIRST_STEPS:
      g_value_set_boolean (value, self->first_steps);
      break;
    case PROP_WINDOW_WIDTH:
      g_value_set_int (value, self->window_width);
      break;
    case PROP_WINDOW_HEIGHT:
      g_value_set_int (value, self->window_height);
      break;
    case PROP_WINDOW_MAXIMIZED:
      g_value_set_boolean (value, self->window_maximized);
      break;
    case PROP_SELECTED_COLLECTION:
      g_value_set_string (value, self->selected_collection);
      break;
    case PROP_SHOWN_PANE:
      g_value_set_string (value, self->shown_pane);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_settings_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarSettings *self = EAR_SETTINGS (object);

  switch ((EarSettingsProperty) property_id)
    {
    case PROP_VOLUME:
      set_double (self, &self->volume, g_value_get_double (value), PROP_VOLUME);
      break;
    case PROP_RATE:
      set_double (self, &self->rate, g_value_get_double (value), PROP_RATE);
      break;
    case PROP_SKIP_BACK:
      set_int (self, &self->skip_back, (int) g_value_get_uint (value), PROP_SKIP_BACK);
      break;
    case PROP_SKIP_FORWARD:
      set_int (self, &self->skip_forward, (int) g_value_get_uint (value), PROP_SKIP_FORWARD);
      break;
    case PROP_REFRESH_INTERVAL:
      set_int (self, &self->refresh_interval, (int) g_value_get_uint (value), PROP_REFRESH_INTERVAL);
      break;
    case PROP_REFRESH_ON_METERED:
      set_int (self, &self->refresh_on_metered, g_value_get_boolean (value), PROP_REFRESH_ON_METERED);
      break;
    case PROP_NOTIFICATIONS:
      set_int (self, &self->notifications, g_value_get_boolean (value), PROP_NOTIFICATIONS);
      break;
    case PROP_BACKGROUND_REFRESH:
      set_int (self, &self->background_refresh, g_value_get_boolean (value), PROP_BACKGROUND_REFRESH);
      break;
    case PROP_KEEP_PLAYING:
      set_int (self, &self->keep_playing, g_value_get_boolean (value), PROP_KEEP_PLAYING);
      break;
    case PROP_CONTINUOUS:
      set_int (self, &self->continuous, g_value_get_boolean (value), PROP_CONTINUOUS);
      break;
    case PROP_REMOVE_PLAYED:
      set_int (self, &self->remove_played, g_value_get_boolean (value), PROP_REMOVE_PLAYED);
      break;
    case PROP_FIRST_STEPS:
      set_int (self, &self->first_steps, g_value_get_boolean (value), PROP_FIRST_STEPS);
      break;
    case PROP_WINDOW_WIDTH:
      set_int (self, &self->window_width, g_value_get_int (value), PROP_WINDOW_WIDTH);
      break;
    case PROP_WINDOW_HEIGHT:
      set_int (self, &self->window_height, g_value_get_int (value), PROP_WINDOW_HEIGHT);
      break;
    case PROP_WINDOW_MAXIMIZED:
      set_int (self, &self->window_maximized, g_value_get_boolean (value), PROP_WINDOW_MAXIMIZED);
      break;
    case PROP_SELECTED_COLLECTION:
      set_string (self, &self->selected_collection, g_value_get_string (value), PROP_SELECTED_COLLECTION);
      break;
    case PROP_SHOWN_PANE:
      set_string (self, &self->shown_pane, g_value_get_string (value), PROP_SHOWN_PANE);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

/* An address may hold a password or a token, which settings must not: an earlier version kept one. */
static void
hide_address (EarSettings *self)
{
  g_autofree char *hash = NULL;

  if (!ear_address_is_web (self->selected_collection))
    return;
  hash = ear_address_hash (self->selected_collection, NULL);
  g_object_set (self, "selected-collection", hash, NULL);
  ear_settings_apply (self);
}

/* Writes what was set and is not written yet. Where a file keeps it, that is done by a thread:
 * ear_settings_flush_async() tells when it is in the file, where it is once @self has gone, too. */
void
ear_settings_apply (EarSettings *self)
{
  g_return_if_fail (EAR_IS_SETTINGS (self));

  g_clear_handle_id (&self->apply_source, g_source_remove);
  g_settings_apply (self->settings);
}

static void
file_flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  ear_settings_file_flush_finish (EAR_SETTINGS_FILE (source), result);
  g_task_return_boolean (task, TRUE);
}

/* Writes what was set and is not written yet, without waiting for the disk. */
void
ear_settings_flush_async (EarSettings *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_SETTINGS (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_settings_flush_async);
  ear_settings_apply (self);
  /* Without a file, a service that outlives the program has it now. */
  if (self->file == NULL)
    g_task_return_boolean (task, TRUE);
  else
    ear_settings_file_flush_async (self->file, file_flushed_cb, g_steal_pointer (&task));
}

/* Ends what ear_settings_flush_async() began. */
void
ear_settings_flush_finish (EarSettings *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));

  g_task_propagate_boolean (G_TASK (result), NULL);
}

static gboolean
apply_cb (gpointer user_data)
{
  EarSettings *self = user_data;

  self->apply_source = 0;
  ear_settings_apply (self);

  return G_SOURCE_REMOVE;
}

/* All that is set while the listener clicks from podcast to podcast, draws the volume or the window, is one write. */
static void
apply_later (EarSettings *self)
{
  if (!g_settings_get_has_unapplied (self->settings))
    return;

  g_clear_handle_id (&self->apply_source, g_source_remove);
  self->apply_source = g_timeout_add_seconds (REST_SECONDS, apply_cb, self);
}

static void
ear_settings_constructed (GObject *object)
{
  EarSettings *self = EAR_SETTINGS (object);

  G_OBJECT_CLASS (ear_settings_parent_class)->constructed (object);

  self->file = ear_settings_file_new ();
  self->settings = self->file != NULL ? g_settings_new_with_backend (SCHEMA, G_SETTINGS_BACKEND (self->file)) : g_settings_new (SCHEMA);
  g_settings_delay (self->settings);
  for (guint i = PROP_VOLUME; i < G_N_ELEMENTS (props); i++)
    g_settings_bind (self->settings, props[i]->name, self, props[i]->name, G_SETTINGS_BIND_DEFAULT);
  /* After the bindings, which have then set what there is to apply. */
  g_signal_connect (self, "notify", G_CALLBACK (apply_later), NULL);
  hide_address (self);
}

static void
ear_settings_dispose (GObject *object)
{
  EarSettings *self = EAR_SETTINGS (object);

  ear_settings_apply (self);
  g_settings_sync ();
  if (self->file != NULL)
    ear_settings_file_wait (self->file);
  g_clear_object (&self->file);

  G_OBJECT_CLASS (ear_settings_parent_class)->dispose (object);
}

static void
ear_settings_finalize (GObject *object)
{
  EarSettings *self = EAR_SETTINGS (object);

  g_clear_object (&self->settings);
  g_clear_pointer (&self->selected_collection, g_free);
  g_clear_pointer (&self->shown_pane, g_free);

  G_OBJECT_CLASS (ear_settings_parent_class)->finalize (object);
}

static void
ear_settings_class_init (EarSettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_settings_get_property;
  object_class->set_property = ear_settings_set_property;
  object_class->constructed = ear_settings_constructed;
  object_class->dispose = ear_settings_dispose;
  object_class->finalize = ear_settings_finalize;

  props[PROP_VOLUME] = g_param_spec_double ("volume", NULL, NULL, 0, 1, 1, flags);
  props[PROP_RATE] = g_param_spec_double ("rate", NULL, NULL, 0.5, 4, 1, flags);
  props[PROP_SKIP_BACK] = g_param_spec_uint ("skip-back", NULL, NULL, 1, 600, 10, flags);
  props[PROP_SKIP_FORWARD] = g_param_spec_uint ("skip-forward", NULL, NULL, 1, 600, 30, flags);
  props[PROP_REFRESH_INTERVAL] = g_param_spec_uint ("refresh-interval", NULL, NULL, 0, 10080, 60, flags);
  props[PROP_REFRESH_ON_METERED] = g_param_spec_boolean ("refresh-on-metered", NULL, NULL, FALSE, flags);
  props[PROP_NOTIFICATIONS] = g_param_spec_boolean ("notifications", NULL, NULL, TRUE, flags);
  props[PROP_BACKGROUND_REFRESH] = g_param_spec_boolean ("background-refresh", NULL, NULL, FALSE, flags);
  props[PROP_KEEP_PLAYING] = g_param_spec_boolean ("keep-playing", NULL, NULL, TRUE, flags);
  props[PROP_CONTINUOUS] = g_param_spec_boolean ("continuous", NULL, NULL, TRUE, flags);
  props[PROP_REMOVE_PLAYED] = g_param_spec_boolean ("remove-played", NULL, NULL, FALSE, flags);
  props[PROP_FIRST_STEPS] = g_param_spec_boolean ("first-steps", NULL, NULL, TRUE, flags);
  props[PROP_WINDOW_WIDTH] = g_param_spec_int ("window-width", NULL, NULL, 0, G_MAXINT, 1200, flags);
  props[PROP_WINDOW_HEIGHT] = g_param_spec_int ("window-height", NULL, NULL, 0, G_MAXINT, 760, flags);
  props[PROP_WINDOW_MAXIMIZED] = g_param_spec_boolean ("window-maximized", NULL, NULL, FALSE, flags);
  props[PROP_SELECTED_COLLECTION] = g_param_spec_string ("selected-collection", NULL, NULL, "", flags);
  props[PROP_SHOWN_PANE] = g_param_spec_string ("shown-pane", NULL, NULL, "episodes", flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_settings_init (EarSettings *self)
{
  self->volume = 1;
  self->rate = 1;
  self->skip_back = 10;
  self->skip_forward = 30;
  self->refresh_interval = 60;
  self->notifications = TRUE;
  self->keep_playing = TRUE;
  self->window_width = 1200;
  self->window_height = 760;
  self->selected_collection = g_strdup ("");
  self->shown_pane = g_strdup ("episodes");
}

/**
 * ear_settings_new:
 *
 * Returns: (transfer full): the settings, bound to where the desktop keeps them
 */
EarSettings *
ear_settings_new (void)
{
  return g_object_new (EAR_TYPE_SETTINGS, NULL);
}

/* As an earlier version did. */
static char *
hash_address (const char *address)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, address, -1);

  return g_strndup (sum, 16);
}

static void
forget_arrangement (EarSettings *self, GVariant *all, const char *key)
{
  g_auto (GVariantBuilder) rest = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a{s(ss)}"));

  if (g_variant_n_children (all) == 1)
    {
      g_settings_reset (self->settings, OLD_ARRANGEMENTS);
      return;
    }
  for (gsize i = 0; i < g_variant_n_children (all); i++)
    {
      g_autoptr (GVariant) entry = g_variant_get_child_value (all, i);
      const char *name;

      g_variant_get_child (entry, 0, "&s", &name);
      if (!g_str_equal (name, key))
        g_variant_builder_add_value (&rest, entry);
    }
  g_settings_set_value (self->settings, OLD_ARRANGEMENTS, g_variant_builder_end (&rest));
}

/**
 * ear_settings_steal_arrangement:
 * @filter: (out) (transfer full): which of its episodes are listed
 * @sort: (out) (transfer full): in which order
 *
 * Tells how an earlier version has kept what is now kept with the podcast, and forgets it.
 */
gboolean
ear_settings_steal_arrangement (EarSettings *self, const char *address, char **filter, char **sort)
{
  g_autofree char *key = NULL;
  g_autoptr (GVariant) all = NULL;

  g_return_val_if_fail (EAR_IS_SETTINGS (self), FALSE);
  g_return_val_if_fail (address != NULL, FALSE);

  all = g_settings_get_value (self->settings, OLD_ARRANGEMENTS);
  if (g_variant_n_children (all) == 0)
    return FALSE;
  key = hash_address (address);
  if (!g_variant_lookup (all, key, "(ss)", filter, sort))
    return FALSE;

  forget_arrangement (self, all, key);
  apply_later (self);

  return TRUE;
}
