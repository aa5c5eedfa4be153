/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "ear-test-wait.h"
#include "library-fixture.h"
#include "served-library.h"

/* The listener's own lists: content, undo and persistence */

static EarLists *
get_lists (Fixture *fixture)
{
  return ear_library_get_lists (fixture->library);
}

static EarList *
get_list (Fixture *fixture, guint position)
{
  g_autoptr (EarList) list = g_list_model_get_item (ear_lists_get_all (get_lists (fixture)), position);

  return list;
}

/* The titles of all lists */
static char *
print_titles (Fixture *fixture)
{
  GListModel *all = ear_lists_get_all (get_lists (fixture));
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", ear_list_get_title (get_list (fixture, i)));

  return g_string_free_and_steal (g_steal_pointer (&text));
}

static gboolean
are_titles (Fixture *fixture, const char *expected)
{
  g_autofree char *text = print_titles (fixture);

  return g_str_equal (text, expected);
}

#define ASSERT_TITLES(expected) EAR_TEST_WAIT_UNTIL (are_titles (fixture, expected))

/* The numbers of the episodes that a query finds */
static char *
print_rows (EarEpisodeList *rows)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (rows)); i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (rows), i);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", strrchr (ear_episode_get_guid (episode), '-') + 1);
    }

  return g_string_free_and_steal (g_steal_pointer (&text));
}

static EarEpisodeList *
open_rows (Fixture *fixture, EarList *list, const char *search)
{
  g_autoptr (EarEpisodeQuery) query = ear_list_create_query (list, EAR_SORT_NEWEST, search);

  return ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
}

static gboolean
are_rows (EarEpisodeList *rows, const char *expected)
{
  g_autofree char *text = print_rows (rows);

  return !ear_episode_list_get_asking (rows) && g_str_equal (text, expected);
}

#define ASSERT_ROWS(rows, expected) EAR_TEST_WAIT_UNTIL (are_rows (rows, expected))
#define ASSERT_COUNT(list, n) EAR_TEST_WAIT_UNTIL (ear_list_get_count (list) == (n))

static EarEpisode *
dup_episode (Fixture *fixture, guint number)
{
  g_autofree char *guid = g_strdup_printf ("lamp-%u", number);

  return ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (fixture->library), get_podcast (fixture), guid);
}

/* The episodes with these numbers, up to a 0 */
static GPtrArray *
list_episodes (Fixture *fixture, const guint *numbers)
{
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);

  for (; *numbers != 0; numbers++)
    g_ptr_array_add (episodes, dup_episode (fixture, *numbers));

  return episodes;
}

#define EPISODES(...) ((const guint[]) { __VA_ARGS__, 0 })

static EarList *
create (Fixture *fixture, const char *title, const guint *numbers)
{
  g_autoptr (GPtrArray) episodes = list_episodes (fixture, numbers);

  return ear_lists_create (get_lists (fixture), title, NULL, episodes);
}

static void
add (Fixture *fixture, EarList *list, const guint *numbers)
{
  g_autoptr (GPtrArray) episodes = list_episodes (fixture, numbers);

  ear_lists_add (get_lists (fixture), list, episodes);
}

/* Inserts in front of another episode, or at the end for 0. */
static void
insert (Fixture *fixture, EarList *list, const guint *numbers, guint before)
{
  g_autoptr (GPtrArray) episodes = list_episodes (fixture, numbers);
  g_autoptr (EarEpisode) other = before != 0 ? dup_episode (fixture, before) : NULL;

  ear_lists_insert (get_lists (fixture), list, episodes, other);
}

static void
take_out (Fixture *fixture, EarList *list, const guint *numbers)
{
  g_autoptr (GPtrArray) episodes = list_episodes (fixture, numbers);

  ear_lists_take_out (get_lists (fixture), list, episodes);
}

static void
keep_undo_cb (EarNotices *notices, EarUndo *undo, EarUndo **kept)
{
  g_set_object (kept, undo);
}

/* Stores the latest undo in @kept. */
static void
watch_undo (Fixture *fixture, EarUndo **kept)
{
  g_signal_connect (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (keep_undo_cb), kept);
}

static void
set_up_lists (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, data);
  put_feed (fixture, 1, 9);
  open_and_wait (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
}

static void
keep_notice_cb (EarNotices *notices, const char *message, gboolean lasting, char **kept)
{
  g_set_str (kept, message);
}

/* Adding, moving and removing episodes, and undoing each */
static void
test_episodes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) rows = NULL;
  g_autoptr (EarEpisode) third = NULL;
  g_autoptr (EarEpisode) ninth = NULL;
  g_autoptr (EarUndo) undo = NULL;
  g_autofree char *notice = NULL;
  EarList *list, *other;

  watch_undo (fixture, &undo);
  g_signal_connect (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (keep_notice_cb), &notice);
  list = create (fixture, "Walks", EPISODES (3, 1));
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "2 episodes added to “Walks”");
  rows = open_rows (fixture, list, NULL);
  ASSERT_ROWS (rows, "3 1");
  ASSERT_COUNT (list, 2);
  add (fixture, list, EPISODES (5, 3));
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "Added to “Walks”");
  ASSERT_ROWS (rows, "3 1 5");
  ASSERT_COUNT (list, 3);
  add (fixture, list, EPISODES (3));
  g_assert_cmpstr (notice, ==, "Already in “Walks”");

  insert (fixture, list, EPISODES (5, 9), 1);
  ASSERT_ROWS (rows, "3 5 9 1");
  insert (fixture, list, EPISODES (1), 3);
  ASSERT_ROWS (rows, "1 3 5 9");
  g_assert_null (ear_undo_get_message (undo));
  ear_undo_run (undo);
  ASSERT_ROWS (rows, "3 5 9 1");
  insert (fixture, list, EPISODES (3), 3);
  insert (fixture, list, EPISODES (3), 0);
  ASSERT_ROWS (rows, "5 9 1 3");

  /* An episode can be in several lists. */
  other = create (fixture, "Evenings", EPISODES (3));
  third = dup_episode (fixture, 3);
  ninth = dup_episode (fixture, 9);
  g_assert_true (ear_list_has (list, third) && ear_list_has (other, third));
  g_assert_false (ear_list_has (other, ninth));
  g_assert_true (ear_lists_contain (get_lists (fixture), ninth));
  take_out (fixture, list, EPISODES (3, 9, 2));
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "2 episodes removed from “Walks”");
  ASSERT_ROWS (rows, "5 1");
  ASSERT_COUNT (list, 2);
  g_assert_false (ear_lists_contain (get_lists (fixture), ninth));
  g_assert_true (ear_lists_contain (get_lists (fixture), third));
  ear_undo_run (undo);
  ASSERT_ROWS (rows, "5 9 1 3");
  take_out (fixture, list, EPISODES (5));
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "Removed from “Walks”");
}

/* Any number of episodes can be inserted between the same two. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  EarList *list = create (fixture, "Walks", EPISODES (1, 2, 3, 4));
  g_autoptr (EarEpisodeList) rows = open_rows (fixture, list, NULL);

  for (guint i = 0; i < 30; i++)
    {
      insert (fixture, list, EPISODES (4), 2);
      insert (fixture, list, EPISODES (3), 4);
      ASSERT_ROWS (rows, "1 3 4 2");
      insert (fixture, list, EPISODES (2), 3);
      insert (fixture, list, EPISODES (4), 0);
      ASSERT_ROWS (rows, "1 2 3 4");
    }
}

/* Creating, renaming, removing and ordering lists */
static void
test_lists (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarUndo) undo = NULL;
  g_autoptr (EarEpisodeList) rows = NULL;
  EarList *first, *second, *third;

  watch_undo (fixture, &undo);
  first = create (fixture, "One", EPISODES (1, 2));
  second = create (fixture, "Two", EPISODES (0));
  third = create (fixture, "Three", EPISODES (0));
  ASSERT_TITLES ("One Two Three");
  ear_lists_move (get_lists (fixture), third, first, FALSE);
  ASSERT_TITLES ("Three One Two");
  ear_lists_move (get_lists (fixture), third, second, TRUE);
  ASSERT_TITLES ("One Two Three");
  for (guint i = 0; i < 30; i++)
    {
      ear_lists_move (get_lists (fixture), third, second, FALSE);
      ASSERT_TITLES ("One Three Two");
      ear_lists_move (get_lists (fixture), second, third, FALSE);
      ASSERT_TITLES ("One Two Three");
    }
  ear_undo_run (undo);
  ASSERT_TITLES ("One Three Two");
  ear_lists_change (get_lists (fixture), first, "First", NULL);
  ASSERT_TITLES ("First Three Two");
  ear_undo_run (undo);
  ASSERT_TITLES ("One Three Two");

  rows = open_rows (fixture, first, NULL);
  ASSERT_ROWS (rows, "1 2");
  ear_lists_remove (get_lists (fixture), first);
  ASSERT_TITLES ("Three Two");
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "“One” removed");
  ASSERT_ROWS (rows, "");
  ear_undo_run (undo);
  ASSERT_TITLES ("One Three Two");
  ASSERT_ROWS (rows, "1 2");
  create (fixture, "Four", EPISODES (0));
  ASSERT_TITLES ("One Three Two Four");
  ear_undo_run (undo);
  ASSERT_TITLES ("One Three Two");
}

/* Whatever a file says, a list's title has one line and a readable length. */
static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *many = g_strnfill (5000, 'x');

  ear_lists_create (get_lists (fixture), " \n ", NULL, NULL);
  ear_lists_create (get_lists (fixture), "Two\nlines", NULL, NULL);
  ear_lists_create (get_lists (fixture), many, NULL, NULL);
  g_assert_cmpstr (ear_list_get_title (get_list (fixture, 0)), ==, "Untitled list");
  g_assert_cmpstr (ear_list_get_title (get_list (fixture, 1)), ==, "Two lines");
  g_assert_cmpuint (strlen (ear_list_get_title (get_list (fixture, 2))), ==, 400);
}

/* A search within a list */
static void
test_search (Fixture *fixture, gconstpointer data)
{
  EarList *list = create (fixture, "Walks", EPISODES (3, 7, 5));
  g_autoptr (EarEpisodeList) rows = open_rows (fixture, list, "lamp 7");
  g_autoptr (EarEpisodeList) all = open_rows (fixture, list, "lamp");

  ASSERT_ROWS (rows, "7");
  ASSERT_ROWS (all, "7 5 3");
  add (fixture, list, EPISODES (9));
  ASSERT_ROWS (all, "9 7 5 3");
}

/* Marking all episodes of a list marks no others. */
static void
test_mark_all (Fixture *fixture, gconstpointer data)
{
  EarList *list = create (fixture, "Walks", EPISODES (3, 7));
  g_autoptr (EarEpisodeQuery) query = ear_list_create_query (list, EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisode) third = dup_episode (fixture, 3);
  g_autoptr (EarEpisode) seventh = dup_episode (fixture, 7);
  g_autoptr (EarEpisode) fourth = dup_episode (fixture, 4);

  ear_history_set_marks (ear_library_get_history (fixture->library), &(EarMarkTarget) { .query = query }, EAR_MARK_LISTENED, TRUE);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_listened (third) && ear_episode_get_listened (seventh));
  g_assert_false (ear_episode_get_listened (fourth));
}

static void
remove_catalogue (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->data, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->data, name, NULL);

      if (g_str_has_prefix (name, "catalogue"))
        g_unlink (path);
    }
}

/* Lists are stored in the state files, not in the catalogue, which can be lost. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) rows = NULL;

  insert (fixture, create (fixture, "Walks", EPISODES (4, 2, 6)), EPISODES (6), 4);
  create (fixture, "Evenings", EPISODES (2));
  library_fixture_close (&fixture->library);
  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks Evenings");
  rows = open_rows (fixture, get_list (fixture, 0), NULL);
  ASSERT_ROWS (rows, "6 4 2");
  ASSERT_COUNT (get_list (fixture, 1), 1);

  g_clear_object (&rows);
  library_fixture_close (&fixture->library);
  remove_catalogue (fixture);
  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks Evenings");
  rows = open_rows (fixture, get_list (fixture, 0), NULL);
  ASSERT_ROWS (rows, "6 4 2");
  ASSERT_COUNT (get_list (fixture, 0), 3);
  add (fixture, get_list (fixture, 0), EPISODES (9));
  ASSERT_ROWS (rows, "6 4 2 9");
}

static char *
read_state (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->data, "state", "lists.json", NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));

  return text;
}

static void
write_state (Fixture *fixture, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->data, "state", "lists.json", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* Two computers have added episodes to one list, in another order, and each has created a
 * list: a synchronized folder is merged with the local state. */
static void
test_merged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *both = NULL;
  g_autofree char *elsewhere = NULL;
  g_autoptr (EarEpisodeList) rows = NULL;

  create (fixture, "Walks", EPISODES (1, 2, 3));
  library_fixture_close (&fixture->library);
  both = read_state (fixture);

  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks");
  add (fixture, get_list (fixture, 0), EPISODES (8));
  insert (fixture, get_list (fixture, 0), EPISODES (3), 1);
  take_out (fixture, get_list (fixture, 0), EPISODES (2));
  create (fixture, "Elsewhere", EPISODES (5));
  library_fixture_close (&fixture->library);
  elsewhere = read_state (fixture);

  write_state (fixture, both);
  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks");
  rows = open_rows (fixture, get_list (fixture, 0), NULL);
  ASSERT_ROWS (rows, "1 2 3");
  add (fixture, get_list (fixture, 0), EPISODES (9));
  create (fixture, "Here", EPISODES (6));
  g_clear_object (&rows);
  library_fixture_close (&fixture->library);
  /* The running library writes its own lists again when the other machine's file
   * arrives. */
  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks Here");
  write_state (fixture, elsewhere);
  add (fixture, get_list (fixture, 0), EPISODES (4));
  /* The two lists may have been created in the same second, too. */
  EAR_TEST_WAIT_UNTIL (are_titles (fixture, "Walks Elsewhere Here") || are_titles (fixture, "Walks Here Elsewhere"));
  rows = open_rows (fixture, get_list (fixture, 0), NULL);
  /* Both were added behind the third, in the same second. */
  EAR_TEST_WAIT_UNTIL (are_rows (rows, "3 1 8 9 4") || are_rows (rows, "3 1 9 8 4"));
  ASSERT_COUNT (get_list (fixture, 1), 1);
}

/* One computer removed a list while another one added to it: undo restores all of it. */
static void
test_outlived (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarUndo) undo = NULL;
  g_autoptr (EarEpisodeList) rows = NULL;
  g_autofree char *text = NULL;
  g_autofree char *key = NULL;
  g_autoptr (EarEpisode) seventh = dup_episode (fixture, 7);
  g_autofree char *id = NULL;
  g_autoptr (EarRecord) record = NULL;
  g_autoptr (EarUserdataStore) other = NULL;
  g_autofree char *state = g_build_filename (fixture->data, "state", NULL);
  GVariantDict dict;
  EarList *list;

  watch_undo (fixture, &undo);
  list = create (fixture, "Walks", EPISODES (1));
  key = ear_episode_dup_key (seventh);
  id = g_strconcat (ear_list_get_id (list), "/", key, NULL);
  ear_lists_remove (get_lists (fixture), list);
  ASSERT_TITLES ("");

  other = ear_userdata_store_new (state);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "podcast", "s", ear_podcast_get_address (get_podcast (fixture)));
  g_variant_dict_insert (&dict, "guid", "s", "lamp-7");
  g_variant_dict_insert (&dict, "place", "x", (gint64) 5);
  record = ear_record_new (id, g_variant_dict_end (&dict), g_get_real_time ());
  ear_userdata_store_set_record (other, EAR_RECORD_LIST, record);
  g_clear_object (&other);
  ear_undo_run (undo);
  ASSERT_TITLES ("Walks");
  rows = open_rows (fixture, get_list (fixture, 0), NULL);
  ASSERT_ROWS (rows, "7 1");
}

/* Two computers have added the same episode, whose feed changed its guid in between: it is in
 * the list once, at its first position, and removed with all its records. */
static void
test_two_guids (Fixture *fixture, gconstpointer data)
{
  const struct { const char *guid; const char *alias; gint64 place; } others[] = {
    { "former-3", "lamp-3", -5 },
    { "former-2", "lamp-2", G_MAXINT64 / 2 },
  };
  g_autofree char *state = g_build_filename (fixture->data, "state", NULL);
  g_autofree char *address = g_strdup (ear_podcast_get_address (get_podcast (fixture)));
  g_autofree char *list = NULL;
  g_autoptr (EarUserdataStore) other = NULL;
  g_autoptr (EarEpisodeList) rows = NULL;
  g_autoptr (EarEpisodeList) found = NULL;
  g_autoptr (EarEpisode) third = NULL;
  g_autoptr (EarEpisode) fourth = NULL;

  list = g_strdup (ear_list_get_id (create (fixture, "Walks", EPISODES (1, 2, 3))));
  library_fixture_close (&fixture->library);
  other = ear_userdata_store_new (state);
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *id = g_strconcat (list, "/", others[i].guid, NULL);
      g_autoptr (EarRecord) record = NULL;
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "podcast", "s", address);
      g_variant_dict_insert (&dict, "guid", "s", others[i].guid);
      g_variant_dict_insert (&dict, "alias", "s", others[i].alias);
      g_variant_dict_insert (&dict, "place", "x", others[i].place);
      record = ear_record_new (id, g_variant_dict_end (&dict), g_get_real_time ());
      ear_userdata_store_set_record (other, EAR_RECORD_LIST, record);
    }
  g_clear_object (&other);

  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks");
  rows = open_rows (fixture, get_list (fixture, 0), NULL);
  ASSERT_ROWS (rows, "3 1 2");
  ASSERT_COUNT (get_list (fixture, 0), 3);
  found = open_rows (fixture, get_list (fixture, 0), "lamp");
  ASSERT_ROWS (found, "3 2 1");

  third = dup_episode (fixture, 3);
  fourth = dup_episode (fixture, 4);
  g_assert_true (ear_list_has (get_list (fixture, 0), third));
  g_assert_false (ear_list_has (get_list (fixture, 0), fourth));
  take_out (fixture, get_list (fixture, 0), EPISODES (3));
  ASSERT_ROWS (rows, "1 2");
  g_assert_false (ear_list_has (get_list (fixture, 0), third));
}

/* --- Smart lists -------------------------------------------------------------------- */

static void
put_lengths (Fixture *fixture)
{
  g_autoptr (GString) feed = g_string_new ("<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">"
                                           "<channel><title>The Other Hour</title>");
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  for (guint i = 11; i <= 15; i++)
    {
      g_autoptr (GDateTime) then = g_date_time_add_hours (now, ((int) i - 18) * 24 - 6);
      g_autofree char *date = g_date_time_format (then, "%a, %d %b %Y %H:%M:%S +0000");

      g_string_append_printf (feed, "<item><guid>lamp-%u</guid><title>Short %u</title><itunes:duration>%u</itunes:duration><pubDate>%s</pubDate>"
                              "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/></item>", i, i, i * 60, date, i);
    }
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/other.xml", "application/rss+xml", feed->str);
}

/* Creates a smart list, and asserts its content. */
static EarEpisodeList *
open_smart (Fixture *fixture, const EarListRule *rule, EarList **list)
{
  *list = ear_lists_create (get_lists (fixture), "Smart", rule, NULL);
  g_assert_true (ear_list_is_smart (*list));

  return open_rows (fixture, *list, NULL);
}

static void
set_up_smart (Fixture *fixture, gconstpointer data)
{
  set_up_lists (fixture, data);
  put_lengths (fixture);
  follow (fixture, "/other.xml");
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (ear_library_get_podcasts (fixture->library)) == 2);
  EAR_TEST_WAIT_UNTIL (!ear_refresher_get_refreshing (ear_library_get_refresher (fixture->library)));
}

static EarPodcast *
find_podcast (Fixture *fixture, const char *path)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);

  return ear_catalogue_find_podcast (ear_library_get_catalogue (fixture->library), address);
}

/* Each condition, alone and combined; an episode that no longer matches leaves, and the
 * count drops. */
static void
test_smart (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarListRule) rule = ear_list_rule_new ();
  g_autoptr (EarEpisodeList) rows = NULL;
  g_autoptr (EarEpisodeList) other_rows = NULL;
  g_autoptr (EarEpisode) episode = NULL;
  EarPodcast *other = find_podcast (fixture, "/other.xml");
  const char *addresses[] = { ear_podcast_get_address (other), NULL };
  EarHistory *history = ear_library_get_history (fixture->library);
  EarList *list;

  rule->podcasts = g_strdupv ((char **) addresses);
  rows = open_smart (fixture, rule, &list);
  ASSERT_ROWS (rows, "15 14 13 12 11");
  ASSERT_COUNT (list, 5);

  rule->terms.shortest = 12 * G_TIME_SPAN_MINUTE;
  rule->terms.longest = 14 * G_TIME_SPAN_MINUTE;
  rule->sort = EAR_SORT_OLDEST;
  ear_lists_change (get_lists (fixture), list, "Smart", rule);
  g_set_object (&rows, NULL);
  rows = open_rows (fixture, list, NULL);
  ASSERT_ROWS (rows, "12 13 14");
  ASSERT_COUNT (list, 3);

  rule->terms.played = EAR_PLAYED_NO;
  ear_lists_change (get_lists (fixture), list, "Smart", rule);
  g_clear_object (&rows);
  rows = open_rows (fixture, list, NULL);
  ASSERT_ROWS (rows, "12 13 14");
  episode = ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (fixture->library), other, "lamp-13");
  ear_history_set_mark (history, episode, EAR_MARK_LISTENED, TRUE);
  ASSERT_ROWS (rows, "12 14");
  ASSERT_COUNT (list, 2);

  /* From the last days, in all podcasts */
  g_clear_pointer (&rule->podcasts, g_strfreev);
  rule->terms = (EarEpisodeConditions) { .days = 5 };
  other_rows = open_smart (fixture, rule, &list);
  ASSERT_ROWS (other_rows, "14 15");

  g_clear_object (&other_rows);
  rule->terms = (EarEpisodeConditions) { .liked = TRUE, .played = EAR_PLAYED_YES };
  other_rows = open_smart (fixture, rule, &list);
  ASSERT_ROWS (other_rows, "");
  ear_history_set_mark (history, episode, EAR_MARK_LIKED, TRUE);
  ASSERT_ROWS (other_rows, "13");
  ASSERT_COUNT (list, 1);

  g_clear_object (&other_rows);
  rule->terms = (EarEpisodeConditions) { .played = EAR_PLAYED_BEGUN };
  other_rows = open_smart (fixture, rule, &list);
  ASSERT_ROWS (other_rows, "");
  g_clear_object (&other_rows);
  rule->terms = (EarEpisodeConditions) { .downloaded = TRUE };
  other_rows = open_smart (fixture, rule, &list);
  ASSERT_ROWS (other_rows, "");
}

/* A rule with words, and a search within its result */
static void
test_smart_words (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarListRule) rule = ear_list_rule_new ();
  g_autoptr (EarEpisodeList) rows = NULL;
  g_autoptr (EarEpisodeList) found = NULL;
  EarList *list;

  rule->words = g_strdup ("short");
  rows = open_smart (fixture, rule, &list);
  ASSERT_ROWS (rows, "15 14 13 12 11");
  ASSERT_COUNT (list, 5);
  found = open_rows (fixture, list, "12");
  ASSERT_ROWS (found, "12");
}

/* The words of a rule are sought in titles and notes, and not in transcripts. */
static void
test_smart_words_spoken (Fixture *fixture, gconstpointer data)
{
  EarCatalogue *catalogue = ear_library_get_catalogue (fixture->library);
  g_autoptr (EarListRule) rule = ear_list_rule_new ();
  g_autoptr (EarEpisode) episode = dup_episode (fixture, 3);
  g_autoptr (EarTranscript) transcript = ear_transcript_new ();
  g_autoptr (EarEpisodeQuery) query =
      ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, "spoken");
  g_autoptr (EarEpisodeList) everywhere = NULL;
  g_autoptr (EarEpisodeList) rows = NULL;
  EarList *list;

  ear_transcript_add (transcript, 0, G_TIME_SPAN_SECOND, NULL, "Only spoken");
  ear_catalogue_store_transcript (catalogue, episode, transcript);
  everywhere = ear_episode_list_new_with_query (catalogue, query);
  ASSERT_ROWS (everywhere, "3");
  rule->words = g_strdup ("spoken");
  rows = open_smart (fixture, rule, &list);
  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_loading (rows));
  ASSERT_ROWS (rows, "");
  ASSERT_COUNT (list, 0);
}

static char *
print_rule (const EarListRule *rule)
{
  g_autoptr (GVariant) value = g_variant_ref_sink (ear_list_rule_to_variant (rule));

  return g_variant_print (value, FALSE);
}

/* Rules are the same after a restart; an invalid one uses its valid parts. */
static void
test_smart_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarListRule) rule = ear_list_rule_new ();
  g_autoptr (EarListRule) odd = NULL;
  g_autoptr (GVariant) odd_value = NULL;
  const char *addresses[] = { "https://lighthouse.example/feed", "https://lamp.example/ö\"\\", NULL };
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  rule->podcasts = g_strdupv ((char **) addresses);
  rule->terms = (EarEpisodeConditions) { NULL, EAR_PLAYED_BEGUN, TRUE, TRUE, G_TIME_SPAN_MINUTE, G_TIME_SPAN_HOUR, 30 };
  rule->words = g_strdup ("lamp");
  rule->sort = EAR_SORT_LONGEST;
  before = print_rule (rule);
  ear_lists_create (get_lists (fixture), "Smart", rule, NULL);
  library_fixture_close (&fixture->library);
  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Smart");
  after = print_rule (ear_list_get_rule (get_list (fixture, 0)));
  g_assert_cmpstr (before, ==, after);
  ASSERT_COUNT (get_list (fixture, 0), 0);

  odd_value = g_variant_ref_sink (g_variant_new_parsed ("{'podcasts': <[<1>, <'a'>]>, 'played': <'never'>, 'liked': <'yes'>,"
                                                        " 'shortest': <-5>, 'longest': <1e300>, 'days': <1e9>, 'sort': <7>}"));
  odd = ear_list_rule_read (odd_value);
  g_assert_cmpuint (g_strv_length (odd->podcasts), ==, 1);
  g_assert_cmpint (odd->terms.played, ==, EAR_PLAYED_ANY);
  g_assert_false (odd->terms.liked);
  g_assert_cmpint (odd->terms.shortest, ==, 0);
  g_assert_cmpint (odd->terms.longest, >, 0);
  g_assert_cmpuint (odd->terms.days, ==, EAR_LIST_RULE_MOST_DAYS);
  g_assert_cmpint (odd->sort, ==, EAR_SORT_NEWEST);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/lists/episodes", Fixture, NULL, set_up_lists, test_episodes, tear_down);
  g_test_add ("/lists/no-room", Fixture, NULL, set_up_lists, test_no_room, tear_down);
  g_test_add ("/lists/lists", Fixture, NULL, set_up_lists, test_lists, tear_down);
  g_test_add ("/lists/names", Fixture, NULL, set_up_lists, test_names, tear_down);
  g_test_add ("/lists/search", Fixture, NULL, set_up_lists, test_search, tear_down);
  g_test_add ("/lists/mark-all", Fixture, NULL, set_up_lists, test_mark_all, tear_down);
  g_test_add ("/lists/kept", Fixture, NULL, set_up_lists, test_kept, tear_down);
  g_test_add ("/lists/merged", Fixture, NULL, set_up_lists, test_merged, tear_down);
  g_test_add ("/lists/outlived", Fixture, NULL, set_up_lists, test_outlived, tear_down);
  g_test_add ("/lists/two-guids", Fixture, NULL, set_up_lists, test_two_guids, tear_down);
  g_test_add ("/lists/smart", Fixture, NULL, set_up_smart, test_smart, tear_down);
  g_test_add ("/lists/smart-words", Fixture, NULL, set_up_smart, test_smart_words, tear_down);
  g_test_add ("/lists/smart-words-spoken", Fixture, NULL, set_up_lists, test_smart_words_spoken, tear_down);
  g_test_add ("/lists/smart-kept", Fixture, NULL, set_up_lists, test_smart_kept, tear_down);

  return g_test_run ();
}
