/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-image-store.h"

struct _EarImageStore
{
  /* Owned */
  GHashTable *entries;
  GQueue order; /* of Entry, most recently used first */

  gsize bytes;
  gsize max_bytes;
};

typedef struct
{
  char *key;
  EarImage *image;
  GList link;
} Entry;

static void
entry_free (Entry *entry)
{
  g_free (entry->key);
  ear_image_unref (entry->image);
  g_free (entry);
}

static gsize
count_bytes (EarImage *image)
{
  return g_bytes_get_size (image->pixels);
}

static void
drop (EarImageStore *self, Entry *entry)
{
  self->bytes -= count_bytes (entry->image);
  g_queue_unlink (&self->order, &entry->link);
  g_hash_table_remove (self->entries, entry->key);
}

/* @max_bytes: the limit of the stored pixels, in bytes */
EarImageStore *
ear_image_store_new (gsize max_bytes)
{
  EarImageStore *self = g_new0 (EarImageStore, 1);

  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) entry_free);
  g_queue_init (&self->order);
  self->max_bytes = max_bytes;

  return self;
}

void
ear_image_store_free (EarImageStore *self)
{
  g_hash_table_unref (self->entries);
  g_free (self);
}

/* Returns: (transfer none) (nullable): the picture, now the most recently used */
EarImage *
ear_image_store_lookup (EarImageStore *self, const char *key)
{
  Entry *entry = g_hash_table_lookup (self->entries, key);

  if (entry == NULL)
    return NULL;
  g_queue_unlink (&self->order, &entry->link);
  g_queue_push_head_link (&self->order, &entry->link);

  return entry->image;
}

/* @image: (transfer none): the picture, replaces an earlier one */
void
ear_image_store_insert (EarImageStore *self, const char *key, EarImage *image)
{
  Entry *entry = g_hash_table_lookup (self->entries, key);

  if (entry != NULL)
    drop (self, entry);
  if (count_bytes (image) > self->max_bytes)
    return;

  entry = g_new0 (Entry, 1);
  entry->key = g_strdup (key);
  entry->image = ear_image_ref (image);
  entry->link.data = entry;
  g_hash_table_insert (self->entries, entry->key, entry);
  g_queue_push_head_link (&self->order, &entry->link);
  self->bytes += count_bytes (image);

  while (self->bytes > self->max_bytes)
    drop (self, g_queue_peek_tail (&self->order));
}

void
ear_image_store_clear (EarImageStore *self)
{
  while (!g_queue_is_empty (&self->order))
    drop (self, g_queue_peek_tail (&self->order));
}

/* Returns: the size of the stored pixels in bytes */
gsize
ear_image_store_get_bytes (EarImageStore *self)
{
  return self->bytes;
}
