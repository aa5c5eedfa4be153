/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-list-chooser.h"

#include <glib/gi18n.h>

#include "ear-property.h"
#include "ear-single-dialog.h"

/**
 * EarListChooser:
 *
 * Which lists of the listener's own some episodes are in: one is ticked where all of them are there. What is ticked or typed counts at
 * once, and can be taken back as all else.
 */
struct _EarListChooser
{
  AdwDialog parent_instance;

  /* Template children */
  AdwPreferencesGroup *rows;
  GtkEditable *name;

  /* Owned */
  EarLibrary *library;
  GPtrArray *episodes; /* (element-type EarEpisode) */
};

G_DEFINE_FINAL_TYPE (EarListChooser, ear_list_chooser, ADW_TYPE_DIALOG)

static guint
count_in (EarListChooser *self, EarList *list)
{
  guint n = 0;

  for (guint i = 0; i < self->episodes->len; i++)
    n += ear_list_has (list, g_ptr_array_index (self->episodes, i));

  return n;
}

static void
toggled_cb (EarListChooser *self, GtkCheckButton *check)
{
  EarLists *lists = ear_library_get_lists (self->library);
  EarList *list = g_object_get_data (G_OBJECT (check), "list");
  const gboolean wanted = gtk_check_button_get_active (check);

  gtk_check_button_set_inconsistent (check, FALSE);
  if (wanted == (count_in (self, list) == self->episodes->len))
    return;

  if (wanted)
    ear_lists_add (lists, list, self->episodes);
  else
    ear_lists_take_out (lists, list, self->episodes);
}

static void
add_row (EarListChooser *self, EarList *list)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *check = gtk_check_button_new ();
  const guint n = count_in (self, list);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), ear_list_get_title (list));
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), n == self->episodes->len);
  gtk_check_button_set_inconsistent (GTK_CHECK_BUTTON (check), n > 0 && n < self->episodes->len);
  g_object_set_data_full (G_OBJECT (check), "list", g_object_ref (list), g_object_unref);
  g_signal_connect_object (check, "toggled", G_CALLBACK (toggled_cb), self, G_CONNECT_SWAPPED);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  adw_preferences_group_add (self->rows, row);
  gtk_widget_set_visible (GTK_WIDGET (self->rows), TRUE);
}

static void
name_applied_cb (EarListChooser *self)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (self->name)));

  if (*name == '\0')
    return;

  ear_lists_create (ear_library_get_lists (self->library), name, NULL, self->episodes);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
ear_list_chooser_dispose (GObject *object)
{
  EarListChooser *self = EAR_LIST_CHOOSER (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_LIST_CHOOSER);
  g_clear_pointer (&self->episodes, g_ptr_array_unref);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_list_chooser_parent_class)->dispose (object);
}

static void
ear_list_chooser_class_init (EarListChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_list_chooser_dispose;

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-list-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, EarListChooser, rows);
  gtk_widget_class_bind_template_child (widget_class, EarListChooser, name);
  gtk_widget_class_bind_template_callback (widget_class, name_applied_cb);
}

static void
ear_list_chooser_init (EarListChooser *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @parent: in the window
 * @episodes: (element-type EarEpisode): what is to be put into lists */
void
ear_list_chooser_present (EarLibrary *library, GtkWidget *parent, GPtrArray *episodes)
{
  GListModel *lists = ear_lists_get_all (ear_library_get_lists (library));
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (parent));
  EarListChooser *self;

  if (episodes->len == 0 || ear_single_dialog_raise (window, "list-chooser", NULL) != NULL)
    return;

  self = g_object_new (EAR_TYPE_LIST_CHOOSER, NULL);
  self->library = g_object_ref (library);
  self->episodes = g_ptr_array_ref (episodes);
  for (guint i = 0; i < g_list_model_get_n_items (lists); i++)
    {
      g_autoptr (EarList) list = g_list_model_get_item (lists, i);

      if (!ear_list_is_smart (list))
        add_row (self, list);
    }
  if (!gtk_widget_get_visible (GTK_WIDGET (self->rows)))
    adw_dialog_set_focus (ADW_DIALOG (self), GTK_WIDGET (self->name));
  ear_single_dialog_present (ADW_DIALOG (self), window, "list-chooser", NULL);
}
