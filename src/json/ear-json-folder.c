/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-json-folder.h"

#include "ear-durable.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of files, each of which is read and written whole. Writing renames a
 * complete, synced file over the old one, so that readers see the old or the new content
 * and never a part of it, even after a power cut. Writers take turns with an advisory
 * lock. A program that ignores the lock (a folder synchronizer) can cause a lost update,
 * but no torn file. */

#define SIZE_LIMIT (64 * 1024 * 1024)
#define LOCK_NAME ".lock"
#define LOCK_PATIENCE (10 * G_TIME_SPAN_SECOND)
#define LOCK_PAUSE (5 * G_TIME_SPAN_MILLISECOND)
#define TEMPORARY_PREFIX ".earmark-"
#define TEMPORARY_SUFFIX ".tmp"
#define TEMPORARY_AGE (24 * 60 * 60)

/* Waits for other instances, and locks them out. If another instance hangs, or the file
 * system has no locks, the wait ends after a while and the caller continues without the
 * lock.
 * Returns: a file descriptor to close, or -1 if the folder is not writable */
int
ear_json_folder_lock (EarJsonFolder *self, GError **error)
{
  g_autofree char *path = g_build_filename (self->path, LOCK_NAME, NULL);
  const gint64 end = g_get_monotonic_time () + LOCK_PATIENCE;
  const int lock = g_mkdir_with_parents (self->path, 0700) == 0
                       ? open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)
                       : -1;

  if (lock < 0)
    {
      ear_durable_set_error (error, errno, "cannot write to the folder of the listened state");
      return -1;
    }
  while (flock (lock, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR))
    {
      if (g_get_monotonic_time () > end)
        {
          g_debug ("somebody keeps the lock of the listened state; going on without it");
          break;
        }
      g_usleep (LOCK_PAUSE);
    }

  return lock;
}

static void
identify (const struct stat *info, EarJsonIdentity *identity)
{
  *identity = (EarJsonIdentity) {
    .device = info->st_dev,
    .inode = info->st_ino,
    .size = info->st_size,
    .modified = info->st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info->st_mtim.tv_nsec,
    .changed = info->st_ctim.tv_sec * G_GINT64_CONSTANT (1000000000) + info->st_ctim.tv_nsec,
  };
}

/* @identity: (out caller-allocates): the file's present identity, all zero if the file
 * is missing
 * Returns: %TRUE if the file exists */
gboolean
ear_json_folder_identify (EarJsonFolder *self, const char *name, EarJsonIdentity *identity)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  struct stat info;

  *identity = (EarJsonIdentity) { 0 };
  if (stat (path, &info) != 0)
    return FALSE;
  identify (&info, identity);

  return TRUE;
}

static gboolean
is_temporary (int code)
{
  return code == ENOMEM || code == EMFILE || code == ENFILE || code == EINTR || code == ENOTDIR;
}

/* Reads a whole file. Does not block on devices and pipes, and rejects files over 64 MB.
 * @identity: (out caller-allocates): identity of the content that was read, all zero if
 * the file is missing
 * @length: (out): bytes of the content
 * Returns: (transfer full) (nullable): the content, followed by a zero byte; %NULL without an
 * error if the file is missing, and with %EAR_ERROR_BUSY if a later attempt may succeed */
char *
ear_json_folder_read (EarJsonFolder *self, const char *name, EarJsonIdentity *identity,
                      gsize *length, GError **error)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  struct stat info;
  char *text;

  *identity = (EarJsonIdentity) { 0 };
  *length = 0;
  if (stat (path, &info) == 0)
    {
      if (!S_ISREG (info.st_mode) || info.st_size > SIZE_LIMIT)
        {
          g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED,
                               S_ISREG (info.st_mode) ? "too large" : "no file");
          return NULL;
        }
      /* If the file is replaced now, the identity is that of the old one, and it is read again. */
      identify (&info, identity);
      if (g_file_get_contents (path, &text, length, NULL))
        return text;
    }
  if (is_temporary (errno))
    g_set_error (error, EAR_ERROR, EAR_ERROR_BUSY, "cannot read a file of the listened state: %s",
                 g_strerror (errno));
  else if (errno != ENOENT)
    ear_durable_set_error (error, errno, "cannot read a file of the listened state");

  return NULL;
}

static gboolean
write_all (int file, const char *text, gsize length)
{
  for (gsize written = 0; written < length;)
    {
      const gssize put = write (file, text + written, length - written);

      if (put >= 0)
        written += put;
      else if (errno != EINTR)
        return FALSE;
    }

  return fsync (file) == 0;
}

/* Replaces a file atomically; the new content is on the disk on return. Rejects contents
 * over 64 MB.
 * Returns: %TRUE on success; otherwise the file is unchanged */
gboolean
ear_json_folder_write (EarJsonFolder *self, const char *name, const char *text, gsize length,
                       EarJsonIdentity *identity, GError **error)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  g_autofree char *temporary =
      g_build_filename (self->path, TEMPORARY_PREFIX "XXXXXX" TEMPORARY_SUFFIX, NULL);
  g_autofd int file = -1;
  struct stat info;

  /* ear_json_folder_read() would reject the file. */
  if (length > SIZE_LIMIT)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE,
                           "cannot write so much of the listened state");
      return FALSE;
    }
  file = g_mkstemp_full (temporary, O_RDWR | O_CLOEXEC, 0600);
  if (file < 0 || !write_all (file, text, length))
    ear_durable_set_error (error, errno, "cannot write the listened state");
  else if (ear_durable_rename (temporary, path, error))
    {
      /* Identify the open file: the name may already refer to another instance's file. */
      if (fstat (file, &info) == 0)
        identify (&info, identity);
      return TRUE;
    }
  if (file >= 0)
    unlink (temporary);

  return FALSE;
}

/* Replaces a file like ear_json_folder_write(), but only if ear_json_parse() can read
 * the new content.
 * Returns: %TRUE on success; otherwise the file is unchanged */
gboolean
ear_json_folder_write_json (EarJsonFolder *self, const char *name, JsonObject *root,
                            EarJsonIdentity *identity, GError **error)
{
  gsize length;
  g_autofree char *text = ear_json_print (root, &length);

  if (!ear_json_check (text, length, error))
    {
      g_prefix_error (error, "%s is not written: ", name);
      return FALSE;
    }

  return ear_json_folder_write (self, name, text, length, identity, error);
}

/* Moves a file, with its content unchanged, to a name that has the reason and the time.
 * @reason: "damaged" or "merged"
 * @keep: whether it keeps its own name as well, where the file system has hard links
 * Returns: (transfer full) (nullable): the new path */
char *
ear_json_folder_set_aside (EarJsonFolder *self, const char *name, const char *reason,
                           gboolean keep, GError **error)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);

  do
    {
      g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
      g_autofree char *stamp = g_date_time_format (now, "%Y%m%dT%H%M%S.%fZ");
      g_autofree char *to = g_strdup_printf ("%s.%s-%s", path, reason, stamp);

      if ((keep && link (path, to) == 0) ||
          ((!keep || errno != EEXIST) && ear_durable_rename_new (path, to)))
        return g_steal_pointer (&to);
    }
  while (errno == EEXIST);
  ear_durable_set_error (error, errno, "cannot set a damaged file aside");

  return NULL;
}

/* Sets a damaged file aside and writes a new one in its place. After a kill in between,
 * the damaged file has its own name as well.
 * Returns: (transfer full) (nullable): path of the damaged file; %NULL if writing
 * failed, and the file is unchanged */
char *
ear_json_folder_replace_damaged (EarJsonFolder *self, const char *name, JsonObject *root,
                                 EarJsonIdentity *identity, GError **error)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  g_autofree char *aside = ear_json_folder_set_aside (self, name, "damaged", TRUE, error);

  if (aside == NULL)
    return NULL;
  if (ear_json_folder_write_json (self, name, root, identity, error))
    return g_steal_pointer (&aside);
  /* rename() between two hard links of one file does nothing: remove the second name. */
  if (g_rename (aside, path) == 0)
    g_unlink (aside);

  return NULL;
}

/* When two machines change a file at once, folder synchronizers keep both versions, the
 * second one under another name: Syncthing as `name.sync-conflict-DATE-TIME-
 * DEVICE.json`, Nextcloud and Dropbox as `name (conflicted copy DATE).json` with or
 * without the name of the machine.
 * Returns: (transfer full) (nullable): the file's own name, if @name is such a copy */
char *
ear_json_folder_dup_original (const char *name)
{
  const char *mark;

  if (*name == '.' || !g_str_has_suffix (name, ".json"))
    return NULL;
  mark = strstr (name, ".sync-conflict-");
  if (mark == NULL && strstr (name, "conflicted copy") != NULL)
    mark = strstr (name, " (");
  if (mark == NULL || mark == name)
    return NULL;

  return g_strdup_printf ("%.*s.json", (int) (mark - name), name);
}

static void
remove_if_old (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  struct stat info;

  if (lstat (path, &info) == 0 && S_ISREG (info.st_mode) &&
      time (NULL) - info.st_mtime > TEMPORARY_AGE)
    unlink (path);
}

/* Cleans up after crashes and folder synchronizers: removes temporary files older than a
 * day, and finds the copies that ear_json_folder_dup_original() recognizes.
 * Returns: (transfer container) (element-type utf8): names of such copies */
GPtrArray *
ear_json_folder_scan (EarJsonFolder *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->path, 0, NULL);
  GPtrArray *copies = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *original = ear_json_folder_dup_original (name);

      if (original != NULL)
        g_ptr_array_add (copies, g_strdup (name));
      else if (g_str_has_prefix (name, TEMPORARY_PREFIX) &&
               g_str_has_suffix (name, TEMPORARY_SUFFIX))
        remove_if_old (self->path, name);
    }

  return copies;
}
