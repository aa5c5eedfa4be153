/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-view-private.h"

#include <glib/gi18n.h>

#include "ear-clock.h"
#include "ear-row-action.h"
#include "ear-shift-dialog.h"

/* What can be done with sentences: playing, copying, saying when they are heard. */

/* --- Playing ---------------------------------------------------------------------------- */

/* Plays the episode from a sentence on, and follows it. */
void
ear_transcript_view_play (EarTranscriptView *self, guint index)
{
  gint64 start;

  if (self->transcript == NULL || index >= ear_transcript_get_length (self->transcript) ||
      !ear_transcript_get_timed (self->transcript))
    return;
  start = ear_transcript_get (self->transcript, index)->start + ear_transcript_view_get_shift (self);
  ear_play_control_seek (ear_library_get_play_control (self->library), self->episode, self->list, MAX (start, 0));
  ear_transcript_view_go_on (self);
}

static GtkBitset *
dup_selected (EarTranscriptView *self)
{
  return gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
}

static void
play (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);
  g_autoptr (GtkBitset) selected = dup_selected (self);

  if (!gtk_bitset_is_empty (selected))
    ear_transcript_view_play (self, gtk_bitset_get_minimum (selected));
}

static void
follow (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_transcript_view_follow (EAR_TRANSCRIPT_VIEW (widget));
}

/* A click plays; one with a key selects, as in any list. */
static void
clicked_cb (EarTranscriptView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  const GdkModifierType keys = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  GtkWidget *row = ear_row_at (GTK_WIDGET (self->list_view), x, y, EAR_TYPE_SENTENCE_ROW);
  EarSentenceItem *item = row != NULL ? ear_sentence_row_get_item (EAR_SENTENCE_ROW (row)) : NULL;

  if (item == NULL || n_press != 1 || (keys & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK)) != 0)
    return;
  ear_transcript_view_play (self, ear_sentence_item_get_index (item));
}

/* --- Scrolling by hand ------------------------------------------------------------------ */

static gboolean
scrolled_cb (EarTranscriptView *self)
{
  ear_transcript_view_stay (self);

  return GDK_EVENT_PROPAGATE;
}

static void
dragged_cb (EarTranscriptView *self, double x, double y, GtkGesture *gesture)
{
  if (gtk_drag_check_threshold (GTK_WIDGET (self->scroller), 0, 0, (int) x, (int) y))
    ear_transcript_view_stay (self);
}

static gboolean
key_pressed_cb (EarTranscriptView *self, guint key)
{
  switch (key)
    {
    case GDK_KEY_Up:
    case GDK_KEY_Down:
    case GDK_KEY_Page_Up:
    case GDK_KEY_Page_Down:
      ear_transcript_view_stay (self);
      return ear_transcript_view_bring_keys (self);
    case GDK_KEY_Home:
    case GDK_KEY_End:
      ear_transcript_view_stay (self);
      break;
    default:
      break;
    }

  return GDK_EVENT_PROPAGATE;
}

/* --- Copying ---------------------------------------------------------------------------- */

static void
append_line (EarTranscriptView *self, GString *text, const EarSentence *sentence)
{
  if (text->len > 0)
    g_string_append_c (text, '\n');
  if (sentence->start >= 0)
    {
      g_autofree char *clock = ear_clock_format (MAX (sentence->start + ear_transcript_view_get_shift (self), 0));

      g_string_append_printf (text, "%s ", clock);
    }
  if (sentence->speaker != NULL)
    g_string_append_printf (text, "%s: ", sentence->speaker);
  g_string_append (text, sentence->text);
}

/* "12:03 Ann: Good evening." a line */
static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);
  g_autoptr (GtkBitset) selected = dup_selected (self);
  g_autoptr (GString) text = g_string_new (NULL);
  GtkBitsetIter iter;
  guint index;

  if (self->transcript == NULL || !gtk_bitset_iter_init_first (&iter, selected, &index))
    return;
  do
    append_line (self, text, ear_transcript_get (self->transcript, index));
  while (gtk_bitset_iter_next (&iter, &index));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text->str);
  gtk_widget_activate_action (widget, "win.notify", "s", _("Copied"));
}

/* --- Times ------------------------------------------------------------------------------ */

/* What is heard and what the transcript says are as far apart in all of the episode. */
static void
set_shift (EarTranscriptView *self, EarEpisode *episode, gint64 shift)
{
  ear_history_set_mark (ear_library_get_history (self->library), episode, EAR_MARK_SHIFT, shift);
}

static void
spoken_now (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);
  g_autoptr (GtkBitset) selected = dup_selected (self);

  if (self->transcript == NULL || gtk_bitset_is_empty (selected) || !ear_transcript_get_timed (self->transcript))
    return;
  set_shift (self, self->episode, ear_transcript_view_get_time (self) - ear_transcript_get (self->transcript, gtk_bitset_get_minimum (selected))->start);
  ear_transcript_view_follow (self);
}

static void
shifted_cb (EarTranscriptView *self, EarEpisode *episode, gint64 shift)
{
  set_shift (self, episode, shift);
  ear_transcript_view_follow (self);
}

static void
shift_times (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);
  EarShiftDialog *dialog;

  if (self->transcript == NULL || !ear_transcript_get_timed (self->transcript))
    return;
  dialog = ear_shift_dialog_new (self->episode);
  g_signal_connect_object (dialog, "shifted", G_CALLBACK (shifted_cb), self, G_CONNECT_SWAPPED);
  adw_dialog_present (ADW_DIALOG (dialog), widget);
}

/* --- The menu --------------------------------------------------------------------------- */

static void
menu_closed_cb (EarTranscriptView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

static void
open_menu (EarTranscriptView *self, GtkWidget *row, double x, double y)
{
  const GdkRectangle place = { (int) x, (int) y, 1, 1 };
  EarSentenceItem *item = ear_sentence_row_get_item (EAR_SENTENCE_ROW (row));
  const guint index = item != NULL ? ear_sentence_item_get_index (item) : GTK_INVALID_LIST_POSITION;

  if (item == NULL)
    return;
  /* What is selected stays so if it is one of several. */
  if (!gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection), index))
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), index, TRUE);
  ear_transcript_view_update_actions (self);
  if (self->menu == NULL)
    {
      self->menu = GTK_POPOVER_MENU (gtk_popover_menu_new_from_model (self->sentence_menu));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (GTK_WIDGET (self->menu), GTK_ALIGN_START);
      g_signal_connect_object (self->menu, "closed", G_CALLBACK (menu_closed_cb), self, G_CONNECT_SWAPPED);
      gtk_box_append (self->area, GTK_WIDGET (self->menu));
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &place);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
menu_at (EarTranscriptView *self, double x, double y)
{
  GtkWidget *row = ear_row_at (GTK_WIDGET (self->area), x, y, EAR_TYPE_SENTENCE_ROW);

  if (row != NULL)
    open_menu (self, row, x, y);
}

/* Not when it is pressed: the menu takes the release away, and GTK (4.18) has the row pressed for ever. */
static void
right_released_cb (EarTranscriptView *self, int n_press, double x, double y)
{
  menu_at (self, x, y);
}

static void
long_pressed_cb (EarTranscriptView *self, double x, double y, GtkGesture *gesture)
{
  menu_at (self, x, y);
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);
  GtkWidget *row = ear_row_with_focus (GTK_WIDGET (self->list_view), EAR_TYPE_SENTENCE_ROW);
  graphene_rect_t bounds;

  if (row != NULL && gtk_widget_compute_bounds (row, GTK_WIDGET (self->area), &bounds))
    open_menu (self, row, (double) bounds.origin.x + (double) bounds.size.width / 2, (double) bounds.origin.y + (double) bounds.size.height);
}

/* What cannot be done now is not offered. */
void
ear_transcript_view_update_actions (EarTranscriptView *self)
{
  const gboolean timed = self->transcript != NULL && ear_transcript_get_timed (self->transcript);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.play", timed);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.spoken-now", timed && ear_transcript_view_get_time (self) > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.shift", timed);
}

void
ear_transcript_view_bind_menu (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "transcript.play", NULL, play);
  gtk_widget_class_install_action (widget_class, "transcript.follow", NULL, follow);
  gtk_widget_class_install_action (widget_class, "transcript.copy", NULL, copy);
  gtk_widget_class_install_action (widget_class, "transcript.spoken-now", NULL, spoken_now);
  gtk_widget_class_install_action (widget_class, "transcript.shift", NULL, shift_times);
  gtk_widget_class_install_action (widget_class, "list.menu", NULL, menu);
  gtk_widget_class_bind_template_callback (widget_class, clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, scrolled_cb);
  gtk_widget_class_bind_template_callback (widget_class, dragged_cb);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
  gtk_widget_class_bind_template_callback (widget_class, right_released_cb);
  gtk_widget_class_bind_template_callback (widget_class, long_pressed_cb);
}
