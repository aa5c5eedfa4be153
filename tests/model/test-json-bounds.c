/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "ear-json-bounds.h"

static const EarJsonBounds bounds = { .depth = 2, .containers = 3, .values = 4 };

static void
test_hold (void)
{
  static const struct
  {
    const char *text;
    gboolean hold;
  } cases[] = {
    { "", TRUE },
    { "{\"a\": [1, 2, 3, 4, 5]}", TRUE }, { "{\"a\": [1, 2, 3, 4, 5, 6]}", FALSE },
    { "[[], []]", TRUE },                 { "[[], [], []]", FALSE },
    { "[[[]]]", FALSE },
    /* Characters in a string are no structure, and an escaped quote does not end it. */
    { "[\"[[[[{{{{,,,,,,\"]", TRUE },     { "[\"\\\"[[[[\", \"\\\\\", []]", TRUE },
    { "[\"\\\\\", [[]]]", FALSE },        { "\"\\", TRUE },
    /* Invalid JSON is left to the parser; here the scan only has to end. */
    { "]]]]{}", TRUE },                   { "}}}}[[[", FALSE },
    { "\"[[[[[", TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (ear_json_bounds_hold (&bounds, cases[i].text, strlen (cases[i].text)), ==, cases[i].hold);
    }
}

static void
test_cut (void)
{
  static const char *const cases[][2] = {
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
      g_autofree char *cut = ear_json_bounds_cut (&bounds, cases[i][0], strlen (cases[i][0]));

      g_assert_cmpstr (cut, ==, cases[i][1]);
      g_assert_true (cut == NULL || ear_json_bounds_hold (&bounds, cut, strlen (cut)));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-bounds/hold", test_hold);
  g_test_add_func ("/json-bounds/cut", test_cut);

  return g_test_run ();
}
