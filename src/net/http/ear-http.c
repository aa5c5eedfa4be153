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
 * Fetches what is on the web.
 *
 * It has a thread of its own for that, which starts with the first request; results
 * come back to the thread-default context of whoever asked. Each running request
 * holds a reference. To end them all early, call ear_http_stop().
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
 * @user_agent: (nullable): who we say that we are: "name/version (+address)"
 *
 * Returns: (transfer full): a new object, without a thread as yet
 */
EarHttp *
ear_http_new (const char *user_agent)
{
  EarHttp *self = g_object_new (EAR_TYPE_HTTP, NULL);

  self->user_agent = g_strdup (user_agent);

  return self;
}

/* @self: what has fetched nothing yet
 * @tls_database: the certificates to trust instead of those that the system trusts */
void
ear_http_trust (EarHttp *self, GTlsDatabase *tls_database)
{
  g_return_if_fail (EAR_IS_HTTP (self) && self->thread == NULL);

  g_set_object (&self->tls_database, tls_database);
}

/* @self: what fetches
 * Returns: (transfer none): how patient later requests are */
EarHttpTimeouts *
ear_http_get_timeouts (EarHttp *self)
{
  g_return_val_if_fail (EAR_IS_HTTP (self), NULL);

  return &self->timeouts;
}

/* Returns: (transfer none) (nullable): who we say that we are */
EAR_DEFINE_GET (EarHttp, ear_http, const char *, user_agent)

/**
 * ear_http_stop:
 * @self: what fetches
 *
 * Ends all requests with %G_IO_ERROR_CANCELLED, waits for chunk functions that run and
 * then for the network thread. Later requests end the same way. Not to be called from
 * a chunk function. dispose does the same.
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
 * @self: what fetches
 * @request: (transfer none): what to fetch; a copy of it is taken
 * @chunk_func: (scope async) (closure chunk_data): takes the body, part by part, as soon as
 * something has arrived
 * @chunk_data: data for @chunk_func, kept by the caller until @callback
 * @cancellable: (nullable): may be cancelled by any thread at any moment
 * @callback: (scope async) (nullable): called when all is done; @chunk_func is not
 *   called after it
 * @user_data: data for @callback
 *
 * Fetches something by GET.
 *
 * Redirects are followed, at most ten and only to http and https. `etag` and
 * `last_modified` of the request make it a conditional one (RFC 9110, section 13); if
 * nothing has changed there is an answer without a body. A name and a password, those
 * of the request or else those in its address, only go to the host of that address,
 * and never in clear text when it was an https one; the addresses of the answer come
 * without them. A host that forbids (403) is asked once more in the name of a browser.
 *
 * At most six connections a host are open. There are limits on how long
 * a server may be silent (#EarHttpTimeouts), and on the size of the body.
 *
 * With `head_only`, @chunk_func is never called.
 *
 * With `first_byte`, the body is asked for from there on (RFC 9110, section 14), if `etag` or
 * `last_modified` tells what it belongs to. An answer that is another part, or part of something
 * else, or that there is no such part, is dropped and all of it is asked for: the first chunk's
 * `first_byte` says where it belongs.
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
 * @self: what fetches
 * @result: what the callback was given
 * @error: return location: an #EarError, %G_IO_ERROR_CANCELLED, or what the chunk
 *   function gave
 *
 * Returns: (transfer full): the answer, or %NULL
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
 * @self: what fetches
 * @result: what the callback was given
 *
 * When the error is %EAR_ERROR_BUSY, the server may have said when to come back
 * (Retry-After, RFC 9110, section 10.2.3).
 *
 * Returns: after how many seconds, at most a week; 0 if it did not say
 */
gint64
ear_http_get_retry_after (EarHttp *self, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), 0);

  return ear_http_transfer_get_retry_after (g_task_get_task_data (G_TASK (result)));
}

/**
 * ear_http_dup_version:
 *
 * Returns: (transfer full): which libsoup this is, for whoever looks for a fault
 */
char *
ear_http_dup_version (void)
{
  return g_strdup_printf ("%u.%u.%u", soup_get_major_version (), soup_get_minor_version (), soup_get_micro_version ());
}
