/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-wait.h"
#include "ear-text-find.h"

static void
test_fold (void)
{
  static const char *const cases[][2] = {
    { "", "" },
    { "PyTorch 2.0", "pytorch 2.0" },
    { "Crème Brûlée", "creme brulee" },
    { "Łódź", "lodz" },
    { "Straße, STRAẞE", "strasse, strasse" },
    { "Æsir og Øresund", "aesir og oresund" },
    { "ﬁnal ﬂight", "final flight" },
    { "don’t", "don't" },
    { "ＡＢＣ", "abc" },
    { "İIıi", "iiii" },
    { "שָׁלוֹם", "שלום" },
    /* Voicing marks distinguish words, composed or not. */
    { "か\xe3\x82\x99", "が" },
    { "ｶﾞ", "ガ" },
    { "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "한" },
    { "\xef\xb8\x8f", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    ear_test_assert_text (ear_text_fold (cases[i][0], -1), cases[i][1]);
  /* The given length ends a text that continues beyond it. */
  ear_test_assert_text (ear_text_fold ("Über alles", 5), "uber");
}

static void
test_find (void)
{
  static const struct
  {
    const char *text, *words;
    guint start, end;
  } cases[] = {
    { "A short text", "SHORT", 2, 7 },     { "A short text", "long" },
    { "A short text", "" },                { "Ein Straßenfest", "strasse", 4, 11 },
    { "Ein Straßenfest", "stras", 4, 10 }, { "Ein Strassenfest", "straße", 4, 11 },
    { "Cafe\xcc\x81 au lait", "café", 0, 6 }, { "毎朝のラジオ", "朝の", 3, 9 },
    { "ﬁne ﬂour", "flour", 6, 12 },        { "It’s", "it's", 0, 6 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize start = 0, end = 0;

      g_assert_cmpint (ear_text_find (cases[i].text, cases[i].words, &start, &end), ==, cases[i].end > 0);
      if (cases[i].end > 0)
        {
          g_assert_cmpint (start, ==, cases[i].start);
          g_assert_cmpint (end, ==, cases[i].end);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-find/fold", test_fold);
  g_test_add_func ("/text-find/find", test_find);

  return g_test_run ();
}
