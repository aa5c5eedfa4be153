/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscriptions-private.h"

#include "ear-folders.h"

#include <glib/gi18n-lib.h>

/* Folders and the listener's own order of podcasts. Each podcast stores its folder and
 * position, so that two computers are merged podcast by podcast. A folder exists as long
 * as a podcast is in it. */

/* Former folder and position of a podcast */
typedef struct
{
  EarPodcast *podcast;
  char *folder; /* (nullable) */
  int place;
} Placed;

static void
placed_clear (gpointer data)
{
  Placed *placed = data;

  g_object_unref (placed->podcast);
  g_free (placed->folder);
}

/* @place: the new position, or -1 to keep it
 * @before: (nullable) (element-type Placed): receives the former folder and position, if
 *   they change */
static void
move_podcast (EarSubscriptions *self, EarPodcast *podcast, const char *folder, int place,
              GArray *before)
{
  const int old_place = ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_PLACE];
  const char *old_folder = ear_podcast_get_folder (podcast);
  const gboolean is_in_folder = g_strcmp0 (old_folder, folder) == 0;

  if (place < 0)
    place = old_place;
  if (before != NULL && (old_place != place || !is_in_folder))
    {
      const Placed placed = { g_object_ref (podcast), g_strdup (old_folder), old_place };

      g_array_append_val (before, placed);
    }
  ear_subscriptions_set_setting (self, podcast, EAR_PODCAST_SETTING_PLACE, place);
  if (is_in_folder)
    return;
  /* Change the settings first: the folder name may belong to the podcast, and is freed
   * here. */
  ear_subscriptions_store (self, podcast, ear_podcast_get_feed_address (podcast),
                           folder != NULL ? folder : "", ear_podcast_get_followed (podcast));
  ear_catalogue_set_folder (self->catalogue, podcast, folder);
}

static void
undo_placing (gpointer owner, gpointer data)
{
  const GArray *before = data;

  for (guint i = 0; i < before->len; i++)
    {
      const Placed *placed = &g_array_index (before, Placed, i);

      move_podcast (owner, placed->podcast, placed->folder, placed->place, NULL);
    }
}

static GArray *
placed_array_new (void)
{
  GArray *before = g_array_new (FALSE, FALSE, sizeof (Placed));

  g_array_set_clear_func (before, placed_clear);

  return before;
}

/* @message: (nullable): the message of the notice; %NULL if the change is visible */
static void
offer_undo (EarSubscriptions *self, GArray *before, const char *message)
{

  if (before->len == 0)
    return;
  ear_notices_offer (self->notices, message, undo_placing, self, g_array_ref (before),
                     (GDestroyNotify) g_array_unref);
}

/* Returns: the index after the last podcast of the folder; a new folder comes after all
 * others */
static guint
find_end (GPtrArray *podcasts, const char *folder)
{
  gboolean found = FALSE;
  guint end = 0;

  for (guint i = 0; i < podcasts->len; i++)
    {
      const char *other = ear_podcast_get_folder (podcasts->pdata[i]);
      const gboolean is_same = g_strcmp0 (other, folder) == 0;

      if (is_same || (other != NULL && !found))
        end = i + 1;
      found = found || is_same;
    }

  return end;
}

/* Inserts podcasts into the listener's own order. If there is no room between two
 * positions, all get new ones. */
static void
insert_podcasts (EarSubscriptions *self, GPtrArray *moved, const char *folder, EarPodcast *before,
                 GArray *placed)
{
  g_autoptr (GPtrArray) all = ear_podcast_order_list (ear_catalogue_get_podcasts (self->catalogue),
                                                      EAR_PODCAST_ORDER_BY_HAND);
  guint position;
  int place, step;
  gboolean anew;

  for (guint i = 0; i < moved->len; i++)
    g_ptr_array_remove (all, moved->pdata[i]);
  if (before == NULL || !g_ptr_array_find (all, before, &position))
    position = find_end (all, folder);
  for (guint i = 0; i < moved->len; i++)
    g_ptr_array_insert (all, (int) (position + i), g_object_ref (moved->pdata[i]));
  anew = !ear_podcast_order_find_position (all, position, moved->len, &place, &step);
  for (guint i = 0; i < all->len; i++)
    {
      const gboolean is_moved = i >= position && i < position + moved->len;
      EarPodcast *podcast = all->pdata[i];

      if (anew)
        move_podcast (self, podcast, is_moved ? folder : ear_podcast_get_folder (podcast),
                      (int) MIN ((gint64) (i + 1) * EAR_PODCAST_ORDER_STEP, G_MAXINT), placed);
      else if (is_moved)
        move_podcast (self, podcast, folder, place + (int) (i - position) * step, placed);
    }
}

static char *
describe_move (GPtrArray *moved, const char *folder)
{
  g_autofree char *title = folder != NULL ? ear_folder_name_dup_title (folder) : NULL;

  if (folder != NULL)
    /* Translators: %s is the name of a folder that podcasts were moved to. */
    return g_strdup_printf (_("Moved to “%s”"), title);

  /* Translators: %u podcasts were moved out of their folders. */
  return g_strdup_printf (ngettext ("%'u podcast moved out of its folder",
                                    "%'u podcasts moved out of their folders", moved->len),
                          moved->len);
}

/* Moves podcasts to a folder and position. @before only applies in the listener's own
 * order. Can be undone.
 * @moved: (element-type EarPodcast): followed podcasts
 * @folder: (nullable): the new folder: see ear_folder_name_clean(); %NULL: none
 * @before: (nullable): the podcast to insert before, in that folder or the first one of
 *   the next folder; %NULL: the end of the folder */
void
ear_subscriptions_place (EarSubscriptions *self, GPtrArray *moved, const char *folder,
                         EarPodcast *before)
{
  g_autoptr (GArray) placed = placed_array_new ();
  /* Copied, as @folder may belong to one of the podcasts. */
  g_autofree char *name = NULL;
  g_autofree char *message = NULL;
  g_autofree char *order = NULL;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));

  if (self->state == NULL || moved->len == 0)
    return;
  name = folder != NULL ? ear_folder_name_clean (folder) : NULL;
  for (guint i = 0; message == NULL && i < moved->len; i++)
    if (g_strcmp0 (ear_podcast_get_folder (moved->pdata[i]), name) != 0)
      message = describe_move (moved, name);
  g_object_get (self->settings, "podcast-order", &order, NULL);
  if (ear_podcast_order_from_name (order) == EAR_PODCAST_ORDER_BY_HAND)
    insert_podcasts (self, moved, name, before, placed);
  for (guint i = 0; i < moved->len; i++)
    move_podcast (self, moved->pdata[i], name, -1, placed);
  offer_undo (self, placed, message);
}

/* Moves all podcasts of a folder, which keep their positions.
 * @message: (nullable): the message of the notice */
static void
change_folder (EarSubscriptions *self, const char *folder, const char *name, const char *message)
{
  g_autoptr (GArray) placed = placed_array_new ();
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (g_strcmp0 (ear_podcast_get_folder (podcast), folder) == 0)
        move_podcast (self, podcast, name, -1, placed);
    }
  offer_undo (self, placed, message);
}

/* Renames a folder. Can be undone.
 * @folder: the name of a folder
 * @name: its new name, as typed; that of another folder merges the two */
void
ear_subscriptions_rename_folder (EarSubscriptions *self, const char *folder, const char *name)
{
  /* Copied, as @folder may belong to one of the podcasts. */
  g_autofree char *former = g_strdup (folder);
  g_autofree char *clean = ear_folder_name_clean (name);

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));

  if (clean != NULL && !g_str_equal (clean, folder))
    change_folder (self, former, clean, NULL);
}

/* Moves all podcasts out of a folder, which then no longer exists. */
void
ear_subscriptions_remove_folder (EarSubscriptions *self, const char *folder)
{
  g_autofree char *former = g_strdup (folder);
  g_autofree char *title = ear_folder_name_dup_title (folder);
  g_autofree char *message = NULL;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));

  /* Translators: %s is the name of a removed folder, whose podcasts stay. */
  message = g_strdup_printf (_("Folder “%s” removed"), title);
  change_folder (self, former, NULL, message);
}

/* Returns: (transfer full): the names of all folders, by title */
char **
ear_subscriptions_list_folders (EarSubscriptions *self)
{
  g_autoptr (GPtrArray) podcasts = ear_podcast_order_list (
      ear_catalogue_get_podcasts (self->catalogue), EAR_PODCAST_ORDER_TITLE);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const char *before = NULL;

  for (guint i = 0; i < podcasts->len; i++)
    {
      const char *folder = ear_podcast_get_folder (podcasts->pdata[i]);

      if (folder != NULL && g_strcmp0 (folder, before) != 0)
        g_strv_builder_add (names, folder);
      before = folder;
    }

  return g_strv_builder_end (names);
}

/* Moves a podcast to a folder, without Undo.
 * @folder: (nullable): the name of a folder, or %NULL for none */
void
ear_subscriptions_set_folder (EarSubscriptions *self, EarPodcast *podcast, const char *folder)
{
  move_podcast (self, podcast, folder, -1, NULL);
}
