/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-media-content.h"

#include "ear-address.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Detects a file's type by its first bytes: servers and feeds often report
 * a wrong type. */

/* Limit of a playlist's entries */
#define MAX_ENTRIES 200

/* Bytes examined to detect text */
#define TEXT_SIZE 512

/* MP4 files have few boxes, and their tracks are described early in the `moov` box. */
#define MAX_BOXES 256
#define MAX_MOOV (8 * 1024 * 1024)

/* Bytes at `offset` that identify a format, and the file name ending of the format, NULL
 * if it is no media */
typedef struct
{
  guint offset;
  guint length;
  const char *bytes;
  EarMediaContent content;
  const char *ending;
} Signature;

#define AT(offset, bytes, content, ending)                                                         \
  {                                                                                                \
    offset, sizeof bytes - 1, bytes, EAR_MEDIA_CONTENT_##content, ending                           \
  }

static const Signature signatures[] = {
  AT (0, "fLaC", MEDIA, "flac"),
  AT (8, "WAVE", MEDIA, "wav"),
  AT (8, "AIFF", MEDIA, "aiff"),
  AT (8, "AIFC", MEDIA, "aiff"),
  AT (8, "AVI ", MEDIA, "avi"),
  AT (0, "caff", MEDIA, "caf"),
  AT (0, ".snd", MEDIA, "au"),
  AT (0, "#!AMR", MEDIA, "amr"),
  AT (0, "wvpk", MEDIA, "wv"),
  AT (0, "MAC ", MEDIA, "ape"),
  AT (0, "MPCK", MEDIA, "mpc"),
  AT (0, "MP+", MEDIA, "mpc"),
  AT (0, "TTA1", MEDIA, "tta"),
  AT (0, "MThd", MEDIA, "mid"),
  AT (0, "FLV\x01", MEDIA, "flv"),
  AT (0, "\x0b\x77", MEDIA, "ac3"),
  AT (0, "\0\0\x01\xba", MEDIA, "mpg"),
  AT (0, "\x89PNG\r\n\x1a\n", PICTURE, NULL),
  AT (0, "\xff\xd8\xff", PICTURE, NULL),
  AT (0, "GIF87a", PICTURE, NULL),
  AT (0, "GIF89a", PICTURE, NULL),
  AT (8, "WEBP", PICTURE, NULL),
  AT (0, "II*\0", PICTURE, NULL),
  AT (0, "MM\0*", PICTURE, NULL),
  AT (0, "\0\0\x01\0", PICTURE, NULL),
  AT (0, "8BPS", PICTURE, NULL),
  AT (0, "\0\0\0\x0cJXL ", PICTURE, NULL),
  AT (0, "\0\0\0\x0cjP  ", PICTURE, NULL),
  AT (0, "%PDF-", DOCUMENT, NULL),
};

/* Chunks of RIFF and IFF files: the signatures at offset 8 count only after
 * one of these. */
static const char *const containers[] = { "RIFF", "RF64", "BW64", "FORM" };

static gboolean
has_at (const guint8 *data, gsize length, gsize offset, const void *bytes, gsize n_bytes)
{
  return length >= offset + n_bytes && memcmp (data + offset, bytes, n_bytes) == 0;
}

static gboolean
contains (const guint8 *data, gsize length, const char *word)
{
  return memmem (data, length, word, strlen (word)) != NULL;
}

static const Signature *
find_signature (const guint8 *data, gsize length)
{
  gboolean contained = FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (containers); i++)
    contained = contained || has_at (data, length, 0, containers[i], 4);
  for (gsize i = 0; i < G_N_ELEMENTS (signatures); i++)
    if (has_at (data, length, signatures[i].offset, signatures[i].bytes, signatures[i].length) &&
        (signatures[i].offset == 0 || contained))
      return &signatures[i];

  return NULL;
}

/* Returns: (nullable): the file name ending, if an ADTS frame (ISO 13818-7, 6.2) or an MPEG
 * frame of layer II or III (ISO 11172-3, 2.4.1.3) begins at the first byte */
static const char *
find_frame (const guint8 *data, gsize length)
{
  guint version, layer, bitrate, rate;

  if (length < 4 || data[0] != 0xff || (data[1] & 0xe0) != 0xe0)
    return NULL;
  if ((data[1] & 0xf6) == 0xf0)
    return ((data[2] >> 2) & 15) <= 12 ? "aac" : NULL;

  version = (data[1] >> 3) & 3;
  layer = 4 - ((data[1] >> 1) & 3);
  bitrate = data[2] >> 4;
  rate = (data[2] >> 2) & 3;

  return version != 1 && (layer == 2 || layer == 3) && bitrate != 0 && bitrate != 15 && rate != 3
             ? "mp3"
             : NULL;
}

/* Returns: offset of the media after an ID3 tag; may exceed @length */
static gsize
skip_id3 (const guint8 *data, gsize length)
{
  if (!has_at (data, length, 0, "ID3", 3))
    return 0;
  /* A damaged tag */
  if (length < 10 || ((data[6] | data[7] | data[8] | data[9]) & 0x80) != 0)
    return 3;

  return 10 +
         (((gsize) data[6] << 21) | ((gsize) data[7] << 14) | ((gsize) data[8] << 7) | data[9]) +
         ((data[5] & 0x10) != 0 ? 10 : 0);
}

/* @moov: (array length=length): an MP4 file's `moov` box, or a part of it
 * Returns: whether it describes a video track */
static gboolean
has_mp4_video (const guint8 *moov, gsize length)
{
  const guint8 *found;

  /* A box `hdlr`: version and flags, a number, and the type of the track
   * (ISO 14496-12, 8.4.3) */
  for (gsize i = 0; i + 16 <= length; i = (gsize) (found - moov) + 4)
    {
      found = memmem (moov + i, length - i, "hdlr", 4);
      if (found == NULL)
        return FALSE;
      if (has_at (moov, length, (gsize) (found - moov) + 12, "vide", 4))
        return TRUE;
    }

  return FALSE;
}

/* Audio files may have a video track of chapter images: these brands decide. */
static const char *
find_brand_ending (const guint8 *data, gsize length)
{
  static const char *const brands[][2] = {
    { "M4A ", "m4a" }, { "M4P ", "m4a" }, { "M4B ", "m4b" }, { "M4V ", "m4v" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (brands); i++)
    if (has_at (data, length, 8, brands[i][0], 4))
      return brands[i][1];

  return NULL;
}

static const char *
find_mp4_ending (const guint8 *data, gsize length, gboolean has_video)
{
  if (!has_video)
    return "m4a";

  return has_at (data, length, 8, "qt  ", 4) || !has_at (data, length, 4, "ftyp", 4) ? "mov"
                                                                                     : "mp4";
}

/* Whether the first box of a file is one of these */
static gboolean
has_box (const guint8 *data, gsize length, const char *const *boxes, gsize offset)
{
  for (; *boxes != NULL; boxes++)
    if (has_at (data, length, offset, *boxes, 4))
      return TRUE;

  return FALSE;
}

static gboolean
is_mp4 (const guint8 *data, gsize length)
{
  static const char *const boxes[] = { "ftyp", "moov", "wide", "mdat", NULL };

  return has_box (data, length, boxes, 4);
}

static gboolean
is_mp4_picture (const guint8 *data, gsize length)
{
  static const char *const pictures[] = { "avif", "avis", "heic", "heix", "hevc", "heim",
                                          "heis", "mif1", "msf1", "crx ", NULL };

  return has_at (data, length, 4, "ftyp", 4) && has_box (data, length, pictures, 8);
}

static const char *
find_ogg_ending (const guint8 *data, gsize length)
{
  static const char *const codecs[][2] = {
    { "\x80theora", "ogv" }, { "BBCD", "ogv" }, { "OVP80", "ogv" }, { "OpusHead", "opus" },
    { "\x7f" "FLAC", "oga" }, { "Speex   ", "spx" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (codecs); i++)
    if (contains (data, MIN (length, 4096), codecs[i][0]))
      return codecs[i][1];

  return "ogg";
}

static const char *
find_container (const guint8 *data, gsize length)
{
  if (has_at (data, length, 0, "OggS", 4))
    return find_ogg_ending (data, length);
  /* Matroska; the element TrackType (0x83) has one byte: 1 for video */
  if (has_at (data, length, 0, "\x1a\x45\xdf\xa3", 4))
    return contains (data, MIN (length, 128), "webm")      ? "webm"
           : contains (data, length, "\x83\x81\x01") ? "mkv"
                                                     : "mka";
  /* ASF; the type of a video stream (the ID has zeros after these bytes) */
  if (has_at (data, length, 0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", 8))
    return contains (data, length, "\xc0\xef\x19\xbc\x4d\x5b\xcf\x11\xa8\xfd") ? "wmv" : "wma";
  if (is_mp4 (data, length))
    {
      const char *ending = find_brand_ending (data, length);

      return ending != NULL ? ending : find_mp4_ending (data, length, has_mp4_video (data, length));
    }
  /* An MPEG transport stream */
  if (length > 2 * 188 && data[0] == 0x47 && data[188] == 0x47 && data[2 * 188] == 0x47)
    return "ts";

  return NULL;
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
          (kinds[i].word == NULL || contains ((const guint8 *) text, range, kinds[i].word)))
        return kinds[i].content;
    }

  return EAR_MEDIA_CONTENT_UNKNOWN;
}

/* @data: the first bytes of a file, `EAR_MEDIA_HEAD_SIZE` of them unless it is shorter
 * @ending: (out) (optional) (nullable): the file name ending of the format, if it is media
 * Returns: the type of the file, by its bytes alone */
EarMediaContent
ear_media_content_sniff (const guint8 *data, gsize length, const char **ending)
{
  const Signature *signature;
  EarMediaContent content = EAR_MEDIA_CONTENT_MEDIA;
  const char *found = NULL;
  gboolean tagged = FALSE;

  for (gsize tag; (tag = skip_id3 (data, length)) > 0; tagged = TRUE)
    {
      data += MIN (tag, length);
      length -= MIN (tag, length);
    }
  signature = find_signature (data, length);
  if (is_mp4_picture (data, length))
    content = EAR_MEDIA_CONTENT_PICTURE;
  else if (signature != NULL)
    {
      content = signature->content;
      found = signature->ending;
    }
  else if ((found = find_container (data, length)) == NULL)
    {
      content = sniff_text ((const char *) data, length);
      found = content == EAR_MEDIA_CONTENT_UNKNOWN ? find_frame (data, length) : NULL;
      if (found != NULL)
        content = EAR_MEDIA_CONTENT_MEDIA;
    }
  /* Most files with an ID3 tag are MP3, but not all. */
  if (tagged && found == NULL)
    found = "mp3";
  if (ending != NULL)
    *ending = found;

  return tagged ? EAR_MEDIA_CONTENT_MEDIA : content;
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

/* @file: an open file, or -1
 * Returns: the number of bytes read; fewer than @length at the end of the file */
static gsize
read_at (int file, gint64 position, guint8 *data, gsize length)
{
  gsize got = 0;

  while (got < length)
    {
      const gssize more = pread (file, data + got, length - got, position + (gint64) got);

      if (more <= 0)
        break;
      got += (gsize) more;
    }

  return got;
}

/* The tracks may be described at the end of the file. */
static gboolean
file_has_mp4_video (int file)
{
  gint64 position = 0;

  for (guint i = 0; i < MAX_BOXES; i++)
    {
      guint8 header[16];
      const gsize got = read_at (file, position, header, sizeof header);
      guint32 short_size;
      guint64 size;

      memcpy (&short_size, header, sizeof short_size);
      size = got >= 8 ? GUINT32_FROM_BE (short_size) : 0;
      if (size == 1 && got == sizeof header)
        {
          memcpy (&size, header + 8, sizeof size);
          size = GUINT64_FROM_BE (size);
        }
      if (got >= 8 && memcmp (header + 4, "moov", 4) == 0)
        {
          g_autofree guint8 *moov = g_malloc (MAX_MOOV);

          return has_mp4_video (
              moov, read_at (file, position, moov, MIN (size > 0 ? size : MAX_MOOV, MAX_MOOV)));
        }
      if (size < 8 || size > G_MAXINT64 / 2 || position > G_MAXINT64 / 2)
        break;
      position += (gint64) size;
    }

  return FALSE;
}

/* Reads only the parts of the file that identify its format.
 * Returns: (nullable): the file name ending of the format, or %NULL if it is not media */
const char *
ear_media_content_find_ending (const char *path)
{
  g_autofd int file = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  g_autofree guint8 *data = g_malloc (EAR_MEDIA_HEAD_SIZE);
  gsize length = read_at (file, 0, data, EAR_MEDIA_HEAD_SIZE);
  const gsize tag = skip_id3 (data, length);
  const char *ending = NULL;
  const char *behind = NULL;

  if (ear_media_content_sniff (data, length, &ending) != EAR_MEDIA_CONTENT_MEDIA)
    return NULL;
  if (is_mp4 (data, length) && find_brand_ending (data, length) == NULL)
    return find_mp4_ending (data, length, file_has_mp4_video (file));
  /* ID3 tags with an image are longer. */
  if (tag >= length)
    {
      length = read_at (file, (gint64) tag, data, EAR_MEDIA_HEAD_SIZE);
      ear_media_content_sniff (data, length, &behind);
    }

  return behind != NULL ? behind : ending;
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
