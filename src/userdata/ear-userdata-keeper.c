/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-keeper.h"

#include "ear-record-file.h"
#include "ear-subscription-file.h"
#include "ear-userdata-now.h"
#include "ear-userdata-place.h"
#include "ear-userdata-restore.h"

#include <string.h>

struct _EarUserdataKeeper
{
  /* Owned */
  EarJsonFolder *folder;
  GHashTable *documents; /* (element-type utf8 EarUserdataDocument): by file name */
  EarSubscriptionFile *subscriptions;
  guint n_set; /* number of subscriptions set since the start */
  EarRecordFile *records[EAR_N_RECORD_KINDS];
  guint n_records_set[EAR_N_RECORD_KINDS]; /* number set since the start */
  EarUserdataFile *now_file;
  char *place_path; /* path of the position line */
  EarMarks *now; /* (nullable): the current episode */
  EarEpisodeState now_state; /* its position */
  gboolean is_now_dirty;     /* @now is not written yet */
  GPtrArray *left; /* (element-type EarUserdataDocument): only now.json may have their
                    * latest position; not owned */

  /* Borrowed */
  EarUserdataTell tell;
  gpointer user_data;
};

/* All state files and their relations. The keeper has no threads and no timers: it lives
 * on the store's thread, which decides when to write. */

EarUserdataEvent *
ear_userdata_event_new (EarUserdataEventType type)
{
  EarUserdataEvent *self = g_new0 (EarUserdataEvent, 1);

  self->type = type;

  return self;
}

void
ear_userdata_event_free (EarUserdataEvent *self)
{
  g_free (self->address);
  g_free (self->guid);
  g_clear_pointer (&self->states, g_hash_table_unref);
  g_clear_pointer (&self->subscriptions, g_ptr_array_unref);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_free (self->file);
  g_free (self->set_aside);
  g_clear_error (&self->error);
  g_clear_object (&self->task);
  g_free (self);
}

static void
tell_damaged (const char *file, const char *set_aside, gboolean restored, gpointer user_data)
{
  EarUserdataKeeper *self = user_data;
  EarUserdataEvent *event = ear_userdata_event_new (EAR_USERDATA_EVENT_DAMAGED);

  event->file = g_strdup (file);
  event->set_aside = g_strdup (set_aside);
  event->restored = restored;
  self->tell (event, self->user_data);
}

static void
notify_failed (EarUserdataKeeper *self, const GError *error)
{
  EarUserdataEvent *event = ear_userdata_event_new (EAR_USERDATA_EVENT_FAILED);

  event->error = g_error_copy (error);
  self->tell (event, self->user_data);
}

static void
notify_states (EarUserdataKeeper *self, EarUserdataDocument *document, GHashTable *states)
{
  EarUserdataEvent *event;

  if (states == NULL)
    return;
  event = ear_userdata_event_new (EAR_USERDATA_EVENT_PODCAST);
  event->address = g_strdup (ear_userdata_document_get_address (document));
  event->states = states;
  self->tell (event, self->user_data);
}

static void
notify_settings (EarUserdataKeeper *self, EarUserdataDocument *document,
                 const EarPodcastSettings *settings)
{
  EarUserdataEvent *event = ear_userdata_event_new (EAR_USERDATA_EVENT_SETTINGS);

  event->address = g_strdup (ear_userdata_document_get_address (document));
  event->settings = *settings;
  self->tell (event, self->user_data);
}

/* Reports changes by other instances and machines. */
static void
notify_news (EarUserdataKeeper *self, EarUserdataDocument *document)
{
  EarPodcastSettings settings;

  notify_states (self, document, ear_userdata_document_steal_news (document));
  if (ear_userdata_document_take_settings_news (document, &settings))
    notify_settings (self, document, &settings);
}

/* Reports all subscriptions and tombstones, with all changes so far. */
void
ear_userdata_keeper_notify_subscriptions (EarUserdataKeeper *self)
{
  EarUserdataEvent *event = ear_userdata_event_new (EAR_USERDATA_EVENT_SUBSCRIPTIONS);

  event->subscriptions = ear_subscription_file_dup_all (self->subscriptions);
  event->n_set = self->n_set;
  self->tell (event, self->user_data);
}

static void
notify_if_news (EarUserdataKeeper *self)
{
  if (ear_subscription_file_take_news (self->subscriptions))
    ear_userdata_keeper_notify_subscriptions (self);
}

static void
notify_records (EarUserdataKeeper *self, EarRecordKind kind, GPtrArray *records)
{
  EarUserdataEvent *event;

  if (records == NULL)
    return;
  event = ear_userdata_event_new (EAR_USERDATA_EVENT_RECORDS);
  event->record_kind = kind;
  event->records = records;
  event->n_set = self->n_records_set[kind];
  self->tell (event, self->user_data);
}

static void
refresh_records (EarUserdataKeeper *self, EarRecordKind kind)
{
  g_autoptr (GError) error = NULL;

  if (!ear_record_file_refresh (self->records[kind], &error))
    notify_failed (self, error);
}

/* Returns: (transfer full): a keeper, for use on one thread */
EarUserdataKeeper *
ear_userdata_keeper_new (const char *directory, EarUserdataTell tell, gpointer user_data)
{
  EarUserdataKeeper *self = g_new0 (EarUserdataKeeper, 1);

  self->tell = tell;
  self->user_data = user_data;
  self->folder = ear_json_folder_new (directory, tell_damaged, self);
  self->documents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ear_userdata_document_free);
  self->subscriptions = ear_subscription_file_new (self->folder);
  for (guint i = 0; i < EAR_N_RECORD_KINDS; i++)
    self->records[i] = ear_record_file_new (self->folder, i);
  self->now_file = ear_userdata_file_new (self->folder, EAR_USERDATA_NOW_NAME, EAR_USERDATA_KIND_NOW);
  self->place_path = ear_userdata_place_dup_path (directory);
  self->left = g_ptr_array_new ();

  return self;
}

/* Frees the keeper; unwritten changes are lost. */
void
ear_userdata_keeper_free (EarUserdataKeeper *self)
{
  g_ptr_array_unref (self->left);
  g_clear_pointer (&self->now, ear_marks_unref);
  ear_userdata_file_free (self->now_file);
  g_free (self->place_path);
  ear_subscription_file_free (self->subscriptions);
  for (guint i = 0; i < EAR_N_RECORD_KINDS; i++)
    ear_record_file_free (self->records[i]);
  g_hash_table_unref (self->documents);
  ear_json_folder_free (self->folder);
  g_free (self);
}

EarJsonFolder *
ear_userdata_keeper_get_folder (EarUserdataKeeper *self)
{
  return self->folder;
}

/* Returns: (transfer none): the podcast's document, up to date with its file */
static EarUserdataDocument *
ensure_document (EarUserdataKeeper *self, const char *address)
{
  g_autofree char *name = ear_userdata_document_dup_name (address);
  EarUserdataDocument *document = g_hash_table_lookup (self->documents, name);
  g_autoptr (GError) error = NULL;

  if (document == NULL)
    {
      document = ear_userdata_document_new (self->folder, address);
      g_hash_table_insert (self->documents, g_steal_pointer (&name), document);
    }
  if (!ear_userdata_document_refresh (document, &error))
    notify_failed (self, error);

  return document;
}

/* Reports everything known of the podcast and its episodes, if anything; later
 * calls report changes. */
void
ear_userdata_keeper_load_podcast (EarUserdataKeeper *self, const char *address)
{
  EarUserdataDocument *document = ensure_document (self, address);
  g_autoptr (GHashTable) states = ear_userdata_document_dup_states (document);
  EarPodcastSettings settings;

  if (ear_userdata_document_read_settings (document, &settings))
    notify_settings (self, document, &settings);
  if (g_hash_table_size (states) > 0)
    notify_states (self, document, g_steal_pointer (&states));
}

/* Stores settings in memory until they are written.
 * @change: the listener's settings for a podcast */
void
ear_userdata_keeper_set_settings (EarUserdataKeeper *self, const EarSettingsChange *change)
{
  EarUserdataDocument *document = ensure_document (self, change->address);

  notify_news (self, document);
  if (ear_userdata_document_apply_settings (document, change))
    ear_userdata_document_set_dirty (document);
}

/* Stores marks in memory until they are written, each file once. */
void
ear_userdata_keeper_apply (EarUserdataKeeper *self, const EarMarks *marks)
{
  for (guint i = 0; i < marks->podcasts->len; i++)
    {
      const EarMarkedPodcast *podcast = g_ptr_array_index (marks->podcasts, i);
      EarUserdataDocument *document = ensure_document (self, podcast->address);

      notify_news (self, document);
      for (guint j = 0; j < podcast->episodes->len; j++)
        if (ear_userdata_document_apply (document, marks, podcast, &g_array_index (podcast->episodes, EarMarkedEpisode, j)))
          ear_userdata_document_set_dirty (document);
    }
}

/* Stores names of known episodes in memory until they are written.
 * @names: (element-type utf8 utf8): other names of the podcast's episodes, by guid */
void
ear_userdata_keeper_add_names (EarUserdataKeeper *self, const char *address, GHashTable *names)
{
  EarUserdataDocument *document = ensure_document (self, address);
  GHashTableIter iter;
  gpointer guid, name;

  notify_news (self, document);
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &guid, &name))
    if (ear_userdata_document_add_name (document, guid, name))
      ear_userdata_document_set_dirty (document);
}

/* Stores a subscription in memory until it is written.
 * @subscription: a podcast that the listener has followed or unfollowed */
void
ear_userdata_keeper_set_subscription (EarUserdataKeeper *self, const EarSubscription *subscription)
{
  g_autoptr (GError) error = NULL;

  if (!ear_subscription_file_refresh (self->subscriptions, &error))
    notify_failed (self, error);
  ear_subscription_file_set (self->subscriptions, subscription, g_get_real_time ());
  self->n_set++;
  /* Report only now, so that the report includes the listener's change. */
  notify_if_news (self);
}

/* Loads all subscriptions and tombstones.
 * @reply: gets the subscriptions, and whether this is the first start */
void
ear_userdata_keeper_load_subscriptions (EarUserdataKeeper *self, EarUserdataEvent *reply)
{
  reply->first_start = ear_json_folder_is_new (self->folder, &reply->error);
  if (reply->error != NULL || !ear_subscription_file_refresh (self->subscriptions, &reply->error))
    return;

  ear_subscription_file_take_news (self->subscriptions);
  reply->subscriptions = ear_subscription_file_dup_all (self->subscriptions);
}

/* Stores a record in memory until it is written.
 * @record: a record that the listener made, changed or removed */
void
ear_userdata_keeper_set_record (EarUserdataKeeper *self, EarRecordKind kind,
                                const EarRecord *record)
{
  refresh_records (self, kind);
  ear_record_file_set (self->records[kind], record);
  self->n_records_set[kind]++;
  /* Report only now, so that the report includes the listener's change. */
  notify_records (self, kind, ear_record_file_steal_news (self->records[kind]));
}

/* Reports all records of a kind, removed ones too; later calls report changes. */
void
ear_userdata_keeper_load_records (EarUserdataKeeper *self, EarRecordKind kind)
{
  refresh_records (self, kind);
  notify_records (self, kind, ear_record_file_dup_all (self->records[kind]));
}

/* The current episode and its position: now.json, the position line, and their transfer
 * to the podcast's file */

static const EarMarkedPodcast *
get_podcast (const EarMarks *marks)
{
  return g_ptr_array_index (marks->podcasts, 0);
}

static const char *
get_guid (const EarMarks *marks)
{
  return g_array_index (get_podcast (marks)->episodes, EarMarkedEpisode, 0).guid;
}

/* Merges the position from another machine's copy of now.json into the podcast's file.
 * Returns: %TRUE if the copy was set aside */
static gboolean
absorb_now (EarUserdataKeeper *self, const char *copy, GError **error)
{
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (self->folder, copy, EAR_USERDATA_KIND_NOW);
  g_autoptr (GError) local = NULL;
  g_autoptr (EarMarks) marks = ear_userdata_now_read (file, &local);
  g_autofree char *aside = NULL;
  EarUserdataDocument *document;
  int lock;

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (marks == NULL)
    return TRUE;
  ear_userdata_keeper_apply (self, marks);
  document = ensure_document (self, get_podcast (marks)->address);
  if (ear_userdata_document_is_dirty (document) && !ear_userdata_document_write (document, error))
    return FALSE;
  lock = ear_json_folder_lock (self->folder, error);
  if (lock < 0)
    return FALSE;
  aside = ear_json_folder_set_aside (self->folder, copy, "merged", error);
  ear_json_folder_unlock (lock);

  return aside != NULL;
}

/* Queues a document that has to be written before now.json gets another episode. */
static void
leave (EarUserdataKeeper *self, const char *address)
{
  EarUserdataDocument *document = ensure_document (self, address);

  if (!g_ptr_array_find (self->left, document, NULL))
    g_ptr_array_add (self->left, document);
}

/* Makes sure that the current position will be in the podcast's file, too. */
static void
settle (EarUserdataKeeper *self)
{
  if (self->now != NULL)
    ear_userdata_document_set_dirty (ensure_document (self, get_podcast (self->now)->address));
}

/* Stores the current episode and position in memory until they are written to now.json.
 * The previous episode, if it is another one, will be written to its podcast's file.
 * @marks: the current episode and its position; without a stamp the episode is not
 * started, and its known position does not change */
void
ear_userdata_keeper_set_now (EarUserdataKeeper *self, EarMarks *marks)
{
  const EarMarkedPodcast *podcast = get_podcast (marks);
  EarUserdataDocument *document = ensure_document (self, podcast->address);
  const EarEpisodeState *known;

  notify_news (self, document);
  if (self->now != NULL &&
      (strcmp (get_guid (self->now), get_guid (marks)) != 0 || strcmp (get_podcast (self->now)->address, podcast->address) != 0))
    {
      settle (self);
      leave (self, get_podcast (self->now)->address);
    }

  if (marks->state.position_updated != 0)
    ear_userdata_document_apply (document, marks, podcast,
                                 &g_array_index (podcast->episodes, EarMarkedEpisode, 0));
  known = ear_userdata_document_lookup (document, get_guid (marks));
  g_clear_pointer (&self->now, ear_marks_unref);
  self->now = ear_marks_ref (marks);
  self->now_state = known != NULL && marks->state.position_updated != 0 ? *known : marks->state;
  self->is_now_dirty = TRUE;
}

/* Writes the position line, at once and without waiting for the disk. Its stamp is later
 * than that of now.json, even if the clock was set back.
 * @marks: the current episode and its position */
void
ear_userdata_keeper_set_place (EarUserdataKeeper *self, EarMarks *marks)
{
  EarEpisodeState state = marks->state;

  if (self->now != NULL)
    state.position_updated = MAX (state.position_updated, self->now_state.position_updated + G_TIME_SPAN_MILLISECOND);
  ear_userdata_place_write (self->place_path, get_podcast (marks)->address, get_guid (marks), &state);
}

/* Applies the position line, which is newer than now.json after a crash. */
static void
apply_place (EarUserdataKeeper *self, const EarMarks *now)
{
  const EarMarkedPodcast *podcast = get_podcast (now);
  const EarMarkedEpisode episode = { .guid = get_guid (now) };
  g_autoptr (EarMarks) marks = NULL;
  EarEpisodeState state;

  if (!ear_userdata_place_read (self->place_path, podcast->address, episode.guid, &state))
    return;
  marks = ear_marks_new (&state, 0);
  ear_marks_add_podcast (marks, 0, podcast->address, NULL, NULL);
  ear_marks_add (marks, 0, 0, episode);
  ear_userdata_keeper_apply (self, marks);
}

/* Loads the last episode and its position: from now.json or, if that is newer, from the
 * position line or the podcast's file.
 * @reply: gets the address, the guid and the position */
void
ear_userdata_keeper_load_now (EarUserdataKeeper *self, EarUserdataEvent *reply)
{
  g_autoptr (EarMarks) marks = ear_userdata_now_read (self->now_file, &reply->error);
  const EarEpisodeState *known;

  if (marks == NULL)
    return;

  ear_userdata_keeper_apply (self, marks);
  apply_place (self, marks);
  reply->address = g_strdup (get_podcast (marks)->address);
  reply->guid = g_strdup (get_guid (marks));
  leave (self, reply->address);
  known = ear_userdata_document_lookup (ensure_document (self, reply->address), reply->guid);
  reply->started = marks->state.position_updated != 0 || (known != NULL && known->position > 0);
  reply->position = known != NULL && reply->started ? known->position : marks->state.position;
}

static void
save_left (EarUserdataKeeper *self, GError **first)
{
  g_autoptr (EarMarks) found =
      ear_userdata_file_is_changed (self->now_file) ? ear_userdata_now_read (self->now_file, NULL) : NULL;

  if (found != NULL)
    {
      ear_userdata_keeper_apply (self, found);
      leave (self, get_podcast (found)->address);
    }
  for (guint i = self->left->len; i > 0; i--)
    {
      EarUserdataDocument *document = g_ptr_array_index (self->left, i - 1);

      if (ear_userdata_document_is_dirty (document) && !ear_userdata_document_write (document, *first == NULL ? first : NULL))
        continue;
      notify_news (self, document);
      g_ptr_array_remove_index_fast (self->left, i - 1);
    }
}

/* Writes the current episode, unless now.json has it. First, in case of a kill in
 * between, writes the previous episode, and another instance's content of now.json, to
 * the podcasts' files.
 * Returns: %TRUE if all of that is on the disk */
gboolean
ear_userdata_keeper_write_now (EarUserdataKeeper *self, GError **error)
{
  g_autoptr (EarMarks) found = NULL;
  g_autoptr (GError) first = NULL;

  if (!self->is_now_dirty)
    return TRUE;
  save_left (self, &first);
  self->is_now_dirty =
      !ear_userdata_now_write (self->now_file, self->now, &self->now_state, &found, first == NULL ? &first : NULL);
  if (found != NULL)
    ear_userdata_keeper_apply (self, found);
  if (first == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&first));

  return FALSE;
}

static void
absorb (EarUserdataKeeper *self, const char *copy, const char *original)
{
  g_autoptr (EarUserdataFile) file = NULL;
  g_autoptr (GError) error = NULL;
  EarJsonIdentity identity;
  gboolean ok = TRUE;

  if (!ear_json_folder_identify (self->folder, copy, &identity))
    return;
  if (g_str_equal (original, EAR_USERDATA_NOW_NAME))
    ok = absorb_now (self, copy, &error);
  else if (ear_userdata_shape_get_kind (original) != NULL)
    {
      file = ear_userdata_file_new (self->folder, original, ear_userdata_shape_get_kind (original));
      ok = ear_userdata_file_absorb (file, copy, &error);
    }
  if (!ok)
    g_debug ("a copy of %s stays where it is: %s", original, error->message);
}

/* Cleans up after crashes, and merges copies that a folder synchronizer made
 * of conflicting changes. */
void
ear_userdata_keeper_start (EarUserdataKeeper *self)
{
  g_autoptr (GPtrArray) copies = ear_json_folder_scan (self->folder);

  for (guint i = 0; i < copies->len; i++)
    {
      g_autofree char *original = ear_json_folder_dup_original (g_ptr_array_index (copies, i));

      absorb (self, g_ptr_array_index (copies, i), original);
    }
}

/* Reads a file that another program has changed, and reports the news in it. */
void
ear_userdata_keeper_notice (EarUserdataKeeper *self, const char *name)
{
  g_autofree char *original = ear_json_folder_dup_original (name);
  g_autoptr (GError) error = NULL;
  const char *kind;
  EarUserdataDocument *document;
  EarRecordKind records;

  if (original != NULL)
    {
      absorb (self, name, original);
      name = original;
    }
  document = g_hash_table_lookup (self->documents, name);
  kind = ear_userdata_shape_get_kind (name);
  if (document != NULL)
    {
      if (!ear_userdata_document_refresh (document, &error))
        notify_failed (self, error);
      notify_news (self, document);
    }
  else if (g_str_equal (name, EAR_SUBSCRIPTION_FILE_NAME))
    {
      if (!ear_subscription_file_refresh (self->subscriptions, &error))
        notify_failed (self, error);
      notify_if_news (self);
    }
  else if (kind != NULL && ear_record_kind_find (kind, &records))
    {
      refresh_records (self, records);
      notify_records (self, records, ear_record_file_steal_news (self->records[records]));
    }
}

/* Restores a backup, and reports the changes. Playback continues; its position is written
 * again with the next position.
 * @reply: has the path of the backup, and whether to unfollow podcasts
 * followed since then */
void
ear_userdata_keeper_restore (EarUserdataKeeper *self, EarUserdataEvent *reply)
{
  g_autoptr (GPtrArray) changed = NULL;

  /* Write changes in memory first: they are older than the restored values. */
  if (ear_userdata_keeper_write (self, &reply->error))
    changed = ear_userdata_restore (self->folder, reply->file, reply->exact, &reply->error);
  for (guint i = 0; changed != NULL && i < changed->len; i++)
    ear_userdata_keeper_notice (self, g_ptr_array_index (changed, i));
}

/* Whether something is not written yet. */
gboolean
ear_userdata_keeper_is_dirty (EarUserdataKeeper *self)
{
  GHashTableIter iter;
  gpointer document;

  g_hash_table_iter_init (&iter, self->documents);
  while (g_hash_table_iter_next (&iter, NULL, &document))
    if (ear_userdata_document_is_dirty (document))
      return TRUE;
  for (guint i = 0; i < EAR_N_RECORD_KINDS; i++)
    if (ear_record_file_is_dirty (self->records[i]))
      return TRUE;

  return ear_subscription_file_is_dirty (self->subscriptions) || self->is_now_dirty;
}

gboolean
ear_userdata_keeper_is_now_dirty (EarUserdataKeeper *self)
{
  return self->is_now_dirty;
}

static void
write_documents (EarUserdataKeeper *self, GError **first)
{
  GHashTableIter iter;
  gpointer document;

  g_hash_table_iter_init (&iter, self->documents);
  while (g_hash_table_iter_next (&iter, NULL, &document))
    {
      if (!ear_userdata_document_is_dirty (document))
        continue;
      ear_userdata_document_write (document, *first == NULL ? first : NULL);
      notify_news (self, document);
    }
}

static void
write_records (EarUserdataKeeper *self, GError **first)
{
  for (guint i = 0; i < EAR_N_RECORD_KINDS; i++)
    {
      if (!ear_record_file_is_dirty (self->records[i]))
        continue;
      ear_record_file_write (self->records[i], *first == NULL ? first : NULL);
      notify_records (self, i, ear_record_file_steal_news (self->records[i]));
    }
}

/* Writes all changes. A file that cannot be written does not keep others
 * from being written.
 * Returns: %TRUE if everything is on the disk */
gboolean
ear_userdata_keeper_write (EarUserdataKeeper *self, GError **error)
{
  g_autoptr (GError) first = NULL;

  ear_userdata_keeper_write_now (self, &first);
  write_documents (self, &first);
  write_records (self, &first);
  if (ear_subscription_file_is_dirty (self->subscriptions))
    {
      ear_subscription_file_write (self->subscriptions, first == NULL ? &first : NULL);
      notify_if_news (self);
    }
  if (first == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&first));

  return FALSE;
}

/* Writes everything at once, and the current position to the podcast's file, too. */
void
ear_userdata_keeper_flush (EarUserdataKeeper *self, EarUserdataEvent *reply)
{
  settle (self);
  ear_userdata_keeper_write (self, &reply->error);
  reply->written = TRUE;
}
