/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include "ear-json-folder.h"
#include "ear-record.h"
#include "ear-userdata-shape.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

/* Damaged files: intact entries are read, wherever the damage is. */

#define AT(second) "\"updated\": \"2026-01-02T00:00:" second "Z\""

typedef struct
{
  const char *name; /* of the file */
  const char *kind;
  const char *text;
} Case;

static const Case cases[] = {
  { "0123456789abcdef0123456789abcdef.json", "podcast",
    "{\"version\": 1, \"kind\": \"podcast\", \"addresses\": [\"https://example.org/a\", \"https://example.org/b\"], \"title\": \"Ä {podcast}\","
    " \"settings\": {\"filter\": {\"value\": \"unplayed\", " AT ("01") "}, \"rate\": {\"value\": 150, " AT ("01") "}},"
    " \"episodes\": {"
    "  \"g1\": {\"aliases\": [\"a1\", \"a2\"], \"title\": \"One\", \"position\": {\"value\": 12.5, " AT ("02") "}},"
    "  \"https://example.org/2?a=b\": {\"liked\": {\"value\": true, " AT ("03") "}, \"listened\": {\"value\": true, " AT ("04") "}},"
    "  \"wörds \\\"quoted\\\" \\\\ {}[]\": {\"title\": \"Three, \\\"and\\\": {\", \"queued\": {\"value\": 1764162000000000, " AT ("05") "}},"
    "  \"g4\": {\"archived\": {\"value\": false, " AT ("06") ", \"by\": [1, [2], {\"n\": null}]}}}}" },
  { "subscriptions.json", "subscriptions",
    "{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {"
    "  \"https://example.org/a\": {\"title\": \"A\", \"feed\": \"https://example.org/new\", \"followed\": {\"value\": true, " AT ("01") "}},"
    "  \"https://example.org/b\": {\"title\": \"B\", \"folder\": {\"value\": \"News/Local\", " AT ("02") "}, \"followed\": {\"value\": true, " AT ("02") "}},"
    "  \"https://example.org/c\": {\"title\": \"C\", \"followed\": {\"value\": false, " AT ("03") "}}}}" },
  { "bookmarks.json", "bookmarks",
    "{\"version\": 1, \"kind\": \"bookmarks\", \"records\": {"
    "  \"b1\": {\"value\": {\"address\": \"https://example.org/a\", \"guid\": \"g1\", \"time\": 12.5, \"text\": \"Said: “so, {and}”\"}, " AT ("01") "},"
    "  \"b2\": {\"value\": null, " AT ("02") "},"
    "  \"b3\": {\"value\": {\"guid\": \"g3\", \"time\": 3, \"note\": \"Two\\nlines\"}, " AT ("03") "}}}" },
  { "lists.json", "lists",
    "{\"version\": 1, \"kind\": \"lists\", \"records\": {"
    "  \"l1\": {\"value\": {\"title\": \"Mine\", \"rule\": {\"filters\": [\"unplayed\", \"liked\"]}}, " AT ("01") "},"
    "  \"l1/0123\": {\"value\": {\"place\": 1.5}, " AT ("02") "},"
    "  \"l1/4567\": {\"value\": {\"place\": 2}, " AT ("03") "}}}" },
  { "listening.json", "listening",
    "{\"version\": 1, \"kind\": \"listening\", \"records\": {"
    "  \"2026-01-01/x\": {\"value\": {\"seconds\": 100, \"podcasts\": {\"https://example.org/a\": 100}}, " AT ("01") "},"
    "  \"2026-01-02/x\": {\"value\": {\"seconds\": 200.5}, " AT ("02") "}}}" },
  { "chapters.json", "chapters",
    "{\"version\": 1, \"kind\": \"chapters\", \"records\": {"
    "  \"c1\": {\"value\": {\"chapters\": [{\"start\": 1, \"title\": \"One\"}, {\"start\": 2}]}, " AT ("01") "},"
    "  \"c2\": {\"value\": {\"chapters\": []}, " AT ("02") "}}}" },
  { "links.json", "links",
    "{\"version\": 1, \"kind\": \"links\", \"records\": {"
    "  \"example.org/a\": {\"value\": {\"starred\": true, \"address\": \"https://example.org/a\", \"words\": \"A page\"}, " AT ("01") "},"
    "  \"example.org/M%FCnchen\": {\"value\": {\"read\": true}, " AT ("02") "},"
    "  \"example.org/c#part\": {\"value\": {\"read\": true, \"starred\": true}, " AT ("03") "}}}" },
};

static JsonObject *
parse (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  JsonObject *root = ear_json_parse (text, length, &error);

  g_assert_no_error (error);

  return root;
}

static GString *
print (const char *compact)
{
  g_autoptr (JsonObject) root = parse (compact, strlen (compact));
  gsize length;
  g_autofree char *text = ear_json_print (root, &length);

  return g_string_new_len (text, (gssize) length);
}

/* An entry of a file, and the range of its lines in it */
typedef struct
{
  const char *name;
  JsonNode *node;
  gsize begin;
  gsize end;
} Entry;

static GArray *
list_entries (JsonObject *root, const char *member, const GString *text)
{
  GArray *entries = g_array_new (FALSE, TRUE, sizeof (Entry));
  JsonObject *table = json_object_get_object_member (root, member);
  g_autofree char *opening = g_strdup_printf ("\n  \"%s\": {\n", member);
  const char *at = strstr (text->str, opening) + strlen (opening);
  JsonObjectIter iter;
  Entry entry = { 0 };

  json_object_iter_init_ordered (&iter, table);
  while (json_object_iter_next_ordered (&iter, &entry.name, &entry.node))
    {
      const char *close = strstr (at, "\n    }");

      entry.begin = (gsize) (at - text->str);
      at = strchr (close + 1, '\n') + 1;
      entry.end = (gsize) (at - text->str);
      g_array_append_val (entries, entry);
    }

  return entries;
}

static gboolean
has_entry (JsonObject *root, const char *member, const Entry *entry)
{
  JsonObject *table = root != NULL ? ear_json_get_object (root, member) : NULL;
  JsonNode *found = table != NULL ? json_object_get_member (table, entry->name) : NULL;

  return found != NULL && json_node_equal (found, entry->node);
}

/* Reads the file as it is if possible. Returns: NULL then, as there is no damage to
 * find */
static JsonObject *
read_damaged (const Case *one, const char *text, gsize length)
{
  g_autoptr (JsonObject) root = ear_json_parse (text, length, NULL);

  if (root != NULL && ear_userdata_shape_check (root, one->kind, NULL))
    return NULL;

  return ear_userdata_shape_salvage (text, length, one->kind);
}

static void
test_cut (gconstpointer data)
{
  const Case *one = data;
  const char *table = ear_userdata_shape_get_table (one->kind);
  g_autoptr (GString) text = print (one->text);
  g_autoptr (JsonObject) root = parse (text->str, text->len);
  g_autoptr (GArray) entries = list_entries (root, table, text);

  for (gsize length = 0; length < text->len - 2; length++)
    {
      g_autofree char *cut = g_memdup2 (text->str, length);
      g_autoptr (JsonObject) found = read_damaged (one, cut, length);
      g_autoptr (JsonObject) again = NULL;
      gsize printed_length;
      g_autofree char *printed = found != NULL ? ear_json_print (found, &printed_length) : NULL;

      for (guint i = 0; i < entries->len; i++)
        {
          const Entry *entry = &g_array_index (entries, Entry, i);

          if (entry->end - 1 > length)
            continue;
          if (!has_entry (found, table, entry))
            g_error ("%s is lost in %s", entry->name, printed);
        }
      if (found != NULL)
        again = parse (printed, printed_length);
    }
}

static guint
count_lost (const Case *one, const GString *text, GArray *entries, gsize at, const GString *damaged)
{
  const char *table = ear_userdata_shape_get_table (one->kind);
  g_autoptr (JsonObject) strict = ear_json_parse (damaged->str, damaged->len, NULL);
  g_autoptr (JsonObject) found = NULL;
  guint n_lost = 0;

  if (strict != NULL && ear_userdata_shape_check (strict, one->kind, NULL))
    return 0;
  found = ear_userdata_shape_salvage (damaged->str, damaged->len, one->kind);
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      if ((at >= entry->begin && at < entry->end) || has_entry (found, table, entry))
        continue;
      g_test_message ("%s: %s is lost with byte %" G_GSIZE_FORMAT ", at '%.*s'", one->kind, entry->name, at, (int) MIN (20, damaged->len - at), damaged->str + at);
      n_lost++;
    }

  return n_lost;
}

/* One byte is changed, missing or added. */
static void
test_byte (gconstpointer data)
{
  static const char bytes[] = "\xffx\"{}[],:\n";
  const Case *one = data;
  g_autoptr (GString) text = print (one->text);
  g_autoptr (JsonObject) root = parse (text->str, text->len);
  g_autoptr (GArray) entries = list_entries (root, ear_userdata_shape_get_table (one->kind), text);
  guint n_lost = 0;

  for (gsize at = 0; at < text->len; at++)
    {
      g_autoptr (GString) without = g_string_new_len (text->str, (gssize) text->len);

      g_string_erase (without, (gssize) at, 1);
      n_lost += count_lost (one, text, entries, at, without);
      /* With the zero at the end */
      for (gsize i = 0; i < sizeof bytes; i++)
        {
          g_autoptr (GString) other = g_string_new_len (text->str, (gssize) text->len);
          g_autoptr (GString) more = g_string_new_len (text->str, (gssize) text->len);

          other->str[at] = bytes[i];
          n_lost += count_lost (one, text, entries, at, other);
          g_string_insert_c (more, (gssize) at, bytes[i]);
          n_lost += count_lost (one, text, entries, at, more);
        }
    }
  g_assert_cmpuint (n_lost, ==, 0);
}

/* A disk block is lost: entries before and behind it are not. */
static void
test_block (gconstpointer data)
{
  const Case *one = data;
  const char *table = ear_userdata_shape_get_table (one->kind);
  g_autoptr (GString) text = print (one->text);
  g_autoptr (JsonObject) root = parse (text->str, text->len);
  g_autoptr (GArray) entries = list_entries (root, table, text);

  for (gsize begin = 0; begin < text->len; begin++)
    for (gsize length = 2; begin + length <= text->len; length = length * 3 / 2)
      {
        g_autoptr (GString) damaged = g_string_new_len (text->str, (gssize) text->len);
        g_autoptr (JsonObject) found = NULL;

        memset (damaged->str + begin, begin % 2 != 0 ? '\0' : '\xff', length);
        found = read_damaged (one, damaged->str, damaged->len);
        for (guint i = 0; i < entries->len; i++)
          {
            const Entry *entry = &g_array_index (entries, Entry, i);

            if (entry->begin <= begin + length && entry->end > begin)
              continue;
            if (!has_entry (found, table, entry))
              g_error ("%s: %s is lost with %" G_GSIZE_FORMAT " bytes at %" G_GSIZE_FORMAT, one->kind, entry->name, length, begin);
          }
      }
}

#define ADDRESS "https://example.org/feed.xml"

/* Appends an entry in the form of its kind, with a number to identify it. */
static void
append_entry (GString *text, const char *kind, const char *name, guint number, guint second)
{
  g_autofree char *stamp = g_strdup_printf ("\"updated\": \"2026-01-02T00:00:%02uZ\"", second);

  if (g_str_equal (kind, "podcast"))
    g_string_append_printf (text, "%s\"%s\": {\"position\": {\"value\": %u, %s}}", text->len > 0 ? "," : "", name, number, stamp);
  else if (g_str_equal (kind, "subscriptions"))
    g_string_append_printf (text, "%s\"https://example.org/%s\": {\"title\": \"%s\", \"folder\": {\"value\": \"%u\", %s}}",
                            text->len > 0 ? "," : "", name, name, number, stamp);
  else
    g_string_append_printf (text, "%s\"%s\": {\"value\": {\"number\": %u, \"note\": \"of %s\"}, %s}", text->len > 0 ? "," : "", name, number,
                            name, stamp);
}

static guint
get_number (JsonObject *root, const char *kind, const char *name)
{
  JsonObject *table = json_object_get_object_member (root, ear_userdata_shape_get_table (kind));
  g_autofree char *address = g_strconcat ("https://example.org/", name, NULL);
  const gboolean is_podcast = g_str_equal (kind, "podcast");
  const gboolean is_subscription = g_str_equal (kind, "subscriptions");
  const char *own_name = is_subscription ? address : name;
  JsonObject *entry = json_object_has_member (table, own_name) ? json_object_get_object_member (table, own_name) : NULL;

  if (entry == NULL)
    return 0;
  if (is_podcast)
    return (guint) json_object_get_double_member (json_object_get_object_member (entry, "position"), "value");
  if (is_subscription)
    return (guint) g_ascii_strtoull (json_object_get_string_member (json_object_get_object_member (entry, "folder"), "value"), NULL, 10);

  return (guint) json_object_get_int_member (json_object_get_object_member (entry, "value"), "number");
}

static char *
make_file (const char *kind, const GString *entries)
{
  g_autofree char *compact = g_strdup_printf ("{\"version\": 1, \"kind\": \"%s\", \"%s\": {%s}}", kind, ear_userdata_shape_get_table (kind), entries->str);

  return g_string_free_and_steal (print (compact));
}

static void
load (Fixture *fixture, const char *kind)
{
  EarRecordKind records;

  fixture_open (fixture, 20);
  if (g_str_equal (kind, "podcast"))
    ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  else if (ear_record_kind_find (kind, &records))
    ear_userdata_store_load_records (fixture->store, records);
  else
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) all = userdata_test_load_subscriptions (fixture->store, NULL, &error);

      g_assert_no_error (error);
    }
  fixture_flush (fixture);
}

/* The damaged file has some entries, the backup others: the newest intact version of each
 * is used. */
static void
test_backup (gconstpointer data)
{
  const char *kind = data;
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = g_str_equal (kind, "podcast") ? userdata_test_name (ADDRESS) : g_strconcat (kind, ".json", NULL);
  g_autoptr (GString) before = g_string_new (NULL);
  g_autoptr (GString) after = g_string_new (NULL);
  g_autofree char *good = NULL;
  g_autofree char *text = NULL;
  g_autofree char *kept = NULL;
  g_autoptr (JsonObject) root = NULL;
  g_autoptr (EarBackup) backup = NULL;
  g_autoptr (GError) error = NULL;

  append_entry (before, kind, "changed", 1, 1);
  append_entry (before, kind, "hurt", 2, 2);
  append_entry (before, kind, "cut", 3, 3);
  append_entry (before, kind, "newer", 4, 40);
  good = make_file (kind, before);
  fixture_write (fixture, name, good);
  load (fixture, kind);
  backup = userdata_test_back_up (fixture->store, EAR_BACKUP_DAILY, &error);
  g_assert_no_error (error);
  fixture_close (fixture);
  fixture_forget (fixture);

  append_entry (after, kind, "changed", 11, 11);
  append_entry (after, kind, "hurt", 2, 2);
  append_entry (after, kind, "added", 15, 15);
  append_entry (after, kind, "newer", 14, 14);
  append_entry (after, kind, "cut", 13, 13);
  text = make_file (kind, after);
  *(strstr (text, "hurt\"") + 1) = '\xff';
  *(strstr (text, "T00:00:13") + 3) = '\0';
  fixture_write (fixture, name, text);
  fixture_age (fixture, name, 60);
  load (fixture, kind);
  g_assert_cmpuint (fixture->n_restored, ==, 1);
  g_assert_cmpuint (fixture->set_aside->len, ==, 1);
  kept = fixture_read (fixture, fixture->set_aside->pdata[0], NULL);
  g_assert_cmpstr (kept, ==, text);
  root = fixture_parse (fixture, name);
  g_assert_cmpuint (get_number (root, kind, "changed"), ==, 11);
  g_assert_cmpuint (get_number (root, kind, "hurt"), ==, 2);
  g_assert_cmpuint (get_number (root, kind, "added"), ==, 15);
  g_assert_cmpuint (get_number (root, kind, "newer"), ==, 4);
  g_assert_cmpuint (get_number (root, kind, "cut"), ==, 3);
}

/* An entry with a wrong byte comes from the backup, or is repaired if the backup lacks it. */
static void
test_repaired (void)
{
  static const char *const kinds[] = { "bookmarks", "lists" };

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (Fixture) fixture = fixture_new ();
      g_autofree char *name = g_strconcat (kinds[i], ".json", NULL);
      g_autoptr (GString) entries = g_string_new (NULL);
      g_autoptr (EarBackup) backup = NULL;
      g_autofree char *good = NULL;
      g_autofree char *text = NULL;
      g_autofree char *found = NULL;

      append_entry (entries, kinds[i], "early", 1, 1);
      good = make_file (kinds[i], entries);
      fixture_write (fixture, name, good);
      load (fixture, kinds[i]);
      backup = userdata_test_back_up (fixture->store, EAR_BACKUP_DAILY, NULL);
      g_assert_nonnull (backup);
      fixture_close (fixture);

      append_entry (entries, kinds[i], "late", 2, 2);
      append_entry (entries, kinds[i], "name", 3, 3);
      text = make_file (kinds[i], entries);
      *(strstr (text, "of early") + 3) = '\xff';
      *(strstr (text, "of late") + 3) = '\xff';
      *(strstr (text, "\"name") + 1) = '\xff';
      fixture_write (fixture, name, text);
      fixture_age (fixture, name, 60);
      load (fixture, kinds[i]);
      found = fixture_read (fixture, name, NULL);
      g_assert_nonnull (strstr (found, "\"of early\""));
      g_assert_nonnull (strstr (found, "\"of \xef\xbf\xbd" "ate\""));
      g_assert_null (strstr (found, "of name"));
    }
}

/* Objects of later versions in the root stay apart from the entries, wherever a byte outside them
 * is damaged. */
static void
test_future (void)
{
  static const char compact[] = "{\"version\": 2, \"kind\": \"podcast\", \"title\": \"One\","
                                " \"before\": {\"f1\": {\"number\": 1}, \"f2\": {\"value\": 2, " AT ("01") "}},"
                                " \"settings\": {\"rate\": {\"value\": 150, " AT ("02") "}},"
                                " \"episodes\": {\"g1\": {\"liked\": {\"value\": true, " AT ("03") "}}, \"g2\": {\"liked\": {\"value\": true, " AT ("04") "}}},"
                                " \"later\": {\"f3\": {\"number\": 3}, \"f4\": {\"value\": 4, " AT ("05") "}}}";
  static const char *const names[] = { "before", "settings", "episodes", "later" };
  static const char *const marks[] = { "One", "rate", "g1", "g2", "episodes", "03Z" };
  g_autoptr (JsonObject) root = parse (compact, strlen (compact));
  g_autoptr (GString) text = print (compact);

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

/* A damaged file without episodes keeps its settings. */
static void
test_settings (void)
{
  static const char compact[] = "{\"version\": 1, \"kind\": \"podcast\", \"title\": \"One\","
                                " \"settings\": {\"rate\": {\"value\": 150, " AT ("02") "}}}";
  g_autoptr (GString) text = print (compact);
  g_autoptr (JsonObject) found = NULL;

  *strstr (text->str, "One") = '\xff';
  found = ear_userdata_shape_salvage (text->str, text->len, "podcast");
  g_assert_nonnull (found);
  g_assert_true (json_object_has_member (json_object_get_object_member (found, "settings"), "rate"));
}

/* The name of the table has another byte in it. */
static void
test_name (void)
{
  g_autoptr (GString) text = print (cases[0].text);
  g_autoptr (JsonObject) found = NULL;

  strstr (text->str, "episodes")[3] = 'X';
  *(strstr (text->str, "{podcast}") - 1) = '\xff';
  found = ear_userdata_shape_salvage (text->str, text->len, "podcast");
  g_assert_cmpuint (json_object_get_size (json_object_get_object_member (found, "settings")), ==, 2);
  g_assert_cmpuint (json_object_get_size (json_object_get_object_member (found, "episodes")), ==, 4);
}

/* Another machine's copy is merged as far as it can be read. */
static void
test_copy (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (GString) ours = g_string_new (NULL);
  g_autoptr (GString) theirs = g_string_new (NULL);
  g_autofree char *text = NULL;
  g_autofree char *copy = NULL;
  g_autoptr (JsonObject) root = NULL;

  append_entry (ours, "bookmarks", "a", 1, 1);
  append_entry (ours, "bookmarks", "b", 2, 20);
  append_entry (theirs, "bookmarks", "a", 11, 11);
  append_entry (theirs, "bookmarks", "b", 12, 12);
  append_entry (theirs, "bookmarks", "c", 13, 13);
  append_entry (theirs, "bookmarks", "d", 14, 14);
  text = make_file ("bookmarks", ours);
  copy = make_file ("bookmarks", theirs);
  copy[strlen (copy) - 30] = '\0';
  fixture_write (fixture, "bookmarks.json", text);
  fixture_write (fixture, "bookmarks.sync-conflict-20260102-000000-ABCDEFG.json", copy);
  fixture_age (fixture, "bookmarks.sync-conflict-20260102-000000-ABCDEFG.json", 60);
  load (fixture, "bookmarks");
  g_assert_cmpuint (fixture->n_restored, ==, 1);
  g_assert_cmpuint (fixture_count (fixture, "sync-conflict-20260102-000000-ABCDEFG.json.damaged-"), ==, 1);
  root = fixture_parse (fixture, "bookmarks.json");
  g_assert_cmpuint (get_number (root, "bookmarks", "a"), ==, 11);
  g_assert_cmpuint (get_number (root, "bookmarks", "b"), ==, 2);
  g_assert_cmpuint (get_number (root, "bookmarks", "c"), ==, 13);
}

/* Without its position, now.json still names the current episode. */
static void
test_now (void)
{
  static const char compact[] = "{\"version\": 1, \"kind\": \"now\", \"address\": \"" ADDRESS "\", \"guid\": \"g1\", \"title\": \"One\","
                                " \"position\": {\"value\": 12.5, \"updated\": \"2026-01-02T00:00:00Z\"}}";
  g_autoptr (GString) text = print (compact);
  const gsize whole = (gsize) (strstr (text->str, "\n  }") + strlen ("\n  }") - text->str);

  for (gsize length = whole - 20; length < text->len - 1; length++)
    {
      g_autoptr (Fixture) fixture = fixture_new ();
      g_autofree char *cut = g_strndup (text->str, length);
      g_autofree char *guid = NULL;
      gint64 position = 0;

      fixture_write (fixture, "now.json", cut);
      fixture_age (fixture, "now.json", 60);
      fixture_open (fixture, 20);
      g_assert_true (userdata_test_load_now (fixture->store, NULL, &guid, &position));
      g_assert_cmpstr (guid, ==, "g1");
      g_assert_cmpint (position, ==, length >= whole ? 12500000 : 0);
      g_assert_cmpuint (fixture->set_aside->len, ==, 1);
    }
}

/* When nothing can be written, salvaged entries are in memory, and the damaged file stays
 * where it was. */
static void
test_disk_full (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (GString) episodes = g_string_new (NULL);
  g_autofree char *name = userdata_test_name (ADDRESS);
  g_autofree char *text = NULL;
  g_autofree char *kept = NULL;
  g_autoptr (JsonObject) root = NULL;
  struct rlimit limit, full;

  append_entry (episodes, "podcast", "g1", 1, 1);
  append_entry (episodes, "podcast", "g2", 2, 2);
  text = make_file ("podcast", episodes);
  text[strlen (text) - 5] = '\0';
  fixture_write (fixture, name, text);
  fixture_age (fixture, name, 60);
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  full = limit;
  full.rlim_cur = 64;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &full), ==, 0);
  fixture_open (fixture, 20);
  ear_userdata_store_load_podcast (fixture->store, ADDRESS);
  g_assert_true (userdata_test_wait (fixture_was_told, fixture));
  g_assert_cmpuint (g_hash_table_size (fixture->states), ==, 2);
  kept = fixture_read (fixture, name, NULL);
  g_assert_cmpstr (kept, ==, text);
  g_assert_cmpuint (fixture_count (fixture, ".damaged-"), ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  fixture_close (fixture);

  load (fixture, "podcast");
  root = fixture_parse (fixture, name);
  g_assert_cmpuint (get_number (root, "podcast", "g2"), ==, 2);
  g_assert_cmpuint (fixture_count (fixture, ".damaged-"), ==, 1);
}

/* Data that reading would refuse is not written, and the old content stays. */
static void
test_refused (void)
{
  static const struct
  {
    const char *text;
    gsize length;
  } table[] = { { "{\"a\": \"\xff\"}\n", 12 }, { "{\"a\": \"\0\"}\n", 12 }, { "", 0 }, { "{\"\xc3\": 1}", 9 }, { "{\"\xed\xa0\x80\": 1}", 11 } };
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarJsonFolder) folder = ear_json_folder_new (fixture->path, NULL, NULL);
  EarJsonIdentity identity;

  fixture_write (fixture, "links.json", "{}");
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *kept = NULL;

      g_assert_false (ear_json_folder_write_json (folder, "links.json", table[i].text, table[i].length, &identity, &error));
      g_assert_error (error, EAR_ERROR, EAR_ERROR_DAMAGED);
      kept = fixture_read (fixture, "links.json", NULL);
      g_assert_cmpstr (kept, ==, "{}");
    }
}

/* One value that cannot be written does not affect others. */
static void
test_invalid (void)
{
  g_autoptr (JsonObject) root = json_object_new ();
  g_autoptr (JsonObject) again = NULL;
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarRecord) bad = ear_record_new ("example.org/M\xfcnchen", g_variant_new ("a{sv}", NULL), g_get_real_time ());
  g_autoptr (EarRecord) good = ear_record_new ("example.org/a", g_variant_new ("a{sv}", NULL), g_get_real_time ());
  g_autofree char *text = NULL;
  gsize length;

  json_object_set_string_member (root, "value", "M\xfcnchen");
  json_object_set_string_member (root, "M\xfcnchen", "name");
  json_object_set_string_member (root, "good", "München");
  text = ear_json_print (root, &length);
  again = parse (text, length);
  g_assert_cmpstr (json_object_get_string_member (again, "value"), ==, "M\357\277\275nchen");
  g_assert_cmpstr (json_object_get_string_member (again, "good"), ==, "München");

  fixture_open (fixture, 20);
  ear_userdata_store_set_record (fixture->store, EAR_RECORD_LINK, bad);
  ear_userdata_store_set_record (fixture->store, EAR_RECORD_LINK, good);
  fixture_flush (fixture);
  g_clear_pointer (&again, json_object_unref);
  again = fixture_parse (fixture, "links.json");
  g_assert_true (json_object_has_member (json_object_get_object_member (again, "records"), "example.org/a"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *cut = g_strdup_printf ("/userdata-salvage/cut/%s", cases[i].kind);
      g_autofree char *backup = g_strdup_printf ("/userdata-salvage/backup/%s", cases[i].kind);
      g_autofree char *byte = g_strdup_printf ("/userdata-salvage/byte/%s", cases[i].kind);
      g_autofree char *block = g_strdup_printf ("/userdata-salvage/block/%s", cases[i].kind);

      g_test_add_data_func (cut, &cases[i], test_cut);
      g_test_add_data_func (backup, cases[i].kind, test_backup);
      g_test_add_data_func (byte, &cases[i], test_byte);
      g_test_add_data_func (block, &cases[i], test_block);
    }
  g_test_add_func ("/userdata-salvage/repaired", test_repaired);
  g_test_add_func ("/userdata-salvage/future", test_future);
  g_test_add_func ("/userdata-salvage/settings", test_settings);
  g_test_add_func ("/userdata-salvage/name", test_name);
  g_test_add_func ("/userdata-salvage/copy", test_copy);
  g_test_add_func ("/userdata-salvage/now", test_now);
  g_test_add_func ("/userdata-salvage/disk-full", test_disk_full);
  g_test_add_func ("/userdata-salvage/refused", test_refused);
  g_test_add_func ("/userdata-salvage/invalid", test_invalid);

  return g_test_run ();
}
