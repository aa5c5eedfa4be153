/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-image.h"
#include "ear-link.h"
#include "ear-notes.h"
#include "ear-test-wait.h"

/* Adds a block of texts; a text in the form "@address|text" is a link. */
static void
add_block (EarNotes *notes, EarNotesBlockType type, guint level, EarNotesStyle style, const char *const *texts)
{
  EarNotesBlock *block = ear_notes_add_block (notes, type, level, 0);

  for (; *texts != NULL; texts++)
    {
      g_auto (GStrv) link = **texts == '@' ? g_strsplit (*texts + 1, "|", 2) : NULL;

      ear_notes_block_add (block, link != NULL ? link[1] : *texts, link != NULL ? link[0] : NULL, -1, style);
    }
}

#define ADD(type, level, style, ...) add_block (notes, EAR_NOTES_##type, level, EAR_NOTES_STYLE_##style, (const char *const[]) { __VA_ARGS__, NULL })

/* @expected: (array zero-terminated=1): "heading|words|address" */
static void
assert_links (EarNotes *notes, const char *const *expected)
{
  g_autoptr (GPtrArray) links = ear_notes_list_links (notes);

  for (guint i = 0; i < links->len; i++)
    {
      const EarLinkFacts *link = g_ptr_array_index (links, i);

      ear_test_assert_text (g_strdup_printf ("%s|%s|%s", link->heading != NULL ? link->heading : "",
                                             link->words != NULL ? link->words : "", link->address),
                            expected[i]);
    }
  g_assert_cmpuint (links->len, ==, g_strv_length ((char **) expected));
}

#define A "https://example.org/a"
#define B "https://example.org/b"

/* The words that describe a URL without link text */
static void
test_words (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();

  ADD (PARAGRAPH, 0, NONE, "See ", "@" A "|the\n manual", ", and ", "@mailto:a@example.org|write", ".");
  ADD (PARAGRAPH, 0, NONE, "First. See also the paper at ", "@" A "|" A, " (", "@" B "|" B, "), so there.");
  ADD (LIST_ITEM, 1, NONE, "Good. Read ", "@" A "|https://example.org/.../a", " and also the second: ", "@" B "|example.org/b", ".");
  ADD (LIST_ITEM, 1, NONE, "Both: ", "@" A "|" A, " ", "@" B "|" B, " and ", "@" A "|" A);
  ADD (LIST_ITEM, 1, NONE, "@" A "|" A, " what it is");
  ADD (LIST_ITEM, 1, NONE, "@" A "|" A);
  ADD (LIST_ITEM, 1, NONE, "On C++ (a manifesto) – ", "@" A "|" A);
  ADD (PARAGRAPH, 0, NONE, "@" A "|See ", "@" A "|it");
  ADD (IMAGE, 0, NONE, "@" A "|A picture");
  ADD (PARAGRAPH, 0, NONE, "The paper is ", "@" A "|here", ".");
  ADD (PARAGRAPH, 0, NONE, "See ", "@" A "|" A, " for privacy information.");
  ADD (PARAGRAPH, 0, NONE, "Support us at ", "@" A "|" A);
  ADD (PARAGRAPH, 0, NONE, "@" A "|Click here:", "See ", "@" B "|" B);
  ADD (PARAGRAPH, 0, NONE, "@" A "|" A, "@" B "|Tensors");
  assert_links (notes, (const char *const[]) { "|the manual|" A, "|See also the paper at|" A, "|See also the paper at|" B, "|Good. Read|" A,
                                               "|the second|" B, "|Both|" A, "|Both|" B, "|Both|" A, "|what it is|" A, "||" A,
                                               "|On C++ (a manifesto)|" A, "|See it|" A, "|The paper is here|" A, "|privacy information.|" A,
                                               "|Support us at|" A, "||" A, "||" B, "||" A, "|Tensors|" B, NULL });
}

static void
test_headings (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();

  ADD (PARAGRAPH, 0, NONE, "@" A "|a");
  ADD (PARAGRAPH, 0, BOLD, "Further reading. ");
  ADD (LIST_ITEM, 1, NONE, "@" A "|b");
  ADD (LIST_ITEM, 1, NONE, "Code:");
  ADD (LIST_ITEM, 2, NONE, "@" A "|c");
  ADD (LIST_ITEM, 1, NONE, "@" A "|d");
  ADD (PARAGRAPH, 0, NONE, "@" A "|e");
  ADD (HEADING, 2, NONE, "Links");
  ADD (PARAGRAPH, 0, NONE, "@" A "|f");
  ADD (LIST_ITEM, 1, NONE, "@" A "|g");
  ADD (PARAGRAPH, 0, NONE, "@" A "|h");
  ADD (PARAGRAPH, 0, NONE, "And more:");
  ADD (PARAGRAPH, 0, NONE, "@" A "|i");
  ADD (RULE, 0, NONE, NULL);
  ADD (PARAGRAPH, 0, NONE, "@" A "|j");
  assert_links (notes, (const char *const[]) { "|a|" A, "Further reading|b|" A, "Code|c|" A, "Further reading|d|" A, "|e|" A, "Links|f|" A,
                                               "Links|g|" A, "Links|h|" A, "And more|i|" A, "|j|" A, NULL });
}

/* Spans follow each other, items of a list have lines, and a picture is left out. */
static void
test_text (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();

  ADD (PARAGRAPH, 0, NONE, "Read ", "@" A "|the ", "@" A "|manual");
  ADD (LIST_ITEM, 1, NONE, "@" B "|one");
  ADD (LIST_ITEM, 1, NONE, "two");
  ADD (IMAGE, 0, NONE, "@" A ".png|A picture");
  ear_notes_block_add (ear_notes_add_block (notes, EAR_NOTES_LIST_ITEM, 1, 3), "three", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_test_assert_text (ear_notes_to_text (notes), "Read the manual\n\none\ntwo\n\n3. three");
}

static const EarNotesRange everything = { { 0, 0 }, { G_MAXUINT, G_MAXSIZE } };

static void
test_copy (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();

  ADD (HEADING, 2, NONE, "Links");
  EarNotesBlock *block = ear_notes_add_block (notes, EAR_NOTES_PARAGRAPH, 0, 0);
  ear_notes_block_add (block, "Read ", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (block, "this ", NULL, -1, EAR_NOTES_STYLE_BOLD);
  ear_notes_block_add (block, "`x`", NULL, -1, EAR_NOTES_STYLE_CODE);
  ear_notes_block_add (block, " at\n", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (block, "1:05", NULL, 65, EAR_NOTES_STYLE_NONE);
  ADD (LIST_ITEM, 1, NONE, "@" A "|the *man*ual", ": native_functions");
  ADD (LIST_ITEM, 2, NONE, "@" A "_(b)|" A "_(b)", " or ", "@" B "_(b)|b");
  ear_notes_block_add (ear_notes_add_block (notes, EAR_NOTES_LIST_ITEM, 1, 3), "two\nlines", NULL, -1, EAR_NOTES_STYLE_NONE);
  ADD (QUOTE, 1, ITALIC, "# said\nso");
  ADD (PREFORMATTED, 0, NONE, "a *b*\n```");
  ADD (RULE, 0, NONE, NULL);
  ADD (IMAGE, 0, NONE, "@" A ".png|A picture");
  ADD (PARAGRAPH, 0, NONE, "1. - &amp; <b> snake_case _x_ ~~");

  ear_test_assert_text (ear_notes_copy (notes, &everything, FALSE),
                        "Links\n\nRead this `x` at\n1:05\n\n• the *man*ual: native_functions\n"
                        "    • " A "_(b) or b\n3. two\n   lines\n\n# said\nso\n\na *b*\n```\n\n"
                        "A picture\n\n1. - &amp; <b> snake_case _x_ ~~");
  ear_test_assert_text (ear_notes_copy (notes, &everything, TRUE),
                        "## Links\n\nRead **this** `` `x` `` at  \n1:05\n\n"
                        "- [the \\*man\\*ual](" A "): native_functions\n"
                        "    - <" A "_(b)> or [b](<" B "_(b)>)\n3. two  \n   lines\n\n"
                        "> *\\# said  \n> so*\n\n````\na *b*\n```\n````\n\n---\n\n"
                        "![A picture](" A ".png)\n\n1\\. - \\&amp; \\<b> snake_case \\_x\\_ \\~~");
}

/* A partial copy has no bullet. */
static void
test_copy_part (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();
  const EarNotesRange part = { { 0, 4 }, { 1, 3 } };
  const EarNotesRange word = { { 1, 0 }, { 1, 0 } };

  ADD (LIST_ITEM, 1, NONE, "One ", "@" A "|two");
  ADD (LIST_ITEM, 1, NONE, "three");
  ear_test_assert_text (ear_notes_copy (notes, &part, FALSE), "two\n• thr");
  ear_test_assert_text (ear_notes_copy (notes, &part, TRUE), "[two](" A ")\n- thr");
  ear_test_assert_text (ear_notes_copy (notes, &word, FALSE), "");
}

static void
test_image (void)
{
  g_autoptr (GBytes) pixels = g_bytes_new_static ("\0\0\0", 3);
  g_autoptr (EarImage) image = ear_image_new (1, 1, 3, FALSE, pixels);
  g_autoptr (EarImage) again = ear_image_ref (image);

  g_assert_true (again == image);
  g_clear_pointer (&image, ear_image_unref);
  g_assert_cmpint (again->width, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/notes/text", test_text);
  g_test_add_func ("/notes/links/words", test_words);
  g_test_add_func ("/notes/links/headings", test_headings);
  g_test_add_func ("/notes/copy", test_copy);
  g_test_add_func ("/notes/copy/part", test_copy_part);
  g_test_add_func ("/image/boxed", test_image);

  return g_test_run ();
}
