/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-media-content.h"

#include <glib/gstdio.h>
#include <string.h>

/* Kinds of files by their content, and URLs in playlists */

/* A file is @head, and then @n frames that each begin with @frame and are @frame_length
 * long. */
typedef struct
{
  const char *name;
  const char *head;
  gsize head_length;
  EarMediaContent content;
  const char *ending;
  const char *frame;
  gsize frame_length;
  guint n;
} Case;

#define BYTES(text) text, sizeof text - 1
#define MEDIA(ending) EAR_MEDIA_CONTENT_MEDIA, ending

#define MP3 "\xff\xfb\x90\x64"               /* MPEG 1 layer 3, 128 kbit/s, 44.1 kHz: 417 bytes */
#define MP3_LOW "\xff\xf3\x40\xc4"           /* MPEG 2 layer 3, 32 kbit/s, 22.05 kHz: 104 bytes */
#define ADTS "\xff\xf1\x50\x80\x20\x1f\xfc"  /* 256 bytes */

static const Case cases[] = {
  { "MP3 with a tag", BYTES ("ID3\x04\0\0\0\0\0\0"), MEDIA ("mp3"), MP3, 417, 5 },
  { "MP3 with a damaged tag", BYTES ("ID3\x04\0\0\xff\xff\xff\xff"), MEDIA ("mp3"), NULL, 0, 0 },
  { "a tag that has just begun", BYTES ("ID3"), MEDIA ("mp3"), NULL, 0, 0 },
  { "MP3", BYTES (""), MEDIA ("mp3"), MP3, 417, 5 },
  { "MP3 of a low rate", BYTES (""), MEDIA ("mp3"), MP3_LOW, 104, 5 },
  { "MP3 that was cut", BYTES ("\x12\xff\x34\xff\xfb\x56"), EAR_MEDIA_CONTENT_UNKNOWN, NULL, MP3, 417, 20 },
  { "one frame of MP3", BYTES (""), MEDIA ("mp3"), MP3, 417, 1 },
  { "AAC", BYTES (""), MEDIA ("aac"), ADTS, 256, 5 },
  { "AAC with a tag", BYTES ("ID3\x04\0\0\0\0\0\x05" "12345"), MEDIA ("aac"), ADTS, 256, 5 },
  { "FLAC with a tag", BYTES ("ID3\x04\0\0\0\0\0\x05" "12345fLaC"), MEDIA ("flac"), NULL, 0, 0 },
  { "M4A", BYTES ("\0\0\0\x20" "ftypM4A \0\0\0\0M4A mp42isom"), MEDIA ("m4a"), NULL, 0, 0 },
  { "M4A with pictures of chapters", BYTES ("\0\0\0\x10" "ftypM4A \0\0\0\0hdlr\0\0\0\0\0\0\0\0vide"), MEDIA ("m4a"), NULL, 0, 0 },
  { "M4B", BYTES ("\0\0\0\x20" "ftypM4B \0\0\0\0"), MEDIA ("m4b"), NULL, 0, 0 },
  { "MP4 with sound", BYTES ("\0\0\0\x20" "ftypisom\0\0\0\0hdlr\0\0\0\0\0\0\0\0soun"), MEDIA ("m4a"), NULL, 0, 0 },
  { "MP4 with video", BYTES ("\0\0\0\x20" "ftypisom\0\0\0\0hdlr\0\0\0\0\0\0\0\0sounhdlr\0\0\0\0\0\0\0\0vide"), MEDIA ("mp4"), NULL, 0, 0 },
  { "QuickTime", BYTES ("\0\0\0\x14" "ftypqt  \0\0\0\0hdlr\0\0\0\0\0\0\0\0vide"), MEDIA ("mov"), NULL, 0, 0 },
  { "Opus", BYTES ("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x13OpusHead"), MEDIA ("opus"), NULL, 0, 0 },
  { "Vorbis", BYTES ("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x1e\1vorbis"), MEDIA ("ogg"), NULL, 0, 0 },
  { "FLAC in Ogg", BYTES ("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x33\x7f" "FLAC"), MEDIA ("oga"), NULL, 0, 0 },
  { "Theora", BYTES ("OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x2a\x80theora"), MEDIA ("ogv"), NULL, 0, 0 },
  { "FLAC", BYTES ("fLaC\0\0\0\x22"), MEDIA ("flac"), NULL, 0, 0 },
  { "WAV", BYTES ("RIFF\x24\0\0\0WAVEfmt "), MEDIA ("wav"), NULL, 0, 0 },
  { "AIFF", BYTES ("FORM\0\0\0\x24" "AIFFCOMM"), MEDIA ("aiff"), NULL, 0, 0 },
  { "WebM", BYTES ("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm"), MEDIA ("webm"), NULL, 0, 0 },
  { "Matroska", BYTES ("\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska\x83\x81\x01"), MEDIA ("mkv"), NULL, 0, 0 },
  { "Matroska with sound", BYTES ("\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska\x83\x81\x02"), MEDIA ("mka"), NULL, 0, 0 },
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
test_sniff (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) file = make_file (&cases[i]);
      const char *ending = "?";

      g_test_message ("%s", cases[i].name);
      g_assert_cmpint (ear_media_content_sniff (file->data, file->len, &ending), ==, cases[i].content);
      g_assert_cmpstr (ending, ==, cases[i].ending);
      /* Files truncated anywhere are read without harm. */
      for (guint length = 0; length < MIN (file->len, 64); length++)
        {
          g_autofree guint8 *part = g_malloc (MAX (length, 1));

          memcpy (part, file->data, length);
          ear_media_content_sniff (part, length, NULL);
        }
    }
}

static const char *
find_ending (const char *path, const GByteArray *file)
{
  g_assert_true (g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));

  return ear_media_content_find_ending (path);
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("earmark-media-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  g_autoptr (GByteArray) video = g_byte_array_new ();
  g_autoptr (GByteArray) sound = g_byte_array_new ();
  g_autoptr (GByteArray) tagged = g_byte_array_new ();
  g_autofree guint8 *filler = g_malloc0 (200000);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) file = make_file (&cases[i]);

      g_test_message ("%s", cases[i].name);
      if (!g_str_has_prefix (cases[i].name, "MP4") && !g_str_has_prefix (cases[i].name, "QuickTime"))
        g_assert_cmpstr (find_ending (path, file), ==, cases[i].ending);
    }

  /* The tracks of an MP4 file are described at its end. */
  g_byte_array_append (video, (const guint8 *) "\0\0\0\x10" "ftypisom\0\0\0\0", 16);
  g_byte_array_append (video, (const guint8 *) "\0\x03\x0d\x48" "mdat", 8);
  g_byte_array_append (video, filler, 200000);
  g_byte_array_append (sound, video->data, video->len);
  g_byte_array_append (video, (const guint8 *) "\0\0\0\x18moovhdlr\0\0\0\0\0\0\0\0vide", 24);
  g_byte_array_append (sound, (const guint8 *) "\0\0\0\x18moovhdlr\0\0\0\0\0\0\0\0soun", 24);
  g_assert_cmpstr (find_ending (path, video), ==, "mp4");
  g_assert_cmpstr (find_ending (path, sound), ==, "m4a");
  memcpy (video->data + 8, "qt  ", 4);
  g_assert_cmpstr (find_ending (path, video), ==, "mov");

  /* A tag with a cover is longer than the part that is read first. */
  g_byte_array_append (tagged, (const guint8 *) "ID3\x04\0\0\0\x0c\x1a\x40", 10);
  g_byte_array_append (tagged, filler, 200000);
  g_byte_array_append (tagged, (const guint8 *) "fLaC", 4);
  g_assert_cmpstr (find_ending (path, tagged), ==, "flac");

  g_unlink (path);
  g_assert_null (ear_media_content_find_ending (path));
  g_rmdir (folder);
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
      g_autofree char *joined = g_strjoinv (" ", addresses);

      g_assert_cmpstr (joined, ==, lists[i][1]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/media-content/sniff", test_sniff);
  g_test_add_func ("/media-content/files", test_files);
  g_test_add_func ("/media-content/playlists", test_playlists);

  return g_test_run ();
}
