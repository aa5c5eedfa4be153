/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a pipeline begins however long the thread that starts it has to wait on the way. */

#include "ear-playbin.h"
#include "ear-test-sound.h"

#include <gst/gst.h>

#define PATIENCE (10 * GST_SECOND)

static gboolean
is_in_source (GstObject *object)
{
  g_autoptr (GstObject) parent = gst_object_ref (object);

  while (parent != NULL)
    {
      GstElementFactory *factory = GST_IS_ELEMENT (parent) ? gst_element_get_factory (GST_ELEMENT (parent)) : NULL;
      GstObject *next;

      if (factory != NULL && g_str_equal (GST_OBJECT_NAME (factory), "urisourcebin"))
        return TRUE;
      next = gst_object_get_parent (parent);
      gst_object_unref (parent);
      parent = next;
    }

  return FALSE;
}

/* A busy machine: when a part of the source has begun, its threads get on, and this one does not. */
static GstBusSyncReply
message_cb (GstBus *bus, GstMessage *message, gpointer starter)
{
  GstState state;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_STATE_CHANGED && g_thread_self () == starter)
    {
      gst_message_parse_state_changed (message, NULL, &state, NULL);
      if (state == GST_STATE_PAUSED && is_in_source (GST_MESSAGE_SRC (message)))
        g_usleep (G_USEC_PER_SEC / 10);
    }

  return GST_BUS_PASS;
}

static void
test_slow_start (gconstpointer name)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), name, NULL);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autoptr (EarSource) source = ear_source_new (uri, NULL, 2);
  g_autoptr (EarTestSound) sound = ear_test_sound_new ();
  g_autoptr (EarTempo) tempo = ear_tempo_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) playbin = ear_playbin_new (source, tempo, ear_test_sound_make_sink, G_OBJECT (sound), &error);
  g_autoptr (GstBus) bus = NULL;

  g_assert_no_error (error);
  bus = gst_element_get_bus (playbin);
  gst_bus_set_sync_handler (bus, message_cb, g_thread_self (), NULL);

  g_assert_cmpint (gst_element_set_state (playbin, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_ASYNC);
  g_assert_cmpint (gst_element_get_state (playbin, NULL, NULL, PATIENCE), ==, GST_STATE_CHANGE_SUCCESS);
  g_assert_cmpuint (ear_tempo_get_beginnings (tempo), ==, 1);

  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
  gst_element_set_state (playbin, GST_STATE_NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/player/playbin/slow-start/mp3", "minute.vbr.mp3", test_slow_start);
  g_test_add_data_func ("/player/playbin/slow-start/opus", "minute.opus", test_slow_start);
  g_test_add_data_func ("/player/playbin/slow-start/m4a", "minute.m4a", test_slow_start);

  return g_test_run ();
}
