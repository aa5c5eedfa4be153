/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-wrappers.h"

#include "ear-test-made.h"

#include <string.h>

/* A wrapper is the first segment of a path, `/~name` or `/~name=value`, and makes the
 * response to the rest of the path misbehave in one way. Wrappers apply from left to
 * right; one that responds itself (a status, a redirect) leaves those to its right to the
 * next request. README.md lists them. */

typedef struct
{
  /* Input, borrowed */
  EarTestReply *reply;
  const EarTestExchange *exchange;
  const char *path;  /* whole path */
  const char *value; /* unescaped, "" if not given */
  const char *rest;  /* wrapped path */

  /* Output */
  gboolean skip_all; /* skip the wrappers to the right this time */
} Wrapping;

/* Returns: whether the wrapper responded; otherwise the next one applies */
typedef gboolean (*Wrap) (Wrapping *self);

static void
set_header (Wrapping   *self,
            const char *name,
            const char *value)
{
  soup_message_headers_replace (soup_server_message_get_response_headers (self->exchange->message), name, value);
}

static const char *
request_header (Wrapping   *self,
                const char *name)
{
  return soup_message_headers_get_one (soup_server_message_get_request_headers (self->exchange->message), name);
}

static gint64
value_number (Wrapping *self,
              gint64    fallback)
{
  return *self->value != '\0' ? g_ascii_strtoll (self->value, NULL, 10) : fallback;
}

static gboolean
answer_status (Wrapping *self,
               guint     status)
{
  g_autofree char *text = g_strdup_printf ("%u %s\n", status, ear_test_reply_get_phrase (status));

  ear_test_reply_set_text (self->reply, self->exchange, status, text);
  return TRUE;
}

/* Counts visits of this wrapper in this path. */
static guint
count_visit (Wrapping *self,
             gint64   *first)
{
  g_autofree char *key = g_strdup_printf ("%s at %d", self->path, (int) (self->rest - self->path));

  return ear_test_log_count_visit (self->exchange->log, key, first);
}

static gboolean
wrap_times (Wrapping *self)
{
  self->skip_all = count_visit (self, NULL) > value_number (self, 1);
  return FALSE;
}

static gboolean
wrap_inside (Wrapping *self)
{
  g_auto (GStrv) names = g_strsplit (self->value, ",", -1);
  g_autoptr (GString) inside = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    if (names[i][0] != '\0')
      g_string_append_printf (inside, "/~%s", names[i]);
  g_set_str (&self->reply->inside, inside->str);

  return FALSE;
}

static gboolean
has_credentials (Wrapping *self, const char *credentials)
{
  g_autofree char *encoded = g_base64_encode ((const guchar *) credentials, strlen (credentials));
  const char *header = request_header (self, "Authorization");

  return header != NULL && g_ascii_strncasecmp (header, "Basic ", 6) == 0 && g_str_equal (header + 6, encoded);
}

static void
ask_for_login (Wrapping *self)
{
  set_header (self, "WWW-Authenticate", "Basic realm=\"Earmark's test server\", charset=\"UTF-8\"");
}

static gboolean
wrap_login (Wrapping *self)
{
  if (has_credentials (self, self->value))
    return FALSE;
  ask_for_login (self);

  return answer_status (self, SOUP_STATUS_UNAUTHORIZED);
}

static gboolean
wrap_status (Wrapping *self)
{
  guint status = CLAMP (value_number (self, 404), 200, 599);

  if (status == SOUP_STATUS_UNAUTHORIZED)
    {
      if (has_credentials (self, EAR_TEST_USER ":" EAR_TEST_PASSWORD))
        return FALSE;
      ask_for_login (self);
    }
  if (status == EAR_TEST_TOO_MANY_REQUESTS || status == SOUP_STATUS_SERVICE_UNAVAILABLE)
    set_header (self, "Retry-After", "60");

  return answer_status (self, status);
}

static gboolean
wrap_forbidden_agent (Wrapping *self)
{
  const char *agent = request_header (self, "User-Agent");
  const char *unwanted = *self->value != '\0' ? self->value : "earmark";
  g_autofree char *lower_agent = g_ascii_strdown (agent != NULL ? agent : "", -1);
  g_autofree char *lower_unwanted = g_ascii_strdown (unwanted, -1);

  return strstr (lower_agent, lower_unwanted) != NULL && answer_status (self, SOUP_STATUS_FORBIDDEN);
}

static gboolean
wrap_too_many (Wrapping *self)
{
  gint64 seconds = value_number (self, 2);
  g_autofree char *retry = g_strdup_printf ("%" G_GINT64_FORMAT, seconds);
  gint64 first;
  guint visits = count_visit (self, &first);

  if (visits > 1 && g_get_monotonic_time () - first >= seconds * G_USEC_PER_SEC)
    return FALSE;

  set_header (self, "Retry-After", retry);
  return answer_status (self, EAR_TEST_TOO_MANY_REQUESTS);
}

static gboolean
wrap_error_then (Wrapping *self)
{
  return count_visit (self, NULL) <= value_number (self, 1) &&
         answer_status (self, SOUP_STATUS_INTERNAL_SERVER_ERROR);
}

static gboolean
answer_redirect (Wrapping   *self,
                 guint       status,
                 const char *origin,
                 const char *path)
{
  const char *query = g_uri_get_query (soup_server_message_get_uri (self->exchange->message));
  g_autofree char *location = g_strconcat (origin, path, query != NULL ? "?" : NULL, query, NULL);

  answer_status (self, status);
  set_header (self, "Location", location);
  return TRUE;
}

/* A server with Latin-1 file names sends them unescaped. */
static gboolean
answer_raw_redirect (Wrapping *self, guint status)
{
  g_autofree char *raw = g_uri_unescape_string (self->rest, NULL);

  return answer_redirect (self, status, self->reply->origin, raw != NULL ? raw : self->rest);
}

/* `CODE` or `CODE,WHERE`: WHERE is the number of another address of this server, "tls",
 * "http", "relative" or "raw". */
static gboolean
wrap_redirect (Wrapping *self)
{
  const EarTestExchange *exchange = self->exchange;
  g_auto (GStrv) parts = g_strsplit (self->value, ",", 2);
  guint status = parts[0] != NULL ? g_ascii_strtoull (parts[0], NULL, 10) : 0;
  const char *where = parts[0] != NULL && parts[1] != NULL ? parts[1] : "";
  g_autofree char *origin = NULL;

  if (status < 300 || status > 399)
    status = SOUP_STATUS_FOUND;

  if (g_str_equal (where, "raw"))
    return answer_raw_redirect (self, status);
  if (g_str_equal (where, "relative"))
    origin = g_strdup ("");
  else if (g_str_equal (where, "tls"))
    origin = g_strdup_printf ("https://127.0.0.1:%u", exchange->tls_port);
  else if (g_str_equal (where, "http"))
    origin = g_strdup_printf ("http://127.0.0.1:%u", exchange->port);
  else if (g_ascii_isdigit (*where))
    origin = g_strdup_printf ("http://127.0.0.%u:%u", (guint) g_ascii_strtoull (where, NULL, 10), exchange->port);
  else
    origin = g_strdup (self->reply->origin);

  return answer_redirect (self, status, origin, self->rest);
}

/* Two addresses that redirect to each other; `self` redirects to itself. */
static gboolean
wrap_loop (Wrapping *self)
{
  g_autofree char *other = NULL;

  if (g_str_equal (self->value, "self"))
    return answer_redirect (self, SOUP_STATUS_FOUND, self->reply->origin, self->path);

  other = g_strconcat (g_str_equal (self->value, "2") ? "/~loop" : "/~loop=2", self->rest, NULL);
  return answer_redirect (self, SOUP_STATUS_FOUND, self->reply->origin, other);
}

static void
set_content (Wrapping   *self,
             GBytes     *bytes,
             const char *type)
{
  g_autoptr (GDateTime) date = g_date_time_new_utc (2026, 3, 1, 6, 0, 0);

  g_clear_pointer (&self->reply->content, ear_test_file_unref);
  self->reply->content = ear_test_file_new (bytes, type, date);
}

static gboolean
wrap_endless (Wrapping *self)
{
  self->reply->endless = TRUE;
  return FALSE;
}

static gboolean
wrap_bomb (Wrapping *self)
{
  g_autoptr (GBytes) bytes = ear_test_made_bomb (CLAMP (value_number (self, 1024), 1, 65536));

  set_content (self, bytes, "application/rss+xml; charset=utf-8");
  self->reply->encoded = TRUE;
  return FALSE;
}

static gboolean
wrap_html (Wrapping *self)
{
  g_autoptr (GBytes) bytes = ear_test_made_page ();

  set_content (self, bytes, "text/html; charset=utf-8");
  return FALSE;
}

/* `~slow=3000,40000,12000`: 3000 bytes a second, and 12000 after 40000 bytes. */
static gboolean
wrap_slow (Wrapping *self)
{
  g_auto (GStrv) parts = g_strsplit (self->value, ",", 3);

  self->reply->rate = MAX (1, value_number (self, 20000));
  if (g_strv_length (parts) == 3)
    {
      self->reply->rate_end = g_ascii_strtoll (parts[1], NULL, 10);
      self->reply->later_rate = MAX (1, g_ascii_strtoll (parts[2], NULL, 10));
    }

  return FALSE;
}

static gboolean
wrap_cut (Wrapping *self)
{
  self->reply->cut = MAX (0, value_number (self, 5000));
  return FALSE;
}

static gboolean
wrap_stall (Wrapping *self)
{
  self->reply->stall = MAX (0, value_number (self, 0));
  return FALSE;
}

static gboolean
wrap_wrong_length (Wrapping *self)
{
  self->reply->length_error = value_number (self, 1000);
  return FALSE;
}

static gboolean
wrap_wrong_range (Wrapping *self)
{
  self->reply->range_error = MAX (0, value_number (self, 1000));
  return FALSE;
}

static gboolean
wrap_delay (Wrapping *self)
{
  self->reply->delay = CLAMP (value_number (self, 1000), 0, 3600 * 1000);
  return FALSE;
}

static gboolean
wrap_hold (Wrapping *self)
{
  self->reply->hold = TRUE;
  return FALSE;
}

static gboolean
wrap_mute (Wrapping *self)
{
  self->reply->mute = TRUE;
  return FALSE;
}

static gboolean
wrap_drop (Wrapping *self)
{
  self->reply->drop = TRUE;
  return FALSE;
}

static gboolean
wrap_no_length (Wrapping *self)
{
  self->reply->chunked = TRUE;
  return FALSE;
}

static gboolean
wrap_no_range (Wrapping *self)
{
  if (g_str_equal (self->value, "416") && request_header (self, "Range") != NULL)
    return answer_status (self, SOUP_STATUS_REQUESTED_RANGE_NOT_SATISFIABLE);
  self->reply->no_ranges = TRUE;
  self->reply->promises_ranges = *self->value != '\0';
  self->reply->partial = g_str_equal (self->value, "206");
  return FALSE;
}

static gboolean
wrap_no_etag (Wrapping *self)
{
  self->reply->no_etag = TRUE;
  return FALSE;
}

static gboolean
wrap_new_etag (Wrapping *self)
{
  g_autofree char *etag = g_strdup_printf ("\"%u\"", count_visit (self, NULL));

  self->reply->no_etag = TRUE;
  set_header (self, "ETag", etag);
  return FALSE;
}

static gboolean
wrap_no_date (Wrapping *self)
{
  self->reply->no_date = TRUE;
  return FALSE;
}

static gboolean
wrap_gzip (Wrapping *self)
{
  self->reply->force_gzip = TRUE;
  return FALSE;
}

static gboolean
wrap_type (Wrapping *self)
{
  g_set_str (&self->reply->type, self->value);
  return FALSE;
}

/* `Name:Value` */
static gboolean
wrap_header (Wrapping *self)
{
  g_auto (GStrv) parts = g_strsplit (self->value, ":", 2);

  if (g_strv_length (parts) == 2)
    set_header (self, parts[0], g_strchug (parts[1]));
  return FALSE;
}

static const struct
{
  const char *name;
  Wrap wrap;
} wrappers[] = {
  { "times", wrap_times },
  { "inside", wrap_inside },
  { "status", wrap_status },
  { "403agent", wrap_forbidden_agent },
  { "429", wrap_too_many },
  { "500then", wrap_error_then },
  { "redirect", wrap_redirect },
  { "loop", wrap_loop },
  { "endless", wrap_endless },
  { "bomb", wrap_bomb },
  { "html", wrap_html },
  { "slow", wrap_slow },
  { "cut", wrap_cut },
  { "stall", wrap_stall },
  { "wronglength", wrap_wrong_length },
  { "wrongrange", wrap_wrong_range },
  { "delay", wrap_delay },
  { "hold", wrap_hold },
  { "mute", wrap_mute },
  { "drop", wrap_drop },
  { "nolength", wrap_no_length },
  { "norange", wrap_no_range },
  { "login", wrap_login },
  { "noetag", wrap_no_etag },
  { "newetag", wrap_new_etag },
  { "nodate", wrap_no_date },
  { "gzip", wrap_gzip },
  { "type", wrap_type },
  { "header", wrap_header },
};

static Wrap
find_wrap (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (wrappers); i++)
    if (g_str_equal (name, wrappers[i].name))
      return wrappers[i].wrap;

  return NULL;
}

/**
 * ear_test_wrappers_apply:
 * @reply: the response
 * @exchange: the request
 * @path: the path as received, escaped
 * @rest: (out): the path without wrappers
 *
 * Applies the wrappers of a path to a response, from left to right.
 *
 * Returns: whether a wrapper responded, so that the rest of the path does not matter
 */
gboolean
ear_test_wrappers_apply (EarTestReply          *reply,
                         const EarTestExchange *exchange,
                         const char            *path,
                         const char           **rest)
{
  Wrapping self = { .reply = reply, .exchange = exchange, .path = path };
  const char *p = path;

  while (g_str_has_prefix (p, "/~"))
    {
      const char *end = strchrnul (p + 1, '/');
      g_autofree char *segment = g_uri_unescape_segment (p + 2, end, NULL);
      char *equals = segment != NULL ? strchr (segment, '=') : NULL;
      Wrap wrap;

      if (equals != NULL)
        *equals = '\0';
      wrap = segment != NULL ? find_wrap (segment) : NULL;
      if (wrap == NULL)
        {
          ear_test_reply_set_text (reply, exchange, SOUP_STATUS_BAD_REQUEST, "No such wrapper.\n");
          return TRUE;
        }

      self.value = equals != NULL ? equals + 1 : "";
      self.rest = end;
      if (!self.skip_all && wrap (&self))
        return TRUE;
      p = end;
    }

  *rest = p;
  return FALSE;
}
