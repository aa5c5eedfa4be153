/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <pango/pango.h>

#include "ear-notes-blocks.h"

#define PLACE "https://example.org/a.mp3?x=1&y=2"

static EarNotesBlock *
add_block (EarNotes *notes, EarNotesBlockType type)
{
  return ear_notes_add_block (notes, type, 1, 0);
}

/* Pango must accept the markup; GtkLabel itself handles links. */
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
  g_autofree char *markup = ear_notes_block_to_markup (block, PLACE);

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

  /* The tooltip is markup within markup. */
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
  /* A copied link plays from that time (W3C Media Fragments). */
  assert_markup (block, "<a href=\"https://example.org/a.mp3?x=1&amp;y=2#t=723\" title=\"Play From \u206612:03\u2069\"><span alpha=\"100%\">12:03</span></a>");
  g_assert_true (ear_notes_seek_address (PLACE "#t=723", PLACE, &time));
  g_assert_cmpint (time, ==, 723 * G_TIME_SPAN_SECOND);
  g_assert_true (ear_notes_seek_address (PLACE "#t=0", PLACE "#top", &time));
  g_assert_cmpint (time, ==, 0);
  g_assert_true (ear_notes_seek_address ("#t=5", NULL, &time));
  g_assert_cmpint (time, ==, 5 * G_TIME_SPAN_SECOND);
}

/* Links of the feed to other addresses are no time stamps. */
static void
test_no_time (void)
{
  static const char *const others[] = {
    PLACE, PLACE "#t=", PLACE "#t=-5", PLACE "#t=5x", PLACE "#t=5,6", PLACE "#t=9223372036854775807", PLACE "#top", PLACE "2#t=5",
    "https://example.org/a.mp3#t=5", "https://example.org/b.mp3?x=1&y=2#t=5", "#t=5", "", "mailto:somebody@example.org",
  };
  gint64 time = -1;

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_test_message ("%s", others[i]);
      g_assert_false (ear_notes_seek_address (others[i], PLACE, &time));
    }
  g_assert_false (ear_notes_seek_address (NULL, PLACE, &time));
  g_assert_false (ear_notes_seek_address (NULL, NULL, &time));
  g_assert_false (ear_notes_seek_address (PLACE "#t=5", NULL, &time));
  g_assert_cmpint (time, ==, -1);
}

static void
test_image (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();
  EarNotesBlock *block = add_block (notes, EAR_NOTES_IMAGE);
  g_autofree char *markup = NULL;

  ear_notes_block_add (block, "a <graph>", "https://example.org/graph.png", -1, EAR_NOTES_STYLE_NONE);
  markup = ear_notes_block_to_markup (block, PLACE);
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
  g_test_add_func ("/notes-markup/no-time", test_no_time);
  g_test_add_func ("/notes-markup/image", test_image);
  g_test_add_func ("/notes-markup/direction", test_direction);

  return g_test_run ();
}
