/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif

/*
 * What is put in order when the writer has nothing else to do, a few milliseconds at a time:
 * the segments of the full text index are merged, pages that nothing is on any more are given
 * back, and what is in the write-ahead log goes to where it belongs.
 */

/* How many pages of the full text index are merged at a time, */
#define MERGE_STEP 64

/* and how many empty ones are given back, once they are one of so many. */
#define VACUUM_STEP 32
#define VACUUM_PART 64

/* A log that is shorter takes little room, and is read quickly. */
#define LONG_LOG (4 * 1024 * 1024)

/* One that is longer is emptied before anything else is put in order. */
#define LOG_OF_BATCHES (96 * 1024 * 1024)

/* Between two steps. */
#define PAUSE (50 * G_TIME_SPAN_MILLISECOND)

/* When the log could not be emptied, as after a crash, while the file is being looked through. */
#define PATIENCE (10 * G_TIME_SPAN_SECOND)

static gboolean
merge_texts (EarCatalogueTables *self, gboolean *more, GError **error)
{
  sqlite3 *handle = ear_database_get_handle (self->database);
  const int before = sqlite3_total_changes (handle);

  *more = FALSE;
  if (!ear_database_execute (self->database, error, "INSERT INTO episode_text (episode_text, rank) VALUES ('merge', ?1)", "i",
                             MERGE_STEP))
    return FALSE;
  /* The command itself counts as one change. */
  *more = sqlite3_total_changes (handle) - before >= 2;

  return TRUE;
}

/* Only a file that was made for it can give pages back (`auto_vacuum`). */
static gboolean
vacuum (EarCatalogueTables *self, gboolean *more, GError **error)
{
  gint64 mode = 0;
  gint64 n_pages = 0;
  gint64 n_free = 0;
  g_autofree char *step = g_strdup_printf ("PRAGMA incremental_vacuum (%d)", VACUUM_STEP);

  *more = FALSE;
  if (!ear_database_get_int (self->database, error, &mode, "PRAGMA auto_vacuum", "") ||
      !ear_database_get_int (self->database, error, &n_pages, "PRAGMA page_count", "") ||
      !ear_database_get_int (self->database, error, &n_free, "PRAGMA freelist_count", ""))
    return FALSE;
  /* Some will be needed again soon. */
  if (mode == 0 || n_free < VACUUM_STEP || n_free < n_pages / VACUUM_PART)
    return TRUE;
  *more = TRUE;

  return ear_database_exec (self->database, step, error);
}

/* Empties the write-ahead log, as far as nobody reads what is in it, and gives back memory. */
static void
settle (EarCatalogueTables *self)
{
  ear_database_empty_log (self->database);
  ear_database_save_memory (self->database);
#ifdef HAVE_MALLOC_TRIM
  /* What a refresh has held is in many small pieces, which the C library would keep. */
  malloc_trim (0);
#endif
}

/* Puts some of the file in order, for a few milliseconds.
 * Returns: after how many microseconds there is more to do, or -1 if all is in order */
gint64
ear_catalogue_tables_tidy (EarCatalogueTables *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCatalogueEvent) event = NULL;
  gboolean more = FALSE;

  if (ear_database_get_log_size (self->database) > LOG_OF_BATCHES)
    ear_database_empty_log (self->database);
  if (ear_catalogue_tables_begin (self, &error) && merge_texts (self, &more, &error) &&
      (more || vacuum (self, &more, &error)))
    event = ear_catalogue_tables_commit (self, &error);
  if (event == NULL)
    {
      g_message ("The catalogue cannot be put in order: %s", error->message);
      ear_catalogue_tables_roll_back (self);
      more = FALSE;
    }
  if (more)
    return PAUSE;
  settle (self);

  return ear_catalogue_tables_has_long_log (self) ? PATIENCE : -1;
}

/* Whether the write-ahead log is worth emptying: a crash has left it, or somebody who read what is in it was in the
 * way. */
gboolean
ear_catalogue_tables_has_long_log (EarCatalogueTables *self)
{
  return ear_database_get_log_size (self->database) > LONG_LOG;
}
