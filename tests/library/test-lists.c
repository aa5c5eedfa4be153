/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "served-library.h"

/* The listener's own lists: content, undo and persistence */

static EarList *
get_list (Fixture *fixture, guint position)
{
  GListModel *all = ear_lists_get_all (fixture->parts->lists);
  g_autoptr (EarList) list = g_list_model_get_item (all, position);

  return list;
}

/* Whether these are the titles of all lists */
static gboolean
are_titles (Fixture *fixture, const char *expected)
{
  const guint n = g_list_model_get_n_items (ear_lists_get_all (fixture->parts->lists));
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            ear_list_get_title (get_list (fixture, i)));

  return g_str_equal (text->str, expected);
}

static EarEpisodeList *
open_rows (Fixture *fixture, EarList *list, const char *search)
{
  g_autoptr (EarEpisodeQuery) query = ear_list_create_query (list, EAR_SORT_NEWEST, search);

  return ear_episode_list_new_with_query (fixture->parts->catalogue, query);
}

static gboolean
are_rows (EarEpisodeList *rows, const char *expected)
{
  return !ear_episode_list_get_asking (rows) && are_episodes (rows, expected);
}

#define ASSERT_TITLES(expected) EAR_TEST_WAIT_UNTIL (are_titles (fixture, expected))
#define ASSERT_ROWS(rows, expected) EAR_TEST_WAIT_UNTIL (are_rows (rows, expected))
#define ASSERT_UNDO(message) g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, message)

static void
assert_list (Fixture *fixture, guint position, const char *expected)
{
  g_autoptr (EarEpisodeList) rows = open_rows (fixture, get_list (fixture, position), NULL);

  ASSERT_ROWS (rows, expected);
}

static EarList *
create (Fixture *fixture, const char *title, GPtrArray *episodes)
{
  return ear_lists_create (fixture->parts->lists, title, NULL, episodes);
}

/* Inserts in front of another episode, or at the end for 0. */
static void
insert (Fixture *fixture, EarList *list, GPtrArray *episodes, guint before)
{
  EarEpisode *other = before != 0 ? get_lamp (fixture, before) : NULL;

  ear_lists_insert (fixture->parts->lists, list, episodes, other);
}

/* Adding, moving and removing episodes, and undoing each */
static void
test_episodes (Fixture *fixture, gconstpointer data)
{
  EarEpisode *third = get_lamp (fixture, 3), *ninth = get_lamp (fixture, 9);
  EarList *list = create (fixture, "Walks", LAMPS (3, 1));

  ASSERT_UNDO ("2 episodes added to “Walks”");
  g_autoptr (EarEpisodeList) rows = open_rows (fixture, list, NULL);
  ASSERT_ROWS (rows, "3 1");
  ear_lists_add (fixture->parts->lists, list, LAMPS (5, 3));
  ASSERT_UNDO ("Added to “Walks”");
  ASSERT_ROWS (rows, "3 1 5");
  ear_lists_add (fixture->parts->lists, list, LAMPS (3));
  g_assert_cmpstr (fixture->notices->str, ==, "Already in “Walks”\n");

  insert (fixture, list, LAMPS (5, 9), 1);
  ASSERT_ROWS (rows, "3 5 9 1");
  insert (fixture, list, LAMPS (1), 3);
  ASSERT_ROWS (rows, "1 3 5 9");
  ASSERT_UNDO (NULL);
  ear_undo_run (fixture->undo);
  ASSERT_ROWS (rows, "3 5 9 1");
  insert (fixture, list, LAMPS (3), 3);
  insert (fixture, list, LAMPS (3), 0);
  ASSERT_ROWS (rows, "5 9 1 3");

  /* An episode can be in several lists. */
  EarList *other = create (fixture, "Evenings", LAMPS (3));
  g_assert_true (ear_list_has (list, third) && ear_list_has (other, third));
  g_assert_false (ear_list_has (other, ninth));
  g_assert_true (ear_lists_contain (fixture->parts->lists, ninth));
  ear_lists_take_out (fixture->parts->lists, list, LAMPS (3, 9, 2));
  ASSERT_UNDO ("2 episodes removed from “Walks”");
  ASSERT_ROWS (rows, "5 1");
  g_assert_false (ear_lists_contain (fixture->parts->lists, ninth));
  g_assert_true (ear_lists_contain (fixture->parts->lists, third));
  ear_undo_run (fixture->undo);
  ASSERT_ROWS (rows, "5 9 1 3");
  ear_lists_take_out (fixture->parts->lists, list, LAMPS (5));
  ASSERT_UNDO ("Removed from “Walks”");

  /* Any number of episodes can be inserted between the same two. */
  for (guint i = 0; i < 30; i++)
    {
      insert (fixture, list, LAMPS (3), 1);
      ASSERT_ROWS (rows, "9 3 1");
      insert (fixture, list, LAMPS (1), 3);
      ASSERT_ROWS (rows, "9 1 3");
    }
}

/* Creating, renaming, removing and ordering lists */
static void
test_lists (Fixture *fixture, gconstpointer data)
{
  g_autofree char *many = g_strnfill (5000, 'x');
  EarList *first = create (fixture, "One", LAMPS (1, 2));
  EarList *second = create (fixture, "Two", NULL);
  EarList *third = create (fixture, "Three", NULL);

  ASSERT_TITLES ("One Two Three");
  ear_lists_move (fixture->parts->lists, third, first, FALSE);
  ASSERT_TITLES ("Three One Two");
  ear_lists_move (fixture->parts->lists, third, second, TRUE);
  ASSERT_TITLES ("One Two Three");
  for (guint i = 0; i < 30; i++)
    {
      ear_lists_move (fixture->parts->lists, third, second, FALSE);
      ASSERT_TITLES ("One Three Two");
      ear_lists_move (fixture->parts->lists, second, third, FALSE);
      ASSERT_TITLES ("One Two Three");
    }
  ear_undo_run (fixture->undo);
  ASSERT_TITLES ("One Three Two");
  ear_lists_change (fixture->parts->lists, first, "First", NULL);
  ASSERT_TITLES ("First Three Two");
  ear_undo_run (fixture->undo);
  ASSERT_TITLES ("One Three Two");

  g_autoptr (EarEpisodeList) rows = open_rows (fixture, first, NULL);
  ASSERT_ROWS (rows, "1 2");
  ear_lists_remove (fixture->parts->lists, first);
  ASSERT_TITLES ("Three Two");
  ASSERT_UNDO ("“One” removed");
  ASSERT_ROWS (rows, "");
  ear_undo_run (fixture->undo);
  ASSERT_TITLES ("One Three Two");
  ASSERT_ROWS (rows, "1 2");
  create (fixture, "Four", NULL);
  ASSERT_TITLES ("One Three Two Four");
  ear_undo_run (fixture->undo);
  ASSERT_TITLES ("One Three Two");

  /* Whatever a file says, a title has one line and a readable length. */
  create (fixture, " \n ", NULL);
  create (fixture, "Two\nlines", NULL);
  third = create (fixture, many, NULL);
  g_assert_cmpstr (ear_list_get_title (get_list (fixture, 3)), ==, "Untitled list");
  g_assert_cmpstr (ear_list_get_title (get_list (fixture, 4)), ==, "Two lines");
  g_assert_cmpuint (strlen (ear_list_get_title (third)), <=, 400);
}

/* A search within a list; and marking all its episodes, which marks no others */
static void
test_query (Fixture *fixture, gconstpointer data)
{
  EarList *list = create (fixture, "Walks", LAMPS (3, 7, 5));
  g_autoptr (EarEpisodeQuery) query = ear_list_create_query (list, EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisodeList) rows = open_rows (fixture, list, "lamp 7");
  g_autoptr (EarEpisodeList) all = open_rows (fixture, list, "lamp");

  ASSERT_ROWS (rows, "7");
  ASSERT_ROWS (all, "7 5 3");
  ear_lists_add (fixture->parts->lists, list, LAMPS (9));
  ASSERT_ROWS (all, "9 7 5 3");

  ear_history_set_marks (fixture->parts->history, &(EarMarkTarget) { .query = query },
                         EAR_MARK_LISTENED, TRUE);
  for (guint i = 3; i <= 9; i += 2)
    EAR_TEST_WAIT_UNTIL (ear_episode_get_listened (get_lamp (fixture, i)));
  g_assert_false (ear_episode_get_listened (get_lamp (fixture, 4)));
}

/* Lists are stored in the state files, not in the catalogue, which can be lost. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  void (*const restarts[]) (Fixture *) = { restart, restart_without_catalogue };
  EarList *walks = create (fixture, "Walks", LAMPS (4, 2, 6));

  insert (fixture, walks, LAMPS (6), 4);
  create (fixture, "Evenings", LAMPS (2));
  for (gsize i = 0; i < G_N_ELEMENTS (restarts); i++)
    {
      restarts[i] (fixture);
      ASSERT_TITLES ("Walks Evenings");
      assert_list (fixture, 0, "6 4 2");
      assert_list (fixture, 1, "2");
    }
  ear_lists_add (fixture->parts->lists, get_list (fixture, 0), LAMPS (9));
  assert_list (fixture, 0, "6 4 2 9");
}

/* Positions in a file are bounded: lists and episodes can be put behind the highest one. */
static void
test_far_places (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->data, "state", "lists.json", NULL);
  g_autoptr (GRegex) places = g_regex_new ("\"place\": *[0-9]+", 0, 0, NULL);

  create (fixture, "Walks", LAMPS (1));
  close_library (fixture);
  g_autofree char *text = read_text (path);
  g_autofree char *far =
      g_regex_replace_literal (places, text, -1, 0, "\"place\": 9223372036854770000", 0, NULL);
  g_assert_cmpstr (far, !=, text);
  write_text (path, far);
  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks");
  create (fixture, "Evenings", NULL);
  ASSERT_TITLES ("Walks Evenings");
  ear_lists_add (fixture->parts->lists, get_list (fixture, 0), LAMPS (9));
  insert (fixture, get_list (fixture, 0), LAMPS (5), 1);
  assert_list (fixture, 0, "5 1 9");
}

/* Two computers have added episodes to one list, in another order, and each has created a
 * list: a synchronized folder is merged with the local state. */
static void
test_merged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->data, "state", "lists.json", NULL);

  create (fixture, "Walks", LAMPS (1, 2, 3));
  close_library (fixture);
  g_autofree char *both = read_text (path);

  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks");
  ear_lists_add (fixture->parts->lists, get_list (fixture, 0), LAMPS (8));
  insert (fixture, get_list (fixture, 0), LAMPS (3), 1);
  ear_lists_take_out (fixture->parts->lists, get_list (fixture, 0), LAMPS (2));
  create (fixture, "Elsewhere", LAMPS (5));
  close_library (fixture);
  g_autofree char *elsewhere = read_text (path);

  write_text (path, both);
  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks");
  assert_list (fixture, 0, "1 2 3");
  ear_lists_add (fixture->parts->lists, get_list (fixture, 0), LAMPS (9));
  create (fixture, "Here", LAMPS (6));
  close_library (fixture);
  /* When the other machine's file arrives, the library writes its own lists again. */
  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks Here");
  write_text (path, elsewhere);
  ear_lists_add (fixture->parts->lists, get_list (fixture, 0), LAMPS (4));
  /* The two lists may have been created in the same second, too. */
  EAR_TEST_WAIT_UNTIL (are_titles (fixture, "Walks Elsewhere Here") ||
                       are_titles (fixture, "Walks Here Elsewhere"));
  g_autoptr (EarEpisodeList) rows = open_rows (fixture, get_list (fixture, 0), NULL);
  /* Both were added behind the third, in the same second. */
  EAR_TEST_WAIT_UNTIL (are_rows (rows, "3 1 8 9 4") || are_rows (rows, "3 1 9 8 4"));
  g_autoptr (EarEpisodeList) others = open_rows (fixture, get_list (fixture, 1), NULL);
  EAR_TEST_WAIT_UNTIL (are_rows (others, "5") || are_rows (others, "6"));
}

/* Adds an episode to a list as another computer does. @alias: a guid of the episode here */
static void
store_elsewhere (Fixture *fixture, const char *list, const char *guid, const char *alias,
                 gint64 place)
{
  g_autofree char *state = g_build_filename (fixture->data, "state", NULL);
  g_autofree char *id = g_strconcat (list, "/", guid, NULL);
  g_autoptr (EarUserdataStore) other = ear_userdata_store_new (state, EAR_USERDATA_DELAY);
  GVariant *value = g_variant_new_parsed (
    "{'podcast': <%s>, 'guid': <%s>, 'alias': <%s>, 'place': <%x>}",
    get_url (fixture, "/feed.xml"), guid, alias, place);

  ear_userdata_store_set_record (other, EAR_RECORD_LIST,
                                 ear_record_new (id, value, g_get_real_time ()));
}

/* One computer removed a list while another one added to it: undo restores all of it. */
static void
test_outlived (Fixture *fixture, gconstpointer data)
{
  EarList *list = create (fixture, "Walks", LAMPS (1));
  g_autofree char *id = g_strdup (ear_list_get_id (list));

  ear_lists_remove (fixture->parts->lists, list);
  ASSERT_TITLES ("");
  store_elsewhere (fixture, id, "lamp-7", "lamp-7", 5);
  ear_undo_run (fixture->undo);
  ASSERT_TITLES ("Walks");
  assert_list (fixture, 0, "7 1");
}

/* Two computers have added the same episode, whose feed changed its guid in between: it is in
 * the list once, at its first position, and removed with all its records. */
static void
test_two_guids (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = g_strdup (ear_list_get_id (create (fixture, "Walks", LAMPS (1, 2, 3))));

  close_library (fixture);
  store_elsewhere (fixture, list, "former-3", "lamp-3", -5);
  store_elsewhere (fixture, list, "former-2", "lamp-2", G_MAXINT64 / 2);

  open_and_wait (fixture, NULL);
  ASSERT_TITLES ("Walks");
  g_autoptr (EarEpisodeList) rows = open_rows (fixture, get_list (fixture, 0), NULL);
  ASSERT_ROWS (rows, "3 1 2");
  g_autoptr (EarEpisodeList) found = open_rows (fixture, get_list (fixture, 0), "lamp");
  ASSERT_ROWS (found, "3 2 1");

  EarEpisode *third = get_lamp (fixture, 3);
  g_assert_true (ear_list_has (get_list (fixture, 0), third));
  g_assert_false (ear_list_has (get_list (fixture, 0), get_lamp (fixture, 4)));
  ear_lists_take_out (fixture->parts->lists, get_list (fixture, 0), LAMPS (3));
  ASSERT_ROWS (rows, "1 2");
  g_assert_false (ear_list_has (get_list (fixture, 0), third));
}

/* --- Smart lists -------------------------------------------------------------------- */

/* A second podcast has episodes of 11 to 15 minutes, of which each is a day younger than the one
 * before it. */
static void
set_up_smart (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) items = g_string_new (NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  set_up_feed (fixture, data);
  for (guint i = 11; i <= 15; i++)
    {
      g_autoptr (GDateTime) then = g_date_time_add_hours (now, ((int) i - 18) * 24 - 6);
      g_autofree char *date = g_date_time_format (then, "%a, %d %b %Y %H:%M:%S +0000");

      g_string_append_printf (
          items,
          "<item><guid>lamp-%u</guid><title>Short %u</title>"
          "<itunes:duration>%u</itunes:duration><pubDate>%s</pubDate>"
          "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/></item>",
          i, i, i * 60, date, i);
    }
  put_format (fixture, "/other.xml", RSS ("The Other Hour", "%s"), items->str);
  fetch (fixture, "/other.xml");
}

/* Asserts the content of a new smart list. */
static void
assert_smart (Fixture *fixture, const EarListRule *rule, const char *expected)
{
  EarList *list = ear_lists_create (fixture->parts->lists, "Smart", rule, NULL);
  g_autoptr (EarEpisodeList) rows = open_rows (fixture, list, NULL);

  g_assert_true (ear_list_is_smart (list));
  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_loading (rows));
  ASSERT_ROWS (rows, expected);
}

/* The same of a list of the episodes that have all of these states */
static void
assert_filtered (Fixture *fixture, guint filters, const char *expected)
{
  assert_smart (fixture, &(EarListRule){ .terms.filters = filters }, expected);
}

#define BEGUN (1u << EAR_FILTER_IN_PROGRESS)
#define LIKED (1u << EAR_FILTER_LIKED)
#define DOWNLOADED (1u << EAR_FILTER_DOWNLOADED)

/* Each condition, alone and combined; an episode that no longer matches leaves. */
static void
test_smart (Fixture *fixture, gconstpointer data)
{
  char *podcasts[] = { (char *) get_url (fixture, "/other.xml"), NULL };
  EarPodcast *other = ear_catalogue_find_podcast (fixture->parts->catalogue, podcasts[0]);
  g_autoptr (EarEpisode) episode = dup_by_guid (fixture, other, "lamp-13");
  EarListRule rule = { .podcasts = podcasts };
  EarHistory *history = fixture->parts->history;
  const EarEpisodeState begun = ear_episode_state_new_mark (EAR_MARK_POSITION, G_TIME_SPAN_MINUTE);

  assert_smart (fixture, &rule, "15 14 13 12 11");
  EarList *list = get_list (fixture, 0);
  rule.terms.shortest = 12 * G_TIME_SPAN_MINUTE;
  rule.terms.longest = 14 * G_TIME_SPAN_MINUTE;
  rule.sort = EAR_SORT_OLDEST;
  ear_lists_change (fixture->parts->lists, list, "Smart", &rule);
  assert_list (fixture, 0, "12 13 14");
  rule.terms.filters = 1u << EAR_FILTER_UNPLAYED;
  ear_lists_change (fixture->parts->lists, list, "Smart", &rule);
  g_autoptr (EarEpisodeList) rows = open_rows (fixture, list, NULL);
  ASSERT_ROWS (rows, "12 13 14");
  ear_history_set_mark (history, episode, EAR_MARK_LISTENED, TRUE);
  ASSERT_ROWS (rows, "12 14");

  /* From the last days, in all podcasts */
  assert_smart (fixture, &(EarListRule){ .terms.days = 5 }, "15 14");
  assert_filtered (fixture, LIKED | 1u << EAR_FILTER_PLAYED, "");
  ear_history_set_mark (history, episode, EAR_MARK_LIKED, TRUE);
  assert_filtered (fixture, LIKED | 1u << EAR_FILTER_PLAYED, "13");
  assert_filtered (fixture, BEGUN, "");
  /* An episode removed from In Progress is in no list of begun ones. */
  ear_history_set_mark (history, episode, EAR_MARK_LISTENED, FALSE);
  ear_catalogue_set_state (fixture->parts->catalogue, episode, &begun);
  assert_filtered (fixture, BEGUN, "13");
  ear_history_set_mark (history, episode, EAR_MARK_REMOVED, TRUE);
  assert_filtered (fixture, BEGUN, "");
  assert_filtered (fixture, BEGUN | LIKED, "");
  assert_filtered (fixture, DOWNLOADED, "");
}

/* A rule's words are sought in titles and notes, not in transcripts. */
static void
test_smart_words (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarTranscript) transcript = ear_transcript_new ();

  assert_smart (fixture, &(EarListRule){ .words = (char *) "short" }, "15 14 13 12 11");
  g_autoptr (EarEpisodeList) found = open_rows (fixture, get_list (fixture, 0), "12");
  ASSERT_ROWS (found, "12");

  ear_transcript_add (transcript, 0, G_TIME_SPAN_SECOND, NULL, "Only spoken");
  ear_catalogue_store_transcript (fixture->parts->catalogue, get_lamp (fixture, 3), transcript);
  g_autoptr (EarEpisodeList) everywhere =
      open_list (fixture, ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, "spoken"));
  ASSERT_ROWS (everywhere, "3");
  assert_smart (fixture, &(EarListRule){ .words = (char *) "spoken" }, "");
}

/* Rules are the same after a restart; an invalid one uses its valid parts. */
static void
test_smart_kept (Fixture *fixture, gconstpointer data)
{
  const char *podcasts[] = { "https://lighthouse.example/feed", "https://lamp.example/ö\"\\",
                             NULL };
  const EarListRule rule = {
    .podcasts = (char **) podcasts,
    .terms = { .filters = BEGUN | LIKED | DOWNLOADED, .days = 30, .shortest = G_TIME_SPAN_MINUTE,
               .longest = G_TIME_SPAN_HOUR },
    .words = (char *) "lamp",
    .sort = EAR_SORT_LONGEST,
  };
  g_autoptr (GVariant) before = g_variant_ref_sink (ear_list_rule_to_variant (&rule));

  ear_lists_create (fixture->parts->lists, "Smart", &rule, NULL);
  restart (fixture);
  ASSERT_TITLES ("Smart");
  g_autoptr (GVariant) after =
    g_variant_ref_sink (ear_list_rule_to_variant (ear_list_get_rule (get_list (fixture, 0))));
  g_assert_cmpvariant (before, after);
  assert_list (fixture, 0, "");

  g_autoptr (GVariant) odd_value = g_variant_ref_sink (
      g_variant_new_parsed ("{'podcasts': <[<1>, <'a'>]>, 'played': <'never'>, 'liked': <'yes'>,"
                            " 'shortest': <-5>, 'longest': <1e300>, 'days': <1e9>, 'sort': <7>}"));
  g_autoptr (EarListRule) odd = ear_list_rule_read (odd_value);
  g_assert_cmpuint (g_strv_length (odd->podcasts), ==, 1);
  g_assert_cmpuint (odd->terms.filters, ==, 0);
  g_assert_cmpint (odd->terms.shortest, ==, 0);
  g_assert_cmpint (odd->terms.longest, >, 0);
  g_assert_cmpuint (odd->terms.days, ==, EAR_LIST_RULE_MOST_DAYS);
  g_assert_cmpint (odd->sort, ==, EAR_SORT_NEWEST);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, set_up, test)                                                                    \
  g_test_add ("/lists/" name, Fixture, GUINT_TO_POINTER (9), set_up, test, tear_down)
  ADD ("episodes", set_up_feed, test_episodes);
  ADD ("lists", set_up_feed, test_lists);
  ADD ("query", set_up_feed, test_query);
  ADD ("kept", set_up_feed, test_kept);
  ADD ("far-places", set_up_feed, test_far_places);
  ADD ("merged", set_up_feed, test_merged);
  ADD ("outlived", set_up_feed, test_outlived);
  ADD ("two-guids", set_up_feed, test_two_guids);
  ADD ("smart", set_up_smart, test_smart);
  ADD ("smart-words", set_up_smart, test_smart_words);
  ADD ("smart-kept", set_up_feed, test_smart_kept);

  return g_test_run ();
}
