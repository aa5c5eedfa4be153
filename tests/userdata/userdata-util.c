/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include "ear-address.h"
#include "ear-test-folder.h"

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
settings_changed_cb (EarUserdataStore *store, const char *address,
                     const EarPodcastSettings *settings, Fixture *self)
{
  g_assert_cmpstr (address, ==, ADDRESS);
  g_assert_true (ear_podcast_settings_take_newer (&self->settings, settings));
  self->n_settings_changed++;
}

static void
records_changed_cb (EarUserdataStore *store, int kind, GPtrArray *records, Fixture *self)
{
  if (kind != EAR_RECORD_BOOKMARK)
    return;
  for (guint i = 0; i < records->len; i++)
    {
      const EarRecord *record = g_ptr_array_index (records, i);

      g_hash_table_replace (self->bookmarks, g_strdup (record->id),
                            record->value != NULL ? g_variant_ref (record->value) : NULL);
    }
  self->n_bookmarks_changed++;
}

static void
damaged_cb (EarUserdataStore *store, const char *set_aside, gboolean restored, Fixture *self)
{
  self->n_restored += restored;
  g_assert_true (g_str_has_prefix (set_aside, self->path));
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

static void
free_value (gpointer value)
{
  if (value != NULL)
    g_variant_unref (value);
}

void
fixture_set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->top = g_dir_make_tmp ("earmark-state-XXXXXX", &error);
  g_assert_no_error (error);
  self->path = g_build_filename (self->top, "data", "state", NULL);
  self->states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->bookmarks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_value);
  self->set_aside = g_ptr_array_new_with_free_func (g_free);
  ear_podcast_settings_init (&self->settings);
}

void
fixture_tear_down (Fixture *self, gconstpointer data)
{
  if (self->store != NULL)
    fixture_close (self);
  ear_test_folder_remove (self->top);
  g_hash_table_unref (self->states);
  g_hash_table_unref (self->bookmarks);
  g_clear_pointer (&self->subscriptions, g_ptr_array_unref);
  g_ptr_array_unref (self->set_aside);
  g_free (self->path);
  g_free (self->top);
}

int
fixture_run_tests (int argc, char **argv, const FixtureTest *tests, gsize n_tests)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < n_tests; i++)
    g_test_add (tests[i].path, Fixture, tests[i].data, fixture_set_up, tests[i].func,
                fixture_tear_down);

  return g_test_run ();
}

void
fixture_open (Fixture *self, guint delay)
{
  self->store = ear_userdata_store_new (self->path, delay);
  g_object_connect (self->store,
                    "signal::podcast-changed", podcast_changed_cb, self,
                    "signal::subscriptions-changed", subscriptions_changed_cb, self,
                    "signal::settings-changed", settings_changed_cb, self,
                    "signal::records-changed", records_changed_cb, self,
                    "signal::damaged", damaged_cb, self,
                    "signal::failed", failed_cb, self, NULL);
}

/* Opens the store, and reads the podcast's file. */
void
fixture_load (Fixture *self)
{
  fixture_open (self, 20);
  ear_userdata_store_load_podcast (self->store, ADDRESS);
  flush (self->store, NULL);
}

void
fixture_close (Fixture *self)
{
  g_assert_finalize_object (g_steal_pointer (&self->store));
}

void
fixture_reopen (Fixture *self)
{
  fixture_close (self);
  fixture_open (self, 20);
}

void
fixture_forget (Fixture *self)
{
  g_hash_table_remove_all (self->states);
  g_hash_table_remove_all (self->bookmarks);
  g_clear_pointer (&self->subscriptions, g_ptr_array_unref);
  g_ptr_array_set_size (self->set_aside, 0);
  ear_podcast_settings_init (&self->settings);
  self->n_podcast_changed = self->n_subscriptions_changed = self->n_failed = self->n_restored = 0;
  self->n_settings_changed = self->n_bookmarks_changed = 0;
}

EarEpisodeState *
fixture_get_told (Fixture *self, const char *guid)
{
  EarEpisodeState *state = g_hash_table_lookup (self->states, guid);

  g_assert_nonnull (state);

  return state;
}

const char *
name_of (const char *address)
{
  g_autofree char *hash = ear_address_hash (address, NULL);

  return ear_test_format ("%s.json", hash);
}

/* The copy of a podcast's file that a synchronizing program puts beside it */
const char *
name_of_copy (const char *address)
{
  g_autofree char *hash = ear_address_hash (address, NULL);

  return ear_test_format ("%s.sync-conflict-20261121-010101-ABCDEFG.json", hash);
}

static const char *
get_name (const char *name)
{
  return g_str_has_prefix (name, "https://") ? name_of (name) : name;
}

const char *
fixture_get_path (Fixture *self, const char *name)
{
  return *name == '/' ? name : ear_test_format ("%s/%s", self->path, get_name (name));
}

char *
fixture_read (Fixture *self, const char *name)
{
  char *text = NULL;

  g_file_get_contents (fixture_get_path (self, name), &text, NULL, NULL);

  return text;
}

JsonObject *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonObject *root = ear_json_parse (text, strlen (text), &error);

  g_assert_no_error (error);

  return root;
}

/* As files are written */
char *
print (JsonObject *root)
{
  gsize length;

  return ear_json_print (root, &length);
}

char *
fixture_get (Fixture *self, const char *name, const char *path)
{
  g_autofree char *text = fixture_read (self, name);
  g_auto (GStrv) members = g_strsplit (path, " ", -1);
  JsonNode *node = NULL;

  g_assert_nonnull (text);
  g_autoptr (JsonObject) root = parse (text);
  JsonObject *object = root;
  for (guint i = 0; members[i] != NULL; i++)
    {
      if (g_str_equal (members[i], "#"))
        return g_strdup_printf ("%u", json_object_get_size (object));
      node = object != NULL ? json_object_get_member (object, members[i]) : NULL;
      object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
    }
  if (node == NULL)
    return NULL;

  return json_node_get_value_type (node) == G_TYPE_STRING ? json_node_dup_string (node)
                                                          : json_to_string (node, FALSE);
}

/* Replaces the file by a new one, as editors and synchronizing programs do. */
void
fixture_write (Fixture *self, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (self->path, 0700), ==, 0);
  g_file_set_contents_full (fixture_get_path (self, name), text, -1,
                            G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error);
  g_assert_no_error (error);
}

/* The file is old enough not to be in the middle of being written. */
void
fixture_damage (Fixture *self, const char *name, const char *text)
{
  fixture_write (self, name, text);
  fixture_age (self, name, 60);
}

void
fixture_age (Fixture *self, const char *name, guint seconds)
{
  const time_t then = time (NULL) - seconds;
  const struct utimbuf times = { .actime = then, .modtime = then };

  g_assert_cmpint (utime (fixture_get_path (self, name), &times), ==, 0);
}

/* Returns: the number of files with this in their names */
guint
fixture_count (Fixture *self, const char *part)
{
  g_autoptr (GDir) dir = g_dir_open (self->path, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += strstr (name, get_name (part)) != NULL;

  return n;
}

static gboolean
has_text (Fixture *self, const char *name, const char *text)
{
  g_autofree char *content = fixture_read (self, name);

  return content != NULL && strstr (content, text) != NULL;
}

/* Waits until the store has written something by itself. */
void
fixture_wait_for_text (Fixture *self, const char *name, const char *text)
{
  EAR_TEST_WAIT_UNTIL (has_text (self, name, text));
}

EarEpisode *
new_episode (const char *address, const char *guid)
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

/* Waits for an answer; fails if there is an error that the caller does not take. */
static gpointer
finish (EarUserdataStore *store, GAsyncResult **result, GError **error)
{
  GError *failure = NULL;

  EAR_TEST_WAIT_UNTIL (*result != NULL);
  gpointer answer = ear_userdata_store_finish (store, *result, &failure);
  g_clear_object (result);
  if (error == NULL)
    g_assert_no_error (failure);
  else if (failure != NULL)
    g_propagate_error (error, failure);

  return answer;
}

static gpointer
ask (EarUserdataStore *store, EarUserdataAnswer answer, GError **error)
{
  GAsyncResult *result = NULL;

  ear_userdata_store_ask_async (store, answer, ear_test_result_cb, &result);

  return finish (store, &result, error);
}

gboolean
flush (EarUserdataStore *store, GError **error)
{
  ask (store, EAR_USERDATA_FLUSH, error);

  return error == NULL || *error == NULL;
}

GPtrArray *
load_subscriptions (EarUserdataStore *store, GError **error)
{
  return ask (store, EAR_USERDATA_SUBSCRIPTIONS, error);
}

EarBackup *
back_up (EarUserdataStore *store, EarBackupReason reason, GError **error)
{
  GAsyncResult *result = NULL;

  ear_userdata_store_back_up_async (store, reason, NULL, ear_test_result_cb, &result);

  return finish (store, &result, error);
}

gboolean
restore (EarUserdataStore *store, const char *path, gboolean exact, GError **error)
{
  GAsyncResult *result = NULL;

  ear_userdata_store_restore_async (store, path, exact, ear_test_result_cb, &result);
  g_autoptr (EarBackup) before = finish (store, &result, error);

  return before != NULL;
}

gboolean
load_now (EarUserdataStore *store, char **address, char **guid, gint64 *position)
{
  g_autoptr (EarMarks) now = ask (store, EAR_USERDATA_NOW, NULL);

  if (now == NULL)
    return FALSE;
  if (address != NULL)
    *address = g_strdup (ear_marks_get_podcast (now)->address);
  if (guid != NULL)
    *guid = g_strdup (ear_marks_get_episode (now)->guid);
  *position = now->state.position;

  return TRUE;
}

GPtrArray *
list_backups (EarUserdataStore *store)
{
  return ask (store, EAR_USERDATA_BACKUPS, NULL);
}

void
follow (EarUserdataStore *store, const char *address, gboolean followed)
{
  ear_userdata_store_set_subscription (
      store, ear_subscription_new (address, NULL, NULL, followed, g_get_real_time ()));
}

/* @folder: (nullable) */
void
put_into_folder (EarUserdataStore *store, const char *folder)
{
  EarSubscription *subscription =
      ear_subscription_new (ADDRESS, NULL, NULL, TRUE, g_get_real_time ());

  subscription->folder = g_strdup (folder);
  subscription->folder_updated = g_get_real_time ();
  ear_userdata_store_set_subscription (store, subscription);
}

void
play (EarUserdataStore *store, const char *address, const char *guid, gint64 position)
{
  g_autoptr (EarEpisode) episode = new_episode (address, guid);

  ear_userdata_store_set_now (store, episode, position, TRUE);
}

void
set_state (EarUserdataStore *store, EarEpisode *episode, const EarEpisodeState *state)
{
  g_autoptr (EarMarks) marks = ear_episode_make_marks (episode, state);

  ear_userdata_store_keep (store, marks);
}

void
set_mark (EarUserdataStore *store, const char *address, const char *guid, EarMark mark, gint64 value)
{
  g_autoptr (EarEpisode) episode = new_episode (address, guid);
  EarEpisodeState state = { 0 };

  state.values[mark] = value;
  state.updated[mark] = g_get_real_time ();
  set_state (store, episode, &state);
}

void
set_position (EarUserdataStore *store, const char *address, const char *guid, gint64 position)
{
  set_mark (store, address, guid, EAR_MARK_POSITION, position);
}

void
like (EarUserdataStore *store, const char *address, const char *guid)
{
  set_mark (store, address, guid, EAR_MARK_LIKED, TRUE);
}
