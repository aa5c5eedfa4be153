/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"
#include "ear-database.h"
#include "ear-transcript.h"

G_BEGIN_DECLS

/* Titles of chapters, each with its time, for searches */

/* Columns of the table episode for ear_chapter_titles_read() */
#define EAR_CHAPTER_TITLES_COLUMNS "measured, extra"

EarTranscript *ear_chapter_titles_new  (EarChapters  *chapters);
EarTranscript *ear_chapter_titles_read (EarStatement *statement,
                                        int           column);

G_END_DECLS
