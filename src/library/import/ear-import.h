/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"
#include "ear-refresher.h"
#include "ear-subscriptions.h"

G_BEGIN_DECLS

/* A podcast of an imported list that could not be fetched, and the error */
#define EAR_TYPE_IMPORT_FAILURE (ear_import_failure_get_type ())
G_DECLARE_FINAL_TYPE (EarImportFailure, ear_import_failure, EAR, IMPORT_FAILURE, GObject)

EarPodcast *ear_import_failure_get_podcast (EarImportFailure *self);
const GError *ear_import_failure_get_error (EarImportFailure *self);

/* Follows many podcasts. Main thread only. Properties, all notify:
 *   total     uint        number of podcasts
 *   done      uint        number of podcasts fetched, failed or followed before
 *   n-failed  uint        number of podcasts that could not be fetched
 *   finished  boolean     nothing is left to do
 *   dismissed boolean     the listener has seen the result
 * Signals: taken-up, for each podcast; finished, once */
#define EAR_TYPE_IMPORT (ear_import_get_type ())
G_DECLARE_FINAL_TYPE (EarImport, ear_import, EAR, IMPORT, GObject)

EarImport *ear_import_new (EarSubscriptions *subscriptions, EarRefresher *refresher, EarHttp *http);
void ear_import_add (EarImport *self, GPtrArray *outlines);
void ear_import_stop (EarImport *self);
guint ear_import_get_total (EarImport *self);
guint ear_import_get_done (EarImport *self);
guint ear_import_get_n_repeated (EarImport *self);
GListModel *ear_import_get_failures (EarImport *self);
gboolean ear_import_get_finished (EarImport *self);
gboolean ear_import_get_dismissed (EarImport *self);
void ear_import_dismiss (EarImport *self);
GPtrArray *ear_import_get_added (EarImport *self);

G_END_DECLS
