/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-reply.h"

#include "ear-test-directories.h"
#include "ear-test-made.h"
#include "ear-test-wrappers.h"

#include <string.h>

static SoupMessageHeaders *
response_headers (const EarTestExchange *exchange)
{
  return soup_server_message_get_response_headers (exchange->message);
}

static const char *
request_header (const EarTestExchange *exchange,
                const char            *name)
{
  return soup_message_headers_get_one (soup_server_message_get_request_headers (exchange->message), name);
}

/* Returns the address that the client used, so that addresses in a body keep
 * the requested host. */
static char *
find_origin (const EarTestExchange *exchange)
{
  const char *host = request_header (exchange, "Host");
  const char *scheme = exchange->tls ? "https" : "http";

  if (host != NULL && *host != '\0' && strspn (host, "abcdefghijklmnopqrstuvwxyz0123456789.:-[]") == strlen (host))
    return g_strdup_printf ("%s://%s", scheme, host);

  return g_strdup_printf ("%s://%s:%u", scheme, exchange->host, exchange->tls ? exchange->tls_port : exchange->port);
}

static gboolean
accepts_gzip (const EarTestExchange *exchange)
{
  const char *header = soup_message_headers_get_list (soup_server_message_get_request_headers (exchange->message),
                                                      "Accept-Encoding");
  GSList *accepted;
  gboolean found = FALSE;

  if (header == NULL)
    return FALSE;

  accepted = soup_header_parse_quality_list (header, NULL);
  for (GSList *l = accepted; l != NULL; l = l->next)
    found = found || g_ascii_strcasecmp (l->data, "gzip") == 0;
  soup_header_free_list (accepted);

  return found;
}

/* RFC 9110, 8.8.3: each representation has a strong tag of its own. */
static char *
make_gzip_etag (const char *etag)
{
  return g_strdup_printf ("%.*s-gzip\"", (int) strlen (etag) - 1, etag);
}

/* RFC 9110, 13.1.2: weak comparison; If-Modified-Since applies only without it. */
static gboolean
matches_etag (const char  *header,
              EarTestFile *file)
{
  g_autofree char *gzip_etag = make_gzip_etag (file->etag);
  GSList *tags = soup_header_parse_list (header);
  gboolean found = FALSE;

  for (GSList *l = tags; l != NULL; l = l->next)
    {
      const char *tag = l->data;

      if (g_str_has_prefix (tag, "W/"))
        tag += 2;
      found = found || g_str_equal (tag, "*") || g_str_equal (tag, file->etag) || g_str_equal (tag, gzip_etag);
    }
  soup_header_free_list (tags);

  return found;
}

static gboolean
is_unmodified (EarTestReply          *self,
               const EarTestExchange *exchange,
               EarTestFile           *file)
{
  const char *none_match = request_header (exchange, "If-None-Match");
  const char *since = request_header (exchange, "If-Modified-Since");
  g_autoptr (GDateTime) date = NULL;

  if (none_match != NULL)
    return !self->no_etag && matches_etag (none_match, file);
  if (since == NULL || self->no_date)
    return FALSE;

  date = soup_date_time_new_from_http_string (since);
  return date != NULL && g_date_time_compare (file->modified, date) <= 0;
}

/* Supports a single byte range; several ranges, or invalid ones, get the whole file. */
static gboolean
parse_range (const char *header,
             guint64     size,
             guint64    *first,
             guint64    *last)
{
  const char *p = header + strlen ("bytes=");
  char *end;

  if (!g_str_has_prefix (header, "bytes=") || strchr (p, ',') != NULL)
    return FALSE;

  if (*p == '-')
    {
      guint64 count = g_ascii_strtoull (p + 1, &end, 10);

      if (end == p + 1 || *end != '\0')
        return FALSE;
      *first = count == 0 ? size : size - MIN (count, size);
      *last = size == 0 ? 0 : size - 1;
      return TRUE;
    }

  *first = g_ascii_strtoull (p, &end, 10);
  if (end == p || *end != '-')
    return FALSE;
  p = end + 1;
  *last = *p == '\0' ? G_MAXUINT64 : g_ascii_strtoull (p, &end, 10);
  if ((*p != '\0' && *end != '\0') || *last < *first)
    return FALSE;
  *last = MIN (*last, size == 0 ? 0 : size - 1);

  return TRUE;
}

/* RFC 9110, 13.1.5: strong comparison, or exactly the date. */
static gboolean
is_range_current (EarTestReply          *self,
                  const EarTestExchange *exchange,
                  EarTestFile           *file)
{
  const char *condition = request_header (exchange, "If-Range");
  g_autoptr (GDateTime) date = NULL;

  if (condition == NULL)
    return TRUE;
  if (*condition == '"')
    return !self->no_etag && g_str_equal (condition, file->etag);

  date = soup_date_time_new_from_http_string (condition);
  return date != NULL && !self->no_date && g_date_time_equal (date, file->modified);
}

static void
take_range (EarTestReply          *self,
            const EarTestExchange *exchange,
            EarTestFile           *file)
{
  const char *header = request_header (exchange, "Range");
  guint64 size = g_bytes_get_size (file->bytes);
  guint64 first, last;
  g_autoptr (GBytes) part = NULL;

  if (header == NULL || !parse_range (header, size, &first, &last) || !is_range_current (self, exchange, file))
    return;

  if (first >= size)
    {
      g_autofree char *range = g_strdup_printf ("bytes */%" G_GUINT64_FORMAT, size);

      ear_test_reply_set_text (self, exchange, SOUP_STATUS_REQUESTED_RANGE_NOT_SATISFIABLE, "No such bytes here.\n");
      soup_message_headers_replace (response_headers (exchange), "Content-Range", range);
      return;
    }

  part = g_bytes_new_from_bytes (file->bytes, first - MIN (first, self->range_error), last - first + 1);
  g_clear_pointer (&self->body, g_bytes_unref);
  self->body = g_steal_pointer (&part);
  self->status = SOUP_STATUS_PARTIAL_CONTENT;
  soup_message_headers_set_content_range (response_headers (exchange), first, last, size);
}

static void
set_validators (EarTestReply          *self,
                const EarTestExchange *exchange,
                EarTestFile           *file,
                gboolean               gzip)
{
  SoupMessageHeaders *headers = response_headers (exchange);
  g_autofree char *date = soup_date_time_to_string (file->modified, SOUP_DATE_HTTP);
  g_autofree char *etag = gzip ? make_gzip_etag (file->etag) : g_strdup (file->etag);

  if (!self->no_etag)
    soup_message_headers_replace (headers, "ETag", etag);
  if (!self->no_date)
    soup_message_headers_replace (headers, "Last-Modified", date);
  if (ear_test_file_is_text (file))
    soup_message_headers_replace (headers, "Vary", "Accept-Encoding");
}

static void
serve_file (EarTestReply          *self,
            const EarTestExchange *exchange,
            EarTestFile           *file)
{
  SoupMessageHeaders *headers = response_headers (exchange);
  gboolean ranges = !self->no_ranges && !self->chunked && !self->force_gzip && !self->encoded;
  gboolean asked_range = ranges && request_header (exchange, "Range") != NULL;
  gboolean gzip = self->force_gzip ||
                  (!self->encoded && !asked_range && ear_test_file_is_text (file) && accepts_gzip (exchange));

  set_validators (self, exchange, file, gzip);
  if (is_unmodified (self, exchange, file))
    {
      self->status = SOUP_STATUS_NOT_MODIFIED;
      return;
    }

  self->status = SOUP_STATUS_OK;
  if (file->type[0] != '\0')
    soup_message_headers_replace (headers, "Content-Type", file->type);
  if (gzip || self->encoded)
    soup_message_headers_replace (headers, "Content-Encoding", "gzip");
  soup_message_headers_replace (headers, "Accept-Ranges",
                                ranges || self->promises_ranges ? "bytes" : "none");
  self->body = g_bytes_ref (gzip ? ear_test_file_get_gzip (file) : file->bytes);
  if (ranges)
    take_range (self, exchange, file);
  else if (self->partial && request_header (exchange, "Range") != NULL)
    {
      const gsize size = g_bytes_get_size (self->body);

      self->status = SOUP_STATUS_PARTIAL_CONTENT;
      soup_message_headers_set_content_range (headers, 0, (goffset) size - 1, (goffset) size);
    }
}

static void
serve_endless (EarTestReply          *self,
               const EarTestExchange *exchange)
{
  self->status = SOUP_STATUS_OK;
  self->chunked = TRUE;
  soup_message_headers_replace (response_headers (exchange), "Content-Type", "application/rss+xml; charset=utf-8");
}

/* The stand-ins for directories also depend on the query. */
static EarTestFile *
find_in_directories (EarTestReply          *self,
                     const EarTestExchange *exchange,
                     const char            *path)
{
  const char *query = g_uri_get_query (soup_server_message_get_uri (exchange->message));
  g_autoptr (GDateTime) now = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const char *type = NULL;

  bytes = ear_test_directories_answer (path, query, self->origin, &type);
  if (bytes == NULL)
    return NULL;
  now = g_date_time_new_utc (2026, 3, 1, 6, 0, 0);

  return ear_test_file_new (bytes, type, now);
}

static void
serve_path (EarTestReply          *self,
            const EarTestExchange *exchange,
            const char            *escaped)
{
  g_autofree char *path = g_uri_unescape_string (escaped, NULL);
  g_autofree char *base = g_strconcat (self->origin, self->inside, NULL);
  g_autoptr (EarTestFile) file = NULL;

  if (self->endless)
    {
      serve_endless (self, exchange);
      return;
    }

  if (self->content != NULL)
    file = ear_test_file_ref (self->content);
  else if (path != NULL)
    file = ear_test_files_find (exchange->files, path, base);
  if (file == NULL && path != NULL)
    file = find_in_directories (self, exchange, path);

  if (file != NULL)
    serve_file (self, exchange, file);
  else
    ear_test_reply_set_text (self, exchange, SOUP_STATUS_NOT_FOUND, "There is nothing at this address.\n");
}

/**
 * ear_test_reply_new:
 * @exchange: the request
 *
 * Creates the response, and sets its headers on the message.
 *
 * Returns: (transfer full): the response
 */
EarTestReply *
ear_test_reply_new (const EarTestExchange *exchange)
{
  EarTestReply *self = g_new0 (EarTestReply, 1);
  const char *method = soup_server_message_get_method (exchange->message);
  g_autofree char *path = ear_test_files_dup_way (exchange->files, g_uri_get_path (soup_server_message_get_uri (exchange->message)));
  const char *rest = path;

  self->cut = -1;
  self->stall = -1;
  self->origin = find_origin (exchange);
  self->head_only = g_str_equal (method, "HEAD");

  if (!self->head_only && !g_str_equal (method, "GET"))
    {
      ear_test_reply_set_text (self, exchange, SOUP_STATUS_METHOD_NOT_ALLOWED, "Only GET and HEAD.\n");
      soup_message_headers_replace (response_headers (exchange), "Allow", "GET, HEAD");
    }
  else if (!ear_test_wrappers_apply (self, exchange, path, &rest))
    serve_path (self, exchange, rest);

  if (self->type != NULL && *self->type != '\0')
    soup_message_headers_replace (response_headers (exchange), "Content-Type", self->type);
  else if (self->type != NULL)
    soup_message_headers_remove (response_headers (exchange), "Content-Type");

  return self;
}

void
ear_test_reply_free (EarTestReply *self)
{
  g_clear_pointer (&self->body, g_bytes_unref);
  g_clear_pointer (&self->content, ear_test_file_unref);
  g_free (self->origin);
  g_free (self->type);
  g_free (self->inside);
  g_free (self);
}

/**
 * ear_test_reply_set_text:
 * @self: a response
 * @exchange: the request
 * @status: the status
 * @text: the body
 *
 * Replaces the response with plain text.
 */
void
ear_test_reply_set_text (EarTestReply          *self,
                         const EarTestExchange *exchange,
                         guint                  status,
                         const char            *text)
{
  SoupMessageHeaders *headers = response_headers (exchange);

  self->status = status;
  g_clear_pointer (&self->body, g_bytes_unref);
  self->body = g_bytes_new (text, strlen (text));
  soup_message_headers_replace (headers, "Content-Type", "text/plain; charset=utf-8");
  soup_message_headers_remove (headers, "ETag");
  soup_message_headers_remove (headers, "Last-Modified");
}

/**
 * ear_test_reply_get_phrase:
 * @status: an HTTP status
 *
 * Returns: its reason phrase
 */
const char *
ear_test_reply_get_phrase (guint status)
{
  return status == EAR_TEST_TOO_MANY_REQUESTS ? "Too Many Requests" : soup_status_get_phrase (status);
}

/**
 * ear_test_reply_is_raw:
 * @self: a response
 *
 * Returns: whether it breaks HTTP or is paced, so that SoupServer cannot send it
 */
gboolean
ear_test_reply_is_raw (const EarTestReply *self)
{
  return self->rate > 0 || self->cut >= 0 || self->stall >= 0 || self->length_error != 0 || self->endless ||
         self->mute || self->drop;
}
