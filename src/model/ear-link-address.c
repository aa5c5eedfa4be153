/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-address.h"

#include "ear-address.h"

#include <string.h>

/* Addresses of pages for the reading list: removal of tracking
 * parameters, and comparison */

/* Query parameters that only track the origin of a click; a `*` at the end
 * matches any rest */
static const char *const trackers[] = {
  "utm_*", "mc_cid", "mc_eid", "fbclid", "gclid", "gbraid", "wbraid", "dclid", "msclkid", "yclid", "igshid", "igsh",
  "mkt_tok", "_hsenc", "_hsmi", "hsctatracking", "vero_id", "oly_enc_id", "oly_anon_id", "ref_src", "s_cid", "spm", "trk",
};

static char *
dup_host (GUri *uri)
{
  g_autofree char *host = g_ascii_strdown (g_uri_get_host (uri), -1);

  return g_strdup (g_str_has_prefix (host, "www.") ? host + strlen ("www.") : host);
}

static gboolean
is_tracker (const char *parameter)
{
  const gsize length = strcspn (parameter, "=");

  for (gsize i = 0; i < G_N_ELEMENTS (trackers); i++)
    {
      const char *star = strchr (trackers[i], '*');
      const gsize known = star != NULL ? (gsize) (star - trackers[i]) : strlen (trackers[i]);

      if ((star != NULL ? length >= known : length == known) && g_ascii_strncasecmp (parameter, trackers[i], known) == 0)
        return TRUE;
    }

  return FALSE;
}

static char *
dup_clean_query (const char *query)
{
  g_auto (GStrv) parameters = query != NULL ? g_strsplit (query, "&", -1) : NULL;
  g_autoptr (GString) clean = g_string_new (NULL);

  for (guint i = 0; parameters != NULL && parameters[i] != NULL; i++)
    if (!is_tracker (parameters[i]))
      g_string_append_printf (clean, "%s%s", clean->len > 0 ? "&" : "", parameters[i]);

  return clean->len > 0 ? g_string_free_and_steal (g_steal_pointer (&clean)) : NULL;
}

/* Drops a text fragment (`#:~:text=`), which only highlights text. */
static char *
dup_clean_fragment (const char *fragment)
{
  const char *directive = fragment != NULL ? strstr (fragment, ":~:") : NULL;
  g_autofree char *clean = directive != NULL ? g_strndup (fragment, (gsize) (directive - fragment)) : g_strdup (fragment);

  return clean != NULL && *clean != '\0' ? g_steal_pointer (&clean) : NULL;
}

/**
 * ear_link_address_dup_clean:
 * @address: an address in the notes
 *
 * Returns: (transfer full) (nullable): the address without tracking parameters; %NULL if
 *   a browser could not open it
 */
char *
ear_link_address_dup_clean (const char *address)
{
  g_autoptr (GUri) uri = ear_address_is_web (address) ? g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL) : NULL;
  g_autofree char *query = NULL;
  g_autofree char *fragment = NULL;
  g_autofree char *clean = NULL;

  if (uri == NULL)
    return NULL;
  query = dup_clean_query (g_uri_get_query (uri));
  fragment = dup_clean_fragment (g_uri_get_fragment (uri));
  clean = g_uri_join (EAR_ADDRESS_FLAGS, g_uri_get_scheme (uri), g_uri_get_userinfo (uri), g_uri_get_host (uri), g_uri_get_port (uri),
                      g_uri_get_path (uri), query, fragment);

  return ear_address_is_web (clean) && strlen (clean) <= EAR_LINK_ADDRESS_LIMIT ? g_steal_pointer (&clean) : NULL;
}

/**
 * ear_link_address_dup_key:
 * @address: a clean address
 *
 * Returns: (transfer full): a key for all spellings of the address (see
 *   [func@ear_address_key]), including the fragment: two sections of a manual are two
 *   things to read
 */
char *
ear_link_address_dup_key (const char *address)
{
  g_autofree char *key = ear_address_key (address);
  const char *fragment = strchr (address, '#');

  return fragment != NULL ? g_strconcat (key, fragment, NULL) : g_steal_pointer (&key);
}

/* Returns: (transfer full) (nullable): the host as displayed, without `www.` */
char *
ear_link_address_dup_host (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL);

  return uri != NULL && g_uri_get_host (uri) != NULL ? dup_host (uri) : NULL;
}

/* Returns: (transfer full): a display name for a page without a title: its address as
 * people write it, `example.org/a` */
char *
ear_link_address_dup_words (const char *address)
{
  const char *begin = strstr (address, "://");
  g_autofree char *plain = NULL;
  gsize length;

  begin = begin != NULL ? begin + strlen ("://") : address;
  if (g_ascii_strncasecmp (begin, "www.", strlen ("www.")) == 0)
    begin += strlen ("www.");
  plain = g_uri_unescape_string (begin, NULL);
  if (plain == NULL || !g_utf8_validate (plain, -1, NULL))
    {
      g_free (plain);
      plain = g_strdup (begin);
    }
  length = strlen (plain);
  if (length > 1 && plain[length - 1] == '/')
    plain[length - 1] = '\0';

  return g_steal_pointer (&plain);
}

/* Returns an id for the catalogue. A strong digest: with a collision, an attacker could
 * give one link the words of another. */
gint64
ear_link_address_make_id (const char *key)
{
  g_autofree char *digest = ear_address_hash (key, NULL);

  digest[16] = '\0';

  return (gint64) g_ascii_strtoull (digest, NULL, 16);
}
