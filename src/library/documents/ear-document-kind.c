/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-document-kind.h"

#include "ear-chapters-json.h"
#include "ear-transcript-reader.h"

#include <string.h>

/* @address: the document's URL
 * @mime_type: (nullable): its type according to the feed
 * Returns: (transfer full) (nullable): the parsed document; %NULL if it is something
 * else, such as the login page of a hotel's network. It may be read from any thread. */
gpointer
ear_document_read (EarDocumentKind kind, GBytes *bytes, const char *address, const char *mime_type,
                   GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  if (kind == EAR_DOCUMENT_CHAPTERS)
    return ear_chapters_parse_json (text, length, address, error);

  return ear_transcript_read (bytes, mime_type, error);
}

/* Returns: the length of a transcript's text in bytes; 0 for chapters, which cannot be
 * confused with another document */
gsize
ear_document_weigh (EarDocumentKind kind, gpointer document)
{
  gsize weight = 0;

  for (guint i = 0; kind == EAR_DOCUMENT_TRANSCRIPT && i < ear_transcript_get_length (document);
       i++)
    weight += strlen (ear_transcript_get (document, i)->text);

  return weight;
}

/* Returns: the function that frees a parsed document */
GDestroyNotify
ear_document_get_destroy (EarDocumentKind kind)
{
  return kind == EAR_DOCUMENT_CHAPTERS ? (GDestroyNotify) ear_chapters_unref
                                       : (GDestroyNotify) ear_transcript_unref;
}
