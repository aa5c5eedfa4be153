/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"

G_BEGIN_DECLS

/* References between an episode and others, from their notes. An episode is in one of the
 * lists at most.
 *   first     (element-type EarEpisode): to be played before it, in order
 *   refers    (element-type EarEpisode): mentioned in its notes
 *   referred  (element-type EarEpisode): mention it, oldest first
 *   links     (element-type utf8 EarEpisode): episodes by the URLs linked in its notes */
typedef struct
{
  GPtrArray *first;
  GPtrArray *refers;
  GPtrArray *referred;
  GHashTable *links;
} EarReferences;

void ear_references_load_async (EarCatalogue *catalogue, EarEpisode *episode, EarNotes *notes,
                                GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data);
EarReferences *ear_references_load_finish (GAsyncResult *result, GError **error);
void ear_references_free (EarReferences *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarReferences, ear_references_free)

G_END_DECLS
