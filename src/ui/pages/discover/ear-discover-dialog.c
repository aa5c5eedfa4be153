/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discover-dialog.h"

#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-chart.h"
#include "ear-discover-page.h"
#include "ear-episode-page.h"
#include "ear-preview-page.h"

/**
 * EarDiscoverDialog:
 *
 * Add Podcast: the search, charts, and previews of podcasts and episodes.
 */
struct _EarDiscoverDialog
{
  AdwDialog parent_instance;

  /* Template children */
  AdwNavigationView *navigation;

  /* Borrowed */
  EarDiscoverPage *page;

  /* Owned */
  EarLibrary *library;
};

G_DEFINE_FINAL_TYPE (EarDiscoverDialog, ear_discover_dialog, ADW_TYPE_DIALOG)

static void
choose (EarDiscoverDialog *self, EarPodcast *podcast)
{
  g_signal_emit_by_name (self, "chosen", podcast);
  adw_dialog_close (ADW_DIALOG (self));
}

/* Closes the dialog before the toast. */
static void
recognized_cb (EarDiscoverDialog *self, EarPodcast *podcast)
{
  g_autoptr (EarDiscoverDialog) dialog = g_object_ref (self);

  choose (self, podcast);
  g_signal_emit_by_name (dialog, "recognized", podcast);
}

static void
followed_cb (EarDiscoverDialog *self, EarEpisode *episode)
{
  choose (self, ear_episode_get_podcast (episode));
}

static void
episode_opened_cb (EarDiscoverDialog *self, EarEpisode *episode, EarPreviewPage *page)
{
  GObject *episode_page =
      g_object_new (EAR_TYPE_EPISODE_PAGE, "library", self->library, "episode", episode, "list",
                    ear_preview_page_get_list (page), "podcast-action", "navigation.pop", "narrow",
                    TRUE, "alone", TRUE, NULL);

  g_signal_connect_object (episode_page, "followed", G_CALLBACK (followed_cb), self,
                           G_CONNECT_SWAPPED);
  adw_navigation_view_push (self->navigation, ADW_NAVIGATION_PAGE (episode_page));
}

/* Ignores a second Enter while the page of the first one slides in. */
static gboolean
can_preview (EarDiscoverDialog *self)
{
  return !EAR_IS_PREVIEW_PAGE (adw_navigation_view_get_visible_page (self->navigation));
}

static EarPreviewPage *
create_preview (EarDiscoverDialog *self, const char *address, const char *title)
{
  EarPreviewPage *page = ear_preview_page_new (self->library, address, title);

  g_signal_connect_object (page, "followed", G_CALLBACK (choose), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "opened", G_CALLBACK (episode_opened_cb), self, G_CONNECT_SWAPPED);

  return page;
}

static EarPreviewPage *
preview (EarDiscoverDialog *self, const char *address, const char *title)
{
  EarPreviewPage *page = create_preview (self, address, title);

  adw_navigation_view_push (self->navigation, ADW_NAVIGATION_PAGE (page));

  return page;
}

static void
refused_cb (EarDiscoverDialog *self, const char *address)
{
  g_autofree char *host = ear_address_dup_host (address);

  if (can_preview (self))
    ear_preview_page_ask_for_password (preview (self, address, host));
}

/* A followed podcast is shown in the window, any other in a preview. */
static void
opened_cb (EarDiscoverDialog *self, EarDiscoveryResult *result)
{
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (self->library);
  EarPodcast *podcast =
      ear_subscriptions_find (subscriptions, ear_discovery_result_get_address (result));

  if (podcast != NULL)
    ear_subscriptions_prefer_secure (subscriptions, podcast, result);
  if (podcast != NULL)
    {
      choose (self, podcast);
      return;
    }

  if (can_preview (self))
    preview (self, ear_discovery_result_get_address (result),
             ear_discovery_result_get_title (result));
}

/* A page with the chart of a category */
static void
show_category (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarDiscoverDialog *self = EAR_DISCOVER_DIALOG (widget);
  const char *category = g_variant_get_string (parameter, NULL);
  GtkWidget *chart =
      g_object_new (EAR_TYPE_CHART, "category", category, "library", self->library, NULL);
  GtkWidget *clamp = g_object_new (ADW_TYPE_CLAMP, "maximum-size", 560, "child", chart, NULL);
  GtkWidget *scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy",
                                      GTK_POLICY_NEVER, "child", clamp, NULL);
  GtkWidget *view = g_object_new (ADW_TYPE_TOOLBAR_VIEW, "content", scroller, NULL);

  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (view), adw_header_bar_new ());
  g_signal_connect_object (chart, "opened", G_CALLBACK (opened_cb), self, G_CONNECT_SWAPPED);
  adw_navigation_view_push (self->navigation,
                            adw_navigation_page_new (view, ear_discover_page_get_category_name (
                                                               category)));
}

static void
popped_cb (EarDiscoverDialog *self, AdwNavigationPage *page)
{
  if (EAR_IS_PREVIEW_PAGE (page))
    ear_preview_page_end (EAR_PREVIEW_PAGE (page));
}

static void
ear_discover_dialog_closed (AdwDialog *dialog)
{
  EarDiscoverDialog *self = EAR_DISCOVER_DIALOG (dialog);
  g_autoptr (GListModel) pages = adw_navigation_view_get_navigation_stack (self->navigation);

  for (guint i = 0; i < g_list_model_get_n_items (pages); i++)
    {
      g_autoptr (AdwNavigationPage) page = g_list_model_get_item (pages, i);

      if (EAR_IS_PREVIEW_PAGE (page))
        ear_preview_page_end (EAR_PREVIEW_PAGE (page));
    }
}

static void
ear_discover_dialog_dispose (GObject *object)
{
  EarDiscoverDialog *self = EAR_DISCOVER_DIALOG (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_DISCOVER_DIALOG);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_discover_dialog_parent_class)->dispose (object);
}

static void
ear_discover_dialog_class_init (EarDiscoverDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ear_discover_dialog_dispose;
  ADW_DIALOG_CLASS (klass)->closed = ear_discover_dialog_closed;

  /* Emitted with a followed podcast, to show it */
  g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
  /* Emitted with a podcast that was followed before, for a toast */
  g_signal_new ("recognized", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, EAR_TYPE_PODCAST);

  gtk_widget_class_install_action (widget_class, "discover.show-category", "s", show_category);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-discover-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverDialog, navigation);
  gtk_widget_class_bind_template_callback (widget_class, popped_cb);
}

static void
ear_discover_dialog_init (EarDiscoverDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

EarDiscoverDialog *
ear_discover_dialog_new (EarLibrary *library, EarPodcast *like)
{
  EarDiscoverDialog *self = g_object_new (EAR_TYPE_DISCOVER_DIALOG, NULL);
  AdwNavigationPage *page = ADW_NAVIGATION_PAGE (ear_discover_page_new (library, like));

  self->library = g_object_ref (library);
  self->page = EAR_DISCOVER_PAGE (page);
  g_signal_connect_object (page, "opened", G_CALLBACK (opened_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "refused", G_CALLBACK (refused_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "followed", G_CALLBACK (choose), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "recognized", G_CALLBACK (recognized_cb), self, G_CONNECT_SWAPPED);
  adw_dialog_set_title (ADW_DIALOG (self), adw_navigation_page_get_title (page));
  adw_navigation_view_add (self->navigation, page);

  return self;
}

/* Searches, and previews the result if it is a single one. */
void
ear_discover_dialog_look_for (EarDiscoverDialog *self, const char *text)
{
  g_return_if_fail (EAR_IS_DISCOVER_DIALOG (self));
  g_return_if_fail (text != NULL);

  ear_discover_page_look_for (self->page, text);
}

/* Previews a podcast that is not followed, in place of the search. */
void
ear_discover_dialog_preview (EarDiscoverDialog *self, EarPodcast *podcast)
{
  AdwNavigationPage *page;

  g_return_if_fail (EAR_IS_DISCOVER_DIALOG (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  page = ADW_NAVIGATION_PAGE (
      create_preview (self, ear_podcast_get_address (podcast), ear_podcast_get_name (podcast)));
  adw_navigation_view_replace (self->navigation, &page, 1);
}
