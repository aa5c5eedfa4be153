/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chart.h"

#include "ear-closures.h"
#include "ear-country.h"
#include "ear-discover-row.h"
#include "ear-property.h"
#include "ear-widget.h"

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
  char *category;

  guint limit;
};

G_DEFINE_FINAL_TYPE (EarChart, ear_chart, ADW_TYPE_BIN)

static void
load (EarChart *self)
{
  ear_discovery_set_chart (self->discovery, self->category != NULL ? self->category : "");
}

static void
network_changed_cb (EarChart *self, gboolean available)
{
  if (available && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      ear_discovery_get_error (self->discovery) != NULL)
    load (self);
}

/* The drop-down has the codes of the countries, by which it is searched and drawn. */
static char *
country_name (gpointer object, const char *code)
{
  return g_strdup (ear_country_get_name (code));
}

/* Returns: the code of the listener's country */
static const char *
get_country (EarChart *self)
{
  g_autofree char *chosen = NULL;

  g_object_get (ear_library_get_settings (self->library), "country", &chosen, NULL);

  return ear_country_find (chosen);
}

static void
country_changed_cb (EarChart *self)
{
  GListModel *codes = gtk_drop_down_get_model (self->countries);

  if (codes != NULL)
    gtk_drop_down_set_selected (
        self->countries, gtk_string_list_find (GTK_STRING_LIST (codes), get_country (self)));
  load (self);
}

/* The country of the locale stays a default: only another one is stored. A new drop-down
 * begins with the first one, which nobody chose. */
static void
country_chosen_cb (EarChart *self)
{
  GtkStringObject *chosen = gtk_drop_down_get_selected_item (self->countries);
  const char *code = chosen != NULL ? gtk_string_object_get_string (chosen) : NULL;

  if (self->discovery != NULL && code != NULL && !g_str_equal (get_country (self), code))
    g_object_set (ear_library_get_settings (self->library), "country", code, NULL);
}

static void
activated_cb (EarChart *self, guint position)
{
  g_autoptr (EarDiscoveryResult) result =
      g_list_model_get_item (G_LIST_MODEL (self->results), position);

  g_signal_emit_by_name (self, "opened", result);
}

static gboolean
is_more (gpointer object, guint n_results, guint limit)
{
  return n_results > limit;
}

static void
show_all (EarChart *self)
{
  g_object_set (self, "limit", G_MAXINT, NULL);
  /* The button that had the focus is gone. */
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

static gboolean
ear_chart_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (EAR_CHART (widget)->list_view));
}

static void
library_changed_cb (EarChart *self)
{
  if (self->category == NULL)
    {
      g_auto (GStrv) codes = ear_country_list ();
      g_autoptr (GtkStringList) list = gtk_string_list_new ((const char *const *) codes);

      gtk_drop_down_set_model (self->countries, G_LIST_MODEL (list));
    }
  self->discovery = ear_library_create_discovery (self->library);
  g_object_notify (G_OBJECT (self), "discovery");
  ear_connect (ear_library_get_settings (self->library), "notify::country", country_changed_cb,
               self);
  ear_connect (g_network_monitor_get_default (), "network-changed", network_changed_cb, self);
  country_changed_cb (self);
}

static void
ear_chart_class_init (EarChartClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* English name of a category, %NULL for all; set before the library */
    { "category", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarChart, category) },
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarChart, library),
      .changed = G_CALLBACK (library_changed_cb) },
    { "discovery", EAR_TYPE_DISCOVERY, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChart, discovery) },
    /* Number of rows before a button that shows all */
    { .spec = g_param_spec_uint ("limit", NULL, NULL, 0, G_MAXINT, G_MAXINT, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarChart, limit) },
  };

  widget_class->grab_focus = ear_chart_grab_focus;

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  /* Emitted when a podcast of the chart is activated, with an EarDiscoveryResult */
  ear_signal_new (klass, "opened", 1, EAR_TYPE_DISCOVERY_RESULT);

  ear_action_install (widget_class, "chart.retry", NULL, load);
  ear_action_install (widget_class, "chart.show-all", NULL, show_all);
  g_type_ensure (EAR_TYPE_DISCOVERY);
  g_type_ensure (EAR_TYPE_DISCOVER_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-chart.ui");
  gtk_widget_class_bind_template_child (widget_class, EarChart, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarChart, results);
  gtk_widget_class_bind_template_child (widget_class, EarChart, countries);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, country_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, country_name);
  gtk_widget_class_bind_template_callback (widget_class, is_more);
  ear_closures_bind (widget_class);
}

static void
ear_chart_init (EarChart *self)
{
  self->limit = G_MAXINT;
  gtk_widget_init_template (GTK_WIDGET (self));
}
