/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-window-private.h"

#include <glib/gi18n.h>

#include "ear-accelerators.h"
#include "ear-address.h"
#include "ear-closures.h"
#include "ear-cover.h"
#include "ear-import-bar.h"
#include "ear-player-widget.h"
#include "ear-property.h"
#include "ear-widget.h"

/* Width of the sidebar, as a fraction of the width of sidebar and list */
#define SIDEBAR_FRACTION 0.4135

/* Addresses and files that can wait to be opened, and the length of each */
#define MAX_OPENINGS 100
#define MAX_OPENING_LENGTH 8192

/* Fullscreen stays while the picture is gone for a moment, between two
 * episodes or connections. */
#define VIDEO_GONE_MS 2000

G_DEFINE_FINAL_TYPE (EarWindow, ear_window, ADW_TYPE_APPLICATION_WINDOW)

static EarPlayer *
get_player (EarWindow *self)
{
  return ear_library_get_player (self->library);
}

static gboolean
is_video_fullscreen (EarWindow *self)
{
  return gtk_widget_get_visible (self->video_screen);
}

/* Returns: whether something is in front of the panes */
gboolean
ear_window_is_covered (EarWindow *self)
{
  return adw_bottom_sheet_get_open (self->sheet) || is_video_fullscreen (self) ||
         adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self)) != NULL;
}

/* Enables the actions that apply to the shown item and episode. */
static void
update_actions (EarWindow *self)
{
  EarSidebarItem *item = ear_sidebar_page_get_item (self->sidebar_page);
  const gboolean has_episode = ear_episodes_page_get_episode (self->episodes_page) != NULL;
  const gboolean has_library = self->library != NULL;
  const struct
  {
    const char *name;
    gboolean enabled;
  } states[] = {
    { "search", item != NULL },
    { "search-everywhere", item != NULL },
    { "show-podcast", has_episode },
    { "play-selected", has_episode },
    { "sign-in-episode", has_episode },
    { "fullscreen-video",
      is_video_fullscreen (self) || (has_library && ear_player_get_video (get_player (self))) },
    { "undo", self->undos->len > 0 },
    { "show-playing", has_library && ear_player_get_episode (get_player (self)) != NULL },
  };

  ear_item_actions_set_target (self->chosen_actions, item);
  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    ear_action_set_enabled (G_ACTION_MAP (self), states[i].name, states[i].enabled);
}

/* --- Messages ----------------------------------------------------------------------- */

static gboolean
is_toast_overlay (GtkWidget *widget)
{
  return ADW_IS_TOAST_OVERLAY (widget);
}

/* Returns: (transfer none): the overlay of the topmost dialog that has one,
 * else the window's */
static AdwToastOverlay *
get_toast_overlay (EarWindow *self)
{
  g_autoptr (GListModel) dialogs =
      adw_application_window_get_dialogs (ADW_APPLICATION_WINDOW (self));

  for (guint i = g_list_model_get_n_items (dialogs); i > 0; i--)
    {
      g_autoptr (GtkWidget) dialog = g_list_model_get_item (dialogs, i - 1);
      GtkWidget *overlay = ear_find_within (dialog, is_toast_overlay);

      if (overlay != NULL)
        return ADW_TOAST_OVERLAY (overlay);
    }

  return adw_bottom_sheet_get_open (self->sheet) || is_video_fullscreen (self) ? self->front_toasts
                                                                               : self->toasts;
}

/* Shows a toast in place of earlier ones: it is about the last change.
 * @toast: (transfer full) */
static void
add_toast (EarWindow *self, AdwToast *toast)
{
  AdwToastOverlay *overlay = get_toast_overlay (self);

  adw_toast_set_use_markup (toast, FALSE);
  adw_toast_overlay_dismiss_all (overlay);
  adw_toast_overlay_add_toast (overlay, toast);
}

/* A screen reader does not hear a window that is not mapped. */
static void
announce_notice (EarWindow *self)
{
  const char *notice = gtk_string_list_get_string (self->notices, 0);

  if (notice != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    ear_announce (GTK_ACCESSIBLE (self), notice, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
notices_changed_cb (EarWindow *self, guint position)
{
  const char *notice = gtk_string_list_get_string (self->notices, 0);

  if (position > 0)
    return;
  adw_banner_set_title (self->notice_banner, notice != NULL ? notice : "");
  adw_banner_set_revealed (self->notice_banner, notice != NULL);
  announce_notice (self);
}

static void
notice_dismissed_cb (EarWindow *self)
{
  gtk_string_list_remove (self->notices, 0);
}

void
ear_window_show_toast (EarWindow *self, const char *message)
{
  add_toast (self, adw_toast_new (message));
}

/* Number of changes that can be undone */
#define UNDO_LIMIT 20

static void
dismiss_undo_toast (EarWindow *self)
{
  g_autoptr (AdwToast) toast = g_steal_pointer (&self->undo_toast);

  if (toast != NULL)
    adw_toast_dismiss (toast);
}

/* Undoes the last change. */
void
ear_window_undo (EarWindow *self)
{
  g_autoptr (EarUndo) undo = NULL;

  dismiss_undo_toast (self);
  if (self->undos->len == 0)
    return;

  undo = g_ptr_array_steal_index (self->undos, self->undos->len - 1);
  ear_undo_run (undo);
  update_actions (self);
}

/* The button of a toast undoes what the toast says, and nothing later. */
static void
undo_clicked_cb (EarWindow *self, AdwToast *toast)
{
  if (toast == self->undo_toast)
    ear_window_undo (self);
}

/* Shows the message of a change, with Undo, or after adding a bookmark with Add Note instead.
 * Ctrl+Z undoes the change, also one without a message and after the toast is gone; then
 * those before it. */
static void
undo_offered_cb (EarWindow *self, EarUndo *change)
{
  const char *note = ear_undo_get_note (change);

  dismiss_undo_toast (self);
  g_ptr_array_add (self->undos, g_object_ref (change));
  if (self->undos->len > UNDO_LIMIT)
    g_ptr_array_remove_index (self->undos, 0);
  update_actions (self);
  if (ear_undo_get_message (change) == NULL)
    return;

  self->undo_toast = adw_toast_new (ear_undo_get_message (change));
  /* Without a mnemonic: libadwaita (1.7) would show an underscore. */
  adw_toast_set_button_label (self->undo_toast, note != NULL ? _("Add Note") : _("Undo"));
  if (note != NULL)
    {
      adw_toast_set_action_name (self->undo_toast, "win.edit-note");
      adw_toast_set_action_target (self->undo_toast, "s", note);
    }
  else
    ear_connect (self->undo_toast, "button-clicked", undo_clicked_cb, self);
  add_toast (self, g_object_ref (self->undo_toast));
}

/* --- Panes -------------------------------------------------------------------------- */

static gboolean
holds_focus (GtkWidget *pane, GtkWidget *focus)
{
  return focus != NULL && (focus == pane || gtk_widget_is_ancestor (focus, pane));
}

/* Shows the sidebar, where it has no room beside the other panes. */
void
ear_window_show_sidebar (EarWindow *self)
{
  adw_navigation_split_view_set_show_content (self->outer, FALSE);
  adw_navigation_split_view_set_show_content (self->inner, FALSE);
}

/* Shows the list, or the sidebar if no podcast is followed, where only
 * one pane has room. */
void
ear_window_show_episodes (EarWindow *self)
{
  adw_bottom_sheet_set_open (self->sheet, FALSE);
  adw_navigation_split_view_set_show_content (self->outer, FALSE);
  adw_navigation_split_view_set_show_content (
      self->inner, ear_sidebar_page_get_item (self->sidebar_page) != NULL);
}

/* Shows the page of the episode, where only one pane has room. Its Back button leads to
 * the list, or to the sidebar. */
void
ear_window_show_page (EarWindow *self)
{
  adw_bottom_sheet_set_open (self->sheet, FALSE);
  adw_navigation_split_view_set_show_content (
      self->inner, ear_sidebar_page_get_item (self->sidebar_page) != NULL);
  adw_navigation_split_view_set_show_content (self->outer, TRUE);
}

void
ear_window_show_podcast (EarWindow *self, EarPodcast *podcast)
{
  ear_sidebar_page_choose_podcast (self->sidebar_page, podcast);
  ear_window_show_episodes (self);
}

/* Chooses an episode in the list of its podcast. */
void
ear_window_list_podcast (EarWindow *self, EarEpisode *episode)
{
  ear_sidebar_page_choose_podcast (self->sidebar_page, ear_episode_get_podcast (episode));
  /* If the podcast was chosen already, the list may have the results of a search. */
  g_object_set (self->episodes_page, "search", NULL, NULL);
  ear_episodes_page_set_episode (self->episodes_page, episode);
}

/* Arranges the panes. Without podcasts the sidebar, which then has the welcome page,
 * fills the window. A list that is empty fills what the sidebar leaves of a wide window,
 * until an episode is shown. */
static void
arrange_panes (EarWindow *self)
{
  const gboolean is_empty = ear_sidebar_page_get_empty (self->sidebar_page);
  const gboolean is_vacant = !self->collapsed && ear_episodes_page_get_vacant (self->episodes_page);
  const gboolean collapsed = self->narrow || is_empty || is_vacant;
  const double fraction = adw_navigation_split_view_get_sidebar_width_fraction (self->outer);
  GtkWidget *focus;

  /* Before it is the only pane, so that no pane slides */
  if (is_empty)
    ear_window_show_sidebar (self);
  else if (is_vacant)
    adw_navigation_split_view_set_show_content (self->outer, FALSE);
  adw_navigation_split_view_set_collapsed (self->inner, self->collapsed || is_empty);
  /* The sidebar keeps its width where the list takes the room of the episode. */
  adw_navigation_split_view_set_sidebar_width_fraction (
      self->inner, SIDEBAR_FRACTION * (is_vacant ? fraction : 1));

  focus = gtk_root_get_focus (GTK_ROOT (self));
  if (adw_navigation_split_view_get_collapsed (self->outer) != collapsed)
    {
      const gboolean in_sidebar = holds_focus (GTK_WIDGET (self->sidebar_page), focus);

      /* Collapsing takes the focus from the sidebar: arrow keys have
       * to continue there. */
      adw_navigation_split_view_set_collapsed (self->outer, collapsed);
      if (in_sidebar && !adw_navigation_split_view_get_collapsed (self->inner))
        ear_sidebar_page_enter (self->sidebar_page);
    }
  if (self->was_empty && !is_empty)
    adw_navigation_split_view_set_show_content (self->inner, TRUE);
  self->was_empty = is_empty;
}

/* Stores which pane is shown: a window with room for one pane begins with it. */
static void
store_pane (EarWindow *self)
{
  EarEpisode *episode = ear_episodes_page_get_episode (self->episodes_page);
  g_autofree char *key = NULL;
  const char *pane = "episodes";

  /* Before the window is mapped it is not known how many panes have room. */
  if (self->restoring || (!adw_navigation_split_view_get_collapsed (self->inner) &&
                                  !gtk_widget_get_mapped (GTK_WIDGET (self))))
    return;

  if (episode != NULL && adw_navigation_split_view_get_collapsed (self->outer) &&
      adw_navigation_split_view_get_show_content (self->outer))
    pane = key = ear_episode_dup_key (episode);
  else if (!adw_navigation_split_view_get_show_content (self->inner))
    pane = "podcasts";
  g_object_set (ear_library_get_settings (self->library), "shown-pane", pane, NULL);
}

static void
last_episode_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarWindow) self = user_data;
  g_autoptr (EarEpisode) episode =
      ear_catalogue_find_key_finish (EAR_CATALOGUE (source), result, NULL);

  self->restoring = FALSE;
  if (self->outer == NULL)
    return;

  if (episode != NULL)
    ear_episodes_page_set_episode (self->episodes_page, episode);
  else
    adw_navigation_split_view_set_show_content (self->outer, FALSE);
}

static void
restore_pane (EarWindow *self)
{
  g_autofree char *pane = NULL;

  g_object_get (ear_library_get_settings (self->library), "shown-pane", &pane, NULL);
  if (g_str_equal (pane, "podcasts"))
    ear_window_show_sidebar (self);
  if (!ear_address_is_hash (pane))
    return;

  adw_navigation_split_view_set_show_content (self->outer, TRUE);
  self->restoring = TRUE;
  ear_catalogue_read_async (ear_library_get_catalogue (self->library),
                            ear_read_keys ((const char *const[]) { pane, NULL }), NULL,
                            last_episode_found_cb, g_object_ref (self));
}

/* --- Focus -------------------------------------------------------------------------- */

static gboolean
is_in_sight (GtkWidget *pane)
{
  return gtk_widget_get_mapped (pane) && gtk_widget_get_child_visible (pane);
}

/* Focuses the content of a pane; the buttons above it are a Tab away.
 * Returns: whether there is content to focus */
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

/* Moves the focus between sidebar, list, episode and player, in a circle.
 * @step: 1 or -1 */
void
ear_window_move_pane (EarWindow *self, int step)
{
  GtkWidget *panes[] = { GTK_WIDGET (self->sidebar_page), GTK_WIDGET (self->episodes_page),
                         GTK_WIDGET (self->episode_page),
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

/* Returns: the only pane in sight, or else the one that had the focus last */
static GtkWidget *
find_main_pane (EarWindow *self)
{
  const gboolean outer_collapsed = adw_navigation_split_view_get_collapsed (self->outer);
  const gboolean inner_collapsed = adw_navigation_split_view_get_collapsed (self->inner);

  if (outer_collapsed && adw_navigation_split_view_get_show_content (self->outer))
    return GTK_WIDGET (self->episode_page);
  if (inner_collapsed && !adw_navigation_split_view_get_show_content (self->inner))
    return GTK_WIDGET (self->sidebar_page);
  if (outer_collapsed && inner_collapsed)
    return GTK_WIDGET (self->episodes_page);

  return self->last_pane != NULL && is_in_sight (self->last_pane)
             ? self->last_pane
             : GTK_WIDGET (self->episodes_page);
}

/* Returns: whether the focus is on a button above a pane because libadwaita or GTK put it
 * there: as the pane came into a view of its own, or as the focused widget was gone. The
 * listener's choice begins with the next key or click; a menu that a screen reader opens
 * keeps the focus. */
static gboolean
was_put_aside (EarWindow *self, GtkWidget *focus)
{
  return !self->focus_chosen && adw_navigation_split_view_get_collapsed (self->inner) &&
         gtk_widget_get_native (focus) == GTK_NATIVE (self) &&
         gtk_widget_get_ancestor (focus, ADW_TYPE_HEADER_BAR) != NULL;
}

/* GTK leaves the focus with a widget on a page, in a search bar or in the
 * sheet that is hidden. */
static gboolean
has_focus (EarWindow *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  GtkWidget *revealer = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_REVEALER) : NULL;

  if (holds_focus (adw_bottom_sheet_get_sheet (self->sheet), focus))
    return adw_bottom_sheet_get_open (self->sheet);

  return focus != NULL && !was_put_aside (self, focus) &&
         (gtk_widget_get_mapped (focus) ||
          (revealer != NULL && gtk_revealer_get_reveal_child (GTK_REVEALER (revealer))));
}

static void
focus_lost_cb (gpointer user_data)
{
  EarWindow *self = user_data;
  GtkWidget *panes[] = { find_main_pane (self), GTK_WIDGET (self->episodes_page),
                         GTK_WIDGET (self->sidebar_page) };
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  self->focus_source = 0;
  if (has_focus (self) || !gtk_window_is_active (GTK_WINDOW (self)) || ear_window_is_covered (self))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
    if (is_in_sight (panes[i]) && enter (self, panes[i]))
      return;
  if (focus == NULL || !gtk_widget_get_mapped (focus))
    gtk_widget_child_focus (panes[0], GTK_DIR_TAB_FORWARD);
}

/* Moves the focus to the chosen row of the last pane, if the widget that had it is gone
 * with its row, pane or search. */
static void
keep_focus (EarWindow *self)
{
  GtkWidget *panes[] = { GTK_WIDGET (self->sidebar_page), GTK_WIDGET (self->episodes_page),
                         GTK_WIDGET (self->episode_page) };
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
    if (holds_focus (panes[i], focus))
      self->last_pane = panes[i];
  if (!has_focus (self) && self->focus_source == 0)
    self->focus_source = g_idle_add_once (focus_lost_cb, self);
}

static gboolean
pressed_cb (EarWindow *self, GdkEvent *event)
{
  const GdkEventType type = gdk_event_get_event_type (event);

  if (type == GDK_KEY_PRESS || type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN)
    self->focus_chosen = TRUE;

  return GDK_EVENT_PROPAGATE;
}

static void
pane_changed_cb (EarWindow *self, GParamSpec *pspec, AdwNavigationSplitView *view)
{
  if (view == self->outer && adw_navigation_split_view_get_show_content (view))
    return;

  self->focus_chosen = FALSE;
  keep_focus (self);
}

/* --- Video -------------------------------------------------------------------------- */

static void
leave_video (EarWindow *self)
{
  g_clear_handle_id (&self->video_gone_source, g_source_remove);
  if (!is_video_fullscreen (self))
    return;

  gtk_widget_set_visible (GTK_WIDGET (self->sheet), TRUE);
  gtk_widget_set_visible (self->video_screen, FALSE);
  if (!self->was_fullscreen)
    gtk_window_unfullscreen (GTK_WINDOW (self));
  if (self->focus_before != NULL)
    gtk_widget_grab_focus (self->focus_before);
  g_clear_weak_pointer (&self->focus_before);
}

/* Gives the picture all of the window, and the window all of the screen, or ends that. */
void
ear_window_toggle_video (EarWindow *self)
{
  if (is_video_fullscreen (self))
    {
      leave_video (self);
      return;
    }
  if (!ear_player_get_video (get_player (self)))
    return;

  g_set_weak_pointer (&self->focus_before, gtk_root_get_focus (GTK_ROOT (self)));
  self->was_fullscreen = gtk_window_is_fullscreen (GTK_WINDOW (self));
  gtk_widget_set_visible (self->video_screen, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->sheet), FALSE);
  gtk_window_set_focus (GTK_WINDOW (self), adw_bin_get_child (ADW_BIN (self->video_screen)));
  if (!self->was_fullscreen)
    gtk_window_fullscreen (GTK_WINDOW (self));
}

/* The desktop's own key leaves both kinds of fullscreen. */
static void
fullscreened_changed_cb (EarWindow *self)
{
  if (!gtk_window_is_fullscreen (GTK_WINDOW (self)))
    leave_video (self);
}

/* Keeps the screen from going dark while a video is watched. */
static void
update_idle (EarWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  EarPlayer *player = get_player (self);
  const gboolean watched = ear_player_get_video (player) &&
                           ear_player_get_state (player) == EAR_PLAYER_PLAYING &&
                           ear_video_output_get_watched (ear_player_get_video_output (player));

  if (application == NULL || watched == (self->idle_cookie != 0))
    return;

  if (!watched)
    gtk_application_uninhibit (application, g_steal_handle_id (&self->idle_cookie));
  else
    self->idle_cookie = gtk_application_inhibit (application, GTK_WINDOW (self),
                                                 GTK_APPLICATION_INHIBIT_IDLE,
                                                 _("A video is playing"));
}

static void
video_changed_cb (EarWindow *self)
{
  g_clear_handle_id (&self->video_gone_source, g_source_remove);
  if (is_video_fullscreen (self) && !ear_player_get_video (get_player (self)))
    self->video_gone_source =
        g_timeout_add_once (VIDEO_GONE_MS, (GSourceOnceFunc) leave_video, self);
  update_actions (self);
  update_idle (self);
}

/* --- Opening addresses and files ---------------------------------------------------- */

static void
open_next (EarWindow *self)
{
  g_autofree char *text =
      self->openings->len > 0 ? g_ptr_array_steal_index (self->openings, 0) : NULL;

  self->opening = text != NULL;
  if (self->opening)
    ear_connect (ear_window_discover (self, NULL, text), "closed", open_next, self);
}

/* Opens an address or the path of a file in Add Podcast, after those that
 * are open already. */
static void
open_text (EarWindow *self, const char *text)
{
  if (self->openings->len >= MAX_OPENINGS || strlen (text) > MAX_OPENING_LENGTH)
    return;

  g_ptr_array_add (self->openings, g_utf8_make_valid (text, -1));
  if (!self->opening)
    open_next (self);
}

void
ear_window_open_file (EarWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *uri = g_file_get_uri (file);

  /* A path may not be UTF-8. */
  open_text (self, path != NULL && g_utf8_validate (path, -1, NULL) ? path : uri);
}

/* Opens a text that was dropped or that another program sent, unless it is neither an
 * address nor a path: such words are not sent to a directory of podcasts.
 * Returns: whether it was opened */
gboolean
ear_window_open_address (EarWindow *self, const char *text)
{
  g_autofree char *value = NULL;
  EarDiscoveryInput input = EAR_DISCOVERY_NOTHING;

  if (strlen (text) <= MAX_OPENING_LENGTH)
    input = ear_discovery_input_read (text, &value);
  if (input != EAR_DISCOVERY_ADDRESS && input != EAR_DISCOVERY_APPLE && input != EAR_DISCOVERY_FILE)
    return FALSE;
  open_text (self, text);

  return TRUE;
}

static gboolean
dropped_cb (EarWindow *self, const GValue *value)
{
  g_autoptr (GSList) files = NULL;

  if (G_VALUE_HOLDS_STRING (value))
    return ear_window_open_address (self, g_value_get_string (value));
  if (G_VALUE_HOLDS (value, G_TYPE_FILE))
    {
      ear_window_open_file (self, g_value_get_object (value));
      return TRUE;
    }

  files = gdk_file_list_get_files (g_value_get_boxed (value));
  for (GSList *item = files; item != NULL; item = item->next)
    ear_window_open_file (self, item->data);

  return files != NULL;
}

/* --- Class -------------------------------------------------------------------------- */

static void
item_changed_cb (EarWindow *self)
{
  EarSidebarItem *item = ear_sidebar_page_get_item (self->sidebar_page);

  update_actions (self);
  if (item != NULL)
    g_object_set (ear_library_get_settings (self->library), "selected-collection",
                  ear_sidebar_item_get_name (item), NULL);
}

static void
menu_item_changed_cb (EarWindow *self)
{
  g_autoptr (EarSidebarItem) item = NULL;

  g_object_get (self->sidebar_page, "menu-item", &item, NULL);
  ear_item_actions_set_target (self->row_actions, item);
}

static void
episode_changed_cb (EarWindow *self)
{
  update_actions (self);
  if (ear_episodes_page_get_episode (self->episodes_page) == NULL)
    adw_navigation_split_view_set_show_content (self->outer, FALSE);
  store_pane (self);
}

/* The podcast of the shown episode, which was a preview, is followed now. */
static void
followed_cb (EarWindow *self, EarEpisode *episode)
{
  ear_window_list_podcast (self, episode);
  ear_window_show_page (self);
}

static void
playing_changed_cb (EarWindow *self)
{
  update_actions (self);
  if (ear_player_get_episode (get_player (self)) == NULL)
    adw_bottom_sheet_set_open (self->sheet, FALSE);
}

static void
narrow_changed_cb (EarWindow *self)
{
  arrange_panes (self);
  /* For style.css, which cannot ask for the size */
  ear_set_css_class (GTK_WIDGET (self), "narrow", self->narrow);
  if (!self->narrow)
    adw_bottom_sheet_set_open (self->sheet, FALSE);
  adw_bottom_sheet_set_bottom_bar (self->sheet, self->narrow ? self->strip : NULL);
}

static void
short_changed_cb (EarWindow *self)
{
  ear_set_css_class (GTK_WIDGET (self), "short", self->is_short);
}

static void
connect_signals (EarWindow *self)
{
  EarNotices *notices = ear_library_get_notices (self->library);
  EarPlayer *player = get_player (self);
  const struct
  {
    gpointer object;
    const char *signal;
    GCallback callback;
  } handlers[] = {
    { self, "notify::focus-widget", G_CALLBACK (keep_focus) },
    { self, "notify::is-active", G_CALLBACK (keep_focus) },
    { self->outer, "notify", G_CALLBACK (store_pane) },
    { self->inner, "notify", G_CALLBACK (store_pane) },
    { self->outer, "notify::show-content", G_CALLBACK (pane_changed_cb) },
    { self->inner, "notify::show-content", G_CALLBACK (pane_changed_cb) },
    { self->sheet, "notify::open", G_CALLBACK (keep_focus) },
    /* The first rows are there, or there will be none. */
    { self->episode_page, "notify::choosable", G_CALLBACK (keep_focus) },
    { self->episodes_page, "notify::refreshing", G_CALLBACK (keep_focus) },
    { player, "notify::episode", G_CALLBACK (playing_changed_cb) },
    { player, "notify::video", G_CALLBACK (video_changed_cb) },
    { player, "notify::state", G_CALLBACK (update_idle) },
    { ear_player_get_video_output (player), "notify::watched", G_CALLBACK (update_idle) },
    { self, "notify::fullscreened", G_CALLBACK (fullscreened_changed_cb) },
    { notices, "undo-offered", G_CALLBACK (undo_offered_cb) },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (handlers); i++)
    ear_connect (handlers[i].object, handlers[i].signal, handlers[i].callback, self);
}

static void
ear_window_constructed (GObject *object)
{
  static const char *const sizes[][2] = { { "window-width", "default-width" },
                                          { "window-height", "default-height" },
                                          { "window-maximized", "maximized" } };
  EarWindow *self = EAR_WINDOW (object);
  EarSettings *settings;
  g_autofree char *item = NULL;

  G_OBJECT_CLASS (ear_window_parent_class)->constructed (object);

  if (self->library == NULL)
    return;

  settings = ear_library_get_settings (self->library);
  ear_cover_provide (GTK_WIDGET (self), ear_library_get_covers (self->library));
  if (ear_player_get_video_output (get_player (self)) == NULL)
    {
      g_autoptr (EarVideoOutput) output = ear_video_output_new (TRUE);

      ear_player_set_video_output (get_player (self), output);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    g_object_bind_property (settings, sizes[i][0], self, sizes[i][1],
                            G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_get (settings, "selected-collection", &item, NULL);
  ear_sidebar_page_choose (self->sidebar_page, item);
  item_changed_cb (self);
  episode_changed_cb (self);
  playing_changed_cb (self);
  arrange_panes (self);
  restore_pane (self);
  connect_signals (self);
  self->announcer =
      ear_announcer_new (GTK_ACCESSIBLE (self), self->library, self->episodes_page);
}

/* Closes the dialogs, whose answers would be lost, and drops pending
 * addresses and files. */
static void
close_dialogs (EarWindow *self)
{
  g_autoptr (GListModel) dialogs =
      adw_application_window_get_dialogs (ADW_APPLICATION_WINDOW (self));

  g_ptr_array_set_size (self->openings, 0);
  for (guint i = g_list_model_get_n_items (dialogs); i > 0; i--)
    {
      g_autoptr (AdwDialog) dialog = g_list_model_get_item (dialogs, i - 1);

      /* A dialog that closes may have closed others. */
      if (dialog != NULL)
        adw_dialog_force_close (dialog);
    }
}

static void
ear_window_dispose (GObject *object)
{
  EarWindow *self = EAR_WINDOW (object);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (self->openings != NULL)
    close_dialogs (self);
  if (self->idle_cookie != 0 && application != NULL)
    gtk_application_uninhibit (application, g_steal_handle_id (&self->idle_cookie));
  g_signal_handlers_disconnect_by_func (self, fullscreened_changed_cb, self);
  g_signal_handlers_disconnect_by_func (self, keep_focus, self);
  g_clear_handle_id (&self->video_gone_source, g_source_remove);
  g_clear_handle_id (&self->focus_source, g_source_remove);
  g_clear_weak_pointer (&self->focus_before);
  self->last_pane = NULL;
  if (self->outer != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->outer, store_pane, self);
      g_signal_handlers_disconnect_by_func (self->inner, store_pane, self);
      /* AdwNavigationSplitView (1.7) updates its pane in an idle handler which does not
       * hold a reference to it: it has to live until then. */
      g_idle_add_once (g_object_unref, g_object_ref (self->outer));
      g_idle_add_once (g_object_unref, g_object_ref (self->inner));
    }
  g_clear_object (&self->announcer);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_WINDOW);
  ear_cover_provide (GTK_WIDGET (self), NULL);
  g_clear_object (&self->undo_toast);
  g_clear_object (&self->notices);
  g_clear_pointer (&self->openings, g_ptr_array_unref);
  if (self->library != NULL)
    {
      ear_item_actions_set_target (self->chosen_actions, NULL);
      ear_item_actions_set_target (self->row_actions, NULL);
    }
  g_clear_pointer (&self->undos, g_ptr_array_unref);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_window_parent_class)->dispose (object);
}

/* The window's action map has the actions until it is gone. */
static void
ear_window_finalize (GObject *object)
{
  EarWindow *self = EAR_WINDOW (object);

  ear_item_actions_free (self->chosen_actions);
  ear_item_actions_free (self->row_actions);

  G_OBJECT_CLASS (ear_window_parent_class)->finalize (object);
}

/* Goes back from anywhere in the window: AdwNavigationView sees only the keys of its own pages, not
 * those of the player bar.
 * @arguments: (nullable): the text direction in which the key means back */
static gboolean
go_back_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (widget);
  AdwNavigationSplitView *const views[] = { self->outer, self->inner };
  AdwDialog *dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self));

  /* The key comes here while the focus is not in the dialog: before its second frame, and
   * where the widget that had it is gone. */
  if (dialog != NULL && arguments == NULL)
    {
      adw_dialog_close (dialog);
      return GDK_EVENT_STOP;
    }
  if (ear_window_is_covered (self) ||
      (arguments != NULL &&
       g_variant_get_int32 (arguments) != (gint32) gtk_widget_get_direction (widget)))
    return GDK_EVENT_PROPAGATE;

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++)
    if (adw_navigation_split_view_get_collapsed (views[i]) &&
        adw_navigation_split_view_get_show_content (views[i]))
      {
        adw_navigation_split_view_set_show_content (views[i], FALSE);
        return GDK_EVENT_STOP;
      }

  return GDK_EVENT_PROPAGATE;
}

static void
ear_window_class_init (EarWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  /* The breakpoints set the last three. */
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarWindow, library) },
    { "collapsed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWindow, collapsed),
      .changed = G_CALLBACK (arrange_panes) },
    { "narrow", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWindow, narrow),
      .changed = G_CALLBACK (narrow_changed_cb) },
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWindow, is_short),
      .changed = G_CALLBACK (short_changed_cb) },
  };

  object_class->constructed = ear_window_constructed;
  object_class->dispose = ear_window_dispose;
  object_class->finalize = ear_window_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (GDK_TYPE_FILE_LIST);
  g_type_ensure (EAR_TYPE_SIDEBAR_PAGE);
  g_type_ensure (EAR_TYPE_EPISODES_PAGE);
  g_type_ensure (EAR_TYPE_EPISODE_PAGE);
  g_type_ensure (EAR_TYPE_IMPORT_BAR);
  g_type_ensure (EAR_TYPE_PLAYER_WIDGET);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-window.ui");
  gtk_widget_class_bind_template_child (widget_class, EarWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, front_toasts);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, notice_banner);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, sheet);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, strip);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, player_bar);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, video_screen);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, outer);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, inner);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, sidebar_page);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, episodes_page);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, episode_page);
  gtk_widget_class_bind_template_callback (widget_class, arrange_panes);
  gtk_widget_class_bind_template_callback (widget_class, ear_window_show_episodes);
  gtk_widget_class_bind_template_callback (widget_class, ear_window_show_page);
  gtk_widget_class_bind_template_callback (widget_class, dropped_cb);
  gtk_widget_class_bind_template_callback (widget_class, pressed_cb);
  gtk_widget_class_bind_template_callback (widget_class, item_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, menu_item_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, episode_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, followed_cb);
  gtk_widget_class_bind_template_callback (widget_class, notice_dismissed_cb);
  ear_closures_bind (widget_class);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, go_back_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, GDK_ALT_MASK, go_back_cb, "i",
                                GTK_TEXT_DIR_LTR);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, GDK_ALT_MASK, go_back_cb, "i",
                                GTK_TEXT_DIR_RTL);
}

static void
ear_window_init (EarWindow *self)
{
  self->chosen_actions = ear_item_actions_new (self);
  self->row_actions = ear_item_actions_new (self);
  /* Before the template, which names them */
  ear_window_add_actions (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_insert_action_group (GTK_WIDGET (self->episodes_page), "collection",
                                  ear_item_actions_get_group (self->chosen_actions));
  gtk_widget_insert_action_group (GTK_WIDGET (self->sidebar_page), "collection",
                                  ear_item_actions_get_group (self->row_actions));
  ear_accelerators_add_to_window (GTK_WIDGET (self));
  self->openings = g_ptr_array_new_with_free_func (g_free);
  self->undos = g_ptr_array_new_with_free_func (g_object_unref);
#if EAR_DEVEL
  gtk_widget_add_css_class (GTK_WIDGET (self), "devel");
#endif
}

/* @application: (nullable)
 * @notices: (nullable): messages that stay until they are dismissed */
EarWindow *
ear_window_new (GtkApplication *application, EarLibrary *library, GtkStringList *notices)
{
  EarWindow *self =
      g_object_new (EAR_TYPE_WINDOW, "application", application, "library", library, NULL);

  if (g_set_object (&self->notices, notices))
    {
      ear_connect (notices, "items-changed", notices_changed_cb, self);
      g_signal_connect (self, "map", G_CALLBACK (announce_notice), NULL);
      notices_changed_cb (self, 0);
    }

  return self;
}

/* Shows an episode's page, and a list that has it beside it. */
void
ear_window_show_episode (EarWindow *self, EarEpisode *episode)
{
  if (!ear_episodes_page_lists (self->episodes_page, episode))
    ear_sidebar_page_choose_podcast (self->sidebar_page, ear_episode_get_podcast (episode));
  ear_episodes_page_set_episode (self->episodes_page, episode);
  ear_window_show_page (self);
}
