/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "downloads-fixture.h"
#include "ear-playback-controller.h"
#include "ear-player-private.h"

/* Chapters of the current episode, from every source */

#define SECOND G_TIME_SPAN_SECOND

#define DOCUMENT \
  "{\"chapters\":[{\"startTime\":0,\"title\":\"A\"},{\"startTime\":120,\"title\":\"B\"}," \
  "{\"startTime\":240,\"img\":\"three.png\"}]}"

#define LINK(path) \
  "<podcast:chapters url=\"" path "\" type=\"application/json+chapters\"/>"

#define CHAPTERS(list) "<psc:chapters>" list "</psc:chapters>"
#define CHAPTER(start, title) \
  "<psc:chapter start=\"" start "\" title=\"" title "\" href=\"https://example.org/\"/>"

/* Numbers of the episodes, which are those of their guids */
enum
{
  ALL_SOURCES = 1,
  NOTES,
  NONE,
  ADS,
  TAGGED,
  LATE_BEGINNING,
  LATE_DOCUMENT,
  ENDS,
  TALK,
  UNSEEKABLE,
  SHIFTED,
  NOT_SHIFTED,
  N_EPISODES,
};

static const struct
{
  guint duration;
  const char *enclosure;
  const char *elements;
} episodes[N_EPISODES] = {
  [ALL_SOURCES] = { 600, "/a.mp3",
                    LINK ("/chapters.json")
                      CHAPTERS (CHAPTER ("0", "Of the feed") CHAPTER ("1:00", "And")) },
  [NOTES] = { 500, "/b.mp3",
              "<description>0:00 First\n1:40 Second\n3:20 Third</description>" },
  [NONE] = { 400, "/c.mp3", "" },
  [ADS] = { 30, "/silence.wav",
            CHAPTERS (CHAPTER ("0", "A") CHAPTER ("2", "Ads") CHAPTER ("20", "B")
                        CHAPTER ("40", "Beyond")) },
  [TAGGED] = { 29, "/tagged.wav", "" },
  [LATE_BEGINNING] = { 28, "/silence.wav", CHAPTERS (CHAPTER ("5", "A") CHAPTER ("20", "B")) },
  [LATE_DOCUMENT] = { 27, "/silence.wav", LINK ("/~hold/late.json") },
  [ENDS] = { 26, "/silence.wav", LINK ("/ends.json") },
  [TALK] = { 25, "/talk.wav",
             CHAPTERS (CHAPTER ("0", "A") CHAPTER ("9.5", "Ads") CHAPTER ("20", "B")) },
  [UNSEEKABLE] = { 24, "/~norange/silence.wav",
                   CHAPTERS (CHAPTER ("0", "A") CHAPTER ("2", "Ads") CHAPTER ("20", "B")) },
  [SHIFTED] = { 20, "/tagged.wav",
                CHAPTERS (CHAPTER ("0", "A") CHAPTER ("5", "B") CHAPTER ("15", "C")) },
  [NOT_SHIFTED] = { 19, "/silence.wav", CHAPTERS (CHAPTER ("0", "A") CHAPTER ("5", "B")) },
};

#define TO_THE_END "\377\377\377\377\377\377\377\377"

/* A tag with two chapters, at 0 and 10 s. The second one has a picture: a gray pixel. */
static const char tag[] =
  "ID3\003\000\000\000\000\001\063"
  "CHAP\000\000\000\042\000\000" "c\000\000\000\000\000\000\000\047\020" TO_THE_END
  "TIT2\000\000\000\006\000\000" "\000First"
  "CHAP\000\000\000\175\000\000" "c\000\000\000\047\020\000\000\116\040" TO_THE_END
  "TIT2\000\000\000\007\000\000" "\000Second"
  "APIC\000\000\000\120\000\000" "\000image/png\000\003\000"
  "\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000"
  "\072\176\233\125\000\000\000\012IDAT\170\234\143\150\000\000\000\202\000\201"
  "\167\315\162\266\000\000\000\000IEND\256\102\140\202";

typedef struct
{
  Fixture served;
  EarPlayer *player;          /* owned by the library */
  EarChapterControl *control; /* owned by the library */
  /* Set by listen_between() */
  gint64 from;
  gint64 to;
  guint n_heard;
} Chapters;

static EarLibrary *
get_library (Chapters *test)
{
  const Fixture *served = &test->served;

  return served->library;
}

/* Plays in real time, without sound. */
static GstElement *
make_sink_cb (GObject *owner)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  g_object_set (sink, "sync", TRUE, NULL);

  return sink;
}

/* Half a minute of silence, 8000 bytes a second */
static GByteArray *
make_silence (void)
{
  static const guint8 head[] =
    "RIFF\xa4\xa9\3\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0"
    "data\x80\xa9\3\0";
  GByteArray *sound = g_byte_array_new ();

  g_byte_array_append (sound, head, sizeof head - 1);
  g_byte_array_set_size (sound, 44 + 240000);
  memset (sound->data + 44, 0x80, 240000);

  return sound;
}

/* 26 s of sound as loud and quiet as syllables, silent from 7 to 13 s */
static void
put_talk (EarTestServer *server)
{
  static const guint8 head[] =
    "RIFF\x24\xb2\x0c\0WAVEfmt \x10\0\0\0\1\0\1\0\x80\x3e\0\0\0\x7d\0\0\2\0\x10\0data\0\xb2\x0c\0";
  const guint rate = 16000, n_samples = 26 * rate;
  gint16 *samples = g_new (gint16, n_samples);
  GByteArray *sound = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  guint32 noise = 1;

  for (guint i = 0; i < n_samples; i++)
    {
      const double time = (double) i / rate;
      const double syllable = 0.3 * (0.6 + 0.4 * sin (2 * G_PI * 4 * time));
      const double level = time >= 7 && time < 13 ? 0.0006 : syllable;

      noise = noise * 1664525 + 1013904223;
      samples[i] = GINT16_TO_LE ((gint16) (level * (gint32) noise / 65536));
    }
  g_byte_array_append (sound, head, sizeof head - 1);
  g_byte_array_append (sound, (const guint8 *) samples, 2 * n_samples);
  g_free (samples);
  bytes = g_byte_array_free_to_bytes (sound);
  ear_test_server_put_bytes (server, "/talk.wav", "audio/wav", bytes);
}

static void
put_episodes (EarTestServer *server)
{
  g_autoptr (GString) feed =
    g_string_new ("<rss version=\"2.0\""
                  " xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\""
                  " xmlns:psc=\"http://podlove.org/simple-chapters\""
                  " xmlns:podcast=\"https://podcastindex.org/namespace/1.0\">"
                  "<channel><title>P</title>");
  g_autoptr (GBytes) silence = g_byte_array_free_to_bytes (make_silence ());
  GByteArray *sound = make_silence ();
  g_autoptr (GBytes) tagged = NULL;

  g_byte_array_prepend (sound, (const guint8 *) tag, sizeof tag - 1);
  tagged = g_byte_array_free_to_bytes (sound);
  for (guint i = 1; i < N_EPISODES; i++)
    g_string_append_printf (feed,
                            "<item><guid>lamp-%u</guid><title>%u</title>"
                            "<itunes:duration>%u</itunes:duration><enclosure url=\"%s\""
                            " type=\"audio/mpeg\" length=\"240044\"/>%s</item>",
                            i, i, episodes[i].duration, episodes[i].enclosure,
                            episodes[i].elements);
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (server, "/feed.xml", "application/rss+xml", feed->str);
  ear_test_server_put (server, "/chapters.json", "application/json", DOCUMENT);
  ear_test_server_put (server, "/late.json", "application/json",
                       "{\"chapters\":[{\"startTime\":0,\"title\":\"Ads\"},"
                       "{\"startTime\":15,\"title\":\"Show\"},"
                       "{\"startTime\":25,\"title\":\"End\"}]}");
  ear_test_server_put (server, "/ends.json", "application/json",
                       "{\"chapters\":[{\"startTime\":0,\"title\":\"A\"},"
                       "{\"startTime\":2,\"endTime\":5,\"title\":\"Ads\"},"
                       "{\"startTime\":5.5,\"endTime\":10,\"title\":\"Ads\"},"
                       "{\"startTime\":20,\"title\":\"B\"}]}");
  ear_test_server_put_bytes (server, "/silence.wav", "audio/wav", silence);
  ear_test_server_put_bytes (server, "/tagged.wav", "audio/wav", tagged);
  put_talk (server);
}

static void
set_up_chapters (Chapters *test, gconstpointer data)
{
  set_up (&test->served, data);
  put_episodes (test->served.server);
  make_library (&test->served);
  test->player = ear_library_get_player (get_library (test));
  ear_player_set_sink (test->player, make_sink_cb, NULL);
  follow_served (&test->served);
  test->control = ear_library_get_chapter_control (get_library (test));
}

static void
tear_down_chapters (Chapters *test, gconstpointer data)
{
  g_signal_handlers_disconnect_by_data (test->player, test);
  tear_down (&test->served, data);
}

static void
open_at (Chapters *test, guint episode, gint64 seconds)
{
  ear_player_open (test->player, get_lamp (&test->served, episode), NULL, seconds * SECOND);
}

static void
play (Chapters *test, guint episode)
{
  ear_playback_controller_play (ear_library_get_playback_controller (get_library (test)),
                                get_lamp (&test->served, episode), NULL);
}

static void
play_from (Chapters *test, guint episode, gint64 seconds)
{
  ear_playback_controller_seek (ear_library_get_playback_controller (get_library (test)),
                                get_lamp (&test->served, episode), NULL, seconds * SECOND);
}

static void
set_skips (Chapters *test, const char *title, gboolean skips)
{
  ear_chapter_control_set_skips (test->control, get_podcast (&test->served), title, skips);
}

static gboolean
skips (Chapters *test, const char *title)
{
  return ear_chapter_control_skips (test->control, get_podcast (&test->served), title);
}

static gboolean
is_in (Chapters *test, const char *title)
{
  g_autofree char *is = NULL;

  g_object_get (test->control, "title", &is, NULL);

  return g_strcmp0 (is, title) == 0;
}

static gboolean
has_come_to (Chapters *test, gint64 position)
{
  return ear_player_get_state (test->player) == EAR_PLAYER_PLAYING &&
         ear_player_get_position (test->player) >= position;
}

static void
wait_for (Chapters *test, gint64 seconds, const char *title)
{
  EAR_TEST_WAIT_UNTIL (has_come_to (test, seconds * SECOND) && is_in (test, title));
}

static void
assert_position (Chapters *test, gint64 seconds)
{
  g_assert_cmpint (ear_player_get_position (test->player), ==, seconds * SECOND);
}

static void
count_heard_cb (Chapters *test)
{
  const gint64 position = ear_player_get_position (test->player);

  test->n_heard += position > test->from * SECOND && position < test->to * SECOND;
}

/* Counts positions that the player reports between two seconds. */
static void
listen_between (Chapters *test, gint64 from, gint64 to)
{
  test->from = from;
  test->to = to;
  g_signal_connect_swapped (test->player, "notify::position", G_CALLBACK (count_heard_cb), test);
}

/* @path: (nullable): path of the current chapter's picture */
static gboolean
has_image (Chapters *test, const char *path)
{
  g_autofree char *wanted =
    path != NULL ? ear_test_server_dup_url (test->served.server, 1, path) : NULL;
  g_autofree char *image = NULL;

  g_object_get (test->control, "image", &image, NULL);

  return g_strcmp0 (image, wanted) == 0;
}

static gboolean
has (Chapters *test, const char *property)
{
  gboolean value;

  g_object_get (test->control, property, &value, NULL);

  return value;
}

static void
test_moving (Chapters *test, gconstpointer data)
{
  EarChapterControl *control = test->control;
  EarChapters *chapters;

  open_at (test, ALL_SOURCES, 130);
  /* The document takes precedence; facts that only the feed has are added. */
  EAR_TEST_WAIT_UNTIL (is_in (test, "B"));
  chapters = ear_chapter_control_get_chapters (control);
  g_assert_cmpuint (ear_chapters_get_count (chapters), ==, 3);
  g_assert_cmpstr (ear_chapters_get (chapters, 0)->link, ==, "https://example.org/");
  g_assert_cmpint (ear_chapter_control_get_current (control), ==, 1);
  g_assert_true (has_image (test, NULL));

  g_assert_true (ear_chapter_control_next (control));
  assert_position (test, 240);
  g_assert_true (is_in (test, NULL));
  g_assert_true (has_image (test, "/three.png"));
  g_assert_false (has (test, "has-next"));
  g_assert_true (has (test, "has-previous"));
  g_assert_false (ear_chapter_control_next (control));

  /* First to the beginning of the chapter, then to the chapter before */
  ear_player_seek (test->player, 250 * SECOND);
  g_assert_true (ear_chapter_control_previous (control));
  assert_position (test, 240);
  g_assert_true (ear_chapter_control_previous (control));
  assert_position (test, 120);
  g_assert_true (is_in (test, "B"));
}

/* Near the beginning of the first chapter, "previous" still goes back: to the part before
 * it, or to its beginning. */
static void
test_moving_to_the_beginning (Chapters *test, gconstpointer data)
{
  open_at (test, LATE_BEGINNING, 6);
  g_assert_true (is_in (test, "A"));
  g_assert_true (ear_chapter_control_previous (test->control));
  assert_position (test, 0);
  g_assert_false (has (test, "has-previous"));
  g_assert_false (ear_chapter_control_previous (test->control));

  /* The first chapter has no previous one: FALSE lets the caller go to the previous
   * episode. */
  open_at (test, ADS, 1);
  g_assert_true (is_in (test, "A"));
  g_assert_false (ear_chapter_control_previous (test->control));
  assert_position (test, 0);
}

/* Chapters are never mixed up between episodes. */
static void
test_changing (Chapters *test, gconstpointer data)
{
  open_at (test, NOTES, 0);
  EAR_TEST_WAIT_UNTIL (is_in (test, "First"));
  open_at (test, NONE, 0);
  g_assert_true (is_in (test, NULL));
  g_assert_cmpint (ear_chapter_control_get_current (test->control), ==, -1);
  g_assert_false (ear_chapter_control_next (test->control));
  g_assert_false (ear_chapter_control_previous (test->control));
  open_at (test, ALL_SOURCES, 70);
  g_assert_true (is_in (test, "And"));
  ear_player_stop (test->player);
  g_assert_true (is_in (test, NULL));
}

static guint
count_found (EarChapterFinder *finder)
{
  return ear_chapters_get_count (ear_chapter_finder_get_chapters (finder));
}

/* Without the document other sources of chapters are used; the next load requests the
 * document again. The chapters of a file that has just been downloaded appear without another
 * search. */
static void
test_finder (Chapters *test, gconstpointer data)
{
  g_autoptr (EarChapterFinder) finder = ear_library_create_chapter_finder (get_library (test));
  EarEpisode *episode = get_lamp (&test->served, ALL_SOURCES);
  EarTestServer *server = test->served.server;

  ear_test_server_put (server, "/chapters.json", "text/html", "<html>");
  ear_chapter_finder_set_episode (finder, episode);
  g_assert_false (ear_chapter_finder_get_settled (finder));
  EAR_TEST_WAIT_UNTIL (ear_chapter_finder_get_settled (finder));
  g_assert_cmpuint (count_found (finder), ==, 2);

  ear_test_server_put (server, "/chapters.json", "application/json", DOCUMENT);
  ear_chapter_finder_set_episode (finder, episode);
  EAR_TEST_WAIT_UNTIL (count_found (finder) == 3);

  ear_chapter_finder_set_episode (finder, get_lamp (&test->served, TAGGED));
  EAR_TEST_WAIT_UNTIL (ear_chapter_finder_get_settled (finder));
  g_assert_cmpuint (count_found (finder), ==, 0);
  download (&test->served, TAGGED);
  EAR_TEST_WAIT_UNTIL (count_found (finder) == 2);
}

/* A length from the feed drops no chapters; that of the media does, at once, until a
 * better one is known. */
static void
test_length (Chapters *test, gconstpointer data)
{
  g_autoptr (EarChapterFinder) finder = ear_library_create_chapter_finder (get_library (test));
  EarEpisode *episode = get_lamp (&test->served, ADS);
  guint n_told = 0;

  ear_chapter_finder_set_episode (finder, episode);
  g_assert_cmpuint (count_found (finder), ==, 4);
  g_assert_cmpint (ear_chapter_finder_get_duration (finder), ==, 30 * SECOND);

  g_signal_connect_swapped (finder, "notify::duration", G_CALLBACK (count_signal_cb), &n_told);
  ear_episode_set_duration (episode, 15 * SECOND);
  g_assert_cmpuint (count_found (finder), ==, 2);
  g_assert_cmpint (ear_chapter_finder_get_duration (finder), ==, 15 * SECOND);
  g_assert_cmpuint (n_told, ==, 1);
  ear_episode_set_duration (episode, 90 * SECOND);
  g_assert_cmpuint (count_found (finder), ==, 4);

  ear_chapter_finder_set_episode (finder, NULL);
  ear_episode_set_duration (episode, 15 * SECOND);
  g_assert_cmpuint (count_found (finder), ==, 0);
}

/* Skipped chapters are not played unless the listener goes there; the setting can be
 * undone. */
static void
test_skipping (Chapters *test, gconstpointer data)
{
  listen_between (test, 5, 20);
  set_skips (test, "ads", TRUE);
  g_assert_true (skips (test, "Ads"));
  g_assert_false (skips (test, "A"));
  g_assert_nonnull (test->served.undo);

  play (test, ADS);
  wait_for (test, 20, "B");
  g_assert_cmpuint (test->n_heard, ==, 0);
  g_assert_cmpstr (test->served.notices->str, ==, "“Ads” was skipped\n");

  ear_player_seek (test->player, 2 * SECOND);
  EAR_TEST_WAIT_UNTIL (test->n_heard > 0);
  g_assert_true (is_in (test, "Ads"));

  ear_undo_run (test->served.undo);
  g_assert_false (skips (test, "Ads"));
}

/* An advertisement is skipped even when its chapters arrive after it began to play,
 * unless the listener went into it. */
static void
test_skipping_late (Chapters *test, gconstpointer data)
{
  const gboolean goes_there = GPOINTER_TO_INT (data);

  listen_between (test, 9, 15);
  set_skips (test, "Ads", TRUE);
  play (test, LATE_DOCUMENT);
  wait_for (test, 0, NULL);
  if (goes_there)
    ear_player_seek (test->player, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (has_come_to (test, 3 * SECOND));
  g_assert_true (is_in (test, NULL));
  ear_test_server_set_holding (test->served.server, FALSE);

  wait_for (test, 15, "Show");
  g_assert_true (goes_there ? test->n_heard > 0 : test->n_heard == 0);
}

/* When the end of an advertisement is known, playing continues right behind it, in a part
 * that belongs to no chapter. */
static void
test_skipping_to_the_end (Chapters *test, gconstpointer data)
{
  EarPlayer *player = test->player;

  set_skips (test, "Ads", TRUE);
  play (test, ENDS);
  wait_for (test, 10, NULL);
  g_assert_cmpint (ear_player_get_position (player), <, 15 * SECOND);
  g_assert_true (g_str_has_suffix (test->served.notices->str, "“Ads” was skipped\n"));
  g_assert_cmpint (ear_chapter_control_get_current (test->control), ==, -1);
  g_assert_true (has (test, "has-previous"));

  /* To the point where playing resumed, and then into the skipped chapter, now that the
   * listener wants it. */
  ear_player_pause (player);
  ear_player_seek (player, 14 * SECOND);
  g_assert_true (ear_chapter_control_previous (test->control));
  assert_position (test, 10);
  g_assert_true (is_in (test, NULL));
  g_assert_true (ear_chapter_control_next (test->control));
  g_assert_true (is_in (test, "B"));
  ear_player_seek (player, 11 * SECOND);
  g_assert_true (ear_chapter_control_previous (test->control));
  g_assert_true (is_in (test, "Ads"));

  /* A chapter that is not skipped lasts until the next one, even if its end is known. */
  ear_player_seek (player, 11 * SECOND);
  set_skips (test, "Ads", FALSE);
  g_assert_true (is_in (test, "Ads"));
}

/* Skipping works when positions are reported far apart: at high speed, on a busy
 * computer. */
static void
test_skipping_fast (Chapters *test, gconstpointer data)
{
  guint n_looked = 0;

  set_skips (test, "Ads", TRUE);
  ear_player_set_rate (test->player, 4);
  play (test, ADS);
  EAR_TEST_WAIT_UNTIL (has_come_to (test, 0));
  g_signal_connect_swapped (test->player, "notify::position",
                            G_CALLBACK (count_signal_cb), &n_looked);
  EAR_TEST_WAIT_UNTIL (n_looked > 0);
  g_signal_handlers_disconnect_by_data (test->player, &n_looked);
  g_usleep (1300000);
  g_assert_cmpint (ear_player_get_position (test->player), >, 5 * SECOND);
  listen_between (test, 5, 20);
  EAR_TEST_WAIT_UNTIL (has_come_to (test, 20 * SECOND));
  g_assert_cmpuint (test->n_heard, ==, 0);
  ear_player_set_rate (test->player, 1);
}

/* Skipping works when left-out silence covers the beginning of the chapter. */
static void
test_skipping_trimmed (Chapters *test, gconstpointer data)
{
  gint64 saved;

  set_skips (test, "Ads", TRUE);
  g_object_set (test->player, "trim-silence", TRUE, NULL);
  listen_between (test, 15, 20);
  play_from (test, TALK, 1);
  EAR_TEST_WAIT_UNTIL (has_come_to (test, 20 * SECOND));
  g_assert_cmpuint (test->n_heard, ==, 0);
  g_object_get (test->player, "time-saved", &saved, NULL);
  g_assert_cmpint (saved, >, 3 * SECOND);
  g_object_set (test->player, "trim-silence", FALSE, NULL);
}

/* A stream without seeking plays such a chapter, and shows no notice. */
static void
test_skipping_nowhere (Chapters *test, gconstpointer data)
{
  set_skips (test, "Ads", TRUE);
  play (test, UNSEEKABLE);
  EAR_TEST_WAIT_UNTIL (has_come_to (test, 3 * SECOND));
  g_assert_true (is_in (test, "Ads"));
  g_assert_cmpstr (test->served.notices->str, ==, "");
}

/* A listener who starts an episode inside a skipped chapter hears it. */
static void
test_skipping_chosen (Chapters *test, gconstpointer data)
{
  set_skips (test, "Ads", TRUE);
  play_from (test, ADS, 2);
  EAR_TEST_WAIT_UNTIL (has_come_to (test, 3 * SECOND));
  g_assert_true (is_in (test, "Ads"));
}

/* Skipping the current chapter leaves it at once, and an early undo returns to it;
 * skipping another one moves nothing. */
static void
test_skipping_at_once (Chapters *test, gconstpointer data)
{
  gint64 left;

  play_from (test, ADS, 7);
  wait_for (test, 7, "Ads");
  set_skips (test, "B", TRUE);
  g_assert_true (is_in (test, "Ads"));
  set_skips (test, "B", FALSE);

  left = ear_player_get_position (test->player);
  set_skips (test, "Ads", TRUE);
  wait_for (test, 20, "B");
  ear_undo_run (test->served.undo);
  EAR_TEST_WAIT_UNTIL (has_come_to (test, left) && is_in (test, "Ads"));

  /* After a seek, undo leaves the position alone, and so does playing such chapters
   * again. */
  ear_player_pause (test->player);
  set_skips (test, "Ads", TRUE);
  g_assert_true (is_in (test, "B"));
  assert_position (test, 20);
  g_assert_cmpint (ear_player_get_state (test->player), ==, EAR_PLAYER_PAUSED);
  ear_player_seek (test->player, 5 * SECOND);
  ear_undo_run (test->served.undo);
  assert_position (test, 5);
}

/* Between the known end of a chapter and the next one, the sleep timer waits for the next
 * chapter, and skipping the chapter does not move the position. */
static void
test_behind_the_end (Chapters *test, gconstpointer data)
{
  play_from (test, ENDS, 18);
  wait_for (test, 18, "Ads");
  ear_sleep_timer_choose (ear_library_get_sleep_timer (get_library (test)), "chapter");
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (test->player) == EAR_PLAYER_PAUSED);
  assert_position (test, 20);

  play_from (test, ENDS, 15);
  wait_for (test, 15, "Ads");
  set_skips (test, "Ads", TRUE);
  g_assert_true (is_in (test, NULL));
  g_assert_cmpint (ear_player_get_position (test->player), <, 19 * SECOND);
}

static gboolean
state_has (Chapters *test, const char *text)
{
  g_autofree char *path = g_build_filename (test->served.data, "state", "chapters.json", NULL);
  g_autofree char *content = NULL;

  return g_file_get_contents (path, &content, NULL, NULL) && strstr (content, text) != NULL;
}

static void
restart_and_load (Chapters *test)
{
  restart (&test->served);
  test->player = ear_library_get_player (get_library (test));
  test->control = ear_library_get_chapter_control (get_library (test));
  EAR_TEST_WAIT_UNTIL (skips (test, "Intro"));
}

/* Skipped chapters are stored with the state that is backed up and merged. */
static void
test_skipping_kept (Chapters *test, gconstpointer data)
{
  guint n_changed = 0;

  g_signal_connect_swapped (test->control, "skips-changed",
                            G_CALLBACK (count_signal_cb), &n_changed);
  set_skips (test, "Intro", TRUE);
  g_assert_cmpuint (n_changed, ==, 1);
  set_skips (test, "ads", TRUE);
  set_skips (test, "straße", TRUE);
  EAR_TEST_WAIT_UNTIL (state_has (test, "\"Intro\""));

  restart_and_load (test);
  g_assert_true (skips (test, "Ads"));
  g_assert_true (skips (test, "STRASSE"));
  g_assert_true (state_has (test, "\"ads\""));

  set_skips (test, "ADS", FALSE);
  restart_and_load (test);
  g_assert_false (skips (test, "ads"));
}

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  EarImage **image = user_data;
  g_autoptr (GError) error = NULL;

  *image = ear_cover_cache_load_finish (EAR_COVER_CACHE (object), result, &error);
  g_assert_no_error (error);
}

/* The tag of a sound file is read while it streams, including pictures. */
static void
test_streamed (Chapters *test, gconstpointer data)
{
  g_autoptr (EarImage) image = NULL;
  g_autofree char *name = NULL;

  play (test, TAGGED);
  EAR_TEST_WAIT_UNTIL (is_in (test, "First"));
  g_assert_true (has_image (test, NULL));
  g_assert_true (ear_chapter_control_next (test->control));
  wait_for (test, 10, "Second");

  g_object_get (test->control, "image", &name, NULL);
  g_assert_nonnull (name);
  ear_cover_cache_load_async (ear_library_get_covers (get_library (test)), name, EAR_COVER_SMALL,
                              NULL, loaded_cb, &image);
  EAR_TEST_WAIT_UNTIL (image != NULL);
  g_assert_cmpint (image->width, ==, 1);

  ear_player_stop (test->player);
  g_assert_true (is_in (test, NULL));
  g_assert_true (has_image (test, NULL));
}

/* A file that is longer than its feed says uses its own chapters. */
static void
test_shifted (Chapters *test, gconstpointer data)
{
  play (test, SHIFTED);
  EAR_TEST_WAIT_UNTIL (is_in (test, "First"));
  g_assert_cmpuint (ear_chapters_get_count (ear_chapter_control_get_chapters (test->control)), ==,
                    2);
  g_assert_true (ear_chapter_control_next (test->control));
  wait_for (test, 10, "Second");

  /* The feed's chapters are better than none. */
  play (test, NOT_SHIFTED);
  wait_for (test, 1, "A");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD_WITH(name, data, func) \
  g_test_add ("/chapters/" name, Chapters, data, set_up_chapters, func, tear_down_chapters)
#define ADD(name, func) ADD_WITH (name, NULL, func)
  ADD ("moving", test_moving);
  ADD ("moving-to-the-beginning", test_moving_to_the_beginning);
  ADD ("changing", test_changing);
  ADD ("skipping", test_skipping);
  ADD_WITH ("skipping-late", GINT_TO_POINTER (FALSE), test_skipping_late);
  ADD_WITH ("skipping-late-gone-to", GINT_TO_POINTER (TRUE), test_skipping_late);
  ADD ("skipping-to-the-end", test_skipping_to_the_end);
  ADD ("behind-the-end", test_behind_the_end);
  ADD ("skipping-chosen", test_skipping_chosen);
  ADD ("skipping-fast", test_skipping_fast);
  ADD ("skipping-trimmed", test_skipping_trimmed);
  ADD ("skipping-nowhere", test_skipping_nowhere);
  ADD ("skipping-at-once", test_skipping_at_once);
  ADD ("skipping-kept", test_skipping_kept);
  ADD ("finder", test_finder);
  ADD ("length", test_length);
  ADD ("shifted", test_shifted);
  ADD ("streamed", test_streamed);

  return g_test_run ();
}
