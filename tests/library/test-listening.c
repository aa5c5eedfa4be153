/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "playing-fixture.h"

/* Listening time: what counts, for which day, and the statistics */

static char *path; /* of the file with the times */
static EarPodcast *one;
static EarPodcast *other;

static gboolean
is_loaded (Fixture *fixture)
{
  return ear_records_is_loaded (ear_listening_get_records (fixture->parts->listening));
}

static void
open_on (Fixture *fixture, const char *machine)
{
  open_and_wait (fixture, NULL);
  g_object_set (fixture->parts->settings, "machine", machine, NULL);
  EAR_TEST_WAIT_UNTIL (is_loaded (fixture));
}

static void
set_up_listening (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, data);
  path = g_build_filename (fixture->data, "state", "listening.json", NULL);
  one = ear_podcast_new (1, "https://example.org/one");
  ear_podcast_set_title (one, "One");
  other = ear_podcast_new (2, "https://user:secret@example.org/other");
  ear_podcast_set_title (other, "Other");
  open_on (fixture, "aaaaaaaa");
}

static void
tear_down_listening (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->parts->settings, "machine", "", NULL);
  tear_down (fixture, data);
  g_clear_object (&one);
  g_clear_object (&other);
  g_clear_pointer (&path, g_free);
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
hear (Fixture *fixture, EarPodcast *podcast, const char *until, gint64 time)
{
  g_autoptr (GDateTime) date = read_date (until);
  const EarListened heard = { time, time / 2, time / 10 };

  ear_listening_add (fixture->parts->listening, podcast, date, &heard);
}

static EarStatistics *
sum_up (Fixture *fixture, const char *now)
{
  g_autoptr (GDateTime) date = read_date (now);

  return ear_listening_create_statistics (fixture->parts->listening, date);
}

static void
assert_streak (Fixture *fixture, const char *now, guint days, guint most)
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

/* Each part counts for the day on which it was heard, also when the clock changes. */
static void
test_days (Fixture *fixture, gconstpointer data)
{
  static const struct { const char *until; gint64 time; gboolean other; } times[] = {
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

  g_assert_true (ear_statistics_is_empty (empty));
  g_assert_cmpuint (empty->days_in_a_row, ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    hear (fixture, times[i].other ? other : one, times[i].until, times[i].time);

  g_autoptr (EarStatistics) statistics = sum_up (fixture, "2026-03-02T12:00:00");
  for (guint i = 0; i < G_N_ELEMENTS (days); i++)
    g_assert_cmpint (get_day (statistics, i), ==, days[i]);
  g_assert_cmpint (get_month (statistics, 0), ==, days[0] + days[1]);
  g_assert_cmpint (get_month (statistics, 1), ==, days[2] + days[4]);
  g_assert_cmpint (statistics->total.time, ==,
                   get_month (statistics, 0) + get_month (statistics, 1));
  g_assert_cmpint (statistics->total.by_speed, ==, statistics->total.time / 2);
  g_assert_cmpuint (statistics->podcasts->len, ==, 2);
  const EarListenedPodcast *podcast = g_ptr_array_index (statistics->podcasts, 1);
  g_assert_cmpstr (podcast->title, ==, "Other");
  g_assert_cmpint (podcast->listened.time, ==, HOUR);

  /* A streak lasts until the end of the next day; the day after that one it is over. */
  assert_streak (fixture, "2026-03-02T12:00:00", 3, 3);
  assert_streak (fixture, "2026-03-03T23:00:00", 3, 3);
  assert_streak (fixture, "2026-03-04T00:00:00", 0, 3);
  /* A year later none of it is in the charts. */
  g_autoptr (EarStatistics) later = sum_up (fixture, "2027-03-04T00:00:00");
  g_assert_cmpint (get_month (later, 11), ==, 0);
  g_assert_cmpint (later->total.time, >, 3 * HOUR);
}

/* Time listened before the records are loaded counts for its own podcast and day. */
static void
test_early (Fixture *fixture, gconstpointer data)
{
  close_library (fixture);
  open_library (fixture, NULL);
  g_assert_false (is_loaded (fixture));
  hear (fixture, one, "2026-03-01T13:00:00", HOUR);
  hear (fixture, other, "2026-03-01T14:00:00", MINUTE);
  hear (fixture, other, "2026-03-02T14:00:00", MINUTE);
  EAR_TEST_WAIT_UNTIL (is_loaded (fixture));
  g_autoptr (EarStatistics) statistics = sum_up (fixture, "2026-03-02T15:00:00");
  g_assert_cmpint (get_day (statistics, 1), ==, HOUR + MINUTE);
  g_assert_cmpint (get_day (statistics, 0), ==, MINUTE);
  g_assert_cmpuint (statistics->podcasts->len, ==, 2);
  const EarListenedPodcast *podcast = g_ptr_array_index (statistics->podcasts, 0);
  g_assert_cmpint (podcast->listened.time, ==, HOUR);
}

/* The times that two machines count for one podcast in one month are added. */
static void
test_machines (Fixture *fixture, gconstpointer data)
{
  g_autofree char *copy = g_build_filename (
      fixture->data, "state", "listening.sync-conflict-20260301-000000-ABCDEFG.json", NULL);

  hear (fixture, one, "2026-03-01T13:00:00", HOUR);
  close_library (fixture);
  g_autofree char *theirs = read_text (path);
  g_unlink (path);

  open_on (fixture, "bbbbbbbb");
  hear (fixture, one, "2026-03-01T14:00:00", MINUTE);
  close_library (fixture);
  write_text (copy, theirs);

  open_on (fixture, "bbbbbbbb");
  g_autoptr (EarStatistics) before = sum_up (fixture, "2026-03-01T15:00:00");
  g_assert_cmpint (get_day (before, 0), ==, HOUR + MINUTE);
  g_assert_cmpuint (before->podcasts->len, ==, 1);
  hear (fixture, one, "2026-03-01T15:00:00", MINUTE);
  g_autoptr (EarStatistics) after = sum_up (fixture, "2026-03-01T15:00:00");
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
test_hostile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDateTime) now = read_date ("2026-03-02T12:00:00");

  close_library (fixture);
  write_text (path, hostile);
  open_on (fixture, "a");

  g_autoptr (EarStatistics) statistics = sum_up (fixture, "2026-03-02T12:00:00");
  g_assert_cmpint (get_day (statistics, 1), ==, 25 * HOUR);
  g_assert_cmpint (get_day (statistics, 0), ==, 0);
  g_assert_cmpint (statistics->total.time, ==, 25 * HOUR + MINUTE);
  g_assert_cmpint (statistics->total.by_speed, ==, 0);
  g_assert_cmpint (statistics->total.by_trimming, >, 0);
  g_assert_cmpuint (statistics->podcasts->len, ==, 2);
  g_assert_null (((EarListenedPodcast *) g_ptr_array_index (statistics->podcasts, 0))->address);
  g_assert_cmpuint (statistics->most_in_a_row, ==, 1);
  g_autoptr (GBytes) export = ear_listening_export (fixture->parts->listening, now);
  g_assert_cmpuint (g_bytes_get_size (export), >, 0);
}

/* The export has everything except URLs that grant access; and the statistics follow. */
static void
test_export (Fixture *fixture, gconstpointer data)
{
  static const char *const parts[] = { "\"2026-03-01\"", "3600", "https://example.org/one",
                                       "\"Other\"" };
  guint n_changed = 0;
  g_autoptr (GDateTime) now = read_date ("2026-03-02T12:00:00");

  hear (fixture, one, "2026-03-01T13:00:00", HOUR);
  hear (fixture, other, "2026-03-02T09:00:00", MINUTE);
  /* The statistics update, once, when the times are stored. */
  g_signal_connect_swapped (fixture->parts->listening, "changed", G_CALLBACK (ear_test_count_cb),
                            &n_changed);
  g_assert_cmpint (ear_test_get_int64 (fixture->parts->listening, "by-trimming"), ==,
                   HOUR / 10 + MINUTE / 10);
  for (guint i = 0; i < 2; i++)
    ear_listening_keep (fixture->parts->listening);
  g_assert_cmpuint (n_changed, ==, 1);

  g_autoptr (GBytes) export = ear_listening_export (fixture->parts->listening, now);
  g_autofree char *text = g_strndup (g_bytes_get_data (export, NULL), g_bytes_get_size (export));
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    g_assert_nonnull (strstr (text, parts[i]));
  g_assert_null (strstr (text, "secret"));

  /* Many fractions of a second add up without loss. */
  for (guint i = 0; i < 1000; i++)
    {
      hear (fixture, one, "2026-03-02T13:00:00", G_USEC_PER_SEC * 2 / 5);
      ear_listening_keep (fixture->parts->listening);
    }
  g_autoptr (EarStatistics) statistics = sum_up (fixture, "2026-03-02T13:00:00");
  g_assert_cmpint (statistics->total.time, ==, HOUR + MINUTE + 400 * G_USEC_PER_SEC);
  g_assert_cmpint (statistics->total.by_trimming, ==,
                   HOUR / 10 + MINUTE / 10 + 40 * G_USEC_PER_SEC);
}

static EarListened
get_heard (Fixture *fixture)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (EarStatistics) statistics =
      ear_listening_create_statistics (fixture->parts->listening, now);

  return statistics->total;
}

/* Time played and time saved count, seeking and pauses do not; all is written at exit. */
static void
test_played (Fixture *fixture, gconstpointer data)
{
  g_autofree char *written = g_build_filename (fixture->data, "state", "listening.json", NULL);

  ear_player_set_rate (fixture->player, 2);
  playing_fixture_play (fixture, fixture->first, 0);
  ear_test_spin (1300);
  ear_player_seek (fixture->player, 20 * G_USEC_PER_SEC);
  ear_test_spin (1300);
  ear_player_pause (fixture->player);
  EarListened heard = get_heard (fixture);
  g_assert_cmpint (heard.time, >=, 1 * G_USEC_PER_SEC);
  g_assert_cmpint (heard.time, <, 15 * G_USEC_PER_SEC);
  g_assert_cmpint (ABS (heard.time - heard.by_speed), <=, G_USEC_PER_SEC);

  ear_test_spin (1500);
  g_assert_cmpint (get_heard (fixture).time, ==, heard.time);
  ear_player_set_rate (fixture->player, 1);

  ear_player_play (fixture->player);
  ear_test_spin (1500);
  close_library (fixture);
  g_assert_true (file_has (written, "\"listened\""));
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (get_heard (fixture).time >= heard.time + SECOND);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test)                                                                            \
  g_test_add ("/listening" path, Fixture, NULL, set_up_listening, test, tear_down_listening)
  ADD ("/days", test_days);
  ADD ("/early", test_early);
  ADD ("/machines", test_machines);
  ADD ("/hostile", test_hostile);
  ADD ("/export", test_export);
  ADD_PLAYING_TEST ("/listening/played", test_played);

  return g_test_run ();
}
