/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discovery-input.h"

#include "ear-address.h"

#include <string.h>

/* Apple's page of a podcast has its number in it: …/id1234567890, or ?id=… of old. */
static char *
find_apple_number (const char *address)
{
  static const char *const hosts[] = { "podcasts.apple.com", "itunes.apple.com",
                                       "geo.itunes.apple.com", "embed.podcasts.apple.com", NULL };
  g_autoptr (GUri) uri =
      g_uri_parse (address, G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED, NULL);
  g_autofree char *host = uri != NULL && g_uri_get_host (uri) != NULL
                              ? g_ascii_strdown (g_uri_get_host (uri), -1)
                              : NULL;
  const char *number = NULL;
  gsize length;

  if (host == NULL || !g_strv_contains (hosts, host))
    return NULL;

  for (const char *p = strstr (g_uri_get_path (uri), "/id"); p != NULL; p = strstr (p + 1, "/id"))
    if (g_ascii_isdigit (p[3]))
      number = p + 3;
  if (number == NULL && g_uri_get_query (uri) != NULL &&
      g_str_has_prefix (g_uri_get_query (uri), "id="))
    number = g_uri_get_query (uri) + 3;
  length = number != NULL ? strspn (number, "0123456789") : 0;

  return length > 0 && length < 20 ? g_strndup (number, length) : NULL;
}

/* Apple's own programs write links as `itms://` and alike. */
static char *
read_apple (const char *text)
{
  static const char *const schemes[] = { "itms://", "itmss://", "itms-podcast://",
                                         "itms-podcasts://", "podcasts://" };

  for (gsize i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_ascii_strncasecmp (text, schemes[i], strlen (schemes[i])) == 0)
      {
        g_autofree char *address = g_strconcat ("https://", text + strlen (schemes[i]), NULL);

        return find_apple_number (address);
      }

  return NULL;
}

static char *
read_path (const char *text)
{
  if (g_ascii_strncasecmp (text, "file:", 5) == 0)
    return g_filename_from_uri (text, NULL, NULL);
  if (g_str_has_prefix (text, "~/"))
    return g_build_filename (g_get_home_dir (), text + 2, NULL);

  return *text == '/' && text[1] != '/' ? g_strdup (text) : NULL;
}

/* Whether the host has a domain of two letters or more, a port, or is an IP address */
static gboolean
has_domain (const char *address)
{
  g_autoptr (GUri) uri =
      g_uri_parse (address, G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  const char *dot = host != NULL ? strrchr (host, '.') : NULL;

  return host != NULL && (g_hostname_is_ip_address (host) || g_uri_get_port (uri) > 443 ||
                          (dot != NULL && dot != host && strlen (dot + 1) >= 2));
}

/* Unfinished addresses and those of other kinds may hold a name and a password: they are
 * no words to send to a directory. */
static gboolean
resembles_address (const char *text)
{
  const char *colon = strchr (text, ':');

  if (strstr (text, "://") != NULL)
    return TRUE;
  if (strpbrk (text, " \t\r\n") != NULL)
    return FALSE;
  if (strchr (text, '@') != NULL && strchr (text, '.') != NULL)
    return TRUE;

  return colon != NULL && colon > text && colon[1] != '\0' &&
         strspn (text, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "+.-") >= (gsize) (colon - text);
}

/* Returns: the kind of a text that was typed, pasted or dropped
 * @value: (out) (nullable): the words, the address, Apple's number, or the path */
EarDiscoveryInput
ear_discovery_input_read (const char *text, char **value)
{
  g_autofree char *stripped = g_strstrip (g_utf8_make_valid (text, -1));
  g_autofree char *address = ear_address_clean (stripped);

  *value = NULL;
  if (*stripped == '\0')
    return EAR_DISCOVERY_NOTHING;

  *value = read_apple (stripped);
  if (*value == NULL && address != NULL)
    *value = find_apple_number (address);
  if (*value != NULL)
    return EAR_DISCOVERY_APPLE;

  *value = read_path (stripped);
  if (*value != NULL)
    return EAR_DISCOVERY_FILE;

  if (address != NULL && (strstr (stripped, "://") != NULL || has_domain (address)))
    {
      *value = g_steal_pointer (&address);
      return EAR_DISCOVERY_ADDRESS;
    }
  if (resembles_address (stripped))
    return EAR_DISCOVERY_UNKNOWN;

  *value = g_steal_pointer (&stripped);
  return EAR_DISCOVERY_WORDS;
}
