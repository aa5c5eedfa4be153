/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* @EAR_DOCUMENT_CHAPTERS: chapters of Podcasting 2.0, parsed into EarChapters
 * @EAR_DOCUMENT_TRANSCRIPT: a transcript in any format, parsed into an EarTranscript with
 *   the cues of the file */
typedef enum
{
  EAR_DOCUMENT_CHAPTERS,
  EAR_DOCUMENT_TRANSCRIPT,
} EarDocumentKind;

gpointer ear_document_read (EarDocumentKind kind, GBytes *bytes, const char *address,
                            const char *mime_type, GError **error);
gsize ear_document_weigh (EarDocumentKind kind, gpointer document);
GDestroyNotify ear_document_get_destroy (EarDocumentKind kind);

G_END_DECLS
