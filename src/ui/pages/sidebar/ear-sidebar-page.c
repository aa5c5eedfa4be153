/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page.h"

#include "ear-folders.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-sidebar-row.h"
#include "ear-sight.h"
#include "ear-text-find.h"
#include "ear-welcome-page.h"
#include "ear-widget.h"

/* A list view makes widgets for some two hundred rows, in sight or not, which
 * takes 200 ms: the rows in sight come with the first frame, the others after it. */
#define ROW_HEIGHT 50

/* A letter within this time, in microseconds, continues the word that is being typed. */
#define TYPING_PAUSE G_TIME_SPAN_SECOND

/* Checks that take less time than this are not shown, in milliseconds. */
#define SHOW_CHECKS_AFTER 1000

/**
 * EarSidebarPage:
 *
 * The first pane: the views over all episodes, the listener's lists, then the podcasts
 * and their folders. Where it shares the window with other panes, moving through it
 * selects; where it is alone, only a click or Enter does. The window makes the actions of
 * the rows' menus, `collection.*`.
 */
struct _EarSidebarPage
{
  AdwNavigationPage parent_instance;

  /* Template children */
  GtkStack *stack;
  AdwBin *empty_page;
  GtkListView *list_view;
  GtkSingleSelection *selection;
  GtkMenuButton *menu_button;
  GMenuModel *main_menu;

  /* Owned */
  EarLibrary *library;
  GListModel *views; /* (element-type EarSidebarItem): listed or not */
  GtkSliceListModel *rows; /* (element-type GtkTreeListRow): those that have widgets yet */
  EarSidebarItem *item; /* (nullable): chosen */
  EarSidebarItem *menu_item; /* (nullable): of the row menu that was opened last */
  EarSidebarItem *dragged; /* (nullable): the last one */
  EarSidebarItem *moved; /* (nullable): by keys, and gets the focus again when its row comes */
  GString *typed; /* letters of the title that is being typed */
  gint64 typed_at; /* in microseconds, of events */
  char *order; /* of the podcasts, as in the settings */
  char *wanted; /* (nullable): name of the item to choose once it is listed */
  guint n_checks; /* podcasts to check for new episodes */
  guint checks_source;
  gboolean shows_checks;
  gboolean collapsed;
  gboolean empty;
};

G_DEFINE_FINAL_TYPE (EarSidebarPage, ear_sidebar_page, ADW_TYPE_NAVIGATION_PAGE)

/* --- What is listed ----------------------------------------------------------------- */

/* Returns: (nullable): all rows, with a widget or not */
static GListModel *
get_model (EarSidebarPage *self)
{
  return gtk_slice_list_model_get_model (self->rows);
}

static guint
count_rows (EarSidebarPage *self)
{
  return get_model (self) != NULL ? g_list_model_get_n_items (get_model (self)) : 0;
}

static guint
count_podcasts (EarSidebarPage *self)
{
  return self->library != NULL
             ? g_list_model_get_n_items (ear_library_get_podcasts (self->library))
             : 0;
}

/* Returns: (transfer none) (nullable): the item listed there, which its row holds */
static EarSidebarItem *
get_item_at (EarSidebarPage *self, guint position)
{
  g_autoptr (GtkTreeListRow) row =
      position < count_rows (self) ? g_list_model_get_item (get_model (self), position) : NULL;
  g_autoptr (EarSidebarItem) item = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;

  return item;
}

static guint
find_position (EarSidebarPage *self, EarSidebarItem *item)
{
  for (guint i = 0; item != NULL && i < count_rows (self); i++)
    if (ear_sidebar_item_equal (get_item_at (self, i), item))
      return i;

  return GTK_INVALID_LIST_POSITION;
}

static EarFolder *
get_folder_at (EarSidebarPage *self, guint position)
{
  return ear_sidebar_item_get_folder (get_item_at (self, position));
}

/* Returns: (nullable): the podcast of an item, or the first one in a folder,
 * where the folder is */
static EarPodcast *
get_first (EarSidebarItem *item)
{
  EarFolder *folder = ear_sidebar_item_get_folder (item);

  if (folder != NULL)
    return g_ptr_array_index (ear_folder_get_podcasts (folder), 0);

  return ear_sidebar_item_get_podcast (item);
}

/* Returns: (nullable): the name of the folder that an item is, or is in */
static const char *
get_folder_name (EarSidebarItem *item)
{
  EarPodcast *podcast = get_first (item);

  return podcast != NULL ? ear_podcast_get_folder (podcast) : NULL;
}

/* Returns: (transfer full) (element-type EarSidebarItem): all that would be listed if no
 * folder was folded */
static GListStore *
list_unfolded (EarSidebarPage *self)
{
  GListStore *all = g_list_store_new (EAR_TYPE_SIDEBAR_ITEM);

  for (guint i = 0; i < count_rows (self); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (get_model (self), i);
      EarFolder *folder = get_folder_at (self, i);
      const gboolean is_folded = folder != NULL && !gtk_tree_list_row_get_expanded (row);
      GPtrArray *podcasts = is_folded ? ear_folder_get_podcasts (folder) : NULL;

      g_list_store_append (all, get_item_at (self, i));
      for (guint j = 0; podcasts != NULL && j < podcasts->len; j++)
        {
          g_autoptr (EarSidebarItem) item = ear_sidebar_item_new_podcast (podcasts->pdata[j]);

          g_list_store_append (all, item);
        }
    }

  return all;
}

/* Returns: (transfer full) (nullable): the item of that name, also a podcast in a folded
 * folder, and a view without content */
static EarSidebarItem *
find_item (EarSidebarPage *self, const char *name)
{
  g_autoptr (GListStore) unfolded = list_unfolded (self);
  GListModel *const models[] = { G_LIST_MODEL (unfolded), self->views };

  for (guint i = 0; count_podcasts (self) > 0 && i < G_N_ELEMENTS (models); i++)
    for (guint j = 0; j < g_list_model_get_n_items (models[i]); j++)
      {
        g_autoptr (EarSidebarItem) item = g_list_model_get_item (models[i], j);

        if (g_strcmp0 (ear_sidebar_item_get_name (item), name) == 0)
          return g_steal_pointer (&item);
      }

  return NULL;
}

/* Returns: whether the item still exists, listed or in a folder that is folded, or while
 * it moves in the list */
static gboolean
exists (EarSidebarPage *self, EarSidebarItem *item)
{
  EarFolder *folder = ear_sidebar_item_get_folder (item);
  EarPodcast *podcast = get_first (item);

  if (podcast == NULL)
    return ear_sidebar_item_get_list (item) == NULL;

  return g_list_store_find (G_LIST_STORE (ear_library_get_podcasts (self->library)), podcast,
                            NULL) &&
         (folder == NULL ||
          g_strcmp0 (ear_podcast_get_folder (podcast), ear_folder_get_name (folder)) == 0);
}

/* --- Rows --------------------------------------------------------------------------- */

static void
go_to (EarSidebarPage *self, guint position)
{
  if (!self->collapsed)
    gtk_single_selection_set_selected (self->selection, position);
  gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS, NULL);
}

/* Returns: the position of the focus, which need not be the chosen row where this is the
 * only pane, or %GTK_INVALID_LIST_POSITION */
static guint
find_focused (EarSidebarPage *self)
{
  GtkWidget *row = ear_row_with_focus (GTK_WIDGET (self->list_view), EAR_TYPE_SIDEBAR_ROW);

  return row != NULL ? find_position (self, ear_sidebar_row_get_item (EAR_SIDEBAR_ROW (row)))
                     : GTK_INVALID_LIST_POSITION;
}

static void
scroll_to_chosen (EarSidebarPage *self, GtkListScrollFlags flags)
{
  const guint position = find_position (self, self->item);

  if (position < g_list_model_get_n_items (G_LIST_MODEL (self->rows)))
    gtk_list_view_scroll_to (self->list_view, position, flags, NULL);
}

/* A list view without a size cannot scroll. */
static gboolean
first_frame_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);

  if (gtk_widget_get_height (widget) == 0)
    return G_SOURCE_CONTINUE;

  gtk_slice_list_model_set_size (self->rows, G_MAXUINT);
  scroll_to_chosen (self, GTK_LIST_SCROLL_FOCUS);

  return G_SOURCE_REMOVE;
}

/* --- The chosen item ---------------------------------------------------------------- */

static void
select_chosen (EarSidebarPage *self)
{
  gtk_single_selection_set_selected (self->selection, find_position (self, self->item));
}

static void
set_item (EarSidebarPage *self, EarSidebarItem *item)
{
  g_autoptr (EarSidebarItem) former = NULL;

  if (ear_sidebar_item_equal (self->item, item))
    return;

  former = g_steal_pointer (&self->item);
  g_set_object (&self->item, item);
  /* A view stays listed while it is chosen. */
  if (item != NULL)
    ear_sidebar_item_set_pinned (item, TRUE);
  if (former != NULL)
    ear_sidebar_item_set_pinned (former, FALSE);
  select_chosen (self);
  scroll_to_chosen (self, GTK_LIST_SCROLL_FOCUS);
  g_object_notify (G_OBJECT (self), "item");
}

static void
selected_cb (EarSidebarPage *self)
{
  const guint position = gtk_single_selection_get_selected (self->selection);
  EarSidebarItem *item = get_item_at (self, position);

  if (item == NULL || self->collapsed || ear_sidebar_item_equal (item, self->item))
    return;

  g_clear_pointer (&self->wanted, g_free);
  set_item (self, item);
}

/* Beside other panes a row is chosen already when it is activated. */
static void
activated_cb (EarSidebarPage *self, guint position)
{
  EarFolder *folder = self->collapsed ? NULL : get_folder_at (self, position);

  if (folder != NULL)
    {
      ear_folder_set_folded (folder, !ear_folder_get_folded (folder));
      return;
    }

  g_clear_pointer (&self->wanted, g_free);
  set_item (self, get_item_at (self, position));
  g_signal_emit_by_name (self, "activated");
}

/* An item that is gone is replaced by its neighbor, and the first podcast that comes is
 * shown. Without podcasts, the views are empty, too.
 * @changed: where rows came or went */
static guint
find_next (EarSidebarPage *self, guint changed)
{
  const guint n_rows = count_rows (self);
  guint first = 0;

  if (ear_sidebar_item_get_list (self->item) != NULL)
    return MIN (changed, n_rows - 1);
  while (first < n_rows && get_first (get_item_at (self, first)) == NULL)
    first++;

  return CLAMP (changed, MIN (first, n_rows - 1), n_rows - 1);
}

static void
update_empty (EarSidebarPage *self)
{
  const gboolean is_empty = self->library != NULL && count_podcasts (self) == 0;

  /* Most windows never show it. */
  if (is_empty && adw_bin_get_child (self->empty_page) == NULL)
    adw_bin_set_child (self->empty_page,
                       g_object_new (EAR_TYPE_WELCOME_PAGE, "library", self->library, NULL));
  /* Invisible pages of the stack are styled, too. */
  gtk_widget_set_visible (GTK_WIDGET (self->empty_page), is_empty);
  gtk_stack_set_visible_child_name (self->stack, is_empty ? "empty" : "list");
  ear_property_set_boolean (self, "empty", is_empty);
}

/* Lists come later than podcasts: a wanted list is waited for. */
static void
choose_wanted (EarSidebarPage *self)
{
  g_autoptr (EarSidebarItem) item = find_item (self, self->wanted);

  if (item == NULL && g_str_has_prefix (self->wanted, "list-"))
    return;
  g_clear_pointer (&self->wanted, g_free);
  if (item != NULL)
    set_item (self, item);
}

static void
items_changed_cb (EarSidebarPage *self, guint position, guint n_removed, guint n_added)
{
  /* The list view would follow the row that was the first, as during an import, and move the
   * top out of sight. */
  if (n_added > 0)
    ear_rows_keep_top (self->list_view, 0, n_removed, n_added);
  update_empty (self);
  if (self->library == NULL || count_podcasts (self) == 0 || count_rows (self) == 0)
    {
      set_item (self, NULL);
      return;
    }
  if (self->wanted != NULL)
    choose_wanted (self);
  if (self->item == NULL ||
      (find_position (self, self->item) == GTK_INVALID_LIST_POSITION && !exists (self, self->item)))
    set_item (self, get_item_at (self, find_next (self, position)));
  select_chosen (self);
  if (self->moved != NULL && find_position (self, self->moved) != GTK_INVALID_LIST_POSITION)
    {
      go_to (self, find_position (self, self->moved));
      g_clear_object (&self->moved);
    }
}

/* --- Keys --------------------------------------------------------------------------- */

/* Unfolds the folder of a podcast. A start leaves folders folded, as does a choice in a
 * window that is too narrow for the sidebar.
 * @podcast: (nullable) */
static void
unfold_around (EarSidebarPage *self, EarPodcast *podcast)
{
  const char *name = podcast != NULL ? ear_podcast_get_folder (podcast) : NULL;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;

  for (guint i = 0; name != NULL && i < count_rows (self); i++)
    {
      EarFolder *folder = get_folder_at (self, i);

      if (folder != NULL && g_str_equal (ear_folder_get_name (folder), name))
        ear_folder_set_folded (folder, FALSE);
    }
}

/* The arrow key that leads into the text unfolds a folder, or goes to its first podcast.
 * The other one folds it, or goes from a podcast to its folder. */
static gboolean
fold_by_key (EarSidebarPage *self, guint keyval, GdkModifierType state)
{
  const gboolean is_rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  const gboolean left = keyval == GDK_KEY_Left || keyval == GDK_KEY_KP_Left;
  const gboolean right = keyval == GDK_KEY_Right || keyval == GDK_KEY_KP_Right;
  const gboolean unfold = right != is_rtl;
  guint position = find_focused (self);
  EarFolder *folder = get_folder_at (self, position);

  if ((!left && !right) || (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return FALSE;
  if (folder != NULL && unfold && !ear_folder_get_folded (folder))
    go_to (self, position + 1);
  else if (folder != NULL)
    ear_folder_set_folded (folder, !unfold);
  else if (get_folder_name (get_item_at (self, position)) != NULL && !unfold)
    {
      while (get_folder_at (self, position) == NULL)
        position--;
      go_to (self, position);
    }
  else
    return FALSE;

  return TRUE;
}

static gboolean
is_sort_button (GtkWidget *widget)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget);
}

/* Tab moves from the podcasts to the button beside their heading, which a
 * list view skips. */
static gboolean
focus_sort_button (EarSidebarPage *self)
{
  GtkWidget *button = get_first (get_item_at (self, find_focused (self))) != NULL
                          ? ear_find_within (GTK_WIDGET (self->list_view), is_sort_button)
                          : NULL;

  return button != NULL && gtk_widget_grab_focus (button);
}

/* --- Typing a title ----------------------------------------------------------------- */

/* Returns: the letter that a key writes, or 0 */
static gunichar
get_letter (GdkEvent *event)
{
  const GdkModifierType others =
      GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK;

  if ((gdk_event_get_modifier_state (event) & others) != 0)
    return 0;

  return gdk_keyval_to_unicode (gdk_key_event_get_keyval (event));
}

/* Returns: whether a key is one more letter of a title that is being typed in the list */
gboolean
ear_sidebar_page_wants_key (EarSidebarPage *self, GdkEvent *event)
{
  const gint64 time = (gint64) gdk_event_get_time (event) * G_TIME_SPAN_MILLISECOND;

  return self->typed->len > 0 && time - self->typed_at <= TYPING_PAUSE &&
         g_unichar_isprint (get_letter (event)) &&
         find_focused (self) != GTK_INVALID_LIST_POSITION;
}

/* Searches from a row on, and round to it, for a title that begins with the typed letters,
 * or else has them.
 * @all: from list_unfolded()
 * Returns: (transfer full) (nullable) */
static EarSidebarItem *
find_title (GListModel *all, guint from, const char *typed)
{
  const guint n_items = g_list_model_get_n_items (all);
  g_autoptr (EarSidebarItem) other = NULL;

  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (EarSidebarItem) item = g_list_model_get_item (all, (from + i) % n_items);
      const char *title = ear_sidebar_item_get_title (item);
      gsize start, end;

      if (title == NULL || !ear_text_find (title, typed, &start, &end))
        continue;
      if (start == 0)
        return g_steal_pointer (&item);
      if (other == NULL)
        other = g_steal_pointer (&item);
    }

  return g_steal_pointer (&other);
}

/* Goes to the title that the typed letters begin. The first letter goes to the next title,
 * also when it is typed again; further letters may still mean the same row. */
static void
type_letter (EarSidebarPage *self, gunichar letter)
{
  g_autoptr (GListStore) all = list_unfolded (self);
  g_autoptr (EarSidebarItem) found = NULL;
  guint from = 0;

  if (g_utf8_strlen (self->typed->str, -1) != 1 || g_utf8_get_char (self->typed->str) != letter)
    g_string_append_unichar (self->typed, letter);
  g_list_store_find (all, get_item_at (self, find_focused (self)), &from);
  if (g_utf8_strlen (self->typed->str, -1) == 1)
    from++;
  found = find_title (G_LIST_MODEL (all), from, self->typed->str);
  if (found == NULL)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  unfold_around (self, ear_sidebar_item_get_podcast (found));
  go_to (self, find_position (self, found));
}

/* Handles keys before the row does, which a space would select. */
static gboolean
key_pressed_cb (EarSidebarPage *self, guint keyval, guint keycode, GdkModifierType state,
                GtkEventController *controller)
{
  GdkEvent *event = gtk_event_controller_get_current_event (controller);

  /* The focus may be in a heading, or in the menu of its button. */
  if (find_focused (self) == GTK_INVALID_LIST_POSITION || gdk_key_event_is_modifier (event))
    return GDK_EVENT_PROPAGATE;
  if (keyval == GDK_KEY_Tab && (state & gtk_accelerator_get_default_mod_mask ()) == 0)
    return focus_sort_button (self);
  if (fold_by_key (self, keyval, state))
    {
      g_string_truncate (self->typed, 0);
      return GDK_EVENT_STOP;
    }
  if (!ear_sidebar_page_wants_key (self, event))
    g_string_truncate (self->typed, 0);
  /* No title begins with a space. */
  if (self->typed->len == 0 && !g_unichar_isgraph (get_letter (event)))
    return GDK_EVENT_PROPAGATE;

  self->typed_at = (gint64) gdk_event_get_time (event) * G_TIME_SPAN_MILLISECOND;
  type_letter (self, get_letter (event));

  return GDK_EVENT_STOP;
}

/* --- Order -------------------------------------------------------------------------- */

/* The target of a move */
typedef struct
{
  gboolean into;      /* a folder, at any position in it */
  const char *folder; /* (nullable): for podcasts */
  EarPodcast *before; /* (nullable): the next podcast then; %NULL: last */
} Goal;

static gboolean
is_by_hand (EarSidebarPage *self)
{
  return g_strcmp0 (self->order, EAR_PODCAST_ORDER_BY_HAND) == 0;
}

/* Returns: (nullable): the next list or folder, or the next podcast in the same folder
 * @step: 1, or -1 for the one before */
static EarSidebarItem *
find_sibling (EarSidebarPage *self, EarSidebarItem *item, int step)
{
  const guint position = find_position (self, item);

  for (guint i = position + (guint) step; i < count_rows (self); i += (guint) step)
    {
      EarSidebarItem *other = get_item_at (self, i);

      if (ear_sidebar_item_get_kind (item) == ear_sidebar_item_get_kind (other) &&
          (ear_sidebar_item_get_podcast (item) == NULL ||
           g_strcmp0 (get_folder_name (item), get_folder_name (other)) == 0))
        return other;
    }

  return NULL;
}

/* A podcast goes into a folder, and in the listener's own order also between two podcasts.
 * A folder goes between two others.
 * @there: (nullable): another item, above or below which @moved is to be
 * Returns: whether @moved can be there */
static gboolean
find_goal (EarSidebarPage *self, EarSidebarItem *moved, EarSidebarItem *there, gboolean below,
           Goal *goal)
{
  EarSidebarItem *next;
  gboolean is_podcast, onto_folder;

  *goal = (Goal){ 0 };
  if (moved == NULL || there == NULL || ear_sidebar_item_equal (moved, there))
    return FALSE;
  if (ear_sidebar_item_get_list (moved) != NULL)
    return ear_sidebar_item_get_list (there) != NULL;
  if (get_first (there) == NULL)
    return FALSE;

  is_podcast = ear_sidebar_item_get_podcast (moved) != NULL;
  onto_folder = ear_sidebar_item_get_folder (there) != NULL;
  goal->folder = get_folder_name (is_podcast ? there : moved);
  goal->into = is_podcast && (onto_folder || !is_by_hand (self));
  if (goal->into)
    return g_strcmp0 (goal->folder, get_folder_name (moved)) != 0;
  next = below ? find_sibling (self, there, 1) : there;
  if (ear_sidebar_item_equal (next, moved))
    next = find_sibling (self, moved, 1);
  goal->before = get_first (next);

  return is_podcast || onto_folder;
}

/* Moves a podcast, a folder with all that is in it, or a list.
 * Returns: whether it can be above or below @there */
static gboolean
move_beside (EarSidebarPage *self, EarSidebarItem *moved, EarSidebarItem *there, gboolean below)
{
  EarLists *lists = ear_library_get_lists (self->library);
  EarList *list = ear_sidebar_item_get_list (moved);
  EarFolder *folder = ear_sidebar_item_get_folder (moved);
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new ();
  Goal goal;

  if (!find_goal (self, moved, there, below, &goal))
    return FALSE;
  if (folder != NULL)
    g_ptr_array_extend (podcasts, ear_folder_get_podcasts (folder), NULL, NULL);
  else if (list == NULL)
    g_ptr_array_add (podcasts, ear_sidebar_item_get_podcast (moved));
  if (list == NULL)
    ear_subscriptions_place (ear_library_get_subscriptions (self->library), podcasts, goal.folder,
                             goal.before);
  else
    ear_lists_move (lists, list, ear_sidebar_item_get_list (there), below);

  return TRUE;
}

/* Lists can be moved always, folders in the listener's own order, and podcasts
 * also into a folder. */
static gboolean
can_move (EarSidebarPage *self, EarSidebarItem *item)
{
  if (ear_sidebar_item_get_list (item) != NULL)
    return TRUE;
  if (is_by_hand (self))
    return get_first (item) != NULL;
  for (guint i = 0; ear_sidebar_item_get_podcast (item) != NULL && i < count_rows (self); i++)
    if (get_folder_at (self, i) != NULL)
      return TRUE;

  return FALSE;
}

static void
move (EarSidebarPage *self, const char *name)
{
  const gboolean up = g_str_equal (name, "list.move-up");
  EarSidebarItem *focused = get_item_at (self, find_focused (self));
  EarSidebarItem *item = focused != NULL ? focused : self->item;
  EarSidebarItem *other = item != NULL ? find_sibling (self, item, up ? -1 : 1) : NULL;

  g_set_object (&self->moved, focused);
  if (other == NULL || !can_move (self, item) || !move_beside (self, item, other, !up))
    {
      g_clear_object (&self->moved);
      gtk_widget_error_bell (GTK_WIDGET (self));
    }
}

/* --- Dragging ----------------------------------------------------------------------- */

static GtkWidget *
find_row_at (EarSidebarPage *self, double x, double y)
{
  return ear_row_at (GTK_WIDGET (self->list_view), x, y, EAR_TYPE_SIDEBAR_ROW);
}

static EarSidebarItem *
find_item_at (EarSidebarPage *self, double x, double y)
{
  GtkWidget *row = find_row_at (self, x, y);

  return row != NULL ? ear_sidebar_row_get_item (EAR_SIDEBAR_ROW (row)) : NULL;
}

static GdkContentProvider *
drag_prepare_cb (EarSidebarPage *self, double x, double y, GtkDragSource *source)
{
  EarSidebarItem *item = find_item_at (self, x, y);

  if (item == NULL || !can_move (self, item) ||
      !ear_row_begin_drag (find_row_at (self, x, y), source, x))
    return NULL;

  g_set_object (&self->dragged, item);

  return gdk_content_provider_new_typed (EAR_TYPE_SIDEBAR_ITEM, item);
}

static gboolean
takes_episodes (EarSidebarItem *item)
{
  EarList *list = ear_sidebar_item_get_list (item);

  return item != NULL && (ear_sidebar_item_get_kind (item) == EAR_SIDEBAR_ITEM_QUEUE ||
                          (list != NULL && !ear_list_is_smart (list)));
}

/* Returns: (nullable): the row of a folder, if it is in sight */
static GtkWidget *
find_folder_row (EarSidebarPage *self, const char *name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *row = gtk_widget_get_first_child (child);
      EarSidebarItem *item = row != NULL && EAR_IS_SIDEBAR_ROW (row)
                                 ? ear_sidebar_row_get_item (EAR_SIDEBAR_ROW (row))
                                 : NULL;
      EarFolder *folder = ear_sidebar_item_get_folder (item);

      if (folder != NULL && g_strcmp0 (ear_folder_get_name (folder), name) == 0)
        return row;
    }

  return NULL;
}

static GdkDragAction
drop_motion_cb (EarSidebarPage *self, double x, double y, GtkDropTarget *target)
{
  GdkDrop *drop = gtk_drop_target_get_current_drop (target);
  GtkWidget *list = GTK_WIDGET (self->list_view);
  GtkWidget *row = find_row_at (self, x, y);
  EarSidebarItem *there = find_item_at (self, x, y);
  const gboolean below = ear_row_is_below (row, list, y);
  Goal goal;

  ear_row_unmark_drop (list);
  if (drop == NULL ||
      !gdk_content_formats_contain_gtype (gdk_drop_get_formats (drop), EAR_TYPE_SIDEBAR_ITEM))
    {
      if (!takes_episodes (there))
        return 0;
      ear_row_mark_drop (list, row, "drop-into");
      return GDK_ACTION_COPY;
    }
  if (!find_goal (self, self->dragged, there, below, &goal))
    return 0;
  if (goal.into)
    ear_row_mark_drop (list, find_folder_row (self, goal.folder), "drop-into");
  else
    ear_row_mark_drop (list, row, below ? "drop-below" : "drop-above");

  return GDK_ACTION_COPY;
}

/* Takes episodes, dropped on Up Next or on a list, and rows that are dragged to
 * another position. */
static gboolean
drop_cb (EarSidebarPage *self, const GValue *value, double x, double y)
{
  EarSidebarItem *there = find_item_at (self, x, y);
  EarList *list = ear_sidebar_item_get_list (there);
  const gboolean below =
      ear_row_is_below (find_row_at (self, x, y), GTK_WIDGET (self->list_view), y);

  ear_row_unmark_drop (GTK_WIDGET (self->list_view));
  if (!G_VALUE_HOLDS (value, EAR_TYPE_SIDEBAR_ITEM))
    {
      if (!takes_episodes (there))
        return FALSE;
      if (list != NULL)
        ear_lists_add (ear_library_get_lists (self->library), list, g_value_get_boxed (value));
      else
        ear_queue_add_last (ear_library_get_queue (self->library), g_value_get_boxed (value));
      return TRUE;
    }

  return move_beside (self, g_value_get_object (value), there, below);
}

/* --- Menu of a row ------------------------------------------------------------------ */

static GMenuModel *
create_row_menu (GtkWidget *widget, GtkWidget *row)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);
  EarSidebarItem *item = ear_sidebar_row_get_item (EAR_SIDEBAR_ROW (row));

  if (item == NULL)
    return NULL;
  if (g_set_object (&self->menu_item, item))
    g_object_notify (G_OBJECT (self), "menu-item");

  return ear_sidebar_item_create_menu (item);
}

/* --- Class -------------------------------------------------------------------------- */

static void
show_checks_cb (gpointer user_data)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (user_data);

  self->checks_source = 0;
  ear_property_set_boolean (self, "shows-checks", TRUE);
}

static void
n_checks_changed_cb (EarSidebarPage *self)
{
  if (self->n_checks > 0 && !self->shows_checks && self->checks_source == 0)
    self->checks_source = g_timeout_add_once (SHOW_CHECKS_AFTER, show_checks_cb, self);
  else if (self->n_checks == 0)
    {
      g_clear_handle_id (&self->checks_source, g_source_remove);
      ear_property_set_boolean (self, "shows-checks", FALSE);
    }
}

/* AdwNavigationView gives the focus to the first row where it finds none that had it. */
static void
shown_cb (EarSidebarPage *self)
{
  if (self->collapsed)
    ear_sidebar_page_enter (self);
}

static void
collapsed_changed_cb (EarSidebarPage *self)
{
  if (!self->collapsed)
    select_chosen (self);
}

static void
library_changed_cb (EarSidebarPage *self)
{
  g_autoptr (GListModel) rows = NULL;

  g_object_bind_property (ear_library_get_settings (self->library), "podcast-order", self, "order",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  self->views = ear_sidebar_item_list_views (self->library);
  rows = ear_sidebar_item_list_rows (self->library, self->views);
  gtk_slice_list_model_set_size (self->rows, ear_rows_in_sight (GTK_WIDGET (self), ROW_HEIGHT));
  gtk_slice_list_model_set_model (self->rows, rows);
  gtk_widget_add_tick_callback (GTK_WIDGET (self), first_frame_cb, NULL, NULL);
}

static void
ear_sidebar_page_dispose (GObject *object)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (object);

  if (self->selection != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->selection, self);
      /* The library empties its lists later, when some of the models between them and the
       * rows may be gone. */
      gtk_single_selection_set_model (self->selection, NULL);
    }
  if (self->rows != NULL)
    gtk_slice_list_model_set_model (self->rows, NULL);
  g_clear_handle_id (&self->checks_source, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_SIDEBAR_PAGE);
  g_clear_object (&self->rows);
  g_clear_object (&self->views);
  g_clear_object (&self->dragged);
  g_clear_object (&self->moved);
  if (self->typed != NULL)
    g_string_free (g_steal_pointer (&self->typed), TRUE);
  g_clear_pointer (&self->wanted, g_free);
  ear_properties_clear (self);

  G_OBJECT_CLASS (ear_sidebar_page_parent_class)->dispose (object);
}

static void
ear_sidebar_page_class_init (EarSidebarPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarPage, library),
      .changed = G_CALLBACK (library_changed_cb) },
    /* (nullable): the chosen item */
    { "item", EAR_TYPE_SIDEBAR_ITEM, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarPage, item),
      .set = G_CALLBACK (set_item) },
    /* The order of the podcasts: `title`, `newest` or `by-hand` */
    { .spec = g_param_spec_string ("order", NULL, NULL, "title", G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarSidebarPage, order) },
    /* Whether no other pane is beside it */
    { "collapsed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarPage, collapsed),
      .changed = G_CALLBACK (collapsed_changed_cb) },
    /* Whether no podcast is followed: then the page says how to begin */
    { "empty", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarPage, empty) },
    /* The number of podcasts that are being checked, and whether the page shows that */
    { "n-checks", G_TYPE_UINT, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarPage, n_checks),
      .changed = G_CALLBACK (n_checks_changed_cb) },
    { "shows-checks", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarSidebarPage, shows_checks) },
    /* The item whose menu was opened last */
    { "menu-item", EAR_TYPE_SIDEBAR_ITEM, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarSidebarPage, menu_item) },
  };

  object_class->dispose = ear_sidebar_page_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* A row was clicked where there is no other pane, or Enter was pressed. */
  ear_signal_new (klass, "activated", 0);

  g_type_ensure (EAR_TYPE_REFRESHER);
  g_type_ensure (EAR_TYPE_SIDEBAR_ROW);
  g_type_ensure (G_TYPE_PTR_ARRAY);
  ear_widget_set_template (widget_class, "ear-sidebar-page");
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, stack);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, selection);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, empty_page);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, menu_button);
  gtk_widget_class_bind_template_child (widget_class, EarSidebarPage, main_menu);
  gtk_widget_class_bind_template_callback (widget_class, shown_cb);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, items_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
  gtk_widget_class_bind_template_callback (widget_class, drag_prepare_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_motion_cb);
  gtk_widget_class_bind_template_callback (widget_class, ear_row_unmark_drop);
  gtk_widget_class_bind_template_callback (widget_class, drop_cb);

  gtk_widget_class_install_property_action (widget_class, "list.sort-podcasts", "order");
  ear_action_install (widget_class, "list.move-up", NULL, move);
  ear_action_install (widget_class, "list.move-down", NULL, move);
  ear_row_menu_install (widget_class);
}

static void
ear_sidebar_page_init (EarSidebarPage *self)
{
  self->typed = g_string_new (NULL);
  self->order = g_strdup ("title");
  self->rows = gtk_slice_list_model_new (NULL, 0, 0);
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_row_menu_attach (GTK_WIDGET (self), GTK_WIDGET (self->list_view), EAR_TYPE_SIDEBAR_ROW,
                       create_row_menu);
  ear_menu_later_set (self->menu_button, self->main_menu);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->rows));
}

EAR_DEFINE_GET (EarSidebarPage, ear_sidebar_page, EarSidebarItem *, item)
EAR_DEFINE_GET (EarSidebarPage, ear_sidebar_page, gboolean, empty)

/* Chooses an item by its name; if nothing is listed yet, as soon as
 * there is something. */
gboolean
ear_sidebar_page_choose (EarSidebarPage *self, const char *name)
{
  g_autoptr (EarSidebarItem) item = find_item (self, name);

  if (item == NULL)
    {
      if (self->item == NULL)
        g_set_str (&self->wanted, name);
      return FALSE;
    }
  unfold_around (self, ear_sidebar_item_get_podcast (item));
  set_item (self, item);

  return TRUE;
}

/* Chooses a podcast, if it is followed; while many come, its row comes later. */
void
ear_sidebar_page_choose_podcast (EarSidebarPage *self, EarPodcast *podcast)
{
  g_autoptr (EarSidebarItem) item = NULL;

  if (podcast == NULL || !ear_podcast_get_followed (podcast))
    return;
  item = ear_sidebar_item_new_podcast (podcast);
  unfold_around (self, podcast);
  set_item (self, item);
}

void
ear_sidebar_page_open_menu (EarSidebarPage *self)
{
  gtk_menu_button_popup (self->menu_button);
}

/* Moves the focus to the chosen row. */
gboolean
ear_sidebar_page_enter (EarSidebarPage *self)
{
  if (count_podcasts (self) == 0)
    return gtk_widget_child_focus (gtk_stack_get_visible_child (self->stack),
                                   GTK_DIR_TAB_FORWARD);
  /* GTK may have selected another row since, which chooses nothing. */
  scroll_to_chosen (self, GTK_LIST_SCROLL_FOCUS | GTK_LIST_SCROLL_SELECT);

  return gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}
