/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be taken back: done at once, or under way for a while and seen before it is stored. */

#include "ear-library-private.h"

static void
set_change (EarLibrary *self, EarChange *change)
{
  const gboolean was_changing = self->change != NULL;

  self->change = change;
  if (was_changing != (change != NULL))
    g_object_notify (G_OBJECT (self), "changing");
}

/**
 * ear_library_offer_undo:
 * @self: the library
 * @undo: what was done
 *
 * Offers to take something back.
 */
void
ear_library_offer_undo (EarLibrary *self, EarUndo *undo)
{
  /* It was done after what is still under way. */
  set_change (self, NULL);
  g_signal_emit_by_name (self, "undo-offered", undo);
}

/**
 * ear_library_begin_change:
 * @self: the library
 *
 * Something is begun that can be taken back, and is not offered to be before it is done.
 *
 * Returns: (transfer full): what was begun, to be ended with [func@Ear.library_end_change]
 */
EarChange *
ear_library_begin_change (EarLibrary *self)
{
  EarChange *change = g_new0 (EarChange, 1);

  change->library = g_object_ref (self);
  set_change (self, change);

  return change;
}

/**
 * ear_library_offer_change_back:
 * @change: what was begun, and is done
 * @undo: what was done
 *
 * Offers to take it back; or does so, where that was asked for already.
 */
void
ear_library_offer_change_back (EarChange *change, EarUndo *undo)
{
  if (change->unwanted)
    ear_undo_run (undo);
  else
    g_signal_emit_by_name (change->library, "undo-offered", undo);
}

/**
 * ear_library_end_change:
 * @change: (transfer full): what was begun
 *
 * To be called when it is done, and was offered to be taken back if there is anything to take back.
 */
void
ear_library_end_change (EarChange *change)
{
  if (change->library->change == change)
    set_change (change->library, NULL);
  g_object_unref (change->library);
  g_free (change);
}

/**
 * ear_library_take_change_back:
 * @self: the library
 *
 * Takes back what was done last, as soon as it is done; if it is still under way.
 */
void
ear_library_take_change_back (EarLibrary *self)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));

  if (self->change != NULL)
    self->change->unwanted = TRUE;
}
