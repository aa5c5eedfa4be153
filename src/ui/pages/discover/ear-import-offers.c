/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-offers.h"

#include "ear-import-source.h"

#include <glib/gi18n.h>

/* A button, or a row of the preferences, for each other program whose podcasts could be taken over. */

typedef struct
{
  GtkWidget *place;
  const char *action;      /* static */
  const char *style_class; /* (nullable): static */
} Offers;

static void
offers_free (Offers *offers)
{
  g_object_unref (offers->place);
  g_free (offers);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Offers, offers_free)

static GtkWidget *
add_button (Offers *offers, const char *label)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_button_set_can_shrink (GTK_BUTTON (button), TRUE);
  if (offers->style_class != NULL)
    gtk_widget_add_css_class (button, offers->style_class);
  gtk_box_append (GTK_BOX (offers->place), button);

  return button;
}

static GtkWidget *
add_row (Offers *offers, const char *label)
{
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", label, "activatable", TRUE, NULL);

  adw_preferences_group_add (ADW_PREFERENCES_GROUP (offers->place), row);

  return row;
}

static void
add_offer (Offers *offers, const EarImportSource *source)
{
  g_autoptr (GFile) file = g_file_new_for_path (source->path);
  g_autofree char *uri = g_file_get_uri (file);
  /* Translators: a button that takes the podcasts over; %s is the name of another podcast application, %u how many podcasts it has */
  g_autofree char *label = g_strdup_printf (_("Import From %s (%'u)"), source->name, source->n_podcasts);
  GtkWidget *offer = ADW_IS_PREFERENCES_GROUP (offers->place) ? add_row (offers, label) : add_button (offers, label);

  gtk_actionable_set_action_target (GTK_ACTIONABLE (offer), "s", uri);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (offer), offers->action);
  gtk_widget_set_visible (offers->place, TRUE);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Offers) offers = user_data;
  g_autoptr (GPtrArray) sources = ear_import_source_find_finish (result, NULL);

  for (guint i = 0; sources != NULL && i < sources->len; i++)
    add_offer (offers, g_ptr_array_index (sources, i));
}

/* Looks for other programs, and adds a button or a row for each: @place is shown once it has one.
 * @place: a box where buttons go, or a group of preferences where rows go
 * @action: (transfer none): the action of a button, a static name; its target is the address of a database
 * @style_class: (nullable): of a button, a static name */
void
ear_import_offers_fill (GtkWidget *place, const char *action, const char *style_class, GCancellable *cancellable)
{
  Offers *offers;

  g_return_if_fail (GTK_IS_BOX (place) || ADW_IS_PREFERENCES_GROUP (place));
  g_return_if_fail (action != NULL);

  offers = g_new0 (Offers, 1);
  offers->place = g_object_ref (place);
  offers->action = action;
  offers->style_class = style_class;
  ear_import_source_find_async (g_get_home_dir (), g_get_user_data_dir (), cancellable, found_cb, offers);
}
