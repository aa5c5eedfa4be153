/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include "ear-property.h"
#include "ear-rows-in-sight.h"

/* Which episode is chosen, and which rows are selected or ticked beside that. */

/* Takes what is chosen, without a look at the rows. */
void
ear_episode_view_take_episode (EarEpisodeView *self, EarEpisode *episode)
{
  if (!g_set_object (&self->episode, episode))
    return;

  g_object_notify (G_OBJECT (self), "episode");
  g_object_notify (G_OBJECT (self), "target");
}

/* What a listener who just came here wants to see: what was shown already, what plays, or
 * the first. */
static guint
choose (EarEpisodeView *self)
{
  EarEpisode *playing = ear_player_get_episode (ear_library_get_player (self->library));
  guint position;

  if (self->episode != NULL && ear_episode_list_find (self->list, ear_episode_get_id (self->episode), &position))
    return position;
  if (playing != NULL && ear_episode_list_find (self->list, ear_episode_get_id (playing), &position))
    return position;

  return 0;
}

/* Returns: the first row that is selected, or else that of the episode that is chosen, which is not where its page is not
 * beside it; or `GTK_INVALID_LIST_POSITION` */
guint
ear_episode_view_find_chosen (EarEpisodeView *self)
{
  guint position = ear_episode_selection_get_first (self->selection);

  if (position == GTK_INVALID_LIST_POSITION && self->list != NULL && self->episode != NULL &&
      !ear_episode_list_find (self->list, ear_episode_get_id (self->episode), &position))
    return GTK_INVALID_LIST_POSITION;

  return position;
}

/* Marks the row of the episode that is chosen, where its page is beside it; chooses one where none is yet. */
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
  else if (self->collapsed || self->episode == NULL || !ear_episode_list_find (self->list, ear_episode_get_id (self->episode), &position))
    position = GTK_INVALID_LIST_POSITION;

  if (position != ear_episode_selection_get_first (self->selection) || ear_episode_selection_get_n_selected (self->selection) > 1)
    ear_episode_selection_select_only (self->selection, position);
}

/* What is chosen was marked as played, or archived, and is not listed any more. What has only left because it plays is still wanted. */
static gboolean
is_done (EarEpisodeView *self)
{
  guint position;

  return !self->collapsed && self->episode != NULL &&
         (ear_episode_get_listened (self->episode) || ear_episode_get_archived (self->episode)) &&
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
    ear_episode_view_bring_focus (self);
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

/* What rows and the page of the episode look at */
static void
update_several (EarEpisodeView *self)
{
  ear_property_set_boolean (self, "several", ear_episode_view_has_several (self));
}

static void
selected_cb (EarEpisodeView *self)
{
  g_autoptr (EarEpisode) episode = NULL;

  if (self->collapsed || self->selecting || ear_episode_selection_get_n_selected (self->selection) != 1)
    return;

  episode = g_list_model_get_item (G_LIST_MODEL (self->selection), ear_episode_selection_get_first (self->selection));
  if (episode != NULL)
    ear_episode_view_take_episode (self, episode);
}

/* Returns: whether it is about the selected rows, and not about a single one: several are, or rows are ticked */
gboolean
ear_episode_view_has_several (EarEpisodeView *self)
{
  return self->selecting || ear_episode_selection_get_n_selected (self->selection) > 1;
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

/* Where a single click opens a row, GTK selects whatever comes under the pointer, and lets go of the others: several
 * are ticked there. */
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

  if (self->list == NULL || !ear_episode_list_find (self->list, g_variant_get_int64 (parameter), &position))
    return;

  ear_episode_view_set_selecting (self, TRUE);
  ear_episode_selection_toggle (self->selection, position);
}

void
ear_episode_view_bind_choice (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "list.tick", "x", tick_episode);
  gtk_widget_class_bind_template_callback (widget_class, items_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, n_selected_cb);
}

/* Chooses an episode, and marks its row where it is listed. */
void
ear_episode_view_set_episode (EarEpisodeView *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_EPISODE_VIEW (self));

  self->wants_choice = FALSE;
  ear_episode_view_take_episode (self, episode);
  ear_episode_view_update_selection (self);
}

/* Lets the rows that come next choose what is shown beside them: the episode that plays, or the first. Until then the
 * old one stays, where both panes are seen. */
void
ear_episode_view_choose_anew (EarEpisodeView *self)
{
  g_return_if_fail (EAR_IS_EPISODE_VIEW (self));

  self->wants_choice = TRUE;
  if (self->collapsed)
    ear_episode_view_take_episode (self, NULL);
}
