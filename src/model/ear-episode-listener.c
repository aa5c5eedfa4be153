/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-private.h"

/* The listener's marks of an episode, its playback, and its download */

EAR_DEFINE_GET (EarEpisode, ear_episode, gint64, duration)

/* Returns: the duration of its media; %EAR_DURATION_UNKNOWN if only the
 * feed's is known */
gint64
ear_episode_get_measured (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), EAR_DURATION_UNKNOWN);

  return self->duration != self->facts->duration ? self->duration : EAR_DURATION_UNKNOWN;
}

void
ear_episode_set_duration (EarEpisode *self, gint64 duration)
{
  g_return_if_fail (EAR_IS_EPISODE (self));

  ear_property_set_int64 (self, "duration", duration);
}

void
ear_episode_set_fresh (EarEpisode *self, gboolean fresh)
{
  g_return_if_fail (EAR_IS_EPISODE (self));

  ear_property_set_boolean (self, "fresh", fresh);
}

/* Returns: whether the episode is in New. The catalogue has the same condition in SQL. */
gboolean
ear_episode_is_new (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), FALSE);

  return self->fresh && !ear_episode_get_listened (self) && ear_episode_get_position (self) == 0 && !ear_episode_get_removed (self);
}

gint64
ear_episode_get_mark (EarEpisode *self, EarMark mark)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), 0);

  return self->marks[mark];
}

/**
 * ear_episode_set_mark:
 * @self: the episode
 * @mark: the mark
 * @value: the new value
 *
 * Sets the property with the mark's name.
 */
void
ear_episode_set_mark (EarEpisode *self, EarMark mark, gint64 value)
{
  g_return_if_fail (EAR_IS_EPISODE (self));

  ear_property_set_int64 (self, ear_mark_get_name (mark), ear_mark_get_kind (mark) == EAR_MARK_FLAG ? !!value : value);
}

gint64
ear_episode_get_position (EarEpisode *self)
{
  return ear_episode_get_mark (self, EAR_MARK_POSITION);
}

void
ear_episode_set_position (EarEpisode *self, gint64 position)
{
  ear_episode_set_mark (self, EAR_MARK_POSITION, position);
}

gboolean
ear_episode_get_listened (EarEpisode *self)
{
  return ear_episode_get_mark (self, EAR_MARK_LISTENED) != 0;
}

gboolean
ear_episode_get_liked (EarEpisode *self)
{
  return ear_episode_get_mark (self, EAR_MARK_LIKED) != 0;
}

gboolean
ear_episode_get_removed (EarEpisode *self)
{
  return ear_episode_get_mark (self, EAR_MARK_REMOVED) != 0;
}

EAR_DEFINE_GET (EarEpisode, ear_episode, EarPlayback, playback)

void
ear_episode_set_playback (EarEpisode *self, EarPlayback playback)
{
  g_return_if_fail (EAR_IS_EPISODE (self));

  ear_property_set_number (self, "playback", playback);
}

EAR_DEFINE_GET (EarEpisode, ear_episode, EarDownload, download)

/**
 * ear_episode_get_heard:
 * @self: an episode
 *
 * Returns: Unix microseconds of the last playback, 0 for never
 */
EAR_DEFINE_GET (EarEpisode, ear_episode, gint64, heard)

/**
 * ear_episode_set_heard:
 * @self: an episode
 * @heard: Unix microseconds
 *
 * Sets the time of the last playback. No signal: the position changes with
 * it, and notifies.
 */
void
ear_episode_set_heard (EarEpisode *self, gint64 heard)
{
  g_return_if_fail (EAR_IS_EPISODE (self));

  self->heard = heard;
}

/**
 * ear_episode_set_download:
 * @self: the episode
 * @download: the new value
 * @error: (nullable): the reason of a failure
 *
 * Sets [property@EarEpisode:download] and [property@EarEpisode:download-error]; resets
 * the progress of a download that starts.
 */
void
ear_episode_set_download (EarEpisode *self, EarDownload download, const GError *error)
{
  g_return_if_fail (EAR_IS_EPISODE (self));

  g_object_freeze_notify (G_OBJECT (self));
  if (self->download_error != NULL || error != NULL)
    {
      g_clear_error (&self->download_error);
      self->download_error = error != NULL ? g_error_copy (error) : NULL;
      g_object_notify (G_OBJECT (self), "download-error");
    }
  if (self->download != download)
    {
      self->download = download;
      ear_episode_set_download_bytes (self, 0, 0);
      g_object_notify (G_OBJECT (self), "download");
    }
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * ear_episode_has_download:
 * @self: an episode
 *
 * A failed or paused download does not count: requesting it again is another attempt.
 *
 * Returns: whether it is downloaded, or on its way
 */
gboolean
ear_episode_has_download (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), FALSE);

  return self->download != EAR_DOWNLOAD_NONE && self->download != EAR_DOWNLOAD_FAILED && self->download != EAR_DOWNLOAD_PAUSED;
}

double
ear_episode_get_download_progress (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), 0);

  if (self->download_total <= 0)
    return self->download_total < 0 ? -1 : 0;

  return CLAMP ((double) self->download_received / (double) self->download_total, 0, 1);
}

/**
 * ear_episode_set_download_bytes:
 * @self: the episode
 * @received: bytes received so far
 * @total: size in bytes, or -1 if the server does not report it
 *
 * Sets [property@EarEpisode:download-progress].
 */
void
ear_episode_set_download_bytes (EarEpisode *self, gint64 received, gint64 total)
{
  g_return_if_fail (EAR_IS_EPISODE (self));

  if (self->download_received == received && self->download_total == total)
    return;

  self->download_received = received;
  self->download_total = total;
  g_object_notify (G_OBJECT (self), "download-progress");
}

/**
 * ear_episode_get_download_received:
 * @self: an episode
 *
 * Returns: bytes received so far, during the download
 */
EAR_DEFINE_GET (EarEpisode, ear_episode, gint64, download_received)

/**
 * ear_episode_get_download_total:
 * @self: an episode
 *
 * Returns: size in bytes, during the download; -1 if the server does not report it, 0
 *   before the first bytes
 */
EAR_DEFINE_GET (EarEpisode, ear_episode, gint64, download_total)

EAR_DEFINE_GET (EarEpisode, ear_episode, const GError *, download_error)
