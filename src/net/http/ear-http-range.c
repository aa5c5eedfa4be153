/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-range.h"

/* Range requests (RFC 9110, section 14): conditions for the rest of a body, and checks of
 * the response. */

/* A weak tag is the same for bodies with different bytes; a tag without quotes is
 * invalid. */
static gboolean
is_strong (const char *etag)
{
  const gsize length = strlen (etag);

  return length >= 2 && etag[0] == '"' && etag[length - 1] == '"' && strpbrk (etag, "\r\n") == NULL;
}

static gboolean
is_date (const char *last_modified)
{
  g_autoptr (GDateTime) date = soup_date_time_new_from_http_string (last_modified);

  return date != NULL && strpbrk (last_modified, "\r\n") == NULL;
}

/* Finds the validator that makes sure that the rest of a body belongs to the part
 * received before (RFC 9110, section 13.1.5).
 * @etag: (nullable): the entity tag of the body
 * @last_modified: (nullable): the Last-Modified header of the body
 * Returns: (transfer none) (nullable): the value for If-Range: one of the two */
const char *
ear_http_range_find_condition (const char *etag, const char *last_modified)
{
  if (etag != NULL && is_strong (etag))
    return etag;
  if (last_modified != NULL && is_date (last_modified))
    return last_modified;

  return NULL;
}

/* @first_byte: (out): the offset of the body in the whole
 * @total: (out): the size of the whole; -1 if unknown
 * Returns: whether the headers describe a single range */
gboolean
ear_http_range_read (SoupMessageHeaders *headers, gint64 *first_byte, gint64 *total)
{
  goffset first = -1, last = -1, length = -1;
  const char *type = soup_message_headers_get_content_type (headers, NULL);

  *first_byte = 0;
  *total = -1;
  if (type != NULL && g_ascii_strncasecmp (type, "multipart/", strlen ("multipart/")) == 0)
    return FALSE;
  if (!soup_message_headers_get_content_range (headers, &first, &last, &length) ||
      first < 0 || last < first || (length != -1 && length <= last))
    return FALSE;

  *first_byte = first;
  *total = length;

  return TRUE;
}

/* A server that does not repeat the validator has evaluated If-Range. */
static gboolean
is_same (SoupMessageHeaders *headers, const char *condition)
{
  const char *said = soup_message_headers_get_one (headers, *condition == '"' ? "ETag" : "Last-Modified");

  return said == NULL || g_str_equal (said, condition);
}

/* @condition: (nullable): the value of If-Range
 * Returns: whether the body is the requested range: unencoded, from @first_byte on, of
 *   the same whole */
gboolean
ear_http_range_fits (SoupMessageHeaders *headers, gint64 first_byte, const char *condition)
{
  gint64 first, total;

  if (!ear_http_range_read (headers, &first, &total) || first != first_byte)
    return FALSE;
  if (condition == NULL)
    return TRUE;

  return soup_message_headers_get_one (headers, "Content-Encoding") == NULL && is_same (headers, condition);
}
