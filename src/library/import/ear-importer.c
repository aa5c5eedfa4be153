/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-importer.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-feed-probe.h"
#include "ear-import-source.h"
#include "ear-opml-loader.h"
#include "ear-opml.h"
#include "ear-property.h"
#include "ear-time.h"

#include <glib/gi18n-lib.h>

/* One podcast of a list */
typedef struct
{
  char *address;
  char *title;        /* (nullable): title in the list */
  char *folder;       /* (nullable): folder in the list */
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
  GListStore *failures; /* (element-type EarPodcast) */
  Item *following;     /* (nullable): being followed by ear_subscriptions_follow_in() */
  guint idle_id;

  guint total;
  guint n_repeated; /* number of repeated podcasts in the list */
  guint done;
  gboolean finished;
  gboolean dismissed;
};

G_DEFINE_FINAL_TYPE (EarImport, ear_import, G_TYPE_OBJECT)

/* Number of podcasts fetched at once: old lists name many dead servers */
#define RUNNING_LIMIT 40

static void
item_free (gpointer data)
{
  Item *item = data;

  g_free (item->address);
  g_free (item->title);
  g_free (item->folder);
  g_free (item);
}

static Item *
item_new (const char *address, const char *title, const char *folder)
{
  Item *item = g_new0 (Item, 1);

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

/* Follows a podcast and waits until it is fetched, unless it was followed before.
 * @item: (transfer full): the podcast */
static void
follow (EarImport *self, Item *item)
{
  /* A podcast without a title is called after its host until its feed is fetched, if
   * ever. */
  g_autofree char *host = item->title == NULL ? ear_address_dup_host (item->address) : NULL;
  g_autofree char *address = g_strdup (item->address);
  EarPodcast *podcast;

  self->following = item;
  podcast = ear_subscriptions_follow_in (self->subscriptions, item->address,
                                         item->title != NULL ? item->title : host, item->folder);
  if (podcast != NULL)
    {
      g_signal_emit_by_name (self, "taken-up", podcast, address);
      if (!g_hash_table_add (self->met, g_object_ref (podcast)))
        self->n_repeated++;
    }
  if (self->following != NULL)
    count_done (self);
  g_clear_pointer (&self->following, item_free);
}

static gboolean
step_cb (gpointer user_data)
{
  EarImport *self = EAR_IMPORT (user_data);

  if (self->waiting.length > 0 && g_hash_table_size (self->running) < RUNNING_LIMIT)
    {
      follow (self, g_queue_pop_head (&self->waiting));
      return G_SOURCE_CONTINUE;
    }
  self->idle_id = 0;
  end_if_done (self);

  return G_SOURCE_REMOVE;
}

static void
import_next (EarImport *self)
{
  if (self->idle_id == 0 && !self->finished)
    self->idle_id = g_idle_add (step_cb, self);
}

static void
followed_cb (EarImport *self, EarPodcast *podcast)
{
  if (self->following == NULL)
    return;

  g_ptr_array_add (self->added, g_object_ref (podcast));
  g_hash_table_replace (self->running, g_object_ref (podcast), g_steal_pointer (&self->following));
}

static void
end_one (EarImport *self, EarPodcast *podcast, const GError *error)
{
  if (error != NULL)
    {
      g_list_store_append (self->failures, podcast);
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

/* Data of a probe, both owned */
typedef struct
{
  EarImport *import;
  EarPodcast *podcast;
} Check;

/* The address of a podcast answers with a web page, which was examined. */
static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Check *check = user_data;
  g_autoptr (EarImport) self = check->import;
  g_autoptr (EarPodcast) podcast = check->podcast;
  g_autoptr (EarProbe) probe = ear_feed_probe_finish (result, NULL, NULL);

  /* The import was stopped, or the podcast was unfollowed. */
  if (!g_hash_table_contains (self->running, podcast))
    return;

  if (probe != NULL && probe->entries->len > 0)
    replace (self, podcast, ((EarDirectoryEntry *) probe->entries->pdata[0])->address);
  else
    end_one (self, podcast, ear_podcast_get_error (podcast));
}

/* A failed podcast could be fetched later, or was unfollowed. */
static void
remove_failure (EarImport *self, EarPodcast *podcast)
{
  guint position;

  if (!g_list_store_find (self->failures, podcast, &position))
    return;

  g_list_store_remove (self->failures, position);
  g_object_notify (G_OBJECT (self), "n-failed");
}

static void
refreshed_cb (EarImport *self, EarPodcast *podcast)
{
  const GError *error = ear_podcast_get_error (podcast);
  const Item *item = g_hash_table_lookup (self->running, podcast);

  if (error == NULL)
    remove_failure (self, podcast);
  if (item == NULL)
    return;
  if (item->from_page || !g_error_matches (error, EAR_ERROR, EAR_ERROR_WEB_PAGE))
    end_one (self, podcast, error);
  else
    {
      Check *check = g_new (Check, 1);

      check->import = g_object_ref (self);
      check->podcast = g_object_ref (podcast);
      ear_feed_probe_async (self->http, item->address, NULL, probed_cb, check);
    }
}

static void
unfollowed_cb (EarImport *self, EarPodcast *podcast)
{
  remove_failure (self, podcast);
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
  g_queue_clear_full (&self->waiting, item_free);
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

  g_signal_new ("taken-up", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, EAR_TYPE_PODCAST, G_TYPE_STRING);
  g_signal_new ("finished", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
ear_import_init (EarImport *self)
{
  g_queue_init (&self->waiting);
  self->running = g_hash_table_new_full (NULL, NULL, g_object_unref, item_free);
  self->added = g_ptr_array_new_with_free_func (g_object_unref);
  self->met = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->failures = g_list_store_new (EAR_TYPE_PODCAST);
}

static EarImport *
import_new (EarSubscriptions *subscriptions, EarRefresher *refresher, EarHttp *http)
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

/* Adds podcasts to the import. */
static void
import_add (EarImport *self, GPtrArray *outlines)
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
  g_queue_clear_full (&self->waiting, item_free);
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
 *   [class@EarPodcast] */
GListModel *
ear_import_get_failures (EarImport *self)
{
  g_return_val_if_fail (EAR_IS_IMPORT (self), NULL);

  return G_LIST_MODEL (self->failures);
}

EAR_DEFINE_GET (EarImport, ear_import, gboolean, finished)

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

/* Imports podcasts from lists and from the databases of other programs, together with the
 * playback state of their episodes. See the header for its property. */
struct _EarImporter
{
  GObject parent_instance;

  /* Owned */
  EarSubscriptions *subscriptions;
  EarRefresher *refresher;
  EarHttp *http;
  EarCatalogue *catalogue;
  EarUserdataStore *state;
  EarNotices *notices;
  EarImport *import;      /* (nullable): the current or last import */
  GHashTable *sources; /* (element-type utf8 EarImportSourcePodcast): by address */
};

G_DEFINE_FINAL_TYPE (EarImporter, ear_importer, G_TYPE_OBJECT)

static void
undo_import (gpointer owner, gpointer data)
{
  EarImporter *self = owner;
  GPtrArray *podcasts = data;

  for (guint i = 0; i < podcasts->len; i++)
    {
      EarPodcast *podcast = g_ptr_array_index (podcasts, i);

      if (ear_podcast_get_followed (podcast))
        ear_subscriptions_drop (self->subscriptions, podcast);
    }
}

static void
import_finished_cb (EarImporter *self, EarImport *import)
{
  GPtrArray *added = ear_import_get_added (import);
  g_autofree char *message = NULL;

  g_hash_table_remove_all (self->sources);
  if (added->len == 0)
    return;

  message = g_strdup_printf (ngettext ("Followed %'u podcast", "Followed %'u podcasts", added->len),
                             added->len);
  ear_notices_offer (self->notices, message, undo_import, self, g_ptr_array_ref (added),
                     (GDestroyNotify) g_ptr_array_unref);
}

/* Stores the imported state in the state files, and in the catalogue, which applies it
 * when the feed is fetched. */
static void
import_podcast (EarImporter *self, EarPodcast *podcast, const char *address)
{
  const EarImportSourcePodcast *known = g_hash_table_lookup (self->sources, address);
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  if (known == NULL || known->episodes->len == 0)
    return;

  for (guint i = 0; i < known->episodes->len; i++)
    {
      const EarImportSourceEpisode *episode = g_ptr_array_index (known->episodes, i);
      const char *name = episode->guid != NULL ? episode->guid : episode->enclosure;

      ear_userdata_store_adopt_episode (self->state, podcast, name, episode->title,
                                        episode->enclosure, &episode->state);
      g_hash_table_insert (states, g_strdup (name),
                           g_memdup2 (&episode->state, sizeof episode->state));
    }
  ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (podcast), states);
}

/* Returns the current import, or starts a new one. */
static EarImport *
ensure_import (EarImporter *self)
{
  if (self->import != NULL && !ear_import_get_finished (self->import))
    return self->import;

  g_clear_object (&self->import);
  self->import = import_new (self->subscriptions, self->refresher, self->http);
  g_signal_connect_object (self->import, "finished", G_CALLBACK (import_finished_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->import, "taken-up", G_CALLBACK (import_podcast), self,
                           G_CONNECT_SWAPPED);
  g_object_notify (G_OBJECT (self), "import");

  return self->import;
}

static void
ear_importer_finalize (GObject *object)
{
  EarImporter *self = EAR_IMPORTER (object);

  g_clear_object (&self->import);
  g_clear_object (&self->subscriptions);
  g_clear_object (&self->refresher);
  g_clear_object (&self->http);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->state);
  g_clear_object (&self->notices);
  g_hash_table_unref (self->sources);

  G_OBJECT_CLASS (ear_importer_parent_class)->finalize (object);
}

static void
ear_importer_class_init (EarImporterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty import = { "import", EAR_TYPE_IMPORT, G_PARAM_READABLE,
                               G_STRUCT_OFFSET (EarImporter, import) };

  object_class->finalize = ear_importer_finalize;

  ear_properties_install (object_class, &import, 1);
}

static void
ear_importer_init (EarImporter *self)
{
  self->sources = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                         (GDestroyNotify) ear_import_source_podcast_free);
}

EarImporter *
ear_importer_new (const EarServices *services)
{
  EarImporter *self = g_object_new (EAR_TYPE_IMPORTER, NULL);

  self->subscriptions = g_object_ref (services->subscriptions);
  self->refresher = g_object_ref (services->refresher);
  self->http = g_object_ref (services->http);
  self->catalogue = g_object_ref (services->catalogue);
  self->state = g_object_ref (services->state);
  self->notices = g_object_ref (services->notices);

  return self;
}

/* Stores the state of a list's episodes until their podcast is followed. */
static void
add_source (EarImporter *self, const EarOpmlOutline *outline)
{
  EarImportSourcePodcast *podcast = g_new0 (EarImportSourcePodcast, 1);

  podcast->address = g_strdup (outline->address);
  podcast->episodes = ear_import_source_episodes_new ();
  for (guint i = 0; i < outline->episodes->len; i++)
    {
      const EarOpmlEpisode *known = g_ptr_array_index (outline->episodes, i);
      EarImportSourceEpisode *episode = g_new0 (EarImportSourceEpisode, 1);

      episode->enclosure = g_strdup (known->enclosure);
      episode->title = g_strdup (known->title);
      episode->state.listened = known->played;
      episode->state.listened_updated = known->played ? known->updated : 0;
      episode->state.position = known->position;
      episode->state.position_updated =
          known->position > 0 || known->updated > EAR_STAMP_OLDEST ? known->updated : 0;
      g_ptr_array_add (podcast->episodes, episode);
    }
  g_hash_table_replace (self->sources, podcast->address, podcast);
}

/* Follows many podcasts. Podcasts that are already followed stay as they are, except that
 * episodes that the list has as played are marked. The import can be undone: see
 * [signal@EarNotices::undo-offered].
 * Returns: (transfer none): the import; a running one takes these podcasts, too */
EarImport *
ear_importer_add (EarImporter *self, GPtrArray *outlines)
{
  EarImport *import;

  g_return_val_if_fail (EAR_IS_IMPORTER (self), NULL);

  import = ensure_import (self);
  for (guint i = 0; i < outlines->len; i++)
    if (((EarOpmlOutline *) g_ptr_array_index (outlines, i))->episodes != NULL)
      add_source (self, g_ptr_array_index (outlines, i));
  import_add (import, outlines);

  return import;
}

/* @podcasts: (transfer full): podcasts of another program */
static guint
import_states (EarImporter *self, GPtrArray *podcasts)
{
  g_autoptr (GPtrArray) outlines =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ear_opml_outline_free);
  EarImport *import = ensure_import (self);
  const guint n = podcasts->len;

  for (guint i = 0; i < n; i++)
    {
      EarImportSourcePodcast *podcast = g_ptr_array_index (podcasts, i);
      EarOpmlOutline *outline = ear_opml_outline_new ();

      outline->address = g_strdup (podcast->address);
      outline->title = g_strdup (podcast->title);
      outline->folder = g_strdup (podcast->folder);
      g_ptr_array_add (outlines, outline);
      g_hash_table_replace (self->sources, podcast->address, podcast);
    }
  g_ptr_array_set_free_func (podcasts, NULL);
  g_ptr_array_unref (podcasts);
  import_add (import, outlines);

  return n;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarImporter *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outlines = ear_opml_load_finish (result, &error);

  if (outlines != NULL)
    {
      ear_importer_add (self, outlines);
      g_task_return_int (task, outlines->len);
    }
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
imported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarImporter *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) podcasts = ear_import_source_read_finish (result, &error);

  if (podcasts != NULL)
    g_task_return_int (task, import_states (self, g_steal_pointer (&podcasts)));
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    {
      GFile *file = g_task_get_task_data (task);
      GCancellable *cancellable = g_task_get_cancellable (task);

      ear_opml_load_async (file, cancellable, loaded_cb, g_steal_pointer (&task));
    }
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* Reads a list of podcasts and starts to follow them: see [method@EarImporter.add]. From
 * the database of another program, the playback state is imported, too, except where
 * Earmark has newer state.
 * @file: an OPML list, or the database of GNOME Podcasts, Kasts or gPodder */
void
ear_importer_read_async (EarImporter *self, GFile *file, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_IMPORTER (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_importer_read_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  ear_import_source_read_async (file, cancellable, imported_cb, task);
}

/* Returns: how many podcasts are in the list, -1 on an error */
int
ear_importer_read_finish (EarImporter *self, GAsyncResult *result, GError **error)
{
  return (int) g_task_propagate_int (G_TASK (result), error);
}

/* Returns: (transfer none) (nullable): the current or last import */
EAR_DEFINE_GET (EarImporter, ear_importer, EarImport *, import)

static void
follow_back (gpointer owner, gpointer data)
{
  EarImporter *self = owner;
  GPtrArray *podcasts = data;

  for (guint i = 0; i < podcasts->len; i++)
    {
      EarPodcast *podcast = g_ptr_array_index (podcasts, i);

      ear_subscriptions_follow_again (self->subscriptions, ear_podcast_get_address (podcast),
                                      ear_podcast_get_title (podcast));
    }
}

/* Unfollows the podcasts that could not be fetched. Can be undone. */
void
ear_importer_unfollow_failed (EarImporter *self, EarImport *import)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *failures = ear_import_get_failures (import);
  g_autofree char *message = NULL;

  g_return_if_fail (EAR_IS_IMPORTER (self));

  /* A podcast leaves the list once it is unfollowed. */
  for (guint i = g_list_model_get_n_items (failures); i > 0; i--)
    {
      EarPodcast *podcast = g_list_model_get_item (failures, i - 1);

      g_ptr_array_add (podcasts, podcast);
      ear_subscriptions_drop (self->subscriptions, podcast);
    }
  if (podcasts->len == 0)
    return;

  message = g_strdup_printf (
      ngettext ("Unfollowed %'u podcast", "Unfollowed %'u podcasts", podcasts->len), podcasts->len);
  ear_notices_offer (self->notices, message, follow_back, self, g_steal_pointer (&podcasts),
                     (GDestroyNotify) g_ptr_array_unref);
}
