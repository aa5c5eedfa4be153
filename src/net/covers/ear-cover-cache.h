/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-cover-size.h"
#include "ear-http.h"
#include "ear-image.h"

G_BEGIN_DECLS

/* Signals: changed (char *address): a cover loaded before has changed */
#define EAR_TYPE_COVER_CACHE (ear_cover_cache_get_type ())
G_DECLARE_FINAL_TYPE (EarCoverCache, ear_cover_cache, EAR, COVER_CACHE, GObject)

EarCoverCache *ear_cover_cache_new         (EarHttp    *http,
                                            const char *directory);
EarImage      *ear_cover_cache_peek        (EarCoverCache *self,
                                            const char    *address,
                                            EarCoverSize   size);
void           ear_cover_cache_load_async  (EarCoverCache       *self,
                                            const char          *address,
                                            EarCoverSize         size,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
EarImage      *ear_cover_cache_load_finish (EarCoverCache  *self,
                                            GAsyncResult   *result,
                                            GError        **error);
void           ear_cover_cache_give        (EarCoverCache *self,
                                            const char    *name,
                                            GBytes        *bytes);
void           ear_cover_cache_take_back   (EarCoverCache *self,
                                            const char    *name);
void           ear_cover_cache_save_memory (EarCoverCache *self);
char          *ear_cover_cache_dup_path    (EarCoverCache *self,
                                            const char    *address);
char          *ear_cover_cache_find_path   (const char    *directory,
                                            const char    *address);
void           ear_cover_cache_measure_async  (EarCoverCache       *self,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
gint64         ear_cover_cache_measure_finish (EarCoverCache  *self,
                                               GAsyncResult   *result,
                                               GError        **error);
void           ear_cover_cache_clear_async    (EarCoverCache       *self,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
gboolean       ear_cover_cache_clear_finish   (EarCoverCache  *self,
                                               GAsyncResult   *result,
                                               GError        **error);

G_END_DECLS
