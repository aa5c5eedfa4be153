/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-integrity-checker.h"

#include "ear-catalogue-copies.h"
#include "ear-catalogue-schema.h"
#include "ear-main-queue.h"
#include "ear-thread.h"

/* How often SQLite asks whether to go on: some tens of microseconds. */
#define PROGRESS_STEPS 2000

/*
 * A thread for what takes long and is nobody's wish of the moment: looking through the
 * catalogue and copying it. It has a connection of its own for each job, reads only, and is
 * there from the first job on.
 */
struct _EarIntegrityChecker
{
  /* Owned */
  char *path;
  EarMainQueue *main_queue;
  EarThread *thread; /* (nullable): from the first job on */
  int ending;      /* atomic */
  int no_copies;   /* atomic */

  /* Borrowed */
  EarCatalogueFindingFunc func;
  gpointer user_data;
};

/* On its way to the owner's thread. */
typedef struct
{
  EarCatalogueFinding finding;
  GError *error;
} Report;

/* --- The checker's thread ---------------------------------------------------------- */

static int
check_progress_cb (gpointer data)
{
  EarIntegrityChecker *self = data;

  return g_atomic_int_get (&self->ending);
}

static int
copy_progress_cb (gpointer data)
{
  EarIntegrityChecker *self = data;

  return g_atomic_int_get (&self->ending) || g_atomic_int_get (&self->no_copies);
}

static EarCatalogueFinding
check (EarIntegrityChecker *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (EarDatabase) database = ear_database_open (self->path, EAR_DATABASE_READ_ONLY, &local);
  EarCatalogueFinding finding = EAR_FINDING_UNKNOWN;
  gboolean index_damaged = FALSE;

  if (database != NULL)
    {
      sqlite3_progress_handler (ear_database_get_handle (database), PROGRESS_STEPS, check_progress_cb, self);
      if (ear_database_check (database, EAR_DATABASE_CONTENT, EAR_CATALOGUE_TEXT_INDEX, &index_damaged, &local))
        return EAR_FINDING_GOOD;
    }
  if (g_error_matches (local, EAR_ERROR, EAR_ERROR_DAMAGED))
    finding = index_damaged ? EAR_FINDING_INDEX : EAR_FINDING_DAMAGED;
  g_propagate_error (error, g_steal_pointer (&local));

  return finding;
}

static EarCatalogueFinding
copy (EarIntegrityChecker *self, GError **error)
{
  g_autoptr (EarDatabase) database = NULL;

  if (copy_progress_cb (self))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The copy is not wanted any more");
      return EAR_FINDING_NOT_COPIED;
    }
  database = ear_database_open (self->path, EAR_DATABASE_COPY, error);
  if (database == NULL)
    return EAR_FINDING_NOT_COPIED;
  sqlite3_progress_handler (ear_database_get_handle (database), PROGRESS_STEPS, copy_progress_cb, self);

  return ear_catalogue_copies_make (database, self->path, error) ? EAR_FINDING_COPIED : EAR_FINDING_NOT_COPIED;
}

static void
check_and_report (gpointer data)
{
  EarIntegrityChecker *self = data;
  Report *report;

  if (g_atomic_int_get (&self->ending))
    return;
  report = g_new0 (Report, 1);
  report->finding = check (self, &report->error);
  ear_main_queue_post (self->main_queue, report);
}

static void
copy_and_report (gpointer data)
{
  EarIntegrityChecker *self = data;
  Report *report = g_new0 (Report, 1);

  report->finding = copy (self, &report->error);
  ear_main_queue_post (self->main_queue, report);
}

/* --- The owner's thread -------------------------------------------------------------- */

static void
take_report (gpointer message, gpointer user_data)
{
  EarIntegrityChecker *self = user_data;
  Report *report = message;
  g_autoptr (GError) error = report->error;
  const EarCatalogueFinding finding = report->finding;

  g_free (report);
  if (!g_atomic_int_get (&self->ending))
    self->func (finding, error, self->user_data);
}

static void
add_job (EarIntegrityChecker *self, GSourceOnceFunc job)
{
  if (self->thread == NULL)
    self->thread = ear_thread_new ("catalogue-care", EAR_WORKER_PREPARES);
  ear_thread_push (self->thread, job, self);
}

EarIntegrityChecker *
ear_integrity_checker_new (const char *path, GMainContext *context, EarCatalogueFindingFunc func, gpointer user_data)
{
  EarIntegrityChecker *self = g_new0 (EarIntegrityChecker, 1);

  self->path = g_strdup (path);
  self->func = func;
  self->user_data = user_data;
  self->main_queue = ear_main_queue_new (context, take_report, self);

  return self;
}

/* Has the catalogue looked through. */
void
ear_integrity_checker_check (EarIntegrityChecker *self)
{
  add_job (self, check_and_report);
}

/* Has a copy made. */
void
ear_integrity_checker_copy (EarIntegrityChecker *self)
{
  g_atomic_int_set (&self->no_copies, FALSE);
  add_job (self, copy_and_report);
}

/* Gives up a copy that is being made, or is going to be: the disk is needed for something else. */
void
ear_integrity_checker_stop_copying (EarIntegrityChecker *self)
{
  g_atomic_int_set (&self->no_copies, TRUE);
}

/**
 * ear_integrity_checker_free:
 * @self: (transfer full): a checker
 *
 * Gives up what is being done, and waits for that.
 */
void
ear_integrity_checker_free (EarIntegrityChecker *self)
{
  g_atomic_int_set (&self->ending, TRUE);
  g_clear_pointer (&self->thread, ear_thread_stop);
  ear_main_queue_drain (self->main_queue);
  ear_main_queue_free (self->main_queue);
  g_free (self->path);
  g_free (self);
}
