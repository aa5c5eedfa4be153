/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-view-private.h"

#include "ear-property.h"
#include "ear-sight.h"

#include <math.h>

/* Following the voice: the sentence that is spoken is marked, and scrolled to. */

/* A list view finds out how high its rows are as it comes to them: so many frames it is looked after. */
#define MOST_FRAMES 12

gint64
ear_transcript_view_get_shift (EarTranscriptView *self)
{
  return self->episode != NULL ? ear_episode_get_mark (self->episode, EAR_MARK_SHIFT) : 0;
}

/* Returns: where the listener is in the episode, also of one that is not in the player */
gint64
ear_transcript_view_get_time (EarTranscriptView *self)
{
  if (self->episode == NULL || self->library == NULL)
    return 0;

  return ear_play_control_get_time (ear_library_get_play_control (self->library), self->episode);
}

/* --- Scrolling -------------------------------------------------------------------------- */

/* Returns: (nullable): what a row of the list shows */
static EarSentenceItem *
get_item (GtkWidget *child)
{
  GtkWidget *row = gtk_widget_get_first_child (child);

  return EAR_IS_SENTENCE_ROW (row) ? ear_sentence_row_get_item (EAR_SENTENCE_ROW (row)) : NULL;
}

static GtkWidget *
find_row (EarTranscriptView *self, int index)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      EarSentenceItem *item = get_item (child);

      if (item != NULL && (int) ear_sentence_item_get_index (item) == index && gtk_widget_get_mapped (child))
        return child;
    }

  return NULL;
}

/* @value: (out): where the list has to be scrolled to
 * Returns: whether the row has a place */
static gboolean
find_place (EarTranscriptView *self, int index, double *value)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  GtkWidget *row = find_row (self, index);
  graphene_rect_t bounds;
  double most;

  if (row == NULL || !gtk_widget_compute_bounds (row, GTK_WIDGET (self->list_view), &bounds) || bounds.size.height <= 0)
    return FALSE;
  most = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);
  *value = gtk_adjustment_get_value (adjustment) + (double) bounds.origin.y - EAR_SIGHT_NOW * gtk_adjustment_get_page_size (adjustment);
  *value = round (CLAMP (*value, 0, MAX (most, 0)));

  return TRUE;
}

/* Ends what it does by itself. */
void
ear_transcript_view_stop_moving (EarTranscriptView *self)
{
  if (self->animation != NULL)
    adw_animation_pause (self->animation);
  g_clear_object (&self->animation);
  if (self->goal_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->goal_tick);
  self->goal_tick = 0;
  self->goal = -1;
  self->coming = FALSE;
}

/* Where the page is higher than the window, the list may be below what is seen of it, and what looks for words with it. */
void
ear_transcript_view_come_into_sight (EarTranscriptView *self)
{
  GtkWidget *page = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = page != NULL ? gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (page)) : NULL;
  graphene_rect_t bounds;
  double below;

  self->coming = FALSE;
  if (adjustment == NULL || !gtk_widget_compute_bounds (GTK_WIDGET (self->area), page, &bounds))
    return;
  below = (double) bounds.origin.y + (double) bounds.size.height - gtk_widget_get_height (page);
  if (below > 0)
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + ceil (MIN (below, (double) bounds.origin.y)));
}

/* Until the row has been where it should be in two frames in a row, or for a moment at most */
static gboolean
goal_tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  double value;

  if (self->goal >= 0 && self->n_goal_frames++ < MOST_FRAMES)
    {
      if (!find_place (self, self->goal, &value))
        {
          gtk_list_view_scroll_to (self->list_view, (guint) self->goal, GTK_LIST_SCROLL_NONE, NULL);
          return G_SOURCE_CONTINUE;
        }
      if (fabs (value - gtk_adjustment_get_value (adjustment)) >= 1)
        {
          gtk_adjustment_set_value (adjustment, value);
          return G_SOURCE_CONTINUE;
        }
      if (self->n_goal_frames < 3)
        return G_SOURCE_CONTINUE;
    }
  if (self->coming)
    ear_transcript_view_come_into_sight (self);
  self->goal_tick = 0;
  self->goal = -1;

  return G_SOURCE_REMOVE;
}

static void
jump_to (EarTranscriptView *self, int index)
{
  ear_transcript_view_stop_moving (self);
  self->goal = index;
  self->n_goal_frames = 0;
  gtk_list_view_scroll_to (self->list_view, (guint) index, GTK_LIST_SCROLL_NONE, NULL);
  self->goal_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), goal_tick_cb, NULL, NULL);
}

static void
glide_to (EarTranscriptView *self, double value)
{
  ear_transcript_view_stop_moving (self);
  self->animation = ear_sight_glide (self->scroller, value);
}

static gboolean
is_in_sight (EarTranscriptView *self, int index)
{
  GtkWidget *row = index >= 0 ? find_row (self, index) : NULL;

  return row != NULL && ear_sight_has (row);
}

/* Returns: the sentence that is chosen, or was found, or else the one that is spoken, where it is seen, or else the first one
 * that is; -1 if none is */
static int
find_in_sight (EarTranscriptView *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  const int chosen = gtk_bitset_is_empty (selected) ? -1 : (int) gtk_bitset_get_minimum (selected);

  if (is_in_sight (self, chosen))
    return chosen;
  if (is_in_sight (self, self->current))
    return self->current;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      EarSentenceItem *item = get_item (child);

      if (item != NULL && ear_sight_has (child))
        return (int) ear_sentence_item_get_index (item);
    }

  return -1;
}

/* The keys come to what is seen: a list view has them go on from where they were last, or from its first row, which the voice
 * may have left far behind. What is not seen is not drawn either, and could not keep the focus.
 * Returns: whether they were anywhere else */
gboolean
ear_transcript_view_bring_keys (EarTranscriptView *self)
{
  GtkWidget *focused = gtk_widget_get_focus_child (GTK_WIDGET (self->list_view));
  const gboolean inside = (gtk_widget_get_state_flags (GTK_WIDGET (self->list_view)) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
  const int index = inside && focused != NULL && gtk_widget_get_mapped (focused) ? -1 : find_in_sight (self);

  if (index < 0)
    return FALSE;
  gtk_list_view_scroll_to (self->list_view, (guint) index, GTK_LIST_SCROLL_FOCUS, NULL);

  return TRUE;
}

/* Scrolls to a sentence: what is near is glided to. */
void
ear_transcript_view_scroll_to (EarTranscriptView *self, int index)
{
  double value;

  if (index < 0 || !gtk_widget_get_mapped (GTK_WIDGET (self->list_view)))
    return;
  if (self->goal < 0 && find_place (self, index, &value))
    glide_to (self, value);
  else if (self->goal != index)
    jump_to (self, index);
}

/* --- The voice -------------------------------------------------------------------------- */

static void
update_button (EarTranscriptView *self)
{
  ear_property_set_boolean (self, "can-follow", !self->following && self->current >= 0);
}

static void
set_following (EarTranscriptView *self, gboolean following)
{
  ear_property_set_boolean (self, "following", following);
  update_button (self);
}

static void
mark_row (EarTranscriptView *self, EarSentenceRow *row)
{
  ear_sentence_row_set_spoken (row, (int) ear_sentence_item_get_index (ear_sentence_row_get_item (row)) == self->current);
}

/* Marks what is spoken now, and scrolls to it if that is wanted. */
void
ear_transcript_view_update_voice (EarTranscriptView *self)
{
  const gint64 time = ear_transcript_view_get_time (self) - ear_transcript_view_get_shift (self);
  const int current = self->transcript != NULL ? ear_transcript_find (self->transcript, time) : -1;

  if (current == self->current)
    return;
  self->current = current;
  ear_transcript_view_foreach_row (self, mark_row);
  update_button (self);
  ear_transcript_view_update_actions (self);
  if (self->following)
    ear_transcript_view_scroll_to (self, current);
}

/* Shows what is spoken now, and goes on with the voice. */
void
ear_transcript_view_follow (EarTranscriptView *self)
{
  ear_transcript_view_update_voice (self);
  set_following (self, TRUE);
  ear_transcript_view_stop_moving (self);
  if (self->current < 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  jump_to (self, self->current);
  self->coming = TRUE;
}

/* Goes on with the voice from where that is next. */
void
ear_transcript_view_go_on (EarTranscriptView *self)
{
  ear_transcript_view_stop_moving (self);
  set_following (self, TRUE);
}

/* Stays where the listener has scrolled to. */
void
ear_transcript_view_stay (EarTranscriptView *self)
{
  ear_transcript_view_stop_moving (self);
  set_following (self, FALSE);
}

/**
 * ear_transcript_view_show_at:
 * @time: when it is heard, in microseconds; -1 for the beginning
 *
 * Shows what is said then, as soon as it is there, and stays there.
 */
void
ear_transcript_view_show_at (EarTranscriptView *self, gint64 time)
{
  int index;

  g_return_if_fail (EAR_IS_TRANSCRIPT_VIEW (self));

  self->wanted = MAX (time, 0);
  index = self->transcript != NULL ? ear_transcript_find (self->transcript, MAX (self->wanted - ear_transcript_view_get_shift (self), 0)) : -1;
  if (index < 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->wanted = -1;
  ear_transcript_view_update_voice (self);
  ear_transcript_view_stay (self);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), (guint) index, TRUE);
  jump_to (self, index);
  self->coming = TRUE;
}
