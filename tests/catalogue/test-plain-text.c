/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-plain-text.h"

#include <string.h>

/* The text that is indexed of notes */

#define NO_LIMIT 100000

static void
test_texts (void)
{
  static const struct
  {
    const char *notes;
    const char *text;
  } cases[] = {
    { NULL, "" },
    { "", "" },
    { "word", "word" },
    { "  two\twords \n", "two words" },
    { "a line that is longer than eight bytes, and then  another\r\none", "a line that is longer than eight bytes, and then another one" },
    { "<p>One</p><p>two</p>", " One two" },
    { "half<b>way</B> <Strong>up</strong><br>down", "halfway up down" },
    { "<a href=\"x\">a</a><abbr>b</abbr><code>c</code><sup>d</sup><tt>e</tt><small>f</small>", "abcdef" },
    { "a<address>b<blockquote>c<bold>d<strongest>e<x>f", "a b c d e f" },
    { "a<!-- b <p> -->c<style>p { d: e }</style>f<script>1 < 2</script>g", "acfg" },
    { "x &lt; y &amp;&amp; y&gt;z&nbsp;&nbsp;torch&shy;light &unknown; &#233;&#x20;&#0;", "x < y && y>z torchlight &unknown; é &#0;" },
    { "1 < 2, AT&T, never ends <p", "1 < 2, AT&T, never ends <p" },
    { "über äöü ß: 日本語 – “x” !  ! \001\002", "über äöü ß: 日本語 – “x” ! ! \001\002" },
    { "<p>a</p><p hidden>no</p><div style=\"display:none\">no <div>no</div> no</div><p>b</p>", " a b" },
    { "a<span style='color:red; DISPLAY : NONE'>no</span>b<B HIDDEN=''>no</b>c", "abc" },
    { "<b hidden=\"until-found\">a</b><b title=' hidden '>b</b><b class=hidden>c</b><b style='display:block'>d</b>", "abcd" },
    { "<img hidden src=x>a<div hidden>b", " a b" },
    { "<div hidden>a<div hidden>b</div>", " a b" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = ear_plain_text_from_notes (cases[i].notes, NO_LIMIT);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* Text is cut between characters. */
static void
test_limit (void)
{
  for (gsize limit = 0; limit < 30; limit++)
    {
      g_autofree char *text = ear_plain_text_from_notes ("a line of äöüäöü, and 日本語 more of it", limit);

      g_assert_cmpuint (strlen (text), <=, limit);
      g_assert_true (g_utf8_validate (text, -1, NULL));
    }
}

/* Known pieces in random order, to end runs of characters at every position */
static void
test_runs (void)
{
  static const struct
  {
    const char *notes;
    const char *text; /* NULL for white space, "" for nothing */
  } pieces[] = {
    { "a", "a" }, { "bc", "bc" }, { "defghi", "defghi" }, { "!", "!" }, { "é", "é" }, { " ", NULL }, { " ", NULL },
    { "\n", NULL }, { "\t", NULL }, { "<i>", "" }, { "</em>", "" }, { "&amp;", "&" }, { "&lt;", "<" }, { "%", "%" },
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint round = 0; round < 20000; round++)
    {
      g_autoptr (GString) notes = g_string_new (NULL);
      g_autoptr (GString) expected = g_string_new (NULL);
      g_autofree char *text = NULL;
      gboolean space = FALSE;

      for (gint left = g_rand_int_range (rand, 0, 60); left > 0; left--)
        {
          const int piece = g_rand_int_range (rand, 0, G_N_ELEMENTS (pieces));

          g_string_append (notes, pieces[piece].notes);
          if (pieces[piece].text == NULL)
            space = expected->len > 0;
          else if (*pieces[piece].text != '\0')
            {
              g_string_append (expected, space ? " " : "");
              g_string_append (expected, pieces[piece].text);
              space = FALSE;
            }
        }
      text = ear_plain_text_from_notes (notes->str, NO_LIMIT);
      g_assert_cmpstr (text, ==, expected->str);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plain-text/texts", test_texts);
  g_test_add_func ("/plain-text/limit", test_limit);
  g_test_add_func ("/plain-text/runs", test_runs);

  return g_test_run ();
}
