/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-documents.h"
#include "ear-episode.h"
#include "ear-transcript.h"

G_BEGIN_DECLS

void ear_transcript_load_async (EarDocuments *documents, EarEpisode *episode,
                                GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data);
EarTranscript *ear_transcript_load_finish (GAsyncResult *result, GError **error);

G_END_DECLS
