/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-episode-row.h"
#include "ear-format.h"
#include "ear-pane-layout.h"
#include "ear-property.h"
#include "ear-rows-in-sight.h"
#include "ear-slide-in.h"
#include "ear-widget.h"

/**
 * EarEpisodeView:
 *
 * A list of episodes with one chosen episode. Where the episode's page is beside the list, moving
 * through the rows chooses, and a double click or Enter plays; elsewhere only a click or Enter
 * chooses. Rows have a context menu.
 *
 * Several rows are selected with Ctrl and Shift, or in a selection mode for fingers, with check
 * boxes. The chosen episode stays the same meanwhile.
 */
G_DEFINE_FINAL_TYPE (EarEpisodeView, ear_episode_view, ADW_TYPE_BIN)

/* How often the dates of the rows are looked at in any case, in seconds: the clock may be set, and
 * the computer sleep. */
#define DAY_INTERVAL (15 * 60)

/* --- The chosen episode and its row ------------------------------------------------------ */

/* Sets the chosen episode and leaves the selection of rows alone. */
static void
take_episode (EarEpisodeView *self, EarEpisode *episode)
{
  if (!g_set_object (&self->episode, episode))
    return;

  g_object_notify (G_OBJECT (self), "episode");
}

/* Position of the row to choose first: the episode shown before, the one that plays, or the
 * first. */
static guint
choose (EarEpisodeView *self)
{
  EarEpisode *playing = ear_player_get_episode (ear_library_get_player (self->library));
  guint position;

  if (self->episode != NULL &&
      ear_episode_list_find (self->list, ear_episode_get_id (self->episode), &position))
    return position;
  if (playing != NULL &&
      ear_episode_list_find (self->list, ear_episode_get_id (playing), &position))
    return position;

  return 0;
}

/* Returns: the first row that is selected, or else that of the episode that is chosen, which is not
 * where its page is not beside it; or `GTK_INVALID_LIST_POSITION` */
static guint
find_chosen (EarEpisodeView *self)
{
  guint position = ear_episode_selection_get_first (self->selection);

  if (position == GTK_INVALID_LIST_POSITION && self->list != NULL && self->episode != NULL &&
      !ear_episode_list_find (self->list, ear_episode_get_id (self->episode), &position))
    return GTK_INVALID_LIST_POSITION;

  return position;
}

/* Marks the row of the episode that is chosen, where its page is beside it; chooses one where none
 * is yet. */
void
ear_episode_view_update_selection (EarEpisodeView *self)
{
  guint position = GTK_INVALID_LIST_POSITION;

  if (self->list == NULL || g_list_model_get_n_items (G_LIST_MODEL (self->list)) == 0)
    return;

  if (self->wants_choice && !self->collapsed)
    {
      self->wants_choice = FALSE;
      position = choose (self);
    }
  else if (self->collapsed || self->episode == NULL ||
           !ear_episode_list_find (self->list, ear_episode_get_id (self->episode), &position))
    position = GTK_INVALID_LIST_POSITION;

  if (position != ear_episode_selection_get_first (self->selection) ||
      ear_episode_selection_get_n_selected (self->selection) > 1)
    ear_episode_selection_select_only (self->selection, position);
}

/* --- Position and focus ------------------------------------------------------------------ */

static gboolean
is_at_top (EarEpisodeView *self)
{
  return gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (self->scroller)) <= 0;
}

/* Tells the list where the listener is among its rows. */
static void
update_in_sight (EarEpisodeView *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  const double middle =
      gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment) / 2;
  const double part =
      is_at_top (self) ? 0 : CLAMP (middle / gtk_adjustment_get_upper (adjustment), 0, 1);

  if (self->list != NULL)
    ear_episode_list_set_in_sight (
        self->list, (guint) (part * g_list_model_get_n_items (G_LIST_MODEL (self->list))));
}

/* Has the keys come in at the row that is shown, and not at the one that had the focus once. */
static void
aim_focus (EarEpisodeView *self)
{
  const guint position = find_chosen (self);

  if (position != GTK_INVALID_LIST_POSITION)
    gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS, NULL);
}

gboolean
ear_episode_view_has_focus (EarEpisodeView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->list_view));
}

/* Puts the focus on the chosen row, or else on the first. With another list, GTK would give the
 * focus to the row at the old position, and Enter would play an episode that the listener did
 * not choose. */
static void
bring_focus (EarEpisodeView *self)
{
  const guint position = find_chosen (self);

  if (g_list_model_get_n_items (G_LIST_MODEL (self->selection)) == 0)
    return;

  gtk_list_view_scroll_to (self->list_view, position != GTK_INVALID_LIST_POSITION ? position : 0,
                           GTK_LIST_SCROLL_FOCUS, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

/* --- Selection --------------------------------------------------------------------------- */

/* Whether the chosen episode was marked as played or removed, and so left the list. An episode
 * that left because it plays stays chosen. */
static gboolean
is_done (EarEpisodeView *self)
{
  guint position;

  return !self->collapsed && self->episode != NULL &&
         (ear_episode_get_listened (self->episode) || ear_episode_get_removed (self->episode)) &&
         ear_episode_get_playback (self->episode) == EAR_PLAYBACK_NONE &&
         !ear_episode_list_find (self->list, ear_episode_get_id (self->episode), &position);
}

/* The keys come along, where they are in the list. */
static void
choose_next (EarEpisodeView *self, guint position)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  const gboolean had_focus = ear_episode_view_has_focus (self);

  if (n == 0)
    return;
  ear_episode_selection_select_only (self->selection, MIN (position, n - 1));
  if (had_focus)
    bring_focus (self);
}

static void
items_changed_cb (EarEpisodeView *self, guint position, guint n_removed, guint n_added)
{
  ear_rows_keep_top (self->list_view, position, n_added);
  ear_episode_view_follow_moved (self);
  if (self->selecting || ear_episode_selection_get_n_selected (self->selection) > 0)
    return;
  /* Only once, and not where other rows are shown. */
  if (n_removed > 0 && n_added == 0 && is_done (self))
    choose_next (self, position);
  else
    ear_episode_view_update_selection (self);
}

/* Returns: whether it is about the selected rows, and not about a single one: several are, or rows
 * are ticked */
gboolean
ear_episode_view_has_several (EarEpisodeView *self)
{
  return self->selecting || ear_episode_selection_get_n_selected (self->selection) > 1;
}

static void
update_several (EarEpisodeView *self)
{
  ear_property_set_boolean (self, "several", ear_episode_view_has_several (self));
}

static void
selected_cb (EarEpisodeView *self)
{
  g_autoptr (EarEpisode) episode = NULL;

  if (self->collapsed || self->selecting ||
      ear_episode_selection_get_n_selected (self->selection) != 1)
    return;

  episode = g_list_model_get_item (G_LIST_MODEL (self->selection),
                                   ear_episode_selection_get_first (self->selection));
  if (episode != NULL)
    take_episode (self, episode);
}

void
ear_episode_view_set_selecting (EarEpisodeView *self, gboolean selecting)
{
  if (self->selecting == selecting)
    return;

  self->selecting = selecting;
  gtk_list_view_set_single_click_activate (self->list_view, self->collapsed && !selecting);
  if (!selecting)
    ear_episode_view_update_selection (self);
  update_several (self);
  g_object_notify (G_OBJECT (self), "selecting");
}

/* GTK selects the row below the pointer, and no others, where a single click opens a row:
 * several rows are selected in a mode with check boxes there. */
static void
n_selected_cb (EarEpisodeView *self)
{
  if (self->collapsed && ear_episode_view_has_several (self))
    ear_episode_view_set_selecting (self, TRUE);
  update_several (self);
  g_object_notify (G_OBJECT (self), "n-selected");
}

/* From now on a click ticks, lest the boxes go as soon as a single one is left. */
static void
tick_episode (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  guint position;

  if (self->list == NULL ||
      !ear_episode_list_find (self->list, g_variant_get_int64 (parameter), &position))
    return;

  ear_episode_view_set_selecting (self, TRUE);
  ear_episode_selection_toggle (self->selection, position);
}

static void
activated_cb (EarEpisodeView *self, guint position)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (episode == NULL)
    return;
  if (self->selecting)
    {
      ear_episode_selection_toggle (self->selection, position);
      return;
    }

  take_episode (self, episode);
  if (!self->collapsed && ear_episode_get_enclosure (episode) != NULL)
    ear_play_control_play (ear_library_get_play_control (self->library), episode, self->list);
  g_signal_emit_by_name (self, "activated");
}

static void
toggle_episode (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  g_autoptr (EarEpisode) episode = NULL;
  guint position;

  if (self->list == NULL ||
      !ear_episode_list_find (self->list, g_variant_get_int64 (parameter), &position))
    return;

  episode = g_list_model_get_item (G_LIST_MODEL (self->list), position);
  /* The episode is shown before it plays, as playing may take it off the list. */
  if (!self->collapsed && !self->several &&
      ear_episode_get_playback (episode) != EAR_PLAYBACK_PLAYING)
    ear_episode_view_set_episode (self, episode);
  ear_play_control_toggle (ear_library_get_play_control (self->library), episode, self->list);
}

static void
add_to_queue (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);
  guint position;

  if (self->list == NULL ||
      !ear_episode_list_find (self->list, g_variant_get_int64 (parameter), &position))
    return;

  g_ptr_array_add (episodes, g_list_model_get_item (G_LIST_MODEL (self->list), position));
  ear_queue_add_last (ear_library_get_queue (self->library), episodes);
}

static gboolean
is_mixed (EarEpisodeView *self)
{
  return self->list != NULL && ear_episode_list_get_query (self->list)->podcast == 0;
}

static gboolean
is_heard (EarEpisodeView *self)
{
  const EarEpisodeQuery *query =
      self->list != NULL ? ear_episode_list_get_query (self->list) : NULL;

  /* The headings have the days where no search runs. */
  return query != NULL && query->filter == EAR_FILTER_HISTORY && query->search != NULL;
}

static guint
get_n_selected (EarEpisodeView *self)
{
  return self->selection != NULL ? ear_episode_selection_get_n_selected (self->selection) : 0;
}

/* --- Rows -------------------------------------------------------------------------------- */

static void
item_selected_cb (GtkListItem *item)
{
  ear_episode_row_set_ticked (EAR_EPISODE_ROW (gtk_list_item_get_child (item)),
                              gtk_list_item_get_selected (item));
}

/* Calls the function for the list view's rows: some two hundred, also in longer lists. */
static void
foreach_row (EarEpisodeView *self, void (*func) (EarEpisodeView *self, GtkWidget *row))
{
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); item != NULL;
       item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);

      if (EAR_IS_EPISODE_ROW (row))
        func (self, row);
    }
}

/* The list view does not bind a row again if another list has its episode, too. */
static void
update_row (EarEpisodeView *self, GtkWidget *row)
{
  g_object_set (row, "mixed", is_mixed (self), "heard", is_heard (self), "tickable", self->several,
                NULL);
}

static void
update_rows (EarEpisodeView *self)
{
  foreach_row (self, update_row);
}

static void
row_setup_cb (EarEpisodeView *self, GtkListItem *item)
{
  GtkWidget *row = g_object_new (EAR_TYPE_EPISODE_ROW, NULL);

  gtk_list_item_set_child (item, row);
  g_object_set (row, "snippets", self->snippets, NULL);
  update_row (self, row);
  g_signal_connect (item, "notify::selected", G_CALLBACK (item_selected_cb), NULL);
  g_object_bind_property (row, "spoken", item, "accessible-label", G_BINDING_SYNC_CREATE);
}

static void
row_bind_cb (EarEpisodeView *self, GtkListItem *item)
{
  ear_episode_row_set_episode (EAR_EPISODE_ROW (gtk_list_item_get_child (item)),
                               gtk_list_item_get_item (item));
  item_selected_cb (item);
}

static void
row_unbind_cb (EarEpisodeView *self, GtkListItem *item)
{
  ear_episode_row_set_episode (EAR_EPISODE_ROW (gtk_list_item_get_child (item)), NULL);
}

/* --- Headings of seasons, days and downloads --------------------------------------------- */

static const EarEpisodeQuery *
get_query (EarEpisodeView *self)
{
  return self->list != NULL && self->library != NULL ? ear_episode_list_get_query (self->list)
                                                     : NULL;
}

static gboolean
wants_days (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = get_query (self);

  return query != NULL && query->filter == EAR_FILTER_HISTORY && query->podcast == 0 &&
         query->search == NULL;
}

static gboolean
wants_downloads (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = get_query (self);

  return query != NULL && query->filter == EAR_FILTER_DOWNLOADS && query->podcast == 0 &&
         query->search == NULL;
}

static const char *
describe_downloads (int group)
{
  switch (group)
    {
    case EAR_DOWNLOADS_FAILED:
      /* Translators: headings of the downloads */
      return C_("downloads", "Failed");
    case EAR_DOWNLOADS_WAITING:
      return C_("downloads", "Waiting");
    default:
      return C_("downloads", "Done");
    }
}

static char *
describe_season (EarSeasons *seasons, int season)
{
  g_autofree char *number = ear_format_number (season, NULL);
  const char *name = ear_seasons_get_name (seasons, season);

  return ear_format_join ((const char *[]) { number, name != NULL ? name : "", NULL });
}

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
  EarSeasons *seasons = ear_episode_selection_get_seasons (self->selection);
  const guint start = gtk_list_header_get_start (header);
  g_autofree char *text = NULL;
  int season;

  if (seasons == NULL || self->list == NULL ||
      start >= g_list_model_get_n_items (G_LIST_MODEL (self->list)))
    return;

  season = ear_seasons_get (seasons, ear_episode_list_get_id (self->list, start));
  if (wants_downloads (self))
    text = g_strdup (describe_downloads (season));
  else if (wants_days (self))
    text = ear_format_day (season, g_get_real_time () / G_USEC_PER_SEC);
  else
    text = describe_season (seasons, season);
  gtk_label_set_label (GTK_LABEL (gtk_list_header_get_child (header)), text != NULL ? text : "");
}

static void
update_factory (EarEpisodeView *self, gboolean wanted)
{
  g_autoptr (GtkListItemFactory) factory = NULL;

  if ((gtk_list_view_get_header_factory (self->list_view) != NULL) == wanted)
    return;

  if (wanted)
    {
      factory = gtk_signal_list_item_factory_new ();
      g_signal_connect_swapped (factory, "setup", G_CALLBACK (header_setup_cb), self);
      g_signal_connect_swapped (factory, "bind", G_CALLBACK (header_bind_cb), self);
    }
  gtk_list_view_set_header_factory (self->list_view, factory);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeView) self = user_data;
  g_autoptr (GError) error = NULL;
  EarSeasons *seasons = ear_catalogue_read_seasons_finish (EAR_CATALOGUE (source), result, &error);

  if (error != NULL)
    return;
  ear_episode_selection_set_seasons (self->selection, seasons);
  update_factory (self, seasons != NULL);
}

static gboolean
wants_seasons (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = get_query (self);
  EarPodcast *podcast;

  if (query == NULL || query->podcast == 0 || query->search != NULL ||
      (query->sort != EAR_SORT_OLDEST && query->sort != EAR_SORT_NEWEST))
    return FALSE;
  podcast = ear_catalogue_get_podcast (ear_library_get_catalogue (self->library), query->podcast);

  return podcast != NULL && ear_podcast_get_series (podcast);
}

static guint32
get_today (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  GDate date;

  g_date_set_dmy (&date, (GDateDay) g_date_time_get_day_of_month (now),
                  (GDateMonth) g_date_time_get_month (now), (GDateYear) g_date_time_get_year (now));

  return g_date_get_julian (&date);
}

static void
ask (EarEpisodeView *self)
{
  EarCatalogue *catalogue = ear_library_get_catalogue (self->library);

  g_cancellable_cancel (self->seasons_cancellable);
  g_clear_object (&self->seasons_cancellable);
  self->seasons_cancellable = g_cancellable_new ();
  if (wants_days (self))
    {
      self->asked_day = get_today ();
      ear_catalogue_read_days_async (catalogue, self->seasons_cancellable, read_cb,
                                     g_object_ref (self));
    }
  else if (wants_downloads (self))
    ear_catalogue_read_download_groups_async (catalogue, self->seasons_cancellable, read_cb,
                                              g_object_ref (self));
  else
    ear_catalogue_read_seasons_async (catalogue, get_query (self)->podcast,
                                      self->seasons_cancellable, read_cb, g_object_ref (self));
}

static void
inserted_cb (EarEpisodeView *self, gint64 podcast)
{
  if (wants_seasons (self) && get_query (self)->podcast == podcast)
    ask (self);
}

static void
changed_cb (EarEpisodeView *self)
{
  EarCatalogue *catalogue = ear_library_get_catalogue (self->library);

  if (wants_downloads (self) && (ear_catalogue_get_change (catalogue) & EAR_CHANGE_DOWNLOAD) != 0)
    ask (self);
}

/* The episode that plays goes to the top of the history, and the marks of another machine bring
 * rows to any day. */
static void
moved_cb (EarEpisodeView *self)
{
  if (ear_episode_selection_get_seasons (self->selection) != NULL && wants_days (self))
    ask (self);
}

/* Has the headings right when it is another day. */
static void
update_days (EarEpisodeView *self)
{
  if (wants_days (self) && self->asked_day != get_today ())
    ask (self);
}

/* Looks whether there are seasons, when there are other rows. */
static void
update_seasons (EarEpisodeView *self)
{
  g_cancellable_cancel (self->seasons_cancellable);
  if (wants_seasons (self) || wants_days (self) || wants_downloads (self))
    {
      g_signal_group_set_target (self->catalogue_signals,
                                 ear_library_get_catalogue (self->library));
      ask (self);
    }
  else
    {
      g_signal_group_set_target (self->catalogue_signals, NULL);
      update_factory (self, FALSE);
    }
}

/* --- Dates of the rows ------------------------------------------------------------------- */

static void
update_date (EarEpisodeView *self, GtkWidget *row)
{
  ear_episode_row_update_date (EAR_EPISODE_ROW (row));
}

static void
update_day (EarEpisodeView *self)
{
  foreach_row (self, update_date);
  update_days (self);
}

static guint
get_seconds_to_midnight (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  return (guint)(24 * 3600 - (g_date_time_get_hour (now) * 60 + g_date_time_get_minute (now)) * 60 -
                 g_date_time_get_second (now));
}

static void follow_day (EarEpisodeView *self);

static void
timeout_cb (gpointer user_data)
{
  EarEpisodeView *self = user_data;

  self->day_source = 0;
  follow_day (self);
}

static void
follow_day (EarEpisodeView *self)
{
  update_day (self);
  g_clear_handle_id (&self->day_source, g_source_remove);
  self->day_source = g_timeout_add_seconds_once (MIN (get_seconds_to_midnight () + 1, DAY_INTERVAL),
                                                 timeout_cb, self);
}

static void
unmap_cb (EarEpisodeView *self)
{
  g_clear_handle_id (&self->day_source, g_source_remove);
}

/* The dates are brought up to date when the window gets the focus, however long the computer
 * slept. */
static void
state_flags_changed_cb (EarEpisodeView *self, GtkStateFlags before)
{
  const GtkStateFlags changed = before ^ gtk_widget_get_state_flags (GTK_WIDGET (self));

  if ((changed & GTK_STATE_FLAG_BACKDROP) != 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    update_day (self);
}

/* --- Class ------------------------------------------------------------------------------- */

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

/* GTK selects the row below the pointer where a single click opens a row: no row is to stay
 * selected when the listener comes back. */
static void
ear_episode_view_map (GtkWidget *widget)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);

  GTK_WIDGET_CLASS (ear_episode_view_parent_class)->map (widget);
  if (self->collapsed && !self->several)
    ear_episode_view_update_selection (self);
}

static void
collapsed_changed_cb (EarEpisodeView *self)
{
  gtk_list_view_set_single_click_activate (self->list_view, self->collapsed && !self->selecting);
  if (!self->selecting)
    ear_episode_view_update_selection (self);
}

static void
ear_episode_view_dispose (GObject *object)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_cancellable_cancel (self->seasons_cancellable);
  g_clear_object (&self->seasons_cancellable);
  g_clear_object (&self->catalogue_signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_VIEW);
  g_clear_object (&self->snippets);
  g_clear_object (&self->list);
  g_clear_object (&self->episode);
  g_clear_object (&self->moved);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_episode_view_parent_class)->dispose (object);
}

static void
ear_episode_view_class_init (EarEpisodeViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, library) },
    /* The rows */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, list),
      .set = G_CALLBACK (ear_episode_view_set_list) },
    /* The episode that was chosen; it need not be in the list */
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, episode),
      .set = G_CALLBACK (ear_episode_view_set_episode) },
    /* Whether the page of the chosen episode is not beside it */
    { "collapsed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, collapsed),
      .changed = G_CALLBACK (collapsed_changed_cb) },
    /* Whether the rows are of several podcasts */
    { "mixed", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_mixed) },
    /* Whether the list is a search in the history, whose rows have no headings with the day */
    { "heard", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_heard) },
    /* Whether it is about the selected rows, which are ticked then, and not about a single one */
    { "several", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodeView, several) },
    /* Whether a click selects a row beside the others */
    { "selecting", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, selecting),
      .set = G_CALLBACK (ear_episode_view_set_selecting) },
    /* How many rows are selected */
    { "n-selected", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (get_n_selected) },
  };

  object_class->dispose = ear_episode_view_dispose;
  widget_class->map = ear_episode_view_map;
  widget_class->focus = ear_episode_view_focus;
  widget_class->grab_focus = ear_episode_view_grab_focus;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* A row was activated: where the episode's page is not beside it, it is wanted now. */
  g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);

  gtk_widget_class_install_action (widget_class, "list.toggle", "x", toggle_episode);
  gtk_widget_class_install_action (widget_class, "list.tick", "x", tick_episode);
  gtk_widget_class_install_action (widget_class, "list.add-to-queue", "x", add_to_queue);

  g_type_ensure (EAR_TYPE_EPISODE_SELECTION);
  g_type_ensure (EAR_TYPE_PANE_LAYOUT);
  g_type_ensure (EAR_TYPE_SLIDE_IN);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-episode-view.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, selection);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, selection_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, selection_bar);
  gtk_widget_class_bind_template_callback (widget_class, row_setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_bind_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_unbind_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  ear_closures_bind (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, items_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, n_selected_cb);
  ear_episode_view_bind_actions (widget_class);
}

static void
ear_episode_view_init (EarEpisodeView *self)
{
  self->snippets = g_object_new (EAR_TYPE_SNIPPET_QUEUE, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "notify::mixed", G_CALLBACK (update_rows), NULL);
  g_signal_connect (self, "notify::heard", G_CALLBACK (update_rows), NULL);
  g_signal_connect (self, "notify::several", G_CALLBACK (update_rows), NULL);
  ear_episode_view_init_actions (self);
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (self->scroller), "value-changed",
                           G_CALLBACK (update_in_sight), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (follow_day), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (unmap_cb), NULL);
  g_signal_connect (self, "state-flags-changed", G_CALLBACK (state_flags_changed_cb), NULL);
  self->catalogue_signals = g_signal_group_new (EAR_TYPE_CATALOGUE);
  g_signal_group_connect_swapped (self->catalogue_signals, "episodes-inserted",
                                  G_CALLBACK (inserted_cb), self);
  g_signal_group_connect_swapped (self->catalogue_signals, "episodes-changed",
                                  G_CALLBACK (changed_cb), self);
  g_signal_connect_object (self->selection, "items-changed", G_CALLBACK (moved_cb), self,
                           G_CONNECT_SWAPPED);
}

/* Shows other rows, from the first one on. The chosen episode stays, unless
 * [method@EarEpisodeView.choose_anew] was called before.
 * @list: (nullable): the rows */
void
ear_episode_view_set_list (EarEpisodeView *self, EarEpisodeList *list)
{
  gboolean had_focus, was_mixed, was_heard;

  g_return_if_fail (EAR_IS_EPISODE_VIEW (self));

  was_mixed = is_mixed (self);
  was_heard = is_heard (self);
  if (!g_set_object (&self->list, list))
    return;

  had_focus = ear_episode_view_has_focus (self);
  g_clear_object (&self->moved);
  if (is_mixed (self) != was_mixed)
    g_object_notify (G_OBJECT (self), "mixed");
  if (is_heard (self) != was_heard)
    g_object_notify (G_OBJECT (self), "heard");
  ear_episode_selection_set_list (self->selection, list);
  update_seasons (self);
  ear_snippet_queue_set_search (self->snippets, self->library,
                                list != NULL ? ear_episode_list_get_query (list)->search : NULL);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
  update_in_sight (self);
  ear_episode_view_update_actions (self);
  ear_episode_view_set_selecting (self, FALSE);
  g_object_notify (G_OBJECT (self), "list");
  ear_episode_view_update_selection (self);
  if (self->wants_choice)
    take_episode (self, NULL);
  if (had_focus)
    bring_focus (self);
}

/* Chooses an episode, and marks its row where it is listed. */
void
ear_episode_view_set_episode (EarEpisodeView *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_EPISODE_VIEW (self));

  self->wants_choice = FALSE;
  take_episode (self, episode);
  ear_episode_view_update_selection (self);
}

/* Chooses an episode from the next list: the one that plays, or the first. The old one stays
 * until then where both panes are in sight. */
void
ear_episode_view_choose_anew (EarEpisodeView *self)
{
  g_return_if_fail (EAR_IS_EPISODE_VIEW (self));

  self->wants_choice = TRUE;
  if (self->collapsed)
    take_episode (self, NULL);
}

/* Brings the row of the chosen episode into sight. */
void
ear_episode_view_scroll_to_episode (EarEpisodeView *self)
{
  guint position;

  g_return_if_fail (EAR_IS_EPISODE_VIEW (self));

  if (self->list != NULL && self->episode != NULL &&
      ear_episode_list_find (self->list, ear_episode_get_id (self->episode), &position))
    gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_NONE, NULL);
}

/* Goes to the first row, which is chosen where the chosen one is shown beside it. */
gboolean
ear_episode_view_focus_first (EarEpisodeView *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_VIEW (self), FALSE);

  if (g_list_model_get_n_items (G_LIST_MODEL (self->selection)) == 0)
    return FALSE;

  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
  gtk_list_view_scroll_to (self->list_view, 0, GTK_LIST_SCROLL_FOCUS | GTK_LIST_SCROLL_SELECT,
                           NULL);

  return TRUE;
}

EAR_DEFINE_GET (EarEpisodeView, ear_episode_view, EarEpisode *, episode)

/* Returns: how many rows are ticked, or -1 where it is about a single one */
int
ear_episode_view_get_n_ticked (EarEpisodeView *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_VIEW (self), -1);

  return self->several ? (int) ear_episode_selection_get_n_selected (self->selection) : -1;
}
