/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>

#include "ear-test-folder.h"
#include "served-library.h"

/* Marking, liking and unfollowing, with undo; also in the state files */

static void
set_up_marks (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, data);
  follow_feed (fixture, 10);
  /* Objects that live show a mark before it is stored. */
  for (guint i = 1; i <= 10; i++)
    get_lamp (fixture, i);
}

/* Waits for one more undo. */
static void
assert_undo (Fixture *fixture, const char *message)
{
  EAR_TEST_WAIT_UNTIL (fixture->n_undos == 1);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, message);
  fixture->n_undos = 0;
}

#define ASSERT_UNPLAYED(n)                                                                         \
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_unplayed (get_podcast (fixture)) == (n))

/* Whether an episode has a mark, which may not be stored yet */
static gboolean
has_mark (Fixture *fixture, guint number, EarMark mark)
{
  return ear_episode_get_mark (get_lamp (fixture, number), mark) != 0;
}

/* Marks those that a filter shows, older than an episode, if not 0. */
static void
mark_all (Fixture *fixture, EarEpisodeFilter filter, guint older_than)
{
  g_autoptr (EarEpisodeQuery) query = query_podcast (fixture, filter, EAR_SORT_NEWEST);
  EarEpisode *last = older_than != 0 ? get_lamp (fixture, older_than) : NULL;
  const EarMarkTarget target = { .query = query, .older_than = last };

  ear_history_set_marks (fixture->parts->history, &target, EAR_MARK_LISTENED, TRUE);
}

/* Marks chosen episodes. The mark is visible at once, before it is stored. */
static void
mark_some (Fixture *fixture, GPtrArray *episodes, EarMark mark, gboolean value,
           const char *message)
{
  g_autoptr (GArray) ids = dup_ids (episodes);

  ear_history_set_marks (fixture->parts->history, &(EarMarkTarget) { .ids = ids }, mark, value);
  for (guint i = 0; i < episodes->len; i++)
    g_assert_cmpint (ear_episode_get_mark (episodes->pdata[i], mark) != 0, ==, value);
  assert_undo (fixture, message);
}

/* All marks then come from the state file. */
static void
lose_all_but_state (Fixture *fixture)
{
  restart_without_catalogue (fixture);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 10);
}

/* All episodes, or those older than one; undo leaves the one that was played before. */
static void
test_all (Fixture *fixture, gconstpointer data)
{
  set_mark (fixture, 9, EAR_MARK_LISTENED, TRUE);
  assert_undo (fixture, NULL);
  mark_all (fixture, EAR_FILTER_ALL, 0);
  assert_undo (fixture, "9 episodes marked as played");
  g_assert_true (has_mark (fixture, 10, EAR_MARK_LISTENED));
  g_assert_cmpuint (ear_podcast_get_n_unplayed (get_podcast (fixture)), ==, 0);

  /* Without an episode left to mark there is no undo. */
  mark_all (fixture, EAR_FILTER_ALL, 0);
  ear_undo_run (fixture->undo);
  ASSERT_UNPLAYED (9);
  g_assert_false (has_mark (fixture, 10, EAR_MARK_LISTENED));
  g_assert_true (has_mark (fixture, 9, EAR_MARK_LISTENED));
  g_assert_cmpuint (fixture->n_undos, ==, 0);

  mark_all (fixture, EAR_FILTER_UNPLAYED, 8);
  assert_undo (fixture, "7 episodes marked as played");
  g_assert_false (has_mark (fixture, 8, EAR_MARK_LISTENED));
  lose_all_but_state (fixture);
  ASSERT_UNPLAYED (2);
}

/* Marks chosen episodes; undo leaves those that had the mark before. */
static void
test_some (Fixture *fixture, gconstpointer data)
{
  mark_some (fixture, LAMPS (7, 3), EAR_MARK_LISTENED, TRUE, "2 episodes marked as played");
  ear_undo_run (fixture->undo);
  ASSERT_UNPLAYED (10);
  g_assert_false (has_mark (fixture, 7, EAR_MARK_LISTENED));
  /* A second undo does nothing. */
  ear_undo_run (fixture->undo);
  mark_some (fixture, LAMPS (7), EAR_MARK_LISTENED, TRUE, "1 episode marked as played");
  mark_some (fixture, LAMPS (7), EAR_MARK_LISTENED, FALSE, "1 episode marked as unplayed");

  set_mark (fixture, 7, EAR_MARK_LIKED, TRUE);
  assert_undo (fixture, NULL);
  mark_some (fixture, LAMPS (7, 3), EAR_MARK_LIKED, TRUE, "1 episode liked");
  ear_undo_run (fixture->undo);
  EAR_TEST_WAIT_UNTIL (!has_mark (fixture, 3, EAR_MARK_LIKED));
  g_assert_true (has_mark (fixture, 7, EAR_MARK_LIKED));
  g_assert_false (has_mark (fixture, 7, EAR_MARK_LISTENED));
  mark_some (fixture, LAMPS (7, 3), EAR_MARK_LIKED, FALSE, "1 episode unliked");
  mark_some (fixture, LAMPS (7, 3), EAR_MARK_LIKED, TRUE, "2 episodes liked");
  lose_all_but_state (fixture);
  EAR_TEST_WAIT_UNTIL (has_mark (fixture, 7, EAR_MARK_LIKED) &&
                       has_mark (fixture, 3, EAR_MARK_LIKED));
}

/* A single mark shows no notice, as it is visible, but can be undone. */
static void
test_one (Fixture *fixture, gconstpointer data)
{
  const EarMark mark = GPOINTER_TO_INT (data);

  set_mark (fixture, 7, mark, TRUE);
  set_mark (fixture, 7, mark, TRUE);
  g_assert_true (has_mark (fixture, 7, mark));
  ASSERT_UNPLAYED (mark == EAR_MARK_LISTENED ? 9 : 10);
  assert_undo (fixture, NULL);
  ear_undo_run (fixture->undo);
  g_assert_false (has_mark (fixture, 7, mark));
  ASSERT_UNPLAYED (10);
  if (mark == EAR_MARK_LIKED)
    set_mark (fixture, 7, mark, TRUE);
  lose_all_but_state (fixture);
  ASSERT_UNPLAYED (10);
  g_autoptr (EarEpisodeList) liked =
      open_list (fixture, query_podcast (fixture, EAR_FILTER_LIKED, EAR_SORT_NEWEST));
  EAR_TEST_WAIT_UNTIL (are_episodes (liked, mark == EAR_MARK_LIKED ? "7" : ""));
}

/* Undo restores the rows, the marks, and the episode in the player. */
static void
test_unfollow (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = get_podcast (fixture);
  EarPlayer *player = fixture->parts->player;
  const guint n_requests = count_requests (fixture, "/feed.xml");

  fixture->first = dup_lamp (fixture, 9);
  fixture->list = list_all (fixture);
  mark_all (fixture, EAR_FILTER_ALL, 9);
  assert_undo (fixture, "8 episodes marked as played");
  ear_playback_controller_play (fixture->parts->playback_controller, fixture->first, fixture->list);
  g_assert_true (ear_player_get_episode (player) == fixture->first);
  unfollow (fixture);
  g_assert_false (ear_podcast_get_followed (podcast));
  g_assert_null (ear_player_get_episode (player));
  assert_undo (fixture, "Unfollowed “The Lighthouse Hour”");
  EAR_TEST_WAIT_UNTIL (!has_rows (fixture->list, 1));

  ear_undo_run (fixture->undo);
  g_assert_true (ear_podcast_get_followed (podcast));
  EAR_TEST_WAIT_UNTIL (has_rows (fixture->list, 10));
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 2);
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "The Lighthouse Hour");
  g_assert_true (ear_player_get_episode (player) == fixture->first);
  /* The server is only asked for changes: no full fetch. */
  EAR_TEST_WAIT_UNTIL (count_requests (fixture, "/feed.xml") > n_requests && is_at_rest (fixture));
  g_autoptr (EarTestRequest) request =
      ear_test_server_dup_last_request (fixture->server, "/feed.xml");
  g_assert_cmpuint (request->status, ==, 304);
  lose_all_but_state (fixture);
  ASSERT_UNPLAYED (2);
}

static void
copy_catalogue (const char *from, const char *to)
{
  static const char *const names[] = { "catalogue.db", "catalogue.db-wal" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) source = g_file_new_build_filename (from, names[i], NULL);
      g_autoptr (GFile) target = g_file_new_build_filename (to, names[i], NULL);
      g_autoptr (GError) error = NULL;

      if (!g_file_copy (source, target, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error))
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
    }
}

/* Killed before the state files have the marks of the catalogue: the next start adds them. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *killed = g_build_filename (fixture->folder, "killed", NULL);
  g_autofree char *state = g_build_filename (fixture->data, "state", NULL);
  g_autofree char *path = dup_subscriptions_path (fixture);

  set_mark (fixture, 8, EAR_MARK_LIKED, TRUE);
  assert_undo (fixture, NULL);
  mark_all (fixture, EAR_FILTER_ALL, 0);
  assert_undo (fixture, "10 episodes marked as played");
  g_assert_no_errno (g_mkdir (killed, 0700));
  copy_catalogue (fixture->data, killed);
  close_library (fixture);
  g_autofree char *subscriptions = read_text (path);
  ear_test_folder_remove (state);
  g_assert_no_errno (g_mkdir (state, 0700));
  write_text (path, subscriptions);
  copy_catalogue (killed, fixture->data);

  open_library (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture));
  ASSERT_UNPLAYED (0);
  lose_all_but_state (fixture);
  ASSERT_UNPLAYED (0);
  EAR_TEST_WAIT_UNTIL (has_mark (fixture, 8, EAR_MARK_LIKED));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, test)                                                                      \
  g_test_add ("/marks/" path, Fixture, GINT_TO_POINTER (data), set_up_marks, test, tear_down)
  ADD ("all", 0, test_all);
  ADD ("some", 0, test_some);
  ADD ("one/listened", EAR_MARK_LISTENED, test_one);
  ADD ("one/liked", EAR_MARK_LIKED, test_one);
  ADD ("unfollow", 0, test_unfollow);
  ADD ("killed", 0, test_killed);

  return g_test_run ();
}
