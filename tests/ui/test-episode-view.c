/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view.h"
#include "ear-test-wait.h"
#include "widget-finder.h"
#include "window-fixture.h"
#include "window-rest.h"

/* Rows of a list of episodes: dates that change, excerpts, keys and menus */

#define HOUR (60 * 60)
#define DAY (24 * HOUR)
#define N_EPISODES 150
#define N_BEST 30

/* So many episodes have a word with the same beginning that a search for it lists only
 * the newest of them. */
#define N_ALIKE 1700

/* Only episodes with media have a Play button. */
#define MEDIA "<link rel=\"enclosure\" type=\"audio/mpeg\" href=\"http://127.0.0.1:1/1.mp3\"/>"

/* Sets a time zone in which it is @time seconds after a midnight, as near to
 * UTC as possible. */
static void
travel (WindowFixture *fixture, gint64 time)
{
  const gint64 time_of_day = fixture->now % DAY;
  const gint64 midnight = time_of_day < DAY / 2 ? 0 : DAY;
  const gint64 east = midnight + time - time_of_day;
  g_autofree char *zone = g_strdup_printf ("%c%02d:%02d:%02d", east < 0 ? '-' : '+', (int) (ABS (east) / HOUR),
                                           (int) (ABS (east) / 60 % 60), (int) (ABS (east) % 60));

  g_setenv ("TZ", zone, TRUE);
}

static void
put_feed (WindowFixture *fixture)
{
  g_autoptr (GDateTime) published = g_date_time_new_from_unix_utc (fixture->now - HOUR);
  g_autofree char *date = g_date_time_format (published, "%Y-%m-%dT%H:%M:%SZ");
  g_autofree char *feed = g_strdup_printf ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Feed</title>"
                                           "<entry><id>1</id><title>One</title>" MEDIA "<published>%s</published></entry></feed>", date);

  ear_test_server_put (fixture->server, "/feed.xml", "application/atom+xml", feed);
}

static void
put_long_feed (WindowFixture *fixture)
{
  g_autoptr (GString) feed = g_string_new ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Long</title>");

  /* The oldest episodes have the search word in their titles, the
   * newest has it nowhere. */
  for (guint i = 0; i < N_EPISODES; i++)
    {
      g_autoptr (GDateTime) published = g_date_time_new_from_unix_utc (fixture->now - i * DAY);
      g_autofree char *date = g_date_time_format (published, "%Y-%m-%dT%H:%M:%SZ");

      g_string_append_printf (feed,
                              "<entry><id>%u</id><title>%s %u</title>" MEDIA "<summary>of a %s</summary><published>%s</published></entry>",
                              i, i < N_EPISODES - N_BEST ? "Episode" : "Giraffe", i, i > 0 ? "giraffe" : "lion", date);
    }
  g_string_append (feed, "</feed>");
  ear_test_server_put (fixture->server, "/long.xml", "application/atom+xml", feed->str);
}

static void
put_feed_of_alike (WindowFixture *fixture)
{
  g_autoptr (GString) words = g_string_new (NULL);
  g_autoptr (GString) feed = g_string_new ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Alike</title>");

  for (guint i = 0; i < 250; i++)
    g_string_append_printf (words, "tensor%u ", i % 50);
  for (guint i = 0; i < N_ALIKE; i++)
    g_string_append_printf (feed, "<entry><id>%u</id><title>Episode %u</title><summary>%s</summary></entry>", i, i, words->str);
  g_string_append (feed, "</feed>");
  ear_test_server_put (fixture->server, "/alike.xml", "application/atom+xml", feed->str);
}

static EarEpisodeRow *
find_row (WindowFixture *fixture)
{
  EarEpisodeRow *row = find_widget (GTK_WIDGET (fixture->page), EAR_TYPE_EPISODE_ROW);

  return row != NULL && ear_episode_row_get_episode (row) != NULL ? row : NULL;
}

static void
set_up (WindowFixture *fixture, gconstpointer data)
{
  window_fixture_begin (fixture);
  travel (fixture, -HOUR / 6);
  put_feed (fixture);
  put_long_feed (fixture);
  put_feed_of_alike (fixture);
  window_fixture_open (fixture);
  window_fixture_show (fixture, data);
  EAR_TEST_WAIT_UNTIL (find_row (fixture) != NULL);
}

static void
tear_down (WindowFixture *fixture, gconstpointer data)
{
  window_fixture_end (fixture);
}

static gboolean
says (EarEpisodeRow *row, const char *text)
{
  GtkWidget *box = find_widget (GTK_WIDGET (row), GTK_TYPE_CENTER_BOX);
  GtkWidget *facts = gtk_center_box_get_center_widget (GTK_CENTER_BOX (box));

  return strstr (gtk_label_get_label (GTK_LABEL (facts)), text) != NULL;
}

/* The window is hidden in the evening and shown again in the morning. */
static void
test_next_day (WindowFixture *fixture, gconstpointer data)
{
  EarEpisodeRow *row = find_row (fixture);

  g_assert_true (says (row, "Today"));
  gtk_widget_set_visible (GTK_WIDGET (fixture->window), FALSE);
  travel (fixture, HOUR / 2);
  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (says (row, "Yesterday"));
  g_assert_false (says (row, "Today"));
}

static GtkWidget *
find_named (GtkWidget *widget, const char *icon_name)
{
  if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), icon_name) == 0)
    return widget;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_named (child, icon_name);

      if (found != NULL)
        return found;
    }

  return NULL;
}

/* The button on hover adds an episode to Up Next, once. */
static void
test_add_to_queue (WindowFixture *fixture, gconstpointer data)
{
  EarEpisodeRow *row = find_row (fixture);
  GtkWidget *item = gtk_widget_get_parent (GTK_WIDGET (row));
  GtkWidget *button;

  g_assert_null (find_named (GTK_WIDGET (row), "ear-queue-add-symbolic"));
  gtk_widget_set_state_flags (item, GTK_STATE_FLAG_PRELIGHT, FALSE);
  button = find_named (GTK_WIDGET (row), "ear-queue-add-symbolic");
  g_assert_true (gtk_widget_get_can_target (button));
  gtk_widget_unset_state_flags (item, GTK_STATE_FLAG_PRELIGHT);
  g_assert_false (gtk_widget_get_can_target (button));
  gtk_widget_set_state_flags (item, GTK_STATE_FLAG_PRELIGHT, FALSE);
  g_signal_emit_by_name (button, "clicked");
  EAR_TEST_WAIT_UNTIL (ear_queue_has (ear_episode_row_get_episode (row)));
  EAR_TEST_WAIT_UNTIL (!gtk_widget_get_visible (button));
}

/* A row without date, length and marks has no second line, so that its
 * title is centered. */
static void
test_without_facts (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *row = g_object_new (EAR_TYPE_EPISODE_ROW, NULL);
  g_autoptr (EarEpisode) episode = ear_episode_new (1, NULL, "guid");
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();
  g_autoptr (EarEpisodeFacts) dated = ear_episode_facts_new ();
  GtkWidget *title, *column, *line;
  int height;

  facts->title = g_strdup ("Tape 1");
  dated->title = g_strdup ("Tape 1");
  dated->published = 1722729600;
  gtk_window_set_child (GTK_WINDOW (window), row);
  ear_episode_set_facts (episode, facts);
  ear_episode_row_set_episode (EAR_EPISODE_ROW (row), episode);
  title = find_widget (row, GTK_TYPE_LABEL);
  column = gtk_widget_get_parent (title);
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (title)), ==, "Tape 1");
  g_assert_cmpint (gtk_widget_get_valign (column), ==, GTK_ALIGN_CENTER);
  line = gtk_widget_get_next_sibling (title);
  gtk_widget_measure (line, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  g_assert_cmpint (height, ==, 0);

  ear_episode_set_facts (episode, dated);
  gtk_widget_measure (line, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  g_assert_cmpint (height, >, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
is_cut (GtkWidget *label)
{
  return pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)));
}

/* A narrow row cuts the name of the podcast before the date and the length. Without the name, both
 * have the rest of the line, or the place before the progress. */
static void
test_short_line (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *row = g_object_new (EAR_TYPE_EPISODE_ROW, "mixed", TRUE, NULL);
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, "http://127.0.0.1:1/feed.xml");
  g_autoptr (EarEpisode) episode = ear_episode_new (1, podcast, "guid");
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();
  g_autoptr (EarPodcastFacts) podcast_facts = ear_podcast_facts_new ();
  GtkWidget *box, *name, *date;
  int width;

  podcast_facts->title = g_strdup ("The Long Name of a Podcast About Nothing in Particular");
  ear_podcast_set_facts (podcast, podcast_facts);
  facts->title = g_strdup ("Tape 1");
  facts->published = 1722729600;
  facts->duration = G_TIME_SPAN_HOUR;
  ear_episode_set_facts (episode, facts);
  gtk_window_set_child (GTK_WINDOW (window), row);
  ear_episode_row_set_episode (EAR_EPISODE_ROW (row), episode);
  gtk_window_set_default_size (GTK_WINDOW (window), 320, 100);
  gtk_window_present (GTK_WINDOW (window));
  box = find_widget (row, GTK_TYPE_CENTER_BOX);
  name = gtk_center_box_get_start_widget (GTK_CENTER_BOX (box));
  date = gtk_center_box_get_center_widget (GTK_CENTER_BOX (box));
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_width (date) > 0);
  g_assert_true (is_cut (name));
  g_assert_false (is_cut (date));

  width = gtk_widget_get_width (date);
  g_object_set (row, "mixed", FALSE, NULL);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_width (date) > width);
  g_assert_false (is_cut (date));
  width = gtk_widget_get_width (date);
  ear_episode_set_position (episode, G_TIME_SPAN_MINUTE);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_width (date) < width);
  g_assert_false (is_cut (date));
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
has_title_at (EarEpisodesPage *page, guint position, const char *title)
{
  EarEpisodeList *list = ear_episodes_page_get_list (page);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), position);

  return episode != NULL && g_str_has_prefix (ear_episode_get_title (episode), title);
}

/* The list stays at its top when the best results come before the newest ones,
 * which come first. */
static void
test_best_in_sight (WindowFixture *fixture, gconstpointer data)
{
  GtkWidget *view = find_widget (GTK_WIDGET (fixture->page), EAR_TYPE_EPISODE_VIEW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (find_widget (view, GTK_TYPE_SCROLLED_WINDOW));

  g_object_set (fixture->page, "search", "giraffe", NULL);
  EAR_TEST_WAIT_UNTIL (has_title_at (fixture->page, 0, "Giraffe"));
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (ear_episodes_page_get_list (fixture->page))) == N_EPISODES - 1);
  EAR_TEST_WAIT_UNTIL (gtk_adjustment_get_upper (adjustment) > N_EPISODES * 40);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  g_assert_true (has_title_at (fixture->page, N_BEST - 1, "Giraffe"));
}

/* Returns: (nullable): the excerpt in the first row */
static const char *
get_excerpt (WindowFixture *fixture)
{
  EarEpisodeRow *row = find_row (fixture);
  GtkWidget *line = row != NULL ? gtk_widget_get_parent (find_widget (GTK_WIDGET (row), GTK_TYPE_CENTER_BOX)) : NULL;
  GtkWidget *excerpt = line != NULL ? gtk_widget_get_next_sibling (line) : NULL;

  return excerpt != NULL && gtk_widget_get_visible (excerpt) ? gtk_label_get_text (GTK_LABEL (excerpt)) : NULL;
}

static gboolean
has_excerpt (WindowFixture *fixture, const char *text)
{
  const char *excerpt = get_excerpt (fixture);

  return excerpt != NULL && strstr (excerpt, text) != NULL;
}

static gboolean
have_all_excerpts (WindowFixture *fixture)
{
  GtkWidget *list = gtk_widget_get_ancestor (GTK_WIDGET (find_row (fixture)), GTK_TYPE_LIST_VIEW);
  guint n = 0;

  for (GtkWidget *item = gtk_widget_get_first_child (list); item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);

      if (EAR_IS_EPISODE_ROW (row) && ear_episode_row_wants_excerpt (EAR_EPISODE_ROW (row)))
        return FALSE;
      n += EAR_IS_EPISODE_ROW (row);
    }

  return n == N_EPISODES - 1;
}

/* Rows have excerpts with the words of the current search, and none without a search; rows out of
 * sight have them once the list is complete. */
static void
test_excerpts (WindowFixture *fixture, gconstpointer data)
{
  GtkEditable *entry = find_widget (GTK_WIDGET (fixture->page), GTK_TYPE_SEARCH_ENTRY);

  g_assert_null (get_excerpt (fixture));
  g_object_set (fixture->page, "search", "giraffe", NULL);
  EAR_TEST_WAIT_UNTIL (has_excerpt (fixture, "of a giraffe"));
  EAR_TEST_WAIT_UNTIL (have_all_excerpts (fixture));
  g_object_set (fixture->page, "search", "lion", NULL);
  EAR_TEST_WAIT_UNTIL (has_excerpt (fixture, "of a lion"));
  /* The same words stay selected, so that typing replaces them. */
  gtk_editable_select_region (entry, 0, -1);
  g_object_set (fixture->page, "search", "lion", NULL);
  g_assert_true (gtk_editable_get_selection_bounds (entry, NULL, NULL));
  g_object_set (fixture->page, "search", NULL, NULL);
  EAR_TEST_WAIT_UNTIL (find_row (fixture) != NULL && get_excerpt (fixture) == NULL);
}

static gboolean
is_menu_open (WindowFixture *fixture)
{
  GtkWidget *menu = find_widget (GTK_WIDGET (find_widget (GTK_WIDGET (fixture->page), EAR_TYPE_EPISODE_VIEW)), GTK_TYPE_POPOVER_MENU);

  return menu != NULL && gtk_widget_get_mapped (menu);
}

/* The Menu key opens the menu of the row, whichever widget in it has the focus. */
static void
test_menu_from_button (WindowFixture *fixture, gconstpointer data)
{
  GtkWidget *button;

  EAR_TEST_WAIT_UNTIL ((button = find_named (GTK_WIDGET (find_row (fixture)), "media-playback-start-symbolic")) != NULL);
  g_assert_true (gtk_widget_grab_focus (button));
  g_assert_true (gtk_widget_activate_action (button, "list.menu", NULL));
  EAR_TEST_WAIT_UNTIL (is_menu_open (fixture));
}

static guint
count_entries (GtkWidget *widget)
{
  guint n = gtk_widget_get_mapped (widget) && g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton");

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += count_entries (child);

  return n;
}

static guint
count_shown (WindowFixture *fixture, GtkWidget *widget)
{
  GtkWidget *menu = find_widget (widget, GTK_TYPE_POPOVER_MENU);

  return menu != NULL && gtk_widget_get_mapped (menu) ? count_entries (menu) : 0;
}

/* Menus show only the verbs that apply, few enough to read at a glance. */
static void
test_menu_entries (WindowFixture *fixture, gconstpointer data)
{
  GtkWidget *view = find_widget (GTK_WIDGET (fixture->page), EAR_TYPE_EPISODE_VIEW);
  GtkWidget *button;

  EAR_TEST_WAIT_UNTIL ((button = find_widget (GTK_WIDGET (find_row (fixture)), GTK_TYPE_BUTTON)) != NULL);
  g_assert_true (gtk_widget_grab_focus (button));
  g_assert_true (gtk_widget_activate_action (button, "list.menu", NULL));
  EAR_TEST_WAIT_UNTIL (count_shown (fixture, view) > 0);
  g_assert_cmpuint (count_shown (fixture, view), <=, 9);
  gtk_popover_popdown (GTK_POPOVER (find_widget (view, GTK_TYPE_POPOVER_MENU)));
  EAR_TEST_WAIT_UNTIL (!is_menu_open (fixture));

  /* Too many rows to examine each: the menu has the verbs that any episode can have. */
  g_assert_true (gtk_widget_activate_action (view, "list.select-all", NULL));
  g_assert_true (gtk_widget_activate_action (view, "list.menu", NULL));
  EAR_TEST_WAIT_UNTIL (count_shown (fixture, view) > 0);
  g_assert_cmpuint (count_shown (fixture, view), <=, 7);
}

static EarPodcast *
get_podcast (WindowFixture *fixture)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_library_get_podcasts (fixture->library), 0);

  return podcast;
}

/* A verb marks all hits of a search that are selected. */
static void
test_mark_what_is_shown (WindowFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = get_podcast (fixture);
  GtkWidget *view = find_widget (GTK_WIDGET (fixture->page), EAR_TYPE_EPISODE_VIEW);
  GListModel *list;

  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_episodes (podcast) == N_ALIKE && !ear_podcast_get_refreshing (podcast));
  ear_episodes_page_begin_search (fixture->page, FALSE);
  gtk_editable_set_text (find_widget (GTK_WIDGET (fixture->page), GTK_TYPE_SEARCH_ENTRY), "ten");
  EAR_TEST_WAIT_UNTIL ((list = G_LIST_MODEL (ear_episodes_page_get_list (fixture->page))) != NULL &&
                       g_list_model_get_n_items (list) == N_ALIKE);
  g_assert_true (gtk_widget_activate_action (view, "list.select-all", NULL));
  g_assert_true (gtk_widget_activate_action (view, "list.mark-listened", NULL));
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_unplayed (podcast) == 0);
}

static guint
count_headings (GtkWidget *widget)
{
  guint n = gtk_widget_get_mapped (widget) &&
            gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_HEADING;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += count_headings (child);

  return n;
}

/* @kinds: of the newest episodes: w(anted) or t(here) */
static void
set_downloads (WindowFixture *fixture, GPtrArray *episodes, const char *kinds)
{
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  for (guint i = 0; i < episodes->len; i++)
    {
      EarEpisode *episode = g_ptr_array_index (episodes, i);
      const gboolean wanted = kinds[i] == 'w';

      g_ptr_array_add (marks, ear_download_mark_new (ear_podcast_get_id (ear_episode_get_podcast (episode)),
                                                     ear_episode_get_guid (episode),
                                                     wanted ? EAR_DOWNLOAD_KIND_WANTED : EAR_DOWNLOAD_KIND_THERE,
                                                     wanted ? i + 1 : 0));
    }
  ear_catalogue_set_downloads (ear_library_get_catalogue (fixture->library), marks, TRUE);
}

/* A download that ends before the one above it moves to another group: the rows left
 * behind have one heading. */
static void
test_headings (WindowFixture *fixture, gconstpointer data)
{
  EarEpisodeView *view = find_widget (GTK_WIDGET (fixture->page), EAR_TYPE_EPISODE_VIEW);
  GListModel *all = G_LIST_MODEL (ear_episodes_page_get_list (fixture->page));
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_DOWNLOADS, EAR_SORT_NEWEST, NULL);
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (EarEpisodeList) downloads = NULL;
  guint position;

  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (all) == N_EPISODES);
  for (guint i = 0; i < 4; i++)
    g_ptr_array_add (episodes, g_list_model_get_item (all, i));
  set_downloads (fixture, episodes, "wwwt");
  downloads = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (downloads)) == 4);
  ear_episode_view_set_list (view, downloads);
  EAR_TEST_WAIT_UNTIL (count_headings (GTK_WIDGET (view)) == 2);

  set_downloads (fixture, episodes, "wtwt");
  EAR_TEST_WAIT_UNTIL (ear_episode_list_find (downloads, ear_episode_get_id (g_ptr_array_index (episodes, 1)), &position) && position == 2);
  window_rest_wait (fixture->window);
  g_assert_cmpuint (count_headings (GTK_WIDGET (view)), ==, 2);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv);
  adw_init ();

  g_test_add ("/ui/episode-view/next-day", WindowFixture, "/feed.xml", set_up, test_next_day, tear_down);
  g_test_add ("/ui/episode-view/menu-from-button", WindowFixture, "/feed.xml", set_up, test_menu_from_button, tear_down);
  g_test_add ("/ui/episode-view/menu-entries", WindowFixture, "/long.xml", set_up, test_menu_entries, tear_down);
  g_test_add ("/ui/episode-view/best-in-sight", WindowFixture, "/long.xml", set_up, test_best_in_sight, tear_down);
  g_test_add ("/ui/episode-view/excerpts", WindowFixture, "/long.xml", set_up, test_excerpts, tear_down);
  g_test_add ("/ui/episode-view/add-to-queue", WindowFixture, "/feed.xml", set_up, test_add_to_queue, tear_down);
  g_test_add_func ("/ui/episode-view/without-facts", test_without_facts);
  g_test_add_func ("/ui/episode-view/short-line", test_short_line);
  g_test_add ("/ui/episode-view/mark-what-is-shown", WindowFixture, "/alike.xml", set_up, test_mark_what_is_shown, tear_down);
  g_test_add ("/ui/episode-view/headings", WindowFixture, "/long.xml", set_up, test_headings, tear_down);

  return g_test_run ();
}
