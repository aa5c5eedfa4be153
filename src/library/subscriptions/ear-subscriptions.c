/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscriptions-private.h"

#include "ear-address.h"
#include "ear-feed-intake.h"
#include "ear-feed-probe.h"
#include "ear-folders.h"
#include "ear-opml-loader.h"
#include "ear-opml.h"
#include "ear-worker.h"

#include <glib/gi18n-lib.h>

/* The followed podcasts, their addresses and settings. `subscriptions.json` is
 * authoritative; the catalogue is adapted to it at startup and when another program
 * changes the file. */
G_DEFINE_FINAL_TYPE (EarSubscriptions, ear_subscriptions, G_TYPE_OBJECT)

static gboolean
has_key (const char *address, const char *key)
{
  g_autofree char *own = address != NULL ? ear_address_key (address) : NULL;

  return g_strcmp0 (own, key) == 0;
}

/* The feed may have moved while nobody fetched it, so an equal title counts, too. */
static gboolean
may_be_predecessor (const EarSubscription *former, EarPodcast *podcast, const char *feed_key)
{
  if (g_str_equal (former->address, ear_podcast_get_address (podcast)))
    return FALSE;

  return has_key (former->feed_address, feed_key) || has_key (former->address, feed_key) ||
         ear_feed_identity_is_title_equal (former->title, ear_podcast_get_title (podcast));
}

/* Returns the first addresses of unfollowed podcasts that may be the same one. */
static char **
list_predecessors (EarSubscriptions *self, EarPodcast *podcast)
{
  g_autoptr (GStrvBuilder) addresses = g_strv_builder_new ();
  g_autofree char *feed_key = NULL;

  feed_key = ear_address_key (ear_podcast_get_feed_address (podcast));
  for (guint i = 0; i < self->former->len; i++)
    {
      const EarSubscription *former = g_ptr_array_index (self->former, i);
      EarPodcast *followed;

      if (!may_be_predecessor (former, podcast, feed_key))
        continue;
      /* The former podcast may be followed again. */
      followed = ear_catalogue_find_podcast (self->catalogue, former->address);
      if (followed == NULL || followed == podcast)
        g_strv_builder_add (addresses, former->address);
    }

  return g_strv_builder_end (addresses);
}

/* Loads the listener's data of podcasts that may be the same one. */
static void
load_predecessors (EarSubscriptions *self, EarPodcast *podcast)
{
  g_auto (GStrv) addresses = NULL;

  addresses = list_predecessors (self, podcast);
  for (guint i = 0; addresses[i] != NULL; i++)
    {
      g_hash_table_replace (self->sought, g_strdup (addresses[i]), g_object_ref (podcast));
      ear_userdata_store_load_podcast (self->state, addresses[i]);
    }
}

/* Loads the listener's data of a podcast, and looks for a former one as soon as it has
 * rows. */
static void
load_new_podcast (EarSubscriptions *self, EarPodcast *podcast)
{
  ear_userdata_store_load_podcast (self->state, ear_podcast_get_address (podcast));
  /* A podcast that was previewed already has rows. */
  if (ear_podcast_get_n_episodes (podcast) > 0)
    load_predecessors (self, podcast);
  else
    g_hash_table_add (self->newcomers, g_object_ref (podcast));
}

static void
emit_followed (EarSubscriptions *self, EarPodcast *podcast)
{
  load_new_podcast (self, podcast);
  g_signal_emit_by_name (self, "followed", podcast);
}

/* Stores a subscription, identified by the first address of the podcast.
 * @feed_address: the current address of the feed
 * @folder: (nullable): the new folder, "" for none; %NULL keeps it
 * @followed: whether it is followed */
void
ear_subscriptions_store (EarSubscriptions *self, EarPodcast *podcast, const char *feed_address,
                         const char *folder, gboolean followed)
{
  const gint64 now = g_get_real_time ();
  const EarSubscription subscription = {
    .address = (char *) ear_podcast_get_address (podcast),
    .feed_address = (char *) feed_address,
    .title = (char *) ear_podcast_get_title (podcast),
    .folder = folder != NULL && *folder != '\0' ? (char *) folder : NULL,
    .folder_updated = folder != NULL ? now : 0,
    .followed = followed,
    .updated = now,
  };

  ear_userdata_store_set_subscription (self->state, &subscription);
}

/* Sets the feed address from the file: the catalogue was lost, or the address was changed
 * on another machine. Addresses changed here are in the file already. */
static void
apply_feed_address (EarSubscriptions *self, EarPodcast *podcast,
                    const EarSubscription *subscription)
{
  const EarFeedCheck check = { .feed_address = subscription->feed_address };

  if (subscription->feed_address == NULL ||
      g_strcmp0 (subscription->feed_address, ear_podcast_get_feed_address (podcast)) == 0)
    return;
  ear_catalogue_store_check (self->catalogue, ear_podcast_get_id (podcast), NULL, &check);
  /* A running fetch uses the old address. */
  if (self->stopped || !ear_podcast_get_refreshing (podcast))
    return;
  ear_refresher_cancel (self->refresher, podcast);
  ear_refresher_refresh (self->refresher, podcast, EAR_REFRESH_SCHEDULED);
}

/* Returns: whether the listener followed the podcast before the file was loaded, so that
 * its older contents must not unfollow it */
static gboolean
is_early (EarSubscriptions *self, EarPodcast *podcast)
{
  return self->early != NULL &&
         g_hash_table_contains (self->early, ear_podcast_get_address (podcast));
}

/* Returns: whether the address is known without its login, which another machine still
 * has in it */
static gboolean
is_known_without_login (EarSubscriptions *self, const char *address)
{
  g_autofree char *plain = ear_address_without_login (address);

  return !g_str_equal (plain, address) &&
         ear_catalogue_find_exactly (self->catalogue, plain) != NULL;
}

static void
update_former (EarSubscriptions *self, GPtrArray *subscriptions)
{
  g_ptr_array_set_size (self->former, 0);
  for (guint i = 0; i < subscriptions->len; i++)
    {
      const EarSubscription *subscription = g_ptr_array_index (subscriptions, i);

      if (!subscription->followed)
        g_ptr_array_add (self->former, ear_subscription_copy (subscription));
    }
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
apply_subscriptions (EarSubscriptions *self, GPtrArray *subscriptions)
{
  update_former (self, subscriptions);
  for (guint i = 0; i < subscriptions->len; i++)
    {
      const EarSubscription *subscription = g_ptr_array_index (subscriptions, i);
      /* Use exact addresses: each entry is unfollowed, and has its state, by itself. An
       * entry must not affect a podcast whose address differs only in spelling, or one
       * that has moved to the same address. */
      EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, subscription->address);

      if (subscription->followed && podcast == NULL)
        {
          if (is_known_without_login (self, subscription->address))
            continue;
          podcast = ear_catalogue_follow_exactly (self->catalogue, subscription->address,
                                                  subscription->title);
          if (podcast != NULL)
            {
              apply_feed_address (self, podcast, subscription);
              apply_folder (self, podcast, subscription->folder);
              emit_followed (self, podcast);
            }
        }
      else if (podcast != NULL && subscription->followed)
        {
          apply_feed_address (self, podcast, subscription);
          if (!is_early (self, podcast))
            apply_folder (self, podcast, subscription->folder);
        }
      else if (podcast != NULL && !is_early (self, podcast))
        {
          g_autoptr (EarPodcast) gone = g_object_ref (podcast);

          ear_catalogue_unfollow (self->catalogue, podcast);
          g_signal_emit_by_name (self, "unfollowed", gone);
        }
    }
}

/* Adds podcasts of the catalogue that are missing in the file: if the file was lost, they
 * must not be lost with it. */
static void
store_unknown (EarSubscriptions *self, GPtrArray *subscriptions)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < subscriptions->len; i++)
    g_hash_table_add (known, ((EarSubscription *) g_ptr_array_index (subscriptions, i))->address);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (!g_hash_table_contains (known, ear_podcast_get_address (podcast)))
        ear_subscriptions_store (self, podcast, ear_podcast_get_feed_address (podcast),
                                 ear_podcast_get_folder (podcast), TRUE);
    }
}

static void
welcome_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSubscriptions) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outlines = ear_opml_load_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (outlines == NULL)
    g_info ("The first subscriptions cannot be read: %s", error->message);

  for (guint i = 0; outlines != NULL && i < outlines->len; i++)
    {
      const EarOpmlOutline *outline = g_ptr_array_index (outlines, i);

      ear_subscriptions_follow (self, outline->address, outline->title);
    }
  g_signal_emit_by_name (self, "started");
}

static void
subscriptions_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSubscriptions) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean first_start = FALSE;
  g_autoptr (GPtrArray) subscriptions = ear_userdata_store_load_subscriptions_finish (
      EAR_USERDATA_STORE (source), result, &first_start, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  if (subscriptions != NULL)
    {
      apply_subscriptions (self, subscriptions);
      store_unknown (self, subscriptions);
    }
  else
    g_message ("What is followed cannot be read, and is as the catalogue has it: %s",
               error->message);
  g_clear_pointer (&self->early, g_hash_table_unref);
  if (first_start && self->welcome != NULL &&
      g_list_model_get_n_items (ear_catalogue_get_podcasts (self->catalogue)) == 0)
    ear_opml_load_async (self->welcome, self->cancellable, welcome_loaded_cb, g_object_ref (self));
  else
    g_signal_emit_by_name (self, "started");
}

/* Only followed podcasts are stored: others were unfollowed meanwhile, or previewed. */
static void
moved_cb (EarSubscriptions *self, EarPodcast *podcast, const char *address)
{
  if (ear_podcast_get_followed (podcast))
    ear_subscriptions_store (self, podcast, address, NULL, TRUE);
}

static void
ear_subscriptions_dispose (GObject *object)
{
  EarSubscriptions *self = EAR_SUBSCRIPTIONS (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->state);
  g_clear_object (&self->keyring);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->refresher);
  g_clear_object (&self->http);
  g_clear_object (&self->settings);
  g_clear_object (&self->notices);
  g_clear_object (&self->welcome);
  g_clear_pointer (&self->early, g_hash_table_unref);
  g_clear_pointer (&self->former, g_ptr_array_unref);
  g_clear_pointer (&self->newcomers, g_hash_table_unref);
  g_clear_pointer (&self->grown, g_hash_table_unref);
  g_clear_pointer (&self->sought, g_hash_table_unref);

  G_OBJECT_CLASS (ear_subscriptions_parent_class)->dispose (object);
}

static void
ear_subscriptions_class_init (EarSubscriptionsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_subscriptions_dispose;

  g_signal_new ("followed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
  g_signal_new ("unfollowed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
  g_signal_new ("returned", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
  g_signal_new ("interval-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 0);
  g_signal_new ("started", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
ear_subscriptions_init (EarSubscriptions *self)
{
  self->cancellable = g_cancellable_new ();
  self->early = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->former = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_subscription_free);
  self->newcomers = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->grown = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->sought = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

/* Settings of podcasts */

/* Sets the settings of a podcast from another machine or a backup. */
static void
settings_changed_cb (EarSubscriptions *self, const char *address,
                     const EarPodcastSettings *settings)
{
  EarPodcast *podcast = ear_catalogue_find_known (self->catalogue, address);

  if (podcast != NULL && ear_catalogue_set_settings (self->catalogue, podcast, settings))
    g_signal_emit_by_name (self, "interval-changed");
}

/* Recognizes a podcast that is followed again at another address, having moved while it
 * was not followed. The listener's data in the file of its first address is copied to the
 * new one. */

/* Number of common episodes that prove two podcasts with the same title to be the same */
#define MIN_COMMON 3
/* Maximum number of episodes searched on the main thread, for a few milliseconds */
#define SEARCH_LIMIT 256

static gboolean
is_same (EarSubscriptions *self, EarPodcast *podcast, GHashTable *states)
{
  const guint enough = MIN ((g_hash_table_size (states) + 1) / 2, MIN_COMMON);
  guint n_found = 0;
  GHashTableIter iter;
  gpointer guid;

  g_hash_table_iter_init (&iter, states);
  for (guint i = 0;
       i < SEARCH_LIMIT && n_found < enough && g_hash_table_iter_next (&iter, &guid, NULL); i++)
    {
      g_autoptr (EarEpisode) episode =
          ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, guid);

      n_found += episode != NULL;
    }

  return n_found >= enough;
}

/* Copies the listener's data of a former podcast to the one that it was loaded for, if
 * they have the same episodes. Newer data is kept.
 * @states: (element-type utf8 EarEpisodeState): the states of episodes by guid */
static void
copy_predecessor (EarSubscriptions *self, const char *address, GHashTable *states)
{
  g_autofree char *key = NULL;
  g_autoptr (EarPodcast) podcast = NULL;
  GHashTableIter iter;
  gpointer guid, state;

  if (!g_hash_table_steal_extended (self->sought, address, (gpointer *) &key,
                                    (gpointer *) &podcast))
    return;
  if (!ear_podcast_get_followed (podcast) || !is_same (self, podcast, states))
    return;

  g_hash_table_iter_init (&iter, states);
  while (g_hash_table_iter_next (&iter, &guid, &state))
    ear_userdata_store_adopt_episode (self->state, podcast, guid, NULL, NULL, state);
  ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (podcast), states);
}

/* @ids: (element-type gint64): the new rows */
static void
episodes_inserted_cb (EarSubscriptions *self, gint64 podcast_id, GArray *ids)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  if (podcast != NULL && !g_hash_table_contains (self->grown, podcast))
    g_hash_table_add (self->grown, g_object_ref (podcast));
}

/* Loads the listener's data for new rows, which may be known: the catalogue was lost, or
 * the feed came back. */
static void
refreshed_cb (EarSubscriptions *self, EarPodcast *podcast)
{
  if (!g_hash_table_remove (self->grown, podcast))
    return;
  ear_userdata_store_load_podcast (self->state, ear_podcast_get_address (podcast));
  if (g_hash_table_remove (self->newcomers, podcast))
    load_predecessors (self, podcast);
}

/* Returns: (transfer full): the subscriptions, not yet loaded */
EarSubscriptions *
ear_subscriptions_new (const EarServices *services)
{
  EarSubscriptions *self = g_object_new (EAR_TYPE_SUBSCRIPTIONS, NULL);

  self->catalogue = g_object_ref (services->catalogue);
  self->keyring = g_object_ref (services->keyring);
  self->state = g_object_ref (services->state);
  self->refresher = g_object_ref (services->refresher);
  self->http = g_object_ref (services->http);
  self->settings = g_object_ref (services->settings);
  self->notices = g_object_ref (services->notices);
  g_signal_connect_object (self->state, "subscriptions-changed", G_CALLBACK (apply_subscriptions),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "settings-changed", G_CALLBACK (settings_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "podcast-changed", G_CALLBACK (copy_predecessor), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->catalogue, "episodes-inserted", G_CALLBACK (episodes_inserted_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "refreshed", G_CALLBACK (refreshed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "moved", G_CALLBACK (moved_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}

/* Starts to load the followed podcasts. Emits `started` when that is done.
 * @welcome: (nullable): an OPML file to follow at the very first start */
void
ear_subscriptions_start (EarSubscriptions *self, GFile *welcome)
{
  g_set_object (&self->welcome, welcome);
  ear_userdata_store_load_subscriptions_async (self->state, self->cancellable,
                                               subscriptions_loaded_cb, g_object_ref (self));
}

/* Loads the listener's data of all followed podcasts. */
void
ear_subscriptions_load_states (EarSubscriptions *self)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      ear_userdata_store_load_podcast (self->state, ear_podcast_get_address (podcast));
    }
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

  if (self->state == NULL)
    return;
  ear_podcast_settings_init (&settings);
  settings.values[setting] = value;
  /* The new value replaces the known one, even if that was stored by a clock ahead of
   * ours. */
  settings.updated[setting] =
      MAX (g_get_real_time (), ear_podcast_get_settings (podcast)->updated[setting] + 1);
  ear_catalogue_set_settings (self->catalogue, podcast, &settings);
  ear_userdata_store_set_settings (self->state, podcast, &settings);
  if (setting == EAR_PODCAST_SETTING_REFRESH_INTERVAL)
    g_signal_emit_by_name (self, "interval-changed");
}

/* Sets and stores a setting of a podcast.
 * @setting: the setting
 * @value: a value that ear_podcast_setting_accepts() */
void
ear_subscriptions_set_setting (EarSubscriptions *self, EarPodcast *podcast,
                               EarPodcastSetting setting, int value)
{
  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (ear_podcast_setting_accepts (setting, value));

  if (ear_podcast_get_settings (podcast)->values[setting] != value)
    store_setting (self, podcast, setting, value);
}

/* Sets whether a podcast is a series, and its order to match.
 * @series: whether it is played from its first episode */
void
ear_subscriptions_set_series (EarSubscriptions *self, EarPodcast *podcast, gboolean series)
{
  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

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

/* Following, previewing and unfollowing podcasts */

/* @address: a web address
 * Returns: (transfer none) (nullable): the followed podcast with that address, in any
 *   spelling */
EarPodcast *
ear_subscriptions_find (EarSubscriptions *self, const char *address)
{
  EarPodcast *podcast;
  g_autofree char *plain = NULL;

  g_return_val_if_fail (EAR_IS_SUBSCRIPTIONS (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  podcast = ear_catalogue_find_podcast (self->catalogue, address);
  plain = ear_address_without_login (address);

  return podcast != NULL || g_str_equal (plain, address)
             ? podcast
             : ear_catalogue_find_podcast (self->catalogue, plain);
}

static EarPodcast *
find (EarSubscriptions *self, const char *address, gboolean exactly)
{
  return exactly ? ear_catalogue_find_exactly (self->catalogue, address)
                 : ear_catalogue_find_podcast (self->catalogue, address);
}

/* Returns: (nullable): the folder of a podcast when it was unfollowed */
static const char *
get_former_folder (EarSubscriptions *self, const char *address)
{
  const char *folder = NULL;

  for (guint i = 0; i < self->former->len; i++)
    {
      const EarSubscription *former = g_ptr_array_index (self->former, i);

      if (g_str_equal (former->address, address))
        folder = former->folder;
    }

  return folder;
}

/* Moves a podcast into a folder only if it is in none: the listener has placed the
 * others. */
static void
put_into_folder (EarSubscriptions *self, EarPodcast *podcast, const char *folder)
{
  g_autofree char *name = folder != NULL ? ear_folder_name_clean (folder) : NULL;

  if (name == NULL || ear_podcast_get_folder (podcast) != NULL)
    return;
  ear_subscriptions_store (self, podcast, ear_podcast_get_feed_address (podcast), name, TRUE);
  ear_catalogue_set_folder (self->catalogue, podcast, name);
}

/* Follows a podcast. A login in the address is moved to the keyring. A podcast that is
 * followed with the login in its address stays as it is; one followed without it keeps a
 * login that its server accepts. */
static EarPodcast *
follow (EarSubscriptions *self, const char *address, gboolean exactly, const char *title)
{
  g_autofree char *plain = exactly ? g_strdup (address) : ear_address_without_login (address);
  EarPodcast *podcast = find (self, address, exactly);

  if (podcast != NULL)
    return podcast;
  podcast = find (self, plain, exactly);
  if (podcast != NULL)
    {
      ear_keyring_try_login (self->keyring, ear_podcast_get_address (podcast), address);
      return podcast;
    }

  podcast = exactly ? ear_catalogue_follow_exactly (self->catalogue, plain, title)
                    : ear_catalogue_follow (self->catalogue, plain, title);
  if (podcast != NULL)
    {
      if (!exactly)
        g_free (ear_keyring_take_login (self->keyring, ear_podcast_get_address (podcast), address));
      if (self->early != NULL)
        g_hash_table_add (self->early, g_strdup (ear_podcast_get_address (podcast)));
      ear_subscriptions_store (self, podcast, ear_podcast_get_feed_address (podcast), NULL, TRUE);
      apply_folder (self, podcast, get_former_folder (self, ear_podcast_get_address (podcast)));
      emit_followed (self, podcast);
    }

  return podcast;
}

/* Follows a podcast and starts to fetch it. One that was unfollowed a moment ago comes
 * back with its data.
 * @address: an address that was typed, pasted or passed in: see [func@ear_address_clean]
 * @title: (nullable): the title until the feed is fetched
 * Returns: (transfer none) (nullable): the podcast, even if it was already followed;
 *   %NULL if @address is no web address */
EarPodcast *
ear_subscriptions_follow (EarSubscriptions *self, const char *address, const char *title)
{
  g_autofree char *clean = NULL;

  g_return_val_if_fail (EAR_IS_SUBSCRIPTIONS (self), NULL);

  clean = ear_address_clean (address);

  return clean != NULL ? follow (self, clean, FALSE, title) : NULL;
}

/* Returns: (nullable): the followed podcast at the address that the unfollowed or merged
 * podcast had moved to */
static EarPodcast *
find_successor (EarSubscriptions *self, const char *address)
{
  g_autofree char *key = ear_address_key (address);

  for (guint i = 0; i < self->former->len; i++)
    {
      const EarSubscription *former = g_ptr_array_index (self->former, i);
      g_autofree char *own = ear_address_key (former->address);

      if (former->feed_address != NULL && g_strcmp0 (own, key) == 0)
        {
          EarPodcast *podcast = ear_catalogue_find_podcast (self->catalogue, former->feed_address);

          if (podcast != NULL && ear_podcast_get_followed (podcast))
            return podcast;
        }
    }

  return NULL;
}

/* Follows a podcast of a list, unless it is followed or has moved to the address of a
 * followed one. Moves it into a folder if it is in none.
 * @address: the address of a feed, http or https
 * @title: (nullable): the title until the feed is fetched
 * @folder: (nullable): the folder in another program, names joined by "/"
 * Returns: (transfer none) (nullable): the podcast, even if it was already followed */
EarPodcast *
ear_subscriptions_follow_in (EarSubscriptions *self, const char *address, const char *title,
                             const char *folder)
{
  EarPodcast *podcast =
      ear_subscriptions_find (self, address) == NULL ? find_successor (self, address) : NULL;

  if (podcast == NULL)
    podcast = follow (self, address, FALSE, title);
  if (podcast != NULL)
    put_into_folder (self, podcast, folder);

  return podcast;
}

/* Follows a podcast again for Undo, even if another one has the same address in another
 * spelling.
 * @address: the exact first address of the podcast
 * @title: (nullable): the title until the feed is fetched
 * Returns: (transfer none) (nullable): the podcast, even if it was already followed */
EarPodcast *
ear_subscriptions_follow_again (EarSubscriptions *self, const char *address, const char *title)
{
  return follow (self, address, TRUE, title);
}

/* Unfollows a podcast without Undo. The listener's data of its episodes is kept. */
void
ear_subscriptions_drop (EarSubscriptions *self, EarPodcast *podcast)
{
  g_autoptr (EarPodcast) gone = g_object_ref (podcast);
  EarSubscription *former = ear_subscription_new (
      ear_podcast_get_address (podcast), ear_podcast_get_feed_address (podcast),
      ear_podcast_get_title (podcast), FALSE, g_get_real_time ());

  ear_subscriptions_store (self, podcast, ear_podcast_get_feed_address (podcast), NULL, FALSE);
  former->folder = g_strdup (ear_podcast_get_folder (podcast));
  g_ptr_array_add (self->former, former);
  ear_catalogue_unfollow (self->catalogue, podcast);
  g_signal_emit_by_name (self, "unfollowed", gone);
}

static void
undo_adding (gpointer owner, gpointer podcast)
{
  if (ear_podcast_get_followed (podcast))
    ear_subscriptions_drop (owner, podcast);
}

/* Follows a podcast for a caller outside of the window, such as another program: the
 * window shows a notice with Undo.
 * @address: as for [method@EarSubscriptions.follow]
 * @title: (nullable): the title until the feed is fetched
 * Returns: (transfer none) (nullable): the podcast, even if it was already followed */
EarPodcast *
ear_subscriptions_add (EarSubscriptions *self, const char *address, const char *title)
{
  g_autofree char *clean = NULL;
  g_autofree char *message = NULL;
  g_autoptr (EarUndo) undo = NULL;
  EarPodcast *podcast;

  g_return_val_if_fail (EAR_IS_SUBSCRIPTIONS (self), NULL);

  clean = ear_address_clean (address);
  podcast = clean != NULL ? ear_subscriptions_find (self, clean) : NULL;
  if (podcast != NULL)
    return podcast;
  podcast = ear_subscriptions_follow (self, address, title);
  if (podcast == NULL)
    return NULL;

  /* Translators: %s is the title of a podcast */
  message = g_strdup_printf (_("Followed “%s”"), title != NULL ? title : _("a podcast"));
  undo = ear_undo_new (message, undo_adding, self, g_object_ref (podcast), g_object_unref);
  ear_notices_offer_undo (self->notices, undo);

  return podcast;
}

static void
undo_unfollowing (gpointer owner, gpointer gone)
{
  EarPodcast *podcast = ear_subscriptions_follow_again (owner, ear_podcast_get_address (gone),
                                                        ear_podcast_get_title (gone));

  if (podcast != NULL)
    g_signal_emit_by_name (owner, "returned", podcast);
}

/* Unfollows a podcast. Undo restores it with all its data.
 * @podcast: a followed podcast */
void
ear_subscriptions_unfollow (EarSubscriptions *self, EarPodcast *podcast)
{
  const char *title;
  g_autofree char *message = NULL;
  g_autoptr (EarUndo) undo = NULL;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  title = ear_podcast_get_title (podcast);
  /* Translators: %s is the title of a podcast. */
  message = g_strdup_printf (_("Unfollowed “%s”"),
                             title != NULL ? title : ear_podcast_get_address (podcast));
  undo =
      ear_undo_new (message, undo_unfollowing, self, g_object_ref (podcast), g_object_unref);
  ear_subscriptions_drop (self, podcast);
  ear_notices_offer_undo (self->notices, undo);
}

/* Starts to fetch a podcast for a preview. Its episodes can be listed, read and played,
 * but it is in no list of the library. [method@EarSubscriptions.follow] with its address
 * follows it.
 * @address: the address of a feed: see [func@ear_address_clean]
 * @title: (nullable): the title until the feed is fetched
 * Returns: (transfer none) (nullable): the podcast; %NULL if @address is no web address */
EarPodcast *
ear_subscriptions_preview (EarSubscriptions *self, const char *address, const char *title)
{
  g_autofree char *clean = NULL;
  g_autofree char *plain = NULL;
  EarPodcast *podcast;

  g_return_val_if_fail (EAR_IS_SUBSCRIPTIONS (self), NULL);

  clean = ear_address_clean (address);
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
  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

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

typedef struct
{
  EarPodcast *podcast;
  char *address;
  char *other; /* (nullable): title, if another podcast is at the address */
} Trial;

static void
trial_free (gpointer data)
{
  Trial *trial = data;

  g_object_unref (trial->podcast);
  g_free (trial->address);
  g_free (trial->other);
  g_free (trial);
}

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
  g_autoptr (EarProbe) probe = ear_feed_probe_finish (result, NULL, &error);
  EarSubscriptions *self = g_task_get_source_object (task);
  Trial *trial = g_task_get_task_data (task);
  const char *title = ear_podcast_get_title (trial->podcast);
  EarDirectoryEntry *entry;

  if (probe == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  /* If a page links to several feeds, the intended one is unknown. */
  if (probe->entries->len != 1)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NOT_A_FEED,
                                       "There is more than one feed, or none");
      return;
    }
  entry = g_ptr_array_index (probe->entries, 0);
  if (is_taken (self, trial->podcast, entry->address) ||
      (entry->moved != NULL && is_taken (self, trial->podcast, entry->moved)))
    {
      return_taken (task);
      return;
    }

  if (entry->title != NULL && title != NULL &&
      !ear_feed_identity_is_title_equal (entry->title, title))
    trial->other = g_strdup (entry->title);
  g_task_return_pointer (task, g_strdup (entry->address), g_free);
}

/* Checks whether a podcast can be fetched from an address, which may be that of a web
 * page with a link to the feed. Changes nothing.
 * @address: an address entered by the listener
 * @callback: called with the result */
void
ear_subscriptions_try_address_async (EarSubscriptions *self, EarPodcast *podcast,
                                     const char *address, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Trial *trial;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (address != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_subscriptions_try_address_async);
  trial = g_new0 (Trial, 1);
  trial->podcast = g_object_ref (podcast);
  trial->address = ear_address_clean (address);
  g_task_set_task_data (task, trial, trial_free);
  if (trial->address == NULL)
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS,
                                     "That is no web address");
  else if (is_taken (self, podcast, trial->address))
    return_taken (task);
  else
    ear_feed_probe_async (self->http, trial->address, cancellable, probed_cb,
                          g_steal_pointer (&task));
}

/* @other: (out) (transfer full) (nullable): the title of the podcast found, if it differs
 * @error: return location for an `EAR_ERROR`
 * Returns: (transfer full) (nullable): the address of the feed, for
 *   [method@EarSubscriptions.set_address] */
char *
ear_subscriptions_try_address_finish (EarSubscriptions *self, GAsyncResult *result, char **other,
                                      GError **error)
{
  Trial *trial;
  char *address;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  trial = g_task_get_task_data (G_TASK (result));
  address = g_task_propagate_pointer (G_TASK (result), error);
  *other = address != NULL ? g_steal_pointer (&trial->other) : NULL;

  return address;
}

/* Sets the address that the feed is fetched from. The podcast keeps its first address as
 * id.
 * @podcast: a followed podcast
 * @address: the new feed address, from [method@EarSubscriptions.try_address_finish] */
void
ear_subscriptions_set_address (EarSubscriptions *self, EarPodcast *podcast, const char *address)
{
  const EarFeedCheck check = { .feed_address = (char *) address };

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (ear_address_is_web (address));

  if (self->stopped)
    return;
  ear_catalogue_store_check (self->catalogue, ear_podcast_get_id (podcast), NULL, &check);
  if (ear_podcast_get_followed (podcast))
    ear_subscriptions_store (self, podcast, address, NULL, TRUE);
  /* A running fetch uses the old address. */
  ear_refresher_cancel (self->refresher, podcast);
  /* The listener has confirmed the podcast at the new address. */
  ear_refresher_accept (self->refresher, podcast);
}

/* Returns: whether the result may be the podcast: the titles are equal, or nothing was
 * ever fetched */
static gboolean
may_be (EarPodcast *podcast, EarDiscoveryResult *result)
{
  return ear_podcast_get_n_episodes (podcast) == 0 ||
         ear_feed_identity_is_title_equal (ear_discovery_result_get_title (result),
                                           ear_podcast_get_title (podcast));
}

/* Switches a podcast from http to https if the result proves that this works: it may have
 * been followed before its server had a certificate.
 * @podcast: a followed podcast
 * @result: the same podcast, found at its address */
void
ear_subscriptions_prefer_secure (EarSubscriptions *self, EarPodcast *podcast,
                                 EarDiscoveryResult *result)
{
  const char *address;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (EAR_IS_DISCOVERY_RESULT (result));

  address = ear_discovery_result_get_address (result);
  if (ear_discovery_result_get_secure (result) &&
      ear_address_is_secure_twin (address, ear_podcast_get_feed_address (podcast)) &&
      may_be (podcast, result))
    ear_subscriptions_set_address (self, podcast, address);
}

/* Exports the followed podcasts for other programs. */

/* Data of an export */
typedef struct
{
  GFile *file;         /* (nullable): the file to write, unless the caller writes it */
  GPtrArray *outlines; /* (element-type EarOpmlOutline) */
  gboolean replace;    /* overwrite an existing file */
} Export;

static void
export_free (gpointer data)
{
  Export *export = data;

  g_clear_object (&export->file);
  g_ptr_array_unref (export->outlines);
  g_free (export);
}

/* Returns: the number of podcasts whose address grants access to anybody who has it */
guint
ear_subscriptions_count_private (EarSubscriptions *self)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      n += ear_podcast_is_private (podcast);
    }

  return n;
}

static int
compare_outlines (gconstpointer a, gconstpointer b)
{
  const EarOpmlOutline *one = *(EarOpmlOutline **) a;
  const EarOpmlOutline *other = *(EarOpmlOutline **) b;

  return g_strcmp0 (one->folder, other->folder);
}

static GPtrArray *
list_podcasts (EarSubscriptions *self, gboolean with_private)
{
  GPtrArray *outlines = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_opml_outline_free);
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);
      EarOpmlOutline *outline;

      if (ear_podcast_is_private (podcast) && !with_private)
        continue;
      outline = ear_opml_outline_new ();
      /* Other programs need the address that the feed is fetched from now. */
      outline->address = g_strdup (ear_podcast_get_feed_address (podcast));
      outline->title = g_strdup (ear_podcast_get_title (podcast));
      outline->link = g_strdup (ear_podcast_get_facts (podcast)->link);
      outline->folder = g_strdup (ear_podcast_get_folder (podcast));
      g_ptr_array_add (outlines, outline);
    }

  g_ptr_array_sort (outlines, compare_outlines);

  return outlines;
}

/* Deletes a partially written file, which would be mistaken for the whole list and block
 * another attempt. */
static gboolean
write_new (GFile *file, const char *data, gsize length, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileOutputStream) stream =
      g_file_create (file, G_FILE_CREATE_NONE, cancellable, error);

  if (stream == NULL)
    return FALSE;
  if (g_output_stream_write_all (G_OUTPUT_STREAM (stream), data, length, NULL, cancellable,
                                 error) &&
      g_output_stream_close (G_OUTPUT_STREAM (stream), cancellable, error))
    return TRUE;
  g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, NULL);
  g_file_delete (file, NULL, NULL);

  return FALSE;
}

static gboolean
write_list (Export *export, GBytes *bytes, GCancellable *cancellable, GError **error)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  if (export->file == NULL)
    return TRUE;
  if (export->replace)
    return g_file_replace_contents (export->file, data, length, NULL, FALSE, G_FILE_CREATE_NONE,
                                    NULL, cancellable, error);

  return write_new (export->file, data, length, cancellable, error);
}

static void
write_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Export *export = task_data;
  g_autoptr (GBytes) bytes = ear_opml_write (export->outlines, "Earmark");
  g_autoptr (GError) error = NULL;

  if (write_list (export, bytes, cancellable, &error))
    g_task_return_pointer (task, g_steal_pointer (&bytes), (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* Creates an OPML list of the followed podcasts in their folders.
 * @file: (nullable): the file to write
 * @replace: whether to overwrite an existing file
 * @with_private: whether to include podcasts with secret addresses
 * @callback: called when the list is created and written */
void
ear_subscriptions_export_async (EarSubscriptions *self, GFile *file, gboolean replace,
                                gboolean with_private, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Export *export;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_subscriptions_export_async);
  export = g_new0 (Export, 1);
  export->replace = replace;
  g_set_object (&export->file, file);
  export->outlines = list_podcasts (self, with_private);
  g_task_set_task_data (task, export, export_free);
  ear_worker_run (g_steal_pointer (&task), write_thread, (GDestroyNotify) g_bytes_unref);
}

/* Returns: (transfer full) (nullable): the list */
GBytes *
ear_subscriptions_export_finish (EarSubscriptions *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
