/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link.h"
#include "ear-chapters-json.h"
#include "ear-feed-parser.h"
#include "ear-media-head.h"
#include "ear-show-notes.h"
#include "ear-transcript-reader.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

/* Prints the results of the feed library as JSON, for comparison with other programs:
 *   earmark-inspect FILE ADDRESS          a feed; $FEED_HEADERS has HTTP headers in JSON
 *   earmark-inspect --batch               a feed per line {"file", "base_url", "headers"}
 *   earmark-inspect --notes BASE SECONDS  show notes from standard input
 *   earmark-inspect --transcript FILE MIME  the cues of a transcript
 *   earmark-inspect --sentences FILE MIME   the sentences that a listener sees
 *   earmark-inspect --chapters FILE       chapters in JSON
 *   earmark-inspect --media FILE          the chapters and the comment of a media file */

/* Appends JSON: `'` is a quotation mark, `$` a text, `#` a number, `%` a number that may
 * be 0, `@` JSON. Unknown values, which are NULL or 0, become null. */
static void
put (GString *json, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  for (const char *c = format; *c != '\0'; c++)
    {
      const char *text = *c == '$' || *c == '@' ? va_arg (values, const char *) : NULL;
      double number = *c == '#' || *c == '%' ? va_arg (values, double) : 0;
      g_autoptr (GVariant) value = *c == '$' && text != NULL ? g_variant_ref_sink (g_variant_new_string (text)) : NULL;
      g_autofree char *quoted = value != NULL ? json_gvariant_serialize_data (value, NULL) : NULL;

      if (*c == '@' || quoted != NULL)
        g_string_append (json, *c == '@' ? text : quoted);
      else if (*c == '%' || number != 0)
        g_string_append_printf (json, "%.15g", number);
      else if (*c == '$' || *c == '#')
        g_string_append (json, "null");
      else
        g_string_append_c (json, *c == '\'' ? '"' : *c);
    }
  va_end (values);
}

static char *
dup_text (const char *markup, const char *base)
{
  g_autoptr (EarNotes) notes = markup != NULL ? ear_show_notes_parse (markup, base, EAR_DURATION_UNKNOWN) : NULL;

  return notes != NULL ? ear_notes_to_text (notes) : NULL;
}

static void
put_media (GString *json, EarEpisodeFacts *facts)
{
  for (guint i = 0; i < facts->enclosures->len + facts->pictures->len; i++)
    {
      const EarEnclosure *enclosure = i < facts->enclosures->len ? g_ptr_array_index (facts->enclosures, i)
                                                                 : g_ptr_array_index (facts->pictures, i - facts->enclosures->len);

      put (json, "@{'url':$,'type':$,'length':#}", i > 0 ? "," : "", enclosure->address, enclosure->mime_type, (double) enclosure->size);
    }
  put (json, "],'chapters':[");
  for (guint i = 0; i < facts->chapters->len; i++)
    {
      const EarChapter *chapter = g_ptr_array_index (facts->chapters, i);

      put (json, "@{'start':%,'title':$,'link':$,'image':$}", i > 0 ? "," : "", chapter->start / (double) G_USEC_PER_SEC,
           chapter->title, chapter->link, chapter->image);
    }
  put (json, "],'transcripts':[");
  for (guint i = 0; i < facts->transcripts->len; i++)
    {
      const EarTranscriptLink *link = g_ptr_array_index (facts->transcripts, i);

      put (json, "@{'url':$,'type':$,'language':$}", i > 0 ? "," : "", link->address, link->mime_type, link->language);
    }
}

static void
item_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  static const char *const types[] = { "full", "trailer", "bonus" };
  g_autoptr (GString) json = g_string_new ((*(guint *) user_data)++ > 0 ? "," : "{\"items\":[");
  g_autoptr (GDateTime) time = facts->published != EAR_DATE_UNKNOWN ? g_date_time_new_from_unix_utc (facts->published) : NULL;
  g_autofree char *date = time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : NULL;
  g_autofree char *text = dup_text (facts->notes, facts->notes_base);
  const char *number = facts->number != NULL ? strpbrk (facts->number, "0123456789") : NULL;

  put (json, "{'guid':$,'title':$,'link':$,'published':$,'duration':#,'description':$,'image':$,'season':#,'episode':#,"
             "'episode_type':$,'explicit':$,'author':$,'chapters_url':$,'enclosures':[",
       facts->guid, facts->title, facts->link, date, (double) (facts->duration / G_USEC_PER_SEC), text, facts->image,
       (double) facts->season, number != NULL ? g_ascii_strtod (number, NULL) : 0, types[facts->type],
       facts->explicit_content == EAR_EXPLICIT_YES ? "yes" : NULL, facts->author, facts->chapters_address);
  put_media (json, facts);
  printf ("%s]}", json->str);
}

static void
print_podcast (EarFeedParser *parser)
{
  EarPodcastFacts *facts = ear_feed_parser_get_podcast (parser);
  g_autoptr (GString) json = g_string_new (ear_feed_parser_get_n_items (parser) > 0 ? "]" : "{\"items\":[]");
  g_autofree char *text = dup_text (facts->description, facts->link);

  put (json, ",'feed':{'title':$,'link':$,'description':$,'image':$,'language':$,'author':$,'next':$,'new_feed_url':$,"
             "'explicit':$,'type':$,'complete':$,'block':$,'funding':[",
       facts->title, facts->link, text, facts->image, facts->language, facts->author, facts->next_address, facts->new_address,
       facts->explicit_content == EAR_EXPLICIT_YES ? "yes" : NULL, ear_feed_parser_get_format (parser),
       facts->complete ? "yes" : NULL, facts->blocked ? "yes" : NULL);
  for (guint i = 0; i < facts->funding->len; i++)
    {
      const EarFunding *funding = g_ptr_array_index (facts->funding, i);

      put (json, "@{'url':$,'text':$}", i > 0 ? "," : "", funding->address, funding->text);
    }
  printf ("%s]}}\n", json->str);
}

/* Prints an error only if nothing has been printed yet; none can occur later. */
static int
inspect_feed (const char *path, const char *address, JsonNode *headers)
{
  JsonObject *object = headers != NULL ? json_node_get_object (headers) : NULL;
  g_autoptr (GList) names = object != NULL ? json_object_get_members (object) : NULL;
  g_autoptr (EarFeedParser) parser = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &error);
  const char *type = NULL;
  guint8 buffer[65536];
  gssize size;
  guint n = 0;

  for (GList *name = names; name != NULL; name = name->next)
    if (g_ascii_strcasecmp (name->data, "content-type") == 0)
      type = json_object_get_string_member_with_default (object, name->data, NULL);
  parser = ear_feed_parser_new (address, type, item_cb, &n);
  while (error == NULL && (size = g_input_stream_read (G_INPUT_STREAM (stream), buffer, sizeof buffer, NULL, &error)) > 0)
    ear_feed_parser_push (parser, buffer, size, &error);
  if (error == NULL && ear_feed_parser_finish (parser, &error))
    print_podcast (parser);
  else
    printf ("{\"error\":\"%s\"}\n", error->message);

  return error != NULL;
}

static int
inspect_notes (const char *base, const char *seconds)
{
  g_autoptr (GString) source = g_string_new (NULL), json = g_string_new (NULL);
  g_autoptr (GString) links = g_string_new (NULL), images = g_string_new (NULL), times = g_string_new (NULL);
  g_autoptr (GString) reading = g_string_new (NULL);
  g_autoptr (EarNotes) notes = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autofree char *text = NULL;

  for (int c; (c = getchar ()) != EOF;)
    g_string_append_c (source, c);
  notes = ear_show_notes_parse (source->str, base, g_ascii_strtod (seconds, NULL) * G_USEC_PER_SEC);
  text = ear_notes_to_text (notes);
  list = ear_notes_list_links (notes);
  for (guint i = 0; i < notes->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (notes->blocks, i);

      for (guint j = 0; j < block->spans->len; j++)
        {
          const EarNotesSpan *span = g_ptr_array_index (block->spans, j);
          GString *kind = span->time >= 0 ? times : block->type == EAR_NOTES_IMAGE ? images : links;

          if (span->time >= 0)
            put (kind, "@{'text':$,'seconds':%}", kind->len > 0 ? "," : "", span->text, span->time / (double) G_USEC_PER_SEC);
          else if (span->link != NULL)
            put (kind, "@$", kind->len > 0 ? "," : "", span->link);
        }
    }
  for (guint i = 0; i < list->len; i++)
    {
      const EarLinkFacts *link = g_ptr_array_index (list, i);

      put (reading, "@{'url':$,'words':$,'heading':$}", i > 0 ? "," : "", link->address, link->words, link->heading);
    }
  put (json, "{'text':$,'links':[@],'images':[@],'timestamps':[@],'reading':[@]}", text, links->str, images->str, times->str, reading->str);
  return puts (json->str) == EOF;
}

static int
inspect_transcript (const char *path, const char *mime_type, gboolean sentences)
{
  g_autoptr (GString) json = g_string_new ("{\"cues\":[");
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GBytes) bytes = g_file_load_bytes (file, NULL, NULL, &error);
  g_autoptr (EarTranscript) cues = bytes != NULL ? ear_transcript_read (bytes, mime_type, &error) : NULL;
  g_autoptr (EarTranscript) made = cues != NULL && sentences ? ear_transcript_make_sentences (cues, EAR_DURATION_UNKNOWN) : NULL;
  EarTranscript *shown = made != NULL ? made : cues;

  for (guint i = 0; shown != NULL && i < ear_transcript_get_length (shown); i++)
    {
      const EarSentence *cue = ear_transcript_get (shown, i);

      put (json, "@{'text':$,'speaker':$", i > 0 ? "," : "", cue->text, cue->speaker);
      if (cue->start >= 0)
        put (json, ",'start':%", cue->start / (double) G_USEC_PER_SEC);
      if (cue->end >= 0)
        put (json, ",'end':%", cue->end / (double) G_USEC_PER_SEC);
      g_string_append_c (json, '}');
    }
  if (shown != NULL)
    printf ("%s]}\n", json->str);
  else
    printf ("{\"error\":\"%s\"}\n", error->message);

  return shown == NULL;
}

static int
print_chapters (GPtrArray *chapters, const char *comment)
{
  g_autoptr (GString) json = g_string_new ("{\"chapters\":[");

  for (guint i = 0; i < chapters->len; i++)
    {
      const EarChapter *chapter = ear_chapters_get (chapters, i);

      put (json, "@{'start':%,'title':$,'link':$,'image':$,'hidden':@,'end':#}", i > 0 ? "," : "", chapter->start / (double) G_USEC_PER_SEC,
           chapter->title, chapter->link, chapter->picture == NULL ? chapter->image : "in the media",
           chapter->hidden ? "true" : "false", chapter->end / (double) G_USEC_PER_SEC);
    }
  put (json, "],'comment':$}", comment);
  return puts (json->str) == EOF;
}

static int
inspect_chapters (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) chapters = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  if (g_file_get_contents (path, &text, &length, &error))
    chapters = ear_chapters_parse_json (text, length, NULL, &error);
  if (error != NULL)
    printf ("{\"error\":\"%s\"}\n", error->message);

  return chapters == NULL || print_chapters (chapters, NULL);
}

static int
inspect_media (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  g_autoptr (EarMediaHead) head = stream != NULL ? ear_media_head_read (G_INPUT_STREAM (stream), NULL) : NULL;

  return head == NULL || print_chapters (head->chapters, head->comment);
}

int
main (int argc, char *argv[])
{
  g_autoptr (JsonNode) headers = json_from_string (g_getenv ("FEED_HEADERS") != NULL ? g_getenv ("FEED_HEADERS") : "{}", NULL);
  static char line[65536];

  if (argc == 4 && g_str_equal (argv[1], "--notes"))
    return inspect_notes (argv[2], argv[3]);
  if (argc == 4 && (g_str_equal (argv[1], "--transcript") || g_str_equal (argv[1], "--sentences")))
    return inspect_transcript (argv[2], argv[3], g_str_equal (argv[1], "--sentences"));
  if (argc == 3 && g_str_equal (argv[1], "--chapters"))
    return inspect_chapters (argv[2]);
  if (argc == 3 && g_str_equal (argv[1], "--media"))
    return inspect_media (argv[2]);
  if (argc == 3 && argv[1][0] != '-')
    return inspect_feed (argv[1], argv[2], headers);
  if (argc != 2 || !g_str_equal (argv[1], "--batch"))
    return puts ("{\"error\":\"Earmark reads nothing else yet: earmark-inspect FILE ADDRESS | --batch | --notes BASE SECONDS | --transcript FILE MIME | --chapters FILE | --media FILE\"}") != EOF;
  for (; fgets (line, sizeof line, stdin) != NULL; fflush (stdout))
    {
      g_autoptr (JsonNode) node = json_from_string (line, NULL);
      JsonObject *entry = node != NULL ? json_node_get_object (node) : json_node_get_object (headers);

      inspect_feed (json_object_get_string_member_with_default (entry, "file", ""),
                    json_object_get_string_member_with_default (entry, "base_url", NULL), json_object_get_member (entry, "headers"));
    }

  return 0;
}
