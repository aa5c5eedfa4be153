/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-range.h"

/* A body that goes on where an earlier one stopped (RFC 9110, section 14): what is asked for, and whether the
 * answer is that. */

/* A weak one is the same for bodies that differ in their bytes; without quotes it is none. */
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

/* Finds what a later body of the same address can be held against, by which a rest is known to belong to
 * what there is of this one (RFC 9110, section 13.1.5).
 * @etag: (nullable): the entity tag of a body
 * @last_modified: (nullable): when it was changed last, as its server said
 * Returns: (transfer none) (nullable): the value of If-Range, one of the two */
const char *
ear_http_range_find_condition (const char *etag, const char *last_modified)
{
  if (etag != NULL && is_strong (etag))
    return etag;
  if (last_modified != NULL && is_date (last_modified))
    return last_modified;

  return NULL;
}

/* @first_byte: (out): where in the whole its body begins
 * @total: (out): how long the whole is; -1 if that was not said
 * Returns: whether they say which part it is; not where it is several parts */
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

/* Where the server says nothing about it, it has looked at If-Range. */
static gboolean
is_same (SoupMessageHeaders *headers, const char *condition)
{
  const char *said = soup_message_headers_get_one (headers, *condition == '"' ? "ETag" : "Last-Modified");

  return said == NULL || g_str_equal (said, condition);
}

/* @condition: (nullable): what If-Range said
 * Returns: whether its body is what was asked for: bytes from there on, as they are, of the same whole */
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
