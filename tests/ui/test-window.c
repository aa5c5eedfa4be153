/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"
#include "ear-notes-view.h"
#include "ear-test-wait.h"
#include "ear-window.h"
#include "widget-finder.h"
#include "window-fixture.h"

/* Panes, dialogs and messages of the window */

#define FEED                                                                                       \
  "<rss version=\"2.0\"><channel><title>Alpha</title>"                                             \
  "<item><guid>1</guid><title>One</title><enclosure url=\"http://127.0.0.1:1/1.mp3\" "             \
  "type=\"audio/mpeg\"/></item>"                                                                   \
  "<item><guid>2</guid><title>Two</title><enclosure url=\"http://127.0.0.1:1/2.mp3\" "             \
  "type=\"audio/mpeg\"/></item></channel></rss>"

#define TOLD                                                                                       \
  "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" "              \
  "xmlns:podcast=\"https://podcastindex.org/namespace/1.0\">"                                      \
  "<channel><title>Told</title><itunes:author>Maria</itunes:author><description>All of "           \
  "it</description>"                                                                               \
  "<podcast:funding url=\"https://example.org/give\">Tip Jar</podcast:funding>"                    \
  "<item><guid>1</guid><title>One</title><pubDate>Sun, 04 Aug 2024 12:00:00 "                      \
  "GMT</pubDate></item></channel></rss>"

static guint
count_rows (WindowFixture *fixture)
{
  EarEpisodeList *list = ear_episodes_page_get_list (fixture->page);

  return list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (list)) : 0;
}

static void
set_up (WindowFixture *fixture, gconstpointer data)
{
  window_fixture_begin (fixture);
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", FEED);
  ear_test_server_put (fixture->server, "/told.xml", "application/rss+xml", TOLD);
  window_fixture_open (fixture);
  g_object_set (ear_library_get_settings (fixture->library), "selected-collection", "", NULL);
  window_fixture_show (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (count_rows (fixture) == 2);
}

static void
tear_down (WindowFixture *fixture, gconstpointer data)
{
  window_fixture_end (fixture);
}

static AdwBottomSheet *
open_sheet (WindowFixture *fixture)
{
  AdwBottomSheet *sheet = find_widget (GTK_WIDGET (fixture->window), ADW_TYPE_BOTTOM_SHEET);

  g_object_set (fixture->window, "narrow", TRUE, NULL);
  adw_bottom_sheet_set_open (sheet, TRUE);
  g_assert_true (adw_bottom_sheet_get_open (sheet));

  return sheet;
}

/* The sheet of the player would cover the result of these actions: they close it. */
static void
test_sheet (WindowFixture *fixture, gconstpointer data)
{
  static const char *const actions[] = { "win.search", "win.search-everywhere", "win.show-new",
                                         "win.main-menu" };
  g_autoptr (EarEpisode) episode =
      g_list_model_get_item (G_LIST_MODEL (ear_episodes_page_get_list (fixture->page)), 1);
  AdwBottomSheet *sheet = open_sheet (fixture);

  ear_window_show_episode (EAR_WINDOW (fixture->window), episode);
  g_assert_false (adw_bottom_sheet_get_open (sheet));

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      open_sheet (fixture);
      gtk_widget_activate_action (GTK_WIDGET (fixture->window), actions[i], NULL);
      g_test_message ("%s", actions[i]);
      g_assert_false (adw_bottom_sheet_get_open (sheet));
    }
}

static EarPodcast *
get_podcast (WindowFixture *fixture)
{
  g_autoptr (EarPodcast) podcast =
      g_list_model_get_item (ear_library_get_podcasts (fixture->library), 0);

  return podcast;
}

/* Copy Link copies the current address of a moved feed. */
static void
test_copy_feed (WindowFixture *fixture, gconstpointer data)
{
  GdkContentProvider *content;
  g_auto (GValue) value = G_VALUE_INIT;

  ear_podcast_set_feed_address (get_podcast (fixture), "https://example.org/moved.xml");
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.copy-feed", NULL);
  content = gdk_clipboard_get_content (gtk_widget_get_clipboard (GTK_WIDGET (fixture->window)));
  g_value_init (&value, G_TYPE_STRING);
  g_assert_true (gdk_content_provider_get_value (content, &value, NULL));
  g_assert_cmpstr (g_value_get_string (&value), ==, "https://example.org/moved.xml");
}

/* Playback from a time stamp continues in the list of the episode: with the
 * later one of two. */
static void
test_time_stamp (WindowFixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) earlier =
      g_list_model_get_item (G_LIST_MODEL (ear_episodes_page_get_list (fixture->page)), 1);

  EAR_TEST_WAIT_UNTIL (ear_episodes_page_get_episode (fixture->page) != NULL);
  ear_episodes_page_set_episode (fixture->page, earlier);
  gtk_widget_activate_action (find_widget (GTK_WIDGET (fixture->window), EAR_TYPE_NOTES_VIEW),
                              "tabs.seek", "x", 30 * G_TIME_SPAN_SECOND);
  g_assert_true (ear_player_get_episode (ear_library_get_player (fixture->library)) ==
                 ear_episodes_page_get_episode (fixture->page));
  EAR_TEST_WAIT_UNTIL (ear_play_order_get_can_go_next (ear_library_get_order (fixture->library)));
}

static void
closed_cb (guint *n_closed)
{
  *n_closed += 1;
}

/* A window that is destroyed closes its dialogs, and opens no further addresses. */
static void
test_dialogs (WindowFixture *fixture, gconstpointer data)
{
  AdwDialog *dialog = ear_feed_dialog_new (fixture->library, get_podcast (fixture), TRUE);
  guint n_closed = 0;

  ear_window_open_address (EAR_WINDOW (fixture->window), "http://127.0.0.1:1/one");
  ear_window_open_address (EAR_WINDOW (fixture->window), "http://127.0.0.1:1/two");
  g_signal_connect_swapped (dialog, "closed", G_CALLBACK (closed_cb), &n_closed);
  adw_dialog_present (dialog, GTK_WIDGET (fixture->window));
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_mapped (GTK_WIDGET (dialog)));

  /* A reference keeps the dialog alive while its request runs. */
  g_object_ref (dialog);
  gtk_editable_set_text (GTK_EDITABLE (find_widget (GTK_WIDGET (dialog), ADW_TYPE_ENTRY_ROW)),
                         "listener");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (dialog), "dialog.apply", NULL));
  gtk_window_destroy (fixture->window);
  g_assert_cmpuint (n_closed, ==, 1);
  ear_test_spin (300);
  ear_test_finalize (dialog);
  window_fixture_show (fixture, "/feed.xml");
}

static guint
count_dialogs (WindowFixture *fixture)
{
  g_autoptr (GListModel) dialogs =
      adw_application_window_get_dialogs (ADW_APPLICATION_WINDOW (fixture->window));

  return g_list_model_get_n_items (dialogs);
}

/* An action raises its dialog if it is open already. */
static void
test_asked_again (WindowFixture *fixture, gconstpointer data)
{
  static const char *const actions[] = { "win.add-podcast", "win.podcast-details",
                                         "win.podcast-settings" };
  GtkWidget *window = GTK_WIDGET (fixture->window);
  AdwDialog *dialogs[G_N_ELEMENTS (actions)];

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      g_test_message ("%s", actions[i]);
      for (guint times = 0; times < 3; times++)
        g_assert_true (gtk_widget_activate_action (window, actions[i], NULL));
      g_assert_cmpuint (count_dialogs (fixture), ==, i + 1);
      dialogs[i] = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window));
      EAR_TEST_WAIT_UNTIL (gtk_widget_get_mapped (GTK_WIDGET (dialogs[i])));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gtk_widget_activate_action (window, actions[i], NULL);
      g_assert_cmpuint (count_dialogs (fixture), ==, G_N_ELEMENTS (actions));
      g_assert_true (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)) ==
                     dialogs[i]);
    }

  /* A closed dialog does not count: the action opens a new one. */
  adw_dialog_force_close (dialogs[0]);
  g_assert_cmpuint (count_dialogs (fixture), ==, G_N_ELEMENTS (actions) - 1);
  gtk_widget_activate_action (window, actions[0], NULL);
  g_assert_cmpuint (count_dialogs (fixture), ==, G_N_ELEMENTS (actions));

  /* The address and the login of a podcast have a dialog each. */
  for (guint i = 0; i < 4; i++)
    ear_single_dialog_present (
        ear_feed_dialog_new (fixture->library, get_podcast (fixture), i % 2 == 1), window,
        get_podcast (fixture));
  g_assert_cmpuint (count_dialogs (fixture), ==, G_N_ELEMENTS (actions) + 2);
}

/* Similar Podcasts closes the details of the podcast, and no dialog above them. */
static void
test_similar (WindowFixture *fixture, gconstpointer data)
{
  AdwApplicationWindow *window = ADW_APPLICATION_WINDOW (fixture->window);
  AdwDialog *details, *other = adw_dialog_new ();

  gtk_widget_activate_action (GTK_WIDGET (window), "win.podcast-details", NULL);
  details = adw_application_window_get_visible_dialog (window);
  g_object_add_weak_pointer (G_OBJECT (details), (gpointer *) &details);
  adw_dialog_present (other, GTK_WIDGET (window));
  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (details), "collection.find-similar", NULL));
  EAR_TEST_WAIT_UNTIL (details == NULL);
  g_assert_nonnull (gtk_widget_get_parent (GTK_WIDGET (other)));
  g_assert_cmpuint (count_dialogs (fixture), ==, 2);
  adw_dialog_force_close (other);
}

/* The buttons of a podcast's settings stay with it while another item is chosen behind them. */
static void
test_settings_actions (WindowFixture *fixture, gconstpointer data)
{
  AdwApplicationWindow *window = ADW_APPLICATION_WINDOW (fixture->window);
  EarPodcast *podcast = get_podcast (fixture);

  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (window), "win.podcast-settings", NULL));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-new", NULL);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "unfollow"));
  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (adw_application_window_get_visible_dialog (window)),
                                  "collection.unfollow", NULL));
  g_assert_false (ear_podcast_get_followed (podcast));
  EAR_TEST_WAIT_UNTIL (count_dialogs (fixture) == 0);
}

/* A reply is shown in the dialog in front. A notice that waited for the window, or
 * comes later, stays in it until it is dismissed. */
static void
test_notice (WindowFixture *fixture, gconstpointer data)
{
  GtkWidget *overlay = adw_toast_overlay_new ();
  AdwDialog *dialog = adw_dialog_new ();
  g_autoptr (GtkStringList) notices = gtk_string_list_new (NULL);
  EarWindow *window;
  AdwBanner *banner;

  gtk_window_destroy (fixture->window);
  gtk_string_list_append (notices, "Full");
  window = ear_window_new (NULL, fixture->library, notices);
  fixture->window = GTK_WINDOW (window);
  gtk_window_present (fixture->window);
  banner = ADW_BANNER (
      gtk_widget_get_template_child (GTK_WIDGET (window), EAR_TYPE_WINDOW, "notice_banner"));
  adw_dialog_set_child (dialog, overlay);
  adw_dialog_present (dialog, GTK_WIDGET (window));
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_mapped (overlay));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.notify", "s", "Copied");
  EAR_TEST_WAIT_UNTIL (has_label (overlay, "Copied"));
  ear_window_show_toast (window, "Checked");
  EAR_TEST_WAIT_UNTIL (has_label (overlay, "Checked") && !has_label (overlay, "Copied"));
  adw_dialog_force_close (dialog);

  gtk_string_list_append (notices, "Damaged");
  g_assert_true (adw_banner_get_revealed (banner));
  g_assert_cmpstr (adw_banner_get_title (banner), ==, "Full");
  g_signal_emit_by_name (banner, "button-clicked");
  g_assert_cmpstr (adw_banner_get_title (banner), ==, "Damaged");
  g_signal_emit_by_name (banner, "button-clicked");
  g_assert_false (adw_banner_get_revealed (banner));
}

/* The window may be closed in the same turn as a pane was shown. */
static void
test_closed_at_once (WindowFixture *fixture, gconstpointer data)
{
  AdwNavigationSplitView *view = ADW_NAVIGATION_SPLIT_VIEW (
      find_widget (GTK_WIDGET (fixture->window), ADW_TYPE_NAVIGATION_SPLIT_VIEW));
  GtkWindow *second = GTK_WINDOW (ear_window_new (NULL, fixture->library, NULL));

  g_object_add_weak_pointer (G_OBJECT (view), (gpointer *) &view);
  adw_navigation_split_view_set_show_content (view,
                                              !adw_navigation_split_view_get_show_content (view));
  gtk_window_destroy (fixture->window);
  g_assert_nonnull (view);
  EAR_TEST_WAIT_UNTIL (view == NULL);
  fixture->window = second;
}

/* About This Podcast fills in the details of a feed that is still being fetched. */
static void
test_about_at_once (WindowFixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/told.xml");
  EarPodcast *podcast =
      ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  GtkWidget *dialog = GTK_WIDGET (ear_podcast_dialog_new (fixture->library, podcast));

  adw_dialog_present (ADW_DIALOG (dialog), GTK_WIDGET (fixture->window));
  g_assert_false (has_label (dialog, "Maria"));
  EAR_TEST_WAIT_UNTIL (has_label (dialog, "Maria") && has_label (dialog, "Tip Jar") &&
                       has_label (dialog, "August 4, 2024"));
  g_assert_cmpint (ear_podcast_get_checked (podcast), >, 0);
  adw_dialog_force_close (ADW_DIALOG (dialog));
}

/* A podcast without episodes has neither a filter nor an order. */
static void
test_without_episodes (WindowFixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/none.xml");
  GtkWidget *arrangement = GTK_WIDGET (gtk_widget_get_template_child (
      GTK_WIDGET (fixture->page), EAR_TYPE_EPISODES_PAGE, "arrangement"));

  g_assert_true (gtk_widget_is_visible (arrangement));
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.select-podcast", "s", address);
  EAR_TEST_WAIT_UNTIL (!gtk_widget_get_visible (arrangement));
}

static void
undo_cb (gpointer owner, gpointer done)
{
  g_string_append (done, "undone ");
}

/* Ctrl+Z takes back the last change, and then the one before it. */
static void
test_undo (WindowFixture *fixture, gconstpointer data)
{
  EarNotices *notices = ear_library_get_notices (fixture->library);
  GtkWidget *window = GTK_WIDGET (fixture->window);
  g_autoptr (GString) first = g_string_new (NULL);
  g_autoptr (GString) second = g_string_new (NULL);

  ear_notices_offer (notices, "First", undo_cb, notices, first, NULL);
  ear_notices_offer (notices, NULL, undo_cb, notices, second, NULL);
  g_assert_true (gtk_widget_activate_action (window, "win.undo", NULL));
  g_assert_cmpstr (second->str, ==, "undone ");
  g_assert_cmpstr (first->str, ==, "");
  g_assert_true (gtk_widget_activate_action (window, "win.undo", NULL));
  g_assert_cmpstr (second->str, ==, "undone ");
  g_assert_cmpstr (first->str, ==, "undone ");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "undo"));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add ("/window/sheet", WindowFixture, NULL, set_up, test_sheet, tear_down);
  g_test_add ("/window/copy-feed", WindowFixture, NULL, set_up, test_copy_feed, tear_down);
  g_test_add ("/window/time-stamp", WindowFixture, NULL, set_up, test_time_stamp, tear_down);
  g_test_add ("/window/dialogs", WindowFixture, NULL, set_up, test_dialogs, tear_down);
  g_test_add ("/window/asked-again", WindowFixture, NULL, set_up, test_asked_again, tear_down);
  g_test_add ("/window/similar", WindowFixture, NULL, set_up, test_similar, tear_down);
  g_test_add ("/window/settings-actions", WindowFixture, NULL, set_up, test_settings_actions,
              tear_down);
  g_test_add ("/window/notice", WindowFixture, NULL, set_up, test_notice, tear_down);
  g_test_add ("/window/closed-at-once", WindowFixture, NULL, set_up, test_closed_at_once,
              tear_down);
  g_test_add ("/window/undo", WindowFixture, NULL, set_up, test_undo, tear_down);
  g_test_add ("/window/without-episodes", WindowFixture, NULL, set_up, test_without_episodes,
              tear_down);
  g_test_add ("/window/about-at-once", WindowFixture, NULL, set_up, test_about_at_once, tear_down);

  return g_test_run ();
}
