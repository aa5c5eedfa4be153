/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include "ear-mark.h"

#include <string.h>

/* Saved state folders, and the store's result for each: corpus/NAME.json has "files"
 * before and "after", and the values that the store has "read" from them. The store reads
 * a folder, changes one value in every file and writes it. Files are named without
 * `.json`; `podcast` stands for the hash of ADDRESS; a string is a file that is not JSON.
 * A stamp of this run is `NOW`. EARMARK_RECORD=1 rewrites "after", for a new case: read
 * it before you commit it. */

#define STAMP_LENGTH 27 /* 2026-11-21T06:40:12.123456Z */

static char *
file_key (const char *name)
{
  const gboolean is_podcast = strncmp (name, name_of (ADDRESS), 32) == 0;
  g_autofree char *key = is_podcast ? g_strconcat ("podcast", name + 32, NULL) : g_strdup (name);

  /* The names of files set aside contain the time. */
  char *end = strstr (key, ".json.");
  if (end != NULL)
    *strchr (end + strlen (".json."), '-') = '\0';
  else if (g_str_has_suffix (key, ".json"))
    key[strlen (key) - strlen (".json")] = '\0';

  return g_steal_pointer (&key);
}

static void
write_files (Fixture *fixture, JsonObject *files)
{
  JsonObjectIter iter;
  const char *key;
  JsonNode *node;

  json_object_iter_init (&iter, files);
  while (json_object_iter_next (&iter, &key, &node))
    {
      const gboolean is_podcast = g_str_has_prefix (key, "podcast");
      const char *name = is_podcast ? ear_test_format ("%.32s%s", name_of (ADDRESS), key + 7) : key;
      g_autofree char *text =
          JSON_NODE_HOLDS_VALUE (node) ? json_node_dup_string (node) : json_to_string (node, TRUE);

      fixture_write (fixture, ear_test_format ("%s.json", name), text);
    }
}

/* Changes every file, since the store writes only changed files. */
static void
change_all (EarUserdataStore *store)
{
  like (store, ADDRESS, "changed");
  follow (store, "https://example.org/changed.xml", TRUE);
  for (guint kind = 0; kind < EAR_N_RECORD_KINDS; kind++)
    {
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "note", "s", "changed");
      ear_userdata_store_set_record (store, kind, ear_record_new ("changed", g_variant_dict_end (&dict), g_get_real_time ()));
    }
}

/* @text: JSON; stamps of today or later become NOW, except those of the case */
static void
mask_stamps (char *text, const char *start)
{
  for (char *at = text; (at = strstr (at, "\"20")) != NULL; at++)
    if (strlen (at) > STAMP_LENGTH + 1 && at[STAMP_LENGTH] == 'Z' && at[STAMP_LENGTH + 1] == '"' &&
        strncmp (at + 1, start, STAMP_LENGTH) >= 0 && strncmp (at + 1, "2090", 4) < 0)
      {
        memcpy (at + 1, "NOW\"", 4);
        memmove (at + 5, at + STAMP_LENGTH + 2, strlen (at + STAMP_LENGTH + 2) + 1);
      }
}

static JsonNode *
read_files (Fixture *fixture, const char *start)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->path, 0, NULL);
  JsonObject *files = json_object_new ();
  JsonNode *node = json_node_init_object (json_node_alloc (), files);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (name[0] != '.')
      {
        g_autofree char *text = fixture_read (fixture, name);
        g_autofree char *key = file_key (name);
        JsonNode *content;

        mask_stamps (text, start);
        content = json_from_string (text, NULL);
        json_object_set_member (files, key, content != NULL ? content : json_node_init_string (json_node_alloc (), text));
      }
  json_object_unref (files);

  return node;
}

/* Returns: (transfer full): the stamped marks of each episode, and what is followed */
static JsonNode *
describe_read (Fixture *fixture, GPtrArray *subscriptions)
{
  JsonObject *read = json_object_new (), *podcasts = json_object_new ();
  JsonNode *node = json_node_init_object (json_node_alloc (), read);
  GHashTableIter iter;
  gpointer guid, value;

  g_hash_table_iter_init (&iter, fixture->states);
  while (g_hash_table_iter_next (&iter, &guid, &value))
    {
      const EarEpisodeState *state = value;
      JsonObject *marks = json_object_new ();

      for (guint i = 0; i < EAR_N_MARKS; i++)
        if (state->updated[i] != 0)
          json_object_set_int_member (marks, ear_mark_types[i].name, state->values[i]);
      json_object_set_object_member (read, guid, marks);
    }
  for (guint i = 0; subscriptions != NULL && i < subscriptions->len; i++)
    {
      const EarSubscription *subscription = g_ptr_array_index (subscriptions, i);

      json_object_set_boolean_member (podcasts, subscription->address, subscription->followed);
    }
  json_object_set_object_member (read, "podcasts", podcasts);
  json_object_unref (read);

  return node;
}

static void
record (const char *path, JsonNode *root, JsonNode *read, JsonNode *after)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (GError) error = NULL;

  json_object_set_member (json_node_get_object (root), "read", json_node_copy (read));
  json_object_set_member (json_node_get_object (root), "after", json_node_copy (after));
  json_generator_set_pretty (generator, TRUE);
  json_generator_set_root (generator, root);
  json_generator_to_file (generator, path, &error);
  g_assert_no_error (error);
}

static void
check (JsonNode *root, const char *name, JsonNode *found)
{
  if (json_node_equal (found, json_object_get_member (json_node_get_object (root), name)))
    return;
  g_autofree char *text = json_to_string (found, TRUE);

  g_test_message ("%s", text);
  g_test_fail_printf ("\"%s\" is something else", name);
}

static void
test_case (Fixture *fixture, gconstpointer data)
{
  const char *path = data;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *start = g_date_time_format (now, "%Y-%m-%dT%H:%M:%S.%f");

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  JsonNode *root = json_parser_get_root (parser);
  write_files (fixture, json_object_get_object_member (json_node_get_object (root), "files"));

  fixture_open (fixture, 20);
  g_autoptr (GPtrArray) subscriptions = load_subscriptions (fixture->store, NULL);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  for (guint kind = 0; kind < EAR_N_RECORD_KINDS; kind++)
    ear_userdata_store_load_records (fixture->store, kind);
  flush (fixture->store, NULL);
  g_autoptr (JsonNode) read = describe_read (fixture, subscriptions);
  change_all (fixture->store);
  flush (fixture->store, NULL);
  g_assert_cmpuint (fixture->n_failed, ==, 0);
  fixture_close (fixture);

  g_autoptr (JsonNode) after = read_files (fixture, start);
  if (g_getenv ("EARMARK_RECORD") != NULL)
    record (path, root, read, after);
  check (root, "read", read);
  check (root, "after", after);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  g_test_init (&argc, &argv, NULL);
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "userdata", "corpus", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json"))
      {
        const char *test = ear_test_format ("/userdata-corpus/%.*s", (int) (strlen (name) - strlen (".json")), name);

        g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
        g_test_add (test, Fixture, paths->pdata[paths->len - 1], fixture_set_up, test_case, fixture_tear_down);
      }

  return g_test_run ();
}
