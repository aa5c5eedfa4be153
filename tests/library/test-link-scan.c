/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"
#include "ear-link-list.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "served-library.h"

/* Links in notes, and chapters, are collected in the background. */

/* Does not wait until the writer is idle. Returns: %TRUE */
static gboolean
scan (Fixture *fixture)
{
  ear_writer_push (fixture->parts->catalogue->writer,
                   (EarCatalogueOp) { .perform = ear_writer_scan });

  return TRUE;
}

#define HEAD                                                                                       \
  "<rss version=\"2.0\" xmlns:psc=\"http://podlove.org/simple-chapters\"><channel><title>The "     \
  "Lighthouse Hour</title>"

static void
put_notes (Fixture *fixture, const char *first, const char *second)
{
  g_autofree char *feed = g_strdup_printf (
      HEAD
      "<item><guid>1</guid><title>One</title><pubDate>Mon, 01 Jan 2024 12:00:00 +0000</pubDate>"
      "<description><![CDATA[%s]]></description></item>"
      "<item><guid>2</guid><title>Two</title><pubDate>Mon, 08 Jan 2024 12:00:00 +0000</pubDate>"
      "<description><![CDATA[%s]]></description></item>"
      "<item><guid>3</guid><title>Three</title><pubDate>Mon, 15 Jan 2024 12:00:00 "
      "+0000</pubDate></item></channel></rss>",
      first, second);

  put_text (fixture, "/feed.xml", feed);
}

static EarLinkList *
open_links (Fixture *fixture)
{
  EarLinkList *list = ear_link_list_new (fixture->parts->catalogue);

  ear_link_list_set_watching (list, TRUE);
  ear_link_list_set_query (list, &(EarLinkQuery) { .kind = -1 });

  return list;
}

static gboolean
are_links (EarLinkList *list, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    {
      g_autoptr (EarLink) link = g_list_model_get_item (G_LIST_MODEL (list), i);

      g_string_append_printf (text, "%s=%s ", ear_link_get_words (link), ear_link_get_key (link));
    }

  return g_str_equal (text->str, expected);
}

static void
test_collect (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLinkList) list = NULL;

  put_notes (fixture, "<p>See <a href='https://arxiv.org/abs/1?utm_source=x'>the paper</a></p>",
             "<ul><li><a href='http://arxiv.org/abs/1'>again</a></li><li><a "
             "href='/faq'>Questions</a></li></ul>");
  follow_served (fixture);
  list = open_links (fixture);
  EAR_TEST_WAIT_UNTIL (scan (fixture) && ear_link_list_get_n_links (list) == 2 &&
                       g_list_model_get_n_items (G_LIST_MODEL (list)) == 2);

  /* Edited notes are scanned again. */
  put_notes (fixture, "<p>Nothing</p>", "<p><a href='https://example.org/new'>New</a></p>");
  refresh (fixture);
  EAR_TEST_WAIT_UNTIL (scan (fixture) && are_links (list, "New=example.org/new "));
}

/* Notes that were not scanned before quitting are scanned after the next start, when the
 * writer is idle. */
static void
test_goes_on (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLinkList) list = NULL;

  put_notes (fixture, "<p><a href='https://example.org/a'>A</a></p>",
             "<p><a href='https://example.org/b'>B</a></p>");
  follow_served (fixture);
  restart (fixture);
  list = open_links (fixture);
  EAR_TEST_WAIT_UNTIL (are_links (list, "B=example.org/b A=example.org/a "));
}

static void
put_chapters (Fixture *fixture, const char *second)
{
  g_autofree char *feed = g_strdup_printf (
      HEAD "<item><guid>1</guid><title>One</title><psc:chapters version=\"1.2\"><psc:chapter "
           "start=\"0\" title=\"Anchors\"/>"
           "<psc:chapter start=\"1:30\" title=\"%s\"/></psc:chapters></item></channel></rss>",
      second);

  put_text (fixture, "/feed.xml", feed);
}

static EarEpisodeList *
search (Fixture *fixture, const char *words)
{
  return open_list (fixture, ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, words));
}

static guint
count (EarEpisodeList *list)
{
  return g_list_model_get_n_items (G_LIST_MODEL (list));
}

/* Chapters from the feed are collected, too, and an open search shows them. */
static void
test_chapters (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) chains = NULL;
  g_autoptr (EarEpisodeList) ropes = NULL;

  put_chapters (fixture, "Chains");
  follow_served (fixture);
  chains = search (fixture, "chains");
  ropes = search (fixture, "ropes");
  EAR_TEST_WAIT_UNTIL (scan (fixture) && count (chains) == 1 &&
                       !ear_episode_list_get_asking (ropes));
  g_assert_cmpuint (count (ropes), ==, 0);
  put_chapters (fixture, "Ropes");
  refresh (fixture);
  EAR_TEST_WAIT_UNTIL (scan (fixture) && count (ropes) == 1 && count (chains) == 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD_TEST ("/link-scan/collect", test_collect);
  ADD_TEST ("/link-scan/chapters", test_chapters);
  ADD_TEST ("/link-scan/goes-on", test_goes_on);

  return g_test_run ();
}
