/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-failure.h"

#include "ear-property.h"

struct _EarImportFailure
{
  GObject parent_instance;

  /* Owned */
  EarPodcast *podcast;
  GError *error;
};

G_DEFINE_FINAL_TYPE (EarImportFailure, ear_import_failure, G_TYPE_OBJECT)

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
  G_OBJECT_CLASS (klass)->finalize = ear_import_failure_finalize;
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

EAR_DEFINE_GET (EarImportFailure, ear_import_failure, EarPodcast *, podcast)
EAR_DEFINE_GET (EarImportFailure, ear_import_failure, const GError *, error)
