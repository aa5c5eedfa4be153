/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"

G_BEGIN_DECLS

/* Chapters in Vorbis comments (https://wiki.xiph.org/Chapter_Extension), also used by
 * Opus and FLAC */
typedef struct _EarCommentChapters EarCommentChapters;

EarCommentChapters *ear_comment_chapters_new  (void);
void                ear_comment_chapters_free (EarCommentChapters *self);
gboolean            ear_comment_chapters_add  (EarCommentChapters *self,
                                               const char         *comment);
GPtrArray          *ear_comment_chapters_list (EarCommentChapters *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCommentChapters, ear_comment_chapters_free)

G_END_DECLS
