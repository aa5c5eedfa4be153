/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fade.h"

#include <gst/audio/streamvolume.h>

/* A temporary volume apart from the listener's, in an element of its own, because the
 * desktop shows and stores the volume of playbin. */

#define NAME "fade"

/* Returns: (transfer floating) (nullable): the element; %NULL if its plugin
 * is not installed */
GstElement *
ear_fade_new (void)
{
  return gst_element_factory_make ("volume", NAME);
}

/* @playbin: a playbin with the element in its filter
 * @level: 0 to 1, cubic; 1: no fade */
void
ear_fade_set_level (GstElement *playbin, double level)
{
  g_autoptr (GstElement) bin = NULL;
  g_autoptr (GstElement) fade = NULL;

  g_object_get (playbin, "audio-filter", &bin, NULL);
  fade = gst_bin_get_by_name (GST_BIN (bin), NAME);
  gst_stream_volume_set_volume (GST_STREAM_VOLUME (fade), GST_STREAM_VOLUME_FORMAT_CUBIC, level);
}
