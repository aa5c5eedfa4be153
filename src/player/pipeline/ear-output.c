/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-output.h"

/*
 * Which output the sound server plays to. When that is gone, headphones that were unplugged or have left, the server
 * goes on with another one, a loudspeaker perhaps, which nobody has asked for. When it is moved to another one while it is still
 * there, somebody has asked for that. Other sinks than the sound server's know nothing of the kind.
 */

#define DEVICE "ear-device"
#define PROVIDER "pulsedeviceprovider"

/* Tells by a message "output-moved", which has the name of the output before. In the thread that plays. */
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

/* Looks, if that can be known of the element, where it plays to. In any thread. */
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

/* Asks the sound server, which may take its time. Where it does not say, it is as if all was there. */
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

/* Returns: whether the output before is not there any more */
gboolean
ear_output_is_gone_finish (GAsyncResult *result)
{
  return g_task_propagate_boolean (G_TASK (result), NULL);
}
