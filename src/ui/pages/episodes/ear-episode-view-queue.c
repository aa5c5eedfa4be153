/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include "ear-episode-row.h"
#include "ear-row-action.h"

/*
 * Putting episodes into Up Next, its order, that of a list of the listener's own, and that of the downloads that wait.
 */

static EarQueue *
get_queue (EarEpisodeView *self)
{
  return ear_library_get_queue (self->library);
}

static gboolean
shows (EarEpisodeView *self, EarEpisodeFilter filter)
{
  return self->list != NULL && ear_episode_list_get_query (self->list)->filter == filter &&
         ear_episode_query_is_whole (ear_episode_list_get_query (self->list));
}

/* Whether the order of its rows is the listener's. */
static gboolean
is_sortable (EarEpisodeView *self)
{
  return shows (self, EAR_FILTER_QUEUED) || shows (self, EAR_FILTER_DOWNLOADS) || ear_episode_view_get_list (self) != NULL;
}

/* @before: (nullable): the one in front of which they come to stand */
static void
insert (EarEpisodeView *self, GPtrArray *episodes, EarEpisode *before)
{
  EarList *list = ear_episode_view_get_list (self);

  if (list != NULL)
    ear_lists_insert (ear_library_get_lists (self->library), list, episodes, before);
  else if (shows (self, EAR_FILTER_QUEUED))
    ear_queue_insert (get_queue (self), episodes, before);
  else
    ear_downloader_move (ear_library_get_downloader (self->library), episodes, before);
}

/* Returns: (transfer full) (element-type EarEpisode): the selected episodes, in their order */
GPtrArray *
ear_episode_view_list_selected (EarEpisodeView *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);
  GtkBitsetIter iter;
  guint position;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &position); more; more = gtk_bitset_iter_next (&iter, &position))
    {
      EarEpisode *episode = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

      if (episode != NULL)
        g_ptr_array_add (episodes, episode);
    }

  return episodes;
}

static void
queue_selected (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  g_autoptr (GPtrArray) episodes = ear_episode_view_list_selected (self);

  if (g_str_equal (name, "list.play-next"))
    ear_queue_add_next (get_queue (self), episodes);
  else if (g_str_equal (name, "list.play-last"))
    ear_queue_add_last (get_queue (self), episodes);
  else
    ear_queue_remove (get_queue (self), episodes);
  ear_episode_view_end_selecting (self);
}

/* Returns: (transfer none) (nullable): that of the row that has the focus, or else the one that is chosen */
EarEpisode *
ear_episode_view_get_focused (EarEpisodeView *self)
{
  GtkWidget *row = ear_row_with_focus (adw_bin_get_child (ADW_BIN (self)), EAR_TYPE_EPISODE_ROW);

  return row != NULL ? ear_episode_row_get_episode (EAR_EPISODE_ROW (row)) : self->episode;
}

static void
move_row (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  EarEpisode *episode = ear_episode_view_get_focused (self);
  const gboolean up = g_str_equal (name, "list.move-up");
  g_autoptr (GPtrArray) moved = g_ptr_array_new ();
  g_autoptr (EarEpisode) before = NULL;
  guint position;

  if (episode == NULL || !ear_episode_list_find (self->list, ear_episode_get_id (episode), &position))
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

/* To be called when rows have come: the one that keys have moved keeps the focus. Where it was taken out and is put in
 * anew, what had it is nowhere any more, and GTK (4.18) would give it to the row in its place with the next frame. */
void
ear_episode_view_follow_moved (EarEpisodeView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  guint position;

  if (self->moved == NULL || !ear_episode_list_find (self->list, ear_episode_get_id (self->moved), &position))
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
  GtkWidget *row = ear_episode_view_find_row (self, x, y);
  EarEpisode *episode = row != NULL ? ear_episode_row_get_episode (EAR_EPISODE_ROW (row)) : NULL;
  g_autoptr (GPtrArray) episodes = NULL;

  if (episode == NULL || (device != NULL && gdk_device_get_source (device) == GDK_SOURCE_TOUCHSCREEN))
    return NULL;

  if (ear_episode_view_is_one_of_several (self, episode))
    episodes = ear_episode_view_list_selected (self);
  else
    {
      episodes = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_add (episodes, g_object_ref (episode));
    }
  gtk_drag_source_set_icon (source, gtk_widget_paintable_new (row), (int) (x - gtk_widget_get_width (row) / 2), 16);

  return gdk_content_provider_new_typed (G_TYPE_PTR_ARRAY, episodes);
}

/* The line at which what is dragged would go. */
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

  return gtk_widget_compute_bounds (row, adw_bin_get_child (ADW_BIN (self)), &place) && y > place.origin.y + place.size.height / 2;
}

static GdkDragAction
drop_motion_cb (EarEpisodeView *self, double x, double y)
{
  GtkWidget *row = ear_episode_view_find_row (self, x, y);

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
  GtkWidget *row = ear_episode_view_find_row (self, x, y);
  g_autoptr (EarEpisode) before = NULL;
  guint position;

  if (!is_sortable (self))
    return FALSE;

  if (row != NULL && ear_episode_list_find (self->list, ear_episode_get_id (ear_episode_row_get_episode (EAR_EPISODE_ROW (row))), &position))
    before = g_list_model_get_item (G_LIST_MODEL (self->list), is_below (self, row, y) ? position + 1 : position);
  drop_leave_cb (self);
  insert (self, g_value_get_boxed (value), before);

  return TRUE;
}

/* Switches off what makes no sense for the list. */
void
ear_episode_view_update_queue (EarEpisodeView *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.move-up", is_sortable (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.move-down", is_sortable (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.remove-from-queue", shows (self, EAR_FILTER_QUEUED));
  ear_episode_view_update_lists (self);
}

void
ear_episode_view_bind_queue (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "list.play-next", NULL, queue_selected);
  gtk_widget_class_install_action (widget_class, "list.play-last", NULL, queue_selected);
  gtk_widget_class_install_action (widget_class, "list.remove-from-queue", NULL, queue_selected);
  gtk_widget_class_install_action (widget_class, "list.move-up", NULL, move_row);
  gtk_widget_class_install_action (widget_class, "list.move-down", NULL, move_row);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK, "list.move-up", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK, "list.move-down", NULL);

  g_type_ensure (G_TYPE_PTR_ARRAY);
  gtk_widget_class_bind_template_callback (widget_class, drag_prepare_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_motion_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_leave_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_cb);
}
