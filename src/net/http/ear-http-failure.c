/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-failure.h"

#include "ear-address.h"
#include "ear-error.h"

#include <libsoup/soup.h>

/* RFC 6585; libsoup has no name for this status. */
#define TOO_MANY_REQUESTS 429

/* Longer Retry-After times are cut to this. */
#define RETRY_AFTER_LIMIT (7 * 24 * 60 * 60)

static const struct
{
  guint status;
  EarError code;
} statuses[] = {
  { SOUP_STATUS_UNAUTHORIZED, EAR_ERROR_UNAUTHORIZED },
  { SOUP_STATUS_FORBIDDEN, EAR_ERROR_FORBIDDEN },
  { SOUP_STATUS_NOT_FOUND, EAR_ERROR_NOT_FOUND },
  { SOUP_STATUS_GONE, EAR_ERROR_GONE },
  { TOO_MANY_REQUESTS, EAR_ERROR_BUSY },
  { SOUP_STATUS_SERVICE_UNAVAILABLE, EAR_ERROR_BUSY },
};

/* Without any route, the kernel fails at once. An unreachable host may be the fault of
 * the host or of the network. */
static EarError
code_for_io_error (int code)
{
  switch (code)
    {
    case G_IO_ERROR_TIMED_OUT:
      return EAR_ERROR_TIMED_OUT;
    case G_IO_ERROR_NETWORK_UNREACHABLE:
      return EAR_ERROR_OFFLINE;
    case G_IO_ERROR_HOST_UNREACHABLE:
    case G_IO_ERROR_HOST_NOT_FOUND:
    case G_IO_ERROR_CONNECTION_REFUSED:
    case G_IO_ERROR_CONNECTION_CLOSED:
    case G_IO_ERROR_PARTIAL_INPUT:
    case G_IO_ERROR_PROXY_FAILED:
    case G_IO_ERROR_PROXY_AUTH_FAILED:
    case G_IO_ERROR_PROXY_NEED_AUTH:
    case G_IO_ERROR_PROXY_NOT_ALLOWED:
      return EAR_ERROR_UNREACHABLE;
    default:
      return EAR_ERROR_FAILED;
    }
}

static EarError
code_for_request (const GError *cause)
{
  if (cause->domain == G_RESOLVER_ERROR)
    return EAR_ERROR_OFFLINE;
  if (cause->domain == G_TLS_ERROR)
    return cause->code == G_TLS_ERROR_EOF ? EAR_ERROR_UNREACHABLE : EAR_ERROR_CERTIFICATE;
  if (cause->domain == G_IO_ERROR)
    return code_for_io_error (cause->code);
  if (cause->domain == SOUP_SESSION_ERROR)
    return EAR_ERROR_SERVER;

  return EAR_ERROR_FAILED;
}

GError *
ear_http_failure_new (int code, const char *address, const char *what)
{
  g_autofree char *shown = ear_address_without_secrets (address);

  return g_error_new (EAR_ERROR, code, "%s: %s", shown, what);
}

/* @told_login: whether the request had a user name and a password */
GError *
ear_http_failure_new_for_status (guint status, gboolean told_login, const char *address)
{
  g_autofree char *what = g_strdup_printf ("the server answers %u", status);
  EarError code = EAR_ERROR_SERVER;

  for (gsize i = 0; i < G_N_ELEMENTS (statuses); i++)
    if (statuses[i].status == status)
      code = statuses[i].code;
  if (code == EAR_ERROR_UNAUTHORIZED && told_login)
    code = EAR_ERROR_WRONG_LOGIN;

  return ear_http_failure_new (code, address, what);
}

/* @cause: the error of libsoup or GIO before a response */
GError *
ear_http_failure_new_for_request (const GError *cause, const char *address)
{
  return ear_http_failure_new (code_for_request (cause), address, cause->message);
}

/* After the start of a body, all errors except a timeout mean the same to the caller: the
 * body is incomplete.
 * @cause: the error of libsoup or GIO within a body */
GError *
ear_http_failure_new_for_body (const GError *cause, const char *address)
{
  gboolean silent = g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);

  return ear_http_failure_new (silent ? EAR_ERROR_TIMED_OUT : EAR_ERROR_INCOMPLETE, address, cause->message);
}

static gboolean
is_this_machine (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, SOUP_HTTP_URI_FLAGS | G_URI_FLAGS_PARSE_RELAXED, NULL);
  g_autoptr (GInetAddress) inet = NULL;

  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return FALSE;
  inet = g_inet_address_new_from_string (g_uri_get_host (uri));

  return inet != NULL ? g_inet_address_get_is_loopback (inet)
                      : g_ascii_strcasecmp (g_uri_get_host (uri), "localhost") == 0;
}

/* Returns: whether the network may be at fault for an unreachable host: without a network
 *   the error is in truth %EAR_ERROR_OFFLINE */
gboolean
ear_http_failure_may_be_network (const GError *error, const char *address)
{
  return (g_error_matches (error, EAR_ERROR, EAR_ERROR_UNREACHABLE) ||
          g_error_matches (error, EAR_ERROR, EAR_ERROR_TIMED_OUT)) &&
         !is_this_machine (address);
}

/* @text: (nullable): the value of a Retry-After header (RFC 9110, section 10.2.3)
 * Returns: the seconds to wait, at most a week; 0 if unknown */
gint64
ear_http_failure_parse_retry_after (const char *text)
{
  g_autoptr (GDateTime) date = NULL;

  if (ear_is_empty (text))
    return 0;
  /* g_ascii_strtoull() clamps numbers beyond 64 bits. */
  if (strspn (text, "0123456789") == strlen (text))
    return (gint64) MIN (g_ascii_strtoull (text, NULL, 10), RETRY_AFTER_LIMIT);

  date = soup_date_time_new_from_http_string (text);
  if (date == NULL)
    return 0;

  return CLAMP (g_date_time_to_unix (date) - g_get_real_time () / G_USEC_PER_SEC, 0, RETRY_AFTER_LIMIT);
}
