/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error.h"
#include "ear-page-state.h"

static EarPodcast *
make_podcast (guint n_episodes, gboolean refreshing, int error_code, gint64 checked)
{
  EarPodcast *podcast = ear_podcast_new (1, "https://example.org/feed.xml");
  g_autoptr (GError) error = error_code >= 0 ? g_error_new (EAR_ERROR, error_code, "test") : NULL;

  ear_podcast_set_n_episodes (podcast, n_episodes);
  ear_podcast_set_refreshing (podcast, refreshing);
  ear_podcast_set_error (podcast, error);
  ear_podcast_set_checked (podcast, checked);

  return podcast;
}

static void
assert_podcast (gboolean loading, guint n_items, guint n_episodes, gboolean refreshing, int error_code, gint64 checked, gboolean online,
                EarPageState expected, const char *title)
{
  g_autoptr (EarPodcast) podcast = make_podcast (n_episodes, refreshing, error_code, checked);
  const EarPageFacts facts = {
    .kind = EAR_SIDEBAR_ITEM_PODCAST,
    .loading = loading,
    .n_items = n_items,
    .podcast = podcast,
    .online = online,
    .filter = EAR_FILTER_UNPLAYED,
  };
  EarPageText text;

  g_assert_cmpint (ear_page_state_find (&facts), ==, expected);
  if (expected != EAR_PAGE_STATUS)
    return;
  text = ear_page_text_find (&facts);
  g_assert_cmpstr (text.title, ==, title);
  g_assert_nonnull (text.icon_name);
}

static void
test_podcast (void)
{
  /* A page with rows shows them in any case. */
  assert_podcast (FALSE, 5, 83, TRUE, EAR_ERROR_OFFLINE, 0, FALSE, EAR_PAGE_CONTENT, NULL);
  assert_podcast (FALSE, 5, 0, FALSE, -1, 0, TRUE, EAR_PAGE_CONTENT, NULL);
  assert_podcast (TRUE, 0, 83, FALSE, -1, 1, TRUE, EAR_PAGE_LOADING, NULL);
  assert_podcast (FALSE, 0, 83, FALSE, -1, 1, TRUE, EAR_PAGE_STATUS, "No Unplayed Episodes");
  assert_podcast (TRUE, 0, 0, TRUE, -1, 0, TRUE, EAR_PAGE_FETCHING, NULL);
  assert_podcast (FALSE, 0, 0, TRUE, EAR_ERROR_OFFLINE, 0, FALSE, EAR_PAGE_FETCHING, NULL);
  assert_podcast (FALSE, 0, 0, FALSE, EAR_ERROR_OFFLINE, 0, TRUE, EAR_PAGE_STATUS, "No Network");
  assert_podcast (FALSE, 0, 0, FALSE, EAR_ERROR_NOT_FOUND, 0, TRUE, EAR_PAGE_STATUS, "Not Found");
  assert_podcast (FALSE, 0, 0, FALSE, -1, 1, TRUE, EAR_PAGE_STATUS, "No Episodes Yet");
  assert_podcast (FALSE, 0, 0, FALSE, -1, 0, FALSE, EAR_PAGE_STATUS, "No Network");
  assert_podcast (FALSE, 0, 0, FALSE, -1, 0, TRUE, EAR_PAGE_FETCHING, NULL);
}

/* The state "fetching" lasts until the episodes are listed: the listener never reads in
 * between that there are none. A later query does not bring it back. */
static void
test_coming (void)
{
  g_autoptr (EarPodcast) podcast = make_podcast (0, TRUE, -1, 0);
  EarPageFacts facts = { .kind = EAR_SIDEBAR_ITEM_PODCAST, .podcast = podcast, .online = TRUE, .fetching = TRUE };

  g_assert_cmpint (ear_page_state_find (&facts), ==, EAR_PAGE_FETCHING);
  ear_podcast_set_n_episodes (podcast, 3);
  g_assert_cmpint (ear_page_state_find (&facts), ==, EAR_PAGE_FETCHING);
  facts.asking = TRUE;
  ear_podcast_set_refreshing (podcast, FALSE);
  g_assert_cmpint (ear_page_state_find (&facts), ==, EAR_PAGE_FETCHING);
  facts.search = "zebra";
  g_assert_cmpint (ear_page_state_find (&facts), ==, EAR_PAGE_STATUS);
  facts.search = NULL;
  facts.asking = FALSE;
  g_assert_cmpint (ear_page_state_find (&facts), ==, EAR_PAGE_STATUS);
  facts.asking = TRUE;
  facts.fetching = FALSE;
  g_assert_cmpint (ear_page_state_find (&facts), ==, EAR_PAGE_STATUS);
  facts.n_items = 3;
  g_assert_cmpint (ear_page_state_find (&facts), ==, EAR_PAGE_CONTENT);
}

static void
test_views (void)
{
  const struct
  {
    EarSidebarItemKind kind;
    const char *title;
    const char *button;
  } views[] = {
    { EAR_SIDEBAR_ITEM_NEW, "You Are Up to Date", "app.refresh-all" },
    { EAR_SIDEBAR_ITEM_IN_PROGRESS, "No Episodes in Progress", NULL },
    { EAR_SIDEBAR_ITEM_DOWNLOADS, "No Downloads", NULL },
    { EAR_SIDEBAR_ITEM_SAVED, "No Liked Episodes", NULL },
    { EAR_SIDEBAR_ITEM_HISTORY, "No History Yet", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++)
    {
      EarPageFacts facts = { .kind = views[i].kind, .online = TRUE, .loading = TRUE };
      EarPageText text;

      g_assert_cmpint (ear_page_state_find (&facts), ==, EAR_PAGE_LOADING);
      facts.loading = FALSE;
      g_assert_cmpint (ear_page_state_find (&facts), ==, EAR_PAGE_STATUS);
      text = ear_page_text_find (&facts);
      g_assert_cmpstr (text.title, ==, views[i].title);
      g_assert_cmpstr (text.action, ==, views[i].button);
    }
}

static void
test_search (void)
{
  EarPageFacts facts = { .kind = EAR_SIDEBAR_ITEM_NEW, .search = "zebra" };
  EarPageText here, everywhere, troubled;

  g_assert_cmpint (ear_page_state_find (&facts), ==, EAR_PAGE_STATUS);
  here = ear_page_text_find (&facts);
  g_assert_cmpstr (here.title, ==, "No Episodes Found");
  g_assert_cmpstr (here.action, ==, "list.search-everywhere");
  facts.everywhere = TRUE;
  everywhere = ear_page_text_find (&facts);
  g_assert_cmpstr (everywhere.title, ==, "No Episodes Found");
  g_assert_null (everywhere.action);

  /* A filter with an error has it in every scope: no button to search everywhere. */
  facts.everywhere = FALSE;
  facts.trouble = "That is not a date.";
  troubled = ear_page_text_find (&facts);
  g_assert_cmpstr (troubled.title, ==, "No Episodes Found");
  g_assert_cmpstr (troubled.body, ==, "That is not a date.");
  g_assert_null (troubled.action);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/page-state/podcast", test_podcast);
  g_test_add_func ("/page-state/coming", test_coming);
  g_test_add_func ("/page-state/views", test_views);
  g_test_add_func ("/page-state/search", test_search);

  return g_test_run ();
}
