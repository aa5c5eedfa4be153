/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-document-files.h"

#include "ear-address.h"
#include "ear-durable.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* Length of a hash from ear_address_hash() */
#define HASH_LENGTH 32

static gint64
now (void)
{
  return g_get_real_time () / G_USEC_PER_SEC;
}

/* Returns: (transfer full): the file name for the document of an episode at @address */
char *
ear_document_files_dup_name (const char *key, const char *address)
{
  g_autofree char *hash = ear_address_hash (address, NULL);

  return g_strconcat (key, "-", hash, NULL);
}

/* Returns: whether Earmark made the file. Other files in the folders are left alone. */
static gboolean
is_name (const char *name)
{
  return strlen (name) == 2 * HASH_LENGTH + 1 && name[HASH_LENGTH] == '-' &&
         strspn (name, "0123456789abcdef") == HASH_LENGTH &&
         strspn (name + HASH_LENGTH + 1, "0123456789abcdef") == HASH_LENGTH;
}

/* @age: (out): seconds since it was fetched */
static GBytes *
read_file (const char *folder, const char *name, gint64 *age)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GStatBuf info;
  char *text;
  gsize length;

  if (g_lstat (path, &info) != 0 || !S_ISREG (info.st_mode) || info.st_size > EAR_DOCUMENT_LIMIT ||
      !g_file_get_contents (path, &text, &length, NULL))
    return NULL;
  /* A file dated in the future, after the clock was set back, must not count as fresh for
   * years. */
  *age = ABS (now () - (gint64) info.st_mtime);

  return g_bytes_new_take (text, length);
}

/* The file may be lost in a power cut, as it can be fetched again, but must never be
 * incomplete. */
static gboolean
write_file (const char *folder, const char *name, GBytes *bytes, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      ear_durable_set_error (error, errno, folder);
      return FALSE;
    }

  return g_file_set_contents_full (path, text != NULL ? text : "", (gssize) length,
                                   G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

static void
remove_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_unlink (path);
}

/* Copies and deletes, as the folders may be on two disks. A file that cannot be moved
 * stays. */
static void
move_file (const char *from, const char *to, const char *name)
{
  gint64 age;
  g_autoptr (GBytes) bytes = read_file (from, name, &age);
  g_autoptr (GError) error = NULL;

  if (bytes == NULL || write_file (to, name, bytes, &error))
    remove_file (from, name);
  else
    g_info ("A document could not be moved: %s", error->message);
}

/* @keeping: whether the document belongs to a download from now on
 * @age: (out): seconds since it was fetched
 * Returns: (transfer full) (nullable): the document, if there is a file of it */
GBytes *
ear_document_files_read (const EarDocumentFolders *folders, const char *name, gboolean keeping,
                         gint64 *age)
{
  GBytes *bytes = read_file (folders->kept, name, age);

  if (bytes != NULL)
    return bytes;
  bytes = read_file (folders->cached, name, age);
  if (bytes != NULL && keeping)
    move_file (folders->cached, folders->kept, name);

  return bytes;
}

gboolean
ear_document_files_write (const EarDocumentFolders *folders, const char *name, gboolean keeping,
                          GBytes *bytes, GError **error)
{
  if (!write_file (keeping ? folders->kept : folders->cached, name, bytes, error))
    return FALSE;
  remove_file (keeping ? folders->cached : folders->kept, name);

  return TRUE;
}

void
ear_document_files_discard (const EarDocumentFolders *folders, const char *name)
{
  remove_file (folders->kept, name);
  remove_file (folders->cached, name);
}

/* Moves the kept documents of an episode to the cache.
 * @key: the episode's key */
void
ear_document_files_release (const EarDocumentFolders *folders, const char *key)
{
  g_autoptr (GDir) dir = g_dir_open (folders->kept, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_name (name) && g_str_has_prefix (name, key))
      move_file (folders->kept, folders->cached, name);
}

/* Moves the kept documents of all other episodes to the cache.
 * @keys: (element-type utf8 utf8): a set of episode keys */
void
ear_document_files_sweep (const EarDocumentFolders *folders, GHashTable *keys)
{
  g_autoptr (GDir) dir = g_dir_open (folders->kept, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *key = g_strndup (name, HASH_LENGTH);

      if (is_name (name) && !g_hash_table_contains (keys, key))
        move_file (folders->kept, folders->cached, name);
    }
}

/* Removes documents last fetched before @oldest from the cache. Documents in use are
 * fetched again from time to time.
 * @oldest: Unix seconds */
void
ear_document_files_prune (const EarDocumentFolders *folders, gint64 oldest)
{
  g_autoptr (GDir) dir = g_dir_open (folders->cached, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folders->cached, name, NULL);
      GStatBuf info;

      if (is_name (name) && g_lstat (path, &info) == 0 && info.st_mtime < oldest)
        g_unlink (path);
    }
}
