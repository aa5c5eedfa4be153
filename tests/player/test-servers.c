/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Servers that respond with something else than requested: the reported position is still
 * the audible one. */

#include "player-fixture.h"

#include <string.h>

static void
play_there (PlayerFixture *fixture, double expected)
{
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_agree (fixture, 0.2), expected);
}

static void
jump_there (PlayerFixture *fixture, double position)
{
  const guint seeked = fixture->seeked;

  ear_player_seek (fixture->player, (gint64) (position * G_USEC_PER_SEC));
  PLAYER_WAIT_UNTIL (fixture->seeked == seeked + 1);
  PLAYER_ASSERT_NEAR ((double) fixture->seeked_position / G_USEC_PER_SEC, position, 0.2);
  play_there (fixture, position);
}

/* The server sends no ranges: the player reads on from the beginning. */
static void
test_whole (PlayerFixture *fixture, gconstpointer data)
{
  double first, lowest, highest;

  player_fixture_open (fixture, data, 38);
  play_there (fixture, 38);
  g_assert_true (ear_test_sound_read_range (fixture->sound, &first, &lowest, &highest));
  g_assert_cmpfloat (lowest, >=, 37.8);
  g_assert_true (ear_player_get_restored (fixture->player));
  g_assert_true (ear_player_get_seekable (fixture->player));

  jump_there (fixture, 12);
  jump_there (fixture, 50);
  jump_there (fixture, 0);
  g_assert_null (ear_player_get_error (fixture->player));
}

/* The first seek shows that there are no ranges, while the beginning plays. */
static void
test_whole_later (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, data, 0);
  play_there (fixture, 0);
  jump_there (fixture, 40);
  ear_player_pause (fixture->player);
  jump_there (fixture, 20);
}

/* The listener seeks elsewhere while the player still reads on to the first position. */
static void
test_whole_otherwise (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, data, 50);
  ear_player_play (fixture->player);
  PLAYER_WAIT_UNTIL (ear_test_server_count_requests (fixture->server, data) == 2);
  player_fixture_wait (500);
  ear_player_seek (fixture->player, 5 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->seeked == 1);
  play_there (fixture, 5);
}

/* A saved position past the end does not count as played. */
static void
test_behind_end (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, data, 200);
  play_there (fixture, 0);
  g_assert_cmpuint (fixture->ended, ==, 0);
}

static GBytes *
read_clip (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), name, NULL);
  g_autoptr (GError) error = NULL;
  char *contents;
  gsize size;

  g_file_get_contents (path, &contents, &size, &error);
  g_assert_no_error (error);

  return g_bytes_new_take (contents, size);
}

/* Repeats the first ten seconds of a clip at its start: 64 kbit/s, whole frames. */
static GBytes *
insert_ten_seconds (GBytes *clip)
{
  GByteArray *longer = g_byte_array_new ();
  const guint8 *data = g_bytes_get_data (clip, NULL);
  gsize length = 80000;

  while (memcmp (data + length, data, 2) != 0)
    length++;
  g_byte_array_append (longer, data, (guint) length);
  g_byte_array_append (longer, data, (guint) g_bytes_get_size (clip));

  return g_byte_array_free_to_bytes (longer);
}

/* Asserts that the position is right in the changed file. */
static void
check_inserted (PlayerFixture *fixture, double position)
{
  double heard;

  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 300);
  heard = player_fixture_hear (fixture);
  g_assert_cmpfloat (player_fixture_position (fixture), >=, position - 0.3);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture) - heard, 10, 0.3);
  PLAYER_ASSERT_NEAR ((double) ear_player_get_duration (fixture->player), 70e6, 0.5e6);
  g_assert_null (ear_player_get_error (fixture->player));
}

/* The address has another file after a lost connection, or at a seek. */
static void
test_changed (PlayerFixture *fixture, gconstpointer data)
{
  const char *wrappers = data;
  g_autofree char *path = g_strconcat (wrappers, "/changing.mp3", NULL);
  g_autoptr (GBytes) clip = read_clip ("minute.cbr.mp3");
  g_autoptr (GBytes) longer = insert_ten_seconds (clip);
  const gboolean breaks = strstr (wrappers, "~cut") != NULL;

  ear_test_server_put_bytes (fixture->server, "/changing.mp3", "audio/mpeg", clip);
  player_fixture_open (fixture, path, 20);
  play_there (fixture, 20);
  ear_test_server_put_bytes (fixture->server, "/changing.mp3", "audio/mpeg", longer);
  if (!breaks)
    ear_player_seek (fixture->player, 40 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (ear_test_sound_get_sinks (fixture->sound) >= 2);
  check_inserted (fixture, breaks ? 20 : 40);
}

/* A server that has another file at each request is finally asked for the whole file. */
static void
test_always_changes (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, data, 0);
  play_there (fixture, 0);
  jump_there (fixture, 30);
}

/* @GONE@ and @BASE@ stand for addresses of the server. */
typedef struct
{
  const char *name;
  const char *type;
  const char *text;
  EarError code; /* error if nothing can play, else PLAYS */
} Playlist;

#define PLAYS ((EarError) -1)

static const Playlist playlists[] = {
  { "line", "audio/mpeg", "@BASE@/minute.cbr.mp3", PLAYS },
  { "line-named", "audio/x-mpegurl", "@BASE@/minute.cbr.mp3\n", PLAYS },
  { "relative", "audio/x-mpegurl", "minute.cbr.mp3\n", PLAYS },
  { "m3u", "audio/x-mpegurl", "\xef\xbb\xbf#EXTM3U\r\n#EXTINF:60,A minute\r\nminute.cbr.mp3\r\n",
    PLAYS },
  { "pls", "audio/x-scpls",
    "[playlist]\nNumberOfEntries=1\nFile1=@BASE@/minute.cbr.mp3\nLength1=60\nVersion=2\n", PLAYS },
  { "pls-as-mp3", "audio/mpeg",
    "[playlist]\nFile1=@GONE@\nFile2=@BASE@/minute.cbr.mp3\nFile3=@GONE@\n", PLAYS },
  { "picture-first", "audio/x-mpegurl", "#EXTM3U\n@BASE@/picture.png\n@BASE@/minute.cbr.mp3\n",
    PLAYS },
  { "of-playlist", "audio/x-mpegurl", "#EXTM3U\n@BASE@/inner.m3u\n", PLAYS },
  { "redirected", "audio/x-mpegurl", "@BASE@/~redirect=302/minute.cbr.mp3\n", PLAYS },
  { "files", "audio/x-mpegurl", "#EXTM3U\nfile:///etc/hostname\n/etc/hostname\n",
    EAR_ERROR_NOT_FOUND },
  { "empty", "audio/x-mpegurl", "#EXTM3U\n\n", EAR_ERROR_NOT_A_FEED },
  { "of-itself", "audio/x-mpegurl", "#EXTM3U\n@BASE@/list\n", EAR_ERROR_NOT_A_FEED },
  { "gone", "audio/x-mpegurl", "#EXTM3U\n@GONE@\n@GONE@?1\n@GONE@?2\n", EAR_ERROR_NOT_FOUND },
};

static const char picture[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\b\0\0\0\0";

static void
put_text (PlayerFixture *fixture, const char *path, const char *type, const char *text)
{
  g_autofree char *gone = ear_test_server_dup_url (fixture->server, 1, "/gone.mp3");
  g_autoptr (GString) filled = g_string_new (text);

  g_string_replace (filled, "@GONE@", gone, 0);
  g_string_replace (filled, "@BASE@", ear_test_server_get_base_url (fixture->server), 0);
  ear_test_server_put (fixture->server, path, type, filled->str);
}

static void
put_picture (PlayerFixture *fixture, const char *path, const char *type)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (picture, sizeof picture);

  ear_test_server_put_bytes (fixture->server, path, type, bytes);
}

/* A playlist in place of the media leads to its first address that plays. */
static void
test_playlist (PlayerFixture *fixture, gconstpointer data)
{
  const Playlist *playlist = data;

  put_picture (fixture, "/picture.png", "image/png");
  put_text (fixture, "/inner.m3u", "audio/mpeg",
            "#EXTM3U\nminute.cbr.mp3\n@BASE@/minute.cbr.mp3\n");
  put_text (fixture, "/list", playlist->type, playlist->text);
  player_fixture_open (fixture, "/list", 30);
  if (playlist->code == PLAYS)
    {
      play_there (fixture, 30);
      jump_there (fixture, 10);
      return;
    }
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, (int) playlist->code);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 30 * G_USEC_PER_SEC);
}

/* The password goes only to the server of the playlist. */
static void
test_playlist_login (PlayerFixture *fixture, gconstpointer data)
{
  g_autofree char *other = ear_test_server_dup_url (fixture->server, 2, "/minute.cbr.mp3");
  g_autoptr (GPtrArray) requests = NULL;

  ear_test_server_put (fixture->server, "/list", "audio/x-mpegurl", other);
  player_fixture_open (fixture, "/~status=401/list", 0);
  ear_player_set_credentials (fixture->player, EAR_TEST_USER, EAR_TEST_PASSWORD);
  play_there (fixture, 0);
  requests = ear_test_server_dup_requests (fixture->server);
  for (guint i = 0; i < requests->len; i++)
    {
      const EarTestRequest *request = g_ptr_array_index (requests, i);

      g_assert_true (!g_str_equal (request->host, "127.0.0.2") ||
                     ear_test_request_get_header (request, "Authorization") == NULL);
    }
}

/* A picture is not played, whatever type the server claims. */
static void
test_picture (PlayerFixture *fixture, gconstpointer data)
{
  put_picture (fixture, "/cover.mp3", data);
  player_fixture_expect (fixture, "/cover.mp3", EAR_ERROR_NOT_A_FEED);
}

/* A segment of HLS starts with a tag of its time, at 90 kHz (RFC 8216, section 3.4). */
static GBytes *
make_piece (GBytes *clip, gsize from, gsize to, guint seconds)
{
  static const char owner[] = "com.apple.streaming.transportStreamTimestamp";
  const guint32 time = GUINT32_TO_BE (seconds * 90000);
  GByteArray *piece = g_byte_array_new ();

  g_byte_array_append (piece, (const guint8 *) "ID3\4\0\0\0\0\0\x3f", 10);
  g_byte_array_append (piece, (const guint8 *) "PRIV\0\0\0\x35\0\0", 10);
  g_byte_array_append (piece, (const guint8 *) owner, sizeof owner);
  g_byte_array_append (piece, (const guint8 *) "\0\0\0\0", 4);
  g_byte_array_append (piece, (const guint8 *) &time, 4);
  g_byte_array_append (piece, (const guint8 *) g_bytes_get_data (clip, NULL) + from,
                       (guint) (to - from));

  return g_byte_array_free_to_bytes (piece);
}

/* An episode in six segments. */
static void
test_stream (PlayerFixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) clip = read_clip ("minute.cbr.mp3");
  g_autoptr (GString) list = g_string_new (
      "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:11\n#EXT-X-MEDIA-SEQUENCE:0\n");
  const guint8 *bytes = g_bytes_get_data (clip, NULL);
  const gsize size = g_bytes_get_size (clip);
  gsize from = 0;

  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *path = g_strdup_printf ("/piece%u.mp3", i);
      g_autoptr (GBytes) piece = NULL;
      gsize to = i == 5 ? size : (i + 1) * 80000;

      while (to < size && memcmp (bytes + to, bytes, 2) != 0)
        to++;
      piece = make_piece (clip, from, to, 10 * i);
      ear_test_server_put_bytes (fixture->server, path, "audio/mpeg", piece);
      g_string_append_printf (list, "#EXTINF:10.0,\n%s\n", path + 1);
      from = to;
    }
  g_string_append (list, "#EXT-X-ENDLIST\n");
  ear_test_server_put (fixture->server, "/stream", data, list->str);
  ear_test_server_put (
      fixture->server, "/master", "audio/mpeg",
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.34\"\nstream\n");

  player_fixture_open (fixture, "/master", 0);
  play_there (fixture, 0);
  jump_there (fixture, 35);
  /* A seek does not open the stream again. */
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/stream"), ==, 1);
  ear_player_stop (fixture->player);
  player_fixture_open (fixture, "/stream", 25);
  play_there (fixture, 25);
}

/* Segments in MPEG-TS need a plugin that is not installed everywhere, and a stream may
 * have lost its segments. */
static void
test_broken_stream (PlayerFixture *fixture, gconstpointer data)
{
  const gsize size = 188 * 200;
  guint8 *packets = g_malloc0 (size);
  g_autoptr (GBytes) piece = NULL;

  for (gsize i = 0; i < size; i += 188)
    {
      packets[i] = 0x47;
      packets[i + 1] = 0x1f;
      packets[i + 2] = 0xff;
      packets[i + 3] = 0x10;
    }
  piece = g_bytes_new_take (packets, size);
  ear_test_server_put_bytes (fixture->server, "/piece.ts", "video/mp2t", piece);
  ear_test_server_put (fixture->server, "/stream", "application/vnd.apple.mpegurl",
                       "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10.0,\npiece.ts\n#EXT-X-ENDLIST\n");
  player_fixture_expect (fixture, "/stream", EAR_ERROR_CODEC);
}

typedef struct
{
  const char *path;
  double length;
} Short;

static const Short shorts[] = {
  { "/short.mp3", 3 },
  { "/short.opus", 3 },
  { "/ten.opus", 10 },
  { "/~delay=100/ten.opus", 10 },
  { "/~slow=30000/ten.opus", 10 },
  { "/~norange/ten.opus", 10 },
  { "/~norange=promised/ten.opus", 10 },
  { "/twenty.opus", 20 },
  { "/ten.ogg", 10 },
  { "/~slow=30000/ten.ogg", 10 },
  { "/ten.flac", 10 },
  { "/ten.m4a", 10 },
};

/* A clip starts at its beginning, although all of it arrived before the demuxer looked
 * for its end. For that, oggdemux requests all but the last byte: now and then the last
 * page is missing in the duration. */
static void
test_short (PlayerFixture *fixture, gconstpointer data)
{
  const Short *clip = data;
  const double margin = strstr (clip->path, ".o") != NULL ? 1.1 : 0.3;
  double first, lowest, highest;

  for (guint i = 0; i < 3; i++)
    {
      player_fixture_open (fixture, clip->path, 0);
      ear_test_sound_clear (fixture->sound);
      ear_player_play (fixture->player);
      player_fixture_await (fixture, EAR_PLAYER_PLAYING);
      PLAYER_WAIT_UNTIL (ear_test_sound_get_heard (fixture->sound) >= 300000);
      g_assert_true (ear_test_sound_read_range (fixture->sound, &first, &lowest, &highest));
      PLAYER_ASSERT_NEAR (first, 0, 0.2);
      player_fixture_agree (fixture, 0.2);
      if (strstr (clip->path, "norange") == NULL || ear_player_get_duration (fixture->player) > 0)
        PLAYER_ASSERT_NEAR ((double) ear_player_get_duration (fixture->player), clip->length * 1e6,
                            margin * 1e6);
      ear_player_stop (fixture->player);
    }

  player_fixture_hurry (fixture);
  player_fixture_open (fixture, clip->path, 0);
  ear_player_play (fixture->player);
  PLAYER_WAIT_UNTIL (fixture->ended == 1);
  PLAYER_ASSERT_NEAR ((double) ear_player_get_duration (fixture->player), clip->length * 1e6, 0.3e6);
}

static void
test_login (PlayerFixture *fixture, gconstpointer data)
{
  static const char *const login[] = { "hörer", "pä:sswörd é" };
  g_autofree char *value = g_strconcat (login[0], ":", login[1], NULL);
  g_autofree char *escaped = g_uri_escape_string (value, NULL, FALSE);
  g_autofree char *path = g_strdup_printf ("/~login=%s%s", escaped, (const char *) data);
  g_autofree char *elsewhere = g_strconcat ("/~redirect=302,2", path, NULL);
  g_autoptr (GPtrArray) requests = NULL;

  player_fixture_open (fixture, path, 10);
  ear_player_set_credentials (fixture->player, login[0], login[1]);
  play_there (fixture, 10);
  jump_there (fixture, 40);
  ear_player_stop (fixture->player);
  ear_test_server_clear_log (fixture->server);

  player_fixture_open (fixture, elsewhere, 0);
  ear_player_set_credentials (fixture->player, login[0], login[1]);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
  requests = ear_test_server_dup_requests (fixture->server);
  for (guint i = 0; i < requests->len; i++)
    {
      const EarTestRequest *request = g_ptr_array_index (requests, i);

      g_assert_true (g_str_equal (request->host, "127.0.0.1") ||
                     ear_test_request_get_header (request, "Authorization") == NULL);
    }
}

/* The URL may contain credentials, which are removed before the request. */
static void
test_login_in_address (PlayerFixture *fixture, gconstpointer data)
{
  g_autofree char *plain =
      ear_test_server_dup_url (fixture->server, 1, "/~login=n%C3%A4me:p%C3%A4ss/minute.cbr.mp3");
  g_autofree char *address =
      g_strconcat ("http://n%C3%A4me:p%C3%A4ss@", plain + strlen ("http://"), NULL);

  player_fixture_open (fixture, address, 0);
  play_there (fixture, 0);
}

static const struct
{
  const char *written;
  const char *sent;
} addresses[] = {
  { "/odd/100%.mp3", "/odd/100%25.mp3" },
  { "/odd/5%zz%2", "/odd/5%25zz%252" },
  { "/odd/20240101 - x7-q : Tea (%23Part 1).mp3",
    "/odd/20240101%20-%20x7-q%20:%20Tea%20(%23Part%201).mp3" },
  { "/odd/Brød og fløte.mp3", "/odd/Br%C3%B8d%20og%20fl%C3%B8te.mp3" },
  { "/odd/a[1]|b.mp3", "/odd/a[1]|b.mp3" },
  { "/odd/play/172/https%3A%2F%2Fcdn.example%2Fx%2Fy.mp3",
    "/odd/play/172/https%3A%2F%2Fcdn.example%2Fx%2Fy.mp3" },
  { "/odd/plus+plus.mp3?q=a+b%2Bc&d=50%", "/odd/plus+plus.mp3?q=a+b%2Bc&d=50%25" },
  { "/odd/file.mp3#t=12", "/odd/file.mp3" },
};

/* The request has the same address as that of a download
 * (`ear_address_parse_for_request()`). */
static void
test_addresses (PlayerFixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_autofree char *base =
          g_strconcat (ear_test_server_get_base_url (fixture->server), addresses[i].written, NULL);
      g_autoptr (GPtrArray) requests = NULL;

      ear_test_server_clear_log (fixture->server);
      player_fixture_open (fixture, base, 0);
      ear_player_play (fixture->player);
      player_fixture_await (fixture, EAR_PLAYER_FAILED);
      g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_NOT_FOUND);
      requests = ear_test_server_dup_requests (fixture->server);
      g_assert_cmpuint (requests->len, >=, 1);
      g_assert_cmpstr (((EarTestRequest *)g_ptr_array_index (requests, 0))->path, ==,
                       addresses[i].sent);
    }
}

#ifdef __SANITIZE_ADDRESS__
/* GStreamer's adaptivedemux2 leaks its downloads. The fast unwinder does not see that
 * module, which tests/lsan.supp names. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "fast_unwind_on_malloc=0";
}
#endif

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, data, func)                                                                      \
  g_test_add ("/player/servers" path, PlayerFixture, data, player_fixture_set_up, func,            \
              player_fixture_tear_down)

  ADD ("/whole/said", "/~norange/minute.cbr.mp3", test_whole);
  ADD ("/whole/chunked", "/~nolength/minute.cbr.mp3", test_whole);
  ADD ("/whole/promised/mp3", "/~norange=promised/minute.cbr.mp3", test_whole);
  ADD ("/whole/promised/vbr", "/~norange=promised/minute.vbr.mp3", test_whole);
  ADD ("/whole/promised/m4a", "/~norange=promised/minute.m4a", test_whole);
  ADD ("/whole/promised/opus", "/~norange=promised/minute.opus", test_whole);
  ADD ("/whole/promised/wav", "/~norange=promised/minute.wav", test_whole);
  ADD ("/whole/refused", "/~norange=416/minute.cbr.mp3", test_whole);
  ADD ("/whole/part", "/~norange=206/minute.cbr.mp3", test_whole);
  ADD ("/whole/later", "/~norange=promised/minute.cbr.mp3", test_whole_later);
  ADD ("/whole/otherwise", "/~norange/~slow=40000/minute.cbr.mp3", test_whole_otherwise);
  ADD ("/whole/behind-end", "/~nolength/minute.cbr.mp3", test_behind_end);
  ADD ("/changed/break", "/~slow=60000/~cut=250000", test_changed);
  ADD ("/changed/jump", "/~slow=40000", test_changed);
  ADD ("/changed/no-etag", "/~noetag/~slow=40000", test_changed);
  ADD ("/changed/no-validators", "/~noetag/~nodate/~slow=40000", test_changed);
  ADD ("/changed/always", "/~newetag/minute.cbr.mp3", test_always_changes);

  for (gsize i = 0; i < G_N_ELEMENTS (shorts); i++)
    {
      g_autofree char *path = g_strconcat ("/player/servers/short", shorts[i].path, NULL);

      g_test_add (path, PlayerFixture, &shorts[i], player_fixture_set_up, test_short,
                  player_fixture_tear_down);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (playlists); i++)
    {
      g_autofree char *path = g_strconcat ("/player/servers/playlist/", playlists[i].name, NULL);

      g_test_add (path, PlayerFixture, &playlists[i], player_fixture_set_up, test_playlist,
                  player_fixture_tear_down);
    }
  ADD ("/playlist/login", NULL, test_playlist_login);
  ADD ("/picture/said", "image/png", test_picture);
  ADD ("/picture/mp3", "audio/mpeg", test_picture);
  ADD ("/stream/said", "application/vnd.apple.mpegurl", test_stream);
  ADD ("/stream/unknown", NULL, test_broken_stream);
  ADD ("/stream/mp3", "audio/mpeg", test_stream);
  ADD ("/login/mp3", "/minute.cbr.mp3", test_login);
  ADD ("/login/opus", "/minute.opus", test_login);
  ADD ("/login/address", NULL, test_login_in_address);
  ADD ("/addresses", NULL, test_addresses);

  return g_test_run ();
}
