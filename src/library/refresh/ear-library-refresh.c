/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library: checking feeds. */

#include "ear-library-private.h"

/**
 * ear_library_refresh:
 * @self: the library
 * @podcast: a followed podcast
 *
 * Checks a podcast for new episodes.
 */
void
ear_library_refresh (EarLibrary *self, EarPodcast *podcast)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));

  if (self->refresher != NULL)
    ear_refresher_refresh (self->refresher, podcast, EAR_REFRESH_ONE);
}

/**
 * ear_library_refresh_all:
 * @self: the library
 *
 * Checks all podcasts for new episodes, but for those whose server has asked to be left
 * alone for now, or has said that there will never be any.
 */
void
ear_library_refresh_all (EarLibrary *self)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));

  if (self->refresher != NULL)
    ear_refresher_refresh_all (self->refresher, EAR_REFRESH_ALL);
}

/**
 * ear_library_stop_refresh:
 * @self: the library
 *
 * Gives up all checks that are going on. What has come is kept, and the rest is asked for
 * another time.
 */
void
ear_library_stop_refresh (EarLibrary *self)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));

  if (self->refresher == NULL || self->schedule == NULL)
    return;
  ear_refresh_schedule_hold (self->schedule);
  ear_refresher_cancel (self->refresher, NULL);
}
