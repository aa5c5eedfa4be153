/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Roles, names and values of the widgets for assistive technologies */

#include "config.h"

#include "ear-cover.h"
#include "ear-episode-view.h"
#include "ear-notes-view.h"
#include "ear-player-widget.h"
#include "ear-sidebar-page.h"
#include "ear-scrubber.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "widget-finder.h"

#include <adwaita.h>

#define MINUTE (60 * G_USEC_PER_SEC)

static EarEpisode *
create_episode (const char *title, gint64 duration)
{
  EarEpisode *episode = ear_episode_new (1, NULL, "guid");
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();

  facts->title = g_strdup (title);
  facts->duration = duration;
  g_ptr_array_add (facts->enclosures, ear_enclosure_new ());
  ear_episode_set_facts (episode, facts);

  return episode;
}

static void
test_scrubber (void)
{
  g_autoptr (EarPlayer) player = ear_player_new ("Earmark/test");
  g_autoptr (EarEpisode) episode = create_episode ("One", 2 * MINUTE + 5 * G_USEC_PER_SEC);
  GtkWidget *scrubber = g_object_ref_sink (g_object_new (EAR_TYPE_SCRUBBER, "player", player, NULL));
  GtkScale *scale = find_widget (scrubber, GTK_TYPE_SCALE);
  GtkButton *rest = find_widget (scrubber, GTK_TYPE_BUTTON);

  /* Opening an episode sends no request until it plays. */
  ear_player_open (player, episode, NULL, "http://127.0.0.1:9/one.mp3", 0);
  gtk_test_accessible_assert_role (scale, GTK_ACCESSIBLE_ROLE_SLIDER);
  gtk_test_accessible_assert_property (scale, GTK_ACCESSIBLE_PROPERTY_LABEL, "Position");
  gtk_test_accessible_assert_property (scale, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "0 seconds of 2 minutes 5 seconds");
  gtk_test_accessible_assert_property (rest, GTK_ACCESSIBLE_PROPERTY_LABEL, "2 minutes 5 seconds left");

  /* Assistive technologies set the value in this way. */
  gtk_range_set_value (GTK_RANGE (scale), 61);
  g_assert_cmpint (ear_player_get_position (player), ==, 61 * G_USEC_PER_SEC);
  gtk_test_accessible_assert_property (scale, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "1 minute 1 second of 2 minutes 5 seconds");
  gtk_test_accessible_assert_property (rest, GTK_ACCESSIBLE_PROPERTY_LABEL, "1 minute 4 seconds left");

  g_signal_emit_by_name (rest, "clicked");
  gtk_test_accessible_assert_property (rest, GTK_ACCESSIBLE_PROPERTY_LABEL, "2 minutes 5 seconds");
  g_assert_finalize_object (scrubber);
}

/* The length of a stream, or of an episode whose feed omits it, is
 * unknown until the end. */
static void
test_scrubber_without_length (void)
{
  g_autoptr (EarPlayer) player = ear_player_new ("Earmark/test");
  g_autoptr (EarEpisode) episode = create_episode ("One", EAR_DURATION_UNKNOWN);
  GtkWidget *scrubber = g_object_ref_sink (g_object_new (EAR_TYPE_SCRUBBER, "player", player, NULL));
  GtkScale *scale = find_widget (scrubber, GTK_TYPE_SCALE);
  GtkWidget *rest = find_widget (scrubber, GTK_TYPE_BUTTON);

  ear_player_open (player, episode, NULL, "http://127.0.0.1:9/one.mp3", 0);
  gtk_test_accessible_assert_property (scale, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "0 seconds");
  g_assert_false (gtk_widget_get_visible (rest));
  g_assert_finalize_object (scrubber);
}

/* Returns: the slider in the popover of the button with this content */
static GtkWidget *
find_slider (GtkWidget *box, EarLibrary *library, const char *content)
{
  GtkWidget *widget = g_object_new (EAR_TYPE_PLAYER_WIDGET, "library", library, "content", content, NULL);

  gtk_box_append (GTK_BOX (box), widget);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_mapped (widget));

  return find_widget (GTK_WIDGET (gtk_menu_button_get_popover (find_widget (widget, GTK_TYPE_MENU_BUTTON))), GTK_TYPE_SCALE);
}

static void
test_speed_and_volume (void)
{
  g_autofree char *folder = g_dir_make_tmp ("earmark-roles-XXXXXX", NULL);
  EarLibrary *library = library_fixture_open (folder);
  EarPlayer *player = ear_library_get_player (library);
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  /* The macro would read a literal as a format. */
  const char *percent = "35 %";
  GtkWidget *speed, *volume;

  gtk_window_set_child (window, box);
  gtk_window_present (window);
  speed = find_slider (box, library, "ear-speed-button");
  volume = find_slider (box, library, "ear-volume-button");

  gtk_test_accessible_assert_property (speed, GTK_ACCESSIBLE_PROPERTY_LABEL, "Speed");
  gtk_test_accessible_assert_property (speed, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "\u20661×\u2069");
  gtk_test_accessible_assert_property (volume, GTK_ACCESSIBLE_PROPERTY_LABEL, "Volume");
  ear_player_set_rate (player, 1.5);
  gtk_test_accessible_assert_property (speed, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "\u20661.5×\u2069");
  /* The slider's range is smaller than the speeds that other programs can set. */
  ear_player_set_rate (player, 4.0);
  gtk_test_accessible_assert_property (speed, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "\u20664×\u2069");
  ear_player_set_volume (player, 0.35);
  gtk_test_accessible_assert_property (volume, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, percent);

  gtk_window_destroy (window);
  library_fixture_close (&library);
  ear_test_folder_remove (folder);
}

static gpointer
find_play_button (GtkWidget *row)
{
  for (GtkWidget *child = gtk_widget_get_first_child (row); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_BUTTON (child) && g_str_has_prefix (gtk_button_get_icon_name (GTK_BUTTON (child)), "media-playback"))
      return child;

  return NULL;
}

static void
test_row (void)
{
  g_autoptr (EarEpisode) episode = create_episode ("One", 16 * MINUTE);
  GtkWidget *row = g_object_ref_sink (g_object_new (EAR_TYPE_EPISODE_ROW, NULL));
  GtkButton *button;
  g_autofree char *spoken = NULL;
  g_autofree char *spoken_later = NULL;

  ear_episode_row_set_episode (EAR_EPISODE_ROW (row), episode);
  gtk_test_accessible_assert_role (row, GTK_ACCESSIBLE_ROLE_LABEL);
  gtk_test_accessible_assert_property (row, GTK_ACCESSIBLE_PROPERTY_LABEL, "One");
  g_object_get (row, "spoken", &spoken, NULL);
  g_assert_cmpstr (spoken, ==, "One, 16 minutes");

  ear_episode_set_playback (episode, EAR_PLAYBACK_PAUSED);
  button = find_play_button (row);
  gtk_test_accessible_assert_role (button, GTK_ACCESSIBLE_ROLE_BUTTON);
  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Play");

  ear_episode_set_playback (episode, EAR_PLAYBACK_PLAYING);
  ear_episode_set_mark (episode, EAR_MARK_LIKED, TRUE);
  g_object_get (row, "spoken", &spoken_later, NULL);
  g_assert_cmpstr (spoken_later, ==, "One, 16 minutes, liked, playing");
  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Pause");
  g_assert_finalize_object (row);
}

static GtkWidget *
find_icon (GtkWidget *widget, const char *name)
{
  if (GTK_IS_IMAGE (widget) && gtk_widget_get_visible (widget) &&
      g_strcmp0 (gtk_image_get_icon_name (GTK_IMAGE (widget)), name) == 0)
    return widget;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *icon = find_icon (child, name);

      if (icon != NULL)
        return icon;
    }

  return NULL;
}

/* The icon of the row follows the state of the download. */
static void
test_row_download (void)
{
  g_autoptr (EarEpisode) episode = create_episode ("One", 16 * MINUTE);
  GtkWidget *row = g_object_ref_sink (g_object_new (EAR_TYPE_EPISODE_ROW, NULL));

  ear_episode_row_set_episode (EAR_EPISODE_ROW (row), episode);
  g_assert_null (find_icon (row, "folder-download-symbolic"));

  ear_episode_set_download (episode, EAR_DOWNLOAD_RUNNING, NULL);
  g_assert_nonnull (find_icon (row, "folder-download-symbolic"));
  ear_episode_set_download (episode, EAR_DOWNLOAD_DONE, NULL);
  g_assert_nonnull (find_icon (row, "ear-downloaded-symbolic"));
  g_assert_null (find_icon (row, "folder-download-symbolic"));
  ear_episode_set_download (episode, EAR_DOWNLOAD_NONE, NULL);
  g_assert_null (find_icon (row, "ear-downloaded-symbolic"));
  g_assert_finalize_object (row);
}

static void
toggle_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  *(gint64 *) user_data = g_variant_get_int64 (parameter);
}

/* Assistive technologies can play an episode from its row. */
static void
test_row_action (void)
{
  const GActionEntry actions[] = { { "play", toggle_cb, "x", NULL, NULL, { 0 } } };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (EarEpisode) episode = create_episode ("One", 16 * MINUTE);
  GtkWidget *list = g_object_ref_sink (adw_bin_new ());
  GtkWidget *row = g_object_new (EAR_TYPE_EPISODE_ROW, NULL);
  gint64 played = 0;

  g_action_map_add_action_entries (G_ACTION_MAP (group), actions, G_N_ELEMENTS (actions), &played);
  gtk_widget_insert_action_group (list, "list", G_ACTION_GROUP (group));
  adw_bin_set_child (ADW_BIN (list), row);
  ear_episode_row_set_episode (EAR_EPISODE_ROW (row), episode);
  g_assert_true (gtk_widget_activate_action (row, "row.play", NULL));
  g_assert_cmpint (played, ==, ear_episode_get_id (episode));
  g_assert_finalize_object (list);
}

/* The title of a podcast may be loaded after its row was made. */
static void
test_row_of_podcast (void)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, "https://example.org/feed.xml");
  g_autoptr (EarEpisode) episode = ear_episode_new (1, podcast, "guid");
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();
  g_autoptr (EarPodcastFacts) podcast_facts = ear_podcast_facts_new ();
  GtkWidget *row = g_object_ref_sink (g_object_new (EAR_TYPE_EPISODE_ROW, "mixed", TRUE, NULL));
  g_autofree char *spoken = NULL;
  g_autofree char *title = NULL;
  g_autofree char *address = NULL;

  facts->title = g_strdup ("One");
  ear_episode_set_facts (episode, facts);
  ear_episode_row_set_episode (EAR_EPISODE_ROW (row), episode);

  podcast_facts->title = g_strdup ("A podcast");
  podcast_facts->image = g_strdup ("https://example.org/cover.jpg");
  ear_podcast_set_facts (podcast, podcast_facts);
  g_object_get (row, "spoken", &spoken, NULL);
  g_assert_cmpstr (spoken, ==, "One, A podcast");
  g_object_get (find_widget (row, EAR_TYPE_COVER), "title", &title, "address", &address, NULL);
  g_assert_cmpstr (title, ==, "A podcast");
  g_assert_cmpstr (address, ==, "https://example.org/cover.jpg");
  g_assert_finalize_object (row);
}

static EarNotes *
create_notes (void)
{
  EarNotes *notes = ear_notes_new ();
  EarNotesBlock *block = ear_notes_add_block (notes, EAR_NOTES_HEADING, 2, 0);

  ear_notes_block_add (block, "Further reading", NULL, -1, EAR_NOTES_STYLE_NONE);
  block = ear_notes_add_block (notes, EAR_NOTES_LIST_ITEM, 1, 0);
  ear_notes_block_add (block, "Pull request 130935", "https://example.org/130935", -1, EAR_NOTES_STYLE_NONE);
  block = ear_notes_add_block (notes, EAR_NOTES_LIST_ITEM, 1, 2);
  ear_notes_block_add (block, "1:03", NULL, 63 * G_USEC_PER_SEC, EAR_NOTES_STYLE_NONE);

  return notes;
}

static GtkWidget *
get_first_block (GtkWidget *view)
{
  return gtk_widget_get_first_child (gtk_widget_get_first_child (view));
}

static void
test_notes (void)
{
  g_autoptr (EarNotes) notes = create_notes ();
  GtkWidget *view = g_object_ref_sink (g_object_new (EAR_TYPE_NOTES_VIEW, NULL));
  g_autofree char *link = NULL;
  g_autofree char *time = NULL;
  g_autofree char *unknown = NULL;
  GtkWidget *heading, *bullet, *number;

  ear_notes_view_set_notes (EAR_NOTES_VIEW (view), notes, "https://example.org/a.mp3");
  heading = get_first_block (view);
  bullet = gtk_widget_get_first_child (gtk_widget_get_next_sibling (heading));
  number = gtk_widget_get_first_child (gtk_widget_get_last_child (gtk_widget_get_parent (heading)));
  gtk_test_accessible_assert_role (view, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_test_accessible_assert_role (heading, GTK_ACCESSIBLE_ROLE_HEADING);
  /* The title of the episode is level 1. */
  gtk_test_accessible_assert_property (heading, GTK_ACCESSIBLE_PROPERTY_LEVEL, 3);
  gtk_test_accessible_assert_role (bullet, GTK_ACCESSIBLE_ROLE_PRESENTATION);
  gtk_test_accessible_assert_role (number, GTK_ACCESSIBLE_ROLE_LABEL);

  link = ear_notes_view_describe_link (EAR_NOTES_VIEW (view), "https://example.org/130935");
  g_assert_cmpstr (link, ==, "Link: Pull request 130935");
  time = ear_notes_view_describe_link (EAR_NOTES_VIEW (view), "https://example.org/a.mp3#t=63");
  g_assert_cmpstr (time, ==, "Link: play from 1 minute 3 seconds");
  unknown = ear_notes_view_describe_link (EAR_NOTES_VIEW (view), "https://example.org/");
  g_assert_cmpstr (unknown, ==, "Link: https://example.org/");
  g_assert_finalize_object (view);
}

static EarNotes *
create_quote (void)
{
  EarNotes *notes = ear_notes_new ();
  EarNotesBlock *block = ear_notes_add_block (notes, EAR_NOTES_QUOTE, 2, 0);

  ear_notes_block_add (block, "שלום", NULL, -1, EAR_NOTES_STYLE_NONE);

  return notes;
}

/* A nested quote is indented, and has the direction of its own text; other
 * notes replace it. */
static void
test_notes_quote (void)
{
  g_autoptr (EarNotes) list = create_notes ();
  g_autoptr (EarNotes) quote = create_quote ();
  GtkWidget *view = g_object_ref_sink (g_object_new (EAR_TYPE_NOTES_VIEW, NULL));
  GtkWidget *text;

  ear_notes_view_set_notes (EAR_NOTES_VIEW (view), quote, NULL);
  text = get_first_block (view);
  g_assert_true (gtk_widget_has_css_class (text, "notes-quote"));
  g_assert_cmpint (gtk_widget_get_margin_start (text), >, 0);
  g_assert_cmpint (gtk_widget_get_direction (text), ==, GTK_TEXT_DIR_RTL);

  ear_notes_view_set_notes (EAR_NOTES_VIEW (view), list, NULL);
  g_assert_true (gtk_widget_has_css_class (get_first_block (view), "title-4"));

  ear_notes_view_set_notes (EAR_NOTES_VIEW (view), NULL, NULL);
  g_assert_null (get_first_block (view));
  g_assert_finalize_object (view);
}

static void
test_progress (void)
{
  GtkWidget *page = g_object_ref_sink (g_object_new (EAR_TYPE_SIDEBAR_PAGE, NULL));
  GtkWidget *progress = find_widget (page, GTK_TYPE_PROGRESS_BAR);

  gtk_test_accessible_assert_role (progress, GTK_ACCESSIBLE_ROLE_PROGRESS_BAR);
  gtk_test_accessible_assert_relation (progress, GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                       gtk_widget_get_prev_sibling (progress), NULL);
  g_assert_finalize_object (page);
}

/* The line of facts names each state of a podcast once. */
static void
test_head (void)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, "https://example.org/feed.xml");
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();
  g_autoptr (GtkWidget) head = g_object_ref_sink (g_object_new (EAR_TYPE_PODCAST_HEAD, NULL));
  g_autofree char *text = NULL;

  facts->complete = TRUE;
  ear_podcast_set_facts (podcast, facts);
  ear_podcast_set_n_episodes (podcast, 2);
  g_object_set (head, "podcast", podcast, NULL);
  g_object_get (head, "facts", &text, NULL);
  g_assert_cmpstr (text, ==, "\u20682 episodes\u2069\u00a0· \u2068Has ended\u2069");
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/ui/roles/scrubber", test_scrubber);
  g_test_add_func ("/ui/roles/scrubber-without-length", test_scrubber_without_length);
  g_test_add_func ("/ui/roles/speed-and-volume", test_speed_and_volume);
  g_test_add_func ("/ui/roles/row", test_row);
  g_test_add_func ("/ui/roles/row-download", test_row_download);
  g_test_add_func ("/ui/roles/row-action", test_row_action);
  g_test_add_func ("/ui/roles/row-of-podcast", test_row_of_podcast);
  g_test_add_func ("/ui/roles/notes", test_notes);
  g_test_add_func ("/ui/roles/notes-quote", test_notes_quote);
  g_test_add_func ("/ui/roles/progress", test_progress);
  g_test_add_func ("/ui/roles/head", test_head);

  return g_test_run ();
}
