/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-failures.h"

struct _EarCoverFailures
{
  GHashTable *failures; /* address to Failure, owned */
  gint64 first_pause;
  gint64 last_pause;
};

typedef struct
{
  GError *error;
  gint64 pause;
  gint64 until;
} Failure;

static void
failure_free (Failure *failure)
{
  g_clear_error (&failure->error);
  g_free (failure);
}

/**
 * ear_cover_failures_new:
 * @first_pause: for how long to leave alone what has failed, in microseconds
 * @last_pause: for how long at most; each failure that follows doubles the pause
 *
 * Returns: (transfer full): no failures
 */
EarCoverFailures *
ear_cover_failures_new (gint64 first_pause, gint64 last_pause)
{
  EarCoverFailures *self = g_new0 (EarCoverFailures, 1);

  self->failures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) failure_free);
  self->first_pause = first_pause;
  self->last_pause = last_pause;

  return self;
}

/**
 * ear_cover_failures_free:
 * @self: (transfer full): failures
 */
void
ear_cover_failures_free (EarCoverFailures *self)
{
  g_hash_table_unref (self->failures);
  g_free (self);
}

/**
 * ear_cover_failures_add:
 * @self: failures
 * @address: what has failed
 * @error: why
 * @now: the monotonic time in microseconds
 *
 * Remembers a failure.
 */
void
ear_cover_failures_add (EarCoverFailures *self, const char *address, const GError *error, gint64 now)
{
  Failure *failure = g_hash_table_lookup (self->failures, address);

  if (failure == NULL)
    {
      failure = g_new0 (Failure, 1);
      failure->pause = self->first_pause;
      g_hash_table_insert (self->failures, g_strdup (address), failure);
    }
  else
    {
      failure->pause = MIN (failure->pause * 2, self->last_pause);
    }

  g_clear_error (&failure->error);
  failure->error = g_error_copy (error);
  failure->until = now + failure->pause;
}

/**
 * ear_cover_failures_get:
 * @self: failures
 * @address: what is wanted
 * @now: the monotonic time in microseconds
 *
 * Returns: (transfer none) (nullable): why it has failed, if it is to be left alone
 */
const GError *
ear_cover_failures_get (EarCoverFailures *self, const char *address, gint64 now)
{
  Failure *failure = g_hash_table_lookup (self->failures, address);

  return failure != NULL && failure->until > now ? failure->error : NULL;
}

/**
 * ear_cover_failures_remove:
 * @self: failures
 * @address: what has worked
 */
void
ear_cover_failures_remove (EarCoverFailures *self, const char *address)
{
  g_hash_table_remove (self->failures, address);
}

/**
 * ear_cover_failures_clear:
 * @self: failures
 *
 * Forgets all of them.
 */
void
ear_cover_failures_clear (EarCoverFailures *self)
{
  g_hash_table_remove_all (self->failures);
}
