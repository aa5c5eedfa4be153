/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-statistics-dialog.h"

#include <glib/gi18n.h>

#include "ear-bar-plot.h"
#include "ear-cover.h"
#include "ear-format.h"

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
  AdwToastOverlay *toasts;
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
  GCancellable *cancellable;

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
  g_autofree char *both = ear_format_join ((const char *const[]) { days, record, NULL });

  adw_action_row_set_subtitle (self->days_in_a_row, now == most ? days : now > 0 ? both : record);
  gtk_widget_set_visible (GTK_WIDGET (self->days_in_a_row), most > 1);
}

/* Returns: (transfer full): "26 November 2026: 35 min" */
static char *
format_bar (const char *when, gint64 time)
{
  g_autofree char *text = format_time (time);

  /* Translators: a day or a month, and the listening time in it: “26 November 2026: 35
   * min” */
  return g_strdup_printf (C_("listened", "%s: %s"), when, text);
}

static void
show_plot (EarBarPlot *plot, AdwPreferencesGroup *group, GPtrArray *bars, const char *first,
           const char *last)
{
  const EarBar *most = g_ptr_array_index (bars, 0);
  g_autofree char *summary = NULL;
  g_autofree char *sum = NULL;
  gint64 total = 0;

  for (guint i = 0; i < bars->len; i++)
    {
      const EarBar *bar = g_ptr_array_index (bars, i);

      total += bar->value;
      most = bar->value > most->value ? bar : most;
    }
  sum = format_time (total);
  adw_preferences_group_set_description (group, sum);
  /* Translators: a screen reader reads this for a plot. The first %s is the total
   * listening time, the second the day or month with the highest: “Total: 12 h. Highest:
   * 26 November 2026: 2 h” */
  summary = total > 0 ? g_strdup_printf (_("Total: %s. Highest: %s"), sum, most->text)
                      : g_strdup (sum);
  ear_bar_plot_set_bars (plot, bars, first, last, summary);
}

/* Returns: Unix seconds; daylight saving time skips no noon */
static gint64
get_noon (const GDate *date)
{
  g_autoptr (GDateTime) noon = g_date_time_new_local (
      g_date_get_year (date), (int) g_date_get_month (date), g_date_get_day (date), 12, 0, 0);

  return g_date_time_to_unix (noon);
}

static void
show_days (EarStatisticsDialog *self, EarStatistics *statistics)
{
  g_autoptr (GPtrArray) bars = ear_bars_new ();
  const gint64 now = get_noon (&statistics->today);
  g_autofree char *first = NULL;
  g_autofree char *last = ear_format_date (now, now);

  for (guint i = 0; i < EAR_STATISTICS_DAYS; i++)
    {
      const gint64 time = statistics->days[i].time;
      GDate date = statistics->today;
      g_autofree char *when = NULL;

      g_date_subtract_days (&date, EAR_STATISTICS_DAYS - 1 - i);
      when = ear_format_date_long (get_noon (&date));
      ear_bars_add (bars, format_bar (when, time), time);
      if (i == 0)
        first = ear_format_date (get_noon (&date), now);
    }
  show_plot (self->days, self->days_group, bars, first, last);
}

static void
show_months (EarStatisticsDialog *self, EarStatistics *statistics)
{
  g_autoptr (GPtrArray) bars = ear_bars_new ();
  char *labels[EAR_STATISTICS_MONTHS];

  for (guint i = 0; i < EAR_STATISTICS_MONTHS; i++)
    {
      const gint64 time = statistics->months[i].time;
      GDate date = statistics->today;
      g_autoptr (GDateTime) noon = NULL;

      g_date_set_day (&date, 1);
      g_date_subtract_months (&date, EAR_STATISTICS_MONTHS - 1 - i);
      noon = g_date_time_new_from_unix_local (get_noon (&date));
      /* Translators: a month and its year, see the manual of strftime */
      labels[i] = g_date_time_format (noon, C_("month", "%OB %Y"));
      ear_bars_add (bars, format_bar (labels[i], time), time);
    }
  show_plot (self->months, self->months_group, bars, labels[0], labels[EAR_STATISTICS_MONTHS - 1]);
  for (guint i = 0; i < EAR_STATISTICS_MONTHS; i++)
    g_free (labels[i]);
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
  label = g_strjoin (C_("spoken separator", ", "), name, spoken, NULL);
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
  show_days (self, statistics);
  show_months (self, statistics);
  show_podcasts (self, statistics);
}

static void
show_all (GtkWidget *widget, const char *action, GVariant *parameter)
{
  EarStatisticsDialog *self = EAR_STATISTICS_DIALOG (widget);

  self->all = TRUE;
  fill (self);
}

/* --- Exporting ---------------------------------------------------------------------- */

static void
exported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarStatisticsDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean exported = g_file_replace_contents_finish (G_FILE (source), result, NULL, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->toasts == NULL)
    return;
  adw_toast_overlay_add_toast (self->toasts,
                               adw_toast_new (exported
                                                  ? _("Statistics exported")
                                                  : _("The statistics could not be exported")));
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarStatisticsDialog) self = user_data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (source), result, NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GBytes) json = NULL;

  if (file == NULL || self->toasts == NULL)
    return;

  json = ear_listening_export (ear_library_get_listening (self->library), now);
  g_file_replace_contents_bytes_async (file, json, NULL, FALSE, G_FILE_CREATE_NONE,
                                       self->cancellable, exported_cb, g_object_ref (self));
}

static void
export (GtkWidget *widget, const char *action, GVariant *parameter)
{
  EarStatisticsDialog *self = EAR_STATISTICS_DIALOG (widget);
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();

  gtk_file_dialog_set_title (dialog, _("Export Statistics"));
  gtk_file_dialog_set_initial_name (dialog, "earmark-statistics.json");
  gtk_file_dialog_save (dialog, GTK_WINDOW (gtk_widget_get_root (widget)), self->cancellable,
                        chosen_cb, g_object_ref (self));
}

/* --- Class -------------------------------------------------------------------------- */

static void
ear_statistics_dialog_dispose (GObject *object)
{
  EarStatisticsDialog *self = EAR_STATISTICS_DIALOG (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->library);
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_STATISTICS_DIALOG);

  G_OBJECT_CLASS (ear_statistics_dialog_parent_class)->dispose (object);
}

static void
ear_statistics_dialog_class_init (EarStatisticsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_statistics_dialog_dispose;

  g_type_ensure (EAR_TYPE_BAR_PLOT);
  g_type_ensure (EAR_TYPE_COVER);
  gtk_widget_class_install_action (widget_class, "statistics.export", NULL, export);
  gtk_widget_class_install_action (widget_class, "statistics.show-all", NULL, show_all);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-statistics-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarStatisticsDialog, toasts);
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
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @library: open */
EarStatisticsDialog *
ear_statistics_dialog_new (EarLibrary *library)
{
  EarStatisticsDialog *self = g_object_new (EAR_TYPE_STATISTICS_DIALOG, NULL);
  g_autoptr (EarListeningMeter) meter = NULL;

  self->library = g_object_ref (library);
  /* Include the minute that is being counted. */
  g_object_get (library, "listening-meter", &meter, NULL);
  ear_listening_meter_keep (meter);
  fill (self);
  g_signal_connect_object (ear_library_get_listening (library), "changed", G_CALLBACK (fill), self,
                           G_CONNECT_SWAPPED);

  return self;
}
