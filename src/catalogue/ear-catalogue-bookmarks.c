/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

/* Main thread: the listener's bookmarks, for searches. As with lists, the catalogue does
 * not store them: a search gets them with its query. */

/**
 * ear_catalogue_set_bookmarks:
 * @bookmarks: (element-type EarBookmarkText): all bookmarks; immutable from now on
 *
 * Makes searches find episodes by the texts of their bookmarks.
 */
void
ear_catalogue_set_bookmarks (EarCatalogue *self, GPtrArray *bookmarks)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (bookmarks != NULL);

  g_clear_pointer (&self->bookmarks, g_ptr_array_unref);
  self->bookmarks = bookmarks->len > 0 ? g_ptr_array_ref (bookmarks) : NULL;
  g_signal_emit_by_name (self, "bookmarks-changed");
}

/* Returns: (transfer full) (nullable) (element-type EarBookmarkText):
 * the episode's bookmarks */
GPtrArray *
ear_catalogue_list_bookmarks (EarCatalogue *self, EarEpisode *episode)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  const char *address = podcast != NULL ? ear_podcast_get_address (podcast) : NULL;
  const char *guid = ear_episode_get_guid (episode);
  GPtrArray *found = NULL;

  for (guint i = 0; self->bookmarks != NULL && i < self->bookmarks->len; i++)
    {
      const EarBookmarkText *bookmark = g_ptr_array_index (self->bookmarks, i);

      if (g_strcmp0 (bookmark->guid, guid) != 0 || g_strcmp0 (bookmark->address, address) != 0)
        continue;
      if (found == NULL)
        found = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_bookmark_text_free);
      g_ptr_array_add (found, ear_bookmark_text_new (bookmark->address, bookmark->guid, bookmark->time, bookmark->text));
    }

  return found;
}
