/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-media-head-private.h"
#include "ear-text-line.h"

#include <string.h>

/* Chapters of MP4: Nero's list (`moov.udta.chpl`), which most podcast programs write, and
 * the text track that the audio track refers to (QuickTime File Format, "Chapter Lists").
 * Most files have both. The list is limited to 255 chapters: the track is used if it has
 * more. The audio track may also refer to a track of timed pictures: those at the start
 * of a chapter are used. */

#define MAX_BOXES 2000
#define MAX_DEPTH 8
#define MAX_TABLE (1024 * 1024)
#define MAX_TEXT 4096
#define MAX_REFERENCES 8

/* A picture within this time of a chapter's start belongs to the chapter. */
#define SAME G_TIME_SPAN_SECOND

/* Nero counts in units of 100 ns. */
#define NERO_UNITS_IN_MICROSECOND 10

/* The parts of a track that are needed to read its samples */
typedef struct
{
  guint32 id;
  guint32 timescale;
  gboolean is_video;
  gboolean is_handled; /* the handler type has been read */
  GBytes *lengths;  /* stts: durations of samples */
  GBytes *sizes;    /* stsz */
  GBytes *chunks;   /* stsc: number of samples per chunk */
  GBytes *offsets;  /* stco or co64 */
  gboolean wide;    /* co64 */
} Track;

typedef struct
{
  GInputStream *stream;
  GCancellable *cancellable;
  EarMediaHead *head;
  GPtrArray *tracks;        /* (element-type Track) */
  guint32 references[MAX_REFERENCES]; /* chapter tracks; 0: none */
  guint64 pictures_size;    /* bytes of pictures read so far */
  guint n_boxes;
} Reader;

static void
track_free (gpointer data)
{
  Track *track = data;

  g_clear_pointer (&track->lengths, g_bytes_unref);
  g_clear_pointer (&track->sizes, g_bytes_unref);
  g_clear_pointer (&track->chunks, g_bytes_unref);
  g_clear_pointer (&track->offsets, g_bytes_unref);
  g_free (track);
}

/* Decodes UTF-8, or UTF-16 after a byte order mark. */
static char *
decode (const char *text, gsize length)
{
  const gboolean wide = length >= 2 && (memcmp (text, "\376\377", 2) == 0 || memcmp (text, "\377\376", 2) == 0);
  char *decoded = wide ? g_convert (text, (gssize) (length & ~(gsize) 1), "UTF-8", "UTF-16", NULL, NULL, NULL) : NULL;

  return decoded != NULL ? decoded : g_utf8_make_valid (text, (gssize) length);
}

static void
add_chapter (GPtrArray *chapters, gint64 start, const char *text, gsize length)
{
  g_autofree char *decoded = decode (text, length);
  g_autofree char *title = ear_text_line (decoded, EAR_TEXT_LITERAL, EAR_CHAPTER_TITLE_LIMIT);

  ear_chapters_add (chapters, start, title);
}

/* --- Nero's list -------------------------------------------------------------------- */

static void
read_nero (Reader *reader, const guint8 *bytes, gsize length)
{
  gsize at = length > 0 && bytes[0] != 0 ? 8 : 4;
  guint n_chapters = length > at ? bytes[at] : 0;

  for (at++; n_chapters > 0 && at + 9 <= length && at + 9 + bytes[at + 8] <= length; n_chapters--)
    {
      const guint64 start = ear_media_get_64 (bytes + at) / NERO_UNITS_IN_MICROSECOND;

      add_chapter (reader->head->chapters, (gint64) MIN (start, G_MAXINT64), (const char *) bytes + at + 9, bytes[at + 8]);
      at += 9 + bytes[at + 8];
    }
}

/* --- Text and picture tracks -------------------------------------------------------- */

/* @at: an offset in the table, from its version
 * Returns: the number there, or 0 past the end */
static guint32
get_number (GBytes *table, gsize at)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (table, &length);

  return at + 4 <= length ? ear_media_get_32 (bytes + at) : 0;
}

static guint64
get_offset (const Track *track, guint chunk)
{
  if (!track->wide)
    return get_number (track->offsets, 8 + 4 * (gsize) chunk);

  return (guint64) get_number (track->offsets, 8 + 8 * (gsize) chunk) << 32 | get_number (track->offsets, 12 + 8 * (gsize) chunk);
}

static guint32
get_size (const Track *track, guint sample)
{
  const guint32 all = get_number (track->sizes, 4);

  return all != 0 ? all : get_number (track->sizes, 12 + 4 * (gsize) sample);
}

/* The table has runs: a number of samples and their duration. */
static guint32
get_length (const Track *track, guint sample)
{
  const guint32 n_runs = MIN (get_number (track->lengths, 4), EAR_CHAPTERS_LIMIT);

  for (guint i = 0; i < n_runs; i++)
    {
      const guint32 count = get_number (track->lengths, 8 + 8 * (gsize) i);

      if (sample < count)
        return get_number (track->lengths, 12 + 8 * (gsize) i);
      sample -= count;
    }

  return 0;
}

/* The table has runs: the first chunk, counted from 1, and its number of samples. */
static guint32
get_samples_in_chunk (const Track *track, guint chunk)
{
  const guint32 n_runs = MIN (get_number (track->chunks, 4), EAR_CHAPTERS_LIMIT);
  guint32 count = 1;

  for (guint i = 0; i < n_runs && get_number (track->chunks, 8 + 12 * (gsize) i) <= chunk + 1; i++)
    count = get_number (track->chunks, 12 + 12 * (gsize) i);

  return count;
}

/* Reads a text sample, which begins with its length. */
static void
read_sample (Reader *reader, guint64 offset, guint32 size, gint64 start, GPtrArray *chapters)
{
  g_autoptr (GBytes) sample = size > 2 ? ear_media_read (reader->stream, offset, MIN (size, MAX_TEXT), reader->cancellable) : NULL;
  gsize length = 0;
  const guint8 *bytes = sample != NULL ? g_bytes_get_data (sample, &length) : NULL;

  if (length > 2)
    add_chapter (chapters, start, (const char *) bytes + 2, MIN ((gsize) bytes[0] << 8 | bytes[1], length - 2));
}

/* Reads a picture sample for the chapter that starts at the same time. */
static void
read_picture (Reader *reader, guint64 offset, guint32 size, gint64 start, GPtrArray *chapters)
{
  const int index = ear_chapters_find (chapters, start + SAME);
  EarChapter *chapter = index >= 0 ? ear_chapters_get (chapters, (guint) index) : NULL;
  g_autoptr (GBytes) sample = NULL;
  gsize length = 0;
  const guint8 *bytes;

  if (chapter == NULL || chapter->image != NULL || ABS (chapter->start - start) > SAME ||
      size > EAR_CHAPTER_PICTURES_LIMIT - reader->pictures_size)
    return;

  reader->pictures_size += size;
  sample = ear_media_read (reader->stream, offset, size, reader->cancellable);
  bytes = sample != NULL ? g_bytes_get_data (sample, &length) : NULL;
  ear_chapters_add_picture (chapters, chapter, bytes, length);
}

static gboolean
is_whole (const Track *track)
{
  return track->timescale > 0 && track->lengths != NULL && track->sizes != NULL && track->chunks != NULL && track->offsets != NULL;
}

/* @chapters: gets the chapters of a text track, or the pictures of a picture track */
static void
read_track (Reader *reader, const Track *track, GPtrArray *chapters)
{
  const guint32 n_chunks = MIN (get_number (track->offsets, 4), EAR_CHAPTERS_LIMIT);
  const guint32 n_samples = MIN (get_number (track->sizes, 8), EAR_CHAPTERS_LIMIT);
  guint64 time = 0;
  guint sample = 0;

  for (guint32 chunk = 0; chunk < n_chunks && sample < n_samples; chunk++)
    {
      const guint32 in_chunk = get_samples_in_chunk (track, chunk);
      guint64 offset = get_offset (track, chunk);

      for (guint32 i = 0; i < in_chunk && sample < n_samples; i++, sample++)
        {
          const gint64 start = (gint64) (time * G_TIME_SPAN_SECOND / track->timescale);

          if (track->is_video)
            read_picture (reader, offset, get_size (track, sample), start, chapters);
          else
            read_sample (reader, offset, get_size (track, sample), start, chapters);
          time += get_length (track, sample);
          offset += get_size (track, sample);
        }
    }
}

/* --- Boxes -------------------------------------------------------------------------- */

static void
keep (GBytes **place, GBytes *content)
{
  if (*place == NULL)
    *place = g_bytes_ref (content);
}

static void
read_references (Reader *reader, GBytes *content)
{
  for (guint i = 0; i < MAX_REFERENCES; i++)
    reader->references[i] = get_number (content, 4 * (gsize) i);
}

/* The first handler box has the type of the media; a second one only describes how data
 * is referenced. */
static void
read_handler (Track *track, GBytes *content)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (content, &length);

  if (length >= 12 && !track->is_handled)
    track->is_video = memcmp (bytes + 8, "vide", 4) == 0;
  track->is_handled = TRUE;
}

/* Stores a box of a track, or reads Nero's list. */
static void
read_box (Reader *reader, const char *name, GBytes *content)
{
  Track *track = reader->tracks->len > 0 ? g_ptr_array_index (reader->tracks, reader->tracks->len - 1) : NULL;
  gsize length;
  const guint8 *bytes = g_bytes_get_data (content, &length);

  if (g_str_equal (name, "chpl"))
    read_nero (reader, bytes, length);
  else if (g_str_equal (name, "chap"))
    read_references (reader, content);
  else if (track == NULL || length < 8)
    return;
  else if (g_str_equal (name, "tkhd"))
    track->id = get_number (content, bytes[0] == 0 ? 12 : 20);
  else if (g_str_equal (name, "mdhd"))
    track->timescale = get_number (content, bytes[0] == 0 ? 12 : 20);
  else if (g_str_equal (name, "hdlr"))
    read_handler (track, content);
  else if (g_str_equal (name, "stts"))
    keep (&track->lengths, content);
  else if (g_str_equal (name, "stsz"))
    keep (&track->sizes, content);
  else if (g_str_equal (name, "stsc"))
    keep (&track->chunks, content);
  else if (g_str_equal (name, "stco") || g_str_equal (name, "co64"))
    {
      track->wide = g_str_equal (name, "co64");
      keep (&track->offsets, content);
    }
}

static gboolean
is_among (const char *name, const char *const *names)
{
  return g_strv_contains (names, name);
}

/* Reads the boxes of a range of the file.
 * @end: the end of the range */
static void
read_boxes (Reader *reader, guint64 offset, guint64 end, guint depth)
{
  static const char *const parents[] = { "moov", "udta", "trak", "tref", "mdia", "minf", "stbl", NULL };
  static const char *const wanted[] = { "chpl", "tkhd", "mdhd", "hdlr", "chap", "stts", "stsz", "stsc", "stco", "co64", NULL };

  while (reader->n_boxes++ < MAX_BOXES && offset + 8 <= end)
    {
      g_autoptr (GBytes) header = ear_media_read (reader->stream, offset, 16, reader->cancellable);
      gsize length = 0;
      const guint8 *bytes = header != NULL ? g_bytes_get_data (header, &length) : NULL;
      char name[5] = { 0 };
      guint64 size;
      guint64 body = offset + 8;

      if (length < 8)
        return;
      memcpy (name, bytes + 4, 4);
      size = ear_media_get_32 (bytes);
      if (size == 1 && length == 16)
        {
          size = ear_media_get_64 (bytes + 8);
          body += 8;
        }
      else if (size == 0)
        {
          size = end - offset;
        }
      if (size < body - offset || size > end - offset)
        size = end - offset;

      if (g_str_equal (name, "trak"))
        g_ptr_array_add (reader->tracks, g_new0 (Track, 1));
      if (is_among (name, parents) && depth < MAX_DEPTH)
        read_boxes (reader, body, offset + size, depth + 1);
      else if (is_among (name, wanted) && offset + size - body <= MAX_TABLE)
        {
          g_autoptr (GBytes) content = ear_media_read (reader->stream, body, (gsize) (offset + size - body), reader->cancellable);

          if (content != NULL)
            read_box (reader, name, content);
        }
      offset += size;
    }
}

static gboolean
is_referred_to (const Reader *reader, const Track *track)
{
  for (guint i = 0; i < MAX_REFERENCES && track->id != 0; i++)
    if (reader->references[i] == track->id)
      return TRUE;

  return FALSE;
}

static guint
count_titles (GPtrArray *chapters)
{
  guint n_titles = 0;

  for (guint i = 0; i < chapters->len; i++)
    n_titles += ear_chapters_get (chapters, i)->title != NULL;

  return n_titles;
}

/* Uses the chapters of a text track if more of them have titles than of those known so
 * far: a gap is a text without words. */
static void
read_texts (Reader *reader, const Track *track)
{
  EarMediaHead *head = reader->head;
  g_autoptr (GPtrArray) told = ear_chapters_new ();
  const guint n_known = count_titles (head->chapters);

  if (get_number (track->sizes, 8) <= n_known)
    return;

  read_track (reader, track, told);
  if (head->chapters->len == 0 || count_titles (told) > n_known)
    {
      g_ptr_array_unref (head->chapters);
      head->chapters = g_steal_pointer (&told);
    }
}

static void
read_tracks (Reader *reader, gboolean pictures)
{
  for (guint i = 0; i < reader->tracks->len; i++)
    {
      const Track *track = g_ptr_array_index (reader->tracks, i);

      if (track->is_video != pictures || !is_referred_to (reader, track) || !is_whole (track))
        continue;
      if (pictures)
        read_track (reader, track, reader->head->chapters);
      else
        read_texts (reader, track);
    }
}

void
ear_mp4_read (GInputStream *stream, GCancellable *cancellable, EarMediaHead *head)
{
  Reader reader = { .stream = stream, .cancellable = cancellable, .head = head };

  reader.tracks = g_ptr_array_new_with_free_func (track_free);
  read_boxes (&reader, 0, ear_media_find_end (stream, cancellable), 0);
  read_tracks (&reader, FALSE);
  ear_chapters_sort (head->chapters);
  read_tracks (&reader, TRUE);
  g_ptr_array_unref (reader.tracks);
}
