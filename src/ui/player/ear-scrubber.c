/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-scrubber.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ear-chapters.h"
#include "ear-format.h"
#include "ear-playback-controller.h"
#include "ear-property.h"
#include "ear-widget.h"

/* Pixels around the time under the pointer */
#define PLATE_PADDING 8

/* Pixels of a mark where a chapter begins */
#define TICK_WIDTH 2
#define TICK_HEIGHT 6

/* Marks closer than this would cover the part that was heard. */
#define MIN_TICK_DISTANCE 6

/**
 * EarScrubber:
 *
 * The position in the episode: the elapsed time, a slider, and the time that is left at
 * the speed of playback. A drag moves the slider and the elapsed time; the player seeks
 * once, when the pointer is released. A click on the time that is left shows the length
 * instead. The time and the chapter under the pointer are drawn above it.
 *
 * Marks of GtkScale stop a drag within 12 pixels, which makes most positions of an
 * episode with many chapters out of reach: the scrubber draws the beginnings of
 * chapters itself.
 *
 * Time runs from left to right in every language.
 */
struct _EarScrubber
{
  GtkWidget parent_instance;

  /* Template children */
  GtkLabel *elapsed;
  GtkScale *scale;
  GtkAdjustment *adjustment;
  GtkButton *remaining;

  /* Owned */
  EarPlayer *player;
  EarPlaybackController *control; /* (nullable): offers the way back after a jump */
  GPtrArray *chapters;   /* (nullable) (element-type EarChapter) */
  gboolean stacked;
  gboolean shows_length;
  gboolean updating;   /* the player, not the listener, moves the slider */
  gboolean pressed;    /* a pointer holds the slider */
  gboolean moved;      /* and has moved it */
  double pointer;      /* on the slider, or -1 */
  gint64 shown_second; /* in slider and labels, which change once a second; -1 to update them */
};

G_DEFINE_FINAL_TYPE (EarScrubber, ear_scrubber, GTK_TYPE_WIDGET)

static void
update_labels (EarScrubber *self, gint64 position)
{
  const gint64 duration = ear_player_get_duration (self->player);
  const double rest_in_episode = (double) MAX (duration - position, 0);
  const gint64 rest = (gint64) (rest_in_episode / ear_player_get_rate (self->player));
  g_autofree char *elapsed = ear_format_clock (position);
  g_autofree char *length = ear_format_clock (duration);
  g_autofree char *left = ear_format_clock (MIN (-rest, -1));
  g_autofree char *spoken_elapsed = ear_format_clock_spoken (position);
  g_autofree char *spoken_length = ear_format_clock_spoken (duration);
  g_autofree char *spoken_left = ear_format_clock_spoken (rest);
  /* Translators: a screen reader reads this for the slider: "3 minutes 12 seconds" of
   * "16 minutes 40 seconds" */
  g_autofree char *spoken = g_strdup_printf (_("%s of %s"), spoken_elapsed, spoken_length);
  /* Translators: the time left of an episode: "4 minutes 10 seconds" left */
  g_autofree char *spoken_rest = g_strdup_printf (_("%s left"), spoken_left);

  gtk_label_set_label (self->elapsed, elapsed);
  gtk_widget_set_visible (GTK_WIDGET (self->remaining), duration > 0);
  gtk_button_set_label (self->remaining, self->shows_length ? length : left);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  duration > 0 ? spoken : spoken_elapsed, -1);
  /* GTK names a button after its label. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->remaining),
                                 GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remaining), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->shows_length ? spoken_length : spoken_rest, -1);
}

static void
update_position (EarScrubber *self)
{
  const gint64 position = ear_player_get_position (self->player);

  /* A slider that moved more often than the labels, by less than a pixel, would use more
   * of the processor than playing does. */
  if (self->pressed || position / G_TIME_SPAN_SECOND == self->shown_second)
    return;

  self->updating = TRUE;
  gtk_adjustment_set_value (self->adjustment, (double) position / G_TIME_SPAN_SECOND);
  self->updating = FALSE;
  self->shown_second = position / G_TIME_SPAN_SECOND;
  update_labels (self, position);
}

static void
update_all (EarScrubber *self)
{
  const gint64 duration = ear_player_get_duration (self->player);

  self->updating = TRUE;
  gtk_adjustment_set_upper (self->adjustment, MAX ((double) duration / G_TIME_SPAN_SECOND, 1));
  self->updating = FALSE;
  gtk_widget_set_sensitive (GTK_WIDGET (self->scale),
                            duration > 0 && ear_player_get_seekable (self->player));
  self->shown_second = -1;
  update_position (self);
}

static void
remaining_clicked_cb (EarScrubber *self)
{
  self->shows_length = !self->shows_length;
  update_labels (self, ear_player_get_position (self->player));
}

/* --- Seeking ------------------------------------------------------------------------ */

static gboolean
change_value_cb (EarScrubber *self, GtkScrollType scroll, double value)
{
  const double seconds = CLAMP (value, 0, gtk_adjustment_get_upper (self->adjustment));

  if (self->pressed)
    {
      self->moved = TRUE;
      update_labels (self, (gint64) (seconds * G_TIME_SPAN_SECOND));
    }

  return GDK_EVENT_PROPAGATE;
}

/* Keys and assistive technologies seek at once. */
static void
value_changed_cb (EarScrubber *self)
{
  const double seconds = gtk_adjustment_get_value (self->adjustment);

  if (self->updating || self->pressed)
    return;

  self->shown_second = -1;
  ear_player_seek (self->player, (gint64) (seconds * G_TIME_SPAN_SECOND));
}

/* A drag may be by mistake: the control offers the way back. The slider stays where it
 * was released until the player has sought. */
static void
finish_drag (EarScrubber *self)
{
  const double seconds = gtk_adjustment_get_value (self->adjustment);
  const gint64 position = (gint64) (seconds * G_TIME_SPAN_SECOND);
  const gboolean moved = self->moved;

  self->pressed = self->moved = FALSE;
  if (!moved)
    return;

  self->shown_second = -1;
  if (self->control != NULL)
    ear_playback_controller_jump (self->control, position);
  else
    ear_player_seek (self->player, position);
}

static void
cancel_drag (EarScrubber *self)
{
  if (!self->pressed)
    return;

  self->pressed = self->moved = FALSE;
  self->shown_second = -1;
  update_position (self);
}

/* GtkRange's gesture claims the press, and a gesture of ours would be canceled. */
static gboolean
event_cb (EarScrubber *self, GdkEvent *event)
{
  const GdkEventType type = gdk_event_get_event_type (event);

  if (type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN)
    self->pressed = TRUE;
  else if (type == GDK_TOUCH_CANCEL || type == GDK_GRAB_BROKEN)
    cancel_drag (self);
  else if (type == GDK_BUTTON_RELEASE || type == GDK_TOUCH_END)
    finish_drag (self);

  return GDK_EVENT_PROPAGATE;
}

/* An insensitive slider gets no release. */
static void
state_changed_cb (EarScrubber *self)
{
  if (!gtk_widget_is_sensitive (GTK_WIDGET (self->scale)))
    cancel_drag (self);
}

/* A drag ends with its episode. GtkRange would go on moving the slider
 * of the next one. */
static void
episode_changed_cb (EarScrubber *self)
{
  if (self->pressed)
    ear_cancel_gestures (GTK_WIDGET (self->scale));
  cancel_drag (self);
  update_all (self);
}

/* --- Time under the pointer, and chapters ------------------------------------------- */

/* The time where GtkScale would seek after a click, and its chapter */
static char *
describe_pointer (EarScrubber *self)
{
  GdkRectangle trough;
  double fraction;
  gint64 time;
  int chapter;
  const char *title;
  g_autofree char *clock = NULL;

  gtk_range_get_range_rect (GTK_RANGE (self->scale), &trough);
  fraction = CLAMP ((floor (self->pointer) - trough.x) / MAX (trough.width, 1), 0, 1);
  time = (gint64) (fraction * gtk_adjustment_get_upper (self->adjustment) * G_TIME_SPAN_SECOND);
  chapter = self->chapters != NULL ? ear_chapters_find (self->chapters, time) : -1;
  title = chapter >= 0 ? ear_chapters_get (self->chapters, (guint) chapter)->title : NULL;
  clock = ear_format_clock (time);

  return title != NULL ? g_strdup_printf ("%s · %s", clock, title) : g_steal_pointer (&clock);
}

/* A GtkTooltip would come half a second late, and below the bar's edge; a label would
 * have the window laid out with each move of the pointer. */
static void
draw_pointer_time (EarScrubber *self, GtkSnapshot *snapshot)
{
  const GdkRGBA background = { 0, 0, 0.02f, 0.85f };
  const GdkRGBA white = { 1, 1, 1, 1 };
  const int room = gtk_widget_get_width (GTK_WIDGET (self));
  g_autofree char *text = describe_pointer (self);
  g_autoptr (PangoLayout) layout =
      gtk_widget_create_pango_layout (GTK_WIDGET (self->elapsed), text);
  const graphene_point_t pointer = GRAPHENE_POINT_INIT ((float) self->pointer, 0);
  graphene_point_t top;
  GskRoundedRect plate;
  int width, height, x;

  if (!gtk_widget_compute_point (GTK_WIDGET (self->scale), GTK_WIDGET (self), &pointer, &top))
    return;
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (layout, MAX (room - 2 * PLATE_PADDING, 1) * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, &width, &height);
  pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
  width += 2 * PLATE_PADDING;
  height += PLATE_PADDING;
  x = CLAMP ((int) top.x - width / 2, 0, MAX (room - width, 0));

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, top.y - (float) height));
  gsk_rounded_rect_init_from_rect (&plate, &GRAPHENE_RECT_INIT (0, 0, width, height), 6);
  gtk_snapshot_push_rounded_clip (snapshot, &plate);
  gtk_snapshot_append_color (snapshot, &background, &plate.bounds);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (PLATE_PADDING, PLATE_PADDING / 2));
  gtk_snapshot_append_layout (snapshot, layout, &white);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_restore (snapshot);
}

static void
point_at (EarScrubber *self, double x)
{
  if (self->pointer == x)
    return;

  self->pointer = x;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pointed_at_cb (EarScrubber *self, double x, double y)
{
  point_at (self, x);
}

static void
pointer_left_cb (EarScrubber *self)
{
  point_at (self, -1);
}

/* A gap in the trough where a chapter begins, but for the first chapter
 * and below the knob */
static void
draw_ticks (EarScrubber *self, GtkSnapshot *snapshot)
{
  const guint n_chapters = self->chapters->len;
  const double length = gtk_adjustment_get_upper (self->adjustment) * G_TIME_SPAN_SECOND;
  const double now = gtk_adjustment_get_value (self->adjustment) * G_TIME_SPAN_SECOND;
  const GdkRGBA heard = { 1, 1, 1, 0.85f };
  GdkRGBA ahead;
  GdkRectangle trough;
  graphene_point_t origin;
  int knob_start, knob_end;

  gtk_range_get_range_rect (GTK_RANGE (self->scale), &trough);
  gtk_range_get_slider_range (GTK_RANGE (self->scale), &knob_start, &knob_end);
  if (trough.width < MIN_TICK_DISTANCE * (int) n_chapters ||
      !gtk_widget_compute_point (GTK_WIDGET (self->scale), GTK_WIDGET (self),
                                 &GRAPHENE_POINT_INIT ((float) trough.x, (float) trough.y),
                                 &origin))
    return;

  gtk_widget_get_color (GTK_WIDGET (self), &ahead);
  ahead.alpha *= 0.55f;
  for (guint i = 0; i < n_chapters; i++)
    {
      const gint64 start = ear_chapters_get (self->chapters, i)->start;
      const int x = (int) round (trough.width * (double) start / length);
      const float top = origin.y + (float) (trough.height - TICK_HEIGHT) / 2;

      if (start <= 0 || start >= length ||
          (trough.x + x >= knob_start && trough.x + x <= knob_end))
        continue;
      gtk_snapshot_append_color (snapshot, (double) start < now ? &heard : &ahead,
                                 &GRAPHENE_RECT_INIT (origin.x + (float) x - TICK_WIDTH / 2.0f, top,
                                                      TICK_WIDTH, TICK_HEIGHT));
    }
}

static void
ear_scrubber_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarScrubber *self = EAR_SCRUBBER (widget);

  GTK_WIDGET_CLASS (ear_scrubber_parent_class)->snapshot (widget, snapshot);
  if (!gtk_widget_is_sensitive (GTK_WIDGET (self->scale)))
    return;
  if (self->chapters != NULL)
    draw_ticks (self, snapshot);
  if (self->pointer >= 0)
    draw_pointer_time (self, snapshot);
}

/* --- Class -------------------------------------------------------------------------- */

static void
player_changed_cb (EarScrubber *self)
{
  ear_connect (self->player, "notify::position", update_position, self);
  ear_connect (self->player, "notify::rate", update_all, self);
  ear_connect (self->player, "notify::duration", update_all, self);
  ear_connect (self->player, "notify::seekable", update_all, self);
  ear_connect (self->player, "notify::episode", episode_changed_cb, self);
  update_all (self);
}

static void
set_chapters (EarScrubber *self, GPtrArray *chapters)
{
  if (self->chapters == chapters)
    return;

  g_clear_pointer (&self->chapters, g_ptr_array_unref);
  self->chapters = chapters != NULL ? g_ptr_array_ref (chapters) : NULL;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify (G_OBJECT (self), "chapters");
}

static void
place (EarScrubber *self, gpointer child, int column, int row, int span)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  g_object_set (gtk_layout_manager_get_layout_child (layout, child), "column", column, "row", row,
                "column-span", span, NULL);
}

static void
stacked_changed_cb (EarScrubber *self)
{
  place (self, self->elapsed, 0, self->stacked ? 1 : 0, 1);
  place (self, self->scale, self->stacked ? 0 : 1, 0, self->stacked ? 3 : 1);
  place (self, self->remaining, 2, self->stacked ? 1 : 0, 1);
  gtk_widget_set_hexpand (GTK_WIDGET (self->elapsed), self->stacked);
  gtk_label_set_xalign (self->elapsed, self->stacked ? 0 : 1);
}

static void
ear_scrubber_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_SCRUBBER);

  G_OBJECT_CLASS (ear_scrubber_parent_class)->dispose (object);
}

static void
ear_scrubber_class_init (EarScrubberClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Set once */
    { "player", EAR_TYPE_PLAYER, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarScrubber, player),
      .changed = G_CALLBACK (player_changed_cb) },
    { "control", EAR_TYPE_PLAYBACK_CONTROLLER, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarScrubber, control) },
    { "chapters", G_TYPE_PTR_ARRAY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarScrubber, chapters),
      .set = G_CALLBACK (set_chapters) },
    /* Whether the times are below the slider, not beside it */
    { "stacked", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarScrubber, stacked),
      .changed = G_CALLBACK (stacked_changed_cb) },
  };

  object_class->dispose = ear_scrubber_dispose;
  widget_class->snapshot = ear_scrubber_snapshot;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-scrubber.ui");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_GRID_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "scrubber");
  gtk_widget_class_bind_template_child (widget_class, EarScrubber, elapsed);
  gtk_widget_class_bind_template_child (widget_class, EarScrubber, scale);
  gtk_widget_class_bind_template_child (widget_class, EarScrubber, adjustment);
  gtk_widget_class_bind_template_child (widget_class, EarScrubber, remaining);
  gtk_widget_class_bind_template_callback (widget_class, change_value_cb);
  gtk_widget_class_bind_template_callback (widget_class, value_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, event_cb);
  gtk_widget_class_bind_template_callback (widget_class, pointed_at_cb);
  gtk_widget_class_bind_template_callback (widget_class, pointer_left_cb);
  gtk_widget_class_bind_template_callback (widget_class, cancel_drag);
  gtk_widget_class_bind_template_callback (widget_class, state_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, remaining_clicked_cb);
}

static void
ear_scrubber_init (EarScrubber *self)
{
  g_autoptr (GListModel) controllers = NULL;

  self->shown_second = -1;
  self->pointer = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);

  /* A wheel that scrolls the sheet would lose the position: GtkScale moves
   * a minute a notch. */
  controllers = gtk_widget_observe_controllers (GTK_WIDGET (self->scale));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}
