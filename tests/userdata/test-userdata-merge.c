/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include "ear-mark.h"

#include <string.h>

/* 2026-11-21T06:40:12.123456Z */
#define NOW G_GINT64_CONSTANT (1795243212123456)
#define S1 "\"updated\": \"2026-11-21T01:00:00.000000Z\""
#define S2 "\"updated\": \"2026-11-21T02:00:00.000000Z\""
#define S3 "\"updated\": \"2026-11-21T03:00:00.000000Z\""
#define FUTURE "\"updated\": \"2099-01-01T00:00:00.000000Z\""

static void
assert_same (JsonObject *root, const char *expected)
{
  g_autoptr (JsonObject) other = parse (expected);
  g_autofree char *text = print (other);

  ear_test_assert_text (print (root), text);
}

/* Two files and their merged result; another merge must change nothing. */
static const struct
{
  const char *name;
  const char *into;
  const char *from;
  const char *merged;
} merges[] = {
  { "the same", "{\"a\": {\"value\": 1, " S1 "}}", "{\"a\": {\"value\": 1, " S1 "}}", "{\"a\": {\"value\": 1, " S1 "}}" },
  { "newer wins", "{\"a\": {\"value\": 1, " S1 "}}", "{\"a\": {\"value\": 2, " S2 "}}", "{\"a\": {\"value\": 2, " S2 "}}" },
  { "older loses", "{\"a\": {\"value\": 1, " S2 "}}", "{\"a\": {\"value\": 2, " S1 "}}", "{\"a\": {\"value\": 1, " S2 "}}" },
  { "even", "{\"a\": {\"value\": 1, " S1 "}}", "{\"a\": {\"value\": 2, " S1 "}}", "{\"a\": {\"value\": 1, " S1 "}}" },
  { "field by field",
    "{\"position\": {\"value\": 1, " S1 "}, \"liked\": {\"value\": true, " S3 "}}",
    "{\"position\": {\"value\": 2, " S2 "}, \"liked\": {\"value\": false, " S2 "}}",
    "{\"position\": {\"value\": 2, " S2 "}, \"liked\": {\"value\": true, " S3 "}}" },
  { "a tombstone stays", "{\"liked\": {\"value\": false, " S2 "}}", "{\"liked\": {\"value\": true, " S1 "}}", "{\"liked\": {\"value\": false, " S2 "}}" },
  { "a tombstone comes", "{\"liked\": {\"value\": true, " S1 "}}", "{\"liked\": {\"value\": false, " S2 "}}", "{\"liked\": {\"value\": false, " S2 "}}" },
  { "the newer one has no value", "{\"a\": {\"value\": 1, " S1 "}}", "{\"a\": {\"removed\": true, " S2 "}}", "{\"a\": {" S2 ", \"removed\": true}}" },
  { "the older one has a value", "{\"a\": {\"removed\": true, " S2 "}}", "{\"a\": {\"value\": 1, " S1 "}}", "{\"a\": {\"removed\": true, " S2 "}}" },
  { "stamp against none", "{\"a\": {\"value\": 1}}", "{\"a\": {\"value\": 2, " S1 "}}", "{\"a\": {\"value\": 2, " S1 "}}" },
  { "none against stamp", "{\"a\": {\"value\": 1, " S1 "}}", "{\"a\": {\"value\": 2}}", "{\"a\": {\"value\": 1, " S1 "}}" },
  { "the future loses", "{\"a\": {\"value\": 1, " FUTURE "}}", "{\"a\": {\"value\": 2, " S1 "}}", "{\"a\": {\"value\": 2, " S1 "}}" },
  { "the future does not win", "{\"a\": {\"value\": 1, " S1 "}}", "{\"a\": {\"value\": 2, " FUTURE "}}", "{\"a\": {\"value\": 1, " S1 "}}" },
  { "the future is better than nothing", "{}", "{\"a\": {\"value\": 2, " FUTURE "}}", "{\"a\": {\"value\": 2, " FUTURE "}}" },
  { "unknown members of both",
    "{\"x\": 1, \"e\": {\"g\": {\"y\": [1], \"a\": {\"value\": 1, \"p\": 1, " S1 "}}}}",
    "{\"z\": {\"deep\": [null]}, \"e\": {\"g\": {\"w\": \"w\", \"a\": {\"value\": 2, \"q\": 2, " S2 "}}}}",
    "{\"x\": 1, \"e\": {\"g\": {\"y\": [1], \"a\": {\"value\": 2, \"p\": 1, " S2 ", \"q\": 2}, \"w\": \"w\"}}, \"z\": {\"deep\": [null]}}" },
  { "without a stamp the first stays", "{\"title\": \"a\"}", "{\"title\": \"b\"}", "{\"title\": \"a\"}" },
  { "lists", "{\"l\": [\"a\", \"b\"]}", "{\"l\": [\"c\", \"a\"]}", "{\"l\": [\"a\", \"b\", \"c\"]}" },
  { "kinds of values that differ", "{\"a\": [1], \"b\": {\"c\": 1}, \"d\": 1}", "{\"a\": {\"c\": 1}, \"b\": 1, \"d\": [2]}", "{\"a\": [1], \"b\": {\"c\": 1}, \"d\": 1}" },
  { "episodes of both", "{\"episodes\": {\"1\": {\"title\": \"one\"}}}", "{\"episodes\": {\"2\": {\"title\": \"two\"}}}", "{\"episodes\": {\"1\": {\"title\": \"one\"}, \"2\": {\"title\": \"two\"}}}" },
  { "the higher version", "{\"version\": 1}", "{\"version\": 3}", "{\"version\": 3}" },
  { "no lower version", "{\"version\": 3}", "{\"version\": 1}", "{\"version\": 3}" },
};

static void
test_merge (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (merges); i++)
    {
      g_autoptr (JsonObject) into = parse (merges[i].into);
      g_autoptr (JsonObject) from = parse (merges[i].from);
      g_autofree char *before = print (into);
      const gboolean changed = ear_userdata_merge (into, from, NOW);
      g_autofree char *after = print (into);

      g_test_message ("%s", merges[i].name);
      assert_same (into, merges[i].merged);
      assert_same (from, merges[i].from);
      g_assert_cmpint (changed, ==, strcmp (before, after) != 0);
      g_assert_false (ear_userdata_merge (into, from, NOW));
    }
}

#define NONE G_MAXINT64
#define MARK(mark) EAR_TABLE_EPISODES, EAR_MARK_##mark
#define SETTING(setting) EAR_TABLE_SETTINGS, EAR_PODCAST_SETTING_##setting
#define OLD(value) "{\"value\": " value ", " S1 "}"

/* Hostile and hand-made entries, and the values accepted */
static const struct
{
  guint table, key;
  const char *entry;
  gint64 value;
} entries[] = {
  { MARK (POSITION), OLD ("12.345"), 12345000 },       { MARK (POSITION), OLD ("12"), 12000000 },
  { MARK (POSITION), OLD ("5025.123457"), 5025123457 }, { MARK (POSITION), OLD ("0"), 0 },
  { MARK (POSITION), "{\"value\": 3}", 3000000 },      { MARK (POSITION), "3", 3000000 },
  { MARK (POSITION), OLD ("-1"), NONE },               { MARK (POSITION), OLD ("1e300"), NONE },
  { MARK (POSITION), OLD ("9223372036854775807"), NONE }, { MARK (POSITION), OLD ("-9223372036854775808"), NONE },
  { MARK (POSITION), OLD ("\"12\""), NONE },           { MARK (POSITION), OLD ("null"), NONE },
  { MARK (POSITION), OLD ("true"), NONE },             { MARK (POSITION), "[]", NONE },
  { MARK (POSITION), "{}", NONE },
  { MARK (POSITION), "{\"value\": 1, \"updated\": 12}", 1000000 },
  { MARK (POSITION), "{\"value\": 1, \"value\": 2, " S1 "}", 2000000 },
  { MARK (LISTENED), OLD ("true"), TRUE },             { MARK (LISTENED), OLD ("false"), FALSE },
  { MARK (LISTENED), "{\"value\": true}", TRUE },      { MARK (LISTENED), "true", TRUE },
  { MARK (LISTENED), OLD ("1"), NONE },                { MARK (LISTENED), OLD ("\"true\""), NONE },
  { MARK (LISTENED), OLD ("null"), NONE },             { MARK (LISTENED), OLD ("{}"), NONE },
  { MARK (LISTENED), OLD ("[]"), NONE },               { MARK (LISTENED), "[]", NONE },
  { MARK (LISTENED), "\"\"", NONE },                   { MARK (LISTENED), "null", NONE },
  { MARK (LISTENED), "{}", NONE },
  { MARK (LISTENED), "{\"value\": true, \"updated\": {}}", TRUE },
  { MARK (SHIFT), OLD ("-1e300"), NONE },
  { SETTING (NOTIFICATIONS), OLD ("false"), FALSE },   { SETTING (NOTIFICATIONS), "false", FALSE },
  { SETTING (NOTIFICATIONS), OLD ("0"), NONE },        { SETTING (NOTIFICATIONS), "null", NONE },
  { SETTING (NOTIFICATIONS), "[]", NONE },
  { SETTING (NOTIFICATIONS), "{\"value\": false, \"updated\": {}}", FALSE },
  { SETTING (REFRESH_INTERVAL), OLD ("15"), 15 },      { SETTING (REFRESH_INTERVAL), "15", 15 },
  { SETTING (REFRESH_INTERVAL), OLD ("\"15\""), NONE }, { SETTING (REFRESH_INTERVAL), "null", NONE },
  { SETTING (REFRESH_INTERVAL), "{}", NONE },          { SETTING (REFRESH_INTERVAL), OLD ("15.0"), 15 },
  { SETTING (REFRESH_INTERVAL), OLD ("15.5"), NONE },  { SETTING (REFRESH_INTERVAL), OLD ("-2"), NONE },
  { SETTING (REFRESH_INTERVAL), OLD ("10081"), NONE }, { SETTING (REFRESH_INTERVAL), OLD ("4294967311"), NONE },
  { SETTING (REFRESH_INTERVAL), OLD ("1e300"), NONE },
  { SETTING (REFRESH_INTERVAL), OLD ("9223372036854775807"), NONE },
  { SETTING (FILTER), OLD ("\"unplayed\""), 1 },       { SETTING (FILTER), "\"unplayed\"", 1 },
  { SETTING (FILTER), OLD ("1"), NONE },               { SETTING (FILTER), "null", NONE },
  { SETTING (FILTER), "{\"value\": {}}", NONE },       { SETTING (FILTER), OLD ("\"starred\""), NONE },
  { SETTING (FILTER), "{\"value\": \"unplayed\", " FUTURE "}", 1 },
  { SETTING (SORT), OLD ("\"oldest\""), 1 },           { SETTING (SORT), "\"oldest\"", 1 },
  { SETTING (SORT), OLD ("[\"oldest\"]"), NONE },      { SETTING (SORT), "null", NONE },
  { SETTING (SORT), "{\"updated\": []}", NONE },       { SETTING (SORT), OLD ("\"\""), NONE },
  { SETTING (SORT), "{\"value\": \"oldest\", \"updated\": \"soon\"}", 1 },
};

/* Returns: a value of an object, or %NONE */
static gint64
read_value (JsonObject *object, guint table, guint key, gint64 *stamp)
{
  const EarEntryTable *tables = ear_entry_tables_find (EAR_USERDATA_KIND_PODCAST);
  g_autoptr (GVariant) value = NULL;

  *stamp = ear_entry_read (&tables[table], object, NULL, key, NOW, &value);

  return value != NULL ? g_variant_get_int64 (value) : NONE;
}

static gboolean
write_mark (JsonObject *episode, EarMark mark, gint64 value, gint64 stamp)
{
  const EarEntryTable *tables = ear_entry_tables_find (EAR_USERDATA_KIND_PODCAST);
  g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_new_int64 (value));

  return ear_entry_write (&tables[EAR_TABLE_EPISODES], episode, NULL, mark, variant, stamp, NOW);
}

static void
assert_mark (JsonObject *episode, EarMark mark, gint64 value, gint64 stamp)
{
  gint64 read_stamp;

  g_assert_cmpint (read_value (episode, EAR_TABLE_EPISODES, mark, &read_stamp), ==, value);
  g_assert_cmpint (read_stamp, ==, stamp);
}

static void
test_read (Fixture *fixture, gconstpointer data)
{
  const EarEntryTable *tables = ear_entry_tables_find (EAR_USERDATA_KIND_PODCAST);

  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      const char *name = tables[entries[i].table].keys[entries[i].key].name;
      g_autofree char *text = g_strdup_printf ("{\"%s\": %s}", name, entries[i].entry);
      g_autoptr (JsonObject) object = parse (text);
      gint64 stamp;

      g_test_message ("%s", text);
      g_assert_cmpint (read_value (object, entries[i].table, entries[i].key, &stamp), ==, entries[i].value);
      g_assert_cmpint (stamp > 0, ==, entries[i].value != NONE);
      g_assert_cmpint (stamp, <=, NOW);
    }
}

/* All marks are written once, and read; a shift may be negative. Every microsecond of a position
 * survives the file: otherwise each reading would look like a change. */
static void
test_every_mark (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonObject) episode = json_object_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      const gint64 value = i == EAR_MARK_SHIFT ? -12500001 : 1;

      g_assert_false (write_mark (episode, i, value, 0));
      g_assert_true (write_mark (episode, i, value, NOW - i));
      g_assert_false (write_mark (episode, i, value, NOW - i));
      g_assert_false (write_mark (episode, i, 0, NOW - i - 1));
      g_assert_true (json_object_has_member (episode, ear_mark_types[i].name));
      assert_mark (episode, i, value, NOW - i);
    }
  for (guint i = 0; i < 5000; i++)
    {
      const gint64 position = i < 10 ? EAR_POSITION_LIMIT - i : (gint64) (g_rand_double (rand) * (i % 2 ? 1e10 : 3.1e13));

      g_assert_true (write_mark (episode, EAR_MARK_POSITION, position, NOW + 1 + i));
      g_autofree char *text = print (episode);
      g_autoptr (JsonObject) again = parse (text);
      assert_mark (again, EAR_MARK_POSITION, position, NOW + 1 + i);
    }
}

static void
test_check (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *kind;
    gboolean good;
  } files[] = {
    { "{\"kind\": \"podcast\", \"version\": 1, \"episodes\": {}}", EAR_USERDATA_KIND_PODCAST, TRUE },
    { "{\"kind\": \"podcast\"}", EAR_USERDATA_KIND_PODCAST, TRUE },
    { "{\"kind\": \"podcast\", \"version\": 99, \"episodes\": {}}", EAR_USERDATA_KIND_PODCAST, TRUE },
    { "{\"kind\": \"podcast\", \"version\": 1.5}", EAR_USERDATA_KIND_PODCAST, TRUE },
    { "{\"kind\": \"podcast\", \"version\": \"1\"}", EAR_USERDATA_KIND_PODCAST, FALSE },
    { "{\"kind\": \"podcast\", \"version\": 0}", EAR_USERDATA_KIND_PODCAST, FALSE },
    { "{\"kind\": \"podcast\", \"version\": {}}", EAR_USERDATA_KIND_PODCAST, FALSE },
    { "{\"kind\": \"podcast\", \"episodes\": []}", EAR_USERDATA_KIND_PODCAST, FALSE },
    { "{\"kind\": \"podcast\", \"episodes\": null}", EAR_USERDATA_KIND_PODCAST, FALSE },
    { "{\"kind\": \"podcast\"}", EAR_USERDATA_KIND_NOW, FALSE },
    { "{\"kind\": {}}", EAR_USERDATA_KIND_NOW, FALSE },
    { "{}", EAR_USERDATA_KIND_PODCAST, FALSE },
    { "{\"kind\": \"subscriptions\", \"podcasts\": []}", EAR_USERDATA_KIND_SUBSCRIPTIONS, FALSE },
    { "{\"kind\": \"subscriptions\", \"podcasts\": {}}", EAR_USERDATA_KIND_SUBSCRIPTIONS, TRUE },
    { "{\"kind\": \"now\"}", EAR_USERDATA_KIND_NOW, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (JsonObject) root = parse (files[i].text);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", files[i].text);
      g_assert_cmpint (ear_userdata_shape_check (root, files[i].kind, &error), ==, files[i].good);
      if (!files[i].good)
        g_assert_error (error, EAR_ERROR, EAR_ERROR_DAMAGED);
    }
}

static void
test_next_stamp (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *name;
    gint64 given;
    gint64 done;
    gint64 known;
    gboolean same;
    gint64 expected;
  } stamps[] = {
    { "nothing is given", 0, NOW, 5, FALSE, 0 },
    { "the first one", NOW, NOW, 0, TRUE, NOW },
    { "later", NOW, NOW, NOW - 1, FALSE, NOW },
    { "the clock was set back", NOW, NOW, NOW + G_TIME_SPAN_HOUR, FALSE, NOW + G_TIME_SPAN_HOUR + 1 },
    { "set back, but the same value", NOW, NOW, NOW + G_TIME_SPAN_HOUR, TRUE, 0 },
    { "another instance was quicker to write, but did it earlier", NOW, NOW, NOW - 1, FALSE, NOW },
    { "another instance did it later, and its file was read first", NOW, NOW, NOW + 1, FALSE, 0 },
    { "twice within a microsecond", NOW, NOW, NOW, FALSE, NOW + 1 },
    { "an old one", NOW - G_TIME_SPAN_MINUTE, NOW, NOW - G_TIME_SPAN_SECOND, FALSE, 0 },
    { "from the future", NOW + G_TIME_SPAN_DAY * 999, NOW, 5, FALSE, NOW },
    { "from elsewhere, older", NOW, 0, NOW + 1, FALSE, 0 },
    { "from elsewhere, newer", NOW, 0, NOW - 1, FALSE, NOW },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (stamps); i++)
    {
      g_test_message ("%s", stamps[i].name);
      g_assert_cmpint (ear_entry_next_stamp (stamps[i].given, stamps[i].done, stamps[i].known, stamps[i].same, NOW + 1), ==, stamps[i].expected);
    }
}

static void
test_copies (Fixture *fixture, gconstpointer data)
{
  static const char *const names[][2] = {
    { "0123.sync-conflict-20261121-064012-ABCDEFG.json", "0123.json" },
    { "0123 (conflicted copy 2026-11-21 064012).json", "0123.json" },
    { "0123 (laptop's conflicted copy 2026-11-21).json", "0123.json" },
    { "subscriptions.sync-conflict-20261121-064012-ABCDEFG.json", "subscriptions.json" },
    { "0123.json", NULL },
    { "0123.json.damaged-20261121T064012.123456Z", NULL },
    { "0123 (conflicted copy).txt", NULL },
    { "0123 (2).json", NULL },
    { ".sync-conflict-1.json", NULL },
    { " (conflicted copy).json", NULL },
    { "", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    ear_test_assert_text (ear_json_folder_dup_original (names[i][0]), names[i][1]);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/userdata-merge/merge", test_merge },
    { "/userdata-shape/read", test_read },
    { "/userdata-shape/every-mark", test_every_mark },
    { "/userdata-shape/check", test_check },
    { "/userdata-shape/next-stamp", test_next_stamp },
    { "/userdata-shape/copies", test_copies },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
