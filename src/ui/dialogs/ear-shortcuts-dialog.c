/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-shortcuts-dialog.h"

#include <glib/gi18n.h>

#include "ear-accelerators.h"
#include "ear-first-focus.h"
#include "ear-single-dialog.h"

static char *
describe_key (const char *key)
{
  guint keyval = 0;
  GdkModifierType modifiers = 0;

  if (!gtk_accelerator_parse (key, &keyval, &modifiers))
    return g_strdup (key);

  /* Where GTK has no word for a key it gives its name: Page_Up. */
  return g_strdelimit (gtk_accelerator_get_label (keyval, modifiers), "_", ' ');
}

static GtkWidget *
make_row (const EarAccelerator *accelerator)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *keys = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _(accelerator->title));
  for (const char *const *key = accelerator->keys; *key != NULL; key++)
    {
      g_autofree char *text = describe_key (*key);
      GtkWidget *label = gtk_label_new (text);

      gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR);
      gtk_widget_add_css_class (label, "keycap");
      gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
      gtk_box_append (GTK_BOX (keys), label);
    }
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), keys);

  return row;
}

/* Lists the keys. Made from the table of accelerators, so that it is always true; rows are made here and not in a
 * template because the table says which there are. */
void
ear_shortcuts_dialog_present (GtkWidget *parent)
{
  g_autoptr (GtkBuilder) builder = NULL;
  AdwDialog *dialog;
  AdwPreferencesPage *page;
  AdwPreferencesGroup *group = NULL;
  const char *heading = NULL;
  gsize n_accelerators;
  const EarAccelerator *accelerators = ear_accelerators_get (&n_accelerators);

  if (ear_single_dialog_raise (parent, "shortcuts", NULL) != NULL)
    return;

  builder = gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-shortcuts-dialog.ui");
  dialog = ADW_DIALOG (gtk_builder_get_object (builder, "dialog"));
  page = ADW_PREFERENCES_PAGE (gtk_builder_get_object (builder, "page"));
  for (gsize i = 0; i < n_accelerators; i++)
    {
      GtkWidget *row = make_row (&accelerators[i]);

      if (g_strcmp0 (heading, accelerators[i].group) != 0)
        {
          heading = accelerators[i].group;
          group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
          adw_preferences_group_set_title (group, _(heading));
          adw_preferences_page_add (page, group);
        }
      adw_preferences_group_add (group, row);
      if (i == 0)
        ear_first_focus_set (dialog, row);
    }
  ear_single_dialog_present (dialog, parent, "shortcuts", NULL);
}
