/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-page.h"

#include "ear-cover.h"
#include "ear-episode-actions.h"
#include "ear-format-episode.h"
#include "ear-format.h"
#include "ear-model-enums.h"
#include "ear-player-widget.h"
#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarEpisodePage:
 *
 * The third pane: an episode with its buttons, and the tabs of its notes, chapters,
 * transcript and links.
 */
struct _EarEpisodePage
{
  AdwNavigationPage parent_instance;

  /* Template children */
  GtkScrolledWindow *scroller;
  GtkLabel *facts; /* the line below the title */
  GtkLabel *people;
  GtkWidget *buttons;
  EarEpisodeTabs *tabs;
  GtkWidget *play_button;
  GtkWidget *listened_button;
  GtkWidget *download_button;
  GtkLabel *download_text; /* "42 % of 16 MB" */
  GtkMenuButton *menu_button;

  /* Borrowed */
  EarEpisodeActions *actions; /* live as long as the page */

  /* Owned */
  EarLibrary *library;
  EarEpisode *episode;
  EarEpisodeList *list; /* (nullable): the list that it was chosen from */
  GSignalGroup *episode_signals;
  char *podcast_action;
  gboolean narrow;
  gboolean alone;
  gboolean is_short;
  gboolean choosable;
  gboolean pictured;
  gboolean scrolled;
  int n_ticked;      /* episodes in the list, or -1 */
  int download_step; /* announced tenths, or -1 */
};

G_DEFINE_FINAL_TYPE (EarEpisodePage, ear_episode_page, ADW_TYPE_NAVIGATION_PAGE)

/* A screen reader announces the progress in steps of ten percent. */
static void
update_download (EarEpisodePage *self)
{
  GtkAccessible *button = GTK_ACCESSIBLE (self->download_button);
  const gboolean running =
    self->episode != NULL && ear_episode_get_download (self->episode) == EAR_DOWNLOAD_RUNNING;
  const double progress = running ? ear_episode_get_download_progress (self->episode) : -1;
  const int step = progress >= 0 ? (int) (progress * 10) : -1;
  g_autofree char *text = running ? ear_format_download (self->episode) : NULL;
  g_autofree char *percent = NULL;

  ear_label_show (self->download_text, text);
  if (self->download_step == step)
    return;

  self->download_step = step;
  percent = ear_format_percent (step * 10);
  if (step < 0)
    gtk_accessible_reset_property (button, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
  else
    gtk_accessible_update_property (button, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, percent, -1);
}

static void
update (EarEpisodePage *self)
{
  EarEpisode *episode = self->episode;
  g_autofree char *facts = episode != NULL ? ear_format_episode (episode) : NULL;
  g_autofree char *people = episode != NULL ? ear_people_format_of_episode (episode) : NULL;

  update_download (self);
  ear_label_show (self->facts, facts);
  ear_label_show (self->people, people);
  gtk_widget_set_visible (self->play_button,
                          episode != NULL && ear_episode_get_enclosure (episode) != NULL);
}

/* The download's progress is notified four times a second. */
static void
episode_notify_cb (EarEpisodePage *self, GParamSpec *pspec)
{
  if (g_str_equal (pspec->name, "download-progress"))
    update_download (self);
  else
    update (self);
}

/* Plays the episode of this page, which need not be the one that is
 * chosen in the window. */
static void
toggle_playing (EarEpisodePage *self)
{
  if (self->episode != NULL)
    ear_playback_controller_toggle (ear_library_get_playback_controller (self->library),
                                    self->episode, self->list);
}

static void
follow (EarEpisodePage *self)
{
  /* The page may show another episode once there is a podcast to list. */
  g_autoptr (EarEpisode) episode = g_object_ref (self->episode);
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  if (ear_subscriptions_follow (ear_library_get_subscriptions (self->library),
                                ear_podcast_get_address (podcast),
                                ear_podcast_get_title (podcast)) != NULL)
    g_signal_emit_by_name (self, "followed", episode);
}

static void
episode_changed_cb (EarEpisodePage *self)
{
  g_signal_group_set_target (self->episode_signals, self->episode);
  ear_episode_actions_set_episode (self->actions, self->episode);
  update (self);
}

/* The header bar shows the title and Play while the page's own are
 * scrolled out of sight. */
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

/* Focus the Play button of a page that fills the window: GTK would focus the title, which
 * is selectable text. */
static void
shown_cb (EarEpisodePage *self)
{
  if (self->alone)
    ear_episode_page_enter (self);
}

static void
ear_episode_page_dispose (GObject *object)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_PAGE);
  g_clear_object (&self->episode_signals);
  ear_properties_clear (self);

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
      .changed = G_CALLBACK (episode_changed_cb) },
    /* The list that the episode was chosen from, and that plays on after it */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, list) },
    /* The action of the podcast's name, which leads to the list of its episodes */
    { "podcast-action", G_TYPE_STRING, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarEpisodePage, podcast_action) },
    /* Whether there is only room for one column */
    { "narrow", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, narrow) },
    /* Whether no other pane is beside the page, so that it has a Back button */
    { "alone", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, alone) },
    /* Whether there is only room for text: the cover is hidden */
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, is_short) },
    /* Whether there are episodes to choose from; without any, the empty
     * page does not ask to */
    { "choosable", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, choosable) },
    /* Whether the picture of the episode, which plays, is shown */
    { "pictured", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, pictured) },
    /* Whether the title and the buttons have scrolled out of sight */
    { "scrolled", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodePage, scrolled) },
    /* The number of episodes that are selected in the list, so that
     * none is shown; or -1 */
    { .spec = g_param_spec_int ("n-ticked", NULL, NULL, -1, G_MAXINT, -1, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarEpisodePage, n_ticked) },
  };

  object_class->dispose = ear_episode_page_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* The listener followed the podcast of the episode. */
  ear_signal_new (klass, "followed", 1, EAR_TYPE_EPISODE);

  ear_action_install (widget_class, "episode.toggle-playing", NULL, toggle_playing);
  ear_action_install (widget_class, "episode.follow", NULL, follow);

  g_type_ensure (EAR_TYPE_COVER);
  g_type_ensure (EAR_TYPE_DOWNLOAD);
  g_type_ensure (EAR_TYPE_EPISODE_TABS);
  g_type_ensure (EAR_TYPE_PLAYER);
  g_type_ensure (EAR_TYPE_PLAYER_WIDGET);
  ear_widget_set_template (widget_class, "ear-episode-page");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, facts);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, people);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, buttons);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, tabs);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, play_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, download_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, download_text);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, listened_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, menu_button);
  gtk_widget_class_bind_template_callback (widget_class, shown_cb);
}

static void
ear_episode_page_init (EarEpisodePage *self)
{
  g_autoptr (GMenuModel) menu = ear_episode_menu_new (NULL, EAR_EPISODE_MENU_PAGE);

  self->n_ticked = -1;
  self->download_step = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = ear_episode_actions_add (GTK_WIDGET (self), NULL, NULL);
  ear_menu_later_set (self->menu_button, menu);
  self->episode_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->episode_signals, "notify", G_CALLBACK (episode_notify_cb),
                                  self);
  ear_connect (gtk_scrolled_window_get_vadjustment (self->scroller), "value-changed",
               update_scrolled, self);
  update (self);
}

/* Focuses Play, or else the next button; the notes follow. */
gboolean
ear_episode_page_enter (EarEpisodePage *self)
{
  if (self->episode == NULL)
    return FALSE;

  return gtk_widget_grab_focus (gtk_widget_get_visible (self->play_button) ? self->play_button
                                                                           : self->listened_button);
}

EAR_DEFINE_GET (EarEpisodePage, ear_episode_page, EarEpisodeTabs *, tabs)
