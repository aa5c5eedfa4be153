/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"

#include <string.h>

/* Longer addresses are attacks or mistakes; no server accepts them. */
#define ADDRESS_LIMIT 8192

/* Digits of a hash */
#define HASH_LENGTH 32

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
  return (g_strcmp0 (scheme, "https") == 0 || g_strcmp0 (scheme, "http") == 0) && host != NULL &&
         is_host (host) && (*path == '/' || *path == '\0');
}

static GUri *
parse (const char *address)
{
  return address != NULL ? g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL) : NULL;
}

/* Whether a text from outside may be an address. */
static gboolean
is_text (const char *text)
{
  return text != NULL && strlen (text) <= ADDRESS_LIMIT && g_utf8_validate (text, -1, NULL);
}

/* Returns: (transfer none): a host, or an address that begins with it, without `www.` */
const char *
ear_address_skip_www (const char *host)
{
  return g_ascii_strncasecmp (host, "www.", strlen ("www.")) == 0 ? host + strlen ("www.") : host;
}

/* Earmark fetches, plays and stores no other addresses.
 * @address: (nullable): an untrusted address
 * Returns: %TRUE for an absolute http or https address with a host */
gboolean
ear_address_is_web (const char *address)
{
  g_autoptr (GUri) uri = is_text (address) ? parse (address) : NULL;

  return uri != NULL && uri_is_web (uri);
}

/* Whether both addresses have the same host and port, or the same host after a move from
 * http to https. A secret that was encrypted is never sent in clear text.
 * @known: the address that a secret belongs to
 * @other: an address to be requested
 * Returns: %TRUE if the secret may be sent to @other */
gboolean
ear_address_trusts (const char *known, const char *other)
{
  g_autoptr (GUri) first = parse (known);
  g_autoptr (GUri) second = parse (other);

  if (first == NULL || second == NULL || !uri_is_web (first) || !uri_is_web (second) ||
      g_ascii_strcasecmp (g_uri_get_host (first), g_uri_get_host (second)) != 0)
    return FALSE;
  if (g_str_equal (g_uri_get_scheme (first), g_uri_get_scheme (second)))
    return g_uri_get_port (first) == g_uri_get_port (second);

  return g_str_equal (g_uri_get_scheme (second), "https") && g_uri_get_port (first) == 80 &&
         g_uri_get_port (second) == 443;
}

/* Makes an address absolute, after RFC 3986, section 5. Beyond the RFC, `www.` at the
 * beginning means a host without its scheme.
 * @base: (nullable): the absolute address that @reference is relative to
 * @reference: (nullable): an address in a document, maybe relative
 * Returns: (transfer full) (nullable): an http or https address, or %NULL if @reference
 * is invalid or another kind of address */
char *
ear_address_resolve (const char *base, const char *reference)
{
  g_autofree char *stripped = NULL;
  g_autofree char *full = NULL;
  g_autoptr (GUri) base_uri = NULL;
  g_autoptr (GUri) uri = NULL;
  g_autofree char *address = NULL;

  if (!is_text (reference))
    return NULL;
  stripped = g_strstrip (g_strdup (reference));
  if (*stripped == '\0')
    return NULL;

  full = g_strconcat (ear_address_skip_www (stripped) != stripped ? "https://" : "", stripped,
                      NULL);
  base_uri = parse (base);
  uri = g_uri_parse_relative (base_uri, full, EAR_ADDRESS_FLAGS, NULL);
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

  return g_string_free_and_steal (part);
}

/* Makes the address that is sent to the server, for every request: ASCII only, without
 * user name, password and fragment.
 * @address: (nullable): a web address from a feed or a redirect
 * Returns: (transfer full) (nullable): the address, or %NULL if @address is no web
 * address */
GUri *
ear_address_parse_for_request (const char *address)
{
  g_autoptr (GUri) uri = ear_address_is_web (address) ? parse (address) : NULL;
  g_autofree char *path = NULL;
  g_autofree char *query = NULL;

  if (uri == NULL)
    return NULL;

  path = escape_part (g_uri_get_path (uri), PATH_CHARS);
  query = g_uri_get_query (uri) != NULL ? escape_part (g_uri_get_query (uri), QUERY_CHARS) : NULL;

  return g_uri_build (EAR_ADDRESS_REQUEST_FLAGS, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                      g_uri_get_port (uri), *path != '\0' ? path : "/", query, NULL);
}

/* Escapes the bytes of an address that are not UTF-8. Servers write Latin-1 into headers and
 * playlists, and expect the same bytes back.
 * @text: one or more addresses, as received
 * Returns: (transfer full): @text, if it is UTF-8; otherwise with all non-ASCII bytes
 * escaped */
char *
ear_address_escape_bytes (const char *text)
{
  GString *escaped;

  if (g_utf8_validate (text, -1, NULL))
    return g_strdup (text);

  escaped = g_string_new (NULL);
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
  g_autoptr (GUri) uri = parse (address);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  const char *path = uri != NULL ? g_uri_get_path (uri) : NULL;
  const char *query = uri != NULL ? g_uri_get_query (uri) : NULL;
  g_autoptr (GHashTable) params = NULL;

  if (host == NULL)
    return NULL;
  host = ear_address_skip_www (host);
  if (g_ascii_strcasecmp (host, "subscribeonandroid.com") == 0 && *path == '/' && path[1] != '\0')
    return g_strconcat (path + 1, query != NULL ? "?" : NULL, query, NULL);
  if (g_ascii_strcasecmp (host, "antennapod.org") == 0 &&
      g_str_has_prefix (path, "/deeplink/subscribe") && query != NULL)
    params = g_uri_parse_params (query, -1, "&", G_URI_PARAMS_NONE, NULL);

  return params != NULL ? g_strdup (g_hash_table_lookup (params, "url")) : NULL;
}

/* Accepts a web address, or only its host and path. */
static char *
complete (const char *text)
{
  g_autofree char *guess = NULL;

  if (ear_address_is_web (text))
    return ear_address_resolve (NULL, text);
  if (strchr (text, '.') == NULL || strpbrk (text, " \t\r\n") != NULL ||
      strstr (text, "://") != NULL)
    return NULL;

  guess = g_strconcat ("https://", text, NULL);
  return ear_address_resolve (NULL, guess);
}

/* Turns the spellings of a podcast's address into a web address: `feed:`, `podcast:`,
 * `pcast:`, `itpc:` and the like with or without a second scheme, surrounding white
 * space, a link that only passes an address to an application, and a bare host name,
 * which gets https.
 * @typed: (nullable): typed or pasted text, or a link from the desktop
 * Returns: (transfer full) (nullable): an http or https address, or %NULL */
char *
ear_address_clean (const char *typed)
{
  g_autoptr (GRegex) prefix =
      g_regex_new ("^((feeds?|rss|podcasts?|pcast|itpcs?|gpodder|antennapod-subscribe):)?(//)?",
                   G_REGEX_CASELESS, 0, NULL);
  g_autofree char *stripped = NULL;
  g_autofree char *rest = NULL;
  g_autofree char *address = NULL;
  g_autofree char *inner = NULL;

  if (!is_text (typed))
    return NULL;
  stripped = g_strstrip (g_strdup (typed));
  rest = g_regex_replace_literal (prefix, stripped, -1, 0, "", 0, NULL);
  address = complete (rest);
  inner = address != NULL ? unwrap (address) : NULL;

  return inner != NULL ? complete (inner) : g_steal_pointer (&address);
}

/* Makes a short name from long strings, for file names and other programs: 32
 * hexadecimal digits.
 * @first: a string, such as the address of a feed
 * @second: (nullable): another one, such as a guid */
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

  return g_strndup (g_checksum_get_string (checksum), HASH_LENGTH);
}

/* @text: text from another program, or a name of a file
 * Returns: whether it has the form of ear_address_hash() */
gboolean
ear_address_is_hash (const char *text)
{
  return strlen (text) == HASH_LENGTH && strspn (text, "0123456789abcdef") == HASH_LENGTH;
}

/* Minimum length of a token: public folders have shorter names, or names with
 * words in them. */
#define TOKEN_LENGTH 24

/* Returns: (transfer full) (nullable): its host, used in place of a missing title */
char *
ear_address_dup_host (const char *address)
{
  g_autoptr (GUri) uri = parse (address);

  return uri != NULL ? g_strdup (g_uri_get_host (uri)) : NULL;
}

/* Appends text of an address. Bytes that are not UTF-8 are escaped: keys become names
 * in JSON files. */
static void
append_valid (GString *key, const char *text)
{
  const char *end;

  for (; !g_utf8_validate (text, -1, &end); text = end + 1)
    {
      g_string_append_len (key, text, end - text);
      g_string_append_printf (key, "%%%02X", (guchar) *end);
    }
  g_string_append (key, text);
}

static void
append_path (GString *key, const char *path)
{
  g_autoptr (GString) valid = g_string_new (NULL);
  /* Keep escapes whose unescaping would change the path: `%2541` is not `A`, and the
   * slash in `a%2Fb` separates no folders. `%FC` stays as well, the `ü` of Latin-1: alone
   * it is not UTF-8. */
  g_autofree char *plain = g_uri_unescape_string (path, "%/?#");
  const gsize start = key->len;

  append_valid (valid, plain != NULL ? plain : path);
  for (const char *p = valid->str; *p != '\0'; p++)
    if (*p != '/' || key->len == start || key->str[key->len - 1] != '/')
      g_string_append_c (key, *p);
  if (key->len > start && key->str[key->len - 1] == '/')
    g_string_truncate (key, key->len - 1);
}

/* Maps all spellings of a feed's address to one key: two directories, or two programs'
 * lists, rarely spell it alike. Http and https, a `www.`, letter case of the host, a
 * slash at the end or twice, and needless escapes make no difference. The user name and
 * password, and the query, do. Keys are for lookups only: state is stored under the
 * address that the podcast was first followed at.
 * Returns: (transfer full): the key, valid UTF-8 for any @address; an invalid address is
 * its own key */
char *
ear_address_key (const char *address)
{
  g_autoptr (GUri) uri = parse (address);
  GString *key = g_string_new (NULL);
  g_autofree char *host = NULL;

  if (uri == NULL || g_uri_get_host (uri) == NULL)
    {
      append_valid (key, address);
      return g_string_free_and_steal (key);
    }

  host = g_ascii_strdown (g_uri_get_host (uri), -1);
  if (g_uri_get_userinfo (uri) != NULL)
    g_string_append_printf (key, "%s@", g_uri_get_userinfo (uri));
  append_valid (key, ear_address_skip_www (host));
  if (g_uri_get_port (uri) != -1 && g_uri_get_port (uri) != 80 && g_uri_get_port (uri) != 443)
    g_string_append_printf (key, ":%d", g_uri_get_port (uri));
  append_path (key, g_uri_get_path (uri));
  if (g_uri_get_query (uri) != NULL && *g_uri_get_query (uri) != '\0')
    g_string_append_printf (key, "?%s", g_uri_get_query (uri));

  return g_string_free_and_steal (key);
}

/* Returns: whether @address is the https version of the http address @other; other
 * spellings make no difference (see [func@ear_address_key]) */
gboolean
ear_address_is_secure_twin (const char *address, const char *other)
{
  g_autofree char *key = NULL;
  g_autofree char *other_key = NULL;

  if (g_ascii_strncasecmp (address, "https:", strlen ("https:")) != 0 ||
      g_ascii_strncasecmp (other, "http:", strlen ("http:")) != 0)
    return FALSE;
  key = ear_address_key (address);
  other_key = ear_address_key (other);

  return g_str_equal (key, other_key);
}

/* Whether a text is a long run of random letters and digits. Words, numbers and dates are
 * not; nor are UUIDs, which name public feeds. */
static gboolean
is_token (const char *text, gsize length)
{
  guint n_digits = 0;
  guint n_upper = 0;
  guint n_lower = 0;

  if (length >= 3 && strncmp (text, "eyJ", 3) == 0)
    return TRUE;
  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isalnum (text[i]) && text[i] != '_' && text[i] != '=')
        return FALSE;
      n_digits += g_ascii_isdigit (text[i]) != 0;
      n_upper += g_ascii_isupper (text[i]) != 0;
      n_lower += g_ascii_islower (text[i]) != 0;
    }

  return length >= TOKEN_LENGTH && n_digits >= 3 && (n_upper >= 3 || n_lower >= 3);
}

/* Replaces tokens in a path; the rest still distinguishes it from other paths. */
static char *
dup_open_path (const char *path)
{
  GString *open = g_string_new (NULL);

  for (const char *part = path; *part != '\0';)
    {
      const gsize length = strcspn (part, "/.");

      if (is_token (part, length))
        g_string_append (open, "…");
      else
        g_string_append_len (open, part, length);
      part += length;
      if (*part != '\0')
        g_string_append_c (open, *part++);
    }

  return g_string_free_and_steal (open);
}

static gboolean
query_has_token (const char *query)
{
  static const char *const names[] = {
    "auth",    "token",  "key",  "apikey",    "api_key", "secret",       "password",
    "pass",    "pw",     "sig",  "signature", "hash",    "access_token", "auth_token",
    "private", "member", "user", "uid",       "email",   "session",      NULL
  };
  GUriParamsIter iter;
  g_autofree char *name = NULL;
  g_autofree char *value = NULL;

  g_uri_params_iter_init (&iter, query, -1, "&;", G_URI_PARAMS_CASE_INSENSITIVE);
  while (g_uri_params_iter_next (&iter, &name, &value, NULL))
    {
      g_autofree char *lower = g_ascii_strdown (name, -1);

      if (g_strv_contains (names, lower) || is_token (value, strlen (value)))
        return TRUE;
      g_clear_pointer (&name, g_free);
      g_clear_pointer (&value, g_free);
    }

  return FALSE;
}

/* Guesses whether an address gives access by itself: it has a user name and password, or
 * something like a member's token. In doubt, returns %TRUE.
 * @address: (nullable): an address
 * Returns: %TRUE if sharing the address needs the listener's confirmation */
gboolean
ear_address_has_secret (const char *address)
{
  g_autoptr (GUri) uri = parse (address);
  g_autofree char *open_path = uri != NULL ? dup_open_path (g_uri_get_path (uri)) : NULL;

  if (uri == NULL)
    return FALSE;

  return g_uri_get_userinfo (uri) != NULL || !g_str_equal (open_path, g_uri_get_path (uri)) ||
         (g_uri_get_query (uri) != NULL && query_has_token (g_uri_get_query (uri)));
}

/* Returns the part of an address that may be logged: scheme, host and path. User name,
 * password and query, which has the tokens of private feeds, are dropped, and tokens in
 * the path are replaced.
 * @address: (nullable): an address
 * Returns: (transfer full): the part, or "(no address)" */
char *
ear_address_without_secrets (const char *address)
{
  g_autoptr (GUri) uri = parse (address);
  g_autofree char *path = NULL;

  if (uri == NULL)
    return g_strdup ("(no address)");
  path = dup_open_path (g_uri_get_path (uri));

  return g_uri_join (EAR_ADDRESS_FLAGS, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                     g_uri_get_port (uri), path, NULL, NULL);
}

/* Returns: (transfer full): the address without a user name and password */
char *
ear_address_without_login (const char *address)
{
  g_autoptr (GUri) uri = parse (address);

  if (uri == NULL || g_uri_get_userinfo (uri) == NULL)
    return g_strdup (address);

  return g_uri_to_string_partial (uri, G_URI_HIDE_USERINFO);
}

/* @address: (nullable): the URL of a media file; %NULL for the fragment only
 * Returns: (transfer full): @address with @time as a fragment, even for 0 */
char *
ear_address_with_time (const char *address, gint64 time)
{
  const gsize length = address != NULL ? strcspn (address, "#") : 0;

  return g_strdup_printf ("%.*s#t=%" G_GINT64_FORMAT, (int) length, address != NULL ? address : "",
                          time / G_TIME_SPAN_SECOND);
}

/* Adds a time to an address, after Media Fragments URI 1.0. Browsers start media files
 * at that time, and AntennaPod shares the same form; of web pages, those with Podlove's
 * or Podigee's player do (https://podlove.org/deep-link/). Other pages open all the
 * same, because fragments are never sent to the server. `?t=`, which some large sites
 * use, would be another address to the server, which may reject it, or its signature may
 * no longer match. Pages that route by fragment (`#/episode/7`) are left unchanged.
 * @address: an http or https address of a media file, or of a web page about it */
char *
ear_address_at_time (const char *address, gint64 time)
{
  const char *fragment = strchr (address, '#');

  if (time < G_TIME_SPAN_SECOND || (fragment != NULL && (fragment[1] == '/' || fragment[1] == '!')))
    return g_strdup (address);

  return ear_address_with_time (address, time);
}
