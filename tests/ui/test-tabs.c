/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-tabs.h"
#include "ear-test-wait.h"
#include "widget-finder.h"

/* Tabs are visible while they have content; the chosen one is shown
 * whenever it is visible. */

typedef struct
{
  EarEpisodeTabs *tabs;
  AdwViewStack *stack;
  AdwViewStackPage *chapters;
  AdwViewStackPage *links;
} Fixture;

static AdwViewStackPage *
find_page (Fixture *fixture, const char *name)
{
  return g_object_ref (adw_view_stack_get_page (fixture->stack, adw_view_stack_get_child_by_name (fixture->stack, name)));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->tabs = g_object_ref_sink (g_object_new (EAR_TYPE_EPISODE_TABS, NULL));
  fixture->stack = find_widget (GTK_WIDGET (fixture->tabs), ADW_TYPE_VIEW_STACK);
  fixture->chapters = find_page (fixture, "chapters");
  fixture->links = find_page (fixture, "links");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->chapters);
  g_object_unref (fixture->links);
  g_assert_finalize_object (fixture->tabs);
}

static void
assert_shown (Fixture *fixture, const char *name, gboolean several)
{
  GtkWidget *switcher = find_widget (GTK_WIDGET (fixture->tabs), ADW_TYPE_INLINE_VIEW_SWITCHER);

  g_assert_cmpstr (adw_view_stack_get_visible_child_name (fixture->stack), ==, name);
  g_assert_cmpint (gtk_widget_get_visible (switcher), ==, several);
}

static void
test_alone (Fixture *fixture, gconstpointer data)
{
  assert_shown (fixture, "notes", FALSE);
  ear_episode_tabs_move (fixture->tabs, 1);
  assert_shown (fixture, "notes", FALSE);
}

static void
test_move (Fixture *fixture, gconstpointer data)
{
  const char *const forwards[] = { "chapters", "links", "notes" };

  adw_view_stack_page_set_visible (fixture->chapters, TRUE);
  adw_view_stack_page_set_visible (fixture->links, TRUE);
  assert_shown (fixture, "notes", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (forwards); i++)
    {
      ear_episode_tabs_move (fixture->tabs, 1);
      assert_shown (fixture, forwards[i], TRUE);
    }
  ear_episode_tabs_move (fixture->tabs, -1);
  assert_shown (fixture, "links", TRUE);
}

/* Clicking through episodes, some of which have chapters */
static void
test_stays (Fixture *fixture, gconstpointer data)
{
  adw_view_stack_page_set_visible (fixture->chapters, TRUE);
  adw_view_stack_set_visible_child_name (fixture->stack, "chapters");
  for (guint i = 0; i < 2; i++)
    {
      adw_view_stack_page_set_visible (fixture->chapters, FALSE);
      assert_shown (fixture, "notes", FALSE);
      adw_view_stack_page_set_visible (fixture->chapters, TRUE);
      assert_shown (fixture, "chapters", TRUE);
    }

  /* While the chosen tab is invisible, the listener chooses another one. */
  adw_view_stack_page_set_visible (fixture->chapters, FALSE);
  adw_view_stack_page_set_visible (fixture->links, TRUE);
  assert_shown (fixture, "notes", TRUE);
  adw_view_stack_set_visible_child_name (fixture->stack, "links");
  adw_view_stack_page_set_visible (fixture->chapters, TRUE);
  assert_shown (fixture, "links", TRUE);

  adw_view_stack_set_visible_child_name (fixture->stack, "notes");
  adw_view_stack_page_set_visible (fixture->links, FALSE);
  adw_view_stack_page_set_visible (fixture->links, TRUE);
  assert_shown (fixture, "notes", TRUE);
}

/* The chosen tab becomes visible only later. */
static void
test_chosen_before (Fixture *fixture, gconstpointer data)
{
  ear_episode_tabs_choose (fixture->tabs, "links");
  assert_shown (fixture, "notes", FALSE);
  adw_view_stack_page_set_visible (fixture->chapters, TRUE);
  assert_shown (fixture, "notes", TRUE);
  adw_view_stack_page_set_visible (fixture->links, TRUE);
  assert_shown (fixture, "links", TRUE);
}

/* The tab of the transcript goes with the episode that names one. */
static void
test_transcript (Fixture *fixture, gconstpointer data)
{
  g_autoptr (AdwViewStackPage) page = find_page (fixture, "transcript");
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, "https://example.org/feed.xml");
  g_autoptr (EarEpisode) episode = ear_episode_new (1, podcast, "guid");
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();

  g_ptr_array_add (facts->transcripts, ear_transcript_link_new ());
  g_object_set (fixture->tabs, "episode", episode, NULL);
  g_assert_false (adw_view_stack_page_get_visible (page));
  ear_episode_set_facts (episode, facts);
  g_assert_true (adw_view_stack_page_get_visible (page));
  g_object_set (fixture->tabs, "episode", NULL, NULL);
  g_assert_false (adw_view_stack_page_get_visible (page));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add ("/ui/tabs/alone", Fixture, NULL, set_up, test_alone, tear_down);
  g_test_add ("/ui/tabs/move", Fixture, NULL, set_up, test_move, tear_down);
  g_test_add ("/ui/tabs/stays", Fixture, NULL, set_up, test_stays, tear_down);
  g_test_add ("/ui/tabs/chosen-before", Fixture, NULL, set_up, test_chosen_before, tear_down);
  g_test_add ("/ui/tabs/transcript", Fixture, NULL, set_up, test_transcript, tear_down);

  return g_test_run ();
}
