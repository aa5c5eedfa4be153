/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-scrubber.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ear-chapters.h"
#include "ear-format.h"
#include "ear-play-control.h"
#include "ear-property.h"

#define PLATE_PADDING 8

/* Pixels: what marks the beginning of a chapter on the trough */
#define TICK_WIDTH 2
#define TICK_HEIGHT 6

/* With less room for each chapter it could not be seen what was heard. */
#define TICK_ROOM 6

/**
 * EarScrubber:
 *
 * Where the player is in the episode: the time that has passed, a slider, the time that
 * is left, at the speed that it plays at. A drag moves only the slider and the time beside it; the player goes there
 * once, when the pointer lets go. A click on the time that is left shows the length
 * instead. The time that is under the pointer is drawn above it: a tooltip would be a window that
 * moves, and a label would have all around it laid out, with each pixel that the pointer moves.
 *
 * Always runs from left to right: that is the direction of a tape, not of reading.
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
  EarPlayControl *control;
  EarChapters *chapters; /* (nullable): those of what plays */
  GSignalGroup *signals;
  gboolean stacked;
  gboolean shows_length;
  gboolean updating;    /* the slider follows the player */
  gboolean pressed;     /* a pointer holds the slider */
  gboolean moved;       /* and has moved it */
  double pointer;       /* where it is over the slider, or -1 */
  gint64 shown_second;  /* what slider and labels say, so that they change once a second */
};

G_DEFINE_FINAL_TYPE (EarScrubber, ear_scrubber, GTK_TYPE_WIDGET)

/* Whose minutes? The listener's. */
static gint64
find_rest (EarScrubber *self, gint64 duration, gint64 position)
{
  return (gint64) ((double) MAX (duration - position, 0) / ear_player_get_rate (self->player));
}

static void
update_labels (EarScrubber *self, gint64 position)
{
  const gint64 duration = ear_player_get_duration (self->player);
  const gint64 rest = find_rest (self, duration, position);
  g_autofree char *elapsed = ear_format_clock (position);
  g_autofree char *length = ear_format_clock (duration);
  g_autofree char *left = ear_format_clock (MIN (-rest, -1));
  g_autofree char *spoken_elapsed = ear_format_clock_spoken (position);
  g_autofree char *spoken_length = ear_format_clock_spoken (duration);
  g_autofree char *spoken_left = ear_format_clock_spoken (rest);
  /* Translators: what a screen reader says of the slider: "3 minutes 12 seconds" of "16 minutes 40 seconds" */
  g_autofree char *spoken = duration > 0 ? g_strdup_printf (_("%s of %s"), spoken_elapsed, spoken_length) : g_strdup (spoken_elapsed);
  /* Translators: what is still to be heard of an episode: "4 minutes 10 seconds" left */
  g_autofree char *spoken_rest = g_strdup_printf (_("%s left"), spoken_left);

  gtk_label_set_label (self->elapsed, elapsed);
  /* Of an episode whose length nobody has told there is nothing to say. */
  gtk_widget_set_visible (GTK_WIDGET (self->remaining), duration > 0);
  gtk_button_set_label (self->remaining, self->shows_length ? length : left);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, spoken, -1);
  /* By itself a button is called after the label in it. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->remaining), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remaining),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, self->shows_length ? spoken_length : spoken_rest, -1);
}

static void
update_position (EarScrubber *self)
{
  const gint64 position = ear_player_get_position (self->player);

  /* Both move once a second: a slider that moves more often, by less than a pixel, costs more
   * than the playing itself. */
  if (self->pressed || position / G_TIME_SPAN_SECOND == self->shown_second)
    return;

  self->updating = TRUE;
  gtk_adjustment_set_value (self->adjustment, (double) position / G_TIME_SPAN_SECOND);
  self->updating = FALSE;
  self->shown_second = position / G_TIME_SPAN_SECOND;
  update_labels (self, position);
}

static void
update_duration (EarScrubber *self)
{
  const gint64 duration = ear_player_get_duration (self->player);

  self->updating = TRUE;
  gtk_adjustment_set_upper (self->adjustment, MAX ((double) duration / G_TIME_SPAN_SECOND, 1));
  self->updating = FALSE;
  gtk_widget_set_sensitive (GTK_WIDGET (self->scale), duration > 0 && ear_player_get_seekable (self->player));
  self->shown_second = -1;
  update_position (self);
}

static void
rate_changed_cb (EarScrubber *self)
{
  self->shown_second = -1;
  update_position (self);
}

/* From where a pointer has moved it to, which may be by chance, there is a way back. */
static void
commit (EarScrubber *self, double seconds, gboolean pointed)
{
  const gint64 position = (gint64) (seconds * G_TIME_SPAN_SECOND);

  /* The slider is where the pointer put it, until the player says where it has gone. */
  self->shown_second = -1;
  if (pointed && self->control != NULL)
    ear_play_control_jump (self->control, position);
  else
    ear_player_seek (self->player, position);
}

static gboolean
change_value_cb (EarScrubber *self, GtkScrollType scroll, double value)
{
  const double seconds = CLAMP (value, 0, gtk_adjustment_get_upper (self->adjustment));

  if (self->player == NULL)
    return GDK_EVENT_STOP;

  if (self->pressed)
    {
      self->moved = TRUE;
      self->shown_second = -1;
      update_labels (self, (gint64) (seconds * G_TIME_SPAN_SECOND));
    }

  return GDK_EVENT_PROPAGATE;
}

/* By keys, or by an assistive technology. */
static void
value_changed_cb (EarScrubber *self)
{
  if (!self->updating && !self->pressed && self->player != NULL)
    commit (self, gtk_adjustment_get_value (self->adjustment), FALSE);
}

/* Nobody will let go of it any more: it follows the player again. */
static void
lose_hold (EarScrubber *self)
{
  if (!self->pressed)
    return;

  self->pressed = self->moved = FALSE;
  self->shown_second = -1;
  if (self->player != NULL)
    update_position (self);
}

/* What was under the pointer is not there any more: where it lets go says nothing of the next one. The
 * slider's own gestures would go on moving it, each of which would be taken for a move by keys. */
static void
episode_changed_cb (EarScrubber *self)
{
  if (self->pressed)
    {
      g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (self->scale));

      for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
        {
          g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

          gtk_event_controller_reset (controller);
        }
    }
  lose_hold (self);
  update_duration (self);
}

/* What is insensitive, or not there, is told of no release. */
static void
state_changed_cb (EarScrubber *self)
{
  if (!gtk_widget_is_sensitive (GTK_WIDGET (self->scale)))
    lose_hold (self);
}

/* The slider's own gesture claims the press, so what happens is seen before it. */
static gboolean
event_cb (EarScrubber *self, GdkEvent *event)
{
  const GdkEventType type = gdk_event_get_event_type (event);

  if (type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN)
    self->pressed = TRUE;
  else if (type == GDK_TOUCH_CANCEL || type == GDK_GRAB_BROKEN)
    lose_hold (self);
  else if (type == GDK_BUTTON_RELEASE || type == GDK_TOUCH_END)
    {
      self->pressed = FALSE;
      if (self->moved)
        commit (self, gtk_adjustment_get_value (self->adjustment), TRUE);
      self->moved = FALSE;
    }

  return GDK_EVENT_PROPAGATE;
}

static void
remaining_clicked_cb (EarScrubber *self)
{
  self->shows_length = !self->shows_length;
  if (self->player != NULL)
    update_labels (self, ear_player_get_position (self->player));
}

/* --- The time under the pointer --------------------------------------------------------- */

/* As a GtkScale takes a click beside its knob: by how many whole pixels along the trough it was. */
static gint64
find_time_under_pointer (EarScrubber *self)
{
  GdkRectangle trough;
  double place;

  gtk_range_get_range_rect (GTK_RANGE (self->scale), &trough);
  place = (floor (self->pointer) - trough.x) / MAX (trough.width, 1);

  return (gint64) (CLAMP (place, 0, 1) * gtk_adjustment_get_upper (self->adjustment) * G_TIME_SPAN_SECOND);
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

/* Black in light and dark windows alike, as libadwaita has its tooltips. */
static void
draw_on_plate (GtkSnapshot *snapshot, PangoLayout *layout, const graphene_rect_t *plate)
{
  const GdkRGBA background = { 0, 0, 0.02f, 0.85f };
  const GdkRGBA edge = { 1, 1, 1, 0.1f };
  const GdkRGBA letters = { 1, 1, 1, 1 };
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline, plate, 6);
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &background, plate);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { 1, 1, 1, 1 }, (GdkRGBA[4]) { edge, edge, edge, edge });
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (plate->origin.x + PLATE_PADDING, plate->origin.y + 3));
  gtk_snapshot_append_layout (snapshot, layout, &letters);
  gtk_snapshot_restore (snapshot);
}

/* Returns: (transfer full): what is to be read of the place under the pointer */
static char *
describe_pointer (EarScrubber *self)
{
  const gint64 time = find_time_under_pointer (self);
  const int chapter = self->chapters != NULL ? ear_chapters_find (self->chapters, time) : -1;
  const char *title = chapter >= 0 ? ear_chapters_get (self->chapters, (guint) chapter)->title : NULL;
  g_autofree char *clock = ear_format_clock (time);

  return title != NULL ? g_strdup_printf ("%s · %s", clock, title) : g_steal_pointer (&clock);
}

static void
draw_time_under_pointer (EarScrubber *self, GtkSnapshot *snapshot)
{
  g_autofree char *text = describe_pointer (self);
  /* In the letters of the times beside it */
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->elapsed), text);
  graphene_point_t pointer;
  graphene_rect_t plate;
  int width, height;

  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (layout, MAX (gtk_widget_get_width (GTK_WIDGET (self)) - 2 * PLATE_PADDING, 1) * PANGO_SCALE);
  if (!gtk_widget_compute_point (GTK_WIDGET (self->scale), GTK_WIDGET (self), &GRAPHENE_POINT_INIT ((float) self->pointer, 0), &pointer))
    return;

  pango_layout_get_pixel_size (layout, &width, &height);
  pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
  width += 2 * PLATE_PADDING;
  height += 6;
  graphene_rect_init (&plate, (float) CLAMP ((int) pointer.x - width / 2, 0, MAX (gtk_widget_get_width (GTK_WIDGET (self)) - width, 0)),
                      pointer.y - (float) height, (float) width, (float) height);
  draw_on_plate (snapshot, layout, &plate);
}

/* --- Chapters ---------------------------------------------------------------------------- */

/* A gap in the trough wherever a chapter begins, but for the first, and for one that the knob lies on: it is there in any colour,
 * heard or not. */
static void
draw_ticks (EarScrubber *self, GtkSnapshot *snapshot)
{
  const double length = gtk_adjustment_get_upper (self->adjustment) * G_TIME_SPAN_SECOND;
  const GdkRGBA heard = { 1, 1, 1, 0.85f };
  const double now = gtk_adjustment_get_value (self->adjustment) * G_TIME_SPAN_SECOND;
  GdkRectangle trough;
  graphene_point_t origin;
  GdkRGBA color;
  int knob_start, knob_end;

  gtk_range_get_range_rect (GTK_RANGE (self->scale), &trough);
  gtk_range_get_slider_range (GTK_RANGE (self->scale), &knob_start, &knob_end);
  if (trough.width < TICK_ROOM * (int) ear_chapters_get_count (self->chapters) ||
      !gtk_widget_compute_point (GTK_WIDGET (self->scale), GTK_WIDGET (self), &GRAPHENE_POINT_INIT ((float) trough.x, (float) trough.y), &origin))
    return;

  gtk_widget_get_color (GTK_WIDGET (self), &color);
  color.alpha *= 0.55f;
  for (guint i = 0; i < ear_chapters_get_count (self->chapters); i++)
    {
      const gint64 start = ear_chapters_get (self->chapters, i)->start;
      graphene_rect_t tick;
      int place;

      if (start <= 0 || start >= length)
        continue;
      place = (int) round (trough.width * (double) start / length);
      if (trough.x + place >= knob_start && trough.x + place <= knob_end)
        continue;
      graphene_rect_init (&tick, origin.x + (float) place - TICK_WIDTH / 2.0f, origin.y + (float) (trough.height - TICK_HEIGHT) / 2, TICK_WIDTH, TICK_HEIGHT);
      gtk_snapshot_append_color (snapshot, start < now ? &heard : &color, &tick);
    }
}

static void
set_chapters (EarScrubber *self, EarChapters *chapters)
{
  if (self->chapters == chapters)
    return;

  g_clear_pointer (&self->chapters, ear_chapters_unref);
  self->chapters = chapters != NULL ? ear_chapters_ref (chapters) : NULL;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify (G_OBJECT (self), "chapters");
}

static void
ear_scrubber_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarScrubber *self = EAR_SCRUBBER (widget);

  GTK_WIDGET_CLASS (ear_scrubber_parent_class)->snapshot (widget, snapshot);
  if (self->chapters != NULL && gtk_widget_is_sensitive (GTK_WIDGET (self->scale)))
    draw_ticks (self, snapshot);
  if (self->pointer >= 0 && gtk_widget_is_sensitive (GTK_WIDGET (self->scale)))
    draw_time_under_pointer (self, snapshot);
}

/* --- Class ----------------------------------------------------------------------------- */

static void
player_changed_cb (EarScrubber *self)
{
  g_signal_group_set_target (self->signals, self->player);
  if (self->player != NULL)
    update_duration (self);
}

static void
place (EarScrubber *self, GtkWidget *child, int column, int row, int span)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  g_object_set (gtk_layout_manager_get_layout_child (layout, child),
                "column", column, "row", row, "column-span", span, NULL);
}

static void
stacked_changed_cb (EarScrubber *self)
{
  place (self, GTK_WIDGET (self->elapsed), 0, self->stacked ? 1 : 0, 1);
  place (self, GTK_WIDGET (self->scale), self->stacked ? 0 : 1, 0, self->stacked ? 3 : 1);
  place (self, GTK_WIDGET (self->remaining), 2, self->stacked ? 1 : 0, 1);
  gtk_widget_set_hexpand (GTK_WIDGET (self->elapsed), self->stacked);
}

/* From left to right, as they stand there; GTK asks which one begins further up, and that is the flatter one. */
static gboolean
ear_scrubber_focus (GtkWidget *widget, GtkDirectionType direction)
{
  EarScrubber *self = EAR_SCRUBBER (widget);
  GtkWidget *const parts[] = { GTK_WIDGET (self->scale), GTK_WIDGET (self->remaining) };
  const int step = direction == GTK_DIR_TAB_BACKWARD ? -1 : 1;
  GtkWidget *present = gtk_widget_get_focus_child (widget);
  int next = step > 0 ? 0 : (int) G_N_ELEMENTS (parts) - 1;

  if (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD)
    return GTK_WIDGET_CLASS (ear_scrubber_parent_class)->focus (widget, direction);

  for (int i = 0; i < (int) G_N_ELEMENTS (parts); i++)
    if (parts[i] == present)
      next = i + step;
  for (; next >= 0 && next < (int) G_N_ELEMENTS (parts); next += step)
    if (gtk_widget_child_focus (parts[next], direction))
      return TRUE;

  return FALSE;
}

static void
ear_scrubber_dispose (GObject *object)
{
  EarScrubber *self = EAR_SCRUBBER (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_SCRUBBER);
  g_clear_object (&self->player);
  g_clear_object (&self->control);
  g_clear_pointer (&self->chapters, ear_chapters_unref);

  G_OBJECT_CLASS (ear_scrubber_parent_class)->dispose (object);
}

static void
ear_scrubber_class_init (EarScrubberClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* The player that it shows and moves */
    { "player", EAR_TYPE_PLAYER, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarScrubber, player), .changed = G_CALLBACK (player_changed_cb) },
    /* What brings the listener back from far away */
    { "control", EAR_TYPE_PLAY_CONTROL, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarScrubber, control) },
    /* Those of what plays: the slider shows where they begin */
    { "chapters", EAR_TYPE_CHAPTERS, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarScrubber, chapters), .set = G_CALLBACK (set_chapters) },
    /* Whether the times stand below the slider instead of beside it */
    { "stacked", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarScrubber, stacked),
      .changed = G_CALLBACK (stacked_changed_cb) },
  };

  object_class->dispose = ear_scrubber_dispose;
  widget_class->snapshot = ear_scrubber_snapshot;
  widget_class->focus = ear_scrubber_focus;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-scrubber.ui");
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
  gtk_widget_class_bind_template_callback (widget_class, lose_hold);
  gtk_widget_class_bind_template_callback (widget_class, state_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, remaining_clicked_cb);
}

/* By itself a slider goes a minute with each notch of a wheel, wherever that was meant to scroll: the page of the sheet, say. A place
 * that is lost so is found by nobody again. */
static void
ignore_wheel (EarScrubber *self)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (self->scale));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}

static void
ear_scrubber_init (EarScrubber *self)
{
  self->shown_second = -1;
  self->pointer = -1;
  self->signals = g_signal_group_new (EAR_TYPE_PLAYER);
  g_signal_group_connect_swapped (self->signals, "notify::position", G_CALLBACK (update_position), self);
  g_signal_group_connect_swapped (self->signals, "notify::rate", G_CALLBACK (rate_changed_cb), self);
  g_signal_group_connect_swapped (self->signals, "notify::duration", G_CALLBACK (update_duration), self);
  g_signal_group_connect_swapped (self->signals, "notify::seekable", G_CALLBACK (update_duration), self);
  g_signal_group_connect_swapped (self->signals, "notify::episode", G_CALLBACK (episode_changed_cb), self);
  gtk_widget_init_template (GTK_WIDGET (self));
  ignore_wheel (self);
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL; child = gtk_widget_get_next_sibling (child))
    gtk_widget_set_direction (child, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
}
