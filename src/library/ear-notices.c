/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notices.h"

#include "ear-property.h"

/* An action that can be undone, once. Offered by [signal@EarNotices::undo-offered];
 * dropping the last reference gives up Undo. */
struct _EarUndo
{
  GObject parent_instance;

  /* Owned */
  char *message;
  char *note; /* (nullable): id of the bookmark that was added without a note */
  GObject *owner;
  gpointer data;
  GDestroyNotify destroy;

  EarUndoFunc func; /* (nullable): %NULL once it was run */
};

G_DEFINE_FINAL_TYPE (EarUndo, ear_undo, G_TYPE_OBJECT)

static void
clear_data (EarUndo *self)
{
  gpointer data = g_steal_pointer (&self->data);

  self->func = NULL;
  if (self->destroy != NULL && data != NULL)
    self->destroy (data);
  g_clear_object (&self->owner);
}

static void
ear_undo_release (EarUndo *self)
{
  clear_data (self);
  g_clear_pointer (&self->message, g_free);
  g_clear_pointer (&self->note, g_free);
}

static void
ear_undo_class_init (EarUndoClass *klass)
{
  ear_class_set_release (klass, ear_undo_release);
}

static void
ear_undo_init (EarUndo *self)
{
}

/* @message: (nullable): what was done, translated; %NULL for no message
 * @owner: (nullable): an object that @func receives, kept alive until then
 * @data: further data for @func
 * @destroy: (nullable): frees @data */
EarUndo *
ear_undo_new (const char *message, EarUndoFunc func, gpointer owner, gpointer data,
              GDestroyNotify destroy)
{
  EarUndo *self = g_object_new (EAR_TYPE_UNDO, NULL);

  self->message = g_strdup (message);
  self->func = func;
  g_set_object (&self->owner, owner);
  self->data = data;
  self->destroy = destroy;

  return self;
}

/* Returns: (transfer none) (nullable): the message, without a full stop, or %NULL if the
 *   change is visible */
EAR_DEFINE_GET (EarUndo, ear_undo, const char *, message)

/* Offers a button that adds a note in place of Undo, which keeps its keyboard shortcut: a toast
 * has room for one button.
 * @bookmark: id of the bookmark */
void
ear_undo_set_note (EarUndo *self, const char *bookmark)
{
  g_set_str (&self->note, bookmark);
}

/* Returns: (nullable): id of the bookmark that a note can be added to; %NULL: offer Undo */
EAR_DEFINE_GET (EarUndo, ear_undo, const char *, note)

/* Undoes the action. A second call does nothing. */
void
ear_undo_run (EarUndo *self)
{
  EarUndoFunc func = g_steal_pointer (&self->func);

  if (func == NULL)
    return;
  g_object_ref (self);
  func (self->owner, self->data);
  clear_data (self);
  g_object_unref (self);
}

/* Notices of the library for any window: problems with files, and actions that can be
 * undone. See the header for its signals. */
struct _EarNotices
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (EarNotices, ear_notices, G_TYPE_OBJECT)

static void
ear_notices_class_init (EarNoticesClass *klass)
{
  ear_signal_new (klass, "notice", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
  ear_signal_new (klass, "undo-offered", 1, EAR_TYPE_UNDO);
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

/* @lasting: whether it stays until it was seen
 * @format: the message, translated, as for printf() */
void
ear_notices_add (EarNotices *self, gboolean lasting, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_signal_emit_by_name (self, "notice", message, lasting);
}

/* Offers Undo for an action.
 * @undo: (transfer full) (nullable): %NULL if nothing changed */
void
ear_notices_offer_undo (EarNotices *self, EarUndo *undo)
{
  g_autoptr (EarUndo) owned = undo;

  if (owned != NULL)
    g_signal_emit_by_name (self, "undo-offered", owned);
}

/* Offers Undo for an action: the arguments are those of ear_undo_new(). */
void
ear_notices_offer (EarNotices *self, const char *message, EarUndoFunc func, gpointer owner,
                   gpointer data, GDestroyNotify destroy)
{
  ear_notices_offer_undo (self, ear_undo_new (message, func, owner, data, destroy));
}
