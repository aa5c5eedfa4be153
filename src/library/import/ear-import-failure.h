/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"

G_BEGIN_DECLS

/* A podcast of an imported list that could not be fetched, and the error */
#define EAR_TYPE_IMPORT_FAILURE (ear_import_failure_get_type ())
G_DECLARE_FINAL_TYPE (EarImportFailure, ear_import_failure, EAR, IMPORT_FAILURE, GObject)

EarImportFailure *ear_import_failure_new (EarPodcast *podcast, const GError *error);
EarPodcast *ear_import_failure_get_podcast (EarImportFailure *self);
const GError *ear_import_failure_get_error (EarImportFailure *self);

G_END_DECLS
