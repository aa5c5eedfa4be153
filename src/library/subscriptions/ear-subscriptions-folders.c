/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscriptions-private.h"

#include "ear-folder.h"
#include "ear-podcast-order.h"

#include <glib/gi18n-lib.h>

/*
 * Where podcasts stand: in which folder, and in the listener's own order. Each keeps both for itself, so that two computers merge them
 * podcast by podcast. A folder is there as long as a podcast is in it.
 */

/* Where a podcast was before */
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

/* @before: (element-type Placed): gets where it was, if it is to be elsewhere */
static void
put (EarSubscriptions *self, EarPodcast *podcast, const char *folder, int place, GArray *before)
{
  const int old_place = ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_PLACE];
  const char *old_folder = ear_podcast_get_folder (podcast);

  if (old_place == place && g_strcmp0 (old_folder, folder) == 0)
    return;
  if (before != NULL)
    {
      const Placed placed = { g_object_ref (podcast), g_strdup (old_folder), old_place };

      g_array_append_val (before, placed);
    }
  ear_subscriptions_set_setting (self, podcast, EAR_PODCAST_SETTING_PLACE, place);
  if (g_strcmp0 (old_folder, folder) == 0)
    return;
  /* The name may be that of the podcast itself, which goes with this. */
  ear_subscriptions_keep (self, podcast, ear_podcast_get_feed_address (podcast), folder != NULL ? folder : "",
                          ear_podcast_get_followed (podcast));
  ear_catalogue_set_folder (self->catalogue, podcast, folder);
}

static void
take_back (gpointer owner, gpointer data)
{
  const GArray *before = data;

  for (guint i = 0; i < before->len; i++)
    {
      const Placed *placed = &g_array_index (before, Placed, i);

      put (owner, placed->podcast, placed->folder, placed->place, NULL);
    }
}

static GArray *
placed_array_new (void)
{
  GArray *before = g_array_new (FALSE, FALSE, sizeof (Placed));

  g_array_set_clear_func (before, placed_clear);

  return before;
}

/* @message: (nullable): what was done; %NULL where it is plain to be seen */
static void
offer_back (EarSubscriptions *self, GArray *before, const char *message)
{
  g_autoptr (EarUndo) undo = NULL;

  if (before->len == 0)
    return;
  undo = ear_undo_new (message, take_back, self, g_array_ref (before), (GDestroyNotify) g_array_unref);
  ear_notices_offer_undo (self->notices, undo);
}

/* --- The listener's own order ------------------------------------------------------------ */

static gboolean
is_by_hand (EarSubscriptions *self)
{
  g_autofree char *order = NULL;

  g_object_get (self->settings, "podcast-order", &order, NULL);

  return ear_podcast_order_from_name (order) == EAR_PODCAST_ORDER_BY_HAND;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return ear_podcast_order_compare ((EarPodcast *) a, (EarPodcast *) b, EAR_PODCAST_ORDER_BY_HAND);
}

/* Returns: (transfer full) (element-type EarPodcast): all but those, as they are listed */
static GPtrArray *
list_others (EarSubscriptions *self, GPtrArray *moved)
{
  GListModel *model = ear_catalogue_get_podcasts (self->catalogue);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  GPtrArray *others;

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    g_ptr_array_add (all, g_list_model_get_item (model, i));
  g_ptr_array_sort_values (all, compare);
  others = ear_podcast_order_group (all);
  for (guint i = 0; i < moved->len; i++)
    g_ptr_array_remove (others, moved->pdata[i]);

  return others;
}

/* Behind the last one that is in the folder; a new folder comes behind all others. */
static guint
find_end (GPtrArray *others, const char *folder)
{
  guint end = 0;

  for (guint i = 0; i < others->len; i++)
    if (g_strcmp0 (ear_podcast_get_folder (others->pdata[i]), folder) == 0)
      end = i + 1;
  if (end > 0 || others->len == 0)
    return end;
  if (folder == NULL)
    return others->len;
  while (end < others->len && ear_podcast_get_folder (others->pdata[end]) != NULL)
    end++;

  return end;
}

/* All get new places where there is none between those that the others have. */
static void
put_in_order (EarSubscriptions *self, GPtrArray *moved, const char *folder, EarPodcast *before, GArray *placed)
{
  g_autoptr (GPtrArray) all = list_others (self, moved);
  guint position;
  int place, step;
  gboolean anew;

  if (before == NULL || !g_ptr_array_find (all, before, &position))
    position = find_end (all, folder);
  for (guint i = 0; i < moved->len; i++)
    g_ptr_array_insert (all, (int) (position + i), g_object_ref (moved->pdata[i]));
  anew = !ear_podcast_order_find_place (all, position, moved->len, &place, &step);
  for (guint i = 0; i < all->len; i++)
    {
      const gboolean is_moved = i >= position && i < position + moved->len;
      EarPodcast *podcast = all->pdata[i];

      if (anew)
        put (self, podcast, is_moved ? folder : ear_podcast_get_folder (podcast),
             (int) MIN ((gint64) (i + 1) * EAR_PODCAST_ORDER_STEP, G_MAXINT), placed);
      else if (is_moved)
        put (self, podcast, folder, place + (int) (i - position) * step, placed);
    }
}

/* --- Folders ----------------------------------------------------------------------------- */

static void
put_all (EarSubscriptions *self, GPtrArray *moved, const char *folder, EarPodcast *before, GArray *placed)
{
  if (is_by_hand (self))
    {
      put_in_order (self, moved, folder, before, placed);
      return;
    }
  for (guint i = 0; i < moved->len; i++)
    put (self, moved->pdata[i], folder, ear_podcast_get_settings (moved->pdata[i])->values[EAR_PODCAST_SETTING_PLACE], placed);
}

static gboolean
are_there (GPtrArray *podcasts, const char *folder)
{
  for (guint i = 0; i < podcasts->len; i++)
    if (g_strcmp0 (ear_podcast_get_folder (podcasts->pdata[i]), folder) != 0)
      return FALSE;

  return TRUE;
}

static char *
describe_move (GPtrArray *moved, const char *folder)
{
  g_autofree char *title = folder != NULL ? ear_folder_name_dup_title (folder) : NULL;

  if (folder != NULL)
    /* Translators: podcasts were moved to a folder, whose name is %s. */
    return g_strdup_printf (_("Moved to “%s”"), title);

  /* Translators: %u podcasts were taken out of the folder, or folders, that they were in. */
  return g_strdup_printf (ngettext ("%'u podcast moved out of its folder", "%'u podcasts moved out of their folders", moved->len), moved->len);
}

/**
 * ear_subscriptions_place:
 * @moved: (element-type EarPodcast): podcasts that are followed
 * @folder: (nullable): the folder that they are in from now on: see ear_folder_name_clean(); %NULL: none
 * @before: (nullable): another one, of that folder or the first of another folder; %NULL: behind all that is in the folder
 *
 * Moves podcasts to a folder, or another place in the listener's own order; in another order, @before says nothing. That can be taken
 * back.
 */
void
ear_subscriptions_place (EarSubscriptions *self, GPtrArray *moved, const char *folder, EarPodcast *before)
{
  g_autoptr (GArray) placed = placed_array_new ();
  /* It may be the name of one of them. */
  g_autofree char *name = NULL;
  g_autofree char *message = NULL;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (moved != NULL);

  if (self->state == NULL || moved->len == 0)
    return;
  name = folder != NULL ? ear_folder_name_clean (folder) : NULL;
  if (!are_there (moved, name))
    message = describe_move (moved, name);
  put_all (self, moved, name, before, placed);
  offer_back (self, placed, message);
}

/* Returns: (transfer full) (element-type EarPodcast): what is in a folder, in the listener's own order */
static GPtrArray *
list_folder (EarSubscriptions *self, const char *folder)
{
  GListModel *model = ear_catalogue_get_podcasts (self->catalogue);
  GPtrArray *podcasts = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (model, i);

      if (g_strcmp0 (ear_podcast_get_folder (podcast), folder) == 0)
        g_ptr_array_add (podcasts, g_steal_pointer (&podcast));
    }
  g_ptr_array_sort_values (podcasts, compare);

  return podcasts;
}

/**
 * ear_subscriptions_rename_folder:
 * @folder: its name
 * @name: the one it gets, as it was typed; that of another folder puts all into that one
 */
void
ear_subscriptions_rename_folder (EarSubscriptions *self, const char *folder, const char *name)
{
  g_autoptr (GArray) placed = placed_array_new ();
  g_autoptr (GPtrArray) podcasts = NULL;
  g_autoptr (GPtrArray) there = NULL;
  g_autofree char *clean = NULL;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (folder != NULL && name != NULL);

  clean = ear_folder_name_clean (name);
  if (clean == NULL || g_str_equal (clean, folder))
    return;
  podcasts = list_folder (self, folder);
  there = list_folder (self, clean);
  /* A new name is no new place. */
  for (guint i = 0; there->len == 0 && i < podcasts->len; i++)
    put (self, podcasts->pdata[i], clean, ear_podcast_get_settings (podcasts->pdata[i])->values[EAR_PODCAST_SETTING_PLACE], placed);
  if (there->len > 0)
    put_all (self, podcasts, clean, NULL, placed);
  offer_back (self, placed, NULL);
}

/* Takes all podcasts out of a folder, which is gone then. */
void
ear_subscriptions_remove_folder (EarSubscriptions *self, const char *folder)
{
  g_autoptr (GArray) placed = placed_array_new ();
  g_autoptr (GPtrArray) podcasts = NULL;
  g_autofree char *title = NULL;
  g_autofree char *message = NULL;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (folder != NULL);

  title = ear_folder_name_dup_title (folder);
  /* Translators: %s is the name of a folder of podcasts, which stay. */
  message = g_strdup_printf (_("Folder “%s” removed"), title);
  podcasts = list_folder (self, folder);
  put_all (self, podcasts, NULL, NULL, placed);
  offer_back (self, placed, message);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  g_autofree char *first = ear_folder_name_dup_key (a);
  g_autofree char *second = ear_folder_name_dup_key (b);

  return strcmp (first, second);
}

/* Returns: (transfer full): the names of all folders, by title */
char **
ear_subscriptions_list_folders (EarSubscriptions *self)
{
  GListModel *model;
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (0, g_free, TRUE);

  g_return_val_if_fail (EAR_IS_SUBSCRIPTIONS (self), NULL);

  model = ear_catalogue_get_podcasts (self->catalogue);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (model, i);
      const char *folder = ear_podcast_get_folder (podcast);

      if (folder != NULL && g_hash_table_add (known, (char *) folder))
        g_ptr_array_add (names, g_strdup (folder));
    }
  g_ptr_array_sort_values (names, compare_names);

  /* An array without anything in it has no end either. */
  return names->len > 0 ? (char **) g_ptr_array_steal (names, NULL) : g_new0 (char *, 1);
}

/* Puts a podcast into another folder, without an offer to take that back.
 * @folder: (nullable): the name of a folder, %NULL for none */
void
ear_subscriptions_set_folder (EarSubscriptions *self, EarPodcast *podcast, const char *folder)
{
  put (self, podcast, folder, ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_PLACE], NULL);
}

/* Takes over what the file says of where a podcast is.
 * @folder: (nullable): as it is there */
void
ear_subscriptions_take_folder (EarSubscriptions *self, EarPodcast *podcast, const char *folder)
{
  g_autofree char *name = folder != NULL ? ear_folder_name_clean (folder) : NULL;

  ear_catalogue_set_folder (self->catalogue, podcast, name);
}
