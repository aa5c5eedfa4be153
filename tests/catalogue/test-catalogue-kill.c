/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

/* Killed at any moment, the catalogue stays intact, and has everything it reported as
 * stored. */

/* The child: writes forever, and prints the number of stored episodes after each
 * flush. */
G_NORETURN static void
write_for_ever (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCatalogue) catalogue = ear_catalogue_open (path, &error);
  guint n_stored = 0;
  guint start;

  if (catalogue == NULL)
    g_error ("%s", error->message);
  start = (guint) g_get_real_time ();
  for (guint round = start;; round++)
    {
      g_autofree char *address = g_strdup_printf ("https://example.org/%u", round % 7);
      g_autofree char *prefix = g_strdup_printf ("e%u", round);
      g_autoptr (GPtrArray) episodes = make_episodes (prefix, 1 + round % 40, NEWEST - round % 1000);
      g_autoptr (EarEpisode) episode = NULL;
      g_autofree char *guid = g_strdup_printf ("e%u-1", round);
      EarPodcast *podcast = ear_catalogue_follow (catalogue, address, NULL);

      store (catalogue, podcast, episodes);
      finish_answer (catalogue, podcast, prefix, prefix, FALSE);
      flush (catalogue);
      n_stored += episodes->len;
      episode = get_episode (catalogue, podcast, guid);
      set_listened (catalogue, episode, TRUE);
      if (round % 11 == 0)
        ear_catalogue_unfollow (catalogue, podcast);
      g_print ("%u\n", n_stored);
    }
}

/* Runs the child for a while and kills it. Returns: the number of episodes that it
 * reported as stored */
static gint64
run_and_kill (const char *path, guint microseconds)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GSubprocess) child =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "--write", path, NULL);
  g_autoptr (GDataInputStream) output = NULL;
  g_autofree char *line = NULL;
  gint64 n_stored;

  g_assert_no_error (error);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (child));
  line = g_data_input_stream_read_line (output, NULL, NULL, &error);
  g_assert_nonnull (line);
  g_usleep (microseconds);
  g_subprocess_force_exit (child);
  g_subprocess_wait (child, NULL, NULL);
  n_stored = g_ascii_strtoll (line, NULL, 10);
  while (TRUE)
    {
      g_autofree char *next = g_data_input_stream_read_line (output, NULL, NULL, NULL);

      if (next == NULL)
        return n_stored;
      n_stored = g_ascii_strtoll (next, NULL, 10);
    }
}

static void
test_kill (Fixture *fixture, gconstpointer data)
{
  const guint n_rounds = g_test_slow () ? 100 : 25;
  gint64 n_before = 0;

  fixture_close (fixture);
  for (guint i = 0; i < n_rounds; i++)
    {
      gint64 n_stored = run_and_kill (fixture->path, (guint) g_test_rand_int_range (0, 60000));
      g_autofree char *integrity = NULL;
      gint64 n_now;

      /* The catalogue's own check finds no damage. */
      fixture_open (fixture);
      flush (fixture->catalogue);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_assert_cmpstr (fixture->log->str, ==, "");
      fixture_close (fixture);

      integrity = read_text (fixture->path, "PRAGMA integrity_check");
      g_assert_cmpstr (integrity, ==, "ok");
      n_now = read_number (fixture->path, "SELECT count (*) FROM episode");
      g_assert_cmpint (n_now, >=, n_before + n_stored);
      n_before = n_now;
      g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode_text"), ==, n_now);
      g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM notes"), ==, n_now);
    }
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "--write") == 0)
    write_for_ever (argv[2]);

  g_test_init (&argc, &argv, NULL);
  g_test_add ("/catalogue/kill", Fixture, NULL, fixture_set_up, test_kill, fixture_tear_down);

  return g_test_run ();
}
