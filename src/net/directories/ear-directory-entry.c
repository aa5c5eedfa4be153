/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-directory-entry.h"

static void
entry_clear (gpointer data)
{
  EarDirectoryEntry *self = data;

  g_free (self->address);
  g_free (self->moved);
  g_free (self->title);
  g_free (self->author);
  g_free (self->image);
}

/**
 * ear_directory_entry_new:
 *
 * Returns: (transfer full): an empty entry
 */
EarDirectoryEntry *
ear_directory_entry_new (void)
{
  return g_atomic_rc_box_new0 (EarDirectoryEntry);
}

EarDirectoryEntry *
ear_directory_entry_ref (EarDirectoryEntry *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
ear_directory_entry_unref (EarDirectoryEntry *self)
{
  g_atomic_rc_box_release_full (self, entry_clear);
}
