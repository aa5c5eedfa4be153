/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-page.h"

#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-download-icon.h"
#include "ear-episode-actions.h"
#include "ear-format-episode.h"
#include "ear-format.h"
#include "ear-pane-layout.h"
#include "ear-people.h"
#include "ear-player-pane.h"
#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarEpisodePage:
 *
 * The third pane: an episode with its buttons, and the tabs of its notes, chapters, transcript and
 * links.
 */
struct _EarEpisodePage
{
  AdwNavigationPage parent_instance;

  /* Template children */
  GtkScrolledWindow *scroller;
  GtkWidget *buttons;
  EarEpisodeTabs *tabs;
  GtkWidget *play_button;
  GtkWidget *listened_button;
  GtkWidget *queue_button;
  GtkWidget *download_button;
  GtkWidget *follow_button;
  GtkMenuButton *menu_button;

  /* Borrowed */
  EarEpisodeActions *actions; /* live as long as the page */

  /* Owned */
  EarLibrary *library;
  EarEpisode *episode;
  EarEpisodeList *list; /* (nullable): what it was chosen from */
  GSignalGroup *episode_signals;
  GSignalGroup *podcast_signals;
  char *facts;
  char *people;
  char *download_text;
  char *podcast_action;
  gboolean narrow;
  gboolean alone;
  gboolean is_short;
  gboolean choosable;
  gboolean pictured;
  gboolean scrolled;
  int n_ticked;      /* episodes in the list, or -1 */
  int download_step; /* tenths that were told, or -1 */
};

G_DEFINE_FINAL_TYPE (EarEpisodePage, ear_episode_page, ADW_TYPE_NAVIGATION_PAGE)

static void
update_facts (EarEpisodePage *self)
{
  g_autofree char *facts = self->episode != NULL ? ear_format_episode (self->episode) : NULL;
  g_autofree char *people =
    self->episode != NULL ? ear_people_format_of_episode (self->episode) : NULL;

  ear_property_set_string (self, "facts", facts);
  ear_property_set_string (self, "people", people);
}

static void
update_download_text (EarEpisodePage *self)
{
  const gboolean running =
    self->episode != NULL && ear_episode_get_download (self->episode) == EAR_DOWNLOAD_RUNNING;
  g_autofree char *text = running ? ear_format_download (self->episode) : NULL;

  ear_property_set_string (self, "download-text", text);
}

/* A screen reader announces the progress in steps of ten percent. */
static void
update_download_progress (EarEpisodePage *self)
{
  GtkAccessible *button = GTK_ACCESSIBLE (self->download_button);
  const double progress =
    self->episode != NULL ? ear_episode_get_download_progress (self->episode) : 0;
  int step = -1;
  g_autofree char *text = NULL;

  if (self->episode != NULL && ear_episode_get_download (self->episode) == EAR_DOWNLOAD_RUNNING &&
      progress >= 0)
    step = (int) (progress * 10);
  update_download_text (self);
  if (self->download_step == step)
    return;

  self->download_step = step;
  if (step < 0)
    {
      gtk_accessible_reset_property (button, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
      return;
    }
  text = ear_format_percent (step * 10);
  gtk_accessible_update_property (button, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* Buttons that would do nothing for this episode are hidden. */
static void
update_actions (EarEpisodePage *self)
{
  const gboolean playable =
    self->episode != NULL && ear_episode_get_enclosure (self->episode) != NULL;
  EarPodcast *podcast = self->episode != NULL ? ear_episode_get_podcast (self->episode) : NULL;

  gtk_widget_set_visible (self->play_button, playable);
  gtk_widget_set_visible (self->queue_button, playable);
  gtk_widget_set_visible (self->download_button, ear_episode_actions_can_download (self->episode));
  gtk_widget_set_visible (self->follow_button,
                          podcast != NULL && !ear_podcast_get_followed (podcast));
}

static void
episode_notify_cb (EarEpisodePage *self, GParamSpec *pspec)
{
  /* Notified four times a second, with all else unchanged */
  update_download_progress (self);
  if (g_str_equal (pspec->name, "download-progress"))
    return;

  update_facts (self);
  update_actions (self);
}

/* The episode of this page, which need not be the one that is chosen in the window. */
static void
toggle_playing (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (widget);

  if (self->episode != NULL && self->library != NULL)
    ear_play_control_toggle (ear_library_get_play_control (self->library), self->episode,
                             self->list);
}

static void
follow (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (widget);
  EarPodcast *podcast = self->episode != NULL ? ear_episode_get_podcast (self->episode) : NULL;
  /* The page may show another episode once there is a podcast to list. */
  g_autoptr (EarEpisode) episode = self->episode != NULL ? g_object_ref (self->episode) : NULL;

  if (podcast == NULL || self->library == NULL)
    return;

  if (ear_subscriptions_follow (ear_library_get_subscriptions (self->library),
                                ear_podcast_get_address (podcast),
                                ear_podcast_get_title (podcast)) != NULL)
    g_signal_emit_by_name (self, "followed", episode);
}

/* The header bar shows the title and Play while the page's own are scrolled out of sight. */
static void
update_scrolled (EarEpisodePage *self)
{
  GtkWidget *viewport = gtk_scrolled_window_get_child (self->scroller);
  const double value =
    gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (self->scroller));
  GtkWidget *content = gtk_widget_get_first_child (viewport);
  graphene_rect_t bounds;

  ear_property_set_boolean (self, "scrolled",
                            value > 0 &&
                              gtk_widget_compute_bounds (self->buttons, content, &bounds) &&
                              value > (double) (bounds.origin.y + bounds.size.height / 2));
}

/* Focus the Play button of a page that fills the window: GTK would focus the title, which is
 * selectable text. */
static void
ear_episode_page_shown (AdwNavigationPage *page)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (page);

  if (self->alone)
    ear_episode_page_enter (self);
}

static void
ear_episode_page_dispose (GObject *object)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_PAGE);
  g_clear_object (&self->episode_signals);
  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->episode);
  g_clear_object (&self->list);
  g_clear_object (&self->library);
  g_clear_pointer (&self->facts, g_free);
  g_clear_pointer (&self->people, g_free);
  g_clear_pointer (&self->download_text, g_free);
  g_clear_pointer (&self->podcast_action, g_free);

  G_OBJECT_CLASS (ear_episode_page_parent_class)->dispose (object);
}

static void
ear_episode_page_class_init (EarEpisodePageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, library) },
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, episode),
      .set = G_CALLBACK (ear_episode_page_set_episode) },
    /* The list that the episode was chosen from, and that plays on after it */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, list) },
    /* The line below the title */
    { "facts", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodePage, facts) },
    /* The action that the podcast's name has: it leads to the list of its episodes */
    { "podcast-action", G_TYPE_STRING, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarEpisodePage, podcast_action) },
    /* Hosts and guests, where the feed names them */
    { "people", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodePage, people) },
    /* How much of the episode is there while it is downloaded: "42 % of 16 MB" */
    { "download-text", G_TYPE_STRING, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarEpisodePage, download_text) },
    /* Whether there is only room for one column */
    { "narrow", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, narrow) },
    /* Whether no other pane is beside the page, so that it has a Back button */
    { "alone", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, alone) },
    /* Whether there is no room for more than the words: the cover makes way */
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, is_short) },
    /* Whether there are episodes to choose from: where there are none, nothing is said of choosing
     */
    { "choosable", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, choosable) },
    /* Whether the picture of the episode, which plays, is shown */
    { "pictured", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, pictured) },
    /* Whether the title and the buttons have scrolled out of sight */
    { "scrolled", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodePage, scrolled) },
    /* How many episodes are ticked beside it, in whose place none is shown; or -1 */
    { .spec = g_param_spec_int ("n-ticked", NULL, NULL, -1, G_MAXINT, -1, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarEpisodePage, n_ticked) },
  };

  object_class->dispose = ear_episode_page_dispose;
  ADW_NAVIGATION_PAGE_CLASS (klass)->shown = ear_episode_page_shown;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* The listener followed the podcast of the episode. */
  g_signal_new ("followed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, EAR_TYPE_EPISODE);

  gtk_widget_class_install_action (widget_class, "episode.toggle-playing", NULL, toggle_playing);
  gtk_widget_class_install_action (widget_class, "episode.follow", NULL, follow);

  g_type_ensure (EAR_TYPE_COVER_IMAGE);
  g_type_ensure (EAR_TYPE_DOWNLOAD_ICON);
  g_type_ensure (EAR_TYPE_EPISODE_TABS);
  g_type_ensure (EAR_TYPE_PANE_LAYOUT);
  g_type_ensure (EAR_TYPE_PLAYER_PANE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-episode-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, buttons);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, tabs);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, play_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, queue_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, download_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, follow_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, listened_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, menu_button);
  ear_closures_bind (widget_class);
}

static void
ear_episode_page_init (EarEpisodePage *self)
{
  g_autoptr (GMenuModel) menu = ear_episode_menu_new (EAR_EPISODE_MENU_PAGE);

  self->n_ticked = -1;
  self->download_step = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = ear_episode_actions_add (GTK_WIDGET (self));
  ear_menu_later_set (self->menu_button, menu);
  self->episode_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->episode_signals, "notify", G_CALLBACK (episode_notify_cb),
                                  self);
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (self->scroller), "value-changed",
                           G_CALLBACK (update_scrolled), self, G_CONNECT_SWAPPED);
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::followed",
                                  G_CALLBACK (update_actions), self);
  update_actions (self);
}

/* Shows an episode. */
void
ear_episode_page_set_episode (EarEpisodePage *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_EPISODE_PAGE (self));

  if (!g_set_object (&self->episode, episode))
    return;

  g_signal_group_set_target (self->episode_signals, episode);
  g_signal_group_set_target (self->podcast_signals,
                             episode != NULL ? ear_episode_get_podcast (episode) : NULL);
  update_facts (self);
  update_download_progress (self);
  ear_episode_actions_set_episode (self->actions, episode);
  update_actions (self);
  g_object_notify (G_OBJECT (self), "episode");
}

/* Focuses Play, or else the next button; the notes follow. */
gboolean
ear_episode_page_enter (EarEpisodePage *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_PAGE (self), FALSE);

  if (self->episode == NULL)
    return FALSE;

  return gtk_widget_grab_focus (gtk_widget_get_visible (self->play_button) ? self->play_button
                                                                           : self->listened_button);
}

/* Returns: (transfer none): what there is to read of the episode */
EarEpisodeTabs *
ear_episode_page_get_tabs (EarEpisodePage *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_PAGE (self), NULL);

  return self->tabs;
}
