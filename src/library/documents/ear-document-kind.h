/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarDocumentKind:
 * @EAR_DOCUMENT_CHAPTERS: the chapters of Podcasting 2.0, which are read as EarChapters
 * @EAR_DOCUMENT_TRANSCRIPT: what is said, in any format, which is read as an EarTranscript, in the parts that it is written in
 */
typedef enum
{
  EAR_DOCUMENT_CHAPTERS,
  EAR_DOCUMENT_TRANSCRIPT,
} EarDocumentKind;

gpointer       ear_document_read        (EarDocumentKind  kind,
                                         GBytes          *bytes,
                                         const char      *address,
                                         const char      *mime_type,
                                         GError         **error);
gsize          ear_document_weigh       (EarDocumentKind  kind,
                                         gpointer         document);
GDestroyNotify ear_document_get_destroy (EarDocumentKind  kind);

G_END_DECLS
