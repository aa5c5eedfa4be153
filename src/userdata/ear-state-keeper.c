/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-state-keeper-private.h"

#include "ear-state-restore.h"

/*
 * All files of the listened state and how they belong together. It knows no threads and no timers:
 * it lives on the thread of the files, which calls it and decides when to write.
 */

static void
tell_damaged (const char *file, const char *set_aside, gboolean restored, gpointer user_data)
{
  EarStateKeeper *self = user_data;
  EarStateEvent *event = ear_state_event_new (EAR_STATE_EVENT_DAMAGED);

  event->file = g_strdup (file);
  event->set_aside = g_strdup (set_aside);
  event->restored = restored;
  self->tell (event, self->user_data);
}

static void
tell_failed (EarStateKeeper *self, const GError *error)
{
  EarStateEvent *event = ear_state_event_new (EAR_STATE_EVENT_FAILED);

  event->error = g_error_copy (error);
  self->tell (event, self->user_data);
}

static void
tell_states (EarStateKeeper *self, EarStateDocument *document, GHashTable *states)
{
  EarStateEvent *event;

  if (states == NULL)
    return;
  event = ear_state_event_new (EAR_STATE_EVENT_PODCAST);
  event->address = g_strdup (ear_state_document_get_address (document));
  event->states = states;
  self->tell (event, self->user_data);
}

static void
tell_settings (EarStateKeeper *self, EarStateDocument *document, const EarPodcastSettings *settings)
{
  EarStateEvent *event = ear_state_event_new (EAR_STATE_EVENT_SETTINGS);

  event->address = g_strdup (ear_state_document_get_address (document));
  event->settings = *settings;
  self->tell (event, self->user_data);
}

/* Tells what somebody else did. */
void
ear_state_keeper_tell_news (EarStateKeeper *self, EarStateDocument *document)
{
  EarPodcastSettings settings;

  tell_states (self, document, ear_state_document_steal_news (document));
  if (ear_state_document_take_settings_news (document, &settings))
    tell_settings (self, document, &settings);
}

/* Tells what is followed, and what no longer is, with all that was set until now. */
void
ear_state_keeper_tell_subscriptions (EarStateKeeper *self)
{
  EarStateEvent *event = ear_state_event_new (EAR_STATE_EVENT_SUBSCRIPTIONS);

  event->subscriptions = ear_subscription_file_dup_all (self->subscriptions);
  event->n_set = self->n_set;
  self->tell (event, self->user_data);
}

static void
tell_if_news (EarStateKeeper *self)
{
  if (ear_subscription_file_take_news (self->subscriptions))
    ear_state_keeper_tell_subscriptions (self);
}

/**
 * ear_state_keeper_new:
 *
 * Returns: (transfer full): a keeper, for use on one thread
 */
EarStateKeeper *
ear_state_keeper_new (const char *directory, EarStateTell tell, gpointer user_data)
{
  EarStateKeeper *self = g_new0 (EarStateKeeper, 1);

  self->tell = tell;
  self->user_data = user_data;
  self->folder = ear_state_folder_new (directory, tell_damaged, self);
  self->documents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ear_state_document_free);
  self->subscriptions = ear_subscription_file_new (self->folder);
  self->now = ear_state_now_new (self->folder, EAR_STATE_NOW_NAME);
  self->left = g_ptr_array_new ();

  return self;
}

/* Frees the keeper; what was not written is lost. */
void
ear_state_keeper_free (EarStateKeeper *self)
{
  g_ptr_array_unref (self->left);
  ear_state_now_free (self->now);
  ear_subscription_file_free (self->subscriptions);
  g_hash_table_unref (self->documents);
  ear_state_folder_free (self->folder);
  g_free (self);
}

EarStateFolder *
ear_state_keeper_get_folder (EarStateKeeper *self)
{
  return self->folder;
}

/**
 * ear_state_keeper_need_document:
 *
 * Returns: (transfer none): the document of the podcast, with what its file has now
 */
EarStateDocument *
ear_state_keeper_need_document (EarStateKeeper *self, const char *address)
{
  g_autofree char *name = ear_state_document_dup_name (address);
  EarStateDocument *document = g_hash_table_lookup (self->documents, name);
  g_autoptr (GError) error = NULL;

  if (document == NULL)
    {
      document = ear_state_document_new (self->folder, address);
      g_hash_table_insert (self->documents, g_steal_pointer (&name), document);
    }
  if (!ear_state_document_refresh (document, &error))
    tell_failed (self, error);

  return document;
}

/* Tells everything that is known of the podcast and its episodes, if that is anything; and from now on what becomes
 * new. */
void
ear_state_keeper_load_podcast (EarStateKeeper *self, const char *address)
{
  EarStateDocument *document = ear_state_keeper_need_document (self, address);
  g_autoptr (GHashTable) states = ear_state_document_dup_states (document);
  EarPodcastSettings settings;

  if (ear_state_document_read_settings (document, &settings))
    tell_settings (self, document, &settings);
  if (g_hash_table_size (states) > 0)
    tell_states (self, document, g_steal_pointer (&states));
}

/* Keeps it in memory until it is written. */
void
ear_state_keeper_apply_deed (EarStateKeeper *self, const EarStateDeed *deed)
{
  EarStateDocument *document = ear_state_keeper_need_document (self, deed->address);

  ear_state_keeper_tell_news (self, document);
  if (ear_state_document_apply (document, deed))
    ear_state_document_set_dirty (document);
}

/**
 * ear_state_keeper_set_settings:
 * @deed: what the listener wants for a podcast
 *
 * Keeps it in memory until it is written.
 */
void
ear_state_keeper_set_settings (EarStateKeeper *self, const EarSettingsDeed *deed)
{
  EarStateDocument *document = ear_state_keeper_need_document (self, deed->address);

  ear_state_keeper_tell_news (self, document);
  if (ear_state_document_apply_settings (document, deed))
    ear_state_document_set_dirty (document);
}

static void
set_marked (EarStateDocument *document, const EarMarks *marks, const EarMarkedPodcast *podcast)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < podcast->episodes->len; i++)
    {
      const EarMarkedEpisode *episode = &g_array_index (podcast->episodes, EarMarkedEpisode, i);
      EarStateDeed deed = {
        .address = (char *) podcast->address,
        .feed_address = (char *) podcast->feed_address,
        .podcast_title = (char *) podcast->title,
        .guid = (char *) episode->guid,
        .alias = (char *) episode->alias,
        .title = (char *) episode->title,
        .enclosure = (char *) episode->enclosure,
        .state = marks->state,
        .done = marks->updated,
      };

      changed |= ear_state_document_apply (document, &deed);
    }
  if (changed)
    ear_state_document_set_dirty (document);
}

/* Keeps it in memory until it is written, each file once. */
void
ear_state_keeper_apply (EarStateKeeper *self, const EarMarks *marks)
{
  for (guint i = 0; i < marks->podcasts->len; i++)
    {
      const EarMarkedPodcast *podcast = g_ptr_array_index (marks->podcasts, i);
      EarStateDocument *document = ear_state_keeper_need_document (self, podcast->address);

      ear_state_keeper_tell_news (self, document);
      set_marked (document, marks, podcast);
    }
}

/**
 * ear_state_keeper_add_names:
 * @names: (element-type utf8 utf8): other names of its episodes, by guid
 *
 * Keeps them in memory until they are written, where anything is known of the episodes.
 */
void
ear_state_keeper_add_names (EarStateKeeper *self, const char *address, GHashTable *names)
{
  EarStateDocument *document = ear_state_keeper_need_document (self, address);
  GHashTableIter iter;
  gpointer guid, name;

  ear_state_keeper_tell_news (self, document);
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &guid, &name))
    if (ear_state_document_add_name (document, guid, name))
      ear_state_document_set_dirty (document);
}

/**
 * ear_state_keeper_set_subscription:
 * @subscription: what the listener follows, or no longer does
 *
 * Keeps it in memory until it is written.
 */
void
ear_state_keeper_set_subscription (EarStateKeeper *self, const EarSubscription *subscription)
{
  g_autoptr (GError) error = NULL;

  if (!ear_subscription_file_refresh (self->subscriptions, &error))
    tell_failed (self, error);
  ear_subscription_file_set (self->subscriptions, subscription, g_get_real_time ());
  self->n_set++;
  /* Not before: what is told is what the listener wants now. */
  tell_if_news (self);
}

/**
 * ear_state_keeper_load_subscriptions:
 * @reply: takes the subscriptions, and whether this is the first start
 *
 * What is followed, and what no longer is.
 */
void
ear_state_keeper_load_subscriptions (EarStateKeeper *self, EarStateEvent *reply)
{
  reply->first_start = ear_state_folder_is_new (self->folder, &reply->error);
  if (reply->error != NULL || !ear_subscription_file_refresh (self->subscriptions, &reply->error))
    return;

  ear_subscription_file_take_news (self->subscriptions);
  reply->subscriptions = ear_subscription_file_dup_all (self->subscriptions);
}

static void
absorb (EarStateKeeper *self, const char *copy, const char *original)
{
  g_autoptr (EarStateFile) file = NULL;
  g_autoptr (GError) error = NULL;
  EarStateIdentity identity;
  gboolean ok = TRUE;

  if (!ear_state_folder_identify (self->folder, copy, &identity))
    return;
  if (g_str_equal (original, EAR_STATE_NOW_NAME))
    ok = ear_state_keeper_absorb_now (self, copy, &error);
  else if (ear_state_shape_get_kind (original) != NULL)
    {
      file = ear_state_file_new (self->folder, original, ear_state_shape_get_kind (original));
      ok = ear_state_file_absorb (file, copy, &error);
    }
  if (!ok)
    g_debug ("a copy of %s stays where it is: %s", original, error->message);
}

/* Clears up what crashes have left, and merges what another machine changed at the same time. */
void
ear_state_keeper_start (EarStateKeeper *self)
{
  g_autoptr (GPtrArray) copies = ear_state_folder_scan (self->folder);

  for (guint i = 0; i < copies->len; i++)
    {
      g_autofree char *original = ear_state_folder_dup_original (g_ptr_array_index (copies, i));

      absorb (self, g_ptr_array_index (copies, i), original);
    }
}

/* Reads the file if somebody else changed it, and tells what is new in it. */
void
ear_state_keeper_notice (EarStateKeeper *self, const char *name)
{
  g_autofree char *original = ear_state_folder_dup_original (name);
  g_autoptr (GError) error = NULL;
  EarStateDocument *document;

  if (original != NULL)
    {
      absorb (self, name, original);
      name = original;
    }
  document = g_hash_table_lookup (self->documents, name);
  if (document != NULL)
    {
      if (!ear_state_document_refresh (document, &error))
        tell_failed (self, error);
      ear_state_keeper_tell_news (self, document);
    }
  else if (g_str_equal (name, EAR_SUBSCRIPTION_FILE_NAME))
    {
      if (!ear_subscription_file_refresh (self->subscriptions, &error))
        tell_failed (self, error);
      tell_if_news (self);
    }
}

/**
 * ear_state_keeper_restore:
 * @exact: whether podcasts that are followed only since then are unfollowed
 *
 * Makes everything as it was in a backup, and tells what became another one. What plays is
 * not held up: its place is where it is, from the next time that is kept.
 *
 * Returns: %TRUE if all of it was restored
 */
gboolean
ear_state_keeper_restore (EarStateKeeper *self, const char *path, gboolean exact, GError **error)
{
  g_autoptr (GPtrArray) changed = NULL;

  /* What is in memory is older than what comes now. */
  if (!ear_state_keeper_write (self, error))
    return FALSE;
  changed = ear_state_restore (self->folder, path, exact, error);
  for (guint i = 0; changed != NULL && i < changed->len; i++)
    ear_state_keeper_notice (self, g_ptr_array_index (changed, i));

  return changed != NULL;
}

/**
 * ear_state_keeper_is_dirty:
 *
 * Returns: %TRUE if something is not in its file yet
 */
gboolean
ear_state_keeper_is_dirty (EarStateKeeper *self)
{
  GHashTableIter iter;
  gpointer document;

  g_hash_table_iter_init (&iter, self->documents);
  while (g_hash_table_iter_next (&iter, NULL, &document))
    if (ear_state_document_is_dirty (document))
      return TRUE;

  return ear_subscription_file_is_dirty (self->subscriptions) || ear_state_now_is_dirty (self->now);
}

static void
write_documents (EarStateKeeper *self, GError **first)
{
  GHashTableIter iter;
  gpointer document;

  g_hash_table_iter_init (&iter, self->documents);
  while (g_hash_table_iter_next (&iter, NULL, &document))
    {
      if (!ear_state_document_is_dirty (document))
        continue;
      ear_state_document_write (document, *first == NULL ? first : NULL);
      ear_state_keeper_tell_news (self, document);
    }
}

/**
 * ear_state_keeper_write:
 *
 * Writes everything that is not in its file yet. A file that cannot be written does not keep others
 * from being written.
 *
 * Returns: %TRUE if all is on the disk
 */
gboolean
ear_state_keeper_write (EarStateKeeper *self, GError **error)
{
  g_autoptr (GError) first = NULL;

  ear_state_keeper_write_now (self, &first);
  write_documents (self, &first);
  if (ear_subscription_file_is_dirty (self->subscriptions))
    {
      ear_subscription_file_write (self->subscriptions, first == NULL ? &first : NULL);
      tell_if_news (self);
    }
  if (first == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&first));

  return FALSE;
}
