/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bar-plot.h"

#include "ear-format.h"
#include "ear-widget.h"

/**
 * EarBarPlot:
 *
 * A listening time for each day or month, as bars. The pointer or the arrow keys choose a
 * bar; its text stands above. At first that is the newest.
 */
struct _EarBarPlot
{
  GtkWidget parent_instance;

  /* Template children */
  GtkWidget *content; /* bound, so that gtk_widget_dispose_template() removes it */
  GtkLabel *text;
  GtkLabel *top_label;
  GtkDrawingArea *area;
  GtkLabel *first;
  GtkLabel *last;

  /* Owned */
  gint64 *values; /* (array length=n_bars): microseconds, from the oldest on */
  char **texts;   /* each bar in words */
  char *summary;  /* (nullable): for screen readers */

  guint n_bars;
  gint64 top; /* microseconds at the upper edge */
  guint chosen;
};

G_DEFINE_FINAL_TYPE (EarBarPlot, ear_bar_plot, GTK_TYPE_WIDGET)

/* Part of its space that a bar fills, and its width at most */
#define BAR_PART 0.7
#define BAR_WIDTH 24.0
#define BAR_ALPHA 0.55

/* Returns: a round number of minutes or hours that no bar exceeds */
static gint64
find_top (EarBarPlot *self)
{
  static const int minutes[] = { 10, 20, 30, 60, 120, 240, 360, 480, 720, 1440 };
  gint64 most = 0;
  gint64 top = 40 * G_TIME_SPAN_HOUR;

  for (guint i = 0; i < self->n_bars; i++)
    most = MAX (most, self->values[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (minutes); i++)
    if (most <= minutes[i] * G_TIME_SPAN_MINUTE)
      return minutes[i] * G_TIME_SPAN_MINUTE;
  while (top < most)
    top *= 2;

  return top;
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  EarBarPlot *self = user_data;
  const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (area)) == GTK_TEXT_DIR_RTL;
  const double each = (double) width / MAX (1, self->n_bars);
  const double bar_width = MIN (each * BAR_PART, BAR_WIDTH);
  GdkRGBA color;

  gtk_widget_get_color (GTK_WIDGET (area), &color);
  for (guint i = 0; i < self->n_bars; i++)
    {
      const guint place = mirrored ? self->n_bars - 1 - i : i;
      /* A short time is still visible. */
      const double bar_height = MAX (2, height * ((double) self->values[i] / (double) self->top));

      if (self->values[i] <= 0)
        continue;
      cairo_set_source_rgba (cr, color.red, color.green, color.blue,
                             i == self->chosen ? 1 : BAR_ALPHA);
      cairo_rectangle (cr, place * each + (each - bar_width) / 2, height - bar_height, bar_width,
                       bar_height);
      cairo_fill (cr);
    }
}

static void
choose (EarBarPlot *self, guint i)
{
  g_autofree char *description = ear_format_join (self->texts[i], self->summary);

  self->chosen = i;
  gtk_label_set_label (self->text, self->texts[i]);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self->area));
}

static void
motion_cb (EarBarPlot *self, double x, double y)
{
  const int width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self->area)));
  const guint place = (guint) CLAMP (x * self->n_bars / width, 0, self->n_bars - 1.0);

  if (self->n_bars > 0)
    choose (self, gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL
                      ? self->n_bars - 1 - place
                      : place);
}

/* Arrows move as they point; Home and End go to the oldest and the newest. */
static gboolean
move_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  EarBarPlot *self = EAR_BAR_PLOT (widget);
  const gint64 last = (gint64) self->n_bars - 1;
  int step = g_variant_get_int32 (arguments);
  guint next;

  if (ABS (step) == 1 && gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
    step = -step;
  next = (guint) CLAMP ((gint64) self->chosen + step, 0, MAX (0, last));
  if (next == self->chosen || self->n_bars == 0)
    return GDK_EVENT_STOP;
  choose (self, next);
  ear_announce (GTK_ACCESSIBLE (self), self->texts[next],
                GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);

  return GDK_EVENT_STOP;
}

static void
ear_bar_plot_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_BAR_PLOT);

  G_OBJECT_CLASS (ear_bar_plot_parent_class)->dispose (object);
}

static void
ear_bar_plot_finalize (GObject *object)
{
  EarBarPlot *self = EAR_BAR_PLOT (object);

  g_free (self->values);
  g_strfreev (self->texts);
  g_free (self->summary);

  G_OBJECT_CLASS (ear_bar_plot_parent_class)->finalize (object);
}

static void
ear_bar_plot_class_init (EarBarPlotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_bar_plot_dispose;
  G_OBJECT_CLASS (klass)->finalize = ear_bar_plot_finalize;

  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, 0, move_cb, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, 0, move_cb, "i", 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Home, 0, move_cb, "i", -G_MAXINT16);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_End, 0, move_cb, "i", G_MAXINT16);
  gtk_widget_class_set_css_name (widget_class, "barplot");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-bar-plot.ui");
  gtk_widget_class_bind_template_child (widget_class, EarBarPlot, content);
  gtk_widget_class_bind_template_child (widget_class, EarBarPlot, text);
  gtk_widget_class_bind_template_child (widget_class, EarBarPlot, top_label);
  gtk_widget_class_bind_template_child (widget_class, EarBarPlot, area);
  gtk_widget_class_bind_template_child (widget_class, EarBarPlot, first);
  gtk_widget_class_bind_template_child (widget_class, EarBarPlot, last);
  gtk_widget_class_bind_template_callback (widget_class, motion_cb);
}

static void
ear_bar_plot_init (EarBarPlot *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_drawing_area_set_draw_func (self->area, draw, self, NULL);
}

/* @values: microseconds, from the oldest bar on
 * @texts: (array zero-terminated=1): each bar in words, as in “26 November 2026: 35 min”
 * @first: label below the oldest
 * @last: label below the newest
 * @summary: the whole plot in words */
void
ear_bar_plot_set_bars (EarBarPlot *self, const gint64 *values, const char *const *texts,
                       const char *first, const char *last, const char *summary)
{
  const guint n_bars = g_strv_length ((char **) texts);
  const gboolean same = self->n_bars == n_bars;
  g_autofree char *top = NULL;

  g_free (self->values);
  self->values = g_memdup2 (values, n_bars * sizeof *values);
  g_strfreev (self->texts);
  self->texts = g_strdupv ((char **) texts);
  self->n_bars = n_bars;
  g_set_str (&self->summary, summary);
  self->top = find_top (self);
  top = ear_format_duration (self->top);
  gtk_label_set_label (self->top_label, top);
  gtk_label_set_label (self->first, first);
  gtk_label_set_label (self->last, last);
  choose (self, same ? self->chosen : n_bars - 1);
}
