/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapters-json.h"
#include "ear-chapters-notes.h"
#include "ear-comment-chapters.h"
#include "ear-id3.h"
#include "ear-media-head.h"
#include "ear-show-notes.h"

#include <string.h>

/* Chapters from all sources, and merged chapters. */

/* Returns: "start title <link>", one line per chapter */
static char *
print (GPtrArray *chapters)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < chapters->len; i++)
    {
      const EarChapter *chapter = ear_chapters_get (chapters, i);

      g_string_append_printf (text, "%s%g %s%s%s%s", i > 0 ? "\n" : "", (double) chapter->start / G_TIME_SPAN_SECOND,
                              chapter->title != NULL ? chapter->title : "-", chapter->link != NULL ? " " : "",
                              chapter->link != NULL ? chapter->link : "", chapter->hidden ? " hidden" : "");
    }

  return g_string_free (text, FALSE);
}

static void
assert_chapters (GPtrArray *chapters, const char *expected)
{
  g_autofree char *text = print (chapters);

  g_assert_cmpstr (text, ==, expected);
}

static GPtrArray *
parse_json (const char *text)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *chapters = ear_chapters_parse_json (text, strlen (text), "https://example.org/a/b.json", &error);

  g_assert_true ((chapters == NULL) == (error != NULL));

  return chapters;
}

static void
test_json (void)
{
  static const struct
  {
    const char *text;
    const char *expected;
  } cases[] = {
    { "{\"version\":\"1.2.0\",\"chapters\":[]}", "" },
    { "{\"chapters\":[{\"startTime\":60.5,\"title\":\"B\",\"url\":\"../c\"},{\"startTime\":0,\"title\":\" A \\n a\"}]}",
      "0 A a\n60.5 B https://example.org/c" },
    { "{\"chapters\":[{\"startTime\":\"01:02:03.5\"},{\"startTime\":\"7\",\"title\":3}]}", "7 -\n3723.5 -" },
    { "{\"chapters\":[{\"startTime\":-1},{\"startTime\":1e300},{\"startTime\":null},{\"title\":\"A\"},7,[]]}", "" },
    { "{\"chapters\":[{\"startTime\":5,\"toc\":false,\"url\":\"javascript:x\"}]}", "5 - hidden" },
    { "[{\"startTime\":1,\"title\":\"<b>\"}]", "1 <b>" },
    /* JSON assembled as text by programs, in Latin-1 */
    { "[{\"startTime\":NaN,\"title\":\"A\"},{\"startTime\":2,\"title\":\"NaN\",\"endTime\":-Infinity},{\"startTime\":3,\"title\":\"\\\"NaN,]\",},]",
      "2 NaN\n3 \"NaN,]" },
    { "[{\"startTime\":0,\"title\":\"Gr\366\337e\"}]", "0 Gr\303\266\303\237e" },
  };
  static const char *const bad[] = { "", "{", "<html>", "{\"chapters\":{}}", "7", "[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]" };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) chapters = parse_json (cases[i].text);

      assert_chapters (chapters, cases[i].expected);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_null (parse_json (bad[i]));
}

/* A list that is too long is cut, at any length. */
static void
test_json_many (void)
{
  static const struct
  {
    const char *rest; /* the rest of each entry, after its number */
    guint n;
    guint expected;
  } cases[] = {
    { "}", 5000, EAR_CHAPTERS_LIMIT },
    { ",\"title\":\"T\"}", 20000, EAR_CHAPTERS_LIMIT },
    { ",\"title\":\"],[\\\"\",\"x\":[{},{}]}", 40000, EAR_CHAPTERS_LIMIT },
    { "e300},[[{}]]", 100000, 0 },
    { ",\"title\":\"\303\234\303\234\303\234\303\234\"}", 200000, EAR_CHAPTERS_LIMIT },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new ("{\"version\":\"1.2.0\",\"chapters\":[");
      g_autoptr (GPtrArray) chapters = NULL;

      for (guint j = 0; j < cases[i].n; j++)
        g_string_append_printf (text, "%s{\"startTime\":%u%s", j > 0 ? "," : "", 1 + j, cases[i].rest);
      g_string_append (text, "]}");
      chapters = parse_json (text->str);
      g_assert_nonnull (chapters);
      g_assert_cmpuint (chapters->len, ==, cases[i].expected);
    }
}

/* @expected: the ends of the chapters in seconds, 0 for unknown */
static void
assert_ends (GPtrArray *chapters, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < chapters->len; i++)
    g_string_append_printf (text, "%s%g", i > 0 ? " " : "", (double) ear_chapters_get (chapters, i)->end / G_TIME_SPAN_SECOND);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_json_wide (void)
{
  static const char text[] = "\377\376[\0{\0\"\0s\0t\0a\0r\0t\0T\0i\0m\0e\0\"\0:\0" "2\0,\0\"\0t\0i\0t\0l\0e\0\"\0:\0\"\0\344\0\"\0}\0]";
  g_autoptr (GPtrArray) chapters = ear_chapters_parse_json (text, sizeof text, NULL, NULL);

  g_assert_nonnull (chapters);
  assert_chapters (chapters, "2 \303\244");
}

static void
test_json_ends (void)
{
  static const struct
  {
    const char *text;
    const char *expected;
  } cases[] = {
    { "[{\"startTime\":0,\"endTime\":60.5},{\"startTime\":70,\"endTime\":\"01:20\"},{\"startTime\":90}]", "60.5 80 0" },
    { "[{\"startTime\":9,\"endTime\":9},{\"startTime\":10,\"endTime\":3},{\"startTime\":11,\"endTime\":1e300},"
      "{\"startTime\":12,\"endTime\":null}]", "0 0 0 0" },
    /* A mark ends the chapter before it, unless that has an end; an entry with a picture
     * is not a mark. */
    { "[{\"startTime\":0,\"title\":\"A\"},{\"startTime\":5,\"toc\":false},{\"startTime\":6,\"endTime\":7},{\"startTime\":8,\"toc\":false}]",
      "5 0 7 0" },
    { "[{\"startTime\":0},{\"startTime\":5,\"toc\":false,\"img\":\"a.png\"}]", "0 0" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) chapters = parse_json (cases[i].text);

      assert_ends (chapters, cases[i].expected);
    }
}

static void
test_notes (void)
{
  static const struct
  {
    const char *source;
    const char *expected;
  } cases[] = {
    { "0:00 Hello\n01:30 - The middle\n1:02:03 The end", "0 Hello\n90 The middle\n3723 The end" },
    { "<p>(00:00) Hello<br>[01:30] The middle (part 2)<br>02:00 | <a href='https://example.org/x'>The end</a></p>",
      "0 Hello\n90 The middle (part 2)\n120 The end https://example.org/x" },
    { "<ul><li>Hello 0:00</li><li>The middle &ndash; 1:30</li><li>The end (2:00)</li></ul>", "0 Hello\n90 The middle\n120 The end" },
    /* A list that is too short, times within sentences, and descending times are not
     * chapters. */
    { "0:00 Hello\n1:30 The middle", "" },
    { "At 1:00 we say that.\nAt 2:00 we say this.\nAt 3:00 nothing.", "" },
    { "0:10 Hello\n0:05 The middle\n0:20 The end", "" },
    { "0:00\n1:00\n2:00", "" },
    /* The time may be a link to a video, or part of a link with the title. */
    { "<p><a href='https://example.org/v?t=0'>0:00</a> Hello<br>[<a href='https://example.org/v?t=90'>01:30</a>] The middle<br>"
      "<a href='https://example.org/v?t=120'>2:00 - The end</a></p>",
      "0 Hello\n90 The middle\n120 The end https://example.org/v?t=120" },
    /* Symbols before it, brackets around it, table cells */
    { "\342\217\261 0:00 Hello\n\342\217\261 1:30 The middle\n\342\217\261 2:00 The end", "0 Hello\n90 The middle\n120 The end" },
    { "<p>1. 0:00 Hello<br>2. 1:30 The middle<br>#3 2:00 The end (3)</p>", "0 Hello\n90 The middle\n120 The end (3)" },
    { "<p>&lt;0:00&gt; Hello<br>&lt;1:30&gt; The middle<br>\343\200\2202:00\343\200\221The end</p>", "0 Hello\n90 The middle\n120 The end" },
    { "<table><tr><td>0:00</td><td>Hello</td></tr><tr><td>1:30</td><td>The middle</td></tr><tr><td>2:00</td><td>The end</td></tr></table>",
      "0 Hello\n90 The middle\n120 The end" },
    { "<p>1 0:00 Hello<br>2 1:30 The middle<br>Room 3 2:00 The end</p>", "" },
    { "1. 0:00\n2. 1:30\n3. 2:00", "" },
    { "1 \342\200\223 0:00 Hello (0:10)\n2023 1:30 The middle\n3.1. 2:00 The end", "" },
    /* The same time twice, the list twice, a time after the list */
    { "0:00 Hello\n0:00 Welcome\n1:30 The middle\n2:00 The end", "0 Hello\n90 The middle\n120 The end" },
    { "0:00 Hello\n0:00 Welcome\n1:30 The middle", "" },
    { "0:20 Hello\n1:30 The middle\n2:00 The end\n\n0:20 Hallo\n1:30 Die Mitte\n2:00 Das Ende", "20 Hello\n90 The middle\n120 The end" },
    { "0:20 Hello\n1:30 The middle\n2:00 The end\n1:42 Quote", "20 Hello\n90 The middle\n120 The end" },
    { "1:42 Quote\n1:31 Quote\n0:00 Hello\n1:30 The middle\n2:00 The end", "0 Hello\n90 The middle\n120 The end" },
    /* Times in any order */
    { "3:00 A\n1:42 B\n1:50 C\n5:00 D\n4:00 E", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EarNotes) notes = ear_show_notes_parse (cases[i].source, NULL, EAR_DURATION_UNKNOWN);
      g_autoptr (GPtrArray) chapters = ear_chapters_from_notes (notes);

      assert_chapters (chapters, cases[i].expected);
    }
}

static void
test_comments (void)
{
  static const char *const comments[] = { "TITLE=x", "CHAPTER002NAME=B", "chapter002=00:01:02.500-->00:02:00.000", "CHAPTER001=00:00:00.000",
                                          "CHAPTER001NAME=A", "CHAPTER001URL=https://example.org/", "CHAPTER003NAME=nowhere",
                                          "CHAPTER=1", "CHAPTER99999=00:00:01", "CHAPTER004" };
  g_autoptr (EarCommentChapters) reader = ear_comment_chapters_new ();
  g_autoptr (GPtrArray) chapters = NULL;
  guint n_taken = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (comments); i++)
    n_taken += ear_comment_chapters_add (reader, comments[i]);
  g_assert_cmpuint (n_taken, ==, 6);
  chapters = ear_comment_chapters_list (reader);
  assert_chapters (chapters, "0 A https://example.org/\n62.5 B");
}

static EarMediaHead *
read_media (const void *bytes, gsize length)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (bytes, (gssize) length, NULL);

  return ear_media_head_read (stream, NULL);
}

static void
assert_picture (GPtrArray *chapters, guint index, const char *content)
{
  const EarChapter *chapter = ear_chapters_get (chapters, index);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, content, -1);
  g_autofree char *name = g_strconcat ("in-media:", hash, NULL);

  g_assert_nonnull (chapter->picture);
  g_assert_cmpmem (g_bytes_get_data (chapter->picture, NULL), g_bytes_get_size (chapter->picture), content, strlen (content));
  g_assert_cmpstr (chapter->image, ==, name);
}

/* A 2.3 chapter with a title in UTF-16, a link and a picture, and one whose frame is
 * truncated */
static const char id3[] = "ID3\003\000\000\000\000\001\000"
                          "CHAP\000\000\000\137\000\000" "a\000\000\000\003\350\000\000\007\320\377\377\377\377\377\377\377\377"
                          "TIT2\000\000\000\007\000\000" "\001\377\376A\000b\000"
                          "WXXX\000\000\000\026\000\000" "\000\000https://example.org/"
                          "APIC\000\000\000\022\000\000" "\000image/png\000\003A\000data"
                          "COMM\000\000\000\007\000\000" "\000eng\000Hi"
                          "CHAP\000\000\001\000\000\000" "b\000\000\000\000\000";

static void
test_id3 (void)
{
  g_autoptr (EarMediaHead) head = read_media (id3, sizeof id3 - 1);
  g_autoptr (GPtrArray) chapters = ear_chapters_new ();

  assert_chapters (head->chapters, "1 Ab https://example.org/");
  assert_ends (head->chapters, "2");
  assert_picture (head->chapters, 0, "data");
  g_assert_cmpstr (head->comment, ==, "Hi");

  /* As emitted by GStreamer */
  g_assert_true (ear_id3_read_frame ((const guint8 *) id3 + 10, sizeof id3 - 11, 3, chapters));
  g_assert_false (ear_id3_read_frame ((const guint8 *) "TIT2\0\0\0\1\0\0a", 11, 3, chapters));
  assert_chapters (chapters, "1 Ab https://example.org/");
}

/* Appends a 2.4 frame. */
static void
append_frame (GString *tag, const char *name, char flag, const char *body, gsize length)
{
  const char header[] = { 0, 0, (char) (length >> 7), (char) (length & 0x7f), 0, flag };

  g_string_append (tag, name);
  g_string_append_len (tag, header, sizeof header);
  g_string_append_len (tag, body, (gssize) length);
}

/* Appends a 2.4 tag. */
static void
append_tag (GString *file, char flag, const GString *frames)
{
  const char header[] = { 'I', 'D', '3', 4, 0, flag, 0, 0, (char) (frames->len >> 7), (char) (frames->len & 0x7f) };

  g_string_append_len (file, header, sizeof header);
  g_string_append_len (file, frames->str, (gssize) frames->len);
}

/* The title "Ab" in UTF-16, with byte offsets, without and with unsynchronisation */
#define PLAIN "a\0\0\0\003\350\0\0\007\320\377\377\377\377\377\377\377\377" "TIT2\0\0\0\007\0\0\001\377\376A\0b\0"
#define WITH_ZEROS \
  "a\0\0\0\003\350\0\0\007\320\377\0\377\0\377\0\377\0\377\0\377\0\377\0\377\0" "TIT2\0\0\0\007\0\0\001\377\0\376A\0b\0"

static void
test_id3_unsynchronised (void)
{
  static const struct
  {
    char tag_flag;
    char frame_flag;
    gboolean with_zeros;
    gsize size; /* size written in the frame; 0: the actual one */
  } cases[] = {
    { 0, 0, FALSE, 0 },
    { (char) 0x80, 0, TRUE, 0 },
    { (char) 0x80, 2, TRUE, 0 },
    { 0, 2, TRUE, 0 },
    /* 2.3 style: the whole tag was unsynchronised. */
    { (char) 0x80, 0, TRUE, sizeof PLAIN - 1 },
    /* The flag is set, but nothing was unsynchronised. */
    { (char) 0x80, 0, FALSE, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) frames = g_string_new (NULL), file = g_string_new (NULL);
      g_autoptr (EarMediaHead) head = NULL;

      if (cases[i].with_zeros)
        append_frame (frames, "CHAP", cases[i].frame_flag, WITH_ZEROS, sizeof WITH_ZEROS - 1);
      else
        append_frame (frames, "CHAP", cases[i].frame_flag, PLAIN, sizeof PLAIN - 1);
      if (cases[i].size > 0)
        frames->str[7] = (char) cases[i].size;
      append_frame (frames, "COMM", 0, "\3eng\0Hi", 7);
      append_tag (file, cases[i].tag_flag, frames);
      head = read_media (file->str, file->len);
      assert_chapters (head->chapters, "1 Ab");
      assert_ends (head->chapters, "2");
      g_assert_cmpstr (head->comment, ==, "Hi");
    }
}

/* A frame as emitted by GStreamer, without the flags of the tag */
static void
test_id3_frame (void)
{
  g_autoptr (GString) frame = g_string_new (NULL);
  g_autoptr (GPtrArray) chapters = ear_chapters_new ();

  append_frame (frame, "CHAP", 0, WITH_ZEROS, sizeof WITH_ZEROS - 1);
  g_assert_true (ear_id3_read_frame ((const guint8 *) frame->str, frame->len, 4, chapters));
  assert_chapters (chapters, "1 Ab");
}

/* The chapters may be in the second tag, after a footer; a frame's size may be in the
 * encoding of 2.3, and a text in another encoding than declared. */
static void
test_id3_odd (void)
{
  g_autoptr (GString) text = g_string_new ("a"), first = g_string_new (NULL), second = g_string_new (NULL), file = g_string_new (NULL);
  g_autoptr (EarMediaHead) head = NULL;
  g_autofree char *title = g_strnfill (255, 'T');
  g_autofree char *expected = g_strdup_printf ("1 %s\n2 \303\244\n3 \342\200\234\303\244", title);

  append_frame (first, "TIT2", 0, "\3Title", 6);
  append_tag (file, 0x10, first);
  g_string_append_len (file, "3DI\4\0\20\0\0\0\20", 10);
  g_string_append_len (text, "\0\0\0\3\350\0\0\0\0\0\0\0\0\0\0\0\0", 17);
  g_string_append_len (text, "TIT2\0\0\1\1\0\0", 10);
  g_string_append_printf (text, "\3%s", title);
  g_string_append_len (text, "\0", 1);
  /* The size is ambiguous: 285 bytes, or 157 as a syncsafe number. */
  g_string_append_len (second, "CHAP\0\0\1\35\0\0", 10);
  g_string_append_len (second, text->str, (gssize) text->len);
  append_frame (second, "CHAP", 0, "b\0\0\0\007\320\0\0\0\0\0\0\0\0\0\0\0\0TIT2\0\0\0\3\0\0\0\303\244", 31);
  append_frame (second, "CHAP", 0, "c\0\0\0\013\270\0\0\0\0\0\0\0\0\0\0\0\0TIT2\0\0\0\3\0\0\0\223\344", 31);
  append_frame (second, "CHAP", 0, "d\0\377\377\377\377\377\377\377\377\0\0\0\0\0\0\0\0", 18);
  append_tag (file, 0, second);
  head = read_media (file->str, file->len);
  assert_chapters (head->chapters, expected);
}

static void
append_box (GString *box, const char *name, const char *body, gsize length)
{
  const guint32 size = GUINT32_TO_BE ((guint32) length + 8);

  g_string_append_len (box, (const char *) &size, 4);
  g_string_append (box, name);
  g_string_append_len (box, body, (gssize) length);
}

static void
test_mp4 (void)
{
  static const char list[] = "\001\000\000\000\000\000\000\000\002"
                             "\000\000\000\000\000\000\000\000\001A"
                             "\000\000\000\000\001\311\303\200\002Bb";
  g_autoptr (GString) udta = g_string_new (NULL);
  g_autoptr (GString) moov = g_string_new (NULL);
  g_autoptr (GString) file = g_string_new (NULL);
  g_autoptr (EarMediaHead) head = NULL;

  append_box (udta, "chpl", list, sizeof list - 1);
  append_box (moov, "udta", udta->str, udta->len);
  append_box (file, "ftyp", "M4A ", 4);
  append_box (file, "mdat", "0123456789", 10);
  append_box (file, "moov", moov->str, moov->len);
  head = read_media (file->str, file->len);
  assert_chapters (head->chapters, "0 A\n3 Bb");
}

/* Appends a track of two samples in one chunk. The first has a duration of 1500 at 1000
 * units per second. */
static void
append_track (GString *moov, const char *id, const char *handler, const char *sizes, const char *offset)
{
  g_autoptr (GString) trak = g_string_new (NULL), stbl = g_string_new (NULL), minf = g_string_new (NULL), mdia = g_string_new (NULL);
  g_autoptr (GString) tkhd = g_string_new_len ("\0\0\0\0\0\0\0\0\0\0\0", 12);
  g_autoptr (GString) hdlr = g_string_new_len ("\0\0\0\0\0\0\0", 8);
  g_autoptr (GString) stsz = g_string_new_len ("\0\0\0\0\0\0\0\0\0\0\0\2", 12);
  g_autoptr (GString) stco = g_string_new_len ("\0\0\0\0\0\0\0\1", 8);

  append_box (stbl, "stts", "\0\0\0\0\0\0\0\1\0\0\0\2\0\0\5\334", 16);
  g_string_append_len (stsz, sizes, 8);
  append_box (stbl, "stsz", stsz->str, stsz->len);
  append_box (stbl, "stsc", "\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\2\0\0\0\1", 20);
  g_string_append_len (stco, offset, 4);
  append_box (stbl, "stco", stco->str, stco->len);
  append_box (minf, "stbl", stbl->str, stbl->len);
  append_box (mdia, "mdhd", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3\350", 16);
  g_string_append (hdlr, handler);
  append_box (mdia, "hdlr", hdlr->str, hdlr->len);
  append_box (mdia, "minf", minf->str, minf->len);
  g_string_append_len (tkhd, id, 4);
  append_box (trak, "tkhd", tkhd->str, tkhd->len);
  append_box (trak, "mdia", mdia->str, mdia->len);
  append_box (moov, "trak", trak->str, trak->len);
}

/* Appends an audio track that refers to chapter tracks.
 * @chap: their numbers */
static void
append_sound (GString *moov, const char *chap, gsize length)
{
  g_autoptr (GString) sound = g_string_new (NULL), tref = g_string_new (NULL);

  append_box (tref, "chap", chap, length);
  append_box (sound, "tkhd", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16);
  append_box (sound, "tref", tref->str, tref->len);
  append_box (moov, "trak", sound->str, sound->len);
}

/* The text track of FFmpeg and Apple, and Apple's picture track */
static void
test_mp4_track (void)
{
  g_autoptr (GString) moov = g_string_new (NULL), file = g_string_new (NULL);
  g_autoptr (EarMediaHead) head = NULL;

  /* The texts, "A" and "Bb", are at offset 20, the pictures at 27. */
  append_box (file, "ftyp", "M4A ", 4);
  append_box (file, "mdat", "\000\001A\000\002BbFirstNext", 16);
  append_sound (moov, "\0\0\0\2\0\0\0\3", 8);
  append_track (moov, "\0\0\0\3", "vide", "\0\0\0\5\0\0\0\4", "\0\0\0\33");
  append_track (moov, "\0\0\0\2", "text", "\0\0\0\3\0\0\0\4", "\0\0\0\24");
  append_box (file, "moov", moov->str, moov->len);
  head = read_media (file->str, file->len);
  assert_chapters (head->chapters, "0 A\n1.5 Bb");
  assert_picture (head->chapters, 0, "First");
  assert_picture (head->chapters, 1, "Next");
}

/* Reads a file with a single text track, and optionally Nero's list.
 * @texts: two samples
 * @sizes: their lengths */
static EarMediaHead *
read_texts (const char *texts, gsize length, const char *sizes, const char *nero, gsize nero_length)
{
  g_autoptr (GString) moov = g_string_new (NULL), udta = g_string_new (NULL), file = g_string_new (NULL);

  append_box (file, "ftyp", "M4A ", 4);
  append_box (file, "mdat", texts, length);
  append_sound (moov, "\0\0\0\2", 4);
  append_track (moov, "\0\0\0\2", "text", sizes, "\0\0\0\24");
  append_box (udta, "chpl", nero, nero_length);
  append_box (moov, "udta", udta->str, udta->len);
  append_box (file, "moov", moov->str, moov->len);

  return read_media (file->str, file->len);
}

static void
test_mp4_texts (void)
{
  static const char one[] = "\1\0\0\0\0\0\0\0\1" "\0\0\0\0\0\0\0\0\1N";
  static const char two[] = "\1\0\0\0\0\0\0\0\2" "\0\0\0\0\0\0\0\0\1N" "\0\0\0\0\0\0\0\0\1O";
  static const char plain[] = "\0\1A\0\2Bb";
  static const char wide[] = "\0\4\376\377\0\344" "\0\6\377\376\344\0b\0";
  static const char gap[] = "\0\1A\0\0\0";
  g_autoptr (EarMediaHead) alone = read_texts (plain, 7, "\0\0\0\3\0\0\0\4", NULL, 0);
  g_autoptr (EarMediaHead) utf16 = read_texts (wide, 14, "\0\0\0\6\0\0\0\10", NULL, 0);
  g_autoptr (EarMediaHead) more = read_texts (plain, 7, "\0\0\0\3\0\0\0\4", one, sizeof one - 1);
  g_autoptr (EarMediaHead) as_many = read_texts (plain, 7, "\0\0\0\3\0\0\0\4", two, sizeof two - 1);
  g_autoptr (EarMediaHead) untitled = read_texts (gap, 6, "\0\0\0\3\0\0\0\3", one, sizeof one - 1);

  assert_chapters (alone->chapters, "0 A\n1.5 Bb");
  assert_chapters (utf16->chapters, "0 \303\244\n1.5 \303\244b");
  assert_chapters (more->chapters, "0 A\n1.5 Bb");
  assert_chapters (as_many->chapters, "0 N\n0 O");
  assert_chapters (untitled->chapters, "0 N");
}

/* Truncated and altered files do no harm. */
static void
test_damaged (void)
{
  static const char *const names[] = { "moov", "trak", "stbl", "stsz", "stco", "chpl", "udta" };
  g_autoptr (GRand) random = g_rand_new_with_seed (20);

  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *copy = g_memdup2 (id3, sizeof id3);
      g_autoptr (GString) file = g_string_new (NULL);
      g_autoptr (EarMediaHead) head = NULL;
      g_autoptr (EarMediaHead) boxes = NULL;

      for (guint j = 0; j < 4; j++)
        copy[g_rand_int_range (random, 3, sizeof id3)] = (char) g_rand_int (random);
      head = read_media (copy, (gsize) g_rand_int_range (random, 0, sizeof id3));
      append_box (file, "ftyp", "M4A ", 4);
      for (guint j = 0; j < 20; j++)
        {
          const guint32 size = GUINT32_TO_BE ((guint32) g_rand_int_range (random, 0, 64));

          g_string_append_len (file, (const char *) &size, 4);
          g_string_append (file, names[g_rand_int_range (random, 0, G_N_ELEMENTS (names))]);
        }
      boxes = read_media (file->str, file->len);
    }
}

static void
test_merge (void)
{
  g_autoptr (GPtrArray) first = parse_json ("[{\"startTime\":0,\"title\":\"A\"},{\"startTime\":60},{\"startTime\":60.3,\"title\":\"B\"},"
                                              "{\"startTime\":90,\"title\":\"Silent\",\"toc\":false},{\"startTime\":500,\"title\":\"Late\"}]");
  g_autoptr (GPtrArray) second = parse_json ("[{\"startTime\":0.4,\"title\":\"X\",\"url\":\"https://example.org/\"},{\"startTime\":30,\"title\":\"Y\"}]");
  g_autoptr (GPtrArray) single = parse_json ("[{\"startTime\":0,\"title\":\"All of it\"}]");
  GPtrArray *const sources[] = { NULL, single, first, second };
  g_autoptr (GPtrArray) merged = ear_chapters_merge (sources, G_N_ELEMENTS (sources), 400 * G_TIME_SPAN_SECOND);
  g_autoptr (GPtrArray) alone = ear_chapters_merge (sources, 2, 0);
  g_autoptr (GPtrArray) none = ear_chapters_merge (sources, 1, 0);

  assert_chapters (merged, "0 A https://example.org/\n60 B");
  assert_chapters (alone, "0 All of it");
  assert_chapters (none, "");

  g_assert_cmpint (ear_chapters_find (merged, 59 * G_TIME_SPAN_SECOND), ==, 0);
  g_assert_cmpint (ear_chapters_find (merged, 60 * G_TIME_SPAN_SECOND), ==, 1);
  g_assert_cmpint (ear_chapters_find (none, 0), ==, -1);
  g_assert_cmpint (ear_chapters_get_end (merged, 0, 0), ==, 60 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (ear_chapters_get_end (merged, 1, 0), ==, -1);
  g_assert_cmpint (ear_chapters_get_end (merged, 1, 90 * G_TIME_SPAN_SECOND), ==, 90 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (ear_chapters_get_end (merged, 1, 7), ==, -1);
  g_assert_true (ear_chapters_equal (merged, merged));
  g_assert_false (ear_chapters_equal (merged, alone));
  g_assert_false (ear_chapters_equal (merged, NULL));
}

/* An end counts if it is clearly before the next start, beyond the rounding of
 * sources. */
static void
test_ends (void)
{
  g_autoptr (GPtrArray) chapters = parse_json ("[{\"startTime\":0,\"endTime\":20},{\"startTime\":60,\"endTime\":89.5},"
                                                 "{\"startTime\":90,\"endTime\":130},{\"startTime\":120,\"endTime\":150}]");
  static const struct
  {
    guint index;
    int duration;
    int chapter_end;
  } cases[] = { { 0, 0, 20 }, { 1, 0, 90 }, { 2, 0, 120 }, { 3, 0, 150 }, { 3, 200, 150 }, { 3, 140, 140 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (ear_chapters_get_end (chapters, cases[i].index, cases[i].duration * G_TIME_SPAN_SECOND), ==,
                     cases[i].chapter_end * G_TIME_SPAN_SECOND);
}

/* Merging takes the end with its chapter, from the source that has one. */
static void
test_merge_ends (void)
{
  g_autoptr (GPtrArray) first = parse_json ("[{\"startTime\":0,\"endTime\":20},{\"startTime\":60},{\"startTime\":90}]");
  g_autoptr (GPtrArray) second = parse_json ("[{\"startTime\":0,\"endTime\":30},{\"startTime\":60.5,\"endTime\":80},"
                                               "{\"startTime\":89.5,\"endTime\":89.9}]");
  GPtrArray *const sources[] = { first, second };
  g_autoptr (GPtrArray) merged = ear_chapters_merge (sources, G_N_ELEMENTS (sources), 0);
  g_autoptr (GPtrArray) alone = ear_chapters_merge (sources, 1, 0);

  assert_ends (merged, "20 80 0");
  assert_ends (alone, "20 0 0");
  g_assert_false (ear_chapters_equal (merged, alone));
}

/* The pictures of an episode share one limit. */
static void
test_picture_room (void)
{
  const gsize large = EAR_CHAPTER_PICTURES_LIMIT - 4;
  g_autofree guint8 *bytes = g_malloc0 (large);
  g_autoptr (GPtrArray) chapters = ear_chapters_new ();

  for (guint i = 0; i < 4; i++)
    ear_chapters_add (chapters, i * G_TIME_SPAN_MINUTE, NULL);
  ear_chapters_add_picture (chapters, ear_chapters_get (chapters, 0), bytes, large);
  ear_chapters_add_picture (chapters, ear_chapters_get (chapters, 1), (const guint8 *) "12345", 5);
  ear_chapters_add_picture (chapters, ear_chapters_get (chapters, 2), (const guint8 *) "1234", 4);
  ear_chapters_add_picture (chapters, ear_chapters_get (chapters, 3), bytes, 0);
  /* A chapter keeps its first picture. */
  ear_chapters_add_picture (chapters, ear_chapters_get (chapters, 0), (const guint8 *) "1234", 4);

  g_assert_cmpuint (g_bytes_get_size (ear_chapters_get (chapters, 0)->picture), ==, large);
  g_assert_null (ear_chapters_get (chapters, 1)->picture);
  g_assert_null (ear_chapters_get (chapters, 1)->image);
  assert_picture (chapters, 2, "1234");
  g_assert_null (ear_chapters_get (chapters, 3)->picture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/feed/chapters/json", test_json);
  g_test_add_func ("/feed/chapters/json-wide", test_json_wide);
  g_test_add_func ("/feed/chapters/json-ends", test_json_ends);
  g_test_add_func ("/feed/chapters/json-many", test_json_many);
  g_test_add_func ("/feed/chapters/notes", test_notes);
  g_test_add_func ("/feed/chapters/comments", test_comments);
  g_test_add_func ("/feed/chapters/id3", test_id3);
  g_test_add_func ("/feed/chapters/id3-unsynchronised", test_id3_unsynchronised);
  g_test_add_func ("/feed/chapters/id3-frame", test_id3_frame);
  g_test_add_func ("/feed/chapters/id3-odd", test_id3_odd);
  g_test_add_func ("/feed/chapters/mp4", test_mp4);
  g_test_add_func ("/feed/chapters/mp4-track", test_mp4_track);
  g_test_add_func ("/feed/chapters/mp4-texts", test_mp4_texts);
  g_test_add_func ("/feed/chapters/damaged", test_damaged);
  g_test_add_func ("/feed/chapters/merge", test_merge);
  g_test_add_func ("/feed/chapters/merge-ends", test_merge_ends);
  g_test_add_func ("/feed/chapters/ends", test_ends);
  g_test_add_func ("/feed/chapters/picture-room", test_picture_room);

  return g_test_run ();
}
