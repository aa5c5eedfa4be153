/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-test-wait.h"

/* Shared by the tests of the catalogue: a folder of their own, made-up episodes, and
 * functions that wait for other threads. */

#define DAY ((gint64) 86400)
#define NEWEST ((gint64) 1700000000)

typedef struct
{
  char *folder;
  char *path;
  EarCatalogue *catalogue;
  GString *log; /* signals, as text */
  guint n_new;  /* number of new episodes */
} Fixture;

typedef struct
{
  const char *path;
  void (*func) (Fixture *fixture, gconstpointer data);
  gconstpointer data;
} FixtureTest;

EarCatalogue *open_catalogue (const char *path, GError **error);
void scan (EarCatalogue *catalogue);
int fixture_run_tests (int argc, char **argv, const FixtureTest *tests, gsize n_tests);
void fixture_open (Fixture *fixture);
void fixture_close (Fixture *fixture);
void fixture_reopen (Fixture *fixture);
void fixture_forget (Fixture *fixture);

EarEpisodeFacts *make_episode (const char *guid, const char *title, gint64 published, const char *notes);
EarEpisodeFacts *with_media (EarEpisodeFacts *take, const char *address);
GPtrArray *make_episodes (const char *prefix, guint n, gint64 newest);
void store (EarCatalogue *catalogue, EarPodcast *podcast, GPtrArray *episodes);
void store_one (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFacts *take);
void store_all (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFacts *first, ...);
void store_answer (EarCatalogue *catalogue, EarPodcast *podcast, GPtrArray *episodes,
                   gboolean whole);
void store_later (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFacts *take);
void finish_answer (EarCatalogue *catalogue, EarPodcast *podcast, const char *title,
                    const char *etag, gboolean whole);
void flush (EarCatalogue *catalogue);
gpointer read_now (EarCatalogue *catalogue, EarRead read);
void notify_cb (GObject *object, GParamSpec *pspec, gpointer user_data);
GArray *run_query (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFilter filter,
                   EarEpisodeSort sort, const char *search, guint limit);
char *describe_query (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFilter filter,
                      EarEpisodeSort sort, const char *search);
char *describe_ids (EarCatalogue *catalogue, GArray *ids);
EarSnippet *load_snippet (EarCatalogue *catalogue, EarPodcast *podcast, const char *guid,
                          const char *search);
char *load_notes (EarCatalogue *catalogue, EarEpisode *episode, char **base);
EarEpisode *get_episode (EarCatalogue *catalogue, EarPodcast *podcast, const char *guid);
void set_mark (Fixture *fixture, EarPodcast *podcast, const char *guid, EarMark mark, gint64 value,
               gint64 stamp);
void set_listened (EarCatalogue *catalogue, EarEpisode *episode, gboolean listened);
char *explain_query (const char *path, const EarEpisodeQuery *query);
gint64 count_podcasts (EarCatalogue *catalogue);
const char *get_log (Fixture *fixture);
gint64 read_number (const char *path, const char *sql);
gint64 count_stored (Fixture *fixture, const char *sql);
void wait_for_number (Fixture *fixture, const char *sql, gint64 expected);
char *read_text (const char *path, const char *sql);
void assert_whole (const char *path);
void execute (const char *path, const char *sql);
void fill_disk (Fixture *fixture, const char *when);
void free_disk (Fixture *fixture);
void expect_told (Fixture *fixture, const char *pattern);
gboolean make_copy (EarCatalogue *catalogue, GError **error);
guint count_files (Fixture *fixture, const char *suffix);
void spoil_page_with (const char *path, const char *text);
EarPodcast *follow (Fixture *fixture, const char *name);
EarPodcast *fill (Fixture *fixture, const char *name, const char *prefix, guint n);

/* Lists the links of notes; set before the tests run. */
extern EarLinksFunc fixture_links_func;

/* Idle time before upkeep in microseconds, or -1 for the usual one; set before
 * fixture_open(). Tests that call scan_notes() set a day, as upkeep scans notes, too. */
extern gint64 fixture_tidy_delay;

/* Scans all episodes. Returns: their number */
guint scan_notes (Fixture *fixture);

/* Both macros wait until everything is stored. */
#define assert_log(fixture, expected) g_assert_cmpstr (get_log (fixture), ==, expected)
#define assert_number(fixture, sql, expected) \
  g_assert_cmpint (count_stored (fixture, sql), ==, expected)

/* Compares a query's result with guids separated by spaces. */
#define assert_query(fixture, podcast, filter, sort, search, expected) \
  ear_test_assert_text (describe_query ((fixture)->catalogue, podcast, filter, sort, search), \
                        expected)
#define assert_newest(fixture, podcast, expected) \
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, expected)
