/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

/* Main thread: wanted and finished downloads. Their episodes' objects follow the data in
 * memory; the rows are a copy of it for the filters. */

static EarDownload
get_download (EarDownloadKind kind)
{
  switch (kind)
    {
    case EAR_DOWNLOAD_KIND_WANTED:
      return EAR_DOWNLOAD_WAITING;
    case EAR_DOWNLOAD_KIND_THERE:
      return EAR_DOWNLOAD_DONE;
    case EAR_DOWNLOAD_KIND_NONE:
    default:
      return EAR_DOWNLOAD_NONE;
    }
}

static gboolean
is_wanted (EarDownload download)
{
  return download == EAR_DOWNLOAD_WAITING || download == EAR_DOWNLOAD_RUNNING || download == EAR_DOWNLOAD_FAILED ||
         download == EAR_DOWNLOAD_PAUSED;
}

/* Sets the state of an episode's download. The code that fetches it sets its progress.
 * @stored: the row's state, used until ear_catalogue_set_downloads() was called */
void
ear_catalogue_apply_download (EarCatalogue *self, EarEpisode *episode, EarDownloadKind stored)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  const EarDownloadMark asked = { ear_podcast_get_id (podcast), (char *) ear_episode_get_guid (episode), 0 };
  const EarDownloadMark *mark;
  EarDownload download;

  if (self->downloads != NULL)
    {
      mark = g_hash_table_lookup (self->downloads, &asked);
      stored = mark != NULL ? mark->kind : EAR_DOWNLOAD_KIND_NONE;
    }
  download = get_download (stored);
  if (!is_wanted (download) || !is_wanted (ear_episode_get_download (episode)))
    ear_episode_set_download (episode, download, NULL);
}

static void
note (EarCatalogue *self, const EarDownloadMark *mark)
{
  if (mark->kind != EAR_DOWNLOAD_KIND_NONE)
    g_hash_table_add (self->downloads, ear_download_mark_copy (mark));
  else
    g_hash_table_remove (self->downloads, mark);
}

static const EarCatalogueOpKind downloads_kind = {
  .flags = EAR_OP_URGENT,
  .data_free = (GDestroyNotify) g_ptr_array_unref,
  .perform = ear_catalogue_tables_put_downloads,
  /* At start, usually nothing has changed: then the file need not be
   * opened for writing. */
  .is_needed = ear_catalogue_tables_needs_downloads,
};

/**
 * ear_catalogue_set_downloads:
 * @self: the catalogue
 * @marks: (element-type EarDownloadMark): episodes that are downloaded, wanted, or
 *   no longer either
 * @whole: whether no other episodes are downloaded or wanted
 *
 * Updates the episodes' objects at once, and stores the marks for the filters. An episode
 * that is not in the catalogue yet gets its state when it comes; its row only with the
 * next call that has it.
 */
void
ear_catalogue_set_downloads (EarCatalogue *self, GPtrArray *marks, gboolean whole)
{
  g_autoptr (GPtrArray) copies = ear_download_mark_new_array ();
  EarCatalogueOp *op;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (marks != NULL);

  if (self->closed || (marks->len == 0 && !whole))
    return;
  if (self->downloads == NULL)
    self->downloads = g_hash_table_new_full (ear_download_mark_hash, ear_download_mark_equal,
                                             (GDestroyNotify) ear_download_mark_free, NULL);
  if (whole)
    g_hash_table_remove_all (self->downloads);

  for (guint i = 0; i < marks->len; i++)
    {
      note (self, g_ptr_array_index (marks, i));
      g_ptr_array_add (copies, ear_download_mark_copy (g_ptr_array_index (marks, i)));
    }
  ear_catalogue_apply_downloads (self);
  op = ear_catalogue_op_new (&downloads_kind, 0, g_steal_pointer (&copies));
  op->value = whole;
  ear_catalogue_push (self, op);
}
