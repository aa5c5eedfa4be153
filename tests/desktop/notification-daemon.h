/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/*
 * Stands in for whoever shows notifications, in each of the three ways in which GIO speaks
 * to them: the shell's (org.gtk.Notifications), everybody else's (org.freedesktop.Notifications)
 * and the portal's. What was asked for is told in the same words for all of them.
 */
typedef struct _NotificationDaemon NotificationDaemon;

/* What is on the screen. */
typedef struct
{
  char *title;
  char *body;
  char *default_action; /* with its target, as GAction prints it */
  char *buttons;        /* "label=action" each, in order */
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
