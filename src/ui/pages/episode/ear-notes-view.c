/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-view-private.h"

#include <string.h>

#include <adwaita.h>
#include <glib/gi18n.h>

#include "ear-episode-actions.h"
#include "ear-format.h"
#include "ear-notes-markup.h"
#include "ear-notes-widgets.h"
#include "ear-property.h"
#include "ear-widget.h"

/* What is built at once: as many lines, about, as a page has room for below its head. What
 * lies below them is built a few lines a frame, once the listener stays for so many
 * milliseconds: whoever clicks on does not pay for it. */
#define LINES_AT_ONCE 24
#define LINES_A_FRAME 12
#define STAY_MS 120

/* No notes of real episodes have more lines. What lies below them is built as the listener comes near it, by as many pages:
 * all widgets that there are have a part in each frame that brings further ones. */
#define LINES_IN_ADVANCE 1000
#define PAGES_IN_ADVANCE 3

/* Bytes of text; it need not be exact. */
#define LINE_LENGTH 72

/* Of what the notes before have needed, so many widgets are kept for those that come. The others go, so many at a time: of
 * long notes there are more than a frame has time for. */
#define MAX_SPARE 48
#define SHED_AT_ONCE 24

/**
 * EarNotesView:
 *
 * Show notes, one widget a block. What fills the screen is built at once, the rest in
 * steps, so that clicking through episodes with long notes stays smooth. For the same reason
 * the widgets are those of the notes before, as far as they go. What is selected over several
 * blocks is in `ear-notes-view-select.c`, what can be done with it in `ear-notes-view-menu.c`.
 */

G_DEFINE_FINAL_TYPE (EarNotesView, ear_notes_view, GTK_TYPE_WIDGET)

/* Returns: (transfer none) (nullable): the widget of the first block, or the first spare one */
GtkWidget *
ear_notes_view_get_first (EarNotesView *self)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));

  return child != NULL && child == self->menu ? gtk_widget_get_next_sibling (child) : child;
}

/* @address: (nullable): the address of a link of the notes */
void
ear_notes_view_follow (EarNotesView *self, const char *address)
{
  EarEpisode *episode = self->episodes != NULL && address != NULL ? g_hash_table_lookup (self->episodes, address) : NULL;
  g_autofree char *key = episode != NULL ? ear_episode_dup_key (episode) : NULL;
  gint64 time;

  if (ear_notes_seek_address (address, self->place, &time))
    g_signal_emit_by_name (self, "seek", time);
  else if (key != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "app.show-episode", "s", key);
  else
    ear_open_address (GTK_WIDGET (self), address);
}

/* What leads to a picture brings it here, and from then on leads to the web browser. */
static gboolean
link_activated_cb (GtkWidget *label, const char *address, gpointer user_data)
{
  EarNotesView *self = EAR_NOTES_VIEW (user_data);
  GtkWidget *widget = gtk_widget_get_parent (label);

  if (self->library == NULL || ear_notes_widget_get_kind (widget) != EAR_NOTES_WIDGET_IMAGE ||
      !ear_notes_picture_load (widget, ear_library_get_covers (self->library), address, TRUE))
    ear_notes_view_follow (self, address);

  return TRUE;
}

static gsize
count_lines (const EarNotesBlock *block)
{
  gsize length = 0;

  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      length += span->text != NULL ? strlen (span->text) : 0;
    }

  return 1 + length / LINE_LENGTH;
}

static gboolean
is_built (EarNotesView *self)
{
  return self->n_built == self->notes->blocks->len;
}

/* Those of the blocks from @block on begin at @at, which is put behind those of that one. */
static void
mark_words (EarNotesView *self, GtkWidget *widget, guint block, guint *at)
{
  const guint n_marks = self->marks != NULL ? self->marks->len : 0;
  guint first;

  while (*at < n_marks && g_array_index (self->marks, EarNotesMark, *at).block < block)
    (*at)++;
  first = *at;
  while (*at < n_marks && g_array_index (self->marks, EarNotesMark, *at).block == block)
    (*at)++;
  ear_notes_widget_set_marks (widget, first < n_marks ? &g_array_index (self->marks, EarNotesMark, first) : NULL, *at - first);
}

/* The next widget: a spare one, if there is one of the kind, brought to where it is wanted. */
static GtkWidget *
take_widget (EarNotesView *self, EarNotesWidgetKind kind)
{
  GtkWidget *widget = self->spare;

  while (widget != NULL && ear_notes_widget_get_kind (widget) != kind)
    widget = gtk_widget_get_next_sibling (widget);
  if (widget == NULL)
    widget = ear_notes_widget_new (kind, link_activated_cb, G_OBJECT (self));

  if (widget == self->spare)
    self->spare = gtk_widget_get_next_sibling (widget);
  else
    gtk_widget_insert_before (widget, GTK_WIDGET (self), self->spare);

  return widget;
}

static void
load_picture (EarNotesView *self, GtkWidget *widget, const EarNotesBlock *block)
{
  if (block->type == EAR_NOTES_IMAGE && self->library != NULL)
    ear_notes_picture_load (widget, ear_library_get_covers (self->library), ((const EarNotesSpan *) g_ptr_array_index (block->spans, 0))->link, FALSE);
}

static void
build_lines (EarNotesView *self, gsize limit)
{
  guint mark = 0;

  for (gsize lines = 0; lines < limit && !is_built (self); self->n_built++)
    {
      const EarNotesBlock *block = g_ptr_array_index (self->notes->blocks, self->n_built);
      GtkWidget *widget = take_widget (self, ear_notes_block_get_kind (block));

      ear_notes_widget_fill (widget, block, self->place);
      mark_words (self, widget, self->n_built, &mark);
      gtk_widget_set_visible (widget, TRUE);
      if (self->with_pictures)
        load_picture (self, widget, block);
      lines += count_lines (block);
      self->lines_built += count_lines (block);
    }
}

static guint
count_spare (EarNotesView *self)
{
  guint n_spare = 0;

  for (GtkWidget *child = self->spare; child != NULL; child = gtk_widget_get_next_sibling (child))
    n_spare++;

  return n_spare;
}

/* From the end: what is spare comes last. */
static gboolean
shed_cb (gpointer user_data)
{
  EarNotesView *self = EAR_NOTES_VIEW (user_data);
  guint n_spare = count_spare (self);

  for (guint i = 0; i < SHED_AT_ONCE && n_spare > MAX_SPARE; i++, n_spare--)
    gtk_widget_unparent (gtk_widget_get_last_child (GTK_WIDGET (self)));
  if (n_spare > MAX_SPARE)
    return G_SOURCE_CONTINUE;
  self->shedding = 0;

  return G_SOURCE_REMOVE;
}

/* Takes out of sight what the new notes have no use for yet. */
static void
put_spare_away (EarNotesView *self)
{
  for (GtkWidget *child = self->spare; child != NULL; child = gtk_widget_get_next_sibling (child))
    gtk_widget_set_visible (child, FALSE);
  if (self->shedding == 0 && count_spare (self) > MAX_SPARE)
    self->shedding = g_idle_add (shed_cb, self);
}

static gboolean
is_near (GtkAdjustment *adjustment)
{
  const double page = gtk_adjustment_get_page_size (adjustment);

  return gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_value (adjustment) - page < PAGES_IN_ADVANCE * page;
}

static void start_building (EarNotesView *self);

static void
stop_waiting (EarNotesView *self)
{
  if (self->adjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->adjustment, self);
  g_clear_object (&self->adjustment);
}

static void
scrolled_cb (EarNotesView *self)
{
  if (!is_near (self->adjustment))
    return;
  stop_waiting (self);
  start_building (self);
}

/* Whether there is more to build than anybody is likely to see, who is told of then. */
static gboolean
waits (EarNotesView *self)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = scroller != NULL ? gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)) : NULL;

  if (self->lines_built < LINES_IN_ADVANCE || adjustment == NULL || is_near (adjustment))
    return FALSE;

  g_set_object (&self->adjustment, adjustment);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (scrolled_cb), self, G_CONNECT_SWAPPED);

  return TRUE;
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarNotesView *self = EAR_NOTES_VIEW (widget);

  build_lines (self, LINES_A_FRAME);
  if (!is_built (self) && !waits (self))
    return G_SOURCE_CONTINUE;

  self->tick = 0;

  return G_SOURCE_REMOVE;
}

static void
start_building (EarNotesView *self)
{
  self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
stay_cb (gpointer user_data)
{
  EarNotesView *self = EAR_NOTES_VIEW (user_data);

  self->stay = 0;
  start_building (self);
}

static void
stop_building (EarNotesView *self)
{
  stop_waiting (self);
  g_clear_handle_id (&self->stay, g_source_remove);
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
}

/* --- Words that are looked for ----------------------------------------------------------- */

static void
show_marks (EarNotesView *self)
{
  GtkWidget *widget = ear_notes_view_get_first (self);
  guint mark = 0;

  for (guint i = 0; i < self->n_built; i++, widget = gtk_widget_get_next_sibling (widget))
    mark_words (self, widget, i, &mark);
}

static void
set_marks (EarNotesView *self, GArray *marks)
{
  if (self->marks == NULL && marks == NULL)
    return;

  g_clear_pointer (&self->marks, g_array_unref);
  self->marks = marks != NULL ? g_array_ref (marks) : NULL;
  show_marks (self);
}

static void
found_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarNotesView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) marks = ear_catalogue_find_in_notes_finish (EAR_CATALOGUE (object), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_clear_object (&self->finding);
  set_marks (self, marks);
}

static void
stop_finding (EarNotesView *self)
{
  g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);
}

/* What was marked of other words stays until it is known where these are. */
static void
find_words (EarNotesView *self)
{
  stop_finding (self);
  if (self->search == NULL || self->notes == NULL || self->library == NULL)
    {
      set_marks (self, NULL);
      return;
    }

  self->finding = g_cancellable_new ();
  ear_catalogue_find_in_notes_async (ear_library_get_catalogue (self->library), self->notes, self->search, self->finding, found_cb,
                                     g_object_ref (self));
}

/* --- Links for those who do not see them ------------------------------------------------- */

static const EarNotesSpan *
find_link (EarNotesView *self, const char *address)
{
  for (guint i = 0; self->notes != NULL && i < self->notes->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (self->notes->blocks, i);

      for (guint j = 0; j < block->spans->len; j++)
        {
          const EarNotesSpan *span = g_ptr_array_index (block->spans, j);

          if (g_strcmp0 (span->link, address) == 0)
            return span;
        }
    }

  return NULL;
}

/* Returns: (transfer full) (nullable): the link as a screen reader says it */
char *
ear_notes_view_describe_link (EarNotesView *self, const char *address)
{
  const EarNotesSpan *span;
  gint64 time;

  g_return_val_if_fail (EAR_IS_NOTES_VIEW (self), NULL);

  if (ear_notes_seek_address (address, self->place, &time))
    {
      g_autofree char *clock = ear_format_clock_spoken (time);

      /* Translators: a screen reader says it of a time stamp in the notes: Link: play from "12 minutes 3 seconds" */
      return g_strdup_printf (_("Link: play from %s"), clock);
    }

  span = find_link (self, address);

  /* Translators: a screen reader says it of a link in the notes; %s is its text */
  return g_strdup_printf (_("Link: %s"), span != NULL && span->text != NULL && *span->text != '\0' ? span->text : address);
}

/* GTK's labels tell nobody which of their links the keys have come to. */
static gboolean
ear_notes_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  EarNotesView *self = EAR_NOTES_VIEW (widget);
  const gboolean moved = GTK_WIDGET_CLASS (ear_notes_view_parent_class)->focus (widget, direction);
  GtkWidget *focus = moved ? gtk_root_get_focus (gtk_widget_get_root (widget)) : NULL;
  const char *address = focus != NULL && GTK_IS_LABEL (focus) ? gtk_label_get_current_uri (GTK_LABEL (focus)) : NULL;
  g_autofree char *words = address != NULL ? ear_notes_view_describe_link (self, address) : NULL;

  if (words != NULL)
    ear_announce (GTK_ACCESSIBLE (focus), words, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);

  return moved;
}

static void
ear_notes_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GTK_WIDGET_CLASS (ear_notes_view_parent_class)->snapshot (widget, snapshot);
  ear_notes_view_draw_selection (EAR_NOTES_VIEW (widget), snapshot);
}

static void
ear_notes_view_dispose (GObject *object)
{
  EarNotesView *self = EAR_NOTES_VIEW (object);
  GtkWidget *child;

  stop_building (self);
  stop_finding (self);
  g_clear_handle_id (&self->shedding, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->spare = NULL;
  self->menu = NULL;
  g_clear_pointer (&self->link, g_free);
  g_clear_pointer (&self->notes, ear_notes_unref);
  g_clear_pointer (&self->episodes, g_hash_table_unref);
  g_clear_pointer (&self->place, g_free);
  g_clear_pointer (&self->search, g_free);
  g_clear_pointer (&self->marks, g_array_unref);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_notes_view_parent_class)->dispose (object);
}

static void
ear_notes_view_class_init (EarNotesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  /* Who finds words in notes, loads their pictures, and knows which links were read */
  const EarProperty library = { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarNotesView, library) };

  G_OBJECT_CLASS (klass)->dispose = ear_notes_view_dispose;
  ear_properties_install (G_OBJECT_CLASS (klass), &library, 1);
  widget_class->focus = ear_notes_view_focus;
  widget_class->snapshot = ear_notes_view_snapshot;
  ear_notes_view_bind_menu (klass);

  /* A time stamp was clicked. */
  g_signal_new ("seek", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "notes");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ear_notes_view_init (EarNotesView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (show_marks), self, G_CONNECT_SWAPPED);
  ear_notes_view_init_selection (self);
  ear_notes_view_init_menu (self);
}

/* Shows notes from their beginning.
 * @notes: (nullable): what to show
 * @place: (nullable): the address that their time stamps are times of, for who copies one */
void
ear_notes_view_set_notes (EarNotesView *self, EarNotes *notes, const char *place)
{
  g_return_if_fail (EAR_IS_NOTES_VIEW (self));

  stop_building (self);
  ear_notes_view_clear_labels (self);
  g_clear_pointer (&self->marks, g_array_unref);
  g_clear_pointer (&self->notes, ear_notes_unref);
  g_clear_pointer (&self->link, g_free);
  g_set_str (&self->place, place);
  self->n_built = 0;
  self->lines_built = 0;
  self->spare = ear_notes_view_get_first (self);
  self->anchor = self->cursor = (EarNotesPlace) { 0, 0 };
  self->is_pressed = self->selecting = self->with_pictures = FALSE;
  if (notes != NULL)
    {
      self->notes = ear_notes_ref (notes);
      build_lines (self, LINES_AT_ONCE);
      if (!is_built (self))
        self->stay = g_timeout_add_once (STAY_MS, stay_cb, self);
    }
  put_spare_away (self);
  find_words (self);
}

/* Marks these words in the notes that are shown from now on.
 * @search: (nullable): words that are looked for */
void
ear_notes_view_set_search (EarNotesView *self, const char *search)
{
  g_return_if_fail (EAR_IS_NOTES_VIEW (self));

  if (g_set_str (&self->search, search))
    find_words (self);
}

/* Loads the pictures of the notes that are shown, also of what is not built yet. Those that cannot be had stay links. */
void
ear_notes_view_load_pictures (EarNotesView *self)
{
  GtkWidget *widget;

  g_return_if_fail (EAR_IS_NOTES_VIEW (self));

  widget = ear_notes_view_get_first (self);
  self->with_pictures = TRUE;
  for (guint i = 0; i < self->n_built; i++, widget = gtk_widget_get_next_sibling (widget))
    load_picture (self, widget, g_ptr_array_index (self->notes->blocks, i));
}

/* @episodes: (nullable) (element-type utf8 EarEpisode): those that are known by addresses that the notes link: they are shown here, and not in a
 *   browser */
void
ear_notes_view_set_episodes (EarNotesView *self, GHashTable *episodes)
{
  g_return_if_fail (EAR_IS_NOTES_VIEW (self));

  g_clear_pointer (&self->episodes, g_hash_table_unref);
  if (episodes != NULL)
    self->episodes = g_hash_table_ref (episodes);
}
