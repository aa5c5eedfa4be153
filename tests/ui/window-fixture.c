/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window-fixture.h"

#include "ear-test-folder.h"
#include "ear-window.h"
#include "library-fixture.h"
#include "widget-finder.h"

/* Creates the server; window_fixture_open() starts it, after the test has
 * put files there. */
void
window_fixture_begin (WindowFixture *self)
{
  g_autoptr (GError) error = NULL;

  self->now = g_get_real_time () / G_USEC_PER_SEC;
  self->folder = g_dir_make_tmp ("earmark-window-XXXXXX", &error);
  g_assert_no_error (error);
  self->server = ear_test_server_new ();
}

/* Starts the server, and opens the library. */
void
window_fixture_open (WindowFixture *self)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ear_test_server_start (self->server, &error));
  g_assert_no_error (error);
  self->library = library_fixture_open (self->folder);
}

/* Follows the podcast at a path of the server, and shows the window. */
void
window_fixture_show (WindowFixture *self, const char *path)
{
  g_autofree char *address = ear_test_server_dup_url (self->server, 1, path);

  g_assert_nonnull (
      ear_subscriptions_follow (ear_library_get_subscriptions (self->library), address, NULL));
  self->window = GTK_WINDOW (ear_window_new (NULL, self->library, NULL));
  gtk_window_set_default_size (self->window, 1200, 760);
  gtk_window_present (self->window);
  self->page = EAR_EPISODES_PAGE (find_widget (GTK_WIDGET (self->window), EAR_TYPE_EPISODES_PAGE));
}

/* Destroys everything. */
void
window_fixture_end (WindowFixture *self)
{
  gtk_window_destroy (self->window);
  library_fixture_close (&self->library);
  ear_test_server_stop (self->server);
  g_clear_object (&self->server);
  ear_test_folder_remove (self->folder);
  g_free (self->folder);
}
