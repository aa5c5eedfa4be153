/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-podcast.h"
#include "ear-search-filter.h"

#include <fenv.h>

/* Filters typed as words, and the completions offered while typing. Podcasts also stand
 * for the listener's own lists: both have a title. */

typedef struct
{
  const char *text;
  const char *expected;
} Case;

static void
check_cases (char *(*print) (const char *text), const Case *cases, gsize n_cases)
{
  for (gsize i = 0; i < n_cases; i++)
    {
      g_autofree char *found = print (cases[i].text);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpstr (found, ==, cases[i].expected);
    }
}

static void
add_podcast (GListStore *podcasts, const char *title, const char *author)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (podcasts));
  g_autoptr (EarPodcast) podcast = ear_podcast_new (n + 1, "https://example.org/feed");
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();

  facts->title = g_strdup (title);
  facts->author = g_strdup (author);
  ear_podcast_set_facts (podcast, facts);
  g_list_store_append (podcasts, podcast);
}

static GListModel *
create_podcasts (void)
{
  GListStore *podcasts = g_list_store_new (EAR_TYPE_PODCAST);

  add_podcast (podcasts, "PyTorch Developer Podcast", NULL);
  add_podcast (podcasts, "Café Torche", NULL);
  add_podcast (podcasts, "The Lighthouse Hour", NULL);

  return G_LIST_MODEL (podcasts);
}

/* The search as text: its words, its filters, and the first filter that is invalid */
static char *
describe (const char *text)
{
  g_autoptr (GListModel) podcasts = create_podcasts ();
  const EarEpisodeConditions *terms;

  feclearexcept (FE_ALL_EXCEPT);
  g_autoptr (EarSearchFilter) search = ear_search_filter_parse (text, podcasts, podcasts);
  /* Casting an out-of-range value raises it, whatever becomes of the result. */
  g_assert_false (fetestexcept (FE_INVALID));
  terms = &search->terms;
  GString *line = g_string_new (search->words);
  g_string_append_c (line, '|');
  for (guint i = 0; terms->podcasts != NULL && i < terms->podcasts->len; i++)
    g_string_append_printf (line, " podcast %d", (int) g_array_index (terms->podcasts, gint64, i));
  if (terms->filters != 0)
    g_string_append_printf (line, " filters %#x", terms->filters);
  if (terms->shortest != 0)
    g_string_append_printf (line, " longer %d", (int) (terms->shortest / G_USEC_PER_SEC));
  if (terms->longest != 0)
    g_string_append_printf (line, " shorter %d", (int) (terms->longest / G_USEC_PER_SEC));
  if (terms->after != 0)
    g_string_append_printf (line, " after %" G_GINT64_FORMAT, terms->after);
  if (terms->before != 0)
    g_string_append_printf (line, " before %" G_GINT64_FORMAT, terms->before);
  if (search->list != NULL)
    g_string_append_printf (line, " in %d", (int) ear_podcast_get_id (EAR_PODCAST (search->list)));
  g_assert_true (ear_search_filter_is_empty (search) == g_str_equal (line->str, "|"));
  g_assert_true ((search->wrong_key == EAR_SEARCH_NO_KEY) == (search->wrong_value == NULL));
  if (search->wrong_value != NULL)
    g_string_append_printf (line, " not %s=%s", ear_search_filter_get_key (search->wrong_key),
                            search->wrong_value);

  return g_string_free_and_steal (line);
}

static void
test_parse (void)
{
  static const Case cases[] = {
    { "", "|" },
    { "  fog  light ", "fog light|" },
    { "podcast:pytorch", "| podcast 1" },
    { "PODCAST:TORCH fog", "fog| podcast 1 podcast 2" },
    { "podcast:cafe podcast:lighthouse", "| podcast 2 podcast 3" },
    { "podcast:\"lighthouse hour\" fog", "fog| podcast 3" },
    { "podcast:“lighthouse hour” fog", "fog| podcast 3" },
    /* Closing quote not typed yet */
    { "podcast:\"lighthouse ho", "| podcast 3" },
    { "is:unplayed", "| filters 0x2" },
    { "is:played is:liked x is:downloaded", "x| filters 0x248" },
    { "is:new", "| filters 0x10" },
    { "is:started is:queued", "| filters 0x104" },
    { "longer:20m", "| longer 1200" },
    { "longer:20", "| longer 1200" },
    { "longer:1h30m shorter:2h", "| longer 5400 shorter 7200" },
    { "longer:1:30 shorter:90s", "| longer 5400 shorter 90" },
    { "longer:1.5h", "| longer 5400" },
    { "after:2023", "| after 1672531200" },
    { "before:2024-05 x", "x| before 1714521600" },
    { "before:2024/05/03 x", "x| before 1714694400" },
    { "before:1970", "| before 1" },
    { "in:light", "| in 3" },
    { "in:\"Café Torche\"", "| in 2" },
    /* A filter that may still become valid is not reported before the next word begins. */
    { "fog is:", "fog|" },
    { "fog is:unpl", "fog|" },
    { "is:unpl ", "is:unpl| not is=unpl" },
    { "after:", "|" },
    { "after:2", "|" },
    { "fog after:20", "fog|" },
    { "after:20 fog", "after:20 fog| not after=20" },
    { "fog after:2023-", "fog|" },
    { "after:2023-0", "|" },
    { "after:2023-1", "| after 1672531200" },
    { "after:2023-10-", "|" },
    { "after:2023-10-0", "|" },
    { "longer:0", "|" },
    { "longer:1mi", "|" },
    /* Unknown filters and values are searched as words. */
    { "is:wet", "is:wet| not is=wet" },
    { "podcast:nobody is:wet", "podcast:nobody is:wet| not podcast=nobody" },
    { "in:nothing x", "in:nothing x| not in=nothing" },
    { "fog LONGER:abc", "fog LONGER:abc| not longer=abc" },
    { "longer:1x", "longer:1x| not longer=1x" },
    { "longer:9999h x", "longer:9999h x| not longer=9999h" },
    { "longer:2e40 x", "longer:2e40 x| not longer=2e40" },
    { "shorter:1e400h x", "shorter:1e400h x| not shorter=1e400h" },
    { "longer:1e-9s x", "x| longer 0" },
    { "longer:0 x", "longer:0 x| not longer=0" },
    { "longer:inf x", "longer:inf x| not longer=inf" },
    { "shorter:\"20 minutes\"", "shorter:\"20 minutes\"| not shorter=20 minutes" },
    { "after:2023-13", "after:2023-13| not after=2023-13" },
    { "after:2023-13-45", "after:2023-13-45| not after=2023-13-45" },
    { "before:2023-02-30 fog", "before:2023-02-30 fog| not before=2023-02-30" },
    { "after:yesterday", "after:yesterday| not after=yesterday" },
    { "after:99999999999999999999 x",
      "after:99999999999999999999 x| not after=99999999999999999999" },
    { "after:0 x", "after:0 x| not after=0" },
    { "after:18", "after:18| not after=18" },
    { "after:20231", "after:20231| not after=20231" },
    { "https://example.org/ is: after: fog", "https://example.org/ is: after: fog|" },
    { "torch::Tensor at::native", "torch::Tensor at::native|" },
    { ":is \"quoted words\" \"open", ":is \"quoted words\" \"open|" },
    { "\"is:unplayed\"", "\"is:unplayed\"|" },
    { "\xff\xfe is:new", "\xef\xbf\xbd\xef\xbf\xbd| filters 0x10" },
  };

  g_autofree char *too_long = g_strnfill (1000 * 1000, ':');

  check_cases (describe, cases, G_N_ELEMENTS (cases));
  g_autofree char *found = describe (too_long);
  g_assert_cmpuint (strlen (found), <=, EAR_SEARCH_FILTER_LIMIT + 1);
}

/* The completions at the cursor, which is at the end or at a `^`, and the entry's text with the
 * first one */
static char *
propose (const char *typed)
{
  g_autoptr (GListModel) podcasts = create_podcasts ();
  g_auto (GStrv) parts = g_strsplit (typed, "^", 2);
  g_autofree char *text = g_strjoinv ("", parts);
  int cursor = (int) g_utf8_strlen (parts[0], -1);
  g_autoptr (GListStore) proposals =
      ear_search_proposals_create (text, cursor, podcasts, podcasts, 2026);
  g_autoptr (EarSearchProposal) first = g_list_model_get_item (G_LIST_MODEL (proposals), 0);
  GString *line = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (proposals)); i++)
    {
      g_autoptr (EarSearchProposal) proposal = g_list_model_get_item (G_LIST_MODEL (proposals), i);

      g_string_append_printf (line, "%s ", ear_search_proposal_get_label (proposal));
    }
  if (first != NULL)
    {
      g_autofree char *applied = ear_search_proposal_apply (first, text, &cursor);
      const char *end = g_utf8_offset_to_pointer (applied, cursor);

      g_string_append_printf (line, "-> %.*s^%s", (int) (end - applied), applied, end);
    }

  return g_string_free_and_steal (line);
}

static void
test_propose (void)
{
  static const Case cases[] = {
    { "^", "" },
    { "p", "" },
    { "fog", "" },
    { "po", "podcast: -> podcast:^" },
    { "fög Po", "podcast: -> fög podcast:^" },
    { "po^ fog", "podcast: -> podcast:^ fog" },
    { "po ", "" },
    { "is", "is: -> is:^" },
    { "is:", "is:unplayed is:played is:started is:new is:liked is:downloaded is:queued "
             "-> is:unplayed ^" },
    { "is:un", "is:unplayed -> is:unplayed ^" },
    { "is:un^ fog", "is:unplayed -> is:unplayed ^fog" },
    { "is:unplayed", "" },
    { "podcast:torch", "podcast:\"PyTorch Developer Podcast\" podcast:\"Café Torche\" "
                       "-> podcast:\"PyTorch Developer Podcast\" ^" },
    { "podcast:\"light", "podcast:\"The Lighthouse Hour\" -> podcast:\"The Lighthouse Hour\" ^" },
    { "podcast:\"The Lighthouse Hour\"", "" },
    { "in:hour", "in:\"The Lighthouse Hour\" -> in:\"The Lighthouse Hour\" ^" },
    { "longer:", "longer:10m longer:20m longer:30m longer:45m longer:1h longer:2h "
                 "-> longer:10m ^" },
    { "shorter:2", "shorter:20m shorter:2h -> shorter:20m ^" },
    { "after:", "after:2026 after:2025 after:2024 after:2023 after:2022 -> after:2026 ^" },
    { "before:2023", "" },
  };

  check_cases (propose, cases, G_N_ELEMENTS (cases));
}

/* The titles of the podcasts that are found, at most three */
static char *
find_podcasts (const char *words)
{
  g_autoptr (GListStore) podcasts = g_list_store_new (EAR_TYPE_PODCAST);
  GString *line = g_string_new (NULL);

  add_podcast (podcasts, "The Lighthouse Hour", "Ada Keeper");
  add_podcast (podcasts, "Évening Lights", NULL);
  add_podcast (podcasts, "Light and Sound", "Bo");
  add_podcast (podcasts, "Tides", "Ada");
  add_podcast (podcasts, "海港電台", NULL);
  add_podcast (podcasts, "A Light", NULL);
  g_autoptr (GPtrArray) found = ear_podcast_search (G_LIST_MODEL (podcasts), words, 3);
  for (guint i = 0; i < found->len; i++)
    g_string_append_printf (line, "%s%s", i > 0 ? "|" : "",
                            ear_podcast_get_title (found->pdata[i]));

  return g_string_free_and_steal (line);
}

/* Podcasts are found by title and author; those whose title begins with the words come first. */
static void
test_podcasts (void)
{
  static const Case cases[] = {
    { "light", "Light and Sound|The Lighthouse Hour|Évening Lights" },
    { "LIGHT hour", "The Lighthouse Hour" },
    { "hour light", "The Lighthouse Hour" },
    { "ada", "The Lighthouse Hour|Tides" },
    { "tides ada", "Tides" },
    { "evening", "Évening Lights" },
    { "電台", "海港電台" },
    { "港電", "海港電台" },
    { "ight", "" },
    { " ", "" },
    { "nothing of it", "" },
  };

  check_cases (find_podcasts, cases, G_N_ELEMENTS (cases));
}

int
main (int argc, char *argv[])
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search-filter/parse", test_parse);
  g_test_add_func ("/search-filter/propose", test_propose);
  g_test_add_func ("/search-filter/podcasts", test_podcasts);

  return g_test_run ();
}
