/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-page-links.h"

#include "ear-address.h"
#include "ear-html-tokenizer.h"
#include "ear-text-decoder.h"
#include "ear-text-line.h"

#include <string.h>

/* Feeds announced by a web page: `<link rel="alternate" type="…">`
 * (https://www.rssboard.org/rss-autodiscovery). Pages without it often have a plain link
 * to a feed, which is used if there is nothing better. */

#define MAX_LINKS 20
#define MAX_LINE 300

typedef struct
{
  GPtrArray *links;   /* (element-type EarPageLink): announced by the page */
  GPtrArray *anchors; /* (element-type EarPageLink): links that look like feeds */
  char *base;
  gboolean has_base;
} Finder;

/* Returns: whether a list of words, as in `rel`, contains a word */
static gboolean
has_word (const char *list, const char *word)
{
  g_auto (GStrv) words = g_strsplit_set (list, " \t\r\n\f,", -1);

  for (char **p = words; *p != NULL; p++)
    if (g_ascii_strcasecmp (*p, word) == 0)
      return TRUE;

  return FALSE;
}

static gboolean
is_feed_type (const char *type)
{
  static const char *const types[] = { "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/x.atom+xml",
                                       "application/x-atom+xml", "application/x-rss+xml", "application/rss", "application/atom",
                                       "text/rss+xml", "text/rss", "text/atom+xml", "text/xml", "application/xml" };
  gsize length = strcspn (type, "; \t");

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (strlen (types[i]) == length && g_ascii_strncasecmp (types[i], type, length) == 0)
      return TRUE;

  return FALSE;
}

/* Recognizes common feed URLs by a word in the path or the host. */
static gboolean
looks_like_feed (const char *address)
{
  static const char *const ends[] = { ".rss", ".xml", ".rdf", ".atom", "/feed", "/rss", "/atom", "/feed/mp3", "/podcast.xml", "/itunes" };
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED, NULL);
  g_autofree char *path = uri != NULL ? g_ascii_strdown (g_uri_get_path (uri), -1) : NULL;
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;

  if (path == NULL)
    return FALSE;
  if (g_str_has_suffix (path, "/"))
    path[strlen (path) - 1] = '\0';
  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (path, ends[i]))
      return TRUE;

  return host != NULL && (g_str_has_prefix (host, "feeds.") || g_str_has_prefix (host, "feed.") || g_str_has_prefix (host, "rss."));
}

static void
add_link (GPtrArray *links, const char *address, const char *title)
{
  EarPageLink *link;

  for (guint i = 0; i < links->len; i++)
    if (g_str_equal (((EarPageLink *) g_ptr_array_index (links, i))->address, address))
      return;
  if (links->len >= MAX_LINKS)
    return;

  link = g_new0 (EarPageLink, 1);
  link->address = g_strdup (address);
  link->title = title != NULL ? ear_text_line (title, EAR_TEXT_LITERAL, MAX_LINE) : NULL;
  g_ptr_array_add (links, link);
}

/* `feed:` before a URL, or in place of its scheme, marks a link for podcast programs. */
static char *
resolve (Finder *finder, const char *reference)
{
  g_autofree char *stripped = g_strstrip (g_strdup (reference));

  if (strchr (stripped, ':') != NULL && (g_ascii_strncasecmp (stripped, "feed:", 5) == 0 || g_ascii_strncasecmp (stripped, "pcast:", 6) == 0 ||
                                         g_ascii_strncasecmp (stripped, "podcast:", 8) == 0 || g_ascii_strncasecmp (stripped, "itpc:", 5) == 0))
    return ear_address_clean (stripped);

  return ear_address_resolve (finder->base, stripped);
}

static void
read_link (Finder *finder, EarHtmlTokenizer *token)
{
  g_autofree char *rel = ear_html_tokenizer_dup_attribute (token, "rel");
  g_autofree char *type = ear_html_tokenizer_dup_attribute (token, "type");
  g_autofree char *href = ear_html_tokenizer_dup_attribute (token, "href");
  g_autofree char *title = ear_html_tokenizer_dup_attribute (token, "title");
  g_autofree char *address = NULL;
  gboolean is_feed;

  if (rel == NULL || href == NULL)
    return;
  /* `alternate` without a type is a translation or a mobile page. */
  is_feed = (has_word (rel, "alternate") && type != NULL && is_feed_type (g_strstrip (type))) ||
            (has_word (rel, "feed") && (type == NULL || is_feed_type (g_strstrip (type))));
  address = is_feed ? resolve (finder, href) : NULL;
  if (address != NULL)
    add_link (finder->links, address, title);
}

static void
read_anchor (Finder *finder, EarHtmlTokenizer *token)
{
  g_autofree char *href = ear_html_tokenizer_dup_attribute (token, "href");
  g_autofree char *type = ear_html_tokenizer_dup_attribute (token, "type");
  g_autofree char *title = ear_html_tokenizer_dup_attribute (token, "title");
  g_autofree char *address = href != NULL ? resolve (finder, href) : NULL;

  if (address != NULL && ((type != NULL && is_feed_type (type) && !g_str_has_suffix (type, "/xml")) || looks_like_feed (address)))
    add_link (finder->anchors, address, title);
}

static void
read_base (Finder *finder, EarHtmlTokenizer *token)
{
  g_autofree char *href = ear_html_tokenizer_dup_attribute (token, "href");
  g_autofree char *base = ear_address_resolve (finder->base, href);

  /* Only the first <base> counts. */
  if (base == NULL || finder->has_base)
    return;
  finder->has_base = TRUE;
  g_set_str (&finder->base, base);
}

static void
read_page (Finder *finder, const char *html)
{
  EarHtmlTokenizer token;

  ear_html_tokenizer_init (&token, html);
  while (ear_html_tokenizer_next (&token))
    {
      if (token.type != EAR_HTML_START)
        continue;
      if (strcmp (token.name, "link") == 0)
        read_link (finder, &token);
      else if (strcmp (token.name, "a") == 0)
        read_anchor (finder, &token);
      else if (strcmp (token.name, "base") == 0)
        read_base (finder, &token);
    }
}

/* Blogs announce the feed of their comments the same way. */
static gboolean
is_comments (const EarPageLink *link)
{
  g_autofree char *address = g_ascii_strdown (link->address, -1);
  g_autofree char *title = link->title != NULL ? g_utf8_casefold (link->title, -1) : NULL;

  return strstr (address, "/comments/") != NULL || (title != NULL && strstr (title, "comment") != NULL);
}

static int
compare_links (gconstpointer a, gconstpointer b)
{
  return is_comments (*(const EarPageLink *const *) a) - is_comments (*(const EarPageLink *const *) b);
}

EAR_DEFINE_TEXTS_FREE (EarPageLink, ear_page_link_free, title)

/**
 * ear_page_find_feeds:
 * @bytes: a web page, whole or cut off, well-formed or not
 * @content_type: (nullable): the Content-Type header
 * @address: the URL of the page
 *
 * Finds the feeds that a web page announces, or else links that look like feeds. Feeds of
 * comments come last.
 *
 * Returns: (transfer full) (element-type EarPageLink): the feeds, at most 20, maybe none
 */
GPtrArray *
ear_page_find_feeds (GBytes *bytes, const char *content_type, const char *address)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_page_link_free);
  g_autoptr (GPtrArray) anchors = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_page_link_free);
  g_autoptr (GString) html = ear_text_decode (bytes, content_type);
  GPtrArray *found;
  Finder finder = { links, anchors, g_strdup (address), FALSE };

  read_page (&finder, html->str);
  g_free (finder.base);
  found = links->len > 0 ? g_steal_pointer (&links) : g_steal_pointer (&anchors);
  g_ptr_array_sort (found, compare_links);

  return found;
}
