/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-load.h"

#include "ear-worker.h"

/* A feed larger than this is an attack; the largest real one seen had 4 MB. */
#define FEED_LIMIT (64 * 1024 * 1024)

/* One document of a feed, from the request to its last episode. */
typedef struct
{
  /* Input, owned */
  EarFeedIntake *intake;

  /* Output, owned */
  EarHttpResponse *response;
  gint64 retry_after;
} Load;

static void
load_free (Load *load)
{
  g_clear_pointer (&load->intake, ear_feed_intake_unref);
  g_clear_pointer (&load->response, ear_http_response_unref);
  g_free (load);
}

static void
finish_intake_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Load *load = task_data;
  g_autoptr (GError) error = NULL;

  if (ear_feed_intake_finish (load->intake, load->response, &error))
    g_task_return_pointer (task, ear_http_response_ref (load->response), (GDestroyNotify) ear_http_response_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  Load *load = g_task_get_task_data (task);

  load->retry_after = ear_http_get_retry_after (EAR_HTTP (source), result);
  load->response = ear_http_stream_finish (EAR_HTTP (source), result, &error);
  if (load->response == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (load->response->not_modified)
    g_task_return_pointer (task, ear_http_response_ref (load->response), (GDestroyNotify) ear_http_response_unref);
  else
    /* The last items are parsed and handed over on a worker too. */
    ear_worker_run (g_steal_pointer (&task), finish_intake_thread, (GDestroyNotify) ear_http_response_unref);
}

/**
 * ear_feed_request_new:
 * @user: (nullable): a name for its server
 * @password: (nullable): the password that goes with @user
 */
EarHttpRequest *
ear_feed_request_new (const char *address, const char *user, const char *password)
{
  EarHttpRequest *request = ear_http_request_new (address);

  request->accept = g_strdup ("application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1");
  request->max_bytes = FEED_LIMIT;
  request->stream_damaged = TRUE;
  request->user = g_strdup (user);
  request->password = g_strdup (password);

  return request;
}

/* Fetches one document of a feed. */
void
ear_feed_load_async (EarHttp *http, EarHttpRequest *request, EarFeedIntake *intake, GCancellable *cancellable,
                     GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (http, cancellable, callback, user_data);
  Load *load = g_new0 (Load, 1);

  load->intake = ear_feed_intake_ref (intake);
  g_task_set_source_tag (task, ear_feed_load_async);
  g_task_set_task_data (task, load, (GDestroyNotify) load_free);
  ear_http_stream_async (http, request, ear_feed_intake_push, load->intake, cancellable, streamed_cb, task);
}

/**
 * ear_feed_load_finish:
 * @retry_after: (out) (optional): after how many seconds a server that is busy may be
 *   asked again; 0 if it did not say
 *
 * Returns: (transfer full) (nullable): the answer; %NULL if there was none, or no whole one
 */
EarHttpResponse *
ear_feed_load_finish (GAsyncResult *result, gint64 *retry_after, GError **error)
{
  if (retry_after != NULL)
    *retry_after = ((Load *) g_task_get_task_data (G_TASK (result)))->retry_after;

  return g_task_propagate_pointer (G_TASK (result), error);
}
