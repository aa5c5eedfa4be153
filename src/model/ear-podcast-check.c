/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-private.h"

#include "ear-address.h"
#include "ear-error.h"

/*
 * What checking the feed of a podcast has brought: when, from where, and why not.
 */

/**
 * ear_podcast_get_feed_address:
 * @self: the podcast
 *
 * Returns: (transfer none) (nullable): the value of [property@EarPodcast:feed-address]
 */
const char *
ear_podcast_get_feed_address (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  /* Until the first answer has come there is only the address that was followed. */
  return self->feed_address != NULL ? self->feed_address : self->address;
}

/**
 * ear_podcast_set_feed_address:
 * @self: the podcast
 * @feed_address: (nullable): the new value
 *
 * Sets [property@EarPodcast:feed-address].
 */
void
ear_podcast_set_feed_address (EarPodcast *self, const char *feed_address)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  if (g_set_str (&self->feed_address, feed_address))
    g_object_notify (G_OBJECT (self), "feed-address");
}

/**
 * ear_podcast_set_has_namesake:
 * @self: the podcast
 * @has_namesake: the new value
 *
 * Sets [property@EarPodcast:has-namesake].
 */
void
ear_podcast_set_has_namesake (EarPodcast *self, gboolean has_namesake)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  if (self->has_namesake == has_namesake)
    return;

  self->has_namesake = has_namesake;
  g_object_notify (G_OBJECT (self), "has-namesake");
}

/**
 * ear_podcast_dup_distinction:
 * @self: the podcast
 *
 * Returns: (transfer full) (nullable): the host that its feed comes from, where another podcast has
 *   the same name
 */
char *
ear_podcast_dup_distinction (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return self->has_namesake ? ear_address_dup_host (ear_podcast_get_feed_address (self)) : NULL;
}

gint64
ear_podcast_get_checked (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), 0);

  return self->checked;
}

/**
 * ear_podcast_set_checked:
 * @self: the podcast
 * @checked: the new value
 *
 * Sets [property@EarPodcast:checked].
 */
void
ear_podcast_set_checked (EarPodcast *self, gint64 checked)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  if (self->checked == checked)
    return;

  self->checked = checked;
  g_object_notify (G_OBJECT (self), "checked");
}

gboolean
ear_podcast_get_refreshing (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return self->refreshing;
}

/**
 * ear_podcast_set_refreshing:
 * @self: the podcast
 * @refreshing: the new value
 *
 * Sets [property@EarPodcast:refreshing].
 */
void
ear_podcast_set_refreshing (EarPodcast *self, gboolean refreshing)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  refreshing = !!refreshing;
  if (self->refreshing == refreshing)
    return;

  self->refreshing = refreshing;
  g_object_notify (G_OBJECT (self), "refreshing");
}

/**
 * ear_podcast_get_error:
 * @self: the podcast
 *
 * Returns: (transfer none) (nullable): the value of [property@EarPodcast:error]
 */
const GError *
ear_podcast_get_error (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return self->error;
}

/**
 * ear_podcast_set_error:
 * @self: the podcast
 * @error: (nullable): the new value
 *
 * Sets [property@EarPodcast:error].
 */
void
ear_podcast_set_error (EarPodcast *self, const GError *error)
{
  gboolean ended, needs_password;

  g_return_if_fail (EAR_IS_PODCAST (self));

  if (self->error == error)
    return;

  ended = ear_podcast_get_ended (self);
  needs_password = ear_podcast_get_needs_password (self);
  g_clear_error (&self->error);
  self->error = error != NULL ? g_error_copy (error) : NULL;

  g_object_freeze_notify (G_OBJECT (self));
  g_object_notify (G_OBJECT (self), "error");
  if (ear_podcast_get_ended (self) != ended)
    g_object_notify (G_OBJECT (self), "ended");
  if (ear_podcast_get_needs_password (self) != needs_password)
    g_object_notify (G_OBJECT (self), "needs-password");
  g_object_thaw_notify (G_OBJECT (self));
}

gboolean
ear_podcast_get_ended (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return self->facts->complete || g_error_matches (self->error, EAR_ERROR, EAR_ERROR_GONE);
}

/**
 * ear_podcast_is_private:
 * @self: the podcast
 *
 * Whether its addresses let whoever knows them in, as members; see [func@ear_address_has_secret].
 *
 * Returns: %TRUE if they are not to be handed on without a question
 */
gboolean
ear_podcast_is_private (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return ear_address_has_secret (self->address) || ear_address_has_secret (self->feed_address);
}

gboolean
ear_podcast_get_needs_password (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return ear_error_wants_login (self->error);
}
