/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscriptions-private.h"

#include "ear-address.h"
#include "ear-opml-loader.h"
#include "ear-opml.h"

/* The followed podcasts, their addresses and settings. `subscriptions.json` is
 * authoritative; the catalogue is adapted to it at startup and when another program
 * changes the file. */
G_DEFINE_FINAL_TYPE (EarSubscriptions, ear_subscriptions, G_TYPE_OBJECT)

void
ear_subscriptions_emit_followed (EarSubscriptions *self, EarPodcast *podcast)
{
  ear_subscriptions_take_up_state (self, podcast);
  g_signal_emit_by_name (self, "followed", podcast);
}

/* Stores a subscription, identified by the first address of the podcast.
 * @feed_address: the current address of the feed
 * @folder: (nullable): the new folder, "" for none; %NULL keeps it
 * @followed: whether it is followed */
void
ear_subscriptions_keep (EarSubscriptions *self, EarPodcast *podcast, const char *feed_address,
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
take_feed_address (EarSubscriptions *self, EarPodcast *podcast, const EarSubscription *subscription)
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
note_predecessor (EarSubscriptions *self, GPtrArray *subscriptions)
{
  g_ptr_array_set_size (self->former, 0);
  for (guint i = 0; i < subscriptions->len; i++)
    {
      const EarSubscription *subscription = g_ptr_array_index (subscriptions, i);

      if (!subscription->followed)
        g_ptr_array_add (self->former, ear_subscription_copy (subscription));
    }
}

static void
apply_subscriptions (EarSubscriptions *self, GPtrArray *subscriptions)
{
  note_predecessor (self, subscriptions);
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
              take_feed_address (self, podcast, subscription);
              ear_subscriptions_take_folder (self, podcast, subscription->folder);
              ear_subscriptions_emit_followed (self, podcast);
            }
        }
      else if (podcast != NULL && subscription->followed)
        {
          take_feed_address (self, podcast, subscription);
          if (!is_early (self, podcast))
            ear_subscriptions_take_folder (self, podcast, subscription->folder);
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
keep_unknown (EarSubscriptions *self, GPtrArray *subscriptions)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < subscriptions->len; i++)
    g_hash_table_add (known, ((EarSubscription *) g_ptr_array_index (subscriptions, i))->address);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (!g_hash_table_contains (known, ear_podcast_get_address (podcast)))
        ear_subscriptions_keep (self, podcast, ear_podcast_get_feed_address (podcast),
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
      keep_unknown (self, subscriptions);
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
    ear_subscriptions_keep (self, podcast, address, NULL, TRUE);
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

/* @settings: contains settings of podcasts from earlier versions
 * Returns: (transfer full): the subscriptions, not yet loaded */
EarSubscriptions *
ear_subscriptions_new (EarCatalogue *catalogue, EarKeyring *keyring, EarUserdataStore *state,
                       EarRefresher *refresher, EarHttp *http, EarSettings *settings,
                       EarNotices *notices)
{
  EarSubscriptions *self = g_object_new (EAR_TYPE_SUBSCRIPTIONS, NULL);

  self->catalogue = g_object_ref (catalogue);
  self->keyring = g_object_ref (keyring);
  self->state = g_object_ref (state);
  self->refresher = g_object_ref (refresher);
  self->http = g_object_ref (http);
  self->settings = g_object_ref (settings);
  self->notices = g_object_ref (notices);
  g_signal_connect_object (state, "subscriptions-changed", G_CALLBACK (apply_subscriptions), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "settings-changed", G_CALLBACK (ear_subscriptions_take_settings),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "podcast-changed",
                           G_CALLBACK (ear_subscriptions_take_predecessor), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (catalogue, "episodes-inserted", G_CALLBACK (ear_subscriptions_note_rows),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (refresher, "refreshed", G_CALLBACK (ear_subscriptions_greet_rows), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (refresher, "moved", G_CALLBACK (moved_cb), self, G_CONNECT_SWAPPED);

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

      ear_subscriptions_load_state (self, podcast);
    }
}

/* Starts no further requests. */
void
ear_subscriptions_stop (EarSubscriptions *self)
{
  self->stopped = TRUE;
}
