/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-cover-cache.h"

#include <gdk/gdk.h>

G_BEGIN_DECLS

#define EAR_TYPE_TEXTURE_CACHE (ear_texture_cache_get_type ())
G_DECLARE_FINAL_TYPE (EarTextureCache, ear_texture_cache, EAR, TEXTURE_CACHE, GObject)

EarTextureCache *ear_texture_cache_new         (EarCoverCache        *covers);
GdkTexture      *ear_texture_cache_lookup      (EarTextureCache      *self,
                                                const char           *address,
                                                int                   side);
void             ear_texture_cache_load_async  (EarTextureCache      *self,
                                                const char           *address,
                                                int                   side,
                                                GCancellable         *cancellable,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
GdkTexture      *ear_texture_cache_load_finish (EarTextureCache      *self,
                                                GAsyncResult         *result,
                                                GError              **error);

G_END_DECLS
