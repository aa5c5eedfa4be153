/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

/* Where the listener is among the rows. */

static gboolean
is_at_top (EarEpisodeView *self)
{
  return gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (self->scroller)) <= 0;
}

/* Tells the list where the listener is among its rows. */
void
ear_episode_view_update_in_sight (EarEpisodeView *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  const double middle = gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment) / 2;
  const double part = is_at_top (self) ? 0 : CLAMP (middle / gtk_adjustment_get_upper (adjustment), 0, 1);

  if (self->list != NULL)
    ear_episode_list_set_in_sight (self->list, (guint) (part * g_list_model_get_n_items (G_LIST_MODEL (self->list))));
}

/* Has the keys come in at the row that is shown, and not at the one that had the focus once. */
void
ear_episode_view_aim_focus (EarEpisodeView *self)
{
  const guint position = ear_episode_view_find_chosen (self);

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

/* Puts the focus on the row that is shown, or else on the first one. Where another list is shown, GTK would give it
 * to whatever row is as far down as the one was that had it: there Enter would play what nobody has chosen. */
void
ear_episode_view_bring_focus (EarEpisodeView *self)
{
  const guint position = ear_episode_view_find_chosen (self);

  if (g_list_model_get_n_items (G_LIST_MODEL (self->selection)) == 0)
    return;

  gtk_list_view_scroll_to (self->list_view, position != GTK_INVALID_LIST_POSITION ? position : 0, GTK_LIST_SCROLL_FOCUS, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
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
  gtk_list_view_scroll_to (self->list_view, 0, GTK_LIST_SCROLL_FOCUS | GTK_LIST_SCROLL_SELECT, NULL);

  return TRUE;
}
