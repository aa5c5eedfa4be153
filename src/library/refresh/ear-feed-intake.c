/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-intake.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-thread.h"

/* Number of episodes that identify a podcast */
#define EPISODES_LIMIT 100

/* Large for large transactions, but limited, as each of the feeds being fetched holds a batch
 * in memory */
#define BATCH 100
#define BATCH_INTERVAL (250 * G_TIME_SPAN_MILLISECOND)

/* Maximum size of a feed, against attacks; the largest real one seen had 4 MB. */
#define FEED_LIMIT (64 * 1024 * 1024)

/* After this many unknown episodes, a feed is of another podcast. */
#define STRANGERS_LIMIT 100

static void
intake_clear (gpointer data)
{
  EarFeedIntake *self = data;

  g_clear_pointer (&self->parser, ear_feed_parser_free);
  g_clear_pointer (&self->response, ear_http_response_unref);
  g_clear_object (&self->catalogue);
  g_clear_pointer (&self->batch, g_ptr_array_unref);
  g_clear_pointer (&self->guids, g_hash_table_unref);
  g_clear_pointer (&self->expected, ear_podcast_facts_unref);
  g_clear_pointer (&self->expected_guids, g_hash_table_unref);
}

/* @a: (nullable): the title of a podcast
 * @b: (nullable): another title
 * Returns: whether both are set and equal except for case and surrounding spaces */
gboolean
ear_feed_is_title_equal (const char *a, const char *b)
{
  g_autofree char *first = a != NULL ? g_strstrip (g_utf8_casefold (a, -1)) : NULL;
  g_autofree char *second = b != NULL ? g_strstrip (g_utf8_casefold (b, -1)) : NULL;

  return first != NULL && *first != '\0' && g_strcmp0 (first, second) == 0;
}

static void
store_batch (EarFeedIntake *self)
{
  g_autoptr (GPtrArray) batch = g_steal_pointer (&self->batch);
  EarPodcastFacts *facts = ear_feed_parser_get_podcast (self->parser);

  self->batch = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  self->last_batch = g_get_monotonic_time ();
  ear_catalogue_store_batch (self->catalogue, self->podcast,
                             self->document != EAR_FEED_PAGE ? facts : NULL, batch);
}

/* Begins a response in the catalogue, once. A further page belongs to the response of the
 * first one. */
static void
begin_response (EarFeedIntake *self)
{
  if (!self->begun && self->document != EAR_FEED_PAGE)
    ear_catalogue_begin_response (self->catalogue, self->podcast);
  self->begun = TRUE;
}

/* Accepts the document as that of the podcast. */
static void
begin (EarFeedIntake *self)
{
  g_clear_pointer (&self->expected, ear_podcast_facts_unref);
  begin_response (self);
}

/* Compares the part parsed so far with the expected podcast. A renamed podcast keeps its
 * website, its author or its guid; a podcast moved to a new host may have a new guid, but
 * keeps the title or the website. */
static gboolean
is_expected (EarFeedIntake *self)
{
  const EarPodcastFacts *expected = self->expected;
  const EarPodcastFacts *facts = ear_feed_parser_get_podcast (self->parser);
  const gboolean has_guids = expected->guid != NULL && facts->guid != NULL;
  const gboolean is_guid_equal =
      has_guids && g_ascii_strcasecmp (expected->guid, facts->guid) == 0;
  const gboolean is_title_equal = ear_feed_is_title_equal (expected->title, facts->title);
  g_autofree char *link = facts->link != NULL ? ear_address_key (facts->link) : NULL;
  g_autofree char *expected_link =
      expected->link != NULL ? ear_address_key (expected->link) : NULL;

  if (self->strict)
    return has_guids ? is_guid_equal : is_title_equal;

  return is_guid_equal || is_title_equal || expected->title == NULL || facts->title == NULL ||
         (link != NULL && g_strcmp0 (expected_link, link) == 0) ||
         (!has_guids && ear_feed_is_title_equal (expected->author, facts->author));
}

static void
item_parsed_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  EarFeedIntake *self = user_data;
  const char *name = facts->guid;

  if (name == NULL && facts->enclosures->len > 0)
    name = ((EarEnclosure *) g_ptr_array_index (facts->enclosures, 0))->address;
  self->n_items++;
  g_ptr_array_add (self->batch, ear_episode_facts_ref (facts));
  if (name != NULL && g_hash_table_size (self->guids) < EPISODES_LIMIT)
    g_hash_table_add (self->guids, g_strdup (name));
  if (self->expected != NULL &&
      ((name != NULL && self->expected_guids != NULL &&
        g_hash_table_contains (self->expected_guids, name)) ||
       is_expected (self)))
    begin (self);
  if (self->expected == NULL && self->batch->len >= BATCH)
    store_batch (self);
}

static gboolean
check_stranger (EarFeedIntake *self, guint limit, GError **error)
{
  if (self->expected == NULL || self->batch->len < limit)
    return TRUE;

  if (self->document == EAR_FEED_MAIN)
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_OTHER_PODCAST,
                         "The address answers with another podcast");
  else
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_FOUND,
                         "There is another podcast at the new address");

  return FALSE;
}

/* @expected: (nullable): the podcast that an %EAR_FEED_MOVED must prove to be, and that
 *   an %EAR_FEED_MAIN must not prove not to be; %NULL for any
 * @expected_guids: (nullable): names of its episodes, which prove it, too */
EarFeedIntake *
ear_feed_intake_new (EarCatalogue *catalogue, gint64 podcast, EarFeedDocument document,
                     EarPodcastFacts *expected, GHashTable *expected_guids)
{
  EarFeedIntake *self = g_atomic_rc_box_new0 (EarFeedIntake);

  self->catalogue = g_object_ref (catalogue);
  self->podcast = podcast;
  self->document = document;
  self->batch = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  self->guids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->expected = expected != NULL ? ear_podcast_facts_ref (expected) : NULL;
  self->expected_guids = expected_guids != NULL ? g_hash_table_ref (expected_guids) : NULL;
  self->last_batch = g_get_monotonic_time ();

  return self;
}

void
ear_feed_intake_unref (EarFeedIntake *self)
{
  g_atomic_rc_box_release_full (self, intake_clear);
}

/* Parses a part of the body; an [callback@EarHttpChunkFunc]. Blocks while the catalogue's
 * writer has too much to do.
 * @data: (array length=length): bytes of the body
 * Returns: %FALSE if this is no feed */
static gboolean
parse_chunk (EarHttpResponse *response, const guint8 *data, gsize length, gpointer intake,
             GError **error)
{
  EarFeedIntake *self = intake;

  if (self->parser == NULL)
    {
      self->parser = ear_feed_parser_new (response->final_address, response->content_type,
                                          item_parsed_cb, self);
      /* A permanent redirect may lead to another podcast of the same author. */
      self->strict = self->document == EAR_FEED_MOVED || response->permanent_address != NULL;
      if (self->expected == NULL || self->document == EAR_FEED_MAIN)
        begin_response (self);
    }
  if (!ear_feed_parser_push (self->parser, data, length, error) ||
      !check_stranger (self, STRANGERS_LIMIT, error))
    return FALSE;
  /* A slow feed stores partial batches, as the listener waits for its rows. */
  if (self->expected == NULL && self->batch->len > 0 &&
      g_get_monotonic_time () - self->last_batch > BATCH_INTERVAL)
    store_batch (self);

  return TRUE;
}

/* Parses the rest. The caller stores that the feed was checked.
 * Returns: %FALSE if this is no feed, or a truncated one */
static gboolean
finish_intake (EarFeedIntake *self, GError **error)
{
  EarHttpResponse *response = self->response;

  if (self->parser == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_XML, "The answer is empty");
      return FALSE;
    }
  if (!ear_feed_parser_finish (self->parser, error))
    return FALSE;
  if (self->expected != NULL && is_expected (self))
    begin (self);
  /* A document that only names another address has no identity. */
  if (!ear_feed_intake_is_redirect (self) && !check_stranger (self, 0, error))
    return FALSE;
  if (self->batch->len > 0)
    store_batch (self);

  /* A truncated compressed body is not reported by the network, but the feed is
   * incomplete. */
  if (response->compressed && ear_feed_parser_get_damaged (self->parser))
    response->incomplete = TRUE;
  if (response->incomplete)
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_INCOMPLETE,
                         "The connection ended before the feed did");

  return !response->incomplete;
}

/* Returns: (transfer none) (nullable): the facts of the feed; %NULL if it is none */
EarPodcastFacts *
ear_feed_intake_get_facts (EarFeedIntake *self)
{
  return self->parser != NULL ? ear_feed_parser_get_podcast (self->parser) : NULL;
}

/* Returns: whether the document was no feed, but only named the address of one */
gboolean
ear_feed_intake_is_redirect (EarFeedIntake *self)
{
  return self->parser != NULL &&
         g_strcmp0 (ear_feed_parser_get_format (self->parser), EAR_FEED_REDIRECT) == 0;
}

static void
finish_intake_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (finish_intake (task_data, &error))
    g_task_return_pointer (task, task_data, NULL);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  EarFeedIntake *self = g_task_get_task_data (task);

  self->retry_after = ear_http_get_retry_after (EAR_HTTP (source), result);
  self->response = ear_http_stream_finish (EAR_HTTP (source), result, &error);
  if (self->response == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (self->response->not_modified)
    g_task_return_pointer (task, self, NULL);
  else
    /* A worker parses and sends the last items, too. */
    ear_worker_run (g_steal_pointer (&task), finish_intake_thread, NULL);
}

EarHttpRequest *
ear_feed_request_new (const char *address)
{
  EarHttpRequest *request = ear_http_request_new (address);

  request->accept = g_strdup ("application/rss+xml, application/atom+xml, application/xml;q=0.9, "
                              "text/xml;q=0.8, */*;q=0.1");
  request->max_bytes = FEED_LIMIT;
  request->stream_damaged = TRUE;

  return request;
}

/* Fetches the document, once. */
void
ear_feed_intake_load_async (EarFeedIntake *self, EarHttp *http, EarHttpRequest *request,
                            GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task = g_task_new (http, cancellable, callback, user_data);

  g_task_set_source_tag (task, ear_feed_intake_load_async);
  g_task_set_task_data (task, g_atomic_rc_box_acquire (self),
                        (GDestroyNotify) ear_feed_intake_unref);
  ear_http_stream_async (http, request, parse_chunk, self, cancellable, streamed_cb, task);
}

/* Returns: %FALSE if there was no response, or a truncated one */
gboolean
ear_feed_intake_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error) != NULL;
}
