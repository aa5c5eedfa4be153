/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-intake.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-thread.h"

/* Number of episodes that identify a podcast */
#define EPISODES_LIMIT 100

static void
identity_clear (gpointer data)
{
  EarFeedIdentity *self = data;

  g_free (self->title);
  g_free (self->guid);
  g_free (self->link);
  g_free (self->author);
  g_hash_table_unref (self->guids);
}

static const char *
get_name (EarEpisodeFacts *episode)
{
  if (episode->guid != NULL)
    return episode->guid;

  return episode->enclosures->len > 0
             ? ((EarEnclosure *) g_ptr_array_index (episode->enclosures, 0))->address
             : NULL;
}

/* @a: (nullable): the title of a podcast
 * @b: (nullable): another title
 * Returns: whether both are set and equal except for case and surrounding spaces */
gboolean
ear_feed_identity_is_title_equal (const char *a, const char *b)
{
  g_autofree char *first = a != NULL ? g_utf8_casefold (a, -1) : NULL;
  g_autofree char *second = b != NULL ? g_utf8_casefold (b, -1) : NULL;

  if (first == NULL || second == NULL)
    return FALSE;
  g_strstrip (first);
  g_strstrip (second);

  return *first != '\0' && g_str_equal (first, second);
}

EarFeedIdentity *
ear_feed_identity_new (void)
{
  EarFeedIdentity *self = g_atomic_rc_box_new0 (EarFeedIdentity);

  self->guids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

void
ear_feed_identity_unref (EarFeedIdentity *self)
{
  g_atomic_rc_box_release_full (self, identity_clear);
}

void
ear_feed_identity_set_facts (EarFeedIdentity *self, EarPodcastFacts *facts)
{
  g_set_str (&self->title, facts->title);
  g_set_str (&self->guid, facts->guid);
  g_set_str (&self->author, facts->author);
  g_clear_pointer (&self->link, g_free);
  self->link = facts->link != NULL ? ear_address_key (facts->link) : NULL;
}

/* Adds the guid of an episode, or its media URL if it has none, up to a limit. */
static void
identity_add (EarFeedIdentity *self, EarEpisodeFacts *episode)
{
  const char *name = get_name (episode);

  if (name != NULL && g_hash_table_size (self->guids) < EPISODES_LIMIT)
    g_hash_table_add (self->guids, g_strdup (name));
}

/* Compares a feed with the identity. A renamed podcast keeps its website, its author or
 * its guid; a podcast moved to a new host may have a new guid, but keeps the title or the
 * website.
 * @facts: the facts of a feed, perhaps not all yet
 * @strict: whether the guid, or else the title must be the same
 * Returns: whether it is the podcast */
static gboolean
identity_has_facts (EarFeedIdentity *self, EarPodcastFacts *facts, gboolean strict)
{
  const gboolean has_guids = self->guid != NULL && facts->guid != NULL;
  const gboolean is_guid_equal = has_guids && g_ascii_strcasecmp (self->guid, facts->guid) == 0;
  const gboolean is_title_equal = ear_feed_identity_is_title_equal (self->title, facts->title);
  g_autofree char *link = facts->link != NULL ? ear_address_key (facts->link) : NULL;

  if (strict)
    return has_guids ? is_guid_equal : is_title_equal;

  return is_guid_equal || is_title_equal || self->title == NULL || facts->title == NULL ||
         (link != NULL && g_strcmp0 (self->link, link) == 0) ||
         (!has_guids && ear_feed_identity_is_title_equal (self->author, facts->author));
}

static gboolean
identity_has (EarFeedIdentity *self, EarEpisodeFacts *episode)
{
  const char *name = get_name (episode);

  return name != NULL && g_hash_table_contains (self->guids, name);
}

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
  g_clear_object (&self->catalogue);
  g_clear_pointer (&self->batch, g_ptr_array_unref);
  g_clear_pointer (&self->expected, ear_feed_identity_unref);
  g_clear_pointer (&self->identity, ear_feed_identity_unref);
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
  g_clear_pointer (&self->expected, ear_feed_identity_unref);
  begin_response (self);
}

/* Returns: whether the part parsed so far is of the expected podcast */
static gboolean
is_expected (EarFeedIntake *self)
{
  return identity_has_facts (self->expected, ear_feed_parser_get_podcast (self->parser),
                             self->strict);
}

static void
item_parsed_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  EarFeedIntake *self = user_data;

  self->n_items++;
  g_ptr_array_add (self->batch, ear_episode_facts_ref (facts));
  identity_add (self->identity, facts);
  if (self->expected != NULL &&
      (identity_has (self->expected, facts) || is_expected (self)))
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
    {
      ear_feed_identity_set_facts (self->identity, ear_feed_parser_get_podcast (self->parser));
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_OTHER_PODCAST,
                           "The address answers with another podcast");
    }
  else
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_FOUND,
                         "There is another podcast at the new address");

  return FALSE;
}

/* @identity: (nullable): the podcast that an %EAR_FEED_MOVED must prove to be, and that
 * an %EAR_FEED_MAIN must not prove not to be; %NULL for any */
EarFeedIntake *
ear_feed_intake_new (EarCatalogue *catalogue, gint64 podcast, EarFeedDocument document,
                     EarFeedIdentity *identity)
{
  EarFeedIntake *self = g_atomic_rc_box_new0 (EarFeedIntake);

  self->catalogue = g_object_ref (catalogue);
  self->podcast = podcast;
  self->document = document;
  self->batch = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  self->identity = ear_feed_identity_new ();
  if (document != EAR_FEED_PAGE && identity != NULL)
    self->expected = g_atomic_rc_box_acquire (identity);
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
finish_intake (EarFeedIntake *self, EarHttpResponse *response, GError **error)
{
  if (self->parser == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_XML, "The answer is empty");
      return FALSE;
    }
  if (!ear_feed_parser_finish (self->parser, error))
    return FALSE;
  ear_feed_identity_set_facts (self->identity, ear_feed_parser_get_podcast (self->parser));
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

  if (finish_intake (load->intake, load->response, &error))
    g_task_return_pointer (task, ear_http_response_ref (load->response),
                           (GDestroyNotify) ear_http_response_unref);
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
    g_task_return_pointer (task, ear_http_response_ref (load->response),
                           (GDestroyNotify) ear_http_response_unref);
  else
    /* A worker parses and sends the last items, too. */
    ear_worker_run (g_steal_pointer (&task), finish_intake_thread,
                    (GDestroyNotify) ear_http_response_unref);
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

/* Fetches one document of a feed. */
void
ear_feed_load_async (EarHttp *http, EarHttpRequest *request, EarFeedIntake *intake,
                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (http, cancellable, callback, user_data);
  Load *load = g_new0 (Load, 1);

  load->intake = g_atomic_rc_box_acquire (intake);
  g_task_set_source_tag (task, ear_feed_load_async);
  g_task_set_task_data (task, load, (GDestroyNotify) load_free);
  ear_http_stream_async (http, request, parse_chunk, load->intake, cancellable, streamed_cb, task);
}

/* @retry_after: (out) (optional): seconds after which a busy server may be asked again; 0
 *   if it did not say
 * Returns: (transfer full) (nullable): the response; %NULL if there was none, or a
 * truncated one */
EarHttpResponse *
ear_feed_load_finish (GAsyncResult *result, gint64 *retry_after, GError **error)
{
  if (retry_after != NULL)
    *retry_after = ((Load *) g_task_get_task_data (G_TASK (result)))->retry_after;

  return g_task_propagate_pointer (G_TASK (result), error);
}
