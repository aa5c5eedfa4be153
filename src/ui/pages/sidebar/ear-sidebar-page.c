/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include "ear-address.h"
#include "ear-closures.h"
#include "ear-sidebar-row.h"
#include "ear-pane-layout.h"
#include "ear-property.h"
#include "ear-widget.h"
#include "ear-work-bar.h"

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
G_DEFINE_FINAL_TYPE (EarSidebarPage, ear_sidebar_page, ADW_TYPE_NAVIGATION_PAGE)

static void
row_setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *row = g_object_new (EAR_TYPE_SIDEBAR_ROW, NULL);

  gtk_list_item_set_child (item, row);
  g_object_bind_property (row, "spoken", item, "accessible-label", G_BINDING_SYNC_CREATE);
}

static void
row_bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, EarSidebarPage *self)
{
  g_object_set (gtk_list_item_get_child (item), "collection", gtk_list_item_get_item (item), NULL);
  if (self->row_menu != NULL)
    ear_sidebar_page_mark_menu_row (self, gtk_list_item_get_child (item));
}

static void
row_unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  g_object_set (gtk_list_item_get_child (item), "collection", NULL, NULL);
}

static void
selected_cb (EarSidebarPage *self)
{
  EarSidebarItem *collection = gtk_single_selection_get_selected_item (self->selection);

  if (collection == NULL || self->collapsed || ear_sidebar_item_equal (collection, self->collection))
    return;

  g_clear_pointer (&self->wanted, g_free);
  ear_sidebar_page_set_collection (self, collection);
}

/* Where there is room for what is in it beside this pane, it is chosen already. */
static void
activated_cb (EarSidebarPage *self, guint position)
{
  g_autoptr (EarSidebarItem) collection = ear_sidebar_page_dup_collection (self, position);

  if (!self->collapsed && ear_sidebar_page_toggle_fold (self, position))
    return;

  g_clear_pointer (&self->wanted, g_free);
  ear_sidebar_page_set_collection (self, collection);
  g_signal_emit_by_name (self, "activated");
}

static gboolean
is_current (EarSidebarPage *self, guint position)
{
  g_autoptr (EarSidebarItem) collection = ear_sidebar_page_dup_collection (self, position);

  return collection != NULL && ear_sidebar_item_equal (collection, self->collection);
}

/* A podcast or a list that is gone makes way for its neighbour; the first podcast that comes is shown. Lists come later
 * than what they are of: one that is wanted is waited for.
 * While one moves, it stands at its new place too: that is the one that stays.
 * Without podcasts, there is nothing in the views either. */
static guint
find_current (EarSidebarPage *self, guint changed)
{
  const guint n_items = ear_sidebar_page_count_collections (self);
  gboolean was_list;
  guint current = is_current (self, changed) ? changed : ear_sidebar_page_find_position (self, self->collection);

  if (ear_sidebar_page_count_podcasts (self) == 0 || n_items == 0)
    return GTK_INVALID_LIST_POSITION;
  if (self->wanted != NULL)
    {
      const guint wanted = ear_sidebar_page_find_name (self, self->wanted);

      if (wanted != GTK_INVALID_LIST_POSITION)
        current = wanted;
      if (wanted != GTK_INVALID_LIST_POSITION || !g_str_has_prefix (self->wanted, "list-"))
        g_clear_pointer (&self->wanted, g_free);
    }
  if (current != GTK_INVALID_LIST_POSITION)
    return current;

  was_list = self->collection != NULL && ear_sidebar_item_get_list (self->collection) != NULL;

  return was_list ? MIN (changed, n_items - 1) : CLAMP (changed, MIN (ear_sidebar_page_find_first (self), n_items - 1), n_items - 1);
}

/* What is not seen need not be styled. */
static void
update_empty (EarSidebarPage *self)
{
  const gboolean is_empty = self->library != NULL && ear_sidebar_page_count_podcasts (self) == 0;

  gtk_widget_set_visible (self->empty_page, is_empty);
  gtk_stack_set_visible_child_name (self->stack, is_empty ? "empty" : "list");
  ear_property_set_boolean (self, "empty", is_empty);
}

/* One that is wanted may be in a folder that was left folded; one that is shown stays when its folder is folded. */
static gboolean
keep_folded_away (EarSidebarPage *self)
{
  g_autoptr (EarSidebarItem) wanted = self->wanted != NULL ? ear_sidebar_page_find_folded (self, self->wanted) : NULL;

  if (wanted != NULL)
    g_clear_pointer (&self->wanted, g_free);
  else if (self->wanted != NULL || !ear_sidebar_page_is_folded_away (self, self->collection))
    return FALSE;
  ear_sidebar_page_set_collection (self, wanted != NULL ? wanted : self->collection);
  ear_sidebar_page_select_position (self, GTK_INVALID_LIST_POSITION);

  return TRUE;
}

static void
items_changed_cb (EarSidebarPage *self, guint position)
{
  g_autoptr (EarSidebarItem) collection = NULL;
  guint current;

  update_empty (self);
  if (keep_folded_away (self))
    return;
  current = find_current (self, position);
  if (current != GTK_INVALID_LIST_POSITION)
    collection = ear_sidebar_page_dup_collection (self, current);
  ear_sidebar_page_set_collection (self, collection);
  ear_sidebar_page_select_position (self, current);
}

/* When it was pressed, in microseconds, and not when there was time for it. */
static gint64
get_time (GdkEvent *event)
{
  return (gint64) gdk_event_get_time (event) * G_TIME_SPAN_MILLISECOND;
}

/* Typing goes to the podcast that is called so: before the row, which a space would select. */
static gboolean
key_pressed_cb (EarSidebarPage *self, guint keyval, guint keycode, GdkModifierType state, GtkEventController *controller)
{
  const gint64 time = get_time (gtk_event_controller_get_current_event (controller));
  const guint focused = ear_sidebar_page_find_focused (self);
  const guint from = ear_sidebar_page_to_all (self, focused);
  g_autoptr (GListModel) all = NULL;
  g_autoptr (GObject) found = NULL;
  guint position;

  if (ear_sidebar_page_fold_by_key (self, keyval, state, focused))
    return GDK_EVENT_STOP;
  if (!ear_type_ahead_add (self->type_ahead, keyval, state, from, time))
    return GDK_EVENT_PROPAGATE;

  all = ear_sidebar_page_list_all (self);
  position = ear_type_ahead_find (self->type_ahead, all, "title", from);
  if (position == GTK_INVALID_LIST_POSITION)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return GDK_EVENT_STOP;
    }

  found = g_list_model_get_item (all, position);
  if (EAR_IS_PODCAST (found))
    ear_sidebar_page_reveal (self, EAR_PODCAST (found));
  position = ear_sidebar_page_from_all (self, position);
  ear_sidebar_page_ensure_row (self, position);
  if (!self->collapsed)
    ear_sidebar_page_select_position (self, position);
  gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS, NULL);

  return GDK_EVENT_STOP;
}

/* A row that is out of sight gets it as soon as the list has scrolled there, for which a page
 * that slides in for the first time has no size yet. */
static gboolean
focus_chosen_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);

  const gboolean has_size = gtk_widget_get_height (GTK_WIDGET (self->list_view)) > 0;

  ear_sidebar_page_enter (self);
  if ((!has_size || ear_sidebar_page_find_focused (self) != ear_sidebar_page_find_position (self, self->collection)) && --self->n_tries > 0)
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
collapsed_changed_cb (EarSidebarPage *self)
{
  if (!self->collapsed)
    ear_sidebar_page_select_position (self, ear_sidebar_page_find_position (self, self->collection));
}

static void
library_changed_cb (EarSidebarPage *self)
{
  g_autoptr (GListModel) collections = NULL;

  if (self->library != NULL)
    {
      g_object_bind_property (ear_library_get_settings (self->library), "podcast-order", self, "order", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
      collections = ear_sidebar_item_list_new (self->library);
    }
  ear_sidebar_page_set_collections (self, collections);
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
  g_clear_object (&self->pressed);
  g_clear_object (&self->dragged);
  g_clear_object (&self->type_ahead);
  g_clear_pointer (&self->wanted, g_free);
  g_clear_pointer (&self->order, g_free);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_sidebar_page_parent_class)->dispose (object);
}

static void
ear_sidebar_page_class_init (EarSidebarPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* What is listed */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarPage, library),
      .changed = G_CALLBACK (library_changed_cb) },
    /* What was chosen */
    { "collection", EAR_TYPE_SIDEBAR_ITEM, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarPage, collection),
      .set = G_CALLBACK (ear_sidebar_page_set_collection) },
    /* In which order the podcasts are: `title`, `newest` or `by-hand` */
    { .spec = g_param_spec_string ("order", NULL, NULL, "title", G_PARAM_READWRITE), .offset = G_STRUCT_OFFSET (EarSidebarPage, order) },
    /* Whether no other pane is beside it */
    { "collapsed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarPage, collapsed),
      .changed = G_CALLBACK (collapsed_changed_cb) },
    /* Whether nothing is followed: then the page says what to do about it */
    { "empty", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarPage, is_empty) },
    /* What the menu of a row is about: the last one that was opened */
    { "menu-collection", EAR_TYPE_SIDEBAR_ITEM, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarPage, menu_collection) },
  };

  object_class->dispose = ear_sidebar_page_dispose;
  ADW_NAVIGATION_PAGE_CLASS (klass)->showing = ear_sidebar_page_showing;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* A row was clicked where there is no other pane, or Enter was pressed. */
  g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (EAR_TYPE_PANE_LAYOUT);
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
  ear_sidebar_page_bind_menu (widget_class);
  ear_sidebar_page_bind_order (widget_class);
  ear_sidebar_page_bind_drop (widget_class);
  ear_sidebar_page_bind_folders (widget_class);
  ear_closures_bind (widget_class);
}

static void
ear_sidebar_page_init (EarSidebarPage *self)
{
  self->type_ahead = ear_type_ahead_new ();
  self->order = g_strdup ("title");
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_menu_later_set (self->menu_button, self->main_menu);
  ear_sidebar_page_init_rows (self);
}

EAR_DEFINE_GET (EarSidebarPage, ear_sidebar_page, EarSidebarItem *, collection)

/* Chooses a view or a podcast. */
void
ear_sidebar_page_set_collection (EarSidebarPage *self, EarSidebarItem *collection)
{
  guint position;

  g_return_if_fail (EAR_IS_SIDEBAR_PAGE (self));

  if (ear_sidebar_item_equal (self->collection, collection))
    return;

  g_set_object (&self->collection, collection);
  position = ear_sidebar_page_find_position (self, collection);
  /* The first frame does without the rows that are not in sight. */
  if (self->drawn)
    ear_sidebar_page_ensure_row (self, position);
  ear_sidebar_page_select_position (self, position);
  /* The keys come in here. */
  if (ear_sidebar_page_has_row (self, position))
    gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS, NULL);
  g_object_notify (G_OBJECT (self), "collection");
}

/* Chooses a view or a podcast by its name; if nothing is listed yet, once there is something. */
gboolean
ear_sidebar_page_choose (EarSidebarPage *self, const char *name)
{
  g_autoptr (EarSidebarItem) collection = NULL;
  guint position;

  g_return_val_if_fail (EAR_IS_SIDEBAR_PAGE (self), FALSE);

  position = ear_sidebar_page_find_name (self, name);
  if (position == GTK_INVALID_LIST_POSITION)
    {
      collection = ear_sidebar_page_find_folded (self, name);
      if (collection == NULL && self->collection == NULL)
        g_set_str (&self->wanted, name);
      if (collection == NULL)
        return FALSE;
      /* At the start everything is as it was left. */
      if (self->drawn)
        ear_sidebar_page_reveal (self, ear_sidebar_item_get_podcast (collection));
    }
  else
    collection = ear_sidebar_page_dup_collection (self, position);
  ear_sidebar_page_set_collection (self, collection);

  return TRUE;
}

/* Chooses a podcast, if it is listed. */
void
ear_sidebar_page_choose_podcast (EarSidebarPage *self, EarPodcast *podcast)
{
  g_autofree char *name = podcast != NULL ? ear_address_hash (ear_podcast_get_address (podcast), NULL) : NULL;

  if (name != NULL)
    ear_sidebar_page_choose (self, name);
}

gboolean
ear_sidebar_page_get_empty (EarSidebarPage *self)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_PAGE (self), FALSE);

  return self->is_empty;
}

/* Opens the main menu. */
void
ear_sidebar_page_open_menu (EarSidebarPage *self)
{
  g_return_if_fail (EAR_IS_SIDEBAR_PAGE (self));

  gtk_menu_button_popup (self->menu_button);
}

/* Puts the focus on the row that is chosen. */
gboolean
ear_sidebar_page_enter (EarSidebarPage *self)
{
  guint position;

  g_return_val_if_fail (EAR_IS_SIDEBAR_PAGE (self), FALSE);

  /* GTK may have put the selection elsewhere meanwhile, where it chooses nothing. */
  position = ear_sidebar_page_find_position (self, self->collection);
  ear_sidebar_page_ensure_row (self, position);

  if (ear_sidebar_page_count_podcasts (self) == 0)
    return gtk_widget_child_focus (gtk_stack_get_visible_child (self->stack), GTK_DIR_TAB_FORWARD);
  if (position != GTK_INVALID_LIST_POSITION)
    gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS | GTK_LIST_SCROLL_SELECT, NULL);

  return gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

/* Returns: whether it is one more letter of what is being typed to find a podcast */
gboolean
ear_sidebar_page_wants_key (EarSidebarPage *self, GdkEvent *event)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_PAGE (self), FALSE);
  g_return_val_if_fail (gdk_event_get_event_type (event) == GDK_KEY_PRESS, FALSE);

  return ear_type_ahead_goes_on (self->type_ahead, gdk_key_event_get_keyval (event), gdk_event_get_modifier_state (event),
                                 ear_sidebar_page_to_all (self, ear_sidebar_page_find_focused (self)), get_time (event));
}
