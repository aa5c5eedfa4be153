/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discover-row.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-cover.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-widget.h"

/**
 * EarDiscoverRow:
 *
 * A podcast that was found: cover, title, author, and a button that activates
 * `discover.follow` with the URL of the feed.
 */
struct _EarDiscoverRow
{
  GtkWidget parent_instance;

  /* Template children */
  GtkWidget *content; /* bound, so that gtk_widget_dispose_template() removes it */
  GtkWidget *button;

  /* Owned */
  EarDiscoveryResult *result;
  GSignalGroup *signals;
  char *spoken;
  char *facts;
};

G_DEFINE_FINAL_TYPE (EarDiscoverRow, ear_discover_row, GTK_TYPE_WIDGET)

/* Reasons other than the words of the search */
static const char *const reasons[] = {
  [EAR_DISCOVERY_RECOMMENDED] = N_("Recommended by this podcast"),
  [EAR_DISCOVERY_SAME_AUTHOR] = N_("By the same author"),
  [EAR_DISCOVERY_SAME_CATEGORY] = N_("In the same category"),
};

static char *
make_facts (EarDiscoverRow *self)
{
  EarDiscoveryReason reason;
  guint n_episodes;

  g_object_get (self->result, "reason", &reason, "n-episodes", &n_episodes, NULL);
  if (reason != EAR_DISCOVERY_FITS)
    return g_strdup (_(reasons[reason]));
  if (n_episodes > 0)
    return g_strdup_printf (ngettext ("%'u episode", "%'u episodes", n_episodes), n_episodes);

  return NULL;
}

static void
update (EarDiscoverRow *self)
{
  const char *title = ear_discovery_result_get_title (self->result);
  const char *author = ear_discovery_result_get_author (self->result);
  const gboolean followed = ear_discovery_result_get_podcast (self->result) != NULL;
  g_autofree char *facts = make_facts (self);
  g_autofree char *label = NULL;
  const char *more[] = { author, facts, followed ? C_("podcast", "followed") : NULL };
  g_autoptr (GString) spoken = g_string_new (title);

  for (gsize i = 0; i < G_N_ELEMENTS (more); i++)
    if (more[i] != NULL)
      g_string_append_printf (spoken, "%s%s", C_("spoken separator", ", "), more[i]);
  /* Translators: label of the button Follow for screen readers; %s is the title of a podcast */
  label = g_strdup_printf (_("Follow %s"), title != NULL ? title : "");
  /* GTK labels a button by the label in it, which comes before the property. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->button),
                                 GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);

  ear_property_set_string (self, "facts", facts);
  ear_property_set_string (self, "spoken", spoken->str);
}

static void
follow_cb (EarDiscoverRow *self)
{
  if (self->result != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "discover.follow", "s",
                                ear_discovery_result_get_address (self->result));
}

static void
result_changed_cb (EarDiscoverRow *self)
{
  g_signal_group_set_target (self->signals, self->result);
  if (self->result != NULL)
    update (self);
}

static void
ear_discover_row_dispose (GObject *object)
{
  EarDiscoverRow *self = EAR_DISCOVER_ROW (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_DISCOVER_ROW);
  g_clear_object (&self->result);
  g_clear_pointer (&self->spoken, g_free);
  g_clear_pointer (&self->facts, g_free);

  G_OBJECT_CLASS (ear_discover_row_parent_class)->dispose (object);
}

static void
ear_discover_row_class_init (EarDiscoverRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "result", EAR_TYPE_DISCOVERY_RESULT, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarDiscoverRow, result), .changed = G_CALLBACK (result_changed_cb) },
    /* The row for screen readers */
    { "spoken", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscoverRow, spoken) },
    /* The line below the author: the reason, or the number of episodes */
    { "facts", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscoverRow, facts) },
  };

  object_class->dispose = ear_discover_row_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_COVER);
  gtk_widget_class_set_css_name (widget_class, "discover-result");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  ear_row_action_install (widget_class);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-discover-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverRow, content);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverRow, button);
  gtk_widget_class_bind_template_callback (widget_class, follow_cb);
  ear_closures_bind (widget_class);
}

static void
ear_discover_row_init (EarDiscoverRow *self)
{
  self->signals = g_signal_group_new (EAR_TYPE_DISCOVERY_RESULT);
  g_signal_group_connect_swapped (self->signals, "notify", G_CALLBACK (update), self);
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Follows a podcast of a list of rows.
 * @list: the list, which gets the focus of the button that is gone
 * @results: (element-type EarDiscoveryResult): its rows */
void
ear_discover_row_follow (GtkWidget *list, EarLibrary *library, GListModel *results,
                         const char *address)
{
  const char *title = NULL;
  g_autofree char *message = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (results) && title == NULL; i++)
    {
      g_autoptr (EarDiscoveryResult) result = g_list_model_get_item (results, i);

      if (g_strcmp0 (ear_discovery_result_get_address (result), address) == 0)
        title = ear_discovery_result_get_title (result);
    }
  if (ear_subscriptions_follow (ear_library_get_subscriptions (library), address, title) == NULL)
    return;

  /* Translators: %s is the title of a podcast */
  message = g_strdup_printf (_("Followed “%s”"), title != NULL ? title : address);
  ear_announce (GTK_ACCESSIBLE (list), message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  gtk_widget_grab_focus (list);
}
