/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmark-export.h"
#include "ear-link.h"
#include "ear-reading-list.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

/* The listener's marks on links: how they are stored, and their undo */

typedef struct
{
  char *folder;
  EarNotices *notices;
  EarUserdataStore *state;
  EarReadingList *list;
  EarUndo *undo;
  guint n_changed;
} Fixture;

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
keep_undo_cb (EarNotices *notices, EarUndo *undo, EarUndo **kept)
{
  g_set_object (kept, undo);
}

static void
open_list (Fixture *fixture)
{
  fixture->state = ear_userdata_store_new (fixture->folder);
  fixture->list = ear_reading_list_new (fixture->state, fixture->notices);
  g_signal_connect_swapped (fixture->list, "changed", G_CALLBACK (count_cb), &fixture->n_changed);
}

static void
close_list (Fixture *fixture)
{
  g_clear_object (&fixture->undo);
  g_assert_finalize_object (g_steal_pointer (&fixture->list));
  ear_test_finalize (g_steal_pointer (&fixture->state));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-links-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->notices = ear_notices_new ();
  g_signal_connect (fixture->notices, "undo-offered", G_CALLBACK (keep_undo_cb), &fixture->undo);
  open_list (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_list (fixture);
  g_clear_object (&fixture->notices);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static EarLink *
create (const char *address)
{
  return ear_link_new (address, "A page", NULL, EAR_LINK_OTHER);
}

#define ASSERT_MARKS(list, link, read, starred) \
  G_STMT_START \
  { \
    g_assert_cmpint (ear_reading_list_has (list, link, EAR_LINK_READ), ==, read); \
    g_assert_cmpint (ear_reading_list_has (list, link, EAR_LINK_STARRED), ==, starred); \
  } \
  G_STMT_END

/* A mark applies to every spelling of a URL, until undone. */
static void
test_set (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLink) link = create ("https://example.org/a");
  g_autoptr (EarLink) same = create ("http://www.example.org/a/");
  g_autoptr (EarLink) other = create ("https://example.org/b");
  g_autoptr (GPtrArray) both = g_ptr_array_new ();

  ASSERT_MARKS (fixture->list, link, FALSE, FALSE);
  ear_reading_list_set (fixture->list, link, EAR_LINK_STARRED, FALSE);
  g_assert_null (fixture->undo);
  ear_reading_list_set (fixture->list, link, EAR_LINK_STARRED, TRUE);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  ASSERT_MARKS (fixture->list, same, FALSE, TRUE);
  ASSERT_MARKS (fixture->list, other, FALSE, FALSE);
  g_ptr_array_add (both, link);
  g_ptr_array_add (both, other);
  g_assert_cmpuint (ear_reading_list_count_unread (fixture->list, both), ==, 2);
  ear_reading_list_set (fixture->list, same, EAR_LINK_READ, TRUE);
  g_assert_cmpuint (ear_reading_list_count_unread (fixture->list, both), ==, 1);
  ASSERT_MARKS (fixture->list, link, TRUE, TRUE);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Link marked as read");
  ear_undo_run (fixture->undo);
  ASSERT_MARKS (fixture->list, link, FALSE, TRUE);
  ear_reading_list_set (fixture->list, link, EAR_LINK_STARRED, FALSE);
  ASSERT_MARKS (fixture->list, link, FALSE, FALSE);
  ear_undo_run (fixture->undo);
  ASSERT_MARKS (fixture->list, link, FALSE, TRUE);
}

/* Opening a page shows no notice: the listener sees the page. */
static void
test_open (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLink) link = create ("https://example.org/a");

  ear_reading_list_open (fixture->list, link);
  ASSERT_MARKS (fixture->list, link, TRUE, FALSE);
  ear_reading_list_open (fixture->list, link);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  g_assert_null (fixture->undo);
}

/* One undo covers several links; links that were read before stay read. */
static void
test_several (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (EarLink) first = create ("https://example.org/a");
  g_autoptr (EarLink) second = create ("https://example.org/b");
  g_autoptr (EarLink) third = create ("https://example.org/c");

  ear_reading_list_open (fixture->list, first);
  ear_reading_list_set (fixture->list, third, EAR_LINK_STARRED, TRUE);
  g_ptr_array_add (links, g_object_ref (first));
  g_ptr_array_add (links, g_object_ref (second));
  g_ptr_array_add (links, g_object_ref (third));
  ear_reading_list_set_read (fixture->list, links);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "2 links marked as read");
  ASSERT_MARKS (fixture->list, second, TRUE, FALSE);
  ASSERT_MARKS (fixture->list, third, TRUE, TRUE);
  ear_undo_run (fixture->undo);
  ASSERT_MARKS (fixture->list, first, TRUE, FALSE);
  ASSERT_MARKS (fixture->list, second, FALSE, FALSE);
  ASSERT_MARKS (fixture->list, third, FALSE, TRUE);
  g_clear_object (&fixture->undo);
  g_ptr_array_set_size (links, 1);
  ear_reading_list_set_read (fixture->list, links);
  g_assert_null (fixture->undo);
}

static guint
count_ids (Fixture *fixture, EarLinkMark mark)
{
  g_autoptr (GArray) ids = ear_reading_list_list_ids (fixture->list, mark);

  return ids->len;
}

/* Marks survive a restart, and the catalogue can be queried for them. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLink) link = create ("https://example.org/a#part");
  g_autoptr (EarLink) other = create ("https://example.org/b");
  g_autoptr (GArray) ids = NULL;

  ear_reading_list_set (fixture->list, link, EAR_LINK_STARRED, TRUE);
  ear_reading_list_open (fixture->list, other);
  close_list (fixture);
  open_list (fixture);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == 1);
  ASSERT_MARKS (fixture->list, link, FALSE, TRUE);
  ASSERT_MARKS (fixture->list, other, TRUE, FALSE);
  ids = ear_reading_list_list_ids (fixture->list, EAR_LINK_STARRED);
  g_assert_cmpint (g_array_index (ids, gint64, 0), ==, ear_link_address_make_id (ear_link_get_key (link)));
}

/* A link with Latin-1 escapes affects no other mark, and is found again. */
static void
test_latin (Fixture *fixture, gconstpointer data)
{
  static const char *const addresses[] = { "https://example.org/M%FCnchen", "https://example.org/%C3/%BC", "https://example.org/%FF%FE",
                                           "https://example.org/%ED%A0%80", "https://example.org/a?q=%FC#%FC" };
  g_autofree char *path = g_build_filename (fixture->folder, "links.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (EarLink) before = create ("https://example.org/before");
  g_autoptr (EarLink) after = create ("https://example.org/after");

  ear_reading_list_set (fixture->list, before, EAR_LINK_STARRED, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_autoptr (EarLink) link = create (addresses[i]);

      ear_reading_list_set (fixture->list, link, EAR_LINK_STARRED, TRUE);
      ear_reading_list_open (fixture->list, link);
    }
  ear_reading_list_set (fixture->list, after, EAR_LINK_STARRED, TRUE);
  close_list (fixture);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_utf8_validate (text, -1, NULL));
  open_list (fixture);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == G_N_ELEMENTS (addresses) + 2);
  ASSERT_MARKS (fixture->list, before, FALSE, TRUE);
  ASSERT_MARKS (fixture->list, after, FALSE, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_autoptr (EarLink) link = create (addresses[i]);

      ASSERT_MARKS (fixture->list, link, TRUE, TRUE);
    }
}

static const char strange[] =
  "{\"version\": 2, \"kind\": \"links\", \"records\": {"
  "\"example.org/a\": {\"value\": {\"read\": \"yes\", \"starred\": true, \"later\": 5}, \"updated\": \"2026-11-01T00:00:00Z\"},"
  "\"example.org/b\": {\"value\": {\"read\": 1}, \"updated\": \"2026-11-01T00:00:00Z\"}}}";

/* Invalid values in the file are ignored, and members of a later version are
 * preserved. */
static void
test_strange (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "links.json", NULL);
  g_autoptr (EarLink) link = create ("https://example.org/a");
  g_autoptr (EarLink) other = create ("https://example.org/b");
  g_autoptr (GError) error = NULL;
  g_autofree char *written = NULL;

  close_list (fixture);
  g_assert_true (g_file_set_contents (path, strange, -1, &error));
  g_assert_no_error (error);
  open_list (fixture);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == 1);
  ASSERT_MARKS (fixture->list, link, FALSE, TRUE);
  ASSERT_MARKS (fixture->list, other, FALSE, FALSE);
  ear_reading_list_open (fixture->list, link);
  close_list (fixture);
  g_assert_true (g_file_get_contents (path, &written, NULL, &error));
  g_assert_no_error (error);
  g_assert_nonnull (strstr (written, "later"));
  open_list (fixture);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_READ) == 1);
}

static const char markdown[] = "# Mine\n"
                               "\n## One \\*star\\* – Podcast\n\n"
                               "- [ ] **[A page](<https://example.org/a>)**\n"
                               "- [x] [A page](<https://example.org/b>)\n"
                               "\n## Podcast\n\n"
                               "- [ ] [example.org/c\\_d](<https://example.org/c_d>)\n";

static const char json[] = "[\n"
                           "  {\n"
                           "    \"address\": \"https://example.org/a\",\n"
                           "    \"words\": \"A page\",\n"
                           "    \"kind\": \"other\",\n"
                           "    \"title\": \"One *star*\",\n"
                           "    \"podcast\": \"Podcast\",\n"
                           "    \"episodes\": 1,\n"
                           "    \"read\": false,\n"
                           "    \"starred\": true\n"
                           "  },\n"
                           "  {\n"
                           "    \"address\": \"https://example.org/c_d\",\n"
                           "    \"words\": \"example.org/c_d\",\n"
                           "    \"heading\": \"Further reading\",\n"
                           "    \"kind\": \"blog\",\n"
                           "    \"podcast\": \"Podcast\",\n"
                           "    \"episodes\": 4,\n"
                           "    \"read\": false,\n"
                           "    \"starred\": false\n"
                           "  }\n"
                           "]\n";

static void
assert_export (EarReadingList *list, GPtrArray *links, const char *heading, const char *expected)
{
  g_autoptr (GBytes) bytes = ear_link_export (list, links, heading);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  g_assert_cmpmem (text, length, expected, strlen (expected));
}

/* The export for other programs */
static void
test_export (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func (g_object_unref);
  EarLink *first = create ("https://example.org/a");
  EarLink *second = create ("https://example.org/b");
  EarLink *third = ear_link_new ("https://example.org/c_d", NULL, "Further reading", EAR_LINK_BLOG);
  g_autofree char *copied = ear_link_dup_markdown (third);

  g_assert_cmpstr (copied, ==, "[example.org/c\\_d](<https://example.org/c_d>)");
  g_ptr_array_add (links, first);
  g_ptr_array_add (links, second);
  g_ptr_array_add (links, third);
  ear_link_set_episode (first, "1", "One *star*", "Podcast", 1);
  ear_link_set_episode (second, "1", "One *star*", "Podcast", 1);
  ear_link_set_episode (third, "2", NULL, "Podcast", 4);
  ear_reading_list_set (fixture->list, first, EAR_LINK_STARRED, TRUE);
  ear_reading_list_open (fixture->list, second);
  assert_export (fixture->list, links, "Mine", markdown);
  g_ptr_array_remove_index (links, 1);
  assert_export (fixture->list, links, NULL, json);
  g_ptr_array_set_size (links, 0);
  assert_export (fixture->list, links, NULL, "[]\n");
}

#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/reading-list/set", test_set);
  ADD ("/reading-list/open", test_open);
  ADD ("/reading-list/several", test_several);
  ADD ("/reading-list/kept", test_kept);
  ADD ("/reading-list/latin", test_latin);
  ADD ("/reading-list/strange", test_strange);
  ADD ("/reading-list/export", test_export);

  return g_test_run ();
}
