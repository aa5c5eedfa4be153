/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-id3.h"

#include "ear-address.h"
#include "ear-media-head-private.h"
#include "ear-text-line.h"

#include <string.h>

/* ID3v2.3 and 2.4, https://id3.org/id3v2.4.0-structure; chapters: https://id3.org/id3v2-chapters-1.0 */

#define HEADER 10
#define MAX_COMMENT 65536

#define FLAG_UNSYNCHRONISED 0x80
#define FLAG_EXTENDED 0x40
#define FRAME_COMPRESSED 0x0c
#define FRAME_UNSYNCHRONISED 0x02
#define FRAME_HAS_LENGTH 0x01

/* What is left of a tag, or of a frame. */
typedef struct
{
  const guint8 *bytes;
  gsize length;
} Part;

typedef struct
{
  char name[5];
  Part body;
  GBytes *plain; /* (nullable): the body, where it stood there in another form */
} Frame;

static guint32
get_syncsafe (const guint8 *bytes)
{
  return (guint32) (bytes[0] & 0x7f) << 21 | (guint32) (bytes[1] & 0x7f) << 14 | (guint32) (bytes[2] & 0x7f) << 7 | (bytes[3] & 0x7f);
}

static void
skip (Part *part, gsize length)
{
  length = MIN (length, part->length);
  part->bytes += length;
  part->length -= length;
}

/* Takes out the zeros that keep the tag from looking like sound. */
static GBytes *
synchronise (const Part *part)
{
  guint8 *plain = g_malloc (part->length + 1);
  gsize length = 0;

  for (gsize i = 0; i < part->length; i++)
    if (i == 0 || part->bytes[i] != 0 || part->bytes[i - 1] != 0xff)
      plain[length++] = part->bytes[i];

  return g_bytes_new_take (plain, length);
}

/* Some write the size of a frame of 2.4 as that of one of 2.3. */
static gsize
get_frame_size (const guint8 *bytes, guint version)
{
  if (version < 4 || ((bytes[0] | bytes[1] | bytes[2] | bytes[3]) & 0x80) != 0)
    return ear_media_get_32 (bytes);

  return get_syncsafe (bytes);
}

static void
clear_frame (Frame *frame)
{
  g_clear_pointer (&frame->plain, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Frame, clear_frame)

/* Takes the next frame; one that is packed in a way that nobody uses has no body. */
static gboolean
next_frame (Part *tag, guint version, Frame *frame)
{
  gsize size;
  guint8 flags;

  clear_frame (frame);
  if (tag->length < HEADER || tag->bytes[0] == 0)
    return FALSE;
  memcpy (frame->name, tag->bytes, 4);
  size = get_frame_size (tag->bytes + 4, version);
  flags = version >= 4 ? tag->bytes[9] : 0;
  skip (tag, HEADER);
  frame->body = (Part) { tag->bytes, MIN (size, tag->length) };
  skip (tag, size);
  if ((flags & FRAME_COMPRESSED) != 0)
    frame->body.length = 0;
  if ((flags & FRAME_HAS_LENGTH) != 0)
    skip (&frame->body, 4);
  if ((flags & FRAME_UNSYNCHRONISED) != 0)
    {
      frame->plain = synchronise (&frame->body);
      frame->body.bytes = g_bytes_get_data (frame->plain, &frame->body.length);
    }

  return TRUE;
}

/* --- Texts ------------------------------------------------------------------------------- */

static gboolean
is_wide (guint8 encoding)
{
  return encoding == 1 || encoding == 2;
}

/* Takes a text that ends with a zero, or with the frame. */
static Part
next_text (Part *part, guint8 encoding)
{
  const gsize step = is_wide (encoding) ? 2 : 1;
  Part text = { part->bytes, 0 };

  while (text.length + step <= part->length && (text.bytes[text.length] != 0 || (step == 2 && text.bytes[text.length + 1] != 0)))
    text.length += step;
  skip (part, text.length + step);

  return text;
}

static char *
decode (const Part *text, guint8 encoding)
{
  static const char *const names[] = { "ISO-8859-1", "UTF-16", "UTF-16BE", "UTF-8" };
  char *decoded;

  if (text->length == 0 || encoding >= G_N_ELEMENTS (names))
    return g_strdup ("");
  if (encoding == 3)
    return g_utf8_make_valid ((const char *) text->bytes, (gssize) text->length);
  decoded = g_convert ((const char *) text->bytes, (gssize) text->length, "UTF-8", names[encoding], NULL, NULL, NULL);

  return decoded != NULL ? decoded : g_strdup ("");
}

static char *
read_text (Part body)
{
  const guint8 encoding = body.length > 0 ? body.bytes[0] : 0;
  Part text;

  skip (&body, 1);
  text = next_text (&body, encoding);

  return decode (&text, encoding);
}

/* What is behind a description.
 * @description: (out) (optional): that */
static char *
read_described (Part body, gsize language, gboolean latin, char **description)
{
  const guint8 encoding = body.length > 0 ? body.bytes[0] : 0;
  Part text;

  skip (&body, 1 + language);
  text = next_text (&body, encoding);
  if (description != NULL)
    *description = decode (&text, encoding);
  text = next_text (&body, latin ? 0 : encoding);

  return decode (&text, latin ? 0 : encoding);
}

/* --- Frames ------------------------------------------------------------------------------ */

/* The picture stands behind what it is and its description, or an arrow and an address, which nobody writes. */
static void
read_picture (Part body, EarChapters *chapters, EarChapter *chapter)
{
  const guint8 encoding = body.length > 0 ? body.bytes[0] : 0;
  Part kind;

  skip (&body, 1);
  kind = next_text (&body, 0);
  skip (&body, 1);
  next_text (&body, encoding);
  if (kind.length != 3 || memcmp (kind.bytes, "-->", 3) != 0)
    ear_chapters_add_picture (chapters, chapter, body.bytes, body.length);
}

static void
read_part_of_chapter (const Frame *frame, EarChapters *chapters, EarChapter *chapter)
{
  if (g_str_equal (frame->name, "TIT2") && chapter->title == NULL)
    {
      g_autofree char *title = read_text (frame->body);

      chapter->title = ear_text_line (title, EAR_TEXT_LITERAL, EAR_CHAPTER_TITLE_LIMIT);
    }
  else if (g_str_equal (frame->name, "WXXX") && chapter->link == NULL)
    {
      g_autofree char *link = read_described (frame->body, 0, TRUE, NULL);

      chapter->link = ear_address_resolve (NULL, link);
    }
  else if (g_str_equal (frame->name, "APIC"))
    {
      read_picture (frame->body, chapters, chapter);
    }
}

static void
read_chapter (Part body, guint version, EarChapters *chapters)
{
  g_auto (Frame) frame = { 0 };
  EarChapter *chapter;
  guint32 end;

  next_text (&body, 0);
  if (body.length < 16)
    return;
  chapter = ear_chapters_add (chapters, (gint64) ear_media_get_32 (body.bytes) * G_TIME_SPAN_MILLISECOND, NULL);
  end = ear_media_get_32 (body.bytes + 4);
  /* All bits: that there is none, as with the two places behind it */
  if (chapter != NULL && end != G_MAXUINT32)
    ear_chapter_set_end (chapter, (gint64) end * G_TIME_SPAN_MILLISECOND);
  skip (&body, 16);
  while (chapter != NULL && next_frame (&body, version, &frame))
    read_part_of_chapter (&frame, chapters, chapter);
}

/* A comment without a description, or what FFmpeg makes of one; the longest of several */
static void
read_comment (const Frame *frame, EarMediaHead *head)
{
  const gboolean is_comment = g_str_equal (frame->name, "COMM");
  g_autofree char *description = NULL;
  g_autofree char *text = read_described (frame->body, is_comment ? 3 : 0, FALSE, &description);
  const gboolean wanted = is_comment ? *description == '\0' : g_ascii_strcasecmp (description, "comment") == 0;

  if (wanted && strlen (text) <= MAX_COMMENT && (head->comment == NULL || strlen (head->comment) < strlen (text)))
    g_set_str (&head->comment, text);
}

static void
read_frames (Part tag, guint version, EarMediaHead *head)
{
  g_auto (Frame) frame = { 0 };

  while (next_frame (&tag, version, &frame))
    if (g_str_equal (frame.name, "CHAP"))
      read_chapter (frame.body, version, head->chapters);
    else if (g_str_equal (frame.name, "COMM") || g_str_equal (frame.name, "TXXX"))
      read_comment (&frame, head);
}

/* Reads the tag that an MP3 begins with. */
void
ear_id3_read (GInputStream *stream, GCancellable *cancellable, EarMediaHead *head)
{
  g_autoptr (GBytes) header = ear_media_read (stream, 0, HEADER, cancellable);
  const guint8 *bytes = header != NULL ? g_bytes_get_data (header, NULL) : NULL;
  g_autoptr (GBytes) content = NULL;
  g_autoptr (GBytes) plain = NULL;
  guint version;
  Part tag;

  if (header == NULL || g_bytes_get_size (header) < HEADER)
    return;
  version = bytes[3];
  content = ear_media_read (stream, HEADER, MIN (get_syncsafe (bytes + 6), EAR_MEDIA_HEAD_LIMIT), cancellable);
  if (content == NULL || version < 3 || version > 4)
    return;

  tag.bytes = g_bytes_get_data (content, &tag.length);
  if (version == 3 && (bytes[5] & FLAG_UNSYNCHRONISED) != 0)
    {
      plain = synchronise (&tag);
      tag.bytes = g_bytes_get_data (plain, &tag.length);
    }
  if ((bytes[5] & FLAG_EXTENDED) != 0 && tag.length >= 4)
    skip (&tag, version == 3 ? 4 + ear_media_get_32 (tag.bytes) : get_syncsafe (tag.bytes));
  read_frames (tag, version, head);
}

/**
 * ear_id3_read_frame:
 * @bytes: a frame of an ID3 tag, with its header
 * @version: 3 or 4
 * @chapters: those that are known
 *
 * Adds the chapter that the frame tells of.
 *
 * Returns: whether it was one of a chapter
 */
gboolean
ear_id3_read_frame (const guint8 *bytes, gsize length, guint version, EarChapters *chapters)
{
  Part tag = { bytes, length };
  g_auto (Frame) frame = { 0 };

  if (version < 3 || version > 4 || !next_frame (&tag, version, &frame) || !g_str_equal (frame.name, "CHAP"))
    return FALSE;
  read_chapter (frame.body, version, chapters);

  return TRUE;
}
