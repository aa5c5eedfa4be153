/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "paths.h"

#include "ear-background.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "ear-background-request.h"
#include "ear-notification-text.h"
#include "ear-property.h"

/* Characters; the limit is the portal's. */
#define STATUS_LIMIT 95

/* An entry of the Desktop Application Autostart Specification, which starts Earmark with
 * the session where no portal does. */
static const char contents[] =
  "[Desktop Entry]\n"
  "Type=Application\n"
  "Name=Earmark\n"
  "Icon=" EAR_APP_ID "\n"
  "Exec=" EAR_PROGRAM " --gapplication-service\n"
  "X-GNOME-Autostart-enabled=true\n";

/**
 * EarBackground:
 *
 * Asks the desktop for permission to run without a window: while an episode plays or is
 * downloaded, and to check podcasts if the listener enabled that. In the latter case the
 * session also starts Earmark at login. Reports its status to the portal.
 *
 * Without a portal no permission is needed, and an autostart file in the listener's
 * configuration folder starts Earmark.
 */
struct _EarBackground
{
  GObject parent_instance;

  /* Owned */
  EarLibrary *library;
  GDBusConnection *session;
  GCancellable *cancellable;
  char *status;           /* (nullable): last status sent */

  gboolean in_background;
  gboolean refused;
  gboolean asked;         /* since the window was last open, or the settings changed */
  gboolean asking;
  gboolean ask_again;
  gboolean no_portal;
  gboolean autostart;     /* value in the pending request */
};

G_DEFINE_FINAL_TYPE (EarBackground, ear_background, G_TYPE_OBJECT)

static void ask (EarBackground *self);

static gboolean
wants_refresh (EarBackground *self)
{
  gboolean wanted;

  g_object_get (ear_library_get_settings (self->library), "background-refresh", &wanted, NULL);

  return wanted;
}

static gboolean
is_playing (EarBackground *self)
{
  const EarPlayerState state = ear_player_get_state (ear_library_get_player (self->library));

  return state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING;
}

static char *
describe (EarBackground *self)
{
  EarEpisode *episode = ear_player_get_episode (ear_library_get_player (self->library));
  const char *title = episode != NULL ? ear_episode_get_name (episode) : NULL;
  g_autofree char *text = NULL;

  if (is_playing (self) && title != NULL)
    /* Translators: status of the program without a window, shown by the system; %s is the title of an episode. */
    text = g_strdup_printf (_("Playing “%s”"), title);
  else if (ear_downloader_get_running (ear_library_get_downloader (self->library)))
    /* Translators: status of the program without a window, shown by the system. */
    text = g_strdup (_("Downloading episodes"));
  else if (wants_refresh (self))
    text = g_strdup (_("Checking for new episodes"));
  else
    text = g_strdup (_("Paused"));

  return ear_notification_text_clean (text, STATUS_LIMIT);
}

static void
say_status (EarBackground *self)
{
  g_auto (GVariantDict) options = G_VARIANT_DICT_INIT (NULL);
  g_autofree char *status = NULL;

  if (!self->in_background || self->no_portal || self->refused)
    return;

  status = describe (self);
  if (!g_set_str (&self->status, status))
    return;
  g_variant_dict_insert (&options, "message", "s", status);
  g_dbus_connection_call (self->session, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
                          "org.freedesktop.portal.Background", "SetStatus", g_variant_new ("(@a{sv})", g_variant_dict_end (&options)),
                          NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
}

static void
finish_asking (EarBackground *self)
{
  self->asking = FALSE;
  if (self->ask_again)
    ask (self);
  else
    say_status (self);
}

static void
fail (GTask *task, const char *path, int code)
{
  g_task_return_new_error (task, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
}

static void
set_autostart_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const gboolean enabled = GPOINTER_TO_INT (data);
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "autostart", NULL);
  g_autofree char *path = g_build_filename (folder, EAR_APP_ID ".desktop", NULL);
  GError *error = NULL;

  if (enabled && g_mkdir_with_parents (folder, 0700) != 0)
    fail (task, folder, errno);
  else if (enabled && !g_file_set_contents_full (path, contents, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644, &error))
    g_task_return_error (task, error);
  else if (!enabled && g_unlink (path) != 0 && errno != ENOENT)
    fail (task, path, errno);
  else
    g_task_return_boolean (task, TRUE);
}

static void
autostart_set_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarBackground *self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean set = g_task_propagate_boolean (G_TASK (result), &error);

  /* The object was disposed. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  if (!set)
    g_message ("Being started with the session cannot be arranged: %s", error->message);
  ear_property_set_boolean (self, "refused", !set && self->autostart);
  finish_asking (self);
}

static void
set_autostart (EarBackground *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, autostart_set_cb, self);

  g_task_set_source_tag (task, set_autostart);
  g_task_set_task_data (task, GINT_TO_POINTER (self->autostart), NULL);
  g_task_run_in_thread (task, set_autostart_thread);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarBackground *self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean background = FALSE;
  gboolean autostart = FALSE;
  gboolean answered = ear_background_request_finish (result, &background, &autostart, &error);

  /* The object was disposed. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  if (!answered)
    g_info ("No portal says whether to go on without a window: %s", error->message);
  self->no_portal = !answered;
  if (answered && !background)
    ear_property_set_boolean (self, "refused", TRUE);
  /* Outside a sandbox Earmark writes or removes the autostart file itself. */
  else if (!g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS) && !autostart)
    {
      set_autostart (self);
      return;
    }
  else
    ear_property_set_boolean (self, "refused", answered && self->autostart && !autostart);
  finish_asking (self);
}

static void
ask (EarBackground *self)
{
  const char *reason;

  self->ask_again = self->asking;
  if (self->asking)
    return;

  self->asking = TRUE;
  self->asked = TRUE;
  self->autostart = wants_refresh (self);
  if (self->autostart)
    /* Translators: why the program wants to run in the background; the system asks the listener about it. */
    reason = _("Earmark checks for new episodes in the background");
  else if (ear_downloader_get_running (ear_library_get_downloader (self->library)) && !is_playing (self))
    /* Translators: why the program wants to run in the background; the system asks the listener about it. */
    reason = _("Earmark downloads episodes in the background");
  else
    /* Translators: why the program wants to run in the background; the system asks the listener about it. */
    reason = _("Earmark plays in the background");
  ear_background_request_async (self->session, reason, self->autostart, self->cancellable, answered_cb, self);
}

static void
consider_asking (EarBackground *self)
{
  if (self->in_background && !self->asked &&
      (is_playing (self) || ear_downloader_get_running (ear_library_get_downloader (self->library)) || wants_refresh (self)))
    ask (self);
  else if (!self->asking)
    say_status (self);
}

static void
in_background_changed_cb (EarBackground *self)
{
  /* The listener may have changed the permission meanwhile. */
  self->asked = FALSE;
  g_clear_pointer (&self->status, g_free);
  if (self->library != NULL)
    consider_asking (self);
}

static void
ear_background_dispose (GObject *object)
{
  EarBackground *self = EAR_BACKGROUND (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->library);
  g_clear_object (&self->session);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->status, g_free);

  G_OBJECT_CLASS (ear_background_parent_class)->dispose (object);
}

static void
ear_background_class_init (EarBackgroundClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Whether Earmark runs without a window */
    { "in-background", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarBackground, in_background),
      .changed = G_CALLBACK (in_background_changed_cb) },
    /* Whether the last request was refused */
    { "refused", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBackground, refused) },
  };

  object_class->dispose = ear_background_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_background_init (EarBackground *self)
{
  self->cancellable = g_cancellable_new ();
}

EarBackground *
ear_background_new (EarLibrary *library, GDBusConnection *session)
{
  EarBackground *self = g_object_new (EAR_TYPE_BACKGROUND, NULL);

  self->library = g_object_ref (library);
  self->session = g_object_ref (session);
  g_signal_connect_object (ear_library_get_settings (library), "notify::background-refresh", G_CALLBACK (ask), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_player (library), "notify::state", G_CALLBACK (consider_asking), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_player (library), "notify::episode", G_CALLBACK (consider_asking), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_downloader (library), "notify::running", G_CALLBACK (consider_asking), self, G_CONNECT_SWAPPED);

  return self;
}
