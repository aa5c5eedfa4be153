/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "ear-bookmark-export.h"
#include "ear-bookmarks.h"
#include "playing-fixture.h"

/* Bookmarks: content, persistence and export */

/* Whether these are all bookmarks: a line each, with the title of the episode, the position to the
 * nearest five seconds below, and the note */
static gboolean
are_bookmarks (Fixture *fixture, const char *expected)
{
  GListModel *list = ear_bookmarks_get_list (fixture->parts->bookmarks);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (EarBookmark) bookmark = g_list_model_get_item (list, i);
      const int seconds = (int) ((ear_bookmark_get_time (bookmark) + SECOND) / SECOND);
      const char *note = ear_bookmark_get_note (bookmark);

      g_string_append_printf (text, "%s %d %s\n", ear_bookmark_get_title (bookmark),
                              seconds / 5 * 5, note != NULL ? note : "-");
    }

  return g_str_equal (text->str, expected);
}

static EarBookmark *
dup_bookmark (Fixture *fixture, guint position)
{
  return g_list_model_get_item (ear_bookmarks_get_list (fixture->parts->bookmarks), position);
}

/* Adds a bookmark at a second of a paused episode. */
static void
add_at (Fixture *fixture, EarEpisode *episode, gint64 seconds, const char *note)
{
  playing_fixture_play (fixture, episode, seconds * SECOND);
  ear_player_pause (fixture->player);
  wait_for_state (fixture, EAR_PLAYER_PAUSED);
  g_assert_true (ear_bookmarks_add (fixture->parts->bookmarks, note));
}

/* A bookmark needs an episode in the player, and each moment gets only one. */
static void
test_add (Fixture *fixture, gconstpointer data)
{
  const char *address = ear_episode_get_enclosure (fixture->second)->address;
  g_autofree char *expected = g_strdup_printf ("“B”\nSecond, P, 0:15\n%s#t=15", address);
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_false (ear_bookmarks_add (fixture->parts->bookmarks, NULL));
  add_at (fixture, fixture->second, 15, "  Look this\nup ");
  g_assert_true (ear_bookmarks_add (fixture->parts->bookmarks, NULL));
  g_assert_true (are_bookmarks (fixture, "Second 15 Look this\nup\n"));
  g_autoptr (EarBookmark) bookmark = dup_bookmark (fixture, 0);
  g_assert_cmpstr (ear_bookmark_get_podcast (bookmark), ==, "P");
  g_assert_cmpstr (ear_bookmark_get_text (bookmark), ==, "B");
  g_assert_cmpint (ABS (ear_bookmark_get_time (bookmark) - 15 * SECOND), <, SECOND);
  g_assert_true (ear_bookmark_is_in (bookmark, fixture->second));
  g_assert_false (ear_bookmark_is_in (bookmark, fixture->first));

  ear_undo_run (fixture->undo);
  g_assert_true (are_bookmarks (fixture, ""));

  /* A quote has the spoken text, the episode, the time and the URL; it is not stored. */
  ear_bookmarks_quote_async (fixture->parts->bookmarks, fixture->second, 15 * SECOND,
                             ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_autofree char *quotation = g_task_propagate_pointer (G_TASK (result), NULL);
  g_assert_cmpstr (quotation, ==, expected);
  g_assert_true (are_bookmarks (fixture, ""));
}

/* The list of all bookmarks is sorted by date, and within a second by position; the list of an
 * episode by position. Bookmarks and their notes survive a restart, and the loss of the
 * catalogue. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  static const char expected[] =
    "Second 25 New\nSecond 20 -\nSecond 15 -\nSecond 10 -\nSecond 5 -\nFirst 0 -\n";
  void (*const restarts[]) (Fixture *) = { restart, restart_without_catalogue };

  add_at (fixture, fixture->first, 1, NULL);
  for (guint i = 1; i <= 5; i++)
    add_at (fixture, fixture->second, i * 5, i == 5 ? "Old" : NULL);
  g_autoptr (EarBookmark) last = dup_bookmark (fixture, 0);
  ear_bookmarks_set_note (fixture->parts->bookmarks, last, "New");
  g_assert_true (are_bookmarks (fixture, expected));
  g_autoptr (GPtrArray) found = ear_bookmarks_find (fixture->parts->bookmarks, fixture->second);
  g_assert_cmpuint (found->len, ==, 5);
  for (guint i = 1; i < 5; i++)
    g_assert_cmpint (ear_bookmark_get_time (found->pdata[i - 1]), <,
                     ear_bookmark_get_time (found->pdata[i]));

  for (gsize i = 0; i < G_N_ELEMENTS (restarts); i++)
    {
      restarts[i] (fixture);
      EAR_TEST_WAIT_UNTIL (are_bookmarks (fixture, expected));
    }
}

static EarBookmark *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = g_variant_parse (G_VARIANT_TYPE_VARDICT, text, NULL, NULL, &error);

  g_assert_no_error (error);

  return ear_bookmark_new_for_value ("id", value);
}

static EarBookmark *
create (const char *podcast, const char *title, int seconds, const char *text, const char *note)
{
  g_autofree char *value =
    g_strdup_printf ("{'address': <'https://example.org/'>, 'guid': <'%s'>, 'podcast': <'%s'>,"
                     " 'title': <'%s'>, 'time': <%d.0>, 'text': <'%s'>, 'note': <'%s'>,"
                     " 'link': <'https://example.org/a.mp3#x'>, 'created': <int64 5>}",
                     title, podcast, title, seconds, text, note);

  return parse (value);
}

/* Malformed bookmark files */
static void
test_hostile (void)
{
  static const char *const none[] = {
    "{}",
    "{'address': <'https://example.org/'>, 'guid': <'g'>}",
    "{'address': <'javascript:1'>, 'guid': <'g'>, 'time': <1.5>}",
    "{'address': <'https://example.org/'>, 'guid': <''>, 'time': <1.5>}",
    "{'address': <'https://example.org/'>, 'guid': <'g'>, 'time': <-1.0>}",
    "{'address': <'https://example.org/'>, 'guid': <'g'>, 'time': <1e300>}",
    "{'address': <'https://example.org/'>, 'guid': <'g'>, 'time': <'1'>}",
    "{'address': <1.5>, 'guid': <'g'>, 'time': <1.5>}",
  };
  g_autoptr (EarBookmark) least =
    parse ("{'address': <'https://example.org/'>, 'guid': <'g'>, 'time': <int64 90>,"
           " 'created': <1e99>, 'link': <'file:///etc/passwd'>, 'note': <['a']>}");
  g_autofree char *long_text = g_strnfill (10000, 'a');
  g_autofree char *text = g_strdup_printf ("{'address': <'https://example.org/'>, 'guid': <'g'>,"
                                           " 'time': <1.5>, 'note': <'%s'>}", long_text);
  g_autoptr (EarBookmark) cut = parse (text);

  for (gsize i = 0; i < G_N_ELEMENTS (none); i++)
    g_assert_null (parse (none[i]));
  g_assert_cmpint (ear_bookmark_get_time (least), ==, 90 * SECOND);
  g_assert_cmpstr (ear_bookmark_get_title (least), ==, "g");
  g_assert_null (ear_bookmark_get_note (least));
  g_assert_null (ear_bookmark_dup_link (least));
  g_assert_cmpuint (strlen (ear_bookmark_get_note (cut)), ==, EAR_BOOKMARK_TEXT_LIMIT);
}

static const char markdown[] = "# Mine\n"
                               "\n## B\\-Side\n"
                               "\n### One\n\n"
                               "- [0:05](<https://example.org/a.mp3#t=5>)"
                               " “Said \\*aloud\\*”  \n  Mine\n"
                               "- [1:02:03](<https://example.org/a.mp3#t=3723>)\n"
                               "\n### Two\n\n"
                               "- [0:09](<https://example.org/a.mp3#t=9>) \\<b\\>\n"
                               "\n## Z\n"
                               "\n### One\n\n"
                               "- [0:01](<https://example.org/a.mp3#t=1>) “Last”\n";

/* The export is always in the same order. */
static void
test_export (void)
{
  g_autoptr (GListStore) list = g_list_store_new (EAR_TYPE_BOOKMARK);
  g_autoptr (EarBookmark) one = create ("B-Side", "One", 5, "Said *aloud*", "Mine");
  g_autoptr (EarBookmark) two = create ("B-Side", "Two", 9, "", "<b>");
  g_autoptr (EarBookmark) three = create ("B-Side", "One", 3723, "", "");
  g_autoptr (EarBookmark) four = create ("Z", "One", 1, "Last", "");
  gpointer bookmarks[] = { four, three, two, one };
  g_autofree char *quotation = ear_bookmark_dup_quotation (one);

  g_assert_cmpstr (quotation, ==,
                   "“Said *aloud*”\nMine\nOne, B-Side, 0:05\nhttps://example.org/a.mp3#t=5");
  g_list_store_splice (list, 0, 0, bookmarks, G_N_ELEMENTS (bookmarks));
  g_autoptr (GBytes) text = ear_bookmark_export_markdown (G_LIST_MODEL (list), "Mine");
  g_assert_cmpmem (g_bytes_get_data (text, NULL), g_bytes_get_size (text), markdown,
                   strlen (markdown));
  g_autoptr (GBytes) json = ear_bookmark_export_json (G_LIST_MODEL (list));
  g_autofree char *printed = g_strndup (g_bytes_get_data (json, NULL), g_bytes_get_size (json));
  g_assert_nonnull (strstr (printed, "\"text\": \"Said *aloud*\""));
  g_assert_true (g_str_has_prefix (printed, "["));
  g_assert_true (g_str_has_suffix (printed, "]\n"));
}

/* A search covers all text of a bookmark, ignoring case and accents. */
static void
test_matches (void)
{
  g_autoptr (EarBookmark) bookmark = create ("Café", "Graph breaks", 5, "We compile", "Ask Ann");

  g_assert_true (ear_bookmark_matches (bookmark, NULL));
  g_assert_true (ear_bookmark_matches (bookmark, "  "));
  g_assert_true (ear_bookmark_matches (bookmark, "cafe ANN"));
  g_assert_true (ear_bookmark_matches (bookmark, "comp gra"));
  g_assert_false (ear_bookmark_matches (bookmark, "cafe bob"));
}

/* Row id of the only episode that a search finds, or 0 */
static gint64
search_for (Fixture *fixture, const char *words)
{
  g_autoptr (EarEpisodeList) found =
      open_list (fixture, ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_RANKED, words));
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (found), 0);

  return first != NULL && !has_rows (found, 2) ? ear_episode_get_id (first) : 0;
}

/* The search finds bookmarks in their current state. Undo restores a removed one unchanged. */
static void
test_changed (Fixture *fixture, gconstpointer data)
{
  add_at (fixture, fixture->second, 15, "Look this up");
  g_assert_cmpint (search_for (fixture, "look up"), ==, ear_episode_get_id (fixture->second));
  g_autoptr (EarBookmark) bookmark = dup_bookmark (fixture, 0);
  ear_bookmarks_set_note (fixture->parts->bookmarks, bookmark, "A lighthouse");
  g_assert_cmpint (search_for (fixture, "look up"), ==, 0);
  g_assert_cmpint (search_for (fixture, "lightho"), ==, ear_episode_get_id (fixture->second));

  ear_bookmarks_remove (fixture->parts->bookmarks, bookmark);
  g_assert_true (are_bookmarks (fixture, ""));
  g_assert_cmpint (search_for (fixture, "lightho"), ==, 0);
  /* The dialog of its note was still open. */
  ear_bookmarks_set_note (fixture->parts->bookmarks, bookmark, "Too late");
  g_assert_true (are_bookmarks (fixture, ""));
  ear_undo_run (fixture->undo);
  g_assert_true (are_bookmarks (fixture, "Second 15 A lighthouse\n"));
  g_autoptr (EarBookmark) back = dup_bookmark (fixture, 0);
  g_autoptr (GVariant) before = g_variant_ref_sink (ear_bookmark_change_value (bookmark, NULL));
  g_autoptr (GVariant) after = g_variant_ref_sink (ear_bookmark_change_value (back, NULL));
  g_assert_cmpvariant (before, after);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) ADD_PLAYING_TEST ("/bookmarks/" name, function)
  ADD ("add", test_add);
  ADD ("kept", test_kept);
  ADD ("changed", test_changed);
  g_test_add_func ("/bookmarks/hostile", test_hostile);
  g_test_add_func ("/bookmarks/export", test_export);
  g_test_add_func ("/bookmarks/matches", test_matches);

  return g_test_run ();
}
