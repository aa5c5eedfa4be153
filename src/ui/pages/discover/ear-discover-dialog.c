/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discover-dialog.h"

#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-discover-page.h"
#include "ear-episode-page.h"
#include "ear-preview-page.h"
#include "ear-toasts.h"

/**
 * EarDiscoverDialog:
 *
 * Finds podcasts, shows one of them as it is, and an episode of it, before it is followed.
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
  EarPodcast *like;
};

G_DEFINE_FINAL_TYPE (EarDiscoverDialog, ear_discover_dialog, ADW_TYPE_DIALOG)

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_LIKE,
} EarDiscoverDialogProperty;

static GParamSpec *props[PROP_LIKE + 1];

enum
{
  SIGNAL_CHOSEN,
  SIGNAL_RECOGNIZED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
choose (EarDiscoverDialog *self, EarPodcast *podcast)
{
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, podcast);
  adw_dialog_close (ADW_DIALOG (self));
}

/* The dialog is out of the way before the listener is told. */
static void
recognized_cb (EarDiscoverDialog *self, EarPodcast *podcast)
{
  g_autoptr (EarDiscoverDialog) dialog = g_object_ref (self);

  choose (self, podcast);
  g_signal_emit (dialog, signals[SIGNAL_RECOGNIZED], 0, podcast);
}

static void
episode_opened_cb (EarDiscoverDialog *self, EarEpisode *episode, EarPreviewPage *page)
{
  adw_navigation_view_push (self->navigation,
                            g_object_new (EAR_TYPE_EPISODE_PAGE, "library", self->library, "episode", episode,
                                          "list", ear_preview_page_get_list (page), "podcast-action", "navigation.pop",
                                          "narrow", TRUE, NULL));
}

/* A second Enter while the first one's page slides in means that one. */
static gboolean
can_preview (EarDiscoverDialog *self)
{
  return adw_navigation_view_get_visible_page (self->navigation) == ADW_NAVIGATION_PAGE (self->page);
}

static EarPreviewPage *
preview (EarDiscoverDialog *self, const char *address, const char *title)
{
  EarPreviewPage *page = ear_preview_page_new (self->library, address, title);

  g_signal_connect_object (page, "followed", G_CALLBACK (choose), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "opened", G_CALLBACK (episode_opened_cb), self, G_CONNECT_SWAPPED);
  adw_navigation_view_push (self->navigation, ADW_NAVIGATION_PAGE (page));

  return page;
}

/* Nothing is known of it but where it is. */
static void
refused_cb (EarDiscoverDialog *self, const char *address)
{
  g_autofree char *host = ear_address_dup_host (address);

  if (can_preview (self))
    ear_preview_page_ask_for_password (preview (self, address, host));
}

/* What is followed is shown in the window, all else here. */
static void
opened_cb (EarDiscoverDialog *self, EarDiscoveryResult *result)
{
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (self->library);
  EarPodcast *podcast = ear_subscriptions_find (subscriptions, ear_discovery_result_get_address (result));

  if (podcast != NULL)
    ear_subscriptions_prefer_secure (subscriptions, podcast, result);
  if (podcast != NULL)
    {
      choose (self, podcast);
      return;
    }

  if (can_preview (self))
    preview (self, ear_discovery_result_get_address (result), ear_discovery_result_get_title (result));
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
ear_discover_dialog_constructed (GObject *object)
{
  EarDiscoverDialog *self = EAR_DISCOVER_DIALOG (object);
  AdwNavigationPage *page;

  G_OBJECT_CLASS (ear_discover_dialog_parent_class)->constructed (object);

  page = g_object_new (EAR_TYPE_DISCOVER_PAGE, "library", self->library, "like", self->like, NULL);
  g_signal_connect_object (page, "opened", G_CALLBACK (opened_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "refused", G_CALLBACK (refused_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "followed", G_CALLBACK (choose), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "recognized", G_CALLBACK (recognized_cb), self, G_CONNECT_SWAPPED);
  adw_dialog_set_title (ADW_DIALOG (self), adw_navigation_page_get_title (page));
  adw_navigation_view_add (self->navigation, page);
  self->page = EAR_DISCOVER_PAGE (page);
}

static void
ear_discover_dialog_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarDiscoverDialog *self = EAR_DISCOVER_DIALOG (object);

  switch ((EarDiscoverDialogProperty) property_id)
    {
    case PROP_LIBRARY:
      g_value_set_object (value, self->library);
      break;
    case PROP_LIKE:
      g_value_set_object (value, self->like);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_discover_dialog_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarDiscoverDialog *self = EAR_DISCOVER_DIALOG (object);

  switch ((EarDiscoverDialogProperty) property_id)
    {
    case PROP_LIBRARY:
      self->library = g_value_dup_object (value);
      break;
    case PROP_LIKE:
      self->like = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_discover_dialog_dispose (GObject *object)
{
  EarDiscoverDialog *self = EAR_DISCOVER_DIALOG (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_DISCOVER_DIALOG);
  g_clear_object (&self->like);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_discover_dialog_parent_class)->dispose (object);
}

static void
ear_discover_dialog_class_init (EarDiscoverDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags constructed = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = ear_discover_dialog_constructed;
  object_class->get_property = ear_discover_dialog_get_property;
  object_class->set_property = ear_discover_dialog_set_property;
  object_class->dispose = ear_discover_dialog_dispose;
  ADW_DIALOG_CLASS (klass)->closed = ear_discover_dialog_closed;

  /**
   * EarDiscoverDialog:library:
   *
   * What finds, and what is added to.
   */
  props[PROP_LIBRARY] = g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY, constructed);
  /**
   * EarDiscoverDialog:like:
   *
   * The podcast that others are to be like.
   */
  props[PROP_LIKE] = g_param_spec_object ("like", NULL, NULL, EAR_TYPE_PODCAST, constructed);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  /**
   * EarDiscoverDialog::chosen:
   * @self: the dialog
   * @podcast: a followed podcast
   *
   * A podcast was followed, or one that is followed was chosen: it is to be shown.
   */
  signals[SIGNAL_CHOSEN] =
    g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
  /**
   * EarDiscoverDialog::recognized:
   * @self: the dialog
   * @podcast: the podcast that was chosen
   *
   * The listener wanted to add what is followed already, and is to be told.
   */
  signals[SIGNAL_RECOGNIZED] =
    g_signal_new ("recognized", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, EAR_TYPE_PODCAST);

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-discover-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverDialog, navigation);
  gtk_widget_class_bind_template_callback (widget_class, popped_cb);
}

static void
ear_discover_dialog_init (EarDiscoverDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_toasts_wrap (adw_dialog_get_child (ADW_DIALOG (self)));
}

/**
 * ear_discover_dialog_new:
 * @library: what finds, and what is added to
 * @like: (nullable): a podcast that others are to be like
 */
EarDiscoverDialog *
ear_discover_dialog_new (EarLibrary *library, EarPodcast *like)
{
  return g_object_new (EAR_TYPE_DISCOVER_DIALOG, "library", library, "like", like, NULL);
}

/**
 * ear_discover_dialog_look_for:
 * @text: an address, or the path of a file
 *
 * Looks what is there; if that is one podcast, shows it.
 */
void
ear_discover_dialog_look_for (EarDiscoverDialog *self, const char *text)
{
  g_return_if_fail (EAR_IS_DISCOVER_DIALOG (self));
  g_return_if_fail (text != NULL);

  ear_discover_page_look_for (self->page, text);
}
