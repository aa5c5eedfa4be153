/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-view.h"

#include <string.h>

#include <adwaita.h>
#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-format.h"
#include "ear-link.h"
#include "ear-notes-blocks.h"
#include "ear-property.h"
#include "ear-share.h"
#include "ear-widget.h"

/* Blocks that are built at once, and once more for each Show More: most notes have fewer,
 * and all of a megabyte would make every frame slow. */
#define BLOCKS_AT_ONCE 200

/**
 * EarNotesView:
 *
 * Show notes, a widget a block. Within one block, GTK's label selects text. Once the
 * pointer leaves the label where it was pressed, the view selects over several blocks and
 * highlights the selection, as labels take it from each other.
 */
struct _EarNotesView
{
  GtkWidget parent_instance;

  /* Template children */
  GtkBox *box; /* of the blocks */
  GtkWidget *more_button;
  GMenuModel *notes_menu;

  /* Owned */
  EarNotes *notes;       /* (nullable) */
  GPtrArray *widgets;    /* (element-type GtkWidget): of the blocks so far; borrowed from the box */
  GHashTable *episodes;  /* (nullable) (element-type utf8 EarEpisode): by linked addresses */
  char *address;         /* (nullable): the address whose times the time stamps are */
  EarLibrary *library;   /* (nullable) */
  char *search;          /* (nullable): the words that are marked */
  GArray *marks;         /* (nullable) (element-type EarNotesMark): sorted by block */
  GCancellable *finding; /* (nullable) */
  char *link;            /* (nullable): the address that the menu is about */

  /* Borrowed */
  GtkWidget *menu; /* (nullable): a child, made when it first opens */

  gboolean with_pictures; /* load pictures without a click */

  EarNotesPlace anchor; /* where a selection over several blocks began */
  EarNotesPlace cursor; /* where it ends; equal to anchor: there is none */
  gboolean is_pressed;  /* the pointer's button */
  gboolean selecting;   /* the pointer left the block where it was pressed */
};

G_DEFINE_FINAL_TYPE (EarNotesView, ear_notes_view, GTK_TYPE_WIDGET)

static const EarNotesBlock *
get_block (EarNotesView *self, guint index)
{
  return g_ptr_array_index (self->notes->blocks, index);
}

/* Returns: (nullable): the label of a block that is built */
static GtkWidget *
get_label (EarNotesView *self, guint block)
{
  return ear_notes_block_get_label (g_ptr_array_index (self->widgets, block));
}

/* --- Selecting ---------------------------------------------------------------------- */

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
    return (EarNotesRange){ self->anchor, self->cursor };

  return (EarNotesRange){ self->cursor, self->anchor };
}

static EarNotesRange
get_everything (EarNotesView *self)
{
  return (EarNotesRange){ { 0, 0 }, { self->notes->blocks->len, 0 } };
}

static gsize
get_length (EarNotesView *self, guint block)
{
  g_autofree char *text = ear_notes_block_to_text (get_block (self, block));

  return strlen (text);
}

/* @letter: whether to find the letter at the point, and not the
 * nearest gap between two */
static gsize
find_offset (GtkWidget *label, graphene_point_t point, gboolean letter, gboolean *within)
{
  PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
  const char *text = pango_layout_get_text (layout);
  int left, top, index, trailing;

  gtk_label_get_layout_offsets (GTK_LABEL (label), &left, &top);
  *within = pango_layout_xy_to_index (layout, (int) ((point.x - left) * PANGO_SCALE),
                                      (int) ((point.y - top) * PANGO_SCALE), &index, &trailing);

  return letter ? (gsize) index
                : (gsize) (g_utf8_offset_to_pointer (text + index, trailing) - text);
}

/* Finds a position in the text: the nearest one in the same line, or the start of
 * the block below.
 * @letter: whether to find the letter at the point, and not the nearest gap between two
 * @position: (out): the position
 * Returns: whether there is text at the point */
gboolean
ear_notes_view_find_position (EarNotesView *self, double x, double y, gboolean letter,
                              EarNotesPlace *position)
{
  const graphene_point_t point = GRAPHENE_POINT_INIT ((float) x, (float) y);
  graphene_point_t inside;
  graphene_rect_t bounds;
  gboolean within = FALSE;
  guint block = 0;

  *position = (EarNotesPlace){ 0, 0 };
  if (self->widgets->len == 0)
    return FALSE;
  while (block < self->widgets->len &&
         (!gtk_widget_compute_bounds (g_ptr_array_index (self->widgets, block), GTK_WIDGET (self),
                                      &bounds) ||
          point.y >= bounds.origin.y + bounds.size.height))
    block++;
  if (block == self->widgets->len)
    {
      *position = (EarNotesPlace){ block - 1, get_length (self, block - 1) };
      return FALSE;
    }

  position->block = block;
  if (get_label (self, block) == NULL ||
      !gtk_widget_compute_point (GTK_WIDGET (self), get_label (self, block), &point, &inside) ||
      inside.y < 0)
    return FALSE;
  position->offset =
    MIN (find_offset (get_label (self, block), inside, letter, &within), get_length (self, block));

  return within;
}

/* Highlights the words of the search, and the selection. */
static void
update_highlights (EarNotesView *self)
{
  const EarNotesRange range = get_range (self);

  for (guint i = 0; i < self->widgets->len; i++)
    ear_notes_block_highlight (g_ptr_array_index (self->widgets, i), i, self->marks,
                               has_selection (self) ? &range : NULL);
}

/* Selects the text between two positions, or nothing where they are equal. */
void
ear_notes_view_select (EarNotesView *self, EarNotesPlace anchor, EarNotesPlace cursor)
{
  self->anchor = anchor;
  self->cursor = cursor;
  update_highlights (self);
}

static void
clear_labels (EarNotesView *self)
{
  for (guint i = 0; i < self->widgets->len; i++)
    if (get_label (self, i) != NULL &&
        gtk_label_get_selection_bounds (GTK_LABEL (get_label (self, i)), NULL, NULL))
      gtk_label_select_region (GTK_LABEL (get_label (self, i)), 0, 0);
}

/* @range: (out): the selection within one block, in letters, as its label counts them
 * Returns: whether text is selected there */
static gboolean
get_label_selection (EarNotesView *self, guint block, EarNotesRange *range)
{
  GtkWidget *label = get_label (self, block);
  g_autofree char *text = NULL;
  int start, end;

  if (label == NULL || !gtk_label_get_selection_bounds (GTK_LABEL (label), &start, &end) ||
      start == end)
    return FALSE;

  text = ear_notes_block_to_text (get_block (self, block));
  end = MIN (end, (int) g_utf8_strlen (text, -1));
  start = MIN (start, end);
  *range = (EarNotesRange){ { block, g_utf8_offset_to_pointer (text, start) - text },
                            { block, g_utf8_offset_to_pointer (text, end) - text } };

  return TRUE;
}

/* @range: (out): the selection, in one block or over several
 * Returns: %FALSE if nothing is selected */
gboolean
ear_notes_view_get_selection (EarNotesView *self, EarNotesRange *range)
{
  if (has_selection (self))
    {
      *range = get_range (self);
      return TRUE;
    }
  for (guint i = 0; i < self->widgets->len; i++)
    if (get_label_selection (self, i, range))
      return TRUE;

  return FALSE;
}

static void
pressed_cb (EarNotesView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  EarNotesPlace position;

  self->selecting = FALSE;
  self->is_pressed = !ear_is_touch (gesture);
  ear_notes_view_find_position (self, x, y, FALSE, &position);
  ear_notes_view_select (self, position, position);
}

/* Offers the selection to the middle button, as labels do. */
static void
finish_selecting (EarNotesView *self)
{
  const EarNotesRange range = get_range (self);
  g_autofree char *text = has_selection (self) ? ear_notes_copy (self->notes, &range, FALSE) : NULL;

  self->selecting = FALSE;
  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_primary_clipboard (GTK_WIDGET (self)), text);
}

/* A drag gesture would not do: the label's own would deny it at once. Once the pointer leaves
 * the label where it was pressed, that label selects no more, and follows no link when the
 * button is released. */
static void
moved_cb (EarNotesView *self, double x, double y, GtkEventController *controller)
{
  EarNotesPlace position;

  if (!self->is_pressed)
    return;
  if ((gtk_event_controller_get_current_event_state (controller) & GDK_BUTTON1_MASK) == 0)
    {
      self->is_pressed = FALSE;
      if (self->selecting)
        finish_selecting (self);
      return;
    }
  ear_notes_view_find_position (self, x, y, FALSE, &position);
  if (!self->selecting && position.block != self->anchor.block)
    {
      GtkWidget *label = get_label (self, self->anchor.block);

      if (label != NULL)
        ear_cancel_gestures (label);
      clear_labels (self);
      self->selecting = TRUE;
    }
  if (self->selecting && compare (position, self->cursor) != 0)
    ear_notes_view_select (self, self->anchor, position);
}

/* --- Copying ------------------------------------------------------------------------ */

/* Copies the selection, as text or Markdown. Without a selection, Markdown is of all notes. */
static void
copy (EarNotesView *self, const char *name)
{
  const gboolean markdown = g_str_equal (name, "notes.copy-markdown");
  g_autofree char *text = NULL;
  EarNotesRange range;

  if (!ear_notes_view_get_selection (self, &range))
    {
      if (!markdown || self->notes == NULL)
        return;
      range = get_everything (self);
    }
  text = markdown ? ear_notes_copy (self->notes, &range, TRUE)
                  : ear_notes_copy (self->notes, &range, FALSE);
  ear_copy_text (GTK_WIDGET (self), text);
}

static void
select_all (EarNotesView *self)
{
  if (self->notes == NULL)
    return;
  clear_labels (self);
  ear_notes_view_select (self, get_everything (self).start, get_everything (self).end);
}

/* --- Links -------------------------------------------------------------------------- */

/* @address: (nullable): the address of a link of the notes */
static void
follow_link (EarNotesView *self, const char *address)
{
  EarEpisode *episode = self->episodes != NULL && address != NULL
                        ? g_hash_table_lookup (self->episodes, address)
                        : NULL;
  g_autofree char *key = episode != NULL ? ear_episode_dup_key (episode) : NULL;
  gint64 time;

  if (ear_notes_seek_address (address, self->address, &time))
    gtk_widget_activate_action (GTK_WIDGET (self), "tabs.seek", "x", time);
  else if (key != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "app.show-episode", "s", key);
  else
    ear_open_address (GTK_WIDGET (self), address);
}

/* The link of a picture loads it; once it is there, the link opens it in
 * the web browser. */
static gboolean
link_activated_cb (GtkWidget *label, const char *address, gpointer user_data)
{
  EarNotesView *self = EAR_NOTES_VIEW (user_data);

  if (self->library == NULL ||
      !ear_notes_block_load_picture (gtk_widget_get_parent (label),
                                     ear_library_get_covers (self->library), address, TRUE))
    follow_link (self, address);

  return TRUE;
}

static void
open_link (EarNotesView *self)
{
  follow_link (self, self->link);
}

static void
copy_link (EarNotesView *self)
{
  if (self->link != NULL)
    ear_copy_text (GTK_WIDGET (self), g_str_has_prefix (self->link, "mailto:")
                                        ? self->link + strlen ("mailto:")
                                        : self->link);
}

/* Returns: (transfer full) (nullable): the menu's link, with its words from the notes;
 * %NULL where it opens no web page */
static EarLink *
dup_reading_link (EarNotesView *self)
{
  g_autofree char *address =
    self->link != NULL && self->library != NULL ? ear_link_address_dup_clean (self->link) : NULL;
  g_autoptr (EarLink) bare = NULL;
  g_autoptr (GPtrArray) links = NULL;

  if (address == NULL)
    return NULL;
  bare = ear_link_new (address, NULL, NULL, ear_link_kind_find (address));
  links = ear_links_of_notes (self->notes);
  for (guint i = 0; i < links->len; i++)
    {
      EarLink *link = g_ptr_array_index (links, i);

      if (g_str_equal (link->key, bare->key))
        return g_object_ref (link);
    }

  return g_steal_pointer (&bare);
}

static void
star_link (EarNotesView *self, const char *name)
{
  g_autoptr (EarLink) link = dup_reading_link (self);

  if (link != NULL)
    ear_reading_list_set (ear_library_get_reading_list (self->library), link, EAR_LINK_STARRED,
                          g_str_equal (name, "notes.star-link"));
}

static char *
dup_link_at (EarNotesView *self, EarNotesPlace position)
{
  const EarNotesBlock *block = get_block (self, position.block);
  gsize end = 0;

  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      end += strlen (span->text);
      if (position.offset < end || block->type == EAR_NOTES_IMAGE)
        return span->time >= 0 ? ear_address_with_time (self->address, span->time)
                               : g_strdup (span->link);
    }

  return NULL;
}

static const char *
find_link_text (EarNotesView *self, const char *address)
{
  for (guint i = 0; self->notes != NULL && i < self->notes->blocks->len; i++)
    for (guint j = 0; j < get_block (self, i)->spans->len; j++)
      {
        const EarNotesSpan *span = g_ptr_array_index (get_block (self, i)->spans, j);

        if (g_strcmp0 (span->link, address) == 0)
          return span->text;
      }

  return NULL;
}

/* Returns: (transfer full): the link as a screen reader reads it */
char *
ear_notes_view_describe_link (EarNotesView *self, const char *address)
{
  const char *text;
  gint64 time;

  if (ear_notes_seek_address (address, self->address, &time))
    {
      g_autofree char *clock = ear_format_clock_spoken (time);

      /* Translators: a screen reader says it of a time stamp in the notes: Link: play from "12
       * minutes 3 seconds" */
      return g_strdup_printf (_("Link: play from %s"), clock);
    }

  text = find_link_text (self, address);

  /* Translators: a screen reader says it of a link in the notes; %s is its text */
  return g_strdup_printf (_("Link: %s"), !ear_is_empty (text) ? text : address);
}

/* Announces the link that gets the focus: GTK's labels do not. */
static gboolean
ear_notes_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  const gboolean moved = GTK_WIDGET_CLASS (ear_notes_view_parent_class)->focus (widget, direction);
  GtkWidget *focus = moved ? gtk_root_get_focus (gtk_widget_get_root (widget)) : NULL;
  const char *address = GTK_IS_LABEL (focus) ? gtk_label_get_current_uri (GTK_LABEL (focus)) : NULL;
  g_autofree char *words =
    address != NULL ? ear_notes_view_describe_link (EAR_NOTES_VIEW (widget), address) : NULL;

  if (words != NULL)
    ear_announce (GTK_ACCESSIBLE (focus), words, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);

  return moved;
}

/* --- The menu ----------------------------------------------------------------------- */

static void
update_actions (EarNotesView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  EarNotesRange range;
  gint64 time;
  const gboolean is_time = ear_notes_seek_address (self->link, self->address, &time);
  g_autoptr (EarLink) link = is_time ? NULL : dup_reading_link (self);
  const gboolean is_starred =
    link != NULL &&
    ear_reading_list_has (ear_library_get_reading_list (self->library), link, EAR_LINK_STARRED);

  gtk_widget_action_set_enabled (widget, "notes.play-link", is_time);
  gtk_widget_action_set_enabled (widget, "notes.open-link", self->link != NULL && !is_time);
  gtk_widget_action_set_enabled (widget, "notes.copy-link",
                                 self->link != NULL && *self->link != '#');
  gtk_widget_action_set_enabled (widget, "notes.star-link", link != NULL && !is_starred);
  gtk_widget_action_set_enabled (widget, "notes.unstar-link", is_starred);
  gtk_widget_action_set_enabled (widget, "notes.copy", ear_notes_view_get_selection (self, &range));
}

/* The menu disables Copy while nothing is selected; the key looks when it is pressed. */
static void
menu_closed_cb (EarNotesView *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "notes.copy", TRUE);
}

static void
open_menu (EarNotesView *self, double x, double y)
{
  update_actions (self);
  if (self->menu == NULL)
    {
      self->menu = gtk_popover_menu_new_from_model (self->notes_menu);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      ear_connect (self->menu, "closed", menu_closed_cb, self);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
long_pressed_cb (EarNotesView *self, double x, double y, GtkGesture *gesture)
{
  EarNotesPlace position;

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  if (self->widgets->len == 0)
    return;
  g_free (self->link);
  self->link = ear_notes_view_find_position (self, x, y, TRUE, &position)
               ? dup_link_at (self, position)
               : NULL;
  open_menu (self, x, y);
}

static void
right_pressed_cb (EarNotesView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  long_pressed_cb (self, x, y, gesture);
}

/* Opens the menu of the focused link or paragraph, or else of all notes. */
static void
menu (EarNotesView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  const gboolean in_label = GTK_IS_LABEL (focus) && gtk_widget_is_ancestor (focus, widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget), 0);

  if (self->notes == NULL || (in_label && !gtk_widget_compute_bounds (focus, widget, &bounds)))
    return;
  g_set_str (&self->link, in_label ? gtk_label_get_current_uri (GTK_LABEL (focus)) : NULL);
  open_menu (self, (double) (bounds.origin.x + bounds.size.width / 2),
             (double) (bounds.origin.y + bounds.size.height));
}

/* --- Words of a search -------------------------------------------------------------- */

static void
set_marks (EarNotesView *self, GArray *marks)
{
  if (self->marks == NULL && marks == NULL)
    return;
  g_clear_pointer (&self->marks, g_array_unref);
  self->marks = marks != NULL ? g_array_ref (marks) : NULL;
  update_highlights (self);
}

static void
found_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarNotesView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) marks = ear_catalogue_read_finish (EAR_CATALOGUE (object), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->finding);
  set_marks (self, marks);
}

/* Keeps the marks of the previous words until the new ones are found. */
static void
find_words (EarNotesView *self)
{
  ear_cancellable_clear (&self->finding);
  if (self->search == NULL || self->notes == NULL || self->library == NULL)
    {
      set_marks (self, NULL);
      return;
    }

  self->finding = g_cancellable_new ();
  ear_catalogue_read_async (ear_library_get_catalogue (self->library),
                            ear_read_matches (self->notes, self->search), self->finding, found_cb,
                            g_object_ref (self));
}

/* --- Building ----------------------------------------------------------------------- */

static void
load_picture (EarNotesView *self, guint block)
{
  if (get_block (self, block)->type == EAR_NOTES_IMAGE && self->library != NULL)
    ear_notes_block_load_picture (
      g_ptr_array_index (self->widgets, block), ear_library_get_covers (self->library),
      ((const EarNotesSpan *) g_ptr_array_index (get_block (self, block)->spans, 0))->link, FALSE);
}

static void
build_blocks (EarNotesView *self)
{
  const guint first = self->widgets->len;
  const guint n_blocks = self->notes != NULL ? self->notes->blocks->len : 0;
  const guint end = MIN (first + BLOCKS_AT_ONCE, n_blocks);

  for (guint i = first; i < end; i++)
    {
      GtkWidget *widget = ear_notes_block_create (get_block (self, i), self->address);
      GtkWidget *label = ear_notes_block_get_label (widget);

      if (label != NULL)
        g_signal_connect_object (label, "activate-link", G_CALLBACK (link_activated_cb), self,
                                 G_CONNECT_DEFAULT);
      gtk_box_append (self->box, widget);
      g_ptr_array_add (self->widgets, widget);
      if (self->with_pictures)
        load_picture (self, i);
    }
  gtk_widget_set_visible (self->more_button, end < n_blocks);
  update_highlights (self);
}

/* The focus goes on with the text. */
static void
more_clicked_cb (EarNotesView *self)
{
  const guint first = self->widgets->len;

  build_blocks (self);
  gtk_widget_child_focus (g_ptr_array_index (self->widgets, first), GTK_DIR_TAB_FORWARD);
}

static void
clear_blocks (EarNotesView *self)
{
  GtkWidget *child;

  g_ptr_array_set_size (self->widgets, 0);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->box))) != NULL)
    gtk_box_remove (self->box, child);
}

/* --- The object --------------------------------------------------------------------- */

static void
ear_notes_view_dispose (GObject *object)
{
  EarNotesView *self = EAR_NOTES_VIEW (object);

  if (self->box != NULL)
    clear_blocks (self);
  ear_cancellable_clear (&self->finding);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_NOTES_VIEW);
  g_clear_pointer (&self->link, g_free);
  g_clear_pointer (&self->notes, ear_notes_unref);
  g_clear_pointer (&self->episodes, g_hash_table_unref);
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->search, g_free);
  g_clear_pointer (&self->marks, g_array_unref);
  g_clear_pointer (&self->widgets, g_ptr_array_unref);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_notes_view_parent_class)->dispose (object);
}

static void
ear_notes_view_class_init (EarNotesViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty library = { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE,
                                G_STRUCT_OFFSET (EarNotesView, library) };

  object_class->dispose = ear_notes_view_dispose;
  ear_properties_install (object_class, &library, 1);
  widget_class->focus = ear_notes_view_focus;

  ear_action_install (widget_class, "notes.copy", NULL, copy);
  ear_action_install (widget_class, "notes.copy-markdown", NULL, copy);
  ear_action_install (widget_class, "notes.select-all", NULL, select_all);
  ear_action_install (widget_class, "notes.play-link", NULL, open_link);
  ear_action_install (widget_class, "notes.open-link", NULL, open_link);
  ear_action_install (widget_class, "notes.copy-link", NULL, copy_link);
  ear_action_install (widget_class, "notes.star-link", NULL, star_link);
  ear_action_install (widget_class, "notes.unstar-link", NULL, star_link);
  ear_action_install (widget_class, "notes.menu", NULL, menu);

  ear_widget_set_template (widget_class, "ear-notes-view");
  gtk_widget_class_bind_template_child (widget_class, EarNotesView, box);
  gtk_widget_class_bind_template_child (widget_class, EarNotesView, more_button);
  gtk_widget_class_bind_template_child (widget_class, EarNotesView, notes_menu);
  gtk_widget_class_bind_template_callback (widget_class, pressed_cb);
  gtk_widget_class_bind_template_callback (widget_class, moved_cb);
  gtk_widget_class_bind_template_callback (widget_class, right_pressed_cb);
  gtk_widget_class_bind_template_callback (widget_class, long_pressed_cb);
  gtk_widget_class_bind_template_callback (widget_class, more_clicked_cb);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ear_notes_view_init (EarNotesView *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  self->widgets = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_connect (style, "notify::dark", update_highlights, self);
  ear_connect (style, "notify::accent-color-rgba", update_highlights, self);
}

/* Shows notes from their beginning.
 * @notes: (nullable): what to show
 * @address: (nullable): the address whose times the time stamps are, for copying them */
void
ear_notes_view_set_notes (EarNotesView *self, EarNotes *notes, const char *address)
{
  clear_blocks (self);
  g_clear_pointer (&self->marks, g_array_unref);
  g_clear_pointer (&self->notes, ear_notes_unref);
  g_clear_pointer (&self->link, g_free);
  g_set_str (&self->address, address);
  self->notes = notes != NULL ? ear_notes_ref (notes) : NULL;
  self->is_pressed = self->selecting = self->with_pictures = FALSE;
  ear_notes_view_select (self, (EarNotesPlace){ 0, 0 }, (EarNotesPlace){ 0, 0 });
  build_blocks (self);
  find_words (self);
}

/* Marks words in these notes and in all that follow.
 * @search: (nullable): the words of a search */
void
ear_notes_view_set_search (EarNotesView *self, const char *search)
{
  if (g_set_str (&self->search, search))
    find_words (self);
}

/* Loads the pictures of these notes. Pictures that fail remain links. */
void
ear_notes_view_load_pictures (EarNotesView *self)
{
  self->with_pictures = TRUE;
  for (guint i = 0; i < self->widgets->len; i++)
    load_picture (self, i);
}

/* @episodes: (nullable) (element-type utf8 EarEpisode): episodes by the addresses that
 * link to them: such a link shows the episode here and not in a browser */
void
ear_notes_view_set_episodes (EarNotesView *self, GHashTable *episodes)
{
  g_clear_pointer (&self->episodes, g_hash_table_unref);
  if (episodes != NULL)
    self->episodes = g_hash_table_ref (episodes);
}
