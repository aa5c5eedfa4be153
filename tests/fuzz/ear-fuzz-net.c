/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fuzz.h"

#include "ear-address.h"
#include "ear-cover-header.h"
#include "ear-cover-picture.h"
#include "ear-directory-service.h"
#include "ear-download-content.h"
#include "ear-http-failure.h"
#include "ear-http-range.h"
#include "ear-http-route.h"
#include "ear-text-decoder.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIDE 64

/* Larger pictures are not decoded here: that would be slow without new results. */
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

static void
check_range (SoupMessageHeaders *headers)
{
  const char *etag = soup_message_headers_get_one (headers, "ETag");
  const char *condition = ear_http_range_find_condition (etag, soup_message_headers_get_one (headers, "Last-Modified"));
  gint64 first, total;

  g_assert_true (condition == NULL || (*condition != '\0' && strpbrk (condition, "\r\n") == NULL));
  if (ear_http_range_read (headers, &first, &total))
    {
      g_assert_true (first >= 0 && (total == -1 || total > first));
      g_assert_true (ear_http_range_fits (headers, first, NULL));
      g_assert_false (ear_http_range_fits (headers, first + 1, NULL));
      ear_http_range_fits (headers, first, condition);
    }
  else
    {
      g_assert_false (ear_http_range_fits (headers, 0, NULL));
    }
}

static void
check_route (SoupMessageHeaders *headers, guint status)
{
  g_autoptr (EarHttpRoute) route = ear_http_route_new ("https://user:secret@example.org/a/b?c", NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *address = NULL;
  g_autofree char *authorization = NULL;
  const gboolean followed = ear_http_route_follow (route, status, soup_message_headers_get_one (headers, "Location"), &error);

  address = ear_http_route_dup_address (route);
  authorization = ear_http_route_dup_authorization (route);
  g_assert_true (followed == (error == NULL));
  g_assert_true (ear_address_is_web (address));
  g_assert_null (g_uri_get_userinfo (ear_http_route_get_uri (route)));
  /* The password is sent to one server only. */
  g_assert_true (authorization == NULL || strcmp (g_uri_get_host (ear_http_route_get_uri (route)), "example.org") == 0);
}

static void
check_playlist (const char *text)
{
  g_auto (GStrv) addresses = ear_playlist_parse (text, strlen (text), "https://example.org/a/b");

  for (guint i = 0; addresses[i] != NULL; i++)
    g_assert_true (ear_address_is_web (addresses[i]));
}

/* The head of a response, and its body */
void
ear_fuzz_headers (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  const char *body = strstr (text, "\r\n\r\n");
  SoupMessageHeaders *headers = soup_message_headers_new (SOUP_MESSAGE_HEADERS_RESPONSE);
  guint status = 0;

  /* Without the empty line, as libsoup passes it */
  if (soup_headers_parse_response (text, (int) (body != NULL ? (gsize) (body - text) + 2 : strlen (text)), headers, NULL, &status, NULL))
    {
      const char *type = soup_message_headers_get_one (headers, "Content-Type");
      const char *rest = body != NULL ? body + 4 : "";
      g_autoptr (GBytes) bytes = g_bytes_new (rest, strlen (rest));
      GString *decoded = ear_text_decode (bytes, type);
      const gint64 wait = ear_http_failure_parse_retry_after (soup_message_headers_get_one (headers, "Retry-After"));

      g_assert_true (g_utf8_validate_len (decoded->str, decoded->len, NULL));
      g_string_free (decoded, TRUE);
      ear_download_find_content ("https://example.org/a", type, (const guint8 *) rest, strlen (rest));
      check_playlist (rest);
      g_assert_true (wait >= 0 && wait <= 7 * 24 * 3600);
      check_range (headers);
      check_route (headers, status);
    }
  soup_message_headers_unref (headers);
}
