/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sentence-row.h"

#include "ear-drawn-text.h"
#include "ear-format.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-text-find.h"
#include "ear-widget.h"

#include <adwaita.h>
#include <string.h>

/* Pixels between the times and the texts, and between a speaker and a text */
#define SPACING 12
#define LINE_SPACING 2

/* Width before the row is allocated: a list is never narrower. */
#define MINIMUM_WIDTH 160
#define NATURAL_WIDTH 600

#define MOST_MATCHES 50

/**
 * EarSentenceRow:
 *
 * A sentence of a transcript: when it is said, by whom where that is another one than before, and
 * what. A list makes some two hundred of them at once: all is drawn, and a row has no other widget
 * in it. Assistive technologies find a label.
 */
struct _EarSentenceRow
{
  GtkWidget parent_instance;

  /* Owned */
  EarSentenceItem *item; /* (nullable) */
  char *search;          /* (nullable): words that are marked */
  char *words;           /* (nullable) */
  PangoLayout *time;     /* (nullable), and so are the other two: until they are needed */
  PangoLayout *speaker;
  PangoLayout *text;

  gint64 shift; /* by how much the times are others than those of the transcript */
  int time_width;
};

G_DEFINE_FINAL_TYPE (EarSentenceRow, ear_sentence_row, GTK_TYPE_WIDGET)

static void
drop_layouts (EarSentenceRow *self)
{
  g_clear_object (&self->time);
  g_clear_object (&self->speaker);
  g_clear_object (&self->text);
}

/* --- What is drawn ---------------------------------------------------------------------- */

static char *
dup_clock (EarSentenceRow *self, gint64 start)
{
  return start >= 0 ? ear_format_clock (MAX (start + self->shift, 0)) : NULL;
}

static PangoLayout *
make_small (EarSentenceRow *self, const char *text, PangoWeight weight)
{
  PangoLayout *layout = ear_drawn_text_new (GTK_WIDGET (self), text);
  PangoAttrList *attributes = pango_layout_get_attributes (layout);

  pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_attr_list_insert (attributes, pango_attr_weight_new (weight));
  pango_layout_set_attributes (layout, attributes);

  return layout;
}

/* All times of a transcript have the room of the longest one. */
static void
make_time (EarSentenceRow *self, const EarSentence *sentence)
{
  g_autofree char *clock = dup_clock (self, sentence->start);
  g_autofree char *last = dup_clock (self, ear_sentence_item_get_last (self->item));
  int width;

  self->time_width = 0;
  if (clock == NULL)
    return;
  self->time = make_small (self, last, PANGO_WEIGHT_NORMAL);
  pango_layout_get_pixel_size (self->time, &self->time_width, NULL);
  pango_layout_set_text (self->time, clock, -1);
  pango_layout_get_pixel_size (self->time, &width, NULL);
  self->time_width = MAX (self->time_width, width) + SPACING;
}

static PangoAttrList *
make_marks (EarSentenceRow *self, const char *text)
{
  g_autoptr (GdkRGBA) accent =
    adw_style_manager_get_accent_color_rgba (adw_style_manager_get_default ());
  PangoAttrList *marks = pango_attr_list_new ();
  gsize at = 0;
  gsize start, end;

  for (guint n = 0; self->search != NULL && n < MOST_MATCHES &&
                    ear_text_find (text + at, self->search, &start, &end);
       n++, at += end)
    {
      PangoAttribute *back = pango_attr_background_new ((guint16) (accent->red * 65535),
                                                        (guint16) (accent->green * 65535),
                                                        (guint16) (accent->blue * 65535));
      PangoAttribute *alpha = pango_attr_background_alpha_new (65535 * 2 / 5);

      back->start_index = alpha->start_index = (guint) (at + start);
      back->end_index = alpha->end_index = (guint) (at + end);
      pango_attr_list_insert (marks, back);
      pango_attr_list_insert (marks, alpha);
    }

  return marks;
}

static void
make_layouts (EarSentenceRow *self)
{
  const EarSentence *sentence;
  g_autoptr (PangoAttrList) marks = NULL;

  if (self->text != NULL || self->item == NULL)
    return;

  sentence = ear_sentence_item_get_sentence (self->item);
  make_time (self, sentence);
  if (ear_sentence_item_is_new_voice (self->item))
    {
      self->speaker = make_small (self, sentence->speaker, PANGO_WEIGHT_BOLD);
      pango_layout_set_ellipsize (self->speaker, PANGO_ELLIPSIZE_END);
    }
  self->text = gtk_widget_create_pango_layout (GTK_WIDGET (self), sentence->text);
  pango_layout_set_wrap (self->text, PANGO_WRAP_WORD_CHAR);
  marks = make_marks (self, sentence->text);
  pango_layout_set_attributes (self->text, marks);
}

/* How high the name is, with the space below it */
static int
get_speaker_height (EarSentenceRow *self)
{
  int height = 0;

  if (self->speaker != NULL)
    {
      pango_layout_get_pixel_size (self->speaker, NULL, &height);
      height += LINE_SPACING;
    }

  return height;
}

static int
fit_text (EarSentenceRow *self, int width)
{
  const int column = MAX (width - self->time_width, 1);
  int height;

  pango_layout_set_width (self->text, column * PANGO_SCALE);
  if (self->speaker != NULL)
    pango_layout_set_width (self->speaker, column * PANGO_SCALE);
  pango_layout_get_pixel_size (self->text, NULL, &height);

  return height;
}

static void
ear_sentence_row_measure (GtkWidget *widget,
                          GtkOrientation orientation,
                          int for_size,
                          int *minimum,
                          int *natural,
                          int *minimum_baseline,
                          int *natural_baseline)
{
  EarSentenceRow *self = EAR_SENTENCE_ROW (widget);

  *minimum = MINIMUM_WIDTH;
  *natural = NATURAL_WIDTH;
  if (orientation == GTK_ORIENTATION_HORIZONTAL || self->item == NULL)
    return;

  make_layouts (self);
  *minimum = *natural =
    get_speaker_height (self) + fit_text (self, for_size > 0 ? for_size : NATURAL_WIDTH);
}

static GtkSizeRequestMode
ear_sentence_row_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
draw (GtkSnapshot *snapshot, PangoLayout *layout, int x, int y, const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

/* Aligns the time with the first line of the text. */
static void
draw_time (EarSentenceRow *self, GtkSnapshot *snapshot, int y, const GdkRGBA *color)
{
  const gboolean right = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  int width;

  pango_layout_get_pixel_size (self->time, &width, NULL);
  y +=
    (pango_layout_get_baseline (self->text) - pango_layout_get_baseline (self->time)) / PANGO_SCALE;
  draw (snapshot, self->time, right ? gtk_widget_get_width (GTK_WIDGET (self)) - width : 0, y,
        color);
}

static void
ear_sentence_row_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarSentenceRow *self = EAR_SENTENCE_ROW (widget);
  const gboolean right = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  GdkRGBA color, pale;
  int x, y;

  make_layouts (self);
  if (self->text == NULL)
    return;

  fit_text (self, gtk_widget_get_width (widget));
  gtk_widget_get_color (widget, &color);
  pale = color;
  pale.alpha *= 0.6f;
  x = right ? 0 : self->time_width;
  y = get_speaker_height (self);
  if (self->speaker != NULL)
    draw (snapshot, self->speaker, x, 0, &pale);
  draw (snapshot, self->text, x, y, &color);
  if (self->time != NULL)
    draw_time (self, snapshot, y, &pale);
}

/* --- The row ---------------------------------------------------------------------------- */

static void
ear_sentence_row_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (ear_sentence_row_parent_class)->system_setting_changed (widget, setting);
  drop_layouts (EAR_SENTENCE_ROW (widget));
  gtk_widget_queue_resize (widget);
}

static void
ear_sentence_row_direction_changed (GtkWidget *widget, GtkTextDirection previous)
{
  GTK_WIDGET_CLASS (ear_sentence_row_parent_class)->direction_changed (widget, previous);
  drop_layouts (EAR_SENTENCE_ROW (widget));
}

/* Ten of two hundred rows are in sight: the others drop their broken lines. */
static void
ear_sentence_row_unmap (GtkWidget *widget)
{
  drop_layouts (EAR_SENTENCE_ROW (widget));
  GTK_WIDGET_CLASS (ear_sentence_row_parent_class)->unmap (widget);
}

static void
ear_sentence_row_dispose (GObject *object)
{
  EarSentenceRow *self = EAR_SENTENCE_ROW (object);

  drop_layouts (self);
  g_clear_object (&self->item);
  g_clear_pointer (&self->search, g_free);
  g_clear_pointer (&self->words, g_free);

  G_OBJECT_CLASS (ear_sentence_row_parent_class)->dispose (object);
}

static void
ear_sentence_row_class_init (EarSentenceRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* The row as a screen reader reads it */
    { "words", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSentenceRow, words) },
  };

  G_OBJECT_CLASS (klass)->dispose = ear_sentence_row_dispose;
  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  widget_class->measure = ear_sentence_row_measure;
  widget_class->get_request_mode = ear_sentence_row_get_request_mode;
  widget_class->snapshot = ear_sentence_row_snapshot;
  widget_class->system_setting_changed = ear_sentence_row_system_setting_changed;
  widget_class->direction_changed = ear_sentence_row_direction_changed;
  widget_class->unmap = ear_sentence_row_unmap;

  ear_row_action_install (widget_class);
  gtk_widget_class_set_css_name (widget_class, "sentence");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
ear_sentence_row_init (EarSentenceRow *self)
{
}

EarSentenceItem *
ear_sentence_row_get_item (EarSentenceRow *self)
{
  return self->item;
}

/* "Ann: Good evening · 12 minutes 3 seconds" */
static char *
format_words (EarSentenceRow *self)
{
  const EarSentence *sentence = ear_sentence_item_get_sentence (self->item);
  g_autofree char *clock =
    sentence->start >= 0 ? ear_format_clock_spoken (MAX (sentence->start + self->shift, 0)) : NULL;
  g_autofree char *said = ear_sentence_item_is_new_voice (self->item)
                          ? g_strdup_printf ("%s: %s", sentence->speaker, sentence->text)
                          : g_strdup (sentence->text);

  return clock != NULL ? ear_format_join ((const char *const[]){ said, clock, NULL })
                       : g_steal_pointer (&said);
}

/* @item: (nullable) @shift: added to the times of the transcript */
void
ear_sentence_row_set_item (EarSentenceRow *self, EarSentenceItem *item, gint64 shift)
{
  g_set_object (&self->item, item);
  self->shift = shift;
  drop_layouts (self);
  if (item != NULL)
    {
      g_autofree char *words = format_words (self);

      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      ear_sentence_item_get_sentence (item)->text, -1);
      ear_property_set_string (self, "words", words);
    }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* Marks the current sentence. */
void
ear_sentence_row_set_spoken (EarSentenceRow *self, gboolean spoken)
{
  ear_set_css_class (GTK_WIDGET (self), "spoken", spoken);
}

/* Marks the words that are looked for.
 * @search: (nullable): words */
void
ear_sentence_row_set_search (EarSentenceRow *self, const char *search)
{
  if (!g_set_str (&self->search, search))
    return;
  g_clear_object (&self->text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
