/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-reader.h"

#include "ear-error.h"
#include "ear-facts.h"
#include "ear-text-decoder.h"
#include "ear-transcript-cues.h"

#include <string.h>

/* Subtitles have their first cue within this many bytes. */
#define HEAD_LENGTH 65536

typedef enum
{
  FORMAT_NONE,
  FORMAT_VTT,
  FORMAT_JSON,
  FORMAT_SRT,
  FORMAT_HTML,
  FORMAT_PLAIN,
  N_FORMATS,
} Format;

static void (*const readers[N_FORMATS]) (const char *text, EarTranscript *to) = {
  [FORMAT_VTT] = ear_transcript_read_vtt,
  [FORMAT_JSON] = ear_transcript_read_json,
  [FORMAT_SRT] = ear_transcript_read_srt,
  [FORMAT_HTML] = ear_transcript_read_html,
  [FORMAT_PLAIN] = ear_transcript_read_plain,
};

/* MIME types of transcripts, including common wrong ones */
static const struct
{
  const char *name;
  Format format;
} types[] = {
  { "text/vtt", FORMAT_VTT },
  { "text/webvtt", FORMAT_VTT },
  { "vtt", FORMAT_VTT },
  { "application/x-subrip", FORMAT_SRT },
  { "application/srt", FORMAT_SRT },
  { "application/subrip", FORMAT_SRT },
  { "text/srt", FORMAT_SRT },
  { "srt", FORMAT_SRT },
  { "application/json", FORMAT_JSON },
  { "text/json", FORMAT_JSON },
  { "json", FORMAT_JSON },
  { "text/html", FORMAT_HTML },
  { "application/xhtml+xml", FORMAT_HTML },
  { "html", FORMAT_HTML },
  { "htm", FORMAT_HTML },
  { "text/plain", FORMAT_PLAIN },
  { "txt", FORMAT_PLAIN },
};

static Format
find_type (const char *name, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (strlen (types[i].name) == length && g_ascii_strncasecmp (types[i].name, name, length) == 0)
      return types[i].format;

  return FORMAT_NONE;
}

/* @mime_type: (nullable): a media type, maybe with parameters */
static Format
find_format (const char *mime_type)
{
  return mime_type != NULL ? find_type (mime_type, strcspn (mime_type, "; \t")) : FORMAT_NONE;
}

/* The content overrides the declared type. But an HTML page in place of another format is
 * an error page. */
static Format
detect (const char *text, Format said)
{
  const char *begin = text + strspn (text, " \t\r\n");
  const gboolean has_arrow = memmem (text, strnlen (text, HEAD_LENGTH), "-->", 3) != NULL;

  if (g_str_has_prefix (begin, "WEBVTT"))
    return FORMAT_VTT;
  if (*begin == '{' || (*begin == '[' && said == FORMAT_JSON))
    return FORMAT_JSON;
  if (*begin == '<')
    return said == FORMAT_HTML || said == FORMAT_PLAIN || said == FORMAT_NONE ? FORMAT_HTML : FORMAT_NONE;
  if (has_arrow && said != FORMAT_HTML)
    return said == FORMAT_VTT ? FORMAT_VTT : FORMAT_SRT;

  return said == FORMAT_HTML || said == FORMAT_PLAIN ? said : said == FORMAT_NONE ? FORMAT_PLAIN : FORMAT_NONE;
}

/**
 * ear_transcript_read:
 * @bytes: a transcript as downloaded
 * @mime_type: (nullable): its type according to the feed
 * @error: return location for an `EAR_ERROR`
 *
 * Reads a transcript in any format: WebVTT, SubRip, the JSON of Podcasting 2.0, HTML,
 * plain text. May be called on any thread. Content above the limits is dropped.
 *
 * Returns: (transfer full) (nullable): the cues in the order of the file; a cue without a
 *   time has -1. %NULL if there are none
 */
EarTranscript *
ear_transcript_read (GBytes *bytes, const char *mime_type, GError **error)
{
  g_autoptr (GString) text = ear_text_decode (bytes, NULL);
  g_autoptr (EarTranscript) transcript = ear_transcript_new ();
  Format format;

  if (!g_utf8_validate (text->str, -1, NULL))
    g_string_assign (text, "");
  format = detect (text->str, find_format (mime_type));
  if (format != FORMAT_NONE)
    readers[format](text->str, transcript);
  if (ear_transcript_get_length (transcript) > 0)
    return g_steal_pointer (&transcript);

  if (text->str[strspn (text->str, " \t\r\n")] == '<')
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_WEB_PAGE, "A page in place of a transcript");
  else
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "No transcript");

  return NULL;
}

/* --- Ranking ------------------------------------------------------------------------ */

/* "en-US" counts as English. */
static gboolean
speaks (const EarTranscriptLink *link, const char *language)
{
  const gsize length = language != NULL ? strcspn (language, "-_") : 0;

  return length > 0 && link->language != NULL && g_ascii_strncasecmp (link->language, language, length) == 0 &&
         strchr ("-_", link->language[length]) != NULL;
}

/* Guesses by the type, or else by the URL's suffix; without either it may be any
 * format. */
static Format
guess_format (const EarTranscriptLink *link)
{
  const Format format = find_format (link->mime_type);
  const gsize path = strcspn (link->address, "?#");
  gsize dot = path;

  if (format != FORMAT_NONE && format != FORMAT_PLAIN)
    return format;
  while (dot > 0 && link->address[dot] != '.' && link->address[dot] != '/')
    dot--;
  if (link->address[dot] == '.' && find_type (link->address + dot + 1, path - dot - 1) != FORMAT_NONE)
    return find_type (link->address + dot + 1, path - dot - 1);

  return format;
}

/* Lower is better. Another language than the podcast's is worst, then a format without
 * times, then an undeclared language; formats decide the rest. */
static guint
rate (const EarTranscriptLink *link, const char *language)
{
  const Format format = guess_format (link);
  const guint by_format = format != FORMAT_NONE ? format : FORMAT_PLAIN + 1;
  const gboolean timed = format == FORMAT_VTT || format == FORMAT_SRT || format == FORMAT_JSON;
  const guint by_language = speaks (link, language) ? 0 : link->language == NULL || language == NULL ? 1 : 2;

  return (by_language == 2 ? 400 : 0) + (timed ? 0 : 200) + by_language * 10 + by_format;
}

static int
compare (gconstpointer a, gconstpointer b, gpointer language)
{
  return ear_compare (rate (a, language), rate (b, language));
}

/**
 * ear_transcript_rank:
 * @links: (element-type EarTranscriptLink): the transcripts that a feed lists for an
 *   episode
 * @language: (nullable): the language of the podcast
 *
 * Returns: (transfer container) (element-type EarTranscriptLink): the links, the best
 *   first
 */
GPtrArray *
ear_transcript_rank (GPtrArray *links, const char *language)
{
  GPtrArray *ranked = g_ptr_array_copy (links, NULL, NULL);

  g_ptr_array_set_free_func (ranked, NULL);
  g_ptr_array_sort_values_with_data (ranked, compare, (gpointer) language);

  return ranked;
}
