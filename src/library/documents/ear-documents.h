/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-downloader.h"
#include "ear-services.h"
#include "ear-types.h"

G_BEGIN_DECLS

/* Maximum size of a document. A transcript of ten hours with a time for each word takes
 * half of it. */
#define EAR_DOCUMENT_LIMIT (8 * 1024 * 1024)

/* @EAR_DOCUMENT_CHAPTERS: chapters of Podcasting 2.0, parsed into an array of EarChapter
 * @EAR_DOCUMENT_TRANSCRIPT: a transcript in any format, parsed into an EarTranscript of
 *   sentences */
typedef enum
{
  EAR_DOCUMENT_CHAPTERS,
  EAR_DOCUMENT_TRANSCRIPT,
} EarDocumentKind;

#define EAR_TYPE_DOCUMENTS (ear_documents_get_type ())
G_DECLARE_FINAL_TYPE (EarDocuments, ear_documents, EAR, DOCUMENTS, GObject)

EarDocuments *ear_documents_new (const EarServices *services, const char *folder);
void ear_documents_load_async (EarDocuments *self, EarEpisode *episode, EarDocumentKind kind,
                               GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data);
gpointer ear_documents_load_finish (GAsyncResult *result, GError **error);
char *ear_documents_dup_name (const char *key, const char *address);
void ear_documents_stop (EarDocuments *self);

gboolean ear_transcript_is_named (EarEpisode *episode);

G_END_DECLS
