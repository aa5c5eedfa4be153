/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include "ear-episode-actions.h"
#include "ear-episode-row.h"
#include "ear-row-action.h"
#include "ear-share-actions.h"
#include "ear-widget.h"

/*
 * The context menu of the rows, selecting several of them, and what is done to all of those.
 */

/* As many selected episodes are asked what a key is to do: each may have to be read. */
#define MOST_LOOKED_AT 100

/* Whether it is selected, with others. */
gboolean
ear_episode_view_is_one_of_several (EarEpisodeView *self, EarEpisode *episode)
{
  guint position;

  return ear_episode_selection_get_n_selected (self->selection) > 1 &&
         ear_episode_list_find (self->list, ear_episode_get_id (episode), &position) &&
         gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection), position);
}

/* Shows whether it is the one whose menu is open. */
void
ear_episode_view_mark_menu_row (EarEpisodeView *self, GtkWidget *row)
{
  EarEpisode *episode = ear_episode_row_get_episode (EAR_EPISODE_ROW (row));
  GtkWidget *item = gtk_widget_get_parent (row);

  if (item != NULL)
    ear_set_css_class (item, "has-open-popup", self->menu_is_open && episode != NULL && episode == self->menu_episode);
}

static void
set_menu_is_open (EarEpisodeView *self, gboolean is_open)
{
  self->menu_is_open = is_open;
  ear_episode_view_foreach_row (self, ear_episode_view_mark_menu_row);
}

static void
row_menu_closed_cb (EarEpisodeView *self)
{
  set_menu_is_open (self, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

static void
set_row_menu (EarEpisodeView *self, GMenuModel *menu)
{
  if (self->row_menu != NULL)
    {
      gtk_popover_menu_set_menu_model (self->row_menu, menu);
      return;
    }

  ear_share_menu_append_to (G_MENU (self->episode_menu));
  self->row_menu = GTK_POPOVER_MENU (gtk_popover_menu_new_from_model (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->row_menu), FALSE);
  gtk_widget_set_halign (GTK_WIDGET (self->row_menu), GTK_ALIGN_START);
  g_signal_connect_object (self->row_menu, "closed", G_CALLBACK (row_menu_closed_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (adw_bin_get_child (ADW_BIN (self))), GTK_WIDGET (self->row_menu));
}

static void
open_row_menu (EarEpisodeView *self, GtkWidget *row, double x, double y)
{
  EarEpisode *episode = ear_episode_row_get_episode (EAR_EPISODE_ROW (row));
  const GdkRectangle place = { (int) x, (int) y, 1, 1 };

  if (episode == NULL)
    return;

  g_set_object (&self->menu_episode, episode);
  g_object_notify (G_OBJECT (self), "target");
  ear_episode_actions_update (GTK_WIDGET (self), episode);
  set_row_menu (self, ear_episode_view_is_one_of_several (self, episode) ? self->selection_menu : self->episode_menu);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->row_menu), &place);
  gtk_popover_popup (GTK_POPOVER (self->row_menu));
  set_menu_is_open (self, TRUE);
}

GtkWidget *
ear_episode_view_find_row (EarEpisodeView *self, double x, double y)
{
  return ear_row_at (adw_bin_get_child (ADW_BIN (self)), x, y, EAR_TYPE_EPISODE_ROW);
}

static EarEpisode *
find_episode (EarEpisodeView *self, double x, double y)
{
  GtkWidget *row = ear_episode_view_find_row (self, x, y);

  return row != NULL ? ear_episode_row_get_episode (EAR_EPISODE_ROW (row)) : NULL;
}

static void
open_menu_at (EarEpisodeView *self, double x, double y)
{
  GtkWidget *row = ear_episode_view_find_row (self, x, y);

  if (row != NULL)
    open_row_menu (self, row, x, y);
}

/* The row is not to take the end of a long press for a click. */
static void
long_press_cb (EarEpisodeView *self, double x, double y, GtkGesture *gesture)
{
  open_menu_at (self, x, y);
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

/* In the mode for it, a click is a tick. */
static void
select_click_cb (EarEpisodeView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  EarEpisode *episode = self->selecting ? find_episode (self, x, y) : NULL;
  guint position;

  if (episode == NULL || !ear_episode_list_find (self->list, ear_episode_get_id (episode), &position))
    {
      gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_DENIED);
      return;
    }

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  ear_episode_selection_toggle (self->selection, position);
}

void
ear_episode_view_end_selecting (EarEpisodeView *self)
{
  ear_episode_view_set_selecting (self, FALSE);
  ear_episode_view_update_selection (self);
}

static void
end_selecting (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_episode_view_end_selecting (EAR_EPISODE_VIEW (widget));
}

static const struct
{
  const char *name;
  EarMark mark;
  gboolean value;
} marks[] = {
  { "list.mark-listened", EAR_MARK_LISTENED, TRUE },
  { "list.mark-unlistened", EAR_MARK_LISTENED, FALSE },
  { "list.like", EAR_MARK_LIKED, TRUE },
  { "list.unlike", EAR_MARK_LIKED, FALSE },
  { "list.archive", EAR_MARK_ARCHIVED, TRUE },
  { "list.unarchive", EAR_MARK_ARCHIVED, FALSE },
};

/* Exactly those: of a search the list shows no more than the newest of too many, and the query finds all. */
static void
mark_selected (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  g_autoptr (GArray) ids = ear_episode_selection_dup_ids (self->selection);

  if (ids->len == 0)
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    if (g_str_equal (marks[i].name, name))
      ear_history_set_marks (ear_library_get_history (self->library), &(EarMarkTarget) { .ids = ids }, marks[i].mark, marks[i].value);
  end_selecting (widget, NULL, NULL);
}

static void
download_selected (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  g_autoptr (GArray) ids = ear_episode_selection_dup_ids (self->selection);

  if (ids->len == 0)
    return;

  if (g_str_equal (name, "list.download"))
    ear_downloader_download_many (ear_library_get_downloader (self->library), ids);
  else
    ear_downloader_remove_many (ear_library_get_downloader (self->library), ids);
  end_selecting (widget, NULL, NULL);
}

/* A key that gives something to episodes, and takes it from those that all have it */
typedef struct
{
  const char *name;
  gboolean (*has) (EarEpisode *episode); /* (nullable): it is not so simple */
  const char *give;
  const char *take;
} Toggle;

static const Toggle toggles[] = {
  { "toggle-listened", ear_episode_get_listened, "list.mark-listened", "list.mark-unlistened" },
  { "toggle-liked", ear_episode_get_liked, "list.like", "list.unlike" },
  { "toggle-download", ear_episode_has_download, "list.download", "list.remove-downloads" },
  { "toggle-archived", ear_episode_get_archived, "list.archive", "list.unarchive" },
  { "toggle-queued", ear_queue_has, "list.play-last", "list.remove-from-queue" },
  { "add-to-list", NULL, "list.add-to-list", NULL },
};

static const Toggle *
find_toggle (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (toggles); i++)
    if (g_str_equal (toggles[i].name, name))
      return &toggles[i];

  return NULL;
}

/* Of more than can be asked, one may lack it: from those nothing is taken. */
static gboolean
have_all (EarEpisodeView *self, const Toggle *toggle)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  const guint64 n_selected = gtk_bitset_get_size (selected);

  if (n_selected > MOST_LOOKED_AT || toggle->has == NULL)
    return FALSE;

  for (guint i = 0; i < n_selected; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (self->selection), gtk_bitset_get_nth (selected, i));

      if (episode == NULL || !toggle->has (episode))
        return FALSE;
    }

  return TRUE;
}

/* Does to the selected episodes, if there are several or they are ticked, what a key otherwise does to
 * the one that is shown: to all of them, or takes it from all if none lacks it. From very many, nothing
 * is taken by a key.
 * @name: "toggle-listened", "toggle-liked", "toggle-download", "toggle-archived", "toggle-queued", "add-to-list", or the name of another
 * action of an episode
 * Returns: whether @name is about them, and not about the episode that is shown */
gboolean
ear_episode_view_toggle_selected (EarEpisodeView *self, const char *name)
{
  const Toggle *toggle = find_toggle (name);

  g_return_val_if_fail (EAR_IS_EPISODE_VIEW (self), FALSE);

  /* In a narrow window the list may be on another page. */
  if (toggle == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)) ||
      !ear_episode_view_has_several (self))
    return FALSE;

  gtk_widget_activate_action (GTK_WIDGET (self), have_all (self, toggle) ? toggle->take : toggle->give, NULL);

  return TRUE;
}

static GArray *
dup_ids (EarEpisodeList *list)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (list));
  GArray *ids = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n);

  for (guint i = 0; i < n; i++)
    {
      const gint64 id = ear_episode_list_get_id (list, i);

      g_array_append_val (ids, id);
    }

  return ids;
}

/* Of a search, as above; else all, though a list that is being opened has not got all its rows yet. */
static void
mark_older (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  const EarEpisodeQuery *query = self->list != NULL ? ear_episode_list_get_query (self->list) : NULL;
  EarMarkTarget older = { .query = query, .older_than = self->menu_episode };
  g_autoptr (GArray) ids = NULL;

  if (self->menu_episode == NULL || query == NULL)
    return;

  if (query->search != NULL)
    older.ids = ids = dup_ids (self->list);
  ear_history_set_marks (ear_library_get_history (self->library), &older,
                         g_str_equal (name, "list.archive-older") ? EAR_MARK_ARCHIVED : EAR_MARK_LISTENED, TRUE);
}

/* What waits for the listener can be archived from some episode on. */
void
ear_episode_view_update_menu (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = self->list != NULL ? ear_episode_list_get_query (self->list) : NULL;
  const gboolean waits = query != NULL && (query->filter == EAR_FILTER_NEW || query->filter == EAR_FILTER_IN_PROGRESS);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.archive-older", waits);
}

static void
select_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);

  ear_episode_view_set_selecting (self, TRUE);
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (self->selection));
}

static void
begin_selecting (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  guint position = GTK_INVALID_LIST_POSITION;

  if (self->menu_episode != NULL && self->list != NULL)
    ear_episode_list_find (self->list, ear_episode_get_id (self->menu_episode), &position);
  ear_episode_view_set_selecting (self, TRUE);
  ear_episode_selection_select_only (self->selection, position);
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);

  if (!ear_episode_view_has_several (self))
    return GDK_EVENT_PROPAGATE;
  end_selecting (widget, NULL, NULL);

  return GDK_EVENT_STOP;
}

static void
right_press_cb (EarEpisodeView *self, int n_press, double x, double y)
{
  g_set_object (&self->pressed, find_episode (self, x, y));
}

/* Also after the pointer was drawn somewhere else, which is no click. */
static void
right_release_cb (EarEpisodeView *self, int n_press, double x, double y)
{
  g_autoptr (EarEpisode) pressed = g_steal_pointer (&self->pressed);
  EarEpisode *episode = find_episode (self, x, y);

  if (pressed != NULL && episode != NULL && ear_episode_get_id (pressed) == ear_episode_get_id (episode))
    open_menu_at (self, x, y);
}

/* By the Menu key: of the row that has the focus. */
static void
open_focused_menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  GtkWidget *area = adw_bin_get_child (ADW_BIN (self));
  GtkWidget *row = ear_row_with_focus (area, EAR_TYPE_EPISODE_ROW);
  graphene_rect_t place;

  if (row != NULL && gtk_widget_compute_bounds (row, area, &place))
    open_row_menu (self, row, place.origin.x + place.size.width / 2, place.origin.y + place.size.height / 2);
}

/* Installs the actions of this file, and makes its callbacks known to the template. */
void
ear_episode_view_bind_menu (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "list.menu", NULL, open_focused_menu);
  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    gtk_widget_class_install_action (widget_class, marks[i].name, NULL, mark_selected);
  gtk_widget_class_install_action (widget_class, "list.download", NULL, download_selected);
  gtk_widget_class_install_action (widget_class, "list.remove-downloads", NULL, download_selected);
  ear_episode_view_bind_queue (widget_class);
  ear_episode_view_bind_lists (widget_class);
  gtk_widget_class_install_action (widget_class, "list.mark-older", NULL, mark_older);
  gtk_widget_class_install_action (widget_class, "list.archive-older", NULL, mark_older);
  gtk_widget_class_install_action (widget_class, "list.select-all", NULL, select_all);
  gtk_widget_class_install_action (widget_class, "list.begin-selecting", NULL, begin_selecting);
  gtk_widget_class_install_action (widget_class, "list.end-selecting", NULL, end_selecting);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "list.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "list.menu", NULL);

  gtk_widget_class_bind_template_callback (widget_class, select_click_cb);
  gtk_widget_class_bind_template_callback (widget_class, long_press_cb);
  gtk_widget_class_bind_template_callback (widget_class, right_press_cb);
  gtk_widget_class_bind_template_callback (widget_class, right_release_cb);
}
