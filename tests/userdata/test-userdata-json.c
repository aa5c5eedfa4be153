/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-strict-json.h"

#include "ear-time.h"

#include <string.h>

/* 2026-11-21T06:40:12.123456Z */
#define NOW G_GINT64_CONSTANT (1795243212123456)

static void
check_damaged (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;

  g_test_message ("%.40s", text);
  g_assert_null (ear_json_parse (text, length, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_DAMAGED);
}

static void
test_damaged (void)
{
  static const char *const texts[] = {
    "", " ", "null", "12", "[]", "[{}]", "{", "{}}", "{\"a\": }", "{\"a\": 1,}", "{\"a\": NaN}", "{\"a\": Infinity}",
    "{'a': 1}", "{a: 1}", "{\"a\": \"\xff\"}", "{\"\xc3\": 1}", "{\"\xed\xa0\x80\": 1}", "{\"a\": 1} // more", "{ /* \" */ \"a\": 1}", "<html></html>",
    "{\"version\": 1, \"kind\": \"podc",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    check_damaged (texts[i], strlen (texts[i]));
  check_damaged ("{\"a\":\0 1}", 9);
}

static char *
repeat (const char *begin, const char *part, guint n, const char *end, gsize *length)
{
  GString *text = g_string_new (begin);

  for (guint i = 0; i < n; i++)
    g_string_append (text, part);
  g_string_append (text, end);
  *length = text->len;

  return g_string_free_and_steal (text);
}

/* Without bounds each of these would take minutes. Brackets in strings do not count. */
static void
test_bombs (void)
{
  static const struct
  {
    const char *begin;
    const char *part;
    guint n;
    const char *end;
  } bombs[] = {
    { "", "[", 10 * 1000 * 1000, "" },
    { "{\"a\":", "[", 65, "" },
    { "", "{\"a\":", 1000 * 1000, "" },
    { "{\"a\":[", "{},", 600 * 1000, "{}]}" },
    { "{\"a\":[", "0,", 3 * 1000 * 1000, "0]}" },
    /* Depth hidden behind something that looks like a string */
    { "{\"\\\\\":", "[", 1000 * 1000, "" },
    { "{/*\"*/\"a\":", "[", 1000 * 1000, "" },
    { "{//\"\n\"a\":", "[", 1000 * 1000, "" },
  };
  gsize brackets_length;

  for (gsize i = 0; i < G_N_ELEMENTS (bombs); i++)
    {
      gsize length;
      g_autofree char *text = repeat (bombs[i].begin, bombs[i].part, bombs[i].n, bombs[i].end, &length);

      check_damaged (text, length);
    }
  g_autofree char *brackets = repeat ("{\"a\": \"\\\"", "[{,", 3000 * 1000, "\"}", &brackets_length);
  g_autoptr (JsonObject) root = ear_json_parse (brackets, brackets_length, NULL);
  g_assert_cmpint (strlen (json_object_get_string_member (root, "a")), ==, 9000 * 1000 + 1);
}

/* Text stays the same to the byte. Valid but odd JSON is read without harm. */
static void
test_round_trip (void)
{
  static const char text[] =
    "{\n"
    "  \"version\": 7,\n"
    "  \"seconds\": 12.345,\n"
    "  \"tenth\": 0.1,\n"
    "  \"whole\": 3.0,\n"
    "  \"large\": 9007199254740993,\n"
    "  \"negative\": -4.5e-300,\n"
    "  \"microseconds\": 5025.123457,\n"
    "  \"yes\": true,\n"
    "  \"no\": false,\n"
    "  \"nothing\": null,\n"
    "  \"empty\": {},\n"
    "  \"none\": [],\n"
    "  \"list\": [\n"
    "    \"a\",\n"
    "    {\n"
    "      \"b\": [\n"
    "        1,\n"
    "        2\n"
    "      ]\n"
    "    }\n"
    "  ],\n"
    "  \"text\": \"quote \\\" back \\\\ line \\n tab \\t bell \\u0007 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xf0\x9f\x8e\xa7\",\n"
    "  \"\": \"no name\"\n"
    "}\n";
  static const char *const odd[][2] = {
    { text, text },
    { "\xef\xbb\xbf{\"a\": 1}", "{\n  \"a\": 1\n}\n" },
    { "{\"a\": 1, \"b\": 3, \"a\": 2}", "{\n  \"a\": 2,\n  \"b\": 3\n}\n" },
    { "{\"a\": 1e999, \"b\": -1e999}", "{\n  \"a\": null,\n  \"b\": null\n}\n" },
    { "{\"a\": 123456789012345678901234567890}", "{\n  \"a\": 9223372036854775807\n}\n" },
    { "{\"a\": \"x\\u0000y\"}", "{\n  \"a\": \"x\"\n}\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonObject) root = ear_json_parse (odd[i][0], strlen (odd[i][0]), &error);
      gsize length;

      g_assert_no_error (error);
      g_autofree char *printed = ear_json_print (root, &length);
      g_assert_cmpstr (printed, ==, odd[i][1]);
      g_assert_cmpuint (length, ==, strlen (odd[i][1]));
    }
}

static void
test_stamps (void)
{
  static const struct
  {
    const char *text;
    gint64 now;
    gint64 stamp;
  } stamps[] = {
    { "2026-11-21T06:40:12.123456Z", NOW, NOW },
    { "2026-11-21T07:40:12.123456+01:00", NOW, NOW },
    { "2026-11-21T06:40:12Z", NOW, NOW - 123456 },
    { "2026-11-22T06:40:00Z", NOW, NOW + G_TIME_SPAN_DAY - 12123456 },
    /* More than a day ahead: not plausible ... */
    { "2026-11-23T06:40:12Z", NOW, EAR_STAMP_OLDEST },
    { "9999-12-31T23:59:59Z", NOW, EAR_STAMP_OLDEST },
    /* ... unless our own clock is wrong */
    { "2026-11-21T06:40:12.123456Z", G_TIME_SPAN_DAY, NOW },
    { "1970-01-01T00:00:00Z", NOW, EAR_STAMP_OLDEST },
    { "0001-01-01T00:00:00Z", NOW, EAR_STAMP_OLDEST },
    { "yesterday", NOW, EAR_STAMP_OLDEST },
    { "", NOW, EAR_STAMP_OLDEST },
    { NULL, NOW, EAR_STAMP_OLDEST },
    { "2026-11-21T06:40:12.1234567890123456789012345678901234567890123456789012345678901234567890Z", NOW, EAR_STAMP_OLDEST },
    { "2026-13-41T25:61:61Z", NOW, EAR_STAMP_OLDEST },
  };
  static const gint64 written[] = { 1, 999999, NOW, NOW + 1, NOW - 123456, G_GINT64_CONSTANT (253402300799999999) };
  g_autofree char *text = ear_stamp_format (NOW);
  g_autofree char *outside = ear_stamp_format (G_MAXINT64);

  for (gsize i = 0; i < G_N_ELEMENTS (stamps); i++)
    {
      g_test_message ("%s", stamps[i].text != NULL ? stamps[i].text : "(null)");
      g_assert_cmpint (ear_stamp_parse (stamps[i].text, stamps[i].now), ==, stamps[i].stamp);
    }
  g_assert_cmpstr (text, ==, "2026-11-21T06:40:12.123456Z");
  g_assert_cmpstr (outside, ==, "1970-01-01T00:00:00.000000Z");
  for (gsize i = 0; i < G_N_ELEMENTS (written); i++)
    {
      g_autofree char *formatted = ear_stamp_format (written[i]);

      g_assert_cmpint (ear_stamp_parse (formatted, 1), ==, written[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/userdata-json/damaged", test_damaged);
  g_test_add_func ("/userdata-json/bombs", test_bombs);
  g_test_add_func ("/userdata-json/round-trip", test_round_trip);
  g_test_add_func ("/userdata-json/stamps", test_stamps);

  return g_test_run ();
}
