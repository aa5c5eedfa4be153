/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"

G_BEGIN_DECLS

/**
 * EarMediaHead:
 * @chapters: the chapters, maybe none
 * @comment: (nullable): the comment of the file's author
 *
 * The metadata of a media file that Earmark uses.
 */
typedef struct
{
  GPtrArray *chapters; /* (element-type EarChapter) */
  char *comment;
} EarMediaHead;

EarMediaHead *ear_media_head_read (GInputStream *stream,
                                   GCancellable *cancellable);
void          ear_media_head_free (EarMediaHead *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarMediaHead, ear_media_head_free)

G_END_DECLS
