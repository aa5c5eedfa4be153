/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscriptions.h"

#include "ear-address.h"
#include "ear-feed-identity.h"
#include "ear-opml.h"
#include "ear-worker.h"

/**
 * EarSubscriptions:
 *
 * Which podcasts are followed. `subscriptions.json` decides; the catalogue is made to
 * fit it, at the start and whenever the file is changed from outside.
 */
struct _EarSubscriptions
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarKeyring *keyring;
  EarStateStore *state;
  GFile *welcome; /* until the first start has been dealt with */
  GHashTable *early; /* (element-type utf8) (nullable): followed before the file was read */
  GPtrArray *former;   /* (element-type EarSubscription): not followed any more */
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (EarSubscriptions, ear_subscriptions, G_TYPE_OBJECT)

enum
{
  SIGNAL_FOLLOWED,
  SIGNAL_UNFOLLOWED,
  SIGNAL_READDRESSED,
  SIGNAL_STARTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
keep (EarSubscriptions *self, EarPodcast *podcast, const char *folder, gboolean followed)
{
  EarSubscription subscription = {
    .address = (char *) ear_podcast_get_address (podcast),
    .feed_address = (char *) ear_podcast_get_feed_address (podcast),
    .title = (char *) ear_podcast_get_title (podcast),
    .folder = (char *) folder,
    .followed = followed,
    .updated = g_get_real_time (),
  };

  ear_state_store_set_subscription (self->state, &subscription);
}

/* The catalogue was lost, or another machine has found out, or was told, where the podcast is now:
 * what is found out here is in the file at once. */
static void
take_feed_address (EarSubscriptions *self, EarPodcast *podcast, const EarSubscription *subscription)
{
  const EarFeedCheck check = { .feed_address = subscription->feed_address };

  if (subscription->feed_address == NULL ||
      g_strcmp0 (subscription->feed_address, ear_podcast_get_feed_address (podcast)) == 0)
    return;
  ear_catalogue_store_check (self->catalogue, ear_podcast_get_id (podcast), NULL, &check);
  g_signal_emit (self, signals[SIGNAL_READDRESSED], 0, podcast);
}

/* What the listener has just followed is not unfollowed for what the file said before. */
static gboolean
is_early (EarSubscriptions *self, EarPodcast *podcast)
{
  return self->early != NULL && g_hash_table_contains (self->early, ear_podcast_get_address (podcast));
}

/* Another machine says it still with the password in the address that was taken out of it here. */
static gboolean
is_known_without_login (EarSubscriptions *self, const char *address)
{
  g_autofree char *plain = ear_address_without_login (address);

  return !g_str_equal (plain, address) && ear_catalogue_find_exactly (self->catalogue, plain) != NULL;
}

static void
note_former (EarSubscriptions *self, GPtrArray *subscriptions)
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
  note_former (self, subscriptions);
  for (guint i = 0; i < subscriptions->len; i++)
    {
      const EarSubscription *subscription = g_ptr_array_index (subscriptions, i);
      /* To the letter: each entry is unfollowed, and has its state, by itself. What it says is neither said about
       * a podcast whose address is written alike, nor about one that has moved there from another one. */
      EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, subscription->address);

      if (subscription->followed && podcast == NULL)
        {
          if (is_known_without_login (self, subscription->address))
            continue;
          podcast = ear_catalogue_follow_exactly (self->catalogue, subscription->address, subscription->title);
          if (podcast != NULL)
            {
              take_feed_address (self, podcast, subscription);
              g_signal_emit (self, signals[SIGNAL_FOLLOWED], 0, podcast);
            }
        }
      else if (podcast != NULL && subscription->followed)
        take_feed_address (self, podcast, subscription);
      else if (podcast != NULL && !is_early (self, podcast))
        {
          g_autoptr (EarPodcast) gone = g_object_ref (podcast);

          ear_catalogue_unfollow (self->catalogue, podcast);
          g_signal_emit (self, signals[SIGNAL_UNFOLLOWED], 0, gone);
        }
    }
}

/* A catalogue that knows podcasts which the file does not: the file was lost, and the
 * listener's podcasts are not. */
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
        keep (self, podcast, NULL, TRUE);
    }
}

static void
parse_welcome_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GFile *file = task_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_file_load_bytes (file, cancellable, NULL, &error);
  GPtrArray *outlines = bytes != NULL ? ear_opml_parse (bytes, &error) : NULL;

  if (outlines != NULL)
    g_task_return_pointer (task, outlines, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
welcome_parsed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarSubscriptions *self = EAR_SUBSCRIPTIONS (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outlines = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (outlines == NULL)
    g_info ("The first subscriptions cannot be read: %s", error->message);

  for (guint i = 0; outlines != NULL && i < outlines->len; i++)
    {
      const EarOpmlOutline *outline = g_ptr_array_index (outlines, i);

      ear_subscriptions_follow (self, outline->address, outline->title);
    }
  g_signal_emit (self, signals[SIGNAL_STARTED], 0);
}

static void
follow_welcome (EarSubscriptions *self)
{
  GTask *task = g_task_new (self, self->cancellable, welcome_parsed_cb, NULL);

  g_task_set_source_tag (task, follow_welcome);
  g_task_set_task_data (task, g_object_ref (self->welcome), g_object_unref);
  ear_worker_run (task, parse_welcome_thread, (GDestroyNotify) g_ptr_array_unref);
}

static void
subscriptions_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSubscriptions) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean first_start = FALSE;
  g_autoptr (GPtrArray) subscriptions =
    ear_state_store_load_subscriptions_finish (EAR_STATE_STORE (source), result, &first_start, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  if (subscriptions != NULL)
    {
      apply_subscriptions (self, subscriptions);
      keep_unknown (self, subscriptions);
    }
  else
    g_message ("What is followed cannot be read, and is as the catalogue has it: %s", error->message);
  g_clear_pointer (&self->early, g_hash_table_unref);
  if (first_start && self->welcome != NULL && g_list_model_get_n_items (ear_catalogue_get_podcasts (self->catalogue)) == 0)
    follow_welcome (self);
  else
    g_signal_emit (self, signals[SIGNAL_STARTED], 0);
}

static void
ear_subscriptions_dispose (GObject *object)
{
  EarSubscriptions *self = EAR_SUBSCRIPTIONS (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_clear_object (&self->state);
  g_clear_object (&self->keyring);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->welcome);
  g_clear_pointer (&self->early, g_hash_table_unref);

  G_OBJECT_CLASS (ear_subscriptions_parent_class)->dispose (object);
}

static void
ear_subscriptions_finalize (GObject *object)
{
  EarSubscriptions *self = EAR_SUBSCRIPTIONS (object);

  g_clear_pointer (&self->former, g_ptr_array_unref);

  G_OBJECT_CLASS (ear_subscriptions_parent_class)->finalize (object);
}

static void
ear_subscriptions_class_init (EarSubscriptionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_subscriptions_dispose;
  object_class->finalize = ear_subscriptions_finalize;

  /**
   * EarSubscriptions::followed:
   * @self: the subscriptions
   * @podcast: a podcast that is followed from now on
   */
  signals[SIGNAL_FOLLOWED] =
    g_signal_new ("followed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
  /**
   * EarSubscriptions::unfollowed:
   * @self: the subscriptions
   * @podcast: a podcast that is not followed any more
   */
  signals[SIGNAL_UNFOLLOWED] =
    g_signal_new ("unfollowed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
  /**
   * EarSubscriptions::readdressed:
   * @self: the subscriptions
   * @podcast: a podcast whose feed is elsewhere, as somebody else has found out
   */
  signals[SIGNAL_READDRESSED] =
    g_signal_new ("readdressed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
  /**
   * EarSubscriptions::started:
   * @self: the subscriptions
   *
   * What is followed is known now.
   */
  signals[SIGNAL_STARTED] =
    g_signal_new ("started", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ear_subscriptions_init (EarSubscriptions *self)
{
  self->cancellable = g_cancellable_new ();
  self->early = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->former = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_subscription_free);
}

/**
 * ear_subscriptions_new:
 * @catalogue: what is made to fit the subscriptions
 * @keyring: gets the names and passwords that addresses come with
 * @state: keeps them
 *
 * Returns: (transfer full): the subscriptions, not yet loaded
 */
EarSubscriptions *
ear_subscriptions_new (EarCatalogue *catalogue, EarKeyring *keyring, EarStateStore *state)
{
  EarSubscriptions *self = g_object_new (EAR_TYPE_SUBSCRIPTIONS, NULL);

  self->catalogue = g_object_ref (catalogue);
  self->keyring = g_object_ref (keyring);
  self->state = g_object_ref (state);
  g_signal_connect_swapped (state, "subscriptions-changed", G_CALLBACK (apply_subscriptions), self);

  return self;
}

/**
 * ear_subscriptions_start:
 * @self: the subscriptions
 * @welcome: (nullable): an OPML file to follow on the very first start
 *
 * Begins to load what is followed. Emits `started` when that is known.
 */
void
ear_subscriptions_start (EarSubscriptions *self, GFile *welcome)
{
  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));

  g_set_object (&self->welcome, welcome);
  ear_state_store_load_subscriptions_async (self->state, self->cancellable, subscriptions_loaded_cb, g_object_ref (self));
}

static EarPodcast *
find (EarSubscriptions *self, const char *address, gboolean exactly)
{
  return exactly ? ear_catalogue_find_exactly (self->catalogue, address) : ear_catalogue_find_podcast (self->catalogue, address);
}

/* A name and a password in an address from outside are for the keyring. A podcast that is followed with them stays as
 * it is; one that is followed without them keeps what its server takes. */
static EarPodcast *
take_up (EarSubscriptions *self, const char *address, gboolean exactly, const char *title, const char *folder)
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
      keep (self, podcast, folder, TRUE);
      g_signal_emit (self, signals[SIGNAL_FOLLOWED], 0, podcast);
    }

  return podcast;
}

/**
 * ear_subscriptions_follow:
 * @self: the subscriptions
 * @address: address of a feed, http or https
 * @title: (nullable): what to call the podcast until its feed has come
 *
 * Follows a podcast. One that was unfollowed a moment ago comes back as it was.
 *
 * Returns: (transfer none) (nullable): the podcast, also if it was followed already
 */
EarPodcast *
ear_subscriptions_follow (EarSubscriptions *self, const char *address, const char *title)
{
  return ear_subscriptions_follow_in (self, address, title, NULL);
}

/**
 * ear_subscriptions_follow_in:
 * @self: the subscriptions
 * @address: address of a feed, http or https
 * @title: (nullable): what to call the podcast until its feed has come
 * @folder: (nullable): where another program had it, names joined by "/"
 *
 * Follows a podcast, and remembers its folder for those programs that have folders.
 *
 * Returns: (transfer none) (nullable): the podcast, also if it was followed already
 */
EarPodcast *
ear_subscriptions_follow_in (EarSubscriptions *self, const char *address, const char *title, const char *folder)
{
  g_return_val_if_fail (EAR_IS_SUBSCRIPTIONS (self), NULL);

  return take_up (self, address, FALSE, title, folder);
}

/**
 * ear_subscriptions_follow_again:
 * @self: the subscriptions
 * @address: what a podcast was first followed at, to the letter
 * @title: (nullable): what to call the podcast until its feed has come
 *
 * Takes back that a podcast was unfollowed, also beside another one whose address is written alike.
 *
 * Returns: (transfer none) (nullable): the podcast, also if it was followed already
 */
EarPodcast *
ear_subscriptions_follow_again (EarSubscriptions *self, const char *address, const char *title)
{
  g_return_val_if_fail (EAR_IS_SUBSCRIPTIONS (self), NULL);

  return take_up (self, address, TRUE, title, NULL);
}

/**
 * ear_subscriptions_unfollow:
 * @self: the subscriptions
 * @podcast: a followed podcast
 *
 * Unfollows a podcast. What the listener did with its episodes is kept.
 */
void
ear_subscriptions_unfollow (EarSubscriptions *self, EarPodcast *podcast)
{
  g_autoptr (EarPodcast) gone = NULL;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  gone = g_object_ref (podcast);
  keep (self, podcast, NULL, FALSE);
  g_ptr_array_add (self->former, ear_subscription_new (ear_podcast_get_address (podcast), ear_podcast_get_feed_address (podcast),
                                                       ear_podcast_get_title (podcast), FALSE, g_get_real_time ()));
  ear_catalogue_unfollow (self->catalogue, podcast);
  g_signal_emit (self, signals[SIGNAL_UNFOLLOWED], 0, gone);
}

static gboolean
has_key (const char *address, const char *key)
{
  g_autofree char *own = address != NULL ? ear_address_key (address) : NULL;

  return g_strcmp0 (own, key) == 0;
}

/* Where it went while nobody here asked for it is not known: the title is a hint, too. */
static gboolean
may_be_former (const EarSubscription *former, EarPodcast *podcast, const char *feed_key)
{
  if (g_str_equal (former->address, ear_podcast_get_address (podcast)))
    return FALSE;

  return has_key (former->feed_address, feed_key) || has_key (former->address, feed_key) ||
         ear_feed_identity_is_title_equal (former->title, ear_podcast_get_title (podcast));
}

/**
 * ear_subscriptions_dup_former:
 * @self: the subscriptions
 * @podcast: a followed podcast
 *
 * Finds podcasts that are not followed any more and may be the same one, at another address.
 *
 * Returns: (transfer full) (array zero-terminated=1): their first addresses
 */
char **
ear_subscriptions_dup_former (EarSubscriptions *self, EarPodcast *podcast)
{
  g_autoptr (GStrvBuilder) addresses = g_strv_builder_new ();
  g_autofree char *feed_key = NULL;

  g_return_val_if_fail (EAR_IS_SUBSCRIPTIONS (self), NULL);
  g_return_val_if_fail (EAR_IS_PODCAST (podcast), NULL);

  feed_key = ear_address_key (ear_podcast_get_feed_address (podcast));
  for (guint i = 0; i < self->former->len; i++)
    {
      const EarSubscription *former = g_ptr_array_index (self->former, i);
      EarPodcast *followed;

      if (!may_be_former (former, podcast, feed_key))
        continue;
      /* It may be followed again. */
      followed = ear_catalogue_find_podcast (self->catalogue, former->address);
      if (followed == NULL || followed == podcast)
        g_strv_builder_add (addresses, former->address);
    }

  return g_strv_builder_end (addresses);
}

/**
 * ear_subscriptions_set_feed_address:
 * @self: the subscriptions
 * @podcast: a followed podcast
 * @address: where its feed is fetched from now
 *
 * Keeps where a podcast has moved to. It is known by its first address all the same.
 */
void
ear_subscriptions_set_feed_address (EarSubscriptions *self, EarPodcast *podcast, const char *address)
{
  EarSubscription subscription;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  subscription = (EarSubscription) {
    .address = (char *) ear_podcast_get_address (podcast),
    .feed_address = (char *) address,
    .title = (char *) ear_podcast_get_title (podcast),
    .followed = TRUE,
    .updated = g_get_real_time (),
  };
  ear_state_store_set_subscription (self->state, &subscription);
}
