/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-shortcuts-dialog.h"

#include <glib/gi18n.h>

#include "ear-accelerators.h"
#include "ear-single-dialog.h"
#include "ear-widget.h"

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

/* The dialog while it is made */
typedef struct
{
  AdwDialog *dialog;
  AdwPreferencesPage *page;
  AdwPreferencesGroup *group;
  const char *heading;
} Making;

static void
add_row (const EarAccelerator *accelerator, gpointer user_data)
{
  Making *making = user_data;
  GtkWidget *row = make_row (accelerator);

  if (making->heading == NULL)
    ear_dialog_set_focus (making->dialog, row);
  if (g_strcmp0 (making->heading, accelerator->group) != 0)
    {
      making->heading = accelerator->group;
      making->group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
      adw_preferences_group_set_title (making->group, _(making->heading));
      adw_preferences_page_add (making->page, making->group);
    }
  adw_preferences_group_add (making->group, row);
}

/* Lists the keys, from the tables of accelerators and of the verbs of an episode. */
void
ear_shortcuts_dialog_present (GtkWidget *parent)
{
  g_autoptr (GtkBuilder) builder = NULL;
  Making making = { NULL };

  if (ear_single_dialog_raise (parent, "shortcuts", NULL) != NULL)
    return;

  builder = gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-shortcuts-dialog.ui");
  making.dialog = ADW_DIALOG (gtk_builder_get_object (builder, "dialog"));
  making.page = ADW_PREFERENCES_PAGE (gtk_builder_get_object (builder, "page"));
  ear_accelerators_foreach (add_row, &making);
  ear_single_dialog_present (making.dialog, parent, "shortcuts", NULL);
}
