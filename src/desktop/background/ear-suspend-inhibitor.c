/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-suspend-inhibitor.h"

#include <gio/gunixfdlist.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

/* Flag "suspend" of the portal and of GNOME's session manager. */
#define INHIBIT_SUSPEND 4u

/* Seconds. A short wait for data while an episode plays does not
 * release the inhibitor. */
#define RELEASE_DELAY 10

/**
 * EarSuspendInhibitor:
 *
 * Keeps the computer from suspending automatically while an episode plays. Asks, in this
 * order, the desktop portal (the only service that a sandbox reaches), GNOME's session
 * manager, and systemd-logind.
 */
struct _EarSuspendInhibitor
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  GDBusConnection *session;
  char *request_path;        /* from the portal */
  guint cookie;              /* from the session manager */
  int fd;                    /* from logind */
  guint release_id;
  gboolean wanted;
  gboolean asking;
};

G_DEFINE_FINAL_TYPE (EarSuspendInhibitor, ear_suspend_inhibitor, G_TYPE_OBJECT)

static void
release (EarSuspendInhibitor *self)
{
  if (self->request_path != NULL)
    g_dbus_connection_call (self->session, "org.freedesktop.portal.Desktop", self->request_path, "org.freedesktop.portal.Request",
                            "Close", NULL, NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
  g_clear_pointer (&self->request_path, g_free);
  if (self->cookie != 0)
    g_dbus_connection_call (self->session, "org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager",
                            "Uninhibit", g_variant_new ("(u)", self->cookie), NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
  self->cookie = 0;
  g_clear_fd (&self->fd, NULL);
}

/* Releases an inhibitor that was granted after playback had stopped. */
static void
settle (EarSuspendInhibitor *self)
{
  self->asking = FALSE;
  if (!self->wanted)
    release (self);
}

static void
asked_logind_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSuspendInhibitor) self = user_data;
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_finish (G_DBUS_CONNECTION (source), &fds, result, &error);
  gint32 index;

  if (reply == NULL)
    {
      g_info ("Nobody keeps the computer from suspending: %s", error->message);
      self->asking = FALSE;
      return;
    }
  g_variant_get (reply, "(h)", &index);
  self->fd = fds != NULL ? g_unix_fd_list_get (fds, index, NULL) : -1;
  settle (self);
}

static void
got_system_bus_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSuspendInhibitor) self = user_data;
  g_autoptr (GDBusConnection) system = g_bus_get_finish (result, NULL);

  if (system == NULL)
    {
      self->asking = FALSE;
      return;
    }

  g_dbus_connection_call_with_unix_fd_list (system, "org.freedesktop.login1", "/org/freedesktop/login1",
                                            "org.freedesktop.login1.Manager", "Inhibit",
                                            g_variant_new ("(ssss)", "idle", "Earmark", _("Playing an episode"), "block"),
                                            G_VARIANT_TYPE ("(h)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL,
                                            NULL, asked_logind_cb, g_object_ref (self));
}

static void
asked_session_manager_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSuspendInhibitor) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply != NULL)
    {
      g_variant_get (reply, "(u)", &self->cookie);
      settle (self);
    }
  else
    g_bus_get (G_BUS_TYPE_SYSTEM, NULL, got_system_bus_cb, g_object_ref (self));
}

static void
asked_portal_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSuspendInhibitor) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply != NULL)
    {
      g_variant_get (reply, "(o)", &self->request_path);
      settle (self);
    }
  else
    g_dbus_connection_call (self->session, "org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager",
                            "Inhibit", g_variant_new ("(susu)", EAR_APP_ID, 0u, _("Playing an episode"), INHIBIT_SUSPEND),
                            G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, -1,
                            NULL, asked_session_manager_cb, g_object_ref (self));
}

static void
ask (EarSuspendInhibitor *self)
{
  GVariantBuilder options = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  if (self->asking || ear_suspend_inhibitor_get_active (self))
    return;

  self->asking = TRUE;
  g_variant_builder_add (&options, "{sv}", "reason", g_variant_new_string (_("Playing an episode")));
  g_dbus_connection_call (self->session, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
                          "org.freedesktop.portal.Inhibit", "Inhibit",
                          g_variant_new ("(sua{sv})", "", INHIBIT_SUSPEND, &options), G_VARIANT_TYPE ("(o)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, NULL, asked_portal_cb, g_object_ref (self));
}

static void
release_cb (gpointer user_data)
{
  EarSuspendInhibitor *self = user_data;

  self->release_id = 0;
  release (self);
}

static void
state_changed_cb (EarSuspendInhibitor *self)
{
  EarPlayerState state = ear_player_get_state (self->player);
  gboolean waiting;

  g_object_get (self->player, "waiting", &waiting, NULL);
  self->wanted = (state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING) && !waiting;
  if (self->wanted)
    {
      g_clear_handle_id (&self->release_id, g_source_remove);
      ask (self);
    }
  else if (ear_suspend_inhibitor_get_active (self) && self->release_id == 0)
    self->release_id = g_timeout_add_seconds_once (RELEASE_DELAY, release_cb, self);
}

static void
ear_suspend_inhibitor_dispose (GObject *object)
{
  EarSuspendInhibitor *self = EAR_SUSPEND_INHIBITOR (object);

  g_clear_handle_id (&self->release_id, g_source_remove);
  if (self->session != NULL)
    release (self);
  g_clear_object (&self->player);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (ear_suspend_inhibitor_parent_class)->dispose (object);
}

static void
ear_suspend_inhibitor_class_init (EarSuspendInhibitorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_suspend_inhibitor_dispose;
}

static void
ear_suspend_inhibitor_init (EarSuspendInhibitor *self)
{
  self->fd = -1;
}

EarSuspendInhibitor *
ear_suspend_inhibitor_new (EarPlayer *player, GDBusConnection *session)
{
  EarSuspendInhibitor *self = g_object_new (EAR_TYPE_SUSPEND_INHIBITOR, NULL);

  self->player = g_object_ref (player);
  self->session = g_object_ref (session);
  g_signal_connect_object (player, "notify::state", G_CALLBACK (state_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::waiting", G_CALLBACK (state_changed_cb), self, G_CONNECT_SWAPPED);
  state_changed_cb (self);

  return self;
}

/* Returns: whether a service inhibits suspension */
gboolean
ear_suspend_inhibitor_get_active (EarSuspendInhibitor *self)
{
  g_return_val_if_fail (EAR_IS_SUSPEND_INHIBITOR (self), FALSE);

  return self->request_path != NULL || self->cookie != 0 || self->fd >= 0;
}
