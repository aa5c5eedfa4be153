/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fuzz.h"

#include "ear-address.h"
#include "ear-chapters-json.h"
#include "ear-comment-chapters.h"
#include "ear-id3.h"
#include "ear-media-head.h"
#include "ear-show-notes.h"

#include <string.h>

static void
check_title (const char *title)
{
  g_assert_true (g_utf8_validate (title, -1, NULL) && *title != '\0' && strchr (title, '\n') == NULL);
  g_assert_cmpuint (strlen (title), <=, EAR_CHAPTER_TITLE_LIMIT);
}

/* @taken: (inout): total size of the pictures in bytes */
static void
check_chapter (const EarChapter *chapter, gsize *taken)
{
  g_assert_true (chapter->start >= 0 && chapter->start <= EAR_POSITION_LIMIT);
  g_assert_true (chapter->end == 0 || (chapter->end > chapter->start && chapter->end <= EAR_POSITION_LIMIT));
  if (chapter->title != NULL)
    check_title (chapter->title);
  g_assert_true (chapter->link == NULL || ear_address_is_web (chapter->link));
  /* An embedded picture has no web address, and cannot be confused with a picture that
   * has one. */
  g_assert_true (chapter->image == NULL || ear_address_is_web (chapter->image) == (chapter->picture == NULL));
  g_assert_true (chapter->picture == NULL || chapter->image != NULL);
  *taken += chapter->picture != NULL ? g_bytes_get_size (chapter->picture) : 0;
  g_assert_cmpuint (*taken, <=, EAR_CHAPTER_PICTURES_LIMIT);
}

static void
check_chapters (GPtrArray *chapters)
{
  gint64 before = 0;
  gsize taken = 0;

  g_assert_cmpuint (chapters->len, <=, EAR_CHAPTERS_LIMIT);
  for (guint i = 0; i < chapters->len; i++)
    {
      const EarChapter *chapter = ear_chapters_get (chapters, i);

      check_chapter (chapter, &taken);
      g_assert_cmpint (chapter->start, >=, before);
      before = chapter->start;
    }
}

/* Merged chapters are sorted, and each listed one can be reached. */
static void
check_merged (GPtrArray *chapters, gint64 duration)
{
  g_autoptr (GPtrArray) other = ear_chapters_new ();
  GPtrArray *sources[] = { NULL, other, chapters };
  g_autoptr (GPtrArray) merged = NULL;

  ear_chapters_add (other, 0, "Other");
  merged = ear_chapters_merge (sources, G_N_ELEMENTS (sources), duration);
  check_chapters (merged);
  for (guint i = 0; i < merged->len; i++)
    {
      const EarChapter *chapter = ear_chapters_get (merged, i);
      const int found = ear_chapters_find (merged, chapter->start);
      const gint64 end = ear_chapters_get_end (merged, i, duration);

      g_assert_false (chapter->hidden);
      g_assert_cmpint (ear_chapters_get (merged, (guint) found)->start, ==, chapter->start);
      g_assert_true (end == -1 || end >= chapter->start);
    }
  g_assert_true (ear_chapters_equal (merged, merged));
}

static GPtrArray *
read_json (const guint8 *data, gsize length)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *chapters = ear_chapters_parse_json ((const char *) data, length, "https://example.org/a/b", &error);

  g_assert_true ((chapters == NULL) == (error != NULL));

  return chapters;
}

static GPtrArray *
read_media (const guint8 *data, gsize length)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (data, (gssize) length, NULL);
  g_autoptr (EarMediaHead) head = ear_media_head_read (stream, NULL);

  g_assert_true (head->comment == NULL || g_utf8_validate (head->comment, -1, NULL));

  return g_ptr_array_ref (head->chapters);
}

/* A frame as emitted by GStreamer */
static GPtrArray *
read_frame (const guint8 *data, gsize length, guint version)
{
  GPtrArray *chapters = ear_chapters_new ();

  g_assert_true (ear_id3_read_frame (data, length, version, chapters) || chapters->len == 0);

  return chapters;
}

/* Each line is a comment. */
static GPtrArray *
read_comments (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (EarCommentChapters) comments = ear_comment_chapters_new ();

  for (char **line = lines; *line != NULL; line++)
    ear_comment_chapters_add (comments, *line);

  return ear_comment_chapters_list (comments);
}

static GPtrArray *
read_notes (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (EarNotes) notes = ear_show_notes_parse (valid, "https://example.org/", (gint64) (length % 3) * G_TIME_SPAN_HOUR);

  return g_ptr_array_ref (notes->chapters);
}

/* @kind: the first byte: selects the source */
static GPtrArray *
read_chapters (guint8 kind, const guint8 *data, gsize length)
{
  switch (kind % 6)
    {
    case 0:
      return read_json (data, length);
    case 1:
      return read_media (data, length);
    case 2:
    case 3:
      return read_frame (data, length, 1 + kind % 6);
    case 4:
      return read_comments (data, length);
    default:
      return read_notes (data, length);
    }
}

void
ear_fuzz_chapters (const guint8 *data, gsize length)
{
  g_autoptr (GPtrArray) chapters = length > 1 ? read_chapters (data[0], data + 1, length - 1) : NULL;

  if (chapters == NULL)
    return;
  check_chapters (chapters);
  check_merged (chapters, (gint64) (length % 3) * G_TIME_SPAN_MINUTE);
}
