/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"

#include <string.h>

/* Minimum length of a token: public folders have shorter names, or names with
 * words in them. */
#define TOKEN_LENGTH 24

/**
 * ear_address_dup_host:
 * @address: an http or https address
 *
 * Returns: (transfer full) (nullable): its host, used in place of a missing title
 */
char *
ear_address_dup_host (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL);

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
  g_autofree char *plain = NULL;
  gsize start = key->len;

  /* Keep escapes whose unescaping would change the path: `%2541` is not `A`, and the
   * slash in `a%2Fb` separates no folders. `%FC` stays as well, the `ü` of Latin-1: alone
   * it is not UTF-8. */
  plain = g_uri_unescape_string (path, "%/?#");
  append_valid (valid, plain != NULL ? plain : path);
  for (const char *p = valid->str; *p != '\0'; p++)
    if (*p != '/' || key->len == start || key->str[key->len - 1] != '/')
      g_string_append_c (key, *p);
  if (key->len > start && key->str[key->len - 1] == '/')
    g_string_truncate (key, key->len - 1);
}

/**
 * ear_address_key:
 * @address: an http or https address
 *
 * Maps all spellings of a feed's address to one key: two directories, or two programs'
 * lists, rarely spell it alike. Http and https, a `www.`, letter case of the host, a
 * slash at the end or twice, and needless escapes make no difference. The user name and
 * password, and the query, do. Keys are for lookups only: state is stored under the
 * address that the podcast was first followed at.
 *
 * Returns: (transfer full): the key, valid UTF-8 for any @address; an invalid address is
 *   its own key
 */
char *
ear_address_key (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL);
  g_autoptr (GString) key = g_string_new (NULL);
  g_autofree char *host = NULL;

  if (uri == NULL || g_uri_get_host (uri) == NULL)
    {
      append_valid (key, address);
      return g_string_free (g_steal_pointer (&key), FALSE);
    }

  host = g_ascii_strdown (g_uri_get_host (uri), -1);
  if (g_uri_get_userinfo (uri) != NULL)
    g_string_append_printf (key, "%s@", g_uri_get_userinfo (uri));
  append_valid (key, g_str_has_prefix (host, "www.") ? host + strlen ("www.") : host);
  if (g_uri_get_port (uri) != -1 && g_uri_get_port (uri) != 80 && g_uri_get_port (uri) != 443)
    g_string_append_printf (key, ":%d", g_uri_get_port (uri));
  append_path (key, g_uri_get_path (uri));
  if (g_uri_get_query (uri) != NULL && *g_uri_get_query (uri) != '\0')
    g_string_append_printf (key, "?%s", g_uri_get_query (uri));

  return g_string_free (g_steal_pointer (&key), FALSE);
}

/**
 * ear_address_is_secure_twin:
 * @address: an http or https address
 * @other: another one
 *
 * Returns: whether @address is the https version of the http address @other; other
 *   spellings make no difference (see [func@ear_address_key])
 */
gboolean
ear_address_is_secure_twin (const char *address, const char *other)
{
  g_autofree char *key = NULL;
  g_autofree char *other_key = NULL;

  if (g_ascii_strncasecmp (address, "https:", strlen ("https:")) != 0 || g_ascii_strncasecmp (other, "http:", strlen ("http:")) != 0)
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

static gboolean
path_has_token (const char *path)
{
  for (const char *part = path; *part != '\0'; part += *part != '\0')
    {
      const gsize length = strcspn (part, "/.");

      if (is_token (part, length))
        return TRUE;
      part += length;
    }

  return FALSE;
}

static gboolean
query_has_token (const char *query)
{
  static const char *const names[] = { "auth", "token", "key", "apikey", "api_key", "secret", "password", "pass", "pw",
                                       "sig", "signature", "hash", "access_token", "auth_token", "private", "member",
                                       "user", "uid", "email", "session", NULL };
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

/**
 * ear_address_has_secret:
 * @address: (nullable): an address
 *
 * Guesses whether an address gives access by itself: it has a user name and password, or
 * something like a member's token. In doubt, returns %TRUE.
 *
 * Returns: %TRUE if sharing the address needs the listener's confirmation
 */
gboolean
ear_address_has_secret (const char *address)
{
  g_autoptr (GUri) uri = address != NULL ? g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL) : NULL;

  if (uri == NULL)
    return FALSE;

  return g_uri_get_userinfo (uri) != NULL || path_has_token (g_uri_get_path (uri)) ||
         (g_uri_get_query (uri) != NULL && query_has_token (g_uri_get_query (uri)));
}

/* Replaces tokens in a path; the rest still distinguishes it from other paths. */
static char *
dup_open_path (const char *path)
{
  g_autoptr (GString) open = g_string_new (NULL);

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

  return g_string_free_and_steal (g_steal_pointer (&open));
}

/**
 * ear_address_without_secrets:
 * @address: (nullable): an address
 *
 * Returns the part of an address that may be logged: scheme, host and path. User name,
 * password and query, which has the tokens of private feeds, are dropped, and tokens in
 * the path are replaced.
 *
 * Returns: (transfer full): the part, or "(no address)"
 */
char *
ear_address_without_secrets (const char *address)
{
  g_autoptr (GUri) uri = address != NULL ? g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL) : NULL;
  g_autofree char *path = NULL;

  if (uri == NULL)
    return g_strdup ("(no address)");
  path = dup_open_path (g_uri_get_path (uri));

  return g_uri_join (EAR_ADDRESS_FLAGS, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri), g_uri_get_port (uri), path, NULL, NULL);
}

/**
 * ear_address_without_login:
 * @address: an http or https address
 *
 * Returns: (transfer full): the address without a user name and password
 */
char *
ear_address_without_login (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL);

  if (uri == NULL || g_uri_get_userinfo (uri) == NULL)
    return g_strdup (address);

  return g_uri_join (EAR_ADDRESS_FLAGS, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri), g_uri_get_port (uri),
                     g_uri_get_path (uri), g_uri_get_query (uri), g_uri_get_fragment (uri));
}

/**
 * ear_address_with_time:
 * @address: (nullable): the URL of a media file; %NULL for the fragment only
 * @time: microseconds
 *
 * Returns: (transfer full): @address with @time as a fragment, even for 0
 */
char *
ear_address_with_time (const char *address, gint64 time)
{
  const gsize length = address != NULL ? strcspn (address, "#") : 0;

  return g_strdup_printf ("%.*s#t=%" G_GINT64_FORMAT, (int) length, address != NULL ? address : "", time / G_TIME_SPAN_SECOND);
}

/**
 * ear_address_at_time:
 * @address: an http or https address of a media file, or of a web page about it
 * @time: microseconds
 *
 * Adds a time to an address, after Media Fragments URI 1.0. Browsers start media files at
 * that time, and AntennaPod shares the same form; of web pages, those with Podlove's or
 * Podigee's player do (https://podlove.org/deep-link/). Other pages open all the same,
 * because fragments are never sent to the server. `?t=`, which some large sites use,
 * would be another address to the server, which may reject it, or its signature may no
 * longer match. Pages that route by fragment (`#/episode/7`) are left unchanged.
 *
 * Returns: (transfer full): the address
 */
char *
ear_address_at_time (const char *address, gint64 time)
{
  const char *fragment = strchr (address, '#');

  if (time < G_TIME_SPAN_SECOND || (fragment != NULL && (fragment[1] == '/' || fragment[1] == '!')))
    return g_strdup (address);

  return ear_address_with_time (address, time);
}
