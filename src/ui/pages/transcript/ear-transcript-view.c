/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ear-clock.h"
#include "ear-closures.h"
#include "ear-error-text.h"
#include "ear-error.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-sentence-row.h"
#include "ear-shift-dialog.h"
#include "ear-sight.h"
#include "ear-tabs.h"
#include "ear-transcript-link.h"
#include "ear-transcript-loader.h"
#include "ear-transcript.h"
#include "ear-widget.h"
#include "ear-worker.h"

/**
 * EarTranscriptView:
 *
 * The sentences of an episode. The list follows the voice until the listener scrolls elsewhere; a
 * click on a sentence plays it. The transcript is loaded when it is first seen, and not while the
 * listener clicks through episodes.
 */
struct _EarTranscriptView
{
  AdwBin parent_instance;

  /* Template children */
  GtkBox *area; /* of the sentences and the search bar */
  GtkScrolledWindow *scroller;
  GtkListView *list_view;
  GtkMultiSelection *selection;
  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  GMenuModel *sentence_menu;

  /* Owned */
  EarLibrary *library;
  EarEpisode *episode;
  EarEpisodeList *list;      /* (nullable): what the episode was chosen from */
  EarTranscript *transcript; /* (nullable): until it is there */
  GCancellable *loading;     /* (nullable): while it is being loaded */
  GSignalGroup *episode_signals;
  GSignalGroup *player_signals;
  GSignalGroup *page_signals; /* of the adjustment of the page around it, while mapped */
  AdwAnimation *animation;    /* (nullable): while it scrolls by itself */
  char *page;                 /* of the stack */
  char *failure;              /* (nullable): what went wrong */
  char *count;                /* (nullable): how many places were found, and which this one is */

  /* The search, owned */
  char *search;  /* (nullable) */
  GArray *found; /* (nullable) (element-type guint): the sentences that have it */
  GCancellable *finding;
  gint64 wanted; /* where to go once it is loaded, or -1 */

  int current; /* the sentence that is spoken, or -1 */
  int goal;    /* the one that is scrolled to, or -1 */
  guint goal_tick;
  guint n_goal_frames;
  gboolean is_dragged; /* by a pointer or a finger */
  guint height_source; /* after the page got another height */
  int button_margin;
  gboolean coming; /* the page is to be scrolled to it, too */
  gboolean following;
  gboolean can_follow; /* the button is there that takes it up again */
};

G_DEFINE_FINAL_TYPE (EarTranscriptView, ear_transcript_view, ADW_TYPE_BIN)

typedef void (*EarSentenceRowFunc) (EarTranscriptView *self, EarSentenceRow *row);

static gint64
get_shift (EarTranscriptView *self)
{
  return self->episode != NULL ? ear_episode_get_mark (self->episode, EAR_MARK_SHIFT) : 0;
}

/* Returns: where the listener is in the episode, also of one that is not in the player */
static gint64
get_time (EarTranscriptView *self)
{
  if (self->episode == NULL || self->library == NULL)
    return 0;

  return ear_play_control_get_time (ear_library_get_play_control (self->library), self->episode);
}

/* Calls a function for each row that the list has made. */
static void
foreach_row (EarTranscriptView *self, EarSentenceRowFunc func)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *row = gtk_widget_get_first_child (child);

      if (EAR_IS_SENTENCE_ROW (row) && ear_sentence_row_get_item (EAR_SENTENCE_ROW (row)) != NULL)
        func (self, EAR_SENTENCE_ROW (row));
    }
}

/* Menus hide disabled actions. */
static void
update_actions (EarTranscriptView *self)
{
  const gboolean timed = self->transcript != NULL && ear_transcript_get_timed (self->transcript);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.play", timed);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.spoken-now",
                                 timed && get_time (self) > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.shift", timed);
}

/* A list view finds out how high its rows are as it comes to them: so many frames it is looked
 * after. */
#define MOST_FRAMES 12

/* Pixels that GTK scrolls by for one that a touchpad reports */
#define TOUCHPAD_FACTOR 2.5

/* Application pixels that remain above the tabs once the head has scrolled away */
#define PAGE_MARGIN 12

/* Application pixels between the list's end and the buttons over it */
#define BUTTON_MARGIN 12

/* Application pixels of the list that are enough to read along */
#define LEAST_HEIGHT 200

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

      if (item != NULL && (int) ear_sentence_item_get_index (item) == index &&
          gtk_widget_get_mapped (child))
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

  if (row == NULL || !gtk_widget_compute_bounds (row, GTK_WIDGET (self->list_view), &bounds) ||
      bounds.size.height <= 0)
    return FALSE;
  most = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);
  *value = gtk_adjustment_get_value (adjustment) + (double) bounds.origin.y -
           EAR_SIGHT_NOW * gtk_adjustment_get_page_size (adjustment);
  *value = round (CLAMP (*value, 0, MAX (most, 0)));

  return TRUE;
}

static void
stop_moving (EarTranscriptView *self)
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

/* --- The page around it ------------------------------------------------------------------ */

/* Returns: (nullable): the scrolled window of the page */
static GtkScrolledWindow *
get_page (EarTranscriptView *self)
{
  return (GtkScrolledWindow *) gtk_widget_get_ancestor (GTK_WIDGET (self),
                                                        GTK_TYPE_SCROLLED_WINDOW);
}

/* Makes the tabs as high as the page, so that the list gets all of it once the head has scrolled
 * away. */
static void
update_height (EarTranscriptView *self)
{
  GtkWidget *tabs = gtk_widget_get_ancestor (GTK_WIDGET (self), EAR_TYPE_TABS);
  const gboolean mapped = gtk_widget_get_mapped (GTK_WIDGET (self));
  const int height =
    mapped && get_page (self) != NULL ? gtk_widget_get_height (GTK_WIDGET (get_page (self))) : -1;

  if (tabs != NULL)
    gtk_widget_set_size_request (tabs, -1, height > PAGE_MARGIN ? height - PAGE_MARGIN : -1);
}

static gboolean
update_height_cb (gpointer user_data)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (user_data);

  self->height_source = 0;
  update_height (self);

  return G_SOURCE_REMOVE;
}

/* The page is being laid out: its height changes in the next frame. */
static void
page_resized_cb (EarTranscriptView *self)
{
  if (self->height_source == 0)
    self->height_source = g_idle_add_full (GDK_PRIORITY_REDRAW - 1, update_height_cb, self, NULL);
}

/* Keeps the buttons over the list in sight while the page hides the list's end. */
static void
update_margin (EarTranscriptView *self, GtkAdjustment *page)
{
  const double end = gtk_adjustment_get_upper (page) - gtk_adjustment_get_page_size (page);

  ear_property_set_number (self, "button-margin",
                           BUTTON_MARGIN + (int) MAX (end - gtk_adjustment_get_value (page), 0));
}

/* Scrolls the page before the list: down until the list has all of the
 * page, and up once the list is at its top.
 * Returns: whether the page moved */
static gboolean
scroll_page (EarTranscriptView *self, double distance)
{
  GtkScrolledWindow *page = get_page (self);
  GtkAdjustment *adjustment = page != NULL ? gtk_scrolled_window_get_vadjustment (page) : NULL;
  const double value = adjustment != NULL ? gtk_adjustment_get_value (adjustment) : 0;

  if (adjustment == NULL ||
      (distance < 0 &&
       gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (self->scroller)) > 0))
    return FALSE;
  gtk_adjustment_set_value (adjustment, value + distance);

  return gtk_adjustment_get_value (adjustment) != value;
}

/* Shows all of the list, where less than @least pixels of it are in sight. */
static void
come_into_sight (EarTranscriptView *self, double least)
{
  GtkScrolledWindow *page = get_page (self);
  graphene_rect_t bounds;
  double height;

  self->coming = FALSE;
  if (page == NULL ||
      !gtk_widget_compute_bounds (GTK_WIDGET (self->area), GTK_WIDGET (page), &bounds))
    return;
  height = gtk_widget_get_height (GTK_WIDGET (page));
  if (height - (double) bounds.origin.y < MIN (least, (double) bounds.size.height))
    scroll_page (self, ceil ((double) bounds.origin.y + (double) bounds.size.height - height));
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
    come_into_sight (self, LEAST_HEIGHT);
  self->goal_tick = 0;
  self->goal = -1;

  return G_SOURCE_REMOVE;
}

static void
jump_to (EarTranscriptView *self, int index)
{
  stop_moving (self);
  self->goal = index;
  self->n_goal_frames = 0;
  gtk_list_view_scroll_to (self->list_view, (guint) index, GTK_LIST_SCROLL_NONE, NULL);
  self->goal_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), goal_tick_cb, NULL, NULL);
}

static void
glide_to (EarTranscriptView *self, double value)
{
  stop_moving (self);
  self->animation = ear_sight_glide (self->scroller, value);
}

static gboolean
is_in_sight (EarTranscriptView *self, int index)
{
  GtkWidget *row = index >= 0 ? find_row (self, index) : NULL;

  return row != NULL && ear_sight_has (row);
}

/* Returns: the sentence that is chosen, or was found, or else the one that is spoken, where it is
 * seen, or else the first one that is; -1 if none is */
static int
find_in_sight (EarTranscriptView *self)
{
  g_autoptr (GtkBitset) selected =
    gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
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

/* Moves the focus of the keys to a sentence in sight: a list view would resume from its last focus,
 * or from the first row, which the voice may have left far behind. Rows out of sight are not mapped
 * and cannot keep the focus. Returns: whether the focus moved */
static gboolean
bring_keys (EarTranscriptView *self)
{
  GtkWidget *focused = gtk_widget_get_focus_child (GTK_WIDGET (self->list_view));
  const gboolean inside =
    (gtk_widget_get_state_flags (GTK_WIDGET (self->list_view)) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
  const int index =
    inside && focused != NULL && gtk_widget_get_mapped (focused) ? -1 : find_in_sight (self);

  if (index < 0)
    return FALSE;
  gtk_list_view_scroll_to (self->list_view, (guint) index, GTK_LIST_SCROLL_FOCUS, NULL);

  return TRUE;
}

/* Scrolls to a sentence: glides to a near one, and jumps to others. */
static void
scroll_to (EarTranscriptView *self, int index)
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
  ear_sentence_row_set_spoken (
    row, (int) ear_sentence_item_get_index (ear_sentence_row_get_item (row)) == self->current);
}

/* Marks the current sentence, and scrolls to it while following. */
static void
update_voice (EarTranscriptView *self)
{
  const gint64 time = get_time (self) - get_shift (self);
  const int current = self->transcript != NULL ? ear_transcript_find (self->transcript, time) : -1;

  if (current == self->current)
    return;
  self->current = current;
  foreach_row (self, mark_row);
  update_button (self);
  update_actions (self);
  if (self->following)
    scroll_to (self, current);
}

/* Shows the current sentence, and follows the voice from there. */
static void
follow_voice (EarTranscriptView *self)
{
  update_voice (self);
  set_following (self, TRUE);
  stop_moving (self);
  if (self->current < 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  jump_to (self, self->current);
  self->coming = TRUE;
}

/* Goes on with the voice from where that is next. */
static void
resume_following (EarTranscriptView *self)
{
  stop_moving (self);
  set_following (self, TRUE);
}

/* Stays where the listener has scrolled to. */
static void
stay (EarTranscriptView *self)
{
  stop_moving (self);
  set_following (self, FALSE);
}

/* --- Finding words ----------------------------------------------------------------------- */

/* A worker searches: a transcript may be as long as a book. */

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
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection),
                                         g_array_index (self->found, guint, i)))
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
    /* Translators: which place it is of how many, where words were found in a transcript: 3 of 12
     */
    count = g_strdup_printf (_("%u of %u"), get_place (self), n);
  ear_property_set_string (self, "count", count);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.find-next", n > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.find-previous", n > 0);
}

static void
show_found (EarTranscriptView *self, guint place)
{
  const guint index = g_array_index (self->found, guint, place);

  stay (self);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), index, TRUE);
  scroll_to (self, (int) index);
  come_into_sight (self, G_MAXDOUBLE);
  update_count (self);
  if (self->count != NULL)
    ear_announce (GTK_ACCESSIBLE (self->search_entry), self->count,
                  GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Returns: the sentence that is selected, or else the one that is spoken, or else the first */
static guint
get_present (EarTranscriptView *self)
{
  g_autoptr (GtkBitset) selected =
    gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  return !gtk_bitset_is_empty (selected) ? gtk_bitset_get_minimum (selected)
                                         : (guint) MAX (self->current, 0);
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

  g_task_return_pointer (task, ear_transcript_search (search->transcript, search->words),
                         (GDestroyNotify) g_array_unref);
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
static void
begin_search (EarTranscriptView *self)
{
  Search *search;
  GTask *task;

  forget (self);
  foreach_row (self, mark_words);
  update_count (self);
  if (self->search == NULL || self->transcript == NULL)
    return;

  search = g_new0 (Search, 1);
  search->transcript = ear_transcript_ref (self->transcript);
  search->words = g_strdup (self->search);
  self->finding = g_cancellable_new ();
  task = g_task_new (NULL, self->finding, searched_cb, g_object_ref (self));
  g_task_set_source_tag (task, begin_search);
  g_task_set_task_data (task, search, search_free);
  ear_worker_run (task, search_thread, (GDestroyNotify) g_array_unref);
}

/* Looks for nothing any more. */
static void
stop_search (EarTranscriptView *self)
{
  forget (self);
  g_clear_pointer (&self->search, g_free);
}

static void
search_changed_cb (EarTranscriptView *self)
{
  g_autofree char *words = g_strstrip (g_strdup (gtk_editable_get_text (self->search_entry)));

  if (g_set_str (&self->search, *words != '\0' ? words : NULL))
    begin_search (self);
}

/* Whether the keys go to a part of it. */
static gboolean
has_focus (gpointer part)
{
  return (gtk_widget_get_state_flags (part) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

/* The words that were looked for are not marked any longer than they are seen. The keys go to the
 * sentence that was come to, to play it, say. */
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
  stop_search (self);
  foreach_row (self, mark_words);
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

/* Actions on sentences: play, copy, sync. */

/* --- Playing ---------------------------------------------------------------------------- */

/* Plays the episode from a sentence on, and follows it. */
static void
play_from (EarTranscriptView *self, guint index)
{
  gint64 start;

  if (self->transcript == NULL || index >= ear_transcript_get_length (self->transcript) ||
      !ear_transcript_get_timed (self->transcript))
    return;
  start = ear_transcript_get (self->transcript, index)->start + get_shift (self);
  ear_play_control_seek (ear_library_get_play_control (self->library), self->episode, self->list,
                         MAX (start, 0));
  resume_following (self);
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
    play_from (self, gtk_bitset_get_minimum (selected));
}

static void
follow (GtkWidget *widget, const char *name, GVariant *parameter)
{
  follow_voice (EAR_TRANSCRIPT_VIEW (widget));
}

/* A click plays; one with a key selects, as in any list. */
static void
clicked_cb (EarTranscriptView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  const GdkModifierType keys =
    gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  GtkWidget *row = ear_row_at (GTK_WIDGET (self->list_view), x, y, EAR_TYPE_SENTENCE_ROW);
  EarSentenceItem *item = row != NULL ? ear_sentence_row_get_item (EAR_SENTENCE_ROW (row)) : NULL;

  if (item == NULL || n_press != 1 ||
      (keys & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK)) != 0)
    return;
  play_from (self, ear_sentence_item_get_index (item));
}

/* --- Scrolling by hand ------------------------------------------------------------------ */

/* GtkScrolledWindow scrolls as far by a step of the wheel, or by what a touchpad reports. */
static gboolean
scrolled_cb (EarTranscriptView *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  const double page =
    gtk_adjustment_get_page_size (gtk_scrolled_window_get_vadjustment (self->scroller));
  const gboolean is_wheel =
    gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;

  stay (self);

  return scroll_page (self, dy * (is_wheel ? pow (page, 2.0 / 3.0) : TOUCHPAD_FACTOR));
}

static void
drag_begun_cb (EarTranscriptView *self)
{
  self->is_dragged = FALSE;
}

/* The list keeps a finger's drag to itself: the page glides to where it would have led. */
static void
dragged_cb (EarTranscriptView *self, double x, double y, GtkGesture *gesture)
{
  GdkDevice *device = gtk_gesture_get_device (gesture);
  GtkScrolledWindow *page = get_page (self);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);

  if (self->is_dragged ||
      !gtk_drag_check_threshold (GTK_WIDGET (self->scroller), 0, 0, (int) x, (int) y))
    return;
  self->is_dragged = TRUE;
  stay (self);
  if (page == NULL || device == NULL || gdk_device_get_source (device) != GDK_SOURCE_TOUCHSCREEN)
    return;
  if (y < 0)
    g_object_unref (ear_sight_glide (
      page, gtk_adjustment_get_upper (gtk_scrolled_window_get_vadjustment (page))));
  else if (gtk_adjustment_get_value (adjustment) <= 0)
    g_object_unref (ear_sight_glide (page, 0));
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
      stay (self);
      come_into_sight (self, G_MAXDOUBLE);
      return bring_keys (self);
    case GDK_KEY_Home:
    case GDK_KEY_End:
      stay (self);
      come_into_sight (self, G_MAXDOUBLE);
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
      g_autofree char *clock = ear_clock_format (MAX (sentence->start + get_shift (self), 0));

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

/* The shift between voice and transcript is the same in all of the episode. */
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

  if (self->transcript == NULL || gtk_bitset_is_empty (selected) ||
      !ear_transcript_get_timed (self->transcript))
    return;
  set_shift (self, self->episode,
             get_time (self) -
               ear_transcript_get (self->transcript, gtk_bitset_get_minimum (selected))->start);
  follow_voice (self);
}

static void
shifted_cb (EarTranscriptView *self, EarEpisode *episode, gint64 shift)
{
  set_shift (self, episode, shift);
  follow_voice (self);
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

/* The selection stays if the row is one of several that are selected. */
static GMenuModel *
create_menu (GtkWidget *widget, GtkWidget *row)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);
  EarSentenceItem *item = ear_sentence_row_get_item (EAR_SENTENCE_ROW (row));
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (self->selection);

  if (item == NULL)
    return NULL;
  if (!gtk_selection_model_is_selected (selection, ear_sentence_item_get_index (item)))
    gtk_selection_model_select_item (selection, ear_sentence_item_get_index (item), TRUE);
  update_actions (self);

  return g_object_ref (self->sentence_menu);
}

/* --- Rows ------------------------------------------------------------------------------- */

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
  ear_sentence_row_set_item (row, item, get_shift (self));
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
  play_from (self, position);
}

/* --- Loading ---------------------------------------------------------------------------- */

static void
set_transcript (EarTranscriptView *self, EarTranscript *transcript)
{
  g_autoptr (EarSentenceList) sentences =
    transcript != NULL ? ear_sentence_list_new (transcript) : NULL;

  stop_moving (self);
  g_clear_pointer (&self->transcript, ear_transcript_unref);
  self->transcript = transcript != NULL ? ear_transcript_ref (transcript) : NULL;
  self->current = -1;
  gtk_multi_selection_set_model (self->selection, G_LIST_MODEL (sentences));
  update_actions (self);
}

/* Network errors have the words of media errors; all others mean that the file is no transcript. */
static char *
describe_failure (const GError *error)
{
  if (error->domain == EAR_ERROR && error->code >= EAR_ERROR_OFFLINE &&
      error->code <= EAR_ERROR_CERTIFICATE)
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

/* Shows the wanted time, or else the current sentence. */
static void
show_place (EarTranscriptView *self)
{
  if (self->wanted >= 0)
    ear_transcript_view_show_at (self, self->wanted);
  else
    follow_voice (self);
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
  begin_search (self);
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
  if (self->episode == NULL || self->library == NULL || self->transcript != NULL ||
      self->loading != NULL || !ear_transcript_is_named (self->episode))
    return;

  self->loading = g_cancellable_new ();
  ear_property_set_string (self, "page", "loading");
  ear_transcript_load_async (ear_library_get_documents (self->library), self->episode,
                             self->loading, loaded_cb, g_object_ref (self));
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
  stop_search (self);
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
  g_signal_group_set_target (self->player_signals,
                             self->library != NULL ? ear_library_get_player (self->library) : NULL);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    load (self);
}

static void
bind_shift (EarTranscriptView *self, EarSentenceRow *row)
{
  g_autoptr (EarSentenceItem) item = g_object_ref (ear_sentence_row_get_item (row));

  ear_sentence_row_set_item (row, item, get_shift (self));
}

static void
shift_changed_cb (EarTranscriptView *self)
{
  foreach_row (self, bind_shift);
  update_voice (self);
}

/* A listener who comes back sees the current sentence. */
static void
ear_transcript_view_map (GtkWidget *widget)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);

  GTK_WIDGET_CLASS (ear_transcript_view_parent_class)->map (widget);
  g_signal_group_set_target (
    self->page_signals,
    get_page (self) != NULL ? gtk_scrolled_window_get_vadjustment (get_page (self)) : NULL);
  page_resized_cb (self);
  load (self);
  if (self->transcript != NULL)
    show_place (self);
}

static void
ear_transcript_view_unmap (GtkWidget *widget)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);

  stop_moving (self);
  g_signal_group_set_target (self->page_signals, NULL);
  GTK_WIDGET_CLASS (ear_transcript_view_parent_class)->unmap (widget);
  page_resized_cb (self);
}

static gboolean
ear_transcript_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);

  if ((gtk_widget_get_state_flags (GTK_WIDGET (self->list_view)) & GTK_STATE_FLAG_FOCUS_WITHIN) ==
      0)
    bring_keys (self);

  return GTK_WIDGET_CLASS (ear_transcript_view_parent_class)->focus (widget, direction);
}

/* --- The object ------------------------------------------------------------------------- */

static void
ear_transcript_view_dispose (GObject *object)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (object);

  stop_loading (self);
  stop_search (self);
  stop_moving (self);
  g_clear_object (&self->episode_signals);
  g_clear_object (&self->player_signals);
  g_clear_object (&self->page_signals);
  g_clear_handle_id (&self->height_source, g_source_remove);
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
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTranscriptView, library),
      .changed = G_CALLBACK (library_changed_cb) },
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTranscriptView, episode),
      .changed = G_CALLBACK (episode_changed_cb) },
    /* The list that the episode was chosen from, and that plays on after it */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTranscriptView, list) },
    /* The page of the stack: "loading", "failed" or "sentences" */
    { .spec = g_param_spec_string ("page", NULL, NULL, "loading", G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarTranscriptView, page) },
    { "failure", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarTranscriptView, failure) },
    /* How many sentences have the words that are looked for, and which this one is */
    { "count", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarTranscriptView, count) },
    /* Between the list's end and the buttons over it */
    { .spec = g_param_spec_int ("button-margin", NULL, NULL, 0, G_MAXINT, BUTTON_MARGIN,
                                G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarTranscriptView, button_margin) },
    /* Whether it scrolls with the voice */
    { .spec = g_param_spec_boolean ("following", NULL, NULL, TRUE, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarTranscriptView, following) },
    /* Whether it does not, and could */
    { "can-follow", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarTranscriptView, can_follow) },
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
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-transcript-view.ui");
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
  gtk_widget_class_install_action (widget_class, "transcript.find", NULL, find);
  gtk_widget_class_install_action (widget_class, "transcript.find-next", NULL, find_next);
  gtk_widget_class_install_action (widget_class, "transcript.find-previous", NULL, find_next);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_mode_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_next_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_previous_cb);
  gtk_widget_class_install_action (widget_class, "transcript.play", NULL, play);
  gtk_widget_class_install_action (widget_class, "transcript.follow", NULL, follow);
  gtk_widget_class_install_action (widget_class, "transcript.copy", NULL, copy);
  gtk_widget_class_install_action (widget_class, "transcript.spoken-now", NULL, spoken_now);
  gtk_widget_class_install_action (widget_class, "transcript.shift", NULL, shift_times);
  ear_row_menu_install (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, scrolled_cb);
  gtk_widget_class_bind_template_callback (widget_class, drag_begun_cb);
  gtk_widget_class_bind_template_callback (widget_class, dragged_cb);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
  ear_closures_bind (widget_class);
}

static void
ear_transcript_view_init (EarTranscriptView *self)
{
  self->current = -1;
  self->goal = -1;
  self->wanted = -1;
  self->following = TRUE;
  self->button_margin = BUTTON_MARGIN;
  self->page = g_strdup ("loading");
  self->episode_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->episode_signals, "notify::position",
                                  G_CALLBACK (update_voice), self);
  g_signal_group_connect_swapped (self->episode_signals, "notify::shift",
                                  G_CALLBACK (shift_changed_cb), self);
  self->player_signals = g_signal_group_new (EAR_TYPE_PLAYER);
  g_signal_group_connect_swapped (self->player_signals, "notify::position",
                                  G_CALLBACK (update_voice), self);
  g_signal_group_connect_swapped (self->player_signals, "notify::episode",
                                  G_CALLBACK (update_voice), self);
  self->page_signals = g_signal_group_new (GTK_TYPE_ADJUSTMENT);
  g_signal_group_connect_swapped (self->page_signals, "notify::page-size",
                                  G_CALLBACK (page_resized_cb), self);
  g_signal_group_connect_swapped (self->page_signals, "changed", G_CALLBACK (update_margin), self);
  g_signal_group_connect_swapped (self->page_signals, "value-changed", G_CALLBACK (update_margin),
                                  self);
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_row_menu_attach (GTK_WIDGET (self), GTK_WIDGET (self->list_view), EAR_TYPE_SENTENCE_ROW,
                       create_menu);
  gtk_search_bar_connect_entry (self->search_bar, self->search_entry);
}

/* Opens the search. Returns: %FALSE if there is no transcript, or the entry has the focus already:
 * a second press searches elsewhere */
gboolean
ear_transcript_view_find (EarTranscriptView *self)
{
  g_return_val_if_fail (EAR_IS_TRANSCRIPT_VIEW (self), FALSE);

  if (self->transcript == NULL || has_focus (self->search_entry))
    return FALSE;
  come_into_sight (self, G_MAXDOUBLE);
  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
  gtk_editable_select_region (self->search_entry, 0, -1);

  return TRUE;
}

/**
 * ear_transcript_view_show_at:
 *
 * @time: microseconds; -1 for the beginning
 *
 * Shows the sentence at a time as soon as the transcript is loaded, and stays there.
 */
void
ear_transcript_view_show_at (EarTranscriptView *self, gint64 time)
{
  int index;

  g_return_if_fail (EAR_IS_TRANSCRIPT_VIEW (self));

  self->wanted = MAX (time, 0);
  index = self->transcript != NULL
          ? ear_transcript_find (self->transcript, MAX (self->wanted - get_shift (self), 0))
          : -1;
  if (index < 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->wanted = -1;
  update_voice (self);
  stay (self);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), (guint) index, TRUE);
  jump_to (self, index);
  self->coming = TRUE;
}
