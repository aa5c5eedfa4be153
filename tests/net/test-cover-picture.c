/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-cover-header.h"
#include "ear-cover-picture.h"
#include "ear-error.h"
#include "ear-image-store.h"
#include "net-fixture.h"
#include "net-pictures.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Decoding of untrusted pictures, and its cost */

static GdkPixbuf *
decode (GBytes *bytes, int limit, GError **error)
{
  g_autofd int fd = net_picture_open (bytes);

  return ear_cover_picture_decode (fd, limit, NULL, error);
}

static const guint8 *
pixel_at (GdkPixbuf *picture, double x, double y)
{
  int column = x * gdk_pixbuf_get_width (picture);
  int row = y * gdk_pixbuf_get_height (picture);

  return gdk_pixbuf_read_pixels (picture) + (gsize) row * gdk_pixbuf_get_rowstride (picture) +
         column * gdk_pixbuf_get_n_channels (picture);
}

static void
assert_red (const guint8 *pixel)
{
  g_assert_cmpint (pixel[0], >, 180);
  g_assert_cmpint (pixel[2], <, 70);
}

static void
assert_blue (const guint8 *pixel)
{
  g_assert_cmpint (pixel[0], <, 70);
  g_assert_cmpint (pixel[2], >, 180);
}

static void
test_sizes (void)
{
  static const struct
  {
    const char *format;
    int width, height, limit;
    int expected_width, expected_height;
  } table[] = {
    { "jpeg", 3000, 3000, 512, 512, 512 }, { "jpeg", 1400, 1400, 128, 128, 128 }, { "jpeg", 1000, 250, 512, 512, 128 },
    { "png", 1400, 1400, 512, 512, 512 }, { "png", 250, 1000, 128, 32, 128 }, { "png", 50, 40, 512, 50, 40 },
    { "jpeg", 513, 512, 512, 512, 511 }, { "png", 2000, 1, 512, 512, 1 }, { "jpeg", 1, 1, 128, 1, 1 },
    { "jpeg", 60000, 16, 512, 512, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (GBytes) bytes = net_picture_new (table[i].width, table[i].height, FALSE, table[i].format);
      g_autoptr (GError) error = NULL;
      g_autoptr (GdkPixbuf) picture = decode (bytes, table[i].limit, &error);

      g_assert_no_error (error);
      g_assert_cmpint (gdk_pixbuf_get_width (picture), ==, table[i].expected_width);
      g_assert_cmpint (gdk_pixbuf_get_height (picture), ==, table[i].expected_height);
      if (table[i].expected_width < 50)
        continue;
      assert_red (pixel_at (picture, 0.2, 0.5));
      assert_blue (pixel_at (picture, 0.8, 0.5));
    }
}

static void
test_alpha (void)
{
  g_autoptr (GBytes) bytes = net_picture_new (600, 600, TRUE, "png");
  g_autoptr (GdkPixbuf) picture = decode (bytes, 128, NULL);
  g_autoptr (GBytes) encoded = ear_cover_picture_encode (picture, NULL);
  g_autoptr (GdkPixbuf) again = decode (encoded, 128, NULL);
  g_autoptr (EarImage) image = ear_cover_picture_to_image (again);

  g_assert_true (image->has_alpha);
  g_assert_cmpint (pixel_at (again, 0.2, 0.1)[3], ==, 255);
  g_assert_cmpint (pixel_at (again, 0.2, 0.9)[3], ==, 128);
  g_assert_cmpint (memcmp (g_bytes_get_data (encoded, NULL), "\x89PNG", 4), ==, 0);
}

static void
test_image (void)
{
  g_autoptr (GBytes) bytes = net_picture_new (601, 300, FALSE, "jpeg");
  g_autoptr (GdkPixbuf) picture = decode (bytes, 512, NULL);
  g_autoptr (EarImage) image = ear_cover_picture_to_image (picture);

  g_clear_object (&picture);
  g_assert_cmpint (image->width, ==, 512);
  g_assert_cmpint (image->height, ==, 256);
  g_assert_false (image->has_alpha);
  g_assert_cmpuint (image->stride, >=, 512 * 3);
  g_assert_cmpuint (g_bytes_get_size (image->pixels), >=, image->stride * 255 + 512 * 3);
  assert_red (g_bytes_get_data (image->pixels, NULL));
}

/* Returns: a picture whose middle third is half-transparent red, with green on both
 * sides */
static EarImage *
make_flag (int width, int height, gboolean has_alpha)
{
  const gsize n_channels = has_alpha ? 4 : 3;
  const gsize stride = (gsize) width * n_channels + 5;
  const gsize length = stride * (gsize) height;
  guint8 *rows = g_malloc0 (length);
  g_autoptr (GBytes) pixels = g_bytes_new_take (rows, length);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        const gboolean is_middle = x >= width / 3 && x < width * 2 / 3;
        guint8 *pixel = rows + (gsize) y * stride + (gsize) x * n_channels;

        pixel[is_middle ? 0 : 1] = 200;
        if (has_alpha)
          pixel[3] = is_middle ? 128 : 255;
      }

  return ear_image_new (width, height, stride, has_alpha, pixels);
}

/* Only the middle of a picture that is not square is drawn. */
static void
test_square (void)
{
  static const struct { int width, height, side; gboolean has_alpha; } table[] = {
    { 300, 100, 36, FALSE }, { 300, 100, 36, TRUE }, { 1536, 512, 136, FALSE }, { 384, 128, 127, TRUE }, { 300, 100, 1, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      const int side = table[i].side;
      g_autoptr (EarImage) flag = make_flag (table[i].width, table[i].height, table[i].has_alpha);
      g_autoptr (EarImage) square = ear_cover_square_new (flag, side);
      const guint8 *rows = g_bytes_get_data (square->pixels, NULL);

      g_assert_cmpint (square->width, ==, side);
      g_assert_cmpint (square->height, ==, side);
      g_assert_true (square->has_alpha == table[i].has_alpha);
      for (int y = 0; y < side; y++)
        for (int x = side / 10; x < side - side / 10; x++)
          {
            const guint8 *pixel = rows + (gsize) y * square->stride + (gsize) x * (square->has_alpha ? 4 : 3);

            g_assert_cmpint (pixel[0], >=, 195);
            g_assert_cmpint (pixel[1], <=, 5);
            if (square->has_alpha)
              g_assert_cmpint (ABS (pixel[3] - 128), <=, 3);
          }
    }
}

static void
test_small_square (void)
{
  g_autoptr (EarImage) flag = make_flag (90, 30, FALSE);
  g_autoptr (EarImage) square = ear_cover_square_new (flag, 36);
  g_autoptr (EarImage) same = ear_cover_square_new (flag, 30);

  g_assert_true (square == flag);
  g_assert_true (same == flag);
}

/* Upright: the left side becomes the top. */
static void
test_orientation (void)
{
  g_autoptr (GBytes) bytes = net_picture_new_turned (1200, 600);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) picture = decode (bytes, 512, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gdk_pixbuf_get_width (picture), ==, 256);
  g_assert_cmpint (gdk_pixbuf_get_height (picture), ==, 512);
  assert_red (pixel_at (picture, 0.5, 0.2));
  assert_blue (pixel_at (picture, 0.5, 0.8));
}

static void
test_scans (void)
{
  g_autoptr (GBytes) scans = net_picture_new_scans (1800, 1200, 3);
  g_autoptr (GBytes) turned = net_picture_turn (scans);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) picture = decode (turned, 512, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gdk_pixbuf_get_width (picture), ==, 341);
  g_assert_cmpint (gdk_pixbuf_get_height (picture), ==, 512);
  assert_red (pixel_at (picture, 0.5, 0.2));
  assert_blue (pixel_at (picture, 0.5, 0.8));
}

/* Each scan costs a pass over the picture, even a short scan. */
static void
test_too_many_scans (void)
{
  g_autoptr (GBytes) scans = net_picture_new_scans (1500, 1500, 0);
  g_autoptr (GBytes) repeated = net_picture_repeat_scan (scans, 3000);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) picture = decode (repeated, 512, &error);

  g_assert_null (picture);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_FAILED);
}

/* The result is a part of the picture or an error. */
static void
test_damaged_scans (void)
{
  g_autoptr (GBytes) scans = net_picture_new_scans (120, 90, 20);
  const gsize length = g_bytes_get_size (scans);
  guint n_pictures = 0;

  for (guint round = 0; round < 600; round++)
    {
      g_autofree guint8 *data = g_memdup2 (g_bytes_get_data (scans, NULL), length);
      g_autoptr (GBytes) damaged = NULL;
      g_autoptr (GdkPixbuf) picture = NULL;
      g_autoptr (GError) error = NULL;

      for (int i = g_test_rand_int_range (1, 8); i > 0; i--)
        data[g_test_rand_int_range (0, round % 2 == 0 ? 600 : (gint32) length)] = (guint8) g_test_rand_int_range (0, 256);
      damaged = g_bytes_new (data, round % 5 == 0 ? (gsize) g_test_rand_int_range (0, (gint32) length) : length);
      picture = decode (damaged, 512, &error);
      g_assert_true ((picture == NULL) == (error != NULL));
      n_pictures += picture != NULL;
    }
  g_test_message ("%u of 600 were pictures still", n_pictures);
}

static void
test_cancelled_scans (void)
{
  g_autoptr (GBytes) scans = net_picture_new_scans (300, 300, 0);
  g_autofd int fd = net_picture_open (scans);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (ear_cover_picture_decode (fd, 512, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_gif (void)
{
  g_autoptr (GBytes) bytes = net_picture_new_gif ();
  g_autofd int fd = net_picture_open (bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) picture = ear_cover_picture_decode (fd, 128, NULL, &error);
  EarCoverHeader header;

  g_assert_no_error (error);
  g_assert_cmpint (gdk_pixbuf_get_width (picture), ==, 1);
  assert_red (pixel_at (picture, 0, 0));
  g_assert_true (ear_cover_header_read (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &header, NULL));
  g_assert_cmpint (header.length, <, g_bytes_get_size (bytes));
}

static void
test_webp_header (void)
{
  static const struct
  {
    const char *bytes;
    guint width, height;
  } table[] = {
    { "RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xf3\x01\0\x1f\x03\0", 500, 800 },
    { "RIFF\x16\0\0\0WEBPVP8L\x0a\0\0\0\x2f\xf3\xc1\xc7\x00\0\0\0\0\0", 500, 800 },
    { "RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0\x10\0\0\x9d\x01\x2a\xf4\x01\x20\x03", 500, 800 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      EarCoverHeader header;
      g_autoptr (GError) error = NULL;

      ear_cover_header_read ((const guint8 *) table[i].bytes, 30, &header, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (header.loader, ==, "webp");
      g_assert_cmpuint (header.width, ==, table[i].width);
      g_assert_cmpuint (header.height, ==, table[i].height);
    }
}

static void
test_hostile (void)
{
  const char *name;
  guint n = 0;

  for (;;)
    {
      g_autoptr (GBytes) bytes = net_picture_hostile (n, &name);
      g_autoptr (GError) error = NULL;
      g_autoptr (GdkPixbuf) picture = NULL;

      if (bytes == NULL)
        break;
      picture = decode (bytes, 512, &error);
      g_test_message ("%s: %s", name, error != NULL ? error->message : "(a picture)");
      g_assert_null (picture);
      g_assert_true (error->domain == EAR_ERROR);
      g_assert_true (error->code == EAR_ERROR_FAILED || error->code == EAR_ERROR_TOO_LARGE);
      g_assert_true ((strstr (name, "huge") != NULL && strstr (name, "frame") == NULL) || strstr (name, "bomb") != NULL
                         ? error->code == EAR_ERROR_TOO_LARGE
                         : error->code == EAR_ERROR_FAILED);
      n++;
    }
  g_assert_cmpuint (n, >=, 20);
}

/* Real pictures with altered bytes, truncated anywhere: the result is a picture or an
 * error. */
static void
test_mutations (void)
{
  static const char *const formats[] = { "jpeg", "png", "gif" };
  guint pictures = 0;

  for (guint round = 0; round < 1500; round++)
    {
      const char *format = formats[round % 3];
      g_autoptr (GBytes) whole =
          round % 3 == 2 ? net_picture_new_gif () : net_picture_new (90, 60, round % 2 == 0, format);
      gsize length = g_bytes_get_size (whole);
      g_autofree guint8 *data = g_memdup2 (g_bytes_get_data (whole, NULL), length);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GdkPixbuf) picture = NULL;

      for (int i = g_test_rand_int_range (1, 6); i > 0; i--)
        data[g_test_rand_int_range (0, MIN (length, round % 2 == 0 ? 700 : length))] = g_test_rand_int_range (0, 256);
      if (round % 5 == 0)
        length = g_test_rand_int_range (0, length);
      bytes = g_bytes_new (data, length);
      picture = decode (bytes, 128, &error);
      g_assert_true ((picture == NULL) == (error != NULL));
      if (picture == NULL)
        continue;
      g_assert_cmpint (gdk_pixbuf_get_width (picture), <=, 128);
      g_assert_cmpint (gdk_pixbuf_get_height (picture), <=, 128);
      pictures++;
    }
  g_test_message ("%u of 1500 were pictures still", pictures);
}

static void
test_cancelled (void)
{
  g_autoptr (GBytes) bytes = net_picture_new (500, 500, FALSE, "png");
  g_autofd int fd = net_picture_open (bytes);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (ear_cover_picture_decode (fd, 128, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static EarImage *
new_image (gsize bytes)
{
  g_autoptr (GBytes) pixels = g_bytes_new_take (g_malloc0 (bytes), bytes);

  return ear_image_new (1, 1, bytes, FALSE, pixels);
}

static void
test_store (void)
{
  g_autoptr (EarImageStore) store = ear_image_store_new (1000);
  g_autoptr (EarImage) small = new_image (300);
  g_autoptr (EarImage) large = new_image (600);
  g_autoptr (EarImage) huge = new_image (1001);

  ear_image_store_insert (store, "a", small);
  ear_image_store_insert (store, "b", small);
  ear_image_store_insert (store, "c", small);
  g_assert_cmpuint (ear_image_store_get_bytes (store), ==, 900);
  g_assert_true (ear_image_store_lookup (store, "a") == small);
  /* b and c are less recently used than a. */
  ear_image_store_insert (store, "d", large);
  g_assert_cmpuint (ear_image_store_get_bytes (store), ==, 900);
  g_assert_null (ear_image_store_lookup (store, "b"));
  g_assert_null (ear_image_store_lookup (store, "c"));
  g_assert_nonnull (ear_image_store_lookup (store, "a"));
  g_assert_true (ear_image_store_lookup (store, "d") == large);

  ear_image_store_insert (store, "d", small);
  g_assert_cmpuint (ear_image_store_get_bytes (store), ==, 600);
  ear_image_store_insert (store, "e", huge);
  g_assert_null (ear_image_store_lookup (store, "e"));
  g_assert_cmpuint (ear_image_store_get_bytes (store), ==, 600);
}

/* --- Memory ------------------------------------------------------------------------ */

static gpointer
decode_thread (gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) decoded = ear_cover_picture_decode (GPOINTER_TO_INT (data), 512, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gdk_pixbuf_get_width (decoded), ==, 512);

  return NULL;
}

static void
measure (const char *name, GBytes *picture, glong limit)
{
  g_autofd int fd = net_picture_open (picture);
  gint64 start = g_get_monotonic_time ();
  glong before, peak, after;

  g_assert_true (net_memory_reset ());
  before = net_memory_get_now ();
  g_thread_join (g_thread_new ("decoder", decode_thread, GINT_TO_POINTER (fd)));
  peak = net_memory_get_peak ();
  after = net_memory_get_now ();

  g_test_message ("%s (%" G_GSIZE_FORMAT " bytes): peak %ld KB, kept %ld KB, %" G_GINT64_FORMAT " ms", name,
                  g_bytes_get_size (picture), peak - before, after - before,
                  (g_get_monotonic_time () - start) / 1000);
  g_assert_cmpint (peak - before, <, limit);
  g_assert_cmpint (peak - before, >, 512);
  g_assert_cmpint (after - before, <, 4096);
}

static void
test_memory (void)
{
  static const struct
  {
    const char *format;
    gboolean alpha;
  } table[] = {
    { "jpeg", FALSE }, { "png", FALSE }, { "png", TRUE }, { "png", FALSE }, { "png", TRUE }, { "jpeg", FALSE },
  };
  g_autoptr (GBytes) warm_jpeg = net_picture_new (600, 600, FALSE, "jpeg");
  g_autoptr (GBytes) warm_png = net_picture_new (600, 600, TRUE, "png");
  g_autoptr (GdkPixbuf) first = decode (warm_jpeg, 512, NULL);
  g_autoptr (GdkPixbuf) second = decode (warm_png, 512, NULL);

#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
  g_test_skip ("memory is not what it was under a sanitizer");
  return;
#endif
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (GBytes) picture = net_picture_new (3000, 3000, table[i].alpha, table[i].format);
      g_autofree char *name = g_strdup_printf ("%s%s", table[i].format, table[i].alpha ? " with alpha" : "");

      measure (name, picture, 40 * 1024);
    }
  for (int noise = 0; noise <= 12; noise += 6)
    {
      g_autoptr (GBytes) picture = net_picture_new_scans (3000, 3000, noise);
      g_autofree char *name = g_strdup_printf ("progressive jpeg with noise of %d", noise);

      /* libjpeg holds all coefficients in memory while it decodes. */
      measure (name, picture, 72 * 1024);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cover-picture/sizes", test_sizes);
  g_test_add_func ("/cover-picture/alpha", test_alpha);
  g_test_add_func ("/cover-picture/image", test_image);
  g_test_add_func ("/cover-picture/orientation", test_orientation);
  g_test_add_func ("/cover-square", test_square);
  g_test_add_func ("/cover-square/small", test_small_square);
  g_test_add_func ("/cover-picture/scans", test_scans);
  g_test_add_func ("/cover-picture/scans/too-many", test_too_many_scans);
  g_test_add_func ("/cover-picture/scans/damaged", test_damaged_scans);
  g_test_add_func ("/cover-picture/scans/cancelled", test_cancelled_scans);
  g_test_add_func ("/cover-picture/gif", test_gif);
  g_test_add_func ("/cover-picture/webp-header", test_webp_header);
  g_test_add_func ("/cover-picture/hostile", test_hostile);
  g_test_add_func ("/cover-picture/mutations", test_mutations);
  g_test_add_func ("/cover-picture/cancelled", test_cancelled);
  g_test_add_func ("/cover-picture/memory", test_memory);
  g_test_add_func ("/image-store", test_store);

  return g_test_run ();
}
