/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-episode-selection.h"

/* Signals of a selection, as its list view receives them */
typedef struct
{
  EarEpisodeSelection *selection;
  GString *log;
} Watched;

static void
items_changed_cb (GListModel *model, guint position, guint n_removed, guint n_added, Watched *watched)
{
  g_string_append_printf (watched->log, "%u-%u+%u ", position, n_removed, n_added);
}

static void
selection_changed_cb (GtkSelectionModel *model, guint position, guint n_items, Watched *watched)
{
  g_string_append_printf (watched->log, "%u..%u ", position, position + n_items - 1);
}

static void
n_selected_cb (EarEpisodeSelection *selection, GParamSpec *pspec, Watched *watched)
{
  g_string_append_printf (watched->log, "=%u ", ear_episode_selection_get_n_selected (selection));
}

static void
watch (Watched *watched)
{
  watched->selection = g_object_new (EAR_TYPE_EPISODE_SELECTION, NULL);
  watched->log = g_string_new (NULL);
  g_signal_connect (watched->selection, "items-changed", G_CALLBACK (items_changed_cb), watched);
  g_signal_connect (watched->selection, "selection-changed", G_CALLBACK (selection_changed_cb), watched);
  g_signal_connect (watched->selection, "notify::n-selected", G_CALLBACK (n_selected_cb), watched);
}

static void
unwatch (Watched *watched)
{
  g_assert_finalize_object (watched->selection);
  g_string_free (watched->log, TRUE);
}

static void
assert_told (Watched *watched, const char *expected)
{
  g_assert_cmpstr (watched->log->str, ==, expected);
  g_string_truncate (watched->log, 0);
}

/* Asserts the positions of the selected rows. */
static void
assert_selected (EarEpisodeSelection *selection, const char *expected)
{
  g_autoptr (GString) selected = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (selection)) + 2; i++)
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (selection), i))
      g_string_append_printf (selected, "%u ", i);
  g_assert_cmpstr (selected->str, ==, expected);
}

static void
wait_for_rows (EarEpisodeList *list, guint n_rows)
{
  const gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (g_list_model_get_n_items (G_LIST_MODEL (list)) != n_rows && g_get_monotonic_time () < deadline)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, n_rows);
}

static EarEpisodeList *
make_list (Fixture *fixture, const char *name, guint n_episodes)
{
  g_autoptr (GPtrArray) episodes = make_episodes (name, n_episodes, NEWEST);
  EarPodcast *podcast = follow (fixture, name);
  g_autoptr (EarEpisodeQuery) query =
    ear_episode_query_new (ear_podcast_get_id (podcast), EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  EarEpisodeList *list = NULL;

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  list = ear_episode_list_new_with_query (fixture->catalogue, query);
  wait_for_rows (list, n_episodes);

  return list;
}

static void
test_new (Fixture *fixture, gconstpointer data)
{
  Watched watched;

  watch (&watched);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (watched.selection)), ==, 0);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (watched.selection), 0));
  g_assert_true (g_list_model_get_item_type (G_LIST_MODEL (watched.selection)) == EAR_TYPE_EPISODE);
  g_assert_cmpuint (ear_episode_selection_get_first (watched.selection), ==, GTK_INVALID_LIST_POSITION);
  ear_episode_selection_select_only (watched.selection, GTK_INVALID_LIST_POSITION);
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (watched.selection));
  g_assert_cmpuint (ear_episode_selection_get_n_selected (watched.selection), ==, 0);
  assert_told (&watched, "");
  unwatch (&watched);
}

static void
test_selecting (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = make_list (fixture, "a", 6);
  g_autoptr (GArray) ids = NULL;
  g_autoptr (EarEpisode) second = NULL;
  GtkSelectionModel *model;
  Watched watched;

  watch (&watched);
  model = GTK_SELECTION_MODEL (watched.selection);
  ear_episode_selection_set_list (watched.selection, list);
  assert_told (&watched, "0-0+6 =0 ");

  ear_episode_selection_select_only (watched.selection, 4);
  assert_told (&watched, "4..4 =1 ");
  ear_episode_selection_select_only (watched.selection, 4);
  assert_told (&watched, "");
  ear_episode_selection_select_only (watched.selection, 1);
  assert_selected (watched.selection, "1 ");
  assert_told (&watched, "1..4 =1 ");
  ear_episode_selection_toggle (watched.selection, 3);
  assert_selected (watched.selection, "1 3 ");
  assert_told (&watched, "3..3 =2 ");
  g_assert_cmpuint (ear_episode_selection_get_first (watched.selection), ==, 1);

  ids = ear_episode_selection_dup_ids (watched.selection);
  second = g_list_model_get_item (G_LIST_MODEL (list), 3);
  g_assert_cmpuint (ids->len, ==, 2);
  g_assert_cmpint (g_array_index (ids, gint64, 1), ==, ear_episode_get_id (second));

  ear_episode_selection_toggle (watched.selection, 1);
  assert_selected (watched.selection, "3 ");
  gtk_selection_model_select_range (model, 2, 3, FALSE);
  assert_selected (watched.selection, "2 3 4 ");
  gtk_selection_model_select_all (model);
  assert_selected (watched.selection, "0 1 2 3 4 5 ");
  g_assert_cmpuint (ear_episode_selection_get_n_selected (watched.selection), ==, 6);
  /* Rows that do not exist cannot be selected. */
  gtk_selection_model_select_range (model, 5, 20, TRUE);
  assert_selected (watched.selection, "5 ");
  g_string_truncate (watched.log, 0);
  ear_episode_selection_select_only (watched.selection, GTK_INVALID_LIST_POSITION);
  assert_told (&watched, "5..5 =0 ");
  unwatch (&watched);
}

/* A row stays selected while rows come and go around it. */
static void
test_rows_change (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = make_list (fixture, "a", 4);
  g_autoptr (EarEpisode) chosen = g_list_model_get_item (G_LIST_MODEL (list), 2);
  g_autoptr (EarEpisodeFacts) fresh = make_episode ("fresh", "Fresh", NEWEST + DAY, "");
  EarPodcast *podcast = ear_episode_get_podcast (chosen);
  g_autoptr (EarEpisode) now = NULL;
  Watched watched;

  watch (&watched);
  ear_episode_selection_set_list (watched.selection, list);
  ear_episode_selection_select_only (watched.selection, 2);
  g_string_truncate (watched.log, 0);

  store_one (fixture->catalogue, podcast, g_steal_pointer (&fresh));
  flush (fixture->catalogue);
  wait_for_rows (list, 5);
  assert_told (&watched, "0-0+1 ");
  assert_selected (watched.selection, "3 ");
  now = g_list_model_get_item (G_LIST_MODEL (watched.selection), ear_episode_selection_get_first (watched.selection));
  g_assert_true (now == chosen);

  /* A row that leaves the list is no longer selected. */
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  wait_for_rows (list, 0);
  assert_told (&watched, "0-5+0 =0 ");
  assert_selected (watched.selection, "");
  unwatch (&watched);
}

static void
test_another_list (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) first = make_list (fixture, "a", 5);
  g_autoptr (EarEpisodeList) second = make_list (fixture, "b", 3);
  Watched watched;

  watch (&watched);
  ear_episode_selection_set_list (watched.selection, first);
  ear_episode_selection_select_only (watched.selection, 1);
  g_string_truncate (watched.log, 0);
  ear_episode_selection_set_list (watched.selection, first);
  assert_told (&watched, "");
  ear_episode_selection_set_list (watched.selection, second);
  assert_told (&watched, "0-5+3 =0 ");
  assert_selected (watched.selection, "");

  /* Changes of the previous list do not matter any more. */
  ear_catalogue_unfollow (fixture->catalogue, ear_catalogue_find_podcast (fixture->catalogue, "https://example.org/a"));
  wait_for_rows (first, 0);
  assert_told (&watched, "");
  ear_episode_selection_set_list (watched.selection, NULL);
  assert_told (&watched, "0-3+0 =0 ");
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (watched.selection), 0));
  unwatch (&watched);
}

/* Ctrl+A selects a long list in one step. */
static void
test_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = make_list (fixture, "a", 600);
  g_autoptr (GtkBitset) selected = NULL;
  Watched watched;

  watch (&watched);
  ear_episode_selection_set_list (watched.selection, list);
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (watched.selection));
  assert_told (&watched, "0-0+600 =0 0..599 =600 ");
  selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (watched.selection));
  g_assert_cmpuint (gtk_bitset_get_size (selected), ==, 600);
  unwatch (&watched);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/episode-selection/" name, Fixture, NULL, fixture_set_up, function, fixture_tear_down)
  ADD ("new", test_new);
  ADD ("selecting", test_selecting);
  ADD ("rows-change", test_rows_change);
  ADD ("another-list", test_another_list);
  ADD ("all", test_all);

  return g_test_run ();
}
