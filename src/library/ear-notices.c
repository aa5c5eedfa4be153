/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notices.h"

#include "ear-property.h"

/**
 * EarNotices:
 *
 * What the listener is told by the parts of a library, whichever window is there to show it:
 * what befell something of his, and what was done and can be taken back, at once or when it is
 * done, as some of it is seen before it is stored. See the header for its property and signals.
 */
struct _EarNotices
{
  GObject parent_instance;

  /* Borrowed */
  EarChange *change; /* (nullable): what was done last, while that is under way */
};

struct _EarChange
{
  EarNotices *notices; /* owned */
  gboolean unwanted;   /* it is taken back at once then */
};

G_DEFINE_FINAL_TYPE (EarNotices, ear_notices, G_TYPE_OBJECT)

static void
set_change (EarNotices *self, EarChange *change)
{
  const gboolean was_changing = self->change != NULL;

  self->change = change;
  if (was_changing != (change != NULL))
    g_object_notify (G_OBJECT (self), "changing");
}

static void
ear_notices_class_init (EarNoticesClass *klass)
{
  const EarProperty changing = { "changing", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_notices_get_changing) };

  ear_properties_install (G_OBJECT_CLASS (klass), &changing, 1);

  /**
   * EarNotices::notice:
   * @self: the notices
   * @message: a translated sentence for the listener
   * @lasting: whether it is to stay until it was seen
   */
  g_signal_new ("notice", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                G_TYPE_STRING, G_TYPE_BOOLEAN);
  /**
   * EarNotices::undo-offered:
   * @self: the notices
   * @undo: what was done, and can be taken back
   *
   * One without a message is not worth a toast.
   */
  g_signal_new ("undo-offered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, EAR_TYPE_UNDO);
}

static void
ear_notices_init (EarNotices *self)
{
}

EarNotices *
ear_notices_new (void)
{
  return g_object_new (EAR_TYPE_NOTICES, NULL);
}

/* @lasting: whether it is to stay until it was seen */
void
ear_notices_add (EarNotices *self, const char *message, gboolean lasting)
{
  g_signal_emit_by_name (self, "notice", message, lasting);
}

/* Offers to take something back. */
void
ear_notices_offer_undo (EarNotices *self, EarUndo *undo)
{
  g_return_if_fail (EAR_IS_NOTICES (self));
  g_return_if_fail (EAR_IS_UNDO (undo));

  /* It was done after what is still under way. */
  set_change (self, NULL);
  g_signal_emit_by_name (self, "undo-offered", undo);
}

/* Something is begun that can be taken back, and is not offered to be before it is done.
 * Returns: (transfer full): what was begun, to be ended with [method@EarChange.end] */
EarChange *
ear_notices_begin_change (EarNotices *self)
{
  EarChange *change = g_new0 (EarChange, 1);

  change->notices = g_object_ref (self);
  set_change (self, change);

  return change;
}

gboolean
ear_notices_get_changing (EarNotices *self)
{
  g_return_val_if_fail (EAR_IS_NOTICES (self), FALSE);

  return self->change != NULL;
}

/* Takes back what was done last, as soon as it is done; if it is still under way. */
void
ear_notices_take_change_back (EarNotices *self)
{
  g_return_if_fail (EAR_IS_NOTICES (self));

  if (self->change != NULL)
    self->change->unwanted = TRUE;
}

/* Offers to take it back; or does so, where that was asked for already. */
void
ear_change_offer_back (EarChange *self, EarUndo *undo)
{
  if (self->unwanted)
    ear_undo_run (undo);
  else
    g_signal_emit_by_name (self->notices, "undo-offered", undo);
}

/* To be called when it is done, and was offered to be taken back if there is anything to take back.
 * @self: (transfer full): what was begun */
void
ear_change_end (EarChange *self)
{
  if (self->notices->change == self)
    set_change (self->notices, NULL);
  g_object_unref (self->notices);
  g_free (self);
}
