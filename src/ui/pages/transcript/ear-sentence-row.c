/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sentence-row.h"

#include "ear-format.h"
#include "ear-row-action.h"
#include "ear-text-find.h"
#include "ear-widget.h"

#include <adwaita.h>

#define MOST_MATCHES 50

/**
 * EarSentenceRow:
 *
 * A sentence of a transcript: its time, its speaker where another one than
 * before, and its text. */
struct _EarSentenceRow
{
  GtkWidget parent_instance;

  /* Template children */
  GtkLabel *time;
  GtkLabel *speaker;
  GtkLabel *text;

  guint index;
};

G_DEFINE_FINAL_TYPE (EarSentenceRow, ear_sentence_row, GTK_TYPE_WIDGET)

/* @search: (nullable)
 * Returns: (transfer full) (nullable): an accent behind each match */
static PangoAttrList *
make_highlights (const char *text, const char *search)
{
  g_autoptr (GdkRGBA) accent = NULL;
  PangoAttrList *highlights = NULL;
  gsize at = 0;
  gsize start, end;

  if (search == NULL)
    return NULL;

  accent = adw_style_manager_get_accent_color_rgba (adw_style_manager_get_default ());
  accent->alpha = 0.4f;
  for (guint n = 0; n < MOST_MATCHES && ear_text_find (text + at, search, &start, &end); n++)
    {
      ear_highlight (&highlights, at + start, at + end, accent);
      at += end;
    }

  return highlights;
}

/* --- The row ------------------------------------------------------------------------ */

static void
ear_sentence_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_SENTENCE_ROW);
  G_OBJECT_CLASS (ear_sentence_row_parent_class)->dispose (object);
}

static void
ear_sentence_row_class_init (EarSentenceRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_sentence_row_dispose;
  ear_row_action_install (widget_class);
  gtk_widget_class_set_css_name (widget_class, "sentence");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
  ear_widget_set_template (widget_class, "ear-sentence-row");
  gtk_widget_class_bind_template_child (widget_class, EarSentenceRow, time);
  gtk_widget_class_bind_template_child (widget_class, EarSentenceRow, speaker);
  gtk_widget_class_bind_template_child (widget_class, EarSentenceRow, text);
}

static void
ear_sentence_row_init (EarSentenceRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

guint
ear_sentence_row_get_index (EarSentenceRow *self)
{
  return self->index;
}

/* The row as a screen reader reads it: "Ann: Good evening · 12 minutes 3 seconds" */
static char *
format_words (const EarSentence *sentence, const char *speaker, gint64 time)
{
  g_autofree char *clock = time >= 0 ? ear_format_clock_spoken (time) : NULL;
  g_autofree char *said = speaker != NULL ? g_strdup_printf ("%s: %s", speaker, sentence->text)
                                          : g_strdup (sentence->text);

  return clock != NULL ? ear_format_join (said, clock)
                       : g_steal_pointer (&said);
}

/* All times of a transcript get the width of its last one.
 * @time: -1 in a transcript without times */
static void
show_time (EarSentenceRow *self, EarTranscript *transcript, gint64 time, gint64 shift)
{
  const guint last = ear_transcript_get_length (transcript) - 1;
  g_autofree char *clock = time >= 0 ? ear_format_clock (time) : NULL;
  g_autofree char *longest =
    ear_format_clock (MAX (ear_transcript_get (transcript, last)->start + shift, 0));

  ear_label_show (self->time, clock);
  /* A colon is narrow. */
  gtk_label_set_width_chars (self->time, (int) g_utf8_strlen (longest, -1) - 1);
}

/* @shift: added to the times of the transcript
 * @search: (nullable): words to highlight */
void
ear_sentence_row_show (EarSentenceRow *self, EarTranscript *transcript, guint index, gint64 shift,
                       const char *search)
{
  const EarSentence *sentence = ear_transcript_get (transcript, index);
  const char *before = index > 0 ? ear_transcript_get (transcript, index - 1)->speaker : NULL;
  const char *speaker = g_strcmp0 (sentence->speaker, before) != 0 ? sentence->speaker : NULL;
  const gint64 time = sentence->start >= 0 ? MAX (sentence->start + shift, 0) : -1;
  const GtkTextDirection direction = ear_format_find_direction (sentence->text);
  g_autofree char *words = format_words (sentence, speaker, time);
  g_autoptr (PangoAttrList) highlights = make_highlights (sentence->text, search);

  self->index = index;
  show_time (self, transcript, time, shift);
  ear_label_show (self->speaker, speaker);
  gtk_label_set_label (self->text, sentence->text);
  gtk_label_set_attributes (self->text, highlights);
  /* As in the notes, texts begin on the side of their own language. */
  gtk_widget_set_direction (GTK_WIDGET (self->speaker), direction);
  gtk_widget_set_direction (GTK_WIDGET (self->text), direction);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  sentence->text, -1);
  /* The list item around the row has the focus. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (GTK_WIDGET (self))),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}
