/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-notes.h"

G_BEGIN_DECLS

void ear_notes_load_async (EarCatalogue *catalogue, EarEpisode *episode, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data);
void ear_notes_parse_async (const char *text, const char *base, GAsyncReadyCallback callback,
                            gpointer user_data);
EarNotes *ear_notes_load_finish (GAsyncResult *result, GError **error);

G_END_DECLS
