/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-tabs.h"
#include "ear-test-wait.h"
#include "widget-finder.h"

/* Tabs are visible while they have content; the chosen one is shown
 * whenever it is visible. */

static const char template[] =
  "<interface><object class='EarTabs' id='tabs'>"
  "<child><object class='AdwViewStackPage'><property name='name'>notes</property><property name='title'>Notes</property>"
  "<property name='child'><object class='GtkButton'/></property></object></child>"
  "<child><object class='AdwViewStackPage' id='chapters'><property name='name'>chapters</property><property name='title'>Chapters</property>"
  "<property name='visible'>False</property><property name='child'><object class='GtkButton'/></property></object></child>"
  "<child><object class='AdwViewStackPage' id='links'><property name='name'>links</property><property name='title'>Links</property>"
  "<property name='visible'>False</property><property name='child'><object class='GtkButton'/></property></object></child>"
  "</object></interface>";

typedef struct
{
  EarTabs *tabs;
  AdwViewStack *stack;
  AdwViewStackPage *chapters;
  AdwViewStackPage *links;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GtkBuilder) builder = NULL;

  g_type_ensure (EAR_TYPE_TABS);
  builder = gtk_builder_new_from_string (template, -1);
  fixture->tabs = g_object_ref_sink (EAR_TABS (gtk_builder_get_object (builder, "tabs")));
  fixture->chapters = g_object_ref (ADW_VIEW_STACK_PAGE (gtk_builder_get_object (builder, "chapters")));
  fixture->links = g_object_ref (ADW_VIEW_STACK_PAGE (gtk_builder_get_object (builder, "links")));
  fixture->stack = find_widget (GTK_WIDGET (fixture->tabs), ADW_TYPE_VIEW_STACK);
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
  ear_tabs_move (fixture->tabs, 1);
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
      ear_tabs_move (fixture->tabs, 1);
      assert_shown (fixture, forwards[i], TRUE);
    }
  ear_tabs_move (fixture->tabs, -1);
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
  g_object_set (fixture->tabs, "chosen", "links", NULL);
  assert_shown (fixture, "notes", FALSE);
  adw_view_stack_page_set_visible (fixture->chapters, TRUE);
  assert_shown (fixture, "notes", TRUE);
  adw_view_stack_page_set_visible (fixture->links, TRUE);
  assert_shown (fixture, "links", TRUE);
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

  return g_test_run ();
}
