/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-texture-cache.h"

#include <string.h>

#include "ear-cover-files.h"
#include "ear-cover-picture.h"

/**
 * EarTextureCache:
 *
 * Textures of covers, as large as they are drawn, shared by all widgets that show the same one,
 * and kept only as long as one of them does: which pictures stay in memory is the cover cache's
 * business.
 */
struct _EarTextureCache
{
  GObject parent_instance;

  /* Owned */
  EarCoverCache *covers;
  GHashTable *textures; /* address and side: GWeakRef of GdkTexture */
};

G_DEFINE_FINAL_TYPE (EarTextureCache, ear_texture_cache, G_TYPE_OBJECT)

/* Entries whose texture is gone are swept out when there are this many. */
#define SWEEP_AT 256

static void
weak_ref_free (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static gboolean
entry_is_dead (gpointer key, gpointer value, gpointer user_data)
{
  g_autoptr (GObject) texture = g_weak_ref_get (value);

  return texture == NULL;
}

typedef struct
{
  char *key;
  int side;
} Wish;

static void
wish_free (gpointer data)
{
  Wish *wish = data;

  g_free (wish->key);
  g_free (wish);
}

static char *
make_key (const char *address, int side)
{
  return g_strdup_printf ("%d %s", side, address);
}

static EarCoverSize
find_size (int side)
{
  return side <= ear_cover_size_get_pixels (EAR_COVER_SMALL) ? EAR_COVER_SMALL : EAR_COVER_LARGE;
}

static guint32
premultiply (const guint8 *pixel, gboolean has_alpha)
{
  const guint32 alpha = has_alpha ? pixel[3] : 255;
  guint32 argb = alpha << 24;

  for (guint i = 0; i < 3; i++)
    argb |= (pixel[i] * alpha + 127) / 255 << (16 - 8 * i);

  return argb;
}

/* As GTK draws it without a graphics card. It would make that of any other format each time that
 * the picture is drawn, and wait for other threads that help with it. */
static GBytes *
make_pixels (EarImage *image)
{
  const guint8 *rows = g_bytes_get_data (image->pixels, NULL);
  const gsize n_channels = image->has_alpha ? 4 : 3;
  const gsize width = (gsize) image->width;
  const gsize height = (gsize) image->height;
  guint32 *pixels = g_new (guint32, width * height);

  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++)
      pixels[y * width + x] = premultiply (rows + y * image->stride + x * n_channels, image->has_alpha);

  return g_bytes_new_take (pixels, width * height * sizeof (guint32));
}

static GdkTexture *
make_texture (EarImage *image, int side)
{
  g_autoptr (EarImage) square = ear_cover_square_new (image, side);
  g_autoptr (GBytes) pixels = make_pixels (square);

  return gdk_memory_texture_new (square->width, square->height, GDK_MEMORY_DEFAULT, pixels, (gsize) square->width * sizeof (guint32));
}

/* The one texture of this cover: that of another widget if there is one. */
static GdkTexture *
share_texture (EarTextureCache *self, const char *key, EarImage *image, int side)
{
  GWeakRef *entry = g_hash_table_lookup (self->textures, key);
  GdkTexture *texture = entry != NULL ? g_weak_ref_get (entry) : NULL;

  if (texture != NULL)
    return texture;

  if (g_hash_table_size (self->textures) >= SWEEP_AT)
    g_hash_table_foreach_remove (self->textures, entry_is_dead, NULL);
  texture = make_texture (image, side);
  entry = g_new0 (GWeakRef, 1);
  g_weak_ref_init (entry, texture);
  g_hash_table_insert (self->textures, g_strdup (key), entry);

  return texture;
}

static void
image_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Wish *wish = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarImage) image = ear_cover_cache_load_finish (EAR_COVER_CACHE (object), result, &error);

  if (image == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, share_texture (g_task_get_source_object (task), wish->key, image, wish->side), g_object_unref);
}

static gboolean
entry_is_of (gpointer key, gpointer value, gpointer address)
{
  return g_str_equal (strchr (key, ' ') + 1, address);
}

/* The one that is shown is shared no more, so that another is made of the picture that there is now. */
static void
cover_changed_cb (EarTextureCache *self, char *address)
{
  g_hash_table_foreach_remove (self->textures, entry_is_of, address);
  g_signal_emit_by_name (self, "changed", address);
}

static void
ear_texture_cache_finalize (GObject *object)
{
  EarTextureCache *self = EAR_TEXTURE_CACHE (object);

  g_clear_object (&self->covers);
  g_clear_pointer (&self->textures, g_hash_table_unref);

  G_OBJECT_CLASS (ear_texture_cache_parent_class)->finalize (object);
}

static void
ear_texture_cache_class_init (EarTextureCacheClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_texture_cache_finalize;

  /* There is another picture than before: ear_texture_cache_lookup() gives it. */
  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ear_texture_cache_init (EarTextureCache *self)
{
  self->textures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, weak_ref_free);
}

EarTextureCache *
ear_texture_cache_new (EarCoverCache *covers)
{
  EarTextureCache *self;

  g_return_val_if_fail (EAR_IS_COVER_CACHE (covers), NULL);

  self = g_object_new (EAR_TYPE_TEXTURE_CACHE, NULL);
  self->covers = g_object_ref (covers);
  g_signal_connect_object (covers, "changed", G_CALLBACK (cover_changed_cb), self, G_CONNECT_SWAPPED);

  return self;
}

/* @side: how many pixels of the screen it is wide and high
 * Returns: (transfer full) (nullable): the texture if it can be had at once */
GdkTexture *
ear_texture_cache_lookup (EarTextureCache *self, const char *address, int side)
{
  g_autofree char *key = NULL;
  EarImage *image;
  GWeakRef *entry;
  GdkTexture *texture;

  g_return_val_if_fail (EAR_IS_TEXTURE_CACHE (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  key = make_key (address, side);
  entry = g_hash_table_lookup (self->textures, key);
  texture = entry != NULL ? g_weak_ref_get (entry) : NULL;
  if (texture != NULL)
    return texture;

  image = ear_cover_cache_peek (self->covers, address, find_size (side));

  return image != NULL ? share_texture (self, key, image, side) : NULL;
}

/* Loads a cover, from the disk or the network.
 * @side: how many pixels of the screen it is wide and high */
void
ear_texture_cache_load_async (EarTextureCache    *self,
                              const char         *address,
                              int                 side,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  g_autoptr (GTask) task = NULL;
  Wish *wish;

  g_return_if_fail (EAR_IS_TEXTURE_CACHE (self));
  g_return_if_fail (address != NULL);

  wish = g_new0 (Wish, 1);
  wish->key = make_key (address, side);
  wish->side = side;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_texture_cache_load_async);
  g_task_set_task_data (task, wish, wish_free);
  ear_cover_cache_load_async (self->covers, address, find_size (side), cancellable, image_loaded_cb, g_steal_pointer (&task));
}

GdkTexture *
ear_texture_cache_load_finish (EarTextureCache *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
