/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-drawn-text.h"
#include "ear-episode-row-private.h"

/* Between the cover, the column of texts and the button, and between the parts of a line */
#define SPACING 6

/* Between the lines of the column */
#define LINE_SPACING 3

/* What a row is told to need before it has a place: a list of them is never narrower than the
 * first, and its height is nobody's business as it scrolls. */
#define MINIMUM_WIDTH 160
#define NATURAL_WIDTH 680
#define SOME_HEIGHT 48

/* What GtkImage has for an icon that is not to be large */
#define ICON_SIZE 16

/*
 * Where the parts of a row stand: the cover, beside it a column of the title, a line of
 * facts and marks, and what a search has found, beside that the button. Boxes would do the
 * same, but each of them is styled anew with its row whenever that is hovered, chosen or
 * moved, in two hundred rows, and takes 5 kB in each. So does a label: the facts are drawn
 * here, in the row's own style.
 */

static gboolean
is_shown (gpointer child)
{
  return child != NULL && gtk_widget_should_layout (child);
}

static int
get_width (gpointer child)
{
  int width;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);

  return width;
}

static int
get_height (gpointer child, int width)
{
  int height;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);

  return height;
}

/* Not before they are measured: what makes a layout wants a style at once, also of a row that has
 * no place yet, and so is styled anew when it gets one. */
static PangoLayout *
get_facts (EarEpisodeRow *self)
{
  if (self->facts_layout == NULL)
    {
      self->facts_layout = ear_drawn_text_new (GTK_WIDGET (self), self->facts);
      pango_layout_set_ellipsize (self->facts_layout, PANGO_ELLIPSIZE_END);
    }

  return self->facts_layout;
}

/* The height of the facts, and the marks before and after them */
static int
get_line_height (EarEpisodeRow *self)
{
  const gpointer marks[] = { self->listened, self->liked, self->explicit_mark, self->progress };
  int line;

  pango_layout_get_pixel_size (get_facts (self), NULL, &line);
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (is_shown (marks[i]))
      line = MAX (line, get_height (marks[i], -1));

  return line;
}

static int
get_column_height (EarEpisodeRow *self, int width)
{
  int height = get_height (self->title, width) + LINE_SPACING + get_line_height (self);

  if (is_shown (self->snippet))
    height += LINE_SPACING + get_height (self->snippet, width);

  return height;
}

/* What stands beside the column, and the room between them */
static int
get_width_beside (EarEpisodeRow *self, int *cover, int *button)
{
  *cover = 0;
  if (is_shown (self->cover))
    gtk_widget_measure (self->cover, GTK_ORIENTATION_HORIZONTAL, -1, cover, NULL, NULL, NULL);
  gtk_widget_measure (self->button, GTK_ORIENTATION_HORIZONTAL, -1, button, NULL, NULL, NULL);

  return *cover + (*cover > 0 ? SPACING : 0) + SPACING + *button;
}

static GtkSizeRequestMode
ear_episode_row_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/*
 * On X11 GTK asks for the size that a window needs before the styles of a frame are made. A
 * child that is asked then gets a hurried one, which takes every rule for one that might apply,
 * and is made anew whenever a button is pressed anywhere: six hundred styles at every click. So
 * the children are asked only for the height that they need in the width that the row has.
 */
static void
ear_episode_row_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (widget);
  int cover, button, beside;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MINIMUM_WIDTH;
      *natural = NATURAL_WIDTH;
      return;
    }
  if (for_size < 0)
    {
      *minimum = *natural = SOME_HEIGHT;
      return;
    }

  beside = get_width_beside (self, &cover, &button);
  *minimum = MAX (get_column_height (self, MAX (for_size - beside, 0)), get_height (self->button, -1));
  if (cover > 0)
    *minimum = MAX (*minimum, get_height (self->cover, -1));
  *natural = *minimum;
}

/* Places a child in a row that is @width wide, mirrored where it is read from the right. */
static void
place (gpointer child, int row_width, int x, int y, int width, int height)
{
  const gboolean mirrored = gtk_widget_get_direction (gtk_widget_get_parent (child)) == GTK_TEXT_DIR_RTL;

  gtk_widget_size_allocate (child, &(GtkAllocation) { mirrored ? row_width - x - width : x, y, width, height }, -1);
}

static int
place_mark (gpointer mark, int row_width, int x, int y, int height)
{
  int width;

  if (!is_shown (mark))
    return x;

  width = get_width (mark);
  place (mark, row_width, x, y, width, height);

  return x + width + SPACING;
}

/* The facts are cut off where there is no room for all of them. */
static int
place_facts (EarEpisodeRow *self, int row_width, int x, int y, int room, int line)
{
  const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  PangoLayout *facts = get_facts (self);
  int width, height;

  pango_layout_set_width (facts, -1);
  pango_layout_get_pixel_size (facts, &width, &height);
  if (width > room)
    {
      width = MAX (room, 0);
      pango_layout_set_width (facts, width * PANGO_SCALE);
    }
  self->facts_x = mirrored ? row_width - x - width : x;
  self->facts_y = y + (line - height) / 2;

  return x + width + SPACING;
}

static void
allocate_line (EarEpisodeRow *self, int row_width, int x, int y, int width, int height)
{
  const int end = x + width;
  int behind = 0;

  if (is_shown (self->explicit_mark))
    behind += SPACING + get_width (self->explicit_mark);
  if (is_shown (self->progress))
    behind += SPACING + get_width (self->progress);
  x = place_mark (self->listened, row_width, x, y, height);
  x = place_mark (self->liked, row_width, x, y, height);
  x = place_facts (self, row_width, x, y, end - x - behind, height);
  x = place_mark (self->explicit_mark, row_width, x, y, height);
  place_mark (self->progress, row_width, x, y, height);
}

static void
allocate_column (EarEpisodeRow *self, int row_width, int x, int width, int height)
{
  const int title = get_height (self->title, width);
  const int line = get_line_height (self);
  int y = (height - get_column_height (self, width)) / 2;

  place (self->title, row_width, x, y, width, title);
  y += title + LINE_SPACING;
  allocate_line (self, row_width, x, y, width, line);
  y += line + LINE_SPACING;
  if (is_shown (self->snippet))
    place (self->snippet, row_width, x, y, width, get_height (self->snippet, width));
}

static void
ear_episode_row_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (widget);
  int cover, button;
  const int column = MAX (width - get_width_beside (self, &cover, &button), 0);

  if (cover > 0)
    place (self->cover, width, 0, 0, cover, height);
  allocate_column (self, width, cover > 0 ? cover + SPACING : 0, column, height);
  place (self->button, width, width - button, 0, button, height);
}

/* --- The facts and the button's icon --------------------------------------------------- */

static void
snapshot_icon (EarEpisodeRow *self, GtkSnapshot *snapshot)
{
  const char *name = self->active ? "media-playback-pause-symbolic" : "media-playback-start-symbolic";
  GtkWidget *widget = GTK_WIDGET (self);
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gtk_widget_get_display (widget));
  g_autoptr (GtkIconPaintable) icon = NULL;
  graphene_rect_t bounds;
  GdkRGBA color;

  if (!gtk_widget_compute_bounds (self->button, widget, &bounds))
    return;

  icon = gtk_icon_theme_lookup_icon (theme, name, NULL, ICON_SIZE, gtk_widget_get_scale_factor (widget),
                                     gtk_widget_get_direction (widget), GTK_ICON_LOOKUP_FORCE_SYMBOLIC);
  gtk_widget_get_color (self->button, &color);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (bounds.origin.x + (bounds.size.width - ICON_SIZE) / 2,
                                                          bounds.origin.y + (bounds.size.height - ICON_SIZE) / 2));
  gtk_symbolic_paintable_snapshot_symbolic (GTK_SYMBOLIC_PAINTABLE (icon), snapshot, ICON_SIZE, ICON_SIZE,
                                            &color, 1);
  gtk_snapshot_restore (snapshot);
}

static void
ear_episode_row_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    gtk_widget_snapshot_child (widget, child, snapshot);
  ear_drawn_text_snapshot (get_facts (self), widget, snapshot, self->facts_x, self->facts_y);
  snapshot_icon (self, snapshot);
}

/**
 * ear_episode_row_bind_layout:
 * @widget_class: the class of #EarEpisodeRow
 *
 * Lets a row place and draw its parts itself.
 */
void
ear_episode_row_bind_layout (GtkWidgetClass *widget_class)
{
  widget_class->get_request_mode = ear_episode_row_get_request_mode;
  widget_class->measure = ear_episode_row_measure;
  widget_class->size_allocate = ear_episode_row_size_allocate;
  widget_class->snapshot = ear_episode_row_snapshot;
}
