/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-folder.h"
#include "ear-texture-cache.h"
#include "net-fixture.h"
#include "net-pictures.h"

/* Covers as they are drawn: as large as on the screen, and in the format that needs no other. */

typedef struct
{
  NetFixture net;
  char *directory;
  EarCoverCache *covers;
  EarTextureCache *textures;
  char *address;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) picture = net_picture_new (600, 600, TRUE, "png");

  net_fixture_set_up (&fixture->net, NULL);
  ear_test_server_put_bytes (fixture->net.server, "/cover", "image/png", picture);
  fixture->address = ear_test_server_dup_url (fixture->net.server, 1, "/cover");
  fixture->directory = g_dir_make_tmp ("earmark-textures-XXXXXX", NULL);
  fixture->covers = ear_cover_cache_new (fixture->net.http, fixture->directory);
  fixture->textures = ear_texture_cache_new (fixture->covers);
}

static gboolean
is_alone (gpointer data)
{
  return G_OBJECT (data)->ref_count == 1;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (g_steal_pointer (&fixture->textures));
  g_assert_true (net_wait (is_alone, fixture->covers, 60000));
  g_assert_finalize_object (g_steal_pointer (&fixture->covers));
  net_fixture_tear_down (&fixture->net, NULL);
  ear_test_folder_remove (fixture->directory);
  g_free (fixture->directory);
  g_free (fixture->address);
}

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(GdkTexture **) user_data = ear_texture_cache_load_finish (EAR_TEXTURE_CACHE (object), result, &error);
  g_assert_no_error (error);
}

static gboolean
is_there (gpointer data)
{
  return *(GdkTexture **) data != NULL;
}

static GdkTexture *
load (Fixture *fixture, int side)
{
  GdkTexture *texture = NULL;

  ear_texture_cache_load_async (fixture->textures, fixture->address, side, NULL, loaded_cb, &texture);
  g_assert_true (net_wait (is_there, &texture, 60000));

  return texture;
}

static void
test_as_drawn (Fixture *fixture, gconstpointer data)
{
  const int sides[] = { 36, 128, 136, 512 };

  for (gsize i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      g_autoptr (GdkTexture) texture = load (fixture, sides[i]);

      g_assert_cmpint (gdk_texture_get_width (texture), ==, sides[i]);
      g_assert_cmpint (gdk_texture_get_height (texture), ==, sides[i]);
      g_assert_true (gdk_texture_get_format (texture) == GDK_MEMORY_DEFAULT);
    }
}

/* Red on the left, blue on the right, the lower half transparent by half. */
static void
test_colors (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GdkTexture) texture = load (fixture, 40);
  guint32 pixels[40 * 40];
  guint32 left, right, below;

  gdk_texture_download (texture, (guchar *) pixels, 40 * sizeof (guint32));
  left = pixels[5 * 40 + 10];
  right = pixels[5 * 40 + 30];
  below = pixels[35 * 40 + 10];

  g_assert_cmpuint (left >> 24, ==, 255);
  g_assert_cmpuint (left >> 16 & 255, >, 200);
  g_assert_cmpuint (left & 255, <, 50);
  g_assert_cmpuint (right >> 16 & 255, <, 50);
  g_assert_cmpuint (right & 255, >, 200);
  g_assert_cmpuint (below >> 24, ==, 128);
  g_assert_cmpuint (below >> 16 & 255, >, 100);
  g_assert_cmpuint (below >> 16 & 255, <=, 128);
}

static void
test_shared (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GdkTexture) again = NULL;
  g_autoptr (GdkTexture) at_once = NULL;
  g_autoptr (GdkTexture) larger = NULL;

  g_assert_null (ear_texture_cache_lookup (fixture->textures, fixture->address, 36));
  texture = load (fixture, 36);
  again = load (fixture, 36);
  at_once = ear_texture_cache_lookup (fixture->textures, fixture->address, 36);
  larger = ear_texture_cache_lookup (fixture->textures, fixture->address, 72);

  g_assert_true (texture == again);
  g_assert_true (texture == at_once);
  g_assert_cmpint (gdk_texture_get_width (larger), ==, 72);
}

int
main (int argc, char **argv)
{
  net_main_init (&argc, &argv);

  g_test_add ("/texture-cache/as-drawn", Fixture, NULL, set_up, test_as_drawn, tear_down);
  g_test_add ("/texture-cache/colors", Fixture, NULL, set_up, test_colors, tear_down);
  g_test_add ("/texture-cache/shared", Fixture, NULL, set_up, test_shared, tear_down);

  return g_test_run ();
}
