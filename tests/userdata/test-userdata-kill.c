/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "userdata-util.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A child plays and is killed at 100 random moments. The 5 s between two saves are STEP
 * real milliseconds here; writing itself cannot be scaled, so a save may take a moment
 * longer than it would on that scale. */

#define KILLS 100
#define STEP 120    /* ms between two saves; other processes may delay one by 50 ms */
#define LATE 60     /* ms; a machine delayed for longer is too busy to be judged */
#define SETTLE 1500 /* ms after which a save must be on the disk, if no process starves */
#define SAVE (5 * G_TIME_SPAN_SECOND)
#define N_PODCASTS 3
#define N_EPISODES 60
#define SWITCH 8 /* saves until another podcast is played */

static char *
address_of (gint64 i)
{
  return g_strdup_printf ("https://example.org/%d.xml", (int) ((i / SWITCH) % N_PODCASTS));
}

/* --- The child ---------------------------------------------------------------------- */

typedef struct
{
  EarUserdataStore *store;
  gint64 i;
} Player;

static void
say (const char *what, gint64 i)
{
  g_autofree char *line = g_strdup_printf ("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", what, i, g_get_monotonic_time ());

  if (write (STDOUT_FILENO, line, strlen (line)) < 0)
    _exit (1);
}

static gboolean
step_cb (gpointer user_data)
{
  Player *player = user_data;
  const gint64 i = ++player->i;
  g_autofree char *address = address_of (i);

  say ("now", i);
  play (player->store, address, "played", i * SAVE);
  say ("set", i);
  set_position (player->store, address, "counter", i * SAVE);

  return G_SOURCE_CONTINUE;
}

/* Continues from @first, as a position saved for another podcast may be later than the
 * one in now.json. */
G_NORETURN static void
play_child (const char *directory, guint step, gint64 first)
{
  Player player = { .store = g_object_new (EAR_TYPE_USERDATA_STORE, "directory", directory, "delay", 5, NULL) };
  gint64 position = 0;

  load_now (player.store, NULL, NULL, &position);
  say ("start", position / SAVE);
  player.i = MAX (position / SAVE, first);
  g_timeout_add (step, step_cb, &player);
  while (TRUE)
    g_main_context_iteration (NULL, TRUE);
}

/* Opens a new store for each of its episodes, which would not restore a value that
 * another store overwrote. */
static int
set_many (const char *directory, const char *prefix)
{
  for (guint i = 0; i < N_EPISODES; i++)
    {
      g_autofree char *guid = g_strdup_printf ("%s-%u", prefix, i);
      g_autoptr (EarUserdataStore) store = ear_userdata_store_new (directory);

      like (store, "https://example.org/0.xml", guid);
    }

  return 0;
}

/* --- The tests ---------------------------------------------------------------------- */

typedef struct
{
  gint64 now;        /* the last save requested */
  gint64 now_before; /* the last save requested long enough before the kill */
  gint64 now_when;   /* monotonic, of `now` */
  gboolean late;     /* the child or the disk was delayed for too long */
  gint64 set[N_PODCASTS];
} Asked;

/* Makes the file long enough that writing it takes time. */
static void
write_podcast (Fixture *fixture, guint podcast)
{
  g_autofree char *address = address_of (podcast * SWITCH);
  g_autoptr (GString) text = g_string_new ("{\"version\": 1, \"kind\": \"podcast\", \"mark\": \"keep me\", \"episodes\": {");

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (text, "%s\"g%u\": {\"title\": \"Episode %u\", \"position\": " STAMPED ("%u.5", "2026-01-02") "}", i > 0 ? "," : "", i, i, i);
  g_string_append (text, "}}");
  fixture_write (fixture, address, text->str);
}

static void
take_line (Asked *asked, const char *line, gint64 killed)
{
  char what[8];
  gint64 i, when;

  g_assert_cmpint (sscanf (line, "%7s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, what, &i, &when), ==, 3);
  if (g_str_equal (what, "now"))
    {
      asked->late |= asked->now_when != 0 && when - asked->now_when > (STEP + LATE) * G_TIME_SPAN_MILLISECOND;
      asked->now = i;
      asked->now_when = when;
      if (killed - when > SETTLE * G_TIME_SPAN_MILLISECOND)
        asked->now_before = i;
    }
  else if (g_str_equal (what, "set") && killed - when > SETTLE * G_TIME_SPAN_MILLISECOND)
    asked->set[(i / SWITCH) % N_PODCASTS] = i;
}

/* Whether other processes keep the disk so busy that a save cannot be judged by STEP */
static gboolean
is_disk_late (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->top, "probe", NULL);
  g_autoptr (GError) error = NULL;
  const gint64 start = g_get_monotonic_time ();

  g_file_set_contents_full (path, "probe", -1, G_FILE_SET_CONTENTS_DURABLE, 0600, &error);
  g_assert_no_error (error);

  return g_get_monotonic_time () - start > LATE * G_TIME_SPAN_MILLISECOND;
}

/* Starts a player, and kills it after a while. Returns: the position at which it began */
static gint64
play_and_kill (Fixture *fixture, guint step, gint64 from, guint after, Asked *asked)
{
  g_autofree char *steps = g_strdup_printf ("%u", step);
  g_autofree char *first = g_strdup_printf ("%" G_GINT64_FORMAT, from);
  gint64 start, killed;
  g_auto (GStrv) lines = ear_test_run_and_kill (after * G_TIME_SPAN_MILLISECOND, &killed, "--play",
                                                fixture->path, steps, first, NULL);

  g_assert_cmpint (sscanf (lines[0], "start %" G_GINT64_FORMAT, &start), ==, 1);
  for (guint i = 1; lines[i] != NULL; i++)
    take_line (asked, lines[i], killed);
  asked->late |= asked->now_when != 0 && killed - asked->now_when > (STEP + LATE) * G_TIME_SPAN_MILLISECOND;
  asked->late |= is_disk_late (fixture);

  return start;
}

static gint64
read_index (Fixture *fixture, const char *name, const char *path)
{
  g_autofree char *position = fixture_get (fixture, name, path);

  return position != NULL ? (gint64) (g_ascii_strtod (position, NULL) + 0.5) / 5 : 0;
}

/* All files are complete, none was set aside, and no data is gone. */
static void
check_podcasts (Fixture *fixture, Asked *asked, gint64 *floors)
{
  g_assert_cmpuint (fixture_count (fixture, "damaged"), ==, 0);
  for (guint i = 0; i < N_PODCASTS; i++)
    {
      g_autofree char *address = address_of (i * SWITCH);
      g_autofree char *n_episodes = fixture_get (fixture, address, "episodes #");
      const gint64 index = read_index (fixture, address, "episodes counter position value");

      assert_json (fixture, address, "mark", "keep me");
      g_assert_cmpint (g_ascii_strtoll (n_episodes, NULL, 10), >=, 300);
      g_assert_cmpint (index, >=, floors[i]);
      if (!asked->late)
        g_assert_cmpint (index, >=, asked->set[i]);
      floors[i] = index;
    }
}

static void
test_kill (Fixture *fixture, gconstpointer data)
{
  gint64 floors[N_PODCASTS] = { 0 };
  gint64 saved = 0;
  gint64 last = 0; /* the last save requested by any child */
  guint n_paced = 0, n_within = 0, n_saves = 0;

  for (guint i = 0; i < N_PODCASTS; i++)
    write_podcast (fixture, i);
  for (guint kill = 0; kill < KILLS; kill++)
    {
      /* Two of three save without a pause, so that many are killed while writing. */
      const guint step = kill % 3 == 1 ? STEP : 1;
      /* A few play on beyond SETTLE. */
      const guint after = kill % 25 == 0 ? SETTLE + 300 : g_random_int_range (0, step == 1 ? 220 : 4 * STEP);
      Asked asked = { .now = saved, .now_before = saved };
      const gint64 start = play_and_kill (fixture, step, last, after, &asked);
      /* The podcast's file may be ahead of now.json, as it is written first when the
       * podcast changes. */
      g_assert_cmpint (start, >=, saved);
      if (asked.now == 0 && fixture_count (fixture, "now.json") == 0)
        continue;
      const gint64 index = read_index (fixture, "now.json", "position value");
      g_assert_cmpint (index, >=, saved);
      if (!asked.late)
        g_assert_cmpint (index, >=, asked.now_before);
      g_assert_cmpint (index, <=, asked.now);
      if (step == STEP && !asked.late)
        {
          n_paced++;
          n_within += asked.now - index <= 1;
        }
      n_saves += MAX (asked.now - last, 0);
      check_podcasts (fixture, &asked, floors);
      saved = index;
      last = MAX (last, asked.now);
    }

  g_test_message ("%u saves; of %u kills in time, %u lost at most the last one; %u temporary files left",
                  n_saves, n_paced, n_within, fixture_count (fixture, ".tmp"));
  g_assert_cmpuint (n_saves, >, KILLS);
  /* The save of 5 s ago, or the one under way: at most 6 s. A store that delays its saves
   * would nearly always lose more; on this scale a thread that waits for a processor, or
   * works under a sanitizer, does so now and then. */
  g_assert_cmpuint (n_within * 2, >=, n_paced);
}

/* Processes that write the same file at the same time lose none of each other's data. */
static void
test_at_once (Fixture *fixture, gconstpointer data)
{
  static const char *const prefixes[] = { "a", "b", "c" };
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *n_all = g_strdup_printf ("%u", N_EPISODES * (guint) G_N_ELEMENTS (prefixes));
  GSubprocess *children[G_N_ELEMENTS (prefixes)];
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      children[i] = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, self, "--set", fixture->path, prefixes[i], NULL);
      g_assert_no_error (error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      g_subprocess_wait_check (children[i], NULL, &error);
      g_assert_no_error (error);
      g_object_unref (children[i]);
    }
  assert_json (fixture, "https://example.org/0.xml", "episodes #", n_all);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/userdata-kill/at-100-random-moments", test_kill },
    { "/userdata-kill/many-at-once", test_at_once },
  };

  if (argc == 4 && g_str_equal (argv[1], "--set"))
    return set_many (argv[2], argv[3]);
  if (argc == 5 && g_str_equal (argv[1], "--play"))
    play_child (argv[2], (guint) g_ascii_strtoull (argv[3], NULL, 10), g_ascii_strtoll (argv[4], NULL, 10));

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
