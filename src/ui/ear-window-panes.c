/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-window-private.h"

/*
 * The keys' way from pane to pane.
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
