/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "downloads-fixture.h"
#include "ear-test-made.h"
#include "playing-fixture.h"

/* Chapters of the current episode, from every source */

#define DOCUMENT \
  "{\"chapters\":[{\"startTime\":0,\"title\":\"A\"},{\"startTime\":120,\"title\":\"B\"}," \
  "{\"startTime\":240,\"img\":\"three.png\"}]}"

#define LINK(path) "<podcast:chapters url=\"" path "\" type=\"application/json+chapters\"/>"

#define CHAPTERS(list) "<psc:chapters>" list "</psc:chapters>"
/* An advertisement that begins at @start, and ends at 20 s */
#define ADS_AT(start) CHAPTER ("0", "A") CHAPTER (start, "Ads") CHAPTER ("20", "B")
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
  [NOTES] = { 500, "/b.mp3", "<description>0:00 First\n1:40 Second\n3:20 Third</description>" },
  [NONE] = { 400, "/c.mp3", "" },
  [ADS] = { 30, "/plain.wav", CHAPTERS (ADS_AT ("2") CHAPTER ("40", "Beyond")) },
  [TAGGED] = { 29, "/tagged.wav", "" },
  [LATE_BEGINNING] = { 28, "/plain.wav", CHAPTERS (CHAPTER ("5", "A") CHAPTER ("20", "B")) },
  [LATE_DOCUMENT] = { 27, "/plain.wav", LINK ("/~hold/late.json") },
  [ENDS] = { 26, "/plain.wav", LINK ("/ends.json") },
  [TALK] = { 25, "/talk.wav", CHAPTERS (ADS_AT ("9.5")) },
  [UNSEEKABLE] = { 24, "/~norange/plain.wav", CHAPTERS (ADS_AT ("2")) },
  [SHIFTED] = { 20, "/tagged.wav",
                CHAPTERS (CHAPTER ("0", "A") CHAPTER ("5", "B") CHAPTER ("15", "C")) },
  [NOT_SHIFTED] = { 19, "/plain.wav", CHAPTERS (CHAPTER ("0", "A") CHAPTER ("5", "B")) },
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

static EarChapterControl *control; /* owned by the library */

/* Set by listen_between() */
static gint64 from;
static gint64 to;
static guint n_heard;

static void
set_up_chapters (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) items = g_string_new (NULL);
  g_autoptr (GBytes) plain = ear_test_made_sound (30);
  GByteArray *both = g_byte_array_new ();

  set_up (fixture, data);
  EarTestServer *server = fixture->server;
  g_byte_array_append (both, (const guint8 *) tag, sizeof tag - 1);
  g_byte_array_append (both, g_bytes_get_data (plain, NULL), (guint) g_bytes_get_size (plain));
  g_autoptr (GBytes) tagged = g_byte_array_free_to_bytes (both);
  for (guint i = 1; i < N_EPISODES; i++)
    g_string_append_printf (items,
                            "<item><guid>lamp-%u</guid><title>%u</title>"
                            "<itunes:duration>%u</itunes:duration><enclosure url=\"%s\""
                            " type=\"audio/mpeg\" length=\"480044\"/>%s</item>",
                            i, i, episodes[i].duration, episodes[i].enclosure,
                            episodes[i].elements);
  put_format (fixture, "/feed.xml", RSS ("P", "%s"), items->str);
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
  ear_test_server_put_bytes (server, "/plain.wav", "audio/wav", plain);
  ear_test_server_put_bytes (server, "/tagged.wav", "audio/wav", tagged);

  /* Silent from 7 to 13 s */
  guint8 *sound = g_memdup2 (g_bytes_get_data (plain, NULL), g_bytes_get_size (plain));
  memset (sound + 44 + 7 * 16000, 0, 6 * 16000);
  g_autoptr (GBytes) talk = g_bytes_new_take (sound, g_bytes_get_size (plain));
  ear_test_server_put_bytes (server, "/talk.wav", "audio/wav", talk);

  make_library (fixture);
  play_silently (fixture->player);
  follow_served (fixture);
  control = fixture->parts->chapter_control;
}

static void
open_at (Fixture *fixture, guint episode, gint64 seconds)
{
  ear_player_open (fixture->player, get_lamp (fixture, episode), NULL, NULL, seconds * SECOND);
}

static void
play (Fixture *fixture, guint episode)
{
  ear_playback_controller_play (fixture->control, get_lamp (fixture, episode), NULL);
}

static void
play_from (Fixture *fixture, guint episode, gint64 seconds)
{
  ear_playback_controller_seek (fixture->control, get_lamp (fixture, episode), NULL,
                                seconds * SECOND);
}

static void
set_skips (Fixture *fixture, const char *title, gboolean skips)
{
  ear_chapter_control_set_skips (control, get_podcast (fixture), title, skips);
}

static gboolean
skips (Fixture *fixture, const char *title)
{
  return ear_chapter_control_skips (control, get_podcast (fixture), title);
}

static gboolean
is_in (Fixture *fixture, const char *title)
{
  return g_strcmp0 (ear_chapter_control_get_title (control), title) == 0;
}

static gboolean
has_come_to (Fixture *fixture, gint64 position)
{
  return ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING &&
         ear_player_get_position (fixture->player) >= position;
}

static void
wait_for (Fixture *fixture, gint64 seconds, const char *title)
{
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, seconds * SECOND) && is_in (fixture, title));
}

static void
assert_position (Fixture *fixture, gint64 seconds)
{
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, seconds * SECOND);
}

static void
count_heard_cb (EarPlayer *player)
{
  const gint64 position = ear_player_get_position (player);

  n_heard += position > from * SECOND && position < to * SECOND;
}

/* Counts positions that the player reports between two seconds. */
static void
listen_between (Fixture *fixture, gint64 first, gint64 last)
{
  from = first;
  to = last;
  n_heard = 0;
  g_signal_handlers_disconnect_by_func (fixture->player, count_heard_cb, NULL);
  g_signal_connect (fixture->player, "notify::position", G_CALLBACK (count_heard_cb), NULL);
}

/* @path: (nullable): path of the current chapter's picture */
static gboolean
has_image (Fixture *fixture, const char *path)
{
  const char *wanted = path != NULL ? get_url (fixture, path) : NULL;
  g_autofree char *image = NULL;

  g_object_get (control, "image", &image, NULL);

  return g_strcmp0 (image, wanted) == 0;
}

static void
test_moving (Fixture *fixture, gconstpointer data)
{
  /* Chapters are never mixed up between episodes. */
  open_at (fixture, NOTES, 0);
  EAR_TEST_WAIT_UNTIL (is_in (fixture, "First"));
  open_at (fixture, NONE, 0);
  g_assert_true (is_in (fixture, NULL));
  g_assert_false (ear_chapter_control_next (control));
  g_assert_false (ear_chapter_control_previous (control));
  open_at (fixture, ALL_SOURCES, 70);
  g_assert_true (is_in (fixture, "And"));
  ear_player_stop (fixture->player);
  g_assert_true (is_in (fixture, NULL));

  /* The document takes precedence; facts that only the feed has are added. */
  open_at (fixture, ALL_SOURCES, 130);
  EAR_TEST_WAIT_UNTIL (is_in (fixture, "B"));
  GPtrArray *chapters = ear_chapter_control_get_chapters (control);
  g_assert_cmpuint (chapters->len, ==, 3);
  g_assert_cmpstr (ear_chapters_get (chapters, 0)->link, ==, "https://example.org/");
  g_assert_true (has_image (fixture, NULL));

  g_assert_true (ear_chapter_control_next (control));
  assert_position (fixture, 240);
  g_assert_true (is_in (fixture, NULL));
  g_assert_true (has_image (fixture, "/three.png"));
  g_assert_false (ear_test_get_boolean (control, "has-next"));
  g_assert_true (ear_test_get_boolean (control, "has-previous"));
  g_assert_false (ear_chapter_control_next (control));

  /* First to the beginning of the chapter, then to the chapter before */
  ear_player_seek (fixture->player, 250 * SECOND);
  g_assert_true (ear_chapter_control_previous (control));
  assert_position (fixture, 240);
  g_assert_true (ear_chapter_control_previous (control));
  assert_position (fixture, 120);
  g_assert_true (is_in (fixture, "B"));

  /* In the first chapter "previous" goes to the part before it, or to its beginning. */
  open_at (fixture, LATE_BEGINNING, 6);
  g_assert_true (is_in (fixture, "A"));
  g_assert_true (ear_chapter_control_previous (control));
  assert_position (fixture, 0);
  g_assert_false (ear_test_get_boolean (control, "has-previous"));
  g_assert_false (ear_chapter_control_previous (control));

  /* Before the first chapter, FALSE lets the caller go to the previous episode. */
  open_at (fixture, ADS, 1);
  g_assert_true (is_in (fixture, "A"));
  g_assert_false (ear_chapter_control_previous (control));
  assert_position (fixture, 0);
}

/* Without the document other sources of chapters are used; the next load requests the
 * document again. The chapters of a file that has just been downloaded appear without another
 * search. */
static void
test_finder (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarChapterFinder) finder = ear_library_create_chapter_finder (fixture->library);
  EarEpisode *episode = get_lamp (fixture, ADS);
  guint n_told = 0;

  ear_test_server_put (fixture->server, "/chapters.json", "text/html", "<html>");
  ear_chapter_finder_set_episode (finder, get_lamp (fixture, ALL_SOURCES));
  g_assert_false (ear_chapter_finder_get_settled (finder));
  EAR_TEST_WAIT_UNTIL (ear_chapter_finder_get_settled (finder));
  g_assert_cmpuint (ear_chapter_finder_get_chapters (finder)->len, ==, 2);
  ear_test_server_put (fixture->server, "/chapters.json", "application/json", DOCUMENT);
  ear_chapter_finder_set_episode (finder, get_lamp (fixture, ALL_SOURCES));
  EAR_TEST_WAIT_UNTIL (ear_chapter_finder_get_chapters (finder)->len == 3);

  ear_chapter_finder_set_episode (finder, get_lamp (fixture, TAGGED));
  EAR_TEST_WAIT_UNTIL (ear_chapter_finder_get_settled (finder));
  g_assert_cmpuint (ear_chapter_finder_get_chapters (finder)->len, ==, 0);
  download (fixture, TAGGED);
  EAR_TEST_WAIT_UNTIL (ear_chapter_finder_get_chapters (finder)->len == 2);

  /* The feed's length drops no chapters; that of the media does, until a better one is known. */
  ear_chapter_finder_set_episode (finder, episode);
  g_assert_cmpuint (ear_chapter_finder_get_chapters (finder)->len, ==, 4);
  g_assert_cmpint (ear_chapter_finder_get_duration (finder), ==, 30 * SECOND);
  g_signal_connect_swapped (finder, "notify::duration", G_CALLBACK (ear_test_count_cb), &n_told);
  ear_episode_set_duration (episode, 15 * SECOND);
  g_assert_cmpuint (ear_chapter_finder_get_chapters (finder)->len, ==, 2);
  g_assert_cmpint (ear_chapter_finder_get_duration (finder), ==, 15 * SECOND);
  g_assert_cmpuint (n_told, ==, 1);
  ear_episode_set_duration (episode, 90 * SECOND);
  g_assert_cmpuint (ear_chapter_finder_get_chapters (finder)->len, ==, 4);

  ear_chapter_finder_set_episode (finder, NULL);
  ear_episode_set_duration (episode, 15 * SECOND);
  g_assert_cmpuint (ear_chapter_finder_get_chapters (finder)->len, ==, 0);
}

/* Skipped chapters are not played unless the listener goes there. Undo ends this. */
static void
test_skipping (Fixture *fixture, gconstpointer data)
{
  listen_between (fixture, 5, 20);
  set_skips (fixture, "ads", TRUE);
  g_assert_true (skips (fixture, "Ads"));
  g_assert_false (skips (fixture, "A"));
  g_assert_nonnull (fixture->undo);

  play (fixture, ADS);
  wait_for (fixture, 20, "B");
  g_assert_cmpuint (n_heard, ==, 0);
  g_assert_cmpstr (fixture->notices->str, ==, "“Ads” was skipped\n");

  ear_player_seek (fixture->player, 2 * SECOND);
  EAR_TEST_WAIT_UNTIL (n_heard > 0);
  g_assert_true (is_in (fixture, "Ads"));

  ear_undo_run (fixture->undo);
  g_assert_false (skips (fixture, "Ads"));
}

/* Chapters that arrive late still skip an advertisement, unless the listener went into it. */
static void
test_skipping_late (Fixture *fixture, gconstpointer goes_there)
{
  listen_between (fixture, 9, 15);
  set_skips (fixture, "Ads", TRUE);
  play (fixture, LATE_DOCUMENT);
  wait_for (fixture, 0, NULL);
  if (goes_there != NULL)
    ear_player_seek (fixture->player, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 3 * SECOND));
  g_assert_true (is_in (fixture, NULL));
  ear_test_server_set_holding (fixture->server, FALSE);

  wait_for (fixture, 15, "Show");
  g_assert_true (goes_there != NULL ? n_heard > 0 : n_heard == 0);
}

/* When the end of an advertisement is known, playing continues right behind it, in a part
 * that belongs to no chapter. */
static void
test_skipping_to_the_end (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player = fixture->player;

  set_skips (fixture, "Ads", TRUE);
  play (fixture, ENDS);
  wait_for (fixture, 10, NULL);
  g_assert_cmpint (ear_player_get_position (player), <, 15 * SECOND);
  g_assert_true (g_str_has_suffix (fixture->notices->str, "“Ads” was skipped\n"));
  g_assert_true (ear_test_get_boolean (control, "has-previous"));

  /* To the point where playing resumed, and then into the skipped chapter, as wanted. */
  ear_player_pause (player);
  ear_player_seek (player, 14 * SECOND);
  g_assert_true (ear_chapter_control_previous (control));
  assert_position (fixture, 10);
  g_assert_true (is_in (fixture, NULL));
  g_assert_true (ear_chapter_control_next (control));
  g_assert_true (is_in (fixture, "B"));
  ear_player_seek (player, 11 * SECOND);
  g_assert_true (ear_chapter_control_previous (control));
  g_assert_true (is_in (fixture, "Ads"));

  /* A chapter that is not skipped lasts until the next one, even if its end is known. In
   * between, the sleep timer waits for the next chapter, and skipping the chapter does not move
   * the position. */
  ear_player_seek (player, 11 * SECOND);
  set_skips (fixture, "Ads", FALSE);
  g_assert_true (is_in (fixture, "Ads"));
  play_from (fixture, ENDS, 18);
  wait_for (fixture, 18, "Ads");
  ear_sleep_timer_choose (fixture->parts->sleep_timer, "chapter");
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (player) == EAR_PLAYER_PAUSED);
  assert_position (fixture, 20);

  play_from (fixture, ENDS, 15);
  wait_for (fixture, 15, "Ads");
  set_skips (fixture, "Ads", TRUE);
  g_assert_true (is_in (fixture, NULL));
  g_assert_cmpint (ear_player_get_position (player), <, 19 * SECOND);
}

/* Positions may be reported far apart: at high speed, on a busy computer. */
static void
test_skipping_fast (Fixture *fixture, gconstpointer data)
{
  guint n_looked = 0;

  set_skips (fixture, "Ads", TRUE);
  ear_player_set_rate (fixture->player, 4);
  play (fixture, ADS);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 0));
  g_signal_connect_swapped (fixture->player, "notify::position", G_CALLBACK (ear_test_count_cb),
                            &n_looked);
  EAR_TEST_WAIT_UNTIL (n_looked > 0);
  g_signal_handlers_disconnect_by_data (fixture->player, &n_looked);
  g_usleep (1300000);
  g_assert_cmpint (ear_player_get_position (fixture->player), >, 5 * SECOND);
  listen_between (fixture, 5, 20);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 20 * SECOND));
  g_assert_cmpuint (n_heard, ==, 0);
  ear_player_set_rate (fixture->player, 1);

  /* Left-out silence covers the beginning of the chapter. */
  g_object_set (fixture->player, "trim-silence", TRUE, NULL);
  listen_between (fixture, 15, 20);
  play_from (fixture, TALK, 1);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 20 * SECOND));
  g_assert_cmpuint (n_heard, ==, 0);
  g_assert_cmpint (ear_test_get_int64 (fixture->player, "time-saved"), >, 3 * SECOND);
  g_object_set (fixture->player, "trim-silence", FALSE, NULL);
}

/* A stream without seeking plays such a chapter, and shows no notice; so does a listener who
 * starts an episode inside it. */
static void
test_skipping_nowhere (Fixture *fixture, gconstpointer data)
{
  set_skips (fixture, "Ads", TRUE);
  play (fixture, UNSEEKABLE);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 3 * SECOND));
  g_assert_true (is_in (fixture, "Ads"));
  play_from (fixture, ADS, 2);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 3 * SECOND));
  g_assert_true (is_in (fixture, "Ads"));
  g_assert_cmpstr (fixture->notices->str, ==, "");
}

/* Skipping the current chapter leaves it at once, and an early undo returns to it. */
static void
test_skipping_at_once (Fixture *fixture, gconstpointer data)
{
  play_from (fixture, ADS, 7);
  wait_for (fixture, 7, "Ads");
  set_skips (fixture, "B", TRUE);
  g_assert_true (is_in (fixture, "Ads"));
  set_skips (fixture, "B", FALSE);

  gint64 left = ear_player_get_position (fixture->player);
  set_skips (fixture, "Ads", TRUE);
  wait_for (fixture, 20, "B");
  ear_undo_run (fixture->undo);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, left) && is_in (fixture, "Ads"));

  /* After a seek, undo leaves the position alone. */
  ear_player_pause (fixture->player);
  set_skips (fixture, "Ads", TRUE);
  g_assert_true (is_in (fixture, "B"));
  assert_position (fixture, 20);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  ear_player_seek (fixture->player, 5 * SECOND);
  ear_undo_run (fixture->undo);
  assert_position (fixture, 5);
}

/* Skipped chapters are stored with the state that is backed up and merged. */
static void
test_skipping_kept (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->data, "state", "chapters.json", NULL);
  guint n_changed = 0;

  g_signal_connect_swapped (control, "skips-changed", G_CALLBACK (ear_test_count_cb), &n_changed);
  set_skips (fixture, "Intro", TRUE);
  g_assert_cmpuint (n_changed, ==, 1);
  set_skips (fixture, "ads", TRUE);
  set_skips (fixture, "straße", TRUE);
  EAR_TEST_WAIT_UNTIL (file_has (path, "\"Intro\""));

  restart (fixture);
  control = fixture->parts->chapter_control;
  EAR_TEST_WAIT_UNTIL (skips (fixture, "Intro"));
  g_assert_true (skips (fixture, "Ads"));
  g_assert_true (skips (fixture, "STRASSE"));
  g_assert_true (file_has (path, "\"ads\""));

  set_skips (fixture, "ADS", FALSE);
  restart (fixture);
  control = fixture->parts->chapter_control;
  EAR_TEST_WAIT_UNTIL (skips (fixture, "Intro"));
  g_assert_false (skips (fixture, "ads"));
}

/* The tag of a sound file is read while it streams, including pictures. */
static void
test_streamed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *name = NULL;

  play (fixture, TAGGED);
  EAR_TEST_WAIT_UNTIL (is_in (fixture, "First"));
  g_assert_true (has_image (fixture, NULL));
  g_assert_true (ear_chapter_control_next (control));
  wait_for (fixture, 10, "Second");

  g_object_get (control, "image", &name, NULL);
  g_assert_nonnull (name);
  g_autoptr (EarImage) image = load_cover (fixture, name, EAR_COVER_SMALL);
  g_assert_nonnull (image);
  g_assert_cmpint (image->width, ==, 1);

  ear_player_stop (fixture->player);
  g_assert_true (is_in (fixture, NULL));
  g_assert_true (has_image (fixture, NULL));

  /* A file that is longer than its feed says uses its own chapters. */
  play (fixture, SHIFTED);
  EAR_TEST_WAIT_UNTIL (is_in (fixture, "First"));
  g_assert_cmpuint (ear_chapter_control_get_chapters (control)->len, ==, 2);
  g_assert_true (ear_chapter_control_next (control));
  wait_for (fixture, 10, "Second");
  /* The feed's chapters are better than none. */
  play (fixture, NOT_SHIFTED);
  wait_for (fixture, 1, "A");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD_WITH(name, data, func)                                                                 \
  g_test_add ("/chapters/" name, Fixture, data, set_up_chapters, func, tear_down)
#define ADD(name, func) ADD_WITH (name, NULL, func)
  ADD ("moving", test_moving);
  ADD ("skipping", test_skipping);
  ADD ("skipping-late", test_skipping_late);
  ADD_WITH ("skipping-late-gone-to", "", test_skipping_late);
  ADD ("skipping-to-the-end", test_skipping_to_the_end);
  ADD ("skipping-fast", test_skipping_fast);
  ADD ("skipping-nowhere", test_skipping_nowhere);
  ADD ("skipping-at-once", test_skipping_at_once);
  ADD ("skipping-kept", test_skipping_kept);
  ADD ("finder", test_finder);
  ADD ("streamed", test_streamed);

  return g_test_run ();
}
