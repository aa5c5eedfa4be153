/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include "ear-episode-row.h"
#include "ear-row-action.h"
#include "ear-widget.h"

/* The menus of the rows, selecting several of them, and the order of Up Next, a list or the
 * downloads. */

/* Whether it is selected, with others. */
static gboolean
is_one_of_several (EarEpisodeView *self, EarEpisode *episode)
{
  guint position;

  return ear_episode_selection_get_n_selected (self->selection) > 1 &&
         ear_episode_list_find (self->list, ear_episode_get_id (episode), &position) &&
         gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection), position);
}

static GtkWidget *
find_row (EarEpisodeView *self, double x, double y)
{
  return ear_row_at (adw_bin_get_child (ADW_BIN (self)), x, y, EAR_TYPE_EPISODE_ROW);
}

/* --- The menus --------------------------------------------------------------------------- */

static GMenuModel *
create_row_menu (GtkWidget *widget, GtkWidget *row)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  EarEpisode *episode = ear_episode_row_get_episode (EAR_EPISODE_ROW (row));

  if (episode == NULL)
    return NULL;

  ear_episode_actions_set_episode (self->episode_actions, episode);

  return ear_episode_menu_new (is_one_of_several (self, episode) ? EAR_EPISODE_MENU_SELECTION
                                                                 : EAR_EPISODE_MENU_ROW);
}

/* Does to the selected episodes, if there are several or they are ticked, what a key otherwise
 * does to the one that is shown. From more than the actions look at, nothing is taken back by a
 * key.
 * @name: of an action of an episode
 * Returns: whether @name is about them, and not about the episode that is shown */
gboolean
ear_episode_view_toggle_selected (EarEpisodeView *self, const char *name)
{
  g_autofree char *action = g_strconcat ("list.", name, NULL);

  g_return_val_if_fail (EAR_IS_EPISODE_VIEW (self), FALSE);

  /* In a narrow window the list may be on another page. */
  return gtk_widget_get_mapped (GTK_WIDGET (self)) && ear_episode_view_has_several (self) &&
         gtk_widget_activate_action (GTK_WIDGET (self), action, NULL);
}

/* Returns: (transfer none) (nullable): that of the row that has the focus, or else the one that is
 * chosen */
static EarEpisode *
get_focused (EarEpisodeView *self)
{
  GtkWidget *row = ear_row_with_focus (adw_bin_get_child (ADW_BIN (self)), EAR_TYPE_EPISODE_ROW);

  return row != NULL ? ear_episode_row_get_episode (EAR_EPISODE_ROW (row)) : self->episode;
}

/* Delete takes the selected episodes, or the one that has the focus, out of New, In Progress, Up
 * Next or a list. */
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

/* --- Selecting several ------------------------------------------------------------------- */

static void
end_selecting (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_episode_view_set_selecting (EAR_EPISODE_VIEW (widget), FALSE);
  ear_episode_view_update_selection (EAR_EPISODE_VIEW (widget));
}

static void
select_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);

  ear_episode_view_set_selecting (self, TRUE);
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (self->selection));
}

/* Selects the first selected row and all rows below it: in a list by date, all older episodes. */
static void
select_below (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  const guint first = ear_episode_selection_get_first (self->selection);

  ear_episode_view_set_selecting (self, TRUE);
  if (first != GTK_INVALID_LIST_POSITION)
    gtk_selection_model_select_range (
        GTK_SELECTION_MODEL (self->selection), first,
        g_list_model_get_n_items (G_LIST_MODEL (self->selection)) - first, TRUE);
}

/* Begins with the row whose menu is open. */
static void
begin_selecting (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  EarEpisode *episode = ear_episode_actions_get_episode (self->episode_actions);
  guint position = GTK_INVALID_LIST_POSITION;

  if (episode != NULL && self->list != NULL)
    ear_episode_list_find (self->list, ear_episode_get_id (episode), &position);
  ear_episode_view_set_selecting (self, TRUE);
  ear_episode_selection_select_only (self->selection, position);
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  if (!ear_episode_view_has_several (EAR_EPISODE_VIEW (widget)))
    return GDK_EVENT_PROPAGATE;
  end_selecting (widget, NULL, NULL);

  return GDK_EVENT_STOP;
}

/* While rows are ticked, a click is a tick. */
static void
select_click_cb (EarEpisodeView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  GtkWidget *row = self->selecting ? find_row (self, x, y) : NULL;
  EarEpisode *episode = row != NULL ? ear_episode_row_get_episode (EAR_EPISODE_ROW (row)) : NULL;
  guint position;

  if (episode == NULL ||
      !ear_episode_list_find (self->list, ear_episode_get_id (episode), &position))
    {
      gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_DENIED);
      return;
    }

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  ear_episode_selection_toggle (self->selection, position);
}

/* --- The order --------------------------------------------------------------------------- */

static gboolean
shows (EarEpisodeView *self, EarEpisodeFilter filter)
{
  return self->list != NULL && ear_episode_list_get_query (self->list)->filter == filter &&
         ear_episode_query_is_whole (ear_episode_list_get_query (self->list));
}

/* Returns: (transfer none) (nullable): the list whose episodes are shown, all of them, if it is no
 * smart one */
static EarList *
get_list (EarEpisodeView *self)
{
  const EarEpisodeQuery *query =
      self->list != NULL ? ear_episode_list_get_query (self->list) : NULL;

  return query != NULL && query->list != NULL && ear_episode_query_is_whole (query)
             ? ear_lists_find (ear_library_get_lists (self->library), query->list)
             : NULL;
}

/* Whether the order of its rows is the listener's. */
static gboolean
is_sortable (EarEpisodeView *self)
{
  return shows (self, EAR_FILTER_QUEUED) || shows (self, EAR_FILTER_DOWNLOADS) ||
         get_list (self) != NULL;
}

/* @before: (nullable): the one in front of which they come to stand */
static void
insert (EarEpisodeView *self, GPtrArray *episodes, EarEpisode *before)
{
  EarList *list = get_list (self);

  if (list != NULL)
    ear_lists_insert (ear_library_get_lists (self->library), list, episodes, before);
  else if (shows (self, EAR_FILTER_QUEUED))
    ear_queue_insert (ear_library_get_queue (self->library), episodes, before);
  else
    ear_downloader_move (ear_library_get_downloader (self->library), episodes, before);
}

/* Returns: (transfer full) (element-type EarEpisode): the selected episodes, in their order */
static GPtrArray *
dup_selected (EarEpisodeView *self)
{
  g_autoptr (GtkBitset) selected =
      gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);
  GtkBitsetIter iter;
  guint position;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      EarEpisode *episode = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

      if (episode != NULL)
        g_ptr_array_add (episodes, episode);
    }

  return episodes;
}

static void
move_row (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  EarEpisode *episode = get_focused (self);
  const gboolean up = g_str_equal (name, "list.move-up");
  g_autoptr (GPtrArray) moved = g_ptr_array_new ();
  g_autoptr (EarEpisode) before = NULL;
  guint position;

  if (episode == NULL ||
      !ear_episode_list_find (self->list, ear_episode_get_id (episode), &position))
    return;
  if (up ? position == 0 : position + 1 >= g_list_model_get_n_items (G_LIST_MODEL (self->list)))
    {
      gtk_widget_error_bell (widget);
      return;
    }

  g_ptr_array_add (moved, episode);
  before = g_list_model_get_item (G_LIST_MODEL (self->list), up ? position - 1 : position + 2);
  g_clear_object (&self->moved);
  if (ear_episode_view_has_focus (self))
    self->moved = g_object_ref (episode);
  insert (self, moved, before);
}

/* Keeps the focus on the row that keys have moved, once it is in the list again. A row that is
 * taken out and put back loses the focus, and GTK (4.18) gives it to another row in the next
 * frame. */
void
ear_episode_view_follow_moved (EarEpisodeView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  guint position;

  if (self->moved == NULL ||
      !ear_episode_list_find (self->list, ear_episode_get_id (self->moved), &position))
    return;

  g_clear_object (&self->moved);
  if (focus != NULL && gtk_widget_get_root (focus) != NULL && !ear_episode_view_has_focus (self))
    return;

  gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

/* --- By dragging ------------------------------------------------------------------------ */

/* All that are selected, if it is one of several. A finger scrolls. */
static GdkContentProvider *
drag_prepare_cb (EarEpisodeView *self, double x, double y, GtkDragSource *source)
{
  GdkDevice *device = gtk_event_controller_get_current_event_device (GTK_EVENT_CONTROLLER (source));
  GtkWidget *row = find_row (self, x, y);
  EarEpisode *episode = row != NULL ? ear_episode_row_get_episode (EAR_EPISODE_ROW (row)) : NULL;
  g_autoptr (GPtrArray) episodes = NULL;

  if (episode == NULL ||
      (device != NULL && gdk_device_get_source (device) == GDK_SOURCE_TOUCHSCREEN))
    return NULL;

  if (is_one_of_several (self, episode))
    episodes = dup_selected (self);
  else
    {
      episodes = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_add (episodes, g_object_ref (episode));
    }
  gtk_drag_source_set_icon (source, gtk_widget_paintable_new (row),
                            (int)(x - gtk_widget_get_width (row) / 2), 16);

  return gdk_content_provider_new_typed (G_TYPE_PTR_ARRAY, episodes);
}

/* Draws the line where the dragged rows would be dropped. */
static void
mark_drop (EarEpisodeView *self, GtkWidget *row, gboolean below)
{
  ear_row_mark (GTK_WIDGET (self->list_view), below ? NULL : row, "drop-above");
  ear_row_mark (GTK_WIDGET (self->list_view), below ? row : NULL, "drop-below");
}

static gboolean
is_below (EarEpisodeView *self, GtkWidget *row, double y)
{
  graphene_rect_t place;

  return gtk_widget_compute_bounds (row, adw_bin_get_child (ADW_BIN (self)), &place) &&
         y > place.origin.y + place.size.height / 2;
}

static GdkDragAction
drop_motion_cb (EarEpisodeView *self, double x, double y)
{
  GtkWidget *row = find_row (self, x, y);

  if (!is_sortable (self))
    return 0;

  mark_drop (self, row, row != NULL && is_below (self, row, y));

  return GDK_ACTION_COPY;
}

static void
drop_leave_cb (EarEpisodeView *self)
{
  mark_drop (self, NULL, FALSE);
}

/* Below all rows is behind them. */
static gboolean
drop_cb (EarEpisodeView *self, const GValue *value, double x, double y)
{
  GtkWidget *row = find_row (self, x, y);
  g_autoptr (EarEpisode) before = NULL;
  guint position;

  if (!is_sortable (self))
    return FALSE;

  if (row != NULL &&
      ear_episode_list_find (
          self->list, ear_episode_get_id (ear_episode_row_get_episode (EAR_EPISODE_ROW (row))),
          &position))
    before = g_list_model_get_item (G_LIST_MODEL (self->list),
                                    is_below (self, row, y) ? position + 1 : position);
  drop_leave_cb (self);
  insert (self, g_value_get_boxed (value), before);

  return TRUE;
}

/* Disables moving where the order is not the listener's. */
void
ear_episode_view_update_actions (EarEpisodeView *self)
{
  const gboolean sortable = is_sortable (self);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.move-up", sortable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.move-down", sortable);
  /* In a list sorted by hand, the rows below are not the older episodes. */
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.select-below", !sortable);
}

/* Installs the actions and keys of this file, and makes its callbacks known to the template. */
void
ear_episode_view_bind_actions (GtkWidgetClass *widget_class)
{
  ear_row_menu_install (widget_class);
  gtk_widget_class_install_action (widget_class, "list.select-all", NULL, select_all);
  gtk_widget_class_install_action (widget_class, "list.select-below", NULL, select_below);
  gtk_widget_class_install_action (widget_class, "list.begin-selecting", NULL, begin_selecting);
  gtk_widget_class_install_action (widget_class, "list.end-selecting", NULL, end_selecting);
  gtk_widget_class_install_action (widget_class, "list.move-up", NULL, move_row);
  gtk_widget_class_install_action (widget_class, "list.move-down", NULL, move_row);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Delete, 0, delete_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Delete, 0, delete_cb, NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK, "list.move-up",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK, "list.move-down",
                                       NULL);

  g_type_ensure (G_TYPE_PTR_ARRAY);
  gtk_widget_class_bind_template_callback (widget_class, select_click_cb);
  gtk_widget_class_bind_template_callback (widget_class, drag_prepare_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_motion_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_leave_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_cb);
}

/* Gives the view its verbs and menus, once its template is there. */
void
ear_episode_view_init_actions (EarEpisodeView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  g_autoptr (GMenuModel) menu = ear_episode_menu_new (EAR_EPISODE_MENU_SELECTION);

  self->episode_actions = ear_episode_actions_add (widget);
  self->list_actions =
      ear_episode_actions_add_for_several (widget, self->selection, self->selection_bar);
  ear_menu_later_set (self->selection_button, menu);
  ear_row_menu_attach (widget, GTK_WIDGET (self->list_view), EAR_TYPE_EPISODE_ROW, create_row_menu);
  ear_episode_view_update_actions (self);
}
