/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-text-decoder.h"

#include "ear-entities.h"

#include <errno.h>
#include <string.h>

/* Turns the bytes of a document into clean UTF-8, chunk by chunk: without byte order
 * marks, control characters that XML forbids, and invalid sequences.
 *
 * The encoding is taken from, in this order: byte order mark, pattern of the first bytes,
 * HTTP header, XML declaration, UTF-8. UTF-8, ASCII, Latin-1 and windows-1252 are treated
 * as one encoding: valid UTF-8 is read as UTF-8, and every other byte as windows-1252.
 * That is right for the many documents that are declared as one and written as another,
 * and for documents that mix both. */

/* Bytes examined before the encoding is decided */
#define HEAD_SIZE 1024

/* In bytes, in any encoding */
#define LONGEST_CHARACTER 8

/* U+FFFD in UTF-8 */
#define REPLACEMENT "\357\277\275"

struct _EarTextDecoder
{
  char *http_charset;
  GString *bytes; /* input waiting for the rest of a character, or for the encoding */
  GString *text;  /* converted input waiting for the rest of a character */
  gboolean decided;
  GIConv converter;  /* -1 for UTF-8 */
  guint unit;        /* size of a code unit, in bytes */
};

typedef struct
{
  const char *label;
  const char *encoding; /* (nullable): iconv's name; NULL for UTF-8 and its kin */
} Label;

/* Labels of the Encoding Standard that iconv reads differently or not at all */
static const Label labels[] = {
  { "utf-8", NULL }, { "utf8", NULL }, { "us-ascii", NULL }, { "ascii", NULL }, { "iso-8859-1", NULL },
  { "iso8859-1", NULL }, { "iso_8859-1", NULL }, { "latin1", NULL }, { "latin-1", NULL }, { "l1", NULL },
  { "windows-1252", NULL }, { "cp1252", NULL }, { "cp-1252", NULL }, { "x-cp1252", NULL }, { "ansi", NULL },
  { "ansi_x3.4-1968", NULL },
  /* UTF-16 and UTF-32 are recognized by their bytes: such a label on other bytes is
   * wrong. */
  { "utf-16", NULL }, { "utf16", NULL }, { "utf-16le", NULL }, { "utf-16be", NULL }, { "ucs-2", NULL },
  { "utf-32", NULL }, { "utf-32le", NULL }, { "utf-32be", NULL }, { "ucs-4", NULL }, { "iso-10646-ucs-2", NULL },
  /* UTF-7 would hide markup from filters. */
  { "utf-7", NULL },
  { "gb2312", "GB18030" }, { "gbk", "GB18030" }, { "x-gbk", "GB18030" }, { "gb_2312-80", "GB18030" },
  { "shift_jis", "CP932" }, { "shift-jis", "CP932" }, { "sjis", "CP932" }, { "x-sjis", "CP932" },
  { "windows-31j", "CP932" }, { "euc-kr", "CP949" }, { "ks_c_5601-1987", "CP949" }, { "x-euc-jp", "EUC-JP" },
  { "big5", "BIG5-HKSCS" }, { "x-x-big5", "BIG5-HKSCS" }, { "tis-620", "CP874" }, { "windows-874", "CP874" },
  { "iso-8859-11", "CP874" }, { "iso-8859-9", "CP1254" }, { "iso-8859-8-i", "ISO-8859-8" }, { "koi8-r", "KOI8-R" },
};

static GIConv
open_converter (const char *label)
{
  const char *encoding = label;

  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++)
    if (g_ascii_strcasecmp (label, labels[i].label) == 0)
      {
        encoding = labels[i].encoding;
        break;
      }
  if (encoding == NULL)
    return (GIConv) -1;

  return g_iconv_open ("UTF-8", encoding);
}

/* Returns: the value of `name` in a header or an XML declaration, with or without
 * quotes */
static char *
find_value (const char *text, const char *name)
{
  g_autofree char *lower = g_ascii_strdown (text, -1);
  const char *found = strstr (lower, name);
  const char *start;
  gsize length;

  if (found == NULL)
    return NULL;
  start = found + strlen (name);
  start += strspn (start, " \t\r\n");
  if (*start != '=')
    return NULL;
  start += 1 + strspn (start + 1, " \t\r\n\"'");
  length = strcspn (start, " \t\r\n\"';?>");

  return length > 0 && length < 40 ? g_strndup (start, length) : NULL;
}

static char *
find_declared (const guint8 *head, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) head, length);
  char *declaration;
  char *end;

  for (gsize i = 0; i < length && text[i] == '\0'; i++)
    text[i] = ' ';
  declaration = strstr (text, "<?xml");
  if (declaration == NULL)
    return NULL;
  end = strstr (declaration, "?>");
  if (end != NULL)
    *end = '\0';

  return find_value (declaration, "encoding");
}

/* Returns: whether there are characters outside ASCII, all of them valid UTF-8 */
static gboolean
is_surely_utf8 (const guint8 *head, gsize length)
{
  const char *end;
  gboolean valid = g_utf8_validate_len ((const char *) head, length, &end);
  gboolean outside = FALSE;

  for (const char *c = (const char *) head; c < end && !outside; c++)
    outside = (guint8) *c >= 0x80;

  return outside && (valid || end >= (const char *) head + length - 4);
}

/* Returns: (nullable): an encoding recognized by its first four bytes; %NULL for those
 *   that look like ASCII */
static const char *
find_by_pattern (const guint8 *b, gsize length)
{
  static const struct
  {
    guint8 bytes[4];
    gsize length;
    const char *encoding;
  } patterns[] = {
    { { 0xff, 0xfe, 0, 0 }, 4, "UTF-32LE" }, { { 0, 0, 0xfe, 0xff }, 4, "UTF-32BE" },
    { { '<', 0, 0, 0 }, 4, "UTF-32LE" },     { { 0, 0, 0, '<' }, 4, "UTF-32BE" },
    { { 0xff, 0xfe }, 2, "UTF-16LE" },       { { 0xfe, 0xff }, 2, "UTF-16BE" },
    { { '<', 0 }, 2, "UTF-16LE" },           { { 0, '<' }, 2, "UTF-16BE" },
    { { 0x4c, 0x6f, 0xa7, 0x94 }, 4, "IBM037" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    if (length >= patterns[i].length && memcmp (b, patterns[i].bytes, patterns[i].length) == 0)
      return patterns[i].encoding;

  return NULL;
}

static void
decide (EarTextDecoder *self)
{
  const guint8 *head = (const guint8 *) self->bytes->str;
  gsize length = MIN (self->bytes->len, HEAD_SIZE);
  const char *pattern = find_by_pattern (head, length);
  g_autofree char *declared = length > 0 ? find_declared (head, length) : NULL;

  self->decided = TRUE;
  self->converter = (GIConv) -1;
  self->unit = 1;
  if (length == 0)
    return;
  if (pattern != NULL)
    {
      self->converter = g_iconv_open ("UTF-8", pattern);
      self->unit = g_str_has_prefix (pattern, "UTF-32") ? 4 : g_str_has_prefix (pattern, "UTF-16") ? 2 : 1;
      return;
    }
  if ((length >= 3 && memcmp (head, "\357\273\277", 3) == 0) || is_surely_utf8 (head, length))
    return;
  if (self->http_charset != NULL)
    self->converter = open_converter (self->http_charset);
  if (self->converter == (GIConv) -1 && declared != NULL)
    self->converter = open_converter (declared);
}

static void
append_windows_1252 (GString *out, guint8 byte)
{
  g_string_append_unichar (out, ear_entity_windows_1252 (byte));
}

static gboolean
is_continuation (guint8 byte)
{
  return (byte & 0xc0) == 0x80;
}

/* Returns: the length of the UTF-8 sequence with this first byte; 1 for an invalid one */
static gsize
sequence_length (guint8 byte)
{
  if (byte >= 0xc2 && byte <= 0xdf)
    return 2;
  if ((byte & 0xf0) == 0xe0)
    return 3;

  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 1;
}

/* CESU-8: an emoji encoded as two surrogates */
static gboolean
is_surrogate_pair (const guint8 *p)
{
  return p[0] == 0xed && p[1] >= 0xa0 && p[1] <= 0xaf && is_continuation (p[2]) && p[3] == 0xed && p[4] >= 0xb0 &&
         is_continuation (p[4]) && is_continuation (p[5]);
}

/* U+0080 to U+009F: never intended in text */
static gboolean
is_c1_control (const guint8 *p)
{
  return p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0;
}

static void
append_surrogate_pair (GString *out, const guint8 *p)
{
  gunichar high = (p[1] & 0x0f) << 6 | (p[2] & 0x3f);
  gunichar low = (p[4] & 0x0f) << 6 | (p[5] & 0x3f);

  g_string_append_unichar (out, 0x10000 + (high << 10) + low);
}

/* Returns: whether the rest of a chunk may be the start of a longer character */
static gboolean
is_cut (const guint8 *p, gsize left)
{
  gsize wanted = sequence_length (p[0]);

  if (wanted == 3 && p[0] == 0xed && left >= 2 && p[1] >= 0xa0 && p[1] <= 0xaf)
    wanted = 6;
  if (left >= wanted)
    return FALSE;
  for (gsize i = 1; i < left; i++)
    if (!is_continuation (p[i]) && !(i == 3 && p[i] == 0xed))
      return FALSE;

  return TRUE;
}

/* Returns: the length of the valid character at `p`; 0 if it has to be dropped or
 *   replaced */
static gsize
good_length (const guint8 *p, gsize left)
{
  gsize wanted = sequence_length (p[0]);

  if (wanted == 1 || wanted > left || !is_continuation (p[1]) || is_c1_control (p))
    return 0;
  if (wanted == 2)
    return 2;
  if (wanted == 3)
    {
      if (!is_continuation (p[2]) || (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0))
        return 0;
      /* U+FEFF, U+FFFE and U+FFFF */
      if (p[0] == 0xef && ((p[1] == 0xbb && p[2] == 0xbf) || (p[1] == 0xbf && p[2] >= 0xbe)))
        return 0;
      return 3;
    }

  return g_utf8_get_char_validated ((const char *) p, 4) < 0x110000 ? 4 : 0;
}

static gboolean
is_plain (guint8 byte)
{
  return (byte >= 0x20 && byte < 0x80) || byte == '\n' || byte == '\t';
}

/* Copies valid UTF-8 and repairs the rest.
 * Returns: the start of an incomplete character */
static const guint8 *
clean (const guint8 *data, const guint8 *end, GString *out, gboolean last)
{
  const guint8 *run = data;
  const guint8 *p = data;

  while (p < end)
    {
      gsize left, length;

      if (is_plain (*p))
        {
          p++;
          continue;
        }
      left = end - p;
      length = good_length (p, left);
      if (length > 0)
        {
          p += length;
          continue;
        }
      g_string_append_len (out, (const char *) run, p - run);
      run = p;
      if (!last && (*p >= 0x80 ? is_cut (p, left) : *p == '\r' && left == 1))
        return p;
      if (left >= 2 && is_c1_control (p))
        {
          /* windows-1252 converted to UTF-8 as if it were Latin-1 */
          append_windows_1252 (out, p[1]);
          p += 2;
        }
      else if (left >= 6 && is_surrogate_pair (p))
        {
          append_surrogate_pair (out, p);
          p += 6;
        }
      else if (*p == 0xef && left >= 3 && ((p[1] == 0xbb && p[2] == 0xbf) || (p[1] == 0xbf && p[2] >= 0xbe)))
        p += 3;
      else if (*p == '\r')
        {
          /* Line breaks of XML (XML 1.0, section 2.11) */
          g_string_append_c (out, '\n');
          p += left >= 2 && p[1] == '\n' ? 2 : 1;
        }
      else
        {
          if (*p >= 0x80)
            append_windows_1252 (out, *p);
          p++;
        }
      run = p;
    }
  g_string_append_len (out, (const char *) run, p - run);

  return p;
}

/* Cleans all complete characters. */
static void
take_clean (GString *text, GString *out, gboolean last)
{
  const guint8 *data = (const guint8 *) text->str;

  g_string_erase (text, 0, clean (data, data + text->len, out, last) - data);
}

/* Converts all complete characters. */
static void
convert (EarTextDecoder *self, gboolean last)
{
  char *data = self->bytes->str;
  gsize length = self->bytes->len;

  while (length > 0)
    {
      char buffer[4096];
      char *to = buffer;
      gsize room = sizeof buffer;
      gsize result = g_iconv (self->converter, &data, &length, &to, &room);
      int problem = errno;

      g_string_append_len (self->text, buffer, to - buffer);
      if (result == (gsize) -1 && problem == EINVAL && !last && length < LONGEST_CHARACTER)
        break;
      if (result == (gsize) -1 && problem != E2BIG)
        {
          gsize skip = MIN (self->unit, length);

          g_string_append (self->text, REPLACEMENT);
          data += skip;
          length -= skip;
        }
    }
  g_string_erase (self->bytes, 0, data - self->bytes->str);
}

static void
read_bytes (EarTextDecoder *self, GString *out, gboolean last)
{
  if (!self->decided && !last && self->bytes->len < HEAD_SIZE)
    return;
  if (!self->decided)
    decide (self);
  if (self->converter == (GIConv) -1)
    {
      take_clean (self->bytes, out, last);
    }
  else
    {
      convert (self, last);
      take_clean (self->text, out, last);
    }
}

/* @content_type: (nullable): the media type of the document, maybe with a `charset` */
EarTextDecoder *
ear_text_decoder_new (const char *content_type)
{
  EarTextDecoder *self = g_new0 (EarTextDecoder, 1);

  self->bytes = g_string_new (NULL);
  self->text = g_string_new (NULL);
  self->converter = (GIConv) -1;
  if (content_type != NULL && strlen (content_type) < HEAD_SIZE)
    self->http_charset = find_value (content_type, "charset");

  return self;
}

void
ear_text_decoder_free (EarTextDecoder *self)
{
  if (self->converter != (GIConv) -1)
    g_iconv_close (self->converter);
  g_string_free (self->bytes, TRUE);
  g_string_free (self->text, TRUE);
  g_free (self->http_charset);
  g_free (self);
}

/* @data: (array length=length): the next bytes of the document */
void
ear_text_decoder_push (EarTextDecoder *self, const guint8 *data, gsize length, GString *out)
{
  g_string_append_len (self->bytes, (const char *) data, (gssize) length);
  read_bytes (self, out, FALSE);
}

void
ear_text_decoder_finish (EarTextDecoder *self, GString *out)
{
  read_bytes (self, out, TRUE);
}

/* @bytes: a whole document
 * @content_type: (nullable): its media type
 * Returns: (transfer full): its text */
GString *
ear_text_decode (GBytes *bytes, const char *content_type)
{
  g_autoptr (EarTextDecoder) decoder = ear_text_decoder_new (content_type);
  GString *text = g_string_new (NULL);
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);

  ear_text_decoder_push (decoder, data, length, text);
  ear_text_decoder_finish (decoder, text);

  return text;
}
