/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-comment-chapters.h"

#include "ear-address.h"
#include "ear-duration.h"
#include "ear-text-line.h"

#include <string.h>

#define MAX_NUMBER 999

typedef struct
{
  char *title;
  char *link;
  gint64 start;
  gboolean begins; /* the start is known */
} Entry;

struct _EarCommentChapters
{
  GHashTable *entries; /* by number */
};

static EAR_DEFINE_TEXTS_FREE (Entry, entry_free, link)

EarCommentChapters *
ear_comment_chapters_new (void)
{
  EarCommentChapters *self = g_new0 (EarCommentChapters, 1);

  self->entries = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) entry_free);

  return self;
}

void
ear_comment_chapters_free (EarCommentChapters *self)
{
  g_hash_table_unref (self->entries);
  g_free (self);
}

static Entry *
find_entry (EarCommentChapters *self, int number)
{
  Entry *entry = g_hash_table_lookup (self->entries, GINT_TO_POINTER (number));

  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      g_hash_table_insert (self->entries, GINT_TO_POINTER (number), entry);
    }

  return entry;
}

/* Some files have `start-->end`. */
static void
set_start (Entry *entry, const char *value)
{
  const char *arrow = strstr (value, "-->");
  g_autofree char *start = arrow != NULL ? g_strndup (value, arrow - value) : g_strdup (value);

  if (ear_npt_parse (start, &entry->start))
    entry->begins = TRUE;
}

/**
 * ear_comment_chapters_add:
 * @comment: `NAME=value`: `CHAPTER001=00:01:02.500`, `CHAPTER001NAME=Title`,
 *   `CHAPTER001URL=address`
 *
 * Returns: whether the comment describes a chapter
 */
gboolean
ear_comment_chapters_add (EarCommentChapters *self, const char *comment)
{
  const char *digits = comment + strlen ("CHAPTER");
  g_autofree char *valid = NULL;
  const char *kind;
  const char *value;
  Entry *entry;
  int number = 0;

  if (g_ascii_strncasecmp (comment, "CHAPTER", strlen ("CHAPTER")) != 0 || !g_ascii_isdigit (*digits))
    return FALSE;
  for (kind = digits; g_ascii_isdigit (*kind) && number <= MAX_NUMBER; kind++)
    number = number * 10 + (*kind - '0');
  value = strchr (kind, '=');
  if (number > MAX_NUMBER || value == NULL)
    return FALSE;

  valid = g_utf8_make_valid (++value, -1);
  entry = find_entry (self, number);
  if (*kind == '=')
    set_start (entry, valid);
  else if (g_ascii_strncasecmp (kind, "NAME=", 5) == 0 && entry->title == NULL)
    entry->title = ear_text_line (valid, EAR_TEXT_LITERAL, EAR_CHAPTER_TITLE_LIMIT);
  else if (g_ascii_strncasecmp (kind, "URL=", 4) == 0 && entry->link == NULL)
    entry->link = ear_address_resolve (NULL, valid);

  return TRUE;
}

/* Returns: (transfer full): the chapters with a start, maybe none */
GPtrArray *
ear_comment_chapters_list (EarCommentChapters *self)
{
  GPtrArray *chapters = ear_chapters_new ();

  for (int i = 0; i <= MAX_NUMBER; i++)
    {
      const Entry *entry = g_hash_table_lookup (self->entries, GINT_TO_POINTER (i));
      EarChapter *chapter = entry != NULL && entry->begins ? ear_chapters_add (chapters, entry->start, entry->title) : NULL;

      if (chapter != NULL)
        chapter->link = g_strdup (entry->link);
    }
  ear_chapters_sort (chapters);

  return chapters;
}
