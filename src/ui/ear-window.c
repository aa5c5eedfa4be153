/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-window.h"

#include <glib/gi18n.h>

#include "ear-accelerators.h"
#include "ear-add-dialog.h"
#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-episode-actions.h"
#include "ear-episode-page.h"
#include "ear-player-bar.h"
#include "ear-player-sheet.h"
#include "ear-player-strip.h"
#include "ear-podcast-dialog.h"
#include "ear-episodes-page.h"
#include "ear-sidebar-page.h"

/**
 * EarWindow:
 *
 * Three panes and the player. Has no state of its own but which podcast and which
 * episode are shown; it can be closed and made anew while the player goes on.
 */
struct _EarWindow
{
  AdwApplicationWindow parent_instance;

  /* Template children */
  AdwToastOverlay *toasts;
  AdwBottomSheet *sheet;
  GtkWidget *strip;
  AdwNavigationSplitView *outer;
  AdwNavigationSplitView *inner;
  EarSidebarPage *sidebar_page;
  EarEpisodesPage *episodes_page;
  EarEpisodePage *episode_page;

  /* Owned */
  EarLibrary *library;
  GSignalGroup *podcast_signals;
  gboolean narrow;
};

G_DEFINE_FINAL_TYPE (EarWindow, ear_window, ADW_TYPE_APPLICATION_WINDOW)

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_NARROW,
} EarWindowProperty;

static GParamSpec *props[PROP_NARROW + 1];

static void
add_toast (EarWindow *self, AdwToast *toast)
{
  adw_toast_overlay_add_toast (self->toasts, toast);
}

static EarPodcast *
get_podcast (EarWindow *self)
{
  return ear_sidebar_page_get_podcast (self->sidebar_page);
}

static void
podcast_activated_cb (EarWindow *self)
{
  adw_navigation_split_view_set_show_content (self->inner, FALSE);
  adw_navigation_split_view_set_show_content (self->outer, TRUE);
}

static void
episode_activated_cb (EarWindow *self)
{
  adw_navigation_split_view_set_show_content (self->inner, TRUE);
}

static void
set_action_enabled (EarWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

/* A podcast that was just followed has no web page before its feed has come. */
static void
site_changed_cb (EarWindow *self)
{
  EarPodcast *podcast = get_podcast (self);

  set_action_enabled (self, "open-site", podcast != NULL && ear_podcast_get_facts (podcast)->link != NULL);
}

static void
podcast_changed_cb (EarWindow *self)
{
  EarPodcast *podcast = get_podcast (self);

  g_signal_group_set_target (self->podcast_signals, podcast);
  site_changed_cb (self);
  set_action_enabled (self, "refresh", podcast != NULL);
  set_action_enabled (self, "unfollow", podcast != NULL);
  set_action_enabled (self, "podcast-details", podcast != NULL);
  set_action_enabled (self, "copy-feed", podcast != NULL);
  set_action_enabled (self, "search", podcast != NULL);
  if (podcast != NULL)
    g_object_set (ear_library_get_settings (self->library), "selected-podcast", ear_podcast_get_address (podcast), NULL);
}

static void
episode_changed_cb (EarWindow *self)
{
  const gboolean chosen = ear_episodes_page_get_episode (self->episodes_page) != NULL;

  set_action_enabled (self, "play-selected", chosen);
  set_action_enabled (self, "toggle-listened", chosen);
  set_action_enabled (self, "open-link", chosen);
  set_action_enabled (self, "copy-link", chosen);
  if (!chosen)
    adw_navigation_split_view_set_show_content (self->inner, FALSE);
}

static void
playing_changed_cb (EarWindow *self)
{
  set_action_enabled (self, "show-playing", ear_library_get_episode (self->library) != NULL);
  if (ear_library_get_episode (self->library) == NULL)
    adw_bottom_sheet_set_open (self->sheet, FALSE);
}

static EarPodcast *
find_podcast (EarWindow *self, const char *address)
{
  GListModel *podcasts = ear_library_get_podcasts (self->library);

  for (guint i = 0; podcasts != NULL && i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (g_strcmp0 (ear_podcast_get_address (podcast), address) == 0)
        return podcast;
    }

  return NULL;
}

static void
add_podcast (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarAddDialog *dialog = ear_add_dialog_new (self->library);

  g_signal_connect_object (dialog, "followed", G_CALLBACK (ear_sidebar_page_set_podcast), self->sidebar_page, G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "followed", G_CALLBACK (podcast_activated_cb), self, G_CONNECT_SWAPPED);
  adw_dialog_present (ADW_DIALOG (dialog), GTK_WIDGET (self));
}

static void
podcast_details (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  adw_dialog_present (ADW_DIALOG (ear_podcast_dialog_new (self->library, get_podcast (self))), GTK_WIDGET (self));
}

static void
refresh (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  if (get_podcast (self) != NULL)
    ear_library_refresh (self->library, get_podcast (self));
}

static void
follow_again (EarWindow *self, const char *address, const char *title)
{
  EarPodcast *podcast = ear_library_follow (self->library, address, title);

  if (podcast != NULL)
    ear_sidebar_page_set_podcast (self->sidebar_page, podcast);
}

static void
unfollow (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  g_autoptr (EarPodcast) podcast = get_podcast (self) != NULL ? g_object_ref (get_podcast (self)) : NULL;
  const char *title;
  g_autofree char *message = NULL;
  AdwToast *toast;

  if (podcast == NULL)
    return;

  title = ear_podcast_get_title (podcast);
  /* Translators: %s is the title of a podcast */
  message = g_strdup_printf (_("Unfollowed “%s”"), title);
  toast = adw_toast_new (message);
  adw_toast_set_use_markup (toast, FALSE);
  adw_toast_set_button_label (toast, _("_Undo"));
  adw_toast_set_action_name (toast, "win.follow-again");
  adw_toast_set_action_target (toast, "(ss)", ear_podcast_get_address (podcast), title != NULL ? title : "");
  ear_library_unfollow (self->library, podcast);
  if (get_podcast (self) == NULL)
    adw_navigation_split_view_set_show_content (self->outer, FALSE);
  add_toast (self, toast);
}

static void
follow_again_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const char *address;
  const char *title;

  g_variant_get (parameter, "(&s&s)", &address, &title);
  follow_again (EAR_WINDOW (user_data), address, *title != '\0' ? title : NULL);
}

static void
copy_feed (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  if (get_podcast (self) == NULL)
    return;

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), ear_podcast_get_address (get_podcast (self)));
  ear_window_show_notice (self, _("Copied"), FALSE);
}

static void
open_site (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  if (get_podcast (self) != NULL)
    ear_open_address (GTK_WIDGET (self), ear_podcast_get_facts (get_podcast (self))->link);
}

static void
search (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  podcast_activated_cb (self);
  ear_episodes_page_begin_search (self->episodes_page);
}

static void
show_playing (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarEpisode *episode = ear_library_get_episode (self->library);

  adw_bottom_sheet_set_open (self->sheet, FALSE);
  if (episode != NULL)
    ear_window_show_episode (self, episode);
}

static void
play_selected (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarEpisode *episode = ear_episodes_page_get_episode (self->episodes_page);

  if (episode != NULL)
    ear_library_toggle (self->library, episode, ear_episodes_page_get_list (self->episodes_page));
}

/* For what has a key or is driven from outside: the actions of the episode that is shown. */
static void
episode_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  g_autofree char *name = g_strconcat ("episode.", g_action_get_name (G_ACTION (action)), NULL);

  gtk_widget_activate_action_variant (GTK_WIDGET (self->episode_page), name, NULL);
}

static void
select_podcast (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarPodcast *podcast = find_podcast (self, g_variant_get_string (parameter, NULL));

  if (podcast == NULL)
    return;

  ear_sidebar_page_set_podcast (self->sidebar_page, podcast);
  podcast_activated_cb (self);
}

/* By its place in the list. */
static void
select_episode (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarEpisodeList *list = ear_episodes_page_get_list (self->episodes_page);
  g_autoptr (EarEpisode) episode = list != NULL ? g_list_model_get_item (G_LIST_MODEL (list), g_variant_get_uint32 (parameter)) : NULL;

  if (episode == NULL)
    return;

  ear_episodes_page_set_episode (self->episodes_page, episode);
  episode_activated_cb (self);
}

static void
open_player (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  if (self->narrow && ear_library_get_episode (self->library) != NULL)
    adw_bottom_sheet_set_open (self->sheet, TRUE);
}

static void
main_menu (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  adw_navigation_split_view_set_show_content (self->outer, FALSE);
  ear_sidebar_page_open_menu (self->sidebar_page);
}

static void
notify_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ear_window_show_notice (EAR_WINDOW (user_data), g_variant_get_string (parameter, NULL), FALSE);
}

static const GActionEntry actions[] = {
  { "add-podcast", add_podcast },
  { "refresh", refresh },
  { "unfollow", unfollow },
  { "follow-again", follow_again_action, "(ss)" },
  { "podcast-details", podcast_details },
  { "copy-feed", copy_feed },
  { "open-site", open_site },
  { "search", search },
  { "show-playing", show_playing },
  { "play-selected", play_selected },
  { "toggle-listened", episode_action },
  { "open-link", episode_action },
  { "copy-link", episode_action },
  { "select-podcast", select_podcast, "s" },
  { "select-episode", select_episode, "u" },
  { "open-player", open_player },
  { "main-menu", main_menu },
  { "notify", notify_action, "s" },
};

static void
restore_podcast (EarWindow *self)
{
  g_autofree char *address = NULL;
  EarPodcast *podcast;

  g_object_get (ear_library_get_settings (self->library), "selected-podcast", &address, NULL);
  podcast = find_podcast (self, address);
  if (podcast != NULL)
    ear_sidebar_page_set_podcast (self->sidebar_page, podcast);
}

static void
set_narrow (EarWindow *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;

  self->narrow = narrow;
  if (!narrow)
    adw_bottom_sheet_set_open (self->sheet, FALSE);
  adw_bottom_sheet_set_bottom_bar (self->sheet, narrow ? self->strip : NULL);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NARROW]);
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
ear_window_constructed (GObject *object)
{
  EarWindow *self = EAR_WINDOW (object);

  G_OBJECT_CLASS (ear_window_parent_class)->constructed (object);

  if (self->library == NULL)
    return;

  bind_settings (self);
  restore_podcast (self);
  podcast_changed_cb (self);
  episode_changed_cb (self);
  playing_changed_cb (self);
  g_signal_connect_object (self->library, "notify::episode", G_CALLBACK (playing_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
ear_window_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarWindow *self = EAR_WINDOW (object);

  switch ((EarWindowProperty) property_id)
    {
    case PROP_LIBRARY:
      g_value_set_object (value, self->library);
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_window_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarWindow *self = EAR_WINDOW (object);

  switch ((EarWindowProperty) property_id)
    {
    case PROP_LIBRARY:
      self->library = g_value_dup_object (value);
      if (self->library != NULL)
        ear_cover_image_provide (GTK_WIDGET (self), ear_library_get_covers (self->library));
      break;
    case PROP_NARROW:
      set_narrow (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_window_dispose (GObject *object)
{
  EarWindow *self = EAR_WINDOW (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_WINDOW);
  ear_cover_image_provide (GTK_WIDGET (self), NULL);
  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_window_parent_class)->dispose (object);
}

static void
ear_window_class_init (EarWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = ear_window_constructed;
  object_class->get_property = ear_window_get_property;
  object_class->set_property = ear_window_set_property;
  object_class->dispose = ear_window_dispose;

  /**
   * EarWindow:library:
   *
   * What the window shows.
   */
  props[PROP_LIBRARY] =
    g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  /**
   * EarWindow:narrow:
   *
   * Whether there is only room for one pane; set by a breakpoint.
   */
  props[PROP_NARROW] =
    g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  g_type_ensure (EAR_TYPE_SIDEBAR_PAGE);
  g_type_ensure (EAR_TYPE_EPISODES_PAGE);
  g_type_ensure (EAR_TYPE_EPISODE_PAGE);
  g_type_ensure (EAR_TYPE_PLAYER_BAR);
  g_type_ensure (EAR_TYPE_PLAYER_STRIP);
  g_type_ensure (EAR_TYPE_PLAYER_SHEET);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-window.ui");
  gtk_widget_class_bind_template_child (widget_class, EarWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, sheet);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, strip);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, outer);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, inner);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, sidebar_page);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, episodes_page);
  gtk_widget_class_bind_template_child (widget_class, EarWindow, episode_page);
  gtk_widget_class_bind_template_callback (widget_class, podcast_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, episode_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, podcast_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, episode_changed_cb);
  ear_closures_bind (widget_class);
}

static void
ear_window_init (EarWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::link", G_CALLBACK (site_changed_cb), self);
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_accelerators_add_to_window (GTK_WIDGET (self));
#if EAR_DEVEL
  gtk_widget_add_css_class (GTK_WIDGET (self), "devel");
#endif
}

/**
 * ear_window_new:
 * @application: the application
 * @library: what the window shows
 *
 * Returns: (transfer none): a window, not presented yet
 */
EarWindow *
ear_window_new (GtkApplication *application, EarLibrary *library)
{
  return g_object_new (EAR_TYPE_WINDOW, "application", application, "library", library, NULL);
}

/**
 * ear_window_show_notice:
 * @self: the window
 * @message: translated words
 * @lasting: whether it stays until it is closed
 *
 * Tells the listener something.
 */
void
ear_window_show_notice (EarWindow *self, const char *message, gboolean lasting)
{
  AdwToast *toast;

  g_return_if_fail (EAR_IS_WINDOW (self));

  toast = adw_toast_new (message);
  adw_toast_set_use_markup (toast, FALSE);
  if (lasting)
    adw_toast_set_timeout (toast, 0);
  add_toast (self, toast);
}

/**
 * ear_window_show_episode:
 * @self: the window
 * @episode: an episode of a followed podcast
 *
 * Shows an episode's page, and its podcast beside it.
 */
void
ear_window_show_episode (EarWindow *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_WINDOW (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  ear_sidebar_page_set_podcast (self->sidebar_page, ear_episode_get_podcast (episode));
  ear_episodes_page_set_episode (self->episodes_page, episode);
  adw_navigation_split_view_set_show_content (self->outer, TRUE);
  adw_navigation_split_view_set_show_content (self->inner, TRUE);
}
