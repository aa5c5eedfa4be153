/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif

/* Upkeep while the writer is idle, a few milliseconds at a time: merges segments of the
 * full text index, frees empty pages, and checkpoints the write-ahead log. */

/* Pages of the full text index merged at a time */
#define MERGE_STEP 64

/* Empty pages freed at a time, once they are 1 / VACUUM_PART of the file */
#define VACUUM_STEP 32
#define VACUUM_PART 64

/* A shorter log takes little space, and is read quickly. */
#define LONG_LOG (4 * 1024 * 1024)

/* A longer log is emptied before any other upkeep. */
#define LOG_OF_BATCHES (96 * 1024 * 1024)

/* Between two steps */
#define PAUSE (50 * G_TIME_SPAN_MILLISECOND)

/* Delay after the log could not be emptied, as during the check after a crash */
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

/* Frees empty pages, if the file was created with `auto_vacuum`. */
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
  /* Keep some pages for new rows. */
  if (mode == 0 || n_free < VACUUM_STEP || n_free < n_pages / VACUUM_PART)
    return TRUE;
  *more = TRUE;

  return ear_database_exec (self->database, step, error);
}

/* Empties the write-ahead log, as far as no reader uses it, and frees memory. */
static void
settle (EarCatalogueTables *self)
{
  ear_database_empty_log (self->database);
  ear_database_save_memory (self->database);
#ifdef HAVE_MALLOC_TRIM
  /* A refresh leaves many small blocks, which the C library would keep. */
  malloc_trim (0);
#endif
}

/* Runs a step of upkeep, which takes a few milliseconds.
 * Returns: delay before the next step in microseconds, or -1 if none is needed */
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

/* Whether to empty the write-ahead log: after a crash, or after a reader was
 * in the way. */
gboolean
ear_catalogue_tables_has_long_log (EarCatalogueTables *self)
{
  return ear_database_get_log_size (self->database) > LONG_LOG;
}
