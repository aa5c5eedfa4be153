/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-link.h"
#include "ear-notes.h"
#include "ear-test-wait.h"

/* Links by their URLs: their kinds, and URLs that are equal */

static void
test_kind (void)
{
  static const struct
  {
    const char *address;
    EarLinkKind kind;
  } cases[] = {
    { "https://github.com/pytorch/pytorch/pull/130935", EAR_LINK_PULL_REQUEST },
    { "https://www.github.com/pytorch/pytorch/pull/130935/files#diff-1", EAR_LINK_PULL_REQUEST },
    { "https://GitHub.com/pytorch/pytorch/issues/93753", EAR_LINK_ISSUE },
    { "https://github.com/pytorch/pytorch/discussions/1", EAR_LINK_ISSUE },
    { "https://github.com/pytorch/pytorch/wiki/Autograd", EAR_LINK_DOCUMENTATION },
    { "https://github.com/pytorch/pytorch/blob/main/c10/core/TensorImpl.h#L10", EAR_LINK_SOURCE },
    { "https://github.com/pytorch/pytorch", EAR_LINK_SOURCE },
    { "https://github.com/ezyang", EAR_LINK_OTHER },
    { "https://github.com/a/b/blob/main/paper.pdf", EAR_LINK_PAPER },
    { "https://gitlab.gnome.org/GNOME/gtk/-/merge_requests/1", EAR_LINK_PULL_REQUEST },
    { "https://gitlab.gnome.org/GNOME/gtk/-/issues/1", EAR_LINK_ISSUE },
    { "https://gitlab.gnome.org/GNOME/gtk/-/blob/main/gtk/gtkwidget.c", EAR_LINK_SOURCE },
    { "https://codeberg.org/a/b/pulls/3", EAR_LINK_PULL_REQUEST },
    { "https://bugs.python.org/issue1", EAR_LINK_ISSUE },
    { "https://bugzilla.mozilla.org/show_bug.cgi?id=1", EAR_LINK_ISSUE },
    { "https://arxiv.org/abs/1706.03762", EAR_LINK_PAPER },
    { "https://openreview.net/forum?id=x", EAR_LINK_PAPER },
    { "https://doi.org/10.1145/1", EAR_LINK_PAPER },
    { "https://example.org/slides.pdf", EAR_LINK_PAPER },
    { "https://docs.python.org/3/library/os.html#os.path", EAR_LINK_DOCUMENTATION },
    { "https://numpy.readthedocs.io/", EAR_LINK_DOCUMENTATION },
    { "https://pytorch.org/docs/stable/notes/extending.html", EAR_LINK_DOCUMENTATION },
    { "https://docs.google.com/document/d/1", EAR_LINK_OTHER },
    { "https://developer.mozilla.org/en-US/", EAR_LINK_DOCUMENTATION },
    { "https://developers.example.org/blog/1", EAR_LINK_BLOG },
    { "https://developers.example.org/events", EAR_LINK_OTHER },
    { "https://blog.ezyang.com/2019/05/pytorch-internals/", EAR_LINK_BLOG },
    { "https://pytorch.org/blog/compromised-nightly-dependency/", EAR_LINK_BLOG },
    { "https://example.org/2021/06/a-thought.html", EAR_LINK_BLOG },
    { "https://someone.substack.com/p/x", EAR_LINK_BLOG },
    { "https://dev-discuss.pytorch.org/t/x/1", EAR_LINK_OTHER },
    { "https://example.org", EAR_LINK_OTHER },
    { "https://example.org/", EAR_LINK_OTHER },
    { "no address", EAR_LINK_OTHER },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].address);
      g_assert_cmpint (ear_link_kind_find (cases[i].address), ==, cases[i].kind);
    }
  for (guint i = 0; i < EAR_N_LINK_KINDS; i++)
    g_assert_nonnull (ear_link_kind_names[i]);
}

/* Tracking parameters are removed, and no others. */
static void
test_clean (void)
{
  static const char *const cases[][2] = {
    { "https://example.org/a?utm_source=podcast&id=3&UTM_medium=feed", "https://example.org/a?id=3" },
    { "https://example.org/a?utm_source=podcast", "https://example.org/a" },
    { "https://example.org/a?fbclid=1#part", "https://example.org/a#part" },
    { "https://example.org/a?gclidx=1&trkx=2", "https://example.org/a?gclidx=1&trkx=2" },
    { "https://example.org/a#:~:text=some%20words", "https://example.org/a" },
    { "https://example.org/a#part:~:text=some", "https://example.org/a#part" },
    { "https://example.org/a?a=%26&b", "https://example.org/a?a=%26&b" },
    { "https://example.org:8080/", "https://example.org:8080/" },
    { "mailto:a@example.org", NULL },
    { "javascript:alert(1)", NULL },
    { "/relative", NULL },
  };
  g_autofree char *endless = g_strnfill (EAR_LINK_ADDRESS_LIMIT, 'a');

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    ear_test_assert_text (ear_link_address_dup_clean (cases[i][0]), cases[i][1]);
  g_assert_null (ear_link_address_dup_clean (ear_test_format ("https://example.org/%s", endless)));
  g_assert_null (ear_link_address_dup_clean (NULL));
}

static gint64
make_id (const char *address)
{
  g_autofree char *clean = ear_link_address_dup_clean (address);
  g_autofree char *key = ear_link_address_dup_key (clean);

  return ear_link_address_make_id (key);
}

/* Different spellings of one page, and different pages */
static void
test_same (void)
{
  static const char *const same[] = {
    "https://example.org/a", "http://www.example.org/a/", "https://EXAMPLE.org/a?utm_campaign=x", "https://example.org//a#",
  };
  static const char *const others[] = {
    "https://example.org/A", "https://example.org/a?id=1", "https://example.org/a#part", "https://example.org/a/b", "https://example.com/a",
  };

  for (gsize i = 1; i < G_N_ELEMENTS (same); i++)
    g_assert_cmpint (make_id (same[i]), ==, make_id (same[0]));
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_cmpint (make_id (others[i]), !=, make_id (same[0]));
  ear_test_assert_text (ear_link_address_dup_host ("https://WWW.Example.org:80/a"), "example.org");
}

/* A link without text gets its URL as title. */
static void
test_link (void)
{
  g_autoptr (EarLink) plain = ear_link_new ("https://www.example.org/a%20b/", "", "", 99);
  g_autoptr (EarLink) named = ear_link_new ("https://example.org/%ff", "A page", "Further reading", EAR_LINK_PAPER);

  g_assert_cmpstr (plain->words, ==, "example.org/a b");
  g_assert_null (plain->heading);
  g_assert_cmpstr (plain->key, ==, "example.org/a b");
  g_assert_cmpint (plain->kind, ==, EAR_LINK_OTHER);
  g_assert_cmpstr (named->words, ==, "A page");
  g_assert_cmpstr (named->heading, ==, "Further reading");
  g_assert_cmpstr (named->host, ==, "example.org");
  ear_test_assert_text (ear_link_address_dup_words ("https://example.org/%ff"), "example.org/%ff");
}

static void
add (EarNotes *notes, EarNotesBlockType type, const char *text, const char *link)
{
  ear_notes_block_add (ear_notes_add_block (notes, type, 1, 0), text, link, -1, EAR_NOTES_STYLE_NONE);
}

/* Two links to one page are one link, with the text of either. */
static void
test_facts (void)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();

  add (notes, EAR_NOTES_LIST_ITEM, "https://arxiv.org/abs/1", "https://arxiv.org/abs/1?utm_source=feed");
  add (notes, EAR_NOTES_LIST_ITEM, "Mail", "mailto:a@example.org");
  add (notes, EAR_NOTES_HEADING, "Further reading", NULL);
  add (notes, EAR_NOTES_LIST_ITEM, "A paper", "http://arxiv.org/abs/1/");
  add (notes, EAR_NOTES_LIST_ITEM, "Another", "https://arxiv.org/abs/2");
  ear_notes_collect_links (notes);
  g_assert_cmpuint (notes->links->len, ==, 2);
  const EarLinkFacts *first = g_ptr_array_index (notes->links, 0);
  g_assert_cmpstr (first->address, ==, "https://arxiv.org/abs/1");
  g_assert_cmpstr (first->words, ==, "A paper");
  g_assert_cmpstr (first->heading, ==, "Further reading");
  g_assert_cmpint (first->kind, ==, EAR_LINK_PAPER);

  g_autoptr (EarNotes) many = ear_notes_new ();
  for (guint i = 0; i < 2 * EAR_LINKS_LIMIT; i++)
    add (many, EAR_NOTES_PARAGRAPH, "A page", ear_test_format ("https://example.org/%u", i));
  ear_notes_collect_links (many);
  g_assert_cmpuint (many->links->len, ==, EAR_LINKS_LIMIT);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/link/kind", test_kind);
  g_test_add_func ("/link/clean", test_clean);
  g_test_add_func ("/link/same", test_same);
  g_test_add_func ("/link/link", test_link);
  g_test_add_func ("/link/facts", test_facts);

  return g_test_run ();
}
