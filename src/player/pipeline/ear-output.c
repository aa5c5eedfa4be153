/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-output.h"

/* Tracks the output device of the sound server. When headphones are unplugged or
 * disconnected, the server moves the stream to another device, perhaps a loudspeaker,
 * without the listener's consent. When the stream is moved and the old device still
 * exists, the listener chose that. Only sinks of the sound server report their device. */

#define DEVICE "ear-device"
#define PROVIDER "pulsedeviceprovider"

/* Posts a message "output-moved" with the name of the old device. Streaming thread. */
static void
device_cb (GstElement *sink, GParamSpec *pspec, gpointer user_data)
{
  g_autofree char *device = NULL;
  const char *before = g_object_get_data (G_OBJECT (sink), DEVICE);

  g_object_get (sink, "current-device", &device, NULL);
  if (device == NULL || g_strcmp0 (device, before) == 0)
    return;
  if (before != NULL)
    gst_element_post_message (sink, gst_message_new_application (GST_OBJECT (sink),
                                                                 gst_structure_new ("output-moved", "from", G_TYPE_STRING, before, NULL)));
  g_object_set_data_full (G_OBJECT (sink), DEVICE, g_steal_pointer (&device), g_free);
}

/* Watches the device of a sink that reports it. Any thread. */
void
ear_output_watch (GstElement *element)
{
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "current-device") != NULL)
    g_signal_connect (element, "notify::current-device", G_CALLBACK (device_cb), NULL);
}

static gboolean
has_name (gconstpointer device, const char *name)
{
  g_autofree char *own = NULL;

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (device), "internal-name") != NULL)
    g_object_get ((gpointer) device, "internal-name", &own, NULL);

  return g_strcmp0 (own, name) == 0;
}

/* Asks the sound server, which may block. Without an answer, the device
 * counts as present. */
static void
look_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GstDeviceProvider) provider = gst_device_provider_factory_get_by_name (PROVIDER);
  GList *devices = provider != NULL ? gst_device_provider_get_devices (provider) : NULL;
  gboolean gone = devices != NULL;

  for (GList *l = devices; l != NULL; l = l->next)
    gone = gone && !has_name (l->data, task_data);
  g_list_free_full (devices, gst_object_unref);
  g_task_return_boolean (task, gone);
}

/* @message: an "output-moved" */
void
ear_output_is_gone_async (GstMessage *message, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, ear_output_is_gone_async);
  g_task_set_task_data (task, g_strdup (gst_structure_get_string (gst_message_get_structure (message), "from")), g_free);
  g_task_run_in_thread (task, look_thread);
  g_object_unref (task);
}

/* Returns: whether the old device is gone */
gboolean
ear_output_is_gone_finish (GAsyncResult *result)
{
  return g_task_propagate_boolean (G_TASK (result), NULL);
}
