/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-probe.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-feed-parser.h"
#include "ear-opml.h"
#include "ear-page-links.h"

/* Examines an address that the listener has entered: a feed, of which the first episodes
 * suffice; a web page, whose feeds are then examined in the same way; or a list of
 * podcasts. Workers do all parsing. */

/* Maximum size of a web page or a list of podcasts */
#define PAGE_LIMIT (8 * 1024 * 1024)
#define ENOUGH_ITEMS 10
#define MAX_FEEDS 6

typedef struct
{
  /* Input */
  EarHttp *http;
  char *address;
  gboolean is_inner; /* linked from a page: must be a feed */

  /* In progress; written by a network worker, read after it is done */
  EarFeedParser *parser;
  GByteArray *bytes;       /* kept until it is known to be a feed */
  GError *rejected;        /* why it is no feed, or a feed that it links to is none */
  EarHttpResponse *response;
  gboolean enough;
  GPtrArray *links;        /* (element-type EarPageLink) */
  guint n_running;         /* probes of @links */
  GPtrArray *found[MAX_FEEDS]; /* (nullable) (element-type EarDirectoryEntry): their feeds */

  /* Output */
  GPtrArray *entries;  /* (element-type EarDirectoryEntry) */
  GPtrArray *outlines; /* (element-type EarListedPodcast) (nullable) */
  char *refused;       /* (nullable): the URL that requires a login */
} Job;

static void
job_free (Job *job)
{
  g_clear_object (&job->http);
  g_clear_pointer (&job->parser, ear_feed_parser_free);
  g_clear_error (&job->rejected);
  g_clear_pointer (&job->response, ear_http_response_unref);
  g_clear_pointer (&job->links, g_ptr_array_unref);
  g_clear_pointer (&job->entries, g_ptr_array_unref);
  g_clear_pointer (&job->outlines, g_ptr_array_unref);
  g_byte_array_unref (job->bytes);
  g_free (job->refused);
  g_free (job->address);
  g_free (job);
}

static gboolean
push_cb (EarHttpResponse *response, const guint8 *data, gsize length, gpointer user_data,
         GError **error)
{
  Job *job = user_data;

  if (job->parser == NULL)
    {
      job->parser =
          ear_feed_parser_new (response->final_address, response->content_type, NULL, NULL);
      job->response = ear_http_response_ref (response);
    }
  if (job->rejected == NULL)
    ear_feed_parser_push (job->parser, data, length, &job->rejected);
  if (job->rejected != NULL || ear_feed_parser_get_format (job->parser) == NULL)
    g_byte_array_append (job->bytes, data, length);
  job->enough =
      (job->rejected == NULL && ear_feed_parser_get_n_items (job->parser) >= ENOUGH_ITEMS) ||
      job->bytes->len > PAGE_LIMIT;
  if (job->enough)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "Enough");

  return !job->enough;
}

static void
add_feed (Job *job)
{
  EarPodcastFacts *facts = ear_feed_parser_get_podcast (job->parser);
  EarDirectoryEntry *entry = ear_directory_entry_new ();
  const char *moved = job->response->permanent_address;

  /* A podcast has the address that was entered, as a redirect may lead to another one
   * each time. The network strips logins from the addresses that it returns. */
  if (moved != NULL && !ear_address_has_secret (job->address) &&
      ear_address_is_secure_twin (moved, job->address))
    entry->address = g_strdup (moved);
  else
    {
      entry->address = g_strdup (job->address);
      entry->moved = g_strdup (moved);
    }
  entry->secure = g_str_has_prefix (entry->address, "https:") &&
                  g_str_has_prefix (job->response->final_address, "https:");
  entry->title = g_strdup (facts->title);
  entry->author = g_strdup (facts->author);
  entry->image = g_strdup (facts->image);
  entry->n_episodes = job->enough ? 0 : ear_feed_parser_get_n_items (job->parser);
  g_ptr_array_add (job->entries, entry);
}

static void
evaluate_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  g_autoptr (GBytes) bytes = NULL;

  if (job->parser != NULL && job->rejected == NULL &&
      ear_feed_parser_finish (job->parser, &job->rejected))
    {
      if (g_strcmp0 (ear_feed_parser_get_format (job->parser), EAR_FEED_REDIRECT) != 0)
        add_feed (job);
      else if (job->is_inner)
        g_set_error_literal (&job->rejected, EAR_ERROR, EAR_ERROR_REDIRECTS,
                             "The new address leads on");
      else
        {
          /* Treat a document that only names the address of a feed like a page with a link. */
          EarPageLink *link = g_new0 (EarPageLink, 1);

          link->address = g_strdup (ear_feed_parser_get_podcast (job->parser)->new_address);
          job->links = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_page_link_free);
          g_ptr_array_add (job->links, link);
        }
      g_task_return_boolean (task, TRUE);
      return;
    }

  bytes = g_bytes_new (job->bytes->data, job->bytes->len);
  if (g_error_matches (job->rejected, EAR_ERROR, EAR_ERROR_WEB_PAGE) && !job->is_inner)
    job->links =
        ear_page_find_feeds (bytes, job->response->content_type, job->response->final_address);
  else if (job->rejected != NULL && !job->is_inner)
    job->outlines = ear_opml_parse (bytes, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
return_probe (GTask *task)
{
  Job *job = g_task_get_task_data (task);

  if (job->entries->len > 0 || job->outlines != NULL)
    g_task_return_pointer (task, g_steal_pointer (&job->entries),
                           (GDestroyNotify) g_ptr_array_unref);
  else if (job->rejected != NULL)
    g_task_return_error (task, g_steal_pointer (&job->rejected));
  else
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NOT_XML, "The answer is empty");
}

/* The feeds of a page keep its order. If several fail, the one that requires a login is reported,
 * as the listener can do something about it. */
static void
inner_probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Job *job = g_task_get_task_data (task);
  const Job *inner = g_task_get_task_data (G_TASK (result));
  EarPageLink **links = (EarPageLink **) job->links->pdata;
  guint place = 0;
  g_autofree char *refused = NULL;
  g_autoptr (GError) error = NULL;

  while (!g_str_equal (links[place]->address, inner->address))
    place++;
  job->found[place] = ear_feed_probe_finish (result, NULL, &refused, &error);
  if (error != NULL && (job->rejected == NULL || (refused != NULL && job->refused == NULL)))
    {
      g_clear_error (&job->rejected);
      job->rejected = g_steal_pointer (&error);
      g_set_str (&job->refused, refused);
    }
  if (--job->n_running > 0)
    return;
  for (guint i = 0; i < MAX_FEEDS; i++)
    if (job->found[i] != NULL)
      g_ptr_array_extend_and_steal (job->entries, job->found[i]);
  return_probe (task);
}

static void
evaluated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Job *job = g_task_get_task_data (task);
  const guint n_links = job->links != NULL ? MIN (job->links->len, MAX_FEEDS) : 0;

  if (n_links == 0)
    {
      return_probe (task);
      return;
    }

  g_clear_error (&job->rejected);
  job->n_running = n_links;
  for (guint i = 0; i < n_links; i++)
    {
      const EarPageLink *link = g_ptr_array_index (job->links, i);

      ear_feed_probe_async (job->http, link->address, g_task_get_cancellable (task),
                            inner_probed_cb, g_object_ref (task));
    }
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Job *job = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarHttpResponse) response = ear_http_stream_finish (EAR_HTTP (source), result, &error);
  g_autoptr (GTask) evaluation = NULL;

  if (response == NULL && !job->enough)
    {
      if (ear_error_wants_login (error))
        job->refused = g_strdup (job->address);
      g_task_return_error (task, g_steal_pointer (&error));
      g_object_unref (task);
      return;
    }

  evaluation = g_task_new (NULL, NULL, evaluated_cb, task);
  g_task_set_source_tag (evaluation, streamed_cb);
  g_task_set_task_data (evaluation, job, NULL);
  g_task_run_in_thread (evaluation, evaluate_thread);
}

/* Examines an address.
 * @address: an http or https URL */
void
ear_feed_probe_async (EarHttp *http, const char *address, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (EarHttpRequest) request = ear_http_request_new (address);
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  g_task_set_source_tag (task, ear_feed_probe_async);
  job->http = g_object_ref (http);
  job->address = g_strdup (address);
  job->is_inner = callback == inner_probed_cb;
  job->bytes = g_byte_array_new ();
  job->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_directory_entry_unref);
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  request->accept = g_strdup ("application/rss+xml, application/atom+xml, application/xml;q=0.9, "
                              "text/xml;q=0.9, text/html;q=0.8, */*;q=0.5");
  request->stream_damaged = TRUE;
  ear_http_stream_async (http, request, push_cb, job, cancellable, streamed_cb, task);
}

/* @outlines: (out) (optional) (nullable) (element-type EarListedPodcast): a list of podcasts
 * @refused: (out) (optional) (nullable): if the error is a required login, the URL that
 *   requires it: the address itself, or a feed that its page links to
 * Returns: (transfer full) (element-type EarDirectoryEntry): the feed; all feeds that a page
 *   links to; empty for a list of podcasts; %NULL on an error */
GPtrArray *
ear_feed_probe_finish (GAsyncResult *result, GPtrArray **outlines, char **refused, GError **error)
{
  Job *job = g_task_get_task_data (G_TASK (result));

  if (outlines != NULL)
    *outlines = g_steal_pointer (&job->outlines);
  if (refused != NULL)
    *refused = g_strdup (job->refused);

  return g_task_propagate_pointer (G_TASK (result), error);
}
