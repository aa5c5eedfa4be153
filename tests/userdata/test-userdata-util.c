/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include "ear-address.h"

#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

static void
podcast_changed_cb (EarUserdataStore *store, const char *address, GHashTable *states, Fixture *self)
{
  GHashTableIter iter;
  gpointer guid, state;

  g_assert_cmpuint (g_hash_table_size (states), >, 0);
  self->n_podcast_changed++;
  g_hash_table_iter_init (&iter, states);
  while (g_hash_table_iter_next (&iter, &guid, &state))
    g_hash_table_insert (self->states, g_strdup (guid), g_memdup2 (state, sizeof (EarEpisodeState)));
}

static void
subscriptions_changed_cb (EarUserdataStore *store, GPtrArray *all, Fixture *self)
{
  self->n_subscriptions_changed++;
  g_clear_pointer (&self->subscriptions, g_ptr_array_unref);
  self->subscriptions = g_ptr_array_ref (all);
}

static void
damaged_cb (EarUserdataStore *store, const char *file, const char *set_aside, gboolean restored, Fixture *self)
{
  self->n_restored += restored;
  g_assert_true (g_str_has_prefix (set_aside, file));
  g_assert_nonnull (strstr (set_aside, ".damaged-"));
  g_ptr_array_add (self->set_aside, g_strdup (set_aside));
}

static void
failed_cb (EarUserdataStore *store, const GError *error, Fixture *self)
{
  g_assert_true (error->domain == EAR_ERROR);
  self->n_failed++;
  self->failed_code = error->code;
}

Fixture *
fixture_new (void)
{
  Fixture *self = g_new0 (Fixture, 1);
  g_autoptr (GError) error = NULL;

  self->top = g_dir_make_tmp ("earmark-state-XXXXXX", &error);
  g_assert_no_error (error);
  self->path = g_build_filename (self->top, "data", "state", NULL);
  self->states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->set_aside = g_ptr_array_new_with_free_func (g_free);

  return self;
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

void
fixture_free (Fixture *self)
{
  if (self->store != NULL)
    fixture_close (self);
  remove_tree (self->top);
  g_hash_table_unref (self->states);
  g_clear_pointer (&self->subscriptions, g_ptr_array_unref);
  g_ptr_array_unref (self->set_aside);
  g_free (self->path);
  g_free (self->top);
  g_free (self);
}

void
fixture_open (Fixture *self, guint delay)
{
  self->store = g_object_new (EAR_TYPE_USERDATA_STORE, "directory", self->path, "delay", delay, NULL);
  g_signal_connect (self->store, "podcast-changed", G_CALLBACK (podcast_changed_cb), self);
  g_signal_connect (self->store, "subscriptions-changed", G_CALLBACK (subscriptions_changed_cb), self);
  g_signal_connect (self->store, "damaged", G_CALLBACK (damaged_cb), self);
  g_signal_connect (self->store, "failed", G_CALLBACK (failed_cb), self);
}

void
fixture_close (Fixture *self)
{
  g_assert_finalize_object (g_steal_pointer (&self->store));
}

void
fixture_forget (Fixture *self)
{
  g_hash_table_remove_all (self->states);
  g_clear_pointer (&self->subscriptions, g_ptr_array_unref);
  g_ptr_array_set_size (self->set_aside, 0);
  self->n_podcast_changed = self->n_subscriptions_changed = self->n_failed = self->n_restored = 0;
}

char *
fixture_read (Fixture *self, const char *name, gsize *length)
{
  g_autofree char *path = g_path_is_absolute (name) ? g_strdup (name) : g_build_filename (self->path, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, length, NULL);

  return text;
}

JsonObject *
fixture_parse (Fixture *self, const char *name)
{
  gsize length = 0;
  g_autofree char *text = fixture_read (self, name, &length);
  g_autoptr (GError) error = NULL;
  JsonObject *root;

  g_assert_nonnull (text);
  root = ear_json_parse (text, length, &error);
  g_assert_no_error (error);

  return root;
}

JsonObject *
fixture_parse_episode (Fixture *self, const char *address, const char *guid)
{
  g_autofree char *name = userdata_test_name (address);
  g_autoptr (JsonObject) root = fixture_parse (self, name);

  return json_object_ref (json_object_get_object_member (json_object_get_object_member (root, "episodes"), guid));
}

/* Replaces the file by a new one, as editors and synchronizing programs do. */
void
fixture_write (Fixture *self, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (self->path, 0700), ==, 0);
  g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error);
  g_assert_no_error (error);
}

void
fixture_age (Fixture *self, const char *name, guint seconds)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  const time_t then = time (NULL) - seconds;
  const struct utimbuf times = { .actime = then, .modtime = then };

  g_assert_cmpint (utime (path, &times), ==, 0);
}

guint
fixture_count (Fixture *self, const char *part)
{
  g_autoptr (GDir) dir = g_dir_open (self->path, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += strstr (name, part) != NULL;

  return n;
}

EarEpisode *
userdata_test_new_episode (const char *address, const char *guid)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, address);
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();
  EarEnclosure *enclosure = ear_enclosure_new ();
  EarEpisode *episode = ear_episode_new (1, podcast, guid);

  ear_podcast_set_title (podcast, "A podcast");
  facts->guid = g_strdup (guid);
  facts->title = g_strdup_printf ("Episode %s", guid);
  enclosure->address = g_strdup_printf ("https://example.org/%s.mp3", guid);
  g_ptr_array_add (facts->enclosures, enclosure);
  ear_episode_set_facts (episode, facts);

  return episode;
}

char *
userdata_test_name (const char *address)
{
  g_autofree char *hash = ear_address_hash (address, NULL);

  return g_strconcat (hash, ".json", NULL);
}

static void
result_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult *
wait_for_result (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);

  return *result;
}

gboolean
userdata_test_flush (EarUserdataStore *store, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  ear_userdata_store_flush_async (store, NULL, result_cb, &result);

  return ear_userdata_store_finish (store, wait_for_result (&result), error);
}

gboolean
userdata_test_load_now (EarUserdataStore *store, char **address, char **guid, gint64 *position)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *own_address = NULL, *own_guid = NULL;
  gboolean known, started;

  ear_userdata_store_load_now_async (store, NULL, result_cb, &result);
  known = ear_userdata_store_load_now_finish (store, wait_for_result (&result),
                                              address != NULL ? address : &own_address,
                                              guid != NULL ? guid : &own_guid, position, &started, &error);
  g_assert_no_error (error);

  return known;
}

GPtrArray *
userdata_test_load_subscriptions (EarUserdataStore *store, gboolean *first_start, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  ear_userdata_store_load_subscriptions_async (store, NULL, result_cb, &result);

  return ear_userdata_store_load_subscriptions_finish (store, wait_for_result (&result), first_start, error);
}

EarBackup *
userdata_test_back_up (EarUserdataStore *store, EarBackupReason reason, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  ear_userdata_store_back_up_async (store, reason, NULL, result_cb, &result);

  return ear_userdata_store_back_up_finish (store, wait_for_result (&result), error);
}

GPtrArray *
userdata_test_list_backups (EarUserdataStore *store)
{
  g_autoptr (GAsyncResult) result = NULL;

  ear_userdata_store_list_backups_async (store, NULL, result_cb, &result);

  return ear_userdata_store_list_backups_finish (store, wait_for_result (&result), NULL);
}

gboolean
userdata_test_restore (EarUserdataStore *store, const char *path, gboolean exact, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (EarBackup) before = NULL;

  ear_userdata_store_restore_async (store, path, exact, NULL, result_cb, &result);
  before = ear_userdata_store_back_up_finish (store, wait_for_result (&result), error);

  return before != NULL;
}

void
userdata_test_follow (EarUserdataStore *store, const char *address, gboolean followed)
{
  const EarSubscription subscription = { .address = (char *) address, .followed = followed, .updated = g_get_real_time () };

  ear_userdata_store_set_subscription (store, &subscription);
}

void
userdata_test_set_listened (EarUserdataStore *store, EarEpisode *episode, gboolean listened)
{
  const EarEpisodeState state = { .listened = listened, .listened_updated = g_get_real_time () };

  ear_userdata_store_set_episode (store, episode, &state);
}

static void
timed_out_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

void
userdata_test_run_for (guint milliseconds)
{
  gboolean timed_out = FALSE;

  g_timeout_add_once (milliseconds, timed_out_cb, &timed_out);
  while (!timed_out)
    g_main_context_iteration (NULL, TRUE);
}

gboolean
userdata_test_wait (gboolean (*done) (gpointer), gpointer data)
{
  const gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  while (!done (data))
    {
      if (g_get_monotonic_time () > end)
        return FALSE;
      userdata_test_run_for (10);
    }

  return TRUE;
}

void
userdata_test_set_position (EarUserdataStore *store, EarEpisode *episode, gint64 position)
{
  const EarEpisodeState state = { .position = position, .position_updated = g_get_real_time () };

  ear_userdata_store_set_episode (store, episode, &state);
}

void
userdata_test_set_liked (EarUserdataStore *store, EarEpisode *episode, gboolean liked)
{
  const EarEpisodeState state = { .liked = liked, .liked_updated = g_get_real_time () };

  ear_userdata_store_set_episode (store, episode, &state);
}

/* For userdata_test_wait() */
gboolean
fixture_was_told (gpointer data)
{
  return ((Fixture *) data)->n_podcast_changed > 0;
}

void
fixture_flush (Fixture *self)
{
  g_autoptr (GError) error = NULL;

  userdata_test_flush (self->store, &error);
  g_assert_no_error (error);
}

typedef struct
{
  Fixture *fixture;
  const char *name;
  const char *text;
} Wanted;

static gboolean
has_text (gpointer data)
{
  const Wanted *wanted = data;
  g_autofree char *text = fixture_read (wanted->fixture, wanted->name, NULL);

  return text != NULL && strstr (text, wanted->text) != NULL;
}

/* Waits until the store has written something by itself. */
void
fixture_wait_for_text (Fixture *self, const char *name, const char *text)
{
  Wanted wanted = { self, name, text };

  g_assert_true (userdata_test_wait (has_text, &wanted));
}

static const EarEntryTable *
get_table (guint table)
{
  return &ear_entry_tables_find (EAR_USERDATA_KIND_PODCAST)[table];
}

void
userdata_test_read_marks (JsonObject *episode, gint64 now, EarEpisodeState *state)
{
  *state = (EarEpisodeState) { 0 };
  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      g_autoptr (GVariant) value = NULL;

      state->updated[i] = ear_entry_read (get_table (EAR_TABLE_EPISODES), episode, NULL, i, now, &value);
      state->values[i] = value != NULL ? g_variant_get_int64 (value) : 0;
    }
}

gboolean
userdata_test_write_marks (JsonObject *episode, const EarEpisodeState *state, gint64 now)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_int64 (state->values[i]));

      changed |= ear_entry_write (get_table (EAR_TABLE_EPISODES), episode, NULL, i, value, state->updated[i], now);
    }

  return changed;
}

void
userdata_test_read_settings (JsonObject *root, gint64 now, EarPodcastSettings *settings)
{
  JsonObject *object = ear_json_get_object (root, "settings");

  ear_podcast_settings_init (settings);
  for (guint i = 0; object != NULL && i < EAR_N_PODCAST_SETTINGS; i++)
    {
      g_autoptr (GVariant) value = NULL;

      settings->updated[i] = ear_entry_read (get_table (EAR_TABLE_SETTINGS), object, NULL, i, now, &value);
      if (value != NULL)
        settings->values[i] = (int) g_variant_get_int64 (value);
    }
}

gboolean
userdata_test_write_settings (JsonObject *root, const EarPodcastSettings *settings, gint64 now)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (settings->updated[i] != 0)
      {
        g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_int64 (settings->values[i]));

        changed |= ear_entry_write (get_table (EAR_TABLE_SETTINGS), ear_json_ensure_object (root, "settings"),
                                    NULL, i, value, settings->updated[i], now);
      }

  return changed;
}
