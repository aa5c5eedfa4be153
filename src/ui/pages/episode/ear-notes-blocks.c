/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-blocks.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "ear-address.h"
#include "ear-format.h"
#include "ear-widget.h"

/* A media fragment (W3C Media Fragments, 4.2.1): other programs
 * understand a copied link. */
#define TIME_FRAGMENT "#t="

/* Deeper levels of lists and quotes are not indented further. */
#define DEEPEST_LEVEL 6
#define INDENT 20

/* Keys of object data: the label with the block's text, its picture, the picture's
 * download, and whether the listener asked for that */
#define LABEL "ear-notes-label"
#define PICTURE "ear-notes-picture"
#define LOADING "ear-notes-loading"
#define ASKED "ear-notes-asked"

/* --- Markup ------------------------------------------------------------------------- */

static const struct
{
  EarNotesStyle style;
  const char *open;
  const char *close;
} styles[] = {
  { EAR_NOTES_STYLE_BOLD, "<b>", "</b>" },      { EAR_NOTES_STYLE_ITALIC, "<i>", "</i>" },
  { EAR_NOTES_STYLE_UNDERLINE, "<u>", "</u>" }, { EAR_NOTES_STYLE_STRIKE, "<s>", "</s>" },
  { EAR_NOTES_STYLE_CODE, "<tt>", "</tt>" },
};

static void
append_link (GString *markup, const char *address, const char *tooltip)
{
  g_autofree char *escaped_address = g_markup_escape_text (address, -1);
  g_autofree char *escaped_tooltip = g_markup_escape_text (tooltip, -1);
  /* The label reads the tooltip as markup once more. */
  g_autofree char *tooltip_markup = g_markup_escape_text (escaped_tooltip, -1);

  /* GTK draws a link as transparent as the text around it, which leaves a contrast of
   * 4 in the light style; without transparency it is 5.8. */
  g_string_append_printf (markup, "<a href=\"%s\" title=\"%s\"><span alpha=\"100%%\">",
                          escaped_address, tooltip_markup);
}

static void
append_time (GString *markup, const char *media, gint64 time)
{
  g_autofree char *address = ear_address_with_time (media, time);
  g_autofree char *clock = ear_format_clock (time);
  /* Translators: the tooltip of a time stamp in the notes: Play from 12:03 */
  g_autofree char *tooltip = g_strdup_printf (_("Play From %s"), clock);

  append_link (markup, address, tooltip);
}

static void
append_span (GString *markup, const EarNotesSpan *span, const char *address)
{
  g_autofree char *text = g_markup_escape_text (span->text != NULL ? span->text : "", -1);
  const gboolean linked = span->time >= 0 || span->link != NULL;

  if (span->time >= 0)
    append_time (markup, address, span->time);
  else if (span->link != NULL)
    append_link (markup, span->link, span->link);
  for (gsize i = 0; i < G_N_ELEMENTS (styles); i++)
    if (span->style & styles[i].style)
      g_string_append (markup, styles[i].open);
  g_string_append (markup, text);
  for (gsize i = G_N_ELEMENTS (styles); i-- > 0;)
    if (span->style & styles[i].style)
      g_string_append (markup, styles[i].close);
  if (linked)
    g_string_append (markup, "</span></a>");
}

static void
append_image (GString *markup, const EarNotesSpan *span)
{
  const gboolean described = !ear_is_empty (span->text);
  EarNotesSpan link = { NULL, span->link, -1, EAR_NOTES_STYLE_ITALIC };
  g_autofree char *text = NULL;

  if (described)
    /* Translators: stands for a picture in the notes, which is loaded when this is clicked; %s
       describes it */
    text = g_strdup_printf (_("Picture: %s"), span->text);
  else
    text = g_strdup (_("Picture"));
  link.text = text;

  append_span (markup, &link, NULL);
}

/* The text of a block as Pango markup. A link has its address for a tooltip; a time stamp
 * links to a media fragment of @address.
 * @address: (nullable): the address that time stamps are times of
 * Returns: (transfer full): markup for a label */
char *
ear_notes_block_to_markup (const EarNotesBlock *block, const char *address)
{
  GString *markup = g_string_new (NULL);

  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      if (block->type == EAR_NOTES_IMAGE)
        append_image (markup, span);
      else
        append_span (markup, span, address);
    }

  return g_string_free (markup, FALSE);
}

/* Returns: the direction of the first letter, or %GTK_TEXT_DIR_NONE
 * where there is none */
GtkTextDirection
ear_notes_block_get_direction (const EarNotesBlock *block)
{
  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);
      const GtkTextDirection direction = ear_format_find_direction (span->text);

      if (direction != GTK_TEXT_DIR_NONE)
        return direction;
    }

  return GTK_TEXT_DIR_NONE;
}

/* Returns: whether a link is a time stamp of the notes, also one that the feed made
 * @link: (nullable)
 * @address: (nullable): the address that time stamps are times of
 * @time: (out): microseconds */
gboolean
ear_notes_seek_address (const char *link, const char *address, gint64 *time)
{
  const gsize length = address != NULL ? strcspn (address, "#") : 0;
  gint64 seconds;

  if (link == NULL || strcspn (link, "#") != length ||
      (address != NULL && strncmp (link, address, length) != 0) ||
      !g_str_has_prefix (link + length, TIME_FRAGMENT) ||
      !g_ascii_string_to_signed (link + length + strlen (TIME_FRAGMENT), 10, 0,
                                 G_MAXINT64 / G_USEC_PER_SEC, &seconds, NULL))
    return FALSE;

  *time = seconds * G_USEC_PER_SEC;

  return TRUE;
}

/* --- Text --------------------------------------------------------------------------- */

static GtkWidget *
create_label (const EarNotesBlock *block, const char *address)
{
  const GtkAccessibleRole role =
    block->type == EAR_NOTES_HEADING ? GTK_ACCESSIBLE_ROLE_HEADING : GTK_ACCESSIBLE_ROLE_LABEL;
  g_autofree char *markup = ear_notes_block_to_markup (block, address);
  const gboolean wrap = block->type != EAR_NOTES_PREFORMATTED;

  /* GTK lays each text out for its smallest, its natural and its own width. Widths in letters
   * make the first cheaper, and the first two the same. */
  return g_object_new (GTK_TYPE_LABEL, "accessible-role", role, "label", markup, "use-markup", TRUE,
                       "selectable", TRUE, "xalign", 0.0f, "wrap", wrap, "wrap-mode",
                       PANGO_WRAP_WORD_CHAR, "width-chars", wrap ? 10 : -1, "max-width-chars",
                       wrap ? 10 : -1, "hexpand", TRUE, NULL);
}

static int
get_indent (const EarNotesBlock *block)
{
  return INDENT * (int) (CLAMP (block->level, 1, DEEPEST_LEVEL) - 1);
}

static void
style_heading (GtkWidget *label, const EarNotesBlock *block)
{
  static const char *const classes[] = { "title-3", "title-4", "heading" };

  gtk_widget_add_css_class (label, classes[CLAMP (block->level, 1, 3) - 1]);
  gtk_widget_add_css_class (label, "notes-heading");
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LEVEL,
                                  (int) CLAMP (block->level + 1, 2, 6), -1);
}

/* A screen reader reads a number and skips a bullet. Both align with the first
 * line of the text. */
static GtkWidget *
create_item (const EarNotesBlock *block, GtkWidget *label)
{
  const gboolean numbered = block->number > 0;
  g_autofree char *text = numbered ? g_strdup_printf ("%u.", block->number) : g_strdup ("•");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *mark =
    g_object_new (GTK_TYPE_LABEL, "label", text, "accessible-role",
                  numbered ? GTK_ACCESSIBLE_ROLE_LABEL : GTK_ACCESSIBLE_ROLE_PRESENTATION, "xalign",
                  1.0f, "valign", GTK_ALIGN_BASELINE_FILL, "width-request", INDENT - 8,
                  "css-classes", (const char *[]){ "dimmed", "numeric", NULL }, NULL);

  gtk_widget_set_valign (label, GTK_ALIGN_BASELINE_FILL);
  gtk_widget_set_margin_start (box, get_indent (block));
  gtk_widget_add_css_class (box, "notes-item");
  gtk_box_append (GTK_BOX (box), mark);
  gtk_box_append (GTK_BOX (box), label);

  return box;
}

/* Lines of code do not wrap; they scroll sideways on their own. */
static GtkWidget *
create_code (GtkWidget *label)
{
  gtk_widget_add_css_class (label, "monospace");

  return g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", label, "vscrollbar-policy",
                       GTK_POLICY_NEVER, "css-classes", (const char *[]){ "notes-code", NULL },
                       NULL);
}

/* --- Pictures ----------------------------------------------------------------------- */

/* A link that describes the picture. The picture appears below it when the listener
 * clicks the link, or when they load all pictures of the podcast: the picture's server
 * learns that somebody reads these notes, and when. */
static GtkWidget *
create_picture (const EarNotesBlock *block, GtkWidget *label)
{
  const char *description = ((const EarNotesSpan *) g_ptr_array_index (block->spans, 0))->text;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *picture =
    g_object_new (GTK_TYPE_PICTURE, "content-fit", GTK_CONTENT_FIT_SCALE_DOWN, "halign",
                  GTK_ALIGN_START, "overflow", GTK_OVERFLOW_HIDDEN, "visible", FALSE, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (picture), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  *description != '\0' ? description : _("Picture"), -1);
  gtk_widget_add_css_class (box, "notes-image");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), picture);
  g_object_set_data (G_OBJECT (box), PICTURE, picture);

  return box;
}

static void
cancel (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  g_object_unref (cancellable);
}

static void
set_loading (GtkWidget *widget, GCancellable *cancellable)
{
  g_object_set_data_full (G_OBJECT (widget), LOADING, cancellable, cancel);
  ear_set_css_class (gtk_widget_get_first_child (widget), "dimmed", cancellable != NULL);
}

static void
picture_loaded_cb (GObject *covers, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarImage) image =
    ear_cover_cache_load_finish (EAR_COVER_CACHE (covers), result, &error);
  g_autoptr (GdkTexture) texture = NULL;
  GtkWidget *picture = g_object_get_data (G_OBJECT (widget), PICTURE);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  set_loading (widget, NULL);
  if (image == NULL)
    {
      if (g_object_get_data (G_OBJECT (widget), ASKED) != NULL)
        gtk_widget_activate_action (widget, "win.notify", "s",
                                    _("The picture could not be loaded."));
      return;
    }

  texture = gdk_memory_texture_new (image->width, image->height,
                                    image->has_alpha ? GDK_MEMORY_R8G8B8A8 : GDK_MEMORY_R8G8B8,
                                    image->pixels, image->stride);
  gtk_picture_set_paintable (GTK_PICTURE (picture), GDK_PAINTABLE (texture));
  gtk_widget_set_visible (picture, TRUE);
}

/* Loads the picture of the block, unless it is there already.
 * @asked: whether the listener asked for this one, so that a failure is reported
 * Returns: %FALSE if the block has no picture, or shows it already */
gboolean
ear_notes_block_load_picture (GtkWidget *widget, EarCoverCache *covers, const char *address,
                              gboolean asked)
{
  GtkWidget *picture = g_object_get_data (G_OBJECT (widget), PICTURE);
  GCancellable *cancellable;

  if (picture == NULL || gtk_widget_get_visible (picture))
    return FALSE;
  cancellable = g_cancellable_new ();
  set_loading (widget, cancellable);
  g_object_set_data (G_OBJECT (widget), ASKED, GINT_TO_POINTER (asked));
  ear_cover_cache_load_async (covers, address, EAR_COVER_LARGE, cancellable, picture_loaded_cb,
                              g_object_ref (widget));

  return TRUE;
}

/* --- Blocks ------------------------------------------------------------------------- */

/* @address: (nullable): the address whose times the time stamps are */
GtkWidget *
ear_notes_block_create (const EarNotesBlock *block, const char *address)
{
  GtkTextDirection direction = ear_notes_block_get_direction (block);
  GtkWidget *label;
  GtkWidget *widget;

  if (block->type == EAR_NOTES_RULE)
    {
      widget = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
      gtk_widget_add_css_class (widget, "notes-rule");
      return widget;
    }

  widget = label = create_label (block, address);
  if (block->type == EAR_NOTES_HEADING)
    style_heading (label, block);
  else if (block->type == EAR_NOTES_LIST_ITEM)
    widget = create_item (block, label);
  else if (block->type == EAR_NOTES_PREFORMATTED)
    widget = create_code (label);
  else if (block->type == EAR_NOTES_IMAGE)
    widget = create_picture (block, label);
  else if (block->type == EAR_NOTES_QUOTE)
    {
      gtk_widget_set_margin_start (label, get_indent (block));
      gtk_widget_add_css_class (label, "notes-quote");
    }
  g_object_set_data (G_OBJECT (widget), LABEL, label);
  /* Each block has the direction of its own text, whatever the window's. Code without
   * letters still reads from the left. */
  if (direction == GTK_TEXT_DIR_NONE && block->type == EAR_NOTES_PREFORMATTED)
    direction = GTK_TEXT_DIR_LTR;
  if (direction != GTK_TEXT_DIR_NONE)
    ear_set_direction (widget, direction);

  return widget;
}

/* Returns: (transfer none) (nullable): the label with the block's text */
GtkWidget *
ear_notes_block_get_label (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), LABEL);
}

/* Shows the words of a search in yellow, as a pen would, and the selection in the accent
 * color. A label whose highlights change is laid out again: the others are left alone.
 * @index: of the block
 * @marks: (nullable) (element-type EarNotesMark): the words, in all blocks
 * @selection: (nullable): the selection, over several blocks */
void
ear_notes_block_highlight (GtkWidget *widget, guint index, GArray *marks,
                           const EarNotesRange *selection)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  const GdkRGBA yellow = adw_style_manager_get_dark (style)
                         ? (GdkRGBA){ 0.9f, 0.65f, 0.04f, 0.33f }
                         : (GdkRGBA){ 0.97f, 0.89f, 0.36f, 0.67f };
  GtkWidget *label = ear_notes_block_get_label (widget);
  g_autoptr (PangoAttrList) highlights = NULL;

  if (label == NULL)
    return;
  for (guint i = 0; marks != NULL && i < marks->len; i++)
    {
      const EarNotesMark *mark = &g_array_index (marks, EarNotesMark, i);

      if (mark->block == index)
        ear_highlight (&highlights, mark->start, mark->end, &yellow);
    }
  if (selection != NULL && selection->start.block <= index && index <= selection->end.block)
    {
      g_autoptr (GdkRGBA) accent = adw_style_manager_get_accent_color_rgba (style);

      accent->alpha = 0.3f;
      ear_highlight (&highlights,
                     index == selection->start.block ? selection->start.offset : 0,
                     index == selection->end.block ? selection->end.offset : G_MAXUINT, accent);
    }
  if (!pango_attr_list_equal (gtk_label_get_attributes (GTK_LABEL (label)), highlights))
    gtk_label_set_attributes (GTK_LABEL (label), highlights);
}
