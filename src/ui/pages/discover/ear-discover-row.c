/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discover-row.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-cover.h"
#include "ear-format.h"
#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarDiscoverRow:
 *
 * A podcast that was found, with a button that activates `win.follow-podcast` with the URL
 * of the feed and the title.
 */
struct _EarDiscoverRow
{
  EarItemRow parent_instance;

  /* Template children */
  GtkWidget *button;
  GSignalGroup *signals; /* of the result */

  /* Owned */
  EarDiscoveryResult *result;
};

G_DEFINE_FINAL_TYPE (EarDiscoverRow, ear_discover_row, EAR_TYPE_ITEM_ROW)

/* Reasons other than the words of the search */
static const char *const reasons[] = {
  [EAR_DISCOVERY_RECOMMENDED] = N_("Recommended by this podcast"),
  [EAR_DISCOVERY_SAME_AUTHOR] = N_("By the same author"),
  [EAR_DISCOVERY_SAME_CATEGORY] = N_("In the same category"),
};

/* Returns: (nullable): the reason, or the number of episodes */
static char *
describe (EarDiscoveryResult *result)
{
  EarDiscoveryReason reason;
  guint n_episodes;

  g_object_get (result, "reason", &reason, "n-episodes", &n_episodes, NULL);
  if (reason != EAR_DISCOVERY_FITS)
    return g_strdup (_(reasons[reason]));

  return n_episodes > 0 ? ear_format_episodes (n_episodes) : NULL;
}

static void
update (EarDiscoverRow *self)
{
  const char *title = ear_discovery_result_get_title (self->result);
  const char *author = ear_discovery_result_get_author (self->result);
  const gboolean followed = ear_discovery_result_get_podcast (self->result) != NULL;
  g_autofree char *facts = describe (self->result);
  /* Translators: label of the button Follow for screen readers; %s is the title of a podcast */
  g_autofree char *label = g_strdup_printf (_("Follow %s"), title != NULL ? title : "");
  g_autofree char *name =
      ear_format_speak (title, author, facts, followed ? C_("podcast", "followed") : NULL);

  ear_item_row_set_texts (EAR_ITEM_ROW (self), title, author, facts, name);
  /* GTK labels a button by the label in it, which comes before the property. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->button),
                                 GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
}

static void
follow_cb (EarDiscoverRow *self)
{
  g_autoptr (EarDiscoverRow) row = g_object_ref (self);
  g_autoptr (EarDiscoveryResult) result = g_object_ref (self->result);
  const char *address = ear_discovery_result_get_address (result);
  const char *title = ear_discovery_result_get_title (result);
  g_autofree char *message = NULL;
  GtkWidget *item;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.follow-podcast", "(ss)", address,
                              title != NULL ? title : "");
  if (ear_discovery_result_get_podcast (result) == NULL)
    return;

  /* Translators: %s is the title of a podcast */
  message = g_strdup_printf (_("Followed “%s”"), title != NULL ? title : address);
  ear_announce (GTK_ACCESSIBLE (self), message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  /* The button that had the focus is gone; in the welcome page, so is the row. */
  item = gtk_widget_get_parent (GTK_WIDGET (self));
  if (item != NULL)
    gtk_widget_grab_focus (item);
}

static void
ear_discover_row_class_init (EarDiscoverRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "result", EAR_TYPE_DISCOVERY_RESULT, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarDiscoverRow, result) },
  };

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_COVER);
  g_type_ensure (EAR_TYPE_DISCOVERY_RESULT);
  gtk_widget_class_set_css_name (widget_class, "discover-result");
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-discover-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverRow, button);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverRow, signals);
  gtk_widget_class_bind_template_callback (widget_class, follow_cb);
  ear_closures_bind (widget_class);
}

static void
ear_discover_row_init (EarDiscoverRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->signals, "bind", G_CALLBACK (update), self);
  g_signal_group_connect_swapped (self->signals, "notify", G_CALLBACK (update), self);
}
