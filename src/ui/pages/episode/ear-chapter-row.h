/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_CHAPTER_ROW (ear_chapter_row_get_type ())
G_DECLARE_FINAL_TYPE (EarChapterRow, ear_chapter_row, EAR, CHAPTER_ROW, GtkListBoxRow)

EarChapterRow *ear_chapter_row_new (EarChapters *chapters, guint index, gint64 duration);
gint64 ear_chapter_row_get_start (EarChapterRow *self);
const char *ear_chapter_row_get_title (EarChapterRow *self);
gboolean ear_chapter_row_has (EarChapterRow *self, gint64 position);
void ear_chapter_row_set_skipped (EarChapterRow *self, gboolean skipped);
void ear_chapter_row_set_end (EarChapterRow *self, gint64 end);
void ear_chapter_row_set_place (EarChapterRow *self, gint64 position, double speed);

G_END_DECLS
