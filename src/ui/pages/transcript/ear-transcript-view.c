/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-view-private.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-error.h"
#include "ear-error-text.h"
#include "ear-property.h"
#include "ear-sentence-list.h"
#include "ear-transcript-link.h"
#include "ear-transcript-loader.h"

/**
 * EarTranscriptView:
 *
 * What is said in an episode, sentence by sentence. It follows the voice until the listener scrolls elsewhere; a click on a
 * sentence plays it. It is loaded when it is first seen, and not for who clicks through episodes and reads their notes.
 */
G_DEFINE_FINAL_TYPE (EarTranscriptView, ear_transcript_view, ADW_TYPE_BIN)

/* --- Rows ------------------------------------------------------------------------------- */

/* Calls a function for each row that the list has made. */
void
ear_transcript_view_foreach_row (EarTranscriptView *self, EarSentenceRowFunc func)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *row = gtk_widget_get_first_child (child);

      if (EAR_IS_SENTENCE_ROW (row) && ear_sentence_row_get_item (EAR_SENTENCE_ROW (row)) != NULL)
        func (self, EAR_SENTENCE_ROW (row));
    }
}

static void
row_setup_cb (EarTranscriptView *self, GtkListItem *list_item)
{
  GtkWidget *row = g_object_new (EAR_TYPE_SENTENCE_ROW, NULL);

  /* With the times, which may be shifted. */
  g_object_bind_property (row, "words", list_item, "accessible-label", G_BINDING_SYNC_CREATE);
  gtk_list_item_set_child (list_item, row);
}

static void
row_bind_cb (EarTranscriptView *self, GtkListItem *list_item)
{
  EarSentenceItem *item = gtk_list_item_get_item (list_item);
  EarSentenceRow *row = EAR_SENTENCE_ROW (gtk_list_item_get_child (list_item));

  ear_sentence_row_set_search (row, self->search);
  ear_sentence_row_set_item (row, item, ear_transcript_view_get_shift (self));
  ear_sentence_row_set_spoken (row, (int) ear_sentence_item_get_index (item) == self->current);
}

static void
row_unbind_cb (EarTranscriptView *self, GtkListItem *list_item)
{
  ear_sentence_row_set_item (EAR_SENTENCE_ROW (gtk_list_item_get_child (list_item)), NULL, 0);
}

static void
activated_cb (EarTranscriptView *self, guint position)
{
  ear_transcript_view_play (self, position);
}

/* --- Loading ---------------------------------------------------------------------------- */

static void
set_transcript (EarTranscriptView *self, EarTranscript *transcript)
{
  g_autoptr (EarSentenceList) sentences = transcript != NULL ? ear_sentence_list_new (transcript) : NULL;

  ear_transcript_view_stop_moving (self);
  g_clear_pointer (&self->transcript, ear_transcript_unref);
  self->transcript = transcript != NULL ? ear_transcript_ref (transcript) : NULL;
  self->current = -1;
  gtk_multi_selection_set_model (self->selection, G_LIST_MODEL (sentences));
  ear_transcript_view_update_actions (self);
}

/* What keeps it from being fetched is what keeps sound from being played; all else is that there is none. */
static char *
describe_failure (const GError *error)
{
  if (error->domain == EAR_ERROR && error->code >= EAR_ERROR_OFFLINE && error->code <= EAR_ERROR_CERTIFICATE)
    return ear_error_text_body (error, EAR_ERROR_ABOUT_MEDIA);

  return g_strdup (_("The file at the transcript’s address cannot be read."));
}

static void
fail (EarTranscriptView *self, const GError *error)
{
  g_autofree char *failure = describe_failure (error);

  g_info ("No transcript: %s", error->message);
  ear_property_set_string (self, "failure", failure);
  ear_property_set_string (self, "page", "failed");
}

/* What is wanted, or else what is spoken. */
static void
show_place (EarTranscriptView *self)
{
  if (self->wanted >= 0)
    ear_transcript_view_show_at (self, self->wanted);
  else
    ear_transcript_view_follow (self);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarTranscriptView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarTranscript) transcript = ear_transcript_load_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->loading);
  if (transcript == NULL)
    {
      fail (self, error);
      return;
    }

  set_transcript (self, transcript);
  ear_property_set_string (self, "page", "sentences");
  show_place (self);
  ear_transcript_view_begin_search (self);
}

static void
stop_loading (EarTranscriptView *self)
{
  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
}

static void
load (EarTranscriptView *self)
{
  if (self->episode == NULL || self->library == NULL || self->transcript != NULL || self->loading != NULL ||
      !ear_transcript_is_named (self->episode))
    return;

  self->loading = g_cancellable_new ();
  ear_property_set_string (self, "page", "loading");
  ear_transcript_load_async (ear_library_get_documents (self->library), self->episode, self->loading, loaded_cb, g_object_ref (self));
}

static void
retry (GtkWidget *widget, const char *name, GVariant *parameter)
{
  load (EAR_TRANSCRIPT_VIEW (widget));
}

static void
episode_changed_cb (EarTranscriptView *self)
{
  stop_loading (self);
  ear_transcript_view_stop_search (self);
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  self->wanted = -1;
  set_transcript (self, NULL);
  ear_property_set_string (self, "page", "loading");
  g_signal_group_set_target (self->episode_signals, self->episode);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    load (self);
}

static void
library_changed_cb (EarTranscriptView *self)
{
  g_signal_group_set_target (self->player_signals, self->library != NULL ? ear_library_get_player (self->library) : NULL);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    load (self);
}

static void
bind_shift (EarTranscriptView *self, EarSentenceRow *row)
{
  g_autoptr (EarSentenceItem) item = g_object_ref (ear_sentence_row_get_item (row));

  ear_sentence_row_set_item (row, item, ear_transcript_view_get_shift (self));
}

static void
shift_changed_cb (EarTranscriptView *self)
{
  ear_transcript_view_foreach_row (self, bind_shift);
  ear_transcript_view_update_voice (self);
}

/* Who comes back to it finds the sentence that is spoken then. */
static void
ear_transcript_view_map (GtkWidget *widget)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);

  GTK_WIDGET_CLASS (ear_transcript_view_parent_class)->map (widget);
  load (self);
  if (self->transcript != NULL)
    show_place (self);
}

static void
ear_transcript_view_unmap (GtkWidget *widget)
{
  ear_transcript_view_stop_moving (EAR_TRANSCRIPT_VIEW (widget));
  GTK_WIDGET_CLASS (ear_transcript_view_parent_class)->unmap (widget);
}

static gboolean
ear_transcript_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);

  if ((gtk_widget_get_state_flags (GTK_WIDGET (self->list_view)) & GTK_STATE_FLAG_FOCUS_WITHIN) == 0)
    ear_transcript_view_bring_keys (self);

  return GTK_WIDGET_CLASS (ear_transcript_view_parent_class)->focus (widget, direction);
}

/* --- The object ------------------------------------------------------------------------- */

static void
ear_transcript_view_dispose (GObject *object)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (object);

  stop_loading (self);
  ear_transcript_view_stop_search (self);
  ear_transcript_view_stop_moving (self);
  g_clear_object (&self->episode_signals);
  g_clear_object (&self->player_signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_TRANSCRIPT_VIEW);
  g_clear_object (&self->library);
  g_clear_object (&self->episode);
  g_clear_object (&self->list);
  g_clear_pointer (&self->transcript, ear_transcript_unref);
  g_clear_pointer (&self->page, g_free);
  g_clear_pointer (&self->failure, g_free);
  g_clear_pointer (&self->count, g_free);

  G_OBJECT_CLASS (ear_transcript_view_parent_class)->dispose (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const EarProperty properties[] = {
    /* Where transcripts come from, and what plays */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTranscriptView, library),
      .changed = G_CALLBACK (library_changed_cb) },
    /* Whose transcript it is */
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTranscriptView, episode),
      .changed = G_CALLBACK (episode_changed_cb) },
    /* What the episode was chosen from, and what is played after it */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTranscriptView, list) },
    /* What is shown: "loading", "failed" or "sentences" */
    { .spec = g_param_spec_string ("page", NULL, NULL, "loading", G_PARAM_READABLE), .offset = G_STRUCT_OFFSET (EarTranscriptView, page) },
    /* What went wrong, in a few words */
    { "failure", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarTranscriptView, failure) },
    /* How many sentences have the words that are looked for, and which this one is */
    { "count", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarTranscriptView, count) },
    /* Whether it scrolls with the voice */
    { .spec = g_param_spec_boolean ("following", NULL, NULL, TRUE, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarTranscriptView, following) },
    /* Whether it does not, and could */
    { "can-follow", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarTranscriptView, can_follow) },
  };

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_transcript_view_class_init (EarTranscriptViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ear_transcript_view_dispose;
  widget_class->map = ear_transcript_view_map;
  widget_class->unmap = ear_transcript_view_unmap;
  widget_class->focus = ear_transcript_view_focus;
  install_properties (object_class);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_install_action (widget_class, "transcript.retry", NULL, retry);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-transcript-view.ui");
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, area);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, selection);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, sentence_menu);
  gtk_widget_class_bind_template_callback (widget_class, row_setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_bind_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_unbind_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  ear_transcript_view_bind_find (widget_class);
  ear_transcript_view_bind_menu (widget_class);
  ear_closures_bind (widget_class);
}

static void
ear_transcript_view_init (EarTranscriptView *self)
{
  self->current = -1;
  self->goal = -1;
  self->wanted = -1;
  self->following = TRUE;
  self->page = g_strdup ("loading");
  self->episode_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->episode_signals, "notify::position", G_CALLBACK (ear_transcript_view_update_voice), self);
  g_signal_group_connect_swapped (self->episode_signals, "notify::shift", G_CALLBACK (shift_changed_cb), self);
  self->player_signals = g_signal_group_new (EAR_TYPE_PLAYER);
  g_signal_group_connect_swapped (self->player_signals, "notify::position", G_CALLBACK (ear_transcript_view_update_voice), self);
  g_signal_group_connect_swapped (self->player_signals, "notify::episode", G_CALLBACK (ear_transcript_view_update_voice), self);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->search_bar, self->search_entry);
}
