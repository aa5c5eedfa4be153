/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-episode-list.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* After a boot nothing of the catalogue is in memory. The kernel reports the threads that
 * have waited for the disk. */

#define N_EPISODES 1200
#define TEXT_SIZE 1000 /* of each of three texts in a row */
#define LAST 700
#define N_NEWEST 50 /* hits shown before ranking */
#define FIRST_OLD 500
#define N_BEST 350
#define N_FOUND (N_NEWEST + N_EPISODES - FIRST_OLD)
#define STEP 10 /* rows added at once while scrolling */

/* The kernel may drop pages that were just read, when short of memory: only a wait in
 * every attempt is a failure. */
#define ATTEMPTS 4

/* Bytes read from the disk by this thread ("thread-self") or by all ("self"); -1 if the
 * kernel does not report them. */
static gint64
count_bytes_read (const char *who)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/io", who);
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (line = strstr (text, "\nread_bytes:")) == NULL)
    return -1;

  return g_ascii_strtoll (strchr (line, ':') + 1, NULL, 10);
}

static void
cool (Fixture *fixture)
{
  static const char *const suffixes[] = { "", "-wal" };

  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *path = g_strconcat (fixture->path, suffixes[i], NULL);
      int fd = open (path, O_RDONLY | O_CLOEXEC);

      if (fd < 0)
        continue;
      g_assert_cmpint (fsync (fd), ==, 0);
      g_assert_cmpint (posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED), ==, 0);
      close (fd);
    }
}

static void
fill (Fixture *fixture)
{
  g_autoptr (GPtrArray) episodes = make_episodes ("a", N_EPISODES, NEWEST);
  g_autofree char *text = g_strnfill (TEXT_SIZE, 'x');
  EarPodcast *podcast = follow (fixture, "one");

  for (guint i = 0; i < episodes->len; i++)
    {
      EarEpisodeFacts *facts = g_ptr_array_index (episodes, i);

      /* Hits are new or old; most of the best hits are old. */
      if (i < N_NEWEST ? i % 4 == 0 : i >= FIRST_OLD && i < FIRST_OLD + N_BEST)
        g_set_str (&facts->title, "Tensor");
      if (i < N_NEWEST || i >= FIRST_OLD)
        g_set_str (&facts->notes, "about a tensor");
      g_set_str (&facts->subtitle, text);
      g_set_str (&facts->author, text);
      g_set_str (&facts->number, text);
    }
  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  /* Episodes not yet indexed are searched in the rows themselves, which would load
   * them. */
  wait_for_number (fixture, "SELECT count(*) FROM episode_text_docsize", N_EPISODES);
}

/* Asserts that @look makes this thread wait for no bytes; @look returns -1 if nothing is
 * read from a disk. */
static void
check_cold (Fixture *fixture, gint64 (*look) (Fixture *fixture))
{
  gint64 waited = G_MAXINT64;

  if (count_bytes_read ("thread-self") < 0)
    {
      g_test_skip ("the kernel does not tell what a thread reads");
      return;
    }
  fill (fixture);
  for (guint i = 0; i < ATTEMPTS && waited > 0; i++)
    {
      fixture_close (fixture);
      cool (fixture);
      fixture_forget (fixture);
      fixture_open (fixture);
      waited = look (fixture);
      g_test_message ("%" G_GINT64_FORMAT " bytes were waited for", waited);
    }
  if (waited < 0)
    g_test_skip ("nothing comes from a disk here");
  else
    g_assert_cmpint (waited, ==, 0);
}

/* Returns: bytes that this thread alone reads from the disk for the rows from @first to
 * before @end */
static gint64
look_at (GListModel *model, guint first, guint end)
{
  const gint64 before = count_bytes_read ("thread-self");

  for (guint i = first; i < end; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (model, i);

      g_assert_cmpint (strlen (ear_episode_get_facts (episode)->subtitle), ==, TEXT_SIZE);
    }

  return count_bytes_read ("thread-self") - before;
}

static void
items_changed_cb (GListModel *model, guint position, guint removed, guint added, gint64 *waited)
{
  *waited += look_at (model, position, position + added);
}

static gint64
look_at_rows (Fixture *fixture)
{
  const gint64 everybody = count_bytes_read ("self");
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisodeList) list = ear_episode_list_new (fixture->catalogue);
  gint64 waited = 0;

  g_signal_connect (list, "items-changed", G_CALLBACK (items_changed_cb), &waited);
  ear_episode_list_set_query (list, query);
  while (ear_episode_list_get_loading (list))
    g_main_context_iteration (NULL, TRUE);
  if (count_bytes_read ("self") == everybody)
    return -1;

  /* As many rows as a list view has widgets */
  while (g_list_model_get_n_items (G_LIST_MODEL (list)) < 200)
    g_main_context_iteration (NULL, TRUE);

  g_signal_handlers_disconnect_by_func (list, items_changed_cb, &waited);
  while (g_list_model_get_n_items (G_LIST_MODEL (list)) < N_EPISODES)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 200; i < LAST; i += STEP)
    {
      g_autoptr (GArray) answer = NULL;

      waited += look_at (G_LIST_MODEL (list), i, i + STEP);
      /* This query is answered after all earlier ones. */
      answer = run_query_limited (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, 1);
    }

  return waited;
}

/* Rows never wait for the disk: neither the first ones, nor those added while
 * scrolling. */
static void
test_rows (Fixture *fixture, gconstpointer data)
{
  check_cold (fixture, look_at_rows);
}

static gint64
put_in_order (Fixture *fixture)
{
  const gint64 everybody = count_bytes_read ("self");
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_RANKED, "tensor");
  g_autoptr (EarEpisodeList) list = ear_episode_list_new (fixture->catalogue);
  RowWindow *window;
  gint64 before, waited;

  ear_episode_list_set_query (list, query);
  while (ear_episode_list_get_loading (list))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, N_NEWEST);
  window = row_window_new (G_LIST_MODEL (list), N_NEWEST / 2);
  ear_episode_list_set_in_sight (list, N_NEWEST / 2);
  before = count_bytes_read ("thread-self");
  while (g_list_model_get_n_items (G_LIST_MODEL (list)) < N_FOUND)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (window->anchor, >, N_BEST);
  waited = count_bytes_read ("thread-self") - before;
  row_window_free (window);

  return count_bytes_read ("self") == everybody ? -1 : waited;
}

/* Ranking hits around the row in view does not wait for the disk, either. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  check_cold (fixture, put_in_order);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-cold/rows", test_rows },
    { "/catalogue-cold/order", test_order },
  };

  g_test_init (&argc, &argv, NULL);
  /* The folder for temporary files is often in memory. */
  g_setenv ("TMPDIR", g_test_get_dir (G_TEST_BUILT), TRUE);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
