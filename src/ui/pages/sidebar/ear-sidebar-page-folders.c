/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include "ear-address.h"
#include "ear-sidebar-row.h"
#include "ear-row-action.h"

/*
 * Folders: folded and unfolded by their arrows and by keys, and looked into while they are folded.
 */

static EarFolder *
get_folder (EarSidebarPage *self, guint position)
{
  g_autoptr (EarSidebarItem) collection = ear_sidebar_page_dup_collection (self, position);

  /* The list has it. */
  return collection != NULL ? ear_sidebar_item_get_folder (collection) : NULL;
}

static gboolean
is_folded (EarSidebarPage *self, guint position)
{
  EarFolder *folder = get_folder (self, position);

  return folder != NULL && ear_folder_get_folded (folder);
}

/* --- What is listed, folded or not ------------------------------------------------------- */

/* Returns: (transfer full) (element-type GObject): all that would be listed if nothing was folded; what is folded, as
 *   [class@EarPodcast] */
GListModel *
ear_sidebar_page_list_all (EarSidebarPage *self)
{
  g_autoptr (GListStore) all = g_list_store_new (G_TYPE_OBJECT);

  for (guint i = 0; i < ear_sidebar_page_count_collections (self); i++)
    {
      g_autoptr (EarSidebarItem) collection = ear_sidebar_page_dup_collection (self, i);

      g_list_store_append (all, collection);
      if (is_folded (self, i))
        {
          GPtrArray *podcasts = ear_folder_get_podcasts (get_folder (self, i));

          g_list_store_splice (all, g_list_model_get_n_items (G_LIST_MODEL (all)), 0, podcasts->pdata, podcasts->len);
        }
    }

  return G_LIST_MODEL (g_steal_pointer (&all));
}

/* Returns: what that position in what is listed is in ear_sidebar_page_list_all() */
guint
ear_sidebar_page_to_all (EarSidebarPage *self, guint position)
{
  guint n_folded = 0;

  if (position == GTK_INVALID_LIST_POSITION)
    return position;
  for (guint i = 0; i < position; i++)
    if (is_folded (self, i))
      n_folded += ear_folder_get_podcasts (get_folder (self, i))->len;

  return position + n_folded;
}

/* Returns: where that is in what is listed; it must not be folded away */
guint
ear_sidebar_page_from_all (EarSidebarPage *self, guint all)
{
  guint position = 0;

  while (position < ear_sidebar_page_count_collections (self) && ear_sidebar_page_to_all (self, position) < all)
    position++;

  return position;
}

/* Returns: (nullable): the folder that a podcast is folded away in */
static EarFolder *
find_around (EarSidebarPage *self, EarPodcast *podcast)
{
  for (guint i = 0; ear_podcast_get_folder (podcast) != NULL && i < ear_sidebar_page_count_collections (self); i++)
    if (is_folded (self, i) && g_ptr_array_find (ear_folder_get_podcasts (get_folder (self, i)), podcast, NULL))
      return get_folder (self, i);

  return NULL;
}

/* Whether it is a podcast in a folder that is folded: it may be shown all the same. */
gboolean
ear_sidebar_page_is_folded_away (EarSidebarPage *self, EarSidebarItem *collection)
{
  EarPodcast *podcast = collection != NULL ? ear_sidebar_item_get_podcast (collection) : NULL;

  return podcast != NULL && find_around (self, podcast) != NULL;
}

/* Unfolds the folder that a podcast is in. */
void
ear_sidebar_page_reveal (EarSidebarPage *self, EarPodcast *podcast)
{
  EarFolder *folder = find_around (self, podcast);

  if (folder != NULL)
    ear_folder_set_folded (folder, FALSE);
}

/* Returns: (transfer full) (nullable): the podcast of that name, if it is folded away */
EarSidebarItem *
ear_sidebar_page_find_folded (EarSidebarPage *self, const char *name)
{
  for (guint i = 0; i < ear_sidebar_page_count_collections (self); i++)
    {
      GPtrArray *podcasts = is_folded (self, i) ? ear_folder_get_podcasts (get_folder (self, i)) : NULL;

      for (guint j = 0; podcasts != NULL && j < podcasts->len; j++)
        {
          g_autofree char *hash = ear_address_hash (ear_podcast_get_address (podcasts->pdata[j]), NULL);

          if (g_str_equal (hash, name))
            return ear_sidebar_item_new_podcast (podcasts->pdata[j]);
        }
    }

  return NULL;
}

/* --- By keys ----------------------------------------------------------------------------- */

static gboolean
go_to (EarSidebarPage *self, guint position)
{
  ear_sidebar_page_ensure_row (self, position);
  if (!self->collapsed)
    ear_sidebar_page_select_position (self, position);
  gtk_list_view_scroll_to (self->list_view, position, GTK_LIST_SCROLL_FOCUS, NULL);

  return TRUE;
}

/* To what is in it, if it is unfolded already */
static gboolean
unfold (EarSidebarPage *self, guint position)
{
  EarFolder *folder = get_folder (self, position);

  if (folder == NULL)
    return FALSE;
  if (!ear_folder_get_folded (folder))
    return go_to (self, position + 1);
  ear_folder_set_folded (folder, FALSE);

  return TRUE;
}

/* From what is in it, to the folder */
static gboolean
fold (EarSidebarPage *self, guint position)
{
  g_autoptr (EarSidebarItem) collection = ear_sidebar_page_dup_collection (self, position);
  EarPodcast *podcast = collection != NULL ? ear_sidebar_item_get_podcast (collection) : NULL;
  EarFolder *folder = get_folder (self, position);

  if (folder != NULL && !ear_folder_get_folded (folder))
    {
      ear_folder_set_folded (folder, TRUE);
      return TRUE;
    }
  if (podcast == NULL || ear_podcast_get_folder (podcast) == NULL)
    return folder != NULL;
  while (position > 0 && get_folder (self, position) == NULL)
    position--;

  return go_to (self, position);
}

/* The arrow that leads into what is read next unfolds, the other one folds.
 * Returns: whether the key did something */
gboolean
ear_sidebar_page_fold_by_key (EarSidebarPage *self, guint keyval, GdkModifierType state, guint position)
{
  const gboolean is_rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  const gboolean left = keyval == GDK_KEY_Left || keyval == GDK_KEY_KP_Left;
  const gboolean right = keyval == GDK_KEY_Right || keyval == GDK_KEY_KP_Right;

  if ((!left && !right) || (state & gtk_accelerator_get_default_mod_mask ()) != 0 || position == GTK_INVALID_LIST_POSITION)
    return FALSE;

  return right != is_rtl ? unfold (self, position) : fold (self, position);
}

/* By Enter, or a second click, where a single one has chosen it.
 * Returns: whether a folder is there */
gboolean
ear_sidebar_page_toggle_fold (EarSidebarPage *self, guint position)
{
  EarFolder *folder = get_folder (self, position);

  if (folder != NULL)
    ear_folder_set_folded (folder, !ear_folder_get_folded (folder));

  return folder != NULL;
}

/* --- By the pointer ---------------------------------------------------------------------- */

/* Returns: (nullable): the row whose arrow is there */
static GtkWidget *
find_arrow (EarSidebarPage *self, double x, double y)
{
  GtkWidget *row = ear_row_at (GTK_WIDGET (self->list_view), x, y, EAR_TYPE_SIDEBAR_ROW);
  graphene_point_t place;

  if (row == NULL || !gtk_widget_compute_point (GTK_WIDGET (self->list_view), row, &GRAPHENE_POINT_INIT ((float) x, (float) y), &place))
    return NULL;

  return ear_sidebar_row_is_fold (EAR_SIDEBAR_ROW (row), place.x) ? row : NULL;
}

/* It chooses nothing, opens nothing, and begins no drag. */
static void
press_cb (EarSidebarPage *self, int n_press, double x, double y, GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, find_arrow (self, x, y) != NULL ? GTK_EVENT_SEQUENCE_CLAIMED : GTK_EVENT_SEQUENCE_DENIED);
}

static void
release_cb (EarSidebarPage *self, int n_press, double x, double y)
{
  GtkWidget *row = find_arrow (self, x, y);

  if (row != NULL)
    ear_sidebar_page_toggle_fold (self, ear_sidebar_page_find_position (self, ear_sidebar_row_get_collection (EAR_SIDEBAR_ROW (row))));
}

void
ear_sidebar_page_bind_folders (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_callback (widget_class, press_cb);
  gtk_widget_class_bind_template_callback (widget_class, release_cb);
}
