/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-text-height.h"

#include <pango/pangocairo.h>

/* What is found without a layout is what the layout has, or nothing is found. */

#define LINES 2
#define NARROWEST 1
#define WIDEST 900
#define N_WIDTHS 60

static const char *titles[] = {
  "",
  "W",
  "Ill",
  "torch.compile: the missing manual",
  "AWAY TO A TAVERN, YAWN: LT. Ty Wallace, VA",
  "2x4 – 2x6 – 4x4, in 1920x1080 at 16x9",
  "Why -O2 and not -O3? -> because “f” is fast",
  "fi ffi ffl fl office affluent waffle",
  "Episode 1111: 11 of 1,111 ways to count to 11",
  "What happens when you call backward() on a tensor that was made in another thread, and why it is not what you think",
  "Pneumonoultramicroscopicsilicovolcanoconiosis_and_other_names_without_a_space_in_them",
  "Über größere Öfen – „ganz“ anders… und ’n bißchen mehr",
  "¿Qué pasó? L’été où l’œuvre naïve s’acheva",
  "Почему мы всё ещё говорим о памяти",
  "Η Ελλάδα και η μνήμη της",
  "על הזיכרון של המחשב, ועל מה שנשכח ממנו",
  "PyTorch 2.0 על המחשב שלי (חלק 3)",
  "a   b    c",
  "\u2068Aug 4, 2024\u2069\u00a0· \u206812 min\u2069\u00a0· \u2068PyTorch Developer Podcast\u2069",
  "\u20684 באוגוסט\u2069\u00a0· \u206812 דק׳\u2069",
  "\u2068\u2069",
};

/* What only Pango knows how high it is, or where it breaks */
static const char *others[] = {
  "two\nlines", "a\ttab", "a line\xe2\x80\xa8separator", "a\xcc\x81\xcc\x82\xcc\x83 stack",
  "العربية تتصل حروفها", "日本語のポッドキャスト", "हिन्दी में", "Party 🎉 time", "soft\xc2\xad" "hyphen", "zero\xe2\x80\x8bwidth",
};

/* Those that are there */
static const char *fonts[] = { "Cantarell 11", "Noto Sans 11", "DejaVu Sans 9", "Serif Italic 14", "Monospace 11", "Cantarell 22" };

static PangoContext *
make_context (const char *font, gboolean rounded, double resolution)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  g_autoptr (PangoFontDescription) description = pango_font_description_from_string (font);

  pango_context_set_font_description (context, description);
  pango_context_set_round_glyph_positions (context, rounded);
  pango_cairo_context_set_resolution (context, resolution);

  return context;
}

static int
lay_out (PangoContext *context, int weight, const char *text, int width)
{
  g_autoptr (PangoLayout) layout = pango_layout_new (context);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  int height;

  if (weight != EAR_TEXT_HEIGHT_OWN_WEIGHT)
    pango_attr_list_insert (attributes, pango_attr_weight_new (weight));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_text (layout, text, -1);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_height (layout, -LINES);
  if (width >= 0)
    pango_layout_set_width (layout, width * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, NULL, &height);

  return height;
}

typedef struct
{
  guint found;
  guint asked;
} Tally;

static void
check (PangoContext *context, int weight, const char *text, int width, Tally *tally)
{
  const int found = ear_text_height_find (context, weight, text, width);

  tally->asked++;
  if (found == EAR_TEXT_HEIGHT_UNKNOWN)
    return;

  tally->found++;
  if (found != lay_out (context, weight, text, width))
    g_test_message ("“%s” in %d pixels of %s", text, width,
                    pango_font_description_get_family (pango_context_get_font_description (context)));
  g_assert_cmpint (found, ==, lay_out (context, weight, text, width));
}

static void
check_widths (PangoContext *context, int weight, const char *text, Tally *tally)
{
  check (context, weight, text, -1, tally);
  for (int i = 0; i < N_WIDTHS; i++)
    check (context, weight, text, NARROWEST + i * (WIDEST - NARROWEST) / (N_WIDTHS - 1), tally);
}

static void
check_context (const char *font, gboolean rounded, double resolution, Tally *tally)
{
  static const int weights[] = { EAR_TEXT_HEIGHT_OWN_WEIGHT, PANGO_WEIGHT_MEDIUM };
  PangoContext *context = make_context (font, rounded, resolution);

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    for (guint k = 0; k < G_N_ELEMENTS (weights); k++)
      check_widths (context, weights[k], titles[i], tally);
  g_object_unref (context);
}

/* One that never knows would be right as well. */
static void
test_as_laid_out (void)
{
  Tally tally = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (fonts); i++)
    {
      check_context (fonts[i], TRUE, 96, &tally);
      check_context (fonts[i], FALSE, 96, &tally);
      check_context (fonts[i], FALSE, 144, &tally);
    }
  g_test_message ("%u of %u found", tally.found, tally.asked);
  g_assert_cmpuint (tally.found, >, tally.asked * 7 / 10);
}

/* Random words of all that is taken for plain */
static char *
make_title (GRand *random)
{
  GString *title = g_string_new (NULL);
  const int length = g_rand_int_range (random, 1, 120);

  while ((int) title->len < length)
    {
      const gunichar from = g_rand_int_range (random, 0, 4) > 0 ? 0x20 : 0x20 + g_rand_int_range (random, 0, 0x5e0);
      const gunichar letter = from == 0x20 ? (gunichar) g_rand_int_range (random, 0x20, 0x7f) : from;

      if (g_unichar_isdefined (letter))
        g_string_append_unichar (title, letter);
    }

  return g_string_free (title, FALSE);
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  PangoContext *context = make_context ("Cantarell 11", FALSE, 96);
  Tally tally = { 0 };

  for (int i = 0; i < 2000; i++)
    {
      g_autofree char *title = make_title (random);

      check (context, PANGO_WEIGHT_MEDIUM, title, g_rand_int_range (random, NARROWEST, WIDEST), &tally);
    }
  g_test_message ("%u of %u found", tally.found, tally.asked);
  g_assert_cmpuint (tally.found, >, 0);
  g_object_unref (context);
}

static void
test_left_to_pango (void)
{
  PangoContext *context = make_context ("Cantarell 11", TRUE, 96);

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_cmpint (ear_text_height_find (context, PANGO_WEIGHT_MEDIUM, others[i], 300), ==, EAR_TEXT_HEIGHT_UNKNOWN);
  g_object_unref (context);
}

static void
test_nothing (void)
{
  PangoContext *context = make_context ("Cantarell 11", TRUE, 96);

  g_assert_cmpint (ear_text_height_find (context, EAR_TEXT_HEIGHT_OWN_WEIGHT, NULL, -1), ==, lay_out (context, EAR_TEXT_HEIGHT_OWN_WEIGHT, "", -1));
  g_object_unref (context);
}

/* More fonts than are remembered, in turns; a text that became larger is not as high as before. */
static void
test_many_fonts (void)
{
  Tally tally = { 0 };

  for (int round = 0; round < 2; round++)
    for (int size = 6; size < 26; size++)
      {
        g_autofree char *font = g_strdup_printf ("Cantarell %d", size);
        PangoContext *context = make_context (font, TRUE, 96);

        check (context, PANGO_WEIGHT_MEDIUM, titles[3], -1, &tally);
        g_object_unref (context);
      }
  g_assert_cmpuint (tally.found, ==, tally.asked);
}

/* Longer than any feed's: they are cut */
static void
test_endless (void)
{
  PangoContext *context = make_context ("Cantarell 11", TRUE, 96);
  g_autofree char *text = g_strnfill (10 * 1000 * 1000, 'W');

  g_assert_cmpint (ear_text_height_find (context, EAR_TEXT_HEIGHT_OWN_WEIGHT, text, 300), ==,
                   lay_out (context, EAR_TEXT_HEIGHT_OWN_WEIGHT, "two words", 40));
  g_object_unref (context);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/text-height/as-laid-out", test_as_laid_out);
  g_test_add_func ("/ui/text-height/random", test_random);
  g_test_add_func ("/ui/text-height/left-to-pango", test_left_to_pango);
  g_test_add_func ("/ui/text-height/nothing", test_nothing);
  g_test_add_func ("/ui/text-height/many-fonts", test_many_fonts);
  g_test_add_func ("/ui/text-height/endless", test_endless);

  return g_test_run ();
}
