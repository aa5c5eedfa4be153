/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-feed-probe.h"
#include "ear-opml.h"
#include "ear-property.h"

/* One podcast of a list */
typedef struct
{
  char *address;
  char *title;        /* (nullable): title in the list */
  char *folder;       /* (nullable): folder in the list */
  gint64 since;       /* monotonic time at which the fetch began */
  gboolean from_page; /* found as a link on a web page in the list */
} Item;

/* Follows many podcasts and fetches them, a few at a time, so that neither the main loop
 * nor the network is overloaded. A podcast that cannot be fetched is followed and listed
 * with the error: its server may be back tomorrow, and an import must not lose a podcast
 * that the listener has followed for years. If an address in the list is a web page, the
 * first feed that the page links to is followed instead. See the header for its
 * properties. */
struct _EarImport
{
  GObject parent_instance;

  /* Owned */
  EarSubscriptions *subscriptions;
  EarRefresher *refresher;
  EarHttp *http;
  GQueue waiting;      /* (element-type Item) */
  GHashTable *running; /* (element-type EarPodcast Item): followed and being fetched */
  GPtrArray *added;    /* (element-type EarPodcast): not followed before the import */
  GHashTable *met;     /* (element-type EarPodcast): podcasts of the list so far */
  GListStore *failures;
  guint idle_id;
  guint patience_id;

  /* Borrowed */
  Item *following; /* the item being followed by ear_subscriptions_follow_in() */

  guint total;
  guint n_repeated; /* number of repeated podcasts in the list */
  guint done;
  gboolean finished;
  gboolean dismissed;
};

G_DEFINE_FINAL_TYPE (EarImport, ear_import, G_TYPE_OBJECT)

/* Number of podcasts fetched at once, and of those followed in one main loop iteration */
#define RUNNING_LIMIT 24
#define STEP_LIMIT 4

/* Old lists name many dead servers. A server that has not answered for PATIENCE does not
 * hold up the other podcasts, unless so many are waiting that a slow network would have
 * too little for each. */
#define PATIENCE (3 * G_TIME_SPAN_SECOND)
#define WAITING_LIMIT 64

static void
item_clear (gpointer data)
{
  Item *item = data;

  g_free (item->address);
  g_free (item->title);
  g_free (item->folder);
}

static void
item_unref (Item *item)
{
  g_rc_box_release_full (item, item_clear);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Item, item_unref)

static Item *
item_new (const char *address, const char *title, const char *folder)
{
  Item *item = g_rc_box_new0 (Item);

  item->address = g_strdup (address);
  item->title = g_strdup (title);
  item->folder = g_strdup (folder);

  return item;
}

static void
count_done (EarImport *self)
{
  self->done++;
  g_object_notify (G_OBJECT (self), "done");
}

static void
end_if_done (EarImport *self)
{
  if (self->finished || self->waiting.length > 0 || g_hash_table_size (self->running) > 0)
    return;

  ear_property_set_boolean (self, "finished", TRUE);
  g_signal_emit_by_name (self, "finished");
}

static void
follow (EarImport *self, Item *item)
{
  const guint n_before = self->added->len;
  /* A podcast without a title is called after its host until its feed is fetched, if
   * ever. */
  g_autofree char *host = item->title == NULL ? ear_address_dup_host (item->address) : NULL;
  EarPodcast *podcast;

  self->following = item;
  podcast = ear_subscriptions_follow_in (self->subscriptions, item->address,
                                         item->title != NULL ? item->title : host, item->folder);
  self->following = NULL;
  if (podcast != NULL)
    {
      g_signal_emit_by_name (self, "taken-up", podcast, item->address);
      if (!g_hash_table_add (self->met, g_object_ref (podcast)))
        self->n_repeated++;
    }
  /* A podcast that was followed before is not fetched. */
  if (self->added->len == n_before)
    count_done (self);
}

/* A podcast that already has episodes counts however long its fetch takes: its server has
 * answered. */
static gboolean
has_room (EarImport *self)
{
  const gint64 now = g_get_monotonic_time ();
  GHashTableIter iter;
  gpointer podcast, item;
  guint n_counted = 0;

  g_hash_table_iter_init (&iter, self->running);
  while (g_hash_table_iter_next (&iter, &podcast, &item))
    n_counted +=
        now - ((Item *) item)->since < PATIENCE || ear_podcast_get_n_episodes (podcast) > 0;

  return n_counted < RUNNING_LIMIT && g_hash_table_size (self->running) < WAITING_LIMIT;
}

static gboolean patience_cb (gpointer user_data);

static gboolean
step_cb (gpointer user_data)
{
  EarImport *self = EAR_IMPORT (user_data);

  for (guint i = 0; i < STEP_LIMIT && self->waiting.length > 0 && has_room (self); i++)
    {
      g_autoptr (Item) item = g_queue_pop_head (&self->waiting);

      follow (self, item);
    }
  if (self->waiting.length > 0 && has_room (self))
    return G_SOURCE_CONTINUE;

  self->idle_id = 0;
  if (self->waiting.length > 0 && self->patience_id == 0)
    self->patience_id = g_timeout_add (PATIENCE / 2 / G_TIME_SPAN_MILLISECOND, patience_cb, self);
  end_if_done (self);

  return G_SOURCE_REMOVE;
}

static void
import_next (EarImport *self)
{
  if (self->idle_id == 0 && !self->finished)
    self->idle_id = g_idle_add (step_cb, self);
}

static gboolean
patience_cb (gpointer user_data)
{
  EarImport *self = EAR_IMPORT (user_data);

  if (self->waiting.length > 0)
    {
      import_next (self);
      return G_SOURCE_CONTINUE;
    }
  self->patience_id = 0;

  return G_SOURCE_REMOVE;
}

static void
followed_cb (EarImport *self, EarPodcast *podcast)
{
  if (self->following == NULL)
    return;

  self->following->since = g_get_monotonic_time ();
  g_ptr_array_add (self->added, g_object_ref (podcast));
  g_hash_table_replace (self->running, g_object_ref (podcast), g_rc_box_acquire (self->following));
}

struct _EarImportFailure
{
  GObject parent_instance;

  /* Owned */
  EarPodcast *podcast;
  GError *error;
};

static EarImportFailure *
failure_new (EarPodcast *podcast, const GError *error)
{
  EarImportFailure *self = g_object_new (EAR_TYPE_IMPORT_FAILURE, NULL);

  self->podcast = g_object_ref (podcast);
  self->error = g_error_copy (error);

  return self;
}

static void
end_one (EarImport *self, EarPodcast *podcast, const GError *error)
{
  if (error != NULL)
    {
      g_autoptr (EarImportFailure) failure = failure_new (podcast, error);

      g_list_store_append (self->failures, failure);
      g_object_notify (G_OBJECT (self), "n-failed");
    }
  g_hash_table_remove (self->running, podcast);
  count_done (self);
  import_next (self);
}

/* Follows the feed that a page links to in place of the page. */
static void
replace (EarImport *self, EarPodcast *podcast, const char *address)
{
  const Item *page = g_hash_table_lookup (self->running, podcast);
  Item *item = item_new (address, page->title, page->folder);

  item->from_page = TRUE;
  g_queue_push_head (&self->waiting, item);
  g_hash_table_remove (self->running, podcast);
  g_ptr_array_remove (self->added, podcast);
  ear_subscriptions_drop (self->subscriptions, podcast);
  import_next (self);
}

/* Data of a probe of a podcast's address */
typedef struct
{
  EarImport *import;
  EarPodcast *podcast;
} Check;

static void
check_free (Check *look)
{
  g_object_unref (look->import);
  g_object_unref (look->podcast);
  g_free (look);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Check, check_free)

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Check) look = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarProbe) probe = ear_feed_probe_finish (result, NULL, &error);

  /* The import was stopped, or the podcast was unfollowed. */
  if (!g_hash_table_contains (look->import->running, look->podcast))
    return;

  if (probe != NULL && probe->entries->len > 0)
    replace (look->import, look->podcast,
             ((EarDirectoryEntry *) g_ptr_array_index (probe->entries, 0))->address);
  else
    end_one (look->import, look->podcast, ear_podcast_get_error (look->podcast));
}

static void
refreshed_cb (EarImport *self, EarPodcast *podcast)
{
  const GError *error = ear_podcast_get_error (podcast);
  const Item *item = g_hash_table_lookup (self->running, podcast);
  Check *look;

  if (item == NULL)
    return;
  if (item->from_page || !g_error_matches (error, EAR_ERROR, EAR_ERROR_WEB_PAGE))
    {
      end_one (self, podcast, error);
      return;
    }

  look = g_new (Check, 1);
  look->import = g_object_ref (self);
  look->podcast = g_object_ref (podcast);
  ear_feed_probe_async (self->http, item->address, NULL, checked_cb, look);
}

static void
unfollowed_cb (EarImport *self, EarPodcast *podcast)
{
  if (!g_hash_table_remove (self->running, podcast))
    return;

  count_done (self);
  import_next (self);
}

static int
count_failures (EarImport *self)
{
  return (int) g_list_model_get_n_items (G_LIST_MODEL (self->failures));
}

static void
ear_import_dispose (GObject *object)
{
  EarImport *self = EAR_IMPORT (object);

  g_clear_handle_id (&self->idle_id, g_source_remove);
  g_clear_handle_id (&self->patience_id, g_source_remove);
  g_queue_clear_full (&self->waiting, (GDestroyNotify) item_unref);
  g_clear_object (&self->subscriptions);
  g_clear_object (&self->refresher);
  g_clear_object (&self->http);
  g_clear_pointer (&self->running, g_hash_table_unref);
  g_clear_pointer (&self->added, g_ptr_array_unref);
  g_clear_pointer (&self->met, g_hash_table_unref);
  g_clear_object (&self->failures);

  G_OBJECT_CLASS (ear_import_parent_class)->dispose (object);
}

static void
ear_import_class_init (EarImportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "total", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarImport, total) },
    { "done", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarImport, done) },
    { "n-failed", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (count_failures) },
    { "finished", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarImport, finished) },
    { "dismissed", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarImport, dismissed) },
  };

  object_class->dispose = ear_import_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /**
   * EarImport::taken-up:
   * @self: the import
   * @podcast: a podcast of the list, which is followed now or was before
   * @address: its URL in the list
   */
  g_signal_new ("taken-up", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, EAR_TYPE_PODCAST, G_TYPE_STRING);
  /**
   * EarImport::finished:
   * @self: the import
   *
   * All podcasts are fetched or have failed, or the import was stopped.
   */
  g_signal_new ("finished", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
ear_import_init (EarImport *self)
{
  g_queue_init (&self->waiting);
  self->running = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify) item_unref);
  self->added = g_ptr_array_new_with_free_func (g_object_unref);
  self->met = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->failures = g_list_store_new (EAR_TYPE_IMPORT_FAILURE);
}

EarImport *
ear_import_new (EarSubscriptions *subscriptions, EarRefresher *refresher, EarHttp *http)
{
  EarImport *self = g_object_new (EAR_TYPE_IMPORT, NULL);

  self->subscriptions = g_object_ref (subscriptions);
  self->refresher = g_object_ref (refresher);
  self->http = g_object_ref (http);
  g_signal_connect_object (subscriptions, "followed", G_CALLBACK (followed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (subscriptions, "unfollowed", G_CALLBACK (unfollowed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (refresher, "refreshed", G_CALLBACK (refreshed_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}

/* Adds podcasts to the import.
 * @outlines: (element-type EarOpmlOutline): podcasts */
void
ear_import_add (EarImport *self, GPtrArray *outlines)
{
  for (guint i = 0; i < outlines->len; i++)
    {
      const EarOpmlOutline *outline = g_ptr_array_index (outlines, i);

      g_queue_push_tail (&self->waiting,
                         item_new (outline->address, outline->title, outline->folder));
      self->total += 1 + outline->n_repeated;
      self->done += outline->n_repeated;
      self->n_repeated += outline->n_repeated;
    }
  g_object_notify (G_OBJECT (self), "done");
  g_object_notify (G_OBJECT (self), "total");
  import_next (self);
}

/* Ends the import early. Fetched podcasts stay followed; the others are unfollowed. */
void
ear_import_stop (EarImport *self)
{
  g_autoptr (GPtrArray) running = NULL;

  g_return_if_fail (EAR_IS_IMPORT (self));

  if (self->finished)
    return;

  g_clear_handle_id (&self->idle_id, g_source_remove);
  g_clear_handle_id (&self->patience_id, g_source_remove);
  g_queue_clear_full (&self->waiting, (GDestroyNotify) item_unref);
  running = g_hash_table_get_keys_as_ptr_array (self->running);
  for (guint i = 0; i < running->len; i++)
    {
      g_autoptr (EarPodcast) podcast = g_object_ref (g_ptr_array_index (running, i));

      g_hash_table_remove (self->running, podcast);
      g_ptr_array_remove (self->added, podcast);
      ear_subscriptions_drop (self->subscriptions, podcast);
    }
  end_if_done (self);
}

EAR_DEFINE_GET (EarImport, ear_import, guint, total)
EAR_DEFINE_GET (EarImport, ear_import, guint, done)

/* Returns: the number of entries that repeat a podcast of an earlier entry */
EAR_DEFINE_GET (EarImport, ear_import, guint, n_repeated)

/* Returns: (transfer none): the podcasts that could not be fetched, a list of
 *   [class@EarImportFailure] */
GListModel *
ear_import_get_failures (EarImport *self)
{
  g_return_val_if_fail (EAR_IS_IMPORT (self), NULL);

  return G_LIST_MODEL (self->failures);
}

EAR_DEFINE_GET (EarImport, ear_import, gboolean, finished)
EAR_DEFINE_GET (EarImport, ear_import, gboolean, dismissed)

/* Marks the result as seen: no window shows it any more, not even a new one. */
void
ear_import_dismiss (EarImport *self)
{
  g_return_if_fail (EAR_IS_IMPORT (self));

  ear_property_set_boolean (self, "dismissed", TRUE);
}

/* Returns: (transfer none) (element-type EarPodcast): the podcasts that were not followed
 *   before */
EAR_DEFINE_GET (EarImport, ear_import, GPtrArray *, added)

G_DEFINE_FINAL_TYPE (EarImportFailure, ear_import_failure, G_TYPE_OBJECT)

static void
ear_import_failure_finalize (GObject *object)
{
  EarImportFailure *self = EAR_IMPORT_FAILURE (object);

  g_clear_object (&self->podcast);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (ear_import_failure_parent_class)->finalize (object);
}

static void
ear_import_failure_class_init (EarImportFailureClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_import_failure_finalize;
}

static void
ear_import_failure_init (EarImportFailure *self)
{
}

EAR_DEFINE_GET (EarImportFailure, ear_import_failure, EarPodcast *, podcast)
EAR_DEFINE_GET (EarImportFailure, ear_import_failure, const GError *, error)
