/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http.h"

#include "ear-http-request.h"
#include "ear-http-thread.h"
#include "ear-property.h"

#define CONNECT_TIMEOUT_MS 20000
#define IDLE_TIMEOUT_MS 30000

/**
 * EarHttp:
 *
 * An HTTP client.
 *
 * It has a thread of its own, which starts with the first request. Results are returned
 * in the thread-default context of the caller. Each running request holds a reference;
 * ear_http_stop() ends all of them early.
 */
struct _EarHttp
{
  GObject parent_instance;

  /* Owned */
  char *user_agent;
  GTlsDatabase *tls_database;
  EarHttpThread *thread;

  EarHttpTimeouts timeouts;
  gboolean stopped;
};

G_DEFINE_FINAL_TYPE (EarHttp, ear_http, G_TYPE_OBJECT)

static void
ear_http_dispose (GObject *object)
{
  EarHttp *self = EAR_HTTP (object);

  ear_http_stop (self);

  G_OBJECT_CLASS (ear_http_parent_class)->dispose (object);
}

static void
ear_http_finalize (GObject *object)
{
  EarHttp *self = EAR_HTTP (object);

  g_free (self->user_agent);
  g_clear_object (&self->tls_database);

  G_OBJECT_CLASS (ear_http_parent_class)->finalize (object);
}

static void
ear_http_class_init (EarHttpClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_http_dispose;
  object_class->finalize = ear_http_finalize;
}

static void
ear_http_init (EarHttp *self)
{
  self->timeouts.connect = CONNECT_TIMEOUT_MS;
  self->timeouts.idle = IDLE_TIMEOUT_MS;
}

/**
 * ear_http_new:
 * @user_agent: (nullable): the User-Agent header: "name/version (+address)"
 *
 * Returns: (transfer full): a new object, which has no thread yet
 */
EarHttp *
ear_http_new (const char *user_agent)
{
  EarHttp *self = g_object_new (EAR_TYPE_HTTP, NULL);

  self->user_agent = g_strdup (user_agent);

  return self;
}

/* @self: a client without any request so far
 * @tls_database: certificates to trust instead of the system's */
void
ear_http_trust (EarHttp *self, GTlsDatabase *tls_database)
{
  g_return_if_fail (EAR_IS_HTTP (self) && self->thread == NULL);

  g_set_object (&self->tls_database, tls_database);
}

/* @self: a client
 * Returns: (transfer none): the timeouts of later requests */
EarHttpTimeouts *
ear_http_get_timeouts (EarHttp *self)
{
  g_return_val_if_fail (EAR_IS_HTTP (self), NULL);

  return &self->timeouts;
}

/* Returns: (transfer none) (nullable): the User-Agent header */
EAR_DEFINE_GET (EarHttp, ear_http, const char *, user_agent)

/**
 * ear_http_stop:
 * @self: a client
 *
 * Ends all requests with %G_IO_ERROR_CANCELLED, and waits for running chunk functions and
 * then for the network thread. Later requests end the same way. Must not be called from a
 * chunk function. dispose does the same.
 */
void
ear_http_stop (EarHttp *self)
{
  g_return_if_fail (EAR_IS_HTTP (self));

  self->stopped = TRUE;
  g_clear_pointer (&self->thread, ear_http_thread_free);
}

/**
 * ear_http_stream_async:
 * @self: a client
 * @request: (transfer none): the request; it is copied
 * @chunk_func: (scope async) (closure chunk_data): receives the body in parts as they
 *   arrive
 * @chunk_data: data for @chunk_func, valid until @callback
 * @cancellable: (nullable): may be cancelled by any thread at any time
 * @callback: (scope async) (nullable): called when the request has ended; @chunk_func is
 *   not called after it
 * @user_data: data for @callback
 *
 * Sends a GET request.
 *
 * Redirects are followed, at most ten and only to http and https. `etag` and
 * `last_modified` of the request make it conditional (RFC 9110, section 13); if nothing
 * has changed, the response has no body. The user name and password, from the request or
 * else from its URL, are only sent to the host of that URL, and never in clear text if it
 * is an https one; the URLs of the response do not contain them. A host that answers 403
 * is asked once more with the User-Agent of a browser.
 *
 * At most six connections per host are open. The silence of a server (#EarHttpTimeouts)
 * and the size of the body are limited.
 *
 * With `head_only`, @chunk_func is never called.
 *
 * With `first_byte`, the body is requested from that offset (RFC 9110, section 14), if
 * `etag` or `last_modified` identifies the content. If the response is another range, or
 * of other content, or an error about the range, it is dropped and the whole body is
 * requested: the `first_byte` of the first chunk has its offset.
 */
void
ear_http_stream_async (EarHttp *self,
                       EarHttpRequest *request,
                       EarHttpChunkFunc chunk_func,
                       gpointer chunk_data,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  EarHttpTransfer *transfer;

  g_return_if_fail (EAR_IS_HTTP (self));
  g_return_if_fail (request != NULL && request->address != NULL);
  g_return_if_fail (chunk_func != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_http_stream_async);
  transfer = ear_http_transfer_new (task, request, self->user_agent, self->timeouts, chunk_func, chunk_data);
  if (self->stopped)
    {
      ear_http_transfer_refuse (transfer);
      return;
    }

  if (self->thread == NULL)
    self->thread = ear_http_thread_new (self->tls_database);
  ear_http_thread_submit (self->thread, transfer);
}

/**
 * ear_http_stream_finish:
 * @self: a client
 * @result: the result passed to the callback
 * @error: return location: an #EarError, %G_IO_ERROR_CANCELLED, or the error of the chunk
 *   function
 *
 * Returns: (transfer full): the response, or %NULL
 */
EarHttpResponse *
ear_http_stream_finish (EarHttp *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_http_stream_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_http_get_retry_after:
 * @self: a client
 * @result: the result passed to the callback
 *
 * Gets the Retry-After time (RFC 9110, section 10.2.3) that a server may have sent with
 * %EAR_ERROR_BUSY.
 *
 * Returns: the seconds to wait, at most a week; 0 if unknown
 */
gint64
ear_http_get_retry_after (EarHttp *self, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), 0);

  return ear_http_transfer_get_retry_after (g_task_get_task_data (G_TASK (result)));
}

/* @result: the result passed to the callback
 * Returns: the HTTP status with which the server refused; 0 without one */
guint
ear_http_get_refused_status (EarHttp *self, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), 0);

  return ear_http_transfer_get_refused_status (g_task_get_task_data (G_TASK (result)));
}

/**
 * ear_http_dup_version:
 *
 * Returns: (transfer full): the version of libsoup, for problem reports
 */
char *
ear_http_dup_version (void)
{
  return g_strdup_printf ("%u.%u.%u", soup_get_major_version (), soup_get_minor_version (), soup_get_micro_version ());
}
