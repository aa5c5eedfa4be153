/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library: finding podcasts, and the episodes that others name. */

#include "ear-library-private.h"

#include "ear-address.h"
#include "ear-directory.h"
#include "ear-feed-identity.h"

/* Who is asked, and the variable that names another place for it: a mirror, or a stand-in. */
static const struct
{
  const EarDirectoryService *service;
  const char *variable;
} services[] = {
  { &ear_directory_itunes, "EARMARK_ITUNES" },
  { &ear_directory_fyyd, "EARMARK_FYYD" },
};

/* One object a service, whoever asks: it keeps to the number of requests that is allowed. */
static GPtrArray *
get_directories (EarLibrary *self)
{
  if (self->directories != NULL)
    return self->directories;

  self->directories = g_ptr_array_new_with_free_func (g_object_unref);
  for (gsize i = 0; i < G_N_ELEMENTS (services); i++)
    g_ptr_array_add (self->directories, ear_directory_new (self->http, services[i].service, g_getenv (services[i].variable)));

  return self->directories;
}

/**
 * ear_library_create_discovery:
 * @self: the library
 *
 * Returns: (transfer full): what finds podcasts, and knows which of them are followed
 */
EarDiscovery *
ear_library_create_discovery (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return ear_discovery_new (self->http, get_directories (self), ear_library_get_podcasts (self));
}

/**
 * ear_library_find_podcast:
 * @self: the library
 * @address: a web address
 *
 * Returns: (transfer none) (nullable): the podcast that is followed there, however its address is written
 */
EarPodcast *
ear_library_find_podcast (EarLibrary *self, const char *address)
{
  EarPodcast *podcast;
  g_autofree char *plain = NULL;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  if (self->catalogue == NULL)
    return NULL;
  podcast = ear_catalogue_find_podcast (self->catalogue, address);
  plain = ear_address_without_login (address);

  return podcast != NULL || g_str_equal (plain, address) ? podcast : ear_catalogue_find_podcast (self->catalogue, plain);
}

/* It has the same name, or nothing was ever had of it. */
static gboolean
may_be (EarPodcast *podcast, EarDiscoveryResult *result)
{
  return ear_podcast_get_n_episodes (podcast) == 0 ||
         ear_feed_identity_is_title_equal (ear_discovery_result_get_title (result), ear_podcast_get_title (podcast));
}

/**
 * ear_library_recognize:
 * @self: the library
 * @result: what was found
 *
 * Whether what was found is followed already. A podcast that is fetched by http is fetched by https from
 * now on, if that was just seen to work: it may have been followed before its server had a certificate.
 *
 * Returns: (transfer none) (nullable): the podcast
 */
EarPodcast *
ear_library_recognize (EarLibrary *self, EarDiscoveryResult *result)
{
  const char *address;
  EarPodcast *podcast;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);
  g_return_val_if_fail (EAR_IS_DISCOVERY_RESULT (result), NULL);

  address = ear_discovery_result_get_address (result);
  podcast = ear_library_find_podcast (self, address);
  if (podcast != NULL && ear_discovery_result_get_secure (result) &&
      ear_address_is_secure_twin (address, ear_podcast_get_feed_address (podcast)) && may_be (podcast, result))
    ear_library_set_podcast_address (self, podcast, address);

  return podcast;
}

/**
 * ear_library_preview:
 * @self: the library
 * @address: address of a feed: see [func@ear_address_clean]
 * @title: (nullable): what to call the podcast until its feed has come
 *
 * Begins to fetch a podcast that is only to be looked at. Its episodes can be listed, read
 * and played; it is in no list of the library. [method@EarLibrary.follow] with its address
 * makes it a followed one.
 *
 * Returns: (transfer none) (nullable): the podcast; %NULL if that is no web address
 */
EarPodcast *
ear_library_preview (EarLibrary *self, const char *address, const char *title)
{
  g_autofree char *clean = NULL;
  g_autofree char *plain = NULL;
  EarPodcast *podcast;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  clean = ear_address_clean (address);
  if (clean == NULL)
    return NULL;

  podcast = ear_library_find_podcast (self, clean);
  if (podcast != NULL)
    return podcast;
  plain = ear_keyring_take_login (self->keyring, NULL, clean);
  podcast = ear_catalogue_preview (self->catalogue, plain, title);
  if (podcast != NULL && !ear_podcast_get_followed (podcast))
    {
      /* What was heard of it before it was unfollowed */
      ear_state_store_load_podcast (self->state, ear_podcast_get_address (podcast));
      ear_refresher_refresh (self->refresher, podcast, EAR_REFRESH_ONE);
    }

  return podcast;
}

/**
 * ear_library_end_preview:
 * @self: the library
 * @podcast: what [method@EarLibrary.preview] gave
 *
 * Forgets a podcast that was only looked at, and the password that was typed for it: neither
 * followed by now, nor anything of it played.
 */
void
ear_library_end_preview (EarLibrary *self, EarPodcast *podcast)
{
  EarEpisode *episode;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  episode = ear_library_get_episode (self);
  if (self->catalogue == NULL || ear_podcast_get_followed (podcast) ||
      (episode != NULL && ear_episode_get_podcast (episode) == podcast))
    return;

  ear_refresher_cancel (self->refresher, podcast);
  /* What was typed to look at it goes with it. */
  if (ear_keyring_peek (self->keyring, ear_podcast_get_address (podcast), ear_podcast_get_feed_address (podcast)) != NULL)
    ear_keyring_forget (self->keyring, ear_podcast_get_address (podcast));
  ear_catalogue_end_preview (self->catalogue, podcast);
}

static void
key_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  EarEpisode *episode = ear_catalogue_find_key_finish (EAR_CATALOGUE (source), result, &error);

  if (error == NULL)
    g_task_return_pointer (task, episode, g_object_unref);
  else
    g_task_return_error (task, error);
}

/**
 * ear_library_find_episode_async:
 * @self: an open library
 * @key: what another program says is the key of an episode: see [method@EarEpisode.dup_key]
 * @cancellable: (nullable): a cancellable
 * @callback: called with the episode
 * @user_data: data of the caller
 *
 * Looks for an episode of a followed podcast by its key, on a thread of the catalogue.
 */
void
ear_library_find_episode_async (EarLibrary *self, const char *key, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (self->catalogue != NULL);
  g_return_if_fail (key != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_library_find_episode_async);
  ear_catalogue_find_key_async (self->catalogue, key, cancellable, key_found_cb, task);
}

/**
 * ear_library_find_episode_finish:
 * @self: the library
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the episode; %NULL without an error when nothing is
 *   called that
 */
EarEpisode *
ear_library_find_episode_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_library_find_episode_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
