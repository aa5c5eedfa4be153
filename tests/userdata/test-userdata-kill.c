/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

/* Players killed at random moments: files are complete, with everything flushed. */

#define KILLS 60
#define SAVE (5 * SECOND)
#define N_PODCASTS 3
#define SWITCH 8 /* saves until another podcast is played */
#define FLUSH 5  /* saves until everything is flushed */

static const char *
address_of (gint64 save)
{
  return ear_test_format ("https://example.org/%d.xml", (int) ((save / SWITCH) % N_PODCASTS));
}

/* Saves position after position, and prints the number of each save that was flushed. */
G_NORETURN static void
play_child (const char *directory, gint64 save)
{
  g_autoptr (EarUserdataStore) store = ear_userdata_store_new (directory, 1);

  for (;; save++)
    {
      const char *address = address_of (save);

      play (store, address, "played", save * SAVE);
      set_position (store, address, "counter", save * SAVE);
      ear_test_spin ((guint) save % 4);
      if (save % FLUSH != 0)
        continue;
      flush (store, NULL);
      g_print ("%" G_GINT64_FORMAT "\n", save);
    }
}

/* Makes the file long enough that writing it takes time. */
static void
write_podcast (Fixture *fixture, const char *address)
{
  g_autoptr (GString) text = g_string_new ("{\"version\": 1, \"kind\": \"podcast\", \"mark\": \"keep me\", \"episodes\": {");

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (text, "%s\"g%u\": {\"title\": \"Episode %u\", \"position\": " STAMPED ("%u.5", "2026-01-02") "}", i > 0 ? "," : "", i, i, i);
  g_string_append (text, "}}");
  fixture_write (fixture, address, text->str);
}

/* @first, @flushed: the first save of the last child, and the last one that it flushed */
static void
check_podcast (Fixture *fixture, guint podcast, gint64 first, gint64 flushed, gint64 *last)
{
  const char *address = address_of (podcast * SWITCH);
  g_autofree char *n_episodes = fixture_get (fixture, address, "episodes #");
  g_autofree char *counter = fixture_get (fixture, address, "episodes counter position value");
  const gint64 save = counter != NULL ? (gint64) g_ascii_strtod (counter, NULL) * SECOND / SAVE : 0;

  assert_json (fixture, address, "mark", "keep me");
  g_assert_cmpint (g_ascii_strtoll (n_episodes, NULL, 10), >=, 300);
  while (flushed >= first && (flushed / SWITCH) % N_PODCASTS != podcast)
    flushed--;
  if (flushed >= first)
    g_assert_cmpint (save, >=, flushed);
  g_assert_cmpint (save, >=, *last);
  *last = save;
}

static void
test_kill (Fixture *fixture, gconstpointer data)
{
  gint64 last[N_PODCASTS] = { 0 };
  gint64 save = 0, position;
  guint n_ahead = 0;

  for (guint i = 0; i < N_PODCASTS; i++)
    write_podcast (fixture, address_of (i * SWITCH));
  for (guint kill = 0; kill < KILLS; kill++)
    {
      const gint64 first = save + 1;
      const char *number = ear_test_format ("%" G_GINT64_FORMAT, first);
      g_auto (GStrv) lines = ear_test_run_and_kill (g_test_rand_int_range (0, 60000), "--play", fixture->path, number, NULL);
      const gint64 flushed = g_ascii_strtoll (lines[g_strv_length (lines) - 1], NULL, 10);

      fixture_open (fixture, 20);
      g_assert_true (load_now (fixture->store, NULL, NULL, &position));
      g_assert_cmpuint (fixture->set_aside->len, ==, 0);
      fixture_close (fixture);
      save = position / SAVE;
      g_assert_cmpint (save, >=, flushed);
      n_ahead += save > flushed;
      /* A podcast's file may be ahead of now.json, since it is written first. */
      for (guint i = 0; i < N_PODCASTS; i++)
        {
          check_podcast (fixture, i, first, flushed, &last[i]);
          save = MAX (save, last[i]);
        }
    }
  /* Positions are also kept without a flush. */
  g_test_message ("%" G_GINT64_FORMAT " saves; after %u of %u kills there was more than had been flushed", save, n_ahead, KILLS);
  g_assert_cmpuint (n_ahead, >, 0);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/userdata-kill/at-random-moments", test_kill },
  };

  if (argc == 4 && g_str_equal (argv[1], "--play"))
    play_child (argv[2], g_ascii_strtoll (argv[3], NULL, 10));

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
