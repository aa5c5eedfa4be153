/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-row.h"
#include "ear-sidebar-page.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "widget-finder.h"
#include "window-rest.h"

/* Rows of the sidebar at the start, and while the bar below them shows checks
 * for new episodes */

#define N_PODCASTS 60

/* Rows in sight of a window 760 pixels high, and a few spare ones */
#define FEW_ROWS 24

typedef struct
{
  char *folder;
  EarLibrary *library;
  GtkWindow *window;
  EarSidebarPage *page;
  GtkListView *list_view;
} Fixture;

static guint
count_rows (GtkWidget *widget)
{
  guint n_rows = EAR_IS_SIDEBAR_ROW (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    n_rows += count_rows (child);

  return n_rows;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-sidebar-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->library = library_fixture_open (fixture->folder);
  for (guint i = 0; i < N_PODCASTS; i++)
    {
      g_autofree char *address = g_strdup_printf ("http://127.0.0.1:1/%02u", i);
      g_autofree char *title = g_strdup_printf ("Podcast %02u", i);

      g_assert_nonnull (ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, title));
    }

  fixture->page = g_object_new (EAR_TYPE_SIDEBAR_PAGE, NULL);
  fixture->window = g_object_new (GTK_TYPE_WINDOW, "default-width", 300, "default-height", 760, "child", fixture->page, NULL);
  g_object_set (fixture->page, "library", fixture->library, NULL);
  fixture->list_view = GTK_LIST_VIEW (find_widget (GTK_WIDGET (fixture->page), GTK_TYPE_LIST_VIEW));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  library_fixture_close (&fixture->library);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static EarPodcast *
dup_last_podcast (Fixture *fixture)
{
  return g_list_model_get_item (ear_library_get_podcasts (fixture->library), N_PODCASTS - 1);
}

static EarPodcast *
get_selected (Fixture *fixture)
{
  GtkSingleSelection *selection = GTK_SINGLE_SELECTION (gtk_list_view_get_model (fixture->list_view));
  GtkTreeListRow *row = gtk_single_selection_get_selected_item (selection);
  g_autoptr (EarSidebarItem) item = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;

  return item != NULL ? ear_sidebar_item_get_podcast (item) : NULL;
}

static double
get_scrolled (Fixture *fixture)
{
  return gtk_adjustment_get_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (fixture->list_view)));
}

/* Returns: (nullable): the podcast of the focused row */
static EarPodcast *
get_focused (Fixture *fixture)
{
  GtkWidget *focus = gtk_window_get_focus (fixture->window);
  GtkWidget *row = focus != NULL ? find_widget (focus, EAR_TYPE_SIDEBAR_ROW) : NULL;

  return row != NULL ? ear_sidebar_item_get_podcast (ear_sidebar_row_get_item (EAR_SIDEBAR_ROW (row))) : NULL;
}

static guint
find_row (Fixture *fixture, EarPodcast *podcast)
{
  GListModel *rows = G_LIST_MODEL (gtk_list_view_get_model (fixture->list_view));

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (rows, i);
      g_autoptr (EarSidebarItem) item = gtk_tree_list_row_get_item (row);

      if (ear_sidebar_item_get_podcast (item) == podcast)
        return i;
    }
  g_assert_not_reached ();
}

/* A chosen podcast far down is scrolled into sight, and the focus begins there. */
static void
test_far_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarPodcast) last = dup_last_podcast (fixture);

  ear_sidebar_page_choose_podcast (fixture->page, last);
  g_assert_true (ear_sidebar_item_get_podcast (ear_sidebar_page_get_item (fixture->page)) == last);
  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (get_selected (fixture) == last);
  g_assert_true (ear_sidebar_item_get_podcast (ear_sidebar_page_get_item (fixture->page)) == last);
  EAR_TEST_WAIT_UNTIL (get_scrolled (fixture) > 0);
  gtk_widget_grab_focus (GTK_WIDGET (fixture->list_view));
  g_assert_true (get_focused (fixture) == last);
}

/* Returns: (nullable): the first folder that is listed */
static EarFolder *
find_folder (Fixture *fixture)
{
  GListModel *rows = G_LIST_MODEL (gtk_list_view_get_model (fixture->list_view));
  EarFolder *folder = NULL;

  for (guint i = 0; folder == NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (rows, i);
      g_autoptr (EarSidebarItem) item = gtk_tree_list_row_get_item (row);

      folder = ear_sidebar_item_get_folder (item);
    }

  return folder;
}

/* Choosing a podcast unfolds its folder only while the sidebar is in sight. */
static void
test_unfold (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarPodcast) last = dup_last_podcast (fixture);
  EarFolder *folder;

  ear_subscriptions_set_folder (ear_library_get_subscriptions (fixture->library), last, "Folder");
  EAR_TEST_WAIT_UNTIL ((folder = find_folder (fixture)) != NULL);
  ear_folder_set_folded (folder, TRUE);
  ear_sidebar_page_choose_podcast (fixture->page, last);
  g_assert_true (ear_folder_get_folded (folder));
  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_mapped (GTK_WIDGET (fixture->page)));
  ear_sidebar_page_choose_podcast (fixture->page, last);
  g_assert_false (ear_folder_get_folded (folder));
}

/* The rows in sight come first, the others after the first frame. */
static void
test_first_rows (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpuint (count_rows (GTK_WIDGET (fixture->list_view)), <=, FEW_ROWS);
  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (count_rows (GTK_WIDGET (fixture->list_view)) > N_PODCASTS);
}

static void
focus_podcast (Fixture *fixture, guint podcast)
{
  const guint n_items = g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (fixture->list_view)));

  gtk_list_view_scroll_to (fixture->list_view, n_items - N_PODCASTS + podcast, GTK_LIST_SCROLL_FOCUS, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (fixture->list_view));
}

/* Returns: whether the row has been laid out, and no part of it is behind the bar */
static gboolean
is_clear (GtkWidget *row, GtkWidget *bar)
{
  graphene_rect_t bounds;

  return row != NULL && gtk_widget_get_height (row) > 0 && gtk_widget_compute_bounds (row, bar, &bounds) &&
         bounds.origin.y + bounds.size.height < 1;
}

static gboolean
is_focus_clear (Fixture *fixture, GtkWidget *bar)
{
  return is_clear (gtk_window_get_focus (fixture->window), bar);
}

/* Returns: whether no check runs or is shown. Following has started checks, which fail;
 * the bar notices up to 100 ms later, and would disappear during a test. */
static gboolean
is_quiet (Fixture *fixture)
{
  gboolean refreshing;
  guint n_checks;

  g_object_get (ear_library_get_refresher (fixture->library), "refreshing", &refreshing, NULL);
  g_object_get (fixture->page, "n-checks", &n_checks, NULL);

  return !refreshing && n_checks == 0;
}

/* A row that gets the focus by keys is scrolled clear of the bar. */
static void
test_work_bar (Fixture *fixture, gconstpointer data)
{
  GtkWidget *bar = find_widget (GTK_WIDGET (fixture->page), GTK_TYPE_REVEALER);
  GtkWidget *list = GTK_WIDGET (fixture->list_view);

  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (count_rows (list) > N_PODCASTS);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  window_rest_wait (fixture->window);
  focus_podcast (fixture, N_PODCASTS / 2);
  EAR_TEST_WAIT_UNTIL (get_scrolled (fixture) > 0);
  g_object_set (fixture->page, "n-checks", 14, NULL);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (bar) > 0);

  focus_podcast (fixture, N_PODCASTS / 2 + 3);
  EAR_TEST_WAIT_UNTIL (is_focus_clear (fixture, bar));
  focus_podcast (fixture, N_PODCASTS - 1);
  EAR_TEST_WAIT_UNTIL (is_focus_clear (fixture, bar));

  g_object_set (fixture->page, "n-checks", 0, NULL);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (bar) == 0);
}

/* A row at the lower edge moves clear of the bar when it has the focus, by keys or by
 * touch, or is chosen while the focus is elsewhere. */
static void
test_work_bar_over_row (Fixture *fixture, gconstpointer data)
{
  GtkWidget *bar = find_widget (GTK_WIDGET (fixture->page), GTK_TYPE_REVEALER);
  GtkWidget *list = GTK_WIDGET (fixture->list_view);
  GtkWidget *row;
  graphene_rect_t bounds;

  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (count_rows (list) > N_PODCASTS);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  window_rest_wait (fixture->window);
  focus_podcast (fixture, N_PODCASTS / 2);
  EAR_TEST_WAIT_UNTIL (get_scrolled (fixture) > 0);
  window_rest_wait (fixture->window);
  row = gtk_window_get_focus (fixture->window);
  if (g_strcmp0 (data, "chosen") == 0)
    {
      gtk_selection_model_select_item (gtk_list_view_get_model (fixture->list_view), find_row (fixture, get_focused (fixture)), TRUE);
      gtk_window_set_focus (fixture->window, NULL);
    }
  /* A list that still grows may scroll too far: make the row the lowest one in sight. */
  g_assert_true (gtk_widget_compute_bounds (row, list, &bounds));
  gtk_adjustment_set_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list)),
                            get_scrolled (fixture) - (gtk_widget_get_height (list) - bounds.origin.y - bounds.size.height));
  window_rest_wait (fixture->window);
  g_assert_true (gtk_widget_compute_bounds (row, list, &bounds));
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, >, gtk_widget_get_height (list) - 30);

  gtk_window_set_focus_visible (fixture->window, g_strcmp0 (data, "keys") == 0);
  gtk_widget_unset_state_flags (list, GTK_STATE_FLAG_PRELIGHT);
  g_object_set (fixture->page, "n-checks", 14, NULL);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (bar) > 0);
  EAR_TEST_WAIT_UNTIL (is_clear (row, bar));
}

/* Moves a podcast as the catalogue does: one splice replaces it and the
 * podcasts it passes. */
static void
move_to_end (Fixture *fixture, guint podcast)
{
  GListModel *podcasts = ear_library_get_podcasts (fixture->library);
  g_autoptr (GPtrArray) moved = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = podcast + 1; i < N_PODCASTS; i++)
    g_ptr_array_add (moved, g_list_model_get_item (podcasts, i));
  g_ptr_array_add (moved, g_list_model_get_item (podcasts, podcast));
  g_list_store_splice (G_LIST_STORE (podcasts), podcast, moved->len, moved->pdata, moved->len);
}

/* Returns: the pixels from the end of a podcast's row to the next row or
 * the end of the list */
static float
get_room_below (Fixture *fixture, guint podcast)
{
  g_autoptr (EarPodcast) wanted = g_list_model_get_item (ear_library_get_podcasts (fixture->library), podcast);

  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (fixture->list_view)); row != NULL; row = gtk_widget_get_next_sibling (row))
    {
      GtkWidget *next = gtk_widget_get_next_sibling (row);
      GtkWidget *child = find_widget (row, EAR_TYPE_SIDEBAR_ROW);
      graphene_rect_t bounds, below;

      if (child == NULL || ear_sidebar_item_get_podcast (ear_sidebar_row_get_item (EAR_SIDEBAR_ROW (child))) != wanted)
        continue;
      g_assert_true (gtk_widget_compute_bounds (row, GTK_WIDGET (fixture->list_view), &bounds));
      if (next == NULL)
        return (float) gtk_widget_get_height (GTK_WIDGET (fixture->list_view)) - bounds.origin.y - bounds.size.height;
      g_assert_true (gtk_widget_compute_bounds (next, GTK_WIDGET (fixture->list_view), &below));
      return below.origin.y - bounds.origin.y - bounds.size.height;
    }
  g_assert_not_reached ();
}

/* A row that appears among the first ones does not move the top out of sight. */
static void
test_top (Fixture *fixture, gconstpointer data)
{
  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (count_rows (GTK_WIDGET (fixture->list_view)) > N_PODCASTS);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  focus_podcast (fixture, 5);
  window_rest_wait (fixture->window);
  g_assert_cmpfloat (get_scrolled (fixture), ==, 0);
  ear_lists_create (ear_library_get_lists (fixture->library), "Walks", NULL, NULL);
  window_rest_wait (fixture->window);
  g_assert_cmpfloat (get_scrolled (fixture), ==, 0);
}

static void
scroll_to_end (Fixture *fixture)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (fixture->list_view));

  /* Heights of rows that were out of sight are guesses. */
  for (guint i = 0; i < 3; i++)
    {
      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
      window_rest_wait (fixture->window);
    }
}

/* A podcast that moves leaves no gap between rows, nor after the last one. */
static void
test_room_below (Fixture *fixture, gconstpointer data)
{
  float between;

  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (count_rows (GTK_WIDGET (fixture->list_view)) > N_PODCASTS);
  scroll_to_end (fixture);
  between = get_room_below (fixture, N_PODCASTS - 3);
  g_assert_cmpfloat (get_room_below (fixture, N_PODCASTS - 1), <, between + 30);

  move_to_end (fixture, N_PODCASTS - 3);
  scroll_to_end (fixture);
  g_assert_cmpfloat (get_room_below (fixture, N_PODCASTS - 3), ==, between);
  g_assert_cmpfloat (get_room_below (fixture, N_PODCASTS - 2), ==, between);
  g_assert_cmpfloat (get_room_below (fixture, N_PODCASTS - 1), <, between + 30);
}

/* GtkApplication loads the style sheet by itself; these tests have none. */
static void
load_style (void)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (provider, EAR_RESOURCE_BASE "/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv);
  adw_init ();
  load_style ();

  g_test_add ("/ui/sidebar/far-down", Fixture, NULL, set_up, test_far_down, tear_down);
  g_test_add ("/ui/sidebar/unfold", Fixture, NULL, set_up, test_unfold, tear_down);
  g_test_add ("/ui/sidebar/first-rows", Fixture, NULL, set_up, test_first_rows, tear_down);
  g_test_add ("/ui/sidebar/top", Fixture, NULL, set_up, test_top, tear_down);
  g_test_add ("/ui/sidebar/room-below", Fixture, NULL, set_up, test_room_below, tear_down);
  g_test_add ("/ui/sidebar/work-bar-over-row/keys", Fixture, "keys", set_up, test_work_bar_over_row, tear_down);
  g_test_add ("/ui/sidebar/work-bar-over-row/finger", Fixture, "finger", set_up, test_work_bar_over_row, tear_down);
  g_test_add ("/ui/sidebar/work-bar-over-row/chosen", Fixture, "chosen", set_up, test_work_bar_over_row, tear_down);
  g_test_add ("/ui/sidebar/work-bar", Fixture, NULL, set_up, test_work_bar, tear_down);

  return g_test_run ();
}
