/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gtk/gtk.h>
#include <locale.h>

#include "ear-closures.h"
#include "ear-error.h"
#include "ear-format-episode.h"
#include "ear-format.h"

/* 21 November 2026, noon, UTC */
#define NOW G_GINT64_CONSTANT (1795262400)
#define DAY 86400

#define MINUTES(n) ((gint64) ((n) * 60.0 * G_TIME_SPAN_SECOND))

/* Removes directional isolates, and turns no-break spaces into spaces.
 * @text: (transfer full) (nullable) */
static char *
without_isolates (char *text)
{
  g_autofree char *given = text;
  GString *plain;

  if (text == NULL)
    return NULL;

  plain = g_string_new (NULL);
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      const gunichar c = g_utf8_get_char (at);

      if (c < 0x2066 || c > 0x2069)
        g_string_append_unichar (plain, c == 0xa0 ? ' ' : c);
    }

  return g_string_free (plain, FALSE);
}

static void
assert_text (char *taken, const char *expected)
{
  g_autofree char *text = without_isolates (taken);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_date (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_from_unix_local (NOW);
  g_autoptr (GDate) date = g_date_new_dmy ((GDateDay) g_date_time_get_day_of_month (now), (GDateMonth) g_date_time_get_month (now),
                                           (GDateYear) g_date_time_get_year (now));
  const int today = (int) g_date_get_julian (date);

  assert_text (ear_format_date (NOW, NOW), "Today");
  assert_text (ear_format_date (NOW - DAY / 2 - 1, NOW), "Yesterday");
  assert_text (ear_format_date (NOW - DAY, NOW), "Yesterday");
  assert_text (ear_format_date (NOW - 2 * DAY, NOW), "Nov 19");
  assert_text (ear_format_date (NOW + 2 * DAY, NOW), "Nov 23");
  assert_text (ear_format_date (1722729600, NOW), "Aug 4, 2024");
  assert_text (ear_format_date (EAR_DATE_UNKNOWN, NOW), NULL);
  assert_text (ear_format_date (G_MAXINT64, NOW), NULL);
  assert_text (ear_format_date (G_MININT64 + 1, NOW), NULL);
  assert_text (ear_format_day (today, NOW), "Today");
  assert_text (ear_format_day (today - 1, NOW), "Yesterday");
  assert_text (ear_format_day (today - 2, NOW), "Thursday, November 19");
  assert_text (ear_format_day (today - 400, NOW), "Friday, October 17, 2025");
  assert_text (ear_format_day (0, NOW), NULL);
  assert_text (ear_format_day (-5, NOW), NULL);
  assert_text (ear_format_date_long (1722729600), "August 4, 2024");
  assert_text (ear_format_date_long (EAR_DATE_UNKNOWN), NULL);
}

static void
test_duration (void)
{
  assert_text (ear_format_duration (0), NULL);
  assert_text (ear_format_duration (-5), NULL);
  assert_text (ear_format_duration (45 * G_TIME_SPAN_SECOND), "45 s");
  assert_text (ear_format_duration (MINUTES (1)), "1 min");
  assert_text (ear_format_duration (MINUTES (1) - 20), "1 min");
  assert_text (ear_format_duration (G_TIME_SPAN_SECOND * 444 / 10), "44 s");
  assert_text (ear_format_duration (MINUTES (16.4)), "16 min");
  assert_text (ear_format_duration (MINUTES (16.6)), "17 min");
  assert_text (ear_format_duration (MINUTES (60)), "1 h");
  assert_text (ear_format_duration (MINUTES (65)), "1 h 5 min");
  assert_text (ear_format_duration_spoken (MINUTES (1)), "1 minute");
  assert_text (ear_format_duration_spoken (MINUTES (16)), "16 minutes");
  assert_text (ear_format_duration_spoken (MINUTES (120)), "2 hours");
  assert_text (ear_format_duration_spoken (MINUTES (61)), "1 hour 1 minute");
  assert_text (ear_format_duration_spoken (19 * G_TIME_SPAN_SECOND), "19 seconds");
  assert_text (ear_format_duration_spoken (MINUTES (1) - 20), "1 minute");
  assert_text (ear_format_duration_spoken (19 * G_TIME_SPAN_SECOND - 20), "19 seconds");
  assert_text (ear_format_duration_spoken (0), NULL);
}

static void
test_time_left (void)
{
  assert_text (ear_format_time_left (MINUTES (10), MINUTES (6)), "4 min left");
  assert_text (ear_format_time_left (MINUTES (10), MINUTES (9.5)), "1 min left");
  assert_text (ear_format_time_left (MINUTES (10), 0), NULL);
  assert_text (ear_format_time_left (MINUTES (10), MINUTES (10)), NULL);
  assert_text (ear_format_time_left (0, MINUTES (1)), NULL);
}

static void
test_clock (void)
{
  g_autofree char *clock = ear_format_clock (MINUTES (12.05));

  /* A clock reads from left to right, whatever is around it. */
  g_assert_cmpstr (clock, ==, "\u206612:03\u2069");
  assert_text (ear_format_clock (0), "0:00");
  assert_text (ear_format_clock (MINUTES (62.05)), "1:02:03");
  assert_text (ear_format_clock (-MINUTES (13.35)), "\u221213:21");
}

static void
test_size (void)
{
  assert_text (ear_format_size (0), NULL);
  assert_text (ear_format_size (-1), NULL);
  assert_text (ear_format_size (699300), "700 kB");
  assert_text (ear_format_size (15400000), "15 MB");
  g_autofree char *small = ear_format_size (1500000);
  g_assert_true (g_str_has_prefix (small, "1.5"));
  g_autofree char *large = ear_format_size (G_MAXINT64);
  g_assert_nonnull (large);
}

static void
test_ago (void)
{
  assert_text (ear_format_ago (0, NOW), NULL);
  assert_text (ear_format_ago (NOW - 30, NOW), "Checked just now");
  assert_text (ear_format_ago (NOW + 100, NOW), "Checked just now");
  assert_text (ear_format_ago (NOW - 299, NOW), "Checked just now");
  assert_text (ear_format_ago (NOW - 300, NOW), "Checked 5 minutes ago");
  assert_text (ear_format_ago (NOW - 59 * 60, NOW), "Checked 50 minutes ago");
  assert_text (ear_format_ago (NOW - 7200, NOW), "Checked 2 hours ago");
  assert_text (ear_format_ago (NOW - 3 * DAY, NOW), "Checked 3 days ago");
  /* The last second of each text, and the first one of the next */
  assert_text (ear_format_ago (NOW - 599, NOW), "Checked 5 minutes ago");
  assert_text (ear_format_ago (NOW - 600, NOW), "Checked 10 minutes ago");
  assert_text (ear_format_ago (NOW - 3599, NOW), "Checked 50 minutes ago");
  assert_text (ear_format_ago (NOW - 3600, NOW), "Checked 1 hour ago");
  assert_text (ear_format_ago (NOW - 7199, NOW), "Checked 1 hour ago");
  assert_text (ear_format_ago (NOW - DAY + 1, NOW), "Checked 23 hours ago");
  assert_text (ear_format_ago (NOW - DAY, NOW), "Checked 1 day ago");
}

static void
test_rate (void)
{
  assert_text (ear_format_rate (1.0), "1×");
  assert_text (ear_format_rate (1.2), "1.2×");
  assert_text (ear_format_rate (1.25), "1.25×");
  assert_text (ear_format_rate (0.8499999), "0.85×");
}

static void
test_join (void)
{
  g_autofree char *joined = ear_format_join ("4 Aug", "", NULL, "16 min");

  /* A date that reads from right to left does not reorder the length after it. */
  g_assert_cmpstr (joined, ==, "\u20684 Aug\u2069\u00a0· \u206816 min\u2069");
  assert_text (ear_format_join ("", NULL), "");
}

/* Narrow tabs have their names without the numbers. */
static void
test_tabs (void)
{
  assert_text (ear_closure_chapters_title (NULL, 5, 7, FALSE), "Chapters 5");
  assert_text (ear_closure_chapters_title (NULL, 0, 7, FALSE), "Bookmarks 7");
  assert_text (ear_closure_links_title (NULL, 12, FALSE), "Links 12");
  assert_text (ear_closure_chapters_title (NULL, 5, 7, TRUE), "Chapters");
  assert_text (ear_closure_chapters_title (NULL, 0, 7, TRUE), "Bookmarks");
  assert_text (ear_closure_links_title (NULL, 12, TRUE), "Links");
}

/* The line has the direction of the window, whatever language it begins in. */
static void
test_join_direction (void)
{
  assert_text (ear_format_join ("Lamps", "The Lighthouse Hour"), "Lamps · The Lighthouse Hour");
  assert_text (ear_format_join ("פרק", "Lamps"), "\u200eפרק · Lamps");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  assert_text (ear_format_join ("Lamps", "The Lighthouse Hour"), "\u200fLamps · The Lighthouse Hour");
  assert_text (ear_format_join ("פרק", "Lamps"), "פרק · Lamps");
  assert_text (ear_format_join ("5", "7"), "5 · 7");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static void
test_number (void)
{
  assert_text (ear_format_number (0, "83"), "Episode 83");
  assert_text (ear_format_number (2, "14"), "Season 2, Episode 14");
  assert_text (ear_format_number (2, NULL), "Season 2");
  assert_text (ear_format_number (0, "Special"), "Special");
  assert_text (ear_format_number (0, ""), NULL);
  assert_text (ear_format_number (0, NULL), NULL);
}

static EarEpisode *
make_episode (void)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, "https://example.org/feed.xml");
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();
  EarEpisode *episode = ear_episode_new (7, podcast, "guid");
  EarEnclosure *enclosure = ear_enclosure_new ();

  facts->title = g_strdup ("Compiler collectives");
  facts->published = 1722729600;
  facts->number = g_strdup ("83");
  enclosure->address = g_strdup ("https://example.org/83.mp3");
  enclosure->size = 15400000;
  g_ptr_array_add (facts->enclosures, enclosure);
  ear_episode_set_facts (episode, facts);
  ear_episode_set_duration (episode, MINUTES (16));

  return episode;
}

static void
test_row (void)
{
  g_autoptr (EarEpisode) episode = make_episode ();

  assert_text (ear_format_row (episode, FALSE, NOW), "Aug 4, 2024 · 16 min");
  assert_text (ear_format_row_spoken (episode, FALSE, FALSE), "Compiler collectives, August 4, 2024, 16 minutes");
  assert_text (ear_format_episode (episode), "August 4, 2024 · 16 min\nEpisode 83 · 15 MB");

  ear_podcast_set_title (ear_episode_get_podcast (episode), "PyTorch");
  g_assert_cmpstr (ear_format_row_podcast (episode), ==, "PyTorch");
  assert_text (ear_format_row_spoken (episode, TRUE, FALSE), "Compiler collectives, PyTorch, August 4, 2024, 16 minutes");
  ear_episode_set_fresh (episode, TRUE);
  ear_episode_set_mark (episode, EAR_MARK_QUEUED, 1);
  assert_text (ear_format_row_spoken (episode, FALSE, FALSE), "Compiler collectives, August 4, 2024, 16 minutes, new, in Up Next");
  ear_episode_set_position (episode, MINUTES (2));
  assert_text (ear_format_row_spoken (episode, FALSE, FALSE), "Compiler collectives, August 4, 2024, 14 minutes left, in Up Next");
  ear_episode_set_position (episode, 0);
  ear_episode_set_mark (episode, EAR_MARK_QUEUED, 0);
  ear_episode_set_fresh (episode, FALSE);
  ear_episode_set_mark (episode, EAR_MARK_LIKED, TRUE);
  assert_text (ear_format_row_spoken (episode, FALSE, FALSE), "Compiler collectives, August 4, 2024, 16 minutes, liked");
  ear_episode_set_download (episode, EAR_DOWNLOAD_DONE, NULL);
  assert_text (ear_format_row_spoken (episode, FALSE, FALSE), "Compiler collectives, August 4, 2024, 16 minutes, liked, downloaded");
  /* The percentage is not spoken: it changes four times a second. */
  ear_episode_set_download (episode, EAR_DOWNLOAD_RUNNING, NULL);
  ear_episode_set_download_bytes (episode, 380000, 1000000);
  assert_text (ear_format_row (episode, FALSE, NOW), "38 % of 1.0 MB · Aug 4, 2024 · 16 min");
  ear_episode_set_download_bytes (episode, 6600000, -1);
  assert_text (ear_format_download (episode), "6.6 MB so far");
  assert_text (ear_format_row_spoken (episode, FALSE, FALSE), "Compiler collectives, August 4, 2024, 16 minutes, liked, downloading");
  ear_episode_set_download (episode, EAR_DOWNLOAD_FAILED, &(GError) { EAR_ERROR, EAR_ERROR_WEB_PAGE, (char *) "a page" });
  assert_text (ear_format_download (episode), "Failed: not audio");
  ear_episode_set_download (episode, EAR_DOWNLOAD_NONE, NULL);
  g_assert_null (ear_format_download (episode));
  ear_episode_set_mark (episode, EAR_MARK_LIKED, FALSE);
  /* The history shows the day of listening. */
  ear_episode_set_heard (episode, (NOW - 3600) * G_USEC_PER_SEC);
  assert_text (ear_format_row (episode, TRUE, NOW), "Today · 16 min");
  assert_text (ear_format_row (episode, FALSE, NOW), "Aug 4, 2024 · 16 min");

  ear_episode_set_position (episode, MINUTES (12));
  assert_text (ear_format_row (episode, FALSE, NOW), "Aug 4, 2024 · 4 min left");
  assert_text (ear_format_episode (episode), "August 4, 2024 · 4 min left\nEpisode 83 · 15 MB");
  assert_text (ear_format_row_spoken (episode, FALSE, FALSE), "Compiler collectives, August 4, 2024, 4 minutes left");

  ear_episode_set_playback (episode, EAR_PLAYBACK_PLAYING);
  assert_text (ear_format_row_spoken (episode, FALSE, FALSE), "Compiler collectives, August 4, 2024, 4 minutes left, playing");
  ear_episode_set_playback (episode, EAR_PLAYBACK_NONE);

  ear_episode_set_mark (episode, EAR_MARK_LISTENED, TRUE);
  assert_text (ear_format_row (episode, FALSE, NOW), "Aug 4, 2024 · 16 min");
  assert_text (ear_format_row_spoken (episode, FALSE, FALSE), "Compiler collectives, August 4, 2024, 16 minutes, played");
}

static void
test_row_without_facts (void)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, "https://example.org/feed.xml");
  g_autoptr (EarEpisode) episode = ear_episode_new (7, podcast, "guid");

  assert_text (ear_format_row (episode, FALSE, NOW), "");
  /* An episode without a title has the name of its podcast. */
  assert_text (ear_format_row_spoken (episode, FALSE, FALSE), "example.org");
  assert_text (ear_format_row_spoken (episode, TRUE, FALSE), "example.org");
  assert_text (ear_format_episode (episode), "");
}

static void
test_player (void)
{
  g_autoptr (GError) lost = g_error_new_literal (EAR_ERROR, EAR_ERROR_INCOMPLETE, "It ends before its time");
  g_autoptr (GError) nothing = g_error_new_literal (EAR_ERROR, EAR_ERROR_NO_MEDIA, "The episode has no media");

  assert_text (ear_closure_player_icon (NULL, EAR_PLAYER_PLAYING), "media-playback-pause-symbolic");
  assert_text (ear_closure_player_icon (NULL, EAR_PLAYER_LOADING), "media-playback-pause-symbolic");
  assert_text (ear_closure_player_icon (NULL, EAR_PLAYER_PAUSED), "media-playback-start-symbolic");
  assert_text (ear_closure_player_tooltip (NULL, EAR_PLAYER_PLAYING, 100), "Pause");
  assert_text (ear_closure_player_tooltip (NULL, EAR_PLAYER_PAUSED, 100), "Play");
  assert_text (ear_closure_player_tooltip (NULL, EAR_PLAYER_FAILED, 0), "Try Again");
  assert_text (ear_closure_player_tooltip (NULL, EAR_PLAYER_LOADING, 43), "Buffering, 43%");
  assert_text (ear_closure_player_page (NULL, EAR_PLAYER_FAILED, FALSE), "time");
  assert_text (ear_closure_media_error_button (NULL, NULL), NULL);
  assert_text (ear_closure_media_error_button (NULL, lost), "_Retry");
  assert_text (ear_closure_media_error_button (NULL, nothing), NULL);
  assert_text (ear_closure_player_page (NULL, EAR_PLAYER_ENDED, FALSE), "time");
  assert_text (ear_closure_player_page (NULL, EAR_PLAYER_LOADING, TRUE), "waiting");
  g_assert_cmpfloat (ear_closure_fraction (NULL, 5, 10), ==, 0.5);
  g_assert_cmpfloat (ear_closure_fraction (NULL, 5, 0), ==, 0.0);
  g_assert_cmpfloat (ear_closure_fraction (NULL, 20, 10), ==, 1.0);
  g_assert_cmpfloat (ear_closure_part (NULL, 1, 4), ==, 0.25);
  /* Zero of zero counts as complete. */
  g_assert_cmpfloat (ear_closure_part (NULL, 0, 0), ==, 1.0);
  assert_text (ear_closure_refresh_label (NULL, 11, 200), "Checking 12 of 200");
  assert_text (ear_closure_refresh_label (NULL, 200, 200), "Checking 200 of 200");
  g_assert_null (ear_closure_refresh_label (NULL, 0, 0));
  assert_text (ear_closure_sleep_label (NULL, "off", 0), "");
  assert_text (ear_closure_sleep_label (NULL, "episode", 0), "End");
  assert_text (ear_closure_sleep_label (NULL, "15", 14 * 60), "14 min");
  assert_text (ear_closure_sleep_label (NULL, "15", 61), "2 min");
  assert_text (ear_closure_sleep_label (NULL, "15", 59), "0:59");
  assert_text (ear_closure_whose_playback (NULL, FALSE, 1.5), "All podcasts play like this");
  assert_text (ear_closure_whose_playback (NULL, TRUE, 1.5), "Other podcasts play at 1.5×");
  assert_text (ear_closure_sleep_words (NULL, "off", 0), "Sleep Timer");
  assert_text (ear_closure_sleep_words (NULL, "chapter", 0), "Sleep timer: end of the chapter");
  assert_text (ear_closure_sleep_words (NULL, "episode", 0), "Sleep timer: end of the episode");
  assert_text (ear_closure_sleep_words (NULL, "30", 61), "Sleep timer: 2 minutes left");
  assert_text (ear_closure_sleep_words (NULL, "30", 1), "Sleep timer: 1 second left");
  assert_text (ear_closure_volume_icon (NULL, 1.0, FALSE), "audio-volume-high-symbolic");
  assert_text (ear_closure_volume_icon (NULL, 0.5, FALSE), "audio-volume-medium-symbolic");
  assert_text (ear_closure_volume_icon (NULL, 0.1, FALSE), "audio-volume-low-symbolic");
  assert_text (ear_closure_volume_icon (NULL, 0.0, FALSE), "audio-volume-muted-symbolic");
  assert_text (ear_closure_volume_icon (NULL, 1.0, TRUE), "audio-volume-muted-symbolic");
}

static void
test_play_button (void)
{
  assert_text (ear_closure_play_label (NULL, EAR_PLAYBACK_NONE, 0, FALSE), "Play");
  assert_text (ear_closure_play_label (NULL, EAR_PLAYBACK_NONE, MINUTES (12.05), FALSE), "Resume at 12:03");
  assert_text (ear_closure_play_label (NULL, EAR_PLAYBACK_NONE, MINUTES (16), TRUE), "Play");
  assert_text (ear_closure_play_label (NULL, EAR_PLAYBACK_PAUSED, MINUTES (12.05), TRUE), "Resume at 12:03");
  assert_text (ear_closure_play_label (NULL, EAR_PLAYBACK_PLAYING, MINUTES (12), FALSE), "Pause");
  assert_text (ear_closure_play_label (NULL, EAR_PLAYBACK_LOADING, 0, FALSE), "Pause");
  assert_text (ear_closure_listened_label (NULL, TRUE), "Mark as Unplayed");
  assert_text (ear_closure_listened_label (NULL, FALSE), "Mark as Played");
}

/* Icons exist for some numbers; the label always has the number. */
static void
test_skip (void)
{
  assert_text (ear_closure_skip_icon (NULL, 10, "back"), "ear-back-10-symbolic");
  assert_text (ear_closure_skip_icon (NULL, 15, "back"), "ear-back-15-symbolic");
  assert_text (ear_closure_skip_icon (NULL, 7, "back"), "ear-back-symbolic");
  assert_text (ear_closure_skip_icon (NULL, 30, "forward"), "ear-forward-30-symbolic");
  assert_text (ear_closure_skip_icon (NULL, 300, "forward"), "ear-forward-symbolic");
  assert_text (ear_closure_back_label (NULL, 1), "Back 1 Second");
  assert_text (ear_closure_back_label (NULL, 10), "Back 10 Seconds");
  assert_text (ear_closure_forward_label (NULL, 1), "Forward 1 Second");
  assert_text (ear_closure_forward_label (NULL, 90), "Forward 90 Seconds");
}

static void
test_podcast (void)
{
  assert_text (ear_format_episodes (1), "1 episode");
  assert_text (ear_format_episodes (83), "83 episodes");
  assert_text (ear_closure_scope_label (NULL, TRUE, "PyTorch"), "This Podcast");
  assert_text (ear_closure_scope_label (NULL, FALSE, "New"), "In “New”");
  assert_text (ear_closure_page_title (NULL, NULL), "Episodes");
  assert_text (ear_closure_page_title (NULL, "A title"), "A title");
}

/* The label of the download button names what a press does. */
static void
test_download (void)
{
  g_autoptr (GError) login = g_error_new_literal (EAR_ERROR, EAR_ERROR_UNAUTHORIZED, "401");
  g_autoptr (GError) page = g_error_new_literal (EAR_ERROR, EAR_ERROR_WEB_PAGE, "html");
  g_autoptr (GError) offline = g_error_new_literal (EAR_ERROR, EAR_ERROR_OFFLINE, "no network");

  assert_text (ear_closure_download_label (NULL, EAR_DOWNLOAD_NONE), "Download");
  assert_text (ear_closure_download_label (NULL, EAR_DOWNLOAD_WAITING), "Cancel Download");
  assert_text (ear_closure_download_label (NULL, EAR_DOWNLOAD_RUNNING), "Cancel Download");
  assert_text (ear_closure_download_label (NULL, EAR_DOWNLOAD_DONE), "Remove Download");
  assert_text (ear_closure_download_label (NULL, EAR_DOWNLOAD_FAILED), "Download Again");
  assert_text (ear_closure_download_error (NULL, page),
               "Not Audio. The server sent a web page instead of audio. Some networks require you to sign in first.");
  assert_text (ear_closure_download_error (NULL, NULL), NULL);
  assert_text (ear_closure_download_hint (NULL, EAR_DOWNLOAD_WAITING, offline), "No Network. The download resumes automatically.");
  assert_text (ear_closure_download_hint (NULL, EAR_DOWNLOAD_WAITING, NULL), NULL);
  assert_text (ear_closure_download_hint (NULL, EAR_DOWNLOAD_FAILED, page), NULL);
  assert_text (ear_format_percent (40), "40 %");
}

/* The advice to look at the web page does not fit a missing file. */
static void
test_search_errors (void)
{
  g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, EAR_ERROR_NOT_FOUND, "404");
  g_autofree char *file = ear_closure_search_error_body (NULL, error, EAR_DISCOVERY_FILE);
  g_autofree char *address = ear_closure_search_error_body (NULL, error, EAR_DISCOVERY_ADDRESS);

  g_assert_cmpstr (file, ==, "The file does not exist");
  g_assert_true (g_str_has_prefix (address, "No podcast was found at this address."));
  g_assert_null (ear_closure_search_error_body (NULL, NULL, EAR_DISCOVERY_FILE));
}

int
main (int argc, char *argv[])
{
  g_setenv ("TZ", "UTC", TRUE);
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/format/date", test_date);
  g_test_add_func ("/format/duration", test_duration);
  g_test_add_func ("/format/time-left", test_time_left);
  g_test_add_func ("/format/clock", test_clock);
  g_test_add_func ("/format/size", test_size);
  g_test_add_func ("/format/ago", test_ago);
  g_test_add_func ("/format/rate", test_rate);
  g_test_add_func ("/format/join", test_join);
  g_test_add_func ("/format/join-direction", test_join_direction);
  g_test_add_func ("/format/tabs", test_tabs);
  g_test_add_func ("/format/number", test_number);
  g_test_add_func ("/format/row", test_row);
  g_test_add_func ("/format/row-without-facts", test_row_without_facts);
  g_test_add_func ("/closures/player", test_player);
  g_test_add_func ("/closures/play-button", test_play_button);
  g_test_add_func ("/closures/skip", test_skip);
  g_test_add_func ("/closures/podcast", test_podcast);
  g_test_add_func ("/closures/download", test_download);
  g_test_add_func ("/closures/search-errors", test_search_errors);

  return g_test_run ();
}
