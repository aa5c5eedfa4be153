/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-update-window.h"

/**
 * EarUpdateWindow:
 *
 * Stands in for the window while what an earlier version has left is brought to this one.
 */
struct _EarUpdateWindow
{
  AdwApplicationWindow parent_instance;
};

G_DEFINE_FINAL_TYPE (EarUpdateWindow, ear_update_window, ADW_TYPE_APPLICATION_WINDOW)

static void
ear_update_window_class_init (EarUpdateWindowClass *klass)
{
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass), EAR_RESOURCE_BASE "/ui/ear-update-window.ui");
}

static void
ear_update_window_init (EarUpdateWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * ear_update_window_new:
 *
 * Returns: (transfer none): the window, which is not shown yet
 */
EarUpdateWindow *
ear_update_window_new (GtkApplication *application)
{
  return g_object_new (EAR_TYPE_UPDATE_WINDOW, "application", application, NULL);
}
