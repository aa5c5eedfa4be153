/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-directory-entry.h"

static void
entry_clear (EarDirectoryEntry *self)
{
  ear_texts_clear (self, &self->image);
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

EAR_DEFINE_REF_COUNTED (EarDirectoryEntry, ear_directory_entry, entry_clear)
