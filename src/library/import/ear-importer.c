/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-importer.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-feed-probe.h"
#include "ear-import-loader.h"
#include "ear-property.h"
#include "ear-records.h"

#include <glib/gi18n-lib.h>

/* A podcast of the list that is followed and fetched */
typedef struct
{
  /* Owned */
  EarListedPodcast *listed;
  char *address;
  GCancellable *cancellable; /* of requests about it, whose callbacks get the item */

  /* Borrowed */
  EarImporter *importer;
  EarPodcast *podcast; /* (nullable): %NULL until it is followed */

  gboolean from_page; /* the address was found on a web page in the list */
  gboolean fetching;  /* it was not followed before, and its feed has not arrived yet */
} Item;

/* Imports podcasts from lists and from the databases of other programs, together with the
 * playback state of their episodes. Follows and fetches them, a few at a time, so that
 * neither the main loop nor the network is overloaded. A podcast that cannot be fetched is
 * followed and listed with the error: its server may be back tomorrow, and an import must not
 * lose a podcast that the listener has followed for years. If an address in the list is a web
 * page, the first feed that the page links to is followed instead. See the header for its
 * properties. */
struct _EarImporter
{
  EAR_PART_MEMBERS;

  /* Owned: the current or last import */
  GQueue waiting;      /* (element-type Item) */
  GHashTable *running; /* (element-type EarPodcast Item): being fetched, or compared */
  GPtrArray *added;    /* (element-type EarPodcast): not followed before the import */
  GHashTable *met;     /* (element-type EarPodcast): podcasts of the list so far */
  GListStore *failures; /* (element-type EarPodcast) */
  GPtrArray *omissions; /* (element-type EarImportOmission) */
  guint idle_id;

  guint total;
  guint n_repeated; /* number of repeated podcasts in the list */
  guint done;
  gboolean finished;
  gboolean dismissed;
};

G_DEFINE_FINAL_TYPE (EarImporter, ear_importer, EAR_TYPE_PART)

/* Number of podcasts fetched at once: old lists name many dead servers */
#define RUNNING_LIMIT 40

static void
item_free (gpointer data)
{
  Item *item = data;

  ear_cancellable_clear (&item->cancellable);
  ear_listed_podcast_unref (item->listed);
  g_free (item->address);
  g_free (item);
}

static Item *
item_new (EarImporter *self, EarListedPodcast *listed, const char *address)
{
  Item *item = g_new0 (Item, 1);

  item->importer = self;
  item->listed = ear_listed_podcast_ref (listed);
  item->address = g_strdup (address);
  item->cancellable = g_cancellable_new ();

  return item;
}

static void
omission_free (gpointer data)
{
  EarImportOmission *self = data;

  g_free (self->title);
  g_ptr_array_unref (self->episodes);
  g_free (self);
}

/* @reason: (nullable): an untranslated sentence, %NULL for episodes
 * Returns: (transfer none) */
static EarImportOmission *
add_omission (EarImporter *self, const char *title, const char *reason)
{
  EarImportOmission *omission = g_new0 (EarImportOmission, 1);

  omission->title = g_strdup (title);
  omission->reason = reason;
  omission->episodes = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->omissions, omission);
  ear_notify (self, "n-omitted");

  return omission;
}

/* Returns: (transfer full): why this could not be imported, a translated sentence without a
 *   full stop */
char *
ear_import_omission_describe (const EarImportOmission *self)
{
  const guint n = self->episodes->len;

  if (self->reason != NULL)
    return g_strdup (_(self->reason));

  /* Translators: episodes that the listener began, liked or queued in another app */
  return g_strdup_printf (ngettext ("%'u episode is no longer in the feed",
                                    "%'u episodes are no longer in the feed", n),
                          n);
}

static void import_next (EarImporter *self);

static void
count_done (EarImporter *self)
{
  self->done++;
  ear_notify (self, "done");
}

static void
end_if_done (EarImporter *self)
{
  if (self->finished || self->waiting.length > 0 || g_hash_table_size (self->running) > 0)
    return;

  ear_property_set_boolean (self, "finished", TRUE);
  ear_subscriptions_offer_undo (self->subscriptions, self->added);
}

/* Returns: (transfer none): the name by which the episode's marks are stored */
static const char *
get_name (const EarListedEpisode *episode)
{
  return episode->guid != NULL ? episode->guid : episode->enclosure;
}

/* Stores marks of another program in the state files, and in the catalogue. There they wait
 * until the feed sends their episode. */
static void
store_marks (EarImporter *self, EarPodcast *podcast, const EarListedPodcast *listed)
{
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < listed->episodes->len; i++)
    {
      const EarListedEpisode *episode = g_ptr_array_index (listed->episodes, i);
      const char *name = get_name (episode);

      ear_userdata_store_adopt_episode (self->state, podcast, name, episode->title,
                                        episode->enclosure, &episode->state);
      g_hash_table_insert (states, g_strdup (name),
                           g_memdup2 (&episode->state, sizeof episode->state));
    }
  if (listed->episodes->len > 0)
    ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (podcast), states);
}

static void
end_one (EarImporter *self, EarPodcast *podcast, const GError *error)
{
  if (error != NULL)
    {
      g_list_store_append (self->failures, podcast);
      ear_notify (self, "n-failed");
    }
  g_hash_table_remove (self->running, podcast);
  count_done (self);
  import_next (self);
}

/* The feed may have another guid for an episode than the other program: then the marks move
 * to the episode with the same media. Episodes that the feed lacks are reported, unless they
 * were only played. */
static void
episodes_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const Item *item = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found =
      ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  g_autoptr (EarListedPodcast) renamed = ear_listed_podcast_new ();
  g_autoptr (EarImporter) self = NULL;
  g_autoptr (EarPodcast) podcast = NULL;
  gboolean is_fetched;
  EarImportOmission *omission = NULL;
  g_autofree const EarMediaMarks **episodes = NULL;

  /* The podcast was unfollowed, and its item is gone. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  self = g_object_ref (item->importer);
  podcast = g_object_ref (item->podcast);
  /* The feed of a podcast that was followed before may never have arrived. */
  is_fetched = ear_podcast_get_checked (podcast) > 0;
  episodes = g_new0 (const EarMediaMarks *, item->listed->episodes->len);
  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const EarMediaMarks *marks = g_ptr_array_index (found, i);

      for (guint j = 0; j < marks->places->len; j++)
        episodes[g_array_index (marks->places, guint, j)] = marks;
    }
  for (guint i = 0; found != NULL && i < item->listed->episodes->len; i++)
    {
      const EarListedEpisode *episode = g_ptr_array_index (item->listed->episodes, i);
      const EarEpisodeState *state = &episode->state;
      const EarMediaMarks *marks = episodes[i];

      if (marks != NULL && episode->guid != NULL && !g_str_equal (episode->guid, marks->guid) &&
          g_strcmp0 (episode->guid, marks->feed_guid) != 0)
        {
          EarListedEpisode *other = g_new0 (EarListedEpisode, 1);

          other->guid = g_strdup (marks->guid);
          other->enclosure = g_strdup (marks->media);
          other->state = episode->state;
          g_ptr_array_add (renamed->episodes, other);
        }
      else if (marks == NULL && is_fetched &&
               (state->position > 0 || state->liked || state->queued > 0))
        {
          if (omission == NULL)
            omission = add_omission (self, ear_podcast_get_name (podcast), NULL);
          g_ptr_array_add (omission->episodes,
                           g_strdup (episode->title != NULL ? episode->title
                                                            : get_name (episode)));
        }
    }
  store_marks (self, podcast, renamed);
  end_one (self, podcast, NULL);
}

static void
check_episodes (EarImporter *self, EarPodcast *podcast, Item *item)
{
  const GPtrArray *episodes = item->listed->episodes;
  g_autoptr (GPtrArray) places =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ear_media_marks_free);

  for (guint i = 0; i < episodes->len; i++)
    {
      const EarListedEpisode *episode = g_ptr_array_index (episodes, i);
      const char *media = episode->enclosure != NULL ? episode->enclosure : "";

      g_ptr_array_add (places,
                       ear_media_marks_new (ear_podcast_get_id (podcast), media, episode->guid));
    }
  ear_catalogue_read_async (self->catalogue, ear_read_media (places, G_MAXINT64), item->cancellable,
                            episodes_found_cb, item);
}

/* Follows a podcast and waits until it is fetched, unless it was followed before.
 * @item: (transfer full): the podcast */
static void
follow (EarImporter *self, Item *item)
{
  const EarListedPodcast *listed = item->listed;
  /* A podcast without a title is called after its host until its feed is fetched, if
   * ever. */
  g_autofree char *host = listed->title == NULL ? ear_address_dup_host (item->address) : NULL;
  gboolean is_new;
  EarPodcast *podcast = ear_subscriptions_follow_in (self->subscriptions, item->address,
                                                     listed->title != NULL ? listed->title : host,
                                                     listed->folder, &is_new);

  item->podcast = podcast;
  item->fetching = is_new;
  if (podcast != NULL)
    {
      store_marks (self, podcast, listed);
      if (!g_hash_table_add (self->met, g_object_ref (podcast)))
        self->n_repeated++;
    }
  if (podcast == NULL ||
      (!is_new &&
       (listed->episodes->len == 0 || g_hash_table_contains (self->running, podcast))))
    {
      count_done (self);
      item_free (item);
      return;
    }
  g_hash_table_insert (self->running, g_object_ref (podcast), item);
  if (is_new)
    g_ptr_array_add (self->added, g_object_ref (podcast));
  else
    check_episodes (self, podcast, item);
}

static gboolean
step_cb (gpointer user_data)
{
  EarImporter *self = EAR_IMPORTER (user_data);

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
import_next (EarImporter *self)
{
  if (self->idle_id == 0 && !self->finished)
    self->idle_id = g_idle_add (step_cb, self);
}

/* The address of a podcast answers with a web page, which was examined. The feed that it links
 * to is followed in its place. */
static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const Item *page = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = ear_feed_probe_finish (result, NULL, NULL, &error);
  g_autoptr (EarImporter) self = NULL;
  g_autoptr (EarPodcast) podcast = NULL;
  Item *item;

  /* The import was stopped, or the podcast was unfollowed: the item is gone. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = g_object_ref (page->importer);
  podcast = g_object_ref (page->podcast);
  if (entries == NULL || entries->len == 0)
    {
      end_one (self, podcast, ear_podcast_get_error (podcast));
      return;
    }

  item = item_new (self, page->listed, ((EarDirectoryEntry *) entries->pdata[0])->address);
  item->from_page = TRUE;
  g_queue_push_head (&self->waiting, item);
  g_hash_table_remove (self->running, podcast);
  g_ptr_array_remove (self->added, podcast);
  ear_subscriptions_drop (self->subscriptions, podcast);
  import_next (self);
}

/* A failed podcast could be fetched later, or was unfollowed. */
static void
remove_failure (EarImporter *self, EarPodcast *podcast)
{
  guint position;

  if (!g_list_store_find (self->failures, podcast, &position))
    return;

  g_list_store_remove (self->failures, position);
  ear_notify (self, "n-failed");
}

static void
refreshed_cb (EarImporter *self, EarPodcast *podcast)
{
  const GError *error = ear_podcast_get_error (podcast);
  Item *item = g_hash_table_lookup (self->running, podcast);

  if (error == NULL)
    remove_failure (self, podcast);
  if (item == NULL || !item->fetching)
    return;
  if (!item->from_page && g_error_matches (error, EAR_ERROR, EAR_ERROR_WEB_PAGE))
    ear_feed_probe_async (self->http, item->address, item->cancellable, probed_cb, item);
  else if (error == NULL && item->listed->episodes->len > 0)
    {
      item->fetching = FALSE;
      check_episodes (self, podcast, item);
    }
  else
    end_one (self, podcast, error);
}

static void
unfollowed_cb (EarImporter *self, EarPodcast *podcast)
{
  remove_failure (self, podcast);
  if (!g_hash_table_remove (self->running, podcast))
    return;

  count_done (self);
  import_next (self);
}

static int
count_failures (EarImporter *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->failures));
}

static int
count_omissions (EarImporter *self)
{
  return self->omissions->len;
}

static void
ear_importer_release (EarImporter *self)
{
  g_clear_handle_id (&self->idle_id, g_source_remove);
  g_queue_clear_full (&self->waiting, item_free);
  g_clear_pointer (&self->running, g_hash_table_unref);
  g_clear_pointer (&self->added, g_ptr_array_unref);
  g_clear_pointer (&self->met, g_hash_table_unref);
  g_clear_object (&self->failures);
  g_clear_pointer (&self->omissions, g_ptr_array_unref);
}

static void
ear_importer_class_init (EarImporterClass *klass)
{
  const EarProperty properties[] = {
    EAR_READABLE (EarImporter, total, G_TYPE_UINT),
    EAR_READABLE (EarImporter, done, G_TYPE_UINT),
    { "n-failed", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (count_failures) },
    { "n-omitted", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (count_omissions) },
    { .spec = g_param_spec_boolean ("finished", NULL, NULL, TRUE, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarImporter, finished) },
    { "dismissed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarImporter, dismissed) },
  };

  ear_class_set_release (klass, ear_importer_release);
  ear_class_add_properties (klass, properties);

  ear_signal_new (klass, "started", 0);
}

static void
ear_importer_init (EarImporter *self)
{
  self->running = g_hash_table_new_full (NULL, NULL, g_object_unref, item_free);
  self->added = g_ptr_array_new_with_free_func (g_object_unref);
  self->met = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->failures = g_list_store_new (EAR_TYPE_PODCAST);
  self->omissions = g_ptr_array_new_with_free_func (omission_free);
  self->finished = TRUE;
}

EarImporter *
ear_importer_new (const EarServices *services)
{
  EarImporter *self = ear_part_new (EAR_TYPE_IMPORTER, services);

  ear_connect (self->subscriptions, "unfollowed", unfollowed_cb, self);
  ear_connect (self->refresher, "refreshed", refreshed_cb, self);

  return self;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const EarListedEpisode *first = *(EarListedEpisode *const *) a;
  const EarListedEpisode *second = *(EarListedEpisode *const *) b;

  return ear_compare (first->state.queued, second->state.queued);
}

/* Puts the episodes of the other program's queue after those that are in Up Next now.
 * @last: the position of the last one, 0 if there is none */
static void
place_queued (GPtrArray *podcasts, gint64 last)
{
  g_autoptr (GPtrArray) queued = g_ptr_array_new ();
  EarOrder order;

  for (guint i = 0; i < podcasts->len; i++)
    {
      const EarListedPodcast *podcast = g_ptr_array_index (podcasts, i);

      for (guint j = 0; j < podcast->episodes->len; j++)
        {
          EarListedEpisode *episode = g_ptr_array_index (podcast->episodes, j);

          if (episode->state.queued > 0)
            g_ptr_array_add (queued, episode);
        }
    }
  g_ptr_array_sort (queued, compare_places);
  order = ear_order_insert (0, queued->len, 0, last, 0);
  for (guint i = 0; i < queued->len; i++)
    ((EarListedEpisode *) g_ptr_array_index (queued, i))->state.queued =
        ear_order_get_inserted (&order, i);
}

/* Forgets the result of the last import. The Undo of the last import owns the array of its
 * podcasts. */
static void
begin (EarImporter *self)
{
  g_ptr_array_unref (self->added);
  self->added = g_ptr_array_new_with_free_func (g_object_unref);
  g_hash_table_remove_all (self->met);
  g_ptr_array_set_size (self->omissions, 0);
  g_object_freeze_notify (G_OBJECT (self));
  g_list_store_remove_all (self->failures);
  self->total = self->done = self->n_repeated = 0;
  ear_notify (self, "n-failed");
  ear_notify (self, "n-omitted");
  ear_property_set_boolean (self, "dismissed", FALSE);
  ear_property_set_boolean (self, "finished", FALSE);
  g_object_thaw_notify (G_OBJECT (self));
  g_signal_emit_by_name (self, "started");
}

/* Follows many podcasts. Podcasts that are already followed stay as they are, except that
 * marks of the list are set where they are newer. The import can be undone: see
 * [signal@EarNotices::undo-offered]. A running import takes these podcasts, too. */
void
ear_importer_add (EarImporter *self, GPtrArray *podcasts)
{
  if (self->finished)
    begin (self);
  place_queued (podcasts, ear_queue_get_last (self->queue));
  for (guint i = 0; i < podcasts->len; i++)
    {
      EarListedPodcast *podcast = g_ptr_array_index (podcasts, i);

      if (!ear_listed_podcast_can_follow (podcast))
        {
          /* The address may have a password in it. */
          g_autofree char *host =
              podcast->address != NULL ? ear_address_dup_host (podcast->address) : NULL;

          add_omission (self, podcast->title != NULL ? podcast->title : host,
                        podcast->address == NULL ? N_("Only podcasts on the web can be followed")
                                                 : N_("Not followed in the other app"));
          continue;
        }
      g_queue_push_tail (&self->waiting, item_new (self, podcast, podcast->address));
      self->total += 1 + podcast->n_repeated;
      self->done += podcast->n_repeated;
      self->n_repeated += podcast->n_repeated;
    }
  ear_notify (self, "done");
  ear_notify (self, "total");
  import_next (self);
}

/* Ends the import early. Podcasts that were followed before or are fetched stay followed; the
 * others are unfollowed. */
void
ear_importer_stop (EarImporter *self)
{
  g_autoptr (GPtrArray) running = NULL;

  if (self->finished)
    return;

  g_clear_handle_id (&self->idle_id, g_source_remove);
  g_queue_clear_full (&self->waiting, item_free);
  running = g_hash_table_get_keys_as_ptr_array (self->running);
  for (guint i = 0; i < running->len; i++)
    {
      g_autoptr (EarPodcast) podcast = g_object_ref (g_ptr_array_index (running, i));
      const Item *item = g_hash_table_lookup (self->running, podcast);

      /* The import ends with the last comparison of episodes. */
      if (!item->fetching)
        continue;
      g_hash_table_remove (self->running, podcast);
      g_ptr_array_remove (self->added, podcast);
      ear_subscriptions_drop (self->subscriptions, podcast);
    }
  end_if_done (self);
}

EAR_DEFINE_GET (EarImporter, ear_importer, guint, total)

/* Returns: the number of entries that repeat a podcast of an earlier entry */
EAR_DEFINE_GET (EarImporter, ear_importer, guint, n_repeated)

/* Returns: (transfer none): the podcasts that could not be fetched, a list of
 *   [class@EarPodcast] */
GListModel *
ear_importer_get_failures (EarImporter *self)
{
  return G_LIST_MODEL (self->failures);
}

EAR_DEFINE_GET (EarImporter, ear_importer, gboolean, finished)

/* Returns: (transfer none) (element-type EarImportOmission): what could not be imported,
 *   besides the failures */
EAR_DEFINE_GET (EarImporter, ear_importer, GPtrArray *, omissions)

/* Returns: (transfer none) (element-type EarPodcast): the podcasts that were not followed
 *   before */
EAR_DEFINE_GET (EarImporter, ear_importer, GPtrArray *, added)

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GPtrArray) podcasts = ear_import_load_finish (result, &error);

  if (podcasts == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  ear_importer_add (g_task_get_source_object (task), podcasts);
  g_task_return_int (task, podcasts->len);
}

/* Reads a list of podcasts and starts to follow them: see [method@EarImporter.add]. From
 * the database of another program, the playback state is imported, too, except where
 * Earmark has newer state.
 * @file: an OPML list, or the database of AntennaPod, GNOME Podcasts, Kasts
 * or gPodder */
void
ear_importer_read_async (EarImporter *self, GFile *file, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, ear_importer_read_async);
  ear_import_load_async (file, NULL, loaded_cb, task);
}

/* Returns: how many podcasts are in the list, -1 on an error */
int
ear_importer_read_finish (EarImporter *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

/* Unfollows the podcasts that could not be fetched. Can be undone. */
void
ear_importer_unfollow_failed (EarImporter *self)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *failures = G_LIST_MODEL (self->failures);
  g_autofree char *message = NULL;

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
  ear_subscriptions_offer_return (self->subscriptions, podcasts, message);
}
