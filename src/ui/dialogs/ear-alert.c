/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-alert.h"

#include "ear-widget.h"

static gboolean
is_heading (GtkWidget *widget)
{
  return GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "title-2");
}

/* Where the heading has no room in one line, libadwaita (1.7 to 1.9) shows a smaller one, which wraps, but asks the
 * large one for its height as well, in a width that GTK complains about. */
AdwDialog *
ear_alert_new (const char *heading)
{
  AdwDialog *dialog = adw_alert_dialog_new (heading, NULL);
  GtkWidget *label = ear_find_within (adw_dialog_get_child (dialog), is_heading);

  if (label != NULL)
    {
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    }

  return dialog;
}
