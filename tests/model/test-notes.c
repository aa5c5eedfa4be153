/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-image.h"
#include "ear-notes.h"

/* How many spans lead out of the notes; neighbouring spans of one link count once. */
static guint
count_links (EarNotes *notes)
{
  guint count = 0;

  for (guint i = 0; i < notes->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (notes->blocks, i);
      const char *before = NULL;

      if (block->type == EAR_NOTES_IMAGE || block->names_image)
        continue;
      for (guint j = 0; j < block->spans->len; j++)
        {
          const EarNotesSpan *span = g_ptr_array_index (block->spans, j);

          if (span->link != NULL && g_strcmp0 (span->link, before) != 0)
            count++;
          before = span->link;
        }
    }

  return count;
}

static void
test_text_and_links (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();
  EarNotesBlock *block;
  g_autofree char *text = NULL;

  block = ear_notes_add_block (notes, EAR_NOTES_PARAGRAPH, 0, 0);
  ear_notes_block_add (block, "Read ", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (block, "the ", "https://example.org/a", -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (block, "manual", "https://example.org/a", -1, EAR_NOTES_STYLE_BOLD);
  block = ear_notes_add_block (notes, EAR_NOTES_LIST_ITEM, 1, 0);
  ear_notes_block_add (block, "one", "https://example.org/b", -1, EAR_NOTES_STYLE_NONE);
  block = ear_notes_add_block (notes, EAR_NOTES_LIST_ITEM, 1, 0);
  ear_notes_block_add (block, "two", NULL, -1, EAR_NOTES_STYLE_NONE);
  block = ear_notes_add_block (notes, EAR_NOTES_IMAGE, 0, 0);
  ear_notes_block_add (block, "A picture", "https://example.org/c.png", -1, EAR_NOTES_STYLE_NONE);
  block = ear_notes_add_block (notes, EAR_NOTES_LIST_ITEM, 1, 3);
  ear_notes_block_add (block, "three", NULL, -1, EAR_NOTES_STYLE_NONE);

  text = ear_notes_to_text (notes);
  g_assert_cmpstr (text, ==, "Read the manual\n\none\ntwo\n\n3. three");
  /* Two spans of one link are one link. */
  g_assert_cmpuint (count_links (notes), ==, 2);
}

static void
test_image (void)
{
  g_autoptr (GBytes) pixels = g_bytes_new_static ("\0\0\0", 3);
  EarImage *image = ear_image_new (1, 1, 3, FALSE, pixels);
  EarImage *again = ear_image_ref (image);

  g_assert_true (again == image);
  ear_image_unref (image);
  g_assert_cmpint (again->width, ==, 1);
  ear_image_unref (again);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/notes/text-and-links", test_text_and_links);
  g_test_add_func ("/image/boxed", test_image);

  return g_test_run ();
}
