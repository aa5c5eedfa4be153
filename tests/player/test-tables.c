/* SPDX-License-Identifier: GPL-3.0-or-later */

/* MP3 with a wrong table of contents (Info, Xing): the duration is that of the sound,
 * seeks and saved positions are found, and the end is detected. */

#include "player-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#define FRAME_LENGTH 208 /* 64 kbit/s, 44.1 kHz, without padding */
#define TABLE 21         /* offset in a frame of one channel */
#define FIVE_SECONDS 191 /* frames */
#define MINUTE 2297

typedef struct
{
  const char *name;
  const char *clip;
  guint32 frames; /* 0: absent */
  gint32 bytes;   /* 0: absent; negative: the real size */
  gsize joined;   /* bytes of the clip before the table; the clip continues after it */
  double margin;  /* of the duration, seconds */
} Case;

static const Case cases[] = {
  { "frames-and-bytes", "minute.cbr.mp3", FIVE_SECONDS, 40000, 0, 0.5 },
  { "frames", "minute.cbr.mp3", FIVE_SECONDS, 0, 0, 0.5 },
  { "bytes", "minute.cbr.mp3", 0, 40000, 0, 0.5 },
  { "frames-of-all-bytes", "minute.cbr.mp3", FIVE_SECONDS, -1, 0, 0.5 },
  { "too-many-frames", "minute.cbr.mp3", MINUTE * 10, -1, 0, 0.5 },
  { "half", "minute.cbr.mp3", MINUTE / 2, 240000, 0, 0.5 },
  /* The first half of a minute with its table, and the second half with another. */
  { "joined", "minute.cbr.mp3", MINUTE / 2, 240000, 240000, 0.5 },
  { "right", "minute.cbr.mp3", MINUTE, -1, 0, 0.5 },
  /* Only the sound contradicts this table. */
  { "variable", "minute.vbr.mp3", 957, 0, 0, 6 },
};

static void
put_number (GByteArray *array, guint at, guint32 number)
{
  number = GUINT32_TO_BE (number);
  memcpy (array->data + at, &number, sizeof number);
}

static void
append_table (GByteArray *to, const guint8 *first_frame, guint32 frames, guint32 bytes)
{
  const guint start = to->len;
  const guint32 flags = (frames > 0 ? 1 : 0) | (bytes > 0 ? 2 : 0);

  g_byte_array_set_size (to, start + FRAME_LENGTH);
  memset (to->data + start, 0, FRAME_LENGTH);
  memcpy (to->data + start, first_frame, 4);
  to->data[start + 2] &= 0xfd;
  memcpy (to->data + start + TABLE, "Info", 4);
  put_number (to, start + TABLE + 4, flags);
  put_number (to, start + TABLE + 8, frames > 0 ? frames : bytes);
  if (frames > 0 && bytes > 0)
    put_number (to, start + TABLE + 12, bytes);
}

/* Changes the clip's table. */
static void
edit_table (GByteArray *clip, guint32 frames)
{
  g_assert_cmpmem (clip->data + TABLE, 4, "Xing", 4);
  put_number (clip, TABLE + 4, 1);
  put_number (clip, TABLE + 8, frames);
}

static char *
make_file (const Case *test)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), test->clip, NULL);
  g_autofree char *name = g_strdup_printf ("table-%s.mp3", test->name);
  g_autofree char *contents = NULL;
  g_autoptr (GByteArray) made = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  char *file = g_build_filename (g_get_user_runtime_dir (), name, NULL);
  gsize size, cut;

  g_file_get_contents (path, &contents, &size, &error);
  g_assert_no_error (error);
  cut = test->joined;
  while (cut > 0 && memcmp (contents + cut, contents, 2) != 0)
    cut++;
  if (strstr (test->clip, "vbr") == NULL)
    append_table (made, (guint8 *) contents, test->frames,
                  test->bytes < 0 ? (guint32) size : (guint32) test->bytes);
  g_byte_array_append (made, (guint8 *) contents, (guint) (cut > 0 ? cut : size));
  if (cut > 0)
    {
      append_table (made, (guint8 *) contents, test->frames, (guint32) test->bytes);
      g_byte_array_append (made, (guint8 *) contents + cut, (guint) (size - cut));
    }
  if (strstr (test->clip, "vbr") != NULL)
    edit_table (made, test->frames);
  g_file_set_contents (file, (char *) made->data, made->len, &error);
  g_assert_no_error (error);

  return file;
}

static void
open_case (PlayerFixture *fixture, const Case *test, const char *file, double position)
{
  g_autofree char *contents = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gsize size;

  if (g_str_has_prefix (g_test_get_path (), "/player/tables/file/"))
    {
      ear_player_open (fixture->player, fixture->episode, file, NULL,
                       (gint64)(position * G_USEC_PER_SEC));
      return;
    }
  g_file_get_contents (file, &contents, &size, NULL);
  bytes = g_bytes_new_take (g_steal_pointer (&contents), size);
  ear_test_server_put_bytes (fixture->server, "/table.mp3", "audio/mpeg", bytes);
  player_fixture_open (fixture, "/table.mp3", position);
}

static void
check_place (PlayerFixture *fixture, double expected, double margin)
{
  double heard;

  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 200);
  heard = player_fixture_agree (fixture, margin);
  g_assert_cmpfloat (heard, >=, expected - margin);
  g_assert_cmpfloat (heard, <=, expected + 1.5 + margin);
}

static void
test_table (PlayerFixture *fixture, gconstpointer data)
{
  const Case *test = data;
  g_autofree char *file = make_file (test);
  const gboolean estimated =
      test->margin > 1 && !g_str_has_prefix (g_test_get_path (), "/player/tables/file/");
  const double margin = estimated ? 3 : 0.3;

  open_case (fixture, test, file, 35);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  check_place (fixture, 35, margin);
  PLAYER_WAIT_UNTIL (ABS (ear_player_get_duration (fixture->player) - 60e6) < test->margin * 1e6);
  g_assert_true (ear_player_get_restored (fixture->player));

  ear_player_skip (fixture->player, -10 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->seeked == 1);
  check_place (fixture, 25.5, margin);
  ear_player_seek (fixture->player, 50 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->seeked == 2);
  check_place (fixture, 50, margin);
  g_unlink (file);
}

/* All sound is heard, to the real end. */
static void
test_end (PlayerFixture *fixture, gconstpointer data)
{
  const Case *test = data;
  g_autofree char *file = make_file (test);

  player_fixture_hurry (fixture);
  open_case (fixture, test, file, 0);
  ear_player_play (fixture->player);
  PLAYER_WAIT_UNTIL (fixture->ended == 1 || ear_player_get_error (fixture->player) != NULL);
  g_assert_no_error ((GError *) ear_player_get_error (fixture->player));
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), 60, 1);
  g_assert_cmpuint (ear_test_sound_get_heard (fixture->sound), >=, 59 * G_USEC_PER_SEC);
  g_unlink (file);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases) * 2; i++)
    {
      const Case *test = &cases[i / 2];
      const char *from = i % 2 == 0 ? "http" : "file";
      g_autofree char *path = g_strdup_printf ("/player/tables/%s/%s", from, test->name);
      g_autofree char *end = g_strdup_printf ("/player/tables/%s/%s-end", from, test->name);

      g_test_add (path, PlayerFixture, test, player_fixture_set_up, test_table,
                  player_fixture_tear_down);
      g_test_add (end, PlayerFixture, test, player_fixture_set_up, test_end,
                  player_fixture_tear_down);
    }

  return g_test_run ();
}
