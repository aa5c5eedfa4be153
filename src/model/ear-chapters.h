/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-facts.h"

G_BEGIN_DECLS

/* Limits of chapters per episode, and of bytes per title */
#define EAR_CHAPTERS_LIMIT 500
#define EAR_CHAPTER_TITLE_LIMIT 500

/* Limit of bytes of all images that are embedded in the media */
#define EAR_CHAPTER_PICTURES_LIMIT (16 * 1024 * 1024)

/* The chapters of an episode, from one source or merged: an array of EarChapter by start. Filled
 * by one owner; immutable once shared, and then readable on any thread. */
GPtrArray *ear_chapters_new (void);
EarChapter *ear_chapters_add (GPtrArray *self, gint64 start, const char *title);
void ear_chapters_add_picture (GPtrArray *self, EarChapter *chapter, const guint8 *bytes,
                               gsize length);
void ear_chapters_sort (GPtrArray *self);
GPtrArray *ear_chapters_merge (GPtrArray *const *sources, guint n_sources, gint64 duration);
EarChapter *ear_chapters_get (GPtrArray *self, guint index);
int ear_chapters_find (GPtrArray *self, gint64 position);
gint64 ear_chapters_get_end (GPtrArray *self, guint index, gint64 duration);
gboolean ear_chapters_equal (GPtrArray *self, GPtrArray *other);

G_END_DECLS
