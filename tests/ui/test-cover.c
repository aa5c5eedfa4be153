/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-files.h"
#include "ear-cover.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "net-fixture.h"
#include "net-pictures.h"

/* A cover is drawn at once as it was in the last session, then as it is now. */

#define SIZE 64

typedef struct
{
  NetFixture net;
  char *folder;
  char *address;
  EarCoverCache *covers;
  GtkWindow *window;
  GtkWidget *image;      /* borrowed */
  GdkPaintable *drawing; /* draws the image */
} Fixture;

static void
put (Fixture *fixture, const char *path, GBytes *picture_taken)
{
  ear_test_server_put_bytes (fixture->net.server, path, "image/jpeg", picture_taken);
  g_bytes_unref (picture_taken);
}

static void
show (Fixture *fixture)
{
  GtkWidget *image = fixture->image = g_object_new (EAR_TYPE_COVER, "size", SIZE, NULL);

  fixture->covers = ear_cover_cache_new (fixture->net.http, fixture->folder);
  fixture->window = g_object_new (GTK_TYPE_WINDOW, "child", image, NULL);
  fixture->drawing = gtk_widget_paintable_new (image);
  ear_cover_provide (GTK_WIDGET (fixture->window), fixture->covers);
  g_object_set (image, "address", fixture->address, NULL);
  gtk_window_present (fixture->window);
}

static void
hide (Fixture *fixture)
{
  g_clear_object (&fixture->drawing);
  gtk_window_destroy (fixture->window);
  EAR_TEST_WAIT_UNTIL (G_OBJECT (fixture->covers)->ref_count == 1);
  g_assert_finalize_object (g_steal_pointer (&fixture->covers));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  net_fixture_set_up (&fixture->net, NULL);
  fixture->folder = g_dir_make_tmp ("earmark-cover-XXXXXX", NULL);
  fixture->address = ear_test_server_dup_url (fixture->net.server, 1, "/cover.jpg");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  hide (fixture);
  net_fixture_tear_down (&fixture->net, NULL);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->address);
}

typedef enum
{
  NOTHING,
  UPRIGHT, /* left half red */
  TURNED,
} Look;

static gboolean
is_red (const guint8 *pixels, int x, int y)
{
  const guint8 *pixel = pixels + 4 * (y * SIZE + x);

  return pixel[2] > pixel[0];
}

/* @pixels: (out caller-allocates): the picture that is drawn
 * Returns: whether anything is drawn */
static gboolean
render (Fixture *fixture, guint8 *pixels)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  gdk_paintable_snapshot (fixture->drawing, snapshot, SIZE, SIZE);
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  if (node == NULL)
    return FALSE;
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (fixture->window)), node,
                                         &GRAPHENE_RECT_INIT (0, 0, SIZE, SIZE));
  gdk_texture_download (texture, pixels, 4 * SIZE);

  return TRUE;
}

static Look
look (Fixture *fixture)
{
  g_autofree guint8 *pixels = g_malloc0 (4 * SIZE * SIZE);
  const int margin = SIZE / 4;

  if (!render (fixture, pixels) || is_red (pixels, margin, margin) == is_red (pixels, SIZE - margin, SIZE - margin))
    return NOTHING;

  return is_red (pixels, margin, margin) == is_red (pixels, margin, SIZE - margin) ? UPRIGHT : TURNED;
}

static void
make_old (Fixture *fixture)
{
  g_autoptr (EarCoverFacts) facts = ear_cover_files_load_facts (fixture->folder, fixture->address);

  facts->fetched -= 8 * 24 * 60 * 60;
  g_assert_true (ear_cover_files_save_facts (fixture->folder, fixture->address, facts, NULL));
}

/* A podcast has another cover at the same address. */
static void
test_changed (Fixture *fixture, gconstpointer data)
{
  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  show (fixture);
  EAR_TEST_WAIT_UNTIL (look (fixture) == UPRIGHT);
  hide (fixture);

  make_old (fixture);
  put (fixture, "/turned.jpg", net_picture_new_turned (300, 300));
  ear_test_server_put_way (fixture->net.server, "/cover.jpg", "/~hold/turned.jpg");
  show (fixture);
  EAR_TEST_WAIT_UNTIL (look (fixture) == UPRIGHT);
  ear_test_server_set_holding (fixture->net.server, FALSE);
  EAR_TEST_WAIT_UNTIL (look (fixture) == TURNED);
}

/* A white cover has a line around it, one pixel wide. */
static void
test_outline (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GdkPixbuf) white = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 300, 300);
  g_autofree guint8 *pixels = g_malloc0 (4 * SIZE * SIZE);
  const guint8 *edge = pixels + 4 * SIZE * (SIZE / 2);
  const guint8 *inside = edge + 4 * 2;
  char *bytes;
  gsize size;

  gdk_pixbuf_fill (white, 0xffffffff);
  g_assert_true (gdk_pixbuf_save_to_buffer (white, &bytes, &size, "jpeg", NULL, NULL));
  put (fixture, "/cover.jpg", g_bytes_new_take ((guint8 *) bytes, size));
  show (fixture);
  EAR_TEST_WAIT_UNTIL (render (fixture, pixels) && inside[0] >= 0xf8);
  g_assert_cmpint (inside[0], >=, edge[0] + 16);
}

/* @path: (nullable): path of a picture to draw in place of the cover */
static void
set_picture (Fixture *fixture, const char *path)
{
  g_autofree char *address = path != NULL ? ear_test_server_dup_url (fixture->net.server, 1, path) : NULL;

  g_object_set (fixture->image, "picture", address, NULL);
}

/* Asserts the look of the cover over some frames. */
static void
assert_stays (Fixture *fixture, Look wanted)
{
  const gint64 enough = g_get_monotonic_time () + G_TIME_SPAN_SECOND / 5;

  while (g_get_monotonic_time () < enough)
    {
      g_assert_cmpint (look (fixture), ==, wanted);
      g_main_context_iteration (NULL, FALSE);
    }
}

/* The cover stays until its replacement is loaded, and returns afterwards. */
static void
test_picture (Fixture *fixture, gconstpointer data)
{
  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  put (fixture, "/chapter.jpg", net_picture_new_turned (300, 300));
  show (fixture);
  EAR_TEST_WAIT_UNTIL (look (fixture) == UPRIGHT);

  set_picture (fixture, "/~hold/chapter.jpg");
  assert_stays (fixture, UPRIGHT);
  ear_test_server_set_holding (fixture->net.server, FALSE);
  EAR_TEST_WAIT_UNTIL (look (fixture) == TURNED);

  set_picture (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (look (fixture) == UPRIGHT);
  set_picture (fixture, "/~hold/chapter.jpg");
  EAR_TEST_WAIT_UNTIL (look (fixture) == TURNED);
}

/* A picture stays until the next one is loaded; a file without a picture
 * shows the cover. */
static void
test_picture_after_picture (Fixture *fixture, gconstpointer data)
{
  put (fixture, "/cover.jpg", net_picture_new (300, 300, FALSE, "jpeg"));
  put (fixture, "/one.jpg", net_picture_new_turned (300, 300));
  put (fixture, "/two.jpg", net_picture_new_turned (200, 200));
  put (fixture, "/none.jpg", g_bytes_new_static ("nothing", 7));
  show (fixture);
  set_picture (fixture, "/one.jpg");
  EAR_TEST_WAIT_UNTIL (look (fixture) == TURNED);

  set_picture (fixture, "/~hold/two.jpg");
  assert_stays (fixture, TURNED);
  ear_test_server_set_holding (fixture->net.server, FALSE);

  set_picture (fixture, "/none.jpg");
  EAR_TEST_WAIT_UNTIL (look (fixture) == UPRIGHT);

  /* A picture that was replaced while the widget was hidden does not return. */
  set_picture (fixture, "/one.jpg");
  EAR_TEST_WAIT_UNTIL (look (fixture) == TURNED);
  set_picture (fixture, "/none.jpg");
  gtk_widget_set_visible (fixture->image, FALSE);
  gtk_widget_set_visible (fixture->image, TRUE);
  EAR_TEST_WAIT_UNTIL (look (fixture) == UPRIGHT);
}

int
main (int argc, char **argv)
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  g_test_add ("/cover/changed", Fixture, NULL, set_up, test_changed, tear_down);
  g_test_add ("/cover/outline", Fixture, NULL, set_up, test_outline, tear_down);
  g_test_add ("/cover/picture", Fixture, NULL, set_up, test_picture, tear_down);
  g_test_add ("/cover/picture-after-picture", Fixture, NULL, set_up, test_picture_after_picture, tear_down);

  return g_test_run ();
}
