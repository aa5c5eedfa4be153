/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"
#include "ear-import-bar.h"
#include "ear-listed-podcast.h"
#include "ear-preview-page.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "ear-widget.h"
#include "library-fixture.h"
#include "widget-finder.h"
#include "window-rest.h"

/* Dialogs that react to changes made elsewhere */

typedef struct
{
  char *folder;
  EarLibrary *library;
  GtkWindow *window;
  guint n_closed;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("earmark-dialogs-XXXXXX", NULL);
  fixture->library = library_fixture_open (fixture->folder);
  fixture->window = g_object_new (ADW_TYPE_APPLICATION_WINDOW, "default-width", 800, "default-height", 600,
                                  "content", g_object_new (ADW_TYPE_BIN, NULL), NULL);
  gtk_window_present (fixture->window);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  /* A closing dialog exists until its animation ends. */
  ear_test_spin (500);
  library_fixture_close (&fixture->library);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static void
closed_cb (Fixture *fixture)
{
  fixture->n_closed++;
}

static AdwDialog *
show (Fixture *fixture, AdwDialog *dialog)
{
  g_signal_connect_swapped (dialog, "closed", G_CALLBACK (closed_cb), fixture);
  adw_dialog_present (dialog, GTK_WIDGET (fixture->window));
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_mapped (GTK_WIDGET (dialog)));

  return dialog;
}

static void
nothing_cb (gpointer owner, gpointer data)
{
}

static void
offer_undo (Fixture *fixture)
{
  ear_notices_offer (ear_library_get_notices (fixture->library), "Done", nothing_cb, NULL, NULL,
                     NULL);
}

/* Lists of podcasts are chosen among files of their types, or all files. */
static void
test_filters (void)
{
  static const char *const names[] = { "import", "export-podcasts" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GtkFileDialog) dialog = ear_file_dialog_new (names[i]);

      g_assert_cmpuint (g_list_model_get_n_items (gtk_file_dialog_get_filters (dialog)), ==, 2);
    }
}

/* Undo of an import does not close the preferences. */
static void
test_preferences (Fixture *fixture, gconstpointer data)
{
  show (fixture, ear_preferences_dialog_new (fixture->library));
  offer_undo (fixture);
  ear_test_spin (300);
  g_assert_cmpuint (fixture->n_closed, ==, 0);

  /* Undo of a restore does: the dialog of backups is then above them. */
  show (fixture, adw_dialog_new ());
  offer_undo (fixture);
  EAR_TEST_WAIT_UNTIL (fixture->n_closed == 1);
}

/* The title of a podcast is text, not markup. */
static void
test_podcast_settings (Fixture *fixture, gconstpointer data)
{
  const char *title = "Tom & <b>Jerry</b>";
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:1/feed", title);
  AdwDialog *dialog = show (fixture, ear_podcast_settings_dialog_new (fixture->library, podcast));

  g_assert_true (has_label (GTK_WIDGET (dialog), title));
}

static GtkWidget *
find_button (GtkWidget *widget, const char *action)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), action) == 0)
    return widget;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find_button (child, action);

  return found;
}

/* The sign-in dialog closes when its podcast is unfollowed. */
static void
test_sign_in (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:1/feed", "Alpha");
  EarPodcast *other = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:1/other", "Bravo");

  show (fixture, ear_feed_dialog_new (fixture->library, podcast, TRUE));
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), other);
  ear_test_spin (300);
  g_assert_cmpuint (fixture->n_closed, ==, 0);
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), podcast);
  EAR_TEST_WAIT_UNTIL (fixture->n_closed == 1);
}

static gboolean
is_shown_entry (GtkWidget *widget)
{
  return ADW_IS_ENTRY_ROW (widget) && gtk_widget_get_visible (widget);
}

/* Another address cancels the trial of the one before, and can be tried in its place. */
static void
test_address (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:1/feed", "Alpha");
  AdwDialog *dialog = show (fixture, ear_feed_dialog_new (fixture->library, podcast, FALSE));
  GtkWidget *apply = find_button (GTK_WIDGET (dialog), "dialog.apply");
  GtkWidget *address = ear_find_within (GTK_WIDGET (dialog), is_shown_entry);

  gtk_editable_set_text (GTK_EDITABLE (address), "http://127.0.0.1:1/first");
  gtk_widget_activate_action (GTK_WIDGET (dialog), "dialog.apply", NULL);
  g_assert_false (gtk_widget_get_sensitive (apply));
  gtk_editable_set_text (GTK_EDITABLE (address), "http://127.0.0.1:1/second");
  g_assert_true (gtk_widget_get_sensitive (apply));
  ear_test_spin (300);
  g_assert_false (gtk_widget_has_css_class (address, "error"));

  gtk_widget_activate_action (GTK_WIDGET (dialog), "dialog.apply", NULL);
  g_assert_false (gtk_widget_get_sensitive (apply));
  EAR_TEST_WAIT_UNTIL (gtk_widget_has_css_class (address, "error"));
  g_assert_true (gtk_widget_get_sensitive (apply));
  g_assert_cmpuint (fixture->n_closed, ==, 0);
}

static EarImporter *
import_unreachable (Fixture *fixture, guint first, guint last)
{
  g_autoptr (GPtrArray) outlines = ear_listed_podcasts_new ();
  EarImporter *importer = ear_library_get_importer (fixture->library);

  for (guint i = first; i <= last; i++)
    {
      EarListedPodcast *outline = ear_listed_podcast_new ();

      outline->address = g_strdup_printf ("http://127.0.0.1:1/%u", i);
      outline->title = g_strdup_printf ("Podcast %u", i);
      g_ptr_array_add (outlines, outline);
    }
  ear_importer_add (importer, outlines);
  EAR_TEST_WAIT_UNTIL (ear_importer_get_finished (importer));

  return importer;
}

static gboolean
is_revealed (gpointer bar)
{
  return gtk_revealer_get_reveal_child (GTK_REVEALER (adw_bin_get_child (bar)));
}

static GtkWidget *
create_bar (Fixture *fixture)
{
  GtkWidget *bar = g_object_new (EAR_TYPE_IMPORT_BAR, "library", fixture->library, NULL);

  adw_application_window_set_content (ADW_APPLICATION_WINDOW (fixture->window), bar);

  return bar;
}

/* The bar shows failed podcasts until the listener dismisses them, also
 * in a later window. */
static void
test_import (Fixture *fixture, gconstpointer data)
{
  GtkWidget *bar = create_bar (fixture);
  EarImporter *importer = import_unreachable (fixture, 1, 2);

  g_assert_true (is_revealed (bar));
  bar = create_bar (fixture);
  g_assert_true (is_revealed (bar));
  gtk_widget_activate_action (bar, "import.dismiss", NULL);
  g_assert_false (is_revealed (bar));
  g_object_notify (G_OBJECT (importer), "n-failed");
  g_assert_false (is_revealed (bar));
  bar = create_bar (fixture);
  g_assert_false (is_revealed (bar));

  importer = import_unreachable (fixture, 3, 4);
  g_assert_true (is_revealed (bar));
  ear_importer_unfollow_failed (importer);
  g_assert_false (is_revealed (bar));
}

static guint
count_rows (GtkWidget *widget)
{
  guint n_rows = ADW_IS_ACTION_ROW (widget) ? 1 : 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    n_rows += count_rows (child);

  return n_rows;
}

static void
test_failures (Fixture *fixture, gconstpointer data)
{
  GtkWidget *bar = create_bar (fixture);
  AdwDialog *dialog;

  import_unreachable (fixture, 1, 3);
  gtk_widget_activate_action (bar, "import.details", NULL);
  dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window));
  g_assert_cmpuint (count_rows (adw_dialog_get_child (dialog)), ==, 3);
  ear_importer_unfollow_failed (ear_library_get_importer (fixture->library));
  EAR_TEST_WAIT_UNTIL (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window)) == NULL);
}

static gboolean
has_focus (Fixture *fixture, const char *action)
{
  GtkWidget *button = find_button (GTK_WIDGET (fixture->window), action);

  return button != NULL && gtk_window_get_focus (fixture->window) == button;
}

static void
shown_cb (gboolean *shown)
{
  *shown = TRUE;
}

/* The focus returns to the button that had it, and not to Follow. */
static void
test_preview (Fixture *fixture, gconstpointer data)
{
  AdwNavigationView *view = ADW_NAVIGATION_VIEW (adw_navigation_view_new ());
  EarPreviewPage *preview = ear_preview_page_new (fixture->library, "http://127.0.0.1:1/feed", "Alpha", FALSE);
  GtkWidget *other = g_object_new (GTK_TYPE_BUTTON, "action-name", "test.other", NULL);
  AdwNavigationPage *episode = adw_navigation_page_new (other, "Episode");
  gboolean there = FALSE, back = FALSE;
  GtkWidget *retry;

  adw_application_window_set_content (ADW_APPLICATION_WINDOW (fixture->window), GTK_WIDGET (view));
  adw_navigation_view_push (view, adw_navigation_page_new (gtk_button_new (), "First"));
  adw_navigation_view_push (view, ADW_NAVIGATION_PAGE (preview));
  EAR_TEST_WAIT_UNTIL (has_focus (fixture, "preview.follow"));

  EAR_TEST_WAIT_UNTIL ((retry = find_button (GTK_WIDGET (preview), "preview.retry")) != NULL && gtk_widget_get_mapped (retry));
  gtk_widget_grab_focus (retry);
  g_assert_true (has_focus (fixture, "preview.retry"));
  g_signal_connect_swapped (episode, "shown", G_CALLBACK (shown_cb), &there);
  adw_navigation_view_push (view, episode);
  EAR_TEST_WAIT_UNTIL (there);
  g_signal_connect_swapped (preview, "shown", G_CALLBACK (shown_cb), &back);
  adw_navigation_view_pop (view);
  EAR_TEST_WAIT_UNTIL (back);
  window_rest_wait (fixture->window);
  g_assert_true (has_focus (fixture, "preview.retry"));
}

/* A preview that is opened again stays when the page of the former one goes. */
static void
test_preview_again (Fixture *fixture, gconstpointer data)
{
  const char *address = "http://127.0.0.1:1/feed";
  EarCatalogue *catalogue = ear_library_get_catalogue (fixture->library);
  EarPreviewPage *first = g_object_ref_sink (ear_preview_page_new (fixture->library, address, "Alpha", FALSE));
  EarPreviewPage *second = g_object_ref_sink (ear_preview_page_new (fixture->library, address, "Alpha", FALSE));
  g_autoptr (EarPodcast) podcast = NULL;

  g_object_get (second, "podcast", &podcast, NULL);
  g_object_add_weak_pointer (G_OBJECT (first), (gpointer *) &first);
  g_object_unref (first);
  EAR_TEST_WAIT_UNTIL (first == NULL);
  g_assert_true (ear_catalogue_get_podcast (catalogue, ear_podcast_get_id (podcast)) == podcast);
  g_object_add_weak_pointer (G_OBJECT (second), (gpointer *) &second);
  g_object_unref (second);
  EAR_TEST_WAIT_UNTIL (second == NULL);
  g_assert_null (ear_catalogue_get_podcast (catalogue, ear_podcast_get_id (podcast)));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/dialogs/filters", test_filters);
  g_test_add ("/dialogs/preferences", Fixture, NULL, set_up, test_preferences, tear_down);
  g_test_add ("/dialogs/import", Fixture, NULL, set_up, test_import, tear_down);
  g_test_add ("/dialogs/failures", Fixture, NULL, set_up, test_failures, tear_down);
  g_test_add ("/dialogs/sign-in", Fixture, NULL, set_up, test_sign_in, tear_down);
  g_test_add ("/dialogs/address", Fixture, NULL, set_up, test_address, tear_down);
  g_test_add ("/dialogs/preview", Fixture, NULL, set_up, test_preview, tear_down);
  g_test_add ("/dialogs/preview-again", Fixture, NULL, set_up, test_preview_again, tear_down);
  g_test_add ("/dialogs/podcast-settings", Fixture, NULL, set_up, test_podcast_settings, tear_down);

  return g_test_run ();
}
