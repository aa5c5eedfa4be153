/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include "ear-podcast-order.h"

/*
 * The listener's own order of the podcasts, and that of his lists: Alt and an arrow move one, and so does dragging
 * (ear-sidebar-page-drop.c), which also leads into folders.
 */

static gboolean
is_by_hand (EarSidebarPage *self)
{
  return ear_podcast_order_from_name (self->order) == EAR_PODCAST_ORDER_BY_HAND;
}

/* Returns: (nullable): what is listed there, if it is a podcast */
static EarPodcast *
get_podcast (EarSidebarPage *self, guint position)
{
  g_autoptr (EarSidebarItem) collection = ear_sidebar_page_dup_collection (self, position);

  return collection != NULL ? ear_sidebar_item_get_podcast (collection) : NULL;
}

static EarPodcast *
get_podcast_in (EarSidebarPage *self, guint position, const char *folder)
{
  EarPodcast *podcast = get_podcast (self, position);

  return podcast != NULL && g_strcmp0 (ear_podcast_get_folder (podcast), folder) == 0 ? podcast : NULL;
}

/* Returns: (nullable): the next folder from there on, in steps of @step */
static EarFolder *
get_next_folder (EarSidebarPage *self, guint position, guint step)
{
  for (guint i = position; i < ear_sidebar_page_count_collections (self); i += step)
    {
      g_autoptr (EarSidebarItem) collection = ear_sidebar_page_dup_collection (self, i);

      if (ear_sidebar_item_get_folder (collection) != NULL)
        return ear_sidebar_item_get_folder (collection);
    }

  return NULL;
}

/* A folder stands where its first podcast does. */
static EarPodcast *
get_first (EarFolder *folder)
{
  return folder != NULL ? g_ptr_array_index (ear_folder_get_podcasts (folder), 0) : NULL;
}

/* --- Where it would go -------------------------------------------------------------------- */

/* Into a folder, or beside another one, in the listener's own order between it and its neighbour. */
static gboolean
find_podcast_goal (EarSidebarPage *self, EarPodcast *moved, guint position, gboolean below, EarSidebarGoal *goal)
{
  g_autoptr (EarSidebarItem) there = ear_sidebar_page_dup_collection (self, position);
  EarFolder *folder = ear_sidebar_item_get_folder (there);
  EarPodcast *podcast = ear_sidebar_item_get_podcast (there);

  if (podcast == moved || (folder == NULL && podcast == NULL))
    return FALSE;
  goal->folder = folder != NULL ? ear_folder_get_name (folder) : ear_podcast_get_folder (podcast);
  if (folder != NULL || !is_by_hand (self))
    {
      goal->into = TRUE;
      return g_strcmp0 (goal->folder, ear_podcast_get_folder (moved)) != 0;
    }
  goal->before = below ? get_podcast_in (self, position + 1, goal->folder) : podcast;
  if (goal->before == moved)
    goal->before = get_podcast_in (self, position + 2, goal->folder);

  return TRUE;
}

/* Between two others, of which an open one ends with the last podcast in it. */
static gboolean
find_folder_goal (EarSidebarPage *self, EarFolder *moved, guint position, gboolean *below, EarSidebarGoal *goal)
{
  g_autoptr (EarSidebarItem) there = ear_sidebar_page_dup_collection (self, position);
  EarFolder *folder = ear_sidebar_item_get_folder (there);
  EarPodcast *podcast = ear_sidebar_item_get_podcast (there);

  if (folder == moved)
    return FALSE;
  goal->folder = ear_folder_get_name (moved);
  if (folder != NULL && !ear_folder_get_folded (folder))
    *below = FALSE;
  else if (folder == NULL)
    *below = TRUE;
  if (folder == NULL && (podcast == NULL || ear_podcast_get_folder (podcast) == NULL || g_strcmp0 (ear_podcast_get_folder (podcast), goal->folder) == 0 ||
                         get_podcast_in (self, position + 1, ear_podcast_get_folder (podcast)) != NULL))
    return FALSE;
  folder = *below ? get_next_folder (self, position + 1, 1) : folder;
  if (folder == moved)
    folder = get_next_folder (self, ear_sidebar_page_find_position (self, self->dragged) + 1, 1);
  goal->before = get_first (folder);

  return TRUE;
}

/* Whether a podcast, or a folder, could go anywhere. */
gboolean
ear_sidebar_page_can_place (EarSidebarPage *self, EarSidebarItem *moved)
{
  if (is_by_hand (self))
    return ear_sidebar_item_get_podcast (moved) != NULL || ear_sidebar_item_get_folder (moved) != NULL;

  return ear_sidebar_item_get_podcast (moved) != NULL && get_next_folder (self, 0, 1) != NULL;
}

/* @position: what it is dragged over
 * @below: (inout): whether over the lower half of that
 * @goal: (out caller-allocates): where it would go
 * Returns: whether it would go anywhere */
gboolean
ear_sidebar_page_find_goal (EarSidebarPage *self, EarSidebarItem *moved, guint position, gboolean *below, EarSidebarGoal *goal)
{
  *goal = (EarSidebarGoal) { 0 };
  if (position == GTK_INVALID_LIST_POSITION)
    return FALSE;
  if (ear_sidebar_item_get_podcast (moved) != NULL)
    return find_podcast_goal (self, ear_sidebar_item_get_podcast (moved), position, *below, goal);

  return find_folder_goal (self, ear_sidebar_item_get_folder (moved), position, below, goal);
}

/* Moves a podcast, or a folder with all that is in it. */
void
ear_sidebar_page_place (EarSidebarPage *self, EarSidebarItem *moved, const EarSidebarGoal *goal)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new ();
  EarFolder *folder = ear_sidebar_item_get_folder (moved);

  if (folder != NULL)
    g_ptr_array_extend (podcasts, ear_folder_get_podcasts (folder), NULL, NULL);
  else
    g_ptr_array_add (podcasts, ear_sidebar_item_get_podcast (moved));
  ear_subscriptions_place (ear_library_get_subscriptions (self->library), podcasts, goal->folder, goal->before);
}

/* --- By keys ------------------------------------------------------------------------------ */

/* The row that has the focus, or else the one that is chosen. */
static guint
find_moved (EarSidebarPage *self)
{
  const guint focused = ear_sidebar_page_find_focused (self);

  return focused != GTK_INVALID_LIST_POSITION ? focused : ear_sidebar_page_find_position (self, self->collection);
}

/* Only in the listener's own order podcasts can be moved, and within their folder. */
static gboolean
move_podcast (EarSidebarPage *self, guint position, EarSidebarItem *moved, gboolean up)
{
  const char *folder = ear_podcast_get_folder (ear_sidebar_item_get_podcast (moved));
  EarPodcast *other = get_podcast_in (self, up ? position - 1 : position + 1, folder);
  const EarSidebarGoal goal = { .folder = folder, .before = up ? other : get_podcast_in (self, position + 2, folder) };

  if (other != NULL)
    ear_sidebar_page_place (self, moved, &goal);

  return other != NULL;
}

/* With all that is in it */
static gboolean
move_folder (EarSidebarPage *self, guint position, EarSidebarItem *moved, gboolean up)
{
  EarFolder *other = get_next_folder (self, up ? position - 1 : position + 1, up ? -1u : 1);
  EarSidebarGoal goal = { .folder = ear_folder_get_name (ear_sidebar_item_get_folder (moved)), .before = get_first (other) };

  if (other == NULL)
    return FALSE;
  if (!up)
    {
      guint next = position + 1;

      while (get_next_folder (self, next, 1) == other)
        next++;
      goal.before = get_first (get_next_folder (self, next, 1));
    }
  ear_sidebar_page_place (self, moved, &goal);

  return TRUE;
}

static gboolean
move_one (EarSidebarPage *self, guint position, EarSidebarItem *moved, gboolean up)
{
  if (ear_sidebar_item_get_list (moved) != NULL)
    return ear_lists_move_by (ear_library_get_lists (self->library), ear_sidebar_item_get_list (moved), up);
  if (!is_by_hand (self))
    return FALSE;
  if (ear_sidebar_item_get_folder (moved) != NULL)
    return move_folder (self, position, moved, up);

  return ear_sidebar_item_get_podcast (moved) != NULL && move_podcast (self, position, moved, up);
}

static void
move (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);
  const guint position = find_moved (self);
  g_autoptr (EarSidebarItem) collection = ear_sidebar_page_dup_collection (self, position);

  if (collection == NULL || !move_one (self, position, collection, g_str_equal (name, "list.move-up")))
    gtk_widget_error_bell (widget);
}

void
ear_sidebar_page_bind_order (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_property_action (widget_class, "list.sort-podcasts", "order");
  gtk_widget_class_install_action (widget_class, "list.move-up", NULL, move);
  gtk_widget_class_install_action (widget_class, "list.move-down", NULL, move);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK, "list.move-up", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK, "list.move-down", NULL);
}
