/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view.h"

#include "ear-episode-actions.h"
#include "ear-episode-groups.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-sight.h"
#include "ear-widget.h"

/* Seconds between two looks at the date, as the clock may be set and
 * the computer sleep */
#define DAY_INTERVAL 60

/* Changes of the catalogue that excerpts depend on */
#define EXCERPT_CHANGES (EAR_CHANGE_TEXT | EAR_CHANGE_MOMENTS | EAR_CHANGE_MARK (EAR_MARK_SHIFT))

/**
 * EarEpisodeView:
 *
 * A list of episodes with one chosen episode. Beside the page of the episode, moving
 * through the rows chooses, and a double click or Enter plays; without that page only a
 * click or Enter chooses.
 *
 * Several rows are selected with Ctrl and Shift, or with check boxes in a selection mode
 * for fingers. The chosen episode stays the same meanwhile.
 */
struct _EarEpisodeView
{
  AdwBin parent_instance;

  /* Template children */
  GtkScrolledWindow *scroller;
  GtkListView *list_view;
  GtkSelectionModel *selection; /* a GtkMultiSelection */
  GtkMenuButton *selection_button;
  GtkActionBar *selection_bar;
  GtkListItemFactory *header_factory;

  /* Borrowed: they live as long as the view */
  EarEpisodeActions *episode_actions; /* of the row whose menu is open */
  EarEpisodeActions *list_actions;    /* of the selected rows */

  /* Owned */
  EarLibrary *library;
  EarEpisodeList *list;
  EarEpisode *episode;
  EarEpisodeGroups *groups; /* (nullable): of the list, where its rows can have headings */
  EarEpisode *moved; /* (nullable): was moved by keys, and gets the focus back when it is listed */
  GCancellable *excerpt_cancellable; /* (nullable): an excerpt is on its way */
  EarEpisode *excerpt_episode;       /* (nullable): of that excerpt */
  int today; /* the day of the year, for the dates and headings in the rows */
  guint day_source;
  gboolean collapsed;
  gboolean selecting;    /* a click selects a row beside the others */
  gboolean wants_choice; /* the next list chooses an episode */
};

G_DEFINE_FINAL_TYPE (EarEpisodeView, ear_episode_view, ADW_TYPE_BIN)

/* Returns: (nullable) */
static const EarEpisodeQuery *
get_query (EarEpisodeView *self)
{
  return self->list != NULL ? ear_episode_list_get_query (self->list) : NULL;
}

/* Returns: (nullable): the words of a search */
static const char *
get_search (EarEpisodeView *self)
{
  return get_query (self) != NULL ? get_query (self)->search : NULL;
}

/* @episode: (nullable)
 * @position: (out) (optional): its row; unchanged if it is not listed
 * Returns: whether it is listed */
static gboolean
find (EarEpisodeView *self, EarEpisode *episode, guint *position)
{
  return self->list != NULL && episode != NULL &&
         ear_episode_list_find (self->list, ear_episode_get_id (episode), position);
}

static guint
get_n_selected (EarEpisodeView *self)
{
  /* The template reads it before it has a selection. */
  g_autoptr (GtkBitset) selected =
      self->selection != NULL ? gtk_selection_model_get_selection (self->selection)
                              : gtk_bitset_new_empty ();

  return (guint) gtk_bitset_get_size (selected);
}

/* Returns: the first row that is selected, or %GTK_INVALID_LIST_POSITION */
static guint
get_first_selected (EarEpisodeView *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->selection);

  return gtk_bitset_get_minimum (selected);
}

/* Selects one row, or none. */
static void
select_only (EarEpisodeView *self, guint position)
{
  if (position != GTK_INVALID_LIST_POSITION)
    gtk_selection_model_select_item (self->selection, position, TRUE);
  else
    gtk_selection_model_unselect_all (self->selection);
}

/* Selects a row beside the others, or unselects it. */
static void
toggle_selected (EarEpisodeView *self, guint position)
{
  if (gtk_selection_model_is_selected (self->selection, position))
    gtk_selection_model_unselect_item (self->selection, position);
  else
    gtk_selection_model_select_item (self->selection, position, FALSE);
}

/* The list view has some two hundred rows, also in longer lists.
 * @row: (nullable): %NULL for the first one
 * Returns: (nullable): the next row */
static EarEpisodeRow *
get_next_row (EarEpisodeView *self, EarEpisodeRow *row)
{
  GtkWidget *last = row != NULL ? gtk_widget_get_parent (GTK_WIDGET (row)) : NULL;
  GtkWidget *item = last != NULL ? gtk_widget_get_next_sibling (last)
                                 : gtk_widget_get_first_child (GTK_WIDGET (self->list_view));

  /* Headings are among them. */
  while (item != NULL && !EAR_IS_EPISODE_ROW (gtk_widget_get_first_child (item)))
    item = gtk_widget_get_next_sibling (item);

  return item != NULL ? EAR_EPISODE_ROW (gtk_widget_get_first_child (item)) : NULL;
}

/* --- The chosen episode ------------------------------------------------------------- */

/* Leaves the selection of rows alone. */
static void
take_episode (EarEpisodeView *self, EarEpisode *episode)
{
  if (g_set_object (&self->episode, episode))
    g_object_notify (G_OBJECT (self), "episode");
}

/* Returns: the first selected row, or else that of the chosen episode, which is not
 * selected without its page beside it; or %GTK_INVALID_LIST_POSITION */
static guint
find_chosen (EarEpisodeView *self)
{
  guint position = get_first_selected (self);

  if (position == GTK_INVALID_LIST_POSITION)
    find (self, self->episode, &position);

  return position;
}

/* Selects the row of the chosen episode beside its page. Without a choice, the episode
 * that was shown before is chosen, the one in the player, or the first. */
static void
update_selection (EarEpisodeView *self)
{
  guint position = GTK_INVALID_LIST_POSITION;

  if (self->list == NULL || g_list_model_get_n_items (G_LIST_MODEL (self->list)) == 0)
    return;

  if (!self->collapsed && !find (self, self->episode, &position) && self->wants_choice &&
      !find (self, ear_player_get_episode (ear_library_get_player (self->library)), &position))
    position = 0;
  if (!self->collapsed)
    self->wants_choice = FALSE;
  if (position != get_first_selected (self) ||
      get_n_selected (self) > 1)
    select_only (self, position);
}

/* --- Focus -------------------------------------------------------------------------- */

/* Returns: (transfer none) (nullable) */
static GtkWidget *
get_focus (EarEpisodeView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

static gboolean
has_focus (EarEpisodeView *self)
{
  GtkWidget *focus = get_focus (self);

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->list_view));
}

/* The focus enters at the chosen row, and not at the row that had it last. */
static void
aim_focus (EarEpisodeView *self)
{
  const guint position = find_chosen (self);

  if (position != GTK_INVALID_LIST_POSITION)
    gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS, NULL);
}

static void
focus_row (EarEpisodeView *self, guint position)
{
  gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

/* Puts the focus on the chosen row, or else on the first. With another list, GTK would
 * give the focus to the row at the old position, and Enter would play an episode that the
 * listener did not choose. */
static void
bring_focus (EarEpisodeView *self)
{
  const guint position = find_chosen (self);

  if (g_list_model_get_n_items (G_LIST_MODEL (self->selection)) > 0)
    focus_row (self, position != GTK_INVALID_LIST_POSITION ? position : 0);
}

/* Keeps the focus on the row that keys have moved, once it is in the list again. A row
 * that is taken out and put back loses the focus, and GTK (4.18) gives it to another row
 * in the next frame. */
static void
follow_moved (EarEpisodeView *self)
{
  GtkWidget *focus = get_focus (self);
  guint position;

  if (!find (self, self->moved, &position))
    return;

  g_clear_object (&self->moved);
  if (focus == NULL || gtk_widget_get_root (focus) == NULL || has_focus (self))
    focus_row (self, position);
}

/* --- Groups of rows ------------------------------------------------------------------ */

static EarGrouping
get_grouping (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = get_query (self);
  EarPodcast *podcast;

  if (query == NULL || query->search != NULL || self->library == NULL)
    return EAR_GROUPING_NONE;
  if (query->podcast == 0 && query->filter == EAR_FILTER_HISTORY)
    return EAR_GROUPING_DAYS;
  if (query->podcast == 0 && query->filter == EAR_FILTER_DOWNLOADS)
    return EAR_GROUPING_DOWNLOADS;
  podcast = ear_catalogue_get_podcast (ear_library_get_catalogue (self->library), query->podcast);

  return podcast != NULL && ear_podcast_get_series (podcast) &&
                 (query->sort == EAR_SORT_OLDEST || query->sort == EAR_SORT_NEWEST)
             ? EAR_GROUPING_SEASONS
             : EAR_GROUPING_NONE;
}

/* A list view with a factory for headings has one above all rows, too. */
static void
update_headings (EarEpisodeView *self)
{
  const gboolean wanted = self->groups != NULL && ear_episode_groups_have_headings (self->groups);

  gtk_list_view_set_header_factory (self->list_view, wanted ? self->header_factory : NULL);
}

/* Reads the groups of all rows again. */
static void
update_groups (EarEpisodeView *self)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->groups));

  if (n > 0)
    gtk_section_model_sections_changed (GTK_SECTION_MODEL (self->groups), 0, n);
  update_headings (self);
}

/* Shows the rows of the list, with none selected. */
static void
set_rows (EarEpisodeView *self)
{
  const EarGrouping grouping = get_grouping (self);

  /* GtkMultiSelection would look for the selected episodes among all new rows. */
  gtk_selection_model_unselect_all (self->selection);
  g_clear_object (&self->groups);
  if (grouping != EAR_GROUPING_NONE)
    self->groups = ear_episode_groups_new (self->list, grouping);
  gtk_multi_selection_set_model (GTK_MULTI_SELECTION (self->selection),
                                 self->groups != NULL ? G_LIST_MODEL (self->groups)
                                                      : G_LIST_MODEL (self->list));
}

/* --- Selection ---------------------------------------------------------------------- */

/* Returns: whether verbs are about the selected rows, which have check boxes then */
static gboolean
has_several (EarEpisodeView *self)
{
  return self->selecting || get_n_selected (self) > 1;
}

static int
get_n_ticked (EarEpisodeView *self)
{
  return has_several (self) ? (int) get_n_selected (self) : -1;
}

/* Keeps the rows in their positions while the bar below them comes and goes: the list view
 * would keep the row in the middle, which moves. */
static void
anchor_top (EarEpisodeView *self)
{
  graphene_rect_t bounds;
  guint position;

  for (EarEpisodeRow *row = get_next_row (self, NULL); row != NULL; row = get_next_row (self, row))
    if (gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (self->scroller), &bounds) &&
        bounds.origin.y >= 0 && find (self, ear_episode_row_get_episode (row), &position))
      {
        gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_NONE, NULL);
        return;
      }
}

static void
notify_several (EarEpisodeView *self)
{
  if (has_several (self) != gtk_action_bar_get_revealed (self->selection_bar))
    anchor_top (self);
  g_object_notify (G_OBJECT (self), "several");
  g_object_notify (G_OBJECT (self), "n-ticked");
  g_object_notify (G_OBJECT (self), "n-selected");
}

static void
collapsed_changed_cb (EarEpisodeView *self)
{
  gtk_list_view_set_single_click_activate (self->list_view, self->collapsed && !self->selecting);
  if (!self->selecting)
    update_selection (self);
}

static void
set_selecting (EarEpisodeView *self, gboolean selecting)
{
  if (self->selecting == selecting)
    return;

  self->selecting = selecting;
  collapsed_changed_cb (self);
  notify_several (self);
}

/* GTK selects the row below the pointer, and no others, where a single click opens a row:
 * several rows are selected in a mode with check boxes there. */
static void
n_selected_changed (EarEpisodeView *self)
{
  if (self->collapsed && has_several (self))
    set_selecting (self, TRUE);
  notify_several (self);
}

static void
selected_cb (EarEpisodeView *self)
{
  if (!self->collapsed && !self->selecting && get_n_selected (self) == 1)
    {
      g_autoptr (EarEpisode) episode =
          g_list_model_get_item (G_LIST_MODEL (self->selection), get_first_selected (self));

      if (episode != NULL)
        take_episode (self, episode);
    }
  n_selected_changed (self);
}

/* Whether the chosen episode was marked as played or removed, and so left the list. An
 * episode that left because it plays stays chosen. */
static gboolean
is_done (EarEpisodeView *self)
{
  return !self->collapsed && self->episode != NULL &&
         (ear_episode_get_listened (self->episode) || ear_episode_get_removed (self->episode)) &&
         ear_episode_get_playback (self->episode) == EAR_PLAYBACK_NONE &&
         !find (self, self->episode, NULL);
}

/* After rows came or went, selects the chosen episode, or the next one if it was done. */
static void
select_after_change (EarEpisodeView *self, guint position, guint n_removed, guint n_added)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  const gboolean had_focus = has_focus (self);

  if (self->selecting || get_n_selected (self) > 0)
    return;
  if (n_removed == 0 || n_added > 0 || !is_done (self))
    update_selection (self);
  else if (n > 0)
    {
      select_only (self, MIN (position, n - 1));
      if (had_focus)
        bring_focus (self);
    }
}

static void
items_changed_cb (EarEpisodeView *self, guint position, guint n_removed, guint n_added)
{
  /* The rows around the removed ones may be in one section now; GTK (4.18) does not look. */
  if (self->groups != NULL && n_removed > 0)
    update_groups (self);
  else
    update_headings (self);
  ear_rows_keep_top (self->list_view, position, n_removed, n_added);
  follow_moved (self);
  select_after_change (self, position, n_removed, n_added);
  if (n_removed > 0)
    n_selected_changed (self);
}

static void
activated_cb (EarEpisodeView *self, guint position)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (episode == NULL)
    return;
  if (self->selecting)
    {
      toggle_selected (self, position);
      return;
    }

  take_episode (self, episode);
  if (!self->collapsed && ear_episode_get_enclosure (episode) != NULL)
    ear_playback_controller_play (ear_library_get_playback_controller (self->library), episode,
                                  self->list);
  g_signal_emit_by_name (self, "activated");
}

/* --- Buttons of the rows ------------------------------------------------------------ */

/* @parameter: row id of the episode */
static void
activate_button (EarEpisodeView *self, const char *name, GVariant *parameter)
{
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);
  EarEpisode *episode;
  guint position;

  if (self->list == NULL ||
      !ear_episode_list_find (self->list, g_variant_get_int64 (parameter), &position))
    return;

  episode = g_list_model_get_item (G_LIST_MODEL (self->list), position);
  g_ptr_array_add (episodes, episode);
  if (g_str_equal (name, "list.tick"))
    {
      /* From now on a click ticks, so that the check boxes stay when one is left. */
      set_selecting (self, TRUE);
      toggle_selected (self, position);
    }
  else if (g_str_equal (name, "list.add-to-queue"))
    ear_queue_add_last (ear_library_get_queue (self->library), episodes);
  else
    {
      /* The episode is shown before it plays, as playing may take it off the list. */
      if (!self->collapsed && !has_several (self) &&
          ear_episode_get_playback (episode) != EAR_PLAYBACK_PLAYING)
        ear_episode_view_set_episode (self, episode);
      ear_playback_controller_toggle (ear_library_get_playback_controller (self->library), episode,
                                      self->list);
    }
}

/* --- Excerpts of search results ----------------------------------------------------- */

/* Rows out of sight come last: each is laid out again, and the listener may go on typing. */
static EarEpisodeRow *
find_row_without_excerpt (EarEpisodeView *self)
{
  EarEpisodeRow *hidden = NULL;

  for (EarEpisodeRow *row = get_next_row (self, NULL); row != NULL; row = get_next_row (self, row))
    if (ear_episode_row_wants_excerpt (row) && gtk_widget_get_mapped (GTK_WIDGET (row)))
      return row;
    else if (ear_episode_row_wants_excerpt (row) && hidden == NULL)
      hidden = row;

  return hidden != NULL && !ear_episode_list_get_asking (self->list) ? hidden : NULL;
}

/* Loads the excerpts of the rows, one at a time: the next search is read by the same thread.
 * @result: (nullable): the previous excerpt, for @user_data, a reference to the view */
static void
load_excerpts_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeView) self = user_data;
  EarEpisodeRow *row;

  if (result != NULL)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EarSnippet) excerpt =
          ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);

      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
      row = find_row_without_excerpt (self);
      /* Its row may show another episode by now. */
      if (row != NULL && ear_episode_row_get_episode (row) == self->excerpt_episode)
        ear_episode_row_set_excerpt (row, excerpt);
      g_clear_object (&self->excerpt_cancellable);
    }

  row = find_row_without_excerpt (self);
  if (row == NULL || get_search (self) == NULL)
    return;

  self->excerpt_cancellable = g_cancellable_new ();
  g_set_object (&self->excerpt_episode, ear_episode_row_get_episode (row));
  ear_catalogue_read_async (ear_library_get_catalogue (self->library),
                            ear_read_snippet (self->excerpt_episode, get_search (self)),
                            self->excerpt_cancellable, load_excerpts_cb, g_object_ref (self));
}

static void
load_excerpts (EarEpisodeView *self)
{
  if (self->excerpt_cancellable == NULL)
    load_excerpts_cb (NULL, NULL, g_object_ref (self));
}

/* Loads the excerpts again: for other words, or because a text has changed. */
static void
reload_excerpts (EarEpisodeView *self)
{
  ear_cancellable_clear (&self->excerpt_cancellable);
  for (EarEpisodeRow *row = get_next_row (self, NULL); row != NULL; row = get_next_row (self, row))
    ear_episode_row_want_excerpt (row, get_search (self) != NULL);
  load_excerpts (self);
}

/* --- Rows --------------------------------------------------------------------------- */

static gboolean
is_mixed (EarEpisodeView *self)
{
  return get_query (self) != NULL && get_query (self)->podcast == 0;
}

static gboolean
is_heard (EarEpisodeView *self)
{
  /* Without a search, headings show the days. */
  return get_search (self) != NULL && get_query (self)->filter == EAR_FILTER_HISTORY;
}

static void
row_setup_cb (EarEpisodeView *self, GtkListItem *item)
{
  GtkWidget *row = g_object_new (EAR_TYPE_EPISODE_ROW, NULL);

  gtk_list_item_set_child (item, row);
  ear_connect (row, "map", load_excerpts, self);
  g_object_bind_property (self, "mixed", row, "mixed", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self, "heard", row, "heard", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self, "several", row, "tickable", G_BINDING_SYNC_CREATE);
  g_object_bind_property (row, "spoken", item, "accessible-label", G_BINDING_SYNC_CREATE);
  g_object_bind_property (item, "selected", row, "ticked", G_BINDING_SYNC_CREATE);
}

static void
row_bind_cb (EarEpisodeView *self, GtkListItem *item)
{
  EarEpisodeRow *row = EAR_EPISODE_ROW (gtk_list_item_get_child (item));

  ear_episode_row_set_episode (row, gtk_list_item_get_item (item));
  if (get_search (self) != NULL)
    {
      ear_episode_row_want_excerpt (row, TRUE);
      load_excerpts (self);
    }
}

static void
row_unbind_cb (EarEpisodeView *self, GtkListItem *item)
{
  ear_episode_row_set_episode (EAR_EPISODE_ROW (gtk_list_item_get_child (item)), NULL);
}

/* --- Headings ----------------------------------------------------------------------- */

static void
header_setup_cb (EarEpisodeView *self, GtkListHeader *header)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "accessible-role",
                                   GTK_ACCESSIBLE_ROLE_HEADING, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LEVEL, 2, -1);
  gtk_widget_add_css_class (label, "heading");
  gtk_list_header_set_child (header, label);
}

static void
header_bind_cb (EarEpisodeView *self, GtkListHeader *header)
{
  const guint start = gtk_list_header_get_start (header);
  g_autofree char *text =
      self->groups != NULL && start < g_list_model_get_n_items (G_LIST_MODEL (self->groups))
          ? ear_episode_groups_describe (self->groups, start)
          : NULL;

  gtk_label_set_label (GTK_LABEL (gtk_list_header_get_child (header)), text != NULL ? text : "");
}

static void
episodes_changed_cb (EarEpisodeView *self, gint64 podcast, EarEpisodeChange what)
{
  if (self->groups != NULL && (what & EAR_CHANGE_DOWNLOAD) != 0 &&
      get_grouping (self) == EAR_GROUPING_DOWNLOADS)
    update_groups (self);
  if ((what & EXCERPT_CHANGES) != 0 && get_search (self) != NULL)
    reload_excerpts (self);
}

static void
library_changed_cb (EarEpisodeView *self)
{
  ear_connect (ear_library_get_catalogue (self->library), "episodes-changed", episodes_changed_cb,
               self);
}

/* --- Dates of the rows -------------------------------------------------------------- */

/* Rows and headings say "Today" and "Yesterday". */
static gboolean
update_day_cb (gpointer user_data)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (user_data);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  if (self->today == g_date_time_get_day_of_year (now))
    return G_SOURCE_CONTINUE;

  self->today = g_date_time_get_day_of_year (now);
  for (EarEpisodeRow *row = get_next_row (self, NULL); row != NULL; row = get_next_row (self, row))
    ear_episode_row_update (row);
  if (self->groups != NULL)
    update_groups (self);

  return G_SOURCE_CONTINUE;
}

/* --- Menus and keys of the rows ----------------------------------------------------- */

static gboolean
is_one_of_several (EarEpisodeView *self, EarEpisode *episode)
{
  guint position;

  return get_n_selected (self) > 1 &&
         find (self, episode, &position) &&
         gtk_selection_model_is_selected (self->selection, position);
}

static GMenuModel *
create_row_menu (GtkWidget *widget, GtkWidget *row)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  EarEpisode *episode = ear_episode_row_get_episode (EAR_EPISODE_ROW (row));

  if (episode == NULL)
    return NULL;

  ear_episode_actions_set_episode (self->episode_actions, episode);

  return ear_episode_menu_new (self->episode_actions, is_one_of_several (self, episode)
                                                          ? EAR_EPISODE_MENU_SELECTION
                                                          : EAR_EPISODE_MENU_ROW);
}

/* Returns: (transfer none) (nullable): the episode of the row that has the focus,
 * or the chosen one */
static EarEpisode *
get_focused (EarEpisodeView *self)
{
  GtkWidget *row = ear_row_with_focus (GTK_WIDGET (self->list_view), EAR_TYPE_EPISODE_ROW);

  return row != NULL ? ear_episode_row_get_episode (EAR_EPISODE_ROW (row)) : self->episode;
}

/* Delete takes the selected episodes, or the one that has the focus, out of New, In
 * Progress, Up Next or a list. */
static gboolean
delete_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  EarEpisode *episode = get_focused (self);

  if (episode == NULL)
    return GDK_EVENT_PROPAGATE;
  if (is_one_of_several (self, episode))
    return ear_episode_actions_take_out (self->list_actions);

  ear_episode_actions_set_episode (self->episode_actions, episode);

  return ear_episode_actions_take_out (self->episode_actions);
}

static void
end_selecting (EarEpisodeView *self)
{
  set_selecting (self, FALSE);
  update_selection (self);
}

/* Selects all rows, or the first selected row and all rows below it: in a list by date, all
 * older episodes. */
static void
select_rows (EarEpisodeView *self, const char *name)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  const guint first = g_str_equal (name, "list.select-all") ? 0 : get_first_selected (self);

  set_selecting (self, TRUE);
  if (first < n)
    gtk_selection_model_select_range (self->selection, first, n - first, TRUE);
}

/* Begins with the row whose menu is open. */
static void
begin_selecting (EarEpisodeView *self)
{
  guint position = GTK_INVALID_LIST_POSITION;

  find (self, ear_episode_actions_get_episode (self->episode_actions), &position);
  set_selecting (self, TRUE);
  select_only (self, position);
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  if (!has_several (EAR_EPISODE_VIEW (widget)))
    return GDK_EVENT_PROPAGATE;
  end_selecting (EAR_EPISODE_VIEW (widget));

  return GDK_EVENT_STOP;
}

static GtkWidget *
find_row (EarEpisodeView *self, double x, double y)
{
  return ear_row_at (adw_bin_get_child (ADW_BIN (self)), x, y, EAR_TYPE_EPISODE_ROW);
}

/* Returns: (transfer none) (nullable) */
static EarEpisode *
get_episode_at (EarEpisodeView *self, double x, double y)
{
  GtkWidget *row = find_row (self, x, y);

  return row != NULL ? ear_episode_row_get_episode (EAR_EPISODE_ROW (row)) : NULL;
}

/* In the selection mode, a click ticks. */
static void
select_click_cb (EarEpisodeView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  guint position;

  if (!self->selecting || !find (self, get_episode_at (self, x, y), &position))
    {
      gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_DENIED);
      return;
    }

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  toggle_selected (self, position);
}

/* --- Order of Up Next, a list or the downloads -------------------------------------- */

/* Returns: (transfer none) (nullable): the list of the listener's, the queue or the
 * downloader that has the order of the rows, if all of its episodes are shown. A list that
 * fills itself has none. */
static gpointer
find_order (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = get_query (self);

  /* Rows are still updated while the window of the view is closed. */
  if (self->library == NULL || query == NULL || !ear_episode_query_is_whole (query))
    return NULL;
  if (query->list != NULL)
    return ear_lists_find (ear_library_get_lists (self->library), query->list);
  if (query->filter == EAR_FILTER_QUEUED)
    return ear_library_get_queue (self->library);

  return query->filter == EAR_FILTER_DOWNLOADS ? ear_library_get_downloader (self->library) : NULL;
}

/* @before: (nullable): the row below them then */
static void
insert (EarEpisodeView *self, GPtrArray *episodes, EarEpisode *before)
{
  gpointer order = find_order (self);

  if (EAR_IS_LIST (order))
    ear_lists_insert (ear_library_get_lists (self->library), order, episodes, before);
  else if (EAR_IS_QUEUE (order))
    ear_queue_insert (order, episodes, before);
  else if (order != NULL)
    ear_downloader_move (order, episodes, before);
}

static void
move_row (EarEpisodeView *self, const char *name)
{
  EarEpisode *episode = get_focused (self);
  const gboolean up = g_str_equal (name, "list.move-up");
  g_autoptr (GPtrArray) moved = g_ptr_array_new ();
  g_autoptr (EarEpisode) before = NULL;
  guint position;

  if (!find (self, episode, &position))
    return;
  if (up ? position == 0 : position + 1 >= g_list_model_get_n_items (G_LIST_MODEL (self->list)))
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }

  g_ptr_array_add (moved, episode);
  before = g_list_model_get_item (G_LIST_MODEL (self->list), up ? position - 1 : position + 2);
  g_clear_object (&self->moved);
  if (has_focus (self))
    self->moved = g_object_ref (episode);
  insert (self, moved, before);
}

/* Drags all selected episodes with one of them. */
static GdkContentProvider *
drag_prepare_cb (EarEpisodeView *self, double x, double y, GtkDragSource *source)
{
  EarEpisode *episode = get_episode_at (self, x, y);
  g_autoptr (GPtrArray) episodes = NULL;

  if (episode == NULL || !ear_row_begin_drag (find_row (self, x, y), source, x))
    return NULL;

  if (is_one_of_several (self, episode))
    episodes = ear_episode_actions_dup_episodes (self->list_actions);
  else
    {
      episodes = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_add (episodes, g_object_ref (episode));
    }

  return gdk_content_provider_new_typed (G_TYPE_PTR_ARRAY, episodes);
}

static gboolean
is_below (EarEpisodeView *self, double x, double y)
{
  return ear_row_is_below (find_row (self, x, y), adw_bin_get_child (ADW_BIN (self)), y);
}

static GdkDragAction
drop_motion_cb (EarEpisodeView *self, double x, double y)
{
  if (find_order (self) == NULL)
    return 0;

  ear_row_mark_drop (GTK_WIDGET (self->list_view), find_row (self, x, y),
                     is_below (self, x, y) ? "drop-below" : "drop-above");

  return GDK_ACTION_COPY;
}

/* Below all rows, episodes are dropped behind the last. */
static gboolean
drop_cb (EarEpisodeView *self, const GValue *value, double x, double y)
{
  g_autoptr (EarEpisode) before = NULL;
  guint position;

  if (find_order (self) == NULL)
    return FALSE;

  if (find (self, get_episode_at (self, x, y), &position))
    before = g_list_model_get_item (G_LIST_MODEL (self->list),
                                    is_below (self, x, y) ? position + 1 : position);
  ear_row_unmark_drop (GTK_WIDGET (self->list_view));
  insert (self, g_value_get_boxed (value), before);

  return TRUE;
}

static void
update_actions (EarEpisodeView *self)
{
  const gboolean sortable = find_order (self) != NULL;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.move-up", sortable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.move-down", sortable);
  /* In a list sorted by hand, the rows below are not the older episodes. */
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.select-below", !sortable);
}

/* --- Class -------------------------------------------------------------------------- */

static gboolean
ear_episode_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  if ((direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD) &&
      gtk_widget_get_focus_child (widget) == NULL)
    aim_focus (EAR_EPISODE_VIEW (widget));

  return GTK_WIDGET_CLASS (ear_episode_view_parent_class)->focus (widget, direction);
}

static gboolean
ear_episode_view_grab_focus (GtkWidget *widget)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);

  aim_focus (self);

  return gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

static void
map_cb (EarEpisodeView *self)
{
  /* GTK selects the row below the pointer where a single click opens a row: no row is to
   * stay selected when the listener comes back. */
  if (self->collapsed && !has_several (self))
    update_selection (self);
  update_day_cb (self);
  self->day_source = g_timeout_add_seconds (DAY_INTERVAL, update_day_cb, self);
}

static void
unmap_cb (EarEpisodeView *self)
{
  g_clear_handle_id (&self->day_source, g_source_remove);
}

static void
ear_episode_view_dispose (GObject *object)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  ear_cancellable_clear (&self->excerpt_cancellable);
  g_clear_object (&self->excerpt_episode);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_VIEW);
  g_clear_object (&self->groups);
  g_clear_object (&self->moved);
  ear_properties_clear (self);

  G_OBJECT_CLASS (ear_episode_view_parent_class)->dispose (object);
}

static void
ear_episode_view_class_init (EarEpisodeViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, library),
      .changed = G_CALLBACK (library_changed_cb) },
    /* The rows */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, list),
      .set = G_CALLBACK (ear_episode_view_set_list) },
    /* The chosen episode, which need not be listed */
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, episode),
      .set = G_CALLBACK (ear_episode_view_set_episode) },
    /* Whether the page of the chosen episode is not beside the list */
    { "collapsed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, collapsed),
      .changed = G_CALLBACK (collapsed_changed_cb) },
    /* Whether the rows are of several podcasts */
    { "mixed", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_mixed) },
    /* Whether the list is a search in the history, whose rows have no
     * headings with the day */
    { "heard", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_heard) },
    /* Whether verbs are about the selected rows, which have check boxes */
    { "several", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (has_several) },
    { "n-selected", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (get_n_selected) },
    /* The number of rows with ticks, or -1 without check boxes */
    { .spec = g_param_spec_int ("n-ticked", NULL, NULL, -1, G_MAXINT, -1, G_PARAM_READABLE),
      .get = G_CALLBACK (get_n_ticked) },
  };

  object_class->dispose = ear_episode_view_dispose;
  widget_class->focus = ear_episode_view_focus;
  widget_class->grab_focus = ear_episode_view_grab_focus;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* A row was activated. A narrow window shows the page of the episode then. */
  ear_signal_new (klass, "activated", 0);

  ear_row_menu_install (widget_class);
  ear_action_install (widget_class, "list.play", "x", activate_button);
  ear_action_install (widget_class, "list.tick", "x", activate_button);
  ear_action_install (widget_class, "list.add-to-queue", "x", activate_button);
  ear_action_install (widget_class, "list.select-all", NULL, select_rows);
  ear_action_install (widget_class, "list.select-below", NULL, select_rows);
  ear_action_install (widget_class, "list.begin-selecting", NULL, begin_selecting);
  ear_action_install (widget_class, "list.end-selecting", NULL, end_selecting);
  ear_action_install (widget_class, "list.move-up", NULL, move_row);
  ear_action_install (widget_class, "list.move-down", NULL, move_row);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Delete, 0, delete_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Delete, 0, delete_cb, NULL);

  g_type_ensure (G_TYPE_PTR_ARRAY);
  ear_widget_set_template (widget_class, "ear-episode-view");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, selection);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, selection_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, selection_bar);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, header_factory);
  gtk_widget_class_bind_template_callback (widget_class, map_cb);
  gtk_widget_class_bind_template_callback (widget_class, unmap_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_bind_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_unbind_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, items_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, select_click_cb);
  gtk_widget_class_bind_template_callback (widget_class, drag_prepare_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_motion_cb);
  gtk_widget_class_bind_template_callback (widget_class, ear_row_unmark_drop);
  gtk_widget_class_bind_template_callback (widget_class, drop_cb);
  gtk_widget_class_bind_template_callback (widget_class, header_setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, header_bind_cb);
}

static void
ear_episode_view_init (EarEpisodeView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  g_autoptr (GMenuModel) menu = ear_episode_menu_new (NULL, EAR_EPISODE_MENU_SELECTION);

  gtk_widget_init_template (widget);
  self->episode_actions = ear_episode_actions_add (widget, NULL, NULL);
  self->list_actions = ear_episode_actions_add (widget, self->selection, self->selection_bar);
  ear_menu_later_set (self->selection_button, menu);
  ear_row_menu_attach (widget, GTK_WIDGET (self->list_view), EAR_TYPE_EPISODE_ROW, create_row_menu);
  update_actions (self);
}

/* Shows other rows, scrolled to the first one; after a search, to the chosen episode. The
 * same episode stays chosen, unless [method@EarEpisodeView.choose_anew] was called before.
 * @list: (nullable): the rows */
void
ear_episode_view_set_list (EarEpisodeView *self, EarEpisodeList *list)
{
  const gboolean was_search = get_search (self) != NULL;
  gboolean had_focus;
  guint position;

  if (!g_set_object (&self->list, list))
    return;

  had_focus = has_focus (self);
  g_clear_object (&self->moved);
  g_object_notify (G_OBJECT (self), "mixed");
  g_object_notify (G_OBJECT (self), "heard");
  set_rows (self);
  if (list != NULL)
    ear_connect (list, "notify::asking", load_excerpts, self);
  reload_excerpts (self);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
  /* The list view keeps its anchor, a row of the list before, and would scroll back to it. */
  if (list != NULL && g_list_model_get_n_items (G_LIST_MODEL (list)) > 0)
    gtk_list_view_scroll_to (self->list_view, 0, GTK_LIST_SCROLL_NONE, NULL);
  update_actions (self);
  set_selecting (self, FALSE);
  g_object_notify (G_OBJECT (self), "list");
  update_selection (self);
  if (self->wants_choice)
    take_episode (self, NULL);
  if (had_focus)
    bring_focus (self);
  else if (was_search && get_search (self) == NULL && find (self, self->episode, &position))
    gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_NONE, NULL);
}

/* Chooses an episode, and selects its row if it is listed. */
void
ear_episode_view_set_episode (EarEpisodeView *self, EarEpisode *episode)
{
  self->wants_choice = FALSE;
  take_episode (self, episode);
  update_selection (self);
}

/* Chooses an episode from the next list: the one in the player, or the first. The old one
 * stays until then where both panes are in sight. */
void
ear_episode_view_choose_anew (EarEpisodeView *self)
{
  self->wants_choice = TRUE;
  if (self->collapsed)
    take_episode (self, NULL);
}

/* Focuses and selects the first row.
 * Returns: whether there is one */
gboolean
ear_episode_view_focus_first (EarEpisodeView *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->selection)) == 0)
    return FALSE;

  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
  gtk_list_view_scroll_to (self->list_view, 0, GTK_LIST_SCROLL_FOCUS | GTK_LIST_SCROLL_SELECT,
                           NULL);

  return TRUE;
}

EAR_DEFINE_GET (EarEpisodeView, ear_episode_view, EarEpisode *, episode)
