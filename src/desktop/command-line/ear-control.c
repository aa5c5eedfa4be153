/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-control.h"

#include "ear-control-interface.h"
#include "ear-control-work.h"
#include "ear-error.h"

#include <math.h>

/* No address is longer. */
#define TEXT_LIMIT 8192
/* Nobody waits for more at once than this; a program that asks for ever more is refused. */
#define JOBS_LIMIT 16
#define LONGEST_SEEK (1000 * 60 * 60 * G_TIME_SPAN_SECOND)
#define SLOWEST 0.5
#define FASTEST 4.0

/**
 * EarControl:
 *
 * A library on the session bus, for the command line and other programs: see
 * io.github.earmark_app.Earmark.Control.xml. Keeps no state of its own.
 */
struct _EarControl
{
  GObject parent_instance;

  /* Owned */
  EarLibrary *library;
  GDBusConnection *connection;
  guint registration;
  guint n_jobs;

  /* Borrowed */
  GApplication *application;
};

G_DEFINE_FINAL_TYPE (EarControl, ear_control, G_TYPE_OBJECT)

typedef enum
{
  PROP_LIBRARY = 1,
} EarControlProperty;

static GParamSpec *props[PROP_LIBRARY + 1];

/* --- Playing -------------------------------------------------------------------------- */

static gboolean
refuse (GError **error, EarControlError code, const char *message)
{
  g_set_error_literal (error, EAR_CONTROL_ERROR, (int) code, message);

  return FALSE;
}

/* What a method answers with that has nothing to say. */
static void
return_nothing (GTask *task)
{
  g_task_return_pointer (task, g_variant_ref_sink (g_variant_new ("()")), (GDestroyNotify) g_variant_unref);
}

static gboolean
play_pause (EarControl *self, GVariant *parameters, GError **error)
{
  ear_library_toggle (self->library, NULL, NULL);

  return TRUE;
}

static gboolean
play (EarControl *self, GVariant *parameters, GError **error)
{
  ear_library_play (self->library, ear_library_get_episode (self->library), NULL);

  return TRUE;
}

static gboolean
pause_playing (EarControl *self, GVariant *parameters, GError **error)
{
  if (ear_library_get_episode (self->library) != NULL)
    ear_player_pause (ear_library_get_player (self->library));

  return TRUE;
}

static gboolean
next (EarControl *self, GVariant *parameters, GError **error)
{
  if (!ear_library_get_can_go_next (self->library))
    return refuse (error, EAR_CONTROL_ERROR_NO_NEXT, "There is no next episode");
  ear_library_next (self->library);

  return TRUE;
}

static gboolean
previous (EarControl *self, GVariant *parameters, GError **error)
{
  if (!ear_library_get_can_go_previous (self->library))
    return refuse (error, EAR_CONTROL_ERROR_NO_PREVIOUS, "No episode comes before");
  ear_library_previous (self->library);

  return TRUE;
}

static gboolean
check_seekable (EarControl *self, GError **error)
{
  if (ear_library_get_episode (self->library) == NULL)
    return refuse (error, EAR_CONTROL_ERROR_NOTHING_TO_PLAY, "There is no episode in the player");
  if (!ear_player_get_seekable (ear_library_get_player (self->library)))
    return refuse (error, EAR_CONTROL_ERROR_NOT_SEEKABLE, "No place can be chosen in this episode");

  return TRUE;
}

static gboolean
seek_by (EarControl *self, GVariant *parameters, GError **error)
{
  gint64 offset;

  g_variant_get (parameters, "(x)", &offset);
  if (!check_seekable (self, error))
    return FALSE;
  ear_player_skip (ear_library_get_player (self->library), CLAMP (offset, -LONGEST_SEEK, LONGEST_SEEK));

  return TRUE;
}

static gboolean
skip (EarControl *self, GVariant *parameters, GError **error)
{
  gboolean forward;

  g_variant_get (parameters, "(b)", &forward);
  if (!check_seekable (self, error))
    return FALSE;
  if (forward)
    ear_library_skip_forward (self->library);
  else
    ear_library_skip_back (self->library);

  return TRUE;
}

static gboolean
seek_to (EarControl *self, GVariant *parameters, GError **error)
{
  EarPlayer *player = ear_library_get_player (self->library);
  gint64 position;

  g_variant_get (parameters, "(x)", &position);
  if (!check_seekable (self, error))
    return FALSE;
  if (ear_player_get_duration (player) > 0 && position > ear_player_get_duration (player))
    return refuse (error, EAR_CONTROL_ERROR_BEYOND_END, "The episode is not that long");
  ear_player_seek (player, CLAMP (position, 0, LONGEST_SEEK));

  return TRUE;
}

static gboolean
set_speed (EarControl *self, GVariant *parameters, GError **error)
{
  double speed;

  g_variant_get (parameters, "(d)", &speed);
  if (isnan (speed) || speed < SLOWEST || speed > FASTEST)
    {
      g_set_error_literal (error, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS, "Not a speed from 0.5 to 4");
      return FALSE;
    }
  ear_player_set_rate (ear_library_get_player (self->library), speed);

  return TRUE;
}

static gboolean
quit (EarControl *self, GVariant *parameters, GError **error)
{
  if (self->application != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self->application), "quit", NULL);

  return TRUE;
}

static const struct
{
  const char *method;
  gboolean (*run) (EarControl *self, GVariant *parameters, GError **error);
} quick[] = {
  { "PlayPause", play_pause },
  { "Play", play },
  { "Pause", pause_playing },
  { "Next", next },
  { "Previous", previous },
  { "SeekBy", seek_by },
  { "SeekTo", seek_to },
  { "Skip", skip },
  { "SetSpeed", set_speed },
  { "Quit", quit },
};

/* --- What plays ----------------------------------------------------------------------- */

static const char *
get_state (EarPlayer *player)
{
  switch (ear_player_get_state (player))
    {
    case EAR_PLAYER_PLAYING:
      return "playing";
    case EAR_PLAYER_LOADING:
      return "loading";
    case EAR_PLAYER_PAUSED:
      return "paused";
    case EAR_PLAYER_ENDED:
      return "ended";
    case EAR_PLAYER_FAILED:
      return "failed";
    case EAR_PLAYER_EMPTY:
    default:
      return "empty";
    }
}

static GVariant *
describe_episode (EarPlayer *player, EarEpisode *episode)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  const char *title = ear_episode_get_title (episode);
  const char *podcast_title = podcast != NULL ? ear_podcast_get_title (podcast) : NULL;
  g_autofree char *key = ear_episode_dup_key (episode);
  g_auto (GVariantBuilder) values = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  g_variant_builder_add (&values, "{sv}", "key", g_variant_new_string (key));
  g_variant_builder_add (&values, "{sv}", "title", g_variant_new_string (title != NULL ? title : ""));
  g_variant_builder_add (&values, "{sv}", "podcast", g_variant_new_string (podcast_title != NULL ? podcast_title : ""));
  g_variant_builder_add (&values, "{sv}", "position", g_variant_new_int64 (ear_player_get_position (player)));
  g_variant_builder_add (&values, "{sv}", "duration", g_variant_new_int64 (ear_player_get_duration (player)));
  g_variant_builder_add (&values, "{sv}", "listened", g_variant_new_boolean (ear_episode_get_listened (episode)));
  g_variant_builder_add (&values, "{sv}", "liked", g_variant_new_boolean (ear_episode_get_liked (episode)));
  g_variant_builder_add (&values, "{sv}", "downloaded", g_variant_new_boolean (ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE));

  return g_variant_builder_end (&values);
}

static GVariant *
get_status (EarControl *self)
{
  EarPlayer *player = ear_library_get_player (self->library);
  GListModel *podcasts = ear_library_get_podcasts (self->library);
  EarEpisode *episode = ear_library_get_episode (self->library);
  g_auto (GVariantBuilder) values = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  guint n_new;
  guint n_begun;
  gboolean refreshing;
  gint64 checked = 0;

  g_object_get (self->library, "n-new", &n_new, "n-in-progress", &n_begun, "refreshing", &refreshing, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      checked = MAX (checked, ear_podcast_get_checked (podcast));
    }
  g_variant_builder_add (&values, "{sv}", "version", g_variant_new_string (EAR_VERSION));
  g_variant_builder_add (&values, "{sv}", "state", g_variant_new_string (get_state (player)));
  if (episode != NULL)
    g_variant_builder_add (&values, "{sv}", "episode", describe_episode (player, episode));
  g_variant_builder_add (&values, "{sv}", "speed", g_variant_new_double (ear_player_get_rate (player)));
  g_variant_builder_add (&values, "{sv}", "podcasts", g_variant_new_uint32 (g_list_model_get_n_items (podcasts)));
  g_variant_builder_add (&values, "{sv}", "new", g_variant_new_uint32 (n_new));
  g_variant_builder_add (&values, "{sv}", "in-progress", g_variant_new_uint32 (n_begun));
  g_variant_builder_add (&values, "{sv}", "refreshing", g_variant_new_boolean (refreshing));
  g_variant_builder_add (&values, "{sv}", "downloads", g_variant_new_uint32 (ear_library_get_n_downloads (self->library)));
  g_variant_builder_add (&values, "{sv}", "last-check", g_variant_new_int64 (checked));

  return g_variant_new ("(@a{sv})", g_variant_builder_end (&values));
}

/* --- Methods -------------------------------------------------------------------------- */

static gboolean
needs_episode (const char *method)
{
  return g_str_equal (method, "Play") || g_str_equal (method, "PlayPause");
}

static void
resumed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (ear_library_resume_finish (EAR_LIBRARY (source), result, &error))
    return_nothing (task);
  else if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_MEDIA))
    {
      g_task_return_new_error_literal (task, EAR_CONTROL_ERROR, EAR_CONTROL_ERROR_NOTHING_TO_PLAY, error->message);
      g_error_free (error);
    }
  else
    g_task_return_error (task, error);
}

/* With an empty player, it is the episode that the window shows, if there is one. */
static void
play_something (EarControl *self, GTask *task)
{
  if (self->application != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self->application), "play-pause", NULL);
  if (ear_library_get_episode (self->library) != NULL)
    return_nothing (task);
  else
    ear_library_resume_async (self->library, resumed_cb, g_object_ref (task));
}

static gboolean
run_quick (EarControl *self, const char *method, GVariant *parameters, GTask *task)
{
  GError *error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (quick); i++)
    if (g_str_equal (method, quick[i].method))
      {
        if (quick[i].run (self, parameters, &error))
          return_nothing (task);
        else
          g_task_return_error (task, error);
        return TRUE;
      }

  return FALSE;
}

static void
job_ended_cb (EarControl *self)
{
  self->n_jobs--;
}

static void
run_job (EarControl *self, const char *method, GVariant *parameters, GTask *task)
{
  const char *text = "";

  if (self->n_jobs >= JOBS_LIMIT)
    {
      g_task_return_new_error_literal (task, EAR_CONTROL_ERROR, EAR_CONTROL_ERROR_BUSY, "Too much at once");
      return;
    }
  if (g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(s)")))
    g_variant_get (parameters, "(&s)", &text);
  if (strlen (text) > TEXT_LIMIT)
    {
      g_task_return_new_error_literal (task, EAR_CONTROL_ERROR, EAR_CONTROL_ERROR_NO_ADDRESS, "Too long");
      return;
    }

  self->n_jobs++;
  g_signal_connect_object (task, "notify::completed", G_CALLBACK (job_ended_cb), self, G_CONNECT_SWAPPED);
  g_object_ref (task);
  if (g_str_equal (method, "Refresh"))
    ear_control_refresh (self->library, task);
  else if (g_str_equal (method, "Add"))
    ear_control_add (self->library, text, task);
  else if (g_str_equal (method, "Import"))
    ear_control_import (self->library, text, task);
  else
    {
      gboolean with_private;

      g_variant_get (parameters, "(b)", &with_private);
      ear_control_export (self->library, with_private, task);
    }
}

/**
 * ear_control_run_async:
 * @self: the control
 * @method: the name of a method of the interface
 * @parameters: its parameters, which are of the method's types
 * @callback: called when it is done
 * @user_data: data of the caller
 *
 * Does what a method does, as if it had come over the bus.
 */
void
ear_control_run_async (EarControl *self, const char *method, GVariant *parameters, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (parameters);
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CONTROL (self));
  g_return_if_fail (self->library != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_control_run_async);
  if (ear_library_get_podcasts (self->library) == NULL)
    g_task_return_new_error_literal (task, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD, "The library is closed");
  else if (g_str_equal (method, "GetStatus"))
    g_task_return_pointer (task, g_variant_ref_sink (get_status (self)), (GDestroyNotify) g_variant_unref);
  else if (needs_episode (method) && ear_library_get_episode (self->library) == NULL)
    play_something (self, task);
  else if (!run_quick (self, method, owned, task))
    run_job (self, method, owned, task);
}

/**
 * ear_control_run_finish:
 * @self: the control
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the values that the method answers with
 */
GVariant *
ear_control_run_finish (EarControl *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GDBusMethodInvocation *invocation = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = ear_control_run_finish (EAR_CONTROL (source), result, &error);

  if (reply != NULL)
    g_dbus_method_invocation_return_value (invocation, reply);
  else
    g_dbus_method_invocation_return_gerror (invocation, error);
}

static void
method_call_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
                GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  ear_control_run_async (user_data, method, parameters, answered_cb, invocation);
}

static const GDBusInterfaceVTable vtable = {
  .method_call = method_call_cb,
};

/* --- Class ---------------------------------------------------------------------------- */

static void
ear_control_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarControl *self = EAR_CONTROL (object);

  switch ((EarControlProperty) property_id)
    {
    case PROP_LIBRARY:
      g_value_set_object (value, self->library);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_control_dispose (GObject *object)
{
  EarControl *self = EAR_CONTROL (object);

  if (self->registration != 0)
    g_dbus_connection_unregister_object (self->connection, self->registration);
  self->registration = 0;
  g_clear_object (&self->connection);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_control_parent_class)->dispose (object);
}

static void
ear_control_class_init (EarControlClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ear_control_get_property;
  object_class->dispose = ear_control_dispose;

  /**
   * EarControl:library:
   *
   * What is controlled.
   */
  props[PROP_LIBRARY] =
    g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  ear_control_error_register ();
}

static void
ear_control_init (EarControl *self)
{
}

/**
 * ear_control_new:
 * @library: an open library
 * @application: (nullable): what plays what its window shows, and quits; outlives the object
 * @connection: (nullable): the session bus; %NULL to control it only from here
 *
 * Returns: (transfer full): what other programs talk to
 */
EarControl *
ear_control_new (EarLibrary *library, GApplication *application, GDBusConnection *connection)
{
  EarControl *self = g_object_new (EAR_TYPE_CONTROL, NULL);
  g_autoptr (GError) error = NULL;

  self->library = g_object_ref (library);
  self->application = application;
  if (connection == NULL)
    return self;

  self->connection = g_object_ref (connection);
  self->registration =
    g_dbus_connection_register_object (connection, g_application_get_dbus_object_path (application),
                                       (GDBusInterfaceInfo *) &io_github_earmark_app_earmark_control_interface, &vtable, self,
                                       NULL, &error);
  if (error != NULL)
    g_info ("No command line: %s", error->message);

  return self;
}
