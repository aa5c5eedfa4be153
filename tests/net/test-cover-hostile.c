/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-cover-picture.h"
#include "ear-error.h"
#include "net-fixture.h"
#include "net-pictures.h"

#include <glib/gstdio.h>

/* Hostile pictures stored outside of the repository. Skipped if they are missing. */

#define SIDE 512

/* Kilobytes: less than the pixels of any of these pictures. */
#define MOST_MEMORY (200 * 1024)

typedef struct
{
  const char *name;
  gboolean may_be_seen; /* decoding may succeed at a sane size; else it must fail */
  gboolean must_be_seen;
} Picture;

static const Picture pictures[] = {
  { "img-30000x30000.png", FALSE },
  { "img-1x100000.png", TRUE },
  { "img-100000x1.png", TRUE },
  { "img-0x0.png", FALSE },
  { "img-truncated.png", FALSE },
  { "img-huge-claim.png", FALSE },
  { "img-html.jpg", FALSE },
  { "img-bomb.svg", FALSE },
  { "img-external.svg", FALSE },
  { "img-many-frames.gif", TRUE, TRUE },
};

static char *
dup_program (void)
{
  return g_build_filename (g_getenv ("EARMARK_SHARED"), "corpus", "hostile", "hostile.py", NULL);
}

static GBytes *
make (const char *name)
{
  g_autofree char *program = dup_program ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "python3", program, "emit", name, NULL);
  GBytes *bytes = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate (process, NULL, NULL, &bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));

  return bytes;
}

static void
test_picture (gconstpointer data)
{
  const Picture *picture = data;
  g_autoptr (GBytes) bytes = make (picture->name);
  g_autofd int fd = net_picture_open (bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) decoded = NULL;
  gboolean measured = net_memory_reset ();
  glong before = net_memory_get_now ();

  decoded = ear_cover_picture_decode (fd, SIDE, NULL, &error);
  g_test_message ("%s: %s", picture->name, error != NULL ? error->message : "a picture");
  g_assert_true (decoded != NULL ? picture->may_be_seen : !picture->must_be_seen);
  if (measured)
    g_assert_cmpint (net_memory_get_peak () - before, <, MOST_MEMORY);
  if (decoded == NULL)
    {
      g_assert_true (error->domain == EAR_ERROR);
      return;
    }
  g_assert_cmpint (gdk_pixbuf_get_width (decoded), >=, 1);
  g_assert_cmpint (gdk_pixbuf_get_width (decoded), <=, SIDE);
  g_assert_cmpint (gdk_pixbuf_get_height (decoded), >=, 1);
  g_assert_cmpint (gdk_pixbuf_get_height (decoded), <=, SIDE);
}

int
main (int argc, char **argv)
{
  g_autofree char *program = NULL;

  net_main_init (&argc, &argv);
  program = dup_program ();
  if (!g_file_test (program, G_FILE_TEST_EXISTS))
    {
      g_print ("1..0 # SKIP there is no %s\n", program);
      return 0;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      g_autofree char *path = g_strconcat ("/cover-hostile/", pictures[i].name, NULL);

      g_test_add_data_func (path, &pictures[i], test_picture);
    }

  return g_test_run ();
}
