/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-durable.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Writes that survive a power cut: sync the content first, then the name */

/* Distinguishes a full or read-only disk from other errors.
 * @what: the failed action, as text */
void
ear_durable_set_error (GError **error, int code, const char *what)
{
  const gboolean no_space = code == ENOSPC || code == EDQUOT || code == EROFS || code == EACCES ||
                            code == EPERM || code == EFBIG;

  g_set_error (error, EAR_ERROR, no_space ? EAR_ERROR_NO_SPACE : EAR_ERROR_FAILED, "%s: %s", what,
               g_strerror (code));
}

/* Some file systems cannot sync a folder, and need not. */
static gboolean
sync_folder (const char *path)
{
  g_autofd int dir = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (dir < 0)
    return errno == EACCES;

  return fsync (dir) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/* @path: a file or a folder
 * Returns: whether its content is on the disk; of a folder, the names in it */
gboolean
ear_durable_sync (const char *path, GError **error)
{
  const gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofd int file = is_folder ? -1 : open (path, O_RDWR | O_CLOEXEC);

  if (is_folder ? sync_folder (path) : file >= 0 && fsync (file) == 0)
    return TRUE;
  ear_durable_set_error (error, errno, "cannot write to the disk");

  return FALSE;
}

/* @from: a file whose content is on the disk
 * @to: its new name; a file with that name is replaced
 * Returns: whether the file has the new name, even after a power cut */
gboolean
ear_durable_rename (const char *from, const char *to, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (to);

  if (g_rename (from, to) != 0 || !sync_folder (folder))
    {
      ear_durable_set_error (error, errno, "cannot rename a file");
      return FALSE;
    }

  return TRUE;
}

/* Renames without ever replacing a file, also on file systems that cannot guarantee it
 * themselves.
 * Returns: whether it was renamed; otherwise `errno` is set */
gboolean
ear_durable_rename_new (const char *from, const char *to)
{
  struct stat info;

  if (renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
    return TRUE;
  if (errno != EINVAL && errno != ENOSYS)
    return FALSE;
  if (lstat (to, &info) == 0)
    {
      errno = EEXIST;
      return FALSE;
    }

  return g_rename (from, to) == 0;
}

/* @path: a file or a folder
 * Returns: free bytes on its disk; -1 if unknown */
gint64
ear_durable_get_room (const char *path)
{
  struct statvfs info;

  return statvfs (path, &info) == 0 ? (gint64) info.f_bavail * (gint64) info.f_frsize : -1;
}

/* Takes a lock without waiting. The system releases it when the process ends for any
 * reason. On file systems without locks, everyone gets it.
 * @path: a lock file, created if missing
 * Returns: a file descriptor to close, or -1 */
int
ear_durable_try_lock (const char *path, GError **error)
{
  g_autofd int lock = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (lock < 0)
    ear_durable_set_error (error, errno, "cannot write to the folder of the library");
  else if (flock (lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return g_steal_fd (&lock);
  else
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_BUSY, "somebody else has the library open");

  return -1;
}
