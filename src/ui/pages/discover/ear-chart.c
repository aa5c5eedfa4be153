/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chart.h"

#include "ear-closures.h"
#include "ear-country.h"
#include "ear-discover-row.h"
#include "ear-property.h"

/**
 * EarChart:
 *
 * The most popular podcasts of a country, in all or of one category, for a
 * page that scrolls. */
struct _EarChart
{
  AdwBin parent_instance;

  /* Template children */
  GtkListView *list_view;
  GtkNoSelection *results;
  GtkDropDown *countries;

  /* Owned */
  EarLibrary *library;
  EarDiscovery *discovery;
  GStrv codes; /* of the countries, in the order of the drop-down */
  char *category;
  char *state;

  guint limit;
  gboolean has_more;
};

G_DEFINE_FINAL_TYPE (EarChart, ear_chart, ADW_TYPE_BIN)

enum
{
  OPENED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static const char *
find_state (EarChart *self)
{
  if (g_list_model_get_n_items (ear_discovery_get_results (self->discovery)) > 0)
    return "results";
  if (ear_discovery_get_searching (self->discovery))
    return "searching";

  return ear_discovery_get_error (self->discovery) != NULL ? "error" : "empty";
}

static void
update (EarChart *self)
{
  const guint n_results = g_list_model_get_n_items (ear_discovery_get_results (self->discovery));

  ear_property_set_boolean (self, "has-more", n_results > self->limit);
  ear_property_set_string (self, "state", find_state (self));
}

static void
load (EarChart *self)
{
  ear_discovery_set_chart (self->discovery, self->category != NULL ? self->category : "");
}

static void
network_changed_cb (EarChart *self, gboolean available)
{
  if (available && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      g_strcmp0 (self->state, "error") == 0)
    load (self);
}

static void
country_changed_cb (EarChart *self)
{
  g_autofree char *chosen = NULL;
  const char *code;

  g_object_get (ear_library_get_settings (self->library), "country", &chosen, NULL);
  code = ear_country_find (chosen);
  for (guint i = 0; self->codes != NULL && self->codes[i] != NULL; i++)
    if (g_str_equal (self->codes[i], code))
      gtk_drop_down_set_selected (self->countries, i);
  load (self);
}

static void
country_chosen_cb (EarChart *self)
{
  const guint selected = gtk_drop_down_get_selected (self->countries);
  g_autofree char *chosen = NULL;

  if (self->library == NULL || self->codes == NULL || selected == GTK_INVALID_LIST_POSITION)
    return;

  /* The country of the locale stays a default: only another one is stored. */
  g_object_get (ear_library_get_settings (self->library), "country", &chosen, NULL);
  if (!g_str_equal (ear_country_find (chosen), self->codes[selected]))
    g_object_set (ear_library_get_settings (self->library), "country", self->codes[selected], NULL);
}

static void
fill_countries (EarChart *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_auto (GStrv) codes = ear_country_list ();

  for (guint i = 0; codes[i] != NULL; i++)
    gtk_string_list_append (names, ear_country_get_name (codes[i]));
  gtk_drop_down_set_model (self->countries, G_LIST_MODEL (names));
  self->codes = g_steal_pointer (&codes);
}

static void
activated_cb (EarChart *self, guint position)
{
  g_autoptr (EarDiscoveryResult) result =
      g_list_model_get_item (G_LIST_MODEL (self->results), position);

  if (result != NULL)
    g_signal_emit (self, signals[OPENED], 0, result);
}

static void
follow (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarChart *self = EAR_CHART (widget);

  ear_discover_row_follow (GTK_WIDGET (self->list_view), self->library,
                           G_LIST_MODEL (self->results), g_variant_get_string (parameter, NULL));
}

static void
retry (GtkWidget *widget, const char *name, GVariant *parameter)
{
  load (EAR_CHART (widget));
}

static void
show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_property_set_number (widget, "limit", G_MAXINT);
  update (EAR_CHART (widget));
  /* The button that had the focus is gone. */
  gtk_widget_grab_focus (GTK_WIDGET (EAR_CHART (widget)->list_view));
}

static gboolean
ear_chart_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (EAR_CHART (widget)->list_view));
}

static void
library_changed_cb (EarChart *self)
{
  if (self->library == NULL || self->discovery != NULL)
    return;

  self->discovery = ear_library_create_discovery (self->library);
  g_object_notify (G_OBJECT (self), "discovery");
  g_signal_connect_object (self->discovery, "notify", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_discovery_get_results (self->discovery), "items-changed",
                           G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_settings (self->library), "notify::country",
                           G_CALLBACK (country_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (g_network_monitor_get_default (), "network-changed",
                           G_CALLBACK (network_changed_cb), self, G_CONNECT_SWAPPED);
  if (self->category == NULL)
    fill_countries (self);
  country_changed_cb (self);
}

static void
ear_chart_dispose (GObject *object)
{
  EarChart *self = EAR_CHART (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_CHART);
  g_clear_object (&self->discovery);
  g_clear_object (&self->library);
  g_clear_pointer (&self->codes, g_strfreev);
  g_clear_pointer (&self->category, g_free);
  g_clear_pointer (&self->state, g_free);

  G_OBJECT_CLASS (ear_chart_parent_class)->dispose (object);
}

static void
ear_chart_class_init (EarChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* English name of a category, %NULL for all; set before the library */
    { "category", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarChart, category) },
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarChart, library),
      .changed = G_CALLBACK (library_changed_cb) },
    { "discovery", EAR_TYPE_DISCOVERY, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChart, discovery) },
    /* Visible child of the stack */
    { "state", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChart, state) },
    /* Number of rows before a button that shows all */
    { .spec = g_param_spec_uint ("limit", NULL, NULL, 0, G_MAXINT, G_MAXINT, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarChart, limit) },
    { "has-more", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChart, has_more) },
  };

  object_class->dispose = ear_chart_dispose;
  widget_class->grab_focus = ear_chart_grab_focus;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* Emitted when a podcast of the chart is activated, with an EarDiscoveryResult */
  signals[OPENED] = g_signal_new ("opened", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, EAR_TYPE_DISCOVERY_RESULT);

  gtk_widget_class_install_action (widget_class, "chart.retry", NULL, retry);
  gtk_widget_class_install_action (widget_class, "chart.show-all", NULL, show_all);
  gtk_widget_class_install_action (widget_class, "discover.follow", "s", follow);
  g_type_ensure (EAR_TYPE_DISCOVERY);
  g_type_ensure (EAR_TYPE_DISCOVER_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-chart.ui");
  gtk_widget_class_bind_template_child (widget_class, EarChart, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarChart, results);
  gtk_widget_class_bind_template_child (widget_class, EarChart, countries);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, country_chosen_cb);
  ear_closures_bind (widget_class);
}

static void
ear_chart_init (EarChart *self)
{
  self->limit = G_MAXINT;
  gtk_widget_init_template (GTK_WIDGET (self));
}
