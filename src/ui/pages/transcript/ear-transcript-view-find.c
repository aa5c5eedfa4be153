/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-view-private.h"

#include <glib/gi18n.h>

#include "ear-property.h"
#include "ear-widget.h"
#include "ear-worker.h"

/* Finding words in a transcript. They are looked for by a worker: it may be as long as a book. */

typedef struct
{
  EarTranscript *transcript;
  char *words;
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  ear_transcript_unref (search->transcript);
  g_free (search->words);
  g_free (search);
}

/* --- What was found --------------------------------------------------------------------- */

static guint
get_n_found (EarTranscriptView *self)
{
  return self->found != NULL ? self->found->len : 0;
}

/* The selected sentence is the one that was come to.
 * Returns: its number among those that were found, from 1, or 0 */
static guint
get_place (EarTranscriptView *self)
{
  for (guint i = 0; i < get_n_found (self); i++)
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection), g_array_index (self->found, guint, i)))
      return i + 1;

  return 0;
}

static void
update_count (EarTranscriptView *self)
{
  const guint n = get_n_found (self);
  g_autofree char *count = NULL;

  if (self->search != NULL && self->found != NULL && n == 0)
    count = g_strdup (_("No matches"));
  else if (n > 0)
    /* Translators: which place it is of how many, where words were found in a transcript: 3 of 12 */
    count = g_strdup_printf (_("%u of %u"), get_place (self), n);
  ear_property_set_string (self, "count", count);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.find-next", n > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.find-previous", n > 0);
}

static void
show_found (EarTranscriptView *self, guint place)
{
  const guint index = g_array_index (self->found, guint, place);

  ear_transcript_view_stay (self);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), index, TRUE);
  ear_transcript_view_scroll_to (self, (int) index);
  ear_transcript_view_come_into_sight (self);
  update_count (self);
  if (self->count != NULL)
    ear_announce (GTK_ACCESSIBLE (self->search_entry), self->count, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Returns: the sentence that is selected, or else the one that is spoken, or else the first */
static guint
get_present (EarTranscriptView *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  return !gtk_bitset_is_empty (selected) ? gtk_bitset_get_minimum (selected) : (guint) MAX (self->current, 0);
}

/* The first one from the present one on; or else from the beginning. */
static void
show_first (EarTranscriptView *self)
{
  const guint from = get_present (self);
  guint place = 0;

  while (place < self->found->len && g_array_index (self->found, guint, place) < from)
    place++;
  show_found (self, place < self->found->len ? place : 0);
}

static void
mark_words (EarTranscriptView *self, EarSentenceRow *row)
{
  ear_sentence_row_set_search (row, self->search);
}

/* --- Looking ---------------------------------------------------------------------------- */

static void
search_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Search *search = task_data;

  g_task_return_pointer (task, ear_transcript_search (search->transcript, search->words), (GDestroyNotify) g_array_unref);
}

static void
searched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarTranscriptView) self = user_data;
  g_autoptr (GError) error = NULL;
  GArray *found = g_task_propagate_pointer (G_TASK (result), &error);

  if (found == NULL)
    return;
  g_clear_object (&self->finding);
  g_clear_pointer (&self->found, g_array_unref);
  self->found = found;
  if (found->len > 0)
    show_first (self);
  update_count (self);
}

static void
forget (EarTranscriptView *self)
{
  g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);
  g_clear_pointer (&self->found, g_array_unref);
}

/* Looks for the words, once there is something to look into. */
void
ear_transcript_view_begin_search (EarTranscriptView *self)
{
  Search *search;
  GTask *task;

  forget (self);
  ear_transcript_view_foreach_row (self, mark_words);
  update_count (self);
  if (self->search == NULL || self->transcript == NULL)
    return;

  search = g_new0 (Search, 1);
  search->transcript = ear_transcript_ref (self->transcript);
  search->words = g_strdup (self->search);
  self->finding = g_cancellable_new ();
  task = g_task_new (NULL, self->finding, searched_cb, g_object_ref (self));
  g_task_set_source_tag (task, ear_transcript_view_begin_search);
  g_task_set_task_data (task, search, search_free);
  ear_worker_run (task, search_thread, (GDestroyNotify) g_array_unref);
}

/* Looks for nothing any more. */
void
ear_transcript_view_stop_search (EarTranscriptView *self)
{
  forget (self);
  g_clear_pointer (&self->search, g_free);
}

static void
search_changed_cb (EarTranscriptView *self)
{
  g_autofree char *words = g_strstrip (g_strdup (gtk_editable_get_text (self->search_entry)));

  if (g_set_str (&self->search, *words != '\0' ? words : NULL))
    ear_transcript_view_begin_search (self);
}

/* Whether the keys go to a part of it. */
static gboolean
has_focus (gpointer part)
{
  return (gtk_widget_get_state_flags (part) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

/* The words that were looked for are not marked any longer than they are seen. The keys go to the sentence that was come
 * to, to play it, say. */
static void
search_mode_changed_cb (EarTranscriptView *self)
{
  if (gtk_search_bar_get_search_mode (self->search_bar))
    return;
  if (has_focus (self->search_bar) && g_list_model_get_n_items (G_LIST_MODEL (self->selection)) > 0)
    {
      gtk_list_view_scroll_to (self->list_view, get_present (self), GTK_LIST_SCROLL_FOCUS, NULL);
      gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
    }
  gtk_editable_set_text (self->search_entry, "");
  ear_transcript_view_stop_search (self);
  ear_transcript_view_foreach_row (self, mark_words);
  update_count (self);
}

static void
move (EarTranscriptView *self, int step)
{
  const int n = (int) get_n_found (self);
  const int place = (int) get_place (self);

  if (n > 0)
    show_found (self, (guint) (((place > 0 ? place - 1 + step : 0) + n) % n));
}

static void
find_next_cb (EarTranscriptView *self)
{
  move (self, 1);
}

static void
find_previous_cb (EarTranscriptView *self)
{
  move (self, -1);
}

static void
find_next (GtkWidget *widget, const char *name, GVariant *parameter)
{
  move (EAR_TRANSCRIPT_VIEW (widget), g_str_equal (name, "transcript.find-next") ? 1 : -1);
}

static void
find (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_transcript_view_find (EAR_TRANSCRIPT_VIEW (widget));
}

void
ear_transcript_view_bind_find (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "transcript.find", NULL, find);
  gtk_widget_class_install_action (widget_class, "transcript.find-next", NULL, find_next);
  gtk_widget_class_install_action (widget_class, "transcript.find-previous", NULL, find_next);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_mode_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_next_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_previous_cb);
}

/* Lets the listener look for words in what is said.
 * Returns: %FALSE if there is nothing to look into, or the keys go to the entry already: who asks again means another one */
gboolean
ear_transcript_view_find (EarTranscriptView *self)
{
  g_return_val_if_fail (EAR_IS_TRANSCRIPT_VIEW (self), FALSE);

  if (self->transcript == NULL || has_focus (self->search_entry))
    return FALSE;
  ear_transcript_view_come_into_sight (self);
  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
  gtk_editable_select_region (self->search_entry, 0, -1);

  return TRUE;
}
