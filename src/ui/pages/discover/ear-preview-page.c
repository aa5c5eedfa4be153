/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-preview-page.h"

#include "ear-closures.h"
#include "ear-dialog.h"
#include "ear-episode-page.h"
#include "ear-episode-view.h"
#include "ear-notes-loader.h"
#include "ear-notes.h"
#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarPreviewPage:
 *
 * A podcast before it is followed: its description, and its episodes, which can be read
 * and played. The podcast is forgotten with the page, unless it was followed or an
 * episode of it was played. */
struct _EarPreviewPage
{
  AdwNavigationPage parent_instance;

  /* Template children */
  EarEpisodeView *view;
  GtkLabel *description; /* three lines of it */
  GtkWidget *follow_button;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
  EarEpisodeList *list;

  /* Borrowed */
  GtkWidget *last_focus; /* (nullable): when another page came above this one */

  guint focus_tick;
  gboolean asks; /* for a password, as soon as it is shown */
};

G_DEFINE_FINAL_TYPE (EarPreviewPage, ear_preview_page, ADW_TYPE_NAVIGATION_PAGE)

/* Characters of the description: more than its label has room for */
#define DESCRIPTION_LIMIT 600

/* Returns: the visible page of the stack */
static char *
find_page (gpointer object, guint n_episodes, gboolean refreshing, const GError *error,
           gint64 checked)
{
  if (n_episodes > 0)
    return g_strdup ("episodes");
  if (!refreshing && error != NULL)
    return g_strdup ("error");

  return g_strdup (!refreshing && checked > 0 ? "empty" : "loading");
}

/* The focused widget may be gone, such as the button Sign In. */
static gboolean
keep_focus_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarPreviewPage *self = EAR_PREVIEW_PAGE (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  self->focus_tick = 0;
  if (gtk_widget_get_mapped (widget) && (focus == NULL || !gtk_widget_get_mapped (focus)))
    gtk_widget_grab_focus (self->follow_button);

  return G_SOURCE_REMOVE;
}

static void
keep_focus (EarPreviewPage *self)
{
  if (self->focus_tick == 0)
    self->focus_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), keep_focus_cb, NULL, NULL);
}

static void
description_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPreviewPage) self = user_data;
  g_autoptr (EarNotes) notes = ear_notes_load_finish (result, NULL);
  g_autofree char *text = notes != NULL ? ear_notes_to_text (notes) : NULL;
  g_autofree char *start = NULL;

  if (text == NULL || self->description == NULL)
    return;

  start = g_utf8_strlen (text, DESCRIPTION_LIMIT * 6) > DESCRIPTION_LIMIT
              ? g_utf8_substring (text, 0, DESCRIPTION_LIMIT)
              : g_strdup (text);
  ear_label_show (self->description, g_strdelimit (start, "\n", ' '));
}

static void
load_description (EarPreviewPage *self)
{
  ear_notes_parse_async (ear_podcast_get_facts (self->podcast)->description,
                         ear_podcast_get_feed_address (self->podcast), description_loaded_cb,
                         g_object_ref (self));
}

static void
episode_followed_cb (EarPreviewPage *self, EarEpisode *episode)
{
  g_signal_emit_by_name (self, "followed", ear_episode_get_podcast (episode));
}

/* Shows the chosen episode on a page above this one. */
static void
activated_cb (EarPreviewPage *self)
{
  EarEpisode *episode = ear_episode_view_get_episode (self->view);
  GtkWidget *navigation = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_NAVIGATION_VIEW);
  GObject *page;

  if (episode == NULL)
    return;
  page = g_object_new (EAR_TYPE_EPISODE_PAGE, "library", self->library, "episode", episode, "list",
                       self->list, "podcast-action", "navigation.pop", "narrow", TRUE, "alone",
                       TRUE, NULL);
  ear_connect (page, "followed", episode_followed_cb, self);
  adw_navigation_view_push (ADW_NAVIGATION_VIEW (navigation), ADW_NAVIGATION_PAGE (page));
}

static void
follow (EarPreviewPage *self)
{
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (self->library),
                                                  ear_podcast_get_address (self->podcast),
                                                  ear_podcast_get_title (self->podcast));

  if (podcast != NULL)
    g_signal_emit_by_name (self, "followed", podcast);
}

static void
retry (EarPreviewPage *self)
{
  ear_refresher_refresh (ear_library_get_refresher (self->library), self->podcast, EAR_REFRESH_ONE);
}

static void
sign_in (EarPreviewPage *self)
{
  AdwDialog *dialog = ear_feed_dialog_new (self->library, self->podcast, TRUE);

  ear_connect (dialog, "closed", keep_focus, self);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

static void
ear_preview_page_hiding (AdwNavigationPage *page)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (page));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (page)))
    g_set_weak_pointer (&EAR_PREVIEW_PAGE (page)->last_focus, focus);
}

/* Enter follows; Tab leads to the episodes. The focus returns to the row of an episode
 * that was opened. */
static void
ear_preview_page_shown (AdwNavigationPage *page)
{
  EarPreviewPage *self = EAR_PREVIEW_PAGE (page);

  if (self->last_focus == NULL || !gtk_widget_grab_focus (self->last_focus))
    gtk_widget_grab_focus (self->follow_button);
  if (self->asks && self->podcast != NULL)
    sign_in (self);
  self->asks = FALSE;
}

static gboolean
is_played (EarPreviewPage *self)
{
  EarEpisode *episode = ear_player_get_episode (ear_library_get_player (self->library));

  return episode != NULL && ear_episode_get_podcast (episode) == self->podcast;
}

/* Returns: whether the podcast is in no later page. A page that is opened at once for the same
 * podcast comes while the former one slides away. */
static gboolean
is_last (EarPreviewPage *self)
{
  return g_object_get_data (G_OBJECT (self->podcast), "preview") == self;
}

static void
ear_preview_page_dispose (GObject *object)
{
  EarPreviewPage *self = EAR_PREVIEW_PAGE (object);

  g_clear_weak_pointer (&self->last_focus);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_PREVIEW_PAGE);
  g_clear_object (&self->list);
  if (self->podcast != NULL && is_last (self) && !is_played (self))
    ear_subscriptions_end_preview (ear_library_get_subscriptions (self->library), self->podcast);
  g_clear_object (&self->podcast);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_preview_page_parent_class)->dispose (object);
}

static void
ear_preview_page_class_init (EarPreviewPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarPreviewPage, library) },
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPreviewPage, podcast) },
  };

  object_class->dispose = ear_preview_page_dispose;
  ADW_NAVIGATION_PAGE_CLASS (klass)->hiding = ear_preview_page_hiding;
  ADW_NAVIGATION_PAGE_CLASS (klass)->shown = ear_preview_page_shown;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* Emitted with the podcast once it is followed */
  ear_signal_new (klass, "followed", 1, EAR_TYPE_PODCAST);

  ear_action_install (widget_class, "preview.follow", NULL, follow);
  ear_action_install (widget_class, "preview.retry", NULL, retry);
  ear_action_install (widget_class, "preview.sign-in", NULL, sign_in);
  g_type_ensure (EAR_TYPE_PODCAST_HEAD);
  g_type_ensure (EAR_TYPE_EPISODE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-preview-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarPreviewPage, view);
  gtk_widget_class_bind_template_child (widget_class, EarPreviewPage, description);
  gtk_widget_class_bind_template_child (widget_class, EarPreviewPage, follow_button);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_page);
  gtk_widget_class_bind_template_callback (widget_class, keep_focus);
  ear_closures_bind (widget_class);
}

static void
ear_preview_page_init (EarPreviewPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @title: (nullable): title until the feed is loaded
 * @asks: whether the page begins with the sign-in dialog */
EarPreviewPage *
ear_preview_page_new (EarLibrary *library, const char *address, const char *title, gboolean asks)
{
  EarPreviewPage *self = g_object_new (EAR_TYPE_PREVIEW_PAGE, "library", library, NULL);
  EarPodcast *podcast =
      ear_subscriptions_preview (ear_library_get_subscriptions (library), address, title);
  g_autoptr (EarEpisodeQuery) query = NULL;

  self->asks = asks;
  if (!g_set_object (&self->podcast, podcast))
    return self;

  g_object_set_data (G_OBJECT (podcast), "preview", self);
  query =
      ear_episode_query_new (ear_podcast_get_id (podcast), EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  self->list = ear_episode_list_new_with_query (ear_library_get_catalogue (library), query);
  ear_episode_view_set_list (self->view, self->list);
  ear_connect (podcast, "notify::facts", load_description, self);
  load_description (self);
  g_object_notify (G_OBJECT (self), "podcast");

  return self;
}
