/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "ear-bookmark-export.h"
#include "ear-link.h"
#include "ear-reading-list.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"

/* The listener's marks on links: how they are stored, and their undo */

typedef struct
{
  char *folder;
  char *path; /* of the file with the marks */
  EarNotices *notices;
  EarUserdataStore *state;
  EarReadingList *list;
  EarUndo *undo;
  guint n_changed;
} Fixture;

static void
changed_cb (Fixture *fixture)
{
  fixture->n_changed++;
}

static void
undo_offered_cb (Fixture *fixture, EarUndo *undo)
{
  g_set_object (&fixture->undo, undo);
}

static void
open_list (Fixture *fixture)
{
  fixture->state = ear_userdata_store_new (fixture->folder);
  fixture->list = ear_reading_list_new (fixture->state, fixture->notices);
  g_signal_connect_swapped (fixture->list, "changed", G_CALLBACK (changed_cb), fixture);
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
  fixture->path = g_build_filename (fixture->folder, "links.json", NULL);
  fixture->notices = ear_notices_new ();
  g_signal_connect_swapped (fixture->notices, "undo-offered", G_CALLBACK (undo_offered_cb),
                            fixture);
  open_list (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_list (fixture);
  g_clear_object (&fixture->notices);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

/* The page of this name */
static EarLink *
create (const char *name)
{
  g_autofree char *address = g_strconcat ("https://example.org/", name, NULL);

  return ear_link_new (address, "A page", NULL, EAR_LINK_OTHER);
}

static void
assert_marks (Fixture *fixture, EarLink *link, gboolean read, gboolean starred)
{
  g_assert_cmpint (ear_reading_list_has (fixture->list, link, EAR_LINK_READ), ==, read);
  g_assert_cmpint (ear_reading_list_has (fixture->list, link, EAR_LINK_STARRED), ==, starred);
}

static void
star (Fixture *fixture, EarLink *link, gboolean starred)
{
  ear_reading_list_set (fixture->list, link, EAR_LINK_STARRED, starred);
}

/* A mark applies to every spelling of a URL, until undone. */
static void
test_set (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLink) link = create ("a");
  g_autoptr (EarLink) same =
      ear_link_new ("http://www.example.org/a/", "A page", NULL, EAR_LINK_OTHER);
  g_autoptr (EarLink) other = create ("b");
  g_autoptr (GPtrArray) both = g_ptr_array_new ();

  assert_marks (fixture, link, FALSE, FALSE);
  star (fixture, link, FALSE);
  g_assert_null (fixture->undo);
  star (fixture, link, TRUE);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  assert_marks (fixture, same, FALSE, TRUE);
  assert_marks (fixture, other, FALSE, FALSE);
  g_ptr_array_add (both, link);
  g_ptr_array_add (both, other);
  g_assert_cmpuint (ear_reading_list_count_unread (fixture->list, both), ==, 2);
  ear_reading_list_set (fixture->list, same, EAR_LINK_READ, TRUE);
  g_assert_cmpuint (ear_reading_list_count_unread (fixture->list, both), ==, 1);
  assert_marks (fixture, link, TRUE, TRUE);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Link marked as read");
  ear_undo_run (fixture->undo);
  assert_marks (fixture, link, FALSE, TRUE);
  star (fixture, link, FALSE);
  assert_marks (fixture, link, FALSE, FALSE);
  ear_undo_run (fixture->undo);
  assert_marks (fixture, link, FALSE, TRUE);
}

/* Opening a page shows no notice: the listener sees the page. */
static void
test_open (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLink) link = create ("a");

  ear_reading_list_open (fixture->list, link);
  assert_marks (fixture, link, TRUE, FALSE);
  ear_reading_list_open (fixture->list, link);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  g_assert_null (fixture->undo);
}

/* One undo covers several links; links that were read before stay read. */
static void
test_several (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (EarLink) first = create ("a");
  g_autoptr (EarLink) second = create ("b");
  g_autoptr (EarLink) third = create ("c");

  ear_reading_list_open (fixture->list, first);
  star (fixture, third, TRUE);
  g_ptr_array_add (links, g_object_ref (first));
  g_ptr_array_add (links, g_object_ref (second));
  g_ptr_array_add (links, g_object_ref (third));
  ear_reading_list_set_read (fixture->list, links);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "2 links marked as read");
  assert_marks (fixture, second, TRUE, FALSE);
  assert_marks (fixture, third, TRUE, TRUE);
  ear_undo_run (fixture->undo);
  assert_marks (fixture, first, TRUE, FALSE);
  assert_marks (fixture, second, FALSE, FALSE);
  assert_marks (fixture, third, FALSE, TRUE);
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
  g_autoptr (EarLink) link = create ("a#part");
  g_autoptr (EarLink) other = create ("b");
  g_autoptr (GArray) ids = NULL;

  star (fixture, link, TRUE);
  ear_reading_list_open (fixture->list, other);
  close_list (fixture);
  open_list (fixture);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == 1);
  assert_marks (fixture, link, FALSE, TRUE);
  assert_marks (fixture, other, TRUE, FALSE);
  ids = ear_reading_list_list_ids (fixture->list, EAR_LINK_STARRED);
  g_assert_cmpint (g_array_index (ids, gint64, 0), ==,
                   ear_link_address_make_id (ear_link_get_key (link)));
}

/* A link with Latin-1 escapes affects no other mark, and is found again. */
static void
test_latin (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "M%FCnchen", "%C3/%BC", "%FF%FE", "%ED%A0%80",
                                       "a?q=%FC#%FC" };
  g_autofree char *text = NULL;
  g_autoptr (EarLink) before = create ("before");
  g_autoptr (EarLink) after = create ("after");

  star (fixture, before, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (EarLink) link = create (names[i]);

      star (fixture, link, TRUE);
      ear_reading_list_open (fixture->list, link);
    }
  star (fixture, after, TRUE);
  close_list (fixture);
  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  g_assert_true (g_utf8_validate (text, -1, NULL));
  open_list (fixture);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == G_N_ELEMENTS (names) + 2);
  assert_marks (fixture, before, FALSE, TRUE);
  assert_marks (fixture, after, FALSE, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (EarLink) link = create (names[i]);

      assert_marks (fixture, link, TRUE, TRUE);
    }
}

static const char strange[] =
    "{\"version\": 2, \"kind\": \"links\", \"records\": {"
    "\"example.org/a\": {\"value\": {\"read\": \"yes\", \"starred\": true, \"later\": 5}, "
    "\"updated\": \"2026-11-01T00:00:00Z\"},"
    "\"example.org/b\": {\"value\": {\"read\": 1}, \"updated\": \"2026-11-01T00:00:00Z\"}}}";

/* Invalid values in the file are ignored, and members of a later version are
 * preserved. */
static void
test_strange (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLink) link = create ("a");
  g_autoptr (EarLink) other = create ("b");
  g_autofree char *written = NULL;

  close_list (fixture);
  g_assert_true (g_file_set_contents (fixture->path, strange, -1, NULL));
  open_list (fixture);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == 1);
  assert_marks (fixture, link, FALSE, TRUE);
  assert_marks (fixture, other, FALSE, FALSE);
  ear_reading_list_open (fixture->list, link);
  close_list (fixture);
  g_assert_true (g_file_get_contents (fixture->path, &written, NULL, NULL));
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
  EarLink *first = create ("a");
  EarLink *second = create ("b");
  EarLink *third = ear_link_new ("https://example.org/c_d", NULL, "Further reading", EAR_LINK_BLOG);
  g_autofree char *copied = ear_link_dup_markdown (third);

  g_assert_cmpstr (copied, ==, "[example.org/c\\_d](<https://example.org/c_d>)");
  g_ptr_array_add (links, first);
  g_ptr_array_add (links, second);
  g_ptr_array_add (links, third);
  ear_link_set_episode (first, "1", "One *star*", "Podcast", 1);
  ear_link_set_episode (second, "1", "One *star*", "Podcast", 1);
  ear_link_set_episode (third, "2", NULL, "Podcast", 4);
  star (fixture, first, TRUE);
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
