/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscriptions-private.h"

#include "ear-address.h"
#include "ear-feed-identity.h"
#include "ear-feed-probe.h"

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
    ear_subscriptions_keep (self, podcast, address, NULL, TRUE);
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
