/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fade.h"

#include <gst/audio/streamvolume.h>

/* How loud it is for a while, whatever the listener has set: an element of its own, as playbin's volume is the one that
 * the desktop shows and keeps. */

#define NAME "fade"

/* Returns: (transfer floating) (nullable): what fades the sound that goes through it; %NULL where it is not installed */
GstElement *
ear_fade_new (void)
{
  return gst_element_factory_make ("volume", NAME);
}

/* @playbin: one that has it in its filter
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
