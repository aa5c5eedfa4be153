/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "ear-bookmark-export.h"
#include "ear-link.h"
#include "served-library.h"

/* The listener's marks on links: how they are stored, and their undo */

static char *path; /* of the file with the marks */
static guint n_changed;

static void
set_up_list (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, data);
  path = g_build_filename (fixture->data, "state", "links.json", NULL);
  open_and_wait (fixture, NULL);
  n_changed = 0;
  g_signal_connect_swapped (fixture->parts->reading_list, "changed", G_CALLBACK (ear_test_count_cb),
                            &n_changed);
}

static void
tear_down_list (Fixture *fixture, gconstpointer data)
{
  tear_down (fixture, data);
  g_clear_pointer (&path, g_free);
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
  g_assert_cmpint (ear_reading_list_has (fixture->parts->reading_list, link, EAR_LINK_READ), ==,
                   read);
  g_assert_cmpint (ear_reading_list_has (fixture->parts->reading_list, link, EAR_LINK_STARRED), ==,
                   starred);
}

static void
star (Fixture *fixture, EarLink *link, gboolean starred)
{
  ear_reading_list_set (fixture->parts->reading_list, link, EAR_LINK_STARRED, starred);
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
  g_assert_cmpuint (n_changed, ==, 1);
  assert_marks (fixture, same, FALSE, TRUE);
  assert_marks (fixture, other, FALSE, FALSE);
  g_ptr_array_add (both, link);
  g_ptr_array_add (both, other);
  g_assert_cmpuint (ear_reading_list_count_unread (fixture->parts->reading_list, both), ==, 2);
  ear_reading_list_set (fixture->parts->reading_list, same, EAR_LINK_READ, TRUE);
  g_assert_cmpuint (ear_reading_list_count_unread (fixture->parts->reading_list, both), ==, 1);
  assert_marks (fixture, link, TRUE, TRUE);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Link marked as read");
  ear_undo_run (fixture->undo);
  assert_marks (fixture, link, FALSE, TRUE);
  star (fixture, link, FALSE);
  assert_marks (fixture, link, FALSE, FALSE);
  ear_undo_run (fixture->undo);
  assert_marks (fixture, link, FALSE, TRUE);
}

/* One undo covers several links; links that were read before stay read. Opening a page shows no
 * notice: the listener sees the page. */
static void
test_several (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func (g_object_unref);
  EarLink *first = create ("a"), *second = create ("b"), *third = create ("c");

  g_ptr_array_add (links, first);
  g_ptr_array_add (links, second);
  g_ptr_array_add (links, third);
  for (guint i = 0; i < 2; i++)
    {
      ear_reading_list_open (fixture->parts->reading_list, first);
      assert_marks (fixture, first, TRUE, FALSE);
      g_assert_cmpuint (n_changed, ==, 1);
      g_assert_null (fixture->undo);
    }
  star (fixture, third, TRUE);
  ear_reading_list_set_read (fixture->parts->reading_list, links);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "2 links marked as read");
  assert_marks (fixture, second, TRUE, FALSE);
  assert_marks (fixture, third, TRUE, TRUE);
  ear_undo_run (fixture->undo);
  assert_marks (fixture, first, TRUE, FALSE);
  assert_marks (fixture, second, FALSE, FALSE);
  assert_marks (fixture, third, FALSE, TRUE);
  g_clear_object (&fixture->undo);
  g_ptr_array_set_size (links, 1);
  ear_reading_list_set_read (fixture->parts->reading_list, links);
  g_assert_null (fixture->undo);
}

static guint
count_ids (Fixture *fixture, EarLinkMark mark)
{
  g_autoptr (GArray) ids = ear_reading_list_list_ids (fixture->parts->reading_list, mark);

  return ids->len;
}

/* Marks survive a restart, and the catalogue can be queried for them. A link with Latin-1
 * escapes affects no other mark, and is found again. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "M%FCnchen", "%C3/%BC", "%FF%FE", "%ED%A0%80",
                                       "a?q=%FC#%FC" };
  g_autofree char *text = NULL;
  g_autoptr (EarLink) link = create ("a#part");
  g_autoptr (EarLink) other = create ("b");

  star (fixture, link, TRUE);
  ear_reading_list_open (fixture->parts->reading_list, other);
  restart (fixture);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == 1);
  assert_marks (fixture, link, FALSE, TRUE);
  assert_marks (fixture, other, TRUE, FALSE);
  g_autoptr (GArray) ids =
      ear_reading_list_list_ids (fixture->parts->reading_list, EAR_LINK_STARRED);
  g_assert_cmpint (g_array_index (ids, gint64, 0), ==,
                   ear_link_address_make_id (link->key));

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (EarLink) escaped = create (names[i]);

      star (fixture, escaped, TRUE);
      ear_reading_list_open (fixture->parts->reading_list, escaped);
    }
  star (fixture, other, TRUE);
  close_library (fixture);
  text = read_text (path);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == G_N_ELEMENTS (names) + 2);
  assert_marks (fixture, link, FALSE, TRUE);
  assert_marks (fixture, other, TRUE, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (EarLink) escaped = create (names[i]);

      assert_marks (fixture, escaped, TRUE, TRUE);
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

  close_library (fixture);
  write_text (path, strange);
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == 1);
  assert_marks (fixture, link, FALSE, TRUE);
  assert_marks (fixture, other, FALSE, FALSE);
  ear_reading_list_open (fixture->parts->reading_list, link);
  close_library (fixture);
  written = read_text (path);
  g_assert_nonnull (strstr (written, "later"));
  open_and_wait (fixture, NULL);
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

static void
set_episode (EarLink *link, const char *key, const char *title, guint n_episodes)
{
  link->episode = g_strdup (key);
  link->title = g_strdup (title);
  link->podcast = g_strdup ("Podcast");
  link->n_episodes = n_episodes;
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
  set_episode (first, "1", "One *star*", 1);
  set_episode (second, "1", "One *star*", 1);
  set_episode (third, "2", NULL, 4);
  star (fixture, first, TRUE);
  ear_reading_list_open (fixture->parts->reading_list, second);
  assert_export (fixture->parts->reading_list, links, "Mine", markdown);
  g_ptr_array_remove_index (links, 1);
  assert_export (fixture->parts->reading_list, links, NULL, json);
  g_ptr_array_set_size (links, 0);
  assert_export (fixture->parts->reading_list, links, NULL, "[]\n");
}

#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up_list, func, tear_down_list)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/reading-list/set", test_set);
  ADD ("/reading-list/several", test_several);
  ADD ("/reading-list/kept", test_kept);
  ADD ("/reading-list/strange", test_strange);
  ADD ("/reading-list/export", test_export);

  return g_test_run ();
}
