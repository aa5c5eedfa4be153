/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include "ear-json-folder.h"
#include "ear-record.h"
#include "ear-test-folder.h"
#include "ear-entry-table.h"

#include <string.h>

/* Damaged files: intact entries are read, wherever the damage is. */

#define AT(second) "\"updated\": \"2026-01-02T00:00:" second "Z\""

/* Returns: the text as a file has it */
static GString *
expand (const char *compact)
{
  g_autoptr (JsonObject) root = parse (compact);

  return g_string_new_take (print (root));
}

/* An entry of a file, and the range of its lines in it */
typedef struct
{
  const char *name;
  JsonNode *node;
  gsize begin;
  gsize end;
} Entry;

/* An intact file, from the corpus */
typedef struct
{
  const char *kind;
  const char *table; /* the member that has the entries */
  GString *text;
  JsonObject *root;
  GArray *entries; /* (element-type Entry) */
} Sample;

static Sample *
sample_new (const char *kind)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "userdata", "corpus", "several.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  Sample *self = g_new (Sample, 1);
  JsonObjectIter iter;
  Entry entry = { 0 };

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  JsonObject *root = json_node_get_object (json_parser_get_root (parser));
  JsonObject *files = json_object_get_object_member (root, "files");
  g_autofree char *compact = json_to_string (json_object_get_member (files, kind), FALSE);
  self->kind = kind;
  self->table = ear_userdata_shape_get_table (kind);
  self->text = expand (compact);
  self->root = parse (self->text->str);
  self->entries = g_array_new (FALSE, TRUE, sizeof (Entry));
  const char *opening = ear_test_format ("\n  \"%s\": {\n", self->table);
  const char *at = strstr (self->text->str, opening) + strlen (opening);
  json_object_iter_init_ordered (&iter, json_object_get_object_member (self->root, self->table));
  while (json_object_iter_next_ordered (&iter, &entry.name, &entry.node))
    {
      const char *close = strstr (at, "\n    }");

      entry.begin = (gsize) (at - self->text->str);
      at = strchr (close + 1, '\n') + 1;
      entry.end = (gsize) (at - self->text->str);
      g_array_append_val (self->entries, entry);
    }

  return self;
}

static void
sample_free (Sample *self)
{
  g_string_free (self->text, TRUE);
  json_object_unref (self->root);
  g_array_unref (self->entries);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sample, sample_free)

/* Salvages a damaged file. Returns: the number of entries that are lost although they are not in
 * the range of the damage; nothing is lost if the file can still be read as it is */
static guint
count_lost (const Sample *sample, const char *text, gsize length, gsize begin, gsize end)
{
  const char *kind = sample->kind;
  g_autoptr (JsonObject) strict = ear_json_parse (text, length, NULL);
  guint n_lost = 0;

  if (strict != NULL && ear_userdata_shape_check (strict, kind, NULL))
    return 0;
  g_autoptr (JsonObject) found = ear_userdata_shape_salvage (text, length, kind);
  if (found != NULL && end == G_MAXSIZE)
    {
      g_autofree char *printed = print (found);
      g_autoptr (JsonObject) again = parse (printed);
    }
  JsonObject *table = found != NULL ? ear_json_get_object (found, sample->table) : NULL;
  for (guint i = 0; i < sample->entries->len; i++)
    {
      const Entry *entry = &g_array_index (sample->entries, Entry, i);
      JsonNode *node = table != NULL ? json_object_get_member (table, entry->name) : NULL;

      if ((entry->begin < end && entry->end > begin) ||
          (node != NULL && json_node_equal (node, entry->node)))
        continue;
      g_test_message ("%s: %s is lost with bytes %" G_GSIZE_FORMAT " to %" G_GSIZE_FORMAT, kind, entry->name, begin, end);
      n_lost++;
    }

  return n_lost;
}

/* A file is cut off anywhere; a byte is missing, another one, or added; a disk block is lost. Entries
 * before and behind the damage are not lost. */
static void
test_anywhere (Fixture *fixture, gconstpointer data)
{
  static const char bytes[] = "\xffx\"{}[],:\n";
  g_autoptr (Sample) sample = sample_new (data);
  const GString *text = sample->text;
  guint n_lost = 0;

  for (gsize at = 0; at < text->len; at++)
    {
      g_autofree char *cut = g_memdup2 (text->str, at);
      g_autoptr (GString) other = g_string_new_len (text->str, (gssize) text->len);

      if (at < text->len - 2)
        n_lost += count_lost (sample, cut, at, at + 1, G_MAXSIZE);
      g_string_erase (other, (gssize) at, 1);
      n_lost += count_lost (sample, other->str, other->len, at, at + 1);
      /* With the zero at the end */
      for (gsize i = 0; i < sizeof bytes; i++)
        {
          g_string_insert_c (other, (gssize) at, bytes[i]);
          n_lost += count_lost (sample, other->str, other->len, at, at + 1);
          g_string_insert_c (other, (gssize) at + 1, text->str[at]);
          n_lost += count_lost (sample, other->str, other->len, at, at + 1);
          g_string_erase (other, (gssize) at, 2);
        }
      for (gsize length = 2; at + length <= text->len; length = length * 3 / 2)
        {
          g_autofree char *damaged = g_memdup2 (text->str, text->len);

          memset (damaged + at, at % 2 != 0 ? '\0' : '\xff', length);
          n_lost += count_lost (sample, damaged, text->len, at, at + length + 1);
        }
    }
  g_assert_cmpuint (n_lost, ==, 0);
}

/* What an entry is made of: a number identifies it. */
typedef struct
{
  const char *name;
  guint number, second;
} Item;

/* Returns: the entry in the form of its kind */
static const char *
make_entry (const char *kind, const Item *item)
{
  const char *stamp = ear_test_format ("\"updated\": \"2026-01-02T00:00:%02uZ\"", item->second);

  if (g_str_equal (kind, "podcast"))
    return ear_test_format ("\"%s\": {\"position\": {\"value\": %u, %s}}", item->name,
                            item->number, stamp);
  if (g_str_equal (kind, "subscriptions"))
    return ear_test_format ("\"https://example.org/%s\": {\"folder\": {\"value\": \"%u\", %s}}",
                            item->name, item->number, stamp);

  return ear_test_format ("\"%s\": {\"value\": {\"number\": %u, \"note\": \"of %s\"}, %s}",
                          item->name, item->number, item->name, stamp);
}

static const char *
get_file_name (const char *kind)
{
  return g_str_equal (kind, "podcast") ? name_of (ADDRESS) : ear_test_format ("%s.json", kind);
}

static guint
get_number (Fixture *fixture, const char *kind, const char *name)
{
  const char *path;

  if (g_str_equal (kind, "podcast"))
    path = ear_test_format ("episodes %s position value", name);
  else if (g_str_equal (kind, "subscriptions"))
    path = ear_test_format ("podcasts https://example.org/%s folder value", name);
  else
    path = ear_test_format ("records %s value number", name);
  g_autofree char *number = fixture_get (fixture, get_file_name (kind), path);

  return number != NULL ? (guint) g_ascii_strtod (number, NULL) : 0;
}

/* @items: (array zero-terminated=1) */
static char *
make_file (const char *kind, const Item *items)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "{\"version\": 1, \"kind\": \"%s\", \"%s\": {", kind,
                          ear_userdata_shape_get_table (kind));
  for (const Item *item = items; item->name != NULL; item++)
    g_string_append_printf (text, "%s%s", item > items ? "," : "", make_entry (kind, item));
  g_string_append (text, "}}");

  return g_string_free_and_steal (expand (text->str));
}

#define MAKE_FILE(kind, ...) make_file (kind, (const Item[]) { __VA_ARGS__, { NULL } })

static void
load (Fixture *fixture, const char *kind)
{
  EarRecordKind records;

  fixture_load (fixture);
  if (ear_record_kind_find (kind, &records))
    ear_userdata_store_load_records (fixture->store, records);
  g_ptr_array_unref (load_subscriptions (fixture->store, NULL));
}

/* A damaged file and a backup: the newest intact version of each entry is used. */
static void
test_backup (Fixture *fixture, gconstpointer data)
{
  static const Item expected[] = { { "changed", 11 }, { "hurt", 2 }, { "added", 15 }, { "newer", 4 },
                                   { "cut", 3 } };
  const char *kind = data;
  const char *name = get_file_name (kind);
  g_autofree char *good = MAKE_FILE (kind, { "changed", 1, 1 }, { "hurt", 2, 2 }, { "cut", 3, 3 },
                                     { "newer", 4, 40 });
  g_autofree char *text = MAKE_FILE (kind, { "changed", 11, 11 }, { "hurt", 2, 2 },
                                     { "added", 15, 15 }, { "newer", 14, 14 }, { "cut", 13, 13 });

  fixture_write (fixture, name, good);
  load (fixture, kind);
  g_autoptr (EarBackup) backup = back_up (fixture->store, EAR_BACKUP_DAILY, NULL);
  fixture_close (fixture);
  fixture_forget (fixture);

  *(strstr (text, "hurt\"") + 1) = '\xff';
  *(strstr (text, "T00:00:13") + 3) = '\0';
  fixture_damage (fixture, name, text);
  load (fixture, kind);
  g_assert_cmpuint (fixture->n_restored, ==, 1);
  g_assert_cmpuint (fixture->set_aside->len, ==, 1);
  assert_file (fixture, fixture->set_aside->pdata[0], text);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (get_number (fixture, kind, expected[i].name), ==, expected[i].number);
}

/* An entry with a wrong byte comes from the backup, or is repaired if the backup lacks it. */
static void
test_repaired (Fixture *fixture, gconstpointer data)
{
  const char *kind = "bookmarks";
  const char *name = get_file_name (kind);
  g_autofree char *good = MAKE_FILE (kind, { "early", 1, 1 });
  g_autofree char *text = MAKE_FILE (kind, { "early", 1, 1 }, { "late", 2, 2 }, { "name", 3, 3 });

  fixture_write (fixture, name, good);
  load (fixture, kind);
  g_autoptr (EarBackup) backup = back_up (fixture->store, EAR_BACKUP_DAILY, NULL);
  fixture_close (fixture);

  *(strstr (text, "of early") + 3) = '\xff';
  *(strstr (text, "of late") + 3) = '\xff';
  *(strstr (text, "\"name") + 1) = '\xff';
  fixture_damage (fixture, name, text);
  load (fixture, kind);
  g_autofree char *found = fixture_read (fixture, name);
  g_assert_nonnull (strstr (found, "\"of early\""));
  g_assert_nonnull (strstr (found, "\"of \xef\xbf\xbd" "ate\""));
  g_assert_null (strstr (found, "of name"));
}

/* Objects of later versions stay apart from entries when a byte outside is damaged. */
static void
test_future (Fixture *fixture, gconstpointer data)
{
  static const char compact[] = "{\"version\": 2, \"kind\": \"podcast\", \"title\": \"One\","
                                " \"before\": {\"f1\": {\"number\": 1}, \"f2\": {\"value\": 2, " AT ("01") "}},"
                                " \"settings\": {\"rate\": {\"value\": 150, " AT ("02") "}},"
                                " \"episodes\": {\"g1\": {\"liked\": {\"value\": true, " AT ("03") "}}, \"g2\": {\"liked\": {\"value\": true, " AT ("04") "}}},"
                                " \"later\": {\"f3\": {\"number\": 3}, \"f4\": {\"value\": 4, " AT ("05") "}}}";
  static const char *const names[] = { "before", "settings", "episodes", "later" };
  static const char *const marks[] = { "One", "rate", "g1", "g2", "episodes", "03Z" };
  g_autoptr (JsonObject) root = parse (compact);
  g_autoptr (GString) text = expand (compact);

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      g_autofree char *damaged = g_strdup (text->str);
      g_autoptr (JsonObject) found = NULL;

      *strstr (damaged, marks[i]) = '\xff';
      found = ear_userdata_shape_salvage (damaged, text->len, "podcast");
      for (gsize j = 0; j < G_N_ELEMENTS (names); j++)
        {
          JsonObject *expected = json_object_get_object_member (root, names[j]);
          JsonObject *table = ear_json_get_object (found, names[j]);
          g_autoptr (GList) members = table != NULL ? json_object_get_members (table) : NULL;
          const guint n_lost = g_str_equal (marks[i], "rate") ? j == 1 : g_str_has_prefix (marks[i], "g") || g_str_equal (marks[i], "03Z") ? j == 2 : 0;

          g_assert_cmpuint (g_list_length (members), ==, json_object_get_size (expected) - n_lost);
          for (GList *l = members; l != NULL; l = l->next)
            g_assert_true (json_node_equal (json_object_get_member (table, l->data), json_object_get_member (expected, l->data)));
        }
    }
}

/* Settings are kept in a damaged file without episodes, and where the name of the table has
 * another byte in it. */
static void
test_settings (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) none = expand ("{\"version\": 1, \"kind\": \"podcast\", \"title\": \"One\","
                                    " \"settings\": {\"rate\": {\"value\": 150, " AT ("02") "}}}");
  g_autoptr (Sample) sample = sample_new ("podcast");
  GString *text = sample->text;

  *strstr (none->str, "One") = '\xff';
  g_autoptr (JsonObject) alone = ear_userdata_shape_salvage (none->str, none->len, "podcast");
  g_assert_true (json_object_has_member (json_object_get_object_member (alone, "settings"), "rate"));

  strstr (text->str, "episodes")[3] = 'X';
  *(strstr (text->str, "{podcast}") - 1) = '\xff';
  g_autoptr (JsonObject) found = ear_userdata_shape_salvage (text->str, text->len, "podcast");
  g_assert_cmpuint (json_object_get_size (json_object_get_object_member (found, "settings")), ==, 2);
  g_assert_cmpuint (json_object_get_size (json_object_get_object_member (found, "episodes")), ==, 4);
}

/* Another machine's copy is merged as far as it can be read. */
static void
test_copy (Fixture *fixture, gconstpointer data)
{
  static const char name[] = "bookmarks.sync-conflict-20260102-000000-ABCDEFG.json";
  g_autofree char *text = MAKE_FILE ("bookmarks", { "a", 1, 1 }, { "b", 2, 20 });
  g_autofree char *copy = MAKE_FILE ("bookmarks", { "a", 11, 11 }, { "b", 12, 12 }, { "c", 13, 13 },
                                     { "d", 14, 14 });

  copy[strlen (copy) - 30] = '\0';
  fixture_write (fixture, "bookmarks.json", text);
  fixture_damage (fixture, name, copy);
  load (fixture, "bookmarks");
  g_assert_cmpuint (fixture->n_restored, ==, 1);
  g_assert_cmpuint (fixture_count (fixture, "sync-conflict-20260102-000000-ABCDEFG.json.damaged-"), ==, 1);
  g_assert_cmpuint (get_number (fixture, "bookmarks", "a"), ==, 11);
  g_assert_cmpuint (get_number (fixture, "bookmarks", "b"), ==, 2);
  g_assert_cmpuint (get_number (fixture, "bookmarks", "c"), ==, 13);
}

/* Without its position, now.json still names the current episode. */
static void
test_now (Fixture *fixture, gconstpointer data)
{
  static const char compact[] = "{\"version\": 1, \"kind\": \"now\", \"address\": \"" ADDRESS "\", \"guid\": \"g1\", \"title\": \"One\","
                                " \"position\": " STAMPED ("12.5", "2026-01-02") "}";
  g_autoptr (GString) text = expand (compact);
  const gsize whole = (gsize) (strstr (text->str, "\n  }") + strlen ("\n  }") - text->str);

  fixture_damage (fixture, "now.json", "\x01\x02");
  fixture_open (fixture, 20);
  g_assert_false (load_now (fixture->store, NULL, NULL, NULL));
  g_assert_cmpuint (fixture->set_aside->len, ==, 1);
  fixture_close (fixture);
  for (gsize length = whole - 20; length < text->len - 1; length++)
    {
      g_autofree char *cut = g_strndup (text->str, length);
      g_autofree char *guid = NULL;
      gint64 position = 0;

      fixture_forget (fixture);
      fixture_damage (fixture, "now.json", cut);
      fixture_open (fixture, 20);
      g_assert_true (load_now (fixture->store, NULL, &guid, &position));
      g_assert_cmpstr (guid, ==, "g1");
      g_assert_cmpint (position, ==, length >= whole ? 12500000 : 0);
      g_assert_cmpuint (fixture->set_aside->len, ==, 1);
      fixture_close (fixture);
      ear_test_folder_remove (fixture->path);
    }
}

/* On a full disk, salvaged entries are in memory, and the damaged file stays. */
static void
test_disk_full (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = MAKE_FILE ("podcast", { "g1", 1, 1 }, { "g2", 2, 2 });

  text[strlen (text) - 5] = '\0';
  fixture_damage (fixture, ADDRESS, text);
  ear_test_limit_files (64);
  fixture_open (fixture, 20);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  EAR_TEST_WAIT_UNTIL (fixture->n_podcast_changed > 0);
  g_assert_cmpuint (g_hash_table_size (fixture->states), ==, 2);
  assert_file (fixture, ADDRESS, text);
  g_assert_cmpuint (fixture_count (fixture, ".damaged-"), ==, 0);
  ear_test_limit_files (0);
  fixture_close (fixture);

  load (fixture, "podcast");
  g_assert_cmpuint (get_number (fixture, "podcast", "g2"), ==, 2);
  g_assert_cmpuint (fixture_count (fixture, ".damaged-"), ==, 1);
}

/* One value that cannot be written does not affect others. */
static void
test_invalid (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonObject) root = json_object_new ();
  static const char *const ids[] = { "example.org/M\xfcnchen", "example.org/a" };

  json_object_set_string_member (root, "value", "M\xfcnchen");
  json_object_set_string_member (root, "M\xfcnchen", "name");
  json_object_set_string_member (root, "good", "München");
  g_autofree char *text = print (root);
  fixture_write (fixture, "any.json", text);
  assert_json (fixture, "any.json", "value", "M\357\277\275nchen");
  assert_json (fixture, "any.json", "good", "München");

  fixture_open (fixture, 20);
  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    ear_userdata_store_set_record (fixture->store, EAR_RECORD_LINK,
                                   ear_record_new (ids[i], g_variant_new ("a{sv}", NULL), g_get_real_time ()));
  flush (fixture->store, NULL);
  assert_json (fixture, "links.json", "records example.org/a value", "{}");
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/userdata-salvage/anywhere/podcast", test_anywhere, "podcast" },
    { "/userdata-salvage/anywhere/subscriptions", test_anywhere, "subscriptions" },
    { "/userdata-salvage/anywhere/bookmarks", test_anywhere, "bookmarks" },
    { "/userdata-salvage/anywhere/lists", test_anywhere, "lists" },
    { "/userdata-salvage/anywhere/listening", test_anywhere, "listening" },
    { "/userdata-salvage/anywhere/chapters", test_anywhere, "chapters" },
    { "/userdata-salvage/anywhere/links", test_anywhere, "links" },
    { "/userdata-salvage/backup/podcast", test_backup, "podcast" },
    { "/userdata-salvage/backup/subscriptions", test_backup, "subscriptions" },
    { "/userdata-salvage/backup/bookmarks", test_backup, "bookmarks" },
    { "/userdata-salvage/backup/listening", test_backup, "listening" },
    { "/userdata-salvage/repaired", test_repaired },
    { "/userdata-salvage/copy", test_copy },
    { "/userdata-salvage/now", test_now },
    { "/userdata-salvage/disk-full", test_disk_full },
    { "/userdata-salvage/invalid", test_invalid },
    { "/userdata-salvage/future", test_future },
    { "/userdata-salvage/settings", test_settings },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
