/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-item.h"

#include "ear-address.h"

/* @record: (transfer full): the stored record
 * Returns: (transfer full): a download that is done if it has a file, and waits or is
 * paused if not; a declined one has no state */
EarDownloadItem *
ear_download_item_new (EarDownloadRecord *record)
{
  EarDownloadItem *self = g_new0 (EarDownloadItem, 1);

  self->record = record;
  self->key = ear_download_record_dup_key (record);
  self->host = ear_address_dup_host (record->enclosure);
  if (record->file != NULL)
    self->state = EAR_DOWNLOAD_DONE;
  else if (!record->declined)
    self->state = record->paused ? EAR_DOWNLOAD_PAUSED : EAR_DOWNLOAD_WAITING;

  return self;
}

void
ear_download_item_free (EarDownloadItem *self)
{
  ear_download_record_free (self->record);
  g_free (self->key);
  g_free (self->host);
  g_clear_object (&self->episode);
  g_clear_pointer (&self->progress, ear_download_progress_unref);
  g_clear_object (&self->cancellable);
  g_clear_error (&self->error);
  g_clear_pointer (&self->removal, g_ptr_array_unref);
  g_free (self);
}

/* @record: (transfer full): the new record */
void
ear_download_item_set_record (EarDownloadItem *self, EarDownloadRecord *record)
{
  ear_download_record_free (self->record);
  self->record = record;
}

void
ear_download_item_set_enclosure (EarDownloadItem *self, const char *address)
{
  if (!g_set_str (&self->record->enclosure, address))
    return;
  g_free (self->host);
  self->host = ear_address_dup_host (address);
}

/* Sets the state, also on the episode if there is one. */
void
ear_download_item_set_state (EarDownloadItem *self, EarDownload state, const GError *error)
{
  self->state = state;
  if (error != self->error)
    {
      g_clear_error (&self->error);
      self->error = error != NULL ? g_error_copy (error) : NULL;
    }
  if (self->episode != NULL)
    ear_episode_set_download (self->episode, state, error);
}

EarDownloadKind
ear_download_item_get_kind (EarDownloadItem *self)
{
  if (self->removed || self->record->declined)
    return EAR_DOWNLOAD_KIND_NONE;

  return self->state == EAR_DOWNLOAD_DONE ? EAR_DOWNLOAD_KIND_THERE : EAR_DOWNLOAD_KIND_WANTED;
}

/* Updates the record in the list that Undo restores from: the download may have
 * progressed since it was removed. */
void
ear_download_item_notify_removal (EarDownloadItem *self)
{
  for (guint i = 0; self->removal != NULL && i < self->removal->len; i++)
    {
      EarDownloadRecord *old = g_ptr_array_index (self->removal, i);
      g_autofree char *key = ear_download_record_dup_key (old);

      if (!g_str_equal (key, self->key))
        continue;
      g_ptr_array_index (self->removal, i) = ear_download_record_copy (self->record);
      ear_download_record_free (old);
    }
}

/* Returns: whether the listener wants the download and its file is not complete */
gboolean
ear_download_item_is_pending (EarDownloadItem *self)
{
  return !self->removed && !self->record->declined && self->state != EAR_DOWNLOAD_DONE;
}

/* Returns: whether it runs or waits to run */
gboolean
ear_download_item_is_active (EarDownloadItem *self)
{
  return !self->removed && self->followed &&
         (self->state == EAR_DOWNLOAD_WAITING || self->state == EAR_DOWNLOAD_RUNNING);
}

/* Returns: the number of bytes left to fetch; 0 if the size is unknown */
gint64
ear_download_item_get_left (EarDownloadItem *self)
{
  EarEnclosure *enclosure =
      self->episode != NULL ? ear_episode_get_enclosure (self->episode) : NULL;
  gint64 received = self->received;
  gint64 total = 0;

  if (self->progress != NULL)
    ear_download_progress_get (self->progress, &received, &total);
  if (total <= 0)
    total = self->record->size > 0 || enclosure == NULL ? self->record->size : enclosure->size;

  return MAX (total - received, 0);
}

/* Sets the progress on the episode once the server has begun to send. */
void
ear_download_item_notify_progress (EarDownloadItem *self)
{
  gint64 received, total;

  if (self->episode == NULL || self->progress == NULL || self->removed ||
      self->state != EAR_DOWNLOAD_RUNNING)
    return;
  ear_download_progress_get (self->progress, &received, &total);
  if (total != 0)
    ear_episode_set_download_bytes (self->episode, received, MAX (total, -1));
}
