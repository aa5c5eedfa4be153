/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-window-private.h"

/* How much of its room with the list the sidebar takes */
#define SIDEBAR_FRACTION 0.4135

/*
 * The keys' way from pane to pane, and back when they have lost it; and which pane is shown
 * where there is room for one only.
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

gboolean
ear_window_is_covered (EarWindow *self)
{
  return adw_bottom_sheet_get_open (self->sheet) || gtk_widget_get_visible (self->video_screen) ||
         adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self)) != NULL;
}

/* Puts the focus into another pane: sidebar, list, episode, player, and round.
 * @step: 1 for the next pane, -1 for the one before */
void
ear_window_move_pane (EarWindow *self, int step)
{
  GtkWidget *panes[] = { GTK_WIDGET (self->sidebar_page), GTK_WIDGET (self->episodes_page), GTK_WIDGET (self->episode_page),
                         self->narrow ? self->strip : self->player_bar };
  const int n_panes = G_N_ELEMENTS (panes);
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  int at = step > 0 ? n_panes - 1 : 0;

  if (ear_window_is_covered (self))
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
  if (adw_navigation_split_view_get_collapsed (self->outer) && adw_navigation_split_view_get_show_content (self->outer))
    return GTK_WIDGET (self->episode_page);
  if (adw_navigation_split_view_get_collapsed (self->inner) && !adw_navigation_split_view_get_show_content (self->inner))
    return GTK_WIDGET (self->sidebar_page);
  if (adw_navigation_split_view_get_collapsed (self->outer) && adw_navigation_split_view_get_collapsed (self->inner))
    return GTK_WIDGET (self->episodes_page);

  return self->last_pane != NULL && is_in_sight (self->last_pane) ? self->last_pane : GTK_WIDGET (self->episodes_page);
}

/* Where there is no room for several panes, the first layout puts the one that is left into a view of its own,
 * which gives the focus to the first button above it, as GTK does when what had it is hidden; and so does one
 * that is come back to, if what had it there is gone. That is nobody's choice before the next key or click; a
 * menu that was opened otherwise, by a screen reader, keeps it. */
static gboolean
was_put_aside (EarWindow *self, GtkWidget *focus)
{
  return !self->focus_begun && adw_navigation_split_view_get_collapsed (self->inner) &&
         gtk_widget_get_native (focus) == GTK_NATIVE (self) && gtk_widget_get_ancestor (focus, ADW_TYPE_HEADER_BAR) != NULL;
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

  return focus != NULL && !was_put_aside (self, focus) &&
         (gtk_widget_get_mapped (focus) || (revealer != NULL && gtk_revealer_get_reveal_child (GTK_REVEALER (revealer))));
}

/* Never to what is not seen; where a pane has nothing to begin at yet, to what is above it. */
static void
find_focus (EarWindow *self)
{
  GtkWidget *panes[] = { find_main_pane (self), GTK_WIDGET (self->episodes_page), GTK_WIDGET (self->sidebar_page) };
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
    if (is_in_sight (panes[i]) && enter (self, panes[i]))
      return;
  if (focus == NULL || !gtk_widget_get_mapped (focus))
    gtk_widget_child_focus (panes[0], GTK_DIR_TAB_FORWARD);
}

static void
focus_lost_cb (gpointer user_data)
{
  EarWindow *self = user_data;

  self->focus_idle = 0;
  if (has_focus (self) || !gtk_window_is_active (GTK_WINDOW (self)) || ear_window_is_covered (self))
    return;

  find_focus (self);
}

/* To be called when the focus has changed: what had it may have gone, with its row, its pane or its search. Then it
 * goes to what is chosen in the same pane. */
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

static gboolean
pressed_cb (GtkEventController *controller, GdkEvent *event, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  const GdkEventType type = gdk_event_get_event_type (event);

  if (type == GDK_KEY_PRESS || type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN)
    self->focus_begun = TRUE;

  return GDK_EVENT_PROPAGATE;
}

static void
pane_changed_cb (EarWindow *self, GParamSpec *pspec, AdwNavigationSplitView *view)
{
  if (view == self->outer && adw_navigation_split_view_get_show_content (view))
    return;

  self->focus_begun = FALSE;
  ear_window_keep_focus (self);
}

/* Makes the keys begin at what the window shows, as soon as there is something to begin at, and where they were in a
 * pane that is come back to; unless the listener has begun elsewhere meanwhile. */
void
ear_window_begin_focus (EarWindow *self)
{
  GtkEventController *controller = gtk_event_controller_legacy_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "event", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
  g_signal_connect_object (self->outer, "notify::show-content", G_CALLBACK (pane_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->inner, "notify::show-content", G_CALLBACK (pane_changed_cb), self, G_CONNECT_SWAPPED);
  /* The first rows come, or it is known that there will be none. */
  g_signal_connect_object (self->episode_page, "notify::choosable", G_CALLBACK (ear_window_keep_focus), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->episodes_page, "notify::refreshing", G_CALLBACK (ear_window_keep_focus), self, G_CONNECT_SWAPPED);
}

/* --- The one that is shown ------------------------------------------------------------- */

/* Goes to the sidebar, where it has no room beside the other panes. */
void
ear_window_show_sidebar (EarWindow *self)
{
  adw_navigation_split_view_set_show_content (self->outer, FALSE);
  adw_navigation_split_view_set_show_content (self->inner, FALSE);
}

/* The panes are put together anew, which takes the focus away: who goes through the sidebar by keys goes on there. */
static void
collapse_outer (EarWindow *self, gboolean collapsed)
{
  const gboolean in_sidebar = holds_focus (GTK_WIDGET (self->sidebar_page), gtk_root_get_focus (GTK_ROOT (self)));

  if (adw_navigation_split_view_get_collapsed (self->outer) == collapsed)
    return;

  adw_navigation_split_view_set_collapsed (self->outer, collapsed);
  if (in_sidebar && !adw_navigation_split_view_get_collapsed (self->inner))
    ear_sidebar_page_enter (self->sidebar_page);
}

/* To be called when there is another amount of room, and when the first podcast came or the last one went: without
 * podcasts there is nothing for the other panes to show, and the sidebar, which says what to do then, has the window
 * to itself. In a wide window so has a list that is empty, beside the sidebar, as long as no episode is shown. */
void
ear_window_arrange_panes (EarWindow *self)
{
  const gboolean is_empty = ear_sidebar_page_get_empty (self->sidebar_page);
  const gboolean was_empty = self->is_empty;
  const gboolean is_vacant = !self->collapsed && ear_episodes_page_get_vacant (self->episodes_page);

  self->is_empty = is_empty;
  /* Before it is the only one that is seen, so that nothing slides. */
  if (is_empty)
    ear_window_show_sidebar (self);
  else if (is_vacant)
    adw_navigation_split_view_set_show_content (self->outer, FALSE);
  adw_navigation_split_view_set_collapsed (self->inner, self->collapsed || is_empty);
  /* It stays as wide as it is beside three panes. */
  adw_navigation_split_view_set_sidebar_width_fraction (
    self->inner, SIDEBAR_FRACTION * (is_vacant ? adw_navigation_split_view_get_sidebar_width_fraction (self->outer) : 1));
  collapse_outer (self, self->narrow || is_empty || is_vacant);
  if (was_empty && !is_empty)
    adw_navigation_split_view_set_show_content (self->inner, TRUE);
}

static char *
dup_shown_pane (EarWindow *self)
{
  EarEpisode *episode = ear_episodes_page_get_episode (self->episodes_page);

  if (adw_navigation_split_view_get_collapsed (self->outer) && adw_navigation_split_view_get_show_content (self->outer) && episode != NULL)
    return ear_episode_dup_key (episode);
  if (!adw_navigation_split_view_get_show_content (self->inner))
    return g_strdup ("podcasts");

  return g_strdup ("episodes");
}

/* To be called when another pane or another episode is shown: a window without room for several panes begins with
 * what such a one has shown last. */
void
ear_window_remember_pane (EarWindow *self)
{
  g_autofree char *pane = NULL;

  /* How much room there is is not known before the window is there. */
  if (!adw_navigation_split_view_get_collapsed (self->inner) && !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (self->restoring != NULL || self->shown_last != NULL)
    return;

  pane = dup_shown_pane (self);
  g_object_set (ear_library_get_settings (self->library), "shown-pane", pane, NULL);
}

/* Shows the episode that was shown last, once it was found. */
void
ear_window_show_last_episode (EarWindow *self)
{
  g_autoptr (EarEpisode) episode = g_steal_pointer (&self->shown_last);

  if (episode != NULL)
    ear_episodes_page_set_episode (self->episodes_page, episode);
}

static void
shown_episode_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarEpisode) episode = ear_catalogue_find_key_finish (EAR_CATALOGUE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_clear_object (&self->restoring);
  g_set_object (&self->shown_last, episode);
  if (episode == NULL)
    adw_navigation_split_view_set_show_content (self->outer, FALSE);
  else if (self->narrow)
    ear_window_show_last_episode (self);
}

/* The first frame begins before anything is laid out. With the second it is known how much room
 * there is: with more than for the page of an episode, nothing is made of the one that was shown. */
static gboolean
laid_out_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (widget);

  if (self->n_frames++ == 0)
    return G_SOURCE_CONTINUE;
  if (!self->narrow)
    {
      g_cancellable_cancel (self->restoring);
      g_clear_object (&self->restoring);
      g_clear_object (&self->shown_last);
      /* In an empty library the page would fill the window without an episode. */
      if (ear_episodes_page_get_episode (self->episodes_page) == NULL)
        adw_navigation_split_view_set_show_content (self->outer, FALSE);
    }

  return G_SOURCE_REMOVE;
}

/* Makes it begin with the pane that was shown last, if there is room for one only. */
void
ear_window_restore_pane (EarWindow *self)
{
  g_autofree char *pane = NULL;

  g_object_get (ear_library_get_settings (self->library), "shown-pane", &pane, NULL);
  if (g_str_equal (pane, "podcasts"))
    ear_window_show_sidebar (self);
  if (!ear_episode_is_key (pane))
    return;

  adw_navigation_split_view_set_show_content (self->outer, TRUE);
  gtk_widget_add_tick_callback (GTK_WIDGET (self), laid_out_cb, NULL, NULL);
  self->restoring = g_cancellable_new ();
  ear_catalogue_find_key_async (ear_library_get_catalogue (self->library), pane, self->restoring, shown_episode_found_cb,
                                g_object_ref (self));
}
