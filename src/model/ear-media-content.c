/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-media-content.h"

#include "ear-address.h"

#include <string.h>

/* Detects a file's type by its first bytes: servers and feeds often report a wrong type. The
 * shared MIME database knows the formats, but not the kinds of text below. */

/* Limit of a playlist's entries */
#define MAX_ENTRIES 200

/* Bytes of a file that identify its format, and those that are examined to detect text */
#define HEAD_SIZE (16 * 1024)
#define TEXT_SIZE 512

/* Returns: offset of the media after an ID3 tag; may exceed @length */
static gsize
skip_id3 (const guint8 *data, gsize length)
{
  if (length < 3 || memcmp (data, "ID3", 3) != 0)
    return 0;
  /* A damaged tag */
  if (length < 10 || ((data[6] | data[7] | data[8] | data[9]) & 0x80) != 0)
    return 3;

  return 10 +
         (((gsize) data[6] << 21) | ((gsize) data[7] << 14) | ((gsize) data[8] << 7) | data[9]) +
         ((data[5] & 0x10) != 0 ? 10 : 0);
}

/* @is_tagged: whether an ID3 tag precedes the bytes
 * Returns: (transfer full): the media type of a file with these first bytes */
static char *
guess_type (const guint8 *data, gsize length, gboolean is_tagged)
{
  g_autofree char *type = NULL;

  for (gsize tag; (tag = skip_id3 (data, length)) > 0; is_tagged = TRUE)
    {
      data += MIN (tag, length);
      length -= MIN (tag, length);
    }
  type = g_content_type_guess (NULL, data, length, NULL);

  /* Most files with an ID3 tag are MP3, but not all. */
  return is_tagged && !g_str_has_prefix (type, "audio/") ? g_strdup ("audio/mpeg")
                                                         : g_steal_pointer (&type);
}

/* Moves @text past a byte order mark and white space. */
static void
skip_space (const char **text, gsize *length)
{
  const char *end = *text + *length;

  if (*length >= 3 && memcmp (*text, "\xef\xbb\xbf", 3) == 0)
    *text += 3;
  while (*text < end && g_ascii_isspace (**text))
    (*text)++;
  *length = (gsize) (end - *text);
}

static EarMediaContent
sniff_text (const char *text, gsize length)
{
  static const struct
  {
    const char *beginning;
    EarMediaContent content;
    const char *word; /* (nullable): within the first bytes */
  } kinds[] = {
    { "<!doctype html", EAR_MEDIA_CONTENT_PAGE, NULL },
    { "<html", EAR_MEDIA_CONTENT_PAGE, NULL },
    { "<head", EAR_MEDIA_CONTENT_PAGE, NULL },
    { "<body", EAR_MEDIA_CONTENT_PAGE, NULL },
    { "<!--", EAR_MEDIA_CONTENT_PAGE, NULL },
    { "#EXTM3U", EAR_MEDIA_CONTENT_STREAM, "#EXT-X-" },
    { "#EXTM3U", EAR_MEDIA_CONTENT_PLAYLIST, NULL },
    { "[playlist]", EAR_MEDIA_CONTENT_PLAYLIST, NULL },
    { "[reference]", EAR_MEDIA_CONTENT_PLAYLIST, NULL },
    { "<asx", EAR_MEDIA_CONTENT_PLAYLIST, NULL },
    { "http://", EAR_MEDIA_CONTENT_PLAYLIST, NULL },
    { "https://", EAR_MEDIA_CONTENT_PLAYLIST, NULL },
    { "<svg", EAR_MEDIA_CONTENT_PICTURE, NULL },
    { "<MPD", EAR_MEDIA_CONTENT_STREAM, NULL },
    { "<?xml", EAR_MEDIA_CONTENT_STREAM, "<MPD" },
    { "<?xml", EAR_MEDIA_CONTENT_PICTURE, "<svg" },
    { "<?xml", EAR_MEDIA_CONTENT_PLAYLIST, "<playlist" },
    { "<?xml", EAR_MEDIA_CONTENT_PLAYLIST, "<asx" },
    { "<?xml", EAR_MEDIA_CONTENT_PAGE, NULL },
  };

  skip_space (&text, &length);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const char *beginning = kinds[i].beginning;
      const gsize range = *beginning == '<' ? MIN (length, 1024) : length;

      if (length >= strlen (beginning) &&
          g_ascii_strncasecmp (text, beginning, strlen (beginning)) == 0 &&
          (kinds[i].word == NULL || g_strstr_len (text, (gssize) range, kinds[i].word) != NULL))
        return kinds[i].content;
    }

  return EAR_MEDIA_CONTENT_UNKNOWN;
}

/* @data: the first bytes of a file
 * Returns: the kind of the file, by its bytes alone */
EarMediaContent
ear_media_content_sniff (const guint8 *data, gsize length)
{
  const EarMediaContent content = sniff_text ((const char *) data, length);
  g_autofree char *type = NULL;

  if (content != EAR_MEDIA_CONTENT_UNKNOWN)
    return content;
  type = guess_type (data, length, FALSE);
  if (g_str_has_prefix (type, "image/"))
    return EAR_MEDIA_CONTENT_PICTURE;

  return g_str_equal (type, "application/pdf") ? EAR_MEDIA_CONTENT_DOCUMENT
                                               : EAR_MEDIA_CONTENT_UNKNOWN;
}

/* @data: the first bytes of a file
 * Returns: whether they are text, which no media begins with */
gboolean
ear_media_content_is_text (const guint8 *data, gsize length)
{
  const char *text = (const char *) data;
  const char *end;
  gboolean any = FALSE;

  length = MIN (length, TEXT_SIZE);
  /* The last character may be cut. */
  if (!g_utf8_validate_len (text, length, &end) && text + length - end >= 4)
    return FALSE;
  if (end < text + length && g_utf8_get_char_validated (end, text + length - end) != (gunichar) -2)
    return FALSE;

  for (const char *p = text; p < end; p++)
    {
      if (((guchar) *p < 0x20 && !g_ascii_isspace (*p)) || *p == 0x7f)
        return FALSE;
      any = any || !g_ascii_isspace (*p);
    }

  return any;
}

/* Returns: (transfer full) (nullable): the media type of a file by its first bytes, %NULL if it
 * cannot be read */
char *
ear_media_content_read_type (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  g_autofree guint8 *data = g_malloc (HEAD_SIZE);
  gsize length = 0;
  gsize tag;

  if (stream == NULL ||
      !g_input_stream_read_all (G_INPUT_STREAM (stream), data, HEAD_SIZE, &length, NULL, NULL))
    return NULL;
  tag = skip_id3 (data, length);
  if (tag == 0 || tag < length)
    return guess_type (data, length, FALSE);
  /* The tag has a cover, and is longer than the head. */
  if (!g_seekable_seek (G_SEEKABLE (stream), (goffset) tag, G_SEEK_SET, NULL, NULL) ||
      !g_input_stream_read_all (G_INPUT_STREAM (stream), data, HEAD_SIZE, &length, NULL, NULL))
    return NULL;

  return guess_type (data, length, TRUE);
}

/* @address: address of a file
 * @content_type: (nullable): the type reported by its server
 * Returns: whether its name or its type is a playlist's */
gboolean
ear_media_content_is_called_playlist (const char *address, const char *content_type)
{
  static const char *const types[] = {
    "audio/x-mpegurl", "audio/mpegurl", "application/x-mpegurl", "application/mpegurl",
    "application/vnd.apple.mpegurl", "application/vnd.apple.mpegurl.audio", "audio/x-scpls",
    "audio/scpls", "application/pls+xml", "application/xspf+xml", "video/x-ms-asx",
    "audio/x-ms-wax", NULL,
  };
  static const char *const endings[] = { ".m3u", ".m3u8", ".pls", ".xspf", ".asx", ".wax" };
  g_autofree char *type =
      content_type != NULL
          ? g_strstrip (g_ascii_strdown (content_type, (gssize) strcspn (content_type, ";")))
          : NULL;
  g_autofree char *path = g_ascii_strdown (address, (gssize) strcspn (address, "?#"));

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (path, endings[i]))
      return TRUE;

  return type != NULL && g_strv_contains (types, type);
}

/* Entries of a playlist: `<location>` of XSPF and `<ref href="...">` of ASX; `FileN=` of PLS and
 * `RefN=` of ASX in INI form; lines that are no comments */
#define XML_ENTRY "(?|<location>([^<]*)|<ref[^\"'<]*[\"']([^\"'<]*))"
#define INI_ENTRY "^[ \\t]*(?:file|ref)[0-9 \\t]*=(.*)$"
#define LINE_ENTRY "^[ \\t]*([^# \\t\\r\\n].*)$"

/* @text: (array length=length): a file detected as %EAR_MEDIA_CONTENT_PLAYLIST, or named
 * as one
 * @base: address of the file, for relative entries
 * Returns: (transfer full): the web addresses in it, each once */
GStrv
ear_playlist_parse (const char *text, gsize length, const char *base)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();
  g_autofree char *copy = NULL;
  g_autofree char *escaped = NULL;
  g_autoptr (GRegex) regex = NULL;
  g_autoptr (GMatchInfo) match = NULL;
  const char *pattern = LINE_ENTRY;

  skip_space (&text, &length);
  copy = g_strndup (text, MIN (length, EAR_PLAYLIST_LIMIT));
  escaped = ear_address_escape_bytes (copy);
  if (*escaped == '<')
    pattern = XML_ENTRY;
  else if (*escaped == '[')
    pattern = INI_ENTRY;
  regex = g_regex_new (pattern, G_REGEX_CASELESS | G_REGEX_MULTILINE | G_REGEX_NEWLINE_ANYCRLF, 0,
                       NULL);
  for (g_regex_match (regex, escaped, 0, &match);
       g_match_info_matches (match) && entries->len < MAX_ENTRIES; g_match_info_next (match, NULL))
    {
      g_autofree char *value = g_match_info_fetch (match, 1);
      g_autoptr (GString) reference = g_string_new (value);
      g_autofree char *address = NULL;

      if (*escaped == '<')
        g_string_replace (reference, "&amp;", "&", 0);
      address = ear_address_resolve (base, reference->str);
      if (address != NULL &&
          !g_ptr_array_find_with_equal_func (entries, address, g_str_equal, NULL))
        g_ptr_array_add (entries, g_steal_pointer (&address));
    }
  g_ptr_array_add (entries, NULL);

  return (GStrv) g_ptr_array_steal (entries, NULL);
}
