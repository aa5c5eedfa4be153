/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-seed.h"

#include <string.h>

/* Serves a real feed with the addresses of sound and pictures replaced and every other
 * byte unchanged. So its text is scanned tag by tag, not parsed. */

typedef struct
{
  /* Input */
  const char *base;
  const char *feed_address; /* nullable */

  /* State */
  GString *out;
  guint enclosures;
  gboolean in_image;
  gboolean drop_text; /* skip the old text, whose replacement is written */
} Rewriter;

static gboolean
tag_is (const char *tag,
        const char *name)
{
  gsize length = strlen (name);

  return strncmp (tag, name, length) == 0 && strchr (" \t\r\n/>", tag[length]) != NULL;
}

/* Appends the tag with the value of attribute @name replaced. */
static void
append_with_attribute (GString    *out,
                       const char *tag,
                       gsize       length,
                       const char *name,
                       const char *value)
{
  g_autofree char *text = g_strndup (tag, length);
  g_autofree char *escaped = g_markup_escape_text (value, -1);
  g_autoptr (GRegex) regex = NULL;
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *pattern = g_strdup_printf ("\\s%s\\s*=\\s*(\"[^\"]*\"|'[^']*')", name);
  int start, end;

  regex = g_regex_new (pattern, G_REGEX_RAW, 0, NULL);
  if (!g_regex_match (regex, text, 0, &match) || !g_match_info_fetch_pos (match, 1, &start, &end))
    {
      g_string_append_len (out, tag, length);
      return;
    }

  g_string_append_len (out, text, start + 1);
  g_string_append (out, escaped);
  g_string_append (out, text + end - 1);
}

static void
append_tag (Rewriter   *self,
            const char *tag,
            gsize       length)
{
  g_autofree char *audio = NULL;
  g_autofree char *cover = g_strconcat (self->base, "/cover", NULL);

  self->drop_text = FALSE;
  if (tag_is (tag, "<enclosure"))
    {
      audio = g_strdup_printf ("%s/audio/%u.mp3", self->base, self->enclosures++);
      append_with_attribute (self->out, tag, length, "url", audio);
      return;
    }
  if (tag_is (tag, "<itunes:image"))
    {
      append_with_attribute (self->out, tag, length, "href", cover);
      return;
    }
  if (tag_is (tag, "<media:thumbnail"))
    {
      append_with_attribute (self->out, tag, length, "url", cover);
      return;
    }
  if (self->feed_address != NULL && tag_is (tag, "<atom:link") && memmem (tag, length, "\"self\"", 6) != NULL)
    {
      append_with_attribute (self->out, tag, length, "href", self->feed_address);
      return;
    }

  g_string_append_len (self->out, tag, length);
  if (tag_is (tag, "<image"))
    self->in_image = TRUE;
  else if (tag_is (tag, "</image"))
    self->in_image = FALSE;
  else if (self->in_image && tag_is (tag, "<url"))
    {
      g_string_append (self->out, cover);
      self->drop_text = TRUE;
    }
  else if (self->feed_address != NULL && tag_is (tag, "<itunes:new-feed-url"))
    {
      g_string_append (self->out, self->feed_address);
      self->drop_text = TRUE;
    }
}

/* Returns the end of the markup at @p; CDATA and comments may contain '>'. */
static const char *
find_markup_end (const char *p,
                 const char *end)
{
  const char *stop = ">";
  const char *found;

  if (g_str_has_prefix (p, "<![CDATA["))
    stop = "]]>";
  else if (g_str_has_prefix (p, "<!--"))
    stop = "-->";
  found = memmem (p, end - p, stop, strlen (stop));

  return found != NULL ? found + strlen (stop) : end;
}

/**
 * ear_test_seed_rewrite:
 * @feed: an RSS feed
 * @base: the address of `/audio/N.mp3` and `/cover`
 * @feed_address: (nullable): the address that the feed claims for itself; %NULL
 *   keeps the original
 *
 * Changes enclosures and pictures to this server, and leaves all other text
 * byte for byte.
 *
 * Returns: (transfer full): the feed to serve
 */
GBytes *
ear_test_seed_rewrite (GBytes     *feed,
                       const char *base,
                       const char *feed_address)
{
  gsize size;
  const char *text = g_bytes_get_data (feed, &size);
  /* A copy with a terminator, so that the searches below never run past it. */
  g_autofree char *copy = g_strndup (text, size);
  const char *end = copy + strlen (copy);
  const char *p = copy;
  Rewriter self = { .base = base, .feed_address = feed_address, .out = g_string_sized_new (size) };

  while (p < end)
    {
      const char *next;

      if (*p == '<')
        {
          next = find_markup_end (p, end);
          if (p[1] == '!')
            g_string_append_len (self.out, p, next - p);
          else
            append_tag (&self, p, next - p);
        }
      else
        {
          next = memchr (p, '<', end - p);
          if (next == NULL)
            next = end;
          if (!self.drop_text)
            g_string_append_len (self.out, p, next - p);
        }
      p = next;
    }

  return g_string_free_to_bytes (self.out);
}
