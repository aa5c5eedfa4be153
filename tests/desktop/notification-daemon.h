/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* A notification daemon for each backend of GIO: the shell's (org.gtk.Notifications), the
 * freedesktop.org one (org.freedesktop.Notifications) and the portal's. Reports
 * notifications in the same format for all three. */
typedef struct _NotificationDaemon NotificationDaemon;

/* A notification on the screen. */
typedef struct
{
  char *title;
  char *body;
  char *default_action; /* with its target, as printed by GAction */
  char *buttons;        /* "label=action" for each button, in order */
  gboolean has_icon;
  gboolean is_quiet;
} Notification;

NotificationDaemon *notification_daemon_new         (GDBusConnection    *connection);
void                notification_daemon_free        (NotificationDaemon *self);
guint               notification_daemon_get_n_shown (NotificationDaemon *self);
guint               notification_daemon_get_n_asked (NotificationDaemon *self);
const Notification *notification_daemon_get         (NotificationDaemon *self,
                                                     const char         *application);
void                notification_daemon_activate    (NotificationDaemon *self,
                                                     const char         *application,
                                                     const char         *action);
