/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-series-row.h"

#include "ear-closures.h"
#include "ear-property.h"
#include "ear-series.h"

/**
 * EarSeriesRow:
 *
 * How far the listener is in a series, and the button to go on with it.
 */
struct _EarSeriesRow
{
  AdwBin parent_instance;

  /* Owned */
  EarSeries *series;
};

G_DEFINE_FINAL_TYPE (EarSeriesRow, ear_series_row, ADW_TYPE_BIN)

static void
ear_series_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_SERIES_ROW);
  g_clear_object (&EAR_SERIES_ROW (object)->series);

  G_OBJECT_CLASS (ear_series_row_parent_class)->dispose (object);
}

static void
ear_series_row_class_init (EarSeriesRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "series", EAR_TYPE_SERIES, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSeriesRow, series) },
  };

  G_OBJECT_CLASS (klass)->dispose = ear_series_row_dispose;

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-series-row.ui");
  ear_closures_bind (widget_class);
}

static void
ear_series_row_init (EarSeriesRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
