/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"

G_BEGIN_DECLS

/*
 * How an episode and others belong together, as their notes say. An episode is in one of these at most.
 *   first     (element-type EarEpisode): to be heard before it, in their order
 *   refers    (element-type EarEpisode): that it mentions
 *   referred  (element-type EarEpisode): that mention it, the oldest first
 *   links     (element-type utf8 EarEpisode): by the addresses that its notes link
 */
typedef struct
{
  GPtrArray *first;
  GPtrArray *refers;
  GPtrArray *referred;
  GHashTable *links;
} EarReferences;

void           ear_references_load_async  (EarCatalogue        *catalogue,
                                           EarEpisode          *episode,
                                           EarNotes            *notes,
                                           GCancellable        *cancellable,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
EarReferences *ear_references_load_finish (GAsyncResult        *result,
                                           GError             **error);
void           ear_references_free        (EarReferences       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarReferences, ear_references_free)

G_END_DECLS
