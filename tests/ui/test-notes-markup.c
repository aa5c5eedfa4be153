/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <pango/pango.h>

#include "ear-notes-markup.h"

static EarNotesBlock *
add_block (EarNotes *notes, EarNotesBlockType type)
{
  return ear_notes_add_block (notes, type, 1, 0);
}

/* Pango must understand it; links are the label's own addition. */
static void
assert_valid (const char *markup)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GRegex) links = g_regex_new ("<a [^>]*>|</a>", 0, 0, NULL);
  g_autofree char *plain = g_regex_replace_literal (links, markup, -1, 0, "", 0, NULL);

  g_assert_true (pango_parse_markup (plain, -1, 0, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
}

static void
assert_markup (EarNotesBlock *block, const char *expected)
{
  g_autofree char *markup = ear_notes_block_to_markup (block);

  assert_valid (markup);
  g_assert_cmpstr (markup, ==, expected);
}

static void
test_text (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();
  EarNotesBlock *block = add_block (notes, EAR_NOTES_PARAGRAPH);

  ear_notes_block_add (block, "a <b> & ", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (block, "x", NULL, -1, EAR_NOTES_STYLE_BOLD | EAR_NOTES_STYLE_CODE);
  assert_markup (block, "a &lt;b&gt; &amp; <b><tt>x</tt></b>");
}

static void
test_link (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();
  EarNotesBlock *block = add_block (notes, EAR_NOTES_PARAGRAPH);

  /* The tooltip is markup in markup. */
  ear_notes_block_add (block, "a & b", "https://example.org/?a=1&b=\"2\"", -1, EAR_NOTES_STYLE_NONE);
  assert_markup (block, "<a href=\"https://example.org/?a=1&amp;b=&quot;2&quot;\""
                        " title=\"https://example.org/?a=1&amp;amp;b=&amp;quot;2&amp;quot;\"><span alpha=\"100%\">a &amp; b</span></a>");
}

static void
test_time (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();
  EarNotesBlock *block = add_block (notes, EAR_NOTES_LIST_ITEM);
  gint64 time = 0;

  ear_notes_block_add (block, "12:03", NULL, 723 * G_TIME_SPAN_SECOND, EAR_NOTES_STYLE_NONE);
  assert_markup (block, "<a href=\"earmark-seek:723000000\" title=\"Play from \u206612:03\u2069\"><span alpha=\"100%\">12:03</span></a>");
  g_assert_true (ear_notes_seek_address ("earmark-seek:723000000", &time));
  g_assert_cmpint (time, ==, 723 * G_TIME_SPAN_SECOND);
  g_assert_false (ear_notes_seek_address ("earmark-seek:", &time));
  g_assert_false (ear_notes_seek_address ("earmark-seek:-5", &time));
  g_assert_false (ear_notes_seek_address ("earmark-seek:5x", &time));
  g_assert_false (ear_notes_seek_address ("https://example.org/earmark-seek:5", &time));
  g_assert_false (ear_notes_seek_address (NULL, &time));
}

static void
test_image (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();
  EarNotesBlock *block = add_block (notes, EAR_NOTES_IMAGE);
  g_autofree char *markup = NULL;

  ear_notes_block_add (block, "a <graph>", "https://example.org/graph.png", -1, EAR_NOTES_STYLE_NONE);
  markup = ear_notes_block_to_markup (block);
  assert_valid (markup);
  g_assert_nonnull (strstr (markup, "Picture: a &lt;graph&gt;"));
  g_assert_nonnull (strstr (markup, "href=\"https://example.org/graph.png\""));
}

static void
test_direction (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();
  EarNotesBlock *hebrew = add_block (notes, EAR_NOTES_PARAGRAPH);
  EarNotesBlock *english = add_block (notes, EAR_NOTES_PARAGRAPH);
  EarNotesBlock *neither = add_block (notes, EAR_NOTES_PARAGRAPH);

  ear_notes_block_add (hebrew, "12: ", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (hebrew, "שלום PyTorch", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (english, "PyTorch שלום", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (neither, "1 + 1 = 2", NULL, -1, EAR_NOTES_STYLE_NONE);
  g_assert_cmpint (ear_notes_block_get_direction (hebrew), ==, GTK_TEXT_DIR_RTL);
  g_assert_cmpint (ear_notes_block_get_direction (english), ==, GTK_TEXT_DIR_LTR);
  g_assert_cmpint (ear_notes_block_get_direction (neither), ==, GTK_TEXT_DIR_NONE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/notes-markup/text", test_text);
  g_test_add_func ("/notes-markup/link", test_link);
  g_test_add_func ("/notes-markup/time", test_time);
  g_test_add_func ("/notes-markup/image", test_image);
  g_test_add_func ("/notes-markup/direction", test_direction);

  return g_test_run ();
}
