/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-widgets.h"

#include <adwaita.h>

#include "ear-notes-markup.h"
#include "ear-text-layout.h"
#include "ear-widget.h"

/* Deeper levels of lists and quotes are not indented further. */
#define DEEPEST_LEVEL 6
#define INDENT 20

/* On each widget: its kind, and the label that has the text */
#define KIND "ear-notes-kind"
#define LABEL "ear-notes-label"

/*
 * The widgets that show blocks of notes. They are made here and not in a template because
 * which ones there are is up to the notes. To make one, with all that GTK needs for a text
 * that can be selected, takes ten times as long as to give it another text.
 */

EarNotesWidgetKind
ear_notes_block_get_kind (const EarNotesBlock *block)
{
  if (block->type == EAR_NOTES_HEADING)
    return EAR_NOTES_WIDGET_HEADING;
  if (block->type == EAR_NOTES_LIST_ITEM)
    return block->number > 0 ? EAR_NOTES_WIDGET_NUMBERED_ITEM : EAR_NOTES_WIDGET_ITEM;
  if (block->type == EAR_NOTES_PREFORMATTED)
    return EAR_NOTES_WIDGET_PREFORMATTED;

  if (block->type == EAR_NOTES_IMAGE)
    return EAR_NOTES_WIDGET_IMAGE;

  return block->type == EAR_NOTES_RULE ? EAR_NOTES_WIDGET_RULE : EAR_NOTES_WIDGET_TEXT;
}

/* --- Making ------------------------------------------------------------------------------ */

static GtkWidget *
make_text (GtkAccessibleRole role)
{
  return g_object_new (GTK_TYPE_LABEL,
                       "accessible-role", role,
                       "use-markup", TRUE,
                       "xalign", 0.0f,
                       "selectable", TRUE,
                       NULL);
}

static GtkWidget *
make_paragraph (GtkAccessibleRole role)
{
  GtkWidget *label = make_text (role);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_layout_manager (label, ear_text_layout_new ());

  return label;
}

/* A bullet is for the eye; a number is said. Either stands on the first line of the text. */
static GtkWidget *
make_item (GtkWidget *label, GtkAccessibleRole mark_role)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *mark = g_object_new (GTK_TYPE_LABEL, "label", "•", "accessible-role", mark_role, NULL);

  gtk_widget_set_valign (mark, GTK_ALIGN_BASELINE_FILL);
  gtk_widget_set_valign (label, GTK_ALIGN_BASELINE_FILL);
  gtk_label_set_xalign (GTK_LABEL (mark), 1.0f);
  gtk_widget_set_size_request (mark, INDENT - 8, -1);
  gtk_widget_add_css_class (mark, "dimmed");
  gtk_widget_add_css_class (mark, "numeric");
  gtk_box_append (GTK_BOX (box), mark);
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_add_css_class (box, "notes-item");

  return box;
}

/* Lines of code are not wrapped; they scroll sideways by themselves. */
static GtkWidget *
make_preformatted (GtkWidget *label)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_widget_add_css_class (label, "monospace");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), label);
  gtk_widget_add_css_class (scroller, "notes-code");

  return scroller;
}

static GtkWidget *
make_widget (EarNotesWidgetKind kind, GtkWidget **label)
{
  if (kind == EAR_NOTES_WIDGET_RULE)
    {
      GtkWidget *rule = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);

      *label = NULL;
      gtk_widget_add_css_class (rule, "notes-rule");
      return rule;
    }
  if (kind == EAR_NOTES_WIDGET_PREFORMATTED)
    {
      *label = make_text (GTK_ACCESSIBLE_ROLE_LABEL);
      return make_preformatted (*label);
    }

  *label = make_paragraph (kind == EAR_NOTES_WIDGET_HEADING ? GTK_ACCESSIBLE_ROLE_HEADING : GTK_ACCESSIBLE_ROLE_LABEL);
  if (kind == EAR_NOTES_WIDGET_IMAGE)
    return ear_notes_picture_new (*label);
  if (kind == EAR_NOTES_WIDGET_ITEM)
    return make_item (*label, GTK_ACCESSIBLE_ROLE_PRESENTATION);

  return kind == EAR_NOTES_WIDGET_NUMBERED_ITEM ? make_item (*label, GTK_ACCESSIBLE_ROLE_LABEL) : *label;
}

/* @owner: data for @func */
GtkWidget *
ear_notes_widget_new (EarNotesWidgetKind kind, EarNotesLinkFunc func, GObject *owner)
{
  GtkWidget *label;
  GtkWidget *widget = make_widget (kind, &label);

  g_object_set_data (G_OBJECT (widget), KIND, GUINT_TO_POINTER (kind));
  g_object_set_data (G_OBJECT (widget), LABEL, label);
  if (label != NULL)
    g_signal_connect_object (label, "activate-link", G_CALLBACK (func), owner, G_CONNECT_DEFAULT);

  return widget;
}

EarNotesWidgetKind
ear_notes_widget_get_kind (GtkWidget *widget)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (widget), KIND));
}

/* Returns: (transfer none) (nullable): the label that has the block's text */
GtkWidget *
ear_notes_widget_get_label (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), LABEL);
}

/* --- Filling ----------------------------------------------------------------------------- */

static int
get_indent (const EarNotesBlock *block)
{
  return INDENT * (int) (CLAMP (block->level, 1, DEEPEST_LEVEL) - 1);
}

static void
fill_heading (GtkWidget *label, const EarNotesBlock *block)
{
  static const char *const classes[] = { "title-3", "title-4", "heading" };

  gtk_widget_set_css_classes (label, (const char *[]) { classes[CLAMP (block->level, 1, 3) - 1], "notes-heading", NULL });
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LEVEL, (int) CLAMP (block->level + 1, 2, 6), -1);
}

static void
fill_text (GtkWidget *label, const EarNotesBlock *block)
{
  const gboolean is_quote = block->type == EAR_NOTES_QUOTE;

  gtk_widget_set_margin_start (label, is_quote ? get_indent (block) : 0);
  ear_set_css_class (label, "notes-quote", is_quote);
}

static void
fill_item (GtkWidget *box, const EarNotesBlock *block)
{
  gtk_widget_set_margin_start (box, get_indent (block));
  if (block->number > 0)
    {
      g_autofree char *number = g_strdup_printf ("%u.", block->number);

      gtk_label_set_label (GTK_LABEL (gtk_widget_get_first_child (box)), number);
    }
}

/* Yellow, as a pen would: the words and links on it can still be read, in the dark style as well. */
static void
mark_bytes (PangoAttrList *attributes, const EarNotesMark *mark)
{
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  PangoAttribute *colour = dark ? pango_attr_background_new (0xe5e5, 0xa5a5, 0x0a0a) : pango_attr_background_new (0xf8f8, 0xe4e4, 0x5c5c);
  PangoAttribute *alpha = pango_attr_background_alpha_new (dark ? 0x5555 : 0xaaaa);

  colour->start_index = alpha->start_index = mark->start;
  colour->end_index = alpha->end_index = mark->end;
  pango_attr_list_insert (attributes, colour);
  pango_attr_list_insert (attributes, alpha);
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
static GtkTextDirection
get_direction (const EarNotesBlock *block)
{
  const GtkTextDirection direction = ear_notes_block_get_direction (block);

  return direction == GTK_TEXT_DIR_NONE && block->type == EAR_NOTES_PREFORMATTED ? GTK_TEXT_DIR_LTR : direction;
}

/* Shows a block.
 * @place: (nullable): the address that its time stamps are times of */
void
ear_notes_widget_fill (GtkWidget *widget, const EarNotesBlock *block, const char *place)
{
  const EarNotesWidgetKind kind = ear_notes_widget_get_kind (widget);
  GtkWidget *label = ear_notes_widget_get_label (widget);

  if (kind == EAR_NOTES_WIDGET_HEADING)
    fill_heading (widget, block);
  else if (kind == EAR_NOTES_WIDGET_TEXT)
    fill_text (widget, block);
  else if (kind == EAR_NOTES_WIDGET_ITEM || kind == EAR_NOTES_WIDGET_NUMBERED_ITEM)
    fill_item (widget, block);
  else if (kind == EAR_NOTES_WIDGET_IMAGE)
    ear_notes_picture_fill (widget, ((const EarNotesSpan *) g_ptr_array_index (block->spans, 0))->text);
  else if (kind == EAR_NOTES_WIDGET_PREFORMATTED)
    gtk_adjustment_set_value (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (widget)), 0);

  if (label != NULL)
    {
      g_autofree char *markup = ear_notes_block_to_markup (block, place);

      gtk_label_set_label (GTK_LABEL (label), markup);
    }
  set_direction (widget, get_direction (block));
}

/* Marks these words, and no others.
 * @marks: (array length=n_marks): where words that are looked for are in it */
void
ear_notes_widget_set_marks (GtkWidget *widget, const EarNotesMark *marks, guint n_marks)
{
  GtkWidget *label = ear_notes_widget_get_label (widget);
  g_autoptr (PangoAttrList) attributes = n_marks > 0 ? pango_attr_list_new () : NULL;

  if (label == NULL)
    return;

  for (guint i = 0; i < n_marks; i++)
    mark_bytes (attributes, &marks[i]);
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
}
