/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-undo.h"

/**
 * EarUndo:
 *
 * Something that was done and can be taken back, once. Offered by
 * [signal@EarNotices::undo-offered]; who lets go of it does not want that.
 */
struct _EarUndo
{
  GObject parent_instance;

  /* Owned */
  char *message;
  gpointer user_data;
  GDestroyNotify destroy;

  EarUndoFunc func; /* (nullable): %NULL once it was run */
};

G_DEFINE_FINAL_TYPE (EarUndo, ear_undo, G_TYPE_OBJECT)

typedef enum
{
  PROP_MESSAGE = 1,
} EarUndoProperty;

static GParamSpec *props[PROP_MESSAGE + 1];

static void
let_go (EarUndo *self)
{
  gpointer user_data = g_steal_pointer (&self->user_data);

  self->func = NULL;
  if (self->destroy != NULL && user_data != NULL)
    self->destroy (user_data);
}

static void
ear_undo_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarUndo *self = EAR_UNDO (object);

  switch ((EarUndoProperty) property_id)
    {
    case PROP_MESSAGE:
      g_value_set_string (value, self->message);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_undo_dispose (GObject *object)
{
  let_go (EAR_UNDO (object));

  G_OBJECT_CLASS (ear_undo_parent_class)->dispose (object);
}

static void
ear_undo_finalize (GObject *object)
{
  EarUndo *self = EAR_UNDO (object);

  g_clear_pointer (&self->message, g_free);

  G_OBJECT_CLASS (ear_undo_parent_class)->finalize (object);
}

static void
ear_undo_class_init (EarUndoClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ear_undo_get_property;
  object_class->dispose = ear_undo_dispose;
  object_class->finalize = ear_undo_finalize;

  /**
   * EarUndo:message:
   *
   * What was done, in translated words; %NULL where that is plain to be seen.
   */
  props[PROP_MESSAGE] =
    g_param_spec_string ("message", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_undo_init (EarUndo *self)
{
}

/**
 * ear_undo_new:
 * @message: (nullable): what was done, in translated words; %NULL where nothing needs to be said
 * @destroy: (nullable): frees @user_data
 */
EarUndo *
ear_undo_new (const char *message, EarUndoFunc func, gpointer user_data, GDestroyNotify destroy)
{
  EarUndo *self = g_object_new (EAR_TYPE_UNDO, NULL);

  self->message = g_strdup (message);
  self->func = func;
  self->user_data = user_data;
  self->destroy = destroy;

  return self;
}

/**
 * ear_undo_get_message:
 * @self: what was done
 *
 * Returns: (transfer none) (nullable): what to tell the listener, without a full stop, or
 *   %NULL where what was done is plain to be seen
 */
const char *
ear_undo_get_message (EarUndo *self)
{
  g_return_val_if_fail (EAR_IS_UNDO (self), NULL);

  return self->message;
}

/**
 * ear_undo_run:
 * @self: what was done
 *
 * Takes it back; a second time does nothing.
 */
void
ear_undo_run (EarUndo *self)
{
  EarUndoFunc func;

  g_return_if_fail (EAR_IS_UNDO (self));

  func = g_steal_pointer (&self->func);
  if (func == NULL)
    return;
  g_object_ref (self);
  func (self->user_data);
  let_go (self);
  g_object_unref (self);
}
