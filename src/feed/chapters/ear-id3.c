/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-id3.h"

#include "ear-address.h"
#include "ear-media-head-private.h"
#include "ear-text-line.h"

#include <string.h>

/* ID3v2.3 and 2.4, https://id3.org/id3v2.4.0-structure; chapters:
 * https://id3.org/id3v2-chapters-1.0 */

#define HEADER 10
#define MAX_COMMENT 65536

/* Consecutive tags that are read at most */
#define MAX_TAGS 4

#define FLAG_UNSYNCHRONISED 0x80
#define FLAG_EXTENDED 0x40
#define FLAG_FOOTER 0x10
#define FRAME_COMPRESSED 0x0c
#define FRAME_UNSYNCHRONISED 0x02
#define FRAME_HAS_LENGTH 0x01

/* The unread rest of a tag or frame */
typedef struct
{
  const guint8 *bytes;
  gsize length;
} Part;

typedef struct
{
  char name[5];
  Part body;
  GBytes *plain; /* (nullable): the decoded body, if it was unsynchronised */
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

/* Removes the zeros that unsynchronisation inserted so that the tag does not look like
 * audio. */
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

/* Returns: whether the body looks unsynchronised: no zero is missing, and there is at
 *   least one */
static gboolean
looks_unsynchronised (const Part *part)
{
  gboolean found = FALSE;

  for (gsize i = 0; i + 1 < part->length; i++)
    if (part->bytes[i] == 0xff && part->bytes[i + 1] >= 0xe0)
      return FALSE;
    else
      found = found || (part->bytes[i] == 0xff && part->bytes[i + 1] == 0);

  return found;
}

/* @at: an offset in bytes
 * Returns: whether a frame may start there, or the part ends there, perhaps with
 * padding */
static gboolean
may_begin_frame (const Part *part, gsize at)
{
  if (at >= part->length || part->bytes[at] == 0)
    return at <= part->length;
  if (part->length - at < HEADER)
    return FALSE;
  for (gsize i = at; i < at + 4; i++)
    if (!g_ascii_isupper (part->bytes[i]) && !g_ascii_isdigit (part->bytes[i]))
      return FALSE;

  return get_syncsafe (part->bytes + at + 4) <= part->length - at - HEADER;
}

/* Some programs write 2.4 frames with sizes in the encoding of 2.3: use the size that
 * leads to the next frame.
 * @tag: at a frame */
static gsize
get_frame_size (const Part *tag, guint version)
{
  const gsize plain = ear_media_get_32 (tag->bytes + 4);
  const gsize syncsafe = get_syncsafe (tag->bytes + 4);

  if (version < 4 || (plain & 0x80808080) != 0)
    return plain;

  return !may_begin_frame (tag, HEADER + syncsafe) && may_begin_frame (tag, HEADER + plain) ? plain : syncsafe;
}

/* Returns: whether each frame leads to the next one, and the last to the end or to
 *   padding */
static gboolean
has_true_sizes (Part tag, guint version)
{
  while (tag.length >= HEADER && tag.bytes[0] != 0)
    {
      const gsize size = HEADER + get_frame_size (&tag, version);

      if (size < tag.length && !may_begin_frame (&tag, size))
        return FALSE;
      skip (&tag, size);
    }

  while (tag.length > 0 && tag.bytes[0] == 0)
    skip (&tag, 1);

  return tag.length == 0;
}

static void
clear_frame (Frame *frame)
{
  g_clear_pointer (&frame->plain, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Frame, clear_frame)

/* Reads the next frame. A compressed or encrypted frame, which is never used, has no
 * body.
 * @unsynchronised: whether frames may be unsynchronised without the flag */
static gboolean
next_frame (Part *tag, guint version, gboolean unsynchronised, Frame *frame)
{
  gsize size;
  guint8 flags;

  clear_frame (frame);
  if (tag->length < HEADER || tag->bytes[0] == 0)
    return FALSE;
  memcpy (frame->name, tag->bytes, 4);
  size = get_frame_size (tag, version);
  flags = version >= 4 ? tag->bytes[9] : 0;
  skip (tag, HEADER);
  frame->body = (Part) { tag->bytes, MIN (size, tag->length) };
  skip (tag, size);
  if ((flags & FRAME_COMPRESSED) != 0)
    frame->body.length = 0;
  if ((flags & FRAME_HAS_LENGTH) != 0)
    skip (&frame->body, 4);
  if ((flags & FRAME_UNSYNCHRONISED) != 0 || (unsynchronised && looks_unsynchronised (&frame->body)))
    {
      frame->plain = synchronise (&frame->body);
      frame->body.bytes = g_bytes_get_data (frame->plain, &frame->body.length);
    }

  return TRUE;
}

/* --- Texts -------------------------------------------------------------------------- */

static gboolean
is_wide (guint8 encoding)
{
  return encoding == 1 || encoding == 2;
}

/* Reads a text up to a zero or the end of the frame. */
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
  char *decoded = NULL;

  if (text->length == 0 || encoding >= G_N_ELEMENTS (names))
    return g_strdup ("");
  /* Text labeled Latin-1 is often UTF-8, or in the encoding of the author's system. */
  if (encoding == 3 || (encoding == 0 && g_utf8_validate ((const char *) text->bytes, (gssize) text->length, NULL)))
    return g_utf8_make_valid ((const char *) text->bytes, (gssize) text->length);
  if (encoding == 0)
    decoded = g_convert ((const char *) text->bytes, (gssize) text->length, "UTF-8", "WINDOWS-1252", NULL, NULL, NULL);
  if (decoded == NULL)
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

/* Reads the text after a description.
 * @description: (out) (optional): the description */
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

/* --- Frames ------------------------------------------------------------------------- */

/* Skips the MIME type, picture type and description before the picture. The MIME type
 * "-->" means a URL instead, which is never used. */
static void
read_picture (Part body, GPtrArray *chapters, EarChapter *chapter)
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
read_part_of_chapter (const Frame *frame, GPtrArray *chapters, EarChapter *chapter)
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
read_chapter (Part body, guint version, GPtrArray *chapters)
{
  g_auto (Frame) frame = { 0 };
  EarChapter *chapter;
  guint32 start;
  guint32 end;

  next_text (&body, 0);
  if (body.length < 16)
    return;
  /* 0xffffffff means no time; the byte offsets after the times are skipped. */
  start = ear_media_get_32 (body.bytes);
  end = ear_media_get_32 (body.bytes + 4);
  chapter = start != G_MAXUINT32 ? ear_chapters_add (chapters, (gint64) start * G_TIME_SPAN_MILLISECOND, NULL) : NULL;
  if (chapter != NULL && end != G_MAXUINT32)
    ear_chapter_set_end (chapter, (gint64) end * G_TIME_SPAN_MILLISECOND);
  skip (&body, 16);
  while (chapter != NULL && next_frame (&body, version, FALSE, &frame))
    read_part_of_chapter (&frame, chapters, chapter);
}

/* Reads a comment without a description, or FFmpeg's form of one; keeps the longest. */
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
read_frames (Part tag, guint version, gboolean unsynchronised, EarMediaHead *head)
{
  g_auto (Frame) frame = { 0 };

  while (next_frame (&tag, version, unsynchronised, &frame))
    if (g_str_equal (frame.name, "CHAP"))
      read_chapter (frame.body, version, head->chapters);
    else if (g_str_equal (frame.name, "COMM") || g_str_equal (frame.name, "TXXX"))
      read_comment (&frame, head);
}

/* Reads a tag. Version 2.3 unsynchronises the whole tag. Version 2.4 unsynchronises each
 * frame, whose size counts the inserted zeros, and the tag's flag means that all frames
 * are; some programs still write 2.4 like 2.3.
 * @header: the header of the tag */
static void
read_tag (const guint8 *header, Part tag, EarMediaHead *head)
{
  const guint version = header[3];
  gboolean unsynchronised = (header[5] & FLAG_UNSYNCHRONISED) != 0;
  g_autoptr (GBytes) plain = NULL;
  Part frames = tag;

  if (version == 4 && (header[5] & FLAG_EXTENDED) != 0 && tag.length >= 4)
    skip (&frames, get_syncsafe (tag.bytes));
  if (unsynchronised && (version == 3 || !has_true_sizes (frames, version)))
    {
      plain = synchronise (&frames);
      frames.bytes = g_bytes_get_data (plain, &frames.length);
      unsynchronised = FALSE;
    }
  if (version == 3 && (header[5] & FLAG_EXTENDED) != 0 && frames.length >= 4)
    skip (&frames, 4 + (gsize) ear_media_get_32 (frames.bytes));
  read_frames (frames, version, unsynchronised, head);
}

/* Reads the tags at the start of an MP3 until one has chapters: some programs add their
 * own tag before the existing one. */
void
ear_id3_read (GInputStream *stream, GCancellable *cancellable, EarMediaHead *head)
{
  guint64 offset = 0;

  for (guint i = 0; i < MAX_TAGS && head->chapters->len == 0; i++)
    {
      g_autoptr (GBytes) header = ear_media_read (stream, offset, HEADER, cancellable);
      const guint8 *bytes = header != NULL ? g_bytes_get_data (header, NULL) : NULL;
      g_autoptr (GBytes) content = NULL;
      gsize size;
      Part tag;

      if (header == NULL || g_bytes_get_size (header) < HEADER || memcmp (bytes, "ID3", 3) != 0)
        return;
      size = get_syncsafe (bytes + 6);
      if (bytes[3] == 3 || bytes[3] == 4)
        content = ear_media_read (stream, offset + HEADER, MIN (size, EAR_MEDIA_HEAD_LIMIT), cancellable);
      if (content != NULL)
        {
          tag.bytes = g_bytes_get_data (content, &tag.length);
          read_tag (bytes, tag, head);
        }
      offset += HEADER + size + (bytes[3] == 4 && (bytes[5] & FLAG_FOOTER) != 0 ? HEADER : 0);
    }
}

/**
 * ear_id3_read_frame:
 * @bytes: a frame of an ID3 tag, with its header
 * @version: 3 or 4
 * @chapters: the chapters so far
 *
 * Adds the chapter of a CHAP frame.
 *
 * Returns: whether it was a CHAP frame
 */
gboolean
ear_id3_read_frame (const guint8 *bytes, gsize length, guint version, GPtrArray *chapters)
{
  Part tag = { bytes, length };
  g_auto (Frame) frame = { 0 };

  if (version < 3 || version > 4 || !next_frame (&tag, version, version == 4, &frame) || !g_str_equal (frame.name, "CHAP"))
    return FALSE;
  read_chapter (frame.body, version, chapters);

  return TRUE;
}
