/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-check.h"

EarFeedCheck *
ear_feed_check_copy (const EarFeedCheck *self)
{
  EarFeedCheck *copy = g_memdup2 (self, sizeof *self);

  copy->feed_address = g_strdup (self->feed_address);
  copy->etag = g_strdup (self->etag);
  copy->last_modified = g_strdup (self->last_modified);

  return copy;
}

void
ear_feed_check_free (EarFeedCheck *self)
{
  g_free (self->feed_address);
  g_free (self->etag);
  g_free (self->last_modified);
  g_free (self);
}
