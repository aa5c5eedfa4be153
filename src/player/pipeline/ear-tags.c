/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-tags.h"

#include "ear-media-tag.h"

#include <string.h>

/* GStreamer's name for an ID3 frame that it does not parse */
#define PRIVATE_FRAME "private-id3v2-frame"

/* Limits for untrusted media. */
#define MAX_TAGS 2000
#define MAX_BYTES (16 * 1024 * 1024)

static void
tag_free (gpointer data)
{
  EarMediaTag *tag = data;

  g_bytes_unref (tag->bytes);
  g_free (tag);
}

static void
add_tag (GPtrArray *tags, gsize *room, guint version, GBytes *bytes)
{
  EarMediaTag *tag;

  if (tags->len >= MAX_TAGS || g_bytes_get_size (bytes) > *room)
    {
      g_bytes_unref (bytes);
      return;
    }

  *room -= g_bytes_get_size (bytes);
  tag = g_new0 (EarMediaTag, 1);
  tag->version = version;
  tag->bytes = bytes;
  g_ptr_array_add (tags, tag);
}

static void
add_frame (GPtrArray *tags, gsize *room, GstSample *sample)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  GstCaps *caps = gst_sample_get_caps (sample);
  int version = 4;
  gpointer copy;
  gsize size;

  if (buffer == NULL || gst_buffer_get_size (buffer) > *room)
    return;
  if (caps != NULL && gst_caps_get_size (caps) > 0)
    gst_structure_get_int (gst_caps_get_structure (caps, 0), "version", &version);
  gst_buffer_extract_dup (buffer, 0, (gsize) -1, &copy, &size);
  add_tag (tags, room, (guint) version, g_bytes_new_take (copy, size));
}

/* Returns: (transfer full) (element-type EarMediaTag): the tags of @list that GStreamer
 * does not parse; may be empty */
GPtrArray *
ear_tags_collect (GstTagList *list)
{
  GPtrArray *tags = g_ptr_array_new_with_free_func (tag_free);
  gsize room = MAX_BYTES;
  GstSample *sample;
  char *comment;

  for (guint i = 0; gst_tag_list_get_sample_index (list, PRIVATE_FRAME, i, &sample); i++)
    {
      add_frame (tags, &room, sample);
      gst_sample_unref (sample);
    }
  for (guint i = 0; gst_tag_list_get_string_index (list, GST_TAG_EXTENDED_COMMENT, i, &comment); i++)
    add_tag (tags, &room, 0, g_bytes_new_take (comment, strlen (comment)));

  return tags;
}
