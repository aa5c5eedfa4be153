/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"

G_BEGIN_DECLS

/**
 * EarMediaHead:
 * @chapters: its chapters, maybe none
 * @comment: (nullable): what its makers say of it
 *
 * What a media file says of itself, as far as we want to know.
 */
typedef struct
{
  EarChapters *chapters;
  char *comment;
} EarMediaHead;

EarMediaHead *ear_media_head_read (GInputStream *stream,
                                   GCancellable *cancellable);
void          ear_media_head_free (EarMediaHead *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarMediaHead, ear_media_head_free)

G_END_DECLS
