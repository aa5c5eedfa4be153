/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapter-finder.h"
#include "ear-player.h"
#include "ear-records.h"

G_BEGIN_DECLS

#define EAR_TYPE_CHAPTER_CONTROL (ear_chapter_control_get_type ())
G_DECLARE_FINAL_TYPE (EarChapterControl, ear_chapter_control, EAR, CHAPTER_CONTROL, GObject)

EarChapterControl *ear_chapter_control_new (const EarServices *services);
GPtrArray *ear_chapter_control_get_chapters (EarChapterControl *self);
const char *ear_chapter_control_get_title (EarChapterControl *self);
gboolean ear_chapter_control_next (EarChapterControl *self);
gboolean ear_chapter_control_previous (EarChapterControl *self);
void ear_chapter_control_set_chosen (EarChapterControl *self);
void ear_chapter_control_begin_anew (EarChapterControl *self);
gboolean ear_chapter_control_skips (EarChapterControl *self, EarPodcast *podcast,
                                    const char *title);
void ear_chapter_control_set_skips (EarChapterControl *self, EarPodcast *podcast, const char *title,
                                    gboolean skips);
void ear_chapter_control_copy_skipped (EarChapterControl *self, const char *from,
                                       const char *to);

G_END_DECLS
