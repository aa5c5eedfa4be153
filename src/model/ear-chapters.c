/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapters.h"

/* Chapters that begin no further apart are the same: sources round differently. */
#define SAME (G_TIME_SPAN_SECOND)

/* Prefix of the hash of an image that has no URL */
#define IN_MEDIA "in-media:"

GPtrArray *
ear_chapters_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ear_chapter_free);
}

static gboolean
is_valid (gint64 start)
{
  return start >= 0 && start <= EAR_POSITION_LIMIT;
}

/* @start: microseconds
 * @title: (nullable): a line of text
 * Returns: (transfer none) (nullable): the new chapter, whose other members the caller
 * may fill; %NULL above the limit, or if @start is invalid */
EarChapter *
ear_chapters_add (GPtrArray *self, gint64 start, const char *title)
{
  EarChapter *chapter;

  if (self->len >= EAR_CHAPTERS_LIMIT || !is_valid (start))
    return NULL;

  chapter = ear_chapter_new ();
  chapter->start = start;
  chapter->title = g_strdup (title);
  g_ptr_array_add (self, chapter);

  return chapter;
}

/* Stores the image, if the chapter has none and the limit allows it. `image` becomes a
 * unique name of it.
 * @chapter: one of the chapters
 * @bytes: an untrusted image embedded in the media */
void
ear_chapters_add_picture (GPtrArray *self, EarChapter *chapter, const guint8 *bytes, gsize length)
{
  g_autofree char *hash = NULL;
  gsize taken = 0;

  for (guint i = 0; i < self->len; i++)
    if (ear_chapters_get (self, i)->picture != NULL)
      taken += g_bytes_get_size (ear_chapters_get (self, i)->picture);
  if (chapter->image != NULL || length == 0 || length > EAR_CHAPTER_PICTURES_LIMIT - taken)
    return;

  hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, length);
  chapter->image = g_strconcat (IN_MEDIA, hash, NULL);
  chapter->picture = g_bytes_new (bytes, length);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const EarChapter *first = *(const EarChapter *const *) a;
  const EarChapter *second = *(const EarChapter *const *) b;

  return ear_compare (first->start, second->start);
}

/* Sorts the added chapters by start. */
void
ear_chapters_sort (GPtrArray *self)
{
  g_ptr_array_sort (self, compare);
}

static guint
count_listed (GPtrArray *self)
{
  guint n_listed = 0;

  for (guint i = 0; i < self->len; i++)
    n_listed += !ear_chapters_get (self, i)->hidden;

  return n_listed;
}

/* Returns the first source with several chapters, otherwise the first with one. */
static GPtrArray *
find_best (GPtrArray *const *sources, guint n_sources)
{
  for (guint wanted = 2; wanted > 0; wanted--)
    for (guint i = 0; i < n_sources; i++)
      if (sources[i] != NULL && count_listed (sources[i]) >= wanted)
        return sources[i];

  return NULL;
}

/* Finds the chapter that begins at the same time. The start of the other one may come from a
 * damaged catalogue. */
static EarChapter *
find_same (GPtrArray *self, const EarChapter *chapter)
{
  const int index =
      is_valid (chapter->start) ? ear_chapters_find (self, chapter->start + SAME) : -1;
  EarChapter *found = index >= 0 ? ear_chapters_get (self, (guint) index) : NULL;

  return found != NULL && ABS (found->start - chapter->start) <= SAME ? found : NULL;
}

static void
fill (EarChapter *chapter, const EarChapter *from)
{
  if (chapter->title == NULL)
    chapter->title = g_strdup (from->title);
  if (chapter->link == NULL)
    chapter->link = g_strdup (from->link);
  if (chapter->image == NULL)
    {
      chapter->image = g_strdup (from->image);
      chapter->picture = from->picture != NULL ? g_bytes_ref (from->picture) : NULL;
    }
  if (chapter->end == 0)
    ear_chapter_set_end (chapter, from->end);
}

static GPtrArray *
copy_listed (GPtrArray *source, gint64 duration)
{
  GPtrArray *copy = ear_chapters_new ();

  for (guint i = 0; i < source->len; i++)
    {
      const EarChapter *chapter = ear_chapters_get (source, i);
      EarChapter *into = find_same (copy, chapter);

      if (chapter->hidden || (duration > 0 && chapter->start >= duration))
        continue;
      if (into == NULL)
        into = ear_chapters_add (copy, chapter->start, NULL);
      if (into != NULL)
        fill (into, chapter);
    }

  return copy;
}

/* Merges the chapters of the best source that has several with further facts of the
 * other sources' chapters that begin at the same time: titles, links, images, ends.
 * Skips hidden chapters, duplicates, and chapters that begin after the end.
 * @sources: (array length=n_sources) (nullable elements): each source's chapters, the
 * best source first
 * Returns: (transfer full): the chapters to show, maybe none */
GPtrArray *
ear_chapters_merge (GPtrArray *const *sources, guint n_sources, gint64 duration)
{
  GPtrArray *best = find_best (sources, n_sources);
  GPtrArray *merged = best != NULL ? copy_listed (best, duration) : ear_chapters_new ();

  for (guint i = 0; i < n_sources; i++)
    for (guint j = 0; sources[i] != NULL && sources[i] != best && j < sources[i]->len; j++)
      {
        const EarChapter *chapter = ear_chapters_get (sources[i], j);
        EarChapter *same = find_same (merged, chapter);

        if (same != NULL)
          fill (same, chapter);
      }

  return merged;
}

EarChapter *
ear_chapters_get (GPtrArray *self, guint index)
{
  return g_ptr_array_index (self, index);
}

/* Returns: the chapter at a position, or -1 before the first one */
int
ear_chapters_find (GPtrArray *self, gint64 position)
{
  guint low = 0;
  guint high = self->len;

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (ear_chapters_get (self, middle)->start <= position)
        low = middle + 1;
      else
        high = middle;
    }

  return (int) low - 1;
}

/* Returns: the chapter's end, stated or at the start of the next one; -1 if unknown: a
 * duration shorter than the chapter's start does not count */
gint64
ear_chapters_get_end (GPtrArray *self, guint index, gint64 duration)
{
  const gint64 told = ear_chapters_get (self, index)->end;
  const gint64 last = duration > ear_chapters_get (self, index)->start ? duration : -1;
  const gint64 next =
      index + 1 < self->len ? ear_chapters_get (self, index + 1)->start : last;

  /* The end is rounded, too: it and the next start shortly after are the same. */
  return told > 0 && (next < 0 || told < next - SAME) ? told : next;
}

gboolean
ear_chapters_equal (GPtrArray *self, GPtrArray *other)
{
  if (self == NULL || other == NULL || self == other)
    return self == other;
  if (self->len != other->len)
    return FALSE;

  for (guint i = 0; i < self->len; i++)
    {
      const EarChapter *one = ear_chapters_get (self, i);
      const EarChapter *two = ear_chapters_get (other, i);

      if (one->start != two->start || one->end != two->end ||
          g_strcmp0 (one->title, two->title) != 0 || g_strcmp0 (one->link, two->link) != 0 ||
          g_strcmp0 (one->image, two->image) != 0)
        return FALSE;
    }

  return TRUE;
}
