/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-folders.h"
#include "ear-list-store.h"
#include "served-library.h"

#include <glib/gstdio.h>

/* Folders of podcasts: their list, the actions on them, and how they are stored */

static void
test_names (void)
{
  static const struct { const char *typed, *name, *title; } table[] = {
    { "News", "News", "News" },
    { "  News  ", "News", "News" },
    { "News/Local", "News/Local", "News / Local" },
    { " News /  Local / ", "News/Local", "News / Local" },
    { "//a///b", "a/b", "a / b" },
    { "two\nlines", "two lines", "two lines" },
    { "", NULL, NULL },
    { " / \t/", NULL, NULL },
    { "חדשות", "חדשות", "חדשות" },
  };
  g_autofree char *long_name = g_strnfill (5000, 'a');
  g_autofree char *cut = ear_folder_name_clean (long_name);

  g_assert_cmpuint (strlen (cut), <, 500);
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *name = ear_folder_name_clean (table[i].typed);
      g_autofree char *title = name != NULL ? ear_folder_name_dup_title (name) : NULL;
      g_autofree char *again = title != NULL ? ear_folder_name_clean (title) : NULL;

      g_test_message ("%s", table[i].typed);
      g_assert_cmpstr (name, ==, table[i].name);
      g_assert_cmpstr (title, ==, table[i].title);
      g_assert_cmpstr (again, ==, table[i].name);
    }
}

typedef struct
{
  GListStore *podcasts;
  EarSettings *settings;
  GListModel *list;
  guint n_changes;
  guint n_moved; /* rows reported by the last change */
} Listing;

static void
changed_cb (Listing *listing, guint position, guint n_removed, guint n_added)
{
  listing->n_changes++;
  listing->n_moved = n_removed + n_added;
}

static EarPodcast *
add_podcast (Listing *listing, const char *title, const char *folder)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (listing->podcasts));
  g_autofree char *address = g_strdup_printf ("https://example.org/%u", n);
  g_autoptr (EarPodcast) podcast = ear_podcast_new (n + 1, address);

  ear_podcast_set_title (podcast, title);
  ear_podcast_set_folder (podcast, folder);
  g_list_store_append (listing->podcasts, podcast);

  return podcast;
}

static GListModel *
list_folders (Listing *listing)
{
  return ear_folder_list_new (G_LIST_MODEL (listing->podcasts), listing->settings);
}

static void
set_up_listing (Listing *listing, gconstpointer data)
{
  listing->podcasts = g_list_store_new (EAR_TYPE_PODCAST);
  listing->settings = ear_settings_new ();
  listing->list = list_folders (listing);
  g_signal_connect_swapped (listing->list, "items-changed", G_CALLBACK (changed_cb), listing);
}

static void
tear_down_listing (Listing *listing, gconstpointer data)
{
  g_object_set (listing->settings, "folded-folders", NULL, "arranged-folders", NULL,
                "podcast-order", "title", NULL);
  ear_settings_apply (listing->settings);
  g_assert_finalize_object (listing->list);
  g_object_unref (listing->podcasts);
  g_object_unref (listing->settings);
}

/* The list follows from an idle source. */
static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* A title each; a folder's in brackets, with its number and its podcasts */
static void
append_rows (GString *text, GListModel *rows)
{
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (rows, i);

      if (EAR_IS_PODCAST (item))
        {
          g_string_append_printf (text, " %s", ear_podcast_get_title (EAR_PODCAST (item)));
          continue;
        }
      EarFolder *folder = EAR_FOLDER (item);
      g_string_append_printf (text, " [%s %u", ear_folder_get_title (folder),
                              ear_folder_get_count (folder));
      append_rows (text, ear_folder_get_children (folder));
      g_string_append_c (text, ']');
    }
}

/* Asserts the present rows, before the list follows. */
static void
assert_present_rows (Listing *listing, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_rows (text, listing->list);
  g_assert_cmpstr (g_strchug (text->str), ==, expected);
}

static void
assert_rows (Listing *listing, const char *expected)
{
  settle ();
  assert_present_rows (listing, expected);
}

/* Returns: (transfer none): a row of the present list, or of a new one, as after a restart */
static EarFolder *
get_folder (GListModel *list, guint position)
{
  settle ();
  g_autoptr (EarFolder) folder = g_list_model_get_item (list, position);
  g_assert_true (EAR_IS_FOLDER (folder));

  return folder;
}

static EarPodcast *
get_podcast_of (Listing *listing, guint position)
{
  g_autoptr (EarPodcast) podcast =
    g_list_model_get_item (G_LIST_MODEL (listing->podcasts), position);

  return podcast;
}

static void
set_place (EarPodcast *podcast, gint64 newest, int place)
{
  EarPodcastSettings settings;

  ear_podcast_settings_init (&settings);
  settings.values[EAR_PODCAST_SETTING_PLACE] = place;
  settings.updated[EAR_PODCAST_SETTING_PLACE] = 1;
  ear_podcast_set_newest (podcast, newest);
  ear_podcast_take_settings (podcast, &settings);
}

/* @expected: the numbers of the podcasts */
static void
assert_order (Listing *listing, const char *order, const char *expected)
{
  g_autoptr (GPtrArray) listed = ear_podcast_order_list (G_LIST_MODEL (listing->podcasts), order);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < listed->len; i++)
    g_string_append_printf (text, "%d", (int) ear_podcast_get_id (listed->pdata[i]));
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_orders (Listing *listing, gconstpointer data)
{
  static const char *const folders[] = { NULL, "News", "Art", NULL, "News", "Art" };

  set_place (add_podcast (listing, "Alpha", NULL), 10, 300);
  set_place (add_podcast (listing, "Bravo", NULL), 30, 100);
  set_place (add_podcast (listing, "Charlie", NULL), 0, 0);
  set_place (add_podcast (listing, "delta", NULL), 30, 0);
  assert_order (listing, "title", "1234");
  assert_order (listing, "newest", "2413");
  /* Podcasts without an order number come last, by title. */
  assert_order (listing, "by-hand", "2134");
  assert_order (listing, "unheard-of", "1234");

  /* Folders come in the order of their first podcasts; podcasts without a folder come last. */
  g_list_store_remove_all (listing->podcasts);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    set_place (add_podcast (listing, "a", folders[i]), 0, (int) i + 1);
  assert_order (listing, EAR_PODCAST_ORDER_BY_HAND, "253614");
}

/* Checks the length and the first string of a setting. */
static void
assert_setting (Listing *listing, const char *name, guint length, const char *first)
{
  g_auto (GStrv) value = NULL;

  g_object_get (listing->settings, name, &value, NULL);
  g_assert_cmpuint (g_strv_length (value), ==, length);
  g_assert_cmpstr (value[0], ==, first);
}

static void
fill (Listing *listing)
{
  add_podcast (listing, "a", NULL);
  add_podcast (listing, "b", "News");
  add_podcast (listing, "c", "art");
  add_podcast (listing, "d", "News");
  assert_rows (listing, "[art 0 c] [News 0 b d] a");
  listing->n_changes = 0;
}

static void
test_rows (Listing *listing, gconstpointer data)
{
  gpointer list = g_object_get_data (G_OBJECT (listing->list), "ear-folder-list");

  /* Without folders it lists the podcasts alone; the first change shows at once. */
  settle ();
  g_autoptr (EarPodcast) first = g_object_ref (add_podcast (listing, "b", NULL));
  assert_present_rows (listing, "b");
  add_podcast (listing, "a", NULL);
  assert_present_rows (listing, "b");
  assert_rows (listing, "b a");
  g_assert_cmpuint (listing->n_moved, ==, 1);
  g_list_store_remove (listing->podcasts, 0);
  assert_rows (listing, "a");
  /* A podcast that returns, as one that moves, is watched once. */
  g_list_store_append (listing->podcasts, first);
  g_assert_cmpuint (g_signal_handlers_disconnect_by_data (first, list), ==, 1);
  g_list_store_remove_all (listing->podcasts);

  /* Folders come first, by title or in the order of their podcasts. */
  fill (listing);
  g_object_set (listing->settings, "podcast-order", "newest", NULL);
  assert_rows (listing, "[News 0 b d] [art 0 c] a");
  g_object_set (listing->settings, "podcast-order", "title", NULL);
  assert_rows (listing, "[art 0 c] [News 0 b d] a");

  /* A changed number recreates no rows. */
  listing->n_changes = 0;
  ear_podcast_set_n_new (get_podcast_of (listing, 0), 2);
  ear_podcast_set_n_new (get_podcast_of (listing, 1), 3);
  ear_podcast_set_n_new (get_podcast_of (listing, 3), 4);
  assert_rows (listing, "[art 0 c] [News 7 b d] a");
  g_assert_cmpuint (listing->n_changes, ==, 0);
  ear_podcast_set_folder (get_podcast_of (listing, 1), NULL);
  assert_rows (listing, "[art 0 c] [News 4 d] a b");
}

/* Folding is stored, and changes no row: the list view folds by itself. A renamed folder keeps its
 * object, stays folded, and keeps its filter and sort order, also after a restart. Unknown values
 * mean the default. */
static void
test_stored (Listing *listing, gconstpointer data)
{
  const char *const damaged[] = { "Daily/News", "unplayed", "by-chance", "News", "liked", NULL };

  fill (listing);
  EarFolder *folder = get_folder (listing->list, 1);
  ear_folder_set_folded (folder, TRUE);
  assert_rows (listing, "[art 0 c] [News 0 b d] a");
  g_assert_cmpuint (listing->n_changes, ==, 0);
  assert_setting (listing, "folded-folders", 1, "News");
  g_autoptr (GListModel) again = list_folders (listing);
  g_assert_true (ear_folder_get_folded (get_folder (again, 1)));
  g_clear_object (&again);

  g_assert_cmpstr (ear_folder_get_filter (folder), ==, "all");
  g_assert_cmpstr (ear_folder_get_sort (folder), ==, "newest");
  ear_folder_arrange (folder, "unplayed", "oldest");
  ear_folder_arrange (folder, "nothing", NULL);
  ear_podcast_set_folder (get_podcast_of (listing, 1), "Daily/News");
  ear_podcast_set_folder (get_podcast_of (listing, 3), "Daily/News");
  assert_rows (listing, "[art 0 c] [Daily / News 0 b d] a");
  g_assert_true (get_folder (listing->list, 1) == folder);
  assert_setting (listing, "folded-folders", 1, "Daily/News");
  assert_setting (listing, "arranged-folders", 3, "Daily/News");

  g_autoptr (GListModel) renamed = list_folders (listing);
  g_assert_cmpstr (ear_folder_get_filter (get_folder (renamed, 1)), ==, "unplayed");
  g_assert_cmpstr (ear_folder_get_sort (get_folder (renamed, 1)), ==, "oldest");
  g_object_set (listing->settings, "arranged-folders", damaged, NULL);
  g_autoptr (GListModel) late = list_folders (listing);
  g_assert_cmpstr (ear_folder_get_filter (get_folder (late, 1)), ==, "unplayed");
  g_assert_cmpstr (ear_folder_get_sort (get_folder (late, 1)), ==, "newest");
}

static void
assert_store (Listing *listing, const char *expected, guint n_changes)
{
  GListModel *podcasts = G_LIST_MODEL (listing->podcasts);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GListStore) store = g_list_store_new (EAR_TYPE_PODCAST);
  g_autoptr (GString) text = g_string_new (NULL);
  Listing changes = { 0 };

  for (guint i = 0; i < 4; i++)
    g_ptr_array_add (items, g_list_model_get_item (podcasts, i));
  ear_list_store_update (store, items);
  g_signal_connect_swapped (store, "items-changed", G_CALLBACK (changed_cb), &changes);
  g_ptr_array_set_size (items, 0);
  for (const char *c = expected; *c != '\0'; c++)
    g_ptr_array_add (items, g_list_model_get_item (podcasts, (guint) (*c - 'a')));
  ear_list_store_update (store, items);
  append_rows (text, G_LIST_MODEL (store));
  g_string_replace (text, " ", "", 0);
  g_assert_cmpstr (text->str, ==, expected);
  g_assert_cmpuint (changes.n_changes, ==, n_changes);
}

/* A moved row is removed and added; no other row is, unless many move. */
static void
test_update_store (Listing *listing, gconstpointer data)
{
  for (char c = 'a'; c <= 'l'; c++)
    add_podcast (listing, (char[]){ c, '\0' }, NULL);
  assert_store (listing, "abcd", 0);
  assert_store (listing, "bcda", 2);
  assert_store (listing, "dabc", 2);
  assert_store (listing, "acbd", 2);
  assert_store (listing, "ad", 2);
  assert_store (listing, "", 4);
  assert_store (listing, "abefcd", 2);
  assert_store (listing, "efab", 4);
  assert_store (listing, "dcba", 6);
  assert_store (listing, "cdab", 4);
  assert_store (listing, "alkjihgfedcb", 1);
}

static EarPodcast *
add (Fixture *fixture, const char *title, const char *folder)
{
  g_autofree char *path = g_strconcat ("/", title, NULL);
  gboolean is_new;

  return ear_subscriptions_follow_in (fixture->parts->subscriptions, get_url (fixture, path), title,
                                      folder, &is_new);
}

/* Moves a podcast. */
static void
place (Fixture *fixture, EarPodcast *podcast, const char *folder, EarPodcast *before)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new ();

  g_ptr_array_add (podcasts, podcast);
  ear_subscriptions_place (fixture->parts->subscriptions, podcasts, folder, before);
}

static void
undo (Fixture *fixture, const char *expected_message)
{
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, expected_message);
  ear_undo_run (fixture->undo);
}

/* Podcasts in the listener's own order, each with its folder */
static void
assert_podcasts (Fixture *fixture, const char *expected)
{
  GListModel *model = fixture->parts->podcasts;
  g_autoptr (GPtrArray) grouped = ear_podcast_order_list (model, EAR_PODCAST_ORDER_BY_HAND);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < grouped->len; i++)
    {
      const char *folder = ear_podcast_get_folder (grouped->pdata[i]);

      g_string_append_printf (text, " %s%s%s", folder != NULL ? folder : "",
                              folder != NULL ? ":" : "", ear_podcast_get_title (grouped->pdata[i]));
    }
  g_assert_cmpstr (g_strchug (text->str), ==, expected);
}

static void
test_moving (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = dup_subscriptions_path (fixture);
  g_autoptr (GPtrArray) both = g_ptr_array_new ();

  open_and_wait (fixture, NULL);
  g_ptr_array_add (both, add (fixture, "a", NULL));
  g_ptr_array_add (both, add (fixture, "b", "Art"));
  add (fixture, "c", NULL);
  ear_subscriptions_place (fixture->parts->subscriptions, both, " News / Local ", NULL);
  assert_podcasts (fixture, "News/Local:a News/Local:b c");
  undo (fixture, "Moved to “News / Local”");
  assert_podcasts (fixture, "Art:b a c");
  ear_subscriptions_place (fixture->parts->subscriptions, both, NULL, NULL);
  assert_podcasts (fixture, "a b c");
  undo (fixture, "2 podcasts moved out of their folders");
  assert_podcasts (fixture, "Art:b a c");

  /* The next start loads folders at once from the catalogue; the file takes precedence. A lost
   * file is rewritten from the catalogue. */
  restart (fixture);
  assert_podcasts (fixture, "Art:b a c");
  ear_subscriptions_rename_folder (fixture->parts->subscriptions, "Art", NULL);
  add (fixture, "d", "News");
  restart (fixture);
  assert_podcasts (fixture, "News:d a b c");
  close_library (fixture);
  g_assert_cmpint (g_unlink (path), ==, 0);
  open_and_wait (fixture, NULL);
  assert_podcasts (fixture, "News:d a b c");
  close_library (fixture);
  g_assert_true (file_has (path, "\"News\""));
}

static void
test_folder_renamed (Fixture *fixture, gconstpointer data)
{
  open_and_wait (fixture, NULL);
  g_auto (GStrv) none = ear_subscriptions_list_folders (fixture->parts->subscriptions);
  g_assert_cmpuint (g_strv_length (none), ==, 0);
  add (fixture, "a", "News");
  add (fixture, "b", "art");
  add (fixture, "c", "News");
  ear_subscriptions_rename_folder (fixture->parts->subscriptions, "News", "Daily");
  assert_podcasts (fixture, "art:b Daily:a Daily:c");
  ear_undo_run (fixture->undo);
  assert_podcasts (fixture, "art:b News:a News:c");
  /* A folder with that name already exists. */
  ear_subscriptions_rename_folder (fixture->parts->subscriptions, "News", "art");
  assert_podcasts (fixture, "art:a art:b art:c");
  ear_undo_run (fixture->undo);
  g_auto (GStrv) names = ear_subscriptions_list_folders (fixture->parts->subscriptions);
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_assert_cmpstr (names[0], ==, "art");
  g_clear_object (&fixture->undo);
  ear_subscriptions_rename_folder (fixture->parts->subscriptions, "News", " / ");
  ear_subscriptions_rename_folder (fixture->parts->subscriptions, "News", "News");
  g_assert_null (fixture->undo);

  ear_subscriptions_rename_folder (fixture->parts->subscriptions, "News", NULL);
  assert_podcasts (fixture, "art:b a c");
  undo (fixture, "Folder “News” removed");
  assert_podcasts (fixture, "art:b News:a News:c");

  /* Undoing an unfollow restores the folder; an import adds one only if there is none. */
  ear_subscriptions_unfollow (fixture->parts->subscriptions, add (fixture, "a", "News"));
  ear_undo_run (fixture->undo);
  assert_podcasts (fixture, "art:b News:a News:c");
  add (fixture, "a", "Other");
  add (fixture, "d", NULL);
  add (fixture, "d", "Other");
  assert_podcasts (fixture, "art:b News:a News:c Other:d");
}

/* Moving in the listener's own order moves nothing else, whatever the folders. */
static void
test_by_hand (Fixture *fixture, gconstpointer data)
{
  open_and_wait (fixture, NULL);
  EarSettings *settings = fixture->parts->settings;
  g_object_set (settings, "podcast-order", "by-hand", NULL);
  EarPodcast *a = add (fixture, "a", "One"), *b = add (fixture, "b", "One");
  EarPodcast *c = add (fixture, "c", "Two");
  add (fixture, "d", "Two");
  EarPodcast *e = add (fixture, "e", NULL);
  assert_podcasts (fixture, "One:a One:b Two:c Two:d e");

  place (fixture, a, "One", NULL);
  assert_podcasts (fixture, "One:b One:a Two:c Two:d e");
  g_assert_null (ear_undo_get_message (fixture->undo));
  place (fixture, e, "Two", c);
  assert_podcasts (fixture, "One:b One:a Two:e Two:c Two:d");
  ear_undo_run (fixture->undo);
  assert_podcasts (fixture, "One:b One:a Two:c Two:d e");
  /* The first podcast leaves its folder, and enters another one. */
  place (fixture, a, NULL, NULL);
  assert_podcasts (fixture, "One:b Two:c Two:d e a");
  place (fixture, a, "Two", NULL);
  assert_podcasts (fixture, "One:b Two:c Two:d Two:a e");
  /* A whole folder */
  place (fixture, b, "One", NULL);
  assert_podcasts (fixture, "Two:c Two:d Two:a One:b e");
  place (fixture, b, "One", c);
  assert_podcasts (fixture, "One:b Two:c Two:d Two:a e");
  g_object_set (settings, "podcast-order", "title", NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD_LISTING(path, func) \
  g_test_add (path, Listing, NULL, set_up_listing, func, tear_down_listing)
#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  g_test_add_func ("/folders/names", test_names);
  ADD_LISTING ("/folders/rows", test_rows);
  ADD_LISTING ("/folders/orders", test_orders);
  ADD_LISTING ("/folders/stored", test_stored);
  ADD_LISTING ("/folders/update-store", test_update_store);
  ADD ("/folders/moving", test_moving);
  ADD ("/folders/folder-renamed", test_folder_renamed);
  ADD ("/folders/by-hand", test_by_hand);

  return g_test_run ();
}
