/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "playing-fixture.h"

/* Listening time: what counts, for which day, and the statistics */

typedef struct
{
  char *folder;
  char *path; /* of the file with the times */
  EarSettings *settings;
  EarUserdataStore *state;
  EarListening *listening;
  EarPlayer *player;
  EarPodcast *one;
  EarPodcast *other;
} Listening;

static void
open_state (Listening *fixture, const char *machine)
{
  fixture->state = ear_userdata_store_new (fixture->folder);
  fixture->listening = ear_listening_new (fixture->player, fixture->state, fixture->settings);
  g_object_set (fixture->settings, "machine", machine, NULL);
  EAR_TEST_WAIT_UNTIL (ear_records_is_loaded (ear_listening_get_records (fixture->listening)));
}

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  ear_userdata_store_finish (EAR_USERDATA_STORE (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
close_state (Listening *fixture)
{
  gboolean flushed = FALSE;

  ear_listening_keep (fixture->listening);
  ear_userdata_store_flush_async (fixture->state, NULL, flushed_cb, &flushed);
  EAR_TEST_WAIT_UNTIL (flushed);
  g_assert_finalize_object (g_steal_pointer (&fixture->listening));
  ear_test_finalize (g_steal_pointer (&fixture->state));
}

static void
set_up_listening (Listening *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-listening-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->folder, "listening.json", NULL);
  fixture->settings = ear_settings_new ();
  fixture->player = ear_player_new ("test");
  fixture->one = ear_podcast_new (1, "https://example.org/one");
  ear_podcast_set_title (fixture->one, "One");
  fixture->other = ear_podcast_new (2, "https://user:secret@example.org/other");
  ear_podcast_set_title (fixture->other, "Other");
  open_state (fixture, "aaaaaaaa");
}

static void
tear_down_listening (Listening *fixture, gconstpointer data)
{
  close_state (fixture);
  g_object_set (fixture->settings, "machine", "", NULL);
  g_assert_finalize_object (g_steal_pointer (&fixture->settings));
  g_clear_object (&fixture->player);
  g_clear_object (&fixture->one);
  g_clear_object (&fixture->other);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static GDateTime *
read_date (const char *text)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  GDateTime *date = g_date_time_new_from_iso8601 (text, zone);

  g_assert_nonnull (date);

  return date;
}

static void
hear (Listening *fixture, EarPodcast *podcast, const char *until, gint64 time)
{
  g_autoptr (GDateTime) date = read_date (until);
  const EarListened heard = { time, time / 2, time / 10 };

  ear_listening_add (fixture->listening, podcast, date, &heard);
}

static EarStatistics *
sum_up (Listening *fixture, const char *now)
{
  g_autoptr (GDateTime) date = read_date (now);

  return ear_listening_create_statistics (fixture->listening, date);
}

static void
assert_streak (Listening *fixture, const char *now, guint days, guint most)
{
  g_autoptr (EarStatistics) statistics = sum_up (fixture, now);

  g_assert_cmpuint (statistics->days_in_a_row, ==, days);
  g_assert_cmpuint (statistics->most_in_a_row, ==, most);
}

static gint64
get_day (EarStatistics *statistics, guint days_ago)
{
  return statistics->days[EAR_STATISTICS_DAYS - 1 - days_ago].time;
}

static gint64
get_month (EarStatistics *statistics, guint months_ago)
{
  return statistics->months[EAR_STATISTICS_MONTHS - 1 - months_ago].time;
}

/* Each part counts for the day on which it was heard, also when the clock or the time
 * zone changes. */
static void
test_days (Listening *fixture, gconstpointer data)
{
  static const struct
  {
    const char *until;
    gint64 time;
    gboolean other;
  } times[] = {
    { "2026-02-28T23:59:00", MINUTE, FALSE },
    { "2026-03-01T00:00:30", MINUTE, FALSE },
    { "2026-03-01T00:01:30", MINUTE, FALSE },
    { "2026-03-01T13:00:00", HOUR, TRUE },
    { "2026-03-02T09:00:00", 2 * HOUR, FALSE },
    /* The clock is set back. */
    { "2026-02-26T09:00:00", MINUTE, FALSE },
    { "2026-03-02T09:01:00", MINUTE, FALSE },
  };
  static const gint64 days[] = { 2 * HOUR + MINUTE, HOUR + 2 * MINUTE, MINUTE, 0, MINUTE };
  g_autoptr (EarStatistics) empty = sum_up (fixture, "2026-03-02T12:00:00");
  g_autoptr (EarStatistics) statistics = NULL;
  g_autoptr (EarStatistics) later = NULL;
  const EarListenedPodcast *podcast;

  g_assert_true (ear_statistics_is_empty (empty));
  g_assert_cmpuint (empty->days_in_a_row, ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    hear (fixture, times[i].other ? fixture->other : fixture->one, times[i].until, times[i].time);

  statistics = sum_up (fixture, "2026-03-02T12:00:00");
  for (guint i = 0; i < G_N_ELEMENTS (days); i++)
    g_assert_cmpint (get_day (statistics, i), ==, days[i]);
  g_assert_cmpint (get_month (statistics, 0), ==, days[0] + days[1]);
  g_assert_cmpint (get_month (statistics, 1), ==, days[2] + days[4]);
  g_assert_cmpint (statistics->total.time, ==,
                   get_month (statistics, 0) + get_month (statistics, 1));
  g_assert_cmpint (statistics->total.by_speed, ==, statistics->total.time / 2);
  g_assert_cmpuint (statistics->podcasts->len, ==, 2);
  podcast = g_ptr_array_index (statistics->podcasts, 1);
  g_assert_cmpstr (podcast->title, ==, "Other");
  g_assert_cmpint (podcast->listened.time, ==, HOUR);

  /* A streak lasts until the end of the next day; the day after that one it is over. */
  assert_streak (fixture, "2026-03-02T12:00:00", 3, 3);
  assert_streak (fixture, "2026-03-03T23:00:00", 3, 3);
  assert_streak (fixture, "2026-03-04T00:00:00", 0, 3);
  /* A year later none of it is in the charts. */
  later = sum_up (fixture, "2027-03-04T00:00:00");
  g_assert_cmpint (get_month (later, 11), ==, 0);
  g_assert_cmpint (later->total.time, >, 3 * HOUR);
}

/* Many fractions of a second add up without loss. */
static void
test_parts (Listening *fixture, gconstpointer data)
{
  g_autoptr (EarStatistics) statistics = NULL;

  for (guint i = 0; i < 1000; i++)
    {
      hear (fixture, fixture->one, "2026-03-01T13:00:00", G_USEC_PER_SEC * 2 / 5);
      ear_listening_keep (fixture->listening);
    }
  statistics = sum_up (fixture, "2026-03-01T13:00:00");
  g_assert_cmpint (statistics->total.time, ==, 400 * G_USEC_PER_SEC);
  g_assert_cmpint (statistics->total.by_trimming, ==, 40 * G_USEC_PER_SEC);
}

/* The times that two machines count for one podcast in one month are added, in either
 * order of writing. */
static void
test_machines (Listening *fixture, gconstpointer data)
{
  g_autofree char *copy = g_build_filename (
      fixture->folder, "listening.sync-conflict-20260301-000000-ABCDEFG.json", NULL);
  g_autofree char *theirs = NULL;
  g_autoptr (EarStatistics) before = NULL;
  g_autoptr (EarStatistics) after = NULL;

  hear (fixture, fixture->one, "2026-03-01T13:00:00", HOUR);
  close_state (fixture);
  theirs = read_text (fixture->path);
  g_unlink (fixture->path);

  open_state (fixture, "bbbbbbbb");
  hear (fixture, fixture->one, "2026-03-01T14:00:00", MINUTE);
  close_state (fixture);
  write_text (copy, theirs);

  open_state (fixture, "bbbbbbbb");
  before = sum_up (fixture, "2026-03-01T15:00:00");
  g_assert_cmpint (get_day (before, 0), ==, HOUR + MINUTE);
  g_assert_cmpuint (before->podcasts->len, ==, 1);
  hear (fixture, fixture->one, "2026-03-01T15:00:00", MINUTE);
  after = sum_up (fixture, "2026-03-01T15:00:00");
  g_assert_cmpint (get_day (after, 0), ==, HOUR + 2 * MINUTE);
}

#define RECORD(id, value)                                                                          \
  "\"" id "\": {\"updated\": \"2026-03-01T00:00:00Z\", \"value\": " value "}"
#define DAYS(days) "{\"days\": {" days "}}"
#define A_MINUTE "{\"listened\": 60}"

/* clang-format off */
static const char hostile[] =
  "{\"version\": 1, \"kind\": \"listening\", \"records\": {"
  RECORD ("2026-03/x/a", "{\"title\": 5, \"address\": \"javascript:1\", \"days\": {"
          "\"01\": {\"listened\": 1e300, \"saved-speed\": -7, \"saved-trim\": 9223372036854775807},"
          "\"02\": {\"listened\": -1e300, \"saved-speed\": \"a\"}, \"30\": [], \"31\": null,"
          "\"32\": " A_MINUTE ", \"1\": " A_MINUTE ", \"001\": " A_MINUTE ","
          "\"ab\": " A_MINUTE "}}") ","
  RECORD ("2026-02/x/a", DAYS ("\"29\": " A_MINUTE ", \"30\": " A_MINUTE)) ","
  RECORD ("2026-13/x/a", DAYS ("\"01\": " A_MINUTE)) ","
  RECORD ("0000-01/x/a", DAYS ("\"01\": " A_MINUTE)) ","
  RECORD ("9999-12/y/a", DAYS ("\"31\": " A_MINUTE)) ","
  RECORD ("2026-03", DAYS ("\"01\": " A_MINUTE)) ","
  RECORD ("2026-03/", "{\"days\": 5}") ","
  RECORD ("/", "{}") ","
  RECORD ("before/", "{\"saved-trim\": 1e300}") "}}";
/* clang-format on */

/* More than 24 hours a day, and impossible dates, are ignored. */
static void
test_hostile (Listening *fixture, gconstpointer data)
{
  g_autoptr (EarStatistics) statistics = NULL;
  g_autoptr (GDateTime) now = read_date ("2026-03-02T12:00:00");
  g_autoptr (GBytes) export = NULL;

  close_state (fixture);
  write_text (fixture->path, hostile);
  open_state (fixture, "a");

  statistics = sum_up (fixture, "2026-03-02T12:00:00");
  g_assert_cmpint (get_day (statistics, 1), ==, 25 * HOUR);
  g_assert_cmpint (get_day (statistics, 0), ==, 0);
  g_assert_cmpint (statistics->total.time, ==, 25 * HOUR + MINUTE);
  g_assert_cmpint (statistics->total.by_speed, ==, 0);
  g_assert_cmpint (statistics->total.by_trimming, >, 0);
  g_assert_cmpuint (statistics->podcasts->len, ==, 2);
  g_assert_null (((EarListenedPodcast *) g_ptr_array_index (statistics->podcasts, 0))->address);
  g_assert_cmpuint (statistics->most_in_a_row, ==, 1);
  export = ear_listening_export (fixture->listening, now);
  g_assert_cmpuint (g_bytes_get_size (export), >, 0);
}

/* The export has everything except URLs that grant access. */
static void
test_export (Listening *fixture, gconstpointer data)
{
  static const char *const parts[] = { "\"2026-03-01\"", "3600", "https://example.org/one",
                                       "\"Other\"" };
  g_autofree char *text = NULL;
  g_autoptr (GDateTime) now = read_date ("2026-03-02T12:00:00");
  g_autoptr (GBytes) export = NULL;

  hear (fixture, fixture->one, "2026-03-01T13:00:00", HOUR);
  hear (fixture, fixture->other, "2026-03-02T09:00:00", MINUTE);
  export = ear_listening_export (fixture->listening, now);
  text = g_strndup (g_bytes_get_data (export, NULL), g_bytes_get_size (export));
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    g_assert_nonnull (strstr (text, parts[i]));
  g_assert_null (strstr (text, "secret"));
}

/* The statistics update when a restored backup adds to them. */
static void
test_told (Listening *fixture, gconstpointer data)
{
  guint n_changed = 0;
  gint64 spared;

  g_signal_connect_swapped (fixture->listening, "changed", G_CALLBACK (count_signal_cb),
                            &n_changed);
  hear (fixture, fixture->one, "2026-03-01T13:00:00", HOUR);
  g_object_get (fixture->listening, "by-trimming", &spared, NULL);
  g_assert_cmpint (spared, ==, HOUR / 10);
  ear_listening_keep (fixture->listening);
  g_assert_cmpuint (n_changed, ==, 1);
  ear_listening_keep (fixture->listening);
  g_assert_cmpuint (n_changed, ==, 1);
}

static EarListened
get_heard (Fixture *fixture)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (EarStatistics) statistics =
      ear_listening_create_statistics (fixture->parts->listening, now);

  return statistics->total;
}

/* Time played and time saved by speed count; seeking and pauses do not. */
static void
test_played (Fixture *fixture, gconstpointer data)
{
  EarListened heard;

  ear_player_set_rate (fixture->player, 2);
  playing_fixture_play (fixture, fixture->first, 0);
  ear_test_spin (1300);
  ear_player_seek (fixture->player, 20 * G_USEC_PER_SEC);
  ear_test_spin (1300);
  ear_player_pause (fixture->player);
  heard = get_heard (fixture);
  g_assert_cmpint (heard.time, >=, 1 * G_USEC_PER_SEC);
  g_assert_cmpint (heard.time, <, 15 * G_USEC_PER_SEC);
  g_assert_cmpint (ABS (heard.time - heard.by_speed), <=, G_USEC_PER_SEC);

  ear_test_spin (1500);
  g_assert_cmpint (get_heard (fixture).time, ==, heard.time);
  ear_player_set_rate (fixture->player, 1);
}

/* Unsaved time is written at exit. */
static void
test_closed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->data, "state", "listening.json", NULL);
  g_autofree char *text = NULL;

  playing_fixture_play (fixture, fixture->first, 0);
  ear_test_spin (1500);
  close_library (fixture);
  text = read_text (path);
  g_assert_nonnull (strstr (text, "\"listened\""));
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (get_heard (fixture).time >= SECOND);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test)                                                                            \
  g_test_add ("/listening" path, Listening, NULL, set_up_listening, test, tear_down_listening)
  ADD ("/days", test_days);
  ADD ("/parts", test_parts);
  ADD ("/machines", test_machines);
  ADD ("/hostile", test_hostile);
  ADD ("/export", test_export);
  ADD ("/told", test_told);
  ADD_PLAYING_TEST ("/listening/played", test_played);
  ADD_PLAYING_TEST ("/listening/closed", test_closed);

  return g_test_run ();
}
