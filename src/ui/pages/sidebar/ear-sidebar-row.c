/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-row.h"

#include "ear-closures.h"
#include "ear-cover.h"
#include "ear-drawn-text.h"
#include "ear-error-text.h"
#include "ear-error.h"
#include "ear-property.h"
#include "ear-row-action.h"

#include <glib/gi18n.h>

/* Between the icon or cover, the title and the count */
#define SPACING 12

#define PICTURE_WIDTH 36
#define MARK_WIDTH 16

/* Before what is in a folder: it begins where the arrow of that points down. */
#define INDENT 18

/* Above and below the title, and the cover */
#define MARGIN 6

/* As libadwaita dims */
#define DIM_PERCENT 55

/* What a row is told to need before it has a place: see ear-episode-row-layout.c. */
#define MINIMUM_WIDTH 176
#define NATURAL_WIDTH 680
#define SOME_HEIGHT 48

/* The least that a title can be given */
#define TITLE_WIDTH 96

/**
 * EarSidebarRow:
 *
 * A view, a podcast or a folder in the sidebar: icon, cover or arrow, title, a mark where the last check failed, how
 * many episodes wait there. A podcast tells its host below its title where another one is called the same, and
 * stands further in where it is in a folder.
 *
 * A list view keeps some two hundred rows, so one handler fills the row instead of a binding
 * for each of its widgets, and it has next to none of those: it draws cover, title and count
 * itself. The style of the row is the count's. Assistive technologies find a label.
 */
struct _EarSidebarRow
{
  GtkWidget parent_instance;

  /* Borrowed: a child, made for the first view */
  GtkWidget *icon;
  GtkWidget *mark; /* made for the first podcast that fails */

  /* Owned */
  EarCover *cover;
  char *title;
  char *distinction; /* (nullable): below the title */
  char *problem; /* (nullable): why the last check failed */
  PangoLayout *title_layout; /* (nullable): as an episode row's */
  char *count; /* (nullable): nothing waits there */
  PangoLayout *count_layout; /* (nullable): as the title's */
  EarSidebarItem *collection;
  GSignalGroup *signals;
  char *spoken;
  int level; /* that assistive technologies were told of, 0: none */
};

G_DEFINE_FINAL_TYPE (EarSidebarRow, ear_sidebar_row, GTK_TYPE_WIDGET)

static void
update_icon (EarSidebarRow *self, EarPodcast *podcast)
{
  if (self->icon == NULL && podcast == NULL)
    {
      self->icon = g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, "width-request", PICTURE_WIDTH, NULL);
      gtk_widget_set_parent (self->icon, GTK_WIDGET (self));
    }
  if (self->icon == NULL)
    return;

  gtk_widget_set_visible (self->icon, podcast == NULL);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), ear_sidebar_item_get_icon_name (self->collection));
}

static void
update_cover (EarSidebarRow *self, EarPodcast *podcast)
{
  if (podcast != NULL)
    ear_cover_set (self->cover, ear_podcast_get_name (podcast), ear_podcast_get_facts (podcast)->image, PICTURE_WIDTH);
  else
    ear_cover_set (self->cover, NULL, NULL, PICTURE_WIDTH);
}

static void
update_title (EarSidebarRow *self, EarPodcast *podcast)
{
  g_autofree char *distinction = podcast != NULL ? ear_podcast_dup_distinction (podcast) : NULL;
  const gboolean told = g_set_str (&self->distinction, distinction);

  if (!g_set_str (&self->title, ear_sidebar_item_get_title (self->collection)) && !told)
    return;

  g_clear_object (&self->title_layout);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->title, -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* That there is no network is nothing to be told of each podcast, and one that has ended has not failed. */
static char *
describe_problem (EarPodcast *podcast)
{
  const GError *error = podcast != NULL ? ear_podcast_get_error (podcast) : NULL;

  if (error == NULL || g_error_matches (error, EAR_ERROR, EAR_ERROR_OFFLINE) || ear_podcast_get_ended (podcast))
    return NULL;

  return ear_error_text_title (error, EAR_ERROR_ABOUT_FEED);
}

static void
update_mark (EarSidebarRow *self, EarPodcast *podcast)
{
  g_autofree char *problem = describe_problem (podcast);

  if (!g_set_str (&self->problem, problem))
    return;

  if (self->mark == NULL && problem != NULL)
    {
      self->mark = g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                                 "icon-name", "dialog-warning-symbolic", NULL);
      gtk_widget_set_parent (self->mark, GTK_WIDGET (self));
    }
  if (self->mark != NULL)
    gtk_widget_set_visible (self->mark, problem != NULL);
}

/* All digits are equally wide, and a resize has the row measured anew, also where it is not in sight. */
static void
update_count (EarSidebarRow *self)
{
  const guint count = ear_sidebar_item_get_count (self->collection);
  g_autofree char *text = count > 0 ? ear_closure_count (NULL, count) : NULL;
  const gboolean same_width = self->count != NULL && text != NULL && strlen (self->count) == strlen (text);

  if (!g_set_str (&self->count, text))
    return;

  g_clear_object (&self->count_layout);
  if (same_width)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  else
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* --- Folders --------------------------------------------------------------------------- */

static EarFolder *
get_folder (EarSidebarRow *self)
{
  return self->collection != NULL ? ear_sidebar_item_get_folder (self->collection) : NULL;
}

static gboolean
is_in_folder (EarSidebarRow *self)
{
  EarPodcast *podcast = self->collection != NULL ? ear_sidebar_item_get_podcast (self->collection) : NULL;

  return podcast != NULL && ear_podcast_get_folder (podcast) != NULL;
}

/* The list's own row is what assistive technologies know. Few rows have something to tell. */
static void
update_level (EarSidebarRow *self)
{
  GtkWidget *item = gtk_widget_get_parent (GTK_WIDGET (self));
  EarFolder *folder = get_folder (self);
  const int level = folder != NULL ? 1 : is_in_folder (self) ? 2 : 0;

  if (item == NULL || (level == 0 && self->level == 0))
    return;
  if (folder != NULL)
    gtk_accessible_update_state (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_STATE_EXPANDED, !ear_folder_get_folded (folder), -1);
  else if (self->level == 1)
    gtk_accessible_reset_state (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_STATE_EXPANDED);
  if (level != 0 && level != self->level)
    gtk_accessible_update_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LEVEL, level, -1);
  else if (level == 0)
    gtk_accessible_reset_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LEVEL);
  self->level = level;
}

static void
update_place (EarSidebarRow *self)
{
  update_icon (self, ear_sidebar_item_get_podcast (self->collection));
  update_level (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static char *
speak_both (const char *first, const char *second)
{
  /* Translators: what a screen reader says of a podcast, such as "PyTorch, 5 new episodes" and "example.org" */
  return second != NULL ? g_strdup_printf (C_("podcast", "%s, %s"), first, second) : g_strdup (first);
}

static void
update_spoken (EarSidebarRow *self)
{
  /* Translators: what a screen reader says of a folder of podcasts, such as "News" */
  g_autofree char *folder = get_folder (self) != NULL ? g_strdup_printf (_("%s, folder"), self->title) : NULL;
  g_autofree char *counted = ear_closure_collection_spoken (NULL, ear_sidebar_item_counts_new (self->collection), folder != NULL ? folder : self->title,
                                                            ear_sidebar_item_get_count (self->collection));
  g_autofree char *distinct = speak_both (counted, self->distinction);
  g_autofree char *spoken = speak_both (distinct, self->problem);

  ear_property_set_string (self, "spoken", spoken);
}

static void
update_all (EarSidebarRow *self)
{
  EarPodcast *podcast = ear_sidebar_item_get_podcast (self->collection);

  update_cover (self, podcast);
  update_title (self, podcast);
  update_mark (self, podcast);
  update_count (self);
  update_spoken (self);
}

static void
changed_cb (EarSidebarRow *self, GParamSpec *property)
{
  if (g_str_equal (property->name, "podcast") || g_str_equal (property->name, "icon-name"))
    update_place (self);
  update_all (self);
}

static void
collection_changed_cb (EarSidebarRow *self)
{
  g_signal_group_set_target (self->signals, self->collection);
  if (self->collection != NULL)
    {
      update_icon (self, ear_sidebar_item_get_podcast (self->collection));
      update_level (self);
      update_all (self);
    }
}

/* --- Where the parts stand -------------------------------------------------------------- */

static gboolean
has_cover (EarSidebarRow *self)
{
  return self->collection != NULL && ear_sidebar_item_get_podcast (self->collection) != NULL;
}

/* Not before it is measured: see ear-episode-row-layout.c. */
static PangoLayout *
get_count (EarSidebarRow *self)
{
  if (self->count_layout == NULL)
    self->count_layout = ear_drawn_text_new (GTK_WIDGET (self), self->count);

  return self->count_layout;
}

static PangoLayout *
create_distinct_title (EarSidebarRow *self)
{
  g_autofree char *text = g_strdup_printf ("%s\n%s", self->title != NULL ? self->title : "", self->distinction);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  PangoAttribute *const dim[] = {
    pango_attr_foreground_alpha_new (G_MAXUINT16 / 100 * DIM_PERCENT),
    pango_attr_scale_new (PANGO_SCALE_SMALL),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (dim); i++)
    {
      dim[i]->start_index = (guint) (strlen (text) - strlen (self->distinction));
      pango_attr_list_insert (attributes, dim[i]);
    }

  return ear_drawn_text_new_title (GTK_WIDGET (self), text, attributes);
}

static PangoLayout *
get_title (EarSidebarRow *self)
{
  if (self->title_layout == NULL)
    self->title_layout = self->distinction != NULL ? create_distinct_title (self) : ear_drawn_text_new_title (GTK_WIDGET (self), self->title, NULL);

  return self->title_layout;
}

static void
drop_layouts (EarSidebarRow *self)
{
  g_clear_object (&self->title_layout);
  g_clear_object (&self->count_layout);
}

static int
get_count_width (EarSidebarRow *self)
{
  int width = 0;

  if (self->count != NULL)
    pango_layout_get_pixel_size (get_count (self), &width, NULL);

  return width;
}

/* What stands behind the title, with the room before it */
static int
get_width_behind (EarSidebarRow *self)
{
  return (self->count != NULL ? SPACING + get_count_width (self) : 0) + (self->problem != NULL ? SPACING + MARK_WIDTH : 0);
}

static int
get_indent (EarSidebarRow *self)
{
  return is_in_folder (self) ? INDENT : 0;
}

static int
get_title_width (EarSidebarRow *self, int width)
{
  return MAX (width - get_indent (self) - PICTURE_WIDTH - SPACING - get_width_behind (self), TITLE_WIDTH);
}

/* Where something begins in the row, which is read from the other side where that is the way. */
static int
mirror (EarSidebarRow *self, int x, int width)
{
  GtkWidget *widget = GTK_WIDGET (self);

  return gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? gtk_widget_get_width (widget) - x - width : x;
}

static int
get_mark_start (EarSidebarRow *self)
{
  return mirror (self, gtk_widget_get_width (GTK_WIDGET (self)) - get_width_behind (self) + SPACING, MARK_WIDTH);
}

static GtkSizeRequestMode
ear_sidebar_row_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ear_sidebar_row_measure (GtkWidget      *widget,
                            GtkOrientation  orientation,
                            int             for_size,
                            int            *minimum,
                            int            *natural,
                            int            *minimum_baseline,
                            int            *natural_baseline)
{
  EarSidebarRow *self = EAR_SIDEBAR_ROW (widget);
  int icon = 0;

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

  *minimum = ear_drawn_text_fit_title (get_title (self), get_title_width (self, for_size)) + 2 * MARGIN;
  if (has_cover (self))
    *minimum = MAX (*minimum, PICTURE_WIDTH + 2 * MARGIN);
  else if (self->icon != NULL)
    gtk_widget_measure (self->icon, GTK_ORIENTATION_VERTICAL, -1, &icon, NULL, NULL, NULL);
  *minimum = MAX (*minimum, icon);
  *natural = *minimum;
  if (ear_drawn_text_is_out_of_sight (widget))
    drop_layouts (self);
}

static void
ear_sidebar_row_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EarSidebarRow *self = EAR_SIDEBAR_ROW (widget);

  ear_cover_show (self->cover);
  if (self->icon != NULL && gtk_widget_should_layout (self->icon))
    gtk_widget_size_allocate (self->icon, &(GtkAllocation) { mirror (self, 0, PICTURE_WIDTH), 0, PICTURE_WIDTH, height }, -1);
  if (self->mark != NULL && gtk_widget_should_layout (self->mark))
    gtk_widget_size_allocate (self->mark, &(GtkAllocation) { get_mark_start (self), 0, MARK_WIDTH, height }, -1);
}

static void
snapshot_title (EarSidebarRow *self, GtkSnapshot *snapshot)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const int width = get_title_width (self, gtk_widget_get_width (widget));
  const int height = ear_drawn_text_fit_title (get_title (self), width);
  GdkRGBA color;

  ear_drawn_text_get_title_color (widget, &color);
  ear_drawn_text_snapshot_title (get_title (self), widget, snapshot, mirror (self, get_indent (self) + PICTURE_WIDTH + SPACING, width),
                                 (gtk_widget_get_height (widget) - height) / 2, &color);
}

static void
snapshot_count (EarSidebarRow *self, GtkSnapshot *snapshot)
{
  GtkWidget *widget = GTK_WIDGET (self);
  int width, height;

  pango_layout_get_pixel_size (get_count (self), &width, &height);
  ear_drawn_text_snapshot (get_count (self), widget, snapshot, mirror (self, gtk_widget_get_width (widget) - width, width),
                           (gtk_widget_get_height (widget) - height) / 2);
}

static void
ear_sidebar_row_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarSidebarRow *self = EAR_SIDEBAR_ROW (widget);

  GTK_WIDGET_CLASS (ear_sidebar_row_parent_class)->snapshot (widget, snapshot);
  if (has_cover (self))
    ear_cover_snapshot (self->cover, snapshot, (float) mirror (self, get_indent (self), PICTURE_WIDTH),
                        (gtk_widget_get_height (widget) - PICTURE_WIDTH) / 2.0f, PICTURE_WIDTH);
  snapshot_title (self, snapshot);
  if (self->count != NULL)
    snapshot_count (self, snapshot);
}

static void
ear_sidebar_row_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ear_sidebar_row_parent_class)->map (widget);
  ear_cover_show (EAR_SIDEBAR_ROW (widget)->cover);
}

static void
ear_sidebar_row_unmap (GtkWidget *widget)
{
  ear_cover_hide (EAR_SIDEBAR_ROW (widget)->cover);
  drop_layouts (EAR_SIDEBAR_ROW (widget));
  GTK_WIDGET_CLASS (ear_sidebar_row_parent_class)->unmap (widget);
}

static gboolean
is_at (int x, int start, int width)
{
  return x >= start && x < start + width;
}

/* The count changes with every batch of a refresh, and a tooltip that is set makes GTK ask
 * the display where the pointer is: it is told when it is wanted instead. */
static gboolean
ear_sidebar_row_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  EarSidebarRow *self = EAR_SIDEBAR_ROW (widget);
  const int width = get_count_width (self);
  g_autofree char *text = NULL;

  if (keyboard || self->collection == NULL)
    return FALSE;
  if (self->problem != NULL && is_at (x, get_mark_start (self), MARK_WIDTH))
    text = g_strdup (self->problem);
  else if (self->count != NULL && is_at (x, mirror (self, gtk_widget_get_width (widget) - width, width), width))
    text = ear_closure_collection_count (NULL, ear_sidebar_item_counts_new (self->collection), ear_sidebar_item_get_count (self->collection));
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);

  return TRUE;
}

/* --- Class ------------------------------------------------------------------------------ */

static void
ear_sidebar_row_dispose (GObject *object)
{
  EarSidebarRow *self = EAR_SIDEBAR_ROW (object);

  g_clear_object (&self->signals);
  ear_cover_hide (self->cover);
  drop_layouts (self);
  g_clear_pointer (&self->icon, gtk_widget_unparent);
  g_clear_pointer (&self->mark, gtk_widget_unparent);
  g_clear_object (&self->collection);

  G_OBJECT_CLASS (ear_sidebar_row_parent_class)->dispose (object);
}

static void
ear_sidebar_row_finalize (GObject *object)
{
  EarSidebarRow *self = EAR_SIDEBAR_ROW (object);

  g_clear_object (&self->cover);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->distinction, g_free);
  g_clear_pointer (&self->problem, g_free);
  g_clear_pointer (&self->count, g_free);
  g_clear_pointer (&self->spoken, g_free);

  G_OBJECT_CLASS (ear_sidebar_row_parent_class)->finalize (object);
}

static void
ear_sidebar_row_class_init (EarSidebarRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* What the row shows */
    { "collection", EAR_TYPE_SIDEBAR_ITEM, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarRow, collection),
      .changed = G_CALLBACK (collection_changed_cb) },
    /* The row as a screen reader says it */
    { "spoken", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarRow, spoken) },
  };

  object_class->dispose = ear_sidebar_row_dispose;
  object_class->finalize = ear_sidebar_row_finalize;
  widget_class->query_tooltip = ear_sidebar_row_query_tooltip;
  widget_class->get_request_mode = ear_sidebar_row_get_request_mode;
  widget_class->measure = ear_sidebar_row_measure;
  widget_class->size_allocate = ear_sidebar_row_size_allocate;
  widget_class->snapshot = ear_sidebar_row_snapshot;
  widget_class->map = ear_sidebar_row_map;
  widget_class->unmap = ear_sidebar_row_unmap;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_css_name (widget_class, "collection");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
  ear_row_action_install (widget_class);
  ear_row_action_install_menu (widget_class);
}

static void
ear_sidebar_row_init (EarSidebarRow *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "caption");
  self->cover = ear_cover_new (GTK_WIDGET (self), PICTURE_WIDTH);
  self->signals = g_signal_group_new (EAR_TYPE_SIDEBAR_ITEM);
  g_signal_group_connect_swapped (self->signals, "notify", G_CALLBACK (changed_cb), self);
}

EAR_DEFINE_GET (EarSidebarRow, ear_sidebar_row, EarSidebarItem *, collection)

/* @x: a place in the row
 * Returns: whether a click there folds the folder that the row shows, or unfolds it */
gboolean
ear_sidebar_row_is_fold (EarSidebarRow *self, double x)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_ROW (self), FALSE);

  return get_folder (self) != NULL && is_at ((int) x, mirror (self, 0, PICTURE_WIDTH), PICTURE_WIDTH);
}
