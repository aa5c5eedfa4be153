/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-format-episode.h"

static void
add_person (GPtrArray *list, const char *name, const char *role)
{
  EarPerson *person = ear_person_new ();

  person->name = g_strdup (name);
  person->role = g_strdup (role);
  g_ptr_array_add (list, person);
}

static void
test_names (void)
{
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();
  g_autofree char *nobody = ear_people_format (facts->persons);
  g_autofree char *text = NULL;

  g_assert_null (nobody);
  add_person (facts->persons, "Ann <Lee> & %s", "HOST");
  add_person (facts->persons, "Bob", "ship's cook");
  add_person (facts->persons, "Carol", NULL);
  text = ear_people_format (facts->persons);
  g_assert_cmpstr (text, ==, "Ann <Lee> & %s (host), Bob (ship's cook), Carol");
}

static void
test_many (void)
{
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();
  g_autofree char *twenty = NULL;
  g_autofree char *more = NULL;

  for (int i = 0; i < 20; i++)
    add_person (facts->persons, "Ann", NULL);
  twenty = ear_people_format (facts->persons);
  g_assert_true (g_str_has_suffix (twenty, "Ann, Ann"));
  for (int i = 0; i < 5; i++)
    add_person (facts->persons, "Bob", NULL);
  more = ear_people_format (facts->persons);
  g_assert_true (g_str_has_suffix (more, "Ann, and 6 more"));
}

/* The people of an episode replace those of the podcast. */
static void
test_episode (void)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, "https://example.org/feed");
  g_autoptr (EarEpisode) episode = ear_episode_new (1, podcast, "guid");
  g_autoptr (EarPodcastFacts) podcast_facts = ear_podcast_facts_new ();
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();
  g_autofree char *nobody = ear_people_format_of_episode (episode);
  g_autofree char *own = NULL;
  g_autofree char *of_podcast = NULL;

  g_assert_null (nobody);
  add_person (podcast_facts->persons, "Ann", "host");
  ear_podcast_set_facts (podcast, podcast_facts);
  of_podcast = ear_people_format_of_episode (episode);
  g_assert_cmpstr (of_podcast, ==, "With Ann (host)");
  add_person (facts->persons, "Bob", "guest");
  ear_episode_set_facts (episode, facts);
  own = ear_people_format_of_episode (episode);
  g_assert_cmpstr (own, ==, "With Bob (guest)");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/people/names", test_names);
  g_test_add_func ("/people/many", test_many);
  g_test_add_func ("/people/episode", test_episode);

  return g_test_run ();
}
