/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"
#include "ear-test-wait.h"
#include "ear-window.h"
#include "widget-finder.h"
#include "window-fixture.h"

/* Copied addresses, the code for a phone, and the question before private ones */

#define FEED                                                                                       \
  "<rss version=\"2.0\"><channel><title>Alpha</title>"                                             \
  "<item><guid>1</guid><title>One</title><link>https://example.org/1</link>"                       \
  "<enclosure url=\"https://example.org/1.mp3\" type=\"audio/mpeg\"/></item>"                      \
  "<item><guid>2</guid><title>Two</title><enclosure "                                              \
  "url=\"https://example.org/פ/2.mp3?a=%20&amp;b=[1]\" type=\"audio/mpeg\"/></item>"              \
  "</channel></rss>"

/* A private address, with a token */
#define PRIVATE_PATH "/feed.xml?token=7"

static EarEpisode *
get_episode (WindowFixture *fixture)
{
  return ear_episodes_page_get_episode (fixture->page);
}

static void
open_feed (WindowFixture *fixture, const char *path)
{
  window_fixture_begin (fixture);
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", FEED);
  window_fixture_open (fixture);
  g_object_set (ear_library_get_settings (fixture->library), "selected-collection", "", NULL);
  window_fixture_show (fixture, path);
  EAR_TEST_WAIT_UNTIL (get_episode (fixture) != NULL);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (fixture->window)), "before");
}

static void
set_up (WindowFixture *fixture, gconstpointer data)
{
  open_feed (fixture, "/feed.xml");
}

static void
set_up_private (WindowFixture *fixture, gconstpointer data)
{
  open_feed (fixture, PRIVATE_PATH);
}

static void
tear_down (WindowFixture *fixture, gconstpointer data)
{
  window_fixture_end (fixture);
}

static void
act (WindowFixture *fixture, const char *name)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->window), name, NULL));
}

static char *
dup_copied (WindowFixture *fixture)
{
  GdkContentProvider *content =
      gdk_clipboard_get_content (gtk_widget_get_clipboard (GTK_WIDGET (fixture->window)));
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_assert_true (gdk_content_provider_get_value (content, &value, NULL));

  return g_value_dup_string (&value);
}

static gboolean
has_copied (WindowFixture *fixture, const char *text)
{
  g_autofree char *copied = dup_copied (fixture);

  return g_str_equal (copied, text);
}

static AdwDialog *
get_dialog (WindowFixture *fixture)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window));
}

/* The position is a fragment of the address. */
static void
test_copy (WindowFixture *fixture, gconstpointer data)
{
  act (fixture, "win.copy-link");
  g_assert_true (has_copied (fixture, "https://example.org/1"));
  act (fixture, "win.copy-link-at-time");
  g_assert_true (has_copied (fixture, "https://example.org/1"));
  ear_episode_set_position (get_episode (fixture), 754 * G_TIME_SPAN_SECOND);
  act (fixture, "win.copy-link-at-time");
  g_assert_true (has_copied (fixture, "https://example.org/1#t=754"));
  act (fixture, "win.copy-quote");
  EAR_TEST_WAIT_UNTIL (has_copied (fixture, "One, Alpha, 12:34\nhttps://example.org/1.mp3#t=754"));
  g_assert_null (get_dialog (fixture));
}

/* The address of a page is copied at once, private addresses after the question. */
static void
test_private (WindowFixture *fixture, gconstpointer data)
{
  static const char *const asked[] = { "win.copy-feed", "win.show-code" };
  g_autofree char *feed =
      g_strdup (ear_podcast_get_feed_address (ear_episode_get_podcast (get_episode (fixture))));

  g_assert_true (g_str_has_suffix (feed, PRIVATE_PATH));
  act (fixture, "win.copy-link");
  g_assert_true (has_copied (fixture, "https://example.org/1"));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (fixture->window)), "before");
  act (fixture, "win.copy-quote");
  EAR_TEST_WAIT_UNTIL (has_copied (fixture, "One, Alpha, 0:00\nhttps://example.org/1"));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (fixture->window)), "before");
  for (gsize i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_test_message ("%s", asked[i]);
      act (fixture, asked[i]);
      g_assert_true (ADW_IS_ALERT_DIALOG (get_dialog (fixture)));
      g_assert_true (has_copied (fixture, "before"));
      adw_dialog_force_close (get_dialog (fixture));
      EAR_TEST_WAIT_UNTIL (get_dialog (fixture) == NULL);
      g_assert_true (has_copied (fixture, "before"));
    }
  act (fixture, "win.copy-feed");
  g_assert_true (ADW_IS_ALERT_DIALOG (get_dialog (fixture)));
  g_assert_true (has_copied (fixture, "before"));
  g_signal_emit_by_name (get_dialog (fixture), "response::share", "share");
  EAR_TEST_WAIT_UNTIL (has_copied (fixture, feed));
  adw_dialog_force_close (get_dialog (fixture));
}

/* Returns: the text of the code */
static const char *
get_code (gpointer dialog)
{
  return gtk_picture_get_alternative_text (find_widget (adw_dialog_get_child (dialog), GTK_TYPE_PICTURE));
}

/* The code has the media file at the current position, or the page, and an
 * accessible label. */
static void
test_code (WindowFixture *fixture, gconstpointer data)
{
  GObject *kinds;

  ear_episode_set_position (get_episode (fixture), 754 * G_TIME_SPAN_SECOND);
  act (fixture, "win.show-code");
  g_assert_cmpstr (G_OBJECT_TYPE_NAME (get_dialog (fixture)), ==, "EarPhoneDialog");
  act (fixture, "win.show-code");
  kinds = find_widget (GTK_WIDGET (get_dialog (fixture)), ADW_TYPE_TOGGLE_GROUP);
  g_assert_cmpstr (get_code (get_dialog (fixture)), ==, "https://example.org/1.mp3#t=754");
  adw_toggle_group_set_active_name (ADW_TOGGLE_GROUP (kinds), "page");
  g_assert_cmpstr (get_code (get_dialog (fixture)), ==, "https://example.org/1#t=754");
  adw_dialog_force_close (get_dialog (fixture));
  EAR_TEST_WAIT_UNTIL (get_dialog (fixture) == NULL);
}

/* Readers of codes guess the encoding: the address is all ASCII. */
static void
test_ascii (WindowFixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode =
      g_list_model_get_item (G_LIST_MODEL (ear_episodes_page_get_list (fixture->page)), 1);
  AdwDialog *dialog = g_object_ref_sink (ear_phone_dialog_new (episode, 0, FALSE));

  g_assert_cmpstr (get_code (dialog), ==, "https://example.org/%D7%A4/2.mp3?a=%20&b=[1]");
  g_object_unref (dialog);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(name, begin, function)                                                                 \
  g_test_add ("/share/" name, WindowFixture, NULL, begin, function, tear_down)
  ADD ("copy", set_up, test_copy);
  ADD ("private", set_up_private, test_private);
  ADD ("code", set_up, test_code);
  ADD ("ascii", set_up, test_ascii);

  return g_test_run ();
}
