/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-keeper.h"

#include "ear-userdata-file.h"
#include "ear-userdata-now.h"
#include "ear-userdata-restore.h"

/* How long the position line alone has the position. Another machine sees only now.json, and
 * the line is of no use once that machine has written another episode there. */
#define LINE_LIMIT G_TIME_SPAN_MINUTE

/* now.json gets the position once in this time if another machine writes there, too, or if the line
 * cannot be written, or has no position as the episode is not started. */
#define NOW_INTERVAL (5 * G_TIME_SPAN_SECOND)

/* A crash can lose one position, and a power cut so many. */
#define SYNC_INTERVAL 5

/* All state files and their relations. The keeper has no threads and no timers: it lives on
 * the store's thread, which decides when to write. */
struct _EarUserdataKeeper
{
  /* Owned */
  EarJsonFolder folder;
  GHashTable *files; /* (element-type utf8 EarUserdataFile): by file name */
  guint n_set;       /* number of subscriptions and records set since the start */
  EarUserdataFile *now_file;
  char *line_path;           /* path of the position line */
  EarMarks *now;         /* (nullable): the current episode and its position */
  gboolean is_now_dirty; /* it is not on the disk yet */
  EarMarks *written;     /* (nullable): the episode in now.json, and its position there */
  gint64 written_at;     /* when it was written, in monotonic microseconds */
  guint n_unsynced;      /* positions in the line since something was synced */

  /* Borrowed */
  EarUserdataNotify notify;
  gpointer user_data;
};

void
ear_userdata_message_free (EarUserdataMessage *self)
{
  g_clear_object (&self->task);
  g_clear_error (&self->error);
  if (self->result != NULL)
    self->result_free (self->result);
  g_clear_pointer (&self->marks, ear_marks_unref);
  g_clear_pointer (&self->states, g_hash_table_unref);
  g_clear_pointer (&self->subscription, ear_subscription_unref);
  g_clear_pointer (&self->subscriptions, g_ptr_array_unref);
  g_clear_pointer (&self->record, ear_record_free);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  ear_texts_free (self, &self->set_aside);
}

static void
damaged_cb (const char *set_aside, gboolean restored, gpointer user_data)
{
  EarUserdataKeeper *self = user_data;
  EarUserdataMessage *message = g_new0 (EarUserdataMessage, 1);

  message->set_aside = g_strdup (set_aside);
  message->restored = restored;
  self->notify (message, self->user_data);
}

static EarUserdataFile *
get_file (EarUserdataKeeper *self, const char *name)
{
  EarUserdataFile *file = g_hash_table_lookup (self->files, name);

  if (file == NULL)
    {
      file = ear_userdata_file_new (&self->folder, name);
      g_hash_table_insert (self->files, g_strdup (name), file);
    }

  return file;
}

/* Returns: (transfer none): the file, up to date with the disk */
static EarUserdataFile *
ensure_file (EarUserdataKeeper *self, const char *name)
{
  EarUserdataFile *file = get_file (self, name);
  g_autoptr (GError) error = NULL;

  if (!ear_userdata_file_refresh (file, &error))
    {
      EarUserdataMessage *message = g_new0 (EarUserdataMessage, 1);

      message->error = g_steal_pointer (&error);
      self->notify (message, self->user_data);
    }

  return file;
}

static EarUserdataFile *
ensure_podcast (EarUserdataKeeper *self, const char *address)
{
  g_autofree char *name = ear_userdata_shape_dup_name (address);
  EarUserdataFile *file = ensure_file (self, name);

  ear_userdata_file_describe (file, address, NULL, NULL);

  return file;
}

/* --- Reports ------------------------------------------------------------------------ */

static void
add_mark (const char *guid, const char *const *facts, guint key, GVariant *value, gint64 stamp,
          gpointer user_data)
{
  GHashTable *states = user_data;
  EarEpisodeState *state = g_hash_table_lookup (states, guid);

  if (state == NULL)
    {
      state = g_new0 (EarEpisodeState, 1);
      g_hash_table_insert (states, g_strdup (guid), state);
    }
  state->values[key] = g_variant_get_int64 (value);
  state->updated[key] = stamp;
}

static void
add_setting (const char *subject, const char *const *facts, guint key, GVariant *value,
             gint64 stamp, gpointer user_data)
{
  EarPodcastSettings *settings = user_data;

  settings->values[key] = (int) g_variant_get_int64 (value);
  settings->updated[key] = stamp;
}

static void
add_subscription (const char *address, const char *const *facts, guint key, GVariant *value,
                  gint64 stamp, gpointer user_data)
{
  GPtrArray *all = user_data;
  EarSubscription *last = all->len > 0 ? g_ptr_array_index (all, all->len - 1) : NULL;

  if (key == EAR_ENTRY_FOLLOWED)
    g_ptr_array_add (all, ear_subscription_new (address, facts[EAR_FACT_FEED],
                                                facts[EAR_FACT_TITLE],
                                                g_variant_get_int64 (value) != 0, stamp));
  else if (last != NULL && g_str_equal (last->address, address))
    {
      const char *folder = g_variant_get_string (value, NULL);

      last->folder = *folder != '\0' ? g_strdup (folder) : NULL;
      last->folder_updated = stamp;
    }
}

static GPtrArray *
list_subscriptions (EarUserdataFile *file)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_subscription_unref);

  ear_userdata_file_report (file, 0, TRUE, add_subscription, all);

  return all;
}

static void
add_record (const char *id, const char *const *facts, guint key, GVariant *value, gint64 stamp,
            gpointer user_data)
{
  const gboolean is_removed = g_variant_is_of_type (value, G_VARIANT_TYPE_UNIT);

  g_ptr_array_add (user_data, ear_record_new (id, is_removed ? NULL : value, stamp));
}

static GPtrArray *
list_records (EarUserdataFile *file, gboolean all)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_record_free);

  ear_userdata_file_report (file, 0, all, add_record, list);

  return list;
}

GPtrArray *
ear_userdata_keeper_peek_records (const char *path, EarRecordKind kind)
{
  EarJsonFolder folder = { .path = path };
  g_autofree char *name = g_strconcat (ear_record_kind_names[kind], ".json", NULL);
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (&folder, name);

  ear_userdata_file_peek (file);

  return list_records (file, TRUE);
}

/* Reports what a file has: all of it, or changes by other instances and machines; of the
 * subscriptions always all. */
static void
report (EarUserdataKeeper *self, EarUserdataFile *file, gboolean all)
{
  const char *kind = ear_userdata_file_get_kind (file);
  g_autoptr (EarUserdataMessage) news = g_new0 (EarUserdataMessage, 1);
  gboolean found = all;

  if (ear_record_kind_find (kind, &news->record_kind))
    {
      news->records = list_records (file, all);
      found |= news->records->len > 0;
    }
  else if (g_str_equal (kind, EAR_USERDATA_KIND_SUBSCRIPTIONS))
    {
      found |= ear_userdata_file_report (file, 0, FALSE, NULL, NULL);
      if (found)
        news->subscriptions = list_subscriptions (file);
    }
  else
    {
      news->address = g_strdup (ear_userdata_file_get_address (file));
      news->states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      ear_podcast_settings_init (&news->settings);
      news->has_settings =
          ear_userdata_file_report (file, EAR_TABLE_SETTINGS, all, add_setting, &news->settings);
      found = ear_userdata_file_report (file, EAR_TABLE_EPISODES, all, add_mark, news->states) ||
              news->has_settings;
    }
  news->n_set = self->n_set;
  if (found)
    self->notify (g_steal_pointer (&news), self->user_data);
}

/* --- The keeper --------------------------------------------------------------------- */

/* @directory: path of the folder; must outlive the keeper
 * Returns: (transfer full): a keeper, for use on one thread */
EarUserdataKeeper *
ear_userdata_keeper_new (const char *directory, EarUserdataNotify notify, gpointer user_data)
{
  EarUserdataKeeper *self = g_new0 (EarUserdataKeeper, 1);

  self->notify = notify;
  self->user_data = user_data;
  self->folder = (EarJsonFolder) { directory, damaged_cb, self };
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) ear_userdata_file_free);
  self->now_file = ear_userdata_file_new (&self->folder, EAR_USERDATA_NOW_NAME);
  self->line_path = g_strconcat (directory, ".place", NULL);
  self->written_at = -LINE_LIMIT;

  return self;
}

/* Frees the keeper; unwritten changes are lost. */
void
ear_userdata_keeper_free (EarUserdataKeeper *self)
{
  g_clear_pointer (&self->now, ear_marks_unref);
  g_clear_pointer (&self->written, ear_marks_unref);
  ear_userdata_file_free (self->now_file);
  g_free (self->line_path);
  g_hash_table_unref (self->files);
  g_free (self);
}

/* Reports everything that a file has: marks and settings of a podcast, all subscriptions and
 * tombstones, or records, removed ones too. Later calls report changes.
 * @request: has the address of the podcast, or the name of the file */
void
ear_userdata_keeper_load (EarUserdataKeeper *self, EarUserdataMessage *request)
{
  report (self,
          request->address != NULL ? ensure_podcast (self, request->address)
                                   : ensure_file (self, request->file),
          TRUE);
}

/* Stores settings of a podcast in memory until they are written. */
void
ear_userdata_keeper_set_settings (EarUserdataKeeper *self, EarUserdataMessage *request)
{
  const EarPodcastSettings *settings = &request->settings;
  EarUserdataFile *file = ensure_podcast (self, request->address);
  gboolean changed = FALSE;

  report (self, file, FALSE);
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (settings->updated[i] != 0 && ear_podcast_setting_accepts (i, settings->values[i]))
      changed |= ear_userdata_file_set (file, EAR_TABLE_SETTINGS, "settings", i,
                                        g_variant_new_int64 (settings->values[i]),
                                        settings->updated[i], request->done);
  if (!changed)
    return;
  ear_userdata_file_describe (file, request->address, request->feed_address, request->title);
  ear_userdata_file_set_dirty (file);
}

/* Learns other names of an episode, and of one that has changed what people read.
 * @changed: whether it has new marks
 * Returns: whether there is something to write */
static gboolean
describe (EarUserdataFile *file, const EarMarkedPodcast *podcast, const EarMarkedEpisode *episode,
          gboolean changed)
{
  if (episode->alias != NULL && !g_str_equal (episode->alias, episode->guid))
    changed |= ear_userdata_file_add_alias (file, episode->guid, episode->alias);
  if (!changed)
    return FALSE;
  ear_userdata_file_set_fact (file, episode->guid, EAR_FACT_TITLE, episode->title);
  ear_userdata_file_set_fact (file, episode->guid, EAR_FACT_ENCLOSURE, episode->enclosure);
  ear_userdata_file_describe (file, podcast->address, podcast->feed_address, podcast->title);

  return TRUE;
}

/* Stores marks in memory until they are written, each file once. The position of the current
 * episode need not be written there: now.json has it. Of marks without a stamp, the other names
 * of known episodes count. */
void
ear_userdata_keeper_set_marks (EarUserdataKeeper *self, EarUserdataMessage *request)
{
  const EarMarks *marks = request->marks;
  const EarEpisodeState *state = &marks->state;

  for (guint i = 0; i < marks->podcasts->len; i++)
    {
      const EarMarkedPodcast *podcast = g_ptr_array_index (marks->podcasts, i);
      EarUserdataFile *file = ensure_podcast (self, podcast->address);

      report (self, file, FALSE);
      for (guint j = 0; j < podcast->episodes->len; j++)
        {
          const EarMarkedEpisode *episode = &g_array_index (podcast->episodes, EarMarkedEpisode, j);
          gboolean changed = FALSE;

          for (guint key = 0; key < EAR_N_MARKS; key++)
            if (state->updated[key] != 0)
              changed |= ear_userdata_file_set (
                  file, EAR_TABLE_EPISODES, episode->guid, key,
                  g_variant_new_int64 (ear_mark_bound (key, state->values[key])),
                  state->updated[key], marks->updated);
          if ((changed || ear_episode_state_is_empty (state)) &&
              describe (file, podcast, episode, changed) && marks != self->now)
            ear_userdata_file_set_dirty (file);
        }
    }
}

/* Follows or unfollows a podcast, moves it to a folder, or stores its title and new feed
 * address, in memory until that is written. */
void
ear_userdata_keeper_set_subscription (EarUserdataKeeper *self, EarUserdataMessage *request)
{
  const EarSubscription *subscription = request->subscription;
  EarUserdataFile *file = ensure_file (self, EAR_SUBSCRIPTION_FILE_NAME);
  const char *address = subscription->address;
  const gint64 now = g_get_real_time ();
  const char *folder = subscription->folder != NULL ? subscription->folder : "";
  GVariant *followed;
  gboolean changed = FALSE;

  /* A new title does not make the podcast followed: another machine may have unfollowed it
   * in between. */
  ear_userdata_file_get (file, 0, address, EAR_ENTRY_FOLLOWED, &followed);
  if (followed == NULL || (g_variant_get_int64 (followed) != 0) != (subscription->followed != 0))
    changed |= ear_userdata_file_set (file, 0, address, EAR_ENTRY_FOLLOWED,
                                      g_variant_new_int64 (subscription->followed != 0),
                                      subscription->updated > 0 ? subscription->updated : now, now);
  if (subscription->folder_updated != 0)
    changed |= ear_userdata_file_set (file, 0, address, EAR_ENTRY_FOLDER,
                                      g_variant_new_string (folder),
                                      subscription->folder_updated, now);
  changed |= ear_userdata_file_set_fact (file, address, EAR_FACT_TITLE, subscription->title);
  changed |= ear_userdata_file_set_fact (file, address, EAR_FACT_FEED, subscription->feed_address);
  if (changed)
    ear_userdata_file_set_dirty (file);
  self->n_set++;
  /* Report only now, so that the report includes the listener's change. */
  report (self, file, FALSE);
}

/* Loads all subscriptions and tombstones. */
void
ear_userdata_keeper_load_subscriptions (EarUserdataKeeper *self, EarUserdataMessage *reply)
{
  EarUserdataFile *file = get_file (self, EAR_SUBSCRIPTION_FILE_NAME);

  if (ear_userdata_file_refresh (file, &reply->error))
    {
      reply->result = list_subscriptions (file);
      reply->result_free = (GDestroyNotify) g_ptr_array_unref;
    }
}

/* Stores a record in memory until it is written. */
void
ear_userdata_keeper_set_record (EarUserdataKeeper *self, EarUserdataMessage *request)
{
  const EarRecord *record = request->record;
  EarUserdataFile *file = ensure_file (self, request->file);
  GVariant *value = record->value != NULL ? record->value : g_variant_new_tuple (NULL, 0);

  if (ear_userdata_file_set (file, 0, record->id, 0, value, record->updated, g_get_real_time ()))
    ear_userdata_file_set_dirty (file);
  self->n_set++;
  /* Report only now, so that the report includes the listener's change. */
  report (self, file, FALSE);
}

/* --- Writing ------------------------------------------------------------------------ */

/* Whether something is not written yet. */
gboolean
ear_userdata_keeper_is_dirty (EarUserdataKeeper *self)
{
  GHashTableIter iter;
  gpointer file;

  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, NULL, &file))
    if (ear_userdata_file_is_dirty (file))
      return TRUE;

  return self->is_now_dirty;
}

/* --- The current episode ------------------------------------------------------------ */

static gboolean
is_same_episode (const EarMarks *a, const EarMarks *b)
{
  return a != NULL &&
         g_str_equal (ear_marks_get_episode (a)->guid, ear_marks_get_episode (b)->guid) &&
         g_str_equal (ear_marks_get_podcast (a)->address, ear_marks_get_podcast (b)->address);
}

/* Makes sure that the current position will be in the podcast's file, too. */
static void
set_podcast_dirty (EarUserdataKeeper *self)
{
  if (self->now != NULL)
    ear_userdata_file_set_dirty (ensure_podcast (self, ear_marks_get_podcast (self->now)->address));
}

/* Returns: the known position of an episode in its podcast's file */
static EarEpisodeState
get_position (EarUserdataKeeper *self, const EarMarks *marks)
{
  EarEpisodeState state = { 0 };
  GVariant *position;

  state.position_updated = ear_userdata_file_get (
      ensure_podcast (self, ear_marks_get_podcast (marks)->address), EAR_TABLE_EPISODES,
      ear_marks_get_episode (marks)->guid, EAR_MARK_POSITION, &position);
  state.position = position != NULL ? g_variant_get_int64 (position) : 0;

  return state;
}

/* Whether now.json has named the current episode since a short while.
 * @in_line: whether the line has the position, too */
static gboolean
is_now_recent (EarUserdataKeeper *self, gboolean in_line)
{
  const gboolean is_started = self->now->state.position_updated != 0;
  const gint64 age = g_get_monotonic_time () - self->written_at;

  return is_same_episode (self->written, self->now) &&
         (self->written->state.position_updated != 0) == is_started &&
         (age < NOW_INTERVAL ||
          (age < LINE_LIMIT && in_line && !ear_userdata_file_is_changed (self->now_file)));
}

/* Stores the current episode and its position: in the position line at once, or in memory until
 * they are written to now.json. The previous episode, if it is another one, will be written to
 * its podcast's file.
 * @request: has the current episode and its position, for the keeper alone; without a stamp the
 * episode is not started, and its known position does not change */
void
ear_userdata_keeper_set_now (EarUserdataKeeper *self, EarUserdataMessage *request)
{
  gboolean in_line = FALSE;

  if (!is_same_episode (self->now, request->marks))
    set_podcast_dirty (self);
  g_clear_pointer (&self->now, ear_marks_unref);
  self->now = ear_marks_ref (request->marks);
  if (self->now->state.position_updated != 0)
    {
      ear_userdata_keeper_set_marks (self, request);
      /* Its stamp is later than that of the last one, even if the clock was set back. */
      self->now->state = get_position (self, self->now);
    }
  /* Until now.json names the episode, the line keeps the position of the previous one. */
  if (self->now->state.position_updated != 0 && is_same_episode (self->written, self->now))
    {
      self->n_unsynced = (self->n_unsynced + 1) % SYNC_INTERVAL;
      in_line = ear_position_line_write (self->line_path, self->now, self->n_unsynced == 0);
    }
  self->is_now_dirty |= !is_now_recent (self, in_line);
}

/* Loads the last episode and its position: from now.json or, if that is newer, from the
 * position line or the podcast's file.
 * @reply: gets the episode and its position, with a stamp if it is started */
void
ear_userdata_keeper_load_now (EarUserdataKeeper *self, EarUserdataMessage *reply)
{
  g_autoptr (EarMarks) marks = ear_userdata_now_read (self->now_file, &reply->error);
  g_autoptr (EarMarks) line = NULL;
  EarEpisodeState state;
  const char *address, *guid;

  if (marks == NULL)
    return;

  g_clear_pointer (&self->written, ear_marks_unref);
  self->written = ear_marks_ref (marks);
  ear_userdata_keeper_set_marks (self, &(EarUserdataMessage) { .marks = marks });
  address = ear_marks_get_podcast (marks)->address;
  guid = ear_marks_get_episode (marks)->guid;
  line = ear_position_line_read (self->line_path, address, guid);
  if (line != NULL)
    ear_userdata_keeper_set_marks (self, &(EarUserdataMessage) { .marks = line });
  state = get_position (self, marks);
  /* An episode that is not started has a position in now.json only. */
  if (marks->state.position_updated == 0 && state.position == 0)
    state = marks->state;
  reply->result = ear_marks_new_single (address, guid, &state);
  reply->result_free = (GDestroyNotify) ear_marks_unref;
}

/* Writes the current position to now.json, and the marks of another instance that it replaces to
 * their file. */
static void
write_now (EarUserdataKeeper *self, GError **first)
{
  g_autoptr (EarMarks) replaced = NULL;

  self->is_now_dirty = !ear_userdata_now_write (self->now_file, self->now, &replaced,
                                                *first == NULL ? first : NULL);
  if (replaced != NULL)
    ear_userdata_keeper_set_marks (self, &(EarUserdataMessage) { .marks = replaced });
  if (self->is_now_dirty)
    return;
  g_clear_pointer (&self->written, ear_marks_unref);
  self->written = ear_marks_ref (self->now);
  self->written_at = g_get_monotonic_time ();
  self->n_unsynced = 0;
  ear_userdata_keeper_write (self, *first == NULL ? first : NULL);
}

/* Writes all changed files, and reports the news that they had; the subscriptions after those of
 * podcasts, as a podcast that was followed twice goes from them once the other one has its marks.
 * In case of a kill in between, now.json comes last: the files have the previous episode's
 * position and another instance's content of now.json then. A file that cannot be written does
 * not keep others from being written.
 * Returns: %TRUE if everything is on the disk */
gboolean
ear_userdata_keeper_write (EarUserdataKeeper *self, GError **error)
{
  EarUserdataFile *subscriptions = g_hash_table_lookup (self->files, EAR_SUBSCRIPTION_FILE_NAME);
  g_autoptr (EarMarks) found = NULL;
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GError) first = NULL;

  if (self->is_now_dirty && ear_userdata_file_is_changed (self->now_file))
    found = ear_userdata_now_read (self->now_file, NULL);
  if (found != NULL)
    ear_userdata_keeper_set_marks (self, &(EarUserdataMessage) { .marks = found });
  files = g_hash_table_get_values_as_ptr_array (self->files);
  if (g_ptr_array_remove (files, subscriptions))
    g_ptr_array_add (files, subscriptions);
  for (guint i = 0; i < files->len; i++)
    {
      EarUserdataFile *file = g_ptr_array_index (files, i);

      if (!ear_userdata_file_is_dirty (file))
        continue;
      ear_userdata_file_write (file, first == NULL ? &first : NULL);
      report (self, file, FALSE);
    }
  if (self->is_now_dirty)
    write_now (self, &first);
  if (first == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&first));

  return FALSE;
}

/* Writes everything at once, and the current position to now.json and to the podcast's file,
 * too. A position that now.json has got already is not written again: another machine may have
 * written its episode there since then. */
void
ear_userdata_keeper_flush (EarUserdataKeeper *self, EarUserdataMessage *reply)
{
  set_podcast_dirty (self);
  self->is_now_dirty |=
      self->now != NULL &&
      (self->written == NULL || self->now->state.position != self->written->state.position ||
       self->now->state.position_updated != self->written->state.position_updated);
  ear_userdata_keeper_write (self, &reply->error);
}

/* --- Files of other machines -------------------------------------------------------- */

/* Merges the position from another machine's copy of now.json into the podcast's file.
 * Returns: %TRUE if the copy was set aside */
static gboolean
absorb_now (EarUserdataKeeper *self, const char *copy, GError **error)
{
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (&self->folder, copy);
  g_autoptr (GError) first = NULL;
  g_autoptr (EarMarks) marks = ear_userdata_now_read (file, &first);
  g_autofree char *aside = NULL;

  if (first == NULL && marks == NULL)
    return TRUE;
  if (marks != NULL)
    ear_userdata_keeper_set_marks (self, &(EarUserdataMessage) { .marks = marks });
  ear_userdata_keeper_write (self, first == NULL ? &first : NULL);
  if (first == NULL)
    aside = ear_json_folder_set_aside (&self->folder, copy, "merged", FALSE, &first);
  if (first != NULL)
    g_propagate_error (error, g_steal_pointer (&first));

  return aside != NULL;
}

static void
absorb (EarUserdataKeeper *self, const char *copy, const char *original)
{
  const char *kind = ear_userdata_shape_get_kind (original);
  g_autoptr (GError) error = NULL;
  EarJsonIdentity identity;
  gboolean ok = TRUE;

  if (!ear_json_folder_identify (&self->folder, copy, &identity))
    return;
  if (g_str_equal (original, EAR_USERDATA_NOW_NAME))
    ok = absorb_now (self, copy, &error);
  else if (kind != NULL)
    {
      g_autoptr (EarUserdataFile) file = ear_userdata_file_new (&self->folder, original);

      ok = ear_userdata_file_absorb (file, copy, &error);
    }
  if (!ok)
    g_debug ("a copy of %s stays where it is: %s", original,
             error != NULL ? error->message : "it is missing");
}

/* Cleans up after crashes, and merges copies that a folder synchronizer made of conflicting
 * changes. */
void
ear_userdata_keeper_start (EarUserdataKeeper *self)
{
  g_autoptr (GPtrArray) copies = ear_json_folder_scan (&self->folder);

  for (guint i = 0; i < copies->len; i++)
    {
      g_autofree char *original = ear_json_folder_dup_original (g_ptr_array_index (copies, i));

      absorb (self, g_ptr_array_index (copies, i), original);
    }
}

/* Reads a file that another program has changed, and reports the news in it. A podcast's
 * file is read once somebody asks for it. */
void
ear_userdata_keeper_notice (EarUserdataKeeper *self, const char *name)
{
  g_autofree char *original = ear_json_folder_dup_original (name);
  const char *kind;

  if (original != NULL)
    {
      absorb (self, name, original);
      name = original;
    }
  kind = ear_userdata_shape_get_kind (name);
  if (kind != NULL && (!g_str_equal (kind, EAR_USERDATA_KIND_PODCAST) ||
                       g_hash_table_contains (self->files, name)))
    report (self, ensure_file (self, name), FALSE);
}

/* --- Backups ------------------------------------------------------------------------ */

/* Lists the backups, newest first. */
void
ear_userdata_keeper_list_backups (EarUserdataKeeper *self, EarUserdataMessage *reply)
{
  reply->result = ear_backup_folder_list (self->folder.path);
  reply->result_free = (GDestroyNotify) g_ptr_array_unref;
}

/* Restores a backup, and reports the changes. Playback continues; its position is written
 * again with the next position.
 * @reply: has the path of the backup, and whether to unfollow podcasts followed since then; gets
 * a backup of the state before */
void
ear_userdata_keeper_restore (EarUserdataKeeper *self, EarUserdataMessage *reply)
{
  /* Read the whole backup first: it may be cut off, or go when the other one is made. */
  g_autoptr (GHashTable) contents = ear_backup_file_read (reply->file, &reply->error);
  g_autoptr (GPtrArray) changed = NULL;

  if (reply->error == NULL)
    ear_userdata_keeper_flush (self, reply);
  if (reply->error != NULL)
    return;
  reply->result_free = (GDestroyNotify) ear_backup_unref;
  reply->result =
      ear_backup_folder_make (self->folder.path, EAR_BACKUP_BEFORE_RESTORING, &reply->error);
  if (reply->result != NULL)
    changed = ear_userdata_restore (&self->folder, contents, reply->exact, &reply->error);
  for (guint i = 0; changed != NULL && i < changed->len; i++)
    ear_userdata_keeper_notice (self, g_ptr_array_index (changed, i));
}
