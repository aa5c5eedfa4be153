/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library: having episodes on this machine. */

#include "ear-library-private.h"

/**
 * ear_library_download:
 * @self: the library
 * @episode: an episode of a followed podcast
 *
 * Fetches the media of an episode to this machine, also again what could not be fetched before.
 * What is there already stays as it is.
 */
void
ear_library_download (EarLibrary *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));
}

/**
 * ear_library_remove_download:
 * @self: the library
 * @episode: an episode that is downloaded, or wanted
 *
 * Removes the file of an episode, or gives up fetching it. That can be taken back.
 */
void
ear_library_remove_download (EarLibrary *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));
}

/**
 * ear_library_remove_downloads:
 * @self: the library
 *
 * Removes the files of all episodes that are downloaded. That can be taken back.
 */
void
ear_library_remove_downloads (EarLibrary *self)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
}

/**
 * ear_library_dup_download_path:
 * @self: the library
 * @episode: an episode
 *
 * Returns: (transfer full) (nullable): where its file is, if it is downloaded
 */
char *
ear_library_dup_download_path (EarLibrary *self, EarEpisode *episode)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);
  g_return_val_if_fail (EAR_IS_EPISODE (episode), NULL);

  return NULL;
}
