/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"

#include "ear-mark.h"

#include <string.h>

/* 2026-11-21T06:40:12.123456Z */
#define NOW G_GINT64_CONSTANT (1795243212123456)
#define S1 "\"updated\": \"2026-11-21T01:00:00.000000Z\""
#define S2 "\"updated\": \"2026-11-21T02:00:00.000000Z\""
#define S3 "\"updated\": \"2026-11-21T03:00:00.000000Z\""
#define FUTURE "\"updated\": \"2099-01-01T00:00:00.000000Z\""

static JsonObject *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonObject *root = ear_json_parse (text, strlen (text), &error);

  g_assert_no_error (error);

  return root;
}

static void
assert_same (JsonObject *root, const char *expected)
{
  g_autoptr (JsonObject) other = parse (expected);
  gsize length;
  g_autofree char *a = ear_json_print (root, &length);
  g_autofree char *b = ear_json_print (other, &length);

  g_assert_cmpstr (a, ==, b);
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
test_merge (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);
  g_autoptr (JsonObject) into = parse (merges[i].into);
  g_autoptr (JsonObject) before = parse (merges[i].into);
  g_autoptr (JsonObject) from = parse (merges[i].from);
  const gboolean changed = ear_userdata_merge (into, from, NOW);
  gsize length;
  g_autofree char *a = ear_json_print (before, &length);
  g_autofree char *b = ear_json_print (into, &length);

  assert_same (into, merges[i].merged);
  assert_same (from, merges[i].from);
  g_assert_cmpint (changed, ==, strcmp (a, b) != 0);
  g_assert_false (ear_userdata_merge (into, from, NOW));
}

/* Hostile or hand-made values of an episode, and the values accepted */
static const struct
{
  const char *text;
  gint64 position; /* -1: none */
  int listened;    /* -1: none */
} episodes[] = {
  { "{}", -1, -1 },
  { "{\"position\": {\"value\": 12.345, " S1 "}, \"listened\": {\"value\": true, " S1 "}}", 12345000, TRUE },
  { "{\"position\": {\"value\": 12, " S1 "}, \"listened\": {\"value\": false, " S1 "}}", 12000000, FALSE },
  { "{\"position\": {\"value\": 5025.123457, " S1 "}}", 5025123457, -1 },
  { "{\"position\": {\"value\": 0, " S1 "}}", 0, -1 },
  { "{\"position\": {\"value\": 3}, \"listened\": {\"value\": true}}", 3000000, TRUE },
  { "{\"position\": 3, \"listened\": true}", 3000000, TRUE },
  { "{\"position\": {\"value\": -1, " S1 "}, \"listened\": {\"value\": 1, " S1 "}}", -1, -1 },
  { "{\"position\": {\"value\": 1e300, " S1 "}, \"listened\": {\"value\": \"true\", " S1 "}}", -1, -1 },
  { "{\"position\": {\"value\": 9223372036854775807, " S1 "}, \"listened\": {\"value\": null, " S1 "}}", -1, -1 },
  { "{\"position\": {\"value\": -9223372036854775808, " S1 "}, \"listened\": {\"value\": {}, " S1 "}}", -1, -1 },
  { "{\"position\": {\"value\": \"12\", " S1 "}, \"listened\": {\"value\": [], " S1 "}}", -1, -1 },
  { "{\"position\": {\"value\": null, " S1 "}, \"listened\": []}", -1, -1 },
  { "{\"position\": {\"value\": true, " S1 "}, \"listened\": \"\"}", -1, -1 },
  { "{\"position\": [], \"listened\": null}", -1, -1 },
  { "{\"position\": {}, \"listened\": {}}", -1, -1 },
  { "{\"position\": {\"value\": 1, \"updated\": 12}, \"listened\": {\"value\": true, \"updated\": {}}}", 1000000, TRUE },
  { "{\"position\": {\"value\": 1, \"value\": 2, " S1 "}}", 2000000, -1 },
};

static void
test_read_episode (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (episodes); i++)
    {
      g_autoptr (JsonObject) episode = parse (episodes[i].text);
      EarEpisodeState state;

      g_test_message ("%s", episodes[i].text);
      userdata_test_read_marks (episode, NOW, &state);
      g_assert_cmpint (state.position_updated != 0 ? state.position : -1, ==, episodes[i].position);
      g_assert_cmpint (state.listened_updated != 0 ? state.listened : -1, ==, episodes[i].listened);
      g_assert_cmpint (state.liked_updated, ==, 0);
    }
}

static void
test_write_episode (void)
{
  g_autoptr (JsonObject) episode = parse ("{\"mood\": \"good\", \"position\": {\"value\": 1, \"device\": \"phone\", " S2 "}, \"listened\": \"what\"}");
  EarEpisodeState state = { 0 }, back;

  g_assert_false (userdata_test_write_marks (episode, &state, NOW));
  state = (EarEpisodeState) { .position = 7000001, .position_updated = NOW, .listened = TRUE, .listened_updated = NOW - 5 };
  g_assert_true (userdata_test_write_marks (episode, &state, NOW));
  g_assert_false (userdata_test_write_marks (episode, &state, NOW));
  userdata_test_read_marks (episode, NOW, &back);
  g_assert_cmpmem (&back, sizeof back, &state, sizeof state);
  assert_same (episode, "{\"mood\": \"good\", \"position\": {\"value\": 7.000001, \"device\": \"phone\", \"updated\": \"2026-11-21T06:40:12.123456Z\"},"
                        " \"listened\": {\"value\": true, \"updated\": \"2026-11-21T06:40:12.123451Z\"}}");

  /* An older value changes nothing. */
  state.position_updated = 5;
  state.position = 99;
  g_assert_false (userdata_test_write_marks (episode, &state, NOW));
}

/* All marks */
static void
test_every_mark (void)
{
  g_autoptr (JsonObject) episode = json_object_new ();
  EarEpisodeState state = { 0 }, back;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      state.values[i] = 1;
      state.updated[i] = NOW - i;
    }
  g_assert_true (userdata_test_write_marks (episode, &state, NOW));
  for (guint i = 0; i < EAR_N_MARKS; i++)
    g_assert_true (json_object_has_member (episode, ear_mark_get_name (i)));
  userdata_test_read_marks (episode, NOW, &back);
  g_assert_cmpmem (&back, sizeof back, &state, sizeof state);
}

/* A shift may be negative; an impossible one is ignored. */
static void
test_shift (void)
{
  g_autoptr (JsonObject) episode = parse ("{\"shift\": {\"value\": -1e300, " S1 "}}");
  EarEpisodeState state = { .shift = -12500001, .shift_updated = NOW }, back;

  userdata_test_read_marks (episode, NOW, &back);
  g_assert_cmpint (back.shift_updated, ==, 0);
  g_assert_true (userdata_test_write_marks (episode, &state, NOW));
  userdata_test_read_marks (episode, NOW, &back);
  g_assert_cmpint (back.shift, ==, -12500001);
  g_assert_cmpint (ear_mark_bound (EAR_MARK_SHIFT, G_MININT64), ==, -EAR_POSITION_LIMIT);
  g_assert_cmpint (ear_mark_bound (EAR_MARK_POSITION, -5), ==, 0);
}

/* Every microsecond survives the file: otherwise each reading would look like a
 * change. */
static void
test_position_is_exact (void)
{
  g_autoptr (JsonObject) episode = json_object_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 5000; i++)
    {
      const gint64 position = i < 10 ? EAR_POSITION_LIMIT - i : (gint64) (g_rand_double (rand) * (i % 2 ? 1e10 : 3.1e13));
      const EarEpisodeState state = { .position = position, .position_updated = NOW + i };
      g_autoptr (JsonObject) again = NULL;
      g_autofree char *text = NULL;
      EarEpisodeState back;
      gsize length;

      g_assert_true (userdata_test_write_marks (episode, &state, NOW));
      text = ear_json_print (episode, &length);
      again = parse (text);
      userdata_test_read_marks (again, NOW, &back);
      g_assert_cmpmem (&back, sizeof back, &state, sizeof state);
    }
}

static void
test_check (void)
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
count_visit (const char *subject, const char *const *facts, guint key, GVariant *value, gint64 stamp, gpointer user_data)
{
  (*(guint *) user_data)++;
}

#define EPISODES(marks) "{\"version\": 1, \"kind\": \"podcast\", \"episodes\": {\"g1\": {" marks "}}}"

/* Another value with the same stamp was set by hand: it wins with the next stamp. */
static void
test_edited (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *name = userdata_test_name ("https://example.org/");
  g_autoptr (EarJsonFolder) folder = ear_json_folder_new (fixture->path, NULL, NULL);
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (folder, name);
  guint n = 0;
  GVariant *value;
  gint64 stamp;

  fixture_write (fixture, name, EPISODES ("\"position\": {\"value\": 1, " S1 "}, \"liked\": {\"value\": true, " S3 "}"));
  g_assert_true (ear_userdata_file_refresh (file, NULL));
  g_assert_true (ear_userdata_file_report (file, 0, FALSE, count_visit, &n));
  g_assert_cmpuint (n, ==, 2);
  stamp = ear_userdata_file_get (file, 0, "g1", EAR_MARK_POSITION, &value);

  fixture_write (fixture, name, EPISODES ("\"position\": {\"value\": 2, " S1 "}, \"liked\": {\"value\": false, " S2 "}, "
                                          "\"listened\": {\"value\": true, " S1 "}"));
  g_assert_true (ear_userdata_file_refresh (file, NULL));
  n = 0;
  g_assert_true (ear_userdata_file_report (file, 0, FALSE, count_visit, &n));
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (ear_userdata_file_get (file, 0, "g1", EAR_MARK_POSITION, &value), ==, stamp + 1);
  g_assert_cmpint (g_variant_get_int64 (value), ==, 2 * G_TIME_SPAN_SECOND);
  ear_userdata_file_get (file, 0, "g1", EAR_MARK_LIKED, &value);
  g_assert_cmpint (g_variant_get_int64 (value), ==, TRUE);
  g_assert_true (ear_userdata_file_is_dirty (file));
  g_assert_false (ear_userdata_file_report (file, 0, FALSE, count_visit, &n));
}

static void
test_next_stamp (void)
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

/* Files with bytes changed, doubled and left out: they are read or refused, and the
 * result can be merged, written and read again. */
static void
test_mutations (void)
{
  static const char text[] =
    "{\"version\": 1, \"kind\": \"podcast\", \"addresses\": [\"https://example.org/\"], \"settings\": {\"speed\": {\"value\": 1.5, " S1 "}},"
    " \"episodes\": {\"g1\": {\"aliases\": [\"g0\"], \"title\": \"\\u05d0 \\\"one\\\"\", \"position\": {\"value\": 12.345, " S1 "}, \"listened\": {\"value\": true, " S2 "}},"
    " \"g2\": {\"liked\": {\"value\": false, " S3 "}}}}";
  guint n_read = 0;

  for (guint i = 0; i < 5000; i++)
    {
      g_autoptr (GString) mutated = g_string_new (text);
      g_autoptr (JsonObject) whole = parse (text), one = NULL, again = NULL;
      g_autofree char *printed = NULL, *printed_again = NULL;
      EarEpisodeState state;
      gsize length;

      for (int n = g_test_rand_int_range (1, 6); n > 0; n--)
        {
          const gsize at = g_test_rand_int_range (0, mutated->len);
          const gsize some = g_test_rand_int_range (1, 20);

          switch (g_test_rand_int_range (0, 4))
            {
            case 0:
              mutated->str[at] = "{}[]\",:0-9.eEtfn\\ \xff\x01"[g_test_rand_int_range (0, 20)];
              break;
            case 1:
              g_string_erase (mutated, at, MIN (some, mutated->len - at));
              break;
            case 2:
              g_string_insert_len (mutated, at, text + (at % 100), g_test_rand_int_range (1, 100));
              break;
            default:
              g_string_insert_c (mutated, at, "0123456789-e.{}[]"[g_test_rand_int_range (0, 17)]);
            }
        }
      one = ear_json_parse (mutated->str, mutated->len, NULL);
      if (one == NULL)
        continue;
      n_read++;
      userdata_test_read_marks (one, NOW, &state);
      ear_userdata_merge (one, whole, NOW);
      g_assert_false (ear_userdata_merge (one, whole, NOW));
      ear_userdata_merge (whole, one, NOW);
      printed = ear_json_print (one, &length);
      again = ear_json_parse (printed, length, NULL);
      g_assert_nonnull (again);
      printed_again = ear_json_print (again, &length);
      g_assert_cmpstr (printed, ==, printed_again);
    }
  g_test_message ("%u could be read", n_read);
  g_assert_cmpuint (n_read, >, 100);
}

static void
test_copies (void)
{
  static const struct
  {
    const char *name;
    const char *original;
  } names[] = {
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
    {
      g_autofree char *original = ear_json_folder_dup_original (names[i].name);

      g_assert_cmpstr (original, ==, names[i].original);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (merges); i++)
    {
      g_autofree char *path = g_strdup_printf ("/userdata-merge/%s", merges[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_merge);
    }
  g_test_add_func ("/userdata-shape/read-episode", test_read_episode);
  g_test_add_func ("/userdata-shape/write-episode", test_write_episode);
  g_test_add_func ("/userdata-shape/every-mark", test_every_mark);
  g_test_add_func ("/userdata-shape/shift", test_shift);
  g_test_add_func ("/userdata-shape/position-is-exact", test_position_is_exact);
  g_test_add_func ("/userdata-shape/check", test_check);
  g_test_add_func ("/userdata-shape/edited", test_edited);
  g_test_add_func ("/userdata-shape/next-stamp", test_next_stamp);
  g_test_add_func ("/userdata-shape/mutations", test_mutations);
  g_test_add_func ("/userdata-shape/copies", test_copies);

  return g_test_run ();
}
