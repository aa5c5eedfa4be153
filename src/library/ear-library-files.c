/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Reports problems with files to the listener: damage and full disks. */

#include "ear-library-private.h"

#include "ear-error.h"

#include <glib/gi18n-lib.h>

static void
inserted_cb (EarLibrary *self)
{
  self->got_rows = TRUE;
}

/* Shows the next notice about a full disk only after all rows of a refresh were stored:
 * with little space left, some always fail. */
static void
refreshing_cb (EarLibrary *self)
{
  if (ear_refresher_get_refreshing (self->refresher))
    return;
  if (self->got_rows && !self->lost_rows)
    self->told_no_room = FALSE;
  self->got_rows = self->lost_rows = FALSE;
}

static void
state_damaged_cb (EarLibrary *self, const char *file, const char *set_aside, gboolean restored)
{
  g_autofree char *name = g_path_get_basename (set_aside);
  g_autofree char *message = NULL;

  if (restored)
    /* Translators: %s is the name of a file. */
    message = g_strdup_printf (
        _("A file with your listening history was damaged. It was restored as far as possible. "
           "The damaged file was kept as “%s”."),
        name);
  else
    /* Translators: %s is the name of a file. */
    message = g_strdup_printf (
        _("A file with your listening history was damaged. It was kept as “%s”."), name);
  ear_notices_add (self->notices, message, TRUE);
}

static void
state_failed_cb (EarLibrary *self, const GError *error)
{
  ear_notices_add (self->notices, _("Your changes could not be saved. Is the disk full?"), TRUE);
}

/* Shows one notice, not one for each of a hundred podcasts. */
static void
catalogue_failed_cb (EarLibrary *self, const GError *error, gboolean episodes)
{
  if (!episodes || !g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE))
    return;
  self->lost_rows = TRUE;
  if (self->told_no_room)
    return;
  self->told_no_room = TRUE;
  ear_notices_add (self->notices, _("New episodes could not be saved. Is the disk full?"), FALSE);
}

static void
catalogue_damaged_cb (EarLibrary *self, const char *set_aside)
{
  if (ear_catalogue_is_restored (self->catalogue))
    ear_notices_add (self->notices,
                     _("The list of episodes was damaged and replaced by an earlier copy. Your "
                        "listening history is safe."),
                     TRUE);
  else
    ear_notices_add (self->notices,
                     _("The list of episodes was damaged and is being fetched again. Your "
                        "listening history is safe."),
                     TRUE);
}

/* Shows a notice at the start and at the end. */
static void
indexing_cb (EarLibrary *self, double indexed)
{
  if (indexed <= 0)
    ear_notices_add (
        self->notices,
        _("The search index was damaged and is being rebuilt. Searches may be slow until then."),
        FALSE);
  else if (indexed >= 1)
    ear_notices_add (self->notices, _("The search index was rebuilt"), FALSE);
}

/* Starts to report problems. */
void
ear_library_follow_files (EarLibrary *self)
{
  g_signal_connect_object (self->catalogue, "damaged", G_CALLBACK (catalogue_damaged_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->catalogue, "indexing", G_CALLBACK (indexing_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->catalogue, "failed", G_CALLBACK (catalogue_failed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->catalogue, "episodes-inserted", G_CALLBACK (inserted_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "notify::refreshing", G_CALLBACK (refreshing_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "damaged", G_CALLBACK (state_damaged_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "failed", G_CALLBACK (state_failed_cb), self,
                           G_CONNECT_SWAPPED);
}
