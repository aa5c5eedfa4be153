/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-failure.h"

struct _EarImportFailure
{
  GObject parent_instance;

  /* Owned */
  EarPodcast *podcast;
  GError *error;
};

G_DEFINE_FINAL_TYPE (EarImportFailure, ear_import_failure, G_TYPE_OBJECT)

typedef enum
{
  PROP_ADDRESS = 1,
  PROP_TITLE,
  PROP_ERROR,
} EarImportFailureProperty;

static GParamSpec *props[PROP_ERROR + 1];

static void
ear_import_failure_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarImportFailure *self = EAR_IMPORT_FAILURE (object);

  switch ((EarImportFailureProperty) property_id)
    {
    case PROP_ADDRESS:
      g_value_set_string (value, self->podcast != NULL ? ear_podcast_get_address (self->podcast) : NULL);
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->podcast != NULL ? ear_podcast_get_title (self->podcast) : NULL);
      break;
    case PROP_ERROR:
      g_value_set_boxed (value, self->error);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_import_failure_finalize (GObject *object)
{
  EarImportFailure *self = EAR_IMPORT_FAILURE (object);

  g_clear_object (&self->podcast);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (ear_import_failure_parent_class)->finalize (object);
}

static void
ear_import_failure_class_init (EarImportFailureClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_import_failure_get_property;
  object_class->finalize = ear_import_failure_finalize;

  props[PROP_ADDRESS] = g_param_spec_string ("address", NULL, NULL, NULL, flags);
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  props[PROP_ERROR] = g_param_spec_boxed ("error", NULL, NULL, G_TYPE_ERROR, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_import_failure_init (EarImportFailure *self)
{
}

EarImportFailure *
ear_import_failure_new (EarPodcast *podcast, const GError *error)
{
  EarImportFailure *self = g_object_new (EAR_TYPE_IMPORT_FAILURE, NULL);

  self->podcast = g_object_ref (podcast);
  self->error = g_error_copy (error);

  return self;
}

EarPodcast *
ear_import_failure_get_podcast (EarImportFailure *self)
{
  g_return_val_if_fail (EAR_IS_IMPORT_FAILURE (self), NULL);

  return self->podcast;
}
