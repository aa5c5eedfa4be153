/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-row.h"
#include "ear-episode-view.h"
#include "ear-episodes-page.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "ear-window.h"
#include "library-fixture.h"
#include "widget-finder.h"

/* The rows of a list of episodes: what they say when time goes by, and their keys. */

#define HOUR (60 * 60)
#define DAY (24 * HOUR)

typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  GtkWindow *window;
  EarEpisodesPage *page;
  gint64 now;
} Fixture;

/* To a place on earth where it is so much after a midnight, in seconds, that is not far */
static void
travel (Fixture *fixture, gint64 time)
{
  const gint64 time_of_day = fixture->now % DAY;
  const gint64 midnight = time_of_day < DAY / 2 ? 0 : DAY;
  const gint64 east = midnight + time - time_of_day;
  g_autofree char *zone = g_strdup_printf ("%c%02d:%02d:%02d", east < 0 ? '-' : '+', (int) (ABS (east) / HOUR),
                                           (int) (ABS (east) / 60 % 60), (int) (ABS (east) % 60));

  g_setenv ("TZ", zone, TRUE);
}

static void
put_feed (Fixture *fixture)
{
  g_autoptr (GDateTime) published = g_date_time_new_from_unix_utc (fixture->now - HOUR);
  g_autofree char *date = g_date_time_format (published, "%Y-%m-%dT%H:%M:%SZ");
  g_autofree char *feed = g_strdup_printf ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Feed</title>"
                                           "<entry><id>1</id><title>One</title><published>%s</published></entry></feed>", date);

  ear_test_server_put (fixture->server, "/feed.xml", "application/atom+xml", feed);
}

static EarEpisodeRow *
find_row (Fixture *fixture)
{
  EarEpisodeRow *row = find_widget (GTK_WIDGET (fixture->page), EAR_TYPE_EPISODE_ROW);

  return row != NULL && ear_episode_row_get_episode (row) != NULL ? row : NULL;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = NULL;
  g_autoptr (GError) error = NULL;

  fixture->now = g_get_real_time () / G_USEC_PER_SEC;
  travel (fixture, -HOUR / 6);
  fixture->folder = g_dir_make_tmp ("earmark-view-XXXXXX", NULL);
  fixture->server = ear_test_server_new ();
  put_feed (fixture);
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");

  fixture->library = library_fixture_open (fixture->folder);
  g_assert_nonnull (ear_library_follow (fixture->library, address, NULL));
  fixture->window = GTK_WINDOW (ear_window_new (NULL, fixture->library));
  gtk_window_set_default_size (fixture->window, 1200, 760);
  gtk_window_present (fixture->window);
  fixture->page = EAR_EPISODES_PAGE (find_widget (GTK_WIDGET (fixture->window), EAR_TYPE_EPISODES_PAGE));
  EAR_TEST_WAIT_UNTIL (find_row (fixture) != NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  library_fixture_close (&fixture->library);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static gboolean
says (EarEpisodeRow *row, const char *text)
{
  g_autofree char *facts = NULL;

  g_object_get (row, "facts", &facts, NULL);

  return facts != NULL && strstr (facts, text) != NULL;
}

/* The window is put away in the evening, and looked at in the morning. */
static void
test_next_day (Fixture *fixture, gconstpointer data)
{
  EarEpisodeRow *row = find_row (fixture);

  g_assert_true (says (row, "Today"));
  gtk_widget_set_visible (GTK_WIDGET (fixture->window), FALSE);
  travel (fixture, HOUR / 2);
  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (says (row, "Yesterday"));
  g_assert_false (says (row, "Today"));
}

static gboolean
is_menu_open (Fixture *fixture)
{
  GtkWidget *menu = find_widget (GTK_WIDGET (find_widget (GTK_WIDGET (fixture->page), EAR_TYPE_EPISODE_VIEW)), GTK_TYPE_POPOVER_MENU);

  return menu != NULL && gtk_widget_get_mapped (menu);
}

/* The Menu key is the row's wherever in it the focus is. */
static void
test_menu_from_button (Fixture *fixture, gconstpointer data)
{
  GtkWidget *button = find_widget (GTK_WIDGET (find_row (fixture)), GTK_TYPE_BUTTON);

  g_assert_true (gtk_widget_grab_focus (button));
  g_assert_true (gtk_widget_activate_action (button, "list.menu", NULL));
  EAR_TEST_WAIT_UNTIL (is_menu_open (fixture));
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv);
  adw_init ();

  g_test_add ("/ui/episode-view/next-day", Fixture, NULL, set_up, test_next_day, tear_down);
  g_test_add ("/ui/episode-view/menu-from-button", Fixture, NULL, set_up, test_menu_from_button, tear_down);

  return g_test_run ();
}
