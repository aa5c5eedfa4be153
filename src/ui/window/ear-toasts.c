/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-toasts.h"

#include "ear-toast-layout.h"
#include "ear-widget.h"

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

/* From now on toasts that are wider than there is room for have several lines.
 * @widget: an #AdwToastOverlay, or what has one in it */
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

/* What is said in the window while a dialog is in front of it would be seen by nobody. Neither would be what is
 * said behind a dialog that has no toasts, such as that for signing in, if it is not said in the one below it.
 * Returns: (transfer none) (nullable): where the topmost dialog that has toasts has them */
AdwToastOverlay *
ear_toasts_find_in_front (AdwApplicationWindow *window)
{
  GListModel *dialogs = adw_application_window_get_dialogs (window);

  for (guint i = g_list_model_get_n_items (dialogs); i > 0; i--)
    {
      g_autoptr (AdwDialog) dialog = g_list_model_get_item (dialogs, i - 1);
      GtkWidget *overlay = ear_find_within (GTK_WIDGET (dialog), is_overlay);

      if (overlay != NULL)
        return ADW_TOAST_OVERLAY (overlay);
    }

  return NULL;
}

/* --- What stays until it is closed ---------------------------------------------------------- */

/* What an overlay has by it: those of its toasts that stay */
#define STAYING "ear-toasts-staying"

/* What such a toast has that is to stay in the window, too */
#define LASTING "ear-toasts-lasting"

static void
dismissed_cb (AdwToastOverlay *overlay, AdwToast *toast)
{
  GPtrArray *staying = g_object_get_data (G_OBJECT (overlay), STAYING);

  if (staying != NULL)
    g_ptr_array_remove (staying, toast);
}

static AdwToast *
add (AdwToastOverlay *overlay, const char *message, gboolean stays)
{
  AdwToast *toast = adw_toast_new (message);

  adw_toast_set_use_markup (toast, FALSE);
  if (stays)
    adw_toast_set_timeout (toast, 0);
  adw_toast_overlay_add_toast (overlay, toast);

  return toast;
}

static void
add_staying (AdwToastOverlay *overlay, const char *message, gboolean lasting)
{
  AdwToast *toast = add (overlay, message, TRUE);
  GPtrArray *staying = g_object_get_data (G_OBJECT (overlay), STAYING);

  if (staying == NULL)
    {
      staying = g_ptr_array_new_with_free_func (g_object_unref);
      g_object_set_data_full (G_OBJECT (overlay), STAYING, staying, (GDestroyNotify) g_ptr_array_unref);
    }
  if (lasting)
    g_object_set_data (G_OBJECT (toast), LASTING, toast);
  g_ptr_array_add (staying, g_object_ref (toast));
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (dismissed_cb), overlay, G_CONNECT_SWAPPED);
}

static gboolean
is_lasting (AdwToast *toast)
{
  return g_object_get_data (G_OBJECT (toast), LASTING) != NULL;
}

/* A dialog takes what is told in it away. */
static void
closed_cb (AdwToastOverlay *behind, AdwDialog *dialog)
{
  GtkWidget *overlay = ear_find_within (GTK_WIDGET (dialog), is_overlay);
  g_autoptr (GPtrArray) staying = overlay != NULL ? g_object_steal_data (G_OBJECT (overlay), STAYING) : NULL;

  for (guint i = 0; staying != NULL && i < staying->len; i++)
    ear_toasts_add_notice (behind, adw_toast_get_title (g_ptr_array_index (staying, i)), is_lasting (g_ptr_array_index (staying, i)));
}

/* Tells the listener something where it is seen: in the dialog that is in front, if there is one with toasts. There it
 * stays, and is told again in the window when the dialog is gone, unless it was closed.
 * @lasting: whether they stay until they are closed */
void
ear_toasts_add_notice (AdwToastOverlay *toasts, const char *message, gboolean lasting)
{
  GtkWidget *window = gtk_widget_get_ancestor (GTK_WIDGET (toasts), ADW_TYPE_APPLICATION_WINDOW);
  AdwDialog *dialog = window != NULL ? adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)) : NULL;
  AdwToastOverlay *in_front = dialog != NULL ? ear_toasts_find_in_front (ADW_APPLICATION_WINDOW (window)) : NULL;

  if (in_front != NULL)
    {
      if (g_object_get_data (G_OBJECT (in_front), STAYING) == NULL)
        g_signal_connect_object (gtk_widget_get_ancestor (GTK_WIDGET (in_front), ADW_TYPE_DIALOG), "closed", G_CALLBACK (closed_cb), toasts, G_CONNECT_SWAPPED);
      add_staying (in_front, message, lasting);
    }
  else if (lasting || dialog != NULL)
    add_staying (toasts, message, TRUE);
  else
    add (toasts, message, FALSE);
}

/* Shows a toast before what stays, which is shown again after it. (Toasts of high priority are to do that, but where one is
 * dismissed within a third of a second, libadwaita (1.7) shows the one before it while that is still going, and aborts.)
 * @toast: (transfer full): a toast about what was just done */
void
ear_toasts_add_now (AdwToastOverlay *toasts, AdwToast *toast)
{
  g_autoptr (GPtrArray) staying = g_object_steal_data (G_OBJECT (toasts), STAYING);

  for (guint i = 0; staying != NULL && i < staying->len; i++)
    adw_toast_dismiss (g_ptr_array_index (staying, i));
  adw_toast_overlay_add_toast (toasts, toast);
  for (guint i = 0; staying != NULL && i < staying->len; i++)
    add_staying (toasts, adw_toast_get_title (g_ptr_array_index (staying, i)), is_lasting (g_ptr_array_index (staying, i)));
}
