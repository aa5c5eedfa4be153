/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-http.h"

G_BEGIN_DECLS

/*
 * One answer of one feed on its way from the socket to the catalogue: parsed as it
 * comes and handed to the writer in batches. Used by one worker thread at a time.
 */
typedef struct _EarFeedIntake EarFeedIntake;

EarFeedIntake *ear_feed_intake_new    (EarCatalogue *catalogue,
                                       gint64        podcast);
EarFeedIntake *ear_feed_intake_ref    (EarFeedIntake *self);
void           ear_feed_intake_unref  (EarFeedIntake *self);
gboolean       ear_feed_intake_push   (EarHttpResponse *response,
                                       const guint8    *data,
                                       gsize            length,
                                       gpointer         intake,
                                       GError         **error);
gboolean       ear_feed_intake_finish (EarFeedIntake   *self,
                                       EarHttpResponse *response,
                                       GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFeedIntake, ear_feed_intake_unref)

G_END_DECLS
