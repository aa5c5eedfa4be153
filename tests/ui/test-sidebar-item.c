/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"
#include "ear-sidebar-item.h"
#include "ear-test-folder.h"
#include "library-fixture.h"

#include <gtk/gtk.h>

typedef struct
{
  char *folder;
  EarLibrary *library;
  GListModel *views; /* all views, listed or not */
  GListModel *rows;
  guint n_views; /* listed views */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-collection-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->library = library_fixture_open (fixture->folder);
  fixture->views = ear_sidebar_item_list_views (fixture->library);
  fixture->rows = ear_sidebar_item_list_rows (fixture->library, fixture->views);
  fixture->n_views = g_list_model_get_n_items (fixture->rows);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (G_OBJECT (fixture->rows));
  g_assert_finalize_object (G_OBJECT (fixture->views));
  library_fixture_close (&fixture->library);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

/* The rows of podcasts follow from an idle source. */
static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static EarSidebarItem *
dup_item (Fixture *fixture, guint position)
{
  g_autoptr (GtkTreeListRow) row = NULL;

  settle ();
  row = g_list_model_get_item (fixture->rows, position);

  return gtk_tree_list_row_get_item (row);
}

static void
assert_names (Fixture *fixture, const char *const *expected)
{
  const guint n_expected = g_strv_length ((GStrv) expected);

  settle ();
  g_assert_cmpuint (g_list_model_get_n_items (fixture->rows), ==, fixture->n_views + n_expected);
  for (guint i = 0; i < n_expected; i++)
    {
      g_autoptr (EarSidebarItem) collection = dup_item (fixture, fixture->n_views + i);
      g_autofree char *hash = ear_address_hash (expected[i], NULL);

      g_assert_cmpstr (ear_podcast_get_address (ear_sidebar_item_get_podcast (collection)), ==, expected[i]);
      /* Settings store a hash: the address may be private. */
      g_assert_cmpstr (ear_sidebar_item_get_name (collection), ==, hash);
    }
}

static void
test_views (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarSidebarItem) first = dup_item (fixture, 0);
  g_autoptr (EarEpisodeQuery) query = NULL;

  g_assert_cmpint (ear_sidebar_item_get_kind (first), !=, EAR_SIDEBAR_ITEM_PODCAST);
  g_assert_null (ear_sidebar_item_get_podcast (first));
  g_assert_nonnull (ear_sidebar_item_get_title (first));
  query = ear_sidebar_item_create_query (first, EAR_FILTER_LIKED, EAR_SORT_OLDEST, "word");
  g_assert_cmpint (query->podcast, ==, 0);
  g_assert_cmpstr (query->search, ==, "word");
}

static EarSidebarItem *
find_view (Fixture *fixture, EarSidebarItemKind kind)
{
  for (guint i = 0; i < g_list_model_get_n_items (fixture->views); i++)
    {
      g_autoptr (EarSidebarItem) view = g_list_model_get_item (fixture->views, i);

      if (ear_sidebar_item_get_kind (view) == kind)
        return g_steal_pointer (&view);
    }

  g_assert_not_reached ();
}

static void
assert_first_action (EarSidebarItem *collection, const char *expected)
{
  g_autoptr (GMenuModel) menu = ear_sidebar_item_create_menu (collection);
  g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  g_autofree char *action = NULL;

  g_assert_true (g_menu_model_get_item_attribute (section, 0, G_MENU_ATTRIBUTE_ACTION, "s", &action));
  g_assert_cmpstr (action, ==, expected);
}

/* Downloads also lists waiting downloads, and has a menu of its own. */
static void
test_downloads (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarSidebarItem) new_episodes = find_view (fixture, EAR_SIDEBAR_ITEM_NEW);
  g_autoptr (EarSidebarItem) downloads = find_view (fixture, EAR_SIDEBAR_ITEM_DOWNLOADS);
  g_autoptr (EarEpisodeQuery) query = ear_sidebar_item_create_query (downloads, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL);

  g_assert_cmpstr (ear_sidebar_item_get_name (downloads), ==, "downloads");
  g_assert_cmpstr (ear_sidebar_item_get_title (downloads), ==, "Downloads");
  g_assert_cmpint (query->filter, ==, EAR_FILTER_DOWNLOADS);
  assert_first_action (downloads, "collection.pause-downloads");
  assert_first_action (new_episodes, "collection.refresh");
}

static void
assert_listed (Fixture *fixture, const char *expected)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (fixture->rows); i++)
    {
      g_autoptr (EarSidebarItem) item = dup_item (fixture, i);

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "", ear_sidebar_item_get_name (item));
    }
  g_assert_cmpstr (names->str, ==, expected);
}

/* Views are listed once they have content, or while they are chosen. */
static void
test_content (Fixture *fixture, gconstpointer data)
{
  EarBookmarks *bookmarks = ear_library_get_bookmarks (fixture->library);
  g_autoptr (EarSidebarItem) history = find_view (fixture, EAR_SIDEBAR_ITEM_HISTORY);
  g_autoptr (EarSidebarItem) saved = find_view (fixture, EAR_SIDEBAR_ITEM_SAVED);

  assert_listed (fixture, "up-next new");
  ear_sidebar_item_set_pinned (history, TRUE);
  assert_listed (fixture, "up-next new history");
  ear_sidebar_item_set_pinned (saved, TRUE);
  assert_listed (fixture, "up-next new saved history");
  g_object_notify (G_OBJECT (bookmarks), "n-bookmarks");
  assert_listed (fixture, "up-next new saved history");
  ear_sidebar_item_set_pinned (history, FALSE);
  ear_sidebar_item_set_pinned (saved, FALSE);
  assert_listed (fixture, "up-next new");
}

/* Up Next is the first view, and does not count new episodes. */
static void
test_queue (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarSidebarItem) queue = dup_item (fixture, 0);
  g_autoptr (EarEpisodeQuery) query = ear_sidebar_item_create_query (queue, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL);

  g_assert_cmpstr (ear_sidebar_item_get_name (queue), ==, "up-next");
  g_assert_cmpint (query->filter, ==, EAR_FILTER_QUEUED);
  g_assert_false (ear_sidebar_item_counts_new (queue));
  assert_first_action (queue, "collection.clear-queue");
}

/* A podcast that was followed before its feed could be fetched */
static void
test_without_title (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:1/feed?token=secret", NULL);
  g_autoptr (EarSidebarItem) collection = dup_item (fixture, fixture->n_views);

  g_assert_cmpstr (ear_sidebar_item_get_title (collection), ==, "127.0.0.1");
  ear_podcast_set_title (podcast, "A podcast");
  g_assert_cmpstr (ear_sidebar_item_get_title (collection), ==, "A podcast");
}

/* Podcasts are listed in order, also those followed later. */
static void
test_podcasts (Fixture *fixture, gconstpointer data)
{
  EarPodcast *a = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:1/a", "A");
  EarPodcast *b = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:1/b", "B");
  g_autoptr (EarSidebarItem) collection = NULL;
  g_autoptr (EarSidebarItem) other = NULL;
  g_autoptr (EarEpisodeQuery) query = NULL;

  assert_names (fixture, (const char *[]) { "http://127.0.0.1:1/a", "http://127.0.0.1:1/b", NULL });
  collection = dup_item (fixture, fixture->n_views);
  g_assert_true (ear_sidebar_item_get_podcast (collection) == a);
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:1/0", "0");
  assert_names (fixture, (const char *[]) { "http://127.0.0.1:1/0", "http://127.0.0.1:1/a", "http://127.0.0.1:1/b", NULL });
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), b);
  assert_names (fixture, (const char *[]) { "http://127.0.0.1:1/0", "http://127.0.0.1:1/a", NULL });

  other = ear_sidebar_item_new_podcast (a);
  g_assert_true (ear_sidebar_item_equal (collection, other));
  g_assert_false (ear_sidebar_item_equal (collection, NULL));
  query = ear_sidebar_item_create_query (collection, EAR_FILTER_LIKED, EAR_SORT_OLDEST, NULL);
  g_assert_cmpint (query->podcast, ==, ear_podcast_get_id (a));
  g_assert_cmpint (query->filter, ==, EAR_FILTER_LIKED);
  g_assert_cmpint (query->sort, ==, EAR_SORT_OLDEST);
}

static void
remember_cb (GListModel *model, guint position, guint n_removed, guint n_added, GHashTable *known)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      GtkTreeListRow *row = g_list_model_get_item (model, i);

      /* A list view must not get an object twice, not even for a moment. */
      g_assert_true (g_hash_table_add (seen, row));
      g_hash_table_add (known, g_object_ref (row));
    }
}

/* Moves a podcast as the catalogue does: one splice replaces it and the
 * podcasts it passes. */
static void
move (Fixture *fixture, guint from, guint to)
{
  GListStore *podcasts = G_LIST_STORE (ear_library_get_podcasts (fixture->library));
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  const guint first = MIN (from, to);

  for (guint i = first; i <= MAX (from, to); i++)
    if (i != from)
      g_ptr_array_add (items, g_list_model_get_item (G_LIST_MODEL (podcasts), i));
  g_ptr_array_insert (items, from > to ? 0 : -1, g_list_model_get_item (G_LIST_MODEL (podcasts), from));
  g_list_store_splice (podcasts, first, items->len, items->pdata, items->len);
}

/* A podcast with a new title moves, and all other rows stay. */
static void
test_move (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  guint n_known;

  for (char name = 'a'; name < 'f'; name++)
    {
      g_autofree char *address = g_strdup_printf ("http://127.0.0.1:1/%c", name);

      ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, address);
    }
  settle ();
  remember_cb (fixture->rows, 0, 0, 0, known);
  n_known = g_hash_table_size (known);
  g_signal_connect (fixture->rows, "items-changed", G_CALLBACK (remember_cb), known);
  move (fixture, 4, 0);
  assert_names (fixture, (const char *[]) { "http://127.0.0.1:1/e", "http://127.0.0.1:1/a", "http://127.0.0.1:1/b",
                                            "http://127.0.0.1:1/c", "http://127.0.0.1:1/d", NULL });
  move (fixture, 1, 3);
  assert_names (fixture, (const char *[]) { "http://127.0.0.1:1/e", "http://127.0.0.1:1/b", "http://127.0.0.1:1/c",
                                            "http://127.0.0.1:1/a", "http://127.0.0.1:1/d", NULL });
  move (fixture, 2, 3);
  assert_names (fixture, (const char *[]) { "http://127.0.0.1:1/e", "http://127.0.0.1:1/b", "http://127.0.0.1:1/a",
                                            "http://127.0.0.1:1/c", "http://127.0.0.1:1/d", NULL });
  g_assert_cmpuint (g_hash_table_size (known), ==, n_known + 3);
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:1/f", "f");
  settle ();
  g_assert_cmpuint (g_hash_table_size (known), ==, n_known + 4);
}

/* A folder is listed before the podcasts, and has the episodes of its podcasts, with a
 * filter and an order of its own. */
static void
test_folder (Fixture *fixture, gconstpointer data)
{
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (fixture->library);
  gboolean is_new;
  EarPodcast *a = ear_subscriptions_follow_in (subscriptions, "http://127.0.0.1:1/a", "A", "News/Local", &is_new);
  EarPodcast *b = ear_subscriptions_follow_in (subscriptions, "http://127.0.0.1:1/b", "B", "News/Local", &is_new);
  g_autoptr (EarSidebarItem) folder = NULL;
  g_autoptr (EarEpisodeQuery) query = NULL;
  guint count;

  settle ();
  g_assert_cmpuint (g_list_model_get_n_items (fixture->rows), ==, fixture->n_views + 3);
  folder = dup_item (fixture, fixture->n_views);
  g_assert_nonnull (ear_sidebar_item_get_folder (folder));
  g_assert_cmpint (ear_sidebar_item_get_kind (folder), ==, EAR_SIDEBAR_ITEM_FOLDER);
  g_assert_cmpstr (ear_sidebar_item_get_name (folder), ==, "folder-News/Local");
  g_assert_cmpstr (ear_sidebar_item_get_title (folder), ==, "News / Local");
  assert_first_action (folder, "collection.refresh");
  ear_podcast_set_n_new (a, 2);
  ear_podcast_set_n_new (b, 3);
  g_object_get (folder, "count", &count, NULL);
  g_assert_cmpuint (count, ==, 5);
  g_assert_true (ear_sidebar_item_counts_new (folder));
  query = ear_sidebar_item_create_query (folder, EAR_FILTER_LIKED, EAR_SORT_OLDEST, NULL);
  g_assert_cmpuint (query->terms.podcasts->len, ==, 2);
  g_assert_cmpint (query->filter, ==, EAR_FILTER_LIKED);
  g_assert_cmpint (query->sort, ==, EAR_SORT_OLDEST);
  ear_folder_set_folded (ear_sidebar_item_get_folder (folder), TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->rows), ==, fixture->n_views + 1);
  ear_folder_set_folded (ear_sidebar_item_get_folder (folder), FALSE);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->rows), ==, fixture->n_views + 3);
  ear_subscriptions_rename_folder (subscriptions, "News/Local", "Daily");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpstr (ear_sidebar_item_get_name (folder), ==, "folder-Daily");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/sidebar-item/views", Fixture, NULL, set_up, test_views, tear_down);
  g_test_add ("/sidebar-item/downloads", Fixture, NULL, set_up, test_downloads, tear_down);
  g_test_add ("/sidebar-item/content", Fixture, NULL, set_up, test_content, tear_down);
  g_test_add ("/sidebar-item/queue", Fixture, NULL, set_up, test_queue, tear_down);
  g_test_add ("/sidebar-item/without-title", Fixture, NULL, set_up, test_without_title, tear_down);
  g_test_add ("/sidebar-item/podcasts", Fixture, NULL, set_up, test_podcasts, tear_down);
  g_test_add ("/sidebar-item/move", Fixture, NULL, set_up, test_move, tear_down);
  g_test_add ("/sidebar-item/folder", Fixture, NULL, set_up, test_folder, tear_down);

  return g_test_run ();
}
