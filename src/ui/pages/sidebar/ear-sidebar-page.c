/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page.h"

#include "ear-closures.h"
#include "ear-collection-row.h"

/**
 * EarSidebarPage:
 *
 * The first pane: the podcasts. Where it shares the window with other panes, moving
 * through it selects; where it is alone, only a click or Enter does.
 */
struct _EarSidebarPage
{
  AdwNavigationPage parent_instance;

  /* Template children */
  GtkListView *list_view;
  GtkSingleSelection *selection;
  GtkMenuButton *menu_button;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
  gboolean collapsed;
};

G_DEFINE_FINAL_TYPE (EarSidebarPage, ear_sidebar_page, ADW_TYPE_NAVIGATION_PAGE)

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_PODCAST,
  PROP_COLLAPSED,
} EarSidebarPageProperty;

static GParamSpec *props[PROP_COLLAPSED + 1];

enum
{
  SIGNAL_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static guint
find_position (EarSidebarPage *self, EarPodcast *podcast)
{
  GListModel *model = G_LIST_MODEL (self->selection);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (EarPodcast) item = g_list_model_get_item (model, i);

      if (item == podcast)
        return i;
    }

  return GTK_INVALID_LIST_POSITION;
}

static void
selected_cb (EarSidebarPage *self)
{
  EarPodcast *podcast = gtk_single_selection_get_selected_item (self->selection);

  if (podcast != NULL && !self->collapsed)
    ear_sidebar_page_set_podcast (self, podcast);
}

static void
activated_cb (EarSidebarPage *self, guint position)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  ear_sidebar_page_set_podcast (self, podcast);
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

/* A podcast that is gone makes way for its neighbour; the first one that comes is shown. */
static void
items_changed_cb (EarSidebarPage *self, guint position)
{
  const guint n_items = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint current = find_position (self, self->podcast);

  if (current == GTK_INVALID_LIST_POSITION && n_items > 0)
    current = MIN (position, n_items - 1);
  if (current != GTK_INVALID_LIST_POSITION)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (G_LIST_MODEL (self->selection), current);

      ear_sidebar_page_set_podcast (self, podcast);
    }
  else
    ear_sidebar_page_set_podcast (self, NULL);
  gtk_single_selection_set_selected (self->selection, current);
}

static void
set_collapsed (EarSidebarPage *self, gboolean collapsed)
{
  if (self->collapsed == collapsed)
    return;

  self->collapsed = collapsed;
  if (!collapsed)
    gtk_single_selection_set_selected (self->selection, find_position (self, self->podcast));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_COLLAPSED]);
}

static void
ear_sidebar_page_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (object);

  switch ((EarSidebarPageProperty) property_id)
    {
    case PROP_LIBRARY:
      g_value_set_object (value, self->library);
      break;
    case PROP_PODCAST:
      g_value_set_object (value, self->podcast);
      break;
    case PROP_COLLAPSED:
      g_value_set_boolean (value, self->collapsed);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_sidebar_page_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (object);

  switch ((EarSidebarPageProperty) property_id)
    {
    case PROP_LIBRARY:
      if (g_set_object (&self->library, g_value_get_object (value)))
        g_object_notify_by_pspec (object, pspec);
      break;
    case PROP_PODCAST:
      ear_sidebar_page_set_podcast (self, g_value_get_object (value));
      break;
    case PROP_COLLAPSED:
      set_collapsed (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_sidebar_page_dispose (GObject *object)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_SIDEBAR_PAGE);
  g_clear_object (&self->podcast);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_sidebar_page_parent_class)->dispose (object);
}

static void
ear_sidebar_page_class_init (EarSidebarPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_sidebar_page_get_property;
  object_class->set_property = ear_sidebar_page_set_property;
  object_class->dispose = ear_sidebar_page_dispose;

  /**
   * EarSidebarPage:library:
   *
   * Whose podcasts are listed.
   */
  props[PROP_LIBRARY] = g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY, flags);
  /**
   * EarSidebarPage:podcast:
   *
   * The podcast that was chosen.
   */
  props[PROP_PODCAST] = g_param_spec_object ("podcast", NULL, NULL, EAR_TYPE_PODCAST, flags);
  /**
   * EarSidebarPage:collapsed:
   *
   * Whether no other pane is beside it.
   */
  props[PROP_COLLAPSED] = g_param_spec_boolean ("collapsed", NULL, NULL, FALSE, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  /**
   * EarSidebarPage::activated:
   * @self: the page
   *
   * A podcast was clicked where there is no other pane, or Enter was pressed.
   */
  signals[SIGNAL_ACTIVATED] =
    g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (EAR_TYPE_COLLECTION_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-sidebar-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, selection);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, menu_button);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, items_changed_cb);
  ear_closures_bind (widget_class);
}

static void
ear_sidebar_page_init (EarSidebarPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * ear_sidebar_page_get_podcast:
 * @self: the page
 *
 * Returns: (transfer none) (nullable): the podcast that was chosen
 */
EarPodcast *
ear_sidebar_page_get_podcast (EarSidebarPage *self)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_PAGE (self), NULL);

  return self->podcast;
}

/**
 * ear_sidebar_page_set_podcast:
 * @self: the page
 * @podcast: (nullable): a podcast of the library
 *
 * Chooses a podcast.
 */
void
ear_sidebar_page_set_podcast (EarSidebarPage *self, EarPodcast *podcast)
{
  g_return_if_fail (EAR_IS_SIDEBAR_PAGE (self));

  if (!g_set_object (&self->podcast, podcast))
    return;

  gtk_single_selection_set_selected (self->selection, find_position (self, podcast));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PODCAST]);
}

/**
 * ear_sidebar_page_open_menu:
 * @self: the page
 *
 * Opens the main menu.
 */
void
ear_sidebar_page_open_menu (EarSidebarPage *self)
{
  g_return_if_fail (EAR_IS_SIDEBAR_PAGE (self));

  gtk_menu_button_popup (self->menu_button);
}
