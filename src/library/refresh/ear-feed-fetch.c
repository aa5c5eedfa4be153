/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-fetch.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-feed-parser.h"
#include "ear-refresh-policy.h"
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

/* The role of a document for a podcast */
typedef enum
{
  MAIN,  /* the document at the podcast's address */
  PAGE,  /* a further page of it (RFC 5005), which changes no facts of the podcast */
  MOVED, /* the document at a new address; its episodes are stored only after it has proved to be
          * the same podcast */
} Role;

/* One document of a feed: parses it, and sends the facts to the catalogue in batches. Used by
 * one thread at a time: workers while bytes arrive. */
typedef struct
{
  EarCatalogue *catalogue;   /* borrowed from the check */
  EarFeedParser *parser;     /* (nullable): created with the first bytes */
  EarHttpResponse *response; /* (nullable): set once the document has arrived */
  GPtrArray *batch;          /* (element-type EarEpisodeFacts) */
  GHashTable *guids;         /* guids of some episodes, or their media URLs */

  EarPodcastFacts *expected;  /* (nullable): the expected podcast, until recognized */
  GHashTable *expected_guids; /* (nullable): as @guids, of the expected podcast */

  Role role;
  gint64 podcast;
  gint64 last_batch;  /* monotonic time */
  gint64 retry_after; /* seconds that a busy server asked to wait; 0: it did not say */
  guint n_items;
  gboolean begun;
  gboolean strict; /* must have the title or guid of @expected */
} Document;

static void
document_free (Document *self)
{
  g_clear_pointer (&self->parser, ear_feed_parser_free);
  g_clear_pointer (&self->response, ear_http_response_unref);
  g_clear_pointer (&self->batch, g_ptr_array_unref);
  g_clear_pointer (&self->guids, g_hash_table_unref);
  g_clear_pointer (&self->expected, ear_podcast_facts_unref);
  g_clear_pointer (&self->expected_guids, g_hash_table_unref);
  g_free (self);
}

/* @a: (nullable): the title of a podcast
 * @b: (nullable): another title
 * Returns: whether both are set and equal except for case and surrounding spaces */
gboolean
ear_feed_is_title_equal (const char *a, const char *b)
{
  g_autofree char *first = a != NULL ? g_strstrip (g_utf8_casefold (a, -1)) : NULL;
  g_autofree char *second = b != NULL ? g_strstrip (g_utf8_casefold (b, -1)) : NULL;

  return !ear_is_empty (first) && g_strcmp0 (first, second) == 0;
}

static void
store_batch (Document *self)
{
  g_autoptr (GPtrArray) batch = g_steal_pointer (&self->batch);
  EarPodcastFacts *facts = ear_feed_parser_get_podcast (self->parser);

  self->batch = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  self->last_batch = g_get_monotonic_time ();
  ear_catalogue_store_batch (self->catalogue, self->podcast,
                             self->role != PAGE ? facts : NULL, batch);
}

/* Begins a response in the catalogue, once. A further page belongs to the response of the
 * first one. */
static void
begin_response (Document *self)
{
  if (!self->begun && self->role != PAGE)
    ear_catalogue_begin_response (self->catalogue, self->podcast);
  self->begun = TRUE;
}

/* Accepts the document as that of the podcast. */
static void
begin (Document *self)
{
  g_clear_pointer (&self->expected, ear_podcast_facts_unref);
  begin_response (self);
}

/* Compares the part parsed so far with the expected podcast. A renamed podcast keeps its
 * website, its author or its guid; a podcast moved to a new host may have a new guid, but
 * keeps the title or the website. */
static gboolean
is_expected (Document *self)
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
  Document *self = user_data;
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
check_stranger (Document *self, guint limit, GError **error)
{
  if (self->expected == NULL || self->batch->len < limit)
    return TRUE;

  if (self->role == MAIN)
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_OTHER_PODCAST,
                         "The address answers with another podcast");
  else
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_FOUND,
                         "There is another podcast at the new address");

  return FALSE;
}

/* Parses a part of the body; an [callback@EarHttpChunkFunc]. Blocks while the catalogue's
 * writer has too much to do.
 * @data: (array length=length): bytes of the body
 * Returns: %FALSE if this is no feed */
static gboolean
parse_chunk (EarHttpResponse *response, const guint8 *data, gsize length, gpointer document,
             GError **error)
{
  Document *self = document;

  if (self->parser == NULL)
    {
      self->parser = ear_feed_parser_new (response->final_address, response->content_type,
                                          item_parsed_cb, self);
      /* A permanent redirect may lead to another podcast of the same author. */
      self->strict = self->role == MOVED || response->permanent_address != NULL;
      if (self->expected == NULL || self->role == MAIN)
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

/* Returns: (transfer none) (nullable): the facts of the feed; %NULL if it is none */
static EarPodcastFacts *
get_facts (Document *self)
{
  return self->parser != NULL ? ear_feed_parser_get_podcast (self->parser) : NULL;
}

/* Returns: whether the document was no feed, but only named the address of one */
static gboolean
is_redirect (Document *self)
{
  return self->parser != NULL &&
         g_strcmp0 (ear_feed_parser_get_format (self->parser), EAR_FEED_REDIRECT) == 0;
}

/* Parses the rest. The caller stores that the feed was checked.
 * Returns: %FALSE if this is no feed, or a truncated one */
static gboolean
finish_document (Document *self, GError **error)
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
  if (!is_redirect (self) && !check_stranger (self, 0, error))
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

static void
finish_document_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (finish_document (task_data, &error))
    g_task_return_pointer (task, task_data, NULL);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  Document *self = g_task_get_task_data (task);

  self->retry_after = ear_http_get_retry_after (EAR_HTTP (source), result);
  self->response = ear_http_stream_finish (EAR_HTTP (source), result, &error);
  if (self->response == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (self->response->not_modified)
    g_task_return_pointer (task, self, NULL);
  else
    /* A worker parses and sends the last items, too. */
    ear_worker_run (g_steal_pointer (&task), finish_document_thread, NULL);
}

static EarHttpRequest *
request_new (const char *address)
{
  EarHttpRequest *request = ear_http_request_new (address);

  request->accept = g_strdup ("application/rss+xml, application/atom+xml, application/xml;q=0.9, "
                              "text/xml;q=0.8, */*;q=0.1");
  request->max_bytes = FEED_LIMIT;
  request->stream_damaged = TRUE;

  return request;
}

/* The new address of a moved feed may have failed for good: after this many failures,
 * every other check asks the address at which the podcast was first followed. */
#define FAILURES_BEFORE_RETURN 3

/* Maximum number of moves followed in one check */
#define MOVES_LIMIT 5

/* The largest archive seen has some sixty pages. An archive with more than this, or one
 * generated without end, is not fetched further. */
#define PAGES_LIMIT 500

/* One check of a feed: its document, then the one at its new address if it names one,
 * then its further pages. All but parsing happens on the caller's thread. */
typedef struct
{
  /* Input, owned */
  EAR_SERVICES_MEMBERS;
  EarPodcast *podcast;

  EarPodcastFacts *before; /* the podcast before the check */
  guint n_before;          /* number of its episodes then */
  gboolean accept_other;   /* accept another podcast at the address */

  /* In progress, owned */
  EarHttpRequest *request;
  Document *main; /* the document */

  /* While a move or pages are followed, owned */
  Document *further; /* the document at the new address, or the page */
  GHashTable *visited;    /* URLs of pages */
  char *here;
  guint n_moves;

  EarFeedOutcome outcome; /* its members are owned */
} Fetch;

static void
fetch_free (Fetch *fetch)
{
  ear_services_clear (&fetch->services);
  g_clear_object (&fetch->podcast);
  g_clear_pointer (&fetch->before, ear_podcast_facts_unref);
  g_clear_pointer (&fetch->request, ear_http_request_free);
  g_clear_pointer (&fetch->main, document_free);
  g_clear_pointer (&fetch->further, document_free);
  g_clear_pointer (&fetch->visited, g_hash_table_unref);
  g_free (fetch->here);
  g_clear_pointer (&fetch->outcome.facts, ear_podcast_facts_unref);
  ear_feed_check_free (fetch->outcome.check);
  g_clear_error (&fetch->outcome.error);
  g_free (fetch);
}

static void
finish (GTask *task, GError *error)
{
  Fetch *fetch = g_task_get_task_data (task);

  fetch->outcome.error = error;
  fetch->outcome.stored |= fetch->main->n_items > 0;
  g_task_return_pointer (task, &fetch->outcome, NULL);
  g_object_unref (task);
}

/* Fetches a document of the check, once.
 * @place: (inout): replaced by the document
 * @expected: (nullable): the podcast that a moved document must prove to be, and that the main one
 *   must not prove not to be; %NULL for any */
static void
load_document (GTask *task, Document **place, Role role, EarHttpRequest *request,
               EarPodcastFacts *expected, GAsyncReadyCallback callback)
{
  Fetch *fetch = g_task_get_task_data (task);
  Document *document = g_new0 (Document, 1);
  GTask *load = g_task_new (fetch->http, g_task_get_cancellable (task), callback, task);

  document->catalogue = fetch->catalogue;
  document->podcast = ear_podcast_get_id (fetch->podcast);
  document->role = role;
  document->batch = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  document->guids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  document->expected = expected != NULL ? ear_podcast_facts_ref (expected) : NULL;
  document->expected_guids = role == MOVED ? g_hash_table_ref (fetch->main->guids) : NULL;
  document->last_batch = g_get_monotonic_time ();
  g_clear_pointer (place, document_free);
  *place = document;
  g_task_set_source_tag (load, load_document);
  g_task_set_task_data (load, document, NULL);
  ear_http_stream_async (fetch->http, request, parse_chunk, document, g_task_get_cancellable (task),
                         streamed_cb, load);
}

/* Further pages of a feed, RFC 5005: paged (`next`) and archived (`prev-archive`) ones, are
 * fetched one after the other. Pages on other hosts than those of the feed's address and of
 * its redirect target are not fetched. */

/* @is_broken: whether a page is unavailable for now: the rest must be fetched another time */
static void
finish_pages (GTask *task, gboolean is_broken)
{
  Fetch *fetch = g_task_get_task_data (task);

  if (fetch->outcome.facts == NULL)
    ear_catalogue_begin_response (fetch->catalogue, ear_podcast_get_id (fetch->podcast));
  fetch->outcome.check->archived = !is_broken;
  finish (task, NULL);
}

static gboolean
is_same_host (const char *a, const char *b)
{
  g_autofree char *first = ear_address_dup_host (a);
  g_autofree char *second = ear_address_dup_host (b);

  return first != NULL && second != NULL && g_ascii_strcasecmp (first, second) == 0;
}

static void load_page (GTask *task, const char *address);

static void
page_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  GError *error = NULL;
  const gboolean loaded = g_task_propagate_pointer (G_TASK (result), &error) != NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      finish (task, error);
      return;
    }
  if (!loaded)
    /* A later attempt may succeed. */
    finish_pages (task, g_error_matches (error, EAR_ERROR, EAR_ERROR_BUSY) ||
                            ear_refresh_policy_is_unreached (error));
  else
    load_page (task, get_facts (fetch->further)->next_address);
  g_clear_error (&error);
}

static void
load_page (GTask *task, const char *address)
{
  Fetch *fetch = g_task_get_task_data (task);
  const EarHttpRequest *origin = fetch->request;
  g_autoptr (EarHttpRequest) request = NULL;

  if (address == NULL || g_hash_table_size (fetch->visited) > PAGES_LIMIT ||
      !(is_same_host (address, origin->address) ||
        is_same_host (address, fetch->main->response->final_address)) ||
      !g_hash_table_add (fetch->visited, g_strdup (address)))
    {
      finish_pages (task, FALSE);
      return;
    }

  request = request_new (address);
  /* The keyring has one login for http and https: a page that is not encrypted, unlike its
   * feed, must not get it. */
  if (ear_address_trusts (origin->address, address))
    {
      request->user = g_strdup (origin->user);
      request->password = g_strdup (origin->password);
      request->podcast = g_strdup (origin->podcast);
    }
  load_document (task, &fetch->further, PAGE, request, NULL, page_loaded_cb);
}

static void
follow_pages (GTask *task, const char *next)
{
  Fetch *fetch = g_task_get_task_data (task);

  fetch->visited = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (fetch->visited, g_strdup (fetch->request->address));
  g_hash_table_add (fetch->visited, g_strdup (fetch->main->response->final_address));
  fetch->outcome.stored = TRUE;
  load_page (task, next);
}

/* After the first document is stored, fetches further pages if all its episodes were
 * new. */
static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Fetch *fetch = g_task_get_task_data (task);

  ear_catalogue_write_finish (EAR_CATALOGUE (source), result, NULL);
  if (ear_podcast_get_n_episodes (fetch->podcast) < fetch->n_before + fetch->main->n_items)
    {
      fetch->outcome.check->whole = FALSE;
      finish (task, NULL);
    }
  else
    follow_pages (task, fetch->outcome.facts->next_address);
}

static void
continue_with_pages (GTask *task)
{
  Fetch *fetch = g_task_get_task_data (task);
  EarPodcastFacts *facts = fetch->outcome.facts != NULL ? fetch->outcome.facts
                                                         : ear_podcast_get_facts (fetch->podcast);

  if (facts->next_address == NULL ||
      (fetch->outcome.facts == NULL && fetch->outcome.check->archived))
    finish (task, NULL);
  else if (fetch->outcome.check->archived)
    ear_catalogue_flush_async (fetch->catalogue, NULL, stored_cb, task);
  else
    follow_pages (task, facts->next_address);
}

/* Takes the feed's address, validators and facts from the current response. */
static void
handle_answer (Fetch *fetch)
{
  EarFeedCheck *check = fetch->outcome.check;
  EarHttpResponse *response = fetch->main->response;
  const char *address = response->permanent_address;
  g_autofree char *plain = NULL;

  if (address == NULL &&
      g_strcmp0 (fetch->request->address, ear_podcast_get_feed_address (fetch->podcast)) != 0)
    address = fetch->request->address;
  if (address != NULL)
    plain =
        ear_keyring_take_login (fetch->keyring, ear_podcast_get_address (fetch->podcast), address);
  g_set_str (&check->feed_address, plain != NULL ? plain : address);
  check->whole = !response->incomplete && !ear_feed_parser_get_damaged (fetch->main->parser);
  g_set_str (&check->etag, check->whole ? response->etag : NULL);
  g_set_str (&check->last_modified, check->whole ? response->last_modified : NULL);
  g_clear_pointer (&fetch->outcome.facts, ear_podcast_facts_unref);
  fetch->outcome.facts = ear_podcast_facts_ref (get_facts (fetch->main));
}

/* A feed may name a new address (`itunes:new-feed-url`). The move is accepted once the
 * document at the new address is fetched, parsed and shown to be the same podcast. That
 * document may name yet another address. */

/* A feed that names its own address, however it was reached, has not moved.
 * @new_address: (nullable): the address that the feed names
 * @permanent: (nullable): the target of permanent redirects */
gboolean
ear_feed_move_is_wanted (const char *new_address, const char *asked, const char *final,
                         const char *permanent)
{
  /* The tag often predates HTTPS on the server: never move from https to http. */
  return new_address != NULL && !g_str_equal (new_address, asked) &&
         !g_str_equal (new_address, final) && g_strcmp0 (new_address, permanent) != 0 &&
         !ear_address_is_secure_twin (asked, new_address) &&
         !ear_address_is_secure_twin (final, new_address);
}

static void
handle_no_move (GTask *task, GError *error)
{
  Fetch *fetch = g_task_get_task_data (task);
  g_autofree char *shown =
      ear_address_without_secrets (get_facts (fetch->main)->new_address);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || fetch->outcome.facts == NULL)
    {
      finish (task, error);
      return;
    }
  g_info ("%s is not the new address of the podcast: %s", shown, error->message);
  g_error_free (error);
  /* Some episodes at the other address may have been stored as part of this response. */
  fetch->outcome.check->whole = FALSE;
  continue_with_pages (task);
}

static void try_address (GTask *task, const char *address);

static void
moved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  GError *error = NULL;
  EarHttpResponse *response;
  const char *next;

  if (g_task_propagate_pointer (G_TASK (result), &error) == NULL)
    {
      handle_no_move (task, error);
      return;
    }
  response = fetch->further->response;
  next = get_facts (fetch->further)->new_address;
  if (is_redirect (fetch->further) ||
      ear_feed_move_is_wanted (next, fetch->here, response->final_address,
                               response->permanent_address))
    {
      try_address (task, next);
      return;
    }
  g_clear_pointer (&fetch->main, document_free);
  fetch->main = g_steal_pointer (&fetch->further);
  g_set_str (&fetch->request->address, fetch->here);
  /* The new address needed no login. Never send the login to another server, which its
   * pages are on. */
  g_clear_pointer (&fetch->request->user, g_free);
  g_clear_pointer (&fetch->request->password, g_free);
  handle_answer (fetch);
  continue_with_pages (task);
}

static void
try_address (GTask *task, const char *address)
{
  Fetch *fetch = g_task_get_task_data (task);
  g_autoptr (EarHttpRequest) request = NULL;
  EarPodcastFacts *expected = get_facts (fetch->main);

  if (fetch->n_moves++ >= MOVES_LIMIT)
    {
      handle_no_move (task, g_error_new_literal (EAR_ERROR, EAR_ERROR_REDIRECTS,
                                                 "Each new address names another one"));
      return;
    }
  /* A document that only names the new address does not describe the podcast. */
  if (is_redirect (fetch->main))
    expected = ear_podcast_get_checked (fetch->podcast) > 0 ? fetch->before : NULL;
  g_set_str (&fetch->here, address);
  request = request_new (address);
  load_document (task, &fetch->further, MOVED, request, expected, moved_cb);
}

/* Returns: whether the document names a new address, which is then fetched */
static gboolean
follow_move (GTask *task)
{
  Fetch *fetch = g_task_get_task_data (task);
  const EarHttpResponse *response = fetch->main->response;
  const char *address = get_facts (fetch->main)->new_address;

  if (!ear_feed_move_is_wanted (address, fetch->request->address, response->final_address,
                                response->permanent_address))
    return FALSE;

  try_address (task, address);

  return TRUE;
}

static void load (GTask *task);

/* Returns: whether an episode of a feed with another title is known */
static gboolean
has_common_episode (Fetch *fetch)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, fetch->main->guids);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      g_autoptr (EarEpisode) episode =
          ear_catalogue_dup_episode_by_guid (fetch->catalogue, fetch->podcast, name);

      if (episode != NULL)
        return TRUE;
    }

  return FALSE;
}

static void
handle_failure (GTask *task, GError *error)
{
  Fetch *fetch = g_task_get_task_data (task);

  /* A renamed podcast is fetched again, as nothing of it was stored. */
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_OTHER_PODCAST) && has_common_episode (fetch))
    {
      g_error_free (error);
      fetch->accept_other = TRUE;
      load (task);
      return;
    }

  /* The complete part of a truncated feed is used. */
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_INCOMPLETE) &&
      get_facts (fetch->main) != NULL)
    {
      fetch->outcome.facts = ear_podcast_facts_ref (get_facts (fetch->main));
      g_clear_pointer (&fetch->outcome.check->etag, g_free);
      g_clear_pointer (&fetch->outcome.check->last_modified, g_free);
    }
  finish (task, error);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  GError *error = NULL;

  if (g_task_propagate_pointer (G_TASK (result), &error) == NULL)
    {
      fetch->outcome.retry_after = fetch->main->retry_after;
      handle_failure (task, error);
      return;
    }
  if (fetch->main->response->not_modified)
    {
      g_set_str (&fetch->outcome.check->feed_address, fetch->main->response->permanent_address);
      continue_with_pages (task);
      return;
    }

  if (is_redirect (fetch->main))
    {
      /* The document is not a feed but only names its address. */
      if (!follow_move (task))
        finish (task, g_error_new_literal (EAR_ERROR, EAR_ERROR_REDIRECTS,
                                           "The feed has moved to where it is not"));
      return;
    }

  handle_answer (fetch);
  if (!follow_move (task))
    continue_with_pages (task);
}

static void
load (GTask *task)
{
  Fetch *fetch = g_task_get_task_data (task);
  const gboolean has_past = ear_podcast_get_checked (fetch->podcast) > 0 &&
                            ear_podcast_get_n_episodes (fetch->podcast) > 0;

  load_document (task, &fetch->main, MAIN, fetch->request,
                 has_past && !fetch->accept_other ? fetch->before : NULL, loaded_cb);
}

static void
make_request (Fetch *fetch, const EarFeedCheck *check, gboolean whole)
{
  const char *address = ear_podcast_get_feed_address (fetch->podcast);
  gboolean back = check->failures >= FAILURES_BEFORE_RETURN && check->failures % 2 == 1;

  if (back)
    address = ear_podcast_get_address (fetch->podcast);
  fetch->request = request_new (address);
  fetch->request->podcast = g_strdup (ear_podcast_get_address (fetch->podcast));
  /* A redirect does not repeat the login in the URL that was followed. */
  ear_http_request_take_login (fetch->request, address);
  ear_http_request_take_login (fetch->request, ear_podcast_get_address (fetch->podcast));
  if (!whole && g_str_equal (address, ear_podcast_get_feed_address (fetch->podcast)))
    {
      fetch->request->etag = g_strdup (check->etag);
      fetch->request->last_modified = g_strdup (check->last_modified);
    }
}

/* Fetches the feed of a podcast if it has changed.
 * @whole: whether to fetch it even if it has not changed
 * @accept_other: whether to store the feed of another podcast */
void
ear_feed_fetch_async (const EarServices *services, EarPodcast *podcast, gboolean whole,
                      gboolean accept_other, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (services->catalogue, podcast);
  GTask *task = g_task_new (podcast, cancellable, callback, user_data);
  Fetch *fetch = g_new0 (Fetch, 1);

  ear_services_copy (&fetch->services, services);
  fetch->podcast = g_object_ref (podcast);
  fetch->accept_other = accept_other;
  fetch->before = ear_podcast_facts_ref (ear_podcast_get_facts (podcast));
  fetch->n_before = ear_podcast_get_n_episodes (podcast);
  make_request (fetch, check, whole);
  fetch->outcome.check = g_steal_pointer (&check);
  g_clear_pointer (&fetch->outcome.check->feed_address, g_free);
  g_task_set_source_tag (task, ear_feed_fetch_async);
  /* Report stored episodes even if the task is canceled at the last moment. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, fetch, (GDestroyNotify) fetch_free);
  load (task);
}

/* Returns: (transfer none): the outcome, which lives as long as @result */
const EarFeedOutcome *
ear_feed_fetch_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
