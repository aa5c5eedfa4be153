/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscriptions.h"

#include "ear-address.h"
#include "ear-feed-fetch.h"
#include "ear-feed-probe.h"
#include "ear-folders.h"
#include "ear-import-loader.h"
#include "ear-list-store.h"
#include "ear-opml.h"
#include "ear-property.h"
#include "ear-text-line.h"

#include <glib/gi18n-lib.h>

/* Maximum length of a title from a list or another program, in bytes */
#define TITLE_LIMIT 500

/* The followed podcasts, their addresses and settings. `subscriptions.json` is
 * authoritative; the catalogue is adapted to it at startup and when another program
 * changes the file. */
struct _EarSubscriptions
{
  EAR_PART_MEMBERS;

  /* Owned */
  GFile *welcome;    /* until the first start is complete */
  GPtrArray *former; /* (element-type EarSubscription): not followed any more */

  gboolean stored; /* one was stored since the file was asked for */
  gboolean stopped;
};

G_DEFINE_FINAL_TYPE (EarSubscriptions, ear_subscriptions, EAR_TYPE_PART)

/* Returns: (nullable): the unfollowed podcast with that first address, in any spelling */
const EarSubscription *
ear_subscriptions_find_former (EarSubscriptions *self, const char *address)
{
  g_autofree char *key = ear_address_key (address);

  for (guint i = self->former->len; i-- > 0;)
    {
      const EarSubscription *former = g_ptr_array_index (self->former, i);
      g_autofree char *former_key = ear_address_key (former->address);

      if (g_strcmp0 (former_key, key) == 0)
        return former;
    }

  return NULL;
}

static void
emit_followed (EarSubscriptions *self, EarPodcast *podcast)
{
  ear_userdata_store_load_podcast (self->state, ear_podcast_get_address (podcast));
  g_signal_emit_by_name (self, "followed", podcast);
}

/* Stores a subscription, identified by the first address of the podcast. One that is not
 * followed any more is a former one from now on.
 * @feed_address: the current address of the feed
 * @folder: (nullable): the new folder, "" for none; %NULL keeps it
 * @followed: whether it is followed */
static void
store (EarSubscriptions *self, EarPodcast *podcast, const char *feed_address, const char *folder,
       gboolean followed)
{
  const gint64 now = g_get_real_time ();
  EarSubscription *subscription = ear_subscription_new (
      ear_podcast_get_address (podcast), feed_address, ear_podcast_get_title (podcast), followed,
      now);

  subscription->folder = g_strdup (folder != NULL ? folder : ear_podcast_get_folder (podcast));
  subscription->folder_updated = folder != NULL ? now : 0;
  if (!followed)
    g_ptr_array_add (self->former, ear_subscription_ref (subscription));
  self->stored = TRUE;
  ear_userdata_store_set_subscription (self->state, subscription);
}

/* Sets the feed address from the file: the catalogue was lost, or the address was changed
 * on another machine. Addresses changed here are in the file already. */
static void
apply_feed_address (EarSubscriptions *self, EarPodcast *podcast, char *address)
{
  const EarFeedCheck check = { .feed_address = address };

  if (address == NULL || g_strcmp0 (address, ear_podcast_get_feed_address (podcast)) == 0)
    return;
  ear_catalogue_store_check (self->catalogue, ear_podcast_get_id (podcast), NULL, &check);
  /* A running fetch uses the old address. */
  if (self->stopped || !ear_podcast_get_refreshing (podcast))
    return;
  ear_refresher_cancel (self->refresher, podcast);
  ear_refresher_refresh (self->refresher, podcast, EAR_REFRESH_SCHEDULED);
}

/* @address: an unknown address
 * Returns: whether it is known without its login, which another machine still has in it */
static gboolean
is_known_without_login (EarSubscriptions *self, const char *address)
{
  g_autofree char *plain = ear_address_without_login (address);

  return !g_str_equal (plain, address) &&
         ear_catalogue_find_exactly (self->catalogue, plain) != NULL;
}

/* Sets the folder of a podcast from the file.
 * @folder: (nullable): the name in the file */
static void
apply_folder (EarSubscriptions *self, EarPodcast *podcast, const char *folder)
{
  g_autofree char *name = folder != NULL ? ear_folder_name_clean (folder) : NULL;

  ear_catalogue_set_folder (self->catalogue, podcast, name);
}

static void
unfollow (EarSubscriptions *self, EarPodcast *podcast)
{
  g_autoptr (EarPodcast) gone = g_object_ref (podcast);

  ear_catalogue_unfollow (self->catalogue, podcast);
  g_signal_emit_by_name (self, "unfollowed", gone);
}

/* Applies an entry of the file. Addresses are exact: each entry is unfollowed, and has its
 * state, by itself. An entry must not affect a podcast whose address differs only in
 * spelling, or one that has moved to the same address. */
static void
apply_subscription (EarSubscriptions *self, EarSubscription *subscription)
{
  EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, subscription->address);
  const gboolean is_new = podcast == NULL;

  if (!subscription->followed)
    {
      g_ptr_array_add (self->former, ear_subscription_ref (subscription));
      if (podcast != NULL)
        unfollow (self, podcast);
      return;
    }
  if (podcast == NULL && !is_known_without_login (self, subscription->address))
    podcast =
        ear_catalogue_follow_exactly (self->catalogue, subscription->address, subscription->title);
  if (podcast == NULL)
    return;
  apply_feed_address (self, podcast, subscription->feed_address);
  apply_folder (self, podcast, subscription->folder);
  if (is_new)
    emit_followed (self, podcast);
}

static void
apply_subscriptions (EarSubscriptions *self, GPtrArray *subscriptions)
{
  g_ptr_array_set_size (self->former, 0);
  for (guint i = 0; i < subscriptions->len; i++)
    apply_subscription (self, g_ptr_array_index (subscriptions, i));
}

/* Adds podcasts of the catalogue that are missing in the file: if the file was lost, they
 * must not be lost with it. */
static void
store_unknown (EarSubscriptions *self, GPtrArray *subscriptions)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  EarPodcast *podcast;

  for (guint i = 0; i < subscriptions->len; i++)
    {
      EarSubscription *subscription = g_ptr_array_index (subscriptions, i);

      g_hash_table_add (known, subscription->address);
    }
  for (guint i = 0; (podcast = ear_list_peek (self->podcasts, i)) != NULL; i++)
    if (!g_hash_table_contains (known, ear_podcast_get_address (podcast)))
      store (self, podcast, ear_podcast_get_feed_address (podcast),
             ear_podcast_get_folder (podcast), TRUE);
}

static void
welcome_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSubscriptions) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outlines = ear_import_load_finish (result, &error);

  if (outlines == NULL)
    g_info ("The first subscriptions cannot be read: %s", error->message);

  for (guint i = 0; outlines != NULL && i < outlines->len; i++)
    {
      const EarListedPodcast *outline = g_ptr_array_index (outlines, i);

      ear_subscriptions_follow (self, outline->address, outline->title);
    }
  g_signal_emit_by_name (self, "started");
}

static void
subscriptions_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSubscriptions) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) subscriptions =
      ear_userdata_store_finish (EAR_USERDATA_STORE (source), result, &error);

  /* The listener has followed a podcast meanwhile: older contents must not unfollow it. */
  if (self->stored)
    {
      if (!self->stopped)
        ear_subscriptions_start (self, self->welcome);
      return;
    }
  if (subscriptions != NULL)
    {
      apply_subscriptions (self, subscriptions);
      store_unknown (self, subscriptions);
    }
  else
    g_message ("What is followed cannot be read, and is as the catalogue has it: %s",
               error->message);
  /* At a later start there are at least the podcasts that were unfollowed. */
  if (subscriptions != NULL && subscriptions->len == 0 && self->welcome != NULL &&
      g_list_model_get_n_items (self->podcasts) == 0)
    ear_import_load_async (self->welcome, NULL, welcome_loaded_cb, g_object_ref (self));
  else
    g_signal_emit_by_name (self, "started");
}

/* Only followed podcasts are stored: others were unfollowed meanwhile, or previewed. */
static void
moved_cb (EarSubscriptions *self, EarPodcast *podcast, const char *address)
{
  if (ear_podcast_get_followed (podcast))
    store (self, podcast, address, NULL, TRUE);
}

static void
ear_subscriptions_release (EarSubscriptions *self)
{
  g_clear_object (&self->welcome);
  g_clear_pointer (&self->former, g_ptr_array_unref);
}

static void
ear_subscriptions_class_init (EarSubscriptionsClass *klass)
{
  ear_class_set_release (klass, ear_subscriptions_release);

  ear_signal_new (klass, "followed", 1, EAR_TYPE_PODCAST);
  ear_signal_new (klass, "unfollowed", 1, EAR_TYPE_PODCAST);
  ear_signal_new (klass, "returned", 1, EAR_TYPE_PODCAST);
  ear_signal_new (klass, "started", 0);
}

static void
ear_subscriptions_init (EarSubscriptions *self)
{
  self->former = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_subscription_unref);
}

/* Settings of podcasts */

/* Sets the settings of a podcast from another machine or a backup. */
static void
settings_changed_cb (EarSubscriptions *self, const char *address,
                     const EarPodcastSettings *settings)
{
  EarPodcast *podcast = ear_catalogue_find_known (self->catalogue, address);

  if (podcast != NULL)
    ear_catalogue_set_settings (self->catalogue, podcast, settings);
}

/* Returns: (transfer full): the subscriptions, not yet loaded */
EarSubscriptions *
ear_subscriptions_new (const EarServices *services)
{
  EarSubscriptions *self = ear_part_new (EAR_TYPE_SUBSCRIPTIONS, services);

  ear_connect (self->state, "subscriptions-changed", apply_subscriptions, self);
  ear_connect (self->state, "settings-changed", settings_changed_cb, self);
  ear_connect (self->refresher, "moved", moved_cb, self);

  return self;
}

/* Starts to load the followed podcasts. Emits `started` when that is done.
 * @welcome: (nullable): an OPML file to follow at the very first start */
void
ear_subscriptions_start (EarSubscriptions *self, GFile *welcome)
{
  g_set_object (&self->welcome, welcome);
  self->stored = FALSE;
  ear_userdata_store_ask_async (self->state, EAR_USERDATA_SUBSCRIPTIONS, subscriptions_loaded_cb,
                                g_object_ref (self));
}

/* Loads the listener's data of all followed podcasts. */
void
ear_subscriptions_load_states (EarSubscriptions *self)
{
  EarPodcast *podcast;

  for (guint i = 0; (podcast = ear_list_peek (self->podcasts, i)) != NULL; i++)
    ear_userdata_store_load_podcast (self->state, ear_podcast_get_address (podcast));
}

/* Starts no further requests. */
void
ear_subscriptions_stop (EarSubscriptions *self)
{
  self->stopped = TRUE;
}

static void
store_setting (EarSubscriptions *self, EarPodcast *podcast, EarPodcastSetting setting, int value)
{
  EarPodcastSettings settings;

  ear_podcast_settings_init (&settings);
  settings.values[setting] = value;
  /* The new value replaces the known one, even if that was stored by a clock ahead of
   * ours. */
  settings.updated[setting] =
      MAX (g_get_real_time (), ear_podcast_get_settings (podcast)->updated[setting] + 1);
  ear_catalogue_set_settings (self->catalogue, podcast, &settings);
  ear_userdata_store_set_settings (self->state, podcast, &settings);
}

/* Sets and stores a setting of a podcast.
 * @value: a value that ear_podcast_setting_accepts() */
void
ear_subscriptions_set_setting (EarSubscriptions *self, EarPodcast *podcast,
                               EarPodcastSetting setting, int value)
{
  g_return_if_fail (ear_podcast_setting_accepts (setting, value));

  if (ear_podcast_get_setting (podcast, setting) != value)
    store_setting (self, podcast, setting, value);
}

/* Sets whether a podcast is a series, and its order to match.
 * @series: whether it is played from its first episode */
void
ear_subscriptions_set_series (EarSubscriptions *self, EarPodcast *podcast, gboolean series)
{
  if (ear_podcast_get_series (podcast) == !!series)
    return;
  store_setting (self, podcast, EAR_PODCAST_SETTING_SERIES, !!series);
  store_setting (self, podcast, EAR_PODCAST_SETTING_SORT,
                 series ? EAR_PODCAST_SORT_OLDEST : EAR_PODCAST_SORT_NEWEST);
}

/* Sets and stores [property@EarPodcast:filter] and [property@EarPodcast:sort]. Unknown
 * words are ignored.
 * @filter: the filter of its episodes
 * @sort: the order of its episodes */
void
ear_subscriptions_set_arrangement (EarSubscriptions *self, EarPodcast *podcast, const char *filter,
                                   const char *sort)
{
  int value;

  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_FILTER, filter, &value))
    ear_subscriptions_set_setting (self, podcast, EAR_PODCAST_SETTING_FILTER, value);
  /* Compare with the effective order: that of a series may differ from the stored
   * setting. */
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_SORT, sort, &value) &&
      !g_str_equal (ear_podcast_get_sort (podcast), sort))
    store_setting (self, podcast, EAR_PODCAST_SETTING_SORT, value);
}

/* Folders and the listener's own order of podcasts. Each podcast stores its folder and
 * position, so that two computers are merged podcast by podcast. A folder exists as long
 * as a podcast is in it. */

/* Distance of positions given together, which leaves room for others in between */
#define ORDER_STEP G_GINT64_CONSTANT (16384)

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
  const int old_place = ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_PLACE);
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
  store (self, podcast, ear_podcast_get_feed_address (podcast), folder != NULL ? folder : "",
         ear_podcast_get_followed (podcast));
  ear_catalogue_set_folder (self->catalogue, podcast, folder);
}

static void
undo_placing (gpointer owner, gpointer data)
{
  const GArray *before = data;

  /* A podcast is there twice if its position was changed, and then its folder. */
  for (guint i = before->len; i-- > 0;)
    {
      const Placed *placed = &g_array_index (before, Placed, i);

      move_podcast (owner, placed->podcast, placed->folder, placed->place, NULL);
    }
}

/* @before: (transfer full) (element-type Placed): the former folders and positions
 * @message: (nullable): the message of the notice; %NULL if the change is visible */
static void
offer_undo (EarSubscriptions *self, GArray *before, const char *message)
{
  g_autoptr (GArray) owned = before;

  g_array_set_clear_func (before, placed_clear);
  if (before->len > 0)
    ear_notices_offer (self->notices, message, undo_placing, self, g_steal_pointer (&owned),
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

static int
get_position (GPtrArray *podcasts, guint index)
{
  return index < podcasts->len
             ? ear_podcast_get_setting (podcasts->pdata[index], EAR_PODCAST_SETTING_PLACE)
             : 0;
}

/* Inserts podcasts into the listener's own order, with positions between those of their
 * neighbors. If there is no room, all podcasts get new positions.
 * @folder: (nullable): the folder that the caller moves them to afterwards */
static void
insert_podcasts (EarSubscriptions *self, GPtrArray *moved, const char *folder, EarPodcast *other,
                 GArray *placed)
{
  g_autoptr (GPtrArray) all = ear_podcast_order_list (self->podcasts, EAR_PODCAST_ORDER_BY_HAND);
  gint64 before, after, step;
  gboolean anew;
  guint index;

  for (guint i = 0; i < moved->len; i++)
    g_ptr_array_remove (all, moved->pdata[i]);
  if (!g_ptr_array_find (all, other, &index))
    index = find_end (all, folder);
  before = get_position (all, index - 1);
  after = get_position (all, index);
  anew = index > 0 ? before == 0 : after == 0;
  if (after == 0)
    after = before + ORDER_STEP * (moved->len + 1);
  step = (after - before) / (moved->len + 1);
  anew |= step <= 0 || after > G_MAXINT;
  for (guint i = 0; i < moved->len; i++)
    g_ptr_array_insert (all, index + i, g_object_ref (moved->pdata[i]));
  for (guint i = 0; i < all->len; i++)
    {
      gint64 place = -1;

      if (anew)
        place = ORDER_STEP * (i + 1);
      else if (i >= index && i < index + moved->len)
        place = before + step * (i + 1 - index);
      move_podcast (self, all->pdata[i], ear_podcast_get_folder (all->pdata[i]), place, placed);
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
  GArray *placed;
  /* Copied, as @folder may belong to one of the podcasts. */
  g_autofree char *name = folder != NULL ? ear_folder_name_clean (folder) : NULL;
  g_autofree char *order = ear_settings_dup_string (self->settings, "podcast-order");
  g_autofree char *message = NULL;

  if (moved->len == 0)
    return;
  placed = g_array_new (FALSE, FALSE, sizeof (Placed));
  for (guint i = 0; i < moved->len && message == NULL; i++)
    if (g_strcmp0 (ear_podcast_get_folder (moved->pdata[i]), name) != 0)
      message = describe_move (moved, name);
  if (g_str_equal (order, EAR_PODCAST_ORDER_BY_HAND))
    insert_podcasts (self, moved, name, before, placed);
  for (guint i = 0; i < moved->len; i++)
    move_podcast (self, moved->pdata[i], name, -1, placed);
  offer_undo (self, placed, message);
}

/* Moves all podcasts of a folder to another one; they keep their positions. Can be undone.
 * @folder: the name of a folder, which then no longer exists
 * @name: (nullable): its new name, as typed; that of another folder merges the two; %NULL
 *   moves the podcasts out */
void
ear_subscriptions_rename_folder (EarSubscriptions *self, const char *folder, const char *name)
{
  EarPodcast *podcast;
  GArray *placed;
  /* Copied, as @folder may belong to one of the podcasts. */
  g_autofree char *former = g_strdup (folder);
  g_autofree char *clean = name != NULL ? ear_folder_name_clean (name) : NULL;
  g_autofree char *message = NULL;

  if (name != NULL && clean == NULL)
    return;
  if (name == NULL)
    {
      g_autofree char *title = ear_folder_name_dup_title (folder);

      /* Translators: %s is the name of a removed folder, whose podcasts stay. */
      message = g_strdup_printf (_("Folder “%s” removed"), title);
    }
  placed = g_array_new (FALSE, FALSE, sizeof (Placed));
  for (guint i = 0; (podcast = ear_list_peek (self->podcasts, i)) != NULL; i++)
    if (g_strcmp0 (ear_podcast_get_folder (podcast), former) == 0)
      move_podcast (self, podcast, clean, -1, placed);
  offer_undo (self, placed, message);
}

/* Returns: (transfer full): the names of all folders, by title */
char **
ear_subscriptions_list_folders (EarSubscriptions *self)
{
  g_autoptr (GPtrArray) podcasts = ear_podcast_order_list (self->podcasts, EAR_PODCAST_ORDER_TITLE);
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

/* Following, previewing and unfollowing podcasts */

/* @address: a web address
 * Returns: (transfer none) (nullable): the followed podcast with that address, in any
 *   spelling */
EarPodcast *
ear_subscriptions_find (EarSubscriptions *self, const char *address)
{
  EarPodcast *podcast = ear_catalogue_find_podcast (self->catalogue, address);
  g_autofree char *plain = ear_address_without_login (address);

  return podcast != NULL || g_str_equal (plain, address)
             ? podcast
             : ear_catalogue_find_podcast (self->catalogue, plain);
}

/* Stores a podcast that the catalogue follows now, in the folder that it had before.
 * @podcast: (nullable): %NULL if the address is no web address */
static EarPodcast *
store_followed (EarSubscriptions *self, EarPodcast *podcast)
{
  const EarSubscription *former;

  if (podcast == NULL)
    return NULL;
  former = ear_subscriptions_find_former (self, ear_podcast_get_address (podcast));
  store (self, podcast, ear_podcast_get_feed_address (podcast), NULL, TRUE);
  apply_folder (self, podcast, former != NULL ? former->folder : NULL);
  emit_followed (self, podcast);

  return podcast;
}

/* Follows a podcast. A login in the address is moved to the keyring. A podcast that is
 * followed with the login in its address stays as it is; one followed without it keeps a
 * login that its server accepts. */
static EarPodcast *
follow (EarSubscriptions *self, const char *address, const char *title)
{
  g_autofree char *plain = ear_address_without_login (address);
  EarPodcast *podcast = ear_catalogue_find_podcast (self->catalogue, address);

  if (podcast != NULL)
    return podcast;
  podcast = ear_catalogue_find_podcast (self->catalogue, plain);
  if (podcast != NULL)
    {
      ear_keyring_try_login (self->keyring, ear_podcast_get_address (podcast), address);
      return podcast;
    }
  podcast = ear_catalogue_follow (self->catalogue, plain, title);
  if (podcast != NULL)
    g_free (ear_keyring_take_login (self->keyring, ear_podcast_get_address (podcast), address));

  return store_followed (self, podcast);
}

/* Follows a podcast and starts to fetch it. One that was unfollowed a moment ago comes
 * back with its data.
 * @address: an address that was typed, pasted or passed in: see [func@ear_address_clean]
 * @title: (nullable): title until the feed has one, from a list or another program
 * Returns: (transfer none) (nullable): the podcast, even if it was already followed;
 *   %NULL if @address is no web address */
EarPodcast *
ear_subscriptions_follow (EarSubscriptions *self, const char *address, const char *title)
{
  g_autofree char *clean = ear_address_clean (address);
  g_autofree char *line =
      title != NULL ? ear_text_line (title, EAR_TEXT_LITERAL, TITLE_LIMIT) : NULL;

  return clean != NULL ? follow (self, clean, line) : NULL;
}

/* Follows a podcast of a list, unless it is followed or has moved to the address of a
 * followed one. Moves it into a folder if it is in none: the listener has placed the others.
 * @address: the address of a feed, http or https
 * @folder: (nullable): the folder in another program, names joined by "/"
 * @is_new: (out): whether it was not followed before
 * Returns: (transfer none) (nullable): the podcast, even if it was already followed */
EarPodcast *
ear_subscriptions_follow_in (EarSubscriptions *self, const char *address, const char *title,
                             const char *folder, gboolean *is_new)
{
  g_autofree char *name = folder != NULL ? ear_folder_name_clean (folder) : NULL;
  const EarSubscription *former = NULL;
  EarPodcast *podcast = NULL;

  *is_new = ear_subscriptions_find (self, address) == NULL;
  if (*is_new)
    former = ear_subscriptions_find_former (self, address);
  if (former != NULL && former->feed_address != NULL)
    podcast = ear_catalogue_find_podcast (self->catalogue, former->feed_address);
  *is_new = *is_new && podcast == NULL;
  if (podcast == NULL)
    podcast = follow (self, address, title);
  if (podcast != NULL && name != NULL && ear_podcast_get_folder (podcast) == NULL)
    ear_subscriptions_set_folder (self, podcast, name);

  return podcast;
}

/* Follows an unfollowed podcast again for Undo, even if another one has the same address in
 * another spelling.
 * Returns: (transfer none) (nullable): the podcast, even if it was already followed */
EarPodcast *
ear_subscriptions_follow_again (EarSubscriptions *self, EarPodcast *gone)
{
  const char *address = ear_podcast_get_address (gone);
  EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, address);

  if (podcast == NULL)
    podcast = store_followed (self, ear_catalogue_follow_exactly (self->catalogue, address,
                                                                  ear_podcast_get_title (gone)));
  if (podcast != NULL)
    g_signal_emit_by_name (self, "returned", podcast);

  return podcast;
}

/* Unfollows a podcast without Undo. The listener's data of its episodes is kept. */
void
ear_subscriptions_drop (EarSubscriptions *self, EarPodcast *podcast)
{
  store (self, podcast, ear_podcast_get_feed_address (podcast), NULL, FALSE);
  unfollow (self, podcast);
}

static void
undo_following (gpointer owner, gpointer data)
{
  GPtrArray *podcasts = data;

  for (guint i = 0; i < podcasts->len; i++)
    if (ear_podcast_get_followed (podcasts->pdata[i]))
      ear_subscriptions_drop (owner, podcasts->pdata[i]);
}

/* Offers Undo after podcasts were followed.
 * @podcasts: (element-type EarPodcast) */
void
ear_subscriptions_offer_undo (EarSubscriptions *self, GPtrArray *podcasts)
{
  const guint n = podcasts->len;
  g_autofree char *message =
      g_strdup_printf (ngettext ("Followed %'u podcast", "Followed %'u podcasts", n), n);

  if (n > 0)
    ear_notices_offer (self->notices, message, undo_following, self, g_ptr_array_ref (podcasts),
                       (GDestroyNotify) g_ptr_array_unref);
}

/* Follows a podcast for a caller outside of the window, such as another program: the
 * window shows a notice with Undo.
 * @address: as for [method@EarSubscriptions.follow]
 * Returns: (transfer none) (nullable): the podcast, even if it was already followed */
EarPodcast *
ear_subscriptions_add (EarSubscriptions *self, const char *address, const char *title)
{
  g_autofree char *clean = ear_address_clean (address);
  g_autofree char *message = NULL;
  GPtrArray *added;
  EarPodcast *podcast = clean != NULL ? ear_subscriptions_find (self, clean) : NULL;

  if (podcast != NULL)
    return podcast;
  podcast = ear_subscriptions_follow (self, address, title);
  if (podcast == NULL)
    return NULL;

  /* Translators: %s is the title of a podcast */
  message = g_strdup_printf (_("Followed “%s”"), title != NULL ? title : _("a podcast"));
  added = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (added, g_object_ref (podcast));
  ear_notices_offer (self->notices, message, undo_following, self, added,
                     (GDestroyNotify) g_ptr_array_unref);

  return podcast;
}

static void
undo_unfollowing (gpointer owner, gpointer data)
{
  GPtrArray *podcasts = data;

  for (guint i = 0; i < podcasts->len; i++)
    ear_subscriptions_follow_again (owner, podcasts->pdata[i]);
}

/* Offers Undo after podcasts were unfollowed, which restores them with all their data.
 * @podcasts: (element-type EarPodcast) */
void
ear_subscriptions_offer_return (EarSubscriptions *self, GPtrArray *podcasts, const char *message)
{
  ear_notices_offer (self->notices, message, undo_unfollowing, self, g_ptr_array_ref (podcasts),
                     (GDestroyNotify) g_ptr_array_unref);
}

/* Unfollows a podcast. Can be undone. */
void
ear_subscriptions_unfollow (EarSubscriptions *self, EarPodcast *podcast)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (g_object_unref);
  /* Translators: %s is the title of a podcast. */
  g_autofree char *message = g_strdup_printf (_("Unfollowed “%s”"), ear_podcast_get_name (podcast));

  g_ptr_array_add (gone, g_object_ref (podcast));
  ear_subscriptions_drop (self, podcast);
  ear_subscriptions_offer_return (self, gone, message);
}

/* Starts to fetch a podcast for a preview. Its episodes can be listed, read and played,
 * but it is in no list of the library. [method@EarSubscriptions.follow] with its address
 * follows it.
 * @address: the address of a feed: see [func@ear_address_clean]
 * Returns: (transfer none) (nullable): the podcast; %NULL if @address is no web address */
EarPodcast *
ear_subscriptions_preview (EarSubscriptions *self, const char *address, const char *title)
{
  g_autofree char *clean = ear_address_clean (address);
  g_autofree char *plain = NULL;
  EarPodcast *podcast;

  if (clean == NULL)
    return NULL;

  podcast = ear_subscriptions_find (self, clean);
  if (podcast != NULL)
    return podcast;
  plain = ear_keyring_take_login (self->keyring, NULL, clean);
  podcast = ear_catalogue_preview (self->catalogue, plain, title);
  if (podcast != NULL && !ear_podcast_get_followed (podcast))
    {
      /* The marks from before the podcast was unfollowed */
      ear_userdata_store_load_podcast (self->state, ear_podcast_get_address (podcast));
      ear_refresher_refresh (self->refresher, podcast, EAR_REFRESH_ONE);
    }

  return podcast;
}

/* Ends a preview: unless the podcast is followed by now, removes it and its login.
 * @podcast: a podcast from [method@EarSubscriptions.preview] */
void
ear_subscriptions_end_preview (EarSubscriptions *self, EarPodcast *podcast)
{
  if (ear_podcast_get_followed (podcast))
    return;

  ear_refresher_cancel (self->refresher, podcast);
  /* A login typed for the preview is removed with it. */
  if (ear_keyring_peek (self->keyring, ear_podcast_get_address (podcast),
                        ear_podcast_get_feed_address (podcast)) != NULL)
    ear_keyring_forget (self->keyring, ear_podcast_get_address (podcast));
  ear_catalogue_end_preview (self->catalogue, podcast);
}

/* Changes the address of a podcast's feed. */

static gboolean
is_taken (EarSubscriptions *self, EarPodcast *podcast, const char *address)
{
  EarPodcast *known = ear_catalogue_find_podcast (self->catalogue, address);

  return known != NULL && known != podcast;
}

static void
return_taken (GTask *task)
{
  g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_FOLLOWED,
                                   "Another podcast has that address");
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = ear_feed_probe_finish (result, NULL, NULL, &error);
  EarSubscriptions *self = g_task_get_source_object (task);
  EarPodcast *podcast = g_task_get_task_data (task);
  EarDirectoryEntry *entry;

  if (entries == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  /* If a page links to several feeds, the intended one is unknown. */
  if (entries->len != 1)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NOT_A_FEED,
                                       "There is more than one feed, or none");
      return;
    }
  entry = g_ptr_array_index (entries, 0);
  if (is_taken (self, podcast, entry->address) ||
      (entry->moved != NULL && is_taken (self, podcast, entry->moved)))
    return_taken (task);
  else
    g_task_return_pointer (task, ear_directory_entry_ref (entry),
                           (GDestroyNotify) ear_directory_entry_unref);
}

/* Checks whether a podcast can be fetched from an address, which may be that of a web
 * page with a link to the feed. Changes nothing.
 * @address: an address entered by the listener */
void
ear_subscriptions_try_address_async (EarSubscriptions *self, EarPodcast *podcast,
                                     const char *address, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autofree char *clean = ear_address_clean (address);

  g_task_set_source_tag (task, ear_subscriptions_try_address_async);
  g_task_set_task_data (task, g_object_ref (podcast), g_object_unref);
  if (clean == NULL)
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS,
                                     "That is no web address");
  else if (is_taken (self, podcast, clean))
    return_taken (task);
  else
    ear_feed_probe_async (self->http, clean, cancellable, probed_cb, g_steal_pointer (&task));
}

/* @other: (out) (transfer full) (nullable): the title of the podcast found, if it differs
 * Returns: (transfer full) (nullable): the address of the feed, for
 *   [method@EarSubscriptions.set_address] */
char *
ear_subscriptions_try_address_finish (EarSubscriptions *self, GAsyncResult *result, char **other,
                                      GError **error)
{
  const char *title = ear_podcast_get_title (g_task_get_task_data (G_TASK (result)));
  g_autoptr (EarDirectoryEntry) entry = g_task_propagate_pointer (G_TASK (result), error);

  *other = NULL;
  if (entry == NULL)
    return NULL;
  if (entry->title != NULL && title != NULL && !ear_feed_is_title_equal (entry->title, title))
    *other = g_strdup (entry->title);

  return g_strdup (entry->address);
}

/* Sets the address that the feed is fetched from. The podcast keeps its first address as
 * id.
 * @address: the new feed address, from [method@EarSubscriptions.try_address_finish] */
void
ear_subscriptions_set_address (EarSubscriptions *self, EarPodcast *podcast, const char *address)
{
  const EarFeedCheck check = { .feed_address = (char *) address };

  g_return_if_fail (ear_address_is_web (address));

  if (self->stopped)
    return;
  ear_catalogue_store_check (self->catalogue, ear_podcast_get_id (podcast), NULL, &check);
  if (ear_podcast_get_followed (podcast))
    store (self, podcast, address, NULL, TRUE);
  /* A running fetch uses the old address. */
  ear_refresher_cancel (self->refresher, podcast);
  /* The listener has confirmed the podcast at the new address. */
  ear_refresher_accept (self->refresher, podcast);
}

/* Switches a podcast from http to https if the result proves that this works: it may have
 * been followed before its server had a certificate. */
void
ear_subscriptions_prefer_secure (EarSubscriptions *self, EarPodcast *podcast,
                                 EarDiscoveryResult *result)
{
  const char *address = ear_discovery_result_get_address (result);

  if (ear_discovery_result_get_secure (result) &&
      ear_address_is_secure_twin (address, ear_podcast_get_feed_address (podcast)) &&
      (ear_podcast_get_n_episodes (podcast) == 0 ||
       ear_feed_is_title_equal (ear_discovery_result_get_title (result),
                                ear_podcast_get_title (podcast))))
    ear_subscriptions_set_address (self, podcast, address);
}

/* Returns: (transfer none) (element-type EarSubscription): the podcasts that are not followed
 *   any more */
EAR_DEFINE_GET (EarSubscriptions, ear_subscriptions, GPtrArray *, former)

/* Returns: whether the listener has unfollowed the podcast of a first address */
gboolean
ear_subscriptions_was_unfollowed (EarSubscriptions *self, const char *address)
{
  return ear_subscriptions_find_former (self, address) != NULL &&
         ear_catalogue_find_exactly (self->catalogue, address) == NULL;
}

/* Exports the followed podcasts for other programs. */

/* Returns: the number of podcasts whose address grants access to anybody who has it */
guint
ear_subscriptions_count_private (EarSubscriptions *self)
{
  EarPodcast *podcast;
  guint n = 0;

  for (guint i = 0; (podcast = ear_list_peek (self->podcasts, i)) != NULL; i++)
    n += ear_podcast_is_private (podcast);

  return n;
}

static int
compare_outlines (gconstpointer a, gconstpointer b)
{
  const EarListedPodcast *one = *(EarListedPodcast **) a;
  const EarListedPodcast *other = *(EarListedPodcast **) b;

  return g_strcmp0 (one->folder, other->folder);
}

/* @with_private: whether to include podcasts with secret addresses
 * Returns: (transfer full): an OPML list of the followed podcasts in their folders */
GBytes *
ear_subscriptions_export (EarSubscriptions *self, gboolean with_private)
{
  g_autoptr (GPtrArray) outlines = ear_listed_podcasts_new ();
  EarPodcast *podcast;

  for (guint i = 0; (podcast = ear_list_peek (self->podcasts, i)) != NULL; i++)
    {
      EarListedPodcast *outline;

      if (ear_podcast_is_private (podcast) && !with_private)
        continue;
      outline = ear_listed_podcast_new ();
      /* Other programs need the address that the feed is fetched from now. */
      outline->address = g_strdup (ear_podcast_get_feed_address (podcast));
      outline->title = g_strdup (ear_podcast_get_title (podcast));
      outline->link = g_strdup (ear_podcast_get_facts (podcast)->link);
      outline->folder = g_strdup (ear_podcast_get_folder (podcast));
      g_ptr_array_add (outlines, outline);
    }
  g_ptr_array_sort (outlines, compare_outlines);

  return ear_opml_write (outlines, "Earmark");
}
