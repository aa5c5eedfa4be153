/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>

#include "ear-widget.h"

/**
 * EarListDialog:
 *
 * Makes or edits a list: its name, and for a smart list the conditions by which it fills
 * itself. Nothing is kept before it is saved.
 */
struct _EarListDialog
{
  AdwDialog parent_instance;

  /* Template children */
  GtkWidget *save;
  GtkEditable *name;
  AdwSwitchRow *automatic;
  AdwExpanderRow *podcasts;
  AdwComboRow *played;
  AdwSwitchRow *liked;
  AdwSwitchRow *downloaded;
  GtkEditable *words;
  GtkSpinButton *shortest;
  GtkSpinButton *longest;
  AdwActionRow *longest_row;
  GtkSpinButton *days;
  AdwComboRow *sort;

  /* Owned */
  EarLibrary *library;
  EarList *list;      /* (nullable): %NULL for a new one */
  GPtrArray *chosen;  /* (element-type utf8): addresses of podcasts, as a string array */
  gboolean has_rows;  /* one for each podcast */
};

#define EAR_TYPE_LIST_DIALOG (ear_list_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarListDialog, ear_list_dialog, EAR, LIST_DIALOG, AdwDialog)
G_DEFINE_FINAL_TYPE (EarListDialog, ear_list_dialog, ADW_TYPE_DIALOG)

/* --- Podcasts ----------------------------------------------------------------------- */

static gboolean
find_chosen (EarListDialog *self, EarPodcast *podcast, guint *position)
{
  return g_ptr_array_find_with_equal_func (self->chosen, ear_podcast_get_address (podcast),
                                           g_str_equal, position);
}

static void
show_chosen (EarListDialog *self)
{
  const guint n = self->chosen->len;
  g_autofree char *chosen = n > 0 ? g_strdup_printf (ngettext ("%'u podcast", "%'u podcasts", n), n)
                                  : g_strdup (_("All podcasts"));

  adw_expander_row_set_subtitle (self->podcasts, chosen);
}

static void
podcast_toggled_cb (EarListDialog *self, GtkCheckButton *check)
{
  EarPodcast *podcast = g_object_get_data (G_OBJECT (check), "podcast");
  guint position;

  if (gtk_check_button_get_active (check))
    g_ptr_array_add (self->chosen, g_strdup (ear_podcast_get_address (podcast)));
  else if (find_chosen (self, podcast, &position))
    g_ptr_array_remove_index (self->chosen, position);
  show_chosen (self);
}

static void
add_podcast (EarListDialog *self, EarPodcast *podcast)
{
  GtkCheckButton *check;

  adw_expander_row_add_row (self->podcasts,
                            ear_check_row_new (ear_podcast_get_name (podcast), &check));
  gtk_check_button_set_active (check, find_chosen (self, podcast, NULL));
  g_object_set_data_full (G_OBJECT (check), "podcast", g_object_ref (podcast), g_object_unref);
  ear_connect (check, "toggled", podcast_toggled_cb, self);
}

/* Creates the rows, perhaps hundreds, when the group is first expanded. */
static void
podcasts_expanded_cb (EarListDialog *self)
{
  GListModel *podcasts = ear_library_get_podcasts (self->library);

  for (guint i = 0; !self->has_rows && i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      add_podcast (self, podcast);
    }
  self->has_rows = TRUE;
}

/* --- The rule ----------------------------------------------------------------------- */

/* Filters of the row for the progress, after the choice of any */
static const EarEpisodeFilter played[] = { EAR_FILTER_UNPLAYED, EAR_FILTER_IN_PROGRESS,
                                           EAR_FILTER_PLAYED };

static void
show_rule (EarListDialog *self, const EarListRule *rule)
{
  for (guint i = 0; rule->podcasts != NULL && rule->podcasts[i] != NULL; i++)
    g_ptr_array_add (self->chosen, g_strdup (rule->podcasts[i]));
  for (guint i = 0; i < G_N_ELEMENTS (played); i++)
    if (ear_episode_conditions_have (&rule->terms, played[i]))
      adw_combo_row_set_selected (self->played, i + 1);
  adw_switch_row_set_active (self->liked,
                             ear_episode_conditions_have (&rule->terms, EAR_FILTER_LIKED));
  adw_switch_row_set_active (self->downloaded,
                             ear_episode_conditions_have (&rule->terms, EAR_FILTER_DOWNLOADED));
  gtk_editable_set_text (self->words, rule->words != NULL ? rule->words : "");
  gtk_spin_button_set_value (self->shortest, (double) (rule->terms.shortest / G_TIME_SPAN_MINUTE));
  gtk_spin_button_set_value (self->longest, (double) (rule->terms.longest / G_TIME_SPAN_MINUTE));
  gtk_spin_button_set_value (self->days, rule->terms.days);
  adw_combo_row_set_selected (self->sort, rule->sort);
}

/* Includes a number that is still being typed: a key may save it. */
static int
read_number (GtkSpinButton *button)
{
  gtk_spin_button_update (button);

  return gtk_spin_button_get_value_as_int (button);
}

static EarListRule *
create_rule (EarListDialog *self)
{
  EarListRule *rule = ear_list_rule_new ();
  g_autofree char *words = g_strstrip (g_strdup (gtk_editable_get_text (self->words)));
  const guint progress = adw_combo_row_get_selected (self->played);

  if (self->chosen->len > 0)
    rule->podcasts = g_strdupv ((char **) self->chosen->pdata);
  if (progress > 0)
    rule->terms.filters = 1u << played[progress - 1];
  if (adw_switch_row_get_active (self->liked))
    rule->terms.filters |= 1u << EAR_FILTER_LIKED;
  if (adw_switch_row_get_active (self->downloaded))
    rule->terms.filters |= 1u << EAR_FILTER_DOWNLOADED;
  if (*words != '\0')
    rule->words = g_steal_pointer (&words);
  rule->terms.shortest = read_number (self->shortest) * G_TIME_SPAN_MINUTE;
  rule->terms.longest = read_number (self->longest) * G_TIME_SPAN_MINUTE;
  rule->terms.days = (guint) read_number (self->days);
  rule->sort = (EarEpisodeSort) adw_combo_row_get_selected (self->sort);

  return rule;
}

static char *
dup_name (EarListDialog *self)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (self->name)));
}

/* Returns: whether the maximum length is not below the minimum */
static gboolean
has_lengths (EarListDialog *self)
{
  const int longest = gtk_spin_button_get_value_as_int (self->longest);

  return longest == 0 || longest >= gtk_spin_button_get_value_as_int (self->shortest);
}

static void
changed_cb (EarListDialog *self)
{
  g_autofree char *name = dup_name (self);
  const gboolean possible = !adw_switch_row_get_active (self->automatic) || has_lengths (self);

  adw_action_row_set_subtitle (self->longest_row,
                               possible ? NULL : _("Shorter Than is below Longer Than"));
  ear_set_css_class (GTK_WIDGET (self->longest_row), "error", !possible);
  gtk_widget_set_sensitive (self->save, *name != '\0' && possible);
}

static void
save_cb (EarListDialog *self)
{
  g_autofree char *name = dup_name (self);
  g_autoptr (EarListRule) rule =
      adw_switch_row_get_active (self->automatic) ? create_rule (self) : NULL;
  EarLists *lists = ear_library_get_lists (self->library);

  /* Reading the numbers may have changed whether they fit. */
  if (!gtk_widget_get_sensitive (self->save))
    return;
  if (self->list != NULL)
    ear_lists_change (lists, self->list, name, rule);
  else
    {
      EarList *list = ear_lists_create (lists, name, rule, NULL);
      g_autofree char *item = g_strconcat ("list-", ear_list_get_id (list), NULL);

      gtk_widget_activate_action (GTK_WIDGET (self), "win.select-podcast", "s", item);
    }
  adw_dialog_close (ADW_DIALOG (self));
}

static void
ear_list_dialog_dispose (GObject *object)
{
  EarListDialog *self = EAR_LIST_DIALOG (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_LIST_DIALOG);
  g_clear_pointer (&self->chosen, g_ptr_array_unref);
  g_clear_object (&self->list);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_list_dialog_parent_class)->dispose (object);
}

/* The conditions come in sight when they are turned on. */
static int
get_height (gpointer object, gboolean automatic)
{
  return automatic ? 600 : 230;
}

static void
ear_list_dialog_class_init (EarListDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_list_dialog_dispose;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-list-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, save);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, name);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, automatic);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, podcasts);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, played);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, liked);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, downloaded);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, words);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, shortest);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, longest);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, longest_row);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, days);
  gtk_widget_class_bind_template_child (widget_class, EarListDialog, sort);
  gtk_widget_class_bind_template_callback (widget_class, podcasts_expanded_cb);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, get_height);
  gtk_widget_class_bind_template_callback (widget_class, save_cb);
  gtk_widget_class_bind_template_callback (widget_class, adw_dialog_close);
}

static void
ear_list_dialog_init (EarListDialog *self)
{
  self->chosen = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @list: (nullable): the list to edit; %NULL to make one, which is shown then */
void
ear_list_dialog_present (EarLibrary *library, GtkWidget *window, EarList *list)
{
  EarListDialog *self = g_object_new (EAR_TYPE_LIST_DIALOG, NULL);

  self->library = g_object_ref (library);
  if (list != NULL)
    {
      self->list = g_object_ref (list);
      adw_dialog_set_title (ADW_DIALOG (self), _("Edit List"));
      gtk_editable_set_text (self->name, ear_list_get_title (list));
      /* A list keeps its kind: episodes that the listener added would be lost. */
      gtk_widget_set_visible (GTK_WIDGET (self->automatic), FALSE);
      adw_switch_row_set_active (self->automatic, ear_list_is_smart (list));
      if (ear_list_is_smart (list))
        show_rule (self, ear_list_get_rule (list));
    }
  show_chosen (self);
  ear_single_dialog_present (ADW_DIALOG (self), window, list);
}
