/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-cover-cache.h"
#include "ear-documents.h"
#include "ear-notes.h"
#include "ear-services.h"

G_BEGIN_DECLS

#define EAR_TYPE_CHAPTER_FINDER (ear_chapter_finder_get_type ())
G_DECLARE_FINAL_TYPE (EarChapterFinder, ear_chapter_finder, EAR, CHAPTER_FINDER, GObject)

EarChapterFinder *ear_chapter_finder_new (const EarServices *services);
void ear_chapter_finder_set_episode (EarChapterFinder *self, EarEpisode *episode);
void ear_chapter_finder_read_notes (EarChapterFinder *self);
void ear_chapter_finder_set_notes (EarChapterFinder *self, EarNotes *notes);
void ear_chapter_finder_set_tags (EarChapterFinder *self, GPtrArray *tags);
EarEpisode *ear_chapter_finder_get_episode (EarChapterFinder *self);
GPtrArray *ear_chapter_finder_get_chapters (EarChapterFinder *self);
gboolean ear_chapter_finder_get_settled (EarChapterFinder *self);
gint64 ear_chapter_finder_get_duration (EarChapterFinder *self);

G_END_DECLS
