/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-control-work.h"

#include "ear-control-error.h"
#include "ear-error.h"
#include "ear-opml.h"

static void
add_failure (GVariantBuilder *failures, EarPodcast *podcast, const GError *error)
{
  const char *title = ear_podcast_get_name (podcast);
  g_autofree char *name = g_dbus_error_encode_gerror (error);

  g_variant_builder_add (failures, "(ss)", title != NULL ? title : "", name);
}

static void
return_values (GTask *task, GVariantBuilder *values)
{
  GVariant *reply = g_variant_new ("(@a{sv})", g_variant_builder_end (values));

  g_task_return_pointer (task, g_variant_ref_sink (reply), (GDestroyNotify) g_variant_unref);
}

/* --- Waiting for podcasts ------------------------------------------------------------- */

typedef void (*DoneFunc) (GTask *task, GPtrArray *checks);

/* A podcast that is being fetched */
typedef struct
{
  EarPodcast *podcast;
  gulong handler;
} Check;

typedef struct
{
  GTask *task;
  GPtrArray *checks; /* (element-type Check) */
  guint n_running;
  DoneFunc done;
} Wait;

static void
check_free (gpointer data)
{
  Check *check = data;

  g_clear_signal_handler (&check->handler, check->podcast);
  g_object_unref (check->podcast);
  g_free (check);
}

static gboolean
done_cb (gpointer user_data)
{
  Wait *wait = user_data;

  wait->done (wait->task, wait->checks);
  g_ptr_array_unref (wait->checks);
  g_object_unref (wait->task);
  g_free (wait);

  return G_SOURCE_REMOVE;
}

/* What there is to tell of the last one is told after it has ended. */
static void
end_if_done (Wait *wait)
{
  if (wait->n_running == 0)
    g_idle_add (done_cb, wait);
}

static void
refreshing_cb (EarPodcast *podcast, GParamSpec *pspec, gpointer user_data)
{
  Wait *wait = user_data;

  if (ear_podcast_get_refreshing (podcast))
    return;

  for (guint i = 0; i < wait->checks->len; i++)
    {
      Check *check = g_ptr_array_index (wait->checks, i);

      if (check->podcast == podcast)
        g_clear_signal_handler (&check->handler, podcast);
    }
  wait->n_running--;
  end_if_done (wait);
}

static Wait *
wait_new (GTask *task, DoneFunc done)
{
  Wait *wait = g_new0 (Wait, 1);

  wait->task = task;
  wait->checks = g_ptr_array_new_with_free_func (check_free);
  wait->done = done;

  return wait;
}

static void
watch (Wait *wait, EarPodcast *podcast)
{
  Check *check = g_new0 (Check, 1);

  check->podcast = g_object_ref (podcast);
  g_ptr_array_add (wait->checks, check);
  if (!ear_podcast_get_refreshing (podcast))
    return;

  check->handler = g_signal_connect (podcast, "notify::refreshing", G_CALLBACK (refreshing_cb), wait);
  wait->n_running++;
}

/* --- New episodes --------------------------------------------------------------------- */

/* What is news, in the order in which it came */
static void
arrived_cb (EarLibrary *library, EarPodcast *podcast, GPtrArray *episodes, guint n_episodes, GTask *task)
{
  GVariantBuilder *podcasts = g_task_get_task_data (task);
  const char *title = ear_podcast_get_name (podcast);

  g_variant_builder_open (podcasts, G_VARIANT_TYPE ("(suas)"));
  g_variant_builder_add (podcasts, "s", title != NULL ? title : "");
  g_variant_builder_add (podcasts, "u", n_episodes);
  g_variant_builder_open (podcasts, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < episodes->len; i++)
    {
      const char *name = ear_episode_get_title (g_ptr_array_index (episodes, i));

      g_variant_builder_add (podcasts, "s", name != NULL ? name : "");
    }
  g_variant_builder_close (podcasts);
  g_variant_builder_close (podcasts);
}

static void
refreshed (GTask *task, GPtrArray *checks)
{
  g_auto (GVariantBuilder) values = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  g_auto (GVariantBuilder) failures = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ss)"));

  for (guint i = 0; i < checks->len; i++)
    {
      EarPodcast *podcast = ((Check *) g_ptr_array_index (checks, i))->podcast;

      if (ear_podcast_get_error (podcast) != NULL)
        add_failure (&failures, podcast, ear_podcast_get_error (podcast));
    }
  g_variant_builder_add (&values, "{sv}", "checked", g_variant_new_uint32 (checks->len));
  g_variant_builder_add (&values, "{sv}", "podcasts", g_variant_builder_end (g_task_get_task_data (task)));
  g_variant_builder_add (&values, "{sv}", "failures", g_variant_builder_end (&failures));
  return_values (task, &values);
}

/**
 * ear_control_refresh:
 * @library: the library
 * @task: (transfer full): what is answered
 *
 * Checks all podcasts for new episodes, and waits for the last of them.
 */
void
ear_control_refresh (EarLibrary *library, GTask *task)
{
  GListModel *podcasts = ear_library_get_podcasts (library);
  Wait *wait = wait_new (task, refreshed);

  g_task_set_task_data (task, g_variant_builder_new (G_VARIANT_TYPE ("a(suas)")), (GDestroyNotify) g_variant_builder_unref);
  g_signal_connect_object (library, "episodes-arrived", G_CALLBACK (arrived_cb), task, G_CONNECT_DEFAULT);
  ear_library_refresh_all (library);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_podcast_get_refreshing (podcast))
        watch (wait, podcast);
    }
  end_if_done (wait);
}

/* --- A podcast ------------------------------------------------------------------------ */

static void
fetched (GTask *task, GPtrArray *checks)
{
  g_auto (GVariantBuilder) values = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  EarPodcast *podcast = ((Check *) g_ptr_array_index (checks, 0))->podcast;
  const char *title = ear_podcast_get_name (podcast);

  g_variant_builder_add (&values, "{sv}", "title", g_variant_new_string (title != NULL ? title : ""));
  g_variant_builder_add (&values, "{sv}", "known", g_variant_new_boolean (FALSE));
  g_variant_builder_add (&values, "{sv}", "episodes", g_variant_new_uint32 (ear_podcast_get_n_episodes (podcast)));
  return_values (task, &values);
}

static void
return_known (GTask *task, const char *title)
{
  g_auto (GVariantBuilder) values = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  g_variant_builder_add (&values, "{sv}", "title", g_variant_new_string (title != NULL ? title : ""));
  g_variant_builder_add (&values, "{sv}", "known", g_variant_new_boolean (TRUE));
  return_values (task, &values);
}

/* A page that leads to several podcasts: somebody has to choose. */
static void
return_choices (GTask *task, GListModel *results)
{
  g_auto (GVariantBuilder) values = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  g_auto (GVariantBuilder) choices = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ss)"));

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (EarDiscoveryResult) result = g_list_model_get_item (results, i);
      const char *title = ear_discovery_result_get_title (result);

      g_variant_builder_add (&choices, "(ss)", title != NULL ? title : "", ear_discovery_result_get_address (result));
    }
  g_variant_builder_add (&values, "{sv}", "choices", g_variant_builder_end (&choices));
  return_values (task, &values);
}

static void
add_found (GTask *task, EarLibrary *library, EarDiscoveryResult *result)
{
  EarPodcast *podcast = ear_library_recognize (library, result);
  Wait *wait;

  if (podcast != NULL)
    {
      return_known (task, ear_podcast_get_name (podcast));
      g_object_unref (task);
      return;
    }

  podcast = ear_library_add (library, ear_discovery_result_get_address (result), ear_discovery_result_get_title (result));
  if (podcast == NULL)
    {
      g_task_return_new_error_literal (task, EAR_CONTROL_ERROR, EAR_CONTROL_ERROR_NO_ADDRESS, "No web address");
      g_object_unref (task);
      return;
    }

  wait = wait_new (task, fetched);
  watch (wait, podcast);
  end_if_done (wait);
}

static void
searched_cb (EarDiscovery *discovery, GParamSpec *pspec, gpointer user_data)
{
  GTask *task = user_data;
  GListModel *results = ear_discovery_get_results (discovery);
  GObject *control = g_task_get_source_object (task);
  g_autoptr (EarLibrary) library = NULL;

  if (ear_discovery_get_searching (discovery))
    return;

  g_signal_handlers_disconnect_by_func (discovery, searched_cb, task);
  g_object_get (control, "library", &library, NULL);
  if (library == NULL || ear_library_get_podcasts (library) == NULL)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The library is closed");
  else if (g_list_model_get_n_items (results) == 1)
    {
      g_autoptr (EarDiscoveryResult) result = g_list_model_get_item (results, 0);

      add_found (task, library, result);
      return;
    }
  else if (g_list_model_get_n_items (results) > 1)
    return_choices (task, results);
  else if (ear_discovery_get_outlines (discovery) != NULL)
    g_task_return_new_error_literal (task, EAR_CONTROL_ERROR, EAR_CONTROL_ERROR_LIST, "A list of podcasts");
  else if (ear_discovery_get_error (discovery) != NULL)
    g_task_return_error (task, g_error_copy (ear_discovery_get_error (discovery)));
  else
    g_task_return_new_error_literal (task, EAR_CONTROL_ERROR, EAR_CONTROL_ERROR_NOTHING_FOUND, "No podcast");
  g_object_unref (task);
}

/**
 * ear_control_add:
 * @library: the library
 * @text: an address, as it was given
 * @task: (transfer full): what is answered
 *
 * Looks what is at an address, follows it if that is one podcast, and fetches it.
 */
void
ear_control_add (EarLibrary *library, const char *text, GTask *task)
{
  g_autofree char *value = NULL;
  const EarDiscoveryInput input = ear_discovery_input_read (text, &value);
  EarDiscovery *discovery;

  /* Words are nobody's address, and files of this computer are none of another program's business. */
  if (input != EAR_DISCOVERY_ADDRESS && input != EAR_DISCOVERY_APPLE)
    {
      g_task_return_new_error_literal (task, EAR_CONTROL_ERROR, EAR_CONTROL_ERROR_NO_ADDRESS, "No web address");
      g_object_unref (task);
      return;
    }

  discovery = ear_library_create_discovery (library);
  g_task_set_task_data (task, discovery, g_object_unref);
  ear_discovery_set_text (discovery, text);
  g_signal_connect (discovery, "notify::searching", G_CALLBACK (searched_cb), task);
  ear_discovery_search_now (discovery);
}

/* --- Lists ---------------------------------------------------------------------------- */

static void
import_finished_cb (EarImport *import, gpointer user_data)
{
  GTask *task = user_data;
  g_auto (GVariantBuilder) values = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  g_auto (GVariantBuilder) failures = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ss)"));
  GListModel *failed = ear_import_get_failures (import);

  g_signal_handlers_disconnect_by_func (import, import_finished_cb, task);
  for (guint i = 0; i < g_list_model_get_n_items (failed); i++)
    {
      g_autoptr (EarImportFailure) failure = g_list_model_get_item (failed, i);

      if (ear_podcast_get_error (ear_import_failure_get_podcast (failure)) != NULL)
        add_failure (&failures, ear_import_failure_get_podcast (failure),
                     ear_podcast_get_error (ear_import_failure_get_podcast (failure)));
    }
  g_variant_builder_add (&values, "{sv}", "listed", g_variant_new_uint32 (ear_import_get_total (import)));
  g_variant_builder_add (&values, "{sv}", "added", g_variant_new_uint32 (ear_import_get_added (import)->len));
  g_variant_builder_add (&values, "{sv}", "failures", g_variant_builder_end (&failures));
  return_values (task, &values);
  g_object_unref (task);
}

static void
list_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  EarLibrary *library = EAR_LIBRARY (source);
  GError *error = NULL;
  const int n_listed = ear_library_import_file_finish (library, result, &error);
  EarImport *import = ear_library_get_import (library);

  if (n_listed > 0 && import != NULL && !ear_import_get_finished (import))
    {
      g_signal_connect_object (import, "finished", G_CALLBACK (import_finished_cb), task, G_CONNECT_DEFAULT);
      return;
    }

  if (n_listed > 0)
    {
      import_finished_cb (import, task);
      return;
    }
  if (n_listed == 0)
    g_task_return_new_error_literal (task, EAR_CONTROL_ERROR, EAR_CONTROL_ERROR_EMPTY_LIST, "No podcast in the list");
  else
    g_task_return_error (task, error);
  g_object_unref (task);
}

/**
 * ear_control_import:
 * @library: the library
 * @uri: a file on this computer
 * @task: (transfer full): what is answered
 *
 * Follows what is in a list, and waits until all of it was fetched.
 */
void
ear_control_import (EarLibrary *library, const char *uri, GTask *task)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);

  if (!g_file_is_native (file))
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NOT_FOUND, "No file of this computer");
      g_object_unref (task);
      return;
    }

  ear_library_import_file_async (library, file, NULL, list_loaded_cb, task);
}

static void
exported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarLibrary *library = EAR_LIBRARY (source);
  const gboolean with_private = GPOINTER_TO_INT (g_task_get_task_data (task));
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = ear_library_export_finish (library, result, &error);
  GVariant *reply;

  if (bytes == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  reply = g_variant_new ("(@ayu)", g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, bytes, TRUE),
                         with_private ? 0 : ear_library_count_private (library));
  g_task_return_pointer (task, g_variant_ref_sink (reply), (GDestroyNotify) g_variant_unref);
}

/**
 * ear_control_export:
 * @library: the library
 * @with_private: whether addresses that work like passwords are in it too
 * @task: (transfer full): what is answered
 *
 * Makes a list of what is followed. Whoever asked for it writes it where it is wanted, with
 * its own rights.
 */
void
ear_control_export (EarLibrary *library, gboolean with_private, GTask *task)
{
  g_task_set_task_data (task, GINT_TO_POINTER (with_private), NULL);
  ear_library_export_async (library, with_private, NULL, exported_cb, task);
}
