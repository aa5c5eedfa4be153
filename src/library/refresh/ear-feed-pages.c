/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-pages.h"

#include "ear-address.h"
#include "ear-refresh-policy.h"

/* The largest archive seen has some sixty pages. An archive with more than this, or one
 * generated without end, is not fetched further. */
#define PAGES_LIMIT 500

/* Fetches the further pages of a feed, RFC 5005: paged (`next`) and archived
 * (`prev-archive`) ones, one after the other. They must be on the host of the feed's
 * address or of its redirect target: a feed must not send Earmark to other hosts. */
typedef struct
{
  /* Input, owned */
  EarHttp *http;
  EarCatalogue *catalogue;
  gint64 podcast;
  EarHttpRequest *origin; /* the feed's address and login */
  char *found;            /* the target of its redirects */
  gboolean until_known;

  /* In progress, owned */
  GHashTable *visited; /* URLs */
  EarFeedIntake *intake;
  gulong inserted_handler;
  guint n_inserted; /* number of new episodes of the page */
} Pages;

static void
pages_free (Pages *pages)
{
  g_signal_handler_disconnect (pages->catalogue, pages->inserted_handler);
  g_clear_object (&pages->http);
  g_clear_object (&pages->catalogue);
  g_clear_pointer (&pages->origin, ear_http_request_free);
  g_free (pages->found);
  g_clear_pointer (&pages->visited, g_hash_table_unref);
  g_clear_pointer (&pages->intake, ear_feed_intake_unref);
  g_free (pages);
}

static void
inserted_cb (Pages *pages, gint64 podcast, GArray *ids)
{
  if (podcast == pages->podcast)
    pages->n_inserted += ids->len;
}

static gboolean
is_same_host (const char *a, const char *b)
{
  g_autofree char *first = ear_address_dup_host (a);
  g_autofree char *second = ear_address_dup_host (b);

  return first != NULL && second != NULL && g_ascii_strcasecmp (first, second) == 0;
}

static void
finish (GTask *task, EarPagesEnd end)
{
  g_task_return_int (task, end);
  g_object_unref (task);
}

static void loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static void
load (GTask *task, const char *address)
{
  Pages *pages = g_task_get_task_data (task);
  g_autoptr (EarHttpRequest) request = NULL;
  gboolean known;

  if (address == NULL || g_hash_table_size (pages->visited) > PAGES_LIMIT ||
      !(is_same_host (address, pages->origin->address) || is_same_host (address, pages->found)) ||
      !g_hash_table_add (pages->visited, g_strdup (address)))
    {
      finish (task, EAR_PAGES_LAST);
      return;
    }

  known = ear_address_trusts (pages->origin->address, address);
  request = ear_feed_request_new (address, known ? pages->origin->user : NULL,
                                  known ? pages->origin->password : NULL);
  pages->n_inserted = 0;
  g_clear_pointer (&pages->intake, ear_feed_intake_unref);
  pages->intake = ear_feed_intake_new (pages->catalogue, pages->podcast, EAR_FEED_PAGE, NULL);
  ear_feed_load_async (pages->http, request, pages->intake, g_task_get_cancellable (task),
                       loaded_cb, task);
}

/* The episodes of the page are stored, and the new ones were counted. */
static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Pages *pages = g_task_get_task_data (task);

  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, NULL);
  if (pages->n_inserted < ear_feed_intake_get_n_items (pages->intake))
    finish (task, EAR_PAGES_KNOWN);
  else
    load (task, ear_feed_intake_get_facts (pages->intake)->next_address);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Pages *pages = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarHttpResponse) response = ear_feed_load_finish (result, NULL, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      g_object_unref (task);
    }
  /* A later attempt may succeed. */
  else if (g_error_matches (error, EAR_ERROR, EAR_ERROR_BUSY) ||
           ear_refresh_policy_is_unreached (error))
    finish (task, EAR_PAGES_BROKEN);
  else if (response == NULL)
    finish (task, EAR_PAGES_LAST);
  else if (pages->until_known)
    ear_catalogue_flush_async (pages->catalogue, NULL, stored_cb, task);
  else
    load (task, ear_feed_intake_get_facts (pages->intake)->next_address);
}

/* Fetches the pages of a feed.
 * @until_known: whether to stop after a page with a known episode */
void
ear_feed_pages_async (EarHttp *http, EarCatalogue *catalogue, gint64 podcast,
                      const EarHttpRequest *origin, const char *found, const char *next,
                      gboolean until_known, GCancellable *cancellable, GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GTask *task = g_task_new (http, cancellable, callback, user_data);
  Pages *pages = g_new0 (Pages, 1);

  pages->http = g_object_ref (http);
  pages->catalogue = g_object_ref (catalogue);
  pages->podcast = podcast;
  pages->origin = ear_feed_request_new (origin->address, origin->user, origin->password);
  pages->found = g_strdup (found);
  pages->until_known = until_known;
  pages->visited = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (pages->visited, g_strdup (origin->address));
  g_hash_table_add (pages->visited, g_strdup (found));
  pages->inserted_handler =
      g_signal_connect_swapped (catalogue, "episodes-inserted", G_CALLBACK (inserted_cb), pages);
  g_task_set_source_tag (task, ear_feed_pages_async);
  g_task_set_task_data (task, pages, (GDestroyNotify) pages_free);
  load (task, next);
}

EarPagesEnd
ear_feed_pages_finish (GAsyncResult *result, GError **error)
{
  return (EarPagesEnd) g_task_propagate_int (G_TASK (result), error);
}
