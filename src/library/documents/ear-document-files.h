/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

/* Maximum size of a document. A transcript of ten hours with a time for each word takes
 * half of it. */
#define EAR_DOCUMENT_LIMIT (8 * 1024 * 1024)

/* The folders of documents: a cache, which may be cleared at any time, and one for the
 * documents of downloads */
typedef struct
{
  char *cached;
  char *kept;
} EarDocumentFolders;

/* To be called on the files thread. A name is an episode's key and a hash of the
 * document's URL. */
char *ear_document_files_dup_name (const char *key, const char *address);
GBytes *ear_document_files_read (const EarDocumentFolders *folders, const char *name,
                                 gboolean keeping, gint64 *age);
gboolean ear_document_files_write (const EarDocumentFolders *folders, const char *name,
                                   gboolean keeping, GBytes *bytes, GError **error);
void ear_document_files_discard (const EarDocumentFolders *folders, const char *name);
void ear_document_files_release (const EarDocumentFolders *folders, const char *key);
void ear_document_files_sweep (const EarDocumentFolders *folders, GHashTable *keys);
void ear_document_files_prune (const EarDocumentFolders *folders, gint64 oldest);

G_END_DECLS
