/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-tar.h"

#include <string.h>

/*
 * Archives in the ustar format (POSIX.1-1988), which every archive program opens: plain files
 * only, with names of up to 99 bytes. What is read may come from anywhere.
 */

#define BLOCK 512

typedef struct
{
  char name[100];
  char mode[8];
  char uid[8];
  char gid[8];
  char size[12];
  char modified[12];
  char checksum[8];
  char type;
  char link[100];
  char magic[6];
  char version[2];
  char user[32];
  char group[32];
  char major[8];
  char minor[8];
  char prefix[155];
  char padding[12];
} Header;

G_STATIC_ASSERT (sizeof (Header) == BLOCK);

static guint
sum (const Header *header)
{
  const guchar *bytes = (const guchar *) header;
  const gsize start = G_STRUCT_OFFSET (Header, checksum);
  guint total = 0;

  for (gsize i = 0; i < BLOCK; i++)
    total += i >= start && i < start + sizeof header->checksum ? ' ' : bytes[i];

  return total;
}

static gboolean
pad (GOutputStream *stream, gsize size, GError **error)
{
  static const char zeros[BLOCK];
  const gsize rest = size % BLOCK;

  return rest == 0 || g_output_stream_write_all (stream, zeros, BLOCK - rest, NULL, NULL, error);
}

/**
 * ear_tar_write:
 * @stream: an archive
 * @name: name of the file in it, at most 99 bytes
 * @content: its content
 * @modified: Unix seconds
 * @error: return location
 *
 * Adds a file.
 *
 * Returns: whether it was written
 */
gboolean
ear_tar_write (GOutputStream *stream, const char *name, GBytes *content, gint64 modified, GError **error)
{
  Header header = { .magic = "ustar", .version = { '0', '0' }, .type = '0' };
  gsize size;
  const void *data = g_bytes_get_data (content, &size);

  g_return_val_if_fail (strlen (name) < sizeof header.name, FALSE);

  g_strlcpy (header.name, name, sizeof header.name);
  g_strlcpy (header.mode, "0000600", sizeof header.mode);
  g_strlcpy (header.uid, "0000000", sizeof header.uid);
  g_strlcpy (header.gid, "0000000", sizeof header.gid);
  g_snprintf (header.size, sizeof header.size, "%011" G_GINT64_MODIFIER "o", (guint64) size);
  g_snprintf (header.modified, sizeof header.modified, "%011" G_GINT64_MODIFIER "o", (guint64) MAX (modified, 0));
  g_snprintf (header.checksum, sizeof header.checksum, "%06o", sum (&header));
  header.checksum[7] = ' ';

  return g_output_stream_write_all (stream, &header, sizeof header, NULL, NULL, error) &&
         (size == 0 || g_output_stream_write_all (stream, data, size, NULL, NULL, error)) && pad (stream, size, error);
}

/**
 * ear_tar_end:
 * @stream: an archive
 * @error: return location
 *
 * Returns: whether the mark of the end was written
 */
gboolean
ear_tar_end (GOutputStream *stream, GError **error)
{
  static const char zeros[2 * BLOCK];

  return g_output_stream_write_all (stream, zeros, sizeof zeros, NULL, NULL, error);
}

static gboolean
parse_octal (const char *field, gsize length, guint64 *number)
{
  gsize i = 0;

  *number = 0;
  while (i < length && field[i] == ' ')
    i++;
  for (; i < length && field[i] >= '0' && field[i] <= '7'; i++)
    *number = *number * 8 + (guint64) (field[i] - '0');

  return i == length || field[i] == '\0' || field[i] == ' ';
}

static gboolean
read_exactly (GInputStream *stream, void *buffer, gsize size, GError **error)
{
  gsize got;

  if (!g_input_stream_read_all (stream, buffer, size, &got, NULL, error))
    return FALSE;
  if (got == size)
    return TRUE;
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "The archive ends too early");

  return FALSE;
}

/* %FALSE without an error at the end. */
static gboolean
read_header (GInputStream *stream, gsize limit, Header *header, gsize *size, GError **error)
{
  static const Header end;
  guint64 checksum, number;

  if (!read_exactly (stream, header, sizeof *header, error))
    return FALSE;
  if (memcmp (header, &end, sizeof end) == 0)
    return FALSE;
  if (!parse_octal (header->checksum, sizeof header->checksum, &checksum) || checksum != sum (header) ||
      !parse_octal (header->size, sizeof header->size, &number))
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "It is no archive");
      return FALSE;
    }
  if (number > limit)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "A file in the archive is too large");
      return FALSE;
    }
  *size = number;

  return TRUE;
}

/**
 * ear_tar_read:
 * @stream: an archive
 * @limit: how many bytes a file in it may have
 * @left: (inout): how many bytes of the archive may still be read
 * @name: (out) (transfer full): name of the next file, without what folders it is in
 * @content: (out) (transfer full): its content
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Reads the next plain file; folders, links and extensions are passed over.
 *
 * Returns: %FALSE at the end, without an error
 */
gboolean
ear_tar_read (GInputStream *stream, gsize limit, gsize *left, char **name, GBytes **content, GError **error)
{
  while (TRUE)
    {
      g_autofree char *data = NULL;
      g_autofree char *full = NULL;
      Header header;
      gsize size;

      *name = NULL;
      *content = NULL;
      if (!read_header (stream, limit, &header, &size, error))
        return FALSE;
      /* What is passed over takes its time as well. */
      if (size / BLOCK + 2 > *left / BLOCK)
        {
          g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "The archive is too large");
          return FALSE;
        }
      *left -= (size / BLOCK + 2) * BLOCK;
      data = g_try_malloc ((size / BLOCK + 1) * BLOCK);
      if (data == NULL)
        {
          g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "There is no memory for the archive");
          return FALSE;
        }
      if (!read_exactly (stream, data, (size + BLOCK - 1) / BLOCK * BLOCK, error))
        return FALSE;
      if (header.type != '0' && header.type != '\0')
        continue;

      full = g_strndup (header.name, sizeof header.name);
      *name = g_path_get_basename (full);
      *content = g_bytes_new_take (g_steal_pointer (&data), size);
      return TRUE;
    }
}
