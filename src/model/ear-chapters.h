/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-facts.h"

G_BEGIN_DECLS

/* Limits of chapters per episode, and of bytes per title */
#define EAR_CHAPTERS_LIMIT 500
#define EAR_CHAPTER_TITLE_LIMIT 500

/* Limit of bytes of all images that are embedded in the media */
#define EAR_CHAPTER_PICTURES_LIMIT (16 * 1024 * 1024)

/* The chapters of an episode, from one source or merged. Filled by one owner; immutable
 * once shared, and then readable on any thread. */
struct _EarChapters
{
  GPtrArray *list; /* (element-type EarChapter): by start */
};

#define EAR_TYPE_CHAPTERS (ear_chapters_get_type ())
GType ear_chapters_get_type (void) G_GNUC_CONST;
EarChapters *ear_chapters_new (void);
EarChapters *ear_chapters_new_from_list (GPtrArray *list);
EarChapters *ear_chapters_ref (EarChapters *self);
void ear_chapters_unref (EarChapters *self);
EarChapter *ear_chapters_add (EarChapters *self, gint64 start, const char *title);
void ear_chapters_add_picture (EarChapters *self, EarChapter *chapter, const guint8 *bytes,
                               gsize length);
void ear_chapters_sort (EarChapters *self);
EarChapters *ear_chapters_merge (EarChapters *const *sources, guint n_sources, gint64 duration);
guint ear_chapters_get_count (EarChapters *self);
EarChapter *ear_chapters_get (EarChapters *self, guint index);
int ear_chapters_find (EarChapters *self, gint64 position);
gint64 ear_chapters_get_end (EarChapters *self, guint index, gint64 duration);
gboolean ear_chapters_equal (EarChapters *self, EarChapters *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarChapters, ear_chapters_unref)

G_END_DECLS
