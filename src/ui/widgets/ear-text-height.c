/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-text-height.h"

#include <pango/pangocairo.h>

/*
 * How high a text of one line or two is, by how wide its letters are, without laying it out.
 *
 * A list asks each of its two hundred rows how high it is whenever it is another episode's or
 * becomes wider, and shows ten. To lay one title out takes a twentieth of a millisecond, so that a
 * jump in a long list would be seen. Most titles surely have room in a line, or surely have not.
 * What is between the two, what is written in letters that join or stack, and what the font has no
 * letters for, is left to Pango.
 */

/* Letters can stand nearer to each other than they are wide, and farther, and in few fonts become others beside some. */
#define LOOSEST_PERCENT 106
#define TIGHTEST_PERCENT 85

/* As a multiple of its height: in less, letters have no room */
#define NARROWEST_LINE 3

/* The widths of those before and of these are remembered: Latin, Greek, Cyrillic and Hebrew, and the
 * dashes, quotation marks and the ellipsis. */
#define LETTERS_END 0x600
#define PUNCTUATION 0x2010
#define PUNCTUATION_END 0x2027

#define NO_BREAK_SPACE 0xa0

/* What keeps the directions of two texts apart is not seen. */
#define FIRST_ISOLATE 0x2066
#define LAST_ISOLATE 0x2069

#define N_LETTERS (LETTERS_END + PUNCTUATION_END - PUNCTUATION)

/* The lists have a title in two weights, another in its own, and facts. Whoever changes the size of the text
 * comes by some more. */
#define MOST_FONTS 8

/* In place of a letter's width */
#define NOT_ASKED 0
#define NOT_KNOWN (-1)

/* What a letter's width depends on, and the widths, in Pango's units */
typedef struct
{
  PangoFontDescription *description;
  int weight;
  PangoLanguage *language; /* Borrowed: there is one of each, for good */
  double resolution;
  gboolean rounded;
  cairo_font_options_t *options; /* (nullable) */
  PangoFont *font; /* the one that is found for a space */
  int height; /* of a line */
  int widths[N_LETTERS];
} Font;

/* What is known of a font map, until other fonts are installed */
typedef struct
{
  guint serial;
  GPtrArray *fonts;
} Fonts;

static void
font_free (gpointer data)
{
  Font *self = data;

  pango_font_description_free (self->description);
  g_object_unref (self->font);
  g_clear_pointer (&self->options, cairo_font_options_destroy);
  g_free (self);
}

static void
fonts_free (gpointer data)
{
  Fonts *self = data;

  g_ptr_array_unref (self->fonts);
  g_free (self);
}

static PangoLayout *
lay_out (PangoContext *context, int weight, gunichar letter)
{
  PangoLayout *layout = pango_layout_new (context);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  char text[6];

  if (weight != EAR_TEXT_HEIGHT_OWN_WEIGHT)
    pango_attr_list_insert (attributes, pango_attr_weight_new (weight));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_text (layout, text, g_unichar_to_utf8 (letter, text));

  return layout;
}

static PangoFont *
get_layout_font (PangoLayout *layout)
{
  const PangoLayoutRun *run = pango_layout_get_line_readonly (layout, 0)->runs->data;

  return run->item->analysis.font;
}

static Font *
font_new (PangoContext *context, int weight)
{
  Font *self = g_new0 (Font, 1);
  g_autoptr (PangoLayout) layout = lay_out (context, weight, ' ');
  const cairo_font_options_t *options = pango_cairo_context_get_font_options (context);

  self->description = pango_font_description_copy (pango_context_get_font_description (context));
  self->weight = weight;
  self->language = pango_context_get_language (context);
  self->resolution = pango_cairo_context_get_resolution (context);
  self->rounded = pango_context_get_round_glyph_positions (context);
  self->options = options != NULL ? cairo_font_options_copy (options) : NULL;
  self->font = g_object_ref (get_layout_font (layout));
  pango_layout_get_size (layout, NULL, &self->height);

  return self;
}

static gboolean
has_options (const Font *self, const cairo_font_options_t *options)
{
  if (self->options == NULL || options == NULL)
    return self->options == options;

  return cairo_font_options_equal (self->options, options);
}

static gboolean
is_of (const Font *self, PangoContext *context, int weight)
{
  return self->weight == weight &&
         self->language == pango_context_get_language (context) &&
         self->resolution == pango_cairo_context_get_resolution (context) &&
         self->rounded == pango_context_get_round_glyph_positions (context) &&
         has_options (self, pango_cairo_context_get_font_options (context)) &&
         pango_font_description_equal (self->description, pango_context_get_font_description (context));
}

static Fonts *
get_fonts (PangoFontMap *map)
{
  static GQuark quark;
  Fonts *self;

  if (quark == 0)
    quark = g_quark_from_static_string ("ear-text-height");
  self = g_object_get_qdata (G_OBJECT (map), quark);
  if (self == NULL)
    {
      self = g_new0 (Fonts, 1);
      self->fonts = g_ptr_array_new_with_free_func (font_free);
      g_object_set_qdata_full (G_OBJECT (map), quark, self, fonts_free);
    }
  if (self->serial != pango_font_map_get_serial (map))
    {
      self->serial = pango_font_map_get_serial (map);
      g_ptr_array_set_size (self->fonts, 0);
    }

  return self;
}

static Font *
get_font (PangoContext *context, int weight)
{
  Fonts *known = get_fonts (pango_context_get_font_map (context));

  for (guint i = 0; i < known->fonts->len; i++)
    if (is_of (g_ptr_array_index (known->fonts, i), context, weight))
      return g_ptr_array_index (known->fonts, i);

  if (known->fonts->len == MOST_FONTS)
    g_ptr_array_remove_index (known->fonts, 0);
  g_ptr_array_add (known->fonts, font_new (context, weight));

  return g_ptr_array_index (known->fonts, known->fonts->len - 1);
}

/* Where letters stand beside each other, each as it is by itself */
static gboolean
is_of_plain_script (gunichar letter)
{
  const GUnicodeScript script = g_unichar_get_script (letter);

  return script == G_UNICODE_SCRIPT_COMMON || script == G_UNICODE_SCRIPT_LATIN || script == G_UNICODE_SCRIPT_GREEK ||
         script == G_UNICODE_SCRIPT_CYRILLIC || script == G_UNICODE_SCRIPT_HEBREW;
}

static gboolean
is_plain (gunichar letter)
{
  if (letter == ' ' || letter == NO_BREAK_SPACE)
    return TRUE;

  return is_of_plain_script (letter) && g_unichar_isgraph (letter) && !g_unichar_ismark (letter);
}

static int
measure_letter (Font *self, PangoContext *context, gunichar letter)
{
  g_autoptr (PangoLayout) layout = NULL;
  int width;

  if (!is_plain (letter))
    return NOT_KNOWN;

  layout = lay_out (context, self->weight, letter);
  if (get_layout_font (layout) != self->font)
    return NOT_KNOWN;

  pango_layout_get_size (layout, &width, NULL);

  return width > 0 ? width : NOT_KNOWN;
}

static int
get_letter_width (Font *self, PangoContext *context, gunichar letter)
{
  int *width;

  if (letter < LETTERS_END)
    width = &self->widths[letter];
  else if (letter >= PUNCTUATION && letter < PUNCTUATION_END)
    width = &self->widths[LETTERS_END + letter - PUNCTUATION];
  else
    return NOT_KNOWN;

  if (*width == NOT_ASKED)
    *width = measure_letter (self, context, letter);

  return *width;
}

/* Of a single line, or NOT_KNOWN */
static gint64
add_up (Font *font, PangoContext *context, const char *text)
{
  gint64 sum = 0;

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      const gunichar letter = g_utf8_get_char (at);
      int width;

      if (letter >= FIRST_ISOLATE && letter <= LAST_ISOLATE)
        continue;
      width = get_letter_width (font, context, letter);
      if (width == NOT_KNOWN)
        return NOT_KNOWN;
      sum += width;
    }

  return sum;
}

/**
 * ear_text_height_find:
 * @context: the one of the layout that would be made
 * @weight: how heavy the text is, or %EAR_TEXT_HEIGHT_OWN_WEIGHT for the context's
 * @text: (nullable): text of one paragraph
 * @width: how wide a line may be in pixels, or -1 where there is but one line
 *
 * Finds how high @text is in a layout that has no other attributes, breaks lines within words where
 * it must, and has %EAR_TEXT_HEIGHT_LINES at most. Where a font has wider letters beside some others, or much
 * narrower pairs, a text that hardly has room may be found to be a line lower or higher than it is.
 *
 * Returns: the height in pixels, or %EAR_TEXT_HEIGHT_UNKNOWN where only a layout can tell
 */
int
ear_text_height_find (PangoContext *context, int weight, const char *text, int width)
{
  Font *font = get_font (context, weight);
  const gint64 room = (gint64) width * PANGO_SCALE;
  const gint64 line = add_up (font, context, text != NULL ? text : "");

  if (line == NOT_KNOWN)
    return EAR_TEXT_HEIGHT_UNKNOWN;
  if (width < 0 || line * LOOSEST_PERCENT / 100 <= room)
    return PANGO_PIXELS_CEIL (font->height);
  /* Spaces at the end have no line of their own. */
  if (line * TIGHTEST_PERCENT / 100 > room && room > NARROWEST_LINE * font->height && !g_str_has_suffix (text, " "))
    return PANGO_PIXELS_CEIL (EAR_TEXT_HEIGHT_LINES * font->height);

  return EAR_TEXT_HEIGHT_UNKNOWN;
}
