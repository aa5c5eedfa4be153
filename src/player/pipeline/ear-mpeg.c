/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-mpeg.h"

#include <string.h>

/* Encoders begin an MP3 with a silent frame (Xing, Info, VBRI), the table: the number of
 * frames and bytes that follow. mpegaudioparse trusts it, but it is wrong in files that
 * were joined, cut or edited later: an hour had a duration of five seconds, and every
 * seek led into these. Earmark compares the table with the size of the file, and removes
 * it if they differ. mpegaudioparse then estimates the duration from the frames. */

/* The bytes of a correct table may differ from those of the file by a tenth: it counts
 * tags after the sound. */
#define differs_much(value, other) ((double) (value) > (double) (other) * 1.1)

/* The table is in the first frame. The next frame has the bit rate. */
#define SEARCH_LIMIT 4096

typedef struct
{
  guint rate;    /* Hz */
  guint samples; /* per frame */
  guint bitrate; /* bit/s */
  guint highest; /* bit/s, of any frame of this version */
  gsize length;  /* bytes */
  gsize side;    /* bytes from the start of the frame to the table */
} Frame;

typedef struct
{
  gsize offset; /* of the frame, in the buffer */
  gsize magic;  /* of the table's name, in the buffer */
  gboolean constant;
  guint32 frames; /* 0: unknown */
  guint32 bytes;  /* 0: unknown */
  Frame frame;
  Frame next; /* all 0: not in the buffer */
} Table;

static gboolean
read_frame (const guint8 *data, Frame *frame)
{
  static const guint rates[] = { 44100, 48000, 32000 };
  static const guint bitrates[][15] = {
    { 0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320 },
    { 0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160 },
  };
  const guint version = (data[1] >> 3) & 3; /* 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5 */
  const gboolean low = version != 3;
  const gboolean mono = data[3] >> 6 == 3;

  if (data[0] != 0xff || (data[1] & 0xe6) != 0xe2 || version == 1 || data[2] >> 4 == 15 ||
      data[2] >> 4 == 0 || ((data[2] >> 2) & 3) == 3)
    return FALSE;

  frame->rate = rates[(data[2] >> 2) & 3] >> (version == 3 ? 0 : version == 2 ? 1 : 2);
  frame->samples = low ? 576 : 1152;
  frame->bitrate = bitrates[low][data[2] >> 4] * 1000;
  frame->highest = bitrates[low][14] * 1000;
  frame->length = frame->samples / 8 * frame->bitrate / frame->rate + ((data[2] >> 1) & 1);
  frame->side = 4 + (low ? (mono ? 9 : 17) : (mono ? 17 : 32));

  return TRUE;
}

static guint32
read_number (const guint8 *data)
{
  guint32 number;

  memcpy (&number, data, sizeof number);

  return GUINT32_FROM_BE (number);
}

/* @data: the first 64 bytes of a frame */
static gboolean
read_table (const guint8 *data, Table *table)
{
  const guint8 *tag = data + table->frame.side;

  table->constant = memcmp (tag, "Info", 4) == 0;
  if (table->constant || memcmp (tag, "Xing", 4) == 0)
    {
      const guint32 flags = read_number (tag + 4);

      table->magic = table->frame.side;
      table->frames = flags & 1 ? read_number (tag + 8) : 0;
      table->bytes = flags & 2 ? read_number (tag + (flags & 1 ? 12 : 8)) : 0;
      return TRUE;
    }
  if (memcmp (data + 36, "VBRI", 4) == 0)
    {
      table->magic = 36;
      table->bytes = read_number (data + 46);
      table->frames = read_number (data + 50);
      return TRUE;
    }

  return FALSE;
}

static gboolean
find_table (const guint8 *data, gsize size, Table *table)
{
  for (gsize i = 0; i + 64 <= MIN (size, SEARCH_LIMIT); i++)
    {
      if (!read_frame (data + i, &table->frame))
        continue;
      if (!read_table (data + i, table))
        return FALSE;
      table->offset = i;
      table->magic += i;
      if (i + table->frame.length + 4 <= size)
        read_frame (data + i + table->frame.length, &table->next);
      return TRUE;
    }

  return FALSE;
}

/* The bit rate if all @bytes are the table's frames */
static double
get_rate_meant (const Table *table, gint64 bytes)
{
  return (double) bytes * 8 * table->frame.rate / ((double) table->frames * table->frame.samples);
}

/* Whether the size of the file contradicts the table. A table with more bytes than the
 * file is right: the rest of the file is missing.
 * @bytes: from the table to the end of the file */
static gboolean
is_wrong (const Table *table, gint64 bytes)
{
  double meant;

  if (table->bytes > 0 && differs_much (bytes, table->bytes))
    return TRUE;
  if (table->frames == 0 || (table->bytes > 0 && differs_much (table->bytes, bytes)))
    return FALSE;

  meant = get_rate_meant (table, bytes);
  if (!table->constant || table->next.bitrate == 0)
    return differs_much (meant, table->frame.highest);

  return differs_much (meant, table->next.bitrate) ||
         (table->bytes > 0 && differs_much (table->next.bitrate, meant));
}

static gint64
query_length (GstPad *pad)
{
  gint64 length;

  return gst_pad_peer_query_duration (pad, GST_FORMAT_BYTES, &length) ? length : -1;
}

/* Clears the table's name, so that the frame counts as silence. */
static void
take_out (GstPadProbeInfo *info, gsize magic)
{
  static const guint8 nothing[4] = { 0 };
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));

  gst_buffer_fill (buffer, magic, nothing, sizeof nothing);
  info->data = buffer;
}

/* Checks the start of the file, which may be read more than once. */
static GstPadProbeReturn
buffer_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EarSource *source = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  const guint64 offset =
      info->type & GST_PAD_PROBE_TYPE_PULL ? info->offset : GST_BUFFER_OFFSET (buffer);
  Table table = { 0 };
  gboolean found;
  GstMapInfo map;
  gint64 length;

  if ((offset != 0 && offset != GST_BUFFER_OFFSET_NONE) ||
      !gst_buffer_map (buffer, &map, GST_MAP_READ))
    return GST_PAD_PROBE_OK;
  found = find_table (map.data, map.size, &table);
  gst_buffer_unmap (buffer, &map);
  if (!found)
    return GST_PAD_PROBE_OK;

  length = query_length (pad);
  if (source->distrusts_table || (length > 0 && is_wrong (&table, length - (gint64) table.offset)))
    {
      g_debug ("a table of %u frames and %u bytes is not that of %" G_GINT64_FORMAT " bytes",
               table.frames, table.bytes, length);
      take_out (info, table.magic);
    }
  else
    {
      g_atomic_int_set (&source->has_table, TRUE);
    }

  return GST_PAD_PROBE_OK;
}

static void
release_source (gpointer source)
{
  ear_source_unref (source);
}

/* Removes a table that the size of the file contradicts before the parser reads it.
 * @parser: a new mpegaudioparse
 * @source: the source of its bytes; `has_table` is set if the table is kept */
void
ear_mpeg_check_table (GstElement *parser, EarSource *source)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (parser, "sink");

  gst_pad_add_probe (pad,
                     GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_PUSH | GST_PAD_PROBE_TYPE_PULL,
                     buffer_probe_cb, ear_source_ref (source), release_source);
}
