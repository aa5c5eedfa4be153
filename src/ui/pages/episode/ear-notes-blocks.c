/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-blocks.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "ear-notes-markup.h"
#include "ear-widget.h"

/* Deeper levels of lists and quotes are not indented further. */
#define DEEPEST_LEVEL 6
#define INDENT 20

/* Keys of object data: the label with the block's text, its picture, and the picture's download */
#define LABEL "ear-notes-label"
#define PICTURE "ear-notes-picture"
#define LOADING "ear-notes-loading"

/* --- Text -------------------------------------------------------------------------------- */

static GtkWidget *
create_label (const EarNotesBlock *block, const char *address, GtkAccessibleRole role)
{
  g_autofree char *markup = ear_notes_block_to_markup (block, address);

  return g_object_new (GTK_TYPE_LABEL, "accessible-role", role, "label", markup, "use-markup", TRUE,
                       "selectable", TRUE, "xalign", 0.0f, "wrap",
                       block->type != EAR_NOTES_PREFORMATTED, "wrap-mode", PANGO_WRAP_WORD_CHAR,
                       "hexpand", TRUE, NULL);
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

/* A screen reader says a number and skips a bullet. Both align with the first line of the text. */
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

/* --- Pictures ---------------------------------------------------------------------------- */

static const EarNotesSpan *
get_first_span (const EarNotesBlock *block)
{
  return g_ptr_array_index (block->spans, 0);
}

/* A link that describes the picture. The picture appears below it when the listener clicks the
 * link, or when they load all pictures of the podcast: the picture's server learns that somebody
 * reads these notes, and when. */
static GtkWidget *
create_picture (const EarNotesBlock *block, GtkWidget *label)
{
  const char *description = get_first_span (block)->text;
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

/* Returns: %FALSE if loading failed */
static gboolean
show_picture (GtkWidget *widget, EarCoverCache *covers, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarImage) image = ear_cover_cache_load_finish (covers, result, &error);
  g_autoptr (GdkTexture) texture = NULL;
  GtkWidget *picture;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return TRUE;
  set_loading (widget, NULL);
  if (image == NULL)
    return FALSE;

  texture = gdk_memory_texture_new (image->width, image->height,
                                    image->has_alpha ? GDK_MEMORY_R8G8B8A8 : GDK_MEMORY_R8G8B8,
                                    image->pixels, image->stride);
  picture = g_object_get_data (G_OBJECT (widget), PICTURE);
  gtk_picture_set_paintable (GTK_PICTURE (picture), GDK_PAINTABLE (texture));
  gtk_widget_set_visible (picture, TRUE);

  return TRUE;
}

static void
asked_picture_loaded_cb (GObject *covers, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;

  if (!show_picture (widget, EAR_COVER_CACHE (covers), result))
    gtk_widget_activate_action (widget, "win.notify", "s", _("The picture could not be loaded."));
}

static void
picture_loaded_cb (GObject *covers, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;

  show_picture (widget, EAR_COVER_CACHE (covers), result);
}

/* Loads the picture of the block, unless it is there already.
 * @asked: whether the listener asked for this one, so that a failure is reported
 * Returns: %FALSE if the block has no picture, or shows it already */
gboolean
ear_notes_block_load_picture (GtkWidget *widget,
                              EarCoverCache *covers,
                              const char *address,
                              gboolean asked)
{
  GtkWidget *picture = g_object_get_data (G_OBJECT (widget), PICTURE);
  GCancellable *cancellable;

  if (picture == NULL || gtk_widget_get_visible (picture))
    return FALSE;
  cancellable = g_cancellable_new ();
  set_loading (widget, cancellable);
  ear_cover_cache_load_async (covers, address, EAR_COVER_LARGE, cancellable,
                              asked ? asked_picture_loaded_cb : picture_loaded_cb,
                              g_object_ref (widget));

  return TRUE;
}

/* --- Blocks ------------------------------------------------------------------------------ */

static void
set_direction (GtkWidget *widget, GtkTextDirection direction)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  gtk_widget_set_direction (widget, direction);
  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    set_direction (child, direction);
}

static GtkWidget *
create_widget (const EarNotesBlock *block, GtkWidget *label)
{
  switch (block->type)
    {
    case EAR_NOTES_HEADING:
      style_heading (label, block);
      return label;
    case EAR_NOTES_QUOTE:
      gtk_widget_set_margin_start (label, get_indent (block));
      gtk_widget_add_css_class (label, "notes-quote");
      return label;
    case EAR_NOTES_LIST_ITEM:
      return create_item (block, label);
    case EAR_NOTES_PREFORMATTED:
      return create_code (label);
    case EAR_NOTES_IMAGE:
      return create_picture (block, label);
    case EAR_NOTES_PARAGRAPH:
    case EAR_NOTES_RULE:
    default:
      return label;
    }
}

/* @address: (nullable): the address whose times the time stamps are */
GtkWidget *
ear_notes_block_create (const EarNotesBlock *block, const char *address)
{
  const gboolean is_heading = block->type == EAR_NOTES_HEADING;
  GtkTextDirection direction = ear_notes_block_get_direction (block);
  GtkWidget *label;
  GtkWidget *widget;

  if (block->type == EAR_NOTES_RULE)
    {
      widget = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
      gtk_widget_add_css_class (widget, "notes-rule");
      return widget;
    }

  label = create_label (block, address,
                        is_heading ? GTK_ACCESSIBLE_ROLE_HEADING : GTK_ACCESSIBLE_ROLE_LABEL);
  widget = create_widget (block, label);
  g_object_set_data (G_OBJECT (widget), LABEL, label);
  /* Each block has the direction of its own text, whatever the window's. Code without letters
   * still reads from the left. */
  if (direction == GTK_TEXT_DIR_NONE && block->type == EAR_NOTES_PREFORMATTED)
    direction = GTK_TEXT_DIR_LTR;
  if (direction != GTK_TEXT_DIR_NONE)
    set_direction (widget, direction);

  return widget;
}

/* Returns: (transfer none) (nullable): the label with the block's text */
GtkWidget *
ear_notes_block_get_label (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), LABEL);
}

/* Yellow, as a pen would: words and links on it stay readable, in the dark style as well. */
static void
mark_bytes (PangoAttrList *attributes, const EarNotesMark *mark)
{
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  PangoAttribute *color = dark ? pango_attr_background_new (0xe5e5, 0xa5a5, 0x0a0a)
                               : pango_attr_background_new (0xf8f8, 0xe4e4, 0x5c5c);
  PangoAttribute *alpha = pango_attr_background_alpha_new (dark ? 0x5555 : 0xaaaa);

  color->start_index = alpha->start_index = mark->start;
  color->end_index = alpha->end_index = mark->end;
  pango_attr_list_insert (attributes, color);
  pango_attr_list_insert (attributes, alpha);
}

/* Marks these words of the block, and no others.
 * @marks: (array length=n_marks): where the words of a search are */
void
ear_notes_block_set_marks (GtkWidget *widget, const EarNotesMark *marks, guint n_marks)
{
  GtkWidget *label = ear_notes_block_get_label (widget);
  g_autoptr (PangoAttrList) attributes = n_marks > 0 ? pango_attr_list_new () : NULL;

  if (label == NULL)
    return;
  for (guint i = 0; i < n_marks; i++)
    mark_bytes (attributes, &marks[i]);
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
}
