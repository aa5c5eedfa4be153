/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-toasts.h"

#include "ear-find-within.h"
#include "ear-toast-layout.h"

/*
 * Toasts that can be read to their end. libadwaita (1.7 to 1.9) cuts what is too long for the width of
 * the window. A custom title may wrap, but gets the height that it would have had in one line, and
 * is not read aloud.
 */

/* No title of an episode needs more; so much is left of the window. */
#define LINES_LIMIT 6

/* As libadwaita's documentation has it: `toast > label.heading` */
static gboolean
is_title (GtkWidget *widget)
{
  return GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "heading");
}

static gboolean
is_overlay (GtkWidget *widget)
{
  return ADW_IS_TOAST_OVERLAY (widget);
}

static void
wrap (GtkWidget *toast)
{
  GtkWidget *title = ear_find_within (toast, is_title);

  if (title == NULL)
    return;

  gtk_label_set_single_line_mode (GTK_LABEL (title), FALSE);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (title), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (title), LINES_LIMIT);
  gtk_widget_set_layout_manager (title, ear_toast_layout_new ());
}

static void
children_changed_cb (GListModel *children, guint position, guint removed, guint added)
{
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (GtkWidget) child = g_list_model_get_item (children, position + i);

      if (g_str_equal (gtk_widget_get_css_name (child), "toast"))
        wrap (child);
    }
}

/**
 * ear_toasts_wrap:
 * @widget: an #AdwToastOverlay, or what has one in it
 *
 * From now on toasts that are wider than there is room for have several lines.
 */
void
ear_toasts_wrap (GtkWidget *widget)
{
  GtkWidget *overlay;
  GListModel *children;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  overlay = ear_find_within (widget, is_overlay);
  g_return_if_fail (overlay != NULL);

  children = gtk_widget_observe_children (overlay);
  g_signal_connect (children, "items-changed", G_CALLBACK (children_changed_cb), NULL);
  g_object_set_data_full (G_OBJECT (overlay), "ear-toasts", children, g_object_unref);
}

/**
 * ear_toasts_find_in_front:
 * @window: a window
 *
 * What is said in the window while a dialog is in front of it would be seen by nobody.
 *
 * Returns: (transfer none) (nullable): where the dialog that is in front of @window has its toasts
 */
AdwToastOverlay *
ear_toasts_find_in_front (AdwApplicationWindow *window)
{
  AdwDialog *dialog = adw_application_window_get_visible_dialog (window);
  GtkWidget *overlay = dialog != NULL ? ear_find_within (GTK_WIDGET (dialog), is_overlay) : NULL;

  return overlay != NULL ? ADW_TOAST_OVERLAY (overlay) : NULL;
}
