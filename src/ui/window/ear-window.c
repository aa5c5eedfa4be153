/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-window.h"

#include "ear-accelerators.h"
#include "ear-closures.h"
#include "ear-cover.h"
#include "ear-import-bar.h"
#include "ear-player-pane.h"
#include "ear-property.h"
#include "ear-widget.h"
#include "ear-window-private.h"

/* A list that takes longer comes into a window that is there. */
#define PRESENT_LIMIT_MS 100

/**
 * EarWindow:
 *
 * Three panes and the player. Has no state of its own but which podcast and which
 * episode are shown; it can be closed and made anew while the player goes on.
 */
G_DEFINE_FINAL_TYPE (EarWindow, ear_window, ADW_TYPE_APPLICATION_WINDOW)

static void
collection_changed_cb (EarWindow *self)
{
  EarSidebarItem *collection = ear_sidebar_page_get_item (self->sidebar_page);

  ear_window_update_actions (self);
  if (collection != NULL)
    g_object_set (ear_library_get_settings (self->library), "selected-collection", ear_sidebar_item_get_name (collection), NULL);
}

static void
menu_collection_changed_cb (EarWindow *self)
{
  g_autoptr (EarSidebarItem) collection = NULL;

  g_object_get (self->sidebar_page, "menu-item", &collection, NULL);
  ear_sidebar_item_actions_set_target (self->row_actions, collection);
}

static void
podcast_activated_cb (EarWindow *self, EarPodcast *podcast)
{
  ear_sidebar_page_choose_podcast (self->sidebar_page, podcast);
  ear_window_show_episodes (self);
}

static void
episode_changed_cb (EarWindow *self)
{
  ear_window_update_actions (self);
  if (ear_episodes_page_get_episode (self->episodes_page) == NULL)
    adw_navigation_split_view_set_show_content (self->outer, FALSE);
  ear_window_remember_pane (self);
}

/* The page shows an episode of a preview, or of an unfollowed podcast. */
static void
followed_cb (EarWindow *self, EarEpisode *episode)
{
  ear_window_list_podcast (self, episode);
  ear_window_show_page (self);
}

/* Escape and Alt+Left, as AdwNavigationView has them, which only sees the keys of its own pages.
 * @arguments: (nullable): the direction of the window in which the key leads back */
static gboolean
go_back_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (widget);
  AdwNavigationSplitView *const views[] = { self->outer, self->inner };

  if (ear_window_is_covered (self) ||
      (arguments != NULL && g_variant_get_int32 (arguments) != (gint32) gtk_widget_get_direction (widget)))
    return GDK_EVENT_PROPAGATE;

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++)
    if (adw_navigation_split_view_get_collapsed (views[i]) && adw_navigation_split_view_get_show_content (views[i]))
      {
        adw_navigation_split_view_set_show_content (views[i], FALSE);
        return GDK_EVENT_STOP;
      }

  return GDK_EVENT_PROPAGATE;
}

static void
playing_changed_cb (EarWindow *self)
{
  ear_window_update_actions (self);
  if (ear_player_get_episode (ear_library_get_player (self->library)) == NULL)
    adw_bottom_sheet_set_open (self->sheet, FALSE);
}

static gboolean
is_toast_overlay (GtkWidget *widget)
{
  return ADW_IS_TOAST_OVERLAY (widget);
}

/* Finds the overlay that the listener sees: that of the topmost dialog that has one, else the window's. */
static AdwToastOverlay *
get_toast_overlay (EarWindow *self)
{
  GListModel *dialogs = adw_application_window_get_dialogs (ADW_APPLICATION_WINDOW (self));

  for (guint i = g_list_model_get_n_items (dialogs); i > 0; i--)
    {
      g_autoptr (GtkWidget) dialog = g_list_model_get_item (dialogs, i - 1);
      GtkWidget *overlay = ear_find_within (dialog, is_toast_overlay);

      if (overlay != NULL)
        return ADW_TOAST_OVERLAY (overlay);
    }

  if (adw_bottom_sheet_get_open (self->sheet) || gtk_widget_get_visible (self->video_screen))
    return self->front_toasts;

  return self->toasts;
}

/* Shows a toast in place of those before it.
 * @toast: (transfer full): about something that was just done */
void
ear_window_add_toast (EarWindow *self, AdwToast *toast)
{
  AdwToastOverlay *overlay = get_toast_overlay (self);

  adw_toast_set_use_markup (toast, FALSE);
  adw_toast_overlay_dismiss_all (overlay);
  adw_toast_overlay_add_toast (overlay, toast);
}

/* Shows the result of something that was just done. */
void
ear_window_show_reply (EarWindow *self, const char *message)
{
  g_return_if_fail (EAR_IS_WINDOW (self));

  ear_window_add_toast (self, adw_toast_new (message));
}

static void
update_notice_banner (EarWindow *self)
{
  const char *notice = gtk_string_list_get_string (self->notices, 0);

  adw_banner_set_title (self->notice_banner, notice != NULL ? notice : "");
  adw_banner_set_revealed (self->notice_banner, notice != NULL);
  if (notice != NULL)
    ear_announce (GTK_ACCESSIBLE (self), notice, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
notice_dismissed_cb (EarWindow *self)
{
  gtk_string_list_remove (self->notices, 0);
  update_notice_banner (self);
}

/* @lasting: whether the message stays until it is dismissed */
void
ear_window_show_notice (EarWindow *self, const char *message, gboolean lasting)
{
  g_return_if_fail (EAR_IS_WINDOW (self));

  if (!lasting)
    ear_window_show_reply (self, message);
  else if (gtk_string_list_find (self->notices, message) == G_MAXUINT)
    {
      gtk_string_list_append (self->notices, message);
      if (g_list_model_get_n_items (G_LIST_MODEL (self->notices)) == 1)
        update_notice_banner (self);
    }
}

static void
stop_waiting (EarWindow *self)
{
  g_clear_handle_id (&self->present_source, g_source_remove);
  if (self->awaited != NULL)
    g_signal_handlers_disconnect_by_data (self->awaited, self);
  g_clear_object (&self->awaited);
}

static void
present (EarWindow *self)
{
  stop_waiting (self);
  gtk_window_present (GTK_WINDOW (self));
}

static gboolean
present_limit_cb (gpointer user_data)
{
  EarWindow *self = user_data;

  self->present_source = 0;
  present (self);

  return G_SOURCE_REMOVE;
}

static void
narrow_changed_cb (EarWindow *self)
{
  ear_window_arrange_panes (self);
  /* For style.css, which cannot ask for the size. */
  ear_set_css_class (GTK_WIDGET (self), "narrow", self->narrow);
  if (!self->narrow)
    adw_bottom_sheet_set_open (self->sheet, FALSE);
  adw_bottom_sheet_set_bottom_bar (self->sheet, self->narrow ? self->strip : NULL);
  if (self->narrow)
    ear_window_show_last_episode (self);
}

static void
short_changed_cb (EarWindow *self)
{
  ear_set_css_class (GTK_WIDGET (self), "short", self->is_short);
}

static void
bind_settings (EarWindow *self)
{
  EarSettings *settings = ear_library_get_settings (self->library);

  g_object_bind_property (settings, "window-width", self, "default-width", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (settings, "window-height", self, "default-height", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (settings, "window-maximized", self, "maximized", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
}

static void
dialog_changed_cb (EarWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL)
    ear_accelerators_set_modal (application, adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self)) != NULL);
}

static void
ear_window_constructed (GObject *object)
{
  EarWindow *self = EAR_WINDOW (object);
  g_autofree char *collection = NULL;

  G_OBJECT_CLASS (ear_window_parent_class)->constructed (object);

  if (self->library == NULL)
    return;

  ear_cover_provide (GTK_WIDGET (self), ear_library_get_covers (self->library));
  ear_window_begin_video (self);
  bind_settings (self);
  g_object_get (ear_library_get_settings (self->library), "selected-collection", &collection, NULL);
  ear_sidebar_page_choose (self->sidebar_page, collection);
  collection_changed_cb (self);
  episode_changed_cb (self);
  playing_changed_cb (self);
  /* Where there are podcasts from the beginning, nothing else asks for it. */
  ear_window_arrange_panes (self);
  ear_window_restore_pane (self);
  ear_window_begin_focus (self);
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (ear_window_keep_focus), NULL);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (ear_window_keep_focus), NULL);
  g_signal_connect (self, "notify::visible-dialog", G_CALLBACK (dialog_changed_cb), NULL);
  g_signal_connect_object (self->outer, "notify", G_CALLBACK (ear_window_remember_pane), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->inner, "notify", G_CALLBACK (ear_window_remember_pane), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sheet, "notify::open", G_CALLBACK (ear_window_keep_focus), self, G_CONNECT_SWAPPED);
  self->announcer = ear_announcer_new (GTK_ACCESSIBLE (self), self->library, self->episodes_page);
  g_signal_connect_object (ear_library_get_player (self->library), "notify::episode", G_CALLBACK (playing_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_notices (self->library), "notify::changing", G_CALLBACK (ear_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_notices (self->library), "undo-offered", G_CALLBACK (ear_window_offer_undo), self, G_CONNECT_SWAPPED);
}

/* What is asked in them has no answer any more: what waits for one is to stop, and nothing that was handed
 * over is looked at after it. */
static void
close_dialogs (EarWindow *self)
{
  g_autoptr (GListModel) dialogs = adw_application_window_get_dialogs (ADW_APPLICATION_WINDOW (self));

  g_ptr_array_set_size (self->openings, 0);
  for (guint i = g_list_model_get_n_items (dialogs); i > 0; i--)
    {
      g_autoptr (AdwDialog) dialog = g_list_model_get_item (dialogs, i - 1);

      /* One that closes may have closed others. */
      if (dialog != NULL)
        adw_dialog_force_close (dialog);
    }
}

static gboolean
outlived_cb (gpointer user_data)
{
  return G_SOURCE_REMOVE;
}

/* AdwNavigationSplitView (libadwaita 1.7) remembers in an idle handler that the pane has changed, without asking whether
 * it is still there: it has to outlive that. */
static void
outlive_change (AdwNavigationSplitView *view)
{
  g_idle_add_full (G_PRIORITY_LOW, outlived_cb, g_object_ref (view), g_object_unref);
}

static void
ear_window_dispose (GObject *object)
{
  EarWindow *self = EAR_WINDOW (object);

  if (self->openings != NULL)
    close_dialogs (self);
  ear_window_end_video (self);
  g_signal_handlers_disconnect_by_func (self, ear_window_keep_focus, NULL);
  g_clear_handle_id (&self->focus_idle, g_source_remove);
  self->last_pane = NULL;
  if (self->outer != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->outer, ear_window_remember_pane, self);
      g_signal_handlers_disconnect_by_func (self->inner, ear_window_remember_pane, self);
      outlive_change (self->outer);
      outlive_change (self->inner);
    }
  g_clear_object (&self->announcer);
  g_cancellable_cancel (self->restoring);
  g_clear_object (&self->restoring);
  g_clear_object (&self->shown_last);
  stop_waiting (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_WINDOW);
  ear_cover_provide (GTK_WIDGET (self), NULL);
  g_clear_object (&self->undo);
  g_clear_object (&self->undo_toast);
  g_clear_object (&self->notices);
  g_clear_pointer (&self->openings, g_ptr_array_unref);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_window_parent_class)->dispose (object);
}

/* The actions stand among the window's own for as long as it has any. */
static void
ear_window_finalize (GObject *object)
{
  EarWindow *self = EAR_WINDOW (object);

  g_clear_object (&self->chosen_actions);
  g_clear_object (&self->row_actions);

  G_OBJECT_CLASS (ear_window_parent_class)->finalize (object);
}

static void
ear_window_class_init (EarWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* What the window shows */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY, G_STRUCT_OFFSET (EarWindow, library) },
    /* Whether there is no room for the sidebar beside the other panes; set by a breakpoint */
    { "collapsed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWindow, collapsed),
      .changed = G_CALLBACK (ear_window_arrange_panes) },
    /* Whether there is only room for one pane; set by a breakpoint */
    { "narrow", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWindow, narrow),
      .changed = G_CALLBACK (narrow_changed_cb) },
    /* Whether there is room for a few rows only; set by a breakpoint */
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWindow, is_short),
      .changed = G_CALLBACK (short_changed_cb) },
  };

  object_class->constructed = ear_window_constructed;
  object_class->dispose = ear_window_dispose;
  object_class->finalize = ear_window_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_SIDEBAR_PAGE);
  g_type_ensure (EAR_TYPE_EPISODES_PAGE);
  g_type_ensure (EAR_TYPE_EPISODE_PAGE);
  g_type_ensure (EAR_TYPE_IMPORT_BAR);
  g_type_ensure (EAR_TYPE_PLAYER_PANE);
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
  gtk_widget_class_bind_template_callback (widget_class, ear_window_arrange_panes);
  gtk_widget_class_bind_template_callback (widget_class, ear_window_show_episodes);
  gtk_widget_class_bind_template_callback (widget_class, ear_window_show_page);
  gtk_widget_class_bind_template_callback (widget_class, collection_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, menu_collection_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, podcast_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, episode_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, followed_cb);
  gtk_widget_class_bind_template_callback (widget_class, notice_dismissed_cb);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, go_back_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, GDK_ALT_MASK, go_back_cb, "i", GTK_TEXT_DIR_LTR);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, GDK_ALT_MASK, go_back_cb, "i", GTK_TEXT_DIR_RTL);
  ear_closures_bind (widget_class);
}

static void
ear_window_init (EarWindow *self)
{
  self->chosen_actions = ear_sidebar_item_actions_new (self);
  self->row_actions = ear_sidebar_item_actions_new (self);
  ear_window_add_actions (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_insert_action_group (GTK_WIDGET (self->episodes_page), "collection", ear_sidebar_item_actions_get_group (self->chosen_actions));
  gtk_widget_insert_action_group (GTK_WIDGET (self->sidebar_page), "collection", ear_sidebar_item_actions_get_group (self->row_actions));
  ear_accelerators_add_to_window (GTK_WIDGET (self));
  self->openings = g_ptr_array_new_with_free_func (g_free);
  self->notices = gtk_string_list_new (NULL);
  ear_window_take_drops (self);
#if EAR_DEVEL
  gtk_widget_add_css_class (GTK_WIDGET (self), "devel");
#endif
}

EarWindow *
ear_window_new (GtkApplication *application, EarLibrary *library)
{
  return g_object_new (EAR_TYPE_WINDOW, "application", application, "library", library, NULL);
}

/* Presents the window. The first time it waits a moment for the rows of its list, so that all is laid out and drawn
 * once and not twice. */
void
ear_window_present_soon (EarWindow *self)
{
  EarEpisodeList *list;

  g_return_if_fail (EAR_IS_WINDOW (self));

  list = ear_episodes_page_get_list (self->episodes_page);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) || list == NULL || !ear_episode_list_get_loading (list))
    {
      present (self);
      return;
    }
  if (self->awaited != NULL)
    return;

  self->awaited = g_object_ref (list);
  g_signal_connect_swapped (list, "notify::loading", G_CALLBACK (present), self);
  self->present_source = g_timeout_add (PRESENT_LIMIT_MS, present_limit_cb, self);
}

/* Shows an episode's page, and its podcast beside it. */
void
ear_window_show_episode (EarWindow *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_WINDOW (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (!ear_episodes_page_lists (self->episodes_page, episode))
    ear_sidebar_page_choose_podcast (self->sidebar_page, ear_episode_get_podcast (episode));
  ear_episodes_page_set_episode (self->episodes_page, episode);
  ear_window_show_page (self);
}

EarPodcast *
ear_window_get_podcast (EarWindow *self)
{
  EarSidebarItem *collection = ear_sidebar_page_get_item (self->sidebar_page);

  return collection != NULL ? ear_sidebar_item_get_podcast (collection) : NULL;
}

/* Goes to the list of episodes, where there is room for one pane only; to the sidebar, if nothing is followed and so
 * nothing can be listed. Closes the sheet of the player, which would cover it. */
void
ear_window_show_episodes (EarWindow *self)
{
  adw_bottom_sheet_set_open (self->sheet, FALSE);
  adw_navigation_split_view_set_show_content (self->outer, FALSE);
  adw_navigation_split_view_set_show_content (self->inner, ear_sidebar_page_get_item (self->sidebar_page) != NULL);
}

/* Goes to the page of the episode, where there is room for one pane only. Its Back button leads to the list, or past it
 * to the sidebar, if nothing is followed. */
void
ear_window_show_page (EarWindow *self)
{
  adw_bottom_sheet_set_open (self->sheet, FALSE);
  adw_navigation_split_view_set_show_content (self->inner, ear_sidebar_page_get_item (self->sidebar_page) != NULL);
  adw_navigation_split_view_set_show_content (self->outer, TRUE);
}
