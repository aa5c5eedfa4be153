/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-part.h"

#include "ear-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct _EarDownloadPart
{
  char *path;
  int file;
};

/* Distinguishes a full or read-only disk from all other errors. */
static void
set_error (GError **error, int code, const char *what)
{
  const gboolean no_space = code == ENOSPC || code == EDQUOT || code == EROFS || code == EACCES || code == EPERM || code == EFBIG;

  g_set_error (error, EAR_ERROR, no_space ? EAR_ERROR_NO_SPACE : EAR_ERROR_FAILED, "%s: %s", what, g_strerror (code));
}

/* Opens the file, or creates it. It must be a regular file: symbolic links and pipes are
 * rejected.
 * @path: the path of the file; its folder must exist
 * Returns: (transfer full) (nullable): the file */
EarDownloadPart *
ear_download_part_open (const char *path, GError **error)
{
  g_autoptr (EarDownloadPart) self = NULL;
  struct stat info;
  int file = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);

  if (file < 0)
    {
      set_error (error, errno, "cannot write a file for a download");
      return NULL;
    }

  self = g_new0 (EarDownloadPart, 1);
  self->path = g_strdup (path);
  self->file = file;
  if (fstat (file, &info) != 0 || !S_ISREG (info.st_mode))
    {
      set_error (error, EINVAL, "what is there in the place of a download is no file");
      return NULL;
    }

  return g_steal_pointer (&self);
}

void
ear_download_part_close (EarDownloadPart *self)
{
  close (self->file);
  g_free (self->path);
  g_free (self);
}

/* Returns: the size of the file in bytes */
gint64
ear_download_part_get_size (EarDownloadPart *self)
{
  struct stat info;

  return fstat (self->file, &info) == 0 ? (gint64) info.st_size : 0;
}

/* @reserve: bytes that must remain free
 * Returns: whether the disk has enough space; also %TRUE if that is unknown */
gboolean
ear_download_part_has_room (EarDownloadPart *self, gint64 bytes, gint64 reserve, GError **error)
{
  struct statvfs info;

  if (fstatvfs (self->file, &info) != 0 || info.f_blocks == 0 ||
      (gint64) info.f_bavail * (gint64) info.f_frsize - bytes >= reserve)
    return TRUE;
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NO_SPACE, "a download would fill the disk");

  return FALSE;
}

/* Truncates the file and syncs it to disk: after a power cut, old content must not be
 * found next to facts about new content. */
gboolean
ear_download_part_empty (EarDownloadPart *self, GError **error)
{
  if (ear_download_part_get_size (self) == 0 || (ftruncate (self->file, 0) == 0 && fsync (self->file) == 0))
    return TRUE;
  set_error (error, errno, "cannot empty the file of a download");

  return FALSE;
}

/* @data: (array length=length): the expected bytes */
gboolean
ear_download_part_matches (EarDownloadPart *self, gint64 position, const guint8 *data, gsize length)
{
  guint8 buffer[4096];

  while (length > 0)
    {
      const gssize got = pread (self->file, buffer, MIN (length, sizeof buffer), position);

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0 || memcmp (buffer, data, got) != 0)
        return FALSE;
      position += got;
      data += got;
      length -= got;
    }

  return TRUE;
}

/* @data: (array length=length): the bytes to write */
gboolean
ear_download_part_write (EarDownloadPart *self, gint64 position, const guint8 *data, gsize length, GError **error)
{
  while (length > 0)
    {
      const gssize put = pwrite (self->file, data, length, position);

      if (put < 0 && errno == EINTR)
        continue;
      if (put < 0)
        {
          set_error (error, errno, "cannot write a download");
          return FALSE;
        }
      position += put;
      data += put;
      length -= put;
    }

  return TRUE;
}

gboolean
ear_download_part_sync (EarDownloadPart *self, GError **error)
{
  struct stat info;

  if (fsync (self->file) != 0)
    {
      set_error (error, errno, "cannot write a download to the disk");
      return FALSE;
    }
  if (fstat (self->file, &info) == 0 && info.st_nlink == 0)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_INCOMPLETE, "the file of a download was removed");
      return FALSE;
    }

  return TRUE;
}

/* Deletes the file, which stays open. */
void
ear_download_part_remove (EarDownloadPart *self)
{
  g_unlink (self->path);
}
