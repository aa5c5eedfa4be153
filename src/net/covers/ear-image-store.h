/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-image.h"

G_BEGIN_DECLS

/* Decoded pictures by key, up to a size in bytes; drops the least recently used first. */
typedef struct _EarImageStore EarImageStore;

EarImageStore *ear_image_store_new       (gsize max_bytes);
void           ear_image_store_free      (EarImageStore *self);
EarImage      *ear_image_store_lookup    (EarImageStore *self,
                                          const char    *key);
void           ear_image_store_insert    (EarImageStore *self,
                                          const char    *key,
                                          EarImage      *image);
void           ear_image_store_clear     (EarImageStore *self);
gsize          ear_image_store_get_bytes (EarImageStore *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarImageStore, ear_image_store_free)

G_END_DECLS
