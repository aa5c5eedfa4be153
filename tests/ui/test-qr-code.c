/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-qr-code.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

/* QR codes, read by another program as by a camera */

#ifdef HAVE_QRENCODE
#define PIXELS 3

/* Writes the modules as a picture (PGM), several pixels wide each. */
static char *
write_picture (GBytes *modules, guint side)
{
  g_autoptr (GString) picture = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  const char *data = g_bytes_get_data (modules, NULL);
  char *path = NULL;
  const int descriptor = g_file_open_tmp ("earmark-code-XXXXXX.pgm", &path, &error);

  g_assert_no_error (error);
  g_close (descriptor, NULL);
  g_string_printf (picture, "P5 %u %u 255\n", side * PIXELS, side * PIXELS);
  for (guint y = 0; y < side * PIXELS; y++)
    for (guint x = 0; x < side * PIXELS; x++)
      g_string_append_c (picture, data[y / PIXELS * side + x / PIXELS]);
  g_file_set_contents (path, picture->str, (gssize) picture->len, &error);
  g_assert_no_error (error);

  return path;
}

static char *
read_picture (const char *path)
{
  g_autoptr (GSubprocess) reader = NULL;
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  reader = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "zbarimg", "--quiet", "--raw", "--nodbus", path, NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (reader, NULL, NULL, &text, NULL, &error);
  g_assert_no_error (error);

  return g_strchomp (text);
}

static void
test_read (void)
{
  g_autofree char *reader = g_find_program_in_path ("zbarimg");
  g_autofree char *longest = g_strnfill (2900, 'x');
  const char *const texts[] = {
    "https://example.org/7#t=123",
    "https://dts.podtrac.com/redirect.mp3/cdn.example.org/audio/0123456789/episode/default_tc.mp3?aid=rss_feed&feed=OB5FkIl8#t=3723",
    longest,
  };

  if (reader == NULL)
    {
      g_test_skip ("there is no zbarimg");
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      guint side;
      g_autoptr (GBytes) modules = ear_qr_code_encode (texts[i], 1, &side);
      g_autofree char *path = write_picture (modules, side);
      g_autofree char *read = read_picture (path);

      g_assert_cmpuint (g_bytes_get_size (modules), ==, side * side);
      g_assert_cmpstr (read, ==, texts[i]);
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
}

/* The quiet zone is four light modules wide on each side. */
static void
test_quiet_zone (void)
{
  guint side;
  g_autoptr (GBytes) modules = ear_qr_code_encode ("https://example.org/", 1, &side);
  const guint8 *data;

  data = g_bytes_get_data (modules, NULL);
  for (guint y = 0; y < side; y++)
    for (guint x = 0; x < side; x++)
      if (MIN (MIN (x, y), MIN (side - 1 - x, side - 1 - y)) < EAR_QR_CODE_QUIET_ZONE)
        g_assert_cmpuint (data[y * side + x], ==, 0xff);
  /* The finder patterns begin with a dark module in the corners. */
  g_assert_cmpuint (data[EAR_QR_CODE_QUIET_ZONE * side + EAR_QR_CODE_QUIET_ZONE], ==, 0);
  g_assert_cmpuint (data[EAR_QR_CODE_QUIET_ZONE * side + side - 1 - EAR_QR_CODE_QUIET_ZONE], ==, 0);
}
#endif

/* An empty or too long text makes no code. */
static void
test_limits (void)
{
  g_autofree char *too_long = g_strnfill (2954, 'x');
  guint side;

  g_assert_null (ear_qr_code_encode (too_long, 1, &side));
  g_assert_null (ear_qr_code_encode ("", 1, &side));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#ifdef HAVE_QRENCODE
  g_test_add_func ("/qr-code/read", test_read);
  g_test_add_func ("/qr-code/quiet-zone", test_quiet_zone);
#endif
  g_test_add_func ("/qr-code/limits", test_limits);

  return g_test_run ();
}
