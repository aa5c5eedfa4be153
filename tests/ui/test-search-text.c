/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-search-text.h"

static char *
describe (const char *typed)
{
  g_autoptr (EarSearchFilter) search = ear_search_filter_parse (typed, NULL, NULL);

  return ear_search_text_trouble (search);
}

static void
test_trouble (void)
{
  static const char *const cases[][2] = {
    { "fog is:unplayed after:2023", NULL },
    { "after:2023-13-45 fog", "“2023-13-45” is not a valid date. Try “after:2023” or “after:2023-05-17”." },
    { "before:monday", "“monday” is not a valid date. Try “before:2023” or “before:2023-05-17”." },
    { "longer:abc", "“abc” is not a valid length. Try “longer:20m” or “longer:1h30m”." },
    { "shorter:\"a bit\" fog", "“a bit” is not a valid length. Try “shorter:20m” or “shorter:1h30m”." },
    { "is:wet", "“wet” isn’t valid after “is:”. Try: unplayed, played, started, new, liked, downloaded, queued." },
    { "podcast:nobody", "No followed podcast has “nobody” in its title." },
    { "in:nothing", "None of your lists has “nothing” in its name." },
    /* A message repeats only the beginning of a long text. */
    { "podcast:äbcdefghijäbcdefghijäbcdefghijäbcdefghijk", "No followed podcast has “äbcdefghijäbcdefghijäbcdefghijäbcdefghij…” in its title." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = describe (cases[i][0]);

      g_assert_cmpstr (found, ==, cases[i][1]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/search-text/trouble", test_trouble);

  return g_test_run ();
}
