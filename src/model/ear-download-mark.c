/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-mark.h"

/**
 * ear_download_mark_new:
 * @podcast: row id of a podcast
 * @guid: identity of an episode within it
 * @kind: whether its media is wanted, or downloaded
 * @place: its order among the wanted ones
 *
 * Returns: (transfer full): a download mark
 */
EarDownloadMark *
ear_download_mark_new (gint64 podcast, const char *guid, EarDownloadKind kind, gint64 place)
{
  EarDownloadMark *self = g_new0 (EarDownloadMark, 1);

  self->podcast = podcast;
  self->guid = g_strdup (guid);
  self->kind = kind;
  self->place = kind == EAR_DOWNLOAD_KIND_WANTED ? place : 0;

  return self;
}

GPtrArray *
ear_download_mark_new_array (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ear_download_mark_free);
}

EarDownloadMark *
ear_download_mark_copy (const EarDownloadMark *self)
{
  return ear_download_mark_new (self->podcast, self->guid, self->kind, self->place);
}

void
ear_download_mark_free (EarDownloadMark *self)
{
  g_free (self->guid);
  g_free (self);
}

guint
ear_download_mark_hash (gconstpointer mark)
{
  const EarDownloadMark *self = mark;

  return g_str_hash (self->guid) ^ g_int64_hash (&self->podcast);
}

gboolean
ear_download_mark_equal (gconstpointer a, gconstpointer b)
{
  const EarDownloadMark *first = a;
  const EarDownloadMark *second = b;

  return first->podcast == second->podcast && g_str_equal (first->guid, second->guid);
}
