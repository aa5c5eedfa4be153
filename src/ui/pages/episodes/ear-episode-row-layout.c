/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-row-private.h"

/* Between the cover, the column of texts and the button, and between the parts of a line */
#define SPACING 6

/* Between the lines of the column */
#define LINE_SPACING 3

#define MAX_LINE_PARTS 5

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
 * moved, in two hundred rows.
 */

static gboolean
is_shown (gpointer child)
{
  return child != NULL && gtk_widget_should_layout (child);
}

/* Those of the facts' line that are seen, from its start to its end */
static guint
get_line (EarEpisodeRow *self, GtkWidget *parts[MAX_LINE_PARTS])
{
  GtkWidget *const all[MAX_LINE_PARTS] = {
    self->listened, self->liked, GTK_WIDGET (self->facts), self->explicit_mark, GTK_WIDGET (self->progress),
  };
  guint n_parts = 0;

  for (guint i = 0; i < MAX_LINE_PARTS; i++)
    if (is_shown (all[i]))
      parts[n_parts++] = all[i];

  return n_parts;
}

static int
get_line_width (GtkWidget *const parts[], guint n_parts)
{
  int line = n_parts > 1 ? SPACING * ((int) n_parts - 1) : 0;

  for (guint i = 0; i < n_parts; i++)
    {
      int width;

      gtk_widget_measure (parts[i], GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
      line += width;
    }

  return line;
}

static int
get_line_height (EarEpisodeRow *self)
{
  GtkWidget *parts[MAX_LINE_PARTS];
  const guint n_parts = get_line (self, parts);
  int line = 0;

  for (guint i = 0; i < n_parts; i++)
    {
      int height;

      gtk_widget_measure (parts[i], GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
      line = MAX (line, height);
    }

  return line;
}

static int
get_height (gpointer child, int width)
{
  int height;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);

  return height;
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

/* The facts are cut off where there is no room for all of them. */
static void
allocate_line (EarEpisodeRow *self, int row_width, int x, int y, int width, int height)
{
  GtkWidget *parts[MAX_LINE_PARTS];
  const guint n_parts = get_line (self, parts);
  const int lacking = MAX (get_line_width (parts, n_parts) - width, 0);

  for (guint i = 0; i < n_parts; i++)
    {
      int part_minimum, part_width;

      gtk_widget_measure (parts[i], GTK_ORIENTATION_HORIZONTAL, -1, &part_minimum, &part_width, NULL, NULL);
      if (parts[i] == GTK_WIDGET (self->facts))
        part_width = MAX (part_width - lacking, part_minimum);
      place (parts[i], row_width, x, y, part_width, height);
      x += part_width + SPACING;
    }
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

/* --- The button's icon ----------------------------------------------------------------- */

/* It is drawn here, and is no widget of its own, for the same reason. */
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
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    gtk_widget_snapshot_child (widget, child, snapshot);
  snapshot_icon (EAR_EPISODE_ROW (widget), snapshot);
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
