/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fade.h"

#include <gst/audio/streamvolume.h>

/* How loud it is for a while, whatever the listener has set: an element of its own, as playbin's volume is the one that
 * the desktop shows and keeps. */

#define NAME "fade"

static void
add_ghost_pad (GstElement *bin, GstElement *child, const char *name)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (child, name);

  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
}

/* @filter: (transfer none) (nullable): what the sound goes through
 * Returns: (transfer floating) (nullable): that, and what fades it; %NULL where one of both is not there */
GstElement *
ear_fade_wrap (GstElement *filter)
{
  GstElement *fade = gst_element_factory_make ("volume", NAME);
  GstElement *bin;

  if (fade == NULL || filter == NULL)
    {
      g_clear_pointer (&fade, gst_object_unref);
      return NULL;
    }
  bin = gst_bin_new ("filter");
  gst_bin_add_many (GST_BIN (bin), filter, fade, NULL);
  gst_element_link (filter, fade);
  add_ghost_pad (bin, filter, "sink");
  add_ghost_pad (bin, fade, "src");

  return bin;
}

/* @playbin: one whose filter was wrapped
 * @level: 0 to 1, as people hear it; 1 leaves all as it is */
void
ear_fade_set_level (GstElement *playbin, double level)
{
  g_autoptr (GstElement) bin = NULL;
  g_autoptr (GstElement) fade = NULL;

  g_object_get (playbin, "audio-filter", &bin, NULL);
  fade = gst_bin_get_by_name (GST_BIN (bin), NAME);
  gst_stream_volume_set_volume (GST_STREAM_VOLUME (fade), GST_STREAM_VOLUME_FORMAT_CUBIC, level);
}
