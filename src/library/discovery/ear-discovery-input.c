/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discovery-input.h"

#include "ear-address.h"

#include <string.h>

/* Apple's page of a podcast has its number in it: …/id1234567890, or ?id=… of old. Apple's own
 * programs write links as `itms://` and alike. */
#define APPLE_PAGE                                                                                 \
  "^(?i:https?|itmss?|itms-podcasts?|podcasts)://(?:[^/?#]*@)?"                                    \
  "(?i:podcasts|itunes|geo\\.itunes|embed\\.podcasts)(?i:\\.apple\\.com)(?::\\d*)?"                \
  "(?:/[^?#]*/id|/id|(?:/[^?#]*)?\\?id=)([0-9]{1,19})(?![0-9])"

static char *
find_apple_number (const char *address)
{
  g_autoptr (GRegex) regex = g_regex_new (APPLE_PAGE, G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  return g_regex_match (regex, address, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
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
  return strstr (text, "://") != NULL ||
         g_regex_match_simple ("^(?=[^ \\t\\r\\n]+$)(?:(?=.*@).*\\.|[A-Za-z0-9+.-]+:.)", text, 0,
                               0);
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

  *value = find_apple_number (stripped);
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
