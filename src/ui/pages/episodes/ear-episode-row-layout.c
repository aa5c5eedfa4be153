/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-drawn-text.h"
#include "ear-episode-row-private.h"

/* Between the cover, the column of texts and the button, and between the parts of a line */
#define SPACING 6

/* Between the lines of the column */
#define LINE_SPACING 3

/* Between the podcast and the dot before the facts */
#define PODCAST_GAP 3

/* How much of the line the name of the podcast may take from the facts */
#define PODCAST_SHARE 0.4

/* What a row is told to need before it has a place: a list of them is never narrower than the
 * first, and its height is nobody's business as it scrolls. */
#define MINIMUM_WIDTH 160
#define NATURAL_WIDTH 680
#define SOME_HEIGHT 48

/* What GtkImage has for an icon that is not to be large */
#define ICON_SIZE 16

/* What style.css makes of the button, with its margins. The row is as high by its own style. */
#define BUTTON_WIDTH 34

/*
 * Where the parts of a row stand: the cover, beside it a column of the title, a line of
 * facts and marks, and what a search has found, beside that the button. Boxes would do the
 * same, but each of them is styled anew with its row whenever that is hovered, chosen or
 * moved, in two hundred rows, and takes 5 kB in each. So does a label: title and facts are drawn
 * here.
 */

static gboolean
is_shown (gpointer child)
{
  return child != NULL && gtk_widget_should_layout (child);
}

/* Forgets how its lines were broken, which a row that is there and not in sight need not remember. */
void
ear_episode_row_drop_layouts (EarEpisodeRow *self)
{
  g_clear_object (&self->title_layout);
  g_clear_object (&self->podcast_layout);
  g_clear_object (&self->facts_layout);
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
get_title (EarEpisodeRow *self)
{
  if (self->title_layout == NULL)
    {
      g_autoptr (PangoAttrList) attributes = self->found != NULL ? pango_attr_list_copy (self->found) : pango_attr_list_new ();

      pango_attr_list_insert_before (attributes, pango_attr_weight_new (self->pale ? PANGO_WEIGHT_NORMAL : PANGO_WEIGHT_MEDIUM));
      self->title_layout = ear_drawn_text_new_title (GTK_WIDGET (self), self->title, attributes);
    }

  return self->title_layout;
}

static PangoLayout *
get_podcast (EarEpisodeRow *self)
{
  if (self->podcast_layout == NULL)
    {
      self->podcast_layout = ear_drawn_text_new (GTK_WIDGET (self), self->podcast);
      pango_layout_set_ellipsize (self->podcast_layout, PANGO_ELLIPSIZE_END);
    }

  return self->podcast_layout;
}

static PangoLayout *
get_facts (EarEpisodeRow *self)
{
  if (self->facts_layout == NULL)
    {
      g_autofree char *text = self->podcast != NULL ? g_strconcat ("· ", self->facts, NULL) : NULL;

      self->facts_layout = ear_drawn_text_new (GTK_WIDGET (self), text != NULL ? text : self->facts);
      pango_layout_set_ellipsize (self->facts_layout, PANGO_ELLIPSIZE_END);
    }

  return self->facts_layout;
}

static gboolean
has_facts (EarEpisodeRow *self)
{
  return self->facts != NULL && *self->facts != '\0';
}

/* The height of the podcast, the facts, and the marks before and after them; 0 where there is none of these */
static int
get_line_height (EarEpisodeRow *self)
{
  const gpointer marks[] = { self->new_mark, self->queued, self->listened, self->liked, self->download, self->explicit_mark, self->progress };
  int line = 0;

  if (has_facts (self))
    pango_layout_get_pixel_size (get_facts (self), NULL, &line);
  else if (self->podcast != NULL)
    pango_layout_get_pixel_size (get_podcast (self), NULL, &line);
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (is_shown (marks[i]))
      line = MAX (line, get_height (marks[i], -1));

  return line;
}

static int
get_column_height (EarEpisodeRow *self, int width)
{
  const int line = get_line_height (self);
  int height = ear_drawn_text_fit_title (get_title (self), width) + (line > 0 ? LINE_SPACING + line : 0);

  if (is_shown (self->snippet))
    height += LINE_SPACING + get_height (self->snippet, width);

  return height;
}

/* What stands beside the column, and the room between them */
static int
get_width_beside (EarEpisodeRow *self, int *cover)
{
  *cover = 0;
  if (is_shown (self->cover))
    gtk_widget_measure (self->cover, GTK_ORIENTATION_HORIZONTAL, -1, cover, NULL, NULL, NULL);

  return *cover + (*cover > 0 ? SPACING : 0) + SPACING + BUTTON_WIDTH;
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
  int cover, beside;

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

  beside = get_width_beside (self, &cover);
  *minimum = get_column_height (self, MAX (for_size - beside, 0));
  if (cover > 0)
    *minimum = MAX (*minimum, get_height (self->cover, -1));
  *natural = *minimum;
  if (ear_drawn_text_is_out_of_sight (widget))
    ear_episode_row_drop_layouts (self);
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

/* Breaks the text off where it has no more room.
 * Returns: how much of the room it takes */
static int
fit_text (PangoLayout *text, int room)
{
  int width;

  if (pango_layout_get_width (text) == room * PANGO_SCALE)
    return room;
  pango_layout_set_width (text, -1);
  pango_layout_get_pixel_size (text, &width, NULL);
  if (width <= room)
    return width;

  pango_layout_set_width (text, room * PANGO_SCALE);

  return room;
}

/* A long name of a podcast is broken off before the facts are, as long as it keeps its share of the room. */
static int
place_facts (EarEpisodeRow *self, int row_width, int x, int y, int room, int line)
{
  const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  const int share = (int) (MAX (room, 0) * PODCAST_SHARE);
  const int facts = has_facts (self) ? fit_text (get_facts (self), MAX (room, 0)) : 0;
  const int gap = self->podcast != NULL && facts > 0 ? PODCAST_GAP : 0;
  int height = 0;

  self->podcast_width = self->podcast != NULL ? fit_text (get_podcast (self), MAX (room - facts - gap, share)) : 0;
  self->facts_width = facts > 0 ? fit_text (get_facts (self), MAX (room - self->podcast_width - gap, 0)) : 0;
  pango_layout_get_pixel_size (facts > 0 || self->podcast == NULL ? get_facts (self) : get_podcast (self), NULL, &height);
  self->line_y = y + (line - height) / 2;
  self->podcast_x = mirrored ? row_width - x - self->podcast_width : x;
  x += self->podcast_width + gap;
  self->facts_x = mirrored ? row_width - x - self->facts_width : x;
  x += self->facts_width;

  return self->podcast_width + self->facts_width > 0 ? x + SPACING : x;
}

static void
snapshot_line (EarEpisodeRow *self, GtkSnapshot *snapshot)
{
  GtkWidget *widget = GTK_WIDGET (self);

  if (self->podcast_width > 0)
    {
      fit_text (get_podcast (self), self->podcast_width);
      ear_drawn_text_snapshot (get_podcast (self), widget, snapshot, self->podcast_x, self->line_y);
    }
  if (self->facts_width > 0)
    {
      fit_text (get_facts (self), self->facts_width);
      ear_drawn_text_snapshot (get_facts (self), widget, snapshot, self->facts_x, self->line_y);
    }
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
  x = place_mark (self->new_mark, row_width, x, y, height);
  x = place_mark (self->queued, row_width, x, y, height);
  x = place_mark (self->listened, row_width, x, y, height);
  x = place_mark (self->liked, row_width, x, y, height);
  x = place_mark (self->download, row_width, x, y, height);
  x = place_facts (self, row_width, x, y, end - x - behind, height);
  x = place_mark (self->explicit_mark, row_width, x, y, height);
  place_mark (self->progress, row_width, x, y, height);
}

static void
allocate_column (EarEpisodeRow *self, int row_width, int x, int width, int height)
{
  const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  const int title = ear_drawn_text_fit_title (get_title (self), width);
  const int line = get_line_height (self);
  const int column = get_column_height (self, width);
  int y = (height - column) / 2;

  self->title_x = mirrored ? row_width - x - width : x;
  self->title_y = y;
  self->title_width = width;
  y += title + LINE_SPACING;
  allocate_line (self, row_width, x, y, width, line);
  y += line > 0 ? line + LINE_SPACING : 0;
  if (is_shown (self->snippet))
    place (self->snippet, row_width, x, y, width, get_height (self->snippet, width));
}

static gboolean
make_control_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (widget);

  self->button_tick = 0;
  if (self->tickable)
    ear_episode_row_make_check (self);
  else if (self->playable)
    ear_episode_row_make_button (self);
  else
    gtk_widget_queue_resize (widget);

  return G_SOURCE_REMOVE;
}

/* A button that is made in the midst of a layout has the window laid out twice, and gets a hurried style: it comes to the
 * next frame, before its styles are made. */
static void
ear_episode_row_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (widget);
  GtkWidget *control = self->tickable ? self->check : self->button;
  int cover;
  const int column = MAX (width - get_width_beside (self, &cover), 0);
  /* A row without a control has to ask again for the height that it needs: a list may have found it lower. */
  const gboolean is_unfinished = self->tickable || self->playable ? control == NULL : height < get_column_height (self, column);

  if (cover > 0)
    place (self->cover, width, 0, 0, cover, height);
  allocate_column (self, width, cover > 0 ? cover + SPACING : 0, column, height);
  if (is_shown (control))
    place (control, width, width - BUTTON_WIDTH, 0, BUTTON_WIDTH, height);
  if (is_unfinished && self->button_tick == 0)
    self->button_tick = gtk_widget_add_tick_callback (widget, make_control_cb, NULL, NULL);
}

/* --- The texts and the button's icon --------------------------------------------------- */

/* The row has its button one frame after its place, or before, where it has a colour of its own. */
static void
find_button_color (EarEpisodeRow *self, GdkRGBA *color)
{
  if (is_shown (self->button))
    gtk_widget_get_color (self->button, color);
  else
    ear_drawn_text_get_title_color (GTK_WIDGET (self), color);
}

/* The button's, which has another one while the episode plays; as pale as the facts, once it was listened to */
static void
find_title_color (EarEpisodeRow *self, GdkRGBA *color)
{
  GdkRGBA plain, pale;

  find_button_color (self, color);
  if (!self->pale)
    return;

  ear_drawn_text_get_title_color (GTK_WIDGET (self), &plain);
  gtk_widget_get_color (GTK_WIDGET (self), &pale);
  color->alpha *= pale.alpha / plain.alpha;
}

static void
snapshot_title (EarEpisodeRow *self, GtkSnapshot *snapshot)
{
  GdkRGBA color;

  find_title_color (self, &color);
  ear_drawn_text_fit_title (get_title (self), self->title_width);
  ear_drawn_text_snapshot_title (get_title (self), GTK_WIDGET (self), snapshot, self->title_x, self->title_y, &color);
}

/* In the middle of where the button is, or will be in the next frame */
static void
snapshot_icon (EarEpisodeRow *self, GtkSnapshot *snapshot)
{
  const char *name = self->active ? "media-playback-pause-symbolic" : "media-playback-start-symbolic";
  GtkWidget *widget = GTK_WIDGET (self);
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gtk_widget_get_display (widget));
  const int beside = (BUTTON_WIDTH - ICON_SIZE) / 2;
  const int x = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? beside : gtk_widget_get_width (widget) - beside - ICON_SIZE;
  const int y = (gtk_widget_get_height (widget) - ICON_SIZE) / 2;
  g_autoptr (GtkIconPaintable) icon = NULL;
  GdkRGBA color;

  icon = gtk_icon_theme_lookup_icon (theme, name, NULL, ICON_SIZE, gtk_widget_get_scale_factor (widget),
                                     gtk_widget_get_direction (widget), GTK_ICON_LOOKUP_FORCE_SYMBOLIC);
  find_button_color (self, &color);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
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
  snapshot_title (self, snapshot);
  snapshot_line (self, snapshot);
  if (!self->tickable && self->playable)
    snapshot_icon (self, snapshot);
}

/* Lets a row place and draw its parts itself. */
void
ear_episode_row_bind_layout (GtkWidgetClass *widget_class)
{
  widget_class->get_request_mode = ear_episode_row_get_request_mode;
  widget_class->measure = ear_episode_row_measure;
  widget_class->size_allocate = ear_episode_row_size_allocate;
  widget_class->snapshot = ear_episode_row_snapshot;
}
