/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-directory.h"

#include "ear-directory-service.h"
#include "ear-error.h"

#include <string.h>

/**
 * EarDirectory:
 *
 * One directory of podcasts on the web. It keeps the rate limit of the service: a
 * question that comes too early waits for its turn, and a question that is canceled while
 * it waits is never sent. Charts are cached for a day. Main thread only; a worker parses
 * the answers.
 */
struct _EarDirectory
{
  GObject parent_instance;

  /* Owned */
  EarHttp *http;
  char *base;
  char *country;      /* two lower-case letters */
  GHashTable *charts; /* (element-type utf8 Chart): charts of the last day, by URL */
  gint64 *asked;      /* monotonic times of the last requests: a ring for one minute */

  const EarDirectoryService *service;
  guint n_asked;
  guint time_limit;
  gint64 not_before;  /* monotonic: no requests before, on demand of the service */
};

G_DEFINE_FINAL_TYPE (EarDirectory, ear_directory, G_TYPE_OBJECT)

/* Twice the size of two hundred podcasts with all their details */
#define ANSWER_LIMIT (2 * 1024 * 1024)
#define TEXT_LIMIT 200
#define ENTRY_LIMIT 200
#define TIME_LIMIT_MS 15000
/* Pause after 429 without Retry-After, and after 403, which Apple sends for too many
 * requests */
#define PAUSE_SECONDS 60
/* A chart has at most 25 podcasts; twenty categories of some countries */
#define CHART_LIMIT 60

typedef struct
{
  GPtrArray *entries;
  gint64 stored; /* monotonic */
} Chart;

typedef struct
{
  /* Input */
  const EarDirectoryService *service;
  char *text;
  char *chart; /* (nullable): the URL of a chart, whose answer is kept */
  EarDirectoryQuestion question;

  /* In progress */
  GCancellable *cancellable; /* ends the request: canceled, or over the time limit */
  GSource *timeout;          /* of the wait, then of the request */
  gboolean too_slow;
  GByteArray *answer;

  /* Output of the worker */
  char *ids;
} Ask;

static void start (GTask *task);

static void
chart_free (gpointer data)
{
  Chart *chart = data;

  g_ptr_array_unref (chart->entries);
  g_free (chart);
}

static void
store_chart (EarDirectory *self, const char *address, GPtrArray *entries)
{
  Chart *chart = g_new0 (Chart, 1);

  chart->entries = g_ptr_array_ref (entries);
  chart->stored = g_get_monotonic_time ();
  if (g_hash_table_size (self->charts) >= CHART_LIMIT)
    g_hash_table_remove_all (self->charts);
  g_hash_table_insert (self->charts, g_strdup (address), chart);
}

/* Returns: (transfer full) (nullable): the podcasts of a chart fetched within a day */
static GPtrArray *
dup_chart (EarDirectory *self, const char *address)
{
  Chart *chart = g_hash_table_lookup (self->charts, address);

  if (chart == NULL || g_get_monotonic_time () - chart->stored > G_TIME_SPAN_DAY)
    return NULL;

  return g_ptr_array_ref (chart->entries);
}

static void
ask_free (Ask *ask)
{
  g_clear_object (&ask->cancellable);
  g_byte_array_unref (ask->answer);
  g_free (ask->text);
  g_free (ask->chart);
  g_free (ask->ids);
  g_free (ask);
}

static void
stop_timeout (Ask *ask)
{
  if (ask->timeout != NULL)
    g_source_destroy (ask->timeout);
  g_clear_pointer (&ask->timeout, g_source_unref);
}

/* Calls @func after a timeout, or as soon as the caller cancels. */
static void
start_timeout (GTask *task, guint milliseconds, GSourceFunc func)
{
  Ask *ask = g_task_get_task_data (task);

  ask->timeout = g_timeout_source_new (milliseconds);
  if (g_task_get_cancellable (task) != NULL)
    {
      g_autoptr (GSource) cancelled = g_cancellable_source_new (g_task_get_cancellable (task));

      g_source_set_dummy_callback (cancelled);
      g_source_add_child_source (ask->timeout, cancelled);
    }
  g_task_attach_source (task, ask->timeout, func);
}

/* Errors whose messages are about the URL of a podcast, which the listener did not type
 * here */
static gboolean
is_about_address (const GError *error)
{
  static const int codes[] = { EAR_ERROR_NOT_FOUND, EAR_ERROR_GONE, EAR_ERROR_UNAUTHORIZED, EAR_ERROR_REDIRECTS,
                               EAR_ERROR_UNSAFE_ADDRESS, EAR_ERROR_TOO_LARGE };

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, EAR_ERROR, codes[i]))
      return TRUE;

  return FALSE;
}

/* @error: (transfer full) (nullable) */
static void
finish (GTask *task, GPtrArray *entries, GError *error)
{
  Ask *ask = g_task_get_task_data (task);

  stop_timeout (ask);
  /* Any such error is a fault of the directory. */
  if (error != NULL && is_about_address (error))
    error->code = EAR_ERROR_SERVER;
  if (entries != NULL && entries->len > 0 && ask->chart != NULL)
    store_chart (g_task_get_source_object (task), ask->chart, entries);
  if (entries != NULL)
    g_task_return_pointer (task, entries, (GDestroyNotify) g_ptr_array_unref);
  else if (ask->too_slow)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_TIMED_OUT, "The directory takes too long");
      g_error_free (error);
    }
  else
    g_task_return_error (task, error);
  g_object_unref (task);
}

static void
read_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Ask *ask = task_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = ear_directory_json_parse ((const char *) ask->answer->data, ask->answer->len, &error);
  GPtrArray *entries = root != NULL ? ask->service->read (root, ask->question, &ask->ids) : NULL;

  if (entries != NULL && entries->len > ENTRY_LIMIT)
    g_ptr_array_set_size (entries, ENTRY_LIMIT);
  if (entries != NULL)
    g_task_return_pointer (task, entries, (GDestroyNotify) g_ptr_array_unref);
  else if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_SERVER, "The directory's answer is of no known form");
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Ask *ask = g_task_get_task_data (task);
  GError *error = NULL;
  GPtrArray *entries = g_task_propagate_pointer (G_TASK (result), &error);

  if (entries == NULL || ask->ids == NULL)
    {
      finish (task, entries, error);
      return;
    }

  /* A chart lists only numbers, which a second question looks up. */
  g_ptr_array_unref (entries);
  g_free (ask->text);
  ask->text = g_steal_pointer (&ask->ids);
  ask->question = EAR_DIRECTORY_ID;
  stop_timeout (ask);
  g_byte_array_set_size (ask->answer, 0);
  start (task);
}

static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  EarDirectory *self = g_task_get_source_object (task);
  Ask *ask = g_task_get_task_data (task);
  g_autoptr (GTask) reading = NULL;
  g_autoptr (EarHttpResponse) response = NULL;
  GError *error = NULL;

  response = ear_http_stream_finish (EAR_HTTP (source), result, &error);
  if (response == NULL)
    {
      const guint status = ear_http_get_refused_status (EAR_HTTP (source), result);

      /* A country without a chart: Apple answers 400. */
      if (ask->question == EAR_DIRECTORY_CHART && (status == 400 || status == 404))
        {
          g_clear_error (&error);
          finish (task, g_ptr_array_new_with_free_func ((GDestroyNotify) ear_directory_entry_unref), NULL);
          return;
        }
      if (g_error_matches (error, EAR_ERROR, EAR_ERROR_BUSY) || g_error_matches (error, EAR_ERROR, EAR_ERROR_FORBIDDEN))
        {
          gint64 seconds = ear_http_get_retry_after (EAR_HTTP (source), result);

          self->not_before = g_get_monotonic_time () + (seconds > 0 ? seconds : PAUSE_SECONDS) * G_USEC_PER_SEC;
        }
      finish (task, NULL, error);
      return;
    }

  /* Without a source object: a worker's last reference may be dropped after the
   * callback. */
  reading = g_task_new (NULL, ask->cancellable, read_cb, task);
  g_task_set_source_tag (reading, fetched_cb);
  g_task_set_task_data (reading, ask, NULL);
  g_task_run_in_thread (reading, read_thread);
}

static gboolean
too_slow_cb (gpointer user_data)
{
  GTask *task = user_data;
  Ask *ask = g_task_get_task_data (task);

  ask->too_slow = !g_cancellable_is_cancelled (g_task_get_cancellable (task));
  stop_timeout (ask);
  g_cancellable_cancel (ask->cancellable);

  return G_SOURCE_REMOVE;
}

static void
send_request (GTask *task)
{
  EarDirectory *self = g_task_get_source_object (task);
  Ask *ask = g_task_get_task_data (task);
  g_autofree char *address = self->service->build (self->base, self->country, ask->question, ask->text);
  g_autoptr (EarHttpRequest) request = ear_http_request_new (address);

  self->asked[self->n_asked++ % self->service->per_minute] = g_get_monotonic_time ();
  request->max_bytes = ANSWER_LIMIT;
  request->accept = g_strdup ("application/json, text/javascript;q=0.9, */*;q=0.1");
  start_timeout (task, self->time_limit, too_slow_cb);
  ear_http_stream_async (self->http, request, ear_http_collect_chunk, ask->answer, ask->cancellable, fetched_cb, task);
}

static gboolean
waited_cb (gpointer user_data)
{
  stop_timeout (g_task_get_task_data (user_data));
  start (user_data);

  return G_SOURCE_REMOVE;
}

/* Time until the next request may be sent, in microseconds */
static gint64
get_wait (EarDirectory *self)
{
  const gint64 now = g_get_monotonic_time ();
  gint64 wait = 0;

  if (self->n_asked >= self->service->per_minute)
    wait = self->asked[self->n_asked % self->service->per_minute] + G_TIME_SPAN_MINUTE - now;

  return MAX (wait, self->not_before - now);
}

static void
start (GTask *task)
{
  EarDirectory *self = g_task_get_source_object (task);
  const gint64 wait = get_wait (self);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    finish (task, NULL, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled"));
  else if (self->not_before - g_get_monotonic_time () > (gint64) self->time_limit * 1000)
    finish (task, NULL, g_error_new_literal (EAR_ERROR, EAR_ERROR_BUSY, "The directory asked to be left alone for a while"));
  else if (wait > 0)
    start_timeout (task, (guint) (wait / 1000) + 1, waited_cb);
  else
    send_request (task);
}

static void
ear_directory_finalize (GObject *object)
{
  EarDirectory *self = EAR_DIRECTORY (object);

  g_clear_object (&self->http);
  g_free (self->base);
  g_free (self->country);
  g_hash_table_unref (self->charts);
  g_free (self->asked);

  G_OBJECT_CLASS (ear_directory_parent_class)->finalize (object);
}

static void
ear_directory_class_init (EarDirectoryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_directory_finalize;
}

static void
ear_directory_init (EarDirectory *self)
{
  self->time_limit = TIME_LIMIT_MS;
  self->country = g_strdup ("us");
  self->charts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, chart_free);
}

/**
 * ear_directory_new:
 * @http: fetches
 * @service: the directory
 * @base: (nullable): replaces the start of its URLs, for tests
 *
 * Returns: (transfer full): a directory
 */
EarDirectory *
ear_directory_new (EarHttp *http, const EarDirectoryService *service, const char *base)
{
  EarDirectory *self = g_object_new (EAR_TYPE_DIRECTORY, NULL);

  self->http = g_object_ref (http);
  self->service = service;
  self->asked = g_new0 (gint64, service->per_minute);
  self->base = g_strdup (base != NULL ? base : service->base);

  return self;
}

/* @milliseconds: the time limit of a request */
void
ear_directory_set_time_limit (EarDirectory *self, guint milliseconds)
{
  g_return_if_fail (EAR_IS_DIRECTORY (self));

  self->time_limit = milliseconds;
}

/* @country: two lower-case letters, as in ISO 3166-1; "us" by default */
void
ear_directory_set_country (EarDirectory *self, const char *country)
{
  g_return_if_fail (EAR_IS_DIRECTORY (self));
  g_return_if_fail (strlen (country) == 2 && g_ascii_islower (country[0]) && g_ascii_islower (country[1]));

  g_set_str (&self->country, country);
}

/* Returns: (transfer none): the name of the service, the same in all languages */
const char *
ear_directory_get_name (EarDirectory *self)
{
  g_return_val_if_fail (EAR_IS_DIRECTORY (self), NULL);

  return self->service->name;
}

gboolean
ear_directory_can_answer (EarDirectory *self, EarDirectoryQuestion question, const char *text)
{
  g_autofree char *address = NULL;

  g_return_val_if_fail (EAR_IS_DIRECTORY (self), FALSE);

  if (text == NULL || (*text == '\0' && question != EAR_DIRECTORY_CHART) || g_utf8_strlen (text, -1) > TEXT_LIMIT)
    return FALSE;
  address = self->service->build (self->base, self->country, question, text);

  return address != NULL;
}

/**
 * ear_directory_ask_async:
 * @self: the directory
 * @question: the kind of question
 * @text: the question, never a URL
 * @cancellable: (nullable): a cancellable; cancelled on the main thread
 * @callback: called with the answer
 * @user_data: data of the caller
 *
 * Sends a question to the directory as soon as its rate limit allows. Only for kinds of
 * questions that [method@EarDirectory.can_answer].
 */
void
ear_directory_ask_async (EarDirectory *self, EarDirectoryQuestion question, const char *text, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  GPtrArray *entries;
  GTask *task;
  Ask *ask;

  g_return_if_fail (EAR_IS_DIRECTORY (self));
  g_return_if_fail (ear_directory_can_answer (self, question, text));

  ask = g_new0 (Ask, 1);
  ask->service = self->service;
  ask->question = question;
  ask->text = g_strdup (text);
  ask->cancellable = g_cancellable_new ();
  ask->answer = g_byte_array_new ();
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_directory_ask_async);
  g_task_set_task_data (task, ask, (GDestroyNotify) ask_free);
  if (question == EAR_DIRECTORY_CHART)
    ask->chart = self->service->build (self->base, self->country, question, text);
  entries = ask->chart != NULL ? dup_chart (self, ask->chart) : NULL;
  if (entries == NULL)
    {
      start (task);
      return;
    }

  /* Keep the age of the stored answer. */
  g_clear_pointer (&ask->chart, g_free);
  finish (task, entries, NULL);
}

/**
 * ear_directory_ask_finish:
 * @self: the directory
 * @result: the result passed to the callback
 * @error: return location
 *
 * Returns: (transfer full) (element-type EarDirectoryEntry): the podcasts, best first,
 *   each with a URL and a title; %NULL on an error
 */
GPtrArray *
ear_directory_ask_finish (EarDirectory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
