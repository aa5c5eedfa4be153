/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-fetch.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-feed-intake.h"
#include "ear-refresh-policy.h"

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
  EarCatalogue *catalogue;
  EarHttp *http;
  EarKeyring *keyring;
  EarPodcast *podcast;

  EarPodcastFacts *before; /* the podcast before the check */
  gboolean accept_other;   /* accept another podcast at the address */

  /* In progress, owned */
  EarHttpRequest *request;
  EarFeedIntake *intake; /* the document */
  gulong inserted_handler;
  guint n_inserted; /* number of new episodes of the document or page */

  /* While a move or pages are followed, owned */
  EarFeedIntake *further; /* the document at the new address, or the page */
  GHashTable *visited;    /* URLs of pages */
  char *here;
  guint n_moves;

  EarFeedOutcome outcome; /* its members are owned */
} Fetch;

static void
fetch_free (Fetch *fetch)
{
  g_signal_handler_disconnect (fetch->catalogue, fetch->inserted_handler);
  g_clear_object (&fetch->catalogue);
  g_clear_object (&fetch->http);
  g_clear_object (&fetch->keyring);
  g_clear_object (&fetch->podcast);
  g_clear_pointer (&fetch->before, ear_podcast_facts_unref);
  g_clear_pointer (&fetch->request, ear_http_request_free);
  g_clear_pointer (&fetch->intake, ear_feed_intake_unref);
  g_clear_pointer (&fetch->further, ear_feed_intake_unref);
  g_clear_pointer (&fetch->visited, g_hash_table_unref);
  g_free (fetch->here);
  g_clear_pointer (&fetch->outcome.facts, ear_podcast_facts_unref);
  ear_feed_check_free (fetch->outcome.check);
  g_clear_error (&fetch->outcome.error);
  g_free (fetch);
}

static void
inserted_cb (Fetch *fetch, gint64 podcast, GArray *ids)
{
  if (podcast == ear_podcast_get_id (fetch->podcast))
    fetch->n_inserted += ids->len;
}

static void
finish (GTask *task, GError *error)
{
  Fetch *fetch = g_task_get_task_data (task);

  fetch->outcome.error = error;
  fetch->outcome.stored |= fetch->intake->n_items > 0;
  g_task_return_pointer (task, &fetch->outcome, NULL);
  g_object_unref (task);
}

/* Fetches a document of the check.
 * @intake: (inout): replaced by that of the document
 * @expected: (nullable): the podcast that it has to be */
static void
load_document (GTask *task, EarFeedIntake **intake, EarFeedDocument document,
               EarHttpRequest *request, EarPodcastFacts *expected, GAsyncReadyCallback callback)
{
  Fetch *fetch = g_task_get_task_data (task);
  GHashTable *guids = document == EAR_FEED_MOVED ? fetch->intake->guids : NULL;

  g_clear_pointer (intake, ear_feed_intake_unref);
  *intake = ear_feed_intake_new (fetch->catalogue, ear_podcast_get_id (fetch->podcast), document,
                                 expected, guids);
  ear_feed_intake_load_async (*intake, fetch->http, request, g_task_get_cancellable (task),
                              callback, task);
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
  const gboolean loaded = ear_feed_intake_load_finish (result, &error);

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
    load_page (task, ear_feed_intake_get_facts (fetch->further)->next_address);
  g_clear_error (&error);
}

static void
load_page (GTask *task, const char *address)
{
  Fetch *fetch = g_task_get_task_data (task);
  const EarHttpRequest *origin = fetch->request;
  g_autoptr (EarHttpRequest) request = NULL;
  gboolean known;

  if (address == NULL || g_hash_table_size (fetch->visited) > PAGES_LIMIT ||
      !(is_same_host (address, origin->address) ||
        is_same_host (address, fetch->intake->response->final_address)) ||
      !g_hash_table_add (fetch->visited, g_strdup (address)))
    {
      finish_pages (task, FALSE);
      return;
    }

  known = ear_address_trusts (origin->address, address);
  request = ear_feed_request_new (address);
  request->user = known ? g_strdup (origin->user) : NULL;
  request->password = known ? g_strdup (origin->password) : NULL;
  /* The keyring has one login for http and https: a page that is not encrypted, unlike its
   * feed, must not get it. */
  request->podcast = known ? g_strdup (origin->podcast) : NULL;
  load_document (task, &fetch->further, EAR_FEED_PAGE, request, NULL, page_loaded_cb);
}

static void
follow_pages (GTask *task, const char *next)
{
  Fetch *fetch = g_task_get_task_data (task);

  fetch->visited = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (fetch->visited, g_strdup (fetch->request->address));
  g_hash_table_add (fetch->visited, g_strdup (fetch->intake->response->final_address));
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

  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, NULL);
  if (fetch->n_inserted < fetch->intake->n_items)
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
  EarHttpResponse *response = fetch->intake->response;
  const char *address = response->permanent_address;
  g_autofree char *plain = NULL;

  if (address == NULL &&
      g_strcmp0 (fetch->request->address, ear_podcast_get_feed_address (fetch->podcast)) != 0)
    address = fetch->request->address;
  if (address != NULL && fetch->keyring != NULL)
    plain =
        ear_keyring_take_login (fetch->keyring, ear_podcast_get_address (fetch->podcast), address);
  g_set_str (&check->feed_address, plain != NULL ? plain : address);
  check->whole = !response->incomplete && !ear_feed_parser_get_damaged (fetch->intake->parser);
  g_set_str (&check->etag, check->whole ? response->etag : NULL);
  g_set_str (&check->last_modified, check->whole ? response->last_modified : NULL);
  g_clear_pointer (&fetch->outcome.facts, ear_podcast_facts_unref);
  fetch->outcome.facts = ear_podcast_facts_ref (ear_feed_intake_get_facts (fetch->intake));
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

static gboolean
is_move_wanted (const char *new_address, const char *asked, const EarHttpResponse *response)
{
  return ear_feed_move_is_wanted (new_address, asked, response->final_address,
                                  response->permanent_address);
}

static void
handle_no_move (GTask *task, GError *error)
{
  Fetch *fetch = g_task_get_task_data (task);
  g_autofree char *shown =
      ear_address_without_secrets (ear_feed_intake_get_facts (fetch->intake)->new_address);

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
  const char *next;

  if (!ear_feed_intake_load_finish (result, &error))
    {
      handle_no_move (task, error);
      return;
    }
  next = ear_feed_intake_get_facts (fetch->further)->new_address;
  if (ear_feed_intake_is_redirect (fetch->further) ||
      is_move_wanted (next, fetch->here, fetch->further->response))
    {
      try_address (task, next);
      return;
    }
  g_clear_pointer (&fetch->intake, ear_feed_intake_unref);
  fetch->intake = g_steal_pointer (&fetch->further);
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
  EarPodcastFacts *expected = ear_feed_intake_get_facts (fetch->intake);

  if (fetch->n_moves++ >= MOVES_LIMIT)
    {
      handle_no_move (task, g_error_new_literal (EAR_ERROR, EAR_ERROR_REDIRECTS,
                                                 "Each new address names another one"));
      return;
    }
  /* A document that only names the new address does not describe the podcast. */
  if (ear_feed_intake_is_redirect (fetch->intake))
    expected = ear_podcast_get_checked (fetch->podcast) > 0 ? fetch->before : NULL;
  g_set_str (&fetch->here, address);
  request = ear_feed_request_new (address);
  load_document (task, &fetch->further, EAR_FEED_MOVED, request, expected, moved_cb);
}

/* Returns: whether the document names a new address, which is then fetched */
static gboolean
follow_move (GTask *task)
{
  Fetch *fetch = g_task_get_task_data (task);
  const char *address = ear_feed_intake_get_facts (fetch->intake)->new_address;

  if (!is_move_wanted (address, fetch->request->address, fetch->intake->response))
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

  g_hash_table_iter_init (&iter, fetch->intake->guids);
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

  /* A renamed podcast is fetched again, as the intake has stored nothing of it. */
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_OTHER_PODCAST) && has_common_episode (fetch))
    {
      g_error_free (error);
      fetch->accept_other = TRUE;
      load (task);
      return;
    }

  /* The complete part of a truncated feed is used. */
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_INCOMPLETE) &&
      ear_feed_intake_get_facts (fetch->intake) != NULL)
    {
      fetch->outcome.facts = ear_podcast_facts_ref (ear_feed_intake_get_facts (fetch->intake));
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

  if (!ear_feed_intake_load_finish (result, &error))
    {
      fetch->outcome.retry_after = fetch->intake->retry_after;
      handle_failure (task, error);
      return;
    }
  if (fetch->intake->response->not_modified)
    {
      g_set_str (&fetch->outcome.check->feed_address, fetch->intake->response->permanent_address);
      continue_with_pages (task);
      return;
    }

  if (ear_feed_intake_is_redirect (fetch->intake))
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

  load_document (task, &fetch->intake, EAR_FEED_MAIN, fetch->request,
                 has_past && !fetch->accept_other ? fetch->before : NULL, loaded_cb);
}

static void
make_request (Fetch *fetch, const EarFeedCheck *check, gboolean whole)
{
  const char *address = ear_podcast_get_feed_address (fetch->podcast);
  gboolean back = check->failures >= FAILURES_BEFORE_RETURN && check->failures % 2 == 1;

  if (back)
    address = ear_podcast_get_address (fetch->podcast);
  fetch->request = ear_feed_request_new (address);
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
 * @keyring: (nullable): the logins of servers
 * @whole: whether to fetch it even if it has not changed
 * @accept_other: whether to store the feed of another podcast */
void
ear_feed_fetch_async (EarCatalogue *catalogue, EarHttp *http, EarKeyring *keyring,
                      EarPodcast *podcast, gboolean whole, gboolean accept_other,
                      GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (catalogue, podcast);
  GTask *task = g_task_new (podcast, cancellable, callback, user_data);
  Fetch *fetch = g_new0 (Fetch, 1);

  fetch->catalogue = g_object_ref (catalogue);
  fetch->http = g_object_ref (http);
  g_set_object (&fetch->keyring, keyring);
  fetch->podcast = g_object_ref (podcast);
  fetch->accept_other = accept_other;
  fetch->before = ear_podcast_facts_ref (ear_podcast_get_facts (podcast));
  fetch->inserted_handler =
      g_signal_connect_swapped (catalogue, "episodes-inserted", G_CALLBACK (inserted_cb), fetch);
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
