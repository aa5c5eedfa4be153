/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page.h"

#include "ear-address.h"
#include "ear-closures.h"
#include "ear-collection-row.h"
#include "ear-menu-later.h"
#include "ear-row-action.h"
#include "ear-rows-in-sight.h"
#include "ear-type-ahead.h"
#include "ear-work-bar.h"

/* A list view makes widgets for two hundred rows and a few, in sight or not: the first
 * screenful comes with the first frame, the others a few in each frame after it. */
#define ROW_HEIGHT 50
#define WIDGETS 220
#define STEP 8

/* Until a row that is scrolled to can have the focus. */
#define FOCUS_FRAMES 10

/**
 * EarSidebarPage:
 *
 * The first pane: the views over all episodes, then the podcasts. Where it shares the
 * window with other panes, moving through it selects; where it is alone, only a click or
 * Enter does. Each row that something can be done with has a menu, whose actions,
 * `collection.*`, are made by the window.
 */
struct _EarSidebarPage
{
  AdwNavigationPage parent_instance;

  /* Template children */
  GtkStack *stack;
  GtkWidget *empty_page;
  GtkListView *list_view;
  GtkSingleSelection *selection;
  GtkMenuButton *menu_button;
  GMenuModel *main_menu;

  /* Borrowed */
  GtkPopoverMenu *row_menu; /* (nullable): made when it is first wanted */

  /* Owned */
  EarLibrary *library;
  GtkSliceListModel *rows; /* as many of what is listed as there are rows for yet */
  EarCollection *collection;
  EarTypeAhead *type_ahead;
  EarCollection *menu_collection; /* (nullable): what the menu of a row is about */
  char *wanted; /* (nullable): the name of what to choose once there is something */
  gboolean collapsed;
  guint focus_tick; /* tick callback: puts the focus on the row that is chosen */
  guint n_tries;
  gboolean is_empty;
  gboolean drawn; /* there was a frame */
};

G_DEFINE_FINAL_TYPE (EarSidebarPage, ear_sidebar_page, ADW_TYPE_NAVIGATION_PAGE)

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_COLLECTION,
  PROP_COLLAPSED,
  PROP_EMPTY,
  PROP_MENU_COLLECTION,
} EarSidebarPageProperty;

static GParamSpec *props[PROP_MENU_COLLECTION + 1];

enum
{
  SIGNAL_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* All that is listed, with a row or not. */
static GListModel *
get_collections (EarSidebarPage *self)
{
  return gtk_slice_list_model_get_model (self->rows);
}

static guint
count_collections (EarSidebarPage *self)
{
  GListModel *collections = get_collections (self);

  return collections != NULL ? g_list_model_get_n_items (collections) : 0;
}

static guint
find_position (EarSidebarPage *self, EarCollection *collection)
{
  for (guint i = 0; collection != NULL && i < count_collections (self); i++)
    {
      g_autoptr (EarCollection) item = g_list_model_get_item (get_collections (self), i);

      if (ear_collection_equal (item, collection))
        return i;
    }

  return GTK_INVALID_LIST_POSITION;
}

static EarCollection *
dup_collection (EarSidebarPage *self, guint position)
{
  return position < count_collections (self) ? g_list_model_get_item (get_collections (self), position) : NULL;
}

/* Gives a row to what is listed there, and to all above it. */
static void
need_row (EarSidebarPage *self, guint position)
{
  if (position != GTK_INVALID_LIST_POSITION && position >= gtk_slice_list_model_get_size (self->rows))
    gtk_slice_list_model_set_size (self->rows, position + 1);
}

static gboolean
has_row (EarSidebarPage *self, guint position)
{
  return position != GTK_INVALID_LIST_POSITION && position < gtk_slice_list_model_get_size (self->rows);
}

/* Only what has a row can be selected: what has none yet is selected when it comes. */
static void
select_position (EarSidebarPage *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, has_row (self, position) ? position : GTK_INVALID_LIST_POSITION);
}

/* What is chosen may stand below the rows of the first frame: the second shows it. */
static void
show_chosen (EarSidebarPage *self)
{
  const guint chosen = find_position (self, self->collection);

  if (chosen == GTK_INVALID_LIST_POSITION || has_row (self, chosen))
    return;

  need_row (self, chosen);
  gtk_list_view_scroll_to (self->list_view, chosen, GTK_LIST_SCROLL_FOCUS, NULL);
}

static gboolean
grow_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);
  guint n_rows;

  /* The first frame has enough to do. */
  if (!self->drawn)
    {
      self->drawn = TRUE;
      return G_SOURCE_CONTINUE;
    }
  show_chosen (self);
  n_rows = gtk_slice_list_model_get_size (self->rows);
  if (n_rows < WIDGETS)
    {
      gtk_slice_list_model_set_size (self->rows, n_rows + STEP);
      return G_SOURCE_CONTINUE;
    }
  gtk_slice_list_model_set_size (self->rows, G_MAXUINT);

  return G_SOURCE_REMOVE;
}

static guint
count_podcasts (EarSidebarPage *self)
{
  GListModel *podcasts = self->library != NULL ? ear_library_get_podcasts (self->library) : NULL;

  return podcasts != NULL ? g_list_model_get_n_items (podcasts) : 0;
}

static guint
find_name (EarSidebarPage *self, const char *name)
{
  for (guint i = 0; count_podcasts (self) > 0 && i < count_collections (self); i++)
    {
      g_autoptr (EarCollection) collection = dup_collection (self, i);

      if (g_strcmp0 (ear_collection_get_name (collection), name) == 0)
        return i;
    }

  return GTK_INVALID_LIST_POSITION;
}

static void
row_setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *row = g_object_new (EAR_TYPE_COLLECTION_ROW, NULL);

  gtk_list_item_set_child (item, row);
  g_object_bind_property (row, "spoken", item, "accessible-label", G_BINDING_SYNC_CREATE);
}

static void
row_bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  g_object_set (gtk_list_item_get_child (item), "collection", gtk_list_item_get_item (item), NULL);
}

static void
row_unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  g_object_set (gtk_list_item_get_child (item), "collection", NULL, NULL);
}

static void
selected_cb (EarSidebarPage *self)
{
  EarCollection *collection = gtk_single_selection_get_selected_item (self->selection);

  if (collection != NULL && !self->collapsed)
    ear_sidebar_page_set_collection (self, collection);
}

static void
activated_cb (EarSidebarPage *self, guint position)
{
  g_autoptr (EarCollection) collection = dup_collection (self, position);

  ear_sidebar_page_set_collection (self, collection);
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

static gboolean
is_current (EarSidebarPage *self, guint position)
{
  g_autoptr (EarCollection) collection = dup_collection (self, position);

  return self->collection != NULL && collection != NULL && ear_collection_equal (collection, self->collection);
}

/* A podcast that is gone makes way for its neighbour; the first one that comes is shown.
 * While one moves, it stands at its new place too: that is the one that stays.
 * Without podcasts, there is nothing in the views either. */
static guint
find_current (EarSidebarPage *self, guint changed)
{
  const guint n_podcasts = count_podcasts (self);
  const guint n_items = count_collections (self);
  guint current = is_current (self, changed) ? changed : find_position (self, self->collection);

  if (n_podcasts == 0 || n_items == 0)
    return GTK_INVALID_LIST_POSITION;
  if (self->collection == NULL)
    current = find_name (self, self->wanted);
  g_clear_pointer (&self->wanted, g_free);

  return current != GTK_INVALID_LIST_POSITION ? current : CLAMP (changed, n_items - n_podcasts, n_items - 1);
}

/* What is not seen need not be styled. */
static void
update_empty (EarSidebarPage *self)
{
  const gboolean is_empty = self->library != NULL && count_podcasts (self) == 0;

  gtk_widget_set_visible (self->empty_page, is_empty);
  gtk_stack_set_visible_child_name (self->stack, is_empty ? "empty" : "list");
  if (self->is_empty == is_empty)
    return;

  self->is_empty = is_empty;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_EMPTY]);
}

static void
items_changed_cb (EarSidebarPage *self, guint position)
{
  const guint current = find_current (self, position);
  g_autoptr (EarCollection) collection = NULL;

  update_empty (self);
  if (current != GTK_INVALID_LIST_POSITION)
    collection = dup_collection (self, current);
  ear_sidebar_page_set_collection (self, collection);
  select_position (self, current);
}

/* The row that has the focus, which need not be the chosen one where this is the only pane. */
static guint
find_focused (EarSidebarPage *self)
{
  GtkWidget *row = ear_row_with_focus (GTK_WIDGET (self->list_view), EAR_TYPE_COLLECTION_ROW);

  return row != NULL ? find_position (self, ear_collection_row_get_collection (EAR_COLLECTION_ROW (row))) : GTK_INVALID_LIST_POSITION;
}

static void
focus_position (EarSidebarPage *self, guint position)
{
  need_row (self, position);
  if (!self->collapsed)
    select_position (self, position);
  gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS, NULL);
}

/* Typing goes to the podcast that is called so. */
static gboolean
key_pressed_cb (EarSidebarPage *self, guint keyval, guint keycode, GdkModifierType state, GtkEventController *controller)
{
  /* When it was pressed, and not when there was time for it. */
  const gint64 time = (gint64) gtk_event_controller_get_current_event_time (controller) * G_TIME_SPAN_MILLISECOND;
  guint position;

  if (!ear_type_ahead_add (self->type_ahead, keyval, state, time))
    return GDK_EVENT_PROPAGATE;

  position = ear_type_ahead_find (self->type_ahead, get_collections (self), "title", find_focused (self));
  if (position != GTK_INVALID_LIST_POSITION)
    focus_position (self, position);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));

  return GDK_EVENT_STOP;
}

/* --- The menu of a row ----------------------------------------------------------------- */

static void
row_menu_closed_cb (EarSidebarPage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

static GtkPopoverMenu *
need_row_menu (EarSidebarPage *self)
{
  if (self->row_menu == NULL)
    {
      self->row_menu = g_object_new (GTK_TYPE_POPOVER_MENU, "has-arrow", FALSE, "halign", GTK_ALIGN_START, NULL);
      g_signal_connect_swapped (self->row_menu, "closed", G_CALLBACK (row_menu_closed_cb), self);
      gtk_widget_set_parent (GTK_WIDGET (self->row_menu), GTK_WIDGET (self));
    }

  return self->row_menu;
}

static void
open_row_menu (EarSidebarPage *self, GtkWidget *row, const graphene_point_t *place)
{
  EarCollection *collection = ear_collection_row_get_collection (EAR_COLLECTION_ROW (row));
  g_autoptr (GMenuModel) menu = collection != NULL ? ear_collection_create_menu (collection) : NULL;
  GtkPopoverMenu *popover;

  if (menu == NULL)
    return;

  if (g_set_object (&self->menu_collection, collection))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MENU_COLLECTION]);
  popover = need_row_menu (self);
  gtk_popover_menu_set_menu_model (popover, menu);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) place->x, (int) place->y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
open_menu_at (EarSidebarPage *self, double x, double y)
{
  GtkWidget *row = ear_row_at (GTK_WIDGET (self->list_view), x, y, EAR_TYPE_COLLECTION_ROW);
  graphene_point_t place;

  if (row != NULL && gtk_widget_compute_point (GTK_WIDGET (self->list_view), GTK_WIDGET (self),
                                               &GRAPHENE_POINT_INIT ((float) x, (float) y), &place))
    open_row_menu (self, row, &place);
}

/* The row is not to take the end of a long press for a click. */
static void
long_press_cb (EarSidebarPage *self, double x, double y, GtkGesture *gesture)
{
  open_menu_at (self, x, y);
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
right_click_cb (EarSidebarPage *self, int n_press, double x, double y)
{
  open_menu_at (self, x, y);
}

/* By the Menu key: of the row that has the focus. */
static void
open_focused_menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);
  GtkWidget *row = ear_row_with_focus (GTK_WIDGET (self->list_view), EAR_TYPE_COLLECTION_ROW);
  graphene_rect_t bounds;

  if (row != NULL && gtk_widget_compute_bounds (row, widget, &bounds))
    open_row_menu (self, row, &GRAPHENE_POINT_INIT (bounds.origin.x + bounds.size.width / 2, bounds.origin.y + bounds.size.height / 2));
}

/* --- Class ----------------------------------------------------------------------------- */

/* A row that is out of sight gets it as soon as the list has scrolled there. */
static gboolean
focus_chosen_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);

  ear_sidebar_page_enter (self);
  if (find_focused (self) != find_position (self, self->collection) && --self->n_tries > 0)
    return G_SOURCE_CONTINUE;
  self->focus_tick = 0;

  return G_SOURCE_REMOVE;
}

static void
stop_focusing (EarSidebarPage *self)
{
  if (self->focus_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->focus_tick);
  self->focus_tick = 0;
}

/* AdwNavigationView gives the focus to the first row where it finds none that had it. */
static void
ear_sidebar_page_showing (AdwNavigationPage *page)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (page);

  if (!self->collapsed)
    return;

  stop_focusing (self);
  self->n_tries = FOCUS_FRAMES;
  self->focus_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), focus_chosen_cb, NULL, NULL);
}

static void
set_collapsed (EarSidebarPage *self, gboolean collapsed)
{
  if (self->collapsed == collapsed)
    return;

  self->collapsed = collapsed;
  if (!collapsed)
    select_position (self, find_position (self, self->collection));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_COLLAPSED]);
}

static void
set_library (EarSidebarPage *self, EarLibrary *library)
{
  g_autoptr (GListModel) collections = NULL;

  if (!g_set_object (&self->library, library))
    return;

  if (library != NULL)
    collections = ear_collection_list_new (library);
  if (!self->drawn)
    gtk_slice_list_model_set_size (self->rows, ear_rows_in_sight (GTK_WIDGET (self), ROW_HEIGHT));
  gtk_slice_list_model_set_model (self->rows, collections);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LIBRARY]);
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
    case PROP_COLLECTION:
      g_value_set_object (value, self->collection);
      break;
    case PROP_COLLAPSED:
      g_value_set_boolean (value, self->collapsed);
      break;
    case PROP_EMPTY:
      g_value_set_boolean (value, self->is_empty);
      break;
    case PROP_MENU_COLLECTION:
      g_value_set_object (value, self->menu_collection);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_sidebar_page_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (object);

  switch (property_id)
    {
    case PROP_LIBRARY:
      set_library (self, g_value_get_object (value));
      break;
    case PROP_COLLECTION:
      ear_sidebar_page_set_collection (self, g_value_get_object (value));
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
  stop_focusing (self);
  g_clear_pointer ((GtkWidget **) &self->row_menu, gtk_widget_unparent);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_SIDEBAR_PAGE);
  g_clear_object (&self->rows);
  g_clear_object (&self->collection);
  g_clear_object (&self->menu_collection);
  g_clear_object (&self->type_ahead);
  g_clear_pointer (&self->wanted, g_free);
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
  ADW_NAVIGATION_PAGE_CLASS (klass)->showing = ear_sidebar_page_showing;

  /**
   * EarSidebarPage:library:
   *
   * What is listed.
   */
  props[PROP_LIBRARY] = g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY, flags);
  /**
   * EarSidebarPage:collection:
   *
   * What was chosen.
   */
  props[PROP_COLLECTION] = g_param_spec_object ("collection", NULL, NULL, EAR_TYPE_COLLECTION, flags);
  /**
   * EarSidebarPage:collapsed:
   *
   * Whether no other pane is beside it.
   */
  props[PROP_COLLAPSED] = g_param_spec_boolean ("collapsed", NULL, NULL, FALSE, flags);
  /**
   * EarSidebarPage:empty:
   *
   * Whether nothing is followed: then the page says what to do about it.
   */
  props[PROP_EMPTY] =
    g_param_spec_boolean ("empty", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarSidebarPage:menu-collection:
   *
   * What the menu of a row is about: the last one that was opened.
   */
  props[PROP_MENU_COLLECTION] =
    g_param_spec_object ("menu-collection", NULL, NULL, EAR_TYPE_COLLECTION, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  /**
   * EarSidebarPage::activated:
   * @self: the page
   *
   * A row was clicked where there is no other pane, or Enter was pressed.
   */
  signals[SIGNAL_ACTIVATED] =
    g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_install_action (widget_class, "list.menu", NULL, open_focused_menu);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "list.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "list.menu", NULL);

  g_type_ensure (EAR_TYPE_COLLECTION_ROW);
  g_type_ensure (EAR_TYPE_WORK_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-sidebar-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, stack);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, selection);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, empty_page);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, menu_button);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, main_menu);
  gtk_widget_class_bind_template_callback (widget_class, row_setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_bind_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_unbind_cb);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, items_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
  gtk_widget_class_bind_template_callback (widget_class, long_press_cb);
  gtk_widget_class_bind_template_callback (widget_class, right_click_cb);
  ear_closures_bind (widget_class);
}

static void
ear_sidebar_page_init (EarSidebarPage *self)
{
  self->type_ahead = ear_type_ahead_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_menu_later_set (self->menu_button, self->main_menu);
  self->rows = gtk_slice_list_model_new (NULL, 0, 0);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->rows));
  gtk_widget_add_tick_callback (GTK_WIDGET (self), grow_cb, NULL, NULL);
}

/**
 * ear_sidebar_page_get_collection:
 * @self: the page
 *
 * Returns: (transfer none) (nullable): what was chosen
 */
EarCollection *
ear_sidebar_page_get_collection (EarSidebarPage *self)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_PAGE (self), NULL);

  return self->collection;
}

/**
 * ear_sidebar_page_set_collection:
 * @self: the page
 * @collection: (nullable): one of those that are listed
 *
 * Chooses a view or a podcast.
 */
void
ear_sidebar_page_set_collection (EarSidebarPage *self, EarCollection *collection)
{
  guint position;

  g_return_if_fail (EAR_IS_SIDEBAR_PAGE (self));

  if (ear_collection_equal (self->collection, collection))
    return;

  g_set_object (&self->collection, collection);
  position = find_position (self, collection);
  /* The first frame does without the rows that are not in sight. */
  if (self->drawn)
    need_row (self, position);
  select_position (self, position);
  /* The keys come in here. */
  if (has_row (self, position))
    gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS, NULL);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_COLLECTION]);
}

/**
 * ear_sidebar_page_choose:
 * @self: the page
 * @name: see [method@EarCollection.get_name]
 *
 * Chooses a view or a podcast by its name; if nothing is listed yet, once there is something.
 *
 * Returns: whether it is listed
 */
gboolean
ear_sidebar_page_choose (EarSidebarPage *self, const char *name)
{
  g_autoptr (EarCollection) collection = NULL;
  guint position;

  g_return_val_if_fail (EAR_IS_SIDEBAR_PAGE (self), FALSE);

  position = find_name (self, name);
  if (position == GTK_INVALID_LIST_POSITION)
    {
      if (self->collection == NULL)
        g_set_str (&self->wanted, name);
      return FALSE;
    }
  collection = dup_collection (self, position);
  ear_sidebar_page_set_collection (self, collection);

  return TRUE;
}

/**
 * ear_sidebar_page_choose_podcast:
 * @self: the page
 * @podcast: (nullable): a podcast
 *
 * Chooses a podcast, if it is listed.
 */
void
ear_sidebar_page_choose_podcast (EarSidebarPage *self, EarPodcast *podcast)
{
  g_autofree char *name = podcast != NULL ? ear_address_hash (ear_podcast_get_address (podcast), NULL) : NULL;

  if (name != NULL)
    ear_sidebar_page_choose (self, name);
}

/**
 * ear_sidebar_page_get_empty:
 * @self: the page
 *
 * Returns: the value of [property@EarSidebarPage:empty]
 */
gboolean
ear_sidebar_page_get_empty (EarSidebarPage *self)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_PAGE (self), FALSE);

  return self->is_empty;
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

static gboolean
show_focused_cb (GtkWidget *list_view, GdkFrameClock *clock, gpointer user_data)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (user_data);
  const guint focused = find_focused (self);

  if (gtk_widget_get_height (list_view) == 0)
    return G_SOURCE_CONTINUE;
  if (focused != GTK_INVALID_LIST_POSITION)
    gtk_list_view_scroll_to (self->list_view, focused, GTK_LIST_SCROLL_NONE, NULL);

  return G_SOURCE_REMOVE;
}

/**
 * ear_sidebar_page_enter:
 * @self: the page
 *
 * Puts the focus on the row that is chosen.
 *
 * Returns: whether there is something to put it on
 */
gboolean
ear_sidebar_page_enter (EarSidebarPage *self)
{
  guint position;

  g_return_val_if_fail (EAR_IS_SIDEBAR_PAGE (self), FALSE);

  /* GTK may have put the selection elsewhere meanwhile, where it chooses nothing. */
  position = find_position (self, self->collection);
  need_row (self, position);

  if (count_podcasts (self) == 0)
    return gtk_widget_child_focus (gtk_stack_get_visible_child (self->stack), GTK_DIR_TAB_FORWARD);
  if (position != GTK_INVALID_LIST_POSITION)
    gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS | GTK_LIST_SCROLL_SELECT, NULL);
  /* A page that slides in for the first time has no size yet, without which no list scrolls. */
  if (gtk_widget_get_height (GTK_WIDGET (self->list_view)) == 0)
    gtk_widget_add_tick_callback (GTK_WIDGET (self->list_view), show_focused_cb, self, NULL);

  return gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}
