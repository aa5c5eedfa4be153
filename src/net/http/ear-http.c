/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http.h"

#include "ear-error.h"
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
  EarKeyring *keyring; /* (nullable) */
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
  g_clear_object (&self->keyring);

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

/* @keyring: the logins of podcasts, used on the thread that sends their requests */
void
ear_http_set_keyring (EarHttp *self, EarKeyring *keyring)
{
  g_return_if_fail (EAR_IS_HTTP (self));

  g_set_object (&self->keyring, keyring);
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

/* A request, which is repeated with a login from the keyring if the server requires one */
typedef struct
{
  /* Owned */
  EarHttpRequest *request;
  GError *refusal; /* (nullable): the server's error, while the keyring is asked */

  EarHttpChunkFunc chunk_func;
  gpointer chunk_data;
  gint64 retry_after;
  guint refused_status;
} Exchange;

static void
exchange_free (gpointer data)
{
  Exchange *exchange = data;

  ear_http_request_free (exchange->request);
  g_clear_error (&exchange->refusal);
  g_free (exchange);
}

/* Reports whether the server has accepted the login. After other errors the login stays on trial.
 * @response: (transfer full) (nullable): the response
 * @error: (transfer full) (nullable): the error if there is none */
static void
finish (GTask *task, EarHttpResponse *response, GError *error)
{
  EarHttp *self = g_task_get_source_object (task);
  const EarHttpRequest *request = ((Exchange *) g_task_get_task_data (task))->request;
  const gboolean refused = g_error_matches (error, EAR_ERROR, EAR_ERROR_WRONG_LOGIN);

  if (self->keyring != NULL && request->podcast != NULL && (response != NULL || refused))
    ear_keyring_judge (self->keyring, request->podcast, request->address, request->user, request->password, !refused);
  if (response != NULL)
    g_task_return_pointer (task, response, (GDestroyNotify) ear_http_response_unref);
  else
    g_task_return_error (task, error);
  g_object_unref (task);
}

static void send (GTask *task);

/* A refused login is not sent again. */
static void
login_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Exchange *exchange = g_task_get_task_data (task);
  EarHttpRequest *request = exchange->request;
  GError *error = NULL;
  g_autoptr (EarLogin) login = ear_keyring_find_finish (EAR_KEYRING (source), result, &error);

  if (error != NULL)
    finish (task, NULL, error);
  else if (login == NULL ||
           (g_strcmp0 (login->user, request->user) == 0 && g_strcmp0 (login->password, request->password) == 0))
    finish (task, NULL, g_steal_pointer (&exchange->refusal));
  else
    {
      g_set_str (&request->user, login->user);
      g_set_str (&request->password, login->password);
      g_clear_error (&exchange->refusal);
      send (task);
    }
}

static void
sent_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarHttp *self = EAR_HTTP (source);
  GTask *task = user_data;
  Exchange *exchange = g_task_get_task_data (task);
  EarHttpTransfer *transfer = g_task_get_task_data (G_TASK (result));
  GError *error = NULL;
  EarHttpResponse *response = g_task_propagate_pointer (G_TASK (result), &error);

  exchange->retry_after = ear_http_transfer_get_retry_after (transfer);
  exchange->refused_status = ear_http_transfer_get_refused_status (transfer);
  if (self->keyring != NULL && exchange->request->podcast != NULL && ear_error_wants_login (error))
    {
      exchange->refusal = error;
      ear_keyring_find_async (self->keyring, exchange->request->podcast, exchange->request->address,
                              g_task_get_cancellable (task), login_found_cb, task);
    }
  else
    finish (task, response, error);
}

static void
send (GTask *task)
{
  EarHttp *self = g_task_get_source_object (task);
  Exchange *exchange = g_task_get_task_data (task);
  g_autoptr (GTask) sending = g_task_new (self, g_task_get_cancellable (task), sent_cb, task);
  EarHttpTransfer *transfer;

  g_task_set_source_tag (sending, ear_http_stream_async);
  transfer = ear_http_transfer_new (sending, exchange->request, self->user_agent, self->timeouts,
                                    exchange->chunk_func, exchange->chunk_data);
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
 * Sends a GET request, or one of another method with a body. Such a request is not
 * repeated after 403.
 *
 * Redirects are followed, at most ten and only to http and https. `etag` and
 * `last_modified` of the request make it conditional (RFC 9110, section 13); if nothing
 * has changed, the response has no body. The user name and password, from the request or
 * else from its URL, are only sent to the host of that URL, and never in clear text if it
 * is an https one; the URLs of the response do not contain them. A host that answers 403
 * is asked once more with the User-Agent of a browser.
 *
 * With `podcast`, the login that the keyring has for it and the server is sent. If the
 * server requires a login that is not in memory, the keyring is asked, and the request
 * repeated. The keyring learns whether the server has accepted it.
 *
 * At most six connections per host are open. The silence of a server (#EarHttpTimeouts)
 * and the size of the body are limited.
 *
 * With `head_only`, @chunk_func may be %NULL, as it is not called.
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
  GTask *task;
  Exchange *exchange;
  const EarLogin *login = NULL;

  g_return_if_fail (EAR_IS_HTTP (self));
  g_return_if_fail (request != NULL && request->address != NULL);
  g_return_if_fail (chunk_func != NULL || request->head_only);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_http_stream_async);
  exchange = g_new0 (Exchange, 1);
  exchange->request = ear_http_request_copy (request);
  exchange->chunk_func = chunk_func;
  exchange->chunk_data = chunk_data;
  g_task_set_task_data (task, exchange, exchange_free);
  if (self->keyring != NULL && request->podcast != NULL)
    login = ear_keyring_peek (self->keyring, request->podcast, request->address);
  if (login != NULL)
    {
      g_set_str (&exchange->request->user, login->user);
      g_set_str (&exchange->request->password, login->password);
    }
  send (task);
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

  return ((Exchange *) g_task_get_task_data (G_TASK (result)))->retry_after;
}

/* @result: the result passed to the callback
 * Returns: the HTTP status with which the server refused; 0 without one */
guint
ear_http_get_refused_status (EarHttp *self, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), 0);

  return ((Exchange *) g_task_get_task_data (G_TASK (result)))->refused_status;
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
