/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ear-error-text.h"
#include "ear-error.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-sentence-row.h"
#include "ear-share.h"
#include "ear-sight.h"
#include "ear-documents.h"
#include "ear-time.h"
#include "ear-transcript.h"
#include "ear-widget.h"

/**
 * EarTranscriptView:
 *
 * The sentences of an episode. The list follows the voice until the listener scrolls
 * elsewhere; a click on a sentence plays it. The transcript is loaded when it is first
 * seen, and not while the listener clicks through episodes.
 */
struct _EarTranscriptView
{
  AdwBin parent_instance;

  /* Template children */
  GtkStack *stack;
  GtkLabel *failure;
  GtkScrolledWindow *scroller;
  GtkListView *list_view;
  GtkSelectionModel *selection;
  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  GtkLabel *count; /* of the matches */
  GtkWidget *find_button;
  GtkWidget *follow_button;
  GMenuModel *sentence_menu;

  /* Owned */
  EarLibrary *library;
  EarEpisode *episode;
  EarTranscript *transcript; /* (nullable) */
  GCancellable *loading;     /* (nullable): while it is being loaded */
  GSignalGroup *episode_signals;
  GSignalGroup *page_signals; /* of the adjustment of the page around it, while mapped */
  AdwAnimation *animation;    /* (nullable): while it scrolls by itself */
  char *search;               /* (nullable) */
  GArray *found;              /* (nullable) (element-type guint): the sentences that match */

  /* Borrowed */
  GtkScrolledWindow *page; /* (nullable): around it, while mapped */

  gint64 wanted; /* the time to show once the transcript is loaded, or -1 */
  int current;   /* the sentence that is spoken, or -1 */
  gboolean following;
  gboolean is_dragged; /* by a pointer or a finger */
  guint height_source; /* after the height of the page changed */

  int goal; /* the sentence that it scrolls to, or -1 */
  guint goal_tick;
  guint n_goal_frames;
  gboolean coming; /* the page is to be scrolled to the list, too */
};

G_DEFINE_FINAL_TYPE (EarTranscriptView, ear_transcript_view, ADW_TYPE_BIN)

/* Frames in which a list view learns the heights of the rows on the way to
 * another one, at most */
#define MOST_FRAMES 12

/* Pixels that GTK scrolls by for one that a touchpad reports */
#define TOUCHPAD_FACTOR 2.5

/* Application pixels that remain above the tabs once the head has scrolled away */
#define PAGE_MARGIN 12

/* Application pixels between the list's end and the buttons over it */
#define BUTTON_MARGIN 12

/* Application pixels of the list that are enough to read along */
#define LEAST_HEIGHT 200

static gint64
get_shift (EarTranscriptView *self)
{
  return self->episode != NULL ? ear_episode_get_mark (self->episode, EAR_MARK_SHIFT) : 0;
}

/* Returns: the position in the episode, also of one that is not in the player */
static gint64
get_time (EarTranscriptView *self)
{
  return self->episode != NULL
         ? ear_playback_controller_get_time (ear_library_get_playback_controller (self->library),
                                             self->episode)
         : 0;
}

/* Returns: the first selected sentence, or -1 */
static int
get_selected (EarTranscriptView *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->selection);

  return (int) gtk_bitset_get_minimum (selected);
}

static gboolean
has_focus (gpointer widget)
{
  return (gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

/* --- The page around it ------------------------------------------------------------- */

/* Makes the tabs as high as the page, so that the list gets all of it once the head
 * has scrolled away. */
static gboolean
update_height_cb (gpointer user_data)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (user_data);
  GtkWidget *stack = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_VIEW_STACK);
  const int height = self->page != NULL ? gtk_widget_get_height (GTK_WIDGET (self->page)) : -1;

  self->height_source = 0;
  if (stack != NULL)
    gtk_widget_set_size_request (gtk_widget_get_parent (stack), -1,
                                 height > PAGE_MARGIN ? height - PAGE_MARGIN : -1);

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
  const int margin = BUTTON_MARGIN + (int) MAX (end - gtk_adjustment_get_value (page), 0);

  gtk_widget_set_margin_bottom (self->find_button, margin);
  gtk_widget_set_margin_bottom (self->follow_button, margin);
}

/* Scrolls the page before the list: down until the list has all of the
 * page, and up once the list is at its top.
 * Returns: whether the page moved */
static gboolean
scroll_page (EarTranscriptView *self, double distance)
{
  GtkAdjustment *list = gtk_scrolled_window_get_vadjustment (self->scroller);
  GtkAdjustment *page;
  double value;

  if (self->page == NULL || (distance < 0 && gtk_adjustment_get_value (list) > 0))
    return FALSE;
  page = gtk_scrolled_window_get_vadjustment (self->page);
  value = gtk_adjustment_get_value (page);
  gtk_adjustment_set_value (page, value + distance);

  return gtk_adjustment_get_value (page) != value;
}

/* Returns: the distance by which the page has to be scrolled to show all of the list,
 * where less than @least pixels of it are in sight, and else 0 */
static double
find_hidden (EarTranscriptView *self, double least)
{
  graphene_rect_t bounds;
  double in_sight, height;

  if (self->page == NULL || !gtk_widget_compute_bounds (GTK_WIDGET (self->scroller),
                                                        GTK_WIDGET (self->page), &bounds))
    return 0;
  height = (double) bounds.size.height;
  in_sight = gtk_widget_get_height (GTK_WIDGET (self->page)) - (double) bounds.origin.y;

  return in_sight < MIN (least, height) ? ceil (height - in_sight) : 0;
}

/* Scrolls the page so that all of the list is in sight. */
static void
show_list (EarTranscriptView *self)
{
  scroll_page (self, find_hidden (self, G_MAXDOUBLE));
}

/* --- Scrolling ---------------------------------------------------------------------- */

/* Returns: (nullable) (transfer none): the first row of the list, or
 * the one after @row */
static EarSentenceRow *
get_next_row (EarTranscriptView *self, EarSentenceRow *row)
{
  GtkWidget *item =
    row != NULL ? gtk_widget_get_next_sibling (gtk_widget_get_parent (GTK_WIDGET (row)))
                : gtk_widget_get_first_child (GTK_WIDGET (self->list_view));

  return item != NULL ? (EarSentenceRow *) gtk_widget_get_first_child (item) : NULL;
}

/* Updates the times and highlights of all rows. */
static void
update_rows (EarTranscriptView *self)
{
  for (EarSentenceRow *row = get_next_row (self, NULL); row != NULL; row = get_next_row (self, row))
    ear_sentence_row_show (row, self->transcript, ear_sentence_row_get_index (row),
                           get_shift (self), self->search);
}

/* Returns: (nullable): the row of a sentence, where the list has one */
static GtkWidget *
find_row (EarTranscriptView *self, int index)
{
  for (EarSentenceRow *row = get_next_row (self, NULL); row != NULL; row = get_next_row (self, row))
    if ((int) ear_sentence_row_get_index (row) == index &&
        gtk_widget_get_mapped (GTK_WIDGET (row)))
      return GTK_WIDGET (row);

  return NULL;
}

/* @value: (out): where the list has to be scrolled to
 * @end: (out): where the row then ends, in pixels from the top of the list
 * Returns: whether the row has been laid out */
static gboolean
find_value (EarTranscriptView *self, int index, double *value, double *end)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  const double page = gtk_adjustment_get_page_size (adjustment);
  const double most = gtk_adjustment_get_upper (adjustment) - page;
  GtkWidget *row = find_row (self, index);
  graphene_rect_t bounds;
  double top;

  if (row == NULL || !gtk_widget_compute_bounds (row, GTK_WIDGET (self->list_view), &bounds) ||
      bounds.size.height <= 0)
    return FALSE;
  top = gtk_adjustment_get_value (adjustment) + (double) bounds.origin.y;
  *value = round (CLAMP (top - EAR_SIGHT_NOW * page, 0, MAX (most, 0)));
  *end = top + (double) bounds.size.height - *value;

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

/* Scrolls until the row has been where it should be in two frames in a row. */
static gboolean
goal_tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  double value;
  double end = 0;

  if (self->n_goal_frames++ < MOST_FRAMES)
    {
      if (!find_value (self, self->goal, &value, &end))
        {
          gtk_list_view_scroll_to (self->list_view, (guint) self->goal, GTK_LIST_SCROLL_NONE, NULL);
          return G_SOURCE_CONTINUE;
        }
      if (self->n_goal_frames < 3 || fabs (value - gtk_adjustment_get_value (adjustment)) >= 1)
        {
          gtk_adjustment_set_value (adjustment, value);
          return G_SOURCE_CONTINUE;
        }
    }
  if (self->coming)
    scroll_page (self, find_hidden (self, MAX (end, LEAST_HEIGHT)));
  self->goal_tick = 0;
  self->goal = -1;

  return G_SOURCE_REMOVE;
}

/* Ends kinetic scrolling: it would set the former position again in each frame. */
static void
stop_deceleration (EarTranscriptView *self)
{
  gtk_scrolled_window_set_kinetic_scrolling (self->scroller, FALSE);
  gtk_scrolled_window_set_kinetic_scrolling (self->scroller, TRUE);
}

/* @coming: whether the page scrolls to the list, too */
static void
jump_to (EarTranscriptView *self, int index, gboolean coming)
{
  stop_moving (self);
  stop_deceleration (self);
  self->goal = index;
  self->coming = coming;
  self->n_goal_frames = 0;
  gtk_list_view_scroll_to (self->list_view, (guint) index, GTK_LIST_SCROLL_NONE, NULL);
  self->goal_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), goal_tick_cb, NULL, NULL);
}

/* Glides to a near sentence, and jumps to others.
 * @coming: whether the page scrolls to the sentence, too: the end of the list is out of
 *   sight while the page shows its head */
static void
scroll_to (EarTranscriptView *self, int index, gboolean coming)
{
  double value, end, hidden;

  if (index < 0 || !gtk_widget_get_mapped (GTK_WIDGET (self->list_view)))
    return;
  if (self->goal >= 0 || !find_value (self, index, &value, &end))
    {
      if (self->goal != index)
        jump_to (self, index, coming);
      return;
    }
  stop_moving (self);
  self->animation = ear_sight_glide (self->scroller, value);
  hidden = coming ? find_hidden (self, end) : 0;
  if (hidden > 0)
    g_object_unref (ear_sight_glide (
      self->page,
      gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (self->page)) + hidden));
}

static gboolean
is_in_sight (EarTranscriptView *self, int index)
{
  GtkWidget *row = index >= 0 ? find_row (self, index) : NULL;

  return row != NULL && ear_sight_has (row);
}

/* Returns: whether no part of the sentence is below the edge of the page */
static gboolean
is_read (EarTranscriptView *self, int index)
{
  GtkWidget *row = find_row (self, index);
  graphene_rect_t bounds;

  return self->page != NULL && row != NULL &&
         gtk_widget_compute_bounds (row, GTK_WIDGET (self->page), &bounds) &&
         bounds.origin.y + bounds.size.height <=
           (float) gtk_widget_get_height (GTK_WIDGET (self->page));
}

/* Returns: the selected sentence, or else the current one, or else the first one,
 * where in sight, or -1 */
static int
find_in_sight (EarTranscriptView *self)
{
  const int selected = get_selected (self);

  if (is_in_sight (self, selected))
    return selected;
  if (is_in_sight (self, self->current))
    return self->current;
  for (EarSentenceRow *row = get_next_row (self, NULL); row != NULL; row = get_next_row (self, row))
    if (ear_sight_has (GTK_WIDGET (row)))
      return (int) ear_sentence_row_get_index (row);

  return -1;
}

/* Moves the focus to a sentence in sight: a list view would resume from its last focus,
 * or from the first row, which the voice may have left far behind. Rows out of sight are
 * not mapped and cannot keep the focus.
 * Returns: whether the focus moved */
static gboolean
focus_in_sight (EarTranscriptView *self)
{
  GtkWidget *focused = gtk_widget_get_focus_child (GTK_WIDGET (self->list_view));
  const gboolean inside =
    has_focus (self->list_view) && focused != NULL && gtk_widget_get_mapped (focused);
  const int index = inside ? -1 : find_in_sight (self);

  if (index < 0)
    return FALSE;
  gtk_list_view_scroll_to (self->list_view, (guint) index, GTK_LIST_SCROLL_FOCUS, NULL);

  return TRUE;
}

/* --- The voice ---------------------------------------------------------------------- */

/* Follows the voice, or stays where the listener has scrolled to. */
static void
set_following (EarTranscriptView *self, gboolean following)
{
  stop_moving (self);
  self->following = following;
  gtk_widget_set_visible (self->follow_button, !following && self->current >= 0);
}

/* Marks the current sentence, and scrolls to it while following. The page
 * follows, too, unless the listener has scrolled it back to its head. */
static void
update_voice (EarTranscriptView *self)
{
  const gint64 time = get_time (self) - get_shift (self);
  const int current = self->transcript != NULL ? ear_transcript_find (self->transcript, time) : -1;
  gboolean was_read;

  if (current == self->current)
    return;
  was_read = self->current < 0 || is_read (self, self->current);
  self->current = current;
  for (EarSentenceRow *row = get_next_row (self, NULL); row != NULL; row = get_next_row (self, row))
    ear_set_css_class (GTK_WIDGET (row), "spoken",
                       (int) ear_sentence_row_get_index (row) == current);
  gtk_widget_set_visible (self->follow_button, !self->following && current >= 0);
  if (self->following)
    scroll_to (self, current, was_read);
}

/* Shows the current sentence, and follows the voice from there. */
static void
follow_voice (EarTranscriptView *self)
{
  update_voice (self);
  set_following (self, TRUE);
  if (self->current >= 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    jump_to (self, self->current, TRUE);
}

/* --- Search ------------------------------------------------------------------------- */

/* Returns: the index of the selected sentence among the matches, or -1 */
static int
find_match (EarTranscriptView *self)
{
  for (guint i = 0; self->found != NULL && i < self->found->len; i++)
    if (gtk_selection_model_is_selected (self->selection, g_array_index (self->found, guint, i)))
      return (int) i;

  return -1;
}

static void
update_count (EarTranscriptView *self)
{
  const guint n = self->found != NULL ? self->found->len : 0;
  g_autofree char *count = NULL;

  if (n > 0)
    /* Translators: the number of a match in a transcript, of how many: 3 of 12 */
    count = g_strdup_printf (_("%u of %u"), (guint) (find_match (self) + 1), n);
  else if (self->found != NULL)
    count = g_strdup (_("No matches"));
  gtk_label_set_label (self->count, count != NULL ? count : "");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.find-next", n > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "transcript.find-previous", n > 0);
}

static void
show_match (EarTranscriptView *self, guint match)
{
  const guint index = g_array_index (self->found, guint, match);

  set_following (self, FALSE);
  gtk_selection_model_select_item (self->selection, index, TRUE);
  scroll_to (self, (int) index, FALSE);
  show_list (self);
  update_count (self);
  ear_announce (GTK_ACCESSIBLE (self->search_entry), gtk_label_get_label (self->count),
                GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Highlights the matches, and shows the first one from the selected or
 * current sentence on. */
static void
update_search (EarTranscriptView *self)
{
  const int selected = get_selected (self);
  const guint from = (guint) MAX (selected >= 0 ? selected : self->current, 0);
  guint match = 0;

  g_clear_pointer (&self->found, g_array_unref);
  if (self->search != NULL && self->transcript != NULL)
    self->found = ear_transcript_search (self->transcript, self->search);
  update_rows (self);
  update_count (self);
  if (self->found == NULL || self->found->len == 0)
    return;
  while (match < self->found->len && g_array_index (self->found, guint, match) < from)
    match++;
  show_match (self, match < self->found->len ? match : 0);
}

static void
search_changed_cb (EarTranscriptView *self)
{
  g_autofree char *words = g_strstrip (g_strdup (gtk_editable_get_text (self->search_entry)));

  if (g_set_str (&self->search, *words != '\0' ? words : NULL))
    update_search (self);
}

/* Moves the focus to the sentence that was found, so that Enter plays it. */
static void
search_mode_changed_cb (EarTranscriptView *self)
{
  const int selected = get_selected (self);

  if (gtk_search_bar_get_search_mode (self->search_bar))
    return;
  if (has_focus (self->search_bar) && self->transcript != NULL)
    {
      gtk_list_view_scroll_to (self->list_view,
                               (guint) MAX (selected >= 0 ? selected : self->current, 0),
                               GTK_LIST_SCROLL_FOCUS, NULL);
      gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
    }
  gtk_editable_set_text (self->search_entry, "");
  search_changed_cb (self);
}

static void
find_step (EarTranscriptView *self, int step)
{
  const int n = self->found != NULL ? (int) self->found->len : 0;
  const int match = find_match (self);

  if (n > 0)
    show_match (self, (guint) ((match >= 0 ? match + step + n : 0) % n));
}

static void
find_next (EarTranscriptView *self)
{
  find_step (self, 1);
}

static void
find_previous (EarTranscriptView *self)
{
  find_step (self, -1);
}

/* --- Playing ------------------------------------------------------------------------ */

/* Plays the episode from a sentence on, and follows it. */
static void
play_from (EarTranscriptView *self, guint index)
{
  gint64 start;

  if (self->transcript == NULL || !ear_transcript_get_timed (self->transcript))
    return;
  start = ear_transcript_get (self->transcript, index)->start + get_shift (self);
  gtk_widget_activate_action (GTK_WIDGET (self), "tabs.seek", "x", MAX (start, 0));
  set_following (self, TRUE);
}

static void
play (EarTranscriptView *self)
{
  const int selected = get_selected (self);

  if (selected >= 0)
    play_from (self, (guint) selected);
}

/* A click plays; with Ctrl or Shift it selects, as in any list. */
static void
clicked_cb (EarTranscriptView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  const GdkModifierType keys =
    gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  GtkWidget *row = ear_row_at (GTK_WIDGET (self->list_view), x, y, EAR_TYPE_SENTENCE_ROW);

  if (row != NULL && n_press == 1 &&
      (keys & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK)) == 0)
    play_from (self, ear_sentence_row_get_index (EAR_SENTENCE_ROW (row)));
}

/* --- Scrolling by hand -------------------------------------------------------------- */

/* GtkScrolledWindow scrolls as far by a step of the wheel, or by what a
 * touchpad reports. */
static gboolean
scrolled_cb (EarTranscriptView *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  const double page =
    gtk_adjustment_get_page_size (gtk_scrolled_window_get_vadjustment (self->scroller));
  const gboolean is_wheel =
    gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;

  set_following (self, FALSE);

  return scroll_page (self, dy * (is_wheel ? pow (page, 2.0 / 3.0) : TOUCHPAD_FACTOR));
}

static void
drag_begun_cb (EarTranscriptView *self)
{
  self->is_dragged = FALSE;
}

/* The list keeps a finger's drag to itself: the page glides to where
 * it would have led. */
static void
dragged_cb (EarTranscriptView *self, double x, double y, GtkGesture *gesture)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);

  if (self->is_dragged ||
      !gtk_drag_check_threshold (GTK_WIDGET (self->scroller), 0, 0, (int) x, (int) y))
    return;
  self->is_dragged = TRUE;
  set_following (self, FALSE);
  if (self->page == NULL || !ear_is_touch (gesture))
    return;
  if (y < 0)
    g_object_unref (ear_sight_glide (
      self->page, gtk_adjustment_get_upper (gtk_scrolled_window_get_vadjustment (self->page))));
  else if (gtk_adjustment_get_value (adjustment) <= 0)
    g_object_unref (ear_sight_glide (self->page, 0));
}

/* The page's viewport scrolls to the focus, where the row was before the list moved: the list
 * comes into sight once more after that. */
static gboolean
key_pressed_cb (EarTranscriptView *self, guint key)
{
  const gboolean is_step = key == GDK_KEY_Up || key == GDK_KEY_Down || key == GDK_KEY_Page_Up ||
                           key == GDK_KEY_Page_Down;

  if (!is_step && key != GDK_KEY_Home && key != GDK_KEY_End)
    return GDK_EVENT_PROPAGATE;
  set_following (self, FALSE);
  show_list (self);
  ear_run_after_frames (GTK_WIDGET (self), 1, G_CALLBACK (show_list));

  return is_step && focus_in_sight (self);
}

/* --- Copying ------------------------------------------------------------------------ */

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
copy (EarTranscriptView *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->selection);
  g_autoptr (GString) text = g_string_new (NULL);
  GtkBitsetIter iter;
  guint index;

  if (!gtk_bitset_iter_init_first (&iter, selected, &index))
    return;
  do
    append_line (self, text, ear_transcript_get (self->transcript, index));
  while (gtk_bitset_iter_next (&iter, &index));
  ear_copy_text (GTK_WIDGET (self), text->str);
}

/* --- Sync --------------------------------------------------------------------------- */

/* The shift between voice and transcript is the same in all of the episode. */
static void
spoken_now (EarTranscriptView *self)
{
  const int selected = get_selected (self);

  if (selected < 0 || !ear_transcript_get_timed (self->transcript))
    return;
  ear_history_set_mark (
    ear_library_get_history (self->library), self->episode, EAR_MARK_SHIFT,
    get_time (self) - ear_transcript_get (self->transcript, (guint) selected)->start);
  follow_voice (self);
}

static void
shift_applied_cb (EarTranscriptView *self, GtkWidget *button)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (button, ADW_TYPE_DIALOG);
  GtkSpinButton *seconds = g_object_get_data (G_OBJECT (dialog), "seconds");
  EarEpisode *episode = g_object_get_data (G_OBJECT (dialog), "episode");

  gtk_spin_button_update (seconds);
  ear_history_set_mark (ear_library_get_history (self->library), episode, EAR_MARK_SHIFT,
                        (gint64) (gtk_spin_button_get_value (seconds) * G_USEC_PER_SEC));
  adw_dialog_close (ADW_DIALOG (dialog));
}

static void
shift_reset_cb (GtkSpinButton *seconds)
{
  gtk_spin_button_set_value (seconds, 0);
}

/* Asks for the seconds by which the voice is later than the transcript. */
static void
shift_times (EarTranscriptView *self)
{
  g_autoptr (GtkBuilder) builder =
    gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-shift-dialog.ui");
  GObject *dialog = gtk_builder_get_object (builder, "dialog");
  GObject *seconds = gtk_builder_get_object (builder, "seconds");

  g_object_set_data (dialog, "seconds", seconds);
  /* The player's sheet may show another episode by then. */
  g_object_set_data_full (dialog, "episode", g_object_ref (self->episode), g_object_unref);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (seconds), (double) get_shift (self) / G_USEC_PER_SEC);
  ear_connect (gtk_builder_get_object (builder, "apply"), "clicked", shift_applied_cb, self);
  ear_connect (gtk_builder_get_object (builder, "reset"), "activated", shift_reset_cb, seconds);
  adw_dialog_present (ADW_DIALOG (dialog), GTK_WIDGET (self));
}

/* --- Rows --------------------------------------------------------------------------- */

/* The selection stays if the row is one of several that are selected. */
static GMenuModel *
create_menu (GtkWidget *widget, GtkWidget *row)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);
  const guint index = ear_sentence_row_get_index (EAR_SENTENCE_ROW (row));
  const gboolean timed = ear_transcript_get_timed (self->transcript);

  if (!gtk_selection_model_is_selected (self->selection, index))
    gtk_selection_model_select_item (self->selection, index, TRUE);
  /* Menus hide disabled actions. */
  gtk_widget_action_set_enabled (widget, "transcript.play", timed);
  gtk_widget_action_set_enabled (widget, "transcript.spoken-now", timed && get_time (self) > 0);
  gtk_widget_action_set_enabled (widget, "transcript.shift", timed);

  return g_object_ref (self->sentence_menu);
}

static void
row_setup_cb (EarTranscriptView *self, GtkListItem *list_item)
{
  gtk_list_item_set_child (list_item, g_object_new (EAR_TYPE_SENTENCE_ROW, NULL));
}

static void
row_bind_cb (EarTranscriptView *self, GtkListItem *list_item)
{
  EarSentenceRow *row = EAR_SENTENCE_ROW (gtk_list_item_get_child (list_item));
  const guint index = gtk_list_item_get_position (list_item);

  ear_sentence_row_show (row, self->transcript, index, get_shift (self), self->search);
  ear_set_css_class (GTK_WIDGET (row), "spoken", (int) index == self->current);
}

/* --- Loading ------------------------------------------------------------------------ */

/* @transcript: (nullable) */
static void
set_transcript (EarTranscriptView *self, EarTranscript *transcript)
{
  g_autoptr (GtkStringList) texts = gtk_string_list_new (NULL);

  stop_moving (self);
  gtk_multi_selection_set_model (GTK_MULTI_SELECTION (self->selection), NULL);
  g_clear_pointer (&self->transcript, ear_transcript_unref);
  self->current = -1;
  if (transcript == NULL)
    return;
  for (guint i = 0; i < ear_transcript_get_length (transcript); i++)
    gtk_string_list_append (texts, ear_transcript_get (transcript, i)->text);
  self->transcript = ear_transcript_ref (transcript);
  gtk_multi_selection_set_model (GTK_MULTI_SELECTION (self->selection), G_LIST_MODEL (texts));
}

/* Network errors have the words of media errors; all others mean that the file
 * is no transcript. */
static void
fail (EarTranscriptView *self, const GError *error)
{
  const gboolean is_network = error->domain == EAR_ERROR && error->code >= EAR_ERROR_OFFLINE &&
                              error->code <= EAR_ERROR_CERTIFICATE;

  g_info ("No transcript: %s", error->message);
  gtk_label_set_label (self->failure,
                       is_network ? ear_error_text_body (error, EAR_ERROR_ABOUT_MEDIA)
                                  : _("The file at the transcript’s address cannot be read."));
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

/* Shows the wanted time, or else the current sentence. */
static void
show_wanted (EarTranscriptView *self)
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
  g_autoptr (EarTranscript) transcript = ear_documents_load_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->loading);
  if (transcript == NULL)
    {
      fail (self, error);
      return;
    }

  set_transcript (self, transcript);
  gtk_stack_set_visible_child_name (self->stack, "sentences");
  show_wanted (self);
}

static void
load (EarTranscriptView *self)
{
  if (self->episode == NULL || self->library == NULL || self->transcript != NULL ||
      self->loading != NULL || !ear_transcript_is_named (self->episode))
    return;

  self->loading = g_cancellable_new ();
  gtk_stack_set_visible_child_name (self->stack, "loading");
  ear_documents_load_async (ear_library_get_documents (self->library), self->episode,
                            EAR_DOCUMENT_TRANSCRIPT, self->loading, loaded_cb,
                            g_object_ref (self));
}

static void
episode_changed_cb (EarTranscriptView *self)
{
  ear_cancellable_clear (&self->loading);
  set_transcript (self, NULL);
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  self->wanted = -1;
  gtk_stack_set_visible_child_name (self->stack, "loading");
  g_signal_group_set_target (self->episode_signals, self->episode);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    load (self);
}

static void
library_changed_cb (EarTranscriptView *self)
{
  EarPlayer *player = ear_library_get_player (self->library);

  ear_connect (player, "notify::position", update_voice, self);
  ear_connect (player, "notify::episode", update_voice, self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    load (self);
}

/* --- The widget --------------------------------------------------------------------- */

/* A listener who comes back sees the current sentence. */
static void
map_cb (EarTranscriptView *self)
{
  self->page = (GtkScrolledWindow *) gtk_widget_get_ancestor (GTK_WIDGET (self),
                                                              GTK_TYPE_SCROLLED_WINDOW);
  if (self->page != NULL)
    g_signal_group_set_target (self->page_signals,
                               gtk_scrolled_window_get_vadjustment (self->page));
  page_resized_cb (self);
  load (self);
  if (self->transcript != NULL)
    show_wanted (self);
}

static void
unmap_cb (EarTranscriptView *self)
{
  stop_moving (self);
  g_signal_group_set_target (self->page_signals, NULL);
  self->page = NULL;
  page_resized_cb (self);
}

static gboolean
ear_transcript_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (widget);

  if (!has_focus (self->list_view))
    focus_in_sight (self);

  return GTK_WIDGET_CLASS (ear_transcript_view_parent_class)->focus (widget, direction);
}

static void
ear_transcript_view_dispose (GObject *object)
{
  EarTranscriptView *self = EAR_TRANSCRIPT_VIEW (object);

  ear_cancellable_clear (&self->loading);
  stop_moving (self);
  g_clear_object (&self->episode_signals);
  g_clear_object (&self->page_signals);
  g_clear_handle_id (&self->height_source, g_source_remove);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_TRANSCRIPT_VIEW);
  ear_properties_clear (self);
  g_clear_pointer (&self->transcript, ear_transcript_unref);
  g_clear_pointer (&self->search, g_free);
  g_clear_pointer (&self->found, g_array_unref);

  G_OBJECT_CLASS (ear_transcript_view_parent_class)->dispose (object);
}

static void
ear_transcript_view_class_init (EarTranscriptViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Set once */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTranscriptView, library),
      .changed = G_CALLBACK (library_changed_cb) },
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTranscriptView, episode),
      .changed = G_CALLBACK (episode_changed_cb) },
  };

  object_class->dispose = ear_transcript_view_dispose;
  widget_class->focus = ear_transcript_view_focus;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  ear_widget_set_template (widget_class, "ear-transcript-view");
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, stack);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, failure);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, selection);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, count);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, find_button);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, follow_button);
  gtk_widget_class_bind_template_child (widget_class, EarTranscriptView, sentence_menu);
  gtk_widget_class_bind_template_callback (widget_class, map_cb);
  gtk_widget_class_bind_template_callback (widget_class, unmap_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_bind_cb);
  gtk_widget_class_bind_template_callback (widget_class, play_from);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_mode_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_next);
  gtk_widget_class_bind_template_callback (widget_class, find_previous);
  gtk_widget_class_bind_template_callback (widget_class, clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, scrolled_cb);
  gtk_widget_class_bind_template_callback (widget_class, drag_begun_cb);
  gtk_widget_class_bind_template_callback (widget_class, dragged_cb);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
  ear_action_install (widget_class, "transcript.retry", NULL, load);
  ear_action_install (widget_class, "transcript.find", NULL, ear_transcript_view_find);
  ear_action_install (widget_class, "transcript.find-next", NULL, find_next);
  ear_action_install (widget_class, "transcript.find-previous", NULL, find_previous);
  ear_action_install (widget_class, "transcript.play", NULL, play);
  ear_action_install (widget_class, "transcript.follow", NULL, follow_voice);
  ear_action_install (widget_class, "transcript.copy", NULL, copy);
  ear_action_install (widget_class, "transcript.spoken-now", NULL, spoken_now);
  ear_action_install (widget_class, "transcript.shift", NULL, shift_times);
  ear_row_menu_install (widget_class);
}

static void
ear_transcript_view_init (EarTranscriptView *self)
{
  self->current = -1;
  self->goal = -1;
  self->wanted = -1;
  self->following = TRUE;
  self->episode_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->episode_signals, "notify::position",
                                  G_CALLBACK (update_voice), self);
  g_signal_group_connect_swapped (self->episode_signals, "notify::shift", G_CALLBACK (update_rows),
                                  self);
  g_signal_group_connect_swapped (self->episode_signals, "notify::shift", G_CALLBACK (update_voice),
                                  self);
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

/* Opens the search.
 * Returns: %FALSE if there is no transcript, or the entry has the focus already: a second
 * press searches elsewhere */
gboolean
ear_transcript_view_find (EarTranscriptView *self)
{
  if (self->transcript == NULL || has_focus (self->search_entry))
    return FALSE;
  show_list (self);
  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
  gtk_editable_select_region (self->search_entry, 0, -1);

  return TRUE;
}

/**
 * ear_transcript_view_show_at:
 * @time: microseconds; -1 for the beginning
 *
 * Shows the sentence at a time as soon as the transcript is loaded, and stays there.
 */
void
ear_transcript_view_show_at (EarTranscriptView *self, gint64 time)
{
  int index;

  self->wanted = MAX (time, 0);
  index = self->transcript != NULL
          ? ear_transcript_find (self->transcript, MAX (self->wanted - get_shift (self), 0))
          : -1;
  if (index < 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->wanted = -1;
  update_voice (self);
  set_following (self, FALSE);
  gtk_selection_model_select_item (self->selection, (guint) index, TRUE);
  jump_to (self, index, TRUE);
}
