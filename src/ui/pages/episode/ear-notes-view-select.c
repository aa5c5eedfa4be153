/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-view-private.h"

#include <string.h>

#include <adwaita.h>

#include "ear-notes-widgets.h"

/*
 * What is selected over several blocks. Within one, that is GTK's label's business, with the keys and all that
 * assistive technologies are told. Once the pointer is drawn out of a label, the selection is the view's, and is drawn by it:
 * labels take the selection from each other, as each of them tells the other programs of its own.
 */

static int
compare (EarNotesPlace a, EarNotesPlace b)
{
  if (a.block != b.block)
    return a.block < b.block ? -1 : 1;

  return a.offset == b.offset ? 0 : a.offset < b.offset ? -1 : 1;
}

static gboolean
has_selection (EarNotesView *self)
{
  return self->notes != NULL && compare (self->anchor, self->cursor) != 0;
}

static EarNotesRange
get_range (EarNotesView *self)
{
  if (compare (self->anchor, self->cursor) < 0)
    return (EarNotesRange) { self->anchor, self->cursor };

  return (EarNotesRange) { self->cursor, self->anchor };
}

/* --- Where something is ------------------------------------------------------------------ */

static gsize
get_length (EarNotesView *self, guint block)
{
  g_autofree char *text = ear_notes_block_to_text (g_ptr_array_index (self->notes->blocks, block));

  return strlen (text);
}

/* The block at a height, or the next one below.
 * @block: (out): its number
 * Returns: (nullable): its widget */
static GtkWidget *
find_block (EarNotesView *self, double y, guint *block)
{
  GtkWidget *child = ear_notes_view_get_first (self);
  graphene_rect_t bounds;

  for (guint i = 0; i < self->n_built && child != NULL; i++, child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_compute_bounds (child, GTK_WIDGET (self), &bounds) && y < (double) (bounds.origin.y + bounds.size.height))
      {
        *block = i;
        return child;
      }

  return NULL;
}

/* @letter: whether the letter at a point is asked for, and not the place between two that is nearest */
static gsize
find_offset (GtkWidget *label, double x, double y, gboolean letter, gboolean *within)
{
  PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
  int left;
  int top;
  int index;
  int trailing;
  const char *text = pango_layout_get_text (layout);

  gtk_label_get_layout_offsets (GTK_LABEL (label), &left, &top);
  *within = pango_layout_xy_to_index (layout, (int) ((x - left) * PANGO_SCALE), (int) ((y - top) * PANGO_SCALE), &index, &trailing);
  if (letter)
    return index;

  return g_utf8_offset_to_pointer (text + index, trailing) - text;
}

/* Finds a place in the text: the nearest one in the same line, or the beginning of the block below.
 * @letter: whether the letter at the point is asked for, and not the place between two that is nearest
 * @place: (out): the place
 * Returns: whether there is text right there */
gboolean
ear_notes_view_find_place (EarNotesView *self, double x, double y, gboolean letter, EarNotesPlace *place)
{
  guint block;
  GtkWidget *widget = self->notes != NULL && self->notes->blocks->len > 0 ? find_block (self, y, &block) : NULL;
  GtkWidget *label = widget != NULL ? ear_notes_widget_get_label (widget) : NULL;
  gboolean within = FALSE;
  graphene_point_t point;

  *place = (EarNotesPlace) { 0, 0 };
  if (self->notes == NULL || self->n_built == 0)
    return FALSE;
  if (widget == NULL)
    {
      *place = (EarNotesPlace) { self->n_built - 1, get_length (self, self->n_built - 1) };
      return FALSE;
    }
  place->block = block;
  if (label == NULL || !gtk_widget_compute_point (GTK_WIDGET (self), label, &GRAPHENE_POINT_INIT ((float) x, (float) y), &point) || point.y < 0)
    return FALSE;
  place->offset = MIN (find_offset (label, point.x, point.y, letter, &within), get_length (self, block));

  return within;
}

/* --- Drawing ----------------------------------------------------------------------------- */

static void
draw_lines (EarNotesView *self, GtkSnapshot *snapshot, GtkWidget *label, gsize from, gsize to, const GdkRGBA *colour)
{
  PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
  const int length = (int) strlen (pango_layout_get_text (layout));
  const int range[2] = { (int) MIN (from, (gsize) length), (int) MIN (to, (gsize) length) };
  cairo_region_t *region;
  graphene_point_t place;
  int left;
  int top;

  gtk_label_get_layout_offsets (GTK_LABEL (label), &left, &top);
  if (range[0] >= range[1] || !gtk_widget_compute_point (label, GTK_WIDGET (self), &GRAPHENE_POINT_INIT ((float) left, (float) top), &place))
    return;

  region = gdk_pango_layout_get_clip_region (layout, (int) place.x, (int) place.y, range, 1);
  for (int i = 0; i < cairo_region_num_rectangles (region); i++)
    {
      cairo_rectangle_int_t line;

      cairo_region_get_rectangle (region, i, &line);
      gtk_snapshot_append_color (snapshot, colour, &GRAPHENE_RECT_INIT ((float) line.x, (float) line.y, (float) line.width, (float) line.height));
    }
  cairo_region_destroy (region);
}

/* Over the text, as code has a background of its own */
void
ear_notes_view_draw_selection (EarNotesView *self, GtkSnapshot *snapshot)
{
  GtkWidget *child = ear_notes_view_get_first (self);
  g_autoptr (GdkRGBA) colour = NULL;
  EarNotesRange range;

  if (!has_selection (self))
    return;

  range = get_range (self);
  colour = adw_style_manager_get_accent_color_rgba (adw_style_manager_get_default ());
  colour->alpha = 0.3f;
  for (guint i = 0; i < self->n_built && i <= range.end.block; i++, child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *label = i >= range.start.block ? ear_notes_widget_get_label (child) : NULL;

      if (label != NULL)
        draw_lines (self, snapshot, label, i == range.start.block ? range.start.offset : 0, i == range.end.block ? range.end.offset : G_MAXSIZE, colour);
    }
}

/* --- Selecting --------------------------------------------------------------------------- */

/* Selects what lies between two places, or nothing where they are one. */
void
ear_notes_view_select (EarNotesView *self, EarNotesPlace anchor, EarNotesPlace cursor)
{
  if (compare (self->anchor, anchor) == 0 && compare (self->cursor, cursor) == 0)
    return;

  self->anchor = anchor;
  self->cursor = cursor;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What is selected in a label, which counts letters
 * Returns: %FALSE if it is nothing */
static gboolean
get_label_selection (EarNotesView *self, guint block, GtkWidget *label, EarNotesRange *range)
{
  g_autofree char *text = NULL;
  int start;
  int end;

  if (!gtk_label_get_selection_bounds (GTK_LABEL (label), &start, &end) || start == end)
    return FALSE;

  text = ear_notes_block_to_text (g_ptr_array_index (self->notes->blocks, block));
  end = MIN (end, (int) g_utf8_strlen (text, -1));
  start = MIN (start, end);
  *range = (EarNotesRange) { { block, g_utf8_offset_to_pointer (text, start) - text }, { block, g_utf8_offset_to_pointer (text, end) - text } };

  return TRUE;
}

/* @range: (out): what is selected, in one block or several
 * Returns: %FALSE if nothing is */
gboolean
ear_notes_view_get_selection (EarNotesView *self, EarNotesRange *range)
{
  GtkWidget *child = ear_notes_view_get_first (self);

  if (has_selection (self))
    {
      *range = get_range (self);
      return TRUE;
    }
  for (guint i = 0; i < self->n_built; i++, child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *label = ear_notes_widget_get_label (child);

      if (label != NULL && get_label_selection (self, i, label, range))
        return TRUE;
    }

  return FALSE;
}

/* What is selected in one paragraph is no more. */
void
ear_notes_view_clear_labels (EarNotesView *self)
{
  GtkWidget *child = ear_notes_view_get_first (self);

  for (guint i = 0; i < self->n_built; i++, child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *label = ear_notes_widget_get_label (child);

      if (label != NULL && gtk_label_get_selection_bounds (GTK_LABEL (label), NULL, NULL))
        gtk_label_select_region (GTK_LABEL (label), 0, 0);
    }
}

/* A finger scrolls. */
static gboolean
is_touch (GtkGesture *gesture)
{
  GdkDevice *device = gtk_event_controller_get_current_event_device (GTK_EVENT_CONTROLLER (gesture));

  return device != NULL && gdk_device_get_source (device) == GDK_SOURCE_TOUCHSCREEN;
}

static void
pressed_cb (EarNotesView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  EarNotesPlace place;

  self->selecting = FALSE;
  self->is_pressed = !is_touch (gesture);
  ear_notes_view_find_place (self, x, y, FALSE, &place);
  ear_notes_view_select (self, place, place);
}

/* Selects nothing more, and follows no link when the button is let go. */
static void
take_from_label (GtkWidget *label)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (label);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE (controller))
        gtk_event_controller_reset (controller);
    }
}

static void
take_selection (EarNotesView *self)
{
  GtkWidget *child = ear_notes_view_get_first (self);
  GtkWidget *label;

  for (guint i = 0; i < self->anchor.block; i++)
    child = gtk_widget_get_next_sibling (child);
  label = ear_notes_widget_get_label (child);
  if (label != NULL)
    take_from_label (label);
  ear_notes_view_clear_labels (self);
  self->selecting = TRUE;
}

/* What is selected can be put in elsewhere with the middle button. */
static void
finish_selection (EarNotesView *self)
{
  const EarNotesRange range = get_range (self);
  g_autofree char *text = has_selection (self) ? ear_notes_copy_text (self->notes, &range) : NULL;

  self->selecting = FALSE;
  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_primary_clipboard (GTK_WIDGET (self)), text);
}

/* No gesture is this one: the label's would end it as soon as it has begun. */
static void
moved_cb (EarNotesView *self, double x, double y, GtkEventController *controller)
{
  EarNotesPlace place;

  if (!self->is_pressed)
    return;
  if ((gtk_event_controller_get_current_event_state (controller) & GDK_BUTTON1_MASK) == 0)
    {
      self->is_pressed = FALSE;
      if (self->selecting)
        finish_selection (self);
      return;
    }
  ear_notes_view_find_place (self, x, y, FALSE, &place);
  if (!self->selecting && place.block == self->anchor.block)
    return;
  if (!self->selecting)
    take_selection (self);
  ear_notes_view_select (self, self->anchor, place);
}

static void
add_controller (EarNotesView *self, GtkEventController *controller, const char *signal, GCallback callback)
{
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, signal, callback, self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

void
ear_notes_view_init_selection (EarNotesView *self)
{
  add_controller (self, GTK_EVENT_CONTROLLER (gtk_gesture_click_new ()), "pressed", G_CALLBACK (pressed_cb));
  add_controller (self, gtk_event_controller_motion_new (), "motion", G_CALLBACK (moved_cb));
}
