/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <time.h>

#include "ear-episodes-page.h"
#include "ear-test-server.h"
#include "ear-window.h"

/*
 * Clicking through all episodes: how long the main thread works for each, from the
 * click until the page with its notes is drawn. What it waits for does not count: the
 * poll function tells work and waiting apart.
 */

#define TIMEOUT (30 * G_USEC_PER_SEC)

/* A frame at 60 Hz, which is what a click may cost. Told, not asserted: what else the
 * machine does would decide. */
#define FRAME_US 16000

typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  GtkWindow *window;
  EarEpisodesPage *page;
} Fixture;

static gint64 work_began;
static gint64 longest_work;
static gint64 all_work;

/* What this thread has worked, in microseconds: other programs do not count. */
static gint64
get_work (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);

  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static int
poll_cb (GPollFD *fds, guint n_fds, int timeout)
{
  const gint64 work = get_work () - work_began;
  int n_ready;

  longest_work = MAX (longest_work, work);
  all_work += work;
  n_ready = g_poll (fds, n_fds, timeout);
  work_began = get_work ();

  return n_ready;
}

static gboolean
stop_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;

  return G_SOURCE_REMOVE;
}

static void
spin (guint milliseconds)
{
  gboolean stop = FALSE;

  g_timeout_add (milliseconds, stop_cb, &stop);
  while (!stop)
    g_main_context_iteration (NULL, TRUE);
}

static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type);

      if (found != NULL)
        return found;
    }

  return NULL;
}

static guint
count_rows (Fixture *fixture)
{
  EarEpisodeList *list = ear_episodes_page_get_list (fixture->page);

  return list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (list)) : 0;
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR))
        remove_folder (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}

static gboolean
set_up (Fixture *fixture)
{
  g_autofree char *seed = g_build_filename (g_getenv ("EARMARK_SHARED"), "seeds", "pytorch-developer-podcast.rss.xml", NULL);
  g_autofree char *data = NULL;
  g_autofree char *cache = NULL;
  g_autofree char *address = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_test (seed, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the seed feed beside the repository is not there");
      return FALSE;
    }

  fixture->folder = g_dir_make_tmp ("earmark-clicks-XXXXXX", &error);
  g_assert_no_error (error);
  data = g_build_filename (fixture->folder, "data", NULL);
  cache = g_build_filename (fixture->folder, "cache", NULL);
  fixture->server = ear_test_server_new ();
  ear_test_server_set_seed (fixture->server, seed);
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  address = ear_test_server_dup_url (fixture->server, 1, "/seed/local.xml");

  fixture->library = ear_library_new (data, cache);
  g_assert_true (ear_library_open (fixture->library, &error));
  g_assert_no_error (error);
  ear_library_start (fixture->library, NULL);
  spin (300);
  g_assert_nonnull (ear_library_follow (fixture->library, address, NULL));

  fixture->window = GTK_WINDOW (ear_window_new (NULL, fixture->library));
  gtk_window_set_default_size (fixture->window, 1200, 760);
  gtk_window_present (fixture->window);
  fixture->page = EAR_EPISODES_PAGE (find_widget (GTK_WIDGET (fixture->window), EAR_TYPE_EPISODES_PAGE));
  for (gint64 end = g_get_monotonic_time () + TIMEOUT; count_rows (fixture) < 83 && g_get_monotonic_time () < end;)
    spin (50);
  g_assert_cmpuint (count_rows (fixture), ==, 83);
  spin (2000);

  return TRUE;
}

static void
closed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  ear_library_close_finish (EAR_LIBRARY (object), result, NULL);
  *(gboolean *) user_data = TRUE;
}

static void
tear_down (Fixture *fixture)
{
  gboolean closed = FALSE;

  gtk_window_destroy (fixture->window);
  ear_library_close_async (fixture->library, closed_cb, &closed);
  while (!closed)
    g_main_context_iteration (NULL, TRUE);
  spin (50);
  g_assert_finalize_object (fixture->library);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  remove_folder (fixture->folder);
  g_free (fixture->folder);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const gint64 first = *(const gint64 *) a;
  const gint64 second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

static void
test_clicks (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  GtkListView *view;
  GtkSelectionModel *model;
  guint n_kept = 0;

  if (!set_up (&fixture))
    return;

  view = GTK_LIST_VIEW (find_widget (GTK_WIDGET (fixture.page), GTK_TYPE_LIST_VIEW));
  model = gtk_list_view_get_model (view);
  g_main_context_set_poll_func (NULL, poll_cb);
  for (guint i = 0; i < 83; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (model), i);

      work_began = get_work ();
      longest_work = 0;
      all_work = 0;
      gtk_list_view_scroll_to (view, i, GTK_LIST_SCROLL_SELECT | GTK_LIST_SCROLL_FOCUS, NULL);
      spin (90);
      g_assert_true (ear_episodes_page_get_episode (fixture.page) == episode);
      g_array_append_val (times, longest_work);
      g_test_message ("%2u: %5.1f ms, %5.1f in all  %s", i, longest_work / 1000.0, all_work / 1000.0, ear_episode_get_title (episode));
    }
  g_main_context_set_poll_func (NULL, NULL);

  g_array_sort (times, compare_times);
  for (guint i = 0; i < times->len; i++)
    n_kept += g_array_index (times, gint64, i) < FRAME_US;
  g_test_message ("median %.1f ms, worst %.1f ms, %u of 83 within a frame", g_array_index (times, gint64, 41) / 1000.0,
                  g_array_index (times, gint64, 82) / 1000.0, n_kept);
  g_test_minimized_result (g_array_index (times, gint64, 41) / 1000.0, "median click");

  tear_down (&fixture);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv);
  adw_init ();

  g_test_add_func ("/clicks/all-episodes", test_clicks);

  return g_test_run ();
}
