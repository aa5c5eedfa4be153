/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"
#include "ear-library.h"
#include "ear-listening.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "playing-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

/* Listening time: what counts, for which day, and the statistics */

#define MINUTE G_TIME_SPAN_MINUTE
#define HOUR G_TIME_SPAN_HOUR
#define FILE_NAME "listening.json"

typedef struct
{
  char *folder;
  EarSettings *settings;
  EarUserdataStore *state;
  EarListening *listening;
  EarPlayer *player;
  EarPodcast *one;
  EarPodcast *other;
} Fixture;

static void
open_state (Fixture *fixture, const char *machine)
{
  fixture->state = ear_userdata_store_new (fixture->folder);
  fixture->listening = ear_listening_new (fixture->player, fixture->state, fixture->settings);
  g_object_set (fixture->settings, "machine", machine, NULL);
  EAR_TEST_WAIT_UNTIL (ear_listening_is_loaded (fixture->listening));
}

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ear_userdata_store_finish (EAR_USERDATA_STORE (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
flush (Fixture *fixture)
{
  gboolean flushed = FALSE;

  ear_listening_keep (fixture->listening);
  ear_userdata_store_flush_async (fixture->state, NULL, flushed_cb, &flushed);
  EAR_TEST_WAIT_UNTIL (flushed);
}

static void
close_state (Fixture *fixture)
{
  flush (fixture);
  g_assert_finalize_object (g_steal_pointer (&fixture->listening));
  ear_test_finalize (g_steal_pointer (&fixture->state));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-listening-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->settings = ear_settings_new ();
  fixture->player = ear_player_new ("test");
  fixture->one = ear_podcast_new (1, "https://example.org/one");
  ear_podcast_set_title (fixture->one, "One");
  fixture->other = ear_podcast_new (2, "https://user:secret@example.org/other");
  ear_podcast_set_title (fixture->other, "Other");
  open_state (fixture, "aaaaaaaa");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_state (fixture);
  g_object_set (fixture->settings, "machine", "", NULL);
  g_assert_finalize_object (g_steal_pointer (&fixture->settings));
  g_clear_object (&fixture->player);
  g_clear_object (&fixture->one);
  g_clear_object (&fixture->other);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static void
hear (Fixture *fixture, EarPodcast *podcast, const char *until, gint64 time)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (until, zone);
  const EarListened heard = { time, time / 2, time / 10 };

  g_assert_nonnull (date);
  ear_listening_add (fixture->listening, podcast, date, &heard);
}

static EarStatistics *
sum_up (Fixture *fixture, const char *now)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (now, zone);

  return ear_listening_create_statistics (fixture->listening, date);
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
test_days (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarStatistics) statistics = NULL;
  const EarListenedPodcast *podcast;

  statistics = sum_up (fixture, "2026-03-02T12:00:00");
  g_assert_true (ear_statistics_is_empty (statistics));
  g_assert_cmpuint (statistics->days_in_a_row, ==, 0);
  g_clear_pointer (&statistics, ear_statistics_free);

  hear (fixture, fixture->one, "2026-02-28T23:59:00", MINUTE);
  hear (fixture, fixture->one, "2026-03-01T00:00:30", MINUTE);
  hear (fixture, fixture->one, "2026-03-01T00:01:30", MINUTE);
  hear (fixture, fixture->other, "2026-03-01T13:00:00", HOUR);
  hear (fixture, fixture->one, "2026-03-02T09:00:00", 2 * HOUR);
  /* The clock is set back. */
  hear (fixture, fixture->one, "2026-02-26T09:00:00", MINUTE);
  hear (fixture, fixture->one, "2026-03-02T09:01:00", MINUTE);

  statistics = sum_up (fixture, "2026-03-02T12:00:00");
  g_assert_cmpint (get_day (statistics, 0), ==, 2 * HOUR + MINUTE);
  g_assert_cmpint (get_day (statistics, 1), ==, HOUR + 2 * MINUTE);
  g_assert_cmpint (get_day (statistics, 2), ==, MINUTE);
  g_assert_cmpint (get_day (statistics, 3), ==, 0);
  g_assert_cmpint (get_day (statistics, 4), ==, MINUTE);
  g_assert_cmpint (get_month (statistics, 0), ==, get_day (statistics, 0) + get_day (statistics, 1));
  g_assert_cmpint (get_month (statistics, 1), ==, get_day (statistics, 2) + get_day (statistics, 4));
  g_assert_cmpint (statistics->total.time, ==, get_month (statistics, 0) + get_month (statistics, 1));
  g_assert_cmpint (statistics->total.by_speed, ==, statistics->total.time / 2);
  g_assert_cmpuint (statistics->days_in_a_row, ==, 3);
  g_assert_cmpuint (statistics->most_in_a_row, ==, 3);
  g_assert_cmpuint (statistics->podcasts->len, ==, 2);
  podcast = g_ptr_array_index (statistics->podcasts, 1);
  g_assert_cmpstr (podcast->title, ==, "Other");
  g_assert_cmpint (podcast->listened.time, ==, HOUR);
  g_clear_pointer (&statistics, ear_statistics_free);

  /* A streak lasts until the end of the next day; the day after that one it is over. */
  statistics = sum_up (fixture, "2026-03-03T23:00:00");
  g_assert_cmpuint (statistics->days_in_a_row, ==, 3);
  g_clear_pointer (&statistics, ear_statistics_free);
  statistics = sum_up (fixture, "2026-03-04T00:00:00");
  g_assert_cmpuint (statistics->days_in_a_row, ==, 0);
  g_assert_cmpuint (statistics->most_in_a_row, ==, 3);
  g_clear_pointer (&statistics, ear_statistics_free);

  /* A year later none of it is in the charts. */
  statistics = sum_up (fixture, "2027-03-04T00:00:00");
  g_assert_cmpint (get_month (statistics, 11), ==, 0);
  g_assert_cmpint (statistics->total.time, >, 3 * HOUR);
}

/* Many fractions of a second add up without loss. */
static void
test_parts (Fixture *fixture, gconstpointer data)
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

static char *
build_path (Fixture *fixture)
{
  return g_build_filename (fixture->folder, FILE_NAME, NULL);
}

/* The times that two machines count for one podcast in one month are added, in either
 * order of writing. */
static void
test_machines (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_path (fixture);
  g_autofree char *copy = g_build_filename (fixture->folder, "listening.sync-conflict-20260301-000000-ABCDEFG.json", NULL);
  g_autofree char *theirs = NULL;
  g_autoptr (EarStatistics) statistics = NULL;
  g_autoptr (GError) error = NULL;

  hear (fixture, fixture->one, "2026-03-01T13:00:00", HOUR);
  close_state (fixture);
  g_assert_true (g_file_get_contents (path, &theirs, NULL, &error));
  g_assert_no_error (error);
  g_unlink (path);

  open_state (fixture, "bbbbbbbb");
  hear (fixture, fixture->one, "2026-03-01T14:00:00", MINUTE);
  close_state (fixture);
  g_assert_true (g_file_set_contents (copy, theirs, -1, &error));
  g_assert_no_error (error);

  open_state (fixture, "bbbbbbbb");
  statistics = sum_up (fixture, "2026-03-01T15:00:00");
  g_assert_cmpint (get_day (statistics, 0), ==, HOUR + MINUTE);
  g_assert_cmpuint (statistics->podcasts->len, ==, 1);
  hear (fixture, fixture->one, "2026-03-01T15:00:00", MINUTE);
  g_clear_pointer (&statistics, ear_statistics_free);
  statistics = sum_up (fixture, "2026-03-01T15:00:00");
  g_assert_cmpint (get_day (statistics, 0), ==, HOUR + 2 * MINUTE);
}

static const char hostile[] =
  "{\"version\": 1, \"kind\": \"listening\", \"records\": {"
  "\"2026-03/x/a\": {\"updated\": \"2026-03-01T00:00:00Z\", \"value\": {\"title\": 5, \"address\": \"javascript:1\", \"days\": {"
  " \"01\": {\"listened\": 1e300, \"saved-speed\": -7, \"saved-trim\": 9223372036854775807},"
  " \"02\": {\"listened\": -1e300, \"saved-speed\": \"a\"}, \"30\": [], \"31\": null, \"32\": {\"listened\": 60},"
  " \"1\": {\"listened\": 60}, \"001\": {\"listened\": 60}, \"ab\": {\"listened\": 60}}}},"
  "\"2026-02/x/a\": {\"updated\": \"2026-03-01T00:00:00Z\", \"value\": {\"days\": {\"29\": {\"listened\": 60}, \"30\": {\"listened\": 60}}}},"
  "\"2026-13/x/a\": {\"updated\": \"2026-03-01T00:00:00Z\", \"value\": {\"days\": {\"01\": {\"listened\": 60}}}},"
  "\"0000-01/x/a\": {\"updated\": \"2026-03-01T00:00:00Z\", \"value\": {\"days\": {\"01\": {\"listened\": 60}}}},"
  "\"9999-12/y/a\": {\"updated\": \"2026-03-01T00:00:00Z\", \"value\": {\"days\": {\"31\": {\"listened\": 60}}}},"
  "\"2026-03\": {\"updated\": \"2026-03-01T00:00:00Z\", \"value\": {\"days\": {\"01\": {\"listened\": 60}}}},"
  "\"2026-03/\": {\"updated\": \"2026-03-01T00:00:00Z\", \"value\": {\"days\": 5}},"
  "\"/\": {\"updated\": \"2026-03-01T00:00:00Z\", \"value\": {}},"
  "\"before/\": {\"updated\": \"2026-03-01T00:00:00Z\", \"value\": {\"saved-trim\": 1e300}}}}";

/* More than 24 hours a day, and impossible dates, are ignored. */
static void
test_hostile (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_path (fixture);
  g_autoptr (EarStatistics) statistics = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) export = NULL;
  g_autoptr (GDateTime) now = g_date_time_new_local (2026, 3, 2, 12, 0, 0);

  close_state (fixture);
  g_assert_true (g_file_set_contents (path, hostile, -1, &error));
  g_assert_no_error (error);
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

static gboolean
has (GBytes *bytes, const char *text)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  return g_strstr_len (data, (gssize) length, text) != NULL;
}

/* The export has everything except URLs that grant access. */
static void
test_export (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDateTime) now = g_date_time_new_local (2026, 3, 2, 12, 0, 0);
  g_autoptr (GBytes) export = NULL;

  hear (fixture, fixture->one, "2026-03-01T13:00:00", HOUR);
  hear (fixture, fixture->other, "2026-03-02T09:00:00", MINUTE);
  export = ear_listening_export (fixture->listening, now);
  g_assert_true (has (export, "\"2026-03-01\""));
  g_assert_true (has (export, "3600"));
  g_assert_true (has (export, "https://example.org/one"));
  g_assert_true (has (export, "\"Other\""));
  g_assert_false (has (export, "secret"));
}

static void
count_cb (guint *n)
{
  (*n)++;
}

/* The statistics update when a restored backup adds to them. */
static void
test_told (Fixture *fixture, gconstpointer data)
{
  guint n_changed = 0;
  gint64 spared;

  g_signal_connect_swapped (fixture->listening, "changed", G_CALLBACK (count_cb), &n_changed);
  hear (fixture, fixture->one, "2026-03-01T13:00:00", HOUR);
  g_object_get (fixture->listening, "by-trimming", &spared, NULL);
  g_assert_cmpint (spared, ==, HOUR / 10);
  ear_listening_keep (fixture->listening);
  g_assert_cmpuint (n_changed, ==, 1);
  ear_listening_keep (fixture->listening);
  g_assert_cmpuint (n_changed, ==, 1);
}

static EarListened
get_heard (PlayingFixture *fixture)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (EarStatistics) statistics =
    ear_listening_create_statistics (ear_library_get_listening (fixture->library), now);

  return statistics->total;
}

/* Time played and time saved by speed count; seeking and pauses do not. */
static void
test_played (PlayingFixture *fixture, gconstpointer data)
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
test_closed (PlayingFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "data", "state", FILE_NAME, NULL);
  g_autofree char *text = NULL;

  playing_fixture_play (fixture, fixture->first, 0);
  ear_test_spin (1500);
  g_clear_object (&fixture->overstated);
  g_clear_object (&fixture->first);
  g_clear_object (&fixture->second);
  g_clear_object (&fixture->list);
  library_fixture_close (&fixture->library);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\"listened\""));

  fixture->library = library_fixture_open (fixture->folder);
  EAR_TEST_WAIT_UNTIL (get_heard (fixture).time >= G_USEC_PER_SEC);
}

#define ADD(path, function) g_test_add ("/listening" path, Fixture, NULL, set_up, function, tear_down)
#define ADD_PLAYING(path, function) \
  g_test_add ("/listening" path, PlayingFixture, NULL, playing_fixture_set_up, function, playing_fixture_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/days", test_days);
  ADD ("/parts", test_parts);
  ADD ("/machines", test_machines);
  ADD ("/hostile", test_hostile);
  ADD ("/export", test_export);
  ADD ("/told", test_told);
  ADD_PLAYING ("/played", test_played);
  ADD_PLAYING ("/closed", test_closed);

  return g_test_run ();
}
