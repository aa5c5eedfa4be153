/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-files.h"

#include "ear-address.h"
#include "ear-cover-picture.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

/* JPEG, or PNG for covers with transparent parts */
static const char *const suffixes[] = { ".jpg", ".png" };

EAR_DEFINE_TEXTS_FREE (EarCoverFacts, ear_cover_facts_free, last_modified)

/**
 * ear_cover_size_get_pixels:
 * @size: a size
 *
 * Returns: the maximum width and height in pixels
 */
int
ear_cover_size_get_pixels (EarCoverSize size)
{
  return size == EAR_COVER_SMALL ? 128 : 512;
}

static char *
build_path (const char *directory, const char *address, const char *end)
{
  g_autofree char *hash = ear_address_hash (address, NULL);
  g_autofree char *name = g_strconcat (hash, end, NULL);

  return g_build_filename (directory, name, NULL);
}

static char *
build_image_path (const char *directory, const char *address, EarCoverSize size, const char *suffix)
{
  g_autofree char *end = g_strdup_printf ("-%d%s", ear_cover_size_get_pixels (size), suffix);

  return build_path (directory, address, end);
}

static gboolean
make_directory (const char *directory, GError **error)
{
  int code;

  if (g_mkdir_with_parents (directory, 0700) == 0)
    return TRUE;
  code = errno;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", directory, g_strerror (code));

  return FALSE;
}

/* Covers can be fetched again: they need not survive a power cut, but must not be
 * truncated. */
static gboolean
write_file (const char *path, const char *data, gsize length, GError **error)
{
  return g_file_set_contents_full (path, data, length, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/* Returns: (transfer full): the stored facts of the cover; empty if there are none, or
 *   the file is damaged */
EarCoverFacts *
ear_cover_files_load_facts (const char *directory, const char *address)
{
  EarCoverFacts *facts = g_new0 (EarCoverFacts, 1);
  g_autofree char *path = build_path (directory, address, ".json");
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root = json_parser_load_from_file (parser, path, NULL) ? json_parser_get_root (parser) : NULL;
  JsonObject *object;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return facts;

  object = json_node_get_object (root);
  facts->etag = g_strdup (json_object_get_string_member_with_default (object, "etag", NULL));
  facts->last_modified = g_strdup (json_object_get_string_member_with_default (object, "last-modified", NULL));
  facts->fetched = json_object_get_int_member_with_default (object, "fetched", 0);
  facts->failures = CLAMP (json_object_get_int_member_with_default (object, "failures", 0), 0, 1000);
  facts->retry = json_object_get_int_member_with_default (object, "retry", 0);

  return facts;
}

static void
set_string (JsonObject *object, const char *name, const char *value)
{
  if (value != NULL && g_utf8_validate (value, -1, NULL))
    json_object_set_string_member (object, name, value);
}

/* @directory: the folder of the cache; created if it is missing */
gboolean
ear_cover_files_save_facts (const char *directory, const char *address, const EarCoverFacts *facts, GError **error)
{
  g_autofree char *path = build_path (directory, address, ".json");
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();
  g_autofree char *text = NULL;

  json_node_take_object (root, object);
  json_object_set_int_member (object, "version", 1);
  set_string (object, "etag", facts->etag);
  set_string (object, "last-modified", facts->last_modified);
  json_object_set_int_member (object, "fetched", facts->fetched);
  json_object_set_int_member (object, "failures", facts->failures);
  json_object_set_int_member (object, "retry", facts->retry);
  text = json_to_string (root, FALSE);

  return make_directory (directory, error) && write_file (path, text, strlen (text), error);
}

/* Returns: (transfer full) (nullable): the picture, if the file exists and is complete */
EarImage *
ear_cover_files_load_image (const char *directory, const char *address, EarCoverSize size)
{
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *path = build_image_path (directory, address, size, suffixes[i]);
      g_autofd int fd = open (path, O_RDONLY | O_CLOEXEC);
      g_autoptr (GdkPixbuf) picture = NULL;

      if (fd >= 0)
        picture = ear_cover_picture_decode (fd, ear_cover_size_get_pixels (size), NULL, NULL);
      if (picture != NULL)
        return ear_cover_picture_to_image (picture);
    }

  return NULL;
}

static gboolean
save_size (const char *directory, const char *address, EarCoverSize size, GdkPixbuf *picture, GError **error)
{
  gboolean alpha = gdk_pixbuf_get_has_alpha (picture);
  g_autofree char *path = build_image_path (directory, address, size, suffixes[alpha ? 1 : 0]);
  g_autofree char *other = build_image_path (directory, address, size, suffixes[alpha ? 0 : 1]);
  g_autoptr (GBytes) bytes = ear_cover_picture_encode (picture, error);

  if (bytes == NULL || !write_file (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error))
    return FALSE;
  g_unlink (other);

  return TRUE;
}

/* Writes both sizes of a cover.
 * @directory: the folder of the cache; created if it is missing
 * @picture: the cover, in the larger size
 * @images: (out caller-allocates): both sizes, even if they could not be written */
void
ear_cover_files_save_picture (const char *directory, const char *address, GdkPixbuf *picture, EarImage **images, GError **error)
{
  gboolean well = make_directory (directory, error);

  for (guint i = 0; i < EAR_COVER_N_SIZES; i++)
    {
      g_autoptr (GdkPixbuf) scaled = ear_cover_picture_scale (picture, ear_cover_size_get_pixels (i));

      well = well && save_size (directory, address, i, scaled, error);
      images[i] = ear_cover_picture_to_image (scaled);
    }
}

/* Opens an unnamed file, which is gone once it is closed, even after a crash. If
 * @directory is not writable, the file is in another folder.
 * @directory: the folder of the cache; created if it is missing
 * Returns: a file descriptor, or -1 */
int
ear_cover_files_open_scratch (const char *directory, GError **error)
{
  g_autofree char *path = g_build_filename (directory, "XXXXXX.part", NULL);
  int fd = make_directory (directory, NULL) ? g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600) : -1;

  if (fd < 0)
    {
      g_clear_pointer (&path, g_free);
      fd = g_file_open_tmp (NULL, &path, error);
    }
  if (fd >= 0)
    g_unlink (path);

  return fd;
}

/* Endings of the cache's file names; other files in the folder are not touched. */
static const char *const ends[] = { ".json", "-128.jpg", "-128.png", "-512.jpg", "-512.png", NULL };

static gboolean
is_ours (const char *name)
{
  const gsize stem = strspn (name, "0123456789abcdef");

  return stem > 0 && g_strv_contains (ends, name + stem);
}

/* Deletes files written before @oldest: covers not shown for a long time. Covers in use
 * are revalidated every week, which writes their facts.
 * @oldest: Unix seconds */
guint
ear_cover_files_prune (const char *directory, gint64 oldest)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  guint removed = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      GStatBuf status;

      if (!g_str_has_suffix (name, ".json") || g_stat (path, &status) != 0 || status.st_mtime >= oldest)
        continue;
      path[strlen (path) - strlen (".json")] = '\0';
      for (gsize i = 0; ends[i] != NULL; i++)
        {
          g_autofree char *victim = g_strconcat (path, ends[i], NULL);

          g_unlink (victim);
        }
      removed++;
    }

  return removed;
}

/* @removing: whether to delete the files
 * Returns: the total size of the files in bytes */
gint64
ear_cover_files_sweep (const char *directory, gboolean removing)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  gint64 size = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      GStatBuf status;

      if (is_ours (name) && g_lstat (path, &status) == 0)
        size += status.st_size;
      if (is_ours (name) && removing)
        g_unlink (path);
    }

  return size;
}

/* Returns: (transfer full) (nullable): the path of the picture, if the file exists */
char *
ear_cover_files_dup_path (const char *directory, const char *address, EarCoverSize size)
{
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *path = build_image_path (directory, address, size, suffixes[i]);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }

  return NULL;
}
