/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "ear-json-bounds.h"

static const EarJsonBounds bounds = { .depth = 2, .containers = 3, .values = 4 };

static void
assert_holds (const char *text, gboolean holds)
{
  g_assert_cmpint (ear_json_bounds_hold (&bounds, text, strlen (text)), ==, holds);
}

static void
test_counted (void)
{
  assert_holds ("", TRUE);
  assert_holds ("{\"a\": [1, 2, 3, 4, 5]}", TRUE);
  assert_holds ("{\"a\": [1, 2, 3, 4, 5, 6]}", FALSE);
  assert_holds ("[[], []]", TRUE);
  assert_holds ("[[], [], []]", FALSE);
  assert_holds ("[[[]]]", FALSE);
}

/* Characters in a string are no structure, and an escaped quote does not end it. */
static void
test_strings (void)
{
  assert_holds ("[\"[[[[{{{{,,,,,,\"]", TRUE);
  assert_holds ("[\"\\\"[[[[\", \"\\\\\", []]", TRUE);
  assert_holds ("[\"\\\\\", [[]]]", FALSE);
  assert_holds ("\"\\", TRUE);
}

/* Invalid JSON is left to the parser; here the scan only has to end. */
static void
test_broken (void)
{
  assert_holds ("]]]]{}", TRUE);
  assert_holds ("}}}}[[[", FALSE);
  assert_holds ("\"[[[[[", TRUE);
}

static void
test_cut (void)
{
  static const struct
  {
    const char *text;
    const char *expected;
  } cases[] = {
    { "[[], []]", "[[], []]" },
    { "[[], [], [], []]", "[[], []]" },
    { "[1, 2, 3, 4, 5, 6, 7", "[1, 2, 3, 4, 5]" },
    { "{\"a\": [1, 2, 3, 4, 5, 6], \"b\": 7}", "{\"a\": [1, 2, 3, 4, 5]}" },
    { "{\"a\": [\",\", \"\\\"]\", 3, 4, 5, 6]}", "{\"a\": [\",\", \"\\\"]\", 3, 4, 5]}" },
    /* Objects cannot be cut, and the array is nested too deeply. */
    { "{\"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4, \"e\": 5, \"f\": 6}", NULL },
    { "[1, [[]]]", NULL },
    { "", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *cut = ear_json_bounds_cut (&bounds, cases[i].text, strlen (cases[i].text));

      g_assert_cmpstr (cut, ==, cases[i].expected);
      g_assert_true (cut == NULL || ear_json_bounds_hold (&bounds, cut, strlen (cut)));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-bounds/counted", test_counted);
  g_test_add_func ("/json-bounds/strings", test_strings);
  g_test_add_func ("/json-bounds/broken", test_broken);
  g_test_add_func ("/json-bounds/cut", test_cut);

  return g_test_run ();
}
