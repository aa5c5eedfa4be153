/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

typedef struct _EarTextDecoder EarTextDecoder;

EarTextDecoder *ear_text_decoder_new    (const char     *content_type);
void            ear_text_decoder_free   (EarTextDecoder *self);
void            ear_text_decoder_push   (EarTextDecoder *self,
                                         const guint8   *data,
                                         gsize           length,
                                         GString        *out);
void            ear_text_decoder_finish (EarTextDecoder *self,
                                         GString        *out);
GString        *ear_text_decode         (GBytes         *bytes,
                                         const char     *content_type);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarTextDecoder, ear_text_decoder_free)

G_END_DECLS
