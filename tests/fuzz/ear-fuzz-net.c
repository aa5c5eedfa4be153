/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fuzz.h"

#include "ear-address.h"
#include "ear-cover-header.h"
#include "ear-cover-picture.h"
#include "ear-directory-service.h"

#include <glib/gstdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIDE 64

/* Larger pictures are decoded as well, which tells nothing more and takes its time. */
#define MOST_PIXELS (4 * 1000 * 1000)

static int
open_bytes (const guint8 *data, gsize length)
{
  int fd = memfd_create ("cover", MFD_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, data, length), ==, length);

  return fd;
}

void
ear_fuzz_cover (const guint8 *data, gsize length)
{
  g_autofd int fd = open_bytes (data, length);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) picture = NULL;
  g_autoptr (GBytes) encoded = NULL;
  EarCoverHeader header;

  if (!ear_cover_header_read (data, length, &header, NULL) || (gint64) header.width * header.height > MOST_PIXELS)
    return;
  picture = ear_cover_picture_decode (fd, SIDE, NULL, &error);
  g_assert_true ((picture == NULL) == (error != NULL));
  if (picture == NULL)
    return;
  g_assert_cmpint (gdk_pixbuf_get_width (picture), <=, SIDE);
  g_assert_cmpint (gdk_pixbuf_get_height (picture), <=, SIDE);
  encoded = ear_cover_picture_encode (picture, &error);
  g_assert_no_error (error);
}

static void
read_answer (const EarDirectoryService *service, JsonNode *root, EarDirectoryQuestion question)
{
  g_autofree char *ids = NULL;
  g_autoptr (GPtrArray) entries = service->read (root, question, &ids);

  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      EarDirectoryEntry *entry = g_ptr_array_index (entries, i);

      g_assert_true (entry->address == NULL || ear_address_is_web (entry->address));
      g_assert_true (g_utf8_validate (entry->title, -1, NULL));
    }
}

void
ear_fuzz_directory (const guint8 *data, gsize length)
{
  g_autoptr (JsonNode) root = ear_directory_json_parse ((const char *) data, length, NULL);

  if (root == NULL)
    return;
  for (int question = EAR_DIRECTORY_WORDS; question <= EAR_DIRECTORY_ID; question++)
    {
      read_answer (&ear_directory_itunes, root, question);
      read_answer (&ear_directory_fyyd, root, question);
    }
}
