/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapter-titles.h"

#include "ear-facts-extra.h"

/* Returns: (transfer full): the titles of those that have one */
EarTranscript *
ear_chapter_titles_new (EarChapters *chapters)
{
  EarTranscript *titles = ear_transcript_new ();

  for (guint i = 0; i < ear_chapters_get_count (chapters); i++)
    {
      const EarChapter *chapter = ear_chapters_get (chapters, i);

      if (chapter->title != NULL && *chapter->title != '\0')
        ear_transcript_add (titles, chapter->start, -1, NULL, chapter->title);
    }

  return titles;
}

/* @statement: a statement at a row of an episode
 * @column: number of the first of `EAR_CHAPTER_TITLES_COLUMNS`, from 0
 * Returns: (transfer full) (nullable): titles of the feed's visible chapters, as if there
 * were no other source */
EarTranscript *
ear_chapter_titles_read (EarStatement *statement, int column)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_chapter_free);
  g_autoptr (EarChapters) told = NULL;
  g_autoptr (EarChapters) listed = NULL;

  ear_facts_extra_read_chapters (statement, column + 1, list);
  if (list->len == 0)
    return NULL;
  told = ear_chapters_new_from_list (list);
  listed = ear_chapters_merge (&told, 1, sqlite3_column_int64 (statement, column));

  return ear_chapter_titles_new (listed);
}
