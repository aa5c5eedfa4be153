/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-made.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

/* Generated content: feeds of any length, a page, a compressed bomb, a large picture
 * and a sound. */

static const char *const subjects[] = {
  "the window", "a list", "the cache", "one small parser", "the network", "an icon", "the clock", "a queue",
};
static const char *const verbs[] = {
  "waits for", "draws", "forgets", "remembers", "asks", "outlives", "measures", "explains",
};
static const char *const objects[] = {
  "the listener", "its own shadow", "every byte", "a patient thread", "the next frame", "an old file", "the answer",
};

static void
append_sentence (GString *text,
                 guint    seed)
{
  g_string_append_printf (text, "Today %s %s %s, which takes %u steps and one good night's sleep. ",
                          subjects[seed % G_N_ELEMENTS (subjects)],
                          verbs[(seed / 3) % G_N_ELEMENTS (verbs)],
                          objects[(seed / 7) % G_N_ELEMENTS (objects)], seed % 90 + 2);
}

/* The newest item comes first; each further one is an hour older. */
static char *
format_item_date (guint index)
{
  g_autoptr (GDateTime) newest = g_date_time_new_utc (2026, 3, 1, 6, 0, 0);
  g_autoptr (GDateTime) date = g_date_time_add_hours (newest, -(int) (index % 1000000));
  const char *days[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
  const char *months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

  /* Not g_date_time_format(): feeds have English names of days in every locale. */
  return g_strdup_printf ("%s, %02d %s %d %02d:00:00 GMT",
                          days[g_date_time_get_day_of_week (date) - 1], g_date_time_get_day_of_month (date),
                          months[g_date_time_get_month (date) - 1], g_date_time_get_year (date),
                          g_date_time_get_hour (date));
}

/**
 * ear_test_made_append_head:
 * @feed: the text to append to
 * @title: the podcast's title
 * @base: start of the addresses in it
 */
void
ear_test_made_append_head (GString    *feed,
                           const char *title,
                           const char *base)
{
  g_autofree char *name = g_markup_escape_text (title, -1);
  g_autofree char *address = g_markup_escape_text (base, -1);

  g_string_append_printf (feed,
                          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" "
                          "xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">\n<channel>\n"
                          "<title>%s</title>\n<link>%s/</link>\n<language>en</language>\n"
                          "<description>A podcast that a test server makes up as it goes.</description>\n"
                          "<itunes:author>A Test Server</itunes:author>\n"
                          "<itunes:image href=\"%s/cover.png\"/>\n",
                          name, address, address);
}

/**
 * ear_test_made_append_item:
 * @feed: the text to append to
 * @base: start of the addresses in it
 * @index: index of the item, 0 is the newest; the same index always gives the same text
 */
void
ear_test_made_append_item (GString    *feed,
                           const char *base,
                           guint       index)
{
  g_autofree char *date = format_item_date (index);
  g_autofree char *address = g_markup_escape_text (base, -1);

  g_string_append_printf (feed, "<item>\n<guid isPermaLink=\"false\">made-%u</guid>\n<title>Day %u: %s</title>\n"
                                "<pubDate>%s</pubDate>\n<itunes:duration>%u</itunes:duration>\n"
                                "<enclosure url=\"%s/audio/%u.mp3\" length=\"%u\" type=\"audio/mpeg\"/>\n<description>",
                          index, index, subjects[index % G_N_ELEMENTS (subjects)], date, 300 + index % 3000,
                          address, index, 2400000 + index);
  append_sentence (feed, index);
  g_string_append (feed, "</description>\n<content:encoded><![CDATA[");
  for (guint paragraph = 0; paragraph < 4; paragraph++)
    {
      g_string_append (feed, "<p>");
      for (guint i = 0; i < 3; i++)
        append_sentence (feed, index * 31 + paragraph * 7 + i);
      g_string_append_printf (feed, "<a href=\"https://example.org/day/%u/%u\">More about that</a></p>\n", index, paragraph);
    }
  g_string_append (feed, "]]></content:encoded>\n</item>\n");
}

void
ear_test_made_append_tail (GString *feed)
{
  g_string_append (feed, "</channel>\n</rss>\n");
}

/**
 * ear_test_made_feed:
 * @title: the podcast's title
 * @base: start of the addresses in it
 * @items: the number of items
 *
 * Returns: (transfer full): an RSS 2.0 feed
 */
GBytes *
ear_test_made_feed (const char *title,
                    const char *base,
                    guint       items)
{
  GString *feed = g_string_new (NULL);

  ear_test_made_append_head (feed, title, base);
  for (guint i = 0; i < items; i++)
    ear_test_made_append_item (feed, base, i);
  ear_test_made_append_tail (feed);

  return g_string_free_to_bytes (feed);
}

/**
 * ear_test_made_page:
 *
 * Returns: (transfer full): an HTML page such as a captive portal shows
 */
GBytes *
ear_test_made_page (void)
{
  static const char page[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Welcome to our network</title>\n"
    "<script>if (1 < 2 && 3 > 2) { var rss = '<rss version=\"2.0\">'; }</script></head>\n"
    "<body><h1>Please accept our terms</h1><p>Then you may listen<br>to whatever you like &mdash; for an hour.\n"
    "<img src=logo.png><form action=/accept><input type=submit value=Accept></form></body></html>\n";

  return g_bytes_new_static (page, sizeof page - 1);
}

static void
append_le32 (GByteArray *array,
             guint32     value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (array, (const guint8 *) &value, sizeof value);
}

/* Deflates @text so that the output can be repeated: a full flush leaves no reference to
 * earlier data, and ends at a whole byte. */
static void
append_flushed (GByteArray *array,
                z_stream   *zip,
                const void *text,
                gsize       length)
{
  guint8 buffer[4096];

  zip->next_in = (Bytef *) text;
  zip->avail_in = length;
  do
    {
      zip->next_out = buffer;
      zip->avail_out = sizeof buffer;
      deflate (zip, Z_FULL_FLUSH);
      g_byte_array_append (array, buffer, sizeof buffer - zip->avail_out);
    }
  while (zip->avail_out == 0);
}

/**
 * ear_test_made_bomb:
 * @megabytes: the inflated size in MiB
 *
 * Makes a gzip file of the start of a feed whose title never ends, with about 1 KB for
 * each MiB. One MiB is compressed once, and its bytes repeated.
 *
 * Returns: (transfer full): a complete and valid gzip file
 */
GBytes *
ear_test_made_bomb (guint megabytes)
{
  static const guint8 header[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
  static const char beginning[] = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>";
  static const guint8 last_block[] = { 3, 0 };
  const gsize size = 1024 * 1024;
  g_autofree char *text = g_malloc (size);
  g_autoptr (GByteArray) block = g_byte_array_new ();
  GByteArray *bomb = g_byte_array_new ();
  z_stream zip = { 0 };
  uLong sum, block_sum;

  memset (text, 'A', size);
  g_byte_array_append (bomb, header, sizeof header);
  deflateInit2 (&zip, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  append_flushed (bomb, &zip, beginning, sizeof beginning - 1);
  append_flushed (block, &zip, text, size);
  deflateEnd (&zip);

  sum = crc32 (0, (const Bytef *) beginning, sizeof beginning - 1);
  block_sum = crc32 (0, (const Bytef *) text, size);
  for (guint i = 0; i < megabytes; i++)
    {
      g_byte_array_append (bomb, block->data, block->len);
      sum = crc32_combine (sum, block_sum, size);
    }
  g_byte_array_append (bomb, last_block, sizeof last_block);
  append_le32 (bomb, sum);
  append_le32 (bomb, (guint32) (sizeof beginning - 1 + (guint64) megabytes * size));

  return g_byte_array_free_to_bytes (bomb);
}

static void
append_png_chunk (GByteArray   *png,
                  const char   *name,
                  const guint8 *data,
                  gsize         length)
{
  guint32 number = GUINT32_TO_BE ((guint32) length);
  uLong sum = crc32 (crc32 (0, (const Bytef *) name, 4), data, length);

  g_byte_array_append (png, (const guint8 *) &number, 4);
  g_byte_array_append (png, (const guint8 *) name, 4);
  g_byte_array_append (png, data, length);
  number = GUINT32_TO_BE ((guint32) sum);
  g_byte_array_append (png, (const guint8 *) &number, 4);
}

/* Draws rings on a gradient: cheap, and not uniform, so that a scaled copy
 * differs from garbage. */
static void
draw_row (guint8 *row,
          guint   y,
          guint   size,
          guint   tint)
{
  double dy = (double) y / size - 0.5;

  row[0] = 0;
  for (guint x = 0; x < size; x++)
    {
      double dx = (double) x / size - 0.5;
      gboolean ring = ((int) (sqrt (dx * dx + dy * dy) * 16) & 1) != 0;

      row[1 + 3 * x + tint % 3] = ring ? 250 : 40 + 120 * x / size;
      row[1 + 3 * x + (tint + 1 + tint / 3 % 2) % 3] = ring ? 160 : 60 + 60 * y / size;
      row[1 + 3 * x + (tint + 2 - tint / 3 % 2) % 3] = ring ? 60 : 120;
    }
}

/**
 * ear_test_made_picture:
 * @size: width and height in pixels
 * @tint: index of one of six colors
 *
 * Returns: (transfer full): a PNG file
 */
GBytes *
ear_test_made_picture (guint size,
                       guint tint)
{
  static const guint8 signature[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  const gsize stride = 1 + 3 * (gsize) size;
  g_autofree guint8 *pixels = g_malloc (stride * size);
  uLongf packed_size = compressBound (stride * size);
  g_autofree guint8 *packed = g_malloc (packed_size);
  guint8 header[13] = { 0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0 };
  guint32 number = GUINT32_TO_BE (size);
  GByteArray *png = g_byte_array_new ();

  for (guint y = 0; y < size; y++)
    draw_row (pixels + stride * y, y, size, tint);
  compress2 (packed, &packed_size, pixels, stride * size, 1);
  memcpy (header, &number, 4);
  memcpy (header + 4, &number, 4);

  g_byte_array_append (png, signature, sizeof signature);
  append_png_chunk (png, "IHDR", header, sizeof header);
  append_png_chunk (png, "IDAT", packed, packed_size);
  append_png_chunk (png, "IEND", NULL, 0);

  return g_byte_array_free_to_bytes (png);
}

static void
append_le16 (GByteArray *array,
             gint16      value)
{
  value = GINT16_TO_LE (value);
  g_byte_array_append (array, (const guint8 *) &value, sizeof value);
}

/**
 * ear_test_made_sound:
 * @seconds: the duration
 *
 * Returns: (transfer full): a WAV file, 8 kHz mono: a soft beep a second
 */
GBytes *
ear_test_made_sound (guint seconds)
{
  const guint rate = 8000;
  const guint32 data_size = seconds * rate * 2;
  GByteArray *wav = g_byte_array_sized_new (44 + data_size);

  g_byte_array_append (wav, (const guint8 *) "RIFF", 4);
  append_le32 (wav, 36 + data_size);
  g_byte_array_append (wav, (const guint8 *) "WAVEfmt ", 8);
  append_le32 (wav, 16);
  append_le16 (wav, 1);
  append_le16 (wav, 1);
  append_le32 (wav, rate);
  append_le32 (wav, rate * 2);
  append_le16 (wav, 2);
  append_le16 (wav, 16);
  g_byte_array_append (wav, (const guint8 *) "data", 4);
  append_le32 (wav, data_size);
  for (guint i = 0; i < seconds * rate; i++)
    {
      double time = (double) (i % rate) / rate;
      append_le16 (wav, 9000 * exp (-8 * time) * sin (2 * G_PI * 440 * time));
    }

  return g_byte_array_free_to_bytes (wav);
}
