/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "ear-bookmark-export.h"
#include "ear-link.h"
#include "served-library.h"

/* The listener's marks on links: how they are stored, and their undo */

static guint n_changed;

static void
set_up_list (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, data);
  open_and_wait (fixture, NULL);
  n_changed = 0;
  g_signal_connect_swapped (fixture->parts->reading_list, "changed", G_CALLBACK (ear_test_count_cb),
                            &n_changed);
}

/* The page of this name */
static EarLink *
create (const char *name)
{
  g_autofree char *address = g_strconcat ("https://example.org/", name, NULL);

  return ear_link_new (address, "A page", NULL, EAR_LINK_OTHER);
}

static void
assert_marks (Fixture *fixture, const char *name, gboolean read, gboolean starred)
{
  EarReadingList *list = fixture->parts->reading_list;
  g_autoptr (EarLink) link = create (name);

  g_assert_cmpint (ear_reading_list_has (list, link, EAR_LINK_READ), ==, read);
  g_assert_cmpint (ear_reading_list_has (list, link, EAR_LINK_STARRED), ==, starred);
}

static void
star (Fixture *fixture, const char *name, gboolean starred)
{
  g_autoptr (EarLink) link = create (name);

  ear_reading_list_set (fixture->parts->reading_list, link, EAR_LINK_STARRED, starred);
}

static void
open_link (Fixture *fixture, const char *name)
{
  g_autoptr (EarLink) link = create (name);

  ear_reading_list_open (fixture->parts->reading_list, link);
}

/* A mark applies to every spelling of a URL, until undone. */
static void
test_set (Fixture *fixture, gconstpointer data)
{
  EarReadingList *list = fixture->parts->reading_list;
  g_autoptr (EarLink) same =
      ear_link_new ("http://www.example.org/a/", "A page", NULL, EAR_LINK_OTHER);
  g_autoptr (GPtrArray) both = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (both, create ("a"));
  g_ptr_array_add (both, create ("b"));
  assert_marks (fixture, "a", FALSE, FALSE);
  star (fixture, "a", FALSE);
  g_assert_null (fixture->undo);
  star (fixture, "a", TRUE);
  g_assert_cmpuint (n_changed, ==, 1);
  g_assert_true (ear_reading_list_has (list, same, EAR_LINK_STARRED));
  assert_marks (fixture, "b", FALSE, FALSE);
  g_assert_cmpuint (ear_reading_list_count_unread (list, both), ==, 2);
  ear_reading_list_set (list, same, EAR_LINK_READ, TRUE);
  g_assert_cmpuint (ear_reading_list_count_unread (list, both), ==, 1);
  assert_marks (fixture, "a", TRUE, TRUE);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Link marked as read");
  ear_undo_run (fixture->undo);
  assert_marks (fixture, "a", FALSE, TRUE);
  star (fixture, "a", FALSE);
  assert_marks (fixture, "a", FALSE, FALSE);
  ear_undo_run (fixture->undo);
  assert_marks (fixture, "a", FALSE, TRUE);
}

/* One undo covers several links; links that were read before stay read. Opening a page shows no
 * notice: the listener sees the page. */
static void
test_several (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (links, create ("a"));
  g_ptr_array_add (links, create ("b"));
  g_ptr_array_add (links, create ("c"));
  for (guint i = 0; i < 2; i++)
    {
      open_link (fixture, "a");
      assert_marks (fixture, "a", TRUE, FALSE);
      g_assert_cmpuint (n_changed, ==, 1);
      g_assert_null (fixture->undo);
    }
  star (fixture, "c", TRUE);
  ear_reading_list_set_read (fixture->parts->reading_list, links);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "2 links marked as read");
  assert_marks (fixture, "b", TRUE, FALSE);
  assert_marks (fixture, "c", TRUE, TRUE);
  ear_undo_run (fixture->undo);
  assert_marks (fixture, "a", TRUE, FALSE);
  assert_marks (fixture, "b", FALSE, FALSE);
  assert_marks (fixture, "c", FALSE, TRUE);
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
  g_autofree char *path = g_build_filename (fixture->data, "state", "links.json", NULL);
  g_autoptr (EarLink) link = create ("a#part");

  star (fixture, "a#part", TRUE);
  open_link (fixture, "b");
  restart (fixture);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == 1);
  assert_marks (fixture, "a#part", FALSE, TRUE);
  assert_marks (fixture, "b", TRUE, FALSE);
  g_autoptr (GArray) ids =
      ear_reading_list_list_ids (fixture->parts->reading_list, EAR_LINK_STARRED);
  g_assert_cmpint (g_array_index (ids, gint64, 0), ==,
                   ear_link_address_make_id (link->key));

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      star (fixture, names[i], TRUE);
      open_link (fixture, names[i]);
    }
  star (fixture, "b", TRUE);
  close_library (fixture);
  g_autofree char *text = read_text (path);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == G_N_ELEMENTS (names) + 2);
  assert_marks (fixture, "a#part", FALSE, TRUE);
  assert_marks (fixture, "b", TRUE, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    assert_marks (fixture, names[i], TRUE, TRUE);
}

static const char strange[] =
    "{\"version\": 2, \"kind\": \"links\", \"records\": {"
    "\"example.org/a\": {\"value\": {\"read\": \"yes\", \"starred\": true, \"later\": 5}, "
    "\"updated\": \"2026-11-01T00:00:00Z\"},"
    "\"example.org/b\": {\"value\": {\"read\": 1}, \"updated\": \"2026-11-01T00:00:00Z\"}}}";

/* Invalid values in the file are ignored, and members of a later version are kept. */
static void
test_strange (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->data, "state", "links.json", NULL);

  close_library (fixture);
  write_text (path, strange);
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (count_ids (fixture, EAR_LINK_STARRED) == 1);
  assert_marks (fixture, "a", FALSE, TRUE);
  assert_marks (fixture, "b", FALSE, FALSE);
  open_link (fixture, "a");
  close_library (fixture);
  g_autofree char *written = read_text (path);
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
  EarLink *third = ear_link_new ("https://example.org/c_d", NULL, "Further reading", EAR_LINK_BLOG);
  g_autofree char *copied = ear_link_dup_markdown (third);

  g_assert_cmpstr (copied, ==, "[example.org/c\\_d](<https://example.org/c_d>)");
  g_ptr_array_add (links, create ("a"));
  g_ptr_array_add (links, create ("b"));
  g_ptr_array_add (links, third);
  set_episode (links->pdata[0], "1", "One *star*", 1);
  set_episode (links->pdata[1], "1", "One *star*", 1);
  set_episode (third, "2", NULL, 4);
  star (fixture, "a", TRUE);
  open_link (fixture, "b");
  assert_export (fixture->parts->reading_list, links, "Mine", markdown);
  g_ptr_array_remove_index (links, 1);
  assert_export (fixture->parts->reading_list, links, NULL, json);
  g_ptr_array_set_size (links, 0);
  assert_export (fixture->parts->reading_list, links, NULL, "[]\n");
}

#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up_list, func, tear_down)

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
