/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-document-fetch.h"

#include "ear-document-files.h"
#include "ear-error.h"

/* Fetches one whole document from the web. If the server requires a login, Earmark uses
 * the known one, or else asks the keyring, once, as for downloads. */

typedef struct
{
  /* Input, owned */
  EarHttp *http;
  EarKeyring *keyring;
  char *podcast;
  char *address;

  /* In progress, owned */
  EarLogin *login;  /* (nullable): sent to the server */
  GError *refusal;  /* (nullable): the server's error that made Earmark ask the keyring */
  GByteArray *body; /* filled by the workers of EarHttp, one after the other */
} Fetch;

static void
fetch_free (gpointer data)
{
  Fetch *fetch = data;

  g_object_unref (fetch->http);
  g_object_unref (fetch->keyring);
  g_free (fetch->podcast);
  g_free (fetch->address);
  g_clear_pointer (&fetch->login, ear_login_free);
  g_clear_error (&fetch->refusal);
  g_byte_array_unref (fetch->body);
  g_free (fetch);
}

static void
finish (GTask *task, GError *error)
{
  g_autoptr (GTask) ended = task;

  g_task_return_error (ended, error);
}

static void begin (GTask *task);

static void
login_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Fetch *fetch = g_task_get_task_data (task);

  fetch->login = ear_keyring_find_finish (EAR_KEYRING (source), result, NULL);
  if (fetch->login != NULL && !g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    begin (task);
  else
    finish (task, g_error_copy (fetch->refusal));
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarHttpResponse) response = ear_http_stream_finish (EAR_HTTP (source), result, &error);

  if (response != NULL)
    {
      g_autoptr (GTask) ended = task;

      g_task_return_pointer (ended, g_byte_array_free_to_bytes (g_byte_array_ref (fetch->body)),
                             (GDestroyNotify) g_bytes_unref);
    }
  else if (ear_error_wants_login (error) && fetch->login == NULL && fetch->refusal == NULL)
    {
      fetch->refusal = g_steal_pointer (&error);
      ear_keyring_find_async (fetch->keyring, fetch->podcast, fetch->address,
                              g_task_get_cancellable (task), login_found_cb, task);
    }
  else
    {
      finish (task, g_steal_pointer (&error));
    }
}

/* On a worker thread */
static gboolean
take_chunk (EarHttpResponse *response, const guint8 *data, gsize length, gpointer user_data,
            GError **error)
{
  g_byte_array_append (((Fetch *) user_data)->body, data, (guint) length);

  return TRUE;
}

static void
begin (GTask *task)
{
  Fetch *fetch = g_task_get_task_data (task);
  g_autoptr (EarHttpRequest) request = ear_http_request_new (fetch->address);

  if (fetch->login != NULL)
    {
      request->user = g_strdup (fetch->login->user);
      request->password = g_strdup (fetch->login->password);
    }
  request->max_bytes = EAR_DOCUMENT_LIMIT;
  g_byte_array_set_size (fetch->body, 0);
  ear_http_stream_async (fetch->http, request, take_chunk, fetch, g_task_get_cancellable (task),
                         streamed_cb, task);
}

/* Fetches a document of a podcast.
 * @podcast: the URL at which the podcast was first followed, which its logins belong to
 * @address: the URL of the document */
void
ear_document_fetch_async (EarHttp *http, EarKeyring *keyring, const char *podcast,
                          const char *address, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Fetch *fetch = g_new0 (Fetch, 1);
  const EarLogin *known = ear_keyring_peek (keyring, podcast, address);

  fetch->http = g_object_ref (http);
  fetch->keyring = g_object_ref (keyring);
  fetch->podcast = g_strdup (podcast);
  fetch->address = g_strdup (address);
  fetch->login = known != NULL ? ear_login_copy (known) : NULL;
  fetch->body = g_byte_array_new ();
  g_task_set_source_tag (task, ear_document_fetch_async);
  g_task_set_task_data (task, fetch, fetch_free);
  begin (task);
}

/* Returns: (transfer full) (nullable): the document */
GBytes *
ear_document_fetch_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_document_fetch_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
