/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-view.h"

#include <string.h>

#include <glib/gi18n.h>

#include "ear-announce.h"
#include "ear-episode-actions.h"
#include "ear-format.h"
#include "ear-notes-markup.h"
#include "ear-text-layout.h"

/* What is built at once: as many lines, about, as a page has room for below its head. What
 * lies below them is built a few lines a frame, once the listener stays for so many
 * milliseconds: whoever clicks on does not pay for it. */
#define LINES_AT_ONCE 24
#define LINES_A_FRAME 12
#define STAY_MS 120

/* Bytes of text; it need not be exact. */
#define LINE_LENGTH 72

/* Deeper levels of lists and quotes are not indented further. */
#define DEEPEST_LEVEL 6
#define INDENT 20

/**
 * EarNotesView:
 *
 * Show notes, one widget a block. What fills the screen is built at once, the rest in
 * steps, so that clicking through episodes with long notes stays smooth. Widgets are made
 * here and not in a template because which ones there are is up to the notes.
 */
struct _EarNotesView
{
  GtkWidget parent_instance;

  /* Owned */
  EarNotes *notes;
  guint n_built;
  guint stay; /* source: until the rest is built */
  guint tick; /* while it is */
};

G_DEFINE_FINAL_TYPE (EarNotesView, ear_notes_view, GTK_TYPE_WIDGET)

enum
{
  SIGNAL_SEEK,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static gboolean
link_activated_cb (EarNotesView *self, const char *address)
{
  gint64 time;

  if (ear_notes_seek_address (address, &time))
    g_signal_emit (self, signals[SIGNAL_SEEK], 0, time);
  else
    ear_open_address (GTK_WIDGET (self), address);

  return TRUE;
}

static GtkWidget *
new_text (EarNotesView *self, const EarNotesBlock *block, GtkAccessibleRole role)
{
  g_autofree char *markup = ear_notes_block_to_markup (block);
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL,
                                   "accessible-role", role,
                                   "label", markup,
                                   "use-markup", TRUE,
                                   "xalign", 0.0f,
                                   "selectable", TRUE,
                                   NULL);

  g_signal_connect_object (label, "activate-link", G_CALLBACK (link_activated_cb), self, G_CONNECT_SWAPPED);

  return label;
}

static void
wrap_text (GtkWidget *label)
{
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_layout_manager (label, ear_text_layout_new ());
}

static GtkWidget *
make_label (EarNotesView *self, const EarNotesBlock *block)
{
  GtkWidget *label = new_text (self, block, GTK_ACCESSIBLE_ROLE_LABEL);

  wrap_text (label);

  return label;
}

static GtkWidget *
make_heading (EarNotesView *self, const EarNotesBlock *block)
{
  static const char *const classes[] = { "title-3", "title-4", "heading" };
  GtkWidget *label = new_text (self, block, GTK_ACCESSIBLE_ROLE_HEADING);

  wrap_text (label);
  gtk_widget_add_css_class (label, classes[CLAMP (block->level, 1, 3) - 1]);
  gtk_widget_add_css_class (label, "notes-heading");
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LEVEL, (int) CLAMP (block->level + 1, 2, 6), -1);

  return label;
}

static GtkWidget *
make_list_item (EarNotesView *self, const EarNotesBlock *block)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  g_autofree char *text = block->number > 0 ? g_strdup_printf ("%u.", block->number) : g_strdup ("•");
  /* A bullet is for the eye; a number is said. */
  GtkWidget *mark = g_object_new (GTK_TYPE_LABEL, "label", text,
                                  "accessible-role", block->number > 0 ? GTK_ACCESSIBLE_ROLE_LABEL : GTK_ACCESSIBLE_ROLE_PRESENTATION,
                                  NULL);

  gtk_widget_set_valign (mark, GTK_ALIGN_BASELINE_FILL);
  gtk_label_set_xalign (GTK_LABEL (mark), 1.0f);
  gtk_widget_set_size_request (mark, INDENT - 8, -1);
  gtk_widget_add_css_class (mark, "dimmed");
  gtk_widget_add_css_class (mark, "numeric");
  gtk_box_append (GTK_BOX (box), mark);
  gtk_box_append (GTK_BOX (box), make_label (self, block));
  gtk_widget_set_margin_start (box, INDENT * (int) (CLAMP (block->level, 1, DEEPEST_LEVEL) - 1));
  gtk_widget_add_css_class (box, "notes-item");

  return box;
}

static GtkWidget *
make_quote (EarNotesView *self, const EarNotesBlock *block)
{
  GtkWidget *label = make_label (self, block);

  gtk_widget_set_margin_start (label, INDENT * (int) (CLAMP (block->level, 1, DEEPEST_LEVEL) - 1));
  gtk_widget_add_css_class (label, "notes-quote");

  return label;
}

/* Lines of code are not wrapped; they scroll sideways by themselves. */
static GtkWidget *
make_preformatted (EarNotesView *self, const EarNotesBlock *block)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *label = new_text (self, block, GTK_ACCESSIBLE_ROLE_LABEL);

  gtk_widget_add_css_class (label, "monospace");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), label);
  gtk_widget_add_css_class (scroller, "notes-code");

  return scroller;
}

static GtkWidget *
make_block (EarNotesView *self, const EarNotesBlock *block)
{
  GtkWidget *widget;

  switch (block->type)
    {
    case EAR_NOTES_HEADING:
      return make_heading (self, block);
    case EAR_NOTES_LIST_ITEM:
      return make_list_item (self, block);
    case EAR_NOTES_QUOTE:
      return make_quote (self, block);
    case EAR_NOTES_PREFORMATTED:
      return make_preformatted (self, block);
    case EAR_NOTES_RULE:
      widget = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
      gtk_widget_add_css_class (widget, "notes-rule");
      return widget;
    case EAR_NOTES_IMAGE:
    case EAR_NOTES_PARAGRAPH:
    default:
      return make_label (self, block);
    }
}

static void
set_direction (GtkWidget *widget, GtkTextDirection direction)
{
  gtk_widget_set_direction (widget, direction);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    set_direction (child, direction);
}

/* Hebrew notes read from the right in an English window, and the other way round. Code without
 * a letter is code nevertheless. */
static void
follow_text (GtkWidget *widget, const EarNotesBlock *block)
{
  GtkTextDirection direction = ear_notes_block_get_direction (block);

  if (direction == GTK_TEXT_DIR_NONE && block->type == EAR_NOTES_PREFORMATTED)
    direction = GTK_TEXT_DIR_LTR;
  if (direction != GTK_TEXT_DIR_NONE)
    set_direction (widget, direction);
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

static void
build_lines (EarNotesView *self, gsize limit)
{
  for (gsize lines = 0; lines < limit && !is_built (self); self->n_built++)
    {
      const EarNotesBlock *block = g_ptr_array_index (self->notes->blocks, self->n_built);
      GtkWidget *widget = make_block (self, block);

      follow_text (widget, block);
      gtk_widget_set_parent (widget, GTK_WIDGET (self));
      lines += count_lines (block);
    }
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarNotesView *self = EAR_NOTES_VIEW (widget);

  build_lines (self, LINES_A_FRAME);
  if (!is_built (self))
    return G_SOURCE_CONTINUE;

  self->tick = 0;

  return G_SOURCE_REMOVE;
}

static void
stay_cb (gpointer user_data)
{
  EarNotesView *self = EAR_NOTES_VIEW (user_data);

  self->stay = 0;
  self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
clear (EarNotesView *self)
{
  GtkWidget *child;

  g_clear_handle_id (&self->stay, g_source_remove);
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->notes, ear_notes_unref);
  self->n_built = 0;
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

/**
 * ear_notes_view_describe_link:
 * @self: the view
 * @address: where one of its links leads
 *
 * Returns: (transfer full) (nullable): the link as a screen reader says it
 */
char *
ear_notes_view_describe_link (EarNotesView *self, const char *address)
{
  const EarNotesSpan *span;
  gint64 time;

  g_return_val_if_fail (EAR_IS_NOTES_VIEW (self), NULL);

  if (ear_notes_seek_address (address, &time))
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
ear_notes_view_dispose (GObject *object)
{
  clear (EAR_NOTES_VIEW (object));

  G_OBJECT_CLASS (ear_notes_view_parent_class)->dispose (object);
}

static void
ear_notes_view_class_init (EarNotesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_notes_view_dispose;
  widget_class->focus = ear_notes_view_focus;

  /**
   * EarNotesView::seek:
   * @self: the view
   * @time: microseconds
   *
   * A time stamp was clicked.
   */
  signals[SIGNAL_SEEK] =
    g_signal_new ("seek", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "notes");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ear_notes_view_init (EarNotesView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
}

/**
 * ear_notes_view_set_notes:
 * @self: the view
 * @notes: (nullable): what to show
 *
 * Shows notes from their beginning.
 */
void
ear_notes_view_set_notes (EarNotesView *self, EarNotes *notes)
{
  g_return_if_fail (EAR_IS_NOTES_VIEW (self));

  clear (self);
  if (notes == NULL || notes->blocks->len == 0)
    return;

  self->notes = ear_notes_ref (notes);
  build_lines (self, LINES_AT_ONCE);
  if (!is_built (self))
    self->stay = g_timeout_add_once (STAY_MS, stay_cb, self);
}
