/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-language.h"

/* Language tags from feeds, and their names */
static const struct
{
  const char *tag;
  const char *name;
} languages[] = {
  { "en", "English" },
  { "en-us", "English" },
  { "EN_GB", "English" },
  { "eng", "English" },
  { "es-419", "Spanish" },
  { "el", "Greek" },
  { "zz-ZZ", "zz-ZZ" },
  { "English", "English" },
  { "-", "-" },
  { "", "" },
};

static void
test_names (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      g_autofree char *name = ear_language_dup_name (languages[i].tag);

      g_assert_cmpstr (name, ==, languages[i].name);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/language/names", test_names);

  return g_test_run ();
}
