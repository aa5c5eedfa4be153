/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>

#include "ear-accelerators.h"
#include "ear-widget.h"

static char *
describe_key (const char *key)
{
  guint keyval = 0;
  GdkModifierType modifiers = 0;

  if (!gtk_accelerator_parse (key, &keyval, &modifiers))
    return g_strdup (key);

  /* GTK has no words for some keys, but names such as Page_Up. */
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

/* The dialog while it is filled */
typedef struct
{
  AdwPreferencesPage *page;
  AdwPreferencesGroup *group;
  GtkWidget *first_row;
} Filling;

static void
add_row (const EarAccelerator *accelerator, gpointer user_data)
{
  Filling *filling = user_data;

  if (accelerator->group != NULL)
    {
      filling->group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
      adw_preferences_group_set_title (filling->group, _(accelerator->group));
      adw_preferences_page_add (filling->page, filling->group);
    }
  else
    {
      GtkWidget *row = make_row (accelerator);

      if (filling->first_row == NULL)
        filling->first_row = row;
      adw_preferences_group_add (filling->group, row);
    }
}

/* Lists the keys, from the tables of accelerators and of the verbs of an episode. */
void
ear_shortcuts_dialog_present (GtkWidget *parent)
{
  AdwDialog *dialog =
      g_object_new (ADW_TYPE_PREFERENCES_DIALOG, "title", _("Keyboard Shortcuts"),
                    "search-enabled", TRUE, "content-width", 520, "content-height", 640, NULL);
  Filling filling = { NULL };

  filling.page = ADW_PREFERENCES_PAGE (adw_preferences_page_new ());
  adw_preferences_dialog_add (ADW_PREFERENCES_DIALOG (dialog), filling.page);
  ear_accelerators_foreach (add_row, &filling);
  ear_dialog_set_focus (dialog, filling.first_row);
  ear_single_dialog_present (dialog, parent, NULL);
}
