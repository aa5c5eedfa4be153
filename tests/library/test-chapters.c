/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"
#include "ear-library.h"
#include "ear-playback-controller.h"
#include "ear-player-private.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

#include <math.h>
#include <string.h>

/* Chapters of the current episode, from every source */

#define SECOND G_TIME_SPAN_SECOND

static const char feed[] =
  "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" xmlns:psc=\"http://podlove.org/simple-chapters\""
  " xmlns:podcast=\"https://podcastindex.org/namespace/1.0\"><channel><title>P</title>"
  "<item><guid>1</guid><title>All</title><itunes:duration>600</itunes:duration><enclosure url=\"/a.mp3\" type=\"audio/mpeg\" length=\"1\"/>"
  "<podcast:chapters url=\"/chapters.json\" type=\"application/json+chapters\"/>"
  "<psc:chapters><psc:chapter start=\"0\" title=\"Of the feed\" href=\"https://example.org/\"/><psc:chapter start=\"1:00\" title=\"And\"/>"
  "</psc:chapters></item>"
  "<item><guid>2</guid><title>Notes</title><itunes:duration>500</itunes:duration><enclosure url=\"/b.mp3\" type=\"audio/mpeg\" length=\"1\"/>"
  "<description>0:00 First\n1:40 Second\n3:20 Third</description></item>"
  "<item><guid>3</guid><title>None</title><itunes:duration>400</itunes:duration><enclosure url=\"/c.mp3\" type=\"audio/mpeg\" length=\"1\"/>"
  "</item><item><guid>4</guid><title>Heard</title><itunes:duration>30</itunes:duration>"
  "<enclosure url=\"/d.wav\" type=\"audio/wav\" length=\"240044\"/><psc:chapters><psc:chapter start=\"0\" title=\"A\"/>"
  "<psc:chapter start=\"2\" title=\"Ads\"/><psc:chapter start=\"20\" title=\"B\"/><psc:chapter start=\"40\" title=\"Beyond\"/></psc:chapters></item>"
  "<item><guid>5</guid><title>Tagged</title><itunes:duration>29</itunes:duration>"
  "<enclosure url=\"/e.wav\" type=\"audio/wav\" length=\"240044\"/></item>"
  "<item><guid>6</guid><title>Begins late</title><itunes:duration>28</itunes:duration>"
  "<enclosure url=\"/f.wav\" type=\"audio/wav\" length=\"240044\"/><psc:chapters><psc:chapter start=\"5\" title=\"A\"/>"
  "<psc:chapter start=\"20\" title=\"B\"/></psc:chapters></item>"
  "<item><guid>7</guid><title>Known late</title><itunes:duration>27</itunes:duration>"
  "<enclosure url=\"/g.wav\" type=\"audio/wav\" length=\"240044\"/>"
  "<podcast:chapters url=\"/~hold/late.json\" type=\"application/json+chapters\"/></item>"
  "<item><guid>8</guid><title>With ends</title><itunes:duration>26</itunes:duration>"
  "<enclosure url=\"/h.wav\" type=\"audio/wav\" length=\"240044\"/>"
  "<podcast:chapters url=\"/ends.json\" type=\"application/json+chapters\"/></item>"
  "<item><guid>9</guid><title>Talks</title><itunes:duration>25</itunes:duration>"
  "<enclosure url=\"/i.wav\" type=\"audio/wav\" length=\"1\"/><psc:chapters><psc:chapter start=\"0\" title=\"A\"/>"
  "<psc:chapter start=\"9.5\" title=\"Ads\"/><psc:chapter start=\"20\" title=\"B\"/></psc:chapters></item>"
  "<item><guid>10</guid><title>Lets nobody jump</title><itunes:duration>24</itunes:duration>"
  "<enclosure url=\"/~norange/d.wav\" type=\"audio/wav\" length=\"240044\"/><psc:chapters><psc:chapter start=\"0\" title=\"A\"/>"
  "<psc:chapter start=\"2\" title=\"Ads\"/><psc:chapter start=\"20\" title=\"B\"/></psc:chapters></item>"
  "<item><guid>11</guid><title>Shifted</title><itunes:duration>20</itunes:duration>"
  "<enclosure url=\"/e.wav\" type=\"audio/wav\" length=\"240044\"/><psc:chapters><psc:chapter start=\"0\" title=\"A\"/>"
  "<psc:chapter start=\"5\" title=\"B\"/><psc:chapter start=\"15\" title=\"C\"/></psc:chapters></item>"
  "<item><guid>12</guid><title>Not shifted</title><itunes:duration>19</itunes:duration>"
  "<enclosure url=\"/d.wav\" type=\"audio/wav\" length=\"240044\"/><psc:chapters><psc:chapter start=\"0\" title=\"A\"/>"
  "<psc:chapter start=\"5\" title=\"B\"/></psc:chapters></item></channel></rss>";

#define DOCUMENT \
  "{\"chapters\":[{\"startTime\":0,\"title\":\"A\"},{\"startTime\":120,\"title\":\"B\"},{\"startTime\":240,\"img\":\"three.png\"}]}"

/* A gray pixel */
static const char png[] =
  "\211\120\116\107\015\012\032\012\000\000\000\015\111\110\104\122\000\000\000\001\000\000\000\001\010\000\000\000"
  "\000\072\176\233\125\000\000\000\012\111\104\101\124\170\234\143\150\000\000\000\202\000\201\167\315\162\266\000"
  "\000\000\000\111\105\116\104\256\102\140\202";

typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  EarEpisodeList *list; /* longest first */
} Fixture;

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
make_sound (void)
{
  static const guint8 head[] = "RIFF\xa4\xa9\3\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\x80\xa9\3\0";
  GByteArray *sound = g_byte_array_new ();

  g_byte_array_append (sound, head, sizeof head - 1);
  g_byte_array_set_size (sound, 44 + 240000);
  memset (sound->data + 44, 0x80, 240000);

  return sound;
}

static void
put_sound (Fixture *fixture)
{
  g_autoptr (GBytes) bytes = g_byte_array_free_to_bytes (make_sound ());

  ear_test_server_put_bytes (fixture->server, "/d.wav", "audio/wav", bytes);
  ear_test_server_put_bytes (fixture->server, "/g.wav", "audio/wav", bytes);
  ear_test_server_put_bytes (fixture->server, "/h.wav", "audio/wav", bytes);
}

/* 26 s of sound as loud and quiet as syllables, silent from 7 to 13 s */
static void
put_talk (Fixture *fixture)
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
      const double level = time >= 7 && time < 13 ? 0.0006 : 0.3 * (0.6 + 0.4 * sin (2 * G_PI * 4 * time));

      noise = noise * 1664525 + 1013904223;
      samples[i] = GINT16_TO_LE ((gint16) (level * (gint32) noise / 65536));
    }
  g_byte_array_append (sound, head, sizeof head - 1);
  g_byte_array_append (sound, (const guint8 *) samples, 2 * n_samples);
  g_free (samples);
  bytes = g_byte_array_free_to_bytes (sound);
  ear_test_server_put_bytes (fixture->server, "/i.wav", "audio/wav", bytes);
}

static void
append_number (GByteArray *bytes, guint32 number)
{
  number = GUINT32_TO_BE (number);
  g_byte_array_append (bytes, (const guint8 *) &number, 4);
}

static void
append_frame (GByteArray *tag, const char *name, const void *body, gsize length)
{
  g_byte_array_append (tag, (const guint8 *) name, 4);
  append_number (tag, (guint32) length);
  g_byte_array_append (tag, (const guint8 *) "\0\0", 2);
  g_byte_array_append (tag, body, (guint) length);
}

/* @title: with its encoding byte in front; @picture: (nullable): a frame's content */
static void
append_chapter (GByteArray *tag, guint32 milliseconds, const char *title, gsize title_length, GByteArray *picture)
{
  g_autoptr (GByteArray) chapter = g_byte_array_new ();

  g_byte_array_append (chapter, (const guint8 *) "c", 2);
  append_number (chapter, milliseconds);
  append_number (chapter, milliseconds + 10000);
  append_number (chapter, G_MAXUINT32);
  append_number (chapter, G_MAXUINT32);
  append_frame (chapter, "TIT2", title, title_length);
  if (picture != NULL)
    append_frame (chapter, "APIC", picture->data, picture->len);
  append_frame (tag, "CHAP", chapter->data, chapter->len);
}

/* The same silence behind a tag with two chapters; the second chapter has a picture. */
static void
put_tagged_sound (Fixture *fixture)
{
  g_autoptr (GByteArray) sound = make_sound ();
  g_autoptr (GByteArray) picture = g_byte_array_new ();
  g_autoptr (GByteArray) tag = g_byte_array_new ();
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  guint8 size[4];

  g_byte_array_append (picture, (const guint8 *) "\0image/png\0\3", 13);
  g_byte_array_append (picture, (const guint8 *) png, sizeof png - 1);
  append_chapter (tag, 0, "\0First", 6, NULL);
  append_chapter (tag, 10000, "\0Second", 7, picture);
  for (guint i = 0; i < 4; i++)
    size[i] = (guint8) (tag->len >> (7 * (3 - i)) & 0x7f);
  g_byte_array_append (file, (const guint8 *) "ID3\3\0\0", 6);
  g_byte_array_append (file, size, 4);
  g_byte_array_append (file, tag->data, tag->len);
  g_byte_array_append (file, sound->data, sound->len);
  bytes = g_bytes_new (file->data, file->len);
  ear_test_server_put_bytes (fixture->server, "/e.wav", "audio/wav", bytes);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL);
  g_autofree char *address = NULL;
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-chapters-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->server = ear_test_server_new ();
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed);
  ear_test_server_put (fixture->server, "/chapters.json", "application/json", DOCUMENT);
  ear_test_server_put (fixture->server, "/late.json", "application/json",
                       "{\"chapters\":[{\"startTime\":0,\"title\":\"Ads\"},{\"startTime\":15,\"title\":\"Show\"},"
                       "{\"startTime\":25,\"title\":\"End\"}]}");
  ear_test_server_put (fixture->server, "/ends.json", "application/json",
                       "{\"chapters\":[{\"startTime\":0,\"title\":\"A\"},{\"startTime\":2,\"endTime\":5,\"title\":\"Ads\"},"
                       "{\"startTime\":5.5,\"endTime\":10,\"title\":\"Ads\"},{\"startTime\":20,\"title\":\"B\"}]}");
  put_sound (fixture);
  put_tagged_sound (fixture);
  put_talk (fixture);
  fixture->library = library_fixture_open (fixture->folder);
  ear_player_set_sink (ear_library_get_player (fixture->library), make_sink_cb, NULL);
  address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_assert_nonnull (ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL));
  fixture->list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) == 12);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->list);
  library_fixture_close (&fixture->library);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static EarPlayer *
put_into_player (Fixture *fixture, guint number, gint64 position)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), number);
  EarPlayer *player = ear_library_get_player (fixture->library);

  ear_player_open (player, episode, NULL, position);

  return player;
}

static char *
dup_title (Fixture *fixture)
{
  char *title;

  g_object_get (ear_library_get_chapter_control (fixture->library), "title", &title, NULL);

  return title;
}

static gboolean
is_in (Fixture *fixture, const char *title)
{
  g_autofree char *is = dup_title (fixture);

  return g_strcmp0 (is, title) == 0;
}

/* @path: (nullable): path of the current chapter's picture */
static gboolean
has_image (Fixture *fixture, const char *path)
{
  g_autofree char *wanted = path != NULL ? ear_test_server_dup_url (fixture->server, 1, path) : NULL;
  g_autofree char *image = NULL;

  g_object_get (ear_library_get_chapter_control (fixture->library), "image", &image, NULL);

  return g_strcmp0 (image, wanted) == 0;
}

static void
test_moving (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  EarPlayer *player = put_into_player (fixture, 0, 130 * SECOND);
  gboolean has_next, has_previous;

  /* The document takes precedence; facts that only the feed has are added. */
  EAR_TEST_WAIT_UNTIL (is_in (fixture, "B"));
  g_assert_cmpuint (ear_chapters_get_count (ear_chapter_control_get_chapters (control)), ==, 3);
  g_assert_cmpstr (ear_chapters_get (ear_chapter_control_get_chapters (control), 0)->link, ==, "https://example.org/");
  g_assert_cmpint (ear_chapter_control_get_current (control), ==, 1);
  g_assert_true (has_image (fixture, NULL));

  g_assert_true (ear_chapter_control_next (control));
  g_assert_cmpint (ear_player_get_position (player), ==, 240 * SECOND);
  g_assert_true (is_in (fixture, NULL));
  g_assert_true (has_image (fixture, "/three.png"));
  g_object_get (control, "has-next", &has_next, "has-previous", &has_previous, NULL);
  g_assert_false (has_next);
  g_assert_true (has_previous);
  g_assert_false (ear_chapter_control_next (control));

  /* First to the beginning of the chapter, then to the chapter before */
  ear_player_seek (player, 250 * SECOND);
  g_assert_true (ear_chapter_control_previous (control));
  g_assert_cmpint (ear_player_get_position (player), ==, 240 * SECOND);
  g_assert_true (ear_chapter_control_previous (control));
  g_assert_cmpint (ear_player_get_position (player), ==, 120 * SECOND);
  g_assert_true (is_in (fixture, "B"));
}

/* Near the beginning of the first chapter, "previous" still goes back: to the part before
 * it, or to its beginning. */
static void
test_moving_to_the_beginning (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  EarPlayer *player = put_into_player (fixture, 5, 6 * SECOND);
  gboolean has_previous;

  g_assert_true (is_in (fixture, "A"));
  g_assert_true (ear_chapter_control_previous (control));
  g_assert_cmpint (ear_player_get_position (player), ==, 0);
  g_object_get (control, "has-previous", &has_previous, NULL);
  g_assert_false (has_previous);
  g_assert_false (ear_chapter_control_previous (control));

  /* The first chapter has no previous one: FALSE lets the caller go to the previous
   * episode. */
  player = put_into_player (fixture, 3, 1 * SECOND);
  g_assert_true (is_in (fixture, "A"));
  g_assert_false (ear_chapter_control_previous (control));
  g_assert_cmpint (ear_player_get_position (player), ==, 0);
}

/* Chapters are never mixed up between episodes. */
static void
test_changing (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);

  put_into_player (fixture, 1, 0);
  EAR_TEST_WAIT_UNTIL (is_in (fixture, "First"));
  put_into_player (fixture, 2, 0);
  g_assert_true (is_in (fixture, NULL));
  g_assert_cmpint (ear_chapter_control_get_current (control), ==, -1);
  g_assert_false (ear_chapter_control_next (control));
  g_assert_false (ear_chapter_control_previous (control));
  put_into_player (fixture, 0, 70 * SECOND);
  g_assert_true (is_in (fixture, "And"));
  ear_player_stop (ear_library_get_player (fixture->library));
  g_assert_true (is_in (fixture, NULL));
}

static void
count_cb (guint *n)
{
  (*n)++;
}

/* Without the document other sources of chapters are used; the next load requests the
 * document again. */
static void
test_no_document (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarChapterFinder) finder = ear_library_create_chapter_finder (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);

  ear_test_server_put (fixture->server, "/chapters.json", "text/html", "<html>");
  ear_chapter_finder_set_episode (finder, episode);
  g_assert_false (ear_chapter_finder_get_settled (finder));
  EAR_TEST_WAIT_UNTIL (ear_chapter_finder_get_settled (finder));
  g_assert_cmpuint (ear_chapters_get_count (ear_chapter_finder_get_chapters (finder)), ==, 2);

  ear_test_server_put (fixture->server, "/chapters.json", "application/json", DOCUMENT);
  ear_chapter_finder_set_episode (finder, episode);
  EAR_TEST_WAIT_UNTIL (ear_chapters_get_count (ear_chapter_finder_get_chapters (finder)) == 3);
}

static guint
count_found (EarChapterFinder *finder)
{
  return ear_chapters_get_count (ear_chapter_finder_get_chapters (finder));
}

/* A length from the feed drops no chapters; that of the media does, at once, until a
 * better one is known. */
static void
test_length (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarChapterFinder) finder = ear_library_create_chapter_finder (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 3);
  guint n_told = 0;

  ear_chapter_finder_set_episode (finder, episode);
  g_assert_cmpuint (count_found (finder), ==, 4);
  g_assert_cmpint (ear_chapter_finder_get_duration (finder), ==, 30 * SECOND);

  g_signal_connect_swapped (finder, "notify::duration", G_CALLBACK (count_cb), &n_told);
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

static gboolean
is_downloaded (EarEpisode *episode)
{
  return ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE;
}

/* The chapters of a file that has just been downloaded appear without another search. */
static void
test_downloaded (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarChapterFinder) finder = ear_library_create_chapter_finder (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 4);

  ear_chapter_finder_set_episode (finder, episode);
  EAR_TEST_WAIT_UNTIL (ear_chapter_finder_get_settled (finder));
  g_assert_cmpuint (count_found (finder), ==, 0);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_downloaded (episode));
  EAR_TEST_WAIT_UNTIL (count_found (finder) == 2);
}

static void
undo_offered_cb (EarUndo **place, EarUndo *undo)
{
  g_set_object (place, undo);
}

static void
told_cb (char **told, const char *message)
{
  g_set_str (told, message);
}

static gboolean
has_come_to (Fixture *fixture, gint64 position)
{
  EarPlayer *player = ear_library_get_player (fixture->library);

  return ear_player_get_state (player) == EAR_PLAYER_PLAYING && ear_player_get_position (player) >= position;
}

static void
count_in_ads_cb (guint *n_heard, GParamSpec *pspec, EarPlayer *player)
{
  const gint64 position = ear_player_get_position (player);

  *n_heard += position > 5 * SECOND && position < 20 * SECOND;
}

static void
count_talked_ads_cb (guint *n_heard, GParamSpec *pspec, EarPlayer *player)
{
  const gint64 position = ear_player_get_position (player);

  *n_heard += position > 15 * SECOND && position < 20 * SECOND;
}

static void
count_late_ads_cb (guint *n_heard, GParamSpec *pspec, EarPlayer *player)
{
  const gint64 position = ear_player_get_position (player);

  *n_heard += position > 9 * SECOND && position < 15 * SECOND;
}

/* Skipped chapters are not played unless the listener goes there; the setting can be
 * undone. */
static void
test_skipping (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  EarPlayer *player = ear_library_get_player (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 3);
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  g_autoptr (EarUndo) undo = NULL;
  g_autofree char *told = NULL;
  guint n_heard = 0;

  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (told_cb), &told);
  g_signal_connect_swapped (player, "notify::position", G_CALLBACK (count_in_ads_cb), &n_heard);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (undo_offered_cb), &undo);
  ear_chapter_control_set_skips (control, podcast, "ads", TRUE);
  g_assert_true (ear_chapter_control_skips (control, podcast, "Ads"));
  g_assert_false (ear_chapter_control_skips (control, podcast, "A"));
  g_assert_nonnull (undo);

  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                NULL);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 20 * SECOND) && is_in (fixture, "B"));
  g_assert_cmpuint (n_heard, ==, 0);
  g_assert_cmpstr (told, ==, "“Ads” was skipped");

  ear_player_seek (player, 2 * SECOND);
  EAR_TEST_WAIT_UNTIL (n_heard > 0);
  g_assert_true (is_in (fixture, "Ads"));
  g_signal_handlers_disconnect_by_data (player, &n_heard);

  ear_undo_run (undo);
  g_assert_false (ear_chapter_control_skips (control, podcast, "Ads"));
}

/* An advertisement is skipped even when its chapters arrive after it began to play,
 * unless the listener went into it. */
static void
test_skipping_late (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  EarPlayer *player = ear_library_get_player (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 6);
  const gboolean goes_there = GPOINTER_TO_INT (data);
  guint n_heard = 0;

  g_signal_connect_swapped (player, "notify::position", G_CALLBACK (count_late_ads_cb), &n_heard);
  ear_chapter_control_set_skips (control, ear_episode_get_podcast (episode), "Ads", TRUE);
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                NULL);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 0));
  if (goes_there)
    ear_player_seek (player, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 3 * SECOND));
  g_assert_true (is_in (fixture, NULL));
  ear_test_server_set_holding (fixture->server, FALSE);

  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 15 * SECOND) && is_in (fixture, "Show"));
  g_assert_true (goes_there ? n_heard > 0 : n_heard == 0);
  g_signal_handlers_disconnect_by_data (player, &n_heard);
}

static gboolean
has_previous (Fixture *fixture)
{
  gboolean has;

  g_object_get (ear_library_get_chapter_control (fixture->library), "has-previous", &has, NULL);

  return has;
}

/* When the end of an advertisement is known, playing continues right behind it, in a part
 * that belongs to no chapter. */
static void
test_skipping_to_the_end (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  EarPlayer *player = ear_library_get_player (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 7);
  g_autofree char *told = NULL;

  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (told_cb), &told);
  ear_chapter_control_set_skips (control, ear_episode_get_podcast (episode), "Ads", TRUE);
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                NULL);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 10 * SECOND) && is_in (fixture, NULL));
  g_assert_cmpint (ear_player_get_position (player), <, 15 * SECOND);
  g_assert_cmpstr (told, ==, "“Ads” was skipped");
  g_assert_cmpint (ear_chapter_control_get_current (control), ==, -1);
  g_assert_true (has_previous (fixture));
  g_signal_handlers_disconnect_by_data (ear_library_get_notices (fixture->library), &told);

  /* To the point where playing resumed, and then into the skipped chapter, now that the
   * listener wants it. */
  ear_player_pause (player);
  ear_player_seek (player, 14 * SECOND);
  g_assert_true (ear_chapter_control_previous (control));
  g_assert_cmpint (ear_player_get_position (player), ==, 10 * SECOND);
  g_assert_true (is_in (fixture, NULL));
  g_assert_true (ear_chapter_control_next (control));
  g_assert_true (is_in (fixture, "B"));
  ear_player_seek (player, 11 * SECOND);
  g_assert_true (ear_chapter_control_previous (control));
  g_assert_true (is_in (fixture, "Ads"));

  /* A chapter that is not skipped lasts until the next one, even if its end is known. */
  ear_player_seek (player, 11 * SECOND);
  ear_chapter_control_set_skips (control, ear_episode_get_podcast (episode), "Ads", FALSE);
  g_assert_true (is_in (fixture, "Ads"));
}

/* Behind a chapter's end, the sleep timer waits for the next chapter. */
static void
test_behind_the_end (Fixture *fixture, gconstpointer data)
{
  EarPlaybackController *control = ear_library_get_playback_controller (fixture->library);
  EarSleepTimer *timer = ear_library_get_sleep_timer (fixture->library);
  EarPlayer *player = ear_library_get_player (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 7);

  ear_playback_controller_seek (control, episode, NULL, 18 * SECOND);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 18 * SECOND) && is_in (fixture, "Ads"));
  ear_sleep_timer_choose (timer, "chapter");
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (player) == EAR_PLAYER_PAUSED);
  g_assert_cmpint (ear_player_get_position (player), ==, 20 * SECOND);
}

/* Skipping works when positions are reported far apart: at high speed, on a busy
 * computer. */
static void
test_skipping_fast (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player = ear_library_get_player (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 3);
  guint n_heard = 0, n_looked = 0;

  ear_chapter_control_set_skips (ear_library_get_chapter_control (fixture->library), ear_episode_get_podcast (episode), "Ads", TRUE);
  ear_player_set_rate (player, 4);
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                NULL);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 0));
  g_signal_connect_swapped (player, "notify::position", G_CALLBACK (count_cb), &n_looked);
  EAR_TEST_WAIT_UNTIL (n_looked > 0);
  g_usleep (1300000);
  g_assert_cmpint (ear_player_get_position (player), >, 5 * SECOND);
  g_signal_connect_swapped (player, "notify::position", G_CALLBACK (count_in_ads_cb), &n_heard);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 20 * SECOND));
  g_assert_cmpuint (n_heard, ==, 0);
  g_signal_handlers_disconnect_by_data (player, &n_heard);
  g_signal_handlers_disconnect_by_data (player, &n_looked);
  ear_player_set_rate (player, 1);
}

/* Skipping works when left-out silence covers the beginning of the chapter. */
static void
test_skipping_trimmed (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player = ear_library_get_player (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 8);
  guint n_heard = 0;
  gint64 saved;

  ear_chapter_control_set_skips (ear_library_get_chapter_control (fixture->library), ear_episode_get_podcast (episode), "Ads", TRUE);
  g_object_set (player, "trim-silence", TRUE, NULL);
  g_signal_connect_swapped (player, "notify::position", G_CALLBACK (count_talked_ads_cb), &n_heard);
  ear_playback_controller_seek (ear_library_get_playback_controller (fixture->library), episode,
                                NULL, SECOND);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 20 * SECOND));
  g_assert_cmpuint (n_heard, ==, 0);
  g_object_get (player, "time-saved", &saved, NULL);
  g_assert_cmpint (saved, >, 3 * SECOND);
  g_signal_handlers_disconnect_by_data (player, &n_heard);
  g_object_set (player, "trim-silence", FALSE, NULL);
}

/* A stream without seeking plays such a chapter, and shows no notice. */
static void
test_skipping_nowhere (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 9);
  g_autofree char *told = NULL;

  ear_chapter_control_set_skips (ear_library_get_chapter_control (fixture->library), ear_episode_get_podcast (episode), "Ads", TRUE);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (told_cb), &told);
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                NULL);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 3 * SECOND));
  g_assert_true (is_in (fixture, "Ads"));
  g_assert_cmpstr (told, ==, NULL);
}

/* A listener who starts an episode inside a skipped chapter hears it. */
static void
test_skipping_chosen (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 3);

  ear_chapter_control_set_skips (control, ear_episode_get_podcast (episode), "Ads", TRUE);
  ear_playback_controller_seek (ear_library_get_playback_controller (fixture->library), episode,
                                NULL, 2 * SECOND);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 3 * SECOND));
  g_assert_true (is_in (fixture, "Ads"));
}

/* Skipping the current chapter leaves it at once, and an early undo returns to it;
 * skipping another one moves nothing. */
static void
test_skipping_at_once (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  EarPlayer *player = ear_library_get_player (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 3);
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  g_autoptr (EarUndo) undo = NULL;
  gint64 left;

  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (undo_offered_cb), &undo);
  ear_playback_controller_seek (ear_library_get_playback_controller (fixture->library), episode,
                                NULL, 7 * SECOND);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 7 * SECOND) && is_in (fixture, "Ads"));
  ear_chapter_control_set_skips (control, podcast, "B", TRUE);
  g_assert_true (is_in (fixture, "Ads"));
  ear_chapter_control_set_skips (control, podcast, "B", FALSE);

  left = ear_player_get_position (player);
  ear_chapter_control_set_skips (control, podcast, "Ads", TRUE);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 20 * SECOND) && is_in (fixture, "B"));
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, left) && is_in (fixture, "Ads"));

  /* After a seek, undo leaves the position alone, and so does playing such chapters
   * again. */
  ear_player_pause (player);
  ear_chapter_control_set_skips (control, podcast, "Ads", TRUE);
  g_assert_true (is_in (fixture, "B"));
  g_assert_cmpint (ear_player_get_position (player), ==, 20 * SECOND);
  g_assert_cmpint (ear_player_get_state (player), ==, EAR_PLAYER_PAUSED);
  ear_player_seek (player, 5 * SECOND);
  ear_undo_run (undo);
  g_assert_cmpint (ear_player_get_position (player), ==, 5 * SECOND);
}

/* Between the known end of a chapter and the next one, skipping that chapter does not
 * move the position. */
static void
test_skipping_behind_the_end (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 7);

  ear_playback_controller_seek (ear_library_get_playback_controller (fixture->library), episode,
                                NULL, 15 * SECOND);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 15 * SECOND) && is_in (fixture, "Ads"));
  ear_chapter_control_set_skips (control, ear_episode_get_podcast (episode), "Ads", TRUE);
  g_assert_true (is_in (fixture, NULL));
  g_assert_cmpint (ear_player_get_position (ear_library_get_player (fixture->library)), <, 19 * SECOND);
}

static gboolean
state_has (Fixture *fixture, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->folder, "data", "state", "chapters.json", NULL);
  g_autofree char *content = NULL;

  return g_file_get_contents (path, &content, NULL, NULL) && strstr (content, text) != NULL;
}

/* Skipped chapters are stored with the state that is backed up and merged. */
static void
test_skipping_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 3);
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, ear_podcast_get_address (ear_episode_get_podcast (episode)));
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  guint n_changed = 0;

  g_signal_connect_swapped (control, "skips-changed", G_CALLBACK (count_cb), &n_changed);
  ear_chapter_control_set_skips (control, podcast, "Intro", TRUE);
  g_assert_cmpuint (n_changed, ==, 1);
  ear_chapter_control_set_skips (control, podcast, "ads", TRUE);
  ear_chapter_control_set_skips (control, podcast, "straße", TRUE);
  EAR_TEST_WAIT_UNTIL (state_has (fixture, "\"Intro\""));
  g_clear_object (&episode);
  g_clear_object (&fixture->list);
  library_fixture_close (&fixture->library);

  fixture->library = library_fixture_open (fixture->folder);
  control = ear_library_get_chapter_control (fixture->library);
  EAR_TEST_WAIT_UNTIL (ear_chapter_control_skips (control, podcast, "Intro"));
  g_assert_true (ear_chapter_control_skips (control, podcast, "Ads"));
  g_assert_true (ear_chapter_control_skips (control, podcast, "STRASSE"));
  g_assert_true (state_has (fixture, "\"ads\""));

  ear_chapter_control_set_skips (control, podcast, "ADS", FALSE);
  library_fixture_close (&fixture->library);
  fixture->library = library_fixture_open (fixture->folder);
  control = ear_library_get_chapter_control (fixture->library);
  EAR_TEST_WAIT_UNTIL (ear_chapter_control_skips (control, podcast, "Intro"));
  g_assert_false (ear_chapter_control_skips (control, podcast, "ads"));
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
test_streamed (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 4);
  g_autoptr (EarImage) image = NULL;
  g_autofree char *name = NULL;

  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                NULL);
  EAR_TEST_WAIT_UNTIL (is_in (fixture, "First"));
  g_assert_true (has_image (fixture, NULL));
  g_assert_true (ear_chapter_control_next (control));
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 10 * SECOND) && is_in (fixture, "Second"));

  g_object_get (control, "image", &name, NULL);
  g_assert_nonnull (name);
  ear_cover_cache_load_async (ear_library_get_covers (fixture->library), name, EAR_COVER_SMALL, NULL, loaded_cb, &image);
  EAR_TEST_WAIT_UNTIL (image != NULL);
  g_assert_cmpint (image->width, ==, 1);

  ear_player_stop (ear_library_get_player (fixture->library));
  g_assert_true (is_in (fixture, NULL));
  g_assert_true (has_image (fixture, NULL));
}

/* A file that is longer than its feed says uses its own chapters. */
static void
test_shifted (Fixture *fixture, gconstpointer data)
{
  EarChapterControl *control = ear_library_get_chapter_control (fixture->library);
  g_autoptr (EarEpisode) shifted = g_list_model_get_item (G_LIST_MODEL (fixture->list), 10);
  g_autoptr (EarEpisode) plain = g_list_model_get_item (G_LIST_MODEL (fixture->list), 11);

  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), shifted,
                                NULL);
  EAR_TEST_WAIT_UNTIL (is_in (fixture, "First"));
  g_assert_cmpuint (ear_chapters_get_count (ear_chapter_control_get_chapters (control)), ==, 2);
  g_assert_true (ear_chapter_control_next (control));
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 10 * SECOND) && is_in (fixture, "Second"));

  /* The feed's chapters are better than none. */
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), plain,
                                NULL);
  EAR_TEST_WAIT_UNTIL (has_come_to (fixture, 1 * SECOND));
  g_assert_true (is_in (fixture, "A"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/chapters/moving", Fixture, NULL, set_up, test_moving, tear_down);
  g_test_add ("/chapters/moving-to-the-beginning", Fixture, NULL, set_up, test_moving_to_the_beginning, tear_down);
  g_test_add ("/chapters/changing", Fixture, NULL, set_up, test_changing, tear_down);
  g_test_add ("/chapters/skipping", Fixture, NULL, set_up, test_skipping, tear_down);
  g_test_add ("/chapters/skipping-late", Fixture, GINT_TO_POINTER (FALSE), set_up, test_skipping_late, tear_down);
  g_test_add ("/chapters/skipping-late-gone-to", Fixture, GINT_TO_POINTER (TRUE), set_up, test_skipping_late, tear_down);
  g_test_add ("/chapters/skipping-to-the-end", Fixture, NULL, set_up, test_skipping_to_the_end, tear_down);
  g_test_add ("/chapters/behind-the-end", Fixture, NULL, set_up, test_behind_the_end, tear_down);
  g_test_add ("/chapters/skipping-chosen", Fixture, NULL, set_up, test_skipping_chosen, tear_down);
  g_test_add ("/chapters/skipping-fast", Fixture, NULL, set_up, test_skipping_fast, tear_down);
  g_test_add ("/chapters/skipping-trimmed", Fixture, NULL, set_up, test_skipping_trimmed, tear_down);
  g_test_add ("/chapters/skipping-nowhere", Fixture, NULL, set_up, test_skipping_nowhere, tear_down);
  g_test_add ("/chapters/skipping-at-once", Fixture, NULL, set_up, test_skipping_at_once, tear_down);
  g_test_add ("/chapters/skipping-behind-the-end", Fixture, NULL, set_up, test_skipping_behind_the_end, tear_down);
  g_test_add ("/chapters/skipping-kept", Fixture, NULL, set_up, test_skipping_kept, tear_down);
  g_test_add ("/chapters/no-document", Fixture, NULL, set_up, test_no_document, tear_down);
  g_test_add ("/chapters/length", Fixture, NULL, set_up, test_length, tear_down);
  g_test_add ("/chapters/downloaded", Fixture, NULL, set_up, test_downloaded, tear_down);
  g_test_add ("/chapters/shifted", Fixture, NULL, set_up, test_shifted, tear_down);
  g_test_add ("/chapters/streamed", Fixture, NULL, set_up, test_streamed, tear_down);

  return g_test_run ();
}
