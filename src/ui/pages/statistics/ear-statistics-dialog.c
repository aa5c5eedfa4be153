/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-statistics-dialog.h"

#include <glib/gi18n.h>

#include "ear-cover.h"
#include "ear-format.h"
#include "ear-property.h"
#include "ear-share.h"
#include "ear-widget.h"

#define EAR_TYPE_BAR_PLOT (ear_bar_plot_get_type ())
G_DECLARE_FINAL_TYPE (EarBarPlot, ear_bar_plot, EAR, BAR_PLOT, GtkWidget)

/**
 * EarBarPlot:
 *
 * A listening time for each day or month, as bars. The pointer or the arrow keys choose a
 * bar; its text stands above. At first that is the newest.
 */
struct _EarBarPlot
{
  GtkWidget parent_instance; /* an AdwBin cannot have the focus itself */

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

/* Returns: a round number of minutes or hours, at least @most */
static gint64
find_top (gint64 most)
{
  static const int minutes[] = { 10, 20, 30, 60, 120, 240, 360, 480, 720, 1440 };
  gint64 top = 40 * G_TIME_SPAN_HOUR;

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
static void
move (EarBarPlot *self, const char *name, GVariant *parameter)
{
  const gint64 last = (gint64) self->n_bars - 1;
  int step = g_variant_get_int32 (parameter);
  guint next;

  if (ABS (step) == 1 && gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL)
    step = -step;
  next = (guint) CLAMP ((gint64) self->chosen + step, 0, MAX (0, last));
  if (next == self->chosen || self->n_bars == 0)
    return;
  choose (self, next);
  ear_announce (GTK_ACCESSIBLE (self), self->texts[next],
                GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
ear_bar_plot_dispose (GObject *object)
{
  EarBarPlot *self = EAR_BAR_PLOT (object);

  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->texts, g_strfreev);
  g_clear_pointer (&self->summary, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_BAR_PLOT);

  G_OBJECT_CLASS (ear_bar_plot_parent_class)->dispose (object);
}

static void
ear_bar_plot_class_init (EarBarPlotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_bar_plot_dispose;

  ear_action_install (widget_class, "plot.move", "i", move);
  gtk_widget_class_set_css_name (widget_class, "barplot");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  ear_widget_set_template (widget_class, "ear-bar-plot");
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

/* Number of podcasts before the button Show All */
#define FIRST_PODCASTS 10

/**
 * EarStatisticsDialog:
 *
 * Listening times: in all, by days, by months and by podcasts, and the time that speed
 * and shorter pauses have saved.
 */
struct _EarStatisticsDialog
{
  AdwDialog parent_instance;

  /* Template children */
  GtkStack *stack;
  AdwActionRow *listened;
  AdwActionRow *by_speed;
  AdwActionRow *by_trimming;
  AdwActionRow *days_in_a_row;
  AdwPreferencesGroup *days_group;
  AdwPreferencesGroup *months_group;
  EarBarPlot *days;
  EarBarPlot *months;
  GtkListBox *podcasts;

  /* Owned */
  EarLibrary *library;

  gboolean all; /* shows all podcasts */
};

G_DEFINE_FINAL_TYPE (EarStatisticsDialog, ear_statistics_dialog, ADW_TYPE_DIALOG)

/* --- Content ------------------------------------------------------------------------ */

static char *
format_time (gint64 time)
{
  char *text = ear_format_duration (time);

  return text != NULL ? text : g_strdup_printf (_("%d min"), 0);
}

static void
show_sum (AdwActionRow *row, gint64 time)
{
  g_autofree char *text = format_time (time);

  adw_action_row_set_subtitle (row, text);
  gtk_widget_set_visible (GTK_WIDGET (row), time >= G_TIME_SPAN_MINUTE);
}

static void
show_days_in_a_row (EarStatisticsDialog *self, EarStatistics *statistics)
{
  const guint now = statistics->days_in_a_row;
  const guint most = statistics->most_in_a_row;
  /* Translators: the number of days in a row on which the listener has listened */
  g_autofree char *days = g_strdup_printf (ngettext ("%'u day", "%'u days", now), now);
  /* Translators: the highest number of days in a row on which the listener has ever
   * listened */
  g_autofree char *record = g_strdup_printf (
      ngettext ("Longest streak: %'u day", "Longest streak: %'u days", most), most);
  g_autofree char *both = ear_format_join (days, record);

  adw_action_row_set_subtitle (self->days_in_a_row, now == most ? days : now > 0 ? both : record);
  gtk_widget_set_visible (GTK_WIDGET (self->days_in_a_row), most > 1);
}

/* Returns: Unix seconds; daylight saving time skips no noon */
static gint64
get_noon (const GDate *date)
{
  g_autoptr (GDateTime) noon = g_date_time_new_local (
      g_date_get_year (date), (int) g_date_get_month (date), g_date_get_day (date), 12, 0, 0);

  return g_date_time_to_unix (noon);
}

/* @n_before: number of days or months before today */
static char *
format_period (const GDate *today, guint n_before, gboolean by_month, gboolean shortly)
{
  GDate date = *today;
  g_autoptr (GDateTime) noon = NULL;

  if (!by_month)
    {
      g_date_subtract_days (&date, n_before);
      return shortly ? ear_format_date (get_noon (&date), get_noon (today))
                     : ear_format_date_long (get_noon (&date));
    }
  g_date_set_day (&date, 1);
  g_date_subtract_months (&date, n_before);
  noon = g_date_time_new_from_unix_local (get_noon (&date));

  /* Translators: a month and its year, see the manual of strftime */
  return g_date_time_format (noon, C_("month", "%OB %Y"));
}

/* Fills a plot with days or months.
 * @listened: from the oldest on; the last one is of today */
static void
show_plot (EarBarPlot *plot, AdwPreferencesGroup *group, const EarListened *listened, guint n,
           const GDate *today, gboolean by_month)
{
  const guint chosen = plot->n_bars == n ? plot->chosen : n - 1;
  g_autofree char *first = format_period (today, n - 1, by_month, TRUE);
  g_autofree char *last = format_period (today, 0, by_month, TRUE);
  g_autofree char *top = NULL;
  g_autofree char *sum = NULL;
  gint64 total = 0;
  guint most = 0;

  g_strfreev (plot->texts);
  plot->texts = g_new0 (char *, n + 1);
  plot->values = g_renew (gint64, plot->values, n);
  plot->n_bars = n;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *when = format_period (today, n - 1 - i, by_month, FALSE);
      g_autofree char *time = format_time (listened[i].time);

      plot->values[i] = listened[i].time;
      total += plot->values[i];
      most = plot->values[i] > plot->values[most] ? i : most;
      /* Translators: a day or a month, and the listening time in it: “26 November 2026: 35
       * min” */
      plot->texts[i] = g_strdup_printf (C_("listened", "%s: %s"), when, time);
    }
  plot->top = find_top (plot->values[most]);
  top = ear_format_duration (plot->top);
  gtk_label_set_label (plot->top_label, top);
  gtk_label_set_label (plot->first, first);
  gtk_label_set_label (plot->last, last);
  sum = format_time (total);
  adw_preferences_group_set_description (group, sum);
  g_free (plot->summary);
  /* Translators: a screen reader reads this for a plot. The first %s is the total
   * listening time, the second the day or month with the highest: “Total: 12 h. Highest:
   * 26 November 2026: 2 h” */
  plot->summary = total > 0 ? g_strdup_printf (_("Total: %s. Highest: %s"), sum, plot->texts[most])
                            : g_strdup (sum);
  choose (plot, chosen);
}

/* @podcast: (nullable): the podcast, if it is followed; else the title
 * that it had is shown
 * @most: the longest time of a podcast, which fills its bar
 * Returns: (transfer full) */
static GtkWidget *
create_row (const EarListenedPodcast *listened, EarPodcast *podcast, gint64 most)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-listened-row.ui");
  GObject *row = gtk_builder_get_object (builder, "row");
  GObject *cover = gtk_builder_get_object (builder, "cover");
  const gint64 time = listened->listened.time;
  const char *name = podcast != NULL ? ear_podcast_get_name (podcast) : listened->title;
  g_autofree char *text = ear_format_duration (time);
  g_autofree char *spoken = ear_format_duration_spoken (time);
  g_autofree char *label = NULL;

  if (name == NULL)
    name = _("Untitled podcast");
  g_object_set (cover, "title", name, NULL);
  if (podcast != NULL)
    g_object_bind_property (podcast, "image", cover, "address", G_BINDING_SYNC_CREATE);
  g_object_set (gtk_builder_get_object (builder, "title"), "label", name, NULL);
  g_object_set (gtk_builder_get_object (builder, "time"), "label", text, NULL);
  g_object_set (gtk_builder_get_object (builder, "bar"), "fraction",
                (double) time / (double) MAX (1, most), NULL);
  label = ear_format_speak (name, spoken);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);

  return GTK_WIDGET (g_object_ref (row));
}

static void
show_podcasts (EarStatisticsDialog *self, EarStatistics *statistics)
{
  EarCatalogue *catalogue = ear_library_get_catalogue (self->library);
  const guint n_shown =
      self->all ? statistics->podcasts->len : MIN (statistics->podcasts->len, FIRST_PODCASTS);
  gint64 most = 0;

  gtk_list_box_remove_all (self->podcasts);
  for (guint i = 0; i < n_shown; i++)
    {
      const EarListenedPodcast *listened = g_ptr_array_index (statistics->podcasts, i);
      EarPodcast *podcast = listened->address != NULL
                                ? ear_catalogue_find_known (catalogue, listened->address)
                                : NULL;

      g_autoptr (GtkWidget) row = NULL;

      most = MAX (most, listened->listened.time);
      row = create_row (listened, podcast, most);
      gtk_list_box_append (self->podcasts, row);
    }
  if (n_shown < statistics->podcasts->len)
    {
      GtkWidget *button =
          g_object_new (ADW_TYPE_BUTTON_ROW, "title", _("Show _All"), "use-underline", TRUE,
                        "action-name", "statistics.show-all", NULL);

      gtk_list_box_append (self->podcasts, button);
    }
}

static void
fill (EarStatisticsDialog *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (EarStatistics) statistics =
      ear_listening_create_statistics (ear_library_get_listening (self->library), now);
  const gboolean empty = ear_statistics_is_empty (statistics);

  gtk_stack_set_visible_child_name (self->stack, empty ? "empty" : "sums");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "statistics.export", !empty);
  if (empty)
    return;

  show_sum (self->listened, statistics->total.time);
  show_sum (self->by_speed, statistics->total.by_speed);
  show_sum (self->by_trimming, statistics->total.by_trimming);
  show_days_in_a_row (self, statistics);
  show_plot (self->days, self->days_group, statistics->days, EAR_STATISTICS_DAYS,
             &statistics->today, FALSE);
  show_plot (self->months, self->months_group, statistics->months, EAR_STATISTICS_MONTHS,
             &statistics->today, TRUE);
  show_podcasts (self, statistics);
}

static void
show_all (EarStatisticsDialog *self)
{
  self->all = TRUE;
  fill (self);
}

static void
export (EarStatisticsDialog *self)
{
  EarLibrary *library = self->library;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GBytes) json = ear_listening_export (ear_library_get_listening (library), now);

  ear_export_choose (GTK_WIDGET (self), ear_library_get_notices (library), "export-statistics",
                     "earmark-statistics.json", json, _("Statistics exported"),
                     _("The statistics could not be exported"));
}

/* --- Class -------------------------------------------------------------------------- */

static void
ear_statistics_dialog_dispose (GObject *object)
{
  EarStatisticsDialog *self = EAR_STATISTICS_DIALOG (object);

  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_statistics_dialog_parent_class)->dispose (object);
}

static void
ear_statistics_dialog_class_init (EarStatisticsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_statistics_dialog_dispose;

  g_type_ensure (EAR_TYPE_BAR_PLOT);
  g_type_ensure (EAR_TYPE_COVER);
  ear_action_install (widget_class, "statistics.export", NULL, export);
  ear_action_install (widget_class, "statistics.show-all", NULL, show_all);
  ear_widget_set_template (widget_class, "ear-statistics-dialog");
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, listened);
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, by_speed);
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, by_trimming);
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, days_in_a_row);
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, days_group);
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, months_group);
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, days);
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, months);
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, podcasts);
}

static void
ear_statistics_dialog_init (EarStatisticsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @library: open */
EarStatisticsDialog *
ear_statistics_dialog_new (EarLibrary *library)
{
  EarStatisticsDialog *self = g_object_new (EAR_TYPE_STATISTICS_DIALOG, NULL);

  self->library = g_object_ref (library);
  fill (self);
  ear_connect (ear_library_get_listening (library), "changed", fill, self);

  return self;
}
