/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-transfer-private.h"

#include "ear-error.h"
#include "ear-http-failure.h"
#include "ear-http-request.h"
#include "ear-thread.h"

/* A transfer that is silent or takes longer than this must not block others. */
#define QUIET_TIME (200 * G_TIME_SPAN_MILLISECOND)
#define SLOW_TIME (5 * G_TIME_SPAN_SECOND)

static void
ear_http_transfer_free (EarHttpTransfer *self)
{
  ear_http_request_free (self->request);
  g_free (self->user_agent);
  g_clear_pointer (&self->route, ear_http_route_free);
  g_free (self->buffer);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_error (&self->chunk_error);
  g_clear_error (&self->refusal);
  g_clear_pointer (&self->response, ear_http_response_unref);
  g_clear_error (&self->error);
  g_free (self);
}

/* --- Returning the response --------------------------------------------------------- */

static void
return_answer (gpointer data)
{
  EarHttpTransfer *self = data;

  if (self->error == NULL)
    {
      g_task_return_pointer (self->task, g_steal_pointer (&self->response), (GDestroyNotify) ear_http_response_unref);
      return;
    }

  if (ear_http_failure_may_be_network (self->error, self->request->address) &&
      !g_network_monitor_get_network_available (g_network_monitor_get_default ()))
    self->error->code = EAR_ERROR_OFFLINE;
  g_task_return_error (self->task, g_steal_pointer (&self->error));
}

/* The task owns the transfer: this may free it. */
static void
release_task (gpointer data)
{
  EarHttpTransfer *self = data;
  g_autoptr (GTask) task = g_steal_pointer (&self->task);
}

/* Touches the task only in the caller's thread. Otherwise the network thread might
 * finalize the task, and with it EarHttp, which joins that thread. */
static void
hand_back (EarHttpTransfer *self)
{
  ear_context_push (g_task_get_context (self->task), return_answer, self, release_task);
}

/* --- In the network thread ------------------------------------------------------- */

static void
destroy_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* Drops the last request and its response. */
void
ear_http_transfer_drop_message (EarHttpTransfer *self)
{
  if (self->message != NULL)
    g_signal_handlers_disconnect_by_data (self->message, self);
  g_clear_object (&self->message);

  /* The unread rest is discarded, and the connection with it. */
  if (self->body != NULL)
    g_input_stream_close_async (self->body, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  g_clear_object (&self->body);
}

/* Returns the result. The transfer may be freed afterwards. */
void
ear_http_transfer_end (EarHttpTransfer *self)
{
  destroy_source (&self->timer);
  destroy_source (&self->cancel_source);
  ear_http_transfer_drop_message (self);
  g_clear_pointer (&self->buffer, g_free);

  self->ended (self, self->ended_data);
  hand_back (self);
}

/* The first error is kept. */
static void
set_error (EarHttpTransfer *self, GError *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
}

/* Ends the transfer like ear_http_transfer_end(), with an error.
 * @error: (transfer full) */
void
ear_http_transfer_fail (EarHttpTransfer *self, GError *error)
{
  set_error (self, error);
  ear_http_transfer_end (self);
}

/* Cancels the current operation, which ends the transfer. But libsoup before 3.6.6 must
 * not be cancelled between reading a head and reporting it, when it would finish the
 * message twice; it reports the head very soon. */
static void
give_up (EarHttpTransfer *self, GError *error)
{
  set_error (self, error);
  if (!self->head_came)
    g_cancellable_cancel (self->cancellable);
}

void
ear_http_transfer_wait (EarHttpTransfer *self, guint milliseconds)
{
  g_source_set_ready_time (self->timer, g_get_monotonic_time () + milliseconds * G_GINT64_CONSTANT (1000));
}

/* Stops the timeout: the server has responded. */
void
ear_http_transfer_stop_waiting (EarHttpTransfer *self)
{
  g_source_set_ready_time (self->timer, -1);
}

static gboolean
timed_out_cb (gpointer data)
{
  EarHttpTransfer *self = data;

  ear_http_transfer_stop_waiting (self);
  self->head_came = FALSE;
  if (self->draining)
    g_cancellable_cancel (self->cancellable);
  else
    give_up (self, ear_http_failure_new (EAR_ERROR_TIMED_OUT, self->request->address, "the server is silent"));

  return G_SOURCE_CONTINUE;
}

static gboolean
caller_cancelled_cb (GCancellable *cancellable, gpointer data)
{
  EarHttpTransfer *self = data;

  give_up (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Operation was cancelled"));

  return G_SOURCE_REMOVE;
}

/* Sends the request. Its sources are attached to the thread-default context.
 * @self: a transfer
 * @session: (transfer none): sends the request; outlives the transfer
 * @workers: (transfer none): a pool whose function is ear_http_transfer_take_chunk()
 * @ended: called in this thread when the network thread is done with @self
 * @ended_data: data for @ended */
void
ear_http_transfer_start (EarHttpTransfer *self,
                         SoupSession *session,
                         GThreadPool *workers,
                         EarHttpTransferEnded ended,
                         gpointer ended_data)
{
  g_autoptr (GError) error = NULL;

  self->started = self->progress = g_get_monotonic_time ();
  self->session = session;
  self->workers = workers;
  self->ended = ended;
  self->ended_data = ended_data;
  self->context = g_main_context_ref_thread_default ();
  self->cancellable = g_cancellable_new ();

  self->timer = g_timeout_source_new (G_MAXUINT);
  g_source_set_static_name (self->timer, "[earmark] HTTP patience");
  g_source_set_callback (self->timer, timed_out_cb, self, NULL);
  g_source_attach (self->timer, self->context);

  if (g_task_get_cancellable (self->task) != NULL)
    {
      self->cancel_source = g_cancellable_source_new (g_task_get_cancellable (self->task));
      g_source_set_callback (self->cancel_source, G_SOURCE_FUNC (caller_cancelled_cb), self, NULL);
      g_source_attach (self->cancel_source, self->context);
    }

  self->buffer = g_malloc (EAR_HTTP_CHUNK_SIZE);
  self->route = ear_http_route_new (self->request->address, self->request->user, self->request->password, &error);
  if (self->route != NULL)
    ear_http_transfer_send (self);
  else
    ear_http_transfer_fail (self, g_steal_pointer (&error));
}

/* @self: a transfer that was started
 * @now: monotonic time
 * Returns: whether it is active: bytes arrive, and it is not a slow one */
gboolean
ear_http_transfer_is_busy (EarHttpTransfer *self, gint64 now)
{
  return (self->taking || now - self->progress < QUIET_TIME) && now - self->started < SLOW_TIME;
}

/* @self: a transfer
 * Returns: whether the caller has canceled it */
gboolean
ear_http_transfer_is_cancelled (EarHttpTransfer *self)
{
  return g_cancellable_is_cancelled (g_task_get_cancellable (self->task));
}

/* Cancels a transfer, which ends soon with %G_IO_ERROR_CANCELLED.
 * @self: a running transfer */
void
ear_http_transfer_stop (EarHttpTransfer *self)
{
  caller_cancelled_cb (NULL, self);
}

/* --- In the caller's thread ------------------------------------------------------ */

/* @task: returns the response; owns the transfer as its task data
 * @request: the request
 * @user_agent: (nullable): the User-Agent header
 * @timeouts: limits for the connection and for the next byte
 * @chunk_func: receives the body
 * @chunk_data: data for @chunk_func
 * Returns: (transfer none): a transfer, to be started in the network thread */
EarHttpTransfer *
ear_http_transfer_new (GTask *task,
                       const EarHttpRequest *request,
                       const char *user_agent,
                       EarHttpTimeouts timeouts,
                       EarHttpChunkFunc chunk_func,
                       gpointer chunk_data)
{
  EarHttpTransfer *self = g_new0 (EarHttpTransfer, 1);

  self->task = g_object_ref (task);
  self->request = ear_http_request_copy (request);
  self->user_agent = g_strdup (user_agent);
  self->timeouts = timeouts;
  self->chunk_func = chunk_func;
  self->chunk_data = chunk_data;

  g_task_set_task_data (task, self, (GDestroyNotify) ear_http_transfer_free);

  return self;
}

/* Ends the transfer with %G_IO_ERROR_CANCELLED.
 * @self: a transfer that will not be started */
void
ear_http_transfer_refuse (EarHttpTransfer *self)
{
  g_set_error_literal (&self->error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Operation was cancelled");
  hand_back (self);
}

/* @self: a transfer that has ended
 * Returns: the seconds after which the server may be asked again; 0 if unknown */
gint64
ear_http_transfer_get_retry_after (EarHttpTransfer *self)
{
  return self->retry_after;
}

/* @self: a transfer that has ended
 * Returns: the HTTP status of a refusal; 0 without one */
guint
ear_http_transfer_get_refused_status (EarHttpTransfer *self)
{
  return self->refused_status;
}
