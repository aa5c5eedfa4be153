/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-takeover-offers.h"

#include <glib/gi18n.h>

/* A button for each other program whose podcasts could be taken over. */

typedef struct
{
  GtkBox *box;
  char *action;
  char *style_class;
} Offers;

static void
offers_free (Offers *offers)
{
  g_object_unref (offers->box);
  g_free (offers->action);
  g_free (offers->style_class);
  g_free (offers);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Offers, offers_free)

static void
add_offer (Offers *offers, const EarTakeoverSource *source)
{
  g_autoptr (GFile) file = g_file_new_for_path (source->path);
  g_autofree char *uri = g_file_get_uri (file);
  /* Translators: a button that takes the podcasts over; %s is the name of another podcast application, %u how many podcasts it has */
  g_autofree char *label = g_strdup_printf (_("Import From %s (%'u)"), source->name, source->n_podcasts);
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_button_set_can_shrink (GTK_BUTTON (button), TRUE);
  if (offers->style_class != NULL)
    gtk_widget_add_css_class (button, offers->style_class);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", uri);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), offers->action);
  gtk_box_append (offers->box, button);
  gtk_widget_set_visible (GTK_WIDGET (offers->box), TRUE);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Offers) offers = user_data;
  g_autoptr (GPtrArray) sources = ear_library_find_takeovers_finish (EAR_LIBRARY (source), result, NULL);

  for (guint i = 0; sources != NULL && i < sources->len; i++)
    add_offer (offers, g_ptr_array_index (sources, i));
}

/**
 * ear_takeover_offers_fill:
 * @box: where the buttons go
 * @library: what looks for other programs
 * @action: the action of a button; its target is the address of a database
 * @style_class: (nullable): of a button
 * @cancellable: (nullable): to be cancelled when @box is not shown any more
 *
 * Looks for other programs, and adds a button for each: @box is shown once it has one.
 */
void
ear_takeover_offers_fill (GtkBox *box, EarLibrary *library, const char *action, const char *style_class,
                          GCancellable *cancellable)
{
  Offers *offers;

  g_return_if_fail (GTK_IS_BOX (box));
  g_return_if_fail (EAR_IS_LIBRARY (library));
  g_return_if_fail (action != NULL);

  offers = g_new0 (Offers, 1);
  offers->box = g_object_ref (box);
  offers->action = g_strdup (action);
  offers->style_class = g_strdup (style_class);
  ear_library_find_takeovers_async (library, cancellable, found_cb, offers);
}
