/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"

#include <string.h>

/* Longer addresses are attacks or mistakes; no server accepts them. */
#define ADDRESS_LIMIT 8192

/* GLib accepts control characters in a host, and any bytes in the zone of an IPv6
 * address, which it escapes everywhere else. */
static gboolean
is_host (const char *host)
{
  for (const char *p = host; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      return FALSE;

  return *host != '\0' && g_utf8_validate (host, -1, NULL);
}

static gboolean
uri_is_web (GUri *uri)
{
  const char *scheme = g_uri_get_scheme (uri);
  const char *host = g_uri_get_host (uri);
  const char *path = g_uri_get_path (uri);

  /* GLib splits `http://a;b` into a host and a path that cannot follow it. */
  return (g_strcmp0 (scheme, "https") == 0 || g_strcmp0 (scheme, "http") == 0) && host != NULL && is_host (host) &&
         (*path == '/' || *path == '\0');
}

/**
 * ear_address_is_web:
 * @address: (nullable): an untrusted address
 *
 * Earmark fetches, plays and stores no other addresses.
 *
 * Returns: %TRUE for an absolute http or https address with a host
 */
gboolean
ear_address_is_web (const char *address)
{
  g_autoptr (GUri) uri = NULL;

  if (address == NULL || strlen (address) > ADDRESS_LIMIT || !g_utf8_validate (address, -1, NULL))
    return FALSE;
  uri = g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL);

  return uri != NULL && uri_is_web (uri);
}

/**
 * ear_address_trusts:
 * @known: the address that a secret belongs to
 * @other: an address to be requested
 *
 * Whether both addresses have the same host and port, or the same host after a move from
 * http to https. A secret that was encrypted is never sent in clear text.
 *
 * Returns: %TRUE if the secret may be sent to @other
 */
gboolean
ear_address_trusts (const char *known, const char *other)
{
  g_autoptr (GUri) first = g_uri_parse (known, EAR_ADDRESS_FLAGS, NULL);
  g_autoptr (GUri) second = g_uri_parse (other, EAR_ADDRESS_FLAGS, NULL);

  if (first == NULL || second == NULL || !uri_is_web (first) || !uri_is_web (second) ||
      g_ascii_strcasecmp (g_uri_get_host (first), g_uri_get_host (second)) != 0)
    return FALSE;
  if (g_str_equal (g_uri_get_scheme (first), g_uri_get_scheme (second)))
    return g_uri_get_port (first) == g_uri_get_port (second);

  return g_str_equal (g_uri_get_scheme (second), "https") && g_uri_get_port (first) == 80 && g_uri_get_port (second) == 443;
}

/**
 * ear_address_resolve:
 * @base: (nullable): the absolute address that @reference is relative to
 * @reference: (nullable): an address in a document, maybe relative
 *
 * Makes an address absolute, after RFC 3986, section 5. Beyond the RFC, `www.` at the
 * beginning means a host without its scheme.
 *
 * Returns: (transfer full) (nullable): an http or https address, or %NULL if @reference
 *   is invalid or another kind of address
 */
char *
ear_address_resolve (const char *base, const char *reference)
{
  g_autofree char *stripped = NULL;
  g_autoptr (GUri) base_uri = NULL;
  g_autoptr (GUri) uri = NULL;
  g_autofree char *address = NULL;

  if (reference == NULL || strlen (reference) > ADDRESS_LIMIT)
    return NULL;
  stripped = g_strstrip (g_strdup (reference));
  if (*stripped == '\0' || !g_utf8_validate (stripped, -1, NULL))
    return NULL;

  if (g_ascii_strncasecmp (stripped, "www.", 4) == 0)
    {
      g_autofree char *bare = g_steal_pointer (&stripped);

      stripped = g_strconcat ("https://", bare, NULL);
    }
  if (base != NULL)
    base_uri = g_uri_parse (base, EAR_ADDRESS_FLAGS, NULL);
  uri = g_uri_parse_relative (base_uri, stripped, EAR_ADDRESS_FLAGS, NULL);
  if (uri == NULL || !uri_is_web (uri))
    return NULL;

  /* Check the result: escapes and the base make it longer, and a fullwidth colon becomes
   * a plain one, which hosts must not have. */
  address = g_uri_to_string (uri);
  return ear_address_is_web (address) ? g_steal_pointer (&address) : NULL;
}

/* Characters that browsers leave unescaped in a path or a query (WHATWG URL, 1.3) */
#define PATH_CHARS "%!$&'()*+,;=:@/[]|"
#define QUERY_CHARS PATH_CHARS "?^`{}"

/* Keeps escapes, and escapes a percent sign that begins none: strict servers and libsoup
 * reject an address with a lone one. */
static char *
escape_part (const char *text, const char *allowed)
{
  g_autofree char *escaped = g_uri_escape_string (text, allowed, FALSE);
  GString *part = g_string_new (NULL);

  for (const char *c = escaped; *c != '\0'; c++)
    if (*c == '%' && !(g_ascii_isxdigit (c[1]) && g_ascii_isxdigit (c[2])))
      g_string_append (part, "%25");
    else
      g_string_append_c (part, *c);

  return g_string_free (part, FALSE);
}

/**
 * ear_address_parse_for_request:
 * @address: (nullable): a web address from a feed or a redirect
 *
 * Makes the address that is sent to the server, for every request: ASCII only, without
 * user name, password and fragment.
 *
 * Returns: (transfer full) (nullable): the address, or %NULL if @address is
 *   no web address
 */
GUri *
ear_address_parse_for_request (const char *address)
{
  g_autoptr (GUri) uri =
      ear_address_is_web (address) ? g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL) : NULL;
  g_autofree char *path = NULL;
  g_autofree char *query = NULL;

  if (uri == NULL)
    return NULL;

  path = escape_part (g_uri_get_path (uri), PATH_CHARS);
  query = g_uri_get_query (uri) != NULL ? escape_part (g_uri_get_query (uri), QUERY_CHARS) : NULL;

  return g_uri_build (EAR_ADDRESS_REQUEST_FLAGS, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                      g_uri_get_port (uri), *path != '\0' ? path : "/", query, NULL);
}

/**
 * ear_address_escape_bytes:
 * @text: one or more addresses, as received
 *
 * Addresses are ASCII, but servers write Latin-1 into headers and playlists. Such a byte
 * is part of the server's address, and not a character.
 *
 * Returns: (transfer full): @text, if it is UTF-8; otherwise with all
 *   non-ASCII bytes escaped
 */
char *
ear_address_escape_bytes (const char *text)
{
  GString *escaped;

  if (g_utf8_validate (text, -1, NULL))
    return g_strdup (text);

  escaped = g_string_sized_new (strlen (text) + 16);
  for (const char *p = text; *p != '\0'; p++)
    if ((guchar) *p >= 0x80)
      g_string_append_printf (escaped, "%%%02X", (guchar) *p);
    else
      g_string_append_c (escaped, *p);

  return g_string_free_and_steal (escaped);
}

/* Unwraps links to pages that only pass the address of a feed to an application. */
static char *
unwrap (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  g_autoptr (GHashTable) params = NULL;

  if (host == NULL)
    return NULL;
  if (g_ascii_strcasecmp (host, "subscribeonandroid.com") == 0 || g_ascii_strcasecmp (host, "www.subscribeonandroid.com") == 0)
    return g_uri_get_path (uri)[0] == '/' && g_uri_get_path (uri)[1] != '\0'
             ? g_strconcat (g_uri_get_path (uri) + 1, g_uri_get_query (uri) != NULL ? "?" : NULL, g_uri_get_query (uri), NULL)
             : NULL;
  if ((g_ascii_strcasecmp (host, "antennapod.org") != 0 && g_ascii_strcasecmp (host, "www.antennapod.org") != 0) ||
      !g_str_has_prefix (g_uri_get_path (uri), "/deeplink/subscribe") || g_uri_get_query (uri) == NULL)
    return NULL;

  params = g_uri_parse_params (g_uri_get_query (uri), -1, "&", G_URI_PARAMS_NONE, NULL);

  return params != NULL ? g_strdup (g_hash_table_lookup (params, "url")) : NULL;
}

/* Accepts a web address, or only its host and path. */
static char *
complete (const char *text)
{
  g_autofree char *guess = NULL;

  if (ear_address_is_web (text))
    return ear_address_resolve (NULL, text);
  if (strchr (text, '.') == NULL || strpbrk (text, " \t\r\n") != NULL || strstr (text, "://") != NULL)
    return NULL;

  guess = g_strconcat ("https://", text, NULL);
  return ear_address_resolve (NULL, guess);
}

/**
 * ear_address_clean:
 * @typed: (nullable): typed or pasted text, or a link from the desktop
 *
 * Turns the spellings of a podcast's address into a web address: `feed:`, `podcast:`,
 * `pcast:`, `itpc:` and the like with or without a second scheme, surrounding white
 * space, a link that only passes an address to an application, and a bare host name,
 * which gets https.
 *
 * Returns: (transfer full) (nullable): an http or https address, or %NULL
 */
char *
ear_address_clean (const char *typed)
{
  static const char *const prefixes[] = { "feed:", "feeds:", "rss:", "podcast:", "podcasts:", "pcast:", "itpc:", "itpcs:",
                                          "gpodder:", "antennapod-subscribe:" };
  g_autofree char *stripped = NULL;
  g_autofree char *address = NULL;
  g_autofree char *inner = NULL;
  const char *rest;

  if (typed == NULL || strlen (typed) > ADDRESS_LIMIT || !g_utf8_validate (typed, -1, NULL))
    return NULL;
  stripped = g_strstrip (g_strdup (typed));
  rest = stripped;

  for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_ascii_strncasecmp (rest, prefixes[i], strlen (prefixes[i])) == 0)
      {
        rest += strlen (prefixes[i]);
        break;
      }
  if (g_str_has_prefix (rest, "//"))
    rest += 2;
  address = complete (rest);
  inner = address != NULL ? unwrap (address) : NULL;

  return inner != NULL ? complete (inner) : g_steal_pointer (&address);
}

/**
 * ear_address_hash:
 * @first: a string, such as the address of a feed
 * @second: (nullable): another one, such as a guid
 *
 * Makes a short name from long strings, for file names and other programs:
 * 32 hexadecimal digits.
 *
 * Returns: (transfer full): the name
 */
char *
ear_address_hash (const char *first, const char *second)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (checksum, (const guchar *) first, strlen (first));
  if (second != NULL)
    {
      /* The separator keeps ("ab", "c") and ("a", "bc") apart. */
      g_checksum_update (checksum, (const guchar *) "\0", 1);
      g_checksum_update (checksum, (const guchar *) second, strlen (second));
    }

  return g_strndup (g_checksum_get_string (checksum), 32);
}
