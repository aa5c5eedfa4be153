/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-episode-groups.h"

/* The sections of a list, in which an episode without a season joins the row above it */

/* @seasons: of the rows, from the newest on */
static EarEpisodeGroups *
make_groups (Fixture *fixture, const char *seasons)
{
  const guint n = (guint) strlen (seasons);
  g_autoptr (GPtrArray) episodes = make_episodes ("a", n, NEWEST);
  EarPodcast *podcast = follow (fixture, "a");
  g_autoptr (EarEpisodeQuery) query =
      ear_episode_query_new (ear_podcast_get_id (podcast), EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisodeList) list = NULL;

  for (guint i = 0; i < n; i++)
    ((EarEpisodeFacts *) g_ptr_array_index (episodes, i))->season = seasons[i] - '0';
  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  list = ear_episode_list_new_with_query (fixture->catalogue, query);
  for (guint i = 0; i < 5000 && g_list_model_get_n_items (G_LIST_MODEL (list)) < n; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, n);

  return ear_episode_groups_new (list, EAR_GROUPING_SEASONS);
}

/* @expected: the first row of each row's section */
static void
assert_starts (EarEpisodeGroups *groups, const char *expected)
{
  g_autoptr (GString) starts = g_string_new (NULL);
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (groups));

  for (guint i = 0; i < n; i++)
    {
      guint start, end, end_of_start;

      gtk_section_model_get_section (GTK_SECTION_MODEL (groups), i, &start, &end);
      g_string_append_printf (starts, "%u", start);
      g_assert_cmpuint (i, <, end);
      gtk_section_model_get_section (GTK_SECTION_MODEL (groups), start, &start, &end_of_start);
      g_assert_cmpuint (end_of_start, ==, end);
    }
  g_assert_cmpstr (starts->str, ==, expected);
}

static void
test_seasons (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeGroups) groups = make_groups (fixture, "0330220010");
  g_autofree char *first = ear_episode_groups_describe (groups, 0);
  g_autofree char *second = ear_episode_groups_describe (groups, 4);

  assert_starts (groups, "0000444488");
  g_assert_true (ear_episode_groups_have_headings (groups));
  g_assert_nonnull (strstr (first, "Season 3"));
  g_assert_nonnull (strstr (second, "Season 2"));
}

static void
test_one_season (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeGroups) groups = make_groups (fixture, data);

  assert_starts (groups, "000");
  g_assert_false (ear_episode_groups_have_headings (groups));
}

int
main (int argc, char *argv[])
{
  static const FixtureTest tests[] = {
    { "/episode-groups/seasons", test_seasons },
    { "/episode-groups/one-season", test_one_season, "010" },
    { "/episode-groups/no-season", test_one_season, "000" },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
