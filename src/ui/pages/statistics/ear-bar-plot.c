/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bar-plot.h"

#include <adwaita.h>
#include <math.h>

#include "ear-format.h"

/* Application pixels */
#define MINIMUM_WIDTH 200
#define NATURAL_WIDTH 440
#define PLOT_HEIGHT 112
#define GAP 6

/* What is heard in so short a time that nothing could be seen of it is seen. */
#define LEAST_HEIGHT 2

/* So much of its place is a bar's, and no more pixels. */
#define BAR_PART 0.7f
#define BAR_WIDTH 24.0f
#define RADIUS 3.0f

/* What is not chosen, and what is only there to measure by */
#define BAR_ALPHA 0.55f
#define LABEL_ALPHA 0.65f
#define LINE_ALPHA 0.15f
#define LINE_ALPHA_HIGH_CONTRAST 0.6f

/**
 * EarBarPlot:
 *
 * How long something lasted from one day, or month, to the next: bars, of which one is chosen, by the pointer or the arrow keys,
 * and told in words above them. The last one is, until somebody chooses another.
 */
struct _EarBarPlot
{
  GtkWidget parent_instance;

  /* Owned */
  GPtrArray *bars; /* (element-type EarBar) */
  char *summary;   /* (nullable): all of it in words */

  gint64 top; /* what is as high as the plot, microseconds */
  guint chosen;
};

G_DEFINE_FINAL_TYPE (EarBarPlot, ear_bar_plot, GTK_TYPE_WIDGET)

static void
bar_free (gpointer data)
{
  EarBar *bar = data;

  g_free (bar->label);
  g_free (bar->text);
  g_free (bar);
}

/* Returns: (transfer full) (element-type EarBar): room for bars */
GPtrArray *
ear_bars_new (void)
{
  return g_ptr_array_new_with_free_func (bar_free);
}

/* @label: (transfer full) (nullable): what stands below it
 * @text: (transfer full): what it says in words */
void
ear_bars_add (GPtrArray *bars, char *label, char *text, gint64 value)
{
  EarBar *bar = g_new0 (EarBar, 1);

  bar->label = label;
  bar->text = text;
  bar->value = value;
  g_ptr_array_add (bars, bar);
}

/* --- Measures ---------------------------------------------------------------------------- */

/* A round number of minutes or hours that is not below any bar. */
static gint64
find_top (GPtrArray *bars)
{
  static const int minutes[] = { 10, 20, 30, 60, 120, 240, 360, 480, 720, 1440 };
  gint64 most = 0;
  gint64 top;

  for (guint i = 0; i < bars->len; i++)
    most = MAX (most, ((const EarBar *) g_ptr_array_index (bars, i))->value);
  for (gsize i = 0; i < G_N_ELEMENTS (minutes); i++)
    if (most <= minutes[i] * G_TIME_SPAN_MINUTE)
      return minutes[i] * G_TIME_SPAN_MINUTE;
  for (top = 20 * G_TIME_SPAN_HOUR; top < most; top += top < 200 * G_TIME_SPAN_HOUR ? 20 * G_TIME_SPAN_HOUR : top)
    ;

  return top;
}

static PangoLayout *
create_layout (EarBarPlot *self, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);

  return layout;
}

static int
get_line_height (EarBarPlot *self)
{
  g_autoptr (PangoLayout) layout = create_layout (self, "0");
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);

  return height;
}

/* Where the place of a bar begins, from the left. */
static float
get_place (EarBarPlot *self, guint i, float *width)
{
  const float each = (float) gtk_widget_get_width (GTK_WIDGET (self)) / (float) MAX (1, self->bars->len);

  *width = each;
  if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL)
    return each * (float) (self->bars->len - 1 - i);

  return each * (float) i;
}

/* --- Drawing ----------------------------------------------------------------------------- */

static void
append_text (GtkSnapshot *snapshot, PangoLayout *layout, float x, float y, const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (roundf (x), roundf (y)));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

/* At one side of the width or the other, as it is read.
 * @begin: where a line begins, or where it ends */
static void
append_at_side (EarBarPlot *self, GtkSnapshot *snapshot, const char *text, gboolean begin, float y, const GdkRGBA *color)
{
  const gboolean right = (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL) == begin;
  g_autoptr (PangoLayout) layout = create_layout (self, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  append_text (snapshot, layout, right ? (float) (gtk_widget_get_width (GTK_WIDGET (self)) - width) : 0, y, color);
}

/* What one bar says, and what the upper line is, which gives way to it in a narrow window. */
static void
append_head (EarBarPlot *self, GtkSnapshot *snapshot, const GdkRGBA *color, const GdkRGBA *pale)
{
  g_autofree char *top = ear_format_duration (self->top);
  const int width = gtk_widget_get_width (GTK_WIDGET (self));
  g_autoptr (PangoLayout) text = create_layout (self, ear_bar_plot_get_text (self));
  g_autoptr (PangoLayout) upper = create_layout (self, top);
  int text_width, upper_width;

  pango_layout_get_pixel_size (text, &text_width, NULL);
  pango_layout_get_pixel_size (upper, &upper_width, NULL);
  append_at_side (self, snapshot, ear_bar_plot_get_text (self), TRUE, 0, color);
  if (text_width + upper_width + 2 * GAP <= width)
    append_at_side (self, snapshot, top, FALSE, 0, pale);
}

static void
append_lines (EarBarPlot *self, GtkSnapshot *snapshot, float top, const GdkRGBA *color)
{
  const float width = (float) gtk_widget_get_width (GTK_WIDGET (self));
  GdkRGBA line = *color;

  line.alpha *= adw_style_manager_get_high_contrast (adw_style_manager_get_default ()) ? LINE_ALPHA_HIGH_CONTRAST : LINE_ALPHA;
  for (guint i = 0; i <= 2; i++)
    gtk_snapshot_append_color (snapshot, &line, &GRAPHENE_RECT_INIT (0, top + PLOT_HEIGHT * (float) i / 2, width, 1));
}

static void
append_bar (EarBarPlot *self, GtkSnapshot *snapshot, guint i, float top, const GdkRGBA *color)
{
  const EarBar *bar = g_ptr_array_index (self->bars, i);
  float place_width, width, height, x;
  GskRoundedRect outline;

  if (bar->value <= 0)
    return;
  x = get_place (self, i, &place_width);
  width = MIN (roundf (place_width * BAR_PART), BAR_WIDTH);
  height = MAX (LEAST_HEIGHT, roundf (PLOT_HEIGHT * (float) ((double) bar->value / (double) self->top)));
  x = roundf (x + (place_width - width) / 2);
  gsk_rounded_rect_init (&outline, &GRAPHENE_RECT_INIT (x, top + PLOT_HEIGHT - height, width, height),
                         &GRAPHENE_SIZE_INIT (RADIUS, RADIUS), &GRAPHENE_SIZE_INIT (RADIUS, RADIUS),
                         &GRAPHENE_SIZE_INIT (0, 0), &GRAPHENE_SIZE_INIT (0, 0));
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, color, &outline.bounds);
  gtk_snapshot_pop (snapshot);
}

static void
append_bars (EarBarPlot *self, GtkSnapshot *snapshot, float top, const GdkRGBA *text)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  const gboolean contrast = adw_style_manager_get_high_contrast (style);
  GdkRGBA accent, pale;

  adw_accent_color_to_standalone_rgba (adw_style_manager_get_accent_color (style), adw_style_manager_get_dark (style), &accent);
  pale = accent;
  pale.alpha = contrast ? 1 : BAR_ALPHA;
  for (guint i = 0; i < self->bars->len; i++)
    append_bar (self, snapshot, i, top, i != self->chosen ? &pale : contrast ? text : &accent);
}

/* From the last one on: which is the newest, and whose label is sure to be there. One that has no room is left out. */
static void
append_labels (EarBarPlot *self, GtkSnapshot *snapshot, float y, const GdkRGBA *color)
{
  const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  const float whole = (float) gtk_widget_get_width (GTK_WIDGET (self));
  float bound = mirrored ? 0 : whole;

  for (guint i = self->bars->len; i-- > 0;)
    {
      const EarBar *bar = g_ptr_array_index (self->bars, i);
      g_autoptr (PangoLayout) layout = bar->label != NULL ? create_layout (self, bar->label) : NULL;
      float x, place_width;
      int width;

      if (layout == NULL)
        continue;
      pango_layout_get_pixel_size (layout, &width, NULL);
      x = get_place (self, i, &place_width);
      x = CLAMP (x + (place_width - (float) width) / 2, 0, MAX (0, whole - (float) width));
      if (mirrored ? x < bound : x + (float) width > bound)
        continue;
      append_text (snapshot, layout, x, y, color);
      bound = mirrored ? x + (float) width + GAP : x - GAP;
    }
}

static void
ear_bar_plot_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarBarPlot *self = EAR_BAR_PLOT (widget);
  const float top = (float) (get_line_height (self) + GAP);
  GdkRGBA color, pale;

  if (self->bars->len == 0)
    return;
  gtk_widget_get_color (widget, &color);
  pale = color;
  pale.alpha *= LABEL_ALPHA;
  append_head (self, snapshot, &color, &pale);
  append_lines (self, snapshot, top, &color);
  append_bars (self, snapshot, top, &color);
  append_labels (self, snapshot, top + PLOT_HEIGHT + GAP, &pale);
}

static void
ear_bar_plot_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MINIMUM_WIDTH;
      *natural = NATURAL_WIDTH;
    }
  else
    *minimum = *natural = PLOT_HEIGHT + 2 * (get_line_height (EAR_BAR_PLOT (widget)) + GAP);
}

static GtkSizeRequestMode
ear_bar_plot_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

/* --- Choosing ---------------------------------------------------------------------------- */

/* What the bar says that is chosen, and all of it in words */
static void
describe (EarBarPlot *self)
{
  g_autofree char *text = ear_format_join ((const char *const[]) { ear_bar_plot_get_text (self), self->summary, NULL });

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void
choose (EarBarPlot *self, guint i)
{
  if (i == self->chosen || i >= self->bars->len)
    return;
  self->chosen = i;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
motion_cb (EarBarPlot *self, double x, double y)
{
  float width;

  for (guint i = 0; i < self->bars->len; i++)
    {
      const float begin = get_place (self, i, &width);

      if (x >= begin && x < begin + width)
        choose (self, i);
    }
}

static void
leave_cb (EarBarPlot *self)
{
  if (!gtk_widget_has_focus (GTK_WIDGET (self)) && self->bars->len > 0)
    choose (self, self->bars->len - 1);
}

/* An arrow goes where it points to; Home and End to the oldest and the newest. */
static gboolean
move_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  EarBarPlot *self = EAR_BAR_PLOT (widget);
  const guint last = self->bars->len > 0 ? self->bars->len - 1 : 0;
  int step = g_variant_get_int32 (arguments);

  if (ABS (step) == 1 && gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
    step = -step;
  if ((step < 0 && self->chosen == 0) || (step > 0 && self->chosen == last))
    return GDK_EVENT_STOP;
  choose (self, (guint) CLAMP ((gint64) self->chosen + step, 0, (gint64) last));
  gtk_accessible_announce (GTK_ACCESSIBLE (self), ear_bar_plot_get_text (self), GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);

  return GDK_EVENT_STOP;
}

static void
ear_bar_plot_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (ear_bar_plot_parent_class)->system_setting_changed (widget, setting);
  gtk_widget_queue_resize (widget);
}

static void
ear_bar_plot_finalize (GObject *object)
{
  EarBarPlot *self = EAR_BAR_PLOT (object);

  g_ptr_array_unref (self->bars);
  g_free (self->summary);

  G_OBJECT_CLASS (ear_bar_plot_parent_class)->finalize (object);
}

static void
ear_bar_plot_class_init (EarBarPlotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  static const struct
  {
    guint key, keypad;
    int step;
  } keys[] = {
    { GDK_KEY_Left, GDK_KEY_KP_Left, -1 },
    { GDK_KEY_Right, GDK_KEY_KP_Right, 1 },
    { GDK_KEY_Home, GDK_KEY_KP_Home, -G_MAXINT16 },
    { GDK_KEY_End, GDK_KEY_KP_End, G_MAXINT16 },
  };

  G_OBJECT_CLASS (klass)->finalize = ear_bar_plot_finalize;
  widget_class->snapshot = ear_bar_plot_snapshot;
  widget_class->measure = ear_bar_plot_measure;
  widget_class->get_request_mode = ear_bar_plot_get_request_mode;
  widget_class->system_setting_changed = ear_bar_plot_system_setting_changed;

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gtk_widget_class_add_binding (widget_class, keys[i].key, 0, move_cb, "i", keys[i].step);
      gtk_widget_class_add_binding (widget_class, keys[i].keypad, 0, move_cb, "i", keys[i].step);
    }
  gtk_widget_class_set_css_name (widget_class, "barplot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ear_bar_plot_init (EarBarPlot *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->bars = ear_bars_new ();
  self->top = G_TIME_SPAN_HOUR;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect_object (adw_style_manager_get_default (), "notify", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

/* @bars: (element-type EarBar): from the oldest on
 * @summary: all of it in words */
void
ear_bar_plot_set_bars (EarBarPlot *self, GPtrArray *bars, const char *summary)
{
  gboolean kept;

  g_return_if_fail (EAR_IS_BAR_PLOT (self));

  kept = self->bars->len == bars->len;
  g_ptr_array_ref (bars);
  g_ptr_array_unref (self->bars);
  self->bars = bars;
  self->top = find_top (bars);
  if (!kept)
    self->chosen = bars->len > 0 ? bars->len - 1 : 0;
  g_set_str (&self->summary, summary);
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Returns: (transfer none): what the bar says that is chosen */
const char *
ear_bar_plot_get_text (EarBarPlot *self)
{
  g_return_val_if_fail (EAR_IS_BAR_PLOT (self), NULL);

  return self->chosen < self->bars->len ? ((const EarBar *) g_ptr_array_index (self->bars, self->chosen))->text : "";
}
