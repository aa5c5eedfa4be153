/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscriptions-private.h"

#include "ear-address.h"
#include "ear-folder.h"

#include <glib/gi18n-lib.h>

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
  ear_subscriptions_keep (self, podcast, ear_podcast_get_feed_address (podcast), name, TRUE);
  ear_catalogue_set_folder (self->catalogue, podcast, name);
}

/* Follows a podcast. A login in the address is moved to the keyring. A podcast that is
 * followed with the login in its address stays as it is; one followed without it keeps a
 * login that its server accepts. */
static EarPodcast *
take_up (EarSubscriptions *self, const char *address, gboolean exactly, const char *title)
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
      ear_subscriptions_keep (self, podcast, ear_podcast_get_feed_address (podcast), NULL, TRUE);
      ear_subscriptions_take_folder (self, podcast,
                                     get_former_folder (self, ear_podcast_get_address (podcast)));
      ear_subscriptions_emit_followed (self, podcast);
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

  return clean != NULL ? take_up (self, clean, FALSE, title) : NULL;
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
    podcast = take_up (self, address, FALSE, title);
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
  return take_up (self, address, TRUE, title);
}

/* Unfollows a podcast without Undo. The listener's data of its episodes is kept. */
void
ear_subscriptions_drop (EarSubscriptions *self, EarPodcast *podcast)
{
  g_autoptr (EarPodcast) gone = g_object_ref (podcast);
  EarSubscription *former = ear_subscription_new (
      ear_podcast_get_address (podcast), ear_podcast_get_feed_address (podcast),
      ear_podcast_get_title (podcast), FALSE, g_get_real_time ());

  ear_subscriptions_keep (self, podcast, ear_podcast_get_feed_address (podcast), NULL, FALSE);
  former->folder = g_strdup (ear_podcast_get_folder (podcast));
  g_ptr_array_add (self->former, former);
  ear_catalogue_unfollow (self->catalogue, podcast);
  g_signal_emit_by_name (self, "unfollowed", gone);
}

static void
take_adding_back (gpointer owner, gpointer podcast)
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
  undo = ear_undo_new (message, take_adding_back, self, g_object_ref (podcast), g_object_unref);
  ear_notices_offer_undo (self->notices, undo);

  return podcast;
}

static void
take_unfollowing_back (gpointer owner, gpointer gone)
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
      ear_undo_new (message, take_unfollowing_back, self, g_object_ref (podcast), g_object_unref);
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
