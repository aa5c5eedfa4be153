/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include "ear-feed-values.h"
#include "ear-text-line.h"

#include <string.h>

#define MAX_ENCLOSURES 100
#define MAX_TYPE 64

/* Rank of a picture among the enclosures as the episode's picture */
#define PICTURE_RANK 8

static gboolean
has_suffix (const char *address, const char *const *suffixes)
{
  const gsize length = strcspn (address, "?#");

  for (gsize i = 0; suffixes[i] != NULL; i++)
    {
      const gsize size = strlen (suffixes[i]);

      if (length > size && g_ascii_strncasecmp (address + length - size, suffixes[i], size) == 0)
        return TRUE;
    }

  return FALSE;
}

static gboolean
has_media_suffix (const char *address)
{
  static const char *const suffixes[] = { ".mp3", ".m4a", ".m4b", ".ogg", ".oga", ".opus", ".aac", ".flac", ".wav",
                                          ".mp4", ".m4v", ".mov", ".webm", ".mkv", ".m3u8", NULL };

  return has_suffix (address, suffixes);
}

static gboolean
is_certain (const char *mime)
{
  return mime != NULL && strcmp (mime, "application/octet-stream") != 0 && strchr (mime, '/') != NULL;
}

/* Some feeds list pictures among the media. The type or the suffix may be wrong:
 * whichever says audio or video counts.
 * @mime: (nullable): a media type, in lower case */
static gboolean
is_picture (const char *mime, const char *address)
{
  static const char *const suffixes[] = { ".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".bmp", ".svg", ".ico", NULL };

  if (mime != NULL && g_str_has_prefix (mime, "image"))
    return !has_media_suffix (address);

  return !is_certain (mime) && has_suffix (address, suffixes);
}

static gboolean
is_playable (const char *mime, const char *address)
{
  if (mime != NULL && (g_str_has_prefix (mime, "audio/") || g_str_has_prefix (mime, "video/") ||
                       strcmp (mime, "application/ogg") == 0))
    return TRUE;
  if (is_certain (mime) && !g_str_has_prefix (mime, "image/"))
    return FALSE;

  return has_media_suffix (address);
}

/* HTTP Live Streaming (RFC 8216, section 10, and older names): played, not downloaded */
static gboolean
is_stream (const char *mime)
{
  static const char *const types[] = {
    "application/vnd.apple.mpegurl", "application/x-mpegurl", "application/mpegurl",
    "application/vnd.apple.mpegurl.audio",
  };
  g_autofree char *type = NULL;

  if (mime == NULL)
    return FALSE;
  type = g_strstrip (g_ascii_strdown (mime, (gssize) strcspn (mime, ";")));
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (type, types[i]))
      return TRUE;

  return FALSE;
}

/* Makes an alternate the first enclosure if no enclosure can be played. Prefers files to
 * streams, which cannot be downloaded. */
static void
use_alternate (EarFeedContext *self)
{
  for (gboolean streams = FALSE; streams <= TRUE; streams++)
    for (guint i = 0; i < self->alternates->len; i++)
      {
        const EarEnclosure *alternate = g_ptr_array_index (self->alternates, i);

        if (streams ? is_stream (alternate->mime_type)
                    : is_playable (alternate->mime_type, alternate->address))
          {
            g_ptr_array_insert (self->episode->enclosures, 0,
                                g_ptr_array_steal_index (self->alternates, i));
            return;
          }
      }
}

/* Moves pictures from the enclosures to the pictures. The first becomes the episode's
 * picture if the feed names none. */
static void
part_pictures (EarFeedContext *self)
{
  GPtrArray *enclosures = self->episode->enclosures;

  for (guint i = 0; i < enclosures->len;)
    {
      const EarEnclosure *enclosure = g_ptr_array_index (enclosures, i);

      if (!is_picture (enclosure->mime_type, enclosure->address))
        {
          i++;
          continue;
        }
      ear_feed_context_set (self, EAR_FIELD_IMAGE, PICTURE_RANK, enclosure->address);
      g_ptr_array_add (self->episode->pictures, g_ptr_array_steal_index (enclosures, i));
    }
}

/* Moves playable enclosures to the front, otherwise in feed order, and pictures apart. */
void
ear_feed_context_sort_media (EarFeedContext *self)
{
  GPtrArray *enclosures = self->episode->enclosures;
  guint n_playable = 0;

  part_pictures (self);
  for (guint i = 0; i < enclosures->len; i++)
    {
      const EarEnclosure *enclosure = g_ptr_array_index (enclosures, i);

      if (!is_playable (enclosure->mime_type, enclosure->address))
        continue;
      if (i > n_playable)
        g_ptr_array_insert (enclosures, n_playable, g_ptr_array_steal_index (enclosures, i));
      n_playable++;
    }
  if (n_playable == 0)
    use_alternate (self);
}

/* Adds an enclosure to the current episode. A second one of the same URL only fills in
 * missing facts.
 * @reference: (nullable): the URL of a media file
 * @mime_type: (nullable): its media type according to the feed
 * @size: (nullable): its size according to the feed */
void
ear_feed_context_add_media (EarFeedContext *self, const char *reference, const char *mime_type, const char *size)
{
  g_autofree char *address = ear_feed_context_resolve (self, reference);
  const gint64 bytes = size != NULL ? ear_feed_read_size (size) : 0;
  EarEnclosure *enclosure = NULL;

  if (address == NULL || self->episode == NULL || self->episode->enclosures->len >= MAX_ENCLOSURES)
    return;
  for (guint i = 0; i < self->episode->enclosures->len && enclosure == NULL; i++)
    {
      EarEnclosure *other = g_ptr_array_index (self->episode->enclosures, i);

      if (strcmp (other->address, address) == 0)
        enclosure = other;
    }
  if (enclosure == NULL)
    {
      enclosure = ear_enclosure_new ();
      enclosure->address = g_steal_pointer (&address);
      g_ptr_array_add (self->episode->enclosures, enclosure);
    }
  if (enclosure->mime_type == NULL && mime_type != NULL)
    {
      g_autofree char *line = ear_text_line (mime_type, EAR_TEXT_LITERAL, MAX_TYPE);

      enclosure->mime_type = line != NULL ? g_ascii_strdown (line, -1) : NULL;
    }
  if (enclosure->size == 0)
    enclosure->size = bytes;
}
