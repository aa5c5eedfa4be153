/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-media-content.h"
#include "ear-test-wait.h"

#include <glib/gstdio.h>
#include <string.h>

/* Kinds of files by their content, and URLs in playlists */

/* A file is @head, and @n frames of @frame_length that begin with @frame. */
typedef struct
{
  const char *name;
  const char *head;
  gsize head_length;
  EarMediaContent content;
  const char *type; /* (nullable): %NULL if it is no media */
  const char *frame;
  gsize frame_length;
  guint n;
} Case;

#define BYTES(text) text, sizeof text - 1
#define MEDIA(type) EAR_MEDIA_CONTENT_UNKNOWN, type

#define MP3 "\xff\xfb\x90\x64"               /* MPEG 1 layer 3, 128 kbit/s, 44.1 kHz: 417 bytes */
#define MP3_LOW "\xff\xf3\x40\xc4"           /* MPEG 2 layer 3, 32 kbit/s, 22.05 kHz: 104 bytes */
#define ADTS "\xff\xf1\x50\x80\x20\x1f\xfc"  /* 256 bytes */

static const Case cases[] = {
  { "MP3 with a tag", BYTES ("ID3\x04\0\0\0\0\0\0"), MEDIA ("audio/mpeg"), MP3, 417, 5 },
  { "MP3 with a damaged tag", BYTES ("ID3\x04\0\0\xff\xff\xff\xff"), MEDIA ("audio/mpeg"), NULL, 0, 0 },
  { "a tag that has just begun", BYTES ("ID3"), MEDIA ("audio/mpeg"), NULL, 0, 0 },
  { "MP3", BYTES (""), MEDIA ("audio/mpeg"), MP3, 417, 5 },
  { "MP3 of a low rate", BYTES (""), MEDIA ("audio/mpeg"), MP3_LOW, 104, 5 },
  { "MP3 that was cut", BYTES ("\x12\xff\x34\xff\xfb\x56"), EAR_MEDIA_CONTENT_UNKNOWN, NULL, MP3, 417, 20 },
  { "one frame of MP3", BYTES (""), MEDIA ("audio/mpeg"), MP3, 417, 1 },
  { "AAC", BYTES (""), MEDIA ("audio/aac"), ADTS, 256, 5 },
  { "AAC with a tag", BYTES ("ID3\x04\0\0\0\0\0\x05" "12345"), MEDIA ("audio/aac"), ADTS, 256, 5 },
  { "FLAC with a tag", BYTES ("ID3\x04\0\0\0\0\0\x05" "12345fLaC"), MEDIA ("audio/flac"), NULL, 0, 0 },
  { "M4A", BYTES ("\0\0\0\x20" "ftypM4A \0\0\0\0M4A mp42isom"), MEDIA ("audio/mp4"), NULL, 0, 0 },
  { "M4B", BYTES ("\0\0\0\x20" "ftypM4B \0\0\0\0"), MEDIA ("audio/x-m4b"), NULL, 0, 0 },
  { "MP4", BYTES ("\0\0\0\x20" "ftypisom\0\0\0\0"), MEDIA ("video/mp4"), NULL, 0, 0 },
  { "QuickTime", BYTES ("\0\0\0\x14" "ftypqt  \0\0\0\0hdlr\0\0\0\0\0\0\0\0vide"), MEDIA ("video/quicktime"), NULL, 0, 0 },
  { "Opus", BYTES ("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x13OpusHead"), MEDIA ("audio/x-opus+ogg"), NULL, 0, 0 },
  { "Vorbis", BYTES ("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x1e\1vorbis"), MEDIA ("audio/x-vorbis+ogg"), NULL, 0, 0 },
  { "FLAC in Ogg", BYTES ("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x33\x7f" "FLAC"), MEDIA ("audio/x-flac+ogg"), NULL, 0, 0 },
  { "Theora", BYTES ("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x2a\x80theora"), MEDIA ("video/x-theora+ogg"), NULL, 0, 0 },
  { "FLAC", BYTES ("fLaC\0\0\0\x22"), MEDIA ("audio/flac"), NULL, 0, 0 },
  { "WAV", BYTES ("RIFF\x24\0\0\0WAVEfmt "), MEDIA ("audio/vnd.wave"), NULL, 0, 0 },
  { "AIFF", BYTES ("FORM\0\0\0\x24" "AIFFCOMM"), MEDIA ("audio/x-aiff"), NULL, 0, 0 },
  { "WebM", BYTES ("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm"), MEDIA ("video/webm"), NULL, 0, 0 },
  { "Matroska", BYTES ("\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska\x83\x81\x01"), MEDIA ("application/x-matroska"), NULL, 0, 0 },
  { "PNG", BYTES ("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), EAR_MEDIA_CONTENT_PICTURE, NULL, NULL, 0, 0 },
  { "JPEG", BYTES ("\xff\xd8\xff\xe0\0\x10JFIF"), EAR_MEDIA_CONTENT_PICTURE, NULL, NULL, 0, 0 },
  { "GIF", BYTES ("GIF89a\1\0\1\0"), EAR_MEDIA_CONTENT_PICTURE, NULL, NULL, 0, 0 },
  { "WebP", BYTES ("RIFF\x24\0\0\0WEBPVP8 "), EAR_MEDIA_CONTENT_PICTURE, NULL, NULL, 0, 0 },
  { "AVIF", BYTES ("\0\0\0\x20" "ftypavif\0\0\0\0"), EAR_MEDIA_CONTENT_PICTURE, NULL, NULL, 0, 0 },
  { "SVG", BYTES ("<?xml version=\"1.0\"?>\n<svg xmlns"), EAR_MEDIA_CONTENT_PICTURE, NULL, NULL, 0, 0 },
  { "PDF", BYTES ("%PDF-1.4\n"), EAR_MEDIA_CONTENT_DOCUMENT, NULL, NULL, 0, 0 },
  { "HTML", BYTES ("\xef\xbb\xbf\r\n <!DOCTYPE HTML>"), EAR_MEDIA_CONTENT_PAGE, NULL, NULL, 0, 0 },
  { "XML", BYTES ("<?xml version=\"1.0\"?><Error/>"), EAR_MEDIA_CONTENT_PAGE, NULL, NULL, 0, 0 },
  { "HLS", BYTES ("#EXTM3U\n#EXT-X-VERSION:3\n"), EAR_MEDIA_CONTENT_STREAM, NULL, NULL, 0, 0 },
  { "DASH", BYTES ("<?xml version=\"1.0\"?><MPD xmlns"), EAR_MEDIA_CONTENT_STREAM, NULL, NULL, 0, 0 },
  { "M3U", BYTES ("#EXTM3U\r\n#EXTINF:60,x\r\n"), EAR_MEDIA_CONTENT_PLAYLIST, NULL, NULL, 0, 0 },
  { "M3U without a head", BYTES ("https://example.org/a.mp3"), EAR_MEDIA_CONTENT_PLAYLIST, NULL, NULL, 0, 0 },
  { "PLS", BYTES ("[Playlist]\nFile1=x"), EAR_MEDIA_CONTENT_PLAYLIST, NULL, NULL, 0, 0 },
  { "XSPF", BYTES ("<?xml version=\"1.0\"?><playlist version=\"1\">"), EAR_MEDIA_CONTENT_PLAYLIST, NULL, NULL, 0, 0 },
  { "nothing", BYTES (""), EAR_MEDIA_CONTENT_UNKNOWN, NULL, NULL, 0, 0 },
  { "text", BYTES ("Sign in"), EAR_MEDIA_CONTENT_UNKNOWN, NULL, NULL, 0, 0 },
  { "text in UTF-16", BYTES ("\xff\xfeh\0e\0y\0"), EAR_MEDIA_CONTENT_UNKNOWN, NULL, NULL, 0, 0 },
};

static GByteArray *
make_file (const Case *item)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();

  g_byte_array_append (file, (const guint8 *) item->head, (guint) item->head_length);
  for (guint i = 0; i < item->n; i++)
    {
      const guint begin = file->len;

      g_byte_array_set_size (file, begin + (guint) item->frame_length);
      memset (file->data + begin, 0x55, item->frame_length);
      memcpy (file->data + begin, item->frame, strlen (item->frame));
    }
  /* An exact copy, so that reading beyond the end is detected */
  return g_byte_array_new_take (file->len > 0 ? g_memdup2 (file->data, file->len) : g_malloc (1), file->len);
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("earmark-media-XXXXXX", NULL);
  const char *path = ear_test_format ("%s/file.part", folder);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) file = make_file (&cases[i]);

      g_test_message ("%s", cases[i].name);
      g_assert_cmpint (ear_media_content_sniff (file->data, file->len), ==, cases[i].content);
      /* Files truncated anywhere are read without harm. */
      for (guint length = 0; length < MIN (file->len, 64); length++)
        {
          g_autofree guint8 *part = g_malloc (MAX (length, 1));

          memcpy (part, file->data, length);
          ear_media_content_sniff (part, length);
        }
      g_assert_true (g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
      if (cases[i].type != NULL)
        ear_test_assert_text (ear_media_content_read_type (path), cases[i].type);
    }
  g_unlink (path);
  g_assert_null (ear_media_content_read_type (path));
  g_rmdir (folder);
}

/* A page that a captive portal sends may be plain text. */
static void
test_text (void)
{
  g_assert_true (ear_media_content_is_text ((const guint8 *) "Sign in", 7));
  g_assert_true (ear_media_content_is_text ((const guint8 *) "Melde dich an, b\xc3\xbctte", 21));
  g_assert_false (ear_media_content_is_text ((const guint8 *) "", 0));
  g_assert_false (ear_media_content_is_text ((const guint8 *) "\xff\xfb\x90\x64\0\1\2", 7));
}

static void
test_playlists (void)
{
  /* Lists, and their addresses, joined by a space */
  static const char *const lists[][2] = {
    { "https://e.org/a.mp3", "https://e.org/a.mp3" },
    { "\xef\xbb\xbf#EXTM3U\r\n#EXTINF:60,A title\r\nhttps://e.org/a.mp3\r\n", "https://e.org/a.mp3" },
    { "#EXTM3U\na b.mp3\n\n../c.mp3\n", "https://show.example/lists/a%20b.mp3 https://show.example/c.mp3" },
    { "https://e.org/a.mp3\rhttps://e.org/a.mp3\r", "https://e.org/a.mp3" },
    { "#EXTM3U\n\n#EXTINF:60,A title\na.mp3\n \n", "https://show.example/lists/a.mp3" },
    { "#EXTM3U\r\n\r\n#EXTINF:60,A title\r\na.mp3\r\n\r\n", "https://show.example/lists/a.mp3" },
    { "#EXTM3U\nm\xfcnchen.mp3\n", "https://show.example/lists/m%FCnchen.mp3" },
    { "[playlist]\nNumberOfEntries=1\nFile1=https://e.org/a.mp3\nTitle1=http://x\nLength1=-1\n", "https://e.org/a.mp3" },
    { "[playlist]\r\nfile2 = b.mp3\r\n", "https://show.example/lists/b.mp3" },
    { "[Reference]\nRef1=http://e.org/a.mp3?MSWMExt=.asf\n", "http://e.org/a.mp3?MSWMExt=.asf" },
    { "<?xml version='1.0'?><playlist><trackList><track><location>https://e.org/a?b=1&amp;c=2</location></track></trackList></playlist>",
      "https://e.org/a?b=1&c=2" },
    { "<ASX version='3'><entry><Ref HREF=\"https://e.org/a.mp3\"/></entry></ASX>", "https://e.org/a.mp3" },
    { "#EXTM3U\nfile:///etc/passwd\n", "" },
    { "", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_auto (GStrv) addresses = ear_playlist_parse (lists[i][0], strlen (lists[i][0]), "https://show.example/lists/x.m3u");

      ear_test_assert_text (g_strjoinv (" ", addresses), lists[i][1]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/media-content/files", test_files);
  g_test_add_func ("/media-content/text", test_text);
  g_test_add_func ("/media-content/playlists", test_playlists);

  return g_test_run ();
}
