/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include "ear-catalogue-private.h"
#include "ear-episode-list.h"
#include "ear-episode-sql.h"
#include "ear-notes.h"

#include <string.h>

/* Searches in titles, notes, chapters, transcripts and bookmarks, and their snippets */

#define assert_found(fixture, words, expected) \
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, words, expected)
#define assert_ranked(fixture, words, expected) \
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, words, expected)

/* Each case has words, and the guids of the episodes that have them. */
static void
check_found (Fixture *fixture, const char *const (*cases)[2], gsize n_cases)
{
  for (gsize i = 0; i < n_cases; i++)
    {
      g_test_message ("%s", cases[i][0]);
      assert_found (fixture, cases[i][0], cases[i][1]);
    }
}

/* A text in which a piece is repeated until it has this length */
static GString *
repeat (const char *piece, gsize length)
{
  GString *text = g_string_new (NULL);

  while (text->len < length)
    g_string_append (text, piece);

  return text;
}

static void
test_search (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[][2] = {
    { "__torch_function__", "torch" }, { "aotautograd", "torch" }, { "AOTAuto", "torch" },
    { "torch", "torch cafe p1" },      { "cafe creme", "cafe" },   { "CRÈM  café", "" },
    { "café CRÈM", "cafe" },           { "foo-ba", "cafe" },       { "bold", "plain" },
    { "two one", "plain" },            { "hidden", "" },           { "comment", "" },
    { "amp", "" },
    /* The podcast's internal token does not match a word typed by the listener. */
    { "p1", "p1" },
  };
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");

  store_all (fixture->catalogue, podcast,
             make_episode ("torch", "AOTAutograd", NEWEST, "<p>About <code>__torch_function__</code> &amp; friends</p>"),
             make_episode ("cafe", "Café crème", NEWEST - 1, "a torch&shy;light, foo-bar, x&lt;y"),
             make_episode ("plain", "Plain", NEWEST - 2,
                           "<style>hidden</style><b>bo</b>ld <!-- comment --> <p>one</p><p>two</p>"), NULL);
  store_one (fixture->catalogue, other, make_episode ("p1", "p1 torch", NEWEST - 3, NULL));

  check_found (fixture, cases, G_N_ELEMENTS (cases));
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_OLDEST, "torch", "p1 cafe torch");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "torch", "torch cafe");
  assert_query (fixture, other, EAR_FILTER_ALL, EAR_SORT_NEWEST, "torch", "p1");
}

/* Names are found by their parts, and by nothing shorter. Only the beginning of a long word is
 * searched, at any position among others. */
static void
test_names (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[][2] = {
    { "torch", "name" },      { "function of", "name" },     { "torch_function", "name" },
    { "__torch", "name" },    { "http server", "name" },     { "naive major", "name" },
    { "bayes etat", "name" }, { "aot", "mixed" },            { "autograd phone", "mixed" },
    { "gpt4 all", "mixed" },  { "nction", "" },              { "ds", "" },
    { "torch_server", "" },
    /* Consecutive words, whichever parts they have */
    { "function-in-http", "name" }, { "torch-function", "" }, { "__torch_function__-in-server", "name" },
  };
  g_autofree char *word = g_strnfill (150, 'w');
  const char *title = ear_test_format ("%s and more", word);

  store_all (fixture->catalogue, follow (fixture, "one"),
             make_episode ("name", "__torch_function__ in HTTPServer", NEWEST, "Of naïveBayes_ÉtatMajor"),
             make_episode ("mixed", "AOTAutograd, DVDs, iPhone", NEWEST - 1, "GPT4All"), NULL);
  check_found (fixture, cases, G_N_ELEMENTS (cases));

  store_one (fixture->catalogue, follow (fixture, "two"), make_episode ("long", title, NEWEST, NULL));
  assert_found (fixture, word, "long");
  assert_found (fixture, title, "long");
  assert_found (fixture, ear_test_format ("%s less", word), "");
}

/* Letters, apostrophes and forms typed differently, and words in texts without spaces */
static void
test_spelling (Fixture *fixture, gconstpointer data)
{
  static const char *const titles[][2] = {
    { "polish", "Żółć w Łodzi" },      { "latin", "Gallia est dīvīsa" }, { "german", "Straßenmusik in Gießen" },
    { "danish", "Æbler på Fanø" },     { "quote", "The captain’s log" }, { "letter", "The captainʼs hat" },
    { "turkish", "Iğdır ve İzmir" },   { "viet", "Đường về Đà Lạt" },    { "ligature", "ﬁrst ﬂoor oﬃce" },
    { "wide", "Ｌｕａ ２０２４" },      { "japanese", "朝の連続ラジオ小説" }, { "kana", "ﾗｼﾞｵ体操" },
    { "chinese", "開源軟體十年史" },     { "korean", "도서관에서 만난 사람들" }, { "mixed", "PyTorch入門講座" },
    { "thai", "ข่าวเช้าวันนี้" },          { "icelandic", "Þóra á Suðurlandi" }, { "hebrew", "שָׁלוֹם עולם" },
    { "russian", "Ёлка и йод" },       { "french", "Œuvre d’un cœur" },  { "greek", "Ὀδυσσεύς" },
    { "apart", "Zu\xcc\x88rich" },     { "jamo", "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab글날" },
  };
  static const char *const cases[][2] = {
    { "zolc", "polish" },      { "żółć", "polish" },        { "lodzi", "polish" },       { "ŁODZI", "polish" },
    { "divisa", "latin" },     { "strassen", "german" },    { "GIESSEN", "german" },     { "straße", "german" },
    { "aebler", "danish" },    { "fano", "danish" },        { "captain's log", "quote" }, { "captain’s hat", "letter" },
    { "captain‘s log", "quote" }, { "captain`s hat", "letter" },
    { "igdir", "turkish" },    { "izmir", "turkish" },      { "da lat", "viet" },        { "duong", "viet" },
    { "first office", "ligature" }, { "ﬂoor", "ligature" }, { "lua 2024", "wide" },      { "連続", "japanese" },
    { "ラジオ", "japanese kana" }, { "小説 朝", "japanese" }, { "続連", "" },               { "軟體", "chinese" },
    { "年史", "chinese" },      { "관에서", "korean" },        { "사람", "korean" },         { "入門", "mixed" },
    { "pytorch入", "mixed" },   { "torch 講座", "mixed" },     { "วันนี้", "thai" },          { "thora", "icelandic" },
    { "sudur", "icelandic" },  { "שלום", "hebrew" },        { "елка йод", "russian" },   { "oeuvre coeur", "french" },
    { "οδυσσευς", "greek" },   { "zürich", "apart" },       { "한글", "jamo" },           { "zurich", "apart" },
  };
  EarPodcast *podcast = follow (fixture, "one");

  for (gsize n = 0; n < G_N_ELEMENTS (titles); n++)
    store_one (fixture->catalogue, podcast, make_episode (titles[n][0], titles[n][1], NEWEST - (gint64) n, NULL));
  check_found (fixture, cases, G_N_ELEMENTS (cases));
}

/* The podcast is checked for each matching row: using the index of each podcast would
 * take a second with two hundred podcasts. */
static void
test_of_podcasts (Fixture *fixture, gconstpointer data)
{
  EarPodcast *one = follow (fixture, "one");
  EarPodcast *two = follow (fixture, "two");
  const gint64 wanted[] = { ear_podcast_get_id (one), ear_podcast_get_id (two) + 1 };
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_TITLE, "lamp");
  EarEpisodeConditions terms = { .podcasts = ear_ids_new () };
  g_autoptr (GArray) podcasts = g_array_append_vals (terms.podcasts, wanted, G_N_ELEMENTS (wanted));

  store_one (fixture->catalogue, one, make_episode ("a", "Lamps", NEWEST, NULL));
  store_one (fixture->catalogue, two, make_episode ("b", "Lamps", NEWEST - 1, NULL));
  ear_episode_query_narrow (query, &terms);
  g_autoptr (GArray) ids = read_now (fixture->catalogue, ear_read_query (query, 0));
  g_assert_cmpuint (ids->len, ==, 1);

  g_autofree char *plan = explain_query (fixture->path, query);
  g_assert_null (strstr (plan, "episode_of"));

  /* Statements are kept: their texts do not depend on the values. */
  const char *texts[2];
  for (gint64 i = 0; i < 2; i++)
    {
      query->terms.shortest = query->terms.longest = query->terms.after = query->terms.before = i + 1;
      query->terms.days = (guint) i + 1;
      g_array_append_val (podcasts, i);
      texts[i] = ear_episode_sql_get (query);
    }
  g_assert_true (texts[0] == texts[1]);
}

/* Anything typed is words: never an operator, never an error. */
static void
test_hostile_search (Fixture *fixture, gconstpointer data)
{
  static const char *const searches[] = {
    "\"", "\"\"\"", "'", "*", "**", "a*b", "NEAR(a b)", "NOT", "AND OR NOT", "title : word", "{title} : x", "-word",
    "^word", "a\" OR \"b", "(((((((((", ")", "word)", "\\", "%", "_", "__", "\xff\xfe", "\xf0\x9f\x8e\xa7", "a\tb\nc",
    ";DROP TABLE episode;--", "?1", ":x", "@x", "$x", "\x01\x02", "+", "col1:", "\u202e", "ü", "中文字",
  };
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GString) many = repeat ("word ", 50000);
  g_autofree char *long_word = g_strnfill (100000, 'x');
  g_autofree char *quotes = g_strnfill (100000, '"');

  store_one (fixture->catalogue, podcast, make_episode ("a", "word NOT title", NEWEST, "a word OR another: 中文字"));
  for (gsize i = 0; i < G_N_ELEMENTS (searches); i++)
    for (int sort = EAR_SORT_NEWEST; sort <= EAR_SORT_LONGEST; sort++)
      {
        g_autoptr (GArray) all = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, (EarEpisodeSort) sort, searches[i], 0);
        g_autoptr (GArray) one = run_query (fixture->catalogue, podcast, EAR_FILTER_UNPLAYED, (EarEpisodeSort) sort, searches[i], 0);

        g_assert_cmpuint (all->len, <=, 1);
        g_assert_cmpuint (one->len, ==, all->len);
      }
  assert_found (fixture, many->str, "a");
  assert_found (fixture, long_word, "");
  assert_found (fixture, quotes, "");
  assert_found (fixture, "NOT", "a");
  assert_found (fixture, "nothing OR word", "");
  /* The word of a podcast in the index */
  assert_found (fixture, ear_test_format ("p%d", (int) ear_podcast_get_id (podcast)), "");
  assert_found (fixture, "ｐ１", "");
  assert_found (fixture, "(p)", "");
}

static void
test_hostile_facts (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = ear_catalogue_follow (fixture->catalogue, "https://example.org/\xff", "bad \xfe title");
  EarEpisodeFacts *facts = make_episode ("\xc3\x28", "\xf0\x28\x8c\x28", G_MAXINT64, "\xed\xa0\x80 <p");
  EarPerson *person = ear_person_new ();
  g_autofree char *guid = g_strnfill (1000000, 'g');
  g_autofree char *tags = g_strnfill (2000000, '<');

  person->name = g_strdup ("\xff");
  g_ptr_array_add (facts->persons, person);
  g_set_str (&facts->number, "\xff");
  facts->season = G_MININT;
  facts->duration = G_MININT64;
  store_one (fixture->catalogue, podcast, facts);
  store_one (fixture->catalogue, podcast, make_episode (guid, "Long", NEWEST, tags));
  g_autoptr (GArray) ids =
      run_query (fixture->catalogue, podcast, EAR_FILTER_ALL, EAR_SORT_TITLE, NULL, 0);
  g_assert_cmpuint (ids->len, ==, 2);
  for (guint i = 0; i < ids->len; i++)
    {
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode (fixture->catalogue, g_array_index (ids, gint64, i));

      g_assert_true (g_utf8_validate (ear_episode_get_title (episode), -1, NULL));
      g_assert_true (g_utf8_validate (ear_episode_get_guid (episode), -1, NULL));
      g_assert_cmpuint (strlen (ear_episode_get_guid (episode)), <=, 1024);
      g_autofree char *notes = load_notes (fixture->catalogue, episode, NULL);
      g_assert_true (g_utf8_validate (notes, -1, NULL));
    }
  g_assert_cmpuint (fixture->n_new, ==, 2);
}

/* Each of these would take minutes if the time were quadratic in the length. */
static void
test_hostile_notes (Fixture *fixture, gconstpointer data)
{
  static const char *const pieces[] = { "<", "<!--", "<a", "&", "&#", "</style", "<style>", "< ", "&amp", "<script>x</" };
  EarPodcast *podcast = follow (fixture, "one");

  for (gsize i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GString) notes = repeat (pieces[i], 1000000);

      g_string_append (notes, " >");
      store_one (fixture->catalogue, podcast, make_episode (pieces[i], "Title", NEWEST, notes->str));
    }
  flush (fixture->catalogue);
  g_assert_cmpuint (fixture->n_new, ==, G_N_ELEMENTS (pieces));
}

/* Each transaction adds a segment to the index; idle time merges them. */
static void
test_merging (Fixture *fixture, gconstpointer data)
{
  static const char count[] = "SELECT count (DISTINCT segid) FROM episode_text_idx";
  EarPodcast *podcast = follow (fixture, "one");
  const gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (GPtrArray) episodes = make_episodes (ear_test_format ("e%u", i), 20, NEWEST - i);

      store (fixture->catalogue, podcast, episodes);
      flush (fixture->catalogue);
    }
  const gint64 n_segments = read_number (fixture->path, count);
  /* If this thread was delayed for longer, the index may already be merged. */
  if (g_get_monotonic_time () - start < G_USEC_PER_SEC)
    g_assert_cmpint (n_segments, ==, 10);
  wait_for_number (fixture, count, 1);
  g_autoptr (GArray) ids =
      run_query (fixture->catalogue, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", 0);
  g_assert_cmpuint (ids->len, ==, 200);
}

/* The best match first: in the title, at its start, then by the number in the notes */
static void
test_ranked (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GString) notes = repeat ("kernel ", 1400);

  store_all (fixture->catalogue, podcast, make_episode ("once", "New", NEWEST, "a tensor"),
             make_episode ("often", "Newer", NEWEST - 1, "tensor and tensor and tensors"),
             make_episode ("titled", "About a tensor", NEWEST - 2, "nothing"),
             make_episode ("first", "Tensor cores", NEWEST - 3, NULL),
             make_episode ("twin", "Old", NEWEST - 4, "a tensor"),
             make_episode ("none", "Tense", NEWEST - 5, "nothing"), NULL);
  assert_ranked (fixture, "tensor", "first titled often once twin");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_RANKED, "tensor", "first titled often once twin");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_RANKED, "a tensor", "titled once twin");
  assert_query (fixture, NULL, EAR_FILTER_LIKED, EAR_SORT_RANKED, "tensor", "");
  /* Without words, newest first; one or two letters are a whole word. */
  assert_ranked (fixture, NULL, "once often titled first twin none");
  assert_ranked (fixture, "t", "");
  assert_ranked (fixture, "tensor a", "titled once twin");
  assert_ranked (fixture, "zq", "");

  /* A match in the title counts more than any number in the notes. */
  store_one (fixture->catalogue, podcast, make_episode ("both", "Of kernels and matrices", NEWEST - 1, notes->str));
  g_string_append (notes, "matrices");
  store_one (fixture->catalogue, podcast, make_episode ("noted", "Of kernels", NEWEST, notes->str));
  assert_ranked (fixture, "kernel matrices", "both noted");
}

/* Titles with the word first, and both groups by age: ids rise with age. */
static void
assert_titles_first (GArray *ids, guint n, guint n_in_title)
{
  g_assert_cmpuint (ids->len, ==, n);
  for (guint i = 1; i < n; i++)
    if (i != n_in_title)
      g_assert_cmpint (g_array_index (ids, gint64, i - 1), <, g_array_index (ids, gint64, i));
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (g_array_index (ids, gint64, i) % 5 == 0, ==, i < n_in_title);
}

/* Common words are all found; every fifth episode has the word also in its title. */
static void
test_frequent (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  for (guint i = 0; i < 2000; i++)
    store_one (fixture->catalogue, podcast,
               make_episode (ear_test_format ("g%u", i), i % 5 == 4 ? "A tensor" : "Other",
                             NEWEST - i * 600, "a tensor"));
  g_autoptr (GArray) all = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, "ten", 0);
  g_autoptr (GArray) best = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, "ten", 1000);
  assert_titles_first (all, 2000, 400);
  assert_titles_first (best, 1000, 400);

  /* A search also finds the episodes beyond the limit of ranking. */
  fill (fixture, "two", "e", EAR_SEARCH_SCORE_LIMIT + 1);
  g_autoptr (GArray) many =
      run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_RANKED, "words", 0);
  g_assert_cmpuint (many->len, ==, EAR_SEARCH_SCORE_LIMIT + 1);
}

/* The snippet with bold text in brackets, and then the title */
static char *
describe_snippet (Fixture *fixture, EarPodcast *podcast, const char *guid, const char *search)
{
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, guid);
  g_autoptr (EarSnippet) snippet = load_snippet (fixture->catalogue, podcast, guid, search);
  GString *text = g_string_new (NULL);

  for (guint which = 0; which < 2; which++)
    {
      const char *source = which == 0 ? snippet->text : ear_episode_get_title (episode);
      GArray *ranges = which == 0 ? snippet->ranges : snippet->title_ranges;
      guint at = 0;

      g_string_append (text, which == 0 ? "" : " | ");
      if (source == NULL)
        continue;
      g_assert_true (g_utf8_validate (source, -1, NULL));
      for (guint i = 0; i < ranges->len; i++)
        {
          const EarNotesMark *range = &g_array_index (ranges, EarNotesMark, i);

          g_assert_cmpuint (range->start, >=, at);
          g_assert_cmpuint (range->end, >, range->start);
          g_assert_cmpuint (range->end, <=, strlen (source));
          g_string_append_len (text, source + at, range->start - at);
          g_string_append_printf (text, "[%.*s]", (int) (range->end - range->start), source + range->start);
          at = range->end;
        }
      g_string_append (text, source + at);
    }

  return g_string_free (text, FALSE);
}

/* Matches in a heading, a picture and a paragraph of two pieces */
static void
test_find_in_notes (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[][2] = {
    { "cafe", "0[Café]2[café]2[cafés]" },
    { "café night", "0[Café]0[night]2[café]" },
    { "\"at night\"", "0[at]0[night]" },
    { "tea", "" },
    { "  ", "" },
  };
  g_autoptr (EarNotes) notes = ear_notes_new ();
  EarNotesBlock *heading = ear_notes_add_block (notes, EAR_NOTES_HEADING, 1, 0);
  EarNotesBlock *picture = ear_notes_add_block (notes, EAR_NOTES_IMAGE, 0, 0);
  EarNotesBlock *paragraph = ear_notes_add_block (notes, EAR_NOTES_PARAGRAPH, 0, 0);

  ear_notes_block_add (heading, "Café at night", NULL, -1, EAR_NOTES_STYLE_BOLD);
  ear_notes_block_add (picture, "a cafe", "https://example.org/", -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (paragraph, "In the ca", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (paragraph, "fé, and cafés", NULL, -1, EAR_NOTES_STYLE_ITALIC);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *search = cases[i][0];
      g_autoptr (GArray) marks = read_now (fixture->catalogue, ear_read_matches (notes, search));
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint n = 0; n < marks->len; n++)
        {
          const EarNotesMark *mark = &g_array_index (marks, EarNotesMark, n);
          const EarNotesBlock *block = g_ptr_array_index (notes->blocks, mark->block);
          g_autofree char *words = ear_notes_block_to_text (block);

          g_string_append_printf (text, "%u[%.*s]", mark->block, (int) (mark->end - mark->start),
                                  words + mark->start);
        }
      g_assert_cmpstr (text->str, ==, cases[i][1]);
    }
}

#define assert_snippet(fixture, podcast, guid, search, expected) \
  ear_test_assert_text (describe_snippet (fixture, podcast, guid, search), expected)

static void
test_snippets (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autofree char *endless = g_strnfill (1000000, 'x');
  g_autoptr (GString) long_notes = g_string_new ("<p>");

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (long_notes, "Word %u is here. ", i);
  g_string_append (long_notes, "The <code>__torch_function__</code> &amp; <i>AOTAutograd</i>, as foo-bar says. ");
  for (guint i = 0; i < 40; i++)
    g_string_append_printf (long_notes, "And %u there. ", i);
  store_all (fixture->catalogue, podcast,
             make_episode ("short", "Café <b>crème", NEWEST, "<p>A short café.</p>"),
             make_episode ("long", "AOTAutograd", NEWEST - 1, long_notes->str),
             make_episode ("empty", NULL, NEWEST - 2, NULL),
             make_episode ("endless", "Endless", NEWEST - 3, endless),
             make_episode ("signs", "朝の連続小説", NEWEST - 4, "<p>毎朝のラジオ連続ドラマ</p>"), NULL);

  assert_snippet (fixture, podcast, "signs", "連続", "毎朝のラジオ[連続]ドラマ | 朝の[連続]小説");
  assert_snippet (fixture, podcast, "short", "cafe", "A short [café]. | [Café] <b>crème");
  assert_snippet (fixture, podcast, "short", "cafe sho", "A [short] [café]. | [Café] <b>crème");
  assert_snippet (fixture, podcast, "short", "zebra", " | Café <b>crème");
  assert_snippet (fixture, podcast, "short", "\"", " | Café <b>crème");
  assert_snippet (fixture, podcast, "empty", "cafe", " | ");
  /* At the position with most of the words, and not at the first of them */
  assert_snippet (fixture, podcast, "long", "function autograd foo",
                  "…The [__torch_function__] & [AOTAutograd], as [foo]-bar says. And 0 there."
                  " And 1 there. And 2 there. And 3 there. And 4 there. And 5…"
                  " | [AOTAutograd]");
  g_autofree char *found = describe_snippet (fixture, podcast, "endless", "xxxx");
  g_assert_cmpuint (strlen (found), <, 1000);
}

/* FTS5's own time for a snippet is the square of the hits: it would take minutes here. */
static void
test_snippet_of_many_hits (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[][3] = {
    { "letters", "a ", "[a] [a] [a] *… | Episode" },
    { "signs", "日", "[日*]… | Episode" },
  };
  EarPodcast *podcast = follow (fixture, "one");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) notes = repeat (cases[i][1], 500000);

      store_one (fixture->catalogue, podcast, make_episode (cases[i][0], "Episode", NEWEST, notes->str));
      g_autofree char *found = describe_snippet (fixture, podcast, cases[i][0], cases[i][1]);
      if (!g_pattern_match_simple (cases[i][2], found))
        g_error ("%s", found);
    }
}

/* --- Transcripts, chapters and bookmarks -------------------------------------------- */

static void
store_transcript (Fixture *fixture, EarPodcast *podcast, const char *guid, const char *first, const char *second)
{
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, guid);
  g_autoptr (EarTranscript) transcript = ear_transcript_new ();

  ear_transcript_add (transcript, 0, G_USEC_PER_SEC, NULL, first);
  ear_transcript_add (transcript, 7 * G_USEC_PER_SEC, 9 * G_USEC_PER_SEC, "Ann", second);
  ear_catalogue_store_transcript (fixture->catalogue, episode, transcript);
}

static EarPodcast *
begin (Fixture *fixture)
{
  EarPodcast *podcast = follow (fixture, "one");

  store_all (fixture->catalogue, podcast, make_episode ("a", "About lamps", NEWEST, "<p>Notes on lighthouses</p>"),
             make_episode ("b", "About ships", NEWEST - 1, "<p>And a keeper</p>"),
             make_episode ("c", "About fog", NEWEST - 2, NULL), NULL);
  store_transcript (fixture, podcast, "a", "Good evening.", "The keeper & his <lamp> are here.");
  store_transcript (fixture, podcast, "c", "A keeper of bees.", "Another café.");

  return podcast;
}

static void
test_transcripts (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[][2] = {
    { "bees", "c" }, { "keeper", "a b c" },
    /* All words in one sentence, the last one as a prefix */
    { "keeper lam", "a" }, { "evening keeper", "" },
    /* Names of speakers and times are not searched. */
    { "Ann", "" }, { "7000000", "" }, { "\" OR text : *", "" },
  };
  EarPodcast *podcast = begin (fixture);
  EarPodcast *other = follow (fixture, "two");

  check_found (fixture, cases, G_N_ELEMENTS (cases));
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_OLDEST, "keeper", "c b a");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_TITLE, "keeper", "c a b");
  /* Matches in the title or the notes come first. */
  assert_ranked (fixture, "keeper", "b a c");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "CAFE", "c");
  assert_query (fixture, other, EAR_FILTER_ALL, EAR_SORT_NEWEST, "keeper", "");
  assert_query (fixture, NULL, EAR_FILTER_LIKED, EAR_SORT_NEWEST, "keeper", "");
  g_autoptr (GArray) ids = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "keeper", 2);
  g_assert_cmpuint (ids->len, ==, 2);

  /* A new transcript replaces the old one. */
  store_transcript (fixture, podcast, "c", "A keeper of bees.", "Another café.");
  assert_number (fixture, "SELECT count (*) FROM sentence_text", 4);
  store_transcript (fixture, podcast, "c", "Nothing of that.", "Any more.");
  assert_found (fixture, "bees", "");
  assert_found (fixture, "nothing", "c");
  assert_number (fixture, "SELECT count (*) FROM sentence_text", 4);
}

static void
expect_snippet (Fixture *fixture, EarPodcast *podcast, const char *guid, const char *search,
                EarSnippetKind kind, const char *text, gint64 seconds)
{
  g_autoptr (EarSnippet) snippet = load_snippet (fixture->catalogue, podcast, guid, search);

  g_assert_cmpint (snippet->kind, ==, kind);
  g_assert_cmpstr (snippet->text, ==, text);
  g_assert_cmpint (snippet->time, ==, seconds >= 0 ? seconds * G_USEC_PER_SEC : -1);
}

#define SENTENCE "The keeper & his <lamp> are here."

/* The snippet of a sentence has its time, with the transcript's shift. A sentence shifted before the
 * start, or without a time, has none. */
static void
test_kinds_of_snippets (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  g_autoptr (EarEpisode) other = get_episode (fixture->catalogue, podcast, "b");
  g_autoptr (EarTranscript) untimed = ear_transcript_new ();
  g_autoptr (EarSnippet) said = load_snippet (fixture->catalogue, podcast, "a", "keeper lamp");

  g_assert_cmpuint (said->ranges->len, ==, 2);
  expect_snippet (fixture, podcast, "a", "keeper lamp", EAR_SNIPPET_TRANSCRIPT, SENTENCE, 7);
  set_mark (fixture, podcast, "a", EAR_MARK_SHIFT, 30 * G_USEC_PER_SEC, 1);
  expect_snippet (fixture, podcast, "a", "keeper lamp", EAR_SNIPPET_TRANSCRIPT, SENTENCE, 37);
  set_mark (fixture, podcast, "a", EAR_MARK_SHIFT, -30 * G_USEC_PER_SEC, 2);
  expect_snippet (fixture, podcast, "a", "keeper lamp", EAR_SNIPPET_TRANSCRIPT, SENTENCE, -1);
  /* Matches in the notes are shown from there. */
  expect_snippet (fixture, podcast, "a", "lighthouses", EAR_SNIPPET_NOTES, "Notes on lighthouses", -1);

  ear_transcript_add (untimed, -1, -1, NULL, "The anchor is lost.");
  ear_catalogue_store_transcript (fixture->catalogue, other, untimed);
  set_mark (fixture, podcast, "b", EAR_MARK_SHIFT, 30 * G_USEC_PER_SEC, 1);
  expect_snippet (fixture, podcast, "b", "anchor lost", EAR_SNIPPET_TRANSCRIPT, "The anchor is lost.", -1);
}

static void
store_chapters (Fixture *fixture, EarPodcast *podcast, const char *guid, const char *first, const char *second)
{
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, guid);
  g_autoptr (GPtrArray) chapters = ear_chapters_new ();

  ear_chapters_add (chapters, 0, first);
  ear_chapters_add (chapters, 90 * G_USEC_PER_SEC, second);
  ear_catalogue_store_chapters (fixture->catalogue, episode, chapters);
}

/* A search finds episodes by the titles of their chapters, which are purged with them. */
static void
test_chapters (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);

  store_chapters (fixture, podcast, "b", NULL, "The anchor & the <chain>");
  store_chapters (fixture, podcast, "c", "Of lighthouses", "Fog_Horns");
  assert_found (fixture, "anchor chain", "b");
  assert_found (fixture, "horns", "c");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_OLDEST, "lighthouses", "c a");
  assert_ranked (fixture, "lighthouses", "a c");
  assert_query (fixture, NULL, EAR_FILTER_LIKED, EAR_SORT_NEWEST, "anchor", "");
  expect_snippet (fixture, podcast, "b", "chain", EAR_SNIPPET_CHAPTER, "The anchor & the <chain>", 90);

  store_chapters (fixture, podcast, "b", NULL, "The rope");
  assert_found (fixture, "anchor", "");
  assert_found (fixture, "rope", "b");
  assert_number (fixture, "SELECT count (*) FROM chapter_text", 3);
  fixture->catalogue->purge_delay = 0;
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  wait_for_number (fixture, "SELECT count (*) FROM chapter_text", 0);
}

static void
set_bookmark (Fixture *fixture, const char *address, const char *guid, const char *text)
{
  g_autoptr (GPtrArray) bookmarks = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_bookmark_text_free);

  g_ptr_array_add (bookmarks, ear_bookmark_text_new (address, "nowhere", 0, "Of keepers"));
  g_ptr_array_add (bookmarks, ear_bookmark_text_new (address, guid, 5 * G_USEC_PER_SEC, text));
  ear_catalogue_set_bookmarks (fixture->catalogue, bookmarks);
}

/* A search finds episodes by their bookmarks, and shows those first. */
static void
test_bookmarks (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  static const char text[] = "Remember the keeper of Bell_Rock";

  set_bookmark (fixture, ear_podcast_get_address (podcast), "b", text);
  assert_found (fixture, "remember rock", "b");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, "keeper", "c b a");
  assert_query (fixture, NULL, EAR_FILTER_LIKED, EAR_SORT_NEWEST, "rock", "");
  expect_snippet (fixture, podcast, "b", "keeper", EAR_SNIPPET_BOOKMARK, text, 5);
  g_autoptr (EarSnippet) none = load_snippet (fixture->catalogue, podcast, "c", "rock");
  g_assert_null (none->text);
  /* The writer finds them, too, when all results of a search are marked. */
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, "remember rock");
  const EarMarkTarget target = { .query = query };
  g_autoptr (GAsyncResult) result = NULL;
  ear_catalogue_mark_async (fixture->catalogue, &target, EAR_MARK_LIKED, TRUE, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_autoptr (EarMarks) marks = ear_catalogue_write_finish (fixture->catalogue, result, NULL);
  g_assert_cmpuint (marks->ids->len, ==, 1);
  set_bookmark (fixture, "https://example.org/another", "b", "Remember");
  assert_found (fixture, "remember", "");
}

static void
wait_for_episodes (EarEpisodeList *list, guint n)
{
  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_asking (list) &&
                       g_list_model_get_n_items (G_LIST_MODEL (list)) == n);
}

/* An open search adds new matches, and drops removed ones, also those that a mark adds or removes. */
static void
test_on_screen (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = begin (fixture);
  const char *address = ear_podcast_get_address (podcast);
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, "harbour");
  g_autoptr (EarEpisodeList) list = ear_episode_list_new_with_query (fixture->catalogue, query);

  wait_for_episodes (list, 0);
  set_bookmark (fixture, address, "b", "The harbour");
  wait_for_episodes (list, 1);
  store_transcript (fixture, podcast, "a", "In the harbour.", "Good night.");
  wait_for_episodes (list, 2);
  store_chapters (fixture, podcast, "c", "Fog", "A harbour");
  wait_for_episodes (list, 3);
  store_one (fixture->catalogue, podcast, make_episode ("d", "The harbour", NEWEST - 3, NULL));
  wait_for_episodes (list, 4);
  set_bookmark (fixture, address, "b", "Nothing of that");
  wait_for_episodes (list, 3);
  store_transcript (fixture, podcast, "a", "Elsewhere.", "Good night.");
  wait_for_episodes (list, 2);

  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "c");
  ear_episode_query_set_terms (query, &(EarEpisodeConditions) { .filters = 1u << EAR_FILTER_UNPLAYED });
  g_autoptr (EarEpisodeList) unplayed = ear_episode_list_new_with_query (fixture->catalogue, query);
  wait_for_episodes (unplayed, 2);
  set_listened (fixture->catalogue, episode, TRUE);
  wait_for_episodes (unplayed, 1);
  ear_episode_query_set_terms (query, &(EarEpisodeConditions) { .filters = 1u << EAR_FILTER_PLAYED });
  g_autoptr (EarEpisodeList) played = ear_episode_list_new_with_query (fixture->catalogue, query);
  wait_for_episodes (played, 1);
  set_listened (fixture->catalogue, episode, FALSE);
  wait_for_episodes (played, 0);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-search/search", test_search },
    { "/catalogue-search/names", test_names },
    { "/catalogue-search/spelling", test_spelling },
    { "/catalogue-search/merging", test_merging },
    { "/catalogue-search/ranked", test_ranked },
    { "/catalogue-search/frequent", test_frequent },
    { "/catalogue-search/snippets", test_snippets },
    { "/catalogue-search/snippet-of-many-hits", test_snippet_of_many_hits },
    { "/catalogue-search/find-in-notes", test_find_in_notes },
    { "/catalogue-search/of-podcasts", test_of_podcasts },
    { "/catalogue-search/hostile-search", test_hostile_search },
    { "/catalogue-search/hostile-facts", test_hostile_facts },
    { "/catalogue-search/hostile-notes", test_hostile_notes },
    { "/catalogue/transcripts/found", test_transcripts },
    { "/catalogue/transcripts/snippet", test_kinds_of_snippets },
    { "/catalogue/transcripts/chapters", test_chapters },
    { "/catalogue/transcripts/bookmarks", test_bookmarks },
    { "/catalogue/transcripts/on-screen", test_on_screen },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
