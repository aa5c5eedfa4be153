/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-window-private.h"

/*
 * The keys' way from pane to pane, and back when they have lost it.
 */

static gboolean
is_in_sight (GtkWidget *pane)
{
  return gtk_widget_get_mapped (pane) && gtk_widget_get_child_visible (pane);
}

/* To where its own content is; the buttons above it are a Tab away. */
static gboolean
enter (EarWindow *self, GtkWidget *pane)
{
  if (pane == GTK_WIDGET (self->sidebar_page))
    return ear_sidebar_page_enter (self->sidebar_page);
  if (pane == GTK_WIDGET (self->episodes_page))
    return ear_episodes_page_enter (self->episodes_page);
  if (pane == GTK_WIDGET (self->episode_page))
    return ear_episode_page_enter (self->episode_page);

  return gtk_widget_child_focus (pane, GTK_DIR_TAB_FORWARD);
}

static gboolean
holds_focus (GtkWidget *pane, GtkWidget *focus)
{
  return focus != NULL && (focus == pane || gtk_widget_is_ancestor (focus, pane));
}

/**
 * ear_window_move_pane:
 * @self: the window
 * @step: 1 for the next pane, -1 for the one before
 *
 * Puts the focus into another pane: sidebar, list, episode, player, and round.
 */
void
ear_window_move_pane (EarWindow *self, int step)
{
  GtkWidget *panes[] = { GTK_WIDGET (self->sidebar_page), GTK_WIDGET (self->episodes_page), GTK_WIDGET (self->episode_page),
                         self->narrow ? self->strip : self->player_bar };
  const int n_panes = G_N_ELEMENTS (panes);
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  int at = step > 0 ? n_panes - 1 : 0;

  if (adw_bottom_sheet_get_open (self->sheet) ||
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self)) != NULL)
    return;

  for (int i = 0; i < n_panes; i++)
    if (holds_focus (panes[i], focus))
      at = i;

  for (int i = 1; i <= n_panes; i++)
    {
      GtkWidget *pane = panes[(at + n_panes + i * step) % n_panes];

      if (is_in_sight (pane) && enter (self, pane))
        return;
    }
}

/* The one that is seen alone, or else the one where the focus was. */
static GtkWidget *
find_main_pane (EarWindow *self)
{
  if (adw_navigation_split_view_get_collapsed (self->outer) && !adw_navigation_split_view_get_show_content (self->outer))
    return GTK_WIDGET (self->sidebar_page);
  if (adw_navigation_split_view_get_collapsed (self->inner) && adw_navigation_split_view_get_show_content (self->inner))
    return GTK_WIDGET (self->episode_page);

  return self->last_pane != NULL && is_in_sight (self->last_pane) ? self->last_pane : GTK_WIDGET (self->episodes_page);
}

static gboolean
has_focus (EarWindow *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  GtkWidget *revealer = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_REVEALER) : NULL;

  /* GTK leaves it with what is on a page, in a search bar or in the sheet, that is not seen any
   * more; what has just been asked for is seen soon. */
  if (holds_focus (adw_bottom_sheet_get_sheet (self->sheet), focus))
    return adw_bottom_sheet_get_open (self->sheet);

  return focus != NULL &&
         (gtk_widget_get_mapped (focus) || (revealer != NULL && gtk_revealer_get_reveal_child (GTK_REVEALER (revealer))));
}

static void
focus_lost_cb (gpointer user_data)
{
  EarWindow *self = user_data;

  self->focus_idle = 0;
  if (has_focus (self) || !gtk_window_is_active (GTK_WINDOW (self)) ||
      adw_bottom_sheet_get_open (self->sheet) ||
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self)) != NULL)
    return;

  if (!enter (self, find_main_pane (self)) && !enter (self, GTK_WIDGET (self->episodes_page)))
    enter (self, GTK_WIDGET (self->sidebar_page));
}

/**
 * ear_window_keep_focus:
 * @self: the window
 *
 * To be called when the focus has changed: what had it may have gone, with its row, its
 * pane or its search. Then it goes to what is chosen in the same pane.
 */
void
ear_window_keep_focus (EarWindow *self)
{
  GtkWidget *panes[] = { GTK_WIDGET (self->sidebar_page), GTK_WIDGET (self->episodes_page), GTK_WIDGET (self->episode_page) };
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
    if (holds_focus (panes[i], focus))
      self->last_pane = panes[i];
  if (!has_focus (self) && self->focus_idle == 0)
    self->focus_idle = g_idle_add_once (focus_lost_cb, self);
}
